import { isLists } from '../../schema/ListsSchema.js';
import { listKey, listPk } from '../../schema/listKey.js';
import type { List } from '../../schema/Schema.js';
import { isTemporary } from '../../schema/temporary.js';
import type { Place } from '../../tables/Places.js';
import { eachRow, listFrom, tableOf, type Table, type Tables } from '../../tables/tables.js';
import type { FollowedLists } from '../order/FollowedLists.js';
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

/** The lists below what a create has made, each under its key with the real id. */
export function listsBelow(
  tables: Tables,
  followed: FollowedLists,
  requestId: string,
  ids: readonly unknown[],
): readonly (Place & { readonly list: List })[] {
  const below: (Place & { readonly list: List })[] = [];
  for (const { table } of followed.all())
    eachRow(tableOf(tables, table) as Table<List> | undefined, (list, pk) => {
      // Most lists name none.
      if (!pk.includes(requestId)) return;
      const [key] = withReal([listKey(pk)], requestId, ids);
      below.push({ table, pk: listPk(key), list });
    });
  return below;
}
