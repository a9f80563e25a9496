import type { Schema } from '../../schema/Schema.js';
import type { Intent } from '../../store/order/intent.js';
import type { ListNews, ResourceEvent } from '../record/events.js';
import type { Case } from './Case.js';
import type { Reason } from './question.js';
import { answerOf } from './requests.js';
import { explainRow } from './rows.js';
import { before, guesserTold, reason, timeOf, told, unrecorded } from './sentences.js';
import { stateTold } from './waits.js';
import { kindOf } from './writers.js';

/** The list that is asked about. */
export interface Asked {
  /** What its request is kept under. */
  readonly name: string;
  /** Where it is kept, and its pk as events have it; absent where it is nowhere, or is no list of a Collection. */
  readonly place?: { readonly table: string; readonly pk: string; readonly schema: Schema; readonly told: string };
  /** The tables whose rows may be in it. */
  readonly tables: readonly string[];
  /** The rows that it names where it is no list of a Collection, shown or not. */
  readonly rows: readonly { readonly table: string; readonly pk: string }[];
  /** The pks under which those rows are kept that are shown; absent where selectors show no list. */
  readonly pks?: readonly string[] | undefined;
  /** The same as selectors show them. */
  readonly told?: readonly string[] | undefined;
}

export function isOf(place: Asked['place'], one: { readonly table: string; readonly pk: string }): boolean {
  return place !== undefined && one.table === place.table && (one.pk === place.pk || one.pk === place.told);
}

/** What an event has made of the list. */
export function newsOf({ meta }: ResourceEvent, place: Asked['place']): ListNews | undefined {
  return meta.requestStatus === 'pending' ? undefined : meta.changes?.lists.find((one) => isOf(place, one));
}

/** Who is in the list as it is confirmed; undefined where there is none. */
export function confirmedIn(the: Case, { place, pks }: Asked): readonly string[] | undefined {
  return place ? the.members(place.table, place.pk, the.slice.tables) : pks;
}

/** Who has told of a list that no event has changed: the answer itself, what has brought its rows, or somebody before the recording. */
export function unchanged(the: Case, { name, place, rows }: Asked): readonly Reason[] {
  const answer = the.record(name)?.answer;
  if (!place && !answer)
    return rows.flatMap(({ table, pk }) => explainRow(the, { entity: table, pk }).because.slice(0, 1));
  const event = place ? undefined : answerOf(the, name);
  if (event) return [reason(kindOf(event), `It is as it came with ${told(event)}.`, event)];
  const when = answer ? ` ${the.keyOf(name)} was answered at ${timeOf(answer.fulfilledTimeStamp)}.` : '';
  return [unrecorded(`It is as it was ${before(the)}.${when}`)];
}

/** A guess in a sentence, made of who has made it and of why it is no more than that. */
export function ofGuess(
  the: Case,
  intent: Intent,
  kind: Reason['kind'],
  tell: (title: string, state: string) => string,
): Reason {
  return reason(kind, tell(guesserTold(the, intent), stateTold(the, intent)), the.begun(intent.requestId));
}
