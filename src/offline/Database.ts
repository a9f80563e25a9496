import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction } from 'idb';
import type { StoredFile } from './bodies.js';
import { isAsIn, type StoredRecord } from './entries.js';
import { NOBODY } from './owner.js';

/** The form of the database; one of a newer form is not touched. */
const FORMAT = 1;

/** So long the browser may take to open it, in ms: some never answer until they are started anew. */
const OPENING = 5_000;

/** Real ids of creates are kept so long, in ms. */
const IDS_LIFE = 7 * 24 * 60 * 60 * 1_000;

/** The real ids of one create, as its answer wrote them. */
interface StoredIds {
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
  /** Those of what was not known yet. */
  readonly files: ReadonlyMap<string, readonly StoredFile[]>;
  readonly ids: readonly StoredIds[];
  readonly pausedBy: 'user' | 'auth' | undefined;
}

/** One thing to write. */
export interface Edit {
  /** What it is about; nothing is done where that is not there any more, or stands otherwise. Undefined: it is new. */
  readonly of: StoredRecord | undefined;
  /** What it becomes; undefined: it is gone. */
  readonly to: StoredRecord | undefined;
  /** It goes to the end of the line. */
  readonly isMoved?: boolean;
  /** Its files, where they are others than before. */
  readonly files?: readonly StoredFile[] | undefined;
  readonly ids?: StoredIds | undefined;
}

const stores: Stores = ['entries', 'files', 'ids', 'meta'];

/** The database of an outbox. Each method is one transaction. */
export class Database {
  readonly #db: IDBPDatabase<Schema>;
  /** Whether there was none before. */
  readonly isNew: boolean;

  private constructor(db: IDBPDatabase<Schema>, isNew: boolean) {
    this.#db = db;
    this.isNew = isNew;
  }

  /** Rejects where there is no database, one of a newer form, or one that does not open. `closed`: the browser has done that, as iOS does to a page in the background. */
  static async open(name: string, gone: () => void, closed: () => void): Promise<Database> {
    let isNew = false;
    const opening = openDB<Schema>(`rtk-resource/offline/${name}`, FORMAT, {
      upgrade: (fresh, _from, _to, tx) => {
        isNew = true;
        unheard(tx);
        fresh.createObjectStore('entries', { keyPath: 'n', autoIncrement: true }).createIndex('owner', 'owner');
        fresh.createObjectStore('files');
        fresh.createObjectStore('ids', { keyPath: 'requestId' }).createIndex('owner', 'owner');
        fresh.createObjectStore('meta');
      },
      blocking: () => {
        db.close();
        gone();
      },
      terminated: closed,
    });
    const db: IDBPDatabase<Schema> = await inTime(opening);
    return new Database(db, isNew);
  }

  close(): void {
    this.#db.close();
  }

  /** All of an owner, with the files of what is not known yet as it stands. */
  async load(owner: string, isKnown: (record: StoredRecord) => boolean): Promise<Loaded> {
    const tx = unheard(this.#db.transaction(stores));
    const [records, ids, pausedBy, keys] = await Promise.all([
      tx.objectStore('entries').index('owner').getAll(owner),
      tx.objectStore('ids').index('owner').getAll(owner),
      tx.objectStore('meta').get(`paused ${owner}`),
      tx.objectStore('files').getAllKeys(),
    ]);
    const withFiles = new Set(keys);
    const files = new Map<string, readonly StoredFile[]>();
    const read = async (id: string): Promise<unknown> => files.set(id, (await tx.objectStore('files').get(id)) ?? []);
    await Promise.all(records.flatMap((one) => (withFiles.has(one.id) && !isKnown(one) ? [read(one.id)] : [])));
    return { records, files, ids, pausedBy: pausedBy as Loaded['pausedBy'] };
  }

  /** Takes the lead: whoever had it before can change nothing any more. */
  lead(owner: string): Promise<number> {
    return this.#write(async (tx) => {
      const epoch = (await epochOf(tx, owner)) + 1;
      await tx.objectStore('meta').put(epoch, `epoch ${owner}`);
      return epoch;
    });
  }

  /** The number of the lead as it is. */
  epoch(owner: string): Promise<number> {
    return epochOf(unheard(this.#db.transaction(stores)), owner);
  }

  /**
   * Writes entries, and gives what each has become: undefined where nothing was done. Where this epoch is over, another tab leads: then nothing changes,
   * and what is new waits its turn.
   */
  edit(edits: readonly Edit[], owner: string, epoch?: number): Promise<readonly (StoredRecord | undefined)[]> {
    return this.#write(async (tx) => {
      const isOver = epoch !== undefined && (await epochOf(tx, owner)) !== epoch;
      const done: (StoredRecord | undefined)[] = [];
      for (const edit of edits) {
        const led = isOver ? unled(edit) : edit;
        done.push(led && (await editOne(tx, led)));
      }
      return done;
    });
  }

  /** Deletes entries by id, however they stand. */
  remove(ids: ReadonlySet<string>, owner: string): Promise<void> {
    return this.#write(async (tx) => {
      for (const of of await tx.objectStore('entries').index('owner').getAll(owner))
        if (ids.has(of.id)) await editOne(tx, { of, to: undefined });
    });
  }

  pause(owner: string, pausedBy: 'user' | 'auth' | undefined): Promise<void> {
    return this.#write(async (tx) => {
      await tx.objectStore('meta').put(pausedBy, `paused ${owner}`);
    });
  }

  /** Deletes all of some owners. */
  clear(owners: readonly string[]): Promise<void> {
    return this.#write(async (tx) => {
      for (const owner of owners) {
        for (const of of await tx.objectStore('entries').index('owner').getAll(owner))
          await editOne(tx, { of, to: undefined });
        for (const id of await tx.objectStore('ids').index('owner').getAllKeys(owner))
          await tx.objectStore('ids').delete(id);
        await tx.objectStore('meta').delete(`paused ${owner}`);
      }
    });
  }

  /** Forgets real ids that nobody can name any more. */
  async tidy({ records, ids }: Loaded): Promise<void> {
    const named = new Set(records.flatMap(({ dependsOn }) => dependsOn));
    const old = ids.filter(({ requestId, at }) => !named.has(requestId) && at + IDS_LIFE < Date.now());
    if (old.length === 0) return;
    await this.#write(async (tx) => {
      for (const { requestId } of old) await tx.objectStore('ids').delete(requestId);
    });
  }

  async #write<Value>(act: (tx: Transaction) => Promise<Value>): Promise<Value> {
    const tx = this.#db.transaction(stores, 'readwrite');
    const [value] = await Promise.all([act(tx), tx.done]);
    return value;
  }
}

/** Nobody waits for the end of a transaction: where it fails, who has asked something of it is told. */
function unheard<Tx extends { readonly done: Promise<void> }>(tx: Tx): Tx {
  tx.done.catch(() => undefined);
  return tx;
}

/** The database, if it opens in time; one that opens later is closed, for nobody waits for it any more. */
function inTime(opening: Promise<IDBPDatabase<Schema>>): Promise<IDBPDatabase<Schema>> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      reject(new Error(`indexedDB.open() has not answered for ${OPENING / 1_000} s.`));
      void opening.then((late) => {
        late.close();
      }, reject);
    };
    const timer = setTimeout(giveUp, OPENING);
    void opening.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}

async function epochOf(tx: IDBPTransaction<Schema, Stores, 'readonly' | 'readwrite'>, owner: string): Promise<number> {
  return Number((await tx.objectStore('meta').get(`epoch ${owner}`)) ?? 0);
}

/** What is left of an edit where another tab leads. */
function unled({ of, to, ...edit }: Edit): Edit | undefined {
  return of || !to ? undefined : { ...edit, of, to: { ...to, ...unsent } };
}

const unsent = { status: 'queued', attempts: 0, sentAt: undefined } as const;

async function editOne(tx: Transaction, { of, to, isMoved, files, ids }: Edit) {
  const entries = tx.objectStore('entries');
  const { n = -1 } = of ?? {};
  const stored = of && (await entries.get(n));
  if (of && !(stored && isAsIn(stored, of))) return undefined;
  if (ids) await tx.objectStore('ids').put(ids);
  if (of && (!to || isMoved)) await entries.delete(n);
  if (of && !to) await tx.objectStore('files').delete(of.id);
  if (!to) return of;
  if (files) await tx.objectStore('files').put(files, to.id);
  const { n: _, owner = NOBODY, ...rest } = to;
  if (!of || isMoved) return { ...to, n: await entries.add({ ...rest, owner }) };
  await entries.put({ ...to, n, owner });
  return { ...to, n };
}
