import type { Collection } from '../schema/Collection.js';

/** An entity class with its key. */
interface Keyed {
  readonly key: string;
  readonly prototype: { pk(...args: never): unknown };
}

/** The names of the tables that a definition has, through all relations; `string` where a key or a schema does not tell. */
type TablesIn<D, Seen = never> = D extends Keyed
  ? string extends D['key']
    ? string
    : D['key'] extends Seen
      ? never
      : | D['key']
        | (D extends { readonly schema: infer Definitions } ? TablesInside<Definitions, Seen | D['key']> : never)
  : D extends (...args: never) => unknown
    ? never
    : D extends Collection<infer Inner>
      ? TablesIn<Inner, Seen>
      : D extends { denormalize(...args: never): unknown }
        ? string
        : D extends readonly (infer Item)[]
          ? TablesIn<Item, Seen>
          : D extends Readonly<Record<string, unknown>>
            ? TablesInside<D, Seen>
            : never;

/** The same of all definitions in a shape, or of an entity class; one without any of its own has no relations. */
type TablesInside<Definitions, Seen> = string extends keyof Definitions
  ? never
  : { [Field in keyof Definitions]: TablesIn<Definitions[Field], Seen> }[keyof Definitions];

/** The definitions of an endpoint, or of those members of a resource that all have. */
type SchemaIn<S> = S extends { readonly path: string; readonly schema: infer D }
  ? D
  : S extends { readonly get: { readonly schema: infer D } }
    ? D
    : S extends { readonly getList: { readonly schema: infer D } }
      ? D
      : never;

/**
 * The names of the tables of a server: the keys of the entity classes that its endpoints have, where these are told as literals
 * (`static readonly key = 'Todo'`), else any.
 *
 * @example
 * const table: TableOf<typeof TodoResource> = 'Todo';
 */
export type TableOf<S> = [S] extends [never] ? string : TablesIn<SchemaIn<S>>;
