import { Collection, createResource, Entity, RestEndpoint, type ShapeOptions } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile, type Reply } from '../support/server.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const server = await serverOfFile();

/** The server puts each note into an envelope, which `process` takes off. */
const Notes = createResource({
  urlPrefix: server.url,
  path: '/notes/:id',
  schema: Note,
  process: (value: unknown) => (value as { readonly data: unknown }).data,
});
const id = { id: 1 };

/** The texts of all notes while an edit with this guess is pending, and after its answer. */
async function textsWith(guess: unknown, name: string) {
  const { store, read, resources } = setup();
  server.answer('GET /notes/1', { json: { data: { id: 1, text: 'one' } } });
  await store.dispatch(Notes.get(id));
  const edit = Notes.partialUpdate.extend({ name, getOptimisticResponse: () => guess });
  const texts = () => read(resources.selectAll(Note)).map(({ text }) => text);

  const promises = [store.dispatch(edit(id, { text: 'new' })), store.dispatch(edit(id, { text: 'new' }))];
  await server.holding('PATCH /notes/1');
  const during = texts();
  for (const _ of promises) await server.release('PATCH /notes/1', { json: { data: { id: 1, text: 'new' } } });
  await Promise.all(promises);

  return [during, texts()];
}

describe('what getOptimisticResponse gives', () => {
  it('is what process gives', async () => {
    expect(await textsWith({ id: 1, text: 'guess' }, 'Note/right')).toEqual([['guess'], ['new']]);
  });

  it('may be made of what the store has: this.api is there, before the answer and when an empty one confirms it', async () => {
    const seen: unknown[] = [];
    class Signed<O extends ShapeOptions = ShapeOptions> extends RestEndpoint<O> {
      override getOptimisticResponse = function (this: Signed) {
        const { getState, requestId, args } = this.api ?? {};
        seen.push([Object.keys(getState?.() as object), requestId, args]);
        return { id: 1, text: 'guess' };
      };
    }
    const edit = new Signed({
      urlPrefix: server.url,
      path: '/notes/:id',
      method: 'PATCH',
      schema: Note,
      body: {} as { text: string },
      name: 'Note/signed',
    });
    const { store, read, resources } = setup();
    store.dispatch(resources.set(Note, { id: 1, text: 'one' }));

    const promise = store.dispatch(edit(id, { text: 'new' }));
    expect(read(resources.selectEntity(Note, 1))?.text).toBe('guess');
    await server.release('PATCH /notes/1', { status: 204 });
    await promise;

    expect(read(resources.selectEntity(Note, 1))?.text).toBe('guess');
    expect(seen.length).toBeGreaterThan(1);
    for (const one of seen) expect(one).toEqual([['resources', 'counter'], promise.requestId, [id, { text: 'new' }]]);
  });

  it('shows nothing in the envelope of the server, and is told of once', async () => {
    expectWarning(
      /getOptimisticResponse of Note\/wrapped gave .*nothing fits its schema.*the envelope "data": have it give what process gives/s,
    );

    expect(await textsWith({ data: { id: 1, text: 'guess' } }, 'Note/wrapped')).toEqual([['one'], ['new']]);
  });

  it('shows nothing where nothing of it is known, and is told of', async () => {
    expectWarning(/getOptimisticResponse of Note\/odd gave .*Likely it has an envelope too many/s);

    expect(await textsWith({ ok: true }, 'Note/odd')).toEqual([['one'], ['new']]);
  });

  it('shows nothing without the envelope that the schema has, and is told of', async () => {
    const { store, read, resources } = setup();
    const save = Notes.partialUpdate.extend({
      name: 'Note/shape',
      schema: { note: Note },
      process: (value: unknown) => value,
      getOptimisticResponse: () => ({ id: 1, text: 'guess' }),
    });
    expectWarning(/getOptimisticResponse of Note\/shape gave .*or one too few/s);

    const promise = store.dispatch(save(id, { text: 'new' }));
    await server.holding('PATCH /notes/1');
    expect(read(resources.selectAll(Note))).toEqual([]);
    await server.release('PATCH /notes/1', { json: { note: { id: 1, text: 'new' } } });
    await promise;

    expect(read(resources.selectEntity(Note, 1))?.text).toBe('new');
  });
});

describe('what optimistic: true shows, where the schema has an envelope', () => {
  class Writer extends Entity {
    id = 0;
    name = '';
    static override key = 'Writer';
  }
  const plain = { urlPrefix: server.url, path: '/notes/:id', schema: Note, optimistic: true };
  const Wrapped = createResource({ ...plain, name: 'Wrapped' })
    .extend('partialUpdate', { schema: { note: Note } })
    .extend('sign', {
      ...{ path: '/notes/:id/sign', method: 'POST', body: undefined },
      schema: { note: Note, writer: Writer },
      optimistic: (draft) => {
        draft.note.text = 'signed';
      },
    });

  /** The text of the note while a write is under way, and after its answer. */
  async function textsDuring(
    dispatch: (store: ReturnType<typeof setup>['store']) => { unwrap(): Promise<unknown> },
    [call, reply]: readonly [call: string, reply: Reply],
  ) {
    const { store, read, resources } = setup();
    store.dispatch(resources.set(Note, { id: 1, text: 'one' }));
    const text = () => read(resources.selectEntity(Note, 1))?.text;
    const promise = dispatch(store).unwrap();
    const during = text();
    await server.release(call, reply);
    await promise;
    return [during, text()];
  }

  it('is the body, in the envelope, and an empty answer confirms it', async () => {
    const texts = await textsDuring(
      (store) => store.dispatch(Wrapped.partialUpdate(id, { text: 'new' })),
      ['PATCH /notes/1', { status: 204 }],
    );

    expect(texts).toEqual(['new', 'new']);
  });

  it('is nothing where the one entity of the answer stands beside a list, which is told', async () => {
    expectWarning(/Wrapped\/list is not shown before its answer/);
    const list = Wrapped.partialUpdate.extend({ name: 'Wrapped/list', schema: { note: Note, writers: [Writer] } });

    const texts = await textsDuring(
      (store) => store.dispatch(list({ id: 1 }, { text: 'new' })),
      ['PATCH /notes/1', { status: 204 }],
    );

    expect(texts).toEqual(['one', 'one']);
  });

  it('is nothing where the answer has several entities, which is told; the write is sent all the same', async () => {
    expectWarning(/The recipe of Wrapped\/sign is not run: its answer has several entities/);

    const texts = await textsDuring(
      (store) => store.dispatch(Wrapped.sign(id)),
      ['POST /notes/1/sign', { json: { note: { id: 1, text: 'by Ada' }, writer: { id: 2, name: 'Ada' } } }],
    );

    expect(texts).toEqual(['one', 'by Ada']);
  });
});

class Task extends Entity {
  id = 0;
  name = '';
  static override key = 'Task';
}

/** The notes of a task, whose path calls the task as a note calls itself. */
const TaskResource = createResource({ urlPrefix: server.url, path: '/tasks/:id', schema: Task, optimistic: true })
  .extend('getNotes', { path: '/tasks/:id/notes', schema: new Collection([Note]) })
  .extend('addNote', { path: '/tasks/:id/notes', method: 'POST', schema: Note, body: {} as { text: string } })
  .extend('rename', { path: '/tasks/:id/rename', method: 'POST', body: {} as { name: string } });

describe('the id of a parent in the path of what is created', () => {
  const note = { id: 5, text: 'five' };

  it.each([
    ['push', (text: string) => TaskResource.getNotes.push({ id: 5 }, { text }), ['five', 'new']],
    ['a POST of another class', (text: string) => TaskResource.addNote({ id: 5 }, { text }), ['five']],
  ])('is not taken for the id of the item: %s', async (_, create, shown) => {
    const { store, read } = setup();
    server.answer('GET /tasks/5/notes', { json: [note] });
    await store.dispatch(TaskResource.getNotes({ id: 5 }));
    const texts = () => read(TaskResource.getNotes.select({ id: 5 }))?.map(({ text }) => text);

    const promise = store.dispatch(create('new'));
    await server.holding('POST /tasks/5/notes');
    expect(texts()).toEqual(shown);
    await server.release('POST /tasks/5/notes', { status: 201, json: { id: 9, text: 'new' } });
    await promise;

    expect(texts()?.[0]).toBe('five');
  });

  it('is that of the row that an action is about', async () => {
    const { store, read } = setup();
    server.answer('GET /tasks/5', { json: { id: 5, name: 'old' } });
    await store.dispatch(TaskResource.get({ id: 5 }));

    const promise = store.dispatch(TaskResource.rename({ id: 5 }, { name: 'new' }));
    await server.holding('POST /tasks/5/rename');
    expect(read(TaskResource.get.select({ id: 5 }))?.name).toBe('new');
    await server.release('POST /tasks/5/rename', { json: { id: 5, name: 'new' } });
    await promise;
  });
});
