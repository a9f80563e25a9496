import { combineSlices, configureStore, createSlice } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, type ResourcesState } from 'rtk-resource';
import { outbox, type StoredEntry } from 'rtk-resource/offline';
import { describe, expect, it } from 'vitest';
import {
  fakeTime,
  makeServer,
  newName,
  Note,
  NoteResource,
  openTab,
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
import { openAnother, openTwo, useTabs } from '../support/tabs.js';

/** What the user does with the outbox, and when. */

class Tag extends Entity {
  slug = '';
  text = '';
  override pk(): string {
    return this.slug;
  }
  static override key = 'Tag';
}
const Tags = createResource({ path: '/tags/:slug', schema: Tag, optimistic: true });
const Notes = createResource({ path: '/notes/:id', schema: Note, optimistic: true, name: 'Notes' });
const resources = [TodoResource, NoteResource, Notes, Tags];

fakeTime();

async function openOffline() {
  const server = makeServer(Notes, Tags);
  const tab = openTab(server, newName(), { isOnline: false, resources });
  await tab.queue.ready;
  return { server, tab };
}

describe('a write that is edited before it is sent', () => {
  it('to name an item that is still to be created, is sent with the real id of that', async () => {
    const { server, tab } = await openOffline();
    const todo = tab.store.dispatch(TodoResource.getList.push({ title: 'A' }));
    const note = tab.store.dispatch(Notes.getList.push({ todoId: 1, text: 'n' }));

    await tab.store.dispatch(tab.queue.edit(note.requestId, { todoId: `~${todo.requestId}`, text: 'n' }));
    expect(tab.state().entries[1]?.dependsOn).toEqual([todo.requestId]);
    tab.line.setOnline(true);
    await untilSent(tab);

    expect(server.rows(Note)[1]).toMatchObject({ todoId: 3, text: 'n' });
  });

  it('to name it no more, stays when that is discarded', async () => {
    const { server, tab } = await openOffline();
    const todo = tab.store.dispatch(TodoResource.getList.push({ title: 'A' }));
    const body = { todoId: `~${todo.requestId}` as never, text: 'n' };
    const note = tab.store.dispatch(Notes.getList.push(body));

    await tab.store.dispatch(tab.queue.edit(note.requestId, { todoId: 1, text: 'of todo 1' }));
    await tab.store.dispatch(tab.queue.discard(todo.requestId));
    tab.line.setOnline(true);
    await untilSent(tab);

    expect(server.rows(Note)[1]).toMatchObject({ todoId: 1, text: 'of todo 1' });
  });

  it('to have another key, is about the row of that, and is not overtaken', async () => {
    const { server, tab } = await openOffline();
    const tag = tab.store.dispatch(Tags.getList.push({ slug: 'bug', text: 'Bug' }));

    await tab.store.dispatch(tab.queue.edit(tag.requestId, { slug: 'bugs', text: 'Bugs' }));
    void tab.store.dispatch(Tags.partialUpdate({ slug: 'bugs' }, { text: 'All bugs' }));
    expect(tab.queue.selectFor(Tag, 'bugs')(tab.store.getState())).toHaveLength(2);
    tab.line.setOnline(true);
    await untilSent(tab);

    expect(server.rows(Tag)).toEqual([{ slug: 'bugs', text: 'All bugs' }]);
  });

  it('is edited anew after it has failed, with all that it names then', async () => {
    const { server, tab } = await openOffline();
    const note = tab.store.dispatch(Notes.getList.push({ todoId: 1, text: 'n' }));
    server.fail('POST /notes', 422, { times: 1 });
    tab.line.setOnline(true);
    await until(() => tab.state().failed === 1);
    tab.line.setOnline(false);
    const todo = tab.store.dispatch(TodoResource.getList.push({ title: 'A' }));

    await tab.store.dispatch(tab.queue.edit(note.requestId, { todoId: `~${todo.requestId}`, text: 'n' }));
    expect(tab.state().entries.at(-1)?.dependsOn).toEqual([todo.requestId]);
    tab.line.setOnline(true);
    await untilSent(tab);

    expect(server.rows(Note)[1]).toMatchObject({ todoId: 3 });
  });
});

it('what names an item that may have been created stays with its text when the create is discarded', async () => {
  const { server, tab } = await openOffline();
  const todo = tab.store.dispatch(TodoResource.getList.push({ title: 'A' }));
  const text = 'a long text';
  void tab.store.dispatch(NoteResource.getList.push({ todoId: `~${todo.requestId}` }, { text }));
  server.lose('POST /todos', { times: 1 });
  tab.line.setOnline(true);
  await until(() => tab.state().entries[0]?.status === 'unknown');

  await tab.store.dispatch(tab.queue.discard(todo.requestId));
  await until(() => tab.state().failed === 1);

  expect(tab.state().entries).toMatchObject([{ status: 'failed', error: { code: 'R14' }, args: [{}, { text }] }]);
  expect(await storedIn(tab.queue.name)).toMatchObject([{ status: 'failed' }]);
});

describe('an edit that may have been done, and is discarded,', () => {
  const { getList, partialUpdate } = TodoResource;

  it('has what it touched fetched again, though an earlier life of the tab has sent it', async () => {
    const [server, name] = [makeServer(), newName()];
    const first = openTab(server, name);
    await first.queue.ready;
    server.hold('PATCH');
    const { requestId } = first.store.dispatch(partialUpdate({ id: 1 }, { title: 'Done late' }));
    await until(() => server.held.length === 1);
    first.store.dispatch(first.queue.pause());
    await first.kill();
    const tab = openTab(server, name);
    await tab.queue.ready;
    const { unsubscribe } = tab.store.dispatch(getList.subscribe());
    await until(() => tab.state().entries[0]?.status === 'waiting' && tab.titleOf(2) === 'Write');
    server.release();
    await until(() => server.rows(Todo)[0]?.title === 'Done late');

    await tab.store.dispatch(tab.queue.discard(requestId));
    await turns();

    expect(tab.titleOf(1)).toBe('Done late');
    unsubscribe();
  });

  it('has what it touched fetched again, though its last answer has left open whether it was done', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    const { unsubscribe } = tab.store.dispatch(getList.subscribe());
    await until(() => tab.titleOf(1) === 'Read');
    server.fail('PATCH', 502);
    const { requestId } = tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Done late' }));
    await until(() => tab.state().entries[0]?.status === 'waiting');
    // What stands behind the gateway has done it.
    server.set(Todo, { id: 1, title: 'Done late' });

    await tab.store.dispatch(tab.queue.discard(requestId));
    await turns();

    expect(tab.titleOf(1)).toBe('Done late');
    unsubscribe();
  });

  it('has nothing fetched again, where the server has refused it for now', async () => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    const { unsubscribe } = tab.store.dispatch(getList.subscribe());
    await until(() => tab.titleOf(1) === 'Read');
    server.fail('PATCH', 503);
    const { requestId } = tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Refused' }));
    await until(() => tab.state().entries[0]?.status === 'waiting');

    await tab.store.dispatch(tab.queue.discard(requestId));
    await turns();

    expect(tab.titleOf(1)).toBe('Read');
    expect(server.calls.map(({ method }) => method)).toEqual(['GET', 'PATCH']);
    unsubscribe();
  });
});

describe('pause and resume', () => {
  it('hold also where they are called before the outbox is ready, and over a reload', async () => {
    const [server, name] = [makeServer(), newName()];
    const first = openTab(server, name);
    first.store.dispatch(first.queue.pause());
    expect((await first.queue.ready).status).toBe('paused');
    void first.store.dispatch(TodoResource.partialUpdate({ id: 1 }, { title: 'A' }));
    await until(() => first.state().entries[0]?.isDurable);
    await first.kill();
    const second = openTab(server, name);
    expect((await second.queue.ready).status).toBe('paused');
    expect(writesTo(server)).toEqual([]);
    await second.kill();

    const third = openTab(server, name);
    third.store.dispatch(third.queue.resume());
    await third.queue.ready;
    await untilSent(third);

    expect(writesTo(server)).toEqual(['PATCH /todos/1']);
  });
});

it('`retry` that says so sends a write again, and not before the server wants it', async () => {
  const server = makeServer();
  const tab = openTab(server, newName(), { retry: () => 'retry' });
  await tab.queue.ready;
  server.fail('PATCH', new Response(null, { status: 429, headers: { 'retry-after': '120' } }), { times: 1 });
  void tab.store.dispatch(TodoResource.partialUpdate({ id: 1 }, { title: 'A' }));
  await until(() => tab.state().entries[0]?.status === 'waiting');

  await pass(110_000);
  expect(writesTo(server)).toHaveLength(1);
  await pass(11_000);
  await untilSent(tab);

  expect(writesTo(server)).toHaveLength(2);
});

describe('an outbox', () => {
  /** What was kept in an earlier life. */
  async function keepOne() {
    const [server, name] = [makeServer(), newName()];
    const first = openTab(server, name, { isOnline: false });
    await first.queue.ready;
    void first.store.dispatch(TodoResource.partialUpdate({ id: 1 }, { title: 'A' }));
    await until(() => first.state().entries[0]?.isDurable);
    await first.kill();
    return { server, name };
  }

  it.each([
    ['at once', true],
    ['later', false],
  ])('of a store whose slice is injected %s shows and sends what is kept', async (_, atOnce) => {
    const { server, name } = await keepOne();
    const queue = outbox({ name, resources });
    const slice = configureResources({ outbox: queue, fetchFn: server.fetch });
    const other = createSlice({ name: 'other', initialState: 0, reducers: {} });
    const root = combineSlices(other).withLazyLoadedSlices<{ resources: ResourcesState }>();
    const store = configureStore({ reducer: root, middleware: (get) => get().concat(slice.middleware) });
    if (atOnce) root.inject(slice);
    else {
      await new Promise((resolve) => setImmediate(resolve));
      root.inject(slice);
      store.dispatch({ type: 'route loaded' });
    }

    expect((await queue.ready).entries).toHaveLength(1);
    await until(() => queue.select(store.getState()).size === 0);

    expect(server.rows(Todo)[0]?.title).toBe('A');
  });

  it('whose owner cannot be told before a login keeps nothing until then', async () => {
    expectWarning(/The option owner of the outbox threw: There is no user yet/);
    const server = makeServer();
    let owner = '';
    const tab = openTab(server, newName(), {
      isOnline: false,
      owner: () => {
        if (owner === '') throw new TypeError('There is no user yet.');
        return owner;
      },
    });
    await tab.queue.ready;

    owner = 'ada';
    tab.store.dispatch({ type: 'login' });
    void tab.store.dispatch(TodoResource.partialUpdate({ id: 1 }, { title: 'A' }));
    await until(() => tab.state().entries[0]?.isDurable);
    tab.line.setOnline(true);
    await untilSent(tab);

    expect(server.rows(Todo)[0]?.title).toBe('A');
  });
});

describe('a write that a tab of a newer version of the app takes over', () => {
  useTabs();

  async function takeOver(migrate: NonNullable<Parameters<typeof outbox>[0]['migrate']>) {
    const { server, name, leader } = await openTwo();
    await leader.store.dispatch(TodoResource.getList());
    leader.line.setOnline(false);
    const promise = leader.store.dispatch(TodoResource.partialUpdate({ id: 1 }, { title: 'mine' }));
    await until(() => leader.state().entries[0]?.isDurable);
    const newer = await openAnother(server, name, { isOnline: false, version: 2, migrate });
    await turns();
    return { server, leader, newer, promise };
  }

  const inItsForm = (entry: StoredEntry): StoredEntry => ({
    ...entry,
    args: [entry.args[0], { title: 'of version 2' }],
  });

  it('is aborted in the older ones where it is dropped', async () => {
    const { server, leader, promise } = await takeOver(() => undefined);
    const { meta } = await promise;

    expect(meta).toMatchObject({ requestStatus: 'rejected', aborted: true });
    expect(leader.titleOf(1)).toBe('Read');
    expect(server.rows(Todo)[0]?.title).toBe('Read');
  });

  it('is sent in its new form, and by that tab; the older one shows it as it was, until it has the answer', async () => {
    const { server, leader, newer, promise } = await takeOver(inItsForm);
    const shown = leader.titleOf(1);
    leader.line.setOnline(true);
    await turns();
    const early = writesTo(server);
    newer.line.setOnline(true);
    const { meta } = await promise;

    expect([shown, early]).toEqual(['mine', ['PATCH /todos/2']]);
    expect(meta.requestStatus).toBe('fulfilled');
    expect(server.rows(Todo)[0]?.title).toBe('of version 2');
    expect(leader.titleOf(1)).toBe('of version 2');
    expect(writesTo(server)).toEqual(['PATCH /todos/2', 'PATCH /todos/1']);
    expect(leader.state().entries).toEqual([]);
  });

  it('is refused in the older one by what it is refused with there, and kept for the newer one alone', async () => {
    const { server, leader, newer, promise } = await takeOver(inItsForm);
    server.fail('PATCH', 422);
    for (const tab of [leader, newer]) tab.line.setOnline(true);
    const { meta, error } = (await promise) as { readonly meta: object; readonly error: unknown };

    expect(meta).toMatchObject({ requestStatus: 'rejected', aborted: false });
    expect(error).toMatchObject({ status: 422 });
    expect(newer.state().failed).toBe(1);
    expect(leader.state().entries).toEqual([]);
  });

  it('is not edited in the older one', async () => {
    const { server, leader, newer } = await takeOver(inItsForm);
    const id = leader.state().entries[0]?.id ?? '';

    await expect(leader.store.dispatch(leader.queue.edit(id, { title: 'Too late' }))).rejects.toMatchObject({
      code: 'R43',
    });
    newer.line.setOnline(true);
    await untilSent(newer);

    expect(server.rows(Todo)[0]?.title).toBe('of version 2');
  });

  it('holds up later writes of the older one to its row, which that tab sends, too', async () => {
    const { server, leader, newer } = await takeOver((entry) => entry);
    leader.line.setOnline(true);
    const later = leader.store.dispatch(leader.todos.partialUpdate({ id: 1 }, { title: 'later' }));
    await turns();
    newer.line.setOnline(true);
    const { meta } = await later;

    expect(meta.requestStatus).toBe('fulfilled');
    expect(server.rows(Todo)[0]?.title).toBe('later');
    expect(writesTo(server)).toEqual(['PATCH /todos/2', 'PATCH /todos/1', 'PATCH /todos/1']);
  });
});

describe('what a newer version of the app creates', () => {
  useTabs();

  it('shows in the lists of a tab of the older one as soon as it is there', async () => {
    const { server, leader, follower } = await openTwo({ version: 1 }, { version: 2, migrate: (entry) => entry });
    const list = leader.todos.getList;
    await leader.store.dispatch(list());

    await follower.store.dispatch(follower.todos.getList.push({ title: 'New' }));
    await turns();

    expect(server.rows(Todo)).toHaveLength(3);
    expect(leader.read(list.select())?.map(({ title }) => title)).toEqual(['Read', 'Write', 'New']);
  });
});
