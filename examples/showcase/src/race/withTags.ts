import { configureStore } from '@reduxjs/toolkit';
import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query';
import type { Contestant } from './Contestant';
import type { TinyServer, Todo } from './TinyServer';

/** No optimistic updates: what a mutation has changed is fetched again, as the documentation of RTK Query prefers. */
export function openWithTags({ fetch }: TinyServer): Contestant {
  const api = createApi({
    baseQuery: fetchBaseQuery({ baseUrl: location.origin, fetchFn: fetch }),
    tagTypes: ['Todos'],
    endpoints: (build) => ({
      getTodos: build.query<Todo[], undefined>({ query: () => '/todos', providesTags: ['Todos'] }),
      editTodo: build.mutation<Todo, Todo>({
        query: ({ id, title }) => ({ url: `/todos/${id}`, method: 'PATCH', body: { title } }),
        invalidatesTags: ['Todos'],
      }),
      removeTodo: build.mutation<null, number>({
        query: (id) => ({ url: `/todos/${id}`, method: 'DELETE' }),
        invalidatesTags: ['Todos'],
      }),
    }),
  });
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (getDefault) => getDefault().concat(api.middleware),
  });
  const { getTodos, editTodo, removeTodo } = api.endpoints;
  const select = getTodos.select(undefined);

  return {
    name: 'RTK Query, by tags',
    isPatient: true,
    load: () => store.dispatch(getTodos.initiate(undefined)),
    poll: () => void store.dispatch(getTodos.initiate(undefined, { forceRefetch: true })),
    edit: (id, title) => void store.dispatch(editTodo.initiate({ id, title })),
    remove: (id) => void store.dispatch(removeTodo.initiate(id)),
    todos: () => select(store.getState()).data,
    subscribe: store.subscribe,
  };
}
