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
  const resources = configureResources({ outbox: queue });
  const store = configureStore({
    reducer: { resources: resources.reducer },
    middleware: (getDefault) =>
      getDefault({ immutableCheck: false, serializableCheck: false }).concat(resources.middleware),
  });
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
