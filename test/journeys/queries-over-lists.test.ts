import { Collection, createResource, Entity, schema } from 'rtk-resource';
import { expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Todo extends Entity {
  id = 0;
  completed = false;
  static override key = 'Todo';
}

const server = await serverOfFile();
const at = { urlPrefix: server.url, path: '/todos/:id', schema: Todo } as const;
const list = new Collection([Todo]);

it.each([
  ['a Query', new schema.Query(list, (todos) => todos)],
  ['a Lazy', new schema.Lazy(() => list)],
])('a list behind %s has all its pages after it was fetched again', async (name, definition) => {
  const Paged = createResource({ ...at, name, paginationField: 'page' }).extend({
    getList: { schema: definition as unknown as typeof list },
  });
  const { store, read, resources } = setup();
  server.answer('GET /todos', { json: [{ id: 1 }, { id: 2 }] });
  server.answer('GET /todos?page=2', { json: [{ id: 3 }, { id: 4 }] });
  await store.dispatch(Paged.getList());
  await store.dispatch(Paged.getList.getPage({ page: 2 }));

  store.dispatch(resources.expire(Paged.getList));
  await store.dispatch(Paged.getList.ifStale());

  expect(server.received).toHaveLength(4);
  expect(read(Paged.getList.select())?.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
});

it('a Query over a list with its total is computed of what the store has', async () => {
  const Todos = createResource(at).extend({ getList: { schema: { results: list, count: list.total } } });
  const open = new schema.Query(Todos.getList.schema, ({ results, count }) => {
    const left = results.filter(({ completed }) => !completed);
    return `${String(left.length)} of ${String(count)}`;
  });
  const { store, read, resources } = setup();
  const before = read(resources.select(open));
  server.answer('GET /todos', { json: { results: [{ id: 1, completed: true }, { id: 2 }], count: 7 } });
  await store.dispatch(Todos.getList());
  const loaded = read(resources.select(open));

  server.answer('DELETE /todos/2', { status: 204 });
  await store.dispatch(Todos.delete({ id: 2 }));

  expect([before, loaded, read(resources.select(open))]).toEqual([undefined, '1 of 7', '0 of 6']);
});
