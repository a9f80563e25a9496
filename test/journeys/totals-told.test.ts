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
