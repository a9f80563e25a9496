import { createResource, RestEndpoint } from 'rtk-resource';
import { outbox } from 'rtk-resource/offline';
import { describe, expect, it, vi } from 'vitest';
import {
  makeServer,
  newName,
  openTab,
  storedIn,
  Todo,
  TodoResource,
  turns,
  until,
  untilSent,
  writesTo,
} from '../support/outbox.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

const { partialUpdate, getList } = TodoResource;

describe('a file inside of a body that a hook makes a form of', () => {
  const upload = new RestEndpoint({
    path: '/files',
    method: 'POST',
    name: 'uploadOfForm',
    body: {} as { readonly photo: File },
    getRequestInit(body: { readonly photo: File } | undefined) {
      const form = new FormData();
      if (body) form.append('photo', body.photo);
      return { method: 'POST', body: form };
    },
  });

  it('is sent as it is, and does not survive the tab, which is told', async () => {
    expectWarning(/uploadOfForm sends what cannot be kept \(a stream, or a file inside of an object\)/);
    const queue = outbox({ name: newName(), resources: [upload] });
    const sent: unknown[] = [];
    const { store, slice } = setup({
      outbox: queue,
      fetchFn: (_, { body }) => {
        sent.push(body instanceof FormData && body.get('photo'));
        return new Promise(() => undefined);
      },
    });
    await queue.ready;

    void store.dispatch(upload({ photo: new File(['bytes'], 'a.txt') }));
    await until(() => sent.length === 1);

    expect(sent).toEqual([expect.any(File)]);
    expect(slice().outbox?.entries[0]?.isDurable).toBe(false);
    await queue.close();
  });
});

describe('two writes in one handler', () => {
  const session = { user: 'ada' };

  it.each([
    ['the user logs out', () => ((session.user = ''), { type: 'logged out' })],
    [
      'the session ends by itself',
      ({ resources }: ReturnType<typeof openTab>) => resources.reset({ keepOutbox: true }),
    ],
  ])('are both kept, if %s with it', async (_, leave) => {
    session.user = 'ada';
    const [name, server] = [newName(), makeServer()];
    const tab = openTab(server, name, { owner: () => session.user, isOnline: false });
    await tab.queue.ready;

    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'One' }));
    void tab.store.dispatch(partialUpdate({ id: 2 }, { title: 'Two' }));
    tab.store.dispatch(leave(tab));
    await turns();

    expect(await storedIn(name)).toHaveLength(2);
  });
});

describe('an edit by hand', () => {
  it('of a write that was done meanwhile is refused (R43)', async () => {
    const server = makeServer();
    const tab = openTab(server, newName(), { isOnline: false });
    await tab.queue.ready;
    const { requestId } = tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'First' }));
    await until(() => tab.state().entries[0]?.isDurable);
    tab.line.setOnline(true);
    await untilSent(tab);

    const edited = tab.store.dispatch(tab.queue.edit(requestId, { title: 'Typed' }));

    await expect(edited).rejects.toMatchObject({ code: 'R43' });
  });
});

describe('retry', () => {
  it('before the outbox is ready tries again what is in it', async () => {
    const [name, server] = [newName(), makeServer()];
    const before = openTab(server, name);
    await before.queue.ready;
    const undo = server.fail('PATCH', 403);
    void before.store.dispatch(partialUpdate({ id: 1 }, { title: 'Refused' }));
    await until(() => before.state().failed === 1);
    await before.kill();
    undo();
    const after = openTab(server, name);

    await after.store.dispatch(after.queue.retry());
    await until(() => after.state().size === 0);

    expect(server.rows(Todo)[0]?.title).toBe('Refused');
  });
});

describe('without a database', () => {
  it('a reset ends the pause of a 401, as with one', async () => {
    expectWarning(/cannot store its writes/);
    expectWarning(/reset\(\) deletes 1/);
    vi.stubGlobal('indexedDB', undefined);
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    const undo = server.fail('PATCH', 401);
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Refused' }));
    await until(() => tab.state().pausedBy === 'auth');
    undo();

    tab.store.dispatch(tab.resources.reset());
    await until(() => tab.state().status !== 'loading');
    await tab.store.dispatch(partialUpdate({ id: 2 }, { title: 'After the login' }));

    expect(server.rows(Todo)[1]?.title).toBe('After the login');
    vi.unstubAllGlobals();
  });
});

describe('a database', () => {
  it('that the browser closes is opened again: what was kept is sent once, also after a reload', async () => {
    const opened = vi.spyOn(indexedDB, 'open');
    const [name, server] = [newName(), makeServer()];
    const tab = openTab(server, name, { isOnline: false });
    await tab.queue.ready;
    const requests = opened.mock.results.map(({ value }) => value as IDBOpenDBRequest);
    opened.mockRestore();
    void tab.store.dispatch(getList.push({ title: 'Once' }));
    await until(() => tab.state().entries[0]?.isDurable);

    for (const { result } of requests) {
      result.close();
      result.dispatchEvent(new IDBVersionChangeEvent('close'));
    }
    await turns();
    expect([tab.state().storage, tab.state().entries[0]?.isDurable]).toEqual(['durable', true]);
    tab.line.setOnline(true);
    await untilSent(tab);
    await tab.kill();
    const after = openTab(server, name);
    await after.queue.ready;
    await untilSent(after);

    expect(writesTo(server)).toEqual(['POST /todos']);
  });

  it('whose transaction is aborted for want of room tells that once, and no promise is left alone', async () => {
    expectWarning(/cannot store its writes/);
    const told: unknown[] = [];
    const rejected = vi.fn();
    const listeners = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', rejected);
    const tab = openTab(makeServer(), newName(), { onStorageError: (error: unknown) => told.push(error) });
    await tab.queue.ready;
    const { add } = IDBObjectStore.prototype;
    const adding = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(function (
      this: IDBObjectStore,
      value: unknown,
    ) {
      const request = add.call(this, value);
      this.transaction.abort();
      return request;
    });

    await tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'No room' }));
    await turns();

    adding.mockRestore();
    process.removeAllListeners('unhandledRejection');
    for (const listener of listeners) process.on('unhandledRejection', listener);
    expect(told).toHaveLength(1);
    expect(rejected).not.toHaveBeenCalled();
  });
});

describe('two resources of one entity without names of their own', () => {
  it('are told: after a reload, a write of the first would go to the address of the second', () => {
    expectWarning(
      /Two endpoints of the outbox are called Todo\/partialUpdate: PATCH \/todos\/:id and PATCH \/archive\/:id/,
    );
    for (const others of [
      'update',
      'delete',
      'getList/push',
      'getList/unshift',
      'getList/assign',
      'getList/remove',
      'getList/move',
    ])
      expectWarning(new RegExp(`called Todo/${others}:`));

    const queue = outbox({
      name: newName(),
      resources: [TodoResource, createResource({ path: '/archive/:id', schema: Todo })],
    });

    expect(queue.name).toMatch(/./);
  });
});
