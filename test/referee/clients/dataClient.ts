import { configureStore, type Middleware } from '@reduxjs/toolkit';
import { applyManager, Controller, createReducer, initialState, NetworkManager, type State } from '@data-client/core';
import { AbortOptimistic, createResource, Entity } from '@data-client/rest';
import type { PlainAsked, Client, Fetch, Shown, ShownRow } from '../Client.js';
import { plainLists as lists } from '../worlds.js';
import { draftOf, type Told } from './rest.js';

class Note extends Entity {
  id: number | string = 0;
  origin = '';
  text = '';
  color = '';
  folder = '';
  votes = '';
  static override key = 'Note';

  override pk(): string {
    return String(this.id);
  }
}

/** What is used of its endpoints; their own types are of one endpoint each. */
interface Endpoint {
  extend(options: object): Endpoint;
}

interface Snapshot {
  getResponse(endpoint: Endpoint, params: object): { readonly data?: ShownRow | symbol };
}

/** Its ExpiryStatus.Invalid. */
const INVALID = 1;

/** What is used of its controller. */
interface Cache {
  fetch(endpoint: Endpoint, ...args: readonly unknown[]): Promise<unknown>;
  getResponse(...args: readonly unknown[]): { readonly data: unknown; readonly expiryStatus: number };
}

/**
 * data-client on a Redux store, with `optimistic: true`, as its documentation teaches.
 * https://dataclient.io/rest/guides/optimistic-updates
 */
export function openDataClient(fetch: Fetch): Client {
  const definition = {
    urlPrefix: 'http://notes.test',
    path: '/notes/:id',
    schema: Note,
    searchParams: {} as { readonly folder?: string } | undefined,
    fetchResponse: async (input: RequestInfo, init: RequestInit): Promise<Response> => {
      const response = await fetch(input as string, init);
      if (!response.ok) throw new Error(`Status ${response.status}`);
      return response;
    },
  } as const;
  const loud = createResource({ ...definition, optimistic: true });
  const quiet = createResource({ ...definition, optimistic: false });
  const get = loud.get as unknown as Endpoint;

  const controller = new Controller();
  const cache = controller as unknown as Cache;
  const reducer = createReducer(controller);
  const manager = new NetworkManager();
  // It fetches when it is told to, not when the browser is idle.
  Object.assign(manager, {
    idleCallback: (callback: () => void) => {
      callback();
    },
  });
  const promising: Middleware = () => (next) => (action) => {
    next(action);
    return Promise.resolve();
  };
  const store = configureStore({
    reducer: (state: State<unknown> = initialState, action) => reducer(state, action as never),
    middleware: () => [...(applyManager([manager], controller) as unknown as Middleware[]), promising] as never,
    devTools: false,
  });

  const paramsOf = (list: string): object => (list === 'all' ? {} : { folder: list });

  function ask(asked: PlainAsked, op: number): Promise<unknown> {
    const isQuiet = 'isQuiet' in asked && asked.isQuiet;
    const { getList, partialUpdate, delete: remove } = isQuiet ? quiet : loud;
    /** The same endpoint, which tells the server which write it is. */
    const named = (endpoint: unknown, options: object = {}): Endpoint =>
      (endpoint as Endpoint).extend({
        getHeaders: (headers: object) => ({ ...headers, 'x-op': String(op) }),
        ...options,
      });
    switch (asked.is) {
      case 'list':
        return cache.fetch(getList as Endpoint, paramsOf(asked.list));
      case 'get':
        return cache.fetch(get, { id: asked.id });
      case 'patch': {
        const { id, body } = asked;
        // An empty answer confirms what was sent.
        const process = (told: Told | null): object => told ?? { id, ...body };
        return cache.fetch(named(partialUpdate, { process }), { id }, body);
      }
      case 'vote': {
        const getOptimisticResponse = (snapshot: Snapshot, { id }: { readonly id: Note['id'] }): object => {
          const { data } = snapshot.getResponse(get, { id });
          if (typeof data !== 'object') throw new AbortOptimistic();
          return { ...data, votes: `${data.votes}+${asked.by}` };
        };
        const options = { path: '/notes/:id/votes', method: 'POST', body: undefined, getOptimisticResponse };
        return cache.fetch(named(get, options), { id: asked.id, by: asked.by });
      }
      case 'delete':
        return cache.fetch(named(remove), { id: asked.id });
      default: {
        const expected = isQuiet ? {} : { getOptimisticResponse: () => draftOf(asked.body, op) };
        return cache.fetch(named(getList[asked.is], expected), asked.body);
      }
    }
  }

  /** What it shows: what is confirmed, with what is expected in order. */
  function shown(ids: readonly number[]): Shown {
    const confirmed = store.getState();
    const state = confirmed.optimistic.reduce((before, action) => reducer(before, action as never), confirmed);
    const read = (endpoint: unknown, params: object): never => {
      const { data, expiryStatus } = cache.getResponse(endpoint, params, state);
      return (expiryStatus === INVALID || typeof data !== 'object' ? undefined : data) as never;
    };
    return {
      lists: Object.fromEntries(lists.map((list) => [list, read(loud.getList, paramsOf(list))])),
      rows: Object.fromEntries(ids.map((id) => [id, read(get, { id })])),
    };
  }

  return {
    takesTemporaryIds: false,
    ask: (asked: PlainAsked, op) => ({ label: String(op), ended: ask(asked, op) }),
    show: shown,
    marks: () => [],
    thrown: () => [],
    subscribe: (look) => {
      store.subscribe(look);
    },
    close: () => {
      manager.cleanup();
    },
  };
}
