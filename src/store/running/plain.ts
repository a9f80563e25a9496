import { resourceError, show } from '../../errors.js';
import { isPlain, setOwn } from '../../schema/Schema.js';

/** What stands for a value that JSON does not hold. */
function describe(value: object): unknown {
  if (typeof FormData !== 'undefined' && value instanceof FormData) return formFields(value);
  if (typeof URLSearchParams !== 'undefined' && value instanceof URLSearchParams) return formFields(value);
  if (typeof Blob !== 'undefined' && value instanceof Blob)
    return `[${value.constructor.name} ${value.type} ${String(value.size)} bytes]`;
  if (typeof ReadableStream !== 'undefined' && value instanceof ReadableStream) return '[ReadableStream]';
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return `[binary ${String(value.byteLength)} bytes]`;
  return undefined;
}

/** The fields of a form; a name that occurs more than once has a list. */
function formFields(form: FormData | URLSearchParams): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of new Set(form.keys())) {
    const values = (form.getAll(name) as readonly unknown[]).map(toWire);
    setOwn(fields, name, values.length > 1 ? values : values[0]);
  }
  return fields;
}

/** Whether a value is as JSON gives it, to its depths. */
function isWire(value: unknown): boolean {
  const queue: unknown[] = [value];
  for (const next of queue) {
    if (next === null || typeof next === 'string' || typeof next === 'number' || typeof next === 'boolean') continue;
    if (!Array.isArray(next) && !(isPlain(next) && !('toJSON' in next))) return false;
    for (const inner of Object.values(next) as unknown[]) queue.push(inner);
  }
  return true;
}

/** A value as JSON would send it: the very value where it is so already. */
export function toWire(value: unknown): unknown {
  return isWire(value) ? value : wireOf(value);
}

/** A value as JSON would send it: `toJSON` is asked, what is undefined is left out, files are described. */
function wireOf(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if ('toJSON' in value && typeof value.toJSON === 'function') return wireOf((value.toJSON as () => unknown)());
  const described = describe(value);
  if (described !== undefined) return described;
  if (Array.isArray(value)) return value.map((member) => wireOf(member) ?? null);
  const plain: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const wire = wireOf((value as Record<string, unknown>)[name]);
    if (wire !== undefined) setOwn(plain, name, wire);
  }
  return plain;
}

/** The value itself, when it is plain to its depths; undefined fields are left out. Throws a ResourceError (R11) otherwise. */
export function assertPlain(value: unknown, endpoint: string): unknown {
  const seen = new Set<object>();
  const queue: unknown[] = [value];
  for (const next of queue) {
    if (typeof next === 'function' || typeof next === 'symbol' || typeof next === 'bigint')
      throw resourceError('R11', endpoint, show(next));
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    if (!Array.isArray(next) && !isPlain(next)) {
      throw resourceError(
        'R11',
        endpoint,
        `a ${(next.constructor as { name?: string } | undefined)?.name ?? 'class instance'}`,
      );
    }
    seen.add(next);
    for (const inner of Object.values(next) as unknown[]) queue.push(inner);
  }
  return value;
}
