import type { ErrorCarrier, Request } from '../store/endpoint.js';
import type { RequestState } from '../store/reading/requestState.js';

/** An endpoint as far as it is called. */
export interface HookEndpoint<
  Args extends readonly unknown[],
  Value,
  ErrorData = unknown,
> extends ErrorCarrier<ErrorData> {
  (...args: Args): Request<Value>;
  readonly name: string;
  readonly sideEffect: boolean;
  key(...args: Args): string;
}

/** A request that changes nothing on the server. */
export type ReadRequest<Value> = Request<Value> & { readonly writes?: never };

/** An endpoint whose requests change nothing on the server. */
export interface ReadEndpoint<Args extends readonly unknown[], Value, ErrorData = unknown> extends HookEndpoint<
  Args,
  Value,
  ErrorData
> {
  (...args: Args): ReadRequest<Value>;
  ifStale(...args: Args): Request<Value>;
  prefetch(...args: Args): Request<Value>;
  selectRequest(...args: Args): (rootState: never) => RequestState<Value, ErrorData>;
}

/** The endpoint of a list that is read page by page. */
export interface PagedEndpoint<Args extends readonly unknown[], Value, ErrorData = unknown> extends ReadEndpoint<
  Args,
  Value,
  ErrorData
> {
  getNextPage(...args: never): Request;
  getPreviousPage(...args: never): Request;
}

/** In place of arguments, or of a request: nothing is to be read yet. */
export const skipToken: unique symbol = Symbol.for('rtk-resource/skip');
export type SkipToken = typeof skipToken;
