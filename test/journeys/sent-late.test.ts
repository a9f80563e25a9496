import { createResource, Entity, RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();
const options = { urlPrefix: server.url, path: '/todos/:id', schema: Todo, optimistic: true } as const;
const PATCH = 'PATCH /todos/1';
const A = { id: 1, title: 'A' };

/** Something that the test lets go on. */
function gate() {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return {
    open: () => {
      open();
    },
    passed,
  };
}

function filled() {
  const tools = setup();
  tools.store.dispatch(tools.resources.set(Todo, A));
  return { ...tools, title: () => tools.read(tools.resources.selectEntity(Todo, 1))?.title };
}

/** Headers that wait, once the server has received something. */
function afterFirst({ passed }: ReturnType<typeof gate>) {
  return async (headers: Record<string, string>) => {
    if (server.received.length > 0) await passed;
    return headers;
  };
}

/** The server: edits are done in the order in which they come. */
function edited(body: unknown): { json: object } {
  return { json: { ...A, ...(body as object) } };
}

describe('a write that goes out after one that was made later', () => {
  it('is the last that the server hears of, where it is tried again', async () => {
    const pause = gate();
    const { partialUpdate } = createResource({ ...options, retry: { times: 1, writes: true, delay: () => 0 } });
    const retried = partialUpdate.extend({ getHeaders: afterFirst(pause) });
    const { store, title } = filled();

    const B = store.dispatch(retried({ id: 1 }, { title: 'B' }));
    await server.release(PATCH, { status: 503 });
    const C = store.dispatch(partialUpdate({ id: 1 }, { title: 'C' }));
    await server.release(PATCH, edited({ title: 'C' }));
    await C;
    pause.open();
    await server.release(PATCH, edited({ title: 'B' }));
    await B;

    expect(title()).toBe('B');
  });

  it('is the last that the server hears of, where its hooks took longer', async () => {
    const token = gate();
    const { partialUpdate } = createResource(options);
    const waiting = partialUpdate.extend({ getHeaders: async (headers) => (await token.passed, headers) });
    const { store, title } = filled();

    const B = store.dispatch(waiting({ id: 1 }, { title: 'B' }));
    const C = store.dispatch(partialUpdate({ id: 1 }, { title: 'C' }));
    await server.holding(PATCH);
    token.open();
    await server.release(PATCH, edited({ title: 'C' }));
    await server.release(PATCH, edited({ title: 'B' }));
    await Promise.all([B, C]);

    expect(title()).toBe('B');
  });

  it('is the first where nothing has held it, whichever is answered first', async () => {
    const { partialUpdate } = createResource(options);
    const { store, title } = filled();

    const B = store.dispatch(partialUpdate({ id: 1 }, { title: 'B' }));
    const C = store.dispatch(partialUpdate({ id: 1 }, { title: 'C' }));
    await server.release(/"C"/, edited({ title: 'C' }));
    await server.release(/"B"/, edited({ title: 'B' }));
    await Promise.all([B, C]);

    expect(title()).toBe('C');
  });
});

describe('a read that is tried again', () => {
  it('knows what was done before that', async () => {
    const pause = gate();
    const Todos = createResource({ ...options, retry: { times: 1, delay: () => 0 } });
    const { getList } = Todos;
    const list = getList.extend({ getHeaders: afterFirst(pause) });
    const { store, read } = filled();
    const reading = store.dispatch(list());
    await server.release('GET /todos', { status: 503 });
    const creating = store.dispatch(Todos.getList.push({ title: 'new' }));
    await server.release('POST /todos', { json: { id: 2, title: 'new' } });
    await creating;
    pause.open();
    // Another client has deleted it.
    await server.release('GET /todos', { json: [A] });
    await reading;

    expect(read(list.select())?.map(({ id }) => id)).toEqual([1]);
  });
});

describe('a write that was tried again, and is refused then', () => {
  it('may have been done before: what shows its row is stale', async () => {
    const Todos = createResource({ ...options, retry: { times: 1, writes: true, delay: () => 0 } });
    const { store, read, title } = filled();
    server.answer('GET /todos/1', { json: A });
    await store.dispatch(Todos.get({ id: 1 }));

    const write = store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'B' }));
    await server.release(PATCH, { status: 504 });
    await server.release(PATCH, { status: 422, json: {} });
    await write;

    expect([title(), read(Todos.get.selectRequest({ id: 1 })).isStale]).toEqual(['A', true]);
  });
});

describe('a time limit', () => {
  it('holds for a fetch of your own that waits before the request', async () => {
    class Waiting extends RestEndpoint {
      override async fetch(): Promise<never> {
        return new Promise<never>(() => undefined);
      }
    }
    const { store } = setup();
    const get = new Waiting({ ...options, timeout: 1 });

    await expect(store.dispatch(get({ id: 1 })).unwrap()).rejects.toThrow('1 ms are over');
  });
});
