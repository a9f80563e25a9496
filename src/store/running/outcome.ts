import { abortError, abortWith } from '../../errors.js';
import type { RejectedMeta } from '../actions.js';
import {
  onEnd,
  type ActionTypes,
  type RequestMeta,
  type RequestPromise,
  type SerializedFailure,
  type SettledAction,
} from '../request.js';
import { serialize } from './failure.js';

/** How a request ended: the action that says so, and what gives the value or throws the error, which an action cannot hold. */
export interface Outcome {
  readonly action: SettledAction;
  readonly value: () => unknown;
}

/** What each promise of a request has for our hooks. */
export interface WithOnEnd {
  /** Tells a function of the end of the request: in one moment with the store, where it can, and again with the promise. */
  [onEnd](listener: (outcome: Outcome) => void): void;
}

/** Gives what a function gives now, or throws what it throws now. */
export function asOf(read: () => unknown): () => unknown {
  try {
    const value = read();
    return () => value;
  } catch (error) {
    return failing(error);
  }
}

/** Gives what a function gives or throws when it is asked first. */
export function once(read: () => unknown): () => unknown {
  let known: (() => unknown) | undefined;
  return () => (known ??= asOf(read))();
}

export function failing(error: unknown): () => never {
  return () => {
    // What the user's code threw is what the user's code gets, whatever it is.
    throw error;
  };
}

/** Something that ends with an outcome, and how many wait for it. */
export interface Waiting {
  readonly meta: Omit<RequestMeta, 'requestStatus'>;
  readonly cancellation: Pick<Cancellation, 'abort'>;
  readonly settled: Promise<Outcome>;
  waiting: number;
  /** Whether one of them waits for the value. */
  isWanted: boolean;
  /** Hears of the end in one moment with the store: the last caller that asked for it. Promises tell all of them, later. */
  onEnd?: (outcome: Outcome) => void;
}

/** The promise of one caller. Each that joins has its own: one may leave while the others go on waiting. */
export function promiseOf<Value, Types extends ActionTypes>(flight: Waiting): RequestPromise<Value, Types> & WithOnEnd {
  const { meta, cancellation, settled } = flight;
  flight.waiting++;
  let isWaiting = true;
  let leave: (outcome: Outcome) => void = () => undefined;
  const outcome = new Promise<Outcome>((resolve) => {
    leave = resolve;
    void settled.then(resolve);
  });
  return Object.assign(
    outcome.then(({ action }) => action),
    {
      requestId: meta.requestId,
      arg: meta.arg,
      abort(reason = 'aborted'): void {
        if (!isWaiting) return;
        isWaiting = false;
        flight.waiting--;
        if (flight.waiting === 0) cancellation.abort(reason);
        else leave(leftBehind(meta, reason));
      },
      async unwrap(): Promise<Value> {
        flight.isWanted = true;
        // The schema of the endpoint says what its value is.
        return (await outcome).value() as Value;
      },
      [onEnd](listener: (outcome: Outcome) => void): void {
        flight.isWanted = true;
        flight.onEnd = listener;
        void outcome.then(listener);
      },
    },
  );
}

/** What a caller gets who left while others wait: told to that caller alone, and not dispatched. */
function leftBehind(meta: Waiting['meta'], reason: string): Outcome {
  const error = abortError(reason);
  const action = rejectedAction(meta, serialize(error), { aborted: true, condition: false });
  return { action, value: failing(error) };
}

/** The action of a request that was rejected without an answer. */
export function rejectedAction(
  meta: Waiting['meta'],
  error: SerializedFailure,
  how: Pick<RejectedMeta, 'aborted' | 'condition'> & Partial<Pick<RejectedMeta, 'expiresAt'>>,
): SettledAction {
  return { type: `${meta.arg.endpointName}/rejected`, error, meta: { ...meta, requestStatus: 'rejected', ...how } };
}

/** What cancels a request: its signal, and waits that end with it. To listen to a signal costs 3 µs in Node, as much as a write. */
export class Cancellation {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #cancelled: Promise<never>;
  #cancel: (error: Error) => void = () => undefined;

  constructor() {
    this.signal = this.#controller.signal;
    this.#cancelled = new Promise<never>((_, reject) => (this.#cancel = reject));
    // Mostly nobody waits any more.
    this.#cancelled.catch(() => undefined);
  }

  abort(reason: string): void {
    abortWith(this.#controller, reason);
    this.#cancel(abortError(reason));
  }

  /** Waits for a promise, but no longer than until it is cancelled; what comes later is dropped. */
  async until<Value>(promise: Promise<Value>): Promise<Value> {
    const value = await Promise.race([promise, this.#cancelled]);
    if (this.signal.aborted) throw abortError(this.signal.reason);
    return value;
  }
}

/** Something to wait for that is over already. */
export function over(meta: Waiting['meta'], outcome: Outcome): Waiting {
  const settled = Promise.resolve(outcome);
  return { meta, cancellation: { abort: () => undefined }, waiting: 0, isWanted: true, settled };
}
