import { protocol } from '../endpoint.js';
import { isAbsent, none } from '../../schema/Schema.js';
import { rowOf } from '../../tables/tables.js';
import type { Lifetime } from '../lifetime/Lifetime.js';
import type { Subject } from '../lifetime/subscriptions.js';
import { queryEndpoint } from '../reading/queryEndpoint.js';
import { isFresh } from '../reading/freshness.js';
import { isPartialIn } from '../reading/partial.js';
import { questionOf } from '../reading/selectors.js';
import { readerOf } from '../reading/StoreReader.js';
import type { MountOptions, Request, SubscribeOptions } from '../request.js';
import { recordOf, type ResourcesState } from '../state.js';

type Asked = Pick<Request, 'endpoint' | 'args'>;

/** The value of a request, as selectors give it. */
export function valueIn(slice: ResourcesState, { endpoint, args }: Asked, key: string): unknown {
  return readerOf(slice).reading(slice, questionOf(endpoint, args, key)).value;
}

/** Whether what a request asks for is there, and fresh: it need not be sent. */
export function isStored(slice: ResourcesState, asked: Asked, key: string, lifetime: Lifetime): boolean {
  const record = recordOf(slice, asked.endpoint.name, key);
  if (!record?.answer) {
    // Others do not answer for what was marked, is on its way, or has failed.
    const isOpen = record && (record.invalid ?? record.expired ?? (record.pending.length > 0 || !!record.failure));
    return !isOpen && isBrought(slice, asked, key, lifetime);
  }
  // What it brought may have been deleted since.
  const isEmpty = isAbsent(record.answer.result);
  return isFresh(record, Date.now()) && (isEmpty || valueIn(slice, asked, key) !== undefined);
}

/** Whether a request that is sent only if its answer is stale has a fresh one. Who asks for a file, and not just to have it fetched, wants it though it is kept no more. */
export function isDone(slice: ResourcesState, request: Request, key: string, lifetime: Lifetime): boolean {
  const { endpoint, isPrefetch } = request;
  if (endpoint.pageOf?.direction || !isStored(slice, request, key, lifetime)) return false;
  return isPrefetch || !endpoint[protocol].asksForFile || valueIn(slice, request, key) !== undefined;
}

/** What is fetched for who begins to read: what is not there, always. */
export function refetchFor(
  { requests }: ResourcesState,
  { name, read }: Pick<Subject, 'name' | 'read'>,
  { refetch = true }: MountOptions,
): SubscribeOptions['refetch'] {
  const isMeant = refetch === 'outdated' ? rowOf(requests, name)?.answer?.expiresAt === 0 : refetch;
  return isMeant || read() === undefined;
}

/** Whether other answers have brought what a request asks for, and it has none of its own. */
export function isThere(slice: ResourcesState, { endpoint, args, key }: Asked & { readonly key: string }): boolean {
  const { answer, pending = none } = recordOf(slice, endpoint.name, key) ?? {};
  return !answer && pending.length === 0 && queryEndpoint(slice.tables, endpoint, args) !== undefined;
}

/** Whether other answers have brought what a request asks for, and it is fresh. */
function isBrought(slice: ResourcesState, { endpoint, args }: Asked, key: string, lifetime: Lifetime): boolean {
  if (endpoint.sideEffect) return false;
  const ref = queryEndpoint(slice.tables, endpoint, args);
  if (ref === undefined || isPartialIn(slice.tables, endpoint.schema, ref)) return false;
  if (!lifetime.isInheritedFresh(endpoint, ref, Date.now())) return false;
  const [reader, question] = [readerOf(slice), questionOf(endpoint, args, key)];
  const reading = reader.reading(slice, question);
  // A guess may show less than what is confirmed.
  return reading.value !== undefined && !reader.isPartial(slice, reading);
}
