import { createResource, Entity, RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Order extends Entity {
  id = 0;
  status = 'open';
  static override key = 'Order';
}

const server = await serverOfFile();
const order = (id: number, status = 'open') => ({ id, status });

const searchParams: { readonly status?: string } = {};
const at = { urlPrefix: server.url } as const;
const Orders = createResource({ ...at, path: '/orders/:id', schema: Order, searchParams })
  .extend('clone', { path: '/orders/:id/clone', method: 'POST', body: undefined })
  .extend('importAll', { path: '/orders/import', method: 'POST', body: '', schema: [Order] });
const create = new RestEndpoint({ ...at, path: '/orders', method: 'POST', body: { status: '' }, schema: Order });

/** All orders, those that are open, and those that are done; `stale` tells which of them are. */
async function fetched() {
  const { store, read } = setup();
  const lists = [{}, { status: 'open' }, { status: 'done' }];
  server.answer('GET /orders', { json: [order(1), order(2, 'done')] });
  server.answer('GET /orders?status=open', { json: [order(1)] });
  server.answer('GET /orders?status=done', { json: [order(2, 'done')] });
  const fetchAll = async () => {
    for (const args of lists) await store.dispatch(Orders.getList(args));
  };
  await fetchAll();
  const stale = () => lists.map((args) => read(Orders.getList.selectRequest(args)).isStale);
  return { store, read, fetchAll, stale };
}

describe('an item that an answer to a write is the first to bring', () => {
  it.each([
    ['a copy of another', 'POST /orders/1/clone', () => Orders.clone({ id: 1 }), order(9)],
    ['one of several', 'POST /orders/import', () => Orders.importAll('a;b'), [order(1), order(9)]],
    ['what an endpoint of its own creates', 'POST /orders', () => create({ status: 'open' }), order(9)],
  ])('makes stale the lists that it may belong to: %s', async (_, address, request, json) => {
    const { store, stale } = await fetched();
    server.answer(address, { status: 201, json });
    await store.dispatch(request());

    expect(stale()).toEqual([true, true, false]);
  });

  it('is in a list that is read for the first time meanwhile: that is fetched again', async () => {
    const { store, read } = setup();
    store.dispatch(Orders.getList.subscribe());
    await server.holding('GET /orders');
    server.answer('POST /orders/1/clone', { status: 201, json: order(9) });
    await store.dispatch(Orders.clone({ id: 1 }));
    await server.release('GET /orders', { json: [order(1)] });
    await server.release('GET /orders', { json: [order(1), order(9)] });

    await expect.poll(() => read(Orders.getList.select())?.map(({ id }) => id)).toEqual([1, 9]);
  });

  it.each([
    ['a copy of another', () => Orders.clone({ id: 1 }), 'POST /orders/1/clone', 201],
    ['one of several', () => Orders.importAll('a;b'), 'POST /orders/import', 200],
    ['what an endpoint of its own creates', () => create({ status: 'open' }), 'POST /orders', 201],
    ['a PUT that the server answers with 201', () => Orders.update({ id: 9 }, order(9)), 'PUT /orders/9', 201],
  ])('makes the other lists stale, too, if a poll of one brings it before that answer: %s', async (...given) => {
    const [which, write, address, status] = given;
    const { store, stale } = await fetched();
    const writing = store.dispatch(write() as ReturnType<typeof Orders.clone>);
    await server.holding(address);
    server.answer('GET /orders', { json: [order(1), order(2, 'done'), order(9)] });
    await store.dispatch(Orders.getList({}));
    expect(stale()).toEqual([false, false, false]);

    await server.release(address, { status, json: which === 'one of several' ? [order(9)] : order(9) });
    await writing;

    expect(stale()).toEqual([false, true, false]);
  });

  it.each(['before the write', 'while it is under way'])(
    'makes nothing stale where a poll of each list has brought it %s, or lacks it',
    async (when) => {
      const { store, fetchAll, stale } = await fetched();
      const brought = async () => {
        server.answer('GET /orders', { json: [order(1), order(2, 'done'), order(9)] });
        server.answer('GET /orders?status=open', { json: [order(1), order(9)] });
        server.answer('GET /orders?status=done', { json: [order(2, 'done')] });
        await fetchAll();
      };
      if (when === 'before the write') await brought();
      const cloning = store.dispatch(Orders.clone({ id: 1 }));
      await server.holding('POST /orders/1/clone');
      if (when === 'while it is under way') await brought();
      await server.release('POST /orders/1/clone', { status: 201, json: order(9) });
      await cloning;

      expect(stale()).toEqual([false, false, false]);
    },
  );

  it('makes nothing stale when it is edited: it was there before', async () => {
    const { store, stale } = await fetched();
    server.answer('PATCH /orders/9', { json: order(9) });
    await store.dispatch(Orders.partialUpdate({ id: 9 }, { status: 'open' }));

    expect(stale()).toEqual([false, false, false]);
  });

  it('makes nothing stale when it is edited, and a poll brings it before that answer', async () => {
    const { store, stale } = await fetched();
    const editing = store.dispatch(Orders.partialUpdate({ id: 9 }, { status: 'open' }));
    await server.holding('PATCH /orders/9');
    server.answer('GET /orders', { json: [order(1), order(2, 'done'), order(9)] });
    await store.dispatch(Orders.getList({}));
    await server.release('PATCH /orders/9', { json: order(9) });
    await editing;

    expect(stale()).toEqual([false, false, false]);
  });

  it('makes them stale where the server says that a PUT has made it', async () => {
    const { store, stale } = await fetched();
    server.answer('PUT /orders/9', { status: 201, json: order(9) });
    await store.dispatch(Orders.update({ id: 9 }, order(9)));

    expect(stale()).toEqual([true, true, false]);
  });
});

describe('a write that the server has accepted, and not done yet (202)', () => {
  it.each([
    ['says nothing', undefined],
    ['tells of a job', { id: 'j7', status: 'queued' }],
    ['tells how the job stands', { status: 'queued' }],
  ])('is shown, and what shows its item is fetched again: the answer %s', async (_, json) => {
    const { store, read, stale } = await fetched();
    server.answer('PATCH /orders/1', { status: 202, ...(json && { json }) });
    await store.dispatch(Orders.partialUpdate({ id: 1 }, { status: 'done' }));

    expect(stale()).toEqual([true, true, true]);
    expect(read(Orders.getList.select())?.map(({ id, status }) => [id, status])).toEqual([
      [1, 'done'],
      [2, 'done'],
    ]);
  });

  it('is taken as done where the answer is the item', async () => {
    const { store, read } = await fetched();
    server.answer('PATCH /orders/1', { status: 202, json: order(1, 'packed') });
    await store.dispatch(Orders.partialUpdate({ id: 1 }, { status: 'done' }));

    expect(read(Orders.getList.select())?.map(({ status }) => status)).toEqual(['packed', 'done']);
  });
});

describe('a create that is refused', () => {
  it.each([404, 409])('fetches no list again, for it tells of none (%i)', async (status) => {
    const { store, stale } = await fetched();
    server.answer('POST /orders', { status, json: {} });
    await store.dispatch(Orders.getList.push({ status: 'open' }));

    expect(stale()).toEqual([false, false, false]);
  });
});

describe('an empty list of which an argument is a number', () => {
  class Message extends Entity {
    id = 0;
    channelId = 0;
    static override key = 'Message';
  }
  const searchParams: { readonly channelId?: number } = {};
  const Messages = createResource({ ...at, path: '/messages/:id', schema: Message, searchParams });

  it('is not asked for again when an item with another number is created, where one of that kind is known', async () => {
    const { store, read } = setup();
    server.answer('GET /messages?channelId=1', { json: [] });
    server.answer('GET /messages?channelId=2', { json: [{ id: 1, channelId: 2 }] });
    server.answer('POST /messages', { status: 201, json: { id: 2, channelId: 2 } });
    await store.dispatch(Messages.getList({ channelId: 1 }));
    await store.dispatch(Messages.getList({ channelId: 2 }));
    await store.dispatch(Messages.getList.push({ channelId: 2 }));

    const stateOf = (channelId: number) => read(Messages.getList.selectRequest({ channelId }));
    expect([1, 2].map((id) => [stateOf(id).data?.length, stateOf(id).isStale])).toEqual([
      [0, false],
      [2, false],
    ]);
  });
});
