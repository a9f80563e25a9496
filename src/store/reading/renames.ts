import { aliasSuffix, hasAliases, type Alias } from '../../tables/aliases.js';
import { eachRow, tableOf, type Table, type Tables } from '../../tables/tables.js';
import { protocol, type AnyEndpoint, type Renames } from '../endpoint.js';

/** The arguments of a request with the pks that rows have been given in place of those that they had, in the order in which they were renamed. */
export function withNewPks(endpoint: AnyEndpoint, args: readonly unknown[], tables: Tables): readonly unknown[] {
  if (!hasAliases(tables)) return args;
  const renames: (Renames[number] & { readonly at: number })[] = [];
  for (const table of Object.keys(tables).filter((one) => one.endsWith(aliasSuffix)))
    eachRow(tableOf(tables, table) as Table<Alias>, ({ at, path, was, now }) => {
      if (at !== undefined && path !== undefined && was && now) renames.push({ at, path, was, now });
    });
  renames.sort((one, other) => one.at - other.at);
  return renames.length === 0 ? args : endpoint[protocol].renamed(args, renames);
}
