import { applyChanges, type Changes } from '../tables/changes.js';
import { eachRow, rowOf, tableOf, TableWriter } from '../tables/tables.js';
import type { List, Row } from '../schema/Schema.js';
import { tablesOfLists } from '../schema/listKey.js';
import type { RequestRecord, ResourcesState } from './state.js';

/** A slice with another merged in, as a read that is older than all that is present. */
export function hydrate(state: ResourcesState, incoming: ResourcesState): ResourcesState {
  return {
    ...state,
    seq: Math.max(state.seq, incoming.seq),
    tables: applyChanges(state.tables, [missing(state, incoming)]),
    requests: missingRecords(state, incoming),
  };
}

/** What a slice lacks of another: rows and lists that it has not, and fields of rows that it has in part. */
function missing(state: ResourcesState, incoming: ResourcesState): Changes {
  const changes: { rows: Changes['rows'][number][]; lists: Changes['lists'][number][] } = { rows: [], lists: [] };
  for (const name of Object.keys(incoming.tables)) {
    const present = tableOf(state.tables, name);
    const pks: string[] = [];
    const rows: Row[] = [];
    eachRow(tableOf(incoming.tables, name), (row, pk) => {
      const known = rowOf(present, pk) as Row | undefined;
      if (tablesOfLists(name).length > 0) {
        if (!known) changes.lists.push({ table: name, pk, operation: 'set', list: row as List });
        return;
      }
      pks.push(pk);
      rows.push({ ...(row as Row), ...known });
    });
    if (pks.length > 0) changes.rows.push({ table: name, pks, rows });
  }
  return changes;
}

function missingRecords(state: ResourcesState, incoming: ResourcesState): ResourcesState['requests'] {
  const records = new TableWriter<RequestRecord>(state.requests);
  eachRow(incoming.requests, (record, pk) => {
    const known = records.get(pk);
    if (known?.answer) return;
    records.set(pk, { ...record, pending: known?.pending ?? [] });
  });
  return records.done();
}
