import { Collection } from '../schema/Collection.js';
import { findCollection, listsIn, replaceCollection } from '../schema/collections.js';
import { CollectionOperation } from '../schema/CollectionOperation.js';
import { isPlain } from '../schema/Schema.js';
import type { PageOf, Paging, AnyEndpoint } from '../store/endpoint.js';
import { withoutNames } from './hooks.js';
import { joinArgs, splitArgs } from './internal.js';
import { compilePath } from './path.js';

/** The members of an endpoint that reads a list; what each changes is the Collection in its schema. */
type ListMember = 'push' | 'unshift' | 'assign' | 'remove' | 'move' | 'getPage' | 'getNextPage' | 'getPreviousPage';

/** An endpoint, as far as others are made of it. */
export interface ListReader extends AnyEndpoint {
  readonly path: string;
  readonly method: string;
  extend(options: Readonly<Record<string, unknown>>): unknown;
}

/** What is left of the parameters of a page: those of the list that it is a page of. */
type RemoveCursor = (params: Record<string, unknown>) => Readonly<Record<string, unknown>>;

/**
 * How the pages of a list follow each other, where each says how to ask for the next.
 *
 * @example
 * const paging: PagingOptions = { next: (_answer, args) => ({ ...Object(args), page: 2 }), maxPages: 2 };
 */
export interface PagingOptions {
  /** The whole parameters of the page after the one with this answer, or `[params, body]`; undefined where there is none. */
  next(answer: unknown, params: unknown, request: PageRequest): object | undefined;
  /** The same of the page before. */
  previous?(answer: unknown, params: unknown, request: PageRequest): object | undefined;
  /** The most pages that the list is made of. */
  readonly maxPages?: number | undefined;
}

/**
 * What else is known of a page: the headers of its answer, and the body of its request.
 *
 * @example
 * const hasNext = ({ headers }: PageRequest) => headers.get('Link')?.includes('rel="next"') ?? false;
 */
export interface PageRequest<Body = unknown> {
  /** The headers of the answer; across origins those alone that the server exposes. */
  readonly headers: Headers;
  /** The body of the request. */
  readonly body: Body;
}

/** What the endpoint was given for the sake of its members. */
interface ListOptions {
  readonly paginationField?: string | undefined;
  readonly itemPath?: string | undefined;
  readonly body?: unknown;
  readonly itemBody?: unknown;
  readonly pageOf?: PageOf | undefined;
  readonly paging?: Paging | undefined;
}

/** Gives an endpoint that reads a Collection the endpoints that change it; each is made on first use. */
export function addListMembers(endpoint: ListReader, options: ListOptions): void {
  const {
    paginationField,
    pageOf,
    paging = paginationField === undefined ? undefined : byNumber(endpoint, paginationField),
  } = options;
  const { schema } = endpoint;
  if (schema instanceof CollectionOperation || endpoint.sideEffect || 'push' in endpoint) return;
  const lists = listsIn(schema);
  if (lists.length === 0) return;
  for (const list of lists) {
    if (!(list instanceof Collection)) continue;
    if (paginationField !== undefined) list.pageFields.add(paginationField);
    for (const name of compilePath(endpoint.path).names) list.pathNames.add(name);
  }

  addOperations(endpoint, options);
  addPaginated(endpoint);
  if (pageOf) return;
  if (paging) addTurns(endpoint, paging);
  if (paginationField === undefined) return;
  const field = new Set([paginationField]);
  addMember(endpoint, 'getPage', () => pagesBy(endpoint, (params) => withoutNames(params, field)));
}

/** An endpoint of a list that is made on first use. */
function addMember(endpoint: ListReader, key: ListMember, options: () => Readonly<Record<string, unknown>>): void {
  Object.defineProperty(endpoint, key, {
    configurable: true,
    enumerable: true,
    get: () => {
      const value = endpoint.extend({ ...options(), name: `${endpoint.name}/${key}` });
      Object.defineProperty(endpoint, key, { value, enumerable: true });
      return value;
    },
  });
}

/** What puts items into lists, takes them out, and moves them. */
function addOperations(endpoint: ListReader, options: ListOptions): void {
  const { schema } = endpoint;
  const { itemPath } = options;
  // That the list itself has no body says nothing of an item; without either, the method says it, which `extend` may change.
  const isNone = (name: 'body' | 'itemBody'): boolean => name in options && options[name] === undefined;
  const own = isNone('itemBody') ? { body: undefined } : isNone('body') && { body: {} };
  const write = (verb: 'push' | 'unshift' | 'assign' | 'remove' | 'move', rest: object): void => {
    addMember(endpoint, verb, () => ({ sideEffect: true, schema: findCollection(schema)?.[verb], ...own, ...rest }));
  };
  for (const verb of ['push', 'unshift', 'assign'] as const) write(verb, { method: 'POST' });
  write('remove', { method: 'PATCH' });
  write('move', { method: 'PATCH', path: itemPath ?? endpoint.path });
}

/** What an endpoint has that reads pages; what is left of its arguments without the cursor tells the list that they are added to. */
function pagesBy(endpoint: ListReader, removeCursor: RemoveCursor): Readonly<Record<string, unknown>> {
  const listArgs = ([params, ...rest]: readonly unknown[]): readonly unknown[] => [
    removeCursor(withoutNames(params, new Set())),
    ...rest,
  ];
  return {
    schema: replaceCollection(endpoint.schema, (lists) => new CollectionOperation(lists, 'append', { listArgs })),
    pageOf: { endpoint, key: (...args: readonly unknown[]) => endpoint.key(...listArgs(args)) },
  };
}

function addPaginated(endpoint: ListReader): void {
  Object.defineProperty(endpoint, 'paginated', {
    configurable: true,
    enumerable: true,
    value: (given: RemoveCursor | PagingOptions) => {
      const name = `${endpoint.name}/paginated`;
      if (typeof given === 'object') return endpoint.extend({ paging: byCursor(endpoint, given), name });
      // From now on, the list is known to have pages.
      if (!endpoint.paging) setPaging(endpoint, { isByCursor: false, listArgs: (args) => args });
      return endpoint.extend({ ...pagesBy(endpoint, given), name });
    },
  });
}

/** What reads the pages beside those that a list is made of. */
function addTurns(endpoint: ListReader, paging: Paging): void {
  setPaging(endpoint, paging);
  const turns = { getNextPage: 'next', getPreviousPage: 'previous' } as const;
  const key = (...args: readonly unknown[]): string => endpoint.key(...paging.listArgs(args));
  for (const verb of ['getNextPage', 'getPreviousPage'] as const)
    addMember(endpoint, verb, () => ({
      schema: replaceCollection(endpoint.schema, (list) => list.addWith()),
      pageOf: { endpoint, key, direction: turns[verb] },
      paging: undefined,
    }));
}

function setPaging(endpoint: ListReader, value: Paging): void {
  Object.defineProperty(endpoint, 'paging', { value, configurable: true, enumerable: true, writable: true });
  for (const list of listsIn(endpoint.schema)) if (list instanceof Collection) list.hasPages = true;
}

/** Pages that a parameter counts; the first is 1, said or not. */
function byNumber(endpoint: ListReader, field: string): Paging {
  const names = new Set([field]);
  const turned = (args: readonly unknown[], by: 1 | -1): readonly unknown[] | undefined => {
    const [params, body] = splitArgs(endpoint, args);
    const given = isPlain(params) ? params : {};
    const number = Number(given[field] ?? 1) + by;
    if (!Number.isInteger(number) || number <= 0) return undefined;
    return joinArgs({ ...given, [field]: number }, body);
  };
  return {
    isByCursor: false,
    listArgs: (args) => {
      const [params, ...rest] = args;
      return isPlain(params) && field in params ? [withoutNames(params, names), ...rest] : args;
    },
    next: ({ args }) => turned(args, 1),
    previous: ({ args }) => turned(args, -1),
  };
}

/** Pages of which each says how to ask for those beside it. */
function byCursor(endpoint: ListReader, { next, previous, maxPages }: PagingOptions): Paging {
  const turned =
    (find: PagingOptions['next']): NonNullable<Paging['previous']> =>
    ({ response, headers = new Headers(), args }) => {
      const [params, body] = splitArgs(endpoint, args);
      const found = find(response, params, { headers, body });
      return Array.isArray(found) || !found ? found : joinArgs(found, body);
    };
  return {
    isByCursor: true,
    maxPages,
    listArgs: (args) => args,
    next: turned(next),
    previous: previous && turned(previous),
  };
}
