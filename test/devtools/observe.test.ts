import { configureStore, type UnknownAction } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, type ResourcesState } from 'rtk-resource';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeNetwork, pass, type Network } from '../support/network.js';
import { counted, setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const Notes = createResource({ path: '/notes/:id', schema: Note, optimistic: true });
const id = { id: 5 };
const GET = 'GET /notes/5';

interface Observed {
  readonly observe: (
    observer: (action: UnknownAction, before: ResourcesState, after: ResourcesState) => void,
  ) => () => void;
}

let network: Network;
beforeEach(() => {
  vi.useFakeTimers();
  network = fakeNetwork();
  network.answer(GET, { json: { id: 5, text: 'old' } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A store, and the actions that it tells of, with the slices before and after. */
function observed(...given: Parameters<typeof setup>) {
  const tools = setup(...given);
  // What the middleware answers with is no action.
  const runtime = tools.store.dispatch({ type: 'rtk-resource/connect' }) as unknown as Observed;
  const told: (readonly [type: string, before: ResourcesState, after: ResourcesState])[] = [];
  const stop = runtime.observe((action, before, after) => told.push([action.type, before, after]));

  return { ...tools, told, stop, types: () => told.map(([type]) => type) };
}

describe('who observes a store', () => {
  it('hears of all actions that change the slice, with the slices before and after, and of no others', async () => {
    const { store, told, types, slice } = observed();

    await store.dispatch(Notes.get(id));
    store.dispatch(counted());

    expect(types()).toEqual(['Note/get/pending', 'Note/get/fulfilled']);
    expect(told[0]?.[2]).toBe(told[1]?.[1]);
    expect(told[1]?.[2]).toBe(slice());
  });

  it('hears of an action that a subscriber dispatches inside another after that one', async () => {
    const { store, types, resources, told } = observed();
    const stop = store.subscribe(() => {
      stop();
      store.dispatch(resources.set(Note, { id: 7, text: 'inside' }));
    });

    const promise = store.dispatch(Notes.get(id));
    await promise;

    expect(types()).toEqual(['Note/get/pending', 'resources/set', 'Note/get/fulfilled']);
    expect(told[0]?.[2]).toBe(told[1]?.[1]);
    expect(told[1]?.[2]).toBe(told[2]?.[1]);
  });

  it('hears of an action of others that puts another slice in place, as redux-persist does', async () => {
    const before = observed();
    await before.store.dispatch(Notes.get(id));
    const saved: unknown = JSON.parse(JSON.stringify(before.slice()));
    const resources = configureResources();
    const store = configureStore({
      reducer: (state: { resources?: ResourcesState } = {}, action: UnknownAction) => ({
        resources: (action.type === 'persist/REHYDRATE'
          ? action['payload']
          : resources.reducer(state.resources, action)) as ResourcesState,
      }),
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });
    const runtime = store.dispatch({ type: 'rtk-resource/connect' }) as unknown as Observed;
    const told: unknown[] = [];
    runtime.observe(({ type }, _before, after) => told.push([type, Object.keys(after.tables)]));

    store.dispatch({ type: 'persist/REHYDRATE', payload: saved });

    expect(told).toEqual([['persist/REHYDRATE', ['Note']]]);
  });

  it('is told in the action itself which rows of an answer were passed over, and nobody else is', async () => {
    for (const isObserved of [true, false]) {
      const { store, actions, stop } = observed();
      if (!isObserved) stop();
      network.forget();
      void store.dispatch(Notes.get(id));
      void store.dispatch(Notes.getList());
      await pass();
      await network.release('GET /notes', { json: [{ id: 5, text: 'new' }] });
      await network.release(GET, { json: { id: 5, text: 'old' } });

      expect(actions.at(-1)?.['meta']).toMatchObject({ arg: { endpointName: 'Note/get' } });
      expect('passedOver' in (actions.at(-1)?.['meta'] as object)).toBe(isObserved);
    }
  });

  it('costs an action nothing where nobody observes: it carries what it would carry in a store that never was', async () => {
    const play = async ({ store, resources, actions }: ReturnType<typeof setup>) => {
      network.forget();
      network.answer(GET, { json: { id: 5, text: 'old' } });
      await store.dispatch(Notes.get(id));
      store.dispatch(resources.set(Note, { id: 5, text: 'new' }));
      store.dispatch(resources.expire(Notes.get, id));
      const metas = actions.map(({ type, meta }) => [type, Object.keys(meta ?? {})]);
      return { metas, slice: store.getState().resources.tables };
    };

    const never = await play(setup());
    const once = observed();
    once.stop();

    expect(await play(once)).toEqual(never);
    expect(once.told).toEqual([]);
  });

  it('hears nothing any more once it has ended that', async () => {
    const { store, types, stop } = observed();

    stop();
    await store.dispatch(Notes.get(id));

    expect(types()).toEqual([]);
  });
});

describe('meta.cause of a pending action', () => {
  const causes = ({ actions }: ReturnType<typeof setup>) =>
    actions.flatMap(({ type, meta }) =>
      type.endsWith('/pending') ? [(meta as { readonly cause?: string }).cause] : [],
    );

  it('is absent where somebody has dispatched the request, and tells that somebody has subscribed, and that it was time to poll', async () => {
    const tools = observed();

    network.answer('GET /notes/6', { json: { id: 6, text: '' } });
    await tools.store.dispatch(Notes.get({ id: 6 }));
    const { unsubscribe } = tools.store.dispatch(Notes.get.extend({ pollFrequency: 1_000 }).subscribe(id));
    await pass(1_500);
    unsubscribe();

    expect(causes(tools)).toEqual([undefined, 'subscribe', 'poll']);
  }, 10_000);

  it('tells that the app is seen again, that the network is there again, and that the data was made stale', async () => {
    let presence = { visible: (_: boolean): void => undefined, online: (_: boolean): void => undefined };
    const tools = observed({
      setupListeners: (events) => {
        presence = events;
        return () => undefined;
      },
      dataExpiryLength: 1_000,
    });
    const { unsubscribe } = tools.store.dispatch(Notes.get.subscribe(id));
    await pass();

    for (const name of ['visible', 'online'] as const) {
      presence[name](false);
      await pass(2_000);
      presence[name](true);
      await pass();
    }
    tools.store.dispatch(tools.resources.expire(Notes.get, id));
    await pass();
    unsubscribe();

    expect(causes(tools)).toEqual(['subscribe', 'focus', 'online', 'expired']);
  });

  it('tells that data was fetched because it would be as good as missing', async () => {
    const tools = observed({ invalidIfStale: true, dataExpiryLength: 1_000 });
    const { unsubscribe } = tools.store.dispatch(Notes.get.subscribe(id));

    await pass(1_500);
    unsubscribe();

    expect(causes(tools)).toEqual(['subscribe', 'expired']);
  });

  it('tells that a failure was forgiven', async () => {
    network.answer(GET, { status: 500 });
    const tools = observed({ errorExpiryLength: 60_000 });
    await tools.store.dispatch(Notes.get(id));
    const runtime = tools.store.dispatch({ type: 'rtk-resource/connect' }) as unknown as { resetFailures(): void };

    runtime.resetFailures();
    await tools.store.dispatch(Notes.get.ifStale(id));
    tools.store.dispatch(Notes.get.subscribe(id)).unsubscribe();
    await pass();

    expect(causes(tools)).toEqual([undefined, 'retry']);
  });
});
