import { configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, NetworkError, ResourceError, RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile, startServer, type Reply } from '../support/server.js';
import { setup, typesOf } from '../support/store.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();

const TodoResource = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, optimistic: true });

const wire = (id: number): object => ({ id, title: `todo ${id}` });

/** A store that has fetched todos 1 and 2. */
async function setupWithTodos() {
  const tools = setup();
  server.answer('GET /todos', { json: [wire(1), wire(2)] });
  const before = await tools.store.dispatch(TodoResource.getList()).unwrap();
  tools.actions.length = 0;

  return { ...tools, before, list: () => tools.read(TodoResource.getList.select()) };
}

/** What is thrown. */
function thrown(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
}

/** What a promise is rejected with. */
async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It was not rejected.');
}

/** That an error has this code and says all of this. */
function expectMisuse(error: unknown, code: string, ...words: readonly string[]): void {
  expect(error).toBeInstanceOf(ResourceError);
  expect(error).toMatchObject({ name: 'ResourceError', code });
  for (const word of words) expect(String(error)).toContain(word);
  expect(String(error)).toContain(`docs/errors/${code}.md`);
}

describe('a store that is not set up', () => {
  it('without the middleware says so when a request is dispatched', () => {
    const resources = configureResources();
    const store = configureStore({ reducer: { resources: resources.reducer } });
    const before = store.getState();

    const error = thrown(() => store.dispatch(TodoResource.get({ id: 1 })));

    expectMisuse(error, 'R1', 'Todo/get', 'resources.middleware');
    expect(store.getState()).toBe(before);
    expect(server.received).toEqual([]);
  });

  it('without the reducer says so when a request is dispatched, and when it is read', () => {
    const resources = configureResources();
    const store = configureStore({
      reducer: { other: () => 0 },
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });
    const before = store.getState();

    const dispatched = thrown(() => store.dispatch(TodoResource.get({ id: 1 })));
    // @ts-expect-error: the state has no resources
    const selected = thrown(() => TodoResource.get.select({ id: 1 })(store.getState()));

    expectMisuse(dispatched, 'R2', 'state.resources', 'resources.reducer');
    expectMisuse(selected, 'R2', 'state.resources', 'resources.reducer');
    expect(store.getState()).toBe(before);
    expect(server.received).toEqual([]);
  });

  it('with another reducerPath is read by resources.select', async () => {
    const resources = configureResources({ reducerPath: 'api' });
    const store = configureStore({
      reducer: { api: resources.reducer },
      middleware: (getDefault) => getDefault().prepend(resources.middleware),
    });
    server.answer('GET /todos/1', { json: wire(1) });

    const value = await store.dispatch(TodoResource.get({ id: 1 })).unwrap();
    // @ts-expect-error: the state has no resources
    const error = thrown(() => TodoResource.get.select({ id: 1 })(store.getState()));

    expectMisuse(error, 'R2', 'state.resources', 'resources.select');
    expect(resources.select(TodoResource.get, { id: 1 })(store.getState())).toBe(value);
    expect(resources.selectRequest(TodoResource.get, { id: 1 })(store.getState())).toMatchObject({ isSuccess: true });
  });

  it('with two configureResources says so at once', () => {
    const one = configureResources();
    const other = configureResources({ reducerPath: 'other' });

    const error = thrown(() =>
      configureStore({
        reducer: { resources: one.reducer, other: other.reducer },
        middleware: (getDefault) => getDefault().concat(one.middleware, other.middleware),
      }),
    );

    expectMisuse(error, 'R9', 'configureResources');
  });
});

describe('a call that is wrong', () => {
  it.each([
    ['missing', {}],
    ['undefined', { id: undefined }],
    ['null', { id: null }],
    ['empty', { id: '' }],
  ])('with a path parameter that is %s is rejected when dispatched, unsent', async (_, params) => {
    const { store, actions, slice, list, before } = await setupWithTodos();
    server.forget();
    const state = slice();

    // @ts-expect-error: the path names :id
    const promise = store.dispatch(TodoResource.delete(params));
    const action = await promise;

    expectMisuse(await rejection(promise.unwrap()), 'R3', 'Todo/delete', '":id"', '{ id: … }');
    expect(action).toMatchObject({ type: 'Todo/delete/rejected', meta: { requestStatus: 'rejected', aborted: false } });
    expect(action.error).toMatchObject({ name: 'ResourceError', code: 'R3' });
    expect(typesOf(actions)).toEqual(['Todo/delete/rejected']);
    expect(server.received).toEqual([]);
    expect(slice()).toEqual({ ...state, seq: slice().seq });
    expect(list()).toBe(before);
  });

  it('without a path parameter throws where an address is asked for', () => {
    // @ts-expect-error: the path names :id
    const url = thrown(() => TodoResource.get.url({}));
    // @ts-expect-error: the path names :id
    const key = thrown(() => TodoResource.get.key({}));

    expectMisuse(url, 'R3', 'Todo/get', '":id"');
    expectMisuse(key, 'R3', 'Todo/get', '":id"');
  });

  it.each(['select', 'selectRequest'] as const)(
    'that %s is to be called for is told where it is not',
    async (member) => {
      const { store } = await setupWithTodos();
      // As useSelector would call it.
      const { [member]: bare } = TodoResource.getList as unknown as Record<string, (state: unknown) => unknown>;
      const called = TodoResource.getList as unknown as Record<string, (state: unknown) => unknown>;

      const advice = `not useSelector(endpoint.${member}), but useSelector(endpoint.${member}(…))`;
      const withoutThis = thrown(() => bare?.(store.getState()));
      const withState = thrown(() => called[member]?.(store.getState()));
      expectMisuse(withoutThis, 'R8', `${member} of an endpoint was used as a selector`, advice);
      expectMisuse(
        withState,
        'R8',
        `${member} of Todo/getList was used as a selector, which is given the state`,
        advice,
      );
    },
  );

  it('that is no call at all says so', async () => {
    const { store, slice } = await setupWithTodos();
    const state = slice();

    // @ts-expect-error: it was not called
    const error = thrown((): unknown => store.dispatch(TodoResource.get));

    expectMisuse(error, 'R8', 'The endpoint Todo/get', 'Call it first');
    expect(slice()).toBe(state);
  });
});

describe('an answer that does not fit', () => {
  it.each<[string, Reply, 'R6' | 'R7', string]>([
    ['a string', { json: 'hello' }, 'R6', '"hello"'],
    ['a number', { json: 42 }, 'R6', '42'],
    ['an array', { json: [wire(1)] }, 'R6', '[{"id":1'],
    ['an entity without a pk', { json: { title: 'x' } }, 'R7', '{"title":"x"}'],
    ['an entity with an empty pk', { json: { id: '', title: 'x' } }, 'R7', '{"id":"","title":"x"}'],
  ])('because it is %s names the endpoint and shows what came', async (_, reply, code, came) => {
    const { store, slice, list, before, read } = await setupWithTodos();
    const state = slice();
    server.answer('GET /todos/1', reply);

    const promise = store.dispatch(TodoResource.get({ id: 1 }));
    await promise;

    expectMisuse(await rejection(promise.unwrap()), code, 'Todo/get', came, 'Nothing was stored');
    expect(slice().tables).toBe(state.tables);
    expect(slice()).toEqual({ ...state, seq: slice().seq, requests: slice().requests });
    expect(list()).toBe(before);
    expect(read(TodoResource.get.selectRequest({ id: 1 }))).toMatchObject({ isError: true, error: { code } });
    expect(read(TodoResource.get.select({ id: 1 }))).toBe(before[0]);
  });

  it.each<[string, Reply, string]>([
    ['a string for a list', { json: 'hello' }, 'hello'],
    ['a number for a list', { json: 42 }, '42'],
    ['a list inside a list', { json: [wire(1), [wire(2)]] }, 'todo 2'],
    ['a list item without a pk', { json: [wire(1), { title: 'no pk' }] }, 'no pk'],
    ['a list in an envelope', { json: { data: [wire(1)] } }, 'expected a list, but got {"data"'],
  ])('because it is %s leaves nothing half-written', async (_, reply, came) => {
    const { store, slice, list, before } = await setupWithTodos();
    const { tables } = slice();
    server.answer('GET /todos', reply);

    const promise = store.dispatch(TodoResource.getList());
    await promise;

    const error = await rejection(promise.unwrap());
    expect(error).toBeInstanceOf(ResourceError);
    expect(String(error)).toContain('Todo/getList');
    expect(String(error)).toContain(came);
    expect(slice().tables).toBe(tables);
    expect(list()).toBe(before);
  });

  it.each<[string, Reply]>([
    ['HTML', { text: '<!doctype html><p>Welcome</p>', headers: { 'content-type': 'text/html' } }],
    ['broken JSON', { text: '<!doctype html>', headers: { 'content-type': 'application/json' } }],
    ['broken JSON of no type', { text: '<!doctype html>' }],
  ])('because it is %s quotes its beginning', async (_, reply) => {
    const { store, slice, list, before } = await setupWithTodos();
    const state = slice();
    server.answer('GET /todos/1', reply);

    const promise = store.dispatch(TodoResource.get({ id: 1 }));
    await promise;

    const error = await rejection(promise.unwrap());
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ status: 200, url: expect.stringContaining('/todos/1') as string });
    expect(String(error)).toContain('<!doctype html>');
    expect(slice()).toEqual({ ...state, seq: slice().seq, requests: slice().requests });
    expect(list()).toBe(before);
  });
});

describe('a server that says no', () => {
  it.each([404, 422, 500])('with %s and a problem is quoted in the error', async (status) => {
    const { store, slice, list, before, read, actions } = await setupWithTodos();
    const state = slice();
    const problem = { type: 'about:blank', title: 'Not so', errors: { title: ['too short'] } };
    server.answer('PUT /todos/1', {
      status,
      text: JSON.stringify(problem),
      headers: { 'content-type': 'application/problem+json' },
    });

    const promise = store.dispatch(TodoResource.update({ id: 1 }, { title: 'x' }));
    const action = await promise;

    const error = await rejection(promise.unwrap());
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ status, data: problem, url: `${server.url}/todos/1` });
    expect((error as NetworkError).response).toBeInstanceOf(Response);
    expect(String(error)).toContain(String(status));
    expect(action).toMatchObject({
      type: 'Todo/update/rejected',
      error: { name: 'NetworkError', status, data: problem },
    });
    expect(typesOf(actions)).toEqual(['Todo/update/pending', 'Todo/update/rejected']);
    expect(read(TodoResource.update.selectRequest({ id: 1 }, { title: 'x' }))).toMatchObject({
      status: 'rejected',
      isError: true,
      error: { status, data: problem },
    });
    expect(slice().tables).toBe(state.tables);
    expect(slice()).toEqual({ ...state, seq: slice().seq, requests: slice().requests });
    expect(list()).toBe(before);
  });

  it('with a text is quoted too', async () => {
    const { store } = setup();
    server.answer('GET /todos/1', { status: 502, text: 'Bad Gateway' });

    const error = await rejection(store.dispatch(TodoResource.get({ id: 1 })).unwrap());

    expect(error).toMatchObject({ status: 502, data: 'Bad Gateway' });
  });
});

describe('a server that is not there', () => {
  it('is a NetworkError without a status', async () => {
    const gone = await startServer();
    await gone.close();
    const Gone = createResource({ urlPrefix: gone.url, path: '/gone/:id', schema: Todo, name: 'Gone' });
    const { store, slice, list, before, read } = await setupWithTodos();
    const state = slice();

    const promise = store.dispatch(Gone.get({ id: 1 }));
    const action = await promise;

    const error = await rejection(promise.unwrap());
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ status: undefined, url: `${gone.url}/gone/1` });
    expect(String(error)).toContain(`${gone.url}/gone/1`);
    expect(action.error).toMatchObject({ name: 'NetworkError', url: `${gone.url}/gone/1` });
    expect(action.error).not.toHaveProperty('status');
    expect(read(Gone.get.selectRequest({ id: 1 }))).toMatchObject({ isError: true });
    expect(slice()).toEqual({ ...state, seq: slice().seq, requests: slice().requests });
    expect(list()).toBe(before);
  });

  it('that hangs up is one as well', async () => {
    const { store } = setup();
    const promise = store.dispatch(TodoResource.get({ id: 1 }));

    await server.holding('GET /todos/1');
    server.forget();

    const error = await rejection(promise.unwrap());
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ status: undefined });
  });
});

describe('the promise of a request', () => {
  it('resolves with the action that ended it, whichever it is', async () => {
    const { store, actions } = setup();
    server.answer('GET /todos/1', { json: wire(1) });
    server.answer('GET /todos/2', { status: 500 });

    const one = store.dispatch(TodoResource.get({ id: 1 }));
    const two = store.dispatch(TodoResource.get({ id: 2 }));
    const [fulfilled, rejected] = await Promise.all([one, two]);

    expect(TodoResource.get.fulfilled.match(fulfilled)).toBe(true);
    expect(TodoResource.get.rejected.match(rejected)).toBe(true);
    expect([fulfilled, rejected].every(TodoResource.get.settled)).toBe(true);
    expect(actions).toContain(fulfilled);
    expect(actions).toContain(rejected);
    expect(fulfilled.payload).toEqual(wire(1));
    expect(fulfilled.meta).toMatchObject({ requestId: one.requestId, arg: one.arg });
    expect(one.arg).toEqual({ endpointName: 'Todo/get', key: `GET ${server.url}/todos/1`, args: [{ id: 1 }] });
    expect(rejected.meta).toMatchObject({ requestId: two.requestId, aborted: false, condition: false });
    expect(rejected.error).toMatchObject({ name: 'NetworkError', status: 500 });
  });

  it('ends as aborted, and leaves the request as it was', async () => {
    const { store, read } = setup();
    const selectRequest = TodoResource.get.selectRequest({ id: 1 });
    const before = read(selectRequest);

    const promise = store.dispatch(TodoResource.get({ id: 1 }));
    await server.holding('GET /todos/1');
    promise.abort('unmounted');
    const action = await promise;
    await server.hungUp('GET /todos/1');

    expect(action).toMatchObject({ type: 'Todo/get/rejected', meta: { aborted: true, requestId: promise.requestId } });
    expect(action.error).toMatchObject({ name: 'AbortError', message: 'unmounted' });
    expect(await rejection(promise.unwrap())).toMatchObject({ name: 'AbortError', message: 'unmounted' });
    expect(before).toMatchObject({ status: 'uninitialized' });
    expect(read(selectRequest)).toEqual(before);
  });

  it('ends as aborted, though the reason of the signal cannot be shown', async () => {
    const { store } = setup();
    const controller = new AbortController();
    const promise = store.dispatch(TodoResource.get.extend({ signal: controller.signal })({ id: 1 }));

    controller.abort(Object.create(null) as object);

    expect(await promise).toMatchObject({ meta: { aborted: true }, error: { name: 'AbortError' } });
  });

  it('ends as aborted, and leaves what was fetched before as it was', async () => {
    const { store, read, list, before } = await setupWithTodos();
    server.forget();
    const request = read(TodoResource.getList.selectRequest());

    const promise = store.dispatch(TodoResource.getList());
    await server.holding('GET /todos');
    promise.abort();
    await promise;

    expect(request).toMatchObject({ status: 'fulfilled' });
    expect(read(TodoResource.getList.selectRequest())).toEqual(request);
    expect(list()).toBe(before);
  });

  it('is not changed by an abort that comes too late', async () => {
    const { store, list, before, actions } = await setupWithTodos();

    const promise = store.dispatch(TodoResource.getList());
    await promise;
    promise.abort();

    await expect(promise.unwrap()).resolves.toBe(before);
    expect(list()).toBe(before);
    expect(typesOf(actions)).toEqual(['Todo/getList/pending', 'Todo/getList/fulfilled']);
  });

  it('ends as aborted when the store is reset', async () => {
    const { store, resources, list, read } = await setupWithTodos();

    const promise = store.dispatch(TodoResource.get({ id: 9 }));
    await server.holding('GET /todos/9');
    store.dispatch(resources.reset());
    const action = await promise;
    await server.hungUp('GET /todos/9');

    expect(action.meta).toMatchObject({ aborted: true });
    expect(list()).toBeUndefined();
    expect(read(TodoResource.get.selectRequest({ id: 9 }))).toMatchObject({ status: 'uninitialized' });
  });
});

describe('two identical reads in flight', () => {
  it('are one request', async () => {
    const { store, actions } = setup();

    const one = store.dispatch(TodoResource.get({ id: 1 }));
    const two = store.dispatch(TodoResource.get({ id: 1 }));
    const three = store.dispatch(TodoResource.get.ifStale({ id: 1 }));
    await server.release('GET /todos/1', { json: wire(1) });
    const values = await Promise.all([one.unwrap(), two.unwrap(), three.unwrap()]);

    expect([two.requestId, three.requestId]).toEqual([one.requestId, one.requestId]);
    expect(values[1]).toBe(values[0]);
    expect(values[2]).toBe(values[0]);
    expect(await two).toBe(await one);
    expect(typesOf(actions)).toEqual(['Todo/get/pending', 'Todo/get/fulfilled']);
    expect(server.received).toHaveLength(1);
  });

  it('go on for one when the other is aborted', async () => {
    const { store, actions, read } = setup();
    const one = store.dispatch(TodoResource.get({ id: 1 }));
    const two = store.dispatch(TodoResource.get({ id: 1 }));
    await server.holding('GET /todos/1');

    one.abort('not needed');
    const left = await one;
    const between = read(TodoResource.get.selectRequest({ id: 1 }));
    await server.release('GET /todos/1', { json: wire(1) });
    const value = await two.unwrap();

    expect(left.meta).toMatchObject({ requestStatus: 'rejected', aborted: true });
    expect(await rejection(one.unwrap())).toMatchObject({ name: 'AbortError' });
    expect(between).toMatchObject({ status: 'pending' });
    expect(value).toEqual(Todo.fromJS(wire(1)));
    expect(actions).not.toContain(left);
    expect(typesOf(actions)).toEqual(['Todo/get/pending', 'Todo/get/fulfilled']);
  });

  it('are cancelled when the last is aborted', async () => {
    const { store, actions } = setup();
    const one = store.dispatch(TodoResource.get({ id: 1 }));
    const two = store.dispatch(TodoResource.get({ id: 1 }));
    await server.holding('GET /todos/1');

    one.abort();
    one.abort();
    two.abort();
    await Promise.all([one, two]);
    await server.hungUp('GET /todos/1');

    expect(typesOf(actions)).toEqual(['Todo/get/pending', 'Todo/get/rejected']);
    expect(TodoResource.get.rejected.match(actions[1])).toBe(true);
    expect(actions[1]).toMatchObject({ meta: { aborted: true } });
  });

  it('are two after the first was cancelled', async () => {
    const { store } = setup();
    const one = store.dispatch(TodoResource.get({ id: 1 }));
    await server.holding('GET /todos/1');

    one.abort();
    const two = store.dispatch(TodoResource.get({ id: 1 }));
    await server.hungUp('GET /todos/1');
    await server.release('GET /todos/1', { json: wire(1) });

    await expect(two.unwrap()).resolves.toEqual(Todo.fromJS(wire(1)));
    await expect(one).resolves.toMatchObject({ meta: { aborted: true } });
  });

  it('are two when they are writes', async () => {
    const { store } = setup();
    server.answer('PATCH /todos/1', { json: wire(1) });

    const one = store.dispatch(TodoResource.partialUpdate({ id: 1 }, { title: 'x' }));
    const two = store.dispatch(TodoResource.partialUpdate({ id: 1 }, { title: 'x' }));
    await Promise.all([one.unwrap(), two.unwrap()]);

    expect(two.requestId).not.toBe(one.requestId);
    expect(server.received).toHaveLength(2);
  });
});

describe('ifStale', () => {
  it('on fresh data sends nothing, dispatches nothing, and gives the value', async () => {
    const { store, slice, actions, before } = await setupWithTodos();
    server.forget();
    const state = slice();

    const promise = store.dispatch(TodoResource.getList.ifStale());
    const action = await promise;

    await expect(promise.unwrap()).resolves.toBe(before);
    expect(action.meta).toMatchObject({ condition: true });
    expect(actions).toEqual([]);
    expect(server.received).toEqual([]);
    expect(slice()).toBe(state);
  });

  it.each(['invalidate', 'invalidateAll', 'expireAll'] as const)('fetches again after %s', async (how) => {
    const { store, resources, list, before } = await setupWithTodos();
    server.forget();
    const action =
      how === 'invalidate' ? resources.invalidate(TodoResource.getList) : resources[how](TodoResource.getList);
    store.dispatch(action);
    const shown = list();

    const promise = store.dispatch(TodoResource.getList.ifStale());
    await server.release('GET /todos', { json: [wire(1)] });
    const value = await promise.unwrap();

    expect(shown).toBe(how === 'expireAll' ? before : undefined);
    expect(value).toEqual([Todo.fromJS(wire(1))]);
    expect(list()).toBe(value);
  });

  it('soon after a failure is rejected with its error, and sends nothing', async () => {
    const { store, slice, actions } = setup({ errorExpiryLength: 60_000 });
    server.answer('GET /todos/1', { status: 500, json: { title: 'Broken' } });
    await store.dispatch(TodoResource.get({ id: 1 }));
    const [state, sent, told] = [slice(), server.received.length, actions.length];

    const promise = store.dispatch(TodoResource.get.ifStale({ id: 1 }));
    const action = await promise;

    const error = await rejection(promise.unwrap());
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ name: 'NetworkError', status: 500, data: { title: 'Broken' } });
    expect(action.meta).toMatchObject({ condition: true });
    expect(slice()).toBe(state);
    expect([server.received.length, actions.length]).toEqual([sent, told]);
  });

  it('after a failure that is long past fetches again', async () => {
    const { store } = setup({ errorExpiryLength: 0 });
    server.answer('GET /todos/1', { status: 500 });
    await store.dispatch(TodoResource.get({ id: 1 }));
    server.answer('GET /todos/1', { json: wire(1) });

    const value = await store.dispatch(TodoResource.get.ifStale({ id: 1 })).unwrap();

    expect(value).toEqual(Todo.fromJS(wire(1)));
  });
});

describe('what is taken for something else', () => {
  const { store, resources, read } = setup();
  // As who writes JavaScript may call them.
  const loose = resources as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
  const request = TodoResource.get({ id: 1 });

  const calling =
    (member: string, ...args: readonly unknown[]) =>
    (): void => {
      store.dispatch(loose[member]?.(...args) as never);
    };

  it.each<[string, string, () => void]>([
    ['a request given to invalidate', 'a request', calling('invalidate', request)],
    ['a class given to expireAll', 'the class Todo', calling('expireAll', Todo)],
    ['a request given to select', 'a request', calling('select', request)],
    ['a resource given to selectRequest', 'a whole resource', calling('selectRequest', TodoResource)],
    ['nothing given to setResponse', 'undefined', calling('setResponse', undefined, [])],
    ['an array given to set', 'the list [Todo]', calling('set', [Todo], [wire(1)])],
    ['a resource given to selectEntity', 'a whole resource', calling('selectEntity', TodoResource, 1)],
  ])('is named: %s', (_, came, act) => {
    expectMisuse(thrown(act), 'R25', came);
  });

  it('is none where a transport of the app sends a GET with a body', async () => {
    const fetchResponse = (_url: string, { body }: RequestInit): Promise<Response> =>
      Promise.resolve(Response.json({ sent: body }));
    const search = new RestEndpoint({ path: '/search', body: {} as { q: string }, fetchResponse });

    const value = await store.dispatch(search({ q: 'a' })).unwrap();

    expect(value).toEqual({ sent: '{"q":"a"}' });
  });

  it('is refused as a body that a GET cannot send', async () => {
    const get = TodoResource.get as (...args: readonly unknown[]) => ReturnType<typeof TodoResource.get>;

    const action = await store.dispatch(get({ id: 1 }, { skip: true }));

    expect(action.error).toMatchObject({ code: 'R26', message: expect.stringContaining('GET') as string });
    expect(server.received).toEqual([]);
    expect(read(TodoResource.get.select({ id: 1 }))).toBeUndefined();
  });
});
