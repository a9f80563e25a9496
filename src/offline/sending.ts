import { warnOnce } from '../errors.js';
import { effectOf } from '../rest/about.js';
import { within } from '../rest/limits.js';
import { isPk } from '../schema/EntitySchema.js';
import { isRecord } from '../schema/Schema.js';
import { LONGEST } from '../store/reading/freshness.js';
import type { Flight } from '../store/running/flight.js';
import type { KeeperParts } from '../store/running/keeping.js';
import { isGivenUp, send } from './answers.js';
import { fieldsOf } from './bodies.js';
import { isIntercepted, isPage, isSafe, mayPass, type Sharing } from './decisions.js';
import type { Desk } from './desk.js';
import type { Item } from './Item.js';
import { safetyOf } from './keys.js';
import { endpointOf, urlOf } from './recording.js';
import { sentRecord } from './Standing.js';

/** What is sent next, and when. */

/** Whether a write that was just made is sent as without an outbox: nothing stands before it. */
export function maySendAtOnce(desk: Desk, item: Item): boolean {
  const { shelf, standing, parts } = desk;
  if (!standing.maySend(item) || standing.isLost) return false;
  const own = sharingOf(desk, item);
  for (const other of shelf.all()) {
    const { status } = other.record;
    if (status === 'queued') return false;
    // What is under way here, the store knows of.
    if (status === 'failed' || (status === 'sent' && other.isSending)) continue;
    if (!mayPass(own, sharingOf(desk, other))) return false;
  }
  return isClear(parts, item);
}

/** At once, whatever the time: but not before the server wants it. */
export function hurry({ shelf, standing, pump }: Desk): void {
  standing.hurry();
  for (const item of shelf.all())
    if (item.record.nextAt !== undefined) item.record = { ...item.record, nextAt: undefined };
  pump();
}

/** Sends the next of the backlog, if it is time. */
export function sendDue(desk: Desk): void {
  const { shelf, standing } = desk;
  clearTimeout(standing.timer);
  standing.publish();
  const items = shelf.all();
  if (!standing.isActive || items.some(({ isSending }) => isSending)) return;
  lineUp(desk.parts, items);
  // Both look at one time: what becomes due between two looks at the clock would be neither sent nor waited for.
  const now = Date.now();
  const next = nextOf(desk, items, now);
  if (next) {
    void sendNext(desk, next);
    return;
  }
  const nextAttemptAt = standing.nextAttemptAt(now);
  if (nextAttemptAt === undefined || !items.some((item) => standing.maySend(item))) return;
  standing.timer = setTimeout(desk.pump, Math.min(nextAttemptAt - now, LONGEST));
}

/** Has those of one line stand in it as they are kept, or each would wait for the other: what was read late, or has its real id only now, came to its end. */
function lineUp({ flights }: KeeperParts, items: readonly Item[]): void {
  const last = new Map<string, Flight>();
  for (const { flight, record } of items) {
    if (flight?.line === undefined) continue;
    flight.isStalled = record.status === 'unknown';
    const ahead = last.get(flight.line);
    let { before } = flight;
    while (before && before !== ahead) ({ before } = before);
    if (ahead && !before) flights.toEnd(flight);
    last.set(flight.line, flight);
  }
}

/** The first that is due, and may pass all that stand before it. */
function nextOf(desk: Desk, items: readonly Item[], now: number): Item | undefined {
  const { shelf, standing, parts, endpoints } = desk;
  const before: Sharing[] = [];
  for (const item of items) {
    const { record } = item;
    if (record.status === 'failed') continue;
    const isReady = item.isOpen && item.send && standing.dueAt(item) <= now && standing.maySend(item);
    // What is being stored is marked as sent when it is there, or another tab would send it, too.
    const isKnown = item.isDurable !== undefined || !shelf.isStored;
    const sharing = sharingOf(desk, item);
    const ahead = before.find((one) => !mayPass(sharing, one));
    if (isReady && isKnown && isClear(parts, item) && !ahead) return item;
    // What a warning calls outside of it is in each bundle.
    warnOnce(() => {
      const name = ahead && shelf.get(ahead.id)?.record.endpointName;
      if (name === undefined || endpoints.has(name)) return undefined;
      return [
        `orphaned ${name}`,
        `A write of ${name} is in the outbox, which knows no endpoint of that name, and later writes to the same item wait for it. Give the outbox its resource (queue.add, where that is loaded later), or rename the write in migrate.`,
      ];
    });
    before.push(sharing);
  }
  return undefined;
}

/** What an item has in common with others. */
function sharingOf({ shelf, endpoints }: Desk, item: Item): Sharing {
  const { args, flight, record } = item;
  const { id, dependsOn, lists, endpointName } = record;
  const endpoint = endpoints.get(endpointName);
  const rows = shelf.rowsOf(item);
  // What acts on a row has that as its target.
  const isCreate = endpoint !== undefined && effectOf(endpoint) === 'create' && !flight?.target;
  const names = args.flatMap(fieldsOf).flatMap(([, value]) => (isPk(value) ? [String(value)] : []));
  // What was confirmed by then, it does not make.
  const isMade = (row: string): boolean => !record.base.some(({ table, pk }) => row === `${table} ${pk}`);
  return { id, dependsOn, lists, rows, makes: isCreate ? rows.filter(isMade) : [], names };
}

/** Nothing that the store knows of is in its way. */
function isClear({ flights }: KeeperParts, { flight }: Item): boolean {
  return flight !== undefined && flights.obstacles(flight).length === 0;
}

async function sendNext(desk: Desk, item: Item): Promise<void> {
  const { shelf, standing } = desk;
  item.isSending = true;
  const isFit = !(await isGivenUp(desk, item)) && (await mayBeSent(desk, item));
  // Meanwhile it may have been discarded, or another tab leads.
  const isMeant = isFit && shelf.has(item) && item.isOpen && standing.maySend(item);
  const [marked] = isMeant ? await shelf.change([{ item, to: sentRecord(item.record) }], true) : [];
  if (marked) {
    await send(desk, item);
    return;
  }
  item.isSending = false;
  if (isMeant) desk.retreat();
  else desk.pump();
}

/** So long the question whether anything answers may stay open, in ms. */
const PROBE_TIMEOUT = 10_000;

/** After a loss, what may not be done twice is not sent before something was answered. */
async function mayBeSent(desk: Desk, item: Item): Promise<boolean> {
  const { standing, parts } = desk;
  if (!standing.isLost || isSafe(safetyOf(desk, item))) return true;
  const { fetchFn = fetch } = parts;
  const url = urlOf(endpointOf(desk, item), item.args);
  try {
    // Whether anything at all answers.
    const answer = await within({ signals: [], timeout: PROBE_TIMEOUT, url: () => url }, (signal) =>
      // A server of pages sends one to whoever wants anything at all.
      fetchFn(url, {
        method: 'HEAD',
        mode: 'no-cors',
        headers: { Accept: 'application/json' },
        ...(signal && { signal }),
      }),
    );
    // A captive portal shows its page in place of whatever is asked for by plain http.
    const isPortal = isPage(answer) && !answer.url.startsWith('https:');
    if (!isIntercepted({ status: answer.status, data: isPortal ? '' : undefined })) {
      standing.find();
      return true;
    }
  } catch {
    // Nothing answers.
  }
  standing.lose();
  return false;
}

/** Whether an action tells that a server was heard. */
export function isAnswered(action: unknown): boolean {
  if (!isRecord(action) || !isRecord(action['meta'])) return false;
  const { meta, error } = action;
  if (!('seq' in meta) || meta['remote'] === true) return false;
  if (meta['requestStatus'] === 'fulfilled') return true;
  return isRecord(error) && typeof error['status'] === 'number' && !isIntercepted(error);
}
