import { own, type Definition, type Finder, type Row } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { keptPk } from '../../tables/aliases.js';
import { eachRow, rowOf, tableOf, type Tables } from '../../tables/tables.js';

/** What the tables have for some arguments: a reference; undefined where they do not have it. */
export function queryTables(tables: Tables, definition: Definition, args: readonly unknown[]): unknown {
  return schemaOf(definition)?.query?.(args, finderOf(tables));
}

/** Looks things up in tables, for arguments that nobody asked the server about. */
function finderOf(tables: Tables): Finder {
  return {
    resolve: schemaOf,
    has: (name, pk) => rowOf(tableOf(tables, name), pk) !== undefined,
    // A table that is named by an entity holds rows.
    row: (name, pk) => rowOf(tableOf(tables, name), pk) as Row | undefined,
    pkOf: (name, pk) => keptPk(tables, name, pk),
    find(name, field, value, isMeant) {
      let found: string | undefined;
      eachRow(tableOf(tables, name), (one, pk) => {
        const row = one as Row;
        if (found === undefined && own(row, field) === value && (!isMeant || isMeant(row))) found = pk;
      });
      return found;
    },
  };
}
