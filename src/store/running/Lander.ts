import { none } from '../../schema/Schema.js';
import { holdsNotes } from '../../tables/aliases.js';
import { applyChanges, isEmpty, noChanges, type Changes } from '../../tables/changes.js';
import { refsIn } from '../../tables/members.js';
import { hasAny } from '../../tables/same.js';
import type { NormalizeOptions, Normalized } from '../../tables/normalize.js';
import type { Lifetime } from '../lifetime/Lifetime.js';
import { counts, type Intent } from '../order/intent.js';
import { rebase } from '../order/intents.js';
import type { Rebasing } from '../order/rebasing.js';
import { emptyJournal, listRecordOf, type Journal, type JournalChanges } from '../order/journal.js';
import type { Incoming } from '../order/event.js';
import { Landing } from '../order/Landing.js';
import { creatorOf, isCreate, rowsOf } from '../order/lists.js';
import { showIntents } from '../order/shown.js';
import { createdPks, namedRows } from '../order/temporaryIds.js';
import { Places, type Place } from '../../tables/Places.js';
import type { Tables } from '../../tables/tables.js';
import type { Flight } from './flight.js';
import type { Flights } from './flights.js';
import type { Guesses } from './guesses.js';
import { followBelow } from './newLists.js';
import type { PageLanding } from './paging.js';
import { Refetches } from './Refetches.js';
import type { StaleRequests } from './StaleRequests.js';
import { LONGEST } from '../reading/freshness.js';
import { readerOf } from '../reading/StoreReader.js';
import type { StoreAccess } from './StoreAccess.js';
import { withExpired, withOutdated, type Writing, type Written } from './written.js';

/** What landing needs of the store that it happens in. */
export interface LandingParts {
  readonly store: StoreAccess;
  readonly flights: Flights;
  readonly guesses: Guesses;
  readonly lifetime: Lifetime;
}

/** An event that lands: an answer that is still to be taken apart. */
interface Arriving {
  readonly event: Incoming;
  readonly normalize: (
    options: Pick<NormalizeOptions, 'meta' | 'sent' | 'complete' | 'notes' | 'expected' | 'arrange'>,
  ) => Normalized;
  /** Puts the pages of a list together. */
  readonly paging?: ((landing: Landing) => PageLanding) | undefined;
  /** What brings it, where a tag may come with it. */
  readonly tagged?: Flight | undefined;
}

/** The request that ends with it, if any. */
interface Ending {
  readonly requestId?: string;
  /** What it is kept under. */
  readonly name?: string;
  readonly response?: unknown;
  readonly orphans?: readonly Flight[];
  /** Requests that are not over, and whose guesses are found anew. */
  readonly anew?: readonly Flight[];
  /** A list of which it is known that it is empty. */
  readonly opens?: Place;
}

/** What has landed, by which other requests are to be shown anew. */
interface Shown extends Pick<Rebasing, 'answer'> {
  readonly came: number | undefined;
  readonly normalized: Normalized | undefined;
}

/** Lands events in one store, and what the end of a request lets land: in their place among what has settled meanwhile, with the guesses of others found anew. */
export class Lander {
  readonly #parts: LandingParts;
  readonly #store: StoreAccess;
  readonly #stale: StaleRequests;
  readonly #holdTimeout: number;
  readonly #refetches: Refetches;
  /** When the last write came. */
  #written = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: LandingParts, stale: StaleRequests, holdTimeout: number) {
    this.#parts = parts;
    this.#store = parts.store;
    this.#stale = stale;
    this.#holdTimeout = holdTimeout <= LONGEST ? holdTimeout : Infinity;
    this.#refetches = new Refetches(parts, Math.min(holdTimeout, LONGEST));
  }

  /** What is confirmed, with the guesses over it that were made before one: all, or those that count. */
  before(requestId: string, areCounting = false): Tables {
    const { intents } = this.#store.slice;
    const at = intents.findIndex((intent) => intent.requestId === requestId);
    const before = intents.slice(0, Math.max(0, at));
    return this.#shown(areCounting ? before.filter((intent) => counts(this.#heeded(intent))) : before);
  }

  /** What is confirmed, with guesses over it. */
  #shown(intents: readonly Intent[]): Tables {
    const { tables, journal } = this.#store.slice;
    return showIntents(tables, intents, (table, pk) => listRecordOf(journal, table, pk));
  }

  /** Takes an event in, if there is one, and what the end of a request lets land. */
  land(arriving: Arriving | undefined, ending: Ending): Written {
    const event = arriving?.event;
    const others = this.#others(ending);
    const landing = this.#landingOf(event, ending, others);
    const paging = arriving?.paging?.(landing);
    const normalized = arriving && landed(arriving, landing, paging);
    landing.release();
    if (normalized && arriving.tagged) arriving.tagged.isPart = !landing.isTaken(normalized.changes);

    const { name, requestId } = ending;
    const answer = newsOf(ending, normalized);
    const written = this.#showAnew(landing, others, ending, { came: event?.came, normalized, answer });
    this.#tellRest(written, landing, paging);
    const { doubtful = none } = paging ?? {};
    // What is in doubt, and what only the server knows, becomes stale.
    const doubt = this.#stale.inDoubt(landing, written.changes, answer, requestId);
    this.#partOlder(doubt.doubtful, event, requestId);
    const open = [...this.#stale.reaching(landing.outdated), ...this.#stale.holding(normalized?.unplaced)];
    const taken = this.#stale.takenOver(written.changes, name);
    return withOutdated(withExpired(written, [...doubt.doubtful, ...doubtful, ...taken]), [...doubt.unknown, ...open]);
  }

  /** Adds what is written beside rows and lists. */
  #tellRest(written: Writing, landing: Landing, paging: PageLanding | undefined): void {
    const journal = this.#journalOf(landing);
    if (journal) written.journal = journal;
    const pages = paging?.pages();
    if (pages) written.pages = pages;
    if (this.#store.observers.all.size > 0) written.passedOver = landing.passedOver();
  }

  /** What was sent before the last write was answered cannot tell what is in doubt: it may have been served before that, and so counts for less. */
  #partOlder(doubtful: readonly string[], event: Incoming | undefined, except: string | undefined): void {
    if (event?.kind === 'write') this.#written = event.came;
    if (doubtful.length === 0) return;
    const isOlder = ({ sent = Infinity, meta }: Flight): boolean => sent < this.#written && meta.requestId !== except;
    this.#parts.flights.part((name, flight) => isOlder(flight) && doubtful.includes(name));
  }

  /** What an event, or the end of a request, meets. */
  #landingOf(event: Incoming | undefined, { requestId }: Ending, others: readonly Intent[]): Landing {
    const { slice } = this.#store;
    const { tables, journal } = slice;
    const { flights, lifetime } = this.#parts;
    // A patch by hand has its place on the clock until it ends.
    const patches = others.filter(({ isPatch }) => isPatch);
    const isLast = !flights.isBeside(requestId) && patches.length === 0;
    const isAlone = isLast && journal === emptyJournal;
    const isCalm = isAlone || (isAfterAll(event, journal) && !flights.isCreating && !others.some(isHeeded));
    return new Landing({
      tables,
      journal,
      isLast,
      isAlone,
      isCalm,
      isWriting: flights.isWriting,
      intents: others.map((intent) => this.#heeded(intent)),
      followed: lifetime.followed,
      expected: isAlone ? none : flights.expected(),
      oldest: Math.min(flights.oldest(requestId), ...patches.map(({ seq }) => seq)),
      holdTimeout: this.#holdTimeout,
      sentAt: flights.sentAt,
    });
  }

  /** A guess as answers have to wait for it: one that sets what it would set anyway counts on nothing. */
  #heeded(intent: Intent): Intent {
    if (!counts(intent)) return intent;
    const made = (): Tables => {
      const { intents } = this.#store.slice;
      return this.#shown(intents.slice(0, intents.indexOf(intent) + 1));
    };
    if (this.#parts.guesses.counts(intent, made)) return intent;
    const { holdsRows: _, ...plain } = intent;
    return plain;
  }

  /** The guesses of the other requests; what waits for an item that was never created shows nothing. */
  #others({ requestId, orphans = [] }: Ending): readonly Intent[] {
    const gone = new Set([requestId, ...orphans.map(({ meta }) => meta.requestId)]);
    return this.#store.slice.intents.filter((intent) => !gone.has(intent.requestId));
  }

  /** Finds anew what the other requests show; the one that ends shows on what of its answer waits. */
  #showAnew(landing: Landing, others: readonly Intent[], ending: Ending, { came, normalized, answer }: Shown): Writing {
    const { requestId } = ending;
    const { slice } = this.#store;
    const own = slice.intents.find((intent) => intent.requestId === requestId);
    const waits = own !== undefined && landing.rows.waiting.all.some((entry) => entry.requestId === requestId);
    const renamed = this.#rename(own, ending, normalized, landing);
    const changes = landing.changes();
    const intents = waits
      ? slice.intents.map((one) => (one === own ? { ...one, settled: true as const } : one))
      : others;
    // Who has created what a message brings, nobody knows.
    const made = madeBy(own, requestId === undefined ? undefined : normalized);
    const { recipes } = this.#parts.guesses;
    const rebased = rebase({ intents, earlier: slice.intents, recipes, changes, landing, renamed, made, answer });
    for (const { meta } of ending.orphans ?? none) rebased[meta.requestId] = noChanges;
    this.#forget(others, rebased);
    if (!waits && requestId) this.#parts.guesses.forget(requestId);
    // Filled in field by field: to put objects together costs each action 3 µs.
    const written: Writing = {
      result: normalized?.result,
      came: came ?? this.#store.nextSeq(),
      outdated: none,
      changes,
    };
    if (hasAny(rebased)) written.rebased = rebased;
    if (waits) written.waits = waits;
    return written;
  }

  /** What has settled, and shows nothing any more, is not found again. */
  #forget(intents: readonly Intent[], rebased: Readonly<Record<string, Changes>>): void {
    for (const { requestId, settled } of intents) {
      const changes = settled && rebased[requestId];
      if (changes && isEmpty(changes)) this.#parts.guesses.forget(requestId);
    }
  }

  /** Puts the real ids of a create where its temporary ones are: into requests that wait, and into what they show. */
  #rename(
    own: Intent | undefined,
    { response, opens, anew }: Ending,
    normalized: Normalized | undefined,
    landing: Landing,
  ): ReadonlySet<string> {
    const { flights, guesses } = this.#parts;
    const { slice } = this.#store;
    const { result, renamed: other } = normalized ?? {};
    // What was shown under its first pk keeps the key of that.
    if (other?.target) readerOf(slice).named(slice, [{ ...other.target, temporary: other.target.pk }]);
    if (opens) landing.lists.follow(opens, []);
    if (!own || result === undefined) {
      // A patch by hand has no request.
      const patches = anew && slice.intents.filter(({ isPatch }) => isPatch);
      return this.#anew(anew ?? none, patches);
    }
    const real = guesses.created(slice, own, result, response);
    const resolved = flights.resolve(own.requestId, real, createdPks(result));
    followBelow(landing, own.requestId, real);
    return this.#anew(resolved, none, { ...slice, tables: withNotes(slice.tables, normalized?.changes.rows) });
  }

  /** Finds the guesses of requests anew, and gives the ids of these. */
  #anew(flights: readonly Flight[], patches: readonly Intent[] = none, slice = this.#store.slice): ReadonlySet<string> {
    const ids = new Set(patches.map(({ requestId }) => requestId));
    for (const { request, args, about, isOrphaned } of flights) {
      if (isOrphaned) continue;
      ids.add(about.requestId);
      this.#parts.guesses.rename({ ...request, args }, about, slice);
    }
    return ids;
  }

  /** The journal begins anew as soon as all that is under way was sent after all that it remembers had come. */
  #journalOf(landing: Landing): JournalChanges | undefined {
    const { journal, oldest, isLast } = landing.beside;
    if (isLast) return journal === emptyJournal ? undefined : { rows: [], lists: [], isOver: true };
    const changes = landing.journalChanges();
    // An answer that waits is as old as when it was sent, however late it lands.
    const since = Math.min(oldest, ...landing.rows.waiting.all.map(({ sent }) => sent));
    return changes && journal.came < since ? { ...changes, isNew: true } : changes;
  }

  /** Tells of what changes without the end of a request. */
  release({ result: _, outdated, ...written }: Written): void {
    this.#store.dispatch(this.#store.actions.release.type, { meta: { seq: this.#store.seq, ...written } });
    this.after({ ...written, outdated });
  }

  /** An action was dispatched: fetches again, for subscribers, what it made stale, and lets land in time what waits. */
  after(written: Pick<Written, 'expires' | 'outdated'>, flight?: Flight): void {
    this.#watchWaiting();
    this.#parts.lifetime.follow();
    this.#refetches.after(written, flight);
  }

  clear(): void {
    this.#refetches.clear();
    this.after({ outdated: none });
  }

  #watchWaiting(): void {
    const { waiting } = this.#store.slice.journal;
    if (waiting.length > 0 === (this.#timer !== undefined)) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (waiting.length === 0 || this.#holdTimeout === Infinity) return;
    const since = Math.min(Date.now(), ...waiting.map((entry) => entry.since));
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.release(this.land(undefined, {}));
      },
      Math.max(0, since + this.#holdTimeout - Date.now()),
    );
  }
}

/** The answer that lands, by what its request is kept under. */
function newsOf({ name }: Ending, normalized: Normalized | undefined): Rebasing['answer'] {
  return name === undefined || !normalized ? undefined : { name, result: normalized.result };
}

/** Takes an answer apart, where others overlap with all that it says, and lets it land. */
function landed({ event, normalize }: Arriving, landing: Landing, paging: PageLanding | undefined): Normalized {
  const { kind, asked, came, startedTimeStamp } = event;
  const normalized = normalize({
    meta: { kind, seq: asked, settledSeq: came, startedTimeStamp },
    sent: event.sent,
    expected: landing.beside.expected,
    ...landing.tellingOf(event),
    ...(paging && { arrange: paging.arrange }),
  });
  landing.land(event, normalized);
  return normalized;
}

/** Whether a guess may say something of rows that an answer brings: it counts on what is there, or creates what may be among them. */
function isHeeded(intent: Intent): boolean {
  return counts(intent) || intent.changes.lists.some(({ list }) => creatorOf(list) !== undefined);
}

/** Whether an event is a read that was sent when all that is remembered had come. */
function isAfterAll(event: Incoming | undefined, { came, waiting }: Journal): boolean {
  return event?.kind === 'read' && waiting.length === 0 && came < event.sent;
}

/** The rows that a create has turned out to have made. */
function madeBy(own: Intent | undefined, normalized: Normalized | undefined): Places {
  const made = new Places();
  if (own) made.add(namedRows(own, normalized?.result));
  for (const change of normalized?.changes.lists.filter(isCreate) ?? [])
    for (const ref of refsIn(change.list))
      for (const [table, pk] of rowsOf(change.table, ref)) made.set(table, pk, true);
  return made;
}

/** Tables with what an answer says of pks: what was created may have one that another row had. */
function withNotes(tables: Tables, told: Changes['rows'] = none): Tables {
  const rows = told.filter(({ table }) => holdsNotes(table));
  return rows.length > 0 ? applyChanges(tables, [{ rows, lists: none }]) : tables;
}
