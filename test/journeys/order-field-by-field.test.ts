import { createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startServer } from '../support/server.js';
import { expectIdle, setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  color = '';
  static override key = 'Note';
}

const server = await startServer();
afterAll(() => server.close());
afterEach(() => {
  server.forget();
});

const searchParams: { folder?: string } = {};
const Notes = createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note, searchParams });

const note = (id: number, fields: object = {}): object => ({ id, text: `n${id}`, color: 'red', ...fields });
const ok = (json: unknown): { json: unknown } => ({ json });

/** A store that has fetched notes 1 and 2. */
async function setupNotes() {
  const tools = setup();
  const first = tools.store.dispatch(Notes.getList());
  await server.release('GET /notes', ok([note(1), note(2)]));
  await first.unwrap();

  return {
    ...tools,
    one: (id: number): Note | undefined => tools.read(Notes.get.select({ id })),
    ids: () => tools.read(Notes.getList.select())?.map(({ id }) => id),
  };
}

describe('writes that overlap', () => {
  it('leave a field that all of them name to the last, in whatever order they are answered', async () => {
    const { store, one } = await setupNotes();
    const edits = ['first', 'second', 'third'].map((text) => store.dispatch(Notes.partialUpdate({ id: 1 }, { text })));

    for (const [text, edit] of [
      ['third', edits[2]],
      ['first', edits[0]],
      ['second', edits[1]],
    ] as const) {
      await server.release(new RegExp(`"${text}"`), ok(note(1, { text })));
      await edit;
    }

    expect(one(1)?.text).toBe('third');
  });
});

describe('a write whose edit a poll has shown before it is answered', () => {
  it('confirms what the server has made of it', async () => {
    const { store, one } = await setupNotes();
    const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'edited' }));
    const poll = store.dispatch(Notes.getList());

    await server.release('GET /notes', ok([note(1, { text: 'edited' }), note(2)]));
    await poll;
    await server.release('PATCH /notes/1', ok(note(1, { text: 'Edited.' })));
    await edit;

    expect(one(1)?.text).toBe('Edited.');
  });
});

describe('a poll that was sent just before a write settled', () => {
  /** More rows than are remembered without a look at which of them can be forgotten. */
  const many = Array.from({ length: 300 }, (_, i) => note(i + 10));

  it('does not take back what that confirmed, however much else has come meanwhile', async () => {
    const { store, one, slice } = await setupNotes();
    const others = store.dispatch(Notes.getList({ folder: 'others' }));
    const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'edited' }));
    const poll = store.dispatch(Notes.getList());

    await server.release('GET /notes?folder=others', ok(many));
    await others;
    await server.release('PATCH /notes/1', ok(note(1, { text: 'edited' })));
    await edit;
    await server.release('GET /notes', ok([note(1), note(2)]));
    await poll;

    expect(one(1)?.text).toBe('edited');
    expectIdle(slice());
  });

  it('does not lose what that created, however much else has come meanwhile', async () => {
    const { store, ids, slice } = await setupNotes();
    const others = store.dispatch(Notes.getList({ folder: 'others' }));
    const create = store.dispatch(Notes.getList.push({}, { text: 'new' }));
    const poll = store.dispatch(Notes.getList());

    await server.release('GET /notes?folder=others', ok(many));
    await others;
    await server.release('POST /notes', ok(note(3, { text: 'new' })));
    await create;
    await server.release('GET /notes', ok([note(1), note(2)]));
    await poll;

    expect(ids()).toEqual([1, 2, 3]);
    expectIdle(slice());
  });
});

describe('an item that is moved, and deleted before the move is answered', () => {
  it('is in no list, also when the row is there again', async () => {
    const { store, one, slice, resources, read } = await setupNotes();
    const inFolder = { folder: 'b' };
    const loading = store.dispatch(Notes.getList(inFolder));
    await server.release('GET /notes', ok([note(4, inFolder)]));
    await loading;
    const move = store.dispatch(Notes.getList.move({ id: 1 }, inFolder));
    const deletion = store.dispatch(Notes.delete({ id: 1 }));

    await server.release('DELETE /notes/1');
    await deletion;
    await server.release('PATCH /notes/1', ok(note(1, inFolder)));
    await move;
    const again = store.dispatch(Notes.get({ id: 1 }));
    await server.release('GET /notes/1', ok(note(1)));
    await again;

    expect(one(1)).toBeDefined();
    expect(read(resources.select(Notes.getList, inFolder))?.map(({ id }) => id)).toEqual([4]);
    expectIdle(slice());
  });
});

describe('a read that tells what is gone', () => {
  const changes = new RestEndpoint({
    urlPrefix: server.url,
    path: '/changes',
    name: 'changes',
    schema: { gone: [new schema.Invalidate(Note)] },
  });

  it('takes nothing away that a later answer has brought', async () => {
    const { store, one, slice } = await setupNotes();
    const told = store.dispatch(changes());
    const later = store.dispatch(Notes.get({ id: 1 }));

    await server.release('GET /notes/1', ok(note(1, { text: 'there again' })));
    await later;
    await server.release('GET /changes', ok({ gone: [{ id: 1 }, { id: 2 }] }));
    await told;

    expect(one(1)?.text).toBe('there again');
    expect(one(2)).toBeUndefined();
    expectIdle(slice());
  });
});
