import { Collection, createResource, Entity, ResourceError, RestEndpoint, schema } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup, typesOf } from '../support/store.js';

class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  static override key = 'Todo';
}

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}

const server = await serverOfFile();

const search: { userId?: number } = {};
const options = { urlPrefix: server.url, path: '/todos/:id', schema: Todo, searchParams: search } as const;
const TodoResource = createResource({ ...options, paginationField: 'page' });
const UserResource = createResource({ urlPrefix: server.url, path: '/users/:id', schema: User });

const titles = (list: readonly Todo[] | undefined): readonly string[] | undefined => list?.map(({ title }) => title);

describe('extend in batch', () => {
  const Extended = TodoResource.extend({
    get: { path: '/v2/todos/:id' },
    update: { path: '/v2/todos/:id', dataExpiryLength: 5 },
  });

  it('overrides options of the members it names', async () => {
    const { store } = setup();
    server.answer('GET /v2/todos/1', { json: { id: 1, title: 'new' } });
    server.answer('PUT /v2/todos/1', { json: { id: 1, title: 'newer' } });

    expect((await store.dispatch(Extended.get({ id: 1 })).unwrap()).title).toBe('new');
    expect((await store.dispatch(Extended.update({ id: 1 }, { title: 'newer' })).unwrap()).title).toBe('newer');
    expect([Extended.update.dataExpiryLength, Extended.get.dataExpiryLength]).toEqual([5, undefined]);
  });

  it('leaves all other members, and the resource it was made of', () => {
    expect(Extended.getList).toBe(TodoResource.getList);
    expect(Extended.delete).toBe(TodoResource.delete);
    expect(TodoResource.get.url({ id: 1 })).toBe(`${server.url}/todos/1`);
    expect(Extended.get.url({ id: 1 })).toBe(`${server.url}/v2/todos/1`);
  });

  it('keeps the names of members, and the tables they read and write', async () => {
    const { store, read, actions } = setup();
    server.answer('GET /v2/todos/1', { json: { id: 1, title: 'new' } });

    await store.dispatch(Extended.get({ id: 1 })).unwrap();

    expect(typesOf(actions)).toEqual(['Todo/get/pending', 'Todo/get/fulfilled']);
    expect(read(TodoResource.partialUpdate.select({ id: 1 }, {}))?.title ?? 'new').toBe('new');
    expect(titles(read(() => [Extended.get.select({ id: 1 })(store.getState()) ?? Todo.fromJS()]))).toEqual(['new']);
  });

  it('refuses a name that no member has', () => {
    const extend = (): unknown =>
      // @ts-expect-error: there is no such member
      TodoResource.extend({ get: { path: '/v2/todos/:id' }, gte: { path: '/v2/todos/:id' } });

    expect(extend).toThrow(ResourceError);
    expect(extend).toThrow(/no member "gte" to extend[^]*extend\('gte', \{ … \}\)[^]*\[R13\]/);
  });

  it.each(['extend', 'toString', '__proto__', 'constructor'])('refuses %s, which is no member', (name) => {
    const overrides = JSON.parse(`{"${name}":{"path":"/x"}}`) as object;

    expect(() => TodoResource.extend(overrides as never)).toThrow(/R13/);
  });
});

describe('extend by a name', () => {
  it('adds a read, named by the resource', async () => {
    const { store, actions } = setup();
    const { current } = UserResource.extend('current', { path: '/user' });
    server.answer('GET /user', { json: { id: 7, name: 'Ada' } });

    const user = await store.dispatch(current()).unwrap();

    expect(user).toEqual(User.fromJS({ id: 7, name: 'Ada' }));
    expect([current.name, current.typePrefix, current.method]).toEqual(['User/current', 'User/current', 'GET']);
    expect(typesOf(actions)).toEqual(['User/current/pending', 'User/current/fulfilled']);
    expect(actions.filter(current.fulfilled.match)).toHaveLength(1);
    expect(actions.filter(UserResource.get.settled)).toHaveLength(0);
  });

  it('adds a write where it has a body, and keeps the options of the resource', async () => {
    const { store, read } = setup();
    const Slow = createResource({ urlPrefix: server.url, path: '/users/:id', schema: User, pollFrequency: 9000 });
    const credentials: { readonly password: string } = { password: '' };
    const { login } = Slow.extend('login', { path: '/login', body: credentials });
    server.answer('POST /login', { json: { id: 7, name: 'Ada' } });

    await store.dispatch(login({ password: 'x' })).unwrap();

    expect([login.method, login.sideEffect, login.pollFrequency]).toEqual(['POST', true, 9000]);
    expect(server.received).toMatchObject([{ method: 'POST', path: '/login', body: { password: 'x' } }]);
    expect(read(Slow.get.select({ id: 7 }))?.name).toBe('Ada');
  });

  it('adds a DELETE that sends its body, where it has one', async () => {
    const { store } = setup();
    const ids: { readonly ids: readonly number[] } = { ids: [] };
    const { clear } = TodoResource.extend('clear', { path: '/todos', method: 'DELETE', body: ids, schema: undefined });
    server.answer('DELETE /todos', { json: { cleared: 2 } });

    expect(await store.dispatch(clear({ ids: [1, 2] })).unwrap()).toEqual({ cleared: 2 });
    expect(server.received[0]?.body).toEqual({ ids: [1, 2] });
  });

  it('adds a path with an optional parameter, a query part and escaped characters', async () => {
    const { store } = setup();
    const { find } = TodoResource.extend('find', {
      path: '/search/:kind?\\?q=:q?%20repo\\::owner&page=:page?',
      searchParams: undefined,
      schema: { results: new Collection([Todo]), total: 0, limit: 0, skip: 0 },
    });
    server.answer(/^GET \/search/, { json: { results: [{ id: 1, title: 'found' }], total: 40, limit: 1, skip: 0 } });

    const found = await store.dispatch(find({ q: 'a&b', owner: 'me', page: 2 })).unwrap();

    expect(server.received.map(({ path, query }) => `${path}?${query}`)).toEqual(['/search?q=a%26b%20repo:me&page=2']);
    expect(found).toEqual({ results: [Todo.fromJS({ id: 1, title: 'found' })], total: 40, limit: 1, skip: 0 });
  });

  it('replaces a member of that name', async () => {
    const { store } = setup();
    const byId: { readonly id: number } = { id: 0 };
    const { get } = TodoResource.extend('get', { path: '/todo-by-id', searchParams: byId });
    server.answer('GET /todo-by-id', { json: { id: 3, title: 'x' } });

    await store.dispatch(get({ id: 3 })).unwrap();

    expect(get.name).toBe('Todo/get');
    expect(server.received[0]?.query).toBe('id=3');
  });

  it('takes a name of its own', () => {
    const { me } = UserResource.extend('me', { path: '/me', name: 'Session/me' });

    expect(me.name).toBe('Session/me');
  });

  it.each<[string, { readonly name?: string }, string]>([
    ['the path', {}, '/feed/:id/current'],
    ['the name of the resource', { name: 'Feed' }, 'Feed/current'],
  ])('is named by %s where the schema has no key', (_, named, name) => {
    const mixed = new schema.Union({ todo: Todo, user: User }, 'title');
    const Feed = createResource({ path: '/feed/:id', schema: mixed, ...named });

    expect(Feed.extend('current', { path: '/feed/current' }).current.name).toBe(name);
    expect(Feed.getList.push.name).toBe(name.replace('current', 'getList/push'));
  });
});

describe('extend by a function', () => {
  it('makes members of those there are', async () => {
    const { store, read } = setup();
    const Extended = TodoResource.extend((base) => ({
      getMine: base.getList.extend({ path: '/me/todos', name: 'Todo/getMine' }),
      archive: base.partialUpdate.extend({ path: '/todos/:id/archive', name: 'Todo/archive' }),
    }));
    server.answer('GET /me/todos', { json: [{ id: 1, title: 'mine' }] });
    server.answer('PATCH /todos/1/archive', { json: { id: 1, title: 'archived' } });

    await store.dispatch(Extended.getMine()).unwrap();
    await store.dispatch(Extended.archive({ id: 1 }, {})).unwrap();

    expect(titles(read(Extended.getMine.select()))).toEqual(['archived']);
    expect(Extended.get).toBe(TodoResource.get);
    expect('getMine' in TodoResource).toBe(false);
  });

  it('reaches what a hook replaces', async () => {
    const Extended = TodoResource.extend((base) => ({
      get: base.get.extend({
        process(...args) {
          const todo = base.get.process.call(this, ...args) as { title: string };
          return { ...todo, title: todo.title.toUpperCase() };
        },
      }),
    }));
    server.answer('GET /todos/1', { json: { id: 1, title: 'loud' } });

    expect(await Extended.get.fetch({ id: 1 })).toEqual({ id: 1, title: 'LOUD' });
  });

  it('may add what is no endpoint', () => {
    const Extended = TodoResource.extend(() => ({ label: 'To do', count: (list: readonly Todo[]) => list.length }));

    expect([Extended.label, Extended.count([])]).toEqual(['To do', 0]);
    expect(Extended.extend('current', { path: '/todos/current' }).label).toBe('To do');
  });
});

describe('extend by a function whose member is not there', () => {
  it('leaves it out', () => {
    const Extended = TodoResource.extend(() => ({ maybe: undefined, nothing: null }));

    expect([Extended.maybe, Extended.nothing]).toEqual([undefined, null]);
    expect(Extended.extend('current', { path: '/todos/current' }).get.name).toBe('Todo/get');
  });
});

describe('a chain of extensions', () => {
  it('adds up, each on what the one before made', async () => {
    const Extended = TodoResource.extend({ get: { urlPrefix: `${server.url}/v2` } })
      .extend('latest', { path: '/todos/latest' })
      .extend((base) => ({ first: base.latest.extend({ path: '/todos/first', name: 'Todo/first' }) }))
      .extend({ first: { process: () => ({ id: 1, title: 'first of all' }) } });
    server.answer(/v2/, { json: { id: 9 } });

    expect(Extended.latest.url()).toBe(`${server.url}/v2/todos/latest`);
    expect([Extended.latest.name, Extended.first.name]).toEqual(['Todo/latest', 'Todo/first']);
    expect(await Extended.first.fetch()).toEqual({ id: 1, title: 'first of all' });
    expect(await Extended.latest.fetch()).toEqual({ id: 9 });
  });

  it('of one endpoint keeps what is not overridden, and leaves each one as it was', () => {
    const one = new RestEndpoint({ urlPrefix: 'http://a.test', path: '/a/:id', name: 'one', pollFrequency: 1 });
    const two = one.extend({ path: '/b/:id' });
    const three = two.extend({ urlPrefix: 'http://c.test', name: 'three' });

    expect([one, two, three].map((endpoint) => endpoint.url({ id: 1 }))).toEqual([
      'http://a.test/a/1',
      'http://a.test/b/1',
      'http://c.test/b/1',
    ]);
    expect([one.name, two.name, three.name]).toEqual(['one', 'one', 'three']);
    expect([three.pollFrequency, three.method]).toEqual([1, 'GET']);
  });

  it('of a single endpoint makes of a read a write, and of a write a read', () => {
    const read = new RestEndpoint({ path: '/a' });
    const write = read.extend({ method: 'POST' });
    const asked = write.extend({ sideEffect: false });

    expect([read, write, asked].map(({ method, sideEffect }) => [method, sideEffect])).toEqual([
      ['GET', false],
      ['POST', true],
      ['POST', false],
    ]);
  });
});

describe('an overridden getList', () => {
  interface Envelope {
    readonly data: unknown;
    readonly total?: number;
  }
  const lists = new Collection([Todo], { paginationField: 'page' });
  const Wrapped = TodoResource.extend({
    getList: {
      path: '/users/:userId/todos',
      searchParams: undefined,
      schema: { results: lists, total: 0 },
      process(value) {
        const { data, total } = value as Envelope;
        return Array.isArray(data) ? { results: data, total } : data;
      },
    },
  });

  async function setupWithList() {
    const tools = setup();
    server.answer('GET /users/1/todos', {
      json: {
        data: [
          { id: 1, userId: 1, title: 'a' },
          { id: 2, userId: 1, title: 'b' },
        ],
        total: 3,
      },
    });
    await tools.store.dispatch(Wrapped.getList({ userId: 1 })).unwrap();
    const list = (userId = 1) => tools.read(Wrapped.getList.select({ userId }));

    return { ...tools, list };
  }

  it('is read by its new path, schema and process', async () => {
    const { list } = await setupWithList();

    expect(list()).toEqual({
      results: [Todo.fromJS({ id: 1, userId: 1, title: 'a' }), Todo.fromJS({ id: 2, userId: 1, title: 'b' })],
      total: 3,
    });
  });

  it.each([
    ['push', ['a', 'b', 'new']],
    ['unshift', ['new', 'a', 'b']],
  ] as const)('has a %s that adds to it', async (verb, after) => {
    const { store, list } = await setupWithList();
    server.answer('POST /users/1/todos', { json: { data: { id: 3, userId: 1, title: 'new' } } });

    const added = await store.dispatch(Wrapped.getList[verb]({ userId: 1 }, { title: 'new' })).unwrap();

    expect(added).toEqual(Todo.fromJS({ id: 3, userId: 1, title: 'new' }));
    expect(titles(list()?.results)).toEqual(after);
    expect(list()?.total).toBe(3);
    expect(Wrapped.getList[verb].name).toBe(`Todo/getList/${verb}`);
  });

  it('has a getPage that adds its page, and updates what stands beside', async () => {
    const { store, list } = await setupWithList();
    server.answer('GET /users/1/todos?page=2', { json: { data: [{ id: 3, userId: 1, title: 'c' }], total: 4 } });

    const whole = await store.dispatch(Wrapped.getList.getPage({ userId: 1, page: 2 })).unwrap();

    expect(titles(whole.results)).toEqual(['a', 'b', 'c']);
    expect(whole.total).toBe(4);
    expect(list()).toEqual(whole);
    expect(list()?.results).toBe(whole.results);
  });

  it('has a remove that takes out of it', async () => {
    const { store, list } = await setupWithList();
    server.answer('PATCH /users/1/todos', { json: { data: { id: 1, userId: 1, title: 'a' } } });

    await store.dispatch(Wrapped.getList.remove({ userId: 1 }, { id: 1 })).unwrap();

    expect(titles(list()?.results)).toEqual(['b']);
  });

  it('has a move, on the path of an item', async () => {
    const { store, list } = await setupWithList();
    server.answer('GET /users/2/todos', { json: { data: [], total: 0 } });
    await store.dispatch(Wrapped.getList({ userId: 2 })).unwrap();
    server.answer('PATCH /todos/1', { json: { data: { id: 1, userId: 2, title: 'a' } } });

    await store.dispatch(Wrapped.getList.move({ id: 1 }, { userId: 2 })).unwrap();

    expect([titles(list(1)?.results), titles(list(2)?.results)]).toEqual([['b'], ['a']]);
  });

  it('can be overridden again, and its members can, alone', async () => {
    const { store, list } = await setupWithList();
    const Again = Wrapped.extend((base) => ({
      create: base.getList.push.extend({ path: '/users/:userId/todos/new', name: 'Todo/create' }),
      getList: base.getList.extend({ dataExpiryLength: 7 }),
    }));
    server.answer('POST /users/1/todos/new', { json: { data: { id: 3, userId: 1, title: 'new' } } });

    await store.dispatch(Again.create({ userId: 1 }, { title: 'new' })).unwrap();

    expect(titles(list()?.results)).toEqual(['a', 'b', 'new']);
    expect([Again.getList.dataExpiryLength, Again.getList.push.path]).toEqual([7, '/users/:userId/todos']);
  });

  it('that gets its pagination later has a getPage from then on', async () => {
    const { store, read } = setup();
    const Plain = createResource(options);
    const Paged = Plain.extend({ getList: { paginationField: 'cursor' } });
    server.answer('GET /todos', { json: [{ id: 1, title: 'a' }] });
    server.answer('GET /todos?cursor=x', { json: [{ id: 2, title: 'b' }] });

    await store.dispatch(Paged.getList()).unwrap();
    await store.dispatch(Paged.getList.getPage({ cursor: 'x' })).unwrap();

    expect('getPage' in Plain.getList).toBe(false);
    expect(titles(read(Paged.getList.select()))).toEqual(['a', 'b']);
  });

  it('without a Collection has no members that change lists', () => {
    const { getList } = TodoResource.extend({ getList: { schema: Todo } });

    for (const member of ['push', 'unshift', 'assign', 'remove', 'move', 'getPage', 'paginated'])
      expect(member in getList).toBe(false);
  });
});

describe('a function of the user around createResource', () => {
  class ApiEndpoint extends RestEndpoint {
    override readonly urlPrefix: string = server.url;
    override process(...args: Parameters<RestEndpoint['process']>): unknown {
      return (super.process(...args) as { readonly data: unknown }).data;
    }
    get isOurs(): boolean {
      return true;
    }
  }

  function createApiResource<
    const Path extends string,
    S,
    Search = undefined,
    const Page extends string = never,
    Made extends object = ApiEndpoint,
  >({
    Endpoint = ApiEndpoint as never,
    ...rest
  }: Parameters<typeof createResource<Path, S, Search, Partial<S>, Page, Made>>[0]) {
    return createResource<Path, S, Search, Partial<S>, Page, Made>({ ...rest, Endpoint }).extend('count', {
      path: '/count',
      schema: undefined,
    });
  }

  it('gives each resource its class, its options and its members', async () => {
    const { store } = setup();
    const Users = createApiResource({ path: '/users/:id', schema: User, optimistic: true });
    server.answer('GET /users/1', { json: { data: { id: 1, name: 'Ada' } } });
    server.answer('GET /count', { json: { data: 3 } });

    const user = await store.dispatch(Users.get({ id: 1 })).unwrap();

    expect(user).toEqual(User.fromJS({ id: 1, name: 'Ada' }));
    expect(await store.dispatch(Users.count()).unwrap()).toBe(3);
    expect([Users.count.name, Users.get.isOurs, Users.update.optimistic]).toEqual(['User/count', true, true]);
    for (const endpoint of [Users.get, Users.getList, Users.getList.push, Users.delete, Users.count])
      expect(endpoint).toBeInstanceOf(ApiEndpoint);
  });

  it('lets a resource choose another class', async () => {
    class Bare extends ApiEndpoint {
      override process(value: unknown): unknown {
        return value;
      }
    }
    const Users = createApiResource({ path: '/users/:id', schema: User, Endpoint: Bare });
    server.answer('GET /users/1', { json: { id: 1 } });

    expect(await Users.get.fetch({ id: 1 })).toEqual({ id: 1 });
    expect(Users.count).toBeInstanceOf(Bare);
  });
});
