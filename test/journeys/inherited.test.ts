import { createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeNetwork, pass, type Network } from '../support/network.js';
import { setup } from '../support/store.js';

class Author extends Entity {
  id = 0;
  name = '';
  static override key = 'Author';
}
class Post extends Entity {
  id = 0;
  title = '';
  author?: Author;
  static override key = 'Post';
  static override schema = { author: Author };
}

interface Search {
  readonly by?: number;
}
const search: Search = {};
const Posts = createResource({ path: '/posts/:id', schema: Post, searchParams: search, paginationField: 'page' });
const Authors = createResource({ path: '/authors/:id', schema: Author });
const one = { id: 1, title: 'one', author: { id: 7, name: 'Ada' } };
const two = { id: 2, title: 'two', author: { id: 7, name: 'Ada' } };

let network: Network;
beforeEach(() => {
  vi.useFakeTimers();
  network = fakeNetwork();
  network.answer('GET /posts', { json: [one, two] });
  network.answer('GET /posts?by=7', { json: [one] });
  network.answer('GET /posts/1', { json: one });
  network.answer('GET /authors/7', { json: { id: 7, name: 'Ada' } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function setupWithList() {
  const tools = setup();
  await tools.store.dispatch(Posts.getList()).unwrap();

  return {
    ...tools,
    /** Whether asking for the first post, if stale, goes to the network. */
    isFetched: async () => {
      const before = network.calls.length;
      await tools.store.dispatch(Posts.get.ifStale({ id: 1 }));

      return network.calls.length > before;
    },
  };
}

describe('an item that came in a list', () => {
  it('is as fresh as the list: asked for by itself, it is not fetched', async () => {
    const { store, actions, read } = await setupWithList();
    const before = actions.length;
    await pass(59_999);

    const post = await store.dispatch(Posts.get.ifStale({ id: 1 })).unwrap();

    expect(post).toBe(read(Posts.getList.select())?.[0]);
    expect(network.calls).toEqual(['GET /posts']);
    expect(actions).toHaveLength(before);
  });

  it('is not fetched for who subscribes to it either', async () => {
    const { store, read } = await setupWithList();

    store.dispatch(Posts.get.subscribe({ id: 1 })).unsubscribe();
    await pass();

    expect(network.calls).toEqual(['GET /posts']);
    expect(read(Posts.get.selectRequest({ id: 1 }))).toMatchObject({
      status: 'uninitialized',
      isLoading: false,
      data: { title: 'one' },
    });
  });

  it('grows stale with the list', async () => {
    const { isFetched } = await setupWithList();

    await pass(60_000);

    expect(await isFetched()).toBe(true);
  });

  it('brings along what is in it', async () => {
    const { store } = await setupWithList();

    const author = await store.dispatch(Authors.get.ifStale({ id: 7 })).unwrap();

    expect(author.name).toBe('Ada');
    expect(network.calls).toEqual(['GET /posts']);
  });

  it('is as fresh as the newest of two lists with it', async () => {
    const { store, isFetched } = await setupWithList();
    await pass(30_000);
    await store.dispatch(Posts.getList({ by: 7 }));

    await pass(59_999);
    expect(await isFetched()).toBe(false);
    await pass(1);
    expect(await isFetched()).toBe(true);
  });

  it('is as old as the newest answer with it, however soon that grows stale itself', async () => {
    const Hasty = Posts.getList.extend({ name: 'Post/hasty', dataExpiryLength: 100 });
    const { store, isFetched } = await setupWithList();
    await pass(30_000);
    await store.dispatch(Hasty({ by: 7 }));

    await pass(59_999);
    expect(await isFetched()).toBe(false);
    await pass(1);
    expect(await isFetched()).toBe(true);
  });

  it('is as fresh as its last edit', async () => {
    const { store, isFetched } = await setupWithList();
    network.answer('PATCH /posts/1', { json: { id: 1, title: 'edited' } });
    await pass(30_000);
    await store.dispatch(Posts.partialUpdate({ id: 1 }, { title: 'edited' }));

    await pass(59_999);

    expect(await isFetched()).toBe(false);
  });

  it('is fetched when the list was deemed stale', async () => {
    const { store, resources, isFetched } = await setupWithList();

    store.dispatch(resources.expireAll(Posts.getList));

    expect(await isFetched()).toBe(true);
  });

  it.each(['expire', 'expireAll', 'invalidate', 'invalidateAll'] as const)(
    'is not fetched for who shows it already after %s of the list, which brings it again',
    async (how) => {
      const { store, resources, read } = await setupWithList();
      store.dispatch(Posts.getList.subscribe());
      store.dispatch(Posts.get.subscribe({ id: 1 }));

      store.dispatch(resources[how](Posts.getList));
      const { isStale } = read(Posts.get.selectRequest({ id: 1 }));
      await pass();

      expect(isStale).toBe(false);
      expect(network.calls).toEqual(['GET /posts', 'GET /posts']);
    },
  );

  it('is fetched when the list was invalidated', async () => {
    const { store, resources, isFetched } = await setupWithList();

    store.dispatch(resources.invalidate(Posts.getList));

    expect(await isFetched()).toBe(true);
  });

  it('is fetched when it was deleted since', async () => {
    const { store, isFetched } = await setupWithList();
    network.answer('DELETE /posts/1', { status: 204 });
    await store.dispatch(Posts.delete({ id: 1 }));

    expect(await isFetched()).toBe(true);
  });

  it('is fetched when the list no longer has it', async () => {
    const { store, isFetched } = await setupWithList();
    network.answer('GET /posts', { json: [two] });
    await store.dispatch(Posts.getList());

    expect(await isFetched()).toBe(true);
  });

  it('counts by its own answer once it has one', async () => {
    const { store, isFetched } = await setupWithList();
    await store.dispatch(Posts.get({ id: 1 }));
    await pass(60_000);
    await store.dispatch(Posts.getList());

    expect(await isFetched()).toBe(true);
  });

  it('is not fetched when `set` has brought all of it a moment ago', async () => {
    const { store, resources, read } = setup();
    store.dispatch(resources.set(Post, { id: 1, title: 'from a socket' }));

    await store.dispatch(Posts.get.ifStale({ id: 1 }));

    expect(network.calls).toEqual([]);
    expect(read(Posts.get.select({ id: 1 }))?.title).toBe('from a socket');
  });

  it('is fetched when `set` has brought it long ago', async () => {
    const { store, resources } = setup();
    store.dispatch(resources.set(Post, { id: 1, title: 'from a socket' }));
    await pass(60_000);

    await store.dispatch(Posts.get.ifStale({ id: 1 }));

    expect(network.calls).toEqual(['GET /posts/1']);
  });

  it('is not fetched in another process either, though nobody has asked for the list there', async () => {
    const { slice } = await setupWithList();
    const { store, resources, read } = setup();
    store.dispatch(resources.hydrate(slice()));
    expect(read(Posts.get.select({ id: 1 }))?.title).toBe('one');

    await store.dispatch(Posts.get.ifStale({ id: 1 }));

    expect(network.calls).toEqual(['GET /posts']);
  });

  it('is as old as the list, also where it came on a later page', async () => {
    const { store, isFetched } = await setupWithList();
    network.answer('GET /posts?page=2', { json: [{ id: 3, title: 'three' }] });
    network.answer('GET /posts/3', { json: { id: 3, title: 'three' } });
    await pass(30_000);
    await store.dispatch(Posts.getList.getPage({ page: 2 }));

    await pass(29_999);
    await store.dispatch(Posts.get.ifStale({ id: 3 }));
    expect(network.calls).not.toContain('GET /posts/3');

    await pass(1);
    await store.dispatch(Posts.get.ifStale({ id: 3 }));
    expect(network.calls).toContain('GET /posts/3');
    expect(await isFetched()).toBe(true);
  });
});

describe('a list that came in an item', () => {
  class Team extends Entity {
    id = 0;
    members: readonly Author[] = [];
    static override key = 'Team';
    static override schema = {
      members: new schema.Collection([Author], { nestKey: ({ id }: { id: number }) => ({ team: id }) }),
    };
  }
  const getTeam = new RestEndpoint({ path: '/teams/:id', schema: Team });
  const getMembers = new RestEndpoint({
    path: '/members',
    searchParams: {} as { team: number },
    schema: Team.schema.members,
  });

  it('is as fresh as the item', async () => {
    network.answer('GET /teams/3', { json: { id: 3, members: [{ id: 7, name: 'Ada' }] } });
    network.answer('GET /members?team=3', { json: [{ id: 7, name: 'Ada' }] });
    const { store } = setup();
    await store.dispatch(getTeam({ id: 3 }));

    await pass(59_999);
    const members = await store.dispatch(getMembers.ifStale({ team: 3 })).unwrap();
    expect(members.map(({ name }) => name)).toEqual(['Ada']);
    expect(network.calls).toEqual(['GET /teams/3']);

    await pass(1);
    await store.dispatch(getMembers.ifStale({ team: 3 }));
    expect(network.calls).toEqual(['GET /teams/3', 'GET /members?team=3']);
  });
});
