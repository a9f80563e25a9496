import { none, type Ref, type Row } from '../../schema/Schema.js';
import { applyChanges, type RowChanges } from '../../tables/changes.js';
import type { Place, Places } from '../../tables/Places.js';
import { rowOf, tableOf, type Table, type Tables } from '../../tables/tables.js';
import type { Event } from './event.js';
import type { Holder } from './takes.js';

/** Which events hold the fields of a row. */
export interface RowRecord {
  /** Holds all fields that no cell says otherwise of. */
  readonly all?: Holder | undefined;
  readonly fields?: Readonly<Record<string, Cell>> | undefined;
  /** When an answer first told of the row. */
  readonly known?: number | undefined;
  /** When the deletion of the row came: what was sent before brings nothing of it. */
  readonly gone?: number | undefined;
  /** The last `came` of all of this. */
  readonly came: number;
}

/** One field of a row. */
export interface Cell {
  /** The event that holds it, where that is another than holds the rest of the row. */
  readonly by?: Holder;
  /** Of the writes that named it, the one that was sent last: one that was sent before that never takes the field. */
  readonly named?: Holder;
}

/** Which events hold the members of a list. */
export interface ListRecord {
  /** The newest whole answer: holds all members but those below. */
  readonly by?: Holder | undefined;
  /** There is a next page, which may have what that answer lacks. */
  readonly isOpen?: true | undefined;
  /** When the first answer with the list, or a page of it, came. */
  readonly first?: number | undefined;
  /** Rows that are in the list, or out of it, by something else than an answer with the list. */
  readonly members: readonly Member[];
  /** The last `came` of all of this. */
  readonly came: number;
}

/** A row that is in a list, or out of it. */
export interface Member {
  readonly ref: Ref;
  readonly by: Holder;
  readonly isIn: boolean;
  /** While no answer has told its place: when the request was made by which it came in. */
  readonly since?: number;
  /** It came in before all others, and not behind them. */
  readonly isFirst?: true;
  /** Its name in a set of values. */
  readonly name?: string;
}

/** Fields of one row that have come, and wait for a guess that counts. */
export interface Waiting extends Event, Place {
  /** When they came, in ms since the epoch. */
  readonly since: number;
  readonly row: Row;
  /** Those of them that the write named. */
  readonly names: readonly string[];
  /** They wait for the row itself: an empty answer has confirmed them before any other has brought it. */
  readonly existing?: true;
  /** All of the row, where its class orders its answers. */
  readonly whole?: Row;
}

/** Who holds what, for as long as a request is under way that was sent before the holder came. While nothing overlaps, it is empty. */
export interface Journal {
  /** Records of rows, by the tables of the rows. */
  readonly rows: Tables;
  /** Records of lists, by the tables of the lists. */
  readonly lists: Tables;
  readonly waiting: readonly Waiting[];
  /** When the last deletion came: what was sent later can hold no deleted row. */
  readonly goneSeq: number;
  /** When the last of all this came: nothing here can win over what was sent later. */
  readonly came: number;
}

export const emptyJournal: Journal = Object.freeze({
  rows: Object.freeze({}),
  lists: Object.freeze({}),
  waiting: none,
  goneSeq: 0,
  came: 0,
});

/** What an action changes in the journal. */
export interface JournalChanges {
  readonly rows: readonly RowChanges[];
  readonly lists: readonly RowChanges[];
  /** All that waits from now on; absent where that stays as it is. */
  readonly waiting?: readonly Waiting[];
  /** When a row was deleted. */
  readonly goneSeq?: number;
  /** When the event came that all this follows from. */
  readonly came?: number;
  /** All that is under way was sent after all that is remembered had come: that is forgotten. */
  readonly isNew?: true;
  /** Nothing is under way any more: all is forgotten. */
  readonly isOver?: true;
}

export function applyJournal(journal: Journal, changes: JournalChanges | undefined): Journal {
  if (!changes) return journal;
  if (changes.isOver) return emptyJournal;
  const before = changes.isNew ? emptyJournal : journal;
  const { waiting = before.waiting, goneSeq = before.goneSeq, came = before.came } = changes;
  const rows = applyChanges(before.rows, [{ rows: changes.rows, lists: none }]);
  const lists = applyChanges(before.lists, [{ rows: changes.lists, lists: none }]);
  return { rows, lists, waiting, goneSeq, came };
}

/** Records in place of rows, to be written as rows are. */
export function inPlaceOfRows(records: Places<RowRecord> | Places<ListRecord> | Places<Row>): readonly RowChanges[] {
  return records.tables().map(([table, entries]) => ({
    table,
    pks: [...entries.keys()],
    // A record is plain data.
    rows: [...entries.values()] as unknown as readonly Row[],
    whole: true,
  }));
}

export function rowRecordOf({ rows }: Journal, table: string, pk: string): RowRecord | undefined {
  return rowOf(tableOf(rows, table) as Table<RowRecord> | undefined, pk);
}

export function listRecordOf({ lists }: Journal, table: string, pk: string): ListRecord | undefined {
  return rowOf(tableOf(lists, table) as Table<ListRecord> | undefined, pk);
}
