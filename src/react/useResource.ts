import type { ActionTypes } from '../store/request.js';
import type { RequestState } from '../store/reading/requestState.js';
import {
  useAsked,
  warnAboutPage,
  type Following,
  type HookArgs,
  type ReadOptions,
  type SeveralRequests,
  type ValueIn,
} from './asked.js';
import type { ArgsIn, ErrorIn, ReadEndpoint, ReadRequest, SkipToken, TypesIn } from './endpoint.js';
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
// TypeScript reports the errors of the last overload, so the one for endpoints is last.
export function useResource<First>(
  first: First,
  ...rest: Following<First, ReadOptions<ValueIn<First>, unknown>>
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
export function useResource<Each extends ReadEndpoint<never, unknown>>(
  endpoint: Each,
  ...args: ArgsIn<Each> | [SkipToken]
): ResourceResult<ValueIn<Each>, ValueIn<Each>, ErrorIn<Each>, TypesIn<Each>>;
export function useResource<Each extends ReadEndpoint<never, unknown>>(
  endpoint: Each,
  ...args: ArgsIn<Each>
): ResourceResult<ValueIn<Each>, ValueIn<Each>, ErrorIn<Each>, TypesIn<Each>>;
export function useResource<Value, Selected>(...given: HookArgs): ResourceResult<Selected, Value> {
  const { asked, options } = useAsked<Value, Selected>(given, 'useResource');
  if (asked) warnAboutPage(asked);
  return useRead(asked, options);
}
