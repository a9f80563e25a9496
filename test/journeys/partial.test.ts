import { Collection, createResource, Entity, RestEndpoint, schema, type Row } from 'rtk-resource';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeNetwork, pass, type Network } from '../support/network.js';
import { serverOfFile, type Reply } from '../support/server.js';
import { setup } from '../support/store.js';

/** One class for lists and details. */
class Article extends Entity {
  id = 0;
  title = '';
  content = '';
  static override key = 'Article';
}

/** What lists show of a report; the whole has more. */
class ReportSummary extends Entity {
  id = 0;
  title = '';
  static override key: string = 'Report';
}
class Report extends ReportSummary {
  content = '';
}

/** What lists show of a page; the whole says itself what it needs. */
class PageSummary extends Entity {
  id = 0;
  title = '';
  static override key: string = 'Page';
}
class Page extends PageSummary {
  declare content: string;
  static override validate(row: Row): string | undefined {
    return 'content' in row ? undefined : 'it has no content';
  }
}

const server = await serverOfFile();

const summary = { id: 1, title: 'One' };
const whole = { ...summary, content: 'All of it.' };
const at = { id: 1 };

/** The detail is asked for at `/things/1`, whatever the class. */
const options = { urlPrefix: server.url, path: '/things/:id', name: 'Thing' } as const;

class Issue extends Entity {
  id = 0;
  lead: Article | undefined = undefined;
  static override key = 'Issue';
  static override schema = { lead: Article };
}
class ReportIssue extends Issue {
  static override key = 'ReportIssue';
  static override schema = { lead: ReportSummary as never };
}
class PageIssue extends Issue {
  static override key = 'PageIssue';
  static override schema = { lead: PageSummary as never };
}

const resourceOf = (Whole: typeof Article, Summary: typeof ReportSummary, Of: typeof Issue) => ({
  Whole,
  Summary,
  Things: createResource({ ...options, schema: Whole }).extend({ getList: { schema: new Collection([Summary]) } }),
  getIssue: new RestEndpoint({ urlPrefix: server.url, path: '/issues/:id', schema: Of }),
});

// One type for all of them: what differs is what a row must have.
const styles = {
  'one class': resourceOf(Article, Article, Issue),
  'a summary and the whole': resourceOf(Report, ReportSummary, ReportIssue),
  validate: resourceOf(Page, PageSummary, PageIssue),
};
type Style = keyof typeof styles;

function setupStyle(style: Style, detail: Reply = { json: whole }) {
  const tools = setup();
  const { store, resources } = tools;
  const { Things, Summary, getIssue } = styles[style];
  server.answer('GET /things/1', detail);

  return {
    ...tools,
    Things,
    /** Brings the row by another way than its own request. */
    bring: {
      'a list': async (row: object) => {
        server.answer('GET /things', { json: [row] });
        await store.dispatch(Things.getList()).unwrap();
      },
      'another entity': async (row: object) => {
        server.answer('GET /issues/7', { json: { id: 7, lead: row } });
        await store.dispatch(getIssue({ id: 7 })).unwrap();
      },
      "push's answer": async (row: object) => {
        server.answer('POST /things', { json: row });
        await store.dispatch(Things.getList.push({ title: 'One' })).unwrap();
      },
      'resources.set': (row: object) => {
        store.dispatch(resources.set(Summary, row as typeof summary));
        return Promise.resolve();
      },
    },
    /** What somebody does who opens the detail and leaves it again. */
    visit: async () => {
      const { unsubscribe } = store.dispatch(Things.get.subscribe(at));
      const value = await store.dispatch(Things.get.ifStale(at)).unwrap();
      unsubscribe();

      return value;
    },
    fetches: () => server.received.filter(({ method, path }) => `${method} ${path}` === 'GET /things/1').length,
  };
}

const ways = ['a list', 'another entity', "push's answer", 'resources.set'] as const;
const cases = (Object.keys(styles) as Style[]).flatMap((style) => ways.map((way) => ({ style, way })));

describe.each(cases)('a detail that $way brought, declared by $style', ({ style, way }) => {
  it('is fetched once when it lacks something', async () => {
    const { bring, visit, fetches, Things, read } = setupStyle(style);
    await bring[way](summary);

    const value = await visit();
    await visit();

    expect(value).toMatchObject(whole);
    expect(fetches()).toBe(1);
    expect(read(Things.get.selectRequest(at))).toMatchObject({ status: 'fulfilled', isPartial: false });
  });

  it('is fetched once when the server leaves out the same for ever', async () => {
    const { bring, visit, fetches, Things, read } = setupStyle(style, { json: summary });
    await bring[way](summary);
    const isRefused = style === 'validate';

    await visit().catch((error: unknown) => {
      if (!isRefused) throw error;
    });
    if (!isRefused) await visit();

    expect(fetches()).toBe(1);
    expect(read(Things.get.selectRequest(at))).toMatchObject({
      status: isRefused ? 'rejected' : 'fulfilled',
      isPartial: false,
    });
  });

  it('is not fetched when it is whole', async () => {
    const { bring, visit, fetches, Things, read } = setupStyle(style);
    await bring[way](whole);

    expect(read(Things.get.selectRequest(at))).toMatchObject({ data: whole, isPartial: false });
    expect(await visit()).toMatchObject(whole);
    expect(fetches()).toBe(0);
  });
});

describe('a row that lacks something', () => {
  it.each(['one class', 'a summary and the whole'] as const)('is shown at once, as partial: %s', async (style) => {
    const { bring, Things, read, watch, visit } = setupStyle(style);
    await bring['a list'](summary);

    expect(read(Things.get.selectRequest(at))).toMatchObject({
      status: 'uninitialized',
      data: { title: 'One', content: '' },
      isLoading: false,
      isPartial: true,
    });
    const states = watch(Things.get.selectRequest(at));
    await visit();

    expect(states.map(({ status, isPartial, data }) => [status, isPartial, data?.content])).toEqual([
      ['uninitialized', true, ''],
      ['pending', true, ''],
      ['fulfilled', false, 'All of it.'],
    ]);
  });

  it('is missing for a class whose validate refuses it', async () => {
    const { bring, Things, resources, read } = setupStyle('validate');
    await bring['a list'](summary);

    expect(read(Things.getList.select())).toMatchObject([summary]);
    expect(read(Things.get.selectRequest(at))).toMatchObject({ status: 'uninitialized', isPartial: false });
    expect(read(Things.get.select(at))).toBeUndefined();
    expect(read(resources.selectEntity(Page, 1))).toBeUndefined();
    expect(read(resources.selectEntity(PageSummary, 1))).toMatchObject(summary);
    expect(read(resources.selectAll(Page))).toEqual([]);
    expect(read(resources.selectAll(PageSummary))).toHaveLength(1);
  });

  it('is complete when the rest of it came in pieces', async () => {
    const { bring, visit, fetches, store, resources, read, Things } = setupStyle('one class');
    await bring['a list'](summary);
    store.dispatch(resources.set(Article, { id: 1, content: 'From a socket.' }));

    expect(read(Things.get.selectRequest(at)).isPartial).toBe(false);
    await visit();
    expect(fetches()).toBe(0);
  });

  it('is asked for again after its own request has failed', async () => {
    const { bring, fetches, store, Things, read } = setupStyle('one class', { status: 500 });
    await bring['a list'](summary);
    await store.dispatch(Things.get.ifStale(at));

    expect(read(Things.get.selectRequest(at))).toMatchObject({ status: 'rejected', isPartial: true });
    server.answer('GET /things/1', { json: whole });
    await store.dispatch(Things.get(at));

    expect(read(Things.get.selectRequest(at))).toMatchObject({ status: 'fulfilled', isPartial: false });
    expect(fetches()).toBe(2);
  });

  it('is not asked for on behalf of lists, which have their own answer', async () => {
    const { bring, store, Things, read } = setupStyle('one class');
    await bring['a list'](summary);

    const { meta } = await store.dispatch(Things.getList.ifStale());

    expect(meta.condition).toBe(true);
    expect(read(Things.getList.selectRequest()).isPartial).toBe(false);
  });

  it('lacks nested and deserialized fields like any other, and none without a default', () => {
    class Event extends Entity {
      id = 0;
      at = new Date(0);
      host: Article | undefined = undefined;
      tags: readonly Article[] = [];
      label = () => `${this.id}`;
      static override key = 'Event';
      static override schema = { at: (iso: string) => new Date(iso), host: Article, tags: [Article] };
    }
    const Events = createResource({ urlPrefix: server.url, path: '/events/:id', schema: Event });
    const { store, resources, read } = setup();
    const isPartial = (row: object): boolean => {
      store.dispatch(resources.setResponse(Events.getList, undefined, [row]));
      return read(Events.get.selectRequest({ id: (row as { id: number }).id })).isPartial;
    };

    expect(isPartial({ id: 1 })).toBe(true);
    expect(isPartial({ id: 2, at: '2024-01-01' })).toBe(true);
    expect(isPartial({ id: 3, tags: [] })).toBe(true);
    expect(isPartial({ id: 4, at: null, tags: [] })).toBe(false);
  });

  it('is fetched as a member of a Union, and in a shape', async () => {
    class Post extends Article {
      type = 'post';
      static override key = 'Post';
    }
    const Feed = createResource({
      urlPrefix: server.url,
      path: '/feed/:id',
      schema: new schema.Union({ post: Post }, 'type'),
    });
    const getShape = new RestEndpoint({ urlPrefix: server.url, path: '/shaped/:id', schema: { data: Post } });
    const { store, read } = setup();
    server.answer('GET /feed', { json: [{ ...summary, type: 'post' }] });
    server.answer('GET /feed/1', { json: { ...whole, type: 'post' } });
    server.answer('GET /shaped/1', { json: { data: { ...summary, type: 'post' } } });
    await store.dispatch(Feed.getList());

    expect(read(Feed.get.selectRequest(at)).isPartial).toBe(true);
    expect(read(getShape.selectRequest(at)).isPartial).toBe(true);
    await store.dispatch(getShape.ifStale(at)).unwrap();
    expect(read(getShape.selectRequest(at)).isPartial).toBe(false);
    expect(read(Feed.get.selectRequest(at)).isPartial).toBe(true);
    expect(await store.dispatch(Feed.get.ifStale(at)).unwrap()).toMatchObject(whole);
    expect((await store.dispatch(getShape.ifStale(at))).meta.condition).toBe(true);
  });

  it('is no longer partial while an optimistic edit shows the rest, and fetched nevertheless', async () => {
    const { bring, store, Things, read, fetches } = setupStyle('one class');
    await bring['a list'](summary);
    const edit = Things.partialUpdate.extend({ optimistic: true });
    const patched = store.dispatch(edit(at, { content: 'Mine.' }));

    expect(read(Things.get.selectRequest(at))).toMatchObject({ data: { content: 'Mine.' }, isPartial: false });
    await store.dispatch(Things.get.ifStale(at));
    await server.release('PATCH /things/1', { json: { ...whole, content: 'Mine.' } });
    await patched;

    expect(fetches()).toBe(1);
    expect(read(Things.get.select(at))?.content).toBe('Mine.');
  });
});

describe('an item that is being created', () => {
  it('is a guess, and not partial', async () => {
    const { store, Things, read, watch } = setupStyle('one class');
    const create = Things.getList.push.extend({ optimistic: true });
    const list = watch(Things.getList.select());
    server.answer('GET /things', { json: [] });
    await store.dispatch(Things.getList());
    const created = store.dispatch(create({ title: 'One' }));
    const temporary = list.at(-1)?.[0];

    expect(temporary).toMatchObject({ title: 'One' });
    expect(read(Things.get.selectRequest({ id: temporary?.id ?? 0 }))).toMatchObject({
      data: { title: 'One' },
      isPartial: false,
      isOptimistic: true,
    });
    await server.release('POST /things', { json: whole });
    await created;
  });
});

describe('validate, asked on reading', () => {
  class Draft extends Entity {
    id = 0;
    name = '';
    static override key: string = 'Author';
  }
  class Author extends Draft {
    static override indexes = ['name'];
    static override validate(row: Row): string | undefined {
      // Throws for a row without tags.
      return (row['tags'] as string[]).length > 0 ? undefined : 'nothing to show';
    }
  }
  class Book extends Entity {
    id = 0;
    author: Author | undefined = undefined;
    static override key = 'Book';
    static override schema = { author: Author };
  }
  const Books = createResource({ urlPrefix: server.url, path: '/books/:id', schema: Book });
  const Authors = createResource({ urlPrefix: server.url, path: '/authors/:id', schema: Author });
  const good = { id: 1, name: 'Ada', tags: ['math'] };

  const setupBook = () => {
    const tools = setup();
    const { store, resources } = tools;
    store.dispatch(resources.setResponse(Books.get, at, { id: 1, author: good }));
    store.dispatch(resources.setResponse(Authors.getList, undefined, [good, { ...good, id: 2 }]));

    return {
      ...tools,
      draft: (fields: object) => {
        store.dispatch(resources.set(Draft, { id: 1, ...fields }));
      },
    };
  };

  it('leaves a row out of lists and fields while it is refused, and gives the same objects again', () => {
    const { draft, read } = setupBook();
    const before = { list: read(Authors.getList.select()), book: read(Books.get.select(at)) };
    expect(before.list).toHaveLength(2);

    draft({ tags: [] });
    expect(read(Authors.getList.select())?.map(({ id }) => id)).toEqual([2]);
    expect(read(Books.get.select(at))).toMatchObject({ id: 1, author: undefined });

    draft({ tags: ['math'] });
    expect(read(Authors.getList.select())).toEqual(before.list);
    expect(read(Books.get.select(at))).toEqual(before.book);
  });

  it('refuses what it cannot even look at', () => {
    const { store, resources, read } = setup();
    store.dispatch(resources.set(Draft, { id: 1, name: 'Ada' }));

    expect(read(Authors.get.select(at))).toBeUndefined();
    expect(read(resources.selectEntity(Author, 1))).toBeUndefined();
    expect(read(resources.selectEntity(Author, { name: 'Ada' }))).toBeUndefined();
    expect(read(resources.selectEntity(Draft, 1))).toMatchObject({ name: 'Ada' });
  });

  it('finds by an index the row that it lets through', () => {
    const { draft, resources, read } = setupBook();
    draft({ tags: [] });

    expect(read(resources.selectEntity(Author, { name: 'Ada' }))?.id).toBe(2);
  });

  it('has what it refuses now fetched, though its own answer was fresh', async () => {
    const { store, resources, draft, read } = setupBook();
    store.dispatch(resources.setResponse(Authors.get, at, good));
    server.answer('GET /authors/1', { json: good });
    draft({ tags: [] });
    expect(read(Authors.get.select(at))).toBeUndefined();

    const author = await store.dispatch(Authors.get.ifStale(at)).unwrap();

    expect(author).toMatchObject(good);
  });

  it('is not asked about the fields of an optimistic edit, but about the row that they make', async () => {
    const { store, resources, read } = setup();
    store.dispatch(resources.setResponse(Authors.get, at, good));
    const edit = Authors.partialUpdate.extend({ optimistic: true });

    const renamed = store.dispatch(edit(at, { name: 'Ada L.' }));
    expect(read(Authors.get.select(at))).toMatchObject({ name: 'Ada L.', tags: ['math'] });
    await server.release('PATCH /authors/1', { json: { ...good, name: 'Ada L.' } });

    expect((await renamed.unwrap()).name).toBe('Ada L.');
  });
});

describe('an optimistic write of what validate would refuse', () => {
  const Strict = styles.validate.Things.extend({ getList: { schema: new Collection([Page]) } });

  it('is sent, and shown when the answer makes it whole', async () => {
    const { store, watch } = setup();
    server.answer('GET /things', { json: [] });
    await store.dispatch(Strict.getList());
    const list = watch(Strict.getList.select());
    const create = Strict.getList.push.extend({ optimistic: true });

    const created = store.dispatch(create({ title: 'One' }));
    expect(list.at(-1)).toEqual([]);
    await server.release('POST /things', { json: whole });
    await created.unwrap();

    expect(list.at(-1)).toMatchObject([whole]);
  });

  it('shows an update of some fields over the others, also when the answer is empty', async () => {
    const { store, resources, read } = setup();
    store.dispatch(resources.setResponse(Strict.get, at, whole));
    const update = Strict.update.extend({ optimistic: true });

    const updated = store.dispatch(update(at, { title: 'Two' }));
    expect(read(Strict.get.select(at))).toMatchObject({ title: 'Two', content: whole.content });
    await server.release('PUT /things/1', { status: 204 });
    await updated.unwrap();

    expect(read(Strict.get.select(at))).toMatchObject({ title: 'Two', content: whole.content });
  });

  it('is done where the answer tells a part of what the store has of the rest, and refused where nobody has that', async () => {
    const { Things } = styles.validate;
    const { store, read } = setup();
    server.answer('GET /things/1', { json: whole });
    await store.dispatch(Things.get(at));
    server.answer('PATCH /things/1', { json: { id: 1, title: 'Uno' } });
    server.answer('PATCH /things/2', { json: { id: 2, title: 'Due' } });

    const known = await store.dispatch(Things.partialUpdate(at, { title: 'Uno' }));
    const unknown = await store.dispatch(Things.partialUpdate({ id: 2 }, { title: 'Due' }));

    expect([known.error, read(Things.get.select(at))]).toMatchObject([undefined, { ...whole, title: 'Uno' }]);
    expect(unknown.error?.message).toContain('it has no content');
  });
});

describe('how fresh a row is that others brought', () => {
  let network: Network;
  beforeEach(() => {
    vi.useFakeTimers();
    network = fakeNetwork();
    network.answer('GET /articles', { json: [whole] });
    network.answer('GET /articles/1', { json: whole });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const Articles = createResource({ path: '/articles/:id', schema: Article });

  async function setupList(lifetimes: { readonly dataExpiryLength?: number; readonly invalidIfStale?: boolean } = {}) {
    const tools = setup();
    await tools.store.dispatch(Articles.getList());
    const get = Articles.get.extend(lifetimes);

    return {
      ...tools,
      get,
      isFetched: async () => (await tools.store.dispatch(get.ifStale(at))).meta.condition !== true,
    };
  }

  it.each([
    [1_000, 999],
    [120_000, 119_999],
  ])('is for the reader to say: %i ms, from the answer that brought it', async (dataExpiryLength, later) => {
    const { isFetched } = await setupList({ dataExpiryLength });

    await pass(later);
    expect(await isFetched()).toBe(false);
    await pass(1);
    expect(await isFetched()).toBe(true);
  });

  it('is not at all for a dataExpiryLength of 0, which always asks', async () => {
    const { store, get } = await setupList({ dataExpiryLength: 0 });

    const { unsubscribe } = store.dispatch(get.subscribe(at));
    await pass();
    unsubscribe();

    expect(network.calls).toEqual(['GET /articles', 'GET /articles/1']);
  });

  it('is not at all where the answer was deemed stale, however long the reader would keep it', async () => {
    const { store, resources, isFetched } = await setupList({ dataExpiryLength: Infinity });
    expect(await isFetched()).toBe(false);

    store.dispatch(resources.expireAll(Articles.getList));

    expect(await isFetched()).toBe(true);
  });

  it('counts as missing when it is stale, with invalidIfStale', async () => {
    const { store, get, read } = await setupList({ dataExpiryLength: 1_000, invalidIfStale: true });
    await pass(999);
    expect(read(get.select(at))).toMatchObject(whole);

    await pass(1);
    expect(read(get.select(at))).toBeUndefined();
    expect(read(Articles.getList.select())).toHaveLength(1);

    await store.dispatch(Articles.getList());
    expect(read(get.select(at))).toMatchObject(whole);
  });

  it('is fetched for subscribers as soon as it is missing, and not while it comes anew', async () => {
    const { store, get } = await setupList({ dataExpiryLength: 1_000, invalidIfStale: true });
    const { unsubscribe } = store.dispatch(get.subscribe(at));
    await pass(600);
    await store.dispatch(Articles.getList());
    await pass(999);
    expect(network.calls).toEqual(['GET /articles', 'GET /articles']);

    await pass(1);
    unsubscribe();

    expect(network.calls).toEqual(['GET /articles', 'GET /articles', 'GET /articles/1']);
  });
});
