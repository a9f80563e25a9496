import { Collection, createResource, Entity, NetworkError } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile, type Reply } from '../support/server.js';
import { setup } from '../support/store.js';

/** Lists whose arguments name a field in another way than `field=value`, and an edit of that field. */
class Task extends Entity {
  id = 0;
  title = '';
  price = 0;
  status = 'open';
  assigneeId: number | null = null;
  tags: readonly string[] = [];
  createdAt: string | undefined = undefined;
  static override key = 'Task';
}
const server = await serverOfFile();
const searchParams: Readonly<Record<string, unknown>> = {};
const at = { urlPrefix: server.url, path: '/tasks/:id', schema: Task, searchParams } as const;
const Tasks = createResource(at);
const before = { id: 1, title: 'a', price: 5, status: 'open', assigneeId: null };
const after = { title: 'z', price: 50, status: 'done', assigneeId: 3 };

async function isStaleAfter(search: object) {
  const { store, read } = setup();
  server.answer(/^GET /, { json: [before, { ...before, id: 2, title: 'b' }] });
  server.answer(/^PATCH /, { json: { ...before, ...after } });
  await store.dispatch(Tasks.getList(search as never));
  await store.dispatch(Tasks.partialUpdate({ id: 1 }, after));
  return read(Tasks.getList.selectRequest(search as never)).isStale;
}

describe('a list stays fresh after an edit', () => {
  it.each([
    { sort: 'id' },
    { fields: 'title,price' },
    { page_size: 'price' },
    { q: 'y' },
    { user_id: 3 },
    { tag: 'a' },
    { 'fields[orders]': 'title,price' },
  ])('of no field that it names: %j', async (search) => {
    expect(await isStaleAfter(search)).toBe(false);
  });

  it('by hand, as a socket makes it at each message', async () => {
    const { store, read, resources } = setup();
    server.answer(/^GET /, { json: [before] });
    await store.dispatch(Tasks.getList({ sort: 'price' }));

    store.dispatch(resources.set(Task, { id: 1, price: 7 }));

    expect(read(Tasks.getList.selectRequest({ sort: 'price' })).isStale).toBe(false);
  });
});

describe('a list stays fresh after an edit of another field', () => {
  const Votes = createResource({
    urlPrefix: server.url,
    path: '/votes/:id',
    schema: Task,
    searchParams,
    name: 'Votes',
    belongs: ({ price = 0 }, { minPrice }) => minPrice === undefined || price >= Number(minPrice),
    nonFilterArgumentKeys: ['with', 'sort'],
  }).extend({
    getList: {
      schema: new Collection([Task], {
        name: 'Votes',
        belongs: ({ price = 0 }, { minPrice }) => minPrice === undefined || price >= Number(minPrice),
        nonFilterArgumentKeys: ['with', 'sort'],
      }),
    },
  });

  it.each([
    ['whose value is an equal array', Tasks, { sort: 'tags' }, { ...before, tags: ['a'] }, { title: 'z' }],
    [
      'which the row had not, and the answer has',
      Tasks,
      { sort: 'createdAt' },
      { ...before, createdAt: 'now' },
      { title: 'z' },
    ],
    [
      'that an argument is called like, which is another field',
      Tasks,
      { created: 'now' },
      { ...before, created: 'now', createdAt: 'x' },
      { price: 7 },
    ],
    ['of which belongs says who is in the list', Votes, { minPrice: 3 }, { ...before, price: 7 }, { price: 7 }],
    ['that an argument names which does not filter', Votes, { with: 'price' }, { ...before, price: 7 }, { price: 7 }],
    [
      'than that in a text that is no name',
      Tasks,
      { token: `price${'x'.repeat(70)}` },
      { ...before, price: 7 },
      { price: 7 },
    ],
  ])('%s', async (_, resource, search, answer, edit) => {
    const { store, read } = setup();
    server.answer(/^GET /, { json: [{ ...before, tags: ['a'] }] });
    server.answer(/^PATCH /, { json: answer });
    await store.dispatch(resource.getList(search));

    await store.dispatch(resource.partialUpdate({ id: 1 }, edit));

    expect(read(resource.getList.selectRequest(search)).isStale).toBe(false);
  });
});

describe('a list stays fresh after an edit of a field that shares a word', () => {
  class Item extends Entity {
    id = 0;
    userId = 5;
    userName = 'Ada';
    listPosition = 1;
    viewCount = 0;
    phoneNo = '1';
    es = '';
    static override key = 'Item';
  }
  const Items = createResource({ urlPrefix: server.url, path: '/lists/:listId/items/:id', schema: Item, searchParams });

  it.each([
    ['with its path', {}, { listPosition: 7 }],
    ['with an argument that is another field, in the casing of the server', { user_id: 5 }, { userName: 'Eve' }],
    ['which is the first of two', { view: 'board' }, { viewCount: 1 }],
    ['which is the last of two', { no_cache: 1 }, { phoneNo: '2' }],
    ['of one letter', { s: 'foo' }, { es: 'x' }],
  ])('%s', async (_, search, edit) => {
    const { store, read } = setup();
    const row = { id: 1, userId: 5, userName: 'Ada', listPosition: 1, viewCount: 0, phoneNo: '1', es: '' };
    server.answer(/^GET /, { json: [row] });
    server.answer(/^PATCH /, { json: { ...row, ...edit } });
    await store.dispatch(Items.getList({ listId: 3, ...search }));

    await store.dispatch(Items.partialUpdate({ listId: 3, id: 1 }, edit));

    expect(read(Items.getList.selectRequest({ listId: 3, ...search })).isStale).toBe(false);
  });
});

describe('a list is stale after an edit of the field', () => {
  it.each([
    { sort: 'title' },
    { ordering: '-price' },
    { _sort: 'title' },
    { $orderby: 'price desc' },
    { order: 'title.asc' },
    { orderBy: 'price:desc' },
    { 'list-sort': 'price' },
    { 'order[by]': 'price' },
  ])('that it is sorted by: %j', async (search) => {
    expect(await isStaleAfter(search)).toBe(true);
  });

  it.each([{ assigneeId: 'null' }, { assigneeId: 'none' }])('that it wants to be null: %j', async (search) => {
    expect(await isStaleAfter(search)).toBe(true);
  });

  it.each([
    { price_lte: 10 }, // json-server
    { price__lte: 10 }, // Django
    { 'price[lte]': 10 }, // Express, API Platform
    { 'filter[status]': 'open' }, // JSON:API, Laravel
    { 'filters[status][$eq]': 'open' }, // Strapi
    { 'status[]': ['open', 'review'] }, // Rails, PHP
    { status__in: 'open,review' }, // Django
    { $filter: 'price lt 10' }, // OData
    { minPrice: 1 },
    { assignee_id: 3 }, // in the casing of the server
    { assignee: 3 }, // of assigneeId
    { assignee_in: '3,4' },
    { price_before: 9 },
    { statuses: 'open,review' },
    { filter: 'status||$eq||open' }, // nestjsx
  ])('that it compares in another way: %j', async (search) => {
    expect(await isStaleAfter(search)).toBe(true);
  });

  it.each(['dueAt', 'dueOn', 'dueDate', 'due_date', 'dueTime'])(
    'that it compares by what it is of: %s',
    async (field) => {
      const { store, read } = setup();
      const search = { dueBefore: '2026-02-01' };
      server.answer(/^GET /, { json: [{ ...before, [field]: '2026-01-01' }] });
      server.answer(/^PATCH /, { json: { ...before, [field]: '2027-01-01' } });
      await store.dispatch(Tasks.getList(search));

      await store.dispatch(Tasks.partialUpdate({ id: 1 }, { [field]: '2027-01-01' }));

      expect(read(Tasks.getList.selectRequest(search)).isStale).toBe(true);
    },
  );
});

it.each([{ dueBy: 'price' }, { due: 'asc' }, { dueId: 5 }])('an edit of dueDate leaves %j fresh', async (search) => {
  const { store, read } = setup();
  server.answer(/^GET /, { json: [{ ...before, dueDate: '2026-01-01' }] });
  server.answer(/^PATCH /, { json: { ...before, dueDate: '2027-01-01' } });
  await store.dispatch(Tasks.getList(search));

  await store.dispatch(Tasks.partialUpdate({ id: 1 }, { ['dueDate' as string]: '2027-01-01' }));

  expect(read(Tasks.getList.selectRequest(search)).isStale).toBe(false);
});

describe('a list into which an edit may bring its item, where the answer to the edit is lost,', () => {
  const Quick = createResource({ ...at, name: 'Quick', optimistic: true });
  const CutOff = Tasks.extend({
    partialUpdate: {
      fetchResponse: (input: string) => Promise.reject(new NetworkError('The line is dead.', { url: input })),
    },
  });
  const gateway: Reply = { status: 504, json: {} };

  async function isStaleAfterLoss(search: object, edit: object, { resource = Tasks, reply = gateway } = {}) {
    const { store, read } = setup();
    server.answer('GET /tasks', { json: [before, { ...before, ...after, id: 2 }] });
    await store.dispatch(resource.getList({}));
    server.answer(/^GET .*[?]/, { json: [{ ...before, ...after, id: 2 }] });
    await store.dispatch(resource.getList(search as never));
    server.answer(/^PATCH /, reply);
    await store.dispatch(resource.partialUpdate({ id: 1 }, edit));
    return read(resource.getList.selectRequest(search as never)).isStale;
  }

  it.each([
    [{ status: 'done' }, { status: 'done' }],
    [{ sort: 'price' }, { price: 50 }],
    [{ assignee: 3 }, { assigneeId: 3 }],
    [{ tag: 'red' }, { tags: ['red'] }],
    [{ price_gte: 9 }, { price: 50 }],
    [{ 'filter[status]': 'done' }, { status: 'done' }],
  ])('is fetched again, as after its answer: %j', async (search, edit) => {
    expect(await isStaleAfterLoss(search, edit)).toBe(true);
  });

  it.each([
    ['shown at once', { resource: Quick }],
    ['of which no answer came at all', { resource: CutOff }],
  ])('is fetched again also after an edit %s', async (_, how) => {
    expect(await isStaleAfterLoss({ price_gte: 9 }, { price: 50 }, how)).toBe(true);
  });

  it.each<[string, object, { readonly reply?: Reply }]>([
    ['names another field', { title: 'z' }, {}],
    ['is refused', { price: 50 }, { reply: { status: 422, json: {} } }],
  ])('stays fresh where the edit %s', async (_, edit, how) => {
    expect(await isStaleAfterLoss({ price_gte: 9 }, edit, how)).toBe(false);
  });
});
