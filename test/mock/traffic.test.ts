import { NetworkError } from 'rtk-resource';
import { mockServer } from 'rtk-resource/mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask, json, seed, serve, Todo, TodoResource, UserResource } from '../support/mocked.js';

const { get, getList, partialUpdate } = TodoResource;

describe('what is held', () => {
  it('reads answer as they would have on their arrival', async () => {
    const { server, store } = serve([]);
    const undo = server.hold(get);

    const promise = store.dispatch(get({ id: 1 }));
    await vi.waitUntil(() => server.held.length === 1);
    server.set(Todo, { id: 1, title: 'Changed' });
    server.held[0]?.answer();

    expect((await promise.unwrap()).title).toBe('Read');
    undo();
    expect((await store.dispatch(get({ id: 1 })).unwrap()).title).toBe('Changed');
  });

  it('writes are seen by nobody before they are answered', async () => {
    const { server, store } = serve([]);
    server.hold('PATCH');

    const promise = store.dispatch(partialUpdate({ id: 1 }, { title: 'Later' }));
    await vi.waitUntil(() => server.held.length === 1);
    const before = server.rows(Todo)[0]?.title;
    server.release();
    const after = server.rows(Todo)[0]?.title;

    expect([before, after]).toEqual(['Read', 'Later']);
    expect((await promise.unwrap()).title).toBe('Later');
    expect(server.held).toEqual([]);
  });

  it('may be held at its other end', async () => {
    const { server } = serve([]);
    server.hold('PATCH', { at: 'answer' });
    server.hold('GET', { at: 'arrival' });

    const write = ask(server, 'PATCH /todos/1', json({ title: 'At once' }));
    const read = ask(server, '/todos/1');
    const applied = server.rows(Todo)[0]?.title;
    server.set(Todo, { id: 1, title: 'Changed' });
    server.release();

    expect(applied).toBe('At once');
    expect((await write).body).toMatchObject({ title: 'At once' });
    expect((await read).body).toMatchObject({ title: 'Changed' });
  });

  it('can be answered in any order, refused and lost', async () => {
    const { server } = serve([]);
    server.hold('/todos/:id');

    const [first, second, third] = ['One', 'Two', 'Three'].map((title, i) =>
      ask(server, `PATCH /todos/${i + 1}`, json({ title })),
    );
    const [one, two, three] = server.held;
    three?.lose();
    two?.fail(422, { errors: { title: 'Taken' } });
    one?.answer();

    await expect(third).rejects.toThrow(TypeError);
    expect(await second).toMatchObject({ status: 422, body: { errors: { title: 'Taken' } } });
    expect(await first).toMatchObject({ status: 200 });
    expect(server.rows(Todo).map(({ title }) => title)).toEqual(['One', 'Write', 'Three']);
    expect(server.calls.map(({ status }) => status)).toEqual([200, 422, undefined]);
  });

  it('is left at once by what is aborted; what was applied stays', async () => {
    const { server } = serve([]);
    server.hold('DELETE');
    server.hold('PATCH', { at: 'answer' });
    const controllers = [new AbortController(), new AbortController()];
    const [gone, edited] = ['DELETE /todos/1', 'PATCH /todos/2'].map((address, i) =>
      ask(server, address, { ...json({ title: 'Applied' }), signal: controllers[i]?.signal ?? null }),
    );

    for (const controller of controllers) controller.abort();

    expect(server.held).toEqual([]);
    await expect(gone).rejects.toMatchObject({ name: 'AbortError' });
    await expect(edited).rejects.toMatchObject({ name: 'AbortError' });
    expect(server.rows(Todo).map(({ title }) => title)).toEqual(['Read', 'Applied', 'Count']);
  });

  it('is left at once by what is aborted, or reset, while a handler of your own takes its time', async () => {
    const { server } = serve([]);
    let answer: (row: object) => void = () => undefined;
    server.use(get, () => new Promise<object>((resolve) => (answer = resolve)));
    const controller = new AbortController();
    const aborted = server.fetch('/todos/1', { signal: controller.signal });
    const reset = server.fetch('/todos/1');
    const settled = Promise.allSettled([aborted, reset]);

    controller.abort();
    server.reset();

    expect((await settled).map((one) => one.status === 'rejected' && (one.reason as Error).name)).toEqual([
      'AbortError',
      'TypeError',
    ]);
    answer({ id: 1 });
  });

  it('goes on being held by a rule that is not undone', async () => {
    const { server } = serve([]);
    const undo = server.hold(UserResource.get);

    const first = ask(server, '/users/1');
    server.release();
    const second = ask(server, '/users/1');
    undo();
    const waiting = server.held.length;
    server.release();

    expect(waiting).toBe(1);
    expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('what is told to fail', () => {
  it('is not applied; lost, it is; dropped, it never arrives; each so many times', async () => {
    const { server, store } = serve([]);
    const edit = (title: string) => store.dispatch(partialUpdate({ id: 1 }, { title }));
    const title = (): string | undefined => server.rows(Todo)[0]?.title;

    server.fail('PATCH', 503, { body: { title: 'Closed' }, times: 1 });
    const failed = await edit('Failed');
    const afterFail = title();
    server.lose('PATCH /todos/:id', { times: 1 });
    const lost = await edit('Lost');
    const afterLoss = title();
    server.drop(partialUpdate, { times: 1 });
    const dropped = await edit('Dropped');
    const afterDrop = title();
    await edit('Done').unwrap();

    expect(failed.error).toMatchObject({ status: 503, data: { title: 'Closed' } });
    expect(lost.error).toMatchObject({ name: 'NetworkError' });
    expect(dropped.error).toMatchObject({ name: 'NetworkError' });
    expect([afterFail, afterLoss, afterDrop, title()]).toEqual(['Read', 'Lost', 'Lost', 'Done']);
    expect(server.calls.map(({ status }) => status)).toEqual([503, undefined, 200]);
  });

  it('is what a query string names, in whatever order, where one is told', async () => {
    const { server } = serve([]);
    server.fail('GET /todos?userId=1', 500);
    server.fail('/todos?completed=true&userId=2', 503);

    const addresses = [
      '/todos?completed=false&userId=1',
      '/todos?userId=2',
      '/todos',
      '/todos?userId=2&completed=true',
    ];
    const answers = await Promise.all(addresses.map((address) => server.fetch(address)));

    expect(answers.map(({ status }) => status)).toEqual([500, 200, 200, 503]);
    expect(() => server.fail('/todoss?userId=1', 500)).toThrow(/no route \/todoss/);
  });

  it.each(['PUT /todos', 'DELETE /todos', 'POST /todos/1'] as const)(
    'is refused for %s, which has no route',
    (match) => {
      const { server } = serve([]);

      expect(() => server.fail(match, 500)).toThrow(`The server has no route ${match}. The nearest: `);
    },
  );

  it('is told for HEAD, which each GET takes', async () => {
    const { server } = serve([]);
    server.fail('HEAD /todos/:id', 500);

    expect((await ask(server, 'HEAD /todos/1')).status).toBe(500);
  });

  it('may be told to answer with a status that has no body', async () => {
    const { server } = serve([]);
    server.fail('DELETE', 204);
    server.fail('GET', 304, { body: { title: 'Left out' } });

    const answers = await Promise.all(['DELETE /todos/1', '/todos/1'].map((address) => ask(server, address)));

    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [204, undefined],
      [304, undefined],
    ]);
    expect(server.rows(Todo)).toHaveLength(3);
  });

  it('fails with a response of your own, a fresh one each time', async () => {
    const { server } = serve([]);
    server.fail((request) => request.url.endsWith('/1'), new Response('Nope', { status: 418 }));

    const answers = await Promise.all([1, 1, 2].map((id) => server.fetch(`/todos/${id}`)));

    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['Nope', 'Nope', expect.anything()]);
  });

  it('fails until the network is there again', async () => {
    const { server, store } = serve([]);
    const undo = server.offline();

    const promise = store.dispatch(get({ id: 1 })).unwrap();
    await expect(promise).rejects.toThrow(NetworkError);
    undo();

    expect((await store.dispatch(get({ id: 1 })).unwrap()).id).toBe(1);
  });
});

describe('a delay', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is driven by fake timers alone; a read answers as on its arrival', async () => {
    const { server, store } = serve([], { seed, delay: 300 });
    const read = store.dispatch(get({ id: 1 })).unwrap();

    await vi.advanceTimersByTimeAsync(299);
    const status = server.calls[0]?.status;
    server.set(Todo, { id: 1, title: 'Changed' });
    await vi.advanceTimersByTimeAsync(1);

    expect([status, (await read).title]).toEqual([undefined, 'Read']);
  });

  it('lets nothing overtake: a write is applied on its arrival, and what is read after it shows it', async () => {
    const { server } = serve([], { seed, delay: 300 });

    const write = ask(server, 'PATCH /todos/1', json({ title: 'Edited' }));
    await vi.advanceTimersByTimeAsync(10);
    const read = ask(server, '/todos/1');
    await vi.advanceTimersByTimeAsync(300);

    expect([(await write).body, (await read).body]).toMatchObject([{ title: 'Edited' }, { title: 'Edited' }]);
  });

  it('leaves what is refused, or held on its way, unapplied', async () => {
    const { server } = serve([], { seed, delay: 300 });
    server.fail('PATCH', 503, { times: 1 });

    const refused = ask(server, 'PATCH /todos/1', json({ title: 'Refused' }));
    await vi.advanceTimersByTimeAsync(300);
    server.hold('PATCH');
    const held = ask(server, 'PATCH /todos/1', json({ title: 'Held' }));
    await vi.advanceTimersByTimeAsync(300);
    const before = server.rows(Todo)[0]?.title;
    server.release();

    expect([(await refused).status, before]).toEqual([503, 'Read']);
    expect((await held).body).toMatchObject({ title: 'Held' });
  });

  it('is between two times, by request, or told later', async () => {
    const timed = vi.spyOn(globalThis, 'setTimeout');
    const ranged = mockServer([TodoResource], { delay: [100, 200] });
    const chosen = mockServer([TodoResource], { delay: (request) => (request.method === 'GET' ? 5 : 0) });
    chosen.delay(70, 'DELETE');

    const answers = [ranged.fetch('/todos'), chosen.fetch('/todos'), chosen.fetch('/todos/1', { method: 'DELETE' })];
    const [range = 0, ...others] = timed.mock.calls.map(([, ms]) => ms);
    await vi.runAllTimersAsync();
    await Promise.all(answers);
    // Else it would be put in place of the real one later.
    timed.mockRestore();

    expect(range >= 100 && range <= 200).toBe(true);
    expect(others).toEqual([5, 70]);
  });

  it('sets no timer where it is 0', async () => {
    const { store } = serve([]);

    await store.dispatch(getList()).unwrap();

    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a reset', () => {
  it('brings back the seed, ids, the time, what was told and the calls, and drops what is under way', async () => {
    const { server } = serve([], { seed, write: { Todo: (row, { now }) => ({ ...row, at: now }) } });
    const create = () => ask(server, 'POST /todos', json({ title: 'New' }));
    const first = await create();
    server.fail('GET', 500);
    server.hold('POST');
    const held = create();

    server.reset();
    const again = await create();

    await expect(held).rejects.toThrow(TypeError);
    expect(again.body).toEqual(first.body);
    expect((await ask(server, '/todos')).body).toHaveLength(4);
    expect(server.calls.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  it('knows again the fields that the class and the seed have, and no others', async () => {
    const { server } = serve([]);
    const heard: (string | number)[] = [];
    server.subscribe(({ pk }) => heard.push(pk));
    await ask(server, 'PATCH /todos/1', json({ draft: true }));

    server.reset();
    const { status } = await ask(server, '/todos?draft=true');
    await ask(server, 'PATCH /todos/2', json({ title: 'Heard' }));

    expect(status).toBe(400);
    expect(heard).toEqual(['1', '2']);
  });

  it('may go back to a snapshot instead', async () => {
    const { server } = serve([], { seed: { Issue: [{ id: 1, title: 'Door', author: { id: 1, name: 'Ada' } }] } });
    await ask(server, 'PATCH /users/1', json({ name: 'Augusta' }));
    const snapshot = server.snapshot();
    await ask(server, 'PATCH /users/1', json({ name: 'Countess' }));
    await ask(server, 'DELETE /issues/1');

    server.restore(snapshot);

    expect((await ask(server, '/issues')).body).toEqual([{ id: 1, title: 'Door', author: { id: 1, name: 'Augusta' } }]);
  });
});
