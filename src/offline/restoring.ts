import { serialize } from '../store/running/failure.js';
import { creates, type Flight } from '../store/running/flight.js';
import { readerOf } from '../store/reading/StoreReader.js';
import { sameValue } from '../tables/same.js';
import { see } from './base.js';
import { EMPTY, wasAnswered, wasRefused } from './answers.js';
import { unpack } from './bodies.js';
import type { Loaded } from './Database.js';
import type { Desk } from './desk.js';
import { isAsIn, type StoredEntry, type StoredRecord } from './entries.js';
import { Item } from './Item.js';
import { markUnsent, mayBeDone } from './failing.js';
import { change, lay } from './laying.js';
import type { OutboxOptions } from './options.js';
import { NOBODY } from './owner.js';
import type { Change } from './Shelf.js';
import type { Unread } from './Tabs.js';

/** Makes what a tab knows what is stored: by another life of the tab, or by another tab. */

const noop = (): void => undefined;

/**
 * Reads what is stored, one reading after the other: of two at once, the later one would take what the earlier one finds for a change of this tab. One that
 * has not begun serves all who ask.
 */
export class Readings {
  readonly #desk: Desk;
  #last: Promise<void> = Promise.resolve();
  #next: { readonly owner: string; readonly reading: Promise<Loaded | undefined> } | undefined;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  of(owner: string): Promise<Loaded | undefined> {
    if (this.#next?.owner === owner) return this.#next.reading;
    const reading = this.#last.then(() => {
      this.#next = undefined;
      return read(this.#desk, owner);
    });
    this.#next = { owner, reading };
    this.#last = reading.then(noop, noop);
    return reading;
  }
}

/** Reads what is stored of an owner, and shows it; gives what was read, undefined where somebody else is there by now. */
async function read(desk: Desk, owner: string): Promise<Loaded | undefined> {
  const { shelf, standing } = desk;
  // Only what stays as it is here while the database is read may be told of by that.
  const before = new Map<Item, StoredRecord>();
  for (const item of shelf.all()) if (item.isDurable && !item.isSending) before.set(item, item.record);
  const isAsBefore = (item: Item): boolean => {
    const known = before.get(item);
    return !item.isSending && known !== undefined && isAsIn(known, item.record);
  };
  const [{ resets }, { pauses, isToldEarly }] = [shelf, standing];
  const loaded = await shelf.load(owner);
  if (!desk.isOf(owner) || resets !== shelf.resets || shelf.clearing > 0) return undefined;
  standing.isLoaded = true;
  if (!loaded) return undefined;
  if (isToldEarly) void shelf.pause(standing.pausedBy);
  else if (pauses === standing.pauses) standing.pausedBy = loaded.pausedBy;
  learn(desk, loaded);
  for (const stored of loaded.records) {
    const item = shelf.get(stored.id);
    if (item && isAsBefore(item)) renew(desk, item, stored, loaded);
  }
  await addNew(desk, loaded);
  const there = new Set(loaded.records.map(({ id }) => id));
  for (const item of shelf.all()) if (!there.has(item.id) && isAsBefore(item)) wasDone(desk, item);
  shelf.forgetTakenOff((id) => !there.has(id));
  // There may be room by now for what could not be deleted.
  void shelf.change([]);
  lay(desk);
  return loaded;
}

/** A tab that was killed before it told anybody has left the real ids of what it had created: who names it by a temporary id means these. */
function learn({ shelf, parts }: Desk, { ids: all }: Loaded): void {
  const known = readerOf(parts.store.slice).ids;
  // Of many, the latest are remembered.
  for (const { requestId, ids } of [...all].sort((one, other) => one.at - other.at)) {
    shelf.learn(requestId, ids);
    known.add(requestId, ids);
    for (const flight of parts.flights.resolve(requestId, ids)) change(parts, flight);
  }
}

/** Another tab has changed it, or a newer version of the app, which sends it in its own form: whoever waits for it here hears what comes of that. */
function renew(desk: Desk, item: Item, stored: StoredRecord, loaded: Loaded): void {
  const isOther = isNewer(desk, stored);
  const { status, revision, base, baseAt = 0, seen } = item.record;
  item.record = item.stored = stored;
  if (isOther) item.send = undefined;
  else if (stored.revision !== revision) renewBody(desk, item, restored(desk, stored, loaded.files));
  // What was confirmed since is not stored of each.
  else if (baseAt > (stored.baseAt ?? 0)) item.record = { ...stored, base, baseAt, seen };
  if (item.flight) renewStatus(desk, item, item.flight, status);
  // What has failed is for that version.
  if (isOther && !item.flight) desk.shelf.drop(item, 'newer version');
}

/** It is to send something else. */
function renewBody({ parts }: Desk, item: Item, { record, args, files }: Item): void {
  const isOther = !sameValue(args, item.args);
  Object.assign(item, { record, args, files });
  const { flight } = item;
  if (flight && isOther) change(parts, flight, args);
  if (flight && record.seen) see(flight, record.seen);
}

/** Its request stands as another tab has left it. */
function renewStatus(desk: Desk, item: Item, flight: Flight, was: StoredRecord['status']): void {
  const { parts } = desk;
  const { status } = item.record;
  if (mayBeDone(item.record)) flight.mayBeDoneSince ??= flight.sent ?? parts.store.nextSeq();
  else if (status !== 'failed') markUnsent(flight);
  if (status === was) return;
  const isPutOff = was === 'sent' && flight.mayBeDoneSince === undefined;
  if (status === 'failed') wasRefused(desk, item);
  else if (status === 'unknown') parts.landings.doubt(flight);
  // What is created, and waits, shows in lists that were read meanwhile, too.
  else if (was === 'unknown' || (isPutOff && creates(flight))) change(parts, flight);
}

/** What is not known here yet. */
async function addNew(desk: Desk, loaded: Loaded): Promise<void> {
  const { options, shelf } = desk;
  const edits: Change[] = [];
  shelf.hasNewer = loaded.records.some((stored) => isNewer(desk, stored));
  const gone = new Set<string>();
  /** Those of another owner from now on. */
  const moved: string[] = [];
  for (const stored of loaded.records) {
    // What a newer version of the app has stored waits for that.
    if (isNewer(desk, stored) || shelf.gone.has(stored.id) || shelf.get(stored.id)) continue;
    const isOrphan = isWhole(stored) && stored.dependsOn.some((id) => gone.has(id));
    const record = isOrphan ? undefined : migrated(options, stored);
    const item = Object.assign(restored(desk, record ?? stored, loaded.files), { stored });
    if (!record) gone.add(stored.id);
    else if ((record.owner ?? NOBODY) === (stored.owner ?? NOBODY)) shelf.put(item);
    else moved.push(stored.id);
    if (!record || item.record !== stored) edits.push({ item, to: record && item.record });
  }
  // Another tab would take what is gone for done.
  if (gone.size + moved.length > 0) desk.tell({ type: 'gone', ids: [...gone, ...moved] });
  if (edits.length > 0) await shelf.change(edits);
}

/** What was done before this tab has read of it, or by a newer version of the app, as if it had; undefined where it has, or where this version knows it no more. */
export function unreadOf(desk: Desk, { record, files }: Unread): Item | undefined {
  const { options, shelf, standing } = desk;
  const known = standing.isLoaded && !shelf.gone.has(record.id) && migrated(options, record);
  if (!known) return undefined;
  const item = restored(desk, known, new Map([[record.id, files]]));
  shelf.put(item);
  lay(desk, [item]);
  return item;
}

function isNewer({ options: { version = 1 } }: Desk, stored: StoredRecord): boolean {
  return stored.version > version;
}

/** What this version of the app understands, or what a newer one has stored; undefined for what it knows no more. */
function migrated({ version = 1, migrate }: OutboxOptions, stored: StoredRecord): StoredRecord | undefined {
  if (stored.version >= version || !migrate) return stored;
  try {
    const entry: StoredEntry | undefined = migrate(stored, stored.version);
    // What was not sent is another revision: a tab of the older version sends the old one no more.
    const revision = stored.sentAt === undefined ? stored.revision + 1 : stored.revision;
    return entry && { ...stored, ...entry, version, revision };
  } catch (error) {
    return { ...stored, status: 'failed', error: serialize(error) };
  }
}

/** An entry is gone, and nobody has said why: it was done. */
function wasDone(desk: Desk, item: Item): void {
  const { flight } = item;
  wasAnswered(desk, item, EMPTY);
  // What else its answer told, nobody knows.
  if (flight)
    void flight.settled.then(() => {
      desk.parts.landings.doubt(flight);
    });
}

/** A write as it was stored; one that cannot be read has failed. */
function restored({ shelf }: Desk, stored: StoredRecord, all: Loaded['files']): Item {
  const files = all.get(stored.id) ?? [];
  let args: readonly unknown[] = [];
  let record = stored;
  try {
    if (!isWhole(stored)) throw new TypeError('It cannot be read.');
    args = shelf.realArgs(unpack({ args: stored.args, files }), stored);
  } catch (error) {
    const nothing = { dependsOn: [], rows: [], lists: [], base: [] };
    record = { ...stored, ...nothing, status: 'failed', error: stored.error ?? serialize(error) };
  }
  return Object.assign(new Item(record, args), { isDurable: true, files });
}

function isWhole({ dependsOn, rows, lists, base }: StoredRecord): boolean {
  return [dependsOn, rows, lists, base].every(Array.isArray);
}
