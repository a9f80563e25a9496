import { configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, RestEndpoint, type ResourcesState } from 'rtk-resource';
import type { Asked, Asking, Body, Client, Fetch, OpenClient, ShownRow } from '../Client.js';
import { lists, type ListName } from '../history.js';

class Note extends Entity {
  id: number | string = 0;
  origin = '';
  text = '';
  color = '';
  folder = '';
  votes = '';
  static override key = 'Note';
}

/** Its server counts up a version with every write to a row, and sends it along. */
class VersionedNote extends Note {
  version = 0;
  static override shouldReorder(_was: unknown, _is: unknown, existing: Versioned, incoming: Versioned): boolean {
    // What is expected has no version yet.
    return (existing.version ?? 0) > (incoming.version ?? Infinity);
  }
}

interface Versioned {
  readonly version?: number;
}

interface Options {
  /** Whether components show the lists: then what is in doubt is fetched again. */
  readonly isAttentive?: boolean;
  readonly isVersioned?: boolean;
}

interface RootState {
  readonly resources: ResourcesState;
}

/** This package, as its guide shows it. */
export function openOurs(options: Options = {}): OpenClient {
  return (fetch) => new Ours(fetch, options);
}

class Ours implements Client {
  readonly takesTemporaryIds = true;
  readonly #resources = configureResources();
  readonly #store = configureStore({
    reducer: { resources: this.#resources.reducer },
    // Other tests have them; here they cost more than all the rest.
    middleware: (getDefault) =>
      getDefault({ serializableCheck: false, immutableCheck: false, actionCreatorCheck: false }).concat(
        this.#resources.middleware,
      ),
    devTools: false,
  });
  readonly #common;
  readonly #loud;
  readonly #quiet;
  readonly #vote;
  readonly #isAttentive: boolean;
  readonly #Note: typeof Note;
  readonly #subscriptions = new Map<ListName, { unsubscribe(): void }>();

  constructor(fetch: Fetch, { isAttentive = false, isVersioned = false }: Options) {
    this.#isAttentive = isAttentive;
    const Row: typeof Note = isVersioned ? VersionedNote : Note;
    this.#Note = Row;
    this.#common = {
      urlPrefix: 'http://notes.test',
      schema: Row,
      getHeaders: (headers: HeadersInit, api: { readonly requestId: string } | undefined) => ({
        ...(headers as Readonly<Record<string, string>>),
        'x-op': api?.requestId ?? '',
      }),
      fetchResponse: (input: RequestInfo | URL, init: RequestInit) => fetch(input as string, init),
    };
    const definition = {
      ...this.#common,
      path: '/notes/:id' as const,
      searchParams: {} as { readonly folder?: string } | undefined,
      body: {} as Body,
    };
    this.#loud = createResource({ ...definition, optimistic: true });
    this.#quiet = createResource({ ...definition, optimistic: false });
    this.#vote = new RestEndpoint({
      ...this.#common,
      path: '/notes/:id/votes',
      method: 'POST',
      name: 'Note/vote',
      searchParams: {} as { readonly by: string },
      body: undefined,
      getOptimisticResponse: (snapshot, params) => {
        const note = snapshot.get(Row, { id: params.id });
        return note && { id: note.id, votes: `${note.votes}+${params.by}` };
      },
    });
  }

  ask(asked: Asked): Asking {
    const promise = this.#dispatch(asked);
    if (this.#isAttentive && asked.is === 'list' && !this.#subscriptions.has(asked.list)) {
      const subscription = this.#store.dispatch(this.#loud.getList.subscribe(paramsOf(asked.list)));
      this.#subscriptions.set(asked.list, subscription);
    }
    return {
      label: promise.requestId,
      ended: promise,
      cancel: () => {
        promise.abort();
      },
    };
  }

  show(ids: readonly number[]) {
    const state: RootState = this.#store.getState();
    const shown = lists.map((list) => [list, this.#list(list)(state)?.map(rowOf)]);
    const rows = ids.map((id) => {
      const note = this.#loud.get.select({ id })(state);
      return [id, note && rowOf(note)];
    });
    return { lists: Object.fromEntries(shown) as never, rows: Object.fromEntries(rows) as never };
  }

  marks(ids: readonly number[]): readonly string[] {
    const state: RootState = this.#store.getState();
    const pending = ids.flatMap((id) => {
      const requests = this.#resources.selectPending(this.#Note, id)(state);
      const { isOptimistic } = this.#loud.get.selectRequest({ id })(state);
      return [...(requests.length > 0 ? [`${id} is pending`] : []), ...(isOptimistic ? [`${id} is optimistic`] : [])];
    });
    const optimistic = lists.filter((list) => this.#loud.getList.selectRequest(paramsOf(list))(state).isOptimistic);
    return [...pending, ...optimistic.map((list) => `${list} is optimistic`)];
  }

  thrown(): readonly string[] {
    return [];
  }

  subscribe(look: () => void): void {
    this.#store.subscribe(look);
  }

  close(): void {
    for (const one of this.#subscriptions.values()) one.unsubscribe();
    this.#store.dispatch(this.#resources.reset());
  }

  #list(list: ListName) {
    return this.#loud.getList.select(paramsOf(list));
  }

  #dispatch(asked: Asked): PromiseLike<unknown> & { readonly requestId: string; abort(): void } {
    const {
      get,
      getList,
      partialUpdate,
      delete: remove,
    } = 'isQuiet' in asked && asked.isQuiet ? this.#quiet : this.#loud;
    const { dispatch } = this.#store;
    switch (asked.is) {
      case 'list':
        return dispatch(getList(paramsOf(asked.list)));
      case 'get':
        return dispatch(get({ id: asked.id }));
      case 'patch':
        return dispatch(partialUpdate({ id: asked.id }, asked.body));
      case 'vote':
        return dispatch(this.#vote({ id: asked.id, by: asked.by }));
      case 'delete':
        return dispatch(remove({ id: asked.id }));
      default:
        return dispatch(getList[asked.is](asked.body));
    }
  }
}

function paramsOf(list: ListName): { readonly folder?: string } {
  return list === 'all' ? {} : { folder: list };
}

function rowOf({ id, origin, text, color, folder, votes }: Note): ShownRow {
  return { id, origin, text, color, folder, votes };
}
