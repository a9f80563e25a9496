import { isUnionRef, none, own, setOwn, type List, type Ref, type Row } from '../../schema/Schema.js';
import { tablesOfLists } from '../../schema/listKey.js';
import { rowIn, type Changes, type RowChanges } from '../../tables/changes.js';
import { type ListChange, refsIn } from '../../tables/members.js';
import { sameValue } from '../../tables/same.js';
import { holdsNotes } from '../../tables/aliases.js';
import { eachRow, listFrom, rowFrom, rowOf, tableOf, type Tables } from '../../tables/tables.js';
import type { ListNews, News, RowNews } from './events.js';
import { redactRow, type Redact } from './redact.js';

export const noNews: News = { rows: none, lists: none };

/** The pks of the members of a list. */
export function pksOf(list: List | undefined): readonly string[] {
  return list ? refsIn(list).flatMap(pkOf) : none;
}

function pkOf(ref: Ref | null | undefined): readonly string[] {
  return isUnionRef(ref) ? [ref.pk] : typeof ref === 'string' ? [ref] : none;
}

/** What changes have made of tables: the fields that are others, the members that have come or gone. */
export function newsOf({ rows, lists }: Changes, before: Tables, after: Tables, redact: Redact): News {
  const places = new Map(lists.map((change) => [`${change.table}\u0000${change.pk}`, change]));
  return {
    rows: rows.flatMap(({ table, pks }) => rowNews(table, pks, before, after, redact)),
    lists: [...places.values()].flatMap((change) => listNews(change, before, after)),
  };
}

/** All that differs between two tables: something has replaced the one by the other. */
export function allNews(before: Tables, after: Tables, redact: Redact): News {
  const rows: RowNews[] = [];
  const lists: ListNews[] = [];
  for (const table of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const pks = differing(before, after, table);
    if (tablesOfLists(table).length === 0) rows.push(...rowNews(table, pks, before, after, redact));
    else for (const pk of pks) lists.push(...listNews({ table, pk, operation: 'set', list: none }, before, after));
  }
  return { rows, lists };
}

function differing(before: Tables, after: Tables, name: string): readonly string[] {
  const [one, other] = [tableOf(before, name), tableOf(after, name)];
  const pks = new Set<string>();
  if (one === other) return none;
  eachRow(other, (row, pk) => {
    if (rowOf(one, pk) !== row) pks.add(pk);
  });
  eachRow(one, (_, pk) => {
    if (rowOf(other, pk) === undefined) pks.add(pk);
  });
  return [...pks];
}

function rowNews(
  table: string,
  pks: readonly string[],
  before: Tables,
  after: Tables,
  redact: Redact,
): readonly RowNews[] {
  return trimmed(table, pks, (pk) => differences(rowFrom(before, table, pk), rowFrom(after, table, pk)), redact);
}

/** Of some rows of the user's, what something finds of each; undefined leaves it out. */
function trimmed(
  table: string,
  all: readonly string[],
  find: (pk: string, i: number) => Row | null | undefined,
  redact: Redact,
): readonly RowNews[] {
  const [pks, rows]: [string[], (Row | null)[]] = [[], []];
  for (const [i, pk] of holdsNotes(table) ? none : all.entries()) {
    const row = find(pk, i);
    if (row === undefined) continue;
    pks.push(pk);
    rows.push(redactRow(row, `${table}/${pk}`, redact));
  }
  return pks.length > 0 ? [{ table, pks, rows }] : none;
}

/** The fields of a row that are others than before, null where it is gone; undefined where nothing is another. */
function differences(before: Row | undefined, after: Row | undefined): Row | null | undefined {
  if (before === after) return undefined;
  if (!after) return null;
  if (!before) return after;
  const fields: Row = {};
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)]))
    if (!sameValue(own(before, field), own(after, field))) setOwn(fields, field, own(after, field));
  return Object.keys(fields).length > 0 ? fields : undefined;
}

function listNews(change: ListChange, before: Tables, after: Tables): readonly ListNews[] {
  const { table, pk, operation } = change;
  const [was, is] = [listFrom(before, table, pk), listFrom(after, table, pk)];
  if (was === is) return none;
  const [earlier, later] = [pksOf(was), pksOf(is)];
  const [known, kept] = [new Set(earlier), new Set(later)];
  const come = later.filter((one) => !known.has(one));
  const gone = earlier.filter((one) => !kept.has(one));
  return [{ table, pk, isWhole: operation === 'set' || was === undefined, come, gone, ...flagsOf(change) }];
}

function flagsOf({ follows, moves, hides }: ListChange): Pick<ListNews, 'follows' | 'hides'> {
  return { ...((follows ?? moves) && { follows: true as const }), ...(hides && { hides }) };
}

/** What a guess is made of; of one that was found anew, what is another than before. */
export function guessNews(changes: Changes, earlier: Changes | undefined, redact: Redact): News {
  const isNew = (change: ListChange): boolean =>
    !earlier?.lists.some((one) => one === change || sameValue(one, change));
  return {
    rows: changes.rows.flatMap(({ table, pks }) =>
      trimmed(
        table,
        pks,
        (pk) => {
          const [was, is] = [earlier && rowIn(earlier, table, pk), rowIn(changes, table, pk)];
          return was && is ? differences(was, is) : was === null && is === null ? undefined : is;
        },
        redact,
      ),
    ),
    lists: changes.lists.filter(isNew).map(guessedList),
  };
}

/** What a guess makes of a list. */
export function guessedList(change: ListChange): ListNews {
  const { table, pk, operation, list } = change;
  const [pks, isGone] = [pksOf(list), operation === 'remove'];
  return {
    table,
    pk,
    isWhole: operation === 'set',
    come: isGone ? none : pks,
    gone: isGone ? pks : none,
    ...flagsOf(change),
  };
}

/** The fields that an answer told of rows, and that are others there. */
export function passedOver(told: readonly RowChanges[], after: Tables, redact: Redact): readonly RowNews[] {
  return told.flatMap(({ table, pks, rows }) =>
    trimmed(
      table,
      pks,
      (pk, i) => {
        const held = rowFrom(after, table, pk);
        const fields = Object.entries(rows[i] ?? {}).filter(([field, value]) => !sameValue(own(held, field), value));
        return fields.length > 0 ? Object.fromEntries(fields) : undefined;
      },
      redact,
    ),
  );
}

export function isNothing({ rows, lists }: News): boolean {
  return rows.length === 0 && lists.length === 0;
}
