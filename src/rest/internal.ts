import type { Definition } from '../schema/Schema.js';
import type { AnyEndpoint } from '../store/endpoint.js';
import type { HookApi, StoreApi } from '../store/hookApi.js';
import { makeRequest } from '../store/request.js';
import { makeNamedCallable } from './callable.js';
import type { EndpointOptions, EndpointSettings } from './options.js';
import { compilePath } from './path.js';

/** Carries the type of what an endpoint is made of; nothing is there. */
export declare const SHAPE: unique symbol;

/** The options that an endpoint was made with. */
export const OPTIONS = Symbol('options');
/** What the hooks of one request may use of the store that runs it. */
export const API = Symbol('api');
/** Whether the response of one request was parsed as JSON. */
export const PARSED = Symbol('parsed');
/** What a member of a resource does, whichever method it is given: in its options, where no editor lists it. */
export const EFFECT = Symbol('effect');
/** The headers and the status of the answer to one request. */
export const ANSWER = Symbol('answer');
/** What to throw of an answer that says that the one before still holds, where there is none. */
export const UNCHANGED = Symbol('unchanged');
/** The resource that an endpoint is a member of. */
const RESOURCE = Symbol('resource');
/** Whether an endpoint is made: the fields of its class are set, and its options have won over them. */
export const READY = Symbol('ready');

/** What a write does to what is there. */
export type Effect = 'create' | 'replace' | 'patch' | 'delete' | 'list';

/** What an endpoint, or one request of it, keeps for itself. */
export interface Internal {
  [OPTIONS]: EndpointOptions;
  [API]?: HookApi & { readonly sends?: (() => void) | undefined };
  [PARSED]?: boolean;
  [ANSWER]?: Pick<Response, 'headers' | 'status'>;
  [UNCHANGED]?: Error | undefined;
  [READY]?: boolean;
  [RESOURCE]?: ResourceOfMember | undefined;
}

/** A resource, as its members know it. */
export interface ResourceOfMember {
  /** The path of one item, and what it is described by. */
  readonly path: string;
  readonly schema: Definition;
  /** The names of the endpoints that are, or were before it was extended, its members, by member. */
  readonly names: Map<string, Set<string>>;
  /** Its members as they are, by name. */
  readonly members: Map<string, AnyEndpoint>;
}

/** Makes an endpoint one of those of a resource, unless it is of another. */
export function joinResource<T extends object>(endpoint: T, resource: ResourceOfMember | undefined): T {
  const internal = endpoint as Internal;
  if (resource && !internal[RESOURCE]) Object.defineProperty(internal, RESOURCE, { value: resource });
  return endpoint;
}

/** The resource that an endpoint is a member of; undefined where it is of none. */
export function resourceOf(endpoint: object): ResourceOfMember | undefined {
  return (endpoint as Internal)[RESOURCE];
}

/** The options that an endpoint was made with. */
export function optionsOf(endpoint: object): EndpointOptions {
  return (endpoint as Internal)[OPTIONS];
}

/** What a member of a resource does, where it is one that edits. */
export function editOf(endpoint: object): Effect | undefined {
  return (optionsOf(endpoint) as { readonly [EFFECT]?: Effect })[EFFECT];
}

/** Parameters and body of a call: a single argument is the body where nothing else is needed. */
export function splitArgs(
  endpoint: { readonly method: string; readonly path: string },
  args: readonly unknown[],
): readonly [params: unknown, body: unknown] {
  const [first, second] = args;
  if (args.length === 1 && takesBody(endpoint) && !compilePath(endpoint.path).needsParams) return [{}, first];
  return [first ?? {}, second];
}

/** The address of a request. */
export function requestUrl(
  endpoint: { readonly method: string; readonly path: string; url(params?: never): string },
  args: readonly unknown[],
): string {
  return endpoint.url(splitArgs(endpoint, args)[0] as never);
}

export function joinArgs(params: unknown, body: unknown): readonly unknown[] {
  return body === undefined ? [params] : [params, body];
}

/** One request of an endpoint, which stands for it: all it does not have itself is the endpoint's, and it may be called as that may. Without a store, the api has arguments and a signal alone. */
export function requestOf<
  T extends AnyEndpoint & Pick<EndpointSettings, 'signal'> & { readonly method: string; readonly path: string },
>(
  endpoint: T,
  args: readonly unknown[],
  api: Partial<StoreApi> | { readonly signal: AbortSignal | undefined },
): T & Internal {
  const self = makeNamedCallable(endpoint, (others) => makeRequest(endpoint, others)) as T & Internal;
  const { signal = endpoint.signal ?? new AbortController().signal } = api;
  const [params, body] = splitArgs(endpoint, args);
  // The type of `api` cannot say what is missing without a store without saying so where there is one, too.
  self[API] = { args: joinArgs(params, body), ...api, signal } as HookApi;
  return self;
}

/** Whether its requests have a body. */
export function takesBody(endpoint: { readonly method: string }): boolean {
  const options = optionsOf(endpoint);
  if ('body' in options) return options.body !== undefined;
  return !/^(?:GET|HEAD|DELETE|OPTIONS)$/.test(endpoint.method);
}
