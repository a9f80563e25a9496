import { createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { setup } from '../support/store.js';
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

describe('schema.All', () => {
  const all = new schema.All(User);

  it('has every entity of the class, from whichever answer', () => {
    const { take, give } = makeEngine();
    take(User, { id: 1 });
    take([User], [{ id: 2 }]);
    take(Group, { id: 3 });

    const values = give(all, [{ id: 4 }]);

    expect(values).toEqual([1, 2, 4].map((id) => User.fromJS({ id })));
    expectTypeOf(values).toEqualTypeOf<User[] | undefined>();
  });

  it('has those that come later, and not those that are gone', () => {
    const { take, read } = makeEngine();
    const result = take(all, [{ id: 1 }, { id: 2 }]);

    take(User, { id: 3 });
    take(new schema.Invalidate(User), '1');

    expect(read(all, result)?.map(({ id }) => id)).toEqual([2, 3]);
  });

  it('is the same list until one of them changes', () => {
    const { take, read } = makeEngine();
    const result = take(all, [{ id: 1 }, { id: 2 }]);
    const before = read(all, result);

    take(Group, { id: 1 });
    take(User, { id: 1 });
    const same = read(all, result);
    take(User, { id: 1, name: 'Ada' });
    const other = read(all, result);

    expect(same).toBe(before);
    expect(other).not.toBe(before);
    expect(other?.[1]).toBe(before?.[1]);
  });

  it('has none where there are none', () => {
    const { give } = makeEngine();

    const values = give(all, []);

    expect(values).toEqual([]);
  });

  it('is frozen', () => {
    const { give } = makeEngine();

    const values = give(all, [{ id: 1 }]);

    expect(Object.isFrozen(values)).toBe(true);
  });

  it('refuses what is no list', () => {
    const { take } = makeEngine();

    expectRefusal(() => take(all, 'text'), 'R6', 'a list', '"text"');
  });

  it('stands beside other things in a response', () => {
    const { take, give } = makeEngine();
    take(User, { id: 1 });

    const value = give({ users: all, total: 0 }, { users: [{ id: 2 }], total: 2 });

    expect(value).toEqual({ users: [User.fromJS({ id: 1 }), User.fromJS({ id: 2 })], total: 2 });
  });

  it('reads without a request, as resources.selectAll does', () => {
    const UserResource = createResource({ path: '/users/:id', schema: User });
    const getAll = new RestEndpoint({ path: '/all', schema: all });
    const { store, resources, read } = setup();
    store.dispatch(resources.setResponse(UserResource.getList, undefined, [{ id: 1 }, { id: 2 }]));

    const values = read(resources.selectAll(User));

    expect(values.map(({ id }) => id)).toEqual([1, 2]);
    expect(read(resources.select(all))).toEqual(values);
    expect(read(getAll.select())).toEqual(values);
  });

  it('is a list of every subclass where subclasses share a table', () => {
    class Admin extends User {
      rights = 'all';
    }
    const { take, read } = makeEngine();
    take(User, { id: 1 });
    take(Admin, { id: 2 });

    const values = read(all, null);

    expect(values?.map(({ id }) => id)).toEqual([1, 2]);
  });
});
