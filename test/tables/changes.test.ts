import { describe, expect, it } from 'vitest';
import { applyChanges, noChanges, type Changes } from '../../src/tables/changes.js';
import type { ListChange } from '../../src/tables/members.js';
import { sameValue } from '../../src/tables/same.js';
import { applyAllToList, applyToList } from '../../src/tables/members.js';
import type { List, Ref, Row } from '../../src/schema/Schema.js';
import { rowOf, tableOf, type Tables } from '../../src/tables/tables.js';

const post = (pk: string): Ref => ({ pk, schema: 'post', table: 'Post' });
const link = (pk: string): Ref => ({ pk, schema: 'link', table: 'Link' });
type Operation = Omit<ListChange, 'table' | 'pk'>;
const after = (there: List | undefined, ...operations: readonly Operation[]) =>
  operations.reduce<List | undefined>((list, operation) => applyToList(list, operation), there);

describe('a row', () => {
  const rows = (...all: readonly (readonly [string, Row | null])[]): Changes => ({
    rows: [{ table: 'T', pks: all.map(([pk]) => pk), rows: all.map(([, row]) => row) }],
    lists: [],
  });
  const read = (tables: Tables, pk = '1') => rowOf(tableOf(tables, 'T'), pk);

  it('has the fields of all changes, the later ones over the earlier', () => {
    const tables = applyChanges({}, [rows(['1', { a: 1, b: 1 }]), rows(['1', { b: 2 }]), rows(['1', { c: 3 }])]);

    expect(read(tables)).toEqual({ a: 1, b: 2, c: 3 });
  });

  it('has null where a change says so', () => {
    const tables = applyChanges({}, [rows(['1', { a: 1 }]), rows(['1', { a: null }])]);

    expect(read(tables)).toEqual({ a: null });
  });

  it('is taken away by null', () => {
    const tables = applyChanges({}, [rows(['1', { a: 1 }], ['2', { a: 2 }]), rows(['1', null])]);

    expect([read(tables, '1'), read(tables, '2')]).toEqual([undefined, { a: 2 }]);
  });

  it('stands as it is when the change is whole', () => {
    const before = applyChanges({}, [rows(['1', { a: 1, b: 1 }])]);

    const tables = applyChanges(before, [
      { rows: [{ table: 'T', pks: ['1'], rows: [{ b: 2 }], whole: true }], lists: [] },
    ]);

    expect(read(tables)).toEqual({ b: 2 });
  });

  it('is not made by a change of what exists', () => {
    const before = applyChanges({}, [rows(['1', { a: 1 }])]);

    const tables = applyChanges(before, [
      { rows: [{ table: 'T', pks: ['1', '2'], rows: [{ b: 2 }, { b: 2 }], existing: true }], lists: [] },
    ]);

    expect([read(tables, '1'), read(tables, '2')]).toEqual([{ a: 1, b: 2 }, undefined]);
  });

  it.each<[string, Row]>([
    ['the same fields', { a: 1, b: { c: [1, { d: null }] } }],
    ['some of them', { a: 1 }],
    ['none', {}],
  ])('stays the same object when a change brings %s', (_, fields) => {
    const before = applyChanges({}, [rows(['1', { a: 1, b: { c: [1, { d: null }] } }])]);

    const tables = applyChanges(before, [rows(['1', structuredClone(fields)])]);

    expect(tables).toBe(before);
  });

  it('leaves every other row and table the same object', () => {
    const before = applyChanges({}, [
      rows(['1', { a: 1 }], ['2', { a: 2 }]),
      { rows: [{ table: 'U', pks: ['1'], rows: [{ a: 1 }] }], lists: [] },
    ]);

    const tables = applyChanges(before, [rows(['1', { a: 5 }])]);

    expect(read(tables, '2')).toBe(read(before, '2'));
    expect(tables['U']).toBe(before['U']);
    expect(tables['T']).not.toBe(before['T']);
  });

  it.each(['__proto__', 'constructor', 'toString'])('has a field called %s as data', (field) => {
    const incoming = JSON.parse(`{"${field}":{}}`) as Row;
    const before = applyChanges({}, [rows(['1', { a: 1 }])]);

    const tables = applyChanges(before, [rows(['1', incoming])]);

    expect(Object.keys(read(tables) as Row)).toEqual(['a', field]);
    expect(Object.getPrototypeOf(read(tables))).toBe(Object.prototype);
  });

  it('is not changed by no changes', () => {
    const before = applyChanges({}, [rows(['1', { a: 1 }])]);

    const all = [applyChanges(before, []), applyChanges(before, [noChanges]), applyChanges(before, [rows()])];

    expect(all.every((tables) => tables === before)).toBe(true);
  });
});

describe('a list', () => {
  it.each<[string, List | undefined, Operation, List | undefined]>([
    ['set', ['1'], { operation: 'set', list: ['2', '3'] }, ['2', '3']],
    ['set where there was none', undefined, { operation: 'set', list: ['2'] }, ['2']],
    ['append', ['1', '2'], { operation: 'append', list: ['3', '2', '4'] }, ['1', '2', '3', '4']],
    ['append where there was none', undefined, { operation: 'append', list: ['1', '2'] }, ['1', '2']],
    ['push', ['1'], { operation: 'push', list: ['2', '3'] }, ['1', '2', '3']],
    ['push where there was none', undefined, { operation: 'push', list: ['2'] }, undefined],
    ['unshift', ['1'], { operation: 'unshift', list: ['2', '3'] }, ['2', '3', '1']],
    ['unshift where there was none', undefined, { operation: 'unshift', list: ['2'] }, undefined],
    ['remove', ['1', '2', '3'], { operation: 'remove', list: ['3', '1', '9'] }, ['2']],
    ['remove where there was none', undefined, { operation: 'remove', list: ['3'] }, undefined],
    ['assign', { a: '1', b: '2' }, { operation: 'assign', list: { b: '3', c: '4' } }, { a: '1', b: '3', c: '4' }],
    ['push of nothing', ['1'], { operation: 'push', list: [] }, ['1']],
    ['push of a member of a union', [post('1')], { operation: 'push', list: [link('1')] }, [post('1'), link('1')]],
    ['remove of a member of a union', [post('1'), link('1')], { operation: 'remove', list: [post('1')] }, [link('1')]],
    ['push that repeats itself', ['1'], { operation: 'push', list: ['2', '2'] }, ['1', '2']],
    ['unshift that repeats itself', ['1'], { operation: 'unshift', list: ['2', '2'] }, ['2', '1']],
    ['append that repeats itself', undefined, { operation: 'append', list: ['2', '2'] }, ['2']],
    ['append of a union that repeats itself', [], { operation: 'append', list: [post('1'), post('1')] }, [post('1')]],
    ['push past null', [null, '1'], { operation: 'push', list: ['2'] }, [null, '1', '2']],
    ['remove past null', [null, '1', '2'], { operation: 'remove', list: ['1'] }, [null, '2']],
  ])('after %s', (_, there, operation, expected) => {
    const list = after(there, operation);

    expect(list).toEqual(expected);
  });

  it.each<[string, List, Operation]>([
    ['set to the same', ['1', '2'], { operation: 'set', list: ['1', '2'] }],
    ['set to the same of a union', [post('1'), link('2')], { operation: 'set', list: [post('1'), link('2')] }],
    ['set to the same by name', { a: '1' }, { operation: 'set', list: { a: '1' } }],
    ['append of what is there', ['1', '2'], { operation: 'append', list: ['2', '1'] }],
    ['push of what is there', ['1', '2'], { operation: 'push', list: ['1'] }],
    ['push of a union that is there', [post('1')], { operation: 'push', list: [post('1')] }],
    ['unshift of what is there', ['1', '2'], { operation: 'unshift', list: ['2'] }],
    ['remove of what is not there', ['1'], { operation: 'remove', list: ['2'] }],
    ['remove from another table', [post('1')], { operation: 'remove', list: [link('1')] }],
    ['assign of the same', { a: '1', b: '2' }, { operation: 'assign', list: { b: '2' } }],
    ['push of nothing', ['1'], { operation: 'push', list: [] }],
  ])('is the same object after %s', (_, there, operation) => {
    const list = after(there, operation);

    expect(list).toBe(there);
  });

  it('has each item where its first operation put it, in their order', () => {
    const list = after(
      ['1'],
      { operation: 'push', list: ['2'] },
      { operation: 'unshift', list: ['3'] },
      { operation: 'push', list: ['3'] },
      { operation: 'append', list: ['4', '1'] },
      { operation: 'remove', list: ['2'] },
      { operation: 'push', list: ['2'] },
    );

    expect(list).toEqual(['3', '1', '4', '2']);
  });

  it('has of one row what came first, whether pushed together or one by one', () => {
    const asPost: Ref = { pk: '1', schema: 'post', table: 'T' };
    const asLink: Ref = { pk: '1', schema: 'link', table: 'T' };
    const steps = [asPost, asLink].map((ref) => ({ operation: 'push' as const, list: [ref] }));

    expect(after([], ...steps)).toEqual([asPost]);
    expect(applyAllToList([], steps)).toEqual([asPost]);
    expect(applyToList(undefined, { operation: 'append', list: [asPost, asLink] })).toEqual([asPost]);
  });

  it('is not changed itself', () => {
    const there = Object.freeze(['1', '2']);

    const lists = (['append', 'push', 'unshift', 'remove', 'set'] as const).map((operation) =>
      after(there, { operation, list: ['2', '3'] }),
    );

    expect(lists.every((list) => list !== there)).toBe(true);
    expect(there).toEqual(['1', '2']);
  });

  it('stands in a table, and changes in the order of its operations', () => {
    const one = (operation: ListChange['operation'], list: List, pk = '{}'): ListChange => ({
      table: '[T]',
      pk,
      operation,
      list,
    });

    const tables = applyChanges({}, [
      { rows: [], lists: [one('set', ['1', '2']), one('push', ['3']), one('set', ['9'], '{"a":"1"}')] },
      { rows: [], lists: [one('remove', ['1']), one('push', ['4'], '{"a":"2"}')] },
    ]);

    const table = tableOf(tables, '[T]');
    expect(rowOf(table, '{}')).toEqual(['2', '3']);
    expect(rowOf(table, '{"a":"1"}')).toEqual(['9']);
    expect(rowOf(table, '{"a":"2"}')).toBeUndefined();
  });
});

describe('sameValue', () => {
  it.each<[unknown, unknown]>([
    [1, 1],
    [NaN, NaN],
    [null, null],
    [undefined, undefined],
    [[], []],
    [{}, {}],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [
      [1, [2, { a: [null] }]],
      [1, [2, { a: [null] }]],
    ],
  ])('holds for %j and %j', (one, other) => {
    expect(sameValue(one, other)).toBe(true);
  });

  it.each<[unknown, unknown]>([
    [1, '1'],
    [0, null],
    [null, undefined],
    [[], {}],
    [{}, null],
    [{ a: undefined }, {}],
    [{ a: undefined }, { b: undefined }],
    [{ a: 1 }, { a: 1, b: 2 }],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: { b: { c: 1 } } }, { a: { b: { c: 2 } } }],
    [JSON.parse('{"__proto__":{}}'), { a: {} }],
    [{ toString: 1 }, { valueOf: 1 }],
  ])('does not hold for %j and %j', (one, other) => {
    expect(sameValue(one, other)).toBe(false);
    expect(sameValue(other, one)).toBe(false);
  });

  it('goes to any depth', () => {
    const nest = (depth: number, inner: unknown): unknown => {
      let value = inner;
      for (let i = 0; i < depth; i++) value = { value };

      return value;
    };

    const found = [sameValue(nest(100_000, 1), nest(100_000, 1)), sameValue(nest(100_000, 1), nest(100_000, 2))];

    expect(found).toEqual([true, false]);
  });
});
