import { warnOnce } from '../../errors.js';
import { EntitySchema } from '../../schema/EntitySchema.js';
import { definitionsIn, isLists, type ListsSchema } from '../../schema/ListsSchema.js';
import { fits, keyNames, keyValue, listKey, tablesOfLists } from '../../schema/listKey.js';
import { getOrMake, none, own, type Definition, type Row } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import type { Place } from '../../tables/Places.js';
import type { KnownRows } from '../../tables/wireRow.js';

/** What a store knows of the lists of one table. */
interface KnownLists {
  /** The Collection that says who belongs to them: that of a resource rather than one inside an entity, one with a rule of its own rather than one without. */
  readonly judge: ListsSchema;
  /** They follow edits. */
  readonly follows: boolean;
  /** They were met inside an entity alone. */
  readonly isInside: boolean;
}

/** The Collections and the classes that a store has met: which lists an edited row leaves and joins, and which classes order their answers. */
export class FollowedLists {
  /** The tables of the lists that may hold rows of a table, by that. */
  readonly #byRows = new Map<string, Set<string>>();
  /** What is known of lists, by their table. */
  readonly #lists = new Map<string, KnownLists>();
  /** The Collections inside entities that have lists or rules of their own, by the table of the lists. */
  readonly #nested = new Map<string, Set<ListsSchema>>();
  /** The tables of the rows in lists whose items somebody counts. */
  readonly #counted = new Set<string>();
  /** Classes with rules of their own for answers that overlap, by table. */
  readonly #ordering = new Map<string, EntitySchema>();
  /** The natural keys of classes that have some, by table. */
  readonly #indexes = new Map<string, readonly string[]>();
  /** The classes of messages that were met. */
  readonly #classes = new Set<Definition>();

  /** Meets the class of a message: there may be thousands of these. */
  meetOnce(entity: Definition): void {
    if (this.#classes.has(entity)) return;
    this.#classes.add(entity);
    this.meet(entity);
  }

  meet(definition: Definition, seen = new Set<Definition>(), isInside = false): void {
    const known = schemaOf(definition);
    const schema = known ?? definition;
    // What a Lazy stands for is met when an endpoint has it.
    if (seen.has(schema) || known?.isLazy) return;
    seen.add(schema);
    const isEntity = schema instanceof EntitySchema;
    if (isLists(schema)) this.#meetCollection(schema, isInside);
    else if (isEntity) this.#meetEntity(schema);
    for (const rows of tablesOfLists(known?.lists ?? '')) this.#counted.add(rows);
    for (const inner of definitionsIn(schema)) this.meet(inner, seen, isInside || isEntity);
  }

  #meetEntity(entity: EntitySchema): void {
    const { table, order, version, indexes } = entity;
    if ((order ?? version) !== undefined) this.#ordering.set(table, entity);
    if (indexes.length > 0) this.#indexes.set(table, indexes);
  }

  #meetCollection(collection: ListsSchema, isInside: boolean): void {
    const { table, options } = collection;
    for (const rows of tablesOfLists(table)) getOrMake(this.#byRows, rows, () => new Set()).add(table);
    if (isInside && (!options.nestKey || hasRules(collection)))
      getOrMake(this.#nested, table, () => new Set()).add(collection);
    const last = this.#lists.get(table);
    // What a resource says of its lists holds, whoever has some of them inside an entity.
    if (isInside && last && !last.isInside) return;
    const known = { judge: collection, follows: options.follows !== false, isInside };
    this.#lists.set(table, last?.isInside === isInside ? joined(last, known) : known);
  }

  /** The Collections whose lists may hold rows of a table, also those that do not follow. */
  judgesOf(table: string): readonly ListsSchema[] {
    return this.#knownOf(table).map(({ judge }) => judge);
  }

  /** The Collections whose lists may hold rows of a table, and follow edits. */
  of(table: string): readonly ListsSchema[] {
    return this.#knownOf(table).flatMap(({ judge, follows }) => (follows ? judge : none));
  }

  #knownOf(table: string): readonly KnownLists[] {
    return [...(this.#byRows.get(table) ?? none)].flatMap((lists) => this.#lists.get(lists) ?? none);
  }

  /** The Collection that says who belongs to a list: of one inside an entity the one there, if that has rules, or no resource may ask for the list. */
  judgeOf(collection: ListsSchema, pk: string): ListsSchema {
    const nested = this.#nested.get(collection.table);
    if (!nested) return collection;
    const names = keyNames(pk);
    const isOwn = (one: ListsSchema): boolean =>
      one.nestNames.has(names) && !(one.options.nestKey && collection.options.belongs && !one.options.belongs);
    return [...nested].find(isOwn) ?? collection;
  }

  /** All Collections. */
  all(): readonly ListsSchema[] {
    return [...this.#lists.values()].map(({ judge }) => judge);
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

  /** The natural keys of the rows of a table. */
  indexesOf(table: string): readonly string[] {
    return this.#indexes.get(table) ?? none;
  }

  /** The class of a table that orders its answers. */
  orderingOf(table: string): EntitySchema | undefined {
    return this.#ordering.get(table);
  }

  /** What a row tells of its version, or does not; undefined where its class has none. */
  versionTold(table: string, row: Row | undefined): { readonly is: unknown } | undefined {
    const counter = this.#ordering.get(table)?.version;
    return counter === undefined ? undefined : { is: own(row, counter) };
  }

  /** What the rows of a list have in common: the names and values of the fields that it is filtered by. */
  filtersOf({ table, pk }: Place): readonly (readonly [name: string, value: string])[] {
    const known = this.#lists.get(table);
    if (!known?.follows) return none;
    const judge = this.judgeOf(known.judge, pk);
    return Object.entries(listKey(pk)).filter(([name, value]) => judge.argumentKind(name, value) === 'filter');
  }

  /** Whether a row of a table, as it is in one place, fits a list that it does not fit as it is in another. */
  isMisfit(list: Place, [one, other]: readonly [Row, Row], known: KnownRows, ofRows: string): boolean {
    const { judge, follows } = this.#lists.get(list.table) ?? {};
    if (!judge || !follows) return false;
    const ruler = this.judgeOf(judge, list.pk);
    const isMatch = (row: Row, [name, value]: readonly [string, string]): boolean => fits(keyValue(row, name), value);
    if (!ruler.options.belongs)
      return this.filtersOf(list).some((filter) => isMatch(one, filter) && !isMatch(other, filter));
    const mayBelong = (row: Row): boolean => ruler.judge(known.wireRow(ruler, ofRows, row), list.pk, known) !== false;
    return mayBelong(one) && !mayBelong(other);
  }
}

/** Whether a Collection says in its options which arguments filter, or who belongs to a list. */
function hasRules({ options }: ListsSchema): boolean {
  return (options.belongs ?? options.nonFilterArgumentKeys ?? options.windowArgumentKeys) !== undefined;
}

/** What two Collections say of the same lists: a rule of its own counts more than none, and among equals the one that follows, and was met last. */
function joined(before: KnownLists, { judge, follows, isInside }: KnownLists): KnownLists {
  const { belongs } = judge.options;
  if (belongs) tellOfTwo(before.judge, judge);
  const isBetter = belongs !== undefined || (!before.judge.options.belongs && (follows || !before.follows));
  return { judge: isBetter ? judge : before.judge, follows: follows || before.follows, isInside };
}

function tellOfTwo({ options }: ListsSchema, { table, options: { belongs } }: ListsSchema): void {
  if (options.belongs && belongs !== options.belongs)
    warnOnce(() => [
      `two belongs ${table}`,
      `two Collections of ${table} have each a belongs of its own: the one that is met last says who belongs to their lists. Give both the same.`,
    ]);
}
