import { reasonOf, warnOnce } from '../../errors.js';
import type { AnyEndpoint, PollFrequency } from '../endpoint.js';
import type { Cause, RequestPromise, SubscribeOptions, Subscription } from '../request.js';
import { rowOf } from '../../tables/tables.js';
import { LONGEST } from '../reading/freshness.js';
import { queryEndpoint } from '../reading/queryEndpoint.js';
import type { Answer, ResourcesState } from '../state.js';
import type { Presence } from './presence.js';

export interface Asked {
  /** What the request is kept under. */
  readonly name: string;
  readonly endpoint: AnyEndpoint;
  readonly args: readonly unknown[];
}

export interface Subject extends Asked {
  /** Undefined where it is there, and fresh enough. */
  readonly fetch: (ifStale: boolean, cause: Cause) => RequestPromise<unknown> | undefined;
  /** The data, as selectors give it. */
  readonly read: () => unknown;
  /** Whether the newest answer is an error. */
  readonly hasFailed: () => boolean;
}

/** What others have brought of what is subscribed to, and has no answer of its own. */
export function inheritedBy({ requests, tables }: ResourcesState, { name, endpoint, args }: Asked): unknown {
  return rowOf(requests, name)?.answer ? undefined : queryEndpoint(tables, endpoint, args);
}

/** All who are subscribed to one thing. */
interface Entry extends Subject {
  /** How many there are, by how often they want it fetched (ms); 0 for those who leave that open. */
  readonly counts: Map<PollFrequency, number>;
  /** What was asked for on their behalf and has not come. */
  readonly asked: Set<RequestPromise<unknown>>;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** How often it is polled, in ms; Infinity for never. */
  frequency: number;
  /** When it was polled last, in ms since the epoch. */
  polled: number;
  /** Ends when the answer is as good as missing. */
  expiry: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Who is subscribed to what in one store, kept in memory: mounting a component dispatches nothing. Joining and leaving
 * cost the same however many there are. While nobody can see the data, or it cannot be had, nothing is polled.
 */
export class Subscriptions {
  readonly #entries = new Map<string, Entry>();
  /** Those that are polled as their data says. */
  readonly #watched = new Set<Entry>();
  readonly #presence: Presence;
  readonly #left: (subject: Subject) => void;
  /** Whether anybody ever subscribed. */
  isUsed = false;

  /** Tells when the last one has left. */
  constructor(presence: Presence, left: (subject: Subject) => void) {
    this.#presence = presence;
    this.#left = left;
    presence.changed = this.#changed;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  all(): readonly Subject[] {
    return [...this.#entries.values()];
  }

  /** Keeps data alive and fresh; polls as often (ms) as the most impatient of its subscribers wants. */
  add(subject: Subject, { pollFrequency: every = 0, refetch = true }: SubscribeOptions): Subscription {
    const entry = this.#entries.get(subject.name) ?? this.#begin(subject);
    entry.counts.set(every, (entry.counts.get(every) ?? 0) + 1);
    if (typeof every === 'function') this.#watched.add(entry);
    this.#repoll(entry);
    if (refetch !== false) void ask(entry, refetch !== 'always', 'subscribe');
    let isSubscribed = true;
    return {
      unsubscribe: () => {
        if (!isSubscribed) return;
        isSubscribed = false;
        this.#leave(entry, every);
      },
    };
  }

  /** Fetches, where data is stale, for the subscribers of what is meant. */
  refetch(isMeant: (name: string) => boolean, cause: Cause): void {
    for (const entry of [...this.#entries.values()]) if (isMeant(entry.name)) again(entry, cause);
  }

  /** Fetches what is meant, where it is stale; gives what was asked for. */
  fetch(isMeant: (name: string) => boolean, cause: Cause): readonly RequestPromise<unknown>[] {
    const meant = [...this.#entries.values()].filter(({ name }) => isMeant(name));
    return meant.flatMap((entry) => ask(entry, true, cause) ?? []);
  }

  /** Where stale data counts as missing, it is fetched for subscribers as soon as it is stale. */
  expire(name: string, answer: Pick<Answer, 'expiresAt' | 'invalidIfStale'> | undefined): void {
    const entry = this.#entries.get(name);
    if (!entry || !answer?.invalidIfStale) return;
    clearTimeout(entry.expiry);
    const time = answer.expiresAt - Date.now();
    // What is stale when it comes would be fetched in circles.
    if (time <= 0 || time > LONGEST) return;
    entry.expiry = setTimeout(() => {
      // A timer may be early, by less than a clock tells; and the clock may have been set back.
      if (this.#presence.isHere) void ask(entry, true, 'expired');
      if (Date.now() < answer.expiresAt) this.expire(name, answer);
    }, time);
  }

  /** Asks anew how often to poll what is polled as its data says. */
  repoll(): void {
    for (const entry of this.#watched) {
      // Where polling begins, nothing was missed.
      if (entry.frequency === Infinity) entry.polled = Date.now();
      this.#repoll(entry);
    }
  }

  #repoll(entry: Entry): void {
    const frequency = fastest(entry);
    if (frequency !== entry.frequency) this.#poll(entry, frequency);
  }

  #begin(subject: Subject): Entry {
    const begun = { timer: undefined, frequency: Infinity, polled: Date.now(), expiry: undefined };
    const entry: Entry = { counts: new Map(), asked: new Set(), ...begun, ...subject };
    this.isUsed = true;
    if (this.#entries.size === 0) this.#presence.start();
    this.#entries.set(subject.name, entry);
    return entry;
  }

  #leave(entry: Entry, every: PollFrequency): void {
    const { counts, name } = entry;
    const left = (counts.get(every) ?? 0) - 1;
    if (left > 0) {
      counts.set(every, left);
      return;
    }
    counts.delete(every);
    this.#repoll(entry);
    if (counts.size > 0) return;
    this.#entries.delete(name);
    this.#watched.delete(entry);
    clearTimeout(entry.expiry);
    if (this.#entries.size === 0) this.#presence.stop();
    this.#left(entry);
    // A component that is mounted again at once, as in React's strict mode, goes on waiting for the same.
    queueMicrotask(() => {
      const next = this.#entries.get(name);
      for (const promise of entry.asked) {
        if (next) follow(next, promise);
        else promise.abort('unsubscribed');
      }
    });
  }

  /** Polls this often (ms) from now on, counted from the last time. */
  #poll(entry: Entry, frequency: number): void {
    clearTimeout(entry.timer);
    entry.timer = undefined;
    entry.frequency = frequency;
    if (frequency > LONGEST || !this.#presence.isHere) return;
    const poll = (): void => {
      // What is polled as its data says may look at the clock, too.
      this.#repoll(entry);
      if (entry.frequency !== frequency) return;
      entry.polled = Date.now();
      entry.timer = setTimeout(poll, frequency);
      void ask(entry, false, 'poll');
    };
    entry.timer = setTimeout(poll, Math.min(frequency, Math.max(0, entry.polled + frequency - Date.now())));
  }

  /** Nothing is polled while the app is away; on return, what was missed is fetched, and what has failed or grown stale. */
  readonly #changed: Presence['changed'] = (isHere, cause) => {
    for (const entry of [...this.#entries.values()]) {
      const isMissed = Date.now() - entry.polled >= entry.frequency;
      this.#poll(entry, entry.frequency);
      // What was missed is polled now.
      if (isHere && !isMissed) again(entry, cause);
    }
  };
}

/** How often (ms) the most impatient of the subscribers wants it fetched; Infinity for never. */
function fastest(entry: Entry): number {
  return Math.min(...[...entry.counts.keys()].map((every) => frequencyOf(every, entry)));
}

function frequencyOf(every: PollFrequency, { read, endpoint: { name } }: Entry): number {
  try {
    const data = typeof every === 'function' ? read() : undefined;
    const frequency = typeof every === 'function' ? data !== undefined && every(data) : every;
    return typeof frequency === 'number' && frequency > 0 ? frequency : Infinity;
  } catch (error) {
    warnOnce(() => [
      `pollFrequency ${name}`,
      `pollFrequency of ${name} failed, so nothing is polled by it: ${reasonOf(error)}`,
    ]);
    return Infinity;
  }
}

function ask(entry: Entry, ifStale: boolean, cause: Cause): RequestPromise<unknown> | undefined {
  const promise = entry.fetch(ifStale, cause);
  follow(entry, promise);
  return promise;
}

/** Fetches what is stale, and what has failed, though that was a moment ago. */
function again(entry: Entry, cause: Cause): void {
  void ask(entry, !entry.hasFailed(), cause);
  // However often something becomes stale, the oldest that is under way shows something soon, and the newest all: for those between nobody waits.
  for (const promise of [...entry.asked].slice(1, -1)) promise.abort('asked for anew');
}

function follow({ asked }: Entry, promise: RequestPromise<unknown> | undefined): void {
  if (!promise) return;
  asked.add(promise);
  // Its outcome is in the state; whoever subscribes reads it there.
  void promise.then(() => asked.delete(promise));
}
