import { useCallback, useEffect, useMemo, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { RequestState } from '../store/reading/selectors.js';
import { refetchOf, type RequestPromise } from '../store/endpoint.js';
import { uninitialized, type HookEndpoint, type SkipToken, skipToken } from './endpoint.js';
import { tracked } from './tracked.js';

/** How a read stands, and how to do it again. */
export interface ResourceResult<Value> extends RequestState<Value> {
  /** Fetches, however fresh the data is; of a list, every page that it is made of. */
  readonly refetch: () => RequestPromise<Value> | undefined;
}

/**
 * Reads what an endpoint gives for these arguments, and keeps it alive and fresh while the component is mounted.
 * The component renders for what it has read of the result, and for nothing else.
 */
export function useResource<Args extends readonly unknown[], Value>(
  endpoint: HookEndpoint<Args, Value>,
  ...args: Args | [SkipToken]
): ResourceResult<Value> {
  const dispatch = useDispatch();
  const isSkipped = args[0] === skipToken;
  // Arguments are made anew in every render; their key is what tells whether they are others.
  const key = isSkipped ? '' : endpoint.key(...(args as Args));
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const given = useMemo(() => (isSkipped ? undefined : (args as Args)), [endpoint, key]);
  const refetch = useCallback(
    () => (given ? (dispatch(refetchOf(endpoint(...given)) as never) as unknown as RequestPromise<Value>) : undefined),
    [dispatch, endpoint, given],
  );
  // What the component has read: it outlives renders, arguments and results.
  const [read] = useState(() => new Set<PropertyKey>());
  const select = useMemo(
    () =>
      tracked(
        given ? endpoint.selectRequest(...given) : () => uninitialized,
        (state) => ({ refetch, ...(given ? begun(state) : state) }),
        read,
      ),
    [endpoint, given, refetch, read],
  );
  const result: ResourceResult<Value> = useSelector(select);

  useEffect(() => {
    if (!given) return undefined;
    const subscription = dispatch(endpoint.subscribe(...given) as never) as unknown as { unsubscribe(): void };
    return () => {
      subscription.unsubscribe();
    };
  }, [dispatch, endpoint, given]);
  return result;
}

/** A read begins when the component is shown; in its first render already, it is on its way. What is there, and whole, may be fresh enough. */
function begun<Value>(state: RequestState<Value>): RequestState<Value> {
  const isThere = state.data !== undefined;
  if (!state.isUninitialized || (isThere && !state.isPartial)) return state;
  return { ...state, status: 'pending', isUninitialized: false, isLoading: !isThere, isFetching: true };
}
