import fc from 'fast-check';
import type { Changes, ListChange, Tables } from 'rtk-resource/normalize';
import { expect, it } from 'vitest';
import { applyChanges } from '../../src/tables/changes.js';
import { Overlay } from '../../src/tables/Overlay.js';
import { eachRow, tableOf } from '../../src/tables/tables.js';
import { rowChangesOf } from '../support/changes.js';
import '../support/search.js';

const ITEMS = 'Item';
const LISTS = '[Item]';

const pk = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
const row = fc.record({ v: fc.nat(2), w: fc.record({ x: fc.nat(1) }) }, { requiredKeys: [] });
const rowChanges = rowChangesOf(ITEMS, pk, row, { most: 3, gone: 3 });
const listChange: fc.Arbitrary<ListChange> = fc
  .record({
    pk: fc.constantFrom('{}', '{"a":"1"}'),
    operation: fc.constantFrom('set', 'append', 'push', 'push', 'unshift', 'remove', 'merge'),
    list: fc.uniqueArray(pk, { maxLength: 3 }),
    beside: fc.option(pk),
    hides: fc.boolean(),
  })
  .map(({ beside, hides, operation, ...change }) => ({
    table: LISTS,
    operation,
    ...change,
    ...(beside !== null && { beside }),
    ...(hides && operation === 'remove' && { hides: true }),
  }));
const changes: fc.Arbitrary<Changes> = fc.record({
  rows: fc.array(rowChanges, { maxLength: 2 }),
  lists: fc.array(listChange, { maxLength: 2 }),
});

/** What happens before the tables are shown next. */
const step = fc.record({
  does: fc.constantFrom('begin', 'begin', 'end', 'end', 'become other', 'commit', 'commit', 'travel'),
  at: fc.nat(10),
  change: changes,
});

const first: Changes = {
  rows: [{ table: ITEMS, pks: ['a', 'b', 'c'], rows: [{ v: 0 }, { v: 1 }, { v: 2 }] }],
  lists: [{ table: LISTS, pk: '{}', operation: 'set', list: ['a', 'b'] }],
};

/** The rows and lists of tables; rows in their order, for whoever reads all of a class sees it. */
function contentsOf(tables: Tables): readonly (readonly [pk: string, row: unknown])[] {
  const [rows, lists] = [ITEMS, LISTS].map((name) => {
    const found: [string, unknown][] = [];
    eachRow(tableOf(tables, name), (one, key) => found.push([key, one]));
    return found;
  });
  return [...(rows ?? []), ...(lists ?? []).sort(([one], [other]) => (one < other ? -1 : 1))];
}

function show(tables: Tables, all: readonly Changes[]): ReturnType<typeof contentsOf> {
  return contentsOf(new Overlay().show(tables, all));
}

it('an overlay shows what one would that has shown nothing before', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 14 }), (steps) => {
      const overlay = new Overlay();
      const versions = [applyChanges({}, [first])];
      let tables = versions[0] ?? {};
      let all: readonly Changes[] = [];

      for (const { does, at, change } of steps) {
        const place = at % Math.max(1, all.length);
        if (does === 'begin') all = [...all, change];
        else if (does === 'end') all = all.filter((_, i) => i !== place);
        else if (does === 'become other') all = all.map((one, i) => (i === place ? change : one));
        else if (does === 'travel') tables = versions[at % versions.length] ?? tables;
        else versions.push((tables = applyChanges(tables, [change])));
        const shown = overlay.show(tables, all);

        expect(contentsOf(shown)).toEqual(show(tables, all));
        expect(overlay.show(tables, all)).toEqual(shown);
      }
    }),
    { numRuns: 2000 },
  );
});

it('an overlay puts an item before one that has come with it, at once or one by one', () => {
  const push = (list: readonly string[], beside?: string): Changes => ({
    rows: [],
    lists: [{ table: LISTS, pk: '{}', operation: 'push', list, ...(beside !== undefined && { beside }) }],
  });
  const tables = applyChanges({}, [first]);
  const all = [push(['c']), push(['d'], 'c')];
  const overlay = new Overlay();
  overlay.show(tables, all.slice(0, 1));

  expect(contentsOf(overlay.show(tables, all)).at(-1)).toEqual(['{}', ['a', 'b', 'd', 'c']]);
  expect(show(tables, all).at(-1)).toEqual(['{}', ['a', 'b', 'd', 'c']]);
});

it('an overlay has rows in the order in which the changes come to them, also where what lay under one goes', () => {
  const rows = (...pks: readonly string[]): Changes => ({
    rows: [{ table: ITEMS, pks, rows: pks.map(() => ({ v: 9 })) }],
    lists: [],
  });
  const tables = applyChanges({}, [first]);
  const [edit, others] = [rows('a'), rows('new', 'a')];
  const overlay = new Overlay();
  overlay.show(tables, [edit, others]);
  overlay.show(tables, [others]);
  const without = applyChanges(tables, [{ rows: [{ table: ITEMS, pks: ['a'], rows: [null] }], lists: [] }]);

  expect(contentsOf(overlay.show(without, [others]))).toEqual(show(without, [others]));
});
