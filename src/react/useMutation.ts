import { useCallback, useMemo, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import type { RequestPromise, SerializedFailure } from '../store/endpoint.js';
import type { HookEndpoint } from './endpoint.js';

/** How the last call of a mutation stands. */
export interface MutationState<Value> {
  readonly data: Value | undefined;
  /** What the call was rejected with; it has the fields that a read's error has. A cancelled call leaves none. */
  readonly error: (Error & SerializedFailure) | undefined;
  readonly isLoading: boolean;
  /** Forgets the last call; it goes on, unseen. */
  readonly reset: () => void;
}

type Call<Value> = Partial<Pick<MutationState<Value>, 'data' | 'error'>> & Pick<MutationState<Value>, 'isLoading'>;

const idle = { isLoading: false } as const;

/** A function that dispatches a write, and how its last call stands. */
export function useMutation<Args extends readonly unknown[], Value>(
  endpoint: HookEndpoint<Args, Value>,
): readonly [trigger: (...args: Args) => RequestPromise<Value>, state: MutationState<Value>] {
  const dispatch = useDispatch();
  const [call, setCall] = useState<Call<Value>>(idle);
  const last = useRef<unknown>(undefined);

  const trigger = useCallback(
    (...args: Args) => {
      const promise = dispatch(endpoint(...args) as never) as unknown as RequestPromise<Value>;
      last.current = promise;
      setCall({ isLoading: true });
      void outcomeOf(promise).then((outcome) => {
        // An earlier call that ends later has nothing to say any more.
        if (last.current === promise) setCall(outcome);
      });
      return promise;
    },
    [dispatch, endpoint],
  );
  const reset = useCallback(() => {
    last.current = undefined;
    setCall(idle);
  }, []);
  return [
    trigger,
    useMemo(() => ({ data: call.data, error: call.error, isLoading: call.isLoading, reset }), [call, reset]),
  ];
}

/** What is to be shown of a call when it is over. */
async function outcomeOf<Value>(promise: RequestPromise<Value>): Promise<Call<Value>> {
  try {
    return { data: await promise.unwrap(), isLoading: false };
  } catch (error) {
    const { meta } = await promise;
    return meta.aborted ? idle : { error: asError(error), isLoading: false };
  }
}

/** A hook of the user's may have thrown anything. */
function asError(error: unknown): Error & SerializedFailure {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
