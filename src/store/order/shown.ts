import type { Changes } from '../../tables/changes.js';
import { Overlay } from '../../tables/Overlay.js';
import type { Tables } from '../../tables/tables.js';
import type { Intent } from './intent.js';
import { pendingLists, type Records } from './lists.js';

/** What is shown: confirmed tables with the pending intents applied in order; the very tables while none is pending. */
export function showIntents(
  tables: Tables,
  intents: readonly Intent[],
  records: Records,
  overlay = new Overlay(),
): Tables {
  if (intents.length === 0) return tables;
  const isRecorded = ({ changes }: Intent): boolean =>
    changes.lists.some(({ table, pk }) => records.record(table, pk) !== undefined);
  if (!intents.some(isRecorded))
    return overlay.show(
      tables,
      intents.map(({ changes }) => changes),
    );
  // Among what has settled since, operations on lists stand in the order of their requests.
  const lists = { rows: [], lists: pendingLists(intents, records) };
  return overlay.show(tables, [...intents.map(({ changes }) => withoutLists(changes)), lists]);
}

const rowsAlone = new WeakMap<Changes, Changes>();

/** The rows of some changes: the same object each time, for the overlay looks only at changes that are new to it. */
function withoutLists(changes: Changes): Changes {
  if (changes.lists.length === 0) return changes;
  let rows = rowsAlone.get(changes);
  if (!rows) rowsAlone.set(changes, (rows = { rows: changes.rows, lists: [] }));
  return rows;
}
