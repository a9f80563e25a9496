/**
 * Gives out results as a component sees them: the same object, until something changes that the component has read of it. What has been read
 * of it stays as it was; what has not is the newest, whenever it is read. So nothing that was computed of a result, and is kept for as long
 * as the result is the same object (as React Compiler does), is ever out of date.
 *
 * @param read What the component has read; it is filled here, and outlives results.
 */
export function tracked<Result extends object>(read: Set<PropertyKey>): (next: Result) => Result {
  let target: Result | undefined;
  let result: Result;
  return (next) => {
    if (target && isSame(target, next, read)) Object.assign(target, next);
    else result = noting((target = next), read);
    return result;
  };
}

/** A frozen one, as Immer leaves it, can only be replaced. */
function isSame<Result extends object>(one: Result, other: Result, read: Set<PropertyKey>): boolean {
  if (Object.isFrozen(one)) return false;
  for (const field of read) if (!Object.is(one[field as keyof Result], other[field as keyof Result])) return false;
  return true;
}

/** Notes what is read, also by who spreads it. To note more than was shown, as in a discarded render, does no harm. */
function noting<Result extends object>(target: Result, read: Set<PropertyKey>): Result {
  return new Proxy(target, {
    get: (from, field) => {
      read.add(field);
      return from[field as keyof Result];
    },
    set: () => false,
  });
}
