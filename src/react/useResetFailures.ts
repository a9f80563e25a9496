import { useCallback } from 'react';
import { useDispatch } from 'react-redux';
import { connectTo } from '../store/request.js';
import { forgetFailures } from './asking.js';

/**
 * A function after which what has failed is asked for at once by whoever needs it, also within `errorExpiryLength`. It fetches nothing itself.
 *
 * @example
 * const tryAgain = useResetFailures();
 * <ErrorBoundary onReset={tryAgain} />;
 */
export function useResetFailures(): () => void {
  const dispatch = useDispatch();
  return useCallback(() => {
    connectTo(dispatch as never, 'useResetFailures').resetFailures();
    forgetFailures(dispatch);
  }, [dispatch]);
}
