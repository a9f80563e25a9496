import { resourceError } from '../errors.js';
import type { KeeperParts } from '../store/running/keeping.js';
import { madeAnew } from './Answers.js';
import { pack } from './bodies.js';
import { Item } from './Item.js';
import { change } from './laying.js';
import type { Restoring } from './Restoring.js';
import type { Shelf } from './Shelf.js';
import type { Standing } from './Standing.js';
import type { Message } from './Tabs.js';

/** What follows what is done by hand. */
interface Follows {
  tell(message: Message): void;
  /** Somebody is to send. */
  seek(): void;
  /** The next may be sent. */
  pump(): void;
}

/** What the user does with what is kept: sends it again, gives it another body, forgets it. */
export class ByHand {
  readonly #parts: KeeperParts;
  readonly #shelf: Shelf;
  readonly #standing: Standing;
  readonly #restoring: Restoring;
  readonly #follows: Follows;

  constructor(parts: KeeperParts, shelf: Shelf, standing: Standing, restoring: Restoring, follows: Follows) {
    this.#parts = parts;
    this.#shelf = shelf;
    this.#standing = standing;
    this.#restoring = restoring;
    this.#follows = follows;
  }

  retry(id?: string): Promise<void> {
    return this.#again(
      this.#shelf
        .all()
        .filter((item) =>
          id === undefined ? item.record.status === 'failed' : item.id === id && item.record.status !== 'sent',
        ),
    );
  }

  async discard(id: string): Promise<void> {
    const item = this.#shelf.get(id);
    if (!item) return;
    if (item.flight) item.flight.cancellation.abort('discarded');
    else await this.forget(item);
    await this.#shelf.afterStored(() => Promise.resolve());
  }

  async edit(id: string, body: unknown): Promise<void> {
    const item = this.#shelf.get(id);
    if (!item) return;
    const { record, isDurable, isOwn, flight } = item;
    const { status, sentAt } = record;
    if (status !== 'failed' && (!item.isOpen || sentAt !== undefined)) throw resourceError('R43', id, status);
    const args = [...item.args.slice(0, -1), body];
    const { args: stored, files } = await pack(args);
    if (flight) change(this.#parts, flight, args);
    // What has failed has no request: it is made anew with what it is to send.
    const next = flight ? item : Object.assign(new Item(record, args), { isDurable, isOwn });
    next.files = files;
    this.#shelf.put(next);
    if (status === 'failed') {
      await this.#again([next], stored);
      return;
    }
    const to = { ...item.record, args: stored, revision: record.revision + 1 };
    await this.#shelf.change([{ item: next, to, hasNewFiles: true }]);
    this.#follows.pump();
  }

  /** Sends again: what has failed goes to the end of the line as a new sending, and what depended on it with it. */
  async #again(items: readonly Item[], args?: readonly unknown[]): Promise<void> {
    const isFailed = ({ record }: Item): boolean => record.status === 'failed';
    const failed = items.filter(isFailed);
    const others = this.#shelf.dependants(
      failed.map(({ id }) => id),
      isFailed,
    );
    const ends = [...new Set([...failed, ...others])].sort((one, other) => (one.record.n ?? 0) - (other.record.n ?? 0));
    const rest = items.filter((item) => !isFailed(item));
    const inDoubt = rest.flatMap(({ record, flight }) => (record.status === 'unknown' && flight ? [flight] : []));
    await this.#shelf.change([
      ...rest.map((item) => ({ item, to: { ...item.record, status: 'waiting' as const, nextAt: undefined } })),
      ...ends.map((item) => {
        const isEdited = args !== undefined && items.includes(item);
        const to = { ...madeAnew(item.record), ...(isEdited && { args }) };
        return { item, to, isMoved: true, hasNewFiles: isEdited };
      }),
    ]);
    for (const item of ends) if (!item.isDurable) this.#shelf.putLast(item);
    if (ends.length > 0) this.#restoring.lay(ends);
    for (const flight of inDoubt) change(this.#parts, flight);
    this.#standing.find();
    this.#follows.seek();
    this.#follows.pump();
  }

  /** It is forgotten, with what depends on it and was not sent. */
  async forget(item: Item): Promise<void> {
    if (!this.#shelf.has(item)) return;
    const orphans = this.#shelf.dependants([item.id]);
    const gone = [item, ...orphans];
    const stored = this.#shelf.forget(gone);
    this.#follows.tell({ type: 'gone', ids: gone.map(({ id }) => id) });
    for (const one of orphans) one.flight?.cancellation.abort('discarded');
    this.#follows.pump();
    await stored;
  }
}
