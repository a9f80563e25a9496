import { useCallback } from 'react';
import { useDispatch } from 'react-redux';
import { assertEndpoint } from '../store/assertions.js';
import { assertRead } from '../store/request.js';
import type { ArgsIn, Called, ReadEndpoint } from './endpoint.js';
import { send } from './useRead.js';

/**
 * A function that fetches what somebody may need soon, where it is not there or stale. If nobody comes for it, it goes after
 * `unusedDataExpiryLength`, at least ten seconds. The component does not render for it.
 *
 * @example
 * const prefetch = usePrefetch(TodoResource.get);
 * <a href={href} onMouseEnter={() => prefetch({ id })} />;
 */
export function usePrefetch<Each extends ReadEndpoint<never, unknown>, Args extends readonly unknown[] = ArgsIn<Each>>(
  endpoint: Called<Each, Args>,
): (...args: Args) => void;
export function usePrefetch(
  endpoint: ReadEndpoint<readonly unknown[], unknown>,
): (...args: readonly unknown[]) => void {
  assertEndpoint('usePrefetch', endpoint);
  assertRead(endpoint);
  const dispatch = useDispatch();
  return useCallback(
    (...args) => {
      void send(dispatch, endpoint.prefetch(...args));
    },
    [dispatch, endpoint],
  );
}
