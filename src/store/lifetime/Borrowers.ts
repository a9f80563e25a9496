import { Places } from '../../tables/Places.js';
import { partsOf } from '../../tables/Reach.js';
import { rowOf } from '../../tables/tables.js';
import type { AnyEndpoint } from '../endpoint.js';
import { isPartialIn } from '../reading/partial.js';
import { queryEndpoint } from '../reading/queryEndpoint.js';
import type { Cause } from '../request.js';
import type { Living } from './Collector.js';
import { requestsShowing } from './mentions.js';
import type { Asked, Subscriptions } from './subscriptions.js';

interface Parts {
  readonly store: Pick<Living, 'slice'>;
  readonly endpointOf: (name: string) => AnyEndpoint | undefined;
  /** Whether the data of an endpoint is stale as soon as it comes. */
  readonly isNeverFresh: (endpoint: AnyEndpoint) => boolean;
  readonly subscriptions: Pick<Subscriptions, 'all' | 'fetch'>;
}

/**
 * Reads of rows that came with other answers, as where each row of a list reads itself. Where these answers are stale and somebody is subscribed to
 * them, they are fetched once for all such reads, where that takes fewer requests: a list of fifty is one request, and not fifty-one.
 */
export class Borrowers {
  readonly #parts: Parts;
  /** The reads that wait, and the rows that they show. */
  #waiting = new Set<string>();
  #places = new Places();
  /** Those for which the others were asked. */
  #served: ReadonlySet<string> = new Set();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether a read whose data is stale waits for the answers that it came with. Components of one page subscribe one after the other, the list last. */
  waits({ name, endpoint, args }: Asked, cause: Cause): boolean {
    const { requests, tables } = this.#parts.store.slice;
    if (this.#served.has(name) || rowOf(requests, name) || this.#parts.isNeverFresh(endpoint)) return false;
    const ref = queryEndpoint(tables, endpoint, args);
    if (ref === undefined || isPartialIn(tables, endpoint.schema, ref)) return false;
    if (this.#waiting.size === 0) queueMicrotask(() => void this.#ask(cause));
    this.#waiting.add(name);
    for (const { table, pk } of partsOf(endpoint.schema, ref)) this.#places.set(table, pk, true);
    return true;
  }

  /** Fetches the answers that some reads wait for; then, what they have not brought. */
  async #ask(cause: Cause): Promise<void> {
    const { store, endpointOf, subscriptions } = this.#parts;
    const waiting = this.#waiting;
    const { requests } = store.slice;
    const showing = new Set(requestsShowing(store.slice, this.#places, endpointOf));
    const isLender = (name: string): boolean => showing.has(name) && !waiting.has(name);
    const read = subscriptions.all().filter(({ name }) => isLender(name));
    const pages = read.reduce((sum, { name }) => sum + (rowOf(requests, name)?.pages?.all.length ?? 1), 0);
    this.#waiting = new Set();
    this.#places = new Places();
    // A few rows, as one that is opened beside its list, are fewer requests than all pages of that.
    const ends = await Promise.all(pages < waiting.size ? subscriptions.fetch(isLender, cause) : []);
    // A server that fails is not asked for each row.
    if (ends.some(({ error, meta }) => error && !meta.aborted)) return;
    this.#served = waiting;
    void subscriptions.fetch((name) => waiting.has(name), cause);
    this.#served = new Set();
  }
}
