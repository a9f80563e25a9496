import { Collection, createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

/** A server that counts, and tells whose tasks they are, with the first page alone. */
class Task extends Entity {
  id = 0;
  title = '';
  static override key = 'Task';
}
class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}
const server = await serverOfFile();
const tasks = new Collection([Task]);
const Tasks = createResource({
  urlPrefix: server.url,
  path: '/tasks/:id',
  schema: Task,
  searchParams: {},
  paginationField: 'page',
}).extend({ getList: { schema: { items: tasks, total: tasks.total, meta: { owner: User }, tags: [User], next: '' } } });

const first = {
  items: [{ id: 1, title: 'a' }],
  total: 4,
  meta: { owner: { id: 1, name: 'Ada' } },
  tags: [{ id: 2, name: 'Bob' }],
  next: 'b',
};

async function setupPages() {
  const tools = setup();
  const { store, read } = tools;
  server.answer('GET /tasks', { json: first });
  server.answer('GET /tasks?page=2', { json: { items: [{ id: 2, title: 'b' }] } });
  await store.dispatch(Tasks.getList());
  const shown = () => {
    const { items, total, meta, tags, next } = read(Tasks.getList.select()) ?? {};
    return [items?.map(({ id }) => id), total, meta?.owner.name, tags?.map(({ name }) => name), next];
  };
  return { ...tools, shown };
}

describe('what only the first page tells beside its items', () => {
  it.each([
    ['the next page', () => Tasks.getList.getNextPage()],
    ['a page by its number', () => Tasks.getList.getPage({ page: 2 })],
  ])('stays when %s comes: the total and the rows, but no text that tells where the next page is', async (_, load) => {
    const { store, shown } = await setupPages();

    await store.dispatch(load());

    expect(shown()).toEqual([[1, 2], 4, 'Ada', ['Bob'], '']);
  });

  it('stays when all pages are fetched again', async () => {
    const { store, resources, shown } = await setupPages();
    await store.dispatch(Tasks.getList.getNextPage());
    store.dispatch(resources.expireAll(Tasks.getList));
    server.answer('GET /tasks', { json: { ...first, total: 5 } });
    server.answer('GET /tasks?page=2', { json: { items: [{ id: 2, title: 'b' }] } });

    await store.dispatch(Tasks.getList.ifStale());

    expect(shown()).toEqual([[1, 2], 5, 'Ada', ['Bob'], '']);
  });

  it('is replaced by what the next page tells', async () => {
    const { store, shown } = await setupPages();
    server.answer('GET /tasks?page=2', { json: { items: [{ id: 2, title: 'b' }], total: 3, tags: [], next: 'c' } });

    await store.dispatch(Tasks.getList.getNextPage());

    expect(shown()).toEqual([[1, 2], 3, 'Ada', [], 'c']);
  });
});
