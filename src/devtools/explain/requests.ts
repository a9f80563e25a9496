import { isUnionRef, none } from '../../schema/Schema.js';
import { partsOf } from '../../tables/Reach.js';
import { isLists } from '../../schema/ListsSchema.js';
import { hasAnswer } from '../../store/reading/StoreReader.js';
import { isMeant as matches, requestPk, type RequestRecord } from '../../store/state.js';
import type { ResourceEvent } from '../record/events.js';
import { messageTold } from '../record/Names.js';
import type { Case } from './Case.js';
import type { Explanation, Reason, RequestQuestion } from './question.js';
import { explainRow } from './rows.js';
import { before, endTold, failureTold, reason, since, timeOf, told, unrecorded } from './sentences.js';
import { waitsFor } from './waits.js';
import { ofAbsence } from './writers.js';

/** Why a request stands as it does. */
export function explainRequest(the: Case, { request: name }: RequestQuestion): Explanation {
  const record = the.record(name);
  const value = statusOf(the, name, record);
  return { value, because: reasonsOf(the, name, record) };
}

/** Whether there is an answer that does not count any more, or none may: it is invalid, or stale where that is as good (`invalidIfStale`). */
export function isAway(record: RequestRecord | undefined): boolean {
  return !hasAnswer(record) && (record?.answer ?? record?.invalid) !== undefined;
}

/** How a request stands, as its selector says. */
export function statusOf(the: Case, name: string, record: RequestRecord | undefined): string {
  if (!record) return 'uninitialized';
  if (record.pending.length > 0) return 'pending';
  if (record.failure) return 'rejected';
  return hasAnswer(record) && goneOf(the, name, record).length === 0 ? 'fulfilled' : 'uninitialized';
}

/** What the answer brought and is not shown any more. */
function goneOf(the: Case, name: string, record: RequestRecord | undefined): ReturnType<typeof partsOf> {
  const endpoint = the.endpointOf(name);
  const result = hasAnswer(record) ? record.answer.result : undefined;
  // Only what is one row, or one list, may be gone.
  if (!endpoint || endpoint.sideEffect || !(typeof result === 'string' || isUnionRef(result))) return none;
  return partsOf(endpoint.schema, result).filter(({ table, pk }) => !the.isShown(table, pk));
}

/** Why a row that an answer names is not shown any more. */
export function goneTold(the: Case, row: { readonly table: string; readonly pk: string }): readonly Reason[] {
  const { because } = explainRow(the, { entity: row.table, pk: row.pk });
  return because.slice(0, 1).map((why) => ({ ...why, text: `Its row is not shown. ${why.text}` }));
}

function reasonsOf(the: Case, name: string, record: RequestRecord | undefined): readonly Reason[] {
  const { pending = none, failure, answer } = record ?? {};
  const latest = pending.at(-1);
  const isUnknown = !latest && !failure && !answer;
  const stale = staleness(the, name);
  const isFirst = isAway(record);
  return [
    ...(latest ? [ofPending(the, latest)] : none),
    ...failed(the, name),
    ...(isFirst ? stale : none),
    ...(isUnknown ? [unknown(the, name, 'It was not made, as far as is recorded')] : none),
    ...goneOf(the, name, record).flatMap((row) => (isLists(row.schema) ? none : goneTold(the, row))),
    ...(answer ? [ofAnswer(the, name, answer.fulfilledTimeStamp)] : none),
    ...(isFirst ? none : stale),
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

function ofPending(
  the: Case,
  { requestId, startedTimeStamp: at }: RequestRecord['pending'][number],
  what = 'It',
): Reason {
  const event = the.begun(requestId);
  if (!event) return unrecorded(`${what} was made at ${timeOf(at)}, ${before(the)}, and is not answered.`);
  const { cause } = event.meta;
  const why = cause ? causes[cause] : 'somebody dispatched it';
  const wait = waitsFor(the, requestId);
  const how = wait
    ? `${the.kept(requestId)?.attempts ? 'was' : 'is not'} sent: it waits for ${wait}`
    : 'is not answered';
  return reason('waits', `${what} was made at ${timeOf(event.at)}, because ${why}, and ${how}.`, event);
}

/** How the request of a list stands, as far as that tells of the list: what decides it first. */
export function standing(the: Case, name: string): readonly Reason[] {
  const reasons = [...failed(the, name), ...staleness(the, name)];
  return isAway(the.record(name)) ? reasons.reverse() : reasons;
}

/** The failure that the newest request of a name has met. */
function failed(the: Case, name: string): readonly Reason[] {
  const { failure } = the.record(name) ?? {};
  if (!failure) return none;
  const event = the.ended(failure.requestId);
  const message = messageTold(failure.error.message, name, the.keyOf(name));
  const what = failureTold({ ...failure.error, message });
  return [
    event
      ? reason('answer', `${told(event)} ${what}.`, event)
      : unrecorded(`${the.keyOf(name)} ${what}, ${before(the)}.`),
  ];
}

/** The event that has brought the answer of a request; what was set by hand has no request. */
export function answerOf(the: Case, name: string): ResourceEvent | undefined {
  const { requestId } = the.record(name)?.answer ?? {};
  if (requestId === '') return the.newest((one) => one.type.endsWith('/setResponse') && isOf(the, one, name));
  return requestId === undefined ? undefined : the.ended(requestId);
}

function ofAnswer(the: Case, name: string, at: number): Reason {
  const event = answerOf(the, name);
  if (!event) return unrecorded(`It was answered at ${timeOf(at)}, and that was not recorded.`);
  return event.meta.requestStatus
    ? reason('answer', `It was answered at ${timeOf(event.at)}.`, event)
    : reason('set', `${told(event)} has set its answer.`, event);
}

/** What a request was called with; where that was not recorded, just its parameters are known. */
export function argsOf(the: Case, name: string): readonly unknown[] {
  const { params } = the.record(name) ?? {};
  const recorded = the.newest((event) => isOf(the, event, name))?.meta.arg?.args ?? none;
  // What is recorded may be redacted.
  return params ? [params, ...recorded.slice(1)] : recorded;
}

/** Whether an event is of a request, by what that is kept under. */
function isOf(the: Case, { meta: { arg } }: ResourceEvent, name: string): boolean {
  return arg !== undefined && requestPk(arg.endpointName, arg.key) === the.names.name(name, the.slice);
}

/** Why there is no list; that its answer is not shown any more, or that it has failed, is told elsewhere. */
export function noList(the: Case, name: string): readonly Reason[] {
  const record = the.record(name);
  const latest = record?.pending.at(-1);
  if (isAway(record) || (record?.failure && !latest)) return none;
  if (latest) return [ofPending(the, latest, 'The list is not there yet: its request')];
  return [unknown(the, name, 'There is no such list: no answer has brought it')];
}

/** What became of a request that the state has nothing of; of others, and of what was not recorded, what is given. */
function unknown(the: Case, name: string, text: string): Reason {
  const isKnown = the.record(name)?.answer !== undefined;
  const event = the.newest(
    (one) =>
      !isKnown && (isOf(the, one, name) || one.meta.collected?.includes(the.names.name(name, the.slice)) === true),
  );
  if (!event) return unrecorded(`${text}${since(the)}.`);
  if (event.meta.collected) return ofAbsence(event);
  return reason('answer', `It was made: ${told(event)}${endTold(event)}.`, event);
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
  const event = the.newest(
    ({ meta }) => meta.expires?.includes(the.names.name(name, the.slice)) === true || isMeant(the, name, meta.target),
  );
  const what = answer?.invalidIfStale
    ? 'It is not shown while it is stale (`invalidIfStale`), and it is'
    : 'It is stale';
  if (event && (expired || answer?.expiresAt === 0)) return [madeStale(the, event, what)];
  const since = answer && answer.expiresAt > 0 ? ` since ${timeOf(answer.expiresAt)}` : '';
  return [reason('expired', `${what}${since}: ${askedAgain(the, name, record)}.`)];
}

/** What has made an answer stale. What `invalidates` names is not told apart from what a write leaves open: it is not called to look. */
function madeStale(the: Case, event: ResourceEvent, what: string): Reason {
  const { target, arg } = event.meta;
  if (target) return reason('expired', `${what}: ${told(event)} has made it so.`, event);
  const endpoint = arg && the.endpointOf(requestPk(arg.endpointName, arg.key));
  return endpoint?.sideEffect && 'invalidates' in endpoint && endpoint.invalidates
    ? reason(
        'expired',
        `${what}: \`invalidates\` of ${told(event)} names it, or its outcome leaves open what it shows.`,
        event,
      )
    : reason('doubt', `${what}: after ${told(event)} only the server knows what it shows.`, event);
}

/** Whether a stale answer was asked for again, and what came of that. */
function askedAgain(the: Case, name: string, { answer, pending, failure }: RequestRecord): string {
  const { seq, expiresAt } = answer ?? { seq: -1, expiresAt: 0 };
  const event = the.newest((one) => isOf(the, one, name) && (one.meta.seq ?? 0) > seq && one.at >= expiresAt);
  if (event) return `asked for again by ${told(event)}${endTold(event)}`;
  if (pending.length > 0 || (failure && !the.ended(failure.requestId))) return 'asked for again';
  return 'a hook or a subscription asks for it again when it begins, and so does `ifStale`; nobody has done so since';
}

function isMeant(the: Case, name: string, target: ResourceEvent['meta']['target']): boolean {
  const params = the.record(name)?.params;
  const told = params && target && { params: the.names.params(target.name, params) };
  return target !== undefined && matches(target, the.names.name(name, the.slice), told);
}
