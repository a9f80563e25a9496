import { createResource, Entity, isNetworkError, RestEndpoint } from 'rtk-resource';
import { beforeEach, describe, expect, it } from 'vitest';
import { networkOfFile, pass } from '../support/network.js';
import { setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const network = networkOfFile();
const TIMEOUT = 1_000;
const POST = 'POST /notes';
const GET = 'GET /notes/1';
const REFRESH = 'POST /refresh';
const refused = { status: 401 };
const one = { json: { id: 1, text: 'one' } };

/** The refresh under way. */
let refreshing: Promise<unknown> | undefined;
beforeEach(() => {
  refreshing = undefined;
});

/** Refreshes the token after a 401, and sends again. */
class AuthEndpoint extends RestEndpoint {
  override async fetch(...args: Parameters<RestEndpoint['fetch']>): Promise<unknown> {
    try {
      return await super.fetch(...args);
    } catch (error) {
      if (!isNetworkError(error) || error.status !== 401) throw error;
      refreshing ??= fetch('/refresh', { method: 'POST' }).finally(() => (refreshing = undefined));
      await refreshing;
      return super.fetch(...args);
    }
  }
}

const options = { path: '/notes/:id', schema: Note, optimistic: true, timeout: TIMEOUT } as const;
const Notes = createResource({ ...options, Endpoint: AuthEndpoint });
const Plain = createResource({ ...options, name: 'Plain' });

describe('a request that a time limit has ended while its token was refreshed', () => {
  it('is not sent any more, for who made it was told that it failed', async () => {
    const { store } = setup();
    const creating = store.dispatch(Notes.getList.push({ text: 'new' }));
    await pass();
    await network.release(POST, refused);
    await pass(TIMEOUT);
    await network.release(REFRESH, {});

    expect((await creating).error?.message).toContain('not answered in time');
    expect(network.calls).toEqual([POST, REFRESH]);
  });

  it('is sent once by the try that follows', async () => {
    const { store } = setup();
    const read = Notes.get.extend({ retry: { times: 1, delay: () => 0 } });
    const reading = store.dispatch(read({ id: 1 }));
    await pass();
    await network.release(GET, refused);
    await pass(TIMEOUT + 1);
    await network.release(GET, refused);
    await network.release(REFRESH, {});
    await network.release(GET, one);

    expect((await reading.unwrap()).text).toBe('one');
    expect(network.calls).toEqual([GET, REFRESH, GET, GET]);
  });

  it('is sent once by the poll that follows', async () => {
    const { store, read } = setup();
    const polled = Notes.get.extend({ pollFrequency: 2 * TIMEOUT });
    const subscription = store.dispatch(polled.subscribe({ id: 1 }));
    await pass();
    await network.release(GET, refused);
    await pass(2 * TIMEOUT);
    await network.release(GET, refused);
    await network.release(REFRESH, {});
    await network.release(GET, one);
    subscription.unsubscribe();

    expect(read(polled.select({ id: 1 }))?.text).toBe('one');
    expect(network.calls).toEqual([GET, REFRESH, GET, GET]);
  });
});

describe('what is on the wire when a time limit ends a request', () => {
  it('is aborted, also where a fetch of one’s own has sent it again', async () => {
    const { store } = setup();
    const creating = store.dispatch(Notes.getList.push({ text: 'new' }));
    await pass();
    await network.release(POST, refused);
    await network.release(REFRESH, {});
    await pass(TIMEOUT);

    expect((await creating).error).toMatchObject({ name: 'NetworkError' });
    expect(network.calls).toEqual([POST, REFRESH, POST]);
    expect(network.aborted).toEqual([POST]);
  });

  it('is aborted where a hook has sent it with the signal that it was given', async () => {
    const { store } = setup();
    const read = Plain.get.extend({
      getHeaders: async (headers, api) => {
        await fetch('/token', { signal: api.signal });
        return headers;
      },
    });
    const { error } = (await Promise.all([store.dispatch(read({ id: 1 })), pass(TIMEOUT)]))[0];

    expect(error).toMatchObject({ name: 'NetworkError', url: '/notes/1' });
    expect(network.aborted).toEqual(['GET /token']);
  });
});

it('nothing is sent after a time limit by a fetchResponse of one’s own that has left the signal out', async () => {
  const { store } = setup();
  const read = Plain.get.extend({
    async fetchResponse(input: string, { signal: _, ...init }: RequestInit) {
      await fetch('/token');
      return RestEndpoint.prototype.fetchResponse.call(this, input, init);
    },
  });
  const reading = store.dispatch(read({ id: 1 }));
  await pass(TIMEOUT);
  await network.release('GET /token', {});

  expect((await reading).error).toMatchObject({ name: 'NetworkError' });
  expect(network.calls).toEqual(['GET /token']);
});
