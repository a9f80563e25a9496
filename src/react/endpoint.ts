import type { ErrorCarrier } from '../store/endpoint.js';
import type { ActionTypes, Request } from '../store/request.js';
import type { RequestState } from '../store/reading/requestState.js';

/**
 * An endpoint as far as it is called.
 *
 * @example
 * const useSave = <Value,>(endpoint: HookEndpoint<[{ id: number }], Value>) => useMutation(endpoint);
 */
export interface HookEndpoint<
  Args extends readonly unknown[],
  Value,
  ErrorData = unknown,
  Types extends ActionTypes = ActionTypes,
> extends ErrorCarrier<ErrorData> {
  (...args: Args): Request<Value, Types>;
  /** The prefix of its action types. */
  readonly name: string;
  /** Whether a request changes something on the server. */
  readonly sideEffect: boolean;
  /** What tells one request from another. */
  key(...args: Args): string;
}

/**
 * A request that changes nothing on the server.
 *
 * @example
 * const useValue = <Value,>(request: ReadRequest<Value>) => useResource(request).data;
 * const todo = useValue(TodoResource.get({ id }));
 */
export type ReadRequest<
  Value,
  ErrorData = unknown,
  Types extends ActionTypes = ActionTypes & { readonly errorData: ErrorData },
> = Request<Value, Types> & { readonly writes?: never };

/**
 * An endpoint whose requests change nothing on the server.
 *
 * @example
 * const useOne = <Value,>(endpoint: ReadEndpoint<[{ id: number }], Value>) => useResource(endpoint, { id }).data;
 * const todo = useOne(TodoResource.get);
 */
export interface ReadEndpoint<
  Args extends readonly unknown[],
  Value,
  ErrorData = unknown,
  Types extends ActionTypes = ActionTypes & { readonly errorData: ErrorData },
> extends HookEndpoint<Args, Value, ErrorData, Types> {
  (...args: Args): ReadRequest<Value, ErrorData, Types>;
  /** A request that goes to the network only when the data is missing, stale or invalidated. */
  ifStale(...args: Args): Request<Value>;
  /** Like `ifStale`, for what may never be shown. */
  prefetch(...args: Args): Request<Value>;
  /** Reads how the request stands. */
  selectRequest(...args: Args): (rootState: never) => RequestState<Value, ErrorData>;
}

/** The arguments of an endpoint, also where it is that of a generic function; of several, those that each of them takes. */
export type ArgsIn<Each> = [Each] extends [(...args: infer Args extends readonly unknown[]) => unknown] ? Args : never;

/** An endpoint, and its arguments, to be inferred: of one whose schema is a type parameter, `ArgsIn` is told only outside of the generic function. */
export type Called<Each, Args extends readonly unknown[]> = Each & ((...args: Args) => unknown);

/** Arguments that the endpoint alone tells: nothing is inferred from what is given, so that what is too much there is an error. */
export type Told<Args> = [Args][Args extends unknown ? 0 : never];

/** The actions of an endpoint, or of several. */
export type TypesIn<Each> = Each extends (...args: never) => Request<unknown, infer Types> ? Types : never;

/** The body of an error response of an endpoint, or of several. */
export type ErrorIn<Each> = Each extends ErrorCarrier<infer ErrorData> ? ErrorData : never;

/**
 * The endpoint of a list that is read page by page.
 *
 * @example
 * const useAll = <Value,>(endpoint: PagedEndpoint<[], Value>) => useInfiniteResource(endpoint).data;
 */
export interface PagedEndpoint<
  Args extends readonly unknown[],
  Value,
  ErrorData = unknown,
  Types extends ActionTypes = ActionTypes & { readonly errorData: ErrorData },
> extends ReadEndpoint<Args, Value, ErrorData, Types> {
  /** Reads the page after the last. */
  getNextPage(...args: never): Request;
  /** Reads the page before the first. */
  getPreviousPage(...args: never): Request;
}

/**
 * In place of arguments, or of a request: nothing is to be read yet.
 *
 * @example
 * const { data } = useResource(TodoResource.get, userId === undefined ? skipToken : { id: userId });
 */
export const skipToken: unique symbol = Symbol.for('rtk-resource/skip');

/**
 * The type of {@link skipToken}.
 *
 * @example
 * const args: { id: number } | SkipToken = skipToken;
 */
export type SkipToken = typeof skipToken;
