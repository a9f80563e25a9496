import { warnOnce } from '../../errors.js';
import { EntitySchema } from '../../schema/EntitySchema.js';
import { definitionsIn, isLists, type ListsSchema } from '../../schema/ListsSchema.js';
import { fits, keyValue, listKey, tablesOfLists } from '../../schema/listKey.js';
import type { Definition, Row } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { Places, type Place } from '../../tables/Places.js';

const none: readonly never[] = [];

/** The Collections and the classes that a store has met: which lists an edited row leaves and joins, and which classes order their answers. */
export class FollowedLists {
  /** By the table of their lists; one that does not follow only where no other has these lists. */
  readonly #collections = new Map<string, ListsSchema>();
  /** By the table of the rows in them. */
  readonly #byRows = new Map<string, readonly ListsSchema[]>();
  /** Whoever says who belongs to lists, by the table of these. */
  readonly #judges = new Map<string, ListsSchema>();
  readonly #judgesByRows = new Map<string, readonly ListsSchema[]>();
  /** The tables of the rows in lists whose items somebody counts. */
  readonly #counted = new Set<string>();
  /** Lists that were read by a Collection that does not follow. */
  readonly #unfollowed = new Places();
  /** Classes with rules of their own for answers that overlap, by table. */
  readonly #ordering = new Map<string, EntitySchema>();

  meet(definition: Definition, seen = new Set<Definition>()): void {
    const known = schemaOf(definition);
    const schema = known ?? definition;
    // What a Lazy stands for is met when an endpoint has it.
    if (seen.has(schema) || known?.isLazy) return;
    seen.add(schema);
    if (isLists(schema)) this.#meetCollection(schema);
    else if (schema instanceof EntitySchema) this.#meetEntity(schema);
    for (const rows of tablesOfLists(known?.lists ?? '')) this.#counted.add(rows);
    for (const inner of definitionsIn(schema)) this.meet(inner, seen);
  }

  #meetEntity(entity: EntitySchema): void {
    if ((entity.order ?? entity.version) !== undefined) this.#ordering.set(entity.table, entity);
  }

  #meetCollection(collection: ListsSchema): void {
    const { table, options } = collection;
    const { belongs } = this.#judges.get(table)?.options ?? {};
    if (belongs && options.belongs && belongs !== options.belongs)
      warnOnce(() => [
        `two belongs ${table}`,
        `two Collections of ${table} have each a belongs of its own: the one that is met last says who belongs to their lists. Give both the same.`,
      ]);
    if (options.belongs || !belongs) this.#judges.set(table, collection);
    addTo(this.#judgesByRows, collection);
    if (options.follows === false) return;
    this.#collections.set(table, collection);
    addTo(this.#byRows, collection);
  }

  /** The Collections whose lists may hold rows of a table, also those that do not follow. */
  judgesOf(table: string): readonly ListsSchema[] {
    return (this.#judgesByRows.get(table) ?? none).map((one) => this.#judges.get(one.table) ?? one);
  }

  /** A Collection is asked for a list. */
  read({ table, options }: ListsSchema, pk: string): void {
    if (options.follows === false) this.#unfollowed.set(table, pk, true);
  }

  /** The Collections whose lists may hold rows of a table. */
  of(table: string): readonly ListsSchema[] {
    return this.#byRows.get(table) ?? none;
  }

  /** All Collections. */
  all(): Iterable<ListsSchema> {
    return this.#judges.values();
  }

  /** Whether somebody counts the items of lists that may hold rows of a table. */
  counts(table: string): boolean {
    return this.#counted.has(table);
  }

  /** Whether a Collection whose lists may hold rows of a table has a rule of its own for who belongs to them. */
  hasRule(table: string): boolean {
    return this.of(table).some(({ options }) => options.belongs !== undefined);
  }

  /** The class of a table that orders its answers. */
  orderingOf(table: string): EntitySchema | undefined {
    return this.#ordering.get(table);
  }

  /** What the rows of a list have in common: the names and values of the fields that it is filtered by. */
  filtersOf({ table, pk }: Place): readonly (readonly [name: string, value: string])[] {
    const collection = this.#collections.get(table);
    if (!collection || this.#unfollowed.has(table, pk)) return none;
    return Object.entries(listKey(pk)).filter(([name, value]) => collection.filters(name, value));
  }

  /** Whether a row, as it is in one place, fits a list in a field in which it does not as it is in another. */
  isMisfit(list: Place, one: Row, other: Row | undefined): boolean {
    const isMatch = (row: Row | undefined, [name, value]: readonly [string, string]): boolean =>
      fits(keyValue(row, name), value);
    return (
      other !== undefined && this.filtersOf(list).some((filter) => isMatch(one, filter) && !isMatch(other, filter))
    );
  }
}

function addTo(byRows: Map<string, readonly ListsSchema[]>, collection: ListsSchema): void {
  for (const rows of tablesOfLists(collection.table)) {
    const others = (byRows.get(rows) ?? none).filter((other) => other.table !== collection.table);
    byRows.set(rows, [...others, collection]);
  }
}
