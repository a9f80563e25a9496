import { Collection } from '../schema/Collection.js';
import { listsIn } from '../schema/collections.js';
import type { CollectionOptions } from '../schema/CollectionOptions.js';
import { resourceError, warnOnce } from '../errors.js';
import { isEntityClass } from '../schema/Entity.js';
import { Deletion } from '../schema/Deletion.js';
import { EFFECT, joinResource, type Effect, type ResourceOfMember } from './internal.js';
import type { Undeclared } from './shape.js';
import type { EndpointOptions, EndpointSettings } from './options.js';
import { own, type Definition } from '../schema/Schema.js';
import { compilePath } from './path.js';
import type { ShortenPath } from './pathTypes.js';
import { applyOptions } from './ready.js';
import type { EndpointClass, OwnOptions } from './ownClass.js';
import type { Resource, ResourceOptions } from './Resource.js';
import { RestEndpoint } from './RestEndpoint.js';

type Members = Record<string, RestEndpoint>;

/**
 * Makes the endpoints that read and change one kind of thing, sharing a path and a schema.
 *
 * @example
 * const TodoResource = createResource({ urlPrefix: '/api', path: '/todos/:id', schema: Todo, optimistic: true });
 * TodoResource.get({ id: 5 }); // GET /api/todos/5
 * TodoResource.getList(); // GET /api/todos
 */
export function createResource<
  const Path extends string,
  S,
  Search = Undeclared,
  Body = Undeclared,
  const Page extends string = never,
  Made extends object = RestEndpoint,
  ErrorData = Undeclared,
  const ListPath extends string = ShortenPath<Path>,
>(
  options: ResourceOptions<Path, S, Search, Body, Page, Made, ErrorData, ListPath> &
    OwnOptions<Made> & { readonly Endpoint: EndpointClass<Made> },
): Resource<Path, S, Search, Body, Page, Made, ErrorData, ListPath>;
export function createResource<
  const Path extends string,
  S,
  Search = Undeclared,
  Body = Undeclared,
  const Page extends string = never,
  Made extends object = RestEndpoint,
  ErrorData = Undeclared,
  const ListPath extends string = ShortenPath<Path>,
>(
  // A function that wraps this one spreads these options, which own ones would keep open.
  // eslint-disable-next-line @typescript-eslint/unified-signatures
  options: ResourceOptions<Path, S, Search, Body, Page, Made, ErrorData, ListPath>,
): Resource<Path, S, Search, Body, Page, Made, ErrorData, ListPath>;
export function createResource(
  options: ResourceOptions<string, Definition, unknown, unknown, string, object, unknown, string>,
): object {
  const {
    path,
    listPath = compilePath(path).short,
    schema,
    Endpoint = RestEndpoint,
    Collection: ListCollection = Collection,
    searchParams: _search,
    body,
    errorData: _errorData,
    paginationField,
    nonFilterArgumentKeys,
    windowArgumentKeys,
    belongs,
    ...shared
  } = options;
  warnOfSchema(path, schema);
  // A class without a name has no key either.
  const name = options.name ?? ((isEntityClass(schema) && schema.key) || path);
  // A class of the user's takes the options that RestEndpoint takes, and makes what it makes.
  const Class = Endpoint as unknown as new (options: EndpointOptions) => RestEndpoint;
  // A body is a type, but that there is none.
  const none = 'body' in options && body === undefined && { body, itemBody: body };
  const settings = { ...shared, ...none, path } as EndpointSettings & Pick<EndpointOptions, 'path'>;
  // What a member that edits does, it does by whichever method it is given.
  const make = (member: string, own: Partial<EndpointOptions> & { readonly [EFFECT]?: Effect }): RestEndpoint =>
    applyOptions(new Class({ ...settings, ...own, name: `${name}/${member}` }));
  const lists = new (ListCollection as new (definition: readonly unknown[], options: CollectionOptions) => Collection)(
    [schema],
    {
      paginationField,
      nonFilterArgumentKeys,
      windowArgumentKeys,
      // What it judges are the items of this schema.
      belongs: belongs,
      ...(options.name !== undefined && { name: options.name }),
    },
  );
  const members: Members = {
    get: make('get', { schema }),
    getList: make('getList', { path: listPath, schema: lists, paginationField, itemPath: path }),
    update: make('update', { method: 'PUT', schema, [EFFECT]: 'replace' }),
    partialUpdate: make('partialUpdate', { method: 'PATCH', schema, [EFFECT]: 'patch' }),
    delete: make('delete', { method: 'DELETE', schema: new Deletion(schema) }),
  };
  return extensible(members, name, { path, schema, names: new Map(), members: new Map() });
}

/** Tells of a schema that cannot be that of one item. */
function warnOfSchema(path: string, schema: Definition): void {
  warnOnce(() => {
    if (Array.isArray(schema))
      return [
        `schema ${path}`,
        `createResource({ path: "${path}" }) was given a list as its schema. Give it the schema of one item: its getList makes a list of that.`,
      ];
    if (schema === undefined)
      return [
        `schema ${path}`,
        `createResource({ path: "${path}" }) has no schema, so nothing of its answers is normalized. A class that is undefined here is mostly imported in a circle: look whether its module imports this one.`,
      ];
    // The prototype of a class is fixed; a function that reads the item has another, or none.
    const isClass =
      typeof schema === 'function' && Object.getOwnPropertyDescriptor(schema, 'prototype')?.writable === false;
    return isClass && !isEntityClass(schema)
      ? [
          `class ${schema.name}`,
          `createResource({ path: "${path}" }) was given the class ${schema.name}, which is no entity, so its items hold the defaults of the class in place of what the server sends. Write class ${schema.name} extends Entity, or give it EntityMixin(${schema.name}).`,
        ]
      : undefined;
  });
}

/** Adds `extend` to the members of a resource. */
function extensible(members: Members, name: string, resource: ResourceOfMember): Members {
  const { names, members: known } = resource;
  for (const [key, endpoint] of Object.entries(members)) {
    if (!(endpoint instanceof RestEndpoint)) continue;
    names.set(key, (names.get(key) ?? new Set()).add(endpoint.name));
    known.set(endpoint.name, endpoint);
    joinResource(endpoint, resource);
  }
  const member = (key: string, options: Partial<EndpointOptions>): RestEndpoint => {
    const known = own(members, key);
    if (known instanceof RestEndpoint) return known.extend(options);
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
    // In one piece: what a warning calls is in each bundle.
    warnOnce(() => {
      const rules = ['belongs', 'nonFilterArgumentKeys', 'windowArgumentKeys'] as const;
      for (const [key, one] of Object.entries(added)) {
        if (!(one instanceof RestEndpoint)) continue;
        const { name, schema } = one;
        const [was, now] = [own(members, key)?.schema, schema].map((one) =>
          listsIn(one).find((list) => list instanceof Collection),
        );
        const lost = rules.filter((one) => was?.options[one]).join(', ');
        if (lost === '' || was?.kind !== now?.kind || rules.some((one) => now?.options[one])) continue;
        return [
          `rules ${name}`,
          `${name} has a Collection of its own, to which ${lost} of createResource do not apply. Give them to that Collection: new Collection([…], { ${lost} }).`,
        ];
      }
      return undefined;
    });
    return extensible({ ...members, ...added }, name, resource);
  };
  const overrides = (first: object): Members =>
    Object.fromEntries(
      Object.entries(first as Record<string, Partial<EndpointOptions>>).map(([key, replaced]) => {
        if (!(own(members, key) instanceof RestEndpoint)) throw resourceError('R13', key);
        return [key, member(key, replaced)];
      }),
    );
  Object.defineProperty(members, 'extend', { value: extend, configurable: true });
  return members;
}
