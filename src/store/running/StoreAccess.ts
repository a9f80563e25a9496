import type { MiddlewareAPI } from '@reduxjs/toolkit';
import { orElse } from '../../errors.js';
import type { RejectedAction, SliceActions } from '../actions.js';
import type { AnyEndpoint, Lifetimes } from '../endpoint.js';
import type { FetchFn, StoreApi } from '../hookApi.js';
import type { SettledAction } from '../request.js';
import { sliceOf } from '../reading/selectors.js';
import type { ResourcesState } from '../state.js';
import { Observers } from './Observers.js';

/** An error is not lost, though nobody may be stopped by it. */
function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** One store, as far as what runs in it needs it: its slice, its clock, its dispatch. */
export class StoreAccess {
  readonly api: MiddlewareAPI;
  readonly actions: SliceActions;
  readonly defaults: Lifetimes;
  readonly observers = new Observers(() => this.sliceIfThere());
  readonly reducerPath: string;
  readonly #fetchFn: FetchFn | undefined;
  #seq = 0;
  /** The failures that something beside ours has kept from the slice. */
  readonly #owed = new Set<object>();

  constructor(api: MiddlewareAPI, reducerPath: string, actions: SliceActions, defaults: Lifetimes, fetchFn?: FetchFn) {
    this.api = api;
    this.actions = actions;
    this.defaults = defaults;
    this.reducerPath = reducerPath;
    this.#fetchFn = fetchFn;
  }

  get slice(): ResourcesState {
    return sliceOf(this.api.getState(), this.reducerPath);
  }

  /** The slice, unless it is still to be injected. */
  sliceIfThere(): ResourcesState | undefined {
    return orElse(() => this.slice, undefined);
  }

  /** The position of what started last. */
  get seq(): number {
    return Math.max(this.#seq, this.slice.seq);
  }

  nextSeq(): number {
    return (this.#seq = this.seq + 1);
  }

  hookApi(endpoint: AnyEndpoint, given: Pick<StoreApi, 'extra' | 'signal' | 'requestId' | 'sends'>): StoreApi {
    const { getState, dispatch } = this.api;
    const { timeout = this.defaults.timeout } = endpoint;
    return { getState, dispatch: dispatch as StoreApi['dispatch'], timeout, fetchFn: this.#fetchFn, ...given };
  }

  /**
   * Throws what keeps the action from the slice: what a reducer or a middleware beside ours throws. `isTold` says whether it has come there; that the
   * slice is another, unless given.
   */
  dispatch(type: string, rest: object, isTold?: () => boolean): SettledAction {
    // What other middleware returns does not matter: this is what was dispatched.
    const action = { type, ...rest } as SettledAction;
    const before = this.slice;
    try {
      this.api.dispatch(action);
    } catch (error) {
      if (!(isTold?.() ?? this.slice !== before)) throw error;
      // A subscriber that throws has seen the action: the story goes on.
      throwLater(error);
    }
    for (const owed of this.#owed) this.#pay(owed);
    return action;
  }

  /** Says how a request has failed, whatever throws at that: the slice is told by an action of its own, now, or as soon as it can be. */
  dispatchFailure(type: string, told: Pick<RejectedAction, 'error' | 'meta'>, isTold: () => boolean): SettledAction {
    let action: SettledAction = { type, ...told };
    try {
      action = this.dispatch(type, told, isTold);
    } catch (error) {
      throwLater(error);
    }
    if (!isTold()) this.#pay(told);
    return action;
  }

  #pay(told: object): void {
    this.#owed.delete(told);
    try {
      this.dispatch(this.actions.release.type, { payload: told });
    } catch {
      this.#owed.add(told);
    }
  }
}
