import { isNetworkError, resourceError } from '../errors.js';
import type { Row } from '../schema/Schema.js';
import type { RunResult } from '../store/endpoint.js';
import { failureOf, serialize } from '../store/running/failure.js';
import type { Flight } from '../store/running/flights.js';
import type { KeeperParts, Sending } from '../store/running/keeping.js';
import { pack } from './bodies.js';
import { backoff, fateOf, fateOfLost, type Fate, type Sent } from './decisions.js';
import type { StoredRecord } from './entries.js';
import { Item } from './Item.js';
import { hasKey, keyHeaders, keyOf } from './keys.js';
import { change, doubt, renewed, seenBy } from './laying.js';
import type { OutboxOptions } from './options.js';
import { idsOf, isDeletion, isIn, isRepeatable, retryAfterOf, type RestWrite } from './recording.js';
import { NOBODY, type Shelf } from './Shelf.js';
import type { Standing } from './Standing.js';
import type { Message } from './Tabs.js';

/** What follows an answer. */
interface Follows {
  tell(message: Message): void;
  /** Some request was answered. */
  heard(): void;
  pause(): Promise<void>;
  /** The next may be sent. */
  pump(): void;
  reload(): void;
}

/** An answer without a body. */
export const EMPTY: RunResult = { response: null, isOpaque: false, isJson: true };

/** What an answer means, one that fails, or none. */
export class Answers {
  readonly #options: OutboxOptions;
  readonly #parts: KeeperParts;
  readonly #shelf: Shelf;
  readonly #standing: Standing;
  readonly #follows: Follows;

  constructor(options: OutboxOptions, parts: KeeperParts, shelf: Shelf, standing: Standing, follows: Follows) {
    this.#options = options;
    this.#parts = parts;
    this.#shelf = shelf;
    this.#standing = standing;
    this.#follows = follows;
  }

  /** Sends an item that is marked as sent, and does what its answer means. */
  async send(item: Item): Promise<void> {
    const { flight, send, record } = item;
    if (!flight || !send || item.isDropped) return;
    item.isSending = true;
    this.#standing.publish();
    let result: RunResult;
    try {
      result = await send(this.#sendingOf(item));
    } catch (error) {
      if (!isOver(item, flight)) await this.#refused(item, record, error);
      return;
    }
    this.#follows.heard();
    await this.done(item, record, result);
  }

  #sendingOf(item: Item): Sending {
    const { record } = item;
    const key = keyOf(record);
    return {
      isKept: true,
      idempotencyKey: key,
      keyHeaders: (url) => {
        const headers = keyHeaders(this.#options, key, { endpointName: record.endpointName, url });
        item.hasKey = Object.keys(headers).length > 0;
        return headers;
      },
    };
  }

  // --- Done

  /** It is done: it is gone from the database before anybody is told. */
  async done(item: Item, { revision }: StoredRecord, result: RunResult): Promise<void> {
    const { flight } = item;
    const created = flight && idsOf(flight, result);
    const ids = created && { requestId: item.id, owner: this.#shelf.owner ?? NOBODY, ids: created, at: Date.now() };
    const [gone] = await this.#shelf.change([{ item, to: undefined, ids }], true);
    const { response, isOpaque, isJson } = result;
    const told = { id: item.id, revision, result: { response, isOpaque, isJson } };
    item.isSending = false;
    // Where another tab leads by now, that settles what this one has heard.
    this.#follows.tell({ type: gone ? 'done' : 'answer', ...told });
    if (gone) item.resolve(result);
    else this.#follows.reload();
    this.#standing.publish();
  }

  /** What was confirmed is what later writes to the same rows are made on. */
  async renewBase(rows: readonly string[]): Promise<void> {
    if (!this.#standing.isLeading) return;
    const { store, versions } = this.#parts;
    const later = this.#shelf
      .all()
      .filter(
        ({ isSending, record }) => !isSending && record.base.some(({ table, pk }) => rows.includes(`${table} ${pk}`)),
      );
    // Whoever is sent next is stored with it.
    for (const item of later) {
      const { record, flight } = item;
      const seen = flight ? seenBy(flight, versions) : record.seen;
      item.record = { ...record, base: renewed(record.base, store.slice.tables), seen };
    }
    if (later.length > 0)
      await this.#shelf.change(
        later.map((item) => ({ item, to: item.record })),
        true,
      );
  }

  // --- Not done

  /** It was refused, or not answered. */
  async #refused(item: Item, sent: StoredRecord, error: unknown): Promise<void> {
    const failure = serialize(error);
    if (failure.status !== undefined) this.#follows.heard();
    const about = this.#sentOf(item, sent, error);
    const record = { ...sent, faults: about.faults, conflicts: about.conflicts, error: failure };
    const fate = isNetworkError(error) ? this.#fateOf(item, about, error) : ({ to: 'failed' } as const);
    if (fate.to === 'conflict') {
      await this.#rebase(item, record, error);
      return;
    }
    item.isSending = false;
    // What the user's code throws tells nothing of the network.
    if (about.status === undefined && isNetworkError(error)) this.#standing.lose();
    // Nobody has done it: it is as if it was not sent.
    if (about.status !== undefined && fate.to !== 'failed' && item.flight) markUnsent(item.flight);
    await this.#meet(fate, item, record, error);
    this.#follows.pump();
  }

  async #meet(fate: Fate, item: Item, record: StoredRecord, error: unknown): Promise<void> {
    if (fate.to === 'done') await this.done(item, record, EMPTY);
    else if (fate.to === 'failed') await this.#failed(item, record, error);
    else if (fate.to === 'paused') {
      await this.#become(item, { ...record, status: 'waiting', nextAt: undefined });
      await this.#follows.pause();
    } else if (fate.to === 'waiting') await this.#become(item, waitingRecord(record, fate));
    else if ((await this.#become(item, { ...record, status: 'unknown' })) && item.flight)
      doubt(this.#parts, item.flight);
  }

  /** An item that was sent becomes another; not where another tab leads by now, which sends it again or has done so. */
  async #become(item: Item, to: StoredRecord): Promise<boolean> {
    const [changed] = await this.#shelf.change([{ item, to }], true);
    if (!changed) this.#follows.reload();
    return changed !== undefined;
  }

  #sentOf(item: Item, record: StoredRecord, error: unknown): Sent {
    const { sentAt, attempts, faults, conflicts } = record;
    // What is kept speaks REST.
    const endpoint = item.flight?.request.endpoint as RestWrite;
    const status = isNetworkError(error) ? error.status : undefined;
    const now = Date.now();
    return {
      // An opaque answer has 0.
      status: status === 0 ? undefined : status,
      retryAfter: retryAfterOf(error, now),
      hasKey: item.hasKey ?? hasKey(this.#options, record, endpoint, item.args),
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
    const network = isNetworkError(error) && error.status !== undefined ? error : undefined;
    const said = this.#options.retry?.({ ...(network && { error: network }), entry: item.show(item.entry), attempts });
    if (said === 'reject') return { to: 'failed' };
    if (said === 'pause') return { to: 'paused' };
    if (said === 'retry') return { to: 'waiting', delay: backoff(attempts, Math.random()), atLeast: 0 };
    if (typeof said === 'number') return { to: 'waiting', delay: said, atLeast: 0 };
    return fateOf(about, Math.random());
  }

  /** What becomes of what another life of the tab has sent. */
  afterLoss({ record, args }: Item, endpoint: RestWrite | undefined): StoredRecord {
    const age = Date.now() - (record.sentAt ?? record.createdAt);
    const isRisky =
      !endpoint ||
      fateOfLost({
        ...{ hasKey: hasKey(this.#options, record, endpoint, args), age },
        isRepeatable: isRepeatable(endpoint),
      }) === 'unknown';
    return { ...record, status: isRisky ? 'unknown' : 'waiting', nextAt: undefined };
  }

  /** The row is another by now: the write is made on that, and is a new sending, which is stored before it is sent; else it has failed. */
  async #rebase(item: Item, record: StoredRecord, error: unknown): Promise<void> {
    const { flight } = item;
    if (!flight) return;
    const { store, versions } = this.#parts;
    const { rebases, attempts } = record;
    const found = { isDone: false };
    const isDone = (theirs: Row): boolean => (found.isDone = attempts > 1 && isIn(theirs, flight, store.slice.tables));
    let next: readonly unknown[] | undefined;
    let stored = record.args;
    try {
      next = await versions.resolve(flight, { error, tries: rebases, isDone });
      if (next && next !== flight.args) stored = (await pack(next)).args;
    } catch (cause) {
      if (!isOver(item, flight)) await this.#refused(item, record, cause);
      return;
    }
    if (isOver(item, flight)) return;
    if (next) await this.#again(item, { ...record, args: stored }, next);
    item.isSending = false;
    if (!next) await this.#meet({ to: found.isDone ? 'done' : 'failed' }, item, record, error);
    this.#follows.pump();
  }

  async #again(item: Item, record: StoredRecord, args: readonly unknown[]): Promise<void> {
    const { flight } = item;
    if (!flight) return;
    markUnsent(flight);
    if (args !== flight.args) change(this.#parts, flight, args);
    const seen = seenBy(flight, this.#parts.versions);
    await this.#become(item, { ...madeAnew(record), seen, rebases: record.rebases + 1 });
  }

  /** It is refused for good: it is kept with its text, and what depends on it with it. */
  async #failed(item: Item, record: StoredRecord, error: unknown): Promise<void> {
    const orphans = this.#shelf.dependants([item.id]);
    const why = (one: Item): unknown => (one === item ? error : resourceError('R14', one.record.endpointName));
    const changed = await this.#shelf.change(
      [item, ...orphans].map((one) => ({
        item: one,
        to: { ...(one === item ? record : one.record), status: 'failed', error: serialize(why(one)) },
      })),
      true,
    );
    if (changed.length === 0) this.#follows.reload();
    for (const one of changed) {
      this.#follows.tell({ type: 'failed', id: one.id, error: serialize(why(one)) });
      this.fail(one, why(one), false);
    }
    this.#standing.publish();
  }

  /** Whoever waits for it is told, and it stays with its text, without a request. */
  fail(item: Item, error: unknown, isRemote: boolean): void {
    const { flight, args, isDurable, isOwn, files } = item;
    if (!flight) return;
    if (isRemote) flight.isRemote = true;
    item.reject(error);
    this.#shelf.put(Object.assign(new Item(item.record, args), { isDurable, isOwn, files }));
  }

  // --- What other tabs have heard

  /** It was done by another tab. */
  wasAnswered(item: Item, result: RunResult): void {
    const { flight } = item;
    this.#shelf.takeOff(item.id);
    if (flight) {
      flight.isRemote = item.isLaid;
      flight.sent ??= this.#parts.store.nextSeq();
    }
    item.resolve(result);
    this.#standing.publish();
  }

  /** It was refused, as another tab has heard. */
  wasRefused(item: Item, error: StoredRecord['error'] = { name: 'Error', message: 'failed' }): void {
    item.record = { ...item.record, status: 'failed', error };
    this.fail(item, failureOf(error), true);
  }
}

/** It is as if it was not sent. */
function markUnsent(flight: Flight): void {
  flight.sent = flight.sentTables = undefined;
}

/** Whether nobody waits any more for what is being sent. */
function isOver(item: Item, flight: Flight): boolean {
  return flight.cancellation.signal.aborted || item.isDropped || item.flight !== flight;
}

function waitingRecord(record: StoredRecord, { delay, atLeast }: Extract<Fate, { to: 'waiting' }>): StoredRecord {
  const now = Date.now();
  return { ...record, status: 'waiting', nextAt: now + delay, notBefore: atLeast > 0 ? now + atLeast : undefined };
}

/** A write as a new sending: with a key of its own, and as if it was not sent yet. */
export function madeAnew(record: StoredRecord): StoredRecord {
  return {
    ...{ ...record, status: 'queued', revision: record.revision + 1, attempts: 0, faults: 0, conflicts: 0, rebases: 0 },
    ...{ sentAt: undefined, error: undefined, nextAt: undefined, notBefore: undefined },
  };
}
