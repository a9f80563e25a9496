import { isPlain } from './Schema.js';

/** Whether two lists have the same members, or two shapes the same fields. */
export function isShallowSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) return false;
    // Ten times as fast as `every`, and lists are compared whenever one of their members has changed.
    for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
    return true;
  }
  if (!isPlain(one) || !isPlain(other)) return false;
  const names = Object.keys(other);
  return (
    names.length === Object.keys(one).length &&
    names.every((name) => Object.hasOwn(one, name) && one[name] === other[name])
  );
}

/** Whether two values are made of the same, however many lists and plain objects lie around it. */
export function isSameShape(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!areAlike(one, other)) return false;
  const pairs: object[] = [one as object, other as object];
  for (let next = 0; next < pairs.length; next += 2) {
    const a = pairs[next] as Readonly<Record<string, unknown>>;
    const b = pairs[next + 1] as Readonly<Record<string, unknown>>;
    const names = Object.keys(a);
    if (names.length !== Object.keys(b).length) return false;
    for (const name of names) {
      const [inA, inB] = [a[name], b[name]];
      if (!Object.hasOwn(b, name)) return false;
      if (inA === inB) continue;
      // Told at the first difference: a list inside may have 10 000 members.
      if (!areAlike(inA, inB)) return false;
      pairs.push(inA as object, inB as object);
    }
  }
  return true;
}

/** Whether two values are both lists, or both plain objects. */
function areAlike(one: unknown, other: unknown): boolean {
  return Array.isArray(one) ? Array.isArray(other) : isPlain(one) && isPlain(other);
}
