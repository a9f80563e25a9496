import type { ListsSchema } from '../../schema/ListsSchema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { isAbsent, type Row } from '../../schema/Schema.js';
import { goneIn, rowIn, type Changes } from '../../tables/changes.js';
import { Places, type Place } from '../../tables/Places.js';
import { rowFrom } from '../../tables/tables.js';
import { protocol } from '../endpoint.js';
import { refsIn } from '../../tables/members.js';
import { partsOf } from '../../tables/Reach.js';
import { listedIn, refOf } from '../order/inPaths.js';
import { listsOpenTo } from '../order/openLists.js';
import { fieldsSent } from './attempt.js';
import { creates, type Flight } from './flight.js';
import { rowsOf } from '../order/lists.js';
import type { Answered } from './leftOpen.js';
import type { StaleRequests } from './StaleRequests.js';
import type { LandingParts } from './Lander.js';

/** By this status a server says that it has made the item. */
const CREATED = 201;

/** So many rows are remembered that were deleted, and that writes have brought. */
const REMEMBERED = 100;

/** When the writes were sent that were the last to do something with rows, by row. */
type Times = Map<string, number>;

/** Finds the requests that lack a row which a write has made, or has brought back. */
export class Newcomers {
  readonly #parts: LandingParts;
  readonly #stale: StaleRequests;
  readonly #deleted: Times = new Map();
  /** Of rows that are told by what may have brought them back. */
  readonly #brought: Times = new Map();

  constructor(parts: LandingParts, stale: StaleRequests) {
    this.#parts = parts;
    this.#stale = stale;
  }

  /** Whether a write was sent after a row was deleted here. */
  isUndo({ sent = 0 }: Pick<Flight, 'sent'>, place: Place | undefined): boolean {
    return place !== undefined && (this.#deleted.get(nameOf(place)) ?? Infinity) < sent;
  }

  /**
   * The requests that lack rows, as the answer to a write says. An undo and a deletion that overlapped make all reads of the class stale, whichever is
   * answered last: what is sent before a deletion is answered cannot bring its row back by itself.
   */
  after(flight: Flight, answered: Answered, result: unknown): readonly string[] {
    const { changes, tables } = answered;
    const [open, unsure] = [new Places(), this.#deletedBy(flight, changes)];
    const mayBring = mayBringBack(flight);
    for (const place of rowsMeant(flight, result, changes)) {
      const changed = rowIn(changes, place.table, place.pk);
      if (changed === null) continue;
      const isUndo = this.#undoes(flight, place, mayBring, changed !== undefined);
      const before = rowFrom(tables, place.table, place.pk);
      // Which lists have what is created, the answer has told.
      if (changed ?? before) {
        const isOpen = !creates(flight) && (isUndo || isNew(flight, place, answered));
        if (isOpen) open.add(this.#lacking(place, { ...before, ...changed }));
      } else if (isUndo && !sayNothing(flight, answered)) unsure.add(place.table);
    }
    return [...this.#stale.reaching(open), ...this.#stale.holding(unsure)];
  }

  /** Notes the rows that a write has deleted; gives the tables of those that a later write may have brought back before. */
  #deletedBy({ sent = 0 }: Flight, { rows }: Changes): Set<string> {
    const unsure = new Set<string>();
    for (const place of goneIn(rows)) {
      note(this.#deleted, place, sent);
      if ((this.#brought.get(nameOf(place)) ?? 0) > sent) unsure.add(place.table);
    }
    return unsure;
  }

  /** Whether a write has brought a row back that was deleted; notes that it may have. */
  #undoes(flight: Flight, place: Place, mayBring: boolean, isTold: boolean): boolean {
    if (mayBring) note(this.#brought, place, flight.sent ?? 0);
    const isUndo = (mayBring || isTold) && this.isUndo(flight, place);
    if (isUndo) this.#deleted.delete(nameOf(place));
    return isUndo;
  }

  /** The lists that lack a row, and may have it. */
  #lacking({ table, pk }: Place, row: Row): readonly Place[] {
    const { store, lifetime, flights } = this.#parts;
    const { tables } = store.slice;
    const has = listedIn(tables);
    const lacks = (lists: ListsSchema, list: string): boolean => {
      const ref = refOf(lists, table, pk, row);
      return ref === undefined || !has({ table: lists.table, pk: list }, ref);
    };
    const beside = { followed: lifetime.followed, tables, expected: flights.expected() };
    return listsOpenTo({ table, row }, beside, lacks);
  }

  clear(): void {
    this.#deleted.clear();
    this.#brought.clear();
  }
}

/** Whether a write has made a row: one that nobody had told of when it was sent, or what it is about, if the server says so. */
function isNew({ target, sentTables }: Flight, { table, pk }: Place, { status, tables }: Answered): boolean {
  const isTarget = target?.table === table && target.pk === pk;
  return isTarget ? status === CREATED : !rowFrom(sentTables ?? tables, table, pk);
}

/** The row that a write is about, and what its answer is made of itself, with the items of its lists, and without what is inside of them. */
function rowsMeant({ request, target }: Flight, result: unknown, { lists }: Changes): readonly Place[] {
  const rows = new Places();
  if (target) rows.add([target]);
  rows.add(partsOf(request.endpoint.schema, result));
  for (const { table, pk, list } of lists)
    if (rows.has(table, pk))
      for (const ref of refsIn(list)) for (const item of rowsOf(table, ref)) rows.set(...item, true);
  return rows.all();
}

/** Whether a write and its answer say nothing: what that leaves open is found elsewhere. */
function sayNothing(flight: Flight, { response }: Answered): boolean {
  return isAbsent(response) && fieldsSent(flight).length === 0;
}

/** Whether a write may bring a deleted row back: an edit of some fields does not by itself. */
function mayBringBack({ request: { endpoint }, args }: Flight): boolean {
  return !schemaOf(endpoint.schema)?.holdsNothing && !endpoint[protocol].attempted(args)?.existing;
}

/** Notes when a write was sent, if none that was sent later was noted; of the rows that were noted longest ago, nothing is known any more. */
function note(times: Times, place: Place, sent: number): void {
  const name = nameOf(place);
  const last = Math.max(sent, times.get(name) ?? 0);
  times.delete(name);
  times.set(name, last);
  const [oldest = name] = times.keys();
  if (times.size > REMEMBERED) times.delete(oldest);
}

function nameOf({ table, pk }: Place): string {
  return `${table} ${pk}`;
}
