import { Collection, type CollectionOptions } from '../schema/Collection.js';
import type { CollectionOperation } from '../schema/CollectionOperation.js';
import { isEntityClass } from '../schema/Entity.js';
import { Invalidate } from '../schema/Invalidate.js';
import type { BodyOf, CollectionIn, CollectionItem, EndpointShape, PartialBodyOf, Undeclared } from './infer.js';
import { compilePath, type PathValue, type ShortenPath } from './path.js';
import {
  applyOptions,
  RestEndpoint,
  type EndpointHooks,
  type EndpointOptions,
  type EndpointSettings,
} from './RestEndpoint.js';
import type { ValueOf } from '../schema/infer.js';

/** What makes a resource. */
export interface ResourceOptions<Path extends string, S, Search, Body, Page extends string>
  extends EndpointSettings, EndpointHooks {
  /** Where one item is; the list is where its last parameter is not. */
  readonly path: Path;
  /** What one item is. */
  readonly schema: S;
  /** The type of the query string of the list: `{} as { userId?: number }`. */
  readonly searchParams?: Search;
  /** The type of what is sent: `{} as { title: string }`; the fields of the entity, unless given. */
  readonly body?: Body;
  /** The search parameter that asks for a page; there is a `getPage` when it is given. */
  readonly paginationField?: Page;
  /** Makes every endpoint. */
  readonly Endpoint?: EndpointClass;
  /** Makes the schema of the list. */
  readonly Collection?: CollectionClass;
}

/** A subclass of RestEndpoint. */
export type EndpointClass = new (options: EndpointOptions<never, never, never, never>) => object;
/** A subclass of Collection. */
export type CollectionClass = new (definition: readonly [never], options?: CollectionOptions) => object;

type Shape<Path extends string, Search, Body, S> = { path: Path; searchParams: Search; body: Body; schema: S };

/** An endpoint that reads a list, with those that change it. */
export type ListEndpoint<
  E extends EndpointShape,
  Body,
  Page extends string,
  ItemPath extends string,
> = RestEndpoint<E> &
  ListMembers<E, CollectionItem<CollectionIn<E['schema']>>, Body, ItemPath> &
  ([Page] extends [never]
    ? unknown
    : {
        readonly getPage: RestEndpoint<Shape<E['path'], PageParams<E['searchParams'], Page>, undefined, E['schema']>>;
      });

type PageParams<Search, Page extends string> = ([Search] extends [Undeclared]
  ? Readonly<Record<string, unknown>>
  : Search extends undefined
    ? unknown
    : Search) &
  Readonly<Record<Page, PathValue>>;

/** What changes a list. */
export interface ListMembers<E extends EndpointShape, Item, Body, ItemPath extends string> {
  /** Creates an item, and adds it at the end of every list it belongs to. */
  readonly push: RestEndpoint<Shape<E['path'], E['searchParams'], Body | readonly Body[], CollectionOperation<Item>>>;
  /** Creates an item, and adds it at the start of every list it belongs to. */
  readonly unshift: RestEndpoint<
    Shape<E['path'], E['searchParams'], Body | readonly Body[], CollectionOperation<Item>>
  >;
  /** Adds values by name. */
  readonly assign: RestEndpoint<
    Shape<E['path'], E['searchParams'], Readonly<Record<string, Body>>, CollectionOperation<ValueOf<E['schema']>>>
  >;
  /** Takes an item out of the lists of these arguments. */
  readonly remove: RestEndpoint<Shape<E['path'], E['searchParams'], Body, CollectionOperation<Item>>>;
  /** Changes an item so that it belongs to other lists. */
  readonly move: RestEndpoint<Shape<ItemPath, undefined, Body, CollectionOperation<Item>>>;
}

/** The endpoints of one kind of thing. */
export interface Resource<Path extends string, S, Search, Body, Page extends string> {
  readonly get: RestEndpoint<Shape<Path, undefined, undefined, S>>;
  readonly getList: ListEndpoint<
    Shape<ShortenPath<Path>, ListSearch<Search, Page>, undefined, Collection<readonly [S]>>,
    BodyOf<S, Body>,
    Page,
    Path
  >;
  readonly update: RestEndpoint<Shape<Path, undefined, BodyOf<S, Body>, S>>;
  readonly partialUpdate: RestEndpoint<Shape<Path, undefined, PartialBodyOf<S, Body>, S>>;
  readonly delete: RestEndpoint<Shape<Path, undefined, undefined, Invalidate>>;
}

type ListSearch<Search, Page extends string> = [Search] extends [Undeclared]
  ? Undeclared
  : [Page] extends [never]
    ? Search
    : Search & { readonly [Field in Page]?: PathValue };

/** A resource that can be extended: in batch, by one member, or by a function of the members there are. */
export type Extensible<Members extends object> = Members & {
  extend<const Overrides extends { readonly [Name in keyof Members]?: Partial<EndpointOptions> }>(
    overrides: Overrides,
  ): Extensible<{
    readonly [Name in keyof Members]: Name extends keyof Overrides
      ? Overridden<Members[Name], Overrides[Name]>
      : Members[Name];
  }>;
  extend<const Name extends string, const O extends Partial<EndpointOptions>>(
    name: Name,
    options: O,
  ): Extensible<
    Omit<Members, Name> & {
      readonly [N in Name]: Overridden<Name extends keyof Members ? Members[Name] : GetOf<Members>, O>;
    }
  >;
  extend<Added extends Readonly<Record<string, unknown>>>(
    make: (base: Members) => Added,
  ): Extensible<Omit<Members, keyof Added> & Added>;
};

type GetOf<Members> = Members extends { readonly get: infer Get } ? Get : never;

type Given<O, Name extends string, Otherwise> = O extends Readonly<Record<Name, infer Value>> ? Value : Otherwise;

/** The shape of an endpoint with some of its options replaced. */
export type Overridden<Endpoint, O> =
  Endpoint extends RestEndpoint<infer E>
    ? RestEndpoint<
        Shape<
          Given<O, 'path', E['path']> & string,
          Given<O, 'searchParams', E['searchParams']>,
          Given<O, 'body', E['body']>,
          Given<O, 'schema', E['schema']>
        >
      > &
        Omit<Endpoint, keyof RestEndpoint>
    : Endpoint;

type Members = Record<string, RestEndpoint>;

/** Makes the endpoints that read and change one kind of thing, sharing a path and a schema. */
export function createResource<
  const Path extends string,
  S,
  Search = Undeclared,
  Body = Undeclared,
  const Page extends string = never,
>(options: ResourceOptions<Path, S, Search, Body, Page>): Extensible<Resource<Path, S, Search, Body, Page>> {
  const { path, schema, Endpoint = RestEndpoint, Collection: ListCollection = Collection, ...rest } = options;
  const { searchParams: _search, body: _body, paginationField, ...shared } = rest;
  const name = options.name ?? (isEntityClass(schema) ? schema.key : path);
  // A class of the user's takes the options that RestEndpoint takes, and makes what it makes.
  const make = (member: string, own: Partial<EndpointOptions>): RestEndpoint =>
    applyOptions(
      new (Endpoint as typeof RestEndpoint)({
        ...(shared as EndpointSettings),
        path,
        ...own,
        name: `${name}/${member}`,
      }),
    );
  const lists = new (ListCollection as typeof Collection)([schema], {
    paginationField,
    ...(options.name !== undefined && { name: options.name }),
  });
  const members: Members = {
    get: make('get', { schema }),
    getList: make('getList', { path: compilePath(path).short, schema: lists, paginationField, itemPath: path }),
    update: make('update', { method: 'PUT', schema }),
    partialUpdate: make('partialUpdate', { method: 'PATCH', schema }),
    delete: make('delete', { method: 'DELETE', schema: new Invalidate(schema) }),
  };
  // The members are those that the types name.
  return extensible(members, name) as unknown as Extensible<Resource<Path, S, Search, Body, Page>>;
}

/** Adds `extend` to the members of a resource. */
function extensible(members: Members, name: string): Members {
  const member = (key: string, options: Partial<EndpointOptions>): RestEndpoint => {
    const known = members[key];
    if (known) return known.extend(options);
    const { get } = members;
    if (!get) throw new TypeError('A resource has a get.');
    const { body } = options;
    return get.extend({
      method: body === undefined ? 'GET' : 'POST',
      ...options,
      name: options.name ?? `${name}/${key}`,
    });
  };
  const extend = (
    first: string | object | ((base: Members) => Members),
    options: Partial<EndpointOptions> = {},
  ): Members => {
    const added =
      typeof first === 'function'
        ? (first as (base: Members) => Members)(members)
        : typeof first === 'string'
          ? { [first]: member(first, options) }
          : overrides(first);
    return extensible({ ...members, ...added }, name);
  };
  const overrides = (first: object): Members =>
    Object.fromEntries(
      Object.entries(first as Record<string, Partial<EndpointOptions>>).map(([key, own]) => [key, member(key, own)]),
    );
  Object.defineProperty(members, 'extend', { value: extend, configurable: true });
  return members;
}
