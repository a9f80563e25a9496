import { configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity } from 'rtk-resource';
import type { TestServer } from '../../test/support/server.js';
import { byLetter, settled, titlesOf, until, watch, type App, type Filter } from './App.js';

class Todo extends Entity {
  id: number | string = 0;
  title = '';
  userId = 0;
  done = false;
  static override key = 'Todo';
}

const searchParams: Filter = {};

/** The application with rtk-resource. */
export function openResource(server: Pick<TestServer, 'url' | 'holding'>, { optimistic = true } = {}): App {
  const TodoResource = createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    searchParams,
    optimistic,
  });
  const { getList, get } = TodoResource;
  const polled = getList.extend({ pollFrequency: 1 });
  const resources = configureResources();
  const store = configureStore({
    reducer: { resources: resources.reducer },
    middleware: (getDefault) => getDefault().concat(resources.middleware),
  });

  const list = (filter: Filter = {}): readonly Todo[] => getList.select(filter)(store.getState()) ?? [];
  const { item, idIn } = byLetter(list);
  let seen: readonly string[] = [];

  return {
    get seen() {
      return seen;
    },
    async load(filter = {}) {
      store.dispatch(getList.subscribe(filter));
      await settled(store.dispatch(getList.ifStale(filter)));
      if (Object.keys(filter).length === 0) seen = watch(store, () => titlesOf(list()));
    },
    async poll() {
      const polling = store.dispatch(polled.subscribe({}));
      await server.holding('GET /todos');
      polling.unsubscribe();
    },
    fetched: () => until(store, () => !getList.selectRequest({})(store.getState()).isFetching),
    open: (letter) => settled(store.dispatch(get.ifStale({ id: idIn(letter) }))),
    reload: (letter) => settled(store.dispatch(get({ id: idIn(letter) }))),
    edit: (letter, fields) => settled(store.dispatch(TodoResource.partialUpdate({ id: idIn(letter) }, fields))),
    remove: (letter) => settled(store.dispatch(TodoResource.delete({ id: idIn(letter) }))),
    create: (fields) => settled(store.dispatch(getList.push({}, fields))),
    titles: (filter) => titlesOf(list(filter)),
    item,
    detail: (letter) => get.select({ id: idIn(letter) })(store.getState()),
  };
}
