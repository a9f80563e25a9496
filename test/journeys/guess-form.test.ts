import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
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

  it('shows nothing in the envelope of the server, and is told of once', async () => {
    expectWarning(
      /getOptimisticResponse of Note\/wrapped gave .*nothing fits its schema.*the envelope "data", which process/s,
    );

    expect(await textsWith({ data: { id: 1, text: 'guess' } }, 'Note/wrapped')).toEqual([['one'], ['new']]);
  });

  it('shows nothing where nothing of it is known, and is told of', async () => {
    expectWarning(/getOptimisticResponse of Note\/odd gave .*likely it has an envelope too many/s);

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
