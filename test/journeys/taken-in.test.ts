import {
  combineReducers,
  configureStore,
  createNextState,
  createReducer,
  createSlice,
  isRejected,
  type Middleware,
  type UnknownAction,
} from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, type ResourcesState } from 'rtk-resource';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const server = await serverOfFile();
const Notes = createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note, optimistic: true });
const note = (id: number, text = '') => ({ id, text });

afterEach(() => {
  vi.useRealTimers();
});

interface RootState {
  readonly resources: ResourcesState;
}

/** A slice of another process, with one note. */
async function slices(...ids: readonly number[]): Promise<ResourcesState> {
  const { store, slice } = setup();
  for (const id of ids) {
    server.answer(`GET /notes/${String(id)}`, { json: note(id, 'saved') });
    await store.dispatch(Notes.get({ id }));
  }
  server.forget();
  return JSON.parse(JSON.stringify(slice())) as ResourcesState;
}

/** A store whose slice is replaced by an action, as redux-persist does, or forgotten when a session is over. */
function setupRoot(preloaded?: ResourcesState) {
  const resources = configureResources();
  const inner = combineReducers({ resources: resources.reducer });
  const root = (state: RootState | undefined, action: UnknownAction): RootState => {
    if (action.type === 'rehydrate') return inner(action['state'] as RootState, action);
    return inner(
      isRejected(action) && (action.error as { status?: number }).status === 401 ? undefined : state,
      action,
    );
  };
  const store = configureStore({
    reducer: root,
    ...(preloaded && { preloadedState: { resources: preloaded } as never }),
    middleware: (getDefault) => getDefault().concat(resources.middleware),
  });
  const names = (): readonly string[] =>
    store
      .getState()
      .resources.requests.pks.flat()
      .filter((pk) => pk !== '');
  return { resources, store, names };
}

describe('the slice', () => {
  it('is plain through and through: a server component may pass it on', async () => {
    const { store, slice } = setup();
    server.answer('GET /notes/1', { json: note(1) });
    await store.dispatch(Notes.get({ id: 1 }));
    const marks = (value: unknown): readonly symbol[] =>
      typeof value === 'object' && value !== null
        ? [...Object.getOwnPropertySymbols(value), ...Object.values(value).flatMap(marks)]
        : [];

    expect(marks(slice())).toEqual([]);
    expect(structuredClone(slice())).toEqual(slice());
  });
});

describe('a session that is over', () => {
  it.each(['a root reducer', 'the app'])(
    'and that %s forgets at each refusal, asks once, and a second later once more',
    async (who) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
      let calls = 0;
      const resources = configureResources({
        fetchFn: () => {
          calls++;
          return Promise.resolve(Response.json({}, { status: 401 }));
        },
      });
      const inner = combineReducers({ resources: resources.reducer });
      const isOver = (action: unknown): boolean => isRejected(action);
      const ending: Middleware =
        ({ dispatch }) =>
        (next) =>
        (action) => {
          const result = next(action);
          if (who === 'the app' && isOver(action)) dispatch(resources.reset() as never);
          return result;
        };
      const store = configureStore({
        reducer: (state: RootState | undefined, action: UnknownAction): RootState =>
          inner(who !== 'the app' && isOver(action) ? undefined : state, action),
        middleware: (getDefault) => getDefault().concat(resources.middleware, ending),
      });
      const { unsubscribe } = store.dispatch(Notes.get.subscribe({ id: 1 }));
      await vi.advanceTimersByTimeAsync(900);
      const atFirst = calls;
      await vi.advanceTimersByTimeAsync(900);
      unsubscribe();
      await vi.advanceTimersByTimeAsync(10_000);

      expect([atFirst, calls]).toEqual([1, 2]);
    },
  );

  it.each([
    ['a form is refused (422)', 422, Notes.getList.push({ text: '' })],
    ['the sign-in itself is refused (401)', 401, Notes.getList.push({ text: '' })],
    ['a note is missing (404)', 404, Notes.get({ id: 9 })],
  ])(
    'by the choice of the user, also right after %s, is followed by the next one at once',
    async (_, status, failing) => {
      const { store, resources } = setup();
      server.answer('GET /notes/1', { json: note(1) });
      const { unsubscribe } = store.dispatch(Notes.get.subscribe({ id: 1 }));
      await store.dispatch(Notes.get.ifStale({ id: 1 }));
      server.answer(/^(POST \/notes|GET \/notes\/9) /, { status, json: {} });
      await store.dispatch(failing as ReturnType<typeof Notes.get>);

      store.dispatch(resources.reset());
      const during = Notes.get.selectRequest({ id: 1 })(store.getState());
      unsubscribe();

      expect(during.isLoading).toBe(true);
    },
  );
});

describe('a slice that takes the place of another while somebody reads', () => {
  it('lacks what was there: it is fetched again', async () => {
    const { store } = setupRoot();
    server.answer('GET /notes/1', { json: note(1) });
    await store.dispatch(Notes.get({ id: 1 }));
    const { unsubscribe } = store.dispatch(Notes.get.subscribe({ id: 1 }));
    server.forget();

    store.dispatch({ type: 'rehydrate', state: { resources: await slices(2) } });
    const during = Notes.get.selectRequest({ id: 1 })(store.getState());
    await server.release('GET /notes/1', { json: note(1, 'anew') });
    await store.dispatch(Notes.get.ifStale({ id: 1 }));
    unsubscribe();

    expect([during.isLoading, during.isUninitialized]).toEqual([true, false]);
    expect(Notes.get.select({ id: 1 })(store.getState())?.text).toBe('anew');
  });

  it('does not know what is loading: that goes on as such', async () => {
    const { store } = setupRoot();
    const { unsubscribe } = store.dispatch(Notes.get.subscribe({ id: 1 }));
    await server.holding('GET /notes/1');
    const given = await slices();

    store.dispatch({ type: 'rehydrate', state: { resources: given } });

    const { isLoading, isUninitialized } = Notes.get.selectRequest({ id: 1 })(store.getState());
    unsubscribe();
    expect([isLoading, isUninitialized]).toEqual([true, false]);
  });

  it('is that of another store: what it lacks is fetched once', async () => {
    const other = setup();
    const { store } = setupRoot();
    for (const id of [1, 2]) server.answer(`GET /notes/${String(id)}`, { json: note(id) });
    await other.store.dispatch(Notes.get({ id: 2 }));
    await store.dispatch(Notes.get({ id: 1 }));
    const { unsubscribe } = store.dispatch(Notes.get.subscribe({ id: 1 }));
    server.forget();

    store.dispatch({ type: 'rehydrate', state: { resources: other.slice() } });
    store.dispatch({ type: 'any' });
    await server.release('GET /notes/1', { json: note(1, 'anew') });
    await store.dispatch(Notes.get.ifStale({ id: 1 }));
    unsubscribe();

    expect(server.received).toHaveLength(1);
    expect(Notes.get.select({ id: 1 })(store.getState())?.text).toBe('anew');
  });

  it('is asked for nothing that it has', async () => {
    const given = await slices(1);
    const { store } = setupRoot();
    server.answer('GET /notes/1', { json: note(1) });
    await store.dispatch(Notes.get({ id: 1 }));
    const { unsubscribe } = store.dispatch(Notes.get.subscribe({ id: 1 }));
    server.forget();

    store.dispatch({ type: 'rehydrate', state: { resources: given } });
    unsubscribe();

    expect([server.received, Notes.get.select({ id: 1 })(store.getState())?.text]).toEqual([[], 'saved']);
  });
});

describe('what a slice from elsewhere has brought, and nobody reads', () => {
  it.each(['preloaded', 'put in place', 'hydrated'])('goes in time: %s', async (how) => {
    const given = await slices(1, 2);
    vi.useFakeTimers();
    const { store, resources, names } = setupRoot(how === 'preloaded' ? given : undefined);
    if (how === 'put in place') store.dispatch({ type: 'rehydrate', state: { resources: given } });
    if (how === 'hydrated') store.dispatch(resources.hydrate(given));
    const before = names().length;

    const { unsubscribe } = store.dispatch(Notes.get.subscribe({ id: 1 }));
    await vi.advanceTimersByTimeAsync(59_000);
    const during = names().length;
    await vi.advanceTimersByTimeAsync(6_000);
    const after = names().length;
    unsubscribe();

    expect([before, during, after]).toEqual([2, 2, 1]);
  });

  it('stays where this store was asking for it as the slice came', async () => {
    const given = await slices(1, 2);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { store, resources, names } = setupRoot();
    const { unsubscribe } = store.dispatch(Notes.get.subscribe({ id: 1 }));
    const asking = store.dispatch(Notes.get({ id: 2 }));
    store.dispatch(resources.hydrate(given));

    await server.release('GET /notes/2', { json: note(2) });
    await asking;
    await vi.advanceTimersByTimeAsync(65_000);
    unsubscribe();

    expect(names()).toHaveLength(2);
  });

  it('stays where nobody ever subscribes, as on a server', async () => {
    const given = await slices(1, 2);
    vi.useFakeTimers();
    const { names } = setupRoot(given);

    await vi.advanceTimersByTimeAsync(600_000);

    expect(names()).toHaveLength(2);
  });
});

/** A store whose root reducer gives the slice as a draft; with 'load', another slice is put in. */
function setupDrafted(load?: () => ResourcesState) {
  const resources = configureResources();
  const root = createReducer<RootState>({ resources: resources.reducer(undefined, { type: 'begin' }) }, (builder) => {
    builder.addDefaultCase((state, action: UnknownAction) => {
      if (load && action.type === 'load') state.resources = load() as never;
      state.resources = resources.reducer(state.resources, action) as never;
    });
  });

  return configureStore({ reducer: root, middleware: (getDefault) => getDefault().concat(resources.middleware) });
}

describe('a reducer of an app', () => {
  it('may give the slice as a draft', async () => {
    const store = setupDrafted();
    server.answer('GET /notes/1', { json: note(1, 'read') });

    await store.dispatch(Notes.get({ id: 1 })).unwrap();

    expect(Notes.get.select({ id: 1 })(store.getState())?.text).toBe('read');
  });

  it('may read a draft of the root state by selectors, also while something is pending', async () => {
    const resources = configureResources();
    const first = createSlice({ name: 'first', initialState: '', reducers: {} });
    const inner = combineReducers({ resources: resources.reducer, first: first.reducer });
    const text = Notes.get.select({ id: 1 });
    const root = (given: ReturnType<typeof inner> | undefined, action: UnknownAction) =>
      createNextState(inner(given, action), (draft) => {
        if (action.type === 'read') draft.first = text(draft)?.text ?? 'nothing';
      });
    const store = configureStore({
      reducer: root,
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });
    server.answer('GET /notes/1', { json: note(1, 'read') });
    await store.dispatch(Notes.get({ id: 1 })).unwrap();
    const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'pending' }));

    store.dispatch({ type: 'read' });

    expect(store.getState().first).toBe('pending');
    expect(text(store.getState())).toBe(text(store.getState()));
    edit.abort();
    await edit;
  });

  it('keeps what is pending where it gives the slice as a draft', async () => {
    const store = setupDrafted();
    server.answer('GET /notes/1', { json: note(1, 'read') });
    await store.dispatch(Notes.get({ id: 1 })).unwrap();
    const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'pending' }));

    store.dispatch({ type: 'any' });

    expect(Notes.get.select({ id: 1 })(store.getState())?.text).toBe('pending');
    edit.abort();
    await edit;
  });

  it('takes a slice of another store that it gives as a draft without what is pending there', async () => {
    const other = setup();
    server.answer('GET /notes/1', { json: note(1, 'read') });
    await other.store.dispatch(Notes.get({ id: 1 })).unwrap();
    const edit = other.store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'pending' }));
    const store = setupDrafted(other.slice);

    store.dispatch({ type: 'load' });

    expect(Notes.get.select({ id: 1 })(store.getState())?.text).toBe('read');
    expect(store.getState().resources.intents).toEqual([]);
    edit.abort();
    await edit;
  });

  it('that takes no action, as that of a fixture, gets one of ours at most', () => {
    const { slice } = setup();
    const resources = configureResources();
    const fixture = JSON.parse(JSON.stringify({ resources: slice() })) as RootState;
    const types: string[] = [];
    const store = configureStore({
      reducer: (state: RootState | undefined, { type }: UnknownAction) => {
        types.push(type);
        return state ?? fixture;
      },
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });

    store.dispatch({ type: 'first' });
    store.dispatch({ type: 'second' });

    expect(types.filter((type) => type.startsWith('resources/')).length).toBeLessThanOrEqual(1);
  });

  it('keeps what is pending where DevTools compute the state anew, which begins with a type of theirs', async () => {
    const resources = configureResources();
    const inner = combineReducers({ resources: resources.reducer });
    const store = configureStore({
      reducer: (state: RootState | undefined, action: UnknownAction): RootState =>
        inner(state, action.type === 'commit' ? { type: '@@INIT' } : action),
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });
    store.dispatch(resources.set(Note, note(1)));
    const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'edited' }));
    await server.holding('PATCH /notes/1');

    store.dispatch({ type: 'commit' });

    expect(resources.selectEntity(Note, 1)(store.getState())?.text).toBe('edited');
    edit.abort();
    await edit;
  });
});
