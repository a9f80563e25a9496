import { createResource, Entity } from 'rtk-resource';
import { mockServer } from 'rtk-resource/mock';
import { describe, expect, it, vi } from 'vitest';
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
  writesTo,
} from '../support/outbox.js';
import { openTwo, useTabs } from '../support/tabs.js';

const { partialUpdate, getList } = TodoResource;

fakeTime();
useTabs();

const busy = () => new Response(null, { status: 503, headers: { 'retry-after': '20' } });
const refuse = (server: ReturnType<typeof makeServer>) => {
  server.fail('PATCH', busy(), { times: 1 });
};

/** A todo is made and edited offline; with the network, it is created, and the edit waits. */
async function tabWithWaitingEdit(hold = refuse) {
  const [server, name] = [makeServer(), newName()];
  const tab = openTab(server, name, { isOnline: false });
  await tab.queue.ready;
  const { requestId } = tab.store.dispatch(getList.push({ title: 'New' }));
  const temporary = `~${requestId}`;
  void tab.store.dispatch(partialUpdate({ id: temporary }, { title: 'Older' }));
  await until(() => tab.state().size === 2 && tab.state().entries.every(({ isDurable }) => isDurable));
  hold(server);
  tab.line.setOnline(true);
  await until(() => tab.state().entries[0]?.status === 'waiting' && tab.state().size === 1);
  return { server, name, tab, temporary };
}

describe('an edit that waits, of a row that was created offline', () => {
  it('is sent before a later edit by the real id, which is what stays', async () => {
    const { server, tab } = await tabWithWaitingEdit();

    void tab.store.dispatch(partialUpdate({ id: 3 }, { title: 'Newer' }));
    await pass(25_000);
    await untilSent(tab);

    expect(server.rows(Todo)[2]?.title).toBe('Newer');
  });

  it('is so after a lost connection', async () => {
    const { server, tab } = await tabWithWaitingEdit((to) => {
      to.drop('PATCH', { times: 1 });
      // The edit is to wait longer than the network is.
      vi.spyOn(Math, 'random').mockReturnValueOnce(0.99).mockReturnValueOnce(0);
    });
    vi.restoreAllMocks();

    void tab.store.dispatch(partialUpdate({ id: 3 }, { title: 'Newer' }));
    await pass(5_000);
    await untilSent(tab);

    expect(server.rows(Todo)[2]?.title).toBe('Newer');
  });

  it('is so after a reload', async () => {
    const { server, name, tab: before } = await tabWithWaitingEdit();
    await before.kill();

    const tab = openTab(server, name);
    await tab.queue.ready;
    await tab.store.dispatch(TodoResource.get({ id: 3 }));
    void tab.store.dispatch(partialUpdate({ id: 3 }, { title: 'Newer' }));
    await pass(25_000);
    await untilSent(tab);

    expect(server.rows(Todo)[2]?.title).toBe('Newer');
  });

  it('is sent before a later deletion, so that neither fails', async () => {
    const { server, tab } = await tabWithWaitingEdit();

    void tab.store.dispatch(TodoResource.delete({ id: 3 }));
    await pass(25_000);
    await untilSent(tab);

    expect(writesTo(server).slice(-2)).toEqual(['PATCH /todos/3', 'DELETE /todos/3']);
    expect(tab.state().failed).toBe(0);
  });

  it('is about the row by its real id, and by the temporary one', async () => {
    const { tab, temporary } = await tabWithWaitingEdit();

    const [byReal, byTemporary] = [3, temporary].map((id) => tab.queue.selectFor(Todo, id)(tab.store.getState()));

    expect(byReal).toHaveLength(1);
    expect(byTemporary).toBe(byReal);
  });

  it('is so in the tab that does not send', async () => {
    const { server, leader, follower } = await openTwo();
    for (const { line } of [leader, follower]) line.setOnline(false);
    const { requestId } = follower.store.dispatch(follower.todos.getList.push({ title: 'New' }));
    void follower.store.dispatch(follower.todos.partialUpdate({ id: `~${requestId}` }, { title: 'Older' }));
    await until(() => leader.state().size === 2);

    refuse(server);
    for (const { line } of [leader, follower]) line.setOnline(true);
    await until(() => follower.state().entries[0]?.status === 'waiting' && follower.state().size === 1);

    const about = follower.queue.selectFor(Todo, 3)(follower.store.getState());
    expect(about.map(({ status }) => status)).toEqual(['waiting']);
  });
});

class Album extends Entity {
  id = '';
  title = '';
  static override key = 'Album';
}
class Song extends Entity {
  id = '';
  albumId = '';
  static override key = 'Song';
}
const AlbumResource = createResource({ path: '/albums/:id', schema: Album, optimistic: true });
const SongResource = createResource({ path: '/albums/:albumId/songs/:id', schema: Song, optimistic: true });
const PlainResource = createResource({ path: '/songs/:id', schema: Song, optimistic: true, name: 'Plain' });

describe('a create with an id that the client has made, which is refused for now,', () => {
  it.each([
    ['in its address', () => SongResource.getList.push({ albumId: 'abba' }, { id: 'one' })],
    ['in its body', () => PlainResource.getList.push({ id: 'one', albumId: 'abba' })],
  ])('is done before another write that has the id %s', async (_, make) => {
    const resources = [AlbumResource, SongResource, PlainResource];
    const server = mockServer(resources, { seed: { Album: [{ id: 'zappa', title: 'Zappa' }] } });
    const tab = openTab(server, newName(), { isOnline: false, resources });
    await tab.queue.ready;
    void tab.store.dispatch(AlbumResource.getList.push({ id: 'abba', title: 'Abba' }));
    void tab.store.dispatch(make());
    void tab.store.dispatch(AlbumResource.partialUpdate({ id: 'zappa' }, { title: 'Frank' }));
    await until(() => tab.state().size === 3 && tab.state().entries.every(({ isDurable }) => isDurable));

    server.fail('POST /albums', busy(), { times: 1 });
    tab.line.setOnline(true);
    await pass(25_000);
    await untilSent(tab);

    const [first, other, again, song] = writesTo(server);
    expect([first, other, again]).toEqual(['POST /albums', 'PATCH /albums/zappa', 'POST /albums']);
    expect(song).toMatch(/songs$/);
    expect(tab.state().failed).toBe(0);
  });
});
