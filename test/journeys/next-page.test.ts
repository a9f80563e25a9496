import { Collection, createResource, Entity, isTemporary } from 'rtk-resource';
import { describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Post extends Entity {
  id = 0;
  topic = '';
  static override key = 'Post';
}

const server = await serverOfFile();

const options = {
  urlPrefix: server.url,
  path: '/posts/:id',
  schema: Post,
  searchParams: {} as { readonly topic?: string } | undefined,
} as const;
const Numbered = createResource({ ...options, paginationField: 'page' });
const { getList } = Numbered;
const Feed = createResource({ ...options, name: 'Feed' }).extend({
  getList: { schema: { items: new Collection([Post], { name: 'Feed' }), next: '', previous: '' } },
});
type Side = 'next' | 'previous';
const cursorOf = (answer: Readonly<Record<Side, string>>, side: Side) =>
  answer[side] ? { cursor: answer[side] } : undefined;
const getFeed = Feed.getList.paginated({
  next: (answer) => cursorOf(answer, 'next'),
  previous: (answer) => cursorOf(answer, 'previous'),
});

const post = (id: number) => ({ id, topic: '' });
const ids = (list: readonly Post[] | undefined): readonly number[] => list?.map(({ id }) => id) ?? [];

function serveNumbers(...pages: readonly (readonly number[])[]): void {
  server.answer(/GET \/posts/, ({ query }) => {
    const page = Number(new URLSearchParams(query).get('page') ?? 1);

    return { json: (pages[page - 1] ?? []).map(post) };
  });
}

/** A page from an id on; its cursors are the ids where the next and the one before begin. */
function serveCursors(first: number, last: number): void {
  server.answer(/GET \/posts/, ({ query }) => {
    const from = Number(new URLSearchParams(query).get('cursor') ?? 1);
    const items = [from, from + 1].filter((id) => id <= last).map(post);
    const [next, previous] = [from + 2 <= last ? String(from + 2) : '', from > first ? String(from - 2) : ''];

    return { json: { items, next, previous } };
  });
}

describe('getNextPage', () => {
  it('reads page after page, until one brings nothing new', async () => {
    const { store, read } = setup();
    serveNumbers([1, 2], [3, 4]);
    await store.dispatch(getList({ topic: 'news' })).unwrap();
    const state = () => read(getList.selectRequest({ topic: 'news' }));
    expect(state()).toMatchObject({ hasNextPage: true, hasPreviousPage: false, isFetchingNextPage: false });

    const promise = store.dispatch(getList.getNextPage({ topic: 'news' }));
    expect(state()).toMatchObject({ isFetching: false, isFetchingNextPage: true });
    const whole = await promise.unwrap();
    expect(ids(whole)).toEqual([1, 2, 3, 4]);
    expect(state().data).toBe(whole);
    expect(state()).toMatchObject({ hasNextPage: true, isFetchingNextPage: false });

    await store.dispatch(getList.getNextPage({ topic: 'news' })).unwrap();
    expect(state()).toMatchObject({ hasNextPage: false });
    const count = server.received.length;
    const action = await store.dispatch(getList.getNextPage({ topic: 'news' }));
    expect(action.meta.condition).toBe(true);
    expect(ids(await store.dispatch(getList.getNextPage({ topic: 'news' })).unwrap())).toEqual([1, 2, 3, 4]);
    expect(server.received).toHaveLength(count);
    expect(server.received.map(({ query }) => query)).toEqual(['topic=news', 'page=2&topic=news', 'page=3&topic=news']);
  });

  it.each(['page', 'offset'])('after rows have gone, makes a list by %s stale: rows have moved up', async (by) => {
    const { store, read } = setup();
    const Counted = createResource({ ...options, name: 'Counted' }).extend({
      getList: { schema: { items: new Collection([Post], { name: 'Counted' }), next: 0 } },
    });
    const byOffset = Counted.getList.paginated({ next: ({ next }) => (next ? { offset: next } : undefined) });
    const gone: number[] = [];
    server.answer(/GET \/posts/, ({ query }) => {
      const asked = new URLSearchParams(query);
      const from = Number(asked.get('offset') ?? (Number(asked.get('page') ?? 1) - 1) * 2);
      const items = [1, 2, 3, 4, 5, 6]
        .filter((id) => !gone.includes(id))
        .slice(from, from + 2)
        .map(post);

      return { json: by === 'page' ? items : { items, next: from + 2 } };
    });
    server.answer(/DELETE \/posts/, ({ path }) => {
      gone.push(Number(path.slice('/posts/'.length)));

      return { status: 204 };
    });
    const shown = () =>
      by === 'page'
        ? { ids: ids(read(getList.select())), isStale: read(getList.selectRequest()).isStale }
        : { ids: ids(read(byOffset.select())?.items), isStale: read(byOffset.selectRequest()).isStale };
    const dispatch = async (request: 'read' | 'next' | 'refresh') => {
      const list = by === 'page' ? getList : byOffset;
      await store.dispatch(request === 'next' ? list.getNextPage() : request === 'read' ? list() : list.ifStale());
    };
    await dispatch('read');
    await dispatch('next');
    const untouched = shown();
    await store.dispatch(Numbered.delete({ id: 1 }));
    const deleted = shown();

    await dispatch('next');
    const shifted = shown();
    await dispatch('refresh');

    expect(untouched).toEqual({ ids: [1, 2, 3, 4], isStale: false });
    expect(deleted).toEqual({ ids: [2, 3, 4], isStale: false });
    expect(shifted).toEqual({ ids: [2, 3, 4, 6], isStale: true });
    expect(shown()).toEqual({ ids: [2, 3, 4, 5, 6], isStale: false });
  });

  it('asked for twice is sent once', async () => {
    const { store, read } = setup();
    serveNumbers([1], [2], [3]);
    await store.dispatch(getList()).unwrap();

    await Promise.all([store.dispatch(getList.getNextPage()), store.dispatch(getList.getNextPage())]);

    expect(ids(read(getList.select()))).toEqual([1, 2]);
  });

  it('goes on behind a page that was asked for by its number, and before the first', async () => {
    const { store, read } = setup();
    serveNumbers([1], [2], [3], [4]);
    await store.dispatch(getList({ page: 2 })).unwrap();

    await store.dispatch(getList.getPage({ page: 3 })).unwrap();
    await store.dispatch(getList.getNextPage()).unwrap();
    await store.dispatch(getList.getPreviousPage()).unwrap();

    expect(ids(read(getList.select({ page: 2 })))).toEqual([1, 2, 3, 4]);
    expect(read(getList.selectRequest({ page: 2 }))).toMatchObject({ hasPreviousPage: false, hasNextPage: true });
  });

  it('goes on behind page 1, where the list is asked for by that', async () => {
    const { store, read } = setup();
    const first = { page: 1, topic: 'news' };
    serveNumbers([1], [2], [3]);
    await store.dispatch(getList(first)).unwrap();

    await store.dispatch(getList.getNextPage(first)).unwrap();
    await store.dispatch(getList.getNextPage(first)).unwrap();

    expect(server.received.map(({ query }) => query)).toEqual(
      [1, 2, 3].map((page) => `page=${String(page)}&topic=news`),
    );
    expect(ids(read(getList.select(first)))).toEqual([1, 2, 3]);
  });

  it('that fails tells so in the state of the list, which stays as it was', async () => {
    const { store, read } = setup();
    serveNumbers([1], [2]);
    await store.dispatch(getList()).unwrap();
    server.answer('GET /posts?page=2', { status: 500 });

    await store.dispatch(getList.getNextPage());
    const failed = read(getList.selectRequest());
    serveNumbers([1], [2]);
    await store.dispatch(getList.getNextPage()).unwrap();

    expect(failed).toMatchObject({ isError: false, hasNextPage: true, nextPageError: { status: 500 } });
    expect(read(getList.selectRequest()).nextPageError).toBe(undefined);
    expect(ids(read(getList.select()))).toEqual([1, 2]);
  });

  it('leaves no hole in a list that begins anew meanwhile', async () => {
    const { store, read } = setup();
    serveNumbers([1], [2], [3]);
    await store.dispatch(getList()).unwrap();
    await store.dispatch(getList.getNextPage()).unwrap();
    server.forget();

    const page = store.dispatch(getList.getNextPage());
    await server.holding('GET /posts?page=3');
    const again = store.dispatch(getList());
    await server.release(/GET \/posts $/, { json: [post(1)] });
    await again.unwrap();
    await server.release('GET /posts?page=3', { json: [post(3)] });
    await page.unwrap();

    expect(ids(read(getList.select()))).toEqual([1]);
    expect(read(getList.selectRequest()).hasNextPage).toBe(true);
  });

  it('stands behind the pages that are read again meanwhile', async () => {
    const { store, resources, read } = setup();
    serveNumbers([1], [2]);
    await store.dispatch(getList()).unwrap();
    await store.dispatch(getList.getNextPage()).unwrap();
    server.forget();
    const page = store.dispatch(getList.getNextPage());
    await server.holding('GET /posts?page=3');

    serveNumbers([1], [2]);
    store.dispatch(resources.expire(getList));
    await store.dispatch(getList.ifStale()).unwrap();
    await server.release('GET /posts?page=3', { json: [] });
    await page.unwrap();
    serveNumbers([1], [2], [3]);
    store.dispatch(resources.expire(getList));
    await store.dispatch(getList.ifStale()).unwrap();

    expect(ids(read(getList.select()))).toEqual([1, 2, 3]);
  });

  it('stands behind the page with which the list begins anew while all pages are read again', async () => {
    const { store, resources, read } = setup();
    serveNumbers([1], [2]);
    await store.dispatch(getList({ page: 2 })).unwrap();
    server.forget();
    const again = store.dispatch(getList());
    await server.holding(/GET \/posts $/);
    store.dispatch(resources.expire(getList));
    const all = store.dispatch(getList.ifStale());
    await server.holding('GET /posts?page=2');

    await server.release(/GET \/posts $/, { json: [post(1)] });
    await again.unwrap();
    await server.release('GET /posts?page=2', { json: [post(2)] });
    await all.unwrap();

    expect(ids(read(getList.select()))).toEqual([1, 2]);
  });

  it('leaves a page in front with which the list begins anew, though it stood behind when all were read again', async () => {
    const { store, resources, read } = setup();
    serveNumbers([1], [2]);
    await store.dispatch(getList({ page: 2 })).unwrap();
    await store.dispatch(getList.getPage({ page: 1 })).unwrap();
    server.forget();
    const again = store.dispatch(getList());
    await server.holding(/GET \/posts $/);
    store.dispatch(resources.expire(getList));
    const all = store.dispatch(getList.ifStale());
    await server.holding('GET /posts?page=1');

    await server.release(/GET \/posts $/, { json: [post(1)] });
    await again.unwrap();
    await server.release('GET /posts?page=2', { json: [post(2)] });
    await server.release('GET /posts?page=1', { json: [post(1)] });
    await all.unwrap();

    expect(ids(read(getList.select()))).toEqual([1, 2]);
  });

  it('stands behind the page before it, though the first is asked for alone and comes late', async () => {
    const { store, read } = setup();
    serveNumbers([1], [2], [3]);
    await store.dispatch(getList()).unwrap();
    await store.dispatch(getList.getNextPage()).unwrap();
    server.forget();
    const again = store.dispatch(getList());
    await server.holding(/GET \/posts $/);

    const page = store.dispatch(getList.getNextPage());
    await server.release('GET /posts?page=3', { json: [post(3)] });
    await page.unwrap();
    await server.release(/GET \/posts $/, { json: [post(1)] });
    await again.unwrap();

    expect(ids(read(getList.select()))).toEqual([1, 2, 3]);
  });

  it('stays before the next, though the list is asked for between them, and its beginning comes last', async () => {
    const { store, read } = setup();
    const second = store.dispatch(getList.getPage({ page: 2 }));
    const first = store.dispatch(getList());
    const third = store.dispatch(getList.getPage({ page: 3 }));
    await server.holding(/GET \/posts $/);

    await server.release('GET /posts?page=3', { json: [post(3)] });
    await third.unwrap();
    await server.release('GET /posts?page=2', { json: [post(2)] });
    await second.unwrap();
    await server.release(/GET \/posts $/, { json: [post(1)] });
    await first.unwrap();

    expect(ids(read(getList.select()))).toEqual([1, 2, 3]);
  });

  it('stays where a list begins anew that was asked for before it, though it was asked for as the list before that', async () => {
    const { store, read } = setup();
    const elsewhere = getList.getPage.extend({ urlPrefix: `${server.url}/elsewhere` });
    const list = store.dispatch(getList({ page: 2 }));
    const again = store.dispatch(getList());
    const page = store.dispatch(elsewhere({ page: 2 }));
    await server.holding(/GET \/posts $/);

    await server.release(/elsewhere/, { json: [post(2)] });
    await page.unwrap();
    await server.release('GET /posts?page=2', { json: [post(2)] });
    await list.unwrap();
    await server.release(/GET \/posts $/, { json: [post(1)] });
    await again.unwrap();

    expect(ids(read(getList.select()))).toEqual([1, 2]);
  });

  it('is read again once, though it was asked for as the list and by its number', async () => {
    const { store, resources } = setup();
    const elsewhere = getList.getPage.extend({ urlPrefix: `${server.url}/elsewhere` });
    const first = store.dispatch(getList({ page: 1 }));
    await server.holding('GET /posts?page=1');
    const page = store.dispatch(elsewhere({ page: 1 }));
    await server.release(/elsewhere/, { json: [post(1)] });
    await page.unwrap();
    await server.release('GET /posts?page=1', { json: [post(1)] });
    await first.unwrap();
    server.forget();

    serveNumbers([1]);
    store.dispatch(resources.expireAll(getList));
    await store.dispatch(getList.ifStale({ page: 1 })).unwrap();

    expect(server.received).toHaveLength(1);
  });
});

describe('a list by cursor', () => {
  it('is read both ways, as far as its answers tell', async () => {
    const { store, read } = setup();
    serveCursors(-1, 4);
    await store.dispatch(getFeed()).unwrap();

    await store.dispatch(getFeed.getNextPage()).unwrap();
    const whole = await store.dispatch(getFeed.getPreviousPage()).unwrap();

    expect(ids(whole.items)).toEqual([-1, 0, 1, 2, 3, 4]);
    expect(read(getFeed.selectRequest())).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
  });

  it('that nobody had asked for as such stays whole where it begins anew while all its pages are read again', async () => {
    const { store, resources, read } = setup();
    serveCursors(-1, 2);
    await store.dispatch(getFeed.getNextPage()).unwrap();
    await store.dispatch(getFeed.getPreviousPage()).unwrap();
    server.forget();
    const anew = store.dispatch(getFeed());
    await server.holding(/GET \/posts $/);
    store.dispatch(resources.expire(getFeed));
    const all = store.dispatch(getFeed.ifStale());

    const first = { json: { items: [post(1), post(2)], next: '', previous: '-1' } };
    await server.release(/GET \/posts $/, first);
    await anew.unwrap();
    await server.release(/GET \/posts $/, first);
    await server.release('GET /posts?cursor=-1', { json: { items: [post(-1), post(0)], next: '1', previous: '' } });
    await all.unwrap();

    expect(ids(read(getFeed.select())?.items)).toEqual([-1, 0, 1, 2]);
  });

  it('keeps its rows when it is fetched again, though the page before the first was empty', async () => {
    const { store, read, resources } = setup();
    const all = [post(1), post(2), post(3)];
    server.answer(/GET \/posts/, ({ query }) => {
      const asked = new URLSearchParams(query);
      const [before, after] = [Number(asked.get('before')), Number(asked.get('after'))];
      const items = before > 0 ? all.filter(({ id }) => id < before).slice(-2) : all.filter(({ id }) => id > after);
      return { json: { items: items.slice(0, 2), next: '', previous: '' } };
    });
    const getChat = Feed.getList.paginated({
      next: ({ items }) => (items.length > 0 ? { after: String(items.at(-1)?.id) } : undefined),
      previous: ({ items }) => (items.length > 0 ? { before: String(items[0]?.id) } : undefined),
    });
    const shown = () => ids(read(getChat.select())?.items);
    await store.dispatch(getChat()).unwrap();
    await store.dispatch(getChat.getPreviousPage()).unwrap();
    await store.dispatch(getChat.getNextPage()).unwrap();
    expect(shown()).toEqual([1, 2, 3]);

    const refetch = async () => {
      store.dispatch(resources.expire(getChat));
      await store.dispatch(getChat.ifStale());
    };

    await refetch();
    expect(shown()).toEqual([1, 2, 3]);
    all.unshift(post(0));
    await refetch();
    expect(shown()).toEqual([0, 1, 2, 3]);
  });

  it('is fetched again with the cursors of the new answers', async () => {
    const { store, read, resources } = setup();
    serveCursors(1, 6);
    await store.dispatch(getFeed()).unwrap();
    await store.dispatch(getFeed.getNextPage()).unwrap();
    server.forget();
    server.answer(/GET \/posts/, ({ query }) =>
      query === ''
        ? { json: { items: [post(1)], next: 'x', previous: '' } }
        : { json: { items: [post(9)], next: '', previous: '' } },
    );
    const { unsubscribe } = store.dispatch(getFeed.subscribe());

    store.dispatch(resources.expireAll(getFeed));
    await vi.waitFor(() => {
      expect(ids(read(getFeed.select())?.items)).toEqual([1, 9]);
    });
    unsubscribe();

    expect(server.received.map(({ query }) => query)).toEqual(['', 'cursor=x']);
    expect(read(getFeed.selectRequest())).toMatchObject({ hasNextPage: false, data: { next: '' } });
  });

  it('that leads elsewhere, once it is read again, leaves no hole before the page that was on its way', async () => {
    const { store, read, resources } = setup();
    serveCursors(1, 6);
    await store.dispatch(getFeed()).unwrap();
    server.forget();
    const next = store.dispatch(getFeed.getNextPage());
    await server.holding('GET /posts?cursor=3');
    store.dispatch(resources.expire(getFeed));
    const again = store.dispatch(getFeed.ifStale());
    // Somebody has put a post in front.
    await server.release(/GET \/posts $/, { json: { items: [post(0), post(1)], next: '2', previous: '' } });
    await again.unwrap();
    await server.release('GET /posts?cursor=3', { json: { items: [post(3), post(4)], next: '5', previous: '' } });
    await next.unwrap();
    expect(ids(read(getFeed.select())?.items)).toEqual([0, 1]);
    expect(read(getFeed.selectRequest())).toMatchObject({ hasNextPage: true, isFetchingNextPage: false });

    serveCursors(0, 6);
    await store.dispatch(getFeed.getNextPage()).unwrap();
    expect(ids(read(getFeed.select())?.items)).toEqual([0, 1, 2, 3]);
  });

  it.each([
    { rows: [2, 3], shown: [0, 1] },
    { rows: [1, 2], shown: [0, 1, 2] },
  ])('is read on with the page $rows, asked for by a cursor before that of [0, 1]: $shown', async ({ rows, shown }) => {
    const { store, read, resources } = setup();
    serveCursors(-1, 6);
    server.answer('GET /posts', { json: { items: [post(-1), post(0)], next: '1', previous: '' } });
    await store.dispatch(getFeed()).unwrap();
    server.forget();
    store.dispatch(resources.expire(getFeed));
    const again = store.dispatch(getFeed.ifStale());
    await server.holding(/GET \/posts $/);
    const next = store.dispatch(getFeed.getNextPage());
    await server.holding('GET /posts?cursor=1');
    await server.release(/GET \/posts $/, { json: { items: [post(0), post(1)], next: '2', previous: '' } });
    await again.unwrap();

    await server.release('GET /posts?cursor=1', { json: { items: rows.map(post), next: '9', previous: '' } });
    await next.unwrap();

    expect(ids(read(getFeed.select())?.items)).toEqual(shown);
    expect(read(getFeed.selectRequest())).toMatchObject({ hasNextPage: true });
  });

  it('has no more pages than it may: those at the other end go, and can be fetched again', async () => {
    const { store, read } = setup();
    const getWindow = Feed.getList.paginated({ next: (answer) => cursorOf(answer, 'next'), maxPages: 2 });
    serveCursors(1, 8);
    const shown = () => ids(read(getWindow.select())?.items);
    await store.dispatch(getWindow()).unwrap();
    await store.dispatch(getWindow.getNextPage()).unwrap();

    await store.dispatch(getWindow.getNextPage()).unwrap();
    expect(shown()).toEqual([3, 4, 5, 6]);
    expect(read(getWindow.selectRequest())).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    await store.dispatch(getWindow.getPreviousPage()).unwrap();
    expect(shown()).toEqual([1, 2, 3, 4]);
    expect(read(getWindow.selectRequest())).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    await store.dispatch(getWindow.getNextPage()).unwrap();
    expect(shown()).toEqual([3, 4, 5, 6]);
  });

  it('reads the page that has gone at its end again, also where answers backwards do not say that there is a next', async () => {
    const { store, read } = setup();
    const getWindow = Feed.getList.paginated({
      next: (answer) => cursorOf(answer, 'next'),
      previous: (answer) => cursorOf(answer, 'previous'),
      maxPages: 2,
    });
    server.answer(/GET \/posts/, ({ query }) => {
      const last = Number(new URLSearchParams(query).get('cursor') ?? 6);
      return { json: { items: [last - 1, last].map(post), next: '', previous: last > 2 ? String(last - 2) : '' } };
    });
    await store.dispatch(getWindow()).unwrap();
    for (let i = 0; i < 2; i++) await store.dispatch(getWindow.getPreviousPage()).unwrap();
    expect(ids(read(getWindow.select())?.items)).toEqual([1, 2, 3, 4]);

    await store.dispatch(getWindow.getNextPage()).unwrap();

    expect(ids(read(getWindow.select())?.items)).toEqual([3, 4, 5, 6]);
  });
});

describe('a chat, which begins with its newest messages and grows backwards', () => {
  /** The newest two, or the two before an id; `newest` is the id of the last. */
  function begin(maxPages?: number) {
    const tools = setup();
    const newest = { id: 6 };
    server.answer(/GET \/posts/, ({ query }) => {
      const last = Math.min(newest.id, Number(new URLSearchParams(query).get('cursor') ?? Infinity));
      return { json: { items: [last - 1, last].map(post), next: '', previous: last > 2 ? String(last - 2) : '' } };
    });
    const getChat = Feed.getList.paginated({
      next: (answer) => cursorOf(answer, 'next'),
      previous: (answer) => cursorOf(answer, 'previous'),
      ...(maxPages !== undefined && { maxPages }),
    });
    const { store, resources, read } = tools;
    const refetch = async () => {
      store.dispatch(resources.expire(getChat));
      await store.dispatch(getChat.ifStale()).unwrap();
    };
    return { ...tools, newest, getChat, refetch, shown: () => ids(read(getChat.select())?.items) };
  }

  it('has no hole when it is fetched again: the pages before follow from the newest, which have moved on', async () => {
    const { store, newest, getChat, refetch, shown } = begin();
    await store.dispatch(getChat()).unwrap();
    await store.dispatch(getChat.getPreviousPage()).unwrap();
    expect(shown()).toEqual([3, 4, 5, 6]);

    newest.id = 9;
    await refetch();
    expect(shown()).toEqual([6, 7, 8, 9]);
    await store.dispatch(getChat.getPreviousPage()).unwrap();
    expect(shown()).toEqual([4, 5, 6, 7, 8, 9]);
  });

  it('is shorter when it is fetched again and its first page tells of none before', async () => {
    const { store, newest, getChat, refetch, shown } = begin();
    await store.dispatch(getChat()).unwrap();
    for (let i = 0; i < 2; i++) await store.dispatch(getChat.getPreviousPage()).unwrap();
    newest.id = 4;
    await refetch();

    expect(shown()).toEqual([1, 2, 3, 4]);
  });

  it('leads back to its newest messages, though their page was dropped, and the others were fetched again', async () => {
    const { store, read, getChat, refetch, shown } = begin(2);
    await store.dispatch(getChat()).unwrap();
    for (let i = 0; i < 2; i++) await store.dispatch(getChat.getPreviousPage()).unwrap();
    await refetch();
    expect([shown(), read(getChat.selectRequest()).hasNextPage]).toEqual([[1, 2, 3, 4], true]);

    await store.dispatch(getChat.getNextPage()).unwrap();
    expect(shown()).toEqual([3, 4, 5, 6]);
  });
});

describe('a feed that is cut, and to which others add in front', () => {
  /** The newest first: `after` goes down from an id, `before` up to the two above one. */
  function serveFeed(newest: { id: number }) {
    server.answer(/GET \/posts/, ({ query }) => {
      const asked = new URLSearchParams(query);
      const [after, before] = [Number(asked.get('after') ?? newest.id + 1), Number(asked.get('before'))];
      const from = before > 0 ? Math.min(before + 2, newest.id) : after - 1;
      const items = [from, from - 1].filter((id) => id > before && id > 0);

      return {
        json: {
          items: items.map(post),
          next: (items.at(-1) ?? 1) > 1 ? String(items.at(-1)) : '',
          previous: from < newest.id ? String(from) : '',
        },
      };
    });
  }
  const next = (answer: { readonly next: string }) => (answer.next ? { after: answer.next } : undefined);
  const previous = (answer: { readonly previous: string }) =>
    answer.previous ? { before: answer.previous } : undefined;

  /** A feed whose first of three pages was cut, when three posts have come since. */
  async function cut(getFeed: ReturnType<typeof Feed.getList.paginated>) {
    const { store, read } = setup();
    const newest = { id: 6 };
    serveFeed(newest);
    await store.dispatch(getFeed()).unwrap();
    for (let i = 0; i < 2; i++) await store.dispatch(getFeed.getNextPage()).unwrap();
    newest.id = 9;
    const shown = () => ids(read(getFeed.select())?.items);
    return { shown, store, state: () => read(getFeed.selectRequest()) };
  }

  it('has no hole: the page before is that of which its first page tells, and likewise the next', async () => {
    const getWindow = Feed.getList.paginated({ next, previous, maxPages: 2 });
    const { store, shown, state } = await cut(getWindow);
    expect(shown()).toEqual([4, 3, 2, 1]);

    await store.dispatch(getWindow.getPreviousPage()).unwrap();
    expect([shown(), state().hasPreviousPage]).toEqual([[6, 5, 4, 3], true]);
    for (let i = 0; i < 2; i++) await store.dispatch(getWindow.getPreviousPage()).unwrap();
    expect([shown(), state().hasPreviousPage]).toEqual([[9, 8, 7], false]);

    await store.dispatch(getWindow.getNextPage()).unwrap();
    expect([shown(), state().isStale]).toEqual([[8, 7, 6, 5], false]);
  });

  it('without `previous` is stale when the page that was cut has become another', async () => {
    const getWindow = Feed.getList.paginated({ next, maxPages: 2 });
    const { store, state } = await cut(getWindow);

    await store.dispatch(getWindow.getPreviousPage()).unwrap();

    expect(state().isStale).toBe(true);
  });
});

describe('an item that is created while a list has more pages', () => {
  const create = getList.push;

  async function setupWithFirstPage() {
    const tools = setup();
    serveNumbers([1, 2], [3, 4], [5, 9]);
    server.answer('POST /posts', { json: post(9) });
    await tools.store.dispatch(getList()).unwrap();

    return { ...tools, list: () => ids(tools.read(getList.select())) };
  }

  it('stays behind the pages that come, until one of them brings it', async () => {
    const { store, list } = await setupWithFirstPage();
    await store.dispatch(create({ topic: '' })).unwrap();
    expect(list()).toEqual([1, 2, 9]);

    await store.dispatch(getList.getPage({ page: 2 })).unwrap();
    expect(list()).toEqual([1, 2, 3, 4, 9]);
    serveNumbers([1, 2], [3, 4], [9, 5]);
    await store.dispatch(getList.getNextPage()).unwrap();

    expect(list()).toEqual([1, 2, 3, 4, 9, 5]);
  });

  it('at the start stays there, until a page brings it', async () => {
    const { store, list } = await setupWithFirstPage();
    await store.dispatch(getList.unshift({ topic: '' })).unwrap();

    await store.dispatch(getList.getNextPage()).unwrap();
    expect(list()).toEqual([9, 1, 2, 3, 4]);
    await store.dispatch(getList.getNextPage()).unwrap();

    expect(list()).toEqual([1, 2, 3, 4, 5, 9]);
  });

  it('at the start stays before pages that come there', async () => {
    const { store, read } = setup();
    serveNumbers([1], [2]);
    server.answer('POST /posts', { json: post(9) });
    await store.dispatch(getList({ page: 2 })).unwrap();
    await store.dispatch(getList.unshift({ topic: '' })).unwrap();

    await store.dispatch(getList.getPreviousPage()).unwrap();

    expect(ids(read(getList.select()))).toEqual([9, 1, 2]);
  });

  it('while a page is under way is behind it as well', async () => {
    const { store, list } = await setupWithFirstPage();
    server.forget();

    const created = store.dispatch(create({ topic: '' }));
    await server.holding('POST /posts');
    const page = store.dispatch(getList.getNextPage());
    await server.holding('GET /posts?page=2');
    await server.release('POST /posts', { json: post(9) });
    await created.unwrap();
    await server.release('GET /posts?page=2', { json: [post(3)] });
    await page.unwrap();

    expect(list()).toEqual([1, 2, 3, 9]);
  });

  it('moves a page on: what comes twice is shown once', async () => {
    const { store, list } = await setupWithFirstPage();
    await store.dispatch(getList.unshift({ topic: '' })).unwrap();
    serveNumbers([9, 1], [2, 3], [4]);

    await store.dispatch(getList.getNextPage()).unwrap();

    expect(list()).toEqual([9, 1, 2, 3]);
  });
});

describe('an item that is created at the start of a list of pages, from which rows leave', () => {
  const Eager = createResource({ ...options, name: 'Eager', paginationField: 'page', optimistic: true });
  const { getList: getEager } = Eager;
  const topic = { topic: '' };

  /** A store with the first of three pages. */
  async function setupPages() {
    const tools = setup();
    const { store, read } = tools;
    serveNumbers([1, 2], [3, 4], [5]);
    server.answer('POST /posts', { json: post(9) });
    server.answer(/DELETE/, { status: 204 });
    await store.dispatch(getEager()).unwrap();
    const steps = {
      create: () => store.dispatch(getEager.unshift({}, topic)),
      drop: (id: number) => store.dispatch(Eager.delete({ id })),
      next: () => store.dispatch(getEager.getNextPage()),
    };
    return { ...tools, ...steps, list: () => ids(read(getEager.select())).map((id) => (isTemporary(id) ? 0 : id)) };
  }

  it('stays there where a row of the first page leaves, before or after', async () => {
    const { create, drop, next, list } = await setupPages();
    await drop(1);
    await create();
    expect(list()).toEqual([9, 2]);
    await next();
    expect(list()).toEqual([9, 2, 3, 4]);
    await drop(3);
    await next();

    expect(list()).toEqual([9, 2, 4, 5]);
  });

  it.each(['before', 'after'] as const)(
    'stays there where all rows of the first page leave %s, and the second is there',
    async (when) => {
      const { create, drop, next, list } = await setupPages();
      await next();
      if (when === 'after') await create();
      await drop(1);
      await drop(2);
      if (when === 'before') await create();
      expect(list()).toEqual([9, 3, 4]);
      await next();

      expect(list()).toEqual([9, 3, 4, 5]);
    },
  );

  it('stays there while it is pending, and when its answer comes', async () => {
    const { store, drop, list } = await setupPages();
    server.forget();
    server.answer(/DELETE/, { status: 204 });
    const creating = store.dispatch(getEager.unshift({}, { topic: 'mine' }));
    await server.holding('POST /posts');
    const paging = store.dispatch(getEager.getNextPage());
    await server.holding('GET /posts?page=2');
    await drop(1);
    await server.release('GET /posts?page=2', { json: [post(3), post(4)] });
    await paging;
    expect(list()).toEqual([0, 2, 3, 4]);
    await server.release('POST /posts', { json: { id: 9, topic: 'mine' } });
    await creating;

    expect(list()).toEqual([9, 2, 3, 4]);
  });

  it('stays there where a page without rows is read again, and brings what was put at the end meanwhile', async () => {
    const { store, read, resources } = setup();
    server.forget();
    const page = store.dispatch(getEager.getPage({ page: 3 }));
    await server.release('GET /posts?page=3', { json: [] });
    await page;
    const last = store.dispatch(getEager.push({}, { topic: 'last' }));
    await server.holding(/^POST .*last/);
    store.dispatch(resources.expire(getEager));
    const again = store.dispatch(getEager.ifStale());
    await server.holding('GET /posts?page=3');
    const first = store.dispatch(getEager.unshift({}, { topic: 'first' }));
    await server.release(/^POST .*first/, { json: { id: 8, topic: 'first' } });
    await first;
    await server.release(/^POST .*last/, { json: { id: 9, topic: 'last' } });
    await last;
    await server.release('GET /posts?page=3', { json: [{ id: 9, topic: 'last' }] });
    await again;

    expect(ids(read(getEager.select()))).toEqual([8, 9]);
  });
});

describe('a page that joins a list while all its pages are read again', () => {
  const { getList: getPaged } = createResource({ ...options, name: 'Paged', paginationField: 'page' });

  it('has no row any more that these have told later', async () => {
    const { store, read, resources } = setup();
    server.forget();
    const second = store.dispatch(getPaged({ page: 2 }));
    await server.release('GET /posts?page=2', { json: [post(3), post(4)] });
    await second;
    const first = store.dispatch(getPaged.getPreviousPage());
    await server.holding('GET /posts?page=1');
    store.dispatch(resources.expire(getPaged));
    const again = store.dispatch(getPaged.ifStale());
    await server.holding('GET /posts?page=2');
    await server.release('GET /posts?page=1', { json: [post(1), post(2)] });
    await first;
    expect(ids(read(getPaged.select()))).toEqual([1, 2, 3, 4]);
    await server.release('GET /posts?page=2', { json: [post(8), post(2), post(3)] });
    await again;

    expect(ids(read(getPaged.select()))).toEqual([1, 8, 2, 3]);
  });
});
