import type { List, Row } from '../../schema/Schema.js';
import { applyChanges, type ListChange, type RowChanges } from '../../tables/changes.js';
import type { Place } from '../../tables/Places.js';
import { eachRow, rowOf, tableOf, type Table, type Tables } from '../../tables/tables.js';
import { isNeeded, recordOfList, withStep, type ListRecord, type ListStep } from './lists.js';

/** An answer, by positions among all that has started in the store. */
export interface Answer {
  readonly kind: 'read' | 'write';
  /** When it was sent. */
  readonly seq: number;
  /** When it came. */
  readonly settledSeq: number;
}

/** The answer that holds a field: the value that it brought is the one that is there. */
export interface Holder extends Answer {
  /** It is of a write that named the field. */
  readonly names?: true;
}

/** Which answers hold the fields of one row, as far as they came while others were under way. */
export interface RowClock {
  /** Holds all fields of the row but those in `fields`. */
  readonly all?: Holder | undefined;
  readonly fields?: Readonly<Record<string, Holder>> | undefined;
  /** The latest of the settled writes that named a field: when it was sent, and when it was asked for. */
  readonly named?: Readonly<Record<string, Named>> | undefined;
  /** When a field last became another. */
  readonly changed?: Readonly<Record<string, number>> | undefined;
  /** When an answer first told of the row, where that came while others were under way. */
  readonly knownSeq?: number | undefined;
  /** When the deletion of the row settled. */
  readonly goneSeq?: number | undefined;
}

export interface Named {
  readonly seq: number;
  readonly askedSeq: number;
}

/** What of an answer has come, and waits for something that is pending. */
export interface Waiting extends Answer {
  readonly requestId: string;
  readonly askedSeq: number;
  /** When it came, in ms since the epoch. */
  readonly since: number;
  readonly rows: readonly WaitingRow[];
  readonly lists: readonly ListChange[];
}

/** Some fields of one row. */
export interface WaitingRow extends Place {
  readonly row: Row;
  /** Those of them that the write named. */
  readonly names: readonly string[];
  /** They wait for the row itself: an empty answer has confirmed them before any other has brought it. */
  readonly existing?: true;
}

/**
 * What has settled lately, for as long as a request is under way that started before it did: an answer that comes late is
 * then put in its place, instead of on top. While nothing overlaps, the journal is empty.
 */
export interface Journal {
  /** A clock for each row that was answered. */
  readonly rows: Tables;
  /** A record of each list that was answered, or changed. */
  readonly lists: Tables;
  /** In the order in which it came. */
  readonly waiting: readonly Waiting[];
  /** When the last deletion settled: answers that were sent later cannot hold deleted rows, so nothing is looked for in them. */
  readonly goneSeq: number;
}

const none: readonly never[] = Object.freeze([]);
export const emptyJournal: Journal = Object.freeze({
  rows: Object.freeze({}),
  lists: Object.freeze({}),
  waiting: none,
  goneSeq: 0,
});

/** What an action changes in the journal. */
export interface JournalChanges {
  /** Clocks, in place of rows. */
  readonly rows: readonly RowChanges[];
  readonly lists: readonly SettledStep[];
  /** All that waits from now on; absent where that stays as it is. */
  readonly waiting?: readonly Waiting[];
  /** When a row was deleted. */
  readonly goneSeq?: number;
  /** All that is under way has started at this position or later: what settled before is forgotten. */
  readonly oldest?: number;
  /** Nothing is under way any more: all is forgotten. */
  readonly isOver?: true;
}

/** A step of one list. */
export interface SettledStep extends Place {
  readonly kind: 'read' | 'write';
  readonly step: ListStep;
}

/** The journal after an action; `tables` are those before it. */
export function applyJournal(journal: Journal, tables: Tables, changes: JournalChanges | undefined): Journal {
  if (!changes) return journal;
  if (changes.isOver) return emptyJournal;
  const { rows, lists, waiting = journal.waiting, goneSeq = journal.goneSeq, oldest } = changes;
  const records = new Map<string, RowChanges>();
  for (const { table, pk, kind, step } of lists) {
    const name = `${table} ${pk}`;
    const known = (records.get(name)?.rows[0] as unknown as ListRecord | undefined) ?? recordOf(journal, table, pk);
    const record = withStep(known ?? recordOfList(rowOf(tableOf(tables, table), pk) as List | undefined), step, kind);
    records.set(name, inPlaceOfRows(table, [pk], [record]));
  }
  const next: Journal = {
    rows: applyChanges(journal.rows, [{ rows, lists: none }]),
    lists: applyChanges(journal.lists, [{ rows: [...records.values()], lists: none }]),
    waiting,
    goneSeq,
  };
  return oldest === undefined ? next : withoutSettled(next, oldest);
}

/** What the journal has in place of rows, to be written as rows are. */
export function inPlaceOfRows(table: string, pks: readonly string[], entries: readonly object[]): RowChanges {
  return { table, pks, rows: entries as readonly Row[], whole: true };
}

/** The clock of a row. */
export function clockOf({ rows }: Journal, table: string, pk: string): RowClock | undefined {
  return rowOf(tableOf(rows, table) as Table<RowClock> | undefined, pk);
}

/** The record of a list. */
export function recordOf({ lists }: Pick<Journal, 'lists'>, table: string, pk: string): ListRecord | undefined {
  return rowOf(tableOf(lists, table) as Table<ListRecord> | undefined, pk);
}

/** How many rows and lists are remembered. */
export function sizeOf({ rows, lists }: Journal): number {
  let size = 0;
  for (const tables of [rows, lists]) for (const { n, free } of Object.values(tables)) size += n - free.length;
  return size;
}

/** Without what settled before the oldest request under way started. */
function withoutSettled({ rows, lists, waiting, goneSeq }: Journal, oldest: number): Journal {
  return {
    waiting,
    goneSeq,
    rows: without(rows, (clock: RowClock) => lastOf(clock) < oldest),
    lists: without(lists, (record: ListRecord) => !isNeeded(record, oldest)),
  };
}

function without(tables: Tables, isOver: (entry: never) => boolean): Tables {
  const gone = Object.entries(tables).map(([table, entries]): RowChanges => {
    const pks: string[] = [];
    // The tables of one kind of entry.
    eachRow(entries as Table<never>, (entry, pk) => {
      if (isOver(entry)) pks.push(pk);
    });
    return { table, pks, rows: pks.map(() => null) };
  });
  return applyChanges(tables, [{ rows: gone, lists: none }]);
}

/** When the last settled of what a clock tells. */
function lastOf({ all, fields = {}, goneSeq = 0 }: RowClock): number {
  return Math.max(goneSeq, all?.settledSeq ?? 0, ...Object.values(fields).map(({ settledSeq }) => settledSeq));
}
