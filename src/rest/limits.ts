/**
 * What ends a request from outside: signals, and a time limit. They are put together by listeners of our own, for what `AbortSignal.any` gives
 * is no reason to Node 20 to keep the signals that it was made of: collected, they are never heard of.
 */
import { abortError, abortWith, orElse } from '../errors.js';
import { LONGEST } from '../store/reading/freshness.js';

/** What may end something. */
export interface Limits {
  readonly signals: readonly (AbortSignal | null | undefined)[];
  /** How long it may take, in ms. */
  readonly timeout?: number | undefined;
  /** The address, where it is known. */
  readonly url?: (() => string) | undefined;
  /** Whether what comes of it may be cancelled still, as a stream. */
  readonly isOpen?: boolean;
}

/** Does something that hears of one signal for all, and waits no longer than until that; what comes later is dropped. */
export function within<Value>(
  limits: Limits,
  act: (signal: AbortSignal | undefined) => Promise<Value>,
): Promise<Value> {
  const { timeout = 0 } = limits;
  const signals = limits.signals.filter((signal) => signal instanceof AbortSignal);
  const isTimed = timeout > 0 && timeout <= LONGEST;
  return isTimed || signals.length > 1 ? limited(limits, signals, isTimed, act) : act(signals[0]);
}

/** Throws where what is being done has ended from outside: what takes no notice of a signal goes no further. */
export function assertWanted(signal: AbortSignal | null | undefined, url: string): void {
  if (signal?.aborted) throw abortError(signal.reason, url);
}

async function limited<Value>(
  { timeout = 0, url, isOpen = false }: Limits,
  signals: readonly AbortSignal[],
  isTimed: boolean,
  act: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  const { signal } = controller;
  let end: () => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = () => {
      const at = orElse(() => url?.(), undefined);
      reject(abortError(signal.reason, at));
    };
  });
  const stops = signals.map((source) => {
    const stop = (): void => {
      abortWith(controller, source.reason);
      end();
    };
    if (source.aborted) stop();
    else source.addEventListener('abort', stop);
    return (): void => {
      source.removeEventListener('abort', stop);
    };
  });
  const timer = isTimed
    ? setTimeout(() => {
        abortWith(controller, Object.assign(new Error(`${String(timeout)} ms are over`), { name: 'TimeoutError' }));
        end();
      }, timeout)
    : undefined;
  let isStreaming = false;
  try {
    const value = await Promise.race([ended, act(signal)]);
    isStreaming = isOpen;
    return value;
  } finally {
    clearTimeout(timer);
    if (!isStreaming) for (const stop of stops) stop();
  }
}
