import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Thread extends Entity {
  id = 0;
  unread = true;
  static override key = 'Thread';
}

const server = await serverOfFile();

interface Marking {
  readonly ids: readonly number[];
  readonly set: { readonly unread: boolean };
}
const body = {} as Marking;
const Threads = createResource({ urlPrefix: server.url, path: '/threads/:id', schema: Thread, optimistic: true })
  .extend('mark', {
    path: '/threads/mark',
    method: 'POST',
    body,
    schema: [Thread],
    optimistic: false,
  })
  .extend('markAtOnce', {
    path: '/threads/mark',
    method: 'POST',
    body,
    schema: [Thread],
    getOptimisticResponse: (_snapshot, _params, { ids, set }) => ids.map((id) => ({ id, ...set })),
  });

const MARK = 'POST /threads/mark';
const thread = (unread: boolean) => ({ id: 1, unread });

async function setupThreads() {
  const tools = setup();
  server.answer('GET /threads', { json: [thread(true)] });
  await tools.store.dispatch(Threads.getList());

  return {
    ...tools,
    list: () => tools.read(Threads.getList.selectRequest()),
    shown: tools.watch((state) => Threads.getList.select()(state)?.[0]?.unread),
  };
}

describe('a write to many rows, beside an edit of one of them that was sent before', () => {
  it('keeps what it has shown of them, and the server has confirmed', async () => {
    const { store, list, shown } = await setupThreads();
    const edit = store.dispatch(Threads.partialUpdate({ id: 1 }, { unread: true }));
    await server.holding('PATCH /threads/1');
    const marking = store.dispatch(Threads.markAtOnce({ ids: [1], set: { unread: false } }));

    await server.release('PATCH /threads/1', { json: thread(true) });
    await edit;
    await server.release(MARK, { json: [thread(false)] });
    await marking;

    expect(shown).toEqual([true, false]);
    expect(list().isStale).toBe(false);
  });

  it.each([
    ['and that is what the edit has changed', true],
    ['and that is what was there before the edit', false],
  ])('leaves a doubt where its answer alone tells what it has changed, %s', async (_, unread) => {
    const { store, list } = await setupThreads();
    const edit = store.dispatch(Threads.partialUpdate({ id: 1 }, { unread }));
    await server.holding('PATCH /threads/1');
    const marking = store.dispatch(Threads.mark({ ids: [1], set: { unread: !unread } }));

    await server.release('PATCH /threads/1', { json: thread(unread) });
    await edit;
    await server.release(MARK, { json: [thread(!unread)] });
    await marking;

    expect(list().isStale).toBe(true);
  });
});

describe('a write to many rows of which nobody knows whether it was done', () => {
  it('makes stale what shows the rows that it has shown changed', async () => {
    const { store, list } = await setupThreads();
    const marking = store.dispatch(Threads.markAtOnce({ ids: [1], set: { unread: false } }));
    await server.holding(MARK);

    server.forget();
    await marking;

    expect([list().data?.[0]?.unread, list().isStale]).toEqual([true, true]);
  });
});

it('items that are answered with another number of them are told by the answer alone', async () => {
  const { store, read } = setup();
  const { getList } = createResource({ urlPrefix: server.url, path: '/threads/:id', schema: Thread });
  server.answer('GET /threads', { json: [] });
  server.answer('POST /threads', { json: [{ id: 7 }] });
  await store.dispatch(getList());

  await store.dispatch(getList.push({}, [{ unread: false }, { unread: true }]));

  expect(read(getList.select())).toMatchObject([{ id: 7, unread: true }]);
});

it('items that are edited together keep what their answers do not mention, in whatever order these come', async () => {
  const { store, read } = setup();
  const { getList, edit } = createResource({ urlPrefix: server.url, path: '/threads/:id', schema: Thread }).extend(
    'edit',
    { path: '/threads', method: 'PATCH', body: {} as readonly Partial<Thread>[], schema: [Thread] },
  );
  server.answer('GET /threads', { json: [thread(true), { id: 2, unread: false }] });
  server.answer('PATCH /threads', { json: [{ id: 2 }, { id: 1 }, { id: 3 }] });
  await store.dispatch(getList());

  await store.dispatch(
    edit([
      { id: 1, unread: false },
      { id: 2, unread: true },
    ]),
  );

  expect(read(getList.select())).toMatchObject([
    { id: 1, unread: false },
    { id: 2, unread: true },
  ]);
});

describe('an answer to a write of many rows that says nothing of them', () => {
  class Order extends Entity {
    id = 0;
    status = 'open';
    static override key = 'Order';
  }
  const paid = { ids: [1, 2], status: 'paid' };
  const options = { path: '/orders/pay', body: {} as typeof paid };
  const Orders = createResource({ urlPrefix: server.url, path: '/orders/:id', schema: Order })
    .extend('pay', { ...options, method: 'POST', schema: [Order] })
    .extend('patch', { ...options, method: 'PATCH', schema: [Order] })
    .extend('payIn', { ...options, method: 'POST', schema: { data: [Order] } });
  const ids = [{ id: 1 }, { id: 2 }];
  const done = ids.map((one, i) => ({ ...one, success: true, code: 200 + i }));

  async function after(write: object, json: object) {
    const { store, read } = setup();
    server.answer('GET /orders', { json: [1, 2, 3].map((id) => ({ id, status: 'open' })) });
    server.answer(/^(POST|PATCH) /, { json });
    await store.dispatch(Orders.getList());
    const told = await store.dispatch<Promise<unknown> & { unwrap(): Promise<unknown> }>(write as never).unwrap();

    return { told, isStale: read(Orders.getList.selectRequest()).isStale };
  }

  it.each([
    ['POST, their pks', Orders.pay(paid), [1, 2]],
    ['POST, of which one is unknown here', Orders.pay(paid), [1, 9]],
    ['POST, items with a pk alone', Orders.pay(paid), ids],
    ['PATCH, their pks', Orders.patch(paid), [1, 2]],
    ['PATCH, items with a pk alone', Orders.patch(paid), ids],
    ['POST, items with a pk and what is no field', Orders.pay(paid), done],
    ['PATCH, items with a pk and what is no field', Orders.patch(paid), done],
    ['their pks in an envelope', Orders.payIn(paid), { data: [1, 2], count: 2 }],
    ['{ success: true } without the envelope', Orders.payIn(paid), { success: true }],
  ])('makes the reads of its class stale: %s', async (_, write, json) => {
    expect((await after(write, json)).isStale).toBe(true);
  });

  it('gives its caller the rows that it names', async () => {
    expect((await after(Orders.pay(paid), [1, 2])).told).toMatchObject(ids);
  });

  it('leaves nothing in them that is no field', async () => {
    expect((await after(Orders.pay(paid), done)).told).toEqual(ids.map((one) => ({ ...one, status: 'open' })));
  });

  it.each([
    ['tells a field of them', ids.map((one) => ({ ...one, status: 'open' }))],
    [
      'tells a field of one of them',
      [
        { id: 1, success: true },
        { id: 2, status: 'open' },
      ],
    ],
    ['tells a field beside what is none', ids.map((one) => ({ ...one, success: true, status: 'open' }))],
    ['tells no rows', []],
  ])('is none where it %s', async (_, json) => {
    expect((await after(Orders.pay(paid), json)).isStale).toBe(false);
  });

  it('confirms what was sent of each of them', async () => {
    const { store, read } = setup();
    server.answer('GET /orders', { json: ids.map((one) => ({ ...one, status: 'open' })) });
    server.answer('PATCH /orders/pay', { json: done });
    await store.dispatch(Orders.getList());

    await store.dispatch(
      Orders.patch([
        { id: 1, status: 'paid' },
        { id: 2, status: 'void' },
      ] as never),
    );

    expect(read(Orders.getList.selectRequest())).toMatchObject({ isStale: false });
    expect(read(Orders.getList.select())).toEqual([
      { id: 1, status: 'paid' },
      { id: 2, status: 'void' },
    ]);
  });
});
