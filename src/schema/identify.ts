import { getOrMake, isPlain } from './Schema.js';

const numbers = new WeakMap<object, number>();
let count = 0;

/** Names an object, for as long as it is there. */
export function numberOf(object: object): number {
  return getOrMake(numbers, object, () => ++count);
}

/** What is deeper, as all that is cyclic, is told by identity. */
const DEEPEST = 20;

/** A text for bytes: mostly another where one of them is. */
function bytesOf(bytes: Uint8Array): string {
  return `bytes ${String(bytes.reduce((hash, byte) => (Math.imul(hash, 31) + byte) | 0, bytes.length))}`;
}

/** A text that tells values apart: what is plain, and bytes, by their content, in whatever order fields are; all else by its identity. */
export function identify(value: unknown, depth = 0): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${String(value)}n`;
  if (typeof value !== 'function' && (typeof value !== 'object' || value === null))
    return Object.is(value, -0) ? '-0' : String(value);
  try {
    const inside = (inner: unknown): string => identify(inner, depth + 1);
    // By index: `map` passes over holes.
    if (Array.isArray(value) && depth < DEEPEST) return `[${Array.from(value as unknown[], inside).join()}]`;
    if (isPlain(value) && depth < DEEPEST) {
      const fields = Object.keys(value).sort();
      return `{${fields.map((field) => `${JSON.stringify(field)}:${inside(value[field])}`).join()}}`;
    }
    if (value instanceof Date) return `Date ${String(value.getTime())}`;
    if (value instanceof ArrayBuffer) return bytesOf(new Uint8Array(value));
    if (ArrayBuffer.isView(value)) return bytesOf(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  } catch {
    // What cannot be read is what it is.
  }
  return `#${String(numberOf(value))}`;
}
