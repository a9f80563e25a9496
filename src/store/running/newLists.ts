import { isLists } from '../../schema/ListsSchema.js';
import { listKey, listPk } from '../../schema/listKey.js';
import type { List } from '../../schema/Schema.js';
import { isTemporary } from '../../schema/temporary.js';
import type { Place } from '../../tables/Places.js';
import { eachRow, listFrom, tableOf, type Table, type Tables } from '../../tables/tables.js';
import type { Landing } from '../order/Landing.js';
import { withReal } from '../order/temporaryIds.js';
import type { Flight } from './flight.js';

/**
 * The list that a read is about below an item whose create is not answered yet, where the list is not there: nobody else knows that item, so there is nothing
 * below it but what is created here.
 */
export function newListOf({ request: { endpoint }, args, temporaries }: Flight, tables: Tables): Place | undefined {
  const { schema } = endpoint;
  if (temporaries.length === 0 || endpoint.sideEffect || !isLists(schema) || schema.inner.isByName) return undefined;
  const list = { table: schema.table, pk: schema.pkOfArgs(args) };
  const isBelow = Object.entries(listKey(list.pk)).some(
    ([name, value]) => isTemporary(value) && schema.argumentKind(name, value) === 'filter',
  );
  return isBelow && !listFrom(tables, list.table, list.pk) ? list : undefined;
}

/** Has the lists below what a create has made under their keys with the real id, too. */
export function followBelow(
  { lists, beside: { tables, followed } }: Landing,
  requestId: string,
  ids: readonly unknown[],
): void {
  for (const { table } of followed.all())
    eachRow(tableOf(tables, table) as Table<List> | undefined, (list, pk) => {
      // Most lists name none.
      if (!pk.includes(requestId)) return;
      const [key] = withReal([listKey(pk)], requestId, ids);
      lists.follow({ table, pk: listPk(key) }, list);
    });
}
