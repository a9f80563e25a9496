import type { Collection } from '../schema/Collection.js';
import type { ValueOf } from '../schema/infer.js';
import type { OneMember } from '../schema/sound.js';
import type { UnionSchema } from '../schema/Union.js';
import type { DefinitionsOf, Fields, WireOf } from '../schema/wire.js';
import type { Request, WriteRequest } from '../store/request.js';
import type { ItemSchema } from './inferItems.js';
import type { PathParams, PathValue } from './pathTypes.js';
import type { Flat, Given, ShapeOptions, Undeclared } from './shape.js';

/** The methods whose requests have no body, unless one is declared. */
type Bodyless = 'GET' | 'HEAD' | 'DELETE' | 'OPTIONS';

type SchemaOf<O> = Given<O, 'schema', Undeclared>;

/** The body that an endpoint takes; undefined for none. */
export type BodyIn<O extends ShapeOptions> = 'body' extends keyof O
  ? O['body']
  : BodyOfMethod<Given<O, 'method', 'GET'>, SchemaOf<O>>;

type BodyOfMethod<Method, S> = Method extends string
  ? Uppercase<Method> extends Bodyless
    ? undefined
    : DefaultBody<S>
  : undefined;

/** Options with others over them; hooks alone leave the shape as it is. */
export type Override<O extends ShapeOptions, New> = [Partial<ShapeOptions>, keyof New] extends
  [New, unknown] | [unknown, string extends keyof New ? keyof New : never]
  ? O
  : Flat<
        Omit<O, keyof New | 'body'> &
          Pick<New, keyof New & (keyof ShapeOptions | 'process')> & { body: BodyOver<O, New> }
      > extends infer Shape extends ShapeOptions
    ? Shape
    : never;

type BodyOver<O extends ShapeOptions, New> = New extends { readonly body: infer Body }
  ? Body
  : New extends { readonly method: infer Method extends string }
    ? Uppercase<Method> extends Bodyless
      ? undefined
      : [BodyIn<O>] extends [undefined]
        ? DefaultBody<Given<New, 'schema', SchemaOf<O>>>
        : BodyIn<O>
    : BodyIn<O>;

/** The value of an endpoint: what its schema describes, or whatever the server says. */
export type EndpointValue<O extends ShapeOptions> = O extends { readonly schema: infer S }
  ? S extends Outdone<O>
    ? ResponseIn<O>
    : ValueOf<S>
  : ResponseIn<O>;

/** The payload of a `fulfilled` action: the wire form of what the schema describes, or what is made of the response. */
export type PayloadOf<O extends ShapeOptions> = O extends { readonly schema: infer S }
  ? S extends Outdone<O>
    ? ResponseIn<O>
    : WireOf<S>
  : ResponseIn<O>;

/** The schemas that do not describe the value: none; and any, where an answer is no JSON, and `process` makes no data of it. */
type Outdone<O> = O extends { readonly content: keyof Contents }
  ? 'process' extends keyof O
    ? undefined
    : unknown
  : undefined;

/** What the hooks make of a response that no schema describes. */
type ResponseIn<O> = O extends { process(...args: never): infer Response }
  ? Awaited<Response>
  : O extends { readonly content: infer Kind extends keyof Contents }
    ? Contents[Kind]
    : unknown;

/** The hook that makes the value of what the server says, as far as its return type goes. */
export interface ProcessOption<O extends ShapeOptions, Processed> {
  process?(value: unknown, ...args: HookArgs<O>): Processed;
}

/** A shape with what `process` makes; as it is where there is none, or where a schema describes the value. */
export type WithProcess<O extends ShapeOptions, Processed> = unknown extends Processed
  ? O
  : [Given<O, 'schema', undefined>, O] extends [undefined, unknown] | [unknown, { readonly content: keyof Contents }]
    ? Flat<Omit<O, 'process'> & { process(): Processed }> extends infer Shape extends ShapeOptions
      ? Shape
      : never
    : O;

/** What a response is read as, where it is not parsed. */
interface Contents {
  readonly text: string;
  readonly blob: Blob;
  readonly arrayBuffer: ArrayBuffer;
  readonly stream: ReadableStream<Uint8Array> | null;
}

/** Whether requests of this shape change something on the server: by option, else by method; a body without a method means POST. A path may be any. */
type WritesIn<O extends ShapeOptions> = ShapeOptions extends O
  ? boolean
  : Given<O, 'sideEffect', undefined> extends infer Effect extends boolean
    ? Effect
    : Given<O, 'method', undefined> extends infer Method extends string
      ? WritesBy<Method>
      : O extends { readonly body: undefined }
        ? false
        : O extends { readonly body: unknown }
          ? true
          : false;

type WritesBy<Method extends string> = string extends Method ? boolean : Uppercase<Method> extends 'GET' ? false : true;

/** What a call of an endpoint makes. */
export type RequestIn<O extends ShapeOptions> = [WritesIn<O>] extends [true]
  ? WriteRequest<EndpointValue<O>, Actions<O>>
  : Request<EndpointValue<O>, Actions<O>>;

/**
 * What the actions of an endpoint hold.
 *
 * @example
 * type OfTodo = Actions<{ path: '/todos/:id'; schema: typeof Todo }>;
 */
export interface Actions<O extends ShapeOptions> {
  /** The arguments, made plain. */
  readonly args: PlainArgs<O>;
  /** The processed response. */
  readonly payload: PayloadOf<O>;
  /** The body of an error response. */
  readonly errorData: ErrorDataOf<O>;
}

/**
 * What the actions of an endpoint hold that creates several items at once.
 *
 * @example
 * type OfTodos = ManyActions<{ path: '/todos'; schema: typeof Todo }>;
 */
export interface ManyActions<O extends ShapeOptions> extends Omit<Actions<O>, 'payload'> {
  /** The processed response. */
  readonly payload: readonly PayloadOf<O>[];
}

/** The arguments of an endpoint where only a read makes sense; a write has none. */
export type ReadArgsOf<O extends ShapeOptions> = [WritesIn<O>] extends [true] ? [write: never] : CallArgs<O>;

/** Refuses what cannot be: a list of several definitions, and a schema for what is never parsed. */
export type Sound<O> = O extends { readonly schema: infer S }
  ? { readonly schema?: OneMember<S> } & (O extends { readonly content: keyof Contents }
      ? 'process' extends keyof O
        ? unknown
        : { readonly schema?: undefined }
      : unknown)
  : unknown;

/** A shape with the type of the body of an error response, where that is declared. */
export type Erring<Shape extends ShapeOptions, Data> = [Data] extends [Undeclared]
  ? Shape
  : Shape & { readonly errorData: Data };

/** The body of an error response, where it is declared. */
export type ErrorDataOf<O> = Given<O, 'errorData', unknown>;

/** The arguments of an endpoint as an action has them. */
export type PlainArgs<O extends ShapeOptions> = Plain<CallArgs<O, KnownByName>>;

/** What becomes of a value in an action: a Date is its ISO string, FormData an object. */
type Plain<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends Date
    ? string
    : T extends FormBody
      ? Readonly<Record<string, unknown>>
      : T extends Blob | ((...args: never) => unknown)
        ? unknown
        : { readonly [Name in keyof T]: Plain<T[Name]> };

/** The first argument of an endpoint: path parameters and search parameters; any, where these are not declared. */
export type ParamsOf<O extends ShapeOptions, Any = KnownByName> = O extends { readonly searchParams: infer Search }
  ? [Search] extends [Undeclared]
    ? PathParams<O['path']> & Any
    : [Search] extends [undefined]
      ? O extends { readonly paginationField: string }
        ? Flat<PathParams<O['path']> & PageOf<O>>
        : PathParams<O['path']>
      : Flat<PathParams<O['path']> & SearchOf<Search> & PageOf<O>>
  : PathParams<O['path']> & Any;

/** Any parameters as hooks and actions have them. */
export type KnownByName = Readonly<Record<string, unknown>>;

/** Any parameters as a call takes them: also of an interface, which lacks the index signature of a record. */
export type AnyParams = object | KnownByName;

type SearchOf<Search> = undefined extends Search ? Partial<NonNullable<Search>> : Search;

/** The search parameter that asks for a page; it is no part of what the list is known by. */
type PageOf<O> = O extends { readonly paginationField: infer Page extends string }
  ? { readonly [Field in Page]?: PathValue }
  : unknown;

/** Parameters of an endpoint that takes none. */
type NoParams = Readonly<Record<string, never>>;

type Params<O extends ShapeOptions, Any = KnownByName> = keyof ParamsOf<O> extends never ? NoParams : ParamsOf<O, Any>;

/** What satisfies parameters that are all optional. */
type Nothing = Readonly<Record<never, never>>;

/**
 * The arguments of an endpoint: parameters, unless all are optional, and a body, if it takes one.
 *
 * @example
 * class Api<O extends ShapeOptions = ShapeOptions> extends RestEndpoint<O> {
 *   override fetch(...args: CallArgs<O>): Promise<unknown> {
 *     return super.fetch(...args);
 *   }
 * }
 */
export type CallArgs<O extends ShapeOptions, Any = AnyParams> = string extends O['path']
  ? AnyArgs<O>
  : ArgsFor<Params<O, Any>, BodyIn<O>>;

/** The arguments where the path may be any text: what the query string must have is asked for. */
type AnyArgs<O extends ShapeOptions> = O extends { readonly searchParams: infer Search }
  ? [Search] extends [Undeclared | undefined]
    ? readonly unknown[]
    : Nothing extends Search
      ? readonly unknown[]
      : readonly [params: Search & Readonly<Record<string, unknown>>, ...others: readonly unknown[]]
  : readonly unknown[];

type ArgsFor<Params, Body> = [Body] extends [undefined]
  ? Nothing extends Params
    ? [params?: Params]
    : [params: Params]
  : Nothing extends Params
    ? undefined extends Body
      ? [params: Params, body: Body] | [body?: Body]
      : [params: Params, body: Body] | [body: Body]
    : undefined extends Body
      ? [params: Params, body?: Body]
      : [params: Params, body: Body];

/** The arguments that create several items at once; none where a body cannot be several. */
export type ManyArgs<O extends ShapeOptions> = [Extract<BodyIn<O>, readonly unknown[]>] extends [never]
  ? [several: never]
  : ArgsFor<Params<O, AnyParams>, Extract<BodyIn<O>, readonly unknown[]>>;

/** The arguments as the hooks get them: parameters first, whether they were given or not. */
export type HookArgs<O extends ShapeOptions> = [params: Params<O>, body: BodyIn<O>];

/** What a body may hold, where none is declared: the fields of the entity, each as its value or in wire form. */
export type DefaultBody<S> = [S] extends [Undeclared | undefined] ? unknown : FieldsOf<S> | FormBody;

/**
 * FormData, without its methods, which an editor would list before the fields of the entity.
 *
 * @example
 * const form: FormBody = new FormData();
 * dispatch(TodoResource.getList.push({ userId: 1 }, form));
 */
export type FormBody = Iterable<readonly [name: string, value: string | File]>;

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

/** A shape without what was not given. What always is may be a type parameter, of which nothing can be asked. */
export type Declared<Shape extends ShapeOptions> = {
  [
    Name in keyof Shape as Name extends 'path' | 'schema' | 'itemPath'
      ? Name
      : [Shape[Name]] extends [Undeclared]
        ? never
        : Name
  ]: Shape[Name];
} extends infer Given extends ShapeOptions
  ? Given
  : never;

/**
 * The arguments that an endpoint is called with: `ArgsOf<typeof TodoResource.get>` is `[params: { id: PathValue }]`.
 *
 * @example
 * const args: ArgsOf<typeof TodoResource.get> = [{ id: 5 }];
 * TodoResource.get(...args);
 */
export type ArgsOf<E extends (...args: never) => unknown> = E extends (
  ...args: infer Args extends readonly unknown[]
) => unknown
  ? Args
  : never;
