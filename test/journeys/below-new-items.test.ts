import { Collection, createResource, Entity, RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { expectIdle, setup } from '../support/store.js';

class Order extends Entity {
  id: number | string = 0;
  title = '';
  static override key = 'Order';
}
class Line extends Entity {
  id = 0;
  sku = '';
  static override key = 'Line';
}

const server = await serverOfFile();
const at = { urlPrefix: server.url, optimistic: true } as const;
const Orders = createResource({ ...at, path: '/orders/:id', schema: Order });
const Lines = createResource({ ...at, path: '/orders/:orderId/lines/:id', schema: Line });

/** A store in which an order is being created; `shown` are the lines of it, whenever they change. */
async function begin() {
  const tools = setup();
  const { store, watch } = tools;
  const creating = store.dispatch(Orders.getList.push({ title: 'new' }));
  await server.holding('POST /orders');
  const orderId = `~${creating.requestId}`;
  const shown = watch((state) =>
    Lines.getList
      .select({ orderId })(state)
      ?.map(({ sku }) => sku)
      .join(),
  );
  return { ...tools, creating, orderId, shown };
}

describe('the list below an item whose create is in flight', () => {
  it.each(['before', 'after'])('shows what is created in it %s it is read, until the server has told', async (when) => {
    const { store, creating, orderId, shown } = await begin();
    const push = () => store.dispatch(Lines.getList.push({ orderId }, { sku: 'a' }));
    const early = when === 'before' ? push() : undefined;
    const reading = store.dispatch(Lines.getList({ orderId }));
    const pushing = early ?? push();
    expect(shown.at(-1)).toBe('a');

    await server.release('POST /orders', { json: { id: 7, title: 'new' } });
    await creating;
    await server.release('POST /orders/7/lines', { json: { id: 70, sku: 'a' } });
    await pushing;
    await server.release('GET /orders/7/lines', { json: [{ id: 70, sku: 'a' }] });
    await reading;

    expect(shown).toEqual(when === 'before' ? [undefined, 'a'] : [undefined, '', 'a']);
  });

  it('keeps what it was given by hand, under the id of the server', async () => {
    const { store, resources, creating, orderId, shown, read } = await begin();
    store.dispatch(resources.setResponse(Lines.getList, { orderId }, []));
    const pushing = store.dispatch(Lines.getList.push({ orderId }, { sku: 'a' }));
    await server.release('POST /orders', { json: { id: 7, title: 'new' } });
    await creating;
    await server.release('POST /orders/7/lines', { json: { id: 70, sku: 'a' } });
    await pushing;

    expect(shown).toEqual([undefined, '', 'a']);
    expect(read(Lines.getList.select({ orderId: 7 }))?.map(({ id }) => id)).toEqual([70]);
  });

  it('is not asked for where the create is refused', async () => {
    const { store, creating, orderId } = await begin();
    const reading = store.dispatch(Lines.getList({ orderId }));
    const before = server.received.length;
    await server.release('POST /orders', { status: 422, json: {} });
    await creating;

    expect((await reading).error?.code).toBe('R14');
    expect(server.received).toHaveLength(before);
  });

  it('leaves nothing behind where its argsKey cannot read the id', async () => {
    const { store, slice } = setup();
    const argsKey = ({ orderId }: { orderId: number }) => ({ orderId: orderId.toFixed() });
    const getLines = new RestEndpoint({
      urlPrefix: server.url,
      path: '/lines',
      searchParams: {} as { orderId: number },
      schema: new Collection([Line], { argsKey }),
    });
    const creating = store.dispatch(Orders.getList.push({ title: 'new' }));
    await server.holding('POST /orders');
    const { error } = await store.dispatch(getLines({ orderId: `~${creating.requestId}` as never }));
    await server.release('POST /orders', { json: { id: 7, title: 'new' } });
    await creating;

    expect(error?.message).toContain('toFixed');
    expectIdle(slice());
  });

  it('is not known where its argument says something else than what it is below', async () => {
    const { store, orderId, read } = await begin();
    const searchParams: { readonly after?: string } = {};
    const getAfter = Orders.getList.extend({ name: 'Order/after', searchParams });
    const reading = store.dispatch(getAfter({ after: orderId }));

    expect(read(getAfter.select({ after: orderId }))).toBeUndefined();
    reading.abort();
  });
});
