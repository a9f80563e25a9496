import { orElse } from '../../errors.js';
import { besideEarlier } from '../../schema/joinAnswers.js';
import { assertPlain } from '../../schema/json.js';
import { toldPk } from '../../schema/EntitySchema.js';
import { isAbsent, isRecord, none, type Row } from '../../schema/Schema.js';
import { isEmpty, rowIn, type Changes } from '../../tables/changes.js';
import { sameValue } from '../../tables/same.js';
import type { NormalizeOptions } from '../../tables/NormalizeOptions.js';
import { protocol, type RunResult } from '../endpoint.js';
import type { SerializedFailure } from '../request.js';
import { unseen, type Incoming } from '../order/event.js';
import { counts, type Intent } from '../order/intent.js';
import type { Landing } from '../order/Landing.js';
import { rowFrom, rowOf, type Tables } from '../../tables/tables.js';
import { recordOf, requestPk, type RequestRecord, type ResourcesState } from '../state.js';
import { readerOf } from '../reading/StoreReader.js';
import { incomingOf, normalizeAnswer } from './answers.js';
import { heldOf } from './guesses.js';
import { creates, type Flight } from './flight.js';
import { isNewsOfRow, isNoSuchPage, isUnknown } from './failure.js';
import { denies, leavesOpen, leftBeside, saysDone, type Answered } from './leftOpen.js';
import { newListOf } from './newLists.js';
import { PageLanding } from './paging.js';
import { Lander, type LandingParts } from './Lander.js';
import { Newcomers } from './Newcomers.js';
import { withExpired, withOutdated, type Write, type Written } from './written.js';
import { StaleRequests } from './StaleRequests.js';
import type { StoreAccess } from './StoreAccess.js';
import { addsPage, isOnePage, isShifted } from './pageRequests.js';

/** By this status a server says that it has not done yet what it was asked for. */
const ACCEPTED = 202;

/** Finds out what answers write in one store: taken apart, put in their place among what has settled meanwhile, with the guesses of others found anew. */
export class Landings {
  readonly #parts: LandingParts;
  readonly #store: StoreAccess;
  readonly #stale: StaleRequests;
  readonly lander: Lander;
  readonly #newcomers: Newcomers;

  constructor(parts: LandingParts, holdTimeout: number) {
    this.#parts = parts;
    this.#store = parts.store;
    this.#stale = new StaleRequests(parts.store, parts.lifetime, parts.flights);
    this.lander = new Lander(parts, this.#stale, holdTimeout);
    this.#newcomers = new Newcomers(parts, this.#stale);
  }

  /** What an answer writes. Throws where it does not fit. */
  ofAnswer(flight: Flight, { response, isOpaque, isJson, unchanged, status }: RunResult): Written {
    if (unchanged) return this.#ofUnchanged(flight, unchanged);
    this.#aim(flight);
    const { endpoint } = flight.request;
    const outdated = this.#stale.invalidated(endpoint, flight.args, response);
    // A page beyond the end is none, and says nothing of its list.
    const isEmpty = !endpoint.sideEffect && !endpoint.pageOf && isAbsent(response);
    if (isOpaque || isEmpty) {
      const nothing = withOutdated(this.ofNothing(flight.meta.requestId), outdated);
      // Where there is no such row, whatever shows it is as stale as after a 404.
      return isEmpty ? withExpired(nothing, this.#stale.about(flight)) : nothing;
    }
    if (!isJson) assertPlain(response, 'process', endpoint.name);
    return withOutdated(this.#ofData(flight, response, status), outdated);
  }

  /** Finds the row that a write is about by what is known when it ends: all that becomes stale by it is found by that. */
  #aim(flight: Flight): void {
    const { request, args } = flight;
    flight.target = this.#parts.guesses.target({ ...request, args });
  }

  #ofData(flight: Flight, told: unknown, status: number | undefined): Written {
    const { request, args, meta, pageRequest } = flight;
    const { endpoint } = request;
    const { name, schema, sideEffect } = endpoint;
    const { slice } = this.#store;
    const { tables } = slice;
    const response = sideEffect ? heardOf(flight, told, status, tables) : told;
    const drafted = flight.isDrafted ? this.#draftedBy(meta.requestId) : undefined;
    const event = incomingOf(flight, slice, this.#store.nextSeq(), drafted);
    const answer = schema === undefined ? keptOr(response, slice, flight) : response;
    // Nothing tells what was created: whoever waits for its id fails.
    const orphans = isAbsent(response) ? this.#orphans(meta.requestId) : [];
    const landing = this.lander.land(
      {
        event,
        normalize: (options) => normalizeAnswer(flight, answer, drafted, { slice, ...options }),
        paging:
          pageRequest &&
          ((landing: Landing) =>
            new PageLanding(pageRequest, event, args, landing, rowOf(slice.requests, pageRequest.of)?.pages)),
        tagged: endpoint[protocol].tagged(args) === undefined ? undefined : flight,
      },
      { requestId: meta.requestId, orphans, response, name: requestPk(name, meta.arg.key) },
    );
    if (!sideEffect) return this.#ofRead(flight, landing);
    const isDrafted = drafted !== undefined;
    return this.#ofWritten(flight, landing, { tables, changes: landing.changes, told, response, status, isDrafted });
  }

  #ofRead(flight: Flight, landing: Written): Written {
    const { pageRequest, request } = flight;
    const kept = pageRequest && rowOf(this.#store.slice.requests, pageRequest.of)?.answer;
    // A page leaves as it is what the pages before it have told, and it does not.
    const told = isAbsent(landing.result) ? undefined : landing.result;
    const isAdded = kept && (told === undefined || isOnePage(pageRequest));
    const result = isAdded ? besideEarlier(request.endpoint.schema, kept.result, told) : landing.result;
    return withExpired(isAdded ? { ...landing, result } : landing, this.#cutBy(flight));
  }

  /** The reads page by page whose list an answer has set that knows of no pages: just one of theirs is in it now. */
  #cutBy({ pageRequest, request, args }: Flight): readonly string[] {
    const { requests } = this.#store.slice;
    const names = pageRequest ? none : this.#parts.lifetime.pagedBeside(request.endpoint, args);
    return names.filter((name) => (rowOf(requests, name)?.pages?.all.length ?? 0) > 1);
  }

  /** What an answer writes to a write, with what it leaves open: that is stale. */
  #ofWritten(flight: Flight, landing: Written, answered: Answered): Written {
    const { status, isDrafted } = answered;
    const isOpen =
      status === ACCEPTED ||
      isNothing(landing.result) ||
      denies(flight, answered) ||
      (!isDrafted && leavesOpen(flight, answered));
    // By an idempotency key, a server may have given the answer to an earlier try once more.
    const touched =
      isOpen || flight.isResent ? this.#stale.touchedBy(flight, saysDone(flight, answered) ? 'done' : 'a part') : none;
    const isUndo = this.#newcomers.isUndo(flight, flight.target);
    const left = isOpen
      ? none
      : [
          ...this.#stale.missing(flight, answered, isUndo),
          ...this.#stale.reaching(leftBeside(flight, answered)),
          ...this.#stale.listsAt(flight, answered.changes),
        ];
    return withOutdated(landing, [...touched, ...left, ...this.#newcomers.after(flight, answered, landing.result)]);
  }

  /** What a recipe makes of what is confirmed, after the guesses that count and were made before it; nothing where it fails now. */
  #draftedBy(requestId: string): Changes | undefined {
    const recipe = this.#parts.guesses.recipes.get(requestId);
    // What was created, only the answer tells.
    return recipe?.onLists ? undefined : orElse(() => recipe?.find(this.lander.before(requestId, true)), undefined);
  }

  /** What an answer writes that says that the one before still holds. Throws where there is none. */
  #ofUnchanged(flight: Flight, error: Error): Written {
    const { answer, invalid } = keptOf(this.#store.slice, flight) ?? {};
    const result = invalid ? undefined : (answer?.result ?? undefined);
    // Each next page is asked for by the same request.
    if (result === undefined || addsPage(flight.pageRequest)) throw error;
    return { ...this.ofNothing(flight.meta.requestId), result };
  }

  /**
   * What the end of a request without an answer writes: what has waited for it. What a write has done of which nobody knows, makes stale; so does what
   * the server has told of a row or a page by its refusal.
   */
  ofFailure(flight: Flight, failure: SerializedFailure): Written {
    const { sideEffect, pageOf } = flight.request.endpoint;
    const { pageRequest } = flight;
    const landing = this.ofNothing(flight.meta.requestId);
    if (flight.sent === undefined) return landing;
    this.#aim(flight);
    // A try before the last may have been done.
    if (sideEffect && (isUnknown(failure) || flight.isResent))
      return withOutdated(landing, this.#stale.touchedBy(flight, 'nothing'));
    // What was on a page beyond the end is on another now.
    if (pageRequest && pageOf && isNoSuchPage(failure) && isShifted(pageRequest, this.#store.slice))
      return withExpired(landing, [pageRequest.of]);
    if (!isNewsOfRow(failure, sideEffect) || creates(flight)) return landing;
    return (sideEffect ? withOutdated : withExpired)(landing, this.#stale.about(flight));
  }

  /** What becomes of the rest when a request brings nothing, or a patch by hand is undone. */
  ofNothing(requestId: string): Written {
    return this.lander.land(undefined, { requestId, orphans: this.#orphans(requestId) });
  }

  /** What a write by hand writes; one that confirms a patch ends that. */
  ofWrite(
    at: number,
    { fields, normalize }: Pick<Write, 'fields' | 'normalize'>,
    patch?: Pick<Intent, 'requestId' | 'seq'>,
  ): Written {
    const { slice } = this.#store;
    const { tables, intents } = slice;
    // A patch has counted the guesses before it, and those after it lie over it.
    const counting = patch === undefined ? intents.filter(counts) : none;
    const isCounted = (table: string, pk: string, field: string): boolean =>
      counting.some(({ changes }) => Object.hasOwn(rowIn(changes, table, pk) ?? {}, field));
    // What is shown is computed only where a list may have to know.
    const shownBefore = (table: string, pk: string): Row | undefined =>
      rowFrom(readerOf(slice).shown(slice), table, pk);
    const event: Incoming = {
      kind: 'write',
      requestId: '',
      asked: at,
      sent: at,
      came: at,
      startedTimeStamp: Date.now(),
      // Over a field that a guess counts on, the guess is computed again.
      names: (table, pk, isOutermost) => fields(table, pk, isOutermost).filter((field) => !isCounted(table, pk, field)),
      ...unseen,
      ...(patch ? { madeAt: patch.seq } : { shownBefore }),
    };
    const arriving = { event, normalize: (options: NormalizeOptions) => normalize({ tables, ...options }) };
    return this.lander.land(arriving, patch ? { requestId: patch.requestId } : {});
  }

  /** What a patch by hand makes of what is confirmed and the guesses before it. */
  ofPatch(requestId: string): Changes | undefined {
    return this.#parts.guesses.recipes.get(requestId)?.find(this.lander.before(requestId));
  }

  /** Nobody knows whether a write was done that is not over: it shows nothing from now on, and what it touched is stale. */
  doubt(flight: Flight): void {
    this.#aim(flight);
    this.#parts.guesses.forget(flight.meta.requestId);
    const landing = this.lander.land(undefined, { orphans: [flight] });
    this.lander.release(withOutdated(landing, this.#stale.touchedBy(flight, 'nothing')));
  }

  /** A read begins: of a list below an item whose create is not answered yet it is known what is in it. */
  begin(flight: Flight): void {
    const opens = newListOf(flight, this.#store.slice.tables);
    if (opens) this.lander.release(this.lander.land(undefined, { opens }));
  }

  /** Finds the guesses anew where writes are to show something again, or something else. */
  change(...anew: readonly Flight[]): void {
    this.lander.release(this.lander.land(undefined, { anew }));
  }

  /** A slice was taken in: its lists show what is pending, too. */
  hydrated(): void {
    const shown = this.#store.slice.intents.filter(({ changes, isPatch }) => isPatch || !isEmpty(changes));
    const writes = shown.flatMap(({ requestId }) => this.#parts.flights.get(requestId) ?? none);
    if (shown.length > 0) this.change(...writes);
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

  clear(): void {
    this.#stale.clear();
    this.#newcomers.clear();
    this.lander.clear();
  }
}

/** What an answer to a write says of its row; nothing where the server has begun a job (202) and tells of that. */
function heardOf({ request, target }: Flight, told: unknown, status: number | undefined, tables: Tables): unknown {
  const isOfItem = isRecord(told) && target && toldPk(target.entity, told) === target.pk;
  if (target && status === ACCEPTED && !isOfItem) return undefined;
  return request.endpoint[protocol].heard(told, target && (heldOf(tables, target) ?? {}), tables);
}

/** Whether an answer has brought no row. */
function isNothing(result: unknown): boolean {
  return isAbsent(result) || (Array.isArray(result) && result.length === 0);
}

function keptOf(slice: ResourcesState, { request, meta }: Flight): RequestRecord | undefined {
  return recordOf(slice, request.endpoint.name, meta.arg.key);
}

/** What nothing describes is kept as it is: an answer that says the same is the same object. */
function keptOr(response: unknown, slice: ResourcesState, flight: Flight): unknown {
  const kept = keptOf(slice, flight)?.answer?.result;
  return sameValue(kept, response) ? kept : response;
}
