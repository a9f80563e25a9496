import { isForm } from '../../schema/json.js';
import { isPlain, isRecord, isUnionRef, setOwn } from '../../schema/Schema.js';
import { isTemporary, originOf } from '../../schema/temporary.js';
import { withoutMark } from '../../tables/aliases.js';
import type { Changes } from '../../tables/changes.js';
import type { Named } from '../../tables/Memory.js';
import type { Intent } from './intent.js';

/** Tells which keys may have temporary ids: by their first letter, which may be written in two ways. */
export const mayNameTemporary = /~|%7E/;

/** The temporary ids in arguments, however deep. */
export function temporariesIn(args: readonly unknown[]): readonly string[] {
  const found: string[] = [];
  const seen = new Set<unknown>(args.filter(isObject));
  // What is found inside is looked into in its turn; a body of any depth leaves the stack alone.
  for (const value of seen) {
    for (const name of namesOf(value as object)) if (isTemporary(name)) found.push(name);
    for (const inner of valuesOf(value as object)) {
      if (isTemporaryId(inner)) found.push(inner);
      // An instance of a class inside another, as a DOM node in an event, leads anywhere.
      else if (isObject(inner) && !(isForeign(inner) && isForeign(value))) seen.add(inner);
    }
  }
  return found;
}

function isTemporaryId(value: unknown): value is string {
  return typeof value === 'string' && isTemporary(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isForeign(value: unknown): boolean {
  return !Array.isArray(value) && !isPlain(value) && !isForm(value);
}

/** The names in a value that may be ids: `{ positions: { '~…': 1 } }`; those of a class are not. */
function namesOf(value: object): Iterable<string> {
  if (isPlain(value)) return Object.keys(value);
  return isForm(value) ? value.keys() : [];
}

function valuesOf(value: object): Iterable<unknown> {
  if (isForm(value)) return value.values();
  // The bytes of a file are no ids, and may be many.
  return ArrayBuffer.isView(value) ? [] : (Object.values(value) as readonly unknown[]);
}

/** Arguments with real ids in place of those that one create had given out. */
export function withReal(args: readonly unknown[], requestId: string, ids: readonly unknown[]): readonly unknown[] {
  const real = realIds(requestId, ids);
  const copies = new Map<object, unknown>();
  const copy = (value: unknown): unknown => {
    if (!isObject(value)) return real(value);
    if (copies.has(value)) return copies.get(value);
    if (temporariesIn([value]).length === 0) return value;
    if (isForm(value)) return copyOfForm(value, real);
    const copied = (Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value) as object | null)) as Record<
      string,
      unknown
    >;
    copies.set(value, copied);
    for (const [name, inner] of Object.entries(value)) setOwn(copied, String(real(name)), copy(inner));
    return copied;
  };
  return args.map((part) => (isObject(part) ? copy(part) : part));
}

function copyOfForm<Form extends FormData | URLSearchParams>(form: Form, real: (value: unknown) => unknown): Form {
  const copied = new (form.constructor as new () => Form)();
  // A real id is sent as its text, as all that is no file.
  for (const [name, value] of form)
    copied.append(String(real(name)), (typeof value === 'string' ? String(real(value)) : value) as string);
  return copied;
}

/** Changes with the rows that one create made under their real pks. */
export function withRealPks({ rows, lists }: Changes, requestId: string, ids: readonly unknown[]): Changes {
  return {
    rows: rows.map((change) => ({ ...change, pks: change.pks.map((pk) => realPk(pk, requestId, ids)) })),
    lists,
  };
}

/** The pk that a row has by the ids which a create was answered with. */
export function realPk(pk: string, requestId: string, ids: readonly unknown[]): string {
  return String(realIds(requestId, ids)(pk));
}

/** Gives the real id for a temporary one of a create; what is no such id stays. */
function realIds(requestId: string, ids: readonly unknown[]): (value: unknown) => unknown {
  return (value) => {
    if (typeof value !== 'string' || !isTemporary(value)) return value;
    const origin = originOf(value);
    return origin.requestId === requestId ? (ids[origin.index] ?? value) : value;
  };
}

/** The pks that what was created is kept under. */
export function createdPks(result: unknown): readonly unknown[] {
  const refs: readonly unknown[] = Array.isArray(result) ? result : [result];
  return refs.map((ref) => (isUnionRef(ref) ? ref.pk : ref));
}

/** The ids that a create was answered with, as the answer writes them; a pk where that is no field. */
export function createdIds(result: unknown, response: unknown): readonly unknown[] {
  const items: readonly unknown[] = Array.isArray(response) ? response : [response];
  return createdPks(result).map((kept, i) => {
    const pk = typeof kept === 'string' ? withoutMark(kept) : kept;
    const item = items[i];
    return isRecord(item) && String(item['id']) === pk ? item['id'] : pk;
  });
}

/** The rows that a create was answered with, beside those that it had shown. */
export function namedRows({ requestId, changes }: Intent, result: unknown): readonly Named[] {
  const refs: readonly unknown[] = Array.isArray(result) ? result : [result];
  return changes.rows.flatMap(({ table, pks }) =>
    pks.filter(isTemporary).flatMap((temporary): readonly Named[] => {
      const origin = originOf(temporary);
      const ref = origin.requestId === requestId ? refs[origin.index] : undefined;
      if (isUnionRef(ref)) return [{ table: ref.table, pk: ref.pk, temporary }];
      return typeof ref === 'string' ? [{ table, pk: ref, temporary }] : [];
    }),
  );
}
