import { none } from '../../schema/Schema.js';
import { rowOf } from '../../tables/tables.js';
import { isFresh } from '../reading/freshness.js';
import type { Lifetime } from '../lifetime/Lifetime.js';
import type { Flights } from './flights.js';
import type { StoreAccess } from './StoreAccess.js';
import { tablesIn } from './StaleRequests.js';
import type { Written } from './written.js';

interface Parts {
  readonly store: StoreAccess;
  readonly flights: Flights;
  readonly lifetime: Lifetime;
}

/**
 * Fetches again, for subscribers, what was made stale. What a write has made stale waits until no other write of its class is under way, and no longer than
 * `holdTimeout`: twenty deletions at once have a list fetched once, and not twenty times.
 */
export class Refetches {
  readonly #parts: Parts;
  readonly #holdTimeout: number;
  /** The requests that wait, by what they are kept under. */
  #held = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: Parts, holdTimeout: number) {
    this.#parts = parts;
    this.#holdTimeout = holdTimeout;
  }

  after({ expires = none, outdated }: Pick<Written, 'expires' | 'outdated'>): void {
    const { flights } = this.#parts;
    // What was asked for before cannot know of what a write did.
    if (outdated.length > 0) flights.part((name) => outdated.includes(name));
    if (expires.length + this.#held.size > 0) this.#fetch(new Set(expires), new Set(outdated));
  }

  #fetch(stale: ReadonlySet<string>, outdated: ReadonlySet<string>, isPatient = true): void {
    const held = this.#held;
    this.#held = new Set();
    const { flights, lifetime, store } = this.#parts;
    const writing = isPatient && flights.isWriting ? [...flights.writingBy()] : none;
    const written = new Set(writing.flatMap((endpoint) => [...tablesIn(endpoint)]));
    lifetime.refetch((name) => {
      const mayWait = written.size > 0 && (held.has(name) || outdated.has(name));
      const endpoint = mayWait ? lifetime.endpointOf(name) : undefined;
      if (endpoint && [...tablesIn(endpoint)].some((table) => written.has(table))) {
        this.#held.add(name);
        return false;
      }
      return stale.has(name) || (held.has(name) && !isFresh(rowOf(store.slice.requests, name), Date.now()));
    });
    if (this.#held.size === 0) this.clear();
    else
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#fetch(new Set(), new Set(), false);
      }, this.#holdTimeout);
  }

  clear(): void {
    this.#held.clear();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
