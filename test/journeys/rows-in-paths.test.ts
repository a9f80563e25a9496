import { Collection, createResource, Entity, isTemporary, schema } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}
class Profile extends Entity {
  id = 0;
  bio = '';
  static override key = 'Profile';
}
class Post extends Entity {
  id = 0;
  title = '';
  static override key = 'Post';
}
class Comment extends Entity {
  id = 0;
  text = '';
  static override key = 'Comment';
}

const server = await serverOfFile();
const at = { urlPrefix: server.url };

const Users = createResource({ ...at, path: '/users/:id', schema: User, optimistic: true })
  .extend('getManager', { path: '/users/:id/manager' })
  .extend('saveProfile', { path: '/users/:id/profile', method: 'PATCH', schema: Profile, body: {} as { bio: string } })
  .extend('unfriend', { path: '/users/:id/friends/:friendId', method: 'DELETE', schema: new schema.Invalidate(User) })
  .extend('promote', { path: '/users/:id/promote', method: 'POST', body: {} as { name: string } });
const Posts = createResource({ ...at, path: '/posts/:id', schema: Post }).extend('getAuthor', {
  path: '/posts/:id/author',
  schema: User,
});
const Profiles = createResource({ ...at, path: '/owners/:id/profile', schema: Profile, optimistic: true });
const Comments = createResource({ ...at, path: '/posts/:id/comments/:commentId', schema: Comment, optimistic: true });
const Teams = createResource({ ...at, path: '/teams/:id', schema: Post, optimistic: true }).extend('getMembers', {
  path: '/teams/:id/members',
  schema: new Collection([User]),
});

/** A store that has users, profiles and comments 1 and 5. */
function filled() {
  const tools = setup();
  const { store, resources, read } = tools;
  store.dispatch(
    resources.set(
      User,
      [1, 5].map((id) => ({ id, name: `user ${id}` })),
    ),
  );
  store.dispatch(
    resources.set(
      Profile,
      [1, 5].map((id) => ({ id, bio: `profile ${id}` })),
    ),
  );
  store.dispatch(
    resources.set(
      Comment,
      [1, 5].map((id) => ({ id, text: `comment ${id}` })),
    ),
  );
  return {
    ...tools,
    texts: () => [
      ...read(resources.selectAll(User)).map(({ name }) => name),
      ...read(resources.selectAll(Profile)).map(({ bio }) => bio),
      ...read(resources.selectAll(Comment)).map(({ text }) => text),
    ],
  };
}
const untouched = ['user 1', 'user 5', 'profile 1', 'profile 5', 'comment 1', 'comment 5'];

describe('a read below an item', () => {
  it.each([
    ['of another class', Posts.getAuthor, '/posts/5/author'],
    ['of the same class', Users.getManager, '/users/5/manager'],
  ])('is not answered with the row that has the id of the item: %s', async (_, read, path) => {
    const { store, read: select } = filled();
    server.answer(`GET ${path}`, { json: { id: 1, name: 'the boss' } });
    const before = select(read.select({ id: 5 }));

    await store.dispatch(read.ifStale({ id: 5 }));

    expect(before).toBeUndefined();
    expect(select(read.select({ id: 5 }))?.name).toBe('the boss');
  });

  it('is that of its last parameter, also where a row has the id of the parent', async () => {
    const { store, read } = filled();
    server.answer('GET /posts/1/comments/9', { json: { id: 9, text: 'nine' } });
    const before = read(Comments.get.select({ id: 1, commentId: 9 }));

    await store.dispatch(Comments.get.ifStale({ id: 1, commentId: 9 }));

    expect([before, read(Comments.get.select({ id: 1, commentId: 9 }))?.text]).toEqual([undefined, 'nine']);
  });
});

describe('an answer that is written by hand below an item', () => {
  it('is that of the item whose instance is given', () => {
    const { store, resources, read } = filled();
    const teams = [1, 5].map((id) => ({ id, title: `team ${id}` }));
    store.dispatch(resources.set(Post, teams));

    for (const { id } of teams) {
      const team = read(resources.selectEntity(Post, id)) as Post;
      store.dispatch(resources.setResponse(Teams.getMembers, team, [{ id, name: `user ${id}` }]));
    }

    const members = [1, 5].map((id) => read(Teams.getMembers.select({ id }))?.map(({ name }) => name));
    expect(members).toEqual([['user 1'], ['user 5']]);
  });
});

describe('a write below an item', () => {
  it.each([
    ['of another class', () => Users.saveProfile({ id: 5 }, { bio: 'new' }), 'PATCH /users/5/profile'],
    [
      'whose resource has that path',
      () => Profiles.partialUpdate({ id: 5 }, { bio: 'new' }),
      'PATCH /owners/5/profile',
    ],
    [
      'of one of many',
      () => Comments.partialUpdate({ id: 1, commentId: 5 }, { text: 'new' }),
      'PATCH /posts/1/comments/5',
    ],
    ['that deletes', () => Comments.delete({ id: 1, commentId: 7 }), 'DELETE /posts/1/comments/7'],
    ['that deletes another of its class', () => Users.unfriend({ id: 1, friendId: 7 }), 'DELETE /users/1/friends/7'],
  ])('guesses at no row that has the id of the item, and nothing confirms it there: %s', async (_, write, call) => {
    const { store, texts } = filled();

    const promise = store.dispatch(write());
    await server.holding(call);
    const during = texts();
    await server.release(call, { status: 204 });
    await promise;

    expect([during, texts()]).toEqual([untouched, untouched]);
  });

  it('is about the row that its address was answered with', async () => {
    const { store, texts } = filled();
    server.answer('GET /owners/5/profile', { json: { id: 1, bio: 'profile 1' } });
    await store.dispatch(Profiles.get({ id: 5 }));

    const promise = store.dispatch(Profiles.partialUpdate({ id: 5 }, { bio: 'new' }));
    const during = texts();
    await server.release('PATCH /owners/5/profile', { status: 204 });
    await promise;

    expect([during[2], during[3], texts()[2]]).toEqual(['new', 'profile 5', 'new']);
  });

  it('of its class acts on the item', async () => {
    const { store, texts } = filled();

    const promise = store.dispatch(Users.promote({ id: 5 }, { name: 'chief' }));
    const during = texts();
    await server.release('POST /users/5/promote', { json: { id: 5, name: 'chief' } });
    await promise;

    expect(during).toContain('chief');
  });

  it('that takes a member out of a list takes the one that the body names', async () => {
    const { store, read } = filled();
    server.answer('GET /teams/1/members', {
      json: [
        { id: 1, name: 'user 1' },
        { id: 5, name: 'user 5' },
      ],
    });
    await store.dispatch(Teams.getMembers({ id: 1 }));
    const names = () => read(Teams.getMembers.select({ id: 1 }))?.map(({ name }) => name);

    const promise = store.dispatch(Teams.getMembers.remove({ id: 1 }, { id: 5 }));
    const during = names();
    await server.release('PATCH /teams/1/members', { status: 204 });
    await promise;

    expect([during, names()]).toEqual([['user 1'], ['user 1']]);
  });
});

describe('an address that calls a row otherwise', () => {
  it('is that of the row that it was answered with', async () => {
    const { store, read, resources } = setup();
    const Me = createResource({ ...at, path: '/people/:id', schema: User, optimistic: true });
    server.answer('GET /people/me', { json: { id: 7, name: 'Ada' } });
    await store.dispatch(Me.get({ id: 'me' }));

    const edit = store.dispatch(Me.partialUpdate({ id: 'me' }, { name: 'Ada L.' }));
    const during = read(resources.selectAll(User));
    await server.release('PATCH /people/me', { status: 204 });
    await edit;
    const after = read(resources.selectAll(User));
    server.answer('DELETE /people/me', { status: 204 });
    await store.dispatch(Me.delete({ id: 'me' }));

    expect([during, after].map((all) => all.map(({ id, name }) => [id, name]))).toEqual([
      [[7, 'Ada L.']],
      [[7, 'Ada L.']],
    ]);
    expect(read(resources.selectAll(User))).toEqual([]);
  });
});

describe('a class with a pk of its own', () => {
  class Todo extends Entity {
    id = 0;
    title = '';
    static override key = 'OwnTodo';
    override pk() {
      return `${this.id}`;
    }
  }
  class Task extends Entity {
    id = 0;
    title = '';
    static override key = 'Task';
    override pk() {
      return this.id.toString();
    }
  }
  class Reply extends Entity {
    postId = 0;
    id = 0;
    text = '';
    static override key = 'Reply';
    override pk() {
      return `${this.postId}/${this.id}`;
    }
  }

  it.each([
    ['as a text', Todo],
    ['that throws where it is missing', Task],
  ])('gives a pending item a temporary id, by which it is deleted when it is there: %s', async (name, Class) => {
    const { store, read } = setup();
    const Own = createResource({ ...at, path: `/own-${name.length}/:id`, schema: Class, optimistic: true });
    const list = `/own-${name.length}`;
    server.answer(`GET ${list}`, { json: [] });
    await store.dispatch(Own.getList());

    const creating = store.dispatch(Own.getList.push({}, { title: 'new' }));
    const other = store.dispatch(Own.getList.push({}, { title: 'other' }));
    const pending = read(Own.getList.select()) ?? [];
    const [id] = pending.map((todo) => todo.id);
    const deleting = store.dispatch(Own.delete({ id: id ?? 0 }));
    await server.release(`POST ${list}`, { json: { id: 9, title: 'new' } });
    await creating;
    await server.release(`DELETE ${list}/9`, { status: 204 });
    await deleting;
    await server.release(`POST ${list}`, { json: { id: 10, title: 'other' } });
    await other;

    expect(pending.map(({ title }) => title)).toEqual(['new', 'other']);
    expect(isTemporary(id)).toBe(true);
    expect(read(Own.getList.select())?.map((todo) => todo.id)).toEqual([10]);
  });

  it('has no pk where the server leaves out a part of it, which is refused', async () => {
    const { store } = setup();
    const Replies = createResource({ ...at, path: '/topics/:postId/replies/:id', schema: Reply });
    server.answer('GET /topics/1/replies', { json: [{ id: 1, text: 'p1' }] });

    const { error } = await store.dispatch(Replies.getList({ postId: 1 }));

    expect(error?.message).toContain('R7');
  });
});

describe('a natural key', () => {
  class Issue extends Entity {
    id = 0;
    repo = '';
    number = 0;
    title = '';
    static override key = 'NaturalIssue';
    static override indexes = ['number'];
  }
  const Issues = createResource({ ...at, path: '/repos/:repo/issues/:number', schema: Issue });

  it('is that of the row which no other parameter denies, as a number or a text', async () => {
    const { store, read } = setup();
    server.answer('GET /repos/a/issues', { json: [{ id: 1, repo: 'a', number: 1, title: 'of a' }] });
    server.answer('GET /repos/b/issues/1', { json: { id: 2, repo: 'b', number: 1, title: 'of b' } });
    await store.dispatch(Issues.getList({ repo: 'a' }));
    const before = read(Issues.get.select({ repo: 'b', number: 1 }));

    await store.dispatch(Issues.get.ifStale({ repo: 'b', number: 1 }));

    expect(before).toBeUndefined();
    expect(read(Issues.get.select({ repo: 'b', number: 1 }))?.title).toBe('of b');
    expect(read(Issues.get.select({ repo: 'a', number: '1' }))?.title).toBe('of a');
  });
});

describe('what a write sends and its schema does not describe', () => {
  it('is sent, and not shown before its answer', async () => {
    const { store, read, resources } = filled();
    const Bulk = createResource({ ...at, path: '/users/:id', schema: User, optimistic: true }).extend('promoteAll', {
      ...{ path: '/users/promote', method: 'POST', body: {} as { ids: number[] }, schema: [User] },
    });
    expectWarning(
      /^(?!.*(The response|process)).*promoteAll is not shown before its answer: the guess of optimistic: true, .*does not fit its schema\. Write getOptimisticResponse, or optimistic: false/s,
    );
    server.answer('POST /users/promote', { json: [{ id: 5, name: 'chief' }] });

    await store.dispatch(Bulk.promoteAll({ ids: [5] })).unwrap();

    expect(read(resources.selectEntity(User, 5))?.name).toBe('chief');
  });
});

describe('what process of a class says nothing of', () => {
  it('stays as it was', () => {
    class Book extends Entity {
      id = 0;
      authorId = 0;
      author = '';
      static override key = 'Book';
      static override process({ authorId, ...input }: Record<string, unknown>) {
        return { ...input, authorId, author: authorId };
      }
    }
    const { store, read, resources } = setup();
    store.dispatch(resources.set(Book, { id: 1, authorId: 3 }));
    store.dispatch(resources.set(Book, { id: 1, title: 'new' } as never));

    expect(read(resources.selectEntity(Book, 1))?.author).toBe(3);
  });
});

describe('an empty answer', () => {
  const Stars = createResource({ ...at, path: '/users/:id', schema: User })
    .extend('star', { path: '/users/:id/star', method: 'PUT', body: undefined })
    .extend('assign', { method: 'PATCH', body: {} as { bossId: number } })
    .extend('upload', { method: 'PATCH', body: {} as FormData });
  const form = new FormData();
  form.set('name', 'false');

  it.each([
    ['to an edit without a body', () => Stars.star({ id: 5 }), 'PUT /users/5/star'],
    ['to one that sends what is no field', () => Stars.assign({ id: 5 }, { bossId: 1 }), 'PATCH /users/5'],
    ['to a form', () => Stars.upload({ id: 5 }, form), 'PATCH /users/5'],
  ])('makes stale what shows the row: %s', async (_, write, call) => {
    const { store, read } = setup();
    server.answer('GET /users/5', { json: { id: 5, name: 'user 5' } });
    server.answer(call, { status: 204 });
    await store.dispatch(Stars.get({ id: 5 }));

    await store.dispatch(write()).unwrap();

    expect(read(Stars.get.selectRequest({ id: 5 })).isStale).toBe(true);
  });

  it('is no failure where process is not made for it, which is told', async () => {
    const { store, read } = setup();
    const Wrapped = createResource({
      ...{ ...at, path: '/wrapped/:id', schema: User },
      process: (value: unknown) => (value as { data: unknown }).data,
    });
    expectWarning(/process of User\/partialUpdate failed for an answer without content/);
    server.answer('GET /wrapped/5', { json: { data: { id: 5, name: 'user 5' } } });
    server.answer('PATCH /wrapped/5', { status: 204 });
    await store.dispatch(Wrapped.get({ id: 5 }));

    await store.dispatch(Wrapped.partialUpdate({ id: 5 }, { name: 'new' })).unwrap();

    expect(read(Wrapped.get.select({ id: 5 }))?.name).toBe('new');
  });
});

describe('a row that a write makes at an address where a read has found none', () => {
  class Settings extends Entity {
    theme = '';
    static override key = 'Settings';
    override pk() {
      return 'settings';
    }
  }

  it('is read there', async () => {
    const { store, read } = setup();
    const Own = createResource({ ...at, path: '/me/profile', schema: Profile });
    const first = store.dispatch(Own.get());
    await server.release('GET /me/profile', { status: 404 });
    await first;
    const { unsubscribe } = store.dispatch(Own.get.subscribe());
    server.answer('PUT /me/profile', { status: 201, json: { id: 7, bio: 'new' } });

    await store.dispatch(Own.update({ bio: 'new' }));
    await server.release('GET /me/profile', { json: { id: 7, bio: 'new' } });
    await store.dispatch(Own.get.ifStale());

    expect(read(Own.get.select())?.bio).toBe('new');
    unsubscribe();
  });

  it('makes nothing stale that has failed otherwise', async () => {
    const { store, read } = setup();
    const Own = createResource({ ...at, path: '/profiles/:id', schema: Profile });
    const first = store.dispatch(Own.get({ id: 7 }));
    await server.release('GET /profiles/7', { status: 500 });
    await first;
    const second = store.dispatch(Own.get({ id: 7 }));
    await server.holding('GET /profiles/7');
    server.answer('PUT /profiles/7', { json: { id: 7, bio: 'new' } });
    await store.dispatch(Own.update({ id: 7 }, { bio: 'new' }));
    await server.release('GET /profiles/7', { json: { id: 7, bio: 'new' } });
    await second;

    expect(read(Own.get.selectRequest({ id: 7 })).isStale).toBe(false);
  });

  it('is that of a class whose pk is always the same', async () => {
    const { store, read } = setup();
    const Own = createResource({ ...at, path: '/settings', schema: Settings });
    server.answer('PUT /settings', { status: 201, json: { theme: 'dark' } });

    await store.dispatch(Own.update({ theme: 'dark' }));

    expect(read(Own.get.select())?.theme).toBe('dark');
  });
});

describe('two lists below an item, at two addresses', () => {
  it('are one where their Collections have no names, which is told', async () => {
    const { store } = setup();
    server.answer('GET /users/5/followers', { json: [] });
    server.answer('GET /users/5/following', { json: [] });
    const Social = createResource({ ...at, path: '/users/:id', schema: User })
      .extend('getFollowers', { path: '/users/:id/followers', schema: new Collection([User]) })
      .extend('getFollowing', { path: '/users/:id/following', schema: new Collection([User]) });
    expectWarning(/followers and .*following read the same lists/);

    await store.dispatch(Social.getFollowers({ id: 5 }));
    await store.dispatch(Social.getFollowing({ id: 5 }));
  });
});
