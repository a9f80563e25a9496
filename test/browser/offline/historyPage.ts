import { configureStore } from '@reduxjs/toolkit';
import { configureResources, isTemporary } from 'rtk-resource';
import { outbox } from 'rtk-resource/offline';
import { NoteResource, Todo, TodoResource, upload, type Field } from './resources.js';

/** So much faster than the clock time goes here: nobody waits a second for another try. */
const SPEED = 20;
/** All tabs of a history have one clock, as they have on one machine. */
const began = Number((localStorage['began'] ??= Date.now()));
const now = Date.now.bind(Date);
Date.now = () => began + (now() - began) * SPEED;
const later = window.setTimeout.bind(window);
window.setTimeout = ((act: () => void, ms = 0) => later(act, ms / SPEED)) as typeof window.setTimeout;

/** One tab of a history: its address says which, and whether the server knows keys. */
function start() {
  const name = location.pathname;
  const queue = outbox({
    ...{ name, resources: [TodoResource, NoteResource, upload] },
    idempotencyKey: location.search !== '?keyless',
  });
  const resources = configureResources({ outbox: queue });
  const store = configureStore({
    reducer: { resources: resources.reducer },
    middleware: (getDefault) =>
      getDefault({ immutableCheck: false, serializableCheck: false }).concat(resources.middleware),
  });
  const state = () => queue.select(store.getState());
  const todos = () => resources.selectAll(Todo)(store.getState());
  // Whoever has been logged out logs in again, and tries again what was refused.
  store.subscribe(() => {
    const { pausedBy, failed } = state();
    if (pausedBy === 'auth')
      later(() => {
        store.dispatch(queue.resume());
      }, 10);
    if (failed > 0) later(() => void store.dispatch(queue.retry()), 10);
  });
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
  /** The id of a todo that is shown, real or not. */
  const idOf = (title: string): number | string => {
    const found = todos().find((todo) => todo.title === title);
    if (!found) throw new Error(`${title} is not shown.`);
    return found.id;
  };
  return {
    ready: queue.ready.then(() => undefined),
    state,
    /** The titles of all todos that are shown. */
    titles: () => todos().map(({ title }) => title),
    /** Reads all, and each todo by itself, so that its tag is known. */
    readAll: async () => {
      const list = await store.dispatch(TodoResource.getList()).unwrap();
      // What is not created yet would be waited for.
      await Promise.all(list.flatMap(({ id }) => (isTemporary(id) ? [] : [store.dispatch(TodoResource.get({ id }))])));
      // As JSON has them: what a page gives is no object of its classes.
      return JSON.stringify(list);
    },
    // Each ends when what it has made survives the tab.
    create: (title: string) => untilDurable(store.dispatch(TodoResource.getList.push({ title })).requestId),
    edit: (title: string, field: Field, value: string) =>
      untilDurable(store.dispatch(TodoResource.partialUpdate({ id: idOf(title) }, { [field]: value })).requestId),
    note: (title: string, text: string) =>
      untilDurable(store.dispatch(NoteResource.getList.push({ todoId: idOf(title) }, { text })).requestId),
    upload: (title: string) => {
      const form = new FormData();
      form.append('file', new File([`bytes of ${title}`], title));
      return untilDurable(store.dispatch(upload(form)).requestId);
    },
  };
}

export type HistoryApp = ReturnType<typeof start>;
(globalThis as { tab?: HistoryApp }).tab = start();
