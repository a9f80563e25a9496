import { applyChanges, type Changes } from '../tables/changes.js';
import { eachRow, rowOf, tableOf, TableWriter } from '../tables/tables.js';
import type { List, Row } from '../schema/Schema.js';
import { tablesOfLists } from '../schema/listKey.js';
import { isTotal } from '../schema/Total.js';
import { holdsNotes } from '../tables/aliases.js';
import { sameValue } from '../tables/same.js';
import type { RequestRecord, ResourcesState } from './state.js';

/**
 * A slice with another merged in, as a read that is older than all that is present. Where the two tell some row differently, lists may have it in another
 * place by now: the answers that are taken in are stale.
 */
export function hydrate(state: ResourcesState, incoming: ResourcesState): ResourcesState {
  const { isOutdated, ...changes } = missing(state, incoming);
  // A tag speaks for a whole row, as it came with it.
  const tags = incoming.tags && !isOutdated ? { ...incoming.tags, ...state.tags } : state.tags;
  return {
    ...state,
    tags,
    seq: Math.max(state.seq, incoming.seq),
    tables: applyChanges(state.tables, [changes]),
    requests: missingRecords(state, incoming, isOutdated),
  };
}

/** What a slice lacks of another: rows and lists that it has not, and fields of rows that it has in part. */
function missing(state: ResourcesState, incoming: ResourcesState): Changes & { readonly isOutdated: boolean } {
  const changes: { rows: Changes['rows'][number][]; lists: Changes['lists'][number][] } = { rows: [], lists: [] };
  let isOutdated = false;
  for (const name of Object.keys(incoming.tables)) {
    const present = tableOf(state.tables, name);
    const pks: string[] = [];
    const rows: Row[] = [];
    // How many rows there are, when they came about, and what they are called now.
    const isNoted = isTotal(name) || holdsNotes(name);
    eachRow(tableOf(incoming.tables, name), (row, pk) => {
      const known = rowOf(present, pk) as Row | undefined;
      if (tablesOfLists(name).length > 0) {
        if (!known) changes.lists.push({ table: name, pk, operation: 'set', list: row as List });
        return;
      }
      // That is noted by the clock of one store; but where the numbers differ, so do the lists.
      if (known && isNoted) {
        isOutdated ||= isTotal(name) && !sameValue(known['count'], (row as Row)['count']);
        return;
      }
      isOutdated ||= known !== undefined && contradicts(known, row as Row);
      pks.push(pk);
      rows.push({ ...(row as Row), ...known });
    });
    if (pks.length > 0) changes.rows.push({ table: name, pks, rows });
  }
  return { ...changes, isOutdated };
}

/** Whether two rows have different values in a field of both. */
function contradicts(known: Row, row: Row): boolean {
  return Object.keys(row).some((field) => Object.hasOwn(known, field) && !sameValue(known[field], row[field]));
}

function missingRecords(
  state: ResourcesState,
  incoming: ResourcesState,
  isOutdated: boolean,
): ResourcesState['requests'] {
  const records = new TableWriter<RequestRecord>(state.requests);
  eachRow(incoming.requests, (record, pk) => {
    const known = records.get(pk);
    if (known?.answer) return;
    const { answer } = record;
    const { pending = [] } = known ?? {};
    // What was called stale here, or no good, an older answer does not make fresh.
    const isStale = isOutdated || known?.expired || known?.invalid;
    records.set(
      pk,
      isStale && answer ? { ...record, pending, answer: { ...answer, expiresAt: 0 } } : { ...record, pending },
    );
  });
  return records.done();
}
