import { isRecord } from '../schema/Schema.js';
import type { KeeperParts } from '../store/running/keeping.js';
import { isSafe, mayPass } from './decisions.js';
import type { StoredRecord } from './entries.js';
import type { Item } from './Item.js';
import { hasKey } from './keys.js';
import type { OutboxOptions } from './options.js';
import { isRepeatable, urlOf, type RestWrite } from './recording.js';
import type { Shelf } from './Shelf.js';
import { sentRecord, type Standing } from './Standing.js';

/** The longest that a timer can wait, in ms. */
const FOREVER = 2 ** 31 - 1;

/** What happens when it is time. */
interface Sends {
  /** Sends an item that is marked as sent. */
  send(item: Item): void;
  /** What is stored is not what this tab knows. */
  reload(): void;
}

/** What is sent next, and when. */
export class Sender {
  readonly #options: OutboxOptions;
  readonly #parts: KeeperParts;
  readonly #shelf: Shelf;
  readonly #standing: Standing;
  readonly #sends: Sends;
  #isProbing = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: OutboxOptions, parts: KeeperParts, shelf: Shelf, standing: Standing, sends: Sends) {
    this.#options = options;
    this.#parts = parts;
    this.#shelf = shelf;
    this.#standing = standing;
    this.#sends = sends;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** Whether a write that was just made is sent as without an outbox: nothing stands before it. */
  maySendAtOnce(item: Item): boolean {
    if (!this.#standing.maySend(item) || this.#standing.isLost) return false;
    for (const other of this.#shelf.all()) {
      const { status } = other.record;
      if (status === 'queued') return false;
      if ((status === 'waiting' || status === 'unknown') && !mayPass(item.record, other.record)) return false;
    }
    return this.#isClear(item);
  }

  /** At once, whatever the time: but not before the server wants it. */
  hurry(): void {
    this.#standing.hurry();
    for (const item of this.#shelf.all())
      if (item.record.nextAt !== undefined) item.record = { ...item.record, nextAt: undefined };
    this.pump();
  }

  /** Some request was answered. */
  heard(): void {
    if (!this.#standing.isLost) return;
    this.#standing.find();
    this.pump();
  }

  /** Sends the next of the backlog, if it is time. */
  pump(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#standing.publish();
    if (this.#isProbing || !this.#standing.isActive) return;
    const items = this.#shelf.all();
    if (items.some(({ isSending }) => isSending)) return;
    const next = this.#nextOf(items);
    if (next) {
      void this.#sendNext(next);
      return;
    }
    const { nextAttemptAt } = this.#standing;
    if (nextAttemptAt === undefined || !items.some((item) => this.#standing.maySend(item))) return;
    this.#timer = setTimeout(
      () => {
        this.pump();
      },
      Math.min(Math.max(0, nextAttemptAt - Date.now()), FOREVER),
    );
  }

  /** The first that is due, and may pass all that stand before it. */
  #nextOf(items: readonly Item[]): Item | undefined {
    const now = Date.now();
    const before: StoredRecord[] = [];
    for (const item of items) {
      const { record } = item;
      if (record.status === 'failed') continue;
      const isReady = item.isOpen && item.send && this.#standing.dueAt(item) <= now && this.#standing.maySend(item);
      if (isReady && this.#isClear(item) && before.every((one) => mayPass(record, one))) return item;
      before.push(record);
    }
    return undefined;
  }

  /** Nothing that the store knows of is in its way. */
  #isClear({ flight }: Item): boolean {
    return flight !== undefined && this.#parts.flights.obstacles(flight).length === 0;
  }

  async #sendNext(item: Item): Promise<void> {
    item.isSending = true;
    const isFit = await this.#isFit(item);
    // Meanwhile it may have been discarded, or another tab leads.
    if (!isFit || !this.#shelf.has(item) || !item.isOpen || !this.#standing.maySend(item)) {
      item.isSending = false;
      this.pump();
      return;
    }
    const [marked] = await this.#shelf.change([{ item, to: sentRecord(item.record) }], true);
    if (marked) this.#sends.send(item);
    else {
      item.isSending = false;
      this.#sends.reload();
    }
  }

  /** After a loss, what may not be done twice is not sent before something was answered. */
  async #isFit({ record, args, flight }: Item): Promise<boolean> {
    // What is kept speaks REST.
    const endpoint = flight?.request.endpoint as RestWrite;
    const isHarmless = (): boolean =>
      isSafe({ hasKey: hasKey(this.#options, record, endpoint, args), isRepeatable: isRepeatable(endpoint), age: 0 });
    if (!this.#standing.isLost || isHarmless() || (await this.#probe(urlOf(endpoint, args)))) return true;
    this.#standing.lose();
    return false;
  }

  /** Whether anything at all answers. */
  async #probe(url: string): Promise<boolean> {
    this.#isProbing = true;
    try {
      await (this.#parts.fetchFn ?? fetch)(url, { method: 'HEAD', mode: 'no-cors' });
      this.#standing.find();
      return true;
    } catch {
      return false;
    } finally {
      this.#isProbing = false;
    }
  }
}

/** Whether an action tells that a server was heard. */
export function isAnswered(action: unknown): boolean {
  if (!isRecord(action) || !isRecord(action['meta'])) return false;
  const { meta, error } = action;
  if (!('seq' in meta) || meta['remote'] === true) return false;
  return meta['requestStatus'] === 'fulfilled' || (isRecord(error) && typeof error['status'] === 'number');
}
