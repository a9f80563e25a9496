/** What the store hands over: a write becomes an item, and is stored in the order of dispatches. */
import type { RunResult } from '../store/endpoint.js';
import type { Flight } from '../store/running/flight.js';
import type { Send } from '../store/running/keeping.js';
import { send as sendItem } from './answers.js';
import { forget } from './byHand.js';
import type { Desk } from './desk.js';
import { markUnsent } from './failing.js';
import { Item } from './Item.js';
import { askOwner } from './owner.js';
import { isDurable, recordOf } from './recording.js';
import { renewBase } from './renewing.js';
import { maySendAtOnce } from './sending.js';
import { sentRecord } from './Standing.js';

/** Takes a write; undefined for one that is sent as without an outbox. */
export function take(desk: Desk, flight: Flight, send: Send): Promise<RunResult> | undefined {
  const { shelf, pump } = desk;
  const known = shelf.get(flight.meta.requestId);
  const item = known ?? made(desk, flight);
  if (!item) {
    // What is kept may wait for it: in its line, or for the id that it gives.
    void flight.settled.then(pump);
    return undefined;
  }
  Object.assign(item, { flight, send });
  flight.cancellation.signal.addEventListener('abort', () => {
    if (item.flight !== flight) return;
    const { sentAt, isInDoubt } = item.record;
    // What was sent in another life, by another tab, or without a clear answer may have been done.
    if (sentAt !== undefined && (isInDoubt || !item.isSending)) flight.sent ??= desk.parts.store.nextSeq();
    // Its hooks are not done yet.
    else if (!flight.isOnWire) markUnsent(flight);
    void forget(desk, item);
  });
  void flight.settled.then(() => {
    void renewBase(desk, shelf.rowsOf(item));
    pump();
  });
  const promise = new Promise<RunResult>((resolve, reject) => Object.assign(item, { resolve, reject }));
  if (!known) store(desk, item);
  return promise;
}

/** A write to keep; undefined for what is sent as without an outbox. */
function made(desk: Desk, flight: Flight): Item | undefined {
  const { options, parts, shelf, standing } = desk;
  if (standing.isClosed || !isDurable(flight, desk.endpoints)) return undefined;
  const owner = standing.isLoaded ? shelf.owner : askOwner(desk);
  if (owner === undefined) return undefined;
  const record = recordOf(flight, parts, { version: options.version ?? 1, owner: owner || undefined });
  const item = new Item(record, flight.args);
  // The create of what it names is this tab's alone, so no other tab can send it.
  if (record.dependsOn.some((id) => parts.flights.get(id) && !shelf.get(id))) item.isDurable = false;
  return item;
}

/** Stores a write in the order of dispatches, then sends it, or lets it wait its turn. */
function store(desk: Desk, item: Item): void {
  const { shelf, standing } = desk;
  item.isSending = maySendAtOnce(desk, item);
  shelf.put(item);
  if (item.isSending) item.record = sentRecord(item.record);
  void shelf.store(item).then(() => {
    if (!shelf.has(item)) return;
    desk.seek();
    // Another tab may lead by now: then it was stored as one that waits its turn.
    item.isSending &&= item.record.status === 'sent';
    if (item.isSending) void sendItem(desk, item);
    desk.pump();
  });
  standing.publish();
}
