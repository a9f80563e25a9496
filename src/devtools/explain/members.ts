import { CollectionOperation } from '../../schema/CollectionOperation.js';
import { none } from '../../schema/Schema.js';
import { levelsOf } from '../../schema/subject.js';
import { listRecordOf } from '../../store/order/journal.js';
import type { ListNews, ResourceEvent, RowNews } from '../record/events.js';
import { guessedList, pksOf } from '../record/news.js';
import { byFields } from './byFields.js';
import type { Case } from './Case.js';
import { confirmedIn, isOf, newsOf, ofGuess, unchanged, type Asked } from './listNews.js';
import type { Reason } from './question.js';
import { answerOf, goneTold, noList } from './requests.js';
import { rowNews } from './rows.js';
import { reason, told, unrecorded } from './sentences.js';
import { takenBack } from './takenBack.js';
import { kindOf } from './writers.js';

/** Why a row is in a list, or not. */
export function reasonsOfMember(the: Case, asked: Asked, pk: string, isIn: boolean): readonly Reason[] {
  const { place } = asked;
  const guess = guessOf(the, asked, pk, isIn);
  const writer = the.newest((event) => {
    const news = newsOf(event, place);
    return news?.come.includes(pk) === true || news?.gone.includes(pk) === true;
  });
  const named = place ? the.named(place.table, place.pk, pk) : asked.rows.filter((row) => row.pk === pk);
  const gone = isIn || guess.length > 0 ? none : named.flatMap((row) => goneTold(the, row));
  const isConfirmed = gone.length > 0 || confirmedIn(the, asked)?.includes(pk) === true;
  const failures = takenBack(the, writer, ({ lists }) => {
    const news = lists.find((one) => isOf(place, one));
    if (news?.come.includes(pk)) return 'wanted to put it there';
    return news?.gone.includes(pk) ? 'wanted to take it out' : undefined;
  });
  return [
    ...guess,
    ...gone,
    ...ofConfirmed(the, asked, { pk, writer, isConfirmed, isTop: guess.length + gone.length === 0 }),
    ...failures,
    ...(isIn ? none : byFields(the, asked, pk)),
  ];
}

/** The newest guess that puts the row in, takes it out, or hides it. */
function guessOf(the: Case, { place, tables }: Asked, pk: string, isIn: boolean): readonly Reason[] {
  const pks = new Set(tables.flatMap((table) => [...the.pksOf(table, pk)]));
  for (const intent of the.guesses) {
    const { rows, lists } = intent.changes;
    const news = lists
      .map(guessedList)
      .findLast((one) => isOf(place, one) && (isIn ? one.come : one.gone).some((member) => pks.has(member)));
    if (news) return [ofGuess(the, intent, kindOfGuess(news), (who, state) => guessTold(news, isIn, who, state))];
    if (!isIn && isDeleted(rows, tables, pks))
      return [ofGuess(the, intent, 'guess', (who, state) => `Not in it: ${who} deletes the row and ${state}.`)];
  }
  return none;
}

function isDeleted(news: readonly RowNews[], tables: readonly string[], pks: ReadonlySet<string>): boolean {
  return tables.some((table) => rowNews(news, { table, pks }) === null);
}

function kindOfGuess({ hides, follows }: ListNews): Reason['kind'] {
  if (hides) return 'hidden-double';
  return follows ? 'belongs' : 'guess';
}

function guessTold({ hides, follows }: ListNews, isIn: boolean, who: string, state: string): string {
  if (hides)
    return `Not in it: it may be what ${who} is creating, which stands there already; both show as one until that is answered.`;
  if (follows)
    return `${placeTold(isIn)}: by the fields that ${who} gives it, it ${isIn ? 'belongs' : 'does not belong'} there. That ${state}.`;
  return `${placeTold(isIn)}: ${who} ${isIn ? 'puts it there' : 'takes it out'} and ${state}.`;
}

/** What is confirmed of a member. */
interface Confirmed {
  readonly pk: string;
  /** The newest event by which it came or went. */
  readonly writer: ResourceEvent | undefined;
  readonly isConfirmed: boolean;
  readonly isTop: boolean;
}

function ofConfirmed(the: Case, asked: Asked, { pk, writer, isConfirmed, isTop }: Confirmed): readonly Reason[] {
  const start = isTop ? '' : 'As confirmed: ';
  if (writer) return [ofNews(the, asked, writer, pk, start)];
  // An answer that is no list of a Collection says itself who is in it.
  if (isConfirmed || (!asked.place && asked.pks)) return unchanged(the, asked);
  const held = heldOut(the, asked, pk);
  if (held) return [held];
  if (!asked.pks) return noList(the, asked.name);
  // An answer that changes nothing is no news of the list.
  const answer = answerOf(the, asked.name);
  const whole = the.newest((event) => event === answer || newsOf(event, asked.place)?.isWhole === true);
  if (!whole) return [unrecorded(`${start}Not in it: nothing that was recorded has put it there.`)];
  const text = `${start}Not in it: ${told(whole)} brought the list without it, and nothing has put it there since.`;
  return [reason(kindOf(whole), text, whole)];
}

function ofNews(the: Case, asked: Asked, event: ResourceEvent, pk: string, start: string): Reason {
  const news = newsOf(event, asked.place);
  const isIn = news?.come.includes(pk) === true;
  const [kind, how] = (isIn ? undefined : lossOf(asked, event, pk)) ?? changeOf(the, asked, event, pk, news);
  return reason(kind, `${start}${placeTold(isIn)}${how}`, event);
}

/** How an event has to do with a member, behind a sentence about it. */
type Way = readonly [kind: Reason['kind'], how: string];

/** How the row itself was lost; undefined where it has just left the list. */
function lossOf({ tables }: Asked, event: ResourceEvent, pk: string): Way | undefined {
  const { collected, requestStatus, changes } = event.meta;
  if (collected) return ['collected', `: nobody needed it any more (${told(event)}).`];
  return requestStatus && isDeleted(changes?.rows ?? none, tables, new Set([pk]))
    ? ['deleted', `: ${told(event)} has deleted the row.`]
    : undefined;
}

/** How a member came, or went: by hand, by an answer that says so, or by its fields. */
function changeOf(the: Case, { tables }: Asked, event: ResourceEvent, pk: string, news: ListNews | undefined): Way {
  const { requestStatus, renamed, arg } = event.meta;
  if (!requestStatus) return [kindOf(event), `: ${told(event)}.`];
  const isCreated = renamed?.some((one) => one.pk === pk && tables.includes(one.table));
  if (news?.isWhole || isCreated || isOperation(the, arg?.endpointName)) return ['answer', `, by ${told(event)}.`];
  const verb = news?.come.includes(pk) ? 'belongs there' : 'does not belong there any more';
  return ['belongs', `: since ${told(event)} it ${verb} by its fields.`];
}

function placeTold(isIn: boolean): string {
  return isIn ? 'In it' : 'Not in it';
}

/** Whether an endpoint adds to lists, or takes out of them; what moves items does so by their fields. */
function isOperation(the: Case, name = ''): boolean {
  const schemas = levelsOf(the.endpointOf(`${name} `)?.schema).flat();
  return schemas.some((schema) => schema instanceof CollectionOperation && schema.verb !== 'move');
}

/** Something holds the row out of the list, against answers that were sent before. */
function heldOut(the: Case, { place }: Asked, pk: string): Reason | undefined {
  const members = place && listRecordOf(the.slice.journal, place.table, place.pk)?.members;
  const member = members?.find(({ ref, isIn }) => !isIn && pksOf([ref]).includes(pk));
  if (!member) return undefined;
  const event = the.at(member.by.asked);
  const who = event ? told(event) : 'a newer answer';
  return reason('older', `Not in it: ${who} holds it out, and answers that were sent before are passed over.`, event);
}
