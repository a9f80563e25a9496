import type { Item } from './Item.js';

/** Items in the order of the numbers of the database; what the disk has refused stays behind what was before it, and what is being stored comes last. */
export function inOrder(items: readonly Item[]): readonly Item[] {
  const places = new Map<Item, number>();
  let last = -Infinity;
  for (const item of items) {
    const { n = item.isDurable === false ? last : Infinity } = item.record;
    places.set(item, n);
    if (n < Infinity) last = Math.max(last, n);
  }
  const place = (item: Item): number => places.get(item) ?? Infinity;
  if (items.every((item, i) => i === 0 || place(items[i - 1] ?? item) <= place(item))) return items;
  return [...items].sort((one, other) => (place(one) === place(other) ? 0 : place(one) - place(other)));
}
