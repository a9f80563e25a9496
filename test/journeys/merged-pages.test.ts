import { Collection, createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { expectIdle, setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Post extends Entity {
  id: number | string = 0;
  title = '';
  static override key = 'Post';
}

const server = await serverOfFile();

const search: { tag?: string; before?: number } = {};
const at = { urlPrefix: server.url, searchParams: search } as const;
const posts = new Collection([Post], { argsKey: ({ before: _, ...rest }: typeof search = {}) => rest });
const Posts = createResource({ ...at, path: '/posts/:id', schema: Post }).extend({ getList: { schema: posts } });
const getFeed = new RestEndpoint({
  ...at,
  path: '/feed',
  schema: posts.addWith((existing, incoming) => [...incoming, ...existing]),
  name: 'Post/feed',
});
const getOther = new RestEndpoint({ ...at, path: '/other', schema: { text: '' } });
const post = (id: number) => ({ id, title: `post ${id}` });

/** A store in which a request is under way beside all else. */
async function setupBusy() {
  const tools = setup();
  const other = tools.store.dispatch(getOther());
  await server.holding('GET /other');
  const ids = (params = {}) => tools.read(getFeed.select(params))?.map(({ id }) => id);
  const end = async () => {
    await server.release('GET /other', { json: { text: '' } });
    await other;
  };
  return { ...tools, ids, end };
}

describe('a page that a merge of its own puts to its list', () => {
  it('makes the list that it is the first of, whatever else is in flight', async () => {
    const { store, ids, end, read, slice } = await setupBusy();

    const promise = store.dispatch(getFeed());
    await server.release('GET /feed', { json: [post(1), post(2)] });
    const value = await promise.unwrap();

    expect(value.map(({ id }) => id)).toEqual([1, 2]);
    expect(ids()).toEqual([1, 2]);
    expect(read(getFeed.selectRequest())).toMatchObject({ status: 'fulfilled', data: value });
    await end();
    expect(ids()).toEqual([1, 2]);
    expectIdle(slice());
  });

  it('is put to the first, where both are in flight', async () => {
    const { store, ids, end } = await setupBusy();
    const pages = [store.dispatch(getFeed()), store.dispatch(getFeed({ before: 3 }))];

    await server.release('GET /feed', { json: [post(3), post(4)] });
    await pages[0];
    await server.release('GET /feed?before=3', { json: [post(1), post(2)] });
    await pages[1];
    await end();

    expect(ids()).toEqual([1, 2, 3, 4]);
  });

  it('is there beside what was created while it was in flight', async () => {
    const { store, ids, end } = await setupBusy();
    const feed = store.dispatch(getFeed());
    await server.holding('GET /feed');
    server.answer('POST /posts', { json: post(9) });
    await store.dispatch(Posts.getList.push({ title: 'post 9' }));

    await server.release('GET /feed', { json: [post(1)] });
    await feed;
    await end();

    expect(ids()).toEqual([1, 9]);
  });

  it('is there without what was deleted while it was in flight', async () => {
    const { store, ids, end } = await setupBusy();
    server.answer('POST /posts', { json: post(9) });
    server.answer(/^DELETE/, { status: 204 });
    const feed = store.dispatch(getFeed());
    await server.holding('GET /feed');
    await store.dispatch(Posts.getList.push({ title: 'post 9' }));
    await store.dispatch(Posts.delete({ id: 9 }));
    await store.dispatch(Posts.delete({ id: 1 }));

    await server.release('GET /feed', { json: [post(1), post(2), post(9)] });
    await feed;
    await end();

    expect(ids()).toEqual([2]);
  });

  it('keeps its items beside an older answer with the whole list', async () => {
    expectWarning(/read the same lists/);
    const { store, ids, end } = await setupBusy();
    const list = store.dispatch(Posts.getList());
    await server.holding('GET /posts');
    server.answer('GET /feed', { json: [post(1), post(2)] });
    await store.dispatch(getFeed());

    await server.release('GET /posts', { json: [post(2), post(3)] });
    await list;
    await end();

    expect(ids()).toEqual([2, 3, 1]);
  });

  it('and is written by hand makes its list as well', async () => {
    const { store, resources, ids, end } = await setupBusy();

    store.dispatch(resources.setResponse(getFeed, [post(1)]));

    expect(ids()).toEqual([1]);
    await end();
  });

  it('leaves what is created, and merged, to the list that is on its way', async () => {
    const { store, read } = setup();
    const add = Posts.getList.push.extend({ name: 'Post/add', schema: getFeed.schema });
    const list = store.dispatch(Posts.getList());
    await server.holding('GET /posts');
    server.answer('POST /posts', { json: post(9) });

    await store.dispatch(add({ title: 'post 9' })).unwrap();
    const before = read(Posts.getList.select());
    await server.release('GET /posts', { json: [post(1)] });
    await list;

    expect(before).toBeUndefined();
    expect(read(Posts.getList.select())?.map(({ id }) => id)).toEqual([1, 9]);
  });
});

describe('a page of a set of values', () => {
  const scores = new Collection(new schema.Values(Post), { name: 'scores' });
  const getScores = new RestEndpoint({ ...at, path: '/scores', schema: scores.addWith(), name: 'Post/scores' });

  it.each([
    ['some values', { ada: post(1), bob: post(2) }],
    ['none', {}],
  ])('makes the set that it is the first of, whatever else is in flight: %s', async (_, values) => {
    const { store, read, end, slice } = await setupBusy();

    const promise = store.dispatch(getScores());
    await server.release('GET /scores', { json: values });
    const value = await promise.unwrap();

    expect(value).toEqual(values);
    expect(read(getScores.select())).toBe(value);
    await end();
    expect(read(getScores.select())).toBe(value);
    expectIdle(slice());
  });
});

describe('an item that is created into the lists that a filter lets through', () => {
  const add = Posts.getList.push.extend({
    name: 'Post/addAnywhere',
    optimistic: true,
    schema: posts.addWith(undefined, ({ tag }) => tag === undefined),
  });
  const titles = (list: readonly Post[] | undefined) => list?.map(({ title }) => title);

  it('stays where a poll that was sent before comes late', async () => {
    const { store, resources, read, slice } = setup();
    store.dispatch(resources.setResponse(Posts.getList, {}, [post(1)]));
    const poll = store.dispatch(Posts.getList());
    await server.holding('GET /posts');
    server.answer('POST /posts', { json: post(9) });
    await store.dispatch(add({ title: 'post 9' })).unwrap();

    await server.release('GET /posts', { json: [post(1), post(2)] });
    await poll;

    expect(titles(read(Posts.getList.select()))).toEqual(['post 1', 'post 2', 'post 9']);
    expectIdle(slice());
  });

  it('leaves a list that is on its way to its own answer, and joins that', async () => {
    const { store, read, watch } = setup();
    const shown = watch((state) => titles(Posts.getList.select()(state))?.join());
    const list = store.dispatch(Posts.getList());
    await server.holding('GET /posts');
    server.answer('POST /posts', { json: post(9) });
    await store.dispatch(add({ title: 'post 9' })).unwrap();

    await server.release('GET /posts', { json: [post(1)] });
    await list;

    expect(shown).toEqual([undefined, 'post 1,post 9']);
    expect(titles(read(Posts.getList.select()))).toEqual(['post 1', 'post 9']);
  });
});
