import { abortError, isNetworkError } from '../errors.js';
import { LONGEST } from '../store/reading/freshness.js';

/**
 * Whether and when a request that failed is sent again.
 *
 * @example
 * const retry: Retry = { times: 3, delay: (attempt) => attempt * 200, writes: true };
 */
export interface Retry {
  /** How many more times a request is sent. */
  readonly times: number;
  /**
   * Gives the pause before each try, in ms.
   *
   * @default what the server asks for in `Retry-After`, else 500 to 1_000, twice as long each time, at most 30_000
   */
  readonly delay?: ((attempt: number, error: unknown) => number) | undefined;
  /**
   * Tells whether an error is worth another try.
   *
   * @default no answer, and the statuses 408, 425, 429, 500, 502, 503 and 504, unless `Retry-After` is above 30 s
   */
  readonly when?: ((error: unknown, attempt: number) => boolean) | undefined;
  /**
   * Whether a POST or a PATCH may be sent again, because to do it twice does no harm.
   *
   * @default false
   */
  readonly writes?: boolean | undefined;
}

/** Methods that do the same, once or twice (RFC 9110, 9.2.2). */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);
const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 30_000;

/** What a setting comes to for requests of a kind; undefined where nothing is sent twice. */
export function retryOf(
  setting: number | Retry | undefined,
  { method, sideEffect }: { readonly method: string; readonly sideEffect: boolean },
): Retry | undefined {
  const retry = typeof setting === 'number' ? { times: setting } : setting;
  const isHarmless = !sideEffect || IDEMPOTENT.has(method) || retry?.writes === true;
  return retry && retry.times > 0 && isHarmless ? retry : undefined;
}

/** Does something until it succeeds, or there is no use in trying again. */
export async function withRetries<Value>(
  act: () => Promise<Value>,
  { times, delay = backoff, when = isPassing }: Retry,
  signal: AbortSignal,
): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (attempt > times || signal.aborted || !when(error, attempt)) throw error;
      const time = delay(attempt, error);
      await pause(Number.isNaN(time) ? backoff(attempt, error) : time, signal);
    }
  }
}

function isPassing(error: unknown): boolean {
  // Who is asked to come back in an hour is told so now.
  if (!isNetworkError(error) || askedFor(error) > LONGEST_DELAY) return false;
  return error.status === undefined || PASSING.has(error.status);
}

/** What the server asks for in `Retry-After`, in ms: a number of seconds, or a date (RFC 9110, 10.2.3); 0 where it does not. */
export function askedFor(error: unknown): number {
  const told = (isNetworkError(error) && error.response?.headers.get('retry-after')) || '';
  return Math.max(Number(told) * 1_000 || Date.parse(told) - Date.now(), 0) || 0;
}

function backoff(attempt: number, error: unknown): number {
  const asked = askedFor(error);
  if (asked > 0) return asked;
  return Math.min(FIRST_DELAY * 2 ** (attempt - 1), LONGEST_DELAY) * (0.5 + Math.random() / 2);
}

/** Waits some time (ms), but no longer than a timer can, or until a signal, which is thrown. */
function pause(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(abortError(signal.reason));
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(time, LONGEST),
    );
    signal.addEventListener('abort', stop, { once: true });
  });
}
