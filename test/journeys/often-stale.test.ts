import { createResource, Entity } from 'rtk-resource';
import { expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();

const Todos = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });
const LIST = 'GET /todos';
const titled = (title: string) => ({ json: [{ id: 1, title }] });

it('a list that becomes stale again and again while it is fetched has two requests under way at most, and ends with the newest', async () => {
  const { store, resources, read, watch } = setup();
  const { unsubscribe } = store.dispatch(Todos.getList.subscribe());
  await server.release(LIST, titled('first'));
  await expect.poll(() => read(Todos.getList.select())).toBeDefined();
  const shown = watch((state) => Todos.getList.select()(state)?.[0]?.title);

  for (let i = 2; i <= 6; i++) {
    store.dispatch(resources.expireAll(Todos.getList));
    await expect.poll(() => server.received.length).toBe(i);
  }
  // The oldest, and the newest; of those between, the connections are closed.
  await server.release(LIST, titled('sooner'));
  for (let i = 0; i < 3; i++) await server.hungUp(LIST);
  await server.release(LIST, titled('newest'));

  await expect.poll(() => shown).toEqual(['first', 'sooner', 'newest']);
  expect(read(Todos.getList.selectRequest())).toMatchObject({ isFetching: false, isStale: false, isSuccess: true });
  unsubscribe();
});
