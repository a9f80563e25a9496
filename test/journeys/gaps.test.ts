import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  title = '';
  text = 'empty';
  votes: number | null = 0;
  static override key = 'Note';
}

const server = await serverOfFile();
const Notes = createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note, optimistic: true });
const { get } = Notes;
const long = { id: 1, title: 'one', text: 'long', votes: 3 };
const id = { id: 1 };

async function loaded() {
  const tools = setup();
  const { store, read, resources } = tools;
  server.answer('GET /notes/1', { json: long });
  await store.dispatch(get(id));

  return { ...tools, note: () => read(resources.selectEntity(Note, 1)) };
}

describe('what process leaves out of the rows that it makes', () => {
  // A list without texts.
  const { getList } = Notes.extend({
    getList: {
      process: (value: unknown) =>
        (value as Partial<Note>[]).map(({ id: of, title, text }) => ({ id: of, title, text })),
    },
  });

  it('is no member of a list', async () => {
    const { store, read } = await loaded();
    server.answer('GET /notes', { json: [long, { id: 2, title: 'hidden' }, { id: 3, title: 'three' }] });
    const shown = Notes.getList.extend({
      process: (value: unknown) => (value as Note[]).map((one) => (one.title === 'hidden' ? undefined : one)),
    });

    const { payload } = await store.dispatch(shown());

    expect(read(shown.select())?.map(({ id: of }) => of)).toEqual([1, 3]);
    expect(payload).toHaveLength(2);
  });

  it('takes nothing away that is known, and leaves the default of the class', async () => {
    const { store, note, read, slice } = await loaded();
    server.answer('GET /notes', {
      json: [
        { id: 1, title: 'one' },
        { id: 2, title: 'two' },
      ],
    });

    const { payload } = await store.dispatch(getList());

    expect(note()).toMatchObject(long);
    expect(read(getList.select())?.map(({ text }) => text)).toEqual(['long', 'empty']);
    const { tables } = slice();
    expect([tables, payload]).toStrictEqual(JSON.parse(JSON.stringify([tables, payload])));
  });

  it('stays out of every page that is fetched again', async () => {
    const paged = getList.paginated({ next: (_answer, params) => ('page' in params ? undefined : { page: 2 }) });
    const { store, resources, note, read } = await loaded();
    server.answer('GET /notes', ({ query }) => ({ json: [query === '' ? { id: 1 } : { id: 2 }] }));
    await store.dispatch(paged());
    await store.dispatch(paged.getNextPage());

    store.dispatch(resources.expire(paged, {}));
    await store.dispatch(paged.ifStale({}));

    expect(note()?.text).toBe('long');
    expect(read(paged.select())?.map(({ text }) => text)).toEqual(['long', 'empty']);
  });
});

describe.each([NaN, Infinity, -Infinity])('%s, which JSON has not', (odd) => {
  it('is sent, shown and confirmed as null', async () => {
    const { store, note } = await loaded();
    server.answer('PATCH /notes/1', { status: 204 });

    const editing = store.dispatch(Notes.partialUpdate(id, { votes: odd }));
    const during = note()?.votes;
    await editing;

    expect(server.received.at(-1)?.body).toEqual({ votes: null });
    expect([during, note()?.votes]).toEqual([null, null]);
  });

  it('is null in a row and in an answer that are written by hand', async () => {
    const { store, resources, note } = await loaded();

    store.dispatch(resources.set(Note, { id: 1, votes: odd }));
    const set = note()?.votes;
    store.dispatch(resources.setResponse(get, id, { ...long, votes: odd }));

    expect([set, note()?.votes]).toEqual([null, null]);
  });

  it('is null where process makes it', async () => {
    const { store, note } = await loaded();
    const counted = get.extend({
      name: 'Note/counted',
      process: (value: unknown) => ({ ...(value as object), votes: odd }),
    });

    const { payload } = await store.dispatch(counted(id));

    expect([note()?.votes, payload]).toEqual([null, { ...long, votes: null }]);
  });

  it('is refused where a recipe by hand makes it', async () => {
    const { store, resources, note } = await loaded();
    const recipe = (draft: { votes: number | null }): undefined => {
      draft.votes = odd;
    };

    const set = (): void => {
      store.dispatch(resources.set(Note, id, recipe));
    };

    expect(set).toThrow(`set votes to ${String(odd)}`);
    expect(() => store.dispatch(resources.patch(Note, id, recipe))).toThrow(`set votes to ${String(odd)}`);
    expect(note()?.votes).toBe(3);
  });
});
