import type { EntitySchema } from '../../schema/EntitySchema.js';
import { isRecord, none, own, pick, type Row } from '../../schema/Schema.js';
import { originOf } from '../../schema/temporary.js';
import { sameValue } from '../../tables/same.js';
import type { Places } from '../../tables/Places.js';
import { rowsReached } from '../../tables/Reach.js';
import { rowFrom, rowOf, type Tables } from '../../tables/tables.js';
import { inPlace, rowsIn } from '../../tables/wireRow.js';
import { isNetworkError } from '../../errors.js';
import { protocol, type RunResult } from '../endpoint.js';
import type { Tag } from '../hookApi.js';
import { hasAnswer } from '../reading/StoreReader.js';
import { makeRequest, type Request } from '../request.js';
import { readsAt, requestPk } from '../state.js';
import { isSetIn, namedBy, sentBy, setBy } from './attempt.js';
import { isConflict } from './failure.js';
import { nameOf, type Flight } from './flight.js';
import type { Flights } from './flights.js';
import { heldOf } from './guesses.js';
import type { StoreAccess } from './StoreAccess.js';
import type { EndpointOf } from './target.js';

/** So often a write is sent again because of conflicts. */
const TRIES = 2;

/** What no answer has for a tag: a server that heeds tags refuses it. */
const NEVER = '"never"';

/** What an answer with a tag has brought. */
interface Brought {
  readonly tag: string;
  /** Undefined where a part of it waits: then its tag speaks for nothing that is kept. */
  readonly rows: Places<unknown> | undefined;
}

/** A write that was refused. */
interface Refused {
  readonly error: unknown;
  /** How often it was sent again. */
  readonly tries: number;
  /** Of a kept write: whether it was sent before. Where the row cannot be read for want of a network, it is asked again later. */
  readonly isResend?: boolean;
}

/** A row that was read once more because a write was refused. */
interface Fetched {
  readonly theirs: Row;
  readonly tag: string | undefined;
}

/** The tags that a server gives its answers (`ETag`): a read asks whether its answer is the newest still, a write is refused where somebody else was faster. */
export class ETags {
  readonly #store: StoreAccess;
  readonly #flights: Flights;
  readonly #endpointOf: EndpointOf;
  /** What answers have brought, by what their requests are kept under: a tag speaks for that, as long as it stands. */
  readonly #brought = new Map<string, Brought>();

  constructor(store: StoreAccess, flights: Flights, endpointOf: EndpointOf) {
    this.#store = store;
    this.#flights = flights;
    this.#endpointOf = endpointOf;
  }

  /** Notes what the user sees of the row when a write is made. */
  begin(flight: Flight): void {
    const { request, args, shown, target, temporaries } = flight;
    const address = request.endpoint[protocol].tagged(args);
    // Of what is still to be created, nobody has seen what the server makes of it.
    if (address === undefined || !request.endpoint.sideEffect || temporaries.length > 0) return;
    // What an earlier edit covers that is pending, the user has not seen: the tag of before speaks for what was seen.
    const before = target && this.#flights.writingTo(target).find((other) => other !== flight && other.seen);
    flight.tag = before ? before.tag : this.#store.slice.tags?.[address];
    flight.seen = heldOf(shown, target);
  }

  /** What a request is sent with; undefined for no tag. */
  tagFor(flight: Flight): Tag | undefined {
    const { request, args, pageRequest } = flight;
    const { endpoint } = request;
    const address = pageRequest ? undefined : endpoint[protocol].tagged(args);
    if (address === undefined) return undefined;
    const [name, value] = endpoint.sideEffect
      ? (['If-Match', this.#matching(flight, address)] as const)
      : (['If-None-Match', this.#standing(nameOf(flight))] as const);
    return value === undefined ? undefined : { name, value };
  }

  /** The tag of what the user has seen of a row when the write was made. */
  #matching(flight: Flight, address: string): string | undefined {
    const { target, seen, tag } = flight;
    const { tables, tags } = this.#store.slice;
    const newest = tags?.[address];
    // A write of another life of the tab has the tag of then.
    if (newest === undefined) return tag;
    const now = heldOf(tables, target);
    // The newest tag speaks for data that the user may never have seen: then the server is to refuse.
    const isSeen = !seen || !now || namedBy(flight).every((field) => isSame(field, now, seen));
    return isSeen ? newest : (tag ?? NEVER);
  }

  /** The tag of the answer to a request, if all that it has brought is as it left it. */
  #standing(name: string): string | undefined {
    const { tables, requests } = this.#store.slice;
    const brought = hasAnswer(rowOf(requests, name)) ? this.#brought.get(name) : undefined;
    const stands = brought?.rows
      ?.tables()
      .every(([table, rows]) => [...rows].every(([pk, row]) => rowFrom(tables, table, pk) === row));
    return stands ? brought?.tag : undefined;
  }

  /** Whether a read was answered with 304, and what its tag was of is gone meanwhile: it is sent once more, without. */
  isMissed(flight: Flight, { unchanged }: RunResult): boolean {
    const record = rowOf(this.#store.slice.requests, nameOf(flight));
    return unchanged !== undefined && flight.sentTag !== undefined && !hasAnswer(record);
  }

  /** The tag of an answer that was taken whole, by its address; for the action that tells of the answer. */
  tagsOf(flight: Flight, { headers, response, unchanged }: RunResult): Readonly<Record<string, string>> | undefined {
    const { request, args, pageRequest, isPart } = flight;
    // What a 304 speaks of may be something else by now: an edit was answered meanwhile.
    const tag = unchanged ? this.#standing(nameOf(flight)) : headers?.get('etag');
    const isKept = tag && !pageRequest && !isPart && this.#tellsAll(flight, response);
    const address = isKept ? request.endpoint[protocol].tagged(args) : undefined;
    return tag && address !== undefined ? { [address]: tag } : undefined;
  }

  /** Whether what is kept of a row is what a tag speaks for: an edit that was sent without one may be answered with less than that. */
  #tellsAll(flight: Flight, response: unknown): boolean {
    const { request, args, sentTag, target } = flight;
    if (!request.endpoint.sideEffect || sentTag !== undefined) return true;
    const { tables } = this.#store.slice;
    const row = heldOf(tables, target) ?? {};
    const others = Object.keys(row)
      .filter(isNotIn(args[0]))
      .filter(isNotIn(setBy(flight, tables)));
    // It may be in an envelope.
    const parts = isRecord(response) ? [response, ...Object.values(response)] : [response];
    return parts.some((part) => !others.some(isNotIn(part)));
  }

  /** An answer has landed. What a write has named, whoever makes the later ones has seen. */
  landed(flight: Flight, answer: RunResult, result: unknown): void {
    const { headers, unchanged } = answer;
    const { request, args, meta, pageRequest, isPart, followers = none } = flight;
    const { endpoint } = request;
    for (const later of followers) this.#noteCreated(later, meta.requestId, answer);
    if (unchanged || endpoint[protocol].tagged(args) === undefined) return;
    if (endpoint.sideEffect) {
      this.#noteSeen(flight);
      return;
    }
    const name = nameOf(flight);
    const tag = pageRequest ? null : headers?.get('etag');
    const rows = isPart ? undefined : rowsReached(this.#store.slice.tables, endpoint.schema, result);
    if (tag) this.#brought.set(name, { tag, rows });
    else this.#brought.delete(name);
  }

  /** Who has waited for a row to be created has seen it as its create was answered. */
  #noteCreated(later: Flight, requestId: string, { headers, response }: RunResult): void {
    const { target, temporaryOf, request, args } = later;
    const origin = (target && temporaryOf.get(target.pk)) ?? '';
    if (originOf(origin).requestId !== requestId || request.endpoint[protocol].tagged(args) === undefined) return;
    later.seen = heldOf(this.#store.slice.tables, target);
    // The tag of several items is that of none.
    later.tag = Array.isArray(response) ? undefined : (headers?.get('etag') ?? undefined);
  }

  /** Whoever makes the later writes has seen what a write has named; of what `onConflict` has put together only the own part, unless that was shown. */
  #noteSeen(flight: Flight): void {
    const { target, merged } = flight;
    const { tables } = this.#store.slice;
    const row = heldOf(tables, target);
    if (!row || !target) return;
    const named = Object.fromEntries(namedBy(flight).map((field) => [field, own(row, field)]));
    const sent = merged && sentBy(flight, tables);
    let isShown = !sent;
    for (const later of this.#flights.writingTo(target)) {
      const { seen } = later;
      if (later === flight || !seen) continue;
      isShown ||= Object.keys(merged ?? {}).every((field) => isSame(field, seen, sent));
      later.seen = { ...seen, ...named, ...(!isShown && merged) };
    }
  }

  /**
   * What becomes of a write that is refused because the row is another by now (409, 412, 428): the arguments to send it with once more; its answer, where the row
   * is as it was to become; undefined where that is the end of it.
   */
  async resolve(flight: Flight, refused: Refused): Promise<readonly unknown[] | RunResult | undefined> {
    const { target, request } = flight;
    const { error, tries, isResend } = refused;
    // A read is about no row.
    const address = target && request.endpoint[protocol].tagged(flight.args);
    if (!target || address === undefined || !(isNetworkError(error) && isConflict(error.status)) || tries >= TRIES)
      return undefined;
    const fetched = await this.#fetched(flight, address, isResend !== undefined);
    return fetched && this.#resolveOver(fetched, flight, target.entity, refused);
  }

  /** The same, where it is known what the row is now. */
  async #resolveOver(
    { theirs, tag }: Fetched,
    flight: Flight,
    entity: EntitySchema,
    { error, isResend }: Refused,
  ): Promise<readonly unknown[] | RunResult | undefined> {
    const { tables } = this.#store.slice;
    const { request, args } = flight;
    // Nothing has changed: it is refused for another reason, as a name that is taken.
    if (tag !== undefined && tag === flight.sentTag) return undefined;
    // It was done, and its answer lost; or somebody else has written the same. What a recipe has counted, others may have counted, too.
    if ((isResend || !flight.isDrafted) && isSetIn(theirs, flight, tables))
      return { response: request.endpoint[protocol].attempted(args)?.response, isOpaque: false, isJson: true };
    const next = isAsSeen(flight, error, theirs) ? args : await this.#rebased(flight, entity, theirs);
    if (!next) return undefined;
    if (next !== args) flight.merged = { ...mergedBy(flight, next, tables), ...flight.merged };
    [flight.seen, flight.tag] = [theirs, tag];
    return next;
  }

  /** The arguments of a write once more, where nobody else has changed what it names; else what the user's own rule makes of them. */
  #rebased(
    flight: Flight,
    entity: EntitySchema,
    theirs: Row,
  ): readonly unknown[] | Promise<readonly unknown[] | undefined> {
    const { request, args, seen = {}, shown } = flight;
    const named = namedBy(flight);
    if (named.length > 0 && named.every((field) => isSame(field, seen, theirs))) return args;
    const { tables } = this.#store.slice;
    // What lies in a row stays a row.
    const wire = (row: Row, of: Tables): Row => inPlace(entity, row, rowsIn(of)) as Row;
    return request.endpoint[protocol].resolved(args, { base: wire(seen, shown), theirs: wire(theirs, tables) });
  }

  /** The row as the server has it now, with the tag of that; undefined where that cannot be had, but a network that is not there fails it for who is patient. */
  async #fetched(flight: Flight, address: string, isPatient: boolean): Promise<Fetched | undefined> {
    const { request, args, target, cancellation } = flight;
    const [name] = readsAt(this.#store.slice, `GET ${address}`);
    const read: Request = makeRequest(...request.endpoint[protocol].reading(args, name && this.#endpointOf(name)));
    let readName = '';
    try {
      // One that was sent before the refusal may not know why.
      readName = requestPk(read.endpoint.name, read.endpoint.key(...read.args));
      this.#flights.part((one) => one === readName);
      // The middleware of thunks gives what the request gives.
      const promise = this.#store.api.dispatch(read as never) as unknown as ReturnType<Request>;
      await cancellation.until(promise.unwrap());
    } catch (error) {
      if ((isPatient && isUnanswered(error)) || cancellation.signal.aborted) throw error;
      return undefined;
    }
    const { tables, journal, tags } = this.#store.slice;
    const row = heldOf(tables, target);
    // What waits for the guess itself was told, too.
    const waiting = journal.waiting.filter(({ table, pk }) => table === target?.table && pk === target.pk);
    const tag = this.#brought.get(readName)?.tag ?? tags?.[address];
    return row && { theirs: Object.assign({}, row, ...waiting.map((entry) => entry.row)) as Row, tag };
  }

  forget(names: readonly string[]): void {
    for (const name of names) this.#brought.delete(name);
  }

  clear(): void {
    this.#brought.clear();
  }
}

function isUnanswered(error: unknown): boolean {
  return isNetworkError(error) && !error.status;
}

/** What a write was to set of the fields that other arguments set to something else; of a field that it leaves alone, what was seen. */
function mergedBy(flight: Flight, args: readonly unknown[], tables: Tables): Row {
  const [before, after] = [sentBy(flight, tables), sentBy({ ...flight, args }, tables)];
  return pick({ ...flight.seen, ...setBy(flight, tables) }, (field) => !isSame(field, before, after));
}

/** Whether a write was refused for want of a tag alone (428): its row is as the user has seen it, if at all. */
function isAsSeen({ seen = {} }: Flight, error: unknown, theirs: Row): boolean {
  return isNetworkError(error) && error.status === 428 && Object.keys(seen).every((name) => isSame(name, seen, theirs));
}

function isNotIn(told: unknown): (field: string) => boolean {
  return (field) => !isRecord(told) || !Object.hasOwn(told, field);
}

function isSame(field: string, one: Row | undefined, other: Row | undefined): boolean {
  return sameValue(own(one, field), own(other, field));
}
