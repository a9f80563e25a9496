import { configureStore, type Middleware, type UnknownAction } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity } from 'rtk-resource';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { expectIdle } from '../support/store.js';

class Book extends Entity {
  id = 0;
  title = '';
  static override key = 'Book';
}

const server = await serverOfFile();
const Books = createResource({ urlPrefix: server.url, path: '/books/:id', schema: Book, optimistic: true });

/** What is thrown where nobody can catch it, as `window.onerror` would hear of it. */
let heard: unknown[];
beforeEach(() => {
  heard = [];
  const queue = queueMicrotask;
  vi.stubGlobal('queueMicrotask', (run: () => void) => {
    queue(() => {
      try {
        run();
      } catch (error) {
        heard.push(error);
      }
    });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

type IsMet = (action: UnknownAction) => boolean;

/** Where something of the app's own stands that throws: a reducer, or a middleware outside or inside of ours; before or after it passes on. */
const places = [
  'a reducer',
  'an outer middleware',
  'an inner middleware',
  'an outer middleware, afterwards',
  'a subscriber',
] as const;

/** A store with a book in it, and something beside ours that throws at the actions that it is told to. */
function open(place: (typeof places)[number]) {
  let isMet: IsMet = () => false;
  let last: UnknownAction = { type: '' };
  const check = (action: UnknownAction): void => {
    if (isMet(action)) throw new Error(`fragile at ${action.type}`);
  };
  const fragile =
    (isAfter: boolean): Middleware =>
    () =>
    (next) =>
    (action) => {
      if (!isAfter) check(action as UnknownAction);
      const result = next(action);
      if (isAfter) check(action as UnknownAction);

      return result;
    };
  const resources = configureResources();
  const store = configureStore({
    reducer: {
      fragile: (_: unknown = 0, action: UnknownAction) => {
        last = action;
        if (place === 'a reducer') check(action);

        return 0;
      },
      resources: resources.reducer,
    },
    middleware: (getDefault) =>
      getDefault().concat(
        ...(place.startsWith('an outer') ? [fragile(place.endsWith('afterwards'))] : []),
        resources.middleware,
        ...(place === 'an inner middleware' ? [fragile(false)] : []),
      ),
  });
  if (place === 'a subscriber')
    store.subscribe(() => {
      check(last);
    });
  store.dispatch(resources.setResponse(Books.get, { id: 1 }, { id: 1, title: 'one' }));

  return {
    store,
    resources,
    title: () => Books.get.select({ id: 1 })(store.getState())?.title,
    pending: () => resources.selectPending(Book, 1)(store.getState()),
    throwAt: (which: IsMet) => {
      isMet = which;
    },
  };
}

describe.each(places)('%s that throws', (place) => {
  const isTyped =
    (...ends: readonly string[]): IsMet =>
    ({ type }) =>
      ends.some((end) => type.endsWith(end));

  it('at the refusal of an edit leaves nothing of the edit', async () => {
    const { store, title, pending, throwAt } = open(place);
    server.answer('PATCH /books/1', { status: 422, json: { title: 'too short' } });
    throwAt(isTyped('/rejected'));

    const editing = store.dispatch(Books.partialUpdate({ id: 1 }, { title: '' }));
    const shown = title();
    const action = await editing;

    expect(shown).toBe('');
    expect(action).toMatchObject({
      type: 'Book/partialUpdate/rejected',
      error: { status: 422, data: { title: 'too short' } },
    });
    expect([title(), pending()]).toEqual(['one', []]);
    expect(heard).toMatchObject([{ message: 'fragile at Book/partialUpdate/rejected' }]);
    expectIdle(store.getState().resources);
  });

  it.each(['pending', 'fulfilled'])('at %s leaves nothing of an edit, and the promise settles', async (status) => {
    const { store, pending, throwAt } = open(place);
    server.answer('PATCH /books/1', { json: { id: 1, title: 'new' } });
    throwAt(isTyped(`/${status}`));

    const action = await store.dispatch(Books.partialUpdate({ id: 1 }, { title: 'new' }));

    expect(action.type).toMatch(/rejected|fulfilled/);
    expect(pending()).toEqual([]);
    expectIdle(store.getState().resources);
  });

  it('at all that tells of the end of requests leaves nothing once it throws no more', async () => {
    const { store, title, pending, throwAt } = open(place);
    server.answer(/^PATCH/, { status: 422, json: {} });
    throwAt(({ type }) => !type.endsWith('/pending'));

    await store.dispatch(Books.partialUpdate({ id: 1 }, { title: '' }));
    throwAt(() => false);
    await store.dispatch(Books.partialUpdate({ id: 2 }, { title: '' }));

    expect([title(), pending()]).toEqual(['one', []]);
    expectIdle(store.getState().resources);
  });

  it('at what is made stale keeps nobody from fetching it', async () => {
    const { store, resources, throwAt } = open(place);
    server.answer('GET /books/1', { json: { id: 1, title: 'news' } });
    const { unsubscribe } = store.dispatch(Books.get.subscribe({ id: 1 }));
    throwAt(isTyped('resources/expire'));
    const isReached = place === 'a subscriber' || place.endsWith('afterwards');

    expect(() => store.dispatch(resources.expire(Books.get, { id: 1 }))).toThrow('fragile');
    if (isReached)
      await vi.waitFor(() => {
        expect(Books.get.select({ id: 1 })(store.getState())?.title).toBe('news');
      });
    unsubscribe();

    expect(server.received).toHaveLength(isReached ? 1 : 0);
  });
});

describe('a middleware that throws at a failure', () => {
  it('after it has dispatched something else leaves nothing of the edit', async () => {
    const resources = configureResources();
    const toast: Middleware =
      ({ dispatch }) =>
      (next) =>
      (action) => {
        const { type } = action as UnknownAction;
        if (!type.endsWith('/rejected')) return next(action);
        dispatch(resources.set(Book, { id: 9, title: 'seen' }) as never);
        throw new Error('fragile');
      };
    const store = configureStore({
      reducer: { resources: resources.reducer },
      middleware: (getDefault) => getDefault().concat(toast, resources.middleware),
    });
    store.dispatch(resources.setResponse(Books.get, { id: 1 }, { id: 1, title: 'one' }));
    server.answer('PATCH /books/1', { status: 422, json: {} });

    await store.dispatch(Books.partialUpdate({ id: 1 }, { title: '' }));

    expect(Books.get.select({ id: 1 })(store.getState())?.title).toBe('one');
    expect(heard).toMatchObject([{ message: 'fragile' }]);
    expectIdle(store.getState().resources);
  });
});
