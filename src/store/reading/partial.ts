import { EntitySchema } from '../../schema/EntitySchema.js';
import type { Definition, Row } from '../../schema/Schema.js';
import { partsOf } from '../../tables/Reach.js';
import { rowOf, tableOf, type Tables } from '../../tables/tables.js';

/** Whether an answer from the tables is made of an entity of which they lack a field. Lists are not looked into. */
export function isPartialIn(tables: Tables, definition: Definition, ref: unknown): boolean {
  return partsOf(definition, ref).some(({ schema, table, pk }) => {
    // A table that is named by an entity holds rows.
    const row = rowOf(tableOf(tables, table), pk) as Row | undefined;
    return row !== undefined && schema instanceof EntitySchema && !schema.isComplete(row);
  });
}
