import { tablesOfLists } from '../schema/listKey.js';
import type { List, ListOperation, Ref } from '../schema/Schema.js';
import { isUnionRef } from '../schema/Union.js';
import { applyToList, type ListChange } from '../tables/changes.js';
import { rowOf, tableOf, type Tables } from '../tables/tables.js';
import { has, type JournalEntry, type Rows, type Settling, type Span } from './admission.js';
import type { Intent } from './intent.js';

/** A list as it was read, and what was done to it since. */
export interface ListRecord {
  readonly table: string;
  readonly pk: string;
  /** Null where there was no list. */
  readonly base: List | null;
  /** Position of the request that brought the base. */
  readonly baseSeq: number;
  /** Where that was a write: when it settled, for no read that started before may replace it. */
  readonly baseSettled?: number | undefined;
  /** In the order in which they were asked for. */
  readonly steps: readonly ListStep[];
  /** Later reads that wait for a pending operation: the server may have done it already, and it would show twice. */
  readonly held?: readonly ListStep[] | undefined;
}

export interface ListStep extends Span {
  readonly operation: ListOperation;
  readonly list: List;
}

/** A change of a list in its place among the others; all that was done to the list is done again, in order. */
export function landOnList(
  lists: ListRecord[],
  tables: Tables,
  settling: Settling,
  { table, pk, operation, list }: ListChange,
  pending: readonly Intent[],
): readonly ListChange[] {
  const at = lists.findIndex((record) => record.table === table && record.pk === pk);
  // A table that is called after a Collection holds lists.
  const now = rowOf(tableOf(tables, table), pk) as List | undefined;
  const known = lists[at] ?? { table, pk, base: now ?? null, baseSeq: 0, steps: [] };
  const step = { operation, list, ...spanOf(settling) };
  const waits = settling.kind === 'read' && isAwaited(known, settling.seq, pending);
  const next = waits ? { ...known, held: [...(known.held ?? []), step] } : withNews(known, step, settling.kind);
  if (at < 0) lists.push(next);
  else lists[at] = next;
  return changeTo(next, now);
}

/** A list without the rows that are deleted. */
export function without<L extends List | null>(table: string, list: L, removed: readonly Rows[]): L {
  if (removed.length === 0 || !Array.isArray(list)) return list;
  const refs: readonly (Ref | null | undefined)[] = list;
  const tables = tablesOfLists(table);
  const isGone = (ref: Ref | null | undefined): boolean => {
    if (isUnionRef(ref)) return has(removed, ref.table, ref.pk);
    return typeof ref === 'string' && tables.some((name) => has(removed, name, ref));
  };
  // A list of references stays one.
  return refs.some(isGone) ? (refs.filter((ref) => !isGone(ref)) as List as L) : list;
}

/** What is pending puts nothing into lists that was deleted since it started. */
export function withoutDeleted(intents: readonly Intent[], entries: readonly JournalEntry[]): readonly Intent[] {
  const deletions = entries.filter(({ removed }) => removed.length > 0);
  if (deletions.length === 0) return intents;
  return intents.map((intent) => {
    const { rows, lists } = intent.changes;
    const gone = deletions.flatMap(({ settledSeq, removed }) => (settledSeq >= intent.seq ? removed : []));
    if (gone.length === 0 || lists.length === 0) return intent;
    const kept = lists.map((change) => ({ ...change, list: without(change.table, change.list, gone) }));
    return { ...intent, changes: { rows, lists: kept } };
  });
}

/** What is remembered of a list, without rows that are deleted now: nothing that is done again brings them back. */
export function withoutRows(record: ListRecord, removed: readonly Rows[]): ListRecord {
  if (removed.length === 0) return record;
  const { table, base, steps, held } = record;
  const stepWithout = (step: ListStep): ListStep =>
    step.operation === 'remove' ? step : { ...step, list: without(table, step.list, removed) };
  return {
    ...record,
    base: without(table, base, removed),
    steps: steps.map(stepWithout),
    ...(held && { held: held.map(stepWithout) }),
  };
}

/** What makes a list what its record says; nothing where it is so. */
function changeTo({ table, pk, base, steps }: ListRecord, now: List | undefined): readonly ListChange[] {
  const list = fold(base, steps);
  return list === undefined || list === now ? [] : [{ table, pk, operation: 'set', list }];
}

/** Whether an operation on a list is pending that started before a read of it. */
function isAwaited({ table, pk, base, baseSeq, steps }: ListRecord, seq: number, pending: readonly Intent[]): boolean {
  const list = fold(base, steps);
  const touches = (change: ListChange): boolean =>
    change.table === table && change.pk === pk && applyToList(list, change) !== list;
  // What started before the list was read at all is not shown in it, so nothing need wait for it.
  return pending.some((intent) => intent.seq < seq && intent.seq > baseSeq && intent.changes.lists.some(touches));
}

/** Lets the reads land that wait for nothing pending any more, in the order in which they came. */
export function release(lists: ListRecord[], tables: Tables, pending: readonly Intent[]): readonly ListChange[] {
  return lists.flatMap((record, at) => {
    const { held, ...unheld } = record;
    if (!held) return [];
    let next: ListRecord = unheld;
    const waiting = held.filter((step) => {
      const waits = isAwaited(next, step.seq, pending);
      if (!waits) next = withNews(next, step, 'read');
      return waits;
    });
    if (waiting.length === held.length) return [];
    lists[at] = waiting.length > 0 ? { ...next, held: waiting } : next;
    const { table, pk } = record;
    // A table that is called after a Collection holds lists.
    return changeTo(next, rowOf(tableOf(tables, table), pk) as List | undefined);
  });
}

/** Operations stand in the order in which they were asked for. */
function spanOf({ seq, askedSeq = seq, settledSeq }: Settling): Span {
  return { seq: askedSeq, settledSeq };
}

export function bySeq(one: { readonly seq: number }, other: { readonly seq: number }): number {
  return one.seq - other.seq;
}

/** A list after one more step: a whole answer is a new base, anything else is done to it. */
function withNews(record: ListRecord, step: ListStep, kind: Settling['kind']): ListRecord {
  return step.operation === 'set' ? withBase(record, step, kind) : withStep(record, step);
}

/** What brings the whole list replaces it; what that cannot have known of is done to it again. */
function withBase(record: ListRecord, { list, seq, settledSeq }: ListStep, kind: Settling['kind']): ListRecord {
  const { baseSeq, baseSettled } = record;
  const isLate =
    kind === 'read'
      ? baseSeq > seq || (baseSettled !== undefined && baseSettled >= seq)
      : baseSettled !== undefined && baseSeq > seq;
  if (isLate) return record;
  const unknown = (step: ListStep): boolean => (step.operation === 'append' ? step.seq > seq : step.settledSeq >= seq);
  const settled = kind === 'write' ? settledSeq : undefined;
  return { ...record, base: list, baseSeq: seq, baseSettled: settled, steps: record.steps.filter(unknown) };
}

function withStep(record: ListRecord, step: ListStep): ListRecord {
  return { ...record, steps: [...record.steps, step].sort(bySeq) };
}

export function fold(base: List | null, steps: readonly Omit<ListStep, 'settledSeq'>[]): List | undefined {
  let list = base ?? undefined;
  for (const { operation, list: refs } of steps) list = applyToList(list, { operation, list: refs });
  return list;
}
