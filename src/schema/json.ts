/** What JSON holds, and what it does not: all of the state is plain. */
import { resourceError, show } from '../errors.js';
import { isPlain } from './Schema.js';

/** So deep nothing is remembered of where a walk has been: whatever leads back to itself is deeper than that. */
const DEEP = 100;

/** Whether a value is as JSON gives it, to its depths, and no deeper than `most` (which is over 100); `mayLack` where it may have gaps: undefined, and no numbers. */
export function isJson(value: unknown, mayLack: boolean, most = Infinity, depth = 0): boolean {
  return typeof value === 'object' && value !== null
    ? isJsonInside(value, mayLack, most, depth)
    : isJsonAlone(value, mayLack);
}

function isJsonInside(value: object, mayLack: boolean, most: number, depth: number): boolean {
  if (depth > DEEP) return flawIn(value, mayLack, most - depth) === undefined;
  // All of an answer goes through here: nothing is allocated for a row.
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isJson(value[i], mayLack, most, depth + 1)) return false;
    return true;
  }
  if (!isPlain(value)) return false;
  // Other code may have given all objects an enumerable property; what is not an object's own does not count.
  for (const name in value)
    if (!isJson(value[name], mayLack, most, depth + 1) && Object.hasOwn(value, name)) return false;
  return true;
}

/** Whether what has no inside is as JSON gives it. */
function isJsonAlone(value: unknown, mayLack: boolean): boolean {
  const type = typeof value;
  if (type === 'undefined' || type === 'number') return mayLack || Number.isFinite(value);
  return !(type === 'function' || type === 'symbol' || type === 'bigint');
}

/** What keeps a value from being as JSON gives it, which may be too deep for the stack, or cyclic; undefined where nothing does. */
function flawIn(value: unknown, mayLack: boolean, most = Infinity): string | undefined {
  // What is entered is open until all inside has been looked at.
  const isOpen = new Map<object, boolean>();
  const stack: object[] = [[value]];
  let depth = 0;
  for (let next = stack.at(-1); next; next = stack.at(-1)) {
    if (isOpen.has(next)) {
      stack.pop();
      if (isOpen.get(next)) depth--;
      isOpen.set(next, false);
      continue;
    }
    if (!Array.isArray(next) && !isPlain(next)) return `a ${classOf(next)}`;
    isOpen.set(next, true);
    if (++depth > most) return 'something that is too deep';
    for (const inner of Object.values(next) as unknown[]) {
      if (typeof inner === 'object' && inner !== null) {
        if (isOpen.get(inner)) return 'something that refers to itself';
        stack.push(inner);
      } else if (!isJsonAlone(inner, mayLack)) return show(inner);
    }
  }
  return undefined;
}

/** Throws R11 where what a hook returned is not plain to its depths, but for gaps. */
export function assertPlain(value: unknown, hook: string, of: string): void {
  const flaw = isJson(value, true) ? undefined : flawIn(value, true);
  if (flaw !== undefined) throw resourceError('R11', hook, of, flaw);
}

function classOf(value: object): string {
  return (value.constructor as { readonly name?: string } | undefined)?.name ?? 'class instance';
}

/** Whether a value is of a class that not every host has. */
export function isOf<Name extends 'FormData' | 'URLSearchParams' | 'Blob' | 'ReadableStream' | 'Event'>(
  value: unknown,
  name: Name,
): value is InstanceType<(typeof globalThis)[Name]> {
  return typeof globalThis[name] === 'function' && value instanceof globalThis[name];
}

/** Whether a value is a form, whose fields are no properties. */
export function isForm(value: unknown): value is FormData | URLSearchParams {
  return isOf(value, 'FormData') || isOf(value, 'URLSearchParams');
}
