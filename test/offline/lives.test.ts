import { openDB } from 'idb';
import type { MockServer } from 'rtk-resource/mock';
import { describe, expect, it, vi } from 'vitest';
import {
  fakeTime,
  makeServer,
  newName,
  NoteResource,
  openTab,
  pass,
  Todo,
  TodoResource,
  until,
  untilSent,
  writesTo,
  type Tab,
} from '../support/outbox.js';

const { get, partialUpdate, getList } = TodoResource;

/** The titles that the list shows. */
const titlesIn = (tab: Tab): readonly string[] => (tab.read(getList.select()) ?? []).map(({ title }) => title);

fakeTime();

describe('an edit of what was created in an earlier life of the tab', () => {
  it('is sent with the real id, though the create was done before the reload, a year later', async () => {
    const [server, name] = [makeServer(), newName()];
    const first = openTab(server, name, { isOnline: false });
    await first.queue.ready;
    const { requestId } = first.store.dispatch(getList.push({ title: 'New' }));
    void first.store.dispatch(partialUpdate({ id: `~${requestId}` }, { title: 'Newer' }));
    await until(() => first.state().size === 2 && first.state().entries.every(({ isDurable }) => isDurable));
    server.fail('PATCH', 503);
    first.line.setOnline(true);
    await until(() => first.state().size === 1 && first.state().entries[0]?.status === 'waiting');
    await first.kill();
    vi.setSystemTime(Date.now() + 365 * 24 * 60 * 60 * 1_000);
    // Somebody looks in, and has no network.
    const second = openTab(server, name, { isOnline: false });
    await second.queue.ready;
    await until(() => second.state().isLeader);
    await second.kill();
    server.reset();
    server.set(Todo, { id: 3, title: 'New', completed: false });

    const third = openTab(server, name);
    await third.queue.ready;
    await untilSent(third);

    expect(writesTo(server)).toEqual(['PATCH /todos/3']);
    expect(server.rows(Todo)[2]?.title).toBe('Newer');
  });
});

describe('what was created and answered in an earlier life of the tab', () => {
  it('is read by its temporary id, too', async () => {
    const [server, name] = [makeServer(), newName()];
    const first = openTab(server, name);
    await first.queue.ready;
    const creating = first.store.dispatch(getList.push({ title: 'New' }));
    await creating;
    await first.kill();
    const { store, queue, read } = openTab(server, name);
    await queue.ready;
    const id = `~${creating.requestId}`;

    await expect(store.dispatch(get({ id })).unwrap()).resolves.toMatchObject({ id: 3, title: 'New' });

    expect(read(get.select({ id }))).toMatchObject({ id: 3, title: 'New' });
  });

  it('is read so also after many edits, of which nothing is left in the database', async () => {
    const [server, name] = [makeServer(), newName()];
    const first = openTab(server, name);
    await first.queue.ready;
    const creating = first.store.dispatch(getList.push({ title: 'New' }));
    await creating;
    for (let i = 1; i <= 101; i++) await first.store.dispatch(partialUpdate({ id: 1 }, { title: `Edit ${i}` }));
    await first.kill();
    const db = await openDB(`rtk-resource/offline/${name}`);
    const kept = await db.getAllKeys('ids');
    db.close();
    const { store, queue } = openTab(server, name);
    await queue.ready;
    const id = `~${creating.requestId}`;

    expect(kept).toEqual([creating.requestId]);
    await expect(store.dispatch(get({ id })).unwrap()).resolves.toMatchObject({ id: 3, title: 'New' });
  });
});

describe('what was created in an earlier life of the tab, and is refused for now', () => {
  it.each(['before', 'after'])('is in a list that is first read %s the refusal', async (when) => {
    const [server, name] = [makeServer(), newName()];
    const first = openTab(server, name, { isOnline: false });
    await first.queue.ready;
    void first.store.dispatch(getList.push({ title: 'New' }));
    await until(() => first.state().entries[0]?.isDurable);
    await first.kill();
    server.hold('POST');
    const tab = openTab(server, name);
    await until(() => server.held.length === 1);

    if (when === 'before') await tab.store.dispatch(getList());
    server.held[0]?.fail(503);
    await until(() => tab.state().entries[0]?.status === 'waiting');
    if (when === 'after') await tab.store.dispatch(getList());
    const shown = titlesIn(tab);
    await tab.store.dispatch(getList());

    expect([shown, titlesIn(tab)]).toEqual([
      ['Read', 'Write', 'New'],
      ['Read', 'Write', 'New'],
    ]);
  });
});

describe('Retry-After', () => {
  it('is kept over a reload', async () => {
    const [server, name] = [makeServer(), newName()];
    const first = openTab(server, name);
    await first.queue.ready;
    server.fail('PATCH', new Response(null, { status: 503, headers: { 'retry-after': '60' } }), { times: 1 });
    void first.store.dispatch(partialUpdate({ id: 1 }, { title: 'Later' }));
    await until(() => first.state().entries[0]?.status === 'waiting');
    await first.kill();

    const second = openTab(server, name);
    await second.queue.ready;
    await until(() => second.state().isLeader);
    await pass(55_000);
    const early = writesTo(server).length;
    await pass(6_000);
    await untilSent(second);

    expect(early).toBe(1);
    expect(server.rows(Todo)[0]?.title).toBe('Later');
  });
});

describe('a write that was sent as the tab was killed', () => {
  it('is not sent again without a key, if it may not be done twice: it is unknown, shown by nothing, and kept with its text', async () => {
    const [server, name] = [makeServer(), newName()];
    const first = openTab(server, name);
    await first.queue.ready;
    server.hold('POST', { at: 'answer' });
    void first.store.dispatch(getList.push({ title: 'Perhaps' }));
    await until(() => server.held.length === 1);
    await first.kill();
    server.release();

    const second = openTab(server, name);
    await second.queue.ready;
    await until(() => second.state().entries[0]?.status === 'unknown');
    const list = await second.store.dispatch(getList()).unwrap();

    expect(second.state()).toMatchObject({ size: 1, entries: [{ status: 'unknown', args: [{ title: 'Perhaps' }] }] });
    expect(list.map(({ title }) => title)).toEqual(['Read', 'Write', 'Perhaps']);
    expect(writesTo(server)).toEqual(['POST /todos']);
  });

  it('is sent again, if it may be done twice', async () => {
    const [server, name] = [makeServer(), newName()];
    const first = openTab(server, name);
    await first.queue.ready;
    server.hold('PATCH');
    void first.store.dispatch(partialUpdate({ id: 1 }, { title: 'Again' }));
    await until(() => server.held.length === 1);
    await first.kill();
    server.reset();

    const second = openTab(server, name);
    await second.queue.ready;
    await untilSent(second);

    expect(server.rows(Todo)[0]?.title).toBe('Again');
  });
});

describe('a write of which nobody knows whether it was done', () => {
  /** A tab whose create was sent, and never came to the server. */
  async function tabInDoubt(server: MockServer, name: string): Promise<Tab> {
    const tab = openTab(server, name);
    await tab.queue.ready;
    await tab.store.dispatch(getList());
    server.drop('POST', { times: 1 });
    void tab.store.dispatch(getList.push({ title: 'Perhaps' }));
    await until(() => tab.state().entries[0]?.status === 'unknown');
    return tab;
  }

  it('shows nothing, and again what it is to do once it is tried again, until it is done', async () => {
    const server = makeServer();
    const tab = await tabInDoubt(server, newName());
    const [entry] = tab.state().entries;
    const inDoubt = titlesIn(tab);
    server.hold('POST');

    await tab.store.dispatch(tab.queue.retry(entry?.id));
    await until(() => server.held.length === 1);
    const again = titlesIn(tab);
    server.release();
    await untilSent(tab);

    expect(inDoubt).toEqual(['Read', 'Write']);
    expect(again).toEqual(['Read', 'Write', 'Perhaps']);
    expect(titlesIn(tab)).toEqual(again);
    expect(server.rows(Todo)).toHaveLength(3);
  });

  it('shows it with what is to change what it creates', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    await tab.store.dispatch(getList());
    server.hold('POST');
    const { requestId } = tab.store.dispatch(getList.push({ title: 'Perhaps' }));
    void tab.store.dispatch(partialUpdate({ id: `~${requestId}` }, { title: 'Edited' }));
    await until(() => server.held.length === 1);
    server.held[0]?.fail(504);
    await until(() => tab.state().entries[0]?.status === 'unknown');
    const inDoubt = titlesIn(tab);

    await tab.store.dispatch(tab.queue.retry(requestId));
    await until(() => server.held.length === 1);
    const again = titlesIn(tab);
    server.release();
    await untilSent(tab);

    expect(inDoubt).toEqual(['Read', 'Write']);
    expect(again).toEqual(['Read', 'Write', 'Edited']);
    expect(server.rows(Todo)[2]?.title).toBe('Edited');
  });

  it('shows it also in the next life of the tab', async () => {
    const [server, name] = [makeServer(), newName()];
    const first = await tabInDoubt(server, name);
    await first.kill();
    const second = openTab(server, name);
    await second.queue.ready;
    await second.store.dispatch(getList());
    const inDoubt = titlesIn(second);
    server.hold('POST');

    await second.store.dispatch(second.queue.retry(second.state().entries[0]?.id));
    await until(() => server.held.length === 1);
    const again = titlesIn(second);
    server.release();
    await untilSent(second);

    expect(inDoubt).toEqual(['Read', 'Write']);
    expect(again).toEqual(['Read', 'Write', 'Perhaps']);
    expect(titlesIn(second)).toEqual(again);
  });
});

describe('a write that has failed', () => {
  it('shows again what it is to do once it is tried again', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    await tab.store.dispatch(getList());
    server.fail('PATCH', 403, { times: 1 });
    await tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Refused' }));
    const refused = tab.titleOf(1);
    server.hold('PATCH');

    await tab.store.dispatch(tab.queue.retry());
    await until(() => server.held.length === 1);
    const again = tab.titleOf(1);
    server.release();
    await untilSent(tab);

    expect([refused, again]).toEqual(['Read', 'Refused']);
  });
});

describe('a write that is discarded while it is under way', () => {
  it('is forgotten, and what it touched is asked for again: it may have been done', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    const { unsubscribe } = tab.store.dispatch(getList.subscribe());
    await until(() => tab.titleOf(1) === 'Read');
    server.hold('PATCH', { at: 'answer' });
    const promise = tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Done' }));
    await until(() => server.held.length === 1);

    await tab.store.dispatch(tab.queue.discard(promise.requestId));
    await until(() => server.calls.filter(({ path }) => path === '/todos').length === 2);

    expect((await promise).meta.aborted).toBe(true);
    expect(tab.state().entries).toEqual([]);
    unsubscribe();
  });
});

describe('what depends on a write that a newer version knows no more', () => {
  it('goes with it', async () => {
    const [server, name] = [makeServer(), newName()];
    const first = openTab(server, name, { isOnline: false });
    await first.queue.ready;
    const { requestId } = first.store.dispatch(getList.push({ title: 'New' }));
    void first.store.dispatch(NoteResource.getList.push({ todoId: `~${requestId}` }, { text: 'About it' }));
    void first.store.dispatch(partialUpdate({ id: 1 }, { title: 'Other' }));
    await until(() => first.state().size === 3 && first.state().entries.every(({ isDurable }) => isDurable));
    await first.kill();

    const second = openTab(server, name, {
      version: 2,
      migrate: (entry) => (entry.endpointName === getList.push.name ? undefined : entry),
    });
    await second.queue.ready;
    await untilSent(second);

    expect(writesTo(server)).toEqual(['PATCH /todos/1']);
    expect(second.state().entries).toEqual([]);
  });
});
