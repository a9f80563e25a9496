import type { RowChanges } from '../tables/changes.js';
import { admissionOf, has, type JournalEntry, type Settling, type Span } from './admission.js';
import type { Intent } from './intent.js';

/**
 * Rows of a read that wait: a pending response of the user's own was computed of what was there, and the server may have
 * counted it in already, so that it would show twice.
 */
export interface HeldRows extends Span, RowChanges {}

/** Whether a read must wait with a row. */
export type Hold = (table: string, pk: string) => boolean;

/** Tells the rows that a read waits with; undefined where it waits with none. */
export function holdOf({ kind, seq }: Pick<Settling, 'kind' | 'seq'>, pending: readonly Intent[]): Hold | undefined {
  const older = kind === 'read' ? pending.filter((intent) => intent.holdsRows && intent.seq < seq) : [];
  if (older.length === 0) return undefined;
  return (table, pk) => older.some(({ changes }) => has(changes.rows, table, pk));
}

/** What of an answer's rows lands at once, and what waits. */
export function heldBack(
  rows: readonly RowChanges[],
  { seq, settledSeq }: Span,
  hold: Hold | undefined,
): { readonly landing: readonly RowChanges[]; readonly held: readonly HeldRows[] } {
  if (!hold) return { landing: rows, held: [] };
  const held = rows.flatMap((change) => some(change, hold)).map((change) => ({ seq, settledSeq, ...change }));
  return { landing: rows.flatMap((change) => some(change, (table, pk) => !hold(table, pk))), held };
}

/** The rows that wait for nothing any more, as far as they still count, in the order in which they came; and those that wait on. */
export function releaseRows(
  all: readonly HeldRows[],
  entries: readonly JournalEntry[],
  pending: readonly Intent[],
): { readonly landing: readonly RowChanges[]; readonly held: readonly HeldRows[] } {
  const landing: RowChanges[] = [];
  const held: HeldRows[] = [];
  for (const step of all) {
    const { seq, settledSeq, ...change } = step;
    const hold = holdOf({ kind: 'read', seq }, pending);
    const admit = admissionOf(entries, { kind: 'read', seq, settledSeq });
    // A read counts as a whole, or not at all.
    const lands: Hold = (table, pk) => !hold?.(table, pk) && admit?.(table, pk, true) !== 'none';
    landing.push(...some(change, lands));
    if (hold) held.push(...some(change, hold).map((rows) => ({ seq, settledSeq, ...rows })));
  }
  return { landing, held };
}

/** Those rows of a change that are meant. */
function some(change: RowChanges, isMeant: Hold): readonly RowChanges[] {
  const { table, pks, rows } = change;
  const places = pks.flatMap((pk, i) => (isMeant(table, pk) ? [i] : []));
  if (places.length === 0) return [];
  if (places.length === pks.length) return [change];
  return [{ ...change, pks: places.map((i) => pks[i] ?? ''), rows: places.map((i) => rows[i] ?? null) }];
}
