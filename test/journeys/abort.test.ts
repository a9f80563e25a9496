import { createResource, Entity, RestEndpoint, type ShapeOptions } from 'rtk-resource';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup, typesOf } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const server = await serverOfFile();

const Notes = createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note, optimistic: true });
const id = { id: 5 };
const GET = 'GET /notes/5';
const five = { json: { id: 5, text: 'five' } };

async function setupWithNote() {
  const tools = setup();
  const promise = tools.store.dispatch(Notes.get(id));
  await server.release(GET, five);
  await promise;

  return tools;
}

/** One that can be waited for, however it ends. */
const endOf = (promise: { unwrap(): Promise<unknown> }): Promise<unknown> =>
  promise.unwrap().catch((reason: unknown) => reason);

describe('an aborted promise', () => {
  it('hangs up, and is rejected with a reason that can be told from a failure', async () => {
    const { store, actions } = setup();
    const promise = store.dispatch(Notes.get(id));
    await server.holding(GET);

    promise.abort('not needed');
    const action = await promise;
    await server.hungUp(GET);

    expect(action).toMatchObject({ type: 'Note/get/rejected', meta: { aborted: true, condition: false } });
    expect(await endOf(promise)).toMatchObject({ name: 'AbortError', message: 'not needed' });
    expect(typesOf(actions)).toEqual(['Note/get/pending', 'Note/get/rejected']);
  });

  it('leaves a first load as if it had never been', async () => {
    const { store, read, slice } = setup();
    const before = read(Notes.get.selectRequest(id));
    const promise = store.dispatch(Notes.get(id));

    promise.abort();
    await promise;

    expect(read(Notes.get.selectRequest(id))).toEqual(before);
    expect(slice().requests.free).toHaveLength(slice().requests.n);
  });

  it('leaves the data, and how old it is, of a refetch', async () => {
    const { store, read } = await setupWithNote();
    const before = read(Notes.get.selectRequest(id));
    const promise = store.dispatch(Notes.get(id));

    promise.abort();
    await promise;

    expect(read(Notes.get.selectRequest(id))).toEqual(before);
    expect(read(Notes.get.select(id))).toBe(before.data);
  });

  it('leaves the error that was there', async () => {
    const { store, read } = setup();
    const failing = store.dispatch(Notes.get(id));
    await server.release(GET, { status: 500 });
    await failing;
    const before = read(Notes.get.selectRequest(id));

    const promise = store.dispatch(Notes.get(id));
    promise.abort();
    await promise;

    expect(read(Notes.get.selectRequest(id))).toEqual(before);
    expect(before.error?.status).toBe(500);
  });

  it('sends nothing where it is aborted at once', async () => {
    const { store } = setup();
    const promise = store.dispatch(Notes.get(id));
    promise.abort();
    await promise;

    // The server has nothing of it when the next one has come.
    const next = store.dispatch(Notes.get({ id: 6 }));
    await server.release('GET /notes/6', { json: { id: 6 } });
    await next;

    expect(server.received.map(({ path }) => path)).toEqual(['/notes/6']);
  });

  it('leaves alone what has ended', async () => {
    const { store, read, actions } = await setupWithNote();
    const promise = store.dispatch(Notes.get(id));
    await server.release(GET, { json: { id: 5, text: 'new' } });
    await promise;
    const before = actions.length;

    promise.abort();

    expect((await promise.unwrap()).text).toBe('new');
    expect(read(Notes.get.select(id))?.text).toBe('new');
    expect(actions).toHaveLength(before);
  });

  it('of a write takes back what it showed', async () => {
    const { store, read } = await setupWithNote();
    const promise = store.dispatch(Notes.partialUpdate(id, { text: 'hoped' }));
    await server.holding('PATCH /notes/5');
    expect(read(Notes.get.select(id))?.text).toBe('hoped');

    promise.abort();
    await server.hungUp('PATCH /notes/5');
    await promise;

    expect(read(Notes.get.selectRequest(id))).toMatchObject({ isStale: true, data: { text: 'five' } });
  });

  it('of a write that was never sent leaves the data fresh', async () => {
    const { store, read } = await setupWithNote();
    const InLine = Notes.partialUpdate.extend({ serialize: true });
    const first = store.dispatch(InLine(id, { text: 'first' }));
    const second = store.dispatch(InLine(id, { text: 'second' }));
    await server.holding('PATCH /notes/5');

    second.abort();
    await second;
    await server.release('PATCH /notes/5', { json: { id: 5, text: 'first' } });
    await first;

    expect(read(Notes.get.selectRequest(id))).toMatchObject({ isStale: false, data: { text: 'first' } });
  });
});

describe('one of several that wait for one read', () => {
  it('leaves by itself: its own promise ends, the others get the answer', async () => {
    const { store, actions } = setup();
    const first = store.dispatch(Notes.get(id));
    const second = store.dispatch(Notes.get(id));
    await server.holding(GET);

    first.abort('enough');
    expect((await first).meta).toMatchObject({ aborted: true });
    expect(await endOf(first)).toMatchObject({ name: 'AbortError', message: 'enough' });

    await server.release(GET, five);
    expect((await second.unwrap()).text).toBe('five');
    expect(typesOf(actions)).toEqual(['Note/get/pending', 'Note/get/fulfilled']);
    expect(server.received).toHaveLength(1);
  });

  it('leaves once, however often it is aborted', async () => {
    const { store } = setup();
    const first = store.dispatch(Notes.get(id));
    const second = store.dispatch(Notes.get(id));
    await server.holding(GET);

    first.abort();
    first.abort();
    await server.release(GET, five);

    expect((await second.unwrap()).text).toBe('five');
  });

  it('is the last: then the fetch is cancelled for all', async () => {
    const { store } = setup();
    const all = [store.dispatch(Notes.get(id)), store.dispatch(Notes.get(id)), store.dispatch(Notes.get.ifStale(id))];
    await server.holding(GET);

    for (const one of all) one.abort();

    await server.hungUp(GET);
    expect((await Promise.all(all)).map(({ meta }) => meta.aborted)).toEqual([true, true, true]);
  });

  it('is a subscriber: the promise goes on when it leaves', async () => {
    const { store } = setup();
    const { unsubscribe } = store.dispatch(Notes.get.subscribe(id));
    const promise = store.dispatch(Notes.get(id));
    await server.holding(GET);

    unsubscribe();
    await Promise.resolve();
    await server.release(GET, five);

    expect((await promise.unwrap()).text).toBe('five');
    expect(server.received).toHaveLength(1);
  });

  it('is a promise: the subscriber gets the answer when it is aborted', async () => {
    const { store, read } = setup();
    store.dispatch(Notes.get.subscribe(id));
    const promise = store.dispatch(Notes.get(id));
    await server.holding(GET);
    promise.abort();
    await promise;

    const other = store.dispatch(Notes.get.ifStale(id));
    await server.release(GET, five);
    await other;

    expect(read(Notes.get.select(id))?.text).toBe('five');
    expect(server.received).toHaveLength(1);
  });

  it('starts anew, when the last has aborted just before', async () => {
    const { store } = setup();
    const first = store.dispatch(Notes.get(id));
    await server.holding(GET);

    first.abort();
    const second = store.dispatch(Notes.get(id));
    await server.hungUp(GET);
    await server.release(GET, five);

    expect((await second.unwrap()).text).toBe('five');
    expect((await first).meta.aborted).toBe(true);
  });
});

describe('the last subscriber', () => {
  it('cancels, in leaving, the read that was made for it', async () => {
    const { store, read } = setup();
    const before = read(Notes.get.selectRequest(id));
    const { unsubscribe } = store.dispatch(Notes.get.subscribe(id));
    await server.holding(GET);

    unsubscribe();
    await server.hungUp(GET);

    expect(read(Notes.get.selectRequest(id))).toEqual(before);
  });

  it('keeps the one fetch, when another comes in the same moment, as in React’s strict mode', async () => {
    const { store, actions } = setup();
    const { unsubscribe } = store.dispatch(Notes.get.subscribe(id));

    unsubscribe();
    store.dispatch(Notes.get.subscribe(id));
    const promise = store.dispatch(Notes.get.ifStale(id));
    await server.release(GET, five);
    await promise;

    expect(server.received).toHaveLength(1);
    expect(typesOf(actions)).toEqual(['Note/get/pending', 'Note/get/fulfilled']);
  });

  it('cancels it too when it came in the moment in which the one before had left', async () => {
    const { store } = setup();
    const first = store.dispatch(Notes.get.subscribe(id));
    first.unsubscribe();
    const second = store.dispatch(Notes.get.subscribe(id));
    await server.holding(GET);

    second.unsubscribe();

    await server.hungUp(GET);
    expect(server.received).toHaveLength(1);
  });

  it('leaves a write alone', async () => {
    const { store, read } = await setupWithNote();
    const { unsubscribe } = store.dispatch(Notes.get.subscribe(id));
    const edit = store.dispatch(Notes.partialUpdate(id, { text: 'edited' }));
    await server.holding('PATCH /notes/5');

    unsubscribe();
    await Promise.resolve();
    await server.release('PATCH /notes/5', { json: { id: 5, text: 'edited' } });
    await edit.unwrap();

    expect(read(Notes.get.select(id))?.text).toBe('edited');
  });
});

describe('a signal', () => {
  it('of the endpoint aborts all that is under way, and all that comes', async () => {
    const controller = new AbortController();
    const Guarded = Notes.get.extend({ signal: controller.signal });
    const { store, read } = setup();
    const promise = store.dispatch(Guarded(id));
    await server.holding(GET);

    controller.abort(new Error('The wizard was closed.'));
    await server.hungUp(GET);
    expect((await promise).meta.aborted).toBe(true);
    expect(await endOf(promise)).toMatchObject({ name: 'AbortError', message: 'The wizard was closed.' });

    expect((await store.dispatch(Guarded(id))).meta.aborted).toBe(true);
    expect(read(Guarded.selectRequest(id)).status).toBe('uninitialized');
    expect(server.received).toHaveLength(1);
  });

  it('of the endpoint leaves the abort of a promise as it is', async () => {
    const Guarded = Notes.get.extend({ signal: new AbortController().signal });
    const { store } = setup();
    const promise = store.dispatch(Guarded(id));
    await server.holding(GET);

    promise.abort();

    await server.hungUp(GET);
    expect((await promise).meta.aborted).toBe(true);
  });

  it('of the endpoint ends also what does not listen to it', { timeout: 500 }, async () => {
    const controller = new AbortController();
    const never = () => new Promise<never>(() => undefined);
    const Deaf = Notes.get.extend({ signal: controller.signal, fetchResponse: never });
    const { store } = setup();
    const promise = store.dispatch(Deaf(id));

    controller.abort();

    expect((await promise).meta.aborted).toBe(true);
  });

  it('with a time limit fails what takes longer, for that is news to whoever waits', async () => {
    const Quick = Notes.get.extend({ getRequestInit: () => ({ signal: AbortSignal.timeout(50) }) });
    const { store, read } = setup();
    const promise = store.dispatch(Quick(id));
    await server.hungUp(GET);

    expect((await promise).meta.aborted).toBe(false);
    expect(await endOf(promise)).toMatchObject({ name: 'NetworkError', status: undefined });
    expect(read(Quick.selectRequest(id))).toMatchObject({ isError: true, error: { name: 'NetworkError' } });
  });

  /** An endpoint, and the signals that its hooks were given. */
  function watched(signal?: AbortSignal) {
    const seen: AbortSignal[] = [];
    const Watched = Notes.get.extend({
      ...(signal && { signal }),
      getHeaders(headers, api) {
        seen.push(api.signal);

        return headers;
      },
    });
    return { seen, Watched };
  }

  it('of the endpoint is heard by the hooks of its requests', async () => {
    const controller = new AbortController();
    const { seen, Watched } = watched(controller.signal);
    const { store } = setup();
    const promise = store.dispatch(Watched(id));
    await server.holding(GET);
    expect(seen.map(({ aborted }) => aborted)).toEqual([false]);

    controller.abort('left');
    await promise;

    expect(seen.map(({ aborted, reason }) => [aborted, reason as unknown])).toEqual([[true, 'left']]);
    await server.hungUp(GET);
  });

  it('is given to the hooks, and is aborted with the request', async () => {
    const { seen, Watched } = watched();
    const { store } = setup();
    const promise = store.dispatch(Watched(id));
    await server.holding(GET);
    expect(seen.map(({ aborted }) => aborted)).toEqual([false]);

    promise.abort('left');
    await promise;

    expect(seen.map(({ aborted, reason }) => [aborted, reason as unknown])).toEqual([[true, 'left']]);
  });
});

describe('reset', () => {
  it('aborts reads and writes, and nothing of them is left', async () => {
    const { store, resources, slice, read } = await setupWithNote();
    const get = store.dispatch(Notes.get({ id: 6 }));
    const edit = store.dispatch(Notes.partialUpdate(id, { text: 'hoped' }));
    await server.holding('GET /notes/6');
    await server.holding('PATCH /notes/5');

    store.dispatch(resources.reset());
    expect(read(Notes.get.select(id))).toBeUndefined();
    const ends = await Promise.all([get, edit]);

    expect(ends.map(({ meta }) => meta.aborted)).toEqual([true, true]);
    await server.hungUp('GET /notes/6');
    await server.hungUp('PATCH /notes/5');
    expect(slice()).toMatchObject({ tables: {}, intents: [] });
    expect(slice().requests.free).toHaveLength(slice().requests.n);
  });

  it('lets no answer in that was on its way', async () => {
    const deaf: ((response: Response) => void)[] = [];
    const Deaf = Notes.get.extend({ fetchResponse: () => new Promise<Response>((resolve) => deaf.push(resolve)) });
    const { store, resources, slice } = setup();
    const promise = store.dispatch(Deaf(id));
    await Promise.resolve().then(() => Promise.resolve());

    store.dispatch(resources.reset());
    deaf[0]?.(Response.json({ id: 5 }));

    expect((await promise).meta.aborted).toBe(true);
    await new Promise(setImmediate);
    expect(slice().tables).toEqual({});
  });
});

describe('between two hooks', () => {
  /** A resource whose hook waits for the test, and whose adapter knows no signals; and what the adapter was asked to send. */
  function setupSlow(hook: 'getHeaders' | 'getRequestInit') {
    const tools = setup();
    const sent: unknown[] = [];
    const steps: (() => void)[] = [];
    const pass = () => new Promise<void>((resolve) => steps.push(resolve));
    const Slow = createResource({
      path: '/slow/:id',
      schema: Note,
      name: 'Slow',
      ...(hook === 'getHeaders' && { getHeaders: (headers) => pass().then(() => headers) }),
      ...(hook === 'getRequestInit' && { getRequestInit: () => pass().then(() => ({ method: 'DELETE' })) }),
      fetchResponse: (input) => {
        sent.push(input);

        return Promise.resolve(Response.json({ id: 5 }));
      },
    });
    const goOn = async () => {
      for (const step of steps.splice(0)) step();
      // All that a promise can still do in this turn is done when a timer ends.
      await new Promise((resolve) => setTimeout(resolve));
    };

    return { ...tools, Slow, sent, goOn };
  }

  it.each(['getRequestInit', 'getHeaders'] as const)(
    'a request that is aborted while it waits in %s ends: nothing is sent',
    async (hook) => {
      const { store, Slow, sent, goOn } = setupSlow(hook);
      const promise = store.dispatch(Slow.delete(id));

      promise.abort();
      await promise;
      await goOn();

      expect(sent).toEqual([]);
    },
  );

  it('a request that waits ends with reset: nothing is sent for the next user', async () => {
    const { store, resources, Slow, sent, goOn } = setupSlow('getHeaders');
    const promise = store.dispatch(Slow.delete(id));

    store.dispatch(resources.reset());
    await promise;
    await goOn();

    expect(sent).toEqual([]);
  });

  it('a request ends with the signal of its endpoint, and without a store', async () => {
    const { Slow, sent, goOn } = setupSlow('getHeaders');
    const controller = new AbortController();
    const promise = Slow.delete.extend({ signal: controller.signal }).fetch(id);

    controller.abort(new Error('left'));
    const end = promise.catch((error: unknown) => error);
    await goOn();

    expect(await end).toMatchObject({ name: 'AbortError', message: 'left' });
    expect(sent).toEqual([]);
  });

  it.each(['abort', 'reset'])(
    'a request that its own fetchResponse lets wait, or tries again, ends with %s: nothing is sent, with no other token',
    async (how) => {
      const sent: unknown[] = [];
      let token = 'first user';
      const { store, resources } = setup({
        // It knows no signals.
        fetchFn: (_, { headers }) => {
          sent.push(new Headers(headers).get('authorization'));

          return Promise.resolve(Response.json({}, { status: 401 }));
        },
      });
      let refreshed: () => void = () => undefined;
      let isRefused: () => void = () => undefined;
      const refusal = new Promise<void>((resolve) => (isRefused = resolve));
      class Refreshing<O extends ShapeOptions = ShapeOptions> extends RestEndpoint<O> {
        override async fetchResponse(input: string, { signal: _, ...init }: RequestInit): Promise<Response> {
          const send = () => super.fetchResponse(input, { ...init, headers: { authorization: token } });
          try {
            return await send();
          } catch {
            isRefused();
            await new Promise<void>((resolve) => (refreshed = resolve));

            return send();
          }
        }
      }
      const remove = new Refreshing({ path: '/notes/:id', method: 'DELETE', name: 'remove' });
      const promise = store.dispatch(remove(id));
      await refusal;

      if (how === 'abort') promise.abort();
      else store.dispatch(resources.reset());
      await promise;
      token = 'next user';
      refreshed();
      await new Promise((resolve) => setTimeout(resolve));

      expect(sent).toEqual(['first user']);
    },
  );

  it('a request that is to be tried again, or to go on to the next page, is not sent any more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const sent: string[] = [];
    const answers: ((response: Response) => void)[] = [];
    const { store, resources } = setup({
      fetchFn: (input) => {
        sent.push(input.slice(server.url.length));

        return new Promise((resolve) => answers.push(resolve));
      },
    });
    const Tried = Notes.get.extend({ name: 'Tried', retry: { times: 3, delay: () => 1_000 } });
    const getFeed = Notes.getList.paginated({ next: (_, { page = 0 }: { page?: number }) => ({ page: page + 1 }) });
    const turn = () => vi.advanceTimersByTimeAsync(1);
    const answer = async (status: number) => {
      await turn();
      for (const resolve of answers.splice(0)) resolve(Response.json([{ id: 5 }], { status }));
      await turn();
    };
    const first = store.dispatch(getFeed());
    await answer(200);
    await first;
    const second = store.dispatch(getFeed.getNextPage());
    await answer(200);
    await second;
    sent.length = 0;
    store.dispatch(resources.expire(getFeed));

    const tried = store.dispatch(Tried(id));
    await answer(503);
    const allPages = store.dispatch(getFeed.ifStale());
    await turn();
    for (const promise of [tried, allPages]) promise.abort();
    await answer(200);
    await vi.advanceTimersByTimeAsync(2_000);

    expect(sent).toEqual(['/notes/5', '/notes']);
  });

  it('an answer that comes from an adapter without signals is not parsed', async () => {
    const { store } = setup();
    const parsed: unknown[] = [];
    let answer: (response: Response) => void = () => undefined;
    let isSent: () => void = () => undefined;
    const sending = new Promise<void>((resolve) => (isSent = resolve));
    const Late = Notes.get.extend({
      fetchResponse: () => {
        isSent();

        return new Promise<Response>((resolve) => (answer = resolve));
      },
      parseResponse: (response) => Promise.resolve(parsed.push(response)),
    });
    const promise = store.dispatch(Late(id));
    await sending;

    promise.abort();
    await promise;
    answer(Response.json({ id: 5 }));
    await new Promise((resolve) => setTimeout(resolve));

    expect(parsed).toEqual([]);
  });
});
