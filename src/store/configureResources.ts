import type { Draft, Middleware, Reducer } from '@reduxjs/toolkit';
import { isEntityClass, type EntityClass } from '../schema/Entity.js';
import type { ValueOf } from '../schema/infer.js';
import type { QuerySchema } from '../schema/Query.js';
import type { DefinitionsOf, Fields, ResponseOf, WireOf } from '../schema/wire.js';
import type { Row, Schema } from '../schema/Schema.js';
import { createSliceActions } from './actions.js';
import { createResourcesMiddleware } from './middleware.js';
import { createResourcesReducer } from './reducer.js';
import type { AnyEndpoint, EntityId, ErrorCarrier, RecipeResult, RequestFilter, RunRecipe } from './endpoint.js';
import type { ResetOptions, ResourcesOptions } from './options.js';
import { connectTo, type RequestDispatch } from './request.js';
import type { Patch } from './running/patches.js';
import type { Runtime } from './running/Runtime.js';
import { setResponse, setRows, updateRow } from './running/writes.js';
import { selectState, type RequestState } from './reading/requestState.js';
import { selectAll, selectAnswer, selectEntity, selectPending, selectSchema, sliceOf } from './reading/selectors.js';
import { filterOf, paramsOf } from './filter.js';
import type { ResourcesState } from './state.js';

/**
 * An endpoint as far as it can be read: its arguments and its value.
 *
 * @example
 * const isThere = (endpoint: TypedEndpoint<[{ id: number }], unknown>) =>
 *   resources.select(endpoint, { id })(store.getState()) !== undefined;
 * isThere(TodoResource.get);
 */
export interface TypedEndpoint<Args extends readonly unknown[], Value> extends Omit<AnyEndpoint<Value>, 'key'> {
  /** What tells one request from another. */
  key(...args: Args): string;
}

/** Refuses fields that an entity does not have, where they are known by name. The brand of an id is no field. */
type FieldsOnly<Id, Value> = Id extends string | number
  ? unknown
  : string extends keyof Id
    ? unknown
    : { readonly [Name in Exclude<keyof Id, keyof Value>]: never };

/** What a Query is asked with; where it does not say, whatever its list is known by. */
type QueryArgs<S> =
  S extends QuerySchema<infer _Definition, infer Args, infer _Value>
    ? Args extends readonly []
      ? readonly unknown[]
      : Args
    : readonly unknown[];

type Thunk = (dispatch: (action: never) => unknown) => void;
/** What dispatching a patch gives back. */
type PatchThunk = (dispatch: (action: never) => unknown) => Patch;

/**
 * Mutates the draft of a value, in wire form and with what is nested in place, or gives another value.
 *
 * @example
 * const turn: PatchRecipe<readonly [typeof Todo]> = (todos) => void todos.reverse();
 */
export type PatchRecipe<S, Value = unknown> = (draft: Draft<AnswerOf<S, Value>>) => RecipeResult<AnswerOf<S, Value>>;

/** What the store keeps of an answer: without a schema, its value. */
type AnswerOf<S, Value> = unknown extends S ? Value : WireOf<S>;
type Selector<Path extends string, Value> = (rootState: Readonly<Record<Path, ResourcesState>>) => Value;

/**
 * A slice and its middleware, with what reads them and writes to them without a request.
 *
 * @example
 * const logOut = (resources: Resources) => resources.reset();
 */
export interface Resources<Path extends string = string> {
  /** Where the slice is mounted. */
  readonly reducerPath: Path;
  /** The reducer of the slice. */
  readonly reducer: Reducer<ResourcesState>;
  /** Runs the requests of the store. */
  readonly middleware: Middleware<RequestDispatch>;
  /** Reads the value of a request; the same data is the same object. */
  select<Args extends readonly unknown[], Value>(
    endpoint: TypedEndpoint<Args, Value>,
    ...args: Args
  ): Selector<Path, Value | undefined>;
  /** Reads what a Query, or another schema, gives for these arguments. */
  select<S extends Schema>(schema: S, ...args: QueryArgs<S>): Selector<Path, ValueOf<S> | undefined>;
  /**
   * Reads how a request stands.
   *
   * @example
   * const { isLoading } = resources.selectRequest(TodoResource.get, { id })(store.getState());
   */
  selectRequest<Args extends readonly unknown[], Value, ErrorData>(
    endpoint: TypedEndpoint<Args, Value> & ErrorCarrier<ErrorData>,
    ...args: Args
  ): Selector<Path, RequestState<Value, ErrorData>>;
  /**
   * Reads one entity, from whichever answer it came.
   *
   * @example
   * const todo = resources.selectEntity(Todo, 5)(store.getState());
   */
  selectEntity<D extends EntityClass, Id extends EntityId>(
    entity: D,
    id: Id & FieldsOnly<Id, ValueOf<D>>,
  ): Selector<Path, ValueOf<D> | undefined>;
  /**
   * Reads every entity of a class.
   *
   * @example
   * const todos = resources.selectAll(Todo)(store.getState());
   */
  selectAll<D extends EntityClass>(entity: D): Selector<Path, ValueOf<D>[]>;
  /**
   * The requestIds of optimistic requests that touch an entity; empty when all of it is confirmed.
   *
   * @example
   * const isSaving = resources.selectPending(Todo, 5)(store.getState()).length > 0;
   */
  selectPending(entity: EntityClass, id: EntityId): Selector<Path, readonly string[]>;
  /** Merges fields into one entity, or into each of many in one action; or, with a function, what it makes of the confirmed row (in wire form). */
  set<D extends EntityClass>(
    entity: D,
    fields: Fields<ValueOf<D>, DefinitionsOf<D>> | readonly Fields<ValueOf<D>, DefinitionsOf<D>>[],
  ): Thunk;
  set<D extends EntityClass>(
    entity: D,
    id: EntityId,
    recipe: (row: Draft<WireOf<D>>) => RecipeResult<Partial<WireOf<D>>>,
  ): Thunk;
  /**
   * Shows what a recipe makes of one row, or of the whole answer of a read, over whatever arrives, until it is undone or committed: a preview
   * while something is dragged, a form, a request that is not ours. Throws what the recipe throws.
   *
   * @example
   * const preview = dispatch(resources.patch(TodoResource.getList, { userId: 1 }, (todos) => void todos.reverse()));
   * preview.undo();
   */
  patch<D extends EntityClass>(entity: D, id: EntityId, recipe: PatchRecipe<D>): PatchThunk;
  patch<S, Value>(
    endpoint: TypedEndpoint<[], Value> & { readonly schema: S },
    recipe: PatchRecipe<S, Value>,
  ): PatchThunk;
  patch<Args extends readonly unknown[], S, Value>(
    endpoint: TypedEndpoint<Args, Value> & { readonly schema: S },
    ...argsAndRecipe: [...Args, recipe: PatchRecipe<S, Value>]
  ): PatchThunk;
  /**
   * Takes an answer in as if a request with these arguments had got it, in the form that `process` gives: no hook runs.
   *
   * @example
   * dispatch(resources.setResponse(TodoResource.getList, { userId: 1 }, []));
   */
  setResponse<Args extends readonly unknown[], S>(
    endpoint: TypedEndpoint<Args, unknown> & { readonly schema: S },
    response: [] extends Args ? ResponseOf<S> : never,
  ): Thunk;
  setResponse<Args extends readonly unknown[], S>(
    endpoint: TypedEndpoint<Args, unknown> & { readonly schema: S },
    ...argsAndResponse: [...Args, response: ResponseOf<S>]
  ): Thunk;
  /**
   * Makes the answer of one read as if it was not there.
   *
   * @example
   * dispatch(resources.invalidate(TodoResource.get, { id }));
   */
  invalidate<Args extends readonly unknown[]>(
    endpoint: TypedEndpoint<Args, unknown>,
    ...args: Args
  ): { type: string; payload: RequestFilter };
  /**
   * Makes all answers of an endpoint as if they were not there. What only other answers have brought stays, unless somebody is subscribed to it.
   *
   * @example
   * dispatch(resources.invalidateAll(TodoResource.get));
   */
  invalidateAll(endpoint: TypedEndpoint<never, unknown>): { type: string; payload: RequestFilter };
  /**
   * Makes the data of one read stale: it is shown still, and fetched by `ifStale` and subscribers.
   *
   * @example
   * dispatch(resources.expire(TodoResource.getList, { userId: 1 }));
   */
  expire<Args extends readonly unknown[]>(
    endpoint: TypedEndpoint<Args, unknown>,
    ...args: Args
  ): { type: string; payload: RequestFilter };
  /**
   * Makes all answers of an endpoint stale, or those whose first argument has some values: they are shown still, and fetched by `ifStale` and subscribers.
   * What only other answers have brought stays as fresh as these, unless somebody is subscribed to it.
   *
   * @example
   * dispatch(resources.expireAll(TodoResource.getList));
   * dispatch(resources.expireAll(TodoResource.getList, { userId: 1 }));
   */
  expireAll<Args extends readonly unknown[]>(
    endpoint: TypedEndpoint<Args, unknown>,
    part?: Partial<NonNullable<Args[0]>>,
  ): { type: string; payload: RequestFilter };
  /**
   * Takes in a slice from elsewhere, as older than all that is here.
   *
   * @example
   * dispatch(resources.hydrate(store.getState().resources));
   */
  hydrate(slice: ResourcesState): { type: string; payload: ResourcesState };
  /**
   * Forgets everything, and aborts what is in flight; what an outbox keeps of the user is deleted.
   *
   * @example
   * dispatch(resources.reset());
   */
  reset(options?: ResetOptions): Thunk;
}

/**
 * Sets up the slice and the middleware of a store; call it once, and mount both.
 *
 * @example
 * const resources = configureResources({ dataExpiryLength: 5 * 60_000 });
 * const store = configureStore({
 *   reducer: { [resources.reducerPath]: resources.reducer },
 *   middleware: (getDefault) => getDefault().concat(resources.middleware),
 * });
 */
export function configureResources<Path extends string = 'resources'>(
  options: ResourcesOptions<Path> = {},
): Resources<Path> {
  const { reducerPath = 'resources' as Path } = options;
  const actions = createSliceActions(reducerPath);
  /** Lets a selector of the slice be used on the root state. */
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller names the selector it wants
  const selectIn = <Selector>(selector: (slice: ResourcesState) => unknown): Selector =>
    // The schema of what is selected says what its value is.
    ((rootState: unknown) => selector(sliceOf(rootState, reducerPath))) as Selector;
  /** Does something in the store that it is dispatched to. */
  const withRuntime =
    <Result>(act: (runtime: Runtime) => Result) =>
    (dispatch: (action: never) => unknown): Result =>
      // What answers is what this middleware has made.
      act(connectTo(dispatch, reducerPath) as Runtime);
  return {
    reducerPath,
    reducer: createResourcesReducer(actions),
    middleware: createResourcesMiddleware(reducerPath, actions, options),
    select: (source: Schema | TypedEndpoint<never, unknown>, ...args: readonly unknown[]) =>
      selectIn<Selector<Path, never>>('normalize' in source ? selectSchema(source, args) : selectAnswer(source, args)),
    selectRequest: (endpoint, ...args) => selectIn(selectState(endpoint, args)),
    selectEntity: (entity, id) => selectIn(selectEntity(entity, id)),
    selectAll: (entity) => selectIn(selectAll(entity)),
    selectPending: (entity, id) => selectIn(selectPending(entity, id)),
    set: (entity: EntityClass, id: EntityId | readonly Row[], update?: (row: never) => unknown) =>
      withRuntime((runtime) => {
        // The declared draft is of the entity.
        if (update) updateRow(runtime, entity, id as EntityId, update as (row: Row) => unknown);
        else setRows(runtime, entity, id);
      }),
    patch: (source: EntityClass | TypedEndpoint<never, unknown>, ...argsAndRecipe: readonly unknown[]) =>
      withRuntime((runtime) => {
        const args = argsAndRecipe.slice(0, -1);
        const about = isEntityClass(source) ? { entity: source, id: args[0] as EntityId } : { endpoint: source, args };
        // The declared draft is of what is patched.
        return runtime.patch(about, argsAndRecipe.at(-1) as RunRecipe);
      }),
    setResponse: (endpoint: TypedEndpoint<never, unknown>, ...argsAndResponse: readonly unknown[]) =>
      withRuntime((runtime) => {
        setResponse(runtime, endpoint, argsAndResponse.slice(0, -1), argsAndResponse.at(-1));
      }),
    invalidate: (endpoint, ...args) => actions.invalidate(filterOf('invalidate', endpoint, args)),
    invalidateAll: (endpoint) => actions.invalidate(filterOf('invalidateAll', endpoint)),
    expire: (endpoint, ...args) => actions.expire(filterOf('expire', endpoint, args)),
    expireAll: (endpoint, part) => actions.expire({ ...filterOf('expireAll', endpoint), ...paramsOf(part, endpoint) }),
    hydrate: (slice) => actions.hydrate(slice),
    reset: ({ keepOutbox }: ResetOptions = {}) =>
      withRuntime((runtime) => {
        runtime.reset(keepOutbox);
      }),
  };
}
