import { isAbsent } from '../../schema/Schema.js';
import { assertEndpoint } from '../assertions.js';
import type { AnyEndpoint } from '../endpoint.js';
import type { SerializedFailure } from '../request.js';
import { noPages, noRecord, recordOf, type RequestRecord, type ResourcesState } from '../state.js';
import { isFresh } from './freshness.js';
import { following, questionOf } from './selectors.js';
import { hasAnswer, readerOf, type Reading, type StoreReader } from './StoreReader.js';

/**
 * What is known of the pages beside those that a list is made of.
 *
 * @example
 * const isMore = ({ hasNextPage, isFetchingNextPage }: PageState) => hasNextPage && !isFetchingNextPage;
 */
export interface PageState {
  /** Whether there is a page after the last. */
  readonly hasNextPage: boolean;
  /** Whether there is a page before the first. */
  readonly hasPreviousPage: boolean;
  /** Whether the page after the last is being fetched. */
  readonly isFetchingNextPage: boolean;
  /** Whether the page before the first is being fetched. */
  readonly isFetchingPreviousPage: boolean;
  /** Why the next page could not be had, until it is there or the list was fetched again. */
  readonly nextPageError?: SerializedFailure | undefined;
}

/** What is known of a request however it stands; of a list that is read page by page, also of its pages. */
interface RequestFacts extends Partial<PageState> {
  /** Shown still, and fetched by `ifStale` and subscribers. */
  readonly isStale: boolean;
  /** Whether other answers have brought it, and it lacks a field that its class has a default for, or is asked for with a parameter that is no field: shown, and fetched as if it was stale. */
  readonly isPartial: boolean;
  /** Whether some of what is shown is not confirmed by the server yet. */
  readonly isOptimistic: boolean;
  /** Of a write in an outbox: whether it is kept, and not under way. */
  readonly isPaused: boolean;
  readonly requestId?: string | undefined;
  /** When the request in flight was made, in ms since the epoch. */
  readonly startedTimeStamp?: number | undefined;
  /** When the newest answer came, in ms since the epoch. */
  readonly fulfilledTimeStamp?: number | undefined;
}

/** Nothing has been asked for, and nothing is there. */
interface IdleRequest extends RequestFacts {
  readonly status: 'uninitialized';
  readonly isUninitialized: true;
  readonly isLoading: false;
  readonly isFetching: false;
  readonly isSuccess: false;
  readonly isError: false;
  readonly data?: undefined;
  readonly error?: undefined;
}

/** A first load: nothing to show yet. */
interface LoadingRequest extends RequestFacts {
  readonly status: 'pending';
  readonly isUninitialized: false;
  readonly isLoading: true;
  readonly isFetching: true;
  readonly isSuccess: false;
  readonly isError: false;
  readonly data?: undefined;
  readonly error?: undefined;
}

/** There is data, which may be fetched again just now; `uninitialized` where other answers have brought it. */
interface SuccessfulRequest<Value> extends RequestFacts {
  readonly status: 'uninitialized' | 'pending' | 'fulfilled';
  /** Whether it was never asked for by itself. */
  readonly isUninitialized: boolean;
  readonly isLoading: false;
  readonly isFetching: boolean;
  readonly isSuccess: true;
  readonly isError: false;
  readonly data: Value;
  readonly error?: undefined;
}

/** The newest answer was a failure; it may be tried again just now, and data from before it is there still. */
interface FailedRequest<Value, ErrorData> extends RequestFacts {
  readonly status: 'pending' | 'rejected';
  readonly isUninitialized: false;
  readonly isLoading: false;
  readonly isFetching: boolean;
  readonly isSuccess: false;
  readonly isError: true;
  readonly data?: Value | undefined;
  readonly error: SerializedFailure<ErrorData>;
}

/**
 * How the newest request with some arguments stands. One of four: nothing was asked for, a first load (`isLoading`), data (`isSuccess`), a
 * failure (`isError`). The flags and `status` narrow what `data` and `error` are.
 *
 * @example
 * const state: RequestState<Todo> = TodoResource.get.selectRequest({ id })(store.getState());
 * if (state.isSuccess) state.data.title;
 * if (state.isError) state.error.message;
 */
export type RequestState<Value = unknown, ErrorData = unknown> =
  IdleRequest | LoadingRequest | SuccessfulRequest<Value> | FailedRequest<Value, ErrorData>;

/** Reads the state of one request. What it gave last it gives again, without looking closer, while nothing of it has changed. */
export function selectState(endpoint: AnyEndpoint, args: readonly unknown[]): (slice: ResourcesState) => RequestState {
  assertEndpoint('selectRequest', endpoint);
  return following(endpoint, args, (given, key) => stateOf(endpoint, given, key), endpoint);
}

function stateOf(
  endpoint: AnyEndpoint,
  args: readonly unknown[],
  key: string,
): (slice: ResourcesState) => RequestState {
  const question = questionOf(endpoint, args, key);
  const { name, paging, sideEffect: isWrite } = endpoint;
  const list = paging && endpoint.key(...paging.listArgs(args));
  let reader: StoreReader;
  const anew = (slice: ResourcesState, reading: Reading, flags: Flags, now: number): RequestState => {
    const isPartial = !isWrite && reader.isPartial(slice, reading);
    const next = describe(reading, isWrite, now, { isPartial, ...flags });
    return reader.state(question.name, list === undefined ? next : { ...next, ...describePages(slice, name, list) });
  };
  let last: ResourcesState | undefined;
  let lastReading: Reading | undefined;
  let state: RequestState;
  let [since, until] = [0, 0];
  const flagsOf = (slice: ResourcesState, reading: Reading): Flags => ({
    isOptimistic: slice.intents.length > 0 && reader.isOptimistic(slice, question, reading),
    isPaused: isWrite && isPausedIn(slice, reading.record?.pending.at(-1)?.requestId),
  });
  return (slice) => {
    const now = Date.now();
    const isRecent = since <= now && now < until;
    if (isRecent && slice === last) return state;
    if (slice.anchor !== last?.anchor) {
      reader = readerOf(slice);
      lastReading = undefined;
    }
    const reading = reader.reading(slice, question, lastReading);
    const flags = flagsOf(slice, reading);
    const isSame = isRecent && reading === lastReading && hasFlags(state, flags);
    // Of a list, pages may have come or gone beside it.
    if (!isSame || list !== undefined) {
      state = anew(slice, reading, flags, now);
      since = now;
      until = nextChange(reading, now);
    }
    last = slice;
    lastReading = reading;
    return state;
  };
}

type Flags = Pick<RequestFacts, 'isOptimistic' | 'isPaused'>;

function hasFlags(state: RequestState, { isOptimistic, isPaused }: Flags): boolean {
  return state.isOptimistic === isOptimistic && state.isPaused === isPaused;
}

/** Whether a write is in the outbox, and not under way. */
export function isPausedIn({ outbox }: ResourcesState, requestId: string | undefined): boolean {
  const entry = outbox && requestId !== undefined && outbox.entries.find(({ id }) => id === requestId);
  return entry ? entry.status !== 'sent' && entry.status !== 'failed' : false;
}

/** When time alone will change a state, in ms since the epoch: as it becomes stale, or as good as missing. */
function nextChange({ record, droppedAt }: Reading, now: number): number {
  const staleAt = isFresh(record, now) ? record.answer.expiresAt : Infinity;
  return Math.min(staleAt, droppedAt > now ? droppedAt : Infinity);
}

/** One of four, as its flags say. */
function describe(
  { record = noRecord, value }: Reading,
  isWrite: boolean,
  now: number,
  flags: Flags & Pick<RequestFacts, 'isPartial'>,
): RequestState {
  const { pending, failure } = record;
  const isThere = isWrite ? hasAnswer(record) : value !== undefined || isAnsweredEmpty(record);
  const status = statusOf(record, isThere);
  return {
    status,
    isUninitialized: status === 'uninitialized',
    isLoading: pending.length > 0 && !isThere && !failure,
    isFetching: pending.length > 0,
    isSuccess: isThere && !failure,
    isError: failure !== undefined,
    // What a write is to bring may be there already; that is no answer to it.
    data: isWrite && !isThere ? undefined : value,
    error: failure?.error,
    // Spreads stand last: to add fields to a copy takes Node 20 a microsecond each.
    ...factsOf(record, now),
    ...flags,
  } as RequestState;
}

/** What is known of a request however it stands. */
function factsOf(record: RequestRecord, now: number): Omit<RequestFacts, 'isPartial' | keyof Flags> {
  const { failure, answer, expired } = record;
  const pending = record.pending.at(-1);
  return {
    isStale: expired ?? (answer !== undefined && !isFresh(record, now)),
    requestId: (pending ?? failure ?? answer)?.requestId,
    startedTimeStamp: pending?.startedTimeStamp,
    fulfilledTimeStamp: answer?.fulfilledTimeStamp,
  };
}

function statusOf({ pending, failure, answer }: RequestRecord, isThere: boolean): RequestState['status'] {
  if (pending.length > 0) return 'pending';
  if (failure) return 'rejected';
  return answer && isThere ? 'fulfilled' : 'uninitialized';
}

/** Whether the answer was that there is nothing. */
function isAnsweredEmpty(record: RequestRecord): boolean {
  return hasAnswer(record) && isAbsent(record.answer.result);
}

function describePages(slice: ResourcesState, name: string, key: string): PageState {
  const of = (endpoint: string): RequestRecord => recordOf(slice, endpoint, key) ?? noRecord;
  const { pages = noPages } = of(name);
  const { failure, pending } = of(`${name}/getNextPage`);
  return {
    hasNextPage: pages.next !== undefined,
    hasPreviousPage: pages.before.length > 0,
    isFetchingNextPage: pending.length > 0,
    isFetchingPreviousPage: of(`${name}/getPreviousPage`).pending.length > 0,
    nextPageError: failure && failure.seq > pages.seq ? failure.error : undefined,
  };
}
