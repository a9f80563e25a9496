import type { Lifetimes, Requestable } from './request.js';
import type { RequestRecord } from './state.js';

/** What applies where neither the endpoint, its resource nor `configureResources` says otherwise; in ms. */
const standard: Lifetimes = {
  dataExpiryLength: 60_000,
  errorExpiryLength: 1_000,
  unusedDataExpiryLength: 60_000,
  pollFrequency: undefined,
  invalidIfStale: false,
};

/** How long the data of an endpoint lasts in one store. */
export function lifetimesOf(endpoint: Requestable, defaults: Partial<Lifetimes>): Lifetimes {
  return { ...standard, ...defaults, ...endpoint.lifetimes };
}

/** Whether an answer is there, and fresh at this time (ms since the epoch). */
export function isFresh(record: RequestRecord | undefined, now: number): boolean {
  return record?.answer !== undefined && !record.invalid && now < record.answer.expiresAt;
}

/** Whether the newest failure is so recent that it still stands for an answer. */
export function isFailedLately(record: RequestRecord | undefined, now: number): boolean {
  return record?.failure !== undefined && now < record.failure.expiresAt;
}
