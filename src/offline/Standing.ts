import { isShallowSame, sameValue } from '../schema/sameShape.js';
import type { KeptOutbox } from '../store/outbox.js';
import { connectTo } from '../store/request.js';
import type { KeeperParts } from '../store/running/keeping.js';
import { backoff, LONGEST_DELAY, LONGEST_WAIT } from './decisions.js';
import type { StoredRecord } from './entries.js';
import type { Item } from './Item.js';
import type { Shelf } from './Shelf.js';

/** How the outbox of a tab stands, and what the state is told of that. */
export class Standing {
  readonly #store: KeeperParts['store'];
  readonly #shelf: Shelf;
  /** The database was read. */
  isLoaded = false;
  /** This tab sends: it has the lead, and knows what is stored. */
  isLeading = false;
  pausedBy: 'user' | 'auth' | undefined;
  /** How often this tab has paused or resumed since the outbox of an owner was opened: what was read before that is not true any more. */
  pauses = 0;
  isOnline = true;
  isVisible = true;
  isClosed = false;
  /** When this life of the tab has begun, in ms since the epoch, and on the clock of its store. */
  readonly begun: { readonly at: number; readonly seq: number };
  /** Sends what is due later. */
  timer: ReturnType<typeof setTimeout> | undefined;
  /** A request was lost, and none was answered since: how often in a row, and when it is tried next. */
  #lost = { times: 0, until: 0 };
  #begin: () => void = () => undefined;

  constructor({ store }: KeeperParts, shelf: Shelf) {
    this.#store = store;
    this.#shelf = shelf;
    this.begun = { at: Date.now(), seq: store.sliceIfThere()?.seq ?? 0 };
  }

  /** A slice may be injected later: what is kept is shown as soon as it is there. */
  async sliced(name: string): Promise<void> {
    if (this.#store.sliceIfThere()) return;
    // One that was injected a moment ago comes into the state with this.
    connectTo(this.#store.api.dispatch, name);
    if (!this.#store.sliceIfThere()) await new Promise<void>((resolve) => (this.#begin = resolve));
  }

  /** An action has come to the store. */
  acted(): void {
    if (this.#store.sliceIfThere()) this.#begin();
  }

  close(): void {
    this.isClosed = true;
    this.#begin();
    clearTimeout(this.timer);
  }

  /** Whether this tab sends an item: the one that leads does, but what could not be stored only its own tab knows. */
  maySend({ isDurable }: Item): boolean {
    return (this.isLeading || isDurable === false) && this.isActive;
  }

  /** Whether this tab has paused or resumed before the database was read: that holds for what is read. */
  get isToldEarly(): boolean {
    return !this.isLoaded && this.pauses > 0;
  }

  /** Whether anything is sent at all. */
  get isActive(): boolean {
    return this.isLoaded && !this.pausedBy && this.isOnline && !this.isClosed;
  }

  /** Whether a request was lost, and none was answered since. */
  get isLost(): boolean {
    return this.#lost.times > 0;
  }

  /** A request was lost. */
  lose(): void {
    const times = this.#lost.times + 1;
    this.#lost = { times, until: Date.now() + backoff(times, Math.random()) };
  }

  /** A request was answered. */
  find(): void {
    this.#lost = { times: 0, until: 0 };
  }

  /** Nothing waits for the network any longer; whether it is there is open. */
  hurry(): void {
    this.#lost.until = 0;
  }

  /** When an item may be sent, in ms since the epoch. */
  dueAt({ record: { nextAt = 0, notBefore = 0, pause = LONGEST_WAIT } }: Item): number {
    return Math.max(believed(nextAt, pause), believed(notBefore, pause), believed(this.#lost.until, LONGEST_DELAY));
  }

  /** When something is due that is not yet at a time, in ms since the epoch. */
  nextAttemptAt(now: number): number | undefined {
    let next = Infinity;
    for (const item of this.#shelf.all()) {
      const at = item.isOpen && item.send ? this.dueAt(item) : 0;
      if (at > now && at < next) next = at;
    }
    return next < Infinity ? next : undefined;
  }

  /** Tells the state, where something is otherwise. */
  readonly publish = (): void => {
    const outbox = this.describe();
    const { outbox: last } = this.#store.slice;
    if (last && isSame(last, outbox)) return;
    this.#store.dispatch(this.#store.actions.outbox.type, { payload: outbox });
  };

  describe(): KeptOutbox {
    const items = this.#shelf.all();
    const { pausedBy, isLeading: isLeader } = this;
    const nextAttemptAt = this.nextAttemptAt(Date.now());
    return {
      status: this.#statusOf(items),
      ...(pausedBy && { pausedBy }),
      storage: this.#shelf.storage,
      isLeader,
      ...(nextAttemptAt !== undefined && { nextAttemptAt }),
      entries: items.map((item) => item.entry),
    };
  }

  #statusOf(items: readonly Item[]): KeptOutbox['status'] {
    if (!this.isLoaded) return 'loading';
    if (this.pausedBy) return 'paused';
    if (!this.isOnline) return 'offline';
    if (items.some(({ record }) => record.status === 'sent')) return 'sending';
    return items.some(({ isOpen }) => isOpen) ? 'waiting' : 'idle';
  }
}

/** A time that was so many ms ahead; 0 where it lies a minute further ahead by now, for then it was said by a clock that was set back. */
function believed(at: number, ahead: number): number {
  return at > Date.now() + ahead + LONGEST_DELAY ? 0 : at;
}

/** A write as it is stored while it is being sent. */
export function sentRecord(record: StoredRecord): StoredRecord {
  const { sentAt = Date.now(), attempts } = record;
  return { ...record, status: 'sent', sentAt, attempts: attempts + 1, nextAt: undefined, notBefore: undefined };
}

/** Another body is another entry, though the state does not hold it. */
function isSame({ entries: some, ...one }: KeptOutbox, { entries: others, ...other }: KeptOutbox): boolean {
  return sameValue(one, other) && isShallowSame(some, others);
}
