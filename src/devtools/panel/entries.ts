import { pkAt } from '../../tables/slots.js';
import { rowAt, slotOf, type Table } from '../../tables/tables.js';

/** The rows of a table by position; nothing is made of those that nobody looks at. */
export interface Entries {
  readonly count: number;
  pk(at: number): string;
  /** The position of a pk, or -1. */
  at(pk: string | undefined): number;
}

const used = new WeakMap<Table['pks'], readonly number[]>();

export function entriesOf(table: Table | undefined): Entries {
  if (!table) return { count: 0, pk: () => '', at: () => -1 };
  const { pks, free, n } = table;
  const slot = (pk: string | undefined): number => (pk === undefined ? -1 : slotOf(table, pk));
  if (free.length === 0) return { count: n, pk: (at) => pkAt(pks, at) ?? '', at: slot };
  const slots = used.get(pks) ?? Array.from({ length: n }, (_, i) => i).filter((i) => rowAt(table, i) !== undefined);
  used.set(pks, slots);
  return { count: slots.length, pk: (at) => pkAt(pks, slots[at] ?? -1) ?? '', at: (pk) => slots.indexOf(slot(pk)) };
}
