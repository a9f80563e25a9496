import { Collection, createResource, Entity, isTemporary, RestEndpoint, schema, type RequestState } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile, type Received } from '../support/server.js';
import { setup } from '../support/store.js';

class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  completed = false;
  createdAt = new Date(0);
  static override key = 'Todo';
  static override schema = { createdAt: (iso: string) => new Date(iso) };
}

class Score extends Entity {
  name = '';
  points = 0;
  static override key = 'Score';
  override pk() {
    return this.name;
  }
}

const server = await serverOfFile();

const searchParams: { userId?: number } = {};
const options = {
  urlPrefix: server.url,
  path: '/todos/:id',
  schema: Todo,
  searchParams,
  paginationField: 'page',
} as const;
const TodoResource = createResource(options);
const EagerTodoResource = createResource({ ...options, name: 'EagerTodo', optimistic: true });

const scoreOptions = { urlPrefix: server.url, path: '/games/:game/scores/:name', schema: Score } as const;
const scores = new Collection(new schema.Values(Score));
const ScoreResource = createResource(scoreOptions).extend({ getList: { schema: scores } });
const EagerScoreResource = createResource({ ...scoreOptions, name: 'EagerScore', optimistic: true }).extend({
  getList: { schema: scores },
});

const iso = '2024-02-29T12:00:00.000Z';
const wire = (id: number, fields: object = {}): object => ({
  id,
  userId: 1,
  title: `todo ${id}`,
  completed: false,
  createdAt: iso,
  ...fields,
});
const todo = (id: number, fields: Partial<Todo> = {}): Todo =>
  Todo.fromJS({ id, userId: 1, title: `todo ${id}`, completed: false, createdAt: new Date(iso), ...fields });

/** All of a request that an endpoint decides. */
function sent({ method, path, query, headers, body }: Received): object {
  return { method, path, query, accept: headers.accept, contentType: headers['content-type'], body };
}
const bodiless = { accept: 'application/json', contentType: undefined, body: undefined };
const withBody = { accept: 'application/json', contentType: 'application/json' };

const uninitialized = { status: 'uninitialized', isUninitialized: true, isLoading: false, isFetching: false };
const pending = { status: 'pending', isUninitialized: false, isFetching: true, isSuccess: false, isError: false };
const fulfilled = { status: 'fulfilled', isLoading: false, isFetching: false, isSuccess: true, isStale: false };

const ids = (list: readonly Todo[] | undefined): readonly unknown[] | undefined => list?.map(({ id }) => id);

describe('a read', () => {
  it('get fetches one entity', async () => {
    const { store, read } = setup();
    const state = (): RequestState<Todo> => read(TodoResource.get.selectRequest({ id: 5 }));
    expect(read(TodoResource.get.select({ id: 5 }))).toBeUndefined();
    expect(state()).toMatchObject(uninitialized);

    const promise = store.dispatch(TodoResource.get({ id: 5 }));
    const request = await server.holding('GET /todos/5');
    expect(read(TodoResource.get.select({ id: 5 }))).toBeUndefined();
    expect(state()).toMatchObject({ ...pending, isLoading: true, requestId: promise.requestId });
    await server.release('GET /todos/5', { json: wire(5) });
    const value = await promise.unwrap();

    expect(sent(request)).toEqual({ method: 'GET', path: '/todos/5', query: '', ...bodiless });
    expect(value).toBeInstanceOf(Todo);
    expect(value).toEqual(todo(5));
    expect(read(TodoResource.get.select({ id: 5 }))).toBe(value);
    expect(state()).toMatchObject({ ...fulfilled, data: value });
  });

  it('getList fetches the list of its search parameters', async () => {
    const { store, read } = setup();
    const state = (): RequestState<Todo[]> => read(TodoResource.getList.selectRequest({ userId: 1 }));
    expect(read(TodoResource.getList.select({ userId: 1 }))).toBeUndefined();

    const promise = store.dispatch(TodoResource.getList({ userId: 1 }));
    const request = await server.holding('GET /todos');
    expect(read(TodoResource.getList.select({ userId: 1 }))).toBeUndefined();
    expect(state()).toMatchObject({ ...pending, isLoading: true });
    await server.release('GET /todos', { json: [wire(1), wire(2)] });
    const value = await promise.unwrap();

    expect(sent(request)).toEqual({ method: 'GET', path: '/todos', query: 'userId=1', ...bodiless });
    expect(value).toEqual([todo(1), todo(2)]);
    expect(value.every((item) => item instanceof Todo)).toBe(true);
    expect(read(TodoResource.getList.select({ userId: 1 }))).toBe(value);
    expect(read(TodoResource.getList.select({ userId: 2 }))).toBeUndefined();
    expect(read(TodoResource.get.select({ id: 2 }))).toBe(value[1]);
    expect(state()).toMatchObject({ ...fulfilled, data: value });
  });

  it('getList.getPage adds its page to the list', async () => {
    const { store, read } = setup();
    server.answer('GET /todos?userId=1', { json: [wire(1), wire(2)] });
    const first = await store.dispatch(TodoResource.getList({ userId: 1 })).unwrap();

    const promise = store.dispatch(TodoResource.getList.getPage({ userId: 1, page: 2 }));
    const request = await server.holding('GET /todos?page=2&userId=1');
    expect(read(TodoResource.getList.select({ userId: 1 }))).toBe(first);
    expect(read(TodoResource.getList.selectRequest({ userId: 1 }))).toMatchObject(fulfilled);
    await server.release('GET /todos?page=2&userId=1', { json: [wire(2), wire(3)] });
    const value = await promise.unwrap();

    expect(sent(request)).toEqual({ method: 'GET', path: '/todos', query: 'page=2&userId=1', ...bodiless });
    expect(value).toEqual([todo(1), todo(2), todo(3)]);
    expect(read(TodoResource.getList.select({ userId: 1 }))).toBe(value);
    expect(value[0]).toBe(first[0]);
  });

  it('getList.getPage creates a list that was never fetched', async () => {
    const { store, read } = setup();
    server.answer('GET /todos', { json: [wire(4)] });

    const value = await store.dispatch(TodoResource.getList.getPage({ userId: 1, page: '3' })).unwrap();

    expect(value).toEqual([todo(4)]);
    expect(read(TodoResource.getList.select({ userId: 1 }))).toBe(value);
  });

  it('an added member fetches what its path says', async () => {
    const CurrentTodo = TodoResource.extend('current', {
      path: '/users/:userId/current',
      searchParams: undefined,
    }).current;
    const { store, read } = setup();
    expect(CurrentTodo.name).toBe('Todo/current');

    const promise = store.dispatch(CurrentTodo({ userId: 1 }));
    const request = await server.holding('GET /users/1/current');
    expect(read(CurrentTodo.select({ userId: 1 }))).toBeUndefined();
    expect(read(CurrentTodo.selectRequest({ userId: 1 }))).toMatchObject({ ...pending, isLoading: true });
    await server.release('GET /users/1/current', { json: wire(5) });
    const value = await promise.unwrap();

    expect(sent(request)).toEqual({ method: 'GET', path: '/users/1/current', query: '', ...bodiless });
    expect(value).toEqual(todo(5));
    expect(read(CurrentTodo.select({ userId: 1 }))).toBe(value);
    expect(read(TodoResource.get.select({ id: 5 }))).toBe(value);
  });

  it('a single endpoint fetches a response of its own shape', async () => {
    const searchParams: { q: string; tags?: readonly string[] } = { q: '' };
    const search = new RestEndpoint({
      urlPrefix: server.url,
      path: '/search/:kind',
      searchParams,
      schema: { results: new Collection([Todo]), total: 0 },
    });
    const args = { kind: 'todos', q: 'a & b', tags: ['x', 'y'] };
    const { store, read } = setup();

    const promise = store.dispatch(search(args));
    const request = await server.holding('GET /search/todos');
    expect(read(search.select(args))).toBeUndefined();
    await server.release('GET /search/todos', { json: { results: [wire(1)], total: 10 } });
    const value = await promise.unwrap();

    expect(sent(request)).toEqual({
      method: 'GET',
      path: '/search/todos',
      query: 'q=a+%26+b&tags=x&tags=y',
      ...bodiless,
    });
    expect(value).toEqual({ results: [todo(1)], total: 10 });
    expect(read(search.select(args))).toBe(value);
    expect(read(TodoResource.get.select({ id: 1 }))).toBe(value.results[0]);
  });

  it('a single endpoint without a schema gives the response as it came', async () => {
    const stats = new RestEndpoint({ urlPrefix: server.url, path: '/stats/:day' });
    const { store, read } = setup();
    server.answer('GET /stats/today', { json: { open: 3, by: ['Ada'] } });

    const value = await store.dispatch(stats({ day: 'today' })).unwrap();

    expect(value).toEqual({ open: 3, by: ['Ada'] });
    expect(read(stats.select({ day: 'today' }))).toBe(value);
  });
});

describe.each([
  { kind: 'a write', optimistic: false, Todos: TodoResource, Scores: ScoreResource },
  { kind: 'an optimistic write', optimistic: true, Todos: EagerTodoResource, Scores: EagerScoreResource },
])('$kind', ({ optimistic, Todos, Scores }) => {
  /** A store that has fetched todos 1 and 2 of user 1, and todo 9 of user 2. */
  async function setupWithLists() {
    const tools = setup();
    server.answer('GET /todos?userId=1', { json: [wire(1), wire(2)] });
    server.answer('GET /todos?userId=2', { json: [wire(9, { userId: 2 })] });
    await tools.store.dispatch(Todos.getList({ userId: 1 }));
    await tools.store.dispatch(Todos.getList({ userId: 2 }));
    const list = (userId: number): readonly Todo[] | undefined => tools.read(Todos.getList.select({ userId }));
    const one = (id: number): Todo | undefined => tools.read(Todos.get.select({ id }));

    return { ...tools, list, one, before: list(1), others: list(2) };
  }

  describe.each(['push', 'unshift'] as const)('getList.%s', (verb) => {
    const inOrder = <Item>(items: readonly Item[], added: Item): readonly Item[] =>
      verb === 'push' ? [...items, added] : [added, ...items];

    it('creates an item in the list it belongs to', async () => {
      const { store, read, list, one, before, others, slice } = await setupWithLists();
      const member = Todos.getList[verb];

      const promise = store.dispatch(member({ userId: 1 }, { title: 'new' }));
      const request = await server.holding('POST /todos');
      const shown = list(1);
      expect(read(member.selectRequest({ userId: 1 }, { title: 'new' }))).toMatchObject(pending);
      await server.release('POST /todos', { status: 201, json: wire(3, { title: 'new' }) });
      const value = await promise.unwrap();

      expect(sent(request)).toEqual({
        method: 'POST',
        path: '/todos',
        query: 'userId=1',
        ...withBody,
        body: { title: 'new' },
      });
      if (optimistic) {
        expect(shown?.map(({ title }) => title)).toEqual(inOrder(['todo 1', 'todo 2'], 'new'));
        const added = shown?.find(({ title }) => title === 'new');
        expect(added).toMatchObject({ userId: 1, title: 'new', completed: false });
        expect(isTemporary(added?.id)).toBe(true);
      } else expect(shown).toBe(before);
      expect(value).toEqual(todo(3, { title: 'new' }));
      expect(ids(list(1))).toEqual(inOrder([1, 2], 3));
      expect(one(3)).toBe(value);
      expect(list(1)).toContain(value);
      expect(list(2)).toBe(others);
      expect(read(member.selectRequest({ userId: 1 }, { title: 'new' }))).toMatchObject(fulfilled);
      expect(slice().intents).toEqual([]);
    });

    it('creates several items at once', async () => {
      const { store, list } = await setupWithLists();

      const promise = store.dispatch(Todos.getList[verb]({ userId: 1 }, [{ title: 'a' }, { title: 'b' }]));
      const request = await server.holding('POST /todos');
      const shown = list(1);
      await server.release('POST /todos', { status: 201, json: [wire(3, { title: 'a' }), wire(4, { title: 'b' })] });
      const value = await promise.unwrap();

      expect(request.body).toEqual([{ title: 'a' }, { title: 'b' }]);
      expect(shown).toHaveLength(optimistic ? 4 : 2);
      expect(value).toEqual([todo(3, { title: 'a' }), todo(4, { title: 'b' })]);
      expect(ids(list(1))).toEqual(verb === 'push' ? [1, 2, 3, 4] : [3, 4, 1, 2]);
    });
  });

  it('getList.assign adds values by name', async () => {
    const { store, read } = setup();
    server.answer('GET /games/chess/scores', { json: { ada: { name: 'ada', points: 1 } } });
    const before = await store.dispatch(Scores.getList({ game: 'chess' })).unwrap();
    const shownScores = () => read(Scores.getList.select({ game: 'chess' }));

    const body = { bob: { name: 'bob', points: 2 } };
    const promise = store.dispatch(Scores.getList.assign({ game: 'chess' }, body));
    const request = await server.holding('POST /games/chess/scores');
    const shown = shownScores();
    await server.release('POST /games/chess/scores', { json: { bob: { name: 'bob', points: 3 } } });
    const value = await promise.unwrap();

    expect(sent(request)).toEqual({ method: 'POST', path: '/games/chess/scores', query: '', ...withBody, body });
    if (optimistic) expect(shown).toEqual({ ...before, bob: Score.fromJS({ name: 'bob', points: 2 }) });
    else expect(shown).toBe(before);
    expect(value).toEqual({ bob: Score.fromJS({ name: 'bob', points: 3 }) });
    expect(shownScores()).toEqual({ ...before, ...value });
    expect(read(Scores.get.select({ game: 'chess', name: 'bob' }))).toEqual(Score.fromJS({ name: 'bob', points: 3 }));
  });

  it('getList.remove takes an item out of the list, and leaves it where it is besides', async () => {
    const { store, list, one, before, others } = await setupWithLists();

    const promise = store.dispatch(Todos.getList.remove({ userId: 1 }, { id: 1 }));
    const request = await server.holding('PATCH /todos');
    const shown = list(1);
    await server.release('PATCH /todos', { json: wire(1) });
    const value = await promise.unwrap();

    expect(sent(request)).toEqual({
      method: 'PATCH',
      path: '/todos',
      query: 'userId=1',
      ...withBody,
      body: { id: 1 },
    });
    if (optimistic) expect(ids(shown)).toEqual([2]);
    else expect(shown).toBe(before);
    expect(value).toEqual(todo(1));
    expect(ids(list(1))).toEqual([2]);
    expect(list(1)?.[0]).toBe(before?.[1]);
    expect(list(2)).toBe(others);
    expect(one(1)).toBe(value);
  });

  it('getList.remove takes an item out that is given as a whole', async () => {
    const { store, list } = await setupWithLists();

    const promise = store.dispatch(Todos.getList.remove({ userId: 1 }, wire(1)));
    await server.holding('PATCH /todos');
    const shown = list(1);
    await server.release('PATCH /todos', { json: wire(1) });
    await promise;

    expect([ids(shown), ids(list(1))]).toEqual([optimistic ? [2] : [1, 2], [2]]);
  });

  it('getList.move takes an item out of one list and puts it into another', async () => {
    const { store, list, one, before, others } = await setupWithLists();

    const promise = store.dispatch(Todos.getList.move({ id: 2 }, { userId: 2 }));
    const request = await server.holding('PATCH /todos/2');
    const shown = [list(1), list(2)] as const;
    await server.release('PATCH /todos/2', { json: wire(2, { userId: 2 }) });
    const value = await promise.unwrap();

    expect(sent(request)).toEqual({ method: 'PATCH', path: '/todos/2', query: '', ...withBody, body: { userId: 2 } });
    if (optimistic) expect(shown.map(ids)).toEqual([[1], [9, 2]]);
    else expect(shown).toEqual([before, others]);
    expect(value).toEqual(todo(2, { userId: 2 }));
    expect([list(1), list(2)].map(ids)).toEqual([[1], [9, 2]]);
    expect(one(2)).toBe(value);
  });

  it('update puts all of an entity', async () => {
    const { store, list, one, before, read, others, slice } = await setupWithLists();
    const body = { title: 'all of it', completed: true };

    const promise = store.dispatch(Todos.update({ id: 2 }, body));
    const request = await server.holding('PUT /todos/2');
    const shown = [list(1), one(2)] as const;
    expect(read(Todos.update.selectRequest({ id: 2 }, body))).toMatchObject(pending);
    await server.release('PUT /todos/2', { json: wire(2, { title: 'All of it', completed: true }) });
    const value = await promise.unwrap();

    expect(sent(request)).toEqual({ method: 'PUT', path: '/todos/2', query: '', ...withBody, body });
    if (optimistic) {
      expect(shown[0]).toEqual([todo(1), todo(2, body)]);
      expect(shown[0]?.[1]).toBe(shown[1]);
    } else expect(shown).toEqual([before, before?.[1]]);
    expect(value).toEqual(todo(2, { title: 'All of it', completed: true }));
    expect(one(2)).toBe(value);
    expect(list(1)).toEqual([todo(1), value]);
    expect(list(1)?.[0]).toBe(before?.[0]);
    expect(list(2)).toBe(others);
    expect(read(Todos.update.selectRequest({ id: 2 }, body))).toMatchObject(fulfilled);
    expect(slice().intents).toEqual([]);
  });

  it('partialUpdate patches some fields of an entity', async () => {
    const { store, list, one, before } = await setupWithLists();

    const promise = store.dispatch(Todos.partialUpdate({ id: 2 }, { completed: true }));
    const request = await server.holding('PATCH /todos/2');
    const shown = one(2);
    await server.release('PATCH /todos/2', { json: { id: 2, completed: true } });
    const value = await promise.unwrap();

    expect(sent(request)).toEqual({
      method: 'PATCH',
      path: '/todos/2',
      query: '',
      ...withBody,
      body: { completed: true },
    });
    if (optimistic) expect(shown).toEqual(todo(2, { completed: true }));
    else expect(shown).toBe(before?.[1]);
    expect(value).toEqual(todo(2, { completed: true }));
    expect(one(2)).toBe(value);
    expect(list(1)).toEqual([todo(1), value]);
  });

  it('sends a value of a deserialized field in wire form', async () => {
    const { store, one } = await setupWithLists();
    const createdAt = new Date('2025-01-01T00:00:00.000Z');

    const promise = store.dispatch(Todos.partialUpdate({ id: 2 }, { createdAt }));
    const request = await server.holding('PATCH /todos/2');
    const shown = one(2);
    await server.release('PATCH /todos/2', { json: wire(2, { createdAt }) });
    const value = await promise.unwrap();

    expect(request.body).toEqual({ createdAt: createdAt.toISOString() });
    expect(shown).toEqual(optimistic ? todo(2, { createdAt }) : todo(2));
    expect(value).toEqual(todo(2, { createdAt }));
  });

  it.each([
    ['no content', { status: 204 }],
    ['the entity', { json: wire(1) }],
    ['an empty object', { json: {} }],
    ['its pk', { json: '1' }],
    ['its pk as a number', { json: 1 }],
  ])('delete takes the entity away, answered with %s', async (_, reply) => {
    const { store, read, list, one, before, others, slice } = await setupWithLists();

    const promise = store.dispatch(Todos.delete({ id: 1 }));
    const request = await server.holding('DELETE /todos/1');
    const shown = [list(1), one(1)] as const;
    expect(read(Todos.delete.selectRequest({ id: 1 }))).toMatchObject(pending);
    await server.release('DELETE /todos/1', reply);
    await promise.unwrap();

    expect(sent(request)).toEqual({ method: 'DELETE', path: '/todos/1', query: '', ...bodiless });
    if (optimistic) expect([ids(shown[0]), shown[1]]).toEqual([[2], undefined]);
    else expect(shown).toEqual([before, before?.[0]]);
    await expect(promise.unwrap()).resolves.toBeUndefined();
    expect(ids(list(1))).toEqual([2]);
    expect(list(1)?.[0]).toBe(before?.[1]);
    expect(one(1)).toBeUndefined();
    expect(list(2)).toBe(others);
    expect(read(Todos.delete.selectRequest({ id: 1 }))).toMatchObject(fulfilled);
    expect(slice().intents).toEqual([]);
  });

  it('an added member sends its body', async () => {
    const { complete } = Todos.extend('complete', {
      path: '/todos/:id/complete',
      body: {} as { readonly by: string },
      ...(optimistic && { getOptimisticResponse: (_: unknown, params: object) => ({ ...params, completed: true }) }),
    });
    const { store, one, before } = await setupWithLists();

    const promise = store.dispatch(complete({ id: 2 }, { by: 'Ada' }));
    const request = await server.holding('POST /todos/2/complete');
    const shown = one(2);
    await server.release('POST /todos/2/complete', { json: wire(2, { completed: true }) });
    const value = await promise.unwrap();

    expect(sent(request)).toEqual({
      method: 'POST',
      path: '/todos/2/complete',
      query: '',
      ...withBody,
      body: { by: 'Ada' },
    });
    if (optimistic) expect(shown).toEqual(todo(2, { completed: true }));
    else expect(shown).toBe(before?.[1]);
    expect(value).toEqual(todo(2, { completed: true }));
    expect(one(2)).toBe(value);
  });

  it('a single endpoint sends its body', async () => {
    const body: { readonly title: string } = { title: 'renamed' };
    const rename = new RestEndpoint({
      urlPrefix: server.url,
      path: '/todos/:id/title',
      method: 'PATCH',
      body,
      schema: Todo,
      name: optimistic ? 'renameAtOnce' : 'rename',
      optimistic,
    });
    const { store, one, before } = await setupWithLists();

    const promise = store.dispatch(rename({ id: 2 }, body));
    const request = await server.holding('PATCH /todos/2/title');
    const shown = one(2);
    await server.release('PATCH /todos/2/title', { json: wire(2, { title: 'renamed' }) });
    const value = await promise.unwrap();

    expect(sent(request)).toEqual({
      method: 'PATCH',
      path: '/todos/2/title',
      query: '',
      ...withBody,
      body,
    });
    if (optimistic) expect(shown).toEqual(todo(2, { title: 'renamed' }));
    else expect(shown).toBe(before?.[1]);
    expect(value).toEqual(todo(2, { title: 'renamed' }));
    expect(one(2)).toBe(value);
  });
});

describe('a body that is no JSON', () => {
  it('is sent as it is, with the content type that it has', async () => {
    const note = (): string | FormData => 'plain text';
    const upload = new RestEndpoint({ urlPrefix: server.url, path: '/todos/:id/note', body: note() });
    const { store } = setup();
    server.answer('POST /todos/5/note', { status: 204 });
    const form = new FormData();
    form.set('note', 'from a form');

    await store.dispatch(upload({ id: 5 }, note()));
    await store.dispatch(upload({ id: 5 }, form));

    const [text, multipart] = server.received;
    expect(text?.rawBody).toBe('plain text');
    expect(text?.headers['content-type']).toBe('text/plain;charset=UTF-8');
    expect(multipart?.rawBody).toContain('from a form');
    expect(multipart?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  });
});
