import { Collection, createResource, Entity } from 'rtk-resource';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startServer } from '../support/server.js';
import { setup } from '../support/store.js';

class Todo extends Entity {
  id: number | string = 0;
  title = '';
  owner = '';
  static override key = 'Todo';
}

const server = await startServer();
afterAll(() => server.close());
afterEach(() => {
  server.forget();
});

type Search = Record<string, string | number | null | undefined>;
const search: Search = {};
const options = { urlPrefix: server.url, path: '/todos/:id', schema: Todo, searchParams: search } as const;
const todo = (id: number, owner = 'ada') => ({ id, title: `todo ${id}`, owner });
const ids = (list: readonly Todo[] | undefined) => list?.map(({ id }) => id);

describe('one item that is created with a merge of its own', () => {
  const Todos = createResource({ ...options, optimistic: true }).extend((base) => ({
    add: base.getList.push.extend({
      name: 'Todo/add',
      schema: new Collection([Todo]).addWith((existing, incoming) => [...incoming, ...existing]),
    }),
  }));

  it('joins every list it belongs to, at once and then for good, as the merge says', async () => {
    const { store, resources, read } = setup();
    const lists = [{}, { owner: 'ada' }, { owner: 'bob' }];
    const shown = () => lists.map((params) => ids(read(Todos.getList.select(params)))?.length);
    const first = () => ids(read(Todos.getList.select({ owner: 'ada' })))?.[0];
    store.dispatch(resources.setResponse(Todos.getList, {}, [todo(1), todo(2, 'bob')]));
    store.dispatch(resources.setResponse(Todos.getList, { owner: 'ada' }, [todo(1)]));
    store.dispatch(resources.setResponse(Todos.getList, { owner: 'bob' }, [todo(2, 'bob')]));

    const promise = store.dispatch(Todos.add({ owner: 'ada' }, { title: 'new' }));
    const pending = [shown(), first()];
    await server.release('POST /todos', { json: todo(3) });
    const value = await promise.unwrap();

    expect(pending).toEqual([[3, 2, 1], `~${promise.requestId}`]);
    expect(shown()).toEqual([3, 2, 1]);
    expect(first()).toBe(3);
    expect(value).toEqual([read(Todos.get.select({ id: 3 }))]);
  });

  it('and fails leaves no trace', async () => {
    const { store, resources, read } = setup();
    store.dispatch(resources.setResponse(Todos.getList, {}, [todo(1)]));
    const before = read(Todos.getList.select());

    const promise = store.dispatch(Todos.add({}, { title: 'new' }));
    await server.release('POST /todos', { status: 500 });
    await promise;

    expect(read(Todos.getList.select())).toBe(before);
  });
});

describe('the parameters that do not filter, as an option of a resource', () => {
  it.each([
    ['a list of names', ['view']],
    ['a pattern', /^view$/],
    ['a function', (name: string) => name === 'view'],
  ])('are told by %s', async (name, nonFilterArgumentKeys) => {
    const Todos = createResource({ ...options, name, nonFilterArgumentKeys });
    const { store, resources, read } = setup();
    for (const params of [{ view: 'a' }, { view: 'b' }, { status: 'a' }])
      store.dispatch(resources.setResponse(Todos.getList, params, [todo(1)]));
    server.answer('POST /todos', { json: todo(2) });

    await store.dispatch(Todos.getList.push({}, { title: 'new' })).unwrap();

    expect(ids(read(Todos.getList.select({ view: 'a' })))).toEqual([1, 2]);
    expect(ids(read(Todos.getList.select({ view: 'b' })))).toEqual([1, 2]);
    expect(ids(read(Todos.getList.select({ status: 'a' })))).toEqual([1]);
  });

  it('are told to a Collection of one’s own', async () => {
    class Lists extends Collection {}
    const Todos = createResource({ ...options, name: 'own', Collection: Lists, nonFilterArgumentKeys: ['view'] });
    const { store, resources, read } = setup();
    store.dispatch(resources.setResponse(Todos.getList, { view: 'a' }, [todo(1)]));
    server.answer('POST /todos', { json: todo(2) });

    await store.dispatch(Todos.getList.push({}, { title: 'new' })).unwrap();

    expect(Todos.getList.schema).toBeInstanceOf(Lists);
    expect(ids(read(Todos.getList.select({ view: 'a' })))).toEqual([1, 2]);
  });
});
