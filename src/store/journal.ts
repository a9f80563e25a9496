import { freezeInDevelopment } from '../errors.js';
import { type Changes, type RowChanges } from '../tables/changes.js';
import type { Tables } from '../tables/tables.js';
import { type JournalEntry, type Rows, type Settling } from './admission.js';
import { heldBack, type HeldRows, type Hold } from './heldRows.js';
import type { Intent } from './intent.js';
import { landOnList, release, without, withoutDeleted, withoutRows, type ListRecord } from './lists.js';

/**
 * What has settled lately, for as long as a request is under way that started before it did: an answer that comes late
 * is then put in its place, instead of on top. While nothing overlaps, the journal is empty.
 */
export interface Journal {
  readonly entries: readonly JournalEntry[];
  readonly lists: readonly ListRecord[];
  /** What has come, and waits. */
  readonly rows: readonly HeldRows[];
}

const none: readonly never[] = Object.freeze([]);
export const emptyJournal: Journal = Object.freeze({ entries: none, lists: none, rows: none });

/** What an answer does to the tables and to the journal. */
export interface Settlement {
  readonly changes: Changes;
  readonly journal: Journal;
}

/**
 * Puts an answer in its place. `oldest` is the position of the oldest request that is still under way; without one
 * there is nothing to remember.
 */
export function settle(
  journal: Journal,
  tables: Tables,
  settling: Settling,
  { changes, met }: { readonly changes: Changes; readonly met: readonly Rows[] },
  oldest: number | undefined,
  pending: readonly Intent[],
  hold?: Hold,
): Settlement {
  const removed = changes.rows.flatMap(removedOf);
  const lists = journal.lists.map((record) => withoutRows(record, removed));
  const since = journal.entries.filter(({ settledSeq }) => settledSeq >= settling.seq);
  const gone = since.flatMap((entry) => entry.removed);
  const { kind, seq, settledSeq, askedSeq = seq, fields } = settling;
  const late = askedSeq === seq ? undefined : { askedSeq };
  const entry: JournalEntry = { kind, seq, settledSeq, ...late, rows: met, removed, ...(fields && { fields }) };
  const entries = [...journal.entries, entry];
  const alive = withoutDeleted(pending, entries);
  const landed = changes.lists.flatMap((change) =>
    landOnList(lists, tables, settling, { ...change, list: without(change.table, change.list, gone) }, alive),
  );
  const released = release(lists, tables, alive);
  const { landing, held } = heldBack(changes.rows, settling, hold);
  return {
    changes: { rows: landing, lists: [...landed, ...released] },
    journal: prune({ entries, lists, rows: [...journal.rows, ...held] }, oldest),
  };
}

function removedOf({ table, pks, rows }: RowChanges): readonly Rows[] {
  const gone = pks.filter((_, i) => rows[i] === null);
  return gone.length > 0 ? [{ table, pks: gone }] : [];
}

/** A request that failed or was cancelled: it changes nothing, but what waited for it lands. */
export function settleFailed(
  journal: Journal,
  tables: Tables,
  oldest: number | undefined,
  pending: readonly Intent[],
): Settlement {
  if (journal === emptyJournal) return { changes: { rows: none, lists: none }, journal };
  const lists = [...journal.lists];
  const alive = withoutDeleted(pending, journal.entries);
  const released = release(lists, tables, alive);
  return {
    changes: { rows: none, lists: released },
    journal: prune({ entries: journal.entries, lists, rows: journal.rows }, oldest),
  };
}

/** Forgets what no request under way can be late for. */
function prune({ entries, lists, rows }: Journal, oldest: number | undefined): Journal {
  if (oldest === undefined) return emptyJournal;
  const counts = ({ settledSeq }: Pick<JournalEntry, 'settledSeq'>): boolean => settledSeq >= oldest;
  const kept = lists.filter(
    ({ steps, baseSeq, baseSettled = baseSeq, held }) =>
      held !== undefined || steps.some(counts) || baseSettled >= oldest,
  );
  return freezeInDevelopment({ entries: entries.filter(counts), lists: kept, rows });
}
