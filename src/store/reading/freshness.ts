import type { Lifetimes, OpenLifetimes } from '../endpoint.js';
import type { RequestRecord } from '../state.js';

/** What applies where neither the endpoint, its resource nor `configureResources` says otherwise; in ms. */
const standard: Lifetimes = {
  dataExpiryLength: 60_000,
  errorExpiryLength: 1_000,
  unusedDataExpiryLength: 60_000,
  pollFrequency: undefined,
  invalidIfStale: false,
  timeout: undefined,
};

/** What applies in a store, of which some may have been left open. */
export function withStandard(defaults: OpenLifetimes): Lifetimes {
  return lifetimesOf(defaults, standard);
}

/** How long the data of an endpoint lasts in one store. */
export function lifetimesOf(endpoint: OpenLifetimes, defaults: Lifetimes): Lifetimes {
  return {
    dataExpiryLength: endpoint.dataExpiryLength ?? defaults.dataExpiryLength,
    errorExpiryLength: endpoint.errorExpiryLength ?? defaults.errorExpiryLength,
    unusedDataExpiryLength: endpoint.unusedDataExpiryLength ?? defaults.unusedDataExpiryLength,
    pollFrequency: endpoint.pollFrequency ?? defaults.pollFrequency,
    invalidIfStale: endpoint.invalidIfStale ?? defaults.invalidIfStale,
    timeout: endpoint.timeout ?? defaults.timeout,
  };
}

/** The end of a time (ms) that begins now, in ms since the epoch; JSON has no Infinity. */
export function expiryAfter(length: number, now = Date.now()): number {
  return Math.min(now + length, Number.MAX_SAFE_INTEGER);
}

/** Whether an answer is there, and fresh at this time (ms since the epoch). */
export function isFresh(record: RequestRecord | undefined, now: number): boolean {
  return record?.answer !== undefined && !record.invalid && now < record.answer.expiresAt;
}

/** Whether the newest failure is so recent that it still stands for an answer. */
export function isFailedLately(record: RequestRecord | undefined, now: number): boolean {
  return record?.failure !== undefined && now < record.failure.expiresAt;
}
