import { none } from '../../schema/Schema.js';
import { rowOf } from '../../tables/tables.js';
import { isFresh } from '../reading/freshness.js';
import type { Lifetime } from '../lifetime/Lifetime.js';
import { nameOf, type Flight } from './flight.js';
import { isOnePage } from './pageRequests.js';
import type { Flights } from './flights.js';
import type { StoreAccess } from './StoreAccess.js';
import { haveOne, tablesOf } from './StaleRequests.js';
import type { Written } from './written.js';

interface Parts {
  readonly store: StoreAccess;
  readonly flights: Flights;
  readonly lifetime: Lifetime;
}

/** What an answer, or the end of a request, has made stale. */
interface Stale {
  readonly expires: ReadonlySet<string>;
  /** Those of them that a write has made stale. */
  readonly written: ReadonlySet<string>;
  /** The reads that have led to this, and the one that has brought it. */
  readonly chain: readonly string[];
}

/**
 * Fetches again, for subscribers, what was made stale, by what its requests are kept under. It waits, no longer than `holdTimeout`: until the fetch before it is
 * over, so that forty messages at once have a list fetched twice; and where a write has made it stale, until no other write of its class is under way. Two
 * lists that say different things of one row would have each other fetched for ever: no read leads to itself by way of others.
 */
export class Refetches {
  readonly #parts: Parts;
  readonly #holdTimeout: number;
  /** Those that wait, and whether a write has made them stale. */
  #held = new Map<string, boolean>();
  /** The reads that have led to those that are under way. */
  readonly #chains = new Map<string, readonly string[]>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: Parts, holdTimeout: number) {
    this.#parts = parts;
    this.#holdTimeout = holdTimeout;
  }

  /** Something has landed; a request has brought it, or somebody has written it by hand. */
  after({ expires = none, outdated }: Pick<Written, 'expires' | 'outdated'>, flight?: Flight): void {
    const { flights } = this.#parts;
    // What was asked for before cannot know of what a write did.
    if (outdated.length > 0) flights.part((name) => outdated.includes(name));
    const isWritten = flight?.request.endpoint.sideEffect === true;
    const chain = flight && !isWritten ? this.#chainOf(nameOf(flight)) : none;
    // What was written meanwhile is a new reason to fetch again; so is a page that joins, which nobody has read without being asked.
    if (!flight || isWritten || isOnePage(flight.pageRequest)) this.#chains.clear();
    if (expires.length + this.#held.size === 0) return;
    this.#fetch({ expires: new Set(expires), written: new Set(isWritten ? outdated : none), chain });
  }

  #chainOf(name: string): readonly string[] {
    const chain = this.#chains.get(name) ?? none;
    this.#chains.delete(name);
    return [...chain, name];
  }

  #fetch({ expires, written, chain }: Stale, isPatient = true): void {
    const { flights, lifetime, store } = this.#parts;
    const held = this.#held;
    this.#held = new Map();
    const tables = isPatient ? this.#tablesOfWrites() : new Set<string>();
    const awaitsWrites = (name: string): boolean => {
      const endpoint = tables.size > 0 ? lifetime.endpointOf(name) : undefined;
      return endpoint !== undefined && haveOne(tablesOf(endpoint.schema), tables);
    };
    lifetime.refetch((name) => {
      // What is fresh by now is not fetched again, and stands in no chain.
      const wasHeld = held.has(name) && !isFresh(rowOf(store.slice.requests, name), Date.now());
      if (!wasHeld && (!expires.has(name) || chain.slice(0, -1).includes(name))) return false;
      const isWritten = written.has(name) || held.get(name) === true;
      const waits = (isWritten && awaitsWrites(name)) || (isPatient && flights.isFetchedAgain(name));
      if (waits) this.#held.set(name, isWritten);
      else this.#chains.set(name, chain);
      return !waits;
    });
    if (this.#held.size > 0) this.#timer ??= setTimeout(this.#insist, this.#holdTimeout);
    else this.#rest();
  }

  readonly #insist = (): void => {
    this.#rest();
    this.#fetch({ expires: new Set(), written: new Set(), chain: none }, false);
  };

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The tables of the rows that writes under way may change. */
  #tablesOfWrites(): ReadonlySet<string> {
    const { flights } = this.#parts;
    return new Set([...flights.writingBy()].flatMap((endpoint) => [...tablesOf(endpoint.schema)]));
  }

  clear(): void {
    this.#held.clear();
    this.#chains.clear();
    this.#rest();
  }
}
