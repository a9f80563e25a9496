import { nanoid, type MiddlewareAPI } from '@reduxjs/toolkit';
import type { SliceActions, WriteMeta } from '../actions.js';
import { protocol, type AnyEndpoint, type RequestFilter, type RunRecipe } from '../endpoint.js';
import type { ResourcesOptions } from '../options.js';
import {
  makeRequest,
  type MountOptions,
  type ActionTypes,
  registerRunner,
  type Cause,
  type Request,
  type RequestPromise,
  type Runner,
  type SerializedFailure,
  type Subscription,
} from '../request.js';
import { Lifetime } from '../lifetime/Lifetime.js';
import { rowOf } from '../../tables/tables.js';
import { browserListeners } from '../lifetime/presence.js';
import type { Subject } from '../lifetime/subscriptions.js';
import { expiryAfter, isFresh, withStandard } from '../reading/freshness.js';
import { readerOf } from '../reading/StoreReader.js';
import { isPausedIn } from '../reading/requestState.js';
import { isMeant, recordOf, requestPk, type ResourcesState } from '../state.js';
import { failureOf } from './failure.js';
import { Flights } from './flights.js';
import { Guesses } from './guesses.js';
import type { Keeper } from './keeping.js';
import { Landings } from './landing.js';
import { asOf, failing, over, promiseOf, rejectedAction, type Outcome, type Waiting } from './outcome.js';
import type { Observer } from './Observers.js';
import { makePatch, type Patch, type PatchSubject } from './patches.js';
import { describe, unreadable, withoutPromise } from './plain.js';
import { argOf, metaOf, refuse } from './refusal.js';
import { withNewPks } from '../reading/renames.js';
import { StoreAccess } from './StoreAccess.js';
import { isDone, isStored, isThere, refetchFor, valueIn } from './stored.js';
import { Story } from './story.js';
import { pageRequestOf, type PageRequest } from './pageRequests.js';
import { ETags } from './ETags.js';
import type { Write } from './written.js';

/** What runs the requests of one store: decides whether one must be sent, and puts the parts together that do the rest. */
export class Runtime implements Runner {
  /** The store, as what looks at it from outside needs it. */
  readonly store: StoreAccess;
  /** What the store has met, and how long it lasts. */
  readonly lifetime: Lifetime;
  readonly #flights = new Flights();
  readonly #guesses: Guesses;
  /** The errors behind the failures in the state, as they were thrown. */
  readonly #errors = new Map<string, unknown>();
  readonly #landings: Landings;
  /** What is laid by hand over whatever arrives, until it is undone or confirmed. */
  readonly patch: (about: PatchSubject, recipe: RunRecipe) => Patch;
  readonly #etags: ETags;
  readonly #story: Story;
  readonly keeper: Keeper | undefined;
  readonly #resetting = new Set<() => void>();
  /** Failures up to this position are no reason to wait. */
  #pardonedSeq = -1;

  constructor(api: MiddlewareAPI, reducerPath: string, actions: SliceActions, options: ResourcesOptions) {
    const { reducerPath: _, fetchFn, outbox, ...others } = options;
    const { setupListeners = browserListeners, holdTimeout = 10_000, ...defaults } = others;
    const store = (this.store = new StoreAccess(api, reducerPath, actions, withStandard(defaults), fetchFn));
    const [flights, errors] = [this.#flights, this.#errors];
    const lifetime = (this.lifetime = new Lifetime(store, setupListeners, flights.pagedLists, (requests) => {
      for (const name of requests) errors.delete(name);
      this.#etags.forget(requests);
    }));
    const guesses = (this.#guesses = new Guesses(store, lifetime));
    const landings = (this.#landings = new Landings({ store, flights, guesses, lifetime }, holdTimeout));
    this.patch = (...given) => makePatch({ store, guesses, lifetime, landings }, ...given);
    const etags = (this.#etags = new ETags(store, flights, lifetime.endpointOf));
    const parts = { store, flights, guesses, landings, lifetime, errors, etags };
    this.keeper = outbox?.mount({
      ...parts,
      setupListeners,
      fetchFn,
      go: (...story) => {
        this.#story.go(...story);
      },
    });
    this.#story = new Story({ ...parts, keeper: this.keeper });
    registerRunner(this);
  }

  get isMounted(): boolean {
    return !!this.store.sliceIfThere();
  }

  /** Whatever the user's code throws, and whatever it was given, rejects the promise. */
  run<Value, Types extends ActionTypes>(given: Request<Value, Types>, extra: unknown): RequestPromise<Value, Types> {
    try {
      return this.#run(given, extra);
    } catch (error) {
      const { endpoint, args } = given;
      return promiseOf(refuse(this.store, metaOf(this.store, endpoint.name, '', args), error));
    }
  }

  #run<Value, Types extends ActionTypes>(given: Request<Value>, extra: unknown): RequestPromise<Value, Types> {
    const request = this.#readable(given);
    const { endpoint, args } = request;
    this.lifetime.meet(endpoint);
    const key = withoutPromise(endpoint.key(...args), 'key', endpoint.name);
    const pageRequest = pageRequestOf(request, key, this.#slice);
    const isUnwanted = request.isPrefetch && !this.lifetime.isKept(endpoint, requestPk(endpoint.name, key));
    const promise = promiseOf<Value, Types>(this.#get(request, key, extra, pageRequest));
    if (isUnwanted)
      void promise.then(() => {
        this.lifetime.prefetched(endpoint, requestPk(endpoint.name, key));
      });
    return promise;
  }

  /** A request with arguments that can be read. */
  #readable<Value>(given: Request<Value>): Request<Value> {
    try {
      const { endpoint } = given;
      const known = this.#argsOf(endpoint, given.args);
      const args = withNewPks(endpoint, known, this.#slice.tables);
      if (args === given.args) return given;
      // What is stale at the old address is fetched at the new one: others do not answer for what was marked.
      const isStale = args !== known && given.ifStale && !this.#has({ endpoint, args: known }, endpoint.key(...known));
      return makeRequest(endpoint, args, { ...given, ifStale: given.ifStale && !isStale });
    } catch (error) {
      throw unreadable(given.endpoint.name, error);
    }
  }

  /** Arguments without what a request is not made of, and with real ids in place of temporary ones that somebody has kept. */
  #argsOf(endpoint: AnyEndpoint, given: readonly unknown[]): readonly unknown[] {
    return readerOf(this.#slice).ids.real(endpoint[protocol].plainArgs(given));
  }

  /** Answers a request from what is there, or from what is under way; else sends it. */
  #get(request: Request, key: string, extra: unknown, pageRequest: PageRequest | undefined): Waiting {
    const { endpoint, args, ifStale } = request;
    if (pageRequest?.fetches.length === 0) {
      const list = asOf(() => valueIn(this.#slice, { endpoint: pageRequest.list, args }, pageRequest.key));
      return this.#unsent(request, key, 'there is no such page', list);
    }
    if (ifStale && isDone(this.#slice, request, key, this.lifetime)) return this.#answer(request, key);
    const identical = this.#flights.identical(request, key);
    if (identical) return identical;
    if (ifStale && this.#isFailedLately(endpoint, key)) return this.#answer(request, key);
    return this.#story.start(request, key, extra, { pageRequest, cause: this.#causeOf(request, key) });
  }

  /** What cannot even be asked for is rejected as a request is, and there is nothing to keep. */
  subscribe(
    endpoint: AnyEndpoint,
    given: readonly unknown[],
    extra: unknown,
    options: MountOptions = {},
  ): Subscription {
    try {
      const about = () => {
        const args = this.#argsOf(endpoint, given);
        const key = endpoint.key(...args);
        const name = requestPk(endpoint.name, key);
        const { borrowers } = this.lifetime;
        const fetch: Subject['fetch'] = (ifStale, cause) => {
          const request = makeRequest(endpoint, args, { ifStale, allPages: true, cause });
          // Whoever joins those who have it waits for nothing. With an id that is only temporary nobody has it: `run` knows what to do.
          const isHere = ifStale && (this.#has(request, key) || borrowers.waits({ endpoint, args, name }, cause));
          return isHere ? undefined : this.run(request, extra);
        };
        return {
          endpoint,
          args,
          name,
          fetch,
          read: () => valueIn(this.#slice, { endpoint, args }, key),
          hasFailed: () => rowOf(this.#slice.requests, name)?.failure !== undefined,
        };
      };
      const { pollFrequency } = options;
      return this.lifetime.subscribe(about, { pollFrequency, refetch: refetchFor(this.#slice, about(), options) });
    } catch {
      void this.run(makeRequest(endpoint, given), extra);
      return { unsubscribe: () => undefined };
    }
  }

  meet(endpoint: AnyEndpoint): void {
    this.lifetime.meet(endpoint);
  }

  repoll(): void {
    this.lifetime.subscriptions.repoll();
  }

  resetFailures(): void {
    this.#pardonedSeq = this.store.seq;
  }

  isDue(endpoint: AnyEndpoint, given: readonly unknown[]): Cause | boolean {
    const args = this.#argsOf(endpoint, given);
    const asked = makeRequest(endpoint, args, { ifStale: true });
    const key = endpoint.key(...args);
    return this.#causeOf(asked, key) ?? !(this.#has(asked, key) || this.#isFailedLately(endpoint, key));
  }

  #has(asked: Pick<Request, 'endpoint' | 'args'>, key: string): boolean {
    return isStored(this.#slice, asked, key, this.lifetime);
  }

  /** Why a request is sent, where nobody has dispatched it: what has failed is tried again once its failure is forgiven. */
  #causeOf({ endpoint, ifStale, cause }: Request, key: string): Cause | undefined {
    const failure =
      ifStale && (cause ?? 'subscribe') === 'subscribe' && recordOf(this.#slice, endpoint.name, key)?.failure;
    return failure && failure.seq <= this.#pardonedSeq ? 'retry' : cause;
  }

  /** Whether the newest failure is so recent that it still stands for an answer. */
  #isFailedLately(endpoint: AnyEndpoint, key: string): boolean {
    const failure = recordOf(this.#slice, endpoint.name, key)?.failure;
    if (!failure || failure.seq <= this.#pardonedSeq) return false;
    // One that seems to stand for longer than any may is of before the clock was set back.
    const latest = expiryAfter(this.lifetime.of(endpoint, 'errorExpiryLength'));
    return Date.now() < failure.expiresAt && failure.expiresAt <= latest;
  }

  /** Tells a function of each action that changes the slice, with the slice before and after it; what it gives ends that. */
  observe(observer: Observer): () => void {
    return this.store.observers.add(observer);
  }

  /** Writes what no request brought: a write that starts and settles at once, announced by an action of its own. */
  write({ payload, about, ...writes }: Write): unknown {
    const [seq, now] = [this.store.nextSeq(), Date.now()];
    const wasThere = about !== undefined && isThere(this.#slice, about);
    const landing = this.#landings.ofWrite(seq, writes);
    const { result, outdated: _, ...lands } = landing;
    const answered = about && {
      name: about.endpoint.name,
      key: about.key,
      // What a write sends is not kept.
      params: about.endpoint.sideEffect ? undefined : describe(about.args[0]),
      result,
      fulfilledTimeStamp: now,
      ...this.lifetime.expiry(about.endpoint, now),
    };
    const { type } = this.store.actions[about ? 'setResponse' : 'set'];
    this.store.dispatch(type, { payload, meta: { seq, ...lands, ...(answered && { answered }) } satisfies WriteMeta });
    if (about) {
      const name = requestPk(about.endpoint.name, about.key);
      if (about.endpoint.sideEffect) this.lifetime.settled(about.endpoint, name, true);
      else if (wasThere) this.lifetime.told(about.endpoint, name);
      this.lifetime.subscriptions.expire(name, answered);
    }
    this.#landings.lander.after(landing);
    return result;
  }

  /** Whether a write is in the outbox, and not under way; undefined in a store without one. */
  get isPaused(): ((requestId: string) => boolean) | undefined {
    return this.keeper && ((requestId) => isPausedIn(this.#slice, requestId));
  }

  onReset(listener: () => void): () => void {
    this.#resetting.add(listener);
    return () => this.#resetting.delete(listener);
  }

  /** Forgets everything; requests in flight end as aborted, and whoever is still subscribed begins anew. */
  reset(keepOutbox = false): void {
    this.keeper?.reset(keepOutbox);
    this.#flights.abort('reset');
    this.#guesses.clear();
    readerOf(this.#slice).ids.clear();
    this.#errors.clear();
    this.#etags.clear();
    this.lifetime.clear();
    this.store.dispatch(this.store.actions.reset.type, {});
    this.#landings.clear();
    for (const listener of [...this.#resetting]) listener();
    this.lifetime.restart();
  }

  /** Another slice stands in place of the one that was there, which knows nothing of what is under way: subscribers ask again for what it lacks. */
  replaced(): void {
    this.#flights.part(() => true);
    this.lifetime.takenIn();
    this.lifetime.refetch(() => true, 'subscribe');
  }

  /** A slice was taken in: its lists show what is pending, too. */
  hydrated(): void {
    this.lifetime.takenIn();
    this.#landings.hydrated();
  }

  /** An action that means by real ids what it means by temporary ones. */
  known<Marks extends { readonly payload: RequestFilter }>(action: Marks): Marks {
    const slice = this.store.sliceIfThere();
    const payload = slice && readerOf(slice).ids.filter(action.payload);
    return !payload || payload === action.payload ? action : { ...action, payload };
  }

  /**
   * Fetches again for those who are subscribed to what was made stale or taken away; what was asked for before cannot know of it. What is read without a
   * request of its own is marked by name.
   */
  refetch({ type, payload: target }: { readonly type: string; readonly payload: RequestFilter }): void {
    const { requests } = this.#slice;
    const { name, key, pks } = target;
    const marked = pks && new Set(pks);
    const isTarget = (one: string): boolean => marked?.has(one) ?? isMeant(target, one, rowOf(requests, one));
    this.#flights.part(isTarget);
    this.lifetime.refetch(isTarget);
    const borrowed = key === undefined && !pks ? this.lifetime.borrowed([target]) : [];
    if (borrowed.length > 0) this.store.dispatch(type, { payload: { name, pks: borrowed } });
  }

  /** Answers `ifStale` from what is there: the data, or the error that is too recent to try again. */
  #answer(request: Request, key: string): Waiting {
    const { endpoint } = request;
    const record = recordOf(this.#slice, endpoint.name, key);
    const failure = isFresh(record, Date.now()) ? undefined : record?.failure?.error;
    const value = failure
      ? failing(this.#errors.get(requestPk(endpoint.name, key)) ?? failureOf(failure))
      : asOf(() => valueIn(this.#slice, request, key));
    return this.#unsent(request, key, failure ?? 'its data is fresh', value);
  }

  /** Ends a request that was not sent, and says why. */
  #unsent({ endpoint, args }: Request, key: string, why: string | SerializedFailure, value: Outcome['value']): Waiting {
    const slice = this.#slice;
    const requestId = recordOf(slice, endpoint.name, key)?.answer?.requestId ?? nanoid();
    const arg = argOf(endpoint.name, key, args);
    const meta: Waiting['meta'] = { requestId, startedTimeStamp: Date.now(), seq: slice.seq, arg };
    const error =
      typeof why === 'string' ? { name: 'ConditionError', message: `${endpoint.name} was not sent: ${why}.` } : why;
    return over(meta, { action: rejectedAction(meta, error, { aborted: false, condition: true }), value });
  }

  get #slice(): ResourcesState {
    return this.store.slice;
  }
}
