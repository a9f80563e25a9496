import type { ResourceEvent } from '../record/events.js';
import type { Reason } from './question.js';
import { reason, timeOf, told } from './sentences.js';

/** What kind of reason an event is that has written something. */
export function kindOf({ type, meta }: ResourceEvent): Reason['kind'] {
  if (meta.requestStatus !== undefined || type.endsWith('/release')) return 'answer';
  if (meta.collected) return 'collected';
  return /\/(set|setResponse|patch|commit|undo)$/.test(type) ? 'set' : 'hydrated';
}

/** What is shown of a row, and the event that wrote it. */
export function ofWriter(what: string, event: ResourceEvent): Reason {
  const { type, meta } = event;
  const kind = kindOf(event);
  let how = `: ${told(event)} brought it, in a saved or server-rendered state`;
  if (meta.requestStatus === 'fulfilled') how = `, from ${told(event)}`;
  else if (meta.requestStatus) how = `: it had waited for ${told(event)}, which has failed`;
  else if (type.endsWith('/release')) how = `: it had waited, and landed at ${timeOf(event.at)}`;
  else if (kind === 'set') how = `: ${told(event)} wrote it`;
  return reason(kind, `${what}${how}.`, event);
}

/** The event since which a row is not there. */
export function ofAbsence(event: ResourceEvent): Reason {
  const { meta } = event;
  if (meta.collected)
    return reason('collected', `Nobody needed it any more: it was collected at ${timeOf(event.at)}.`, event);
  if (meta.requestStatus === undefined) return reason(kindOf(event), `Not there since ${told(event)}.`, event);
  return reason('deleted', `Not there: ${told(event)} has deleted it.`, event);
}
