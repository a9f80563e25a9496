import {
  combineReducers,
  combineSlices,
  configureStore,
  createAction,
  createSlice,
  type Middleware,
  type UnknownAction,
} from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, RestEndpoint, type ResourcesState } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { expectIdle } from '../support/store.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();
const Todos = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, optimistic: true });
const logOut = new RestEndpoint({ name: 'logOut', urlPrefix: server.url, path: '/session', method: 'DELETE' });
const one = { id: 1, title: 'of Ada' };

interface RootState {
  readonly resources: ResourcesState;
}
const loggedOut = createAction('loggedOut');
const replaced = createAction<RootState | undefined>('replaced');

/** A store whose root reducer forgets all state at a logout, and may get another state. */
function setupRoot() {
  const resources = configureResources();
  const inner = combineReducers({ resources: resources.reducer });
  const root = (state: RootState | undefined, action: UnknownAction): RootState => {
    if (loggedOut.match(action) || logOut.fulfilled.match(action)) return inner(undefined, action);
    return inner(replaced.match(action) ? action.payload : state, action);
  };
  const actions: string[] = [];
  const recorder: Middleware = () => (next) => (action) => {
    actions.push((action as UnknownAction).type);
    return next(action);
  };
  const store = configureStore({
    reducer: root,
    middleware: (getDefault) => getDefault().concat(resources.middleware, recorder),
    enhancers: (getDefault) => getDefault({ autoBatch: { type: 'tick' } }),
  });

  return { resources, store, root, actions, todos: () => resources.selectAll(Todo)(store.getState()) };
}

/** The same, with a read that is under way. */
async function setupReading() {
  const tools = setupRoot();
  const reading = tools.store.dispatch(Todos.get({ id: 1 }));
  await server.holding('GET /todos/1');

  return { ...tools, reading };
}

/** A slice as it was saved by a visit of which nothing was left. */
const savedEmpty = JSON.parse(JSON.stringify(setupRoot().store.getState())) as RootState;

describe('a root reducer that gives undefined at a logout', () => {
  it('ends them also where somebody dispatches when it is told of that', async () => {
    const { store, todos, reading } = await setupReading();
    const stop = store.subscribe(() => {
      stop();
      store.dispatch({ type: 'navigated' });
    });

    store.dispatch(loggedOut());
    await server.hungUp('GET /todos/1');
    const { meta } = await reading;

    expect([meta.aborted, todos()]).toEqual([true, []]);
  });

  it('ends the reads that are under way: they bring nothing to the next user', async () => {
    const { store, todos, reading } = await setupReading();

    store.dispatch(loggedOut());
    await server.hungUp('GET /todos/1');
    const { meta } = await reading;

    expect(meta).toMatchObject({ aborted: true });
    expect(todos()).toEqual([]);
    expectIdle(store.getState().resources);
  });

  it('ends the writes that are under way', async () => {
    const { store, todos } = setupRoot();
    const writing = store.dispatch(Todos.getList.push({ title: 'of Ada' }));
    await server.holding('POST /todos');

    store.dispatch(loggedOut());
    const { meta } = await writing;

    expect(meta).toMatchObject({ aborted: true });
    expect(todos()).toEqual([]);
    expectIdle(store.getState().resources);
  });

  it('lets the next user ask anew for what the last one was asking for', async () => {
    const { store, todos } = await setupReading();

    store.dispatch(loggedOut());
    const next = store.dispatch(Todos.get({ id: 1 }));
    await server.hungUp('GET /todos/1');
    await server.release('GET /todos/1', { json: { id: 1, title: 'of Bob' } });
    await next;

    expect(todos()).toMatchObject([{ title: 'of Bob' }]);
  });

  it('has it fetched again for those who are subscribed', async () => {
    const { store, todos, actions } = setupRoot();
    server.answer('GET /todos/1', { json: one });
    await store.dispatch(Todos.get({ id: 1 }));
    const { unsubscribe } = store.dispatch(Todos.get.subscribe({ id: 1 }));
    server.forget();

    store.dispatch(loggedOut());
    await server.release('GET /todos/1', { json: { id: 1, title: 'of Bob' } });
    await store.dispatch(Todos.get.ifStale({ id: 1 }));
    unsubscribe();

    expect(todos()).toMatchObject([{ title: 'of Bob' }]);
    expect(actions.slice(-4)).toEqual(['loggedOut', 'resources/reset', 'Todo/get/pending', 'Todo/get/fulfilled']);
  });

  it('does so also where the action is that of a request', async () => {
    const { store, todos, reading } = await setupReading();

    const leaving = store.dispatch(logOut());
    await server.release('DELETE /session', { status: 204 });
    const { meta } = await reading;

    expect((await leaving).meta.requestStatus).toBe('fulfilled');
    expect(meta).toMatchObject({ aborted: true });
    expect(todos()).toEqual([]);
    expectIdle(store.getState().resources);
  });
});

describe('what is under way goes on', () => {
  const landed = async ({ reading, todos }: Awaited<ReturnType<typeof setupReading>>): Promise<unknown> => {
    await server.release('GET /todos/1', { json: one });
    await reading.unwrap();

    return todos().map(({ title }) => title);
  };

  it('where a state is loaded that was saved, though it is empty', async () => {
    const tools = await setupReading();

    tools.store.dispatch(replaced(savedEmpty));

    expect(await landed(tools)).toEqual(['of Ada']);
  });

  it('where the state becomes again what it was, at the beginning or after a logout', async () => {
    const { store, ...tools } = setupRoot();
    const states = [store.getState()];
    store.subscribe(() => states.push(store.getState()));
    store.dispatch(loggedOut());
    const reading = store.dispatch(Todos.get({ id: 1 }));
    await server.holding('GET /todos/1');

    for (const state of states.slice(0, 2)) store.dispatch(replaced(state));

    expect(await landed({ store, reading, ...tools })).toEqual(['of Ada']);
  });

  it('where the store gets other reducers, without the slice and with it', async () => {
    const tools = await setupReading();
    const { store, root } = tools;
    const unsubscribe = store.subscribe(() => {
      unsubscribe();
      store.replaceReducer((() => ({})) as unknown as typeof root);
      store.replaceReducer(root);
    });

    store.dispatch({ type: 'any' });

    expect(await landed(tools)).toEqual(['of Ada']);
  });

  it('where the slice is injected by an action of the app', async () => {
    const { reducer } = createSlice({ name: 'counter', initialState: 0, reducers: {} });
    const resources = configureResources();
    const root = combineSlices({ counter: reducer }).withLazyLoadedSlices<RootState>();
    const store = configureStore({
      reducer: root,
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });
    const injected = root.inject(resources);

    store.dispatch({ type: 'any' });
    const reading = store.dispatch(Todos.get({ id: 1 }));
    store.dispatch({ type: 'any' });
    await server.release('GET /todos/1', { json: one });
    await reading.unwrap();

    expect(injected.selector(resources.selectAll(Todo))(store.getState())).toMatchObject([one]);
  });
});
