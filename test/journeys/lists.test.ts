import { Collection, createResource, Entity, RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Todo extends Entity {
  id: number | string = 0;
  title = '';
  owner = '';
  static override key = 'Todo';
}

const server = await serverOfFile();

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

describe('a created item', () => {
  const names =
    'limit per_page perPage pageSize page_size take first last include fields expand embed order orderBy order_by ordering orderDirection sort sortBy sort_by sortOrder sort_order sortDirection';

  it.each([...names.split(' '), 'LIMIT', 'PerPage'])('joins a list that has a %s', async (name) => {
    const Todos = createResource(options);
    const { store, resources, read } = setup();
    store.dispatch(resources.setResponse(Todos.getList, { [name]: 20 }, [todo(1)]));
    server.answer('POST /todos', { json: todo(2) });

    await store.dispatch(Todos.getList.push({}, { title: 'new' })).unwrap();

    expect(ids(read(Todos.getList.select({ [name]: 20 })))).toEqual([1, 2]);
  });

  it.each(['orderId', 'q', 'page', 'offset', 'skip', 'after', 'before', 'cursor', 'limits', 'firstName'])(
    'does not join one that has a %s',
    async (name) => {
      const Todos = createResource(options);
      const { store, resources, read } = setup();
      store.dispatch(resources.setResponse(Todos.getList, { [name]: 20 }, [todo(1)]));
      server.answer('POST /todos', { json: todo(2) });
      // Those that say where in a list an answer lies make it stale; of the others, somebody should know.
      if (!/page|offset|skip|after|before|cursor/.test(name)) expectWarning(new RegExp(`no list of .*"${name}"`));

      await store.dispatch(Todos.getList.push({}, { title: 'new' })).unwrap();

      expect(ids(read(Todos.getList.select({ [name]: 20 })))).toEqual([1]);
    },
  );

  it.each([{}, { owner: '' }])('is kept out by no argument that is empty (%j)', async (params) => {
    const Todos = createResource({ ...options, optimistic: true });
    const { store, resources, read } = setup();
    const lists = [{ owner: '' }, { owner: null }, { owner: undefined }, {}, { owner: 'bob' }];
    const shown = () => lists.map((list) => read(Todos.getList.select(list))?.length);
    for (const list of lists) store.dispatch(resources.setResponse(Todos.getList, list, [todo(1, 'bob')]));

    const promise = store.dispatch(Todos.getList.push(params, { title: 'new' }));
    const pending = shown();
    await server.release('POST /todos', { json: todo(2) });
    await promise;

    expect(pending).toEqual([2, 2, 2, 2, 1]);
    expect(shown()).toEqual(pending);
    expect(ids(read(Todos.getList.select({ owner: '' })))).toEqual([1, 2]);
  });

  it('moves past an argument that is empty', async () => {
    const Todos = createResource(options);
    const { store, resources, read } = setup();
    store.dispatch(resources.setResponse(Todos.getList, { owner: 'ada', title: '' }, [todo(1)]));
    store.dispatch(resources.setResponse(Todos.getList, { owner: 'bob', title: '' }, []));
    server.answer('PATCH /todos/1', { json: todo(1, 'bob') });

    await store.dispatch(Todos.getList.move({ id: 1 }, { owner: 'bob' })).unwrap();

    expect(ids(read(Todos.getList.select({ owner: 'ada', title: '' })))).toEqual([]);
    expect(ids(read(Todos.getList.select({ owner: 'bob', title: '' })))).toEqual([1]);
  });

  it('joins the lists of its own path alone, whatever the path calls its parameters', async () => {
    const path = '/orders/:order/todos/:id';
    const Ordered = createResource({ ...options, path, name: 'ordered', nonFilterArgumentKeys: () => true });
    const Own = createResource({ ...options, path, name: 'own' }).extend({
      getList: { schema: { results: new Collection([Todo], { name: 'own' }) } },
    });
    const { store, resources, read } = setup();
    server.answer('POST /orders/1/todos', { json: todo(2) });
    for (const order of [1, 2]) {
      store.dispatch(resources.setResponse(Ordered.getList, { order }, [todo(1)]));
      store.dispatch(resources.setResponse(Own.getList, { order }, { results: [todo(1)] }));
    }

    await store.dispatch(Ordered.getList.push({ order: 1 }, { title: 'new' })).unwrap();
    await store.dispatch(Own.getList.push({ order: 1 }, { title: 'new' })).unwrap();

    for (const [order, there] of [
      [1, [1, 2]],
      [2, [1]],
    ] as const) {
      expect(ids(read(Ordered.getList.select({ order })))).toEqual(there);
      expect(ids(read(Own.getList.select({ order }))?.results)).toEqual(there);
    }
  });
});

describe('a Collection of one’s own, without a paginationField', () => {
  it('has the one of its endpoint: pages are one list, which push reaches', async () => {
    const Todos = createResource({ ...options, paginationField: 'page' }).extend({
      getList: { schema: { results: new Collection([Todo], { name: 'paged' }), next: '' } },
    });
    const { store, read } = setup();
    server.answer('GET /todos?page=1', { json: { results: [todo(1)], next: '2' } });
    server.answer('GET /todos?page=2', { json: { results: [todo(2)], next: '' } });
    server.answer('POST /todos', { json: todo(3) });

    await store.dispatch(Todos.getList({ page: 1 })).unwrap();
    const paged = await store.dispatch(Todos.getList.getPage({ page: 2 })).unwrap();
    await store.dispatch(Todos.getList.push({}, { title: 'new' })).unwrap();
    const shown = read(Todos.getList.select());

    expect([ids(paged.results), paged.next]).toEqual([[1, 2], '']);
    expect([ids(shown?.results), shown?.next]).toEqual([[1, 2, 3], '']);
    expect(ids(read(Todos.getList.select({ page: 1 }))?.results)).toEqual([1, 2, 3]);
  });

  it('is told by a single endpoint as well, and keeps its own rule for what a list is known by', async () => {
    const byOwner = new Collection([Todo], {
      name: 'byOwner',
      argsKey: ({ owner }: { owner?: string }) => ({ owner }),
    });
    const getTodos = new RestEndpoint({
      urlPrefix: server.url,
      path: '/todos',
      schema: byOwner,
      paginationField: 'at',
    });
    const { store, read } = setup();
    server.answer(/at=1/, { json: [todo(1)] });
    server.answer(/at=2/, { json: [todo(2)] });

    await store.dispatch(getTodos({ owner: 'ada', at: 1 })).unwrap();
    await store.dispatch(getTodos.getPage({ owner: 'ada', at: 2 })).unwrap();

    expect(ids(read(getTodos.select({ owner: 'ada' })))).toEqual([1, 2]);
  });
});
