/**
 * Slices that come from elsewhere: from a server, from storage, from an import, by preload, by `hydrate`, or in place of the one that was
 * there. Such a slice is looked at as a whole before anything is read of it: one that cannot be used gives an empty one, and never an error.
 */
import { current, isDraft } from '@reduxjs/toolkit';
import { warnOnce } from '../errors.js';
import { tablesOfLists } from '../schema/listKey.js';
import { getOrMake, isRecord, type Row } from '../schema/Schema.js';
import { isTotal, totalIn, type TotalRow } from '../schema/Total.js';
import { metaSuffix } from '../tables/inputs.js';
import { PAGE } from '../tables/slots.js';
import { eachRow, freezePages, TableWriter, type Table } from '../tables/tables.js';
import {
  initialState,
  isEmptyRecord,
  isOurs,
  VERSION,
  type Answer,
  type RequestRecord,
  type ResourcesState,
} from './state.js';

/** What Redux and its DevTools say as a store begins, or gets another reducer. */
const BEGUN = /^@@(?:redux\/)?(?:INIT|REPLACE)/;

/** The slice that a reducer goes on with, by what it is given, and the type of the action. */
export function beginWith(given: unknown, type: string): ResourcesState {
  if (given === undefined) return initialState(0, BEGUN.test(type) ? 'begun' : 'emptied');
  // With Redux's own type a store begins; with theirs, DevTools compute a state anew that goes on.
  const slice = adopt(given, type.startsWith('@@redux/INIT'));
  warnOnce(() => {
    // In development, all pages are frozen that this process has made.
    const isMixed = slice.requests.pks.some((page) => page.some(Boolean) && !Object.isFrozen(page));
    if (!isMixed) return undefined;
    return [
      'mixed',
      'Part of a saved slice was put into the one that was there, as by a persistReducer around resources.reducer with a whitelist or a blacklist. Save the slice whole.',
    ];
  });
  return slice;
}

/** What became of slices from elsewhere. They may be read before an action comes by which the reducer can take them over. */
const adopted = new WeakMap<object, ResourcesState>();

/** What a draft of immer's was made of, as a reducer of the app's may give a slice, or read one: what is in a draft tells nothing of whose it is. */
export function undrafted<Slice>(given: Slice): Slice {
  return isDraft(given) ? (current(given as object) as Slice) : given;
}

/** A slice as this process goes on with it: nothing is pending here that was pending elsewhere. What a store begins with is of elsewhere. */
export function adopt(drafted: unknown, isBeginning = false): ResourcesState {
  const given = undrafted(drafted);
  if (typeof given !== 'object' || given === null) return warned(initialState());
  if (isOurs(given) && !isBeginning) return given;
  return getOrMake(adopted, given, () => takeOver(given));
}

/** A slice that comes from another store, even of this process. */
export function takeOver(given: unknown): ResourcesState {
  try {
    if (!isUsable(given)) return warned(initialState());
    const { tags } = given;
    const tables = Object.entries(given.tables).map(([name, table]) => [name, undated(name, table)] as const);
    for (const [, table] of tables) freezePages(table);
    // A tag speaks for what is confirmed, and that comes along.
    const kept = areTags(tags) && { tags };
    return {
      ...initialState(given.seq),
      tables: Object.fromEntries(tables),
      requests: settled(given.requests),
      ...kept,
    };
  } catch {
    // It cannot even be read.
    return warned(initialState());
  }
}

/** A table whose totals, or whose notes of when rows came about, have places on the clock before all that is under way here. */
function undated(name: string, table: Table): Table {
  const isOfTotals = isTotal(name);
  if (!isOfTotals && !name.endsWith(metaSuffix)) return table;
  const older = (row: unknown): unknown =>
    isOfTotals ? { count: totalIn(row as TotalRow), at: 0, until: 0 } : { ...(row as Row), seq: 0, settledSeq: 0 };
  return { ...table, rows: table.rows.map((page) => page.map((row) => row && older(row))) };
}

function warned(state: ResourcesState): ResourcesState {
  warnOnce(() => [
    'slice',
    'A slice that comes from elsewhere is corrupted, or of another version of rtk-resource. It is taken for an empty one.',
  ]);
  return state;
}

/** Positions are those of another process, and whatever is under way here is newer. Its clock may have been ahead of ours. */
function settled(requests: Table<RequestRecord>): Table<RequestRecord> {
  const writer = new TableWriter(requests);
  eachRow(requests, ({ answer, failure, pages, ...record }, pk) => {
    const next: RequestRecord = {
      ...record,
      pending: [],
      ...(answer && { answer: { ...answer, ...asOfNow(answer), seq: 0 } }),
      ...(failure && { failure: { ...failure, seq: 0 } }),
      ...(pages && { pages: { ...pages, seq: 0, begun: 0, all: pages.all.map((page) => ({ ...page, seq: 0 })) } }),
    };
    if (isEmptyRecord(next)) writer.remove(pk);
    else writer.set(pk, next);
  });
  return writer.done();
}

function asOfNow({ fulfilledTimeStamp, expiresAt }: Answer): Partial<Answer> {
  const ahead = Math.max(0, fulfilledTimeStamp - Date.now());
  return { fulfilledTimeStamp: fulfilledTimeStamp - ahead, expiresAt: expiresAt - ahead };
}

/** What is kept of a request, as an example: a field with a `?` may be absent. */
const request = {
  pending: [],
  'answer?': { requestId: '', seq: 0, expiresAt: 0, fulfilledTimeStamp: 0 },
  'failure?': { requestId: '', seq: 0, expiresAt: 0, error: { name: '', message: '' } },
  'pages?': {
    all: [{ name: '', args: [], refs: [], place: 0, asked: 0, seq: 0, 'leads?': { 'next?': [], 'previous?': [] } }],
    seq: 0,
    begun: 0,
    'next?': [],
    before: [[]],
  },
};

/** Whether a value has the fields of an example, each with a value of the same type; each member of a list is like the one in the example. */
function isLike(value: unknown, example: unknown): boolean {
  if (Array.isArray(example))
    return Array.isArray(value) && (example.length === 0 || value.every((member) => isLike(member, example[0])));
  if (!isRecord(example)) return typeof value === typeof example && !Number.isNaN(value);
  return (
    isRecord(value) &&
    Object.entries(example).every(([field, inner]) => {
      const told = value[field.replace('?', '')];
      return (told === undefined && field.endsWith('?')) || isLike(told, inner);
    })
  );
}

function areTags(value: unknown): value is NonNullable<ResourcesState['tags']> {
  return isRecord(value) && Object.values(value).every((tag) => typeof tag === 'string');
}

function isUsable(given: unknown): given is ResourcesState {
  if (!isRecord(given) || given['version'] !== VERSION) return false;
  const { seq, tables, requests } = given;
  // A clock can go on from there.
  if (!Number.isSafeInteger(seq) || Number(seq) < 0 || Number(seq) >= 2 ** 52) return false;
  return (
    isTable(requests, (record) => isLike(record, request)) &&
    isRecord(tables) &&
    Object.keys(tables).every((name) => {
      const isOfLists = tablesOfLists(name).length > 0;
      return isTable(tables[name], (row) => isRecord(row) || (isOfLists && Array.isArray(row)));
    })
  );
}

/** Whether a table is in pages as it should be, with each pk once and a row for each, and knows its free places. */
function isTable(table: unknown, isRow: (row: unknown) => boolean): boolean {
  if (!isRecord(table)) return false;
  const { n, pks, rows, free } = table;
  if (!isPaged(pks, n) || !isPaged(rows, n) || !Array.isArray(free)) return false;
  const [names, values] = [pks.flat(), rows.flat()];
  const used = names.filter((pk) => pk !== '');
  return (
    names.every((pk, i) => typeof pk === 'string' && (pk === '' ? values[i] === null : isRow(values[i]))) &&
    new Set(used).size === used.length &&
    free.length === names.length - used.length &&
    new Set(free).size === free.length &&
    free.every((slot) => names[slot as number] === '')
  );
}

function isPaged(pages: unknown, n: unknown): pages is unknown[][] {
  if (!Array.isArray(pages) || typeof n !== 'number' || pages.length !== Math.ceil(n / PAGE)) return false;
  return pages.every((page, i) => Array.isArray(page) && page.length === Math.min(PAGE, n - i * PAGE));
}
