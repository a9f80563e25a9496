import { freezeInDevelopment } from '../errors.js';
import {
  isPlain,
  isSameShape,
  isShallowSame,
  type Definition,
  type Reader,
  type RowSchema,
  type Schema,
} from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import { middleOf, sameValue } from './changes.js';
import { changedSlots } from './deltas.js';
import { offsetOf, PAGE, pageOf } from './slots.js';
import { eachRow, rowAt, slotOf, tableOf, type Table, type Tables } from './tables.js';
import type { Touched } from './Overlay.js';
import {
  isRowValue,
  isUsedBy,
  newRowValue,
  newValue,
  outdate,
  reachedFrom,
  told,
  use,
  usersOf,
  type Changed,
  type RowValue,
  type Value,
} from './values.js';

/**
 * Remembers what was read of one store, so that a value is the same object until a row it was made of changes.
 *
 * Every value knows which values were made of it. When the tables are replaced, the pages that differ tell which rows
 * changed, and these, which values are out of date; whatever else was read stays as it is, and is handed out at once.
 * Going back in time works the same way.
 */
export class Memory implements Reader {
  readonly resolve = schemaOf;
  #tables: Tables;
  readonly #confirmed: Memory | undefined;
  /** The memory of what is shown, of which this is the one of what is confirmed. */
  #overlaid: Memory | undefined;
  /** The tables from which anything was read. */
  readonly #read = new Set<string>();
  /** What was made of the rows of a table, by schema and place. */
  readonly #made = new Map<string, Map<object, (RowValue | undefined)[]>>();
  readonly #shelves = new WeakMap<RowSchema, Shelf>();
  /** What was made while a row was missing, by table and pk. */
  readonly #missed = new Map<string, Map<string, Set<Value>>>();
  /** What was made of a whole table. */
  readonly #whole = new Map<string, Set<Value>>();
  /** What was made of rows that only pending requests show. */
  readonly #unconfirmed = new WeakMap<object, { readonly kind: object; readonly value: unknown }>();
  /** Which rows are not what is confirmed. */
  #touched: Touched = none;
  #reachedBy = { touched: none, links: -1, values: new Set<Value>() as ReadonlySet<Value> };
  /** Whether components read from here now, and not from what is confirmed. */
  isShown = false;
  /** Grows with what is made of others. */
  #links = 0;
  readonly #answers = new Map<string, AnswerValue>();
  readonly #computed = new WeakMap<Schema, Map<string, { readonly of: unknown; readonly value: unknown }>>();
  /** Values whose fields are still to be filled. */
  readonly #queue: RowValue[] = [];
  /** Values that were begun since the outermost read. */
  #begun: RowValue[] = [];
  #reading: Value | undefined;
  /** Who reads for another memory. */
  readonly #outside = newValue();
  /** Where the list that is being made anew has another member than it had, or -1. */
  #replaced = -1;
  /** How often something was read that may yet turn out to be gone, because a cycle or a queue is still open. */
  #unsettledReads = 0;
  #depth = 0;

  /**
   * A memory of what is shown while requests are pending has the one of what is confirmed behind it: what no request
   * touches is the same object in both, and is so again when all have settled.
   */
  constructor(tables: Tables = {}, confirmed?: Memory) {
    this.#tables = tables;
    this.#confirmed = confirmed;
    if (confirmed) confirmed.#overlaid = this;
  }

  /** Reads from these tables from now on; of an overlay it is told what lies over the rows of others. */
  sync(tables: Tables, touched: Touched = none): void {
    const before = this.#tables;
    if (before === tables) return;
    this.#tables = tables;
    const earlier = this.#touched;
    this.#touched = touched;
    this.#spread(earlier, touched);
    for (const name of this.#read) {
      const table = tableOf(tables, name);
      const last = tableOf(before, name);
      if (table !== last) this.#compare(name, last, table);
    }
  }

  /** The value of an answer, remembered under a name. */
  answer(name: string, definition: Definition, ref: unknown): unknown {
    const schema = schemaOf(definition);
    return schema ? this.source(name, schema, ref).value : ref;
  }

  /** The value of an answer, as it is remembered under a name; it tells whether it is so still. */
  source(name: string, schema: Schema, ref: unknown): AnswerValue {
    const known = this.#answers.get(name);
    if (known?.isFresh && known.schema === schema && isSameRef(known.ref, ref)) return known;
    const answer: AnswerValue = known ?? { name, ref, schema, ...newValue(false) };
    const last = answer.value;
    answer.ref = ref;
    answer.schema = schema;
    this.#answers.set(name, answer);
    this.#links++;
    // What has no name stands for another answer each time.
    const confirmed = name === '' ? undefined : this.#confirmed?.source(name, schema, ref);
    if (confirmed && !this.#reachedNow.has(confirmed)) {
      answer.value = confirmed.value;
      use(confirmed, answer);
    } else {
      const value = this.#outermost(answer, () => schema.denormalize(ref, this));
      answer.value = this.#standing(name, schema, [confirmed?.value, last], value);
    }
    answer.isFresh = true;
    return answer;
  }

  /** The object that says the same already: one of these, or what is shown. */
  #standing(name: string, schema: Schema, known: readonly unknown[], value: unknown): unknown {
    // Entities and lists are remembered by their rows; what is left are shapes.
    if ('table' in schema || (!isPlain(value) && !Array.isArray(value))) return value;
    const overlaid = this.#overlaid;
    const shown = overlaid && name !== '' ? overlaid.#answers.get(name)?.value : undefined;
    return [...known, shown].find((other) => isSameShape(other, value)) ?? value;
  }

  /** Forgets what was read under a name. */
  forget(name: string): void {
    this.#answers.delete(name);
  }

  row(schema: RowSchema, pk: string): unknown {
    const shelf = this.#shelfOf(schema);
    const { table, values } = shelf;
    const slot = table ? slotOn(shelf, table, pk) : -1;
    if (!table || slot < 0) {
      this.#miss(shelf.name, pk);
      return undefined;
    }
    let value = values[slot];
    if (!value) values[slot] = value = newRowValue(schema);
    if (!value.isFresh) this.#make(value, pk, rowAt(table, slot));
    if (!value.isSettled) this.#unsettledReads++;
    const reader = this.#reading;
    if (reader) {
      use(value, reader);
      value.place = reader.reads++;
    }
    return value.value;
  }

  rows(schema: RowSchema): readonly unknown[] {
    this.#read.add(schema.table);
    if (this.#reading) setIn(this.#whole, schema.table, () => new Set<Value>()).add(this.#reading);
    const values: unknown[] = [];
    const table = tableOf(this.#tables, schema.table);
    if (table) {
      eachRow(table, (_, pk) => {
        const value = this.row(schema, pk);
        if (value !== undefined) values.push(value);
      });
    }
    return values;
  }

  computed(by: Schema, of: unknown, args: readonly unknown[], compute: () => unknown): unknown {
    let known = this.#computed.get(by);
    if (!known) this.#computed.set(by, (known = new Map<string, { readonly of: unknown; readonly value: unknown }>()));
    const name = JSON.stringify(args);
    const last = known.get(name);
    if (last && isShallowSame(last.of, of)) return last.value;
    // What is computed of the same is the same, in what is shown and in what is confirmed.
    const other = (this.#confirmed ?? this.#overlaid)?.computedOf(by, name);
    const value = other && isShallowSame(other.of, of) ? other.value : compute();
    known.set(name, { of, value });
    return value;
  }

  private computedOf(by: Schema, name: string): { readonly of: unknown; readonly value: unknown } | undefined {
    return this.#computed.get(by)?.get(name);
  }

  /** Makes a value, in two steps: empty, for a cycle to be closed with; then filled. */
  #make(value: RowValue, pk: string, row: unknown): void {
    const { schema, value: earlier, row: earlierRow, changed, isSettled } = value;
    // Asked first, while what is shown is still known there, so that both come to stand for the same object.
    const confirmed = this.#confirmed?.value(schema, pk);
    if (this.#overlaid?.isShown) value.before = { pk: value.pk, value: earlier, row: earlierRow };
    value.isFresh = true;
    value.isGone = false;
    value.isSettled = false;
    value.row = row;
    value.pk = pk;
    this.#links++;
    // Entities are made anew as a whole, so they need not know what of them has changed.
    value.changed = Array.isArray(row) ? [] : undefined;
    // What no pending request reaches is what is confirmed, whatever is inside.
    if (confirmed && confirmed.row === row && confirmed.isSettled && !this.#reachedNow.has(confirmed)) {
      value.value = confirmed.value;
      value.isGone = confirmed.isGone;
      value.isSettled = true;
      use(confirmed, value);
      return;
    }
    this.#replaced = -1;
    const known = isSettled && changed ? this.#patch(value, earlier, earlierRow, changed) : undefined;
    const patched = known ?? (confirmed && this.#derive(value, confirmed));
    if (patched) {
      value.value = patched;
      value.isSettled = true;
      this.#begun.push(value);
    } else if (!this.#makeWhole(value)) return;
    // Most values are made for the first time, and nothing stands for them yet.
    if (earlierRow === undefined && !this.#confirmed && !this.#overlaid?.hasRead(schema)) return;
    // What says the same as before, or as what is shown or confirmed, is the object it was. Lists may do so with another row.
    const at = this.#replaced;
    const stands = (other: unknown, otherRow: unknown): boolean => {
      if (!isList(other)) return sameValue(otherRow, row) && schema.isSame(other, value.value);
      // Where another member is known to be, nothing else need be compared: a list has 10 000 of them.
      return (at < 0 || other[at] === (value.value as readonly unknown[])[at]) && schema.isSame(other, value.value);
    };
    const last = this.#lastOf(schema, row);
    if (confirmed && stands(confirmed.value, confirmed.row)) value.value = confirmed.value;
    else if (known ? known === earlier : stands(earlier, earlierRow)) value.value = earlier;
    else if (last !== undefined && stands(last, row)) value.value = last;
    else if (confirmed?.before?.pk === pk && stands(confirmed.before.value, confirmed.before.row)) {
      // It was shown as it was confirmed, and is still, though that is another now.
      value.value = confirmed.before.value;
    } else {
      const shown = this.#overlaid?.shownValue(schema, pk);
      if (shown && stands(shown.value, shown.row)) value.value = shown.value;
    }
    if (value.value !== confirmed?.value) this.#keep(value);
  }

  /** Makes a value of all it is made of; false when that is not over yet, or it is gone. */
  #makeWhole(value: RowValue): boolean {
    value.value = value.schema.begin(value.row);
    this.#begun.push(value);
    if (this.#depth >= MAX_DEPTH) {
      this.#queue.push(value);
      return false;
    }
    const unsettled = this.#unsettledReads;
    const isThere = this.#fill(value);
    value.isSettled = unsettled === this.#unsettledReads;
    return value.isSettled && isThere;
  }

  /**
   * A list of which a few members have changed, come or gone, with those replaced: 10 µs of 10 000, where reading all of
   * them again takes 1.3 ms. Undefined where a member is missing, for then there is more to do.
   */
  #patch(
    list: RowValue,
    earlier: unknown,
    earlierRow: unknown,
    changed: readonly Changed[],
  ): readonly unknown[] | undefined {
    // Only a list is made of nothing but its members; an entity with a list inside is no array itself.
    if (!isList(earlier)) return undefined;
    const next = this.#respliced(list, earlier, earlierRow);
    if (!next) return undefined;
    const reading = this.#reading;
    this.#reading = list;
    let replaced = -1;
    const isPatched = changed.every(({ value, pk, was }) => {
      // The list that it was derived of is no member.
      if (!isRowValue(value) || Array.isArray(value.row)) return false;
      const at = memberPlace(next, value, was);
      // What has changed may be what has gone; or it lies within a member that is no row itself.
      if (at < 0) return earlier.includes(was);
      const now = this.row(value.schema, pk);
      value.place = at;
      if (now !== was) replaced = at;
      next[at] = now;
      return now !== undefined && value.pk === pk && value.isSettled;
    });
    this.#reading = reading;
    if (!isPatched || next.length !== (list.row as readonly unknown[]).length) return undefined;
    // Where no member is another, those that came may be those that went.
    this.#replaced = replaced;
    return replaced >= 0 || !isShallowSame(earlier, next) ? next : earlier;
  }

  /**
   * A list as it is shown, made of the one that is confirmed, with what pending requests reach in it read anew: 50 µs of
   * 10 000, where reading all of them for the first time takes 15 ms. Undefined where more is another than not.
   */
  #derive(list: RowValue, confirmed: RowValue): readonly unknown[] | undefined {
    const { value: under, row: underRow } = confirmed;
    if (!isList(under) || !confirmed.isFresh || !confirmed.isSettled) return undefined;
    const next = this.#respliced(list, under, underRow);
    if (!next) return undefined;
    const reading = this.#reading;
    this.#reading = list;
    let isDerived = true;
    let isWhole = true;
    let replaced = -1;
    for (const member of this.#reachedNow) {
      if (!isRowValue(member) || !isUsedBy(member, confirmed)) continue;
      const at = memberPlace(next, member, member.value);
      if (at >= 0) {
        const now = (next[at] = this.row(member.schema, member.pk));
        if (now !== member.value) replaced = at;
        isWhole &&= now !== undefined;
      }
      // What is not in it now has gone; or it lies within a member that is no row itself.
      else isDerived &&= under.includes(member.value);
    }
    this.#reading = reading;
    if (!isDerived) return undefined;
    use(confirmed, list);
    // Where one is left out, places have moved.
    this.#replaced = isWhole ? replaced : -1;
    return isWhole ? next : next.filter((value) => value !== undefined);
  }

  /** The members of a list that another version of it has too, with those that it has not read anew; undefined where these are many. */
  #respliced(list: RowValue, known: readonly unknown[], knownRow: unknown): unknown[] | undefined {
    const { row, schema } = list;
    // Where a member is missing, places say nothing.
    if (!isList(row) || !isList(knownRow) || known.length !== knownRow.length) return undefined;
    const { start, end } = middleOf(knownRow, row);
    if (row.length - start - end > MANY) return undefined;
    const middle: unknown[] = [];
    if (row !== knownRow) {
      const reading = this.#reading;
      this.#reading = list;
      schema.fill(middle, row.slice(start, row.length - end), this);
      this.#reading = reading;
    }
    return spliced(known, start, middle, end);
  }

  /** What was made of these rows, or without them, as they are confirmed. */
  #reached(touched: Touched): readonly Value[] {
    const reached: Value[] = [];
    const confirmed = this.#confirmed;
    for (const [name, pks] of touched) for (const pk of pks) reached.push(...(confirmed?.madeOf(name, pk) ?? []));
    return reached;
  }

  private madeOf(name: string, pk: string): readonly Value[] {
    const table = tableOf(this.#tables, name);
    const slot = table ? slotOf(table, pk) : -1;
    const made = slot < 0 ? [] : [...(this.#made.get(name)?.values() ?? [])].flatMap((values) => values[slot] ?? []);
    return [...made, ...(this.#missed.get(name)?.get(pk) ?? []), ...(this.#whole.get(name) ?? [])];
  }

  /** All that is confirmed and made of rows that are shown otherwise; looked for again when more has been made of them. */
  get #reachedNow(): ReadonlySet<Value> {
    const confirmed = this.#confirmed;
    const links = confirmed ? confirmed.#links : 0;
    if (this.#reachedBy.touched !== this.#touched || this.#reachedBy.links !== links) {
      this.#reachedBy = { touched: this.#touched, links, values: reachedFrom(this.#reached(this.#touched)) };
    }
    return this.#reachedBy.values;
  }

  /** What was taken from what is confirmed is out of date where pending requests reach it now. */
  #spread(earlier: Touched, touched: Touched): void {
    if (earlier === touched) return;
    const isNews = ([name, pks]: readonly [string, ReadonlySet<string>]): readonly [string, ReadonlySet<string>] => {
      const known = earlier.get(name);
      return [name, known ? new Set([...pks].filter((pk) => !known.has(pk))) : pks];
    };
    const reached = this.#reached(new Map([...touched].map(isNews)));
    for (const value of reached) this.#outdateOwn(value, undefined);
    for (const value of reachedFrom(reached)) for (const user of usersOf(value)) this.#outdateOwn(user, value);
  }

  /** What is remembered here of something that is confirmed, and of which a part is shown otherwise. */
  #outdateOwn(value: Value, part: Value | undefined): void {
    const own = isRowValue(value)
      ? this.#known(value.schema, value.pk)
      : this.#answers.get((value as AnswerValue).name);
    if (!own) return;
    outdate(own);
    if (!part || !isRowValue(own) || !Array.isArray(own.row)) return;
    if (!isRowValue(part)) {
      own.changed = undefined;
      return;
    }
    // What the list was made of here tells by itself that it has changed.
    const ownPart = this.#known(part.schema, part.pk);
    if (!ownPart || !isUsedBy(ownPart, own)) told(own, part);
  }

  /** What has been made of a row already. */
  #known(schema: RowSchema, pk: string): RowValue | undefined {
    const shelf = this.#shelfOf(schema);
    const slot = shelf.table ? slotOn(shelf, shelf.table, pk) : -1;
    return slot < 0 ? undefined : shelf.values[slot];
  }

  /** What was shown last of a row, though it may be out of date. */
  private shownValue(schema: RowSchema, pk: string): RowValue | undefined {
    const value = this.#known(schema, pk);
    return value?.pk === pk && value.isSettled && !value.isGone ? value : undefined;
  }

  /** What was made of a row before, wherever it stood: a row that is not confirmed moves when others are. */
  #lastOf({ kind }: RowSchema, row: unknown): unknown {
    const isKept = this.#confirmed && typeof row === 'object' && row !== null;
    const last = isKept ? this.#unconfirmed.get(row) : undefined;
    return last?.kind === kind ? last.value : undefined;
  }

  #keep({ schema, row, value }: RowValue): void {
    if (this.#confirmed && typeof row === 'object' && row !== null)
      this.#unconfirmed.set(row, { kind: schema.kind, value });
  }

  /** What is made of a row, for another memory. */
  private value(schema: RowSchema, pk: string): RowValue | undefined {
    this.#outermost(this.#outside, () => this.row(schema, pk));
    return this.#known(schema, pk);
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
    value.isGone = true;
    value.value = undefined;
    for (const user of usersOf(value)) {
      // The one that is being filled finds out by itself.
      if (isRowValue(user) && !user.isGone && user !== this.#reading) this.#queue.push(user);
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
      if (value.isGone) continue;
      const depth = this.#depth;
      this.#depth = 0;
      const made = value.value as object;
      // It may have been filled before something in it turned out to be gone.
      if (Array.isArray(made)) made.length = 0;
      this.#fill(value);
      this.#depth = depth;
    }
    this.#queue.length = 0;
  }

  /** Whether anything of a class was read here. */
  private hasRead(schema: RowSchema): boolean {
    return this.#made.size > 0 && (this.#made.get(schema.table)?.has(schema.kind) ?? false);
  }

  /** Where the values of a schema stand now; looked up once for all rows of one state. */
  #shelfOf(schema: RowSchema): Shelf {
    let shelf = this.#shelves.get(schema);
    if (!shelf) {
      const name = schema.table;
      shelf = { name, values: this.#valuesOf(schema), tables: undefined, table: undefined, hint: 0 };
      this.#shelves.set(schema, shelf);
    }
    if (shelf.tables !== this.#tables) {
      shelf.tables = this.#tables;
      shelf.table = tableOf(this.#tables, shelf.name);
    }
    return shelf;
  }

  #valuesOf(schema: RowSchema): (RowValue | undefined)[] {
    const ofTable = setIn(this.#made, schema.table, () => {
      this.#read.add(schema.table);
      return new Map<object, (RowValue | undefined)[]>();
    });
    return setIn(ofTable, schema.kind, () => []);
  }

  #miss(table: string, pk: string): void {
    if (!this.#reading) return;
    this.#read.add(table);
    const ofTable = setIn(this.#missed, table, () => new Map<string, Set<Value>>());
    setIn(ofTable, pk, () => new Set<Value>()).add(this.#reading);
  }

  #compare(name: string, before: Table | undefined, after: Table | undefined): void {
    const whole = this.#whole.get(name);
    if (whole) {
      this.#whole.delete(name);
      whole.forEach(outdate);
    }
    const made = this.#made.get(name);
    const missed = this.#missed.get(name);
    const slots = before && after && changedSlots(before, after);
    if (slots) {
      for (const slot of slots) if (rowAt(before, slot) !== rowAt(after, slot)) this.#touch(slot, made, missed, after);
      return;
    }
    const pages = Math.max(before?.rows.length ?? 0, after?.rows.length ?? 0);
    for (let page = 0; page < pages; page++) {
      const earlier = before?.rows[page];
      const now = after?.rows[page];
      if (earlier === now && before?.pks[page] === after?.pks[page]) continue;
      const [one, other] = [earlier ?? noRows, now ?? noRows];
      const both = Math.min(one.length, other.length);
      // Within both, for to read beyond the end of an array costs ten times as much.
      for (let i = 0; i < both; i++) if (one[i] !== other[i]) this.#touch(page * PAGE + i, made, missed, after);
      const size = Math.max(one.length, other.length);
      for (let i = both; i < size; i++) this.#touch(page * PAGE + i, made, missed, after);
    }
  }

  #touch(
    slot: number,
    made: Map<object, (RowValue | undefined)[]> | undefined,
    missed: Map<string, Set<Value>> | undefined,
    table: Table | undefined,
  ): void {
    if (made) {
      for (const values of made.values()) {
        const value = values[slot];
        if (!value) continue;
        outdate(value);
        if (!table || rowAt(table, slot) === undefined) values[slot] = undefined;
      }
    }
    const pk = missed && table?.pks[pageOf(slot)]?.[offsetOf(slot)];
    if (!missed || !pk) return;
    const waiting = missed.get(pk);
    missed.delete(pk);
    waiting?.forEach(outdate);
  }
}

const none: Touched = new Map();
const noRows: readonly unknown[] = [];

/** More new members than this are read with all others. */
const MANY = 32;

/** A list with other members between its start and its end; made in one piece, for that is what it costs. */
function spliced(list: readonly unknown[], start: number, middle: readonly unknown[], end: number): unknown[] {
  const gone = list.length - start - end;
  // `concat` makes what is longer in one piece; `slice` of a frozen list is 60 times slower than a spread.
  if (middle.length > gone && end === 0) return (gone === 0 ? list : list.slice(0, start)).concat(middle);
  if (middle.length > gone) return list.slice(0, start).concat(middle, list.slice(start + gone));
  const next = [...list];
  if (gone > 0) next.splice(start, gone, ...middle);
  return next;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Where a list has what was made of a row, or -1; mostly as which it was read. */
function memberPlace(list: readonly unknown[], { place }: RowValue, value: unknown): number {
  return list[place] === value ? place : list.indexOf(value);
}

/** Rows nested deeper than this wait in a queue, so that a chain of any length leaves the stack alone. */
const MAX_DEPTH = 100;

/** Where the values of a schema stand. */
interface Shelf {
  readonly name: string;
  /** By the places of their rows. */
  readonly values: (RowValue | undefined)[];
  tables: Tables | undefined;
  /** The table of the rows, in those tables. */
  table: Table | undefined;
  /** Where the next row is looked for first: lists mostly stand in the order in which their rows are kept. */
  hint: number;
}

/** The place of a row, or -1; where it is the next one, nothing is hashed. */
function slotOn(shelf: Shelf, table: Table, pk: string): number {
  const { hint } = shelf;
  const slot = table.pks[pageOf(hint)]?.[offsetOf(hint)] === pk ? hint : slotOf(table, pk);
  shelf.hint = slot + 1;
  return slot;
}

/** What was made of an answer; of one name, whoever asks. */
export interface AnswerValue extends Value {
  readonly name: string;
  ref: unknown;
  schema: Schema;
}

/** Whether two answers stand for the same; what is asked of the tables is made anew each time. */
function isSameRef(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const isMade = (isPlain(one) && isPlain(other)) || (Array.isArray(one) && Array.isArray(other));
  return isMade && sameValue(one, other);
}

function setIn<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
