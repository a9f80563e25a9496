import type { ArraySchema } from './Array.js';
import type { Mapping, UnionSchema } from './Union.js';
import type { ValuesSchema } from './Values.js';
import type { WireOf } from './wire.js';

/**
 * What says how the lists of a Collection are told apart, and what belongs to them.
 *
 * @example
 * const options: CollectionOptions = { nonFilterArgumentKeys: ['view'], follows: false };
 */
export interface CollectionOptions<Item = never> {
  /**
   * The name of the table of the lists. Collections with one name share their lists.
   *
   * @default the key of the entity
   */
  readonly name?: string | undefined;
  /**
   * The argument of a page. It is not part of the key of a list.
   *
   * @default undefined, one page
   */
  readonly paginationField?: string | undefined;
  /**
   * Gives the key of a list from its arguments.
   *
   * @default the arguments
   */
  readonly argsKey?: ((...args: never) => object) | undefined;
  /** Gives the key of a list inside an entity: the arguments of the list that it is one with. */
  readonly nestKey?: ((parent: never, key: string) => object) | undefined;
  /**
   * The arguments that do not filter a list: an array, a RegExp or a function. It replaces the names that are known (`limit`, `sort` and the like).
   *
   * @default `limit`, `sort` and the like
   */
  readonly nonFilterArgumentKeys?: ArgumentNames | undefined;
  /**
   * More arguments that make a list a window, beside `offset`, `cursor` and the like. A created item joins no window.
   *
   * @default []
   */
  readonly windowArgumentKeys?: ArgumentNames | undefined;
  /**
   * Tells whether an item belongs to the list with these parameters; undefined if only the server knows, and then the list is fetched again. The item has
   * wire form, with nested entities in place. Parameters are strings, as in an address.
   *
   * @default the fields of the item decide
   */
  readonly belongs?: Belongs<Item> | undefined;
  /**
   * Whether an edited item leaves the lists that it no longer matches, and joins the lists that it now matches.
   *
   * @default true
   */
  readonly follows?: boolean | undefined;
}

/**
 * Whether an item stands in the list with these parameters; undefined where only the server knows.
 *
 * @example
 * const belongs: Belongs<Partial<WireOf<typeof Todo>>> = (todo, { tag }) => !tag || todo.title?.includes(tag);
 */
export type Belongs<Item> = {
  judge(item: Item, params: Readonly<Partial<Record<string, string>>>): boolean | undefined;
}['judge'];

/** An item of a list as it comes, as far as it is known. */
export type WireItem<D> =
  WireOf<ItemDefinition<D>> extends infer Item ? (Item extends object ? Partial<Item> : Item) : never;

/** What one item is described by, of what a Collection is made of. */
export type ItemDefinition<D> = D extends readonly (infer Item)[]
  ? Item
  : D extends ArraySchema<infer Item> | ValuesSchema<infer Item>
    ? Item
    : D extends ArraySchema<infer M extends Mapping, string> | ValuesSchema<infer M extends Mapping, string>
      ? UnionSchema<M>
      : D;

/** Names of arguments: a list, a pattern, or what a function says yes to. */
export type ArgumentNames = ((key: string) => boolean) | readonly string[] | RegExp;

export function isNamed(names: ArgumentNames, key: string): boolean {
  if (typeof names === 'function') return names(key);
  // `search` begins at the start, also with a pattern that remembers where it was.
  return names instanceof RegExp ? key.search(names) >= 0 : names.includes(key);
}
