import { RestEndpoint } from 'rtk-resource';
import { deleteDB, openDB } from 'idb';
import { outbox } from 'rtk-resource/offline';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';
import {
  makeServer,
  newName,
  openTab,
  storedIn,
  Todo,
  TodoResource,
  until,
  untilSent,
  writesTo,
} from '../support/outbox.js';

const { partialUpdate, getList } = TodoResource;

afterEach(() => {
  vi.restoreAllMocks();
});

function refuseOnce() {
  return vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(() => {
    throw new DOMException('There is no room.', 'QuotaExceededError');
  });
}

describe('a disk without room', () => {
  it('is told, the write is sent all the same, and the next is tried again', async () => {
    expectWarning(/cannot store its writes/);
    const server = makeServer();
    const onStorageError = vi.fn();
    const tab = openTab(server, newName(), { onStorageError });
    await tab.queue.ready;
    server.hold('PATCH');
    refuseOnce();

    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'No room' }));
    await until(() => server.held.length === 1);
    const full = tab.state();
    void tab.store.dispatch(partialUpdate({ id: 2 }, { title: 'Room' }));
    await until(() => tab.state().entries[1]?.isDurable);
    const after = tab.state();
    server.release();
    await until(() => server.held.length === 1);
    server.release();
    await untilSent(tab);

    expect(full).toMatchObject({ storage: 'full', entries: [{ isDurable: false }] });
    expect(after.storage).toBe('durable');
    expect(onStorageError).toHaveBeenCalledOnce();
    expect(server.rows(Todo).map(({ title }) => title)).toEqual(['No room', 'Room']);
  });
});

describe('a transaction that the browser aborts', () => {
  it.each([
    ['makes the database', 'versionchange'],
    ['reads', 'readonly'],
    ['writes', 'readwrite'],
  ])('is told the app, and not the page as a rejection that nobody handles, if it %s', async (_, mode) => {
    expectWarning(/cannot store its writes/);
    const onStorageError = vi.fn();
    const { transaction } = IDBDatabase.prototype;
    let isAborted = false;
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...given) {
      const made = transaction.apply(this, given);
      if (isAborted || made.mode !== mode) return made;
      isAborted = true;
      queueMicrotask(() => {
        made.abort();
      });
      return made;
    });
    const server = makeServer();
    const tab = openTab(server, newName(), { onStorageError });
    await tab.queue.ready;

    await tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Sent' }));

    expect(onStorageError).toHaveBeenCalledOnce();
    expect(server.rows(Todo)[0]?.title).toBe('Sent');
  });
});

describe('a write that was done while nothing could be deleted', () => {
  it('is deleted with the next one, so that no later tab sends it again', async () => {
    expectWarning(/cannot store its writes/);
    const [name, server] = [newName(), makeServer()];
    const tab = openTab(server, name);
    await tab.queue.ready;
    const deleting = vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(() => {
      throw new DOMException('There is no room.', 'QuotaExceededError');
    });
    await tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'First' }));
    const left = await storedIn(name);
    deleting.mockRestore();

    await tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Second' }));

    expect(left).toMatchObject([{ status: 'sent' }]);
    expect(await storedIn(name)).toEqual([]);
  });
});

describe('a database that goes away', () => {
  it('leaves what it held in memory, to be sent from there', async () => {
    const name = newName();
    const server = makeServer();
    const tab = openTab(server, name, { isOnline: false });
    await tab.queue.ready;
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Kept' }));
    await until(() => tab.state().entries[0]?.isDurable);

    // As when somebody clears the data of the site.
    await deleteDB(`rtk-resource/offline/${name}`);
    await until(() => tab.state().storage === 'memory');
    const [entry] = tab.state().entries;
    tab.line.setOnline(true);
    await untilSent(tab);

    expect(entry?.isDurable).toBe(false);
    expect(writesTo(server)).toEqual(['PATCH /todos/1']);
  });
});

describe('an entry that cannot be read', () => {
  it.each([
    ['has no arguments', { id: 'broken', endpointName: 'Todo/partialUpdate', version: 1 }],
    ['names a file that is gone', { args: [{ id: 2 }, { $body: 'file', file: 7 }] }],
    ['has arguments that the endpoint does not take', { args: [null] }],
  ])('has failed alone, if it %s', async (_, broken) => {
    const name = newName();
    const server = makeServer();
    const before = openTab(server, name, { isOnline: false });
    await before.queue.ready;
    void before.store.dispatch(partialUpdate({ id: 2 }, { title: 'Broken' }));
    void before.store.dispatch(partialUpdate({ id: 1 }, { title: 'Fine' }));
    await until(() => before.state().entries[1]?.isDurable);
    await before.kill();
    const [entry] = await storedIn(name);
    const db = await openDB(`rtk-resource/offline/${name}`);
    const whole = 'args' in broken ? { ...entry, ...broken } : { ...broken, n: entry?.['n'], owner: '' };
    await db.put('entries', whole);
    db.close();

    const after = openTab(server, name);
    await after.queue.ready;
    await until(() => after.state().size === 0);

    expect(after.state()).toMatchObject({ size: 0, failed: 1 });
    expect(writesTo(server)).toEqual(['PATCH /todos/1']);
  });
});

describe('what cannot be kept', () => {
  it('is sent, is not durable, and that is told once', async () => {
    expectWarning(/upload sends what cannot be kept \(a stream, or a file inside of an object\)/);
    const upload = new RestEndpoint({
      ...{ path: '/files', method: 'POST', name: 'upload', schema: undefined },
      body: {} as ReadableStream,
    });
    const bodies: unknown[] = [];
    const queue = outbox({ name: newName(), resources: [upload] });
    const { store } = setup({
      outbox: queue,
      fetchFn: (_, init) => {
        bodies.push(init.body);
        return Promise.resolve(new Response('{}'));
      },
    });
    await queue.ready;
    const streams = [new ReadableStream(), new ReadableStream()] as const;

    for (const stream of streams) await store.dispatch(upload(stream));

    expect(bodies).toEqual(streams);
    expect(queue.select(store.getState()).size).toBe(0);
    await queue.close();
  });

  it('is no body that JSON makes another of: it is refused, and not sent as that after a reload', async () => {
    expectWarning(/Todo\/partialUpdate sends what cannot be kept \(The outbox was given a Set at tags/);
    const [name, server] = [newName(), makeServer()];
    const tab = openTab(server, name, { isOnline: false });
    await tab.queue.ready;
    const edit = partialUpdate.extend({ optimistic: false });
    void tab.store.dispatch(edit({ id: 1 }, { title: 'Tagged', tags: new Set(['new']) } as never));
    await until(() => tab.state().size === 1);
    await tab.store.dispatch(TodoResource.get({ id: 2 }));
    await tab.kill();

    const after = openTab(server, name);
    await after.queue.ready;
    await after.store.dispatch(TodoResource.get({ id: 1 }));

    expect(after.state().size).toBe(0);
    expect(writesTo(server)).toEqual([]);
  });
});

describe('what is kept', () => {
  it('survives a kill also where it was written before the database was open', async () => {
    const name = newName();
    const server = makeServer();
    const tab = openTab(server, name, { isOnline: false });
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Early' }));
    await tab.queue.ready;
    await until(() => tab.state().entries[0]?.isDurable);
    await tab.kill();

    const after = openTab(server, name);
    await after.queue.ready;
    await untilSent(after);

    expect(server.rows(Todo)[0]?.title).toBe('Early');
  });

  it('is sent when it lies there, and is kept once: a file takes time to be read', async () => {
    const upload = new RestEndpoint({
      ...{ path: '/files', method: 'POST', name: 'upload', schema: undefined },
      body: new Blob(),
    });
    const [name, server] = [newName(), makeServer(upload)];
    server.use(upload, () => ({ ok: true }));
    const tab = openTab(server, name, { resources: [TodoResource, upload], idempotencyKey: true });
    await tab.queue.ready;
    await tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Leads' }));
    tab.store.dispatch(tab.queue.pause());
    const file = new Blob(['bytes']);
    let read: () => void = () => undefined;
    const isRead = new Promise<void>((resolve) => (read = resolve));
    file.arrayBuffer = () => isRead.then(() => new Blob(['bytes']).arrayBuffer());
    const undo = server.fail('POST', 503);

    void tab.store.dispatch(upload(file));
    tab.store.dispatch(tab.queue.resume());
    await tab.store.dispatch(TodoResource.get({ id: 1 }));
    const early = writesTo(server);
    read();
    await until(() => tab.state().entries[0]?.status === 'waiting');
    const stored = await storedIn(name);
    undo();
    await tab.kill();

    expect(early).toEqual(['PATCH /todos/1']);
    expect(stored).toMatchObject([{ status: 'waiting', attempts: 1 }]);
  });

  it('lies on the disk as JSON makes it, marked as sent before it is sent, without headers; no body is in the state', async () => {
    const name = newName();
    const server = makeServer();
    const tab = openTab(server, name, { idempotencyKey: () => ({ 'x-key': 'a secret of a header' }) });
    await tab.queue.ready;
    server.hold('PATCH');
    const at = { toJSON: () => 'a body' };

    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: at as unknown as string }));
    await until(() => server.held.length === 1);
    const stored = await storedIn(name);
    const outboxState = JSON.stringify(tab.store.getState().resources.outbox);
    server.release();
    await untilSent(tab);

    expect(stored).toMatchObject([{ status: 'sent', attempts: 1, args: [{ id: 1 }, { title: 'a body' }] }]);
    expect(JSON.stringify(stored)).not.toContain('a secret of a header');
    expect(outboxState).toContain('sent');
    expect(outboxState).not.toContain('a body');
    expect(await storedIn(name)).toEqual([]);
  });

  it('is laid in one action, without pending, before anything is sent', async () => {
    const name = newName();
    const server = makeServer();
    const before = openTab(server, name, { isOnline: false });
    await before.queue.ready;
    for (const title of ['One', 'Two', 'Three']) void before.store.dispatch(getList.push({ title }));
    await until(
      () => before.state().entries.length === 3 && before.state().entries.every(({ isDurable }) => isDurable),
    );
    await before.kill();

    const after = openTab(server, name);
    const shown = after.resources.selectAll(Todo);
    const seen: number[] = [];
    after.store.subscribe(() => seen.push(after.read(shown).length));
    await after.queue.ready;
    const calls = server.calls.length;
    const types = after.actions.map(({ type }) => type);
    await untilSent(after);

    expect(calls).toBe(0);
    expect(new Set(seen)).toEqual(new Set([0, 3]));
    expect(types.filter((type) => type.endsWith('/pending'))).toEqual([]);
    expect(server.rows(Todo)).toHaveLength(5);
  });

  it('is shown by a list that is first answered while it waits', async () => {
    const name = newName();
    const server = makeServer();
    const before = openTab(server, name, { isOnline: false });
    await before.queue.ready;
    void before.store.dispatch(getList.push({ title: 'New' }));
    await until(() => before.state().entries[0]?.isDurable);
    before.store.dispatch(before.queue.pause());
    await before.kill();

    const after = openTab(server, name);
    await after.queue.ready;
    const list = await after.store.dispatch(getList()).unwrap();

    expect(list.map(({ title }) => title)).toEqual(['Read', 'Write', 'New']);
  });
});
