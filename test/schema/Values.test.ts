import { Entity, schema } from 'rtk-resource';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { expectWarning } from '../support/strict.js';
import { expectRefusal, makeEngine } from './engine.js';

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}

class Group extends Entity {
  id = 0;
  static override key = 'Group';
}

describe('schema.Values', () => {
  const byName = new schema.Values(User);

  it('has entities by whatever names came', () => {
    const { take, read, row } = makeEngine();

    const result = take(byName, { first: { id: 1, name: 'Ada' }, 'a b': { id: 2 } });

    const values = read(byName, result);
    expect(result).toEqual({ first: '1', 'a b': '2' });
    expect(values).toEqual({ first: User.fromJS({ id: 1, name: 'Ada' }), 'a b': User.fromJS({ id: 2 }) });
    expect(row('User', '1')).toEqual({ id: 1, name: 'Ada' });
    expectTypeOf(values).toEqualTypeOf<Record<string, User> | undefined>();
  });

  it('has no name for what is null, or undefined, or gone', () => {
    const { take, read } = makeEngine();
    const result = take(byName, { a: { id: 1 }, b: null, c: undefined, d: { id: 2 } });

    take(new schema.Invalidate(User), { id: 2 });

    expect(read(byName, result)).toEqual({ a: User.fromJS({ id: 1 }) });
  });

  it('has each in the schema that its attribute picks', () => {
    const { give } = makeEngine();
    const definition = new schema.Values({ user: User, group: Group }, 'type');

    const values = give(definition, { a: { id: 1, type: 'user' }, b: { id: 1, type: 'group' } });

    expect(values?.['a']).toBeInstanceOf(User);
    expect(values?.['b']).toBeInstanceOf(Group);
  });

  it('picks by a function that is told the value, the parent and the name', () => {
    const { give } = makeEngine();
    const definition = new schema.Values({ u: User, g: Group }, (_value: unknown, _parent: unknown, key: string) =>
      key.slice(0, 1),
    );

    const values = give(definition, { u1: { id: 1 }, g1: { id: 1 } });

    expect(values?.['u1']).toBeInstanceOf(User);
    expect(values?.['g1']).toBeInstanceOf(Group);
  });

  it('leaves what the mapping has no schema for as it came, with a warning', () => {
    expectWarning(/"robot"/);
    const { give, tables } = makeEngine();
    const definition = new schema.Values({ user: User }, 'type');

    const values: unknown = give(definition, { a: { id: 1, type: 'robot' } });

    expect(values).toEqual({ a: { id: 1, type: 'robot' } });
    expect(tables()).toEqual({});
  });

  it('merges what define adds', () => {
    const { give } = makeEngine();
    const definition = new schema.Values({ user: User }, 'type').define({ group: Group });

    const values: unknown = give(definition, { a: { id: 1, type: 'user' }, b: { id: 1, type: 'group' } });

    expect(values).toEqual({ a: expect.any(User) as User, b: expect.any(Group) as Group });
  });

  it('has plain values where they have no schema', () => {
    const { give } = makeEngine();

    const values: unknown = give(new schema.Values(0), { a: 1, b: 2 });

    expect(values).toEqual({ a: 1, b: 2 });
  });

  it('has hostile names as data', () => {
    const { give } = makeEngine();
    const input: unknown = JSON.parse('{"__proto__":{"id":1},"constructor":{"id":2},"toString":{"id":3}}');

    const values = give(byName, input) ?? {};

    expect(Object.keys(values)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.values(values).map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
  });

  it.each([[[]], ['text'], [5]])('refuses %j', (input) => {
    const { take, tables } = makeEngine();

    expectRefusal(() => take(byName, input), 'R6', 'Test/get', JSON.stringify(input));

    expect(tables()).toEqual({});
  });

  it('is the same object until it changes', () => {
    const { give } = makeEngine();
    const before = give(byName, { a: { id: 1 }, b: { id: 2 } });

    const same = give(byName, { a: { id: 1 }, b: { id: 2 } });
    const other = give(byName, { a: { id: 1, name: 'Ada' }, b: { id: 2 } });

    expect(same).toBe(before);
    expect(other).not.toBe(before);
    expect(other?.['b']).toBe(before?.['b']);
  });

  it('is frozen', () => {
    const { give } = makeEngine();

    const values = give(byName, { a: { id: 1 } });

    expect(Object.isFrozen(values)).toBe(true);
  });

  it('stands in an entity', () => {
    class Board extends Entity {
      id = 0;
      seats: Record<string, User> = {};
      static override key = 'Board';
      static override schema = { seats: new schema.Values(User) };
    }
    const { give, row } = makeEngine();

    const board = give(Board, { id: 1, seats: { left: { id: 7 }, right: 8 } });

    expect(board?.seats).toEqual({ left: User.fromJS({ id: 7 }) });
    expect(row('Board', '1')).toEqual({ id: 1, seats: { left: '7', right: '8' } });
  });
});
