import { createResource, Entity, NetworkError, RestEndpoint, type EndpointOptions } from 'rtk-resource';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeNetwork, pass, type Answer, type Network } from '../support/network.js';
import { setup, typesOf } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  color = '';
  static override key = 'Note';
}

type Store = ReturnType<typeof setup>['store'];
type Retry = Exclude<NonNullable<EndpointOptions['retry']>, number>;
const options = { path: '/notes/:id', schema: Note, optimistic: true } as const;
const resourceWith = (retry: number | Retry) => createResource({ ...options, retry });
const Notes = resourceWith(2);
const id = { id: 5 };
const GET = 'GET /notes/5';
const five = { json: { id: 5, text: 'five' } };

let network: Network;
beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-01-05T10:00:00Z') });
  network = fakeNetwork();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Gives these answers, and the last of them from then on. */
function answerInTurn(name: string, answers: readonly Answer[]): void {
  let turn = 0;
  network.answer(name, () => answers[Math.min(turn++, answers.length - 1)] ?? {});
}

/** After how many ms the calls of a request went out, until it ended. */
async function pausesOf(dispatch: () => Promise<unknown>): Promise<readonly number[]> {
  const begin = Date.now();
  const times: number[] = [];
  const before = network.calls.length;
  const ended = { is: false };
  void dispatch().then(() => (ended.is = true));
  await pass();
  times.push(...network.calls.slice(before).map(() => 0));
  while (!ended.is && Date.now() - begin < 1_000_000) {
    const known = network.calls.length;
    await vi.advanceTimersToNextTimerAsync();
    await pass();
    if (network.calls.length > known) times.push(Date.now() - begin);
  }

  return times.slice(1).map((time, i) => time - (times[i] ?? 0));
}

describe('a request that fails for a passing reason', () => {
  it('is sent again, and nobody sees more than that it takes longer', async () => {
    const { store, actions, read } = setup();
    answerInTurn(GET, [{ status: 503 }, { isDown: true }, five]);

    const promise = store.dispatch(Notes.get(id));
    await pass(10_000);

    expect((await promise.unwrap()).text).toBe('five');
    expect(network.calls).toEqual([GET, GET, GET]);
    expect(typesOf(actions)).toEqual(['Note/get/pending', 'Note/get/fulfilled']);
    expect(read(Notes.get.selectRequest(id))).toMatchObject({ isSuccess: true, error: undefined });
  });

  it('fails with its last error, when it has been sent again as often as was said', async () => {
    const { store, actions, read } = setup();
    answerInTurn(GET, [{ status: 500 }, { status: 502 }, { status: 504 }, five]);

    const promise = store.dispatch(Notes.get(id));
    await pass(1_000);
    expect(read(Notes.get.selectRequest(id))).toMatchObject({ isLoading: true, error: undefined });
    await pass(10_000);

    expect((await promise).error?.status).toBe(504);
    expect(network.calls).toHaveLength(3);
    expect(typesOf(actions)).toEqual(['Note/get/pending', 'Note/get/rejected']);
  });

  it.each([
    ['without an answer', { isDown: true }],
    ...[408, 425, 429, 500, 502, 503, 504].map((status) => [String(status), { status }] as const),
  ] as const)('is sent again: %s', async (_, answer: Answer) => {
    const { store } = setup();
    answerInTurn(GET, [answer, five]);

    const promise = store.dispatch(Notes.get(id));
    await pass(10_000);

    expect((await promise).type).toBe('Note/get/fulfilled');
  });

  it.each([400, 401, 403, 404, 409, 422, 501])('is not sent again for a reason that stays: %i', async (status) => {
    const { store } = setup();
    network.answer(GET, { status });

    const action = await store.dispatch(Notes.get(id));

    expect(action.error?.status).toBe(status);
    expect(network.calls).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not sent again where the answer came and cannot be used', async () => {
    const { store } = setup();
    network.answer(GET, { json: 'no note' });

    const action = await store.dispatch(Notes.get(id));

    expect(action.type).toBe('Note/get/rejected');
    expect(network.calls).toHaveLength(1);
  });

  it.each([
    ['TypeError', 'Network request failed'],
    ['TimeoutError', 'signal timed out'],
  ])('is sent again where a fetchResponse of its own rejects with a %s', async (name, text) => {
    const { store } = setup();
    const broken = Object.assign(new Error(text), { name });
    const fetchResponse = vi
      .fn<() => Promise<Response>>()
      .mockRejectedValueOnce(broken)
      .mockResolvedValueOnce(Response.json(five.json));
    const sending = store.dispatch(Notes.get.extend({ fetchResponse })(id)).unwrap();
    await vi.runAllTimersAsync();
    const failing = vi.fn<() => Promise<Response>>().mockRejectedValue(broken);

    expect(await sending).toMatchObject({ text: 'five' });
    await expect(Notes.get.extend({ fetchResponse: failing }).fetch(id)).rejects.toMatchObject({
      name: 'NetworkError',
      message: `GET /notes/5 was not answered: ${text}`,
      cause: broken,
    });
  });

  it('is sent once where a fetchResponse of its own rejects with an error that has a status, or by a mistake', async () => {
    const { store } = setup();
    const refused = Object.assign(new Error('No.'), { name: 'NetworkError', status: 422 });
    const mistake = new TypeError("Cannot read properties of undefined (reading 'token')");

    for (const error of [refused, mistake]) {
      const fetchResponse = vi.fn<() => Promise<Response>>().mockRejectedValue(error);
      const sending = store.dispatch(Notes.get.extend({ fetchResponse })(id)).unwrap();

      await expect(sending).rejects.toBe(error);
      expect(fetchResponse).toHaveBeenCalledTimes(1);
    }
  });

  it('is sent once where nothing is said, or 0', async () => {
    const { store } = setup();
    network.answer(GET, { status: 503 });

    await store.dispatch(createResource(options).get(id));
    await store.dispatch(resourceWith(0).get(id));

    expect(network.calls).toHaveLength(2);
  });

  it('can be told to by a class', async () => {
    class Stubborn extends RestEndpoint {
      override retry = 1;
    }
    const { store } = setup();
    answerInTurn(GET, [{ status: 503 }, five]);

    const promise = store.dispatch(createResource({ ...options, Endpoint: Stubborn }).get(id));
    await pass(1_000);

    expect((await promise.unwrap()).text).toBe('five');
  });

  it('runs all its hooks each time', async () => {
    let count = 0;
    const Counted = Notes.get.extend({ getHeaders: (headers) => ({ ...headers, attempt: String(++count) }) });
    const { store } = setup();
    answerInTurn(GET, [{ status: 503 }, five]);

    const promise = store.dispatch(Counted(id));
    await pass(1_000);
    await promise;

    expect(count).toBe(2);
  });

  it('is one fetch for all who wait, also in its pauses', async () => {
    const { store } = setup();
    answerInTurn(GET, [{ status: 503 }, five]);

    const first = store.dispatch(Notes.get(id));
    await pass(100);
    const second = store.dispatch(Notes.get.ifStale(id));
    await pass(1_000);

    expect(await second.unwrap()).toBe(await first.unwrap());
    expect(network.calls).toHaveLength(2);
  });
});

describe('a write', () => {
  const push = 'POST /notes';
  const patch = 'PATCH /notes/5';

  it.each([
    ['PUT', (store: Store) => store.dispatch(Notes.update(id, { text: 'new' })), 'PUT /notes/5'],
    ['DELETE', (store: Store) => store.dispatch(Notes.delete(id)), 'DELETE /notes/5'],
  ] as const)('that does the same once or twice is sent again: %s', async (_, send, name) => {
    const { store } = setup();
    answerInTurn(name, [{ status: 503 }, { status: 204 }]);

    const promise = send(store);
    await pass(1_000);

    expect((await promise).error).toBeUndefined();
    expect(network.calls).toEqual([name, name]);
  });

  it.each([
    ['POST', () => Notes.getList.push({ text: 'new' }), push],
    ['PATCH', () => Notes.partialUpdate(id, { text: 'new' }), patch],
  ] as const)('that might be done twice is sent once: %s', async (_, request, name) => {
    const { store } = setup();
    answerInTurn(name, [{ status: 503 }, { json: { id: 5 } }]);

    const action = await store.dispatch(request());

    expect(action.error?.status).toBe(503);
    expect(network.calls).toEqual([name]);
  });

  it('is sent again where that is said to do no harm', async () => {
    const Safe = resourceWith({ times: 1, writes: true });
    const { store } = setup();
    answerInTurn(push, [{ status: 503 }, { json: { id: 6, text: 'new' } }]);
    answerInTurn(patch, [{ isDown: true }, five]);

    const creation = store.dispatch(Safe.getList.push({ text: 'new' }));
    const edit = store.dispatch(Safe.partialUpdate(id, { text: 'new' }));
    await pass(1_000);

    expect((await creation.unwrap()).id).toBe(6);
    expect((await edit.unwrap()).text).toBe('five');
  });

  it('has its row fetched again, for it may have been answered as it was the first time', async () => {
    const Safe = resourceWith({ times: 1, writes: true });
    const { store, actions, read } = setup();
    network.answer(GET, five);
    store.dispatch(Safe.get.subscribe(id));
    await pass();
    answerInTurn(patch, [{ isDown: true }, { json: { id: 5, text: 'new', color: 'as it was' } }]);

    const edit = store.dispatch(Safe.partialUpdate(id, { text: 'new' }));
    await pass();
    network.answer(GET, { json: { id: 5, text: 'new', color: 'as it is' } });
    await store.dispatch(Safe.get(id));
    await pass(1_000);
    await edit.unwrap();
    await pass();

    expect(network.calls.filter((name) => name === GET)).toHaveLength(3);
    expect(read(Safe.get.select(id))).toMatchObject({ color: 'as it is' });
    expect(typesOf(actions).at(-1)).toBe('Note/get/fulfilled');
  });

  it('shows what it creates once in each list, also while it is sent again', async () => {
    const Safe = resourceWith({ times: 1, writes: true });
    const { store, read } = setup();
    const json = [{ id: 6, text: 'new', color: 'red' }];
    network.answer('GET /notes', { json });
    network.answer('GET /notes?color=red', { json });

    const creation = store.dispatch(Safe.getList.push({ text: 'new', color: 'red' }));
    await pass();
    await network.release(push, { status: 504 });
    await store.dispatch(Safe.getList());
    await pass(1_000);
    await store.dispatch(Safe.getList({ color: 'red' }));
    const shown = [read(Safe.getList.select()), read(Safe.getList.select({ color: 'red' }))];
    await network.release(push, { json: json[0] });
    await creation.unwrap();

    expect(shown).toEqual([json, json]);
  });

  it('leaves fresh what shows its row where the first try was refused', async () => {
    const { store } = setup();
    network.answer(GET, five);
    store.dispatch(Notes.get.subscribe(id));
    await pass();
    answerInTurn('PUT /notes/5', [{ status: 429 }, five]);

    const edit = store.dispatch(Notes.update(id, { text: 'five' }));
    await pass(2_000);
    await edit.unwrap();
    await pass();

    expect(network.calls).toEqual([GET, 'PUT /notes/5', 'PUT /notes/5']);
  });

  it('has a read made again that had not found its row', async () => {
    const { store, read } = setup();
    answerInTurn(GET, [{ status: 404 }, five]);
    store.dispatch(Notes.get.subscribe(id));
    await pass();
    answerInTurn('PUT /notes/5', [{ isDown: true }, five]);

    const edit = store.dispatch(Notes.update(id, { text: 'five' }));
    await pass(2_000);
    await edit.unwrap();
    await pass();

    expect(read(Notes.get.selectRequest(id))).toMatchObject({ isError: false, data: { text: 'five' } });
  });

  it('that only reads is sent again', async () => {
    const search = new RestEndpoint({
      path: '/search',
      method: 'POST',
      body: {} as { q: string },
      sideEffect: false,
      schema: [Note],
      retry: 1,
    });
    const { store } = setup();
    answerInTurn('POST /search', [{ status: 503 }, { json: [{ id: 1, text: 'found' }] }]);

    const promise = store.dispatch(search({ q: 'f' }));
    await pass(1_000);

    expect((await promise.unwrap()).map(({ text }) => text)).toEqual(['found']);
  });

  it('shows what it hopes for until its last failure, and then takes it back', async () => {
    const { store, read, watch } = setup();
    network.answer(GET, five);
    await store.dispatch(Notes.get(id));
    const texts = watch((state) => Notes.get.select(id)(state)?.text);
    network.answer('PUT /notes/5', { status: 503 });

    const promise = store.dispatch(Notes.update(id, { text: 'hoped' }));
    await pass(1_000);
    expect(network.calls).toHaveLength(3);
    expect(read(Notes.get.select(id))?.text).toBe('hoped');
    await pass(10_000);
    await promise;

    expect(network.calls).toHaveLength(4);
    expect(texts).toEqual(['five', 'hoped', 'five']);
  });

  it('waits in line behind one that is being tried again', async () => {
    const InLine = Notes.extend({ update: { serialize: true } });
    const { store, read } = setup();
    answerInTurn('PUT /notes/5', [{ status: 503 }, five, { json: { id: 5, text: 'second' } }]);

    const first = store.dispatch(InLine.update(id, { text: 'first' }));
    const second = store.dispatch(InLine.update(id, { text: 'second' }));
    await pass(100);
    expect(network.calls).toHaveLength(1);
    await pass(1_000);

    await first.unwrap();
    await second.unwrap();
    expect(read(Notes.get.select(id))?.text).toBe('second');
    expect(network.calls).toHaveLength(3);
  });
});

describe('the pause', () => {
  // In the middle of what may be left out of it: a quarter. Ids are made of random numbers too, so no test here sends two.
  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
  });

  const failing = (retry: number | Retry, answer: Answer = { status: 503 }) => {
    const { store } = setup();
    network.answer(GET, answer);

    return pausesOf(() => store.dispatch(resourceWith(retry).get(id)));
  };

  it('begins at a second and doubles, up to half a minute', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);

    expect(await failing(7)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('is cut at random, down to a half', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(await failing(3)).toEqual([500, 1_000, 2_000]);

    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    expect(await failing(3)).toEqual([750, 1_500, 3_000]);
  });

  it('is what the server asks for, in seconds', async () => {
    expect(await failing(2, { status: 429, headers: { 'retry-after': '7' } })).toEqual([7_000, 7_000]);
  });

  it('is what the server asks for, as a date', async () => {
    const date = 'Mon, 05 Jan 2026 10:00:07 GMT';

    expect(await failing(1, { status: 503, headers: { 'retry-after': date } })).toEqual([7_000]);
  });

  it('is not waited for where the server asks for more than 30 s', async () => {
    expect(await failing(2, { status: 429, headers: { 'retry-after': '31' } })).toEqual([]);
  });

  it.each(['0', '-5', 'soon', 'Mon, 05 Jan 2026 09:00:00 GMT'])(
    'is as usual where the server asks for none: %s',
    async (wish) => {
      expect(await failing(1, { status: 503, headers: { 'retry-after': wish } })).toEqual([750]);
    },
  );

  it('is what a function says, of the attempt and its error', async () => {
    const asked: unknown[] = [];
    const delay = (attempt: number, error: unknown) => {
      asked.push([attempt, error instanceof NetworkError && error.status]);

      return attempt * 10;
    };

    expect(await failing({ times: 3, delay })).toEqual([10, 20, 30]);
    expect(asked).toEqual([
      [1, 503],
      [2, 503],
      [3, 503],
    ]);
  });
});

describe('which errors are worth another try', () => {
  it('can be said by a function, of the error and the attempt', async () => {
    const when = (error: unknown, attempt: number) =>
      error instanceof NetworkError && error.status === 404 && attempt < 3;
    const { store } = setup();
    network.answer(GET, { status: 404 });

    const promise = store.dispatch(resourceWith({ times: 9, when, delay: () => 1 }).get(id));
    await pass(100);

    expect((await promise).error?.status).toBe(404);
    expect(network.calls).toHaveLength(3);
  });

  it('is asked of what the hooks have thrown, too', async () => {
    let count = 0;
    const Flaky = resourceWith({ times: 1, when: () => true, delay: () => 1 }).get.extend({
      process(value: unknown) {
        if (++count === 1) throw new Error('Not yet.');

        return value;
      },
    });
    const { store } = setup();
    network.answer(GET, five);

    const promise = store.dispatch(Flaky(id));
    await pass(100);

    expect((await promise.unwrap()).text).toBe('five');
  });

  it('fails the request with what the function has thrown', async () => {
    const when = () => {
      throw new TypeError('No such field.');
    };
    const { store } = setup();
    network.answer(GET, { status: 503 });

    const action = await store.dispatch(resourceWith({ times: 1, when }).get(id));

    expect(action.error).toMatchObject({ name: 'TypeError', message: 'No such field.' });
  });
});

describe('a request that is tried again', () => {
  it('can be aborted in the pause: nothing more is sent, and no timer runs', async () => {
    const { store, read } = setup();
    network.answer(GET, { status: 503 });
    const promise = store.dispatch(Notes.get(id));
    await pass(100);
    expect(vi.getTimerCount()).toBe(1);

    promise.abort('enough');
    const action = await promise;

    expect(action.meta.aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    expect(read(Notes.get.selectRequest(id)).status).toBe('uninitialized');
    await pass(10_000);
    expect(network.calls).toHaveLength(1);
  });

  it('can be aborted while it is sent again', async () => {
    const { store } = setup();
    answerInTurn(GET, [{ status: 503 }]);
    const promise = store.dispatch(Notes.get(id));
    await pass();
    network.forget();
    await pass(1_000);
    expect(network.calls).toEqual([GET]);

    promise.abort();

    expect((await promise).meta.aborted).toBe(true);
    expect(network.aborted).toEqual([GET]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for nothing more, where it failed after it was aborted', async () => {
    const fail: (() => void)[] = [];
    const Deaf = Notes.get.extend({
      fetchResponse: (url: string) =>
        new Promise<never>((_, reject) => {
          fail.push(() => {
            reject(new NetworkError('Too late.', { url }));
          });
        }),
    });
    const { store } = setup();
    const promise = store.dispatch(Deaf(id));
    await pass();

    promise.abort();
    fail[0]?.();
    await pass();

    expect((await promise).meta.aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is ended by the signal of the endpoint, in the pause too', async () => {
    const controller = new AbortController();
    const Guarded = Notes.get.extend({ signal: controller.signal });
    const { store } = setup();
    network.answer(GET, { status: 503 });
    const promise = store.dispatch(Guarded(id));
    let isOver = false;
    void promise.then(() => (isOver = true));
    await pass(100);

    controller.abort();
    await pass();

    expect(isOver).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is ended by reset, and by the last subscriber', async () => {
    const { store, resources } = setup();
    network.answer(GET, { status: 503 });
    const promise = store.dispatch(Notes.get(id));
    const { unsubscribe } = store.dispatch(Notes.get.subscribe({ id: 6 }));
    network.answer('GET /notes/6', { status: 503 });
    await pass(100);

    store.dispatch(resources.reset());
    unsubscribe();
    await pass(120_000);

    expect((await promise).meta.aborted).toBe(true);
    expect(network.calls.filter((name) => name === GET)).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is polled for no sooner than it has ended', async () => {
    const Polled = Notes.get.extend({ pollFrequency: 100, retry: { times: 1, delay: () => 750 } });
    const { store } = setup();
    answerInTurn(GET, [{ status: 503 }, five]);
    const { unsubscribe } = store.dispatch(Polled.subscribe(id));

    await pass(740);
    expect(network.calls).toHaveLength(1);
    await pass(10);
    expect(network.calls).toHaveLength(2);
    unsubscribe();
  });
});
