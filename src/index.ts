export { isNetworkError, NetworkError, ResourceError, type ErrorCode } from './errors.js';
export { Collection } from './schema/Collection.js';
export { type Belongs, type CollectionOptions } from './schema/CollectionOptions.js';
export type { ArgumentKind } from './schema/listKey.js';
export { Entity, EntityMixin, type EntityClass, type MixedClass, type MixinOptions } from './schema/Entity.js';
export * as schema from './schema/index.js';
// By these names a user's declarations name what the namespace has: TypeScript looks into none.
export type { AllSchema } from './schema/All.js';
export type { ArraySchema } from './schema/Array.js';
export type { CollectionOperation } from './schema/CollectionOperation.js';
export type { InvalidateSchema } from './schema/Invalidate.js';
export type { LazySchema } from './schema/Lazy.js';
export type { ObjectSchema } from './schema/Object.js';
export type { QuerySchema } from './schema/Query.js';
export type { TotalSchema } from './schema/Total.js';
export type { UnionSchema } from './schema/Union.js';
export type { ValuesSchema } from './schema/Values.js';
export type { ValueOf } from './schema/infer.js';
export type { AnswerMeta, Row } from './schema/Schema.js';
export type { Fields, WireFields, WireOf } from './schema/wire.js';
export { isTemporary } from './schema/temporary.js';
export { keyOf } from './tables/keys.js';
export type { FulfilledAction, PendingAction, RejectedAction } from './store/actions.js';
export {
  configureResources,
  type PatchRecipe,
  type Resources,
  type TypedEndpoint,
} from './store/configureResources.js';
export type { ResetOptions, ResourcesOptions } from './store/options.js';
export type { KeptEntry, KeptOutbox } from './store/outbox.js';
export type { PresenceEvents, SetupListeners } from './store/lifetime/presence.js';
export type { Snapshot } from './store/reading/snapshot.js';
export type {
  AnyEndpoint,
  EntityId,
  ErrorCarrier,
  Lifetimes,
  PollFrequency,
  RecipeAbout,
  RecipeTools,
  RequestFilter,
} from './store/endpoint.js';
export type { FetchFn, HookApi } from './store/hookApi.js';
export type {
  ActionTypes,
  Cause,
  Request,
  RequestArg,
  RequestDispatch,
  RequestPromise,
  SerializedFailure,
  SettledAction,
  Subscription,
  WriteRequest,
} from './store/request.js';
export type { OutboxSeam } from './store/running/keeping.js';
export type { Patch } from './store/running/patches.js';
export type { PageState, RequestState } from './store/reading/requestState.js';
export type { ResourcesState } from './store/state.js';
export { createResource } from './rest/createResource.js';
export type { OwnExtend, OwnList, OwnPage, OwnTurns } from './rest/ownClass.js';
export {
  type Extensible,
  type Overridden,
  type OwnResourceExtend,
  type Resource,
  type ResourceExtend,
  type ResourceMembers,
  type ResourceOptions,
  type WithMember,
} from './rest/Resource.js';
export type { Content } from './rest/hooks.js';
export type { Actions, ArgsOf, CallArgs, ManyActions, FormBody } from './rest/infer.js';
export type { ShapeOptions, Undeclared } from './rest/shape.js';
export type { ItemOperation } from './rest/inferItems.js';
export type { RequestActionCreator } from './rest/matchers.js';
export type {
  ConflictOf,
  EndpointHooks,
  EndpointOptions,
  EndpointSettings,
  Invalidated,
  OptimisticRecipe,
  RecipeApi,
} from './rest/options.js';
export type { PageRequest, PagingOptions } from './rest/listMembers.js';
export type { CursorOptions } from './rest/pages.js';
export type { PathValue, ShortenPath } from './rest/pathTypes.js';
export {
  RestEndpoint,
  type CreateEndpoint,
  type CursorListEndpoint,
  type Endpoint,
  type ListEndpoint,
  type PagedListEndpoint,
} from './rest/RestEndpoint.js';
export type { Retry } from './rest/retry.js';
