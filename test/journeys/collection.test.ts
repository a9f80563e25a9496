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
const options = { path: '/posts/:id', schema: Post, searchParams: search, paginationField: 'page' } as const;
const Posts = createResource(options);
const ada = { id: 7, name: 'Ada' };
const bob = { id: 8, name: 'Bob' };
const minute = 60_000;

let network: Network;
beforeEach(() => {
  vi.useFakeTimers();
  network = fakeNetwork();
  network.answer('GET /posts/1', { json: { id: 1, title: 'one', author: ada } });
  network.answer('GET /posts/2', { json: { id: 2, title: 'two', author: bob } });
  network.answer('GET /posts', {
    json: [
      { id: 1, title: 'one', author: ada },
      { id: 3, title: 'three', author: ada },
    ],
  });
  network.answer('GET /posts?by=7', { json: [{ id: 3, title: 'three', author: ada }] });
  network.answer('GET /posts?page=2', { json: [{ id: 4, title: 'four', author: bob }] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function setupPosts(...given: Parameters<typeof setup>) {
  const tools = setup(...given);
  const { store, slice } = tools;

  return {
    ...tools,
    /** Subscribes, waits for the answer, and gives what ends it. */
    open: async (thunk: ReturnType<typeof Posts.get.subscribe>) => {
      const { unsubscribe } = store.dispatch(thunk);
      await pass();

      return unsubscribe;
    },
    /** What is kept: rows and lists by table, and how many requests. */
    kept: () => {
      const { tables, requests } = slice();
      const entries = Object.entries(tables).map(
        ([name, { pks }]) => [name, pks.flat().filter((pk) => pk !== '').length] as const,
      );
      const names = requests.pks.flat().filter((pk) => pk !== '');

      return { ...Object.fromEntries(entries.filter(([, count]) => count > 0)), requests: names.length };
    },
  };
}

describe('what nobody is subscribed to any more', () => {
  it('stays for a minute, and then goes, with all that it alone has brought', async () => {
    const { open, kept, read } = setupPosts();
    const close = await open(Posts.get.subscribe({ id: 1 }));
    await pass(10 * minute);

    close();
    await pass(minute - 1);
    expect(kept()).toEqual({ Post: 1, Author: 1, requests: 1 });
    expect(read(Posts.get.select({ id: 1 }))?.title).toBe('one');

    await pass(1);
    expect(kept()).toEqual({ requests: 0 });
    expect(read(Posts.get.selectRequest({ id: 1 }))).toMatchObject({ status: 'uninitialized', data: undefined });
  });

  it('goes in one action, and not without need', async () => {
    const { open, actions } = setupPosts();
    const close = await open(Posts.get.subscribe({ id: 1 }));
    const other = await open(Posts.get.subscribe({ id: 2 }));
    close();
    other();
    const before = actions.length;

    await pass(10 * minute);

    expect(actions.slice(before).map(({ type }) => type)).toEqual(['resources/collect']);
  });

  it('goes though messages have changed it meanwhile', async () => {
    const { open, kept, store, resources } = setupPosts();
    const close = await open(Posts.getList.subscribe());
    store.dispatch(resources.set(Post, { id: 1, title: 'told' }));
    store.dispatch(resources.set(Post, [{ id: 3, title: 'told' }]));
    store.dispatch(resources.set(Post, { id: 1 }, (post) => ({ title: `${post.title}!` })));

    close();
    await pass(minute);

    expect(kept()).toEqual({ requests: 0 });
  });

  it('goes though a message was written as the answer of an item that a list has', async () => {
    const { open, kept, store, resources, read } = setupPosts();
    await open(Posts.getList.subscribe());
    const told = { id: 1, title: 'told' };
    store.dispatch(resources.setResponse(Posts.get, { id: 1 }, told));
    expect(kept()).toEqual({ Post: 2, '[Post]': 1, Author: 1, requests: 2 });

    await pass(minute);

    expect(kept()).toEqual({ Post: 2, '[Post]': 1, Author: 1, requests: 1 });
    expect(read(Posts.get.select({ id: 1 }))?.title).toBe('told');
  });

  it('goes when its endpoint says, else its resource, else the store', async () => {
    const Brief = createResource({ ...options, name: 'Brief', unusedDataExpiryLength: 200 });
    const Briefest = Brief.get.extend({ name: 'Briefest', unusedDataExpiryLength: 100 });
    const { open, kept } = setupPosts({ unusedDataExpiryLength: 300 });
    const thunks = [Briefest.subscribe({ id: 1 }), Brief.get.subscribe({ id: 1 }), Posts.get.subscribe({ id: 1 })];
    const closes = await Promise.all(thunks.map((thunk) => open(thunk as never)));
    for (const close of closes) close();

    expect(kept().requests).toBe(3);
    await pass(100);
    expect(kept().requests).toBe(2);
    await pass(100);
    expect(kept()).toEqual({ Post: 1, Author: 1, requests: 1 });
    await pass(100);
    expect(kept()).toEqual({ requests: 0 });
  });

  it('goes at once where the length is 0, though not between two subscribers of one moment', async () => {
    const { open, kept } = setupPosts({ unusedDataExpiryLength: 0 });
    const close = await open(Posts.get.subscribe({ id: 1 }));

    close();
    const again = await open(Posts.get.subscribe({ id: 1 }));
    expect(kept()).toEqual({ Post: 1, Author: 1, requests: 1 });
    expect(network.calls).toHaveLength(1);

    again();
    await pass();
    expect(kept()).toEqual({ requests: 0 });
  });

  it('stays for good where the length is Infinity, and no timer waits for it', async () => {
    const { open, kept } = setupPosts({ unusedDataExpiryLength: Infinity });
    const close = await open(Posts.get.subscribe({ id: 1 }));

    close();
    expect(vi.getTimerCount()).toBe(0);
    await pass(1_000 * minute);

    expect(kept()).toEqual({ Post: 1, Author: 1, requests: 1 });
  });

  it('stays as long as one other is subscribed', async () => {
    const { open, kept } = setupPosts();
    const close = await open(Posts.get.subscribe({ id: 1 }));
    await open(Posts.get.subscribe({ id: 1 }));

    close();
    await pass(10 * minute);

    expect(kept().requests).toBe(1);
  });

  it('has its time anew when somebody comes back', async () => {
    const { open, kept } = setupPosts();
    const close = await open(Posts.get.subscribe({ id: 1 }));
    close();
    await pass(minute - 1);
    const again = await open(Posts.get.subscribe({ id: 1 }));
    await pass(10 * minute);
    expect(kept().requests).toBe(1);

    again();
    await pass(minute - 1);
    expect(kept().requests).toBe(1);
    await pass(1);
    expect(kept().requests).toBe(0);
  });

  it('is fetched again when it is asked for after it went', async () => {
    const { store, open, read } = setupPosts();
    const close = await open(Posts.get.subscribe({ id: 1 }));
    close();
    await pass(minute);

    const value = await store.dispatch(Posts.get.ifStale({ id: 1 })).unwrap();

    expect(value).toBe(read(Posts.get.select({ id: 1 })));
    expect(network.calls).toHaveLength(2);
  });

  it('goes with its error', async () => {
    const { open, kept, read } = setupPosts({ errorExpiryLength: Infinity });
    network.answer('GET /posts/9', { status: 500 });
    const close = await open(Posts.get.subscribe({ id: 9 }));
    expect(read(Posts.get.selectRequest({ id: 9 })).isError).toBe(true);

    close();
    await pass(minute);

    expect(kept()).toEqual({ requests: 0 });
    await open(Posts.get.subscribe({ id: 9 }));
    expect(network.calls).toHaveLength(2);
  });
});

describe('what stays', () => {
  it('is what never had a subscriber', async () => {
    const { store, open, kept } = setupPosts();
    await store.dispatch(Posts.get({ id: 2 }));
    const close = await open(Posts.get.subscribe({ id: 1 }));

    close();
    await pass(10 * minute);

    expect(kept()).toEqual({ Post: 1, Author: 1, requests: 1 });
  });

  it('is what another answer has too: rows of lists, and what is in them', async () => {
    const { open, kept, read } = setupPosts();
    await open(Posts.getList.subscribe());
    const close = await open(Posts.get.subscribe({ id: 1 }));
    const other = await open(Posts.get.subscribe({ id: 2 }));
    const list = read(Posts.getList.select());

    close();
    other();
    await pass(minute);

    // Bob alone is led to by nothing.
    expect(kept()).toEqual({ Post: 2, '[Post]': 1, Author: 1, requests: 1 });
    expect(read(Posts.getList.select())).toBe(list);
    expect(read(Posts.get.select({ id: 1 }))).toBe(list?.[0]);
  });

  it('is a row that only a subscriber without an answer of its own reads', async () => {
    const { open, kept, read } = setupPosts();
    const closeList = await open(Posts.getList.subscribe());
    await open(Posts.get.subscribe({ id: 1 }));
    expect(network.calls).toEqual(['GET /posts']);

    closeList();
    await pass(minute);

    expect(kept()).toEqual({ Post: 1, Author: 1, requests: 0 });
    expect(read(Posts.get.select({ id: 1 }))?.author?.name).toBe('Ada');
  });

  it('is one list when another with the same rows goes', async () => {
    const { open, kept } = setupPosts();
    await open(Posts.getList.subscribe());
    const close = await open(Posts.getList.subscribe({ by: 7 }));

    close();
    await pass(minute);

    expect(kept()).toEqual({ Post: 2, '[Post]': 1, Author: 1, requests: 1 });
  });

  it('is what was written by `set`, with what is in it', async () => {
    const { store, resources, open, kept, read } = setupPosts();
    store.dispatch(resources.set(Post, { id: 2, author: bob }));
    const close = await open(Posts.get.subscribe({ id: 1 }));

    close();
    await pass(minute);

    expect(kept()).toEqual({ Post: 1, Author: 1, requests: 0 });
    expect(read(resources.selectEntity(Post, 2))?.author?.name).toBe('Bob');
  });

  it('is what was written by `set` through two classes of one table, with what is in either', async () => {
    class Brief extends Entity {
      id = 0;
      title = '';
      static override key = 'Post';
    }
    const { store, resources, open, read } = setupPosts();
    store.dispatch(resources.set(Post, { id: 2, author: bob }));
    store.dispatch(resources.set(Brief, { id: 2, title: 'brief' }));
    const close = await open(Posts.get.subscribe({ id: 1 }));

    close();
    await pass(minute);

    expect(read(resources.selectEntity(Post, 2))).toMatchObject({ title: 'brief', author: { name: 'Bob' } });
  });

  it('is what an unknown endpoint of another process may have brought', async () => {
    const elsewhere = setupPosts();
    const Custom = new RestEndpoint({ path: '/posts/:id', schema: { post: Post }, name: 'custom' });
    network.answer('GET /posts/2', { json: { post: { id: 2, title: 'two', author: bob } } });
    await elsewhere.store.dispatch(Custom({ id: 2 }));
    const { store, resources, open, kept } = setupPosts();
    store.dispatch(resources.hydrate(elsewhere.slice()));
    const close = await open(Posts.get.subscribe({ id: 1 }));

    close();
    await pass(minute);

    expect(kept()).toEqual({ Post: 1, Author: 1, requests: 1 });
  });

  it('is a row that a write shows what it hopes for in', async () => {
    const Hopeful = createResource({ ...options, optimistic: true });
    const { store, open, kept, read } = setupPosts();
    const close = await open(Posts.get.subscribe({ id: 1 }));
    close();
    const edit = store.dispatch(Hopeful.partialUpdate({ id: 1 }, { title: 'hoped' }));
    await pass(10 * minute);
    expect(kept()).toMatchObject({ Post: 1 });
    expect(read(Posts.get.select({ id: 1 }))?.title).toBe('hoped');

    await network.release('PATCH /posts/1', { json: { id: 1, title: 'done' } });
    await edit;
    expect(read(Posts.get.select({ id: 1 }))?.title).toBe('done');
    await pass(2 * minute);

    expect(kept()).toEqual({ requests: 0 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is a row that only a pending edit refers to, in place of another', async () => {
    const { store, open, kept, read } = setupPosts();
    const author = (): string | undefined => read(Posts.get.select({ id: 1 }))?.author?.name;
    const Authors = createResource({ path: '/authors/:id', schema: Author });
    const Hopeful = createResource({ ...options, optimistic: true });
    network.answer('GET /authors/8', { json: bob });
    const close = await open(Posts.get.subscribe({ id: 1 }));
    const { unsubscribe } = store.dispatch(Authors.get.subscribe({ id: 8 }));
    await pass();
    const edit = store.dispatch(Hopeful.partialUpdate({ id: 1 }, { author: 8 as never }));
    unsubscribe();
    await pass(10 * minute);
    const hoped = [author(), kept()];

    await network.release('PATCH /posts/1', { json: { id: 1, title: 'one', author: 8 } });
    await edit;
    await pass(10 * minute);

    expect(hoped).toEqual(['Bob', { Post: 1, Author: 2, requests: 2 }]);
    expect([author(), kept()]).toEqual(['Bob', { Post: 1, Author: 1, requests: 1 }]);
    close();
  });

  it('is a row that only a list refers to as it is hoped for', async () => {
    const { store, resources, open, kept, read } = setupPosts();
    const titles = (): unknown => read(Posts.getList.select({ by: 7 }))?.map(({ title }) => title);
    const close = await open(Posts.getList.subscribe({ by: 7 }));
    const leave = await open(Posts.get.subscribe({ id: 2 }));
    const two = read(Posts.get.select({ id: 2 }));
    const { undo } = store.dispatch(
      resources.patch(Posts.getList, { by: 7 }, (posts) => void posts.push(two as never)),
    );
    leave();
    await pass(10 * minute);
    const hoped = titles();
    undo();
    close();
    await pass(10 * minute);

    expect(hoped).toEqual(['three', 'two']);
    expect(kept()).toEqual({ requests: 0 });
  });

  it.each(['created', 'edited'] as const)('is a row that was %s here, for an older read that hangs', async (how) => {
    const { store, open, kept, read } = setupPosts();
    const shown = (): unknown => {
      const { data, isStale } = read(Posts.getList.selectRequest());
      return [data?.map(({ title, author }) => [title, author?.name]), isStale];
    };
    const [three, five] = [
      { id: 3, title: 'three', author: ada },
      { id: 5, title: 'new', author: bob },
    ] as const;
    network.forget();
    network.answer('POST /posts', { json: five });
    network.answer('PATCH /posts/3', { json: { ...three, title: 'new' } });
    network.answer('GET /posts?by=7', { json: how === 'created' ? [five] : [three] });
    const close = await open(Posts.getList.subscribe({ by: 7 }));
    const slow = await open(Posts.getList.subscribe());
    await store.dispatch(
      how === 'created'
        ? Posts.getList.push({ title: 'new', author: 8 as never })
        : Posts.partialUpdate({ id: 3 }, { title: 'new' }),
    );
    close();
    await pass(10 * minute);

    await network.release('GET /posts', { json: [three] });

    const old = [
      ['three', 'Ada'],
      ['new', 'Bob'],
    ];
    expect(shown()).toEqual([how === 'created' ? old : [['new', 'Ada']], false]);
    slow();
    await pass(10 * minute);
    expect(kept()).toEqual({ requests: 0 });
  });

  it('is no item that was created here and is yet to be opened, also where an older read has hung meanwhile', async () => {
    const { store, open, read } = setupPosts();
    const close = await open(Posts.get.subscribe({ id: 1 }));
    const slow = await open(Posts.get.subscribe({ id: 9 }));
    network.answer('POST /posts', { json: { id: 5, title: 'new', author: bob } });
    await store.dispatch(Posts.getList.push({ title: 'new', author: 8 as never }));
    const later = await open(Posts.get.subscribe({ id: 2 }));
    later();
    await pass(10 * minute);
    await network.release('GET /posts/9', { status: 404, json: {} });
    slow();
    await pass(10 * minute);

    expect(read(Posts.get.select({ id: 5 }))?.title).toBe('new');
    close();
  });

  it('is what is read, and not what was left, while another request hangs', async () => {
    const { store, open, kept } = setupPosts();
    const close = await open(Posts.get.subscribe({ id: 1 }));
    close();
    const slow = store.dispatch(Posts.get({ id: 9 }));
    await store.dispatch(Posts.get({ id: 2 }));
    await pass(10 * minute);
    expect(kept()).toMatchObject({ Post: 1 });

    await network.release('GET /posts/9', { json: { id: 9, author: bob } });
    await slow;
    await pass(minute);

    expect(kept()).toEqual({ Post: 2, Author: 1, requests: 2 });
  });

  it('is a read that somebody has asked for again, until it has settled', async () => {
    const { store, open, kept } = setupPosts();
    const close = await open(Posts.get.subscribe({ id: 1 }));
    network.forget();
    const again = store.dispatch(Posts.get({ id: 1 }));
    close();
    await pass(10 * minute);
    expect(kept()).toEqual({ Post: 1, Author: 1, requests: 1 });

    await network.release('GET /posts/1', { json: { id: 1, title: 'again' } });
    expect((await again.unwrap()).title).toBe('again');
    await pass(minute);
    expect(kept()).toEqual({ requests: 0 });
  });
});

describe('what goes with it', () => {
  it('are the pages of a list', async () => {
    const { store, open, kept } = setupPosts();
    const close = await open(Posts.getList.subscribe());
    await store.dispatch(Posts.getList.getPage({ page: 2 }));
    await pass(10 * minute);
    expect(kept()).toEqual({ Post: 3, '[Post]': 1, Author: 2, requests: 2 });

    close();
    await pass(minute);

    expect(kept()).toEqual({ requests: 0 });
  });

  it('is what a write has brought for it, and the record of the write', async () => {
    const { store, open, kept } = setupPosts();
    network.answer('POST /posts', { json: { id: 5, title: 'five', author: bob } });
    network.answer('PATCH /posts/1', { json: { id: 1, title: 'edited' } });
    network.answer('DELETE /posts/3', { status: 204 });
    const close = await open(Posts.getList.subscribe());
    await store.dispatch(Posts.getList.push({ title: 'five' }));
    await store.dispatch(Posts.partialUpdate({ id: 1 }, { title: 'edited' }));
    await store.dispatch(Posts.delete({ id: 3 }));
    expect(kept()).toMatchObject({ Post: 2, requests: 4 });

    close();
    await pass(minute);

    expect(kept()).toEqual({ requests: 0 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not what was created and is not read yet', async () => {
    const { store, open, kept, read } = setupPosts();
    network.answer('POST /posts', { json: { id: 5, title: 'five' } });
    const { id } = await store.dispatch(Posts.getList.push({ title: 'five' })).unwrap();
    const close = await open(Posts.get.subscribe({ id: 1 }));
    close();
    await pass(minute);

    expect(kept()).toEqual({ Post: 1, requests: 1 });
    expect(read(Posts.get.select({ id }))?.title).toBe('five');
  });

  it('is what a polled list has dropped', { timeout: 120_000 }, async () => {
    const Polled = Posts.getList.extend({ name: 'Post/polled', pollFrequency: 10_000 });
    const { open, kept, read } = setupPosts();
    let newest = 0;
    network.answer('GET /posts', () => ({ json: [{ id: ++newest, title: 'new', author: { id: newest } }] }));
    await open(Polled.subscribe());

    await pass(100 * minute);

    // What was dropped since the last look is there still.
    const { Post: rows = 0, Author: inside = 0 } = kept() as Record<string, number>;
    expect(newest).toBe(601);
    expect(rows).toBeLessThanOrEqual(8);
    expect(inside).toBe(rows);
    expect(read(Polled.select())?.map(({ id }) => id)).toEqual([601]);
  });
});

describe('an endpoint of all rows', () => {
  const getAll = new RestEndpoint({ path: '/posts', schema: new schema.All(Post), name: 'all' });

  it('keeps every row of its class while somebody is subscribed, and none after', async () => {
    const { open, kept, read } = setupPosts();
    const closeAll = await open(getAll.subscribe());
    const close = await open(Posts.get.subscribe({ id: 2 }));
    close();
    await pass(minute);
    expect(kept()).toEqual({ Post: 3, Author: 2, requests: 1 });
    expect(read(getAll.select())?.map(({ id }) => id)).toEqual([1, 3, 2]);

    closeAll();
    await pass(minute);

    expect(kept()).toEqual({ requests: 0 });
  });

  it('gives all to who waits for it', async () => {
    const { store, read } = setupPosts();

    const all = await store.dispatch(getAll()).unwrap();

    expect(all.map(({ title }) => title)).toEqual(['one', 'three']);
    expect(all).toBe(read(getAll.select()));
  });
});

describe('a page', () => {
  it('that somebody is subscribed to keeps its list, when those of the list have left', async () => {
    const { store, open, read } = setupPosts();
    const leave = await open(Posts.getList.subscribe());
    const leavePage = await open(Posts.getList.getPage.subscribe({ page: 2 }));

    leave();
    await pass(2 * minute);

    const { status, data } = read(Posts.getList.getPage.selectRequest({ page: 2 }));
    expect([status, data?.map(({ id }) => id)]).toEqual(['fulfilled', [1, 3, 4]]);

    leavePage();
    await pass(2 * minute);

    expect(read(Posts.getList.getPage.select({ page: 2 }))).toBeUndefined();
    expect(
      store
        .getState()
        .resources.tables['Post']?.pks.flat()
        .filter((pk) => pk !== ''),
    ).toEqual([]);
  });
});

describe('an answer whose deserializer throws', () => {
  it('takes nothing from others: they subscribe, and what they leave is collected', async () => {
    const { store, resources, open, kept } = setupPosts();
    const at = (): never => {
      throw new RangeError('no date');
    };
    const Broken = new RestEndpoint({ path: '/broken', schema: { at, authors: [Author] } });
    store.dispatch(resources.setResponse(Broken, {}, { at: 'never', authors: [ada] }));

    const leave = await open(Posts.get.subscribe({ id: 2 }));
    leave();
    await pass(2 * minute);

    expect(kept()).toMatchObject({ Author: 1 });
  });
});

describe('what is prefetched', () => {
  it('is fetched where it is missing or stale, and goes in time if nobody comes for it', async () => {
    const { store, kept } = setupPosts();
    await Promise.all([store.dispatch(Posts.get.prefetch({ id: 1 })), store.dispatch(Posts.get.prefetch({ id: 1 }))]);
    const again = await store.dispatch(Posts.get.prefetch({ id: 1 }));

    await pass(minute - 1);
    expect(kept()).toEqual({ Post: 1, Author: 1, requests: 1 });
    await pass(1);
    expect(kept()).toEqual({ requests: 0 });
    expect(again.meta.condition).toBe(true);
    expect(network.calls.filter((call) => call === 'GET /posts/1').length).toBe(1);
  });

  it('stays as long as somebody who came for it', async () => {
    const { store, open, kept } = setupPosts();
    await store.dispatch(Posts.get.prefetch({ id: 1 }));
    const close = await open(Posts.get.subscribe({ id: 1 }));

    await pass(10 * minute);
    void store.dispatch(Posts.get.prefetch({ id: 1 }));
    await pass(10 * minute);
    expect(kept()).toEqual({ Post: 1, Author: 1, requests: 1 });
    close();
    await pass(minute);
    expect(kept()).toEqual({ requests: 0 });
  });

  it('stays where it was asked for in another way', async () => {
    const { store, kept } = setupPosts();
    await store.dispatch(Posts.get({ id: 1 }));
    await pass(10 * minute);

    await store.dispatch(Posts.get.prefetch({ id: 1 }));
    await pass(10 * minute);

    expect(kept()).toEqual({ Post: 1, Author: 1, requests: 1 });
    expect(network.calls.filter((call) => call === 'GET /posts/1').length).toBe(2);
  });

  it('is counted anew by who prefetches it once more', async () => {
    const { store, kept } = setupPosts({ unusedDataExpiryLength: 5 * minute });
    await store.dispatch(Posts.get.prefetch({ id: 1 }));
    await pass(4 * minute);
    await store.dispatch(Posts.get.prefetch({ id: 1 }));

    await pass(4 * minute);
    expect(kept()).toEqual({ Post: 1, Author: 1, requests: 1 });
    await pass(minute);
    expect(kept()).toEqual({ requests: 0 });
  });

  it('leaves nothing behind where it fails', async () => {
    const { store, kept } = setupPosts();
    network.answer('GET /posts/9', { status: 404 });
    await store.dispatch(Posts.get.prefetch({ id: 9 }));

    await pass(minute);

    expect(kept()).toEqual({ requests: 0 });
  });
});
