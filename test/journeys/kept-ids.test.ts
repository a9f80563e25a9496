import { Collection, createResource, Entity, isTemporary, type ResourcesOptions } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Note extends Entity {
  id: number | string = 0;
  boxId = 0;
  text = '';
  votes = 0;
  static override key = 'Note';
}
class Remark extends Entity {
  id = 0;
  noteId: number | string = 0;
  static override key = 'Remark';
}

const server = await serverOfFile();

const searchParams: { boxId?: number | string } | undefined = {};
const Notes = createResource({
  urlPrefix: server.url,
  path: '/notes/:id',
  schema: Note,
  searchParams,
  optimistic: true,
});
const noteParams: { noteId?: number | string } = {};
const remarks = new Collection([Remark]);
const Remarks = createResource({ urlPrefix: server.url, path: '/notes/:noteId/remarks/:id', schema: Remark }).extend({
  getList: { schema: remarks },
});
const Found = createResource({
  urlPrefix: server.url,
  path: '/remarks/:id',
  schema: Remark,
  searchParams: noteParams,
  name: 'Found',
});
const lists = { 'by its path': Remarks.getList, 'by a search parameter': Found.getList };

/** A store in which a note is being created, in a list that somebody reads; and the id that it is shown under. */
async function creating(options: ResourcesOptions<'resources'> = {}) {
  const tools = setup(options);
  const { store, read } = tools;
  server.answer('GET /notes', { json: [] });
  const list = store.dispatch(Notes.getList.subscribe());
  await expect.poll(() => read(Notes.getList.select())).toEqual([]);
  const create = store.dispatch(Notes.getList.push({ text: 'new' }));
  await server.holding('POST /notes');
  const id = read(Notes.getList.select())?.[0]?.id ?? '';

  return {
    ...tools,
    id,
    list,
    /** The server answers the create. */
    created: async () => {
      await server.release('POST /notes', { status: 201, json: { id: 7, boxId: 0, text: 'new', votes: 0 } });
      await create;
    },
    all: () => read(tools.resources.selectAll(Note)).map((note) => [isTemporary(note.id) ? '~' : note.id, note.votes]),
  };
}

const asked = (): readonly string[] => server.received.map(({ method, path }) => `${method} ${path}`);

describe('who has kept the temporary id of what was created', () => {
  it('reads and edits it by that, however often anything is edited meanwhile', async () => {
    const { store, read, id, created } = await creating();
    await created();
    for (let i = 1; i <= 101; i++) {
      server.answer('PATCH /notes/7', { json: { id: 7, boxId: 0, text: `edit ${i}`, votes: 0 } });
      await store.dispatch(Notes.partialUpdate({ id }, { text: `edit ${i}` }));
    }

    expect(read(Notes.get.select({ id }))).toMatchObject({ id: 7, text: 'edit 101' });
    expect(new Set(asked())).toEqual(new Set(['GET /notes', 'POST /notes', 'PATCH /notes/7']));
  });

  it.each(['before the answer', 'after the answer'])('keeps it from being collected: subscribed %s', async (time) => {
    const { store, read, list, id, created } = await creating({ unusedDataExpiryLength: 20 });
    if (time === 'after the answer') await created();
    const page = store.dispatch(Notes.get.subscribe({ id }));
    if (time === 'before the answer') await created();
    const other = store.dispatch(Notes.get.subscribe({ id: 8 }));
    await server.release('GET /notes/8', { json: { id: 8, boxId: 0, text: 'other', votes: 0 } });
    await expect.poll(() => read(Notes.get.select({ id: 8 }))).toBeDefined();

    list.unsubscribe();
    other.unsubscribe();
    await expect.poll(() => read(Notes.get.select({ id: 8 }))).toBeUndefined();

    expect(read(Notes.get.select({ id }))).toMatchObject({ id: 7, text: 'new' });
    expect(asked()).toEqual(['GET /notes', 'POST /notes', 'GET /notes/8']);
    page.unsubscribe();
    await expect.poll(() => read(Notes.get.select({ id }))).toBeUndefined();
  });

  it.each([
    ['before the answer', 'expire', 'the temporary id'],
    ['before the answer', 'invalidate', 'the real id'],
    ['after the answer', 'expire', 'the temporary id'],
    ['after the answer', 'expire', 'the real id'],
    ['after the answer', 'invalidate', 'the temporary id'],
    ['after the answer', 'invalidate', 'the real id'],
    ['after the answer', 'expireAll', 'no id'],
    ['after the answer', 'expireAll', 'the temporary id'],
  ] as const)('has it fetched: subscribed %s, %s with %s', async (time, how, by) => {
    const { store, resources, read, list, id, created } = await creating();
    if (time === 'after the answer') await created();
    const page = store.dispatch(Notes.get.subscribe({ id }));
    if (time === 'before the answer') await created();
    list.unsubscribe();
    const given = { id: by === 'the real id' ? 7 : id };

    if (how === 'expireAll') store.dispatch(resources.expireAll(Notes.get, by === 'no id' ? undefined : given));
    else store.dispatch(resources[how](Notes.get, given));
    await server.holding('GET /notes/7');
    const during = read(Notes.get.selectRequest({ id }));
    await server.release('GET /notes/7', { json: { id: 7, boxId: 0, text: 'newer', votes: 0 } });

    expect(during).toMatchObject({ status: 'pending', isFetching: true });
    await expect
      .poll(() => read(Notes.get.selectRequest({ id })))
      .toMatchObject({
        status: 'fulfilled',
        isStale: false,
        data: { id: 7, text: 'newer' },
      });
    page.unsubscribe();
  });

  it('reads it without a moment in which it is not there, and is sent nothing again', async () => {
    const { store, watch, id, created } = await creating();
    const page = store.dispatch(Notes.get.subscribe({ id }));
    const select = Notes.get.selectRequest({ id });
    const seen = watch((state) => select(state).data?.id);

    await created();
    await expect.poll(() => select(store.getState()).isFetching).toBe(false);

    expect(seen).toEqual([id, 7]);
    expect(asked()).toEqual(['GET /notes', 'POST /notes']);
    page.unsubscribe();
  });

  it.each(['the answer is lost', 'the answer is 409'])('has it fetched after an edit of which %s', async (how) => {
    const { store, list, id, created } = await creating();
    await created();
    list.unsubscribe();
    const page = store.dispatch(Notes.get.subscribe({ id }));

    const edit = store.dispatch(Notes.partialUpdate({ id }, { text: 'edited' }));
    await server.holding('PATCH /notes/7');
    if (how === 'the answer is lost') edit.abort();
    else await server.release('PATCH /notes/7', { status: 409 });

    await server.holding('GET /notes/7');
    page.unsubscribe();
  });

  it('is told how the fetch of it stands, and when it is stale', async () => {
    const { store, read, id, created } = await creating({ dataExpiryLength: 0 });
    await created();

    const page = store.dispatch(Notes.get.subscribe({ id }));
    await server.holding('GET /notes/7');
    const during = read(Notes.get.selectRequest({ id }));
    await server.release('GET /notes/7', { json: { id: 7, boxId: 0, text: 'new', votes: 1 } });
    await expect.poll(() => read(Notes.get.selectRequest({ id })).status).toBe('fulfilled');

    expect(during).toMatchObject({ status: 'pending', isFetching: true, data: { id: 7, votes: 0 } });
    expect(read(Notes.get.selectRequest({ id }))).toBe(read(Notes.get.selectRequest({ id: 7 })));
    page.unsubscribe();
  });

  it.each([
    ['by its path', 'before the answer'],
    ['by its path', 'after the answer'],
    ['by a search parameter', 'before the answer'],
    ['by a search parameter', 'after the answer'],
  ] as const)('reads a list of it %s: subscribed %s', async (how, time) => {
    const { store, resources, read, id, created } = await creating();
    const list = lists[how];
    if (time === 'after the answer') await created();
    const page = store.dispatch(list.subscribe({ noteId: id }));
    if (time === 'before the answer') await created();
    const address = how === 'by its path' ? 'GET /notes/7/remarks' : 'GET /remarks?noteId=7';
    await server.release(address, { json: [{ id: 1, noteId: 7 }] });
    await expect.poll(() => read(list.select({ noteId: id }))?.map((one) => one.id)).toEqual([1]);

    store.dispatch(
      how === 'by its path'
        ? resources.expire(Remarks.getList, { noteId: id })
        : resources.expire(Found.getList, { noteId: id }),
    );
    await server.release(address, { json: [] });

    await expect.poll(() => read(list.select({ noteId: id }))).toEqual([]);
    expect(asked()).toHaveLength(4);
    page.unsubscribe();
  });

  it('reads the lists of it that it has asked for before', async () => {
    const { store, read, id, created } = await creating();
    const asking = store.dispatch(Remarks.getList({ noteId: id }));
    const select = Remarks.getList.selectRequest({ noteId: id });
    await created();
    await server.holding('GET /notes/7/remarks');
    const during = read(select);
    await server.release('GET /notes/7/remarks', { json: [{ id: 1, noteId: 7 }] });
    await asking;

    expect(during.status).toBe('pending');
    expect(read(select)).toMatchObject({ status: 'fulfilled', data: [{ id: 1 }] });
  });
});

describe('a write by hand about what was created, by its temporary id', () => {
  const row = { boxId: 0, text: 'new' };

  it('is about its row, as soon as that is known', async () => {
    const { store, resources, id, created, all } = await creating();
    await created();

    store.dispatch(resources.set(Note, { id, votes: 1 }));
    expect(all()).toEqual([[7, 1]]);
    store.dispatch(resources.set(Note, [{ id, votes: 2 }]));
    expect(all()).toEqual([[7, 2]]);
    store.dispatch(resources.set(Note, { id }, (note) => void (note.votes += 1)));
    expect(all()).toEqual([[7, 3]]);
    store.dispatch(resources.setResponse(Notes.get, { id }, { ...row, id, votes: 4 }));
    expect(all()).toEqual([[7, 4]]);
  });

  it('is refused before that, and hides nothing', async () => {
    const { store, resources, id, created, all } = await creating();
    const refused = expect.objectContaining({ code: 'R7' }) as object;

    expect(() => {
      store.dispatch(resources.set(Note, { id, votes: 1 }));
    }).toThrow(refused);
    expect(() => {
      store.dispatch(resources.set(Note, [{ id, votes: 1 }]));
    }).toThrow(refused);
    expect(() => {
      store.dispatch(resources.setResponse(Notes.get, { id }, { ...row, id, votes: 1 }));
    }).toThrow(refused);
    expect(all()).toEqual([['~', 0]]);
    await created();

    expect(all()).toEqual([[7, 0]]);
  });
});

describe('a patch by hand of what is being created', () => {
  it.each(['before the answer', 'after the answer'])('lies over its row until it is undone: %s', async (time) => {
    const { store, resources, id, created, all, slice } = await creating();
    if (time === 'after the answer') await created();
    const preview = store.dispatch(resources.patch(Note, { id }, (note) => void (note.votes += 3)));
    expect(all()).toEqual([[time === 'after the answer' ? 7 : '~', 3]]);
    if (time === 'before the answer') await created();
    expect(all()).toEqual([[7, 3]]);

    preview.undo();

    expect(all()).toEqual([[7, 0]]);
    expect(slice().intents).toEqual([]);
  });

  it('is confirmed with its row, not before that', async () => {
    const { store, resources, id, created, all, slice } = await creating();
    const preview = store.dispatch(resources.patch(Notes.get, { id }, (note) => void (note.votes += 3)));
    expect(() => {
      preview.commit();
    }).toThrow(expect.objectContaining({ code: 'R7' }) as object);
    expect(all()).toEqual([['~', 3]]);
    await created();
    expect(all()).toEqual([[7, 3]]);

    preview.commit();

    expect(all()).toEqual([[7, 3]]);
    expect(slice().intents).toEqual([]);
  });
});

it('whoever is subscribed by a temporary id has the item fetched by the real one, however many are created after it', async () => {
  const { store, resources, id, created, list } = await creating();
  store.dispatch(Notes.get.subscribe({ id }));
  await created();
  for (let i = 0; i < 101; i++) {
    server.answer('POST /notes', { status: 201, json: { id: 100 + i, boxId: 0, text: 'another', votes: 0 } });
    await store.dispatch(Notes.getList.push({ text: 'another' }));
  }
  server.forget();
  server.answer(/^GET \/notes\/./, { json: { id: 7, boxId: 0, text: 'new', votes: 1 } });

  store.dispatch(resources.expireAll(Notes.get));
  await expect.poll(() => server.received.map(({ path }) => path)).toEqual(['/notes/7']);
  list.unsubscribe();
});
