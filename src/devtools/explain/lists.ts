import { none, own } from '../../schema/Schema.js';
import { tablesOfLists } from '../../schema/listKey.js';
import { isLists } from '../../schema/ListsSchema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { protocol } from '../../store/endpoint.js';
import { hasAnswer } from '../../store/reading/StoreReader.js';
import { queryEndpoint } from '../../store/reading/queryEndpoint.js';
import { requestPk } from '../../store/state.js';
import { partsOf } from '../../tables/Reach.js';
import { rowFrom } from '../../tables/tables.js';
import type { ResourceEvent } from '../record/events.js';
import type { Case } from './Case.js';
import { confirmedIn, isOf, newsOf, ofGuess, unchanged, type Asked } from './listNews.js';
import { reasonsOfMember } from './members.js';
import type { EntityQuestion, Explanation, ListQuestion, Reason } from './question.js';
import { goneTold, isAway, noList, standing } from './requests.js';
import { explainRow } from './rows.js';
import { reason, told, unrecorded } from './sentences.js';
import { takenBack } from './takenBack.js';
import { kindOf } from './writers.js';

/** So many changes of a list are told. */
const MOST = 5;

/** Why a list is as it is, or a row is in it, or not. */
export function explainList(the: Case, { list, args, pk }: ListQuestion): Explanation {
  const asked = listOf(the, list, args);
  if (!asked)
    return {
      value: undefined,
      because: [
        unrecorded(`The devtools do not know the endpoint ${list} yet: no request of it was made in this store.`),
      ],
    };
  if (pk === undefined) return { value: asked.told, because: reasonsOfList(the, asked) };
  const known = asked.tables.map((table) => the.realPk(table, pk));
  const real = asked.pks?.includes(pk) ? pk : (known.find((one) => one !== pk) ?? pk);
  const isIn = asked.pks?.includes(real) === true;
  const because = [...reasonsOfMember(the, asked, real, isIn), ...standing(the, asked.name)];
  return { value: isIn, because };
}

/** Why a field of a row that has a list of its own is as it is: by that list. Undefined for all others. */
export function explainField(the: Case, question: EntityQuestion): Explanation | undefined {
  const { entity, field = '' } = question;
  const schema = the.nestedIn(entity, field);
  if (!schema || !isLists(schema)) return undefined;
  const { value } = explainRow(the, question);
  const [part] = partsOf(schema, own(rowFrom(the.shown, entity, the.realPk(entity, question.pk)) ?? {}, field));
  const asked = part && inCollection(the, '', part);
  return value !== undefined && asked?.pks ? { value, because: reasonsOfList(the, asked) } : undefined;
}

/** Finds a list by the arguments of its endpoint: that is asked for the key, and nothing else of the user's runs. */
function listOf(the: Case, list: string, given: readonly unknown[]): Asked | undefined {
  const endpoint = the.endpointOf(`${list} `);
  if (!endpoint) return undefined;
  try {
    const args = endpoint[protocol].plainArgs(given);
    const name = requestPk(endpoint.name, endpoint.key(...args));
    const record = the.record(name);
    const found = isAway(record) ? undefined : queryEndpoint(the.shown, endpoint, args);
    const ref = hasAnswer(record) ? record.answer.result : found;
    const parts = ref === undefined ? none : partsOf(endpoint.schema, ref);
    const part = parts.find(({ schema }) => isLists(schema));
    if (part) return inCollection(the, name, part);
    const tables = new Set<string>();
    const [pks, told]: [string[], string[]] = [[], []];
    the.wire(schemaOf(endpoint.schema), ref, (table, pk) => {
      tables.add(table);
      return the.isShown(table, pk) ? pks.push(pk) && told.push(the.told(table, pk)) : undefined;
    });
    return { name, tables: [...tables], rows: parts, ...(ref !== undefined && { pks, told }) };
  } catch {
    return { name: list, tables: none, rows: none };
  }
}

/** The list of a Collection; it has no name where no request of its own is asked about. */
function inCollection(the: Case, name: string, part: ReturnType<typeof partsOf>[number]): Asked {
  const { table, pk } = part;
  const place = { ...part, told: the.names.pk(table, pk) };
  const told = the.members(table, pk, the.shown, the.told);
  return { name, place, tables: tablesOfLists(table), rows: none, pks: the.members(table, pk), told };
}

function reasonsOfList(the: Case, asked: Asked): readonly Reason[] {
  const { name, place, rows } = asked;
  const guesses = the.guesses
    .filter((intent) => intent.changes.lists.some((change) => isOf(place, change)))
    .map((intent) => ofGuess(the, intent, 'guess', (who, state) => `${who} changes it and ${state}.`));
  const written = the.events.filter((event) => newsOf(event, place));
  const newest = written.at(-1);
  const latest = written.slice(-MOST).reverse();
  const gone = rows.filter(({ table, pk }) => !the.isShown(table, pk)).slice(0, MOST);
  return [
    ...guesses,
    ...(newest ? latest.map((event) => ofWriter(event, place, event === newest)) : unwritten(the, asked)),
    ...gone.flatMap((row) => goneTold(the, row)),
    ...takenBack(the, newest, ({ lists }) =>
      lists.some((one) => isOf(place, one)) ? 'wanted to change it' : undefined,
    ),
    ...standing(the, name),
  ];
}

function ofWriter(event: ResourceEvent, place: Asked['place'], isNewest: boolean): Reason {
  const { come = none, gone = none } = newsOf(event, place) ?? {};
  const what = [come.length > 0 ? `${come.length} came` : '', gone.length > 0 ? `${gone.length} went` : ''];
  const counts = what.filter(Boolean).join(', ');
  const text = `${isNewest ? 'It is as it came with' : 'Before:'} ${told(event)}${counts && `; ${counts}`}.`;
  return reason(kindOf(event), text, event);
}

/** What is known of a list that nothing has written. */
function unwritten(the: Case, asked: Asked): readonly Reason[] {
  if (!asked.pks) return noList(the, asked.name);
  return confirmedIn(the, asked) ? unchanged(the, asked) : none;
}
