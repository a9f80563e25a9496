import { orElse } from '../../errors.js';
import { isPlain, type Row } from '../../schema/Schema.js';

/** Replaces what is secret: a value, and where it stands, as `Todo/5/title`, or `Todo/update/1/title` for an argument. */
export type Redact = (value: unknown, path: string) => unknown;

/** A rule of the user's that fails hides the value. */
export function safely(redact: Redact | undefined): Redact {
  if (!redact) return (value) => value;
  return (value, path) => orElse(() => redact(value, path), '(redact failed)');
}

export function redactRow(row: Row | null, path: string, redact: Redact): Row | null {
  return (
    row && Object.fromEntries(Object.entries(row).map(([field, value]) => [field, redact(value, `${path}/${field}`)]))
  );
}

/** The arguments of a request, field by field. */
export function redactArgs(args: readonly unknown[], path: string, redact: Redact): readonly unknown[] {
  return args.map((part, i) =>
    isPlain(part) ? redactRow(part, `${path}/${i}`, redact) : redact(part, `${path}/${i}`),
  );
}

/** A value and all that lies in it. */
export function redactDeep(value: unknown, path: string, redact: Redact): unknown {
  const told = redact(value, path);
  const inside = (one: unknown, name: string | number): unknown => redactDeep(one, `${path}/${name}`, redact);
  if (Array.isArray(told)) return told.map(inside);
  if (!isPlain(told)) return told;
  return Object.fromEntries(Object.entries(told).map(([name, one]) => [name, inside(one, name)]));
}
