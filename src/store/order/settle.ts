import { pick, setOwn, type Row } from '../../schema/Schema.js';
import { differs, rowIn, sameValue, type Changes, type ListChange, type RowChanges } from '../../tables/changes.js';
import type { Normalized } from '../../tables/normalize.js';
import { Places, type Place } from '../../tables/Places.js';
import { rowOf, tableOf } from '../../tables/tables.js';
import { clockAfter, hasNoOthers, holderOf, isContradicted, takes, takesAll, type Said } from './admission.js';
import type { Intent } from './intent.js';
import {
  clockOf,
  inPlaceOfRows,
  type Answer,
  type JournalChanges,
  type RowClock,
  type Waiting,
  type WaitingRow,
} from './journal.js';
import { Moves } from './moves.js';
import { SettledLists } from './SettledLists.js';
import type { Beside, NamingRow, PlacedRow, Settled, Settling } from './settling.js';
import { fieldsHeld, untilKnown } from './waiting.js';

const none: readonly never[] = [];

/**
 * What one action does to the tables and to the journal, while requests overlap: an answer lands, as far as it counts and
 * need not wait; then what has waited and does so no longer. Nothing is written here: it is found out, row by row and list
 * by list, and told as changes.
 */
export class Settlement {
  readonly #slice: Settled;
  readonly #beside: Beside;
  readonly #rows = new Places<Row | null>();
  readonly #whole: RowChanges[] = [];
  readonly lists: SettledLists;
  readonly #clocks = new Places<RowClock>();
  /** Rows of which something was named, or that were deleted: what is pending may show less of them from now on. */
  readonly decided = new Places();
  /** Rows of which a read and a write that overlapped say different things, and the lists that they may be in by what either says. */
  readonly doubts = new Places();
  waiting: readonly Waiting[];
  /** When the last deletion settled. */
  #goneSeq: number;
  /** What of the answer that lands must wait. */
  #held: { rows: WaitingRow[]; lists: ListChange[] } = { rows: [], lists: [] };
  /** What it may have to wait for, and what has come before it and waits. */
  #pending: readonly Intent[] = none;
  #before: readonly Waiting[] = none;
  /** The clock of rows of which the answer holds all; one object for all of them. */
  #plain: { readonly answer: Answer; readonly clock: RowClock } | undefined;
  /** Finds which lists edited rows leave and join. */
  readonly #moves: Moves;
  /** Where the rows move that the answer changes. */
  #moved: ListChange[] = [];
  readonly #now = Date.now();

  constructor(slice: Settled, beside: Beside) {
    this.#slice = slice;
    this.#beside = beside;
    this.waiting = slice.journal.waiting;
    this.lists = new SettledLists(slice, beside, {
      row: this.#row,
      clock: (table, pk) => this.clock(table, pk),
      goneSeq: () => this.#goneSeq,
    });
    this.#goneSeq = slice.journal.goneSeq;
    this.#moves = new Moves(beside.followed, slice.tables, beside.expectedLists());
  }

  clock(table: string, pk: string): RowClock | undefined {
    return this.#clocks.get(table, pk) ?? clockOf(this.#slice.journal, table, pk);
  }

  /** A row as it is confirmed by now. */
  readonly #row = (table: string, pk: string): Row | undefined => {
    const confirmed = rowOf(tableOf(this.#slice.tables, table), pk) as Row | undefined;
    const written = this.#rows.get(table, pk);
    if (written === undefined) return confirmed;
    return written === null ? undefined : { ...confirmed, ...written };
  };

  /** Tells who lands next, before anything of it is admitted. */
  begin({ requestId }: Pick<Settling, 'requestId'>, isPatient = true, before = this.waiting): void {
    const { intents } = this.#beside;
    this.#before = before;
    this.#pending = isPatient ? intents.filter((one) => !one.settled && one.requestId !== requestId) : none;
  }

  /** Lets an answer take effect, as far as it counts and need not wait. */
  land(answer: Settling, { changes, outermost, ordered, behind: gaveWay }: Omit<Normalized, 'result'>): void {
    const unknown: WaitingRow[] = [];
    for (const change of changes.rows) {
      const { table, pks, rows, whole, existing } = change;
      // Its class has merged these, of what was admitted.
      if (whole) {
        this.#moved.push(...this.#moves.of({ rows: [change] }));
        this.#whole.push(change);
        continue;
      }
      for (let i = 0; i < pks.length; i++) {
        const pk = pks[i] ?? '';
        const row = rows[i];
        if (!row) this.#remove(answer, table, pk);
        else {
          const names = answer.names(table, pk, outermost.has(table, pk));
          if (existing && !this.#row(table, pk))
            unknown.push(untilKnown(this.waiting, answer, { table, pk, row, names }));
          else if (!this.#landRow(answer, { table, pk, row, names, isOrdered: ordered.has(table, pk) }))
            gaveWay.set(table, pk, row);
        }
      }
    }
    for (const change of changes.lists) {
      // What is created under the id of a row whose deletion overlapped is taken for what was deleted.
      if (this.lists.isOverDeleted(answer, change)) this.doubts.set(change.table, change.pk, true);
      this.#landList(answer, this.#beside.followed.fitting(change, gaveWay, this.#row));
    }
    this.#landMoves(answer, changes.lists);
    this.#wait(answer, this.#takeHeld());
    // Nothing is shown of a row that is not there.
    if (unknown.length > 0) this.#wait({ ...answer, requestId: '' }, { rows: unknown, lists: none });
  }

  /** Lets land what counts of a row; false where that is not all that lists are filtered by. */
  #landRow(answer: Settling, incoming: NamingRow): boolean {
    const { table, pk, row, names } = incoming;
    const admitted = this.admit(answer, incoming);
    if (admitted) this.#write(answer, { table, pk, row: admitted, names });
    return admitted === row || !this.#moves.isFiltered(table, row);
  }

  #wait(answer: Settling, held: Pick<Waiting, 'rows' | 'lists'> | undefined): void {
    if (!held) return;
    const { requestId, kind, seq, askedSeq, settledSeq } = answer;
    this.waiting = [...this.waiting, { requestId, kind, seq, askedSeq, settledSeq, since: this.#now, ...held }];
  }

  /** Lets land what waits for nothing any more, or has waited too long. */
  release(): void {
    for (let before: typeof this.waiting | undefined; before !== this.waiting;) {
      before = this.waiting;
      for (const entry of before) {
        const rest = this.#release(entry);
        if (rest !== entry) this.waiting = this.waiting.flatMap((one) => (one === entry ? (rest ?? []) : [one]));
      }
    }
  }

  #release(entry: Waiting): Waiting | undefined {
    // What waited was not seen, nor what its guess was shown over.
    const answer: Settling = { ...entry, names: () => none, moves: none, hasSeenNews: () => false };
    const isPatient = entry.since + this.#beside.holdTimeout > this.#now;
    this.begin(answer, isPatient, this.waiting.slice(0, this.waiting.indexOf(entry)));
    // Only what is as old as the answer can bring a row as it was before.
    const isAwaited = isPatient && (this.#beside.oldest ?? Infinity) <= entry.settledSeq;
    const isHeld = ({ table, pk, row, existing }: WaitingRow): boolean => {
      if (existing && !this.#row(table, pk)) return isAwaited;
      const held = fieldsHeld(answer, this.#pending, table, pk);
      return held !== undefined && Object.keys(row).every((field) => held.has(field));
    };
    if (
      entry.rows.every(isHeld) &&
      entry.lists.every((change) => this.lists.isHeld(answer, change, this.#pendingBeside))
    )
      return entry;
    for (const waiting of entry.rows) {
      if (!waiting.existing || this.#row(waiting.table, waiting.pk)) this.#landRow(answer, waiting);
      else if (isAwaited) this.#held.rows.push(waiting);
    }
    for (const change of entry.lists) this.#landList(answer, change);
    this.#landMoves(answer, none);
    const held = this.#takeHeld();
    return held && { ...entry, ...held };
  }

  /** What of a row lands now; the rest waits, or does not count. Undefined where nothing of it does. */
  admit(answer: Settling, incoming: NamingRow): Row | undefined {
    const { table, pk, row, names } = incoming;
    const clock = this.clock(table, pk);
    if ((clock?.goneSeq ?? 0) >= answer.seq) return undefined;
    const kept = this.#row(table, pk);
    const held = fieldsHeld(answer, this.#pending, table, pk);
    if (held || !takesAll(answer, clock)) return this.#admitSome(answer, { ...incoming, clock, kept, held });
    const isAll = !kept || hasNoOthers(kept, row);
    const taken = isAll && names.length === 0 ? none : Object.keys(row);
    this.#setClock(answer, { table, pk, clock, kept }, { taken, isAll, names });
    return row;
  }

  /** What lands of a row, field by field. */
  #admitSome(answer: Settling, place: PlacedRow): Row | undefined {
    const { table, pk, row: incoming, names: claimed, isOrdered, clock, kept, held } = place;
    const waits = (field: string): boolean => held?.has(field) ?? false;
    // What waits is named when it lands.
    const names = claimed.filter((field) => !waits(field));
    const waiting = pick(incoming, waits);
    if (Object.keys(waiting).length > 0)
      this.#held.rows.push({ table, pk, row: waiting, names: claimed.filter(waits) });
    const isTaken = (field: string): boolean => {
      const holder = clock && holderOf(clock, field);
      if (waits(field)) return false;
      if (isOrdered || !holder || !kept || !Object.hasOwn(kept, field)) return true;
      const there = kept[field];
      const isSame = sameValue(there, incoming[field]);
      const isOverlapping = answer.seq <= holder.settledSeq && holder.seq <= answer.settledSeq;
      const isOfBoth = answer.kind !== holder.kind;
      if (isOverlapping && isOfBoth && !isSame) this.#noteDoubt(place, kept);
      return takes(
        answer,
        names.includes(field),
        clock,
        field,
        (hasChanged) => !isSame && answer.hasSeenNews(table, pk, field, there, hasChanged),
      );
    };
    const landing = pick(incoming, isTaken);
    const taken = Object.keys(landing);
    const isAll = taken.length === Object.keys(incoming).length && (!kept || hasNoOthers(kept, incoming));
    this.#setClock(answer, place, { taken, isAll, names });
    // A row is not made of nothing.
    return taken.length > 0 ? landing : undefined;
  }

  /** A row of which two answers say different things is in doubt, and with it each list that it would leave or join by what this answer says. */
  #noteDoubt({ table, pk, row }: NamingRow, kept: Row): void {
    this.doubts.set(table, pk, true);
    for (const list of this.#moves.ofRow({ table }, pk, kept, row)) this.doubts.set(list.table, list.pk, true);
  }

  #setClock(
    answer: Settling,
    { table, pk, clock, kept }: Pick<PlacedRow, keyof Place | 'clock' | 'kept'>,
    said: Omit<Said, 'knownSeq'>,
  ): void {
    const { isAll, names } = said;
    const knownSeq = kept ? clock?.knownSeq : answer.settledSeq;
    if (names.length > 0) this.decided.set(table, pk, true);
    const isPlain = isAll && names.length === 0 && !clock?.named && !clock?.changed && clock?.goneSeq === undefined;
    const next = isPlain ? this.#plainClock(answer, knownSeq) : clockAfter(clock, answer, { ...said, knownSeq });
    this.#clocks.set(table, pk, next);
  }

  #plainClock(answer: Settling, knownSeq: number | undefined): RowClock {
    if (this.#plain?.answer !== answer || this.#plain.clock.knownSeq !== knownSeq)
      this.#plain = {
        answer,
        clock: clockAfter(undefined, answer, { taken: none, isAll: true, names: none, knownSeq }),
      };
    return this.#plain.clock;
  }

  #write(answer: Settling, { table, pk, row, names }: NamingRow): void {
    const kept = this.#row(table, pk);
    const restated = kept ? names.filter((name) => Object.hasOwn(row, name) && kept[name] === row[name]) : none;
    if (kept && this.#moves.areNames(table, restated)) {
      const moves = this.#moves.restated({ table, pk }, restated, { ...kept, ...row }, this.lists.concernedBy(answer));
      // It stays where it is shown, or was when a write was asked for that had to wait, and comes where another guess shows
      // it elsewhere: a list that has not shown it may have it on a page that was not read.
      const isSeen = answer.askedSeq < answer.seq || this.#isGuessedElse({ table, pk }, restated, row);
      const isShown = (move: ListChange): boolean =>
        isSeen || this.lists.isDone(move) || answer.moves.some((guessed) => sameValue(guessed, move));
      this.#moved.push(...moves.filter((move) => move.operation === 'remove' || isShown(move)));
    }
    if (kept && !differs(kept, row)) return;
    if (kept) {
      this.#moved.push(...this.#moves.ofRow({ table }, pk, kept, row));
      this.#noteChanged(answer, { table, pk }, kept, row);
    }
    const earlier = this.#rows.get(table, pk);
    this.#rows.set(table, pk, earlier ? { ...earlier, ...row } : row);
  }

  /** Whether something pending shows another value of one of these fields. */
  #isGuessedElse({ table, pk }: Place, fields: readonly string[], row: Row): boolean {
    return this.#beside.intents.some(({ changes }) => {
      const guess = rowIn(changes, table, pk);
      return guess && fields.some((field) => Object.hasOwn(guess, field) && guess[field] !== row[field]);
    });
  }

  #noteChanged({ settledSeq }: Answer, { table, pk }: Place, kept: Row, row: Row): void {
    const clock = this.clock(table, pk);
    const changed: Record<string, number> = { ...clock?.changed };
    for (const field of Object.keys(row))
      if (Object.hasOwn(kept, field) && !sameValue(kept[field], row[field])) setOwn(changed, field, settledSeq);
    if (Object.keys(changed).length > 0) this.#clocks.set(table, pk, { ...clock, changed });
  }

  /** Whether an answer takes a row away: a confirmed deletion always does, a read that says so only where nothing later has said otherwise. */
  removes(answer: Answer, table: string, pk: string): boolean {
    return answer.kind === 'write' || !isContradicted(answer, this.clock(table, pk));
  }

  #remove({ settledSeq }: Answer, table: string, pk: string): void {
    this.#goneSeq = settledSeq;
    this.#rows.set(table, pk, null);
    this.#clocks.set(table, pk, { goneSeq: settledSeq });
    this.decided.set(table, pk, true);
  }

  /** Moves the rows that were edited; an answer with a whole list decides for that list, once it lands. */
  #landMoves(answer: Settling, lists: readonly ListChange[]): void {
    const moved = this.#moved;
    if (moved.length === 0) return;
    this.#moved = [];
    const whole = new Places();
    for (const { table, pk, operation } of lists) if (operation === 'set') whole.set(table, pk, true);
    for (const { table, pk } of this.#held.lists) whole.in(table).delete(pk);
    for (const move of moved) if (!whole.has(move.table, move.pk)) this.#landList(answer, move);
  }

  #landList(answer: Settling, change: ListChange): void {
    const held = this.lists.land(answer, change, this.#pendingBeside);
    if (held) this.#held.lists.push(held);
  }

  get #pendingBeside() {
    return { intents: this.#pending, waiting: this.#before };
  }

  #takeHeld(): Pick<Waiting, 'rows' | 'lists'> | undefined {
    const held = this.#held;
    this.#held = { rows: [], lists: [] };
    return held.rows.length + held.lists.length > 0 ? held : undefined;
  }

  changes(): Changes {
    const rows = this.#rows
      .tables()
      .map(([table, entries]) => ({ table, pks: [...entries.keys()], rows: [...entries.values()] }));
    return { rows: [...this.#whole, ...rows], lists: this.lists.changes };
  }

  /** What the journal remembers of it; undefined where that stays as it is. */
  journalChanges(): JournalChanges | undefined {
    const clocks = this.#clocks.tables();
    const isWaiting = this.waiting !== this.#slice.journal.waiting;
    if (clocks.length === 0 && this.lists.steps.length === 0 && !isWaiting) return undefined;
    const rows = clocks.map(([table, entries]) => inPlaceOfRows(table, [...entries.keys()], [...entries.values()]));
    return {
      rows,
      lists: this.lists.steps,
      ...(isWaiting && { waiting: this.waiting }),
      ...(this.#goneSeq !== this.#slice.journal.goneSeq && { goneSeq: this.#goneSeq }),
    };
  }
}
