import { createResource, Entity } from 'rtk-resource';
import { expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Todo extends Entity {
  id: number | string = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();

const Todos = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, optimistic: true });
const LIST = 'GET /todos';

it('a create that a reset ends has no list fetched a second time', async () => {
  const { store, resources, read } = setup();
  const { unsubscribe } = store.dispatch(Todos.getList.subscribe());
  await server.release(LIST, { json: [{ id: 1, title: 'one' }] });
  await expect.poll(() => read(Todos.getList.select())).toHaveLength(1);
  const creating = store.dispatch(Todos.getList.push({}, { title: 'two' }));
  await server.holding('POST /todos');

  store.dispatch(resources.reset());
  await creating;
  await server.release(LIST, { json: [{ id: 1, title: 'one' }] });
  await expect.poll(() => read(Todos.getList.select())).toHaveLength(1);

  expect(read(Todos.getList.selectRequest()).isFetching).toBe(false);
  expect(server.received.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
  unsubscribe();
});
