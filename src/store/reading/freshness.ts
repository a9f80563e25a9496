import { withoutGaps } from '../../schema/withoutGaps.js';
import type { Lifetimes, OpenLifetimes } from '../endpoint.js';
import type { Answer, RequestRecord } from '../state.js';

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
  return { ...standard, ...(withoutGaps(defaults) as Partial<Lifetimes>) };
}

/** How long it may take until who has asked for something is there, in ms: React shows what has come together with what else the page waits for. */
export const COMING = 10_000;

/** The longest that a timer takes, in ms. */
export const LONGEST = 2 ** 31 - 1;

/** The end of a time (ms) that begins now, in ms since the epoch; JSON has no Infinity, and no NaN. */
export function expiryAfter(length: number, now = Date.now()): number {
  return Math.max(0, Math.min(now + (length || 0), Number.MAX_SAFE_INTEGER));
}

/** Whether a time (ms) is over that began then (ms since the epoch); one that seems to begin later is, for the clock was set back. */
export function isPast(since: number, length: number, now = Date.now()): boolean {
  return now >= since + length || now < since;
}

/** Whether an answer is there, and fresh at this time (ms since the epoch). */
export function isFresh(
  record: RequestRecord | undefined,
  now: number,
): record is RequestRecord & { readonly answer: Answer } {
  if (!record?.answer || record.invalid) return false;
  const { fulfilledTimeStamp, expiresAt } = record.answer;
  // One of later is of before the clock was set back.
  return fulfilledTimeStamp <= now && now < expiresAt;
}
