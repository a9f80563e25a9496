import { own, pick, setOwn, withoutGaps, type Row } from '../../schema/Schema.js';
import { differs, hasNoOthers, isGreater, rowIn, sameValue, type RowChanges } from '../../tables/changes.js';
import type { Told } from '../../tables/NormalizeOptions.js';
import { Places, type Place } from '../../tables/Places.js';
import { rowOf, tableOf, type Tables } from '../../tables/tables.js';
import { overlapped, type Event, type Incoming } from './event.js';
import { counts, type Intent } from './intent.js';
import { inPlaceOfRows, rowRecordOf, type Cell, type Journal, type RowRecord, type Waiting } from './journal.js';
import { holderOf, noNews, takes, type Holder } from './takes.js';

const none: readonly never[] = [];

/** A row that an event brings. */
export interface IncomingRow extends Place {
  readonly row: Row;
  /** The fields of it that the event names. */
  readonly names: readonly string[];
  /** The class of the row has said that the answer is in time, however the requests overlapped. */
  readonly isOrdered?: boolean;
  /** The version of the row, where the class has one and the event tells it. */
  readonly version?: { readonly is: unknown } | undefined;
  /** All of a row of which some has waited, where its class is to be asked again. */
  readonly whole?: Row;
}

/** What becomes of a row. */
interface Written {
  /** The row from now on; undefined where it is gone. */
  readonly row: Row | undefined;
  /** What is written of it; null where it is gone. */
  readonly part: Row | null;
  /** It stands as it is, and is not merged over what was there. */
  readonly whole?: true;
}

/** What rows may have to wait for. */
export interface Guessing {
  /** What is pending, without the guess of the event that lands. */
  readonly intents: readonly Intent[];
  /** When the request of a guess was sent; undefined before. */
  sentAt(requestId: string): number | undefined;
  /** The field by which a server counts the changes of the rows of a table; undefined where it does not. */
  versionIn(table: string): string | undefined;
}

/** What becomes of rows when events land: for each field, whether the event takes it from its holder, and what has to wait. */
export class Rows {
  /** Rows that nobody had told of before. */
  readonly fresh = new Places();
  /** Rows of which a read and a write that overlapped say different things. */
  readonly doubts = new Places();
  waiting: readonly Waiting[];
  /** When the last deletion came. */
  gone: number;
  readonly #tables: Tables;
  readonly #journal: Journal;
  /** Guesses that count. */
  readonly #counting: readonly Intent[];
  readonly #sentAt: Guessing['sentAt'];
  readonly #versionIn: Guessing['versionIn'];
  readonly #written = new Places<Written>();
  readonly #records = new Places<RowRecord>();
  /** What the event that lands holds all of, as most answers do of most rows: one record for all of these. */
  #last: { readonly event: Event; readonly holder: Holder; readonly plain: RowRecord } | undefined;
  readonly #now = Date.now();

  constructor(tables: Tables, journal: Journal, { intents, sentAt, versionIn }: Guessing) {
    this.#tables = tables;
    this.#journal = journal;
    this.#counting = intents.filter(counts);
    this.#sentAt = sentAt;
    this.#versionIn = versionIn;
    this.waiting = journal.waiting;
    this.gone = journal.goneSeq;
  }

  /** A row as it is confirmed by now. */
  row(table: string, pk: string): Row | undefined {
    const written = this.#written.get(table, pk);
    // A table of this name holds rows.
    return written ? written.row : (rowOf(tableOf(this.#tables, table), pk) as Row | undefined);
  }

  /** Whether an event that lands has said something of a row. */
  isTold(table: string, pk: string): boolean {
    return this.#records.has(table, pk);
  }

  record(table: string, pk: string): RowRecord | undefined {
    return this.#records.get(table, pk) ?? rowRecordOf(this.#journal, table, pk);
  }

  /** Whether what waits of the answer to a request tells a greater version than a field has; undefined where versions do not tell. */
  isAhead(requestId: string, { table, pk }: Place, field: string): boolean | undefined {
    const { fields, all } = this.record(table, pk) ?? {};
    const was = (own(fields, field)?.by ?? all)?.version;
    const entry = this.waiting.find((one) => one.requestId === requestId && one.table === table && one.pk === pk);
    const is = this.#versionOf(table, entry?.whole);
    return is !== undefined && is === was ? false : isGreater(is, was);
  }

  /** Whether a row was deleted after something was sent. */
  isGone(table: string, pk: string, sent: number): boolean {
    return this.gone > sent && (this.record(table, pk)?.gone ?? 0) > sent;
  }

  /** What of a row the event takes; undefined where that is nothing. What waits is kept for later. */
  take(event: Incoming, given: IncomingRow, isPatient = true): Row | undefined {
    const { table, pk, row, whole = row } = given;
    const version = this.#versionTold(table, whole);
    const incoming = version ? { ...given, whole, version } : given;
    const record = this.record(table, pk);
    if ((record?.gone ?? 0) > event.sent) return undefined;
    const kept = this.row(table, pk);
    if (!kept) this.fresh.set(table, pk, true);
    const held = isPatient && this.#counting.length > 0 ? this.#fieldsHeld(event, incoming) : undefined;
    if (held) return this.#takeRest(event, incoming, held, record, kept);
    if (record && record.came > event.sent) return this.#takeSome(event, incoming, record, kept);
    if (version) return this.#takeSome(event, incoming, record ?? { came: 0 }, kept);
    this.#hold(event, incoming, { record, kept, taken: row });
    return row;
  }

  #versionOf(table: string, row: Row | undefined): unknown {
    return this.#versionTold(table, row)?.is;
  }

  /** What a row tells of its version, or does not; undefined where its class has none. */
  #versionTold(table: string, row: Row | undefined): IncomingRow['version'] {
    const counter = this.#versionIn(table);
    return counter === undefined ? undefined : { is: own(row, counter) };
  }

  /** What of a row need not wait. */
  #takeRest(
    event: Incoming,
    { row, names, ...place }: IncomingRow,
    held: ReadonlySet<string>,
    record: RowRecord | undefined,
    kept: Row | undefined,
  ): Row | undefined {
    const part = (isHeld: boolean): IncomingRow => {
      const isPart = (field: string): boolean => (held.has(field) && Object.hasOwn(row, field)) === isHeld;
      // What its class does not let in is named nevertheless.
      return { ...place, row: pick(row, isPart), names: names.filter(isPart) };
    };
    const { isOrdered, version, whole = row } = place;
    this.wait(event, part(true), (isOrdered === true || version !== undefined) && { whole });
    return this.#takeSome(event, part(false), record ?? { came: 0 }, kept);
  }

  /** The fields that the event takes. */
  #takeSome(event: Incoming, incoming: IncomingRow, record: RowRecord, kept: Row | undefined): Row | undefined {
    const { table, pk, row, names, isOrdered, version } = incoming;
    const isTaken = (field: string): boolean => {
      const cell = own(record.fields, field);
      const holder = cell?.by ?? record.all;
      const was = holder ? holder.version : this.#versionOf(table, kept);
      const isNewer = version && kept ? isGreater(version.is, was) : undefined;
      if (isNewer !== undefined) return isNewer;
      if (isOrdered || !holder || !kept || !Object.hasOwn(kept, field)) return true;
      const there = kept[field];
      const isSame = sameValue(there, row[field]);
      // A read that says what was confirmed when it was sent, or when the write was, was served before the write.
      const read = event.kind === 'read' ? row[field] : there;
      const isDoubtful = !isSame && event.kind !== holder.kind && overlapped(event, holder);
      if (isDoubtful && !event.wasConfirmed(table, pk, field, read)) this.doubts.set(table, pk, true);
      const isNamed = names.includes(field);
      // A write that has lost a field to a write that was sent later has lost it for good.
      if (isNamed && cell?.named && cell.named.sent > event.sent) return false;
      return takes(event, isNamed, holder, () => !isSame && event.hasShownNews(table, pk, field, there));
    };
    const taken = pick(row, isTaken);
    this.#hold(event, incoming, { record, kept, taken });
    // A row is not made of nothing.
    return Object.keys(taken).length > 0 ? taken : undefined;
  }

  /** The fields of a row that a guess changes which counts, was made before the event was sent, and may have been counted in. */
  #fieldsHeld(
    event: Incoming,
    { table, pk, version }: Pick<IncomingRow, 'table' | 'pk' | 'version'>,
  ): ReadonlySet<string> | undefined {
    if (event.isByHand) return undefined;
    let held: Set<string> | undefined;
    for (const { requestId, seq, changes } of this.#counting) {
      // A server that counts versions may have served what was sent later before.
      const mayCount = version !== undefined && (event.kind === 'read' || event.isGuessed === true);
      const isBefore = seq <= event.sent || mayCount;
      if (requestId === event.requestId || !isBefore || !((this.#sentAt(requestId) ?? Infinity) < event.came)) continue;
      const guess = rowIn(changes, table, pk);
      if (guess) held = new Set([...(held ?? []), ...Object.keys(guess)]);
    }
    return held;
  }

  wait(
    { kind, requestId, asked, sent, came, startedTimeStamp }: Event,
    { table, pk, row, names }: IncomingRow,
    why: Pick<Waiting, 'existing' | 'whole'> | false = {},
  ): void {
    if (Object.keys(row).length === 0) return;
    const what = { table, pk, row, names, ...why };
    this.waiting = [
      ...this.waiting,
      { kind, requestId, asked, sent, came, startedTimeStamp, since: this.#now, ...what },
    ];
  }

  /** Remembers what an empty answer names of a row that nobody has brought yet. */
  nameUnknown(event: Event, incoming: IncomingRow): void {
    const record = this.record(incoming.table, incoming.pk);
    this.#hold(event, incoming, { record, kept: undefined, taken: {} });
  }

  /** Lets go of what waits for nothing any more, or has waited too long, in the order of sending; `oldest` is when the oldest request under way was sent. */
  release(
    holdTimeout: number,
    oldest: number,
    land: (event: Incoming, row: IncomingRow, isPatient: boolean) => void,
  ): void {
    const all = [...this.waiting].sort((one, other) => one.sent - other.sent);
    for (const entry of all) {
      const { table, pk, row, names, existing, whole, since } = entry;
      const isPatient = since <= this.#now && this.#now < since + holdTimeout;
      const isThere = !existing || this.row(table, pk) !== undefined;
      // Only what was sent before the answer came can bring the row as it was before.
      if (!isThere && isPatient && oldest < entry.came) continue;
      const event: Incoming = {
        ...entry,
        isGuessed: true,
        names: () => names,
        hasShownNews: noNews,
        wasConfirmed: noNews,
        hasShown: noNews,
        shownBefore: () => undefined,
      };
      const version = whole && this.#versionTold(table, whole);
      const held = isPatient && this.#fieldsHeld(event, { table, pk, version });
      if (held && Object.keys(row).every((field) => held.has(field))) continue;
      const others = this.waiting.filter((other) => other !== entry);
      this.waiting = others;
      if (isThere) land(event, { table, pk, row, names, ...(whole && { whole }) }, isPatient);
      // What goes on waiting has waited as long as before.
      this.waiting = this.waiting.map((other) => (others.includes(other) ? other : { ...other, since }));
    }
  }

  /** Remembers what the event holds from now on, and what it has named, taken or not. */
  #hold(
    event: Event & Pick<Incoming, 'madeAt'>,
    { table, pk, names, version }: IncomingRow,
    { record, kept, taken }: { record: RowRecord | undefined; kept: Row | undefined; taken: Row },
  ): void {
    const told = version?.is;
    const { holder: bare, plain: barePlain } = this.#holderOf(event);
    const holder = told === undefined ? bare : { ...bare, version: told };
    const plain = told === undefined ? barePlain : { all: holder, came: event.came };
    const { madeAt } = event;
    const isAll = madeAt === undefined && (kept ? hasNoOthers(kept, taken) : hasAny(taken));
    const known = kept || !isAll ? record?.known : event.came;
    // Most answers hold all of most rows.
    if (isAll && names.length === 0 && known === undefined && !record?.fields) {
      this.#records.set(table, pk, plain);
      return;
    }
    // What is not taken is as new as it was.
    const rest =
      version && kept && !record?.all && !record?.fields
        ? { ...before, version: this.#versionOf(table, kept) }
        : record?.all;
    const all = isAll ? holder : rest;
    const place = madeAt === undefined ? event : { ...event, asked: madeAt, sent: madeAt, came: madeAt };
    const naming = { ...holderOf(place, true), ...(told !== undefined && { version: told }) };
    const fields = cellsOf(taken, { names, record, all, holder, naming });
    const came = Math.max(event.came, record?.came ?? 0);
    this.#records.set(table, pk, withoutGaps({ all, fields, known, gone: record?.gone, came }));
  }

  #holderOf(event: Event): { readonly holder: Holder; readonly plain: RowRecord } {
    if (this.#last?.event !== event) {
      const holder = holderOf(event, false);
      this.#last = { event, holder, plain: { all: holder, came: event.came } };
    }
    return this.#last;
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
    const { all, fields = {} } = this.record(table, pk) ?? {};
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

  /** The records of rows that an event holds all of; of the others, and of rows that it says are gone, it is remembered here. */
  recordsOf(
    event: Event,
    {
      told,
      rows,
      isWriting,
    }: { readonly told: readonly Told[]; readonly rows: readonly RowChanges[]; readonly isWriting: boolean },
  ): readonly RowChanges[] {
    for (const { table, pks, rows: all } of rows)
      pks.forEach((pk, i) => {
        if (all[i] === null) this.#noteGone(event, { table, pk });
      });
    const { plain: bare, holder } = this.#holderOf(event);
    const plainOf = (table: string, pk: string): RowRecord => {
      const version = this.#versionOf(table, { ...this.row(table, pk), ...rowIn({ rows }, table, pk) });
      return version === undefined ? bare : { ...bare, all: { ...holder, version } };
    };
    // Which write has named a field last matters to those that were sent before that, and are under way.
    const recordOf = (table: string, pk: string): RowRecord => {
      const plain = this.#versionIn(table) === undefined ? bare : plainOf(table, pk);
      const fields = isWriting ? namedIn(rowRecordOf(this.#journal, table, pk)) : undefined;
      return fields ? { ...plain, fields } : plain;
    };
    return told.map(({ table, pks, partly }) => {
      const isTold = partly.length > 0 && new Set(pks);
      for (const [pk, row] of partly) {
        if (isTold && isTold.has(pk)) continue;
        const known = { record: this.record(table, pk), kept: this.row(table, pk), taken: row };
        this.#hold(event, { table, pk, row, names: none }, known);
      }
      // A record is plain data.
      return { table, pks, rows: pks.map((pk) => recordOf(table, pk) as unknown as Row), whole: true };
    });
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

/** Who holds which field of a row, where that is another than holds the rest, and which write has named it last. */
function cellsOf(
  taken: Row,
  {
    names,
    record,
    all,
    holder,
    naming,
  }: {
    readonly names: readonly string[];
    readonly record: RowRecord | undefined;
    readonly all: Holder | undefined;
    readonly holder: Holder;
    readonly naming: Holder;
  },
): RowRecord['fields'] {
  const fields: Record<string, Cell> = {};
  const cells = record?.fields ?? {};
  const changed = all === holder ? none : Object.keys(taken);
  for (const field of new Set([...Object.keys(cells), ...changed, ...names])) {
    const was = own(cells, field);
    const isNamed = names.includes(field);
    const there = was?.by ?? record?.all;
    // What is computed of what a later event has told is as late as that.
    const isBehind = isNamed && there !== undefined && there.sent > naming.sent && naming.sent < holder.sent;
    const next = isBehind ? there : isNamed ? naming : holder;
    const by = Object.hasOwn(taken, field) ? next : was?.by;
    const named = isNamed && !(was?.named && was.named.sent > naming.sent) ? naming : was?.named;
    if (named || by !== all) setOwn(fields, field, withoutGaps({ by, named }));
  }
  return hasAny(fields) ? fields : undefined;
}

/** What writes have named of a row. */
function namedIn(record: RowRecord | undefined): RowRecord['fields'] {
  if (!record?.fields) return undefined;
  const cells = Object.entries(record.fields).flatMap(([field, { named }]) =>
    named ? [[field, { named }] as const] : [],
  );
  return cells.length > 0 ? Object.fromEntries(cells) : undefined;
}

function hasAny(record: object): boolean {
  for (const _ in record) return true;
  return false;
}
