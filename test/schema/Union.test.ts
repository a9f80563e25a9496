import { Entity, schema } from 'rtk-resource';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { expectWarning } from '../support/strict.js';
import { expectRefusal, makeEngine } from './engine.js';

class User extends Entity {
  id = 0;
  type = 'user' as const;
  static override key = 'User';
}

class Group extends Entity {
  id = 0;
  type = 'group' as const;
  leader: User | undefined = undefined;
  static override key = 'Group';
  static override schema = { leader: User };
}

const owner = new schema.Union({ user: User, group: Group }, 'type');

describe('schema.Union', () => {
  it('is of the class that its attribute chooses', () => {
    const { give } = makeEngine();

    const values = [give(owner, { id: 1, type: 'user' }), give(owner, { id: 1, type: 'group', leader: { id: 2 } })];

    expect(values).toEqual([User.fromJS({ id: 1 }), Group.fromJS({ id: 1, leader: User.fromJS({ id: 2 }) })]);
    expectTypeOf(values).toEqualTypeOf<(User | Group | undefined)[]>();
  });

  it('is the same object as from elsewhere', () => {
    const { give, read } = makeEngine();

    const value = give(owner, { id: 1, type: 'user' });

    expect(value).toBe(read(User, '1'));
  });

  it('stands in an entity, as plain data that tells its class', () => {
    class Repo extends Entity {
      id = 0;
      owner: User | Group | undefined = undefined;
      static override key = 'Repo';
      static override schema = { owner };
    }
    const { give, row } = makeEngine();

    const repo = give(Repo, { id: 1, owner: { id: 5, type: 'group' } });

    expect(repo?.owner).toBeInstanceOf(Group);
    expect(row('Repo', '1')).toEqual({ id: 1, owner: { pk: '5', schema: 'group', table: 'Group' } });
    expect(JSON.parse(JSON.stringify(row('Repo', '1')))).toEqual(row('Repo', '1'));
  });

  it('is told apart by a function', () => {
    const { give } = makeEngine();
    const definition = new schema.Union({ users: User, groups: Group }, ({ type }: { type: string }) => `${type}s`);

    const value = give(definition, { id: 1, type: 'group' });

    expect(value).toBeInstanceOf(Group);
  });

  it('is null where a response says null, and nothing where it says nothing', () => {
    const { take } = makeEngine();

    const results = [take(owner, null), take(owner, undefined)];

    expect(results).toEqual([null, undefined]);
  });

  it('stays as it came, with a warning, where the mapping has no schema', () => {
    expectWarning(/"bot"/);
    const { give, tables } = makeEngine();

    const value: unknown = give(owner, { id: 1, type: 'bot' });

    expect(value).toEqual({ id: 1, type: 'bot' });
    expect(tables()).toEqual({});
  });

  it('may map to schemas that are no entities', () => {
    const { give } = makeEngine();
    const definition = new schema.Union({ one: User, many: { items: [User] } }, 'kind' as never);

    const value: unknown = give(
      [definition],
      [
        { id: 1, kind: 'one' },
        { kind: 'many', items: [{ id: 1 }, { id: 2 }] },
      ],
    );

    expect(value).toEqual([
      expect.objectContaining({ id: 1 }),
      { kind: 'many', items: [expect.objectContaining({ id: 1 }), expect.objectContaining({ id: 2 })] },
    ]);
  });

  it('merges what define adds', () => {
    const { give } = makeEngine();
    const definition = new schema.Union({ user: User }, 'type').define({ group: Group });

    const value: unknown = give(definition, { id: 1, type: 'group' });

    expect(value).toBeInstanceOf(Group);
  });

  it('may come to contain what it is inside of, when it was used already', () => {
    class Leaf extends Entity {
      id = 0;
      static override key = 'Leaf';
    }
    const inside = new schema.Union({ leaf: Leaf }, 'type' as never);
    class Box extends Entity {
      id = 0;
      first: unknown = undefined;
      second: unknown = undefined;
      static override key = 'Box';
      static override schema = { first: inside, second: inside };
    }
    const { give, row } = makeEngine();
    give(Box, { id: 1, first: { id: 1, type: 'leaf' } });

    inside.define({ box: Box });
    const nested = { id: 3, type: 'box', first: { id: 6, type: 'leaf' }, second: null };
    give(Box, { id: 2, first: { id: 5, type: 'leaf' }, second: nested });

    expect(row('Box', '2')).toMatchObject({ first: { pk: '5' }, second: { pk: '3' } });
    expect(row('Box', '3')).toMatchObject({ first: { pk: '6' } });
  });

  it('needs an attribute', () => {
    const act = () => new schema.Union({ user: User }, undefined as never);

    expectRefusal(act, 'R15', 'schema.Union');
  });

  it.each([['text'], [5], [true], [[]]])('refuses %j as a whole response', (input) => {
    const { take, tables } = makeEngine();

    expectRefusal(() => take(owner, input), 'R6', 'Test/get', JSON.stringify(input));

    expect(tables()).toEqual({});
  });
});
