import { getOrMake } from '../../schema/Schema.js';
import { aliasSuffix, type Alias } from '../../tables/aliases.js';
import { eachRow, tableOf, type Table, type Tables } from '../../tables/tables.js';
import { protocol, type AnyEndpoint, type Renames } from '../endpoint.js';

/** The renames that tables tell of: asked by each selector, and found once. */
const all = new WeakMap<Tables, Renames>();

/** The arguments of a request with the pks that rows have been given in place of those that they had, in the order in which they were renamed. */
export function withNewPks(endpoint: AnyEndpoint, args: readonly unknown[], tables: Tables): readonly unknown[] {
  return endpoint[protocol].renamed(
    args,
    getOrMake(all, tables, () => renamesIn(tables)),
  );
}

function renamesIn(tables: Tables): Renames {
  const renames: (Renames[number] & { readonly at: number })[] = [];
  for (const table in tables)
    if (table.endsWith(aliasSuffix))
      eachRow(tableOf(tables, table) as Table<Alias>, ({ at, path, was, now }) => {
        if (at !== undefined && path !== undefined && was && now) renames.push({ at, path, was, now });
      });
  return renames.sort((one, other) => one.at - other.at);
}
