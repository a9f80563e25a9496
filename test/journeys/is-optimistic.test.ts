import { configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Tag extends Entity {
  id = 0;
  label = '';
  static override key = 'Tag';
}
class Note extends Entity {
  id: number | string = 0;
  text = '';
  folder = '';
  tag: Tag | undefined = undefined;
  static override key = 'Note';
  static override schema = { tag: Tag };
}

const server = await serverOfFile();

const searchParams: { folder?: string } = {};
const options = { urlPrefix: server.url, optimistic: true } as const;
const Notes = createResource({ ...options, path: '/notes/:id', schema: Note, searchParams });
const Tags = createResource({ ...options, path: '/tags/:id', schema: Tag });

const refusal = { status: 422, json: {} };
const note = (id: number, fields: object = {}): object => ({ id, text: '', folder: 'a', ...fields });

/** A store that has fetched all notes, those of folder b, and note 1 by itself. */
async function setupNotes() {
  const tools = setup();
  const { store, read } = tools;
  server.answer('GET /notes', { json: [note(1, { tag: { id: 1, label: 'old' } }), note(2)] });
  server.answer('GET /notes?folder=b', { json: [note(3, { folder: 'b' })] });
  server.answer('GET /notes/1', { json: note(1) });
  await store.dispatch(Notes.getList());
  await store.dispatch(Notes.getList({ folder: 'b' }));
  await store.dispatch(Notes.get({ id: 1 }));
  const isOptimistic = () => ({
    all: read(Notes.getList.selectRequest()).isOptimistic,
    inB: read(Notes.getList.selectRequest({ folder: 'b' })).isOptimistic,
    one: read(Notes.get.selectRequest({ id: 1 })).isOptimistic,
    two: read(Notes.get.selectRequest({ id: 2 })).isOptimistic,
  });

  return { ...tools, isOptimistic };
}

const confirmed = { all: false, inB: false, one: false, two: false };

describe('selectRequest tells whether what it shows is not confirmed yet', () => {
  it('of an item and the lists that show it, while an edit is pending', async () => {
    const { store, isOptimistic } = await setupNotes();
    const before = isOptimistic();
    const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'edited' }));
    const during = isOptimistic();

    await server.release('PATCH /notes/1', { json: note(1, { text: 'edited' }) });
    await edit;

    expect(before).toEqual(confirmed);
    expect(during).toEqual({ all: true, inB: false, one: true, two: false });
    expect(isOptimistic()).toEqual(confirmed);
  });

  it('until it is refused', async () => {
    const { store, isOptimistic } = await setupNotes();
    const edit = store.dispatch(Notes.partialUpdate({ id: 2 }, { text: 'edited' }));
    const during = isOptimistic();

    await server.release('PATCH /notes/2', refusal);
    await edit;

    expect(during).toEqual({ all: true, inB: false, one: false, two: true });
    expect(isOptimistic()).toEqual(confirmed);
  });

  it('until the last of several is settled', async () => {
    const { store, isOptimistic } = await setupNotes();
    const edits = ['first', 'second'].map((text) => store.dispatch(Notes.partialUpdate({ id: 1 }, { text })));

    await server.release(/PATCH .*first/, { json: note(1, { text: 'first' }) });
    await edits[0];
    const between = isOptimistic();
    await server.release(/PATCH .*second/, { json: note(1, { text: 'second' }) });
    await edits[1];

    expect(between).toEqual({ all: true, inB: false, one: true, two: false });
    expect(isOptimistic()).toEqual(confirmed);
  });

  it('of the lists to which an item is being added, and of the item', async () => {
    const { store, isOptimistic, read } = await setupNotes();
    const create = store.dispatch(Notes.getList.push({ text: 'new', folder: 'b' }));
    const during = isOptimistic();
    const id = read(Notes.getList.select())?.at(-1)?.id ?? '';
    const item = read(Notes.get.selectRequest({ id }));

    await server.release('POST /notes', { json: note(4, { text: 'new', folder: 'b' }) });
    await create;

    expect(during).toEqual({ all: true, inB: true, one: false, two: false });
    expect(item).toMatchObject({ isOptimistic: true, isUninitialized: true, data: { text: 'new' } });
    expect(isOptimistic()).toEqual(confirmed);
    expect(read(Notes.get.selectRequest({ id: 4 })).isOptimistic).toBe(false);
  });

  it('of the lists from which an item is being deleted, and of the item', async () => {
    const { store, isOptimistic } = await setupNotes();
    const removal = store.dispatch(Notes.delete({ id: 1 }));
    const during = isOptimistic();

    await server.release('DELETE /notes/1', refusal);
    await removal;

    expect(during).toEqual({ all: true, inB: false, one: true, two: false });
    expect(isOptimistic()).toEqual(confirmed);
  });

  it('of what shows an item that is nested in it', async () => {
    const { store, isOptimistic } = await setupNotes();
    const edit = store.dispatch(Tags.partialUpdate({ id: 1 }, { label: 'new' }));
    const during = isOptimistic();

    await server.release('PATCH /tags/1', { json: { id: 1, label: 'new' } });
    await edit;

    expect(during).toEqual({ all: true, inB: false, one: true, two: false });
    expect(isOptimistic()).toEqual(confirmed);
  });

  it('not of an edit that says what is confirmed already', async () => {
    const { store, isOptimistic, slice } = await setupNotes();
    const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: '' }));
    const during = [isOptimistic(), slice().intents.length];

    await server.release('PATCH /notes/1', { json: note(1) });
    await edit;

    expect(during).toEqual([confirmed, 1]);
  });

  it('not of an edit that does not show before its answer', async () => {
    const { store, isOptimistic } = await setupNotes();
    const quiet = Notes.partialUpdate.extend({ optimistic: false });
    const edit = store.dispatch(quiet({ id: 1 }, { text: 'edited' }));
    const during = isOptimistic();

    await server.release('PATCH /notes/1', { json: note(1, { text: 'edited' }) });
    await edit;

    expect(during).toEqual(confirmed);
  });

  it('not of an edit over which a later one has been confirmed', async () => {
    const { store, isOptimistic } = await setupNotes();
    const first = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'first' }));
    const second = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'second' }));

    await server.release(/PATCH .*second/, { json: note(1, { text: 'second' }) });
    await second;
    const between = isOptimistic();
    await server.release(/PATCH .*first/, { json: note(1, { text: 'first' }) });
    await first;

    expect(between).toEqual(confirmed);
  });

  it('of an edit that waits for the item to be created', async () => {
    const { store, read } = await setupNotes();
    const create = store.dispatch(Notes.getList.push({ text: 'new' }));
    const temporary = read(Notes.getList.select())?.at(-1)?.id ?? '';
    const edit = store.dispatch(Notes.partialUpdate({ id: temporary }, { text: 'edited' }));

    await server.release('POST /notes', { json: note(4, { text: 'new' }) });
    await create;
    const between = read(Notes.get.selectRequest({ id: 4 }));
    await server.release('PATCH /notes/4', { json: note(4, { text: 'edited' }) });
    await edit;

    expect(between).toMatchObject({ isOptimistic: true, data: { text: 'edited' } });
    expect(read(Notes.get.selectRequest({ id: 4 }))).toMatchObject({ isOptimistic: false, data: { text: 'edited' } });
  });

  it('of an answer that has no schema: never', async () => {
    const { store, read } = await setupNotes();
    const raw = new RestEndpoint({ urlPrefix: server.url, path: '/raw', name: 'raw' });
    server.answer('GET /raw', { json: { any: ['thing'] } });
    await store.dispatch(raw());
    const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'edited' }));

    expect(read(raw.selectRequest())).toMatchObject({ isOptimistic: false, data: { any: ['thing'] } });
    await server.release('PATCH /notes/1', refusal);
    await edit;
  });

  it('with the same object, where nothing has become another', async () => {
    const { store, read } = await setupNotes();
    const before = read(Notes.getList.selectRequest({ folder: 'b' }));
    const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'edited' }));
    const during = read(Notes.getList.selectRequest({ folder: 'b' }));

    await server.release('PATCH /notes/1', refusal);
    await edit;

    expect(during).toBe(before);
    expect(read(Notes.getList.selectRequest({ folder: 'b' }))).toBe(before);
  });

  it('under a path of your own as well', async () => {
    const resources = configureResources({ reducerPath: 'api' });
    const store = configureStore({
      reducer: { api: resources.reducer },
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });
    server.answer('GET /notes', { json: [note(1)] });
    await store.dispatch(Notes.getList());
    const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'edited' }));
    const during = resources.selectRequest(Notes.getList)(store.getState());

    await server.release('PATCH /notes/1', refusal);
    await edit;

    expect(during.isOptimistic).toBe(true);
    expect(resources.selectRequest(Notes.getList)(store.getState()).isOptimistic).toBe(false);
  });
});

describe('selectPending names the requests that an item waits for', () => {
  it('in the order in which they started, each until it settles', async () => {
    const { store, resources, watch } = await setupNotes();
    const seen = watch(resources.selectPending(Note, 1));
    const first = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'first' }));
    const second = store.dispatch(Notes.delete({ id: 1 }));

    await server.release('PATCH /notes/1', refusal);
    await first;
    await server.release('DELETE /notes/1', { status: 204 });
    await second;

    expect(seen).toEqual([[], [first.requestId], [first.requestId, second.requestId], [second.requestId], []]);
  });

  it('with one list, while nothing changes of it', async () => {
    const { store, resources, watch } = await setupNotes();
    const seen = watch(resources.selectPending(Note, 1));

    const edit = store.dispatch(Notes.partialUpdate({ id: 2 }, { text: 'edited' }));
    await server.release('PATCH /notes/2', { json: note(2, { text: 'edited' }) });
    await edit;

    expect(seen).toEqual([[]]);
  });

  it('by the temporary id, and by the real one as soon as it is known', async () => {
    const { store, resources, read } = await setupNotes();
    const create = store.dispatch(Notes.getList.push({ text: 'new' }));
    const temporary = read(Notes.getList.select())?.at(-1)?.id ?? '';
    const edit = store.dispatch(Notes.partialUpdate({ id: temporary }, { text: 'edited' }));
    const before = read(resources.selectPending(Note, temporary));

    await server.release('POST /notes', { json: note(4, { text: 'new' }) });
    await create;
    const between = [read(resources.selectPending(Note, temporary)), read(resources.selectPending(Note, 4))];
    await server.release('PATCH /notes/4', { json: note(4, { text: 'edited' }) });
    await edit;

    expect(before).toEqual([create.requestId, edit.requestId]);
    expect(between).toEqual([[], [edit.requestId]]);
    expect(read(resources.selectPending(Note, 4))).toEqual([]);
  });
});
