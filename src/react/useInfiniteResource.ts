import { resourceError } from '../errors.js';
import type { ActionTypes, RequestPromise, SerializedFailure } from '../store/request.js';
import type { PageState } from '../store/reading/requestState.js';
import {
  useAsked,
  type Asked,
  type Following,
  type HookArgs,
  type Readable,
  type ReadOptions,
  type SeveralRequests,
  type ValueIn,
} from './asked.js';
import type { ArgsIn, Called, ErrorIn, PagedEndpoint, ReadRequest, SkipToken, Told, TypesIn } from './endpoint.js';
import type { ResourceResult } from './useResource.js';
import { send, useRead } from './useRead.js';

/**
 * How a list stands that is read page by page, what is known of the pages beside it, and how to fetch them.
 *
 * @example
 * const rest = ({ data = [], hasNextPage }: InfiniteResult<Todo[]>) => (hasNextPage ? `${data.length} and more` : `${data.length}`);
 */
export type InfiniteResult<
  Value,
  Whole = Value,
  ErrorData = unknown,
  Types extends ActionTypes = ActionTypes,
> = ResourceResult<Value, Whole, ErrorData, Types> &
  Omit<PageState, 'nextPageError'> & {
    /** Why the next page could not be had, until it is there or the list was fetched again. */
    readonly nextPageError?: SerializedFailure<ErrorData> | undefined;
    /** Fetches the page after the last; sends nothing where there is none. Does nothing while nothing is asked for. */
    readonly fetchNextPage: () => RequestPromise<Whole, Types> | undefined;
    /** Fetches the page before the first; sends nothing where there is none. Does nothing while nothing is asked for. */
    readonly fetchPreviousPage: () => RequestPromise<Whole, Types> | undefined;
  };

/**
 * Reads a list page by page. `data` is all that has been fetched of it; `refetch`, polls and returns to the app fetch all these pages again.
 * Throws R24 where the list has no pages.
 *
 * @example
 * const { data, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteResource(TodoResource.getList, { userId });
 */
// Two overloads share a place, and an editor lists what belongs to the first of them alone: one that no call fits tells it which.
export function useInfiniteResource<First>(
  first: First,
  ...rest: [...Following<First, ReadOptions<ValueIn<First>, unknown>>, never]
): InfiniteResult<ValueIn<First>>;
export function useInfiniteResource<Value, Selected = Value, Types extends ActionTypes = ActionTypes>(
  request: ReadRequest<Value, unknown, Types> | SkipToken,
  options?: ReadOptions<Value, Selected>,
): InfiniteResult<Selected, Value, Types['errorData'], Types>;
// Of one of several, the actions have no type of their own.
export function useInfiniteResource<Each, Selected = ValueIn<Each>>(
  request: Each & SeveralRequests<Each>,
  options?: ReadOptions<ValueIn<Each>, Selected>,
): InfiniteResult<Selected, ValueIn<Each>>;
export function useInfiniteResource<
  Each extends PagedEndpoint<never, unknown>,
  Args extends readonly unknown[] = ArgsIn<Each>,
>(
  endpoint: Called<Each, Args>,
  ...args: Told<Args> | [SkipToken]
): InfiniteResult<ValueIn<Each>, ValueIn<Each>, ErrorIn<Each>, TypesIn<Each>>;
// TypeScript reports the errors of the last overload: this one fits a wrong call in all but what is wrong.
export function useInfiniteResource<First>(
  first: Readable<First, PagedEndpoint<never, unknown>>,
  ...rest: Following<First, ReadOptions<ValueIn<First>, unknown>>
): InfiniteResult<ValueIn<First>, ValueIn<First>, ErrorIn<First>>;
export function useInfiniteResource<Value, Selected>(...given: HookArgs): InfiniteResult<Selected, Value> {
  const { asked, options } = useAsked<Value, Selected>(given, 'useInfiniteResource');
  // Of a list with pages, the state has their fields.
  return useRead(asked, options, pagesOf as never) as unknown as InfiniteResult<Selected, Value>;
}

type Turns = Record<'getNextPage' | 'getPreviousPage', (...args: readonly unknown[]) => unknown>;

/** What is known of pages while nothing is asked for. */
const noPages = {
  hasNextPage: false,
  hasPreviousPage: false,
  isFetchingNextPage: false,
  isFetchingPreviousPage: false,
};

function pagesOf(dispatch: Parameters<typeof send>[0], asked: Asked | undefined): object {
  const turn = (which: 'getNextPage' | 'getPreviousPage') => () => {
    if (!asked) return undefined;
    const { endpoint, args } = asked;
    // Of a list that is not there, the first page is the list's own request, which may be under way.
    const pageIn = (rootState: never): unknown =>
      endpoint.selectRequest(...args)(rootState).data === undefined
        ? endpoint(...args)
        : (endpoint as unknown as Turns)[which](...args);
    return send(dispatch, (_: unknown, getState: () => never) => send(dispatch, pageIn(getState())));
  };
  if (asked && !('getNextPage' in asked.endpoint)) throw resourceError('R24', asked.endpoint.name);
  const pages = asked ? undefined : noPages;
  return { ...pages, fetchNextPage: turn('getNextPage'), fetchPreviousPage: turn('getPreviousPage') };
}
