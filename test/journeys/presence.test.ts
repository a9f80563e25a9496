import { createResource, Entity, type ResourcesOptions } from 'rtk-resource';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeNetwork, pass, type Network } from '../support/network.js';
import { setup } from '../support/store.js';

class Quote extends Entity {
  id = 0;
  price = 0;
  static override key = 'Quote';
}

const Quotes = createResource({ path: '/quotes/:id', schema: Quote });
const Polled = Quotes.get.extend({ name: 'Quote/polled', pollFrequency: 1_000, dataExpiryLength: Infinity });
const id = { id: 5 };
const GET = 'GET /quotes/5';

let network: Network;
beforeEach(() => {
  vi.useFakeTimers();
  network = fakeNetwork();
  network.answer(GET, { json: { id: 5, price: 1 } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type SetupListeners = NonNullable<ResourcesOptions['setupListeners']>;
type Events = Parameters<SetupListeners>[0];

/** An app that tells by itself when it is seen and connected. */
function setupWithApp(atStart: (events: Events) => void = () => undefined) {
  const listeners = new Set<Events>();
  const tools = setup({
    setupListeners: (events) => {
      listeners.add(events);
      atStart(events);

      return () => listeners.delete(events);
    },
  });
  const tell = (say: (events: Events) => void) => {
    for (const events of listeners) say(events);
  };

  return {
    ...tools,
    listeners,
    isVisible: (is: boolean) => {
      tell(({ visible }) => {
        visible(is);
      });
    },
    isOnline: (is: boolean) => {
      tell(({ online }) => {
        online(is);
      });
    },
    /** How many calls went out meanwhile. */
    callsDuring: async (act: () => unknown) => {
      const before = network.calls.length;
      await act();
      await pass();

      return network.calls.length - before;
    },
  };
}

/** One who polls each second, and has just had an answer. */
async function setupPolling() {
  const tools = setupWithApp();
  const { unsubscribe } = tools.store.dispatch(Polled.subscribe(id));
  await pass();

  return { ...tools, unsubscribe };
}

describe('listening', () => {
  it('begins with the first subscriber, and ends with the last', () => {
    const { store, listeners } = setupWithApp();
    expect(listeners.size).toBe(0);

    const first = store.dispatch(Quotes.get.subscribe(id));
    const other = store.dispatch(Quotes.get.subscribe({ id: 6 }));
    const second = store.dispatch(Quotes.get.subscribe(id));
    expect(listeners.size).toBe(1);

    first.unsubscribe();
    second.unsubscribe();
    expect(listeners.size).toBe(1);
    other.unsubscribe();
    expect(listeners.size).toBe(0);

    store.dispatch(Quotes.get.subscribe(id));
    expect(listeners.size).toBe(1);
  });

  it('is done by nobody who only dispatches', async () => {
    const { store, listeners } = setupWithApp();

    await store.dispatch(Quotes.get(id));

    expect(listeners.size).toBe(0);
  });

  it('goes on over reset, as long as somebody is subscribed', async () => {
    const { store, resources, listeners, unsubscribe } = await setupPolling();

    store.dispatch(resources.reset());
    expect(listeners.size).toBe(1);

    unsubscribe();
    expect(listeners.size).toBe(0);
  });
});

describe.each([
  ['hidden', 'isVisible'],
  ['offline', 'isOnline'],
] as const)('while the app is %s', (_, is) => {
  it('nothing is polled, and on return what was missed is fetched at once', async () => {
    const { callsDuring, [is]: say } = await setupPolling();
    await pass(500);

    say(false);
    expect(await callsDuring(() => pass(10_000))).toBe(0);
    expect(
      await callsDuring(() => {
        say(true);
      }),
    ).toBe(1);
    expect(await callsDuring(() => pass(1_000))).toBe(1);
  });

  it('a short absence misses nothing, and the next poll is when it would have been', async () => {
    const { callsDuring, [is]: say } = await setupPolling();
    await pass(400);

    say(false);
    await pass(200);
    const onReturn = await callsDuring(() => {
      say(true);
    });

    expect(onReturn).toBe(0);
    expect(await callsDuring(() => pass(399))).toBe(0);
    expect(await callsDuring(() => pass(1))).toBe(1);
  });

  it('absences in a row do not keep polls from coming', async () => {
    const { callsDuring, [is]: say } = await setupPolling();

    const calls = await callsDuring(async () => {
      for (let i = 0; i < 10; i++) {
        say(false);
        await pass(100);
        say(true);
        await pass(800);
      }
    });

    expect(calls).toBeGreaterThanOrEqual(8);
  });

  it('no timer runs', async () => {
    const { [is]: say, store } = await setupPolling();
    await store.dispatch(Polled(id));
    const before = vi.getTimerCount();

    say(false);

    expect(vi.getTimerCount()).toBe(before - 1);
  });

  it('who comes polls from the return on', async () => {
    const { store, callsDuring, [is]: say } = await setupPolling();
    say(false);
    network.answer('GET /quotes/6', { json: { id: 6 } });
    store.dispatch(Polled.subscribe({ id: 6 }));
    await pass(100);

    say(true);
    await pass();

    expect(await callsDuring(() => pass(1_000))).toBe(2);
  });

  it('what has grown stale is fetched on return, and what is fresh is not', async () => {
    const { store, callsDuring, [is]: say } = setupWithApp();
    network.answer('GET /quotes/6', { json: { id: 6 } });
    store.dispatch(Quotes.get.subscribe(id));
    await pass(30_000);
    store.dispatch(Quotes.get.subscribe({ id: 6 }));
    await pass();

    say(false);
    await pass(30_000);
    network.forgetCalls();
    await callsDuring(() => {
      say(true);
    });

    expect(network.calls).toEqual([GET]);
  });

  it('who has left is not fetched for on return', async () => {
    const { callsDuring, unsubscribe, [is]: say } = await setupPolling();
    say(false);
    await pass(5_000);

    unsubscribe();
    const calls = await callsDuring(() => {
      say(true);
    });

    expect(calls).toBe(0);
  });
});

describe('presence', () => {
  it('is to be seen and to be connected: one alone is not enough', async () => {
    const { callsDuring, isVisible, isOnline } = await setupPolling();
    isVisible(false);
    isOnline(false);
    await pass(5_000);

    const calls = await callsDuring(async () => {
      isVisible(true);
      await pass(5_000);
    });
    expect(calls).toBe(0);

    expect(
      await callsDuring(() => {
        isOnline(true);
      }),
    ).toBe(1);
  });

  it('that is told twice counts once', async () => {
    const { callsDuring, isVisible } = await setupPolling();
    isVisible(false);
    await pass(5_000);

    const calls = await callsDuring(() => {
      isVisible(true);
      isVisible(true);
    });

    expect(calls).toBe(1);
  });

  it('that is told though nothing has changed is no return', async () => {
    const { store, callsDuring, isVisible } = setupWithApp();
    store.dispatch(Quotes.get.subscribe(id));
    await pass(60_000);

    const calls = await callsDuring(() => {
      isVisible(true);
    });

    expect(calls).toBe(0);
  });

  it('is as the app tells when the first subscriber comes', async () => {
    const { store, callsDuring, isVisible } = setupWithApp(({ visible }) => {
      visible(false);
    });
    await store.dispatch(Polled(id));

    store.dispatch(Polled.subscribe(id));
    expect(await callsDuring(() => pass(5_000))).toBe(0);

    expect(
      await callsDuring(() => {
        isVisible(true);
      }),
    ).toBe(1);
  });

  it('fetches on return what failed while the network was away, though that was a moment ago', async () => {
    const { store, read, isOnline } = setupWithApp();
    network.answer(GET, { isDown: true });
    store.dispatch(Quotes.get.subscribe(id));
    await pass();
    expect(read(Quotes.get.selectRequest(id)).isError).toBe(true);

    isOnline(false);
    await pass(100);
    network.answer(GET, { json: { id: 5, price: 1 } });
    isOnline(true);
    await pass();

    expect(read(Quotes.get.selectRequest(id))).toMatchObject({ isError: false, data: { price: 1 } });
  });
});

describe('in a browser, presence', () => {
  /** As much of a browser as the package listens to. */
  function fakeBrowser() {
    const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    const window = new EventTarget();
    const navigator = { onLine: true };
    vi.stubGlobal('document', document);
    vi.stubGlobal('window', window);
    vi.stubGlobal('navigator', navigator);
    const counts = { added: 0, removed: 0 };
    for (const target of [document, window]) {
      vi.spyOn(target, 'addEventListener').mockImplementation(function (this: EventTarget, ...args) {
        counts.added++;
        EventTarget.prototype.addEventListener.apply(this, args);
      });
      vi.spyOn(target, 'removeEventListener').mockImplementation(function (this: EventTarget, ...args) {
        counts.removed++;
        EventTarget.prototype.removeEventListener.apply(this, args);
      });
    }

    return { document, window, navigator, counts };
  }

  it('is known from its events, which are listened to while somebody is subscribed', async () => {
    const { document, window, navigator, counts } = fakeBrowser();
    const { store } = setup();
    await store.dispatch(Polled(id));
    expect(counts).toEqual({ added: 0, removed: 0 });

    const { unsubscribe } = store.dispatch(Polled.subscribe(id));
    expect(counts).toEqual({ added: 3, removed: 0 });
    network.forgetCalls();

    document.visibilityState = 'hidden';
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(5_000);
    expect(network.calls).toEqual([]);
    document.visibilityState = 'visible';
    document.dispatchEvent(new Event('visibilitychange'));
    await pass();
    expect(network.calls).toEqual([GET]);

    navigator.onLine = false;
    window.dispatchEvent(new Event('offline'));
    await pass(5_000);
    expect(network.calls).toEqual([GET]);
    navigator.onLine = true;
    window.dispatchEvent(new Event('online'));
    await pass();
    expect(network.calls).toEqual([GET, GET]);

    unsubscribe();
    expect(counts).toEqual({ added: 3, removed: 3 });
  });

  it('is what it is when the first subscriber comes', async () => {
    const { document } = fakeBrowser();
    document.visibilityState = 'hidden';
    const { store } = setup();
    await store.dispatch(Polled(id));

    store.dispatch(Polled.subscribe(id));
    await pass(5_000);

    expect(network.calls).toEqual([GET]);
  });

  it('is taken for granted where there is no document, as in a worker of the web or in React Native', async () => {
    vi.stubGlobal('window', new EventTarget());
    const { store } = setup();

    store.dispatch(Polled.subscribe(id));
    await pass(1_000);

    expect(network.calls).toEqual([GET, GET]);
  });
});
