import { Collection, createResource, Entity } from 'rtk-resource';
import { describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Post extends Entity {
  id = 0;
  title = '';
  static override key = 'Post';
}

const server = await serverOfFile();

const shared = { urlPrefix: server.url, path: '/posts/:id', schema: Post } as const;
const searchParams = {} as { readonly page?: number; readonly offset?: number } | undefined;
const Posts = createResource({ ...shared, searchParams }).extend({
  getList: { schema: { items: new Collection([Post]), next: '' } },
});
/** Each answer has the whole address of the next page. */
const getList = Posts.getList.paginated({
  next: ({ next }) => (next === '' ? undefined : Object.fromEntries(new URLSearchParams(next))),
});
const Numbered = createResource({ ...shared, searchParams, name: 'Numbered', paginationField: 'page' });

const post = (id: number) => ({ id, title: '' });
const asked = () => server.received.flatMap(({ method, query }) => (method === 'GET' ? [query] : []));

/** Pages of two, as a server has them that refuses what is beyond the last. */
function serve(by: 'page' | 'offset' | 'after', status: number) {
  let rows = [1, 2, 3].map(post);
  server.answer(/^GET \/posts/, ({ query }) => {
    const given = new URLSearchParams(query).get(by);
    const last = rows.findIndex(({ id }) => id === Number(given));
    const from = by === 'page' ? (Number(given ?? 1) - 1) * 2 : by === 'offset' ? Number(given) : last + 1;
    const isThere = from === 0 ? given === null || by !== 'after' : from < rows.length;
    const items = rows.slice(from, from + 2);
    const next = { page: from / 2 + 2, offset: from + 2, after: items.at(-1)?.id ?? 0 }[by];

    return isThere ? { json: { items, next: from + 2 < rows.length ? `${by}=${String(next)}` : '' } } : { status };
  });
  server.answer(/^DELETE/, ({ path }) => {
    rows = rows.filter(({ id }) => path !== `/posts/${String(id)}`);

    return { status: 204 };
  });
}

/** A list whose first page is shown. */
async function setupList() {
  const tools = setup();
  const { store, read } = tools;
  const state = () => read(getList.selectRequest());
  store.dispatch(getList.subscribe());
  await vi.waitFor(() => {
    expect(state().isSuccess).toBe(true);
  });

  return {
    ...tools,
    state,
    ids: () => state().data?.items.map(({ id }) => id),
    isSettled: () =>
      vi.waitFor(() => {
        expect([state().isFetching, state().isFetchingNextPage]).toEqual([false, false]);
      }),
  };
}

describe('a next page that is refused after rows have left the list', () => {
  it.each([
    ['page', 404, 'page=2'],
    ['offset', 416, 'offset=2'],
    ['after', 400, 'after=2'],
  ] as const)('has all pages read again, by %s (%i): its rows have moved up', async (by, status, next) => {
    serve(by, status);
    const { store, state, ids, isSettled } = await setupList();
    const gone = by === 'after' ? 2 : 1;
    await store.dispatch(Posts.delete({ id: gone }));

    const refused = await store.dispatch(getList.getNextPage());
    await isSettled();

    expect(refused.error?.status).toBe(status);
    expect(ids()).toEqual([3 - gone, 3]);
    expect(state()).toMatchObject({ nextPageError: undefined, hasNextPage: false, isStale: false });
    expect(asked()).toEqual(['', next, '']);
  });

  it('makes the list stale where nobody is subscribed to it', async () => {
    serve('page', 404);
    const { store, read } = setup();
    await store.dispatch(getList());
    await store.dispatch(Posts.delete({ id: 1 }));

    await store.dispatch(getList.getNextPage());

    expect(read(getList.selectRequest())).toMatchObject({ isStale: true, nextPageError: { status: 404 } });
  });

  it('and is refused once more, leaves the list as it is', async () => {
    serve('page', 404);
    const { store, state, isSettled } = await setupList();
    await store.dispatch(Posts.delete({ id: 1 }));
    server.answer(/^GET \/posts $/, { json: { items: [post(2), post(3)], next: 'page=2' } });
    await store.dispatch(getList.getNextPage());
    await isSettled();

    await store.dispatch(getList.getNextPage());
    await isSettled();

    expect(state()).toMatchObject({ nextPageError: { status: 404 }, isStale: false });
    expect(asked()).toEqual(['', 'page=2', '', 'page=2']);
  });

  it('is not asked for again when the list is refused, too', async () => {
    serve('page', 404);
    const { store, state, isSettled } = await setupList();
    await store.dispatch(Posts.delete({ id: 1 }));
    server.answer(/^GET/, { status: 404 });
    await store.dispatch(getList.getNextPage());
    await isSettled();

    expect(state()).toMatchObject({ error: { status: 404 }, nextPageError: { status: 404 } });
    expect(asked()).toEqual(['', 'page=2', '']);
  });

  it.each([401, 403, 408, 429, 500])('with %i, leaves the list as it is', async (status) => {
    serve('page', 404);
    const { store, state } = await setupList();
    await store.dispatch(Posts.delete({ id: 1 }));
    server.answer('GET /posts?page=2', { status });

    await store.dispatch(getList.getNextPage());

    expect(state()).toMatchObject({ nextPageError: { status }, isStale: false, isFetching: false });
  });
});

it('a page that is asked for by its number, and refused after rows have left, makes its list stale', async () => {
  const { store, read } = setup();
  server.answer(/^GET/, ({ query }) => (query === '' ? { json: [post(1), post(2)] } : { status: 404 }));
  server.answer('DELETE /posts/1', { status: 204 });
  await store.dispatch(Numbered.getList());
  const isStaleAfterPage = async () => {
    await store.dispatch(Numbered.getList.getPage({ page: 2 }));
    return read(Numbered.getList.selectRequest()).isStale;
  };

  expect(await isStaleAfterPage()).toBe(false);
  await store.dispatch(Numbered.delete({ id: 1 }));
  expect(await isStaleAfterPage()).toBe(true);
});

it('a next page that is refused though all rows are there leaves the list as it is', async () => {
  serve('page', 404);
  const { store, state } = await setupList();
  server.answer('GET /posts?page=2', { status: 404 });

  await store.dispatch(getList.getNextPage());

  expect(state()).toMatchObject({ nextPageError: { status: 404 }, isStale: false, isFetching: false });
});

describe('a numbered page that is refused when all pages are read again', () => {
  const pages = ['', 'page=2', 'page=3'];

  /** Three pages of one, read again when the server has other titles, and refuses some. */
  async function readAgain(refused: Readonly<Record<string, number>>) {
    const { store, resources, read } = setup();
    const { getList } = Numbered;
    server.answer(/^GET/, ({ query }) => ({ json: [post(pages.indexOf(query) + 1)] }));
    await store.dispatch(getList());
    for (let i = 0; i < 2; i++) await store.dispatch(getList.getNextPage());
    server.answer(/^GET/, ({ query }) => {
      const status = refused[query];

      return status ? { status } : { json: [{ id: pages.indexOf(query) + 1, title: 'new' }] };
    });
    store.dispatch(resources.expire(getList));
    await store.dispatch(getList.ifStale());
    const { data = [], error, hasNextPage } = read(getList.selectRequest());

    return { rows: data.map(({ id, title }) => `${String(id)}${title}`), status: error?.status, hasNextPage };
  }

  it.each([400, 404, 416])('with %i, is the end: the list is what comes before it', async (status) => {
    expect(await readAgain({ 'page=2': status, 'page=3': status })).toEqual({
      rows: ['1new'],
      status: undefined,
      hasNextPage: true,
    });
    expect((await readAgain({ 'page=3': status })).rows).toEqual(['1new', '2new']);
  });

  it('is a failure where it is the first, or the server says otherwise why', async () => {
    const unchanged = ['1', '2', '3'];
    expect(await readAgain({ '': 404 })).toMatchObject({ rows: unchanged, status: 404 });
    expect(await readAgain({ 'page=3': 500 })).toMatchObject({ rows: unchanged, status: 500 });
  });
});
