import { Collection, createResource, Entity } from 'rtk-resource';
import { expect, it } from 'vitest';
import { serverOfFile, type Reply } from '../support/server.js';
import { setup } from '../support/store.js';

class Todo extends Entity {
  id: number | string = 0;
  list = '';
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();

const todos = new Collection([Todo]);
const searchParams: { list?: string } = {};
const Todos = createResource({
  urlPrefix: server.url,
  path: '/todos/:id',
  schema: Todo,
  searchParams,
  optimistic: true,
}).extend({ getList: { schema: { results: todos, total: todos.total } } });

const [one, two, nine] = [1, 2, 9].map((id) => ({ id, list: 'a', title: `${id}` })) as [Row, Row, Row];
type Row = Pick<Todo, 'id' | 'list' | 'title'>;
const says = (...results: readonly Row[]): Reply => ({ json: { results, total: results.length } });
const LIST = 'GET /todos?list=a';
const list = { list: 'a' };

function listen() {
  const tools = setup();
  const { store, resources, read } = tools;
  const { unsubscribe } = store.dispatch(Todos.getList.subscribe(list));

  return {
    ...tools,
    unsubscribe,
    shown: () => {
      const { results = [], total } = read(Todos.getList.select(list)) ?? {};
      return [results.map(({ id }) => id), total];
    },
    poll: async (reply: Reply) => {
      const polling = store.dispatch(Todos.getList(list));
      await server.release(LIST, reply);
      await polling;
    },
    created: (row: Row) => {
      store.dispatch(resources.setResponse(Todos.getList.push, {}, row, row));
    },
    deleted: (id: number) => {
      store.dispatch(resources.setResponse(Todos.delete, { id }, null));
    },
  };
}

it('a message that an item was created, which a refetch has brought already, counts it once', async () => {
  const { shown, created, poll, unsubscribe } = listen();
  await poll(says(one, nine));
  created(nine);
  expect(shown()).toEqual([[1, 9], 2]);
  unsubscribe();
});

it('a message of the own create, after a refetch that has counted it, counts nothing', async () => {
  const { store, shown, created, poll, unsubscribe } = listen();
  await poll(says(one));
  const creating = store.dispatch(Todos.getList.push({}, { list: 'a', title: '9' }));
  await server.release('POST /todos', { json: nine });
  await creating;
  await poll(says(one, nine));
  created(nine);
  expect(shown()).toEqual([[1, 9], 2]);
  unsubscribe();
});

it('a message that an item was deleted, which a refetch lacks already, counts nothing', async () => {
  const { store, shown, deleted, poll, unsubscribe } = listen();
  await poll(says());
  const loading = store.dispatch(Todos.get({ id: 2 }));
  await server.release('GET /todos/2', { json: two });
  await loading;
  deleted(2);
  expect(shown()).toEqual([[], 0]);
  expect(store.getState().resources.intents).toEqual([]);
  unsubscribe();
});

it.each(['a message', 'a create of the own'])(
  '%s while a list with a total is first fetched has it asked for once more',
  async (which) => {
    const { store, shown, created, unsubscribe } = listen();
    await server.holding(LIST);
    if (which === 'a message') created(nine);
    else {
      const creating = store.dispatch(Todos.getList.push({}, { list: 'a', title: '9' }));
      await server.release('POST /todos', { json: nine });
      await creating;
    }
    await server.release(LIST, says(one));
    await expect.poll(() => server.received.filter(({ method }) => method === 'GET').length).toBe(2);
    await server.release(LIST, says(one, nine));
    await expect.poll(shown).toEqual([[1, 9], 2]);
    unsubscribe();
  },
);

it('a total that is never fetched again remembers none of the rows that have come and gone', async () => {
  const { slice, shown, created, deleted, poll, unsubscribe } = listen();
  await poll(says(one));
  const size = (): number => JSON.stringify(slice().tables['[Todo] total']).length;
  const came = (from: number, to: number): void => {
    for (let id = from; id < to; id++) {
      created({ ...nine, id });
      deleted(id);
    }
  };
  came(10, 20);
  const before = size();
  came(20, 90);
  expect(size()).toBeLessThan(before + 10);
  expect(shown()).toEqual([[1], 1]);
  unsubscribe();
});

it('a list of which one item after another is deleted while it is fetched again ends with the total of the server', async () => {
  const three = { ...one, id: 3 };
  const { shown, deleted, poll, unsubscribe } = listen();
  await server.release(LIST, says(one, two, three));
  await expect.poll(shown).toEqual([[1, 2, 3], 3]);
  const polling = poll(says(one, two, three));
  await server.holding(LIST);

  deleted(1);
  await polling;
  await server.holding(LIST);
  deleted(2);
  await server.release(LIST, says(two, three));
  await server.release(LIST, says(three));

  await expect.poll(shown).toEqual([[3], 1]);
  unsubscribe();
});

it('the own item whose creation is told once more while it is deleted is counted no more', async () => {
  const { store, shown, created, deleted, poll, unsubscribe } = listen();
  await poll(says(one));
  const creating = store.dispatch(Todos.getList.push({}, { list: 'a', title: '9' }));
  await server.release('POST /todos', { json: nine });
  await creating;
  const deleting = store.dispatch(Todos.delete({ id: 9 }));
  await server.holding('DELETE /todos/9');

  created(nine);
  await server.release('DELETE /todos/9', { status: 204 });
  await deleting;
  deleted(9);

  expect(shown()).toEqual([[1], 1]);
  unsubscribe();
});

it.each([
  ['counts an item no more that it has left again', 'b', ['a', 'c']],
  ['counts an item that has come back', 'a', ['b', 'a']],
] as const)(
  'a total %s, though a message of the first of two moves comes before their answers',
  async (_, from, moves) => {
    const { store, resources, shown, poll, unsubscribe } = listen();
    await poll(from === 'a' ? says(two, one) : says(two));
    store.dispatch(resources.set(Todo, { ...one, list: from }));
    const writes = moves.map((to) => ({ to, done: store.dispatch(Todos.partialUpdate({ id: 1 }, { list: to })) }));
    await server.holding(/PATCH .*/);

    store.dispatch(resources.setResponse(Todos.get, { id: 1 }, { ...one, list: moves[0] }));
    for (const { to, done } of writes) {
      await server.release(new RegExp(`^PATCH .*"list":"${to}"`), { json: { ...one, list: to } });
      await done;
    }

    expect(shown()).toEqual(moves[1] === 'a' ? [[2, 1], 2] : [[2], 1]);
    unsubscribe();
  },
);

it.each(['deleted', 'moved'])(
  'a total counts no item that was created and %s by messages before its create is answered',
  async (which) => {
    const { store, resources, shown, poll, created, deleted, unsubscribe } = listen();
    await poll(says(one));
    const creating = store.dispatch(Todos.getList.push({}, { list: 'a', title: '9' }));
    await server.holding('POST /todos');
    unsubscribe();

    created(nine);
    if (which === 'deleted') deleted(9);
    else store.dispatch(resources.setResponse(Todos.get, { id: 9 }, { ...nine, list: 'b' }));
    await server.release('POST /todos', { json: nine });
    await creating;

    expect(shown()).toEqual([[1], 1]);
  },
);
