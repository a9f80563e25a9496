import { orElse } from '../../errors.js';
import type { Intent } from '../../store/order/intent.js';
import { isUnionRef } from '../../schema/Schema.js';
import { REPLACED, type ResourceEvent } from '../record/events.js';
import type { Case } from './Case.js';
import type { Reason } from './question.js';

/** The time of day, to the ms. */
export function timeOf(at: number): string {
  const date = new Date(at);
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

const LONG = 80;

/** A value in a sentence. */
export function quoted(value: unknown): string {
  const text = textOf(value);
  return text.length > LONG ? `\`${text.slice(0, LONG)}…\`` : `\`${text}\``;
}

/** A value as text. */
export function textOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (isUnionRef(value)) return `${value.table} ${value.pk}`;
  return typeof value === 'string' ? value : orElse(() => JSON.stringify(value), 'unreadable');
}

/** What an event is called. */
export function titleOf({ type, meta }: ResourceEvent): string {
  if (type === REPLACED) return 'something else than an action (time travel, or another slice)';
  return meta.requestStatus && meta.arg ? meta.arg.key || meta.arg.endpointName : type;
}

/** An event with its time. */
export function told(event: ResourceEvent): string {
  return `${titleOf(event)} (${timeOf(event.at)})`;
}

/** Who has made a guess, with its time, as far as it was recorded. */
export function guesserTold(the: Case, { requestId, isPatch }: Intent): string {
  const event = the.begun(requestId);
  if (event) return told(event);
  return `${isPatch ? 'a patch' : (the.nameOf(requestId) ?? 'a request')} (made ${before(the)})`;
}

/** How a request has failed; the sentence names the request already. */
export function failureTold({ status, message }: NonNullable<ResourceEvent['meta']['error']>): string {
  const why = message.replace(/^[A-Z]+ \S+ (?:failed: |(?=was not answered))/, '');
  if (status === undefined) return why.startsWith('was not answered') ? why : `failed: ${why}`;
  return `was answered with ${why.startsWith(String(status)) ? why : `${status}: ${why}`}`;
}

/** How a request has ended without an answer, behind a sentence about it. */
export function endTold({ meta: { aborted, error } }: ResourceEvent): string {
  return error ? `, and ${aborted === true ? 'was cancelled' : failureTold(error)}` : '';
}

/** A reason, and the event that it follows from. */
export function reason(kind: Reason['kind'], text: string, event?: ResourceEvent): Reason {
  return event ? { kind, text, eventId: event.id } : { kind, text };
}

/** A reason that is older than what was recorded. */
export function unrecorded(text: string): Reason {
  return reason('before-recording', text);
}

/** When that was of which there is no event. */
export function before({ isCut }: Case): string {
  return isCut ? 'before the events that the recording has room for' : 'before the recording began';
}

/** How far back the recording goes, behind a sentence about what it does not have. */
export function since({ events: [first] }: Case): string {
  if (first?.type.endsWith('/reset')) return `; all data was cleared by ${told(first)}`;
  return first ? `; the oldest event that is kept is of ${timeOf(first.at)}` : '';
}
