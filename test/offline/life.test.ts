import { afterEach, describe, expect, it, vi } from 'vitest';
import { createResource, RestEndpoint } from 'rtk-resource';
import { deleteDB, openDB } from 'idb';
import { outbox } from 'rtk-resource/offline';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';
import {
  makeServer,
  newName,
  openTab,
  statuses,
  Todo,
  TodoResource,
  until,
  untilSent,
  writesTo,
  type Tab,
} from '../support/outbox.js';

const { partialUpdate, getList } = TodoResource;

async function untilKept({ state }: Tab, size = 1): Promise<void> {
  await until(() => state().size === size && state().entries.every(({ isDurable }) => isDurable));
}

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A tab that is offline, and has an edit in its outbox. */
async function tabWithEdit(name: string, options: Parameters<typeof openTab>[2] = {}) {
  const server = makeServer();
  const tab = openTab(server, name, { isOnline: false, ...options });
  await tab.queue.ready;
  const promise = tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Kept' }));
  await untilKept(tab);
  return { server, tab, promise };
}

describe('a file in a form', () => {
  it('survives a kill, with its bytes and its name', async () => {
    const upload = new RestEndpoint({
      path: '/files',
      method: 'POST',
      name: 'upload',
      body: new FormData(),
      schema: undefined,
    });
    const [name, server] = [newName(), makeServer(upload)];
    server.use(upload, () => ({ ok: true }));
    const sent: FormData[] = [];
    const spy = (input: string, init: RequestInit) => {
      sent.push(init.body as FormData);
      return server.fetch(input, init);
    };
    const first = openTab(server, name, { isOnline: false, resources: [upload] });
    await first.queue.ready;
    const form = new FormData();
    form.append('title', 'A picture');
    form.append('file', new File([new Uint8Array([1, 2, 3])], 'a.png', { type: 'image/png' }));
    void first.store.dispatch(upload(form));
    await untilKept(first);
    await first.kill();

    const queue = outbox({ name, resources: [upload] });
    const { store } = setup({ outbox: queue, fetchFn: spy });
    await queue.ready;
    await until(() => queue.select(store.getState()).size === 0);
    const file = sent[0]?.get('file') as File;

    expect(sent[0]?.get('title')).toBe('A picture');
    expect([file.name, file.type, [...new Uint8Array(await file.arrayBuffer())]]).toEqual([
      'a.png',
      'image/png',
      [1, 2, 3],
    ]);
    await queue.close();
  });
});

describe('what is discarded', () => {
  it('is gone, with what is to change what it creates, and its promise ends as aborted', async () => {
    const server = makeServer();
    const tab = openTab(server, newName(), { isOnline: false });
    await tab.queue.ready;
    const create = tab.store.dispatch(getList.push({ title: 'New' }));
    const edit = tab.store.dispatch(partialUpdate({ id: `~${create.requestId}` }, { title: 'Newer' }));
    await untilKept(tab, 2);

    await tab.store.dispatch(tab.queue.discard(create.requestId));
    tab.line.setOnline(true);

    expect((await create).meta.aborted).toBe(true);
    expect((await edit).meta.requestStatus).toBe('rejected');
    expect(tab.state().entries).toEqual([]);
    expect(writesTo(server)).toEqual([]);
  });

  it('stays away after a reload, also if it was aborted', async () => {
    const name = newName();
    const { server, tab, promise } = await tabWithEdit(name);

    promise.abort();
    await promise;
    await tab.kill();
    const after = openTab(server, name);
    await after.queue.ready;

    expect(after.state().entries).toEqual([]);
  });
});

describe('what is edited before it was sent', () => {
  it('shows and sends what it was edited to, and nothing else', async () => {
    const { server, tab, promise } = await tabWithEdit(newName());

    await tab.store.dispatch(tab.queue.edit(promise.requestId, { title: 'Edited' }));
    const [entry] = tab.state().entries;
    tab.line.setOnline(true);
    await untilSent(tab);

    expect(entry?.args).toEqual([{ id: 1 }, { title: 'Edited' }]);
    expect(server.calls.map(({ body }) => body)).toEqual([{ title: 'Edited' }]);
  });

  it('is refused once it was sent', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    server.hold('PATCH');
    const promise = tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Sent' }));
    await until(() => server.held.length === 1);

    await expect(tab.store.dispatch(tab.queue.edit(promise.requestId, { title: 'Late' }))).rejects.toMatchObject({
      code: 'R43',
    });
    server.release();
    await untilSent(tab);
  });
});

describe('pause', () => {
  it('holds over reloads, until resume', async () => {
    const name = newName();
    const { server, tab } = await tabWithEdit(name);
    tab.store.dispatch(tab.queue.pause());
    await tab.kill();

    const after = openTab(server, name);
    await after.queue.ready;
    const { status, pausedBy } = after.state();
    after.store.dispatch(after.queue.resume());
    await untilSent(after);

    expect([status, pausedBy]).toEqual(['paused', 'user']);
    expect(server.rows(Todo)[0]?.title).toBe('Kept');
  });
});

describe('reset', () => {
  it('deletes what was not sent, and says so', async () => {
    expectWarning(/reset\(\) deletes 1 writes/);
    const name = newName();
    const { server, tab, promise } = await tabWithEdit(name);

    tab.store.dispatch(tab.resources.reset());
    await until(() => tab.state().status !== 'loading');
    await tab.kill();
    const after = openTab(server, name);
    await after.queue.ready;

    expect((await promise).meta.aborted).toBe(true);
    expect(after.state().entries).toEqual([]);
  });

  it('keeps it for its owner where it is told so; another owner sees and sends nothing of it', async () => {
    const name = newName();
    let user: string | undefined = 'ada';
    const owner = () => user;
    const { server, tab } = await tabWithEdit(name, { owner });

    tab.store.dispatch(tab.resources.reset({ keepOutbox: true }));
    user = 'bob';
    tab.store.dispatch({ type: 'another user' });
    await until(() => tab.state().status === 'offline');
    tab.line.setOnline(true);
    const ofBob = tab.state().size;
    user = 'ada';
    tab.store.dispatch({ type: 'the first user' });
    await until(() => server.rows(Todo)[0]?.title === 'Kept');

    expect(ofBob).toBe(0);
    expect(writesTo(server)).toEqual(['PATCH /todos/1']);
  });
});

describe('a slice that comes later', () => {
  it('gets what is in the outbox again', async () => {
    const { server, tab } = await tabWithEdit(newName());
    const other = setup({ fetchFn: server.fetch });
    await other.store.dispatch(getList());
    const rehydrate = { ...other.slice(), anchor: {} };

    // As an app does that persists its state.
    tab.store.dispatch(tab.resources.hydrate(rehydrate));

    expect(tab.read(tab.resources.selectEntity(Todo, 1))?.title).toBe('Kept');
  });

  it('shows what the outbox has for its lists: what is to be created, and what an edit moves', async () => {
    const searchParams: { completed?: boolean } = {};
    const Filtered = createResource({ path: '/todos/:id', schema: Todo, optimistic: true, searchParams });
    const server = makeServer();
    const tab = openTab(server, newName(), { isOnline: false, resources: [Filtered] });
    await tab.queue.ready;
    void tab.store.dispatch(Filtered.getList.push({ title: 'New', completed: false }));
    void tab.store.dispatch(Filtered.partialUpdate({ id: 1 }, { completed: true }));
    await untilKept(tab, 2);
    const other = setup({ fetchFn: server.fetch });
    await other.store.dispatch(Filtered.getList({ completed: false }));
    const titles = () => tab.read(Filtered.getList.select({ completed: false }))?.map(({ title }) => title);

    tab.store.dispatch(tab.resources.hydrate(other.slice()));

    expect(titles()).toEqual(['Write', 'New']);
  });
});

describe('a newer version of the app', () => {
  it('migrates what an older one has stored, and drops what it no longer knows', async () => {
    const name = newName();
    const { server, tab } = await tabWithEdit(name);
    void tab.store.dispatch(getList.push({ title: 'Gone' }));
    await untilKept(tab, 2);
    await tab.kill();

    const after = openTab(server, name, {
      version: 2,
      migrate: (entry, from) =>
        entry.endpointName === 'Todo/partialUpdate' && from === 1
          ? { ...entry, args: [{ id: 2 }, { title: 'Migrated' }] }
          : undefined,
    });
    await after.queue.ready;
    await untilSent(after);

    expect(writesTo(server)).toEqual(['PATCH /todos/2']);
    expect(server.rows(Todo)[1]?.title).toBe('Migrated');
  });

  it('says in development that what it knows no endpoint of holds up later writes, and sends none of them', async () => {
    expectWarning(/A write of Task\/partialUpdate is in the outbox, which knows no endpoint of that name/);
    const Tasks = createResource({ name: 'Task', path: '/todos/:id', schema: Todo, optimistic: true });
    const [server, name] = [makeServer(), newName()];
    const before = openTab(server, name, { isOnline: false, resources: [Tasks] });
    await before.queue.ready;
    void before.store.dispatch(Tasks.partialUpdate({ id: 1 }, { title: 'Old' }));
    await untilKept(before);
    await before.kill();

    const after = openTab(server, name);
    await after.queue.ready;
    void after.store.dispatch(partialUpdate({ id: 1 }, { title: 'New' }));
    void after.store.dispatch(partialUpdate({ id: 2 }, { title: 'Other' }));
    await until(() => after.state().size === 2);

    expect(statuses(after)).toEqual(['queued', 'queued']);
    expect(writesTo(server)).toEqual(['PATCH /todos/2']);
  });

  it('leaves what it has stored to itself, where an older one runs', async () => {
    const name = newName();
    const { server, tab } = await tabWithEdit(name, { version: 2 });
    await tab.kill();

    const older = openTab(server, name);
    await older.queue.ready;
    const { entries } = older.state();
    await older.kill();
    const newer = openTab(server, name, { version: 2 });
    await newer.queue.ready;
    await untilSent(newer);

    expect(entries).toEqual([]);
    expect(server.rows(Todo)[0]?.title).toBe('Kept');
  });

  it('has those failed that it cannot migrate', async () => {
    const name = newName();
    const { server, tab } = await tabWithEdit(name);
    await tab.kill();

    const after = openTab(server, name, {
      version: 2,
      migrate: () => {
        throw new Error('What is this?');
      },
    });
    await after.queue.ready;

    expect(after.state()).toMatchObject({ failed: 1, entries: [{ error: { message: 'What is this?' } }] });
    expect(writesTo(server)).toEqual([]);
  });
});

describe('storage', () => {
  it('that is not there leaves writes in memory, and says so once', async () => {
    expectWarning(/cannot store its writes/);
    vi.stubGlobal('indexedDB', undefined);
    const onStorageError = vi.fn();
    const server = makeServer();
    const tab = openTab(server, newName(), { isOnline: false, onStorageError });
    await tab.queue.ready;

    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'In memory' }));
    const { storage, entries } = tab.state();
    tab.line.setOnline(true);
    await untilSent(tab);

    expect([storage, entries[0]?.isDurable]).toEqual(['memory', false]);
    expect(onStorageError).toHaveBeenCalledOnce();
    expect(server.rows(Todo)[0]?.title).toBe('In memory');
  });

  it('of a newer form is not touched', async () => {
    expectWarning(/cannot store its writes/);
    const name = newName();
    (await openDB(`rtk-resource/offline/${name}`, 99)).close();
    const onStorageError = vi.fn();
    const tab = openTab(makeServer(), name, { onStorageError });
    await tab.queue.ready;

    expect(tab.state().storage).toBe('memory');
    expect(onStorageError).toHaveBeenCalledOnce();
    await deleteDB(`rtk-resource/offline/${name}`);
  });
});
