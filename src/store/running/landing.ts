import { isEmpty, noChanges, type Changes } from '../../tables/changes.js';
import type { NormalizeOptions, Normalized } from '../../tables/normalize.js';
import type { Rebased } from '../actions.js';
import type { RunResult } from '../endpoint.js';
import type { SerializedFailure } from '../request.js';
import type { Lifetime } from '../lifetime/Lifetime.js';
import type { Intent } from '../order/intent.js';
import { rebase } from '../order/intents.js';
import { emptyJournal, sizeOf, type JournalChanges } from '../order/journal.js';
import { withMovesOf } from '../order/moves.js';
import { Settlement } from '../order/settle.js';
import type { Settling } from '../order/settling.js';
import { requestPk, type Pages } from '../state.js';
import { claimsOf, normalizeAnswer } from './answers.js';
import type { Flight, Flights } from './flights.js';
import type { Guesses } from './guesses.js';
import { isUnknown } from './failure.js';
import { PageLanding } from './paging.js';
import { assertPlain } from './plain.js';
import { StaleRequests } from './StaleRequests.js';
import type { StoreAccess } from './StoreAccess.js';

/** What comes of an answer, or of the end of a request without one: all that its action writes. */
export interface Landing {
  readonly result: unknown;
  readonly changes: Changes;
  readonly journal?: JournalChanges;
  readonly rebased?: Rebased;
  /** Some of the answer waits. */
  readonly waits?: true;
  /** The pages of a list, and what the request of that is kept under. */
  readonly pages?: { readonly of: string; readonly pages: Pages };
  /** Requests whose answers are stale from now on. */
  readonly expires?: readonly string[];
  /** Those of them of which also answers on their way are too old. */
  readonly outdated: readonly string[];
}

/** What landing needs of the store that it happens in. */
export interface LandingParts {
  readonly store: StoreAccess;
  readonly flights: Flights;
  readonly guesses: Guesses;
  readonly lifetime: Lifetime;
}

/** What lands: an answer that is still to be taken apart. */
interface Incoming {
  readonly settling: Settling;
  readonly normalize: (options: Pick<NormalizeOptions, 'meta' | 'complete'>) => Normalized;
  readonly startedTimeStamp: number;
}

/** The request that ends with it, if any. */
interface Ending {
  readonly requestId?: string;
  /** What it is kept under. */
  readonly name?: string;
  readonly response?: unknown;
  readonly orphans?: readonly Flight[];
}

/** How many entries of the journal are not worth a look at which of them can go. */
const FEW = 256;

/** Finds out what answers write in one store: taken apart, put in their place among what has settled meanwhile, with the guesses of others found anew. */
export class Landings {
  readonly #parts: LandingParts;
  readonly #store: StoreAccess;
  readonly #stale: StaleRequests;
  readonly #holdTimeout: number;
  /** How far the journal was cleaned, and what was left. */
  #cleaned = { oldest: 0, size: 0 };
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: LandingParts, holdTimeout: number) {
    this.#parts = parts;
    this.#store = parts.store;
    this.#stale = new StaleRequests(parts.store, parts.lifetime);
    this.#holdTimeout = holdTimeout;
  }

  /** What an answer writes. Throws where it does not fit. */
  ofAnswer(flight: Flight, { response, isOpaque, isJson }: RunResult): Landing {
    const { request, args, meta, sentSeq = meta.seq, turn } = flight;
    const { endpoint } = request;
    const { name } = endpoint;
    const isNothing = (response ?? undefined) === undefined;
    const outdated = this.#stale.invalidated(endpoint, args, response);
    if (isOpaque || (!endpoint.sideEffect && isNothing)) return withOutdated(this.#landNothing(flight), outdated);
    if (!isJson) assertPlain(response, 'process', name);
    const { tables } = this.#store.slice;
    const settling: Settling = {
      requestId: meta.requestId,
      kind: endpoint.sideEffect ? 'write' : 'read',
      seq: sentSeq,
      settledSeq: this.#store.seq,
      askedSeq: meta.seq,
      ...claimsOf(flight, this.#store.slice),
    };
    const paging = turn && new PageLanding(turn, this.#store.slice, sentSeq, args);
    const place = paging?.place;
    // Nothing tells what was created: whoever waits for its id fails.
    const orphans = isNothing ? this.#orphans(meta.requestId) : [];
    const landing = this.#land(
      {
        settling,
        startedTimeStamp: meta.startedTimeStamp,
        normalize: (options) => normalizeAnswer(endpoint, response, { args, name, tables, place, ...options }),
      },
      { requestId: meta.requestId, orphans, response, name: requestPk(name, meta.arg.key) },
    );
    const isLost = endpoint.sideEffect && (landing.result ?? undefined) === undefined;
    const pages = paging?.pages();
    return withOutdated(
      turn && pages ? { ...landing, pages: { of: turn.of, pages } } : landing,
      isLost ? [...outdated, ...this.#stale.touchedBy(flight)] : outdated,
    );
  }

  /** What the end of a request without an answer writes: what has waited for it. What a write has done of which nobody knows, makes stale. */
  ofFailure(flight: Flight, failure: SerializedFailure): Landing {
    const isUnknownWrite = flight.request.endpoint.sideEffect && flight.sentSeq !== undefined && isUnknown(failure);
    return withOutdated(this.#landNothing(flight), isUnknownWrite ? this.#stale.touchedBy(flight) : []);
  }

  #landNothing({ meta }: Flight): Landing {
    return this.#land(undefined, { requestId: meta.requestId, orphans: this.#orphans(meta.requestId) });
  }

  /** What a write without a request writes: it starts and settles at once. */
  ofWrite(
    seq: number,
    fields: (pk: string) => readonly string[],
    take: (options: NormalizeOptions) => Normalized,
  ): Landing {
    const { tables } = this.#store.slice;
    const settling: Settling = {
      requestId: '',
      kind: 'write',
      seq,
      settledSeq: seq,
      askedSeq: seq,
      names: (_table, pk, isOutermost) => (isOutermost ? fields(pk) : []),
      moves: [],
      hasSeenNews: () => false,
    };
    return this.#land(
      { settling, startedTimeStamp: Date.now(), normalize: (options) => take({ tables, ...options }) },
      {},
    );
  }

  /** What waits for an item that was never created: it shows nothing from now on, and is not sent. */
  #orphans(requestId: string): readonly Flight[] {
    const orphans = this.#parts.flights.awaiting(requestId);
    for (const flight of orphans) {
      flight.isOrphaned = true;
      this.#parts.guesses.forget(flight.meta.requestId);
    }
    return orphans;
  }

  #land(incoming: Incoming | undefined, ending: Ending): Landing {
    const { slice } = this.#store;
    const { requestId } = ending;
    const oldest = this.#parts.flights.oldest(requestId);
    if (oldest === undefined && slice.journal === emptyJournal) return this.#landAlone(incoming, ending);
    const isOrphan = new Set(ending.orphans?.map(({ meta }) => meta.requestId));
    let others = slice.intents.filter((intent) => intent.requestId !== requestId);
    if (isOrphan.size > 0)
      others = others.map((intent) => (isOrphan.has(intent.requestId) ? { ...intent, changes: noChanges } : intent));
    const settlement = new Settlement(slice, {
      intents: others,
      oldest,
      followed: this.#parts.lifetime.followed,
      expectedLists: () => this.#parts.flights.expectedLists(),
      knownAt: (id) => this.#parts.flights.get(id)?.tables,
      holdTimeout: this.#holdTimeout,
    });
    const normalized = incoming && this.#takeApart(incoming, settlement);
    if (incoming && normalized) settlement.land(incoming.settling, normalized);
    settlement.release();

    const { result } = normalized ?? {};
    const shown = this.#showAnew(settlement, others, ending, result);
    for (const id of isOrphan) shown.rebased[id] = noChanges;
    const journal = this.#journalOf(settlement, oldest);
    const { name } = ending;
    const doubtful = this.#stale.inDoubt(settlement, shown.changes, name === undefined ? undefined : { name, result });
    const landing = {
      result,
      changes: shown.changes,
      ...(journal && { journal }),
      ...(Object.keys(shown.rebased).length > 0 && { rebased: shown.rebased }),
      ...(shown.waits && { waits: shown.waits }),
      ...(doubtful.length > 0 && { expires: doubtful }),
      outdated: [],
    };
    return withOutdated(landing, this.#stale.showing(normalized?.outdated));
  }

  /** What is written where no other request is under way. */
  #landAlone(incoming: Incoming | undefined, { requestId, response }: Ending): Landing {
    const { slice } = this.#store;
    if (!incoming) return { result: undefined, changes: noChanges, outdated: [] };
    const { result, changes: said, outdated } = incoming.normalize({ meta: metaOf(incoming) });
    const changes = withMovesOf(said, slice.tables, this.#parts.lifetime.followed);
    const own = this.#intentOf(requestId);
    if (own) this.#parts.guesses.created(slice, own, result, response);
    return withOutdated({ result, changes, outdated: [] }, this.#stale.showing(outdated));
  }

  /** Finds anew what the other requests show; the one that ends shows on what of its answer waits. */
  #showAnew(
    settlement: Settlement,
    others: readonly Intent[],
    { requestId, response }: Ending,
    result: unknown,
  ): { readonly changes: Changes; readonly rebased: Record<string, Changes>; readonly waits: boolean } {
    const { tables, intents: earlier } = this.#store.slice;
    const { guesses, lifetime } = this.#parts;
    const { followed } = lifetime;
    const { recipes } = guesses;
    const own = this.#intentOf(requestId);
    const waits = own !== undefined && settlement.waiting.some((entry) => entry.requestId === requestId);
    const renamed = this.#rename(own, requestId, result, response);
    const intents = waits ? earlier.map((one) => (one === own ? { ...own, settled: true as const } : one)) : others;
    const changes = settlement.changes();
    const rebased = rebase({ tables, intents, earlier, followed, recipes, changes, settlement, renamed });
    for (const { requestId: id, settled } of others)
      if (settled && rebased[id] && isEmpty(rebased[id])) guesses.forget(id);
    if (!waits && requestId) guesses.forget(requestId);
    return { changes, rebased, waits };
  }

  #intentOf(requestId: string | undefined): Intent | undefined {
    return this.#store.slice.intents.find((intent) => intent.requestId === requestId);
  }

  #takeApart(incoming: Incoming, settlement: Settlement): Normalized {
    const { settling } = incoming;
    settlement.begin(settling);
    return incoming.normalize({
      meta: metaOf(incoming),
      complete: {
        expected: () => this.#parts.flights.expectedLists(),
        removes: (table, pk) => settlement.removes(settling, table, pk),
        admit: ({ isOutermost, ...row }) =>
          settlement.admit(settling, { ...row, names: settling.names(row.table, row.pk, isOutermost) }),
      },
    });
  }

  /** Puts the real ids of a create where its temporary ones are: into requests that wait, and into what they show. */
  #rename(
    own: Intent | undefined,
    requestId: string | undefined,
    result: unknown,
    response: unknown,
  ): ReadonlySet<string> {
    if (!own || requestId === undefined || result === undefined) return new Set();
    const ids = this.#parts.guesses.created(this.#store.slice, own, result, response);
    const waiting = this.#parts.flights.resolve(requestId, ids).filter(({ isOrphaned }) => !isOrphaned);
    for (const { request, args, meta } of waiting) this.#parts.guesses.rename(request.endpoint, args, meta.requestId);
    return new Set(waiting.map(({ meta }) => meta.requestId));
  }

  /** The journal is cleaned when it has grown to twice its size, so that to clean it costs each request the same. */
  #journalOf(settlement: Settlement, oldest: number | undefined): JournalChanges | undefined {
    if (oldest === undefined) {
      this.#cleaned = { oldest: 0, size: 0 };
      return { rows: [], lists: [], isOver: true };
    }
    const journal = settlement.journalChanges();
    const size = sizeOf(this.#store.slice.journal);
    // An answer that waits is as old as when it was sent, however late it lands.
    const since = Math.min(oldest, ...settlement.waiting.map(({ seq }) => seq));
    if (since <= this.#cleaned.oldest || size < 2 * this.#cleaned.size + FEW) return journal;
    // What is left is known when it is looked at next.
    this.#cleaned = { oldest: since, size: size / 2 };
    return { rows: [], lists: [], ...journal, oldest: since };
  }

  /** An action was dispatched: fetches again, for subscribers, what it made stale, and lets land in time what waits. */
  after({ expires = [], outdated }: Pick<Landing, 'expires' | 'outdated'>): void {
    this.#watchWaiting();
    if (expires.length === 0) return;
    const { flights, lifetime } = this.#parts;
    // What was asked for before cannot know of what a write did.
    if (outdated.length > 0) flights.part((name) => outdated.includes(name));
    const names = new Set(expires);
    lifetime.refetch((name) => names.has(name));
  }

  #watchWaiting(): void {
    const { waiting } = this.#store.slice.journal;
    if (waiting.length > 0 === (this.#timer !== undefined)) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (waiting.length === 0) return;
    const since = Math.min(...waiting.map((entry) => entry.since));
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        const { result: _, outdated, ...written } = this.#land(undefined, {});
        const { seq } = this.#store.slice;
        this.#store.dispatch(this.#store.actions.release.type, { meta: { seq, ...written } });
        this.after({ ...written, outdated });
      },
      Math.max(0, since + this.#holdTimeout - Date.now()),
    );
  }
}

function withOutdated(landing: Landing, names: readonly string[]): Landing {
  if (names.length === 0) return landing;
  const { outdated, expires = [] } = landing;
  return { ...landing, outdated: [...names, ...outdated], expires: [...names, ...expires] };
}

function metaOf({
  settling: { kind, seq, settledSeq },
  startedTimeStamp,
}: Incoming): NonNullable<NormalizeOptions['meta']> {
  return { kind, seq, settledSeq, startedTimeStamp };
}
