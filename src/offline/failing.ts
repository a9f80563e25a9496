/** What has failed for good: it is kept with its text, and nobody waits for it any more. */
import { resourceError } from '../errors.js';
import { serialize } from '../store/running/failure.js';
import type { Flight } from '../store/running/flight.js';
import type { KeeperParts } from '../store/running/keeping.js';
import type { Desk } from './desk.js';
import type { StoredRecord } from './entries.js';
import type { Item } from './Item.js';
import type { Change } from './Shelf.js';

/** It is refused for good: it is kept with its text, and what depends on it with it. */
export async function failed(desk: Desk, item: Item, record: StoredRecord, error: unknown): Promise<void> {
  const { shelf } = desk;
  const orphans = shelf.dependants([item.id]);
  await shelf.untilStored([item, ...orphans]);
  const changed = await failAll(desk, [{ item, record, error }, ...orphans.map(asOrphan)], true);
  if (changed === 0) desk.retreat();
}

/** Writes that name an item of which nobody knows whether it was created, and that is kept no more: they stay with their text. */
export async function failOrphans(desk: Desk, orphans: readonly Item[]): Promise<void> {
  await desk.shelf.untilStored(orphans);
  await failAll(desk, orphans.map(asOrphan));
}

interface Failing {
  readonly item: Item;
  readonly record: StoredRecord;
  readonly error: unknown;
}

function asOrphan(item: Item): Failing {
  const { record } = item;
  return { item, record, error: resourceError('R14', record.endpointName) };
}

/** Gives how many have failed: what is gone, or was changed by another tab meanwhile, has not. */
async function failAll(desk: Desk, failing: readonly Failing[], asLeader = false): Promise<number> {
  const { shelf, standing } = desk;
  const changes = failing.map(({ item, record, error }): Change => ({
    item,
    to: { ...record, status: 'failed', error: serialize(error) },
  }));
  const changed = await shelf.change(changes, asLeader);
  for (const { item, error } of failing) if (changed.includes(item)) fail(desk, item, error);
  standing.publish();
  return changed.length;
}

/** Whoever waits for it is told, and it stays with its text, without a request. */
export function fail({ parts }: Desk, item: Item, error: unknown): void {
  noteDoubt(parts, item);
  item.reject(error);
  item.rest();
}

/** Whether the server may have done what is stored: it was not heard of since it was sent. */
export function mayBeDone({ status, isInDoubt }: StoredRecord): boolean {
  return status === 'sent' || isInDoubt === true;
}

/** An earlier try may have been done. */
export function noteDoubt({ store }: KeeperParts, { flight, record }: Item): void {
  if (!flight || !record.isInDoubt) return;
  flight.isResent = true;
  flight.sent ??= store.nextSeq();
  flight.mayBeDoneSince ??= flight.sent;
}

/** It is as if it was not sent. */
export function markUnsent(flight: Flight): void {
  flight.sent = flight.sentTables = flight.mayBeDoneSince = undefined;
}
