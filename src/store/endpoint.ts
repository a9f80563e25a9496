import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { resourceError } from '../errors.js';
import { isRecord, type Definition } from '../schema/Schema.js';
import type { Snapshot } from './reading/snapshot.js';

/**
 * What the hooks of one request may use of the store that runs it.
 *
 * @example
 * const getHeaders = (headers: Record<string, string>, api?: HookApi) => ({ ...headers, 'Idempotency-Key': api?.requestId ?? '' });
 */
export interface HookApi {
  /** The state of the store. */
  readonly getState: () => unknown;
  /** Dispatches actions, thunks and requests in that store. */
  readonly dispatch: ThunkDispatch<unknown, unknown, UnknownAction>;
  /** The `extraArgument` of the store's thunk middleware. */
  readonly extra: unknown;
  /** Aborted with the request. */
  readonly signal: AbortSignal;
  /** Tells this request from all others. */
  readonly requestId: string;
  /** How long the request may take, in ms. */
  readonly timeout?: number | undefined;
}

/**
 * How long data and requests last, all in ms.
 *
 * @example
 * const live: Partial<Lifetimes> = { pollFrequency: 5_000, dataExpiryLength: 1_000 };
 * const getLive = TodoResource.get.extend(live);
 */
export interface Lifetimes {
  /** How long an answer is fresh. */
  readonly dataExpiryLength: number;
  /** How long a failure is not tried again by `ifStale`. */
  readonly errorExpiryLength: number;
  /** How long data stays that nobody is subscribed to any more. */
  readonly unusedDataExpiryLength: number;
  /** How often subscribers have it fetched; never, when absent. */
  readonly pollFrequency: number | undefined;
  /** Whether stale data counts as missing. */
  readonly invalidIfStale: boolean;
  /** How long a request may take each time that it is sent, from its hooks to its answer; for ever, when absent or 0. */
  readonly timeout: number | undefined;
}

/** How long data and requests last, as far as an endpoint says it itself. */
export type OpenLifetimes = { readonly [Name in keyof Lifetimes]?: Lifetimes[Name] | undefined };

/** The response that is expected of a write, and how much of it may be shown before it came. */
export interface Expectation {
  readonly response: unknown;
  /** The fields that the request is about; all, when absent. */
  readonly fields?: ReadonlySet<string>;
  /** Whether only an entity that is there is changed. */
  readonly existing?: boolean;
  /** Whether items without a pk get a temporary one. */
  readonly creates?: boolean;
  /** Whether it depends on nothing but the arguments, so that it need not be asked for again. */
  readonly constant?: boolean;
  /** Whether it was computed of what was there: a read that may have counted it in already waits with its rows. */
  readonly holdsRows?: boolean;
}

/** What came of the hooks of one request. */
export interface RunResult {
  readonly response: unknown;
  /** Whether the response is never kept: text, files and streams are the caller's alone. */
  readonly isOpaque: boolean;
  /** Whether it is as JSON gives it, so that nobody need check that it is plain. */
  readonly isJson: boolean;
}

/** Where an endpoint keeps what only the store asks of it: an editor does not list it, and no member of a user's class can meet it. */
export const protocol: unique symbol = Symbol('rtk-resource/protocol');

/** What the store asks of an endpoint to run its requests. */
export interface EndpointProtocol {
  /** The arguments without what no request is made of: of an object that is not plain, what the address names. */
  plainArgs(args: readonly unknown[]): readonly unknown[];
  /** Gets the response; runs the user's hooks. */
  run(args: readonly unknown[], api: HookApi): Promise<RunResult>;
  /** What to show until the response is there; undefined for nothing. */
  expect(args: readonly unknown[], snapshot: Snapshot): Expectation | undefined;
  /** What a write tries to change, shown or not; undefined where it does not tell. */
  attempted(args: readonly unknown[]): Expectation | undefined;
  /** What an empty answer to a write confirms; undefined when it tells nothing. */
  confirmed(args: readonly unknown[], snapshot: Snapshot): Expectation | undefined;
  /** The fields that the body of a write names; undefined where it has none. */
  named(args: readonly unknown[]): readonly string[] | undefined;
  /** What a request waits in line for: those of one line are sent one after the other; undefined where it need not wait. */
  line(args: readonly unknown[]): string | undefined;
  /** What a write changes on the server beside what it answers. */
  invalidated(args: readonly unknown[], response: unknown): readonly RequestFilter[];
}

/** Carries the type of what an endpoint gives; nothing is there. */
export declare const VALUE: unique symbol;
declare const ERROR_DATA: unique symbol;
/**
 * Carries the type of the body of an error response; nothing is there.
 *
 * @example
 * const problemOf = <Data,>(_endpoint: ErrorCarrier<Data>, data: Data) => data;
 */
export interface ErrorCarrier<ErrorData> {
  readonly [ERROR_DATA]?: ErrorData;
}

/**
 * An endpoint, whatever its arguments: all that the store knows of it, whichever protocol it speaks.
 *
 * @example
 * const nameOf = (endpoint: AnyEndpoint) => endpoint.name;
 * nameOf(TodoResource.get); // 'Todo/get'
 */
export interface AnyEndpoint<Value = unknown> extends OpenLifetimes {
  /** Unique among the endpoints of a store; the prefix of action types. */
  readonly name: string;
  /** What it asks for, in words: what tells it from another of its name. */
  readonly definition?: string;
  /** What its response is described by. */
  readonly schema: Definition;
  /** Whether a request changes something on the server; such are never joined. */
  readonly sideEffect: boolean;
  /** What tells one request of the endpoint from another. */
  key(...args: readonly unknown[]): string;
  /** The read whose answer this one adds to, as a page does, and that read's key for the arguments of this one. */
  readonly pageOf?: PageOf | undefined;
  /** Of a read that gives a list page by page: how its pages follow each other. */
  readonly paging?: Paging | undefined;
  readonly [protocol]: EndpointProtocol;
  readonly [VALUE]?: Value;
}

/** The list that a page belongs to. */
export interface PageOf {
  readonly endpoint: AnyEndpoint;
  key(...args: readonly unknown[]): string;
  /** Which page it is, where the caller does not say: the one after the last, or before the first. */
  readonly turn?: 'next' | 'previous';
}

/** How the pages of a list follow each other. */
export interface Paging {
  /** Whether only the answer to a page tells how to ask for the next. */
  readonly isByCursor: boolean;
  /** The most pages that a list is made of. */
  readonly maxPages?: number | undefined;
  /** The arguments of the list, of those of one of its pages; the very same where they are so already. */
  listArgs(args: readonly unknown[]): readonly unknown[];
  /** The arguments of the page after one; `isNews` tells whether that one brought anything. */
  next?: ((answer: unknown, args: readonly unknown[], isNews: boolean) => readonly unknown[] | undefined) | undefined;
  /** The arguments of the page before one. */
  previous?: ((answer: unknown, args: readonly unknown[]) => readonly unknown[] | undefined) | undefined;
}

/**
 * Which requests something is about: one, or all of an endpoint.
 *
 * @example
 * const ofAll: RequestFilter = { name: TodoResource.get.name };
 * const ofOne: RequestFilter = { name: TodoResource.get.name, key: TodoResource.get.key({ id }) };
 */
export interface RequestFilter {
  /** The name of the endpoint. */
  readonly name: string;
  /** Absent for all arguments. */
  readonly key?: string;
}

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
 * The promise of one dispatched request; it never rejects, and resolves with the fulfilled or the rejected action.
 *
 * @example
 * const promise: RequestPromise<Todo> = dispatch(TodoResource.get({ id }));
 * promise.abort('not needed');
 */
export interface RequestPromise<Value> extends Promise<SettledAction> {
  /** Tells the request from all others. */
  readonly requestId: string;
  /** What the request is: `meta.arg` of its actions. */
  readonly arg: RequestArg;
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
 * The action that ends a request.
 *
 * @example
 * const action: SettledAction = await dispatch(TodoResource.get({ id }));
 * if (action.meta.requestStatus === 'rejected') action.error?.status;
 */
export interface SettledAction extends UnknownAction {
  /** `${typePrefix}/fulfilled` or `${typePrefix}/rejected`. */
  readonly type: string;
  /** The processed response. */
  readonly payload?: unknown;
  /** Why the request failed. */
  readonly error?: SerializedFailure;
  /** The request, and how it ended. */
  readonly meta: {
    readonly requestId: string;
    readonly requestStatus: 'fulfilled' | 'rejected';
    readonly arg: RequestArg;
    readonly aborted?: boolean;
    readonly condition?: boolean;
  };
}

/** What runs requests in one store. */
export interface Runner {
  run<Value>(request: Request<Value>, extra: unknown): RequestPromise<Value>;
  subscribe(endpoint: AnyEndpoint, args: readonly unknown[], extra: unknown, options?: SubscribeOptions): Subscription;
  /** What has failed by now may be asked for again at once. */
  resetFailures(): void;
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
  /** In ms; 0 for never. */
  readonly pollFrequency?: number | undefined;
  /** Whether to fetch as it begins: what is stale, unless given; all, or only what is not there at all. */
  readonly refetch?: boolean | 'always' | undefined;
}

/**
 * A thunk that knows its endpoint; dispatching it runs it.
 *
 * @example
 * const request: Request<Todo> = TodoResource.get({ id });
 * dispatch(request);
 */
export interface Request<Value = unknown> {
  (dispatch: (action: never) => unknown, getState: () => unknown, extra: unknown): RequestPromise<Value>;
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
}

/**
 * A request that changes something on the server.
 *
 * @example
 * const request: WriteRequest<Todo> = TodoResource.partialUpdate({ id }, { completed: true });
 */
export interface WriteRequest<Value = unknown> extends Request<Value> {
  /** Carries the type alone: only reads may be subscribed to. */
  readonly writes?: true;
}

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
  connected.set(dispatch, answer as Runner);
  return answer as Runner;
}

/** How a request is answered, where not simply by the server. */
type RequestOptions = Partial<Pick<Request, 'ifStale' | 'isPrefetch' | 'allPages'>>;

/** Makes a request. */
export function makeRequest<Value>(
  endpoint: AnyEndpoint<Value>,
  args: readonly unknown[],
  { ifStale = false, isPrefetch = false, allPages = ifStale }: RequestOptions = {},
): Request<Value> {
  const request: Request<Value> = Object.assign(
    (dispatch: (action: never) => unknown, _getState: () => unknown, extra: unknown) =>
      connectTo(dispatch, endpoint.name).run(request, extra),
    { endpoint, args, ifStale, isPrefetch, allPages },
  );
  return request;
}

/** The arguments of a request, without what it is not made of. */
export function plainArgs(endpoint: AnyEndpoint, args: readonly unknown[]): readonly unknown[] {
  return endpoint[protocol].plainArgs(args);
}

/** The same request without what it is not made of. */
export function withPlainArgs<Value>(request: Request<Value>): Request<Value> {
  const { endpoint, args } = request;
  const plain = plainArgs(endpoint, args);
  return plain === args ? request : makeRequest(endpoint, plain, request);
}

/** The same request for data that is shown: of a list, every page that it is made of is fetched again. */
export function refetchOf<Value>({ endpoint, args }: Request<Value>): Request<Value> {
  return makeRequest(endpoint, args, { allPages: true });
}

/** Makes a thunk that subscribes. Throws R23 for a write. */
export function makeSubscribe(endpoint: AnyEndpoint, args: readonly unknown[], options?: SubscribeOptions) {
  assertRead(endpoint);
  return (dispatch: (action: never) => unknown, _getState: () => unknown, extra: unknown): Subscription =>
    connectTo(dispatch, endpoint.name).subscribe(endpoint, args, extra, options);
}

/** What is subscribed to is sent whenever it is stale. Throws R23 for a write. */
export function assertRead({ name, sideEffect }: Pick<AnyEndpoint, 'name' | 'sideEffect'>): void {
  if (sideEffect) throw resourceError('R23', name);
}
