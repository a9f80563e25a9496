import { resourceError } from '../errors.js';
import { isRecord } from '../schema/Schema.js';
import type { AnyEndpoint, PollFrequency } from './endpoint.js';

/**
 * What an action tells of the request it is about; plain.
 *
 * @example
 * const describe = ({ endpointName, key }: RequestArg) => `${endpointName}: ${key}`;
 */
export interface RequestArg<Args = readonly unknown[]> {
  /** The name of the endpoint. */
  readonly endpointName: string;
  /** What tells the request from others of the endpoint. */
  readonly key: string;
  /** The arguments, made plain: a Date is its ISO string, FormData an object. */
  readonly args: Args;
}

/**
 * What the actions of a request hold, as far as types go.
 *
 * @example
 * type OfLogin = ActionTypes & { readonly errorData: { readonly hint: string } };
 */
export interface ActionTypes {
  /** The arguments, made plain. */
  readonly args: unknown;
  /** The processed response. */
  readonly payload: unknown;
  /** The body of an error response. */
  readonly errorData: unknown;
}

/**
 * The promise of one dispatched request; it never rejects, and resolves with the fulfilled or the rejected action.
 *
 * @example
 * const promise: RequestPromise<Todo> = dispatch(TodoResource.get({ id }));
 * promise.abort('not needed');
 */
export interface RequestPromise<Value, Types extends ActionTypes = ActionTypes> extends Promise<SettledAction<Types>> {
  /** Tells the request from all others. */
  readonly requestId: string;
  /** What the request is: `meta.arg` of its actions. */
  readonly arg: RequestArg<ArgsIn<Types>>;
  /** Cancels the request, unless others wait for it too; then this caller alone stops waiting. */
  abort(reason?: string): void;
  /** The value, as the selector gives it; rejects with the original error. */
  unwrap(): Promise<Value>;
}

/**
 * An error as an action and the state hold it.
 *
 * @example
 * const textOf = ({ status, message }: SerializedFailure) => (status === 404 ? 'There is none.' : message);
 */
export interface SerializedFailure<Data = unknown> {
  /** `NetworkError`, `AbortError`, or what the error is called. */
  readonly name: string;
  /** What happened. */
  readonly message: string;
  /** Where it was made, in development. */
  readonly stack?: string;
  /** The code of a ResourceError. */
  readonly code?: string;
  /** The HTTP status; absent when there was no answer. */
  readonly status?: number;
  /** The address that was asked. */
  readonly url?: string;
  /** The parsed body of an error response. */
  readonly data?: Data;
}

/**
 * The action that ends a request: `if (action.error)` tells whether it has an error or the payload of the endpoint.
 *
 * @example
 * const action = await dispatch(TodoResource.get({ id }));
 * if (action.error) action.error.status;
 * else action.payload.title;
 */
export type SettledAction<Types extends ActionTypes = ActionTypes> =
  | {
      /** `${typePrefix}/fulfilled`. */
      readonly type: string;
      /** The processed response. */
      readonly payload: Types['payload'];
      /** There is none. */
      readonly error?: undefined;
      /** The request, and how it ended. */
      readonly meta: SettledMeta<ArgsIn<Types>, 'fulfilled'>;
    }
  | {
      /** `${typePrefix}/rejected`. */
      readonly type: string;
      /** There is none. */
      readonly payload?: undefined;
      /** Why the request failed. */
      readonly error: SerializedFailure<Types['errorData']>;
      /** The request, and how it ended. */
      readonly meta: SettledMeta<ArgsIn<Types>, 'rejected'>;
    };

/** The arguments that actions hold; some, where nothing says which. */
type ArgsIn<Types extends ActionTypes> = Types['args'] extends readonly unknown[] ? Types['args'] : readonly unknown[];

/** What every action of a request carries. */
export interface RequestMeta<Args = readonly unknown[]> {
  readonly requestId: string;
  readonly requestStatus: 'pending' | 'fulfilled' | 'rejected';
  readonly arg: RequestArg<Args>;
  /** When the request was made, in ms since the epoch. */
  readonly startedTimeStamp: number;
  /** When the request was made, on the clock of the store. */
  readonly seq: number;
}

/** The request that an action ends, and how. */
interface SettledMeta<Args, Status extends RequestMeta['requestStatus']> extends RequestMeta<Args> {
  readonly requestStatus: Status;
  readonly aborted?: boolean;
  readonly condition?: boolean;
}

/**
 * Why a request was made that nobody has dispatched: somebody subscribed, it was time to poll, the app is seen again, the network is there again, its
 * data is stale, or its failure was forgiven (`useResetFailures`).
 *
 * @example
 * const isPoll = ({ meta }: PendingAction) => meta.cause === 'poll';
 */
export type Cause = 'subscribe' | 'poll' | 'focus' | 'online' | 'expired' | 'retry';

/** What runs requests in one store. */
export interface Runner {
  /** Whether its slice is in the state: it may still be to be injected. */
  readonly isMounted: boolean;
  run<Value, Types extends ActionTypes>(request: Request<Value, Types>, extra: unknown): RequestPromise<Value, Types>;
  subscribe(endpoint: AnyEndpoint, args: readonly unknown[], extra: unknown, options?: MountOptions): Subscription;
  /**
   * Whether it is fetched for who begins to read it, where its state does not tell: its failure is over, or others have brought it too long ago; 'retry',
   * if its failure was forgiven.
   */
  isDue(endpoint: AnyEndpoint, args: readonly unknown[]): Cause | boolean;
  /** What has failed by now may be asked for again at once. */
  resetFailures(): void;
  /** Asks anew how often to poll where that depends on data. */
  repoll(): void;
  /** Whether a write is in the outbox, and not under way; undefined in a store without one. */
  readonly isPaused: ((requestId: string) => boolean) | undefined;
  /** Tells a function of each reset, until what it gives is called. */
  onReset(listener: () => void): () => void;
  /** Notes an endpoint: the state knows it by name only, and what its answers have brought, its schema tells. */
  meet(endpoint: AnyEndpoint): void;
}

/**
 * Keeps data alive until it is ended.
 *
 * @example
 * const subscription: Subscription = dispatch(TodoResource.get.subscribe({ id }));
 * subscription.unsubscribe();
 */
export interface Subscription {
  /** Ends it. */
  unsubscribe(): void;
}

/** How a subscriber differs from others of the same endpoint. */
export interface SubscribeOptions {
  /** In ms, or by what the data is; `false` or 0 for never. */
  readonly pollFrequency?: PollFrequency | undefined;
  /** Whether to fetch as it begins: what is stale, unless given; all, or only what is not there at all. */
  readonly refetch?: boolean | 'always' | undefined;
}

/** How a component subscribes: with `'outdated'`, what was made stale is fetched as it begins, and what is not there, but not what time alone has made stale. */
export interface MountOptions extends Omit<SubscribeOptions, 'refetch'> {
  readonly refetch?: SubscribeOptions['refetch'] | 'outdated';
}

/**
 * A thunk that knows its endpoint; dispatching it runs it.
 *
 * @example
 * const request: Request<Todo> = TodoResource.get({ id });
 * dispatch(request);
 */
export interface Request<Value = unknown, Types extends ActionTypes = ActionTypes> {
  (dispatch: (action: never) => unknown, getState: () => unknown, extra: unknown): RequestPromise<Value, Types>;
  /** What it is a request of. */
  readonly endpoint: AnyEndpoint<Value>;
  /** What the endpoint was called with. */
  readonly args: readonly unknown[];
  /** Whether fresh data is answer enough. */
  readonly ifStale: boolean;
  /** Whether what it brings goes again if nobody comes for it. */
  readonly isPrefetch: boolean;
  /** Whether a list is fetched with all the pages that it is made of; without, it begins anew with one. */
  readonly allPages: boolean;
  /** Why it is made, where nobody has dispatched it. */
  readonly cause?: Cause | undefined;
}

/**
 * A request that changes something on the server.
 *
 * @example
 * const request: WriteRequest<Todo> = TodoResource.partialUpdate({ id }, { completed: true });
 */
export interface WriteRequest<Value = unknown, Types extends ActionTypes = ActionTypes> extends Request<Value, Types> {
  /** Carries the type alone: only reads may be subscribed to. */
  readonly writes?: true;
}

/**
 * What a dispatch takes beside thunks: a request of one endpoint or of another.
 *
 * @example
 * const load = (dispatch: RequestDispatch, all: boolean) => dispatch(all ? TodoResource.getList() : TodoResource.get({ id }));
 */
export type RequestDispatch = <R extends Request>(request: R) => ReturnType<R>;

/** Where the promise of a request has what tells of its end without the delay of a promise. */
export const onEnd = Symbol('on end');

/** The first act of every request: our middleware swallows it, and answers with what runs requests in its store. */
export const connect = { type: 'rtk-resource/connect' } as const;

const runners = new WeakSet();

/** Marks an object as what the middleware answers with. */
export function registerRunner(runner: Runner): void {
  runners.add(runner);
}

/** What runs requests behind a dispatch, once it is known: to ask costs a dispatch. */
const connected = new WeakMap<object, Runner>();

/** Finds what runs requests behind a dispatch; throws R1 when no middleware of ours is there. */
export function connectTo(dispatch: (action: never) => unknown, name: string): Runner {
  const known = connected.get(dispatch);
  if (known) return known;
  // A store's dispatch takes any action; that ours takes `never` only keeps the thunk assignable everywhere.
  const answer = (dispatch as (action: typeof connect) => unknown)(connect);
  if (typeof answer !== 'object' || answer === null || !runners.has(answer))
    throw resourceError(isRecord(answer) && 'run' in answer ? 'R21' : 'R1', name);
  const runner = answer as Runner;
  if (runner.isMounted) connected.set(dispatch, runner);
  return runner;
}

/** How a request is answered, where not simply by the server. */
type RequestOptions = Partial<Pick<Request, 'ifStale' | 'isPrefetch' | 'allPages' | 'cause'>>;

/** Makes a request. */
export function makeRequest<Value, Types extends ActionTypes = ActionTypes>(
  endpoint: AnyEndpoint<Value>,
  args: readonly unknown[],
  { ifStale = false, isPrefetch = false, allPages = ifStale, cause }: RequestOptions = {},
): Request<Value, Types> {
  const request: Request<Value, Types> = Object.assign(
    (dispatch: (action: never) => unknown, _getState: () => unknown, extra: unknown) =>
      connectTo(dispatch, endpoint.name).run<Value, Types>(request, extra),
    { endpoint, args, ifStale, isPrefetch, allPages, cause },
  );
  return request;
}

/** Makes a thunk that subscribes. Throws R23 for a write. */
export function makeSubscribe(endpoint: AnyEndpoint, args: readonly unknown[], options?: MountOptions) {
  assertRead(endpoint);
  return (dispatch: (action: never) => unknown, _getState: () => unknown, extra: unknown): Subscription =>
    connectTo(dispatch, endpoint.name).subscribe(endpoint, args, extra, options);
}

/** What is subscribed to is sent whenever it is stale. Throws R23 for a write. */
export function assertRead({ name, sideEffect }: Pick<AnyEndpoint, 'name' | 'sideEffect'>): void {
  if (sideEffect) throw resourceError('R23', name);
}
