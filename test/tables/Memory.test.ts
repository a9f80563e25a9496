import { configureStore } from '@reduxjs/toolkit';
import { Collection, configureResources, createResource, Entity, schema } from 'rtk-resource';
import { Memory, normalize, type Definition, type Tables } from 'rtk-resource/normalize';
import { describe, expect, it } from 'vitest';
import { applyChanges } from '../../src/tables/changes.js';
import { makeEngine } from '../schema/engine.js';

class User extends Entity {
  id = 0;
  name = '';
  friend: User | undefined = undefined;
  static override key = 'User';
  static override schema = { friend: new schema.Lazy((): Definition => User) };
}

class Post extends Entity {
  id = 0;
  title = '';
  author: User | undefined = undefined;
  static override key = 'Post';
  static override schema = { author: User };
}

class Group extends Entity {
  id = 0;
  posts: Post[] = [];
  static override key = 'Group';
  static override schema = { posts: [Post] };
}

/** One of a chain, which cannot be without the next one. */
class Link extends Entity {
  id = 0;
  next: object | null = {};
  static override key = 'Link';
  static override schema = { next: new schema.Lazy((): Definition => Link) };
}

const DEEP = 10_000;

/** Inputs that each hold the next one. */
function makeChain(field: string, end: unknown): object {
  let input: unknown = end;
  for (let id = DEEP; id > 0; id--) input = { id, [field]: input };

  return input as object;
}

const take = (tables: Tables, definition: Definition, input: unknown) =>
  applyChanges(tables, [normalize(definition, input, { tables }).changes]);

describe('a value', () => {
  it('is the same object, however often it is read', () => {
    const { give, read } = makeEngine();
    const post = give(Post, { id: 1, author: { id: 7 } });

    const again = [read(Post, '1'), read({ post: Post }, { post: '1' })?.post, read([Post], ['1'])?.[0]];

    expect(again.every((one) => one === post)).toBe(true);
  });

  it('is another when its row changes, and so is all that is made of it', () => {
    const { take: takeIn, read } = makeEngine();
    takeIn(Group, { id: 1, posts: [{ id: 1, author: { id: 7, name: 'Ada' } }, { id: 2 }] });
    const before = read(Group, '1');

    takeIn(User, { id: 7, name: 'Eva' });

    const group = read(Group, '1');
    expect(group).not.toBe(before);
    expect(group?.posts).not.toBe(before?.posts);
    expect(group?.posts[0]).not.toBe(before?.posts[0]);
    expect(group?.posts[0]?.author?.name).toBe('Eva');
    expect(before?.posts[0]?.author?.name).toBe('Ada');
  });

  it('stays the same object when something else changes', () => {
    const { take: takeIn, read } = makeEngine();
    takeIn(
      [Group],
      [
        { id: 1, posts: [{ id: 1, author: { id: 7 } }, { id: 2 }] },
        { id: 2, posts: [{ id: 2 }] },
      ],
    );
    const [one, other, second] = [read(Group, '1'), read(Group, '2'), read(Post, '2')];

    takeIn(User, { id: 7, name: 'Eva' });
    takeIn(User, { id: 8, name: 'Bob' });
    takeIn(Post, { id: 3 });

    expect(read(Group, '2')).toBe(other);
    expect(read(Post, '2')).toBe(second);
    expect(read(Group, '1')?.posts[1]).toBe(one?.posts[1]);
  });

  it('stays the same object when its row is written again and says the same', () => {
    const { take: takeIn, read } = makeEngine();
    const response = { id: 1, title: 'a', author: { id: 7, name: 'Ada' } };
    takeIn(Post, response);
    const before = read(Post, '1');

    takeIn(Post, structuredClone(response));

    expect(read(Post, '1')).toBe(before);
  });

  it('is what it was when going back in time', () => {
    const memory = new Memory();
    const first = take({}, Post, { id: 1, title: 'a', author: { id: 7, name: 'Ada' } });
    const second = take(first, User, { id: 7, name: 'Eva' });
    const third = take(second, new schema.Invalidate(User), '7');
    const look = (tables: Tables) => {
      memory.sync(tables);
      return (memory.answer('post', Post, '1') as Post | undefined)?.author?.name;
    };

    const names = [first, second, third, second, first, third].map(look);

    expect(names).toEqual(['Ada', 'Eva', undefined, 'Eva', 'Ada', undefined]);
  });

  it('stays the same object when time goes back and nothing of it had changed', () => {
    const memory = new Memory();
    const first = take({}, Post, { id: 1, author: { id: 7 } });
    const second = take(first, User, { id: 8 });
    const look = (tables: Tables) => {
      memory.sync(tables);
      return memory.answer('post', Post, '1');
    };

    const [one, two, three] = [first, second, first].map(look);

    expect(two).toBe(one);
    expect(three).toBe(one);
  });

  it('is right in another branch of time', () => {
    const memory = new Memory();
    const trunk = take(
      {},
      [User],
      [
        { id: 1, name: 'Ada' },
        { id: 2, name: 'Bob' },
      ],
    );
    const one = take(take(trunk, new schema.Invalidate(User), '1'), User, { id: 3, name: 'Cyd' });
    const other = take(trunk, User, { id: 4, name: 'Dee' });
    const look = (tables: Tables) => {
      memory.sync(tables);
      return (memory.answer('all', new schema.All(User), null) as User[]).map(({ name }) => name).sort();
    };

    const names = [one, other, one, trunk].map(look);

    expect(names).toEqual([
      ['Bob', 'Cyd'],
      ['Ada', 'Bob', 'Dee'],
      ['Bob', 'Cyd'],
      ['Ada', 'Bob'],
    ]);
  });

  it('has the row that took the place of another', () => {
    const { take: takeIn, read } = makeEngine();
    takeIn(
      [User],
      [
        { id: 1, name: 'Ada' },
        { id: 2, name: 'Bob' },
      ],
    );
    const bob = read(User, '2');
    read(User, '1');

    takeIn({ gone: new schema.Invalidate(User) }, { gone: '1' });
    takeIn(User, { id: 3, name: 'Ada' });

    expect(read(User, '1')).toBeUndefined();
    expect(read(User, '3')).toEqual(User.fromJS({ id: 3, name: 'Ada' }));
    expect(read(User, '2')).toBe(bob);
  });

  it('can be forgotten', () => {
    const memory = new Memory(take({}, User, { id: 1 }));
    const before = memory.answer('list', [User], ['1']);

    memory.forget('list');

    expect(memory.answer('list', [User], ['1'])).toEqual(before);
  });
});

describe('while requests are pending', () => {
  const users = new Collection([User], { name: 'Users' });
  const rows = Array.from({ length: 5 }, (_, i) => ({ id: i + 1, name: `user ${i + 1}` }));
  const start = take({}, { total: null, users }, { total: 5, users: rows });
  const list = Object.keys(start).find((name) => name !== 'User') ?? '';
  const ref = { total: 5, users: start[list]?.pks[0]?.[0] };
  /** Reads the tables in order; all but the last of them show what is pending, unless they are the first. */
  const play = (...versions: readonly Tables[]) => {
    const memory = new Memory();
    return versions.map((tables) => {
      memory.sync(tables, tables === start ? undefined : new Map());
      return memory.answer('page', { total: null, users }, ref) as { readonly users: readonly User[] };
    });
  };
  const edited = take(start, User, { id: 2, name: 'edited' });
  const deleted = applyChanges(edited, [{ rows: [{ table: 'User', pks: ['3'], rows: [null] }], lists: [] }]);
  const pushed = take(start, users.push, { id: 6, name: 'new' });

  it.each([
    ['an edit', [edited]],
    ['a deletion', [deleted]],
    ['an item that is added', [pushed]],
    ['several', [edited, deleted, edited, pushed]],
  ])('%s that comes to nothing leaves the very same objects', (_, guesses) => {
    const [before, ...shown] = play(start, ...guesses, start);
    const after = shown.at(-1);

    expect(shown[0]).not.toBe(before);
    expect(after).toBe(before);
    expect(after?.users).toBe(before?.users);
  });

  it('an answer that says what is shown already leaves the very same objects', () => {
    const [, guess, answer] = play(start, edited, take(start, User, { id: 2, name: 'edited' }));

    expect(answer).toBe(guess);
  });

  it('a list without one of its members is right whatever else becomes of it', () => {
    const renamed = take(deleted, User, { id: 5, name: 'renamed' });
    const more = take(renamed, users.push, { id: 6, name: 'new' });
    const back = take(more, User, { id: 3, name: 'back' });

    const names = play(start, deleted, renamed, more, back).map((page) => page.users.map(({ name }) => name));

    expect(names.slice(1)).toEqual([
      ['user 1', 'edited', 'user 4', 'user 5'],
      ['user 1', 'edited', 'user 4', 'renamed'],
      ['user 1', 'edited', 'user 4', 'renamed', 'new'],
      ['user 1', 'edited', 'back', 'user 4', 'renamed', 'new'],
    ]);
  });
});

describe('a row that appears later', () => {
  it('is in the values that were read without it', () => {
    const { take: takeIn, read } = makeEngine();
    takeIn(Group, { id: 1, posts: [5, 6] });
    const before = read(Group, '1')?.posts;

    takeIn(Post, { id: 6, author: 9 });
    const between = read(Group, '1')?.posts.map(({ id, author }) => [id, author]);
    takeIn(User, { id: 9, name: 'Ada' });

    expect(before).toEqual([]);
    expect(between).toEqual([[6, undefined]]);
    expect(read(Group, '1')?.posts[0]?.author?.name).toBe('Ada');
  });

  it('changes nothing that does not wait for it', () => {
    const { take: takeIn, read } = makeEngine();
    takeIn(
      [Post],
      [
        { id: 1, author: 7 },
        { id: 2, author: 8 },
      ],
    );
    const [one, two] = [read(Post, '1'), read(Post, '2')];

    takeIn(User, { id: 8 });

    expect(read(Post, '1')).toBe(one);
    expect(read(Post, '2')).not.toBe(two);
  });

  it('is there again after it was gone', () => {
    const { take: takeIn, read } = makeEngine();
    takeIn(Post, { id: 1, author: { id: 7, name: 'Ada' } });
    const names: unknown[] = [read(Post, '1')?.author?.name];

    for (const name of ['Bob', 'Cyd']) {
      takeIn(new schema.Invalidate(User), '7');
      names.push(read(Post, '1')?.author?.name);
      takeIn(User, { id: 7, name });
      names.push(read(Post, '1')?.author?.name);
    }

    expect(names).toEqual(['Ada', undefined, 'Bob', undefined, 'Cyd']);
  });
});

describe('a circle', () => {
  it('is closed: what is met again is the same object', () => {
    const { take: takeIn, read } = makeEngine();

    takeIn(
      [User],
      [
        { id: 1, friend: 2 },
        { id: 2, friend: 3 },
        { id: 3, friend: 1 },
      ],
    );

    const user = read(User, '1');
    expect(user?.friend?.friend?.friend).toBe(user);
    expect(read(User, '2')).toBe(user?.friend);
  });

  it('of one is closed', () => {
    const { give } = makeEngine();

    const user = give(User, { id: 1, friend: 1 });

    expect(user?.friend).toBe(user);
  });

  it('through a list is closed still when a member of the list changes', () => {
    class Author extends Entity {
      id = 0;
      works: Work[] = [];
      static override key = 'Author';
      static override schema: Record<string, unknown> = {};
    }
    class Work extends Entity {
      id = 0;
      title = '';
      author: Author | undefined = undefined;
      static override key = 'Work';
      static override schema = { author: Author };
    }
    const works = new Collection([Work], { nestKey: ({ id }: { id?: unknown }) => ({ author: String(id) }) });
    Author.schema = { works };
    const { take: takeIn, read } = makeEngine();
    takeIn(Author, {
      id: 1,
      works: [
        { id: 1, title: 'one', author: 1 },
        { id: 2, author: 1 },
      ],
    });
    read(works, '{"author":"1"}');

    takeIn(Work, { id: 1, title: 'changed' });

    const list = read(works, '{"author":"1"}');
    expect(list?.map(({ title }) => title)).toEqual(['changed', '']);
    expect(list?.[0]?.author?.works).toBe(list);
    expect(list?.[1]?.author?.works).toBe(list);
  });

  it('in the response itself is taken apart', () => {
    const { give, row } = makeEngine();
    const ada: Record<string, unknown> = { id: 1 };
    ada['friend'] = { id: 2, friend: ada };

    const user = give(User, ada);

    expect(user?.friend?.friend).toBe(user);
    expect([row('User', '1'), row('User', '2')]).toEqual([
      { id: 1, friend: '2' },
      { id: 2, friend: '1' },
    ]);
  });

  it('is another, all of it, when one row of it changes, and closed still', () => {
    const { take: takeIn, read } = makeEngine();
    takeIn(
      [User],
      [
        { id: 1, friend: 2 },
        { id: 2, friend: 1 },
      ],
    );
    const before = read(User, '1');

    takeIn(User, { id: 2, name: 'Bob' });

    const user = read(User, '1');
    expect(user).not.toBe(before);
    expect(user?.friend?.name).toBe('Bob');
    expect(user?.friend?.friend).toBe(user);
  });

  it('stays the same objects when something else changes', () => {
    const { take: takeIn, read } = makeEngine();
    takeIn([User], [{ id: 1, friend: 2 }, { id: 2, friend: 1 }, { id: 3 }]);
    const before = read(User, '1');

    takeIn(User, { id: 3, name: 'Cyd' });

    expect(read(User, '1')).toBe(before);
    expect(read(User, '2')).toBe(before?.friend);
  });

  it('that cannot be without what is missing is gone, all of it', () => {
    const { take: takeIn, read } = makeEngine();
    class Knot extends Entity {
      id = 0;
      a: object = {};
      b: object = {};
      static override key = 'Knot';
      static override schema = {
        a: new schema.Lazy((): Definition => Knot),
        b: new schema.Lazy((): Definition => Knot),
      };
    }
    takeIn(
      [Knot],
      [
        { id: 1, a: 2, b: 3 },
        { id: 2, a: 1, b: 1 },
        { id: 3, a: 1, b: 9 },
      ],
    );

    const before = ['1', '2', '3'].map((pk) => read(Knot, pk));
    takeIn(Knot, { id: 9, a: 9, b: 1 });
    const after = ['1', '2', '3', '9'].map((pk) => read(Knot, pk));

    expect(before).toEqual([undefined, undefined, undefined]);
    expect(after.map((knot) => knot?.id)).toEqual([1, 2, 3, 9]);
    expect(after[0]?.a).toBe(after[1]);
  });
});

describe(`a chain of ${DEEP}`, () => {
  const count = (first: User | undefined): number => {
    let length = 0;
    for (let user = first; user; user = user.friend) length++;

    return length;
  };

  it('is taken apart and read', () => {
    const { give, row } = makeEngine();

    const user = give(User, makeChain('friend', null));

    expect(count(user)).toBe(DEEP);
    expect(row('User', String(DEEP))).toEqual({ id: DEEP, friend: null });
  });

  it('is the same objects when it is fetched again', () => {
    const { give, take: takeIn, read, tables } = makeEngine();
    const before = give(User, makeChain('friend', null));
    const kept = tables();

    takeIn(User, makeChain('friend', null));

    expect(tables()).toBe(kept);
    expect(read(User, '1')).toBe(before);
  });

  it('that is closed is one circle', () => {
    const { give } = makeEngine();

    const first = give(User, makeChain('friend', 1));

    let user = first;
    for (let i = 0; i < DEEP; i++) user = user?.friend;
    expect(user).toBe(first);
  });

  it('is another from the changed row on up, and the same below', () => {
    const { give, take: takeIn, read } = makeEngine();
    give(User, makeChain('friend', null));
    const at = (pk: number) => read(User, String(pk));
    const before = [at(1), at(5_000), at(5_001)];

    takeIn(User, { id: 5_000, name: 'changed' });

    expect([at(1), at(5_000), at(5_001)].map((user, i) => user === before[i])).toEqual([false, false, true]);
    expect(count(at(1))).toBe(DEEP);
  });

  it('whose end is missing is gone, all of it, where each needs the next', () => {
    const { take: takeIn, read } = makeEngine();

    takeIn(Link, makeChain('next', 'missing'));

    expect([1, 2, 99, 100, 101, 5_000, DEEP].map((id) => read(Link, String(id)))).toEqual(
      Array.from({ length: 7 }, () => undefined),
    );
    expect(read([Link], ['1', '500'])).toEqual([]);
  });

  it('is there, all of it, when its end appears', () => {
    const { take: takeIn, read } = makeEngine();
    takeIn(Link, makeChain('next', DEEP + 1));
    const before = read(Link, '1');

    takeIn(Link, { id: DEEP + 1, next: null });

    let length = 0;
    for (let link: unknown = read(Link, '1'); link instanceof Link; link = link.next) length++;
    expect(before).toBeUndefined();
    expect(length).toBe(DEEP + 1);
  });

  it('is gone, all of it, when its end is deleted', () => {
    const { take: takeIn, read } = makeEngine();
    takeIn(Link, makeChain('next', null));
    const before = read(Link, '1');

    takeIn(new schema.Invalidate(Link), String(DEEP));

    expect(before?.id).toBe(1);
    expect(read(Link, '1')).toBeUndefined();
    expect(read(Link, String(DEEP - 1))).toBeUndefined();
  });

  // RTK's own checks of a development build go by recursion, so these stores are without them.
  const makeStore = () => {
    const resources = configureResources();
    const store = configureStore({
      reducer: { resources: resources.reducer },
      middleware: (getDefault) =>
        getDefault({ serializableCheck: false, immutableCheck: false }).concat(resources.middleware),
    });

    return { resources, store };
  };
  const UserResource = createResource({
    path: '/users/:id',
    schema: User,
    fetchResponse: () =>
      Promise.resolve(new Response(chainText(), { headers: { 'content-type': 'application/json' } })),
  });

  it('goes through a store from the network', async () => {
    const { store } = makeStore();

    const user = await store.dispatch(UserResource.get({ id: 1 })).unwrap();

    expect(count(user)).toBe(DEEP);
    expect(UserResource.get.select({ id: 1 })(store.getState())).toBe(user);
  });

  it('goes through a store by setResponse', () => {
    const { store, resources } = makeStore();

    store.dispatch(resources.setResponse(UserResource.get, { id: 1 }, makeChain('friend', null)));

    expect(count(UserResource.get.select({ id: 1 })(store.getState()))).toBe(DEEP);
  });

  /** The chain as JSON, which JSON.stringify itself could not write. */
  function chainText(): string {
    const open = Array.from({ length: DEEP }, (_, i) => `{"id":${i + 1},"friend":`).join('');

    return `${open}null${'}'.repeat(DEEP)}`;
  }

  it('of lists within entities is read as well', () => {
    class Tree extends Entity {
      id = 0;
      trees: Tree[] = [];
      static override key = 'Tree';
      static override schema = { trees: [new schema.Lazy((): Definition => Tree)] };
    }
    const { give } = makeEngine();
    let input: object = { id: DEEP, trees: [] };
    for (let id = DEEP - 1; id > 0; id--) input = { id, trees: [input] };

    const tree = give(Tree, input);

    let depth = 0;
    for (let next = tree; next; next = next.trees[0]) depth++;
    expect(depth).toBe(DEEP);
  });

  it('of Collections within entities is read as well', () => {
    class Folder extends Entity {
      id = 0;
      folders: Folder[] = [];
      static override key = 'Folder';
      static override schema = {
        folders: new Collection([new schema.Lazy((): Definition => Folder)], { name: 'Folder' }),
      };
    }
    const { give } = makeEngine();
    let input: object = { id: DEEP, folders: [] };
    for (let id = DEEP - 1; id > 0; id--) input = { id, folders: [input] };

    const folder = give(Folder, input);

    let depth = 0;
    for (let next = folder; next; next = next.folders[0]) depth++;
    expect(depth).toBe(DEEP);
  });
});
