import { useCallback } from 'react';
import { useDispatch } from 'react-redux';
import { assertEndpoint } from '../store/assertions.js';
import { assertRead } from '../store/request.js';
import type { ReadEndpoint } from './endpoint.js';
import { send } from './useRead.js';

/**
 * A function that fetches what somebody may need soon, where it is not there or stale. If nobody comes for it, it goes after
 * `unusedDataExpiryLength`, at least ten seconds. The component does not render for it.
 *
 * @example
 * const prefetch = usePrefetch(TodoResource.get);
 * <a href={href} onMouseEnter={() => prefetch({ id })} />;
 */
export function usePrefetch<Args extends readonly unknown[], Value>(
  endpoint: ReadEndpoint<Args, Value>,
): (...args: Args) => void {
  assertEndpoint('usePrefetch', endpoint);
  assertRead(endpoint);
  const dispatch = useDispatch();
  return useCallback(
    (...args: Args) => {
      void send(dispatch, endpoint.prefetch(...args));
    },
    [dispatch, endpoint],
  );
}
