import { none, pick, type Row } from '../../schema/Schema.js';
import { goneIn, type RowChanges } from '../../tables/changes.js';
import { differs, hasAny, hasNoOthers, isGreater, sameValue } from '../../tables/same.js';
import type { Told } from '../../tables/NormalizeOptions.js';
import { Places, type Place } from '../../tables/Places.js';
import { rowFrom } from '../../tables/tables.js';
import type { Beside } from './beside.js';
import { overlapped, type Event, type Incoming, type IncomingRow } from './event.js';
import { inPlaceOfRows, rowRecordOf, type RowRecord } from './journal.js';
import { holderIn, isNamedAfter, noRecord, recordAfter, sentByNamer } from './rowRecord.js';
import { holderOf, isByHand, noNews, takes, type Holder } from './takes.js';
import { WaitingRows } from './WaitingRows.js';

/** What becomes of a row. */
interface Written {
  /** The row from now on; undefined where it is gone. */
  readonly row: Row | undefined;
  /** What is written of it; null where it is gone. */
  readonly part: Row | null;
  /** It stands as it is, and is not merged over what was there. */
  readonly whole?: true;
}

/** A row as it is confirmed, and who holds it. */
interface Kept {
  readonly record: RowRecord;
  readonly kept: Row | undefined;
}

/** What becomes of rows when events land: for each field, whether the event takes it from its holder, and what has to wait. */
export class Rows {
  /** Rows that nobody had told of before. */
  readonly fresh = new Places();
  /** Rows of which a read and a write that overlapped say different things. */
  readonly doubts = new Places();
  readonly waiting: WaitingRows;
  /** When the last deletion came. */
  gone: number;
  readonly #beside: Beside;
  readonly #written = new Places<Written>();
  readonly #records = new Places<RowRecord>();
  /** What the event that lands holds all of, as most answers do of most rows: one record for all of these. */
  #last: { readonly event: Event; readonly holder: Holder; readonly plain: RowRecord } | undefined;

  constructor(beside: Beside) {
    this.#beside = beside;
    this.waiting = new WaitingRows(beside, ({ table, pk }, field, seq) =>
      isNamedAfter(this.record(table, pk), field, seq),
    );
    this.gone = beside.journal.goneSeq;
  }

  /** A row as it is confirmed by now. */
  row(table: string, pk: string): Row | undefined {
    const written = this.#written.get(table, pk);
    return written ? written.row : rowFrom(this.#beside.tables, table, pk);
  }

  /** Whether an event that lands has said something of a row. */
  isTold(table: string, pk: string): boolean {
    return this.#records.has(table, pk);
  }

  record(table: string, pk: string): RowRecord {
    return this.#records.get(table, pk) ?? rowRecordOf(this.#beside.journal, table, pk) ?? noRecord;
  }

  /** Whether a row was deleted after something was sent. */
  isGone(table: string, pk: string, sent: number): boolean {
    return this.gone > sent && (this.record(table, pk).gone ?? 0) > sent;
  }

  /** What of a row the event takes; undefined where that is nothing. What waits is kept for later. */
  take(event: Incoming, given: IncomingRow, isPatient = true): Row | undefined {
    const { table, pk, row, whole = row } = given;
    const record = this.record(table, pk);
    if ((record.gone ?? 0) > event.sent) return undefined;
    const version = this.#beside.followed.versionTold(table, whole);
    const incoming = version ? { ...given, whole, version } : given;
    const kept = this.row(table, pk);
    if (!kept) this.fresh.set(table, pk, true);
    const held = isPatient ? this.waiting.fieldsHeld(event, incoming) : undefined;
    if (held) return this.#takeRest(event, incoming, held, { record, kept });
    if (record.came > event.sent || incoming.version) return this.#takeSome(event, incoming, { record, kept });
    this.#hold(event, incoming, kept, row);
    return row;
  }

  /** The version that a row tells; undefined where it tells none. */
  versionOf(table: string, row: Row | undefined): unknown {
    return this.#beside.followed.versionTold(table, row)?.is;
  }

  /** What of a row need not wait. */
  #takeRest(
    event: Incoming,
    { row, names, ...place }: IncomingRow,
    held: ReadonlySet<string>,
    known: Kept,
  ): Row | undefined {
    const part = (isHeld: boolean): IncomingRow => {
      const isPart = (field: string): boolean => (held.has(field) && Object.hasOwn(row, field)) === isHeld;
      // What its class does not let in is named nevertheless.
      return { row: pick(row, isPart), names: names.filter(isPart), ...place };
    };
    const { isOrdered, version, whole = row } = place;
    this.waiting.add(event, part(true), (isOrdered === true || version !== undefined) && { whole });
    return this.#takeSome(event, part(false), known);
  }

  /** The fields that the event takes. */
  #takeSome(event: Incoming, incoming: IncomingRow, known: Kept): Row | undefined {
    const taken = pick(incoming.row, (field) => this.#takes(event, incoming, known, field));
    // What is written by hand, as a message is, names nothing of which it tells an older version.
    const { record, kept } = known;
    const isNamed = (field: string): boolean =>
      !kept || this.#isNewer(incoming, holderIn(record, field), kept) !== false;
    const names = isByHand(event) ? incoming.names.filter(isNamed) : incoming.names;
    this.#hold(event, { ...incoming, names }, kept, taken);
    // A row is not made of nothing.
    return hasAny(taken) ? taken : undefined;
  }

  #takes(event: Incoming, incoming: IncomingRow, { record, kept }: Kept, field: string): boolean {
    const { table, pk, row, names, isOrdered } = incoming;
    const holder = holderIn(record, field);
    const isNewer = kept && this.#isNewer(incoming, holder, kept);
    if (isNewer !== undefined) return isNewer;
    if (isOrdered || !holder || !kept || !Object.hasOwn(kept, field)) return true;
    const there = kept[field];
    const isSame = sameValue(there, row[field]);
    if (!isSame) this.#noteDoubt(event, incoming, holder, { field, there });
    const isNamed = names.includes(field);
    // A write that has lost a field to a write that was sent later has lost it for good.
    if (isNamed && sentByNamer(record, field) > event.sent) return false;
    return takes(event, isNamed, holder, () => !isSame && event.hasShownNews(table, pk, field, there));
  }

  /** Whether a row tells a greater version than its holder, or a smaller one; undefined where versions do not tell. */
  #isNewer({ table, version }: IncomingRow, holder: Holder | undefined, kept: Row): boolean | undefined {
    return version && isGreater(version.is, holder ? holder.version : this.versionOf(table, kept));
  }

  /** Two that overlapped differ in a field: that is in doubt, unless the one that does not name it says what was confirmed already, so that it was served before. */
  #noteDoubt(
    event: Incoming,
    incoming: IncomingRow,
    holder: Holder,
    { field, there }: { readonly field: string; readonly there: unknown },
  ): void {
    const { table, pk, row, names } = incoming;
    const isNamed = names.includes(field);
    if (!overlapped(event, holder) || !mayDiffer(event, incoming, holder, isNamed)) return;
    const { names: wasNamed = false } = holder;
    const isAside = event.kind === 'read' || wasNamed;
    const [teller, other] = isAside ? [event, holder] : [holder, event];
    const told = isAside ? row[field] : there;
    const mayBeLater = isByHand(holder) || isLater(teller, other, isNamed || wasNamed);
    if (mayBeLater || !event.wasConfirmed(table, pk, field, told)) this.doubts.set(table, pk, true);
  }

  /** Remembers what an empty answer names of a row that nobody has brought yet. */
  nameUnknown(event: Event, incoming: IncomingRow): void {
    this.#hold(event, incoming, undefined, {});
  }

  /** Remembers what the event holds from now on, and what it has named, taken or not. */
  #hold(
    event: Event & Pick<Incoming, 'madeAt'>,
    { table, pk, names, version, isOrdered }: IncomingRow,
    kept: Row | undefined,
    taken: Row,
  ): void {
    // Its class calls it newer than the row, and so than what waits of it.
    if (isOrdered) this.waiting.drop({ table, pk }, taken);
    const told = version?.is;
    const { holder, plain } = this.#holderOf(event, told);
    const isAll = event.madeAt === undefined && (kept ? hasNoOthers(kept, taken) : hasAny(taken));
    const record = this.#recordUnder(table, pk, isAll);
    const isFirst = isAll && !kept && !this.#beside.isCalm;
    const known = isFirst ? event.came : record.known;
    // Most answers hold all of most rows.
    if (isAll && names.length === 0 && known === undefined && !record.fields) {
      this.#records.set(table, pk, plain);
      return;
    }
    const all = isAll ? holder : this.#holderOfRest(table, { record, kept }, version);
    const naming = namerOf(event, told);
    this.#records.set(table, pk, recordAfter(record, { taken, names, all, holder, naming, known }));
  }

  /** What is remembered of a row that an event has told: of one that it tells whole, only writes ask that are under way. */
  #recordUnder(table: string, pk: string, isAll: boolean): RowRecord {
    const { isCalm, isWriting } = this.#beside;
    return isAll && isCalm && !isWriting ? noRecord : this.record(table, pk);
  }

  /** Who holds what an event has not taken of a row: whoever did before; where versions tell and nobody did, the row is as new as its version. */
  #holderOfRest(table: string, { record, kept }: Kept, version: IncomingRow['version']): Holder | undefined {
    const isHeld = record.all ?? record.fields;
    return version && kept && !isHeld ? { ...before, version: this.versionOf(table, kept) } : record.all;
  }

  /** An event as the holder of a row that tells a version, or none, and the record of a row of which it holds all. */
  #holderOf(event: Event, version?: unknown): { readonly holder: Holder; readonly plain: RowRecord } {
    if (this.#last?.event !== event) {
      const holder = holderOf(event, false);
      this.#last = { event, holder, plain: { all: holder, came: event.came } };
    }
    if (version === undefined) return this.#last;
    const holder = { ...this.#last.holder, version };
    return { holder, plain: { all: holder, came: event.came } };
  }

  /** Writes what an event has taken of a row over what is there; gives the row from now on. */
  write({ table, pk }: Place, taken: Row): Row {
    const before = this.row(table, pk);
    if (before && !differs(before, taken)) return before;
    const row = before ? { ...before, ...taken } : taken;
    const earlier = this.#written.get(table, pk);
    const whole = earlier && (earlier.whole ?? earlier.part === null);
    this.#written.set(table, pk, whole ? { row, part: row, whole } : { row, part: { ...earlier?.part, ...taken } });
    return row;
  }

  /** Writes a row that its class has merged. */
  writeWhole({ table, pk }: Place, row: Row): void {
    this.#written.set(table, pk, { row, part: row, whole: true });
  }

  /** Whether an answer that says that a row is gone is believed: a write always, a read if it takes all fields of the row. */
  isBelieved(event: Event, { table, pk }: Place): boolean {
    if (event.kind === 'write') return true;
    const { all, fields = {} } = this.record(table, pk);
    return [all, ...Object.values(fields).map(({ by }) => by)].every((holder) => takes(event, false, holder, noNews));
  }

  remove(event: Event, { table, pk }: Place): void {
    this.#written.set(table, pk, { row: undefined, part: null });
    this.#noteGone(event, { table, pk });
  }

  #noteGone({ came }: Event, { table, pk }: Place): void {
    this.gone = came;
    this.#records.set(table, pk, { gone: came, came });
  }

  /** Holds what an event tells of rows that are written as they came. */
  holdAll(event: Event, told: readonly Told[], changes: readonly RowChanges[]): void {
    for (const { table, rows } of told)
      for (const [pk, row] of rows) {
        const version = this.#beside.followed.versionTold(table, row);
        this.#hold(event, { table, pk, row, names: none, version }, this.row(table, pk), row);
      }
    for (const place of goneIn(changes)) this.#noteGone(event, place);
  }

  changes(): readonly RowChanges[] {
    return this.#written.tables().flatMap(([table, entries]) => {
      const all = [...entries];
      // Rows that stand as they are come first.
      return [true, undefined].flatMap((whole): readonly RowChanges[] => {
        const those = all.filter(([, written]) => written.whole === whole);
        if (those.length === 0) return none;
        const rows = those.map(([, { part }]) => part);
        return [{ table, pks: those.map(([pk]) => pk), rows, ...(whole && { whole }) }];
      });
    });
  }

  records(): readonly RowChanges[] {
    return inPlaceOfRows(this.#records);
  }
}

/** Before all events. */
const before = { kind: 'read', asked: 0, sent: 0, came: 0 } as const;

/** Whether two may differ by what they are: a read and a write, or two writes of which one names the field. What is written by hand, as a message is, is news, but not beside who names the field, or an action. */
function mayDiffer(event: Incoming, { table, pk }: Place, holder: Holder, isNamed: boolean): boolean {
  if (isByHand(holder)) return isNamed || event.actsOn(table, pk);
  return event.kind !== holder.kind || isNamed !== (holder.names ?? false);
}

/** Whether who does not name a field may have been served later: an action may have set it back, and a read may be older than a write that does not name it either. */
function isLater(teller: Pick<Event, 'kind' | 'sent'>, other: Pick<Event, 'sent'>, isNamed: boolean): boolean {
  return teller.sent > other.sent && (teller.kind === 'write' || !isNamed);
}

/** An event as the holder of what it names, in the place where it was made. */
function namerOf(event: Event & Pick<Incoming, 'madeAt'>, version: unknown): Holder {
  const { madeAt } = event;
  const place = madeAt === undefined ? event : { ...event, asked: madeAt, sent: madeAt, came: madeAt };
  return { ...(version !== undefined && { version }), ...holderOf(place, true) };
}
