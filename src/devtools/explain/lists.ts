import { isLists } from '../../schema/ListsSchema.js';
import type { Schema } from '../../schema/Schema.js';
import { hasAnswer } from '../../store/reading/StoreReader.js';
import { queryTables } from '../../store/reading/finder.js';
import { plainArgs } from '../../store/request.js';
import { listRecordOf } from '../../store/order/journal.js';
import { requestPk } from '../../store/state.js';
import type { AnyEndpoint } from '../../store/endpoint.js';
import type { ListChange } from '../../tables/changes.js';
import { partsOf } from '../../tables/Reach.js';
import type { ListNews, ResourceEvent } from '../record/events.js';
import { pksOf } from '../record/news.js';
import type { Case } from './Case.js';
import type { Explanation, ListQuestion, Reason } from './question.js';
import { byFields } from './byFields.js';
import { failed, staleness } from './requests.js';
import { reason, requestTold, timeOf, told, unrecorded } from './sentences.js';
import { takenBack } from './takenBack.js';

const none: readonly never[] = [];
/** So many changes of a list are told. */
const MOST = 5;

/** Where a list is kept. */
interface Place {
  readonly table: string;
  readonly pk: string;
  readonly schema: Schema;
}

/** The list that is asked about. */
interface Asked {
  readonly endpoint: AnyEndpoint;
  /** What its request is kept under. */
  readonly name: string;
  /** Where it is kept; undefined where it is nowhere, or is no list of a Collection. */
  readonly place: Place | undefined;
  /** The pks that are shown; undefined where selectors show no list. */
  readonly pks: readonly string[] | undefined;
}

/** Why a list is as it is, or a row is in it, or not. */
export function explainList(the: Case, { list, args, pk }: ListQuestion): Explanation {
  const asked = listOf(the, list, args);
  if (!asked)
    return {
      value: pk === undefined ? undefined : false,
      because: [unrecorded(`No request of ${list} was made yet, so the store does not know it.`)],
    };
  if (pk === undefined) return { value: asked.pks, because: reasonsOfList(the, asked) };
  const real = asked.pks?.includes(pk) ? pk : the.realPk(undefined, pk);
  const isIn = asked.pks?.includes(real) === true;
  const because = [
    ...reasonsOfMember(the, asked, real, isIn),
    ...(isIn ? none : byFields(the, asked.place, real)),
    ...failed(the, asked.name),
    ...staleness(the, asked.name),
  ];
  return { value: isIn, because };
}

/** Finds a list by the arguments of its endpoint: that is asked for the key, and nothing else of the user's runs. */
function listOf(the: Case, list: string, given: readonly unknown[]): Asked | undefined {
  const endpoint = the.endpointOf(`${list} `);
  if (!endpoint) return undefined;
  try {
    const args = plainArgs(endpoint, given);
    const name = requestPk(endpoint.name, endpoint.key(...args));
    const record = the.record(name);
    const isGone = record?.answer !== undefined || record?.invalid !== undefined;
    const ref = hasAnswer(record)
      ? record.answer.result
      : isGone
        ? undefined
        : queryTables(the.shown, endpoint.schema, args);
    const parts = ref === undefined ? none : partsOf(endpoint.schema, ref);
    const part = parts.find(({ schema }) => isLists(schema));
    if (part) return { endpoint, name, place: part, pks: the.members(part.table, part.pk) };
    const pks = ref === undefined ? undefined : parts.flatMap(({ table, pk }) => (the.isShown(table, pk) ? [pk] : []));
    return { endpoint, name, place: undefined, pks };
  } catch {
    return { endpoint, name: list, place: undefined, pks: undefined };
  }
}

function isOf(place: Asked['place'], one: { readonly table: string; readonly pk: string }): boolean {
  return place !== undefined && one.table === place.table && one.pk === place.pk;
}

/** What an event has made of the list. */
function newsOf({ meta }: ResourceEvent, place: Asked['place']): ListNews | undefined {
  return meta.requestStatus === 'pending' ? undefined : meta.changes?.lists.find((one) => isOf(place, one));
}

function reasonsOfList(the: Case, { name, place, pks }: Asked): readonly Reason[] {
  const changed = the.events.filter((event) => newsOf(event, place) !== undefined);
  const recorded = changed
    .slice(-MOST)
    .reverse()
    .map((event, i) => {
      const { come = none, gone = none } = newsOf(event, place) ?? {};
      const what = [come.length > 0 ? `${come.length} came` : '', gone.length > 0 ? `${gone.length} went` : ''];
      const text = `${i === 0 ? 'It is as it came with' : 'Before:'} ${told(event)}${what.some(Boolean) ? `; ${what.filter(Boolean).join(', ')}` : ''}.`;
      return reason(kindOf(event), text, event);
    });
  const guesses = the.guesses
    .filter((intent) => intent.changes.lists.some((change) => isOf(place, change)))
    .map(({ requestId }) => ofGuess(the, requestId, 'guess', (title) => `${title} changes it and is not answered.`));
  const begun = recorded.length > 0 || pks === undefined ? none : [before(the, name)];
  const isInvalid = the.record(name)?.invalid !== undefined;
  const missing = pks === undefined && recorded.length === 0 && !isInvalid ? [noList()] : none;
  const failures = takenBack(the, changed.at(-1), (guess) =>
    guess.lists.some((one) => isOf(place, one)) ? 'wanted to change it' : undefined,
  );
  return [...guesses, ...recorded, ...begun, ...missing, ...failures, ...failed(the, name), ...staleness(the, name)];
}

function kindOf({ type, meta }: ResourceEvent): Reason['kind'] {
  if (meta.requestStatus !== undefined || type.endsWith('/release')) return 'answer';
  if (meta.collected) return 'collected';
  return type.endsWith('/set') || type.endsWith('/setResponse') ? 'set' : 'hydrated';
}

function noList(): Reason {
  return unrecorded('There is no such list: no answer has brought it.');
}

function before(the: Case, name: string): Reason {
  const at = the.record(name)?.answer?.fulfilledTimeStamp;
  const when = at === undefined ? '' : ` ${the.keyOf(name)} was answered at ${timeOf(at)}.`;
  return unrecorded(`It is as it was before the recording began.${when}`);
}

function ofGuess(the: Case, requestId: string, kind: Reason['kind'], tell: (title: string) => string): Reason {
  return reason(kind, tell(requestTold(the, requestId)), the.begun(requestId));
}

function reasonsOfMember(the: Case, asked: Asked, pk: string, isIn: boolean): readonly Reason[] {
  const guess = guessOf(the, asked, pk, isIn);
  const writer = the.newest((event) => {
    const news = newsOf(event, asked.place);
    return news?.come.includes(pk) === true || news?.gone.includes(pk) === true;
  });
  const isConfirmed = isConfirmedIn(the, asked, pk);
  const failures = takenBack(the, writer, ({ lists }) => {
    const news = lists.find((one) => isOf(asked.place, one));
    if (news?.come.includes(pk)) return 'wanted to put it there';
    return news?.gone.includes(pk) ? 'wanted to take it out' : undefined;
  });
  return [...guess, ...ofWriter(the, asked, { pk, writer, isConfirmed, isTop: guess.length === 0 }), ...failures];
}

function isConfirmedIn(the: Case, { place, pks }: Asked, pk: string): boolean {
  if (!place) return pks?.includes(pk) === true;
  return the.members(place.table, place.pk, the.slice.tables)?.includes(pk) === true;
}

/** The newest guess that puts the row in, takes it out, or hides it. */
function guessOf(the: Case, { place }: Asked, pk: string, isIn: boolean): readonly Reason[] {
  const pks = new Set([pk, ...aliases(the, pk)]);
  for (const { requestId, changes } of the.guesses) {
    const change = changes.lists.findLast((one) => isOf(place, one) && pksOf(one.list).some((one) => pks.has(one)));
    if (change && (change.operation === 'remove') !== isIn)
      return [ofGuess(the, requestId, kindOfGuess(change), (title) => sentenceOf(change, title))];
    const isDeleted = changes.rows.some(({ pks: all, rows }) => all.some((one, i) => pks.has(one) && rows[i] === null));
    if (isDeleted && !isIn)
      return [ofGuess(the, requestId, 'guess', (title) => `Not in it: ${title} deletes the row and is not answered.`)];
  }
  return none;
}

function aliases(the: Case, pk: string): readonly string[] {
  return the.events.flatMap(({ meta }) =>
    (meta.renamed ?? none).filter((one) => one.pk === pk).map((one) => one.temporary),
  );
}

function kindOfGuess({ hides, follows, moves }: ListChange): Reason['kind'] {
  if (hides) return 'hidden-double';
  return (follows ?? moves) ? 'belongs' : 'guess';
}

function sentenceOf(change: ListChange, title: string): string {
  if (change.hides) return `Not in it: it may be what ${title} is creating, which stands there already.`;
  const isGone = change.operation === 'remove';
  if (change.follows ?? change.moves)
    return `${isGone ? 'Not in it' : 'In it'}: by the fields that ${title} has sent it ${isGone ? 'does not belong' : 'belongs'} there. It is not answered.`;
  return `${isGone ? 'Not in it' : 'In it'}: ${title} ${isGone ? 'takes it out' : 'puts it there'} and is not answered.`;
}

/** What is confirmed of a member. */
interface Confirmed {
  readonly pk: string;
  /** The newest event by which it came or went. */
  readonly writer: ResourceEvent | undefined;
  readonly isConfirmed: boolean;
  readonly isTop: boolean;
}

function ofWriter(the: Case, asked: Asked, { pk, writer, isConfirmed, isTop }: Confirmed): readonly Reason[] {
  const start = isTop ? '' : 'Confirmed: ';
  if (writer) return [ofNews(the, asked, writer, pk, start)];
  if (isConfirmed) return [before(the, asked.name)];
  const held = heldOut(the, asked, pk);
  if (held) return [held];
  const whole = the.newest((event) => newsOf(event, asked.place)?.isWhole === true);
  if (whole)
    return [
      reason(
        kindOf(whole),
        `${start}Not in it: ${told(whole)} brought the list without it, and nothing has put it there since.`,
        whole,
      ),
    ];
  if (asked.pks === undefined) return [noList()];
  return [unrecorded(`${start}Not in it: nothing that was recorded has put it there.`)];
}

function ofNews(the: Case, { place }: Asked, event: ResourceEvent, pk: string, start: string): Reason {
  const { meta } = event;
  const news = newsOf(event, place);
  const isIn = news?.come.includes(pk) === true;
  const isDeleted = meta.changes?.rows.some(({ pks, rows }) => pks.some((one, i) => one === pk && rows[i] === null));
  if (!isIn && meta.collected)
    return reason('collected', `${start}Not in it: nobody needed it any more (${told(event)}).`, event);
  if (!isIn && isDeleted && meta.requestStatus)
    return reason('deleted', `${start}Not in it: ${told(event)} has deleted the row.`, event);
  if (!meta.requestStatus)
    return reason(kindOf(event), `${start}${isIn ? 'In it' : 'Not in it'}: ${told(event)}.`, event);
  const isCreated = meta.renamed?.some((one) => one.pk === pk) === true;
  if (news?.isWhole || isCreated || isOperation(meta.arg?.endpointName))
    return reason('answer', `${start}${isIn ? 'In it' : 'Not in it'}, by ${told(event)}.`, event);
  const verb = isIn ? 'it belongs there by its fields' : 'it does not belong there any more by its fields';
  return reason('belongs', `${start}${isIn ? 'In it' : 'Not in it'}: since ${told(event)} ${verb}.`, event);
}

/** Whether an endpoint adds to lists, or takes out of them. */
function isOperation(name = ''): boolean {
  return /\/(push|unshift|assign|remove|getPage|getNextPage|getPreviousPage)$/.test(name);
}

/** Something holds the row out of the list, against answers that were sent before. */
function heldOut(the: Case, { place }: Asked, pk: string): Reason | undefined {
  const members = place && listRecordOf(the.slice.journal, place.table, place.pk)?.members;
  const member = members?.find(({ ref, isIn }) => !isIn && pksOf([ref]).includes(pk));
  const event = member && the.at(member.by.asked);
  return (
    member &&
    reason(
      'older',
      `Not in it: ${event ? told(event) : 'a newer answer'} holds it out, and answers that were sent before are passed over.`,
      event,
    )
  );
}
