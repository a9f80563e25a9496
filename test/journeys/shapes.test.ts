import { Collection, createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();

const urlPrefix = server.url;
const Todos = createResource({ urlPrefix, path: '/todos/:id', schema: Todo });
const todos = [
  { id: 1, title: 'one' },
  { id: 2, title: 'two' },
];
const ids = (list: readonly Todo[] | undefined) => list?.map(({ id }) => id);

/** A store that has read the list. */
async function setupTodos() {
  const tools = setup();
  server.answer('GET /todos', { json: todos });
  server.answer('DELETE /todos/1', { status: 204 });
  await tools.store.dispatch(Todos.getList()).unwrap();

  return { ...tools, sent: () => server.received.map(({ method, path }) => `${method} ${path}`).slice(1) };
}

describe('a shape that was never asked for', () => {
  const getWrapped = new RestEndpoint({ urlPrefix, path: '/todos/:id', schema: { data: Todo }, name: 'wrapped' });

  it('is read from the tables when its entity is there, as one object', async () => {
    const { read, store, resources } = await setupTodos();

    const value = read(getWrapped.select({ id: 1 }));
    store.dispatch(resources.set(Todo, { id: 2, title: 'another' }));

    expect(value).toEqual({ data: Todo.fromJS(todos[0]) });
    expect(value?.data).toBe(read(Todos.get.select({ id: 1 })));
    expect(read(getWrapped.select({ id: 1 }))).toBe(value);
    expect(read(getWrapped.select({ id: 9 }))).toBeUndefined();
  });

  it('is not fetched while what brought its entity is fresh', async () => {
    const { store, sent } = await setupTodos();
    server.answer('GET /todos/1', { json: { data: todos[0] } });

    const value = await store.dispatch(getWrapped.ifStale({ id: 1 })).unwrap();

    expect(value.data.title).toBe('one');
    expect(sent()).toEqual([]);
  });

  it('is not there when one of its parts is not, and has the defaults of what is no entity', async () => {
    const { read } = await setupTodos();
    const both = { todo: Todo, list: new Collection([Todo], { argsKey: ({ of }: { of?: string }) => ({ of }) }) };
    const getBoth = new RestEndpoint({ path: '/both/:id', schema: { ...both, next: '', at: Date }, name: 'both' });

    expect(read(getBoth.select({ id: 1 }))).toEqual({
      todo: Todo.fromJS(todos[0]),
      list: todos.map((todo) => Todo.fromJS(todo)),
      next: '',
      at: undefined,
    });
    expect(read(getBoth.select({ id: 1, of: 'ada' }))).toBeUndefined();
    expect(read(getBoth.select({ id: 9 }))).toBeUndefined();
  });

  it('is found through shapes inside it', async () => {
    const { read } = await setupTodos();
    const getDeep = new RestEndpoint({ path: '/deep/:id', schema: { data: { node: Todo, cursor: '' } }, name: 'deep' });

    expect(read(getDeep.select({ id: 2 }))).toEqual({ data: { node: Todo.fromJS(todos[1]), cursor: '' } });
  });

  it('is never there without an entity or a list', async () => {
    const { read } = await setupTodos();
    const getStats = new RestEndpoint({
      path: '/stats',
      schema: { at: Date, count: 0, inner: { x: '' } },
      name: 'stats',
    });

    expect(read(getStats.select())).toBeUndefined();
  });

  it('is not there when nothing tells whether a part of it is', async () => {
    const { read } = await setupTodos();
    const getTags = new RestEndpoint({ path: '/tagged/:id', schema: { todo: Todo, others: [Todo] }, name: 'tagged' });

    expect(read(getTags.select({ id: 1 }))).toBeUndefined();
  });

  it('is not put together of two things that have the same id', async () => {
    class User extends Entity {
      id = 0;
      static override key = 'User';
    }
    const { store, resources, read } = await setupTodos();
    store.dispatch(resources.set(User, { id: 1 }));
    const getPair = new RestEndpoint({ path: '/pair/:id', schema: { todo: Todo, user: User }, name: 'pair' });

    expect(read(getPair.select({ id: 1 }))).toBeUndefined();
  });

  it('is not looked for without end, where it holds itself', async () => {
    const { read } = await setupTodos();
    const tree = new schema.Object({ todo: Todo });
    tree.define({ inner: tree, other: new schema.Lazy(() => tree) });
    const getTree = new RestEndpoint({ path: '/tree/:id', schema: tree, name: 'tree' });

    expect(read(getTree.select({ id: 1 }))).toBeUndefined();
  });

  it('is gone with its entity', async () => {
    const { store, read } = await setupTodos();
    const before = read(getWrapped.select({ id: 1 }));

    await store.dispatch(Todos.delete({ id: 1 })).unwrap();

    expect(before).toBeDefined();
    expect(read(getWrapped.select({ id: 1 }))).toBeUndefined();
  });
});

describe('a Query over a shape', () => {
  const paged = { results: new Collection([Todo]), next: '' };

  it('gives what it makes of the list that the shape has', async () => {
    const { store, resources, read } = setup();
    const getPaged = new RestEndpoint({ urlPrefix, path: '/paged', schema: paged, name: 'paged' });
    server.answer('GET /paged', { json: { results: todos, next: 'x' } });
    const titles = new schema.Query(paged, ({ results }) => results.map(({ title }) => title).join(' '));
    const before = read(resources.select(titles, {}));

    await store.dispatch(getPaged()).unwrap();
    const loaded = read(resources.select(titles, {}));
    store.dispatch(resources.set(Todo, { id: 2, title: 'edited' }));

    expect([before, loaded, read(resources.select(titles, {}))]).toEqual([undefined, 'one two', 'one edited']);
  });

  it('gives the same while nothing of it changes', async () => {
    const { store, resources, read } = await setupTodos();
    const all = new schema.Query(paged, ({ results }) => [...results].reverse());
    const first = read(resources.select(all));

    store.dispatch(resources.set(Todo, { id: 9, title: 'elsewhere' }));

    expect(ids(first)).toEqual([2, 1]);
    expect(read(resources.select(all))).toBe(first);
  });
});

describe('a shape whose entity is deleted', () => {
  const edge = { node: Todo, cursor: '' };
  const edges = [
    { node: todos[0], cursor: 'a' },
    { node: todos[1], cursor: 'b' },
    { node: null, cursor: 'c' },
  ];
  const cursors = (list: unknown) => Object.values(list as Record<string, { cursor: string }>).map((one) => one.cursor);

  it.each([
    ['a list', [edge], edges],
    ['a Collection', new Collection([edge]), edges],
    ['a Collection of values', new Collection(new schema.Values(edge)), Object.assign({}, edges)],
    ['a set of values', new schema.Values(edge), Object.assign({}, edges)],
    ['a list of a Union', new schema.Array({ edge }, () => 'edge'), edges],
    ['a list of what is Lazy', [new schema.Lazy(() => edge)], edges],
  ])('is left out of %s, and one whose entity was null stays', async (name, definition, json) => {
    const getEdges = new RestEndpoint({ urlPrefix, path: '/edges', schema: definition, name });
    const { store, read } = await setupTodos();
    server.answer('GET /edges', { json });
    await store.dispatch(getEdges()).unwrap();
    const before = cursors(read(getEdges.select()));

    await store.dispatch(Todos.delete({ id: 1 })).unwrap();

    expect(before).toEqual(['a', 'b', 'c']);
    expect(cursors(read(getEdges.select()))).toEqual(['b', 'c']);
  });

  it('is left out at once where that is hoped for, and is back where it fails', async () => {
    const Eager = createResource({ urlPrefix, path: '/todos/:id', schema: Todo, optimistic: true });
    const getEdges = new RestEndpoint({ urlPrefix, path: '/edges', schema: [edge], name: 'edges' });
    const { store, read } = setup();
    server.answer('GET /edges', { json: edges });
    const before = await store.dispatch(getEdges()).unwrap();

    const promise = store.dispatch(Eager.delete({ id: 2 }));
    const pending = cursors(read(getEdges.select()));
    await server.release('DELETE /todos/2', { status: 500 });
    await promise;

    expect(pending).toEqual(['a', 'c']);
    expect(read(getEdges.select())).toBe(before);
  });

  it.each([
    ['204', { status: 204 }],
    ['its envelope', { json: { data: { id: 1, title: 'one' } } }],
  ])('is gone by the address of a resource of shapes, answered %s', async (_, reply) => {
    const Enveloped = createResource({ urlPrefix, path: '/todos/:id', schema: { data: Todo }, name: 'Enveloped' });
    const { store, read } = await setupTodos();
    server.answer('DELETE /todos/1', reply);

    await store.dispatch(Enveloped.delete({ id: 1 })).unwrap();

    expect(ids(read(Todos.getList.select()))).toEqual([2]);
  });

  it('is undefined in a field of an entity, and takes along what cannot be without it', async () => {
    class Board extends Entity {
      id = 0;
      pinned: { node: Todo } | undefined = undefined;
      static override key = 'Board';
      static override schema = { pinned: { node: Todo } };
    }
    class Strict extends Board {
      override pinned: { node: Todo } = { node: Todo.fromJS() };
    }
    const getBoard = new RestEndpoint({ urlPrefix, path: '/boards/:id', schema: Board, name: 'board' });
    const getStrict = getBoard.extend({ schema: Strict, name: 'strict' });
    const { store, read } = await setupTodos();
    server.answer('GET /boards/5', { json: { id: 5, pinned: { node: todos[0] } } });
    await store.dispatch(getBoard({ id: 5 })).unwrap();

    await store.dispatch(Todos.delete({ id: 1 })).unwrap();

    expect(read(getBoard.select({ id: 5 }))).toEqual(Board.fromJS({ id: 5 }));
    expect(read(getStrict.select({ id: 5 }))).toBeUndefined();
  });

  it('has nothing as a whole answer, and is fetched again', async () => {
    const getWrapped = new RestEndpoint({
      urlPrefix,
      path: '/wrapped/:id',
      schema: { data: Todo, at: '' },
      name: 'wrapped',
    });
    const { store, read, sent } = await setupTodos();
    server.answer('GET /wrapped/1', { json: { data: todos[0], at: 'now' } });
    await store.dispatch(getWrapped({ id: 1 })).unwrap();

    await store.dispatch(Todos.delete({ id: 1 })).unwrap();
    const value = read(getWrapped.select({ id: 1 }));
    await store.dispatch(getWrapped.ifStale({ id: 1 }));

    expect(value).toBeUndefined();
    expect(sent().at(-1)).toBe('GET /wrapped/1');
    expect(sent()).toHaveLength(3);
  });

  it('stays as a whole answer that shows other things too', async () => {
    const home = { featured: Todo, results: new Collection([Todo], { name: 'Home' }), meta: { by: Todo } };
    const getHome = new RestEndpoint({ urlPrefix, path: '/home', schema: home, name: 'home' });
    const { store, read } = await setupTodos();
    server.answer('GET /home', { json: { featured: todos[0], results: todos, meta: { by: null } } });
    await store.dispatch(getHome()).unwrap();

    await store.dispatch(Todos.delete({ id: 1 })).unwrap();

    expect(read(getHome.select())).toEqual({
      featured: undefined,
      results: [Todo.fromJS(todos[1])],
      meta: { by: null },
    });
  });

  it('stays where an Invalidate or a Query has nothing to give', async () => {
    const definition = { gone: new schema.Invalidate(Todo), none: new schema.Query([Todo], () => undefined) };
    const getGone = new RestEndpoint({ urlPrefix, path: '/gone', schema: [definition], name: 'gone' });
    const { store } = setup();
    server.answer('GET /gone', { json: [{ gone: 1, none: [], said: true }] });

    const value = await store.dispatch(getGone()).unwrap();

    expect(value).toEqual([{ gone: undefined, none: undefined, said: true }]);
  });
});

describe('an edit that is answered with its item in an envelope', () => {
  const Wrapped = createResource({ urlPrefix, path: '/todos/:id', schema: Todo, optimistic: true, name: 'Wrapped' })
    .extend({ partialUpdate: { schema: { data: Todo, message: '' } } })
    .extend('finish', {
      path: '/todos/:id/finish',
      method: 'POST',
      body: undefined,
      schema: { data: Todo },
      optimistic: (draft: { data: { title: string } }) => {
        draft.data.title += ', done';
      },
    });

  it.each([{ data: { id: 1 } }, { data: {} }, { data: { id: 1 }, message: 'saved' }])(
    'keeps what %o does not mention',
    async (json) => {
      const { store, read } = await setupTodos();
      server.answer('PATCH /todos/1', { json });

      await store.dispatch(Wrapped.partialUpdate({ id: 1 }, { title: 'uno' }));

      expect(read(Todos.getList.select())?.map(({ title }) => title)).toEqual(['uno', 'two']);
    },
  );

  it('renames its item', async () => {
    class Page extends Entity {
      slug = '';
      title = '';
      override pk() {
        return this.slug;
      }
      static override key = 'Page';
    }
    const Pages = createResource({ urlPrefix, path: '/pages/:slug', schema: Page }).extend({
      partialUpdate: { schema: { page: Page } },
    });
    const { store, read } = setup();
    server.answer('GET /pages', { json: [{ slug: 'ant', title: 'Ant' }] });
    server.answer('PATCH /pages/ant', { json: { page: { slug: 'bee', title: 'Bee' } } });
    await store.dispatch(Pages.getList());

    await store.dispatch(Pages.partialUpdate({ slug: 'ant' }, { title: 'Bee' }));

    expect(read(Pages.getList.select())?.map(({ slug }) => slug)).toEqual(['bee']);
    expect(read(Pages.get.select({ slug: 'ant' }))?.title).toBe('Bee');
  });

  it('gives its recipe the shape, though nobody has asked for it', async () => {
    const { store, read } = await setupTodos();

    const finished = store.dispatch(Wrapped.finish({ id: 1 }));
    const shown = read(Todos.get.select({ id: 1 }))?.title;
    await server.release('POST /todos/1/finish', { json: { data: { id: 1 } } });
    await finished;

    expect([shown, read(Todos.get.select({ id: 1 }))?.title]).toEqual(['one, done', 'one, done']);
  });

  it('gives the recipe of an edit of me the shape that its address has answered with', async () => {
    const Mine = Todos.extend('mine', { path: '/mine', schema: { data: Todo } }).extend('saveMine', {
      path: '/mine',
      method: 'PATCH',
      body: {} as { title: string },
      schema: { data: Todo },
      optimistic: (draft, [, { title }]) => {
        draft.data.title = title;
      },
    });
    const { store, read } = setup();
    server.answer('GET /mine', { json: { data: { id: 5, title: 'a' } } });
    await store.dispatch(Mine.mine());

    void store.dispatch(Mine.saveMine({ title: 'b' }));

    expect(read(Mine.mine.select())?.data.title).toBe('b');
    await server.release('PATCH /mine', { json: { data: { id: 5, title: 'b' } } });
  });
});
