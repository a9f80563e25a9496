import { Collection, createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

/** What users of an issue tracker do: they take issues, give them back, and close them by actions. */
class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}
class Issue extends Entity {
  id = 0;
  title = '';
  status = '';
  milestone: string | null = null;
  assignee: User | null = null;
  static override key = 'Issue';
  static override schema = { assignee: User };
}

const server = await serverOfFile();
const ada = { id: 1, name: 'Ada' };
const issue = (id: number, fields: object = {}) => ({
  id,
  title: `issue ${id}`,
  status: 'open',
  milestone: null,
  assignee: null,
  ...fields,
});
const searchParams: { assignee?: number | 'me'; status?: string; milestone?: string } = {};
const body: { id?: number; title?: string; milestone?: string | null; assignee?: number | null } = {};

function issuesOf(optimistic: boolean) {
  const list = new Collection([Issue]);
  return createResource({ urlPrefix: server.url, path: '/issues/:id', schema: Issue, searchParams, body, optimistic })
    .extend({ getList: { schema: { items: list, total: list.total } } })
    .extend('close', { path: '/issues/:id/close', method: 'POST', body: undefined })
    .extend('transition', {
      path: '/issues/:id/transitions',
      method: 'POST',
      body: {} as { transition: { id: string } },
    })
    .extend('setWatchers', { path: '/issues/:id/watchers', method: 'PUT', body: [] as readonly number[] })
    .extend('label', { path: '/issues/:id/labels', method: 'POST', body: {} as { id: number } });
}

const paths = () => server.received.map(({ method, path }) => `${method} ${path}`);

describe.each([true, false])('an issue, optimistic: %s', (optimistic) => {
  const Issues = issuesOf(optimistic);

  /** A store that has fetched the lists of these arguments. */
  async function setupLists(...lists: readonly (readonly [typeof searchParams, readonly object[]])[]) {
    const tools = setup();
    for (const [args, items] of lists) {
      server.answer('GET /issues', { json: { items, total: items.length } });
      await tools.store.dispatch(Issues.getList(args));
    }
    server.forget();
    const shown = (args: typeof searchParams): string => {
      const { data, isStale } = tools.read(Issues.getList.selectRequest(args));
      return `${String(data?.items.map(({ id }) => id))} of ${String(data?.total)}${isStale ? ', stale' : ''}`;
    };
    return { ...tools, shown };
  }

  it.each([
    [{ assignee: 1 }, { assignee: ada }, { assignee: null }],
    [{ milestone: 'v1' }, { milestone: 'v1' }, { milestone: null }],
  ])(
    'whose field becomes null leaves the list that asks for a value of it, and its total: %j',
    async (args, has, edit) => {
      const { store, shown } = await setupLists([args, [issue(1, has), issue(2, has)]]);
      server.answer('PATCH /issues/1', { json: issue(1, edit) });

      await store.dispatch(Issues.partialUpdate({ id: 1 }, edit));

      expect(shown(args)).toBe('2 of 1');
    },
  );

  it('that is created without a value leaves the lists alone that ask for one', async () => {
    const args = { assignee: 1 };
    const { store, shown } = await setupLists([args, [issue(1, { assignee: ada })]]);
    server.answer('POST /issues', { json: issue(2) });

    await store.dispatch(Issues.getList.push({ title: 'new', assignee: null }));

    expect(shown(args)).toBe('1 of 1');
  });

  it('that gets an assignee makes an empty list stale which asks for one by a word of the server', async () => {
    const { store, shown } = await setupLists([{ assignee: 'me' }, []], [{}, [issue(1)]]);
    server.answer('PATCH /issues/1', { json: issue(1, { assignee: ada }) });

    await store.dispatch(Issues.partialUpdate({ id: 1 }, { assignee: 1 }));

    expect(shown({ assignee: 'me' })).toBe(' of 0, stale');
  });

  it('that gets an assignee whom the store does not have is stale, if the answer does not tell whom', async () => {
    const { store, shown } = await setupLists([{}, [issue(1)]]);
    server.answer('PATCH /issues/1', { json: { id: 1, title: 'issue 1' } });

    await store.dispatch(Issues.partialUpdate({ id: 1 }, { assignee: 7 }));

    expect(shown({})).toBe('1 of 1, stale');
  });

  it('on which an action was done that is answered with nothing makes the lists stale that it may have come to', async () => {
    const [open, closed] = [{ status: 'open' }, { status: 'closed' }];
    const { store, shown } = await setupLists([open, [issue(1)]], [closed, [issue(2, { status: 'closed' })]]);
    server.answer('POST /issues/1/close', { status: 204 });

    await store.dispatch(Issues.close({ id: 1 }));

    expect([shown(open), shown(closed)]).toEqual(['1 of 1, stale', '2 of 1, stale']);
  });

  it.each<[string, object]>([
    ['PATCH { state_event }', Issues.partialUpdate({ id: 1 }, { state_event: 'close' } as object)],
    ['PATCH { status, state_event }', Issues.partialUpdate({ id: 1 }, { status: 'x', state_event: 'close' } as object)],
    ['PUT [user, …]', Issues.setWatchers({ id: 1 }, [1, 2])],
    ['POST { transition }', Issues.transition({ id: 1 }, { transition: { id: '31' } })],
  ])('that was edited by what is no field of it, with no answer, makes them stale, too: %s', async (_, write) => {
    const [open, closed] = [{ status: 'open' }, { status: 'closed' }];
    const { store, shown } = await setupLists([open, [issue(1)]], [closed, [issue(2, { status: 'closed' })]]);
    server.answer(/^(PUT|PATCH|POST) /, { status: 204 });

    await store.dispatch<Promise<unknown>>(write as never);

    expect(shown(closed)).toBe('2 of 1, stale');
  });

  it('whose title is to be changed, and is not yet, leaves the lists fresh that it does not come to', async () => {
    const [open, closed] = [{ status: 'open' }, { status: 'closed' }];
    const { store, shown } = await setupLists([open, [issue(1)]], [closed, [issue(2, { status: 'closed' })]]);
    server.answer('PATCH /issues/1', { status: 202 });

    await store.dispatch(Issues.partialUpdate({ id: 1 }, { title: 'later' }));

    expect([shown(open), shown(closed)]).toEqual(['1 of 1, stale', '2 of 1']);
  });

  it('keeps its id while an action is in flight whose body has the id of something else', async () => {
    const { store, shown } = await setupLists([{}, [issue(1), issue(2)]]);

    const labelling = store.dispatch(Issues.label({ id: 1 }, { id: 2 }));
    await server.holding('POST /issues/1/labels');
    const pending = shown({});
    await server.release('POST /issues/1/labels', { json: issue(1) });
    await labelling;

    expect([pending, shown({})]).toEqual(['1,2 of 2', '1,2 of 2']);
    expect(paths()).toEqual(['POST /issues/1/labels']);
  });
});

it('a list that is read at another address with the same Collection is warned about', async () => {
  expectWarning(/GET .*\/issues and GET .*\/me\/issues read the same lists/);
  const { store } = setup();
  const { getList } = createResource({ urlPrefix: server.url, path: '/issues/:id', schema: Issue });
  server.answer(/^GET /, { json: [] });

  await store.dispatch(getList());
  await store.dispatch(getList.extend({ path: '/me/issues', name: 'Issue/getMine' })());

  expect(paths()).toEqual(['GET /issues', 'GET /me/issues']);
});

it('a label that is taken from an issue goes, and no other, where the answer is the issue', async () => {
  class Label extends Entity {
    id = 0;
    name = '';
    static override key = 'Label';
    static override indexes = ['name'];
  }
  const Labels = createResource({ urlPrefix: server.url, path: '/issues/:issue/labels/:name', schema: Label });
  const { store, read } = setup();
  server.answer('GET /issues/1/labels', {
    json: [
      { id: 1, name: 'bug' },
      { id: 2, name: 'ui' },
    ],
  });
  await store.dispatch(Labels.getList({ issue: 1 }));
  server.answer('DELETE /issues/1/labels/ui', { json: issue(1) });

  await store.dispatch(Labels.delete({ issue: 1, name: 'ui' }));

  expect(read(Labels.getList.select({ issue: 1 }))?.map(({ name }) => name)).toEqual(['bug']);
});
