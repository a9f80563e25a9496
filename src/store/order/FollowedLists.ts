import { Collection, listsIn } from '../../schema/Collection.js';
import { keyValue, listKey, tablesOfLists } from '../../schema/listKey.js';
import type { Definition, Ref, Row } from '../../schema/Schema.js';
import { onlyThose, type ListChange } from '../../tables/changes.js';
import type { Place, Places } from '../../tables/Places.js';
import { refsIn, rowsOf } from './lists.js';

const none: readonly never[] = [];

/** The Collections that a store has met outside of entities, whose lists an edited row leaves and joins by its fields. */
export class FollowedLists {
  /** By the table of their lists. */
  readonly #collections = new Map<string, Collection>();
  /** By the table of the rows in them. */
  readonly #byRows = new Map<string, readonly Collection[]>();

  meet(definition: Definition): void {
    for (const collection of listsIn(definition)) {
      if (!(collection instanceof Collection)) continue;
      const { table } = collection;
      // Where two Collections share their lists, none is moved into or out of them if one of them says so.
      if (this.#collections.get(table)?.options.follows === false) continue;
      this.#collections.set(table, collection);
      for (const rows of tablesOfLists(table)) {
        const others = (this.#byRows.get(rows) ?? none).filter((other) => other.table !== table);
        this.#byRows.set(rows, collection.options.follows === false ? others : [...others, collection]);
      }
    }
  }

  /** The Collections whose lists may hold rows of a table. */
  of(table: string): readonly Collection[] {
    return this.#byRows.get(table) ?? none;
  }

  /**
   * A change of a list as far as its rows are held as they `came`: what came as one that matches the list, and is held as
   * one that does not, stays out; what is held as one that matches stays in.
   */
  fitting(change: ListChange, came: Places<Row>, heldOf: (table: string, pk: string) => Row | undefined): ListChange {
    const { table, operation, list, moves } = change;
    if (came.tables().length === 0 || (operation === 'remove' && !moves)) return change;
    const isMisfit = ([name, pk]: readonly [string, string]): boolean => {
      const row = came.get(name, pk);
      const held = row && heldOf(name, pk);
      if (operation === 'remove') return row !== undefined && this.matches(change, held);
      return row !== undefined && held !== undefined && this.#givesWay(change, row, held);
    };
    const isFit = (ref: unknown): boolean => !rowsOf(table, ref as Ref).some(isMisfit);
    return refsIn(list).every(isFit) ? change : { ...change, list: onlyThose(list, isFit) };
  }

  /** Whether a row says of itself that it is not in a list. */
  excludes({ table, pk }: Place, row: Row | undefined): boolean {
    return (
      row !== undefined &&
      this.#filters(table, pk).some(([name, value]) => Object.hasOwn(row, name) && keyValue(row, name) !== value)
    );
  }

  /** Whether a row came to a list as one that matches, and the row that is held does not. */
  #givesWay({ table, pk }: Place, came: Row, held: Row): boolean {
    return this.#filters(table, pk).some(
      ([name, value]) => keyValue(came, name) === value && keyValue(held, name) !== value,
    );
  }

  /** Whether a row matches every filter of a list by its fields. */
  matches({ table, pk }: Place, row: Row | undefined): boolean {
    const filters = this.#filters(table, pk);
    return filters.length > 0 && filters.every(([name, value]) => keyValue(row, name) === value);
  }

  #filters(table: string, pk: string): readonly [name: string, value: string][] {
    const collection = this.#collections.get(table);
    if (!collection || collection.options.follows === false) return none;
    return Object.entries(listKey(pk)).filter(([name, value]) => collection.filters(name, value));
  }
}
