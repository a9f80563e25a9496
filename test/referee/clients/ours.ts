import { configureStore } from '@reduxjs/toolkit';
import { configureResources, type ResourcesState } from 'rtk-resource';
import type { Asked, Asking, Client, Fetch, OpenClient, Shown } from '../Client.js';
import type { World } from '../worlds.js';
import { classOf, readingsOf, rowsOf, voteOf, type Reading } from './endpoints.js';
import { rowOf } from './notes.js';

interface Options {
  /** Whether components show the lists: then what is in doubt is fetched again. */
  readonly isAttentive?: boolean;
  readonly isVersioned?: boolean;
}

interface RootState {
  readonly resources: ResourcesState;
}

interface Running extends PromiseLike<unknown> {
  readonly requestId: string;
  abort(): void;
}

/** This package, as its guide shows it. */
export function openOurs(options: Options = {}): OpenClient {
  return (fetch, world) => new Ours(fetch, world, options);
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
  readonly #loud;
  readonly #quiet;
  readonly #vote;
  readonly #isAttentive: boolean;
  readonly #Row;
  readonly #world: World;
  readonly #readings: ReadonlyMap<string, Reading>;
  readonly #subscriptions = new Map<string, { unsubscribe(): void }>();

  constructor(fetch: Fetch, world: World, { isAttentive = false, isVersioned = false }: Options) {
    this.#isAttentive = isAttentive;
    this.#world = world;
    this.#Row = classOf(world, isVersioned);
    const isPaged = world.lists.some(({ pages }) => pages);
    const { loud, quiet } = rowsOf(fetch, this.#Row, isPaged);
    this.#loud = loud;
    this.#quiet = quiet;
    this.#vote = voteOf(fetch, this.#Row, isVersioned);
    this.#readings = readingsOf(fetch, loud, world, this.#Row);
  }

  ask(asked: Asked): Asking {
    const promise = this.#dispatch(asked);
    if (this.#isAttentive && asked.is === 'list' && !this.#subscriptions.has(asked.list)) {
      const { endpoint, params } = this.#reading(asked.list);
      this.#subscriptions.set(asked.list, this.#store.dispatch(endpoint.subscribe(params)));
    }
    return {
      label: promise.requestId,
      ended: promise,
      cancel: () => {
        promise.abort();
      },
    };
  }

  show(ids: readonly number[]): Shown {
    const state: RootState = this.#store.getState();
    const lists = [...this.#readings].map(([name, { endpoint, params, rows }]) => [
      name,
      rows(endpoint.select(params)(state))?.map(rowOf),
    ]);
    const shown = ids.map((id) => {
      const note = this.#loud.get.select({ id })(state);
      return [id, note && rowOf(note)];
    });
    const paged = this.#world.lists.filter(({ pages }) => pages);
    const beside = paged.map(({ name }) => {
      const { endpoint, params } = this.#reading(name);
      return [name, endpoint.selectRequest(params)(state)];
    });
    return {
      lists: Object.fromEntries(lists) as Shown['lists'],
      rows: Object.fromEntries(shown) as Shown['rows'],
      ...(paged.length > 0 && { beside: Object.fromEntries(beside) as NonNullable<Shown['beside']> }),
    };
  }

  marks(ids: readonly number[]): readonly string[] {
    const state: RootState = this.#store.getState();
    const pending = ids.flatMap((id) => {
      const requests = this.#world.types ? [] : this.#resources.selectPending(this.#Row, id)(state);
      const { isOptimistic } = this.#loud.get.selectRequest({ id })(state);
      return [...(requests.length > 0 ? [`${id} is pending`] : []), ...(isOptimistic ? [`${id} is optimistic`] : [])];
    });
    const optimistic = [...this.#readings].filter(
      ([, { endpoint, params }]) => endpoint.selectRequest(params)(state).isOptimistic,
    );
    return [...pending, ...optimistic.map(([name]) => `${name} is optimistic`)];
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

  #reading(list: string): Reading {
    const reading = this.#readings.get(list);
    if (!reading) throw new Error(`There is no list ${list}.`);
    return reading;
  }

  #dispatch(asked: Asked): Running {
    const { dispatch } = this.#store;
    switch (asked.is) {
      case 'list':
      case 'next':
      case 'previous':
      case 'page':
      case 'refetch':
        return this.#read(asked);
      case 'get':
        return dispatch(this.#loud.get({ id: asked.id }));
      case 'vote':
        return dispatch(this.#vote({ id: asked.id, by: asked.by }));
      default:
        return this.#write(asked);
    }
  }

  #read(asked: Extract<Asked, { readonly list: string }>): Running {
    const { dispatch } = this.#store;
    const { endpoint, params } = this.#reading(asked.list);
    const page = 'page' in asked ? { page: asked.page } : {};
    switch (asked.is) {
      case 'next':
        return dispatch(endpoint.getNextPage(params));
      case 'previous':
        return dispatch(endpoint.getPreviousPage(params));
      case 'page':
        return dispatch(endpoint.getPage({ ...params, ...page }));
      case 'refetch':
        dispatch(this.#resources.expire(endpoint as never, params as never));
        return dispatch(endpoint.ifStale(params));
      default:
        return dispatch(endpoint({ ...params, ...page }));
    }
  }

  #write(asked: Extract<Asked, { readonly isQuiet: boolean }>): Running {
    const { getList, partialUpdate, delete: remove } = asked.isQuiet ? this.#quiet : this.#loud;
    const { dispatch } = this.#store;
    switch (asked.is) {
      case 'patch':
        return dispatch(partialUpdate({ id: asked.id }, asked.body));
      case 'delete':
        return dispatch(remove({ id: asked.id }));
      default:
        return dispatch(getList[asked.is](asked.body));
    }
  }
}
