import { EntitySchema } from '../../schema/EntitySchema.js';
import type { Reader } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { eachRow, rowFrom, tableOf, type Tables } from '../../tables/tables.js';

/** Gives what stands in the place of a row; undefined leaves it out. */
export type Put = (table: string, pk: string) => unknown;

/** Reads as selectors do, with something else in the place of each row. No code of the user's runs. */
export function readerInWire(tables: Tables, put: Put): Reader {
  const from: Reader = {
    resolve: schemaOf,
    isTracing: true,
    row: (schema, pk) => {
      if (schema instanceof EntitySchema) return put(schema.table, pk);
      // A list, or a number of rows, is made of what is kept of it.
      const kept = rowFrom(tables, schema.table, pk);
      const value = kept === undefined ? undefined : schema.begin(kept);
      if (value) schema.fill(value, kept, from);
      return value;
    },
    rows: ({ table }) => {
      const values: unknown[] = [];
      eachRow(tableOf(tables, table), (_, pk) => values.push(put(table, pk)));
      return values.filter((value) => value !== undefined);
    },
    computed: () => undefined,
  };
  return from;
}
