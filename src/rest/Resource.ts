import type { Collection } from '../schema/Collection.js';
import type { CollectionOptions } from '../schema/CollectionOptions.js';
import type { InvalidateSchema } from '../schema/Invalidate.js';
import type { SoundItem } from '../schema/sound.js';
import type { WireOf } from '../schema/wire.js';
import type { BodyOf, Declared, Erring, Override, PartialBodyOf, ProcessOption, WithProcess } from './infer.js';
import type { NoSuchName, ShapeOptions, Undeclared } from './shape.js';
import type { ConflictOf, EndpointHooks, EndpointSettings } from './options.js';
import type { EndpointClass, ExtendOptions, OfClass, OwnExtendOptions, ShapeIn } from './ownClass.js';
import type { ShortenPath } from './pathTypes.js';
import type { Endpoint, ListIn, RestEndpoint } from './RestEndpoint.js';

/**
 * What makes a resource.
 *
 * @example
 * const optionsOf = <Path extends string>({ path }: Pick<ResourceOptions<Path, unknown, unknown, unknown, never, object>, 'path'>) => path;
 */
export interface ResourceOptions<
  Path extends string,
  S,
  Search,
  Body,
  Page extends string,
  Made extends object,
  ErrorData = Undeclared,
  ListPath extends string = ShortenPath<Path>,
>
  extends EndpointSettings, EndpointHooks {
  /** The path of one item: `/todos/:id`. */
  readonly path: Path;
  /**
   * The path of the list.
   *
   * @default the path without its last parameter: `/todos`
   */
  readonly listPath?: ListPath;
  /** The schema of one item. */
  readonly schema: SoundItem<S>;
  /**
   * The type of the query string of the list: `{} as { userId?: number }`.
   *
   * @default any parameters
   */
  readonly searchParams?: Search;
  /**
   * The type of the body of a write: `{} as { title: string }`.
   *
   * @default the fields of the entity, all optional
   */
  readonly body?: Body;
  /**
   * The type of the body of an error response: `{} as { errors: Record<string, string> }`.
   *
   * @default unknown
   */
  readonly errorData?: ErrorData;
  /**
   * The search parameter of a page. With it, the list has a `getPage`.
   *
   * @default undefined, one page
   */
  readonly paginationField?: Page;
  /**
   * Tells whether an item belongs to the list with these parameters; undefined if only the server knows.
   *
   * @default the fields of the item decide
   */
  readonly belongs?: CollectionOptions<Partial<WireOf<S>>>['belongs'];
  /**
   * Decides when the server refuses a write because somebody else has changed the same fields (409, 412, with `etag`). It gives the body to send once
   * more, or undefined to reject the request. For a deletion, any value but undefined sends it once more.
   */
  onConflict?(
    conflict: ConflictOf<unknown, [Body] extends [Undeclared] ? unknown : PartialBodyOf<S, Body>, S>,
  ): unknown;
  /**
   * The parameters that do not filter a list: an array, a RegExp or a function. It replaces the names that are known (`limit`, `sort` and the like).
   *
   * @default `limit`, `sort` and the like
   */
  readonly nonFilterArgumentKeys?: CollectionOptions['nonFilterArgumentKeys'];
  /**
   * More parameters that make a list a window, beside `offset`, `cursor` and the like. A created item joins no window.
   *
   * @default []
   */
  readonly windowArgumentKeys?: CollectionOptions['windowArgumentKeys'];
  /**
   * The class of every endpoint.
   *
   * @default RestEndpoint
   */
  readonly Endpoint?: EndpointClass<Made>;
  /**
   * The class of the schema of the list.
   *
   * @default Collection
   */
  readonly Collection?: CollectionClass;
}

/** A subclass of Collection; the constructor of one with `any[]` takes no readonly list. */
type CollectionClass = new (definition: [never], options?: CollectionOptions) => object;

/**
 * The endpoints of one kind of thing, as `createResource` makes them: `Resource<'/todos/:id', typeof Todo>`.
 * `Search` and `Body` are the types of `searchParams` and `body`, `Page` is the `paginationField`, `Made` the class given as `Endpoint`,
 * `ListPath` the path of the list.
 *
 * @example
 * const UserResource: Resource<'/users/:id', typeof User> = createResource({ path: '/users/:id', schema: User });
 */
export type Resource<
  Path extends string,
  S,
  Search = Undeclared,
  Body = Undeclared,
  Page extends string = never,
  Made extends object = RestEndpoint,
  ErrorData = Undeclared,
  // From a union of one: a path that is inferred from a resource has to reach here before it is known.
  ListPath extends string = ShortenPath<[Path][Path extends unknown ? 0 : never]>,
> = Extensible<MembersOf<ResourceMembers<Path, S, Search, Body, Page, ErrorData, ListPath>, Made>, Made>;

/**
 * The endpoints of one kind of thing, by name. No interface, whose members an editor would show with all its type arguments.
 *
 * @example
 * type Get = ResourceMembers<'/todos/:id', typeof Todo, undefined, undefined, never>['get'];
 */
export type ResourceMembers<
  Path extends string,
  S,
  Search,
  Body,
  Page extends string,
  ErrorData = Undeclared,
  ListPath extends string = ShortenPath<Path>,
> = {
  /** Reads one item. */
  readonly get: Endpoint<Erring<{ path: Path; searchParams: undefined; body: undefined; schema: S }, ErrorData>>;
  /** Reads a list; has what adds to it, takes from it, and reads its pages. */
  readonly getList: ListIn<
    Declared<{
      path: ListPath;
      searchParams: Search;
      schema: Collection<readonly [S]>;
      paginationField: Page;
      itemPath: Path;
      itemBody: Body;
      errorData: ErrorData;
    }>
  >;
  /** Replaces an item. */
  readonly update: RestEndpoint<
    Erring<{ path: Path; searchParams: undefined; body: BodyOf<S, Body>; schema: S }, ErrorData>
  >;
  /** Changes some fields of an item. */
  readonly partialUpdate: RestEndpoint<
    Erring<{ path: Path; searchParams: undefined; body: PartialBodyOf<S, Body>; schema: S }, ErrorData>
  >;
  /** Deletes an item. */
  readonly delete: RestEndpoint<
    Erring<
      { path: Path; method: 'DELETE'; searchParams: undefined; body: undefined; schema: InvalidateSchema },
      ErrorData
    >
  >;
};

/** The members of a resource whose endpoints are of a class of the user's. */
type MembersOf<Members, Made> = [keyof Made] extends [keyof RestEndpoint]
  ? Members
  : { readonly [Name in keyof Members]: OfClass<Members[Name], Made> };

/**
 * A resource that can be extended: in batch, by one member, or by a function of the members there are.
 *
 * @example
 * type Named = Extensible<{ get: typeof TodoResource.get }>;
 */
export type Extensible<Members extends object, Made = unknown> = Members & {
  /** Makes a resource with more members, or with others. */
  readonly extend: ResourceExtend<Members, Made> & WithOwn<Members, Made>;
};

/**
 * How a resource is extended; what comes of it can be extended again.
 *
 * @example
 * const extend: ResourceExtend<{ get: typeof TodoResource.get }, unknown> = TodoResource.extend;
 */
export interface ResourceExtend<Members extends object, Made> {
  /** Members that are made of those there are. */
  <Added extends Readonly<Record<string, unknown>>>(
    make: (base: Members) => Added,
  ): Extensible<Omit<Members, keyof Added> & Added, Made>;
  /** Other options for members there are. */
  <
    Overrides extends { readonly [Name in keyof Overrides]: OptionsFor<Name, Members> },
    Literal extends string,
  >(overrides: {
    readonly [Name in keyof Overrides]: ExtendOptions<BaseShape<Members, Name>, Overrides[Name]> & Texts<Literal>;
  }): Extensible<Overridden<Members, Overrides, Made>, Made>;
  /** One more member, or another in place of one. */
  <Name extends string, New extends Partial<ShapeOptions>, Processed = unknown>(
    name: Name,
    options: ExtendOptions<BaseShape<Members, Name>, New> &
      ProcessOption<Override<BaseShape<Members, Name>, New>, Processed>,
  ): Extensible<WithMember<Members, Name, New, Made, Processed>, Made>;
}

/** The same with the fields of a class of the user's. A function that does not know the class extends without, so it is an overload. */
type WithOwn<Members extends object, Made> = [keyof Made] extends [keyof RestEndpoint]
  ? unknown
  : OwnResourceExtend<Members, Made>;

/**
 * How a resource is extended whose endpoints are of a class of the user's: with the fields of that class, too.
 *
 * @example
 * type Extends = OwnResourceExtend<{ get: typeof TodoResource.get }, MyEndpoint>;
 */
export interface OwnResourceExtend<Members extends object, Made> {
  /** Other options for members there are. */
  <
    Overrides extends { readonly [Name in keyof Overrides]: OptionsFor<Name, Members> },
    Literal extends string,
  >(overrides: {
    readonly [Name in keyof Overrides]: OwnExtendOptions<BaseShape<Members, Name>, Overrides[Name], Made> &
      Texts<Literal>;
  }): Extensible<Overridden<Members, Overrides, Made>, Made>;
  /** One more member, or another in place of one. */
  <Name extends string, New extends Partial<ShapeOptions>, Processed = unknown>(
    name: Name,
    options: OwnExtendOptions<BaseShape<Members, Name>, New, Made> &
      ProcessOption<Override<BaseShape<Members, Name>, New>, Processed>,
  ): Extensible<WithMember<Members, Name, New, Made, Processed>, Made>;
}

/**
 * Members of which some have other options, as `resource.extend({ … })` gives them.
 *
 * @example
 * type Polled = Overridden<{ get: typeof TodoResource.get }, { get: { pollFrequency: number } }, unknown>;
 */
export type Overridden<Members, Overrides, Made> = {
  readonly [Name in keyof Members]: Name extends keyof Overrides
    ? Extended<BaseShape<Members, Name>, Overrides[Name], Made>
    : Members[Name];
};

/**
 * Members and one more, as `resource.extend(name, options)` gives them.
 *
 * @example
 * type Named = WithMember<{ get: typeof TodoResource.get }, 'vote', { path: '/todos/:id/vote' }, unknown>;
 */
export type WithMember<Members, Name extends string, New, Made, Processed = unknown> = Omit<Members, Name> & {
  readonly [N in Name]: Extended<BaseShape<Members, Name>, New, Made, Processed>;
};

type OptionsFor<Name, Members> = Name extends keyof Members ? unknown : NoSuchName<Name>;

/** The options whose very text is in types; a type parameter keeps it. */
interface Texts<Literal extends string> {
  readonly path?: Literal;
  readonly method?: Literal;
  readonly paginationField?: Literal;
}

type Extended<O extends ShapeOptions, New, Made, Processed = unknown> = OfClass<
  Endpoint<WithProcess<Override<O, New>, Processed>>,
  Made
>;

type BaseShape<Members, Name> = Name extends keyof Members
  ? ShapeIn<Members[Name]>
  : Members extends { readonly get: infer Get }
    ? ShapeIn<Get>
    : never;
