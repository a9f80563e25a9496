import { Collection, createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

/** Numbered pages with the names that servers give them. */
class Task extends Entity {
  id = 0;
  title = '';
  static override key = 'Task';
}
const server = await serverOfFile();
type Params = Readonly<Record<string, unknown>>;
const searchParams: Params = {};
/** What is nested goes into brackets, as `qs` writes it. */
const inBrackets = (params: Params, within = (name: string) => name): readonly (readonly [string, string])[] =>
  Object.entries(params).flatMap(([name, value]) =>
    typeof value === 'object'
      ? inBrackets(value as Params, (inner) => `${within(name)}[${inner}]`)
      : [[within(name), `${value as string | number}`]],
  );
const searchToString = (params: Params) =>
  new URLSearchParams(inBrackets(params) as unknown as Record<string, string>).toString();
const tasks = new Collection([Task]);
const Tasks = createResource({
  urlPrefix: server.url,
  path: '/tasks/:id',
  schema: Task,
  searchParams,
  searchToString,
}).extend({ getList: { schema: { results: tasks, total: tasks.total } } });

async function shown(page: object, write: () => object, total = 9) {
  const { store, read } = setup();
  server.answer(/^GET /, { json: { results: [{ id: 1 }, { id: 2 }], total } });
  server.answer(/^POST /, { json: { id: 3 } });
  server.answer(/^DELETE /, { status: 204 });
  await store.dispatch(Tasks.getList(page as never));
  await store.dispatch<Promise<unknown>>(write() as never);
  const { data, isStale } = read(Tasks.getList.selectRequest(page as never));
  return { ids: data?.results.map(({ id }) => id), isStale };
}
const all: readonly object[] = [
  { pagination: { page: 2, pageSize: 2 } }, // Strapi
  { page: { number: 2, size: 2 } }, // JSON:API
  { _page: 2, _limit: 2 }, // json-server
  { _start: 2, _end: 4 }, // json-server
  { _page: 2, _per_page: 2 }, // json-server 1
  { $skiptoken: 'x', $top: 2 }, // OData, Microsoft Graph
  { 'pagination[page]': 2, 'pagination[pageSize]': 2 }, // Strapi
  { 'pagination[start]': 2, 'pagination[limit]': 2 }, // Strapi
  { pageNumber: 2, pageSize: 2 }, // ASP.NET
  { page_number: 2, page_size: 2 },
  { pageIndex: 2, pageSize: 2 },
];

describe('a whole list', () => {
  it.each([{ pagination: false }, { pagination: { pageSize: 10 } }, { page: { size: 10 } }])(
    'loses what is deleted, and is not fetched for that: %j',
    async (page) => {
      expect(await shown(page, () => Tasks.delete({ id: 1 }), 2)).toEqual({ ids: [2], isStale: false });
    },
  );
});

describe('part of a list', () => {
  it.each(all.slice(0, 6))('is joined by no create, and stale after it: %j', async (page) => {
    expect(await shown(page, () => Tasks.getList.push({}, { title: 'new' }))).toEqual({ ids: [1, 2], isStale: true });
  });

  it.each(all)('is stale after a deletion: %j', async (page) => {
    expect(await shown(page, () => Tasks.delete({ id: 1 }))).toEqual({ ids: [2], isStale: true });
  });
});

const flat = (page: number): Params => ({ 'pagination[page]': page, 'pagination[pageSize]': 2 });
const nested = (page: number): Params => ({ pagination: { page, pageSize: 2 } });

it.each([
  ['flat', flat],
  ['nested', nested],
])('both pages of Strapi have one total after a deletion on the first: %s', async (_, page) => {
  const { store, read } = setup();
  server.answer(/^GET .*page%5D=1/, { json: { results: [{ id: 1 }, { id: 2 }], total: 4 } });
  server.answer(/^GET .*page%5D=2/, { json: { results: [{ id: 3 }, { id: 4 }], total: 4 } });
  server.answer(/^DELETE /, { status: 204 });
  await store.dispatch(Tasks.getList(page(1)));
  await store.dispatch(Tasks.getList(page(2)));

  await store.dispatch(Tasks.delete({ id: 1 }));

  expect([1, 2].map((number) => read(Tasks.getList.select(page(number)))?.total)).toEqual([3, 3]);
});

it.each([
  ['pagination[page]', flat],
  ['pagination', nested],
  ['pagination[start]', (page: number): Params => ({ 'pagination[start]': (page - 1) * 2 })],
  ['page', (page: number): Params => ({ page: { number: page } })],
])('a next page by %s makes its list stale after rows have gone: others have moved up', async (_, of) => {
  const { store, read } = setup();
  server.answer(/^GET /, { json: { results: [{ id: 1 }, { id: 2 }], total: 9 } });
  server.answer(/^DELETE /, { status: 204 });
  const getList = Tasks.getList.paginated({ next: ({ results }) => of(results.some(({ id }) => id === 1) ? 2 : 3) });
  await store.dispatch(getList());
  await store.dispatch(Tasks.delete({ id: 1 }));
  server.answer(/^GET /, { json: { results: [{ id: 4 }, { id: 5 }], total: 8 } });

  await store.dispatch(getList.getNextPage());

  expect(read(getList.selectRequest())).toMatchObject({ hasNextPage: true, isStale: true });
});
