import { RestEndpoint } from 'rtk-resource';
import { describe, expect, it, vi } from 'vitest';
import {
  fakeTime,
  makeServer,
  newName,
  NoteResource,
  openTab,
  pass,
  statuses,
  storedIn,
  Todo,
  TodoResource,
  turns,
  until,
  untilSent,
  writesTo,
  type Tab,
} from '../support/outbox.js';
import { expectWarning } from '../support/strict.js';
import { freeze, hear, openAnother, openTwo, silence, useTabs } from '../support/tabs.js';

const { partialUpdate, getList } = TodoResource;

fakeTime();
useTabs();

/** Until the database is being read; what happens then, happens meanwhile. */
async function untilReading(act: () => void): Promise<void> {
  const reads = vi.spyOn(IDBObjectStore.prototype, 'getAllKeys');
  act();
  await until(() => reads.mock.calls.length > 0);
  reads.mockRestore();
}

const isDurable = ({ state }: Tab) => state().entries.at(-1)?.isDurable;

/** A tab without a connection. */
async function openOffline(options: Parameters<typeof openTab>[2] = {}) {
  const [server, name] = [makeServer(), newName()];
  const tab = openTab(server, name, { ...options, isOnline: false });
  await tab.queue.ready;
  return { server, name, tab };
}

/** An endpoint that sends a file, and a file that takes time to be read. */
const upload = new RestEndpoint({
  ...{ path: '/files', method: 'POST', name: 'uploadSlowly', schema: undefined },
  body: new Blob(),
});
function slowFile(): { readonly file: Blob; read(): void } {
  const file = new Blob(['new']);
  let read: () => void = () => undefined;
  const isRead = new Promise<void>((resolve) => (read = resolve));
  file.arrayBuffer = () => isRead.then(() => new Blob(['new']).arrayBuffer());
  return { file, read };
}

describe('a write that waits behind a file to be stored', () => {
  it('and is discarded meanwhile is not stored', async () => {
    const { tab } = await openOffline({ resources: [TodoResource, upload] });
    const { file, read } = slowFile();
    void tab.store.dispatch(upload(file));
    const { requestId } = tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Waits' }));
    const adding = vi.spyOn(IDBObjectStore.prototype, 'add');

    const discarded = tab.store.dispatch(tab.queue.discard(requestId));
    // This tab reads the database, which has not got the write.
    hear(0);
    await turns();
    read();
    await discarded;
    await turns();

    expect(adding.mock.calls.map(([value]) => (value as { endpointName?: unknown }).endpointName)).toEqual([
      'uploadSlowly',
    ]);
  });

  it('is not stored where another tab logs out meanwhile', async () => {
    expectWarning(/reset\(\) deletes 1/);
    const { name, leader, follower } = await openTwo({ resources: [TodoResource, upload] }, {});
    leader.line.setOnline(false);
    void leader.store.dispatch(partialUpdate({ id: 2 }, { title: 'Stored' }));
    await until(() => follower.state().size === 1);
    const { file, read } = slowFile();
    void leader.store.dispatch(upload(file));
    void leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'Waits' }));

    follower.store.dispatch(follower.resources.reset());
    await until(() => leader.state().size === 0);
    read();
    await turns();

    expect(await storedIn(name)).toEqual([]);
  });
});

describe('a write that is edited', () => {
  it('right after its dispatch, is sent as edited', async () => {
    const { server, tab } = await openOffline();

    const { requestId } = tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'First' }));
    await tab.store.dispatch(tab.queue.edit(requestId, { title: 'Edited' }));
    await until(() => isDurable(tab));
    tab.line.setOnline(true);
    await untilSent(tab);

    expect(server.rows(Todo)[0]?.title).toBe('Edited');
  });

  it('while another tab is sending it, is refused (R43), and done once', async () => {
    const { server, leader, follower } = await openTwo({ idempotencyKey: true });
    leader.line.setOnline(false);
    const { requestId } = leader.store.dispatch(getList.push({ title: 'First' }));
    await until(() => isDurable(follower));
    server.hold('POST', { at: 'answer' });
    const deaf = silence(1);
    leader.line.setOnline(true);
    await until(() => server.held.length === 1);

    const edit = follower.store.dispatch(follower.queue.edit(requestId, { title: 'Edited' }));
    await expect(edit).rejects.toMatchObject({ code: 'R43' });
    deaf.hear();
    server.release();
    await untilSent(leader);

    expect(server.rows(Todo).map(({ title }) => title)).toEqual(['Read', 'Write', 'First']);
  });

  it('with a file, and sent while that is read, is refused (R43)', async () => {
    const server = makeServer(upload);
    server.use(upload, () => ({ ok: true }));
    const tab = openTab(server, newName(), { resources: [TodoResource, upload], isOnline: false });
    await tab.queue.ready;
    const { requestId } = tab.store.dispatch(upload(new Blob(['old'])));
    await until(() => isDurable(tab));
    const { file, read } = slowFile();
    server.hold('POST');

    const edit = tab.store.dispatch(tab.queue.edit(requestId, file));
    tab.line.setOnline(true);
    await until(() => server.held.length === 1);
    read();

    await expect(edit).rejects.toMatchObject({ code: 'R43' });
  });
});

describe('a write without a body', () => {
  it.each(['queued', 'failed'])('that is %s, cannot be edited (R44), and stays about its row', async (status) => {
    const { server, tab } = await openOffline();
    const { requestId } = tab.store.dispatch(TodoResource.delete({ id: 1 }));
    await until(() => isDurable(tab));
    if (status === 'failed') {
      server.fail('DELETE', 422, { times: 1 });
      tab.line.setOnline(true);
      await until(() => statuses(tab)[0] === 'failed');
    }

    const edit = tab.store.dispatch(tab.queue.edit(requestId, { id: 2 }));
    await expect(edit).rejects.toThrow(/Todo\/delete was called without one.*R44/s);
    tab.line.setOnline(true);
    await tab.store.dispatch(tab.queue.retry(requestId));
    await untilSent(tab);

    expect(server.rows(Todo).map(({ id }) => id)).toEqual([2]);
  });
});

describe('edits of one write', () => {
  it('that follow each other at once are all made', async () => {
    const { server, tab } = await openOffline();
    const { requestId } = tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'One' }));

    const edits = ['Two', 'Three'].map((title) => tab.store.dispatch(tab.queue.edit(requestId, { title })));
    await Promise.all(edits);
    tab.line.setOnline(true);
    await untilSent(tab);

    expect(server.rows(Todo)[0]?.title).toBe('Three');
  });
});

describe('a write that names what could not be created', () => {
  it('has failed with its arguments, though its file is still being read', async () => {
    const attach = new RestEndpoint({
      ...{ path: '/todos/:todoId/files', method: 'POST', name: 'attach', schema: undefined },
      body: new Blob(),
    });
    const [name, server] = [newName(), makeServer(attach)];
    const tab = openTab(server, name, { resources: [TodoResource, attach] });
    await tab.queue.ready;
    server.hold('POST');
    const { requestId } = tab.store.dispatch(getList.push({ title: 'New' }));
    await until(() => server.held.length === 1);
    const { file, read } = slowFile();
    void tab.store.dispatch(attach({ todoId: `~${requestId}` }, file));

    server.held[0]?.fail(422);
    read();
    await until(() => tab.state().failed === 2);

    expect((await storedIn(name)).map(({ status, args }) => [status, (args as unknown[]).length])).toEqual([
      ['failed', 1],
      ['failed', 2],
    ]);
  });
});

describe('a disk that refuses to note that a write is being sent', () => {
  it('has it sent once', async () => {
    expectWarning(/cannot store its writes/);
    const { server, tab } = await openOffline();
    void tab.store.dispatch(getList.push({ title: 'Once' }));
    await until(() => isDurable(tab));
    const { put } = IDBObjectStore.prototype;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
      if ((args[0] as { status?: unknown }).status === 'sent') throw new DOMException('full', 'QuotaExceededError');
      return put.apply(this, args);
    });

    tab.line.setOnline(true);
    await untilSent(tab);

    expect(writesTo(server)).toEqual(['POST /todos']);
  });
});

describe('a write that is discarded', () => {
  it('right after it was told to be sent again, is gone', async () => {
    const [server, name] = [makeServer(), newName()];
    const tab = openTab(server, name);
    await tab.queue.ready;
    server.fail('PATCH', 422, { times: 1 });
    const { requestId } = tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Unwanted' }));
    await until(() => tab.state().failed === 1);
    tab.line.setOnline(false);

    const retried = tab.store.dispatch(tab.queue.retry(requestId));
    await tab.store.dispatch(tab.queue.discard(requestId));
    await retried;

    expect(await storedIn(name)).toEqual([]);
  });

  it('in one tab, while another has given it another body, is gone', async () => {
    const { name, leader, follower } = await openTwo();
    leader.line.setOnline(false);
    const { requestId } = leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'Unwanted' }));
    await until(() => isDurable(follower));
    const deaf = silence(1);

    await leader.store.dispatch(leader.queue.edit(requestId, { title: 'Edited' }));
    await follower.store.dispatch(follower.queue.discard(requestId));
    deaf.hear();

    expect(await storedIn(name)).toEqual([]);
  });

  it('takes what it was to create with it: what named that fails with R14, and no temporary id is sent', async () => {
    const { server, tab } = await openOffline();
    const { requestId } = tab.store.dispatch(getList.push({ title: 'New' }));
    void tab.store.dispatch(partialUpdate({ id: `~${requestId}` }, { title: 'Newer' }));
    await until(() => isDurable(tab));
    server.fail('POST', 422, { times: 1 });
    tab.line.setOnline(true);
    await until(() => tab.state().failed === 2);

    await tab.store.dispatch(tab.queue.discard(requestId));
    await tab.store.dispatch(tab.queue.retry());
    await until(() => tab.state().failed === 1);

    expect(tab.state().entries[0]?.error).toMatchObject({ code: 'R14' });
    expect(writesTo(server)).toEqual(['POST /todos']);
  });
});

describe('a write that is told to be sent again', () => {
  it('by a tab that does not know that it is under way, is unknown when the sending tab is killed', async () => {
    const { server, leader, follower } = await openTwo();
    server.fail('POST', 503, { times: 1 });
    const { requestId } = leader.store.dispatch(getList.push({ title: 'Once' }));
    await until(() => statuses(follower)[0] === 'waiting');
    server.hold('POST', { at: 'answer' });
    const deaf = silence(1);
    await pass(2_000);
    await until(() => server.held.length === 1);

    await follower.store.dispatch(follower.queue.retry(requestId));
    deaf.hear();
    await leader.kill();
    await until(() => statuses(follower)[0] === 'unknown');

    expect(server.rows(Todo)).toHaveLength(3);
  });
});

describe('a write that another tab has sent, whose answer was lost, and that was then refused,', () => {
  it('may have been done: what it touched is fetched again by the tab that has made it, too', async () => {
    const { server, follower } = await openTwo();
    const { unsubscribe } = follower.store.dispatch(follower.todos.getList.subscribe());
    await until(() => follower.titleOf(1) === 'Read');
    server.lose('PATCH', { times: 1 });
    void follower.store.dispatch(follower.todos.partialUpdate({ id: 1 }, { title: 'Done' }));
    await until(() => follower.state().entries[0]?.status === 'waiting');
    server.fail('PATCH', 403);

    await pass(2_000);
    await until(() => follower.state().failed === 1);
    await turns();

    expect(follower.titleOf(1)).toBe('Done');
    unsubscribe();
  });
});

describe('two edits of one row', () => {
  it('are sent one after the other with serialize: the first, refused for now, does not overwrite the second', async () => {
    const server = makeServer();
    const edit = partialUpdate.extend({ serialize: true });
    const tab = openTab(server, newName());
    await tab.queue.ready;
    await tab.store.dispatch(edit({ id: 2 }, { completed: true }));
    server.fail('PATCH', 503, { times: 1 });

    void tab.store.dispatch(edit({ id: 1 }, { title: 'Older' }));
    void tab.store.dispatch(edit({ id: 1 }, { title: 'Newest' }));
    await pass(5_000);
    await untilSent(tab);

    expect([server.rows(Todo)[0]?.title, tab.titleOf(1)]).toEqual(['Newest', 'Newest']);
  });
});

describe('a reset', () => {
  it('of an empty outbox leaves it idle', async () => {
    const tab = openTab(makeServer(), newName());
    await tab.queue.ready;
    await tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Done' }));

    tab.store.dispatch(tab.resources.reset());
    await turns();

    expect(tab.state().status).toBe('idle');
  });

  it('that keeps the outbox, while a write is under way, has it sent again', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    server.hold('PATCH');
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Kept' }));
    await until(() => server.held.length === 1);

    tab.store.dispatch(tab.resources.reset({ keepOutbox: true }));
    server.reset();
    await until(() => tab.state().size === 1);
    await untilSent(tab);

    expect(server.rows(Todo)[0]?.title).toBe('Kept');
  });

  it('while the database is read, is not undone by that', async () => {
    expectWarning(/reset\(\) deletes 1 writes/);
    const { leader } = await openTwo();
    await leader.store.dispatch(getList());
    leader.line.setOnline(false);
    void leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'Of the last user' }));
    await until(() => isDurable(leader));
    const at = leader.actions.length;

    await untilReading(() => {
      hear(0);
    });
    leader.store.dispatch(leader.resources.reset());
    await turns();

    expect(leader.titleOf(1)).toBeUndefined();
    expect(leader.actions.slice(at).filter(({ type }) => type.endsWith('fulfilled'))).toEqual([]);
  });

  it('after the owner has left, is heard by the tabs of that owner', async () => {
    const session: { user: string | undefined } = { user: 'ada' };
    const { server, leader, follower } = await openTwo({ owner: () => session.user }, { owner: () => 'ada' });
    for (const { line } of [leader, follower]) line.setOnline(false);
    const promise = follower.store.dispatch(follower.todos.partialUpdate({ id: 1 }, { title: 'Of Ada' }));
    await until(() => isDurable(leader));

    session.user = undefined;
    leader.store.dispatch({ type: 'logged out' });
    leader.store.dispatch(leader.resources.reset());
    const { meta } = await promise;

    expect([meta.requestStatus, follower.state().size, server.rows(Todo)[0]?.title]).toEqual(['rejected', 0, 'Read']);
  });
});

describe('pause and resume while the database is read', () => {
  it('stay as they were told', async () => {
    const { server, leader, follower } = await openTwo();
    await untilReading(() => {
      hear(0);
    });
    leader.store.dispatch(leader.queue.pause());
    void leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'Later' }));
    await turns();
    const paused = [leader.state().status, follower.state().status, server.rows(Todo)[0]?.title];
    await untilReading(() => {
      hear(0);
    });
    leader.store.dispatch(leader.queue.resume());
    await untilSent(leader);

    expect(paused).toEqual(['paused', 'paused', 'Read']);
    expect(server.rows(Todo)[0]?.title).toBe('Later');
  });
});

describe('an owner who comes while the outbox is loading', () => {
  it.each(['bob', undefined])('(%s) sends nothing of the one before', async (next) => {
    const [server, name] = [makeServer(), newName()];
    const before = openTab(server, name, { isOnline: false, owner: () => 'ada' });
    await before.queue.ready;
    void before.store.dispatch(getList.push({ title: 'Of Ada' }));
    await until(() => isDurable(before));
    await before.kill();

    const session: { user: string | undefined } = { user: 'ada' };
    let tab: Tab | undefined;
    await untilReading(() => {
      tab = openTab(server, name, { owner: () => session.user });
    });
    session.user = next;
    tab?.store.dispatch({ type: 'logged in' });
    await tab?.queue.ready;
    await turns();

    expect([writesTo(server), tab?.state().size]).toEqual([[], 0]);
    expect((await storedIn(name)).map(({ owner }) => owner)).toEqual(['ada']);
  });
});

describe('a key that servers have forgotten', () => {
  it('is not trusted, whatever was answered last: the answer before that was lost', async () => {
    const server = makeServer();
    const tab = openTab(server, newName(), { idempotencyKey: true });
    await tab.queue.ready;
    server.lose('POST', { times: 1 });
    void tab.store.dispatch(getList.push({ title: 'Once' }));
    await until(() => statuses(tab)[0] === 'waiting');
    server.fail('POST', 503, { times: 1 });
    await pass(2_000);
    await until(() => tab.state().entries[0]?.attempts === 2 && statuses(tab)[0] === 'waiting');

    tab.line.setOnline(false);
    vi.setSystemTime(Date.now() + 25 * 3_600_000);
    tab.line.setOnline(true);
    await until(() => statuses(tab)[0] === 'unknown');

    expect(server.rows(Todo)).toHaveLength(3);
  });
});

describe('what a tab has done that was killed before it told anybody', () => {
  it('gives the real id to what waits for it', async () => {
    const { server, leader, follower } = await openTwo({ idempotencyKey: true });
    leader.line.setOnline(false);
    const { requestId } = follower.store.dispatch(follower.todos.getList.push({ title: 'New' }));
    void follower.store.dispatch(follower.todos.partialUpdate({ id: `~${requestId}` }, { title: 'Newer' }));
    await until(() => leader.state().size === 2);
    server.hold('PATCH');
    const deaf = silence(1);
    leader.line.setOnline(true);
    await until(() => deaf.missed.includes('done') && server.held.length === 1);

    await leader.kill();
    deaf.hear();
    server.reset();
    server.set(Todo, { id: 3, title: 'New', completed: false });
    await until(() => follower.state().isLeader);
    await untilSent(follower);

    expect([writesTo(server), server.rows(Todo)[2]?.title]).toEqual([['PATCH /todos/3'], 'Newer']);
  });
});

describe('what was under way of a resource that is added later', () => {
  it('is sent again when that is added', async () => {
    const [server, name] = [makeServer(), newName()];
    const first = openTab(server, name);
    await first.queue.ready;
    server.hold('PATCH');
    void first.store.dispatch(NoteResource.partialUpdate({ todoId: 1, id: 1 }, { text: 'Later' }));
    await until(() => server.held.length === 1);
    await first.kill();
    server.reset();

    const next = openTab(server, name, { resources: [TodoResource] });
    await next.queue.ready;
    await next.store.dispatch(partialUpdate({ id: 1 }, { title: 'Now' }));
    next.queue.add([NoteResource]);
    await untilSent(next);

    expect(writesTo(server)).toEqual(['PATCH /todos/1', 'PATCH /todos/1/notes/1']);
  });
});

describe('what was under way of an endpoint that is not known here', () => {
  it('is not overtaken by a later edit of its row', async () => {
    expectWarning(/knows no endpoint of that name/);
    const rename = partialUpdate.extend({ name: 'Todo/rename' });
    const [server, name] = [makeServer(), newName()];
    const first = openTab(server, name, { resources: [TodoResource, rename] });
    await first.queue.ready;
    server.hold('PATCH');
    void first.store.dispatch(rename({ id: 1 }, { title: 'First' }));
    await until(() => server.held.length === 1);
    await first.kill();
    server.reset();
    const next = openTab(server, name);
    await next.queue.ready;
    await next.store.dispatch(partialUpdate({ id: 2 }, { title: 'Of another row' }));

    void next.store.dispatch(partialUpdate({ id: 1 }, { title: 'Second' }));
    await until(() => isDurable(next));
    await turns();
    next.queue.add([rename]);
    await untilSent(next);

    expect(server.rows(Todo)[0]?.title).toBe('Second');
  });
});

describe('a write of a resource that is added later, which names an item that was created offline', () => {
  it('is sent with the real id, though the create was done before that', async () => {
    const { server, name, tab: first } = await openOffline();
    const { requestId } = first.store.dispatch(getList.push({ title: 'New' }));
    const todoId = `~${requestId}`;
    void first.store.dispatch(NoteResource.getList.push({ todoId }, { text: 'A note' }));
    void first.store.dispatch(partialUpdate({ id: 1 }, { title: 'Waits' }));
    await until(() => first.state().size === 3 && isDurable(first));
    await first.kill();
    server.fail('PATCH', 503);

    const next = openTab(server, name, { resources: [TodoResource] });
    await next.queue.ready;
    await until(() => statuses(next).join() === 'queued,waiting');
    next.queue.add([NoteResource]);
    await until(() => next.state().entries.length === 1);

    expect(next.state().entries[0]?.endpointName).toBe('Todo/partialUpdate');
    expect(writesTo(server)).toEqual(['POST /todos', 'PATCH /todos/1', 'POST /todos/3/notes']);
  });
});

describe('an idle tab of an older version of the app', () => {
  it('leaves the lead to one of the newer version', async () => {
    const { server, follower } = await openTwo({ version: 1 }, { version: 2, migrate: (entry) => entry });

    await follower.store.dispatch(follower.todos.partialUpdate({ id: 1 }, { title: 'Version 2' }));

    expect(server.rows(Todo)[0]?.title).toBe('Version 2');
  });
});

describe('a clock that is set back', () => {
  it('by a day, while a write waits for the time that the server has named, holds up nothing', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    server.fail('PATCH', new Response(null, { status: 503, headers: { 'retry-after': '60' } }), { times: 1 });
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Later' }));
    await until(() => statuses(tab)[0] === 'waiting');

    vi.setSystemTime(Date.now() - 24 * 3_600_000);
    await pass(61_000);
    await untilSent(tab);

    expect(server.rows(Todo)[0]?.title).toBe('Later');
  });

  it('by less than an hour, holds up a write by no more than it was to wait', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    server.fail('PATCH', 503, { times: 1 });
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Later' }));
    await until(() => statuses(tab)[0] === 'waiting');

    vi.setSystemTime(Date.now() - 50 * 60_000);
    await pass(2_000);
    await untilSent(tab);

    expect(server.rows(Todo)[0]?.title).toBe('Later');
  });

  it('by some seconds, has nothing sent before the time that the server has named', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    server.fail('PATCH', new Response(null, { status: 503, headers: { 'retry-after': '60' } }), { times: 1 });
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Later' }));
    await until(() => statuses(tab)[0] === 'waiting');

    vi.setSystemTime(Date.now() - 5_000);
    await pass(59_000);

    expect(writesTo(server)).toHaveLength(1);
  });
});

describe('the option retry', () => {
  it.each([
    ['NaN', Number.NaN],
    ['null', null],
    ['true', true],
    ['a promise', Promise.resolve('retry')],
    ['another word', 'again'],
  ])('that gives %s says nothing: the write waits as without it', async (_, said) => {
    const server = makeServer();
    // As JavaScript may write it.
    const tab = openTab(server, newName(), { retry: () => said as 'retry' });
    await tab.queue.ready;
    server.fail('PATCH', 503, { times: 1 });
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Later' }));
    await until(() => statuses(tab)[0] === 'waiting');

    await turns();
    expect(writesTo(server)).toHaveLength(1);
    await pass(2_000);
    await untilSent(tab);
    expect(server.rows(Todo)[0]?.title).toBe('Later');
  });
});

describe('an option that throws', () => {
  it('counts as one that is not given, and says so once', async () => {
    expectWarning(/The option retry of the outbox threw: mine/);
    const server = makeServer();
    const tab = openTab(server, newName(), {
      retry: () => {
        throw new Error('mine');
      },
    });
    await tab.queue.ready;
    server.fail('PATCH', 503, { times: 1 });

    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Later' }));
    await pass(2_000);
    await untilSent(tab);

    expect(server.rows(Todo)[0]?.title).toBe('Later');
  });
});

describe('an answer that a page has as it comes back out of the cache of the browser', () => {
  it.each(['POST', 'PATCH'] as const)('settles its write (%s), though the page leads not yet again', async (method) => {
    const server = makeServer();
    const tab = await openAnother(server, newName());
    await tab.store.dispatch(tab.todos.partialUpdate({ id: 2 }, { completed: true }));
    const undo = server.hold(method, { at: 'answer' });
    const promise =
      method === 'POST'
        ? tab.store.dispatch(tab.todos.getList.push({ title: 'Once' }))
        : tab.store.dispatch(tab.todos.partialUpdate({ id: 1 }, { title: 'Once' }));
    await until(() => server.held.length === 1);

    const { thaw } = freeze(0);
    undo();
    server.release();
    thaw();
    const { meta } = await promise;
    await untilSent(tab);

    expect(meta.requestStatus).toBe('fulfilled');
    expect(writesTo(server)).toHaveLength(2);
    expect(tab.state().entries).toEqual([]);
  });
});

describe('an answer that the last leader has', () => {
  it('settles its write also while another tab is taking the lead', async () => {
    const { server, leader, follower } = await openTwo();
    server.hold('POST', { at: 'answer' });
    void leader.store.dispatch(getList.push({ title: 'Once' }));
    await until(() => server.held.length === 1 && follower.state().size === 1);
    const { put } = IDBObjectStore.prototype;
    const puts = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
      const [, key] = args;
      if (typeof key === 'string' && key.startsWith('epoch')) server.release();
      return put.apply(this, args);
    });
    silence(0);

    void follower.store.dispatch(follower.todos.partialUpdate({ id: 2 }, { title: 'Asks' }));
    await until(() => isDurable(follower));
    await vi.advanceTimersByTimeAsync(6_000);
    await until(() => follower.state().isLeader);
    await untilSent(follower);
    puts.mockRestore();

    expect(server.rows(Todo)).toHaveLength(3);
  });
});

describe('a body with a field of the name that marks what is no JSON', () => {
  it('is sent as it is, after a reload', async () => {
    const { server, name, tab } = await openOffline();
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Marked', $body: 'x' } as never));
    await until(() => isDurable(tab));
    await tab.kill();

    const next = openTab(server, name);
    await next.queue.ready;
    await untilSent(next);

    expect([next.state().failed, server.rows(Todo)[0]?.title]).toEqual([0, 'Marked']);
  });
});
