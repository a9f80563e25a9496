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
  const creator = temporariesIn(begun.meta.arg?.args ?? [])
    .map((id) => the.begun(originOf(id).requestId))
    .find((event) => isOpen(the, event));
  if (creator) return `the real id that ${told(creator)} will bring`;
  const line = lineOf(the, begun);
  const before =
    line === undefined
      ? undefined
      : the.beginnings
          .slice(0, the.beginnings.indexOf(begun))
          .findLast((event) => isOpen(the, event) && lineOf(the, event) === line);
  if (before) return `the answer to ${told(before)}: writes of one line are sent one after the other`;
  return kept;
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

/** Whether a request has begun with an event, and is not answered. */
function isOpen(the: Case, event: ResourceEvent | undefined): boolean {
  return event?.meta.requestStatus === 'pending' && !the.ended(event.meta.requestId ?? '');
}

/** The line that a write stands in (`etag`, `serialize`). One that the user's own `serialize` chooses stays unknown: it is not called to look. */
function lineOf(the: Case, { meta: { arg } }: ResourceEvent): string | undefined {
  const endpoint = arg && the.endpointOf(requestPk(arg.endpointName, arg.key));
  if (!endpoint || ('serialize' in endpoint && typeof endpoint.serialize === 'function')) return undefined;
  try {
    return endpoint[protocol].line(arg.args);
  } catch {
    // What is redacted makes no address.
    return undefined;
  }
}
