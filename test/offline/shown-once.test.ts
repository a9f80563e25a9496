import { createResource, Entity } from 'rtk-resource';
import type { MockServer } from 'rtk-resource/mock';
import { describe, expect, it } from 'vitest';
import {
  fakeTime,
  makeServer,
  newName,
  openTab,
  pass,
  Todo,
  TodoResource,
  until,
  untilSent,
  type Tab,
} from '../support/outbox.js';
import { openTwo, useTabs } from '../support/tabs.js';

class Post extends Entity {
  id = 0;
  likes = 0;
  static override key = 'Post';
}
const PostResource = createResource({ path: '/posts/:id', schema: Post, optimistic: true }).extend('like', {
  ...{ path: '/posts/:id/like', method: 'POST', body: undefined },
  optimistic: (post) => {
    post.likes += 1;
  },
});
const options = { resources: [TodoResource, PostResource], idempotencyKey: true };

const all = {};
const open = { completed: false };
const named = { title: 'New' };

/** The titles in lists that a tab reads, one after the other, and in those that it has read before. */
async function titlesIn({ store, todos }: Tab, ...lists: readonly object[]): Promise<readonly (readonly string[])[]> {
  for (const list of lists) await store.dispatch(todos.getList(list as never));
  const shown = [all, open, named].map((list) => todos.getList.select(list as never)(store.getState()));
  return shown.flatMap((list) => (list ? [list.map(({ title }) => title)] : []));
}

const inAll = ['Read', 'Write', 'New'];

/** A server that counts likes. */
function makeLikedServer(): MockServer {
  const server = makeServer(PostResource);
  server.set(Post, { id: 1, likes: 1 });
  server.use(PostResource.like, ({ rows }) => {
    server.set(Post, { id: 1, likes: Number(rows(Post)[0]?.likes) + 1 });
    return rows(Post)[0];
  });
  return server;
}

/** The next life of a tab that was killed while the server did a write, before the server can hear more of that. */
async function nextLife(server: MockServer, write: (tab: Tab) => void): Promise<Tab> {
  const name = newName();
  const first = openTab(server, name, options);
  await first.queue.ready;
  for (const { getList } of options.resources) await first.store.dispatch(getList());
  server.hold('POST');
  write(first);
  await until(() => server.held.length === 1);
  first.store.dispatch(first.queue.pause());
  await first.kill();
  server.held[0]?.lose();
  return openTab(server, name, options);
}

function create({ store, todos }: Tab): void {
  void store.dispatch(todos.getList.push({ title: 'New', completed: false }));
}

function like({ store }: Tab): void {
  void store.dispatch(PostResource.like({ id: 1 }));
}

describe('a create that the server has done for an earlier life of the tab', () => {
  fakeTime();

  it('shows once in each list, while it waits and while it is sent again', async () => {
    const server = makeServer();
    const tab = await nextLife(server, create);
    await tab.queue.ready;

    const waiting = await titlesIn(tab, all, open);
    tab.store.dispatch(tab.queue.resume());
    await until(() => server.held.length === 1);
    const again = await titlesIn(tab, all, named);
    server.release();
    await untilSent(tab);

    expect(waiting).toEqual([inAll, inAll]);
    expect(again).toEqual([inAll, inAll, ['New']]);
    expect(await titlesIn(tab)).toEqual(again);
    expect(server.rows(Todo)).toHaveLength(3);
  });

  it('shows once in a list, too, that was asked for before the outbox was ready', async () => {
    const server = makeServer();
    const tab = await nextLife(server, create);
    const undo = server.hold('GET');
    const reading = tab.store.dispatch(TodoResource.getList());
    await tab.queue.ready;
    await until(() => server.held.length === 1);
    undo();
    server.release();
    await reading;

    expect(await titlesIn(tab, open)).toEqual([inAll, inAll]);
  });

  it('shows in a list that was saved before it was made', async () => {
    const server = makeServer();
    const earlier = openTab(server, newName());
    await earlier.store.dispatch(TodoResource.getList());
    const saved = structuredClone(earlier.store.getState().resources);
    const tab = await nextLife(server, create);

    tab.store.dispatch(tab.resources.hydrate(saved));
    await tab.queue.ready;

    expect(await titlesIn(tab)).toEqual([inAll]);
  });
});

describe('a vote that the server has counted for an earlier life of the tab', () => {
  fakeTime();

  it.each(['before the outbox is ready', 'after that'])('counts once where its post is read %s', async (when) => {
    const server = makeLikedServer();
    const tab = await nextLife(server, like);
    if (when === 'after that') await tab.queue.ready;
    const undo = server.hold('GET');
    const reading = tab.store.dispatch(PostResource.getList());
    await tab.queue.ready;
    await until(() => server.held.length === 1);
    undo();
    server.release();
    await reading;
    const shown = tab.read(PostResource.getList.select())?.[0]?.likes;

    tab.store.dispatch(tab.queue.resume());
    await until(() => server.held.length === 1);
    server.release();
    await untilSent(tab);

    expect([shown, server.rows(Post)[0]?.likes]).toEqual([2, 2]);
    expect(tab.read(PostResource.getList.select())?.[0]?.likes).toBe(2);
  });
});

describe('a create whose answer was lost', () => {
  fakeTime();

  it.each([
    ['is sent again', undefined],
    ['has been refused for now', 503],
    ['is answered by a gateway', 504],
  ])('shows once in each list while it %s', async (_, status) => {
    const server = makeServer();
    const tab = openTab(server, newName(), options);
    await tab.queue.ready;
    server.lose('POST', { times: 1 });
    create(tab);
    await until(() => tab.state().entries[0]?.status === 'waiting');
    const waiting = await titlesIn(tab, all);
    if (status) server.fail('POST', status, { times: 1 });
    else server.hold('POST');
    await pass(1_500);

    const again = await titlesIn(tab, open, named);
    if (!status) server.release();
    await pass(3_000);
    await untilSent(tab);

    expect(waiting).toEqual([inAll]);
    expect(again).toEqual([inAll, inAll, ['New']]);
    expect(await titlesIn(tab)).toEqual(again);
  });
});

describe('a create that another tab sends', () => {
  useTabs();

  it.each(['its answer is lost', 'it is under way'])('shows once in each list where %s', async (why) => {
    const { server, leader, follower, tabs } = await openTwo({ idempotencyKey: true });
    if (why === 'its answer is lost') server.lose('POST', { times: 1 });
    else server.hold('POST', { at: 'answer' });
    create(leader);
    const status = why === 'its answer is lost' ? 'waiting' : 'sent';
    await until(() => tabs.every((tab) => tab.state().entries[0]?.status === status));
    await until(() => server.rows(Todo).length === 3);

    const shown = await titlesIn(follower, all, open);
    for (const tab of tabs) await tab.kill();

    // The other todo was done as the leader began.
    expect(shown).toEqual([inAll, ['Read', 'New']]);
  });

  it('shows in the lists that are read meanwhile where the server has refused it for now', async () => {
    const { server, leader, follower, tabs } = await openTwo({ idempotencyKey: true });
    server.hold('POST');
    create(leader);
    await until(() => server.held.length === 1 && follower.state().entries[0]?.status === 'sent');
    const sent = await titlesIn(follower, all);
    server.held[0]?.fail(503);
    await until(() => follower.state().entries[0]?.status === 'waiting');

    const shown = await titlesIn(follower, open);
    for (const tab of tabs) await tab.kill();

    expect(sent).toEqual([['Read', 'Write']]);
    expect(shown).toEqual([inAll, ['Read', 'New']]);
  });
});
