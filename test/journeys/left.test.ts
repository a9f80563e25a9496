import { configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, type ResourcesState } from 'rtk-resource';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { collectGarbage } from '../support/garbage.js';
import { setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const Notes = createResource({ urlPrefix: 'https://example.com', path: '/notes/:id', schema: Note });

afterEach(() => {
  vi.useRealTimers();
});

/** A store without the checks of Redux Toolkit, which look through all of the state at each action. */
function unchecked() {
  const resources = configureResources();
  const store = configureStore({
    reducer: { resources: resources.reducer },
    middleware: (getDefault) =>
      getDefault({ immutableCheck: false, serializableCheck: false }).concat(resources.middleware),
  });

  return { resources, store };
}

describe('what nobody needs any more', () => {
  it('is collected, however much was left at once', { timeout: 240_000 }, async () => {
    vi.useFakeTimers();
    const { store, resources } = unchecked();
    const slice = (): ResourcesState => store.getState().resources;
    const notes = Array.from({ length: 130_000 }, (_, i) => ({ id: i + 1, text: 'note' }));
    store.dispatch(resources.set(Note, notes));
    store.dispatch(resources.setResponse(Notes.getList, {}, []));
    const leave = (id: number): void => {
      store.dispatch(Notes.get.subscribe({ id })).unsubscribe();
    };

    store.dispatch(Notes.getList.subscribe()).unsubscribe();
    await vi.advanceTimersByTimeAsync(30_000);
    for (const { id } of notes) leave(id);
    const before = slice().requests.pks.flat();
    // The list is looked for while all the others are still to come.
    await vi.advanceTimersByTimeAsync(31_000);

    expect(before).toHaveLength(1);
    expect(
      slice()
        .requests.pks.flat()
        .filter((pk) => pk !== ''),
    ).toEqual([]);
  });

  it('keeps no store in memory, though it would be collected only later', async () => {
    const makeStore = (): WeakRef<object> => {
      const { store, resources } = setup();
      store.dispatch(resources.setResponse(Notes.get, { id: 1 }, { id: 1, text: 'one' }));
      store.dispatch(Notes.get.subscribe({ id: 1 })).unsubscribe();

      return new WeakRef(store);
    };

    const store = makeStore();
    for (let i = 0; i < 3; i++) await collectGarbage();

    expect(store.deref()).toBeUndefined();
  });
});
