import { createResource, Entity } from 'rtk-resource';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup, typesOf } from '../support/store.js';

class Post extends Entity {
  id = 0;
  topic = '';
  static override key = 'Post';
}

const server = await serverOfFile();
afterEach(() => {
  vi.useRealTimers();
});

const options = {
  urlPrefix: server.url,
  path: '/posts/:id',
  schema: Post,
  searchParams: {} as { readonly topic?: string } | undefined,
  paginationField: 'page',
} as const;
const { getList, update } = createResource(options);
const pollFrequency = 1_000;

const post = (id: number, topic = '') => ({ id, topic });
const ids = (list: readonly Post[] | undefined): readonly number[] => list?.map(({ id }) => id) ?? [];

/** Two items a page, three pages and an empty one. */
function serve(pages: readonly (readonly number[])[], topic = ''): void {
  server.answer(/GET \/posts/, ({ query }) => {
    const page = Number(new URLSearchParams(query).get('page') ?? 1);

    return { json: (pages[page - 1] ?? []).map((id) => post(id, topic)) };
  });
}

async function setupWithPages() {
  const tools = setup();
  serve([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
  await tools.store.dispatch(getList()).unwrap();
  await tools.store.dispatch(getList.getPage({ page: 2 })).unwrap();
  await tools.store.dispatch(getList.getPage({ page: 3 })).unwrap();
  serve(
    [
      [1, 3],
      [4, 5],
      [7, 8],
    ],
    'new',
  );
  tools.actions.length = 0;

  return { ...tools, list: () => ids(tools.read(getList.select())), lists: tools.watch(getList.select()) };
}

/** The queries that the server got since a moment. */
const queriesSince = (start: number): readonly string[] =>
  server.received
    .slice(start)
    .map(({ query }) => query)
    .sort();
const everyPage = ['', 'page=2', 'page=3'];

describe('a list of several pages', () => {
  it('is fetched again with all of them, and lands in one action', async () => {
    const { store, resources, list, lists, actions } = await setupWithPages();
    const { unsubscribe } = store.dispatch(getList.subscribe());
    const start = server.received.length;

    store.dispatch(resources.expireAll(getList));
    await vi.waitFor(() => {
      expect(list()).toEqual([1, 3, 4, 5, 7, 8]);
    });
    unsubscribe();

    expect(queriesSince(start)).toEqual(everyPage);
    expect(typesOf(actions)).toEqual(['resources/expire', 'Post/getList/pending', 'Post/getList/fulfilled']);
    expect(lists.map(ids)).toEqual([
      [1, 2, 3, 4, 5, 6],
      [1, 3, 4, 5, 7, 8],
    ]);
  });

  it('is polled with all of them', async () => {
    const { store, list, lists } = await setupWithPages();
    const polled = getList.extend({ pollFrequency });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { unsubscribe } = store.dispatch(polled.subscribe());
    const start = server.received.length;

    vi.advanceTimersByTime(pollFrequency);
    vi.useRealTimers();
    await vi.waitFor(() => {
      expect(list()).toEqual([1, 3, 4, 5, 7, 8]);
    });
    unsubscribe();

    expect(queriesSince(start)).toEqual(everyPage);
    expect(lists).toHaveLength(2);
  });

  it('is fetched again with all of them when a write invalidates it', async () => {
    const { store, list, lists } = await setupWithPages();
    const publish = update.extend({ name: 'Post/publish', invalidates: () => [getList] });
    server.answer('PUT /posts/1', { json: post(1, 'new') });
    const { unsubscribe } = store.dispatch(getList.subscribe());

    await store.dispatch(publish({ id: 1 }, { topic: 'new' })).unwrap();
    await vi.waitFor(() => {
      expect(list()).toEqual([1, 3, 4, 5, 7, 8]);
    });
    unsubscribe();

    expect(lists.every((value) => value?.length === 6)).toBe(true);
  });

  it('comes back with all of them to a tab that has grown stale', async () => {
    let seen: (isVisible: boolean) => void = () => undefined;
    const { store, read } = setup({
      dataExpiryLength: 0,
      setupListeners: ({ visible }) => {
        seen = visible;

        return () => undefined;
      },
    });
    serve([[1], [2], [3]]);
    const { unsubscribe } = store.dispatch(getList.subscribe());
    await vi.waitFor(() => {
      expect(ids(read(getList.select()))).toEqual([1]);
    });
    await store.dispatch(getList.getNextPage()).unwrap();
    serve([[1], [4], [5]]);

    seen(false);
    seen(true);
    await vi.waitFor(() => {
      expect(ids(read(getList.select()))).toEqual([1, 4]);
    });
    unsubscribe();
  });

  it('stays as it was when one of them fails', async () => {
    const { store, resources, read, list } = await setupWithPages();
    const before = list();
    server.answer('GET /posts?page=2', { status: 500 });
    const { unsubscribe } = store.dispatch(getList.subscribe());

    store.dispatch(resources.expireAll(getList));
    await vi.waitFor(() => {
      expect(read(getList.selectRequest())).toMatchObject({ isError: true, error: { status: 500 } });
    });
    unsubscribe();

    expect(list()).toEqual(before);
    expect(read(getList.selectRequest())).toMatchObject({ hasNextPage: true });
  });

  it('begins anew with one when it is asked for by hand', async () => {
    const { store, list } = await setupWithPages();
    const start = server.received.length;

    await store.dispatch(getList()).unwrap();
    const next = await store.dispatch(getList.getNextPage()).unwrap();

    expect(ids(next)).toEqual([1, 3, 4, 5]);
    expect(list()).toEqual([1, 3, 4, 5]);
    expect(queriesSince(start)).toEqual(['', 'page=2']);
  });

  it('keeps a page that is added while all are fetched again, until it is read behind what these have by now', async () => {
    const { store, resources, list, read } = await setupWithPages();
    server.forget();
    const { unsubscribe } = store.dispatch(getList.subscribe());

    const page = store.dispatch(getList.getPage({ page: 4 }));
    await server.holding('GET /posts?page=4');
    store.dispatch(resources.expireAll(getList));
    await server.release('GET /posts?page=4', { json: [post(9)] });
    await page.unwrap();
    await server.release('GET /posts?page=2', { json: [post(3)] });
    await server.release('GET /posts?page=3', { json: [post(5)] });
    await server.release('GET /posts', { json: [post(1)] });
    await vi.waitFor(() => {
      expect(list()).toEqual([1, 3, 5, 9]);
    });
    // The pages before it have other rows by now: it is read again behind them.
    await server.release('GET /posts?page=2', { json: [post(3)] });
    await server.release('GET /posts?page=3', { json: [post(5)] });
    await server.release('GET /posts?page=4', { json: [post(7)] });
    await server.release('GET /posts', { json: [post(1)] });
    await vi.waitFor(() => {
      expect(list()).toEqual([1, 3, 5, 7]);
    });
    expect(read(getList.selectRequest()).isStale).toBe(false);
    unsubscribe();
  });
});

describe('a list that was given by setResponse', () => {
  /** A list of three items, which is fetched again for somebody who is subscribed. */
  function setupGiven() {
    const tools = setup();
    const { store, resources, read } = tools;
    store.dispatch(resources.setResponse(getList, undefined, [post(1), post(2), post(3)]));
    const { unsubscribe } = store.dispatch(getList.subscribe());
    const refetch = async (json: readonly object[]): Promise<readonly number[]> => {
      store.dispatch(resources.expire(getList));
      await server.release('GET /posts', { json });
      await store.dispatch(getList.ifStale());

      return ids(read(getList.select()));
    };

    return { ...tools, refetch, unsubscribe };
  }

  it('is what the server says, once it is fetched again', async () => {
    const { refetch, unsubscribe } = setupGiven();

    const lists = [await refetch([post(1), post(3)]), await refetch([post(3)])];
    unsubscribe();

    expect(lists).toEqual([[1, 3], [3]]);
  });

  it('takes the place of the pages of one that was fetched', async () => {
    const { store, resources, refetch, unsubscribe } = setupGiven();
    await refetch([post(1), post(3)]);

    store.dispatch(resources.setResponse(getList, undefined, [post(9), post(1), post(2), post(3)]));
    const list = await refetch([post(1), post(3)]);
    unsubscribe();

    expect(list).toEqual([1, 3]);
  });
});

describe('what is remembered of pages', () => {
  it('is plain, and goes on in a store that is hydrated with it', async () => {
    const { slice } = await setupWithPages();
    const other = setup();
    const saved = JSON.parse(JSON.stringify(slice())) as ReturnType<typeof slice>;

    other.store.dispatch(other.resources.hydrate(saved));
    await other.store.dispatch(getList.getPage({ page: 1 })).unwrap();
    other.store.dispatch(other.resources.expireAll(getList));
    await other.store.dispatch(getList.ifStale()).unwrap();

    expect(ids(other.read(getList.select()))).toEqual([1, 3, 4, 5, 7, 8]);
  });

  it('is that of the list, also where its first page was asked for by number', async () => {
    const { store, resources, read } = setup();
    serve([[1], [2]]);
    await store.dispatch(getList({ page: 1 })).unwrap();
    await store.dispatch(getList.getNextPage()).unwrap();
    const { unsubscribe } = store.dispatch(getList.subscribe({ page: 1 }));
    serve([[3], [4]]);

    store.dispatch(resources.expireAll(getList));
    await vi.waitFor(() => {
      expect(ids(read(getList.select()))).toEqual([3, 4]);
    });
    unsubscribe();
  });

  it('are those of a cursor of the caller, too', async () => {
    const { store, resources, read } = setup();
    const Plain = createResource({ ...options, paginationField: undefined as never, name: 'Plain' });
    const getOlder = Plain.getList.paginated(({ page: _page, ...rest }: { page: number }) => rest);
    serve([[1], [2]]);
    await store.dispatch(Plain.getList()).unwrap();
    await store.dispatch(getOlder({ page: 2 })).unwrap();
    serve([[3], [4]]);
    const { unsubscribe } = store.dispatch(Plain.getList.subscribe());

    store.dispatch(resources.expireAll(Plain.getList));
    await vi.waitFor(() => {
      expect(ids(read(Plain.getList.select()))).toEqual([3, 4]);
    });
    unsubscribe();
  });
});
