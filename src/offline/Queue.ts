import { isNetworkError, reasonOf, resourceError, warnOnce } from '../errors.js';
import { isRecord } from '../schema/Schema.js';
import type { AnyEndpoint, RunResult } from '../store/endpoint.js';
import type { KeptOutbox } from '../store/outbox.js';
import { withReal } from '../store/order/temporaryIds.js';
import { failureOf, serialize } from '../store/running/failure.js';
import type { Flight } from '../store/running/flights.js';
import type { Keeper, KeeperParts, Send, Sending } from '../store/running/keeping.js';
import { hasFiles, pack, packPlain, unpack, type Packed } from './bodies.js';
import { Database, type Edit, type Loaded } from './Database.js';
import { backoff, fateOf, fateOfLost, isSafe, mayPass, type Fate, type Sent } from './decisions.js';
import type { StoredEntry, StoredRecord } from './entries.js';
import { Item } from './Item.js';
import { change, doubt, lay, renewed } from './laying.js';
import type { OutboxOptions } from './options.js';
import {
  idsOf,
  isDeletion,
  isRepeatable,
  recordOf,
  retryAfterOf,
  urlOf,
  warnOfSecrets,
  type RestWrite,
} from './recording.js';
import { Tabs, type Message } from './Tabs.js';

type Endpoints = ReadonlyMap<string, RestWrite>;

const FOREVER = 2 ** 31 - 1;
const NOBODY = '';

/** The outbox of one store: what is kept, in what order it is sent, and what becomes of it. */
export class Queue implements Keeper {
  readonly #options: OutboxOptions;
  readonly #parts: KeeperParts;
  readonly #endpoints: Endpoints;
  readonly #items = new Map<string, Item>();
  #db: Database | undefined;
  #storage: KeptOutbox['storage'] = 'memory';
  #tabs: Tabs | undefined;
  #epoch: number | undefined;
  /** This tab sends: it has the lead, and knows what is stored. */
  #isLeading = false;
  /** How often the database is being read, and what was taken out of the outbox meanwhile: what was read may have it still. */
  #loads = 0;
  readonly #gone = new Set<string>();
  /** Whose entries are shown; undefined: nobody's. */
  #owner: string | undefined;
  /** The last owner that there was. */
  #lastOwner: string | undefined;
  #isLoaded = false;
  #pausedBy: 'user' | 'auth' | undefined;
  #isOnline = true;
  #isVisible = true;
  /** A request was lost, and none was answered since: how often in a row, and when it is tried next. */
  #lost = { times: 0, until: 0 };
  #isProbing = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Files are read before what comes after them is stored. */
  #storing: Promise<void> = idle;
  #published: KeptOutbox | undefined;
  #stop: (() => void) | undefined;
  #isClosed = false;
  #anchor: object | undefined;

  constructor(options: OutboxOptions, parts: KeeperParts, endpoints: Endpoints) {
    this.#options = options;
    this.#parts = parts;
    this.#endpoints = endpoints;
  }

  /** Opens the database, and lays what is in it. */
  async open(): Promise<void> {
    // The store is made by then.
    await Promise.resolve();
    const locks = (globalThis as { readonly navigator?: Partial<Navigator> }).navigator?.locks;
    // Where there is a page but no Web Locks, as over plain http, tabs could not tell who sends.
    const isShared = locks !== undefined || typeof document === 'undefined';
    try {
      if (!isShared) throw new Error('This page has no Web Locks, which need https.');
      this.#db = await Database.open(this.#options.name, () => {
        this.#db = undefined;
        this.#storage = 'memory';
        this.#publish();
      });
      this.#storage = 'durable';
    } catch (error) {
      this.#tellStorage(error);
    }
    if (this.#isClosed) {
      this.#db?.close();
      return;
    }
    this.#stop = this.#parts.setupListeners({
      online: (isOnline) => {
        const isBack = isOnline && !this.#isOnline;
        this.#isOnline = isOnline;
        if (isBack) this.#hurry();
        else this.#pump();
      },
      visible: (isVisible) => {
        const isBack = isVisible && !this.#isVisible;
        this.#isVisible = isVisible;
        if (isBack) this.#hurry();
        else this.#rest();
      },
    });
    this.#listen();
    await this.#begin();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop?.();
    clearTimeout(this.#timer);
    await this.#storing.catch(() => undefined);
    this.#tabs?.close();
    for (const item of this.#items.values()) item.isDropped = true;
    this.#db?.close();
    this.#db = undefined;
  }

  /** A page that may be frozen leads nobody; one that comes back reads what has happened meanwhile. */
  #listen(): void {
    if (typeof window === 'undefined') return;
    const leave = (): void => {
      this.#tabs?.yield();
    };
    const back = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) void this.#begin();
    };
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', back);
    const stop = this.#stop;
    this.#stop = () => {
      stop?.();
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', back);
    };
  }

  /** Who is seen by nobody, and has nothing to do, leaves the lead to others. */
  #rest(): void {
    const isBusy = [...this.#items.values()].some((item) => item.isOpen || item.isSending);
    if (!this.#isVisible && !isBusy) this.#tabs?.yield();
  }

  // --- What the store tells

  take(flight: Flight, send: Send): Promise<RunResult> | undefined {
    const { endpoint } = flight.request;
    const { requestId } = flight.meta;
    let item = this.#items.get(requestId);
    if (!item) {
      if (this.#isClosed || !this.#isKept(endpoint, flight.args)) return undefined;
      const { version = 1 } = this.#options;
      const owner = this.#isLoaded ? this.#owner : this.#askOwner();
      if (owner === undefined) return undefined;
      warnOfSecrets(endpoint.name, flight.args);
      item = new Item(recordOf(flight, this.#parts.store.slice, { version, owner: owner || undefined }), flight.args);
      item.flight = flight;
      item.send = send;
      const isFirst = this.#maySendAtOnce(item);
      this.#items.set(requestId, item);
      if (isFirst) this.#mark(item);
      this.#store(item, isFirst);
    }
    const kept = item;
    kept.flight = flight;
    kept.send = send;
    flight.cancellation.signal.addEventListener('abort', () => {
      if (kept.flight === flight && !kept.isDropped) void this.#forget(kept);
    });
    void flight.settled.then(() => {
      if (kept.flight !== flight) return;
      void this.#renewBase(kept.record.rows);
      this.#pump();
    });
    const promise = new Promise<RunResult>((resolve, reject) => {
      kept.resolve = resolve;
      kept.reject = reject;
    });
    if (!kept.isLaid) this.#publish();
    return promise;
  }

  acted(action: unknown): void {
    if (isAnswered(action)) this.#heard();
    if (!this.#isLoaded || this.#isClosed) return;
    const owner = this.#askOwner();
    if (owner !== this.#owner) {
      void this.#begin();
      return;
    }
    const { slice } = this.#parts.store;
    if (slice.anchor === this.#anchor) return;
    this.#anchor = slice.anchor;
    this.#published = undefined;
    this.#layAll([...this.#items.values()]);
  }

  reset(keepOutbox: boolean): void {
    const owner = this.#lastOwner;
    const kept = [...this.#items.values()];
    for (const item of kept) item.isDropped = true;
    this.#items.clear();
    this.#tabs?.tell({ type: 'reset', isKept: keepOutbox });
    const open = kept.length;
    if (!keepOutbox && open > 0)
      warnOnce(() => [
        'reset outbox',
        `reset() deletes ${open} writes that were not sent yet. Where the session has ended by itself, keep them: reset({ keepOutbox: true }).`,
      ]);
    this.#isLoaded = false;
    this.#storing = this.#storing.then(async () => {
      if (!keepOutbox) await this.#db?.clear([...new Set([owner ?? NOBODY, NOBODY])]);
      await this.#begin();
    }, this.#tellStorage);
  }

  // --- What the user tells

  retry(id?: string): Promise<void> {
    const items = [...this.#items.values()];
    const meant = items.filter((item) =>
      id === undefined ? item.record.status === 'failed' : item.id === id && item.record.status !== 'sent',
    );
    return this.#again(meant);
  }

  async discard(id: string): Promise<void> {
    const item = this.#items.get(id);
    if (!item) return;
    if (item.flight) item.flight.cancellation.abort('discarded');
    else await this.#forget(item);
    await this.#storing;
  }

  async edit(id: string, body: unknown): Promise<void> {
    const item = this.#items.get(id);
    if (!item) return;
    const { status, sentAt } = item.record;
    if (status !== 'failed' && (!item.isOpen || sentAt !== undefined)) throw resourceError('R43', id, status);
    const args = [...item.args.slice(0, -1), body];
    if (item.flight) change(this.#parts, item.flight, args);
    const packed = await pack(args);
    item.files = packed.files;
    const { revision } = item.record;
    const to: StoredRecord = { ...item.record, args: packed.args, revision: revision + 1 };
    if (status === 'failed') {
      const next = new Item(item.record, args);
      Object.assign(next, { isDurable: item.isDurable, files: packed.files });
      this.#items.set(id, next);
      await this.#again([next], packed.args);
    } else {
      await this.#change([{ item, to }]);
      this.#pump();
    }
  }

  async pause(pausedBy: 'user' | 'auth' | undefined): Promise<void> {
    this.#pausedBy = pausedBy;
    this.#publish();
    if (!pausedBy) this.#hurry();
    await this.#guarded(() => this.#db?.pause(this.#owner ?? NOBODY, pausedBy));
    this.#tabs?.tell({ type: 'changed' });
  }

  /** Endpoints have become known. */
  added(): void {
    if (!this.#isLoaded) return;
    const unknown = [...this.#items.values()].filter((item) => !item.flight && item.record.status !== 'failed');
    if (unknown.length > 0) this.#layAll(unknown);
    this.#pump();
  }

  itemOf(id: string): Item | undefined {
    return this.#items.get(id);
  }

  // --- Whose they are

  #askOwner(): string | undefined {
    const { owner } = this.#options;
    return owner ? owner(this.#parts.store.api.getState() as never) || undefined : NOBODY;
  }

  /** Loads and lays what is stored for whoever is there now. */
  async #begin(): Promise<void> {
    const owner = this.#askOwner();
    const isOther = owner !== this.#owner;
    for (const item of isOther ? this.#items.values() : []) {
      if (!item.isDurable && (item.record.owner ?? NOBODY) === owner) continue;
      this.#drop(item);
    }
    this.#owner = owner;
    this.#lastOwner = owner ?? this.#lastOwner;
    if (isOther || !this.#tabs) {
      this.#tabs?.close();
      this.#isLeading = false;
      this.#tabs = owner === undefined ? undefined : this.#makeTabs(owner);
    }
    const before = this.#storedNow();
    const loaded = owner === undefined ? undefined : await this.#load(owner);
    if (owner !== this.#owner || this.#isClosed) return;
    this.#pausedBy = loaded?.pausedBy;
    this.#isLoaded = true;
    this.#anchor = this.#parts.store.slice.anchor;
    if (loaded) await this.#reconcile(loaded, before);
    else this.#publish();
    if (loaded && this.#db) void this.#guarded(() => this.#db?.tidy(loaded.ids, Date.now()));
    if (this.#items.size > 0) this.#tabs?.want();
    if (this.#isVisible && this.#items.size > 0) this.#tabs?.ask();
    this.#pump();
  }

  /** It is stored for whoever it belongs to, and this store has no more to do with it. */
  #drop(item: Item): void {
    item.isDropped = true;
    this.#items.delete(item.id);
    item.flight?.cancellation.abort('another owner');
  }

  #makeTabs(owner: string): Tabs {
    const { locks } = (globalThis as { readonly navigator?: Partial<Navigator> }).navigator ?? {};
    return new Tabs(`rtk-resource:${this.#options.name}:${owner}`, this.#db && locks, {
      lead: () => this.#lead(owner),
      follow: () => {
        this.#epoch = undefined;
        this.#isLeading = false;
        this.#publish();
      },
      hear: (message) => {
        this.#hear(message);
      },
    });
  }

  async #lead(owner: string): Promise<void> {
    this.#epoch = await this.#guarded(() => this.#db?.lead(owner));
    await this.#storing;
    await this.#reload();
    const edits = [...this.#items.values()]
      .filter((item) => item.record.status === 'sent' && !item.isSending)
      .map((item) => ({ item, to: this.#afterLoss(item) }));
    await this.#change(edits);
    for (const { item, to } of edits) if (to.status === 'unknown' && item.flight) doubt(this.#parts, item.flight);
    if (owner !== this.#owner || !this.#tabs?.isLeader) return;
    this.#isLeading = true;
    this.#hurry();
  }

  /** What becomes of what another life of the tab has sent. */
  #afterLoss({ record, args, ...item }: Item): StoredRecord {
    const endpoint = this.#endpoints.get(record.endpointName);
    const age = Date.now() - (record.sentAt ?? record.createdAt);
    const hasKey = item.hasKey ?? (endpoint !== undefined && this.#hasKey(record, endpoint, args));
    const isRisky = !endpoint || fateOfLost({ hasKey, age, isRepeatable: isRepeatable(endpoint) }) === 'unknown';
    return { ...record, status: isRisky ? 'unknown' : 'waiting', nextAt: undefined };
  }

  // --- Laying

  async #reload(): Promise<void> {
    const owner = this.#owner;
    if (owner === undefined) return;
    const before = this.#storedNow();
    const loaded = await this.#load(owner);
    if (loaded && owner === this.#owner) await this.#reconcile(loaded, before);
    this.#pump();
  }

  async #load(owner: string): Promise<Loaded | undefined> {
    this.#loads++;
    const loaded = await this.#guarded(() => this.#db?.load(owner));
    this.#loads--;
    return loaded;
  }

  #remove(id: string): void {
    this.#items.delete(id);
    this.#gone.add(id);
  }

  /** The database has it no more, so nobody will read it there. */
  #isGone(id: string): void {
    if (this.#loads === 0) this.#gone.delete(id);
  }

  /** What is known to be stored: only what stays as it is here while the database is read may be told of by that. */
  #storedNow(): ReadonlyMap<Item, StoredRecord> {
    return new Map(
      [...this.#items.values()].flatMap((item) => (item.isDurable && !item.isSending ? [[item, item.record]] : [])),
    );
  }

  /** Makes what is here what is stored. */
  async #reconcile({ records, files, ids, pausedBy }: Loaded, before: ReadonlyMap<Item, StoredRecord>): Promise<void> {
    this.#pausedBy = pausedBy;
    const { version = 1 } = this.#options;
    const there = new Set(records.map(({ id }) => id));
    const fresh: Item[] = [];
    const edits: { item: Item; to: StoredRecord | undefined }[] = [];
    for (const stored of records) {
      const known = this.#items.get(stored.id);
      // What a newer version of the app has stored waits for that.
      if (stored.version > version || this.#gone.has(stored.id)) continue;
      if (known) {
        if (!known.isSending && before.get(known) === known.record) this.#renew(known, stored, fresh);
        continue;
      }
      const { record, isGone } = this.#migrated(stored);
      const item = restored(record, { args: record.args, files: files.get(stored.id) ?? [] }, ids);
      if (isGone || record !== stored || item.record !== record)
        edits.push({ item, to: isGone ? undefined : item.record });
      if (isGone) continue;
      this.#items.set(record.id, item);
      fresh.push(item);
    }
    const gone = edits.flatMap(({ item, to }) => (to ? [] : [item.id]));
    for (const item of fresh.filter(({ record }) => record.dependsOn.some((id) => gone.includes(id)))) {
      this.#items.delete(item.id);
      edits.push({ item, to: undefined });
    }
    if (edits.length > 0) await this.#change(edits);
    for (const item of [...this.#items.values()])
      if (!there.has(item.id) && !item.isSending && before.get(item) === item.record) this.#wasDone(item);
    for (const id of this.#gone) if (!there.has(id)) this.#isGone(id);
    this.#sort();
    this.#layAll(fresh.filter((item) => this.#items.has(item.id)));
  }

  /** Another tab has changed an entry. */
  #renew(item: Item, stored: StoredRecord, fresh: Item[]): void {
    const { status, revision } = item.record;
    item.record = { ...stored, args: item.record.args };
    if (stored.status === 'failed' && status !== 'failed') {
      this.#fail(item, failureOf(stored.error ?? { name: 'Error', message: 'failed' }), true);
    } else if (stored.status !== 'failed' && (status === 'failed' || stored.revision !== revision)) {
      fresh.push(item);
    } else if (stored.status === 'unknown' && status !== 'unknown' && item.flight) doubt(this.#parts, item.flight);
  }

  #migrated(stored: StoredRecord): { readonly record: StoredRecord; readonly isGone: boolean } {
    const { version = 1, migrate } = this.#options;
    if (stored.version === version || !migrate) return { record: stored, isGone: false };
    try {
      const entry: StoredEntry | undefined = migrate(stored, stored.version);
      return entry ? { record: { ...stored, ...entry, version }, isGone: false } : { record: stored, isGone: true };
    } catch (error) {
      return { record: { ...stored, status: 'failed', error: serialize(error) }, isGone: false };
    }
  }

  /** Shows writes of another time or another tab, and how the outbox stands, in one action. */
  #layAll(items: readonly Item[]): void {
    const writes = items.flatMap((item) => {
      const { id, endpointName, createdAt, base, status } = item.record;
      const endpoint = this.#endpoints.get(endpointName);
      if (!endpoint || status === 'failed') return [];
      if (!item.flight) item.isLaid = true;
      return [
        {
          ...{ requestId: id, endpoint, args: item.args, startedTimeStamp: createdAt, base },
          isHidden: status === 'unknown',
        },
      ];
    });
    const outbox = this.#describe();
    this.#published = outbox;
    lay(this.#parts, writes, outbox);
  }

  /** An entry is gone, and nobody has said why: it was done. */
  #wasDone(item: Item): void {
    this.#items.delete(item.id);
    if (item.isDropped || !item.flight) return;
    item.flight.isRemote = true;
    doubt(this.#parts, item.flight);
    item.resolve({ response: null, isOpaque: false, isJson: true });
  }

  // --- Storing

  #isKept(endpoint: AnyEndpoint, args: readonly unknown[]): boolean {
    const { durable = this.#endpoints.has(endpoint.name) } = endpoint;
    return typeof durable === 'function' ? durable(args as never) : durable;
  }

  /** Stores a write in the order of dispatches, then sends it, or lets it wait its turn. */
  #store(item: Item, isFirst: boolean): void {
    const owner = item.record.owner ?? NOBODY;
    const work = async (): Promise<void> => {
      try {
        const packed = hasFiles(item.args) ? await pack(item.args) : { args: packPlain(item.args), files: [] };
        item.files = packed.files;
        item.record = { ...item.record, args: packed.args };
      } catch (error) {
        warnOnce(() => [
          `unkept ${item.record.endpointName}`,
          `${item.record.endpointName} sends what cannot be kept (${reasonOf(error)}), so it does not survive the tab.`,
        ]);
        return;
      }
      if (!this.#db || item.isDropped || !this.#items.has(item.id)) return;
      try {
        const { n, status } = await this.#db.add(item.record, owner, item.files, this.#epoch);
        item.record = { ...item.record, n, status: item.record.status === 'sent' ? status : item.record.status };
        item.isDurable = true;
        if (this.#storage === 'full') this.#storage = 'durable';
      } catch (error) {
        this.#storage = 'full';
        this.#tellStorage(error);
      }
    };
    const stored = hasFiles(item.args) || this.#storing !== idle ? this.#storing.then(work) : work();
    item.stored = this.#storing = stored.then(() => {
      if (this.#storing === item.stored) this.#storing = idle;
      if (item.isDropped || !this.#items.has(item.id)) {
        // It was aborted while it was stored.
        if (item.isDurable && !item.isDropped)
          void this.#guarded(() => this.#db?.edit([{ of: item.record, to: undefined }], owner));
        return;
      }
      this.#tabs?.tell({ type: 'changed' });
      this.#tabs?.want();
      if (!this.#tabs?.isLeader && this.#isVisible) this.#tabs?.ask();
      // Another tab may lead by now: then it was stored as one that waits its turn.
      item.isSending &&= item.record.status === 'sent';
      if (isFirst && item.isSending) void this.#send(item);
      this.#publish();
      this.#pump();
    });
  }

  /** Changes entries, in the database first; what is gone from there, or led by another tab, is not changed here. Gives those that were. */
  async #change(
    changes: readonly {
      readonly item: Item;
      readonly to: StoredRecord | undefined;
      readonly isMoved?: boolean;
      readonly ids?: Edit['ids'];
    }[],
    epoch?: number,
  ): Promise<readonly Item[]> {
    if (changes.length === 0) return [];
    const stored = changes.filter(({ item }) => item.isDurable && this.#db);
    const edits = stored.map(({ item, to, isMoved = false, ids }) => ({
      of: item.record,
      to,
      isMoved,
      ids,
    }));
    const owner = this.#owner ?? NOBODY;
    const done = edits.length > 0 ? await this.#guarded(() => this.#db?.edit(edits, owner, epoch)) : [];
    const changed: Item[] = [];
    for (const { item, to } of changes) {
      const at = stored.findIndex((one) => one.item === item);
      const now = at < 0 || !done ? to : done[at];
      if (at >= 0 && done && !now) continue;
      changed.push(item);
      if (to && now) item.record = { ...now };
      if (to) continue;
      this.#remove(item.id);
      this.#isGone(item.id);
    }
    this.#sort();
    if (edits.length > 0) this.#tabs?.tell({ type: 'changed' });
    return changed;
  }

  #sort(): void {
    const all = [...this.#items.values()];
    const place = ({ record: { n = Infinity } }: Item): number => n;
    const isSorted = all.every((item, i) => i === 0 || place(all[i - 1] ?? item) <= place(item));
    if (isSorted) return;
    all.sort((one, other) => (place(one) === place(other) ? 0 : place(one) - place(other)));
    this.#items.clear();
    for (const item of all) this.#items.set(item.id, item);
  }

  /** What the database does; what it throws is told, and undefined stands for it. */
  async #guarded<Value>(act: () => Promise<Value> | undefined): Promise<Value | undefined> {
    try {
      return await act();
    } catch (error) {
      this.#tellStorage(error);
      return undefined;
    }
  }

  readonly #tellStorage = (error: unknown): void => {
    this.#options.onStorageError?.(error);
    warnOnce(() => [
      'storage',
      `The outbox ${this.#options.name} cannot store what it keeps, so that does not survive the tab: ${reasonOf(error)}`,
    ]);
  };

  // --- Sending

  /** Whether a write that was just made is sent as without an outbox: nothing stands before it. */
  #maySendAtOnce(item: Item): boolean {
    if (!this.#canSend() || this.#lost.times > 0) return false;
    for (const other of this.#items.values()) {
      if (other.record.status === 'queued') return false;
      if ((other.isOpen || other.record.status === 'unknown') && !mayPass(item.record, other.record)) return false;
    }
    return this.#isClear(item);
  }

  #canSend(): boolean {
    return this.#isLoaded && this.#isLeading && !this.#pausedBy && this.#isOnline && !this.#isClosed;
  }

  /** Nothing that the store knows of is in its way. */
  #isClear({ flight }: Item): boolean {
    return flight !== undefined && this.#parts.flights.obstacles(flight).length === 0;
  }

  /** At once, whatever the time: but not before the server wants it. */
  #hurry(): void {
    this.#lost.until = 0;
    for (const item of this.#items.values())
      if (item.record.nextAt !== undefined) item.record = { ...item.record, nextAt: undefined };
    this.#pump();
  }

  /** Some request was answered. */
  #heard(): void {
    if (this.#lost.times === 0) return;
    this.#lost = { times: 0, until: 0 };
    this.#pump();
  }

  /** Sends the next of the backlog, if it is time. */
  #pump(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#publish();
    if (!this.#canSend() || this.#isProbing) return;
    const items = [...this.#items.values()];
    if (items.some(({ isSending }) => isSending)) return;
    const now = Date.now();
    const next = this.#nextOf(items, now);
    if (next && this.#lost.until <= now) {
      void this.#sendNext(next);
      return;
    }
    const at = this.#nextAttemptAt();
    if (at !== undefined)
      this.#timer = setTimeout(
        () => {
          this.#pump();
        },
        Math.min(Math.max(0, at - now), FOREVER),
      );
  }

  /** The first that is due, and may pass all that stand before it. */
  #nextOf(items: readonly Item[], now: number): Item | undefined {
    const before: StoredRecord[] = [];
    for (const item of items) {
      const { record } = item;
      if (record.status === 'failed') continue;
      const isDue = dueAt(record) <= now;
      if (item.isOpen && item.send && isDue && this.#isClear(item) && before.every((one) => mayPass(record, one)))
        return item;
      before.push(record);
    }
    return undefined;
  }

  /** When something is due that is not yet, in ms since the epoch. */
  #nextAttemptAt(): number | undefined {
    const now = Date.now();
    const times = [...this.#items.values()]
      .filter((item) => item.isOpen && item.send)
      .map(({ record }) => Math.max(dueAt(record), this.#lost.until))
      .filter((at) => at > now);
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  async #sendNext(item: Item): Promise<void> {
    item.isSending = true;
    const { flight } = item;
    const endpoint = flight?.request.endpoint as RestWrite;
    const hasKey = this.#hasKey(item.record, endpoint, item.args);
    const age = 0;
    if (
      this.#lost.times > 0 &&
      !isSafe({ hasKey, isRepeatable: isRepeatable(endpoint), age }) &&
      !(await this.#probe(urlOf(endpoint, item.args)))
    ) {
      item.isSending = false;
      this.#loseLine();
      return;
    }
    item.isSending = false;
    if (!this.#items.has(item.id) || !item.isOpen || !this.#canSend()) {
      this.#pump();
      return;
    }
    item.isSending = true;
    const [marked] = await this.#change([{ item, to: sentRecord(item.record) }], this.#epoch);
    item.isSending = false;
    if (!marked) {
      void this.#reload();
      return;
    }
    void this.#send(item);
  }

  /** Whether anything at all answers. */
  async #probe(url: string): Promise<boolean> {
    this.#isProbing = true;
    try {
      await (this.#parts.fetchFn ?? fetch)(url, { method: 'HEAD', mode: 'no-cors' });
      this.#lost = { times: 0, until: 0 };
      return true;
    } catch {
      return false;
    } finally {
      this.#isProbing = false;
    }
  }

  #loseLine(): void {
    const times = this.#lost.times + 1;
    this.#lost = { times, until: Date.now() + backoff(times, Math.random()) };
    this.#pump();
  }

  #mark(item: Item): void {
    item.record = sentRecord(item.record);
    item.isSending = true;
  }

  async #send(item: Item): Promise<void> {
    const { flight, send } = item;
    if (!flight || !send || item.isDropped) return;
    item.isSending = true;
    this.#publish();
    const { record } = item;
    let result: RunResult;
    try {
      result = await send(this.#sendingOf(item));
    } catch (error) {
      if (this.#isOver(item, flight)) return;
      await this.#refused(item, record, error);
      return;
    }
    this.#heard();
    await this.#done(item, record, result);
  }

  /** Whether nobody waits any more for what is being sent. */
  #isOver(item: Item, flight: Flight): boolean {
    return flight.cancellation.signal.aborted || item.isDropped || item.flight !== flight;
  }

  #sendingOf(item: Item): Sending {
    const { record } = item;
    const key = keyOf(record);
    return {
      isKept: true,
      idempotencyKey: key,
      keyHeaders: (url) => {
        const headers = this.#keyHeaders(key, { endpointName: record.endpointName, url });
        item.hasKey = Object.keys(headers).length > 0;
        return headers;
      },
    };
  }

  #keyHeaders(key: string, about: { readonly endpointName: string; readonly url: string }): Record<string, string> {
    const { idempotencyKey = false } = this.#options;
    if (typeof idempotencyKey === 'function') return idempotencyKey(key, about);
    return idempotencyKey ? { 'Idempotency-Key': key } : {};
  }

  #hasKey(record: StoredRecord, endpoint: RestWrite, args: readonly unknown[]): boolean {
    const about = { endpointName: endpoint.name, url: urlOf(endpoint, args) };
    return Object.keys(this.#keyHeaders(keyOf(record), about)).length > 0;
  }

  /** It is done: it is gone from the database before anybody is told. */
  async #done(item: Item, record: StoredRecord, result: RunResult): Promise<void> {
    const { flight } = item;
    const owner = this.#owner ?? NOBODY;
    const created = flight && idsOf(flight, result);
    const ids = created && { requestId: item.id, owner, ids: created, at: Date.now() };
    const [gone] = await this.#change([{ item, to: undefined, ids }], this.#epoch);
    const told = { id: item.id, revision: record.revision, result: plainResult(result) };
    item.isSending = false;
    if (!gone) {
      // Another tab leads by now: it settles what this one has heard.
      this.#tabs?.tell({ type: 'answer', ...told });
      return;
    }
    this.#tabs?.tell({ type: 'done', ...told });
    item.resolve(result);
    this.#publish();
  }

  /** What was confirmed is what later writes to the same rows are made on. */
  async #renewBase(rows: readonly string[]): Promise<void> {
    const { tables } = this.#parts.store.slice;
    const later = [...this.#items.values()].filter(
      ({ record: { status, base } }) =>
        status !== 'sent' && base.some(({ table, pk }) => rows.includes(`${table} ${pk}`)),
    );
    if (!this.#isLeading || later.length === 0) return;
    // Whoever is sent next is stored with it.
    for (const item of later) item.record = { ...item.record, base: renewed(item.record.base, tables) };
    await this.#change(
      later.map((item) => ({ item, to: item.record })),
      this.#epoch,
    );
  }

  /** It was refused, or not answered. */
  async #refused(item: Item, sent: StoredRecord, error: unknown): Promise<void> {
    const failure = serialize(error);
    if (failure.status !== undefined) this.#heard();
    const about = this.#sentOf(item, sent, error);
    const record = { ...sent, faults: about.faults, conflicts: about.conflicts, error: failure };
    const fate = isNetworkError(error) ? this.#fateOf(item, about, error) : ({ to: 'failed' } as const);
    item.isSending = false;
    if (fate.to === 'done') {
      await this.#done(item, sent, { response: null, isOpaque: false, isJson: true });
      return;
    }
    // Nobody has done it: it is as if it was not sent.
    if (about.status !== undefined && fate.to !== 'failed' && item.flight)
      item.flight.sent = item.flight.sentTables = undefined;
    if (about.status === undefined) {
      const times = this.#lost.times + 1;
      this.#lost = { times, until: Date.now() + backoff(times, Math.random()) };
    }
    if (fate.to === 'failed') await this.#failed(item, record, error);
    else if (fate.to === 'paused') {
      await this.#change([{ item, to: { ...record, status: 'waiting', nextAt: undefined } }], this.#epoch);
      await this.pause('auth');
    } else if (fate.to === 'unknown') {
      await this.#change([{ item, to: { ...record, status: 'unknown' } }], this.#epoch);
      if (item.flight) doubt(this.#parts, item.flight);
    } else await this.#change([{ item, to: waitingRecord(record, fate) }], this.#epoch);
    this.#pump();
  }

  #sentOf(item: Item, { sentAt, attempts, faults, conflicts, ...sent }: StoredRecord, error: unknown): Sent {
    const endpoint = item.flight?.request.endpoint as RestWrite;
    const { status } = isNetworkError(error) ? error : { status: undefined };
    const now = Date.now();
    return {
      status: status === 0 ? undefined : status,
      retryAfter: retryAfterOf(error, now),
      hasKey: item.hasKey ?? this.#hasKey({ sentAt, attempts, faults, conflicts, ...sent }, endpoint, item.args),
      isRepeatable: isRepeatable(endpoint),
      isDeletion: isDeletion(endpoint),
      isResend: attempts > 1,
      age: now - (sentAt ?? now),
      faults: status === 500 ? faults + 1 : 0,
      conflicts: status === 409 ? conflicts + 1 : 0,
      attempts,
    };
  }

  #fateOf(item: Item, about: Sent, error: unknown): Fate {
    const { attempts } = about;
    const entry = item.show(item.entry);
    const network = isNetworkError(error) ? error : undefined;
    const said = this.#options.retry?.({ ...(network?.status !== undefined && { error: network }), entry, attempts });
    if (said === 'reject') return { to: 'failed' };
    if (said === 'pause') return { to: 'paused' };
    if (said === 'retry') return { to: 'waiting', delay: backoff(attempts, Math.random()), atLeast: 0 };
    if (typeof said === 'number') return { to: 'waiting', delay: said, atLeast: 0 };
    return fateOf(about, Math.random());
  }

  /** It is refused for good: it is kept with its text, and what depends on it with it. */
  async #failed(item: Item, record: StoredRecord, error: unknown): Promise<void> {
    const orphans = this.#dependants([item.id]);
    const why = (one: Item): unknown => resourceError('R14', one.record.endpointName);
    const failed = (one: StoredRecord, cause: unknown): StoredRecord => ({
      ...one,
      status: 'failed',
      error: serialize(cause),
    });
    const changed = await this.#change(
      [{ item, to: failed(record, error) }, ...orphans.map((one) => ({ item: one, to: failed(one.record, why(one)) }))],
      this.#epoch,
    );
    for (const one of changed) {
      const cause = one === item ? error : why(one);
      this.#tabs?.tell({ type: 'failed', id: one.id, error: serialize(cause) });
      this.#fail(one, cause, false);
    }
    this.#publish();
  }

  #fail(item: Item, error: unknown, isRemote: boolean): void {
    const { flight } = item;
    const args = item.args;
    if (!flight) return;
    if (isRemote) flight.isRemote = true;
    item.reject(error);
    const left = new Item(item.record, args);
    Object.assign(left, { isDurable: item.isDurable, files: item.files, hasKey: item.hasKey });
    this.#items.set(item.id, left);
  }

  /** Those that name items of these, and those that name theirs, as far as they were not sent. */
  #dependants(ids: readonly string[], isMeant: (item: Item) => boolean = ({ isOpen }) => isOpen): readonly Item[] {
    const found: Item[] = [];
    const all = [...ids];
    for (const id of all)
      for (const item of this.#items.values())
        if (item.record.dependsOn.includes(id) && !all.includes(item.id) && isMeant(item)) {
          found.push(item);
          all.push(item.id);
        }
    return found;
  }

  // --- By hand

  /** Sends again: what has failed goes to the end of the line as a new sending, and what depended on it with it. */
  async #again(items: readonly Item[], args?: readonly unknown[]): Promise<void> {
    const failed = items.filter(({ record }) => record.status === 'failed');
    const others = this.#dependants(
      failed.map(({ id }) => id),
      ({ record }) => record.status === 'failed',
    );
    const ends = [...new Set([...failed, ...others])].sort((one, other) => (one.record.n ?? 0) - (other.record.n ?? 0));
    const again = ({ record }: Item): StoredRecord => ({
      ...{ ...record, ...(args && { args }), status: 'queued', revision: record.revision + 1, attempts: 0 },
      ...{ faults: 0, conflicts: 0, sentAt: undefined, error: undefined, nextAt: undefined, notBefore: undefined },
    });
    const rest = items.filter(({ record }) => record.status !== 'failed' && record.status !== 'sent');
    const edits = [
      ...rest.map((item) => ({ item, to: { ...item.record, status: 'waiting' as const, nextAt: undefined } })),
      ...ends.map((item) => ({ item, to: again(item), isMoved: true })),
    ];
    await this.#change(edits);
    for (const item of ends)
      if (!item.isDurable) {
        this.#items.delete(item.id);
        this.#items.set(item.id, item);
      }
    if (ends.length > 0) this.#layAll(ends);
    for (const item of rest) if (!item.send) this.#layAll([item]);
    this.#lost = { times: 0, until: 0 };
    this.#tabs?.want();
    this.#pump();
  }

  /** It is forgotten, with what depends on it and was not sent. */
  async #forget(item: Item): Promise<void> {
    if (this.#items.get(item.id) !== item) return;
    const orphans = this.#dependants([item.id]);
    const gone = [item, ...orphans];
    for (const one of gone) this.#remove(one.id);
    this.#tabs?.tell({ type: 'gone', ids: gone.map(({ id }) => id) });
    for (const one of orphans) one.flight?.cancellation.abort('discarded');
    this.#publish();
    const edits = gone.filter(({ isDurable }) => isDurable).map(({ record }) => ({ of: record, to: undefined }));
    if (edits.length > 0)
      this.#storing = this.#storing.then(async () => {
        await this.#guarded(() => this.#db?.edit(edits, this.#owner ?? NOBODY));
        for (const { id } of gone) this.#isGone(id);
        this.#tabs?.tell({ type: 'changed' });
      });
    this.#pump();
    await this.#storing;
  }

  // --- Other tabs

  #hear(message: Message): void {
    if (message.type === 'ask' || message.type === 'here') return;
    if (message.type === 'changed') void this.#reload();
    else if (message.type === 'reset') this.#wasReset();
    else if (message.type === 'gone') {
      for (const id of message.ids) this.#wasDiscarded(id);
    } else {
      const item = this.#items.get(message.id);
      if (!item?.flight) return;
      if (message.type === 'failed') {
        item.record = { ...item.record, status: 'failed', error: message.error };
        this.#fail(item, failureOf(message.error), true);
        this.#publish();
      } else if (message.type === 'done') this.#wasAnswered(item, message.result);
      else if (this.#tabs?.isLeader && item.record.revision === message.revision)
        void this.#done(item, item.record, message.result);
    }
  }

  #wasAnswered(item: Item, result: RunResult): void {
    const { flight } = item;
    if (!flight) return;
    flight.isRemote = item.isLaid;
    flight.sent ??= this.#parts.store.nextSeq();
    this.#remove(item.id);
    item.resolve(result);
    this.#publish();
  }

  #wasDiscarded(id: string): void {
    const item = this.#items.get(id);
    if (!item) return;
    this.#drop(item);
    this.#publish();
  }

  #wasReset(): void {
    for (const item of [...this.#items.values()]) this.#drop(item);
    this.#publish();
  }

  // --- How it stands

  #publish(): void {
    const outbox = this.#describe();
    const last = this.#published;
    if (last && isSameOutbox(last, outbox)) return;
    this.#published = outbox;
    const { store } = this.#parts;
    store.dispatch(store.actions.outbox.type, { payload: outbox });
  }

  #describe(): KeptOutbox {
    const items = [...this.#items.values()];
    const nextAttemptAt = this.#nextAttemptAt();
    const isLeader = this.#isLeading;
    return {
      status: this.#statusOf(items),
      ...(this.#pausedBy && { pausedBy: this.#pausedBy }),
      ...{ storage: this.#storage, isLeader },
      ...(nextAttemptAt !== undefined && { nextAttemptAt }),
      entries: items.map((item) => item.entry),
    };
  }

  #statusOf(items: readonly Item[]): KeptOutbox['status'] {
    if (!this.#isLoaded) return 'loading';
    if (this.#pausedBy) return 'paused';
    if (!this.#isOnline) return 'offline';
    if (items.some(({ record }) => record.status === 'sent')) return 'sending';
    return items.some(({ isOpen }) => isOpen) ? 'waiting' : 'idle';
  }
}

const idle = Promise.resolve();

/** A write as it was stored; one that cannot be read has failed. */
function restored(record: StoredRecord, packed: Packed, ids: Loaded['ids']): Item {
  let args: readonly unknown[] = [];
  let read = record;
  try {
    args = unpack(packed);
    for (const { requestId, ids: real } of ids) args = withReal(args, requestId, real);
  } catch (error) {
    read = { ...record, status: 'failed', error: serialize(error) };
  }
  const item = new Item(read, args);
  item.isDurable = true;
  item.files = packed.files;
  return item;
}

/** When a write may be sent, in ms since the epoch. */
function dueAt({ nextAt = 0, notBefore = 0 }: StoredRecord): number {
  return Math.max(nextAt, notBefore);
}

function keyOf({ id, revision }: StoredRecord): string {
  return `${id}:${revision}`;
}

function sentRecord(record: StoredRecord): StoredRecord {
  const { sentAt = Date.now(), attempts } = record;
  return { ...record, status: 'sent', sentAt, attempts: attempts + 1, nextAt: undefined, notBefore: undefined };
}

function waitingRecord(record: StoredRecord, { delay, atLeast }: Extract<Fate, { to: 'waiting' }>): StoredRecord {
  const now = Date.now();
  return { ...record, status: 'waiting', nextAt: now + delay, notBefore: atLeast > 0 ? now + atLeast : undefined };
}

/** What another tab can be told of an answer. */
function plainResult({ response, isOpaque, isJson }: RunResult): RunResult {
  return { response, isOpaque, isJson };
}

/** Whether an action tells that a server was heard. */
function isAnswered(action: unknown): boolean {
  if (!isRecord(action) || !isRecord(action['meta'])) return false;
  const { meta, error } = action;
  if (!('seq' in meta) || meta['remote'] === true) return false;
  return meta['requestStatus'] === 'fulfilled' || (isRecord(error) && typeof error['status'] === 'number');
}

function isSameOutbox(one: KeptOutbox, other: KeptOutbox): boolean {
  return (
    one.status === other.status &&
    one.pausedBy === other.pausedBy &&
    one.storage === other.storage &&
    one.isLeader === other.isLeader &&
    one.nextAttemptAt === other.nextAttemptAt &&
    one.entries.length === other.entries.length &&
    one.entries.every((entry, i) => entry === other.entries[i])
  );
}
