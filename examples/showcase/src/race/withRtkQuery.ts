import { configureStore } from '@reduxjs/toolkit';
import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query';
import type { Contestant } from './Contestant';
import type { TinyServer, Todo } from './TinyServer';

/** Optimistic updates by hand, as the documentation of RTK Query shows them: `updateQueryData`, and `undo` on failure. */
export function openWithRtkQuery({ fetch }: TinyServer): Contestant {
  const api = createApi({
    baseQuery: fetchBaseQuery({ baseUrl: location.origin, fetchFn: fetch }),
    endpoints: (build) => ({
      getTodos: build.query<Todo[], undefined>({ query: () => '/todos' }),
      editTodo: build.mutation<Todo, Todo>({
        query: ({ id, title }) => ({ url: `/todos/${id}`, method: 'PATCH', body: { title } }),
        async onQueryStarted({ id, title }, { dispatch, queryFulfilled }) {
          const patch = dispatch(
            api.util.updateQueryData('getTodos', undefined, (todos) =>
              todos.map((todo) => (todo.id === id ? { ...todo, title } : todo)),
            ),
          );
          await queryFulfilled.catch(patch.undo);
        },
      }),
      removeTodo: build.mutation<null, number>({
        query: (id) => ({ url: `/todos/${id}`, method: 'DELETE' }),
        async onQueryStarted(id, { dispatch, queryFulfilled }) {
          const patch = dispatch(
            api.util.updateQueryData('getTodos', undefined, (todos) => {
              const position = todos.findIndex((todo) => todo.id === id);
              if (position >= 0) todos.splice(position, 1);
            }),
          );
          await queryFulfilled.catch(patch.undo);
        },
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
    name: 'RTK Query, with undo',
    load: () => store.dispatch(getTodos.initiate(undefined)),
    poll: () => void store.dispatch(getTodos.initiate(undefined, { forceRefetch: true })),
    edit: (id, title) => void store.dispatch(editTodo.initiate({ id, title })),
    remove: (id) => void store.dispatch(removeTodo.initiate(id)),
    todos: () => select(store.getState()).data,
    subscribe: store.subscribe,
  };
}
