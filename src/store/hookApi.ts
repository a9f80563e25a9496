import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import type { Row } from '../schema/Schema.js';

/**
 * What the hooks of one request may use of the store that runs it; without a store there are `signal` and `args` alone.
 *
 * @example
 * const getHeaders = (headers: Record<string, string>, api?: HookApi) => ({ ...headers, 'Idempotency-Key': api?.requestId ?? '' });
 */
export interface HookApi {
  /** The state of the store. */
  readonly getState: () => unknown;
  /** Dispatches actions, thunks and requests in that store. */
  readonly dispatch: ThunkDispatch<unknown, unknown, UnknownAction>;
  /** The `extraArgument` of the store's thunk middleware. */
  readonly extra: unknown;
  /** Aborted with the request. */
  readonly signal: AbortSignal;
  /** Tells this request from all others. */
  readonly requestId: string;
  /** It is one of several requests that are answered as one: an answer that says that nothing has changed is of no use. */
  readonly isPart?: true | undefined;
  /** What the endpoint was called with: the parameters and, where there is one, the body. */
  readonly args: readonly [params: unknown, body?: unknown];
  /** How long the request may take, in ms. */
  readonly timeout?: number | undefined;
  /** The header by which the server tells whether its answer would be another, or refuses; `getHeaders` may set another. */
  readonly tag?: Tag | undefined;
  /** What sends the requests of that store; the global `fetch`, when absent. */
  readonly fetchFn?: FetchFn | undefined;
  /** Of a write in an outbox: the same each time that it is sent, so that the server can tell that it has done it. */
  readonly idempotencyKey?: string | undefined;
  /** The headers that say so, by the address. */
  readonly keyHeaders?: ((url: string) => Readonly<Record<string, string>>) | undefined;
  /** It is in an outbox, which sends it again. */
  readonly isKept?: true | undefined;
}

/** A tag that a server has given an answer (`ETag`), as a request is sent with it. */
export interface Tag {
  readonly name: 'If-Match' | 'If-None-Match';
  readonly value: string;
}

/** The row of a write that was refused, in wire form: as the user saw it, and as it is. */
export interface Conflict {
  readonly base: Row;
  readonly theirs: Row;
}

/** What a store gives for the hooks of one request. */
export type StoreApi = Omit<HookApi, 'args'> & {
  /** Hears when the request is put on the wire, and whether it is for another try. */
  readonly sends?: ((isAgain: boolean) => void) | undefined;
};

/**
 * What sends a request, as the global `fetch` does.
 *
 * @example
 * const fetchFn: FetchFn = (input, init) => fetch(`https://example.com${input}`, init);
 */
export type FetchFn = (input: string, init: RequestInit) => Promise<Response>;
