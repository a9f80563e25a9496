import { resourceError } from '../../errors.js';
import type { FulfilledMeta, RejectedMeta } from '../actions.js';
import { protocol, type HookApi, type Request, type RunResult } from '../endpoint.js';
import type { Lifetime } from '../lifetime/Lifetime.js';
import { temporariesIn } from '../order/temporaryIds.js';
import { expiryAfter, lifetimesOf } from '../reading/freshness.js';
import { questionOf } from '../reading/selectors.js';
import { readerOf } from '../reading/StoreReader.js';
import { recordOf, requestPk } from '../state.js';
import { serialize } from './failure.js';
import type { Flight, Flights } from './flights.js';
import type { Guess, Guesses } from './guesses.js';
import type { Landing, Landings } from './landing.js';
import { asOf, Cancellation, failing, once, type Outcome, type Waiting } from './outcome.js';
import { metaOf, refuse, rejection } from './refusal.js';
import type { StoreAccess } from './StoreAccess.js';
import { fetchTurn, type Turn } from './turns.js';

/** What the story of a request needs of the store that it is told in. */
export interface Parts {
  readonly store: StoreAccess;
  readonly flights: Flights;
  readonly guesses: Guesses;
  readonly landings: Landings;
  readonly lifetime: Lifetime;
  /** The errors behind the failures in the state, as they were thrown. */
  readonly errors: Map<string, unknown>;
}

/** The story of a request: intent, pending, hook chain, answer, fulfilled or rejected. */
export class Story {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(request: Request, key: string, extra: unknown, turn?: Turn): Waiting {
    const { store, flights, guesses, lifetime } = this.#parts;
    const { endpoint, args } = request;
    const { slice } = store;
    const meta = metaOf(store, endpoint.name, key, args);
    let guess: Guess | undefined;
    let line: string | undefined;
    try {
      guess = guesses.make(request, meta.requestId, readerOf(slice).shown(slice), lifetime.followed);
      // Whatever is wrong with the user's key is told before anything is shown.
      line = endpoint[protocol].line(args);
    } catch (error) {
      guesses.forget(meta.requestId);
      return refuse(store, meta, error);
    }
    let end: (outcome: Outcome) => void = () => undefined;
    const settled = new Promise<Outcome>((resolve) => (end = resolve));
    const flight: Flight = {
      request,
      args,
      line,
      temporaries: temporariesIn(args),
      tables: slice.tables,
      sentTables: undefined,
      sentSeq: undefined,
      guess: guess?.holdsRows && guess.changes,
      meta,
      cancellation: new Cancellation(),
      settled,
      waiting: 0,
      isWanted: false,
      isOrphaned: false,
      isOutdated: false,
      turn,
    };
    flights.add(flight);
    try {
      store.dispatch(`${endpoint.name}/pending`, { meta: { requestStatus: 'pending', ...meta, ...guess } });
    } catch (error) {
      end(this.#giveUp(flight, error));
      return flight;
    }
    void this.#send(flight, extra).then(end, (error: unknown) => {
      end(this.#giveUp(flight, error));
    });
    return flight;
  }

  /** Ends a request of which the store does not let the end be told as it should be; never fails. */
  #giveUp(flight: Flight, error: unknown): Outcome {
    const { store, flights, guesses } = this.#parts;
    const { meta } = flight;
    flights.remove(flight);
    guesses.forget(meta.requestId);
    const how = { requestStatus: 'rejected', aborted: false, condition: false, expiresAt: 0 } as const;
    return rejection(store, { ...meta, ...how }, error);
  }

  async #send(flight: Flight, extra: unknown): Promise<Outcome> {
    const { store, landings } = this.#parts;
    const { meta, cancellation } = flight;
    const { endpoint } = flight.request;
    const { signal } = cancellation;
    const { getState, dispatch } = store.api;
    const api: HookApi = {
      getState,
      dispatch: dispatch as HookApi['dispatch'],
      extra,
      signal,
      requestId: meta.requestId,
      timeout: lifetimesOf(endpoint, store.defaults).timeout,
    };
    let result: RunResult;
    let landing: Landing;
    try {
      const isBlocked = this.#parts.flights.obstacles(flight).length > 0;
      flight.sentSeq = isBlocked ? await this.#untilClear(flight) : meta.seq;
      flight.sentTables = store.slice.tables;
      const { turn, request, args } = flight;
      const { endpointOf } = this.#parts.lifetime;
      const run = turn ? fetchTurn(turn, request, args, api, endpointOf) : endpoint[protocol].run(args, api);
      result = await cancellation.until(run);
      landing = landings.ofAnswer(flight, result);
    } catch (error) {
      return this.#reject(flight, error, signal.aborted);
    }
    return this.#fulfill(flight, result, landing);
  }

  /** Waits for all that must be over before a request is sent, and gives its position then; throws R14 when an item it names could not be created. */
  async #untilClear(flight: Flight): Promise<number> {
    const { flights, store } = this.#parts;
    for (let obstacles = flights.obstacles(flight); obstacles.length > 0; obstacles = flights.obstacles(flight)) {
      await flight.cancellation.until(Promise.race(obstacles));
      if (flight.fault) throw flight.fault.error;
      if (flight.isOrphaned) break;
    }
    if (flight.isOrphaned || flight.temporaries.length > 0) throw resourceError('R14', flight.request.endpoint.name);
    return store.nextSeq();
  }

  #fulfill(flight: Flight, { response, isOpaque }: RunResult, landing: Landing): Outcome {
    const { store, flights, lifetime, landings, errors } = this.#parts;
    const { args, meta } = flight;
    const { endpoint } = flight.request;
    const { key } = meta.arg;
    const name = requestPk(endpoint.name, key);
    const { outdated: _, ...written } = landing;
    flights.remove(flight);
    errors.delete(name);
    const now = Date.now();
    const { pageOf } = endpoint;
    if (pageOf) lifetime.meet(pageOf.endpoint);
    const whole = pageOf ? { name: pageOf.endpoint.name, key: pageOf.key(...args) } : listOf(flight, name);
    const fulfilled: FulfilledMeta = {
      requestStatus: 'fulfilled',
      ...meta,
      ...written,
      fulfilledTimeStamp: now,
      ...lifetime.expiry(endpoint, now),
      ...(flight.isOutdated && { expiresAt: 0, isOutdated: true }),
      ...(whole && { extends: whole }),
    };
    const payload = isOpaque ? undefined : response;
    const action = store.dispatch(`${endpoint.name}/fulfilled`, { payload, meta: fulfilled });
    lifetime.settled(endpoint, name, endpoint.sideEffect || pageOf !== undefined);
    // A list of which only pages were asked for goes with them.
    if (whole && recordOf(store.slice, whole.name, whole.key)?.answer?.requestId === meta.requestId)
      lifetime.settled(endpoint, requestPk(whole.name, whole.key), true);
    lifetime.answered(name, fulfilled);
    landings.after(landing);
    if (isOpaque) return { action, value: () => response };
    if ((response ?? undefined) === undefined) return { action, value: () => undefined };
    const read = (): unknown => {
      const { slice } = store;
      const reader = readerOf(slice);
      const isNewest = recordOf(slice, endpoint.name, key)?.answer?.requestId === meta.requestId;
      if (isNewest) return reader.answer(slice, questionOf(endpoint, args, key));
      return reader.read(slice, endpoint.schema, landing.result);
    };
    // Who waits gets it as it is now; for others it is not read before they ask.
    return { action, value: flight.isWanted ? asOf(read) : once(read) };
  }

  #reject(flight: Flight, error: unknown, isAborted: boolean): Outcome {
    const { store, flights, lifetime, landings, errors } = this.#parts;
    const { meta } = flight;
    const { endpoint } = flight.request;
    const name = requestPk(endpoint.name, meta.arg.key);
    flights.remove(flight);
    const failure = serialize(error);
    const isCancelled = isAborted || failure.name === 'AbortError';
    if (!isCancelled) errors.set(name, error);
    const landing = landings.ofFailure(flight, failure);
    const { result: _, outdated: __, ...written } = landing;
    const rejected: RejectedMeta = {
      requestStatus: 'rejected',
      ...meta,
      ...written,
      aborted: isCancelled,
      condition: false,
      expiresAt: expiryAfter(lifetimesOf(endpoint, store.defaults).errorExpiryLength),
    };
    const action = store.dispatch(`${endpoint.name}/rejected`, { error: failure, meta: rejected });
    lifetime.settled(endpoint, name, endpoint.sideEffect || endpoint.pageOf !== undefined);
    landings.after(landing);
    return { action, value: failing(error) };
  }
}

/** The list of which a read has asked for a page by its own arguments; undefined where it is that list. */
function listOf({ turn }: Flight, name: string): FulfilledMeta['extends'] {
  return turn && turn.of !== name ? { name: turn.list.name, key: turn.key } : undefined;
}
