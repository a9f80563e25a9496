import type { Collection, ItemOf } from '../schema/Collection.js';
import type { ItemDefinition } from '../schema/CollectionOptions.js';
import type { CollectionOperation } from '../schema/CollectionOperation.js';
import type { ResponseOf, WireOf } from '../schema/wire.js';

/** The Collection in a definition. */
export type CollectionIn<S> =
  S extends Collection<infer D>
    ? Collection<D>
    : S extends (abstract new (...args: never) => unknown) | ((...args: never) => unknown)
      ? never
      : S extends Readonly<Record<string, unknown>>
        ? { [Field in keyof S]: CollectionIn<S[Field]> }[keyof S]
        : never;

/** What one item of a Collection is described by. */
export type ItemSchema<C> = C extends Collection<infer D> ? ItemDefinition<D> : never;

/**
 * What brings an item to a Collection, and what that item is described by.
 *
 * @example
 * type Push = ItemOperation<Collection<readonly [typeof Todo]>>;
 */
export interface ItemOperation<C> extends CollectionOperation<ItemValue<C>> {
  /** The type of the response alone. */
  readonly wire?: WireOf<ItemSchema<C>>;
  /** The type of what may be given as its response by hand alone. */
  readonly given?: ResponseOf<ItemSchema<C>>;
}

type ItemValue<C> = C extends Collection<infer D> ? ItemOf<D> : never;
