import type { Presence } from './presence.js';
import type { AnyEndpoint } from '../endpoint.js';
import type { RequestPromise, SubscribeOptions, Subscription } from '../request.js';
import type { Answer } from '../state.js';

/** The longest a timer takes, in ms. */
export const LONGEST = 2 ** 31 - 1;

/** What can be subscribed to. */
interface Subject {
  /** What the request is kept under. */
  readonly name: string;
  readonly endpoint: AnyEndpoint;
  readonly args: readonly unknown[];
  /** Undefined where it is there, and fresh enough. */
  readonly fetch: (ifStale: boolean) => RequestPromise<unknown> | undefined;
  /** Whether the newest answer is an error. */
  readonly hasFailed: () => boolean;
}

/** All who are subscribed to one thing. */
interface Entry extends Subject {
  /** How many there are, by how often they want it fetched (ms); 0 for those who leave that open. */
  readonly counts: Map<number, number>;
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
  readonly #presence: Presence;
  readonly #left: (subject: Subject) => void;
  /** Whether anybody ever subscribed. */
  isUsed = false;

  /** Tells when the last one has left. */
  constructor(presence: Presence, left: (subject: Subject) => void) {
    this.#presence = presence;
    this.#left = left;
    presence.changed = (isHere) => {
      this.#changed(isHere);
    };
  }

  /** All that somebody is subscribed to. */
  all(): readonly Subject[] {
    return [...this.#entries.values()];
  }

  /** Keeps data alive and fresh; polls as often (ms) as the most impatient of its subscribers wants. */
  add(subject: Subject, { pollFrequency: every = 0, refetch = true }: SubscribeOptions): Subscription {
    const entry = this.#entries.get(subject.name) ?? this.#begin(subject);
    entry.counts.set(every, (entry.counts.get(every) ?? 0) + 1);
    if (every > 0 && every < entry.frequency) this.#poll(entry, every);
    if (refetch !== false) ask(entry, refetch !== 'always');
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
  refetch(isMeant: (name: string) => boolean): void {
    for (const entry of [...this.#entries.values()]) if (isMeant(entry.name)) again(entry);
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
      // A timer may be early, by less than a clock tells.
      if (Date.now() < answer.expiresAt) this.expire(name, answer);
      else if (this.#presence.isHere) ask(entry, true);
    }, time);
  }

  #begin(subject: Subject): Entry {
    const begun = { timer: undefined, frequency: Infinity, polled: Date.now(), expiry: undefined };
    const entry: Entry = { counts: new Map(), asked: new Set(), ...begun, ...subject };
    this.isUsed = true;
    if (this.#entries.size === 0) this.#presence.start();
    this.#entries.set(subject.name, entry);
    return entry;
  }

  #leave(entry: Entry, every: number): void {
    const { counts, name } = entry;
    const left = (counts.get(every) ?? 0) - 1;
    if (left > 0) {
      counts.set(every, left);
      return;
    }
    counts.delete(every);
    if (every === entry.frequency) {
      const others = [...counts.keys()].filter((other) => other > 0);
      this.#poll(entry, Math.min(...others));
    }
    if (counts.size > 0) return;
    this.#entries.delete(name);
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
      entry.polled = Date.now();
      entry.timer = setTimeout(poll, entry.frequency);
      ask(entry, false);
    };
    entry.timer = setTimeout(poll, Math.max(0, entry.polled + frequency - Date.now()));
  }

  /** Nothing is polled while the app is away; on return, what was missed is fetched, and what has failed or grown stale. */
  #changed(isHere: boolean): void {
    for (const entry of [...this.#entries.values()]) {
      const isMissed = Date.now() - entry.polled >= entry.frequency;
      this.#poll(entry, entry.frequency);
      // What was missed is polled now.
      if (isHere && !isMissed) again(entry);
    }
  }
}

function ask(entry: Entry, ifStale: boolean): void {
  follow(entry, entry.fetch(ifStale));
}

/** Fetches what is stale, and what has failed, though that was a moment ago. */
function again(entry: Entry): void {
  ask(entry, !entry.hasFailed());
}

function follow({ asked }: Entry, promise: RequestPromise<unknown> | undefined): void {
  if (!promise) return;
  asked.add(promise);
  // Its outcome is in the state; whoever subscribes reads it there.
  void promise.then(() => asked.delete(promise));
}
