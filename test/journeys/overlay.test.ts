import { Collection, createResource, Entity, RestEndpoint, schema, type TypedEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { setup } from '../support/store.js';

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}

class Post extends Entity {
  id = 0;
  title = '';
  author = new User();
  static override key = 'Post';
  static override schema = { author: User };
}

class Grid extends Entity {
  id = 0;
  cells: User[][] = [];
  static override key = 'Grid';
  static override schema = { cells: [[User]] };
}

class Reply extends Entity {
  id = 0;
  replies: Reply[] = [];
  static override key = 'Reply';
  static override schema: Record<string, unknown> = {};
}
Reply.schema = { replies: [Reply] };

// No answer ever comes, so what is dispatched stays pending.
const shared = {
  urlPrefix: 'http://localhost',
  optimistic: true,
  fetchResponse: () => new Promise<Response>(() => {}),
};
const Users = createResource({ ...shared, path: '/users/:id', schema: User });
const Posts = createResource({ ...shared, path: '/posts/:id', schema: Post });
const Grids = createResource({ ...shared, path: '/grids/:id', schema: Grid });
const Replies = createResource({ ...shared, path: '/replies/:id', schema: Reply });

const seven = { id: 7, name: 'seven' };
/** Whatever is read: what these tests say of it is the same for all. */
type Anything = TypedEndpoint<readonly unknown[], unknown>;

const ofShapes: Readonly<Record<string, readonly [endpoint: Anything, response: unknown]>> = {
  'a list of lists': [new RestEndpoint({ path: '/m', schema: new Collection([[User]], { name: 'm' }) }), [[seven]]],
  'lists in a list': [new RestEndpoint({ path: '/p', schema: [[User]] }), [[seven]]],
  'a list of shapes': [
    new RestEndpoint({ path: '/s', schema: new Collection([{ user: User }], { name: 's' }) }),
    [{ user: seven }],
  ],
  'a shape in a shape': [
    new RestEndpoint({ path: '/d', schema: { page: { users: [User] } } }),
    { page: { users: [seven] } },
  ],
  'values in a shape': [
    new RestEndpoint({ path: '/v', schema: { users: new schema.Values(User) } }),
    { users: { a: seven } },
  ],
  'all of a class': [new RestEndpoint({ path: '/a', schema: new schema.All(User) }), [seven]],
};
const shapes = Object.entries(ofShapes);

describe('while a request is pending', () => {
  it.each<readonly [string, { readonly get: Anything; readonly getList: Anything }, unknown]>([
    ['has a default for what the server did not send', Posts, { id: 1, title: 'one' }],
    ['holds lists of lists', Grids, { id: 1, cells: [[seven]] }],
    ['is found inside itself', Replies, { id: 1, replies: [{ id: 2, replies: [{ id: 1 }] }] }],
  ])('an entity that it does not touch stays one object, though it %s', (_, { get, getList }, row) => {
    const { store, resources, read } = setup();
    store.dispatch(resources.setResponse(getList, [row]));
    store.dispatch(resources.setResponse(Users.getList, {}, [{ id: 8, name: 'eight' }]));
    const before = read(resources.select(get, { id: 1 }));

    void store.dispatch(Users.partialUpdate({ id: 8 }, { name: 'other' }));
    const list = read(resources.selectRequest(getList));
    const one = read(resources.selectRequest(get, { id: 1 }));

    expect(one.data).toBe(before);
    expect((list.data as readonly unknown[])[0]).toBe(before);
    expect([list.isOptimistic, one.isOptimistic]).toEqual([false, false]);
  });

  it.each(shapes)('%s stays one object where nothing inside is touched', (_, [endpoint, response]) => {
    const { store, resources, read } = setup();
    store.dispatch(resources.setResponse(endpoint, response));
    store.dispatch(resources.setResponse(Posts.getList, {}, [{ id: 1, title: 'one' }]));
    const before = read(resources.select(endpoint));

    void store.dispatch(Posts.partialUpdate({ id: 1 }, { title: 'other' }));

    expect(read(resources.select(endpoint))).toBe(before);
    expect(read(resources.selectRequest(endpoint)).isOptimistic).toBe(false);
  });

  it.each(shapes)('%s shows what it changes inside, and what it deletes no more', (_, [endpoint, response]) => {
    const { store, resources, read } = setup();
    store.dispatch(resources.setResponse(endpoint, response));
    const shown = (): string => JSON.stringify(read(resources.select(endpoint)));
    const before = shown();

    const edit = store.dispatch(Users.partialUpdate({ id: 7 }, { name: 'other' }));
    expect(shown()).toBe(before.replace('seven', 'other'));
    expect(read(resources.selectRequest(endpoint)).isOptimistic).toBe(true);

    void store.dispatch(Users.delete({ id: 7 }));
    expect(shown()).not.toContain('other');

    edit.abort();
    expect(shown()).not.toContain('seven');
  });
});

it('a shape with a list inside is the same object where two edits come to nothing together', () => {
  const { store, resources, read } = setup();
  const start = new RestEndpoint({ path: '/start', schema: { first: User, users: [User] } });
  store.dispatch(resources.setResponse(start, {}, { first: seven, users: [seven, { id: 8, name: 'eight' }] }));
  const before = read(start.select());

  void store.dispatch(Users.partialUpdate({ id: 7 }, { name: 'other' }));
  const during = read(start.selectRequest());
  void store.dispatch(Users.partialUpdate({ id: 7 }, { name: 'seven' }));
  const after = read(start.selectRequest());

  expect([during.isOptimistic, after.isOptimistic]).toEqual([true, false]);
  expect(after.data).toBe(before);
});

it('all of a class come in the order of their requests, in a state of the past as well', async () => {
  const { store, resources } = setup();
  store.dispatch(resources.setResponse(Users.getList, {}, []));
  const names = (state = store.getState()) =>
    resources
      .selectAll(User)(state)
      .map(({ name }) => name);

  const first = store.dispatch(Users.getList.push({ name: 'first' }));
  void store.dispatch(Users.getList.push({ name: 'second' }));
  const both = store.getState();
  const before = names();
  first.abort();
  await first;

  expect([before, names(), names(both)]).toEqual([['first', 'second'], ['second'], ['first', 'second']]);
});

it('a list that comes to show what it shows already, for another reason, is the same object', async () => {
  const { store, resources, read } = setup();
  const rows = [seven, { id: 8, name: 'eight' }];
  const answered = Users.getList.extend({ fetchResponse: () => Promise.resolve(Response.json(rows)) });
  store.dispatch(resources.setResponse(Users.getList, {}, rows));
  const list = () => read(Users.getList.select()) ?? [];
  void store.dispatch(Users.partialUpdate({ id: 8 }, { name: 'other' }));
  list();

  void store.dispatch(Users.getList.push({ name: 'new' }));
  const [, , created] = list();
  void store.dispatch(Users.getList.remove({}, { id: created?.id ?? 0 }));
  const shown = list();
  await store.dispatch(answered());

  expect(shown.map(({ name }) => name)).toEqual(['seven', 'other']);
  expect(list()).toBe(shown);
});

describe('a list of shapes', () => {
  it('shows again what lies in one of them, when its deletion is given up', async () => {
    const { store, resources, read } = setup();
    const Teams = new RestEndpoint({ path: '/teams', schema: new Collection([{ title: '', users: [User] }]) });
    const response = [{ title: 'x', users: [seven, { id: 8, name: 'eight' }] }];
    store.dispatch(resources.setResponse(Teams, {}, response));
    const names = (): unknown => read(Teams.select())?.map(({ users }) => users.map(({ name }) => name));
    expect(names()).toEqual([['seven', 'eight']]);

    const deletion = store.dispatch(Users.delete({ id: 8 }));
    expect(names()).toEqual([['seven']]);
    deletion.abort();
    await deletion;

    expect(names()).toEqual([['seven', 'eight']]);
  });

  it('shows a row that has come again the same in all of them', () => {
    const { store, resources, read } = setup();
    const Members = new RestEndpoint({ path: '/members', schema: new Collection([{ user: User }]) });
    store.dispatch(resources.setResponse(Members, {}, [{ user: seven }, { user: { id: 8, name: 'eight' } }]));
    read(Members.select());

    store.dispatch(resources.setResponse(Members.push, {}, {}, { user: { id: 7, name: 'other' } }));

    expect(read(Members.select())?.map(({ user }) => user.name)).toEqual(['other', 'eight', 'other']);
  });
});
