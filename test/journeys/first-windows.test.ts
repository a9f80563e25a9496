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

const searchParams: { page?: number; q?: string } = {};
const Todos = createResource({
  urlPrefix: server.url,
  path: '/todos/:id',
  schema: Todo,
  searchParams,
  optimistic: true,
});

const todo = (id: number) => ({ id, title: `${id}` });
const [first, second] = [{ page: 1 }, { page: 2 }];
const SECOND = 'GET /todos?page=2';

/** The first page is there, and the second is asked for. */
async function turn() {
  const tools = setup();
  const { store, resources, read } = tools;
  const loading = store.dispatch(Todos.getList(first));
  await server.release('GET /todos?page=1', { json: [todo(1), todo(2)] });
  await loading;
  const { unsubscribe } = store.dispatch(Todos.getList.subscribe(second));
  await server.holding(SECOND);

  return {
    ...tools,
    unsubscribe,
    remove: async () => {
      const removing = store.dispatch(Todos.delete({ id: 1 }));
      await server.release('DELETE /todos/1', { status: 204 });
      await removing;
    },
    create: async () => {
      const creating = store.dispatch(Todos.getList.push({}, { title: '9' }));
      await server.release('POST /todos', { json: todo(9) });
      await creating;
    },
    hear: () => {
      store.dispatch(resources.setResponse(Todos.delete, { id: 1 }, null));
    },
    shown: () => read(Todos.getList.select(second))?.map(({ title }) => title),
  };
}

it.each([
  ['a deletion', 'remove', [[3, 4], [4]]],
  ['a create', 'create', [[3], [3, 9]]],
  ['a message of a deletion', 'hear', [[3, 4], [4]]],
] as const)('%s that ends while a page is first fetched has that page fetched again', async (_, deed, answers) => {
  const turned = await turn();
  await turned[deed]();
  for (const ids of answers) await server.release(SECOND, { json: ids.map(todo) });

  await expect.poll(turned.shown).toEqual(answers[1].map(String));
  turned.unsubscribe();
});

it('so does a search that is first fetched when an item is created', async () => {
  const { store, read, create, unsubscribe } = await turn();
  const search = store.dispatch(Todos.getList.subscribe({ q: 'nine' }));
  await server.holding('GET /todos?q=nine');
  await create();
  for (const ids of [[], [9]]) await server.release('GET /todos?q=nine', { json: ids.map(todo) });

  await expect.poll(() => read(Todos.getList.select({ q: 'nine' }))?.map(({ title }) => title)).toEqual(['9']);
  search.unsubscribe();
  unsubscribe();
});
