import { nanoid, type MiddlewareAPI } from '@reduxjs/toolkit';
import { resourceError } from '../errors.js';
import type { Definition } from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import { isEmpty, noChanges, type Changes } from '../tables/changes.js';
import { Overlay } from '../tables/Overlay.js';
import { normalize, type Normalized, type NormalizeOptions } from '../tables/normalize.js';
import { eachRow, rowOf, type Tables } from '../tables/tables.js';
import type { FulfilledMeta, Rebased, RejectedMeta, RequestMeta, SliceActions, WriteMeta } from './actions.js';
import type { Settling } from './admission.js';
import type { Described } from './collect.js';
import { Collector } from './Collector.js';
import { doubtful } from './doubt.js';
import { Endpoints } from './Endpoints.js';
import { failureOf, isUnknown, serialize } from './failure.js';
import { finderOf } from './finder.js';
import { Flights, type Flight } from './flights.js';
import { expiryAfter, isFailedLately, isFresh, lifetimesOf, withStandard } from './freshness.js';
import { Inherited } from './inherited.js';
import { changesOf, plan, rebase, type Plan, type Recipe } from './intents.js';
import type { Intent } from './intent.js';
import type { Journal } from './journal.js';
import { land, landNothing, type Circumstances, type Company, type Landing } from './landing.js';
import { asOf, Cancellation, failing, once, promiseOf, type Outcome, type Waiting } from './outcome.js';
import { assertPlain, toWire } from './plain.js';
import { Presence, type SetupListeners } from './presence.js';
import {
  makeRequest,
  registerRunner,
  type Expectation,
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
  type Target,
} from './request.js';
import { questionOf, sliceOf } from './selectors.js';
import { recordOf, requestPk, type ResourcesState } from './state.js';
import { snapshotOf } from './snapshot.js';
import { readerOf } from './StoreReader.js';
import { createdIds, temporariesIn, withReal } from './temporaries.js';
import { originOf } from '../schema/temporary.js';
import { Subscriptions } from './subscriptions.js';

/** What an action tells of its request, whichever way it goes. */
type Meta = Omit<RequestMeta, 'requestStatus'>;

/** What applies to all requests of a store. */
export interface RuntimeOptions {
  readonly defaults: Partial<Lifetimes>;
  readonly setupListeners: SetupListeners;
}

/** What runs the requests of one store. */
export class Runtime implements Runner {
  readonly #api: MiddlewareAPI;
  readonly #reducerPath: string;
  readonly #actions: SliceActions;
  readonly #defaults: Lifetimes;
  readonly #flights = new Flights();
  readonly #endpoints = new Endpoints();
  readonly #endpointOf = (name: string): Requestable | undefined => this.#endpoints.of(name);
  /** How the intents of unsettled requests are found anew; what cannot be in the state. */
  readonly #recipes = new Map<string, Recipe>();
  /** The real ids of the latest creates, by request. */
  readonly #created = new Map<string, readonly unknown[]>();
  /** The errors behind the failures in the state, as they were thrown. */
  readonly #errors = new Map<string, unknown>();
  readonly #inherited: Inherited;
  readonly #subscriptions: Subscriptions;
  readonly #collector: Collector;
  #seq = 0;

  constructor(
    api: MiddlewareAPI,
    reducerPath: string,
    actions: SliceActions,
    { defaults, setupListeners }: RuntimeOptions,
  ) {
    this.#api = api;
    this.#reducerPath = reducerPath;
    this.#actions = actions;
    this.#defaults = withStandard(defaults);
    this.#inherited = new Inherited(this.#endpointOf);
    this.#collector = new Collector({
      slice: () => this.#slice,
      endpointOf: this.#endpointOf,
      read: () => this.#readFromTables(),
      forget: ({ requests, changes }) => {
        const reader = readerOf(this.#slice);
        this.#dispatch(actions.collect.type, { payload: { requests, changes } });
        reader.forget(requests, changes.rows);
        for (const name of requests) this.#errors.delete(name);
      },
      drop: (names) => {
        readerOf(this.#slice).forget(names, []);
      },
    });
    this.#subscriptions = new Subscriptions(new Presence(setupListeners), ({ name, endpoint }) => {
      const { unusedDataExpiryLength } = lifetimesOf(endpoint, this.#defaults);
      this.#collector.leave(name, unusedDataExpiryLength);
      this.#collector.collectAfter(unusedDataExpiryLength);
    });
    registerRunner(this);
  }

  run<Value>(asked: Request<Value>, extra: unknown): RequestPromise<Value> {
    const request = this.#withKnownIds(asked);
    const { endpoint, args, ifStale } = request;
    this.#endpoints.meet(endpoint);
    let key: string;
    try {
      key = endpoint.key(...args);
    } catch (error) {
      return promiseOf<Value>(this.#refuse(this.#meta(endpoint.name, '', args), error));
    }
    if (ifStale && this.#isAnswered(request, key)) return promiseOf<Value>(this.#answer(request, key));
    const twin = this.#flights.twin(request, key);
    if (twin) return promiseOf<Value>(twin);
    if (ifStale && isFailedLately(recordOf(this.#slice, endpoint.name, key), Date.now()))
      return promiseOf<Value>(this.#answer(request, key));
    return promiseOf<Value>(this.#start(request, key, extra));
  }

  /** The story of a request: intent, pending, hook chain, normalize, fulfilled or rejected. */
  #start(request: Request, key: string, extra: unknown): Waiting {
    const { endpoint, args } = request;
    const meta = this.#meta(endpoint.name, key, args);
    let planned: Plan | undefined;
    try {
      planned = this.#plan(request, meta.requestId);
      // Whatever is wrong with the user's key is told before anything is shown.
      endpoint.line?.(args);
    } catch (error) {
      this.#recipes.delete(meta.requestId);
      return this.#refuse(meta, error);
    }
    let end: (outcome: Outcome) => void = () => undefined;
    const settled = new Promise<Outcome>((resolve) => (end = resolve));
    const begun = { waiting: 0, isWanted: false, sentSeq: undefined, isOrphaned: false, isOutdated: false };
    const temporaries = temporariesIn(args);
    const cancellation = new Cancellation();
    const flight: Flight = { request, args, temporaries, meta, cancellation, settled, ...begun };
    this.#flights.add(flight);
    const shown = planned && { changes: planned.changes, ...(planned.holdsRows && { holdsRows: true }) };
    this.#dispatch(`${endpoint.name}/pending`, { meta: { requestStatus: 'pending', ...meta, ...shown } });
    void this.#settle(flight, extra).then(end);
    return flight;
  }

  async #settle(flight: Flight, extra: unknown): Promise<Outcome> {
    const { request, meta, cancellation } = flight;
    const { endpoint } = request;
    const { signal } = cancellation;
    const { getState, dispatch } = this.#api;
    const { requestId } = meta;
    const api: HookApi = { getState, dispatch: dispatch as HookApi['dispatch'], extra, signal, requestId };
    let result: RunResult;
    let landing: Landing;
    let expires: readonly string[];
    let orphaned: Rebased | undefined;
    try {
      flight.sentSeq = this.#flights.obstacles(flight).length > 0 ? await this.#untilClear(flight) : meta.seq;
      result = await cancellation.until(endpoint.run(flight.args, api));
      landing = this.#land(flight, result);
      // Nothing tells what was created: the lists it belongs to are fetched again, and whoever waits for it fails.
      if (endpoint.sideEffect && (landing.result ?? undefined) === undefined) {
        orphaned = this.#orphaned(requestId);
        if (Object.keys(orphaned).length > 0) landing = this.#land(flight, result);
      }
      expires = this.#named(endpoint.spoils?.(flight.args, result.response) ?? []);
    } catch (error) {
      return this.#reject(flight, error, signal.aborted);
    }
    return this.#fulfill(flight, result, landing, expires, orphaned);
  }

  /** Waits for all that must be over before a request is sent, and gives its position then; throws R14 when an item it names could not be created. */
  async #untilClear(flight: Flight): Promise<number> {
    const { endpoint } = flight.request;
    for (let obstacles = this.#flights.obstacles(flight); obstacles.length > 0;) {
      await flight.cancellation.until(Promise.race(obstacles));
      if (flight.isOrphaned) break;
      obstacles = this.#flights.obstacles(flight);
    }
    if (flight.isOrphaned || flight.temporaries.length > 0) throw resourceError('R14', endpoint.name);
    return this.#nextSeq();
  }

  /** What the requests show that wait for the items of a create which has failed: nothing, from the same action on. */
  #orphaned(requestId: string): Rebased {
    const orphans = this.#flights.awaiting(requestId);
    for (const flight of orphans) {
      flight.isOrphaned = true;
      this.#recipes.delete(flight.meta.requestId);
    }
    return Object.fromEntries(orphans.map(({ meta }) => [meta.requestId, noChanges]));
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
    for (const { request, args, meta, isOrphaned } of this.#flights.resolve(requestId, ids)) {
      if (isOrphaned) continue;
      this.#recipes.set(meta.requestId, (tables) => plan(request.endpoint, args, meta.requestId, tables)?.changes);
    }
  }

  #land({ request: { endpoint }, args, meta, sentSeq }: Flight, result: RunResult): Landing {
    const { response, isOpaque, isJson } = result;
    const slice = this.#slice;
    const company = this.#company(meta.requestId);
    const kind = endpoint.sideEffect ? ('write' as const) : ('read' as const);
    if (isOpaque || (kind === 'read' && (response ?? undefined) === undefined)) return landNothing(slice, company);
    const { name } = endpoint;
    if (!isJson) assertPlain(response, name);
    const { seq, startedTimeStamp } = meta;
    // What has waited is news of the time when it was sent.
    const at = { kind, seq: sentSeq ?? seq, settledSeq: Math.max(slice.seq, this.#seq) };
    const fields = endpoint.sideEffect ? endpoint.named?.(args) : undefined;
    const settling: Settling = { askedSeq: seq, fields, ...at };
    return land(slice, settling, company, (circumstances) =>
      normalizeAnswer(
        endpoint,
        response,
        { args, name, meta: { startedTimeStamp, ...at }, ...circumstances },
        slice.tables,
      ),
    );
  }

  /** What is under way beside one request. */
  #company(requestId?: string): Company {
    return {
      oldest: this.#flights.oldest(requestId),
      intents: this.#others(requestId),
      expectedLists: () => this.#flights.expectedLists(),
    };
  }

  #fulfill(
    flight: Flight,
    { response, isOpaque }: RunResult,
    { result, changes, journal }: Landing,
    named: readonly string[],
    orphaned?: Rebased,
  ): Outcome {
    const { request, args, meta } = flight;
    const { endpoint } = request;
    const { endpointName: name, key } = meta.arg;
    const { intents } = this.#slice;
    this.#forget(flight);
    this.#errors.delete(requestPk(name, key));
    const now = Date.now();
    if (intents.some(({ requestId }) => requestId === meta.requestId)) {
      this.#replaceTemporaries(meta.requestId, result, response);
    }
    const found = this.#rebase(changes, journal, meta.requestId);
    const rebased = orphaned ? { ...found, ...orphaned } : found;
    const { pageOf } = endpoint;
    if (pageOf) this.#endpoints.meet(pageOf.endpoint);
    const whole = pageOf && { name: pageOf.endpoint.name, key: pageOf.key(...args) };
    const expires = [...named, ...(orphaned ? this.#doubtful(endpoint, args, meta.requestId) : [])];
    const fulfilled: FulfilledMeta = {
      requestStatus: 'fulfilled',
      ...meta,
      result,
      changes,
      fulfilledTimeStamp: now,
      ...this.#expiry(endpoint, now),
      ...(flight.isOutdated && { expiresAt: 0, isOutdated: true }),
      ...this.#journaled(journal),
      ...(rebased && { rebased }),
      ...(whole && { extends: whole }),
      ...(expires.length > 0 && { expires }),
    };
    const payload = isOpaque ? undefined : response;
    const action = this.#dispatch(`${name}/fulfilled`, { payload, meta: fulfilled });
    this.#isOver(flight, endpoint.sideEffect || whole !== undefined);
    // A list of which only pages were asked for goes with them.
    if (whole && recordOf(this.#slice, whole.name, whole.key)?.answer?.requestId === meta.requestId)
      this.#collector.settle(
        requestPk(whole.name, whole.key),
        lifetimesOf(endpoint, this.#defaults).unusedDataExpiryLength,
      );
    this.#subscriptions.expire(requestPk(name, key), fulfilled);
    this.#refetchNamed(expires);
    if (isOpaque) return { action, value: () => response };
    if ((response ?? undefined) === undefined) return { action, value: () => undefined };
    const read = (): unknown => {
      const slice = this.#slice;
      const isNewest = recordOf(slice, name, key)?.answer?.requestId === meta.requestId;
      const reader = readerOf(slice);
      if (isNewest) return reader.answer(slice, questionOf(endpoint, args, key));
      return reader.read(slice, endpoint.schema, result);
    };
    // Who waits gets it as it is now; for others it is not read before they ask.
    return { action, value: flight.isWanted ? asOf(read) : once(read) };
  }

  #reject(flight: Flight, error: unknown, isAborted: boolean): Outcome {
    const { request, args, meta, sentSeq } = flight;
    const { endpoint } = request;
    this.#forget(flight);
    const isCancelled = isAborted || (error instanceof Error && error.name === 'AbortError');
    if (!isCancelled) this.#errors.set(requestPk(endpoint.name, meta.arg.key), error);
    const orphaned = this.#orphaned(meta.requestId);
    const { changes, journal } = landNothing(this.#slice, this.#company(meta.requestId));
    const rebased = { ...this.#rebase(changes, journal, meta.requestId), ...orphaned };
    // Without an answer, a write may have been done or not.
    const isDoubtful = endpoint.sideEffect && sentSeq !== undefined && isUnknown(error);
    const expires = isDoubtful ? this.#doubtful(endpoint, args, meta.requestId) : [];
    const rejected: RejectedMeta = {
      requestStatus: 'rejected',
      ...meta,
      aborted: isCancelled,
      condition: false,
      ...(!isEmpty(changes) && { changes }),
      expiresAt: expiryAfter(lifetimesOf(endpoint, this.#defaults).errorExpiryLength),
      ...this.#journaled(journal),
      ...(Object.keys(rebased).length > 0 && { rebased }),
      ...(expires.length > 0 && { expires }),
    };
    const action = this.#dispatch(`${endpoint.name}/rejected`, { error: serialize(error), meta: rejected });
    this.#isOver(flight, endpoint.sideEffect || endpoint.pageOf !== undefined);
    this.#refetchNamed(expires);
    return { action, value: failing(error) };
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
    return over(meta, { action, value: failing(error) });
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
    if (failure) return over(meta, { action, value: failing(this.#errors.get(name) ?? failureOf(failure)) });
    return over(meta, { action, value: asOf(() => readerOf(slice).answer(slice, questionOf(endpoint, args, key))) });
  }

  /** Whether what a request asks for is there, and fresh. */
  #isAnswered({ endpoint, args }: Request, key: string): boolean {
    const slice = this.#slice;
    const now = Date.now();
    const record = recordOf(slice, endpoint.name, key);
    const isReadable = (): boolean => readerOf(slice).answer(slice, questionOf(endpoint, args, key)) !== undefined;
    if (record?.answer) {
      // What it brought may have been deleted since.
      return isFresh(record, now) && ((record.answer.result ?? undefined) === undefined || isReadable());
    }
    if (record?.invalid || endpoint.sideEffect) return false;
    // Nobody has asked for it, but another answer may have brought it.
    const ref = schemaOf(endpoint.schema)?.query?.(args, finderOf(slice.tables));
    return ref !== undefined && now < this.#inherited.expiryOf(slice, endpoint.schema, ref) && isReadable();
  }

  /** What the request shows until its answer; how to find it anew is remembered here, for it cannot be in the state. */
  #plan({ endpoint, args }: Request, requestId: string): Plan | undefined {
    if (!endpoint.expect || !endpoint.sideEffect) return undefined;
    const slice = this.#slice;
    const planned = plan(endpoint, args, requestId, readerOf(slice).shown(slice));
    if (planned?.recipe) this.#recipes.set(requestId, planned.recipe);
    return planned && (planned.recipe || !isEmpty(planned.changes)) ? planned : undefined;
  }

  /** What the other intents change, once this one has settled with these changes. */
  #rebase(changes: Changes, journal: Journal, requestId?: string): Rebased | undefined {
    if (this.#recipes.size === 0) return undefined;
    return rebase(new Overlay().show(this.#slice.tables, [changes]), journal, this.#others(requestId), this.#recipes);
  }

  /** The intents beside that of one request; those of orphans show nothing from now on. */
  #others(requestId?: string): readonly Intent[] {
    const others = this.#slice.intents.filter((intent) => intent.requestId !== requestId);
    return others.map((intent) =>
      this.#flights.isOrphaned(intent.requestId) ? { ...intent, changes: noChanges } : intent,
    );
  }

  /** The answers that a write has made doubtful: those that speak of what it tried to change. */
  #doubtful(endpoint: Requestable, args: readonly unknown[], requestId: string): readonly string[] {
    const slice = this.#slice;
    const expected = endpoint.attempted?.(args);
    if (!expected) return [];
    try {
      return doubtful(slice, changesOf(endpoint, args, expected, slice.tables, requestId), this.#endpointOf);
    } catch {
      // What cannot even be expected touches nothing that is known.
      return [];
    }
  }

  /** The requests that are meant, by what they are kept under. */
  #named(targets: readonly Target[]): readonly string[] {
    const names: string[] = [];
    if (targets.length === 0) return names;
    eachRow(this.#slice.requests, (_, name) => {
      if (targets.some((target) => isMeant(target, name))) names.push(name);
    });
    return names;
  }

  /** The journal, where it has become another. */
  #journaled(journal: Journal): { readonly journal?: Journal } {
    return journal === this.#slice.journal ? {} : { journal };
  }

  #forget(flight: Flight): void {
    this.#flights.remove(flight);
    this.#recipes.delete(flight.meta.requestId);
  }

  /** A request has settled: what it replaced, and the request itself where it holds nothing, may be collected in time. */
  #isOver({ request: { endpoint }, meta: { arg } }: Flight, isWeak: boolean): void {
    const { unusedDataExpiryLength } = lifetimesOf(endpoint, this.#defaults);
    if (isWeak) this.#collector.settle(requestPk(arg.endpointName, arg.key), unusedDataExpiryLength);
    // Where nobody ever subscribes, as on a server, nothing is collected.
    if (this.#subscriptions.isUsed) this.#collector.collectAfter(unusedDataExpiryLength);
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
    change: (options: Circumstances & Pick<NormalizeOptions, 'meta'>) => Normalized,
    about?: { readonly endpoint: Requestable; readonly key: string },
  ): unknown {
    const seq = this.#nextSeq();
    const now = Date.now();
    const kind = 'write' as const;
    const { changes, journal, result } = land(
      this.#slice,
      { kind, seq, settledSeq: seq, fields },
      this.#company(),
      (circumstances) => change({ meta: { kind, seq, settledSeq: seq, startedTimeStamp: now }, ...circumstances }),
    );
    const rebased = this.#rebase(changes, journal);
    const answered = about && {
      name: about.endpoint.name,
      key: about.key,
      result,
      fulfilledTimeStamp: now,
      ...this.#expiry(about.endpoint, now),
    };
    if (about) this.#endpoints.meet(about.endpoint);
    const written: WriteMeta = {
      seq,
      changes,
      ...this.#journaled(journal),
      ...(rebased && { rebased }),
      ...(answered && { answered }),
    };
    this.#dispatch(type, { payload, meta: written });
    if (about) this.#subscriptions.expire(requestPk(about.endpoint.name, about.key), answered);
    return result;
  }

  /** Keeps a row that no request leads to. */
  give(definition: Definition, ref: unknown): void {
    if (typeof ref === 'string') this.#collector.give(definition, ref);
  }

  /** Forgets everything; requests in flight end as aborted, and whoever is still subscribed begins anew. */
  reset(): void {
    this.#flights.abort('reset');
    this.#recipes.clear();
    this.#errors.clear();
    this.#collector.clear();
    this.#inherited.clear();
    this.#dispatch(this.#actions.reset.type, {});
    // Who is still there begins anew.
    this.#subscriptions.refetch(() => true);
  }

  /** Fetches again for those who are subscribed to what was made stale or taken away. */
  refetch(target: Target): void {
    this.#refetch((name) => isMeant(target, name));
  }

  #refetchNamed(names: readonly string[]): void {
    if (names.length > 0) this.#refetch((name) => names.includes(name));
  }

  #refetch(isMeant: (name: string) => boolean): void {
    // What was asked for before cannot know of it.
    this.#flights.part(isMeant);
    this.#subscriptions.refetch(isMeant);
  }

  subscribe(endpoint: Requestable, args: readonly unknown[], extra: unknown): Subscription {
    const { pollFrequency } = lifetimesOf(endpoint, this.#defaults);
    const key = endpoint.key(...args);
    const name = requestPk(endpoint.name, key);
    this.#endpoints.meet(endpoint);
    this.#collector.join(name);
    const fetch = (ifStale: boolean): RequestPromise<unknown> | undefined => {
      const request = makeRequest(endpoint, args, ifStale);
      // Whoever joins those who have it waits for nothing. With an id that is only temporary nobody has it: `run` knows what to do.
      return ifStale && this.#isAnswered(request, key) ? undefined : this.run(request, extra);
    };
    const hasFailed = (): boolean => rowOf(this.#slice.requests, name)?.failure !== undefined;
    const subscription = this.#subscriptions.add({ name, endpoint, args, fetch, hasFailed }, pollFrequency);
    this.#subscriptions.expire(name, rowOf(this.#slice.requests, name)?.answer);
    return subscription;
  }

  /** What subscribers read that other requests have brought. */
  #readFromTables(): readonly Described[] {
    const { requests, tables } = this.#slice;
    const finder = finderOf(tables);
    return this.#subscriptions.all().flatMap(({ name, endpoint, args }) => {
      const definition = endpoint.schema;
      if (rowOf(requests, name)?.answer) return [];
      const ref = schemaOf(definition)?.query?.(args, finder);
      return ref === undefined ? [] : [{ definition, ref }];
    });
  }

  /** When an answer of now becomes stale, and whether it is as good as missing then. */
  #expiry(endpoint: Requestable, now: number): { readonly expiresAt: number; readonly invalidIfStale?: true } {
    const { dataExpiryLength, invalidIfStale } = lifetimesOf(endpoint, this.#defaults);
    return { expiresAt: expiryAfter(dataExpiryLength, now), ...(invalidIfStale && { invalidIfStale }) };
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
function normalizeAnswer(
  endpoint: Requestable,
  response: unknown,
  options: NormalizeOptions,
  confirmedTables: Tables,
): Normalized {
  const isEmptyAnswer = (response ?? undefined) === undefined;
  const confirmed = isEmptyAnswer ? confirmedBy(endpoint, options.args ?? [], confirmedTables) : undefined;
  if (!confirmed) return normalize(endpoint.schema, response, options);
  const { fields, existing = false } = confirmed;
  const preview = { existing, ...(fields && { fields }) };
  return normalize(endpoint.schema, toWire(confirmed.response), { preview, ...options });
}

function isMeant({ name, key }: Target, pk: string): boolean {
  return key === undefined ? pk.startsWith(`${name} `) : pk === requestPk(name, key);
}

/** What an empty answer confirms; nothing where the user's code finds nothing any more. */
function confirmedBy(endpoint: Requestable, args: readonly unknown[], tables: Tables): Expectation | undefined {
  try {
    return endpoint.confirmed?.(args, snapshotOf(tables));
  } catch {
    return undefined;
  }
}

/** How many creates are remembered. */
const REMEMBERED = 100;

function argOf(endpointName: string, key: string, args: readonly unknown[]): RequestArg {
  return { endpointName, key, args: toWire(args) as readonly unknown[] };
}

/** Something to wait for that is over already. */
function over(meta: Meta, outcome: Outcome): Waiting {
  const settled = Promise.resolve(outcome);
  return { meta, cancellation: { abort: () => undefined }, waiting: 0, isWanted: true, settled };
}
