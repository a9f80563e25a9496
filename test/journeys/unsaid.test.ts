import { configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, schema } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile, type Reply } from '../support/server.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Tag extends Entity {
  id = 0;
  name = '';
  static override key = 'Tag';
}
class Author extends Entity {
  id = 0;
  name = '';
  static override key = 'Author';
}
class Note extends Entity {
  id = 0;
  title = '';
  text = '';
  tags: Tag[] = [];
  author?: Author = undefined;
  age = 0;
  isPinned = false;
  labels: string[] = [];
  at = new Date(0);
  avatar = '';
  rating?: number | string = undefined;
  static override key = 'Note';
  static override schema = { tags: [Tag], author: Author, at: (iso: string) => new Date(iso) };
}

const server = await serverOfFile();
const body = {} as unknown as Record<string, unknown>;
const made = (optimistic: boolean) =>
  createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note, optimistic }).extend((base) => ({
    partialUpdate: base.partialUpdate.extend({ body }),
    push: base.getList.push.extend({ body }),
  }));
const Notes = made(true);
const id = { id: 1 };
const before = {
  ...{ id: 1, title: 'one', text: 'long', tags: [{ id: 5, name: 'old' }], author: { id: 8, name: 'Ada' } },
  ...{ age: 30, isPinned: true, labels: ['a'], at: '2026-01-05T00:00:00.000Z', avatar: '/old.png', rating: 3 },
};

async function loaded(): Promise<ReturnType<typeof tools>> {
  const all = tools();
  server.answer('GET /notes', { json: [before] });
  server.answer('GET /notes/1', { json: before });
  await all.store.dispatch(Notes.getList());
  await all.store.dispatch(Notes.get(id));

  return all;
}
function tools() {
  const all = setup();
  const { read } = all;

  return {
    ...all,
    list: () => read(Notes.getList.select()) ?? [],
    note: () => read(Notes.get.select(id)),
    isStale: () => read(Notes.get.selectRequest(id)).isStale,
    isListStale: () => read(Notes.getList.selectRequest()).isStale,
  };
}
const tagsOf = (note: Note | undefined) => note?.tags.map(({ name }) => name);

function form(fields: Readonly<Record<string, string | Blob | readonly (string | Blob)[]>>): FormData {
  const data = new FormData();
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) data.append(name, value);

  return data;
}

describe.each([true, false])(
  'a field that is sent in another form than the schema has (optimistic: %s)',
  (optimistic) => {
    const { partialUpdate, push } = made(optimistic);
    const sent = { title: 'T', tags: 'a,b' };

    it.each<[string, Reply]>([
      ['nothing', { status: 204 }],
      ['{ ok: true }', { json: { ok: true } }],
      ['a summary', { json: { id: 1, title: 'T' } }],
    ])(
      'makes no edit a failure that is answered with %s: it stays as it was, and is asked for again',
      async (_, reply) => {
        const { store, note, isStale } = await loaded();
        server.answer('PATCH /notes/1', reply);

        const edit = store.dispatch(partialUpdate(id, sent));
        const during = note();
        await edit.unwrap();

        expect([during?.title, tagsOf(during)]).toEqual([optimistic ? 'T' : 'one', ['old']]);
        expect([note()?.title, tagsOf(note()), isStale()]).toEqual(['T', ['old'], true]);
      },
    );

    it('is what the answer says, if that mentions it', async () => {
      const { store, note, isStale } = await loaded();
      server.answer('PATCH /notes/1', { json: { id: 1, tags: [{ id: 6, name: 'a' }] } });

      await store.dispatch(partialUpdate(id, sent)).unwrap();

      expect([note()?.title, tagsOf(note()), isStale()]).toEqual(['T', ['a'], false]);
    });

    it.each<[string, Reply]>([
      ['an id', { json: { id: 7, success: true } }],
      ['nothing', { status: 204 }],
    ])('makes no create a failure that is answered with %s: its list is asked for again', async (_, reply) => {
      const { store, list, isListStale } = await loaded();
      server.answer('POST /notes', reply);

      const creation = store.dispatch(push({}, sent));
      const during = list().map(({ title, tags }) => [title, tags.length]);
      await creation.unwrap();

      expect(during).toEqual(
        optimistic
          ? [
              ['one', 1],
              ['T', 0],
            ]
          : [['one', 1]],
      );
      expect(list()[1]?.title).toBe(reply.json ? 'T' : undefined);
      expect(isListStale()).toBe(true);
    });

    it.each<[string, object, Reply]>([
      ['a nested row without an id', { author: { name: 'New' } }, { status: 204 }],
      ['one in a list', { tags: [{ name: 'New' }] }, { json: { id: 1 } }],
    ])('may be %s: what was there stays, and is asked for again', async (_, fields, reply) => {
      const { store, note, isStale } = await loaded();
      server.answer('PATCH /notes/1', reply);

      const edit = store.dispatch(partialUpdate(id, { title: 'T', ...fields }));
      const shown = [note()];
      await edit.unwrap();
      shown.push(note());

      expect(shown.map((one) => [one?.author?.name, tagsOf(one)])).toEqual([
        ['Ada', ['old']],
        ['Ada', ['old']],
      ]);
      expect(shown[1]?.author).toBeInstanceOf(Author);
      expect([note()?.title, isStale()]).toEqual(['T', true]);
    });
  },
);

it('a field that process of the class puts into its form is shown, and confirmed', async () => {
  class Book extends Entity {
    id = 0;
    tags: Tag[] = [];
    static override key = 'Book';
    static override schema = { tags: [Tag] };
    static override process({ tags, ...input }: Record<string, unknown>) {
      return {
        ...input,
        tags: typeof tags === 'string' ? tags.split(',').map((tag) => ({ id: tag, name: tag })) : tags,
      };
    }
  }
  const Books = createResource({ urlPrefix: server.url, path: '/books/:id', schema: Book, optimistic: true });
  const edit = Books.partialUpdate.extend({ body });
  const { store, resources, read } = setup();
  store.dispatch(resources.set(Book, { id: 1 }));
  server.answer('PATCH /books/1', { status: 204 });
  const tags = () => read(resources.selectEntity(Book, 1))?.tags.map(({ name }) => name);

  const editing = store.dispatch(edit(id, { tags: 'a,b' }));
  const during = tags();
  await editing.unwrap();

  expect([during, tags()]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
});

it('a row of several classes that is sent in another form than its schema, and answered with nothing, is asked for again', async () => {
  const Feed = createResource({
    ...{ urlPrefix: server.url, path: '/feed/:id', optimistic: true, name: 'Feed' },
    schema: new schema.Union({ note: Note }, () => 'note'),
  });
  const edit = Feed.partialUpdate.extend({ body });
  expectWarning(/is not shown before its answer/);
  const { store, read } = setup();
  server.answer('GET /feed/1', { json: before });
  server.answer('PATCH /feed/1', { status: 204 });
  await store.dispatch(Feed.get(id));

  await store.dispatch(edit(id, { tags: 'a,b' })).unwrap();

  expect(tagsOf(read(Feed.get.select(id)))).toEqual(['old']);
  expect(read(Feed.get.selectRequest(id)).isStale).toBe(true);
});

describe('a form', () => {
  const file = new File(['1234'], 'a.png', { type: 'image/png' });
  /** What of the row is not a text stays as it was. */
  const rest = { avatar: '/old.png', age: 30, isPinned: true, labels: ['a'], at: new Date(before.at), rating: 3 };
  const fields = {
    ...{ title: 'T', avatar: file, age: '5', isPinned: 'false', labels: 'b', at: 'soon', rating: '4' },
    ...{ tags: file, author: file },
  };

  it.each<[string, Reply]>([
    ['nothing', { status: 204 }],
    ['a summary', { json: { id: 1 } }],
  ])('says something of the texts of a row alone; the rest is asked for again after %s', async (_, reply) => {
    const { store, note, isStale } = await loaded();
    server.answer('PATCH /notes/1', reply);

    const editing = store.dispatch(Notes.partialUpdate(id, form(fields) as never));
    const shown = [note()];
    await editing.unwrap();
    shown.push(note());

    for (const one of shown) {
      expect(one).toMatchObject({ title: 'T', text: 'long', ...rest });
      expect([one?.author?.name, tagsOf(one)]).toEqual(['Ada', ['old']]);
    }
    expect(isStale()).toBe(true);
  });

  it('of texts alone is confirmed by an answer that does not mention them', async () => {
    const { store, note, isStale } = await loaded();
    server.answer('PATCH /notes/1', { json: { id: 1, rating: 3 } });

    await store.dispatch(Notes.partialUpdate(id, form({ title: 'T', text: '5' }) as never)).unwrap();

    expect([note()?.title, note()?.text, isStale()]).toEqual(['T', '5', false]);
  });

  it('creates a row with its texts, and has its list asked for again', async () => {
    const { store, list, isListStale } = await loaded();
    server.answer('POST /notes', { json: { id: 9, text: 'N' } });

    const creation = store.dispatch(Notes.push({}, form({ ...fields, labels: ['b', 'c'] }) as never));
    const shown = [list()[1]];
    await creation.unwrap();
    shown.push(list()[1]);

    for (const one of shown) {
      expect(one).toMatchObject({ title: 'T', avatar: '', age: 0, isPinned: false, labels: [], at: new Date(0) });
      expect([one?.author, one?.tags]).toEqual([undefined, []]);
    }
    expect(isListStale()).toBe(true);
  });

  it('may be the parameters of an address', async () => {
    const { store, note } = await loaded();
    server.answer('PATCH /notes/1', { status: 204 });

    await store.dispatch(Notes.partialUpdate(id, new URLSearchParams({ title: 'T', age: '5' }) as never));

    expect(note()).toMatchObject({ title: 'T', age: 30 });
  });
});

it('files in a body that the user makes a form of say nothing of their fields', async () => {
  const file = new File(['1234'], 'a.png');
  const upload = Notes.partialUpdate.extend({
    getRequestInit: () => ({ method: 'PATCH', body: form({ avatar: file }) }),
  });
  const { store, note, isStale } = await loaded();
  server.answer('PATCH /notes/1', { json: { id: 1 } });

  const editing = store.dispatch(upload(id, { title: 'T', avatar: file, labels: [file] }));
  const during = note();
  await editing.unwrap();

  for (const one of [during, note()]) expect(one).toMatchObject({ title: 'T', avatar: '/old.png', labels: ['a'] });
  expect(isStale()).toBe(true);
});

describe('a class that computes fields of others', () => {
  class Person extends Entity {
    id = 0;
    first = '';
    last = '';
    full = '';
    tags: Tag[] = [];
    static override key = 'Person';
    static override schema = { tags: [Tag] };
    static override process(input: { first: string; last: string }) {
      return { ...input, full: `${input.first.trim()} ${input.last.trim()}` };
    }
  }
  const People = createResource({ urlPrefix: server.url, path: '/people/:id', schema: Person, optimistic: true });

  it('is asked about each nested field beside the others: what fits is shown, and the write is sent', async () => {
    const { store, read } = setup();
    server.answer('GET /people/1', { json: { id: 1, first: 'A', last: 'B', tags: [] } });
    await store.dispatch(People.get(id));
    const update = People.update.extend({ body });

    const saving = store.dispatch(update(id, { first: 'C', last: 'D', tags: [{ name: 'new' }] }));
    expect(read(People.get.select(id))).toMatchObject({ first: 'C', last: 'D' });
    const { body: sent } = await server.holding('PUT /people/1');
    await server.release('PUT /people/1', {
      json: { id: 1, first: 'C', last: 'D', tags: [{ id: 7, name: 'new' }] },
    });
    await saving;

    expect(sent).toMatchObject({ tags: [{ name: 'new' }] });
    expect(tagsOf(read(People.get.select(id)) as unknown as Note)).toEqual(['new']);
  });
});

describe('a file or a text of a form', () => {
  it('makes stale the row that has the field, also where its class names no fields', async () => {
    class Loose extends Entity {
      declare id: number;
      declare avatar: string;
      static override key = 'Loose';
    }
    const Loosely = createResource({ urlPrefix: server.url, path: '/loose/:id', schema: Loose });
    const { store, read } = setup();
    server.answer('GET /loose/1', { json: { id: 1, avatar: '/old' } });
    await store.dispatch(Loosely.get(id));
    server.answer('PATCH /loose/1', { json: { id: 1 } });
    const upload = Loosely.partialUpdate.extend({ body: {} as FormData });

    await store.dispatch(upload(id, form({ avatar: new Blob(['x']) })));

    expect(read(Loosely.get.select(id))?.avatar).toBe('/old');
    expect(read(Loosely.get.selectRequest(id)).isStale).toBe(true);
  });

  it('says nothing of a field whose default, null, does not tell of what type it is', async () => {
    class Score extends Entity {
      id = 0;
      score: number | null = null;
      note = '';
      static override key = 'Score';
    }
    const Scores = createResource({ urlPrefix: server.url, path: '/scores/:id', schema: Score, optimistic: true });
    const { store, read } = setup();
    server.answer('GET /scores/1', { json: { id: 1, score: null, note: '' } });
    await store.dispatch(Scores.get(id));
    server.answer('PATCH /scores/1', { json: { id: 1 } });
    const save = Scores.partialUpdate.extend({ body: {} as FormData });

    await store.dispatch(save(id, form({ score: '5', note: 'good' })));

    expect(read(Scores.get.select(id))).toMatchObject({ score: null, note: 'good' });
    expect(read(Scores.get.selectRequest(id)).isStale).toBe(true);
  });

  it('is no failure where the answer is too deep to be read for it', async () => {
    const resources = configureResources();
    // RTK's checks do not read so deep either.
    const store = configureStore({
      reducer: { resources: resources.reducer },
      middleware: (getDefault) =>
        getDefault({ serializableCheck: false, immutableCheck: false }).concat(resources.middleware),
    });
    store.dispatch(resources.set(Note, before));
    const deep = '['.repeat(8_000) + ']'.repeat(8_000);
    const headers = { 'content-type': 'application/json' };
    server.answer('PATCH /notes/1', { text: `{"id":1,"deep":${deep}}`, headers });

    const { error } = await store.dispatch(made(false).partialUpdate(id, { tags: 'a,b' }));

    expect(error).toBeUndefined();
  });
});
