import type { ActionTypes } from '../store/request.js';
import type { RequestState } from '../store/reading/requestState.js';
import {
  useAsked,
  warnAboutPage,
  type Following,
  type HookArgs,
  type Readable,
  type ReadOptions,
  type SeveralRequests,
  type ValueIn,
} from './asked.js';
import type { ArgsIn, Called, ErrorIn, ReadEndpoint, ReadRequest, SkipToken, Told, TypesIn } from './endpoint.js';
import { useRead, type ResultMembers } from './useRead.js';

/**
 * How a read stands, and how to do it again; the flags narrow what `data` and `error` are.
 *
 * @example
 * const titleOf = ({ isSuccess, data }: ResourceResult<Todo>) => (isSuccess ? data.title : '…');
 */
export type ResourceResult<
  Value,
  Whole = Value,
  ErrorData = unknown,
  Types extends ActionTypes = ActionTypes,
> = RequestState<Value, ErrorData> & ResultMembers<Whole, Types>;

/**
 * Reads what an endpoint gives for these arguments, or what a request brings, and keeps it alive and fresh while the component is mounted.
 * The component renders for what it has read of the result, and for nothing else.
 *
 * @example
 * const { data, isLoading, error, refetch } = useResource(TodoResource.getList, { userId });
 * const { data: title } = useResource(TodoResource.get({ id }), { select: (todo) => todo.title, pollFrequency: 5_000 });
 */
// Two overloads share a place, and an editor lists what belongs to the first of them alone: one that no call fits tells it which.
export function useResource<First>(
  first: First,
  ...rest: [...Following<First, ReadOptions<ValueIn<First>, unknown>>, never]
): ResourceResult<ValueIn<First>>;
export function useResource<Value, Selected = Value, Types extends ActionTypes = ActionTypes>(
  request: ReadRequest<Value, unknown, Types> | SkipToken,
  options?: ReadOptions<Value, Selected>,
): ResourceResult<Selected, Value, Types['errorData'], Types>;
// Of one of several, the actions have no type of their own.
export function useResource<Each, Selected = ValueIn<Each>>(
  request: Each & SeveralRequests<Each>,
  options?: ReadOptions<ValueIn<Each>, Selected>,
): ResourceResult<Selected, ValueIn<Each>>;
export function useResource<Each extends ReadEndpoint<never, unknown>, Args extends readonly unknown[] = ArgsIn<Each>>(
  endpoint: Called<Each, Args>,
  ...args: Told<Args> | [SkipToken]
): ResourceResult<ValueIn<Each>, ValueIn<Each>, ErrorIn<Each>, TypesIn<Each>>;
// TypeScript reports the errors of the last overload: this one fits a wrong call in all but what is wrong.
export function useResource<First>(
  first: Readable<First>,
  ...rest: Following<First, ReadOptions<ValueIn<First>, unknown>>
): ResourceResult<ValueIn<First>, ValueIn<First>, ErrorIn<First>>;
export function useResource<Value, Selected>(...given: HookArgs): ResourceResult<Selected, Value> {
  const { asked, options } = useAsked<Value, Selected>(given, 'useResource');
  if (asked) warnAboutPage(asked);
  return useRead(asked, options);
}
