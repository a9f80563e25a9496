import { useMemo, useState } from 'react';
import { warnOnce } from '../errors.js';
import { assertEndpoint } from '../store/assertions.js';
import type { PollFrequency } from '../store/endpoint.js';
import { isRecord } from '../schema/Schema.js';
import { assertRead, type Request } from '../store/request.js';
import { skipToken, type ArgsIn, type ReadEndpoint, type ReadRequest, type SkipToken } from './endpoint.js';
import { withoutInlineDates, type InlineDates } from './inlineDates.js';

/**
 * How a component reads a request.
 *
 * @example
 * const options: ReadOptions<Todo, string> = { select: (todo) => todo.title, keepPreviousData: true };
 * const { data: title } = useResource(TodoResource.get({ id }), options);
 */
export interface ReadOptions<Value = unknown, Selected = Value> {
  /** Whether to read nothing yet; arguments that are not there then do no harm. */
  readonly skip?: boolean | undefined;
  /** What of the data the component needs; it renders when that changes. */
  readonly select?: ((data: Value) => Selected) | undefined;
  /** Whether what `select` gives is the same as before; `===`, unless given. */
  readonly isEqual?: ((one: Selected, other: Selected) => boolean) | undefined;
  /** Whether to show the data of the last arguments, marked `isPrevious`, until those of now have theirs. */
  readonly keepPreviousData?: boolean | undefined;
  /** How often to fetch while the component is mounted, in ms, or by what the data is; `false` or 0 for never. What the endpoint says, unless given. */
  readonly pollFrequency?: PollFrequency<Value> | undefined;
  /**
   * Whether to fetch when a component begins to read: what is stale (`true`, unless given), whatever is there (`'always'`), or only what is
   * not there at all (`false`).
   */
  readonly refetchOnMount?: boolean | 'always' | undefined;
}

/** What a component asks for; the same object as long as the endpoint and the key are the same. */
export interface Asked<Value = unknown> {
  readonly endpoint: ReadEndpoint<readonly unknown[], Value> & Request<Value>['endpoint'];
  readonly args: readonly unknown[];
  /** Tells it from all else that is asked for in a store. */
  readonly name: string;
}

const noArgs: readonly never[] = [];
const noOptions = {};

/** The first argument of a hook; where none of its overloads takes it, what it should be. */
export type Readable<First, Endpoint = ReadEndpoint<never, unknown>> = [First] extends [
  ReadRequest<unknown> | SkipToken | Endpoint,
]
  ? First & { readonly writes?: never }
  : First extends Request | SkipToken
    ? ReadRequest<unknown> | SkipToken
    : Endpoint;

/** What follows the first argument of a hook: the options of a request, the arguments of an endpoint. */
export type Following<First, Options> = [First] extends [Request | SkipToken] ? [options?: Options] : ArgsIn<First>;

/** The value of a request or of an endpoint that reads, or of several; of what is neither, unknown. */
export type ValueIn<First> = First extends SkipToken
  ? never
  : First extends ReadRequest<infer Value> | ReadEndpoint<never, infer Value>
    ? Value
    : unknown;

/** Several requests of different values; of one alone nothing fits, for its own overload says more of it. */
export type SeveralRequests<Each, One = Each> = One extends SkipToken
  ? never
  : [Exclude<Each, SkipToken>] extends [One]
    ? never
    : ReadRequest<unknown> | SkipToken;

/** The arguments of a hook: an endpoint with its own or `skipToken`, or a request with options. */
export type HookArgs = readonly unknown[];

function isRequest(given: unknown): boolean {
  return typeof given === 'function' && 'endpoint' in given;
}

/** What the arguments of a hook ask for; undefined for nothing. Throws R3 for a missing path parameter, R23 for a write. */
export function useAsked<Value, Selected>(
  [first, ...rest]: HookArgs,
  hook: string,
): {
  readonly asked: Asked<Value> | undefined;
  readonly options: ReadOptions<Value, Selected>;
} {
  // What the types of the hooks let through.
  const given = first as Asked<Value>['endpoint'] | Request<Value> | SkipToken;
  if (given !== skipToken && !isRequest(given)) assertEndpoint(hook, given);
  const isSkipped = given === skipToken || rest[0] === skipToken;
  const isEndpoint = given !== skipToken && 'key' in given;
  const options = (isEndpoint ? noOptions : (rest[0] ?? noOptions)) as ReadOptions<Value, Selected>;
  const endpoint = isEndpoint ? given : given === skipToken ? undefined : (given.endpoint as Asked<Value>['endpoint']);
  const all = isEndpoint ? rest : given === skipToken ? noArgs : given.args;
  const isAsked = endpoint !== undefined && !isSkipped && options.skip !== true;
  const [dates] = useState((): InlineDates => ({ renders: 0, last: {}, held: {} }));
  const args = isAsked ? withoutInlineDates(all, dates, endpoint.name) : all;
  if (isAsked) assertRead(endpoint);
  // Arguments are made anew in every render; their key is what tells whether they are others.
  const key = isAsked ? endpoint.key(...args) : '';
  const asked = useMemo(
    () => (isAsked ? { endpoint, args, name: `${endpoint.name} ${key}` } : undefined),
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [endpoint, key, isAsked],
  );
  return { asked, options };
}

/** Warns where one page of a list is asked for whose pages are one list: that list is shown. */
export function warnAboutPage({ endpoint, args: [params] }: Asked): void {
  warnOnce(() => {
    const { name, paginationField: field } = endpoint as { readonly name: string; readonly paginationField?: string };
    if (field === undefined || !isRecord(params) || !(Number(params[field]) > 1)) return undefined;
    return [
      `page ${name}`,
      `${name} has the paginationField "${field}", so its pages are one list, and this shows all of it that was read, whatever "${field}" says. To show one page, leave paginationField out; for a list that grows, use useInfiniteResource.`,
    ];
  });
}

/** An answer has come, and there is no data: the state holds only what JSON can, whatever the types say. */
export function warnAboutContent({ endpoint }: Asked): void {
  warnOnce(() => {
    const { name, content = 'json' } = endpoint as { readonly name: string; readonly content?: string };
    return content === 'json'
      ? undefined
      : [
          `content ${name}`,
          `${name} has the content "${content}", and only JSON enters the state: a hook has nothing to show. Use what await dispatch(…).unwrap() gives.`,
        ];
  });
}
