import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Todo extends Entity {
  id = 0;
  title = '';
  done = false;
  static override key = 'Todo';
}

const server = await serverOfFile();
const asked: { readonly done?: boolean } = {};
const Todos = createResource({
  urlPrefix: server.url,
  path: '/todos/:id',
  schema: Todo,
  searchParams: asked,
  optimistic: true,
}).extend('restore', { path: '/todos/:id/restore', method: 'POST', body: undefined, optimistic: false });
const A = { id: 1, title: 'A', done: false };

/** A store that has three lists; then an item of two of them is deleted. */
async function deleted() {
  const tools = setup();
  const { store, read } = tools;
  server.answer('GET /todos', { json: [A] });
  server.answer('GET /todos?done=false', { json: [A] });
  server.answer('GET /todos?done=true', { json: [] });
  server.answer('DELETE /todos/1', { status: 204 });
  const calls = [undefined, { done: false }, { done: true }];
  for (const args of calls) await store.dispatch(Todos.getList(args));
  await store.dispatch(Todos.delete({ id: 1 }));
  return {
    ...tools,
    stale: () => calls.map((args) => read(Todos.getList.selectRequest(args)).isStale),
  };
}

/** A deletion and its undo, both in flight. */
async function overlapping() {
  const { store, stale } = await deleted();
  await store.dispatch(Todos.getList());
  server.forget();
  const deletion = store.dispatch(Todos.delete({ id: 1 }));
  await server.holding('DELETE /todos/1');
  return { deletion, restore: store.dispatch(Todos.restore({ id: 1 })), stale };
}

describe('a row that a write brings back after it was deleted', () => {
  it.each([
    ['an action', () => Todos.restore({ id: 1 }), 'POST /todos/1/restore'],
    ['a PUT', () => Todos.update({ id: 1 }, A), 'PUT /todos/1'],
  ])('makes stale the lists that it may belong to: %s', async (_, write, call) => {
    const { store, resources, read, stale } = await deleted();
    const before = stale();
    server.answer(call, { json: A });

    await store.dispatch(write());

    expect(read(resources.selectEntity(Todo, 1))?.title).toBe('A');
    expect([before, stale()]).toEqual([
      [false, false, false],
      [true, true, false],
    ]);
  });

  it('is fetched with its list for subscribers', async () => {
    const { store, read } = await deleted();
    const subscription = store.dispatch(Todos.getList.subscribe({ done: false }));
    server.answer('POST /todos/1/restore', { json: A });

    await store.dispatch(Todos.restore({ id: 1 }));
    await store.dispatch(Todos.getList.ifStale({ done: false }));

    expect(read(Todos.getList.select({ done: false }))?.map(({ id }) => id)).toEqual([1]);
    subscription.unsubscribe();
  });

  it('leaves lists alone that have it', async () => {
    const { store, stale } = await deleted();
    server.answer('PATCH /todos/1', { json: A });
    await store.dispatch(Todos.getList());

    await store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'A' }));

    expect(stale()).toEqual([false, false, false]);
  });

  it('leaves a list alone that has it, also where an edit changes it', async () => {
    const { store, stale } = await deleted();
    server.answer('POST /todos', { status: 201, json: A });
    server.answer('PATCH /todos/1', { json: { ...A, title: 'B' } });
    await store.dispatch(Todos.getList.push(A));

    await store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'B' }));

    expect(stale()).toEqual([false, false, false]);
  });

  it('makes stale the list that it belongs to, though a read of the trash has brought it before', async () => {
    const { store, stale } = await deleted();
    server.answer('GET /todos?done=true', { json: [{ ...A, done: true }] });
    await store.dispatch(Todos.getList({ done: true }));
    server.answer('POST /todos/1/restore', { json: A });

    await store.dispatch(Todos.restore({ id: 1 }));

    expect(stale()).toEqual([true, true, false]);
  });

  it('makes stale the list that it belongs to, though another has brought it before the answer does', async () => {
    const { store, stale } = await deleted();
    const restore = store.dispatch(Todos.restore({ id: 1 }));
    await server.holding('POST /todos/1/restore');
    await store.dispatch(Todos.getList());
    await server.release('POST /todos/1/restore', { json: A });
    await restore;

    expect(stale()).toEqual([false, true, false]);
  });

  it('is fetched with all of its class, where the deletion is answered after the undo', async () => {
    const { deletion, restore, stale } = await overlapping();
    await server.release('POST /todos/1/restore', { json: A });
    await restore;
    await server.release('DELETE /todos/1', { status: 204 });
    await deletion;

    expect(stale()).toEqual([true, true, true]);
  });

  it('is fetched with all of its class, where the deletion was still in flight', async () => {
    const { deletion, restore, stale } = await overlapping();
    await server.release('DELETE /todos/1', { status: 204 });
    await deletion;
    const before = stale();
    await server.release('POST /todos/1/restore', { json: A });
    await restore;

    expect([before, stale()]).toEqual([
      [false, false, false],
      [true, true, true],
    ]);
  });
});
