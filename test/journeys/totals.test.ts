import { Collection, createResource, Entity, RestEndpoint, schema, type ResourcesState } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

const server = await serverOfFile();
const urlPrefix = server.url;

class Todo extends Entity {
  id = 0;
  title = '';
  state = '';
  static override key = 'Todo';
}
const todos = new Collection([Todo], { paginationField: 'page' });
interface Search {
  readonly state?: string;
  readonly page?: number;
  readonly offset?: number;
}
const searchParams: Search = {};
const Todos = createResource({
  urlPrefix,
  path: '/todos/:id',
  schema: Todo,
  searchParams,
  paginationField: 'page',
  optimistic: true,
}).extend({ getList: { schema: { results: todos, count: todos.total } } });
const { getList } = Todos;

const todo = (id: number, state = 'open') => ({ id, title: `todo ${String(id)}`, state });

async function setupLists(...lists: readonly (readonly [Search, readonly object[], number])[]) {
  const tools = setup();
  const { store, read } = tools;
  for (const [args, results, count] of lists) {
    server.answer('GET /todos', { json: { results, count } });
    await store.dispatch(getList(args));
  }
  const state = (args: Search): string => {
    const { data, isStale } = read(getList.selectRequest(args));

    return `${String(data?.results.length)} of ${String(data?.count)}${isStale ? ' stale' : ''}`;
  };

  return { ...tools, state, states: () => lists.map(([args]) => state(args)) };
}

describe('a total', () => {
  it.each([
    ['deletion', () => Todos.delete({ id: 2 })],
    ['edit that takes its item out', () => Todos.partialUpdate({ id: 2 }, { state: 'done' })],
  ])('has counted a pending %s, when it was asked for after it', async (_, write) => {
    const open = { state: 'open' };
    const { store, state } = await setupLists([open, [todo(1), todo(2), todo(3)], 3]);
    server.forget();
    const writing = store.dispatch(write());
    expect(state(open)).toBe('2 of 2');

    const poll = store.dispatch(getList(open));
    await server.release('GET /todos', { json: { results: [todo(1), todo(3)], count: 2 } });
    await poll;
    expect(state(open)).toMatch(/^2 of 2/);

    await server.release(/(DELETE|PATCH) \/todos\/2/, { json: todo(2, 'done') });
    await writing;
    expect(state(open)).toMatch(/^2 of 2/);
  });

  it('counts a pending create, and takes it back when it is refused', async () => {
    const { store, states } = await setupLists([{}, [todo(1), todo(2)], 5]);

    const create = store.dispatch(getList.push({}, { title: 'new', state: 'open' }));
    const during = states();
    await server.release('POST /todos', { status: 422 });
    await create;

    expect(during).toEqual(['3 of 6']);
    expect(states()).toEqual(['2 of 5']);
  });

  it('counts a create once, pending and confirmed', async () => {
    const { store, states } = await setupLists([{}, [todo(1), todo(2)], 5]);

    const create = store.dispatch(getList.push({}, { title: 'new', state: 'open' }));
    await server.release('POST /todos', { status: 201, json: todo(9) });
    await create;

    expect(states()).toEqual(['3 of 6']);
  });

  it('counts a deletion once, also that of what was created since', async () => {
    const { store, states } = await setupLists([{}, [todo(1), todo(2)], 5]);
    server.answer('POST /todos', { status: 201, json: todo(9) });
    await store.dispatch(getList.push({}, { title: 'new', state: 'open' }));

    const removal = store.dispatch(Todos.delete({ id: 9 }));
    const during = states();
    await server.release('DELETE /todos/9', { status: 204 });
    await removal;
    server.answer('DELETE /todos/1', { status: 204 });
    await store.dispatch(Todos.delete({ id: 1 }));

    expect(during).toEqual(['2 of 5']);
    expect(states()).toEqual(['1 of 4']);
  });

  it('counts an item that is moved, and back again', async () => {
    const { store, states } = await setupLists(
      [{ state: 'open' }, [todo(1), todo(2)], 5],
      [{ state: 'done' }, [todo(3, 'done')], 1],
    );

    const done = store.dispatch(Todos.partialUpdate({ id: 1 }, { state: 'done' }));
    const during = states();
    await server.release('PATCH /todos/1', { json: todo(1, 'done') });
    await done;
    const after = states();
    server.answer('PATCH /todos/1', { json: todo(1) });
    await store.dispatch(Todos.partialUpdate({ id: 1 }, { state: 'open' }));

    expect(during).toEqual(['1 of 4', '2 of 2']);
    expect(after).toEqual(during);
    expect(states()).toEqual(['2 of 5', '1 of 1']);
  });

  it('is that of the next answer, which knows all that was sent before it', async () => {
    const { store, states } = await setupLists([{}, [todo(1)], 5]);
    server.answer('POST /todos', { status: 201, json: todo(9) });
    await store.dispatch(getList.push({}, { title: 'new', state: 'open' }));

    server.answer('GET /todos', { json: { results: [todo(1), todo(9)], count: 8 } });
    await store.dispatch(getList());

    expect(states()).toEqual(['2 of 8']);
  });

  it('is the same in every window of the same filters', async () => {
    const { store, states } = await setupLists(
      [{ state: 'open' }, [todo(1)], 5],
      [{ state: 'open', offset: 1 }, [todo(2)], 5],
      [{ state: 'done' }, [], 0],
    );

    server.answer('DELETE /todos/1', { status: 204 });
    await store.dispatch(Todos.delete({ id: 1 }));

    expect(states()).toEqual(['0 of 4', '1 of 4 stale', '0 of 0']);
  });

  it('of a poll that was sent after a create, and came before its answer, has counted it', async () => {
    const { store, states } = await setupLists([{}, [todo(1)], 1]);
    server.forget();
    const create = store.dispatch(getList.push({}, { title: 'new', state: 'open' }));
    await server.holding('POST /todos');
    const poll = store.dispatch(getList());
    await server.release('GET /todos', { json: { results: [todo(1), { ...todo(9), title: 'new' }], count: 2 } });
    await poll;
    const during = states();
    await server.release('POST /todos', { status: 201, json: todo(9) });
    await create;

    expect(during).toEqual(['2 of 2']);
    expect(states()).toEqual(['2 of 2 stale']);
  });

  it('told by a header is one like others', async () => {
    const getCounted = new RestEndpoint({
      urlPrefix,
      path: '/counted',
      schema: { results: todos, count: todos.total },
      name: 'counted',
      async parseResponse(response: Response) {
        return { results: (await response.json()) as unknown, count: Number(response.headers.get('X-Total-Count')) };
      },
    });
    const { store, read } = setup();
    server.answer('GET /counted', { json: [todo(1)], headers: { 'X-Total-Count': '7' } });

    await store.dispatch(getCounted());

    expect(read(getCounted.select())).toMatchObject({ results: [{ id: 1 }], count: 7 });
  });

  it.each([['many'], [''], [true], [{ value: 42 }]])('is a number: an answer with %j is rejected', async (count) => {
    const { store } = setup();
    server.answer('GET /todos', { json: { results: [todo(1)], count } });

    const { error } = await store.dispatch(getList());

    expect(error).toMatchObject({ code: 'R6', message: expect.stringContaining('how many items there are') as string });
  });

  it('may come as text, as a SQL driver gives a COUNT', async () => {
    const { store, read } = setup();
    server.answer('GET /todos', { json: { results: [todo(1)], count: '42' } });

    await store.dispatch(getList());

    expect(read(getList.select())).toMatchObject({ results: [{ id: 1 }], count: 42 });
  });

  it('may be null, where the server has not counted', async () => {
    const { store, read } = setup();
    server.answer('GET /todos', { json: { results: [todo(1)], count: null } });

    await store.dispatch(getList());

    expect(read(getList.select())).toMatchObject({ results: [{ id: 1 }], count: null });
  });

  it('leaves the tables untouched where a refetch brings the same', async () => {
    const { store, slice } = await setupLists([{}, [todo(1)], 5]);
    const before: ResourcesState['tables'] = slice().tables;

    await store.dispatch(getList());

    expect(slice().tables).toBe(before);
  });
});

describe('where the store does not know all, a total', () => {
  it('counts a pending create that has its id already', async () => {
    const { store, states } = await setupLists([{}, [todo(1)], 5]);

    const create = store.dispatch(getList.push({}, todo(9)));
    const during = states();
    await server.release('POST /todos', { json: todo(9) });
    await create;

    expect([...during, ...states()]).toEqual(['2 of 6', '2 of 6']);
  });

  it('that is told for the first time is asked for again where an item was deleted while it was on its way', async () => {
    const { store, state } = await setupLists();
    server.answer('GET /todos/9', { json: todo(9) });
    await store.dispatch(Todos.get({ id: 9 }));
    const reading = store.dispatch(getList({ state: 'open' }));
    await server.holding('GET /todos');
    server.answer('DELETE /todos/9', { status: 204 });
    await store.dispatch(Todos.delete({ id: 9 }));
    await server.release('GET /todos', { json: { results: [todo(1)], count: 5 } });
    await reading;

    expect(state({ state: 'open' })).toBe('1 of 5 stale');
  });

  it('is asked for again after the deletion of an item that was never fetched, and not by a message about one', async () => {
    const { store, resources, state } = await setupLists([{}, [todo(1)], 5]);

    store.dispatch(resources.setResponse(Todos.delete, { id: 8 }, null));
    const told = state({});
    server.answer('DELETE /todos/9', { status: 204 });
    await store.dispatch(Todos.delete({ id: 9 }));

    expect([told, state({})]).toEqual(['1 of 5', '1 of 5 stale']);
  });

  describe('of a search that is read page by page', () => {
    const found = new Collection([Todo], { name: 'found' });
    const query: { readonly q?: string } = {};
    const search = new RestEndpoint({
      urlPrefix,
      path: '/search',
      searchParams: query,
      schema: { found, count: found.total },
      name: 'search',
      paginationField: 'page',
    });

    async function setupSearch(count: number) {
      const tools = await setupLists([{ state: 'open' }, [todo(1), todo(9)], 2]);
      const { store, read, resources } = tools;
      server.answer('GET /search', { json: { found: [todo(1)], count } });
      await store.dispatch(search({ q: 'todo' }));
      server.answer(/^DELETE/, { status: 204 });
      return { ...tools, isStale: () => read(resources.selectRequest(search, { q: 'todo' })).isStale };
    }

    it('is asked for again after the deletion of an item that none of its pages shows, and counts that of one', async () => {
      const { store, read, isStale } = await setupSearch(5);

      await store.dispatch(Todos.delete({ id: 1 }));
      const afterShown = isStale();
      await store.dispatch(Todos.delete({ id: 9 }));

      expect([afterShown, isStale()]).toEqual([false, true]);
      expect(read(search.select({ q: 'todo' }))?.count).toBe(4);
    });

    it('stays fresh where its pages show all that is counted', async () => {
      const { store, isStale } = await setupSearch(1);

      await store.dispatch(Todos.delete({ id: 9 }));

      expect(isStale()).toBe(false);
    });
  });

  it('is asked for again after a create, where the answer has no list beside it', async () => {
    const { store, read } = setup();
    server.answer('GET /todos', { json: { results: null, count: 0 } });
    await store.dispatch(getList({}));
    server.answer('POST /todos', { status: 201, json: todo(1) });

    await store.dispatch(getList.push({}, { title: 'todo 1', state: 'open' }));

    expect(read(getList.selectRequest({})).isStale).toBe(true);
  });
});

describe('a total after a write that takes out many items, of which one was created since it was told', () => {
  const body: { readonly ids: readonly number[] } = { ids: [] };
  const bulk = { path: '/todos/bulk', method: 'POST', body } as const;
  const open = { state: 'open' };
  const of = (belongs?: (row: Partial<Todo>, params: Readonly<Record<string, string>>) => boolean) => {
    const lists = new Collection([Todo], { paginationField: 'page', ...(belongs && { name: 'judged', belongs }) });
    return Todos.extend({ getList: { schema: { results: lists, count: lists.total } } })
      .extend('finishMany', { ...bulk, schema: [Todo], optimistic: false })
      .extend('finishAtOnce', {
        ...bulk,
        schema: [Todo],
        getOptimisticResponse: (_snap, _params, { ids }) => ids.map((id) => ({ id, state: 'done' })),
      })
      .extend('removeMany', {
        ...bulk,
        schema: [new schema.Invalidate(Todo)],
        process: (_value, _params, { ids }) => ids.map(String),
        getOptimisticResponse: (_snap, _params, { ids }) => ids.map(String),
      });
  };
  const byFields = of();
  const byRule = of((row, { state }) => row.state === state);

  it.each([
    ['an edit', byFields, 'finishMany', [1, 9]],
    ['an edit, the created one first', byFields, 'finishMany', [9, 1]],
    ['an edit that shows at once', byFields, 'finishAtOnce', [1, 9]],
    ['an edit, where belongs says who is in the list', byRule, 'finishMany', [1, 9]],
    ['such an edit that shows at once', byRule, 'finishAtOnce', [1, 9]],
    ['a deletion', byFields, 'removeMany', [1, 9]],
    ['a deletion, the created one first', byFields, 'removeMany', [9, 1]],
    ['an edit of others alone', byFields, 'finishMany', [1, 2]],
  ] as const)('has counted each of them once: %s', async (_, resource, how, ids) => {
    const { store, read } = setup();
    const shown = () => {
      const { data, isStale } = read(resource.getList.selectRequest(open));
      return [data?.results.length, data?.count, isStale];
    };
    server.answer('GET /todos', { json: { results: [todo(1), todo(2)], count: 5 } });
    await store.dispatch(resource.getList(open));
    server.answer('POST /todos', { status: 201, json: todo(9) });
    await store.dispatch(resource.getList.push({}, { title: 'new', state: 'open' }));
    expect(shown()).toEqual([3, 6, false]);

    server.answer(
      'POST /todos/bulk',
      how === 'removeMany' ? { status: 204 } : { json: ids.map((id) => todo(id, 'done')) },
    );
    await store.dispatch(resource[how]({}, { ids }));

    expect(shown()).toEqual([1, 4, false]);
  });
});

describe('a total beside a list inside an entity', () => {
  class Note extends Entity {
    id = 0;
    issueId = 0;
    static override key = 'Note';
  }
  const notes = new Collection([Note], { nestKey: ({ id }: { readonly id: number }) => ({ issueId: id }) });
  class Issue extends Entity {
    id = 0;
    notes: readonly Note[] = [];
    count = 0;
    static override key = 'Issue';
    static override schema = { notes, count: notes.total };
  }
  const Issues = createResource({ urlPrefix, path: '/issues/:id', schema: Issue });
  const Notes = createResource({ urlPrefix, path: '/issues/:issueId/notes/:id', schema: Note, optimistic: true });

  it('counts what is created in it and deleted', async () => {
    const { store, read } = setup();
    server.answer('GET /issues/7', { json: { id: 7, notes: [{ id: 1, issueId: 7 }], count: 4 } });
    await store.dispatch(Issues.get({ id: 7 }));
    const shown = () => {
      const issue = read(Issues.get.select({ id: 7 }));
      return `${String(issue?.notes.length)} of ${String(issue?.count)}`;
    };

    const create = store.dispatch(Notes.getList.push({ issueId: 7 }, {}));
    const creating = shown();
    await server.release('POST /issues/7/notes', { json: { id: 2, issueId: 7 } });
    await create;
    const created = shown();
    server.answer('DELETE /issues/7/notes/1', { status: 204 });
    await store.dispatch(Notes.delete({ issueId: 7, id: 1 }));

    expect([creating, created, shown()]).toEqual(['2 of 5', '2 of 5', '1 of 4']);
  });

  it.each([true, false])('counts what is deleted also without a nestKey, optimistic: %s', async (optimistic) => {
    const own = new Collection([Note]);
    class Thread extends Entity {
      id = 0;
      notes: readonly Note[] = [];
      count = 0;
      static override key = 'Thread';
      static override schema = { count: own.total, notes: own };
    }
    const Threads = createResource({ urlPrefix, path: '/threads/:id', schema: Thread });
    const Own = createResource({ urlPrefix, path: '/notes/:id', schema: Note, optimistic });
    const { store, read } = setup();
    const shown = (id: number) => {
      const { data, isStale } = read(Threads.get.selectRequest({ id }));
      return [data?.notes.length, data?.count, isStale];
    };
    server.answer('GET /threads/7', { json: { id: 7, notes: [{ id: 1 }, { id: 2 }], count: 4 } });
    server.answer('GET /threads/8', { json: { id: 8, notes: [{ id: 3 }], count: 1 } });
    server.answer('DELETE /notes/1', { status: 204 });
    await store.dispatch(Threads.get({ id: 7 }));
    await store.dispatch(Threads.get({ id: 8 }));

    await store.dispatch(Own.delete({ id: 1 }));

    expect([shown(7), shown(8)]).toEqual([
      [1, 3, false],
      [1, 1, false],
    ]);
  });
});
