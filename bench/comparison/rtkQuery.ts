import { configureStore } from '@reduxjs/toolkit';
import { createApi, fetchBaseQuery, QueryStatus } from '@reduxjs/toolkit/query';
import type { TestServer } from '../../test/support/server.js';
import { byLetter, settled, titlesOf, until, watch, type App, type Fields, type Filter, type Todo } from './App.js';

/**
 * How the cache is brought up to date, each as the documentation of RTK Query advises.
 * By hand: `updateQueryData` puts into it what is expected, or what was answered, and `undo` takes that back on failure.
 * By tags: `updateQueryData` shows what is expected, and whether it fails or not, tags have the lists fetched again.
 */
export type Way = 'by hand' | 'by tags';

interface Options {
  readonly optimistic?: boolean;
}

interface Edit {
  readonly id: Todo['id'];
  readonly fields: Fields;
}

interface Undoable {
  undo(): void;
}

const LIST = { type: 'Todo', id: 'LIST' } as const;
const tagOf = (id: Todo['id']) => ({ type: 'Todo', id }) as const;

/** The application with RTK Query. */
export function openRtkQuery(
  server: Pick<TestServer, 'url' | 'holding'>,
  way: Way,
  { optimistic = true }: Options = {},
): App {
  const isByHand = way === 'by hand';
  let created = 0;

  const api = createApi({
    baseQuery: fetchBaseQuery({ baseUrl: server.url }),
    tagTypes: ['Todo'],
    endpoints: (build) => ({
      getTodos: build.query<Todo[], Filter>({
        query: (params) => ({ url: '/todos', params }),
        providesTags: (todos = []) => [LIST, ...todos.map(({ id }) => tagOf(id))],
        async onQueryStarted(_filter, { queryFulfilled }) {
          if (!isByHand) return;
          const { data } = await queryFulfilled;
          fillDetails(data);
        },
      }),
      getTodo: build.query<Todo, Todo['id']>({
        query: (id) => `/todos/${id}`,
        providesTags: (_todo, _error, id) => [tagOf(id)],
      }),
      editTodo: build.mutation<Todo, Edit>({
        query: ({ id, fields }) => ({ url: `/todos/${id}`, method: 'PATCH', body: fields }),
        invalidatesTags: (_todo, _error, { id }) => (isByHand ? [] : [tagOf(id)]),
        async onQueryStarted({ id, fields }, { queryFulfilled }) {
          const shown = optimistic ? edit(id, fields) : [];
          try {
            const { data } = await queryFulfilled;
            if (isByHand && !optimistic) edit(id, data);
          } catch {
            if (isByHand) undo(shown);
          }
        },
      }),
      removeTodo: build.mutation<null, Todo['id']>({
        query: (id) => ({ url: `/todos/${id}`, method: 'DELETE' }),
        invalidatesTags: (_nothing, _error, id) => (isByHand ? [] : [tagOf(id), LIST]),
        async onQueryStarted(id, { queryFulfilled }) {
          const shown = optimistic ? remove(id) : [];
          try {
            await queryFulfilled;
            if (isByHand && !optimistic) remove(id);
          } catch {
            if (isByHand) undo(shown);
          }
        },
      }),
      createTodo: build.mutation<Todo, Fields>({
        query: (body) => ({ url: '/todos', method: 'POST', body }),
        invalidatesTags: isByHand ? [] : [LIST],
        async onQueryStarted(fields, { queryFulfilled }) {
          const temporary = { id: (created -= 1), title: '', userId: 1, done: false, ...fields };
          const shown = optimistic ? add(temporary) : [];
          try {
            const { data } = await queryFulfilled;
            if (optimistic) edit(temporary.id, data);
            else if (isByHand) add(data);
          } catch {
            if (isByHand) undo(shown);
          }
        },
      }),
    }),
  });
  const store = configureStore({
    reducer: { api: api.reducer },
    middleware: (getDefault) => getDefault().concat(api.middleware),
    // As if an animation frame passed between any two answers; so a subscriber sees what a user would.
    enhancers: (getDefault) => getDefault({ autoBatch: { type: 'tick' } }),
  });
  const { getTodos, getTodo, editTodo, removeTodo, createTodo } = api.endpoints;

  function fillDetails(todos: readonly Todo[]): void {
    const entries = todos.map((value) => ({ endpointName: 'getTodo', arg: value.id, value }) as const);
    store.dispatch(api.util.upsertQueryEntries(entries));
  }

  /** Changes a todo wherever it is cached. */
  function edit(id: Todo['id'], fields: Partial<Todo>): readonly Undoable[] {
    return api.util.selectInvalidatedBy(store.getState(), [tagOf(id)]).map(({ endpointName, originalArgs }) =>
      endpointName === 'getTodos'
        ? store.dispatch(
            api.util.updateQueryData('getTodos', originalArgs as Filter, (draft) => {
              const todo = draft.find((one) => one.id === id);
              if (todo) Object.assign(todo, fields);
            }),
          )
        : store.dispatch(
            api.util.updateQueryData('getTodo', originalArgs as Todo['id'], (draft) => {
              Object.assign(draft, fields);
            }),
          ),
    );
  }

  function remove(id: Todo['id']): readonly Undoable[] {
    return api.util.selectCachedArgsForQuery(store.getState(), 'getTodos').map((filter) =>
      store.dispatch(
        api.util.updateQueryData('getTodos', filter, (draft) => {
          const position = draft.findIndex((one) => one.id === id);
          if (position >= 0) draft.splice(position, 1);
        }),
      ),
    );
  }

  /** Adds a todo to the cached lists that it belongs to. */
  function add(todo: Todo): readonly Undoable[] {
    const belongs = ({ userId, done }: Filter): boolean =>
      (userId === undefined || userId === todo.userId) && (done === undefined || done === todo.done);
    const filters = api.util.selectCachedArgsForQuery(store.getState(), 'getTodos').filter(belongs);
    return filters.map((filter) =>
      store.dispatch(
        api.util.updateQueryData('getTodos', filter, (draft) => {
          draft.push(todo);
        }),
      ),
    );
  }

  function undo(shown: readonly Undoable[]): void {
    for (const one of shown) one.undo();
  }

  const list = (filter: Filter = {}): readonly Todo[] => getTodos.select(filter)(store.getState()).data ?? [];
  const { item, idIn } = byLetter(list);
  let seen: readonly string[] = [];

  return {
    get seen() {
      return seen;
    },
    async load(filter = {}) {
      await settled(store.dispatch(getTodos.initiate(filter)));
      if (Object.keys(filter).length === 0) seen = watch(store, () => titlesOf(list()));
    },
    async poll() {
      const polling = store.dispatch(getTodos.initiate({}, { subscriptionOptions: { pollingInterval: 1 } }));
      await server.holding('GET /todos');
      polling.unsubscribe();
    },
    fetched: () =>
      until(store, () =>
        Object.values(store.getState().api.queries).every((query) => query?.status !== QueryStatus.pending),
      ),
    open: (letter) => settled(store.dispatch(getTodo.initiate(idIn(letter)))),
    reload: (letter) => settled(store.dispatch(getTodo.initiate(idIn(letter), { forceRefetch: true }))),
    edit: (letter, fields) => settled(store.dispatch(editTodo.initiate({ id: idIn(letter), fields }))),
    remove: (letter) => settled(store.dispatch(removeTodo.initiate(idIn(letter)))),
    create: (fields) => settled(store.dispatch(createTodo.initiate(fields))),
    titles: (filter) => titlesOf(list(filter)),
    item,
    detail: (letter) => getTodo.select(idIn(letter))(store.getState()).data,
  };
}
