import { describe, expect, it } from 'vitest';
import {
  makeServer,
  newName,
  NoteResource,
  openTab,
  Todo,
  TodoResource,
  until,
  untilSent,
  writesTo,
} from '../support/outbox.js';

const { partialUpdate, getList } = TodoResource;

describe('a write that is made offline', () => {
  it('is shown from the first render of the next life of the tab, and sent once when the network is there', async () => {
    const [server, name] = [makeServer(), newName()];
    const before = openTab(server, name);
    await before.queue.ready;
    await before.store.dispatch(getList());
    before.line.setOnline(false);
    void before.store.dispatch(partialUpdate({ id: 1 }, { title: 'Read it all' }));
    await until(() => before.state().entries[0]?.isDurable);
    await before.kill();

    const after = openTab(server, name, { isOnline: false });
    await after.queue.ready;
    const shown = after.read(after.resources.selectEntity(Todo, 1))?.title;
    after.line.setOnline(true);
    await untilSent(after);

    expect(shown).toBe('Read it all');
    expect(server.calls.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
    expect(server.rows(Todo)[0]?.title).toBe('Read it all');
    expect(after.state()).toMatchObject({ status: 'idle', size: 0, failed: 0 });
  });

  it('says that it is paused, and its promise resolves when it is done', async () => {
    const tab = openTab(makeServer(), newName(), { isOnline: false });
    await tab.queue.ready;

    const promise = tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Later' }));
    const paused = tab.read(partialUpdate.selectRequest({ id: 1 }, { title: 'Later' })).isPaused;
    tab.line.setOnline(true);
    const { title } = await promise.unwrap();

    expect(paused).toBe(true);
    expect(title).toBe('Later');
    expect(tab.read(partialUpdate.selectRequest({ id: 1 }, { title: 'Later' })).isPaused).toBe(false);
  });
});

describe('what is created, edited and commented on offline', () => {
  it('is sent in order with its real ids after a reload', async () => {
    const [server, name] = [makeServer(), newName()];
    const before = openTab(server, name, { isOnline: false });
    await before.queue.ready;
    const { requestId } = before.store.dispatch(getList.push({ title: 'New' }));
    const id = `~${requestId}`;
    void before.store.dispatch(partialUpdate({ id }, { title: 'Newer' }));
    void before.store.dispatch(NoteResource.getList.push({ todoId: id }, { text: 'About it' }));
    await until(() => before.state().entries.every(({ isDurable }) => isDurable) && before.state().size === 3);
    await before.kill();

    const after = openTab(server, name, { isOnline: false });
    await after.queue.ready;
    const shown = after.read(after.resources.selectEntity(Todo, id))?.title;
    after.line.setOnline(true);
    await untilSent(after);

    expect(shown).toBe('Newer');
    expect(writesTo(server)).toEqual(['POST /todos', 'PATCH /todos/3', 'POST /todos/3/notes']);
    expect(server.rows(Todo)[2]?.title).toBe('Newer');
  });
});

describe('two edits of one row', () => {
  it('are both shown after a reload, the first as it was confirmed, the second over it', async () => {
    const [server, name] = [makeServer(), newName()];
    const before = openTab(server, name);
    await before.queue.ready;
    await before.store.dispatch(getList());
    before.line.setOnline(false);
    server.hold('PATCH');
    void before.store.dispatch(partialUpdate({ id: 1 }, { title: 'First' }));
    void before.store.dispatch(partialUpdate({ id: 1 }, { completed: true }));
    before.line.setOnline(true);
    await until(() => server.held.length === 1);
    server.held[0]?.answer();
    await until(() => before.state().size === 1 && server.held.length === 1);
    server.held[0]?.fail(503);
    await until(() => before.state().entries[0]?.status === 'waiting');
    await before.kill();

    const after = openTab(server, name, { isOnline: false });
    await after.queue.ready;

    expect(after.read(after.resources.selectEntity(Todo, 1))).toMatchObject({ title: 'First', completed: true });
  });
});
