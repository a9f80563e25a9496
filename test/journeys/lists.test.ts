import { Collection, createResource, Entity, RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { expectIdle, setup } from '../support/store.js';
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

describe('an item that is created with a merge of its own while other requests overlap', () => {
  const Todos = createResource({ ...options, optimistic: true }).extend((base) => ({
    add: base.getList.push.extend({
      name: 'Todo/addFirst',
      schema: base.getList.schema.addWith((existing, incoming) => [...incoming, ...existing]),
    }),
  }));
  const made = { ...todo(9), title: 'new' };

  /** A store with a list of two, and what its list shows. */
  function setupTwo() {
    const tools = setup();
    const { store, resources, read } = tools;
    store.dispatch(resources.setResponse(Todos.getList, {}, [todo(1), todo(2)]));
    const shown = () => ids(read(Todos.getList.select()))?.map((id) => (typeof id === 'string' ? '~' : id));
    return { ...tools, shown, add: () => store.dispatch(Todos.add({}, { title: 'new' })) };
  }

  it('stands in the list once, where a poll has brought it before its own answer', async () => {
    const { store, shown, add, slice } = setupTwo();
    const adding = add();
    await server.holding('POST /todos');
    const poll = store.dispatch(Todos.getList());
    await server.release('GET /todos', { json: [todo(1), todo(2), made] });
    await poll;
    expect(shown()).toEqual(['~', 1, 2]);

    await server.release('POST /todos', { json: made });
    await adding;

    expect(shown()).toEqual([9, 1, 2]);
    expectIdle(slice());
  });

  it('hides nothing of what a poll brings while it is pending', async () => {
    const { store, shown, add } = setupTwo();
    const adding = add();
    await server.holding('POST /todos');
    const poll = store.dispatch(Todos.getList());
    await server.release('GET /todos', { json: [todo(2), { ...todo(5), title: 'other' }] });
    await poll;
    const pending = shown();
    await server.release('POST /todos', { json: made });
    await adding;

    expect([pending, shown()]).toEqual([
      ['~', 2, 5],
      [9, 2, 5],
    ]);
  });

  it('hides no other item that is created, and none that stays because its deletion has failed', async () => {
    const { store, shown, add } = setupTwo();
    const other = store.dispatch(Todos.getList.push({}, { title: 'other' }));
    const deleting = store.dispatch(Todos.delete({ id: 1 }));
    const adding = add();
    expect(shown()).toEqual(['~', 2, '~']);
    await server.release(/"other"/, { json: { ...todo(5), title: 'other' } });
    await other;
    expect(shown()).toEqual(['~', 2, 5]);
    await server.release('DELETE /todos/1', { status: 500 });
    await deleting;
    expect(shown()).toEqual(['~', 1, 2, 5]);

    await server.release(/"new"/, { json: made });
    await adding;

    expect(shown()).toEqual([9, 1, 2, 5]);
  });

  it('is shown without an item that is deleted meanwhile', async () => {
    const { store, shown, add, slice } = setupTwo();
    const adding = add();
    const deleting = store.dispatch(Todos.delete({ id: 1 }));
    await server.release('DELETE /todos/1', { status: 204 });
    await deleting;
    const pending = shown();
    await server.release('POST /todos', { json: made });
    await adding;

    expect([pending, shown()]).toEqual([
      ['~', 2],
      [9, 2],
    ]);
    expectIdle(slice());
  });

  it('stays where the merge has put it, though a poll that was sent before comes late', async () => {
    const { store, shown, add, slice } = setupTwo();
    const poll = store.dispatch(Todos.getList());
    await server.holding('GET /todos');
    const adding = add();
    await server.release('POST /todos', { json: made });
    await adding;

    await server.release('GET /todos', { json: [todo(1), todo(2), todo(5)] });
    await poll;

    expect(shown()).toEqual([9, 1, 2, 5]);
    expectIdle(slice());
  });

  it('keeps the page of older items at the start, in its order, though a poll that was sent before comes late', async () => {
    const older = Todos.getList.extend({
      name: 'Todo/older',
      schema: Todos.getList.schema.addWith(
        (existing, incoming) => [...incoming, ...existing],
        () => true,
      ),
    });
    const { store, shown } = setupTwo();
    const poll = store.dispatch(Todos.getList());
    await server.holding('GET /todos');
    server.answer('GET /todos?before=1', { json: [todo(7), todo(8)] });
    await store.dispatch(older({ before: 1 }));

    await server.release('GET /todos', { json: [todo(1), todo(2), todo(5)] });
    await poll;

    expect(shown()).toEqual([7, 8, 1, 2, 5]);
  });

  it('drops what the merge leaves out, also where a poll that was sent before brings it', async () => {
    const latest = Todos.add.extend({
      name: 'Todo/latest',
      schema: Todos.getList.schema.addWith((existing, incoming) => [...incoming, ...existing].slice(0, 2)),
    });
    const { store, shown } = setupTwo();
    const poll = store.dispatch(Todos.getList());
    await server.holding('GET /todos');
    const adding = store.dispatch(latest({}, { title: 'new' }));
    expect(shown()).toEqual(['~', 1]);
    await server.release('POST /todos', { json: made });
    await adding;
    await server.release('GET /todos', { json: [todo(1), todo(2)] });
    await poll;

    expect(shown()).toEqual([9, 1]);
  });
});

describe('several items that are created at once', () => {
  it.each(['push', 'unshift'] as const)(
    'keep their order after %s, though a poll that was sent before comes late',
    async (verb) => {
      const Todos = createResource({ ...options, optimistic: true });
      const { store, resources, read, slice } = setup();
      store.dispatch(resources.setResponse(Todos.getList, {}, [todo(1)]));
      const shown = () => ids(read(Todos.getList.select()));
      const poll = store.dispatch(Todos.getList());
      await server.holding('GET /todos');
      const creating = store.dispatch(Todos.getList[verb]({}, [{ title: 'a' }, { title: 'b' }]));
      await server.release('POST /todos', { json: [todo(5), todo(6)] });
      await creating;
      const before = shown();

      await server.release('GET /todos', { json: [todo(1)] });
      await poll;

      expect(shown()).toEqual(before);
      expect(shown()).toEqual(verb === 'push' ? [1, 5, 6] : [5, 6, 1]);
      expectIdle(slice());
    },
  );
});
