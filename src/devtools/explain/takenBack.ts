import type { News, ResourceEvent } from '../record/events.js';
import { messageTold } from '../record/Names.js';
import type { Case } from './Case.js';
import type { Reason } from './question.js';
import { endTold, reason, told } from './sentences.js';
import { isNeverSent } from './waits.js';

/** So many are told. */
const MOST = 2;

/**
 * Writes that have come to an end since an event, so that what they had shown is not shown any more: they have failed, or their answer says otherwise.
 * `wanted` says in words what a guess was about; undefined for what does not count.
 */
export function takenBack(
  the: Case,
  since: ResourceEvent | undefined,
  wanted: (guess: News, event: ResourceEvent) => string | undefined,
): readonly Reason[] {
  const from = since ? the.events.indexOf(since) : -1;
  const reasons = [...the.events.slice(from + 1), ...lost(the)].flatMap((event): readonly Reason[] => {
    const { requestStatus, requestId = '' } = event.meta;
    const guess = requestStatus === 'pending' ? undefined : the.begun(requestId)?.meta.changes;
    const what = guess && wanted(guess, event);
    return what === undefined ? [] : [reason('answer', `${told(event)} ${what}${endOf(the, event)}`, event)];
  });
  return reasons.slice(-MOST).reverse();
}

/** Writes that the outbox keeps, and of which nobody knows whether they were done: they show nothing, as if they had failed. */
function lost(the: Case): readonly ResourceEvent[] {
  return (the.slice.outbox?.entries ?? []).flatMap(
    ({ id, endpointName, key, status, error }): readonly ResourceEvent[] => {
      const event = status === 'unknown' ? the.begun(id) : undefined;
      const message = error
        ? messageTold(error.message, key, the.names.keyOf(endpointName, key, the.slice))
        : 'was not answered';
      return event
        ? [{ ...event, meta: { ...event.meta, requestStatus: 'rejected', error: { name: '', message } } }]
        : [];
    },
  );
}

function endOf(the: Case, event: ResourceEvent): string {
  const { error } = event.meta;
  if (!error) return ', and was answered without an error; the answer does not say so.';
  const isUnknown = error.status === undefined && !isNeverSent(the, event);
  const doubt = isUnknown ? ' Only the server knows whether it was done.' : '';
  return `${endTold(event)}. What it had shown is taken back.${doubt}`;
}
