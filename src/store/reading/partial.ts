import { EntitySchema } from '../../schema/EntitySchema.js';
import type { Definition } from '../../schema/Schema.js';
import { partsOf } from '../../tables/Reach.js';
import { rowFrom, type Tables } from '../../tables/tables.js';

/**
 * Whether an answer from the tables is made of an entity of which they lack a field. Lists are not looked into. What is
 * not confirmed at all, as an item that is being created, is a guess and no part of something.
 */
export function isPartialIn(tables: Tables, definition: Definition, ref: unknown, confirmed = tables): boolean {
  return partsOf(definition, ref).some(({ schema, table, pk }) => {
    if (!(schema instanceof EntitySchema) || rowFrom(confirmed, table, pk) === undefined) return false;
    const row = rowFrom(tables, table, pk);
    return row !== undefined && !schema.isComplete(row);
  });
}
