import type { List, Ref, Row } from '../../schema/Schema.js';
import { among, applyToList, isDone, type ListChange } from '../../tables/changes.js';
import { Places, type Place } from '../../tables/Places.js';
import { eachRow, rowOf, tableOf, type Table } from '../../tables/tables.js';
import type { Intent } from './intent.js';
import { clockOf, recordOf, type Answer, type RowClock, type SettledStep, type Waiting } from './journal.js';
import { followingStep, isCreate, listOf, recordOfList, refsIn, rowsOf, withStep, type ListRecord } from './lists.js';
import type { Beside, Settled, Settling } from './settling.js';
import { isListHeld } from './waiting.js';

const none: readonly never[] = [];

/** The rows as they are while lists settle. */
interface SettledRows {
  row(table: string, pk: string): Row | undefined;
  clock(table: string, pk: string): RowClock | undefined;
  /** When the last deletion settled. */
  goneSeq(): number;
}

/** What a list may have to wait for. */
interface PendingBeside {
  readonly intents: readonly Intent[];
  readonly waiting: readonly Waiting[];
}

/** What one action does to lists, while requests overlap. */
export class SettledLists {
  readonly changes: ListChange[] = [];
  readonly steps: SettledStep[] = [];
  readonly #slice: Settled;
  readonly #beside: Beside;
  readonly #rows: SettledRows;
  #concerned: { readonly answer: Settling; readonly lists: readonly Place[] } | undefined;
  readonly #records = new Places<{ readonly record: ListRecord; readonly list: List | undefined }>();

  constructor(slice: Settled, beside: Beside, rows: SettledRows) {
    this.#slice = slice;
    this.#beside = beside;
    this.#rows = rows;
  }

  record(table: string, pk: string): ListRecord | undefined {
    return this.#records.get(table, pk)?.record ?? recordOf(this.#slice.journal, table, pk);
  }

  /** A list as it is confirmed by now. */
  list(table: string, pk: string): List | undefined {
    const known = this.#records.get(table, pk);
    return known ? known.list : (rowOf(tableOf(this.#slice.tables, table), pk) as List | undefined);
  }

  /** Whether a change makes no difference to a list that is there. */
  isDone(change: ListChange): boolean {
    return isDone(this.list(change.table, change.pk), change);
  }

  /** The lists whose answer is older than a write: it has come already, or is under way; and those that a guess moves rows into and out of. */
  concernedBy(answer: Settling): readonly Place[] {
    // They are the same for each row of the answer.
    if (this.#concerned?.answer !== answer) this.#concerned = { answer, lists: this.#findConcerned(answer) };
    return this.#concerned.lists;
  }

  #findConcerned({ seq, moves }: Settling): readonly Place[] {
    const lists = new Places();
    const older = this.#beside.expectedLists().filter((list) => list.seq < seq);
    const beside = this.#beside.intents.flatMap(({ changes }) => changes.lists.filter(({ follows }) => follows));
    for (const { table, pk } of [...older, ...moves, ...beside]) lists.set(table, pk, true);
    for (const [table, records] of Object.entries(this.#slice.journal.lists))
      eachRow(records as Table<ListRecord>, ({ baseSeq }, pk) => {
        if (baseSeq > 0 && baseSeq < seq) lists.set(table, pk, true);
      });
    return lists.tables().flatMap(([table, pks]) => [...pks.keys()].map((pk) => ({ table, pk })));
  }

  /** Lets a change of a list take effect; gives it back where it must wait. */
  land(answer: Settling, given: ListChange, pending: PendingBeside): ListChange | undefined {
    const { table, pk, operation, moves, follows, page } = given;
    const { kind, seq, askedSeq, settledSeq } = answer;
    const list = operation === 'remove' ? given.list : this.withoutGone(table, given.list, seq);
    const isAnswer = operation === 'set' || operation === 'append';
    const change = { table, pk, operation, list, ...(page && { page }) };
    if (isAnswer && !moves && this.isHeld(answer, change, pending)) return change;
    // What a deletion takes out, it takes out of what settled before it.
    const isDeletion = operation === 'remove' && refsIn(list).every((ref) => this.#isGone(table, ref, settledSeq));
    const now = this.list(table, pk);
    const known = this.record(table, pk) ?? recordOfList(now);
    const isNew = isCreate(given);
    const toldSeq = isNew ? this.#toldAt(answer, table, list) : settledSeq;
    // An answer that was asked for since has counted it in, or it has left.
    if (isNew && toldSeq < known.baseSeq) return undefined;
    const stepSeq = isDeletion ? settledSeq : isAnswer ? seq : askedSeq;
    const step = follows
      ? followingStep(answer, known, { operation, list })
      : { operation, list, ...(page && { page }), seq: stepSeq, settledSeq: toldSeq };
    const record = withStep(known, step, kind);
    if (record === known) return undefined;
    // What was created meanwhile stays behind a page: that is told by the steps.
    const isPlain = !page || record.steps.length === 1;
    const isLast = now !== undefined && isPlain && record.steps.at(-1) === step;
    const next = isLast ? applyToList(now, step) : listOf(record);
    this.#records.set(table, pk, { record, list: next });
    this.steps.push({ table, pk, kind, step });
    if (next === undefined || isDone(now, { operation: 'set', list: next })) return undefined;
    this.changes.push(isLast ? change : { table, pk, operation: 'set', list: next });
    if (isAnswer && !isLast) this.#landMisfits(answer, change, record, pending);
    return undefined;
  }

  /** What is done again to an older answer puts no deleted row into a list, nor one that does not match it any more, and takes none out that matches it again. */
  #landMisfits(answer: Settling, { table, pk, list }: ListChange, record: ListRecord, pending: PendingBeside): void {
    const move = { table, pk, moves: true, follows: true } as const;
    const misfits = this.#misfitsIn({ table, pk }, record);
    if (misfits.length > 0) this.land(answer, { ...move, operation: 'remove', list: misfits }, pending);
    const isTaken = among(
      record.steps.flatMap((step) => (step.follows && step.operation === 'remove' ? refsIn(step.list) : none)),
    );
    const isMatch = ([name, row]: readonly [string, string]): boolean =>
      this.#beside.followed.matches({ table, pk }, this.#rows.row(name, row));
    const back = (refsIn(list) as readonly Ref[]).filter((ref) => isTaken(ref) && rowsOf(table, ref).some(isMatch));
    for (const ref of back) this.land(answer, { ...move, operation: 'push', list: [ref] }, pending);
  }

  #misfitsIn(place: Place, { steps }: ListRecord): readonly Ref[] {
    return steps.flatMap(({ operation, list, seq }) => {
      const refs = operation === 'push' || operation === 'unshift' ? (refsIn(list) as readonly Ref[]) : none;
      return refs.filter((ref) => this.#isGone(place.table, ref, seq) || this.#isMisfit(place, ref));
    });
  }

  #isMisfit(place: Place, ref: Ref): boolean {
    return rowsOf(place.table, ref).some(([table, pk]) =>
      this.#beside.followed.excludes(place, this.#rows.row(table, pk)),
    );
  }

  /** Whether a change of a list must wait. */
  isHeld(answer: Answer, { table, pk, operation, list }: ListChange, pending: PendingBeside): boolean {
    const now = this.list(table, pk);
    // What is deleted meanwhile is no reason to wait.
    const change = { table, pk, operation, list: this.withoutGone(table, list, answer.seq) };
    return (
      now !== undefined &&
      isListHeld(answer, { ...pending, knownAt: (id) => this.#beside.knownAt(id) }, change, now, this.withoutGone)
    );
  }

  /** Whether a write has created an item, in an array, under a pk whose deletion has been answered since it was sent. */
  isOverDeleted({ seq }: Answer, change: ListChange): boolean {
    return isCreate(change) && this.withoutGone(change.table, change.list, seq) !== change.list;
  }

  /** A list without rows whose deletion was confirmed at this position or later. */
  readonly withoutGone = (table: string, list: List, seq: number): List => {
    if (this.#rows.goneSeq() < seq || !Array.isArray(list)) return list;
    const refs: readonly (Ref | null | undefined)[] = list;
    const isGone = (ref: Ref | null | undefined): boolean => this.#isGone(table, ref, seq);
    return refs.some(isGone) ? refs.filter((ref) => !isGone(ref)) : refs;
  };

  /** When all items of a create had been told of: where another answer did so, before its own came. */
  #toldAt({ seq, settledSeq }: Answer, table: string, list: List): number {
    const toldAt = (ref: Ref | null | undefined): number => {
      const [[name, pk] = ['', '']] = rowsOf(table, ref);
      const { knownSeq = settledSeq } = clockOf(this.#slice.journal, name, pk) ?? {};
      return knownSeq > seq ? knownSeq : settledSeq;
    };
    return Math.min(settledSeq, Math.max(...refsIn(list).map(toldAt)));
  }

  #isGone(table: string, ref: Ref | null | undefined, seq: number): boolean {
    return rowsOf(table, ref).some(([name, pk]) => (this.#rows.clock(name, pk)?.goneSeq ?? -1) >= seq);
  }
}
