import { EntitySchema } from '../../schema/EntitySchema.js';
import { isLists } from '../../schema/ListsSchema.js';
import { isTemporary } from '../../schema/temporary.js';
import type { Row } from '../../schema/Schema.js';
import { eachRow, tableOf } from '../../tables/tables.js';
import type { Case } from '../explain/Case.js';
import { redactRow } from '../record/redact.js';

/** What is shown as the seed of a mock server: rows in wire form, in the order of the longest list that has them. */
export function seedOf(the: Case): Readonly<Record<string, readonly Row[]>> {
  const seed: Record<string, readonly Row[]> = {};
  for (const schema of the.schemas()) {
    if (!(schema instanceof EntitySchema)) continue;
    const rows: Row[] = [];
    for (const pk of pksInOrder(the, schema.table)) {
      // What is being created, no server has yet.
      const row = !isTemporary(pk) && the.isShown(schema.table, pk) ? the.wireRow(schema.table, pk) : undefined;
      const redacted = row && redactRow(row, `${schema.table}/${pk}`, the.redact);
      if (redacted) rows.push(redacted);
    }
    if (rows.length > 0) seed[schema.table] = rows;
  }
  return seed;
}

function pksInOrder(the: Case, table: string): ReadonlySet<string> {
  const lists: (readonly string[])[] = [];
  for (const schema of the.schemas()) {
    if (!isLists(schema)) continue;
    eachRow(tableOf(the.shown, schema.table), (_, key) => {
      const pks = the.members(schema.table, key) ?? [];
      if (pks.every((pk) => the.row(the.shown, table, pk) !== undefined)) lists.push(pks);
    });
  }
  const pks = new Set(lists.sort((one, other) => other.length - one.length).flat());
  eachRow(tableOf(the.shown, table), (_, pk) => pks.add(pk));
  return pks;
}
