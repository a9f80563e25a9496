import { createResource, Entity, schema } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile, type Reply } from '../support/server.js';
import { setup } from '../support/store.js';

class Todo extends Entity {
  id = 0;
  title = '';
  done = false;
  static override key = 'Todo';
}

const server = await serverOfFile();
const asked: { readonly done?: boolean } = {};
const ids: { readonly ids: readonly number[] } = { ids: [1] };
const Todos = createResource({
  urlPrefix: server.url,
  path: '/todos/:id',
  schema: Todo,
  searchParams: asked,
  optimistic: true,
})
  .extend('restore', { path: '/todos/:id/restore', method: 'POST', body: undefined, optimistic: false })
  .extend('restoreMany', { path: '/todos/restore', method: 'POST', body: ids, schema: [Todo], optimistic: false })
  .extend('removeMany', {
    path: '/todos/remove',
    method: 'POST',
    body: ids,
    schema: [new schema.Invalidate(Todo)],
    process: (_value, _params, body) => body.ids.map(String),
    optimistic: false,
  })
  .extend('clear', { path: '/todos/done', method: 'DELETE' });
const A = { id: 1, title: 'A', done: false };

const lists = [undefined, { done: false }, { done: true }];

/** A store that has three lists; an item is in two of them. */
async function fetched() {
  const tools = setup();
  const { store, read } = tools;
  server.answer('GET /todos', { json: [A] });
  server.answer('GET /todos?done=false', { json: [A] });
  server.answer('GET /todos?done=true', { json: [] });
  const fetchAll = async () => {
    for (const args of lists) await store.dispatch(Todos.getList(args));
  };
  await fetchAll();
  return {
    ...tools,
    fetchAll,
    stale: () => lists.map((args) => read(Todos.getList.selectRequest(args)).isStale),
  };
}

/** The same; then the item is deleted. */
async function deleted() {
  const tools = await fetched();
  server.answer('DELETE /todos/1', { status: 204 });
  await tools.store.dispatch(Todos.delete({ id: 1 }));
  return tools;
}

type Write = () => ReturnType<typeof Todos.restore>;
/** A write, the name of its request, and what the server says. */
type Told = readonly [write: Write, call: string, reply: Reply];
const told = (write: () => unknown, call: string, reply: Reply): Told => [write as Write, call, reply];
const deletions = {
  delete: told(() => Todos.delete({ id: 1 }), 'DELETE /todos/1', { status: 204 }),
  removeMany: told(() => Todos.removeMany({}, ids), 'POST /todos/remove', { status: 204 }),
  clear: told(() => Todos.clear(), 'DELETE /todos/done', { status: 204 }),
} as const;
const undos = {
  restore: told(() => Todos.restore({ id: 1 }), 'POST /todos/1/restore', { json: A }),
  restoreMany: told(() => Todos.restoreMany({}, ids), 'POST /todos/restore', { json: [A] }),
  'PUT that is answered 201': told(() => Todos.update({ id: 1 }, A), 'PUT /todos/1', { status: 201, json: A }),
} as const;

/** A deletion and its undo, both in flight. */
async function overlapping([remove, call]: Told, [restore]: Told) {
  const { store, stale } = await fetched();
  server.forget();
  const deletion = store.dispatch(remove());
  await server.holding(call);
  return { deletion, undo: store.dispatch(restore()), stale };
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

  it.each(['delete', 'removeMany'] as const)(
    'makes stale the lists, and no other item of its class, where the undo of %s is answered with nothing',
    async (by) => {
      const [remove, call, gone] = deletions[by];
      const { store, read, stale } = await fetched();
      server.answer('GET /todos/2', { json: { ...A, id: 2 } });
      server.answer(call, gone);
      server.answer('POST /todos/1/restore', { status: 204 });
      await store.dispatch(Todos.get({ id: 2 }));
      await store.dispatch(remove());

      await store.dispatch(Todos.restore({ id: 1 }));

      expect(stale()).toEqual([true, true, true]);
      expect(read(Todos.get.selectRequest({ id: 2 })).isStale).toBe(false);
    },
  );

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

  it('makes stale the lists that it may belong to, after a deletion that named no row, if the server says that it has made it', async () => {
    const [[remove, call, gone], [make, address, made]] = [deletions.clear, undos['PUT that is answered 201']];
    const { store, stale, fetchAll } = await fetched();
    server.answer(call, gone);
    await store.dispatch(remove());
    server.answer(/^GET /, { json: [] });
    await fetchAll();
    const before = stale();
    server.answer(address, made);

    await store.dispatch(make());

    expect([before, stale()]).toEqual([
      [false, false, false],
      [true, true, false],
    ]);
  });

  it('makes nothing stale where it was never gone, and no list has had it: it may be on a later page', async () => {
    const { store, stale } = await fetched();
    server.answer('GET /todos/2', { json: { ...A, id: 2 } });
    await store.dispatch(Todos.get({ id: 2 }));
    server.answer('POST /todos/2/restore', { json: { ...A, id: 2 } });

    await store.dispatch(Todos.restore({ id: 2 }));

    expect(stale()).toEqual([false, false, false]);
  });

  describe.each([
    ['delete', 'restore'],
    ['delete', 'restoreMany'],
    ['removeMany', 'restore'],
    ['removeMany', 'restoreMany'],
  ] as const)('is fetched with all of its class after %s and %s', (...by) => {
    const [removed, restored] = [deletions[by[0]], undos[by[1]]];

    it('where the deletion is answered after the undo', async () => {
      const { deletion, undo, stale } = await overlapping(removed, restored);
      await server.release(restored[1], restored[2]);
      await undo;
      await server.release(removed[1], removed[2]);
      await deletion;

      expect(stale()).toEqual([true, true, true]);
    });

    it('where the deletion was still in flight', async () => {
      const { deletion, undo, stale } = await overlapping(removed, restored);
      await server.release(removed[1], removed[2]);
      await deletion;
      const before = stale();
      await server.release(restored[1], restored[2]);
      await undo;

      expect([before, stale()]).toEqual([
        [false, false, false],
        [true, true, true],
      ]);
    });
  });

  it('is fetched with all of its class, too, where a write that was sent before the deletion is answered between the two', async () => {
    const { store, stale } = await fetched();
    server.forget();
    const earlier = store.dispatch(Todos.update({ id: 1 }, A));
    await server.holding('PUT /todos/1');
    const deletion = store.dispatch(Todos.delete({ id: 1 }));
    await server.holding('DELETE /todos/1');
    const undo = store.dispatch(Todos.restore({ id: 1 }));
    await server.release('POST /todos/1/restore', { json: A });
    await undo;
    await server.release('PUT /todos/1', { json: A });
    await earlier;
    await server.release('DELETE /todos/1', { status: 204 });
    await deletion;

    expect(stale()).toEqual([true, true, true]);
  });

  it('is fetched with all of its class, too, where a PUT that was sent while it was deleted is answered with nothing', async () => {
    const { store, stale } = await fetched();
    server.forget();
    const deletion = store.dispatch(Todos.delete({ id: 1 }));
    await server.holding('DELETE /todos/1');
    const undo = store.dispatch(Todos.update({ id: 1 }, A));
    await server.release('DELETE /todos/1', { status: 204 });
    await deletion;
    await server.release('PUT /todos/1', { status: 204 });
    await undo;

    expect(stale()).toEqual([true, true, true]);
  });
});
