import { tablesOfLists } from '../../schema/listKey.js';
import type { List, Ref } from '../../schema/Schema.js';
import { isTemporary, originOf } from '../../schema/temporary.js';
import { isUnionRef } from '../../schema/Union.js';
import { applyAllToList, identity, isDone, type ListChange } from '../../tables/changes.js';
import type { Intent } from './intent.js';

/** What one settled request did to a list: a whole answer (`set`), a page (`append`), or an operation of a write. */
export interface ListStep extends Pick<ListChange, 'operation' | 'list' | 'follows' | 'page'> {
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
  return { ...record, steps: [...beforeReturn(steps, step), step].sort(bySeq) };
}

/** An item that comes back into a list does so after it has left it, wherever its request stands: what took it out steps back. */
function beforeReturn(steps: readonly ListStep[], { operation, list, follows, seq }: ListStep): readonly ListStep[] {
  if (!follows || operation === 'remove') return steps;
  const [ref] = refsIn(list).map(identity);
  const isLater = (step: ListStep): boolean =>
    step.follows === true &&
    step.operation === 'remove' &&
    step.seq > seq &&
    refsIn(step.list).map(identity)[0] === ref;
  return steps.some(isLater) ? steps.map((step) => (isLater(step) ? { ...step, seq } : step)) : steps;
}

/** The whole list replaces the base, unless a later answer is there. Operations that settled after it was sent, and pages that were sent later, are applied again. */
function withBase(record: ListRecord, { list, seq, settledSeq }: ListStep, kind: 'read' | 'write'): ListRecord {
  const { baseSeq, baseSettled } = record;
  const isLate =
    kind === 'read'
      ? baseSeq > seq || (baseSettled !== undefined && baseSettled >= seq)
      : baseSettled !== undefined && baseSeq > seq;
  if (isLate) return record;
  const later = record.steps.filter((step) => (step.operation === 'append' ? step.seq > seq : step.settledSeq >= seq));
  // What was created before is in the new base, or is not in the list any more.
  const steps = later.map((step) => (step.page ? { ...step, page: { ...step.page, created: [] } } : step));
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

/** The list that a record tells of, with pending steps among its own. Where only pages have come, it begins empty, without operations that settled before the first page was sent. */
export function listOf({ base, steps, firstSeq }: ListRecord, pending: readonly ListStep[] = []): List | undefined {
  const all = pending.length > 0 ? withPending(steps, pending) : steps;
  if (base !== null || firstSeq === undefined) return applyAllToList(base ?? undefined, all);
  return applyAllToList(
    [],
    all.filter(({ operation, settledSeq }) => operation === 'append' || settledSeq >= firstSeq),
  );
}

function withPending(steps: readonly ListStep[], pending: readonly ListStep[]): readonly ListStep[] {
  let all = steps;
  for (const step of pending) if (step.follows) all = [...beforeReturn(all, step), step];
  return [...all, ...pending.filter(({ follows }) => !follows)].sort(bySeq);
}

/** Whether something under way that started at this position or later can still need a record. */
export function isNeeded({ baseSeq, baseSettled = baseSeq, knownSeq = 0, steps }: ListRecord, oldest: number): boolean {
  return Math.max(baseSettled, knownSeq) >= oldest || steps.some(({ settledSeq }) => settledSeq >= oldest);
}

/**
 * What pending requests change in lists, in their order among what has settled. A create is not shown in a list whose
 * answer was sent later than the create, or whose first answer came after it: whether its item is in there, nobody knows. What is edited, moved or taken out is
 * shown in any: it changes nothing that is so already.
 */
export function pendingLists(intents: readonly Intent[], records: Records): readonly ListChange[] {
  const seqs = new Map(intents.map(({ requestId, seq }) => [requestId, seq]));
  /** The position of the create behind a temporary item; Infinity for items that the server has named, which are always shown. */
  const createdSeq = (list: List): number => seqs.get(creatorOf(list) ?? '') ?? Infinity;
  const plain: ListChange[] = [];
  const recorded = new Map<string, { readonly change: ListChange; readonly record: ListRecord; steps: ListStep[] }>();
  for (const { seq, changes } of intents) {
    for (const change of changes.lists) {
      const record = records.record(change.table, change.pk);
      if (!record) plain.push(change);
      // An edit moves also what is being created.
      else if (change.follows || createdSeq(change.list) > Math.max(record.baseSeq, record.knownSeq ?? 0)) {
        const name = `${change.table} ${change.pk}`;
        const found = recorded.get(name) ?? { change, record, steps: [] };
        recorded.set(name, found);
        const { operation, list, follows } = change;
        // An item that leaves does so after all that brought it.
        const at = follows && operation === 'remove' ? Infinity : seq;
        found.steps.push({ operation, list, seq: at, settledSeq: Infinity, ...(follows && { follows }) });
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
  return !change.moves && !isDone(list, change);
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

/**
 * An edited item leaves a list after all that brought it there. What a read tells is news to answers that were asked for
 * before it; what a write does, to all that were asked for before it came.
 */
export function followingStep(
  {
    kind,
    seq,
    askedSeq,
    settledSeq,
  }: Pick<ListStep, 'seq' | 'settledSeq'> & { readonly kind: 'read' | 'write'; readonly askedSeq: number },
  { steps }: ListRecord,
  { operation, list }: Pick<ListChange, 'operation' | 'list'>,
): ListStep {
  const last = Math.max(settledSeq, steps.at(-1)?.seq ?? 0);
  const place = kind === 'read' ? seq : askedSeq;
  return {
    operation,
    list,
    seq: operation === 'remove' ? last : place,
    settledSeq: kind === 'read' ? seq : settledSeq,
    follows: true,
  };
}

/** Whether a change adds what a write has created. */
export function isCreate({ operation, moves, follows }: ListChange): boolean {
  return !moves && !follows && operation !== 'set' && operation !== 'append' && operation !== 'remove';
}
