import { warnOnce } from '../errors.js';
import type { AnyEndpoint, RunResult } from '../store/endpoint.js';
import type { Flight } from '../store/running/flights.js';
import type { Keeper, KeeperParts, Send } from '../store/running/keeping.js';
import { Answers } from './Answers.js';
import { ByHand } from './ByHand.js';
import { Item } from './Item.js';
import { doubt } from './laying.js';
import type { OutboxOptions } from './options.js';
import { listenToPage } from './page.js';
import { recordOf, warnOfSecrets, type RestWrite } from './recording.js';
import { Restoring } from './Restoring.js';
import { isAnswered, Sender } from './Sender.js';
import { NOBODY, Shelf } from './Shelf.js';
import { sentRecord, Standing } from './Standing.js';
import { Tabs, type Message } from './Tabs.js';

/** The outbox of one store: puts the parts together that keep writes, show them, send them, and do what the answers mean; and does what it is told by the store, by the user, and by other tabs. */
export class Queue implements Keeper {
  readonly #options: OutboxOptions;
  readonly #parts: KeeperParts;
  readonly #endpoints: ReadonlyMap<string, RestWrite>;
  readonly #shelf: Shelf;
  readonly #standing: Standing;
  readonly #answers: Answers;
  readonly #sender: Sender;
  readonly #restoring: Restoring;
  readonly byHand: ByHand;
  #tabs: Tabs | undefined;
  /** The last owner that there was. */
  #lastOwner: string | undefined;
  #anchor: object | undefined;
  readonly #stops: (() => void)[] = [];

  constructor(options: OutboxOptions, parts: KeeperParts, endpoints: ReadonlyMap<string, RestWrite>) {
    this.#options = options;
    this.#parts = parts;
    this.#endpoints = endpoints;
    const tell = (message: Message): void => {
      this.#tabs?.tell(message);
    };
    const shelf = (this.#shelf = new Shelf(options, () => {
      tell({ type: 'changed' });
    }));
    const standing = (this.#standing = new Standing(parts, shelf));
    const reload = (): void => void this.#reload();
    const pump = (): void => {
      this.#pump();
    };
    const answers = (this.#answers = new Answers(options, parts, shelf, standing, {
      ...{ tell, pump, reload },
      heard: () => {
        this.#sender.heard();
      },
      pause: () => this.pause('auth'),
    }));
    this.#sender = new Sender(options, parts, shelf, standing, { reload, send: (item) => void answers.send(item) });
    const restoring = (this.#restoring = new Restoring(options, parts, endpoints, { shelf, standing, answers }));
    const seek = (): void => {
      this.#seek();
    };
    this.byHand = new ByHand(parts, shelf, standing, restoring, { tell, seek, pump });
  }

  /** Opens the database, and lays what is in it. */
  async open(): Promise<void> {
    // The store is made by then.
    await Promise.resolve();
    await this.#shelf.open(() => {
      this.#standing.publish();
    });
    if (this.#standing.isClosed) {
      await this.#shelf.close();
      return;
    }
    this.#listen();
    await this.#begin();
  }

  async close(): Promise<void> {
    this.#standing.isClosed = true;
    for (const stop of this.#stops) stop();
    this.#sender.close();
    await this.#shelf.close();
    this.#tabs?.close();
    for (const item of this.#shelf.all()) item.isDropped = true;
  }

  /** A page that may be frozen leads nobody; one that comes back reads what has happened meanwhile. */
  #listen(): void {
    const standing = this.#standing;
    const come = (isBack: boolean): void => {
      if (isBack) this.#sender.hurry();
      else this.#pump();
    };
    this.#stops.push(
      this.#parts.setupListeners({
        online: (isOnline) => {
          const isBack = isOnline && !standing.isOnline;
          standing.isOnline = isOnline;
          come(isBack);
        },
        visible: (isVisible) => {
          const isBack = isVisible && !standing.isVisible;
          standing.isVisible = isVisible;
          come(isBack);
        },
      }),
    );
    const leave = (): void => {
      this.#tabs?.yield();
    };
    this.#stops.push(listenToPage(leave, () => void this.#begin()));
  }

  /** Sends what is next. Who has nothing to send leaves the lead to others: where it is seen by nobody, and where all that is left is unknown to it. */
  #pump(): void {
    this.#sender.pump();
    if (!this.#standing.isLeading || !this.#shelf.isStored) return;
    const items = this.#shelf.all();
    const isBusy = items.some((item) => item.isSending || (item.isOpen && item.flight));
    if (!isBusy && (!this.#standing.isVisible || items.some(({ isOpen }) => isOpen))) this.#tabs?.yield();
  }

  // --- What the store tells

  take(flight: Flight, send: Send): Promise<RunResult> | undefined {
    const item = this.#shelf.get(flight.meta.requestId) ?? this.#made(flight);
    if (!item) return undefined;
    const isNew = !item.flight;
    Object.assign(item, { flight, send });
    flight.cancellation.signal.addEventListener('abort', () => {
      if (item.flight === flight && !item.isDropped) void this.byHand.forget(item);
    });
    void flight.settled.then(() => {
      if (item.flight !== flight) return;
      void this.#answers.renewBase(item.record.rows);
      this.#pump();
    });
    const promise = new Promise<RunResult>((resolve, reject) => Object.assign(item, { resolve, reject }));
    if (isNew && !item.isLaid) this.#store(item);
    return promise;
  }

  /** A write to keep; undefined for what is sent as without an outbox. */
  #made(flight: Flight): Item | undefined {
    const { endpoint } = flight.request;
    if (this.#standing.isClosed || !this.#isKept(endpoint, flight.args)) return undefined;
    const { version = 1 } = this.#options;
    const owner = this.#standing.isLoaded ? this.#shelf.owner : this.#askOwner();
    if (owner === undefined) return undefined;
    warnOfSecrets(endpoint.name, flight.args);
    return new Item(recordOf(flight, this.#parts, { version, owner: owner || undefined }), flight.args);
  }

  #isKept(endpoint: AnyEndpoint, args: readonly unknown[]): boolean {
    const { durable = this.#endpoints.has(endpoint.name) } = endpoint;
    return typeof durable === 'function' ? durable(args as never) : durable;
  }

  /** Stores a write in the order of dispatches, then sends it, or lets it wait its turn. */
  #store(item: Item): void {
    const isFirst = this.#sender.maySendAtOnce(item);
    this.#shelf.put(item);
    if (isFirst) {
      item.record = sentRecord(item.record);
      item.isSending = true;
    }
    void this.#shelf.store(item).then(() => {
      if (!this.#shelf.has(item)) return;
      this.#seek();
      // Another tab may lead by now: then it was stored as one that waits its turn.
      item.isSending &&= item.record.status === 'sent';
      if (isFirst && item.isSending) void this.#answers.send(item);
      this.#pump();
    });
    this.#standing.publish();
  }

  acted(action: unknown): void {
    if (isAnswered(action)) this.#sender.heard();
    if (!this.#standing.isLoaded || this.#standing.isClosed) return;
    if (this.#askOwner() !== this.#shelf.owner) {
      void this.#begin();
      return;
    }
    const { anchor } = this.#parts.store.slice;
    if (anchor === this.#anchor) return;
    this.#anchor = anchor;
    this.#standing.tells(undefined);
    this.#restoring.lay(this.#shelf.all());
  }

  reset(keepOutbox: boolean): void {
    const items = this.#shelf.all();
    for (const item of items) this.#shelf.drop(item, 'reset');
    if (!keepOutbox && items.length > 0)
      warnOnce(() => [
        'reset outbox',
        `reset() deletes ${items.length} writes that were not sent yet. Where the session has ended by itself, keep them: reset({ keepOutbox: true }).`,
      ]);
    this.#standing.isLoaded = false;
    const owners = [this.#lastOwner ?? NOBODY, NOBODY];
    void this.#shelf.afterStored(async () => {
      if (!keepOutbox) {
        await this.#shelf.clear(owners);
        this.#tabs?.tell({ type: 'reset' });
      }
      await this.#begin();
    });
  }

  // --- What the user tells

  async pause(pausedBy: 'user' | 'auth' | undefined): Promise<void> {
    this.#standing.pausedBy = pausedBy;
    this.#standing.publish();
    if (!pausedBy) this.#sender.hurry();
    await this.#shelf.pause(pausedBy);
  }

  /** Endpoints have become known. */
  added(): void {
    if (!this.#standing.isLoaded) return;
    const unknown = this.#shelf.all().filter((item) => !item.flight && item.record.status !== 'failed');
    if (unknown.length > 0) this.#restoring.lay(unknown);
    this.#seek();
    this.#pump();
  }

  itemOf(id: string): Item | undefined {
    return this.#shelf.get(id);
  }

  // --- Whose they are, and who sends

  #askOwner(): string | undefined {
    const { owner } = this.#options;
    return owner ? owner(this.#parts.store.api.getState() as never) || undefined : NOBODY;
  }

  /** Loads and lays what is stored for whoever is there now. */
  async #begin(): Promise<void> {
    const owner = this.#askOwner();
    const shelf = this.#shelf;
    if (owner !== shelf.owner || !this.#tabs) this.#change(owner);
    if (owner === undefined) this.#standing.isLoaded = true;
    this.#anchor = this.#parts.store.slice.anchor;
    const loaded = owner === undefined ? undefined : await this.#restoring.read(owner);
    if (owner !== shelf.owner || this.#standing.isClosed) return;
    if (loaded) void shelf.tidy(loaded);
    this.#seek();
    this.#pump();
  }

  /** Another owner is there. */
  #change(owner: string | undefined): void {
    const shelf = this.#shelf;
    for (const item of shelf.all())
      // What was made a moment ago, before the database was open, is that owner's already.
      if (item.isDurable || (item.record.owner ?? NOBODY) !== owner) shelf.drop(item, 'another owner');
    this.#tabs?.close();
    Object.assign(this.#standing, { isLeading: false, pausedBy: undefined });
    shelf.epoch = 0;
    shelf.owner = owner;
    this.#lastOwner = owner ?? this.#lastOwner;
    this.#tabs = owner === undefined ? undefined : this.#makeTabs(owner);
  }

  /** Where there is something to send that this tab knows, it leads as soon as nobody else does. */
  #seek(): void {
    if (!this.#shelf.all().some(({ flight, isOpen, record }) => flight && (isOpen || record.status === 'sent'))) return;
    this.#tabs?.want();
    if (this.#standing.isVisible) this.#tabs?.ask();
  }

  #makeTabs(owner: string): Tabs {
    const { locks } = (globalThis as { readonly navigator?: Partial<Navigator> }).navigator ?? {};
    return new Tabs(`rtk-resource:${this.#options.name}:${owner}`, this.#shelf.isStored ? locks : undefined, {
      lead: () => this.#lead(owner),
      follow: () => {
        this.#shelf.epoch = 0;
        this.#standing.isLeading = false;
        this.#standing.publish();
      },
      hear: (message) => {
        this.#hear(message);
      },
    });
  }

  async #lead(owner: string): Promise<void> {
    const shelf = this.#shelf;
    await shelf.lead(owner);
    await this.#restoring.read(owner);
    const changes = shelf.all().flatMap((item) => {
      const { status, endpointName } = item.record;
      if (status !== 'sent' || item.isSending) return [];
      return [{ item, to: this.#answers.afterLoss(item, this.#endpoints.get(endpointName)) }];
    });
    const changed = changes.length > 0 ? await shelf.change(changes, true) : [];
    for (const { record, flight } of changed) if (record.status === 'unknown' && flight) doubt(this.#parts, flight);
    if (owner !== shelf.owner || !this.#tabs?.isLeader) return;
    this.#standing.isLeading = true;
    this.#sender.hurry();
    this.#pump();
  }

  // --- What other tabs tell

  async #reload(): Promise<void> {
    const { owner } = this.#shelf;
    if (owner !== undefined) await this.#restoring.read(owner);
    this.#seek();
    this.#pump();
  }

  #hear(message: Message): void {
    if (message.type === 'ask' || message.type === 'here') return;
    if (message.type === 'changed') void this.#reload();
    else if (message.type === 'reset') {
      this.#drop(this.#shelf.all(), 'reset');
      void this.#reload();
    } else if (message.type === 'gone')
      this.#drop(
        message.ids.flatMap((id) => this.#shelf.get(id) ?? []),
        'discarded',
      );
    else this.#hearOf(message);
  }

  #drop(items: readonly Item[], why: string): void {
    for (const item of items) this.#shelf.drop(item, why);
    this.#standing.publish();
  }

  /** What has become of one. */
  #hearOf(message: Extract<Message, { id: string }>): void {
    const item = this.#shelf.get(message.id);
    if (!item) return;
    if (message.type === 'failed') this.#answers.wasRefused(item, message.error);
    else if (message.type === 'done') this.#answers.wasAnswered(item, message.result);
    else if (this.#standing.isLeading && item.record.revision === message.revision)
      void this.#answers.done(item, item.record, message.result);
    this.#standing.publish();
  }
}
