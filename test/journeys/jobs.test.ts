import { createResource, Entity, type PollFrequency } from 'rtk-resource';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeNetwork, pass, type Network } from '../support/network.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Job extends Entity {
  id = 0;
  progress = 0;
  static override key = 'Job';

  isDone(): boolean {
    return this.progress >= 100;
  }
}

const Jobs = createResource({ path: '/jobs/:id', schema: Job, optimistic: true });
const untilDone: PollFrequency<Job> = (job) => !job.isDone() && 1_000;
const watched = Jobs.get.extend({ pollFrequency: (job) => (job.isDone() ? false : 1_000) });
const id = { id: 1 };
const GET = 'GET /jobs/1';

let network: Network;
let progress: number;
beforeEach(() => {
  vi.useFakeTimers();
  network = fakeNetwork();
  progress = 0;
  network.answer(GET, () => ({ json: { id: 1, progress: (progress += 25) } }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** How often the job is fetched while this time (ms) passes. */
async function fetchesIn(time: number): Promise<number> {
  network.forgetCalls();
  await pass(time);

  return network.calls.length;
}

describe('a pollFrequency that is a function of the data', () => {
  it('has a job watched until it is done', async () => {
    const { store, read } = setup();

    store.dispatch(watched.subscribe(id));

    expect(await fetchesIn(10_000)).toBe(4);
    expect(read(watched.select(id))?.isDone()).toBe(true);
  });

  it.each([
    ['its resource', createResource({ path: '/jobs/:id', schema: Job, pollFrequency: untilDone }).get, {}],
    ['its store', Jobs.get, { pollFrequency: untilDone }],
  ])('holds for an endpoint where %s has it', async (_, endpoint, options) => {
    const { store } = setup(options);

    store.dispatch(endpoint.subscribe(id));

    expect(await fetchesIn(10_000)).toBe(4);
  });

  it('begins anew when the job does, whoever says so', async () => {
    const { store, resources } = setup();
    store.dispatch(watched.subscribe(id));
    await pass(10_000);

    progress = 50;
    store.dispatch(resources.set(Job, { id: 1, progress: 50 }));

    expect(await fetchesIn(900)).toBe(0);
    expect(await fetchesIn(10_000)).toBe(2);
  });

  it('goes on where a poll fails, and begins with the first data', async () => {
    const { store } = setup();
    network.answer(GET, { status: 503 });
    store.dispatch(watched.subscribe(id));
    expect(await fetchesIn(5_000)).toBe(1);

    network.answer(GET, { json: { id: 1, progress: 25 } });
    await store.dispatch(watched(id));
    network.answer(GET, { status: 503 });

    expect(await fetchesIn(3_000)).toBe(3);
  });

  it('gives way to a subscriber that is more impatient, for as long as there is one', async () => {
    const { store } = setup();
    network.answer(GET, { json: { id: 1, progress: 25 } });
    store.dispatch(watched.subscribe(id));
    const hasty = store.dispatch(Jobs.get.extend({ pollFrequency: 500 }).subscribe(id));
    await pass();

    expect(await fetchesIn(2_000)).toBe(4);
    hasty.unsubscribe();
    expect(await fetchesIn(2_000)).toBe(2);
  });

  it('ends the polling where it throws, and says so once', async () => {
    const { store } = setup();
    const broken = Jobs.get.extend({
      pollFrequency: () => {
        throw new Error('no such field');
      },
    });
    expectWarning(/pollFrequency of Job\/get failed.*no such field/);

    store.dispatch(broken.subscribe(id));

    expect(await fetchesIn(5_000)).toBe(1);
  });
});
