import { CollectionOperation } from '../schema/CollectionOperation.js';
import { own, type Definition } from '../schema/Schema.js';
import { addressOf, type Address } from './addresses.js';
import { contentOf, type Content } from './answers.js';
import type { Params } from './filters.js';

/**
 * An endpoint, as far as a server needs it.
 *
 * @example
 * const endpoint: ServedEndpoint = TodoResource.get;
 */
export interface ServedEndpoint {
  /** Its name: `Todo/get`. */
  readonly name: string;
  /** The prefix of its action types. */
  readonly typePrefix: string;
  /** The HTTP method. */
  readonly method: string;
  /** What stands before its path. */
  readonly urlPrefix: string;
  /** Its path: `/todos/:id`. */
  readonly path: string;
  /** What describes its answer. */
  readonly schema: unknown;
}

/**
 * What a server can be made of: an endpoint, or a resource, whose members are endpoints.
 *
 * @example
 * const served: readonly Served[] = [TodoResource, TodoResource.get];
 */
export type Served = ServedEndpoint | { readonly get: ServedEndpoint } | { readonly getList: ServedEndpoint };

/** What a request to a route is answered with. */
type Kind = 'one' | 'list' | 'create' | 'assign' | 'replace' | 'patch' | 'delete' | 'remove' | 'custom';

/** What an endpoint may have beside, for lists and versions. */
interface Extras {
  readonly paginationField?: unknown;
  readonly paging?: { readonly isByCursor: boolean };
  readonly etag?: unknown;
}

/** One method at one address, with all endpoints that are sent there. */
export interface Route {
  readonly method: string;
  readonly address: Address;
  readonly endpoints: (ServedEndpoint & Extras)[];
  kind: Kind;
  definition: Definition;
  content: Content | undefined;
  /** The fields that parameters are about where they have other names. */
  columns: Readonly<Record<string, string>>;
}

const members: Readonly<Record<string, Kind>> = { update: 'replace', partialUpdate: 'patch', delete: 'delete' };
const verbs: Readonly<Record<string, Kind>> = {
  push: 'create',
  unshift: 'create',
  assign: 'assign',
  remove: 'remove',
  move: 'patch',
};

/** What an endpoint is, by its schema and by what it is called. */
function kindOf(member: string, { method, schema }: ServedEndpoint, content: Content | undefined): Kind {
  if (!content) return 'custom';
  const verb = schema instanceof CollectionOperation ? own(verbs, schema.verb) : undefined;
  if (verb) return verb;
  return method === 'GET' ? (content.isList ? 'list' : 'one') : (own(members, member) ?? 'custom');
}

export function isEndpoint(value: unknown): value is ServedEndpoint {
  return typeof value === 'function' && 'method' in value && 'path' in value;
}

/** What an endpoint is called in its resource; one that is called by its path has no such name. */
function memberName({ name, path }: ServedEndpoint): string {
  return name.endsWith(path) ? '' : (name.split('/').at(-1) ?? '');
}

/** All endpoints of a server, each with what it is called in its resource. */
function endpointsOf(served: readonly Served[]): readonly (readonly [member: string, endpoint: ServedEndpoint])[] {
  const own = served.flatMap((one) => (isEndpoint(one) ? [[memberName(one), one] as const] : Object.entries(one)));
  const there = own.filter((pair): pair is [string, ServedEndpoint] => isEndpoint(pair[1]));
  const ofLists = there.flatMap(([, endpoint]) =>
    Object.keys(verbs).flatMap((verb) => {
      const operation = (endpoint as unknown as Readonly<Record<string, unknown>>)[verb];
      // The push of a search by POST has the address of the search, which stays that of the search.
      return isEndpoint(operation) && operation.method !== endpoint.method ? [[verb, operation] as const] : [];
    }),
  );
  return [...there, ...ofLists];
}

/** The routes of a server: those with a query string of their own before others, literals before parameters. */
export function routesOf(served: readonly Served[]): readonly Route[] {
  const routes = new Map<string, Route>();
  for (const [member, endpoint] of endpointsOf(served)) {
    // The class fields of an endpoint's class hold from its first use on, which this is.
    const { typePrefix: _used, method, urlPrefix, path, schema } = endpoint;
    const address = addressOf(urlPrefix, path);
    const content = contentOf(schema, member === 'get');
    const kind = kindOf(member, endpoint, content);
    const key = `${method} ${address.shape}`;
    const known = routes.get(key);
    if (!known)
      routes.set(key, { method, address, kind, definition: schema, content, endpoints: [endpoint], columns: {} });
    else {
      known.endpoints.push(endpoint);
      if (known.kind === 'custom') Object.assign(known, { kind, definition: schema, content });
      // An edit that is sent by PUT changes what it is given; that of a whole row changes all of it.
      else if (known.kind === 'replace' && kind === 'patch') known.kind = kind;
    }
  }
  return [...routes.values()].sort(
    ({ address: one }, { address: other }) =>
      Number(other.hasQuery) - Number(one.hasQuery) || (one.shape < other.shape ? -1 : 1),
  );
}

/** What options may call the endpoints of a route: a list with its next pages is the list, too. */
export function namesIn({ endpoints }: Route): readonly string[] {
  return endpoints.flatMap(({ name }) => [name, name.replace('/paginated', '')]);
}

/** Finds the route of a request: `allowed` where its address has other methods alone, undefined where it has none. */
export function routeTo(
  routes: readonly Route[],
  method: string,
  url: URL,
): { readonly route: Route; readonly path: Params } | { readonly allowed: readonly string[] } | undefined {
  const found = routes.flatMap((route) => {
    const matched = route.address.match(url);
    return matched ? [{ route, path: matched.params, distance: matched.prefix.length }] : [];
  });
  const least = Math.min(...found.map(({ distance }) => distance));
  const near = found.filter(({ distance }) => distance === least);
  const asked = method === 'HEAD' ? 'GET' : method;
  const target = near.find(({ route }) => route.method === asked);
  if (target || near.length === 0) return target;
  return { allowed: [...new Set(near.map(({ route }) => route.method))] };
}
