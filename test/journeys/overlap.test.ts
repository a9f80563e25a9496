import { Collection, createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  folder = '';
  static override key = 'Note';
}
class Reply extends Note {
  to: Note | undefined = undefined;
  static override key = 'Reply';
  static override schema = { to: Note };
}

const server = await serverOfFile();

const searchParams: { folder?: string } = {};
const options = { urlPrefix: server.url, path: '/notes/:id', schema: Note, searchParams } as const;
const Notes = createResource(options);
const Replies = createResource({ ...options, path: '/replies/:id', schema: Reply });
const Paged = createResource({ ...options, paginationField: 'page' });
/** Shows at once what it is expected to do. */
const Quick = createResource({ ...options, optimistic: true });
const Feed = createResource({ ...options, name: 'Feed' }).extend({
  getList: { schema: { items: new Collection([Note], { name: 'Feed' }), next: '', previous: '' } },
});
type Side = 'next' | 'previous';
const cursorOf = (answer: Readonly<Record<Side, string>>, side: Side) =>
  answer[side] ? { cursor: answer[side] } : undefined;
const getFeed = Feed.getList.paginated({
  next: (answer) => cursorOf(answer, 'next'),
  previous: (answer) => cursorOf(answer, 'previous'),
  maxPages: 2,
});

const note = (id: number, fields: object = {}): object => ({ id, text: `n${id}`, ...fields });
const ok = (json: unknown): { json: unknown } => ({ json });

/** A store that has fetched notes 1 and 2. */
async function setupNotes() {
  const tools = setup();
  const first = tools.store.dispatch(Notes.getList());
  await server.release('GET /notes', ok([note(1), note(2)]));
  await first.unwrap();

  return {
    ...tools,
    text: () => tools.read(Notes.get.select({ id: 1 }))?.text,
    ids: () => tools.read(Notes.getList.select())?.map(({ id }) => id),
  };
}

describe('a write that has lost a field to a write sent later', () => {
  it('has lost it for good, though a poll has confirmed the field since', async () => {
    const { store, text } = await setupNotes();
    const [first, last] = ['first', 'n1'].map((to) => store.dispatch(Notes.partialUpdate({ id: 1 }, { text: to })));
    await server.release(/"n1"/, ok(note(1)));
    await last;

    const poll = store.dispatch(Notes.getList());
    await server.release('GET /notes', ok([note(1), note(2)]));
    await poll;
    await server.release(/"first"/, ok(note(1, { text: 'first' })));
    await first;

    expect(text()).toBe('n1');
  });

  it('has lost it for good, though one that was sent before it has landed in between', async () => {
    const { store, text } = await setupNotes();
    const [first, second, last] = ['first', 'second', 'n1'].map((to) =>
      store.dispatch(Notes.partialUpdate({ id: 1 }, { text: to })),
    );
    await server.release(/"n1"/, ok(note(1)));
    await last;
    await server.release(/"first"/, ok(note(1, { text: 'first' })));
    await first;

    const poll = store.dispatch(Notes.getList());
    await server.release('GET /notes', ok([note(1), note(2)]));
    await poll;
    await server.release(/"second"/, ok(note(1, { text: 'second' })));
    await second;

    expect(text()).toBe('n1');
  });
});

describe('an optimistic edit', () => {
  it('confirms its field over what a poll has brought beneath it, where nobody could see that', async () => {
    const { store, text } = await setupNotes();
    const edit = store.dispatch(Quick.partialUpdate({ id: 1 }, { text: 'edited' }));
    const poll = store.dispatch(Notes.getList());
    await server.release('GET /notes', ok([note(1, { text: 'elsewhere' }), note(2)]));
    await poll;
    expect(text()).toBe('edited');

    await server.release('PATCH /notes/1', ok(note(1, { text: 'edited' })));
    await edit;

    expect(text()).toBe('edited');
  });
});

describe('an edit, and an action without a body that is sent after it', () => {
  const revert = Notes.get.extend({ name: 'revert', path: '/notes/:id/revert', method: 'POST', body: undefined });

  /** What is shown when all has settled, and how often the list was read: the action makes the text `text`. */
  async function settled(edit: typeof Notes.partialUpdate, text: string, isEditFirst = true) {
    const { store, read, text: shown } = await setupNotes();
    const { unsubscribe } = store.dispatch(Notes.getList.subscribe());
    const editing = store.dispatch(edit({ id: 1 }, { text: 'edited' }));
    await server.holding('PATCH /notes/1');
    const reverting = store.dispatch(revert({ id: 1 }));
    await server.holding('POST /notes/1/revert');
    server.answer('GET /notes', ok([note(1, { text }), note(2)]));

    const answerEdit = () => server.release('PATCH /notes/1', ok(note(1, { text: 'edited' })));
    const answerAction = () => server.release('POST /notes/1/revert', ok(note(1, { text })));
    if (isEditFirst) await answerEdit().then(() => editing);
    await answerAction().then(() => reverting);
    if (!isEditFirst) await answerEdit().then(() => editing);
    const state = () => read(Notes.getList.selectRequest());
    await expect.poll(() => [state().isFetching, state().isStale]).toEqual([false, false]);
    unsubscribe();
    return { text: shown(), reads: server.received.filter(({ method }) => method === 'GET').length };
  }

  it.each([
    ['as it was before the edit', Notes, 'n1', true],
    ['as it was before the edit, which showed at once', Quick, 'n1', true],
    ['as it was before the edit, and is answered first', Notes, 'n1', false],
    ['as it never was', Notes, 'third', true],
  ])('end as the action has left the item: %s', async (_, { partialUpdate }, text, isEditFirst) => {
    expect((await settled(partialUpdate, text, isEditFirst)).text).toBe(text);
  });

  it('have nothing fetched again where the action has left what was edited', async () => {
    expect(await settled(Notes.partialUpdate, 'edited')).toEqual({ text: 'edited', reads: 1 });
  });
});

describe('a poll, and an action without a body that is sent while it is in flight', () => {
  const star = Notes.get.extend({ name: 'star', path: '/notes/:id/star', method: 'POST', body: undefined });

  it.each(['poll', 'action'])('have nothing fetched again, where the %s is answered first', async (first) => {
    const { store, read, text } = await setupNotes();
    const { unsubscribe } = store.dispatch(Notes.getList.subscribe());
    const poll = store.dispatch(Notes.getList());
    await server.holding('GET /notes');
    const starring = store.dispatch(star({ id: 1 }));
    await server.holding('POST /notes/1/star');
    const starred = note(1, { text: 'starred' });
    server.answer('GET /notes', ok([starred, note(2)]));

    const answerPoll = () => server.release('GET /notes', ok([note(1), note(2)]));
    const answerAction = () => server.release('POST /notes/1/star', ok(starred)).then(() => starring);
    if (first === 'poll') await answerPoll().then(() => poll);
    await answerAction();
    if (first === 'action') await answerPoll().then(() => poll);
    const state = () => read(Notes.getList.selectRequest());
    await expect.poll(() => [state().isFetching, state().isStale]).toEqual([false, false]);
    unsubscribe();

    expect(text()).toBe('starred');
    expect(server.received.filter(({ method }) => method === 'GET')).toHaveLength(2);
  });
});

describe('an edit that shows nothing before its answer', () => {
  it('does not bring its row back into a list from which a later answer has told that it has gone: the list is stale', async () => {
    const { store, read } = setup();
    const folder = 'a';
    const select = Notes.getList.select({ folder });
    const first = store.dispatch(Notes.getList({ folder }));
    await server.release('GET /notes?folder=a', ok([note(1, { folder })]));
    await first;
    const away = store.dispatch(Quick.partialUpdate({ id: 1 }, { folder: 'b' }));
    const back = store.dispatch(Notes.partialUpdate({ id: 1 }, { folder }));
    await server.release(/"b"/, { status: 422 });
    await away;

    // Somebody has deleted it meanwhile.
    const again = store.dispatch(Notes.getList({ folder }));
    await server.release('GET /notes?folder=a', ok([]));
    await again;
    expect(read(select)).toEqual([]);
    await server.release(/"a"/, ok(note(1, { folder })));
    await back;

    expect(read(select)).toEqual([]);
    expect(read(Notes.getList.selectRequest({ folder })).isStale).toBe(true);
  });
});

describe('a move', () => {
  it('takes its row out of no list that a later answer has brought it in, with the field that says so', async () => {
    const { store, read } = setup();
    const folder = 'a';
    const move = store.dispatch(Notes.getList.move({ id: 2 }, { text: 'moved' }));
    await server.holding('PATCH /notes/2');
    const list = store.dispatch(Notes.getList({ folder }));
    await server.release('GET /notes?folder=a', ok([note(1, { folder }), note(2, { folder, text: 'moved' })]));
    await list;

    await server.release('PATCH /notes/2', ok(note(2, { text: 'moved', folder: 'b' })));
    await move;

    expect(read(Notes.getList.select({ folder }))?.map(({ id }) => id)).toEqual([1, 2]);
  });
});

describe('an edit whose answer has another row inside', () => {
  it('does not decide about that one, of which a later poll tells', async () => {
    const { store, text } = await setupNotes();
    const edit = store.dispatch(Replies.partialUpdate({ id: 9 }, { text: 'edited' }));
    const poll = store.dispatch(Notes.getList());
    await server.release('PATCH /replies/9', ok({ id: 9, text: 'edited', to: note(1) }));
    await edit;

    await server.release('GET /notes', ok([note(1, { text: 'news' }), note(2)]));
    await poll;

    expect(text()).toBe('news');
  });
});

describe('a list of pages', () => {
  /** A store that has fetched three pages. */
  async function setupPages() {
    const tools = setup();
    const { store, resources } = tools;
    server.answer(/GET \/notes/, ({ query }) => ok([note(Number(new URLSearchParams(query).get('page') ?? 1))]));
    await store.dispatch(Paged.getList()).unwrap();
    await store.dispatch(Paged.getList.getNextPage()).unwrap();
    await store.dispatch(Paged.getList.getNextPage()).unwrap();
    server.forget();
    const refetch = () => {
      store.dispatch(resources.expireAll(Paged.getList));
      return store.dispatch(Paged.getList.ifStale());
    };

    return { ...tools, refetch, ids: () => tools.read(Paged.getList.select())?.map(({ id }) => id) };
  }

  it('is not joined again by a row that was deleted since its page was asked for', async () => {
    const { store, ids } = await setupPages();
    const page = store.dispatch(Paged.getList.getPage({ page: 2 }));
    await server.holding(/page=2/);

    const deletion = store.dispatch(Paged.delete({ id: 2 }));
    await server.release('DELETE /notes/2', { status: 204 });
    await deletion;
    await server.release(/page=2/, ok([note(2), note(4)]));
    await page;

    expect(ids()).toEqual([1, 4, 3]);
  });

  it('does not show again what has left one of its pages when another is read again', async () => {
    const { store, read } = setup();
    const inFolder = (id: number) => note(id, { folder: 'a' });
    server.answer(/GET \/notes/, ({ query }) => ok([inFolder(Number(new URLSearchParams(query).get('page') ?? 1))]));
    await store.dispatch(Paged.getList({ folder: 'a' })).unwrap();
    await store.dispatch(Paged.getList.getNextPage({ folder: 'a' })).unwrap();
    await store.dispatch(Paged.getList.getNextPage({ folder: 'a' })).unwrap();
    server.answer('PATCH /notes/3', ok(note(3, { folder: 'b' })));
    await store.dispatch(Paged.partialUpdate({ id: 3 }, { folder: 'b' })).unwrap();

    server.answer(/page=2/, ok([inFolder(2), inFolder(4)]));
    await store.dispatch(Paged.getList.getPage({ folder: 'a', page: 2 })).unwrap();

    expect(read(Paged.getList.select({ folder: 'a' }))?.map(({ id }) => id)).toEqual([1, 2, 4]);
  });

  it('begun anew is not replaced by pages that were asked for before', async () => {
    const { store, refetch, ids } = await setupPages();
    const all = refetch();
    await server.holding(/page=3/);

    const again = store.dispatch(Paged.getList());
    await server.holding(/GET \/notes $/);
    await server.release(/page=2/, ok([note(2)]));
    await server.release(/page=3/, ok([note(3)]));
    await server.release(/GET \/notes $/, ok([note(1)]));
    await server.release(/GET \/notes $/, ok([note(7)]));
    await Promise.all([all, again]);

    expect(ids()).toEqual([7]);
  });

  it('keeps a page as the later of two answers has it, which comes first', async () => {
    const { store, ids } = await setupPages();
    const elsewhere = Paged.getList.getPage.extend({
      name: 'Note/getPageElsewhere',
      urlPrefix: `${server.url}/elsewhere`,
    });
    const older = store.dispatch(elsewhere({ page: 2 }));
    await server.holding(/elsewhere/);

    const newer = store.dispatch(Paged.getList.getPage({ page: 2 }));
    await server.release(/GET \/notes\?page=2/, ok([note(2), note(5)]));
    await newer;
    await server.release(/elsewhere/, ok([note(6)]));
    await older;

    expect(ids()).toEqual([1, 2, 5, 3]);
  });

  it('is not joined by what was removed from it while a page was under way', async () => {
    const { store, ids } = await setupPages();
    const page = store.dispatch(Paged.getList.getPage({ page: 2 }));
    await server.holding(/page=2/);

    const removal = store.dispatch(Paged.getList.remove({}, { id: 2 }));
    await server.release(/PATCH|DELETE/, ok(note(2)));
    await removal;
    await server.release(/page=2/, ok([note(2), note(4)]));
    await page;

    expect(ids()).toEqual([1, 4, 3]);
  });

  it('keeps behind a page what that lacks when it is read again by itself', async () => {
    const { store, ids } = await setupPages();

    const page = store.dispatch(Paged.getList.getPage({ page: 2 }));
    await server.release(/page=2/, ok([note(4)]));
    await page;

    expect(ids()).toEqual([1, 4, 2, 3]);
  });

  it('begun anew is not joined by a page that was sent before', async () => {
    const { store, ids } = await setupPages();
    const begin = store.dispatch(Paged.getList());
    await server.release(/GET \/notes $/, ok([note(1)]));
    await begin;
    const page = store.dispatch(Paged.getList.getNextPage());
    await server.holding(/page=2/);

    const again = store.dispatch(Paged.getList());
    await server.release(/GET \/notes $/, ok([note(7)]));
    await again;
    await server.release(/page=2/, ok([note(2)]));
    await page;

    expect(ids()).toEqual([7]);
  });

  it('keeps what was created while it is fetched again, for a next page may bring it', async () => {
    const { store, refetch, ids } = await setupPages();
    const create = store.dispatch(Paged.getList.push({ text: 'new' }));
    await server.release('POST /notes', ok(note(9, { text: 'new' })));
    await create;

    const all = refetch();
    await server.release(/GET \/notes $/, ok([note(1)]));
    await server.release(/page=2/, ok([note(2)]));
    await server.release(/page=3/, ok([note(3)]));
    await all;

    expect(ids()).toEqual([1, 2, 3, 9]);
  });
});

describe('an item that is created while another request is under way', () => {
  it('leaves its list again where a later answer lacks it', async () => {
    const { store, ids } = await setupNotes();
    const slow = store.dispatch(Notes.get({ id: 5 }));
    await server.holding('GET /notes/5');
    const create = store.dispatch(Notes.getList.push({ text: 'new' }));
    await server.release('POST /notes', ok(note(9, { text: 'new' })));
    await create;
    expect(ids()).toEqual([1, 2, 9]);

    const list = store.dispatch(Notes.getList());
    await server.release(/GET \/notes $/, ok([note(1), note(2)]));
    await list;
    await server.release('GET /notes/5', ok(note(5)));
    await slow;

    expect(ids()).toEqual([1, 2]);
  });

  it.each([
    ['stays behind all pages', 'while there is a next page', 'after 2', [1, 2, 9]],
    ['is in none of the pages', 'where there is no next page', '', [1, 2]],
  ] as const)('%s that were read again without it, after another list had brought it, %s', async (...given) => {
    const [, , next, expected] = given;
    const { store, resources, read } = await setupNotes();
    const feed = (id: number, next: string): object => ok({ items: [note(id)], next, previous: '' });
    server.answer(/cursor=after/, feed(2, 'after 2'));
    server.answer('GET /notes', feed(1, 'after 1'));
    await store.dispatch(getFeed());
    await store.dispatch(getFeed.getNextPage());
    server.forget();
    const create = store.dispatch(getFeed.push({ text: 'new' }));
    await server.holding('POST /notes');

    const poll = store.dispatch(Notes.getList());
    await server.release('GET /notes', ok([note(1), note(2), note(9, { text: 'new' })]));
    await poll;
    store.dispatch(resources.expireAll(getFeed));
    const refetch = store.dispatch(getFeed.ifStale());
    await server.release(/GET \/notes $/, feed(1, 'after 1'));
    await server.release(/cursor=after/, feed(2, next));
    await refetch;
    await server.release('POST /notes', ok(note(9, { text: 'new' })));
    await create;

    expect(read(getFeed.select())?.items.map(({ id }) => id)).toEqual(expected);
  });

  it('leaves its list again where that tells of another folder', async () => {
    const { store, read } = setup();
    const first = store.dispatch(Notes.getList({ folder: 'a' }));
    await server.release('GET /notes?folder=a', ok([note(1, { folder: 'a' })]));
    await first;
    const create = store.dispatch(Notes.getList.push({ folder: 'a' }, { text: 'new' }));
    await server.holding('POST /notes');

    const poll = store.dispatch(Notes.getList());
    await server.holding(/GET \/notes $/);
    await server.release('POST /notes', ok(note(9, { text: 'new', folder: 'a' })));
    await create;
    await server.release(/GET \/notes $/, ok([note(1, { folder: 'a' }), note(9, { text: 'new', folder: 'b' })]));
    await poll;

    expect(read(Notes.getList.select({ folder: 'a' }))?.map(({ id }) => id)).toEqual([1]);
  });
});

describe('a list by cursor', () => {
  const page = (id: number, next = '', previous = '') => ok({ items: [note(id)], next, previous });

  it('is not joined by a page whose neighbour has gone meanwhile, because there were too many', async () => {
    const { store, read } = setup();
    const begin = store.dispatch(getFeed());
    await server.release(/GET \/notes $/, page(3, 'after 3', 'before 3'));
    await begin;
    const second = store.dispatch(getFeed.getNextPage());
    await server.release(/after/, page(4, 'after 4', 'before 4'));
    await second;

    const previous = store.dispatch(getFeed.getPreviousPage());
    await server.holding(/before/);
    const next = store.dispatch(getFeed.getNextPage());
    await server.release(/after/, page(5, '', 'before 5'));
    await next;
    await server.release(/before/, page(2, 'after 2', ''));
    await previous;

    expect(read(getFeed.select())?.items.map(({ id }) => id)).toEqual([4, 5]);
  });

  it('is stale where its new beginning leads elsewhere than to the page behind it', async () => {
    const { store, read } = setup();
    const first = store.dispatch(getFeed());
    await server.release(/GET \/notes $/, page(1, 'after 1'));
    await first;
    const begin = store.dispatch(getFeed());
    await server.holding(/GET \/notes $/);

    const next = store.dispatch(getFeed.getNextPage());
    await server.release(/after/, page(2));
    await next;
    await server.release(/GET \/notes $/, page(7, 'after 7'));
    await begin;

    expect(read(getFeed.select())?.items.map(({ id }) => id)).toEqual([7, 2]);
    expect(read(getFeed.selectRequest()).isStale).toBe(true);
  });

  it('asks for just the pages that are wanted, where it is read up and down again, and holds but some of them', async () => {
    const { store, read } = setup();
    server.answer(/GET/, ({ query }) => {
      const [side, id = '10'] = (new URLSearchParams(query).get('cursor') ?? 'after 9').split(' ');
      const first = side === 'before' ? Number(id) - 1 : Number(id) + 1;
      return page(first, `after ${first}`, `before ${first}`);
    });
    const { unsubscribe } = store.dispatch(getFeed.subscribe());
    const { getPreviousPage: up, getNextPage: down } = getFeed;
    await store.dispatch(getFeed());

    for (const turn of [up, up, up, down, down, down]) await store.dispatch(turn());

    expect(read(getFeed.select())?.items.map(({ id }) => id)).toEqual([10, 11]);
    expect(server.received.map(({ query }) => new URLSearchParams(query).get('cursor'))).toEqual([
      ...[null, 'before 10', 'before 9', 'before 8', 'after 8', 'after 9', 'after 10'],
    ]);
    unsubscribe();
  });

  /** The newest three messages, or the three before an id. */
  const chat = (newest: number, cursor?: number) => {
    const last = cursor === undefined ? newest : cursor - 1;
    const items = [last - 2, last - 1, last].filter((id) => id > 0).map((id) => note(id));
    return ok({ items, next: last < newest ? String(last) : '', previous: last > 3 ? String(last - 2) : '' });
  };

  /** A page before the first comes while the list, which went up to 9, is fetched again, and goes up to `newest`. */
  async function refetched(newest: number, order: 'page first' | 'page later') {
    const { store, resources, read } = setup();
    const state = () => read(getFeed.selectRequest());
    const ids = () => state().data?.items.map(({ id }) => id);
    const { unsubscribe } = store.dispatch(getFeed.subscribe());
    await server.release(/GET \/notes $/, chat(9));
    await expect.poll(ids).toEqual([7, 8, 9]);

    const refetch = () => store.dispatch(resources.expireAll(getFeed));
    if (order === 'page later') refetch();
    const previous = store.dispatch(getFeed.getPreviousPage());
    if (order === 'page first') refetch();
    await server.release(/cursor=7/, chat(newest, 7));
    await previous;
    server.answer(/GET/, ({ query }) => {
      const cursor = new URLSearchParams(query).get('cursor');
      return chat(newest, cursor === null ? undefined : Number(cursor));
    });
    await server.release(/GET \/notes $/, chat(newest));
    await expect.poll(() => [state().isFetching, state().isStale]).toEqual([false, false]);
    unsubscribe();
    return { ids: ids(), requests: server.received.length };
  }

  it.each(['page first', 'page later'] as const)(
    'has no hole where a page before it comes while it is fetched again, and has moved on: %s',
    async (order) => {
      expect((await refetched(12, order)).ids).toEqual([7, 8, 9, 10, 11, 12]);
    },
  );

  it('is fetched again but once where a page before it comes meanwhile, and nothing has moved', async () => {
    expect(await refetched(9, 'page first')).toEqual({ ids: [4, 5, 6, 7, 8, 9], requests: 3 });
  });
});
