import { useEffect, useMemo, useState } from 'react';
import { useDispatch, useSelector, useStore } from 'react-redux';
import type { RequestState } from '../store/reading/requestState.js';
import { ask, hasCome, join, leave, type Asker } from './asking.js';
import {
  useAsked,
  warnAboutContent,
  warnAboutPage,
  type Following,
  type HookArgs,
  type Readable,
  type ReadOptions,
  type SeveralRequests,
  type ValueIn,
} from './asked.js';
import type { ArgsIn, Called, ReadEndpoint, ReadRequest, SkipToken, Told } from './endpoint.js';
import { makePick } from './picking.js';
import { meet, useSubscription } from './useRead.js';
import type { Subscribed } from './View.js';

/**
 * How a component reads a request whose data it waits for. To show the data of the last arguments meanwhile, use a transition; what was waited
 * for is not fetched a second time as the component is shown.
 *
 * @example
 * const options: SuspenseOptions<Todo, string> = { select: (todo) => todo.title };
 * const title = useSuspense(TodoResource.get({ id }), { select: options.select });
 */
export interface SuspenseOptions<Value = unknown, Selected = Value> extends Omit<
  ReadOptions<Value, Selected>,
  'keepPreviousData' | 'refetchOnMount'
> {
  /** Whether to fetch what is stale when a component begins to read; true, unless given. */
  readonly refetchOnMount?: boolean | undefined;
}

/**
 * Reads what an endpoint gives for these arguments, or what a request brings; suspends until it is there, and throws the error when it cannot
 * be had. Gives undefined for `skipToken` or `skip`. The component renders when its data changes, and for nothing else.
 *
 * @example
 * const todos = useSuspense(TodoResource.getList, { userId });
 */
// Two overloads share a place, and an editor lists what belongs to the first of them alone: one that no call fits tells it which.
export function useSuspense<First>(
  first: First,
  ...rest: [...Following<First, SuspenseOptions<ValueIn<First>, unknown>>, never]
): ValueIn<First>;
export function useSuspense<Value, Selected = Value>(
  request: ReadRequest<Value>,
  options?: SuspenseOptions<Value, Selected> & { readonly skip?: false | undefined },
): Selected;
export function useSuspense<Value, Selected = Value>(
  request: ReadRequest<Value> | SkipToken,
  options?: SuspenseOptions<Value, Selected>,
): Selected | undefined;
export function useSuspense<Each, Selected = ValueIn<Each>>(
  request: Each & SeveralRequests<Each> & ReadRequest<unknown>,
  options?: SuspenseOptions<ValueIn<Each>, Selected> & { readonly skip?: false | undefined },
): Selected;
export function useSuspense<Each, Selected = ValueIn<Each>>(
  request: Each & SeveralRequests<Each>,
  options?: SuspenseOptions<ValueIn<Each>, Selected>,
): Selected | undefined;
export function useSuspense<Each extends ReadEndpoint<never, unknown>, Args extends readonly unknown[] = ArgsIn<Each>>(
  endpoint: Called<Each, Args>,
  ...args: Told<Args>
): ValueIn<Each>;
export function useSuspense<Each extends ReadEndpoint<never, unknown>, Args extends readonly unknown[] = ArgsIn<Each>>(
  endpoint: Called<Each, Args>,
  ...args: Told<Args> | [SkipToken]
): ValueIn<Each> | undefined;
// TypeScript reports the errors of the last overload: this one fits a wrong call in all but what is wrong.
export function useSuspense<First>(
  first: Readable<First>,
  ...rest: Following<First, SuspenseOptions<ValueIn<First>, unknown>>
): ValueIn<First>;
export function useSuspense<Value, Selected>(...given: HookArgs): Selected | undefined {
  const { asked, options } = useAsked<Value, Selected>(given, 'useSuspense');
  const dispatch = useDispatch();
  const store = useStore();
  const selectState = useMemo(() => {
    meet(dispatch, asked);
    return asked?.endpoint.selectRequest(...asked.args);
  }, [dispatch, asked]);
  const [pick] = useState(makePick<Value, Selected>);
  const [asker] = useState((): Asker => ({}));
  // With another store, it begins anew.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const last = useMemo((): Last<Selected> => ({}), [dispatch]);
  const { state, data } = useSelector((rootState: never): Seen<Value, Selected> => {
    const state = selectState?.(rootState);
    const hasData = isThere(state);
    if (hasData) Object.assign(last, { asked, data: pick(state.data, options) });
    // What is being deleted here is shown until that is done, or fails.
    return hasData || (last.asked === asked && isBeingDeleted(state)) ? { data: last.data as Selected } : { state };
  }, isSame);
  const isNew = asked && options.refetchOnMount !== false && hasCome(dispatch, asked.name);
  useSubscription(asked, isNew ? { ...options, refetchOnMount: 'outdated' } : options, last);
  useEffect(() => (asked ? join(dispatch, asked.name) : undefined), [dispatch, asked]);
  useEffect(
    () => () => {
      leave(asker);
    },
    [asker],
  );

  if (asked) warnAboutPage(asked);
  if (!asked || !state) return data;
  const { name, endpoint, args } = asked;
  const isFetching = (): boolean => selectState?.(store.getState() as never).isFetching === true;
  const asking = ask(dispatch, { name, request: () => endpoint.prefetch(...args), isFetching }, state, asker);
  const { end } = asking;
  if (end && 'error' in end) {
    // An earlier request may bring it still.
    if (!end.isBusy) throw end.error;
  } else if (end && !isBeingDeleted(state)) {
    // An answer without content is an answer.
    warnAboutContent(asked);
    return undefined;
  }
  asking.wait ??= new Promise<void>((resolve) => {
    const stop = store.subscribe(() => {
      const now = selectState?.(store.getState() as never);
      // Another answer may bring it sooner, or a slice from elsewhere.
      if (end ? now !== state : isThere(now) && now.isFetching) resume();
    });
    const resume = (): void => {
      stop();
      asking.wait = undefined;
      resolve();
    };
    if (!end) void asking.promise.then(resume);
  });
  // A promise thrown while rendering is how a component waits.
  // eslint-disable-next-line @typescript-eslint/only-throw-error
  throw asking.wait;
}

/** Whether there is something to show. Some of it may have come in a list; what the rest looks like, its own answer tells. */
function isThere<Value>(
  state: RequestState<Value> | undefined,
): state is RequestState<Value> & { readonly data: Value } {
  return state?.data !== undefined && !state.isPartial;
}

/** Whether a deletion in flight hides what was answered. */
function isBeingDeleted(state: RequestState | undefined): boolean {
  return state?.status === 'uninitialized' && state.isOptimistic;
}

/** What was shown last, and what was asked for. */
interface Last<Selected> extends Subscribed {
  asked?: unknown;
  data?: Selected;
}

/** What is to be shown; or how the request stands, while there is nothing. */
interface Seen<Value, Selected> {
  readonly data?: Selected;
  readonly state?: RequestState<Value> | undefined;
}

function isSame<Value, Selected>(one: Seen<Value, Selected>, other: Seen<Value, Selected>): boolean {
  return one.state === other.state && Object.is(one.data, other.data) && 'data' in one === 'data' in other;
}
