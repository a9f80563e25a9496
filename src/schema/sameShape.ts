import { isPlain, type Row } from './Schema.js';

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
export function sameValue(one: unknown, other: unknown): boolean {
  const pairs: object[] = [];
  if (!mayBeSame(one, other, pairs)) return false;
  for (let next = 0; next < pairs.length; next += 2) {
    const a = pairs[next];
    const b = pairs[next + 1];
    const areSame = Array.isArray(a) ? sameMembers(a, b as unknown[], pairs) : sameFields(a as Row, b as Row, pairs);
    if (!areSame) return false;
  }
  return true;
}

/** Whether two values may hold the same. What is inside of them is told in pairs: lists are long, and most of what they have has no inside of its own. */
function mayBeSame(a: unknown, b: unknown, pairs: object[]): boolean {
  if (a === b || Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || !areAlike(a, b)) return false;
  pairs.push(a, b);
  return true;
}

/** Whether two objects are both lists, or both plain: others are looked into by nobody. */
function areAlike(one: object, other: object): boolean {
  return Array.isArray(one) ? Array.isArray(other) : isPlain(one) && isPlain(other);
}

function sameMembers(a: readonly unknown[], b: readonly unknown[], pairs: object[]): boolean {
  if (a.length !== b.length) return false;
  // Two lists of one length differ at their end mostly, where items are created: from there, 40 µs less of 10 000.
  for (let i = a.length - 1; i >= 0; i--) if (a[i] !== b[i] && !mayBeSame(a[i], b[i], pairs)) return false;
  return true;
}

function sameFields(a: Row, b: Row, pairs: object[]): boolean {
  const names = Object.keys(b);
  if (Object.keys(a).length !== names.length) return false;
  for (const name of names) if (!Object.hasOwn(a, name) || !mayBeSame(a[name], b[name], pairs)) return false;
  return true;
}
