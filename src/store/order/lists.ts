import { tablesOfLists } from '../../schema/listKey.js';
import type { List, Ref } from '../../schema/Schema.js';
import { isTemporary, originOf } from '../../schema/temporary.js';
import { isUnionRef } from '../../schema/Union.js';
import { applyAllToList, applyToList, type ListChange } from '../../tables/changes.js';
import type { Intent } from './intent.js';

/** What one settled request did to a list: a whole answer (`set`), a page (`append`), or an operation of a write. */
export interface ListStep extends Pick<ListChange, 'operation' | 'list' | 'page'> {
  /** Steps stand in this order: an operation by when it was asked for, an answer by when it was sent. */
  readonly seq: number;
  readonly settledSeq: number;
}

/** A list as it was answered, and what was done to it since, while others are under way that may bring an older answer. */
export interface ListRecord {
  /** Null where there was no list. */
  readonly base: List | null;
  /** Position of the request that brought the base; 0 where that was before all that is under way. */
  readonly baseSeq: number;
  /** Where a write brought the base: when it settled, for no read that was sent before may replace it. */
  readonly baseSettled?: number;
  /** Where its first answer came meanwhile, whole or a page: when that was sent, and when it settled. */
  readonly firstSeq?: number;
  readonly knownSeq?: number;
  /** In their order. */
  readonly steps: readonly ListStep[];
}

/** What is remembered of lists. */
export interface Records {
  record(table: string, pk: string): ListRecord | undefined;
}

/** A list of which nothing is remembered: it is as it was confirmed. */
export function recordOfList(list: List | undefined): ListRecord {
  return { base: list ?? null, baseSeq: 0, steps: [] };
}

/** A record after one more step: a whole answer is a new base, anything else is done to it in its order. */
export function withStep(given: ListRecord, step: ListStep, kind: 'read' | 'write'): ListRecord {
  const isFirst =
    given.firstSeq === undefined && given.base === null && (step.operation === 'set' || step.operation === 'append');
  const record = isFirst ? { ...given, firstSeq: step.seq, knownSeq: step.settledSeq } : given;
  if (step.operation === 'set') return withBase(record, step, kind);
  const { steps } = record;
  const last = steps.at(-1);
  if (!last || last.seq <= step.seq) return { ...record, steps: [...withoutVoid(steps, step), step] };
  return { ...record, steps: [...steps, step].sort(bySeq) };
}

/** The whole list replaces the base, unless a later answer is there; what it cannot have known of is done to it again. */
function withBase(record: ListRecord, { list, seq, settledSeq }: ListStep, kind: 'read' | 'write'): ListRecord {
  const { baseSeq, baseSettled } = record;
  const isLate =
    kind === 'read'
      ? baseSeq > seq || (baseSettled !== undefined && baseSettled >= seq)
      : baseSettled !== undefined && baseSeq > seq;
  if (isLate) return record;
  const steps = record.steps.filter((step) => (step.operation === 'append' ? step.seq > seq : step.settledSeq >= seq));
  const { firstSeq, knownSeq } = record;
  const settled = kind === 'write' && { baseSettled: settledSeq };
  return { base: list, baseSeq: seq, ...settled, ...(knownSeq !== undefined && { firstSeq, knownSeq }), steps };
}

/** Without what an item went through before it was taken out: that does not matter any more. */
function withoutVoid(steps: readonly ListStep[], { operation, list, settledSeq }: ListStep): readonly ListStep[] {
  if (operation !== 'remove' || steps.length === 0) return steps;
  const [ref] = list as readonly Ref[];
  const isVoid = (step: ListStep): boolean =>
    step.operation !== 'append' && step.settledSeq <= settledSeq && isJust(step.list, ref);
  return steps.some(isVoid) ? steps.filter((step) => !isVoid(step)) : steps;
}

function isJust(list: List, ref: Ref | undefined): boolean {
  return Array.isArray(list) && list.length === 1 && list[0] === ref;
}

/** The list that a record tells of, with more done to it. One of which only pages are known begins with nothing, and knows what settled before the first of them. */
export function listOf({ base, steps, firstSeq }: ListRecord, pending: readonly ListStep[] = []): List | undefined {
  const all = pending.length > 0 ? [...steps, ...pending].sort(bySeq) : steps;
  if (base !== null || firstSeq === undefined) return applyAllToList(base ?? undefined, all);
  return applyAllToList(
    [],
    all.filter(({ operation, settledSeq }) => operation === 'append' || settledSeq >= firstSeq),
  );
}

/** Whether something under way that started at this position or later can still need a record. */
export function isNeeded({ baseSeq, baseSettled = baseSeq, knownSeq = 0, steps }: ListRecord, oldest: number): boolean {
  return Math.max(baseSettled, knownSeq) >= oldest || steps.some(({ settledSeq }) => settledSeq >= oldest);
}

/**
 * What pending requests change in lists, in their order among what has settled. A create is not shown in a list of which
 * an answer was asked for, or the first has come, since it started: whether its item is in there already, nobody knows. What is edited, moved or taken out is
 * shown in any: it changes nothing that is so already.
 */
export function pendingLists(intents: readonly Intent[], records: Records): readonly ListChange[] {
  const seqs = new Map(intents.map(({ requestId, seq }) => [requestId, seq]));
  /** Since when an item is being created, whichever request brings it; Infinity where the server has named it. */
  const createdSeq = (list: List): number => seqs.get(creatorOf(list) ?? '') ?? Infinity;
  const plain: ListChange[] = [];
  const recorded = new Map<string, { readonly change: ListChange; readonly record: ListRecord; steps: ListStep[] }>();
  for (const { seq, changes } of intents) {
    for (const change of changes.lists) {
      const record = records.record(change.table, change.pk);
      if (!record) plain.push(change);
      else if (createdSeq(change.list) > Math.max(record.baseSeq, record.knownSeq ?? 0)) {
        const name = `${change.table} ${change.pk}`;
        const found = recorded.get(name) ?? { change, record, steps: [] };
        recorded.set(name, found);
        found.steps.push({ operation: change.operation, list: change.list, seq, settledSeq: Infinity });
      }
    }
  }
  for (const { change, record, steps } of recorded.values()) {
    const { table, pk } = change;
    const last = record.steps.at(-1);
    const isBehind = !last || steps.every(({ seq }) => seq > last.seq);
    // What comes after all that has settled is done to the list as it is confirmed.
    if (isBehind) for (const { operation, list } of steps) plain.push({ table, pk, operation, list });
    else {
      const list = listOf(record, steps);
      if (list !== undefined) plain.push({ table, pk, operation: 'set', list });
    }
  }
  return plain;
}

/** The request that is to create an item of a list; undefined where the server has named them all. */
export function creatorOf(list: List): string | undefined {
  const pks = refsIn(list).map((ref) => (typeof ref === 'string' ? ref : ref?.pk));
  const temporary = pks.find(isTemporary);
  return temporary === undefined ? undefined : originOf(temporary).requestId;
}

/** Whether a pending change makes a list another one. */
export function touches(list: List, change: ListChange): boolean {
  return !change.moves && applyToList(list, change) !== list;
}

export function refsIn(list: List): readonly (Ref | null | undefined)[] {
  // The compiler does not see that what is a readonly array is no record.
  return Array.isArray(list) ? (list as readonly (Ref | null | undefined)[]) : Object.values(list);
}

function bySeq(one: { readonly seq: number }, other: { readonly seq: number }): number {
  return one.seq - other.seq;
}

/** The rows that a member of a list may stand for. */
export function rowsOf(table: string, ref: Ref | null | undefined): readonly (readonly [table: string, pk: string])[] {
  if (isUnionRef(ref)) return [[ref.table, ref.pk]];
  return typeof ref === 'string' ? tablesOfLists(table).map((name) => [name, ref] as const) : [];
}
