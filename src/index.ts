export { isNetworkError, NetworkError, ResourceError, type ErrorCode } from './errors.js';
export { Collection, type CollectionOptions } from './schema/Collection.js';
export { Entity, EntityMixin, type EntityClass, type MixinOptions } from './schema/Entity.js';
export { schema } from './schema/index.js';
export type { ValueOf, Widen } from './schema/infer.js';
export type {
  AnswerMeta,
  Definition,
  Finder,
  List,
  ListOperation,
  Normalizer,
  Reader,
  Ref,
  Row,
  RowSchema,
  Schema,
} from './schema/Schema.js';
export type { Fields, WireOf } from './schema/wire.js';
export { isTemporary } from './schema/temporary.js';
export type { Changes, ListChange, RowChanges } from './tables/changes.js';
export { denormalize } from './tables/denormalize.js';
export { keyOf } from './tables/keys.js';
export { Memory } from './tables/Memory.js';
export { normalize, type Normalized, type NormalizeOptions } from './tables/normalize.js';
export type { Table, Tables } from './tables/tables.js';
export type { FulfilledAction, PendingAction, RejectedAction } from './store/actions.js';
export {
  configureResources,
  type Readable,
  type Resources,
  type ResourcesOptions,
} from './store/configureResources.js';
export type { PresenceEvents, SetupListeners } from './store/lifetime/presence.js';
export type { Snapshot } from './store/reading/snapshot.js';
export type {
  Expectation,
  RequestArg,
  RunResult,
  HookApi,
  Lifetimes,
  Request,
  Requestable,
  RequestPromise,
  SerializedFailure,
  SettledAction,
  Subscription,
  Target,
  WriteRequest,
} from './store/endpoint.js';
export type { EntityId } from './store/reading/selectors.js';
export type { PageState, RequestState } from './store/reading/requestState.js';
export type { ResourcesState } from './store/state.js';
export { createResource, type Resource, type ResourceOptions } from './rest/createResource.js';
export type { Content } from './rest/hooks.js';
export type { ShapeOptions } from './rest/infer.js';
export type { ActionMatcher } from './rest/matchers.js';
export type { EndpointHooks, EndpointOptions, EndpointSettings, Invalidated } from './rest/options.js';
export type { PagingOptions } from './rest/listMembers.js';
export {
  RestEndpoint,
  type CursorListEndpoint,
  type CursorOptions,
  type Endpoint,
  type ListEndpoint,
  type PagedListEndpoint,
} from './rest/RestEndpoint.js';
export type { Retry } from './rest/retry.js';
