import type { EntityClass } from '../schema/Entity.js';
import type { Row } from '../schema/Schema.js';
import type { Fields, WireOf } from '../schema/wire.js';
import type { Match, Undo } from './rules.js';
import type { ServedEndpoint } from './routes.js';
import type { Maker } from './seed.js';
import type { Held } from './traffic.js';
import type { WriteHook } from './writes.js';

/**
 * What a mock server begins with, and how it behaves.
 *
 * @example
 * const options: MockOptions = { seed: { Todo: [{ id: 1, title: 'Read' }] }, delay: [100, 400] };
 */
export interface MockOptions<Table extends string = string> {
  /**
   * The rows of each table, by the key of its entity class; or a number of rows, which `make` makes.
   *
   * @default {}
   */
  readonly seed?: { readonly [Name in Table]?: readonly object[] | number };
  /** Makes the rows of a table; counts from 1. */
  readonly make?: { readonly [Name in Table]?: Maker };
  /** Makes of each row that a request writes what is kept of it, such as with the time; or refuses it with a Response. */
  readonly write?: { readonly [Name in Table]?: WriteHook };
  /** Reshapes answers, by the name of the endpoint: envelopes, rows with some of their fields. */
  readonly shape?: Readonly<Record<string, (answer: unknown, context: ShapeContext) => unknown>>;
  /** The fields that parameters are about where they have other names, by the name of the endpoint: `{ 'Comment/getList': { id: 'issueId' } }`. */
  readonly columns?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The parameter that asks for a page, by the name of the list: `{ 'Task/getList': 'page' }`. A text `next` in its answer is then an address. */
  readonly pages?: Readonly<Record<string, string>>;
  /**
   * How long an answer takes, in ms: a time, two limits, or a function of the request.
   *
   * @default 0
   */
  readonly delay?: number | readonly [min: number, max: number] | ((request: Request) => number);
  /**
   * How many rows a page has, if the request does not say it.
   *
   * @default 20
   */
  readonly pageSize?: number;
  /**
   * The seed of all random values.
   *
   * @default 1
   */
  readonly randomSeed?: number;
  /**
   * Gives the time, in ms since the epoch.
   *
   * @default the beginning of 2025, and a second later with every write
   */
  readonly now?: () => number;
  /**
   * Whether a parameter that is no field of a row is an error (400), or filters nothing.
   *
   * @default 'error'
   */
  readonly unknownFilters?: 'error' | 'ignore';
  /**
   * What `fetch` does with a request without an endpoint: it fails, asks the network, or gives your answer.
   *
   * @default 'error'
   */
  readonly onUnhandledRequest?: 'error' | 'bypass' | ((request: Request) => Response | Promise<Response>);
}

/**
 * What a reshaped answer is of.
 *
 * @example
 * const envelope = (answer: unknown, { params }: ShapeContext) => ({ data: answer, userId: params['userId'] });
 */
export interface ShapeContext {
  /** Those of the path and of the query string. */
  readonly params: Readonly<Record<string, string | readonly string[]>>;
  /** The request. */
  readonly request: Request;
}

/**
 * A request that the server got.
 *
 * @example
 * const isSent = ({ method, status }: Call) => method === 'POST' && status === 201;
 */
export interface Call {
  /** Its HTTP method. */
  readonly method: string;
  /** Its path, without the query string. */
  readonly path: string;
  /** Those of the path and of the query string. */
  readonly params: Readonly<Record<string, string | readonly string[]>>;
  /** Its body: parsed, if it is JSON or a form. */
  readonly body: unknown;
  /** What it was answered with; undefined until then, and where no answer came. */
  readonly status: number | undefined;
  /** Its `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
}

/** The parameters of a call as an address has them. */
type Told<P> = {
  readonly [Name in keyof P]:
    string | ([Extract<P[Name], readonly unknown[]>] extends [never] ? never : readonly string[]);
};

/** A body as JSON has it. */
type Sent<B> = B extends string | number | boolean | null | undefined
  ? B
  : B extends Date
    ? string
    : B extends Iterable<readonly [string, unknown]>
      ? never
      : B extends readonly (infer Item)[]
        ? readonly Sent<Item>[]
        : { readonly [Name in keyof B]: Sent<B[Name]> };

/** The hooks of an endpoint get its parameters and its body. */
type HookArgs<E> = E extends { process(value: unknown, ...args: infer Args): unknown } ? Args : readonly unknown[];

/**
 * What an answer of one's own is made of.
 *
 * @example
 * const archive = ({ params, rows }: AnswerContext<typeof TodoResource.get>) => rows(Todo).find(({ id }) => String(id) === params.id) ?? null;
 */
export interface AnswerContext<E = unknown> extends Pick<MockServer, 'rows'> {
  /** Those of the path and of the query string. */
  readonly params: Told<HookArgs<E>[0]>;
  /** The body: parsed, if it is JSON or a form. */
  readonly body: Sent<HookArgs<E>[1]>;
  /** The request. */
  readonly request: Request;
}

/** What may stand in a field by its definition: for a relation also a pk. A class without definitions of its own has none. */
type Written<Definitions, Field> = string extends keyof Definitions
  ? never
  : Field extends keyof Definitions
    ? Exclude<Fields<{ it: undefined }, { it: Definitions[Field] }>['it'], undefined>
    : never;

/** Some fields of a row in wire form; a relation may be a row or its pk. */
type SomeOf<D extends EntityClass> = {
  readonly [Field in keyof WireOf<D>]?: WireOf<D>[Field] | Written<D['schema'], Field>;
};

/** What JSON can hold, and nothing for an empty answer. */
type Json = object | string | number | boolean | null | undefined;

/**
 * A row of the server that has changed; `row` is null where it was deleted.
 *
 * @example
 * const tell = ({ entity, row }: RowChange) => row && dispatch(resources.set(entity, row));
 */
export interface RowChange {
  /** Its class. */
  readonly entity: EntityClass;
  /** Its pk. */
  readonly pk: string;
  /** The row in wire form. */
  readonly row: Row | null;
}

/**
 * A REST server in memory.
 *
 * @example
 * const server: MockServer = mockServer([TodoResource], { seed: { Todo: [{ id: 1, title: 'Read' }] } });
 * server.hold('PATCH');
 */
export interface MockServer {
  /** Answers as the global `fetch` does; it needs no `this`, and takes relative addresses. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Answers a request of msw or a service worker; undefined, with its body unread, where no endpoint is for it; `Response.error()` where the network breaks or the client aborts. */
  readonly handle: (request: Request) => Promise<Response | undefined>;
  /** Answers requests of an endpoint by a function of yours; the newest answer holds. Throws a TypeError where the server does not have it. */
  use<E extends ServedEndpoint>(
    endpoint: E,
    answer: (context: AnswerContext<E>) => Json | Promise<Json>,
    options?: { readonly times?: number },
  ): Undo;
  /** The rows of a class, as they are now. */
  readonly rows: <D extends EntityClass>(entity: D) => WireOf<D>[];
  /** Changes or adds rows, as somebody else would. */
  set<D extends EntityClass>(entity: D, rows: SomeOf<D> | readonly SomeOf<D>[]): void;
  /** Deletes a row, as somebody else would. */
  remove(entity: EntityClass, pk: string | number): void;
  /**
   * Keeps requests waiting. Reads take their answer on arrival, writes are not applied before they are answered; `at` says otherwise.
   * Undone, it releases nothing.
   */
  hold(match?: Match, options?: { readonly at?: 'arrival' | 'answer' }): Undo;
  /** What waits, in the order of arrival. */
  readonly held: readonly Held[];
  /** Answers all that waits. */
  release(): void;
  /** Refuses requests; nothing of them is applied. */
  fail(match: Match, status: number | Response, options?: { readonly body?: unknown; readonly times?: number }): Undo;
  /** Applies requests, and loses their answers: a TypeError, as when the network breaks. */
  lose(match: Match, options?: { readonly times?: number }): Undo;
  /** Loses requests before they arrive: a TypeError. */
  drop(match: Match, options?: { readonly times?: number }): Undo;
  /** Answers requests so much later, in ms. */
  delay(ms: number, match?: Match): Undo;
  /** Loses all requests. */
  offline(): Undo;
  /** The requests that arrived, in their order. */
  readonly calls: readonly Call[];
  /** Hears of each row that changes, as a socket does. */
  subscribe(listener: (change: RowChange) => void): Undo;
  /** Begins anew: the seed, ids, the time, what was told, calls; what is under way is dropped. */
  reset(): void;
  /** All rows, as text. */
  snapshot(): string;
  /** Goes back to a snapshot. */
  restore(snapshot: string): void;
}
