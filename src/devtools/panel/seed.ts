import { tablesOfLists } from '../../schema/listKey.js';
import type { Row } from '../../schema/Schema.js';
import { isTotal } from '../../schema/Total.js';
import { holdsNotes } from '../../tables/aliases.js';
import { eachRow, rowFrom, tableOf } from '../../tables/tables.js';
import type { Case } from '../explain/Case.js';
import { rowInFull } from './inFull.js';

/**
 * What is shown as the seed of a mock server: rows in wire form, in the order of the longest list that has them. In place of a relation stands its row
 * without relations: the server finds by it which row of the seed is meant. Where no request has met the class, and where
 * the store has nothing but the pk, it stays a pk.
 */
export function seedOf(the: Case): Readonly<Record<string, readonly Row[]>> {
  const seed: Record<string, readonly Row[]> = {};
  for (const table of Object.keys(the.shown)) {
    if (tablesOfLists(table).length > 0 || isTotal(table) || holdsNotes(table)) continue;
    const rows = [...pksInOrder(the, table)].map((pk) => rowInFull(the, table, pk)).filter((row) => row !== undefined);
    if (rows.length > 0) seed[table] = rows;
  }
  return seed;
}

function pksInOrder(the: Case, table: string): ReadonlySet<string> {
  const lists: (readonly string[])[] = [];
  for (const name of Object.keys(the.shown)) {
    if (!tablesOfLists(name).includes(table)) continue;
    eachRow(tableOf(the.shown, name), (_, key) => {
      const pks = the.members(name, key) ?? [];
      if (pks.every((pk) => rowFrom(the.shown, table, pk) !== undefined)) lists.push(pks);
    });
  }
  const pks = new Set(lists.sort((one, other) => other.length - one.length).flat());
  eachRow(tableOf(the.shown, table), (_, pk) => pks.add(pk));
  return pks;
}
