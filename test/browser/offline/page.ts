import { configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity } from 'rtk-resource';
import { outbox } from 'rtk-resource/offline';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

export const TodoResource = createResource({ path: '/todos/:id', schema: Todo, optimistic: true });

/** The app of one tab, as the test drives it. */
function start() {
  const queue = outbox({ name: 'kill', resources: [TodoResource], idempotencyKey: true });
  const isPlain = location.search === '?plain';
  const resources = configureResources(isPlain ? {} : { outbox: queue });
  const store = configureStore({
    reducer: { resources: resources.reducer },
    middleware: (getDefault) =>
      getDefault({ immutableCheck: false, serializableCheck: false }).concat(resources.middleware),
  });
  const began = performance.now();
  let took = 0;
  void queue.ready.then(() => (took = performance.now() - began));
  const state = () => queue.select(store.getState());
  const untilDurable = (id: string) =>
    new Promise<void>((resolve) => {
      const look = (): void => {
        const entry = state().entries.find((one) => one.id === id);
        if (entry && !entry.isDurable) return;
        stop();
        resolve();
      };
      const stop = store.subscribe(look);
      look();
    });
  return {
    ready: queue.ready,
    /** How long it took until what was stored was shown, in ms. */
    took: () => took,
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
    state,
    titles: () =>
      resources
        .selectAll(Todo)(store.getState())
        .map(({ title }) => title),
    /** Creates, and tells when that survives the tab. */
    create: (title: string) => untilDurable(store.dispatch(TodoResource.getList.push({ title })).requestId),
    fill: async (count: number) => {
      for (let i = 0; i < count; i++) void store.dispatch(TodoResource.getList.push({ title: `Filled ${i}` }));
      await untilDurable(state().entries.at(-1)?.id ?? '');
    },
  };
}

export type App = ReturnType<typeof start>;
(globalThis as { app?: App }).app = start();
