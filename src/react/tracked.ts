/**
 * Selects a state as a component sees it: the same object, until something changes that the component has read of it.
 * What has been read of it stays as it was; what has not is the newest, whenever it is read.
 */
export function tracked<State, Result extends object>(
  select: (rootState: never) => State,
  resultOf: (state: State) => Result,
  read: Set<PropertyKey>,
): (rootState: never) => Result {
  let last: State;
  let target: Result | undefined;
  let result: Result;
  return (rootState) => {
    const state = select(rootState);
    if (target && state === last) return result;
    last = state;
    const next = resultOf(state);
    if (target && isSame(target, next, read)) Object.assign(target, next);
    else result = noting((target = next), read);
    return result;
  };
}

/** Who has read nothing yet may still read anything; a frozen one, as Immer leaves it, can only be replaced. */
function isSame<Result extends object>(one: Result, other: Result, read: Set<PropertyKey>): boolean {
  if (read.size === 0 || Object.isFrozen(one)) return false;
  return [...read].every((field) => Object.is(one[field as keyof Result], other[field as keyof Result]));
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
