import { abortError } from '../errors.js';
import type { RequestMeta } from './actions.js';
import type { RequestPromise, SettledAction } from './request.js';
import { serialize } from './failure.js';

/** How a request ended: the action that says so, and the value or the error itself, which an action cannot hold. */
export interface Outcome {
  readonly action: SettledAction;
  readonly value?: unknown;
  readonly error?: unknown;
}

/** Something that ends with an outcome, and how many wait for it. */
export interface Waiting {
  readonly meta: Omit<RequestMeta, 'requestStatus'>;
  readonly controller: AbortController;
  readonly settled: Promise<Outcome>;
  waiting: number;
}

/** The promise of one caller. Each that joins has its own: one may leave while the others go on waiting. */
export function promiseOf<Value>(flight: Waiting): RequestPromise<Value> {
  const { meta, controller, settled } = flight;
  flight.waiting++;
  let isWaiting = true;
  let leave: (outcome: Outcome) => void = () => undefined;
  const left = new Promise<Outcome>((resolve) => (leave = resolve));
  const outcome = Promise.race([settled, left]);
  return Object.assign(
    outcome.then(({ action }) => action),
    {
      requestId: meta.requestId,
      arg: meta.arg,
      abort(reason = 'aborted'): void {
        if (!isWaiting) return;
        isWaiting = false;
        flight.waiting--;
        if (flight.waiting === 0) controller.abort(reason);
        else leave(leftBehind(meta, reason));
      },
      async unwrap(): Promise<Value> {
        const ended = await outcome;
        // What the user's code threw is what the user's code gets, whatever it is.
        if ('error' in ended) throw ended.error;
        // The schema of the endpoint says what its value is.
        return ended.value as Value;
      },
    },
  );
}

/** What a caller gets who left while others wait: told to that caller alone, and not dispatched. */
function leftBehind(meta: Waiting['meta'], reason: string): Outcome {
  const error = abortError(reason);
  const action: SettledAction = {
    type: `${meta.arg.endpointName}/rejected`,
    error: serialize(error),
    meta: { ...meta, requestStatus: 'rejected', aborted: true, condition: false },
  };
  return { action, error };
}

/** Waits for a promise, but no longer than until a signal; what comes later is dropped. */
export async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      reject(abortError(signal.reason));
    };
  });
  signal.addEventListener('abort', stop);
  try {
    const value = await Promise.race([promise, aborted]);
    if (signal.aborted) throw abortError(signal.reason);
    return value;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
