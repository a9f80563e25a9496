import { combineReducers, configureStore, createSlice, type UnknownAction } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, schema, type ResourcesState } from 'rtk-resource';
import {
  createMigrate,
  persistReducer,
  persistStore,
  FLUSH,
  PAUSE,
  PERSIST,
  PURGE,
  REGISTER,
  REHYDRATE,
} from 'redux-persist';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startServer } from '../support/server.js';
import { expectIdle } from '../support/store.js';

class Author extends Entity {
  id = 0;
  name = '';
  static override key = 'Author';
}
class Note extends Entity {
  id = 0;
  text = '';
  at = new Date(0);
  author: Author | undefined;
  static override key = 'Note';
  static override schema = { at: (iso: string) => new Date(iso), author: Author };
}

const server = await startServer();
afterAll(() => server.close());
beforeEach(() => {
  // Once per process it is told that a slice cannot be used; a test below looks for it.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  server.forget();
});

const Notes = createResource({
  urlPrefix: server.url,
  path: '/notes/:id',
  schema: Note,
  optimistic: true,
  paginationField: 'page',
});
const note = (id: number): object => ({
  id,
  text: `note ${String(id)}`,
  at: '2026-01-05T10:00:00.000Z',
  author: { id: 1 },
});
const texts = new schema.Query(new schema.All(Note), (notes: readonly Note[]) => notes.map(({ text }) => text));

function open(preloaded?: unknown, replaced?: () => unknown) {
  const resources = configureResources();
  const reducer = combineReducers({ resources: resources.reducer });
  const store = configureStore({
    reducer: (state: { resources: ResourcesState } | undefined, action: UnknownAction) =>
      action.type === 'replace'
        ? ({ resources: replaced?.() } as { resources: ResourcesState })
        : reducer(state, action),
    middleware: (getDefault) => getDefault().concat(resources.middleware),
    ...(preloaded !== undefined && { preloadedState: { resources: preloaded as ResourcesState } }),
  });

  return {
    store,
    resources,
    slice: () => store.getState().resources,
    /** All that can be read of it. */
    readAll: () => {
      const state = store.getState();
      return [
        Notes.getList.select()(state),
        Notes.getList.selectRequest()(state),
        Notes.get.select({ id: 1 })(state),
        Notes.get.selectRequest({ id: 1 })(state),
        resources.selectEntity(Note, 1)(state),
        resources.selectAll(Note)(state),
        resources.selectPending(Note, 1)(state),
        resources.select(texts)(state),
      ];
    },
    titles: () =>
      Notes.getList
        .select()(store.getState())
        ?.map(({ text }) => text),
  };
}

/** A slice with a list, a detail, a failure and something pending, as it comes out of storage. */
async function makeSlice(): Promise<Record<string, unknown>> {
  const { store, slice } = open();
  server.answer('GET /notes', { json: [note(1), note(2)] });
  server.answer('GET /notes/9', { status: 404, json: {} });
  await store.dispatch(Notes.getList());
  await store.dispatch(Notes.get({ id: 9 }));
  const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'pending' }));
  const stored = JSON.parse(JSON.stringify(slice())) as Record<string, unknown>;
  edit.abort();

  return stored;
}

type Bag = Record<string, unknown>;
const inside = (slice: Bag, ...path: readonly string[]): Bag => path.reduce((at, name) => at[name] as Bag, slice);

const corrupt: readonly (readonly [name: string, make: (slice: Bag) => unknown])[] = [
  ['null', () => null],
  ['a text', () => 'slice'],
  ['a number', () => 5],
  ['an empty object', () => ({})],
  ['an array', () => []],
  ['that of another version', (slice) => ({ ...slice, version: 99 })],
  ['that of a version before there were any', ({ version: _, ...slice }) => slice],
  ['one without tables', ({ tables: _, ...slice }) => slice],
  ['one with null for a table', (slice) => ((inside(slice, 'tables')['Note'] = null), slice)],
  ['one without requests', ({ requests: _, ...slice }) => slice],
  ['one with a text for requests', (slice) => ({ ...slice, requests: 'none' })],
  ['one whose table has no pages', (slice) => ((inside(slice, 'tables', 'Note')['rows'] = null), slice)],
  ['one whose table has lost rows', (slice) => ((inside(slice, 'tables', 'Note')['rows'] = [[]]), slice)],
  ['one whose table is said to be longer', (slice) => ((inside(slice, 'tables', 'Note')['n'] = 1e9), slice)],
  ['one whose rows are texts', (slice) => ((inside(slice, 'tables', 'Note')['rows'] = [['a', 'b']]), slice)],
  ['one with a pk twice', (slice) => ((inside(slice, 'tables', 'Note')['pks'] = [['1', '1']]), slice)],
  ['one with free places that are none', (slice) => ((inside(slice, 'tables', 'Note')['free'] = [0]), slice)],
  ['one with null for a request', (slice) => ((inside(slice, 'requests')['rows'] = [[null, null, null]]), slice)],
  ['one whose request has no shape', (slice) => ((inside(slice, 'requests')['rows'] = [[{}, {}, {}]]), slice)],
  ['one without a clock', (slice) => ({ ...slice, seq: 'late' })],
];

describe.each(corrupt)('a slice that cannot be used, as %s,', (_, make) => {
  it('is an empty one where a store begins with it', async () => {
    const given = make(await makeSlice());
    const { store, slice, readAll, titles } = open(given);

    readAll();
    const before = slice();
    await store.dispatch(Notes.getList());

    expect(Object.keys(before.tables)).toEqual([]);
    expect(titles()).toEqual(['note 1', 'note 2']);
    expectIdle(slice());
  });

  it('is an empty one where it takes the place of the one that was there, also before the next action', async () => {
    const given = make(await makeSlice());
    const { store, readAll, titles } = open(undefined, () => given);
    await store.dispatch(Notes.getList());

    store.dispatch({ type: 'replace' });
    readAll();
    const between = titles();
    await store.dispatch(Notes.getList());

    expect(between).toBeUndefined();
    expect(titles()).toEqual(['note 1', 'note 2']);
  });

  it('brings nothing where it is hydrated', async () => {
    const given = make(await makeSlice());
    const { store, resources, readAll, titles } = open();
    await store.dispatch(Notes.getList());

    store.dispatch(resources.hydrate(given as ResourcesState));
    readAll();

    expect(titles()).toEqual(['note 1', 'note 2']);
  });
});

describe('a slice that arrives later', () => {
  it('is shown at once, and keeps nothing that was pending elsewhere', async () => {
    const given = await makeSlice();
    const { store, slice, titles, readAll } = open(undefined, () => given);

    store.dispatch({ type: 'replace' });
    const shown = titles();
    const list = Notes.getList.select()(store.getState());
    store.dispatch({ type: 'any' });

    expect(shown).toEqual(['note 1', 'note 2']);
    expect(Notes.getList.select()(store.getState())).toBe(list);
    expect(readAll()[6]).toEqual([]);
    expectIdle(slice());
    expect(Notes.partialUpdate.selectRequest({ id: 1 }, { text: 'pending' })(store.getState()).isFetching).toBe(false);
  });

  it('is older than what is under way here', async () => {
    const given = await makeSlice();
    server.forget();
    const { store, titles, slice } = open(undefined, () => ({ ...given, seq: 1_000 }));
    const promise = store.dispatch(Notes.getList());

    store.dispatch({ type: 'replace' });
    await server.release('GET /notes', { json: [note(3)] });
    await promise.unwrap();

    expect(titles()).toEqual(['note 3']);
    expectIdle(slice());
  });
});

describe('the slice of another store that is alive', () => {
  /** A store in which an edit is pending. */
  async function openEditing() {
    const opened = open();
    server.answer('GET /notes', { json: [note(1), note(2)] });
    await opened.store.dispatch(Notes.getList());
    const edit = opened.store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'pending' }));

    return { ...opened, edit };
  }

  it('begins another without what is pending there, and each goes its own way', async () => {
    const first = await openEditing();

    const second = open(first.slice());
    const begun = [second.titles(), second.readAll()[6]];
    await server.release('PATCH /notes/1', { json: { ...note(1), text: 'edited' } });
    await first.edit;
    second.store.dispatch({ type: 'any' });

    expect(begun).toEqual([['note 1', 'note 2'], []]);
    expect(first.titles()).toEqual(['edited', 'note 2']);
    expect(second.titles()).toEqual(['note 1', 'note 2']);
    expect(second.slice().anchor).not.toBe(first.slice().anchor);
    expectIdle(second.slice());
  });

  it('takes the place of what was there, without what is pending there', async () => {
    const first = await openEditing();
    const second = open(undefined, () => first.slice());
    await second.store.dispatch(Notes.getList());

    second.store.dispatch({ type: 'replace' });
    const came = [second.titles(), second.readAll()[6]];
    first.edit.abort();
    await first.edit;

    expect(came).toEqual([['note 1', 'note 2'], []]);
    expect(second.slice().anchor).not.toBe(first.slice().anchor);
    expectIdle(second.slice());
  });

  it('is its own still where time travel brings back what it was', async () => {
    const held: { slice?: unknown } = {};
    const { store, slice, titles } = open(undefined, () => held.slice);
    server.answer('GET /notes', { json: [note(1), note(2)] });
    await store.dispatch(Notes.getList());
    const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'pending' }));
    held.slice = slice();
    edit.abort();
    await edit;

    store.dispatch({ type: 'replace' });
    store.dispatch({ type: 'any' });

    expect(titles()).toEqual(['pending', 'note 2']);
    expect(slice()).toBe(held.slice);
  });
});

describe('one slice', () => {
  it('that two stores begin with belongs to neither', async () => {
    const given = await makeSlice();
    const [first, second] = [open(given), open(given)];

    for (const { store } of [first, second]) store.dispatch({ type: 'any' });

    expect(first.slice().anchor).not.toBe(second.slice().anchor);
    expect([first.titles(), second.titles()]).toEqual([
      ['note 1', 'note 2'],
      ['note 1', 'note 2'],
    ]);
  });

  it.each([2 ** 53, 1e300, -1, 0.5])('with a clock at %s, which cannot go on, is an empty one', async (seq) => {
    const { store, titles } = open({ ...(await makeSlice()), seq });
    const begun = titles();
    await store.dispatch(Notes.getList());

    expect(begun).toBeUndefined();
    expect(titles()).toEqual(['note 1', 'note 2']);
  });

  it('from a server whose clock is ahead is fresh for as long as it would have been there', async () => {
    const given = await makeSlice();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() - 3_600_000);

    const { store } = open(given);
    const isStale = () => Notes.getList.selectRequest()(store.getState()).isStale;
    const begun = isStale();
    vi.setSystemTime(Date.now() + 60_000);
    const later = isStale();
    vi.useRealTimers();

    expect([begun, later]).toEqual([false, true]);
  });
});

describe('slices that cannot be used', () => {
  it('cause one warning, however many there are', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    vi.resetModules();
    const { configureResources: configure } = await import('rtk-resource');
    const { reducer } = configure();

    for (const given of [null, {}, { version: 0 }]) reducer(given as never, { type: 'any' });

    expect(warn.mock.calls.map(String)).toEqual([expect.stringMatching(/corrupted, or of another version/)]);
  });

  it('never make a reducer or a selector throw, whatever is in them', { timeout: 60_000 }, async () => {
    const random = seeded(16);
    const given = await makeSlice();
    const garbage = [null, undefined, 0, -1, 1.5, '', '1', 'Note', true, [], {}, [null], { id: 1 }, [['1']], [1, 2]];

    for (let i = 0; i < 1_500; i++) {
      const slice = structuredClone(given);
      for (let hits = 1 + random(3); hits > 0; hits--) hit(slice, random, garbage);
      const { store, resources, readAll } = open(slice);
      readAll();
      store.dispatch(resources.set(Note, { id: 1, text: 'set' }));
      store.dispatch(resources.hydrate(slice as unknown as ResourcesState));
      store.dispatch(resources.expireAll(Notes.getList));
      readAll();
    }

    expect.assertions(0);
  });
});

/** Puts garbage into one place of a value. */
function hit(value: Bag, random: (below: number) => number, garbage: readonly unknown[]): void {
  let at = value;
  for (;;) {
    const names = Object.keys(at);
    const name = names[random(names.length)];
    if (name === undefined) return;
    const inner = at[name];
    if (typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0 && random(5) > 0) {
      at = inner as Bag;
      continue;
    }
    at[name] = structuredClone(garbage[random(garbage.length)]);
    return;
  }
}

/** The same numbers for the same seed (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed;

  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;

    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

describe('redux-persist', () => {
  // As it stands in docs/guides/persistence.md.
  const migrate = createMigrate({
    2: (saved) => {
      const { resources: _, ...rest } = saved as typeof saved & { resources?: unknown };
      return rest;
    },
  });
  const clicks = createSlice({ name: 'clicks', initialState: 0, reducers: { clicked: (count) => count + 1 } });
  const { clicked } = clicks.actions;

  /** A visit: a store that saves its resources and its clicks, and begins with those of the visit before. */
  async function visit(storage: Map<string, string>, version = 1) {
    const resources = configureResources();
    const engine = {
      getItem: (key: string) => Promise.resolve(storage.get(key)),
      setItem: (key: string, value: string) => Promise.resolve(storage.set(key, value)),
      removeItem: (key: string) => Promise.resolve(storage.delete(key)),
    };
    const root = combineReducers({ resources: resources.reducer, clicks: clicks.reducer });
    const config = { key: 'app', version, storage: engine, whitelist: ['resources', 'clicks'] };
    const store = configureStore({
      reducer: persistReducer<ReturnType<typeof root>>({ ...config, ...(version > 1 && { migrate }) }, root),
      middleware: (getDefault) =>
        getDefault({
          serializableCheck: { ignoredActions: [FLUSH, PAUSE, PERSIST, PURGE, REGISTER, REHYDRATE] },
        }).concat(resources.middleware),
    });
    const persistor = await new Promise<ReturnType<typeof persistStore>>((resolve) => {
      const made = persistStore(store, null, () => {
        resolve(made);
      });
    });

    return { store, persistor };
  }

  it('brings back what was there, and nothing that was pending', async () => {
    const storage = new Map<string, string>();
    server.answer('GET /notes', { json: [note(1), note(2)] });
    const one = await visit(storage);
    await one.store.dispatch(Notes.getList()).unwrap();
    void one.store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'pending' }));
    await one.persistor.flush();

    const other = await visit(storage);
    const answer = await other.store.dispatch(Notes.getList.ifStale());
    other.store.dispatch({ type: 'any' });

    expect(answer.meta.condition).toBe(true);
    expect(
      Notes.getList
        .select()(other.store.getState())
        ?.map(({ text, at }) => [text, at.getFullYear()]),
    ).toEqual([
      ['note 1', 2026],
      ['note 2', 2026],
    ]);
    expectIdle(other.store.getState().resources);
  });

  it('sends the first request once, also where another asks for the same as soon as it is answered', async () => {
    const storage = new Map<string, string>();
    server.answer('GET /notes', { json: [note(1)] });
    server.answer('GET /notes/2', { json: note(2) });
    const one = await visit(storage);
    await one.store.dispatch(Notes.getList()).unwrap();
    await one.persistor.flush();

    const { store } = await visit(storage);
    await store.dispatch(Notes.get({ id: 2 }));
    const next = await store.dispatch(Notes.get.ifStale({ id: 2 }));

    expect(next.meta.condition).toBe(true);
    expect(Notes.get.selectRequest({ id: 2 })(store.getState()).isStale).toBe(false);
    expect(server.received.filter(({ method, path }) => `${method} ${path}` === 'GET /notes/2')).toHaveLength(1);
  });

  it('drops the slice where a migrate says so, keeps what was saved beside it, and fetches again', async () => {
    const storage = new Map<string, string>();
    server.answer('GET /notes', { json: [note(1)] });
    const one = await visit(storage);
    await one.store.dispatch(Notes.getList()).unwrap();
    one.store.dispatch(clicked());
    await one.persistor.flush();

    const { store } = await visit(storage, 2);
    const before = Notes.getList.selectRequest()(store.getState()).status;
    await store.dispatch(Notes.getList.ifStale());

    expect(before).toBe('uninitialized');
    expect(store.getState().clicks).toBe(1);
    expect(Notes.getList.select()(store.getState())).toHaveLength(1);
    expect(server.received.filter(({ method }) => method === 'GET')).toHaveLength(2);
  });

  it.each([
    ['whole, has nothing in flight that was in flight there, and warns of nothing', undefined, []],
    ['in part, is warned of', ['version', 'tables', 'requests'], [expect.stringMatching(/Part of a saved slice/)]],
  ])('that saves the slice by itself, %s', async (_, whitelist, warnings) => {
    const storage = new Map<string, string>();
    const engine = {
      getItem: (key: string) => Promise.resolve(storage.get(key)),
      setItem: (key: string, value: string) => Promise.resolve(storage.set(key, value)),
      removeItem: (key: string) => Promise.resolve(storage.delete(key)),
    };
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    async function open() {
      const resources = configureResources();
      const slice = persistReducer(
        { key: 'resources', storage: engine, ...(whitelist && { whitelist }) },
        resources.reducer,
      );
      const store = configureStore({
        reducer: combineReducers({ resources: slice }),
        middleware: (getDefault) =>
          getDefault({
            serializableCheck: { ignoredActions: [FLUSH, PAUSE, PERSIST, PURGE, REGISTER, REHYDRATE] },
          }).concat(resources.middleware),
      });
      const persistor = await new Promise<ReturnType<typeof persistStore>>((resolve) => {
        const made = persistStore(store, null, () => {
          resolve(made);
        });
      });
      const list = Notes.getList.selectRequest();
      return { store, persistor, state: () => list(store.getState()) };
    }
    const one = await open();
    void one.store.dispatch(Notes.getList());
    await server.holding('GET /notes');
    await one.persistor.flush();

    const other = await open();
    other.store.dispatch({ type: 'any' });

    expect(other.state().isFetching).toBe(whitelist !== undefined);
    // A busy machine makes Redux Toolkit warn, too.
    expect(warn.mock.calls.map(String).filter((text) => text.startsWith('rtk-resource'))).toEqual(warnings);
  });

  it('begins anew with what was saved broken', async () => {
    const storage = new Map([
      ['persist:app', JSON.stringify({ resources: '{"version":1,"tables":5}', _persist: '{}' })],
    ]);
    server.answer('GET /notes', { json: [note(1)] });

    const { store } = await visit(storage);
    await store.dispatch(Notes.getList.ifStale());

    expect(
      Notes.getList
        .select()(store.getState())
        ?.map(({ text }) => text),
    ).toEqual(['note 1']);
  });
});
