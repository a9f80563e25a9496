import type { Draft } from '@reduxjs/toolkit';
import type { WireOf } from '../schema/wire.js';
import type { HookApi, Lifetimes, PollFrequency, RecipeAbout, RecipeTools } from '../store/endpoint.js';
import type { Request } from '../store/request.js';
import type { Snapshot } from '../store/reading/snapshot.js';
import type { Content } from './hooks.js';
import type { CallArgs, Given, HookArgs, PayloadOf, ShapeOptions } from './infer.js';
import type { Retry } from './retry.js';

/**
 * The steps of one request that options may override; `this` is the endpoint.
 *
 * @example
 * const hooks: EndpointHooks = { process: (value) => ({ ...(value as object), seen: true }) };
 * const getSeen = new RestEndpoint({ path: '/todos/:id', ...hooks });
 */
export interface EndpointHooks<
  Params = unknown,
  Body = unknown,
  Answer = unknown,
  Args = readonly unknown[],
  Subject = unknown,
> {
  /** What tells one request from another. */
  key?(...args: readonly unknown[]): string;
  /** The address of a request. */
  url?(params?: Params): string;
  /** The query string, of what the path does not name. */
  searchToString?(params: Readonly<Record<string, unknown>>): string;
  /** What is sent beside the address. */
  getRequestInit?(body: Body, api: HookApi): RequestInit | Promise<RequestInit>;
  /** The headers, of those that the request has by now. */
  getHeaders?(headers: Record<string, string>, api: HookApi): HeadersInit | Promise<HeadersInit>;
  /** Sends the request. */
  fetchResponse?(input: string, init: RequestInit): Promise<Response>;
  /** Reads the body of the response. */
  parseResponse?(response: Response): Promise<unknown>;
  /** Reshapes the parsed response; what it returns is normalized. */
  process?(value: unknown, params: Params, body: Body): unknown;
  /** The chain of one request: from the arguments to the processed response. */
  fetch?(...args: readonly unknown[]): Promise<unknown>;
  /** What to show until the answer is there; undefined, or a thrown `snapshot.abort`, for nothing. */
  getOptimisticResponse?(snapshot: Snapshot, params: Params, body: Body): unknown;
  /**
   * Decides where a write is refused because somebody else has changed the same fields (409, 412, with `etag`): gives the body to send once more; or
   * undefined, and the request is rejected. Of a deletion, anything but undefined sends it once more.
   */
  onConflict?(conflict: ConflictOf<Params, Body, Subject>): unknown;
  /** Whether a key is of this endpoint. */
  testKey?(key: string): boolean;
  /**
   * What a write changes on the server beside what it answers: its data is stale then, and fetched for subscribers. It gets what `process` has
   * returned, and the arguments as they were given.
   */
  invalidates?(answer: Answer, args: Args): readonly Invalidated[];
  /**
   * Sends writes one after the other: with `true` those to one entity, with a function those for which it gives the same.
   * What each changes is shown at once all the same.
   */
  serialize?: boolean | { choose(params: Params, body: Body): string }['choose'] | undefined;
}

/**
 * Two edits of the same fields of a row: of somebody else, which the server has, and of the user.
 *
 * @example
 * const theirsFirst = ({ theirs, mine }: ConflictOf<unknown, { title: string }, typeof Todo>) => ({ title: `${theirs.title} / ${mine.title}` });
 */
export interface ConflictOf<Params = unknown, Body = unknown, S = unknown> {
  /** The row as it was when the user changed it, in wire form. */
  readonly base: WireOf<S>;
  /** The row as the server has it, in wire form. */
  readonly theirs: WireOf<S>;
  /** The body that was refused. */
  readonly mine: Body;
  /** What the endpoint was called with. */
  readonly args: readonly [params: Params, body: Body];
}

/**
 * Mutates the draft of what a write is about, as immer does: in wire form, with what is nested in place; or gives another value. Of a create, the draft
 * is what its body and parameters make. It runs again whenever a row or list that it has looked at changes beneath it.
 *
 * @example
 * const complete: OptimisticRecipe<typeof Todo> = (todo) => {
 *   todo.completed = true;
 * };
 */
export type OptimisticRecipe<S = unknown, Params = unknown, Body = unknown> = {
  change(draft: Draft<WireOf<S>>, args: [params: Params, body: Body], api: RecipeApi): WireOf<S> | undefined;
}['change'];

/** A recipe, whatever it changes. */
export type AnyRecipe = { change(draft: never, args: never, api: never): undefined }['change'];

/**
 * What a recipe may use beside its draft. Other slices, and the clock, are no reason to run it again.
 *
 * @example
 * const assign = (todo: { user?: unknown }, userId: number, { ref }: RecipeApi) => {
 *   todo.user = ref(User, userId);
 * };
 */
export interface RecipeApi extends RecipeAbout, RecipeTools {}

/**
 * What a write has changed: a request; an endpoint for all its requests, or those whose first argument has some values; or, by name, a member of the resource
 * that the write is a member of.
 *
 * @example
 * const invalidates = (): readonly Invalidated[] => [TodoResource.get({ id }), ['getList', { userId: 1 }]];
 * const archive = TodoResource.partialUpdate.extend({ invalidates });
 */
export type Invalidated = Request | InvalidatedMember | readonly [InvalidatedMember, Readonly<Record<string, unknown>>];

/** An endpoint, or the name of a member. */
type InvalidatedMember = string | { readonly name: string; key(...args: never): string };

/** The hooks of an endpoint with these options. */
export type HooksOf<O extends ShapeOptions> = EndpointHooks<
  HookArgs<O>[0],
  HookArgs<O>[1],
  PayloadOf<O>,
  CallArgs<O>,
  Given<O, 'schema', unknown>
> & {
  /**
   * Whether a write shows its effect before it is confirmed: with `true` what it sends, with a recipe what that makes of the value that the
   * write is about. What a recipe changes counts as sent: an empty answer confirms it.
   */
  optimistic?: boolean | OptimisticRecipe<Given<O, 'schema', never>, HookArgs<O>[0], HookArgs<O>[1]> | undefined;
};

/**
 * What an endpoint may be given beside its address.
 *
 * @example
 * const settings: EndpointSettings = { urlPrefix: '/api', retry: 3, timeout: 10_000 };
 * const UserResource = createResource({ path: '/users/:id', schema: User, ...settings });
 */
export interface EndpointSettings<Value = unknown> extends MemberSettings<Value> {
  /** Whether a write shows what it sends before it is confirmed. */
  readonly optimistic?: boolean | undefined;
}

/** What one endpoint may be given beside its address; what it shows before an answer is its own. */
export interface MemberSettings<Value = unknown> extends Partial<Omit<Lifetimes, 'pollFrequency'>> {
  /** How often subscribers have it fetched, in ms, or by what the data is; `false` or 0 for never. */
  readonly pollFrequency?: PollFrequency<Value> | undefined;
  /** What every address begins with: `https://example.com/api`. */
  readonly urlPrefix?: string | undefined;
  /** Names the endpoint in actions and in the state; made of its schema and method, unless given. */
  readonly name?: string | undefined;
  /** Whether a request changes something on the server; all but GET do, unless said otherwise. */
  readonly sideEffect?: boolean | undefined;
  /** How the body of the response is read. */
  readonly content?: Content | undefined;
  /**
   * Whether the tags are heeded that the server gives its answers (`ETag`): a read asks whether its answer is the newest still, and a write is refused,
   * and tried again, where somebody else has changed the row meanwhile. Writes to one row are sent one after the other.
   */
  readonly etag?: boolean | undefined;
  /** What every request of the endpoint starts from: credentials, mode, cache, … */
  readonly requestInit?: RequestInit | undefined;
  /** Aborts every request of the endpoint. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether an outbox keeps the writes, so that they survive the tab, or for which arguments; those of its `resources`, unless said otherwise.
   * What is kept lies on the disk as plain text.
   */
  readonly durable?: boolean | { choose(args: readonly unknown[]): boolean }['choose'] | undefined;
  /** How many times a request is sent again that failed for a passing reason; POST and PATCH are not, unless said so. */
  readonly retry?: number | Retry | undefined;
}

/**
 * What makes an endpoint.
 *
 * @example
 * const options: EndpointOptions = { path: '/todos/:id', schema: Todo, retry: 3 };
 */
export interface EndpointOptions extends ShapeOptions, MemberSettings, EndpointHooks {
  /** Whether a write shows its effect before it is confirmed: what it sends, or what a recipe makes of what is there. */
  readonly optimistic?: boolean | AnyRecipe | undefined;
}
