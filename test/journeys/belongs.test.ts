import { Collection, createResource, Entity, RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

const server = await serverOfFile();
const urlPrefix = server.url;

class Label extends Entity {
  id = 0;
  name = '';
  static override key = 'Label';
}
class Issue extends Entity {
  id = 0;
  title = '';
  state = '';
  labels: readonly Label[] = [];
  static override key = 'Issue';
  static override schema = { labels: [Label] };
}
interface Search {
  readonly state?: string;
  readonly label?: string;
  readonly q?: string;
}
const searchParams: Search = {};
const options = { urlPrefix, path: '/issues/:id', schema: Issue, searchParams } as const;
const Issues = createResource({ ...options, optimistic: true });
const Labelled = createResource({
  ...options,
  optimistic: true,
  name: 'Labelled',
  belongs: (issue, { label, q }) => {
    if (q !== undefined) return undefined;
    return label === undefined || issue.labels?.some((one) => one.name === label);
  },
});

const bug = { id: 1, name: 'bug' };
const idea = { id: 2, name: 'idea' };
const issue = (id: number, more: object = {}) => ({ id, title: `issue ${String(id)}`, state: 'opened', ...more });

/** A store with the lists of some searches, and what each shows. */
async function setupLists(getList: typeof Issues.getList, lists: readonly (readonly [Search, readonly object[]])[]) {
  const tools = setup();
  const { store, resources, read } = tools;
  for (const [args, rows] of lists) {
    server.answer('GET /issues', { json: rows });
    await store.dispatch(getList(args));
  }
  const states = (): readonly string[] =>
    lists.map(([args]) => {
      const { data = [], isStale } = read(resources.selectRequest(getList, args));

      return `${data.map(({ id }) => (typeof id === 'number' ? id : 'new')).join()}${isStale ? ' stale' : ''}`;
    });

  return { ...tools, states };
}

describe('a created item', () => {
  it('joins the lists that it belongs to by what the server has made of it', async () => {
    const { store, states } = await setupLists(Issues.getList, [
      [{ state: 'opened' }, [issue(1)]],
      [{ state: 'closed' }, [issue(2, { state: 'closed' })]],
    ]);

    const create = store.dispatch(Issues.getList.push({}, { title: 'new' }));
    const during = states();
    await server.release('POST /issues', { status: 201, json: issue(9) });
    await create;

    expect(during).toEqual(['1', '2']);
    expect(states()).toEqual(['1,9', '2']);
  });

  it('makes stale the lists of which only the server knows whether it belongs to them', async () => {
    const { store, states } = await setupLists(Issues.getList, [
      [{ q: 'crash' }, [issue(1)]],
      [{ state: 'closed' }, [issue(2, { state: 'closed' })]],
      [{}, [issue(1), issue(2, { state: 'closed' })]],
    ]);

    server.answer('POST /issues', { status: 201, json: issue(9) });
    await store.dispatch(Issues.getList.push({}, { title: 'new' }));

    expect(states()).toEqual(['1 stale', '2', '1,2,9']);
  });

  it('makes stale a list whose rows say that its argument is not what their field of that name is', async () => {
    const { store, states } = await setupLists(Issues.getList, [
      [{ state: 'all' }, [issue(1), issue(2, { state: 'closed' })]],
      [{}, []],
    ]);

    server.answer('POST /issues', { status: 201, json: issue(9) });
    await store.dispatch(Issues.getList.push({}, { title: 'new' }));

    expect(states()).toEqual(['1,2 stale', '9']);
  });

  it('makes stale the lists of other Collections that it may belong to', async () => {
    const search = new RestEndpoint({
      urlPrefix,
      path: '/search',
      searchParams: {} as { readonly q: string },
      schema: new Collection([Issue], { name: 'search' }),
      name: 'search',
    });
    const { store, resources, read } = await setupLists(Issues.getList, [[{}, []]]);
    server.answer('GET /search', { json: [] });
    await store.dispatch(search({ q: 'crash' }));

    server.answer('POST /issues', { status: 201, json: issue(9) });
    await store.dispatch(Issues.getList.push({}, { title: 'new' }));

    expect(read(resources.selectRequest(search, { q: 'crash' }))).toMatchObject({ data: [], isStale: true });
  });

  it('joins the list of a path whose parameter is called as its pk is', async () => {
    const comments = new RestEndpoint({
      urlPrefix,
      path: '/issues/:id/comments',
      schema: new Collection([Label], { name: 'comments' }),
      name: 'comments',
    });
    const { store, read } = setup();
    server.answer('GET /issues/1/comments', { json: [] });
    server.answer('GET /issues/2/comments', { json: [] });
    await store.dispatch(comments({ id: 1 }));
    await store.dispatch(comments({ id: 2 }));

    server.answer('POST /issues/1/comments', { status: 201, json: { id: 77, name: 'first' } });
    await store.dispatch(comments.push({ id: 1 }, { name: 'first' }));

    expect(read(comments.select({ id: 1 }))).toMatchObject([{ id: 77 }]);
    expect(read(comments.select({ id: 2 }))).toEqual([]);
  });
});

describe('belongs', () => {
  const lists: readonly (readonly [Search, readonly object[]])[] = [
    [{ label: 'bug' }, [issue(1, { labels: [bug] })]],
    [{ label: 'idea' }, [issue(2, { labels: [idea] })]],
    [{ q: 'x' }, [issue(1, { labels: [bug] })]],
  ];

  it('says which lists a created item joins, while it is pending and by its answer', async () => {
    const { store, states } = await setupLists(Labelled.getList, lists);

    const create = store.dispatch(Labelled.getList.push({}, { title: 'new', labels: [bug] as unknown as Label[] }));
    const during = states();
    await server.release('POST /issues', { status: 201, json: issue(9, { labels: [idea] }) });
    await create;

    expect(during).toEqual(['1,new', '2', '1']);
    expect(states()).toEqual(['1', '2,9', '1 stale']);
  });

  it('says which lists an edited item leaves and joins, by guess and by answer', async () => {
    const { store, states } = await setupLists(Labelled.getList, lists);

    const edit = store.dispatch(Labelled.partialUpdate({ id: 1 }, { labels: [idea] as unknown as Label[] }));
    const during = states();
    await server.release('PATCH /issues/1', { json: issue(1, { labels: [idea] }) });
    await edit;

    expect(during).toEqual(['', '2,1', '1']);
    expect(states()).toEqual(['', '2,1', '1 stale']);
  });

  it('says so of edits also where another endpoint has the same lists, and no rule', async () => {
    const lists = new Collection([Issue], { belongs: ({ state }, of) => of['state'] !== 'open' || state !== 'done' });
    const getOpen = new RestEndpoint({ urlPrefix, path: '/open-issues', searchParams, schema: lists });
    const getOthers = new RestEndpoint({ urlPrefix, path: '/others', schema: new Collection([Issue]) });
    const edit = new RestEndpoint({ urlPrefix, path: '/issues/:id', method: 'PATCH', body: {}, schema: Issue });
    const { store, resources, read } = setup();
    expectWarning(/open-issues and .* read the same lists/);

    server.answer('GET /open-issues', { json: [issue(1, { state: 'open' })] });
    await store.dispatch(getOpen({ state: 'open' }));
    server.answer('GET /others', { json: [] });
    await store.dispatch(getOthers());
    server.answer('PATCH /issues/1', { json: issue(1, { state: 'new' }) });
    await store.dispatch(edit({ id: 1 }, { state: 'new' }));

    expect(read(resources.select(getOpen, { state: 'open' }))).toMatchObject([{ id: 1, state: 'new' }]);
  });

  const Closed = createResource({
    ...options,
    name: 'Closed',
    belongs: ({ state }, { state: asked, q }) => (asked && state !== asked ? false : q ? undefined : true),
  })
    .extend('close', { path: '/issues/:id/close', method: 'POST', body: undefined })
    .extend('comment', { path: '/issues/:id/comment', method: 'POST', body: {} as { text: string } });

  it.each([
    ['an edit', () => Closed.partialUpdate({ id: 1 }, { state: 'closed' })],
    ['an action without a body', () => Closed.close({ id: 1 })],
    ['an action that sends something else', () => Closed.comment({ id: 1 }, { text: 'done' })],
  ])('makes stale the searches, by what %s has made of the item, that may find it now', async (_, write) => {
    const { store, states } = await setupLists(Closed.getList, [
      [{}, [issue(1), issue(2)]],
      [{ q: 'x', state: 'closed' }, []],
      [{ q: 'x', state: 'merged' }, []],
      [{ q: 'x' }, [issue(1)]],
    ]);
    server.answer(/^(PATCH|POST) /, { json: issue(1, { state: 'closed' }) });

    await store.dispatch<Promise<unknown>>(write() as never);

    expect(states()).toEqual(['1,2', ' stale', '', '1 stale']);
  });

  it('leaves the searches fresh after an action without a body that has changed nothing', async () => {
    const { store, states } = await setupLists(Closed.getList, [[{ q: 'x' }, [issue(1)]]]);
    server.answer('POST /issues/1/close', { json: issue(1) });

    await store.dispatch(Closed.close({ id: 1 }));

    expect(states()).toEqual(['1']);
  });

  it.each(['nothing', 'a write'])('sees what the same answer brings of its relations, beside %s', async (beside) => {
    const { store, resources, states } = await setupLists(Labelled.getList, [
      [{ label: 'bug' }, [issue(1, { labels: [bug] }), issue(2, { labels: [bug] }), issue(3, { labels: [bug] })]],
      [{ label: 'new' }, []],
    ]);
    if (beside === 'a write') void store.dispatch(Issues.getList.push({}, { title: 'hangs' }));
    const row = (id: number) => issue(id, { labels: [{ id: 7, name: 'new' }] });

    server.answer('PATCH /issues/1', { json: row(1) });
    await store.dispatch(Labelled.partialUpdate({ id: 1 }, { labels: ['new'] as unknown as Label[] }));
    const edited = states();
    store.dispatch(resources.set(Issue, issue(2, { labels: [{ id: 8, name: 'new' }] })));
    server.answer('GET /issues/3', { json: issue(3, { labels: [{ id: 9, name: 'new' }] }) });
    await store.dispatch(Labelled.get({ id: 3 }));

    expect(edited).toEqual(['2,3', '1']);
    expect(states()).toEqual(['', '1,2,3']);
  });

  it('sees what an edit itself makes of its relations', async () => {
    const { store, states } = await setupLists(Labelled.getList, [
      [{ label: 'bug' }, [issue(1, { labels: [bug] })]],
      [{ label: 'flaw' }, []],
    ]);

    const edit = store.dispatch(
      Labelled.partialUpdate({ id: 1 }, { title: 'edited', labels: [{ id: 1, name: 'flaw' }] as Label[] }),
    );
    const during = states();
    await server.release('PATCH /issues/1', { json: issue(1, { title: 'edited', labels: [{ id: 1, name: 'flaw' }] }) });
    await edit;

    expect(during).toEqual(['', '1']);
    expect(states()).toEqual(['', '1']);
  });

  it('sees of an item that is moved all that is known of it', async () => {
    const Strict = createResource({
      ...options,
      optimistic: true,
      name: 'Strict',
      belongs: ({ labels = [] }, { label }) => labels.some(({ name }) => name === label),
    });
    const { store, states } = await setupLists(Strict.getList, [[{ label: 'bug' }, [issue(1, { labels: [bug] })]]]);

    const move = store.dispatch(Strict.getList.move({ id: 1 }, { state: 'closed' }));
    const during = states();
    await server.release('PATCH /issues/1', { status: 204 });
    await move.unwrap();

    expect([during, states()]).toEqual([['1'], ['1']]);
  });

  it('puts an item back where its edit is refused', async () => {
    const { store, states } = await setupLists(Labelled.getList, lists);

    const edit = store.dispatch(Labelled.partialUpdate({ id: 1 }, { labels: [idea] as unknown as Label[] }));
    await server.release('PATCH /issues/1', { status: 422 });
    await edit;

    expect(states()).toEqual(['1', '2', '1']);
  });

  it('leaves to the server what it cannot say, and what it throws for, and tells of that once', async () => {
    const Faulty = createResource({
      ...options,
      name: 'Faulty',
      belongs: () => {
        throw new Error('no labels');
      },
    });
    const { store, states } = await setupLists(Faulty.getList, lists);
    expectWarning(/belongs of .*Faulty.* failed.*no labels/s);

    server.answer('POST /issues', { status: 201, json: issue(9) });
    await store.dispatch(Faulty.getList.push({}, { title: 'new' }));
    await store.dispatch(Faulty.getList.push({}, { title: 'new' }));

    expect(states()).toEqual(['1 stale', '2 stale', '1 stale']);
  });

  it('sees the relations of a deleted item in their place, where a part of a list may be shifted', async () => {
    const windowed: Search & { readonly offset?: number } = {};
    const Windowed = createResource({
      ...options,
      searchParams: windowed,
      name: 'Windowed',
      belongs: (issue, { label }) => issue.labels?.some(({ name }) => name === label),
    });
    const { store, read, resources } = setup();
    server.answer('GET /issues', { json: [issue(1, { labels: [bug] }), issue(2, { labels: [idea] })] });
    await store.dispatch(Windowed.getList());
    server.answer('GET /issues', { json: [issue(3, { labels: [bug] })] });
    await store.dispatch(Windowed.getList({ label: 'bug', offset: 1 }));
    const isStale = () => read(resources.selectRequest(Windowed.getList, { label: 'bug', offset: 1 })).isStale;

    server.answer(/^DELETE /, { status: 204 });
    await store.dispatch(Windowed.delete({ id: 2 }));
    const afterAnother = isStale();
    await store.dispatch(Windowed.delete({ id: 1 }));

    expect(afterAnother).toBe(false);
    expect(isStale()).toBe(true);
  });

  it.each([
    ['a text', 'a', 'b'],
    ['a number', 1, 2],
  ])(
    'sees the relations of an item in their place, where a write names them by %s; totals do, too',
    async (_, a, b) => {
      class Person extends Entity {
        id: string | number = '';
        name = '';
        static override key = 'Person';
      }
      class Post extends Entity {
        id = 0;
        author = new Person();
        static override key = 'Post';
        static override schema = { author: Person };
      }
      const posts = new Collection([Post], { belongs: (post, { by }) => by === post.author?.name });
      const by: { readonly by?: string } = {};
      const body: { readonly author?: string | number } = {};
      const Posts = createResource({
        urlPrefix,
        path: '/posts/:id',
        schema: Post,
        searchParams: by,
        body,
        optimistic: true,
      });
      const { getList, partialUpdate } = Posts.extend({ getList: { schema: { posts, count: posts.total } } });
      const { store, read } = setup();
      const ada = { id: a, name: 'Ada' };
      const bob = { id: b, name: 'Bob' };
      for (const [id, author] of [ada, bob].entries()) {
        server.answer('GET /posts', { json: { posts: [{ id, author }], count: 5 } });
        await store.dispatch(getList({ by: author.name }));
      }
      const shown = () =>
        ['Ada', 'Bob'].map((name) => {
          const { posts: all = [], count } = read(getList.select({ by: name })) ?? {};
          return `${String(all.length)} of ${String(count)}`;
        });

      const create = store.dispatch(getList.push({}, { author: b }));
      const during = shown();
      await server.release('POST /posts', { status: 201, json: { id: 9, author: b } });
      await create;
      const created = shown();
      server.answer('PATCH /posts/0', { status: 204 });
      await store.dispatch(partialUpdate({ id: 0 }, { author: b }));
      const edited = shown();
      // Another author, of whom nobody has told before.
      server.answer('PATCH /posts/0', {
        json: { id: 0, author: { id: typeof a === 'string' ? 'c' : 3, name: 'Ada' } },
      });
      await store.dispatch(partialUpdate({ id: 0 }, {}));

      expect(during).toEqual(['1 of 5', '2 of 6']);
      expect(created).toEqual(during);
      expect(edited).toEqual(['0 of 4', '3 of 7']);
      expect(shown()).toEqual(['1 of 5', '2 of 6']);
    },
  );
});

describe('an edit whose recipe changes another field than its body, answered 204', () => {
  const Ruled = createResource({
    ...options,
    name: 'Ruled',
    belongs: (row, { state }) => state === undefined || row.state === state,
  }).extend({
    partialUpdate: {
      optimistic: (row: { title: string }) => {
        row.title = 'edited';
      },
    },
  });

  it.each([false, true])(
    'leaves the list that it does not belong to any more; beside another request: %s',
    async (isBusy) => {
      const { store, read, states } = await setupLists(Ruled.getList, [
        [{ state: 'opened' }, [issue(1), issue(2)]],
        [{ state: 'closed' }, [issue(3, { state: 'closed' })]],
      ]);
      if (isBusy) {
        void store.dispatch(Ruled.get({ id: 2 }));
        await server.holding('GET /issues/2');
      }
      server.answer('PATCH /issues/1', { status: 204 });

      await store.dispatch(Ruled.partialUpdate({ id: 1 }, { state: 'closed' })).unwrap();

      expect(read(Ruled.get.select({ id: 1 }))).toMatchObject({ state: 'closed', title: 'edited' });
      expect(states()).toEqual(['2', '3,1']);
    },
  );
});

describe('an edit of which a rule of the user has not changed its mind', () => {
  const rows = [3, 4, 5].map((id) => issue(id, { state: 'opened' }));
  const Latest = createResource({
    ...options,
    name: 'Latest',
    optimistic: true,
    belongs: (row, { state }) => row.state === state,
  }).extend('touch', {
    path: '/issues/:id/touch',
    method: 'POST',
    body: undefined,
    optimistic: (row) => {
      row.title = 'edited';
    },
  });

  it.each([
    ['an edit', () => Latest.partialUpdate({ id: 3 }, { title: 'edited' })],
    ['an action', () => Latest.touch({ id: 3 })],
  ])('does not hold its item in a list that slides meanwhile: %s', async (_, write) => {
    const { store, states } = await setupLists(Latest.getList, [[{ state: 'opened' }, rows]]);
    server.forget();

    const refetch = store.dispatch(Latest.getList({ state: 'opened' }));
    await server.holding('GET /issues');
    const writing = store.dispatch<Promise<unknown>>(write() as never);
    await server.release('GET /issues', { json: [...rows.slice(1), issue(6, { state: 'opened' })] });
    await refetch;
    await server.release(/^(PATCH|POST) /, { json: issue(3, { state: 'opened', title: 'edited' }) });
    await writing;

    expect(states()).toEqual(['4,5,6']);
  });

  it('holds it, and keeps it out, where that has changed its mind', async () => {
    const lists = [[{ state: 'opened' }, rows] as const, [{ state: 'closed' }, []] as const];
    const { store, states } = await setupLists(Latest.getList, lists);
    server.forget();

    const opened = store.dispatch(Latest.getList({ state: 'opened' }));
    await server.holding('GET /issues?state=opened');
    const closed = store.dispatch(Latest.getList({ state: 'closed' }));
    await server.holding('GET /issues?state=closed');
    const writing = store.dispatch(Latest.partialUpdate({ id: 3 }, { state: 'closed' }));
    await server.release('PATCH /issues/3', { json: issue(3, { state: 'closed' }) });
    await writing;
    await server.release('GET /issues?state=opened', { json: rows });
    await server.release('GET /issues?state=closed', { json: [] });
    await Promise.all([opened, closed]);

    expect(states()).toEqual(['4,5', '3']);
  });
});

describe('a list that was served before a message told of an item that the store did not have', () => {
  const before = issue(1, { labels: [bug] });
  const after = issue(1, { labels: [] });

  type Tell = (resources: ReturnType<typeof setup>['resources']) => ReturnType<typeof resources.set>;
  it.each<[string, Tell]>([
    ['set', (resources) => resources.set(Issue, { id: 1, labels: [] })],
    ['setResponse', (resources) => resources.setResponse(Labelled.get, { id: 1 }, after)],
  ])('is without the item where belongs says so of that: %s', async (_, message) => {
    const { store, resources, read } = setup();
    const loading = store.dispatch(Labelled.getList({ label: 'bug' }));
    await server.holding('GET /issues');
    store.dispatch(message(resources));
    await server.release('GET /issues', { json: [before, issue(2, { labels: [bug] })] });
    await loading;

    expect(read(Labelled.getList.select({ label: 'bug' }))?.map(({ id }) => id)).toEqual([2]);
  });

  it('has an item of which belongs denies also what the list says: the server knows better', async () => {
    const { store, resources, read } = setup();
    const loading = store.dispatch(Labelled.getList({ label: 'idea' }));
    await server.holding('GET /issues');
    store.dispatch(resources.set(Issue, { id: 1, labels: [] }));
    await server.release('GET /issues', { json: [before] });
    await loading;

    expect(read(Labelled.getList.select({ label: 'idea' }))?.map(({ id }) => id)).toEqual([1]);
  });
});

describe('two Collections of one list that have each a belongs of its own', () => {
  it('warn, and the one that is met last says who belongs', () => {
    const of = (state: string) =>
      new Collection([Issue], { name: 'judged-twice', belongs: (row) => row.state === state });
    const first = createResource({ ...options, name: 'judged-first' }).extend({ getList: { schema: of('opened') } });
    const second = createResource({ ...options, name: 'judged-second' }).extend({ getList: { schema: of('closed') } });
    const { store, resources, read } = setup();
    const closed = issue(1, { state: 'closed' });
    store.dispatch(resources.setResponse(first.getList, {}, [closed]));
    expectWarning(/two Collections of .*judged-twice.* have each a belongs of its own/);
    store.dispatch(resources.setResponse(second.getList, {}, [closed]));

    store.dispatch(resources.set(Issue, { id: 1, state: 'opened' }));

    expect(read(first.getList.select())).toEqual([]);
  });
});

describe('a Collection in place of that of the resource', () => {
  const rules = { belongs: () => true, windowArgumentKeys: ['state'] as const };
  const lists = new Collection([Issue], { name: 'Counted' });

  it.each([
    ['as a member', () => createResource({ ...options, ...rules, name: 'A' }).extend('getList', { schema: lists })],
    [
      'in a shape',
      () => createResource({ ...options, ...rules, name: 'B' }).extend({ getList: { schema: { lists } } }),
    ],
    [
      'by a function',
      () =>
        createResource({ ...options, ...rules, name: 'C' }).extend((base) => ({
          getList: base.getList.extend({ schema: lists }),
        })),
    ],
  ])('has none of the options of the resource, as development tells: %s', (_, make) => {
    make();

    expectWarning(/\/getList has a Collection of its own, to which belongs, windowArgumentKeys of createResource/);
  });

  it.each([
    ['has rules of its own', { ...options, ...rules, name: 'D' }, new Collection([Issue], rules)],
    ['replaces one without rules', { ...options, name: 'E' }, lists],
    ['has items of another class', { ...options, ...rules, name: 'F' }, new Collection([Label])],
  ])('is nothing to tell of where it %s', (_, given, collection) => {
    const { getList } = createResource(given).extend({ getList: { schema: collection } });

    expect(getList.schema).toBe(collection);
  });
});
