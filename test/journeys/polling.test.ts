import { createResource, Entity } from 'rtk-resource';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeNetwork, pass, type Network } from '../support/network.js';
import { setup } from '../support/store.js';

class Quote extends Entity {
  id = 0;
  price = 0;
  static override key = 'Quote';
}

const Quotes = createResource({ path: '/quotes/:id', schema: Quote, pollFrequency: 1_000 });
/** The same data, for components that are in a hurry, in none, and that want no polls at all. */
const Hasty = Quotes.get.extend({ pollFrequency: 300 });
const Slow = Quotes.get.extend({ pollFrequency: 5_000 });
const Quiet = createResource({ path: '/quotes/:id', schema: Quote, name: 'Quote' }).get;
const id = { id: 5 };
const GET = 'GET /quotes/5';

let network: Network;
let price: number;
beforeEach(() => {
  vi.useFakeTimers();
  network = fakeNetwork();
  price = 0;
  network.answer(GET, () => ({ json: { id: 5, price: ++price } }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A store in which the data is there already. */
async function setupWithQuote(...given: Parameters<typeof setup>) {
  const tools = setup(...given);
  await tools.store.dispatch(Quotes.get(id));
  network.forgetCalls();

  return {
    ...tools,
    subscribe: (endpoint: typeof Quotes.get = Quotes.get) => tools.store.dispatch(endpoint.subscribe(id)),
  };
}

/** When calls went out, in ms from now, as time passes in steps of 100. */
async function timesOfCalls(length: number, at: Readonly<Record<number, () => void>> = {}): Promise<readonly number[]> {
  const times: number[] = [];
  let known = network.calls.length;
  for (let time = 0; time <= length; time += 100) {
    if (time > 0) await pass(100);
    at[time]?.();
    await pass();
    if (network.calls.length > known) times.push(time);
    known = network.calls.length;
  }

  return times;
}

describe('subscribing', () => {
  it('fetches what is missing, and shows it', async () => {
    const { store, read } = setup();

    store.dispatch(Quotes.get.subscribe(id));
    expect(read(Quotes.get.selectRequest(id)).isLoading).toBe(true);
    await pass();

    expect(read(Quotes.get.select(id))?.price).toBe(1);
    expect(network.calls).toEqual([GET]);
  });

  it('fetches what is stale, and leaves alone what is fresh', async () => {
    const { subscribe } = await setupWithQuote();

    subscribe(Quiet).unsubscribe();
    await pass();
    expect(network.calls).toEqual([]);

    await pass(60_000);
    subscribe(Quiet);
    await pass();
    expect(network.calls).toEqual([GET]);
  });

  it('dispatches nothing by itself, nor does leaving', async () => {
    const { subscribe, actions } = await setupWithQuote();
    const before = actions.length;

    const all = Array.from({ length: 10 }, () => subscribe());
    for (const one of all) one.unsubscribe();
    await pass();

    expect(actions).toHaveLength(before);
  });

  it('counts each once, however often it says that it leaves', async () => {
    const { subscribe } = await setupWithQuote();
    const first = subscribe();
    subscribe();

    first.unsubscribe();
    first.unsubscribe();

    expect(await timesOfCalls(1_000)).toEqual([1_000]);
  });
});

describe('polling', () => {
  it('fetches every pollFrequency, however fresh the data is', async () => {
    const { subscribe, read } = await setupWithQuote();

    subscribe();

    expect(await timesOfCalls(3_500)).toEqual([1_000, 2_000, 3_000]);
    expect(read(Quotes.get.select(id))?.price).toBe(4);
  });

  it('is done by nobody who only dispatches or selects', async () => {
    const { store, read } = await setupWithQuote();
    await store.dispatch(Quotes.get.ifStale(id));
    read(Quotes.get.select(id));

    expect(await timesOfCalls(3_000)).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('can be asked for by a whole store', async () => {
    const { subscribe } = await setupWithQuote({ pollFrequency: 400 });

    subscribe(Quiet);

    expect(await timesOfCalls(1_000)).toEqual([400, 800]);
  });

  it('is none where the frequency is 0, or not given', async () => {
    const { subscribe } = await setupWithQuote();
    subscribe(Quotes.get.extend({ pollFrequency: 0 }));
    subscribe(Quiet);

    expect(await timesOfCalls(3_000)).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is done with one timer and one fetch for 4 000 subscribers', async () => {
    const { store, read } = setup();

    const all = Array.from({ length: 4_000 }, () => store.dispatch(Quotes.get.subscribe(id)));
    expect(vi.getTimerCount()).toBe(1);
    await pass();
    expect(network.calls).toEqual([GET]);

    await pass(1_000);
    expect(network.calls).toEqual([GET, GET]);
    expect(read(Quotes.get.select(id))?.price).toBe(2);

    for (const one of all.slice(1)) one.unsubscribe();
    await pass(1_000);
    expect(network.calls).toHaveLength(3);

    all[0]?.unsubscribe();
    await pass(5_000);
    expect(network.calls).toHaveLength(3);
  });

  it('is as frequent as the most impatient wants, for as long as there is one', async () => {
    const { subscribe } = await setupWithQuote();
    subscribe(Slow);
    subscribe();
    const hasty = subscribe(Hasty);
    const second = subscribe(Hasty);

    expect(await timesOfCalls(600)).toEqual([300, 600]);
    hasty.unsubscribe();
    expect(await timesOfCalls(300)).toEqual([300]);
    second.unsubscribe();
    expect(await timesOfCalls(2_000)).toEqual([1_000, 2_000]);
  });

  it('is not put off by components that come and go', async () => {
    const { subscribe } = await setupWithQuote();
    subscribe();

    const comeAndGo = () => {
      subscribe().unsubscribe();
      subscribe(Slow).unsubscribe();
      subscribe(Quiet).unsubscribe();
    };

    expect(await timesOfCalls(2_000, { 600: comeAndGo, 900: comeAndGo, 1_500: comeAndGo })).toEqual([1_000, 2_000]);
  });

  it('is not made rarer by one who is more patient', async () => {
    const { subscribe } = await setupWithQuote();
    subscribe();
    subscribe(Slow);

    expect(await timesOfCalls(2_000)).toEqual([1_000, 2_000]);
  });

  it('is done at once for one to whom the last time is too long ago', async () => {
    const { subscribe } = await setupWithQuote();
    subscribe(Slow);

    expect(
      await timesOfCalls(6_000, {
        500: () => {
          subscribe().unsubscribe();
        },
        4_500: () => subscribe(),
      }),
    ).toEqual([4_500, 5_500]);
  });

  it('is not put off by one who is more impatient, and soon gone', async () => {
    const { subscribe } = await setupWithQuote();
    subscribe(Slow);

    const comeAndGo = () => {
      subscribe(Hasty).unsubscribe();
    };

    expect(await timesOfCalls(10_000, { 4_000: comeAndGo, 8_000: comeAndGo })).toEqual([5_000, 10_000]);
  });

  it('joins a fetch that is under way', async () => {
    const { store, subscribe } = await setupWithQuote();
    network.forget();
    subscribe();

    await pass(1_000);
    await pass(1_000);
    void store.dispatch(Quotes.get(id));
    expect(network.calls).toEqual([GET]);

    await network.release(GET, { json: { id: 5, price: 8 } });
    await pass(1_000);
    expect(network.calls).toEqual([GET, GET]);
  });

  it('goes on after a failure, and shows the error beside the data', async () => {
    const { subscribe, read } = await setupWithQuote();
    subscribe();
    network.answer(GET, { status: 503 });

    await pass(1_000);
    expect(read(Quotes.get.selectRequest(id))).toMatchObject({
      isError: true,
      error: { status: 503 },
      data: { price: 1 },
    });

    network.answer(GET, { json: { id: 5, price: 9 } });
    await pass(1_000);
    expect(read(Quotes.get.selectRequest(id))).toMatchObject({ isError: false, data: { price: 9 } });
  });

  it('that brings nothing new renders nobody', async () => {
    const { subscribe, watch } = await setupWithQuote();
    network.answer(GET, { json: { id: 5, price: 1 } });
    const values = watch(Quotes.get.select(id));

    subscribe();
    await pass(3_000);

    expect(network.calls).toHaveLength(3);
    expect(values).toHaveLength(1);
  });

  it('ends with the last subscriber, and the fetch that was under way with it', async () => {
    const { subscribe, read } = await setupWithQuote();
    network.forget();
    const first = subscribe();
    const second = subscribe();
    await pass(1_000);

    first.unsubscribe();
    await pass();
    expect(network.aborted).toEqual([]);
    second.unsubscribe();
    await pass(10_000);

    expect(network.calls).toEqual([GET]);
    expect(network.aborted).toEqual([GET]);
    expect(read(Quotes.get.selectRequest(id))).toMatchObject({
      status: 'fulfilled',
      error: undefined,
      data: { price: 1 },
    });
  });

  it('that is under way goes on, when another comes in the moment in which the last one leaves', async () => {
    const { subscribe, read } = await setupWithQuote();
    network.forget();
    const { unsubscribe } = subscribe();
    await pass(1_000);

    unsubscribe();
    subscribe();
    await pass();
    expect(network.aborted).toEqual([]);

    await network.release(GET, { json: { id: 5, price: 8 } });
    expect(read(Quotes.get.select(id))?.price).toBe(8);
  });

  it('of other data goes on', async () => {
    const { store, subscribe } = await setupWithQuote();
    network.answer('GET /quotes/6', { json: { id: 6 } });
    store.dispatch(Quotes.get.subscribe({ id: 6 }));
    const one = subscribe();
    await pass();
    network.forgetCalls();

    one.unsubscribe();
    await pass(1_000);

    expect(network.calls).toEqual(['GET /quotes/6']);
  });

  it('goes on after reset', async () => {
    const { store, resources, subscribe, read } = await setupWithQuote();
    subscribe();

    store.dispatch(resources.reset());

    expect(await timesOfCalls(2_000)).toEqual([0, 1_000, 2_000]);
    expect(read(Quotes.get.select(id))?.price).toBe(4);
  });
});

describe('what is left running', () => {
  it('is nothing once the last has left and what it had is collected', async () => {
    const { subscribe, slice } = await setupWithQuote();
    const one = subscribe();
    await pass(1_500);

    one.unsubscribe();
    await pass(60_000);

    expect(vi.getTimerCount()).toBe(0);
    expect(slice().requests.n - slice().requests.free.length).toBe(0);
  });

  it('is nothing after reset and the last unsubscribe, once its last fetch is unused for long enough', async () => {
    const { store, resources, subscribe } = await setupWithQuote();
    const one = subscribe();
    const other = subscribe(Hasty);
    await pass(1_500);

    one.unsubscribe();
    other.unsubscribe();
    store.dispatch(resources.reset());

    expect(vi.getTimerCount()).toBe(0);
  });

  it('is nothing where requests are dispatched and nobody subscribes, as on a server', async () => {
    const { store } = setup();
    network.answer('PATCH /quotes/5', { json: { id: 5, price: 3 } });

    await store.dispatch(Quotes.get(id));
    await store.dispatch(Quotes.partialUpdate(id, { price: 3 }));

    expect(vi.getTimerCount()).toBe(0);
  });
});
