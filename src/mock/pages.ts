import { Problem } from './problem.js';
import { compareKeys, keysOf, type Keys, type Order } from './sort.js';
import type { Entry, Table } from './Table.js';

/** Which part of a list a request asks for. */
export interface Window {
  readonly style: 'page' | 'offset' | 'cursor';
  readonly size: number;
  /** A number of a page, or of rows to leave out; a cursor's text. */
  readonly at: string | undefined;
  /** The number of the first page, or of no rows to leave out. */
  readonly first: number;
  /** Whether the part ends before the cursor, or is the end of the list. */
  readonly isBackward: boolean;
}

/** A part of a list, with what asks for those beside it; undefined where there is none. */
export interface Part<Item = Entry> {
  readonly entries: readonly Item[];
  readonly next?: number | string | undefined;
  readonly previous?: number | string | undefined;
}

/** A row of a list, with what it is sorted by. */
interface Placed {
  readonly entry: Entry;
  readonly keys: Keys;
}

/** Sorts rows, and cuts a part out of them; without a window all. */
export function partOf(
  tables: readonly Table[],
  found: readonly Entry[],
  orders: readonly Order[],
  window: Window | undefined,
): Part {
  const placed = found.map((entry) => ({ entry, keys: keysOf(entry, orders) }));
  placed.sort((one, other) => compareKeys(one.keys, other.keys, orders));
  let part: Part<Placed> = { entries: placed };
  if (window?.style === 'cursor') part = byCursor(tables, placed, orders, window);
  else if (window) part = byNumber(placed, window);
  return { ...part, entries: part.entries.map(({ entry }) => entry) };
}

function byNumber(placed: readonly Placed[], { style, size, at, first }: Window): Part<Placed> {
  const number = Number(at ?? first);
  const [unit, step] = style === 'page' ? [size, 1] : [1, size];
  const start = (number - first) * unit;
  return {
    entries: placed.slice(start, start + size),
    next: start + size < placed.length ? number + step : undefined,
    previous: start > 0 ? Math.max(first, number - step) : undefined,
  };
}

function byCursor(
  tables: readonly Table[],
  placed: readonly Placed[],
  orders: readonly Order[],
  window: Window,
): Part<Placed> {
  const { length } = placed;
  const { size, at } = window;
  const { keys, isBackward = window.isBackward } = at === undefined ? {} : namedBy(tables, at, orders);
  const isBefore = (one: Keys): boolean => {
    if (!keys) return isBackward;
    const order = compareKeys(one, keys, orders);
    return order < 0 || (order === 0 && !isBackward);
  };
  const border = placed.filter((one) => isBefore(one.keys)).length;
  const start = isBackward ? Math.max(0, border - size) : border;
  const end = isBackward ? border : Math.min(border + size, length);
  return {
    entries: placed.slice(start, end),
    next: end < length ? cursorTo(placed[end - 1]?.keys ?? keys, false) : undefined,
    previous: start > 0 ? cursorTo(placed[start]?.keys ?? keys, true) : undefined,
  };
}

/** An opaque text that leads to a place in a list, also when the row there is deleted. */
function cursorTo(keys: Keys | undefined, isBackward: boolean): string {
  return btoa(encodeURIComponent(JSON.stringify({ keys, isBackward })));
}

/** The place that a cursor leads to; the pk of a row is a cursor, too. */
function namedBy(
  tables: readonly Table[],
  cursor: string,
  orders: readonly Order[],
): { readonly keys?: Keys; readonly isBackward?: boolean } {
  for (const { rows, ghosts } of tables) {
    const entry = rows.get(cursor) ?? ghosts.get(cursor);
    if (entry) return { keys: keysOf(entry, orders) };
  }
  try {
    // What is no cursor of ours fails here, or below.
    const { keys, isBackward } = JSON.parse(decodeURIComponent(atob(cursor))) as { keys: Keys; isBackward: boolean };
    if (keys.length === orders.length + 1) return { keys, ...(isBackward && { isBackward }) };
  } catch {
    // Told below.
  }
  throw new Problem(400, `"${cursor}" is no cursor of this list`);
}
