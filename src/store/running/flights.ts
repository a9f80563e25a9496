import { orElse, resourceError } from '../../errors.js';
import { EntitySchema } from '../../schema/EntitySchema.js';
import { findLists, isLists } from '../../schema/ListsSchema.js';
import { listPk } from '../../schema/listKey.js';
import { getOrMake, isRecord, none, type Definition } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { originOf } from '../../schema/temporary.js';
import { protocol, type AnyEndpoint } from '../endpoint.js';
import type { Request } from '../request.js';
import { Places, type Place } from '../../tables/Places.js';
import { realPk, temporariesIn, withReal, withRealPks } from '../order/temporaryIds.js';
import { requestPk } from '../state.js';
import { creates, nameOf, type Flight } from './flight.js';
import type { Outcome } from './outcome.js';

/** The requests of one store that are under way, in the order in which they were made. */
export class Flights {
  readonly #all = new Map<string, Flight>();
  #writes = 0;
  #creates = 0;
  /** When the last that was put on the wire was sent. */
  lastSent = 0;
  /** The lists that requests are about. To find where each is kept once, and not whenever another lands, makes 1 600 lists at once cost half. */
  readonly #expected = new Map<Flight, readonly Place[]>();
  /** Reads that an identical one may join, by what they are kept under. */
  readonly #joinable = new Map<string, Flight>();
  /** The last of each line. */
  readonly #lines = new Map<string, Flight>();
  /** Those that name an item of a create, by the request that creates it. */
  readonly #awaiting = new Map<string, Set<Flight>>();

  get(requestId: string): Flight | undefined {
    return this.#all.get(requestId);
  }

  add(flight: Flight): void {
    const { request, line } = flight;
    this.#all.set(flight.meta.requestId, flight);
    if (request.endpoint.sideEffect) this.#writes++;
    else this.#joinable.set(nameOf(flight), flight);
    if (creates(flight)) this.#creates++;
    this.#expect(flight);
    this.#await(flight);
    this.#enqueue(flight, line);
  }

  remove(flight: Flight): void {
    if (this.#all.delete(flight.meta.requestId)) {
      if (flight.request.endpoint.sideEffect) this.#writes--;
      if (creates(flight)) this.#creates--;
    }
    this.#expected.delete(flight);
    if (this.#joinable.get(nameOf(flight)) === flight) this.#joinable.delete(nameOf(flight));
    this.#dequeue(flight);
    this.#awaitNone(flight);
  }

  #enqueue(flight: Flight, line: string | undefined): void {
    flight.line = line;
    if (line === undefined) return;
    const before = (flight.before = this.#lines.get(line));
    if (before) before.after = flight;
    this.#lines.set(line, flight);
  }

  #dequeue(flight: Flight): void {
    const { line, before, after } = flight;
    if (before) before.after = after;
    if (after) after.before = before;
    flight.before = flight.after = undefined;
    if (line === undefined || this.#lines.get(line) !== flight) return;
    if (before) this.#lines.set(line, before);
    else this.#lines.delete(line);
  }

  abort(reason: string): void {
    for (const flight of this.#all.values()) {
      // What has become of it makes nothing stale that is asked for from now on.
      flight.sent = undefined;
      flight.cancellation.abort(reason);
    }
    this.#writes = this.#creates = 0;
    for (const known of [this.#all, this.#expected, this.#joinable, this.#lines, this.#awaiting]) known.clear();
  }

  /** The same read, where it is under way. */
  identical({ endpoint, allPages }: Request, key: string): Flight | undefined {
    const flight = endpoint.sideEffect ? undefined : this.#joinable.get(requestPk(endpoint.name, key));
    // Who wants one page is not content with all.
    if (flight?.pageRequest?.how === 'again' && !allPages) return undefined;
    return flight?.request.endpoint === endpoint && !flight.cancellation.signal.aborted ? flight : undefined;
  }

  /** Lets nobody join these any more: what they bring is stale already. */
  part(isMeant: (name: string, flight: Flight) => boolean): void {
    for (const flight of this.#all.values()) {
      const name = nameOf(flight);
      if (flight.request.endpoint.sideEffect || !isMeant(name, flight)) continue;
      flight.isOutdated = true;
      if (this.#joinable.get(name) === flight) this.#joinable.delete(name);
    }
  }

  isBeside(requestId: string | undefined): boolean {
    return this.#all.size > (requestId !== undefined && this.#all.has(requestId) ? 1 : 0);
  }

  get isWriting(): boolean {
    return this.#writes > 0;
  }

  #those(isSo: (flight: Flight) => boolean | undefined): readonly Flight[] {
    return [...this.#all.values()].filter(isSo);
  }

  reads(): readonly Flight[] {
    return this.#those(({ request }) => !request.endpoint.sideEffect);
  }

  /** Whether a read is under way for subscribers, because what they have was stale. */
  isFetchedAgain(name: string): boolean {
    return this.reads().some((flight) => flight.request.cause === 'expired' && nameOf(flight) === name);
  }

  /** The endpoints of the writes that are under way, but for those that wait for the user. */
  writingBy(): ReadonlySet<AnyEndpoint> {
    const writes = this.#those(({ request, isStalled }) => request.endpoint.sideEffect && !isStalled);
    return new Set(writes.map(({ request }) => request.endpoint));
  }

  /** The writes to a row that are under way. */
  writingTo({ table, pk }: Place): readonly Flight[] {
    return this.#those(({ target }) => target?.pk === pk && target.table === table);
  }

  /** Whether items are being created. */
  get isCreating(): boolean {
    return this.#creates > 0;
  }

  /** The lists of which pages are under way, by what their requests are kept under. */
  readonly pagedLists = (): ReadonlySet<string> =>
    new Set([...this.#all.values()].flatMap(({ pageRequest }) => pageRequest?.of ?? []));

  /** When the oldest beside one was sent; what still waits to be sent is older than nothing. */
  oldest(except?: string): number {
    // They are kept in the order in which they were made, and most are sent at once.
    let oldest = Infinity;
    for (const { meta, sent, mayBeDoneSince = sent ?? Infinity } of this.#all.values()) {
      if (meta.seq > oldest) break;
      if (meta.requestId !== except && mayBeDoneSince < oldest) oldest = mayBeDoneSince;
    }
    return oldest;
  }

  /** When a request that is under way was first sent, if answers may show what that has done. */
  readonly sentAt = (requestId: string): number | undefined => {
    const { sent, mayBeDoneSince = sent } = this.#all.get(requestId) ?? {};
    return mayBeDoneSince;
  };

  /** Reads bring their list, or those inside an entity; what a write creates is in the list that its parameters name, though nobody has seen that yet. */
  #expect(flight: Flight): void {
    const { endpoint } = flight.request;
    if (endpoint.sideEffect && !creates(flight)) return;
    // A create may be called with its body alone.
    const args = endpoint.sideEffect ? flight.args.slice(0, -1) : flight.args;
    // Where an `argsKey` of the user's own fails, so does the request, when its answer lands.
    const lists = orElse(() => listsOf(endpoint.schema, args), none);
    if (lists.length > 0) this.#expected.set(flight, lists);
  }

  /** The lists that requests are about, each once. */
  expected(): readonly Place[] {
    const lists = new Places();
    for (const places of this.#expected.values()) lists.add(places);
    return lists.all();
  }

  /** The reads under way that will bring one of these lists, by what they are kept under. */
  reading(lists: Places): readonly string[] {
    return [...this.#expected].flatMap(([flight, places]) =>
      !flight.request.endpoint.sideEffect && places.some(({ table, pk }) => lists.has(table, pk))
        ? [nameOf(flight)]
        : [],
    );
  }

  /** What a request has to wait for before it is sent: creates whose items it names, and the one before it in its line. */
  obstacles({ temporaries, before: ahead, meta }: Flight): readonly Promise<Outcome>[] {
    let before = ahead;
    // What was changed to name an item that this creates waits for this, wherever it stands.
    const waits = (one: Flight): boolean => one.temporaries.some((id) => originOf(id).requestId === meta.requestId);
    while (before && (before.isStalled || waits(before))) ({ before } = before);
    const origins = temporaries.flatMap((id) => this.#all.get(originOf(id).requestId)?.settled ?? []);
    return before ? [...origins, before.settled] : origins;
  }

  /** Waits for all that must be over before a request is sent; throws R14 when an item that it names could not be created. */
  async untilClear(flight: Flight): Promise<void> {
    for (let before = this.obstacles(flight); before.length > 0; before = this.obstacles(flight)) {
      await flight.cancellation.until(Promise.race(before));
      if (flight.fault) throw flight.fault.error;
      if (flight.isOrphaned) break;
    }
    if (flight.isOrphaned || flight.temporaries.length > 0) throw resourceError('R14', flight.request.endpoint.name);
  }

  /** Those that name an item of this create. */
  awaiting(requestId: string): readonly Flight[] {
    return [...(this.#awaiting.get(requestId) ?? [])];
  }

  /** Gives those that name an item of this create its real id, and the pk that it is kept under; they stand in the lines of that from now on. */
  resolve(requestId: string, ids: readonly unknown[], pks = ids): readonly Flight[] {
    const waiting = this.awaiting(requestId);
    this.#awaiting.delete(requestId);
    const create = this.#all.get(requestId);
    if (create && waiting.length > 0) create.followers = waiting;
    for (const flight of waiting) {
      for (const id of flight.temporaries) {
        const origin = originOf(id);
        if (origin.requestId === requestId) flight.temporaryOf.set(String(pks[origin.index]), id);
      }
      const { target } = flight;
      if (target) flight.target = { ...target, pk: realPk(target.pk, requestId, pks) };
      flight.guess = flight.guess && withRealPks(flight.guess, requestId, pks);
      this.change(flight, withReal(flight.args, requestId, ids));
    }
    return waiting;
  }

  /** Gives a request that is not sent other arguments: it waits for what these name, in the line that they say. */
  change(flight: Flight, args: readonly unknown[]): void {
    const temporaries = temporariesIn(args);
    // Among those that wait for another create as well it keeps its place, too.
    this.#awaitNone(flight, temporaries);
    flight.args = args;
    flight.temporaries = temporaries;
    this.#expect(flight);
    this.#await(flight);
    if (flight.line === undefined) return;
    try {
      const line = flight.request.endpoint[protocol].line(args);
      // In its own line it keeps its place: who stands behind it waits for it already.
      if (line === flight.line) return;
      this.#dequeue(flight);
      this.#enqueue(flight, line);
    } catch (error) {
      flight.fault = { error };
    }
  }

  /** Puts a request behind all others of its line. */
  toEnd(flight: Flight): void {
    const { line } = flight;
    this.#dequeue(flight);
    this.#enqueue(flight, line);
  }

  #awaitNone(flight: Flight, but: readonly string[] = []): void {
    for (const id of flight.temporaries)
      if (!but.includes(id)) this.#awaiting.get(originOf(id).requestId)?.delete(flight);
  }

  #await(flight: Flight): void {
    for (const id of flight.temporaries) getOrMake(this.#awaiting, originOf(id).requestId, () => new Set()).add(flight);
  }
}

/** The lists that some arguments name: the one of a Collection, or those inside an entity, as far as its parameters tell. */
function listsOf(definition: Definition, args: readonly unknown[]): readonly Place[] {
  const lists = findLists(definition);
  if (lists) return [{ table: lists.table, pk: lists.pkOfArgs(args) }];
  const [params] = args;
  const entity = schemaOf(definition);
  if (!(entity instanceof EntitySchema) || !isRecord(params)) return [];
  return entity.nested.flatMap(([field, inner]) => {
    const key = isLists(inner) ? inner.nestKey(params, field) : undefined;
    return key && isLists(inner) ? [{ table: inner.table, pk: listPk(key) }] : [];
  });
}
