import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

const server = await serverOfFile();

class Note extends Entity {
  id = 0;
  title = '';
  text = '';
  votes = 0;
  version = 0;
  static override key = 'VersionedNote';
  static override version = 'version';
}
const NoteResource = createResource({
  urlPrefix: server.url,
  path: '/notes/:id',
  schema: Note,
  optimistic: true,
}).extend('vote', {
  urlPrefix: server.url,
  path: '/notes/:id/vote',
  method: 'POST',
  body: undefined,
  schema: Note,
  optimistic: (note) => {
    note.votes += 1;
  },
});
const note = (over: object = {}) => ({ id: 1, title: 'one', text: '', votes: 0, version: 1, ...over });

/** A store with a note of version 1. */
async function setupNotes() {
  const tools = setup();
  const { store, read, resources } = tools;
  server.answer('GET /notes', { json: [note()] });
  await store.dispatch(NoteResource.getList());
  server.forget();

  return { ...tools, note: () => read(resources.selectEntity(Note, 1)) };
}

describe('a class with a version', () => {
  it('keeps the answer with the greater one, whichever was asked for first', async () => {
    const { store, note: shown } = await setupNotes();

    const first = store.dispatch(NoteResource.get({ id: 1 }));
    await server.holding('GET /notes/1');
    const list = store.dispatch(NoteResource.getList());
    await server.release('GET /notes', { json: [note({ title: 'two', version: 2 })] });
    await list;
    await server.release('GET /notes/1', { json: note({ title: 'three', version: 3 }) });
    await first;
    expect(shown()?.title).toBe('three');
    const late = store.dispatch(NoteResource.getList());
    await server.release('GET /notes', { json: [note({ title: 'two', version: 2 })] });
    await late;

    expect([shown()?.title, shown()?.version]).toEqual(['three', 3]);
  });

  it.each([
    ['9', '10'],
    ['9007199254740993', '9007199254740994'],
    ['0099', '100'],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123Z'],
    ['2026-01-01T00:00:00.12Z', '2026-01-01T00:00:00.1234Z'],
    ['2026-01-01T00:00:00.123900+00:00', '2026-01-01T00:00:00.1239001Z'],
    ['2026-01-01T10:00:00+02:00', '2026-01-01T09:00:00Z'],
    ['Fri, 02 Jan 2026 00:00:00 GMT', 'Mon, 05 Jan 2026 00:00:00 GMT'],
    ['Wed, 31 Dec 2025 23:59:59 GMT', 'Thu, 01 Jan 2026 00:00:00 GMT'],
    ['01HZX0', '01HZX1'],
  ])('of texts knows %s for older than %s', async (older, newer) => {
    const { store, read, resources } = setup();
    server.answer('GET /notes/1', { json: note({ title: 'new', version: newer }) });
    await store.dispatch(NoteResource.get({ id: 1 }));
    server.answer('GET /notes', { json: [note({ title: 'old', version: older })] });

    await store.dispatch(NoteResource.getList());
    expect(read(resources.selectEntity(Note, 1))?.title).toBe('new');
    server.answer('GET /notes/1', { json: note({ title: 'old', version: older }) });
    store.dispatch(resources.reset());
    await store.dispatch(NoteResource.get({ id: 1 }));
    server.answer('GET /notes', { json: [note({ title: 'new', version: newer })] });
    await store.dispatch(NoteResource.getList());

    expect(read(resources.selectEntity(Note, 1))?.title).toBe('new');
  });

  it('keeps the greater one of messages, also where nothing else has told of the class', async () => {
    class Other extends Entity {
      id = 0;
      static override key = 'Other';
    }
    const others = createResource({ urlPrefix: server.url, path: '/others/:id', schema: Other });
    const { store, resources, read } = setup();
    const reading = store.dispatch(others.get({ id: 1 }));
    await server.holding('GET /others/1');

    for (const version of [5, 4])
      store.dispatch(resources.set(Note, note({ title: `of ${String(version)}`, version })));
    await server.release('GET /others/1', { json: { id: 1 } });
    await reading;

    expect(read(resources.selectEntity(Note, 1))).toMatchObject({ title: 'of 5', version: 5 });
  });

  it('takes texts that tell one time in two forms for one version', async () => {
    const { store, read, resources } = setup();
    server.answer('GET /notes/1', { json: note({ title: 'one', version: '2026-01-01T00:00:00.000Z' }) });
    await store.dispatch(NoteResource.get({ id: 1 }));
    server.answer('GET /notes', { json: [note({ title: 'two', version: '2026-01-01T01:00:00+01:00' })] });

    await store.dispatch(NoteResource.getList());

    expect(read(resources.selectEntity(Note, 1))?.title).toBe('two');
  });

  it('lets a detail complete a summary of the same version', async () => {
    const { store, note: shown } = await setupNotes();

    const detail = store.dispatch(NoteResource.get({ id: 1 }));
    await server.release('GET /notes/1', { json: note({ text: 'all of it' }) });
    await detail;

    expect(shown()?.text).toBe('all of it');
  });

  it('keeps what an answer without one has confirmed from an answer that was asked for before', async () => {
    const { store, note: shown } = await setupNotes();

    const read = store.dispatch(NoteResource.get({ id: 1 }));
    await server.holding('GET /notes/1');
    const edit = store.dispatch(NoteResource.partialUpdate({ id: 1 }, { title: 'mine' }));
    await server.release('PATCH /notes/1', { status: 204 });
    await edit;
    await server.release('GET /notes/1', { json: note({ title: 'theirs', text: 'new', version: 2 }) });
    await read;
    expect([shown()?.title, shown()?.text]).toEqual(['mine', 'new']);
    const later = store.dispatch(NoteResource.get({ id: 1 }));
    await server.release('GET /notes/1', { json: note({ title: 'mine', text: 'new', version: 3 }) });
    await later;

    expect([shown()?.title, shown()?.version]).toEqual(['mine', 3]);
  });

  it('counts no vote twice, and loses none, in whatever order they are answered', async () => {
    const { store, note: shown, watch, resources } = await setupNotes();
    const seen = watch((state) => resources.selectEntity(Note, 1)(state)?.votes);

    const votes = [store.dispatch(NoteResource.vote({ id: 1 })), store.dispatch(NoteResource.vote({ id: 1 }))];
    await server.holding('POST /notes/1/vote');
    const read = store.dispatch(NoteResource.get({ id: 1 }));
    await server.release('GET /notes/1', { json: note({ votes: 2, version: 3 }) });
    await read;
    expect(shown()?.votes).toBe(2);
    await server.release('POST /notes/1/vote', { json: note({ votes: 2, version: 3 }) });
    await server.release('POST /notes/1/vote', { json: note({ votes: 1, version: 2 }) });
    await Promise.all(votes);

    expect(seen).toEqual([0, 1, 2]);
    expect(shown()?.votes).toBe(2);
  });
});
