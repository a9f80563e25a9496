import { orElse } from '../../errors.js';
import { originOf } from '../../schema/temporary.js';
import { protocol } from '../../store/endpoint.js';
import type { Intent } from '../../store/order/intent.js';
import { temporariesIn } from '../../store/order/temporaryIds.js';
import { requestPk } from '../../store/state.js';
import type { ResourceEvent } from '../record/events.js';
import type { Case } from './Case.js';
import { told } from './sentences.js';

/** What a write in the outbox waits for; undefined where it is under way, over, or not in it. */
function keptFor(the: Case, requestId: string): string | undefined {
  const status = the.kept(requestId)?.status;
  const isToSend = status === 'queued' || status === 'waiting';
  if (isToSend && the.slice.outbox?.pausedBy) return '`resume`: the outbox is paused';
  if (status === 'queued') return 'the outbox to send it';
  if (status === 'waiting') return 'the outbox to send it again';
  return status === 'unknown' ? '`retry` or `discard`: only the server knows whether it was done' : undefined;
}

/** What a request waits for, before it is sent or sent again; undefined where it is under way. */
export function waitsFor(the: Case, requestId: string): string | undefined {
  const kept = keptFor(the, requestId);
  // What was refused may be in the outbox once more.
  if (!kept && the.ended(requestId)) return undefined;
  const begun = the.begun(requestId);
  if (!begun || (kept && the.kept(requestId)?.status !== 'queued')) return kept;
  return turnOf(the, begun) ?? kept;
}

/** Which other request has to be answered before one is sent; of one that has ended, before it would have been sent. */
function turnOf(the: Case, begun: ResourceEvent, end?: ResourceEvent): string | undefined {
  const creator = temporariesIn(begun.meta.arg?.args ?? [])
    .map((id) => the.begun(originOf(id).requestId))
    .find((event) => isOpen(the, event, end));
  if (creator) return `the real id that ${told(creator)} will bring`;
  const line = lineOf(the, begun);
  const before =
    line === undefined
      ? undefined
      : the.beginnings
          .slice(0, the.beginnings.indexOf(begun))
          .findLast((event) => isOpen(the, event, end) && lineOf(the, event) === line);
  return before && `the answer to ${told(before)}: writes of one line are sent one after the other`;
}

/** Whether a request has ended before it was sent: the create of its item has failed (R14), or its turn had not come. */
export function isNeverSent(the: Case, { meta: { requestId = '', error } }: ResourceEvent): boolean {
  const begun = the.begun(requestId);
  return error?.code === 'R14' || (begun !== undefined && turnOf(the, begun, the.ended(requestId)) !== undefined);
}

/** Whether a request waits, and was never sent. */
export function isUnsent(the: Case, requestId: string): boolean {
  return waitsFor(the, requestId) !== undefined && !the.kept(requestId)?.attempts;
}

/** Why a guess is no more than that. */
export function stateTold(the: Case, { isPatch, settled, requestId }: Intent): string {
  if (isPatch) return 'is not committed';
  if (settled) return 'is answered, but its answer waits for others';
  if (isUnsent(the, requestId)) return 'is not sent yet';
  // What is refused for now is tried again.
  return the.kept(requestId)?.error ? 'is not done yet' : 'is not answered';
}

/** Whether a request has begun with an event, and is not answered; at the time of another event, where that is given. */
function isOpen(the: Case, event: ResourceEvent | undefined, at?: ResourceEvent): boolean {
  if (event?.meta.requestStatus !== 'pending') return false;
  const end = the.ended(event.meta.requestId ?? '');
  return !end || (at !== undefined && the.events.indexOf(end) > the.events.indexOf(at));
}

/** The line that a write stands in (`etag`, `serialize`). One that the user's own `serialize` chooses stays unknown: it is not called to look. */
function lineOf(the: Case, { meta: { arg } }: ResourceEvent): string | undefined {
  const endpoint = arg && the.endpointOf(requestPk(arg.endpointName, arg.key));
  if (!endpoint || ('serialize' in endpoint && typeof endpoint.serialize === 'function')) return undefined;
  // What is redacted makes no address.
  return orElse(() => endpoint[protocol].line(arg.args), undefined);
}
