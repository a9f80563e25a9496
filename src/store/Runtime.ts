import { nanoid, type MiddlewareAPI } from '@reduxjs/toolkit';
import { findCollection } from '../schema/Collection.js';
import { resourceError } from '../errors.js';
import { originOf } from '../schema/temporary.js';
import type { AnswerMeta } from '../schema/Schema.js';
import { isEmpty, noChanges, overlayChanges, type Changes } from '../tables/changes.js';
import { normalize, type Normalized, type NormalizeOptions } from '../tables/normalize.js';
import type { FulfilledMeta, Rebased, RejectedMeta, RequestMeta, SliceActions, Target, WriteMeta } from './actions.js';
import { doubtful } from './doubt.js';
import { failureOf, isUnknown, serialize } from './failure.js';
import { isFailedLately, isFresh, lifetimesOf } from './freshness.js';
import { changesOf, plan, rebase, type Recipe } from './intents.js';
import type { Intent } from './intent.js';
import {
  admissionOf,
  emptyJournal,
  prune,
  settle,
  settleFailed,
  type Journal,
  type Settlement,
  type Settling,
} from './journal.js';
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
import { createdIds, temporariesIn, withReal } from './temporaries.js';
import { Subscriptions } from './subscriptions.js';

/** What an action tells of its request, whichever way it goes. */
type Meta = Omit<RequestMeta, 'requestStatus'>;

/** What an answer comes to. */
interface Landing extends Settlement {
  readonly result: unknown;
}

/** One request on its way, and all who wait for it. */
interface Flight extends Waiting {
  readonly request: Request;
  /** The arguments; temporary ids in them are replaced when the real ones are known. */
  args: readonly unknown[];
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
  /** The real ids of the latest creates, by request. */
  readonly #created = new Map<string, readonly unknown[]>();
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

  run<Value>(asked: Request<Value>, extra: unknown): RequestPromise<Value> {
    const request = this.#withKnownIds(asked);
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
    let end: (outcome: Outcome) => void = () => undefined;
    const settled = new Promise<Outcome>((resolve) => (end = resolve));
    const flight: Flight = { request, args, meta, controller: new AbortController(), waiting: 0, settled };
    this.#flights.set(meta.requestId, flight);
    if (!endpoint.sideEffect) this.#joinable.set(requestPk(endpoint.name, key), flight);
    this.#dispatch(`${endpoint.name}/pending`, {
      meta: { ...meta, requestStatus: 'pending', ...(intent && { changes: intent }) },
    });
    void this.#settle(flight, extra).then(end);
    return flight;
  }

  async #settle(flight: Flight, extra: unknown): Promise<Outcome> {
    const { request, meta, controller } = flight;
    const { endpoint } = request;
    const { signal } = controller;
    const { getState, dispatch } = this.#api;
    const { requestId } = meta;
    const api: HookApi = { getState, dispatch: dispatch as HookApi['dispatch'], extra, signal, requestId };
    let result: RunResult;
    let landing: Landing;
    try {
      const creating = this.#creating(flight);
      if (creating.length > 0) await untilAborted(Promise.all(creating), signal);
      if (this.#isOrphaned(flight, creating.length)) throw resourceError('R14', endpoint.name);
      result = await untilAborted(endpoint.run(flight.args, api), signal);
      landing = this.#land(endpoint, flight.args, meta, result);
    } catch (error) {
      return this.#reject(flight, error, signal.aborted);
    }
    return this.#fulfill(endpoint, flight.args, meta, result, landing);
  }

  /** The ends of the creates under way whose items the arguments name by temporary ids. */
  #creating({ args }: Flight): readonly Promise<Outcome>[] {
    return temporariesIn(args).flatMap((id) => this.#flights.get(originOf(id).requestId)?.settled ?? []);
  }

  /** What the requests show that wait for the items of a create which has failed: nothing, from the same action on. */
  #orphaned(requestId: string): Rebased {
    const isOrphan = ({ args }: Flight): boolean =>
      temporariesIn(args).some((id) => originOf(id).requestId === requestId);
    const orphans = [...this.#flights.values()].filter(isOrphan);
    for (const { meta } of orphans) this.#recipes.delete(meta.requestId);
    return Object.fromEntries(orphans.map(({ meta }) => [meta.requestId, noChanges]));
  }

  /** Whether it has waited for an item that could not be created, so that its id has stayed temporary. */
  #isOrphaned({ args }: Flight, waitedFor: number): boolean {
    return waitedFor > 0 && temporariesIn(args).length > 0;
  }

  /** The request with real ids in place of temporary ones that somebody has kept beyond their time. */
  #withKnownIds<Value>(request: Request<Value>): Request<Value> {
    let { args } = request;
    for (const id of temporariesIn(args)) {
      const { requestId } = originOf(id);
      const ids = this.#created.get(requestId);
      if (ids) args = withReal(args, requestId, ids);
    }
    return args === request.args ? request : makeRequest(request.endpoint, args, request.ifStale);
  }

  /** Remembers the ids of the latest creates: a component may hold a temporary one until it renders again. */
  #remember(requestId: string, ids: readonly unknown[]): void {
    this.#created.set(requestId, ids);
    const [oldest] = this.#created.keys();
    if (this.#created.size > REMEMBERED && oldest !== undefined) this.#created.delete(oldest);
  }

  /** Puts the real ids of a create where its temporary ones are: into requests that wait, and into what they show. */
  #replaceTemporaries(requestId: string, result: unknown, response: unknown): void {
    const ids = createdIds(result, response);
    this.#remember(requestId, ids);
    for (const flight of this.#flights.values()) {
      if (!temporariesIn(flight.args).some((id) => originOf(id).requestId === requestId)) continue;
      flight.args = withReal(flight.args, requestId, ids);
      const { request, args, meta } = flight;
      this.#recipes.set(meta.requestId, (tables) => plan(request.endpoint, args, meta.requestId, tables)?.changes);
    }
  }

  /** Takes a response apart, and puts what it changes in its place among what has settled meanwhile. */
  #land(
    endpoint: Requestable,
    args: readonly unknown[],
    meta: Meta,
    { response, isOpaque, isJson }: RunResult,
  ): Landing {
    const { name } = endpoint;
    const { journal, tables, seq: settledSeq } = this.#slice;
    const kind = endpoint.sideEffect ? ('write' as const) : ('read' as const);
    const settling: Settling = {
      kind,
      seq: meta.seq,
      settledSeq,
      fields: endpoint.sideEffect ? endpoint.named?.(args) : undefined,
    };
    const oldest = this.#oldest(meta.requestId);
    if (isOpaque || (kind === 'read' && (response ?? undefined) === undefined)) {
      return { result: undefined, changes: noChanges, journal: prune(journal, oldest) };
    }
    if (!isJson) assertPlain(response, name);
    const normalized = normalizeAnswer(endpoint, response, {
      args,
      tables,
      name,
      meta: { kind, seq: meta.seq, settledSeq, startedTimeStamp: meta.startedTimeStamp },
      ...this.#order(settling, oldest),
    });
    return {
      result: normalized.result,
      ...settle(journal, tables, settling, normalized, oldest, this.#others(meta.requestId)),
    };
  }

  /** How an answer is taken apart while others are under way. */
  #order(settling: Settling, oldest: number | undefined): Pick<NormalizeOptions, 'admit' | 'tellsAll' | 'expected'> {
    const { journal } = this.#slice;
    if (oldest === undefined && journal === emptyJournal) return {};
    return { admit: admissionOf(journal, settling), tellsAll: true, expected: this.#expectedLists() };
  }

  /** The position of the oldest request that is under way, beside one. */
  #oldest(requestId?: string): number | undefined {
    let oldest: number | undefined;
    for (const { meta } of this.#flights.values()) {
      if (meta.requestId !== requestId && (oldest === undefined || meta.seq < oldest)) oldest = meta.seq;
    }
    return oldest;
  }

  /** The lists that reads under way will bring. */
  #expectedLists(): { readonly table: string; readonly pk: string }[] {
    return [...this.#flights.values()].flatMap(({ request: { endpoint, args } }) => {
      const collection = endpoint.sideEffect ? undefined : findCollection(endpoint.schema);
      return collection ? [{ table: collection.table, pk: collection.pkOfArgs(args) }] : [];
    });
  }

  #fulfill(
    endpoint: Requestable,
    args: readonly unknown[],
    meta: Meta,
    { response, isOpaque }: RunResult,
    { result, changes, journal }: Landing,
  ): Outcome {
    const { endpointName: name, key } = meta.arg;
    const { intents } = this.#slice;
    this.#forget(meta);
    this.#errors.delete(requestPk(name, key));
    const now = Date.now();
    if (intents.some(({ requestId }) => requestId === meta.requestId)) {
      this.#replaceTemporaries(meta.requestId, result, response);
    }
    const rebased = this.#rebase(changes, journal, meta.requestId);
    const whole = endpoint.extends?.(args);
    // Nothing tells what was created, so the lists it belongs to are fetched again.
    const isEmptyCreate = endpoint.sideEffect && (result ?? undefined) === undefined;
    const fulfilled: FulfilledMeta = {
      ...meta,
      requestStatus: 'fulfilled',
      result,
      changes,
      fulfilledTimeStamp: now,
      ...this.#expiry(endpoint, now),
      ...this.#journaled(journal),
      ...(rebased && { rebased }),
      ...(whole && { extends: whole }),
      ...(isEmptyCreate && this.#expires(endpoint, args, meta.requestId)),
    };
    const payload = isOpaque ? undefined : response;
    const action = this.#dispatch(`${name}/fulfilled`, { payload, meta: fulfilled });
    this.#refetchNamed(fulfilled.expires);
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

  #reject({ request, args, meta }: Flight, error: unknown, isAborted: boolean): Outcome {
    const { endpoint } = request;
    this.#forget(meta);
    this.#errors.set(requestPk(endpoint.name, meta.arg.key), error);
    const slice = this.#slice;
    const others = this.#others(meta.requestId);
    const { changes, journal } = settleFailed(slice.journal, slice.tables, this.#oldest(), others);
    const rebased = { ...this.#rebase(changes, journal, meta.requestId), ...this.#orphaned(meta.requestId) };
    const rejected: RejectedMeta = {
      ...meta,
      requestStatus: 'rejected',
      aborted: isAborted || (error instanceof Error && error.name === 'AbortError'),
      condition: false,
      ...(!isEmpty(changes) && { changes }),
      expiresAt: Date.now() + lifetimesOf(endpoint, this.#defaults).errorExpiryLength,
      ...this.#journaled(journal),
      ...(Object.keys(rebased).length > 0 && { rebased }),
      // Without an answer, a write may have been done or not.
      ...(endpoint.sideEffect && isUnknown(error) && this.#expires(endpoint, args, meta.requestId)),
    };
    const action = this.#dispatch(`${endpoint.name}/rejected`, { error: serialize(error), meta: rejected });
    this.#refetchNamed(rejected.expires);
    return { action, error };
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
  #rebase(changes: Changes, journal: Journal, requestId?: string): Rebased | undefined {
    if (this.#recipes.size === 0) return undefined;
    return rebase(overlayChanges(this.#slice.tables, [changes]), journal, this.#others(requestId), this.#recipes);
  }

  /** The intents beside that of one request. */
  #others(requestId?: string): readonly Intent[] {
    return this.#slice.intents.filter((intent) => intent.requestId !== requestId);
  }

  /** The answers that a write has made doubtful: those that speak of what it tried to change. */
  #expires(
    endpoint: Requestable,
    args: readonly unknown[],
    requestId: string,
  ): { readonly expires?: readonly string[] } {
    const slice = this.#slice;
    const expected = endpoint.attempted?.(args);
    if (!expected) return {};
    try {
      return { expires: doubtful(slice, changesOf(endpoint, args, expected, slice.tables, requestId)) };
    } catch {
      // What cannot even be expected touches nothing that is known.
      return {};
    }
  }

  /** The journal, where it has become another. */
  #journaled(journal: Journal): { readonly journal?: Journal } {
    return journal === this.#slice.journal ? {} : { journal };
  }

  #forget({ requestId, arg }: Meta): void {
    this.#flights.delete(requestId);
    this.#recipes.delete(requestId);
    const name = requestPk(arg.endpointName, arg.key);
    if (this.#joinable.get(name)?.meta.requestId === requestId) this.#joinable.delete(name);
  }

  /** The confirmed data. */
  get tables(): ResourcesState['tables'] {
    return this.#slice.tables;
  }

  /** Writes what no request brought: a write that starts and settles at once, announced by an action of its own. */
  write(
    type: string,
    payload: unknown,
    fields: readonly string[] | undefined,
    change: (options: Pick<NormalizeOptions, 'tables' | 'meta' | 'admit' | 'tellsAll' | 'expected'>) => Normalized,
    about?: { readonly endpoint: Requestable; readonly key: string },
  ): void {
    const { tables, journal } = this.#slice;
    const seq = this.#nextSeq();
    const now = Date.now();
    const settling: Settling = { kind: 'write', seq, settledSeq: seq, fields };
    const oldest = this.#oldest();
    const meta: AnswerMeta = { kind: 'write', seq, settledSeq: seq, startedTimeStamp: now };
    const normalized = change({ tables, meta, ...this.#order(settling, oldest) });
    const settled = settle(journal, tables, settling, normalized, oldest, this.#others());
    const rebased = this.#rebase(settled.changes, settled.journal);
    const { result } = normalized;
    const answered = about && {
      name: about.endpoint.name,
      key: about.key,
      result,
      fulfilledTimeStamp: now,
      ...this.#expiry(about.endpoint, now),
    };
    const written: WriteMeta = {
      seq,
      changes: settled.changes,
      ...this.#journaled(settled.journal),
      ...(rebased && { rebased }),
      ...(answered && { answered }),
    };
    this.#dispatch(type, { payload, meta: written });
  }

  /** Forgets everything; requests in flight end as aborted, and whoever is still subscribed begins anew. */
  reset(): void {
    for (const { controller } of this.#flights.values()) controller.abort('reset');
    this.#flights.clear();
    this.#recipes.clear();
    this.#errors.clear();
    this.#joinable.clear();
    this.#dispatch(this.#actions.reset.type, {});
    // Who is still there begins anew.
    this.#subscriptions.refetch(() => true);
  }

  /** Fetches again for those who are subscribed to what was made stale or taken away. */
  refetch({ name, key }: Target): void {
    this.#subscriptions.refetch(
      key === undefined ? (pk) => pk.startsWith(`${name} `) : (pk) => pk === requestPk(name, key),
    );
  }

  #refetchNamed(names: readonly string[] = []): void {
    if (names.length > 0) this.#subscriptions.refetch((name) => names.includes(name));
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

/** An empty answer to an edit confirms what was sent; any other is what it says. */
function normalizeAnswer(endpoint: Requestable, response: unknown, options: NormalizeOptions): Normalized {
  const isEmptyAnswer = (response ?? undefined) === undefined;
  const confirmed = isEmptyAnswer ? endpoint.confirmed?.(options.args ?? []) : undefined;
  if (!confirmed) return normalize(endpoint.schema, response, options);
  const { fields, existing = false } = confirmed;
  const preview = { existing, ...(fields && { fields }) };
  return normalize(endpoint.schema, toWire(confirmed.response), { ...options, preview });
}

/** How many creates are remembered. */
const REMEMBERED = 100;

function argOf(endpointName: string, key: string, args: readonly unknown[]): RequestArg {
  return { endpointName, key, args: toWire(args) as readonly unknown[] };
}

/** Something to wait for that is over already. */
function over(meta: Meta, outcome: Outcome): Waiting {
  return { meta, controller: new AbortController(), waiting: 0, settled: Promise.resolve(outcome) };
}
