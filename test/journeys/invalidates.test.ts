import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup, typesOf } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Task extends Entity {
  id = 0;
  title = '';
  boardId = 0;
  static override key = 'Task';
}
class Board extends Entity {
  id = 0;
  open = 0;
  static override key = 'Board';
}

const server = await serverOfFile();

const Boards = createResource({ urlPrefix: server.url, path: '/boards/:id', schema: Board });
const Tasks = createResource({ urlPrefix: server.url, path: '/tasks/:id', schema: Task, optimistic: true });
/** Each board counts its open tasks, which no answer about a task tells. */
const closeTask = Tasks.partialUpdate.extend({
  name: 'Task/close',
  invalidates: (_params, _body, response) => [Boards.get({ id: (response as { boardId: number }).boardId })],
});
/** Whatever lists of boards there are, this may change. */
const removeTask = Tasks.delete.extend({ name: 'Task/remove', invalidates: () => [Boards.getList, Tasks.getList] });

const PATCH = 'PATCH /tasks/1';
const closed = { json: { id: 1, title: 'closed', boardId: 7 } };

async function setupBoards() {
  const tools = setup();
  server.answer('GET /boards/7', { json: { id: 7, open: 2 } });
  server.answer('GET /boards/8', { json: { id: 8, open: 5 } });
  server.answer('GET /boards', {
    json: [
      { id: 7, open: 2 },
      { id: 8, open: 5 },
    ],
  });
  const { store, read } = tools;
  await store.dispatch(Boards.get({ id: 7 }));
  await store.dispatch(Boards.get({ id: 8 }));
  await store.dispatch(Boards.getList());
  server.forget();
  const staleness = () => ({
    seven: read(Boards.get.selectRequest({ id: 7 })).isStale,
    eight: read(Boards.get.selectRequest({ id: 8 })).isStale,
    list: read(Boards.getList.selectRequest()).isStale,
  });

  return { ...tools, staleness };
}

describe('what a write says that it has changed besides', () => {
  it('is stale with the answer, in the same action, and shown still', async () => {
    const { store, actions, read, staleness } = await setupBoards();
    const before = actions.length;

    const promise = store.dispatch(closeTask({ id: 1 }, { title: 'closed' }));
    await server.holding(PATCH);
    expect(staleness()).toEqual({ seven: false, eight: false, list: false });
    await server.release(PATCH, closed);
    await promise;

    expect(staleness()).toEqual({ seven: true, eight: false, list: false });
    expect(read(Boards.get.select({ id: 7 }))?.open).toBe(2);
    expect(typesOf(actions.slice(before))).toEqual(['Task/close/pending', 'Task/close/fulfilled']);
  });

  it('is fetched for those who are subscribed, and for nobody else', async () => {
    const { store, read } = await setupBoards();
    store.dispatch(Boards.get.subscribe({ id: 7 }));
    store.dispatch(Boards.get.subscribe({ id: 8 }));
    store.dispatch(Boards.getList.subscribe());

    const promise = store.dispatch(closeTask({ id: 1 }, { title: 'closed' }));
    await server.release(PATCH, closed);
    await promise;
    const refetch = store.dispatch(Boards.get.ifStale({ id: 7 }));
    await server.release('GET /boards/7', { json: { id: 7, open: 1 } });
    await refetch;

    expect(read(Boards.get.select({ id: 7 }))?.open).toBe(1);
    expect(server.received.map(({ method, path }) => `${method} ${path}`)).toEqual([PATCH, 'GET /boards/7']);
  });

  it('is fetched by ifStale, where nobody is subscribed', async () => {
    const { store } = await setupBoards();
    const promise = store.dispatch(closeTask({ id: 1 }, { title: 'closed' }));
    await server.release(PATCH, closed);
    await promise;

    const board = store.dispatch(Boards.get.ifStale({ id: 7 }));
    await server.release('GET /boards/7', { json: { id: 7, open: 1 } });

    expect((await board.unwrap()).open).toBe(1);
  });

  it('can be all requests of an endpoint', async () => {
    const { store, staleness } = await setupBoards();

    const promise = store.dispatch(removeTask({ id: 1 }));
    await server.release('DELETE /tasks/1', { status: 204 });
    await promise;

    // The detail of a board has an answer of its own, which nobody has called stale.
    expect(staleness()).toEqual({ seven: false, eight: false, list: true });
  });

  it('is asked of the function with the params, the body and the response', async () => {
    const asked: unknown[] = [];
    const watched = Tasks.partialUpdate.extend({
      name: 'Task/watched',
      invalidates(params, body, response) {
        asked.push(params, body, response, this.name);

        return [];
      },
    });
    const { store } = setup();

    const promise = store.dispatch(watched({ id: 1 }, { title: 'new' }));
    await server.release(PATCH, closed);
    await promise;

    expect(asked).toEqual([{ id: 1 }, { title: 'new' }, closed.json, 'Task/watched']);
  });

  it('may be what nobody has asked for', async () => {
    const { store, slice } = setup();

    const promise = store.dispatch(closeTask({ id: 1 }, { title: 'closed' }));
    await server.release(PATCH, closed);

    expect((await promise.unwrap()).title).toBe('closed');
    expect(slice().requests.n).toBe(1);
  });

  it('is fetched anew where it is on its way already: that fetch cannot know', async () => {
    const { store, read } = await setupBoards();
    store.dispatch(Boards.get.subscribe({ id: 7 }));
    const early = store.dispatch(Boards.get({ id: 7 }));
    await server.holding('GET /boards/7');

    const promise = store.dispatch(closeTask({ id: 1 }, { title: 'closed' }));
    await server.release(PATCH, closed);
    await promise;
    const late = store.dispatch(Boards.get.ifStale({ id: 7 }));
    expect(late.requestId).not.toBe(early.requestId);

    await server.release('GET /boards/7', { json: { id: 7, open: 2 } });
    await early;
    expect(read(Boards.get.selectRequest({ id: 7 }))).toMatchObject({ isStale: true, isFetching: true });
    await server.release('GET /boards/7', { json: { id: 7, open: 1 } });
    await late;

    expect(read(Boards.get.selectRequest({ id: 7 }))).toMatchObject({ isStale: false, data: { open: 1 } });
    expect(server.received).toHaveLength(3);
  });

  it('stays fresh when the write is refused', async () => {
    const { store, staleness } = await setupBoards();

    const promise = store.dispatch(closeTask({ id: 1 }, { title: 'closed' }));
    await server.release(PATCH, { status: 409 });
    await promise;

    expect(staleness()).toEqual({ seven: false, eight: false, list: false });
  });

  it('keeps what the server has done when the function throws, and says so', async () => {
    const broken = Tasks.partialUpdate.extend({
      name: 'Task/broken',
      invalidates: () => {
        throw new TypeError('No such field.');
      },
    });
    const { store, slice } = setup();
    expectWarning(/invalidates of Task\/broken failed.*No such field/);

    const promise = store.dispatch(broken({ id: 1 }, { title: 'new' }));
    await server.release(PATCH, closed);

    expect((await promise).meta.requestStatus).toBe('fulfilled');
    expect(slice().intents).toEqual([]);
  });
});
