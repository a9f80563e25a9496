import { describe, expect, it, vi } from 'vitest';
import {
  fakeTime,
  makeServer,
  newName,
  openLeading,
  openTab,
  Page,
  PageResource,
  pass,
  storedIn,
  Todo,
  TodoResource,
  turns,
  until,
  untilSent,
  writesTo,
} from '../support/outbox.js';
import { expectWarning } from '../support/strict.js';
import { hear, openTwo, useTabs } from '../support/tabs.js';

const { partialUpdate, getList } = TodoResource;
fakeTime();
useTabs();

const quota = (): never => {
  throw new DOMException('There is no room.', 'QuotaExceededError');
};

async function openAlone(options: Parameters<typeof openTab>[2] = {}) {
  const [server, name] = [makeServer(), newName()];
  return { server, name, tab: await openLeading(server, name, options) };
}

/** Answers what is held after so many ms, and lets so many pass. */
async function answerAfter(server: ReturnType<typeof makeServer>, undo: () => void, [before, after]: [number, number]) {
  await pass(before);
  undo();
  server.release();
  await pass(after);
}

describe('a kept write that waits for one that is not kept', () => {
  it('is sent when the create of its item is answered', async () => {
    const { server, tab } = await openAlone();
    const push = getList.push.extend({ name: 'Todo/unkeptPush', durable: false });
    const undo = server.hold('POST');
    const { requestId } = tab.store.dispatch(push({ title: 'New' }));
    void tab.store.dispatch(partialUpdate({ id: `~${requestId}` }, { title: 'Edited' }));
    await answerAfter(server, undo, [500, 70_000]);
    expect(server.rows(Todo)[2]?.title).toBe('Edited');
  });
  it('is sent when the one before it in its line is answered', async () => {
    const { server, tab } = await openAlone();
    const unkept = PageResource.partialUpdate.extend({ name: 'Page/unkept', durable: false });
    const undo = server.hold('PATCH');
    void tab.store.dispatch(unkept({ id: 1 }, { title: 'First' }));
    void tab.store.dispatch(PageResource.partialUpdate({ id: 1 }, { body: 'Second' }));
    await answerAfter(server, undo, [500, 70_000]);
    expect(server.rows(Page)[0]).toMatchObject({ title: 'First', body: 'Second' });
  });
  it('is not sent by another tab, which knows nothing of the create', async () => {
    const { server, follower } = await openTwo();
    const push = follower.todos.getList.push.extend({ name: 'Todo/unkeptPush', durable: false });
    const undo = server.hold('POST');
    const { requestId } = follower.store.dispatch(push({ title: 'New' }));
    void follower.store.dispatch(follower.todos.partialUpdate({ id: `~${requestId}` }, { title: 'Edited' }));
    await answerAfter(server, undo, [1_000, 3_000]);
    expect(server.rows(Todo)[2]?.title).toBe('Edited');
  });
  it('is not sent by another tab either where the create found no room on the disk', async () => {
    expectWarning(/cannot store its writes/);
    const { server, follower } = await openTwo();
    const undo = server.hold('POST');
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(quota);
    const { requestId } = follower.store.dispatch(follower.todos.getList.push({ title: 'New' }));
    void follower.store.dispatch(follower.todos.partialUpdate({ id: `~${requestId}` }, { title: 'Edited' }));
    await answerAfter(server, undo, [1_000, 3_000]);
    expect(server.rows(Todo)[2]?.title).toBe('Edited');
  });
});

it('one unknown create holds up no other of its list (etag: true)', async () => {
  const { server, tab } = await openAlone();
  server.lose('POST', { times: 1 });
  void tab.store.dispatch(PageResource.getList.push({ title: 'Lost' }));
  await until(() => tab.state().entries[0]?.status === 'unknown');
  void tab.store.dispatch(PageResource.getList.push({ title: 'Second' }));
  await pass(70_000);
  expect(server.rows(Page).map(({ title }) => title)).toContain('Second');
});

it('a create that is tried again after what names its item goes before that, in one line, too', async () => {
  const push = getList.push.extend({ name: 'Todo/linedPush', serialize: () => 'all' });
  const edit = partialUpdate.extend({ name: 'Todo/linedEdit', serialize: () => 'all' });
  const { server, tab } = await openAlone({ resources: [TodoResource, push, edit] });
  server.fail('POST', 422, { times: 1 });
  const { requestId } = tab.store.dispatch(push({ title: 'New' }));
  const second = tab.store.dispatch(edit({ id: `~${requestId}` }, { title: 'Edited' }));
  await until(() => tab.state().failed === 2);
  tab.line.setOnline(false);
  await tab.store.dispatch(tab.queue.retry(second.requestId));
  await tab.store.dispatch(tab.queue.retry(requestId));
  tab.line.setOnline(true);
  await pass(70_000);
  expect(server.rows(Todo)[2]?.title).toBe('Edited');
});

it('a probe that is never answered does not hold up the outbox', async () => {
  const push = getList.push.extend({ name: 'Todo/timedPush', timeout: 2_000 });
  const { server, tab } = await openAlone({ resources: [TodoResource, push] });
  let undo = server.hold('POST');
  void tab.store.dispatch(push({ title: 'One' }));
  await pass(3_000);
  undo();
  undo = server.hold('HEAD');
  void tab.store.dispatch(push({ title: 'Two' }));
  await pass(3_000);
  undo();
  tab.line.setOnline(false);
  await pass(1_000);
  tab.line.setOnline(true);
  await pass(120_000);
  expect(server.rows(Todo).map(({ title }) => title)).toContain('Two');
});

it('what is probed for is not sent: it is discarded with what depends on it', async () => {
  const { server, tab } = await openAlone();
  server.lose('POST', { times: 1 });
  void tab.store.dispatch(getList.push({ title: 'Lost' }));
  await until(() => tab.state().entries[0]?.status === 'unknown');
  server.hold('HEAD');
  const { requestId } = tab.store.dispatch(getList.push({ title: 'Second' }));
  void tab.store.dispatch(partialUpdate({ id: `~${requestId}` }, { title: 'x' }));
  await pass(2_000);
  await until(() => server.held.length === 1);
  await tab.store.dispatch(tab.queue.discard(requestId));
  await until(() => tab.state().entries.length === 1);
  expect(tab.state().entries[0]?.status).toBe('unknown');
});

describe('a full disk', () => {
  it('a write that found no room is sent before a later one to its row', async () => {
    expectWarning(/cannot store its writes/);
    const server = makeServer();
    const tab = openTab(server, newName(), { isOnline: false });
    await tab.queue.ready;
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(quota);
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'First, without room' }));
    await until(() => tab.state().storage === 'full');
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Second' }));
    await until(() => tab.state().entries.some(({ isDurable }) => isDurable));
    hear(0);
    await turns();
    tab.line.setOnline(true);
    await untilSent(tab);
    expect(server.rows(Todo)[0]?.title).toBe('Second');
  });
  it('what is stored is sent in the next life of the tab', async () => {
    expectWarning(/cannot store its writes/);
    const { server, name, tab: first } = await openAlone();
    first.line.setOnline(false);
    void first.store.dispatch(partialUpdate({ id: 1 }, { title: 'Stored' }));
    await until(() => first.state().entries[0]?.isDurable);
    await first.kill();
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(quota);
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(quota);
    const tab = openTab(server, name);
    await tab.queue.ready;
    await until(() => server.rows(Todo)[0]?.title === 'Stored');
    expect(tab.state().storage).toBe('full');
  });
});

describe('a reset', () => {
  it('before the outbox is open, deletes what is stored of the owner', async () => {
    const session: { user: string | undefined } = { user: 'ada' };
    const [server, name] = [makeServer(), newName()];
    const first = openTab(server, name, { owner: () => session.user, isOnline: false });
    await first.queue.ready;
    void first.store.dispatch(partialUpdate({ id: 1 }, { title: 'Of Ada' }));
    await until(() => first.state().entries[0]?.isDurable);
    await first.kill();
    const tab = openTab(server, name, { owner: () => session.user });
    tab.store.dispatch(tab.resources.reset());
    session.user = undefined;
    tab.store.dispatch({ type: 'logged out' });
    await tab.queue.ready;
    await pass(1_000);
    expect(await storedIn(name)).toEqual([]);
  });
});

it('an edit by hand stays its owner’s, though another one has come meanwhile', async () => {
  const session = { user: 'ada' };
  const [server, name] = [makeServer(), newName()];
  const tab = openTab(server, name, { owner: () => session.user, isOnline: false });
  await tab.queue.ready;
  const { requestId } = tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Of Ada' }));
  await until(() => tab.state().entries[0]?.isDurable);
  const edited = tab.store.dispatch(tab.queue.edit(requestId, { title: 'Secret of Ada' }));
  session.user = 'bob';
  tab.store.dispatch({ type: 'logged in' });
  await edited.catch(() => undefined);
  await turns();
  tab.line.setOnline(true);
  await pass(3_000);
  expect([writesTo(server), (await storedIn(name))[0]?.['owner']]).toEqual([[], 'ada']);
});
