import { useCallback, useMemo, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import type { RequestPromise } from '../store/request.js';
import type { HookEndpoint } from './endpoint.js';

/** How the last call of a mutation stands. */
export interface MutationState<Value> {
  readonly data: Value | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Forgets the last call; it goes on, unseen. */
  readonly reset: () => void;
}

interface Call<Value> {
  readonly data?: Value;
  readonly error?: unknown;
  readonly isLoading: boolean;
}

/** A function that dispatches a write, and how its last call stands. */
export function useMutation<Args extends readonly unknown[], Value>(
  endpoint: HookEndpoint<Args, Value>,
): readonly [trigger: (...args: Args) => RequestPromise<Value>, state: MutationState<Value>] {
  const dispatch = useDispatch();
  const [call, setCall] = useState<Call<Value>>({ isLoading: false });
  const last = useRef<unknown>(undefined);

  const trigger = useCallback(
    (...args: Args) => {
      const promise = dispatch(endpoint(...args) as never) as unknown as RequestPromise<Value>;
      last.current = promise;
      // An earlier call that ends later has nothing to say any more.
      const end = (next: Call<Value>): void => {
        if (last.current === promise) setCall(next);
      };
      setCall({ isLoading: true });
      promise.unwrap().then(
        (data) => {
          end({ data, isLoading: false });
        },
        (error: unknown) => {
          end({ error, isLoading: false });
        },
      );
      return promise;
    },
    [dispatch, endpoint],
  );
  const reset = useCallback(() => {
    last.current = undefined;
    setCall({ isLoading: false });
  }, []);
  return [
    trigger,
    useMemo(() => ({ data: call.data, error: call.error, isLoading: call.isLoading, reset }), [call, reset]),
  ];
}
