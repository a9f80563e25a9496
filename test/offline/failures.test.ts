import { RestEndpoint } from 'rtk-resource';
import type { Served } from 'rtk-resource/mock';
import { describe, expect, it, vi } from 'vitest';
import {
  fakeTime,
  makeServer,
  newName,
  openLeading,
  openTab,
  pass,
  statuses,
  Todo,
  TodoResource,
  turns,
  until,
  untilSent,
  writesTo,
  type Tab,
} from '../support/outbox.js';

const { partialUpdate, getList } = TodoResource;
const remove = TodoResource.delete;

/** Waits until the first write was sent, and is to be sent again. */
async function untilRefused({ state }: Tab): Promise<void> {
  await until(() => state().entries[0]?.status === 'waiting');
}

fakeTime();

describe('a write that the server refuses for now', () => {
  it('is sent again when the server wants it, and not before, whatever happens', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    server.fail('PATCH', new Response(null, { status: 503, headers: { 'retry-after': '30' } }), { times: 1 });

    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Later' }));
    await untilRefused(tab);
    tab.line.setOnline(false);
    tab.line.setOnline(true);
    await pass(29_000);
    const early = writesTo(server).length;
    await pass(1_100);
    await untilSent(tab);

    expect(early).toBe(1);
    expect(server.rows(Todo)[0]?.title).toBe('Later');
  });

  it.each([1, 2, 3, 4])('is sent also if it becomes due while that is looked at, at the look %i', async (look) => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    const undo = server.fail('PATCH', 503);
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Due' }));
    await until(() => tab.state().entries[0]?.status === 'waiting');
    undo();
    const due = tab.state().nextAttemptAt ?? 0;

    vi.clearAllTimers();
    vi.setSystemTime(due - 1);
    let looks = 0;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => (++looks > look ? due : due - 1));
    tab.line.setOnline(true);
    clock.mockRestore();
    await pass(10);
    await untilSent(tab);

    expect(server.rows(Todo)[0]?.title).toBe('Due');
  });

  it('lets others pass that share nothing with it, and no others', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    server.fail('PATCH /todos/:id', 503, { times: 1 });

    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'First' }));
    await untilRefused(tab);
    void tab.store.dispatch(partialUpdate({ id: 1 }, { completed: true }));
    void tab.store.dispatch(partialUpdate({ id: 2 }, { title: 'Other' }));
    await until(() => tab.state().size === 2);
    const before = writesTo(server);
    await pass(2_000);
    await untilSent(tab);

    expect(before).toEqual(['PATCH /todos/1', 'PATCH /todos/2']);
    expect(writesTo(server)).toEqual([...before, 'PATCH /todos/1', 'PATCH /todos/1']);
  });
});

describe('a write that the server refuses', () => {
  it('is rolled back alone, and kept with its text until it is edited', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    await tab.store.dispatch(getList());
    server.fail('PATCH', 403, { times: 1 });

    const action = await tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Not allowed' }));
    await until(() => tab.state().failed === 1);
    const [failed] = tab.state().entries;
    const shown = tab.read(tab.resources.selectEntity(Todo, 1))?.title;
    await tab.store.dispatch(tab.queue.edit(failed?.id ?? '', { title: 'Allowed' }));
    await until(() => tab.state().entries.length === 0);

    expect(action.meta.requestStatus).toBe('rejected');
    expect(failed).toMatchObject({
      status: 'failed',
      args: [{ id: 1 }, { title: 'Not allowed' }],
      error: { status: 403 },
    });
    expect(shown).toBe('Read');
    expect(server.rows(Todo)[0]?.title).toBe('Allowed');
  });

  it('takes those with it that name what it was to create, and is tried again with them', async () => {
    const server = makeServer();
    const tab = openTab(server, newName(), { isOnline: false });
    await tab.queue.ready;
    server.fail('POST', 422, { times: 1 });
    const { requestId } = tab.store.dispatch(getList.push({ title: 'New' }));
    const dependant = tab.store.dispatch(partialUpdate({ id: `~${requestId}` }, { title: 'Newer' }));

    tab.line.setOnline(true);
    await until(() => tab.state().failed === 2);
    const { error } = await dependant;
    await tab.store.dispatch(tab.queue.retry());
    await untilSent(tab);

    expect(error?.code).toBe('R14');
    expect(writesTo(server)).toEqual(['POST /todos', 'POST /todos', 'PATCH /todos/3']);
    expect(server.rows(Todo)[2]?.title).toBe('Newer');
    expect(tab.state().failed).toBe(0);
  });
});

describe('401', () => {
  it('pauses all, keeps what is shown, and goes on with resume', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    await tab.store.dispatch(getList());
    server.fail('PATCH', 401, { times: 1 });

    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Mine' }));
    await until(() => tab.state().status === 'paused');
    const paused = tab.state();
    const shown = tab.read(tab.resources.selectEntity(Todo, 1))?.title;
    tab.store.dispatch(tab.queue.resume());
    await untilSent(tab);

    expect(paused).toMatchObject({ pausedBy: 'auth', size: 1 });
    expect(shown).toBe('Mine');
    expect(server.rows(Todo)[0]?.title).toBe('Mine');
  });

  it('does not make the pause of the user one that a login ends', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    server.hold('PATCH');
    server.fail('PATCH', 401, { times: 1 });
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Mine' }));
    await until(() => server.held.length === 1);
    tab.store.dispatch(tab.queue.pause());
    server.release();
    await until(() => tab.state().entries[0]?.status === 'waiting');
    await turns();

    expect(tab.state()).toMatchObject({ pausedBy: 'user', size: 1 });
  });

  it('that comes after the login, to what was sent before it, pauses nothing anew: all is sent', async () => {
    const server = makeServer();
    const tab = await openLeading(server, newName());
    const undo = server.hold('PATCH');
    for (const id of [1, 2]) void tab.store.dispatch(partialUpdate({ id }, { title: 'Mine' }));
    await until(() => server.held.length === 2);
    server.held[0]?.fail(401);
    await until(() => tab.state().pausedBy === 'auth');

    tab.store.dispatch(tab.queue.resume());
    undo();
    server.held[0]?.fail(401);
    await untilSent(tab);

    expect(server.rows(Todo).map(({ title }) => title)).toEqual(['Mine', 'Mine']);
  });
});

describe('an answer that is lost', () => {
  it('leads to another try with the same key, and nothing is done twice', async () => {
    const server = makeServer();
    const tab = openTab(server, newName(), { idempotencyKey: true });
    await tab.queue.ready;
    server.lose('POST', { times: 1 });

    const promise = tab.store.dispatch(getList.push({ title: 'Once' }));
    await untilRefused(tab);
    await pass(2_000);
    const { id } = await promise.unwrap();

    expect(id).toBe(3);
    expect(server.rows(Todo)).toHaveLength(3);
    expect(new Set(server.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  it('is followed by a read, for the server may give its first answer once more', async () => {
    const server = makeServer();
    const tab = openTab(server, newName(), { idempotencyKey: true });
    await tab.queue.ready;
    tab.store.dispatch(getList.subscribe());
    await pass(100);
    server.lose('PATCH', { times: 1 });

    const promise = tab.store.dispatch(TodoResource.partialUpdate({ id: 1 }, { title: 'Mine' }));
    await untilRefused(tab);
    server.set(Todo, { id: 1, completed: true });
    await tab.store.dispatch(getList());
    await pass(2_000);
    await promise.unwrap();
    await pass(100);

    expect(getList.select()(tab.store.getState())?.[0]).toMatchObject({ title: 'Mine', completed: true });
  });

  it('makes a create unknown without keys, and the ten behind it stay until the network answers', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    await tab.store.dispatch(getList());
    const undo = server.lose('POST');
    const drop = server.drop('HEAD');

    void tab.store.dispatch(getList.push({ title: 'Perhaps' }));
    await until(() => tab.state().entries[0]?.status === 'unknown');
    for (let i = 0; i < 10; i++) void tab.store.dispatch(getList.push({ title: `Behind ${i}` }));
    await until(() => tab.state().entries.every(({ isDurable }) => isDurable));
    await pass(10_000);
    const statuses = tab.state().entries.map(({ status }) => status);
    const sent = writesTo(server).filter((call) => call.startsWith('POST'));
    undo();
    drop();
    await pass(70_000);
    await until(() => tab.state().size === 1);

    expect(statuses).toEqual(['unknown', ...Array.from({ length: 10 }, () => 'queued')]);
    expect(sent).toHaveLength(1);
    expect(server.rows(Todo)).toHaveLength(13);
    expect(tab.state().entries[0]).toMatchObject({ status: 'unknown', args: [{ title: 'Perhaps' }] });
  });

  it('makes a create of a list with pages unknown, too: it is not sent twice', async () => {
    const { push } = getList.paginated({ next: () => undefined });
    const server = makeServer();
    const tab = openTab(server, newName(), { resources: [push] });
    await tab.queue.ready;
    server.lose('POST', { times: 1 });

    void tab.store.dispatch(push({ title: 'Once' }));
    await until(() => tab.state().entries[0]?.error !== undefined || statuses(tab)[0] === 'unknown');
    await pass(5_000);

    expect(server.rows(Todo)).toHaveLength(3);
    expect(statuses(tab)).toEqual(['unknown']);
  });

  it('of a deletion is known when it is sent again', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    server.lose('DELETE', { times: 1 });

    const promise = tab.store.dispatch(remove({ id: 1 }));
    await untilRefused(tab);
    await pass(2_000);

    expect((await promise).meta.requestStatus).toBe('fulfilled');
    expect(writesTo(server).filter((call) => call.startsWith('DELETE'))).toHaveLength(2);
  });

  it('and then a refusal leave open whether it was done: what it touched is fetched again', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    const { unsubscribe } = tab.store.dispatch(getList.subscribe());
    await until(() => tab.titleOf(1) === 'Read');
    server.lose('PATCH', { times: 1 });
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Done' }));
    await untilRefused(tab);
    server.fail('PATCH', 403);

    await pass(2_000);
    await until(() => tab.state().failed === 1);
    await turns();

    expect([server.rows(Todo)[0]?.title, tab.titleOf(1)]).toEqual(['Done', 'Done']);
    unsubscribe();
  });
});

describe('a captive portal', () => {
  const html = { headers: { 'content-type': 'text/html' } };
  const answers = {
    page: () => new Response('<html>Accept the terms</html>', html),
    511: () => new Response('<html>Sign in</html>', { ...html, status: 511 }),
  };

  /** A tab behind a portal that answers all writes, as long as nobody has signed in. */
  async function openBehind(
    answer: keyof typeof answers,
    options: Parameters<typeof openTab>[2] = {},
    ...others: readonly Served[]
  ) {
    const server = makeServer(...others);
    const tab = openTab(server, newName(), options);
    await tab.queue.ready;
    await tab.store.dispatch(getList());
    const undos = (['PATCH', 'POST', 'HEAD'] as const).map((method) => server.fail(method, answers[answer]()));
    const signIn = (): void => {
      for (const undo of undos) undo();
    };
    return { server, tab, signIn };
  }

  it.each(['page', 511] as const)(
    '(%s) fails no write and takes none back: all wait, and are sent once',
    async (answer) => {
      const { server, tab, signIn } = await openBehind(answer, { idempotencyKey: true });

      void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Edited' }));
      void tab.store.dispatch(getList.push({ title: 'New' }));
      await pass(900_000);
      const entries = tab.state().entries.map(({ status }) => status);
      const shown = tab.read(getList.select())?.map(({ title }) => title);
      const tries = writesTo(server).length;
      signIn();
      await pass(80_000);
      await untilSent(tab);

      expect(entries).toEqual(['waiting', 'waiting']);
      expect(shown).toEqual(['Edited', 'Write', 'New']);
      // A try a minute, for both together.
      expect(tries).toBeLessThan(40);
      expect(server.rows(Todo).map(({ title }) => title)).toEqual(['Edited', 'Write', 'New']);
    },
  );

  it('that says what it is has passed on nothing: a create without a key waits, and is no unknown one', async () => {
    const { server, tab, signIn } = await openBehind(511);

    void tab.store.dispatch(getList.push({ title: 'New' }));
    await untilRefused(tab);
    await pass(60_000);
    const posts = writesTo(server);
    signIn();
    await pass(80_000);
    await untilSent(tab);

    // Whether anything else answers is asked by HEAD.
    expect(posts).toEqual(['POST /todos']);
    expect(server.rows(Todo)).toHaveLength(3);
  });

  it('is no server that was heard, whatever it answers: behind a create that is unknown, the others stay', async () => {
    const { server, tab } = await openBehind('page');
    server.drop('HEAD');
    server.fail('GET', answers.page());

    void tab.store.dispatch(getList.push({ title: 'Perhaps' }));
    await until(() => tab.state().entries[0]?.status === 'unknown');
    void tab.store.dispatch(getList.push({ title: 'Behind' }));
    await tab.store.dispatch(TodoResource.get({ id: 2 }));
    await pass(5_000);

    expect(tab.state().entries.map(({ status }) => status)).toEqual(['unknown', 'queued']);
  });

  it('is no server that answers with a page by https, as one does that shows a login', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    const page = Object.defineProperty(answers.page(), 'url', { value: 'https://example.com/login' });
    server.fail('HEAD', Object.assign(page, { clone: () => page }));
    server.lose('POST', { times: 1 });

    void tab.store.dispatch(getList.push({ title: 'Perhaps' }));
    await until(() => tab.state().entries[0]?.status === 'unknown');
    void tab.store.dispatch(getList.push({ title: 'Behind' }));
    await pass(5_000);

    expect(tab.state().entries.map(({ status }) => status)).toEqual(['unknown']);
    expect(server.rows(Todo).map(({ title }) => title)).toContain('Behind');
  });

  it('makes one create of five unknown, though it answers whatever is asked: the others wait, and are sent once', async () => {
    const { server, tab, signIn } = await openBehind('page');
    tab.line.setOnline(false);
    for (let i = 1; i <= 5; i++) void tab.store.dispatch(getList.push({ title: `New ${i}` }));
    tab.line.setOnline(true);
    await pass(80_000);
    const meanwhile = statuses(tab);
    signIn();
    await pass(80_000);
    await until(() => tab.state().size === 1);

    expect(meanwhile).toEqual(['unknown', 'queued', 'queued', 'queued', 'queued']);
    expect(server.rows(Todo).map(({ title }) => title)).toEqual(['Read', 'Write', 'New 2', 'New 3', 'New 4', 'New 5']);
  });

  const stamp = new RestEndpoint({ path: '/todos/:id/stamp', method: 'POST', name: 'stamp' });
  const print = stamp.extend({ path: '/todos/:id/print', name: 'print', content: 'text' });

  it('does no action of which nothing says what it is answered with: that waits, and is sent', async () => {
    const options = { resources: [TodoResource, stamp], idempotencyKey: true };
    const { server, tab, signIn } = await openBehind('page', options, stamp);
    const stamped = vi.fn(() => ({ ok: true }));
    server.use(stamp, stamped);

    const promise = tab.store.dispatch(stamp({ id: 1 }));
    await pass(80_000);
    const meanwhile = statuses(tab);
    signIn();
    await pass(80_000);
    const { meta } = await promise;

    expect(meanwhile).toEqual(['waiting']);
    expect(meta.requestStatus).toBe('fulfilled');
    expect(stamped).toHaveBeenCalledOnce();
  });

  it.each([
    ['a page, where the endpoint says that it is text', print, answers.page(), '<html>Accept the terms</html>'],
    ['text that is no page', stamp, new Response('Done', { headers: { 'content-type': 'text/plain' } }), 'Done'],
  ])('is not what answers an action with %s: that is done', async (_, action, response, text) => {
    const server = makeServer(action);
    const tab = openTab(server, newName(), { resources: [TodoResource, action], idempotencyKey: true });
    await tab.queue.ready;
    server.fail('POST', response, { times: 1 });

    const promise = tab.store.dispatch(action({ id: 1 }));
    await until(() => server.calls.length === 1);
    await turns();

    expect(tab.state().entries).toEqual([]);
    expect(await promise.unwrap()).toBe(text);
  });
});
