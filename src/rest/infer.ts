import type { Collection, ItemOf } from '../schema/Collection.js';
import type { CollectionOperation } from '../schema/CollectionOperation.js';
import type { ValueOf } from '../schema/infer.js';
import type { PathParams } from './path.js';

/** The type of an option that was not given. */
export interface Undeclared {
  readonly undeclared: never;
}

/** The shape of an endpoint that is not known any closer. */
export interface EndpointShape extends ShapeOptions {
  readonly searchParams: unknown;
  readonly body: unknown;
  readonly schema: unknown;
}

/** One flat object type, so that an editor shows the members and not how they came about. */
export type Flat<T> = { [Name in keyof T]: T[Name] };

/** The methods whose requests have no body, unless one is declared. */
type Bodyless = 'GET' | 'HEAD' | 'DELETE' | 'OPTIONS';

/** What an endpoint is made of, as far as types go; what is not given is derived. */
export interface ShapeOptions {
  readonly path: string;
  readonly method?: string | undefined;
  readonly searchParams?: unknown;
  readonly body?: unknown;
  readonly schema?: unknown;
  /** Of a list: the search parameter that asks for a page. */
  readonly paginationField?: string | undefined;
  /** Of a list: where one item of it is, which is where `move` is sent. */
  readonly itemPath?: string | undefined;
  /** Of a list: the type of what is sent to create an item. */
  readonly itemBody?: unknown;
}

/** A type as it is, member by member: so it can be inferred from options that contain hooks, whose types depend on it. */
export type SameAs<T> = { readonly [Name in keyof T]: T[Name] };

/** An option, or what stands for it where it was not given. */
export type Given<O, Name extends string, Otherwise> =
  O extends Readonly<Record<Name, infer Value>> ? Value : Otherwise;

/** The shape that options give an endpoint. */
export interface ShapeOf<O extends ShapeOptions> {
  readonly path: O['path'];
  readonly searchParams: Given<O, 'searchParams', Undeclared>;
  readonly body: Given<O, 'body', BodyOfMethod<Given<O, 'method', 'GET'>, Given<O, 'schema', Undeclared>>>;
  readonly schema: Given<O, 'schema', Undeclared>;
}

type BodyOfMethod<Method, S> = Method extends Bodyless | undefined ? undefined : DefaultBody<S>;

/** Options with others over them. */
export interface Override<O extends ShapeOptions, New> {
  readonly path: Given<New, 'path', O['path']> & string;
  readonly searchParams: Given<New, 'searchParams', ShapeOf<O>['searchParams']>;
  readonly body: Given<
    New,
    'body',
    New extends { readonly method: infer Method }
      ? [Method, ShapeOf<O>['body']] extends [Bodyless, unknown] | [unknown, undefined]
        ? BodyOfMethod<Method, Given<New, 'schema', ShapeOf<O>['schema']>>
        : ShapeOf<O>['body']
      : ShapeOf<O>['body']
  >;
  readonly schema: Given<New, 'schema', ShapeOf<O>['schema']>;
  readonly paginationField: Given<New, 'paginationField', Given<O, 'paginationField', undefined>> &
    (string | undefined);
  readonly itemPath: Given<New, 'itemPath', Given<O, 'itemPath', undefined>> & (string | undefined);
  readonly itemBody: Given<New, 'itemBody', Given<O, 'itemBody', Undeclared>>;
}

/** The value of an endpoint: what its schema describes, or whatever the server says. */
export type EndpointValue<O extends ShapeOptions> = [ShapeOf<O>['schema']] extends [Undeclared | undefined]
  ? unknown
  : ValueOf<ShapeOf<O>['schema']>;

/** The first argument of an endpoint: path parameters and search parameters. */
export type ParamsOf<O extends ShapeOptions> = ShapeOf<O>['searchParams'] extends Undeclared
  ? PathParams<O['path']> & Readonly<Record<string, unknown>>
  : Flat<PathParams<O['path']> & SearchOf<ShapeOf<O>['searchParams']>>;

type SearchOf<Search> = [Search] extends [undefined]
  ? unknown
  : undefined extends Search
    ? Partial<NonNullable<Search>>
    : Search;

/** Parameters of an endpoint that takes none. */
type NoParams = Readonly<Record<string, never>>;

type Params<O extends ShapeOptions> = keyof ParamsOf<O> extends never ? NoParams : ParamsOf<O>;

/** What satisfies parameters that are all optional. */
type Nothing = Readonly<Record<never, never>>;

/** The arguments of an endpoint: parameters, unless all are optional, and a body, if it takes one. */
export type ArgsOf<O extends ShapeOptions> = string extends O['path']
  ? readonly unknown[]
  : [ShapeOf<O>['body']] extends [undefined]
    ? Nothing extends ParamsOf<O>
      ? [params?: Params<O>]
      : [params: Params<O>]
    : Nothing extends ParamsOf<O>
      ? [params: Params<O>, body: ShapeOf<O>['body']] | [body: ShapeOf<O>['body']]
      : [params: Params<O>, body: ShapeOf<O>['body']];

/** The arguments as the hooks get them: parameters first, whether they were given or not. */
export type HookArgs<O extends ShapeOptions> = [params: Params<O>, body: ShapeOf<O>['body']];

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
export type DefaultBody<S> = [S] extends [Undeclared | undefined]
  ? unknown
  : DataOf<ValueOf<S>> extends infer Data
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

/** What one item of a Collection is described by. */
export type ItemSchema<C> = C extends Collection<infer D> ? (D extends readonly [infer Item] ? Item : D) : never;
