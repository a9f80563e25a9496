import { createResource, Entity, RestEndpoint, schema, type ValueOf } from 'rtk-resource';
import { type Definition } from 'rtk-resource/normalize';
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

class Post extends Entity {
  id = 0;
  author: User = User.fromJS();
  editor: User | undefined = undefined;
  static override key = 'Post';
  static override schema = { author: User, editor: User };
}

class Slugged extends Entity {
  org = '';
  slug = '';
  static override key = 'Slugged';
  override pk() {
    return this.org && this.slug ? `${this.org}/${this.slug}` : undefined;
  }
}

describe('schema.Invalidate', () => {
  it.each([
    ['the pk as a string', '1', []],
    ['the pk as a number', 1, []],
    ['an object that has it', { id: 1, name: 'x' }, []],
    ['the parameters, whatever has it beside them', { id: 2 }, [{ id: 1 }]],
    ['the parameters, and not by a count', 2, [{ id: 1 }]],
    ['the parameters, and not by a text', 'OK', [{ id: 1 }]],
    ['an empty object, and the parameters', {}, [{ id: 1 }]],
    ['an empty string, and the parameters', '', [{ id: '1' }]],
    ['nothing, and the parameters', null, [{ id: 1 }]],
    ['an object that cannot tell, and the parameters', { ok: true }, [{ id: 1 }]],
  ])('takes away what is told by %s', (_, input, args) => {
    const { take, row } = makeEngine();
    take([User], [{ id: 1 }, { id: 2 }]);

    take(new schema.Invalidate(User), input, ...args);

    expect(row('User', '1')).toBeUndefined();
    expect(row('User', '2')).toEqual({ id: 2 });
  });

  it('computes the pk of what came, as the class does', () => {
    const { take, row } = makeEngine();
    take(
      [Slugged],
      [
        { org: 'a', slug: 'b' },
        { org: 'a', slug: 'c' },
      ],
    );

    take(new schema.Invalidate(Slugged), { org: 'a', slug: 'b' });
    take(new schema.Invalidate(Slugged), {}, { org: 'a', slug: 'c' });

    expect([row('Slugged', 'a/b'), row('Slugged', 'a/c')]).toEqual([undefined, undefined]);
  });

  it('believes the answer, where the parameters name nothing that is there', () => {
    class Loose extends Slugged {
      static override key = 'Loose';
      override pk() {
        return `${this.org}/${this.slug}`;
      }
    }
    const { take, row } = makeEngine();
    take([Loose], [{ org: 'a', slug: 'b' }]);

    take(new schema.Invalidate(Loose), { org: 'a', slug: 'b' }, { org: 'a', id: 5 });

    expect(row('Loose', 'a/b')).toBeUndefined();
  });

  it('refuses an answer that does not tell which entity is gone', () => {
    const { take, tables } = makeEngine();
    take(User, { id: 1 });
    const before = tables();

    expectRefusal(() => take(new schema.Invalidate(User), { ok: true }, {}), 'R7', 'User', 'Test/get');

    expect(tables()).toBe(before);
  });

  it('of what is not there changes nothing', () => {
    const { take, tables } = makeEngine();
    take(User, { id: 1 });
    const before = tables();

    take(new schema.Invalidate(User), '5');

    expect(tables()).toBe(before);
  });

  it('has no value', () => {
    const { give } = makeEngine();

    const gone: Definition = new schema.Invalidate(User);

    const value = give(gone, '1');

    expect(value).toBeUndefined();
    expectTypeOf<ValueOf<InstanceType<typeof schema.Invalidate>>>().toEqualTypeOf<undefined>();
  });

  it('takes away the one that a mapping chooses', () => {
    const { take, row } = makeEngine();
    take({ user: User, group: Group }, { user: { id: 1 }, group: { id: 1 } });

    take(new schema.Invalidate({ user: User, group: Group }, 'type'), { id: 1, type: 'group' });

    expect([row('User', '1'), row('Group', '1')]).toEqual([{ id: 1 }, undefined]);
  });

  it('takes away the one that a Union chooses, of the answer or of the parameters', () => {
    const { take, row } = makeEngine();
    const union = new schema.Union({ user: User, group: Group }, 'type' as never);
    take({ user: User, group: Group }, { user: { id: 1 }, group: { id: 1 } });

    take(new schema.Invalidate(union), { id: 1, type: 'group' });
    take(new schema.Invalidate(union), '1', { id: 1, type: 'user' });

    expect([row('User', '1'), row('Group', '1')]).toEqual([undefined, undefined]);
  });

  it('refuses what a Union cannot choose by', () => {
    const { take } = makeEngine();
    const union = new schema.Union({ user: User }, 'type' as never);

    expectRefusal(() => take(new schema.Invalidate(union), { id: 1, type: 'robot' }), 'R6', 'Test/get');
  });

  it('takes away all of a list', () => {
    const { take, row } = makeEngine();
    take([User], [{ id: 1 }, { id: 2 }, { id: 3 }]);

    take([new schema.Invalidate(User)], [{ id: 1 }, 3]);

    expect(['1', '2', '3'].map((pk) => row('User', pk))).toEqual([undefined, { id: 2 }, undefined]);
  });

  it('takes nothing away where null or nothing stands inside a response', () => {
    const { take, row } = makeEngine();

    take({ user: User, replaced: new schema.Invalidate(User) }, { user: { id: 1 }, replaced: null }, { id: 1 });
    take({ user: User, replaced: new schema.Invalidate(User) }, { user: { id: 1 } }, { id: 1 });
    take([new schema.Invalidate(User)], [null], { id: 1 });

    expect(row('User', '1')).toEqual({ id: 1 });
  });

  it('stands beside other things in a response', () => {
    const { give, row } = makeEngine();
    give(User, { id: 1 });

    const value: unknown = give({ gone: new schema.Invalidate(User), group: Group }, { gone: '1', group: { id: 1 } });

    expect(value).toEqual({ gone: undefined, group: Group.fromJS({ id: 1 }) });
    expect(row('User', '1')).toBeUndefined();
  });
});

describe('after an entity is gone', () => {
  it('lists skip it', () => {
    const { take, read } = makeEngine();
    const result = take([User], [{ id: 1 }, { id: 2 }]);

    take(new schema.Invalidate(User), '1');

    expect(read([User], result)).toEqual([User.fromJS({ id: 2 })]);
  });

  it('a field that is optional is undefined', () => {
    const { take, read } = makeEngine();
    take(Post, { id: 1, author: { id: 1 }, editor: { id: 2 } });

    take(new schema.Invalidate(User), '2');

    expect(read(Post, '1')).toMatchObject({ id: 1, author: { id: 1 }, editor: undefined });
  });

  it('a parent that cannot be without it is gone as well, from lists too', () => {
    const { take, read, row } = makeEngine();
    const result = take(
      [Post],
      [
        { id: 1, author: { id: 1 } },
        { id: 2, author: { id: 2 } },
      ],
    );

    take(new schema.Invalidate(User), '1');

    expect(read(Post, '1')).toBeUndefined();
    expect(read([Post], result)).toEqual([Post.fromJS({ id: 2, author: User.fromJS({ id: 2 }) })]);
    expect(row('Post', '1')).toEqual({ id: 1, author: '1' });
  });

  it('the parent is back when it is back', () => {
    const { take, read } = makeEngine();
    take(Post, { id: 1, author: { id: 1 } });
    take(new schema.Invalidate(User), '1');
    const between = read(Post, '1');

    take(User, { id: 1, name: 'Ada' });

    expect(between).toBeUndefined();
    expect(read(Post, '1')?.author.name).toBe('Ada');
  });

  it('a get has nothing, and ifStale fetches it again', async () => {
    let sent = 0;
    const UserResource = createResource({
      path: '/users/:id',
      schema: User,
      fetchResponse: () => {
        sent++;
        return Promise.resolve(Response.json({ id: 1, name: `fetched ${sent}` }));
      },
    });
    const { store, resources, read } = setup();
    await store.dispatch(UserResource.get({ id: 1 }));

    store.dispatch(resources.setResponse(UserResource.delete, { id: 1 }, '1'));
    const between = read(UserResource.get.select({ id: 1 }));
    const value = await store.dispatch(UserResource.get.ifStale({ id: 1 })).unwrap();

    expect(between).toBeUndefined();
    expect(value).toMatchObject({ name: 'fetched 2' });
  });

  it.each([
    ['no content', () => new Response(null, { status: 204 })],
    ['an empty body', () => new Response('')],
    ['an empty object', () => Response.json({})],
    ['its pk as a string', () => Response.json('1')],
    ['its pk as a number', () => Response.json(1)],
    ['an object that has the pk', () => Response.json({ id: 1 })],
    ['an object that has none', () => Response.json({ ok: true })],
    ['null', () => Response.json(null)],
  ])('by a DELETE that is answered with %s, it is in no list', async (_, respond) => {
    const UserResource = createResource({
      path: '/users/:id',
      schema: User,
      fetchResponse: () => Promise.resolve(respond()),
    });
    const { store, resources, read } = setup();
    store.dispatch(resources.setResponse(UserResource.getList, undefined, [{ id: 1 }, { id: 2 }]));

    await expect(store.dispatch(UserResource.delete({ id: 1 })).unwrap()).resolves.toBeUndefined();

    expect(read(UserResource.getList.select())).toEqual([User.fromJS({ id: 2 })]);
    expect(read(resources.selectEntity(User, 1))).toBeUndefined();
    expect(read(resources.selectAll(User))).toEqual([User.fromJS({ id: 2 })]);
  });

  it('by any endpoint with the schema, the same happens', async () => {
    const body: { reason?: string } = {};
    const kick = new RestEndpoint({
      path: '/kick/:who',
      body,
      schema: new schema.Invalidate(User),
      fetchResponse: () => Promise.resolve(Response.json({ id: 1 })),
    });
    const { store, resources, read } = setup();
    store.dispatch(resources.set(User, { id: 1 }));

    await store.dispatch(kick({ who: 'ada' }, {}));

    expect(read(resources.selectEntity(User, 1))).toBeUndefined();
  });
});
