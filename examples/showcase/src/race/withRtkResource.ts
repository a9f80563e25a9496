import { configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity } from 'rtk-resource';
import type { Contestant } from './Contestant';
import type { TinyServer } from './TinyServer';

class Todo extends Entity {
  id = 0;
  title = '';
  static key = 'Todo';
}

/** `optimistic: true`, and no more. */
export function openWithRtkResource({ fetch }: TinyServer): Contestant {
  const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true, fetchResponse: fetch });
  const resources = configureResources();
  const store = configureStore({
    reducer: { [resources.reducerPath]: resources.reducer },
    middleware: (getDefault) => getDefault().concat(resources.middleware),
  });
  const select = TodoResource.getList.select();

  return {
    name: 'rtk-resource',
    load: () => store.dispatch(TodoResource.getList()),
    poll: () => void store.dispatch(TodoResource.getList()),
    edit: (id, title) => void store.dispatch(TodoResource.partialUpdate({ id }, { title })),
    remove: (id) => void store.dispatch(TodoResource.delete({ id })),
    todos: () => select(store.getState()),
    subscribe: store.subscribe,
  };
}
