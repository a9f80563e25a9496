import { Collection, createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

const server = await serverOfFile();
const urlPrefix = server.url;

describe('a total that the answer to a write tells', () => {
  class Card extends Entity {
    id = 0;
    columnId = 0;
    static override key = 'Card';
  }
  const cards = new Collection([Card], { nestKey: ({ id }: { readonly id: number }) => ({ columnId: id }) });
  class Column extends Entity {
    id = 0;
    cards: readonly Card[] = [];
    count = 0;
    static override key = 'Column';
    static override schema = { cards, count: cards.total };
  }
  const body: { columnId?: number } = {};
  const Columns = createResource({ urlPrefix, path: '/columns/:id', schema: Column });
  const Cards = createResource({ urlPrefix, path: '/cards/:id', schema: Card })
    .extend('move', { path: '/cards/:id/move', method: 'POST', body, schema: [Column] })
    .extend('add', { path: '/cards', method: 'POST', body, schema: { card: cards.push, column: Column } });
  const card = (id: number, columnId: number) => ({ id, columnId });

  async function loaded() {
    const { store, read } = setup();
    server.answer('GET /columns', {
      json: [
        { id: 1, cards: [card(1, 1), card(2, 1)], count: 2 },
        { id: 2, cards: [card(3, 2)], count: 1 },
      ],
    });
    await store.dispatch(Columns.getList());
    const shown = () => {
      const { data, isStale } = read(Columns.getList.selectRequest());
      return [data?.map((one) => one.count), isStale];
    };
    return { store, shown };
  }

  // Another user may have taken a card away, so that the number is as it was.
  it.each([2, 1])('has counted what that write has moved: %i', async (count) => {
    const { store, shown } = await loaded();
    server.answer('POST /cards/2/move', {
      json: [
        { id: 1, cards: [card(1, 1)], count: 1 },
        { id: 2, cards: [card(2, 2), card(3, 2)].slice(0, count), count },
      ],
    });

    await store.dispatch(Cards.move({ id: 2 }, { columnId: 2 }));

    expect(shown()).toEqual([[1, count], false]);
  });

  it('has counted what that write has created', async () => {
    const { store, shown } = await loaded();
    server.answer('POST /cards', { status: 201, json: { card: card(4, 2), column: { id: 2, count: 2 } } });

    await store.dispatch(Cards.add({ columnId: 2 }));

    expect(shown()[0]).toEqual([2, 2]);
  });
});

describe.each([true, false])('a deletion that a message tells before its own answer, optimistic: %s', (optimistic) => {
  class Task extends Entity {
    id = 0;
    status = '';
    static override key = 'Task';
  }
  const tasks = new Collection([Task]);
  const searchParams: { status?: string } = {};
  const Tasks = createResource({ urlPrefix, path: '/tasks/:id', schema: Task, searchParams, optimistic }).extend({
    getList: { schema: { items: tasks, count: tasks.total } },
  });
  const all: readonly (typeof searchParams)[] = [{}, { status: 'open' }];

  async function afterDeletionOf(id: number) {
    const { store, resources, read } = setup();
    server.answer('GET /tasks', { json: { items: [1, 2, 3].map((one) => ({ id: one, status: 'open' })), count: 3 } });
    for (const params of all) await store.dispatch(Tasks.getList(params));
    const deleting = store.dispatch(Tasks.delete({ id }));
    await server.holding(`DELETE /tasks/${String(id)}`);
    store.dispatch(resources.setResponse(Tasks.delete, { id }, null));
    await server.release(`DELETE /tasks/${String(id)}`, { status: 204 });
    await deleting;
    return all.map((params) => read(Tasks.getList.selectRequest(params)).isStale);
  }

  it('makes nothing stale', async () => {
    expect(await afterDeletionOf(2)).toEqual([false, false]);
  });

  it('makes totals stale that may have counted a row which the store has never seen', async () => {
    expect(await afterDeletionOf(9)).toEqual([true, true]);
  });
});

it('a deletion of an item whose own create is under way leaves a total stale that only counts the guess', async () => {
  class Note extends Entity {
    id = '';
    static override key = 'Note';
  }
  const notes = new Collection([Note]);
  const Notes = createResource({ urlPrefix, path: '/notes/:id', schema: Note, optimistic: true }).extend({
    getList: { schema: { items: notes, count: notes.total } },
  });
  const { store, read } = setup();
  server.answer('GET /notes', { json: { items: [{ id: 'a' }], count: 5 } });
  await store.dispatch(Notes.getList());
  const create = store.dispatch(Notes.getList.push({ id: 'x' }));
  await server.holding('POST /notes');

  const deleting = store.dispatch(Notes.delete({ id: 'x' }));
  await server.release('DELETE /notes/x', { status: 204 });
  await deleting;

  expect(read(Notes.getList.selectRequest()).isStale).toBe(true);
  await server.release('POST /notes', { status: 201, json: { id: 'x' } });
  await create;
});

describe('a total of a list', () => {
  class File extends Entity {
    id = 0;
    folder = 0;
    static override key = 'File';
  }
  const files = new Collection([File]);
  const body: { readonly ids?: readonly number[]; readonly folder?: number } = {};
  const searchParams: { readonly folder?: number; readonly q?: string } = {};
  const Files = createResource({ urlPrefix, path: '/files/:id', schema: File, searchParams, optimistic: true })
    .extend({ getList: { schema: { items: files, total: files.total } } })
    .extend('moveMany', {
      path: '/files/move',
      method: 'POST',
      body,
      schema: [File],
      getOptimisticResponse: (_snap, _params, { ids = [], folder }) => ids.map((id) => ({ id, folder })),
    });
  const one = (id: number, folder: number) => ({ id, folder });
  const toMany = (ids: readonly number[], folder: number) => ({
    request: Files.moveMany({ ids, folder }),
    which: new RegExp(`^POST /files/move .*"ids":\\[${String(ids)}\\]`),
    reply: { json: ids.map((id) => one(id, folder)) },
  });
  const toOne = (id: number, folder: number) => ({
    request: Files.partialUpdate({ id }, { folder }),
    which: new RegExp(`^PATCH /files/${String(id)} .*"folder":${String(folder)}`),
    reply: { json: one(id, folder) },
  });
  const refused = (move: ReturnType<typeof toMany>) => ({ ...move, reply: { status: 422, json: {} } });

  // The rows 1 and 2 are in folder 1 at first, and row 3 in folder 2.
  it.each([
    ['a bulk move and an edit into the same folder', [toMany([1], 2), toOne(1, 2)], [1, 2, 0]],
    ['two bulk moves into the same folder', [toMany([1], 2), toMany([1, 2], 2)], [0, 3, 0]],
    ['a bulk move that is refused and an edit', [refused(toMany([1, 2], 3)), toOne(1, 1)], [2, 1, 0]],
    ['a bulk move and an edit that takes it back', [toMany([1, 2], 2), toOne(2, 1)], [1, 2, 0]],
    ['moves of which the last takes the others back', [toOne(2, 3), toMany([2], 3), toMany([1, 2], 1)], [2, 1, 0]],
  ])('counts its rows after %s, where the later is answered first', async (_what, moves, expected) => {
    const { store, read } = setup();
    const folders = [1, 2, 3];
    const rows = [one(1, 1), one(2, 1), one(3, 2)];
    for (const folder of folders) {
      const items = rows.filter((row) => row.folder === folder);
      server.answer(`GET /files?folder=${String(folder)}`, { json: { items, total: items.length } });
      await store.dispatch(Files.getList({ folder }));
    }

    const all = [];
    for (const { request, which } of moves) {
      all.push(store.dispatch(request as ReturnType<typeof Files.moveMany>));
      await server.holding(which);
    }
    for (const { which, reply } of moves.toReversed()) await server.release(which, reply);
    await Promise.all(all);

    const shown = folders.map((folder) => read(Files.getList.select({ folder })));
    expect(shown.map((list) => list?.total)).toEqual(expected);
    expect(shown.map((list) => list?.items.length)).toEqual(expected);
  });

  it('counts a row that has moved before, and waits when all is answered', async () => {
    const { store, read } = setup();
    server.answer('GET /files?folder=1', { json: { items: [one(1, 1), one(2, 1)], total: 2 } });
    await store.dispatch(Files.getList({ folder: 1 }));
    const slow = store.dispatch(Files.get({ id: 9 }));
    await server.holding('GET /files/9');
    const before = store.dispatch(Files.partialUpdate({ id: 2 }, { folder: 3 }));
    await server.release('PATCH /files/2', { json: one(2, 3) });
    await before;

    const bulk = store.dispatch(Files.moveMany({ ids: [1, 2], folder: 2 }));
    await server.holding('POST /files/move');
    const edit = store.dispatch(Files.partialUpdate({ id: 2 }, { folder: 1 }));
    await server.release('PATCH /files/2', { json: one(2, 1) });
    await edit;
    await server.release('GET /files/9', { json: one(9, 9) });
    await slow;
    await server.release('POST /files/move', { json: [one(1, 2), one(2, 2)] });
    await bulk;

    expect(read(Files.getList.select({ folder: 1 }))).toMatchObject({ items: [one(2, 1)], total: 1 });
  });

  it('is asked for again where a row leaves its list while that is read for the first time, and the answer has not all of it', async () => {
    const { store, read } = setup();
    server.answer('GET /files?q=a', { json: { items: [one(4, 1)], total: 1 } });
    await store.dispatch(Files.getList({ q: 'a' }));
    const reading = store.dispatch(Files.getList({ folder: 1 }));
    await server.holding('GET /files?folder=1');

    const edit = store.dispatch(Files.partialUpdate({ id: 4 }, { folder: 2 }));
    await server.release('PATCH /files/4', { json: one(4, 2) });
    await edit;
    // The row was there still, behind the first three.
    await server.release('GET /files?folder=1', { json: { items: [8, 7, 6].map((id) => one(id, 1)), total: 4 } });
    await reading;

    expect(read(Files.getList.selectRequest({ folder: 1 })).isStale).toBe(true);
  });

  it('is asked for again where a row that it may have counted is deleted while it is read', async () => {
    const { store, read } = setup();
    server.answer('GET /files?folder=1', { json: { items: [one(1, 1), one(2, 1)], total: 2 } });
    await store.dispatch(Files.getList({ folder: 1 }));
    const search = { q: 'a' };
    const searching = store.dispatch(Files.getList(search));
    await server.release('GET /files?q=a', { json: { items: [one(1, 1)], total: 1 } });
    await searching;
    const again = store.dispatch(Files.getList(search));
    await server.holding('GET /files?q=a');

    const deletion = store.dispatch(Files.delete({ id: 2 }));
    await server.release('DELETE /files/2', { status: 204 });
    await deletion;
    // Somebody else had made it one that is found, and it was counted before it was deleted.
    await server.release('GET /files?q=a', { json: { items: [one(1, 1), one(2, 1)], total: 2 } });
    await again;

    expect(read(Files.getList.selectRequest(search))).toMatchObject({ data: { items: [{ id: 1 }] }, isStale: true });
  });
});

describe.each([undefined, { ok: true }, { id: 1, unread: false }])('with an edit answered with %o', (json) => {
  class Mail extends Entity {
    id = 0;
    box = '';
    unread = true;
    static override key = 'Mail';
  }
  const mails = new Collection([Mail]);
  const searchParams: { readonly box?: string; readonly q?: string } = {};
  const body: object = {};
  const Mails = createResource({ urlPrefix, path: '/mails/:id', schema: Mail, searchParams, optimistic: true })
    .extend({ getList: { schema: { items: mails, total: mails.total } } })
    .extend('snooze', {
      path: '/mails/:id/snooze',
      method: 'POST',
      body,
      optimistic: (mail) => void (mail.box = 'later'),
    });

  it('a total counts a row that an earlier write moves into its empty list, and that is answered last', async () => {
    const { store, read } = setup();
    const mail = { id: 1, box: 'in', unread: true };
    server.answer('GET /mails?box=in', { json: { items: [mail], total: 1 } });
    server.answer('GET /mails?box=later', { json: { items: [], total: 0 } });
    for (const box of ['in', 'later']) await store.dispatch(Mails.getList({ box }));
    const snooze = store.dispatch(Mails.snooze({ id: 1 }, { until: 'Monday' }));
    await server.holding('POST /mails/1/snooze');

    const edit = store.dispatch(Mails.partialUpdate({ id: 1 }, { unread: false }));
    await server.release('PATCH /mails/1', json ? { json } : { status: 204 });
    await edit;
    await server.release('POST /mails/1/snooze', { json: { ...mail, box: 'later' } });
    await snooze;

    const shown = ['in', 'later'].map((box) => read(Mails.getList.select({ box })));
    expect(shown.map((list) => [list?.items.length, list?.total])).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });
});
