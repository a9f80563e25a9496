import { Collection, createResource, Entity } from 'rtk-resource';
import { mockServer } from 'rtk-resource/mock';
import { describe, expect, it, vi } from 'vitest';
import {
  ask,
  EnvelopedResource,
  ids as idsOf,
  Issue,
  IssueResource,
  seed,
  serve,
  Todo,
  TodoResource,
  User,
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
const ids = (address: string, from = server): Promise<unknown> => idsOf(from, address);

describe('the filters of a list', () => {
  it.each([
    ['priority=2', [1, 4]],
    ['priority=2&priority=10', [1, 3, 4]],
    ['priority[]=2&priority[]=10', [1, 3, 4]],
    ['author.name=Ada', [1, 3]],
    ['author.name_like=gra', [2]],
    ['author.name[ne]=Ada', [2, 4]],
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

  it.each([
    ['as rows', (id: number) => ({ id })],
    ['as ids', (id: number) => id],
  ])('and orders by a field of a relation find it where relations are seeded %s', async (_, ref) => {
    class Label extends Entity {
      id = 0;
      name = '';
      owner: User | null = null;
      static override key = 'Label';
      static override schema = { owner: User };
    }
    class Note extends Entity {
      id = 0;
      labels: readonly Label[] = [];
      meta: { author: User | null } = { author: null };
      static override key = 'Note';
      static override schema = { labels: [Label], meta: { author: User } };
    }
    const notes = mockServer([createResource({ path: '/notes/:id', schema: Note })], {
      seed: {
        User: [
          { id: 2, name: 'Grace' },
          { id: 10, name: 'Ada' },
        ],
        Label: [
          { id: 5, name: 'bug', owner: ref(10) },
          { id: 6, name: 'wish', owner: ref(2) },
        ],
        Note: [
          { id: 1, labels: [ref(6)], meta: { author: ref(2) } },
          { id: 2, labels: [ref(5), ref(6)], meta: { author: ref(10) } },
        ],
      },
    });

    expect(await ids('/notes?meta.author.name=Ada', notes)).toEqual([2]);
    expect(await ids('/notes?labels.name=bug', notes)).toEqual([2]);
    expect(await ids('/notes?labels.owner.name=Grace', notes)).toEqual([1, 2]);
    expect(await ids('/notes?labels=5&meta.author=10', notes)).toEqual([2]);
    expect(await ids('/notes?sort=meta.author.name', notes)).toEqual([2, 1]);
    expect(await ids('/notes?sort=meta.author', notes)).toEqual([1, 2]);
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

  it.each(['UTC', 'Europe/Berlin'])(
    'compare days and times as the dates that they are, in a zone as %s',
    async (zone) => {
      class Event extends Entity {
        id = 0;
        at = '';
        static override key = 'Event';
      }
      const days = ['2026-01-02', '2026-01-03T00:30:00', '2026-01-04T09:00:00Z', 'soon'];
      vi.stubEnv('TZ', zone);
      const calendar = mockServer([createResource({ path: '/events/:id', schema: Event })], {
        seed: { Event: days.map((at, i) => ({ id: i + 1, at })) },
      });

      const found = await Promise.all([
        ids('/events?at_gte=2026-01-03T00:00:00.000Z&at_lt=2027-01-01', calendar),
        ids('/events?at_lte=2026-01-04T10:00:00%2B01:00', calendar),
        ids('/events?at_gt=2026-01-04', calendar),
      ]);
      vi.unstubAllEnvs();

      expect(found).toEqual([
        [2, 3],
        [1, 2, 3],
        [3, 4],
      ]);
    },
  );

  it('know a related row that is gone as none, and sort by it as by none', async () => {
    const { server: tracker } = serve([], { seed: { Issue: issues } });

    await ask(tracker, 'DELETE /users/1');

    expect(await ids('/issues?author=1', tracker)).toEqual([]);
    expect(await ids('/issues?author.name=Ada', tracker)).toEqual([]);
    expect(await ids('/issues?author=null', tracker)).toEqual([1, 3, 4]);
    expect(await ids('/issues?author_ne=2', tracker)).toEqual([1, 3, 4]);
    expect(await ids('/issues?sort=author.name', tracker)).toEqual([2, 1, 3, 4]);
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

  it.each([
    ['as rows', issues],
    ['as pks', issues.map((issue) => ({ ...issue, author: issue.author?.id ?? null }))],
  ])('ask `belongs` as a store does, where relations are seeded %s', async (_, rows) => {
    const searchParams: { readonly by?: string; readonly tag?: readonly string[] } = {};
    const Issues = createResource({
      path: '/issues/:id',
      schema: Issue,
      searchParams,
      // Several values are a JSON text there.
      belongs: ({ author, labels }, { by, tag = '[]' }) =>
        (by === undefined || author?.name === by) &&
        (JSON.parse(tag) as readonly string[]).every((one) => labels?.includes(one)),
    });
    const tracker = mockServer([Issues, UserResource], { seed: { User: seed.User, Issue: rows } });

    expect(await ids('/issues?by=Ada', tracker)).toEqual([1, 3]);
    expect(await ids('/issues?tag=bug&tag=easy', tracker)).toEqual([4]);
  });

  it('are what a Collection of the user’s says', async () => {
    class Boards extends Collection {
      override nonFilterArgumentKeys(name: string) {
        return name === 'title';
      }
    }
    const { server: todos } = serve([createResource({ path: '/todos/:id', schema: Todo, Collection: Boards })]);

    expect(await ids('/todos?userId=2&title=none', todos)).toEqual([3]);
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
    ['_sort=priority,title&_order=desc,asc', [3, 1, 4, 2]],
    ['sort=priority,title&sortOrder=asc,desc', [4, 1, 3, 2]],
    ['sort=priority,desc', [3, 1, 4, 2]],
    ['sort=priority,desc&sort=title,asc', [3, 1, 4, 2]],
    ['sort=priority,asc,title,desc', [4, 1, 3, 2]],
    ['order=priority.desc,title.asc', [3, 1, 4, 2]],
    ['order=author.name.desc', [2, 1, 3, 4]],
    ['order[priority]=desc', [3, 1, 4, 2]],
    ['order[priority]=asc&order[title]=desc', [4, 1, 3, 2]],
    ['order[author.name]=desc', [2, 1, 3, 4]],
    ['sort[]=priority&sort[]=-title', [4, 1, 3, 2]],
  ])('is stable, by code unit, null last: %s', async (query, expected) => {
    expect(await ids(`/issues?${query}`)).toEqual(expected);
  });
});

describe('an order', () => {
  it('by a field whose name begins as a direction does is by that field', async () => {
    class Item extends Entity {
      id = 0;
      name = '';
      description = '';
      static override key = 'Item';
    }
    const items = [
      { id: 1, name: 'a', description: 'z' },
      { id: 2, name: 'a', description: 'y' },
    ];
    const shop = mockServer([createResource({ path: '/items/:id', schema: Item })], { seed: { Item: items } });

    expect(await ids('/items?sort=name,description', shop)).toEqual([2, 1]);
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
