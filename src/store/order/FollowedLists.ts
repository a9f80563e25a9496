import { warnOnce } from '../../errors.js';
import { EntitySchema } from '../../schema/EntitySchema.js';
import { definitionsIn, isLists, type ListsSchema } from '../../schema/ListsSchema.js';
import { fits, keyNames, keyValue, listKey, tablesOfLists } from '../../schema/listKey.js';
import type { Definition, Row, Schema } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import type { Place } from '../../tables/Places.js';

const none: readonly never[] = [];

/** The Collections and the classes that a store has met: which lists an edited row leaves and joins, and which classes order their answers. */
export class FollowedLists {
  /** The tables of the lists that may hold rows of a table, by that. */
  readonly #byRows = new Map<string, Set<string>>();
  /** Whoever says who belongs to lists, by the table of these; that of a resource rather than one inside an entity. */
  readonly #judges = new Map<string, ListsSchema>();
  /** Those of them that follow edits; one that does not follow only where no other has these lists. */
  readonly #followers = new Map<string, ListsSchema>();
  /** Those inside entities that have lists or rules of their own, by the table of the lists. */
  readonly #nested = new Map<string, Set<ListsSchema>>();
  /** Those that were met inside an entity alone. */
  readonly #inside = new WeakSet<ListsSchema>();
  /** The tables of the rows in lists whose items somebody counts. */
  readonly #counted = new Set<string>();
  /** Classes with rules of their own for answers that overlap, by table. */
  readonly #ordering = new Map<string, EntitySchema>();

  meet(definition: Definition, seen = new Set<Definition>(), isInside = false): void {
    const known = schemaOf(definition);
    const schema = known ?? definition;
    // What a Lazy stands for is met when an endpoint has it.
    if (seen.has(schema) || known?.isLazy) return;
    seen.add(schema);
    const isEntity = schema instanceof EntitySchema;
    if (isLists(schema)) this.#meetCollection(schema, isInside);
    else if (isEntity) this.#meetEntity(schema);
    if (known) this.#meetTotal(known);
    for (const inner of definitionsIn(schema)) this.meet(inner, seen, isInside || isEntity);
  }

  #meetEntity(entity: EntitySchema): void {
    if ((entity.order ?? entity.version) !== undefined) this.#ordering.set(entity.table, entity);
  }

  #meetTotal({ lists = '' }: Schema): void {
    for (const rows of tablesOfLists(lists)) this.#counted.add(rows);
  }

  #meetCollection(collection: ListsSchema, isInside: boolean): void {
    const { table, options } = collection;
    for (const rows of tablesOfLists(table)) setIn(this.#byRows, rows).add(table);
    if (isInside && (!options.nestKey || hasRules(collection))) setIn(this.#nested, table).add(collection);
    const judge = this.#judges.get(table);
    const isBehind = judge !== undefined && this.#inside.has(judge);
    // What a resource says of its lists holds, whoever has some of them inside an entity.
    if (isInside && judge && !isBehind) return;
    if (isInside) this.#inside.add(collection);
    else if (isBehind) {
      this.#judges.delete(table);
      this.#followers.delete(table);
    }
    this.#judgeBy(collection, this.#judges.get(table)?.options.belongs);
    if (options.follows !== false) this.#followers.set(table, collection);
  }

  #judgeBy(collection: ListsSchema, belongs: unknown): void {
    const { table, options } = collection;
    if (belongs && options.belongs && belongs !== options.belongs)
      warnOnce(() => [
        `two belongs ${table}`,
        `two Collections of ${table} have each a belongs of its own: the one that is met last says who belongs to their lists. Give both the same.`,
      ]);
    if (options.belongs || !belongs) this.#judges.set(table, collection);
  }

  /** The Collections whose lists may hold rows of a table, also those that do not follow. */
  judgesOf(table: string): readonly ListsSchema[] {
    return this.#with(table, this.#judges);
  }

  /** The Collections whose lists may hold rows of a table. */
  of(table: string): readonly ListsSchema[] {
    return this.#with(table, this.#followers);
  }

  #with(table: string, collections: ReadonlyMap<string, ListsSchema>): readonly ListsSchema[] {
    return [...(this.#byRows.get(table) ?? none)].flatMap((lists) => collections.get(lists) ?? none);
  }

  /**
   * The Collection that says who belongs to a list of a table: for a list inside an entity the one there, if that has rules of its own, or the list is
   * none that a resource may ask for.
   */
  judgeOf(collection: ListsSchema, pk: string): ListsSchema {
    const nested = this.#nested.get(collection.table);
    if (!nested) return collection;
    const names = keyNames(pk);
    const isOwn = (one: ListsSchema): boolean =>
      one.nestNames.has(names) && !(one.options.nestKey && collection.options.belongs && !one.options.belongs);
    return [...nested].find(isOwn) ?? collection;
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
    return this.of(table).some((collection) => this.isRuled(collection));
  }

  /** Whether a rule of the user's own says who belongs to lists of a Collection's table. */
  isRuled(collection: ListsSchema): boolean {
    const { table } = collection;
    return [collection, ...(this.#nested.get(table) ?? none)].some(({ options }) => options.belongs !== undefined);
  }

  /** The class of a table that orders its answers. */
  orderingOf(table: string): EntitySchema | undefined {
    return this.#ordering.get(table);
  }

  /** What the rows of a list have in common: the names and values of the fields that it is filtered by. */
  filtersOf({ table, pk }: Place): readonly (readonly [name: string, value: string])[] {
    const collection = this.#followers.get(table);
    if (!collection) return none;
    const judge = this.judgeOf(collection, pk);
    return Object.entries(listKey(pk)).filter(([name, value]) => judge.filters(name, value));
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

/** Whether a Collection says in its options which arguments filter, or who belongs to a list. */
function hasRules({ options }: ListsSchema): boolean {
  return (options.belongs ?? options.nonFilterArgumentKeys ?? options.windowArgumentKeys) !== undefined;
}

function setIn<Value>(sets: Map<string, Set<Value>>, key: string): Set<Value> {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set);
  return set;
}
