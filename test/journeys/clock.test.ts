import { createResource, Entity, NetworkError, RestEndpoint } from 'rtk-resource';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeNetwork, pass, type Network } from '../support/network.js';
import { expectIdle, setup, typesOf } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  votes = 0;
  static override key = 'Note';
}

const Notes = createResource({ path: '/notes/:id', schema: Note });
const id = { id: 5 };
const [minute, hour] = [60_000, 3_600_000];
const five = { json: { id: 5, text: 'five', votes: 0 } };

let network: Network;
beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-01-05T10:00:00Z') });
  network = fakeNetwork();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The clock is corrected by this time (ms). Timers go on as they were. */
function correctClock(time: number): void {
  vi.setSystemTime(Date.now() + time);
}

describe('a clock that is set back by an hour', () => {
  it('lets no answer be fresh for longer', async () => {
    const { store, read } = setup();
    network.answer('GET /notes/5', five);
    await store.dispatch(Notes.get(id));
    const isStale = () => read(Notes.get.selectRequest(id)).isStale;
    const before = isStale();

    correctClock(-hour);
    const after = isStale();
    await store.dispatch(Notes.get.ifStale(id));

    expect([before, after, isStale()]).toEqual([false, true, false]);
    expect(network.calls).toHaveLength(2);
  });

  it('lets nothing that others have brought be fresh for longer', async () => {
    const { store } = setup();
    network.answer('GET /notes', { json: [five.json] });
    network.answer('GET /notes/5', five);
    await store.dispatch(Notes.getList());

    await store.dispatch(Notes.get.ifStale(id));
    correctClock(-hour);
    await store.dispatch(Notes.get.ifStale(id));

    expect(network.calls).toEqual(['GET /notes', 'GET /notes/5']);
  });

  it('lets no failure stand for an answer for longer', async () => {
    const { store } = setup();
    network.answer('GET /notes/5', { status: 500 });
    await store.dispatch(Notes.get(id));

    correctClock(-hour);
    await store.dispatch(Notes.get.ifStale(id));

    expect(network.calls).toHaveLength(2);
  });

  it('lets nothing that was left stay for longer', async () => {
    const { store, slice } = setup();
    network.answer('GET /notes/5', five);
    const { unsubscribe } = store.dispatch(Notes.get.subscribe(id));
    await pass();
    unsubscribe();

    correctClock(-hour);
    await pass(minute + 5_000);

    expect(slice().requests.pks.flat().join('')).toBe('');
  });

  it('keeps nobody who needs fresh data from having it in time', async () => {
    const { store } = setup();
    network.answer('GET /notes/5', five);
    const strict = Notes.get.extend({ invalidIfStale: true });
    store.dispatch(strict.subscribe(id));
    await pass();

    correctClock(-hour);
    await pass(minute + 1);

    expect(network.calls).toHaveLength(2);
  });

  it('keeps nobody from polling', async () => {
    const { store } = setup();
    network.answer('GET /notes/5', five);
    store.dispatch(Notes.get.extend({ pollFrequency: 10_000 }).subscribe(id));
    await pass(5_000);

    correctClock(-hour);
    store.dispatch(Notes.get.extend({ pollFrequency: 8_000 }).subscribe(id));
    network.forgetCalls();
    await pass(8_000);

    expect(network.calls.length).toBeGreaterThan(0);
  });
});

describe('what waits for a guess', () => {
  const vote = new RestEndpoint({
    path: '/notes/:id/vote',
    method: 'POST',
    body: undefined,
    name: 'vote',
    schema: Note,
    getOptimisticResponse: (snapshot, { id: pk }) => {
      const note = snapshot.get(Note, { id: Number(pk) });

      return note && { id: note.id, votes: note.votes + 1 };
    },
  });

  /** A vote hangs, and an answer of a later read waits for it. */
  async function setupWaiting(holdTimeout?: number) {
    const tools = setup(holdTimeout === undefined ? {} : { holdTimeout });
    network.answer('GET /notes/5', five);
    await tools.store.dispatch(Notes.get(id));
    void tools.store.dispatch(vote(id));
    await pass();
    network.answer('GET /notes/5', { json: { ...five.json, votes: 7 } });
    await tools.store.dispatch(Notes.get(id));
    tools.actions.length = 0;

    return { ...tools, waits: () => tools.slice().journal.waiting.length };
  }

  it('waits no longer where the clock is set back', async () => {
    const { waits } = await setupWaiting();
    const before = waits();

    correctClock(-hour);
    await pass(10_001);

    expect([before, waits()]).toEqual([1, 0]);
  });

  it.each([Infinity, 2 ** 40, NaN])(
    'waits as long as that is pending, and nothing is dispatched, with a holdTimeout of %s',
    async (holdTimeout) => {
      const { actions, waits, slice } = await setupWaiting(holdTimeout);

      await pass(hour);
      const [during, dispatched] = [waits(), typesOf(actions)];
      await network.release('POST /notes/5/vote', { json: { id: 5, votes: 8 } });

      expect(during).toBe(1);
      expect(dispatched).toEqual([]);
      expectIdle(slice());
    },
  );
});

describe('a delay before another try', () => {
  it.each([
    ['2 ** 31', 2 ** 31],
    ['Infinity', Infinity],
    ['NaN', NaN],
  ])('of %s does not send all tries at once', async (_, delay) => {
    const { store } = setup();
    network.answer('GET /notes/5', { status: 503 });
    const tried = Notes.get.extend({ name: 'tried', retry: { times: 5, delay: () => delay } });

    const promise = store.dispatch(tried(id));
    await pass(400);
    promise.abort();
    await promise;

    expect(network.calls).toHaveLength(1);
  });
});

describe('lengths that are no number', () => {
  it('count as none, and the state can be saved', async () => {
    const { store, slice, read } = setup({ dataExpiryLength: NaN, errorExpiryLength: -Infinity });
    network.answer('GET /notes/5', five);
    network.answer('GET /notes/6', { status: 404 });

    await store.dispatch(Notes.get(id));
    await store.dispatch(Notes.get({ id: 6 }));

    expect(read(Notes.get.selectRequest(id)).isStale).toBe(true);
    expect(JSON.parse(JSON.stringify(slice().requests))).toEqual(slice().requests);
  });
});

describe('a write that is answered with status 0', () => {
  it('may have been done: what it touched is stale', async () => {
    const { store, read } = setup();
    network.answer('GET /notes/5', five);
    await store.dispatch(Notes.get(id));
    const failing = Notes.partialUpdate.extend({
      fetchResponse: () =>
        Promise.reject(Object.assign(new NetworkError('no line', { url: '/notes/5' }), { status: 0 })),
    });

    const action = await store.dispatch(failing(id, { text: 'new' }));

    expect(action.error?.status).toBe(0);
    expect(read(Notes.get.selectRequest(id)).isStale).toBe(true);
  });
});

describe('a write that is over, while a list is shown', () => {
  it('has a store look once a minute for what is of no use any more, not every few seconds', async () => {
    const { store } = setup();
    network.answer('GET /notes', { json: [] });
    network.answer('PATCH /notes/5', five);
    const subscription = store.dispatch(Notes.getList.subscribe());
    await store.dispatch(Notes.partialUpdate(id, { votes: 1 }));
    await pass(hour);

    const timers = vi.spyOn(globalThis, 'setTimeout');
    await pass(hour);

    expect(timers.mock.calls.length).toBeLessThanOrEqual(60);
    subscription.unsubscribe();
  });
});
