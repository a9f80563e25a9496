import { tablesOfLists } from '../../schema/listKey.js';
import { pick, type Row } from '../../schema/Schema.js';
import { isTemporary } from '../../schema/temporary.js';
import { isTotal } from '../../schema/Total.js';
import { metaSuffix } from '../../tables/inputs.js';
import { eachRow, tableOf } from '../../tables/tables.js';
import type { Case } from '../explain/Case.js';
import type { Put } from '../explain/wire.js';
import { redactRow } from '../record/redact.js';

/**
 * What is shown as the seed of a mock server: rows in wire form, in the order of the longest list that has them. In place of a relation stands its row
 * without relations: the server finds by it which row of the seed is meant. Where no request has met the class, it stays a pk.
 */
export function seedOf(the: Case): Readonly<Record<string, readonly Row[]>> {
  const seed: Record<string, readonly Row[]> = {};
  const put: Put = (table, pk) => {
    const relations = new Map(the.schemaOf(table)?.nested);
    return told(the, table, pk, (row) => pick(row, (field) => !relations.has(field)));
  };
  for (const table of Object.keys(the.shown)) {
    if (tablesOfLists(table).length > 0 || isTotal(table) || table.endsWith(metaSuffix)) continue;
    const inFull = (pk: string): Row | undefined => told(the, table, pk, () => the.wireRow(table, pk, the.shown, put));
    const rows = [...pksInOrder(the, table)].map(inFull).filter((row) => row !== undefined);
    if (rows.length > 0) seed[table] = rows;
  }
  return seed;
}

/** What is made of a row that is shown, as it is told; what is being created, no server has yet. */
function told(the: Case, table: string, pk: string, make: (row: Row) => Row | undefined): Row | undefined {
  const row = !isTemporary(pk) && the.isShown(table, pk) ? the.row(the.shown, table, pk) : undefined;
  const made = row && make(row);
  return made && (redactRow(made, `${table}/${pk}`, the.redact) ?? undefined);
}

function pksInOrder(the: Case, table: string): ReadonlySet<string> {
  const lists: (readonly string[])[] = [];
  for (const name of Object.keys(the.shown)) {
    if (!tablesOfLists(name).includes(table)) continue;
    eachRow(tableOf(the.shown, name), (_, key) => {
      const pks = the.members(name, key) ?? [];
      if (pks.every((pk) => the.row(the.shown, table, pk) !== undefined)) lists.push(pks);
    });
  }
  const pks = new Set(lists.sort((one, other) => other.length - one.length).flat());
  eachRow(tableOf(the.shown, table), (_, pk) => pks.add(pk));
  return pks;
}
