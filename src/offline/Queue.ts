import { warnOnce } from '../errors.js';
import type { RunResult } from '../store/endpoint.js';
import type { Flight } from '../store/running/flight.js';
import type { Keeper, KeeperParts, Send } from '../store/running/keeping.js';
import { done, heard, judgeLost, wasAnswered } from './answers.js';
import type { Loaded } from './Database.js';
import type { Desk } from './desk.js';
import type { Item } from './Item.js';
import { lay } from './laying.js';
import type { OutboxOptions } from './options.js';
import { askOwner, NOBODY } from './owner.js';
import { listenToPage, webLocks } from './page.js';
import type { RestWrite } from './recording.js';
import { Readings, unreadOf } from './restoring.js';
import { hurry, isAnswered, sendDue } from './sending.js';
import { Shelf } from './Shelf.js';
import { Standing } from './Standing.js';
import { take } from './taking.js';
import { Tabs, type Answer, type Message } from './Tabs.js';

/** The outbox of one store: does what it is told by the store, by its owner, and by other tabs. */
export class Queue implements Keeper, Desk {
  readonly options: OutboxOptions;
  readonly parts: KeeperParts;
  readonly endpoints: ReadonlyMap<string, RestWrite>;
  readonly shelf: Shelf;
  readonly standing: Standing;
  #tabs: Tabs | undefined;
  /** The last owner that there was. */
  #lastOwner: string | undefined;
  #anchor: object | undefined;
  /** The taking of the lead. */
  #led: Promise<void> = Promise.resolve();
  readonly #readings: Readings;
  readonly #stops: (() => void)[] = [];

  constructor(options: OutboxOptions, parts: KeeperParts, endpoints: ReadonlyMap<string, RestWrite>) {
    this.options = options;
    this.parts = parts;
    this.endpoints = endpoints;
    this.shelf = new Shelf(options, () => {
      this.tell({ type: 'changed' });
    });
    this.standing = new Standing(parts, this.shelf);
    this.#readings = new Readings(this);
  }

  /** Opens the database, and lays what is in it. */
  async open(): Promise<void> {
    const { shelf, standing } = this;
    // The store is made by then.
    await Promise.resolve();
    await shelf.open(standing.publish);
    await standing.sliced(this.options.name);
    if (standing.isClosed) {
      await shelf.close();
      return;
    }
    this.#listen();
    await this.#begin();
  }

  async close(): Promise<void> {
    const { shelf, standing } = this;
    standing.close();
    for (const stop of this.#stops) stop();
    await shelf.untilStored(shelf.all());
    await this.#leave();
  }

  /** What is under way keeps the lead and the database until it is over: whoever led next would take it for lost. */
  async #leave(): Promise<void> {
    if (this.shelf.all().some(({ isSending }) => isSending)) return;
    await this.shelf.close();
    this.#tabs?.close();
  }

  /** A page that may be frozen leads nobody; one that comes back reads what has happened meanwhile. */
  #listen(): void {
    const { standing } = this;
    const note = (what: 'isOnline' | 'isVisible') => (isSo: boolean) => {
      const isBack = isSo && !standing[what];
      standing[what] = isSo;
      if (isBack) {
        hurry(this);
        this.seek();
      } else this.pump();
    };
    const leave = (): void => {
      this.#tabs?.yield();
    };
    this.#stops.push(
      this.parts.setupListeners({ online: note('isOnline'), visible: note('isVisible') }),
      listenToPage(leave, () => void this.#begin()),
    );
  }

  /** Sends what is next. Who has nothing to send leaves the lead to others: where it is seen by nobody, and where what is left is unknown to it. */
  readonly pump = (): void => {
    const { shelf, standing } = this;
    sendDue(this);
    if (standing.isClosed) void this.#leave();
    if (!standing.isLeading || !shelf.isStored) return;
    const items = shelf.all();
    const isBusy = items.some((item) => item.isSending || (item.isOpen && item.send));
    const isStrange = ({ isOpen, flight, record }: Item): boolean => !flight && (isOpen || record.status === 'sent');
    const isUseless = !standing.isVisible || shelf.hasNewer || items.some(isStrange);
    if (!isBusy && isUseless) this.#tabs?.yield();
  };

  tell(message: Message): void {
    this.#tabs?.tell(message);
  }

  // --- What the store tells

  take(flight: Flight, send: Send): Promise<RunResult> | undefined {
    return take(this, flight, send);
  }

  acted(action: unknown): void {
    const { shelf, standing } = this;
    if (isAnswered(action)) heard(this);
    standing.acted();
    if (!standing.isLoaded || standing.isClosed) return;
    if (askOwner(this) !== shelf.owner) {
      void this.#begin();
      return;
    }
    const { anchor } = this.parts.store.slice;
    if (anchor === this.#anchor) return;
    this.#anchor = anchor;
    lay(this, shelf.all());
  }

  reset(keepOutbox: boolean): void {
    const { shelf, standing } = this;
    const items = shelf.all();
    shelf.resets++;
    for (const item of items) shelf.drop(item, 'reset');
    if (!keepOutbox && items.length > 0)
      warnOnce(() => [
        `reset ${this.options.name}`,
        `reset() deletes ${items.length} writes that were not sent yet. Where the session has ended by itself, keep them: reset({ keepOutbox: true }).`,
      ]);
    Object.assign(standing, { isLoaded: false, pauses: 0, pausedBy: undefined });
    // Before the database is open, nobody has been asked yet.
    const last = this.#lastOwner ?? askOwner(this) ?? NOBODY;
    shelf.clearing++;
    void shelf.afterStored(async () => {
      if (!keepOutbox) {
        await shelf.guarded((db) => db.clear([last, NOBODY]));
        // Who is logged out is in touch with the tabs of the last owner no more.
        const tabs = this.#tabs ?? this.#makeTabs(last);
        tabs.tell({ type: 'gone' });
        if (tabs !== this.#tabs) tabs.close();
      }
      shelf.clearing--;
      // Whoever leads next looks at what was under way.
      this.#tabs?.yield();
      await this.#begin();
    });
  }

  // --- What the user tells

  async pause(pausedBy: 'user' | 'auth' | undefined): Promise<void> {
    // What the user has paused, no login ends.
    if (pausedBy === 'auth' && this.standing.pausedBy === 'user') return;
    this.standing.pausedBy = pausedBy;
    this.standing.pauses++;
    hurry(this);
    await this.shelf.pause(pausedBy);
  }

  /** Endpoints have become known. */
  added(): void {
    const { standing } = this;
    if (!standing.isLoaded) return;
    lay(this);
    // What was under way in another life of the tab could not be judged before.
    if (standing.isLeading) void judgeLost(this).then(this.pump);
    this.#goOn();
  }

  // --- Whose they are, and who sends

  /** Loads and lays what is stored for whoever is there now. */
  async #begin(): Promise<void> {
    const { shelf, standing } = this;
    const owner = askOwner(this);
    if (owner !== shelf.owner) this.#change(owner);
    if (owner === undefined) standing.isLoaded = true;
    this.#anchor = this.parts.store.slice.anchor;
    const loaded = await this.#reload();
    if (loaded) void shelf.guarded((db) => db.tidy(loaded));
  }

  isOf(owner: string): boolean {
    return owner === this.shelf.owner && !this.standing.isClosed && askOwner(this) === owner;
  }

  retreat(): void {
    // What is under way, whoever leads next would take for lost.
    if (!this.shelf.all().some(({ isSending }) => isSending)) this.#tabs?.yield();
    void this.#reload();
  }

  async #reload(): Promise<Loaded | undefined> {
    const { shelf, standing } = this;
    const { owner } = shelf;
    const loaded = owner === undefined ? undefined : await this.#readings.of(owner);
    if (standing.isClosed) this.pump();
    if (owner !== shelf.owner || standing.isClosed) return loaded;
    if (askOwner(this) === owner) this.#goOn();
    // Somebody else has come meanwhile.
    else await this.#begin();
    return loaded;
  }

  #goOn(): void {
    this.seek();
    this.pump();
  }

  /** Another owner is there. */
  #change(owner: string | undefined): void {
    const { shelf } = this;
    shelf.resets++;
    for (const item of shelf.all())
      // What was made a moment ago, before the database was open, is that owner's already.
      if (item.isDurable || (item.record.owner ?? NOBODY) !== owner) shelf.drop(item, 'another owner');
    this.#tabs?.close();
    if (!this.standing.isToldEarly) this.standing.pausedBy = undefined;
    shelf.epoch = 0;
    shelf.owner = owner;
    this.#lastOwner = owner ?? this.#lastOwner;
    this.#tabs = owner === undefined ? undefined : this.#makeTabs(owner);
  }

  /** Where there is something to send that this tab knows, it leads as soon as nobody else does. */
  readonly seek = (): void => {
    const { shelf, standing } = this;
    if (standing.isClosed) return;
    if (!shelf.all().some(({ send, isOpen, record }) => send && (isOpen || record.status === 'sent'))) return;
    this.#tabs?.want();
    if (standing.isVisible) this.#tabs?.ask();
  };

  #makeTabs(owner: string): Tabs {
    const { options, shelf, standing } = this;
    return new Tabs(`rtk-resource:${options.name}:${owner}`, shelf.isStored ? webLocks() : undefined, {
      lead: () => (this.#led = this.#lead(owner)),
      follow: () => {
        shelf.epoch = 0;
        standing.isLeading = false;
        standing.publish();
      },
      // Whoever leads now may be killed.
      robbed: this.seek,
      // What that tab has stored may have been told before this one could hear it.
      asked: () => void this.#reload(),
      hear: this.#hear,
    });
  }

  async #lead(owner: string): Promise<void> {
    const { shelf, standing } = this;
    await shelf.lead(owner);
    // Whoever led before may have been killed when it had stored something, and told nobody.
    this.tell({ type: 'changed' });
    await this.#readings.of(owner);
    // A page that was frozen may have heard an answer before it leads again.
    for (const item of shelf.all()) {
      const { flight, heard, record, isSending } = item;
      const wasDone = flight && !isSending && heard?.revision === record.revision;
      if (wasDone) await done(this, item, record, heard.result);
    }
    if (owner !== shelf.owner) return;
    await judgeLost(this);
    if (owner !== shelf.owner || !this.#tabs?.isLeader) return;
    standing.isLeading = true;
    hurry(this);
  }

  // --- What other tabs tell

  readonly #hear = (message: Message): void => {
    const { shelf, standing } = this;
    if (message.type === 'done' || message.type === 'answer') this.#hearOf(message);
    else if (message.type === 'changed') void this.#reload();
    else if (message.type === 'gone') {
      const { ids } = message;
      shelf.discarded(ids ?? shelf.all().map(({ id }) => id));
      if (!ids) {
        shelf.resets++;
        this.#tabs?.yield();
      }
      standing.publish();
      void this.#reload();
    }
  };

  /** What has become of one. */
  #hearOf({ type, id, revision, result, unread }: Extract<Message, Answer>): void {
    const item = this.shelf.get(id) ?? (unread && unreadOf(this, unread));
    if (!item) return;
    if (type === 'done') {
      wasAnswered(this, item, result);
      return;
    }
    // This tab may be taking the lead.
    void this.#led.then(() => {
      const isMeant = this.standing.isLeading && this.shelf.has(item) && item.record.revision === revision;
      if (isMeant) void done(this, item, item.record, result);
    });
  }
}
