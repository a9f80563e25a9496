import { partsOf } from '../../tables/Reach.js';
import { isLists } from '../../schema/ListsSchema.js';
import type { SerializedFailure } from '../../store/request.js';
import { hasAnswer } from '../../store/reading/StoreReader.js';
import { isMeant as matches, requestPk, type RequestRecord } from '../../store/state.js';
import { rowOf, tableOf } from '../../tables/tables.js';
import type { ResourceEvent } from '../record/events.js';
import type { Case } from './Case.js';
import { hidden } from './hidden.js';
import type { Explanation, Reason, RequestQuestion } from './question.js';
import { explainRow } from './rows.js';
import { failureTold, reason, since, timeOf, told, unrecorded } from './sentences.js';
import { waitsFor } from './waits.js';

const none: readonly never[] = [];

/** Why a request stands as it does. */
export function explainRequest(the: Case, { request: name }: RequestQuestion): Explanation {
  const record = the.record(name);
  const value = statusOf(the, name, record);
  return {
    value,
    because: [...(record ? reasonsOf(the, name, record) : [unknown(the, name)]), ...staleness(the, name)],
  };
}

/** How a request stands, as its selector says. */
export function statusOf(the: Case, name: string, record: RequestRecord | undefined): string {
  if (!record) return 'uninitialized';
  if (record.pending.length > 0) return 'pending';
  if (record.failure) return 'rejected';
  return hasAnswer(record) && goneOf(the, name, record).length === 0 ? 'fulfilled' : 'uninitialized';
}

/** What the answer brought and is not shown any more. */
function goneOf(the: Case, name: string, record: RequestRecord): ReturnType<typeof partsOf> {
  const endpoint = the.endpointOf(name);
  const result = hasAnswer(record) ? record.answer.result : undefined;
  // Only what is one row, or one list, may be gone.
  if (!endpoint || endpoint.sideEffect || typeof result !== 'string') return none;
  return partsOf(endpoint.schema, result).filter(({ schema, table, pk }) =>
    isLists(schema) ? rowOf(tableOf(the.shown, table), pk) === undefined : !the.isShown(table, pk),
  );
}

/** Why the row of an answer is not shown any more. */
function goneTold(the: Case, name: string, record: RequestRecord): readonly Reason[] {
  return goneOf(the, name, record).flatMap(({ schema, table, pk }): readonly Reason[] => {
    if (isLists(schema)) return none;
    const [why] = the.row(the.shown, table, pk)
      ? hidden(the, { table, pk })
      : explainRow(the, { entity: table, pk }).because;
    return why ? [{ ...why, text: `Its row is not shown. ${why.text}` }] : none;
  });
}

function reasonsOf(the: Case, name: string, record: RequestRecord): readonly Reason[] {
  const { pending, failure, answer } = record;
  const latest = pending.at(-1);
  return [
    ...(latest ? [ofPending(the, latest.requestId, latest.startedTimeStamp)] : none),
    ...(failure ? [ofFailure(the, failure.requestId, failure.error)] : none),
    ...goneTold(the, name, record),
    ...(answer ? [ofAnswer(the, name, answer.requestId, answer.fulfilledTimeStamp)] : none),
    ...(!latest && !failure && !answer ? [unknown(the, name)] : none),
  ];
}

const causes = {
  subscribe: 'somebody subscribed to it',
  poll: 'it was time to poll',
  focus: 'the app was seen again',
  online: 'the network was there again',
  expired: 'its data was stale',
  retry: 'its failure was forgiven',
} as const;

function ofPending(the: Case, requestId: string, at: number): Reason {
  const event = the.begun(requestId);
  if (!event) return unrecorded(`It was made at ${timeOf(at)}, before the recording, and is not answered.`);
  const { cause } = event.meta;
  const why = cause ? causes[cause] : 'somebody dispatched it';
  const wait = waitsFor(the, event);
  const how = wait ? `is not sent: it waits for ${wait}` : 'is not answered';
  return reason('waits', `It was made at ${timeOf(event.at)}, because ${why}, and ${how}.`, event);
}

function ofFailure(the: Case, requestId: string, error: SerializedFailure): Reason {
  const event = the.ended(requestId);
  const what = failureTold(error);
  return event
    ? reason('answer', `It ${what} (${timeOf(event.at)}).`, event)
    : unrecorded(`It ${what}, before the recording.`);
}

/** How the request of a list stands, as far as that tells of the list: what decides it first. */
export function standing(the: Case, name: string): readonly Reason[] {
  const [failures, stale] = [failed(the, name), staleness(the, name)];
  return the.record(name)?.invalid ? [...stale, ...failures] : [...failures, ...stale];
}

/** The failure that the newest request of a name has met. */
function failed(the: Case, name: string): readonly Reason[] {
  const { failure } = the.record(name) ?? {};
  if (!failure) return none;
  const event = the.ended(failure.requestId);
  const when = event ? told(event) : `${the.keyOf(name)} (before the recording)`;
  return [reason('answer', `${when} ${failureTold(failure.error)}.`, event)];
}

function ofAnswer(the: Case, name: string, requestId: string, at: number): Reason {
  // What was set by hand has no request.
  const event =
    requestId === ''
      ? the.newest(
          ({ type, meta }) => type.endsWith('/setResponse') && meta.arg !== undefined && nameOf(meta.arg) === name,
        )
      : the.ended(requestId);
  if (!event) return unrecorded(`It was answered at ${timeOf(at)}, before the recording.`);
  return requestId === ''
    ? reason('set', `${told(event)} has set its answer.`, event)
    : reason('answer', `It was answered at ${timeOf(event.at)}.`, event);
}

function nameOf({ endpointName, key }: { readonly endpointName: string; readonly key: string }): string {
  return requestPk(endpointName, key);
}

/** Whether an event is of a request, by what that is kept under. */
function isOf({ meta: { arg, requestStatus } }: ResourceEvent, name: string): boolean {
  return requestStatus !== undefined && arg !== undefined && nameOf(arg) === name;
}

function unknown(the: Case, name: string): Reason {
  return forgotten(the, name) ?? unrecorded(`It was not made, as far as is recorded${since(the)}.`);
}

/** What became of a request that was recorded, if the state has nothing of it: no answer, no failure, and it is not under way. */
export function forgotten(the: Case, name: string): Reason | undefined {
  const { pending = none, failure, answer } = the.record(name) ?? {};
  if (pending.length > 0 || failure || answer) return undefined;
  const event = the.newest((one) => isOf(one, name) || one.meta.collected?.includes(name) === true);
  if (event?.meta.collected)
    return reason('collected', `Nobody needed it any more: it was collected at ${timeOf(event.at)}.`, event);
  return event && reason('answer', `It was made at ${timeOf(startOf(event))}${endOf(event)}.`, event);
}

function endOf({ at, meta: { aborted, error } }: ResourceEvent): string {
  if (aborted) return `, and was cancelled at ${timeOf(at)}`;
  return error ? `, and ${failureTold(error)}` : '; nothing is kept of it any more';
}

/** Why the answer of a request is stale, or as good as missing. */
function staleness(the: Case, name: string): readonly Reason[] {
  const record = the.record(name);
  const { answer, invalid, expired } = record ?? {};
  if (invalid) {
    const event = the.newest(({ type, meta }) => type.endsWith('/invalidate') && isMeant(the, name, meta.target));
    return [
      reason(
        'invalid',
        `Its answer is not shown any more: ${event ? told(event) : 'somebody'} has made it invalid.`,
        event,
      ),
    ];
  }
  if (!record || (!answer && !expired)) return none;
  if (answer && Date.now() < answer.expiresAt) return none;
  const event = the.newest(({ meta }) => meta.expires?.includes(name) === true || isMeant(the, name, meta.target));
  if (event && (expired || answer?.expiresAt === 0))
    return event.meta.target
      ? [reason('expired', `It is stale: ${told(event)} has made it so.`, event)]
      : [reason('doubt', `It is stale: after ${told(event)} only the server knows what it shows.`, event)];
  const since = answer && answer.expiresAt > 0 ? ` since ${timeOf(answer.expiresAt)}` : '';
  return [reason('expired', `It is stale${since}: ${askedAgain(the, name, record)}.`)];
}

/** Whether a stale answer was asked for again, and what came of that. */
function askedAgain(the: Case, name: string, { answer, pending, failure }: RequestRecord): string {
  if (pending.length > 0) return 'it is asked for again, and that is not answered';
  const { seq, expiresAt } = answer ?? { seq: -1, expiresAt: 0 };
  const event = the.newest((one) => isOf(one, name) && (one.meta.seq ?? 0) > seq && startOf(one) >= expiresAt);
  if (event) {
    const { aborted, error } = event.meta;
    const end = error ? `, and that ${aborted ? 'was cancelled' : 'has failed'}` : '';
    return `it was asked for again at ${timeOf(startOf(event))}${end}`;
  }
  // When what failed before the recording was asked for, the state does not tell.
  if (failure && failure.seq > seq && !the.ended(failure.requestId)) return 'its newest request has failed';
  return 'a hook, a subscription or `ifStale` asks for it again; nobody has done so since';
}

/** When a request was made, in ms since the epoch. */
function startOf({ at, meta }: ResourceEvent): number {
  return meta.startedTimeStamp ?? at;
}

function isMeant(the: Case, name: string, target: ResourceEvent['meta']['target']): boolean {
  return target !== undefined && matches(target, name, the.record(name));
}
