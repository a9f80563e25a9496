import { Collection, createResource, Entity } from 'rtk-resource';
import { expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Order extends Entity {
  id = 0;
  status = '';
  static override key = 'Order';
}
class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}
const server = await serverOfFile();
const searchParams: { status?: string; page?: number } = {};
const orders = new Collection([Order]);
const Orders = createResource({ urlPrefix: server.url, path: '/orders/:id', schema: Order, searchParams }).extend({
  getList: { schema: { results: orders, count: orders.total } },
});
const Notes = createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note });

const OPEN = 'GET /orders?status=open';
const open = (...ids: readonly number[]) => ({
  json: { results: ids.map((id) => ({ id, status: 'open' })), count: 9 },
});

/** The first of the open orders, on the screen. */
async function watching(options: object = {}) {
  const tools = setup(options);
  const { store, read } = tools;
  const ids = () => read(Orders.getList.select({ status: 'open' }))?.results.map(({ id }) => id);
  const gets = () => server.received.filter(({ method, path }) => method === 'GET' && path === '/orders').length - 1;
  const { unsubscribe } = store.dispatch(Orders.getList.subscribe({ status: 'open' }));
  await server.release(OPEN, open(1, 2, 3));
  await vi.waitFor(() => {
    expect(ids()).toEqual([1, 2, 3]);
  });

  return { ...tools, unsubscribe, ids, gets };
}

/** What the store has sent by now has arrived. */
async function arrived(store: ReturnType<typeof setup>['store']): Promise<void> {
  const last = store.dispatch(Notes.get({ id: 99 }));
  await server.release('GET /notes/99', { json: { id: 99, text: '' } });
  await last;
}

it('a list that several writes make stale is fetched once, when the last of them has ended', async () => {
  const { store, unsubscribe, ids, gets } = await watching();
  const deletions = [1, 2, 3].map((id) => store.dispatch(Orders.delete({ id })));
  await server.release('DELETE /orders/1', { status: 204 });
  await server.release('DELETE /orders/3', { status: 500, json: {} });
  await Promise.all([deletions[0], deletions[2]]);
  const before = gets();
  await server.release('DELETE /orders/2', { status: 204 });
  await server.release(OPEN, open(3, 4, 5));

  expect(before).toBe(0);
  await vi.waitFor(() => {
    expect(ids()).toEqual([3, 4, 5]);
  });
  await arrived(store);
  expect(gets()).toBe(1);
  unsubscribe();
});

it('it waits no longer than holdTimeout, and not for writes of other classes', async () => {
  const { store, unsubscribe, gets } = await watching({ holdTimeout: 20 });
  void store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'hangs' }));
  const first = store.dispatch(Orders.delete({ id: 1 }));
  await server.release('DELETE /orders/1', { status: 204 });
  await first;
  await server.release(OPEN, open(2, 3, 4));

  void store.dispatch(Orders.partialUpdate({ id: 2 }, { status: 'open' }));
  const second = store.dispatch(Orders.delete({ id: 3 }));
  await server.release('DELETE /orders/3', { status: 204 });
  await second;
  await server.release(OPEN, open(2, 4, 5));

  expect(gets()).toBe(2);
  unsubscribe();
});

it('of many messages, the first and the last have it fetched', async () => {
  const { store, resources, unsubscribe, ids, gets } = await watching();
  for (const id of [1, 2]) store.dispatch(resources.set(Order, { id, status: 'done' }));
  await server.holding(OPEN);
  store.dispatch(resources.set(Order, { id: 3, status: 'done' }));
  await server.release(OPEN, open(3, 4, 5));
  await server.release(OPEN, open(4, 5, 6));
  await vi.waitFor(() => {
    expect(ids()).toEqual([4, 5, 6]);
  });
  await arrived(store);

  expect(gets()).toBe(2);
  unsubscribe();
});

it('two lists that say different things of one row do not have each other fetched for ever', async () => {
  const { store, unsubscribe, gets } = await watching();
  const done = store.dispatch(Orders.getList.subscribe({ status: 'done' }));
  await server.release('GET /orders?status=done', { json: { results: [{ id: 3, status: 'done' }], count: 9 } });
  // It is served from a copy that lags behind.
  await server.release(OPEN, open(1, 2, 3));
  await arrived(store);

  expect(gets()).toBe(2);
  unsubscribe();
  done.unsubscribe();
});
