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

/** Belongs to a note that stays as it is. */
class Reply extends Entity {
  id = 0;
  note: Note | undefined = undefined;
  static override key = 'Reply';
  static override schema = { note: Note };
}

const Notes = createResource({ urlPrefix: 'https://example.com', path: '/notes/:id', schema: Note });
const Replies = createResource({ urlPrefix: 'https://example.com', path: '/replies/:id', schema: Reply });

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

  const note = { id: 1, text: 'one' };
  const ids = Array.from({ length: 300 }, (_, i) => i + 1);
  const shownStill = async (shown: readonly WeakRef<object>[]): Promise<number> => {
    for (let i = 0; i < 3; i++) await collectGarbage();

    return shown.filter((one) => one.deref()).length;
  };

  it('keeps no row in memory that is gone, though a row that it was shown with stays', async () => {
    const { store, resources } = unchecked();
    const shownAt = (id: number): WeakRef<object> => {
      store.dispatch(resources.setResponse(Replies.getList.push, {}, { id, note }, { id, note }));
      const shown = new WeakRef<object>(Replies.getList.select()(store.getState())?.at(-1) ?? {});
      if (id > 10) store.dispatch(resources.setResponse(Replies.delete, { id: id - 10 }, null));

      return shown;
    };
    store.dispatch(resources.setResponse(Replies.getList, {}, []));

    const shown = ids.map(shownAt);

    expect(Replies.getList.select()(store.getState())).toHaveLength(10);
    expect(await shownStill(shown)).toBeLessThan(50);
  });

  it('keeps no list in memory that was collected, though its items stay', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { store, resources } = unchecked();
    const Searches = createResource({
      urlPrefix: 'https://example.com',
      path: '/notes/:id',
      schema: Note,
      searchParams: {} as { q: string },
    });
    const shownAt = (id: number): WeakRef<object> => {
      const search = { q: `${id}` };
      store.dispatch(resources.setResponse(Searches.getList, search, [note]));
      store.dispatch(Searches.getList.subscribe(search)).unsubscribe();

      return new WeakRef<object>(Searches.getList.select(search)(store.getState()) ?? {});
    };
    store.dispatch(resources.setResponse(Notes.get, { id: 1 }, note));
    store.dispatch(Notes.get.subscribe({ id: 1 }));

    const shown: WeakRef<object>[] = [];
    for (const id of ids) {
      shown.push(shownAt(id));
      if (id % 50 === 0) await vi.advanceTimersByTimeAsync(400_000);
    }

    expect(Searches.getList.select({ q: '1' })(store.getState())).toBeUndefined();
    expect(Notes.get.select({ id: 1 })(store.getState())).toEqual(note);
    expect(await shownStill(shown)).toBeLessThan(100);
  });
});
