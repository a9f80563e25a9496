import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction } from 'idb';
import type { StoredFile } from './bodies.js';
import type { StoredRecord } from './entries.js';

/** The form of the database; one of a newer form is not touched. */
const FORMAT = 1;

/** Real ids of creates are kept so long, in ms. */
const IDS_LIFE = 7 * 24 * 60 * 60 * 1_000;

/** The real ids of one create, as its answer wrote them. */
export interface StoredIds {
  readonly requestId: string;
  readonly owner: string;
  readonly ids: readonly unknown[];
  /** ms since the epoch. */
  readonly at: number;
}

interface Schema extends DBSchema {
  entries: { key: number; value: StoredRecord & { readonly owner: string }; indexes: { owner: string } };
  files: { key: string; value: readonly StoredFile[] };
  ids: { key: string; value: StoredIds; indexes: { owner: string } };
  meta: { key: string; value: unknown };
}

type Stores = ['entries', 'files', 'ids', 'meta'];
type Transaction = IDBPTransaction<Schema, Stores, 'readwrite'>;

/** What is stored for one owner. */
export interface Loaded {
  readonly records: readonly StoredRecord[];
  readonly files: ReadonlyMap<string, readonly StoredFile[]>;
  readonly ids: readonly StoredIds[];
  readonly pausedBy: 'user' | 'auth' | undefined;
}

/** One thing to write: it is done only where the entry is still there in that revision. */
export interface Edit {
  readonly of: StoredRecord;
  /** What it becomes; undefined: it is gone. */
  readonly to: StoredRecord | undefined;
  /** It goes to the end of the line. */
  readonly isMoved?: boolean;
  /** Its files, where they are others than before. */
  readonly files?: readonly StoredFile[];
  readonly ids?: StoredIds | undefined;
}

const stores: Stores = ['entries', 'files', 'ids', 'meta'];

/** The database of an outbox. Each method is one transaction. */
export class Database {
  readonly #db: IDBPDatabase<Schema>;

  private constructor(db: IDBPDatabase<Schema>) {
    this.#db = db;
  }

  /** Rejects where there is no database, or one of a newer form. */
  static async open(name: string, gone: () => void): Promise<Database> {
    const db: IDBPDatabase<Schema> = await openDB<Schema>(`rtk-resource/offline/${name}`, FORMAT, {
      upgrade: (fresh) => {
        fresh.createObjectStore('entries', { keyPath: 'n', autoIncrement: true }).createIndex('owner', 'owner');
        fresh.createObjectStore('files');
        fresh.createObjectStore('ids', { keyPath: 'requestId' }).createIndex('owner', 'owner');
        fresh.createObjectStore('meta');
      },
      blocking: () => {
        db.close();
        gone();
      },
      terminated: gone,
    });
    return new Database(db);
  }

  close(): void {
    this.#db.close();
  }

  async load(owner: string): Promise<Loaded> {
    const tx = this.#db.transaction(stores);
    const [records, ids, pausedBy, keys] = await Promise.all([
      tx.objectStore('entries').index('owner').getAll(owner),
      tx.objectStore('ids').index('owner').getAll(owner),
      tx.objectStore('meta').get(`paused ${owner}`),
      tx.objectStore('files').getAllKeys(),
    ]);
    const withFiles = new Set(keys);
    const files = new Map<string, readonly StoredFile[]>();
    const read = async (id: string): Promise<unknown> => files.set(id, (await tx.objectStore('files').get(id)) ?? []);
    await Promise.all(records.flatMap(({ id }) => (withFiles.has(id) ? [read(id)] : [])));
    records.sort((one, other) => Number(one.n) - Number(other.n));
    return { records, files, ids, pausedBy: pausedBy === 'user' || pausedBy === 'auth' ? pausedBy : undefined };
  }

  /** Takes the lead: whoever had it before can change nothing any more. */
  async lead(owner: string): Promise<number> {
    const tx = this.#write();
    const meta = tx.objectStore('meta');
    const epoch = Number((await meta.get(`epoch ${owner}`)) ?? 0) + 1;
    await meta.put(epoch, `epoch ${owner}`);
    await tx.done;
    return epoch;
  }

  /** Stores a write, and gives its place. One that is marked as sent is so only under this epoch. */
  async add(record: StoredRecord, owner: string, files: readonly StoredFile[], epoch: number): Promise<StoredRecord> {
    const tx = this.#write();
    const isFenced = record.status === 'sent' && (await tx.objectStore('meta').get(`epoch ${owner}`)) !== epoch;
    const added = { ...record, ...(isFenced && { status: 'queued' as const }), owner };
    const n = await tx.objectStore('entries').add(added);
    if (files.length > 0) await tx.objectStore('files').put(files, record.id);
    await tx.done;
    return { ...added, n };
  }

  /** Changes what is still there in the same revision, under this epoch; gives what each has become, undefined where it was not there. */
  async edit(edits: readonly Edit[], owner: string, epoch?: number): Promise<readonly (StoredRecord | undefined)[]> {
    const tx = this.#write();
    const isFenced = epoch !== undefined && (await tx.objectStore('meta').get(`epoch ${owner}`)) !== epoch;
    const done: (StoredRecord | undefined)[] = [];
    for (const one of edits) done.push(isFenced ? undefined : await editOne(tx, one, owner));
    await tx.done;
    return done;
  }

  async pause(owner: string, pausedBy: 'user' | 'auth' | undefined): Promise<void> {
    const tx = this.#write();
    if (pausedBy) await tx.objectStore('meta').put(pausedBy, `paused ${owner}`);
    else await tx.objectStore('meta').delete(`paused ${owner}`);
    await tx.done;
  }

  /** Deletes all of some owners. */
  async clear(owners: readonly string[]): Promise<void> {
    const tx = this.#write();
    for (const owner of owners) {
      for (const { n = 0, id } of await tx.objectStore('entries').index('owner').getAll(owner)) {
        await tx.objectStore('entries').delete(n);
        await tx.objectStore('files').delete(id);
      }
      for (const { requestId } of await tx.objectStore('ids').index('owner').getAll(owner))
        await tx.objectStore('ids').delete(requestId);
      await tx.objectStore('meta').delete(`paused ${owner}`);
    }
    await tx.done;
  }

  /** Forgets real ids that nobody can name any more. */
  async tidy(ids: readonly StoredIds[], now: number): Promise<void> {
    const old = ids.filter(({ at }) => at + IDS_LIFE < now);
    if (old.length === 0) return;
    const tx = this.#write();
    for (const { requestId } of old) await tx.objectStore('ids').delete(requestId);
    await tx.done;
  }

  #write(): Transaction {
    return this.#db.transaction(stores, 'readwrite');
  }
}

async function editOne(
  tx: Transaction,
  { of, to, isMoved, files, ids }: Edit,
  owner: string,
): Promise<StoredRecord | undefined> {
  const { n = -1 } = of;
  const entries = tx.objectStore('entries');
  const there = await entries.get(n);
  if (there?.revision !== of.revision) return undefined;
  if (ids) await tx.objectStore('ids').put(ids);
  if (!to || isMoved) await entries.delete(n);
  if (!to) {
    await tx.objectStore('files').delete(of.id);
    return of;
  }
  if (files) await tx.objectStore('files').put(files, of.id);
  const { n: _, ...rest } = to;
  if (isMoved) return { ...to, n: await entries.add({ ...rest, owner }) };
  await entries.put({ ...to, owner });
  return to;
}
