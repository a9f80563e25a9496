/**
 * Lets one subscriber look at each of these on every change, as `useSelector` does; gives how many changes they have seen.
 * @template State
 * @param {{ getState: () => State, subscribe: (listener: () => void) => () => void }} store
 * @param {readonly ((state: State) => unknown)[]} selectors
 */
export function watchStore(store, selectors) {
  let seen = 0;
  for (const select of selectors) {
    let last = select(store.getState());
    store.subscribe(() => {
      const now = select(store.getState());
      if (now === last) return;
      last = now;
      seen++;
    });
  }
  return () => seen;
}
