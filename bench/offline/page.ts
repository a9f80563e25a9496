import { configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity } from 'rtk-resource';
import { outbox } from 'rtk-resource/offline';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}
const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true });

/** When the database was opened, in ms of the page. */
let openedAt = 0;
const open = indexedDB.open.bind(indexedDB);
indexedDB.open = (...given) => {
  const request = open(...given);
  request.addEventListener('success', () => (openedAt = performance.now()));
  return request;
};

/** A store with an outbox, or without, and what is measured of it. */
function start() {
  const queue = outbox({ name: 'bench', resources: [TodoResource], idempotencyKey: true });
  const resources = configureResources(location.search === '?plain' ? {} : { outbox: queue });
  const store = configureStore({
    reducer: { resources: resources.reducer },
    middleware: (getDefault) =>
      getDefault({ immutableCheck: false, serializableCheck: false }).concat(resources.middleware),
  });
  const ready = queue.ready.then(({ size }) => ({ size, took: performance.now() - openedAt }));
  return {
    /** How many writes are shown, and how long that took from the opened database, in ms. */
    ready: () => ready,
    /** Creates items; ends when all of it survives the tab. */
    fill: async (count: number) => {
      for (let i = 0; i < count; i++) void store.dispatch(TodoResource.getList.push({ title: `Filled ${i}` }));
      while (!queue.select(store.getState()).entries.every(({ isDurable }) => isDurable))
        await new Promise((resolve) => setTimeout(resolve, 50));
    },
    /** How long a write takes that the server answers, in ms: the median of some. */
    write: async (count: number) => {
      const times: number[] = [];
      for (let i = 0; i < count; i++) {
        const before = performance.now();
        await store.dispatch(TodoResource.getList.push({ title: `Write ${i}` }));
        times.push(performance.now() - before);
      }
      return times.sort((one, other) => one - other)[count >> 1] ?? 0;
    },
  };
}

declare global {
  interface Window {
    outboxBench: ReturnType<typeof start>;
  }
}

window.outboxBench = start();
