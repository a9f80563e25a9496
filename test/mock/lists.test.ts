import { Collection, createResource, Entity, RestEndpoint } from 'rtk-resource';
import { mockServer, type MockServer } from 'rtk-resource/mock';
import { describe, expect, it } from 'vitest';
import {
  ask,
  EnvelopedResource,
  IssueResource,
  json,
  PagedResource,
  serve,
  Todo,
  TodoResource,
  UserResource,
} from '../support/mocked.js';

const issues = [
  { id: 1, title: 'Broken door', priority: 2, author: { id: 1, name: 'Ada' }, labels: ['bug'] },
  { id: 2, title: 'Paint the wall', priority: null, author: { id: 2, name: 'Grace' }, labels: ['wish', 'easy'] },
  { id: 3, title: 'broken window', priority: 10, author: { id: 1, name: 'Ada' }, labels: [] },
  { id: 4, title: 'Zebra', priority: 2, author: null, labels: ['bug', 'easy'] },
];
const server = mockServer([IssueResource, UserResource], { seed: { Issue: issues } });

/** The ids of what an address lists. */
async function ids(address: string, from: MockServer = server): Promise<unknown> {
  const { status, body } = await ask(from, address);
  return status === 200 ? (body as { id: number }[]).map(({ id }) => id) : body;
}

describe('the filters of a list', () => {
  it.each([
    ['priority=2', [1, 4]],
    ['priority=2&priority=10', [1, 3, 4]],
    ['priority[]=2&priority[]=10', [1, 3, 4]],
    ['author.name=Ada', [1, 3]],
    ['author=2', [2]],
    ['labels=easy', [2, 4]],
    ['labels=easy&priority=2', [4]],
    ['priority_gte=2', [1, 3, 4]],
    ['priority[gt]=2', [3]],
    ['priority_lt=10', [1, 4]],
    ['priority[lte]=10', [1, 3, 4]],
    ['title_gte=Z', [3, 4]],
    ['title_ne=Zebra', [1, 2, 3]],
    ['title_like=BROKEN', [1, 3]],
    ['q=wall', [2]],
    ['search=easy', [2, 4]],
    ['title=', [1, 2, 3, 4]],
    ['include=author&fields=id&$expand=author&_embed=x', [1, 2, 3, 4]],
  ])('let through what fits: %s', async (query, expected) => {
    expect(await ids(`/issues?${query}`)).toEqual(expected);
  });

  it('tell of a name that is no field with those that are, the nearest first', async () => {
    expect(await ids('/issues?titel=Zebra')).toEqual({
      status: 400,
      title: '"titel" is no field of Issue: title, id, labels, author, priority',
    });
    expect(await ids('/issues?sort=-titel')).toEqual({
      status: 400,
      title: '"titel" is no field of Issue: title, id, labels, author, priority',
    });
  });

  it('let through all for a name that is no field, where they are told to', async () => {
    const lenient = mockServer([IssueResource], { seed: { Issue: issues }, unknownFilters: 'ignore' });

    expect(await ids('/issues?titel=Zebra&sort=nothing,-id', lenient)).toEqual([4, 3, 2, 1]);
  });

  it('take a name of a page or an order for a field, where rows have it and nothing else can be read', async () => {
    class Shirt extends Entity {
      id = 0;
      size = '';
      order = 0;
      static override key = 'Shirt';
    }
    const shirts = [
      { id: 1, size: 'M', order: 5 },
      { id: 2, size: '40', order: 6 },
    ];
    const shop = mockServer([createResource({ path: '/shirts/:id', schema: Shirt })], { seed: { Shirt: shirts } });

    expect(await ids('/shirts?size=M', shop)).toEqual([1]);
    expect(await ids('/shirts?size=40', shop)).toEqual([2]);
    expect(await ids('/shirts?order=6', shop)).toEqual([2]);
    expect(await ids('/shirts?order=-size', shop)).toEqual([1, 2]);
  });

  it('take the default of the class for a field that a row does not have', async () => {
    const { server: todos } = serve([], {
      seed: {
        Todo: [
          { id: 1, title: 'Read' },
          { id: 2, completed: true },
        ],
      },
    });

    expect(await ids('/todos?completed=false', todos)).toEqual([1]);
    expect(await ids('/todos?completed_ne=false', todos)).toEqual([2]);
    expect(await ids('/todos?userId_gte=0', todos)).toEqual([1, 2]);
    expect(await ids('/todos?sort=-completed', todos)).toEqual([2, 1]);
  });

  it('are what the user says of them: what belongs, and what filters nothing', async () => {
    const Todos = createResource({
      path: '/todos/:id',
      schema: Todo,
      belongs: ({ completed }, { state }) => (state === undefined ? undefined : (state === 'done') === completed),
      nonFilterArgumentKeys: ['view', 'title'],
      windowArgumentKeys: ['from'],
    });
    const { server: todos } = serve([Todos]);

    expect(await ids('/todos?state=done', todos)).toEqual([2]);
    expect(await ids('/todos?userId=2', todos)).toEqual([3]);
    expect(await ids('/todos?userId=2&view=wide&title=none', todos)).toEqual([3]);
    expect(await ids('/todos?from=2', todos)).toEqual([3]);
  });
});

describe('the order of a list', () => {
  it.each([
    ['sort=title', [1, 2, 4, 3]],
    ['sort=-title', [3, 4, 2, 1]],
    ['orderBy=priority', [1, 4, 3, 2]],
    ['_sort=priority&_order=desc', [3, 1, 4, 2]],
    ['sort=priority:desc,title', [3, 1, 4, 2]],
    ['order_by=priority%20desc,-id', [3, 4, 1, 2]],
    ['sortBy=title&sortOrder=desc', [3, 4, 2, 1]],
    ['sort=author.name', [1, 3, 2, 4]],
  ])('is stable, by code unit, null last: %s', async (query, expected) => {
    expect(await ids(`/issues?${query}`)).toEqual(expected);
  });
});

describe('the pages of a list', () => {
  it.each([
    ['page=2&limit=3', [4, 5, 6]],
    ['_page=2&_per_page=2', [3, 4]],
    ['page[number]=2&page[size]=3', [4, 5, 6]],
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

    expect(await ids(`/todos?${query}`, todos)).toEqual(expected);
  });

  it('tell in headers how many rows there are, and where the pages beside lie', async () => {
    const { server: todos } = serve([], { seed: { Todo: 7 } });

    const { headers } = await ask(todos, '/todos?id_gt=1&page=2&limit=2');

    expect(headers.get('x-total-count')).toBe('6');
    expect(headers.get('link')).toBe(
      '</todos?id_gt=1&page=3&limit=2>; rel="next", </todos?id_gt=1&page=1&limit=2>; rel="prev"',
    );
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

    expect(await ids(next, todos)).toEqual([5, 6]);
    expect(await ids(prev, todos)).toEqual([3, 4]);
  });

  it('go on after a row that is gone, where its pk is the cursor', async () => {
    const { server: todos } = serve([], { seed: { Todo: 7 } });

    await ask(todos, 'DELETE /todos/5');

    expect(await ids('/todos?sort=title&starting_after=5', todos)).toEqual([6, 7]);
  });

  it('refuse a cursor of another order, and one that is none', async () => {
    const { server: todos } = serve([], { seed: { Todo: 3 } });
    const { headers } = await ask(todos, '/todos?after=1&limit=1');
    const [, next = ''] = /<(.*?)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];

    expect((await ask(todos, `${next}&sort=title`)).status).toBe(400);

    expect((await ask(todos, '/todos?after=nonsense')).status).toBe(400);
  });
});

describe('the total of a list', () => {
  it('is that of the client, after creates and deletions', async () => {
    const { server: todos, store, read } = serve([EnvelopedResource]);
    const { getList } = EnvelopedResource;
    await store.dispatch(getList({ userId: 1 }));

    await store.dispatch(getList.push({ userId: 1 }, { title: 'New' }));
    await store.dispatch(getList.push({ userId: 1 }, { title: 'Newer' }));
    await store.dispatch(TodoResource.delete({ id: 1 }));

    const shown = read(getList.select({ userId: 1 }));
    const { body } = await ask(todos, '/todos?userId=1');
    expect(shown).toMatchObject({ total: 3, results: [{ id: 2 }, { id: 4 }, { id: 5 }] });
    expect(body).toMatchObject({ total: 3 });
  });
});
