import { isTotal } from '../schema/Total.js';
import { noChanges } from '../tables/changes.js';
import { rowFrom } from '../tables/tables.js';
import type { Flight } from '../store/running/flight.js';
import type { KeeperParts } from '../store/running/keeping.js';
import type { ResourcesState } from '../store/state.js';
import type { BaseRow, Seen } from './entries.js';

/** The confirmed rows that a write is to change, and all rows that it is about, by table and pk. */
export function rowsOf({ meta, target }: Flight, slice: ResourcesState): { base: BaseRow[]; rows: string[] } {
  const { changes = noChanges } = slice.intents.find(({ requestId }) => requestId === meta.requestId) ?? {};
  // A total is told by the clock of this life, and counts writes that have nothing else in common.
  const rows = changes.rows.filter(({ table }) => !isTotal(table));
  const places = rows.flatMap(({ table, pks }) => pks.map((pk) => ({ table, pk })));
  if (target) places.push({ table: target.table, pk: target.pk });
  const base = new Map<string, BaseRow>();
  for (const { table, pk } of places) {
    const row = rowFrom(slice.tables, table, pk);
    if (row) base.set(`${table} ${pk}`, { table, pk, row });
  }
  return { base: [...base.values()], rows: [...new Set(places.map(({ table, pk }) => `${table} ${pk}`))] };
}

/** What the user has seen of the row of a write, and the tag that it would be sent with; undefined where its endpoint heeds no tags. */
export function seenBy(flight: Flight, etags: KeeperParts['etags']): Seen | undefined {
  const { seen, tag, merged } = flight;
  if (!seen && !tag) return undefined;
  return { row: seen, tag: etags.tagFor(flight)?.value, ...(merged && { merged }) };
}

/** A write has seen what was stored of that. */
export function see(flight: Flight, { row, tag, merged }: Seen): void {
  Object.assign(flight, { seen: row, tag, merged });
}
