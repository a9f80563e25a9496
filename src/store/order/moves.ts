import type { Collection } from '../../schema/Collection.js';
import { keyValue, listKey, type ListKey } from '../../schema/listKey.js';
import { isRecord, own, type List, type Ref, type Row } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { refersTo, UnionSchema } from '../../schema/Union.js';
import { ValuesSchema } from '../../schema/Values.js';
import {
  applyToList,
  isDone,
  sameValue,
  type Changes,
  type ListChange,
  type RowChanges,
} from '../../tables/changes.js';
import type { Place } from '../../tables/Places.js';
import { rowOf, tableOf, type Table, type Tables } from '../../tables/tables.js';
import type { FollowedLists } from './FollowedLists.js';

/** A list, and the arguments that it is known by. */
interface KeyedList {
  readonly pk: string;
  readonly key: ListKey;
}

/** Lists by the name and the value of each of their arguments. */
type Index = ReadonlyMap<string, ReadonlyMap<string, readonly KeyedList[]>>;

/** The index of each page of pks of a table of lists: where a list is added, one page is looked through again. */
const indexes = new WeakMap<readonly string[], Index>();
/** The names of all arguments of the lists of a table, by its pks. */
const namesOf = new WeakMap<Table['pks'], readonly string[]>();

const none: readonly never[] = [];

function indexOf(pks: readonly string[]): Index {
  let index = indexes.get(pks);
  if (!index) indexes.set(pks, (index = makeIndex(pks)));
  return index;
}

function makeIndex(pks: readonly string[]): Index {
  const index = new Map<string, Map<string, KeyedList[]>>();
  for (const pk of pks) {
    // A freed place has no pk.
    const key = pk === '' ? {} : listKey(pk);
    for (const [name, value] of Object.entries(key)) {
      const byValue = index.get(name) ?? new Map<string, KeyedList[]>();
      index.set(name, byValue);
      const lists = byValue.get(value);
      if (lists) lists.push({ pk, key });
      else byValue.set(value, [{ pk, key }]);
    }
  }
  return index;
}

function argumentNames({ pks }: Table): readonly string[] {
  let names = namesOf.get(pks);
  if (!names) namesOf.set(pks, (names = [...new Set(pks.flatMap((page) => [...indexOf(page).keys()]))]));
  return names;
}

/** Finds which lists rows leave and join where their fields change. */
export class Moves {
  readonly #followed: FollowedLists;
  readonly #tables: Tables;
  readonly #expected: readonly Place[];
  /** The names of arguments by which lists are told apart that may hold rows of a table. */
  readonly #names = new Map<string, readonly string[]>();

  /** `expected` are lists that are not there yet, but under way. */
  constructor(followed: FollowedLists, tables: Tables, expected: readonly Place[] = none) {
    this.#followed = followed;
    this.#tables = tables;
    this.#expected = expected;
  }

  /** Where the rows of some changes move, of those that are there already. */
  of(changes: Pick<Changes, 'rows'>): readonly ListChange[] {
    const moves: ListChange[] = [];
    this.#eachKnown(changes, (change, pk, before, row) => moves.push(...this.ofRow(change, pk, before, row)));
    return moves;
  }

  /** Where rows stay by fields that are to be what they are: in lists that have them, or had them when the changes were found. */
  staying(changes: Changes): readonly ListChange[] {
    const moves: ListChange[] = [];
    this.#eachKnown(changes, ({ table }, pk, before, row) => {
      const same = this.names(table).filter((name) => Object.hasOwn(row, name) && own(before, name) === row[name]);
      if (same.length === 0) return;
      const stays = (move: ListChange): boolean =>
        this.#isThere(move) || changes.lists.some((one) => sameValue(one, move));
      const without = { ...before, ...Object.fromEntries(same.map((name) => [name, null])) };
      moves.push(...this.#between({ table, pk }, same, without, { ...before, ...row }).filter(stays));
    });
    return moves;
  }

  /** Whether a row stands already where a move puts it. */
  #isThere(move: ListChange): boolean {
    const list = rowOf(tableOf(this.#tables, move.table), move.pk) as List | undefined;
    return move.operation === 'push' && isDone(list, move);
  }

  /** Visits the rows of some changes that are there already, and have a field by which lists are told apart. */
  #eachKnown(
    { rows }: Pick<Changes, 'rows'>,
    visit: (change: RowChanges, pk: string, before: Row, row: Row) => unknown,
  ): void {
    for (const change of rows) {
      // A table that is called after an entity holds rows.
      const known = tableOf(this.#tables, change.table) as Table<Row> | undefined;
      if (!known || this.names(change.table).length === 0) continue;
      change.pks.forEach((pk, i) => {
        const row = change.rows[i];
        const before = row && this.isFiltered(change.table, row) ? rowOf(known, pk) : undefined;
        if (row && before) visit(change, pk, before, row);
      });
    }
  }

  /** Whether a list is told from others by a field that one of some rows has. */
  areFiltered({ rows }: Pick<Changes, 'rows'>): boolean {
    return rows.some(
      (change) =>
        this.names(change.table).length > 0 && change.rows.some((row) => row && this.isFiltered(change.table, row)),
    );
  }

  /** Whether a list is told from others by a field that a row has. */
  isFiltered(table: string, row: Row): boolean {
    return this.names(table).some((name) => Object.hasOwn(row, name));
  }

  /** Whether a list is told from others by one of these fields. */
  areNames(table: string, fields: readonly string[]): boolean {
    return fields.length > 0 && this.names(table).some((name) => fields.includes(name));
  }

  /** Where one row moves that is written over what it was before. */
  ofRow(
    { table, whole }: Pick<RowChanges, 'table' | 'whole'>,
    pk: string,
    before: Row,
    row: Row,
  ): readonly ListChange[] {
    const changed = this.names(table).filter(
      (name) => own(before, name) !== own(row, name) && Object.hasOwn(before, name) && Object.hasOwn(row, name),
    );
    if (changed.length === 0) return none;
    const after = whole ? row : { ...before, ...row };
    return this.#between({ table, pk }, changed, before, after);
  }

  /** Where a row moves that becomes another by some fields. */
  #between({ table, pk }: Place, names: readonly string[], before: Row, after: Row): readonly ListChange[] {
    return this.#followed.of(table).flatMap((collection) => {
      const lists = this.#candidates(collection, names, before, after);
      return [...lists].flatMap(([list, key]) => this.#move(collection, { list, key, table, pk }, before, after));
    });
  }

  /**
   * Where a row is from now on by fields that a write has named, though they say what they said before: an answer of one
   * of these lists that is older than the write may have it elsewhere.
   */
  restated({ table, pk }: Place, named: readonly string[], row: Row, lists: readonly Place[]): readonly ListChange[] {
    return this.#followed.of(table).flatMap((collection) =>
      lists.flatMap((list) => {
        const key = list.table === collection.table ? listKey(list.pk) : {};
        const name = named.find((one) => Object.hasOwn(key, one));
        if (name === undefined) return none;
        const value = own(key, name);
        const before = { ...row, [name]: keyValue(row, name) === value ? null : value };
        return this.#move(collection, { list: list.pk, key, table, pk }, before, row);
      }),
    );
  }

  /** The names of all arguments of the lists that may hold rows of a table. */
  names(table: string): readonly string[] {
    let names = this.#names.get(table);
    if (!names) this.#names.set(table, (names = this.#namesFor(this.#followed.of(table))));
    return names;
  }

  #namesFor(collections: readonly Collection[]): readonly string[] {
    const [only] = collections;
    if (!only) return none;
    const known = (collection: Collection): readonly string[] => {
      const lists = tableOf(this.#tables, collection.table);
      return lists ? argumentNames(lists) : none;
    };
    if (collections.length === 1 && this.#expected.length === 0) return known(only);
    const expected = this.#expected.filter((list) => collections.some(({ table }) => table === list.table));
    return [...new Set([...collections.flatMap(known), ...expected.flatMap(({ pk }) => Object.keys(listKey(pk)))])];
  }

  /** The lists that have the value of a changed field for an argument, before or after. */
  #candidates(
    { table }: Collection,
    changed: readonly string[],
    before: Row,
    after: Row,
  ): ReadonlyMap<string, ListKey> {
    const found = new Map<string, ListKey>();
    const pages = tableOf(this.#tables, table)?.pks.map(indexOf) ?? none;
    for (const name of changed) {
      for (const value of [keyValue(before, name), keyValue(after, name)]) {
        if (value === undefined) continue;
        for (const index of pages) for (const { pk, key } of index.get(name)?.get(value) ?? none) found.set(pk, key);
      }
    }
    for (const list of this.#expected) if (list.table === table) found.set(list.pk, listKey(list.pk));
    return found;
  }

  #move(
    collection: Collection,
    { list, key, table, pk }: Place & { readonly list: string; readonly key: ListKey },
    before: Row,
    after: Row,
  ): readonly ListChange[] {
    const verdict = verdictOn(collection, key, before, after);
    const ref = verdict && refOf(collection, table, pk, after);
    if (!ref) return none;
    const flags = { table: collection.table, pk: list, moves: true, follows: true } as const;
    if (verdict === 'leaves') return [{ ...flags, operation: 'remove', list: [ref] }];
    if (!(collection.inner instanceof ValuesSchema)) return [{ ...flags, operation: 'push', list: [ref] }];
    const kept = rowOf(tableOf(this.#tables, collection.table), list) as List | undefined;
    // Of a set that nobody has fetched, one value would seem to be all; a value that is there stays under its name.
    if (!kept || Object.values(kept).some((other) => refersTo(other, table, pk))) return none;
    return [{ ...flags, operation: 'assign', list: { [pk]: ref } }];
  }
}

/** Whether a row leaves a list, or joins it, by the fields that the list is filtered by. */
function verdictOn(collection: Collection, key: ListKey, before: Row, after: Row): 'leaves' | 'joins' | undefined {
  let matches = true;
  let isNews = false;
  for (const [name, value] of Object.entries(key)) {
    if (!collection.filters(name, value)) continue;
    const was = keyValue(before, name);
    const is = keyValue(after, name);
    if (is !== value && was === value && Object.hasOwn(after, name)) return 'leaves';
    matches &&= is === value;
    // A field that was not known before tells nothing new of where the row is.
    isNews ||= is !== was && Object.hasOwn(before, name);
  }
  return matches && isNews ? 'joins' : undefined;
}

/** What stands for a row in the lists of a Collection; undefined where nothing tells. */
function refOf({ inner }: Collection, table: string, pk: string, row: Row): Ref | undefined {
  const member = schemaOf(inner.member);
  if (!(member instanceof UnionSchema)) return member && 'table' in member && member.table === table ? pk : undefined;
  const keys = Object.keys(member.mapping).filter((key) => {
    const schema = schemaOf(own(member.mapping, key));
    return isRecord(schema) && schema['table'] === table;
  });
  // Of classes that share a table, the row tells which it is.
  const chosen = keys.length > 1 ? member.keyOf(row, undefined, '') : keys[0];
  return chosen === undefined ? undefined : { pk, schema: chosen, table };
}

/** What an answer says that no other overlaps, with the moves of rows that follow; where it has a whole list, it decides. */
export function withMovesOf(changes: Changes, tables: Tables, followed: FollowedLists): Changes {
  const moves = new Moves(followed, tables).of(changes).filter((move) => {
    const kept = rowOf(tableOf(tables, move.table), move.pk) as List | undefined;
    const isWhole = changes.lists.some(
      ({ table, pk, operation }) => operation === 'set' && table === move.table && pk === move.pk,
    );
    return !isWhole && applyToList(kept, move) !== kept;
  });
  return moves.length > 0 ? { ...changes, lists: [...changes.lists, ...moves] } : changes;
}
