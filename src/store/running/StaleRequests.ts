import { isAbsent, none, type Definition, type Row } from '../../schema/Schema.js';
import { orElse, reasonOf, warnOnce } from '../../errors.js';
import { levelsOf } from '../../schema/subject.js';
import { addPlaces, addRows, flatMapRows, noChanges, type Changes } from '../../tables/changes.js';
import { Overlay } from '../../tables/Overlay.js';
import { keyValue, tablesOfLists } from '../../schema/listKey.js';
import { findLists, isLists, type ListsSchema } from '../../schema/ListsSchema.js';
import { Places, type Place } from '../../tables/Places.js';
import { editBy, Membership } from '../order/membership.js';
import { listsOpenTo } from '../order/openLists.js';
import { partsOf } from '../../tables/Reach.js';
import { pksOf, rowFrom, rowOf } from '../../tables/tables.js';
import { knownIn, rowsWith } from '../../tables/wireRow.js';
import { protocol, type AnyEndpoint, type Outdated } from '../endpoint.js';
import type { Lifetime } from '../lifetime/Lifetime.js';
import { allRowSchemas, requestsShowing, rowSchemasIn } from '../lifetime/mentions.js';
import { withMoves } from '../order/intents.js';
import type { Landing } from '../order/Landing.js';
import { attempted, isForetold, sendsFields } from './attempt.js';
import type { Answered } from './leftOpen.js';
import { isNewsOfRow } from './failure.js';
import { creates, nameOf, type Flight } from './flight.js';
import type { Flights } from './flights.js';
import { heldOf } from './guesses.js';
import { queryEndpoint } from '../reading/queryEndpoint.js';
import { isFresh } from '../reading/freshness.js';
import { EntitySchema } from '../../schema/EntitySchema.js';
import { isMeant, readsAt, requestPk, type RequestRecord } from '../state.js';
import type { StoreAccess } from './StoreAccess.js';

/** Finds the requests whose answers are stale from now on, by what they are kept under. */
export class StaleRequests {
  readonly #store: StoreAccess;
  readonly #lifetime: Lifetime;
  readonly #flights: Flights;
  /** Rows and lists of which nobody knows yet what the server has. */
  #doubts = new Places();
  /** Rows of which nobody knows what a write has made of them, while others are under way. */
  #unknown = new Places();

  constructor(store: StoreAccess, lifetime: Lifetime, flights: Flights) {
    this.#store = store;
    this.#lifetime = lifetime;
    this.#flights = flights;
  }

  /** The requests whose answers show what a write has tried to change, or will; `told` is how much is known of what it has done. */
  touchedBy(flight: Flight, told: 'nothing' | 'done' | 'a part'): readonly string[] {
    const { args, meta, target } = flight;
    const { endpoint } = flight.request;
    const places = this.#placesOf(flight);
    // What the other writes to a row have found there, is not known either; of what was done before it was answered, all that is sent from now on knows.
    if (told !== 'done') this.#unknown.addAll(this.#due(places, meta.requestId).left);
    const touched = new Set(places.tables().map(([table]) => table));
    const isTouched = (_: string, pk: string): boolean =>
      target || creates(flight) ? [target?.pk, target?.told].includes(pk) : true;
    return [
      ...this.reaching(places),
      ...this.listsAt(flight),
      // A lost answer leaves as much open as an empty one.
      ...(told === 'a part' ? none : this.#untold(flight, places)),
      ...this.#unanswered(touched.size > 0 ? touched : tablesOf(endpoint.schema), isTouched),
      // By what was answered, that is found already.
      ...(told === 'nothing' ? this.invalidated(endpoint, args) : none),
    ];
  }

  /** The rows and lists that a write has tried to change, or was expected to. */
  #placesOf(flight: Flight): Places {
    const { args, guess, target } = flight;
    const { tables } = this.#store.slice;
    const expected = this.#flights.expected();
    const places = new Places();
    if (target) places.add([target]);
    for (const tried of [attempted(flight, tables, expected), guess ?? noChanges]) {
      addPlaces(places, withMoves(tried, { base: () => tables, followed: this.#lifetime.followed, expected }));
      places.add(this.#open(tried, expected, creates(flight) ? args : undefined));
    }
    return places;
  }

  /**
   * What may show more of a write than is known of it: of one that names no row and no list, any read of its class; of one that names what is no
   * field of its row, or nothing, as `POST /issues/1/close`, the lists of its class.
   */
  #untold(flight: Flight, places: Places): readonly string[] {
    const { target, request } = flight;
    const { schema } = request.endpoint;
    const kept = ({ table, pk }: Place): Row | undefined => rowFrom(this.#store.slice.tables, table, pk);
    const isTold = target
      ? isForetold(flight) || sendsFields(flight, kept(target))
      : namesLists(schema) || places.all().some(kept);
    if (isTold) return [];
    // What its item has inside is another matter than what stands beside it in an envelope.
    const tables = target
      ? new Set([target.table, ...rowSchemasIn(schema).map(({ table }) => table)])
      : tablesOf(schema);
    return this.holding(tables).filter((name) => !target || this.#isList(name));
  }

  /** The reads under way for the first time that may show rows of some tables, but those of one row that is not meant: they may have been served before a write to these. */
  #unanswered(
    tables: ReadonlySet<string>,
    isMeant: (table: string, pk: string) => boolean,
    except?: string,
  ): readonly string[] {
    /** Whether it is a read of one row that is another, and has no row of these tables inside. */
    const isOfAnother = ({ request: { endpoint }, args }: Flight): boolean => {
      const { entity, pk } = endpoint[protocol].about(args) ?? {};
      if (!entity || pk === undefined || isMeant(entity.table, pk)) return false;
      return !entity.nested.some(([, inner]) => haveOne(tablesOf(inner), tables));
    };
    return this.#flights
      .reads()
      .filter((read) => read.meta.requestId !== except && !rowOf(this.#store.slice.requests, nameOf(read))?.answer)
      .filter((read) => haveOne(tablesOf(read.request.endpoint.schema), tables) && !isOfAnother(read))
      .map(nameOf);
  }

  /** The lists that a write which has tried this may have changed; `call` is that of a create. */
  #open({ rows: tried }: Changes, expected: readonly Place[], call?: readonly unknown[]): readonly Place[] {
    const { tables } = this.#store.slice;
    const { followed } = this.#lifetime;
    const known = knownIn(tables);
    const membership = new Membership(followed, tables, expected, rowsWith(tables, tried));
    return flatMapRows(tried, (table, pk, row): readonly Place[] => {
      const before = rowFrom(tables, table, pk);
      if (row && before) {
        const edit = editBy({ table, pk }, before, row);
        return [...membership.moves(edit), ...membership.openTo(edit)];
      }
      // Of a row that is not there, nobody knows what an edit has made.
      if (row && !call) return [];
      // What is deleted shifts the parts of lists; those that have it show it.
      const isMeant = (collection: ListsSchema, list: string): boolean =>
        row !== null || collection.isPart(list, known);
      return listsOpenTo({ table, row: row ?? before, call }, { followed, tables }, isMeant);
    });
  }

  /** The other requests whose answers are fresh, and show the row that a request is about. */
  about(flight: Flight): readonly string[] {
    const { endpoint } = flight.request;
    const { requests, tables } = this.#store.slice;
    const places = new Places();
    if (endpoint.sideEffect) addRows(places, attempted(flight, tables));
    else
      for (const { schema, table, pk } of partsOf(endpoint.schema, queryEndpoint(tables, endpoint, flight.args)))
        if (schema instanceof EntitySchema) places.set(table, pk, true);
    const own = nameOf(flight);
    // Two reads of one row that is gone would have each other fetched for ever.
    const isToAsk = (name: string): boolean =>
      rowOf(requests, name) === undefined || isFresh(rowOf(requests, name), Date.now());
    return this.showing(places).filter((name) => name !== own && isToAsk(name));
  }

  /** The requests whose answers show some rows or lists, and what subscribers read of these rows without a request of their own. */
  showing(places: Places): readonly string[] {
    const { requests } = this.#store.slice;
    const borrowed = places
      .all()
      .flatMap((place) => this.#lifetime.readsOf(place))
      .filter((name) => rowOf(requests, name) === undefined);
    return [...requestsShowing(this.#store.slice, places, this.#lifetime.endpointOf), ...borrowed];
  }

  /** The same, and the requests that are to bring one of these lists: what is first asked for was asked for before, too. */
  reaching(places: Places): readonly string[] {
    return [...this.showing(places), ...this.#flights.reading(places)];
  }

  /**
   * The requests that may show a row that was not there before a write, or was deleted here: reads of its address that have found none, and where the answer
   * does not bring it, the lists that the write puts it into.
   */
  missing(flight: Flight, { response, changes, tables }: Answered, isUndo: boolean): readonly string[] {
    const { request, args, target } = flight;
    if (!isUndo && heldOf(tables, target)) return [];
    const places = new Places();
    if (isAbsent(response)) places.add(changes.lists.filter(({ operation }) => operation !== 'remove'));
    const isMissed = ({ answer, failure }: Partial<RequestRecord> = {}, isList: boolean): boolean | undefined =>
      failure && isNewsOfRow(failure.error, false) && !answer && !isList;
    const missed = request.endpoint[protocol].about(args) ? this.#readsAt(flight, isMissed) : none;
    return [...missed, ...this.showing(places)];
  }

  #isList(name: string): boolean {
    return findLists(this.#lifetime.endpointOf(name)?.schema) !== undefined;
  }

  /** The reads of a list at the address of a write with a body that is answered with all of it, as `PUT /files/7/users`: what it sends is no name of that list. */
  listsAt(flight: Flight, { lists }: Changes = noChanges): readonly string[] {
    const { schema, [protocol]: rules } = flight.request.endpoint;
    if (rules.named(flight.args) === undefined || !levelsOf(schema).flat().some(isLists)) return [];
    const isSet = (ref: unknown): boolean => lists.some(({ operation, pk }) => operation === 'set' && pk === ref);
    return this.#readsAt(flight, (record, isList) => isList && !isSet(record?.answer?.result));
  }

  /** The reads at the address of a request, of lists and others. */
  #readsAt(
    { request: { endpoint }, args }: Flight,
    counts: (record: RequestRecord | undefined, isList: boolean) => boolean | undefined,
  ): readonly string[] {
    const { slice } = this.#store;
    const address = orElse(() => endpoint[protocol].address(args), '');
    return readsAt(slice, address).filter((name) => counts(rowOf(slice.requests, name), this.#isList(name)));
  }

  /** The reads whose answers can hold rows of some tables, and what subscribers read of these without a request of their own. */
  holding(tables: ReadonlySet<string> | undefined): readonly string[] {
    if (!tables || tables.size === 0) return [];
    return [...this.#lifetime.borrowed(), ...pksOf(this.#store.slice.requests)].filter((name) => {
      const endpoint = this.#lifetime.endpointOf(name);
      return endpoint && !endpoint.sideEffect && haveOne(tablesOf(endpoint.schema), tables);
    });
  }

  /** The requests that a write says it has changed beside its answer, or may have where there is none. */
  invalidated(endpoint: AnyEndpoint, args: readonly unknown[], response?: unknown): readonly string[] {
    const targets = targetsOf(endpoint, args, response);
    if (targets.length === 0) return [];
    const { requests, tables } = this.#store.slice;
    const names = pksOf(requests, (record, name) => targets.some((target) => isMeant(target, name, record)));
    // What another answer has brought is stale for who asks for it.
    const brought = targets.flatMap(({ name, key = '', request }) => {
      if (!request || queryEndpoint(tables, request.endpoint, request.args) === undefined) return [];
      const pk = requestPk(name, key);
      if (!rowOf(requests, pk)) this.#lifetime.told(request.endpoint, pk);
      return [pk];
    });
    return [...new Set([...names, ...this.#lifetime.borrowed(targets), ...brought])];
  }

  /**
   * The requests that are to tell what a read and a write that overlapped say differently: once no write to the row is under way. What is asked
   * for by itself is a read of the row that somebody is subscribed to, else all that shows it.
   */
  inDoubt(
    { rows: { doubts } }: Landing,
    changes: Changes,
    news: Parameters<typeof requestsShowing>[3],
    except: string | undefined,
  ): { readonly doubtful: readonly string[]; readonly unknown: readonly string[] } {
    this.#doubts.addAll(doubts);
    const showing = (places: Places): readonly string[] => {
      if (places.tables().length === 0) return [];
      const { requests, tables } = this.#store.slice;
      const next = { requests, tables: new Overlay().show(tables, [changes]) };
      return requestsShowing(next, places, this.#lifetime.endpointOf, news);
    };
    const doubted = this.#due(this.#doubts, except);
    const rest = new Places();
    const alone = doubted.due.all().flatMap((place) => {
      const reads = this.#lifetime.readsOf(place);
      if (reads.length === 0) rest.add([place]);
      return reads;
    });
    // A read of the row that somebody is subscribed to tells it to these, too.
    const tables = rest
      .tables()
      .map(([table]) => table)
      .filter((table) => tablesOfLists(table).length === 0);
    const isDue = (table: string, pk: string): boolean => rest.has(table, pk);
    const first = tables.length > 0 ? this.#unanswered(new Set(tables), isDue, except) : none;
    const unknown = this.#due(this.#unknown, except);
    [this.#doubts, this.#unknown] = [doubted.left, unknown.left];
    return { doubtful: [...alone, ...first, ...showing(rest)], unknown: showing(unknown.due) };
  }

  /** The reads by a natural key, but one, that were answered with a row which has another by now, or is gone, while a row that comes has that. */
  takenOver(changes: Changes, except: string | undefined): readonly string[] {
    const { requests, tables } = this.#store.slice;
    const { endpointOf, followed } = this.#lifetime;
    const owners = new Map<string, Place & { readonly field: string }>();
    for (const { table, pks, rows } of changes.rows)
      for (const field of followed.indexesOf(table))
        rows.forEach((row, i) => {
          const value = keyValue(row, field);
          if (value !== undefined) owners.set(`${field} ${value}`, { table, pk: pks[i] ?? '', field });
        });
    if (owners.size === 0) return none;
    const after = rowsWith(tables, changes.rows);
    return pksOf(requests, ({ answer, params = {} }, name) => {
      const asked = Object.keys(params).map((field) => owners.get(`${field} ${String(keyValue(params, field))}`));
      const owner = asked.find((one) => one);
      const { schema, sideEffect } = (owner && endpointOf(name)) ?? {};
      if (!owner || !answer || sideEffect || name === except) return false;
      const shown = partsOf(schema, answer.result).find(({ table }) => table === owner.table);
      if (!shown || shown.pk === owner.pk) return false;
      return keyValue(after(shown.table, shown.pk), owner.field) !== keyValue(params, owner.field);
    });
  }

  /** Places to which no write is under way any more, and the others. */
  #due(places: Places, except: string | undefined): { readonly due: Places; readonly left: Places } {
    const [due, left] = [new Places(), new Places()];
    for (const place of places.all()) {
      const isWritten = this.#flights.writingTo(place).some(({ meta }) => meta.requestId !== except);
      (isWritten ? left : due).add([place]);
    }
    return { due, left };
  }

  clear(): void {
    this.#doubts = new Places();
    this.#unknown = new Places();
  }
}

export function haveOne(tables: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...tables].some((table) => others.has(table));
}

/** The tables of the rows that an answer may have. */
export function tablesOf(definition: Definition): ReadonlySet<string> {
  return new Set([...allRowSchemas([definition])].map(({ table }) => table));
}

/**
 * Whether a write tells by its schema which lists it changes: by an operation on lists, which says whether it adds items, in whatever shape, or by a list
 * itself. A list inside a shape tells nothing.
 */
function namesLists(definition: Definition): boolean {
  return levelsOf(definition).some((schemas, level) =>
    schemas.some((one) => one.addsItems !== undefined || (level === 0 && isLists(one))),
  );
}

/** What a write has changed beside its answer. What the user's code throws does not undo the write. */
function targetsOf(endpoint: AnyEndpoint, args: readonly unknown[], response: unknown): readonly Outdated[] {
  try {
    return endpoint[protocol].invalidated(args, response ?? null);
  } catch (error) {
    const { name } = endpoint;
    // What needs an answer to tell what it has changed cannot tell it without one.
    if (response === undefined) return [];
    warnOnce(() => [
      `invalidates ${name}`,
      `invalidates of ${name} failed, so nothing is stale by it: ${reasonOf(error)}`,
    ]);
    return [];
  }
}
