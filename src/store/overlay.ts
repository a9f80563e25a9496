import { pick, type Row } from '../schema/Schema.js';
import type { Changes, ListChange, RowChanges } from '../tables/changes.js';
import { Overlay } from '../tables/Overlay.js';
import type { Tables } from '../tables/tables.js';
import { has, namedBy, type JournalEntry } from './admission.js';
import type { Intent } from './intent.js';
import type { Journal } from './journal.js';
import { bySeq, fold, withoutDeleted, type ListRecord } from './lists.js';

/** What is shown: confirmed tables with the pending intents applied in order; the very tables while none is pending. */
export function showIntents(
  tables: Tables,
  journal: Journal,
  intents: readonly Intent[],
  overlay = new Overlay(),
): Tables {
  return intents.length === 0 ? tables : overlay.show(tables, changesOfIntents(journal, intents));
}

/** What the pending intents change, in order, beside what has settled since they started. */
function changesOfIntents({ entries, lists }: Journal, all: readonly Intent[]): readonly Changes[] {
  if (entries.length === 0 && lists.length === 0) return all.map(({ changes }) => changes);
  const intents = withoutDeleted(all, entries);
  const isRecorded = ({ table, pk }: ListChange): boolean =>
    lists.some((record) => record.table === table && record.pk === pk);
  const shown = intents.map((intent, i): Changes => {
    const told = rowsBeside(all[i] ?? intent, entries);
    const { changes } = intent;
    if (!changes.lists.some(isRecorded) && intent === all[i]) return told;
    return { rows: told.rows, lists: changes.lists.filter((change) => !isRecorded(change)) };
  });
  if (lists.length === 0) return shown;
  return [...shown, { rows: [], lists: lists.flatMap((record) => interleaved(record, intents)) }];
}

/** What was shown of an intent beside what had settled by then. */
const shownBeside = new WeakMap<Intent, { readonly entries: readonly JournalEntry[]; readonly changes: Changes }>();

/**
 * What an intent changes beside these entries: its own changes where they leave its rows alone. Entries come at the end,
 * and go when they concern nothing that is pending, so that of all those that are known only the new ones are looked at.
 */
function rowsBeside(intent: Intent, entries: readonly JournalEntry[]): Changes {
  const known = shownBeside.get(intent);
  if (known?.entries === entries) return known.changes;
  const last = known?.entries.at(-1);
  const at = last ? entries.lastIndexOf(last) : -1;
  const isGoingOn = known !== undefined && (last === undefined || at >= 0);
  const news = isGoingOn ? entries.slice(at + 1) : entries;
  const isTouched = news.some((entry) => concerns(entry, intent));
  const changes = isTouched ? besideWrites(intent, entries) : isGoingOn ? known.changes : intent.changes;
  shownBeside.set(intent, { entries, changes });
  return changes;
}

function besideWrites({ changes, seq }: Intent, entries: readonly JournalEntry[]): Changes {
  const writes = entries.filter(({ kind }) => kind === 'write');
  return { rows: changes.rows.map((rows) => withoutNamed(rows, seq, writes)), lists: changes.lists };
}

/** Whether a write that has settled speaks of a row that an intent changes. */
function concerns({ kind, settledSeq, rows, removed }: JournalEntry, { seq, changes }: Intent): boolean {
  if (kind !== 'write' || settledSeq < seq) return false;
  return changes.rows.some(({ table, pks }) => pks.some((pk) => has(rows, table, pk) || has(removed, table, pk)));
}

/** An edit shows nothing over the fields that a write confirmed which started after it, and nothing of what is deleted since. */
function withoutNamed(change: RowChanges, seq: number, writes: readonly JournalEntry[]): RowChanges {
  const { table, pks } = change;
  // Few of many overlapping writes are about the same rows.
  const later: JournalEntry[] = [];
  for (const entry of writes) {
    if (entry.settledSeq < seq) continue;
    if (pks.some((pk) => has(entry.rows, table, pk) || has(entry.removed, table, pk))) later.push(entry);
  }
  if (later.length === 0) return change;
  const kept = pks.flatMap((pk, i) => {
    const row = change.rows[i] ?? null;
    if (row !== null && later.some((entry) => has(entry.removed, table, pk))) return [];
    const over = later.filter((entry) => (entry.askedSeq ?? entry.seq) > seq && has(entry.rows, table, pk));
    const names = over.map((entry) => namedBy(entry, table, pk));
    return [{ pk, row: row === null || over.length === 0 ? row : unnamed(row, names) }];
  });
  return { ...change, pks: kept.map(({ pk }) => pk), rows: kept.map(({ row }) => row) };
}

function unnamed(row: Row, over: readonly (readonly string[] | undefined)[]): Row {
  return pick(row, (field) => !over.some((fields) => !fields || fields.includes(field)));
}

/** A list with what is pending done to it in the order of the requests, between what is confirmed already. */
function interleaved(
  { table, pk, base, baseSeq, steps }: ListRecord,
  intents: readonly Intent[],
): readonly ListChange[] {
  // What started before the list was read is in the answer, or will be in its own.
  const pending = intents.flatMap(({ seq, changes }) =>
    (seq < baseSeq ? [] : changes.lists)
      .filter((change) => change.table === table && change.pk === pk)
      .map(({ operation, list }) => ({ seq, operation, list })),
  );
  if (pending.length === 0) return [];
  const ordered = [...steps, ...pending].sort(bySeq);
  const list = fold(base, ordered);
  return list === undefined ? [] : [{ table, pk, operation: 'set', list }];
}
