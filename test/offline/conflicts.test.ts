import { createResource } from 'rtk-resource';
import { mockServer, type MockServer } from 'rtk-resource/mock';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeTime, newName, openTab, pass, Todo, until, untilSent, type Tab } from '../support/outbox.js';

const onConflict = vi.fn<(about: { base: unknown; theirs: unknown; mine: unknown }) => { title: string } | undefined>();
const VersionedTodo = createResource({
  ...{ path: '/todos/:id', schema: Todo, optimistic: true, etag: true },
  onConflict: (about) => onConflict(about),
});
const { get, partialUpdate } = VersionedTodo;
const remove = VersionedTodo.delete;

fakeTime();

beforeEach(() => {
  onConflict.mockReset();
});

function makeServer(): MockServer {
  return mockServer([VersionedTodo], { seed: { Todo: [{ id: 1, title: 'Read', completed: false }] } });
}

function open(server: MockServer, name: string, options: Parameters<typeof openTab>[2] = {}): Tab {
  return openTab(server, name, { resources: [VersionedTodo], idempotencyKey: true, ...options });
}

/** The writes that the server has got, and what it said. */
function told({ calls }: MockServer) {
  return calls
    .filter(({ method }) => method !== 'GET')
    .map(({ method, status, body, idempotencyKey }) => ({ method, status, body, idempotencyKey }));
}

/** A tab that has seen the row, and went offline. */
async function offlineTab(server: MockServer, name: string): Promise<Tab> {
  const tab = open(server, name);
  await tab.queue.ready;
  await tab.store.dispatch(get({ id: 1 }));
  tab.line.setOnline(false);
  return tab;
}

/** The next life of a tab, online from the beginning. */
async function reloaded(tab: Tab, server: MockServer, name: string): Promise<Tab> {
  await until(() => tab.state().entries.every(({ isDurable }) => isDurable));
  await tab.kill();
  const next = open(server, name);
  await next.queue.ready;
  return next;
}

describe('an edit that was made offline, of a row that somebody else has changed since', () => {
  it('is made on what is there where they changed something else, after a reload, too, and is sent with a new key', async () => {
    const [server, name] = [makeServer(), newName()];
    const tab = await offlineTab(server, name);
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Mine' }));
    server.set(Todo, { id: 1, completed: true });

    const next = await reloaded(tab, server, name);
    await untilSent(next);

    expect(server.rows(Todo)).toEqual([{ id: 1, title: 'Mine', completed: true }]);
    expect(told(server).map(({ status }) => status)).toEqual([412, 200]);
    expect(new Set(told(server).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
    expect(onConflict).not.toHaveBeenCalled();
  });

  it('asks onConflict with what the user saw, after a reload, too, and sends what that gives', async () => {
    const [server, name] = [makeServer(), newName()];
    onConflict.mockReturnValue({ title: 'Both' });
    const tab = await offlineTab(server, name);
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Mine' }));
    server.set(Todo, { id: 1, title: 'Theirs' });

    const next = await reloaded(tab, server, name);
    await untilSent(next);

    expect(onConflict).toHaveBeenCalledOnce();
    expect(onConflict.mock.calls[0]?.[0]).toMatchObject({
      base: { id: 1, title: 'Read' },
      theirs: { id: 1, title: 'Theirs' },
      mine: { title: 'Mine' },
    });
    expect(server.rows(Todo)[0]?.title).toBe('Both');
    expect(next.titleOf(1)).toBe('Both');
  });

  it('asks also where the newer row was read before the edit was sent', async () => {
    const [server, name] = [makeServer(), newName()];
    onConflict.mockReturnValue({ title: 'Both' });
    const tab = await offlineTab(server, name);
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Mine' }));
    server.set(Todo, { id: 1, title: 'Theirs' });
    await until(() => tab.state().entries.every(({ isDurable }) => isDurable));
    tab.store.dispatch(tab.queue.pause());
    const next = await reloaded(tab, server, name);
    await next.store.dispatch(get({ id: 1 }));

    next.store.dispatch(next.queue.resume());
    await untilSent(next);

    expect(onConflict).toHaveBeenCalledOnce();
    expect(server.rows(Todo)[0]?.title).toBe('Both');
  });

  it('has failed, with its text, where onConflict gives nothing', async () => {
    const [server, name] = [makeServer(), newName()];
    const tab = await offlineTab(server, name);
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Mine' }));
    server.set(Todo, { id: 1, title: 'Theirs' });

    const next = await reloaded(tab, server, name);
    await until(() => next.state().failed === 1);

    expect(next.state().entries).toMatchObject([
      { status: 'failed', error: { status: 412 }, args: [{ id: 1 }, { title: 'Mine' }] },
    ]);
    expect(next.titleOf(1)).toBe('Theirs');
    expect(server.rows(Todo)[0]?.title).toBe('Theirs');
  });

  it('is stored as what it became before that is sent: a kill in between loses nothing', async () => {
    const [server, name] = [makeServer(), newName()];
    onConflict.mockReturnValue({ title: 'Both' });
    const tab = await offlineTab(server, name);
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Mine' }));
    server.set(Todo, { id: 1, title: 'Theirs' });
    const second = await reloaded(tab, server, name);
    await until(() => told(server).length === 1);
    server.hold('PATCH');
    await until(() => server.held.length === 1);
    await second.kill();
    server.held[0]?.lose();

    const third = open(server, name);
    await third.queue.ready;
    const [entry] = third.state().entries;
    await until(() => server.held.length === 1);
    server.release();
    await untilSent(third);

    expect(entry?.args).toEqual([{ id: 1 }, { title: 'Both' }]);
    expect(onConflict).toHaveBeenCalledOnce();
    expect(server.rows(Todo)[0]?.title).toBe('Both');
  });

  it('waits where the network is lost before the row could be read', async () => {
    const [server, name] = [makeServer(), newName()];
    const tab = await offlineTab(server, name);
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Mine' }));
    server.set(Todo, { id: 1, completed: true });
    server.drop('GET', { times: 1 });

    const next = await reloaded(tab, server, name);
    await until(() => next.state().entries[0]?.status === 'waiting');
    await pass(3_000);
    await untilSent(next);

    expect(server.rows(Todo)).toEqual([{ id: 1, title: 'Mine', completed: true }]);
  });
});

describe('two edits of one row that were made offline', () => {
  it('are no conflict with each other', async () => {
    const [server, name] = [makeServer(), newName()];
    const tab = await offlineTab(server, name);
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'First' }));
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Second' }));

    const next = await reloaded(tab, server, name);
    await untilSent(next);

    expect(server.rows(Todo)[0]?.title).toBe('Second');
    expect(onConflict).not.toHaveBeenCalled();
  });

  it('are none either where the tab is killed between them', async () => {
    const [server, name] = [makeServer(), newName()];
    const tab = await offlineTab(server, name);
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'First' }));
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Second' }));
    server.hold('PATCH');
    const second = await reloaded(tab, server, name);
    await until(() => server.held.length === 1);
    server.held[0]?.answer();
    await until(() => second.state().size === 1 && server.held.length === 1);
    await second.kill();
    server.held[0]?.fail(503);

    const third = open(server, name);
    await third.queue.ready;
    await until(() => server.held.length === 1);
    server.release();
    await untilSent(third);

    expect(server.rows(Todo)[0]?.title).toBe('Second');
    expect(onConflict).not.toHaveBeenCalled();
  });
});

describe('two edits of one row of which the first is put together with what somebody else has written', () => {
  /** A tab that is about to send them, and holds each. */
  async function sending() {
    const [server, name] = [makeServer(), newName()];
    onConflict.mockImplementation(({ theirs, mine }) => {
      const [{ title: there }, { title }] = [theirs, mine] as [{ title: string }, { title: string }];
      return { title: `${there} + ${title}` };
    });
    const tab = await offlineTab(server, name);
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'First' }));
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Second' }));
    server.set(Todo, { id: 1, title: 'Theirs' });
    server.hold('PATCH');
    const next = await reloaded(tab, server, name);
    await until(() => server.held.length === 1);
    return { server, name, tab: next };
  }

  /** The server gets all that is still to be sent. */
  async function sendRest(server: MockServer, tab: Tab): Promise<void> {
    await tab.queue.ready;
    for (let left = tab.state().size; left > 0; left = tab.state().size) {
      await until(() => server.held.length === 1 || tab.state().size === 0);
      server.release();
      await until(() => server.held.length === 0);
    }
  }

  const asked = () => onConflict.mock.calls.map(([{ base, theirs, mine }]) => [base, theirs, mine]);
  const of = (title: string) => expect.objectContaining({ title }) as unknown;

  it('has the second put together with that, too', async () => {
    const { server, tab } = await sending();

    await sendRest(server, tab);

    expect(asked()).toEqual([
      [of('Read'), of('Theirs'), of('First')],
      [of('First'), of('Theirs + First'), of('Second')],
    ]);
    expect(server.rows(Todo)[0]?.title).toBe('Theirs + First + Second');
  });

  it('sends as it is what is made on that, as soon as it is shown', async () => {
    const { server, tab } = await sending();
    server.release();
    await until(() => onConflict.mock.calls.length === 1 && server.held.length === 1);
    await tab.store.dispatch(tab.queue.discard(tab.state().entries[1]?.id ?? ''));
    const title = `${String(tab.titleOf(1))} + More`;
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title }));

    await sendRest(server, tab);

    expect(onConflict).toHaveBeenCalledOnce();
    expect(server.rows(Todo)[0]?.title).toBe('Theirs + First + More');
  });

  it.each(['before that is sent', 'as that was done, and nobody was told', 'after that was done'])(
    'has the second put together with that, too, though the tab is killed %s',
    async (when) => {
      const { server, name, tab } = await sending();
      server.release();
      await until(() => onConflict.mock.calls.length === 1 && server.held.length === 1);
      if (when === 'after that was done') {
        server.release();
        await until(() => tab.state().size === 1 && server.held.length === 1);
      }
      await tab.kill();
      if (when === 'before that is sent') server.held[0]?.fail(503);
      else server.held[0]?.lose();

      const next = open(server, name);
      await next.queue.ready;
      await sendRest(server, next);

      expect(asked()[1]).toEqual([of('First'), of('Theirs + First'), of('Second')]);
      expect(server.rows(Todo)[0]?.title).toBe('Theirs + First + Second');
    },
  );
});

describe('an edit of what was created offline', () => {
  it('is no conflict with what the server has filled in', async () => {
    const server = makeServer();
    const tab = await offlineTab(server, newName());
    const { requestId } = tab.store.dispatch(VersionedTodo.getList.push({ title: 'New' }));
    void tab.store.dispatch(partialUpdate({ id: `~${requestId}` }, { completed: true }));
    server.drop('PATCH', { times: 1 });
    tab.line.setOnline(true);
    await until(() => tab.state().entries[0]?.status === 'waiting');
    await tab.store.dispatch(get({ id: 2 }));

    await pass(3_000);
    await untilSent(tab);

    expect(tab.state().failed).toBe(0);
    expect(told(server).map(({ status }) => status)).toEqual([201, 200]);
    expect(server.rows(Todo)[1]).toMatchObject({ title: 'New', completed: true });
  });
});

describe('an edit that has failed because of a conflict', () => {
  it('is sent once it is tried again: whoever does so has seen what is there', async () => {
    const server = makeServer();
    const tab = await offlineTab(server, newName());
    const { requestId } = tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Mine' }));
    server.set(Todo, { id: 1, title: 'Theirs' });
    tab.line.setOnline(true);
    await until(() => tab.state().failed === 1);

    await tab.store.dispatch(tab.queue.retry(requestId));
    await until(() => tab.state().size === 0);

    expect(tab.state().failed).toBe(0);
    expect(server.rows(Todo)[0]?.title).toBe('Mine');
  });
});

describe('a conflict with oneself', () => {
  it('is none: an edit whose answer was lost, and which is refused when it is sent again, was done', async () => {
    const [server, name] = [makeServer(), newName()];
    const tab = open(server, name, { idempotencyKey: false });
    await tab.queue.ready;
    await tab.store.dispatch(get({ id: 1 }));
    server.lose('PATCH', { times: 1 });

    const promise = tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Once' }));
    await until(() => tab.state().entries[0]?.status === 'waiting');
    await pass(3_000);

    expect((await promise).meta.requestStatus).toBe('fulfilled');
    expect(told(server).map(({ status }) => status)).toContain(412);
    expect(tab.state()).toMatchObject({ size: 0, failed: 0 });
    expect(tab.titleOf(1)).toBe('Once');
    expect(onConflict).not.toHaveBeenCalled();
  });

  it('is none: 409 to what is sent again with its key says that it is running still', async () => {
    const [server, name] = [makeServer(), newName()];
    const tab = open(server, name);
    await tab.queue.ready;
    await tab.store.dispatch(get({ id: 1 }));
    server.lose('PATCH', { times: 1 });

    const promise = tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Once' }));
    await until(() => tab.state().entries[0]?.status === 'waiting');
    server.fail('PATCH', 409, { times: 1 });
    await pass(10_000);

    expect((await promise).meta.requestStatus).toBe('fulfilled');
    expect(new Set(told(server).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(onConflict).not.toHaveBeenCalled();
  });
});

describe('a deletion of a row that somebody else has changed', () => {
  it('has failed, and the row is shown as it is', async () => {
    const [server, name] = [makeServer(), newName()];
    const tab = await offlineTab(server, name);
    void tab.store.dispatch(remove({ id: 1 }));
    server.set(Todo, { id: 1, title: 'Theirs' });

    const next = await reloaded(tab, server, name);
    await until(() => next.state().failed === 1);

    expect(server.rows(Todo)).toHaveLength(1);
    expect(next.titleOf(1)).toBe('Theirs');
  });
});

describe.each([
  ['in this life of the tab', 'never'],
  ['in an earlier life of the tab', 'before'],
  ['in an earlier life of the tab, which has heard of the create', 'after'],
])('edits of a row that was created offline %s', (_, killed) => {
  /** A create and two edits are about to be sent, and each edit is held. */
  async function sending() {
    const [server, name] = [makeServer(), newName()];
    const before = await offlineTab(server, name);
    const { requestId } = before.store.dispatch(VersionedTodo.getList.push({ title: 'New' }));
    const id = `~${requestId}`;
    void before.store.dispatch(partialUpdate({ id }, { title: 'Newer' }));
    void before.store.dispatch(partialUpdate({ id }, { completed: true }));
    if (killed === 'after') {
      const undo = server.hold('POST');
      before.line.setOnline(true);
      await until(() => server.held.length === 1);
      before.line.setOnline(false);
      undo();
      server.release();
      await until(() => before.state().size === 2);
    }
    server.hold('PATCH');
    const tab = killed === 'never' ? before : await reloaded(before, server, name);
    tab.line.setOnline(true);
    await until(() => server.held.length === 1);
    const passOne = async (): Promise<void> => {
      server.release();
      await until(() => server.held.length === 1 || tab.state().entries.every(({ status }) => status === 'failed'));
    };
    return { server, tab, passOne };
  }

  it('are made on what is there where somebody else has changed something else since', async () => {
    const { server, tab, passOne } = await sending();
    await passOne();
    server.set(Todo, { id: 2, title: 'Theirs' });
    await passOne();
    await passOne();
    await untilSent(tab);

    expect(told(server).map(({ status }) => status)).toEqual([201, 200, 412, 200]);
    expect(server.rows(Todo)[1]).toEqual({ id: 2, title: 'Theirs', completed: true });
    expect(tab.state().entries).toEqual([]);
  });

  it('are refused where somebody else has changed the same, and onConflict has what the create was answered with', async () => {
    onConflict.mockReturnValue({ title: 'Both' });
    const { server, tab, passOne } = await sending();
    server.set(Todo, { id: 2, title: 'Theirs' });
    await passOne();
    await passOne();
    await passOne();
    await untilSent(tab);

    expect(onConflict.mock.calls).toMatchObject([[{ base: { id: 2, title: 'New' }, theirs: { title: 'Theirs' } }]]);
    expect(server.rows(Todo)[1]).toEqual({ id: 2, title: 'Both', completed: true });
  });
});
