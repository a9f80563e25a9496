import { Collection, createResource, RestEndpoint } from 'rtk-resource';
import { mockServer } from 'rtk-resource/mock';
import { describe, expect, it } from 'vitest';
import { ask, EnvelopedResource, ids, json, PagedResource, serve, Todo, TodoResource } from '../support/mocked.js';

describe('the pages of a list', () => {
  it.each([
    ['page=2&limit=3', [4, 5, 6]],
    ['_page=2&_per_page=2', [3, 4]],
    ['page[number]=2&page[size]=3', [4, 5, 6]],
    ['pagination[page]=2&pagination[pageSize]=3', [4, 5, 6]],
    ['pageNumber=1&pageSize=2', [1, 2]],
    ['pageNumber=2&pageSize=2', [3, 4]],
    ['page_number=2&page_size=3', [4, 5, 6]],
    ['pageIndex=0&pageSize=2', [1, 2]],
    ['page_index=1&page_size=2', [3, 4]],
    ['offset=5&limit=10', [6, 7]],
    ['$skip=1&$top=2', [2, 3]],
    ['start=6&maxResults=2', [7]],
    ['_start=1&_end=3', [2, 3]],
    ['_end=2', [1, 2]],
    ['_start=5&_end=9', [6, 7]],
    ['limit=2', [1, 2]],
    ['last=2', [6, 7]],
    ['starting_after=5', [6, 7]],
    ['before=3&limit=1', [2]],
    ['page=9&limit=3', []],
    ['', [1, 2, 3, 4, 5, 6, 7]],
  ])('are asked for in the words of the field: %s', async (query, expected) => {
    const { server: todos } = serve([], { seed: { Todo: 7 } });

    expect(await ids(todos, `/todos?${query}`)).toEqual(expected);
  });

  it('tell in headers how many rows there are, and where the pages beside lie', async () => {
    const { server: todos } = serve([], { seed: { Todo: 7 } });

    const { headers } = await ask(todos, '/todos?id_gt=1&page=2&limit=2');

    expect(headers.get('x-total-count')).toBe('6');
    expect(headers.get('link')).toBe(
      '</todos?id_gt=1&page=3&limit=2>; rel="next", </todos?id_gt=1&page=1&limit=2>; rel="prev"',
    );
  });

  it.each([
    ['_start=0&_end=2', '_start=2&_end=4'],
    ['_end=2', '_end=4&_start=2'],
    ['pageIndex=0&pageSize=2', 'pageIndex=1&pageSize=2'],
  ])('lead on with all that names a place: %s', async (query, next) => {
    const { server: todos } = serve([], { seed: { Todo: 4 } });

    const { headers } = await ask(todos, `/todos?${query}`);

    expect(headers.get('link')).toBe(`</todos?${next}>; rel="next"`);
    expect(await ids(todos, `/todos?${next}`)).toEqual([3, 4]);
  });

  it.each([
    ['page', 1, 2],
    ['offset', 0, 2],
  ])(
    'are numbers from the first on, where they are asked for by %s and the answer names the next',
    async (name, at, next) => {
      const schema = { data: new Collection([Todo]), links: { next: '' } };
      const getPosts = new RestEndpoint({ path: '/posts', paginationField: name, schema });
      const server = mockServer([getPosts], { seed: { Todo: 5 }, pageSize: 2 });

      const { body: first } = await ask(server, '/posts');
      const { body: named } = await ask(server, `/posts?${name}=${at}`);

      expect(first).toMatchObject({ data: [{ id: 1 }, { id: 2 }], links: { next } });
      expect(first).toEqual(named);
    },
  );

  it('lead back to the first, and on from it where it has no number', async () => {
    const Indexed = createResource({ path: '/todos/:id', schema: Todo, paginationField: 'pageIndex' });
    const { server: todos } = serve([Indexed], { seed: { Todo: 3 }, pageSize: 2 });

    const { headers: first } = await ask(todos, '/todos');
    const { headers: second } = await ask(todos, '/todos?pageIndex=1');

    expect(first.get('link')).toBe('</todos?pageIndex=1>; rel="next"');
    expect(second.get('link')).toBe('</todos?pageIndex=0>; rel="prev"');
  });

  it('have the offset that a pagination field is named for', async () => {
    const Skipping = createResource({ path: '/todos/:id', schema: Todo, paginationField: 'offset' });
    const { server: todos } = serve([Skipping], { seed: { Todo: 5 }, pageSize: 2 });

    expect(await ids(todos, '/todos?offset=0')).toEqual([1, 2]);
    expect(await ids(todos, '/todos?offset=3')).toEqual([4, 5]);
  });

  it('begin behind the row whose number a pagination field is named for', async () => {
    const Keyset = createResource({ path: '/todos/:id', schema: Todo, paginationField: 'after' });
    const { server, store } = serve([Keyset], { seed: { Todo: 10 }, pageSize: 3 });
    await store.dispatch(Keyset.getList());

    const list = await store.dispatch(Keyset.getList.getPage({ after: 3 })).unwrap();
    await ask(server, 'DELETE /todos/6');

    expect(list.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await ids(server, '/todos?after=6')).toEqual([7, 8, 9]);
  });

  it('are counted from 1, and a page 0 is told to be none', async () => {
    const { server: todos } = serve([], { seed: { Todo: 4 } });

    const { status, body } = await ask(todos, '/todos?page=0&size=2');

    expect([status, body]).toEqual([
      400,
      {
        status: 400,
        title: 'There is no page=0: pages count from 1, and from 0 as pageIndex',
      },
    ]);
  });

  it('tell in the answer what its schema has fields for', async () => {
    const { server: todos } = serve([EnvelopedResource], { seed: { Todo: 5 }, pageSize: 2 });

    const first = await ask(todos, '/todos?page=1');
    const last = await ask(todos, '/todos?page=3');

    expect(first.body).toMatchObject({ total: 5, next: 2, hasMore: true });
    expect(last.body).toMatchObject({ total: 5, next: '', hasMore: false });
    expect(first.headers.has('link')).toBe(false);
    expect(first.headers.has('x-total-count')).toBe(false);
  });

  it('tell how many there are, and not in fields whose names are like it', async () => {
    const counts = {
      ...{ total: 0, todosCount: 0, total_items: 0, totalPages: 0, total_pages: 0, pageCount: 0, lastPage: 0 },
      ...{ accountId: 9, discount: 9, subtotal: 9, country: 9 },
    };
    const getCounted = new RestEndpoint({
      path: '/counted',
      schema: { results: new Collection([Todo]), meta: counts },
      searchParams: {} as { readonly limit: number } | undefined,
    });
    const { server: todos } = serve([getCounted], { seed: { Todo: 5 } });

    const [paged, whole] = await Promise.all([ask(todos, '/counted?limit=2'), ask(todos, '/counted')]);

    const others = { accountId: 9, discount: 9, subtotal: 9, country: 9 };
    const rows = { total: 5, todosCount: 5, total_items: 5 };
    const pages = (n: number) => ({ totalPages: n, total_pages: n, pageCount: n, lastPage: n });
    expect(paged.body).toMatchObject({ meta: { ...others, ...rows, ...pages(3) } });
    expect(whole.body).toMatchObject({ meta: { ...others, ...rows, ...pages(1) } });
  });

  it('tell their own number', async () => {
    const todos = new Collection([Todo]);
    const getList = TodoResource.getList.extend({ schema: { todos, meta: { current_page: 1, pageNumber: 0 } } });
    const { server } = serve([{ getList }], { seed: { Todo: 5 } });
    const metaOf = async (query: string) => ((await ask(server, `/todos?${query}`)).body as { meta: object }).meta;

    expect(await metaOf('page=3&limit=2')).toEqual({ current_page: 3, pageNumber: 3 });
    expect(await metaOf('limit=2')).toEqual({ current_page: 1, pageNumber: 1 });
    expect(await metaOf('offset=2')).toEqual({ current_page: 1, pageNumber: 0 });
  });

  it('begin with the first where the endpoint has pages', async () => {
    const { server: numbered } = serve([PagedResource], { seed: { Todo: 5 }, pageSize: 2 });
    const Cursors = {
      getList: TodoResource.getList.paginated({ next: (page, args) => ({ ...args, after: page.at(-1)?.id }) }),
    };
    const { server: cursors } = serve([Cursors], { seed: { Todo: 5 }, pageSize: 2 });

    const [byNumber, byCursor] = await Promise.all([ask(numbered, '/todos'), ask(cursors, '/todos')]);

    expect(byNumber.body).toHaveLength(2);
    expect(byNumber.headers.get('link')).toBe('</todos?page=2>; rel="next"');
    expect(byCursor.body).toHaveLength(2);
    expect(byCursor.headers.get('link')).toMatch(/^<\/todos\?cursor=[^>]+>; rel="next"$/);
  });

  it.each([
    ['page', 'page=2', 'page=3'],
    ['page[number]', 'page%5Bnumber%5D=2', 'page%5Bnumber%5D=3'],
    ['pageIndex', 'pageIndex=1', 'pageIndex=2'],
    ['$skip', '%24skip=2', '%24skip=4'],
  ])('are asked for by the parameter that an option names: %s', async (name, second, third) => {
    const getList = TodoResource.getList.paginated({ next: () => undefined });
    const server = mockServer([{ getList }], { seed: { Todo: 5 }, pageSize: 2, pages: { 'Todo/getList': name } });
    const linkOf = async (query: string) => (await ask(server, `/todos?${query}`)).headers.get('link');

    expect(await linkOf('id_gt=0')).toBe(`</todos?id_gt=0&${second}>; rel="next"`);
    expect(await linkOf(second)).toMatch(`</todos?${third}>; rel="next"`);
    expect(await ids(server, `/todos?${third}`)).toEqual([5]);
  });

  it('have their whole address in a text, and their number in a number, where an option names the parameter', async () => {
    const todos = new Collection([Todo]);
    const getList = TodoResource.getList.extend({
      schema: { todos, next: '', previous: null, '@odata.nextLink': null, next_page: 0 },
    });
    const server = mockServer([{ getList }], { seed: { Todo: 5 }, pageSize: 2, pages: { 'Todo/getList': 'page' } });
    const at = (page: number) => `https://example.com/api/todos?userId=0&page=${page}`;

    const { body: middle } = await ask(server, at(2));
    const { body: last } = await ask(server, at(3));

    expect(middle).toMatchObject({ next: at(3), previous: at(1), '@odata.nextLink': at(3), next_page: 3 });
    expect(last).toMatchObject({ next: '', previous: at(2), '@odata.nextLink': null, next_page: 0 });
  });

  it.each(['cursor', 'after', 'page'])(
    'show every remaining row once under inserts and deletions: %s',
    async (name) => {
      const { server: todos } = serve([EnvelopedResource], { seed: { Todo: 9 } });
      const seen: number[] = [];
      let query = '';
      do {
        const { body } = await ask(todos, `/todos?sort=-id&limit=2${query}`);
        const answer = body as { results: readonly Todo[]; next: string };
        seen.push(...answer.results.map(({ id }) => id));
        query = answer.next && `&${name}=${encodeURIComponent(answer.next)}`;
        // A row comes before all that were seen, and the last of them goes.
        await ask(todos, 'POST /todos', json({ title: 'New' }));
        await ask(todos, `DELETE /todos/${seen.at(-1)}`);
      } while (query !== '');

      expect(seen).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    },
  );

  it('lead back by the cursor that is told', async () => {
    const { server: todos } = serve([], { seed: { Todo: 6 } });
    const linked = async (address: string): Promise<Record<string, string>> => {
      const { headers } = await ask(todos, address);
      const links = [...(headers.get('link') ?? '').matchAll(/<(.*?)>; rel="(\w+)"/g)];
      return Object.fromEntries(links.map(([, to = '', rel = '']) => [rel, to]));
    };

    const { next = '' } = await linked('/todos?after=2&limit=2');
    const { prev = '' } = await linked(next);

    expect(await ids(todos, next)).toEqual([5, 6]);
    expect(await ids(todos, prev)).toEqual([3, 4]);
  });

  it('go on after a row that is gone, where its pk is the cursor', async () => {
    const { server: todos } = serve([], { seed: { Todo: 7 } });

    await ask(todos, 'DELETE /todos/5');

    expect(await ids(todos, '/todos?sort=title&starting_after=5')).toEqual([6, 7]);
  });

  it('refuse a cursor of another order, and one that is none', async () => {
    const { server: todos } = serve([], { seed: { Todo: 3 } });
    const { headers } = await ask(todos, '/todos?after=1&limit=1');
    const [, next = ''] = /<(.*?)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];

    expect((await ask(todos, `${next}&sort=title`)).status).toBe(400);

    expect((await ask(todos, '/todos?after=nonsense')).status).toBe(400);
  });
});
