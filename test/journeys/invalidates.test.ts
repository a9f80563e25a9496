import { createResource, Entity, type ResourcesState } from 'rtk-resource';
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
  invalidates: (task) => (task ? [Boards.get({ id: task.boardId })] : [Boards.get]),
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
  it('is stale, too, where nobody knows whether the write was done: the function gets null for the answer', async () => {
    const { store, staleness } = await setupBoards();
    const removal = store.dispatch(removeTask({ id: 1 }));
    const closing = store.dispatch(closeTask({ id: 2 }, { title: 'closed' }));
    await server.holding('DELETE /tasks/1');
    await server.holding('PATCH /tasks/2');

    server.forget();
    await Promise.all([removal, closing]);

    expect(staleness()).toEqual({ seven: true, eight: true, list: true });
  });

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

  it('is asked of the function with the answer, and the arguments as they were given', async () => {
    const asked: unknown[] = [];
    const watched = Tasks.partialUpdate.extend({
      name: 'Task/watched',
      invalidates(answer, args) {
        asked.push(answer, args, this.name);

        return [];
      },
    });
    const { store } = setup();

    const promise = store.dispatch(watched({ id: 1 }, { title: 'new' }));
    await server.release(PATCH, closed);
    await promise;

    expect(asked).toEqual([closed.json, [{ id: 1 }, { title: 'new' }], 'Task/watched']);
  });

  it('is asked of the function once, also where the answer leaves the rest open', async () => {
    const { store } = await setupBoards();
    const asked: unknown[] = [];
    const closeAll = Tasks.extend('closeAll', {
      path: '/tasks/close',
      method: 'POST',
      body: {} as { ids: readonly number[] },
      schema: [Task],
      optimistic: false,
      invalidates: (tasks) => {
        asked.push(tasks);

        return [];
      },
    }).closeAll;
    server.answer('POST /tasks/close', { json: [1] });

    await store.dispatch(closeAll({ ids: [1] }));

    expect(asked).toEqual([[1]]);
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

  it.each([
    [
      'throws',
      'No such field',
      () => {
        throw new TypeError('No such field.');
      },
    ],
    ['gives no array', 'it gave no array', () => Tasks.getList],
  ])('keeps what the server has done when the function %s, and says so', async (how, why, invalidates) => {
    const broken = Tasks.partialUpdate.extend({ name: `Task/${how}`, invalidates: invalidates as never });
    const { store, slice } = setup();
    expectWarning(new RegExp(`invalidates of Task/${how} failed.*${why}`));

    const promise = store.dispatch(broken({ id: 1 }, { title: 'new' }));
    await server.release(PATCH, closed);

    expect((await promise).meta.requestStatus).toBe('fulfilled');
    expect(slice().intents).toEqual([]);
  });
});

describe('a part of the requests of an endpoint', () => {
  const search: { readonly boardId?: number; readonly open?: boolean } = {};
  const listOptions = { urlPrefix: server.url, path: '/tasks/:id', schema: Task, searchParams: search } as const;
  const Lists = createResource({ ...listOptions, name: 'Listed' }).extend('archive', {
    path: '/tasks/:id/archive',
    method: 'POST',
    body: undefined,
    invalidates: (task) => [task ? ['getList', { boardId: task.boardId }] : 'getList'],
  });

  /** Which lists are stale: those of board 7, its open ones, and those of board 8. */
  async function setupLists(Resource: Pick<typeof Lists, 'getList'> = Lists) {
    const tools = setup();
    server.answer(/^GET /, { json: [] });
    const lists = [{ boardId: 7 }, { boardId: 7, open: true }, { boardId: 8 }];
    for (const args of lists) await tools.store.dispatch(Resource.getList(args));
    const stale = () => lists.map((args) => tools.read(Resource.getList.selectRequest(args)).isStale);

    return { ...tools, stale };
  }

  it('is made stale by expireAll with what their first argument has', async () => {
    const { store, resources, stale } = await setupLists();

    store.dispatch(resources.expireAll(Lists.getList, { boardId: 7 }));
    expect(stale()).toEqual([true, true, false]);

    store.dispatch(resources.expireAll(Lists.getList));
    expect(stale()).toEqual([true, true, true]);
  });

  it('is fetched for those who are subscribed to it', async () => {
    const { store, resources } = await setupLists();
    store.dispatch(Lists.getList.subscribe({ boardId: 7 }));
    store.dispatch(Lists.getList.subscribe({ boardId: 8 }));
    server.forget();

    store.dispatch(resources.expireAll(Lists.getList, { boardId: 7 }));
    await server.release('GET /tasks?boardId=7', { json: [] });
    await store.dispatch(Lists.getList.ifStale({ boardId: 7 }));

    expect(server.received).toHaveLength(1);
  });

  it('counts also where the answer was set by hand, or came from another process', () => {
    const { store, resources, slice } = setup();
    store.dispatch(resources.setResponse(Lists.getList, { boardId: 7 }, []));
    const other = setup();
    other.store.dispatch(other.resources.hydrate(JSON.parse(JSON.stringify(slice())) as ResourcesState));

    for (const tools of [{ store, resources }, other])
      tools.store.dispatch(tools.resources.expireAll(Lists.getList, { boardId: 7 }));

    expect(Lists.getList.selectRequest({ boardId: 7 })(store.getState()).isStale).toBe(true);
    expect(other.read(Lists.getList.selectRequest({ boardId: 7 })).isStale).toBe(true);
  });

  it('is named by a write, by the name of the member', async () => {
    const { store, stale } = await setupLists();
    server.answer('POST /tasks/1/archive', { json: { id: 1, boardId: 7 } });

    await store.dispatch(Lists.archive({ id: 1 }));

    expect(stale()).toEqual([true, true, false]);
  });

  it('is named by a write, by the endpoint', async () => {
    const { store, stale } = await setupLists();
    const archive = Tasks.delete.extend({ invalidates: (_answer, [{ id }]) => [[Lists.getList, { boardId: id }]] });
    server.answer('DELETE /tasks/8', { status: 204 });

    await store.dispatch(archive({ id: 8 }));

    expect(stale()).toEqual([false, false, true]);
  });
});

describe('a member that a write names', () => {
  const options = { urlPrefix: server.url, path: '/tasks/:id', schema: Task, name: 'Member' } as const;

  it.each([
    ['as it was', (base: typeof Plain) => base],
    ['with another path', (base: typeof Plain) => base.extend({ getList: { path: '/tasks' } })],
    ['with another name', (base: typeof Plain) => base.extend({ getList: { name: 'Other/list' } })],
    [
      'as another endpoint',
      (base: typeof Plain) => base.extend(({ getList }) => ({ getList: getList.paginated({ next: () => undefined }) })),
    ],
  ])('is the member of its resource: %s', async (_, change) => {
    const Resource = change(Plain);
    const { store, read } = setup();
    server.answer('GET /tasks', { json: [] });
    server.answer('POST /tasks', { status: 201, json: { id: 2 } });
    server.answer(PATCH, closed);
    await store.dispatch(Resource.getList());

    await store.dispatch(Resource.partialUpdate({ id: 1 }, { title: 'closed' }));
    expect(read(Resource.getList.selectRequest()).isStale).toBe(true);

    await store.dispatch(Resource.getList());
    await store.dispatch(Resource.getList.push({}, { title: 'new' }));
    expect(read(Resource.getList.selectRequest()).isStale).toBe(true);
  });
  const Plain = createResource({ ...options, invalidates: () => ['getList'] });

  it('is none where the resource has none of that name, which is told', async () => {
    const { store } = setup();
    const Resource = createResource({ ...options, invalidates: () => ['lists'] });
    server.answer(PATCH, closed);
    expectWarning(/invalidates of Member\/partialUpdate failed.*no member "lists"/);

    const { meta } = await store.dispatch(Resource.partialUpdate({ id: 1 }, { title: 'closed' }));

    expect(meta.requestStatus).toBe('fulfilled');
  });

  it('is not made stale by a read of the resource', async () => {
    const { store, read } = setup();
    server.answer('GET /tasks', { json: [] });
    server.answer('GET /tasks/1', { json: { id: 1 } });
    await store.dispatch(Plain.getList());

    await store.dispatch(Plain.get({ id: 1 }));

    expect(read(Plain.getList.selectRequest()).isStale).toBe(false);
  });
});

describe('a row that is shown without a request of its own', () => {
  async function setupBorrowed() {
    const tools = setup();
    server.answer('GET /boards', {
      json: [
        { id: 7, open: 2 },
        { id: 8, open: 5 },
      ],
    });
    server.answer('GET /boards/7', { json: { id: 7, open: 3 } });
    const { store, read } = tools;
    await store.dispatch(Boards.getList());
    const subscription = store.dispatch(Boards.get.subscribe({ id: 7 }));
    expect(server.received).toHaveLength(1);
    return { ...tools, subscription, open: () => read(Boards.get.select({ id: 7 }))?.open };
  }
  const asked = () => server.received.map(({ method, path }) => `${method} ${path}`).slice(1);

  it('is fetched for its subscriber after a write that names its request in `invalidates`', async () => {
    const { store, open } = await setupBorrowed();
    server.answer(PATCH, closed);

    await store.dispatch(closeTask({ id: 1 }, { title: 'closed' }));
    await store.dispatch(Boards.get.ifStale({ id: 7 }));

    expect(asked()).toEqual([PATCH, 'GET /boards/7']);
    expect(open()).toBe(3);
  });

  it.each(['expireAll', 'invalidateAll'] as const)('is fetched for its subscriber by %s', async (how) => {
    const { store, resources, open } = await setupBorrowed();

    store.dispatch(resources[how](Boards.get));
    await store.dispatch(Boards.get.ifStale({ id: 7 }));

    expect(asked()).toEqual(['GET /boards/7']);
    expect(open()).toBe(3);
  });

  it('is stale for who comes later, after a write that names its request in `invalidates`', async () => {
    const { store, read, subscription, open } = await setupBorrowed();
    subscription.unsubscribe();
    server.answer(PATCH, closed);

    await store.dispatch(closeTask({ id: 1 }, { title: 'closed' }));
    const { isStale, data } = read(Boards.get.selectRequest({ id: 7 }));
    store.dispatch(Boards.get.subscribe({ id: 7 }));
    await store.dispatch(Boards.get.ifStale({ id: 7 }));
    await store.dispatch(Boards.get.ifStale({ id: 8 }));

    expect([isStale, data?.open]).toEqual([true, 2]);
    expect(asked()).toEqual([PATCH, 'GET /boards/7']);
    expect(open()).toBe(3);
  });

  it('is left alone by what names the requests of another', async () => {
    const { store, resources } = await setupBorrowed();

    store.dispatch(resources.expireAll(Boards.get, { id: 8 }));
    store.dispatch(resources.expireAll(Tasks.get));
    await store.dispatch(Boards.get.ifStale({ id: 7 }));

    expect(asked()).toEqual([]);
  });
});
