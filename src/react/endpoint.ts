import type { Request, Subscription } from '../store/endpoint.js';
import type { RequestState } from '../store/reading/selectors.js';

type Thunk<Result> = (dispatch: (action: never) => unknown, getState: () => unknown, extra: unknown) => Result;

/** An endpoint as the hooks use it. */
export interface HookEndpoint<Args extends readonly unknown[], Value> {
  (...args: Args): Request<Value>;
  readonly name: string;
  readonly sideEffect: boolean;
  key(...args: Args): string;
  ifStale(...args: Args): Request<Value>;
  subscribe(...args: Args): Thunk<Subscription>;
  select(...args: Args): (rootState: never) => Value | undefined;
  selectRequest(...args: Args): (rootState: never) => RequestState<Value>;
}

/** In place of arguments: nothing is to be read yet. */
export const skipToken: unique symbol = Symbol.for('rtk-resource/skip');
export type SkipToken = typeof skipToken;

/** How a request stands that was not made. */
export const uninitialized: RequestState<never> = {
  status: 'uninitialized',
  isUninitialized: true,
  isLoading: false,
  isFetching: false,
  isSuccess: false,
  isError: false,
  isStale: false,
  isPartial: false,
  isOptimistic: false,
};
