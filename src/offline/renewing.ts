import { sameValue } from '../tables/same.js';
import { rowFrom } from '../tables/tables.js';
import { seenBy } from './base.js';
import type { Desk } from './desk.js';
import type { Item } from './Item.js';

/** What was confirmed is what later writes to the same rows are made on. */
export async function renewBase({ shelf, standing, parts }: Desk, rows: readonly string[]): Promise<void> {
  if (!standing.isLeading) return;
  const later = new Map<Item, readonly string[]>();
  for (const item of shelf.all()) {
    const shared = item.isSending ? [] : shelf.rowsOf(item).filter((row) => rows.includes(row));
    if (shared.length > 0) later.set(item, shared);
  }
  const toStore = nextOf(later, rows);
  const { tables } = parts.store.slice;
  for (const item of later.keys()) {
    const { record, flight } = item;
    const seen = flight ? seenBy(flight, parts.etags) : record.seen;
    // What the user has seen, nothing else tells to another life of the tab.
    if (!sameValue(seen?.row, record.seen?.row)) toStore.add(item);
    const base = record.base.map((one) => ({ ...one, row: rowFrom(tables, one.table, one.pk) ?? one.row }));
    item.record = { ...record, base, baseAt: Date.now(), seen };
  }
  // What is being stored is stored with it.
  const kept = [...toStore].filter(({ isDurable }) => isDurable !== undefined);
  if (kept.length > 0)
    await shelf.change(
      kept.map((item) => ({ item, to: item.record })),
      true,
    );
}

/** The next of each row. It alone is stored with what was confirmed, the others are when they are sent: else n edits of one row would be written n² / 2 times. */
function nextOf(later: ReadonlyMap<Item, readonly string[]>, rows: readonly string[]): Set<Item> {
  const next = rows.flatMap((row) => {
    const items = [...later].flatMap(([item, shared]) => (shared.includes(row) ? [item] : []));
    return items.find(({ isOpen }) => isOpen) ?? items[0] ?? [];
  });
  return new Set(next);
}
