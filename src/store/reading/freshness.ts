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
  const names = Object.keys(standard) as (keyof Lifetimes)[];
  // Made of pairs, an object has no type that tells which value each name has.
  return Object.fromEntries(names.map((name) => [name, lifetimeOf(defaults, standard, name)])) as unknown as Lifetimes;
}

/** What applies to an endpoint in one store. */
export function lifetimeOf<Name extends keyof Lifetimes>(
  endpoint: OpenLifetimes,
  defaults: Lifetimes,
  name: Name,
): Lifetimes[Name] {
  return endpoint[name] ?? defaults[name];
}

/** The end of a time (ms) that begins now, in ms since the epoch; JSON has no Infinity. */
export function expiryAfter(length: number, now = Date.now()): number {
  return Math.min(now + length, Number.MAX_SAFE_INTEGER);
}

/** Whether an answer is there, and fresh at this time (ms since the epoch). */
export function isFresh(
  record: RequestRecord | undefined,
  now: number,
): record is RequestRecord & { readonly answer: Answer } {
  return record?.answer !== undefined && !record.invalid && now < record.answer.expiresAt;
}
