import { isNetworkError, NetworkError, ResourceError } from '../errors.js';
import { effectOf } from '../rest/about.js';
import { askedFor } from '../rest/retry.js';
import type { RunResult } from '../store/endpoint.js';
import { failureOf, serialize } from '../store/running/failure.js';
import { creates, type Flight } from '../store/running/flight.js';
import type { Sending } from '../store/running/keeping.js';
import { pack } from './bodies.js';
import {
  fateOf,
  isForgotten,
  isIntercepted,
  isPage,
  isSafe,
  isWanted,
  LOST,
  statusOf,
  type Fate,
  type Sent,
} from './decisions.js';
import type { Desk } from './desk.js';
import type { StoredRecord } from './entries.js';
import { fail, failed, markUnsent, noteDoubt } from './failing.js';
import type { Item } from './Item.js';
import { keyHeaders, keyOf, safetyOf } from './keys.js';
import { guarded } from './options.js';
import { seenBy } from './base.js';
import { change } from './laying.js';
import { endpointOf, idsOf, reachOf, type RestWrite } from './recording.js';
import { NOBODY } from './owner.js';

/** An answer without a body. */
export const EMPTY: RunResult = { response: null, isOpaque: false, isJson: true };

/** What has come of one sending. */
interface Wire {
  /** The status of the last response; undefined where none came. */
  status?: number | undefined;
  /** The last response, where it is a page. */
  page?: Response | undefined;
  /** How often the outbox had been paused and resumed when it was sent. */
  readonly pauses: number;
}

/** Sends an item that is marked as sent, and does what its answer means. */
export async function send(desk: Desk, item: Item): Promise<void> {
  const { flight, record } = item;
  if (!flight || !item.send || isOver(desk, item, flight)) return;
  item.isSending = true;
  desk.standing.publish();
  const wire: Wire = { pauses: desk.standing.pauses };
  flight.isOnWire = false;
  noteDoubt(desk.parts, item);
  let result: RunResult;
  try {
    result = await item.send(sendingOf(desk, record, wire));
    refusePage(endpointOf(desk, item), result, wire);
  } catch (error) {
    if (isOver(desk, item, flight)) await left(desk, item, record, wire);
    else await refused(desk, item, record, error, wire);
    return;
  }
  heard(desk);
  await done(desk, item, record, result);
}

function sendingOf({ options, parts: { fetchFn = fetch } }: Desk, record: StoredRecord, wire: Wire): Sending {
  const { endpointName } = record;
  const key = keyOf(record);
  return {
    isKept: true,
    idempotencyKey: key,
    keyHeaders: (url) => keyHeaders(options, key, { endpointName, url }),
    fetchFn: async (...request) => {
      wire.status = undefined;
      const response = await fetchFn(...request);
      wire.status = response.status;
      wire.page = isPage(response) ? response : undefined;
      return response;
    },
  };
}

/** What a captive portal shows is no answer to a write that nothing describes, unless text was asked for. */
function refusePage({ content, name }: RestWrite, { response, isOpaque }: RunResult, { page }: Wire): void {
  if (!page || !isOpaque || content !== undefined || typeof response !== 'string' || !/^\s*</.test(response)) return;
  const message = `${name} was answered with a page, as by a captive portal. If your server answers with pages, write content: 'text'.`;
  throw new NetworkError(message, { url: page.url, response: page, data: response });
}

/** Whether nobody waits any more for what is being sent. */
function isOver({ shelf }: Desk, item: Item, flight: Flight): boolean {
  return flight.cancellation.signal.aborted || item.flight !== flight || !shelf.has(item);
}

/** The session ended while a refusal was dealt with, as by a login that has failed: the write is kept for its owner, and nobody has done it. */
async function left(desk: Desk, item: Item, { isInDoubt, sentAt, ...sent }: StoredRecord, wire: Wire): Promise<void> {
  item.isSending = false;
  if (item.isOver || !isRefused(wire)) return;
  const to: StoredRecord = { ...sent, status: 'waiting', ...(isInDoubt && { isInDoubt, sentAt }) };
  const [kept] = item.isDurable ? await desk.shelf.change([{ item, to }]) : [];
  const isSignedOut = kept && wire.status === 401 && wire.pauses === desk.standing.pauses;
  if (isSignedOut && desk.isOf(sent.owner ?? NOBODY)) await desk.pause('auth');
  desk.retreat();
}

/** Some request was answered. */
export function heard({ standing, pump }: Desk): void {
  if (!standing.isLost) return;
  standing.find();
  pump();
}

// --- Done

/** It is done: it is gone from the database before anybody is told. */
export async function done(desk: Desk, item: Item, { revision }: StoredRecord, result: RunResult): Promise<void> {
  const { shelf } = desk;
  const { id, flight } = item;
  const created = flight && idsOf(flight, result);
  shelf.learn(id, created);
  const ids = created && { requestId: id, owner: shelf.owner ?? NOBODY, ids: created, at: Date.now() };
  const [gone] = await shelf.change([{ item, to: undefined, ids }], true);
  const { response, isOpaque, isJson } = result;
  item.isSending = false;
  item.heard = { revision, result };
  // Where another tab leads by now, that settles what this one has heard.
  const files = item.files.map((file) => ({ ...file, bytes: new ArrayBuffer(0) }));
  const unread = gone?.isDurable ? { record: gone.record, files } : undefined;
  desk.tell({ type: gone ? 'done' : 'answer', id, revision, result: { response, isOpaque, isJson }, unread });
  if (gone) item.resolve(result);
  else desk.retreat();
  desk.standing.publish();
}

// --- Not done

/** It was refused, or not answered, or a hook has failed. */
async function refused(desk: Desk, item: Item, sent: StoredRecord, error: unknown, wire: Wire): Promise<void> {
  const failure = serialize(error);
  const network = isNetworkError(error) ? error : undefined;
  const isPortal = network !== undefined && isIntercepted(network);
  if (failure.status !== undefined && !isPortal) heard(desk);
  const about = sentOf(desk, item, sent, error, wire);
  const { status, faults, conflicts, isInDoubt } = about;
  const sentAt = isInDoubt ? sent.sentAt : undefined;
  const record = { ...sent, faults, conflicts, isInDoubt, sentAt, error: failure };
  const fate = decide(desk, item, about, record, error);
  if (fate.to === 'conflict') {
    await rebase(desk, item, record, error, wire);
    return;
  }
  item.isSending = false;
  if (isPortal || (network && status === undefined)) desk.standing.lose();
  // What nobody can have done waits as if it was not sent.
  const undone = isInDoubt || fate.to === 'failed' ? undefined : item.flight;
  if (undone) markUnsent(undone);
  // It was sent before the user had logged in.
  const isOldLogin = fate.to === 'paused' && status === 401 && wire.pauses !== desk.standing.pauses;
  await meet(desk, item, isOldLogin ? { to: 'waiting', delay: 0, atLeast: 0 } : fate, record, error);
  // What is created, and waits, shows in lists that were read meanwhile, too.
  if (undone && item.isOpen && creates(undone)) change(desk.parts, undone);
  desk.pump();
}

/** What becomes of it. What the user's code throws tells nothing of the network; but before anything was sent, it may have had none itself. */
function decide(desk: Desk, item: Item, about: Sent, record: StoredRecord, error: unknown): Fate {
  const network = isNetworkError(error) ? error : undefined;
  const mayRetry = network || about.status === 401 || !(isOnWire(item) || error instanceof ResourceError);
  if (!mayRetry) return { to: 'failed' };
  // No answer is no refusal.
  const refusal = about.status === undefined ? undefined : network;
  return fateOf(about, Math.random(), wantedOf(desk, item, record, refusal));
}

/** Whether the server may have done what was tried: it was put on the wire, and was not refused. */
function isOpen(item: Item, wire: Wire): boolean {
  return !isRefused(wire) && isOnWire(item);
}

function isRefused({ status }: Wire): boolean {
  return status !== undefined && status >= 400 && !LOST.has(status);
}

/** Whether a write may be on the wire: hooks come before that. */
function isOnWire({ flight }: Item): boolean {
  return flight?.isOnWire !== false;
}

/** What the app says is to become of a write. */
function wantedOf({ options: { retry } }: Desk, item: Item, { attempts }: StoredRecord, error?: NetworkError) {
  const wanted = guarded('retry', () => retry?.({ ...(error && { error }), entry: item.show(item.entry), attempts }));
  return isWanted(wanted) ? wanted : undefined;
}

/** What was sent, and what is known of how that went. */
function sentOf(desk: Desk, item: Item, record: StoredRecord, error: unknown, wire: Wire): Sent {
  const { attempts, faults, conflicts, isInDoubt = false } = record;
  // An opaque answer has 0.
  const told = (isNetworkError(error) && statusOf(error)) || undefined;
  // What the user's code throws of a 401, or cannot fetch for it, is a login that has failed.
  const isOwn = !isNetworkError(error) || error.cause instanceof TypeError;
  const own = isOwn && wire.status === 401 ? 401 : undefined;
  const status = told ?? own;
  return {
    status,
    attempts,
    retryAfter: askedFor(error),
    isDeletion: effectOf(endpointOf(desk, item)) === 'delete',
    isResend: attempts > 1,
    ...safetyOf(desk, item),
    isInDoubt: isInDoubt || (LOST.has(status) && isOpen(item, wire)),
    faults: status === 500 || !isNetworkError(error) ? faults + 1 : 0,
    conflicts: status === 409 ? conflicts + 1 : 0,
  };
}

/** Does what is to become of it. */
async function meet(desk: Desk, item: Item, fate: Fate, record: StoredRecord, error: unknown): Promise<void> {
  if (fate.to === 'done') await done(desk, item, record, EMPTY);
  else if (fate.to === 'unknown') {
    const hasBecome = await become(desk, item, { ...record, status: 'unknown' });
    if (hasBecome && item.flight) desk.parts.landings.doubt(item.flight);
  } else if (fate.to === 'paused') {
    const hasBecome = await become(desk, item, { ...record, status: 'waiting' });
    if (hasBecome) await desk.pause('auth');
  } else if (fate.to === 'waiting') {
    const [nextAt, notBefore] = [fate.delay, fate.atLeast].map((ms) => (ms > 0 ? Date.now() + ms : undefined));
    await become(desk, item, { ...record, status: 'waiting', nextAt, notBefore, pause: fate.delay });
  } else await failed(desk, item, record, error);
}

/** An item that was sent becomes another; not where another tab leads by now, which sends it again or has done so. */
async function become(desk: Desk, item: Item, to: StoredRecord): Promise<boolean> {
  const [changed] = await desk.shelf.change([{ item, to }], true);
  if (!changed) desk.retreat();
  return changed !== undefined;
}

/** Decides what becomes of what another life of the tab, or another tab, was sending; what is not known here yet stays as it is. */
export async function judgeLost(desk: Desk): Promise<void> {
  const { shelf, parts, endpoints } = desk;
  const lost = shelf
    .all()
    .filter(({ isSending, record }) => record.status === 'sent' && !isSending && endpoints.has(record.endpointName));
  const changed = await shelf.change(
    // Sent in another life of the tab.
    lost.map((item) => {
      const status = isSafe(safetyOf(desk, item)) ? 'waiting' : 'unknown';
      return { item, to: { ...item.record, status, isInDoubt: true, nextAt: undefined } };
    }),
    true,
  );
  for (const { record, flight } of changed) if (record.status === 'unknown' && flight) parts.landings.doubt(flight);
}

/** Ends the wait of a write of which nobody can tell any more whether it was done, unless the app wants it sent; tells whether it is so. */
export async function isGivenUp(desk: Desk, item: Item): Promise<boolean> {
  const { record, flight } = item;
  if (!flight || !record.isInDoubt || !isForgotten(safetyOf(desk, item))) return false;
  const wanted = wantedOf(desk, item, record);
  if (wanted === 'retry' || typeof wanted === 'number') return false;
  await meet(desk, item, { to: 'unknown' }, record, undefined);
  return true;
}

/** The row is another by now: the write is made on that, and is a new sending, which is stored before it is sent; else it has failed. */
async function rebase(desk: Desk, item: Item, record: StoredRecord, error: unknown, wire: Wire): Promise<void> {
  const { flight } = item;
  if (!flight) return;
  const { etags } = desk.parts;
  const { rebases, attempts } = record;
  let isDone = false;
  let next: readonly unknown[] | undefined;
  let stored = record.args;
  try {
    const resolved = await etags.resolve(flight, { error, tries: rebases, isResend: attempts > 1 });
    if (resolved && 'response' in resolved) isDone = true;
    else next = resolved;
    if (next && next !== flight.args) stored = pack(next).args;
  } catch (cause) {
    if (!isOver(desk, item, flight)) await refused(desk, item, record, cause, wire);
    return;
  }
  if (isOver(desk, item, flight)) return;
  if (next) {
    markUnsent(flight);
    const isOther = next !== flight.args;
    if (isOther) change(desk.parts, flight, next);
    const reach = isOther && reachOf(flight, desk.parts.store.slice);
    const anew = { ...madeAnew(record), ...reach, args: stored, rebases: rebases + 1, seen: seenBy(flight, etags) };
    await become(desk, item, anew);
  }
  item.isSending = false;
  if (!next) await meet(desk, item, { to: isDone ? 'done' : 'failed' }, record, error);
  desk.pump();
}

/** A write as a new sending: with a key of its own, and as if it was not sent yet. Whoever makes it one has seen what is there by now. */
export function madeAnew(record: StoredRecord): StoredRecord {
  return {
    ...record,
    status: 'queued',
    revision: record.revision + 1,
    attempts: 0,
    faults: 0,
    conflicts: 0,
    rebases: 0,
    sentAt: undefined,
    isInDoubt: undefined,
    error: undefined,
    nextAt: undefined,
    notBefore: undefined,
    seen: undefined,
  };
}

// --- What other tabs have heard

/** It was done by another tab. */
export function wasAnswered({ shelf, standing, parts }: Desk, item: Item, result: RunResult): void {
  const { flight } = item;
  shelf.takeOff(item);
  if (flight) {
    shelf.learn(item.id, idsOf(flight, result));
    flight.isRemote = item.isLaid;
    noteDoubt(parts, item);
    flight.sent ??= parts.store.nextSeq();
  }
  item.resolve(result);
  standing.publish();
}

/** It was refused, as another tab has stored. */
export function wasRefused(desk: Desk, item: Item): void {
  const { error = { name: 'Error', message: 'failed' } } = item.record;
  if (!item.flight) return;
  item.flight.isRemote = item.isLaid;
  fail(desk, item, failureOf(error));
}
