import type { Definition } from '../../schema/Schema.js';
import { addPlaces, type Changes, type RowChanges } from '../../tables/changes.js';
import { metaSuffix } from '../../tables/inputs.js';
import { Places } from '../../tables/Places.js';
import { aliasSuffix, type Alias } from '../../tables/aliases.js';
import { Reach } from '../../tables/Reach.js';
import { PAGE } from '../../tables/slots.js';
import { eachRow, rowFrom, tableOf, type Tables } from '../../tables/tables.js';
import type { AnyEndpoint } from '../endpoint.js';
import { rowRecordOf, type RowRecord } from '../order/journal.js';
import type { ResourcesState } from '../state.js';

/** What stands for something, and what describes it. */
export interface Described {
  readonly definition: Definition;
  readonly ref: unknown;
}

export interface Uses {
  /** The endpoint of a request, by what the request is kept under; undefined where this process has not met it. */
  readonly endpointOf: (name: string) => AnyEndpoint | undefined;
  /** Reads that were subscribed to and left, and what holds nothing and has settled, each long enough ago. */
  readonly left: ReadonlySet<string>;
  /** Requests that hold nothing by themselves: pages, which belong to their list, and writes. */
  readonly weak: ReadonlySet<string>;
  /** What is read, or was given, without a request of its own. */
  readonly held: readonly Described[];
}

export interface Unused {
  readonly requests: readonly string[];
  readonly changes: Changes;
}

interface Left extends Described {
  readonly name: string;
  readonly isWrite: boolean;
}

/**
 * Finds what nobody can read any more: requests that were left, and the rows and lists that no request leads to which is
 * kept. A read with a row that a guess lies over stays until that has settled; a row that a write has told, until what may be older has. What a write
 * alone brought stays until it was read and left, and the record of the write with it.
 * It is found step by step.
 */
export function* unusedIn(slice: ResourcesState, { endpointOf, left, weak, held }: Uses): Generator<void, Unused> {
  const { journal, requests, tables } = slice;
  const kept = new Reach<true>(tables);
  const leaving = new Reach<true>(tables);
  const brought = new Reach<true>(tables);
  const pending = pendingIn(slice);
  const reads: Left[] = [];
  const others: Left[] = [];
  const marking = held.map((one) => ({ ...one, by: kept }));
  eachRow(requests, ({ answer }, name) => {
    const endpoint = endpointOf(name);
    const what = { definition: endpoint?.schema, ref: answer?.result };
    const isLeft = left.has(name) && !isAmong(pending, tables, what);
    const isWrite = endpoint?.sideEffect === true;
    const isWeak = weak.has(name) || isWrite;
    if (isLeft) (isWeak ? others : reads).push({ name, isWrite, ...what });
    if (!answer) return;
    if (endpoint) marking.push({ ...what, by: isWeak ? brought : isLeft ? leaving : kept });
    else guess(tables, answer.result, kept);
  });
  for (const { definition, ref, by } of marking) yield* by.steps(definition, ref, true);
  for (const { table, pk } of pending.all())
    if (kept.mark(table, pk, true)) guess(tables, rowFrom(tables, table, pk), kept);
  // What they refer to is shown, or will be.
  guess(tables, pendingValues(slice), kept);

  // A read that is under way may be older than what a write has told of a row.
  const isUsed = (table: string, pk: string): boolean =>
    kept.has(table, pk) ||
    (brought.has(table, pk) && !leaving.has(table, pk)) ||
    isWritten(rowRecordOf(journal, table, pk));
  // What others lead to, too, needs no record of a write.
  const isAlone = (table: string, pk: string): boolean => !kept.has(table, pk) && isUsed(table, pk);
  const spent = others.filter((one) => !reachOf(tables, one).some(one.isWrite ? isAlone : isUsed));
  const rows: RowChanges[] = [];
  for (const name of Object.keys(tables)) rows.push(...(yield* unusedRows(tables, name, isUsed)));
  return { requests: [...reads, ...spent].map(({ name }) => name), changes: { rows, lists: [] } };
}

/** The rows and lists that a guess lies over, or that something waits to land in. */
function pendingIn({ intents, journal }: ResourcesState): Places {
  const pending = new Places();
  for (const { changes } of intents) addPlaces(pending, changes);
  pending.add(journal.waiting);
  return pending;
}

/** Whether a write has told of a row since some request was sent that is under way still. */
function isWritten({ all, fields = {} }: Partial<RowRecord> = {}): boolean {
  return all?.kind === 'write' || Object.values(fields).some(({ named }) => named);
}

/** What guesses, and what waits to land, bring of these. */
function pendingValues({ intents, journal }: ResourcesState): readonly unknown[] {
  const guesses = intents.flatMap(({ changes }) => [
    ...changes.rows.flatMap(({ rows }) => rows),
    changes.lists.map(({ list }) => list),
  ]);
  return [...guesses, ...journal.waiting.map(({ row }) => row)];
}

/** Whether an answer is made of one of these rows and lists. */
function isAmong(places: Places, tables: Tables, answer: Described): boolean {
  return places.tables().length > 0 && reachOf(tables, answer).some((table, pk) => places.has(table, pk));
}

function reachOf(tables: Tables, { definition, ref }: Described): Reach<true> {
  const reach = new Reach<true>(tables);
  if (ref !== undefined) reach.from(definition, ref, true);
  return reach;
}

function* unusedRows(
  tables: Tables,
  name: string,
  isUsed: (table: string, pk: string) => boolean,
): Generator<void, readonly RowChanges[]> {
  const table = tableOf(tables, name);
  // When a row came about, and what it is called now, is kept as long as the row.
  const suffix = [metaSuffix, aliasSuffix].find((one) => name.endsWith(one)) ?? '';
  const of = name.slice(0, name.length - suffix.length);
  const pks: string[] = [];
  const look = (row: unknown, pk: string): void => {
    if (!isUsed(of, suffix === aliasSuffix ? (row as Alias).of : pk)) pks.push(pk);
  };
  for (let from = 0; table && from < table.n; from += PAGE) {
    eachRow(table, look, from, from + PAGE);
    yield;
  }
  return pks.length > 0 ? [{ table: name, pks, rows: pks.map(() => null) }] : [];
}

/** Marks whatever an answer could mean of which nobody knows the schema: each string in it may be a pk. */
function guess(tables: Tables, result: unknown, kept: Reach<true>): void {
  const queue: unknown[] = [result];
  for (const next of queue) {
    // One by one: a spread of a long list could overflow the stack.
    if (typeof next === 'object' && next !== null)
      for (const inner of Object.values(next) as unknown[]) queue.push(inner);
    if (typeof next !== 'string') continue;
    for (const name of Object.keys(tables)) {
      const row = rowFrom(tables, name, next);
      if (row !== undefined && kept.mark(name, next, true)) queue.push(row);
    }
  }
}
