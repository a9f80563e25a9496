import { serialize } from '../store/running/failure.js';
import { withReal } from '../store/order/temporaryIds.js';
import type { KeeperParts } from '../store/running/keeping.js';
import { sameValue } from '../tables/changes.js';
import type { Answers } from './Answers.js';
import { EMPTY } from './Answers.js';
import { unpack } from './bodies.js';
import type { Loaded } from './Database.js';
import type { StoredEntry, StoredRecord } from './entries.js';
import { Item } from './Item.js';
import { change, doubt, lay } from './laying.js';
import type { OutboxOptions } from './options.js';
import type { RestWrite } from './recording.js';
import type { Change, Shelf } from './Shelf.js';
import type { Standing } from './Standing.js';

/** Makes what a tab knows what is stored: by another life of the tab, or by another tab. */
export class Restoring {
  readonly #options: OutboxOptions;
  readonly #parts: KeeperParts;
  readonly #endpoints: ReadonlyMap<string, RestWrite>;
  readonly #shelf: Shelf;
  readonly #standing: Standing;
  readonly #answers: Answers;

  constructor(
    options: OutboxOptions,
    parts: KeeperParts,
    endpoints: ReadonlyMap<string, RestWrite>,
    { shelf, standing, answers }: { readonly shelf: Shelf; readonly standing: Standing; readonly answers: Answers },
  ) {
    this.#options = options;
    this.#parts = parts;
    this.#endpoints = endpoints;
    this.#shelf = shelf;
    this.#standing = standing;
    this.#answers = answers;
  }

  /** Reads what is stored of an owner, and shows it; gives what was read, undefined where somebody else is there by now. */
  async read(owner: string): Promise<Loaded | undefined> {
    const shelf = this.#shelf;
    // Only what stays as it is here while the database is read may be told of by that.
    const before = new Map<Item, StoredRecord>();
    for (const item of shelf.all()) if (item.isDurable && !item.isSending) before.set(item, item.record);
    const loaded = await shelf.load(owner);
    if (owner !== shelf.owner || this.#standing.isClosed) return undefined;
    this.#standing.isLoaded = true;
    if (!loaded) return undefined;
    this.#standing.pausedBy = loaded.pausedBy;
    const isAsBefore = (item: Item): boolean => !item.isSending && before.get(item) === item.record;
    const fresh = this.#renew(loaded, isAsBefore);
    const added = await this.#add(loaded);
    const there = new Set(loaded.records.map(({ id }) => id));
    for (const item of shelf.all()) if (!there.has(item.id) && isAsBefore(item)) this.#wasDone(item);
    shelf.forgetTakenOff((id) => !there.has(id));
    shelf.sort();
    this.lay([...fresh, ...added].filter((item) => shelf.has(item)));
    return loaded;
  }

  /** What other tabs have changed; gives what is to be laid anew. */
  #renew({ records, files, ids }: Loaded, isAsBefore: (item: Item) => boolean): readonly Item[] {
    return records.flatMap((stored) => {
      const item = this.#shelf.get(stored.id);
      if (!item || !isAsBefore(item)) return [];
      const isRevised = stored.revision !== item.record.revision;
      return isRevised ? this.#revised(item, restored(stored, files, ids)) : this.#became(item, stored);
    });
  }

  /** It sends something else, or is sent anew. */
  #revised(item: Item, { record, args, files }: Item): readonly Item[] {
    if (!item.flight) this.#shelf.put(Object.assign(new Item(record, args), { isDurable: true, files }));
    else {
      Object.assign(item, { record, files });
      if (!sameValue(args, item.args)) change(this.#parts, item.flight, args);
    }
    const now = this.#shelf.get(record.id);
    return now && record.status !== 'failed' ? [now] : [];
  }

  #became(item: Item, stored: StoredRecord): readonly Item[] {
    const { status } = item.record;
    item.record = { ...stored, args: item.record.args };
    if (stored.status === status) return [];
    if (stored.status === 'failed') this.#answers.wasRefused(item, stored.error);
    else if (stored.status === 'unknown' && item.flight) doubt(this.#parts, item.flight);
    else if (status === 'unknown' && item.flight) change(this.#parts, item.flight);
    return [];
  }

  /** What is not known here yet. */
  async #add({ records, files, ids }: Loaded): Promise<readonly Item[]> {
    const edits: Change[] = [];
    const gone = new Set<string>();
    const fresh = records.flatMap((stored) => {
      if (!this.#isNew(stored)) return [];
      const isOrphan = isWhole(stored) && stored.dependsOn.some((id) => gone.has(id));
      const record = isOrphan ? undefined : this.#migrated(stored);
      const item = restored(record ?? stored, files, ids);
      if (!record || item.record !== stored) edits.push({ item, to: record && item.record });
      if (record) return [item];
      gone.add(stored.id);
      return [];
    });
    for (const item of fresh) this.#shelf.put(item);
    if (edits.length > 0) await this.#shelf.change(edits);
    return fresh;
  }

  /** What a newer version of the app has stored waits for that. */
  #isNew({ id, version }: StoredRecord): boolean {
    const { version: own = 1 } = this.#options;
    return !(version > own) && !this.#shelf.wasTakenOff(id) && !this.#shelf.get(id);
  }

  /** What this version of the app understands; undefined for what it knows no more. */
  #migrated(stored: StoredRecord): StoredRecord | undefined {
    const { version = 1, migrate } = this.#options;
    if (stored.version === version || !migrate) return stored;
    try {
      const entry: StoredEntry | undefined = migrate(stored, stored.version);
      return entry && { ...stored, ...entry, version };
    } catch (error) {
      return { ...stored, status: 'failed', error: serialize(error) };
    }
  }

  /** Shows writes of another time or another tab, and how the outbox stands, in one action. */
  lay(items: readonly Item[]): void {
    const writes = items.flatMap((item) => {
      const { id, endpointName, key, createdAt, base, seen, status, rows, dependsOn } = item.record;
      const endpoint = this.#endpoints.get(endpointName);
      if (!endpoint || status === 'failed') return [];
      if (!item.flight) item.isLaid = true;
      const about = { requestId: id, endpoint, args: item.args, key, startedTimeStamp: createdAt, base, seen };
      return [{ ...about, rows, dependsOn, isHidden: status === 'unknown' }];
    });
    if (writes.length === 0) {
      this.#standing.publish();
      return;
    }
    const outbox = this.#standing.describe();
    this.#standing.tells(outbox);
    lay(this.#parts, writes, outbox);
  }

  /** An entry is gone, and nobody has said why: it was done. */
  #wasDone(item: Item): void {
    const { flight } = item;
    this.#answers.wasAnswered(item, EMPTY);
    // What else its answer told, nobody knows.
    if (flight)
      void flight.settled.then(() => {
        doubt(this.#parts, flight);
      });
  }
}

/** A write as it was stored; one that cannot be read has failed. */
function restored(record: StoredRecord, stored: Loaded['files'], ids: Loaded['ids']): Item {
  const files = stored.get(record.id) ?? [];
  let args: readonly unknown[] = [];
  let read = record;
  try {
    if (!isWhole(record)) throw new TypeError('It cannot be read.');
    args = unpack({ args: record.args, files });
    for (const { requestId, ids: real } of ids)
      if (record.dependsOn.includes(requestId)) args = withReal(args, requestId, real);
  } catch (error) {
    const nothing = { dependsOn: [], rows: [], lists: [], base: [] };
    read = { ...record, ...nothing, status: 'failed', error: record.error ?? serialize(error) };
  }
  return Object.assign(new Item(read, args), { isDurable: true, files });
}

function isWhole({ dependsOn, rows, lists, base }: StoredRecord): boolean {
  return [dependsOn, rows, lists, base].every(Array.isArray);
}
