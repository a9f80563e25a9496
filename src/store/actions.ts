import { createAction, type UnknownAction } from '@reduxjs/toolkit';
import { isRecord } from '../schema/Schema.js';
import type { Changes, RowChanges } from '../tables/changes.js';
import type { Intent } from './order/intent.js';
import type { JournalChanges } from './order/journal.js';
import type { Unused } from './lifetime/collect.js';
import type { RequestFilter } from './endpoint.js';
import type { KeptOutbox } from './outbox.js';
import type { Cause, RequestMeta, SerializedFailure } from './request.js';
import type { Answer, Pages, ResourcesState, RequestRecord } from './state.js';

/** Changes of intents that were found anew, because what they build on has changed. */
export type Rebased = Readonly<Record<string, Changes>>;

interface PendingMeta<Args = readonly unknown[]> extends RequestMeta<Args> {
  readonly requestStatus: 'pending';
  /** What the request is expected to change; absent when it shows nothing before its answer. */
  readonly changes?: Changes;
  /** Whether what later requests say of the fields that it changes waits. */
  readonly holdsRows?: true;
  /** It changes something on the server: what it sends is not kept with the request. */
  readonly isWrite?: true;
  /** Why it was made, where nobody has dispatched it. */
  readonly cause?: Cause;
}

/** What comes of an answer, of the end of a request without one, or of a write by hand: all that its action writes. */
export interface Written {
  /** What stands for the value: a pk, references, or a shape with references inside. */
  readonly result: unknown;
  /** When it came, on the clock of the store. */
  readonly came: number;
  readonly changes: Changes;
  readonly rebased?: Rebased;
  /** What is remembered for requests that are late; absent where that stays as it is. */
  readonly journal?: JournalChanges;
  /** Some of the answer waits for what is pending: until it lands, that is shown as it was guessed. */
  readonly waits?: true;
  /** Rows as they came of which not all is taken; told where somebody observes the store. */
  readonly passedOver?: readonly RowChanges[];
  /** The pages of a list from now on, and what the request of that is kept under. */
  readonly pages?: { readonly of: string; readonly pages: Pages };
  /** Requests whose answers are stale from now on. */
  readonly expires?: readonly string[];
}

export interface FulfilledMeta<Args = readonly unknown[]> extends RequestMeta<Args>, Written {
  readonly requestStatus: 'fulfilled';
  /** It was found by another tab. */
  readonly remote?: true;
  readonly fulfilledTimeStamp: number;
  readonly expiresAt: number;
  readonly invalidIfStale?: true;
  /** Something has happened since it was sent that it cannot know of. */
  readonly isOutdated?: true;
  /** The read whose answer this one adds to. */
  readonly extends?: { readonly name: string; readonly key: string };
  /** The tag of the answer, by its address. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** Without `came`, the request was never begun; what is written is what had waited for it. */
export interface RejectedMeta<Args = readonly unknown[]> extends RequestMeta<Args>, Partial<Omit<Written, 'result'>> {
  readonly requestStatus: 'rejected';
  readonly aborted: boolean;
  /** Whether it was not sent, because what it asks for was there. */
  readonly condition: boolean;
  /** When `ifStale` may try again, in ms since the epoch. */
  readonly expiresAt: number;
  /** It was found by another tab. */
  readonly remote?: true;
}

/**
 * A request was made.
 *
 * @example
 * const begun = ({ meta }: PendingAction) => meta.requestId;
 */
export interface PendingAction<Args = readonly unknown[]> extends UnknownAction {
  /** `${typePrefix}/pending`. */
  readonly type: string;
  /** The request, and what it is expected to write. */
  readonly meta: PendingMeta<Args>;
}
/**
 * A request was answered.
 *
 * @example
 * const log = ({ payload, meta }: FulfilledAction) => [meta.arg.endpointName, payload];
 */
export interface FulfilledAction<Payload = unknown, Args = readonly unknown[]> extends UnknownAction {
  /** `${typePrefix}/fulfilled`. */
  readonly type: string;
  /** What `process` has returned, in wire form. */
  readonly payload: Payload;
  /** There is none. */
  readonly error?: undefined;
  /** The request, and what its answer has written. */
  readonly meta: FulfilledMeta<Args>;
}
/**
 * A request failed, was aborted, or was not sent.
 *
 * @example
 * const toast = ({ error, meta }: RejectedAction) => (meta.aborted ? undefined : error.message);
 */
export interface RejectedAction<Args = readonly unknown[], ErrorData = unknown> extends UnknownAction {
  /** `${typePrefix}/rejected`. */
  readonly type: string;
  /** There is none. */
  readonly payload?: undefined;
  /** Why, as it can be kept in the state. */
  readonly error: SerializedFailure<ErrorData>;
  /** The request, and whether it was aborted, or not sent at all. */
  readonly meta: RejectedMeta<Args>;
}
export type RequestAction = PendingAction | FulfilledAction | RejectedAction;

/** An action that something of ours wrote, with its meta. Those of RTK Query have much the same, but are not named after their endpoint. */
export function isRequestAction(action: UnknownAction): action is RequestAction {
  const { type, meta } = action;
  if (!isRecord(meta) || !('seq' in meta) || !isRecord(meta['arg'])) return false;
  return type === `${String(meta['arg']['endpointName'])}/${String(meta['requestStatus'])}`;
}

export function isPending(action: RequestAction): action is PendingAction {
  return action.meta.requestStatus === 'pending';
}

export function isFulfilled(action: RequestAction): action is FulfilledAction {
  return action.meta.requestStatus === 'fulfilled';
}

/** A write without a request. */
export interface WriteMeta extends Pick<Written, 'changes' | 'rebased' | 'journal' | 'expires' | 'passedOver'> {
  readonly seq: number;
  /** A patch by hand that begins. */
  readonly begins?: Intent;
  /** A patch by hand that ends. */
  readonly ends?: string;
  /** What is kept of requests from now on, by what they are kept under. */
  readonly records?: Readonly<Record<string, Pick<RequestRecord, 'answer' | 'pages'>>>;
  /** The request whose answer was set, with its first argument, made plain. */
  readonly answered?: Omit<Answer, 'requestId' | 'seq'> & {
    readonly name: string;
    readonly key: string;
    readonly params?: unknown;
  };
}

/** Writes of another time or another tab that are laid, and the rows under them. */
export interface LaidMeta {
  readonly seq: number;
  readonly changes: Changes;
  readonly begins: readonly Omit<PendingMeta, 'requestStatus'>[];
}

/** The actions of a slice that belong to no request, by what they do. */
export function createSliceActions(reducerPath: string) {
  return {
    set: createAction<unknown>(`${reducerPath}/set`),
    patch: createAction<unknown>(`${reducerPath}/patch`),
    undo: createAction<unknown>(`${reducerPath}/undo`),
    commit: createAction<unknown>(`${reducerPath}/commit`),
    setResponse: createAction<unknown>(`${reducerPath}/setResponse`),
    /** What changes without the end of a request: what has waited lands, guesses are found anew or given up, or a request has failed that the slice was not told of. */
    release: createAction<Pick<RejectedAction, 'error' | 'meta'> | undefined>(`${reducerPath}/release`),
    invalidate: createAction<RequestFilter>(`${reducerPath}/invalidate`),
    expire: createAction<RequestFilter>(`${reducerPath}/expire`),
    /** How the outbox stands; with a meta, also what it lays. */
    outbox: createAction<KeptOutbox>(`${reducerPath}/outbox`),
    collect: createAction<Unused>(`${reducerPath}/collect`),
    hydrate: createAction<ResourcesState>(`${reducerPath}/hydrate`),
    /** The slice is that of another store. */
    adopt: createAction(`${reducerPath}/adopt`),
    reset: createAction(`${reducerPath}/reset`),
  };
}
export type SliceActions = ReturnType<typeof createSliceActions>;
