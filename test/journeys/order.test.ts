import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { expectIdle, setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  color = '';
  folder = '';
  static override key = 'Note';
}

const server = await serverOfFile();

const searchParams: { folder?: string } = {};
const options = {
  urlPrefix: server.url,
  path: '/notes/:id',
  schema: Note,
  searchParams,
  paginationField: 'page',
} as const;
const Plain = createResource(options);
const Notes = createResource({ ...options, optimistic: true });

const note = (id: number, fields: object = {}): object => ({
  id,
  text: `n${String(id)}`,
  color: 'red',
  folder: '',
  ...fields,
});
const ok = (json: unknown): { json: unknown } => ({ json });

/** A store that has fetched notes 1 and 2, and no answer waiting. */
async function setupNotes(resource: typeof Plain = Plain) {
  const tools = setup();
  const first = tools.store.dispatch(resource.getList());
  await server.release('GET /notes', ok([note(1), note(2)]));
  await first.unwrap();
  const list = (): readonly Note[] => tools.read(resource.getList.select()) ?? [];
  const one = (id: number): Note | undefined => tools.read(resource.get.select({ id }));

  return { ...tools, list, one, ids: () => list().map(({ id }) => id), texts: () => list().map(({ text }) => text) };
}

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

describe('a read that started before a write settled', () => {
  it('does not take back what the write confirmed', async () => {
    const { store, one, slice } = await setupNotes();
    const poll = store.dispatch(Plain.getList());
    const edit = store.dispatch(Plain.partialUpdate({ id: 1 }, { text: 'edited' }));

    await server.release('PATCH /notes/1', ok(note(1, { text: 'edited' })));
    await edit.unwrap();
    await server.release('GET /notes', ok([note(1), note(2, { text: 'news' })]));
    await poll.unwrap();

    expect(one(1)?.text).toBe('edited');
    expect(one(2)?.text).toBe('news');
    expectIdle(slice());
  });

  it('does not bring back what was deleted', async () => {
    const { store, ids, one, slice } = await setupNotes();
    const poll = store.dispatch(Plain.getList());
    const removal = store.dispatch(Plain.delete({ id: 1 }));

    await server.release('DELETE /notes/1', { status: 204 });
    await removal.unwrap();
    await server.release('GET /notes', ok([note(1), note(2)]));
    await poll.unwrap();

    expect(ids()).toEqual([2]);
    expect(one(1)).toBeUndefined();
    expectIdle(slice());
  });

  it('does not lose what was created', async () => {
    const { store, ids } = await setupNotes();
    const poll = store.dispatch(Plain.getList());
    const create = store.dispatch(Plain.getList.push({}, { text: 'new' }));

    await server.release('POST /notes', ok(note(3)));
    await create.unwrap();
    await server.release('GET /notes', ok([note(1), note(2)]));
    await poll.unwrap();

    expect(ids()).toEqual([1, 2, 3]);
  });
});

describe('a read that is overtaken by a later one', () => {
  it('changes nothing that the later one told', async () => {
    const { store, one, ids } = await setupNotes();
    const early = store.dispatch(Plain.getList());
    const late = store.dispatch(Plain.get({ id: 1 }));

    await server.release('GET /notes/1', ok(note(1, { text: 'latest' })));
    await late.unwrap();
    await server.release('GET /notes', ok([note(1, { text: 'older' }), note(2, { text: 'older' }), note(4)]));
    await early.unwrap();

    expect([one(1)?.text, one(2)?.text]).toEqual(['latest', 'older']);
    expect(ids()).toEqual([1, 2, 4]);
  });
});

describe('two writes that overlap', () => {
  it.each([
    ['the first', ['PATCH /notes/1 {"text":"edited"}', 'PATCH /notes/1 {"color":"blue"}']],
    ['the second', ['PATCH /notes/1 {"color":"blue"}', 'PATCH /notes/1 {"text":"edited"}']],
  ] as const)('each decide the field that they name, when %s is answered first', async (_, order) => {
    const { store, one } = await setupNotes();
    const text = store.dispatch(Plain.partialUpdate({ id: 1 }, { text: 'edited' }));
    const color = store.dispatch(Plain.partialUpdate({ id: 1 }, { color: 'blue' }));
    const replies = { [order[0]]: 0, [order[1]]: 1 };

    for (const line of Object.keys(replies)) {
      const isText = line.includes('text');
      await server.release(
        isText ? /PATCH \/notes\/1 .*text/ : /PATCH \/notes\/1 .*color/,
        ok(isText ? note(1, { text: 'edited' }) : note(1, { color: 'blue' })),
      );
      await (isText ? text : color);
    }

    expect(one(1)).toMatchObject({ text: 'edited', color: 'blue' });
  });

  it('leave the field that both name to the one that started later', async () => {
    const { store, one } = await setupNotes();
    const first = store.dispatch(Plain.partialUpdate({ id: 1 }, { text: 'first' }));
    const second = store.dispatch(Plain.partialUpdate({ id: 1 }, { text: 'second' }));

    await server.release(/second/, ok(note(1, { text: 'second' })));
    await second;
    await server.release(/first/, ok(note(1, { text: 'first' })));
    await first;

    expect(one(1)?.text).toBe('second');
  });
});

describe('a poll while an edit is pending', () => {
  it('leaves the edit shown, and lands under it', async () => {
    const { store, one } = await setupNotes(Notes);
    const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'edited' }));
    const poll = store.dispatch(Notes.getList());

    await server.release('GET /notes', ok([note(1, { color: 'green' }), note(2)]));
    await poll;
    const during = one(1);
    await server.release('PATCH /notes/1', { status: 500, json: {} });
    await edit;

    expect(during).toMatchObject({ text: 'edited', color: 'green' });
    expect(one(1)).toMatchObject({ text: 'n1', color: 'green' });
  });

  it('shows an item that is being created once, whether the server has it already or not', async () => {
    const { store, ids, texts, watch } = await setupNotes(Notes);
    const lengths = watch((state) => Notes.getList.select()(state)?.length);
    const create = store.dispatch(Notes.getList.push({}, { text: 'new' }));
    const poll = store.dispatch(Notes.getList());

    await server.release('GET /notes', ok([note(1), note(2), note(3, { text: 'new' })]));
    await poll;
    const during = texts();
    await server.release('POST /notes', ok(note(3, { text: 'new' })));
    await create;

    expect(during).toEqual(['n1', 'n2', 'new']);
    expect(ids()).toEqual([1, 2, 3]);
    expect(lengths).toEqual([2, 3]);
  });

  it('hides the most alike of the new items alone', async () => {
    const { store, texts } = await setupNotes(Notes);
    const create = store.dispatch(Notes.getList.push({}, { text: 'new', color: 'red', folder: '' }));
    const poll = store.dispatch(Notes.getList());

    await server.release('GET /notes', ok([note(1), note(2), note(3), note(4, { text: 'new' }), note(5)]));
    await poll;
    const during = texts();
    await server.release('POST /notes', ok(note(4, { text: 'new' })));
    await create;

    expect([during, texts()]).toEqual([
      ['n1', 'n2', 'n3', 'n5', 'new'],
      ['n1', 'n2', 'n3', 'new', 'n5'],
    ]);
  });

  it('hides as many new items as are being created with the same text, whichever is answered first', async () => {
    const { store, ids, texts, watch } = await setupNotes(Notes);
    const lengths = watch((state) => Notes.getList.select()(state)?.length);
    const creates = ['ok', 'ok'].map((text) => store.dispatch(Notes.getList.push({}, { text })));
    const poll = store.dispatch(Notes.getList());
    const [third, fourth] = [note(3, { text: 'ok' }), note(4, { text: 'ok' })];

    await server.release('GET /notes', ok([note(1), note(2), third, fourth]));
    await poll;
    const during = texts();
    await server.release('POST /notes', ok(fourth));
    await server.release('POST /notes', ok(third));
    await Promise.all(creates);

    expect(during).toEqual(['n1', 'n2', 'ok', 'ok']);
    expect(ids()).toEqual([1, 2, 3, 4]);
    expect(lengths).toEqual([2, 3, 4]);
  });

  it('hides no more new items than are being created, though other people have written the same', async () => {
    const { store, texts } = await setupNotes(Notes);
    const creates = ['hello', 'ok'].map((text) => store.dispatch(Notes.getList.push({}, { text })));
    const poll = store.dispatch(Notes.getList());
    const others = ['hello', 'ok', 'hello', 'ok'].map((text, i) => note(3 + i, { text }));

    await server.release('GET /notes', ok([note(1), note(2), ...others]));
    await poll;

    expect([...texts()].sort()).toEqual(['hello', 'hello', 'n1', 'n2', 'ok', 'ok']);
    for (const made of others.slice(0, 2)) await server.release('POST /notes', ok(made));
    await Promise.all(creates);
  });

  it.each([
    ['an array', [{ text: 'new' }, { text: 'newer' }], ['new', 'newer']],
    ['a form', formOf({ text: 'new' }), ['new']],
  ])('shows once what is created with %s', async (_, body, sent) => {
    const { store, texts } = await setupNotes(Notes);
    const create = store.dispatch(Notes.getList.push({}, body as never));
    const poll = store.dispatch(Notes.getList());
    const made = sent.map((text, i) => note(3 + i, { text }));

    await server.release('GET /notes', ok([note(1), note(2), ...made]));
    await poll;

    expect(texts()).toEqual(['n1', 'n2', ...sent]);
    await server.release('POST /notes', ok(Array.isArray(body) ? made : made[0]));
    await create;
    expect(texts()).toEqual(['n1', 'n2', ...sent]);
  });

  it('does not show again what was created and is gone by now, though the answer to the create is the last', async () => {
    const { store, ids, slice } = await setupNotes();
    const create = store.dispatch(Plain.getList.push({}, { text: 'new' }));
    for (const there of [
      [note(1), note(2), note(3, { text: 'new' })],
      [note(1), note(2)],
    ]) {
      const poll = store.dispatch(Plain.getList());
      await server.release('GET /notes', ok(there));
      await poll;
    }
    await server.release('POST /notes', ok(note(3, { text: 'new' })));
    await create;

    expect(ids()).toEqual([1, 2]);
    expectIdle(slice());
  });

  it('lands as it is when the create fails that it waited for', async () => {
    const { store, ids, slice } = await setupNotes(Notes);
    const create = store.dispatch(Notes.getList.push({}, { text: 'new' }));
    const poll = store.dispatch(Notes.getList());

    await server.release('GET /notes', ok([note(2), note(5)]));
    await poll;
    await server.release('POST /notes', { status: 500, json: {} });
    await create;

    expect(ids()).toEqual([2, 5]);
    expectIdle(slice());
  });
});

describe('pages', () => {
  it('stand in the order in which they were asked for', async () => {
    const { store, ids } = await setupNotes();
    const second = store.dispatch(Plain.getList.getPage({ page: 2 }));
    const third = store.dispatch(Plain.getList.getPage({ page: 3 }));

    await server.release('GET /notes?page=3', ok([note(5), note(6)]));
    await third;
    await server.release('GET /notes?page=2', ok([note(3), note(4)]));
    await second;

    expect(ids()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('that are read again alone give back a row that another brings', async () => {
    const { store, ids } = await setupNotes();
    const page = async (page: number, ...rows: readonly object[]) => {
      const reading = store.dispatch(Plain.getList.getPage({ page }));
      await server.release(`GET /notes?page=${page}`, ok(rows));
      await reading;
    };
    await page(2, note(3), note(4));

    await page(2, note(4), note(5));
    expect(ids()).toEqual([1, 2, 4, 5, 3]);
    await page(1, note(2), note(3));

    expect(ids()).toEqual([2, 3, 1, 4, 5]);
  });

  it('leave a row where another has brought it, when the one on which it stood lacks it', async () => {
    const { store, read } = setup();
    const page = async (page: number, ...ids: readonly number[]) => {
      const reading = store.dispatch(Plain.getList.getPage({ page }));
      await server.release(`GET /notes?page=${page}`, ok(ids.map((id) => note(id))));
      await reading;
      return read(Plain.getList.select())?.map(({ id }) => id);
    };
    await page(2, 3, 4);
    const previous = store.dispatch(Plain.getList.getPreviousPage());
    await server.release('GET /notes?page=1', ok([note(2), note(4)]));
    await previous;

    expect(await page(3)).toEqual([2, 3, 4]);
    expect(await page(2, 5)).toEqual([2, 4, 5, 3]);
  });

  it('leave out what was removed before the first of them came, also where the list was asked for earlier', async () => {
    const { store, read } = setup();
    const list = store.dispatch(Plain.getList());
    await server.holding('GET /notes');
    const removing = store.dispatch(Plain.getList.remove({}, { id: 1 }));
    await server.release('PATCH /notes', ok(note(1)));
    await removing;
    const page = store.dispatch(Plain.getList.getPage({ page: 2 }));
    await server.release('GET /notes?page=2', ok([note(3)]));
    await page;
    await server.release('GET /notes', ok([note(1), note(2)]));
    await list;

    expect(read(Plain.getList.select())?.map(({ id }) => id)).toEqual([2, 3]);
  });

  it('show a row where they bring it that a move has put into the list, though it may be what is being created', async () => {
    const { store, ids } = await setupNotes(Notes);
    const create = store.dispatch(Notes.getList.push({}, { text: 'n3', color: 'red' }));
    const page = store.dispatch(Notes.getList.getPage({ page: 2 }));
    const move = store.dispatch(Notes.getList.move({ id: 3 }, { text: 'n3' }));
    await server.release('GET /notes?page=2', ok([note(3), note(4)]));
    await page;

    expect(ids().slice(0, 4)).toEqual([1, 2, 3, 4]);
    await server.release('POST /notes', ok(note(5)));
    await server.release('PATCH /notes/3', ok(note(3)));
    await Promise.all([create, move]);
    expect(ids()).toEqual([1, 2, 3, 4, 5]);
  });

  it('show a row where they brought it when the user moves it, though it was hidden as what may be being created', async () => {
    const { store, ids } = await setupNotes(Notes);
    const create = store.dispatch(Notes.getList.push({}, { text: 'n3', color: 'red' }));
    const page = store.dispatch(Notes.getList.getPage({ page: 2 }));
    await server.release('GET /notes?page=2', ok([note(3), note(4)]));
    await page;
    expect(ids().slice(0, 3)).toEqual([1, 2, 4]);

    const move = store.dispatch(Notes.getList.move({ id: 3 }, { text: 'n3' }));

    expect(ids().slice(0, 4)).toEqual([1, 2, 3, 4]);
    await server.release('PATCH /notes/3', { status: 500, json: {} });
    await move;
    expect(ids().slice(0, 3)).toEqual([1, 2, 4]);
    await server.release('POST /notes', ok(note(5)));
    await create;
    expect(ids()).toEqual([1, 2, 3, 4, 5]);
  });

  it('are added again to an answer of the whole list that they overtook', async () => {
    const { store, ids } = await setupNotes();
    const whole = store.dispatch(Plain.getList());
    const page = store.dispatch(Plain.getList.getPage({ page: 2 }));

    await server.release('GET /notes?page=2', ok([note(3)]));
    await page;
    await server.release('GET /notes', ok([note(2), note(1)]));
    await whole;

    expect(ids()).toEqual([2, 1, 3]);
  });

  it('that were asked for again stay, too, where such an answer comes after them', async () => {
    const { store, ids } = await setupNotes();
    const page = async (...rows: readonly object[]) => {
      const reading = store.dispatch(Plain.getList.getPage({ page: 2 }));
      await server.release('GET /notes?page=2', ok(rows));
      await reading;
    };
    await page(note(3), note(4));
    const whole = store.dispatch(Plain.getList());
    await server.holding('GET /notes');
    await page(note(3), note(4));

    await server.release('GET /notes', ok([note(1), note(2)]));
    await whole;

    expect(ids()).toEqual([1, 2, 3, 4]);
  });
});

it('what is put in front of a list stays there, also where it is written by hand', async () => {
  const { store, resources, read } = setup();
  const folder = { folder: 'a' };
  const ids = () => read(Plain.getList.select(folder))?.map(({ id }) => id);
  server.answer('GET /notes', ok([note(1, folder)]));
  await store.dispatch(Plain.getList(folder));
  const last = store.dispatch(Plain.getList.push(folder, { text: 'last' }));
  const first = store.dispatch(Plain.getList.unshift(folder, { text: 'first' }));
  await server.release(/"first"/, ok(note(8, folder)));
  await first;

  store.dispatch(resources.set(Note, { id: 8, folder: 'a' }));
  await server.release(/"last"/, ok(note(9, folder)));
  await last;

  expect(ids()).toEqual([8, 1, 9]);
});

describe('a list that is fetched for the first time', () => {
  it('has what was created meanwhile', async () => {
    const { store, resources, read } = setup();
    const first = store.dispatch(Plain.getList({ folder: 'a' }));
    const create = store.dispatch(Plain.getList.push({ folder: 'a' }, { text: 'new' }));

    await server.release('POST /notes?folder=a', ok(note(9, { folder: 'a' })));
    await create;
    await server.release('GET /notes?folder=a', ok([note(1, { folder: 'a' })]));
    await first;

    expect(read(resources.select(Plain.getList, { folder: 'a' }))?.map(({ id }) => id)).toEqual([1, 9]);
  });
});

describe('a write that is answered with nothing', () => {
  it('confirms what its body named, and no parameter, also where another has settled meanwhile', async () => {
    const { store, one } = await setupNotes(Notes);
    const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'edited' }));
    const removal = store.dispatch(Notes.getList.remove({ folder: 'b' }, { id: 1 }));

    await server.release('PATCH /notes/1', ok(note(1, { text: 'edited', folder: 'a' })));
    await edit.unwrap();
    await server.release('PATCH /notes', { status: 204 });
    await removal.unwrap();

    expect(one(1)).toMatchObject({ text: 'edited', folder: 'a' });
  });
});
