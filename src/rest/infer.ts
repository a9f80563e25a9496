import type { Collection, ItemOf } from '../schema/Collection.js';
import type { CollectionOperation } from '../schema/CollectionOperation.js';
import type { ValueOf } from '../schema/infer.js';
import type { PathParams } from './path.js';

/** The type of an option that was not given. */
export interface Undeclared {
  readonly undeclared: never;
}

/** What the types know of an endpoint. */
export interface EndpointShape {
  readonly path: string;
  /** What may stand in the query string; undefined for nothing, Undeclared for anything. */
  readonly searchParams: unknown;
  /** What is sent; undefined for nothing. */
  readonly body: unknown;
  readonly schema: unknown;
}

/** One flat object type, so that an editor shows the members and not how they came about. */
export type Flat<T> = { [Name in keyof T]: T[Name] };

type SearchOf<Search> = Search extends Undeclared
  ? Readonly<Record<string, unknown>>
  : Search extends undefined
    ? object
    : Search;

/** The first argument of an endpoint: path parameters and search parameters. */
export type ParamsOf<E extends EndpointShape> = E['searchParams'] extends Undeclared
  ? PathParams<E['path']> & Readonly<Record<string, unknown>>
  : Flat<
      PathParams<E['path']> &
        SearchOf<NonNullable<E['searchParams']> extends never ? undefined : NonNullable<E['searchParams']>>
    >;

/** Parameters of an endpoint that takes none. */
type NoParams = Readonly<Record<string, never>>;

type Params<E extends EndpointShape> = keyof ParamsOf<E> extends never ? NoParams : ParamsOf<E>;

/** The arguments of an endpoint: parameters, unless all are optional, and a body, if it takes one. */
export type ArgsOf<E extends EndpointShape> = [E['body']] extends [undefined]
  ? object extends ParamsOf<E>
    ? [params?: Params<E>]
    : [params: Params<E>]
  : object extends ParamsOf<E>
    ? [params: Params<E>, body: E['body']] | [body: E['body']]
    : [params: Params<E>, body: E['body']];

/** The arguments as the hooks get them: parameters first, whether they were given or not. */
export type HookArgs<E extends EndpointShape> = [params: Params<E>, body: E['body']];

type DataOf<Value> = {
  [Field in keyof Value as Value[Field] extends (...args: never) => unknown ? never : Field]: Value[Field];
};

type WireField<D> = D extends (wire: infer Wire) => unknown
  ? Wire
  : D extends new (wire: infer Wire) => unknown
    ? Wire
    : never;

type WireFields<S> = S extends { readonly schema: infer Fields }
  ? { [Field in keyof Fields]: WireField<Fields[Field]> }
  : object;

/** What a body may hold, where none is declared: the fields of the entity, each as its value or in wire form. */
export type DefaultBody<S> =
  DataOf<ValueOf<S>> extends infer Data
    ? | { [Field in keyof Data]?: Data[Field] | (Field extends keyof WireFields<S> ? WireFields<S>[Field] : never) }
      | FormData
    : never;

/** The body of a resource: the declared one, else the fields of its entity. */
export type BodyOf<S, Body> = [Body] extends [Undeclared] ? DefaultBody<S> : Body;

/** The body of partialUpdate. */
export type PartialBodyOf<S, Body> = [Body] extends [Undeclared]
  ? DefaultBody<S>
  : Body extends object
    ? Body extends FormData
      ? Body
      : Partial<Body>
    : Body;

/** The Collection in a definition. */
export type CollectionIn<S> =
  S extends Collection<infer D>
    ? Collection<D>
    : S extends (abstract new (...args: never) => unknown) | ((...args: never) => unknown)
      ? never
      : S extends Readonly<Record<string, unknown>>
        ? { [Field in keyof S]: CollectionIn<S[Field]> }[keyof S]
        : never;

/** What describes one item of a Collection. */
export type CollectionItem<C> = C extends Collection<infer D> ? ItemOf<D> : never;

/** A response as it comes: what JSON holds of the value that a definition describes. */
export type WireOf<S> =
  S extends Collection<infer D>
    ? WireOf<D>
    : S extends readonly [infer Item]
      ? WireOf<Item>[]
      : S extends abstract new (...args: never) => infer Instance
        ? {
            [Field in keyof DataOf<Instance>]: Field extends keyof WireFields<S>
              ? WireFields<S>[Field]
              : Instance[Field];
          }
        : S extends CollectionOperation<infer Value>
          ? Value
          : S extends { normalize(...args: never): unknown }
            ? unknown
            : S extends Readonly<Record<string, unknown>>
              ? { [Field in keyof S]: WireOf<S[Field]> }
              : S;
