import { Collection, findCollection, listsIn, replaceCollection } from '../schema/Collection.js';
import { CollectionOperation } from '../schema/CollectionOperation.js';
import type { Requestable } from '../store/endpoint.js';
import { withoutNames } from './hooks.js';
import { compilePath } from './path.js';

/** The members of an endpoint that reads a list; what each changes is the Collection in its schema. */
type ListMember = 'push' | 'unshift' | 'assign' | 'remove' | 'move' | 'getPage';

/** An endpoint, as far as others are made of it. */
interface ListReader extends Requestable {
  readonly path: string;
  extend(options: Readonly<Record<string, unknown>>): unknown;
}

/** What is left of the parameters of a page: those of the list that it is a page of. */
type RemoveCursor = (params: Record<string, unknown>) => Readonly<Record<string, unknown>>;

/** What the endpoint was given for the sake of its members. */
interface ListOptions {
  readonly paginationField?: string | undefined;
  readonly itemPath?: string | undefined;
}

/** Gives an endpoint that reads a Collection the endpoints that change it; each is made on first use. */
export function addListMembers(endpoint: ListReader, { paginationField, itemPath }: ListOptions): void {
  const { schema } = endpoint;
  if (schema instanceof CollectionOperation || endpoint.sideEffect || 'push' in endpoint) return;
  const lists = listsIn(schema);
  if (lists.length === 0) return;
  for (const list of lists) {
    if (!(list instanceof Collection)) continue;
    if (paginationField !== undefined) list.pageFields.add(paginationField);
    for (const name of compilePath(endpoint.path).names) list.pathNames.add(name);
  }

  const member = (key: ListMember, options: () => Readonly<Record<string, unknown>>): void => {
    Object.defineProperty(endpoint, key, {
      configurable: true,
      enumerable: true,
      get: () => {
        const value = endpoint.extend({ ...options(), name: `${endpoint.name}/${key}` });
        Object.defineProperty(endpoint, key, { value, enumerable: true });
        return value;
      },
    });
  };
  const post = (verb: 'push' | 'unshift' | 'assign'): void => {
    member(verb, () => ({ method: 'POST', sideEffect: true, schema: findCollection(schema)?.[verb] }));
  };
  post('push');
  post('unshift');
  post('assign');
  member('remove', () => ({ method: 'PATCH', sideEffect: true, schema: findCollection(schema)?.remove }));
  member('move', () => ({
    method: 'PATCH',
    sideEffect: true,
    schema: findCollection(schema)?.move,
    path: itemPath ?? endpoint.path,
  }));
  const paginated = (removeCursor: RemoveCursor): Readonly<Record<string, unknown>> => {
    const listParams = (params: unknown): unknown => removeCursor(withoutNames(params, new Set()));
    return {
      schema: replaceCollection(schema, (lists) => pagesOf(lists, listParams).addWith()),
      pageOf: {
        endpoint,
        key: (params: unknown, ...rest: readonly unknown[]) => endpoint.key(listParams(params), ...rest),
      },
    };
  };
  Object.defineProperty(endpoint, 'paginated', {
    configurable: true,
    enumerable: true,
    value: (removeCursor: RemoveCursor) =>
      endpoint.extend({ ...paginated(removeCursor), name: `${endpoint.name}/paginated` }),
  });
  if (paginationField === undefined) return;
  const field = new Set([paginationField]);
  member('getPage', () => paginated((params) => withoutNames(params, field)));
}

/** The same lists, known by what a function makes of the parameters. */
function pagesOf(lists: Collection, listParams: (params: unknown) => unknown): Collection {
  const argsKey = (params: unknown, ...rest: readonly unknown[]): object => lists.argsKey(listParams(params), ...rest);
  // All but how a list is found stays that of the user's Collection, also of a subclass.
  return Object.create(lists, { argsKey: { value: argsKey }, kind: { value: lists.kind } }) as Collection;
}
