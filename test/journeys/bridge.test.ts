import {
  configureStore,
  createListenerMiddleware,
  isAnyOf,
  type ThunkDispatch,
  type UnknownAction,
} from '@reduxjs/toolkit';
import { createApi, fetchBaseQuery, type FetchBaseQueryError } from '@reduxjs/toolkit/query';
import { configureResources, createResource, Entity, NetworkError, type HookApi } from 'rtk-resource';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startServer, type Reply } from '../support/server.js';

interface Row {
  readonly id: number;
  readonly list: string;
  readonly title: string;
}

class Todo extends Entity {
  id = 0;
  list = '';
  title = '';
  static override key = 'Todo';
}

const server = await startServer();
/** What ends the store of a test. */
let ending: () => void = () => undefined;
afterAll(() => server.close());
afterEach(() => {
  ending();
  server.forget();
});

const row = (id: number, title: string): Row => ({ id, list: 'a', title });
const says = (json: unknown): Reply => ({ json });
const refusal: Reply = { status: 422, json: { title: 'too long' } };
const searchParams: { list?: string } = {};
const options = { urlPrefix: server.url, path: '/todos/:id', schema: Todo, searchParams, optimistic: true } as const;

const makeApi = () =>
  createApi({
    baseQuery: fetchBaseQuery({ baseUrl: server.url }),
    tagTypes: ['Todo'],
    endpoints: (build) => ({
      getTodos: build.query<Row[], { list?: string }>({
        query: (params) => ({ url: '/todos', params }),
        providesTags: ['Todo'],
      }),
      rename: build.mutation<Row, Pick<Row, 'id' | 'title'>>({
        query: ({ id, ...body }) => ({ url: `/todos/${String(id)}`, method: 'PATCH', body }),
        invalidatesTags: ['Todo'],
      }),
    }),
  });

/** A store with both, and how each of them shows the list. */
function open(getList: ReturnType<typeof createResource<'/todos/:id', typeof Todo, typeof searchParams>>['getList']) {
  const api = makeApi();
  const resources = configureResources();
  const listener = createListenerMiddleware();
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer, [resources.reducerPath]: resources.reducer },
    middleware: (getDefault) => getDefault().prepend(listener.middleware).concat(api.middleware, resources.middleware),
  });
  ending = () => {
    store.dispatch(api.util.resetApiState());
    store.dispatch(resources.reset());
  };
  const titlesOf = (rows: readonly { readonly title: string }[] | undefined): string =>
    rows?.map(({ title }) => title).join(' ') ?? 'nothing';
  const shown = {
    moved: () => titlesOf(getList.select({ list: 'a' })(store.getState())),
    old: () => titlesOf(api.endpoints.getTodos.select({ list: 'a' })(store.getState()).data),
  };
  const seen = [shown.moved()];
  store.subscribe(() => {
    if (shown.moved() !== seen.at(-1)) seen.push(shown.moved());
  });

  return {
    api,
    resources,
    listener,
    store,
    shown,
    /** What the screen that has moved has shown. */
    seen,
    /** Waits until the screen that has moved is up to date with the one that has not. */
    quiet: async () => {
      await Promise.all(store.dispatch(api.util.getRunningQueriesThunk()));
      await new Promise<void>((resolve) => {
        const look = (): void => {
          if (!getList.selectRequest({ list: 'a' })(store.getState()).isFetching) resolve();
        };
        store.subscribe(look);
        look();
      });
    },
    /** The screen that has not moved: it keeps its query alive, and fetches when it is told to. */
    screen: () => store.dispatch(api.endpoints.getTodos.initiate({ list: 'a' }, { forceRefetch: true })),
  };
}

describe('what RTK Query fetches, told to the resources', () => {
  const Todos = createResource(options);

  function openTold() {
    const tools = open(Todos.getList);
    const { api, resources, listener } = tools;
    listener.startListening({
      matcher: api.endpoints.getTodos.matchFulfilled,
      effect: ({ meta, payload }, { dispatch }) => {
        dispatch(resources.setResponse(Todos.getList, meta.arg.originalArgs, payload));
      },
    });
    return tools;
  }

  it('shows on a screen that reads a resource, without a request of its own', async () => {
    const { store, screen, shown, seen } = openTold();
    const loading = screen();
    await server.release('GET /todos?list=a', says([row(1, 'one'), row(2, 'two')]));
    await loading;

    expect([shown.old(), shown.moved()]).toEqual(['one two', 'one two']);
    expect(seen).toEqual(['nothing', 'one two']);
    expect(Todos.get.select({ id: 2 })(store.getState())).toBeInstanceOf(Todo);
    expect((await store.dispatch(Todos.getList.ifStale({ list: 'a' }))).meta.condition).toBe(true);
    expect(server.received).toHaveLength(1);
  });

  it('shows what its mutations have changed, as soon as it has fetched that', async () => {
    const { store, api, screen, seen } = openTold();
    const loading = screen();
    await server.release('GET /todos?list=a', says([row(1, 'one')]));
    await loading;
    const renaming = store.dispatch(api.endpoints.rename.initiate({ id: 1, title: 'renamed' }));
    await server.release('PATCH /todos/1', says(row(1, 'renamed')));
    await renaming;
    await server.release('GET /todos?list=a', says([row(1, 'renamed')]));
    await Promise.all(store.dispatch(api.util.getRunningQueriesThunk()));

    expect(seen).toEqual(['nothing', 'one', 'renamed']);
  });
});

describe('a read that goes through RTK Query, so that each has its place in the order', () => {
  function openThrough() {
    type Dispatch = ThunkDispatch<unknown, unknown, UnknownAction>;
    const Plain = createResource(options);
    const Through = Plain.extend({
      getList: {
        async fetch(this: { api?: HookApi; sideEffect: boolean }, ...args: [params: { list?: string }]) {
          // The writes of the list inherit this.
          if (this.sideEffect) return Plain.getList.fetch.apply(this, args);
          const [params] = args;
          const dispatch = this.api?.dispatch as Dispatch;
          // RTK Query notes what is under way right after it has said so.
          await Promise.resolve();
          const { getTodos } = tools.api.endpoints;
          return dispatch(getTodos.initiate(params, { forceRefetch: true, subscribe: false }))
            .unwrap()
            .catch((error: unknown) => {
              const { status, data } = error as FetchBaseQueryError;
              const response = typeof status === 'number' ? new Response(null, { status }) : undefined;
              throw new NetworkError(`GET /todos failed: ${String(status)}`, { url: '/todos', response, data });
            });
        },
      },
    });
    const tools = open(Through.getList);
    const { api, listener } = tools;
    // Whatever RTK Query fetches by itself, a read of ours goes along with.
    listener.startListening({
      matcher: api.endpoints.getTodos.matchPending,
      effect: ({ meta }, { dispatch }) => {
        void dispatch(Through.getList(meta.arg.originalArgs));
      },
    });
    // What is written here, the screens that have not moved fetch.
    const isWritten = isAnyOf(
      Through.getList.push.fulfilled,
      Through.partialUpdate.fulfilled,
      Through.delete.fulfilled,
    );
    listener.startListening({
      matcher: isWritten,
      effect: (_, { dispatch }) => {
        dispatch(api.util.invalidateTags(['Todo']));
      },
    });
    return { ...tools, Through };
  }

  it('is one request for both, whichever of them asks', async () => {
    const { store, Through, screen, shown, quiet } = openThrough();
    const old = screen();
    await server.release('GET /todos?list=a', says([row(1, 'one')]));
    await old;
    await quiet();
    const first = [shown.old(), shown.moved()];
    const moved = store.dispatch(Through.getList({ list: 'a' }));
    await server.release('GET /todos?list=a', says([row(1, 'one'), row(2, 'two')]));
    const value = await moved.unwrap();

    expect(first).toEqual(['one', 'one']);
    expect([shown.old(), shown.moved()]).toEqual(['one two', 'one two']);
    expect(value[1]).toBeInstanceOf(Todo);
    expect(server.received).toHaveLength(2);
  });

  it.each(['before the edit', 'after the edit'] as const)(
    'leaves a pending edit shown, when a query that began %s is answered meanwhile',
    async (when) => {
      const { store, Through, screen, seen, shown, quiet } = openThrough();
      const loading = screen();
      await server.release('GET /todos?list=a', says([row(1, 'one')]));
      await loading;
      await quiet();
      const early = when === 'before the edit' ? screen() : undefined;
      const editing = store.dispatch(Through.partialUpdate({ id: 1 }, { title: 'edited' }));
      const polling = early ?? screen();

      await server.release('GET /todos?list=a', says([row(1, 'one'), row(2, 'two')]));
      await polling;
      await quiet();
      await server.release('PATCH /todos/1', says(row(1, 'edited')));
      await editing.unwrap();
      await server.release('GET /todos?list=a', says([row(1, 'edited'), row(2, 'two')]));
      await quiet();

      expect(seen).toEqual(['nothing', 'one', 'edited', 'edited two']);
      expect(shown.old()).toBe('edited two');
    },
  );

  it('does not take back an edit that was confirmed while a query was under way', async () => {
    const { store, Through, screen, seen, quiet } = openThrough();
    const loading = screen();
    await server.release('GET /todos?list=a', says([row(1, 'one')]));
    await loading;
    await quiet();
    const polling = screen();
    await server.holding('GET /todos?list=a');
    const editing = store.dispatch(Through.partialUpdate({ id: 1 }, { title: 'edited' }));
    await server.release('PATCH /todos/1', says(row(1, 'edited')));
    await editing.unwrap();
    await server.release('GET /todos?list=a', says([row(1, 'one'), row(2, 'two')]));
    await polling;
    // What was written has RTK Query fetch again.
    await server.release('GET /todos?list=a', says([row(1, 'edited'), row(2, 'two')]));
    await quiet();

    expect(seen).toEqual(['nothing', 'one', 'edited', 'edited two']);
  });

  it('has the screens that have not moved show what was written here', async () => {
    const { store, Through, screen, shown, quiet } = openThrough();
    const loading = screen();
    await server.release('GET /todos?list=a', says([row(1, 'one')]));
    await loading;
    await quiet();
    const editing = store.dispatch(Through.partialUpdate({ id: 1 }, { title: 'edited' }));
    await server.release('PATCH /todos/1', says(row(1, 'edited')));
    await editing.unwrap();
    await server.release('GET /todos?list=a', says([row(1, 'edited')]));
    await quiet();

    expect([shown.old(), shown.moved()]).toEqual(['edited', 'edited']);
  });

  it('leaves the writes of the list alone', async () => {
    const { store, Through, screen, shown, quiet } = openThrough();
    const loading = screen();
    await server.release('GET /todos?list=a', says([row(1, 'one')]));
    await loading;
    await quiet();
    const adding = store.dispatch(Through.getList.push({ list: 'a', title: 'two' }));
    const { body } = await server.release('POST /todos', says(row(2, 'two')));
    await adding.unwrap();
    await server.release('GET /todos?list=a', says([row(1, 'one'), row(2, 'two')]));
    await quiet();

    expect(body).toEqual({ list: 'a', title: 'two' });
    expect([shown.old(), shown.moved()]).toEqual(['one two', 'one two']);
  });

  it('fails as the query fails', async () => {
    const { store, Through, shown } = openThrough();
    const loading = store.dispatch(Through.getList({ list: 'a' }));
    await server.release('GET /todos?list=a', refusal);
    const { error } = await loading;

    expect(error).toMatchObject({ name: 'NetworkError', status: 422, data: { title: 'too long' } });
    expect(Through.getList.selectRequest({ list: 'a' })(store.getState())).toMatchObject({ status: 'rejected', error });
    expect(shown.moved()).toBe('nothing');
  });
});
