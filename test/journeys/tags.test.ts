import { createResource, Entity } from 'rtk-resource';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { serverOfFile, type Received, type Reply } from '../support/server.js';
import { setup } from '../support/store.js';

const server = await serverOfFile();

class Todo extends Entity {
  id = 0;
  title = '';
  done = false;
  static override key = 'TaggedTodo';
}
const options = { urlPrefix: server.url, path: '/todos/:id', schema: Todo, optimistic: true, etag: true } as const;
const TodoResource = createResource(options);
const { get, getList, partialUpdate } = TodoResource;

/** What the server has: one todo, and its version. */
let kept: { id: number; title: string; done: boolean };
let version: number;

const tag = (): string => `"${String(version)}"`;

/** Somebody changes the todo. */
function change(fields: Partial<typeof kept>): void {
  kept = { ...kept, ...fields };
  version++;
}

function answerGet({ headers }: Received): Reply {
  return headers['if-none-match'] === tag()
    ? { status: 304, headers: { etag: tag() } }
    : { json: kept, headers: { etag: tag() } };
}

function answerPatch({ headers, body }: Received): Reply {
  if (headers['if-match'] !== undefined && headers['if-match'] !== tag()) return { status: 412 };
  change(body as Partial<typeof kept>);

  return { json: kept, headers: { etag: tag() } };
}

beforeEach(() => {
  kept = { id: 1, title: 'A', done: false };
  version = 1;
});

/** A store that has read the todo, and of which the next read is held. */
async function setupTodo() {
  const tools = setup();
  const { store, read, resources } = tools;
  server.answer('GET /todos/1', answerGet);
  await store.dispatch(get({ id: 1 }));
  server.forget();
  server.answer('PATCH /todos/1', answerPatch);

  return {
    ...tools,
    todo: () => read(resources.selectEntity(Todo, 1)),
    /** What was sent, each with the tag that went with it. */
    sent: () =>
      server.received.map(
        ({ method, headers }) => `${method} ${headers['if-match'] ?? headers['if-none-match'] ?? '-'}`,
      ),
  };
}

/** The same, where a read was under way while an edit was confirmed, and brings what somebody else has written after that. */
async function setupOverlap() {
  const tools = await setupTodo();
  const { store } = tools;
  const poll = store.dispatch(get({ id: 1 }));
  const held = await server.holding('GET /todos/1');
  await store.dispatch(partialUpdate({ id: 1 }, { title: 'B' }));
  change({ title: 'C' });
  await server.release('GET /todos/1', answerGet(held));
  await poll;
  server.answer('GET /todos/1', answerGet);

  return tools;
}

describe('the tag of an answer that was not taken whole', () => {
  it('is not kept: the next read brings what was passed over', async () => {
    const { store, todo } = await setupOverlap();
    expect(todo()?.title).toBe('B');

    await store.dispatch(get({ id: 1 }));

    expect(todo()?.title).toBe('C');
  });

  it('is sent with no edit: what somebody else has written meanwhile is not overwritten unseen', async () => {
    const { store, todo } = await setupOverlap();

    const action = await store.dispatch(partialUpdate({ id: 1 }, { title: 'D' }));

    expect(action.error).toMatchObject({ status: 412 });
    expect([kept.title, todo()?.title]).toEqual(['C', 'C']);
  });

  it('is not kept of a list either: a row that somebody else has deleted goes with the next read', async () => {
    const { store, read } = setup();
    let rows = [kept];
    const answerList = ({ headers }: Received): Reply =>
      headers['if-none-match'] === tag() ? { status: 304 } : { json: rows, headers: { etag: tag() } };
    server.answer('GET /todos', answerList);
    await store.dispatch(getList());
    server.forget();
    const poll = store.dispatch(getList());
    const held = await server.holding('GET /todos');
    server.answer('POST /todos', { json: { id: 9, title: 'N', done: false } });
    await store.dispatch(getList.push({ title: 'N', done: false }));
    [rows, version] = [[kept], 3];
    await server.release('GET /todos', answerList(held));
    await poll;

    server.answer('GET /todos', answerList);
    await store.dispatch(getList());

    expect(read(getList.select())?.map(({ id }) => id)).toEqual([1]);
  });
});

describe('the tag of the answer to an edit that was sent without one', () => {
  /** A list has brought the todo, somebody has changed a field of it since, and an edit of another field was answered. */
  async function setupEdit(reply: () => Reply, edit = partialUpdate) {
    const tools = setup();
    const { store } = tools;
    server.answer('GET /todos', { json: [kept] });
    await store.dispatch(getList());
    change({ done: true });
    server.answer('PATCH /todos/1', ({ body }) => {
      change(body as Partial<typeof kept>);

      return { headers: { etag: tag() }, ...reply() };
    });
    await store.dispatch(edit({ id: 1 }, { title: 'B' }));
    await store.dispatch(edit({ id: 1 }, { done: false }));

    return server.received.filter(({ method }) => method === 'PATCH').map(({ headers }) => headers['if-match']);
  }

  it.each([
    ['is empty', (): Reply => ({ status: 204 })],
    ['has what was sent', (): Reply => ({ json: { id: 1, title: kept.title } })],
  ])('is not kept where the answer %s: it says nothing of the other fields', async (_, reply) => {
    expect(await setupEdit(reply)).toEqual([undefined, undefined]);
  });

  it('is kept where the answer has the whole row, also in an envelope', async () => {
    const wrapped = createResource({ ...options, schema: { todo: Todo } }).partialUpdate;

    expect(await setupEdit(() => ({ json: kept }))).toEqual([undefined, '"3"']);
    server.forget();
    expect(await setupEdit(() => ({ json: { todo: kept } }), wrapped as never)).toEqual([undefined, '"6"']);
  });

  it('is kept where the edit has set the whole row', async () => {
    const { store } = setup();
    server.answer('PUT /todos/1', { status: 204, headers: { etag: '"2"' } });
    server.answer('GET /todos', { json: [kept] });
    await store.dispatch(getList());

    for (const title of ['B', 'C']) await store.dispatch(TodoResource.update({ id: 1 }, { title, done: true }));

    expect(server.received.map(({ headers }) => headers['if-match'])).toEqual([undefined, undefined, '"2"']);
  });
});

describe('an edit that is refused where the server has already what it sets', () => {
  it('is done, if it was the edit itself whose answer was lost', async () => {
    const { store, todo, sent } = await setupTodo();
    const asked: unknown[] = [];
    const save = TodoResource.update.extend({
      retry: { times: 1, delay: () => 0 },
      onConflict: (one) => void asked.push(one),
    });
    server.answer('GET /todos/1', answerGet);
    let isLost = true;
    server.answer('PUT /todos/1', (request) => {
      const reply = answerPatch(request);
      if (!isLost) return reply;
      isLost = false;

      return { status: 504 };
    });

    const action = await store.dispatch(save({ id: 1 }, { title: 'B', done: true }));

    expect([action.error, asked]).toEqual([undefined, []]);
    expect(sent()).toEqual(['PUT "1"', 'PUT "1"', 'GET "1"']);
    expect(todo()).toMatchObject({ title: 'B', done: true });
  });

  it('is done, if somebody else has written the same, and gives what was read', async () => {
    const { store, todo } = await setupTodo();
    server.answer('GET /todos/1', answerGet);
    const wrapped = partialUpdate.extend({ schema: { todo: Todo } });
    change({ title: 'theirs', done: true });

    const value = await store.dispatch(partialUpdate({ id: 1 }, { done: true })).unwrap();
    expect(value).toEqual({ id: 1, title: 'theirs', done: true });
    expect(todo()).toEqual(value);
    change({ title: 'more', done: false });

    expect(await store.dispatch(wrapped({ id: 1 }, { done: false })).unwrap()).toEqual({ todo: kept });
  });

  it('is sent once more, if it sends what is no field: nobody can tell whether that was done', async () => {
    const { store, sent } = await setupTodo();
    server.answer('GET /todos/1', answerGet);
    change({ done: true });

    await store.dispatch(partialUpdate({ id: 1 }, { title: 'A', secret: 'new' } as object));

    expect(sent()).toEqual(['PATCH "1"', 'GET "1"', 'PATCH "2"']);
  });

  it('is rejected, if nothing has changed: it was refused for another reason', async () => {
    const { store } = await setupTodo();
    server.answer('GET /todos/1', answerGet);
    server.answer('PATCH /todos/1', { status: 409 });

    const action = await store.dispatch(partialUpdate({ id: 1 }, { title: 'A' }));

    expect(action.error).toMatchObject({ status: 409 });
  });
});

describe('an edit that is refused while a read of its address is under way', () => {
  it('is sent on what is read after that', async () => {
    const { store, todo, sent } = await setupTodo();
    const poll = store.dispatch(get({ id: 1 }));
    const old = answerGet(await server.holding('GET /todos/1'));
    change({ done: true });
    server.answer('GET /todos/1', answerGet);

    const edit = store.dispatch(partialUpdate({ id: 1 }, { title: 'B' }));
    await vi.waitFor(() => {
      expect(sent()).toContain('PATCH "1"');
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await server.release('GET /todos/1', old);
    const [action] = await Promise.all([edit, poll]);

    expect(action.error).toBeUndefined();
    expect(kept).toEqual({ id: 1, title: 'B', done: true });
    expect(todo()).toEqual(kept);
  });
});

describe('a read that is answered with 304', () => {
  it('is sent once more without a tag, if its answer was invalidated meanwhile', async () => {
    const { store, resources, read, sent } = await setupTodo();
    const reading = store.dispatch(get({ id: 1 }));
    const held = await server.holding('GET /todos/1');
    server.answer('GET /todos/1', answerGet);

    store.dispatch(resources.invalidate(get, { id: 1 }));
    await server.release('GET /todos/1', answerGet(held));

    expect(await reading.unwrap()).toEqual(kept);
    expect(sent()).toEqual(['GET "1"', 'GET -']);
    expect(read(get.selectRequest({ id: 1 }))).toMatchObject({ status: 'fulfilled', isStale: false });
  });

  it('leaves the tag of an edit that was answered meanwhile', async () => {
    const { store, sent } = await setupTodo();
    const poll = store.dispatch(get({ id: 1 }));
    const reply = answerGet(await server.holding('GET /todos/1'));
    await store.dispatch(partialUpdate({ id: 1 }, { title: 'B' }));

    await server.release('GET /todos/1', reply);
    await poll;
    server.answer('GET /todos/1', answerGet);
    await store.dispatch(partialUpdate({ id: 1 }, { title: 'C' }));

    expect(sent()).toEqual(['GET "1"', 'PATCH "1"', 'PATCH "2"']);
  });

  it('gives no edit a tag of what an older answer has taken back, as one that a server gives once more to a second try', async () => {
    const { store, todo } = await setupTodo();
    const save = partialUpdate.extend({ retry: { times: 1, delay: () => 0, writes: true } });
    server.forget();
    const saving = store.dispatch(save({ id: 1 }, { done: true }));
    const first = answerPatch(await server.holding('PATCH /todos/1'));
    change({ title: 'theirs' });
    const poll = store.dispatch(get({ id: 1 }));
    await server.release('GET /todos/1', answerGet(await server.holding('GET /todos/1')));
    await poll;
    await server.release('PATCH /todos/1', { status: 504 });
    await server.holding('PATCH /todos/1');
    const again = store.dispatch(get({ id: 1 }));
    const unchanged = answerGet(await server.holding('GET /todos/1'));
    await server.release('PATCH /todos/1', first);
    await saving;
    await server.release('GET /todos/1', unchanged);
    await again;
    expect([unchanged.status, todo()?.title]).toEqual([304, 'A']);

    server.answer('GET /todos/1', answerGet);
    server.answer('PATCH /todos/1', answerPatch);
    const action = await store.dispatch(partialUpdate({ id: 1 }, { title: 'mine' }));

    expect([action.error?.status, kept.title, todo()?.title]).toEqual([412, 'theirs', 'theirs']);
  });
});

describe('a server that demands a tag with each edit', () => {
  /** A store that has a todo from a list. */
  async function setupList() {
    const { store } = setup();
    server.answer('GET /todos', { json: [kept] });
    server.answer('GET /todos/1', answerGet);
    server.answer('PATCH /todos/1', (request) =>
      request.headers['if-match'] === undefined ? { status: 428 } : answerPatch(request),
    );
    await store.dispatch(getList());

    return store;
  }

  it('gets an edit of a row that came in a list once more, with the tag that is read then', async () => {
    const store = await setupList();
    change({ done: true });

    const action = await store.dispatch(partialUpdate({ id: 1 }, { title: 'B' }));

    expect(action.error).toBeUndefined();
    expect(kept).toEqual({ id: 1, title: 'B', done: true });
  });

  it('gets a deletion once more, too, if the row is as the list had it', async () => {
    const store = await setupList();
    server.answer('DELETE /todos/1', ({ headers }) => ({ status: headers['if-match'] === tag() ? 204 : 428 }));

    const action = await store.dispatch(TodoResource.delete({ id: 1 }));
    expect(action.error).toBeUndefined();
    await store.dispatch(getList());
    change({ title: 'theirs' });

    expect((await store.dispatch(TodoResource.delete({ id: 1 }))).error).toMatchObject({ status: 428 });
  });

  it('refuses an edit of what somebody else has changed since the list was read', async () => {
    const store = await setupList();
    change({ title: 'theirs' });

    const action = await store.dispatch(partialUpdate({ id: 1 }, { title: 'B' }));

    expect(action.error).toMatchObject({ status: 428 });
    expect(kept.title).toBe('theirs');
  });
});

describe('a list', () => {
  it.each([
    ['sends its tag when it is read again', {}, '"9"'],
    ['that has pages sends none', { paginationField: 'page' }, undefined],
  ])('%s', async (_, more, expected) => {
    const { store } = setup();
    const list = createResource({ ...options, ...more }).getList.extend({ name: `Todo/list ${String(expected)}` });
    server.answer('GET /todos', { json: [{ id: 1 }], headers: { etag: '"9"' } });

    await store.dispatch(list());
    await store.dispatch(list());

    expect(server.received.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, expected]);
  });
});
