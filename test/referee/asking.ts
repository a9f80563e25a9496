import type { Asked, Shown, ShownRow } from './Client.js';
import type { Draw } from './history.js';
import { valuesOf } from './Server.js';
import type { Field, World } from './worlds.js';

/** The rows that somebody may do something to: those that are shown, and two that everybody knows of. */
export function knownIn(
  { lists: shown, rows }: Shown,
  takesTemporaryIds: boolean,
): readonly Pick<ShownRow, 'id' | 'origin'>[] {
  const seen = [...Object.values(shown), Object.values(rows)].flat().filter((row) => row !== undefined);
  const all = [{ id: 1, origin: 's1' }, { id: 2, origin: 's2' }, ...seen];
  // The id of an item that is still being made is known from the list alone.
  const byOrigin = new Map(all.reverse().map(({ id, origin }) => [origin, { id, origin }]));
  return [...byOrigin.values()].reverse().filter(({ id }) => takesTemporaryIds || typeof id === 'number');
}

/** What somebody asks for who means this row. */
export function askedOf(draw: Draw, id: number | string, number: number, world: World): Asked {
  const { is, list, named, isQuiet } = draw;
  const by = `c${number}`;
  switch (is) {
    case 'list': {
      const isByNumber = world.lists.some(({ name, pages }) => name === list && pages === 'by number');
      const page = isByNumber ? beginning(draw) : undefined;
      return { is, list, ...(page !== undefined && { page }) };
    }
    case 'next':
    case 'previous':
    case 'refetch':
      return { is, list };
    case 'page':
      // Lists by cursors have no numbers: there the next page stands for any.
      return world.lists.some(({ name, pages }) => name === list && pages === 'by cursor')
        ? { is: 'next', list }
        : { is, list, page: (draw.row % 4) + 1 };
    case 'get':
      return { is, id };
    case 'patch':
      return { is, id, body: valuesOf(named, draw, by), isQuiet };
    case 'vote':
      return { is, id, by: String(number) };
    case 'delete':
      return { is, id, isQuiet };
    default: {
      const { fields } = world;
      const filters: readonly Field[] = ['folder', 'state'];
      const said = fields.filter((field) => named.includes(field) || filters.includes(field));
      const { type } = draw;
      return { is, body: { ...valuesOf(said, draw, by), origin: by, ...(type && { type }) }, isQuiet };
    }
  }
}

/** Where a list by numbers begins: at its first page, said or not, or seldom at the second. */
function beginning({ row }: Draw): number | undefined {
  return row < 3 ? undefined : row < 6 ? 1 : 2;
}
