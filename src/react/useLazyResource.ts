import { useCallback, useMemo, useState } from 'react';
import { useDispatch } from 'react-redux';
import { assertEndpoint } from '../store/assertions.js';
import { assertRead, type RequestPromise } from '../store/request.js';
import type { Asked, ReadOptions, ValueIn } from './asked.js';
import type { ArgsIn, Called, ErrorIn, ReadEndpoint, TypesIn } from './endpoint.js';
import { send, useRead } from './useRead.js';
import type { ResourceResult } from './useResource.js';

/**
 * A function that fetches when it is called, and how the read with its last arguments stands: `uninitialized` before the first call. From then
 * on the component reads as with `useResource`.
 *
 * @example
 * const [search, { data, isFetching }] = useLazyResource(TodoResource.getList);
 * <button onClick={() => search({ userId: 1 })}>Search</button>;
 */
export function useLazyResource<
  Each extends ReadEndpoint<never, unknown>,
  Selected = ValueIn<Each>,
  Args extends readonly unknown[] = ArgsIn<Each>,
>(
  endpoint: Called<Each, Args>,
  options?: Omit<ReadOptions<ValueIn<Each>, Selected>, 'skip'>,
): readonly [
  load: (...args: Args) => RequestPromise<ValueIn<Each>, TypesIn<Each>>,
  state: ResourceResult<Selected, ValueIn<Each>, ErrorIn<Each>, TypesIn<Each>>,
];
export function useLazyResource<Args extends readonly unknown[], Value, Selected>(
  endpoint: ReadEndpoint<Args, Value>,
  options: Omit<ReadOptions<Value, Selected>, 'skip'> = {},
): readonly [load: (...args: Args) => RequestPromise<Value>, state: ResourceResult<Selected, Value>] {
  assertEndpoint('useLazyResource', endpoint);
  assertRead(endpoint);
  const dispatch = useDispatch();
  const [last, setLast] = useState<Last<Args>>();
  const load = useCallback(
    (...args: Args) => {
      const promise = send<Value>(dispatch, endpoint(...args));
      const { abort, arg } = promise;
      // What makes no address is rejected, and nothing is read.
      if (arg.key === '') return promise;
      const call = { isOver: false };
      setLast((known) => {
        if (known?.key !== arg.key)
          return { key: arg.key, args, call, before: known && { ...known, before: undefined } };
        return known.call.isOver ? known : { ...known, call };
      });
      void promise.then(({ meta }) => {
        call.isOver = !meta.aborted;
      });
      // The component waits for it, too: with the promise, it lets go of it, and reads what it read before.
      return Object.assign(promise, {
        abort: (reason?: string) => {
          if (!call.isOver) setLast((known) => (known?.call === call ? known.before : known));
          abort(reason);
        },
      });
    },
    [dispatch, endpoint],
  );
  const { key, args } = last ?? {};
  const asked = useMemo(
    () => args && { endpoint: endpoint as unknown as Asked<Value>['endpoint'], args, name: `${endpoint.name} ${key}` },
    [endpoint, args, key],
  );
  return [load, useRead(asked, options)];
}

/** What was asked for last, and what before that. */
interface Last<Args> {
  readonly key: string;
  readonly args: Args;
  /** The last call that asked for it before it had come: if that is cancelled, nobody waits for it any more. */
  readonly call: { readonly isOver: boolean };
  readonly before: Last<Args> | undefined;
}
