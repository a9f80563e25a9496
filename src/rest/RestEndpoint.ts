import { createAction, isAnyOf, type UnknownAction } from '@reduxjs/toolkit';
import { resourceError } from '../errors.js';
import type { ValueOf } from '../schema/infer.js';
import { isPlain } from '../schema/Schema.js';
import type { FulfilledAction, PendingAction, RejectedAction } from '../store/actions.js';
import { lifetimesOf } from '../store/freshness.js';
import type { Snapshot } from '../store/snapshot.js';
import {
  makeRequest,
  makeSubscribe,
  type Expectation,
  type HookApi,
  type Lifetimes,
  type Request,
  type RunResult,
  type Subscription,
} from '../store/request.js';
import { selectAnswer, selectState, sliceOf, type RequestState } from '../store/selectors.js';
import type { ResourcesState } from '../store/state.js';
import { effectOf, expectation } from './expectation.js';
import {
  anySignal,
  parse,
  plainHeaders,
  requestInit,
  searchToString,
  send,
  withoutNames,
  type Content,
} from './hooks.js';
import type { ArgsOf, EndpointShape, HookArgs, ParamsOf, WireOf } from './infer.js';
import { addListMembers } from './listMembers.js';
import { compilePath } from './path.js';

/** The steps of one request that options may override; `this` is the endpoint. */
export interface EndpointHooks {
  key?(...args: readonly unknown[]): string;
  url?(params?: object): string;
  searchToString?(params: Readonly<Record<string, unknown>>): string;
  getRequestInit?(body: unknown, api?: HookApi): RequestInit | Promise<RequestInit>;
  getHeaders?(headers: Record<string, string>, api?: HookApi): HeadersInit | Promise<HeadersInit>;
  fetchResponse?(input: string, init: RequestInit): Promise<Response>;
  parseResponse?(response: Response): Promise<unknown>;
  process?(value: unknown, params: unknown, body?: unknown): unknown;
  fetch?(...args: readonly unknown[]): Promise<unknown>;
  getOptimisticResponse?(snapshot: Snapshot, params: unknown, body?: unknown): unknown;
  testKey?(key: string): boolean;
}

/** What an endpoint may be given beside its address. */
export interface EndpointSettings extends Partial<Lifetimes> {
  readonly urlPrefix?: string | undefined;
  /** Names the endpoint in actions and in the state; made of its schema and method, unless given. */
  readonly name?: string | undefined;
  /** Whether a request changes something on the server; all but GET do, unless said otherwise. */
  readonly sideEffect?: boolean | undefined;
  /** Whether a write shows its effect before it is confirmed. */
  readonly optimistic?: boolean | undefined;
  readonly content?: Content | undefined;
  /** What every request of the endpoint starts from: credentials, mode, cache, … */
  readonly requestInit?: RequestInit | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly paginationField?: string | undefined;
}

/** What makes an endpoint. */
export interface EndpointOptions<Path extends string = string, Search = unknown, Body = unknown, S = unknown>
  extends EndpointSettings, EndpointHooks {
  readonly path: Path;
  readonly method?: string | undefined;
  readonly searchParams?: Search;
  readonly body?: Body;
  readonly schema?: S;
  /** Of a list: where one item of it is, which is where `move` is sent. */
  readonly itemPath?: string | undefined;
  /** Of a page: the list that it is a page of. */
  readonly pageOf?: { readonly name: string; key(...args: readonly unknown[]): string } | undefined;
}

/** An action creator that tells its actions from others; usable in addCase, addMatcher, startListening and isAnyOf. */
export interface ActionMatcher<A extends UnknownAction> {
  (payload?: unknown): A;
  readonly type: A['type'];
  match(action: unknown): action is A;
}

const OPTIONS = Symbol('options');
const API = Symbol('api');
const PARSED = Symbol('parsed');

interface Internal {
  [OPTIONS]: EndpointOptions;
  [API]?: HookApi;
  [PARSED]?: boolean;
}

/** Makes requests of one kind to a REST server. Call it with its arguments, and dispatch what it gives. */
// The class below makes functions; this is their call signature.

export interface RestEndpoint<E extends EndpointShape = EndpointShape> {
  (...args: ArgsOf<E>): Request<ValueOf<E['schema']>>;
}

// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export class RestEndpoint<E extends EndpointShape = EndpointShape> {
  declare readonly path: E['path'];
  declare readonly method: string;
  declare readonly urlPrefix: string;
  declare readonly schema: E['schema'];
  declare readonly name: string;
  declare readonly sideEffect: boolean;
  declare readonly optimistic: boolean | undefined;
  declare readonly content: Content | undefined;
  declare readonly requestInit: RequestInit | undefined;
  declare readonly signal: AbortSignal | undefined;
  declare readonly paginationField: string | undefined;
  declare readonly dataExpiryLength: number | undefined;
  declare readonly errorExpiryLength: number | undefined;
  declare readonly unusedDataExpiryLength: number | undefined;
  declare readonly pollFrequency: number | undefined;
  declare readonly invalidIfStale: boolean | undefined;
  /** What to show until the answer is there; undefined, or a thrown `snapshot.abort`, for nothing. */
  declare getOptimisticResponse?: (snapshot: Snapshot, ...args: HookArgs<E>) => unknown;
  /** The type of the value alone. */
  declare readonly value?: ValueOf<E['schema']>;

  constructor(options: EndpointOptions<E['path'], unknown, unknown, E['schema']>) {
    const self: RestEndpoint<E> = makeCallable(new.target.prototype as RestEndpoint<E>, (args): unknown => {
      const [first, second] = args;
      // Dispatched as if it was a thunk: thunks get dispatch and getState.
      if (typeof first === 'function' && typeof second === 'function') throw resourceError('R8', self.name);
      return makeRequest(applyOptions(self), args);
    });
    Object.defineProperty(self, OPTIONS, { value: Object.freeze({ ...options }) });
    return applyOptions(self);
  }

  /** The prefix of its action types. */
  get typePrefix(): string {
    return this.name;
  }

  get lifetimes(): Partial<Lifetimes> {
    const names = [
      'dataExpiryLength',
      'errorExpiryLength',
      'unusedDataExpiryLength',
      'pollFrequency',
      'invalidIfStale',
    ] as const;
    return Object.fromEntries(names.filter((name) => this[name] !== undefined).map((name) => [name, this[name]]));
  }

  /** A new endpoint with other options; this one is untouched. */
  extend(options: Partial<EndpointOptions>): RestEndpoint {
    // Whatever class made this endpoint makes the next one, and takes the same options.
    const Class = this.constructor as new (options: EndpointOptions) => RestEndpoint;
    return applyOptions(new Class({ ...optionsOf(this), ...options }));
  }

  /** A request that goes to the network only when the data is missing, stale or invalidated. */
  ifStale(...args: ArgsOf<E>): Request<ValueOf<E['schema']>> {
    return makeRequest(this, args, true);
  }

  /** A thunk that keeps data alive and fresh until it is unsubscribed. */
  subscribe(
    ...args: ArgsOf<E>
  ): (dispatch: (action: never) => unknown, getState: () => unknown, extra: unknown) => Subscription {
    return makeSubscribe(this, args);
  }

  /** Reads the value from `state.resources`; the same data is the same object. */
  select(...args: ArgsOf<E>): (rootState: { readonly resources: ResourcesState }) => ValueOf<E['schema']> | undefined {
    const selector = selectAnswer(this, args);
    // The schema says what its value is.
    return (rootState) => selector(sliceOf(rootState, 'resources')) as ValueOf<E['schema']> | undefined;
  }

  /** Reads from `state.resources` how the request stands. */
  selectRequest(
    ...args: ArgsOf<E>
  ): (rootState: { readonly resources: ResourcesState }) => RequestState<ValueOf<E['schema']>> {
    const selector = selectState(this, args, (endpoint) => lifetimesOf(endpoint, {}));
    return (rootState) => selector(sliceOf(rootState, 'resources')) as RequestState<ValueOf<E['schema']>>;
  }

  get pending(): ActionMatcher<PendingAction> {
    return creator(this.typePrefix, 'pending');
  }

  get fulfilled(): ActionMatcher<FulfilledAction<WireOf<E['schema']>>> {
    return creator(this.typePrefix, 'fulfilled');
  }

  get rejected(): ActionMatcher<RejectedAction> {
    return creator(this.typePrefix, 'rejected');
  }

  /** Matches what ends a request, whichever way. */
  get settled(): (action: unknown) => action is FulfilledAction<WireOf<E['schema']>> | RejectedAction {
    return isAnyOf(this.fulfilled, this.rejected);
  }

  /** What tells one request from another: the method and the URL, and for a read that has a body, the body. */
  key(...args: ArgsOf<E>): string {
    const [params, body] = this.split(args);
    const address = `${this.method} ${this.url(params as ParamsOf<E>)}`;
    return this.sideEffect || body === undefined ? address : `${address} ${JSON.stringify(body)}`;
  }

  /** Whether a key is of this endpoint. */
  testKey(key: string): boolean {
    const [method, url = ''] = key.split(' ', 2);
    return method === this.method && compilePath(this.path).matches(url.slice(this.urlPrefix.length));
  }

  /** The address of a request. Throws R3 for a missing path parameter, R12 for one that leads elsewhere. */
  url(params?: ParamsOf<E>): string {
    const path = compilePath(this.path);
    const given: Readonly<Record<string, unknown>> = isPlain(params) ? params : {};
    const address = `${this.urlPrefix}${path.fill(given, this.name)}`;
    const query = this.searchToString(withoutNames(given, path.names));
    return query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`;
  }

  /** The query string, of what the path does not name. */
  searchToString(params: Readonly<Record<string, unknown>>): string {
    return searchToString(params, this.name);
  }

  /** What is sent beside the address. */

  getRequestInit(body: unknown, _api?: HookApi): RequestInit | Promise<RequestInit> {
    const init = requestInit(this.method, body, this.content);
    const { requestInit: base } = this;
    return base
      ? { ...base, ...init, headers: { ...plainHeaders(base.headers), ...plainHeaders(init.headers) } }
      : init;
  }

  /** The headers, of those that the request has by now. */

  getHeaders(headers: Record<string, string>, _api?: HookApi): HeadersInit | Promise<HeadersInit> {
    return headers;
  }

  /** Sends the request. Throws a NetworkError when the answer is not ok, or there is none. */
  fetchResponse(input: string, init: RequestInit): Promise<Response> {
    return send(input, init);
  }

  /** Reads the body of the response. */
  async parseResponse(response: Response): Promise<unknown> {
    const { value, isJson } = await parse(response, this.content, this.schema !== undefined);
    (this as unknown as Internal)[PARSED] = isJson;
    return value;
  }

  /** Reshapes the parsed response; what it returns is normalized. */

  process(value: unknown, ..._args: HookArgs<E>): unknown {
    return value;
  }

  /** The chain of one request, without a store: from the arguments to the processed response. */
  async fetch(...args: ArgsOf<E>): Promise<unknown> {
    const [params, body] = this.split(args);
    const api = (this as unknown as Internal)[API];
    const input = this.url(params as ParamsOf<E>);
    const init = await this.getRequestInit(body, api);
    const headers = await this.getHeaders(plainHeaders(init.headers), api);
    const signal = anySignal([init.signal, this.signal, api?.signal]);
    const response = await this.fetchResponse(input, { ...init, headers, ...(signal && { signal }) });
    return this.process(await this.parseResponse(response), ...([params, body] as HookArgs<E>));
  }

  /** Runs the chain for a store: on a `this` of its own, which holds what the hooks may use of the store. */
  async run(args: readonly unknown[], api: HookApi): Promise<RunResult> {
    // The request stands for the endpoint: all it does not have itself is the endpoint's.
    const self = makeCallable(applyOptions(this), (own) => this.call(own));
    const internal = self as unknown as Internal;
    internal[API] = api;
    const response = await self.fetch(...(args as ArgsOf<E>));
    const isParsed = internal[PARSED] ?? true;
    return { response: response ?? null, isOpaque: !isParsed, isJson: isParsed && usesStandardChain(this) };
  }

  /** What to show until the answer is there. */
  expect(args: readonly unknown[], snapshot: Snapshot): Expectation | undefined {
    const [params, body] = this.split(args);
    const { getOptimisticResponse } = this;
    if (!this.sideEffect) return undefined;
    if (getOptimisticResponse) {
      const response = getOptimisticResponse.call(this, snapshot, ...([params, body] as HookArgs<E>));
      return response === undefined ? undefined : { response, creates: true };
    }
    return this.optimistic ? expectation(this.method, this.schema, params, body) : undefined;
  }

  /** What an empty answer confirms: the fields that were sent. A create learns nothing from it; a deletion needs nothing. */
  confirmed(args: readonly unknown[]): Expectation | undefined {
    const [params, body] = this.split(args);
    const effect = effectOf(this.method, this.schema);
    if (this.schema === undefined || effect === 'create' || effect === 'delete') return undefined;
    return expectation(this.method, this.schema, params, body);
  }

  /** A request, of arguments that are known to fit. */
  private call(args: readonly unknown[]): Request<ValueOf<E['schema']>> {
    return makeRequest(this, args);
  }

  /** The list that a page is added to. */
  extends(args: readonly unknown[]): { readonly name: string; readonly key: string } | undefined {
    const { pageOf, paginationField = '' } = optionsOf(this);
    const [params, ...rest] = args;
    return pageOf && { name: pageOf.name, key: pageOf.key(withoutNames(params, new Set([paginationField])), ...rest) };
  }

  /** Parameters and body of a call: a single argument is the body where nothing else is needed. */
  protected split(args: readonly unknown[]): readonly [params: unknown, body: unknown] {
    const [first, second] = args;
    if (args.length === 1 && takesBody(this) && !compilePath(this.path).needsParams) return [{}, first];
    return [first ?? {}, second];
  }
}

/** A function with a prototype of our choice: what makes a class callable. */
function makeCallable<T extends object>(prototype: T, call: (args: readonly unknown[]) => unknown): T {
  const self = (...args: readonly unknown[]): unknown => call(args);
  // A function's own name and length would hide the endpoint's.
  Reflect.deleteProperty(self, 'name');
  Reflect.deleteProperty(self, 'length');
  return Object.setPrototypeOf(self, prototype) as T;
}

/** The options that an endpoint was made with. */
export function optionsOf(endpoint: object): EndpointOptions {
  return (endpoint as Internal)[OPTIONS];
}

/** Lets options win over the class fields of a subclass, which are set after the constructor that got the options. */
export function applyOptions<T extends object>(endpoint: T): T {
  const options = optionsOf(endpoint);
  const method = options.method ?? text(ownOr(endpoint, 'method')) ?? (options.body === undefined ? 'GET' : 'POST');
  const defaults = {
    method,
    urlPrefix: ownOr(endpoint, 'urlPrefix') ?? '',
    sideEffect: ownOr(endpoint, 'sideEffect') ?? method !== 'GET',
  };
  for (const [name, value] of Object.entries({ ...defaults, name: nameOf(options, method), ...options })) {
    if (value === undefined || name === 'body' || name === 'searchParams') continue;
    Object.defineProperty(endpoint, name, { value, writable: true, enumerable: true, configurable: true });
  }
  if (endpoint instanceof RestEndpoint) addListMembers(endpoint, options);
  return endpoint;
}

function ownOr(endpoint: object, name: string): unknown {
  return name in endpoint ? (endpoint as Record<string, unknown>)[name] : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function nameOf({ name, path }: EndpointOptions, method: string): string {
  return name ?? `${method} ${path}`;
}

function takesBody(endpoint: { readonly method: string }): boolean {
  const options = optionsOf(endpoint);
  if ('body' in options) return options.body !== undefined;
  return endpoint.method !== 'GET' && endpoint.method !== 'DELETE' && endpoint.method !== 'HEAD';
}

function usesStandardChain(endpoint: object): boolean {
  const { fetch, process, parseResponse } = RestEndpoint.prototype;
  const own = endpoint as RestEndpoint;
  return own.fetch === fetch && own.process === process && own.parseResponse === parseResponse;
}

const creators = new Map<string, unknown>();

/** The creator of one action type; made once, as reducers compare them by type and people by identity. */
function creator<A extends UnknownAction>(typePrefix: string, status: string): ActionMatcher<A> {
  const type = `${typePrefix}/${status}`;
  let known = creators.get(type);
  if (!known) {
    const byHand = { handMade: true, arg: { endpointName: typePrefix } };
    known = createAction(type, (payload: unknown) => ({ payload, meta: byHand }));
    creators.set(type, known);
  }
  // What is dispatched under this type, our middleware alone makes.
  return known as ActionMatcher<A>;
}
