import { Collection, createResource, Entity, RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const server = await serverOfFile();

interface Query {
  readonly text: string;
  readonly start_cursor?: string;
}
const query: Query = { text: '' };
/** A search whose query and cursor stand in the body. */
const search = new RestEndpoint({
  urlPrefix: server.url,
  path: '/search',
  method: 'POST',
  sideEffect: false,
  body: query,
  schema: { results: new Collection([Note], { name: 'Search' }), next_cursor: '' },
  name: 'search',
}).paginated({
  next: ({ next_cursor }, params, { body }) =>
    next_cursor === '' ? undefined : [params, { ...body, start_cursor: next_cursor }],
});
const linkedParams: { readonly page?: number; readonly tag?: string } = {};
/** A list of which only the headers tell how to go on. */
const Linked = createResource({
  urlPrefix: server.url,
  path: '/notes/:id',
  schema: Note,
  searchParams: linkedParams,
}).extend((base) => ({
  getList: base.getList.paginated({
    next: (_notes, params, { headers }) => {
      const page = headers.get('X-Next-Page');

      return page === null ? undefined : { ...params, page: Number(page) };
    },
    previous: (_notes, params, { headers }) =>
      headers.has('X-Previous-Page') ? { ...params, page: Number(headers.get('X-Previous-Page')) } : undefined,
  }),
}));

const pagesOfTwo = (from: number) => [from, from + 1].map((id) => ({ id, text: `milk ${id}` }));
const ids = (answer: readonly Note[] | { readonly results: readonly Note[] } | undefined) =>
  (answer && ('results' in answer ? answer.results : answer))?.map(({ id }) => id);

describe('pages whose cursor stands in the body', () => {
  async function setupSearch() {
    server.answer('POST /search', ({ body }) => {
      const { start_cursor: cursor = 'a' } = body as Query;

      return { json: { results: pagesOfTwo(cursor === 'a' ? 1 : 3), next_cursor: cursor === 'a' ? 'b' : '' } };
    });
    const tools = setup();
    await tools.store.dispatch(search({ text: 'milk' }));

    return { ...tools, bodies: () => server.received.map(({ body }) => body) };
  }

  it('follow each other in one list, known by the body of the first', async () => {
    const { store, read, bodies } = await setupSearch();

    const whole = await store.dispatch(search.getNextPage({ text: 'milk' })).unwrap();

    expect(bodies()).toEqual([{ text: 'milk' }, { text: 'milk', start_cursor: 'b' }]);
    expect(ids(whole)).toEqual([1, 2, 3, 4]);
    expect(ids(read(search.select({ text: 'milk' })))).toEqual([1, 2, 3, 4]);
    expect(read(search.selectRequest({ text: 'milk' })).hasNextPage).toBe(false);
  });

  it('are all fetched again, each with its body', async () => {
    const { store, resources, bodies } = await setupSearch();
    await store.dispatch(search.getNextPage({ text: 'milk' }));
    store.dispatch(resources.expireAll(search));

    await store.dispatch(search.ifStale({ text: 'milk' }));

    expect(bodies().slice(2)).toEqual([{ text: 'milk' }, { text: 'milk', start_cursor: 'b' }]);
  });
});

describe('pages of which the headers tell how to go on', () => {
  async function setupLinked() {
    server.answer(/GET \/notes/, ({ query: text }) => {
      const page = Number(new URLSearchParams(text).get('page') ?? 2);

      return {
        json: pagesOfTwo(page * 2 - 1),
        headers: {
          ...(page < 3 && { 'X-Next-Page': String(page + 1) }),
          ...(page > 1 && { 'X-Previous-Page': String(page - 1) }),
        },
      };
    });
    const tools = setup();
    await tools.store.dispatch(Linked.getList({ tag: 'a' }));

    return { ...tools, state: () => tools.read(Linked.getList.selectRequest({ tag: 'a' })) };
  }

  it('are read in both directions', async () => {
    const { store, state } = await setupLinked();
    expect(state()).toMatchObject({ hasNextPage: true, hasPreviousPage: true });

    await store.dispatch(Linked.getList.getNextPage({ tag: 'a' }));
    await store.dispatch(Linked.getList.getPreviousPage({ tag: 'a' }));

    expect(state()).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
    expect(ids(state().data)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('are all fetched again, each as the headers of the one before say', async () => {
    const { store, state, resources } = await setupLinked();
    await store.dispatch(Linked.getList.getNextPage({ tag: 'a' }));
    store.dispatch(resources.expireAll(Linked.getList));

    await store.dispatch(Linked.getList.ifStale({ tag: 'a' }));

    expect(server.received.slice(2).map((one) => one.query)).toEqual(['tag=a', 'page=3&tag=a']);
    expect(state()).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  it('are all there after two refetches in flight, of which the first has found fewer', async () => {
    const { store, state, resources } = await setupLinked();
    await store.dispatch(Linked.getList.getNextPage({ tag: 'a' }));
    server.forget();
    const refetch = () => {
      store.dispatch(resources.expireAll(Linked.getList));
      return store.dispatch(Linked.getList.ifStale({ tag: 'a' }));
    };
    const first = refetch();
    await server.holding('GET /notes?tag=a');
    const second = refetch();

    await server.release('GET /notes?tag=a', { json: pagesOfTwo(5) });
    await first;
    await server.release('GET /notes?tag=a', { json: pagesOfTwo(3), headers: { 'X-Next-Page': '3' } });
    await server.release('GET /notes?page=3&tag=a', { json: pagesOfTwo(5) });
    await second;

    expect(ids(state().data)).toEqual([3, 4, 5, 6]);
  });
});

it('a search whose page is a parameter, called with its body alone, sends the next page in the address', async () => {
  const Searched = createResource({
    urlPrefix: server.url,
    path: '/notes/:id',
    schema: Note,
    searchParams: undefined,
    paginationField: 'page',
  }).extend({ getList: { path: '/search', method: 'POST', sideEffect: false, body: query } });
  server.answer('POST /search', ({ query: asked }) => ({ json: pagesOfTwo(asked === 'page=2' ? 3 : 1) }));
  const { store, read } = setup();
  await store.dispatch(Searched.getList({ text: 'milk' }));

  await store.dispatch(Searched.getList.getNextPage({ text: 'milk' }));

  expect(server.received.map(({ query: asked, body }) => [asked, body])).toEqual([
    ['', { text: 'milk' }],
    ['page=2', { text: 'milk' }],
  ]);
  expect(ids(read(Searched.getList.select({ text: 'milk' })))).toEqual([1, 2, 3, 4]);
});
