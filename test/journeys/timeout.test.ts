import { getEventListeners } from 'node:events';
import { createResource, Entity, isNetworkError, NetworkError, RestEndpoint } from 'rtk-resource';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { collectGarbage } from '../support/garbage.js';
import { startRawServer } from '../support/raw.js';
import { startServer } from '../support/server.js';
import { expectIdle, setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const server = await startServer();
/** Begins an answer, and never ends it. */
const endless = await startRawServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('[');
});
afterAll(() => Promise.all([server.close(), endless.close()]));
afterEach(() => {
  server.forget();
});

const Notes = createResource({
  urlPrefix: server.url,
  path: '/notes/:id',
  schema: Note,
  optimistic: true,
  timeout: 30,
});

describe('a time limit', () => {
  it('fails what takes longer, as a network that is down, and hangs up', async () => {
    const { store, read, slice } = setup();
    // Long enough for the first connection of a process.
    const slower = Notes.get.extend({ timeout: 2_000 });

    const promise = store.dispatch(slower({ id: 1 }));
    await server.hungUp('GET /notes/1');
    const action = await promise;

    await expect(promise.unwrap()).rejects.toThrow(NetworkError);
    expect(action).toMatchObject({
      error: { name: 'NetworkError', url: `${server.url}/notes/1` },
      meta: { aborted: false },
    });
    expect(action.error?.message).toContain('2000 ms');
    expect(action.error).not.toHaveProperty('status');
    expect(read(Notes.get.selectRequest({ id: 1 }))).toMatchObject({ isError: true, isFetching: false });
    expectIdle(slice());
  });

  it('counts until the answer has come as a whole', async () => {
    const { store } = setup();
    const slow = Notes.getList.extend({ urlPrefix: endless.url });

    const { error } = await store.dispatch(slow());

    expect(error).toMatchObject({ name: 'NetworkError', url: `${endless.url}/notes` });
  });

  it('counts what hooks wait for that hear of no signal', async () => {
    const { store } = setup();
    const locked = Notes.getList.extend({ getHeaders: () => new Promise<never>(() => undefined) });

    const { error } = await store.dispatch(locked());

    expect(error?.message).toContain('30 ms');
    expect(server.received).toEqual([]);
  });

  it('is each time’s own where a request is sent again', async () => {
    const { store } = setup();
    const stubborn = Notes.get.extend({ timeout: 1_500, retry: { times: 1, delay: () => 0 } });

    const promise = store.dispatch(stubborn({ id: 1 }));
    await server.hungUp('GET /notes/1');
    await server.release('GET /notes/1', { json: { id: 1, text: 'at last' } });

    expect((await promise.unwrap()).text).toBe('at last');
  });

  it('takes back what a write showed, and makes stale what it was about', async () => {
    const { store, read } = setup();
    server.answer('GET /notes', { json: [{ id: 1, text: 'one' }] });
    // Long enough for the first connection of a process.
    await store.dispatch(Notes.getList.extend({ timeout: 2_000 })());

    const edit = store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'edited' }));
    const shown = read(Notes.getList.select())?.[0]?.text;
    await edit;

    expect(shown).toBe('edited');
    expect(read(Notes.getList.select())?.[0]?.text).toBe('one');
    expect(read(Notes.getList.selectRequest()).isStale).toBe(true);
  });

  it('is the store’s where the endpoint has none, and none where the endpoint says 0', async () => {
    const { store } = setup({ timeout: 20 });
    const Plain = createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note, name: 'Plain' });
    const patient = Plain.get.extend({ name: 'patient', timeout: 0 });

    const hung = store.dispatch(patient({ id: 2 }));
    const { error } = await store.dispatch(Plain.get({ id: 1 }));
    await server.release('GET /notes/2', { json: { id: 2, text: 'two' } });

    expect(error?.message).toContain('20 ms');
    expect((await hung.unwrap()).text).toBe('two');
  });

  it('holds without a store', async () => {
    const error: unknown = await Notes.get.fetch({ id: 1 }).catch((reason: unknown) => reason);

    expect(isNetworkError(error)).toBe(true);
  });

  it('ends every request, however much garbage is collected meanwhile', async () => {
    const { store } = setup();
    const group = new AbortController();
    const grouped = Notes.get.extend({ signal: group.signal });

    const promises = Array.from({ length: 50 }, (_, id) => store.dispatch(grouped({ id: id + 1 })));
    for (let i = 0; i < 5; i++) await collectGarbage();
    const actions = await Promise.all(promises);

    expect(actions.filter(({ error }) => error?.message.includes('30 ms'))).toHaveLength(50);
    expect(getEventListeners(group.signal, 'abort')).toEqual([]);
  });

  it('by a signal of one’s own ends every request, too', async () => {
    const { store } = setup();
    const group = new AbortController();
    const own = Notes.get.extend({
      timeout: 0,
      signal: group.signal,
      getRequestInit: () => ({ signal: AbortSignal.timeout(30) }),
    });

    const promises = Array.from({ length: 50 }, (_, id) => store.dispatch(own({ id: id + 1 })));
    for (let i = 0; i < 5; i++) await collectGarbage();
    const actions = await Promise.all(promises);

    expect(actions.filter(({ error }) => error?.name === 'NetworkError')).toHaveLength(50);
  });

  it('leaves a fast answer alone', async () => {
    const { store } = setup();
    server.answer('GET /notes/1', { json: { id: 1, text: 'fast' } });

    const note = await store.dispatch(Notes.get.extend({ timeout: 5_000 })({ id: 1 })).unwrap();
    // Longer than any timer counts.
    const again = await store.dispatch(Notes.get.extend({ timeout: Infinity })({ id: 1 })).unwrap();

    expect(note.text).toBe('fast');
    expect(again).toBe(note);
    expect(Notes.get.selectRequest({ id: 1 })(store.getState()).isSuccess).toBe(true);
  });

  it('ends a request whose url throws by then', async () => {
    let calls = 0;
    class Moody extends RestEndpoint {
      override url(): string {
        calls += 1;
        if (calls > 1) throw new Error('No address.');
        return '/notes/1';
      }
    }
    const hanging = new Moody({ path: '/notes/:id', timeout: 10, fetchResponse: () => new Promise(() => undefined) });

    await expect(hanging.fetch({ id: 1 })).rejects.toMatchObject({ name: 'NetworkError' });
  });

  it('has url called no more often where it does not end the request', async () => {
    const { store } = setup();
    let calls = 0;
    class Counted extends RestEndpoint {
      override url(...args: never[]): string {
        calls += 1;
        return super.url(...args);
      }
    }
    const callsWith = async (timeout: number | undefined): Promise<number> => {
      calls = 0;
      const counted = new Counted({ urlPrefix: server.url, path: '/notes/:id', schema: Note, timeout });
      const promise = store.dispatch(counted({ id: 1 }));
      await server.release('GET /notes/1', { json: { id: 1, text: 'a' } });
      await promise.unwrap();
      return calls;
    };

    expect(await callsWith(10_000)).toBe(await callsWith(undefined));
  });
});
