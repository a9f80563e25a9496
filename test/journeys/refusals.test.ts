import { createResource, Entity, type Request } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const server = await serverOfFile();

const Notes = createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note, optimistic: true }).extend(
  'getFull',
  { path: '/notes/:id/full' },
);
const id = { id: 1 };

/** A store with two lists' worth of notes, of which the first is shown in three ways. */
async function setupNotes() {
  const tools = setup();
  server.answer('GET /notes/1', { json: { id: 1, text: 'one' } });
  server.answer('GET /notes/1/full', { json: { id: 1, text: 'one' } });
  server.answer('GET /notes/2', { json: { id: 2, text: 'two' } });
  server.answer('GET /notes', {
    json: [
      { id: 1, text: 'one' },
      { id: 2, text: 'two' },
    ],
  });
  const { store, read } = tools;
  const requests: readonly Request[] = [Notes.get(id), Notes.getFull(id), Notes.get({ id: 2 }), Notes.getList()];
  for (const request of requests) await store.dispatch(request);
  server.forget();
  const isStale = () => ({
    detail: read(Notes.get.selectRequest(id)).isStale,
    full: read(Notes.getFull.selectRequest(id)).isStale,
    other: read(Notes.get.selectRequest({ id: 2 })).isStale,
    list: read(Notes.getList.selectRequest()).isStale,
  });

  return { ...tools, isStale };
}

describe.each([404, 410])('the refusal %i', (status) => {
  it('to a read of a row makes stale what else shows it', async () => {
    const { store, read, isStale } = await setupNotes();
    server.answer('GET /notes/1', { status });

    const { error } = await store.dispatch(Notes.get(id));

    expect(error?.status).toBe(status);
    expect(read(Notes.get.select(id))?.text).toBe('one');
    expect(isStale()).toEqual({ detail: false, full: true, other: false, list: true });
  });

  it('to an edit, or to a deletion, makes stale all that shows the row', async () => {
    const requests: readonly Request[] = [
      Notes.partialUpdate(id, { text: 'new' }),
      Notes.update(id, { text: 'new' }),
      Notes.delete(id),
    ];
    for (const request of requests) {
      const { store, isStale } = await setupNotes();
      server.answer(/\/notes\/1/, { status });

      expect((await store.dispatch(request)).error?.status).toBe(status);

      expect(isStale()).toEqual({ detail: true, full: true, other: false, list: true });
    }
  });

  it('lets subscribers see a row go that somebody else has deleted', async () => {
    const { store, read } = await setupNotes();
    store.dispatch(Notes.getList.subscribe());
    server.answer('DELETE /notes/1', { status });

    await store.dispatch(Notes.delete(id));
    await server.release('GET /notes', { json: [{ id: 2, text: 'two' }] });
    await store.dispatch(Notes.getList.ifStale());

    expect(read(Notes.getList.select())?.map((note) => note.id)).toEqual([2]);
  });

  it('does not have two reads of one row that is gone fetch each other for ever', async () => {
    const { store } = await setupNotes();
    server.answer(/\/notes\/1/, { status });
    store.dispatch(Notes.get.subscribe(id));
    store.dispatch(Notes.getFull.subscribe(id));

    await store.dispatch(Notes.get(id));
    for (let round = 0; round < 5; round++) await store.dispatch(Notes.getFull.ifStale(id));

    expect(server.received.length).toBeLessThan(5);
  });

  it('to a list, or to a create, tells of no row', async () => {
    const { store, isStale } = await setupNotes();
    server.answer(/\/notes/, { status });

    await store.dispatch(Notes.getList());
    await store.dispatch(Notes.getList.push({ text: 'new' }));

    expect(isStale()).toEqual({ detail: false, full: false, other: false, list: false });
  });
});

describe.each([409, 412])('the refusal %i', (status) => {
  it('to an edit makes the row stale, and takes the guess back', async () => {
    const { store, read, isStale } = await setupNotes();
    server.answer('PATCH /notes/1', { status });

    const { error } = await store.dispatch(Notes.partialUpdate(id, { text: 'mine' }));

    expect(error?.status).toBe(status);
    expect(read(Notes.get.select(id))?.text).toBe('one');
    expect(isStale()).toEqual({ detail: true, full: true, other: false, list: true });
  });

  it('has subscribers fetch what the server has in its place', async () => {
    const { store, read } = await setupNotes();
    store.dispatch(Notes.get.subscribe(id));
    server.answer('PATCH /notes/1', { status });

    await store.dispatch(Notes.partialUpdate(id, { text: 'mine' }));
    await server.release('GET /notes/1', { json: { id: 1, text: 'theirs' } });
    await store.dispatch(Notes.get.ifStale(id));

    expect(read(Notes.get.select(id))?.text).toBe('theirs');
  });

  it('to a read, or to a create, makes nothing stale', async () => {
    const { store, isStale } = await setupNotes();
    server.answer(/\/notes/, { status });

    await store.dispatch(Notes.get(id));
    await store.dispatch(Notes.getList.push({ text: 'new' }));

    expect(isStale()).toEqual({ detail: false, full: false, other: false, list: false });
  });
});

it('any other refusal leaves all as fresh as it was', async () => {
  const { store, isStale } = await setupNotes();
  server.answer(/\/notes\/1/, { status: 403 });

  await store.dispatch(Notes.get(id));
  await store.dispatch(Notes.partialUpdate(id, { text: 'new' }));
  await store.dispatch(Notes.delete(id));

  expect(isStale()).toEqual({ detail: false, full: false, other: false, list: false });
});
