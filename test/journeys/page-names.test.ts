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
const searchParams: Readonly<Record<string, string | number>> = {};
const tasks = new Collection([Task]);
const Tasks = createResource({
  urlPrefix: server.url,
  path: '/tasks/:id',
  schema: Task,
  searchParams,
}).extend({ getList: { schema: { results: tasks, total: tasks.total } } });

async function shown(page: object, write: () => object) {
  const { store, read } = setup();
  server.answer(/^GET /, { json: { results: [{ id: 1 }, { id: 2 }], total: 9 } });
  server.answer(/^POST /, { json: { id: 3 } });
  server.answer(/^DELETE /, { status: 204 });
  await store.dispatch(Tasks.getList(page as never));
  await store.dispatch<Promise<unknown>>(write() as never);
  const { data, isStale } = read(Tasks.getList.selectRequest(page as never));
  return { ids: data?.results.map(({ id }) => id), isStale };
}
const all: readonly object[] = [
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

describe('part of a list', () => {
  it.each(all.slice(0, 4))('is joined by no create, and stale after it: %j', async (page) => {
    expect(await shown(page, () => Tasks.getList.push({}, { title: 'new' }))).toEqual({ ids: [1, 2], isStale: true });
  });

  it.each(all)('is stale after a deletion: %j', async (page) => {
    expect(await shown(page, () => Tasks.delete({ id: 1 }))).toEqual({ ids: [2], isStale: true });
  });
});

it('both pages of Strapi have one total after a deletion on the first', async () => {
  const { store, read } = setup();
  const page = (number: number) => ({ 'pagination[page]': number, 'pagination[pageSize]': 2 });
  server.answer(/^GET .*=1/, { json: { results: [{ id: 1 }, { id: 2 }], total: 4 } });
  server.answer(/^GET .*page%5D=2/, { json: { results: [{ id: 3 }, { id: 4 }], total: 4 } });
  server.answer(/^DELETE /, { status: 204 });
  await store.dispatch(Tasks.getList(page(1)));
  await store.dispatch(Tasks.getList(page(2)));

  await store.dispatch(Tasks.delete({ id: 1 }));

  expect([1, 2].map((number) => read(Tasks.getList.select(page(number)))?.total)).toEqual([3, 3]);
});
