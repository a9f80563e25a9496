import type { Draft } from '@reduxjs/toolkit';
import { resourceError } from '../errors.js';
import type { EntitySchema } from '../schema/EntitySchema.js';
import type { EntityClass } from '../schema/Entity.js';
import type { Definition, Row } from '../schema/Schema.js';
import type { WireOf } from '../schema/wire.js';
import type { Conflict, HookApi, StoreApi } from './hookApi.js';
import type { Snapshot } from './reading/snapshot.js';
import type { Tables } from '../tables/tables.js';

/**
 * How often subscribers have data fetched, in ms: always the same, or by what the data is; `false` or 0 for never. While there is no data, a function is not asked,
 * and nothing is polled.
 *
 * @example
 * const untilDone: PollFrequency<{ isDone: boolean }> = (job) => (job.isDone ? false : 1_000);
 */
export type PollFrequency<Data = unknown> = number | false | { choose(data: Data): number | false }['choose'];

/**
 * What identifies an entity: its pk, or the fields that its pk or an index is made of.
 *
 * @example
 * const titleOf = (id: EntityId) => resources.selectEntity(Todo, id)(store.getState())?.title;
 * titleOf(5);
 * titleOf({ id: 5 });
 */
export type EntityId = string | number | Readonly<Record<string, unknown>>;

/**
 * How long data and requests last, all in ms.
 *
 * @example
 * const live: Partial<Lifetimes> = { pollFrequency: 5_000, dataExpiryLength: 1_000 };
 * const getLive = TodoResource.get.extend(live);
 */
export interface Lifetimes {
  /**
   * How long an answer is fresh, in ms.
   *
   * @default 60_000
   */
  readonly dataExpiryLength: number;
  /**
   * How long `ifStale` and subscribers wait after a failure, in ms.
   *
   * @default 1_000
   */
  readonly errorExpiryLength: number;
  /**
   * How long data stays after its last subscriber has left, in ms.
   *
   * @default 60_000
   */
  readonly unusedDataExpiryLength: number;
  /**
   * How often it is fetched for subscribers, in ms, or a function of the data that says so; 0 or `false` for never.
   *
   * @default undefined, never
   */
  readonly pollFrequency: PollFrequency | undefined;
  /**
   * Whether stale data counts as missing, so that it does not show.
   *
   * @default false
   */
  readonly invalidIfStale: boolean;
  /**
   * How long each try of a request may take, from its hooks to the end of its answer, in ms; 0 for no limit.
   *
   * @default undefined, no limit
   */
  readonly timeout: number | undefined;
}

/** How long data and requests last, as far as an endpoint says it itself. */
export type OpenLifetimes = { readonly [Name in keyof Lifetimes]?: Lifetimes[Name] | undefined };

/** The response that is expected of a write, and how much of it may be shown before it came. */
export interface Expectation {
  readonly response: unknown;
  /** The fields that the request is about; all, when absent. */
  readonly fields?: ReadonlySet<string>;
  /** Whether only an entity that is there is changed. */
  readonly existing?: boolean;
  /** Whether items without a pk get a temporary one. */
  readonly creates?: boolean;
  /** Whether it depends on nothing but the arguments, so that it need not be asked for again. */
  readonly constant?: boolean;
  /** The fields of the class that are sent, and of which nobody can tell before the answer what they will be. */
  readonly unsaid?: readonly string[];
  /** Whether it was computed of what was there: a read that may have counted it in already waits with its rows. */
  readonly holdsRows?: boolean;
}

/** The row that a write is about, as far as its arguments tell. */
export interface About {
  /** Its class; undefined where it is one of a Union, and nothing tells which. */
  readonly entity: EntitySchema | undefined;
  /** Its pk, where the arguments give it. */
  readonly pk?: string | undefined;
  readonly params: unknown;
  /** Those parameters that the path names. */
  readonly inPath: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** An answer with another pk has renamed it: it is edited by the member of a resource that does so. */
  readonly renames: boolean;
  /** The path of the write, and the parameters in it that are the pk. */
  readonly path: string;
  readonly named?: Row | undefined;
}

/** How rows are called now that were called otherwise: paths that begin so name them by these parameters. */
export type Renames = readonly {
  readonly path: string;
  readonly was: Row;
  readonly now: Row;
}[];

/**
 * What a recipe may use of the store beside its draft; the same at every run.
 *
 * @example
 * const isMine = ({ requestId }: RecipeAbout, mine: string) => requestId === mine;
 */
export interface RecipeAbout extends Pick<HookApi, 'getState' | 'extra' | 'requestId'> {
  /** When the request was made, in ms since the epoch. */
  readonly startedTimeStamp: number;
}

/**
 * What a recipe may use of the rows around its draft.
 *
 * @example
 * const authorOf = ({ ref }: RecipeTools) => ref(User, 3);
 */
export interface RecipeTools {
  /**
   * A row as it is shown, or what stands for one that is not there: what a relation is set to. A path parameter, which may be a boolean, is an id.
   *
   * @example
   * const assign = TodoResource.partialUpdate.extend({
   *   body: {} as { userId: number },
   *   optimistic: (todo, [, { userId }], { ref }) => void Object.assign(todo, { user: ref(User, userId) }),
   * });
   */
  ref<D extends EntityClass>(entity: D, id: EntityId | boolean): Draft<WireOf<D>>;
}

/** What a recipe gives: another value, or nothing. TypeScript before 6 takes a function that only mutates for one that gives `void`. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type
export type RecipeResult<Value> = Value | undefined | void;

/** A recipe as the store runs it: it mutates a draft, or gives another value. */
export type RunRecipe = (draft: unknown, tools: { ref(entity: Definition, id: unknown): object }) => unknown;

/** What came of the hooks of one request. */
export interface RunResult {
  readonly response: unknown;
  /** Whether the response is never kept: text, files and streams are the caller's alone. */
  readonly isOpaque: boolean;
  /** Whether it is as JSON gives it, so that nobody need check that it is plain. */
  readonly isJson: boolean;
  /** The server says that the answer before still holds (304): what to throw where there is none. */
  readonly unchanged?: Error | undefined;
  /** The headers and the status of the answer, where there was one. */
  readonly headers?: Headers | undefined;
  readonly status?: number | undefined;
}

/** Where an endpoint keeps what only the store asks of it: an editor does not list it, and no member of a user's class can meet it. */
export const protocol: unique symbol = Symbol('rtk-resource/protocol');

/** An endpoint that this copy of the package has made; throws R21 for one of another copy, of which it knows nothing. */
export function ofThisCopy<E extends { readonly name: string }>(endpoint: E): E {
  if (!(protocol in endpoint)) throw resourceError('R21', endpoint.name);
  return endpoint;
}

/** What is known around a write whose effect is guessed or confirmed. */
export interface Around {
  /** Its request. */
  readonly about?: RecipeAbout | undefined;
  /** What is held of its row: that tells which of the texts of a form are what they seem. */
  readonly held?: Row | undefined;
}

/** What is known of a write when it is answered. */
export interface Sent {
  /** What a recipe has changed. */
  readonly changed: Row;
  /** What is held of the row that it is about, and its class; undefined where nobody knows the row. */
  readonly held?: Row | undefined;
  readonly entity?: EntitySchema | undefined;
  /** Whether a pk is that of another row, which was here before: what was sent says nothing of that. */
  readonly isOther: (table: string, pk: string) => boolean;
}

/** What the store asks of an endpoint to run its requests. */
export interface EndpointProtocol {
  /** Whether answers are texts or files, which are kept only where `process` makes data of them. */
  readonly asksForFile: boolean;
  /** The arguments without what no request is made of: of an object that is not plain, what the address names. */
  plainArgs(args: readonly unknown[]): readonly unknown[];
  /** Gets the response; runs the user's hooks. */
  run(args: readonly unknown[], api: StoreApi): Promise<RunResult>;
  /** What to show until the response is there; undefined for nothing. */
  expect(args: readonly unknown[], snapshot: Snapshot, around?: Around): Expectation | undefined;
  /** What a write tries to change, shown or not; undefined where it does not tell. */
  attempted(args: readonly unknown[], held?: Row): Expectation | undefined;
  /** The recipe for what to show of a write until its answer is there; undefined where it has none. */
  recipe(args: readonly unknown[], about: RecipeAbout): RunRecipe | undefined;
  /** The address whose tag a request heeds; undefined for none. */
  tagged(args: readonly unknown[]): string | undefined;
  /** What reads the row of a write: the read of its address that is in use, else its own address, read. */
  reading(
    args: readonly unknown[],
    known: AnyEndpoint | undefined | '',
  ): [endpoint: AnyEndpoint, args: readonly unknown[]];
  /** The arguments of a write that was refused, as the user's code has resolved the conflict; undefined where it has not. */
  resolved(args: readonly unknown[], conflict: Conflict): Promise<readonly unknown[] | undefined>;
  /** What an empty answer to a write confirms; undefined when it tells nothing. */
  confirmed(args: readonly unknown[], snapshot: Snapshot, around: Around): Expectation | undefined;
  /** The row that a write is about; undefined where it makes new ones, or is about none. Of a Union, the tables tell its class. */
  about(args: readonly unknown[], tables?: Tables): About | undefined;
  /** The key of a read at the address of a request. */
  address(args: readonly unknown[]): string;
  /** The members of its resource. */
  siblings(): Iterable<AnyEndpoint>;
  /** The arguments as far as they may tell which row a request is about: not with the pks of other rows that its path goes by. */
  naming(args: readonly unknown[]): readonly unknown[];
  /** Whether a read asks for a row in a way that only the server knows: in another language, with what belongs to it. */
  isVariant(args: readonly unknown[]): boolean;
  /** The arguments with the new names of rows in place of those that they had. */
  renamed(args: readonly unknown[], renames: Renames): readonly unknown[];
  /** What an answer to a write says: nothing where it is silent of its row, of which this is known; of many that are here, it may say their pks alone. */
  heard(answer: unknown, row: Row | undefined, tables: Tables): unknown;
  /** The answer to a write, with what was sent, or what its recipe has changed, where the answer does not mention it. */
  completed(args: readonly unknown[], answer: unknown, known: Sent): unknown;
  /** The fields that the body of a write names; undefined where it has none. */
  named(args: readonly unknown[]): readonly string[] | undefined;
  /** What a request waits in line for: those of one line are sent one after the other; undefined where it need not wait. */
  line(args: readonly unknown[]): string | undefined;
  /** What a write changes on the server beside what it answers. */
  invalidated(args: readonly unknown[], response: unknown): readonly Outdated[];
}

/** Carries the type of what an endpoint gives; nothing is there. */
export declare const VALUE: unique symbol;
declare const ERROR_DATA: unique symbol;
/**
 * Carries the type of the body of an error response; nothing is there.
 *
 * @example
 * const problemOf = <Data,>(_endpoint: ErrorCarrier<Data>, data: Data) => data;
 */
export interface ErrorCarrier<ErrorData> {
  readonly [ERROR_DATA]?: ErrorData;
}

/**
 * An endpoint, whatever its arguments: all that the store knows of it, whichever protocol it speaks.
 *
 * @example
 * const nameOf = (endpoint: AnyEndpoint) => endpoint.name;
 * nameOf(TodoResource.get); // 'Todo/get'
 */
export interface AnyEndpoint<Value = unknown> extends OpenLifetimes {
  /** Unique among the endpoints of a store; the prefix of action types. */
  readonly name: string;
  /** What it asks for, in words: what tells it from another of its name. */
  readonly definition?: string;
  /** What its response is described by. */
  readonly schema: Definition;
  /** Whether a request changes something on the server; such are never joined. */
  readonly sideEffect: boolean;
  /** Whether an outbox keeps its writes. */
  readonly durable?: boolean | ((args: never) => boolean) | undefined;
  /** What tells one request of the endpoint from another. */
  key(...args: readonly unknown[]): string;
  /** The read whose answer this one adds to, as a page does, and that read's key for the arguments of this one. */
  readonly pageOf?: PageOf | undefined;
  /** Of a read that gives a list page by page: how its pages follow each other. */
  readonly paging?: Paging | undefined;
  readonly [protocol]: EndpointProtocol;
  readonly [VALUE]?: Value;
}

/** The list that a page belongs to. */
export interface PageOf {
  readonly endpoint: AnyEndpoint;
  key(...args: readonly unknown[]): string;
  /** Which page it is, where the caller does not say: the one after the last, or before the first. */
  readonly direction?: 'next' | 'previous';
}

/** A page of a list, and what came for it, where that is known still. */
export interface AnsweredPage extends Partial<Pick<RunResult, 'response' | 'headers'>> {
  readonly args: readonly unknown[];
}

/** How the pages of a list follow each other. */
export interface Paging {
  /** Whether only the answer to a page tells how to ask for the next. */
  readonly isByCursor: boolean;
  /** The most pages that a list is made of. */
  readonly maxPages?: number | undefined;
  /** The arguments of the list, of those of one of its pages; the very same where they are so already. */
  listArgs(args: readonly unknown[]): readonly unknown[];
  /** The arguments of the page after one. */
  next?: ((page: AnsweredPage) => readonly unknown[] | undefined) | undefined;
  /** The arguments of the page before one. */
  previous?: ((page: AnsweredPage) => readonly unknown[] | undefined) | undefined;
}

/** Which requests a write has made stale; where it names one, that. */
export interface Outdated extends RequestFilter {
  readonly request?: { readonly endpoint: AnyEndpoint; readonly args: readonly unknown[] };
}

/**
 * Which requests something is about: one, all of an endpoint, or those of them whose first argument has some values.
 *
 * @example
 * const ofAll: RequestFilter = { name: TodoResource.get.name };
 * const ofOne: RequestFilter = { name: TodoResource.get.name, key: TodoResource.get.key({ id }) };
 * const ofUser: RequestFilter = { name: TodoResource.getList.name, params: { userId: 1 } };
 */
export interface RequestFilter {
  /** The name of the endpoint. */
  readonly name: string;
  /** Absent for all arguments. */
  readonly key?: string;
  /** What the first argument has; absent for any. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** These alone, by what they are kept under: reads that show what others have brought. */
  readonly pks?: readonly string[];
}
