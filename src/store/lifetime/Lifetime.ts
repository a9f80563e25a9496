import { orElse } from '../../errors.js';
import type { EntityClass } from '../../schema/Entity.js';
import { isRecord, none, type Definition, type NestingSchema } from '../../schema/Schema.js';
import { findLists } from '../../schema/ListsSchema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import type { Place } from '../../tables/Places.js';
import { eachRow, rowOf, type Tables } from '../../tables/tables.js';
import { protocol, type Lifetimes, type OpenLifetimes, type AnyEndpoint, type RequestFilter } from '../endpoint.js';
import type { Cause, SubscribeOptions, Subscription } from '../request.js';
import { FollowedLists } from '../order/FollowedLists.js';
import { mayNameTemporary, temporariesIn } from '../order/temporaryIds.js';
import { queryTables } from '../reading/finder.js';
import { queryEndpoint } from '../reading/queryEndpoint.js';
import { COMING, expiryAfter } from '../reading/freshness.js';
import { readerOf, type StoreReader } from '../reading/StoreReader.js';
import { isMeant, requestPk } from '../state.js';
import { Borrowers } from './Borrowers.js';
import { Collector, type Living } from './Collector.js';
import { Inherited } from './inherited.js';
import { warnAboutLists, warnAboutNames } from './names.js';
import { Presence, type SetupListeners } from './presence.js';
import { inheritedBy, Subscriptions, type Asked, type Subject } from './subscriptions.js';

/** So long after a read was refused a store that was reset asks again for its subscribers, in ms. */
const PAUSE = 1_000;

/** How long the data of one store is fresh, who needs it, and when it goes. */
export class Lifetime {
  readonly #store: Living;
  /** The endpoints that the store has met; its state knows them by name only. */
  readonly #endpoints = new Map<string, AnyEndpoint>();
  /** The members of their resources: a slice from elsewhere may have answers of those that nobody has asked here. */
  readonly #siblings = new Map<string, AnyEndpoint>();
  readonly followed = new FollowedLists();
  readonly #inherited: Inherited;
  readonly subscriptions: Subscriptions;
  readonly #collector: Collector;
  /** Reads of what other answers have brought. */
  readonly borrowers: Borrowers;
  /** Those who have asked by temporary ids. */
  readonly #following = new Set<() => void>();
  /** Whether there may be requests of a slice from elsewhere, of which nobody has said yet that they are left. */
  #mayBeForeign = true;
  /** When a read was refused last, in ms since the epoch. */
  #refused = 0;
  #restart: ReturnType<typeof setTimeout> | undefined;

  constructor(
    store: Living,
    setupListeners: SetupListeners,
    awaited: () => ReadonlySet<string>,
    forgotten: (requests: readonly string[]) => void,
  ) {
    this.#store = store;
    const subscriptions = (this.subscriptions = new Subscriptions(new Presence(setupListeners), this.#leave));
    this.#inherited = new Inherited(this.endpointOf, (table, pk) => this.#collector.givenAt(table, pk));
    const { endpointOf } = this;
    this.#collector = new Collector({ store, endpointOf, subscriptions, awaited, forgotten });
    const isNeverFresh = (endpoint: AnyEndpoint): boolean => !(this.of(endpoint, 'dataExpiryLength') > 0);
    this.borrowers = new Borrowers({ store, endpointOf, isNeverFresh, subscriptions });
  }

  meet(endpoint: AnyEndpoint): void {
    readerOf(this.#store.slice).droppedAt = this.#droppedAt;
    const known = this.#endpoints.get(endpoint.name);
    if (known === endpoint) return;
    warnAboutNames(known, endpoint);
    warnAboutLists(endpoint, this.#endpoints);
    // Of an endpoint that nobody knew, nobody knew what its answers bring.
    if (!known) {
      this.#inherited.clear();
      this.#mayBeForeign = true;
    }
    this.#endpoints.set(endpoint.name, endpoint);
    this.followed.meet(endpoint.schema);
    for (const one of endpoint[protocol].siblings()) {
      if (this.#siblings.has(one.name)) continue;
      this.#siblings.set(one.name, one);
      this.followed.meet(one.schema);
    }
  }

  /** The endpoint of a request, by what the request is kept under: its name and key, either of which may hold spaces. */
  readonly endpointOf = (name: string): AnyEndpoint | undefined => {
    for (let end = name.indexOf(' '); end > 0; end = name.indexOf(' ', end + 1)) {
      const endpoint = this.#endpoints.get(name.slice(0, end)) ?? this.#siblings.get(name.slice(0, end));
      if (endpoint) return endpoint;
    }
    return undefined;
  };

  /** The reads page by page of the list that another read is about, with these arguments: by what they are kept under. */
  pagedBeside({ schema }: AnyEndpoint, args: readonly unknown[]): readonly string[] {
    const table = findLists(schema)?.table;
    if (table === undefined) return none;
    const paged = [...this.#endpoints.values()].filter((one) => one.paging && findLists(one.schema)?.table === table);
    return paged.map((one) => {
      const key = orElse(() => one.key(...args), '');
      return requestPk(one.name, key);
    });
  }

  /** What describes the data that the store has met. */
  definitions(): readonly Definition[] {
    const given = this.#collector.given().map(({ definition }) => definition);
    return [...new Set([...[...this.#endpoints.values()].map(({ schema }) => schema), ...given])];
  }

  of<Name extends keyof Lifetimes>(endpoint: OpenLifetimes, name: Name): Lifetimes[Name] {
    return endpoint[name] ?? this.#store.defaults[name];
  }

  /** When an answer of now becomes stale, and whether it is as good as missing then. */
  expiry(endpoint: AnyEndpoint, now: number): { readonly expiresAt: number; readonly invalidIfStale?: true } {
    const expiresAt = expiryAfter(this.of(endpoint, 'dataExpiryLength'), now);
    return this.of(endpoint, 'invalidIfStale') ? { expiresAt, invalidIfStale: true } : { expiresAt };
  }

  /** Whether what others have brought is fresh, by what the endpoint that reads it says. */
  isInheritedFresh(endpoint: AnyEndpoint, ref: unknown, now: number): boolean {
    const length = this.of(endpoint, 'dataExpiryLength');
    return now < this.#inherited.expiryOf(this.#store.slice, endpoint.schema, ref, length);
  }

  /** When what others have brought is as good as missing for an endpoint, in ms since the epoch; Infinity for never. */
  readonly #droppedAt: StoreReader['droppedAt'] = (slice, endpoint, definition, ref) => {
    if (!this.of(endpoint, 'invalidIfStale')) return Infinity;
    return this.#inherited.expiryOf(slice, definition, ref, this.of(endpoint, 'dataExpiryLength'), Infinity);
  };

  /** Keeps a row that was written without a request; `before` are the tables that the write has met. */
  give(definition: EntityClass, ref: unknown, before: Tables): void {
    if (typeof ref !== 'string') return;
    this.#collector.give(definition, ref, queryTables(before, definition, [ref]) === undefined);
  }

  /** Keeps a request alive and fresh, by what it is kept under; when a temporary id in its arguments has become a real one, by what it is kept under then. */
  subscribe(about: () => Subject, options: SubscribeOptions): Subscription {
    let asked = about();
    let subscription = this.#join(asked, options);
    // Whoever asks by no temporary id, as nearly all do, pays for nothing.
    if (!mayNameTemporary.test(asked.name)) return subscription;
    const follow = (): void => {
      // Of many that are being created, an answer is about few.
      if (!temporariesIn(asked.args).some((id) => readerOf(this.#store.slice).ids.has(id))) return;
      const next = orElse(about, asked);
      if (next.name === asked.name) return;
      const before = subscription;
      subscription = this.#join((asked = next), options);
      before.unsubscribe();
    };
    this.#following.add(follow);
    return {
      unsubscribe: () => {
        this.#following.delete(follow);
        subscription.unsubscribe();
      },
    };
  }

  /** The ids of what was created are known: those who have asked for it by temporary ones ask by these. */
  follow(): void {
    for (const follow of this.#following) follow();
  }

  #join(subject: Subject, options: SubscribeOptions): Subscription {
    const { endpoint, name } = subject;
    this.meet(endpoint);
    this.#collector.join(name);
    const invalidIfStale = this.of(endpoint, 'invalidIfStale');
    const { pollFrequency = this.of(endpoint, 'pollFrequency'), refetch } = options;
    const fetch: Subject['fetch'] = (ifStale, cause) => {
      const promise = subject.fetch(ifStale, cause);
      if (!promise && invalidIfStale) this.#awaitEnd(subject);
      return promise;
    };
    const subscription = this.subscriptions.add({ ...subject, fetch }, { pollFrequency, refetch });
    this.subscriptions.expire(name, rowOf(this.#store.slice.requests, name)?.answer);
    this.#leaveForeign();
    return subscription;
  }

  /** A slice was taken in: what of it nobody reads goes in time, as if somebody had left it. */
  takenIn(): void {
    this.#mayBeForeign = true;
    if (this.subscriptions.isUsed) this.#leaveForeign();
  }

  /** On a server nobody subscribes, and nothing is left. */
  #leaveForeign(): void {
    if (!this.#mayBeForeign) return;
    this.#mayBeForeign = false;
    eachRow(this.#store.slice.requests, ({ answer, failure, pending }, name) => {
      // What comes from elsewhere has no position on the clock of this store, and is not under way here.
      const isForeign = (answer ?? failure)?.seq === 0 && pending.length === 0;
      // Of what an endpoint has brought that was not met yet, nobody knows how long it is kept, nor what it holds.
      const endpoint = isForeign ? this.endpointOf(name) : undefined;
      if (endpoint && !this.#collector.isLeft(name)) this.#leave({ endpoint, name });
    });
  }

  /** What others have brought is fetched in time for subscribers, where it will be as good as missing. */
  #awaitEnd(asked: Asked): void {
    const { slice } = this.#store;
    const { name, endpoint } = asked;
    const ref = inheritedBy(slice, asked);
    if (ref === undefined) return;
    const expiresAt = this.#droppedAt(slice, endpoint, endpoint.schema, ref);
    this.subscriptions.expire(name, { expiresAt, invalidIfStale: true });
  }

  /** A request has settled: what it replaced, and the request itself where it holds nothing (`isWeak`), may be collected in time. */
  settled(endpoint: AnyEndpoint, name: string, isWeak: boolean): void {
    const unusedDataExpiryLength = this.of(endpoint, 'unusedDataExpiryLength');
    if (isWeak) this.#collector.settle(name, unusedDataExpiryLength);
    if (this.subscriptions.isUsed) this.#collector.collectAfter(unusedDataExpiryLength);
    // Where nobody ever subscribes, as on a server, nothing is collected but the records of writes, and no timer is left behind.
    else if (isWeak) this.#collector.collectWith(unusedDataExpiryLength);
  }

  /** Whether to prefetch a request leaves its lifetime alone: it was asked for in another way, and not left since; or it is no read with one of its own. */
  isKept({ sideEffect, pageOf }: AnyEndpoint, name: string): boolean {
    const record = rowOf(this.#store.slice.requests, name);
    const isThere = record !== undefined && (record.answer !== undefined || record.pending.length > 0);
    return (
      sideEffect || pageOf !== undefined || this.subscriptions.has(name) || (isThere && !this.#collector.isLeft(name))
    );
  }

  /** What was prefetched is there: it goes in time, as if somebody had left it, unless somebody has come. */
  prefetched(endpoint: AnyEndpoint, name: string): void {
    this.#leave({ endpoint, name }, COMING);
  }

  /** Something was written by hand of a read, or it was made stale, and others had brought what it reads: it goes in time, unless somebody has come. */
  told(endpoint: AnyEndpoint, name: string): void {
    if (this.subscriptions.isUsed) this.#leave({ endpoint, name });
  }

  /** Nobody needs a request from now on, unless somebody is subscribed to it: it goes in time, not sooner than after `least` (ms). */
  readonly #leave = ({ endpoint, name }: Pick<Subject, 'endpoint' | 'name'>, least = 0): void => {
    if (this.subscriptions.has(name)) return;
    this.#collector.leave(name, Math.max(least, this.of(endpoint, 'unusedDataExpiryLength')));
  };

  refetch(isStale: (name: string) => boolean, cause: Cause = 'expired'): void {
    this.subscriptions.refetch((name) => isStale(name) || this.#isBorrowed(name), cause);
  }

  /** A read was refused, as at the end of a session. */
  refused(): void {
    this.#refused = Date.now();
  }

  /** All is forgotten: who is still subscribed begins anew. Right after a refusal that waits, or an app that resets at each refusal would ask without a pause. */
  restart(): void {
    clearTimeout(this.#restart);
    const begin = (): void => {
      this.refetch(() => true, 'subscribe');
    };
    const wait = Math.min(this.#refused + PAUSE - Date.now(), PAUSE);
    if (wait <= 0) begin();
    else if (this.subscriptions.isUsed) this.#restart = setTimeout(begin, wait);
  }

  /** Whether subscribers read what other requests have brought, which is as good as missing when these are deemed stale. */
  #isBorrowed(name: string): boolean {
    const { requests } = this.#store.slice;
    return !rowOf(requests, name) && this.of(this.endpointOf(name) ?? {}, 'invalidIfStale');
  }

  /** What somebody reads without a request of its own: all of it, or what is meant, by what its request would be kept under. */
  borrowed(targets?: readonly RequestFilter[]): readonly string[] {
    const { requests } = this.#store.slice;
    const isSo = ({ name, args: [params] }: Subject): boolean =>
      targets?.some((target) => isMeant(target, name, isRecord(params) ? { params } : undefined)) ?? true;
    const subjects = this.subscriptions.all().filter(({ name }) => rowOf(requests, name) === undefined);
    return subjects.filter(isSo).map(({ name }) => name);
  }

  /** The reads of one row alone that somebody is subscribed to. */
  readsOf({ table, pk }: Place): readonly string[] {
    const { slice } = this.#store;
    return this.subscriptions.all().flatMap(({ name, endpoint, args }) => {
      const schema = schemaOf(endpoint.schema);
      if (!schema || !('nested' in schema) || (schema as NestingSchema).table !== table) return [];
      return (rowOf(slice.requests, name)?.answer?.result ?? queryEndpoint(slice.tables, endpoint, args)) === pk
        ? [name]
        : [];
    });
  }

  clear(): void {
    this.#collector.clear();
    this.#inherited.clear();
  }
}
