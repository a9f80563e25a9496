import { Collection, createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

/** Go writes an empty list as null. */
class Task extends Entity {
  id = 0;
  title = '';
  static override key = 'Task';
}
const server = await serverOfFile();
const searchParams: { readonly cursor?: string } = {};
const shared = { urlPrefix: server.url, schema: Task, searchParams, optimistic: true } as const;
const tasks = new Collection([Task]);
const Tasks = createResource({ ...shared, path: '/tasks/:id' })
  .extend({ getList: { schema: { items: tasks, total: tasks.total, next: '' } } })
  .extend((base) => ({
    getList: base.getList.paginated({
      next: ({ next }, params) => (next ? { ...params, cursor: next } : undefined),
    }),
  }));
const Plain = createResource({ ...shared, path: '/plain/:id', paginationField: 'page', name: 'Plain' }).extend({
  getList: { schema: new Collection([Task], { name: 'Plain' }) },
});
const titles = (items: readonly Task[] | null | undefined) => items?.map(({ title }) => title);

it('a last page of null leaves the pages before it', async () => {
  const { store, read } = setup();
  server.answer('GET /tasks', { json: { items: [{ id: 1, title: 'a' }], total: 1, next: 'b' } });
  server.answer('GET /tasks?cursor=b', { json: { items: null, total: 1, next: null } });
  await store.dispatch(Tasks.getList());

  await store.dispatch(Tasks.getList.getNextPage());

  const { data, hasNextPage } = read(Tasks.getList.selectRequest());
  expect([titles(data?.items), hasNextPage]).toEqual([['a'], false]);
});

it('a last page of null, without an envelope, leaves the pages before it', async () => {
  const { store, read } = setup();
  server.answer('GET /plain', { json: [{ id: 1, title: 'a' }] });
  server.answer('GET /plain?page=2', { json: null });
  await store.dispatch(Plain.getList());

  await store.dispatch(Plain.getList.getNextPage());

  const { data, hasNextPage } = read(Plain.getList.selectRequest());
  expect([titles(data), hasNextPage]).toEqual([['a'], false]);
});

it('a numbered page of null leaves the list', async () => {
  const { store, read } = setup();
  server.answer('GET /plain', { json: [{ id: 1, title: 'a' }] });
  server.answer('GET /plain?page=7', { json: null });
  await store.dispatch(Plain.getList());

  const { error } = await store.dispatch(Plain.getList.getPage({ page: 7 }));

  const { data, isStale } = read(Plain.getList.selectRequest());
  expect([error, titles(data), isStale]).toEqual([undefined, ['a'], false]);
});

it('a page of null in place of its envelope leaves the list', async () => {
  const { store, read } = setup();
  const path = '/wrapped';
  const named = new Collection([Task], { name: 'Wrapped' });
  const getWrapped = new RestEndpoint({ ...shared, path, schema: { items: named }, paginationField: 'page' });
  server.answer('GET /wrapped', { json: { items: [{ id: 1, title: 'a' }] } });
  server.answer('GET /wrapped?page=7', { json: null });
  server.answer('GET /wrapped?page=2', { json: null });
  await store.dispatch(getWrapped());

  await store.dispatch(getWrapped.getPage({ page: 7 }));
  const after = titles(read(getWrapped.select())?.items);
  await store.dispatch(getWrapped.getNextPage());

  expect([after, titles(read(getWrapped.select())?.items)]).toEqual([['a'], ['a']]);
});

it('a next page of null leaves the pages of a set of values before it', async () => {
  const { store, read } = setup();
  const byName = new Collection(new schema.Values(Task), { name: 'ByName' });
  const getNamed = new RestEndpoint({ ...shared, path: '/named', schema: byName, paginationField: 'page' });
  server.answer('GET /named', { json: { a: { id: 1, title: 'a' } } });
  server.answer('GET /named?page=2', { json: null });
  await store.dispatch(getNamed());

  const { error } = await store.dispatch(getNamed.getNextPage());

  expect(error).toBeUndefined();
  expect(Object.keys(read(getNamed.select()) ?? {})).toEqual(['a']);
});
