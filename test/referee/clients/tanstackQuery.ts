import { MutationObserver, notifyManager, QueryClient, QueryObserver } from '@tanstack/query-core';
import type { PlainAsked, Body, Client, Fetch, Shown } from '../Client.js';
import { plainLists as lists } from '../worlds.js';
import { batched, belongsTo, call, draftOf, listUrl, type Call, type Note } from './rest.js';

notifyManager.setScheduler(queueMicrotask);

/** What was cached before a write: rolled back to where it fails. */
type Snapshot = readonly (readonly [readonly unknown[], unknown])[];

/**
 * TanStack Query, as its documentation teaches optimistic updates: `onMutate` cancels what is under way, remembers what is cached and writes
 * what is expected; `onError` rolls back; `onSettled` invalidates.
 * https://tanstack.com/query/latest/docs/framework/react/guides/optimistic-updates
 */
export function openTanstackQuery(fetch: Fetch): Client {
  const client = new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: 'always', staleTime: 0, gcTime: Infinity },
      mutations: { retry: false, networkMode: 'always', gcTime: Infinity },
    },
  });
  client.mount();
  const observers = new Map<string, QueryObserver>();

  /** A component that shows a query, and has it fetched; again, as when the window gets the focus. */
  function read(queryKey: readonly unknown[], url: string): PromiseLike<unknown> {
    const name = JSON.stringify(queryKey);
    const observer = observers.get(name);
    if (observer) return observer.refetch({ cancelRefetch: false });
    const made = new QueryObserver(client, { queryKey, queryFn: ({ signal }) => call(fetch, { url }, signal) });
    observers.set(name, made);
    made.subscribe(() => undefined);
    return Promise.resolve();
  }

  function close(queryKey: readonly unknown[]): void {
    const name = JSON.stringify(queryKey);
    observers.get(name)?.destroy();
    observers.delete(name);
  }

  /** What is shown of a query: nothing, if no component shows it. */
  function shownOf(queryKey: readonly unknown[]): (readonly Note[] & Note) | undefined {
    return observers.has(JSON.stringify(queryKey)) ? client.getQueryData(queryKey) : undefined;
  }

  function write(asked: Call, expect: (() => void) | undefined): PromiseLike<unknown> {
    const observer = new MutationObserver<unknown, Error, undefined, Snapshot>(client, {
      mutationFn: () => call(fetch, asked),
      onMutate: async () => {
        await client.cancelQueries({ queryKey: ['notes'] });
        const snapshot = client.getQueriesData({ queryKey: ['notes'] });
        expect?.();
        return snapshot;
      },
      onError: (_error, _variables, snapshot) => {
        for (const [key, data] of snapshot ?? []) client.setQueryData(key, data);
      },
      onSettled: () => client.invalidateQueries({ queryKey: ['notes'] }),
    });
    return observer.mutate(undefined);
  }

  const inList = (list: string, change: (notes: readonly Note[]) => readonly Note[]): unknown =>
    client.setQueryData<readonly Note[]>(['notes', 'list', list], (notes) => notes && change(notes));
  const cached = (list: string): readonly Note[] => client.getQueryData(['notes', 'list', list]) ?? [];

  /** Changes a note wherever it is cached, and moves it to the lists that it then belongs to. */
  function edit(id: Note['id'], change: (note: Note) => Partial<Note>): void {
    const known = lists.flatMap(cached).find((note) => note.id === id);
    const next = known && { ...known, ...change(known) };
    for (const list of lists) {
      inList(list, (notes) => {
        const edited = notes.map((note) => (note.id === id ? { ...note, ...change(note) } : note));
        const isMoved = next && known.folder !== next.folder && list === next.folder;
        const isNew = isMoved && !notes.some((note) => note.id === id);
        return [...edited, ...(isNew ? [next] : [])].filter((note) => belongsTo(list, note));
      });
    }
    client.setQueryData<Note>(['notes', 'detail', id], (note) => note && { ...note, ...change(note) });
  }

  function remove(id: Note['id']): void {
    for (const list of lists) inList(list, (notes) => notes.filter((note) => note.id !== id));
  }

  function add(body: Body, op: number, isFirst: boolean): void {
    const draft = draftOf(body, op);
    for (const list of lists) {
      if (belongsTo(list, draft)) inList(list, (notes) => (isFirst ? [draft, ...notes] : [...notes, draft]));
    }
  }

  function ask(one: PlainAsked, op: number): PromiseLike<unknown> {
    const showing = (expect: () => void): (() => void) | undefined =>
      'isQuiet' in one && one.isQuiet ? undefined : expect;
    switch (one.is) {
      case 'list':
        return read(['notes', 'list', one.list], listUrl(one.list));
      case 'get':
        return read(['notes', 'detail', one.id], `/notes/${one.id}`);
      case 'patch':
        return write(
          { url: `/notes/${one.id}`, method: 'PATCH', body: one.body, op },
          showing(() => {
            edit(one.id, () => one.body);
          }),
        );
      case 'vote':
        return write(
          { url: `/notes/${one.id}/votes?by=${one.by}`, method: 'POST', op },
          showing(() => {
            edit(one.id, ({ votes }) => ({ votes: `${votes}+${one.by}` }));
          }),
        );
      case 'delete':
        // Whoever deletes a note leaves its page.
        close(['notes', 'detail', one.id]);
        return write(
          { url: `/notes/${one.id}`, method: 'DELETE', op },
          showing(() => {
            remove(one.id);
          }),
        );
      default:
        return write(
          { url: '/notes', method: 'POST', body: one.body, op },
          showing(() => {
            add(one.body, op, one.is === 'unshift');
          }),
        );
    }
  }

  return {
    takesTemporaryIds: false,
    ask: (one: PlainAsked, op) => ({ label: String(op), ended: ask(one, op) }),
    show: (ids): Shown => ({
      lists: Object.fromEntries(lists.map((list) => [list, shownOf(['notes', 'list', list])])),
      rows: Object.fromEntries(ids.map((id) => [id, shownOf(['notes', 'detail', id])])),
    }),
    marks: () => [],
    thrown: () => [],
    subscribe: (look) => {
      client.getQueryCache().subscribe(batched(look));
    },
    close: () => {
      for (const observer of observers.values()) observer.destroy();
      client.clear();
      client.unmount();
    },
  };
}
