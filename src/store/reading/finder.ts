import { own, type Finder, type Row } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { eachRow, slotOf, tableOf, type Tables } from '../../tables/tables.js';

/** Looks things up in tables, for arguments that nobody asked the server about. */
export function finderOf(tables: Tables): Finder {
  return {
    resolve: schemaOf,
    has(name, pk) {
      const table = tableOf(tables, name);
      return table !== undefined && slotOf(table, pk) >= 0;
    },
    find(name, field, value) {
      const table = tableOf(tables, name);
      let found: string | undefined;
      if (table) {
        eachRow(table, (row, pk) => {
          // Fields of a row, as its table is named by an entity.
          if (found === undefined && own(row as Row, field) === value) found = pk;
        });
      }
      return found;
    },
  };
}
