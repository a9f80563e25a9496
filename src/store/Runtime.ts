import { nanoid, type MiddlewareAPI } from '@reduxjs/toolkit';
import type { AnswerMeta } from '../schema/Schema.js';
import { isEmpty, noChanges, overlayChanges, type Changes } from '../tables/changes.js';
import { normalize, type Normalized } from '../tables/normalize.js';
import type { FulfilledMeta, Rebased, RejectedMeta, RequestMeta, SliceActions, Target } from './actions.js';
import { failureOf, serialize } from './failure.js';
import { isFailedLately, isFresh, lifetimesOf } from './freshness.js';
import { plan, rebase, type Recipe } from './intents.js';
import { promiseOf, untilAborted, type Outcome, type Waiting } from './outcome.js';
import { assertPlain, toWire } from './plain.js';
import {
  makeRequest,
  registerRunner,
  type HookApi,
  type Lifetimes,
  type Request,
  type Requestable,
  type RequestArg,
  type RequestPromise,
  type Runner,
  type RunResult,
  type SettledAction,
  type Subscription,
} from './request.js';
import { readerOf, sliceOf } from './selectors.js';
import { recordOf, requestPk, type ResourcesState } from './state.js';
import { Subscriptions } from './subscriptions.js';

/** What an action tells of its request, whichever way it goes. */
type Meta = Omit<RequestMeta, 'requestStatus'>;

/** One request on its way, and all who wait for it. */
interface Flight extends Waiting {
  readonly request: Request;
}

/** What runs the requests of one store. */
export class Runtime implements Runner {
  readonly #api: MiddlewareAPI;
  readonly #reducerPath: string;
  readonly #actions: SliceActions;
  readonly #defaults: Partial<Lifetimes>;
  readonly #flights = new Map<string, Flight>();
  /** Reads that an identical one may join, by what they are kept under. */
  readonly #joinable = new Map<string, Flight>();
  /** How the intents of unsettled requests are found anew; what cannot be in the state. */
  readonly #recipes = new Map<string, Recipe>();
  /** The errors behind the failures in the state, as they were thrown. */
  readonly #errors = new Map<string, unknown>();
  readonly #subscriptions = new Subscriptions();
  #seq = 0;

  constructor(api: MiddlewareAPI, reducerPath: string, actions: SliceActions, defaults: Partial<Lifetimes>) {
    this.#api = api;
    this.#reducerPath = reducerPath;
    this.#actions = actions;
    this.#defaults = defaults;
    registerRunner(this);
  }

  run<Value>(request: Request<Value>, extra: unknown): RequestPromise<Value> {
    const { endpoint, args, ifStale } = request;
    let key: string;
    try {
      key = endpoint.key(...args);
    } catch (error) {
      return promiseOf<Value>(this.#refuse(this.#meta(endpoint.name, '', args), error));
    }
    const record = recordOf(this.#slice, endpoint.name, key);
    if (ifStale && isFresh(record, Date.now()) && this.#isReadable(request, key))
      return promiseOf<Value>(this.#answer(request, key));
    const flight = endpoint.sideEffect ? undefined : this.#joinable.get(requestPk(endpoint.name, key));
    if (flight?.request.endpoint === endpoint && !flight.controller.signal.aborted) return promiseOf<Value>(flight);
    if (ifStale && isFailedLately(record, Date.now())) return promiseOf<Value>(this.#answer(request, key));
    return promiseOf<Value>(this.#start(request, key, extra));
  }

  /** The story of a request: intent, pending, hook chain, normalize, fulfilled or rejected. */
  #start(request: Request, key: string, extra: unknown): Waiting {
    const { endpoint, args } = request;
    const meta = this.#meta(endpoint.name, key, args);
    let intent: Changes | undefined;
    try {
      intent = this.#plan(request, meta.requestId);
    } catch (error) {
      return this.#refuse(meta, error);
    }
    const controller = new AbortController();
    this.#dispatch(`${endpoint.name}/pending`, {
      meta: { ...meta, requestStatus: 'pending', ...(intent && { changes: intent }) },
    });
    const flight: Flight = {
      request,
      meta,
      controller,
      waiting: 0,
      settled: this.#settle(request, meta, controller, extra),
    };
    this.#flights.set(meta.requestId, flight);
    if (!endpoint.sideEffect) this.#joinable.set(requestPk(endpoint.name, key), flight);
    return flight;
  }

  async #settle(
    { endpoint, args }: Request,
    meta: Meta,
    { signal }: AbortController,
    extra: unknown,
  ): Promise<Outcome> {
    const { getState, dispatch } = this.#api;
    const api: HookApi = {
      getState,
      dispatch: dispatch as HookApi['dispatch'],
      extra,
      signal,
      requestId: meta.requestId,
    };
    let result: RunResult;
    let normalized: Normalized;
    try {
      result = await untilAborted(endpoint.run(args, api), signal);
      normalized = this.#normalize(endpoint, args, meta, result);
    } catch (error) {
      return this.#reject(endpoint, meta, error, signal.aborted);
    }
    return this.#fulfill(endpoint, args, meta, result, normalized);
  }

  /** An empty answer to a write confirms what was sent; any other is what it says. */
  #normalize(
    endpoint: Requestable,
    args: readonly unknown[],
    { seq, startedTimeStamp }: Meta,
    { response, isOpaque, isJson }: RunResult,
  ): Normalized {
    const { name, schema } = endpoint;
    if (isOpaque) return { result: undefined, changes: noChanges };
    if (!isJson) assertPlain(response, name);
    const { tables } = this.#slice;
    const kind = endpoint.sideEffect ? ('write' as const) : ('read' as const);
    const options = { args, tables, name, meta: { kind, seq, settledSeq: this.#slice.seq, startedTimeStamp } };
    if (response !== null && response !== undefined) return normalize(schema, response, options);
    if (!endpoint.sideEffect) return { result: undefined, changes: noChanges };
    const confirmed = endpoint.confirmed?.(args);
    if (!confirmed) return normalize(schema, response, options);
    const { fields, existing = false } = confirmed;
    return normalize(schema, toWire(confirmed.response), {
      ...options,
      preview: { existing, ...(fields && { fields }) },
    });
  }

  #fulfill(
    endpoint: Requestable,
    args: readonly unknown[],
    meta: Meta,
    { response, isOpaque }: RunResult,
    { result, changes }: Normalized,
  ): Outcome {
    const { endpointName: name, key } = meta.arg;
    this.#forget(meta);
    this.#errors.delete(requestPk(name, key));
    const now = Date.now();
    const rebased = this.#rebase(changes, meta.requestId);
    const whole = endpoint.extends?.(args);
    const fulfilled: FulfilledMeta = {
      ...meta,
      requestStatus: 'fulfilled',
      result,
      changes,
      fulfilledTimeStamp: now,
      ...this.#expiry(endpoint, now),
      ...(rebased && { rebased }),
      ...(whole && { extends: whole }),
    };
    const payload = isOpaque ? undefined : response;
    const action = this.#dispatch(`${name}/fulfilled`, { payload, meta: fulfilled });
    if (isOpaque) return { action, value: response };
    if (result === undefined || result === null) return { action, value: undefined };
    try {
      const slice = this.#slice;
      const isNewest = recordOf(slice, name, key)?.answer?.requestId === meta.requestId;
      const reader = readerOf(slice);
      const value = isNewest
        ? reader.answer(slice, endpoint, args, key)
        : reader.read(slice, '', endpoint.schema, result);
      return { action, value };
    } catch (error) {
      // The answer is kept; what cannot be read of it, this caller and the selectors are told.
      return { action, error };
    }
  }

  #reject(endpoint: Requestable, meta: Meta, error: unknown, isAborted: boolean): Outcome {
    this.#forget(meta);
    this.#errors.set(requestPk(endpoint.name, meta.arg.key), error);
    const rebased = this.#rebase(noChanges, meta.requestId);
    const rejected: RejectedMeta = {
      ...meta,
      requestStatus: 'rejected',
      aborted: isAborted || (error instanceof Error && error.name === 'AbortError'),
      condition: false,
      expiresAt: Date.now() + lifetimesOf(endpoint, this.#defaults).errorExpiryLength,
      ...(rebased && { rebased }),
    };
    return { action: this.#dispatch(`${endpoint.name}/rejected`, { error: serialize(error), meta: rejected }), error };
  }

  /** Ends a request before it began: nothing is sent, and nothing kept. */
  #refuse(meta: Meta, error: unknown): Waiting {
    const arg = { ...meta.arg, key: '' };
    const rejected: RejectedMeta = {
      ...meta,
      arg,
      requestStatus: 'rejected',
      aborted: false,
      condition: false,
      expiresAt: 0,
    };
    const action = this.#dispatch(`${arg.endpointName}/rejected`, { error: serialize(error), meta: rejected });
    return over(meta, { action, error });
  }

  /** Answers `ifStale` from what is there: the data, or the error that is too recent to try again. */
  #answer({ endpoint, args }: Request, key: string): Waiting {
    const slice = this.#slice;
    const record = recordOf(slice, endpoint.name, key);
    const failure = isFresh(record, Date.now()) ? undefined : record?.failure?.error;
    const known = { requestId: record?.answer?.requestId ?? nanoid(), startedTimeStamp: Date.now(), seq: slice.seq };
    const meta: Meta = { ...known, arg: argOf(endpoint.name, key, args) };
    const action: SettledAction = {
      type: `${endpoint.name}/rejected`,
      error: failure ?? { name: 'ConditionError', message: `${endpoint.name} was not sent: its data is fresh.` },
      meta: { ...meta, requestStatus: 'rejected', aborted: false, condition: true },
    };
    const name = requestPk(endpoint.name, key);
    if (failure) return over(meta, { action, error: this.#errors.get(name) ?? failureOf(failure) });
    return over(meta, { action, value: readerOf(slice).answer(slice, endpoint, args, key) });
  }

  /** Whether an answer is there still: what it brought may have been deleted since. */
  #isReadable({ endpoint, args }: Request, key: string): boolean {
    const slice = this.#slice;
    const result = recordOf(slice, endpoint.name, key)?.answer?.result;
    return result === undefined || result === null || readerOf(slice).answer(slice, endpoint, args, key) !== undefined;
  }

  /** What the request shows until its answer; how to find it anew is remembered here, for it cannot be in the state. */
  #plan({ endpoint, args }: Request, requestId: string): Changes | undefined {
    if (!endpoint.expect) return undefined;
    const slice = this.#slice;
    const planned = plan(endpoint, args, requestId, readerOf(slice).shown(slice));
    if (planned?.recipe) this.#recipes.set(requestId, planned.recipe);
    return planned && (planned.recipe || !isEmpty(planned.changes)) ? planned.changes : undefined;
  }

  /** What the other intents change, once this one has settled with these changes. */
  #rebase(changes: Changes, requestId?: string): Rebased | undefined {
    if (this.#recipes.size === 0) return undefined;
    const { tables, intents } = this.#slice;
    const others = intents.filter((intent) => intent.requestId !== requestId);
    return rebase(overlayChanges(tables, [changes]), others, this.#recipes);
  }

  #forget({ requestId, arg }: Meta): void {
    this.#flights.delete(requestId);
    this.#recipes.delete(requestId);
    const name = requestPk(arg.endpointName, arg.key);
    if (this.#joinable.get(name)?.meta.requestId === requestId) this.#joinable.delete(name);
  }

  /** Writes what no request brought: merged like an answer, and announced by an action of its own. */
  write(
    type: string,
    payload: unknown,
    change: (slice: ResourcesState, meta: AnswerMeta) => Normalized,
    about?: { endpoint: Requestable; key: string },
  ): void {
    const seq = this.#nextSeq();
    // It counts as a write that starts and settles at once.
    const { result, changes } = change(this.#slice, {
      kind: 'write',
      seq,
      settledSeq: seq,
      startedTimeStamp: Date.now(),
    });
    const rebased = this.#rebase(changes);
    const fulfilledTimeStamp = Date.now();
    const answered = about && {
      name: about.endpoint.name,
      key: about.key,
      result,
      fulfilledTimeStamp,
      ...this.#expiry(about.endpoint, fulfilledTimeStamp),
    };
    this.#dispatch(type, {
      payload,
      meta: { seq, changes, ...(rebased && { rebased }), ...(answered && { answered }) },
    });
  }

  /** Forgets everything; requests in flight end as aborted. */
  reset(): void {
    for (const { controller } of this.#flights.values()) controller.abort('reset');
    this.#flights.clear();
    this.#recipes.clear();
    this.#errors.clear();
    this.#joinable.clear();
    this.#subscriptions.clear();
    this.#dispatch(this.#actions.reset.type, {});
  }

  /** Fetches again for those who are subscribed to what was made stale or taken away. */
  refetch({ name, key }: Target): void {
    this.#subscriptions.refetch(
      key === undefined ? (pk) => pk.startsWith(`${name} `) : (pk) => pk === requestPk(name, key),
    );
  }

  subscribe(endpoint: Requestable, args: readonly unknown[], extra: unknown): Subscription {
    const { pollFrequency } = lifetimesOf(endpoint, this.#defaults);
    const fetch = (ifStale: boolean): void => {
      // Its outcome is in the state; whoever subscribes reads it there.
      void this.run(makeRequest(endpoint, args, ifStale), extra);
    };
    return this.#subscriptions.add(requestPk(endpoint.name, endpoint.key(...args)), pollFrequency, fetch);
  }

  /** When an answer of now becomes stale, and whether it is as good as missing then. */
  #expiry(endpoint: Requestable, now: number): { readonly expiresAt: number; readonly invalidIfStale?: true } {
    const { dataExpiryLength, invalidIfStale } = lifetimesOf(endpoint, this.#defaults);
    return { expiresAt: now + dataExpiryLength, ...(invalidIfStale && { invalidIfStale }) };
  }

  #meta(endpointName: string, key: string, args: readonly unknown[]): Meta {
    return {
      requestId: nanoid(),
      arg: argOf(endpointName, key, args),
      startedTimeStamp: Date.now(),
      seq: this.#nextSeq(),
    };
  }

  #nextSeq(): number {
    return (this.#seq = Math.max(this.#seq, this.#slice.seq) + 1);
  }

  get #slice(): ResourcesState {
    return sliceOf(this.#api.getState(), this.#reducerPath);
  }

  #dispatch(type: string, rest: object): SettledAction {
    const action = { type, ...rest };
    try {
      this.#api.dispatch(action);
    } catch (error) {
      // A subscriber that throws has seen the action: the story goes on, and the error is not lost.
      queueMicrotask(() => {
        throw error;
      });
    }
    // What other middleware returns does not matter: this is what was dispatched.
    return action as SettledAction;
  }
}

function argOf(endpointName: string, key: string, args: readonly unknown[]): RequestArg {
  return { endpointName, key, args: toWire(args) as readonly unknown[] };
}

/** Something to wait for that is over already. */
function over(meta: Meta, outcome: Outcome): Waiting {
  return { meta, controller: new AbortController(), waiting: 0, settled: Promise.resolve(outcome) };
}
