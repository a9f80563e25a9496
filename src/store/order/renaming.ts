import { hasValues, listKey, listPk } from '../../schema/listKey.js';
import type { List } from '../../schema/Schema.js';
import type { Renamed } from '../../tables/NormalizeOptions.js';
import { eachRow, tableOf, type Table } from '../../tables/tables.js';
import type { Beside } from './beside.js';
import type { Incoming } from './event.js';
import type { Lists } from './lists.js';

/** An answer that gives a row another pk names the fields that this is made of. The lists that addresses know by the old one follow. */
export function renaming(
  event: Incoming,
  { target, now, fields }: Renamed,
  { tables, followed }: Pick<Beside, 'tables' | 'followed'>,
  lists: Lists,
): Incoming {
  const { named } = target;
  if (named && now)
    for (const collection of followed.all())
      eachRow(tableOf(tables, collection.table) as Table<List> | undefined, (list, pk) => {
        const key = listKey(pk);
        const isNamed = Object.keys(named).every((name) => collection.pathNames.has(name)) && hasValues(key, named);
        if (isNamed) lists.follow({ table: collection.table, pk: listPk({ ...key, ...now }) }, list);
      });
  return {
    ...event,
    names: (table, pk, isOutermost) => {
      const named = event.names(table, pk, isOutermost);
      return table === target.table && pk === target.pk ? [...new Set([...named, ...fields])] : named;
    },
  };
}
