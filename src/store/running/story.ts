import { isAbsent } from '../../schema/Schema.js';
import { SHOULD_AUTOBATCH } from '@reduxjs/toolkit';
import type { FulfilledMeta, RejectedMeta } from '../actions.js';
import { protocol, type RecipeAbout, type RunResult } from '../endpoint.js';
import type { StoreApi } from '../hookApi.js';
import type { Request } from '../request.js';
import { expiryAfter } from '../reading/freshness.js';
import { recordOf, requestPk } from '../state.js';
import { valueOf } from './answers.js';
import { isOfSession, serialize } from './failure.js';
import { flightOf, nameOf, type Flight } from './flight.js';
import type { Guess } from './guesses.js';
import type { Keeper } from './keeping.js';
import type { LandingParts } from './Lander.js';
import type { Written } from './written.js';
import type { Landings } from './landing.js';
import { asOf, failing, once, type Outcome, type Waiting } from './outcome.js';
import { withNewPks } from '../reading/renames.js';
import { metaOf, refuse, rejection } from './refusal.js';
import type { ETags } from './ETags.js';
import { fetchPages, listExtendedBy } from './pageRequests.js';

/** What the story of a request needs of the store that it is told in. */
export interface Parts extends LandingParts {
  readonly landings: Landings;
  readonly etags: ETags;
  /** The errors behind the failures in the state, as they were thrown. */
  readonly errors: Map<string, unknown>;
  /** What keeps writes until they are done, if anything does. */
  readonly keeper: Keeper | undefined;
}

/** How a request begins. */
type Beginning = Pick<Flight, 'pageRequest'> & Pick<Request, 'cause'>;

/** The story of a request: intent, pending, hook chain, answer, fulfilled or rejected. */
export class Story {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(request: Request, key: string, extra: unknown, { pageRequest, cause }: Beginning): Waiting {
    const { store, flights, guesses } = this.#parts;
    const { endpoint, args } = request;
    const meta = metaOf(store, endpoint.name, key, args);
    const { requestId, startedTimeStamp } = meta;
    const about: RecipeAbout = { getState: store.api.getState, extra, requestId, startedTimeStamp };
    let guess: Guess;
    let line: string | undefined;
    try {
      guess = guesses.make(request, about);
      // Whatever is wrong with the user's key is told before anything is shown.
      line = endpoint[protocol].line(args);
    } catch (error) {
      guesses.forget(requestId);
      return refuse(store, meta, error);
    }
    let end: (outcome: Outcome) => void = () => undefined;
    const settled = new Promise<Outcome>((resolve) => (end = resolve));
    const flight = flightOf(request, { meta, line, pageRequest, about }, guess, settled);
    flights.add(flight);
    try {
      this.#parts.etags.begin(flight);
      this.#parts.landings.begin(flight);
      store.dispatch(
        `${endpoint.name}/pending`,
        {
          meta: {
            requestStatus: 'pending',
            ...meta,
            ...guess.told,
            ...(endpoint.sideEffect && { isWrite: true }),
            ...(cause && { cause }),
            // What shows nothing new by itself is told in the next frame; where there are none, RTK would leave a timer behind.
            ...(!guess.told?.changes && 'requestAnimationFrame' in globalThis && { [SHOULD_AUTOBATCH]: true }),
          },
        },
        () => this.#isOpen(flight),
      );
    } catch (error) {
      end(this.#giveUp(flight, error));
      return flight;
    }
    this.go(flight, extra, end);
    return flight;
  }

  /** Tells the rest of the story of a request that is shown as pending. */
  go(flight: Flight, extra: unknown, end: (outcome: Outcome) => void): void {
    void this.#send(flight, extra).then(end, (error: unknown) => {
      end(this.#giveUp(flight, error));
    });
  }

  /** Ends a request of which the store does not let the end be told as it should be; never fails. */
  #giveUp(flight: Flight, error: unknown): Outcome {
    const { store, flights, guesses } = this.#parts;
    flights.remove(flight);
    guesses.forget(flight.meta.requestId);
    return rejection(store, flight.meta, error);
  }

  async #send(flight: Flight, extra: unknown): Promise<Outcome> {
    const { store, landings, keeper } = this.#parts;
    const { meta, cancellation } = flight;
    const { endpoint } = flight.request;
    const sends = flight.pageRequest
      ? undefined
      : (isAgain: boolean): void => {
          this.#place(flight, isAgain);
        };
    const api = store.hookApi(endpoint, { extra, signal: cancellation.signal, requestId: meta.requestId, sends });
    try {
      const kept = endpoint.sideEffect && keeper?.take(flight, (how) => this.#attempt(flight, { ...api, ...how }));
      const result = await (kept ? cancellation.until(kept) : this.#attempt(flight, api));
      return this.#fulfill(flight, result, landings.ofAnswer(flight, result));
    } catch (error) {
      return this.#reject(flight, error, cancellation.signal.aborted);
    }
  }

  /** Sends it, as soon as nothing is in the way. */
  async #attempt(flight: Flight, api: StoreApi): Promise<RunResult> {
    const { store, flights } = this.#parts;
    // An item that it names may have failed long ago.
    if (flight.temporaries.length > 0 || flights.obstacles(flight).length > 0) await flights.untilClear(flight);
    flight.args = withNewPks(flight.request.endpoint, flight.args, store.slice.tables);
    return this.#run(flight, api);
  }

  /** Sends a request. A write that is refused because the row is another by now is sent once more where that can be resolved; each time in a place of its own. */
  async #run(flight: Flight, api: StoreApi): Promise<RunResult> {
    const { store, lifetime, etags } = this.#parts;
    const { request, pageRequest, cancellation } = flight;
    const { sent, sentTables } = flight;
    for (let tries = 0; ; tries++) {
      flight.sent = store.nextSeq();
      flight.sentTables = store.slice.tables;
      const tag = etags.tagFor(flight);
      flight.sentTag = tag?.value;
      const given = tag ? { ...api, tag } : api;
      const { args } = flight;
      const run = pageRequest
        ? fetchPages(pageRequest, request, args, given, lifetime.endpointOf)
        : request.endpoint[protocol].run(args, given);
      try {
        const result = await cancellation.until(run);
        if (!etags.isMissed(flight, result)) return result;
        flight.isOutdated = false;
      } catch (error) {
        // The server has heard nothing of a write whose hooks have failed, but for what it may have heard before.
        if (request.endpoint.sideEffect && flight.sent && !flight.isOnWire) Object.assign(flight, { sent, sentTables });
        // What is kept is stored anew before it is sent once more.
        const next = api.isKept ? undefined : await cancellation.until(etags.resolve(flight, { error, tries }));
        if (!next) throw error;
        if ('response' in next) return next;
        flight.args = next;
      }
    }
  }

  /**
   * A request is put on the wire. Where hooks or a pause before another try have let one pass that was made later, it takes a place after that: the server
   * hears of it last.
   */
  #place(flight: Flight, isAgain: boolean): void {
    const { store, flights } = this.#parts;
    const { sent = 0 } = flight;
    flight.isOnWire = true;
    if (isAgain) {
      flight.isResent = true;
      flight.mayBeDoneSince ??= sent;
    }
    if (sent < flights.lastSent) {
      flight.sent = store.nextSeq();
      flight.sentTables = store.slice.tables;
    }
    flights.lastSent = flight.sent ?? 0;
  }

  /** Whether the slice holds a request for one that is under way. */
  #isOpen({ meta: { requestId, arg } }: Flight): boolean {
    const { pending = [] } = recordOf(this.#parts.store.slice, arg.endpointName, arg.key) ?? {};
    return pending.some((one) => one.requestId === requestId);
  }

  #fulfill(flight: Flight, result: RunResult, landing: Written): Outcome {
    const { response, isOpaque, unchanged } = result;
    const { store, flights, lifetime, landings, errors, etags } = this.#parts;
    const { endpoint } = flight.request;
    const name = nameOf(flight);
    flights.remove(flight);
    errors.delete(name);
    if (endpoint.pageOf) lifetime.meet(endpoint.pageOf.endpoint);
    const fulfilled = this.#fulfilledMeta(flight, result, landing);
    const told = { payload: isOpaque || unchanged ? undefined : response, meta: fulfilled };
    const action = store.dispatch(`${endpoint.name}/fulfilled`, told, () => !this.#isOpen(flight));
    this.#noteSettled(flight);
    // A list of which only pages were asked for goes with them.
    const { extends: whole, requestId } = fulfilled;
    if (whole && recordOf(store.slice, whole.name, whole.key)?.answer?.requestId === requestId)
      lifetime.settled(endpoint, requestPk(whole.name, whole.key), true);
    lifetime.subscriptions.expire(name, fulfilled);
    etags.landed(flight, result, landing.result);
    landings.lander.after(landing, flight);
    return tellingEnd(flight, { action, value: this.#valueOf(flight, result, landing) });
  }

  #fulfilledMeta(flight: Flight, result: RunResult, { outdated: _, ...written }: Written): FulfilledMeta {
    const { lifetime, etags } = this.#parts;
    const { meta, request, args, pageRequest, isOutdated, isRemote } = flight;
    const now = Date.now();
    const whole = listExtendedBy(request, args, pageRequest, nameOf(flight));
    const tags = etags.tagsOf(flight, result);
    return {
      requestStatus: 'fulfilled',
      ...meta,
      ...written,
      fulfilledTimeStamp: now,
      ...lifetime.expiry(request.endpoint, now),
      ...(isOutdated && { expiresAt: 0, isOutdated }),
      ...(whole && { extends: whole }),
      ...(tags && { tags }),
      ...(isRemote && { remote: true }),
    };
  }

  /** A request is over: what holds nothing by itself may be collected in time. */
  #noteSettled(flight: Flight): void {
    const { endpoint } = flight.request;
    this.#parts.lifetime.settled(endpoint, nameOf(flight), endpoint.sideEffect || endpoint.pageOf !== undefined);
  }

  /** What an answer gives those who wait: for others it is not read before they ask. */
  #valueOf(flight: Flight, { response, isOpaque, unchanged }: RunResult, { result }: Written): Outcome['value'] {
    if (isOpaque) return () => response;
    if (!unchanged && isAbsent(response) && isAbsent(result)) return () => undefined;
    const read = (): unknown => valueOf(this.#parts.store.slice, flight, result);
    return flight.isWanted ? asOf(read) : once(read);
  }

  #reject(flight: Flight, error: unknown, isAborted: boolean): Outcome {
    const { store, flights, landings, lifetime, errors } = this.#parts;
    const { meta } = flight;
    const { endpoint } = flight.request;
    flights.remove(flight);
    const failure = serialize(error);
    const isCancelled = isAborted || failure.name === 'AbortError';
    if (!isCancelled) {
      errors.set(nameOf(flight), error);
      if (!endpoint.sideEffect && isOfSession(failure)) lifetime.refused();
    }
    const landing = landings.ofFailure(flight, failure);
    const { result: _, outdated: __, ...written } = landing;
    const rejected: RejectedMeta = {
      requestStatus: 'rejected',
      ...meta,
      ...written,
      aborted: isCancelled,
      condition: false,
      expiresAt: expiryAfter(lifetime.of(endpoint, 'errorExpiryLength')),
      ...(flight.isRemote && { remote: true }),
    };
    const told = { error: failure, meta: rejected };
    const action = store.dispatchFailure(`${endpoint.name}/rejected`, told, () => !this.#isOpen(flight));
    this.#noteSettled(flight);
    landings.lander.after(landing, flight);
    return tellingEnd(flight, { action, value: failing(error) });
  }
}

/** The end of a request, told at once. */
function tellingEnd(flight: Flight, outcome: Outcome): Outcome {
  flight.onEnd?.(outcome);
  return outcome;
}
