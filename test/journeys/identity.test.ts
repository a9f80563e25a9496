import { configureStore, createListenerMiddleware } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, RestEndpoint, schema, type Request } from 'rtk-resource';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from '../support/server.js';
import { counted, setup, type RootState } from '../support/store.js';

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}

class Todo extends Entity {
  id = 0;
  title = '';
  tags: readonly string[] = [];
  createdAt = new Date(0);
  author = User.fromJS();
  static override key = 'Todo';
  static override schema = { author: User, createdAt: (iso: string) => new Date(iso) };
}

const server = await startServer();
afterAll(() => server.close());

const searchParams: { list?: string; orderBy?: string } = {};
const TodoResource = createResource({
  urlPrefix: server.url,
  path: '/todos/:id',
  schema: Todo,
  searchParams,
});
const UserResource = createResource({ urlPrefix: server.url, path: '/users/:id', schema: User });

const ada = { id: 1, name: 'Ada' };
const bob = { id: 2, name: 'Bob' };
const wire = (id: number, fields: object = {}): object => ({
  id,
  title: `todo ${id}`,
  tags: ['a', 'b'],
  createdAt: '2024-02-29T12:00:00.000Z',
  author: ada,
  ...fields,
});

/** A store that has fetched three todos, of which Ada wrote two. */
async function setupWithTodos() {
  const tools = setup();
  server.answer('GET /todos', { json: [wire(1), wire(2, { author: bob }), wire(3)] });
  const before = await tools.store.dispatch(TodoResource.getList()).unwrap();

  return { ...tools, before, list: () => tools.read(TodoResource.getList.select()) ?? [] };
}

beforeEach(() => {
  server.forget();
});

describe('what select gives', () => {
  it('is the very same object, however often and by whomever it is asked for', async () => {
    const { store, read, resources, before } = await setupWithTodos();
    const selector = TodoResource.getList.select();

    const inOneSelector = [selector(store.getState()), selector(store.getState())];
    const inOthers = [read(TodoResource.getList.select()), read(TodoResource.getList.select({}))];
    const byResources = read(resources.select(TodoResource.getList));

    for (const list of [...inOneSelector, ...inOthers, byResources]) expect(list).toBe(before);
  });

  it('is the same after actions of others', async () => {
    const { store, read, slice, before, resources } = await setupWithTodos();
    const state = slice();
    const first = read(TodoResource.get.select({ id: 1 }));
    const request = read(TodoResource.getList.selectRequest());
    const all = read(resources.selectAll(Todo));

    store.dispatch(counted());
    store.dispatch({ type: 'unknown' });

    expect(store.getState().counter).toBe(1);
    expect(slice()).toBe(state);
    expect(read(TodoResource.getList.select())).toBe(before);
    expect(read(TodoResource.get.select({ id: 1 }))).toBe(first);
    expect(read(TodoResource.getList.selectRequest())).toBe(request);
    expect(read(resources.selectAll(Todo))).toBe(all);
  });

  it('is the same while other data comes', async () => {
    const { store, read, list, before, resources } = await setupWithTodos();
    const first = read(TodoResource.get.select({ id: 1 }));
    const all = read(resources.selectAll(Todo));
    server.answer('GET /users/7', { json: { id: 7, name: 'Cyd' } });

    const promise = store.dispatch(UserResource.get({ id: 7 }));
    const during = list();
    await promise.unwrap();

    expect(during).toBe(before);
    expect(list()).toBe(before);
    expect(read(TodoResource.get.select({ id: 1 }))).toBe(first);
    expect(read(resources.selectAll(Todo))).toBe(all);
  });

  it('is one object by every way to it', async () => {
    const { store, read, resources, before } = await setupWithTodos();
    server.answer('GET /todos/1', { json: wire(1) });

    const value = await store.dispatch(TodoResource.get({ id: 1 })).unwrap();

    expect(value).toBe(before[0]);
    expect(read(TodoResource.get.select({ id: 1 }))).toBe(value);
    expect(read(TodoResource.get.select({ id: '1' }))).toBe(value);
    expect(read(resources.selectEntity(Todo, 1))).toBe(value);
    expect(read(resources.selectEntity(Todo, { id: 1 }))).toBe(value);
    expect(read(resources.selectAll(Todo))[0]).toBe(value);
    expect(read(TodoResource.get.selectRequest({ id: 1 })).data).toBe(value);
  });

  it('is one user for all the todos that she wrote', async () => {
    const { store, read, list, before } = await setupWithTodos();
    server.answer('GET /users/1', { json: { id: 1, name: 'Ada Lovelace' } });

    const value = await store.dispatch(UserResource.get({ id: 1 })).unwrap();

    expect(before[0]?.author).toBe(before[2]?.author);
    expect(value.name).toBe('Ada Lovelace');
    expect(list()[0]?.author).toBe(value);
    expect(list()[2]?.author).toBe(value);
    expect(read(UserResource.get.select({ id: 1 }))).toBe(value);
    expect(list()).not.toBe(before);
    expect(list()[1]).toBe(before[1]);
  });

  it('is the same when an edit is confirmed as it was shown, also where a listener compares with the state before', async () => {
    const save = TodoResource.partialUpdate.extend({ optimistic: true });
    const select = TodoResource.get.select({ id: 1 });
    const changes: (string | undefined)[] = [];
    const listener = createListenerMiddleware<Pick<RootState, 'resources'>>();
    listener.startListening({
      predicate: (_, current, previous) => select(current) !== select(previous),
      effect: (_, { getState }) => {
        changes.push(select(getState())?.title);
      },
    });
    const resources = configureResources();
    const store = configureStore({
      reducer: { resources: resources.reducer },
      middleware: (getDefault) => getDefault().prepend(listener.middleware).concat(resources.middleware),
    });
    server.answer('GET /todos/1', { json: wire(1) });
    await store.dispatch(TodoResource.get({ id: 1 }));
    const shown = new Set([select(store.getState())]);
    store.subscribe(() => shown.add(select(store.getState())));

    const saving = store.dispatch(save({ id: 1 }, { title: 'edited' }));
    const guessed = select(store.getState());
    await server.release('PATCH /todos/1', { json: wire(1, { title: 'edited' }) });
    await saving;

    expect(guessed?.title).toBe('edited');
    expect(select(store.getState())).toBe(guessed);
    expect([...shown].map((todo) => todo?.title)).toEqual(['todo 1', 'edited']);
    expect(changes).toEqual(['todo 1', 'edited']);
  });

  it('belongs to one store', async () => {
    const one = await setupWithTodos();
    const other = await setupWithTodos();

    expect(one.before).toEqual(other.before);
    expect(one.before).not.toBe(other.before);
    expect(one.before[0]).not.toBe(other.before[0]);
  });

  it('cannot be changed by who reads it, in development', async () => {
    const { before } = await setupWithTodos();

    expect(() => (before as unknown[]).push('new')).toThrow(TypeError);
  });
});

describe('an answer without a schema', () => {
  it.each<readonly [what: string, json: unknown]>([
    ['an object', { total: 5, by: [{ name: 'Ada' }, null] }],
    ['a list', [1, { deep: { deeper: [2] } }]],
  ])('is the same object, as %s, while it says the same', async (_, json) => {
    const { store, read } = setup();
    const getStats = new RestEndpoint({ urlPrefix: server.url, path: '/stats', name: `stats ${JSON.stringify(json)}` });
    server.answer('GET /stats', { json });

    const first = await store.dispatch(getStats()).unwrap();
    const second = await store.dispatch(getStats()).unwrap();

    expect(second).toEqual(json);
    expect(second).toBe(first);
    expect(read(getStats.select())).toBe(first);
  });
});

describe('one todo that changes', () => {
  it.each<readonly [how: string, request: () => Request<Todo>, name: string]>([
    ['by an update', () => TodoResource.partialUpdate({ id: 2 }, { title: 'changed' }), 'PATCH /todos/2'],
    ['by a read', () => TodoResource.get({ id: 2 }), 'GET /todos/2'],
  ])('is a new todo %s, in a new list, beside the same others', async (_, request, name) => {
    const { store, list, before } = await setupWithTodos();
    server.answer(name, { json: wire(2, { title: 'changed', author: bob }) });

    const value = await store.dispatch(request()).unwrap();

    expect(list()).not.toBe(before);
    expect(list().map(({ title }) => title)).toEqual(['todo 1', 'changed', 'todo 3']);
    expect(list()[0]).toBe(before[0]);
    expect(list()[1]).toBe(value);
    expect(list()[1]).not.toBe(before[1]);
    expect(list()[1]?.author).toBe(before[1]?.author);
    expect(list()[2]).toBe(before[2]);
    expect(before[1]?.title).toBe('todo 2');
  });

  it('leaves a list alone that it is not in', async () => {
    const { store, read } = await setupWithTodos();
    server.answer('GET /todos?list=short', { json: [wire(1), wire(3)] });
    const short = await store.dispatch(TodoResource.getList({ list: 'short' })).unwrap();
    server.answer('GET /todos/2', { json: wire(2, { title: 'changed' }) });

    await store.dispatch(TodoResource.get({ id: 2 }));

    expect(read(TodoResource.getList.select({ list: 'short' }))).toBe(short);
  });

  it('is the same in a list that has one more', async () => {
    const { store, list, before } = await setupWithTodos();
    server.answer('POST /todos', { json: wire(4) });

    await store.dispatch(TodoResource.getList.push({}, { title: 'todo 4' }));

    expect(list()).toHaveLength(4);
    before.forEach((todo, i) => {
      expect(list()[i]).toBe(todo);
    });
  });
});

it('two queries of one name never answer for one another', () => {
  const { store, resources, read } = setup();
  class Flags extends Entity {
    id = 0;
    done = false;
    starred = false;
    static override key = 'Flags';
  }
  const done = new RestEndpoint({ path: '/flags/:id', schema: new schema.Query(Flags, ({ done }) => done) }).select({
    id: 1,
  });
  const starred = new RestEndpoint({
    path: '/flags/:id',
    schema: new schema.Query(Flags, ({ starred }) => starred),
  }).select({ id: 1 });
  const shown = [
    [false, true],
    [true, false],
    [true, true],
    [false, false],
    [true, false],
    [false, true],
  ].map(([isDone = false, isStarred = false], i) => {
    store.dispatch(resources.set(Flags, { id: 1, done: isDone, starred: isStarred }));
    // Whoever is asked first makes the value anew.
    if (i % 2 === 0) read(starred);

    return [read(done), read(starred)].map((value, at) => value === [isDone, isStarred][at]);
  });

  expect(shown.flat()).not.toContain(false);
});

describe('a refetch', () => {
  it('that brings nothing new leaves tables, lists and todos as they were', async () => {
    const { store, read, slice, list, before } = await setupWithTodos();
    const { tables } = slice();
    const first = read(TodoResource.get.select({ id: 1 }));

    const value = await store.dispatch(TodoResource.getList()).unwrap();

    expect(server.received).toHaveLength(2);
    expect(value).toBe(before);
    expect(list()).toBe(before);
    expect(read(TodoResource.get.select({ id: 1 }))).toBe(first);
    expect(slice().tables).toBe(tables);
  });

  it('that brings one change keeps all that has not changed', async () => {
    const { store, list, before } = await setupWithTodos();
    server.answer('GET /todos', { json: [wire(1), wire(2, { author: bob }), wire(3, { tags: ['a', 'c'] })] });

    await store.dispatch(TodoResource.getList());

    expect(list()).not.toBe(before);
    expect(list()[0]).toBe(before[0]);
    expect(list()[1]).toBe(before[1]);
    expect(list()[2]?.tags).toEqual(['a', 'c']);
  });

  it('that brings another order gives a new list of the same todos', async () => {
    const { store, list, before } = await setupWithTodos();
    server.answer('GET /todos', { json: [wire(3), wire(2, { author: bob }), wire(1)] });

    await store.dispatch(TodoResource.getList());

    expect(list()).not.toBe(before);
    expect(list()[0]).toBe(before[2]);
    expect(list()[1]).toBe(before[1]);
    expect(list()[2]).toBe(before[0]);
  });

  it('that fails leaves everything as it was', async () => {
    const { store, slice, list, before } = await setupWithTodos();
    const { tables } = slice();
    server.answer('GET /todos', { status: 500, json: {} });

    await store.dispatch(TodoResource.getList());

    expect(list()).toBe(before);
    expect(slice().tables).toBe(tables);
  });
});
