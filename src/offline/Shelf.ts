import { reasonOf, warnOnce } from '../errors.js';
import { originOf } from '../schema/temporary.js';
import { realPk, withReal } from '../store/order/temporaryIds.js';
import type { KeptOutbox } from '../store/outbox.js';
import { pack, readAll, withRead } from './bodies.js';
import { Database, type Edit, type Loaded } from './Database.js';
import type { StoredRecord } from './entries.js';
import type { Item } from './Item.js';
import { guarded, type OutboxOptions } from './options.js';
import { NOBODY } from './owner.js';
import { webLocks } from './page.js';

/** What becomes of an item. */
export interface Change extends Omit<Edit, 'of' | 'files'> {
  readonly item: Item;
  /** Its files are others, too. */
  readonly hasNewFiles?: boolean;
}

const idle = Promise.resolve();

/** What an outbox keeps: items, in the order in which they are sent, and the database that they lie in. */
export class Shelf {
  readonly #options: OutboxOptions;
  /** Tells other tabs that something is stored. */
  readonly #changed: () => void;
  #items = new Map<string, Item>();
  #db: Database | undefined;
  storage: KeptOutbox['storage'] = 'memory';
  /** Whose entries are shown; undefined: nobody's. */
  owner: string | undefined;
  /** The number of the lead of this tab; one that it has not, no transaction of a leader stands under. */
  epoch = 0;
  /** How often all was forgotten; what was read before that is not true any more. */
  resets = 0;
  /** How many of these the database does not show yet: what is read before is gone. */
  clearing = 0;
  /** A newer version of the app has stored something, which this one leaves alone. */
  hasNewer = false;
  /** How often the database is being read, and what was taken off meanwhile: what was read may have it still. */
  #loads = 0;
  readonly gone = new Set<string>();
  /** What is done, and could not be deleted: it is with the next change. */
  readonly #left = new Set<Edit>();
  /** The real ids of creates that are done, by request. */
  readonly #real = new Map<string, readonly unknown[]>();
  #opened: () => void = () => undefined;
  /** The database is opened, and files are read, before what comes after them is stored. */
  #storing: Promise<void>;

  constructor(options: OutboxOptions, changed: () => void) {
    this.#options = options;
    this.#changed = changed;
    this.#storing = this.#last(new Promise((resolve) => (this.#opened = resolve)));
  }

  // --- Items

  get(id: string): Item | undefined {
    return this.#items.get(id);
  }

  has(item: Item): boolean {
    return this.#items.get(item.id) === item;
  }

  all(): Item[] {
    return [...this.#items.values()];
  }

  put(item: Item): void {
    this.#items.set(item.id, item);
  }

  /** It is not there for this tab; it may be stored still. */
  drop(item: Item, why: string): void {
    this.#items.delete(item.id);
    item.flight?.cancellation.abort(why);
  }

  /** It is over, and what was read of the database a moment ago does not bring it back. */
  takeOff(item: Item): void {
    item.isOver = true;
    this.#items.delete(item.id);
    this.gone.add(item.id);
  }

  /** Another tab has discarded these. */
  discarded(ids: readonly string[]): void {
    for (const item of ids.flatMap((id) => this.get(id) ?? [])) {
      this.takeOff(item);
      this.drop(item, 'discarded');
    }
  }

  /** The database has these no more, so nobody will read them there. */
  forgetTakenOff(isGone: (id: string) => boolean): void {
    if (this.#loads > 0) return;
    for (const id of this.gone) if (isGone(id)) this.gone.delete(id);
  }

  /** Those that name items of these, and those that name theirs. */
  dependants(ids: readonly string[], isMeant: (item: Item) => boolean = ({ isOpen }) => isOpen): readonly Item[] {
    const found = new Set<Item>();
    const names = [...ids];
    for (const name of names)
      for (const item of this.#items.values()) {
        if (!item.record.dependsOn.includes(name) || found.has(item) || ids.includes(item.id) || !isMeant(item))
          continue;
        found.add(item);
        names.push(item.id);
      }
    return [...found];
  }

  /** A create is done: what names its items is about these. */
  learn(requestId: string, ids: readonly unknown[] | undefined): void {
    if (ids) this.#real.set(requestId, ids);
  }

  /** Arguments of a write, with the real ids of the creates that are done. */
  realArgs(args: readonly unknown[], { dependsOn }: StoredRecord): readonly unknown[] {
    return dependsOn.reduce((real, id) => withReal(real, id, this.#real.get(id) ?? []), args);
  }

  /** The rows that a write is about, by the real ids that are known by now: whoever writes to them later names those. */
  rowsOf({ record: { rows } }: Item): readonly string[] {
    return rows.map(this.realRow);
  }

  /** A row, named by table and pk, by its real id. */
  readonly realRow = (row: string): string => {
    const at = row.lastIndexOf(' ') + 1;
    const pk = row.slice(at);
    const { requestId } = originOf(pk);
    const ids = this.#real.get(requestId);
    return ids ? row.slice(0, at) + realPk(pk, requestId, ids) : row;
  };

  /** Sorts by the number of the database, which orders all tabs; what the disk has refused stays behind what was before it, what is being stored comes last. */
  sort(): void {
    const places = new Map<Item, number>();
    let last = -Infinity;
    for (const item of this.#items.values()) {
      const { n = item.isDurable === false ? last : Infinity } = item.record;
      places.set(item, n);
      if (n < Infinity) last = Math.max(last, n);
    }
    const sorted = [...places].sort(([, one], [, other]) => (one === other ? 0 : one - other));
    this.#items = new Map(sorted.map(([item]) => [item.id, item]));
  }

  // --- The database

  get isStored(): boolean {
    return this.#db !== undefined;
  }

  async open(lost: () => void): Promise<void> {
    const gone = (): void => {
      this.#db = undefined;
      this.storage = 'memory';
      for (const item of this.#items.values()) item.isDurable = undefined;
      lost();
    };
    try {
      // Where there is a page but no Web Locks, as over plain http, tabs could not tell who sends.
      if (typeof document !== 'undefined' && !webLocks()) throw new Error('Web Locks need https.');
      const db = await Database.open(this.#options.name, gone, () => {
        void this.afterStored(() => this.open(lost)).then(lost);
      });
      // The browser may have closed the one before because what was in it is deleted.
      if (this.#db && db.isNew) gone();
      else [this.#db, this.storage] = [db, 'durable'];
    } catch (error) {
      if (this.#db) gone();
      this.#tell(error);
    }
    this.#opened();
  }

  async close(): Promise<void> {
    await this.#storing;
    this.#db?.close();
    this.#db = undefined;
  }

  /** Stores an item after those that were dispatched before it; ends when that is done, or cannot be. */
  store(item: Item): Promise<void> {
    return (this.#storing = this.#last(this.#add(item, this.#storing)));
  }

  /** What is stored next waits for this; afterwards for nothing, unless more has come. */
  #last(stored: Promise<void>): Promise<void> {
    const last: Promise<void> = stored.then(() => {
      if (this.#storing === last) this.#storing = idle;
    });
    return last;
  }

  async #add(item: Item, before: Promise<void>): Promise<void> {
    let isLone = false;
    try {
      const { args, blobs } = pack(item.args);
      item.record = { ...item.record, args };
      if (blobs.length > 0) {
        // What is read of files is what is stored, and sent.
        const files = (item.files = await readAll(blobs));
        const read = this.realArgs(withRead(item.args, { args, files }), item.record);
        Object.assign(item.flight ?? item, { args: read });
      }
    } catch (error) {
      isLone = true;
      const { endpointName } = item.record;
      warnOnce(() => [
        `unkept ${endpointName}`,
        `${endpointName} sends what cannot be kept (${reasonOf(error)}), so it does not survive the tab.`,
      ]);
    }
    // What nothing stands before is stored at once, whatever happens next.
    if (before !== idle) await before;
    // Where the disk has refused the create of what it names, no other tab could send it.
    if (isLone || item.record.dependsOn.some((id) => this.get(id)?.isDurable === false)) item.isDurable = false;
    if (this.#db && !item.isOver && item.isDurable === undefined) await this.#addTo(this.#db, item);
    item.isDurable ??= false;
    if (item.isDurable) this.#changed();
  }

  async #addTo(db: Database, item: Item): Promise<void> {
    const { record } = item;
    const files = item.files.length > 0 ? item.files : undefined;
    try {
      // One that waits its turn, every tab may store.
      const epoch = record.status === 'sent' ? this.epoch : undefined;
      const [added] = await db.edit([{ of: undefined, to: record, files }], record.owner ?? NOBODY, epoch);
      item.stored = added;
      const { n, status, attempts, sentAt } = added ?? record;
      item.record = { ...item.record, n, ...(item.record.status === 'sent' && { status, attempts, sentAt }) };
      item.isDurable = this.#db !== undefined;
      if (this.storage === 'full') this.storage = 'durable';
    } catch (error) {
      if (this.#db) this.storage = 'full';
      this.#tell(error);
    }
  }

  /**
   * Changes items, in the database first: what is gone there, or stands otherwise, is not changed, and, `asLeader`, nothing where another tab leads.
   * Gives those that were changed.
   */
  async change(changes: readonly Change[], asLeader = false): Promise<readonly Item[]> {
    const stored = this.#db ? changes.filter(({ item }) => item.isDurable) : [];
    const edits = stored.map(({ item, hasNewFiles, ...edit }): Edit => ({
      ...edit,
      of: item.stored ?? item.record,
      ...(hasNewFiles && { files: item.files }),
    }));
    edits.push(...this.#left);
    // Another owner may be there by now.
    const owner = stored[0]?.item.record.owner ?? NOBODY;
    const epoch = asLeader ? this.epoch : undefined;
    const done = edits.length > 0 ? await this.guarded((db) => db.edit(edits, owner, epoch)) : undefined;
    for (const edit of edits) this.#left[done || edit.to ? 'delete' : 'add'](edit);
    const became = done && new Map(stored.map(({ item }, i) => [item, done[i]]));
    // What the disk still has, this tab may read again.
    const mayComeBack = this.#loads > 0 || (edits.length > 0 && !done);
    const changed = changes.flatMap(({ item, to, isMoved }) => {
      const now = became?.has(item) ? became.get(item) : (to ?? item.record);
      if (!now) return [];
      item.record = now;
      if (became?.has(item)) item.stored = now;
      const isThere = this.has(item);
      if (!to || isMoved) this.#items.delete(item.id);
      if (to && isThere && isMoved) this.put(item);
      if (!to && mayComeBack) this.gone.add(item.id);
      return [item];
    });
    this.sort();
    if (done) this.#changed();
    return changed;
  }

  /** Takes items off at once, and deletes them as soon as they are stored. */
  forget(items: readonly Item[]): Promise<void> {
    for (const item of items) this.takeOff(item);
    const owner = this.owner ?? NOBODY;
    const ids = new Set(items.map(({ id }) => id));
    return this.afterStored(async () => {
      await this.guarded((db) => db.remove(ids, owner));
      this.forgetTakenOff((id) => ids.has(id));
      this.#changed();
    });
  }

  /** Waits until items are stored, or cannot be: only then their records are as the database has them. */
  async untilStored(items: readonly Item[]): Promise<void> {
    if (this.#db && items.some(({ isDurable }) => isDurable === undefined)) await this.#storing;
  }

  /** Does something when all is stored that was dispatched before. */
  afterStored(act: () => Promise<void>): Promise<void> {
    const done = this.#storing.then(act);
    this.#storing = this.#last(done.catch(() => undefined));
    return done;
  }

  async load(owner: string): Promise<Loaded | undefined> {
    this.#loads++;
    const isKnown = ({ id, revision }: StoredRecord): boolean => this.get(id)?.record.revision === revision;
    const loaded = await this.guarded((db) => db.load(owner, isKnown));
    this.#loads--;
    return loaded;
  }

  /** Takes the lead over the entries of an owner: whoever had it before can change nothing any more. */
  async lead(owner: string): Promise<void> {
    let epoch = await this.guarded((db) => db.lead(owner));
    if (epoch === undefined && this.#db) {
      // There is no room: under the number that there is, it leads all the same.
      this.storage = 'full';
      epoch = await this.guarded((db) => db.epoch(owner));
    }
    if (owner === this.owner) this.epoch = epoch ?? 0;
    await this.#storing;
  }

  async pause(pausedBy: 'user' | 'auth' | undefined): Promise<void> {
    await this.guarded((db) => db.pause(this.owner ?? NOBODY, pausedBy));
    this.#changed();
  }

  /** What the database does; what it throws is told, and undefined stands for it. */
  async guarded<Value>(act: (db: Database) => Promise<Value>): Promise<Value | undefined> {
    try {
      return this.#db && (await act(this.#db));
    } catch (error) {
      this.#tell(error);
      return undefined;
    }
  }

  #tell(error: unknown): void {
    guarded('onStorageError', () => this.#options.onStorageError?.(error));
    warnOnce(() => [
      `storage ${this.#options.name}`,
      `The outbox "${this.#options.name}" cannot store its writes, so they do not survive the tab: ${reasonOf(error)}`,
    ]);
  }
}
