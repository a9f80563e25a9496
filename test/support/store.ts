import { configureStore, createSlice, type Middleware, type UnknownAction } from '@reduxjs/toolkit';
import { configureResources, type ResourcesOptions, type ResourcesState } from 'rtk-resource';
import { expect } from 'vitest';

/** A slice of the user's own, beside ours. */
const counter = createSlice({
  name: 'counter',
  initialState: 0,
  reducers: { counted: (count) => count + 1 },
});
export const { counted } = counter.actions;

/** A store as an app makes it, with RTK's own checks, and all the actions that reached it. */
export function setup(options: ResourcesOptions<'resources'> = {}) {
  const resources = configureResources(options);
  const actions: UnknownAction[] = [];
  const recorder: Middleware = () => (next) => (action) => {
    actions.push(action as UnknownAction);

    return next(action);
  };
  const store = configureStore({
    reducer: { resources: resources.reducer, counter: counter.reducer },
    middleware: (getDefault) => getDefault().concat(resources.middleware, recorder),
    // Tests wait for no frame.
    enhancers: (getDefault) => getDefault({ autoBatch: { type: 'tick' } }),
  });

  return {
    resources,
    store,
    actions,
    /** What a selector gives now. */
    read: <Value>(selector: (state: RootState) => Value): Value => selector(store.getState()),
    slice: (): ResourcesState => store.getState().resources,
    /** What a selector gives from now on: each value once, as it changes. */
    watch: <Value>(selector: (state: RootState) => Value): readonly Value[] => {
      const values = [selector(store.getState())];
      store.subscribe(() => {
        const value = selector(store.getState());
        if (value !== values.at(-1)) values.push(value);
      });

      return values;
    },
  };
}

export interface RootState {
  readonly resources: ResourcesState;
  readonly counter: number;
}

/** The types of actions, in the order in which they came. */
export function typesOf(actions: readonly UnknownAction[]): readonly string[] {
  return actions.map(({ type }) => type);
}

/** Nothing is under way, and nothing is remembered of what was: as in a store in which nothing ever happened. */
export function expectIdle({ intents, journal }: ResourcesState): void {
  const untouched = setup().slice();
  expect(intents).toEqual([]);
  expect(journal).toEqual(untouched.journal);
}

/** Something is remembered of what has settled, for as long as something is under way. */
export function expectBusy({ journal }: ResourcesState): void {
  expect(journal).not.toEqual(setup().slice().journal);
}
