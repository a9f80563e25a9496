import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

const server = await serverOfFile();

class Card extends Entity {
  id = 0;
  column = 0;
  title = '';
  version = 0;
  static override key = 'VersionedCard';
  static override version = 'version';
}
const searchParams: { column?: number } = {};
const Cards = createResource({
  urlPrefix: server.url,
  path: '/cards/:id',
  schema: Card,
  searchParams,
  optimistic: true,
});
const card = (version: number, over: object = {}) => ({ id: 1, column: 1, title: `v${version}`, version, ...over });

/** A board of two columns, with one card in the first, of version 1. */
async function setupBoard() {
  const tools = setup();
  const { store, read, resources } = tools;
  server.answer('GET /cards?column=1', { json: [card(1)] });
  server.answer('GET /cards?column=2', { json: [] });
  for (const column of [1, 2]) await store.dispatch(Cards.getList({ column }));
  server.forget();

  return {
    ...tools,
    columns: () => [1, 2].map((column) => read(Cards.getList.select({ column }))?.map(({ title }) => title)),
    title: () => read(resources.selectEntity(Card, 1))?.title,
    told: (row: object) => {
      store.dispatch(resources.set(Card, row));
    },
  };
}

describe('an item that tells its version', () => {
  it('is in the column that its newest version names, though a message of an older one came while it was moved', async () => {
    const { store, columns, told } = await setupBoard();
    const move = store.dispatch(Cards.partialUpdate({ id: 1 }, { column: 2 }));
    await server.holding('PATCH /cards/1');

    told(card(2));
    await server.release('PATCH /cards/1', { json: card(3, { column: 2 }) });
    await move;

    expect(columns()).toEqual([[], ['v3']]);
  });

  it('stands in no other column, when a message of its creation comes once more', async () => {
    const { store, columns, told, resources } = await setupBoard();
    told(card(2, { column: 2 }));

    store.dispatch(resources.setResponse(Cards.getList.push, {}, card(1), card(1)));

    expect(columns()).toEqual([[], ['v2']]);
  });

  it('stands in the column of its newest version, when it is told as created after that', async () => {
    const { store, columns, told, resources } = await setupBoard();
    const [first, moved] = [card(1, { id: 2 }), card(2, { id: 2, column: 2 })];
    told(moved);

    store.dispatch(resources.setResponse(Cards.getList.push, {}, first, first));

    expect(columns()).toEqual([['v1'], ['v2']]);
  });

  it('does so, too, when the answer to its own creation comes after that', async () => {
    const { store, columns, told } = await setupBoard();
    const creating = store.dispatch(Cards.getList.push({ column: 1, title: 'new' }));
    await server.holding('POST /cards');
    told(card(2, { id: 2, column: 2 }));

    await server.release('POST /cards', { status: 201, json: card(1, { id: 2 }) });
    await creating.unwrap();

    expect(columns()).toEqual([['v1'], ['v2']]);
  });

  it('stands in no other column, when a list is answered by a replica that lags behind', async () => {
    const { store, columns, told } = await setupBoard();
    told(card(2, { column: 2 }));
    const list = store.dispatch(Cards.getList({ column: 1 }));

    await server.release('GET /cards', { json: [card(1)] });
    await list;

    expect(columns()).toEqual([[], ['v2']]);
  });

  it('stands in no list that belongs denies, when that was served before an edit of the item was', async () => {
    const isUrgent: { isUrgent?: boolean } = {};
    const Urgent = createResource({
      urlPrefix: server.url,
      path: '/urgent/:id',
      schema: Card,
      searchParams: isUrgent,
      belongs: ({ column }, params) => params.isUrgent === String(column === 1),
    });
    const { store, read } = setup();
    const list = store.dispatch(Urgent.getList({ isUrgent: true }));
    await server.holding('GET /urgent');
    const edit = store.dispatch(Urgent.partialUpdate({ id: 1 }, { column: 2 }));
    await server.release('PATCH /urgent/1', { json: card(2, { column: 2 }) });
    await edit;

    await server.release('GET /urgent', { json: [card(1), card(1, { id: 3 })] });
    await list;

    expect(read(Urgent.getList.select({ isUrgent: true }))?.map(({ id }) => id)).toEqual([3]);
  });

  it('stands in the column that an edit names, when a batch that was sent before, and has moved it elsewhere, is answered last', async () => {
    const { store, columns } = await setupBoard();
    const moveAll = Cards.extend('moveAll', {
      path: '/cards/move',
      method: 'POST',
      body: { ids: [0], column: 0 },
      schema: [Card],
      getOptimisticResponse: (_, __, { ids, column }) => ids.map((id) => ({ id, column })),
    }).moveAll;
    const batch = store.dispatch(moveAll({}, { ids: [1], column: 3 }));
    await server.holding('POST /cards/move');
    const edit = store.dispatch(Cards.partialUpdate({ id: 1 }, { column: 2 }));
    await server.release('PATCH /cards/1', { json: card(3, { column: 2 }) });
    await edit;
    const poll = store.dispatch(Cards.getList({ column: 2 }));
    await server.release('GET /cards?column=2', { json: [card(3, { column: 2 })] });
    await poll;

    await server.release('POST /cards/move', { json: [card(2, { column: 3 })] });
    await batch;

    expect(columns()).toEqual([[], ['v3']]);
  });

  it('shows an edit that is not saved yet also when a message of an older version comes', async () => {
    const { store, title, told } = await setupBoard();
    told(card(3));
    const edit = store.dispatch(Cards.partialUpdate({ id: 1 }, { title: 'mine' }));
    await server.holding('PATCH /cards/1');

    told(card(2));

    expect(title()).toBe('mine');
    await server.release('PATCH /cards/1', { json: card(4, { title: 'mine' }) });
    await edit;
  });

  it('that was deleted does not come back by late messages', async () => {
    const { store, columns, told } = await setupBoard();
    const deletion = store.dispatch(Cards.delete({ id: 1 }));
    await server.holding('DELETE /cards/1');

    told(card(2));
    await server.release('DELETE /cards/1', { status: 204 });
    await deletion;
    told(card(2));

    expect(columns()).toEqual([[], []]);
  });

  it('stays out of a list from which it is removed after an edit that left its column as it was', async () => {
    const { store, columns } = await setupBoard();
    const edit = store.dispatch(Cards.partialUpdate({ id: 1 }, { column: 1, title: 'mine' }));
    await server.holding('PATCH /cards/1');
    const removal = store.dispatch(Cards.getList.remove({ column: 1 }, { id: 1 }));
    await server.release('PATCH /cards', { json: card(1) });
    await removal;

    await server.release('PATCH /cards/1', { json: card(2, { title: 'mine' }) });
    await edit;

    expect(columns()).toEqual([[], []]);
  });

  it('stays in a list if it was deleted and made again, and an earlier removal is answered last', async () => {
    const { store, columns, resources } = await setupBoard();
    const removal = store.dispatch(Cards.getList.remove({ column: 1 }, { id: 1 }));
    await server.holding('PATCH /cards');
    store.dispatch(resources.setResponse(Cards.delete, { id: 1 }, null));
    store.dispatch(resources.setResponse(Cards.getList.push, {}, card(8), card(8)));

    await server.release('PATCH /cards', { json: card(1) });
    await removal;

    expect(columns()).toEqual([['v8'], []]);
  });

  it('is shown where an older answer says it is, and its list is fetched again where a newer answer lacks it', async () => {
    const { store, columns, read } = await setupBoard();
    const detail = store.dispatch(Cards.get({ id: 1 }));
    await server.holding('GET /cards/1');
    for (const column of [1, 2]) {
      const list = store.dispatch(Cards.getList({ column }));
      await server.release('GET /cards', { json: [] });
      await list;
    }

    await server.release('GET /cards/1', { json: card(2, { column: 2 }) });
    await detail;

    expect(columns()).toEqual([[], ['v2']]);
    expect(read(Cards.getList.selectRequest({ column: 2 })).isStale).toBe(true);
  });

  it.each([
    ['moves it', { column: 2 }],
    ['has the server move it', { title: 'v2' }],
  ])(
    'leaves a list that was read while an edit was under way that %s, and has nothing fetched again',
    async (_, body) => {
      const { store, columns, read } = await setupBoard();
      const { unsubscribe } = store.dispatch(Cards.getList.subscribe({ column: 1 }));
      const edit = store.dispatch(Cards.partialUpdate({ id: 1 }, body));
      await server.holding('PATCH /cards/1');
      const poll = store.dispatch(Cards.getList({ column: 1 }));
      await server.release('GET /cards', { json: [card(1)] });
      await poll;

      await server.release('PATCH /cards/1', { json: card(2, { column: 2 }) });
      await edit;
      const { isStale, isFetching } = read(Cards.getList.selectRequest({ column: 1 }));
      unsubscribe();

      expect(columns()).toEqual([[], ['v2']]);
      expect({ isStale, isFetching }).toEqual({ isStale: false, isFetching: false });
      expect(server.received.map(({ method }) => method)).toEqual(['PATCH', 'GET']);
    },
  );
});
