import { isAnyOf } from '@reduxjs/toolkit';
import { resourceError } from '../errors.js';
import { assertCalled } from '../store/assertions.js';
import type { FulfilledAction, PendingAction, RejectedAction } from '../store/actions.js';
import { protocol, type ErrorCarrier, type OpenLifetimes, type VALUE } from '../store/endpoint.js';
import { makeRequest, makeSubscribe, type Request, type Subscription, type WriteRequest } from '../store/request.js';
import { selectState, type RequestState } from '../store/reading/requestState.js';
import { selectAnswer, sliceOf } from '../store/reading/selectors.js';
import type { ResourcesState } from '../store/state.js';
import type {
  Actions,
  CallArgs,
  BodyIn,
  BodyOf,
  CreateBody,
  Declared,
  DefaultBody,
  EndpointValue,
  Erring,
  ErrorDataOf,
  ManyActions,
  ManyArgs,
  Override,
  PartialBodyOf,
  PayloadOf,
  PlainArgs,
  ProcessOption,
  ReadArgsOf,
  RequestIn,
  Sound,
  WithProcess,
} from './infer.js';
import type { EndpointShape, Given, SameAs, ShapeOptions } from './shape.js';
import type { CollectionIn, ItemOperation, ItemSchema } from './inferItems.js';
import { joinResource, OPTIONS, optionsOf, resourceOf, type SHAPE } from './internal.js';
import { matcherOf, type RequestActionCreator } from './matchers.js';
import type { EndpointOptions, HooksOf, MemberSettings } from './options.js';
import { makeCallable } from './callable.js';
import { protocolOf } from './protocol.js';
import type { CreateSearch, CursorOptions, ErrorDataIn, ItemBody, PageParams, SearchIn } from './pages.js';
import { applyOptions, ready } from './ready.js';
import { RequestChain } from './RequestChain.js';

/** What an endpoint has, but for being called. */
class EndpointBase<O extends ShapeOptions = EndpointShape> extends RequestChain<O> {
  constructor(options: OptionsOf<O>) {
    super();
    // What every function has, `bindActionCreators` and `debounce` use. Here, so that who imports no endpoint does not pay for it.
    Object.setPrototypeOf(RequestChain.prototype, Function.prototype);
    const self: RestEndpoint<O> = makeCallable(new.target.prototype as unknown as RestEndpoint<O>, (args): unknown => {
      const [first, second] = args;
      // Dispatched as if it was a thunk: thunks get dispatch and getState.
      if (typeof first === 'function' && typeof second === 'function') throw resourceError('R8', self.name, 'dispatch');
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

  /**
   * A new endpoint with other options; this one is untouched.
   *
   * @example
   * const getLive = TodoResource.get.extend({ pollFrequency: 5_000 });
   */
  extend<New extends Partial<ShapeOptions>, Processed = unknown>(
    options: SameAs<New, EndpointOptions> &
      MemberSettings<EndpointValue<Override<O, New>>> &
      HooksOf<Override<O, New>> &
      ThisType<RestEndpoint<Override<O, New>>> &
      Sound<New> &
      ProcessOption<Override<O, New>, Processed>,
  ): Endpoint<WithProcess<Override<O, New>, Processed>> {
    // Whatever class made this endpoint makes the next one, and takes the same options.
    const Class = this.constructor as new (
      options: EndpointOptions,
    ) => Endpoint<WithProcess<Override<O, New>, Processed>>;
    const made = applyOptions(new Class({ ...optionsOf(this), ...(options as Partial<EndpointOptions>) }));
    return joinResource(made, resourceOf(this));
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
   * Like `ifStale`; what it brings is collected after `unusedDataExpiryLength`, at least ten seconds, if nobody subscribes to it.
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
    assertCalled('select', this, args[0]);
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
    assertCalled('selectRequest', this, args[0]);
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
interface OpenEndpoint<O extends ShapeOptions> extends EndpointBase<O>, OpenLifetimes, ErrorCarrier<ErrorDataOf<O>> {
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
      return protocolOf(ready(this));
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
  : O extends ByCursor
    ? CursorListEndpoint<O>
    : ListEndpoint<O>;

/** In the shape of a list whose pages say how to go on, so that what is made of it still has them. */
type ByCursor = {
  readonly byCursor: true;
};

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
export interface CursorListEndpoint<O extends ShapeOptions> extends ListEndpoint<O & ByCursor>, TurnMembers<O> {}

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

/** The path of what changes a list; none where the list is not known any closer: calls of any arguments would compile, and bring no item. */
type PathOf<C, Path> = [C] extends [never] ? never : Path;

/** The shape of what creates items of a list. */
type Creation<O extends ShapeOptions, C> = Erring<
  {
    path: PathOf<C, O['path']>;
    searchParams: CreateSearch<O>;
    body: CreateBody<ItemSchema<C>, ItemBody<O>>;
    schema: ItemOperation<C>;
  },
  ErrorDataIn<O>
>;

type ListMembers<O extends ShapeOptions, C> = {
  /**
   * Creates an item, and adds it at the end of every list it belongs to.
   *
   * @example
   * dispatch(TodoResource.getList.push({ userId: 1 }, { title: 'Read' }));
   */
  readonly push: CreateEndpoint<Creation<O, C>>;
  /**
   * Creates an item, and adds it at the start of every list it belongs to.
   *
   * @example
   * dispatch(TodoResource.getList.unshift({ userId: 1 }, { title: 'Read' }));
   */
  readonly unshift: CreateEndpoint<Creation<O, C>>;
  /** Adds values by name. */
  readonly assign: RestEndpoint<
    Erring<
      {
        path: PathOf<C, O['path']>;
        searchParams: CreateSearch<O>;
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
        path: PathOf<C, O['path']>;
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
        path: PathOf<C, Given<O, 'itemPath', O['path']>>;
        searchParams: undefined;
        body: PartialBodyOf<ItemSchema<C>, ItemBody<O>>;
        schema: ItemOperation<C>;
      },
      ErrorDataIn<O>
    >
  >;
  /** Makes what reads a page that other parameters ask for; the function leaves those that name the list. */
  paginated<Params extends object>(removeCursor: (params: Params) => object): PageReadOf<O, Params>;
  /** Makes the same list, whose pages say how to ask for those beside them. */
  paginated(options: CursorOptions<O>): CursorListEndpoint<O>;
};

/** What reads a page that other parameters ask for. */
export type PageReadOf<O extends ShapeOptions, Params> = RestEndpoint<{
  path: O['path'];
  searchParams: Params;
  body: undefined;
  schema: O['schema'];
}>;

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
