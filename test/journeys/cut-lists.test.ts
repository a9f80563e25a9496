import { Collection, createResource, Entity } from 'rtk-resource';
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

/** The first two of three open orders, asked for without the number of a page, and the whole of those that are done. */
async function fetched(optimistic = false) {
  const { store, read } = setup();
  const orders = new Collection([Order]);
  const searchParams: { readonly status?: string; readonly page?: number } = {};
  const Orders = createResource({
    urlPrefix: server.url,
    path: '/orders/:id',
    schema: Order,
    searchParams,
    optimistic,
  }).extend({ getList: { schema: { count: orders.total, results: orders } } });
  server.answer('GET /orders?status=open', { json: { count: 3, results: [order(1), order(2)] } });
  server.answer('GET /orders?status=done', { json: { count: 1, results: [order(9, 'done')] } });
  await store.dispatch(Orders.getList({ status: 'open' }));
  await store.dispatch(Orders.getList({ status: 'done' }));
  const shown = () =>
    ['open', 'done'].map((status) => {
      const { data, isStale } = read(Orders.getList.selectRequest({ status }));
      return `${String(data?.results.map(({ id }) => id))} of ${String(data?.count)}${isStale ? ', stale' : ''}`;
    });
  return { store, read, Orders, shown };
}

describe('a list that lacks items which its total counts', () => {
  it('is fetched again when one of them is deleted, for the server fills it up', async () => {
    const { store, Orders, shown } = await fetched();
    server.answer('DELETE /orders/1', { status: 204 });
    await store.dispatch(Orders.delete({ id: 1 }));

    expect(shown()).toEqual(['2 of 2, stale', '9 of 1']);
  });

  it('shows what is created, and is fetched again, for the server cuts it', async () => {
    const { store, Orders, shown } = await fetched(true);
    const creating = store.dispatch(Orders.getList.push({ status: 'open' }));
    await server.holding('POST /orders');
    expect(shown()[0]).toMatch(/^1,2,~.* of 4$/);
    await server.release('POST /orders', { status: 201, json: order(4) });
    await creating;

    expect(shown()).toEqual(['1,2,4 of 4, stale', '9 of 1']);
  });

  it('is fetched again when an edit moves a row out of it, which the whole list takes', async () => {
    const { store, Orders, shown } = await fetched(true);
    const editing = store.dispatch(Orders.partialUpdate({ id: 1 }, { status: 'done' }));
    await server.holding('PATCH /orders/1');
    expect(shown()).toEqual(['2 of 2', '9,1 of 2']);
    await server.release('PATCH /orders/1', { json: order(1, 'done') });
    await editing;

    expect(shown()).toEqual(['2 of 2, stale', '9,1 of 2']);
  });

  it('does not take back by an edit that leaves its filter as it is what a fetch has found behind its end', async () => {
    const { store, Orders, shown } = await fetched(true);
    const editing = store.dispatch(Orders.update({ id: 1 }, order(1)));
    await server.holding('PUT /orders/1');
    server.answer('GET /orders?status=open', { json: { count: 3, results: [order(3), order(2)] } });
    await store.dispatch(Orders.getList({ status: 'open' }));
    await server.release('PUT /orders/1', { json: order(1) });
    await editing;

    expect(shown()[0]).toMatch(/^3,2 of 3/);
  });

  it('does not have all that shows it fetched again, where it is a preview inside an item', async () => {
    class Comment extends Entity {
      id = 0;
      postId = 0;
      static override key = 'Comment';
    }
    const comments = new Collection([Comment], { nestKey: ({ id }: { id: number }) => ({ postId: String(id) }) });
    class Post extends Entity {
      id = 0;
      comments: readonly Comment[] = [];
      commentCount = 0;
      static override key = 'Post';
      static override schema = { comments, commentCount: comments.total };
    }
    const { store, read } = setup();
    const at = { urlPrefix: server.url } as const;
    const Posts = createResource({ ...at, path: '/posts/:id', schema: Post });
    const Comments = createResource({ ...at, path: '/posts/:postId/comments/:id', schema: Comment }).extend({
      getList: { schema: comments },
    });
    server.answer('GET /posts', { json: [{ id: 1, comments: [{ id: 5, postId: 1 }], commentCount: 4 }] });
    server.answer('POST /posts/1/comments', { status: 201, json: { id: 9, postId: 1 } });
    await store.dispatch(Posts.getList());
    await store.dispatch(Comments.getList.push({ postId: 1 }, {}));

    const { data, isStale } = read(Posts.getList.selectRequest());
    expect([data?.[0]?.commentCount, isStale]).toEqual([5, false]);
  });

  it('is not fetched again where it is read page by page, and grows', async () => {
    const { store, read } = setup();
    const orders = new Collection([Order]);
    const searchParams: { readonly page?: number } = {};
    const Orders = createResource({
      urlPrefix: server.url,
      path: '/orders/:id',
      schema: Order,
      searchParams,
      paginationField: 'page',
    }).extend({ getList: { schema: { count: orders.total, results: orders } } });
    server.answer('GET /orders', { json: { count: 3, results: [order(1), order(2)] } });
    server.answer('POST /orders', { status: 201, json: order(4) });
    await store.dispatch(Orders.getList());
    await store.dispatch(Orders.getList.push({ status: 'open' }));

    const { data, isStale } = read(Orders.getList.selectRequest());
    expect([data?.results.map(({ id }) => id), data?.count, isStale]).toEqual([[1, 2, 4], 4, false]);
  });
});
