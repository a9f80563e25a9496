import {
  bindActionCreators,
  combineReducers,
  combineSlices,
  configureStore,
  createAction,
  createDynamicMiddleware,
  createListenerMiddleware,
  createSlice,
  isAnyOf,
  type Middleware,
  type Reducer,
  type StoreEnhancer,
  type UnknownAction,
} from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, type ResourcesState } from 'rtk-resource';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { serverOfFile, type Reply } from '../support/server.js';
import { expectWarning } from '../support/strict.js';

class Todo extends Entity {
  id: number | string = 0;
  title = '';
  createdAt = new Date(0);
  static override key = 'Todo';
  static override schema = { createdAt: (iso: string) => new Date(iso) };
}

const server = await serverOfFile();

const Todos = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, optimistic: true });

const createdAt = '2026-01-05T10:00:00.000Z';
const todo = (id: number, title: string): object => ({ id, title, createdAt });
const says = (json: unknown): Reply => ({ json });
const refusal: Reply = { status: 422, json: { errors: { title: 'is empty' } } };

describe('the actions of an endpoint', () => {
  it('are matched in the reducers of other slices, with their types', async () => {
    interface Log {
      added: string[];
      pending: number;
      refused: unknown[];
    }
    const initialState: Log = { added: [], pending: 0, refused: [] };
    const log = createSlice({
      name: 'log',
      initialState,
      reducers: {},
      extraReducers: (builder) => {
        builder
          .addCase(Todos.getList.push.fulfilled, (state, { payload }) => {
            expectTypeOf(payload.createdAt).toEqualTypeOf<string>();
            state.added.push(`${payload.title} ${payload.createdAt}`);
          })
          .addMatcher(isAnyOf(Todos.getList.push.pending, Todos.partialUpdate.pending), (state) => {
            state.pending++;
          })
          .addMatcher(isAnyOf(Todos.getList.push.settled, Todos.partialUpdate.settled), (state) => {
            state.pending--;
          })
          .addMatcher(Todos.partialUpdate.rejected.match, (state, { error, meta }) => {
            state.refused.push(error.status, error.data, meta.arg.args);
          });
      },
    });
    const resources = configureResources();
    const store = configureStore({
      reducer: { log: log.reducer, resources: resources.reducer },
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });
    const creating = store.dispatch(Todos.getList.push({ title: 'new' }));
    const editing = store.dispatch(Todos.partialUpdate({ id: 1 }, { title: '' }));
    const during = store.getState().log.pending;

    await server.release('POST /todos', says(todo(2, 'new')));
    await server.release('PATCH /todos/1', refusal);
    await Promise.all([creating, editing]);

    expect(during).toBe(2);
    expect(store.getState().log).toEqual({
      added: [`new ${createdAt}`],
      pending: 0,
      refused: [422, { errors: { title: 'is empty' } }, [{ id: 1 }, { title: '' }]],
    });
  });

  it('wake listeners, which may dispatch requests of their own', async () => {
    const signedIn = createAction<string>('signedIn');
    const toasts: string[] = [];
    const listener = createListenerMiddleware();
    // Fetched again on an action of the app's own.
    listener.startListening({
      actionCreator: signedIn,
      effect: async (_, { dispatch }) => {
        const todos = await dispatch(Todos.getList()).unwrap();
        expectTypeOf(todos).toEqualTypeOf<Todo[]>();
        toasts.push(`${String(todos.length)} todos`);
      },
    });
    // A toast for whatever is refused.
    const isRefused = isAnyOf(Todos.update.rejected, Todos.partialUpdate.rejected, Todos.delete.rejected);
    listener.startListening({
      matcher: isRefused,
      effect: ({ error, meta }) => {
        toasts.push(`${meta.arg.endpointName}: ${String(error.status)}`);
      },
    });
    const resources = configureResources();
    const store = configureStore({
      reducer: { resources: resources.reducer },
      middleware: (getDefault) => getDefault().prepend(listener.middleware).concat(resources.middleware),
    });

    store.dispatch(signedIn('Ada'));
    await server.release('GET /todos', says([todo(1, 'one')]));
    const editing = store.dispatch(Todos.partialUpdate({ id: 1 }, { title: '' }));
    await server.release('PATCH /todos/1', refusal);
    await editing;

    expect(toasts).toEqual(['1 todos', 'Todo/partialUpdate: 422']);
  });

  it('can be waited for by a listener, in a workflow', async () => {
    const listener = createListenerMiddleware();
    const steps: string[] = [];
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    listener.startListening({
      actionCreator: Todos.getList.push.pending,
      effect: async ({ meta }, { take }) => {
        steps.push('begun');
        const [settled] = await take(Todos.getList.push.settled);
        if (settled.meta.requestId === meta.requestId) steps.push(settled.meta.requestStatus);
        end();
      },
    });
    const resources = configureResources();
    const store = configureStore({
      reducer: { resources: resources.reducer },
      middleware: (getDefault) => getDefault().concat(resources.middleware, listener.middleware),
    });
    const creating = store.dispatch(Todos.getList.push({ title: 'new' }));

    await server.release('POST /todos', says(todo(1, 'new')));
    await creating;
    await ended;

    expect(steps).toEqual(['begun', 'fulfilled']);
  });
});

describe('an endpoint', () => {
  function open() {
    const resources = configureResources();
    return configureStore({
      reducer: { resources: resources.reducer },
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });
  }

  it('is bound to a store like any action creator', async () => {
    const store = open();
    const { load } = bindActionCreators({ load: Todos.get }, store.dispatch);
    load({ id: 1 });
    await server.holding('GET /todos/1');
    const joined = store.dispatch(Todos.get.ifStale({ id: 1 }));
    await server.release('GET /todos/1', says(todo(1, 'one')));
    await joined;

    expect(server.received).toHaveLength(1);
    expect(Todos.get.select({ id: 1 })(store.getState())?.title).toBe('one');
  });

  it.each([
    ['call', () => Todos.get.call(undefined, { id: 1 })],
    ['apply', () => Todos.get.apply(undefined, [{ id: 1 }])],
    ['bind', () => Todos.get.bind(undefined, { id: 1 })()],
  ])('has the %s of every function', async (_, ask) => {
    const store = open();
    const loading = store.dispatch(ask());
    await server.release('GET /todos/1', says(todo(1, 'one')));

    expect((await loading.unwrap()).title).toBe('one');
  });
});

describe('the actions of others', () => {
  it('change nothing, however much they look like ours', () => {
    const resources = configureResources();
    const store = configureStore({
      reducer: { resources: resources.reducer },
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });
    const before = store.getState().resources;
    // So RTK Query tells of its requests.
    const arg = { type: 'query', endpointName: 'getTodos', queryCacheKey: 'getTodos(undefined)' };
    const meta = { requestId: 'a', startedTimeStamp: 1, seq: 1, arg };

    for (const requestStatus of ['pending', 'fulfilled', 'rejected']) {
      store.dispatch({ type: `api/executeQuery/${requestStatus}`, payload: [], meta: { ...meta, requestStatus } });
    }

    expect(store.getState().resources).toBe(before);
  });
});

describe('a slice that comes later', () => {
  const counter = createSlice({ name: 'counter', initialState: 0, reducers: { counted: (count) => count + 1 } });

  it('is combined like any other', async () => {
    const resources = configureResources();
    const rootReducer = combineSlices(counter, resources);
    const store = configureStore({
      reducer: rootReducer,
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });
    const loading = store.dispatch(Todos.get({ id: 1 }));
    await server.release('GET /todos/1', says(todo(1, 'one')));
    await loading.unwrap();

    expect(Todos.get.select({ id: 1 })(store.getState())?.title).toBe('one');
    expectTypeOf(store.getState().resources).toEqualTypeOf<ResourcesState>();
  });

  it('is injected with its middleware, and works from the first request on', async () => {
    const resources = configureResources();
    const rootReducer = combineSlices(counter).withLazyLoadedSlices<{ resources: ResourcesState }>();
    const dynamic = createDynamicMiddleware();
    const store = configureStore({
      reducer: rootReducer,
      middleware: (getDefault) => getDefault().concat(dynamic.middleware),
    });

    rootReducer.inject(resources);
    dynamic.addMiddleware(resources.middleware);
    const loading = store.dispatch(Todos.get({ id: 1 }));
    await server.release('GET /todos/1', says(todo(1, 'one')));

    expect((await loading.unwrap()).title).toBe('one');
  });

  it('works as soon as it is injected, also for who has asked before and was refused', async () => {
    const resources = configureResources();
    const rootReducer = combineSlices(counter).withLazyLoadedSlices<{ resources: ResourcesState }>();
    const store = configureStore({
      reducer: rootReducer,
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });
    expect(() => store.dispatch(Todos.get({ id: 1 }))).toThrow('[R2]');

    rootReducer.inject(resources);
    const loading = store.dispatch(Todos.get({ id: 1 }));
    await server.release('GET /todos/1', says(todo(1, 'one')));

    expect((await loading.unwrap()).title).toBe('one');
  });

  it('is injected beside other slices, and read through the reducer it is injected into', async () => {
    const resources = configureResources();
    const rootReducer = combineSlices(counter).withLazyLoadedSlices<{ resources: ResourcesState }>();
    const dynamic = createDynamicMiddleware();
    const store = configureStore({
      reducer: rootReducer,
      middleware: (getDefault) => getDefault().concat(dynamic.middleware),
    });
    const withResources = rootReducer.inject(resources);
    dynamic.addMiddleware(resources.middleware);
    store.dispatch(counter.actions.counted());

    const loading = store.dispatch(Todos.get({ id: 1 }));
    await server.release('GET /todos/1', says(todo(1, 'one')));
    await loading.unwrap();
    const select = withResources.selector((state) => Todos.get.select({ id: 1 })(state)?.title);

    expect(select(store.getState())).toBe('one');
    expect(store.getState().counter).toBe(1);
  });

  it('can be read where it is injected, before any action', () => {
    const resources = configureResources();
    const rootReducer = combineSlices(counter).withLazyLoadedSlices<{ resources: ResourcesState }>();
    const store = configureStore({ reducer: rootReducer });
    const withResources = rootReducer.inject(resources);
    const select = withResources.selector((state) => Todos.get.selectRequest({ id: 1 })(state).status);

    expect(select(store.getState())).toBe('uninitialized');
  });

  it('of another path is injected as well', async () => {
    const resources = configureResources({ reducerPath: 'api' });
    const rootReducer = combineSlices(counter).withLazyLoadedSlices<{ api: ResourcesState }>();
    const dynamic = createDynamicMiddleware();
    const store = configureStore({
      reducer: rootReducer,
      middleware: (getDefault) => getDefault().concat(dynamic.middleware),
    });
    const withResources = rootReducer.inject(resources);
    dynamic.addMiddleware(resources.middleware);
    store.dispatch(counter.actions.counted());

    const loading = store.dispatch(Todos.get({ id: 1 }));
    await server.release('GET /todos/1', says(todo(1, 'one')));
    await loading.unwrap();
    const select = withResources.selector((state) => resources.select(Todos.get, { id: 1 })(state)?.title);

    expect(select(store.getState())).toBe('one');
  });
});

describe('a slice whose module is loaded twice', () => {
  const counter = createSlice({ name: 'counter', initialState: 0, reducers: { counted: (count) => count + 1 } });

  it('goes on with its data and its middleware, and development warns once', async () => {
    expectWarning(/second configureResources was mounted at state\.twice/);
    const rootReducer = combineSlices(counter).withLazyLoadedSlices<{ twice: ResourcesState }>();
    const dynamic = createDynamicMiddleware();
    const store = configureStore({
      reducer: rootReducer,
      middleware: (getDefault) => getDefault().concat(dynamic.middleware),
    });
    const load = () => {
      const resources = configureResources({ reducerPath: 'twice' });
      const withResources = rootReducer.inject(resources, { overrideExisting: true });
      dynamic.addMiddleware(resources.middleware);
      return withResources.selector((state) =>
        resources
          .select(Todos.getList)(state)
          ?.map(({ title }) => title),
      );
    };
    const ask = async (titles: readonly string[]) => {
      const loading = store.dispatch(Todos.getList());
      await server.release('GET /todos', says(titles.map((title, i) => todo(i, title))));
      await loading.unwrap();
    };
    load();
    await ask(['one']);

    const select = load();
    store.dispatch(counter.actions.counted());
    const kept = select(store.getState());
    await ask(['one', 'two']);
    load();
    store.dispatch(counter.actions.counted());

    expect(kept).toEqual(['one']);
    expect(select(store.getState())).toEqual(['one', 'two']);
    expect(store.getState().counter).toBe(2);
    expect(server.received).toHaveLength(2);
  });
});

describe('a slice that is taken out', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('leaves no timer behind that throws when unused data would be collected', async () => {
    const resources = configureResources();
    const counter = (count = 0) => count;
    const whole = combineReducers({ counter, resources: resources.reducer });
    const store = configureStore({
      reducer: whole,
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });
    store.dispatch(resources.setResponse(Todos.getList, {}, []));
    store.dispatch(Todos.getList.subscribe()).unsubscribe();
    const waiting = vi.getTimerCount();

    // By its type, a store keeps all of its slices.
    store.replaceReducer(combineReducers({ counter }) as unknown as typeof whole);
    await vi.advanceTimersByTimeAsync(10 * 60_000);

    expect(waiting).toBeGreaterThan(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(store.getState()).toEqual({ counter: 0 });
  });
});

describe('several stores', () => {
  const open = (reducerPath = 'resources') => {
    const resources = configureResources({ reducerPath });
    const store = configureStore({
      reducer: { [reducerPath]: resources.reducer },
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });
    return {
      resources,
      store,
      todos: () => resources.select(Todos.getList)(store.getState()),
      titles: () =>
        resources
          .select(Todos.getList)(store.getState())
          ?.map(({ title }) => title),
    };
  };

  it('know nothing of one another, though their endpoints are the same', async () => {
    const here = open();
    const there = open();
    const loadings = [here.store.dispatch(Todos.getList()), there.store.dispatch(Todos.getList())];
    await server.release('GET /todos', says([todo(1, 'one')]));
    await server.release('GET /todos', says([todo(1, 'one')]));
    const values = await Promise.all(loadings.map((loading) => loading.unwrap()));
    const before = there.todos();

    const editing = here.store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'here' }));
    const creating = here.store.dispatch(Todos.getList.push({ title: 'new' }));
    const during = [here.titles(), there.titles()];
    await server.release('PATCH /todos/1', says(todo(1, 'here')));
    await server.release('POST /todos', says(todo(2, 'new')));
    await Promise.all([editing, creating]);
    here.store.dispatch(here.resources.reset());

    expect(values[0]).not.toBe(values[1]);
    expect(during).toEqual([['here', 'new'], ['one']]);
    expect(here.todos()).toBeUndefined();
    expect(there.todos()).toBe(before);
  });

  it('may be made with one and the same configureResources', async () => {
    const resources = configureResources();
    const make = () =>
      configureStore({
        reducer: { resources: resources.reducer },
        middleware: (getDefault) => getDefault().concat(resources.middleware),
      });
    const [here, there] = [make(), make()];
    const loading = here.dispatch(Todos.getList());
    await server.release('GET /todos', says([todo(1, 'one')]));
    await loading;
    const editing = here.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'here' }));
    there.dispatch(resources.set(Todo, { id: 1, title: 'there' }));
    const titles = [here, there].map((store) => resources.selectEntity(Todo, 1)(store.getState())?.title);
    await server.release('PATCH /todos/1', refusal);
    await editing;
    here.dispatch(resources.reset());

    expect(titles).toEqual(['here', 'there']);
    expect(resources.selectAll(Todo)(here.getState())).toEqual([]);
    expect(resources.selectAll(Todo)(there.getState())).toHaveLength(1);
  });

  it('may each have the slice at a path of its own', async () => {
    const here = open();
    const there = open('api');
    const loading = there.store.dispatch(Todos.getList());
    await server.release('GET /todos', says([todo(1, 'there')]));
    await loading.unwrap();

    expect([here.titles(), there.titles()]).toEqual([undefined, ['there']]);
  });

  it('have one slice each: a second is refused', () => {
    const one = configureResources();
    const other = configureResources({ reducerPath: 'other' });

    expect(() =>
      configureStore({
        reducer: { resources: one.reducer, other: other.reducer },
        middleware: (getDefault) => getDefault().concat(one.middleware, other.middleware),
      }),
    ).toThrow(/R9/);
  });

  it('do not wait for one another, and each gets its own real id', async () => {
    const here = open();
    const there = open();
    for (const { store } of [here, there]) {
      const loading = store.dispatch(Todos.getList());
      await server.release('GET /todos', says([]));
      await loading;
    }
    const creations = [here, there].map(({ store }, i) => store.dispatch(Todos.getList.push({ title: String(i) })));
    await server.release(/POST .*"1"/, says(todo(21, '1')));
    await server.release(/POST .*"0"/, says(todo(20, '0')));
    await Promise.all(creations);

    expect([here, there].map(({ todos }) => todos()?.map(({ id }) => id))).toEqual([[20], [21]]);
  });
});

/** Keeps all states, and goes to any of them, as the DevTools do; an action that is skipped is as if it had never been. */
function timeTravel() {
  const taken: { action: UnknownAction; isSkipped: boolean }[] = [];
  let states: unknown[] = [];
  let at: number | undefined;
  let reduce: Reducer<unknown> = (state) => state;
  let tell: () => void = () => undefined;
  const enhancer: StoreEnhancer = (createStore) => (reducer, preloaded) => {
    reduce = reducer as Reducer<unknown>;
    states = [reduce(preloaded, { type: '@@INIT' })];
    const listeners = new Set<() => void>();
    tell = () => {
      for (const listener of listeners) listener();
    };
    const store = createStore(reducer, preloaded);
    return {
      ...store,
      getState: () => states[at ?? states.length - 1] as ReturnType<typeof store.getState>,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      dispatch: (action) => {
        taken.push({ action, isSkipped: false });
        states.push(reduce(states.at(-1), action));
        tell();
        return action;
      },
    };
  };
  return {
    enhancer,
    /** How many states there are. */
    count: () => states.length,
    goTo: (index?: number) => {
      at = index;
      tell();
    },
    /** Skips the actions of a type, or takes them again. */
    toggle: (type: string) => {
      for (const one of taken) if (one.action.type === type) one.isSkipped = !one.isSkipped;
      const [first] = states;
      states = taken.reduce<unknown[]>(
        (done, { action, isSkipped }) => [...done, isSkipped ? done.at(-1) : reduce(done.at(-1), action)],
        [first],
      );
      tell();
    },
  };
}

describe('a request that shows nothing by itself', () => {
  it('is told to subscribers in the next frame, with all others of its kind; a guess is told at once', async () => {
    vi.stubGlobal('requestAnimationFrame', () => 0);
    const frames: (() => void)[] = [];
    const resources = configureResources();
    const store = configureStore({
      reducer: { resources: resources.reducer },
      middleware: (getDefault) => getDefault().concat(resources.middleware),
      enhancers: (getDefault) =>
        getDefault({ autoBatch: { type: 'callback', queueNotification: (tell) => frames.push(tell) } }),
    });
    store.dispatch(resources.set(Todo, { id: 9, title: 'nine', createdAt }));
    const told = vi.fn();
    store.subscribe(told);

    const loading = [1, 2, 3].map((id) => store.dispatch(Todos.get({ id })));
    const isLoading = Todos.get.selectRequest({ id: 3 })(store.getState()).isLoading;
    const atOnce = told.mock.calls.length;
    for (const tell of frames) tell();
    const inFrame = told.mock.calls.length;
    const editing = store.dispatch(Todos.partialUpdate({ id: 9 }, { title: 'edited' }));
    const ofGuess = told.mock.calls.length - inFrame;

    for (const id of [1, 2, 3]) await server.release(`GET /todos/${String(id)}`, says(todo(id, 'loaded')));
    await server.release('PATCH /todos/9', says(todo(9, 'edited')));
    await Promise.all([...loading, editing]);
    vi.unstubAllGlobals();

    expect(isLoading).toBe(true);
    expect([atOnce, inFrame, ofGuess]).toEqual([0, 1, 1]);
  });
});

describe('time travel', () => {
  async function setupTravel() {
    const travel = timeTravel();
    const resources = configureResources();
    const recorded: unknown[] = [];
    const recorder: Middleware = () => (next) => (action) => {
      recorded.push(action);
      return next(action);
    };
    const store = configureStore({
      reducer: { resources: resources.reducer },
      middleware: (getDefault) => getDefault().concat(resources.middleware, recorder),
      enhancers: (getDefault) => getDefault({ autoBatch: false }).concat(travel.enhancer),
    });
    const loading = store.dispatch(Todos.getList());
    await server.release('GET /todos', says([todo(1, 'one'), todo(2, 'two')]));
    const before = await loading.unwrap();
    const list = (): readonly Todo[] | undefined => Todos.getList.select()(store.getState());

    return { ...travel, store, resources, recorded, before, list, titles: () => list()?.map(({ title }) => title) };
  }

  it('back and forth shows what was shown, with the very same objects where nothing has changed since', async () => {
    const { store, list, titles, before, goTo, count } = await setupTravel();
    const loaded = count() - 1;
    const editing = store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'edited' }));
    await server.release('PATCH /todos/1', says(todo(1, 'edited')));
    await editing;
    const after = list();

    goTo(loaded);
    const then = list();
    const again = list();
    goTo();

    expect(then).toEqual(before);
    expect(again).toBe(then);
    expect(then?.[1]).toBe(before[1]);
    expect(list()).toEqual(after);
    expect(list()?.[1]).toBe(before[1]);
    expect(titles()).toEqual(['edited', 'two']);
  });

  it('to the beginning and back shows nothing, and then the same again', async () => {
    const { list, before, goTo } = await setupTravel();

    goTo(0);
    const atStart = list();
    goTo();
    const now = list();

    expect(atStart).toBeUndefined();
    expect(now).toEqual(before);
    expect(list()).toBe(now);
  });

  it('shows what was pending then, and what is confirmed now', async () => {
    const { store, titles, goTo, count, resources } = await setupTravel();
    const editing = store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'edited' }));
    const creating = store.dispatch(Todos.getList.push({ title: 'new' }));
    const pending = count() - 1;
    await server.release('PATCH /todos/1', refusal);
    await editing;
    await server.release('POST /todos', says(todo(3, 'new!')));
    await creating;

    goTo(pending);
    const then = titles();
    const touched = resources.selectPending(Todo, 1)(store.getState());
    goTo();

    expect(then).toEqual(['edited', 'two', 'new']);
    expect(touched).toEqual([editing.requestId]);
    expect(titles()).toEqual(['one', 'two', 'new!']);
    expect(resources.selectPending(Todo, 1)(store.getState())).toEqual([]);
  });

  it('to the past leaves the requests alone that are under way', async () => {
    const { store, titles, goTo, count } = await setupTravel();
    const loaded = count() - 1;
    const editing = store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'edited' }));

    goTo(loaded);
    const then = titles();
    goTo();
    await server.release('PATCH /todos/1', says(todo(1, 'edited')));
    await editing.unwrap();

    expect(then).toEqual(['one', 'two']);
    expect(titles()).toEqual(['edited', 'two']);
  });

  it('while a request settles ends with what is true now', async () => {
    const { store, titles, goTo, count } = await setupTravel();
    const loaded = count() - 1;
    const editing = store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'edited' }));
    const creating = store.dispatch(Todos.getList.push({ title: 'new' }));

    goTo(loaded);
    await server.release('PATCH /todos/1', says(todo(1, 'edited')));
    await editing;
    await server.release('POST /todos', says(todo(3, 'new')));
    await creating;
    goTo();

    expect(titles()).toEqual(['edited', 'two', 'new']);
  });

  it('without one of the actions shows all but what that one did', async () => {
    const { store, list, titles, before, toggle } = await setupTravel();
    const editing = store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'edited' }));
    await server.release('PATCH /todos/1', says(todo(1, 'edited')));
    await editing;
    const removal = store.dispatch(Todos.delete({ id: 2 }));
    await server.release('DELETE /todos/2', { status: 204 });
    await removal;
    const now = titles();

    toggle('Todo/delete/fulfilled');
    const withPending = titles();
    toggle('Todo/delete/pending');
    const without = titles();
    const second = list()?.[1];
    const again = list()?.[1];
    toggle('Todo/delete/pending');
    toggle('Todo/delete/fulfilled');

    expect(now).toEqual(['edited']);
    // It is pending then, and stays so.
    expect(withPending).toEqual(['edited']);
    expect(without).toEqual(['edited', 'two']);
    expect(second).toEqual(before[1]);
    expect(again).toBe(second);
    expect(titles()).toEqual(now);
  });

  it('does nothing by itself: no action, no fetch', async () => {
    const { list, goTo, recorded } = await setupTravel();
    const actions = recorded.length;

    for (const index of [0, 1, 2, 1, 0, undefined]) {
      goTo(index);
      list();
    }

    expect(recorded).toHaveLength(actions);
    expect(server.received).toHaveLength(1);
  });
});
