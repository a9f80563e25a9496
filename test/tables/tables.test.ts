import { describe, expect, it } from 'vitest';
import { applyChanges, type Changes } from '../../src/tables/changes.js';
import { Overlay } from '../../src/tables/Overlay.js';
import { eachRow, rowOf, slotOf, tableOf, type Table, type Tables } from '../../src/tables/tables.js';

const write = (...pks: readonly string[]): Changes => ({
  rows: [{ table: 'T', pks, rows: pks.map((pk) => ({ id: pk })) }],
  lists: [],
});
const edit = (pk: string, fields: object): Changes => ({
  rows: [{ table: 'T', pks: [pk], rows: [{ ...fields }] }],
  lists: [],
});
const remove = (...pks: readonly string[]): Changes => ({
  rows: [{ table: 'T', pks, rows: pks.map(() => null) }],
  lists: [],
});
const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => String(from + i));
const tableIn = (tables: Tables): Table => tableOf(tables, 'T') ?? expect.fail('There is no table.');
const read = (tables: Tables, pk: string) => rowOf(tableOf(tables, 'T'), pk);
const pksIn = (tables: Tables) => {
  const pks: string[] = [];
  eachRow(tableIn(tables), (_, pk) => pks.push(pk));

  return pks;
};

describe('a table', () => {
  it.each([0, 1, 255, 256, 257, 512, 1000])('finds each of %i rows, in their order', (count) => {
    const pks = numbered(0, count);

    const tables = applyChanges({}, [write('first', ...pks)]);

    expect(pksIn(tables)).toEqual(['first', ...pks]);
    expect(pks.every((pk) => read(tables, pk) !== undefined)).toBe(true);
    expect(read(tables, String(count))).toBeUndefined();
  });

  it('keeps its rows in pages of 256', () => {
    const tables = applyChanges({}, [write(...numbered(0, 600))]);

    const table = tableIn(tables);

    expect(table.n).toBe(600);
    expect(table.rows.map((page) => page.length)).toEqual([256, 256, 88]);
    expect(table.pks.map((page) => page.length)).toEqual([256, 256, 88]);
  });

  it('copies only the page that is written to', () => {
    const before = applyChanges({}, [write(...numbered(0, 600))]);

    const after = applyChanges(before, [edit('300', { title: 'new' })]);

    const [one, other] = [tableIn(before), tableIn(after)];
    expect(other.rows.map((page, i) => page === one.rows[i])).toEqual([true, false, true]);
    expect(other.pks).toBe(one.pks);
    expect(other.rows[1]?.[0]).toBe(one.rows[1]?.[0]);
    expect(read(after, '300')).toEqual({ id: '300', title: 'new' });
    expect(read(before, '300')).toEqual({ id: '300' });
  });

  it('uses the place of a removed row again', () => {
    const before = applyChanges({}, [write(...numbered(0, 300))]);
    const freed = slotOf(tableIn(before), '5');

    const after = applyChanges(before, [remove('5'), write('new')]);

    expect(slotOf(tableIn(after), 'new')).toBe(freed);
    expect(tableIn(after).n).toBe(300);
    expect(tableIn(after).free).toEqual([]);
    expect(pksIn(after)).toHaveLength(300);
  });

  it('does not grow by what comes and goes', () => {
    let tables = applyChanges({}, [write(...numbered(0, 10))]);

    for (let i = 10; i < 1000; i++) tables = applyChanges(tables, [remove(String(i - 1)), write(String(i))]);

    expect(tableIn(tables).n).toBe(10);
    expect(pksIn(tables).sort()).toEqual([...numbered(0, 9), '999'].sort());
  });

  it('may be emptied and filled again', () => {
    const full = applyChanges({}, [write(...numbered(0, 300))]);

    const empty = applyChanges(full, [remove(...numbered(0, 300))]);
    const again = applyChanges(empty, [write(...numbered(100, 400))]);

    expect(pksIn(empty)).toEqual([]);
    expect(pksIn(again).sort()).toEqual(numbered(100, 400).sort());
    expect(numbered(100, 400).every((pk) => slotOf(tableIn(again), pk) < 300)).toBe(true);
  });

  it('has a row that was removed and written in one step', () => {
    const before = applyChanges({}, [write('a', 'b')]);

    const after = applyChanges(before, [remove('a'), edit('a', { again: true })]);

    expect(read(after, 'a')).toEqual({ again: true });
    expect(pksIn(after).sort()).toEqual(['a', 'b']);
  });

  it('has no row that was written and removed in one step', () => {
    const before = applyChanges({}, [write('a')]);

    const after = applyChanges(before, [write('b', 'c'), remove('b'), write('d'), remove('d')]);

    expect(pksIn(after)).toEqual(['a', 'c']);
    expect(['b', 'd'].map((pk) => read(after, pk))).toEqual([undefined, undefined]);
  });

  it('finds nothing under an empty pk, though a place is free', () => {
    const tables = applyChanges({}, [write('a', 'b'), remove('a')]);

    expect(read(tables, '')).toBeUndefined();
    expect(slotOf(tableIn(tables), '')).toBe(-1);
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'length', '0'])('has %s as a pk', (pk) => {
    const before = applyChanges({}, [write('other')]);

    const after = applyChanges(before, [write(pk)]);

    expect(read(before, pk)).toBeUndefined();
    expect(read(after, pk)).toEqual({ id: pk });
    expect(read(applyChanges(after, [remove(pk)]), pk)).toBeUndefined();
  });

  it.each(['__proto__', 'constructor', 'toString'])('may be called %s', (table) => {
    const changes: Changes = { rows: [{ table, pks: ['1'], rows: [{ id: 1 }] }], lists: [] };

    const tables = applyChanges({}, [changes]);

    expect(Object.keys(tables)).toEqual([table]);
    expect(rowOf(tableOf(tables, table), '1')).toEqual({ id: 1 });
    expect(tableOf({}, table)).toBeUndefined();
  });

  it('has frozen pages and rows, to their depths, so that a change by hand throws', () => {
    const tables = applyChanges({}, [edit('a', { nested: { list: [{ deep: 1 }] } })]);

    const row = read(tables, 'a') as { nested: { list: { deep: number }[] } };

    expect(() => (row.nested.list[0] = { deep: 2 })).toThrow(TypeError);
    expect(() => Object.assign(row.nested.list[0] ?? {}, { deep: 2 })).toThrow(TypeError);
    expect(() => (tableOf(tables, 'T')?.rows[0] as unknown[]).pop()).toThrow(TypeError);
  });

  it('is read as well when it came from elsewhere, as JSON', () => {
    const tables = applyChanges({}, [write(...numbered(0, 300)), remove('5', '299')]);

    const copy = JSON.parse(JSON.stringify(tables)) as Tables;
    const after = applyChanges(copy, [write('new')]);

    expect(copy).toEqual(tables);
    expect(pksIn(copy)).toEqual(pksIn(tables));
    expect(pksIn(copy).every((pk) => read(copy, pk) !== undefined)).toBe(true);
    expect(read(after, 'new')).toEqual({ id: 'new' });
    expect(read(after, '5')).toBeUndefined();
  });
});

describe('an older version', () => {
  it('finds the rows that were removed since, and not those that were added', () => {
    const first = applyChanges({}, [write(...numbered(0, 300))]);
    const second = applyChanges(first, [remove('5', '270')]);
    const third = applyChanges(second, [write('new', 'newer', 'newest')]);

    expect([first, second, third].map((tables) => read(tables, '5') !== undefined)).toEqual([true, false, false]);
    expect([first, second, third].map((tables) => read(tables, '270') !== undefined)).toEqual([true, false, false]);
    expect([first, second, third].map((tables) => read(tables, 'new') !== undefined)).toEqual([false, false, true]);
    expect(read(first, '5')).toEqual({ id: '5' });
  });

  it('finds each of its rows, whichever versions were asked before', () => {
    const versions: Tables[] = [applyChanges({}, [write(...numbered(0, 20))])];
    for (let i = 0; i < 40; i++) {
      const last = versions.at(-1) ?? {};
      const change = i % 3 === 0 ? remove(String(i % 20)) : write(String(20 + i), String(i % 20));
      versions.push(applyChanges(last, [change]));
    }

    for (const tables of [...versions].reverse()) {
      const there = new Set(pksIn(tables));
      const asked = numbered(0, 60);
      expect(asked.filter((pk) => read(tables, pk) !== undefined)).toEqual(asked.filter((pk) => there.has(pk)));
    }
  });

  it('goes on as a branch of its own', () => {
    const trunk = applyChanges({}, [write('a', 'b', 'c')]);
    const one = applyChanges(trunk, [remove('b'), write('d')]);
    const other = applyChanges(trunk, [write('e'), remove('a')]);
    const later = applyChanges(other, [write('f')]);

    expect(pksIn(trunk).sort()).toEqual(['a', 'b', 'c']);
    expect(pksIn(one).sort()).toEqual(['a', 'c', 'd']);
    expect(pksIn(later).sort()).toEqual(['b', 'c', 'e', 'f']);
    const all = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect([trunk, one, other, later].map((tables) => all.filter((pk) => read(tables, pk)).join(''))).toEqual([
      'abc',
      'acd',
      'bce',
      'bcef',
    ]);
  });

  it('finds what two branches added under the same pk', () => {
    const trunk = applyChanges({}, [write('a')]);

    const one = applyChanges(trunk, [edit('b', { of: 'one' })]);
    const other = applyChanges(trunk, [write('x'), edit('b', { of: 'other' })]);

    expect([read(one, 'b'), read(other, 'b')]).toEqual([{ of: 'one' }, { of: 'other' }]);
    expect(read(one, 'x')).toBeUndefined();
    expect(read(trunk, 'b')).toBeUndefined();
  });
});

describe('an overlay', () => {
  it('has what it adds and changes, and not what it removes, while the table under it lives on', () => {
    const under = applyChanges({}, [write(...numbered(0, 300))]);

    const over = new Overlay().show(under, [write('new'), edit('7', { title: 'x' }), remove('8')]);
    const later = applyChanges(under, [write('later'), remove('9')]);

    expect(read(over, 'new')).toEqual({ id: 'new' });
    expect(read(over, '7')).toEqual({ id: '7', title: 'x' });
    expect([read(over, '8'), read(over, 'later')]).toEqual([undefined, undefined]);
    expect(read(over, '9')).toEqual({ id: '9' });
    expect([read(under, 'new'), read(later, 'new')]).toEqual([undefined, undefined]);
    expect(read(under, '8')).toEqual({ id: '8' });
    expect([read(later, '9'), read(under, 'later')]).toEqual([undefined, undefined]);
  });

  it('takes no place that the table under it has freed', () => {
    const under = applyChanges({}, [write('a', 'b', 'c'), remove('b')]);

    const over = new Overlay().show(under, [write('d')]);
    const after = applyChanges(under, [write('e')]);

    expect(pksIn(over)).toEqual(['a', 'c', 'd']);
    expect(slotOf(tableIn(after), 'e')).toBe(1);
    expect([read(over, 'e'), read(after, 'd')]).toEqual([undefined, undefined]);
  });

  it('of an overlay has the rows of all three', () => {
    const under = applyChanges({}, [write('a', 'b')]);
    const over = new Overlay().show(under, [write('c'), remove('a')]);

    const top = new Overlay().show(over, [write('d'), remove('c')]);

    expect(['a', 'b', 'c', 'd'].map((pk) => read(top, pk) !== undefined)).toEqual([false, true, false, true]);
    expect(['a', 'b', 'c', 'd'].map((pk) => read(over, pk) !== undefined)).toEqual([false, true, true, false]);
  });

  it('has no row that it removed, whatever is done to it later', () => {
    const under = applyChanges({}, [write('a', 'b')]);

    const over = new Overlay().show(under, [remove('a'), edit('a', { again: true })]);

    expect(read(over, 'a')).toBeUndefined();
    expect(read(under, 'a')).toEqual({ id: 'a' });
  });

  it('keeps the rows of the previous overlay that say the same', () => {
    const under = applyChanges({}, [write('a', 'b')]);
    const overlay = new Overlay();
    const first = overlay.show(under, [edit('a', { title: 'x' }), write('c')]);
    const moved = applyChanges(under, [edit('b', { title: 'other' })]);

    const second = overlay.show(moved, [edit('a', { title: 'x' }), write('c')]);

    expect(read(second, 'a')).toBe(read(first, 'a'));
    expect(read(second, 'c')).toBe(read(first, 'c'));
    expect(read(second, 'b')).toBe(read(moved, 'b'));
  });

  it('of nothing is the tables themselves', () => {
    const under = applyChanges({}, [write('a')]);

    const overlays = [new Overlay().show(under, []), new Overlay().show(under, [write('a')])];

    expect(overlays.every((over) => over === under)).toBe(true);
  });
});
