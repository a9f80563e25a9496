import type { MiddlewareAPI } from '@reduxjs/toolkit';
import type { SliceActions } from '../actions.js';
import type { AnyEndpoint, FetchFn, Lifetimes, StoreApi } from '../endpoint.js';
import type { SettledAction } from '../request.js';
import { lifetimeOf } from '../reading/freshness.js';
import { sliceOf } from '../reading/selectors.js';
import type { ResourcesState } from '../state.js';

/** One store, as far as what runs in it needs it: its slice, its clock, its dispatch. */
export class StoreAccess {
  readonly api: MiddlewareAPI;
  readonly actions: SliceActions;
  readonly defaults: Lifetimes;
  readonly #reducerPath: string;
  readonly #fetchFn: FetchFn | undefined;
  #seq = 0;

  constructor(api: MiddlewareAPI, reducerPath: string, actions: SliceActions, defaults: Lifetimes, fetchFn?: FetchFn) {
    this.api = api;
    this.actions = actions;
    this.defaults = defaults;
    this.#reducerPath = reducerPath;
    this.#fetchFn = fetchFn;
  }

  get slice(): ResourcesState {
    return sliceOf(this.api.getState(), this.#reducerPath);
  }

  /** The position of what started last. */
  get seq(): number {
    return Math.max(this.#seq, this.slice.seq);
  }

  nextSeq(): number {
    return (this.#seq = this.seq + 1);
  }

  /** What the hooks of a request are given. */
  hookApi(endpoint: AnyEndpoint, given: Pick<StoreApi, 'extra' | 'signal' | 'requestId'>): StoreApi {
    const { getState, dispatch } = this.api;
    const timeout = lifetimeOf(endpoint, this.defaults, 'timeout');
    return { ...given, getState, dispatch: dispatch as StoreApi['dispatch'], timeout, fetchFn: this.#fetchFn };
  }

  /** Throws what keeps the action from the slice: what a reducer or a middleware beside ours throws. */
  dispatch(type: string, rest: object): SettledAction {
    const action = { type, ...rest };
    const before = this.slice;
    try {
      this.api.dispatch(action);
    } catch (error) {
      if (this.slice === before) throw error;
      // A subscriber that throws has seen the action: the story goes on, and the error is not lost.
      queueMicrotask(() => {
        throw error;
      });
    }
    // What other middleware returns does not matter: this is what was dispatched.
    return action as SettledAction;
  }
}
