import type { Place } from './Places.js';
import { freezeInDevelopment } from '../schema/freezing.js';
import { getOrMake, isPlain, type Definition, type Reader, type RowSchema, type Schema } from '../schema/Schema.js';
import { sameValue, isShallowSame } from '../schema/sameShape.js';
import { schemaOf } from '../schema/schemaOf.js';
import { CreatedRows } from './keys.js';
import { isList, patchList, type Patched } from './lists.js';
import type { Touched } from './Overlay.js';
import { TableReads, type Rows } from './TableReads.js';
import { eachRow, rowAt, tableOf, type Tables } from './tables.js';
import {
  addUser,
  FORGOTTEN,
  isRowValue,
  newValue,
  reuse,
  use,
  usersOf,
  type Changed,
  type Made,
  type RowValue,
  type Value,
} from './values.js';

/**
 * Remembers what was read of one store, so that a value is the same object until a row it was made of changes.
 *
 * Every value knows which values were made of it. When the tables are replaced, the pages that differ show which rows
 * changed, and these, which values are out of date; whatever else was read stays as it is, and is handed out at once.
 * Going back in time works the same way. While requests are pending, and while an earlier state is read, a value keeps the last objects that it was, so that
 * the very same are handed out when a request fails, when its answer says what was shown already, and when the newest state is read again.
 *
 * @example
 * const memory = new Memory();
 * const read = () => denormalize(Todo, '5', store.getState().resources.tables, memory);
 * read() === read(); // true
 */
export class Memory implements Reader {
  /** Finds the schema that a definition stands for. */
  readonly resolve = schemaOf;
  #tables: Tables;
  /** The rows and lists that are not what is confirmed. */
  #touched = untouched;
  /** All that was made of them, or without them; undefined where more has been made since it was found. */
  #reached: Set<Value> | undefined;
  /** So many earlier objects of a value are kept. */
  #past = 0;
  readonly #reads = new Map<string, TableReads>();
  /** What was made of the rows of a schema, so that its table is looked up once and not for each row. */
  readonly #rows = new WeakMap<RowSchema, Rows>();
  readonly #answers = new Map<string, Value>();
  readonly #created = new CreatedRows();
  /** What queries have computed, by what was read with them: it is forgotten with that. */
  readonly #computed = new WeakMap<Value, readonly Computed[]>();
  /** Values whose fields are still to be filled. */
  readonly #queue: RowValue[] = [];
  /** Values that were begun since the outermost read. */
  #begun: Value[] = [];
  #reading: Value | undefined;
  /** How often something was read that may yet turn out to be gone, because a cycle or a queue is still open. */
  #unsettledReads = 0;
  #depth = 0;

  constructor(tables: Tables = {}) {
    this.#tables = tables;
  }

  /**
   * Reads from these tables from now on. While requests are pending, `touched` is what is not confirmed of them. `isEarlier`: they are of a state before the
   * one that is shown.
   */
  sync(tables: Tables, touched?: Touched, isEarlier = false): void {
    this.#touched = touched ?? untouched;
    this.#past = touched || isEarlier ? PAST : 0;
    this.#reached = undefined;
    if (tables === this.#tables) return;
    this.#tables = tables;
    for (const [name, reads] of this.#reads) reads.sync(tableOf(tables, name));
  }

  /** The value of an answer, remembered under a name. */
  answer(name: string, definition: Definition, ref: unknown): unknown {
    const schema = schemaOf(definition);
    return schema ? this.source(name, schema, ref).value : ref;
  }

  /** The value of an answer, as it is remembered under a name; `isFresh` is false as soon as it may be another. */
  source(name: string, schema: Schema, ref: unknown): Value {
    const known = this.#answers.get(name);
    if (known?.isFresh && known.schema === schema && sameValue(known.row, ref)) return known;
    const answer = known ?? newValue(schema, '');
    this.#answers.set(name, answer);
    answer.schema = schema;
    answer.reads = 0;
    const value = this.#outermost(answer, () => {
      this.#begin(answer, ref);
      return schema.denormalize(ref, this);
    });
    answer.value = value;
    // Entities and lists are remembered by their rows; what is left are shapes.
    const isShape = !('table' in schema) && (isPlain(value) || isList(value));
    reuse(answer, (made) => isShape && sameValue(made.value, value), this.#past);
    return answer;
  }

  /** Forgets what was read under a name. Whoever has it still may bring it back. */
  forget(name: string): void {
    const answer = this.#answers.get(name);
    if (answer) answer.reads = FORGOTTEN;
    this.#answers.delete(name);
  }

  /** Remembers again what was forgotten. */
  bringBack(name: string, answer: Value): void {
    if (this.#answers.has(name)) return;
    answer.reads = 0;
    this.#answers.set(name, answer);
  }

  /** The server has given rows their pks: they are those that were shown under temporary ones. `confirmed` is what is there before. */
  named(rows: readonly Named[], confirmed: Tables): void {
    this.#created.clean(confirmed);
    for (const { table, pk, temporary } of rows) {
      this.#created.add(table, pk, temporary);
      // Somebody else may have brought the row already.
      for (const value of this.#reads.get(table)?.madeOf(pk) ?? [])
        for (const made of [value.value, ...value.past.map((one) => one.value)]) this.#created.mark(value, made);
    }
  }

  /** Whether an answer was made of, or without, a row that is not what is confirmed. */
  isOptimistic(answer: Value): boolean {
    let reached = this.#reached;
    if (!reached) {
      this.#reached = reached = new Set<Value>();
      for (const [name, pks] of this.#touched) for (const pk of pks) this.#reads.get(name)?.reach(pk, reached);
      for (const value of reached) {
        if (isRowValue(value)) this.#rowsOf(value.schema).reads.reachUsers(value.pk, usersOf(value), reached);
      }
    }
    return reached.has(answer);
  }

  row(schema: RowSchema, pk: string): unknown {
    const rows = this.#rowsOf(schema);
    const { reads } = rows;
    const reader = this.#reading;
    const value = reads.find(rows, schema, pk);
    if (!value) {
      if (reader) reads.miss(pk, reader);
      return undefined;
    }
    if (!value.isFresh) this.#make(value, rowAt(reads.table, rows.slot));
    if (!value.isSettled) this.#unsettledReads++;
    if (reader) {
      use(value, reader);
      value.place = reader.reads++;
    }
    return value.value;
  }

  rows(schema: RowSchema): readonly unknown[] {
    const { table, whole } = this.#rowsOf(schema).reads;
    if (this.#reading) addUser(whole, this.#reading);
    const values: unknown[] = [];
    eachRow(table, (_, pk) => {
      const value = this.row(schema, pk);
      if (value !== undefined) values.push(value);
    });
    return values;
  }

  computed(by: Schema, of: unknown, args: readonly unknown[], compute: () => unknown): unknown {
    const reader = this.#reading;
    if (!reader) return compute();
    const known = this.#computed.get(reader) ?? [];
    const isAlike = (one: Computed): boolean => one.by === by && sameValue(one.args, args);
    const alike = known.filter(isAlike);
    const last = alike.find((one) => isShallowSame(one.of, of)) ?? { by, args, of, value: compute() };
    // A row may come again with other arguments.
    const others = known.filter((one) => !isAlike(one)).slice(0, FEW * (1 + this.#past));
    this.#computed.set(reader, [last, ...alike.filter((one) => one !== last).slice(0, this.#past), ...others]);
    return last.value;
  }

  /** Begins to make a value anew; gives what it was. */
  #begin(value: Value, row: unknown): Made | undefined {
    const last = value.isSettled && value.value !== undefined ? { value: value.value, of: value.row } : undefined;
    if (last) value.past = value.past.length > 0 ? [last, ...value.past] : [last];
    value.isFresh = true;
    value.isSettled = false;
    value.row = row;
    // Entities are made anew as a whole, so they need not know what of them has changed.
    value.changed = isList(row) ? [] : undefined;
    this.#reached = undefined;
    this.#begun.push(value);
    return last;
  }

  /** Makes a value, in two steps: empty, for a cycle to be closed with; then filled. */
  #make(value: RowValue, row: unknown): void {
    const { schema, changed } = value;
    const last = this.#begin(value, row);
    const patched = last && changed && this.#patch(value, last, changed);
    if (patched) {
      value.value = patched.value;
      value.isSettled = true;
    }
    const isMade = patched !== undefined || this.#makeWhole(value);
    // Most values are made for the first time, and none was there before.
    if (value.past.length === 0) return;
    if (isMade) share(value, last);
    const now = value.value;
    // Where another member is known to be is looked at first: a list has 10 000 of them.
    const at = patched?.at ?? -1;
    const isSame = ({ value: other, of: otherRow }: Made): boolean => {
      if (!isMade) return false;
      // Lists may say the same with another row.
      const isLike = isList(other) && isList(now) ? at < 0 || other[at] === now[at] : sameValue(otherRow, row);
      return isLike && schema.isSame(other, now);
    };
    reuse(value, isSame, this.#past);
  }

  /** Makes a value of all it is made of; false when that is not over yet, or it is gone. */
  #makeWhole(value: RowValue): boolean {
    value.value = value.schema.begin(value.row);
    this.#created.mark(value, value.value);
    if (this.#depth >= MAX_DEPTH) {
      this.#queue.push(value);
      return false;
    }
    const unsettled = this.#unsettledReads;
    const isThere = this.#fill(value);
    value.isSettled = unsettled === this.#unsettledReads;
    return value.isSettled && isThere;
  }

  /** A list with those of its members read anew that have changed; undefined where it is to be made as a whole. */
  #patch(list: RowValue, last: Made, changed: readonly Changed[]): Patched | undefined {
    const reading = this.#reading;
    const { length } = this.#begun;
    const unsettled = this.#unsettledReads;
    this.#reading = list;
    const patched = patchList(list, last, changed, this);
    this.#reading = reading;
    if (unsettled === this.#unsettledReads) return patched;
    // A member in which the list is found itself has been given the last one.
    for (const begun of this.#begun.slice(length)) begun.isFresh = false;
    return undefined;
  }

  #fill(value: RowValue): boolean {
    const { schema, row } = value;
    const reading = this.#reading;
    this.#reading = value;
    value.reads = 0;
    this.#depth++;
    const isThere = schema.fill(value.value as object, row, this);
    this.#depth--;
    this.#reading = reading;
    if (!isThere) this.#lose(value);
    return isThere;
  }

  /** Takes back a value that cannot be without something that is gone, and all that cannot be without it in turn. */
  #lose(value: RowValue): void {
    value.value = undefined;
    for (const user of usersOf(value)) {
      // The one that is being filled finds out by itself.
      if (isRowValue(user) && user.value !== undefined && user !== this.#reading) this.#queue.push(user);
    }
  }

  /** Runs a read from outside, until all that it began is filled. */
  #outermost<T>(reader: Value, read: () => T): T {
    if (this.#reading) return read();
    this.#reading = reader;
    try {
      let value = read();
      if (this.#queue.length > 0) {
        this.#drain();
        // What was gone after all is known now.
        value = read();
      }
      for (const begun of this.#begun) {
        begun.isSettled = true;
        if (Array.isArray(begun.value)) freezeInDevelopment(begun.value);
      }
      return value;
    } catch (error) {
      for (const value of this.#begun) value.isFresh = false;
      this.#queue.length = 0;
      throw error;
    } finally {
      this.#begun = [];
      this.#reading = undefined;
      this.#depth = 0;
    }
  }

  #drain(): void {
    for (const value of this.#queue) {
      if (value.value === undefined) continue;
      const made = value.value;
      // It may have been filled before something in it turned out to be gone.
      if (Array.isArray(made)) made.length = 0;
      this.#fill(value);
    }
    this.#queue.length = 0;
  }

  #rowsOf(schema: RowSchema): Rows {
    // Asked for each row, so that not even a function is made for it.
    const known = this.#rows.get(schema);
    if (known) return known;
    const { table } = schema;
    const rows = getOrMake(this.#reads, table, () => new TableReads(tableOf(this.#tables, table))).rowsOf(schema);
    this.#rows.set(schema, rows);
    return rows;
  }
}

/** Gives a value what the last one has that says the same. */
function share({ schema, value, row }: RowValue, last: Made | undefined): void {
  if (last) schema.share?.(value as object, row, last.value as object, last.of);
}

const untouched: Touched = new Map();

/** What was computed of a value with some arguments. */
interface Computed extends Made {
  readonly by: Schema;
  readonly args: readonly unknown[];
}

/** So many computations of one value are kept, each with its earlier ones. */
const FEW = 8;

/** So many earlier objects of a value are kept while requests are pending, or an earlier state is read. */
const PAST = 3;

/** Rows nested deeper than this wait in a queue, so that a chain of any length leaves the stack alone. */
const MAX_DEPTH = 100;

/** A row that has got its pk, and the temporary one that it had. */
export interface Named extends Place {
  readonly temporary: string;
}
