import { createResource, Entity, ResourceError } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { expectIdle, setup } from '../support/store.js';

class Note extends Entity {
  id: number | string = 0;
  text = '';
  static override key = 'Note';
}

const server = await serverOfFile();

const Notes = createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note, optimistic: true });

/** A store with an empty list, in which a note is being created. */
async function creating() {
  const tools = setup();
  server.answer('GET /notes', { json: [] });
  await tools.store.dispatch(Notes.getList());
  const create = tools.store.dispatch(Notes.getList.push({ text: 'new' }));
  await server.holding('POST /notes');
  const list = (): readonly Note[] => tools.read(Notes.getList.select()) ?? [];

  return { ...tools, create, list, temporary: list()[0]?.id ?? '' };
}

describe('a request about an item that is still being created', () => {
  it('shows at once, waits for the answer, and is sent for the real id', async () => {
    const { store, create, list, temporary } = await creating();
    const edit = store.dispatch(Notes.partialUpdate({ id: temporary }, { text: 'edited' }));
    const during = list();

    await server.release('POST /notes', { status: 201, json: { id: 7, text: 'new' } });
    await create;
    const between = list();
    const sent = await server.release('PATCH /notes/7', { json: { id: 7, text: 'edited' } });
    const value = await edit.unwrap();

    expect(during.map(({ id, text }) => [id, text])).toEqual([[temporary, 'edited']]);
    expect(between.map(({ id, text }) => [id, text])).toEqual([[7, 'edited']]);
    expect(sent.body).toEqual({ text: 'edited' });
    expect(list()).toEqual([value]);
  });

  it('deletes it once it is there', async () => {
    const { store, create, list, temporary, slice } = await creating();
    const removal = store.dispatch(Notes.delete({ id: temporary }));
    const during = list();

    await server.release('POST /notes', { status: 201, json: { id: 7, text: 'new' } });
    await create;
    const between = list();
    await server.release('DELETE /notes/7', { status: 204 });
    await removal;

    expect([during, between, list()]).toEqual([[], [], []]);
    expect(slice().intents).toEqual([]);
  });

  it('is not sent when the item could not be created', async () => {
    const { store, create, list, temporary, slice } = await creating();
    const edit = store.dispatch(Notes.partialUpdate({ id: temporary }, { text: 'edited' }));

    await server.release('POST /notes', { status: 422, json: { title: 'No' } });
    await create;
    const error: unknown = await edit.unwrap().catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(ResourceError);
    expect(error).toMatchObject({ code: 'R14' });
    expect(list()).toEqual([]);
    expect(slice().intents).toEqual([]);
  });

  it('is sent for the real id though it comes when the answer is there already', async () => {
    const { store, create, temporary } = await creating();
    await server.release('POST /notes', { status: 201, json: { id: 7, text: 'new' } });
    await create;

    const edit = store.dispatch(Notes.partialUpdate({ id: temporary }, { text: 'edited' }));
    const sent = await server.release('PATCH /notes/7', { json: { id: 7, text: 'edited' } });
    await edit;

    expect(sent.body).toEqual({ text: 'edited' });
  });

  it('is not sent for the item of a user who has left', async () => {
    const { store, resources, create, temporary } = await creating();
    await server.release('POST /notes', { status: 201, json: { id: 7, text: 'new' } });
    await create;

    store.dispatch(resources.reset());
    server.answer(/PATCH/, { status: 404 });
    await store.dispatch(Notes.partialUpdate({ id: temporary }, { text: 'edited' }));

    expect(server.received.map(({ path }) => path)).not.toContain('/notes/7');
  });

  it('may be cancelled while it waits', async () => {
    const { store, create, temporary } = await creating();
    const edit = store.dispatch(Notes.partialUpdate({ id: temporary }, { text: 'edited' }));

    edit.abort();
    const action = await edit;
    await server.release('POST /notes', { status: 201, json: { id: 7, text: 'new' } });
    await create;

    expect(action.meta).toMatchObject({ aborted: true });
  });
});

describe('a request whose body names such an item deep inside', () => {
  const anyBody: object = {};
  const save = Notes.partialUpdate.extend({
    name: 'Note/save',
    body: anyBody,
    optimistic: false,
    getHeaders: ({ 'Content-Type': _, ...headers }) => headers,
  });
  const id = { id: 1 };

  it.each([
    ['an array', (temporary: unknown) => ({ order: [3, temporary] }), { order: [3, 7] }],
    ['a nested body', (temporary: unknown) => ({ in: { parent: temporary, at: 1 } }), { in: { parent: 7, at: 1 } }],
    ['a name', (temporary: unknown) => ({ at: { [String(temporary)]: 1, 3: 2 } }), { at: { 7: 1, 3: 2 } }],
    ['an array of bodies', (temporary: unknown) => [{ id: temporary }, { id: 3 }], [{ id: 7 }, { id: 3 }]],
    ['a class of yours', (temporary: unknown) => ({ note: Note.fromJS({ id: String(temporary) }) }), undefined],
  ])('waits for its real id, and has it in %s', async (_, bodyWith, expected) => {
    const { store, create, temporary } = await creating();
    const body = bodyWith(temporary);
    const before = JSON.stringify(body);
    const promise = store.dispatch(save(id, body));
    expect(server.received.some(({ method }) => method === 'PATCH')).toBe(false);

    await server.release('POST /notes', { status: 201, json: { id: 7, text: 'new' } });
    await create;
    const sent = await server.release('PATCH /notes/1', { json: { id: 1 } });
    await promise;

    expect(sent.body).toEqual(expected ?? { note: { id: 7, text: '' } });
    expect(JSON.stringify(body)).toBe(before);
  });

  it('waits for its real id, and has it in a form', async () => {
    const { store, create, temporary } = await creating();
    const form = new URLSearchParams({ parent: String(temporary), text: 'child', [String(temporary)]: '1' });
    const promise = store.dispatch(save(id, form));

    await server.release('POST /notes', { status: 201, json: { id: 7, text: 'new' } });
    await create;
    const sent = await server.release('PATCH /notes/1', { json: { id: 1 } });
    await promise;

    expect(sent.rawBody).toBe('parent=7&text=child&7=1');
  });

  it('is not sent when the item could not be created', async () => {
    const { store, create, temporary } = await creating();
    const promise = store.dispatch(save(id, { order: [temporary] }));

    await server.release('POST /notes', { status: 422, json: {} });
    await create;

    expect((await promise).error).toMatchObject({ name: 'ResourceError', code: 'R14' });
  });

  it('is sent for the real id though it comes when the answer is there already', async () => {
    const { store, create, temporary } = await creating();
    await server.release('POST /notes', { status: 201, json: { id: 7, text: 'new' } });
    await create;

    const promise = store.dispatch(save(id, { order: [{ id: temporary }] }));
    const sent = await server.release('PATCH /notes/1', { json: { id: 1 } });
    await promise;

    expect(sent.body).toEqual({ order: [{ id: 7 }] });
  });

  it('is rejected as before where its body refers to itself, and the item is created all the same', async () => {
    const { store, create, list, temporary } = await creating();
    const body: Record<string, unknown> = { parent: { id: temporary } };
    body['self'] = { body };
    const promise = store.dispatch(save(id, body));

    await server.release('POST /notes', { status: 201, json: { id: 7, text: 'new' } });
    await create;

    expect((await promise).error).toMatchObject({ code: 'R19' });
    expect(list().map((note) => note.id)).toEqual([7]);
  });
});

describe('an item that was created here', () => {
  it('is read by the temporary id that somebody has kept, without a moment in which it is not there', async () => {
    const { store, create, watch, temporary } = await creating();
    const seen = watch((state) => Notes.get.select({ id: temporary })(state)?.id);

    await server.release('POST /notes', { status: 201, json: { id: 7, text: 'new' } });
    await create;
    const edit = store.dispatch(Notes.partialUpdate({ id: 7 }, { text: 'edited' }));
    const during = store.getState();
    await server.release('PATCH /notes/7', { json: { id: 7, text: 'edited' } });
    await edit;

    expect(seen).toEqual([temporary, 7]);
    expect(Notes.get.selectRequest({ id: temporary })(during)).toMatchObject({
      isOptimistic: true,
      data: { id: 7, text: 'edited' },
    });
  });

  it('is not read by it once it is gone', async () => {
    const { store, create, read, temporary } = await creating();
    await server.release('POST /notes', { status: 201, json: { id: 7, text: 'new' } });
    await create;

    const removal = store.dispatch(Notes.delete({ id: temporary }));
    await server.release('DELETE /notes/7', { status: 204 });
    await removal;

    expect(read(Notes.get.select({ id: temporary }))).toBeUndefined();
  });
});

describe('a recipe about an item that is still being created', () => {
  class Task extends Entity {
    id: number | string = 0;
    title = '';
    votes = 0;
    parent: number | string | null = null;
    static override key = 'Task';
  }
  const at = { urlPrefix: server.url, schema: Task } as const;
  const asked: unknown[] = [];
  const Tasks = createResource({ ...at, path: '/tasks/:id', optimistic: true })
    .extend('vote', {
      ...at,
      path: '/tasks/:id/vote',
      method: 'POST',
      body: undefined,
      optimistic: (task, [{ id }]) => {
        asked.push([id, task.id]);
        task.votes += 1;
      },
    })
    .extend('link', {
      ...at,
      path: '/tasks/:id/link',
      method: 'POST',
      body: {} as { parent: number | string },
      optimistic: (task, [, { parent }]) => {
        task.parent = parent;
      },
    });
  const task = (id: number, more: object = {}) => ({ id, title: 'new', votes: 0, parent: null, ...more });

  /** A store with one task, and another that is being created. */
  async function setupTasks() {
    const tools = setup();
    asked.length = 0;
    tools.store.dispatch(tools.resources.setResponse(Tasks.getList, {}, [task(1)]));
    const create = tools.store.dispatch(Tasks.getList.push({ title: 'new' }));
    await server.holding('POST /tasks');
    const list = (): readonly Task[] => tools.read(Tasks.getList.select()) ?? [];
    return { ...tools, create, list, temporary: list()[1]?.id ?? '' };
  }

  it('runs again for the real id, over what the server has made, and so does each of several', async () => {
    const { store, create, list, temporary, watch, slice } = await setupTasks();
    const votes = watch(() => list()[1]?.votes);
    const both = [store.dispatch(Tasks.vote({ id: temporary })), store.dispatch(Tasks.vote({ id: temporary }))];

    await server.release('POST /tasks', { json: task(7, { votes: 5 }) });
    await create;
    expect(asked.slice(-2)).toEqual([
      [7, 7],
      [7, 7],
    ]);
    expect(list()[1]).toMatchObject({ id: 7, votes: 7 });
    await server.release('POST /tasks/7/vote', { json: task(7, { votes: 6 }) });
    await server.release('POST /tasks/7/vote', { json: task(7, { votes: 7 }) });
    await Promise.all(both);

    expect(votes).toEqual([0, 1, 2, 7]);
    expectIdle(slice());
  });

  it('takes back its own where its request fails, and runs again over what comes before that', async () => {
    const { store, resources, create, list, temporary, slice } = await setupTasks();
    const voting = store.dispatch(Tasks.vote({ id: temporary }));
    await server.release('POST /tasks', { json: task(7) });
    await create;
    store.dispatch(resources.set(Task, { id: 7, votes: 8 }));
    expect(list()[1]?.votes).toBe(9);

    await server.release('POST /tasks/7/vote', { status: 500 });
    await voting;

    expect(list()[1]?.votes).toBe(8);
    expectIdle(slice());
  });

  it('has the real id where its body names the item', async () => {
    const { store, create, list, temporary, slice } = await setupTasks();
    const linking = store.dispatch(Tasks.link({ id: 1 }, { parent: temporary }));
    expect(list()[0]?.parent).toBe(temporary);
    await server.release('POST /tasks', { json: task(7) });
    await create;
    expect(list()[0]?.parent).toBe(7);

    const { body } = await server.release('POST /tasks/1/link', { status: 204 });
    await linking;

    expect([body, list()[0]?.parent]).toEqual([{ parent: 7 }, 7]);
    expectIdle(slice());
  });

  it('shows nothing any more where the create fails, and its request is not sent', async () => {
    const { store, create, list, temporary, slice } = await setupTasks();
    const both = [
      store.dispatch(Tasks.vote({ id: temporary })),
      store.dispatch(Tasks.link({ id: 1 }, { parent: temporary })),
    ];
    await server.release('POST /tasks', { status: 500 });
    await create;
    const codes = (await Promise.all(both)).map(({ error }) => error?.code);

    expect(codes).toEqual(['R14', 'R14']);
    expect(list().map(({ id, parent }) => [id, parent])).toEqual([[1, null]]);
    expectIdle(slice());
  });
});
