import { tablesOfLists } from '../schema/listKey.js';
import type { List, ListOperation, Ref, Row } from '../schema/Schema.js';
import { isUnionRef } from '../schema/Union.js';
import { applyToList, type Changes, type ListChange, type RowChanges } from '../tables/changes.js';
import { rowOf, tableOf, type Tables } from '../tables/tables.js';
import type { Intent } from './intent.js';

/**
 * What has settled lately, for as long as a request is under way that started before it did: an answer that comes late
 * is then put in its place, instead of on top. While nothing overlaps, the journal is empty.
 */
export interface Journal {
  readonly entries: readonly JournalEntry[];
  readonly lists: readonly ListRecord[];
}

/** When something started, and when it settled, in positions among all requests of the store. */
interface Span {
  readonly seq: number;
  readonly settledSeq: number;
}

/** Some rows of one table. */
export interface Rows {
  readonly table: string;
  readonly pks: readonly string[];
}

/** One settled request or write. */
interface JournalEntry extends Span {
  readonly kind: 'read' | 'write';
  /** The rows it answered, changed or not. */
  readonly rows: readonly Rows[];
  readonly removed: readonly Rows[];
  /** The fields that its body named; absent where it speaks for all. */
  readonly fields?: readonly string[];
}

/** A list as it was read, and what was done to it since. */
interface ListRecord {
  readonly table: string;
  readonly pk: string;
  /** Null where there was no list. */
  readonly base: List | null;
  /** Position of the read that brought the base. */
  readonly baseSeq: number;
  /** In the order in which they were asked for. */
  readonly steps: readonly ListStep[];
  /** Later reads that wait for a pending operation: the server may have done it already, and it would show twice. */
  readonly held?: readonly ListStep[] | undefined;
}

interface ListStep extends Span {
  readonly operation: ListOperation;
  readonly list: List;
}

export const emptyJournal: Journal = Object.freeze({ entries: Object.freeze([]), lists: Object.freeze([]) });

/** What of an answer's row is taken: all (undefined), nothing, or some fields. */
export type Admission = 'none' | ((field: string) => boolean) | undefined;

/** A request that settles, as far as the order matters. */
export interface Settling extends Span {
  readonly kind: 'read' | 'write';
  /** The fields that its body names; absent where it speaks for all. */
  readonly fields?: readonly string[] | undefined;
}

/** Tells what of an answer's rows still counts, after what has settled while it was under way. */
export function admissionOf(
  { entries }: Journal,
  settling: Settling,
): ((table: string, pk: string, isOutermost: boolean) => Admission) | undefined {
  const overlapping = entries.filter(({ settledSeq }) => settledSeq >= settling.seq);
  if (overlapping.length === 0) return undefined;
  return (table, pk, isOutermost) => {
    let admits: ((field: string) => boolean) | undefined;
    for (const entry of overlapping) {
      if (has(entry.removed, table, pk)) return 'none';
      if (!has(entry.rows, table, pk)) continue;
      const next = settling.kind === 'read' ? afterRead(entry, settling) : afterWrite(entry, settling, isOutermost);
      if (next === 'none') return 'none';
      if (next) admits = admits ? both(admits, next) : next;
    }
    return admits;
  };
}

/** A read gives way to every write that settled after it started, and to every later read. */
function afterRead({ kind, seq }: JournalEntry, settling: Settling): Admission {
  return kind === 'write' || seq > settling.seq ? 'none' : undefined;
}

/** Of two overlapping writes, each decides the fields that it alone names, and the later start decides the rest. */
function afterWrite(entry: JournalEntry, settling: Settling, isOutermost: boolean): Admission {
  if (entry.kind === 'read') return undefined;
  const theirs = entry.fields;
  const mine = isOutermost ? settling.fields : [];
  const named = (fields: readonly string[] | undefined, field: string): boolean => !fields || fields.includes(field);
  if (entry.seq > settling.seq) return (field) => named(mine, field) && !named(theirs, field);
  return (field) => named(mine, field) || !theirs?.includes(field);
}

function both(one: (field: string) => boolean, other: (field: string) => boolean): (field: string) => boolean {
  return (field) => one(field) && other(field);
}

const sets = new WeakMap<Rows, ReadonlySet<string>>();

function has(all: readonly Rows[], table: string, pk: string): boolean {
  return all.some((rows) => {
    if (rows.table !== table) return false;
    let pks = sets.get(rows);
    if (!pks) sets.set(rows, (pks = new Set(rows.pks)));
    return pks.has(pk);
  });
}

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
): Settlement {
  if (oldest === undefined && journal === emptyJournal) return { changes, journal };
  const removed = changes.rows.flatMap(removedOf);
  const lists = journal.lists.map((record) => withoutRows(record, removed));
  const since = journal.entries.filter(({ settledSeq }) => settledSeq >= settling.seq);
  const gone = since.flatMap((entry) => entry.removed);
  const landed = changes.lists.flatMap((change) =>
    landOnList(lists, tables, settling, { ...change, list: without(change.table, change.list, gone) }, pending),
  );
  const released = release(lists, tables, pending);
  const { kind, seq, settledSeq, fields } = settling;
  const entry: JournalEntry = { kind, seq, settledSeq, rows: met, removed, ...(fields && { fields }) };
  return {
    changes: { rows: changes.rows, lists: [...landed, ...released] },
    journal: prune({ entries: [...journal.entries, entry], lists }, oldest),
  };
}

function removedOf({ table, pks, rows }: RowChanges): readonly Rows[] {
  const gone = pks.filter((_, i) => rows[i] === null);
  return gone.length > 0 ? [{ table, pks: gone }] : [];
}

/** Forgets what no request under way can be late for. */
export function prune({ entries, lists }: Journal, oldest: number | undefined): Journal {
  if (oldest === undefined) return emptyJournal;
  const counts = ({ settledSeq }: Span): boolean => settledSeq >= oldest;
  const kept = lists.filter(
    ({ steps, baseSeq, held }) => held !== undefined || steps.some(counts) || baseSeq >= oldest,
  );
  // Frozen, so that the draft of the slice takes it as it is.
  return Object.freeze({ entries: entries.filter(counts), lists: kept });
}

/** A change of a list in its place among the others; all that was done to the list is done again, in order. */
function landOnList(
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
  const step = { ...spanOf(settling), operation, list };
  const waits = settling.kind === 'read' && isAwaited(known, settling.seq, pending);
  const next = waits ? { ...known, held: [...(known.held ?? []), step] } : withRead(known, step);
  if (at < 0) lists.push(next);
  else lists[at] = next;
  return changeTo(next, now);
}

/** A list without the rows that are deleted. */
function without<L extends List | null>(table: string, list: L, removed: readonly Rows[]): L {
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

/** What is remembered of a list, without rows that are deleted now: nothing that is done again brings them back. */
function withoutRows(record: ListRecord, removed: readonly Rows[]): ListRecord {
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
function isAwaited({ table, pk, baseSeq }: ListRecord, seq: number, pending: readonly Intent[]): boolean {
  const touches = (change: ListChange): boolean => change.table === table && change.pk === pk;
  // What started before the list was read at all is not shown in it, so nothing need wait for it.
  return pending.some((intent) => intent.seq < seq && intent.seq > baseSeq && intent.changes.lists.some(touches));
}

/** Lets the reads land that wait for nothing pending any more, in the order in which they came. */
function release(lists: ListRecord[], tables: Tables, pending: readonly Intent[]): readonly ListChange[] {
  return lists.flatMap((record, at) => {
    const { held, ...unheld } = record;
    if (!held) return [];
    let next: ListRecord = unheld;
    const waiting = held.filter((step) => {
      const waits = isAwaited(next, step.seq, pending);
      if (!waits) next = withRead(next, step);
      return waits;
    });
    if (waiting.length === held.length) return [];
    lists[at] = waiting.length > 0 ? { ...next, held: waiting } : next;
    const { table, pk } = record;
    // A table that is called after a Collection holds lists.
    return changeTo(next, rowOf(tableOf(tables, table), pk) as List | undefined);
  });
}

/** A request that failed or was cancelled: it changes nothing, but what waited for it lands. */
export function settleFailed(
  journal: Journal,
  tables: Tables,
  oldest: number | undefined,
  pending: readonly Intent[],
): Settlement {
  const lists = [...journal.lists];
  const released = release(lists, tables, pending);
  const changes = { rows: [], lists: released };
  return { changes, journal: journal === emptyJournal ? journal : prune({ entries: journal.entries, lists }, oldest) };
}

function spanOf({ seq, settledSeq }: Span): Span {
  return { seq, settledSeq };
}

function bySeq(one: { readonly seq: number }, other: { readonly seq: number }): number {
  return one.seq - other.seq;
}

/** A list after one more step: a whole answer is a new base, anything else is done to it. */
function withRead(record: ListRecord, step: ListStep): ListRecord {
  return step.operation === 'set' ? withBase(record, step.list, step.seq) : withStep(record, step);
}

/** A read replaces the list; what it cannot have known of is done to it again. */
function withBase(record: ListRecord, base: List, seq: number): ListRecord {
  if (record.baseSeq > seq) return record;
  const unknown = (step: ListStep): boolean => (step.operation === 'append' ? step.seq > seq : step.settledSeq >= seq);
  return { ...record, base, baseSeq: seq, steps: record.steps.filter(unknown) };
}

function withStep(record: ListRecord, step: ListStep): ListRecord {
  return { ...record, steps: [...record.steps, step].sort(bySeq) };
}

function fold(base: List | null, steps: readonly Omit<ListStep, 'settledSeq'>[]): List | undefined {
  let list = base ?? undefined;
  for (const { operation, list: refs } of steps) list = applyToList(list, { operation, list: refs });
  return list;
}

/** What the pending intents change, in order, beside what has settled since they started. */
export function changesOfIntents({ entries, lists }: Journal, intents: readonly Intent[]): readonly Changes[] {
  if (entries.length === 0 && lists.length === 0) return intents.map(({ changes }) => changes);
  const isRecorded = ({ table, pk }: ListChange): boolean =>
    lists.some((record) => record.table === table && record.pk === pk);
  const all = intents.map((intent): Changes => ({
    rows: intent.changes.rows.map((rows) => withoutNamed(rows, intent.seq, entries)),
    lists: intent.changes.lists.filter((change) => !isRecorded(change)),
  }));
  return [...all, { rows: [], lists: lists.flatMap((record) => interleaved(record, intents)) }];
}

/** An edit shows nothing over the fields that a write confirmed which started after it, and nothing of what is deleted since. */
function withoutNamed(change: RowChanges, seq: number, entries: readonly JournalEntry[]): RowChanges {
  const later = entries.filter((entry) => entry.kind === 'write' && entry.settledSeq >= seq);
  if (later.length === 0) return change;
  const kept = change.pks.flatMap((pk, i) => {
    const row = change.rows[i] ?? null;
    if (row !== null && later.some((entry) => has(entry.removed, change.table, pk))) return [];
    const over = later.filter((entry) => entry.seq > seq && has(entry.rows, change.table, pk));
    return [{ pk, row: row === null || over.length === 0 ? row : unnamed(row, over) }];
  });
  return { ...change, pks: kept.map(({ pk }) => pk), rows: kept.map(({ row }) => row) };
}

function unnamed(row: Row, over: readonly JournalEntry[]): Row {
  const isOpen = (field: string): boolean => !over.some(({ fields }) => !fields || fields.includes(field));
  return Object.fromEntries(Object.entries(row).filter(([field]) => isOpen(field)));
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
