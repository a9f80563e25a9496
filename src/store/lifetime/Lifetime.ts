import type { Definition } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { rowOf } from '../../tables/tables.js';
import type { SliceActions } from '../actions.js';
import type { Lifetimes, Requestable, RequestPromise, Subscription, Target } from '../endpoint.js';
import { FollowedLists } from '../order/moves.js';
import { finderOf } from '../reading/finder.js';
import { expiryAfter, lifetimesOf } from '../reading/freshness.js';
import { readerOf } from '../reading/StoreReader.js';
import { requestPk, type Answer, type ResourcesState } from '../state.js';
import type { Described, Unused } from './collect.js';
import { Collector } from './Collector.js';
import { Inherited } from './inherited.js';
import { Presence, type SetupListeners } from './presence.js';
import { Subscriptions } from './subscriptions.js';

/** The store whose data lives and ends. */
interface Living {
  readonly slice: ResourcesState;
  readonly actions: SliceActions;
  readonly defaults: Lifetimes;
  dispatch(type: string, rest: object): unknown;
}

/** How long the data of one store is fresh, who needs it, and when it goes. */
export class Lifetime {
  readonly #store: Living;
  /** The endpoints that the store has met; its state knows them by name only. */
  readonly #endpoints = new Map<string, Requestable>();
  /** The Collections in their schemas. */
  readonly followed = new FollowedLists();
  readonly #inherited: Inherited;
  readonly #subscriptions: Subscriptions;
  readonly #collector: Collector;

  constructor(store: Living, setupListeners: SetupListeners, forgotten: (requests: readonly string[]) => void) {
    this.#store = store;
    this.#inherited = new Inherited(this.endpointOf);
    this.#collector = new Collector({
      slice: () => store.slice,
      endpointOf: this.endpointOf,
      read: () => this.#readFromTables(),
      forget: (unused) => {
        this.#forget(unused);
        forgotten(unused.requests);
      },
      drop: (names) => {
        readerOf(store.slice).forget(names, []);
      },
    });
    this.#subscriptions = new Subscriptions(new Presence(setupListeners), ({ name, endpoint }) => {
      const { unusedDataExpiryLength } = lifetimesOf(endpoint, store.defaults);
      this.#collector.leave(name, unusedDataExpiryLength);
      this.#collector.collectAfter(unusedDataExpiryLength);
    });
  }

  meet(endpoint: Requestable): void {
    if (this.#endpoints.get(endpoint.name) === endpoint) return;
    this.#endpoints.set(endpoint.name, endpoint);
    this.followed.meet(endpoint.schema);
  }

  /** The endpoint of a request, by what the request is kept under: its name and key, either of which may hold spaces. */
  readonly endpointOf = (name: string): Requestable | undefined => {
    for (let end = name.indexOf(' '); end > 0; end = name.indexOf(' ', end + 1)) {
      const endpoint = this.#endpoints.get(name.slice(0, end));
      if (endpoint) return endpoint;
    }
    return undefined;
  };

  /** When an answer of now becomes stale, and whether it is as good as missing then. */
  expiry(endpoint: Requestable, now: number): { readonly expiresAt: number; readonly invalidIfStale?: true } {
    const { dataExpiryLength, invalidIfStale } = lifetimesOf(endpoint, this.#store.defaults);
    return { expiresAt: expiryAfter(dataExpiryLength, now), ...(invalidIfStale && { invalidIfStale }) };
  }

  /** Whether what others have brought is fresh. */
  isInheritedFresh(definition: Definition, ref: unknown, now: number): boolean {
    return now < this.#inherited.expiryOf(this.#store.slice, definition, ref);
  }

  /** Keeps a row that no request leads to. */
  give(definition: Definition, ref: unknown): void {
    if (typeof ref === 'string') this.#collector.give(definition, ref);
  }

  subscribe(
    endpoint: Requestable,
    args: readonly unknown[],
    fetch: (ifStale: boolean) => RequestPromise<unknown> | undefined,
  ): Subscription {
    const { slice, defaults } = this.#store;
    const name = requestPk(endpoint.name, endpoint.key(...args));
    this.meet(endpoint);
    this.#collector.join(name);
    const hasFailed = (): boolean => rowOf(this.#store.slice.requests, name)?.failure !== undefined;
    const { pollFrequency } = lifetimesOf(endpoint, defaults);
    const subscription = this.#subscriptions.add({ name, endpoint, args, fetch, hasFailed }, pollFrequency);
    this.answered(name, rowOf(slice.requests, name)?.answer);
    return subscription;
  }

  /** An answer has come: where stale data counts as missing, it is fetched in time for subscribers. */
  answered(name: string, answer: Pick<Answer, 'expiresAt' | 'invalidIfStale'> | undefined): void {
    this.#subscriptions.expire(name, answer);
  }

  /** A request has settled: what it replaced, and the request itself where it holds nothing (`isWeak`), may be collected in time. */
  settled(endpoint: Requestable, name: string, isWeak: boolean): void {
    const { unusedDataExpiryLength } = lifetimesOf(endpoint, this.#store.defaults);
    if (isWeak) this.#collector.settle(name, unusedDataExpiryLength);
    // Where nobody ever subscribes, as on a server, nothing is collected.
    if (this.#subscriptions.isUsed) this.#collector.collectAfter(unusedDataExpiryLength);
  }

  /** Fetches again for those who are subscribed to what is meant. */
  refetch(isMeant: (name: string) => boolean): void {
    this.#subscriptions.refetch(isMeant);
  }

  clear(): void {
    this.#collector.clear();
    this.#inherited.clear();
  }

  #forget({ requests, changes }: Unused): void {
    const { slice, actions } = this.#store;
    const reader = readerOf(slice);
    this.#store.dispatch(actions.collect.type, { payload: { requests, changes } });
    reader.forget(requests, changes.rows);
  }

  /** What subscribers read that other requests have brought. */
  #readFromTables(): readonly Described[] {
    const { requests, tables } = this.#store.slice;
    const finder = finderOf(tables);
    return this.#subscriptions.all().flatMap(({ name, endpoint, args }) => {
      const definition = endpoint.schema;
      if (rowOf(requests, name)?.answer) return [];
      const ref = schemaOf(definition)?.query?.(args, finder);
      return ref === undefined ? [] : [{ definition, ref }];
    });
  }
}

/** Whether a request is meant, by what it is kept under. */
export function isMeant({ name, key }: Target, pk: string): boolean {
  return key === undefined ? pk.startsWith(`${name} `) : pk === requestPk(name, key);
}
