import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, NetworkError } from 'rtk-resource';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

class Author extends Entity {
  id = 0;
  name = '';
  static override key = 'Author';
}
class Post extends Entity {
  id = 0;
  title = '';
  author?: Author;
  static override key = 'Post';
  static override schema = { author: Author };
}

interface Search {
  readonly by?: number;
}
const search: Search = {};
const Posts = createResource({ path: '/posts/:id', schema: Post, searchParams: search });
const minute = 60_000;

describe('a session that goes on for long', () => {
  setFlagsFromString('--expose-gc');
  // A heap can be compared with itself only when nothing is in it that could go.
  const collectGarbage = runInNewContext('gc') as () => void;

  /** A store without RTK's checks, which would take most of the time, and without sockets. */
  function setupLong() {
    const resources = configureResources();
    const store = configureStore({
      reducer: { resources: resources.reducer },
      middleware: (getDefault) =>
        getDefault({ serializableCheck: false, immutableCheck: false }).concat(resources.middleware),
    });
    const respond = ({ id }: { id: number }) =>
      id < 0
        ? Promise.reject(new NetworkError('No.', { url: '' }))
        : Promise.resolve({ id, title: 'x'.repeat(200), author: { id } });
    const get = Posts.get.extend({ fetch: respond });
    const heap = () => {
      collectGarbage();

      return process.memoryUsage().heapUsed;
    };

    return {
      store,
      resources,
      get,
      slice: () => store.getState().resources,
      /**
       * Does the same again and again, ten seconds apart; gives how much more memory each took in the end, in bytes. Of three thirds the
       * least counts: what is kept is kept in each, what the machine compiles meanwhile in one.
       */
      cost: async (count: number, act: (i: number) => Promise<unknown>) => {
        const repeat = async (from: number, to: number) => {
          for (let i = from; i < to; i++) {
            await act(i);
            vi.advanceTimersByTime(10_000);
          }
          vi.advanceTimersByTime(10 * minute);
        };
        const third = count * 0.3;
        let from = count / 10;
        await repeat(0, from);
        let before = heap();
        let least = Infinity;
        for (const end of [from + third, from + 2 * third, count]) {
          await repeat(from, end);
          const after = heap();
          least = Math.min(least, (after - before) / third);
          [from, before] = [end, after];
        }

        return least;
      },
    };
  }

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const inTime = { timeout: 300_000 };

  it('and opens 5 000 details ends with the memory of none', inTime, async () => {
    const { store, get, slice, cost } = setupLong();

    // `npm run fire` opens more.
    const each = await cost(5_000, async (id) => {
      const { unsubscribe } = store.dispatch(get.subscribe({ id }));
      await store.dispatch(get.ifStale({ id }));
      get.selectRequest({ id })(store.getState());
      unsubscribe();
    });

    // Places are used again: six at a time are waiting to be collected.
    expect(slice()).toMatchObject({ requests: { n: 6 }, tables: { Post: { n: 6 }, Author: { n: 6 } } });
    expect(slice().requests.free).toHaveLength(6);
    expect(each).toBeLessThan(400);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('and leaves 2 500 details before they are there ends with the memory of none', inTime, async () => {
    const { store, get, slice, cost } = setupLong();

    const each = await cost(2_500, async (id) => {
      const { unsubscribe } = store.dispatch(get.subscribe({ id }));
      get.selectRequest({ id })(store.getState());
      unsubscribe();
      await new Promise(setImmediate);
    });

    expect(slice()).toMatchObject({ requests: { n: 1, free: [0] }, tables: {} });
    expect(each).toBeLessThan(400);
  });

  it('and opens 3 000 details that fail ends with the memory of none', inTime, async () => {
    const { store, get, slice, cost } = setupLong();

    const each = await cost(3_000, async (i) => {
      const { unsubscribe } = store.dispatch(get.subscribe({ id: -i - 1 }));
      await store.dispatch(get.ifStale({ id: -i - 1 }));
      get.selectRequest({ id: -i - 1 })(store.getState());
      unsubscribe();
    });

    expect(slice().requests.free).toHaveLength(slice().requests.n);
    expect(each).toBeLessThan(400);
  });

  describe('with a list of 10 000', () => {
    /** A detail was left a while ago, and each look at the clock takes a ms. */
    async function setupSlow() {
      const tools = setupLong();
      const { store, resources, get } = tools;
      const list = Array.from({ length: 10_000 }, (_, id) => ({ id, title: 'in the list' }));
      store.dispatch(resources.setResponse(Posts.getList, {}, list));
      store.dispatch(Posts.getList.subscribe());
      await store.dispatch(get({ id: 20_000 }));
      store.dispatch(get.subscribe({ id: 20_000 })).unsubscribe();
      const now = Date.now.bind(Date);
      let passed = 0;
      vi.spyOn(Date, 'now').mockImplementation(() => now() + ++passed);

      return {
        ...tools,
        isThere: () => resources.selectEntity(Post, 20_000)(store.getState()) !== undefined,
      };
    }
    afterEach(() => {
      vi.mocked(Date.now).mockRestore();
    });

    it('looks for what is unused in several short tasks', async () => {
      const { isThere } = await setupSlow();
      let tasks = 0;

      for (; isThere() && tasks < 100; tasks++) vi.advanceTimersToNextTimer();

      expect(tasks).toBeGreaterThan(3);
      expect(isThere()).toBe(false);
    });

    it('keeps what is read again between two of them', async () => {
      const { store, get, isThere } = await setupSlow();

      vi.advanceTimersToNextTimer();
      vi.advanceTimersToNextTimer();
      store.dispatch(get.subscribe({ id: 20_000 }));
      for (let task = 0; task < 20; task++) vi.advanceTimersToNextTimer();

      expect(isThere()).toBe(true);
    });

    it('keeps what another answer brings between two of them', async () => {
      const { store, resources, isThere } = await setupSlow();

      vi.advanceTimersToNextTimer();
      vi.advanceTimersToNextTimer();
      store.dispatch(resources.setResponse(Posts.getList, { by: 5 }, [{ id: 20_000, title: 'again' }]));
      store.dispatch(Posts.getList.subscribe({ by: 5 }));
      for (let task = 0; task < 20; task++) vi.advanceTimersToNextTimer();

      expect(isThere()).toBe(true);
    });
  });

  it('and reads 1 000 details from a list ends with the memory of the list', inTime, async () => {
    const { store, resources, get, slice, cost } = setupLong();
    const list = Array.from({ length: 1_000 }, (_, id) => ({ id, title: 'in the list' }));
    store.dispatch(resources.setResponse(Posts.getList, {}, list));

    const each = await cost(1_000, async (id) => {
      const { unsubscribe } = store.dispatch(get.subscribe({ id }));
      get.select({ id })(store.getState());
      await Promise.resolve();
      unsubscribe();
      store.dispatch(resources.set(Post, { id: 0, title: String(id) }));
    });

    expect(slice().tables).toMatchObject({ Post: { n: 1_000, free: [] } });
    // The objects themselves stay, as long as their rows.
    expect(each).toBeLessThan(2_000);
  });

  it('and selects 3 000 details, to which nobody subscribes, keeps no old state for them', inTime, async () => {
    const { store, resources, get, cost } = setupLong();
    const list = Array.from({ length: 3_000 }, (_, id) => ({ id, title: 'in the list' }));
    store.dispatch(resources.setResponse(Posts.getList, {}, list));

    // Of fewer, what the platform keeps of compiled code would be a third of it.
    const each = await cost(3_000, (id) => {
      get.select({ id })(store.getState());
      store.dispatch(resources.set(Post, { id: 0, title: String(id) }));

      return Promise.resolve();
    });

    expect(each).toBeLessThan(1_000);
  });
});
