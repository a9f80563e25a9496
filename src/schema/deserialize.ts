import { reasonOf, resourceError } from '../errors.js';
import type { Definition, Reader } from './Schema.js';

/** Makes the value that a reader gets of a field's wire form: a function, or a class that takes the wire form. */
export type Deserializer = ((wire: never) => unknown) | (new (wire: never) => unknown);

type Call = (wire: unknown) => unknown;

/** Conversions of the language that give a primitive only without `new`. */
const conversions: ReadonlySet<unknown> = new Set([Number, String, Boolean, BigInt]);
const calls = new WeakMap<object, Call>();

/** Applies a deserializer; what it throws is told with the field's name. */
export function readField(deserializer: Deserializer, wire: unknown, entity: string, field: string): unknown {
  let call = calls.get(deserializer);
  if (!call) calls.set(deserializer, (call = callOf(deserializer)));
  try {
    return call(wire);
  } catch (cause) {
    throw Object.assign(resourceError('R18', entity, field, reasonOf(cause)), { cause });
  }
}

/** How members of a list are read that no schema describes: by a deserializer, where there is one; drafts have the wire form. */
export function readerOfMembers(member: Definition, { isTracing }: Reader): (wire: unknown) => unknown {
  if (typeof member !== 'function' || isTracing) return (wire) => wire;
  const deserializer = member as Deserializer;
  return (wire) => ((wire ?? null) === null ? wire : readField(deserializer, wire, 'a list', 'member'));
}

/**
 * Functions say by their `prototype` whether they want `new`: arrows and methods have none, native classes a fixed one.
 * An old-style constructor looks like any function, so it is called, and constructed when that is a TypeError.
 */
function callOf(deserializer: Deserializer): Call {
  const plain = deserializer as (wire: unknown) => unknown;
  const construct = (wire: unknown): unknown => new (deserializer as new (wire: unknown) => unknown)(wire);
  const prototype = Object.getOwnPropertyDescriptor(deserializer, 'prototype');
  if (conversions.has(deserializer) || !prototype) return plain;
  if (prototype.writable === false) return construct;
  let call: Call | undefined;
  return (wire) => {
    if (call) return call(wire);
    try {
      const value = plain(wire);
      call = plain;
      return value;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const value = construct(wire);
      call = construct;
      return value;
    }
  };
}
