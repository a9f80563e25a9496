import { keyValue } from '../schema/listKey.js';
import type { Ref } from '../schema/Schema.js';
import { emptyTable, pksOf, rowOf, type Table, type Tables } from '../tables/tables.js';
import type { Intent } from './order/intent.js';
import { emptyJournal, type Journal } from './order/journal.js';
import type { RequestFilter } from './endpoint.js';
import type { KeptOutbox } from './outbox.js';
import type { SerializedFailure } from './request.js';

/** A request that has started and not settled. */
interface PendingRequest {
  readonly requestId: string;
  readonly seq: number;
  /** ms since the epoch. */
  readonly startedTimeStamp: number;
}

/** The newest answer to a request. */
export interface Answer {
  readonly requestId: string;
  readonly seq: number;
  /** What stands for the value: a pk, references, or a shape with references inside. */
  readonly result: unknown;
  /** ms since the epoch. */
  readonly fulfilledTimeStamp: number;
  /** When it becomes stale, in ms since the epoch. */
  readonly expiresAt: number;
  /** Stale, it is as good as missing. */
  readonly invalidIfStale?: true | undefined;
}

/** Why the newest request failed. */
interface Failure {
  readonly requestId: string;
  readonly seq: number;
  readonly error: SerializedFailure;
  /** When it may be tried again, in ms since the epoch. */
  readonly expiresAt: number;
}

/** One page of a list. */
export interface Page {
  /** The endpoint that read it, by name. */
  readonly name: string;
  /** The arguments that ask for it; plain. */
  readonly args: readonly unknown[];
  /** What it brought. */
  readonly refs: readonly Ref[];
  /** Those of them that it lacked when it was read again by itself: a page that brings one has it from then on. */
  readonly left?: readonly Ref[];
  /** Where it stands: 0 for the page with which the list begins, one more for the page behind it. */
  readonly place: number;
  /** When it was first asked for. With its place, it is what the page is known by. */
  readonly asked: number;
  /** When the request was sent that read it last. */
  readonly seq: number;
  /** How to ask for the pages beside it, by its arguments or by its answer. */
  readonly leads?: PageLeads | undefined;
}

/** The arguments that ask for the pages beside one; absent where there is none. */
interface PageLeads {
  readonly next?: readonly unknown[] | undefined;
  readonly previous?: readonly unknown[] | undefined;
}

/** The pages that a list is made of, in order, and how to come by those beside them. */
export interface Pages {
  readonly all: readonly Page[];
  /** When the request was sent that read all of them, or the only one, last. */
  readonly seq: number;
  /** When the request was sent with which the list has begun. */
  readonly begun: number;
  /** The arguments that ask for the page after the last; absent where there is none. */
  readonly next?: readonly unknown[] | undefined;
  /** The arguments that ask for pages before the first, the nearest last. */
  readonly before: readonly (readonly unknown[])[];
}

export const noPages: Pages = { all: [], before: [], seq: 0, begun: 0 };

/** All that is kept of the requests with one key. */
export interface RequestRecord {
  /** What it was asked with, of the first argument. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly pending: readonly PendingRequest[];
  readonly answer?: Answer | undefined;
  readonly failure?: Failure | undefined;
  /** The answer is no good: it is as if it was not there. */
  readonly invalid?: true | undefined;
  /** There is no answer, and what others have brought is stale for this request. */
  readonly expired?: true | undefined;
  /** Of a list that is read page by page. */
  readonly pages?: Pages | undefined;
}

export const noRecord: RequestRecord = { pending: [] };

/** The form of the slice; a slice in another form is not read. */
export const VERSION = 2;

/**
 * The slice: confirmed data, apart from what is only hoped for; all of it plain.
 *
 * @example
 * const save = (slice: ResourcesState) => JSON.stringify(slice);
 * save(store.getState().resources);
 */
export interface ResourcesState {
  /** The form that it has. */
  readonly version: number;
  /** Tells one store from another; replaced where the slice begins anew: by `reset`, by a root reducer, or in place of another. */
  readonly anchor: object;
  /** The clock: it ticks whenever a request is made, sent or answered. */
  readonly seq: number;
  /** What the server has confirmed. */
  readonly tables: Tables;
  /** Requests by name and key. */
  readonly requests: Table<RequestRecord>;
  /** Optimistic requests, in the order in which they started. */
  readonly intents: readonly Intent[];
  /** What has settled while others are under way. */
  readonly journal: Journal;
  /** The newest tag of each address, where endpoints heed tags. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** How the outbox stands, where there is one. */
  readonly outbox?: KeptOutbox | undefined;
}

/** How a slice began: with its store; by `reset`; because an action of the app's emptied it; or in place of another, from elsewhere. */
type Beginning = 'begun' | 'reset' | 'emptied' | 'replaced';

/** What an anchor holds. It is plain, for a server component may pass the slice on; and to look an anchor up in a WeakMap costs as much as a whole selector. */
interface Anchor {
  /** The very object of this process: that of a copy of the slice, as from JSON, is another. */
  readonly sign?: object;
  readonly how?: Beginning;
}

const sign = Object.freeze({});

const noTables: Tables = Object.freeze({});
const noIntents: readonly Intent[] = Object.freeze([]);

/** The slice of a store in which nothing has happened yet. */
export function initialState(seq = 0, how: Beginning = 'replaced'): ResourcesState {
  return {
    version: VERSION,
    anchor: Object.freeze<Anchor>({ sign, how }),
    seq,
    tables: noTables,
    requests: emptyTable,
    intents: noIntents,
    journal: emptyJournal,
  };
}

let last = { name: '', key: '', pk: '' };

/** Where a request is kept. It is asked ten times for each request, and to hash a string that was just made costs 0.3 µs. */
export function requestPk(name: string, key: string): string {
  if (last.key !== key || last.name !== name) last = { name, key, pk: `${name} ${key}` };
  return last.pk;
}

/** Where the reads at an address are kept, the oldest first. */
export function readsAt({ requests }: ResourcesState, address: string): readonly string[] {
  const end = ` ${address}`;
  return pksOf(requests, (_, name) => name.endsWith(end));
}

export function recordOf(state: ResourcesState, name: string, key: string): RequestRecord | undefined {
  return rowOf(state.requests, requestPk(name, key));
}

/** Whether a slice was made by this process. */
export function isOurs(state: object): state is ResourcesState {
  return anchorOf(state)?.sign === sign;
}

/** Whether a slice of this process began so. */
export function hasBegun(state: object, how: Beginning): boolean {
  return isOurs(state) && anchorOf(state)?.how === how;
}

function anchorOf(state: object): Anchor | null | undefined {
  return (state as { readonly anchor?: Anchor | null }).anchor;
}

/** Whether a request is meant, by what it is kept under, and what is kept of it. */
export function isMeant(
  { name, key, params }: RequestFilter,
  pk: string,
  record: Pick<RequestRecord, 'params'> | undefined,
): boolean {
  if (key !== undefined) return pk === requestPk(name, key);
  if (!pk.startsWith(`${name} `)) return false;
  // As in an address, 5 is '5'.
  const isEqual = (part: string): boolean => keyValue(record?.params, part) === keyValue(params, part);
  return params === undefined || Object.keys(params).every(isEqual);
}

export function isEmptyRecord({ pending, answer, failure, invalid, expired }: RequestRecord): boolean {
  return pending.length === 0 && !answer && !failure && !invalid && !expired;
}
