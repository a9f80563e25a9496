import { originOf } from '../../schema/temporary.js';
import { protocol } from '../../store/endpoint.js';
import { temporariesIn } from '../../store/order/temporaryIds.js';
import { requestPk } from '../../store/state.js';
import type { ResourceEvent } from '../record/events.js';
import type { Case } from './Case.js';
import { told } from './sentences.js';

/** What a request waits for before it is sent; undefined where it is sent. */
export function waitsFor(the: Case, begun: ResourceEvent): string | undefined {
  const { requestId = '', arg } = begun.meta;
  if (the.ended(requestId)) return undefined;
  const creator = temporariesIn(arg?.args ?? [])
    .map((id) => the.begun(originOf(id).requestId))
    .find((event) => isOpen(the, event));
  if (creator) return `the real id that ${told(creator)} will bring`;
  const line = lineOf(the, begun);
  const before =
    line === undefined
      ? undefined
      : the.events
          .slice(0, the.events.indexOf(begun))
          .findLast((event) => isOpen(the, event) && lineOf(the, event) === line);
  if (before) return `the answer to ${told(before)}: writes of one line are sent one after the other`;
  return the.kept(requestId) ? 'the outbox to send it' : undefined;
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
