import type { Store } from '@reduxjs/toolkit';
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { useStore } from 'react-redux';
import { assertEndpoint } from '../store/assertions.js';
import {
  connectTo,
  onEnd,
  type ActionTypes,
  type Request,
  type RequestPromise,
  type Runner,
} from '../store/request.js';
import type { Outcome, WithOnEnd } from '../store/running/outcome.js';
import { calling, Calls, failed, idle, pausing, succeeded, type Call } from './calls.js';
import type { ArgsIn, ErrorIn, HookEndpoint, TypesIn } from './endpoint.js';
import { tracked } from './tracked.js';
import { send } from './useRead.js';

/**
 * How the last call of a mutation stands; the flags and `status` narrow what `data` and `error` are. A cancelled call leaves nothing.
 *
 * @example
 * const labelOf = ({ isLoading, isError, error }: MutationState<Todo>) => (isLoading ? 'Saving…' : isError ? error.message : 'Save');
 */
export type MutationState<Value, ErrorData = unknown> = Call<Value, ErrorData> & {
  /** Forgets the last call; it goes on, unseen. */
  readonly reset: () => void;
};

/**
 * How a component calls a write.
 *
 * @example
 * const options: MutationOptions = { fixedKey: 'new todo' };
 * const [add] = useMutation(TodoResource.getList.push, options);
 */
export interface MutationOptions {
  /** All components in a store that name the same key of an endpoint show the same last call; it is forgotten when the last of them has gone. */
  readonly fixedKey?: string | undefined;
}

/** What a write brings, or one of several. */
type Written<Each> = Each extends (...args: never) => Request<infer Value> ? Value : never;

/** The arguments of one item: no body is a list. */
type OneOf<Args> = { [I in keyof Args]: Exclude<Args[I], readonly unknown[]> };

/** The actions of what is answered with a list. */
interface ListActions extends ActionTypes {
  readonly payload: readonly unknown[];
}

/** The arguments of a write; of what creates one item or several, told apart by their body, those of one. */
type CallArgs<Each> = [Each] extends [(...args: never) => Request<unknown, ListActions>]
  ? [TypesIn<Each>] extends [ListActions]
    ? ArgsIn<Each>
    : OneOf<ArgsIn<Each>>
  : ArgsIn<Each>;

/**
 * A function that dispatches a write, and how its last call stands. The component renders for what it has read of that. What creates items creates one
 * in a call, so that `data` is one; several at once are dispatched.
 *
 * @example
 * const [addTodo, { isLoading, error }] = useMutation(TodoResource.getList.push);
 */
export function useMutation<Each extends HookEndpoint<never, unknown>>(
  endpoint: Each,
  options?: MutationOptions,
): readonly [
  trigger: (...args: CallArgs<Each>) => RequestPromise<Written<Each>, TypesIn<Each>>,
  state: MutationState<Written<Each>, ErrorIn<Each>>,
];
export function useMutation<Args extends readonly unknown[], Value>(
  endpoint: HookEndpoint<Args, Value>,
  { fixedKey }: MutationOptions = {},
): readonly [trigger: (...args: Args) => RequestPromise<Value>, state: MutationState<Value>] {
  assertEndpoint('useMutation', endpoint);
  const store = useStore();
  const { dispatch } = store;
  const name = fixedKey === undefined ? undefined : `${endpoint.name} ${fixedKey}`;
  const calls = useMemo(() => new Calls<Value>(dispatch, name), [dispatch, name]);
  const [read] = useState(() => new Set<PropertyKey>());

  const trigger = useCallback(
    (...args: Args) => {
      // The promise of each request has what tells of its end.
      const promise = send<Value>(dispatch, endpoint(...args)) as RequestPromise<Value> & WithOnEnd;
      calls.note(calling, promise);
      const runner = connectTo(dispatch as never, endpoint.name);
      calls.forgetWith(runner);
      whilePaused(runner, store, promise, (isPaused) => {
        if (calls.isLast(promise)) calls.note(isPaused ? pausing : calling, promise);
      });
      promise[onEnd]((outcome) => {
        // An earlier call that ends later has nothing to say any more, nor has an end that is told again.
        if (calls.isLast(promise)) calls.note(callOf(outcome));
      });
      return promise;
    },
    [calls, dispatch, endpoint, store],
  );
  const see = useMemo(() => seeing(calls, read), [calls, read]);
  return [trigger, useSyncExternalStore(calls.subscribe, see, see)];
}

/** Tells whether a write is in the outbox and not under way, as that changes, until it is over. */
function whilePaused(
  { isPaused }: Runner,
  store: Store,
  promise: RequestPromise<unknown>,
  tell: (isPaused: boolean) => void,
): void {
  if (!isPaused) return;
  let was = false;
  const look = (): void => {
    const is = isPaused(promise.requestId);
    if (is !== was) tell((was = is));
  };
  void promise.then(store.subscribe(look));
  look();
}

/** Makes what gives how the last call stands; the same object, as long as nothing changes of what was read of it. */
function seeing<Value>(calls: Calls<Value>, read: Set<PropertyKey>): () => MutationState<Value> {
  const show = tracked<MutationState<Value>>(read);
  const reset = (): void => {
    calls.note(idle);
  };
  let last: Call<Value> | undefined;
  let shown: MutationState<Value>;
  return () => {
    const call = calls.last();
    if (call !== last) shown = show({ ...(last = call), reset });
    return shown;
  };
}

/** What is to be shown of a call when it is over. */
function callOf<Value>({ action, value }: Outcome): Call<Value> {
  try {
    // The schema of the endpoint says what its value is.
    return succeeded(value() as Value);
  } catch (error) {
    // A hook of the user's may have thrown anything.
    const failure = error instanceof Error ? error : new Error(String(error), { cause: error });
    return action.meta.aborted ? idle : failed(failure);
  }
}
