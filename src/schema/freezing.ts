/** What several read is frozen in development, so that none of them changes it. */

declare const process: { readonly env: { readonly NODE_ENV?: string } };

// Chosen once: Node takes 0.1 to 0.3 µs to say which mode it is in, and an action would ask ten times.

/** Keeps readers from changing what others read too; costs nothing in production. */
export const freezeInDevelopment: <Value>(value: Value) => Value =
  process.env.NODE_ENV !== 'production' ? (value) => Object.freeze(value) : (value) => value;

/**
 * Freezes plain data to its depths in development, without going into what is frozen already: checks of immutability pass
 * over it, and a change by hand throws. In production nothing, for frozen arrays are 6 to 75 times slower to copy.
 */
export const deepFreezeInDevelopment: <Value>(value: Value) => Value =
  process.env.NODE_ENV !== 'production'
    ? (value) => {
        deepFreeze([value]);
        return value;
      }
    : (value) => value;

/** The same for all that lies in some lists, and not for the lists. */
export const deepFreezeMembersInDevelopment: (...lists: readonly (readonly unknown[])[]) => void =
  process.env.NODE_ENV !== 'production'
    ? (...lists) => {
        deepFreeze(lists.flat());
      }
    : () => undefined;

function deepFreeze(queue: unknown[]): void {
  for (const next of queue) {
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    // Large pages are pushed one by one: a spread of them could overflow the stack.
    for (const inner of Object.values(next) as unknown[])
      if (typeof inner === 'object' && inner !== null) queue.push(inner);
  }
}
