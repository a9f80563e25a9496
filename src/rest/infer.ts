import type { ArraySchema } from '../schema/Array.js';
import type { Collection, ItemOf } from '../schema/Collection.js';
import type { CollectionOperation } from '../schema/CollectionOperation.js';
import type { ValueOf } from '../schema/infer.js';
import type { UnionSchema } from '../schema/Union.js';
import type { ValuesSchema } from '../schema/Values.js';
import type { DefinitionsOf, Fields, WireOf } from '../schema/wire.js';
import type { Request, WriteRequest } from '../store/endpoint.js';
import type { PathParams, PathValue } from './path.js';

/**
 * The type of an option that was not given.
 *
 * @example
 * type Search = Undeclared; // any search parameters
 */
export interface Undeclared {
  readonly undeclared: never;
}

/** The shape of an endpoint that is not known any closer. */
export type EndpointShape = ShapeOptions;

/** One flat object type, so that an editor shows the members and not how they came about. */
export type Flat<T> = T extends infer Shape ? { [Name in keyof Shape]: Shape[Name] } : never;

/** The methods whose requests have no body, unless one is declared. */
type Bodyless = 'GET' | 'HEAD' | 'DELETE' | 'OPTIONS';

/**
 * What an endpoint is made of, as far as types go; what is not given is derived.
 *
 * @example
 * const shape: ShapeOptions = { path: '/todos/:id', method: 'PUT', schema: Todo };
 */
export interface ShapeOptions {
  readonly path: string;
  readonly method?: string | undefined;
  readonly sideEffect?: boolean | undefined;
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

/**
 * A type as it is, member by member: so it can be inferred from options that contain hooks, whose types depend on it.
 * What is no option is none.
 */
export type SameAs<T, Known> = {
  readonly [Name in keyof T]: Name extends keyof Known ? T[Name] : string extends Name ? T[Name] : never;
};

/** An option, or what stands for it where it was not given. */
export type Given<O, Name extends string, Otherwise> =
  O extends Readonly<Record<Name, infer Value>> ? Value : Otherwise;

type SchemaOf<O> = Given<O, 'schema', Undeclared>;

/** The body that an endpoint takes; undefined for none. */
type BodyIn<O extends ShapeOptions> = 'body' extends keyof O
  ? O['body']
  : BodyOfMethod<Given<O, 'method', 'GET'>, SchemaOf<O>>;

type BodyOfMethod<Method, S> = Method extends Bodyless | undefined ? undefined : DefaultBody<S>;

/** Options with others over them; hooks alone leave the shape as it is. */
export type Override<O extends ShapeOptions, New> = [Partial<ShapeOptions>, keyof New] extends
  [New, unknown] | [unknown, string extends keyof New ? keyof New : never]
  ? O
  : Flat<
        Omit<O, keyof New | 'body'> & Pick<New, keyof New & keyof ShapeOptions> & { body: BodyOver<O, New> }
      > extends infer Shape extends ShapeOptions
    ? Shape
    : never;

type BodyOver<O extends ShapeOptions, New> = New extends { readonly body: infer Body }
  ? Body
  : New extends { readonly method: infer Method }
    ? Method extends Bodyless
      ? undefined
      : [BodyIn<O>] extends [undefined]
        ? DefaultBody<Given<New, 'schema', SchemaOf<O>>>
        : BodyIn<O>
    : BodyIn<O>;

/** The value of an endpoint: what its schema describes, or whatever the server says. */
export type EndpointValue<O extends ShapeOptions> = O extends { readonly schema: infer S }
  ? S extends undefined
    ? unknown
    : ValueOf<S>
  : unknown;

/** Whether requests of this shape change something on the server: by option, else by method; a body without a method means POST. */
type WritesIn<O extends ShapeOptions> = string extends O['path']
  ? boolean
  : Given<O, 'sideEffect', undefined> extends infer Effect extends boolean
    ? Effect
    : Given<O, 'method', undefined> extends infer Method extends string
      ? WritesBy<Method>
      : [Given<O, 'body', undefined>] extends [undefined]
        ? false
        : true;

type WritesBy<Method extends string> = string extends Method ? boolean : Method extends 'GET' ? false : true;

/** What a call of an endpoint makes. */
export type RequestIn<O extends ShapeOptions> = [WritesIn<O>] extends [true]
  ? WriteRequest<EndpointValue<O>>
  : Request<EndpointValue<O>>;

/** The arguments of an endpoint where only a read makes sense; a write has none. */
export type ReadArgsOf<O extends ShapeOptions> = [WritesIn<O>] extends [true] ? [write: never] : CallArgs<O>;

/** The first argument of an endpoint: path parameters and search parameters. */
export type ParamsOf<O extends ShapeOptions> = O extends { readonly searchParams: infer Search }
  ? [Search] extends [Undeclared]
    ? PathParams<O['path']> & Readonly<Record<string, unknown>>
    : [Search] extends [undefined]
      ? O extends { readonly paginationField: string }
        ? Flat<PathParams<O['path']> & PageOf<O>>
        : PathParams<O['path']>
      : Flat<PathParams<O['path']> & SearchOf<Search> & PageOf<O>>
  : PathParams<O['path']> & Readonly<Record<string, unknown>>;

type SearchOf<Search> = undefined extends Search ? Partial<NonNullable<Search>> : Search;

/** The search parameter that asks for a page; it is no part of what the list is known by. */
type PageOf<O> = O extends { readonly paginationField: infer Page extends string }
  ? { readonly [Field in Page]?: PathValue }
  : unknown;

/** Parameters of an endpoint that takes none. */
type NoParams = Readonly<Record<string, never>>;

type Params<O extends ShapeOptions> = keyof ParamsOf<O> extends never ? NoParams : ParamsOf<O>;

/** What satisfies parameters that are all optional. */
type Nothing = Readonly<Record<never, never>>;

/** The arguments of an endpoint: parameters, unless all are optional, and a body, if it takes one. */
export type CallArgs<O extends ShapeOptions> = string extends O['path']
  ? readonly unknown[]
  : ArgsFor<Params<O>, BodyIn<O>>;

type ArgsFor<Params, Body> = [Body] extends [undefined]
  ? Nothing extends Params
    ? [params?: Params]
    : [params: Params]
  : Nothing extends Params
    ? undefined extends Body
      ? [params: Params, body?: Body] | [body?: Body]
      : [params: Params, body: Body] | [body: Body]
    : undefined extends Body
      ? [params: Params, body?: Body]
      : [params: Params, body: Body];

/** The arguments as the hooks get them: parameters first, whether they were given or not. */
export type HookArgs<O extends ShapeOptions> = [params: Params<O>, body: BodyIn<O>];

/** What a body may hold, where none is declared: the fields of the entity, each as its value or in wire form. */
export type DefaultBody<S> = [S] extends [Undeclared | undefined] ? unknown : FieldsOf<S> | FormData;

type FieldsOf<S> =
  S extends UnionSchema<infer Mapping>
    ? FieldsOf<Mapping[keyof Mapping]>
    : S extends Collection<infer D>
      ? FieldsOf<ItemSchema<Collection<D>>>
      : Fields<ValueOf<S>, DefinitionsOf<S>>;

/** What creates items: one, or where no body is declared, several. */
export type CreateBody<S, Body> = [Body] extends [Undeclared] ? DefaultBody<S> | readonly FieldsOf<S>[] : Body;

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

/** A shape without what was not given. */
export type Declared<Shape extends ShapeOptions> = {
  [Name in keyof Shape as [Shape[Name]] extends [Undeclared] ? never : Name]: Shape[Name];
} extends infer Given extends ShapeOptions
  ? Given
  : never;

/** What one item of a Collection is described by. */
export type ItemSchema<C> = C extends Collection<infer D> ? MemberSchema<D> : never;

type MemberSchema<D> = D extends readonly (infer Item)[]
  ? Item
  : D extends ArraySchema<infer Item>
    ? Item
    : D extends ValuesSchema<infer Item>
      ? Item
      : D extends ArraySchema<infer Mapping, string> | ValuesSchema<infer Mapping, string>
        ? UnionSchema<Mapping & Readonly<Record<string, unknown>>>
        : D;

/**
 * What brings an item to a Collection, and what that item is described by.
 *
 * @example
 * type Push = ItemOperation<Collection<readonly [typeof Todo]>>;
 */
export interface ItemOperation<C> extends CollectionOperation<ItemValue<C>> {
  /** The type of the response alone. */
  readonly wire?: WireOf<ItemSchema<C>>;
}

type ItemValue<C> = C extends Collection<infer D> ? ItemOf<D> : never;

/**
 * The arguments that an endpoint is called with: `ArgsOf<typeof TodoResource.get>` is `[params: { id: PathValue }]`.
 *
 * @example
 * const args: ArgsOf<typeof TodoResource.get> = [{ id: 5 }];
 * TodoResource.get(...args);
 */
export type ArgsOf<E extends (...args: never) => unknown> = Parameters<E>;
