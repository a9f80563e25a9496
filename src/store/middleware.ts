import type { Middleware } from '@reduxjs/toolkit';
import { resourceError } from '../errors.js';
import { isRecord } from '../schema/Schema.js';
import type { SliceActions } from './actions.js';
import { connect } from './request.js';
import { Runtime, type RuntimeOptions } from './running/Runtime.js';

/** The slice that each store has a middleware for; all middleware of a store is given the same `getState`. */
const mounted = new WeakMap<() => unknown, string>();

/** Makes the middleware of a slice. It runs nothing itself: it tells each request what runs it in this store. */
export function createResourcesMiddleware(
  reducerPath: string,
  actions: SliceActions,
  options: RuntimeOptions,
): Middleware {
  return (api) => {
    if (mounted.has(api.getState)) throw resourceError('R9', reducerPath);
    mounted.set(api.getState, reducerPath);
    const runtime = new Runtime(api, reducerPath, actions, options);
    return (next) => (action) => {
      if (isRecord(action) && action['type'] === connect.type) {
        const state: unknown = api.getState();
        // A slice that was injected a moment ago comes into the state with the next action.
        if (!isRecord(state) || !(reducerPath in state)) next({ type: `${reducerPath}/init` });
        return runtime;
      }
      try {
        return next(action);
      } finally {
        // Whoever throws at it may have done so when it was written down.
        runtime.repoll();
        if (actions.invalidate.match(action) || actions.expire.match(action)) runtime.refetch(action.payload);
      }
    };
  };
}
