import { createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Link extends Entity {
  id = 0;
  readonly type = 'link' as const;
  title = '';
  href = '';
  static override key = 'Link';
}
class Post extends Entity {
  id = 0;
  readonly type = 'post' as const;
  title = '';
  content = '';
  static override key = 'Post';
}

const server = await serverOfFile();

const feed = new schema.Union({ link: Link, post: Post }, 'type');
const options = { urlPrefix: server.url, path: '/feed/:id', schema: feed } as const;
const Feed = createResource({ ...options, name: 'Feed' });
const EagerFeed = createResource({ ...options, name: 'EagerFeed', optimistic: true });
const link = { id: 1, type: 'link', title: 'a link', href: 'https://example.com' };
const post = { id: 2, type: 'post', title: 'a post', content: 'text' };

/** A store that has read the list. */
async function setupFeed(Resource: typeof Feed = Feed) {
  const tools = setup();
  server.answer('GET /feed', { json: [link, post] });
  await tools.store.dispatch(Resource.getList()).unwrap();

  return {
    ...tools,
    list: () => tools.read(Resource.getList.select()) ?? [],
    titles: () => tools.read(Resource.getList.select())?.map(({ title }) => title),
    sent: () => server.received.map(({ method, path }) => `${method} ${path}`).slice(1),
  };
}

describe('a detail of a Union', () => {
  it('is the item of the list, of whichever member it is', async () => {
    const { read, list } = await setupFeed();

    const details = [1, 2].map((id) => read(Feed.get.select({ id })));

    expect(details).toEqual(list());
    expect(details[0]).toBe(list()[0]);
    expect(details[1]).toBeInstanceOf(Post);
  });

  it('is not fetched while the list is fresh', async () => {
    const { store, list, sent } = await setupFeed();
    const { id } = post;
    server.answer('GET /feed/2', { json: post });

    const subscription = store.dispatch(Feed.get.subscribe({ id }));
    const value = await store.dispatch(Feed.get.ifStale({ id })).unwrap();
    subscription.unsubscribe();

    expect(value).toBe(list()[1]);
    expect(sent()).toEqual([]);
  });

  it('that no list has brought is not there, and is fetched', async () => {
    const { store, read, sent } = await setupFeed();
    server.answer('GET /feed/3', { json: { ...post, id: 3 } });

    const before = read(Feed.get.select({ id: 3 }));
    const value = await store.dispatch(Feed.get.ifStale({ id: 3 })).unwrap();

    expect([before, value.id]).toEqual([undefined, 3]);
    expect(sent()).toEqual(['GET /feed/3']);
  });

  it('is found by the member that the arguments name, and is not guessed where two members have it', () => {
    const { store, resources, read } = setup();
    store.dispatch(resources.set(Link, { id: 5, title: 'the link' }));
    store.dispatch(resources.set(Post, { id: 5, title: 'the post' }));
    const any = new schema.Query(feed, ({ title }) => title);
    const asked = [{ id: 5, type: 'post' }, { id: 5, type: 'link' }, { id: 5, type: 'video' }, { id: 5 }];

    const found = asked.map((args) => read(resources.select(any, args)));

    expect(found).toEqual(['the post', 'the link', undefined, undefined]);
  });
});

describe('an item of a Union that is deleted', () => {
  it('is the one that the parameters name', async () => {
    const { store, read, titles } = await setupFeed();
    server.answer('DELETE /feed/2', { status: 204 });

    const action = await store.dispatch(Feed.delete({ id: 2 }));

    expect(action.meta.requestStatus).toBe('fulfilled');
    expect(titles()).toEqual(['a link']);
    expect(read(Feed.get.select({ id: 2 }))).toBeUndefined();
  });

  it.each([{ text: '"OK"' }, { json: 1 }, { json: { ok: true } }])('is that one, answered with %j', async (reply) => {
    const { store, titles } = await setupFeed();
    server.answer('DELETE /feed/2', { ...reply, headers: { 'content-type': 'application/json' } });

    await store.dispatch(Feed.delete({ id: 2 })).unwrap();

    expect(titles()).toEqual(['a link']);
  });

  it('is gone at once where that is hoped for, and back where it fails', async () => {
    const { store, titles, list } = await setupFeed(EagerFeed);
    const before = list();

    const promise = store.dispatch(EagerFeed.delete({ id: 1 }));
    const pending = titles();
    await server.release('DELETE /feed/1', { status: 500 });
    await promise;

    expect(pending).toEqual(['a post']);
    expect(list()).toBe(before);
  });

  it('may be unknown', async () => {
    const { store, titles } = await setupFeed(EagerFeed);
    server.answer('DELETE /feed/9', { status: 204 });

    const action = await store.dispatch(EagerFeed.delete({ id: 9 }));

    expect(action.meta.requestStatus).toBe('fulfilled');
    expect(titles()).toEqual(['a link', 'a post']);
  });

  it('is none where two members have the pk and nothing tells which, and that is told', async () => {
    expectWarning(/more than one of its classes/);
    const { store, resources, titles } = await setupFeed();
    server.answer('DELETE /feed/2', { status: 204 });
    store.dispatch(resources.set(Link, { id: 2, title: 'of the same id' }));

    await store.dispatch(Feed.delete({ id: 2 })).unwrap();

    expect(titles()).toEqual(['a link', 'a post']);
  });

  it.each([
    ['204', { status: 204 }],
    ['{}', { json: {} }],
    ['{ ok: true }', { json: { ok: true } }],
    ['"OK"', { json: 'OK' }],
  ])('by an address that does not tell its pk, answered %s, is done: its list is stale', async (_, reply) => {
    const Slugs = createResource({ ...options, path: '/feed/:slug', name: 'Slugs' });
    const { store, read } = setup();
    server.answer('GET /feed', { json: [link, post] });
    await store.dispatch(Slugs.getList());
    server.answer('DELETE /feed/a-link', reply);

    await store.dispatch(Slugs.delete({ slug: 'a-link' })).unwrap();

    expect(read(Slugs.getList.selectRequest()).isStale).toBe(true);
  });
});

describe('an item of a Union that is edited', () => {
  it.each(['partialUpdate', 'update'] as const)('by %s shows the edit at once', async (member) => {
    const { store, read, list, titles } = await setupFeed(EagerFeed);
    const [, before] = list();

    const promise = store.dispatch(EagerFeed[member]({ id: 2 }, { title: 'edited' }));
    const pending = read(EagerFeed.get.select({ id: 2 }));
    const shown = titles();
    await server.release(/feed\/2/, { status: 500 });
    await promise;

    expect(pending).toEqual(Post.fromJS({ ...post, title: 'edited' } as Partial<Post>));
    expect(shown).toEqual(['a link', 'edited']);
    expect(list()[1]).toBe(before);
  });

  it.each([Feed, EagerFeed])('is what was sent where the answer is empty (%#)', async (Resource) => {
    const { store, titles } = await setupFeed(Resource);
    server.answer(/^PATCH/, { status: 204 });

    await store.dispatch(Resource.partialUpdate({ id: 2 }, { title: 'edited' })).unwrap();

    expect(titles()).toEqual(['a link', 'edited']);
  });

  it('is what the answer says, also where that does not name the member', async () => {
    const { store, titles } = await setupFeed(EagerFeed);
    server.answer(/^PATCH/, { json: { id: 1, title: 'by the server' } });

    const value = await store.dispatch(EagerFeed.partialUpdate({ id: 1 }, { title: 'edited' })).unwrap();

    expect(titles()).toEqual(['by the server', 'a post']);
    expect(value).toBeInstanceOf(Link);
  });

  it('and not known shows nothing, and says nothing', async () => {
    const { store, titles, slice } = await setupFeed(EagerFeed);

    const promise = store.dispatch(EagerFeed.partialUpdate({ id: 9 }, { title: 'edited' }));
    await server.release(/^PATCH/, { status: 204 });
    await promise;

    expect(titles()).toEqual(['a link', 'a post']);
    expect(Object.keys(slice().tables).sort()).toEqual(['Link', 'Post', '[EagerFeed: Link|Post]']);
  });

  it('and not known says nothing, where nobody knows what has become of a write without a body', async () => {
    const { store, titles } = await setupFeed();
    const vote = new RestEndpoint({
      urlPrefix: server.url,
      path: '/feed/:id/votes',
      schema: feed,
      method: 'POST',
      body: undefined,
      name: 'Feed/vote',
      getOptimisticResponse: () => undefined,
    });

    const promise = store.dispatch(vote({ id: 9 }));
    await server.release(/votes/, { status: 502 });
    await promise;

    expect(titles()).toEqual(['a link', 'a post']);
  });

  it('is of the class that has its row, where a function chooses, which is not asked about an edit', async () => {
    class Video extends Post {
      seconds = 0;
      static override key = 'Video';
    }
    const byFields = new schema.Union({ post: Post, video: Video }, (item: object) =>
      'seconds' in item ? 'video' : 'post',
    );
    const Clips = createResource({ ...options, name: 'Clips', schema: byFields, optimistic: true });
    const { store, resources, read } = setup();
    store.dispatch(resources.setResponse(Clips.getList, {}, [{ id: 3, seconds: 60 }]));

    const promise = store.dispatch(Clips.partialUpdate({ id: 3 }, { title: 'edited' }));
    const [pending] = read(Clips.getList.select()) ?? [];
    await server.release(/^PATCH/, { status: 204 });
    await promise;

    expect(pending).toMatchObject({ title: 'edited', seconds: 60 });
    expect(read(Clips.getList.select())?.[0]).toBeInstanceOf(Video);
  });
});

describe('all of a Union', () => {
  it('are the rows of all its members, from whichever answer', async () => {
    const { store, resources, read } = await setupFeed();
    const all = new schema.All(feed);
    const names = new schema.Query(all, (items) => items.map(({ title }) => title).join(', '));
    const before = read(resources.select(all));

    store.dispatch(resources.set(Link, { id: 9, title: 'another' }));

    expect(before).toEqual([Link.fromJS(link as Partial<Link>), Post.fromJS(post as Partial<Post>)]);
    expect(read(resources.select(names))).toBe('a link, another, a post');
    expect(read(resources.select(all))?.[0]).toBe(before?.[0]);
  });

  it('are each there once, of the class that it chooses, where members share a class or a table', () => {
    class Draft extends Post {
      isDraft = true;
    }
    const posts = new schema.Union({ post: Post, page: Post, draft: Draft }, 'type');
    const { store, resources, read } = setup();
    const List = createResource({ ...options, name: 'posts', schema: posts });
    const rows = ['post', 'page', 'draft'].map((type, id) => ({ id, type: type as 'post' }));
    store.dispatch(resources.setResponse(List.getList, {}, rows));

    const all = read(resources.select(new schema.All(posts)));

    expect(all?.map(({ id }) => id)).toEqual([0, 1, 2]);
    expect(all?.map((one) => one.constructor)).toEqual([Post, Post, Draft]);
  });
});

/** A resource of photos and videos, whose classes have tables of their own, or share one. */
function mediaIn(tables: readonly [photos: string, videos: string]) {
  class Photo extends Entity {
    id = 0;
    readonly kind = 'photo' as const;
    title = '';
    albumId = 0;
    votes = 0;
    static override key = tables[0];
  }
  class Video extends Entity {
    id = 0;
    readonly kind = 'video' as const;
    title = '';
    albumId = 0;
    votes = 0;
    static override key = tables[1];
  }
  const searchParams: { readonly albumId?: number } = {};
  const Media = createResource({
    urlPrefix: server.url,
    path: '/media/:id',
    name: 'Media',
    schema: new schema.Union({ photo: Photo, video: Video }, 'kind'),
    optimistic: true,
    searchParams,
  });
  return { Photo, Video, Media };
}

describe.each([
  { tables: ['Photo', 'Video'] as const, which: 'tables of their own' },
  { tables: ['Medium', 'Medium'] as const, which: 'one table' },
])('a write to an item of a Union whose classes have $which', ({ tables }) => {
  const { Photo, Video, Media } = mediaIn(tables);
  const photo = { id: 1, kind: 'photo', title: 'Ant', albumId: 1, votes: 4 };
  const video = { id: 2, kind: 'video', title: 'Bee', albumId: 1, votes: 0 };

  async function setupMedia() {
    const tools = setup();
    const { store, read } = tools;
    server.answer('GET /media?albumId=1', { json: [photo, video] });
    server.answer('GET /media?albumId=2', { json: [] });
    await store.dispatch(Media.getList({ albumId: 1 }));
    await store.dispatch(Media.getList({ albumId: 2 }));
    server.forget();
    const album = (albumId: number) => read(Media.getList.select({ albumId })) ?? [];
    return {
      ...tools,
      album,
      titles: () => album(1).map(({ title }) => title),
      isStale: () => read(Media.getList.selectRequest({ albumId: 1 })).isStale,
    };
  }

  it.each([{ id: 1 }, { id: 1, kind: 'photo' }, { votes: 5 }, { ok: true }])(
    'keeps what was sent where the answer is %o',
    async (json) => {
      const { store, titles, album } = await setupMedia();
      server.answer('PATCH /media/1', { json });

      await store.dispatch(Media.partialUpdate({ id: 1 }, { title: 'Wasp' }));

      expect(titles()).toEqual(['Wasp', 'Bee']);
      expect(album(1)[0]).toBeInstanceOf(Photo);
      expect(album(1)[0]).not.toHaveProperty('ok');
    },
  );

  it.each([{ id: 2 }, { id: 2, kind: 'video' }, { ok: true }])(
    'moves its item, and makes no item of the answer %o',
    async (json) => {
      const { store, album } = await setupMedia();
      server.answer('PATCH /media/2', { json });

      await store.dispatch(Media.getList.move({ id: 2 }, { albumId: 2 }));

      expect(album(1).map(({ id }) => id)).toEqual([1]);
      expect(album(2)).toEqual([expect.objectContaining({ ...video, albumId: 2 })]);
      expect(album(2)[0]).toBeInstanceOf(Video);
    },
  );

  it('makes an item of the class that was sent, though the answer does not say which', async () => {
    const { store, album } = await setupMedia();
    server.answer('POST /media', { json: { id: 3 } });

    await store.dispatch(Media.getList.push({ albumId: 1 }, { kind: 'video', title: 'Cat' }));

    expect(album(1)[2]).toBeInstanceOf(Video);
    expect(album(1)[2]).toMatchObject({ id: 3, title: 'Cat', albumId: 1 });
  });

  it('makes no item where nothing tells of which class it is: the list is stale', async () => {
    const { store, titles, isStale } = await setupMedia();
    server.answer('POST /media', { json: { id: 3 } });

    await store.dispatch(Media.getList.push({ albumId: 1 }, { title: 'Cat' }));

    expect(titles()).toEqual(['Ant', 'Bee']);
    expect(isStale()).toBe(true);
  });

  it('gives the recipe of an action its row', async () => {
    const { store, album } = await setupMedia();
    const { vote } = Media.extend('vote', {
      path: '/media/:id/vote',
      method: 'POST',
      body: undefined,
      optimistic: (draft: { votes: number }) => {
        draft.votes += 1;
      },
    });

    const voted = store.dispatch(vote({ id: 1 }));
    const shown = album(1)[0]?.votes;
    await server.release('POST /media/1/vote', { json: { ok: true } });
    await voted;

    expect([shown, album(1)[0]?.votes]).toEqual([5, 5]);
  });

  it('is sent again as the rule for conflicts says', async () => {
    const { store, titles } = await setupMedia();
    const get = Media.get.extend({ etag: true });
    const edit = Media.partialUpdate.extend({
      etag: true,
      onConflict: ({ theirs }: { theirs: object }) => ({ title: `Wasp, ${String(Reflect.get(theirs, 'title'))}` }),
    });
    server.answer('GET /media/1', { json: photo, headers: { etag: '"1"' } });
    await store.dispatch(get({ id: 1 }));

    const edited = store.dispatch(edit({ id: 1 }, { title: 'Wasp' }));
    await server.holding('PATCH /media/1');
    server.answer('GET /media/1', { json: { ...photo, title: 'Fly' }, headers: { etag: '"2"' } });
    await server.release('PATCH /media/1', { status: 412 });
    await server.release('PATCH /media/1', { json: { ...photo, title: 'Wasp, Fly' } });
    await edited;

    expect(titles()).toEqual(['Wasp, Fly', 'Bee']);
  });

  it('finds its row by another pk', async () => {
    const { store, titles, read } = await setupMedia();
    server.answer('PATCH /media/1', { json: { ...photo, id: 9, title: 'Wasp' } });

    await store.dispatch(Media.partialUpdate({ id: 1 }, { title: 'Wasp' }));

    expect(titles()).toEqual(['Wasp', 'Bee']);
    expect(read(Media.get.select({ id: 9 }))).toBeInstanceOf(Photo);
  });
});
