import { resourceError } from '../errors.js';
import { splitArgs } from '../rest/internal.js';
import { sameValue } from '../tables/same.js';
import { madeAnew } from './answers.js';
import { pack, readAll, withRead, type Packed } from './bodies.js';
import type { Desk } from './desk.js';
import type { StoredRecord } from './entries.js';
import { failOrphans, markUnsent } from './failing.js';
import type { Item } from './Item.js';
import { change, lay } from './laying.js';
import { reachOf } from './recording.js';

/** What the user does with what is kept: sends it again, gives it another body, forgets it. */

/** One write, or all that have failed. */
export function retry(desk: Desk, id?: string): Promise<void> {
  const isMeant = ({ id: own, record: { status } }: Item): boolean =>
    id === undefined ? status === 'failed' : own === id && status !== 'sent';
  return sendAgain(desk, desk.shelf.all().filter(isMeant));
}

export async function discard(desk: Desk, id: string): Promise<void> {
  const item = desk.shelf.get(id);
  if (item) await forget(desk, item);
}

export async function edit(desk: Desk, id: string, body: unknown): Promise<void> {
  const item = desk.shelf.get(id);
  if (!item) throw resourceError('R43', id, 'gone');
  // One after the other: each is an edit of what the one before has left.
  const edited = item.edited.then(() => editOne(desk, item, body));
  item.edited = edited.catch(() => undefined);
  await edited;
}

async function editOne(desk: Desk, item: Item, body: unknown): Promise<void> {
  refuseSent(item);
  refuseBodiless(desk, item);
  const given = [...item.args.slice(0, -1), body];
  const { args: plain, blobs } = pack(given);
  const packed = { args: plain, files: await readAll(blobs) };
  const args = withRead(given, packed);
  await desk.shelf.untilStored([item]);
  // It may have been sent while a file was read.
  refuseSent(item);
  if (item.record.status === 'failed') {
    Object.assign(item, { args, files: packed.files });
    await sendAgain(desk, [item], packed.args);
  } else await editUnsent(desk, item, args, packed);
  await renewReach(desk, item);
  desk.pump();
}

async function editUnsent(desk: Desk, item: Item, args: readonly unknown[], packed: Packed): Promise<void> {
  const { shelf, parts } = desk;
  const { record, files } = item;
  item.files = packed.files;
  const to = { ...record, args: packed.args, revision: record.revision + 1 };
  const [edited] = await shelf.change([{ item, to, hasNewFiles: true }]);
  if (!edited) {
    item.files = files;
    desk.retreat();
    throw resourceError('R43', item.id, 'sent');
  }
  item.args = args;
  if (item.flight) change(parts, item.flight, args);
}

/** What was edited may name other rows, and other items that are still to be created. */
async function renewReach({ shelf, parts }: Desk, item: Item): Promise<void> {
  const flight = parts.flights.get(item.id);
  if (!flight || !shelf.has(item)) return;
  const reach = reachOf(flight, parts.store.slice);
  const isAsBefore = Object.entries(reach).every(([name, value]) =>
    sameValue(value, item.record[name as keyof typeof reach]),
  );
  if (!isAsBefore) await shelf.change([{ item, to: { ...item.record, ...reach } }]);
}

function refuseSent({ id, isUnsent, isSending, isTaken, record: { status } }: Item): void {
  if (status === 'failed' || isUnsent) return;
  throw resourceError('R43', id, isSending || isTaken ? 'sent' : status);
}

/** What was called without a body, as a deletion, has none to edit: its last argument says which row it is about. */
function refuseBodiless({ endpoints }: Desk, { id, args, record: { endpointName } }: Item): void {
  const endpoint = endpoints.get(endpointName);
  if (endpoint && splitArgs(endpoint, args)[1] === undefined) throw resourceError('R44', id, endpointName);
}

/** Sends again: what has failed goes to the end of the line as a new sending, and what depends on it, and was not sent, with it. */
async function sendAgain(desk: Desk, items: readonly Item[], args?: readonly unknown[]): Promise<void> {
  const { shelf, standing, parts } = desk;
  const isFailed = ({ record }: Item): boolean => record.status === 'failed';
  const ids = items.filter(isFailed).map(({ id }) => id);
  const ends = new Set([
    ...items.filter(isFailed),
    ...shelf.dependants(ids, (item) => isFailed(item) || item.isUnsent),
  ]);
  const rest = items.filter((item) => !isFailed(item));
  await shelf.untilStored([...rest, ...ends]);
  const inDoubt = rest.flatMap(({ record, flight }) => (record.status === 'unknown' && flight ? [flight] : []));
  const changed = await shelf.change([
    ...rest.map((item) => ({ item, to: { ...item.record, ...sentAnew(item.record) } })),
    // They stay in the order in which they were.
    ...shelf.all().flatMap((item) => {
      if (!ends.has(item)) return [];
      const edited = args && items.includes(item) && { args };
      return [{ item, to: { ...madeAnew(item.record), ...edited }, isMoved: true, hasNewFiles: edited !== undefined }];
    }),
  ]);
  // Another tab has done something with them meanwhile.
  if (changed.length < rest.length + ends.size) desk.retreat();
  lay(desk);
  // Who sends again what nobody knows of takes it for not done.
  for (const flight of inDoubt) {
    markUnsent(flight);
    change(parts, flight);
  }
  standing.find();
  desk.seek();
  desk.pump();
}

/** What was sent waits to be sent again; its key counts as young from now on, for whoever asks for that takes it on. */
function sentAnew({ status, sentAt }: StoredRecord): Partial<StoredRecord> {
  return {
    status: 'waiting',
    // Who sends again what nobody knows of has decided that.
    ...(status === 'unknown' && { isInDoubt: undefined }),
    nextAt: undefined,
    ...(sentAt !== undefined && { sentAt: Date.now() }),
  };
}

/** It is forgotten, with what depends on it and was not sent; what depends on something that was sent, and may have been done, stays with its text. */
export async function forget(desk: Desk, item: Item): Promise<void> {
  const { shelf } = desk;
  if (!shelf.has(item)) return;
  const orphans = shelf.dependants([item.id]);
  const gone = item.record.sentAt !== undefined ? [item] : [item, ...orphans];
  const stored = shelf.forget(gone);
  desk.tell({ type: 'gone', ids: gone.map(({ id }) => id) });
  const left = orphans.filter((one) => !gone.includes(one));
  const failing = left.length > 0 ? failOrphans(desk, left) : undefined;
  for (const one of gone) one.flight?.cancellation.abort('discarded');
  desk.pump();
  await stored;
  await failing;
}
