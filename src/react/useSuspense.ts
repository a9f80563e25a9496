import { useEffect, useMemo } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { RequestState } from '../store/reading/selectors.js';
import { ask, join } from './asking.js';
import type { HookEndpoint } from './endpoint.js';

/** Reads what an endpoint gives for these arguments; suspends until it is there, and throws the error when it cannot be had. */
export function useSuspense<Args extends readonly unknown[], Value>(
  endpoint: HookEndpoint<Args, Value>,
  ...args: Args
): Value {
  const dispatch = useDispatch();
  // Arguments are made anew in every render; their key is what tells whether they are others.
  const key = endpoint.key(...args);
  const name = `${endpoint.name} ${key}`;
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const given = useMemo(() => args, [endpoint, key]);
  const select = useMemo(() => endpoint.selectRequest(...given), [endpoint, given]);
  const state: RequestState<Value> = useSelector(select);

  useEffect(() => {
    const subscription = dispatch(endpoint.subscribe(...given) as never) as unknown as { unsubscribe(): void };
    const leave = join(dispatch, name);
    return () => {
      subscription.unsubscribe();
      leave();
    };
  }, [dispatch, endpoint, given, name]);

  // Some of it may have come in a list; what the rest looks like, its own answer tells.
  if (state.data !== undefined && !state.isPartial) return state.data;
  const { promise, end } = ask(dispatch, name, () => endpoint.ifStale(...given), state.isFetching);
  // A promise thrown while rendering is how a component waits.
  // eslint-disable-next-line @typescript-eslint/only-throw-error
  if (!end) throw promise;
  if ('error' in end) throw end.error;
  // An answer without content is an answer.
  return undefined as Value;
}
