/** The shape of an endpoint: its options, as far as types go. */
import type { Content } from './hooks.js';

/**
 * The type of an option that was not given.
 *
 * @example
 * type Search = Undeclared; // any search parameters
 */
export interface Undeclared {
  /** Nothing is assignable to it. */
  readonly undeclared: never;
}

/** The shape of an endpoint that is not known any closer. */
export type EndpointShape = ShapeOptions;

/** One flat object type, so that an editor shows the members and not how they came about. */
export type Flat<T> = T extends infer Shape ? { [Name in keyof Shape]: Shape[Name] } : never;

/**
 * What an endpoint is made of, as far as types go; what is not given is derived.
 *
 * @example
 * const shape: ShapeOptions = { path: '/todos/:id', method: 'PUT', schema: Todo };
 */
export interface ShapeOptions {
  /** Where it is: `/todos/:id`. */
  readonly path: string;
  /** The HTTP method; GET, or with a body POST, unless given. */
  readonly method?: string | undefined;
  /** Whether a request changes something on the server. */
  readonly sideEffect?: boolean | undefined;
  /** The type of the query string: `{} as { userId?: number }`. */
  readonly searchParams?: unknown;
  /** The type of what is sent: `{} as { title: string }`. */
  readonly body?: unknown;
  /** What the response is described by. */
  readonly schema?: unknown;
  /** Of a list: the search parameter that asks for a page. */
  readonly paginationField?: string | undefined;
  /** Of a list: where one item of it is, which is where `move` is sent. */
  readonly itemPath?: string | undefined;
  /** Of a list: the type of what is sent to create an item. */
  readonly itemBody?: unknown;
  /** How the body of the response is read. */
  readonly content?: Content | undefined;
  /** The type of the body of an error response: `{} as { errors: Record<string, string> }`. */
  readonly errorData?: unknown;
}

/**
 * A type as it is, member by member: so it can be inferred from options that contain hooks, whose types depend on it.
 * What is no option is none.
 */
export type SameAs<T, Known> = {
  readonly [Name in keyof T]: Name extends keyof Known ? T[Name] : string extends Name ? T[Name] : NoSuchName<Name>;
};

/** What nothing can be: with this name the compiler tells of a misspelt option or member. */
export interface NoSuchName<Name> {
  readonly [none]: Name;
}

declare const none: unique symbol;

/** An option, or what stands for it where it was not given. */
export type Given<O, Name extends string, Otherwise> =
  O extends Readonly<Record<Name, infer Value>> ? Value : Otherwise;
