import { Collection, createResource, Entity, schema } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup, typesOf } from '../support/store.js';

class Post extends Entity {
  id = 0;
  topic = '';
  static override key = 'Post';
}

const server = await serverOfFile();

interface Search {
  readonly topic?: string;
}
interface Cursor extends Search {
  readonly before: string;
  readonly beforeId: number;
}
const search: Search = {};
const options = { urlPrefix: server.url, path: '/posts/:id', schema: Post, searchParams: search } as const;
/** A place in the list that takes two parameters to say. */
const PostResource = createResource(options).extend((base) => ({
  getOlder: base.getList.paginated(({ before: _before, beforeId: _id, ...rest }: Cursor) => rest),
}));
const { getList, getOlder } = PostResource;

const ids = (list: readonly Post[] | undefined): readonly number[] | undefined => list?.map(({ id }) => id);
const news = { topic: 'news' };
const older = { topic: 'news', before: '2024-02-29', beforeId: 2 };

async function setupWithPosts() {
  const tools = setup();
  server.answer('GET /posts?topic=news', {
    json: [
      { id: 1, topic: 'news' },
      { id: 2, topic: 'news' },
    ],
  });
  server.answer('GET /posts?topic=art', { json: [{ id: 9, topic: 'art' }] });
  await tools.store.dispatch(getList(news)).unwrap();
  await tools.store.dispatch(getList({ topic: 'art' })).unwrap();

  return { ...tools, list: (topic = 'news') => tools.read(getList.select({ topic })) };
}

describe('a page that is asked for by more than a field', () => {
  it('is added to the list of the other arguments', async () => {
    const { store, list } = await setupWithPosts();
    const [art, first] = [list('art'), list()?.[0]];

    const promise = store.dispatch(getOlder(older));
    const request = await server.release(/GET/, {
      json: [
        { id: 2, topic: 'news' },
        { id: 3, topic: 'news' },
      ],
    });
    const whole = await promise.unwrap();

    expect(request.query).toBe('before=2024-02-29&beforeId=2&topic=news');
    expect(ids(whole)).toEqual([1, 2, 3]);
    expect(list()).toBe(whole);
    expect(list()?.[0]).toBe(first);
    expect(list('art')).toBe(art);
  });

  it('makes the list where there is none', async () => {
    const { store, read } = setup();
    server.answer(/GET/, { json: [{ id: 3, topic: 'news' }] });

    const whole = await store.dispatch(getOlder(older)).unwrap();

    expect(ids(whole)).toEqual([3]);
    expect(read(getList.select(news))).toBe(whole);
  });

  it('of a list without other arguments is added to it', async () => {
    const { store, read } = setup();
    server.answer('GET /posts', { json: [{ id: 1 }] });
    server.answer('GET /posts?before=x&beforeId=1', { json: [{ id: 2 }] });
    await store.dispatch(getList()).unwrap();

    await store.dispatch(getOlder({ before: 'x', beforeId: 1 })).unwrap();

    expect(ids(read(getList.select()))).toEqual([1, 2]);
  });

  it('is lost to nobody when its list is fetched meanwhile', async () => {
    const { store, list } = await setupWithPosts();

    const page = store.dispatch(getOlder(older));
    const again = store.dispatch(getList(news));
    await again.unwrap();
    await server.release(/before/, { json: [{ id: 3, topic: 'news' }] });
    await page.unwrap();

    expect(ids(list())).toEqual([1, 2, 3]);
  });

  it('that fails sets its own error alone', async () => {
    const { store, list, read } = await setupWithPosts();
    const before = list();
    server.answer(/before/, { status: 500 });

    await store.dispatch(getOlder(older));

    expect(list()).toBe(before);
    expect(read(getOlder.selectRequest(older))).toMatchObject({ isError: true, error: { status: 500 } });
    expect(read(getList.selectRequest(news))).toMatchObject({ isError: false, isSuccess: true });
  });

  it('belongs to a list that push goes on adding to', async () => {
    const { store, list } = await setupWithPosts();
    server.answer(/before/, { json: [{ id: 3, topic: 'news' }] });
    await store.dispatch(getOlder(older)).unwrap();
    server.answer('POST /posts', { json: { id: 4, topic: 'news' } });

    await store.dispatch(getList.push({ topic: 'news' })).unwrap();

    expect(ids(list())).toEqual([1, 2, 3, 4]);
  });
});

describe('paginated', () => {
  it('names its endpoint after the list, unless told otherwise', async () => {
    const { store, actions } = setup();
    const getNewer = getList.paginated(({ after: _after, ...rest }: Search & { after: string }) => rest);
    const named = getNewer.extend({ name: 'Post/getNewer' });
    server.answer(/GET/, { json: [{ id: 5, topic: 'news' }] });

    await store.dispatch(named({ topic: 'news', after: 'x' })).unwrap();

    expect(getNewer.name).toBe('Post/getList/paginated');
    expect(typesOf(actions)).toEqual(['Post/getNewer/pending', 'Post/getNewer/fulfilled']);
    expect(ids(getList.select(news)(store.getState()))).toEqual([5]);
  });

  it('stands beside getPage, which adds to the same list', async () => {
    const { store, read } = setup();
    const Paged = createResource({ ...options, paginationField: 'page', name: 'Paged' });
    const jump = Paged.getList.paginated(({ from: _from, ...rest }: Search & { from: number }) => rest);
    server.answer('GET /posts?topic=news', { json: [{ id: 1 }] });
    server.answer('GET /posts?page=2&topic=news', { json: [{ id: 2 }] });
    server.answer('GET /posts?from=90&topic=news', { json: [{ id: 90 }] });

    await store.dispatch(Paged.getList(news)).unwrap();
    await store.dispatch(Paged.getList.getPage({ ...news, page: 2 })).unwrap();
    await store.dispatch(jump({ ...news, from: 90 })).unwrap();

    expect(ids(read(Paged.getList.select(news)))).toEqual([1, 2, 90]);
  });

  it('finds the list in a response of its own shape, and updates what stands beside', async () => {
    const { store, read } = setup();
    const Feed = createResource({ ...options, name: 'Feed' }).extend({
      getList: { schema: { results: new Collection([Post]), next: '' } },
    });
    const getNext = Feed.getList.paginated(({ at: _at, ...rest }: Search & { at: string }) => rest);
    server.answer('GET /posts?topic=news', { json: { results: [{ id: 1 }], next: 'b' } });
    server.answer('GET /posts?at=b&topic=news', { json: { results: [{ id: 2 }], next: '' } });

    await store.dispatch(Feed.getList(news)).unwrap();
    const whole = await store.dispatch(getNext({ ...news, at: 'b' })).unwrap();

    expect(ids(whole.results)).toEqual([1, 2]);
    expect(whole.next).toBe('');
    expect(read(Feed.getList.select(news))).toEqual(whole);
    expect(read(Feed.getList.select(news))?.results).toBe(whole.results);
  });

  it('respects how a Collection of the user knows its lists', async () => {
    class ByTopic extends Collection {
      override argsKey(params: { readonly topic?: string } = {}): object {
        return { about: params.topic?.toLowerCase() };
      }
    }
    const { store, read } = setup();
    const Loose = createResource({ ...options, Collection: ByTopic, name: 'Loose' });
    const getNext = Loose.getList.paginated(({ at: _at, ...rest }: Search & { at: string }) => rest);
    server.answer('GET /posts?topic=news', { json: [{ id: 1 }] });
    server.answer('GET /posts?at=b&topic=NEWS', { json: [{ id: 2 }] });

    await store.dispatch(Loose.getList(news)).unwrap();
    await store.dispatch(getNext({ topic: 'NEWS', at: 'b' })).unwrap();

    expect(ids(read(Loose.getList.select(news)))).toEqual([1, 2]);
  });

  it('adds to lists of different kinds of things, and gives the very list', async () => {
    class Ad extends Entity {
      id = 0;
      type = 'ad';
      static override key = 'Ad';
    }
    const mixed = new schema.Union({ ad: Ad, post: Post }, 'type');
    const { store, read } = setup();
    const Mixed = createResource({ urlPrefix: server.url, path: '/mixed/:id', schema: mixed, searchParams: search });
    const getNext = Mixed.getList.paginated(({ at: _at, ...rest }: Search & { at: string }) => rest);
    server.answer('GET /mixed', { json: [{ type: 'ad', id: 1 }] });
    server.answer('GET /mixed?at=b', {
      json: [
        { type: 'post', id: 1 },
        { type: 'ad', id: 1 },
      ],
    });

    await store.dispatch(Mixed.getList()).unwrap();
    const whole = await store.dispatch(getNext({ at: 'b' })).unwrap();

    expect(whole.map((item) => item.constructor)).toEqual([Ad, Post]);
    expect(read(Mixed.getList.select())).toBe(whole);
  });
});

describe('a page before the first', () => {
  it('is asked for once, and makes nobody ask for the list again', async () => {
    const Feed = createResource({ ...options, name: 'Feed' }).getList.extend({
      schema: { items: new Collection([Post], { name: 'Feed' }), newer: '', older: '' },
      name: 'Feed/pages',
    });
    const asked = (cursor: string): object | undefined => (cursor === '' ? undefined : { cursor });
    const getFeed = Feed.paginated({ next: (page) => asked(page.older), previous: (page) => asked(page.newer) });
    const { store, read } = setup();
    server.answer('GET /posts?topic=news', { json: { items: [{ id: 3 }], newer: 'b3', older: '' } });
    server.answer(/cursor=b3/, { json: { items: [{ id: 2 }], newer: '', older: 'a2' } });
    await store.dispatch(getFeed(news)).unwrap();
    const subscription = store.dispatch(getFeed.subscribe(news));

    await store.dispatch(getFeed.getPreviousPage(news)).unwrap();
    await new Promise((resolve) => setImmediate(resolve));

    expect(ids(read(getFeed.select(news))?.items)).toEqual([2, 3]);
    expect(read(getFeed.selectRequest(news))).toMatchObject({ isStale: false, isFetching: false });
    expect(server.received.map(({ query }) => query)).toEqual(['topic=news', 'cursor=b3']);
    subscription.unsubscribe();
  });
});

it('a list with pages that a plain read of the same list has cut is fetched again', async () => {
  const schema = { items: new Collection([Post], { name: 'Cut' }), next: '' };
  const { getList: getPlain, getPaged } = createResource({ ...options, name: 'Cut' })
    .extend({ getList: { schema } })
    .extend((base) => ({
      getPaged: base.getList.paginated({ next: ({ next }, args) => (next ? { ...args, cursor: next } : undefined) }),
    }));
  const { store, read } = setup();
  server.answer('GET /posts?topic=news', { json: { items: [{ id: 1 }], next: 'b' } });
  server.answer(/cursor=b/, { json: { items: [{ id: 2 }], next: '' } });
  await store.dispatch(getPaged(news));
  await store.dispatch(getPaged.getNextPage(news));
  const subscription = store.dispatch(getPaged.subscribe(news));

  await store.dispatch(getPlain(news));
  await store.dispatch(getPaged.ifStale(news));

  expect(ids(read(getPaged.select(news))?.items)).toEqual([1, 2]);
  const [first, second] = ['topic=news', 'cursor=b&topic=news'];
  expect(server.received.map(({ query }) => query)).toEqual([first, second, first, first, second]);
  subscription.unsubscribe();
});
