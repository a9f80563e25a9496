import { createResource, Entity, RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

const server = await serverOfFile();
const at = { urlPrefix: server.url } as const;

interface Line {
  n: number;
  text: string;
  done?: boolean;
}
class Order extends Entity {
  id = 0;
  lines: Line[] = [];
  grid: { x: number }[][] = [];
  settings: { theme: string; sizes: { width: number }[] } = { theme: '', sizes: [] };
  static override key = 'Order';
}
const OrderResource = createResource({ ...at, path: '/orders/:id', schema: Order }).extend('removeLine', {
  ...at,
  path: '/orders/:id',
  method: 'PATCH',
  body: {} as { remove: number },
  schema: Order,
  optimistic: (order, [, body]) => {
    order.lines = order.lines.filter(({ n }) => n !== body.remove);
  },
});
const create = OrderResource.getList.push.extend({
  name: 'Order/create',
  optimistic: (order) => {
    order.lines = order.lines.map((line) => ({ ...line, done: true })).filter(({ n }) => n > 1);
  },
});
const envelope = { items: [Order], meta: { tags: [{ name: '' }] } };
const getEnvelope = new RestEndpoint({ ...at, path: '/envelope', schema: envelope });

const order = {
  id: 1,
  lines: [
    { n: 1, text: 'a' },
    { n: 2, text: 'b' },
  ],
  grid: [[{ x: 1 }, { x: 2 }], [{ x: 3 }]],
  settings: { theme: 'light', sizes: [{ width: 1 }, { width: 2 }] },
};

function setupOrder() {
  const tools = setup();
  const { store, read, resources, slice } = tools;
  store.dispatch(resources.setResponse(OrderResource.getList, [order]));
  return {
    ...tools,
    orders: () => read(OrderResource.getList.select()) ?? [],
    // What is kept is read as JSON: a draft that is over throws.
    kept: () => JSON.parse(JSON.stringify(slice().tables['Order']?.rows[0]?.[0])) as unknown,
  };
}

describe('what a recipe puts together out of what it was given', () => {
  const recipes: [string, (order: Order) => unknown, object][] = [
    ['filters a list', (o) => void (o.lines = o.lines.filter(({ n }) => n === 2)), { lines: [{ n: 2, text: 'b' }] }],
    [
      'maps a list',
      (o) => void (o.lines = o.lines.map((line) => (line.n === 1 ? { ...line, done: true } : line))),
      {
        lines: [
          { n: 1, text: 'a', done: true },
          { n: 2, text: 'b' },
        ],
      },
    ],
    [
      'changes what is in it, too',
      (o) => {
        o.lines = [...o.lines, { n: 3, text: 'c' }];
        for (const line of o.lines) line.text += '!';
      },
      {
        lines: [
          { n: 1, text: 'a!' },
          { n: 2, text: 'b!' },
          { n: 3, text: 'c!' },
        ],
      },
    ],
    [
      'spreads an object',
      (o) => void (o.settings = { ...o.settings, theme: 'dark' }),
      { settings: { ...order.settings, theme: 'dark' } },
    ],
    [
      'spreads objects inside of others',
      (o) => {
        o.settings = { ...o.settings, sizes: o.settings.sizes.map((size) => ({ ...size })).slice(1) };
      },
      { settings: { theme: 'light', sizes: [{ width: 2 }] } },
    ],
    [
      'filters a list inside of an object',
      (o) => void (o.settings.sizes = o.settings.sizes.filter(({ width }) => width > 1)),
      { settings: { theme: 'light', sizes: [{ width: 2 }] } },
    ],
    [
      'has lists of lists',
      (o) => void (o.grid = [...o.grid.map((cells) => cells.slice(-1)), o.grid[0] ?? []]),
      { grid: [[{ x: 2 }], [{ x: 3 }], [{ x: 1 }, { x: 2 }]] },
    ],
    ['returns another value', (o) => ({ lines: o.lines.slice(1) }), { lines: [{ n: 2, text: 'b' }] }],
  ];

  it.each(recipes)('is kept of a patch of a row that %s', (_, recipe, expected) => {
    const { store, resources, orders, kept } = setupOrder();

    const preview = store.dispatch(resources.patch(Order, 1, recipe as (order: object) => void));
    expect(orders()).toEqual([{ ...order, ...expected }]);
    preview.commit();

    expect([orders(), kept()]).toEqual([[{ ...order, ...expected }], { ...order, ...expected }]);
  });

  it.each(recipes)('is kept of a set that %s', (_, recipe, expected) => {
    const { store, resources, kept } = setupOrder();

    store.dispatch(resources.set(Order, { id: 1 }, recipe as (order: object) => undefined));

    expect(kept()).toEqual({ ...order, ...expected });
  });

  it('is kept of rows that a patch of a list maps', () => {
    const { store, resources, orders } = setupOrder();

    const map = (all: readonly Order[]) => all.map(({ lines, ...rest }) => ({ ...rest, lines: lines.slice(1) }));
    store.dispatch(resources.patch(OrderResource.getList, map as never)).commit();

    expect(orders()).toEqual([{ ...order, lines: [{ n: 2, text: 'b' }] }]);
  });

  it('is kept of the other fields of an answer', () => {
    const { store, resources, read } = setupOrder();
    store.dispatch(
      resources.setResponse(getEnvelope, { items: [order], meta: { tags: [{ name: 'a' }, { name: 'b' }] } } as never),
    );

    const recipe = (draft: { meta: { tags: readonly object[] } }) => {
      draft.meta = { ...draft.meta, tags: draft.meta.tags.slice(1) };
    };
    store.dispatch(resources.patch(getEnvelope, recipe as never)).commit();

    expect(read(getEnvelope.select())?.meta).toEqual({ tags: [{ name: 'b' }] });
  });

  it('is shown of a write, which is sent', async () => {
    const { store, orders } = setupOrder();

    const saving = store.dispatch(OrderResource.removeLine({ id: 1 }, { remove: 1 }));
    expect(orders()[0]?.lines).toEqual([{ n: 2, text: 'b' }]);
    await server.release('PATCH /orders/1', { status: 204 });

    expect(((await saving) as { error?: unknown }).error).toBeUndefined();
    expect(orders()[0]?.lines).toEqual([{ n: 2, text: 'b' }]);
  });

  it('is shown of a create', async () => {
    const { store, orders } = setupOrder();

    const { id: _, ...body } = order;
    const saving = store.dispatch(create(body));
    expect(orders()[1]?.lines).toEqual([{ n: 2, text: 'b', done: true }]);
    await server.release('POST /orders', { status: 500, json: {} });
    await saving;
  });
});
