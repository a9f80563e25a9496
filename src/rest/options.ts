import type { HookApi, Lifetimes, Request } from '../store/endpoint.js';
import type { Snapshot } from '../store/reading/snapshot.js';
import type { Content } from './hooks.js';
import type { HookArgs, ShapeOptions } from './infer.js';
import type { Retry } from './retry.js';

/** The steps of one request that options may override; `this` is the endpoint. */
export interface EndpointHooks<Params = unknown, Body = unknown> {
  key?(...args: readonly unknown[]): string;
  url?(params?: Params): string;
  searchToString?(params: Readonly<Record<string, unknown>>): string;
  getRequestInit?(body: Body, api?: HookApi): RequestInit | Promise<RequestInit>;
  getHeaders?(headers: Record<string, string>, api?: HookApi): HeadersInit | Promise<HeadersInit>;
  fetchResponse?(input: string, init: RequestInit): Promise<Response>;
  parseResponse?(response: Response): Promise<unknown>;
  process?(value: unknown, params: Params, body: Body): unknown;
  fetch?(...args: readonly unknown[]): Promise<unknown>;
  getOptimisticResponse?(snapshot: Snapshot, params: Params, body: Body): unknown;
  testKey?(key: string): boolean;
  /** What a write changes on the server beside what it answers: its data is stale then, and fetched for subscribers. */
  invalidates?(params: Params, body: Body, response: unknown): readonly Invalidated[];
  /**
   * Sends writes one after the other: with `true` those to one entity, with a function those for which it gives the same.
   * What each changes is shown at once all the same.
   */
  serialize?: boolean | { choose(params: Params, body: Body): string }['choose'] | undefined;
}

/** What a write has changed: a request, or an endpoint for all its requests. */
export type Invalidated = Request | { readonly name: string; key(...args: never): string };

/** The hooks of an endpoint with these options. */
export type HooksOf<O extends ShapeOptions> = EndpointHooks<HookArgs<O>[0], HookArgs<O>[1]>;

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
  /** How many times a request is sent again that failed for a passing reason; POST and PATCH are not, unless said so. */
  readonly retry?: number | Retry | undefined;
}

/** What makes an endpoint. */
export interface EndpointOptions extends ShapeOptions, EndpointSettings, EndpointHooks {}
