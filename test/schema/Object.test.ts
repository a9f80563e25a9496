import { Entity, schema } from 'rtk-resource';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { expectRefusal, makeEngine } from './engine.js';

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}

const makeDefinition = () => ({ user: User, users: [User], total: 0, note: 'none', open: false, at: Date }) as const;

describe.each([
  ['schema.Object', new schema.Object(makeDefinition())],
  ['{ … }', makeDefinition()],
])('%s', (_, definition) => {
  it('has schemas in its fields', () => {
    const { take, read } = makeEngine();

    const result = take(definition, { user: { id: 1, name: 'Ada' }, users: [{ id: 2 }] });

    expect(result).toEqual({ user: '1', users: ['2'] });
    expect(read(definition, result)).toMatchObject({
      user: User.fromJS({ id: 1, name: 'Ada' }),
      users: [User.fromJS({ id: 2 })],
    });
  });

  it('has default values for what a response leaves out', () => {
    const { give } = makeEngine();

    const value = give(definition, { total: 5 });

    expect(value).toEqual({ user: undefined, users: undefined, total: 5, note: 'none', open: false, at: undefined });
  });

  it('has null where a response says null', () => {
    const { give } = makeEngine();

    const value = give(definition, { user: null, users: null, total: null, note: null, at: null });

    expect(value).toEqual({ user: null, users: null, total: null, note: null, open: false, at: null });
  });

  it('has fields of a response that it does not name', () => {
    const { give } = makeEngine();

    const value = give(definition, { more: { a: [1] } });

    expect(value).toMatchObject({ more: { a: [1] } });
  });

  it('has deserialized fields, and keeps what came', () => {
    const { take, read } = makeEngine();
    const at = '2024-02-29T12:00:00.000Z';

    const result = take(definition, { at });

    expect(result).toEqual({ at });
    expect(read(definition, result)).toMatchObject({ at: new Date(at) });
  });

  it('is the same object until it changes', () => {
    const { give } = makeEngine();
    const before = give(definition, { users: [{ id: 1 }], total: 1 });

    const same = give(definition, { users: [{ id: 1 }], total: 1 });
    const other = give(definition, { users: [{ id: 1 }], total: 2 });

    expect(same).toBe(before);
    expect(other).not.toBe(before);
  });

  it('is frozen', () => {
    const { give } = makeEngine();

    const value = give(definition, {});

    expect(Object.isFrozen(value)).toBe(true);
  });

  it.each([[[]], ['text'], [5], [true]])('refuses %j', (input) => {
    const { take, tables } = makeEngine();

    expectRefusal(() => take(definition, input), 'R6', 'Test/get', 'user', JSON.stringify(input));

    expect(tables()).toEqual({});
  });

  it('loses a field whose entity is gone, and nothing else', () => {
    const { take, read } = makeEngine();
    const result = take(definition, { user: { id: 1 }, users: [{ id: 1 }, { id: 2 }], total: 2 });

    take(new schema.Invalidate(User), '1');

    expect(read(definition, result)).toMatchObject({ user: undefined, users: [User.fromJS({ id: 2 })], total: 2 });
  });
});

describe('a shape', () => {
  it('is typed by what its fields describe', () => {
    const { give } = makeEngine();

    const value = give({ users: [User], total: 0, note: 'none' }, { users: [] });

    expectTypeOf(value).toEqualTypeOf<{ users: User[]; total: number; note: string } | undefined>();
  });

  it('may be nested', () => {
    const { give } = makeEngine();

    const value = give(
      { data: { page: { users: [User], total: 0 } } },
      { data: { page: { users: [{ id: 1 }] }, more: 1 } },
    );

    expect(value).toEqual({ data: { page: { users: [User.fromJS({ id: 1 })], total: 0 }, more: 1 } });
  });

  it('stands in an entity, and in a list', () => {
    class Report extends Entity {
      id = 0;
      meta: { by?: User; lines: number } = { lines: 0 };
      static override key = 'Report';
      static override schema = { meta: { by: User, lines: 0 } };
    }
    const { give, row } = makeEngine();

    const values = give([{ report: Report }], [{ report: { id: 1, meta: { by: { id: 7 } } } }]);

    expect(values?.[0]?.report.meta).toEqual({ by: User.fromJS({ id: 7 }), lines: 0 });
    expect(row('Report', '1')).toEqual({ id: 1, meta: { by: '7' } });
  });

  it('has an empty list or an empty object as a default value', () => {
    const { give } = makeEngine();

    const values = [give({ tags: [], extra: {} }, {}), give({ tags: [], extra: {} }, { tags: ['a'], extra: { b: 1 } })];

    expect(values).toEqual([
      { tags: [], extra: {} },
      { tags: ['a'], extra: { b: 1 } },
    ]);
  });

  it('merges what define adds, so that it may contain itself', () => {
    const node = new schema.Object({ user: User });
    node.define({ inner: node });
    const { give } = makeEngine();

    const value: unknown = give(node, { user: { id: 1 }, inner: { user: { id: 2 }, inner: { user: { id: 1 } } } });

    expect(value).toMatchObject({ user: { id: 1 }, inner: { user: { id: 2 }, inner: { user: { id: 1 } } } });
  });

  it('has hostile names as data', () => {
    const { give } = makeEngine();
    const input: unknown = JSON.parse('{"__proto__":{"admin":true},"constructor":"x","user":{"id":1}}');

    const value: unknown = give({ user: User }, input);

    expect(Object.keys(value as object).sort()).toEqual(['__proto__', 'constructor', 'user']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('does not take a field from the prototype of a response', () => {
    const { give } = makeEngine();

    const value = give({ toString: User, constructor: 0 }, {});

    expect(value).toEqual({ toString: undefined, constructor: 0 });
  });
});
