import type { Definition, Row } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { keptPk } from '../../tables/aliases.js';
import { pksOf, rowFrom, tableOf, type Tables } from '../../tables/tables.js';

/** What the tables have for some arguments: a reference; undefined where they do not have it. */
export function queryTables(tables: Tables, definition: Definition, args: readonly unknown[]): unknown {
  return schemaOf(definition)?.query?.(args, {
    resolve: schemaOf,
    has: (name, pk) => rowFrom(tables, name, pk) !== undefined,
    row: (name, pk) => rowFrom(tables, name, pk),
    pkOf: (name, pk) => keptPk(tables, name, pk),
    find(name, isMeant) {
      const found = pksOf(tableOf(tables, name), (row) => isMeant(row as Row));
      return found.length === 1 ? found[0] : undefined;
    },
  });
}
