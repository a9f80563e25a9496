import { Collection, createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

/** A grid gives `push` the arguments that it is filtered by, also those that say nothing of a new item. */
class Order extends Entity {
  id = 0;
  title = '';
  total = 0;
  static override key = 'Order';
}
class Term extends Order {
  term = '';
  static override key = 'Term';
}

const server = await serverOfFile();
const searchParams: Readonly<Record<string, string | number>> = {};
const ordersOf = (schema: typeof Order, optimistic: boolean) => {
  const orders = new Collection([schema]);

  return createResource({ urlPrefix: server.url, path: '/orders/:id', schema, searchParams, optimistic }).extend({
    getList: { schema: { results: orders, count: orders.total } },
  });
};

/** Two lists are there, and an order is created with the arguments of the first: how both stand. */
async function created(mine: object, other: object, { schema = Order, optimistic = false } = {}) {
  const { store, read } = setup();
  const { getList } = ordersOf(schema, optimistic);
  const stateOf = (search: object) => {
    const { data, isStale } = read(getList.selectRequest(search as never));

    return { ids: data?.results.map(({ id }) => id), isStale };
  };
  for (const [search, id] of [[mine, 1] as const, [other, 2] as const]) {
    server.answer(/^GET /, { json: { results: [{ id, title: 'a', total: 1 }], count: 1 } });
    await store.dispatch(getList(search as never));
  }
  server.answer(/^POST /, { json: { id: 3, title: 'b', total: 2 }, status: 201 });
  const promise = store.dispatch(getList.push(mine as never, { title: 'b' }));
  await promise;

  return [stateOf(mine), stateOf(other)];
}

describe.each([false, true])('an item that is created with the arguments of a list (optimistic: %s)', (optimistic) => {
  it.each([
    [{ search: 'a' }, { search: 'b' }],
    [{ q: 'a' }, { q: 'b' }],
    [{ $search: 'a' }, { $search: 'b' }],
    [{ minTotal: 1 }, { minTotal: 2 }],
    [{ total_gte: 1 }, { total_gte: 2 }],
    [{ 'total[lt]': 9 }, { 'total[lt]': 8 }],
    [{ createdAfter: 1 }, { createdAfter: 2 }],
  ])('is in %j, and only the server knows whether it is in %j', async (mine, other) => {
    expect(await created(mine, other, { optimistic })).toEqual([
      { ids: [1, 3], isStale: false },
      { ids: [2], isStale: true },
    ]);
  });

  it.each([
    ['which its class does not declare', { userId: 1 }, { userId: 2 }, Order],
    ['which ends like a comparison', { minister: 1 }, { minister: 2 }, Order],
    ['which is a field of its class', { term: 'a' }, { term: 'b' }, Term],
  ])('is in no list of another value of a filter %s', async (_, mine, other, schema) => {
    expect(await created(mine, other, { schema, optimistic })).toEqual([
      { ids: [1, 3], isStale: false },
      { ids: [2], isStale: false },
    ]);
  });

  it('does not show a search as a field', async () => {
    const { store, read } = setup();
    const { getList } = ordersOf(Order, true);
    server.answer(/^GET /, { json: { results: [], count: 0 } });
    await store.dispatch(getList({ search: 'a' }));
    server.answer(/^POST /, { json: { id: 3, title: 'b' }, status: 201 });

    const promise = store.dispatch(getList.push({ search: 'a' }, { title: 'b' }));
    const shown = read(getList.select({ search: 'a' }))?.results;
    await promise;

    expect(shown).toMatchObject([{ title: 'b' }]);
    expect(shown?.[0]).not.toHaveProperty('search');
  });
});
