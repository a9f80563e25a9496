import type { Middleware, MiddlewareAPI } from '@reduxjs/toolkit';
import { resourceError, warnOnce } from '../errors.js';
import { isRecord } from '../schema/Schema.js';
import type { SliceActions } from './actions.js';
import { connect, type RequestDispatch } from './request.js';
import type { ResourcesOptions } from './options.js';
import { Runtime } from './running/Runtime.js';
import { hasBegun, isOurs } from './state.js';

/** The slice that each store has a middleware for; all middleware of a store is given the same `getState`. */
const mounted = new WeakMap<() => unknown, string>();

/** Makes the middleware of a slice. It runs nothing itself: it tells each request what runs it in this store. */
export function createResourcesMiddleware(
  reducerPath: string,
  actions: SliceActions,
  options: ResourcesOptions,
): Middleware<RequestDispatch> {
  return (api) => {
    const path = mounted.get(api.getState);
    if (path === reducerPath) {
      warnOnce(() => [
        `mounted ${path}`,
        `A second configureResources was mounted at state.${path}, as by a module that is loaded again. The first goes on, with its options.`,
      ]);
      return (next) => next;
    }
    if (path !== undefined) throw resourceError('R9', reducerPath);
    mounted.set(api.getState, reducerPath);
    const runtime = new Runtime(api, reducerPath, actions, options);
    const look = lookout(api, reducerPath);
    return (next) => {
      const own = (): void => {
        let news = look();
        if (news === 'foreign') {
          next(actions.adopt());
          news = look();
        }
        // Whoever was there has left: what is under way is not for whoever comes.
        if (news === 'emptied') runtime.reset(true);
        if (news === 'replaced') runtime.replaced();
      };
      return (given) => {
        own();
        const mark = actions.invalidate.match(given) || actions.expire.match(given) ? runtime.known(given) : undefined;
        const action = mark ?? given;
        if (isRecord(action) && action['type'] === connect.type) {
          // A slice that was injected a moment ago comes into the state with the next action.
          if (!runtime.isMounted) next({ type: `${reducerPath}/init` });
          return runtime;
        }
        try {
          return runtime.store.observers.pass(action, next);
        } finally {
          // Whoever throws at it may have done so when it was written down.
          own();
          runtime.repoll();
          if (actions.hydrate.match(action)) runtime.hydrated();
          runtime.keeper?.acted(action);
          if (mark) runtime.refetch(mark);
        }
      };
    };
  };
}

/** The stores that slices belong to, by anchor: each has an object that stands for it, and holds nothing of it. */
const owners = new WeakMap<object, object>();

/**
 * The slice is that of another store, as one that was begun with it, or got it later, or of none, as redux-persist puts it in; it came from elsewhere in
 * place of the one that was there, as from storage; or an action has made it begin anew, as where a root reducer gives `undefined` at a logout.
 */
type News = 'foreign' | 'replaced' | 'emptied' | undefined;

/** Makes what tells what has become of the slice of a store since it was asked last. */
function lookout(api: MiddlewareAPI, reducerPath: string): () => News {
  const self = {};
  let known: object | undefined;
  let foreign: object | undefined;
  return () => {
    const state: unknown = api.getState();
    const slice = isRecord(state) ? state[reducerPath] : undefined;
    if (!isRecord(slice) || slice['anchor'] === known) return undefined;
    if (!isOurs(slice)) {
      // A reducer that takes no action, as that of a fixture, is asked once.
      if (slice === foreign) return undefined;
      foreign = slice;
      return 'foreign';
    }
    const isFirst = known === undefined;
    known = slice.anchor;
    const owner = owners.get(known);
    // A slice that was there before is back by time travel.
    if (owner) return owner === self ? undefined : 'foreign';
    owners.set(known, self);
    return isFirst ? undefined : (['emptied', 'replaced'] as const).find((how) => hasBegun(slice, how));
  };
}
