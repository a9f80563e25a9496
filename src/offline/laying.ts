import { orElse } from '../errors.js';
import { protocol, type AnyEndpoint, type RecipeAbout } from '../store/endpoint.js';
import { applyChanges, noChanges, type Changes } from '../tables/changes.js';
import { rowFrom, type Tables } from '../tables/tables.js';
import type { LaidMeta } from '../store/actions.js';
import { readerOf } from '../store/reading/StoreReader.js';
import { connectTo, makeRequest, type Request } from '../store/request.js';
import { flightOf, type Flight } from '../store/running/flight.js';
import type { Guess } from '../store/running/guesses.js';
import type { KeeperParts } from '../store/running/keeping.js';
import type { Outcome } from '../store/running/outcome.js';
import { argOf } from '../store/running/refusal.js';
import type { ResourcesState } from '../store/state.js';
import { see } from './base.js';
import type { Desk } from './desk.js';
import type { BaseRow, StoredRecord } from './entries.js';
import { mayBeDone } from './failing.js';
import type { Item } from './Item.js';

/** What a write shows is found anew: it shows nothing now, or is to send something else. */
export function change(parts: KeeperParts, flight: Flight, args = flight.args): void {
  if (args !== flight.args) parts.flights.change(flight, args);
  parts.landings.change(flight);
}

/** What is shown with the writes that are laid by now. To lay each by itself costs most of the time that many take, so that waits until one has to know. */
class Ground {
  readonly slice: ResourcesState;
  shown: Tables;
  #waiting: Changes[] = [];
  readonly #touched = new Set<string>();

  constructor(slice: ResourcesState, shown: Tables) {
    this.slice = slice;
    this.shown = shown;
  }

  add(changes: Changes): void {
    this.#waiting.push(changes);
    for (const { table, pks } of changes.rows) for (const pk of pks) this.#touched.add(`${table} ${pk}`);
  }

  /** Whether a write may find something else than is shown. */
  isBehind({ rows, dependsOn }: StoredRecord): boolean {
    return this.#waiting.length > 0 && (dependsOn.length > 0 || rows.some((row) => this.#touched.has(row)));
  }

  /** Shows what waits; gives whether there was something. */
  catchUp(): boolean {
    const before = this.shown;
    this.shown = applyChanges(before, this.#waiting);
    this.#waiting = [];
    this.#touched.clear();
    return this.shown !== before;
  }
}

/**
 * Shows writes of another time or another tab, and how the outbox stands, in one action, and tells their story from there: all that have no request yet,
 * unless given. Of one that has, what it shows is laid anew.
 */
export function lay({ parts, endpoints, shelf, standing }: Desk, given?: readonly Item[]): void {
  const { store } = parts;
  const items = (given ?? shelf.all().filter(({ flight }) => !flight)).filter(
    ({ record: { status, endpointName } }) => status !== 'failed' && endpoints.has(endpointName),
  );
  if (items.length === 0) {
    standing.publish();
    return;
  }
  for (const item of items) item.isLaid ||= !item.flight;
  const outbox = standing.describe();
  // A slice that was injected a moment ago comes into the state with the next action.
  connectTo(store.api.dispatch, outbox.status);
  const { slice } = store;
  const changes = missing(slice.tables, items);
  const ground = new Ground(
    { ...slice, tables: applyChanges(slice.tables, [changes]) },
    applyChanges(readerOf(slice).shown(slice), [changes]),
  );
  const extra = extraOf(store.api.dispatch);
  const laid = items.map((item) => layOne(parts, item, { endpoints, standing, extra, ground }));
  const meta: LaidMeta = { seq: store.seq, changes, begins: laid.map(({ begun }) => begun) };
  store.dispatch(store.actions.outbox.type, { payload: outbox, meta });
  for (const { flight, end } of laid) if (end) parts.go(flight, extra, end);
}

interface Laid {
  readonly begun: LaidMeta['begins'][number];
  readonly flight: Flight;
  /** Ends it; absent where it is under way already. */
  readonly end?: (outcome: Outcome) => void;
}

/** What a write is laid with. */
interface Laying extends Pick<Desk, 'endpoints' | 'standing'> {
  readonly extra: unknown;
  readonly ground: Ground;
}

function layOne(parts: KeeperParts, { record, args, flight: known }: Item, laying: Laying): Laid {
  const { endpoints, standing, extra, ground } = laying;
  const { store, flights, guesses, lifetime, etags } = parts;
  const { id: requestId, endpointName, createdAt: startedTimeStamp, seen, status, sentAt } = record;
  // What had no request when the create of what it names was answered, has the temporary id still.
  const real = readerOf(store.slice).ids.real(args);
  // What has no endpoint is not laid.
  const request = makeRequest(endpoints.get(endpointName) as AnyEndpoint, real);
  lifetime.meet(request.endpoint);
  const about: RecipeAbout = { getState: store.api.getState, extra, requestId, startedTimeStamp };
  // Where the stored arguments give no key by now, it fails as soon as it is sent.
  const key = orElse(() => request.endpoint.key(...request.args), record.key);
  const arg = argOf(endpointName, key, request.args);
  const meta = known?.meta ?? { requestId, startedTimeStamp, seq: store.nextSeq(), arg };
  const { line, ...guess } = guessOn(ground, parts, request, about, record);
  const isHidden = status === 'unknown';
  if (isHidden) guesses.forget(requestId);
  // What is hidden has its place among the guesses: it may be tried again.
  const begun = { ...meta, isWrite: true, ...guess.told, ...(isHidden && { changes: noChanges }) } as const;
  if (begun.changes) ground.add(begun.changes);
  if (known) return { begun, flight: known };
  let end: (outcome: Outcome) => void = () => undefined;
  const settled = new Promise<Outcome>((resolve) => (end = resolve));
  const flight = flightOf(request, { meta, line, pageRequest: undefined, about }, guess, settled);
  if (seen) see(flight, seen);
  // Whatever is asked for here may be answered with what an earlier life of the tab has sent.
  const isOlder = sentAt !== undefined && sentAt <= standing.begun.at;
  if (mayBeDone(record)) flight.mayBeDoneSince = isOlder ? standing.begun.seq : store.nextSeq();
  flights.add(flight);
  if (!seen) etags.begin(flight);
  return { begun, flight, end };
}

type Guessed = Guess & { readonly line?: string | undefined };

/** What a write shows over all that is laid before it. */
function guessOn(
  ground: Ground,
  parts: KeeperParts,
  request: Request,
  about: RecipeAbout,
  record: StoredRecord,
): Guessed {
  if (ground.isBehind(record)) ground.catchUp();
  const guess = guessOf(parts, request, about, ground);
  // A recipe may look at all that is there.
  const recipe = parts.guesses.recipes.get(about.requestId);
  return recipe && !recipe.onLists && ground.catchUp() ? guessOf(parts, request, about, ground) : guess;
}

/** What a write shows; what the user's code refuses today shows nothing, and is sent all the same. */
function guessOf({ guesses }: KeeperParts, request: Request, about: RecipeAbout, ground: Ground): Guessed {
  try {
    const guess = guesses.make(request, about, ground);
    return { ...guess, line: request.endpoint[protocol].line(request.args) };
  } catch {
    guesses.forget(about.requestId);
    return { shown: ground.shown };
  }
}

/** What the tables lack of the rows under some writes: those are older than all that is there. */
function missing(tables: Tables, items: readonly Item[]): Changes {
  const rows = new Map<string, BaseRow & { readonly at: number }>();
  for (const { record } of items) {
    const { base, createdAt, baseAt: at = createdAt } = record;
    for (const one of base) {
      const place = `${one.table} ${one.pk}`;
      // Not all are stored with what was confirmed last.
      if (at >= (rows.get(place)?.at ?? -Infinity)) rows.set(place, { ...one, at });
    }
  }
  return {
    rows: [...rows.values()].map(({ table, pk, row }) => ({
      table,
      pks: [pk],
      rows: [{ ...row, ...rowFrom(tables, table, pk) }],
    })),
    lists: [],
  };
}

/** The extra argument of the thunks of a store. */
function extraOf(dispatch: (action: never) => unknown): unknown {
  const thunk = (_dispatch: unknown, _getState: unknown, extra: unknown): unknown => extra;
  // A request runs in this store by its thunk middleware, so this does.
  return dispatch(thunk as never);
}
