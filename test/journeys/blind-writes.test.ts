import { Collection, createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { describe, expect, it, vi } from 'vitest';
import { serverOfFile, type Reply } from '../support/server.js';
import { expectIdle, setup } from '../support/store.js';

/** Writes that change many rows, with answers that tell of none, or that are lost. */
class Task extends Entity {
  id: number | string = 0;
  title = '';
  done = false;
  static override key = 'Task';
}
const server = await serverOfFile();
const body: object = {};
const Tasks = createResource({ urlPrefix: server.url, path: '/tasks/:id', schema: Task })
  .extend('leave', { path: '/boards/:board/tasks/:member', method: 'DELETE' })
  .extend('clear', { path: '/tasks/completed', method: 'DELETE' })
  .extend('clearByPost', { path: '/tasks/clear-completed', method: 'POST', body: undefined })
  .extend('completeMany', { path: '/tasks/complete', method: 'POST', body, schema: [Task] })
  .extend('completeAll', { path: '/tasks/complete-all', method: 'POST', body: undefined, schema: [Task] })
  .extend('patchMany', { path: '/tasks', method: 'PATCH', body, schema: [Task] })
  .extend('removeMany', {
    path: '/tasks',
    method: 'DELETE',
    searchParams: {} as { ids: string },
    schema: [new schema.Invalidate(Task)],
  });

const aWrite = /^(POST|PUT|PATCH|DELETE) /;
async function isStaleAfter(write: object, reply: Reply | 'lost') {
  const { store, read } = setup();
  server.answer('GET /tasks', { json: [{ id: 1, title: 'a', done: true }] });
  await store.dispatch(Tasks.getList());
  if (reply !== 'lost') server.answer(aWrite, reply);
  const writing = store.dispatch<Promise<unknown>>(write as never);
  if (reply === 'lost') {
    await server.holding(aWrite);
    server.forget();
  }
  await writing;
  return read(Tasks.getList.selectRequest()).isStale;
}

const writes: readonly (readonly [string, () => object])[] = [
  ['DELETE /tasks/completed', () => Tasks.clear()],
  ['DELETE /boards/5/tasks/1, which deletes no task', () => Tasks.leave({ board: 5, member: 1 })],
  ['POST /tasks/clear-completed', () => Tasks.clearByPost()],
  ['POST /tasks/complete { ids }', () => Tasks.completeMany({ ids: [1] })],
  ['PATCH /tasks [{ id, … }]', () => Tasks.patchMany([{ id: 1, done: false }])],
  ['DELETE /tasks?ids=1', () => Tasks.removeMany({ ids: '1' })],
];

const writesOfMany = [...writes, ['POST /tasks/complete-all, which sends nothing', () => Tasks.completeAll()]] as const;

describe('a write of which nothing tells the rows makes the lists of its class stale', () => {
  it.each(writes)('answered 204: %s', async (_, write) => {
    expect(await isStaleAfter(write(), { status: 204 })).toBe(true);
  });

  it.each(writes.slice(3))('answered { ok: true }: %s', async (_, write) => {
    expect(await isStaleAfter(write(), { json: { ok: true } })).toBe(true);
  });

  it.each(writesOfMany)('whose answer is lost: %s', async (_, write) => {
    expect(await isStaleAfter(write(), 'lost')).toBe(true);
  });

  it.each(writesOfMany)('for which a gateway answers 502: %s', async (_, write) => {
    expect(await isStaleAfter(write(), { status: 502, json: {} })).toBe(true);
  });

  it.each(writesOfMany)('but not if it is refused: %s', async (_, write) => {
    expect(await isStaleAfter(write(), { status: 422, json: {} })).toBe(false);
  });
});

it('a bulk write whose answer names its items alone makes the lists stale, also while others are under way and a search has a total', async () => {
  const found = new Collection([Task], { name: 'Found', belongs: (_, { q }) => (q ? undefined : true) });
  const search = new RestEndpoint({
    urlPrefix: server.url,
    path: '/found',
    searchParams: {} as { q: string },
    schema: { items: found, total: found.total },
    name: 'search',
  });
  const { store, read } = setup();
  const items = [{ id: 1, title: 'a', done: true }];
  server.answer('GET /tasks', { json: items });
  server.answer('GET /found', { json: { items, total: 1 } });
  await store.dispatch(Tasks.getList());
  await store.dispatch(search({ q: 'a' }));
  const slow = store.dispatch(Tasks.get({ id: 2 }));
  server.answer('POST /tasks/complete', { json: [{ id: 1 }] });

  await store.dispatch(Tasks.completeMany({ ids: [1] }));

  expect(read(Tasks.getList.selectRequest()).isStale).toBe(true);
  await server.release('GET /tasks/2', { json: { id: 2, title: 'b', done: false } });
  await slow;
});

it('it has an item fetched, too, that came in a list and is shown by itself, and nothing of another class', async () => {
  class Note extends Entity {
    id = 0;
    static override key = 'Note';
  }
  const Notes = createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note });
  const { store, read } = setup();
  server.answer('GET /tasks', { json: [{ id: 1, title: 'a', done: true }] });
  server.answer('GET /notes', { json: [{ id: 1 }] });
  await store.dispatch(Tasks.getList());
  await store.dispatch(Notes.getList());
  store.dispatch(Tasks.get.subscribe({ id: 1 }));
  store.dispatch(Notes.get.subscribe({ id: 1 }));
  server.answer('DELETE /tasks/completed', { status: 204 });

  await store.dispatch(Tasks.clear());
  expect(read(Tasks.get.selectRequest({ id: 1 }))).toMatchObject({ data: { title: 'a' }, isStale: true });
  await server.release('GET /tasks/1', { status: 404, json: {} });
  await vi.waitFor(() => {
    expect(read(Tasks.get.selectRequest({ id: 1 })).error?.status).toBe(404);
  });

  expect(server.received.map(({ method, path }) => `${method} ${path}`).slice(2)).toEqual([
    'DELETE /tasks/completed',
    'GET /tasks/1',
  ]);
});

describe('a write that is answered with a shape which has a list and no row makes the reads of that shape stale', () => {
  const cart = { items: new Collection([Task], { name: 'Cart' }), total: 0 };
  const at = { urlPrefix: server.url, schema: cart };
  const getCart = new RestEndpoint({ ...at, path: '/cart', name: 'cart' });
  const clear = new RestEndpoint({ ...at, path: '/cart', method: 'DELETE', name: 'cart/clear' });
  const checkOut = new RestEndpoint({
    ...at,
    path: '/cart/checkout',
    method: 'POST',
    body: undefined,
    name: 'cart/checkOut',
  });

  it.each([
    ['DELETE /cart', 204, () => clear()],
    ['DELETE /cart', 502, () => clear()],
    ['POST /cart/checkout', 204, () => checkOut()],
    ['POST /cart/checkout', 502, () => checkOut()],
  ])('%s, answered %i', async (_, status, write) => {
    const { store, read } = setup();
    server.answer('GET /cart', { json: { items: [{ id: 1, title: 'a', done: false }], total: 10 } });
    await store.dispatch(getCart());
    server.answer(aWrite, status === 204 ? { status } : { status, json: {} });

    await store.dispatch(write());

    expect(read(getCart.selectRequest()).isStale).toBe(true);
  });
});

it('a write that is answered with no rows, as a search by POST may be, has changed none', async () => {
  expect(await isStaleAfter(Tasks.completeMany({ ids: [1] }), { json: [] })).toBe(false);
});

it('a removal of a row that the store does not have, answered 204, leaves its list fresh', async () => {
  const Boards = createResource({
    urlPrefix: server.url,
    path: '/boards/:board/tasks/:id',
    schema: Task,
    name: 'Board',
  });
  const board = { board: 5 };
  const { store, read } = setup();
  const removing = store.dispatch(Boards.getList.remove(board, { id: 1 }));
  await server.holding('PATCH /boards/5/tasks');
  const reading = store.dispatch(Boards.getList(board));

  await server.release('PATCH /boards/5/tasks', { status: 204 });
  await removing;
  await server.release('GET /boards/5/tasks', { json: [] });
  await reading;

  expect(read(Boards.getList.selectRequest(board)).isStale).toBe(false);
});

it('a list that was asked for after an edit of a row unknown here was answered 204 stays fresh when another edit of the row ends', async () => {
  const { store, read } = setup();
  const titling = store.dispatch(Tasks.partialUpdate({ id: 1 }, { title: 'b' }));
  await server.holding('PATCH /tasks/1');
  const finishing = store.dispatch(Tasks.partialUpdate({ id: 1 }, { done: true }));
  await server.release('PATCH /tasks/1', { status: 204 });
  await titling;
  server.answer('GET /tasks', { json: [{ id: 1, title: 'b', done: true }] });
  await store.dispatch(Tasks.getList());

  await server.release('PATCH /tasks/1', { json: { id: 1, title: 'b', done: true } });
  await finishing;

  expect(read(Tasks.getList.selectRequest()).isStale).toBe(false);
});

it('a move of a row that the store does not have, answered 204, makes the list that it joins stale', async () => {
  const searchParams: { readonly title?: string } = {};
  const { getList } = createResource({ urlPrefix: server.url, path: '/tasks/:id', schema: Task, searchParams });
  const { store, read } = setup();
  server.answer('GET /tasks', { json: [] });
  await store.dispatch(getList({ title: 'a' }));
  await store.dispatch(getList({ title: 'b' }));
  server.answer('PATCH /tasks/7', { status: 204 });

  await store.dispatch(getList.move({ id: 7 }, { title: 'a' }));

  expect(read(getList.selectRequest({ title: 'a' })).isStale).toBe(true);
  expect(read(getList.selectRequest({ title: 'b' })).isStale).toBe(false);
});

it('of two edits of a field of a row unknown here, both answered 204, the earlier one shows nothing if its answer comes last', async () => {
  const { store, read } = setup();
  const { retitle, ...Blind } = Tasks.extend('retitle', { path: '/tasks/:id/title', method: 'PATCH' });
  const earlier = store.dispatch(Blind.partialUpdate({ id: 1 }, { title: 'earlier' }));
  await server.holding('PATCH /tasks/1');
  server.answer('PATCH /tasks/1/title', { status: 204 });
  await store.dispatch(retitle({ id: 1 }, { title: 'later' }));
  const finishing = store.dispatch(Blind.update({ id: 1 }, { done: true }));
  await server.holding('PUT /tasks/1');

  await server.release('PATCH /tasks/1', { status: 204 });
  await earlier;
  await server.release('PUT /tasks/1', { json: { id: 1, done: true } });
  await finishing;

  expect(read(Tasks.get.select({ id: 1 }))).toMatchObject({ done: true });
  expect(read(Tasks.get.select({ id: 1 }))?.title).not.toBe('earlier');
});

describe('an edit of a row unknown here, answered 204, whose class has a merge of its own', () => {
  class Note extends Entity {
    id = 0;
    title = '';
    static override key = 'Note';
    static override merge(existing: object, incoming: object) {
      return { ...existing, ...incoming };
    }
  }
  const Notes = createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note });

  it('makes no row, and holds its fields in the row that a poll brings which was sent before', async () => {
    const { store, read, resources, slice } = setup();
    const poll = store.dispatch(Notes.getList());
    await server.holding('GET /notes');
    server.answer('PATCH /notes/5', { status: 204 });

    await store.dispatch(Notes.partialUpdate({ id: 5 }, { title: 'new' }));
    const between = read(resources.selectAll(Note));
    await server.release('GET /notes', { json: [{ id: 5, title: 'old' }] });
    await poll;

    expect(between).toEqual([]);
    expect(read(resources.selectAll(Note))).toEqual([{ id: 5, title: 'new' }]);
    expectIdle(slice());
  });

  it('leaves nothing where nobody brings the row', async () => {
    const { store, read, resources, slice } = setup();
    const poll = store.dispatch(Notes.getList());
    await server.holding('GET /notes');
    server.answer('PATCH /notes/5', { status: 204 });

    await store.dispatch(Notes.partialUpdate({ id: 5 }, { title: 'new' }));
    await server.release('GET /notes', { json: [] });
    await poll;

    expect(read(resources.selectAll(Note))).toEqual([]);
    expectIdle(slice());
  });
});

describe('a write that is answered with a list', () => {
  const Bulk = Tasks.extend(({ getList }) => ({
    saveAll: getList.extend({ name: 'saveAll', method: 'PUT', body }),
    importAll: getList.extend({ name: 'importAll', path: '/tasks/import', method: 'POST', body }),
    sort: getList.extend({ name: 'sort', path: '/tasks/sort', method: 'POST', body: undefined }),
    importMine: getList.extend({ name: 'importMine', path: '/tasks/import', method: 'POST', body: undefined }),
  }));
  const one = { id: 1, title: 'a', done: true };
  const two = { ...one, id: 2 };

  it.each<[string, object, boolean, readonly object[]]>([
    ['PUT with a body', Bulk.saveAll({}, { tasks: [{ id: 1 }, {}] }), true, [one, two]],
    ['POST with a body', Bulk.importAll({}, { url: '/a.csv' }), true, [two]],
    ['POST without a body', Bulk.importMine(), true, [two]],
    ['POST, with the rows that are there', Bulk.sort(), false, [one]],
  ])('makes the lists stale that its new rows may belong to: %s', async (_, write, isStale, json) => {
    expect(await isStaleAfter(write, { json })).toBe(isStale);
  });
});
