import type { useDispatch } from 'react-redux';
import { COMING, isPast } from '../store/reading/freshness.js';
import type { RequestState } from '../store/reading/requestState.js';
import type { Request, RequestPromise } from '../store/request.js';

type Dispatch = ReturnType<typeof useDispatch>;
type Standing = Pick<RequestState, 'status' | 'isFetching' | 'isOptimistic'>;

/** What a component waits for, and how it ended: in an error, or in an answer without data. */
export interface Asking {
  readonly promise: Promise<void>;
  /** The components that wait for it. */
  readonly waiting: Set<Asker>;
  /** It is asked for again, after an answer without data: once. */
  readonly isSecond: boolean;
  /** What components wait for: resolves when it is over, or what it asks for is there; of what is being deleted here, when that is over. */
  wait?: Promise<void> | undefined;
  /** Cancels it; undefined before it is under way, and when it is over. */
  abort?: (() => void) | undefined;
  /** The store has told of its failure; where it does so no more, it was reset. */
  isTold?: boolean;
  end?: {
    readonly error?: unknown;
    /** ms since the epoch. */
    readonly time: number;
    /** An earlier request for the same is under way still. */
    isBusy?: boolean;
  };
}

/** One component, and what it waits for. What is kept of it before it was shown, React throws away, and nobody hears of it. */
export interface Asker {
  asking?: Asking | undefined;
}

/** What a component asks for. */
interface Wanted {
  /** What it is kept under. */
  readonly name: string;
  request(): Request;
  /** Whether a request for it is under way, as the store says. */
  isFetching(): boolean;
}

/** As long as `ifStale` waits after a failure, unless told otherwise, in ms; without a pause, who tries again never gets to show why. */
const pause = 1_000;

/**
 * What is asked for in each store. React keeps nothing for a component that it has not shown yet,
 * so that neither the promise nor its end could be found again.
 */
const askings = new WeakMap<Dispatch, Map<string, Asking>>();

/** Asks for data that is not there; once, however often it is rendered, until there is something new to ask for. */
export function ask(dispatch: Dispatch, wanted: Wanted, state: Standing, asker: Asker): Asking {
  const asking = find(dispatch, wanted, state);
  // Whatever it has waited for before, it does no more.
  if (asker.asking !== asking) leave(asker);
  asker.asking = asking;
  asking.waiting.add(asker);
  return asking;
}

/** A component waits no longer; when the last one has gone, what was asked for is cancelled. */
export function leave(asker: Asker): void {
  const { asking } = asker;
  asker.asking = undefined;
  if (!asking?.waiting.delete(asker) || asking.waiting.size > 0) return;
  asking.abort?.();
}

function find(dispatch: Dispatch, wanted: Wanted, state: Standing): Asking {
  const { name } = wanted;
  const known = askings.get(dispatch)?.get(name);
  if (known && !isOutdated(known, state)) return known;
  // Nothing may be dispatched before the render is over.
  const asking: Asking = {
    waiting: new Set(),
    isSecond: known?.end !== undefined && !('error' in known.end),
    promise: Promise.resolve().then(() => run(dispatch, wanted, asking)),
  };
  const all = askings.get(dispatch) ?? new Map<string, Asking>();
  // Of a component that was never shown, nobody hears when it has gone.
  forgetFailures(dispatch, pause);
  askings.set(dispatch, all.set(name, asking));
  return asking;
}

/** Lets what has failed be asked for again at once; with an age (ms), just what nobody heeds any more. */
export function forgetFailures(dispatch: Dispatch, age = -Infinity): void {
  const all = askings.get(dispatch);
  all?.forEach(({ end }, name) => {
    if (end && 'error' in end && isPast(end.time, age)) all.delete(name);
  });
}

/** When what somebody has waited for came, in ms since the epoch, in each store. */
const come = new WeakMap<Dispatch, Map<string, number>>();

/** Whether somebody has waited for it until now, or a moment ago where it is shown already: who is shown it now need not have it fetched, however soon it is stale. */
export function hasCome(dispatch: Dispatch, name: string): boolean {
  const time = come.get(dispatch)?.get(name);
  return time !== undefined && !isPast(time, shown.get(dispatch)?.has(name) ? pause : COMING);
}

/** Notes that it has come; what came longer ago, React has thrown away by now. */
function noteCome(dispatch: Dispatch, name: string): void {
  const all = come.get(dispatch) ?? new Map<string, number>();
  all.forEach((time, other) => {
    if (isPast(time, COMING)) all.delete(other);
  });
  come.set(dispatch, all.set(name, Date.now()));
}

/** Who waits still, or comes back to it, asks anew; what was asked for anew since stays. */
function forget(dispatch: Dispatch, name: string, asking: Asking | undefined): void {
  const all = askings.get(dispatch);
  if (all?.get(name) === asking) all?.delete(name);
}

/** How many components show what was asked for, in each store. */
const shown = new WeakMap<Dispatch, Map<string, number>>();

/** A component shows it; when the last one has gone, how it ended is forgotten. */
export function join(dispatch: Dispatch, name: string): () => void {
  const counts = shown.get(dispatch) ?? new Map<string, number>();
  shown.set(dispatch, counts.set(name, (counts.get(name) ?? 0) + 1));
  return () => {
    const left = (counts.get(name) ?? 1) - 1;
    counts.set(name, left);
    // One that is mounted again at once, as in strict mode, has not gone.
    queueMicrotask(() => {
      if (counts.get(name) !== 0) return;
      counts.delete(name);
      come.get(dispatch)?.delete(name);
      const asking = askings.get(dispatch)?.get(name);
      // What is under way has not ended: who waits for it may have gone on to something else, and comes back.
      if (asking?.end) forget(dispatch, name, asking);
    });
  };
}

/** A failure counts for a while, unless somebody tries again; an answer without data counts until what it is about is deleted here. */
function isOutdated(asking: Asking, { status, isFetching, isOptimistic }: Standing): boolean {
  const { end, isSecond, isTold } = asking;
  if (!end) return false;
  if (!('error' in end)) return !isSecond && status === 'uninitialized' && !isOptimistic;
  if (status === 'rejected') asking.isTold = true;
  if (!isFetching) end.isBusy = false;
  return (isFetching && !end.isBusy) || isPast(end.time, pause) || (isTold === true && status === 'uninitialized');
}

async function run(dispatch: Dispatch, wanted: Wanted, asking: Asking): Promise<void> {
  const { name } = wanted;
  try {
    const promise = dispatch(wanted.request() as never) as unknown as RequestPromise<unknown>;
    asking.abort = () => {
      // Who comes back to it asks anew.
      forget(dispatch, name, asking);
      promise.abort('not needed');
    };
    const value = await promise.unwrap();
    if (value === undefined) asking.end = { time: Date.now() };
    // Whoever waits still, as where it was invalidated under way, asks anew.
    else {
      forget(dispatch, name, asking);
      noteCome(dispatch, name);
    }
  } catch (error) {
    // Whoever waits still asks anew: the store begins anew, or nobody had waited.
    if (isReset(error)) forget(dispatch, name, asking);
    else asking.end = { error, time: Date.now(), isBusy: wanted.isFetching() };
  } finally {
    asking.abort = undefined;
  }
}

function isReset(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError' && error.cause === 'reset';
}
