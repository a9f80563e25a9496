import { useEffect, useMemo, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { PollFrequency } from '../store/endpoint.js';
import {
  connectTo,
  makeRequest,
  makeSubscribe,
  type MountOptions,
  type ActionTypes,
  type RequestPromise,
  type Runner,
} from '../store/request.js';
import type { RequestState } from '../store/reading/requestState.js';
import type { Asked, ReadOptions } from './asked.js';
import { View, type Subscribed, type ViewMemory } from './View.js';

type Dispatch = ReturnType<typeof useDispatch>;

/** What every result of a read has beside its state. */
export interface ResultMembers<Value, Types extends ActionTypes = ActionTypes> {
  /** Fetches, however fresh the data is; of a list, every page that it is made of. Does nothing while nothing is asked for. */
  readonly refetch: () => RequestPromise<Value, Types> | undefined;
  /** Whether the data is that of the arguments before, for which `keepPreviousData` asks. */
  readonly isPrevious: boolean;
}

/** Dispatches a request, and gives its promise. */
export function send<Value, Types extends ActionTypes = ActionTypes>(
  dispatch: Dispatch,
  request: unknown,
): RequestPromise<Value, Types> {
  // The type of a store's dispatch is not known here: any takes a thunk.
  return dispatch(request as never);
}

/**
 * Tells the store of an endpoint, before anything is shown. Where a server has fetched a list, its rows subscribe before the list does: by then the store
 * has to know that their data came with it.
 */
export function meet(dispatch: Dispatch, asked: Asked | undefined): Runner | undefined {
  if (!asked) return undefined;
  const runner = connectTo(dispatch as never, asked.endpoint.name);
  runner.meet(asked.endpoint);
  return runner;
}

/** How often to poll. A function of the data is another one in each render: the subscription keeps one that asks the newest. */
function usePace(asked: Asked | undefined, pollFrequency: PollFrequency | undefined): PollFrequency | undefined {
  const dispatch = useDispatch();
  const newest = useRef(pollFrequency);
  const [pace] = useState(
    () => (data: unknown) => (typeof newest.current === 'function' ? newest.current(data) : (newest.current ?? false)),
  );
  const isByData = typeof pollFrequency === 'function';
  useEffect(() => {
    newest.current = pollFrequency;
    if (isByData) meet(dispatch, asked)?.repoll();
  }, [dispatch, asked, isByData, pollFrequency]);
  return isByData ? pace : pollFrequency;
}

/** Subscribes, and gives what ends that. */
function subscribe(dispatch: Dispatch, { endpoint, args }: Asked, options: MountOptions): () => void {
  const thunk = makeSubscribe(endpoint, args, options);
  return (dispatch(thunk as never) as unknown as ReturnType<typeof thunk>).unsubscribe;
}

/** Notes what a component is subscribed to from now on, and tells whether that is something else. */
function begins(memory: Subscribed, name: string | undefined): boolean {
  const isOther = memory.name !== name;
  memory.name = name;
  return isOther;
}

/** How a component keeps what it reads fresh. */
interface Mounting extends Pick<ReadOptions, 'pollFrequency'> {
  readonly refetchOnMount?: MountOptions['refetch'];
}

/** Keeps what is asked for alive and fresh while the component is mounted, and notes what that is; `begin` is called as it begins. */
export function useSubscription(
  asked: Asked | undefined,
  { pollFrequency: given, refetchOnMount }: Mounting,
  memory: Subscribed,
  begin?: () => void,
): void {
  const dispatch = useDispatch();
  const pollFrequency = usePace(asked, given);
  // Hidden, or in strict mode, a component ends all of its effects, and begins them anew.
  useEffect(() => () => void begins(memory, undefined), [memory]);
  useEffect(() => {
    // Who reads the same all the while, at another pace or by an endpoint that is extended in each render, does not begin.
    const refetch = begins(memory, asked?.name) ? refetchOnMount : false;
    if (!asked) return undefined;
    begin?.();
    return subscribe(dispatch, asked, { pollFrequency, refetch });
    // How it begins to read is asked when it does.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [dispatch, asked, begin, pollFrequency]);
}

/** How to keep what is there: it is not polled, and not fetched because it is kept. */
const held: MountOptions = { pollFrequency: 0, refetch: false };

/** Reads what is asked for. The component renders for what it has read of the result, and for nothing else. */
export function useRead<Value, Selected, Extra extends object>(
  asked: Asked<Value> | undefined,
  options: ReadOptions<Value, Selected>,
  extraOf?: (dispatch: Dispatch, asked: Asked<Value> | undefined) => Extra,
): RequestState<Selected> & ResultMembers<Value> & Extra {
  const dispatch = useDispatch();
  // With another store, it begins anew.
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const memory = useMemo((): ViewMemory => ({ read: new Set(), view: undefined }), [dispatch]);
  const view = useMemo(() => {
    const runner = meet(dispatch, asked);
    const refetch = (): RequestPromise<Value> | undefined =>
      asked && send(dispatch, makeRequest(asked.endpoint, asked.args, { allPages: true }));
    const extra = { refetch, ...extraOf?.(dispatch, asked) };
    return new View<Value, Selected, typeof extra>(asked, extra, memory, runner);
  }, [asked, dispatch, extraOf, memory]);
  const result = useSelector((rootState: never) => view.see(rootState, options));
  useSubscription(asked, options, memory, view.begin);
  // The data of the arguments before is not collected while it is shown.
  const before = options.keepPreviousData === true && result.isPrevious ? view.source.asked : undefined;
  useEffect(() => before && subscribe(dispatch, before, held), [dispatch, before]);
  // With what `extraOf` gives.
  return result;
}
