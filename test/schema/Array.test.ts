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
  title = '';
  static override key = 'Group';
}

interface Input {
  readonly id: number;
  readonly type: string;
}

describe.each([
  ['schema.Array', new schema.Array(User)],
  ['[ … ]', [User]],
])('%s', (_, definition) => {
  it('is a list of entities', () => {
    const { take, read, row } = makeEngine();

    const result = take(definition, [{ id: 1, name: 'Ada' }, { id: 2 }]);

    expect(result).toEqual(['1', '2']);
    expect(read(definition, result)).toEqual([User.fromJS({ id: 1, name: 'Ada' }), User.fromJS({ id: 2 })]);
    expect(row('User', '1')).toEqual({ id: 1, name: 'Ada' });
  });

  it('has no members of an empty response', () => {
    const { give } = makeEngine();

    const values = give(definition, []);

    expect(values).toEqual([]);
  });

  it('has the values of an object where an object came', () => {
    const { take, read } = makeEngine();

    const result = take(definition, { b: { id: 2 }, a: { id: 1, name: 'Ada' } });

    expect(result).toEqual(['2', '1']);
    expect(read(definition, result)).toEqual([User.fromJS({ id: 2 }), User.fromJS({ id: 1, name: 'Ada' })]);
  });

  it('keeps the position of members that are null or undefined', () => {
    const { take } = makeEngine();

    const result = take(definition, [null, { id: 1 }, undefined, null]);

    expect(result).toEqual([null, '1', undefined, null]);
  });

  it('shows members that are null, and none that are undefined', () => {
    const { give } = makeEngine();

    const values = give(definition, [null, { id: 1 }, undefined]);

    expect(values).toEqual([null, User.fromJS({ id: 1 })]);
  });

  it('skips members that are gone', () => {
    const { take, read } = makeEngine();
    const result = take(definition, [{ id: 1 }, { id: 2 }, { id: 3 }]);

    take(new schema.Invalidate(User), '2');

    expect(read(definition, result)).toEqual([User.fromJS({ id: 1 }), User.fromJS({ id: 3 })]);
  });

  it('is the same list until it changes', () => {
    const { give, read, take } = makeEngine();
    const response = [{ id: 1, name: 'Ada' }, { id: 2 }];
    const before = give(definition, response);

    const result = take(definition, structuredClone(response));
    take(Group, { id: 1 });

    expect(read(definition, result)).toBe(before);
  });

  it('is another list with the same other members when one of them changes', () => {
    const { give } = makeEngine();
    const before = give(definition, [{ id: 1 }, { id: 2 }]) as readonly User[];

    const after = give(definition, [{ id: 1, name: 'Ada' }, { id: 2 }]) as readonly User[];

    expect(after).not.toBe(before);
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).toBe(before[1]);
  });

  it('is frozen', () => {
    const { give } = makeEngine();

    const values = give(definition, [{ id: 1 }]) as unknown[];

    expect(() => values.push(null)).toThrow(TypeError);
  });

  it.each([['text'], [''], [1], [true]])('refuses %j', (input) => {
    const { take, tables } = makeEngine();

    expectRefusal(() => take(definition, input), 'R6', 'Test/get', 'a list', JSON.stringify(input));

    expect(tables()).toEqual({});
  });

  it('refuses a list with one member that has no pk, and keeps none of it', () => {
    const { take, tables } = makeEngine();

    expectRefusal(() => take(definition, [{ id: 1 }, { name: 'Ada' }]), 'R7', 'User', '{"name":"Ada"}');

    expect(tables()).toEqual({});
  });

  it('is nothing where null or undefined came', () => {
    const { take, read } = makeEngine();

    const results = [take(definition, null), take(definition, undefined)];

    expect(results).toEqual([null, undefined]);
    expect(read(definition, undefined)).toBeUndefined();
  });
});

describe('a list inside an entity', () => {
  class Team extends Entity {
    id = 0;
    members: User[] = [];
    static override key = 'Team';
    static override schema = { members: [User] };
  }

  it('has entities, and is kept as their pks', () => {
    const { give, row } = makeEngine();

    const team = give(Team, { id: 1, members: [{ id: 7, name: 'Ada' }, 8] });

    expect(team?.members).toEqual([User.fromJS({ id: 7, name: 'Ada' })]);
    expect(row('Team', '1')).toEqual({ id: 1, members: ['7', 8].map(String) });
  });

  it('has the default of the class when it is missing, and null when it is null', () => {
    const { give } = makeEngine();

    const teams = give([Team], [{ id: 1 }, { id: 2, members: null }]);

    expect(teams?.map(({ members }) => members)).toEqual([[], null]);
  });

  it('shows a member that comes later in its place', () => {
    const { give, take, read } = makeEngine();
    give(Team, { id: 1, members: [7, 8, 9] });
    take([User], [{ id: 9 }, { id: 7 }]);
    const before = read(Team, '1')?.members.map(({ id }) => id);

    take(User, { id: 8 });

    expect(before).toEqual([7, 9]);
    expect(read(Team, '1')?.members.map(({ id }) => id)).toEqual([7, 8, 9]);
  });

  it('is a list of lists where it is so defined', () => {
    const { give } = makeEngine();

    const grid = give([[User]], [[{ id: 1 }, { id: 2 }], [], [{ id: 1 }]]);

    expect(grid?.map((line) => line.map(({ id }) => id))).toEqual([[1, 2], [], [1]]);
    expect(grid?.[2]?.[0]).toBe(grid?.[0]?.[0]);
  });
});

describe('a mapping', () => {
  it('has each member in the schema that the value of its attribute picks', () => {
    const { take, read, row } = makeEngine();
    const definition = new schema.Array({ users: User, groups: Group }, 'type');

    const result = take(definition, [
      { id: 1, type: 'users', name: 'Ada' },
      { id: 1, type: 'groups', title: 'All' },
    ]);

    const values = read(definition, result);
    expect(values?.[0]).toBeInstanceOf(User);
    expect(values?.[1]).toBeInstanceOf(Group);
    expect(values).toMatchObject([{ name: 'Ada' }, { title: 'All' }]);
    expect(row('User', '1')).toEqual({ id: 1, type: 'users', name: 'Ada' });
    expect(row('Group', '1')).toEqual({ id: 1, type: 'groups', title: 'All' });
    expectTypeOf(values).toEqualTypeOf<(User | Group)[] | undefined>();
  });

  it('picks by values that are no strings as by their text', () => {
    const { give } = makeEngine();
    const definition = new schema.Array({ 1: User, true: Group }, 'kind');

    const values = give(definition, [
      { id: 1, kind: 1 },
      { id: 1, kind: true },
    ]);

    expect(values?.[0]).toBeInstanceOf(User);
    expect(values?.[1]).toBeInstanceOf(Group);
  });

  it('picks by a function, as by the type with a suffix', () => {
    const { give } = makeEngine();
    const definition = new schema.Array({ users: User, groups: Group }, ({ type }: Input) => `${type}s`);

    const values = give(definition, [
      { id: 1, type: 'user' },
      { id: 2, type: 'group' },
    ]);

    expect(values?.[0]).toBeInstanceOf(User);
    expect(values?.[1]).toBeInstanceOf(Group);
  });

  it('tells the function the input value, the parent of the list, and the key on it', () => {
    const told: unknown[] = [];
    const members = new schema.Array({ user: User }, (value: Input, parent: unknown, key: string) => {
      told.push([value, parent, key]);
      return value.type;
    });
    class Team extends Entity {
      id = 0;
      members: User[] = [];
      static override key = 'Team';
      static override schema = { members };
    }
    const { take } = makeEngine();
    const team = { id: 1, members: [{ id: 7, type: 'user' }] };

    take({ team: Team, members }, { team, members: team.members });

    expect(told).toEqual([
      [team.members[0], team, 'members'],
      [team.members[0], { team, members: team.members }, 'members'],
    ]);
  });

  it('leaves a member that it has no schema for as it came, with one warning, and makes no entity of it', () => {
    expectWarning(/"bots"/);
    const { take, read, tables } = makeEngine();
    const definition = new schema.Array({ users: User }, 'type');
    const bots = [
      { id: 3, type: 'bots' },
      { id: 4, type: 'bots' },
    ];

    const result = take(definition, [...bots, { id: 1, type: 'users' }]);

    expect(read(definition, result)).toEqual([...bots, Object.assign(User.fromJS({ id: 1 }), { type: 'users' })]);
    expect((result as unknown[])[0]).toEqual(bots[0]);
    expect(Object.keys(tables())).toEqual(['User']);
  });

  it.each([
    ['looks like a reference', { pk: '1', schema: 'users', table: 'User' }],
    ['looks like a held value', { schema: 'users', value: '1' }],
    ['has no attribute', { id: 1 }],
    ['has it from its prototype alone', { id: 1, type: 'constructor' }],
    ['has a hostile one', { id: 1, type: '__proto__' }],
  ])('leaves a member as it came that %s', (_, member) => {
    const chosen = 'type' in member ? member.type : 'undefined';
    if (!warnedOf.has(chosen)) expectWarning(new RegExp(`"${chosen}"`));
    warnedOf.add(chosen);
    const { take, read } = makeEngine();
    const definition = new schema.Array({ users: User }, 'type');
    take(User, { id: 1, name: 'Ada' });

    const values: unknown = read(definition, take(definition, [member]));

    expect(values).toEqual([member]);
  });
  const warnedOf = new Set<string>();

  it('keeps the position of members that are null or undefined', () => {
    const { take, read } = makeEngine();
    const definition = new schema.Array({ users: User }, 'type');

    const result = take(definition, [null, { id: 1, type: 'users' }, undefined]);

    expect(result).toEqual([null, expect.anything(), undefined]);
    expect(read(definition, result)).toEqual([null, expect.any(User)]);
  });

  it('has the values of an object where an object came', () => {
    const { give } = makeEngine();
    const definition = new schema.Array({ users: User, groups: Group }, 'type');

    const values = give(definition, { a: { id: 1, type: 'groups' }, b: { id: 2, type: 'users' } });

    expect(values?.map(({ constructor }) => constructor)).toEqual([Group, User]);
  });

  it('needs an attribute to choose by', () => {
    const act = () => new schema.Union({ users: User }, undefined as never);

    expectRefusal(act, 'R15', 'schemaAttribute');
  });
});

describe('define', () => {
  it('merges into the mapping', () => {
    const { give } = makeEngine();
    const definition = new schema.Array({ users: User, both: User }, 'type');

    definition.define({ groups: Group, both: Group });

    const values: unknown = give(definition, [
      { id: 1, type: 'users' },
      { id: 2, type: 'groups' },
      { id: 3, type: 'both' },
    ]);
    expect(values).toEqual([expect.any(User), expect.any(Group), expect.any(Group)]);
  });

  it('sets the one schema of a list without a mapping', () => {
    const { give } = makeEngine();
    const definition = new schema.Array(User);

    definition.define(Group);

    expect(give(definition, [{ id: 1 }]) as unknown).toEqual([expect.any(Group)]);
  });

  it('lets a list contain itself', () => {
    const tree = new schema.Array({ user: User }, 'type');
    tree.define({ branch: new schema.Object({ inner: tree }) });
    const { give, row } = makeEngine();

    const values: unknown = give(tree, [
      { id: 1, type: 'user' },
      { type: 'branch', inner: [{ type: 'branch', inner: [{ id: 2, type: 'user' }] }] },
    ]);

    expect(values).toEqual([
      expect.objectContaining({ id: 1 }),
      { type: 'branch', inner: [{ type: 'branch', inner: [expect.objectContaining({ id: 2 })] }] },
    ]);
    expect(row('User', '2')).toEqual({ id: 2, type: 'user' });
  });

  it('closes the circle of entities that contain lists of one another', () => {
    const friends = new schema.Array({}, 'type');
    class Person extends Entity {
      id = 0;
      type = 'person';
      friends: Person[] = [];
      static override key = 'Person';
      static override schema = { friends };
    }
    friends.define({ person: Person });
    const { give } = makeEngine();
    const ada: { id: number; type: string; friends: unknown[] } = { id: 1, type: 'person', friends: [] };
    ada.friends.push({ id: 2, type: 'person', friends: [ada] });

    const person = give(Person, ada);

    expect(person?.friends[0]?.id).toBe(2);
    expect(person?.friends[0]?.friends[0]).toBe(person);
  });
});
