import { rowOf } from '../../tables/tables.js';
import type { AnyEndpoint } from '../endpoint.js';
import type { SerializedFailure } from '../request.js';
import { requestPk, type RequestRecord, type ResourcesState } from '../state.js';
import { isFresh } from './freshness.js';
import { questionOf } from './selectors.js';
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
  /** Whether it came with other answers, and lacks fields that its class has defaults for: shown, and fetched as if it was stale. */
  readonly isPartial: boolean;
  /** Whether some of what is shown is not confirmed by the server yet. */
  readonly isOptimistic: boolean;
  readonly requestId?: string | undefined;
  /** ms since the epoch. */
  readonly startedTimeStamp?: number | undefined;
  /** ms since the epoch. */
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
  const question = questionOf(endpoint, args, endpoint.key(...args));
  const { name, paging } = endpoint;
  const list = paging && endpoint.key(...paging.listArgs(args));
  let last: { readonly slice: ResourcesState; readonly reading: Reading; readonly until: number } | undefined;
  let state: RequestState;
  let reader: StoreReader;
  return (slice) => {
    const now = Date.now();
    const isRecent = last !== undefined && now < last.until;
    if (isRecent && slice === last?.slice) return state;
    if (slice.anchor !== last?.slice.anchor) {
      reader = readerOf(slice);
      last = undefined;
    }
    const reading = reader.reading(slice, question, last?.reading);
    const isOptimistic = reader.isOptimistic(slice, question, reading);
    const isKnown = isRecent && reading === last?.reading && isOptimistic === state.isOptimistic;
    // Of a list, pages may have come or gone beside it.
    const isSame = isKnown && list === undefined;
    if (!isSame) {
      const isPartial = !reading.record?.answer && !endpoint.sideEffect && reader.isPartial(slice, question, reading);
      const flags = { isPartial, isOptimistic, isWrite: endpoint.sideEffect };
      const next = describe(rowOf(slice.requests, question.name), reading.value, flags, now);
      const pages = list === undefined ? undefined : describePages(slice, name, list);
      state = reader.state(question.name, pages ? { ...next, ...pages } : next);
    }
    last = { slice, reading, until: isSame && last ? last.until : nextChange(reading, now) };
    return state;
  };
}

/** When time alone will change a state, in ms since the epoch: as it becomes stale, or as good as missing. */
function nextChange({ record, droppedAt }: Reading, now: number): number {
  const staleAt = isFresh(record, now) ? (record?.answer?.expiresAt ?? Infinity) : Infinity;
  return Math.min(staleAt, droppedAt > now ? droppedAt : Infinity);
}

interface Flags {
  readonly isPartial: boolean;
  readonly isOptimistic: boolean;
  readonly isWrite: boolean;
}

function describe(
  record: RequestRecord | undefined,
  data: unknown,
  { isWrite, isPartial, isOptimistic }: Flags,
  now: number,
): RequestState {
  const { failure, answer } = record ?? {};
  const pending = record?.pending.at(-1);
  const isError = failure !== undefined;
  const isThere = isWrite ? hasAnswer(record) : data !== undefined || isAnsweredEmpty(record);
  const isSuccess = isThere && !isError;
  const status = pending ? 'pending' : isError ? 'rejected' : isSuccess && answer ? 'fulfilled' : 'uninitialized';
  // One of four, as its flags say.
  return {
    status,
    isUninitialized: status === 'uninitialized',
    isLoading: status === 'pending' && !isSuccess && !isError,
    isFetching: status === 'pending',
    isSuccess,
    isError,
    isStale: record?.expired ?? (answer !== undefined && !isFresh(record, now)),
    isPartial,
    isOptimistic,
    // What a write is to bring may be there already; that is no answer to it.
    data: isWrite && !isThere ? undefined : data,
    error: failure?.error,
    requestId: pending?.requestId ?? failure?.requestId ?? answer?.requestId,
    startedTimeStamp: pending?.startedTimeStamp,
    fulfilledTimeStamp: answer?.fulfilledTimeStamp,
  } as RequestState;
}

/** Whether the answer was that there is nothing. */
function isAnsweredEmpty(record: RequestRecord | undefined): boolean {
  return hasAnswer(record) && (record.answer.result ?? undefined) === undefined;
}

function describePages({ requests }: ResourcesState, name: string, key: string): PageState {
  const [list, next, previous] = ['', '/getNextPage', '/getPreviousPage'].map((member) =>
    rowOf(requests, requestPk(`${name}${member}`, key)),
  );
  const { failure } = next ?? {};
  const isNewest = failure !== undefined && failure.seq > (list?.pages?.seq ?? 0);
  return {
    hasNextPage: list?.pages?.next !== undefined,
    hasPreviousPage: (list?.pages?.before.length ?? 0) > 0,
    isFetchingNextPage: (next?.pending.length ?? 0) > 0,
    isFetchingPreviousPage: (previous?.pending.length ?? 0) > 0,
    nextPageError: isNewest ? failure.error : undefined,
  };
}
