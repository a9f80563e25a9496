import { configureStore } from '@reduxjs/toolkit';
import { createApi } from '@reduxjs/toolkit/query';
import type { PlainAsked, Body, Client, Fetch, Shown } from '../Client.js';
import { plainLists as lists } from '../worlds.js';
import { batched, belongsTo, call, draftOf, listUrl, type Call, type Note, type Told } from './rest.js';

/**
 * How the cache is brought up to date, each as the documentation of RTK Query advises.
 * https://redux-toolkit.js.org/rtk-query/usage/manual-cache-updates
 * `undo`: `updateQueryData` shows what is expected, the answer is written over it, and `patchResult.undo()` takes back what failed.
 * `tags`: `updateQueryData` shows what is expected, and whether the write fails or not, tags have everything fetched again.
 */
type Way = 'undo' | 'tags';

interface Write {
  readonly op: number;
  readonly isQuiet: boolean;
}
type Edit = Write & { readonly id: Note['id']; readonly body: Body };
type Vote = Write & { readonly id: Note['id']; readonly by: string };
type Create = Write & { readonly body: Body; readonly isFirst: boolean };

interface Undoable {
  undo(): void;
}

const LIST = { type: 'Note', id: 'LIST' } as const;
const tagOf = (id: Note['id']) => ({ type: 'Note', id }) as const;

export function openRtkQuery(way: Way): (fetch: Fetch) => Client {
  return (fetch) => connect(fetch, way);
}

function connect(fetch: Fetch, way: Way): Client {
  const isByHand = way === 'undo';
  const api = createApi({
    baseQuery: async (asked: Call, { signal }) => {
      try {
        return { data: await call(fetch, asked, signal) };
      } catch (error) {
        return { error: String(error) };
      }
    },
    tagTypes: ['Note'],
    endpoints: (build) => ({
      getNotes: build.query<Note[], string>({
        query: (list) => ({ url: listUrl(list) }),
        providesTags: (notes = []) => [LIST, ...notes.map(({ id }) => tagOf(id))],
      }),
      getNote: build.query<Note, Note['id']>({
        query: (id) => ({ url: `/notes/${id}` }),
        providesTags: (_note, _error, id) => [tagOf(id)],
      }),
      editNote: build.mutation<Told | null, Edit>({
        query: ({ id, body, op }) => ({ url: `/notes/${id}`, method: 'PATCH', body, op }),
        invalidatesTags: (_note, _error, { id }) => (isByHand ? [] : [tagOf(id), LIST]),
        async onQueryStarted({ id, body, isQuiet }, { queryFulfilled }) {
          const shown = isQuiet ? [] : edit(id, () => body);
          await follow(queryFulfilled, shown, (note) => edit(id, () => note ?? body));
        },
      }),
      vote: build.mutation<Told, Vote>({
        query: ({ id, by, op }) => ({ url: `/notes/${id}/votes?by=${by}`, method: 'POST', op }),
        invalidatesTags: (_note, _error, { id }) => (isByHand ? [] : [tagOf(id)]),
        async onQueryStarted({ id, by }, { queryFulfilled }) {
          const shown = edit(id, ({ votes }) => ({ votes: `${votes}+${by}` }));
          await follow(queryFulfilled, shown, (note) => edit(id, () => note));
        },
      }),
      removeNote: build.mutation<unknown, Write & { readonly id: Note['id'] }>({
        query: ({ id, op }) => ({ url: `/notes/${id}`, method: 'DELETE', op }),
        invalidatesTags: (_nothing, _error, { id }) => (isByHand ? [] : [tagOf(id), LIST]),
        async onQueryStarted({ id, isQuiet }, { queryFulfilled }) {
          const shown = isQuiet ? [] : remove(id);
          await follow(queryFulfilled, shown, () => remove(id));
        },
      }),
      createNote: build.mutation<Note, Create>({
        query: ({ body, op }) => ({ url: '/notes', method: 'POST', body, op }),
        invalidatesTags: isByHand ? [] : [LIST],
        async onQueryStarted({ body, op, isQuiet, isFirst }, { queryFulfilled }) {
          const draft = draftOf(body, op);
          const shown = isQuiet ? [] : add(draft, isFirst);
          await follow(queryFulfilled, shown, (note) => (isQuiet ? add(note, isFirst) : edit(draft.id, () => note)));
        },
      }),
    }),
  });
  const store = configureStore({
    reducer: { api: api.reducer },
    middleware: (getDefault) => getDefault({ serializableCheck: false, immutableCheck: false }).concat(api.middleware),
    enhancers: (getDefault) => getDefault({ autoBatch: { type: 'tick' } }),
    devTools: false,
  });
  const { getNotes, getNote, editNote, vote, removeNote, createNote } = api.endpoints;
  const asked = new Map<string, { unsubscribe(): void }>();
  /** The notes whose pages are open. */
  const open = new Set<Note['id']>();
  const thrown: string[] = [];

  /** Writes the answer over what was expected, or takes that back. */
  async function follow<Value>(
    queryFulfilled: Promise<{ readonly data: Value }>,
    shown: readonly Undoable[],
    write: (value: Value) => unknown,
  ): Promise<void> {
    try {
      const { data } = await queryFulfilled;
      if (isByHand) write(data);
    } catch {
      if (isByHand) for (const one of shown) undo(one);
    }
  }

  /** Patches are taken back one by one; one that does not fit what is there now throws, and is told of. */
  function undo(one: Undoable): void {
    try {
      one.undo();
    } catch (error) {
      thrown.push(String(error));
    }
  }

  function inList(list: string, change: (draft: Note[]) => void): Undoable {
    const recipe = (draft: Note[] | undefined): void => {
      // A list whose first answer is under way has nothing to change.
      if (draft) change(draft);
    };
    return store.dispatch(api.util.updateQueryData('getNotes', list, recipe));
  }

  const cached = (): readonly string[] => api.util.selectCachedArgsForQuery(store.getState(), 'getNotes');

  /** Changes a note wherever it is cached, and moves it to the lists that it then belongs to. */
  function edit(id: Note['id'], change: (note: Note) => Partial<Note>): readonly Undoable[] {
    const known = cached()
      .flatMap((list) => getNotes.select(list)(store.getState()).data ?? [])
      .find((note) => note.id === id);
    const next = known && { ...known, ...change(known) };
    const inLists = cached().map((list) =>
      inList(list, (draft) => {
        const at = draft.findIndex((note) => note.id === id);
        const there = draft[at];
        if (there) Object.assign(there, change(there));
        if (there && !belongsTo(list, there)) draft.splice(at, 1);
        const isMoved = next && known.folder !== next.folder && list === next.folder;
        if (!there && isMoved) draft.push(next);
      }),
    );
    const inDetail = store.dispatch(
      api.util.updateQueryData('getNote', id, (draft: Note | undefined) => {
        if (draft) Object.assign(draft, change(draft));
      }),
    );
    return [...inLists, inDetail];
  }

  function remove(id: Note['id']): readonly Undoable[] {
    return cached().map((list) =>
      inList(list, (draft) => {
        const at = draft.findIndex((note) => note.id === id);
        if (at >= 0) draft.splice(at, 1);
      }),
    );
  }

  function add(note: Note, isFirst: boolean): readonly Undoable[] {
    return cached()
      .filter((list) => belongsTo(list, note))
      .map((list) =>
        inList(list, (draft) => {
          if (isFirst) draft.unshift(note);
          else draft.push(note);
        }),
      );
  }

  /** Asks, and stays subscribed, as a mounted component does. */
  function read(key: string, request: PromiseLike<unknown> & { unsubscribe(): void }): PromiseLike<unknown> {
    asked.get(key)?.unsubscribe();
    asked.set(key, request);
    return request;
  }

  function ask(one: PlainAsked, op: number): PromiseLike<unknown> {
    const again = { forceRefetch: true } as const;
    switch (one.is) {
      case 'list':
        return read(one.list, store.dispatch(getNotes.initiate(one.list, again)));
      case 'get':
        open.add(one.id);
        return read(String(one.id), store.dispatch(getNote.initiate(one.id, again)));
      case 'patch':
        return store.dispatch(editNote.initiate({ ...one, op }));
      case 'vote':
        return store.dispatch(vote.initiate({ ...one, op, isQuiet: false }));
      case 'delete':
        // Whoever deletes a note leaves its page.
        open.delete(one.id);
        asked.get(String(one.id))?.unsubscribe();
        return store.dispatch(removeNote.initiate({ ...one, op }));
      default:
        return store.dispatch(createNote.initiate({ ...one, op, isFirst: one.is === 'unshift' }));
    }
  }

  return {
    takesTemporaryIds: false,
    ask: (one: PlainAsked, op) => ({ label: String(op), ended: ask(one, op) }),
    show: (ids): Shown => ({
      lists: Object.fromEntries(lists.map((list) => [list, getNotes.select(list)(store.getState()).data])),
      rows: Object.fromEntries(
        ids.map((id) => [id, open.has(id) ? getNote.select(id)(store.getState()).data : undefined]),
      ),
    }),
    marks: () => [],
    thrown: () => thrown,
    subscribe: (look) => {
      store.subscribe(batched(look));
    },
    close: () => {
      for (const one of asked.values()) one.unsubscribe();
      store.dispatch(api.util.resetApiState());
    },
  };
}
