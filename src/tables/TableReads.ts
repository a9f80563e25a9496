import { getOrMake, type RowSchema } from '../schema/Schema.js';
import { isList } from './lists.js';
import { PAGE, pkAt } from './slots.js';
import { emptyTable, rowAt, slotOf, type Table } from './tables.js';
import { addUser, dropForgotten, mentions, newValue, outdate, type RowValue, type Value } from './values.js';

/** What was made of the rows of a table by schemas of one kind. */
export interface Rows {
  readonly reads: TableReads;
  /** By slot. */
  readonly values: (RowValue | undefined)[];
  /** The slot that was found last: lists mostly are in the order in which their rows are kept. */
  slot: number;
}

/** A value that is as it was, and the slot in which its row stands now. */
type Resettled = readonly [values: Rows['values'], slot: number, value: RowValue];

const noRows: readonly unknown[] = [];

/** So many missing rows are noted before it is looked at which of them somebody still waits for. */
const MANY = 1_024;

/** What was read of one table. */
export class TableReads {
  table: Table;
  /** What was made of the whole table. */
  readonly whole = new Set<Value>();
  /** What was made while a row was missing, by pk. */
  readonly #missed = new Map<string, Set<Value>>();
  readonly #rows = new Map<object, Rows>();
  /** What was made of rows that have lost their slots: a row that is hidden, as by a pending deletion, may come back. */
  readonly #moved = new WeakMap<object, RowValue>();

  constructor(table: Table = emptyTable) {
    this.table = table;
  }

  /** What is made of the rows by schemas of one kind. */
  rowsOf({ kind }: RowSchema): Rows {
    return getOrMake(this.#rows, kind, () => ({ reads: this, values: [], slot: -1 }));
  }

  /** The value of a row, though it may be out of date; undefined where the row is missing. */
  find(rows: Rows, schema: RowSchema, pk: string): RowValue | undefined {
    const { table } = this;
    // Where it is the next one, nothing is hashed.
    const next = rows.slot + 1;
    const slot = pkAt(table.pks, next) === pk ? next : slotOf(table, pk);
    rows.slot = slot;
    if (slot < 0 || rows.values[slot]) return rows.values[slot];
    const moved = this.#moved.get(rowAt(table, slot) as object);
    return (rows.values[slot] = moved?.schema.kind === schema.kind ? moved : newValue(schema, pk));
  }

  /** Notes that a row was missing. */
  miss(pk: string, reader: Value): void {
    const readers = this.#missed.get(pk);
    if (readers) {
      addUser(readers, reader);
      return;
    }
    const { size } = this.#missed.set(pk, new Set([reader]));
    if (size < MANY || (size & (size - 1)) !== 0) return;
    for (const [missing, waiting] of this.#missed) {
      dropForgotten(waiting);
      if (waiting.size === 0) this.#missed.delete(missing);
    }
  }

  /** What was made of a row. */
  madeOf(pk: string): readonly RowValue[] {
    const slot = slotOf(this.table, pk);
    return [...this.#rows.values()].flatMap(({ values }) => values[slot] ?? []);
  }

  /** Adds what was made of a row, or without it. */
  reach(pk: string, reached: Set<Value>): void {
    for (const value of this.madeOf(pk)) reached.add(value);
    for (const reader of this.whole) reached.add(reader);
    this.reachUsers(pk, this.#missed.get(pk) ?? [], reached);
  }

  /** Adds those that were made of a row, or without it; some may have been so once, and not any more. */
  reachUsers(pk: string, users: Iterable<Value>, reached: Set<Value>): void {
    const pks = new Set([pk]);
    for (const user of users) if (this.whole.has(user) || mentions(user.row, pks)) reached.add(user);
  }

  /** Reads another version from now on: what was made of rows that differ is out of date. */
  sync(after: Table = emptyTable): void {
    const before = this.table;
    if (before === after) return;
    this.table = after;
    if (this.whole.size > 0) {
      this.whole.forEach(outdate);
      this.whole.clear();
    }
    const resettled: Resettled[] = [];
    this.#compare(before, after, resettled);
    for (const [values, slot, value] of resettled) values[slot] = value;
  }

  #compare(before: Table, after: Table, resettled: Resettled[]): void {
    const pages = Math.max(before.rows.length, after.rows.length);
    for (let page = 0; page < pages; page++) {
      const [one = noRows, other = noRows] = [before.rows[page], after.rows[page]];
      if (one === other && before.pks[page] === after.pks[page]) continue;
      const both = Math.min(one.length, other.length);
      const size = Math.max(one.length, other.length);
      // To read beyond the end of an array costs ten times as much.
      for (let i = 0; i < size; i++) if (i >= both || one[i] !== other[i]) this.#change(page * PAGE + i, resettled);
    }
  }

  /** A slot has another row now. A value that was made of its former row is out of date, unless that very row stands in another slot. */
  #change(slot: number, resettled: Resettled[]): void {
    const { table } = this;
    const pk = pkAt(table.pks, slot);
    for (const { values } of this.#rows.values()) {
      const value = values[slot];
      if (!value) continue;
      if (value.pk !== pk) {
        values[slot] = undefined;
        const to = slotOf(table, value.pk);
        if (to >= 0 && rowAt(table, to) === value.row) {
          resettled.push([values, to, value]);
          continue;
        }
        if (value.isSettled) this.#moved.set(value.row as object, value);
        // A list that is gone need not know of its members any more; one that comes back is made as a whole.
        value.changed = undefined;
      }
      outdate(value);
    }
    if (pk) this.#arrive(pk);
  }

  /** A row is there that was missing, if it was. */
  #arrive(pk: string): void {
    const waiting = this.#missed.get(pk);
    if (!waiting) return;
    this.#missed.delete(pk);
    for (const value of waiting) {
      // A list that has the row within a member, and not as one, is made as a whole.
      if (isList(value.row) && !value.row.includes(pk)) value.changed = undefined;
      outdate(value);
    }
  }
}
