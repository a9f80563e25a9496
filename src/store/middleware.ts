import type { Middleware, MiddlewareAPI } from '@reduxjs/toolkit';
import { resourceError } from '../errors.js';
import { isRecord } from '../schema/Schema.js';
import type { SliceActions } from './actions.js';
import { connect, type RequestDispatch } from './request.js';
import { Runtime, type RuntimeOptions } from './running/Runtime.js';
import { isOurs } from './state.js';

/** The slice that each store has a middleware for; all middleware of a store is given the same `getState`. */
const mounted = new WeakMap<() => unknown, string>();

/** Makes the middleware of a slice. It runs nothing itself: it tells each request what runs it in this store. */
export function createResourcesMiddleware(
  reducerPath: string,
  actions: SliceActions,
  options: RuntimeOptions,
): Middleware<RequestDispatch> {
  return (api) => {
    if (mounted.has(api.getState)) throw resourceError('R9', reducerPath);
    mounted.set(api.getState, reducerPath);
    const runtime = new Runtime(api, reducerPath, actions, options);
    const isForeign = foreignness(api, reducerPath);
    return (next) => {
      const own = (): void => {
        if (isForeign()) next(actions.adopt());
      };
      return (action) => {
        own();
        if (isRecord(action) && action['type'] === connect.type) {
          const state: unknown = api.getState();
          // A slice that was injected a moment ago comes into the state with the next action.
          if (!isRecord(state) || !(reducerPath in state)) next({ type: `${reducerPath}/init` });
          return runtime;
        }
        try {
          return runtime.store.observers.pass(action, next);
        } finally {
          // Whoever throws at it may have done so when it was written down.
          own();
          runtime.repoll();
          runtime.acted(action);
          if (actions.invalidate.match(action) || actions.expire.match(action)) runtime.refetch(action);
        }
      };
    };
  };
}

/** The stores that slices belong to, by anchor: each has an object that stands for it, and holds nothing of it. */
const owners = new WeakMap<object, object>();

/** Makes what tells whether the slice of a store is that of another store, as one that was begun with it, or got it later. */
function foreignness(api: MiddlewareAPI, reducerPath: string): () => boolean {
  const self = {};
  let known: object | undefined;
  return () => {
    const state: unknown = api.getState();
    const slice = isRecord(state) ? state[reducerPath] : undefined;
    // What is of no store of this process is adopted by the reducer.
    if (!isRecord(slice) || slice['anchor'] === known || !isOurs(slice)) return false;
    known = slice.anchor;
    const owner = owners.get(known);
    if (!owner) owners.set(known, self);
    return owner !== undefined && owner !== self;
  };
}
