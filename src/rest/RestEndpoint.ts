import { isAnyOf } from '@reduxjs/toolkit';
import { resourceError } from '../errors.js';
import type { Collection } from '../schema/Collection.js';
import type { ValueOf } from '../schema/infer.js';
import type { WireOf } from '../schema/wire.js';
import type { FulfilledAction, PendingAction, RejectedAction } from '../store/actions.js';
import type { Snapshot } from '../store/reading/snapshot.js';
import {
  protocol,
  type EndpointProtocol,
  type HookApi,
  type ErrorCarrier,
  type PollFrequency,
  type VALUE,
} from '../store/endpoint.js';
import { makeRequest, makeSubscribe, type Request, type Subscription, type WriteRequest } from '../store/request.js';
import { selectState, type RequestState } from '../store/reading/requestState.js';
import { selectAnswer, sliceOf } from '../store/reading/selectors.js';
import type { ResourcesState } from '../store/state.js';
import { toBody, withoutPromise } from '../store/running/plain.js';
import {
  assertOk,
  join,
  paramsIn,
  parse,
  plainHeaders,
  requestInit,
  searchToString,
  send,
  unchangedBy,
  warnOfHiddenTag,
  withMethod,
  withoutHeaders,
  withoutNames,
  withoutTags,
  withTag,
  type Content,
} from './hooks.js';
import type {
  Actions,
  CallArgs,
  BodyIn,
  BodyOf,
  CollectionIn,
  CreateBody,
  Declared,
  DefaultBody,
  EndpointShape,
  EndpointValue,
  Erring,
  ErrorDataOf,
  Flat,
  Given,
  HookArgs,
  ManyActions,
  ManyArgs,
  ItemOperation,
  ItemSchema,
  Override,
  ParamsOf,
  PartialBodyOf,
  PayloadOf,
  PlainArgs,
  ReadArgsOf,
  RequestIn,
  SameAs,
  ShapeOptions,
  Sound,
  Undeclared,
} from './infer.js';
import {
  API,
  argsOf,
  HEADERS,
  joinResource,
  MEMBERS,
  OPTIONS,
  optionsOf,
  PARSED,
  READY,
  splitArgs,
  UNCHANGED,
  type Internal,
  type SHAPE,
} from './internal.js';
import { addListMembers, type PageRequest } from './listMembers.js';
import { assertWanted, within } from './limits.js';
import { matcherOf, type RequestActionCreator } from './matchers.js';
import type { AnyRecipe, EndpointHooks, EndpointOptions, HooksOf, MemberSettings } from './options.js';
import { compilePath, type PathValue } from './path.js';
import { makeCallable, makeNamedCallable } from './callable.js';
import { protocolOf } from './protocol.js';
import type { Retry } from './retry.js';

/** What an endpoint has, but for being called. */
class EndpointBase<O extends ShapeOptions = EndpointShape> {
  declare readonly [protocol]: EndpointProtocol;
  /** The path, as it was given: `/todos/:id`. */
  declare readonly path: O['path'];
  /** The HTTP method; GET, or with a body POST, unless given. */
  declare readonly method: string;
  /** What stands before every path. */
  declare readonly urlPrefix: string;
  /** What describes the answer. */
  declare readonly schema: O['schema'];
  /** Its name in actions and in the state: `Todo/get`. */
  declare readonly name: string;
  /** Whether a request changes something on the server; such requests are never joined, and cannot be subscribed to. */
  declare readonly sideEffect: boolean;
  /** Whether a write shows its effect before it is confirmed. */
  declare readonly optimistic: boolean | AnyRecipe | undefined;
  /** How the body of an answer is read. */
  declare readonly content: Content | undefined;
  /** What every request of the endpoint starts from: credentials, mode, cache, … */
  declare readonly requestInit: RequestInit | undefined;
  /** Ends all requests of the endpoint. */
  declare readonly signal: AbortSignal | undefined;
  /** Whether the tags are heeded that the server gives its answers. */
  declare readonly etag: boolean | undefined;
  /** Decides where a write is refused because somebody else has changed the same fields. */
  declare onConflict?: HooksOf<O>['onConflict'];
  /** Of a list: the search parameter that asks for a page. */
  declare readonly paginationField: string | undefined;
  /** How long an answer is fresh, in ms. */
  declare readonly dataExpiryLength: number | undefined;
  /** How long a failure is not tried again by `ifStale` and subscribers, in ms. */
  declare readonly errorExpiryLength: number | undefined;
  /** How long data stays that nobody is subscribed to any more, in ms. */
  declare readonly unusedDataExpiryLength: number | undefined;
  /** How often subscribers have it fetched, in ms, or by what the data is. */
  declare readonly pollFrequency: PollFrequency | undefined;
  /** Whether stale data counts as missing. */
  declare readonly invalidIfStale: boolean | undefined;
  /** How long a request may take each time that it is sent, in ms. */
  declare readonly timeout: number | undefined;
  /** What to show until the answer is there; undefined, or a thrown `snapshot.abort`, for nothing. */
  declare getOptimisticResponse?: (snapshot: Snapshot, ...args: HookArgs<O>) => unknown;
  /** Whether and when a request that failed is sent again. */
  declare readonly retry: number | Retry | undefined;
  /** Whether an outbox keeps its writes, so that they survive the tab. */
  declare readonly durable: boolean | ((args: never) => boolean) | undefined;
  /** Whether writes to one entity are sent one after the other. */
  declare readonly serialize?: EndpointHooks<HookArgs<O>[0], HookArgs<O>[1]>['serialize'];
  /** What a write changes on the server beside what it answers: requests, endpoints, and members of its resource by name. */
  declare invalidates?: HooksOf<O>['invalidates'];

  constructor(options: OptionsOf<O>) {
    const self: RestEndpoint<O> = makeCallable(new.target.prototype as unknown as RestEndpoint<O>, (args): unknown => {
      const [first, second] = args;
      // Dispatched as if it was a thunk: thunks get dispatch and getState.
      if (typeof first === 'function' && typeof second === 'function') throw resourceError('R8', self.name);
      return makeRequest(ready(self), args);
    });
    Object.defineProperty(self, OPTIONS, {
      value: Object.freeze<EndpointOptions>({ ...(options as EndpointOptions) }),
    });
    return applyOptions(self);
  }

  /**
   * The prefix of its action types.
   *
   * @example
   * TodoResource.get.typePrefix; // 'Todo/get'
   */
  get typePrefix(): string {
    return ready(this).name;
  }

  /** What it asks for, in words. */
  get definition(): string {
    return `${this.method} ${this.urlPrefix}${this.path}`;
  }

  /**
   * A new endpoint with other options; this one is untouched.
   *
   * @example
   * const getLive = TodoResource.get.extend({ pollFrequency: 5_000 });
   */
  extend<New extends Partial<ShapeOptions>>(
    options: SameAs<New, EndpointOptions> &
      MemberSettings<EndpointValue<Override<O, New>>> &
      HooksOf<Override<O, New>> &
      ThisType<RestEndpoint<Override<O, New>>>,
  ): Endpoint<Override<O, New>> {
    // Whatever class made this endpoint makes the next one, and takes the same options.
    const Class = this.constructor as new (options: EndpointOptions) => Endpoint<Override<O, New>>;
    const made = applyOptions(new Class({ ...optionsOf(this), ...(options as Partial<EndpointOptions>) }));
    return joinResource(made, (this as unknown as Internal)[MEMBERS]);
  }

  /**
   * A request that goes to the network only when the data is missing, stale or invalidated.
   *
   * @example
   * dispatch(TodoResource.get.ifStale({ id }));
   */
  ifStale(...args: CallArgs<O>): Request<EndpointValue<O>, Actions<O>> {
    return makeRequest<EndpointValue<O>, Actions<O>>(this, args, { ifStale: true });
  }

  /**
   * Like `ifStale`; what it brings is collected after `unusedDataExpiryLength`, if nobody subscribes to it.
   *
   * @example
   * dispatch(TodoResource.get.prefetch({ id }));
   */
  prefetch(...args: CallArgs<O>): Request<EndpointValue<O>, Actions<O>> {
    return makeRequest<EndpointValue<O>, Actions<O>>(this, args, { ifStale: true, isPrefetch: true });
  }

  /**
   * A thunk that keeps data alive and fresh until it is unsubscribed. Throws R23 for a write.
   *
   * @example
   * const { unsubscribe } = dispatch(TodoResource.get.subscribe({ id }));
   */
  subscribe(
    ...args: ReadArgsOf<O>
  ): (dispatch: (action: never) => unknown, getState: () => unknown, extra: unknown) => Subscription {
    return makeSubscribe(this, args);
  }

  /**
   * Reads the value from `state.resources`; the same data is the same object.
   *
   * @example
   * const todo = TodoResource.get.select({ id })(store.getState());
   */
  select(...args: CallArgs<O>): (rootState: { readonly resources: ResourcesState }) => EndpointValue<O> | undefined {
    const selector = selectAnswer(this, args);
    // The schema says what its value is.
    return (rootState) => selector(sliceOf(rootState, 'resources')) as EndpointValue<O> | undefined;
  }

  /**
   * Reads from `state.resources` how the request stands.
   *
   * @example
   * const { isLoading, data } = TodoResource.get.selectRequest({ id })(store.getState());
   */
  selectRequest(
    ...args: CallArgs<O>
  ): (rootState: { readonly resources: ResourcesState }) => RequestState<EndpointValue<O>, ErrorDataOf<O>> {
    const selector = selectState(this, args);
    return (rootState) => selector(sliceOf(rootState, 'resources')) as RequestState<EndpointValue<O>, ErrorDataOf<O>>;
  }

  /**
   * Its `pending` action: a request was made.
   *
   * @example
   * const isBegun = TodoResource.get.pending.match({ type: 'Todo/get/pending' });
   */
  get pending(): RequestActionCreator<PendingAction<PlainArgs<O>>> {
    return matcherOf(this.typePrefix, 'pending');
  }

  /**
   * Its `fulfilled` action: a request was answered; `payload` is the processed response.
   *
   * @example
   * const isDone = TodoResource.get.fulfilled.match({ type: 'Todo/get/fulfilled' });
   */
  get fulfilled(): RequestActionCreator<FulfilledAction<PayloadOf<O>, PlainArgs<O>>> {
    return matcherOf(this.typePrefix, 'fulfilled');
  }

  /**
   * Its `rejected` action: a request failed, was aborted, or was not sent.
   *
   * @example
   * const isFailed = TodoResource.get.rejected.match({ type: 'Todo/get/rejected' });
   */
  get rejected(): RequestActionCreator<RejectedAction<PlainArgs<O>, ErrorDataOf<O>>> {
    return matcherOf(this.typePrefix, 'rejected');
  }

  /**
   * Matches what ends a request, whichever way.
   *
   * @example
   * const isOver = TodoResource.get.settled({ type: 'Todo/get/rejected' });
   */
  get settled(): (
    action: unknown,
  ) => action is FulfilledAction<PayloadOf<O>, PlainArgs<O>> | RejectedAction<PlainArgs<O>, ErrorDataOf<O>> {
    return isAnyOf(this.fulfilled, this.rejected);
  }

  /**
   * What tells one request from another: the method and the URL, and for a read that has a body, the body.
   *
   * @example
   * TodoResource.get.key({ id: 5 }); // 'GET /todos/5'
   */
  key(...args: CallArgs<O>): string {
    const [params, body] = splitArgs(ready(this), args);
    const address = `${this.method} ${withoutPromise(this.url(params as ParamsOf<O>), 'url', this.name)}`;
    return this.sideEffect || body === undefined ? address : `${address} ${JSON.stringify(toBody(body, this.name))}`;
  }

  /**
   * Whether a key is of this endpoint.
   *
   * @example
   * TodoResource.get.testKey('GET /todos/5'); // true
   */
  testKey(key: string): boolean {
    const [method, url = ''] = key.split(' ', 2);
    const isOurs = method === ready(this).method && url.startsWith(this.urlPrefix);
    return isOurs && compilePath(this.path).matches(url.slice(this.urlPrefix.length));
  }

  /**
   * The address of a request. Throws R3 for a missing path parameter, R12 for one that leads elsewhere.
   *
   * @example
   * TodoResource.getList.url({ userId: 1 }); // '/todos?userId=1'
   */
  url(params?: ParamsOf<O>): string {
    const path = compilePath(ready(this).path);
    const given = paramsIn(params, path.names);
    const address = join(this.urlPrefix, path.fill(given, this.name), this.path);
    const query = this.searchToString(withoutNames(given, path.names));
    return query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`;
  }

  /**
   * The query string, of what the path does not name.
   *
   * @example
   * const getTags = new RestEndpoint({
   *   path: '/tags',
   *   searchToString: ({ ids }) => `ids=${String(ids)}`,
   * });
   */
  searchToString(params: Readonly<Record<string, unknown>>): string {
    return searchToString(params, this.name);
  }

  /**
   * What is sent beside the address.
   *
   * @example
   * class FormEndpoint extends RestEndpoint {
   *   override getRequestInit(body: unknown, api?: HookApi) {
   *     return super.getRequestInit(new URLSearchParams(body as Record<string, string>), api);
   *   }
   * }
   */
  getRequestInit(body: unknown, _api?: HookApi): RequestInit | Promise<RequestInit> {
    const init = requestInit(this.method, body, this.content, this.name);
    const { requestInit: base } = this;
    return base ? { ...base, ...init, headers: plainHeaders(init.headers, base.headers) } : init;
  }

  /**
   * The headers, of those that the request has by now.
   *
   * @example
   * class TeamEndpoint extends RestEndpoint {
   *   override getHeaders(headers: Record<string, string>): HeadersInit {
   *     return { ...headers, 'X-Team': 'blue' };
   *   }
   * }
   */
  getHeaders(headers: Record<string, string>, _api?: HookApi): HeadersInit | Promise<HeadersInit> {
    return headers;
  }

  /**
   * Sends the request. Throws a NetworkError when the answer is not ok, or there is none.
   *
   * @example
   * const getFaked = TodoResource.get.extend({ fetchResponse: () => Promise.resolve(Response.json({ id: 5 })) });
   */
  fetchResponse(input: string, init: RequestInit): Promise<Response> {
    return send(input, init, this.api);
  }

  /**
   * Reads the body of the response. Throws a NetworkError where a `fetchResponse` of your own has let through what is not ok.
   *
   * @example
   * class TaggedEndpoint extends RestEndpoint {
   *   override async parseResponse(response: Response) {
   *     return { ...Object(await super.parseResponse(response)), etag: response.headers.get('etag') };
   *   }
   * }
   */
  async parseResponse(response: Response): Promise<unknown> {
    if (!response.ok) await assertOk(response, response.url, this.method);
    const { value, isJson } = await parse(response, this.content, this.schema !== undefined);
    (this as unknown as Internal)[PARSED] = isJson;
    return value;
  }

  /**
   * Reshapes the parsed response; what it returns is normalized.
   *
   * @example
   * const getWrapped = new RestEndpoint({ path: '/todos/:id', schema: Todo, process: (value: unknown) => Object(value).data });
   */
  process(value: unknown, ..._args: HookArgs<O>): unknown {
    return value;
  }

  /**
   * The chain of one request, without a store: from the arguments to the processed response.
   *
   * @example
   * const response = await TodoResource.get.fetch({ id: 5 });
   */
  async fetch(...args: CallArgs<O>): Promise<unknown> {
    const { api } = this;
    if (!api) return alone(this, args);
    const [params, body] = splitArgs(this, args);
    const url = this.url(params as ParamsOf<O>);
    const { signal: own, content } = this;
    const isOpen = content === 'stream';
    const timeout = api.timeout ?? this.timeout;
    return within({ signals: [own, api.signal], timeout, url, isOpen }, async (outer) => {
      assertWanted(outer, url);
      const init = withMethod(await this.getRequestInit(body, api), this);
      assertWanted(outer, url);
      const given = await this.getHeaders(plainHeaders(init.headers, api.keyHeaders?.(url)), api);
      const headers = api.isPart ? withoutTags(given) : withTag(given, api.tag);
      return within({ signals: [init.signal, outer], url, isOpen }, async (signal) => {
        assertWanted(signal, url);
        const sent = Object.assign(init, { headers }, signal && { signal });
        const response = await withoutHeaders(() => this.fetchResponse(url, sent), this.name, headers);
        assertWanted(signal, url);
        const internal = this as unknown as Internal;
        internal[HEADERS] = response.headers;
        if (this.etag) warnOfHiddenTag(response, url);
        internal[UNCHANGED] = this.sideEffect ? undefined : unchangedBy(response, url);
        if (internal[UNCHANGED]) return undefined;
        const value = await this.parseResponse(response);
        assertWanted(signal, url);
        return this.process(value, ...([params, body] as HookArgs<O>));
      });
    });
  }

  /** What the hooks of this request may use of the store that runs it; undefined without one. */
  protected get api(): HookApi | undefined {
    return (this as unknown as Internal)[API];
  }
}

/**
 * Makes requests of one kind to a REST server. Call it with its arguments, and dispatch what it gives.
 *
 * @example
 * const getUser = new RestEndpoint({ urlPrefix: '/api', path: '/users/:id', schema: User });
 * const user = await dispatch(getUser({ id: 5 })).unwrap();
 */
export interface RestEndpoint<O extends ShapeOptions = EndpointShape> extends OpenEndpoint<O> {
  /** The chain of one request, without a store: from the arguments to the processed response. */
  fetch(...args: CallArgs<O>): Promise<PayloadOf<O>>;
}

/** What a class of one's own extends: what its `fetch` gives, it says itself. */
interface OpenEndpoint<O extends ShapeOptions> extends EndpointBase<O>, ErrorCarrier<ErrorDataOf<O>> {
  (...args: CallArgs<O>): RequestIn<O>;
  readonly [SHAPE]?: O;
  readonly [VALUE]?: EndpointValue<O>;
}

/** What makes an endpoint of this shape. */
type OptionsOf<O extends ShapeOptions> = SameAs<O, EndpointOptions> &
  MemberSettings<EndpointValue<O>> &
  HooksOf<O> &
  ThisType<RestEndpoint<O>> &
  Sound<O>;

/** The hook that makes the value of what the server says, as far as its return type goes. */
interface ProcessOption<O extends ShapeOptions, Processed> {
  process?(value: unknown, ...args: HookArgs<O>): Processed;
}

/** A shape with what `process` makes; as it is where there is none, or where it says already what that makes. */
type WithProcess<O extends ShapeOptions, Processed> = unknown extends Processed ? O : O & { process(): Processed };

/** Makes endpoints. Called, it gives those that read a Collection what changes its lists; subclasses get what all have. */
interface RestEndpointConstructor {
  // The second type parameter keeps `extends RestEndpoint<O>` from choosing this signature: no class can have a base that depends on O.
  new <O extends ShapeOptions, Processed>(
    options: OptionsOf<O> & ProcessOption<O, Processed>,
  ): Endpoint<WithProcess<O, Processed>>;
  new <O extends ShapeOptions = EndpointShape>(options: OptionsOf<O>): OpenEndpoint<O>;
  readonly prototype: RestEndpoint;
}

/** What an endpoint has that was given neither option nor class field for it. */
const derived: Readonly<Record<string, (endpoint: RestEndpoint) => unknown>> = {
  method: (endpoint) => (optionsOf(endpoint).body !== undefined || optionsOf(endpoint).sideEffect ? 'POST' : 'GET'),
  urlPrefix: () => '',
  name: ({ method, path }) => `${method} ${path}`,
  sideEffect: ({ method }) => method !== 'GET',
};

/** Gives the class what a class cannot say. It is called where a bundler may leave it out with what nobody imports. */
function withDerived(Class: typeof EndpointBase): RestEndpointConstructor {
  // The class makes functions, which its own type cannot say either.
  const { prototype } = Class as unknown as RestEndpointConstructor;
  Object.defineProperty(prototype, protocol, {
    get(this: RestEndpoint) {
      return protocolOf(ready(this), usesStandardChain);
    },
  });
  for (const [name, derive] of Object.entries(derived)) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: RestEndpoint) {
        return derive(this);
      },
      // A class field that is compiled to an assignment shadows it too.
      set(this: RestEndpoint, value: unknown) {
        Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
      },
    });
  }
  return Class as unknown as RestEndpointConstructor;
}

export const RestEndpoint: RestEndpointConstructor = /* @__PURE__ */ withDerived(EndpointBase);

/**
 * An endpoint with what its shape adds to it: where it reads a Collection, what changes that.
 *
 * @example
 * const getUser: Endpoint<{ path: '/users/:id'; searchParams: undefined; body: undefined; schema: typeof User }> = new RestEndpoint({
 *   path: '/users/:id',
 *   searchParams: undefined,
 *   body: undefined,
 *   schema: User,
 * });
 */
export type Endpoint<O extends ShapeOptions> = O extends { readonly schema: infer S }
  ? [Given<O, 'sideEffect', undefined> extends false ? 'GET' : Given<O, 'method', 'GET'>, CollectionIn<S>] extends [
      'GET',
      infer C,
    ]
    ? [C] extends [never]
      ? RestEndpoint<O>
      : ListIn<O>
    : RestEndpoint<O>
  : RestEndpoint<O>;

/** The endpoint of a list; where it has pages, with what reads one. */
export type ListIn<O extends ShapeOptions> = O extends { readonly paginationField: string }
  ? PagedListEndpoint<O>
  : ListEndpoint<O>;

/**
 * An endpoint that reads a Collection, with what changes its lists.
 *
 * @example
 * TodoResource.getList.push({ userId: 1 }, { title: 'Read' }); // POST /todos?userId=1
 */
export interface ListEndpoint<O extends ShapeOptions>
  extends RestEndpoint<O>, ListMembers<O, CollectionIn<O['schema']>> {}

/**
 * The endpoint of a list that is read page by page.
 *
 * @example
 * dispatch(TodoResource.getList.getPage({ userId: 1, page: 2 }));
 * dispatch(TodoResource.getList.getNextPage({ userId: 1 }));
 */
export interface PagedListEndpoint<O extends ShapeOptions> extends ListEndpoint<O>, PageMember<O>, TurnMembers<O> {}

/**
 * The endpoint of a list whose pages say how to ask for those beside them.
 *
 * @example
 * const getFeed = TodoResource.getList.paginated({ next: (todos) => (todos.length < 20 ? undefined : { page: 2 }) });
 * dispatch(getFeed.getNextPage());
 */
export interface CursorListEndpoint<O extends ShapeOptions> extends ListEndpoint<O>, TurnMembers<O> {}

/**
 * An endpoint that creates an item, or several at once.
 *
 * @example
 * const many = await dispatch(TodoResource.getList.push({ userId: 1 }, [{ title: 'Read' }, { title: 'Write' }])).unwrap();
 * many.length; // 2
 */
export interface CreateEndpoint<O extends ShapeOptions> extends RestEndpoint<O> {
  (...args: ManyArgs<O>): WriteRequest<EndpointValue<O>[], ManyActions<O>>;
}

type ListMembers<O extends ShapeOptions, C> = {
  /**
   * Creates an item, and adds it at the end of every list it belongs to.
   *
   * @example
   * dispatch(TodoResource.getList.push({ userId: 1 }, { title: 'Read' }));
   */
  readonly push: CreateEndpoint<
    Erring<
      {
        path: O['path'];
        searchParams: SearchIn<O>;
        body: CreateBody<ItemSchema<C>, ItemBody<O>>;
        schema: ItemOperation<C>;
      },
      ErrorDataIn<O>
    >
  >;
  /**
   * Creates an item, and adds it at the start of every list it belongs to.
   *
   * @example
   * dispatch(TodoResource.getList.unshift({ userId: 1 }, { title: 'Read' }));
   */
  readonly unshift: CreateEndpoint<
    Erring<
      {
        path: O['path'];
        searchParams: SearchIn<O>;
        body: CreateBody<ItemSchema<C>, ItemBody<O>>;
        schema: ItemOperation<C>;
      },
      ErrorDataIn<O>
    >
  >;
  /** Adds values by name. */
  readonly assign: RestEndpoint<
    Erring<
      {
        path: O['path'];
        searchParams: SearchIn<O>;
        body: Readonly<Record<string, BodyOf<ItemSchema<C>, ItemBody<O>>>>;
        schema: O['schema'];
      },
      ErrorDataIn<O>
    >
  >;
  /**
   * Takes an item out of the lists of these arguments.
   *
   * @example
   * dispatch(TodoResource.getList.remove({ userId: 1 }, { id }));
   */
  readonly remove: RestEndpoint<
    Erring<
      {
        path: O['path'];
        searchParams: SearchIn<O>;
        body: DefaultBody<ItemSchema<C>>;
        schema: ItemOperation<C>;
      },
      ErrorDataIn<O>
    >
  >;
  /**
   * Changes an item so that it belongs to other lists.
   *
   * @example
   * dispatch(TodoResource.getList.move({ id }, { userId: 2 }));
   */
  readonly move: RestEndpoint<
    Erring<
      {
        path: Given<O, 'itemPath', O['path']>;
        searchParams: undefined;
        body: PartialBodyOf<ItemSchema<C>, ItemBody<O>>;
        schema: ItemOperation<C>;
      },
      ErrorDataIn<O>
    >
  >;
  /** Makes what reads a page that other parameters ask for; the function leaves those that name the list. */
  paginated<Params extends object>(
    removeCursor: (params: Params) => object,
  ): RestEndpoint<{ path: O['path']; searchParams: Params; body: undefined; schema: O['schema'] }>;
  /** Makes the same list, whose pages say how to ask for those beside them. */
  paginated(options: CursorOptions<O>): CursorListEndpoint<O>;
};

/**
 * How the pages of a list follow each other.
 *
 * @example
 * const next: CursorOptions<{ path: '/todos'; schema: Collection<readonly [typeof Todo]> }>['next'] = (todos, args) =>
 *   todos.length < 20 ? undefined : { ...args, after: todos.at(-1)?.id };
 */
export interface CursorOptions<O extends ShapeOptions> {
  /**
   * The whole parameters of the page after the one with this answer and these parameters, or `[params, body]` where the cursor stands in the
   * body; undefined where there is none.
   */
  readonly next: (
    answer: PageAnswer<O['schema']>,
    params: ParamsOf<O>,
    request: PageRequest<BodyIn<O>>,
  ) => object | readonly [params: object, body: BodyIn<O>] | undefined;
  /** The same of the page before. */
  readonly previous?: CursorOptions<O>['next'];
  /** The most pages that the list is made of; those at the other end are dropped, and can be fetched again. */
  readonly maxPages?: number;
}

/** A processed response with a page: its list in wire form, and beside it what the schema has defaults for. */
type PageAnswer<S> =
  S extends Collection<infer D>
    ? WireOf<Collection<D>>
    : { readonly [Field in keyof S]: CollectionIn<S[Field]> extends never ? ValueOf<S[Field]> : WireOf<S[Field]> };

type TurnMembers<O extends ShapeOptions> = {
  /**
   * Reads the page after the last that the list is made of; sends nothing where there is none.
   *
   * @example
   * dispatch(TodoResource.getList.getNextPage({ userId: 1 }));
   */
  readonly getNextPage: ListReadOf<O>;
  /** Reads the page before the first that the list is made of; sends nothing where there is none. */
  readonly getPreviousPage: ListReadOf<O>;
};

type ListReadOf<O extends ShapeOptions> = RestEndpoint<
  Declared<{
    path: O['path'];
    sideEffect: false;
    searchParams: SearchIn<O>;
    body: BodyIn<O>;
    schema: O['schema'];
    errorData: ErrorDataIn<O>;
  }>
>;

type PageMember<O extends ShapeOptions> = {
  /**
   * Reads a page, and adds it to the list.
   *
   * @example
   * dispatch(TodoResource.getList.getPage({ userId: 1, page: 2 }));
   */
  readonly getPage: RestEndpoint<
    Erring<
      {
        path: O['path'];
        searchParams: PageParams<O>;
        body: undefined;
        schema: O['schema'];
      },
      ErrorDataIn<O>
    >
  >;
};

type ErrorDataIn<O> = Given<O, 'errorData', Undeclared>;
type ItemBody<O> = Given<O, 'itemBody', Undeclared>;
type SearchIn<O> = Given<O, 'searchParams', Undeclared>;

type PageParams<O extends ShapeOptions> = Flat<
  ([SearchIn<O>] extends [Undeclared]
    ? Readonly<Record<string, unknown>>
    : SearchIn<O> extends undefined
      ? unknown
      : Partial<NonNullable<SearchIn<O>>>) &
    Readonly<Record<NonNullable<O['paginationField']>, PathValue>>
>;

/** Runs the chain of a request without a store, on a `this` of its own as with one. */
async function alone<O extends ShapeOptions>(endpoint: EndpointBase<O>, args: CallArgs<O>): Promise<unknown> {
  const { signal = new AbortController().signal } = endpoint;
  const self = makeNamedCallable(endpoint, (others) => makeRequest(endpoint, others));
  const api: Pick<HookApi, 'signal' | 'args'> = { signal, args: argsOf(endpoint, args) };
  // What only a store has is not there, which the type cannot say without saying so where there is one, too.
  (self as unknown as Internal)[API] = api as HookApi;
  const response = await EndpointBase.prototype.fetch.call(self, ...(args as CallArgs<EndpointShape>));
  const unchanged = (self as unknown as Internal)[UNCHANGED];
  if (unchanged) throw unchanged;
  return response;
}

/** An endpoint that is used: by now, the class fields of a subclass are set, and its options win over them. */
function ready<T extends object>(endpoint: T): T {
  const internal = endpoint as Internal;
  if (!internal[READY]) Object.defineProperty(applyOptions(endpoint), READY, { value: true });
  return endpoint;
}

/** Options that only tell a type. */
const typesAlone: ReadonlySet<string> = new Set(['body', 'searchParams', 'errorData']);

/** Lets options win over the class fields of a subclass, which are set after the constructor that got the options. */
export function applyOptions<T extends object>(endpoint: T): T {
  const options = optionsOf(endpoint);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || typesAlone.has(name)) continue;
    Object.defineProperty(endpoint, name, { value, writable: true, enumerable: true, configurable: true });
  }
  if (endpoint instanceof RestEndpoint) addListMembers(endpoint, options);
  return endpoint;
}

/** Whether what comes of a request is as JSON gives it: no hook of the user's has made something else of it. */
function usesStandardChain(endpoint: object): boolean {
  const { fetch, process, parseResponse } = RestEndpoint.prototype;
  const own = endpoint as RestEndpoint;
  return own.fetch === fetch && own.process === process && own.parseResponse === parseResponse;
}
