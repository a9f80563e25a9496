import { openDB } from 'idb';
import { describe, expect, it, vi } from 'vitest';
import { expectWarning } from '../support/strict.js';
import {
  makeServer,
  newName,
  NoteResource,
  openLeading,
  openTab,
  Page,
  Todo,
  TodoResource,
  turns,
  until,
  untilSent,
  writesTo,
} from '../support/outbox.js';
import { channels, freeze, hear, openAnother, openTwo, silence, useTabs } from '../support/tabs.js';

const { partialUpdate, getList } = TodoResource;

useTabs();

const searchParams: { q?: string } = {};
/** Todos that are searched, and done many at once. */
const finishing = (todos: typeof TodoResource) =>
  todos.extend({ getList: { searchParams } }).extend('finishMany', {
    ...{ path: '/todos/finish', method: 'POST', body: { ids: [1] }, schema: [todos.get.schema] },
    optimistic: false,
  });

describe('a tab that sees how another one sends files', () => {
  it('reads each of them once', async () => {
    const { leader, tabs } = await openTwo();
    for (const { line } of tabs) line.setOnline(false);
    const read = vi.spyOn(IDBObjectStore.prototype, 'get');
    const filesRead = () => read.mock.contexts.filter((store) => (store as IDBObjectStore).name === 'files').length;

    for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) {
      const form = new FormData();
      form.set('title', name);
      form.set('photo', new File(['…'], name));
      void leader.store.dispatch(getList.push(form as never));
    }
    await until(() => tabs.every((tab) => tab.state().entries.filter(({ isDurable }) => isDurable).length === 3));
    leader.line.setOnline(true);
    await untilSent(leader);
    await until(() => tabs.every((tab) => tab.state().size === 0));

    expect(filesRead()).toBeLessThanOrEqual(3);
    read.mockRestore();
    for (const tab of tabs) await tab.kill();
  });
});

describe('two tabs', () => {
  it('have one that sends, and the promise of the other resolves', async () => {
    const { server, leader, follower } = await openTwo();

    const promise = follower.store.dispatch(follower.todos.partialUpdate({ id: 1 }, { title: 'From the other' }));
    const { title } = await promise.unwrap();

    expect(title).toBe('From the other');
    expect([leader.state().isLeader, follower.state().isLeader]).toEqual([true, false]);
    expect(writesTo(server)).toEqual(['PATCH /todos/2', 'PATCH /todos/1']);
    const told = leader.actions.filter(({ type }) => type === 'Todo/partialUpdate/fulfilled');
    expect(told).toHaveLength(2);
    for (const tab of [leader, follower]) await tab.kill();
  });

  it('both show what is in the outbox, and both hear what becomes of it', async () => {
    const { server, leader, follower } = await openTwo();
    await follower.store.dispatch(follower.todos.getList());
    leader.line.setOnline(false);

    void leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'Later' }));
    await until(() => follower.state().size === 1);
    const shown = follower.titleOf(1);
    leader.line.setOnline(true);
    await untilSent(leader);
    await until(() => follower.state().size === 0);

    expect(shown).toBe('Later');
    expect(follower.titleOf(1)).toBe('Later');
    expect(follower.actions.find(({ type }) => type === 'Todo/partialUpdate/fulfilled')?.['meta']).toMatchObject({
      remote: true,
    });
    expect(server.rows(Todo)[0]?.title).toBe('Later');
    for (const tab of [leader, follower]) await tab.kill();
  });

  it('leave their lists fresh after a write of many rows that both have, whichever of the two calls it', async () => {
    const [server, name] = [makeServer(finishing(TodoResource)), newName()];
    server.use(finishing(TodoResource).finishMany, ({ body, rows }) =>
      rows(Todo).flatMap((row) => (body.ids.includes(row.id) ? [{ ...row, completed: true }] : [])),
    );
    const tabs = [await openLeading(server, name), await openAnother(server, name)];
    const searches = [{}, { q: 'Read' }, { q: 'no such text' }];
    const both = tabs.map((tab) => ({ ...tab, todos: finishing(tab.todos) }));
    for (const { queue, todos, store } of both) {
      queue.add([todos]);
      for (const search of searches) await store.dispatch(todos.getList(search)).unwrap();
    }

    for (const { store, todos } of both) await store.dispatch(todos.finishMany({}, { ids: [1, 2] })).unwrap();
    await turns();

    const stale = both.map(({ read, todos }) =>
      searches.map((search) => read(todos.getList.selectRequest(search)).isStale),
    );
    expect(stale).toEqual([
      [false, false, false],
      [false, false, false],
    ]);
    for (const { read, todos } of both) expect(read(todos.get.select({ id: 1 }))?.completed).toBe(true);
    for (const tab of tabs) await tab.kill();
  });

  it('hand over the lead when the one that sends is closed', async () => {
    const { server, leader, follower } = await openTwo();
    leader.line.setOnline(false);
    const promise = follower.store.dispatch(follower.todos.partialUpdate({ id: 1 }, { title: 'Handed over' }));
    await until(() => leader.state().size === 1);

    await leader.kill();
    await promise;

    expect(follower.state().isLeader).toBe(true);
    expect(server.rows(Todo)[0]?.title).toBe('Handed over');
    await follower.kill();
  });
});

describe('what a tab is not told', () => {
  it('it reads when another takes the lead: the one that led was killed when it had done a write, and told nobody', async () => {
    const { server, name, leader, follower } = await openTwo();
    const third = await openAnother(server, name);
    leader.line.setOnline(false);
    void leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'Done' }));
    await until(() => [follower, third].every((tab) => tab.state().size === 1));

    const deaf = [1, 2].map((i) => silence(i));
    leader.line.setOnline(true);
    await until(() => deaf.every(({ missed }) => missed.includes('done') && missed.includes('changed')));
    const untold = [follower, third].map((tab) => tab.state().size);
    for (const { hear } of deaf) hear();
    await leader.kill();
    await until(() => [follower, third].every((tab) => tab.state().size === 0));

    expect(untold).toEqual([1, 1]);
    for (const tab of [follower, third]) await tab.kill();
  });

  it('it reads when it is asked: a write that another tab has stored before this one could hear it', async () => {
    const { server, leader, follower } = await openTwo();
    const [channel] = channels();
    const hears = channel?.onmessage;
    if (channel)
      channel.onmessage = (event: MessageEvent<{ readonly type: string }>) => {
        if (event.data.type !== 'changed') hears?.call(channel, event);
      };

    await follower.store.dispatch(follower.todos.partialUpdate({ id: 1 }, { title: 'Untold' }));

    expect(server.rows(Todo)[0]?.title).toBe('Untold');
    for (const tab of [leader, follower]) await tab.kill();
  });

  it('while it reads, it reads then', async () => {
    const { name, leader, follower } = await openTwo();
    leader.line.setOnline(false);
    void leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'Waits' }));
    await until(() => follower.state().entries[0]?.isDurable);
    const db = await openDB(`rtk-resource/offline/${name}`);
    const [stored] = (await db.getAll('entries')) as readonly object[];

    for (const status of ['sent', 'failed']) {
      void db.put('entries', { ...stored, status });
      hear(1);
    }
    await until(() => follower.state().entries[0]?.status === 'failed');

    db.close();
    for (const tab of [leader, follower]) await tab.kill();
  });
});

describe('a tab that leads and is silent', () => {
  it('loses the lead after 5 s, and what it hears later settles nothing twice', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { server, leader, follower } = await openTwo({ idempotencyKey: true });
    server.hold('POST', { at: 'answer' });
    const promise = leader.store.dispatch(getList.push({ title: 'Once' }));
    await until(() => server.held.length === 1);
    await until(() => follower.state().size === 1);
    // A frozen tab hears nothing.
    const [channel] = channels();
    const hears = channel?.onmessage ?? null;
    if (channel) channel.onmessage = null;

    void follower.store.dispatch(follower.todos.partialUpdate({ id: 1 }, { title: 'Asks' }));
    await until(() => follower.state().entries[1]?.isDurable);
    await vi.advanceTimersByTimeAsync(5_100);
    await until(() => follower.state().isLeader);
    // Its answer reaches it when it is no longer frozen.
    if (channel) channel.onmessage = hears;
    server.release();
    await promise;
    await vi.advanceTimersByTimeAsync(70_000);
    await untilSent(follower);

    expect(server.rows(Todo)).toHaveLength(3);
    vi.useRealTimers();
    for (const tab of [leader, follower]) await tab.kill();
  });
});

describe('a tab that has taken the lead of one that was killed', () => {
  it('keeps it: another one that had asked the killed one steals nothing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { server, name, leader, follower } = await openTwo();
    const third = await openAnother(server, name, {});
    for (const { line } of [leader, follower, third]) line.setOnline(false);
    const { hear } = silence(0);
    for (const [tab, title] of [[follower, 'One'] as const, [third, 'Two'] as const]) {
      void tab.store.dispatch(tab.todos.partialUpdate({ id: 1 }, { title }));
      await until(() => tab.state().entries.some(({ isDurable }) => isDurable));
    }
    await until(() => third.state().size === 2);
    await leader.kill();
    hear();
    await until(() => follower.state().isLeader);

    await vi.advanceTimersByTimeAsync(5_100);
    await until(() => [follower, third].filter((tab) => tab.state().isLeader).length === 1);

    expect([follower.state().isLeader, third.state().isLeader]).toEqual([true, false]);
    vi.useRealTimers();
    for (const tab of [follower, third]) await tab.kill();
  });
});

describe('a leader that has lost its lock', () => {
  it('changes nothing: what it hears late of a write, another tab is sending again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { server, leader, follower } = await openTwo();
    server.hold('PATCH');
    const promise = leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'Once' }));
    await until(() => server.held.length === 1 && follower.state().size === 1);
    const [channel] = channels();
    const hears = channel?.onmessage ?? null;
    if (channel) channel.onmessage = null;
    void follower.store.dispatch(follower.todos.partialUpdate({ id: 2 }, { title: 'Asks' }));
    await until(() => follower.state().entries[1]?.isDurable);
    await vi.advanceTimersByTimeAsync(5_100);
    await until(() => follower.state().isLeader && server.held.length === 2);

    if (channel) channel.onmessage = hears;
    server.held[0]?.fail(403);
    await until(() => leader.state().entries[0]?.status === 'sent');
    for (let turns = 0; turns < 100; turns++) await new Promise((resolve) => setImmediate(resolve));
    const meanwhile = [leader.state().failed, follower.state().failed];
    server.held[0]?.answer();
    await until(() => server.held.length === 1);
    server.release();
    await untilSent(follower);

    expect(meanwhile).toEqual([0, 0]);
    expect((await promise).meta.requestStatus).toBe('fulfilled');
    expect(server.rows(Todo)[0]?.title).toBe('Once');
    vi.useRealTimers();
    for (const tab of [leader, follower]) await tab.kill();
  });
});

describe('a tab whose lead was stolen while it was idle', () => {
  it('takes it again when the thief is killed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { server, leader, follower } = await openTwo();
    server.fail('PATCH', new Response(null, { status: 503, headers: { 'retry-after': '3600' } }));
    const promise = leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'Later' }));
    await until(() => follower.state().entries[0]?.status === 'waiting');
    const [channel] = channels();
    if (channel) channel.onmessage = null;
    void follower.store.dispatch(follower.todos.partialUpdate({ id: 2 }, { title: 'Asks' }));
    await until(() => follower.state().entries[1]?.isDurable);
    await vi.advanceTimersByTimeAsync(5_100);
    await until(() => follower.state().isLeader);

    await follower.kill();
    server.reset();
    await until(() => leader.state().isLeader);
    await vi.advanceTimersByTimeAsync(3_700_000);
    await promise;

    expect(server.rows(Todo)[0]?.title).toBe('Later');
    vi.useRealTimers();
    await leader.kill();
  });
});

describe('a lead that a dying tab has taken last', () => {
  it('holds up nobody: the tab that has the lock takes it anew', async () => {
    const { server, name, leader, follower } = await openTwo();
    // What that tab was writing as it was killed comes after the lock has gone to this one.
    const db = await openDB(`rtk-resource/offline/${name}`);
    await db.put('meta', 99, 'epoch ');
    db.close();

    const { meta } = await leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'Goes on' }));

    expect(meta.requestStatus).toBe('fulfilled');
    expect(server.rows(Todo)[0]?.title).toBe('Goes on');
    for (const tab of [leader, follower]) await tab.kill();
  });
});

describe('a page that comes back out of the cache of the browser', () => {
  it('has what it was sending done by another tab meanwhile, and nothing is done twice', async () => {
    const { server, leader, follower } = await openTwo({ idempotencyKey: true });
    const undo = server.hold('POST', { at: 'answer' });
    const promise = leader.store.dispatch(getList.push({ title: 'Once' }));
    await until(() => server.held.length === 1 && follower.state().size === 1);

    const { thaw } = freeze(0);
    await until(() => follower.state().entries[0]?.status === 'waiting');
    undo();
    server.held[0]?.lose();
    thaw();
    follower.line.setOnline(false);
    follower.line.setOnline(true);
    const { meta } = await promise;
    await untilSent(follower);

    expect(meta.requestStatus).toBe('fulfilled');
    expect(server.rows(Todo)).toHaveLength(3);
    expect(leader.state().size).toBe(0);
    for (const tab of [leader, follower]) await tab.kill();
  });

  it('hears that what waited was done, and asks for the rows again', async () => {
    const { server, leader, follower } = await openTwo();
    const { unsubscribe } = leader.store.dispatch(getList.subscribe());
    await until(() => leader.titleOf(1) === 'Read');
    leader.line.setOnline(false);
    const promise = leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'Waits' }));
    await until(() => follower.state().entries[0]?.isDurable);

    const { missed, thaw } = freeze(0);
    await untilSent(follower);
    await until(() => missed.includes('done'));
    server.set(Todo, { id: 1, title: 'Waited' });
    leader.line.setOnline(true);
    thaw();
    const { meta } = await promise;
    await until(() => leader.titleOf(1) === 'Waited');

    expect(meta.requestStatus).toBe('fulfilled');
    expect(writesTo(server).filter((call) => call === 'PATCH /todos/1')).toHaveLength(1);
    unsubscribe();
    for (const tab of [leader, follower]) await tab.kill();
  });
});

describe('what one tab does by hand', () => {
  it('is so in the others: what is edited is sent as edited', async () => {
    const { server, leader, follower } = await openTwo();
    leader.line.setOnline(false);
    const { requestId } = leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'First' }));
    await until(() => follower.state().entries[0]?.isDurable);

    await follower.store.dispatch(follower.queue.edit(requestId, { title: 'Edited' }));
    await until(
      () => leader.state().entries[0]?.args[1] !== undefined && JSON.stringify(leader.state()).includes('Edited'),
    );
    leader.line.setOnline(true);
    await untilSent(leader);

    expect(server.rows(Todo)[0]?.title).toBe('Edited');
    for (const tab of [leader, follower]) await tab.kill();
  });

  it('is so in the others: what has failed, and is edited, is tried again', async () => {
    const { server, leader, follower } = await openTwo();
    server.fail('PATCH', 403, { times: 1 });
    const { requestId } = leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'First' }));
    await until(() => follower.state().failed === 1);

    await follower.store.dispatch(follower.queue.edit(requestId, { title: 'Edited' }));
    await until(() => leader.state().entries.length === 0 && follower.state().entries.length === 0);

    expect(server.rows(Todo)[0]?.title).toBe('Edited');
    for (const tab of [leader, follower]) await tab.kill();
  });

  it('is so in the others: what is discarded, paused and reset', async () => {
    expectWarning(/reset\(\) deletes 1 writes/);
    const { server, leader, follower } = await openTwo();
    follower.store.dispatch(follower.queue.pause());
    await until(() => leader.state().status === 'paused');
    const first = leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'Discarded' }));
    void leader.store.dispatch(partialUpdate({ id: 2 }, { title: 'Reset' }));
    await until(() => follower.state().size === 2);

    await follower.store.dispatch(follower.queue.discard(first.requestId));
    const { meta } = await first;
    await until(() => leader.state().size === 1);
    follower.store.dispatch(follower.resources.reset());
    await until(() => [leader, follower].every((tab) => tab.state().status === 'idle' && tab.state().size === 0));

    expect(meta.aborted).toBe(true);
    expect(writesTo(server)).toEqual(['PATCH /todos/2']);
    for (const tab of [leader, follower]) await tab.kill();
  });

  it('but a session that has ended by itself takes nothing from them', async () => {
    const { leader, follower } = await openTwo();
    leader.line.setOnline(false);
    void leader.store.dispatch(partialUpdate({ id: 1 }, { title: 'Kept' }));
    await until(() => follower.state().entries[0]?.isDurable);

    follower.store.dispatch(follower.resources.reset({ keepOutbox: true }));
    await until(() => follower.state().status !== 'loading' && follower.state().size === 1);

    expect(leader.state().size).toBe(1);
    for (const tab of [leader, follower]) await tab.kill();
  });
});

describe('a write that could not be stored', () => {
  it('is sent by its own tab, though another one leads', async () => {
    expectWarning(/cannot store its writes/);
    const { server, leader, follower } = await openTwo();
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(() => {
      throw new DOMException('There is no room.', 'QuotaExceededError');
    });

    const { meta } = await follower.store.dispatch(follower.todos.partialUpdate({ id: 1 }, { title: 'No room' }));

    expect(meta.requestStatus).toBe('fulfilled');
    expect(leader.state().isLeader).toBe(true);
    expect(server.rows(Todo)[0]?.title).toBe('No room');
    for (const tab of [leader, follower]) await tab.kill();
  });
});

describe('a write that was done, and could not be deleted for want of room', () => {
  it('is not sent again when the tab reads what is stored', async () => {
    expectWarning(/cannot store its writes/);
    const { server, leader, follower } = await openTwo();
    server.fail('POST', 503, { times: 1 });
    const created = leader.store.dispatch(getList.push({ title: 'Once' }));
    await until(() => leader.state().entries[0]?.status === 'waiting');
    for (const method of ['put', 'add'] as const)
      vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(() => {
        throw new DOMException('There is no room.', 'QuotaExceededError');
      });
    server.hold('POST');
    void leader.store.dispatch(leader.queue.retry(created.requestId));
    await until(() => server.held.length === 1);
    await turns();
    server.release();
    await created;

    // The other one has something to send.
    hear(0, { type: 'ask' });
    await turns();

    expect(writesTo(server).filter((write) => write === 'POST /todos')).toHaveLength(2);
    expect(leader.state().size).toBe(0);
    vi.restoreAllMocks();
    for (const tab of [leader, follower]) await tab.kill();
  });
});

describe('a write that was done, and could not be deleted, in a tab that is opened later', () => {
  it('is not shown for long, and not sent', async () => {
    expectWarning(/cannot store its writes/);
    const [server, name] = [makeServer(), newName()];
    const tab = await openAnother(server, name);
    vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(() => {
      throw new DOMException('There is no room.', 'QuotaExceededError');
    });
    await tab.store.dispatch(tab.todos.partialUpdate({ id: 1 }, { title: 'Once' }));
    vi.restoreAllMocks();

    const later = await openAnother(server, name);
    await untilSent(later);

    expect(writesTo(server)).toEqual(['PATCH /todos/1']);
    for (const one of [tab, later]) await one.kill();
  });
});

describe('a tab that knows nothing of what is left', () => {
  it('leaves the lead to one that does', async () => {
    const [server, name] = [makeServer(), newName()];
    const before = openTab(server, name, { isOnline: false });
    await before.queue.ready;
    void before.store.dispatch(partialUpdate({ id: 1 }, { title: 'Known' }));
    await until(() => before.state().entries[0]?.isDurable);
    await before.kill();
    const stranger = openTab(server, name, { resources: [NoteResource] });
    await stranger.queue.ready;
    vi.resetModules();
    const again = (await import('../support/outbox.js')) as { openTab: typeof openTab };
    const tab = again.openTab(server, name);

    await until(() => tab.state().isLeader);
    await untilSent(tab);

    expect(server.rows(Todo)[0]?.title).toBe('Known');
    for (const one of [stranger, tab]) await one.kill();
  });

  it('leaves the lead also where that was under way in another life of the tab', async () => {
    const [server, name] = [makeServer(), newName()];
    const before = openTab(server, name);
    await before.queue.ready;
    server.hold('PATCH');
    void before.store.dispatch(partialUpdate({ id: 1 }, { title: 'Known' }));
    await until(() => server.held.length === 1);
    await before.kill();
    server.reset();
    const stranger = openTab(server, name, { resources: [NoteResource] });
    await stranger.queue.ready;
    await stranger.store.dispatch(NoteResource.partialUpdate({ todoId: 1, id: 1 }, { text: 'Leads' }));
    const tab = await openAnother(server, name);

    await untilSent(tab);

    expect(server.rows(Todo)[0]?.title).toBe('Known');
    for (const one of [stranger, tab]) await one.kill();
  });
});

describe('a write that is sent again', () => {
  it('is followed by a read in each tab, for the server may give its first answer once more', async () => {
    const { server, leader, follower, tabs } = await openTwo({ idempotencyKey: true });
    const shown = () => tabs.map(({ store, todos }) => todos.getList.select()(store.getState())?.[0]);
    for (const { store, todos } of tabs) store.dispatch(todos.getList.subscribe());
    await until(() => shown().every((todo) => todo));
    server.lose('PATCH', { times: 1 });
    const edit = follower.store.dispatch(follower.todos.partialUpdate({ id: 1 }, { title: 'Mine' }));
    await until(() => leader.state().entries[0]?.status === 'waiting');
    server.set(Todo, { id: 1, completed: true });
    for (const { store, todos } of tabs) await store.dispatch(todos.getList());

    await leader.store.dispatch(leader.queue.retry(edit.requestId));
    await edit.unwrap();

    await until(() => shown().every((todo) => todo?.title === 'Mine' && todo.completed));
    expect(shown()).toMatchObject([{ completed: true }, { completed: true }]);
  });
});

describe('edits that onConflict puts together with what somebody else has written', () => {
  it('are so also where another tab goes on with them', async () => {
    const { server, leader, follower, tabs } = await openTwo({ idempotencyKey: true });
    const [edit] = tabs.map(({ pages, queue }) => {
      const one = pages.partialUpdate.extend({
        onConflict: ({ theirs, mine }) => ({ title: `${theirs.title} + ${String((mine as Partial<Page>).title)}` }),
      });
      queue.add([one]);
      return one;
    });
    for (const { store, pages, line } of tabs) {
      await store.dispatch(pages.get({ id: 1 }));
      line.setOnline(false);
    }
    for (const title of ['A', 'AB']) void (edit && leader.store.dispatch(edit({ id: 1 }, { title })));
    await until(() => tabs.every(({ state }) => state().entries.filter(({ isDurable }) => isDurable).length === 2));
    server.set(Page, { id: 1, title: 'Theirs' });
    server.hold('PATCH');
    for (const { line } of tabs) line.setOnline(true);
    await until(() => server.held.length === 1);
    server.release();
    await until(() => follower.state().entries[0]?.args.some((arg) => (arg as Partial<Page>).title !== 'A') === true);
    await until(() => server.held.length === 1);
    await leader.kill();
    server.held[0]?.fail(503);

    await until(() => follower.state().isLeader);
    while (follower.state().size > 0) {
      await until(() => server.held.length === 1 || follower.state().size === 0);
      server.release();
      await until(() => server.held.length === 0);
    }

    expect(server.rows(Page)[0]?.title).toBe('Theirs + A + AB');
    await follower.kill();
  });
});
