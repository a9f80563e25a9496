import { createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}
class User extends Entity {
  id = 0;
  static override key = 'User';
}

const server = await serverOfFile();
const urlPrefix = server.url;

const json = [
  { id: 1, title: 'one' },
  { id: 2, title: 'two' },
];
const Todos = createResource({ urlPrefix, path: '/todos/:id', schema: Todo });

async function setupTodos() {
  const tools = setup();
  const { store, read } = tools;
  server.answer('GET /todos', { json });
  await store.dispatch(Todos.getList()).unwrap();
  const titles = () => read(Todos.getList.select())?.map(({ title }) => title);
  const isStale = () => read(Todos.getList.selectRequest()).isStale;

  return { ...tools, titles, isStale };
}

const tree: schema.Object = new schema.Object({
  parent: new schema.Lazy((): schema.Object => tree),
  data: { todo: Todo },
});

type Wrap = (todo: unknown) => unknown;

/** Envelopes around one item, and nothing else that the store keeps. */
const envelopes: readonly (readonly [name: string, envelope: schema.Object | object, wrap: Wrap])[] = [
  ['a shape', { data: Todo }, (data) => ({ data })],
  ['schema.Object', new schema.Object({ data: Todo }), (data) => ({ data })],
  ['two shapes', { status: '', data: { todo: Todo } }, (todo) => ({ status: 'success', data: { todo } })],
  ['what is Lazy', { data: new schema.Lazy(() => Todo) }, (data) => ({ data })],
  ['a Lazy shape', new schema.Lazy(() => ({ data: Todo })), (data) => ({ data })],
];

/** Those that have something else beside their item. */
const shapes: typeof envelopes = [
  ...envelopes,
  ['a shape with another item deeper in it', { todo: Todo, links: { by: User } }, (todo) => ({ todo })],
  ['a shape that has itself inside', tree, (todo) => ({ data: { todo } })],
];

describe('an item in an envelope', () => {
  it.each(shapes)('is gone by its address: %s', async (name, envelope) => {
    const Wrapped = createResource({ urlPrefix, path: '/todos/:id', schema: envelope, name });
    const { store, titles } = await setupTodos();
    server.answer('DELETE /todos/1', { status: 204 });

    const { error } = await store.dispatch(Wrapped.delete({ id: 1 }));

    expect(error).toBeUndefined();
    expect(titles()).toEqual(['two']);
  });

  it.each(envelopes)('is edited at once, and keeps what was sent: %s', async (name, envelope, wrap) => {
    const Wrapped = createResource({ urlPrefix, path: '/todos/:id', schema: envelope, name, optimistic: true });
    const { store, titles } = await setupTodos();

    const edit = store.dispatch(Wrapped.partialUpdate({ id: 1 }, { title: 'uno' } as never));
    const shown = titles();
    await server.release('PATCH /todos/1', { json: wrap({ id: 1 }) });
    const value = await edit.unwrap();

    expect([shown, titles()]).toEqual([
      ['uno', 'two'],
      ['uno', 'two'],
    ]);
    expect(value).toMatchObject(wrap({ id: 1, title: 'uno' }) as object);
  });

  it.each(envelopes)('is the one that the address of a read has answered with: %s', async (name, envelope, wrap) => {
    const me = new RestEndpoint({ urlPrefix, path: '/me', schema: envelope, name: `me ${name}` });
    const save = me.extend({ method: 'PATCH', body: {} as { title: string }, name: `save ${name}` });
    const { store, read, resources } = setup();
    server.answer('GET /me', { json: wrap(json[0]) });
    server.answer('PATCH /me', { status: 204 });
    await store.dispatch(me()).unwrap();

    await store.dispatch(save({ title: 'uno' }));

    expect(read(resources.selectEntity(Todo, 1))?.title).toBe('uno');
  });
});

describe('an answer with nothing in its envelope', () => {
  const Wrapped = createResource({
    urlPrefix,
    path: '/todos/:id',
    schema: { status: '', data: Todo },
    name: 'Wrapped',
  });
  const Eager = createResource({
    urlPrefix,
    path: '/todos/:id',
    schema: { data: { todo: Todo } },
    name: 'Eager',
    optimistic: true,
  });
  const silent = [
    { status: 'success' },
    { status: 'success', data: null },
    { data: { todo: null } },
    { status: 'success', title: 'written' },
  ];

  it.each(silent)('confirms what an edit has sent: %j', async (answer) => {
    const { store, titles, isStale } = await setupTodos();
    server.answer('PATCH /todos/1', { json: answer });

    await store.dispatch(Eager.partialUpdate({ id: 1 }, { title: 'uno' } as never)).unwrap();

    expect([titles(), isStale()]).toEqual([['uno', 'two'], false]);
  });

  it('confirms it also if it was not shown before', async () => {
    const { store, titles, isStale } = await setupTodos();
    server.answer('PATCH /todos/1', { json: { status: 'success', data: null } });

    await store.dispatch(Wrapped.partialUpdate({ id: 1 }, { title: 'uno' } as never)).unwrap();

    expect([titles(), isStale()]).toEqual([['uno', 'two'], false]);
  });

  it('makes stale what shows the item if it says that the edit has failed', async () => {
    const { store, isStale } = await setupTodos();
    server.answer('PATCH /todos/1', { json: { status: 'fail', data: null } });

    await store.dispatch(Wrapped.partialUpdate({ id: 1 }, { title: 'uno' } as never));

    expect(isStale()).toBe(true);
    expectWarning(/says that it failed/);
  });

  it('is what a read says: there is no item', async () => {
    const { store, read } = await setupTodos();
    server.answer('GET /todos/1', { json: { status: 'success', data: null } });

    await store.dispatch(Wrapped.get({ id: 1 }));

    expect(read(Wrapped.get.select({ id: 1 }))).toEqual({ status: 'success', data: null });
  });

  it('is what a create says: nobody knows what was created', async () => {
    const create = new RestEndpoint({
      urlPrefix,
      path: '/todos',
      method: 'POST',
      body: {} as { title: string },
      schema: { data: Todo },
      name: 'create',
    });
    const { store } = await setupTodos();
    server.answer('POST /todos', { json: { data: null } });

    const value = await store.dispatch(create({ title: 'three' })).unwrap();

    expect(value).toEqual({ data: null });
  });
});

it('a deletion of one of several items makes stale what shows them', async () => {
  const Pairs = createResource({ urlPrefix, path: '/pairs/:id', schema: { data: { todo: Todo, by: User } } });
  const { store, titles, isStale } = await setupTodos();
  server.answer('DELETE /pairs/1', { status: 204 });

  await store.dispatch(Pairs.delete({ id: 1 })).unwrap();

  expect([titles(), isStale()]).toEqual([['one', 'two'], true]);
});
