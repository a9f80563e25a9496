import type { Draft } from '@reduxjs/toolkit';
import type { WireOf } from '../schema/wire.js';
import type { OpenLifetimes, PollFrequency, RecipeAbout, RecipeResult, RecipeTools } from '../store/endpoint.js';
import type { HookApi } from '../store/hookApi.js';
import type { Request } from '../store/request.js';
import type { Snapshot } from '../store/reading/snapshot.js';
import type { Content } from './hooks.js';
import type { CallArgs, FormBody, HookArgs, KnownByName, PayloadOf } from './infer.js';
import type { Given, ShapeOptions } from './shape.js';
import type { Retry } from './retry.js';

/** Headers in any form that `fetch` takes. Without the lib `dom`, only `RequestInit` tells which these are. */
export type SentHeaders = NonNullable<RequestInit['headers']>;

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
  Args extends readonly unknown[] = readonly unknown[],
  Subject = unknown,
> {
  /**
   * Gives the key of a request: requests with the same key share their data.
   *
   * @default the method, the address, and the body of a read
   */
  key?(...args: Args): string;
  /**
   * Gives the address of a request.
   *
   * @default `urlPrefix`, the path with its parameters, and the query string
   */
  url?(params: [] extends Args ? Params | undefined : Params): string;
  /** Gives the query string, from the parameters that the path does not name. */
  searchToString?(params: Readonly<Record<string, unknown>>): string;
  /** Gives the options of `fetch`, with the body as it is sent. */
  getRequestInit?(body: Body, api: HookApi): RequestInit | Promise<RequestInit>;
  /** Gives the headers to send, from the headers so far. */
  getHeaders?(headers: Record<string, string>, api: HookApi): SentHeaders | Promise<SentHeaders>;
  /**
   * Sends the request.
   *
   * @default `fetch`, or the `fetchFn` of the store
   */
  fetchResponse?(input: string, init: RequestInit): Promise<Response>;
  /** Reads the body of the response. */
  parseResponse?(response: Response): Promise<unknown>;
  /** Turns the parsed response into the form of the schema. */
  process?(value: unknown, params: Params, body: Body): unknown;
  /** Runs all steps of one request: from the arguments to the processed response. */
  fetch?(...args: readonly unknown[]): Promise<unknown>;
  /** Gives the answer to show until the real one comes; to show nothing, returns undefined or throws `snapshot.abort`. */
  getOptimisticResponse?(snapshot: Snapshot, params: Params, body: Body): unknown;
  /**
   * Decides when the server refuses a write because somebody else has changed the same fields (409, 412, with `etag`). It gives the body to send once
   * more, or undefined to reject the request. For a deletion, any value but undefined sends it once more.
   */
  onConflict?(conflict: ConflictOf<Params, Body, Subject>): BodyAgain<Body>;
  /** Tells whether a key belongs to this endpoint. */
  testKey?(key: string): boolean;
  /**
   * Names the data that a write changes on the server beside its answer. This data becomes stale, and is fetched for subscribers. The function gets the
   * answer as `process` returns it, and the arguments of the call. The answer is `null` where it is empty, and where nobody knows whether the write was done.
   */
  invalidates?(answer: Answer | null, args: Args): readonly Invalidated[];
  /**
   * Whether writes are sent one after the other: `true`, the writes to one item; a function, the writes for which it returns the same. All of them show at
   * once.
   *
   * @default false
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

/** The body to send once more, or none; a deletion has no body, so any value will do. */
type BodyAgain<Body> = [Body] extends [undefined] ? unknown : RecipeResult<Body> | Promise<RecipeResult<Body>>;

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
  change(
    draft: Draft<WireOf<S>>,
    args: [params: Params, body: PlainBody<Body>],
    api: RecipeApi,
  ): RecipeResult<WireOf<S>>;
}['change'];

/** A body as a recipe gets it: a form comes as its fields. */
type PlainBody<Body> = [Exclude<Body, FormBody>] extends [never]
  ? Readonly<Record<string, unknown>>
  : Exclude<Body, FormBody>;

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
 * What a write has changed: a request; an endpoint for all its requests that were made, or those of them whose first argument has some values; or, by name, a member of the resource
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
  CallArgs<O, KnownByName>,
  Given<O, 'schema', unknown>
> & {
  /**
   * Whether a write shows before the server answers: `true` shows what it sends, a recipe changes a draft of the row. An empty answer confirms what a
   * recipe has changed.
   *
   * @default false
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
  /**
   * Whether a write shows before the server answers.
   *
   * @default false
   */
  readonly optimistic?: boolean | undefined;
}

/** What one endpoint may be given beside its address; what it shows before an answer is its own. */
export interface MemberSettings<Value = unknown> extends Omit<OpenLifetimes, 'pollFrequency'> {
  /**
   * How often it is fetched for subscribers, in ms, or a function of the data that says so; 0 or `false` for never.
   *
   * @default undefined, never
   */
  readonly pollFrequency?: PollFrequency<Value> | undefined;
  /**
   * The beginning of every address: `https://example.com/api`, also with a slash at its end.
   *
   * @default ''
   */
  readonly urlPrefix?: string | undefined;
  /**
   * The name of the endpoint in actions and in the state.
   *
   * @default made of its schema and its method
   */
  readonly name?: string | undefined;
  /**
   * Whether a request is a write, that is, changes something on the server.
   *
   * @default false for GET, else true
   */
  readonly sideEffect?: boolean | undefined;
  /**
   * How the body of an answer is read: `'json'`, `'text'`, `'blob'`, `'arrayBuffer'` or `'stream'`.
   *
   * @default by the content type of the answer
   */
  readonly content?: Content | undefined;
  /**
   * Whether requests send the tags of the server (`ETag`). A read then asks only for news. The server refuses a write to a row that somebody else has
   * changed, and the write is tried again. Writes to one row are sent one after the other.
   *
   * @default false
   */
  readonly etag?: boolean | undefined;
  /**
   * The options of `fetch` for every request: credentials, mode, cache, …
   *
   * @default {}
   */
  readonly requestInit?: RequestInit | undefined;
  /**
   * A signal that aborts every request of the endpoint.
   *
   * @default undefined
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether an outbox keeps the writes, so that they survive the tab, or a function of the arguments that says so. The outbox stores plain text on the disk.
   *
   * @default true for the resources of an outbox, else false
   */
  readonly durable?: boolean | { choose(args: readonly unknown[]): boolean }['choose'] | undefined;
  /**
   * How many more times a request is sent that failed for a passing reason. POST and PATCH are sent once, unless `writes` is true.
   *
   * @default 0
   */
  readonly retry?: number | Retry | undefined;
}

/**
 * What makes an endpoint.
 *
 * @example
 * const options: EndpointOptions = { path: '/todos/:id', schema: Todo, retry: 3 };
 */
export interface EndpointOptions extends ShapeOptions, MemberSettings, EndpointHooks {
  /**
   * Whether a write shows before the server answers: `true` shows what it sends, a recipe changes a draft of the row.
   *
   * @default false
   */
  readonly optimistic?: boolean | AnyRecipe | undefined;
}
