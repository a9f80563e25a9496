import { findCollection, mayHoldCollection, replaceCollection, type Collection } from '../schema/Collection.js';
import { CollectionOperation } from '../schema/CollectionOperation.js';
import type { Definition } from '../schema/Schema.js';

/** The members of an endpoint that reads a list; what each changes is the Collection in its schema. */
type ListMember = 'push' | 'unshift' | 'assign' | 'remove' | 'move' | 'getPage';

/** An endpoint, as far as others are made of it. */
interface ListReader {
  readonly name: string;
  readonly path: string;
  readonly schema: Definition;
  readonly sideEffect: boolean;
  extend(options: Readonly<Record<string, unknown>>): unknown;
}

/** What the endpoint was given for the sake of its members. */
interface ListOptions {
  readonly paginationField?: string | undefined;
  readonly itemPath?: string | undefined;
}

/** Gives an endpoint that reads a Collection the endpoints that change it; each is made on first use. */
export function addListMembers(endpoint: ListReader, { paginationField, itemPath }: ListOptions): void {
  const { schema } = endpoint;
  if (schema instanceof CollectionOperation || endpoint.sideEffect || 'push' in endpoint) return;
  if (!mayHoldCollection(schema)) return;

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
  if (paginationField === undefined) return;
  member('getPage', () => ({
    schema: replaceCollection(schema, (inner: Collection) =>
      inner.options.paginationField === undefined ? inner.page(paginationField) : inner.addWith(),
    ),
    pageOf: endpoint,
  }));
}
