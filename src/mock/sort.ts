import { compareTexts, isField, textOf, unknownField, valueAt } from './filters.js';
import type { Entry, Table } from './Table.js';

/** A field to sort by. */
export interface Order {
  readonly path: readonly string[];
  readonly isDescending: boolean;
}

/** The texts of a parameter that says a direction, and no fields. */
export function isDirection(text: string): boolean {
  return /^(?:asc|desc)(?:ending)?$/i.test(text);
}

/** What `-field`, `field:desc`, `field.desc`, `field desc` and `field,desc` say. Throws a Problem where there is no such field. */
export function ordersOf(
  tables: readonly Table[],
  texts: readonly string[],
  directions: readonly string[],
  ignoresUnknown: boolean,
): readonly Order[] {
  return texts
    .flatMap((text) => text.split(/,(?!(?:asc|desc)(?:ending)?(?:,|$))/i))
    .flatMap((text, i) => {
      const [, sign, field = '', said] = /^([-+]?)(.*?)(?:[: .,](asc|desc)(?:ending)?)?$/i.exec(text.trim()) ?? [];
      if (field === '') return [];
      if (!isField(tables, field) && !ignoresUnknown) throw unknownField(tables, field, field);
      const direction = said ?? directions[i] ?? directions[0] ?? '';
      return [{ path: field.split('.'), isDescending: sign === '-' || /^desc/i.test(direction) }];
    });
}

/** What a row is sorted by: a value for each order, and at last its place among all. */
export type Keys = readonly unknown[];

export function keysOf(entry: Entry, orders: readonly Order[]): Keys {
  return [...orders.map(({ path }) => valueAt(entry, path) ?? null), entry.seq];
}

/** The order of two rows: null last in both directions, texts by code unit. */
export function compareKeys(one: Keys, other: Keys, orders: readonly Order[]): number {
  for (let i = 0; i < orders.length; i++) {
    const a = one[i];
    const b = other[i];
    if (a === b) continue;
    if (a === null || b === null) return a === null ? 1 : -1;
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(textOf(a), textOf(b));
    if (order !== 0) return orders[i]?.isDescending ? -order : order;
  }
  return Number(one.at(-1)) - Number(other.at(-1));
}
