import { combineReducers, configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, type ResourcesOptions, type ResourcesState } from 'rtk-resource';
import { recordResources, type Question, type RecorderOptions } from 'rtk-resource/devtools/production';
import { describe, expect, it } from 'vitest';
import { networkOfFile, pass } from '../support/network.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class User extends Entity {
  id = 0;
  name = '';
  email = '';
  static override key = 'User';
}
class Issue extends Entity {
  id = 0;
  title = '';
  status = '';
  votes = 0;
  assignee: string | null = null;
  owner?: User | null = null;
  watchers: User[] = [];
  static override key = 'Issue';
  static override schema = { owner: User, watchers: [User] };
}
class Post extends Entity {
  id = 0;
  owner = new User();
  static override key = 'Post';
  static override schema = { owner: User };
}

const searchParams = {} as { readonly status?: string; readonly assignee?: string } | undefined;
const Issues = createResource({ path: '/issues/:id', schema: Issue, searchParams, optimistic: true });
const Users = createResource({ path: '/users/:id', schema: User, optimistic: true });
const Posts = createResource({ path: '/posts/:id', schema: Post });
const ada = { id: 3, name: 'Ada', email: 'ada@x.org' };
const five = { id: 5 };
const open = { list: 'Issue/getList', args: [{ status: 'open' }] } as const;
const time = String.raw`\([\d:.]{12}\)`;
const matching = (text: string) => expect.stringMatching(new RegExp(`^${text}$`)) as string;

const network = networkOfFile();

/** A store that is recorded from the start. */
function recorded({ redact, maxEvents, ...given }: RecorderOptions & ResourcesOptions<'resources'> = {}) {
  const tools = setup(given);
  const recorder = recordResources(tools.store, { ...(redact && { redact }), ...(maxEvents && { maxEvents }) });
  const texts = (question: Question) => recorder.explain(question).because.map(({ text }) => text);
  const kinds = (question: Question) => recorder.explain(question).because.map(({ kind }) => kind);
  const answered = async (what: unknown, name: string, json?: unknown, status = json === undefined ? 204 : 200) => {
    tools.store.dispatch(what as never);
    await pass();
    await network.release(name, { json, status });
  };

  return { ...tools, recorder, texts, kinds, answered };
}

describe('an action at which the root reducer empties the store', () => {
  /** A store that is emptied by an action. */
  function emptying(preloadedState?: { readonly resources: ResourcesState }) {
    const resources = configureResources();
    const inner = combineReducers({ resources: resources.reducer });
    const reducer: typeof inner = (state, action) => inner(action.type === 'loggedOut' ? undefined : state, action);
    const store = configureStore({
      reducer,
      middleware: (getDefault) => getDefault().concat(resources.middleware),
      ...(preloadedState && { preloadedState }),
    });

    return { store, recorder: recordResources(store) };
  }

  it('clears the recording as `reset` does, also of what aborted requests report afterwards', async () => {
    const { store, recorder } = emptying();
    void store.dispatch(Issues.partialUpdate(five, { title: 'secret of Ada' }));
    await pass();

    store.dispatch({ type: 'loggedOut' });
    await pass();

    expect(recorder.events.map(({ type }) => type)).toEqual(['resources/reset']);
    void store.dispatch(Issues.getList());
    await pass();
    await network.release('GET /issues', { json: [] });
    expect(recorder.events.at(-1)?.type).toBe('Issue/getList/fulfilled');
  });

  it('begins the recording anew also where the slice had come from a store in which more had happened', async () => {
    const { store: other, answered } = recorded();
    for (let i = 0; i < 3; i++) await answered(Issues.getList(), 'GET /issues', []);
    const { store, recorder } = emptying({ resources: other.getState().resources });

    store.dispatch({ type: 'loggedOut' });
    void store.dispatch(Issues.getList());
    await pass();
    await network.release('GET /issues', { json: [] });

    expect(recorder.events.map(({ type }) => type)).toEqual([
      'resources/reset',
      'Issue/getList/pending',
      'Issue/getList/fulfilled',
    ]);
  });
});

it('a request that a subscriber makes at a reset is recorded', async () => {
  const { store, resources, recorder, answered } = recorded();
  await answered(Issues.getList(), 'GET /issues', []);
  const unsubscribe = store.subscribe(() => {
    unsubscribe();
    void store.dispatch(Issues.getList());
  });

  store.dispatch(resources.reset());
  await pass();

  expect(recorder.events.map(({ type }) => type)).toEqual(['resources/reset', 'Issue/getList/pending']);
});

describe('a row whose reference was deleted', () => {
  const DELETED = `Not there: DELETE /users/3 ${time} has deleted it\\.`;

  async function withoutAda() {
    const tools = recorded();
    const { answered } = tools;
    await answered(Users.get({ id: 4 }), 'GET /users/4', { ...ada, id: 4 });
    await answered(Issues.getList(), 'GET /issues', [{ id: 1, owner: ada, watchers: [ada, { ...ada, id: 4 }] }]);
    await answered(Posts.getList(), 'GET /posts', [{ id: 1, owner: ada }]);
    await answered(Users.delete({ id: 3 }), 'DELETE /users/3');

    return tools;
  }

  it.each([
    ['owner', undefined, '`3`'],
    ['watchers', ['4'], '`\\["3","4"\\]`'],
  ])('names first who has deleted what its field `%s` refers to', async (field, value, ref) => {
    const { recorder, texts } = await withoutAda();
    const question: Question = { entity: 'Issue', pk: '1', field };

    expect(recorder.explain(question).value).toEqual(value);
    expect(texts(question)).toEqual([
      matching(`It refers to \`3\`, which is not shown\\. ${DELETED}`),
      matching(`Under it: ${ref}, from GET /issues ${time}\\.`),
    ]);
  });

  it('is not said to be shown, nor to be in its list, where it cannot be without that', async () => {
    const { recorder, texts, kinds } = await withoutAda();
    const row: Question = { entity: 'Post', pk: '1' };
    const member: Question = { list: 'Post/getList', args: [], pk: '1' };
    const why = `Not shown, in no list either: its field "owner" is required, and what it refers to \\(\`3\`\\) is not shown\\. ${DELETED}`;

    expect([recorder.explain(row).value, recorder.explain(member).value]).toEqual([undefined, false]);
    expect(texts(row)).toEqual([matching(why), matching(`Under it: the row, from GET /posts ${time}\\.`)]);
    expect(texts(member)).toEqual([
      matching(`Its row is not shown\\. ${why}`),
      matching(`As confirmed: In it, by GET /posts ${time}\\.`),
    ]);
    expect(kinds(row)).toEqual(['deleted', 'answer']);
  });
});

describe('a write that was answered', () => {
  it.each([
    ['carries a redacted field as it is', { email: 'ada@x.org', name: 'B' }, 'email'],
    ['sends as text what the answer has as a number', { ...ada, id: '3' }, 'id'],
  ])('is not said to be ignored where it %s', async (_, body, field) => {
    const redact = (value: unknown, path: string) => (path.endsWith('/email') ? '***' : value);
    const { texts, answered } = recorded({ redact });
    await answered(Users.get({ id: 3 }), 'GET /users/3', ada);
    await answered(Users.update({ id: 3 }, body as never), 'PUT /users/3', { ...ada, name: 'B' });

    expect(texts({ entity: 'User', pk: '3', field })).toEqual([expect.stringMatching(/^Shows /)]);
  });
});

describe('a write that was never sent', () => {
  const BACK = 'What it had shown is taken back\\.';

  it('leaves no doubt, where the create of its item has failed', async () => {
    const { store, texts, answered } = recorded();
    const { requestId } = store.dispatch(Issues.getList.push({ title: 'One' }));
    await pass();
    const pk = `~${requestId}`;
    await answered(Issues.partialUpdate({ id: pk }, { title: 'Two' }), 'POST /issues', {}, 422);

    expect(texts({ entity: 'Issue', pk, field: 'title' })[0]).toMatch(
      new RegExp(`wanted \`Two\`, and failed: .* was not sent: [^]*${BACK}$`),
    );
  });

  it('leaves no doubt, where it was cancelled in its line', async () => {
    const { store, texts, answered } = recorded();
    const edit = Issues.partialUpdate.extend({ serialize: true });
    await answered(Issues.get(five), 'GET /issues/5', { id: 5, title: 'Crash' });
    void store.dispatch(edit(five, { title: 'One' }));
    const second = store.dispatch(edit(five, { title: 'Two' }));
    await pass();
    second.abort();
    await pass();
    await network.release('PATCH /issues/5', { json: { id: 5, title: 'Crash' } });

    const title: Question = { entity: 'Issue', pk: '5', field: 'title' };
    expect(texts(title)).toContainEqual(
      matching(`PATCH /issues/5 ${time} wanted \`Two\`, and was cancelled\\. ${BACK}`),
    );
  });
});

describe('a row that is in a list no more', () => {
  it('is known not to belong there where its field is null', async () => {
    const { texts, answered } = recorded();
    const args = [{ assignee: 'ada' }] as const;
    await answered(Issues.getList(...args), 'GET /issues?assignee=ada', [{ id: 5, assignee: 'ada' }]);
    await answered(Issues.partialUpdate(five, { assignee: null }), 'PATCH /issues/5', { id: 5, assignee: null });

    expect(texts({ list: 'Issue/getList', args, pk: '5' })).toEqual([
      expect.stringMatching(/ it does not belong there any more by its fields\.$/),
      'This list is of `assignee` `ada`, and the row has `null`.',
    ]);
  });

  it('was taken out by an operation, whatever that is called', async () => {
    const archive = Issues.getList.remove.extend({ name: 'Issue/archive', path: '/archive' });
    const { texts, answered } = recorded();
    await answered(Issues.getList({ status: 'open' }), 'GET /issues?status=open', [{ id: 5, status: 'open' }]);
    const send = archive as (params: object, body: object) => unknown;
    await answered(send({ status: 'open' }, five), 'PATCH /archive?status=open', { id: 5, status: 'open' });

    expect(texts({ ...open, pk: '5' })[0]).toMatch(/^Not in it, by PATCH \/archive/);
  });
});

describe('a row that was never in a list', () => {
  it('is lacked by the newest answer, also by one that has changed nothing', async () => {
    // That nothing tells `q` of a created row is warned of once.
    expectWarning(/joined no list of \[Bug\]/);
    class Bug extends Issue {
      static override key = 'Bug';
    }
    const byWord = {} as { readonly q?: string } | undefined;
    const Bugs = createResource({ path: '/bugs/:id', schema: Bug, searchParams: byWord });
    const { recorder, texts, answered } = recorded();
    const read = () => answered(Bugs.getList({ q: 'x' }), 'GET /bugs?q=x', [{ id: 5, title: 'x' }]);
    await read();
    await answered(Bugs.getList.push({ title: 'y' }), 'POST /bugs', { id: 9, title: 'y' });
    await read();

    const question: Question = { list: 'Bug/getList', args: [{ q: 'x' }], pk: '9' };
    expect(texts(question)[0]).toMatch(/brought the list without it/);
    expect(recorder.explain(question).because[0]?.eventId).toBe(recorder.events.at(-1)?.id);
  });

  it('is not said to be deleted, where that is a row of another class with the same pk', async () => {
    const { store, texts, answered } = recorded();
    await answered(Issues.getList({ status: 'open' }), 'GET /issues?status=open', [{ id: 6, status: 'open' }]);
    await answered(Issues.get(five), 'GET /issues/5', { id: 5, status: 'closed' });
    void store.dispatch(Users.delete(five));
    await pass();

    expect(texts({ ...open, pk: '5' }).join()).not.toContain('DELETE');
  });

  it('is not taken for a row of another class that was given its pk', async () => {
    class Tag extends Entity {
      slug = '';
      static override key = 'Tag';
      override pk() {
        return this.slug;
      }
    }
    class Page extends Tag {
      static override key = 'Page';
    }
    const Tags = createResource({ path: '/tags/:slug', schema: Tag });
    const Pages = createResource({ path: '/pages/:slug', schema: Page });
    const { recorder, answered } = recorded();
    await answered(Tags.getList(), 'GET /tags', [{ slug: 'news' }]);
    await answered(Pages.getList(), 'GET /pages', [{ slug: 'news' }]);
    await answered(Pages.partialUpdate({ slug: 'news' }, {}), 'PATCH /pages/news', { slug: 'latest' });

    expect(recorder.explain({ list: 'Tag/getList', args: [], pk: 'latest' }).value).toBe(false);
    expect(recorder.explain({ list: 'Page/getList', args: [], pk: 'news' }).value).toBe(true);
  });
});

describe('an answer that is not shown any more', () => {
  const question: Question = { request: 'Issue/getList GET /issues' };
  const read = (list = Issues.getList) => [list(), 'GET /issues', [{ id: 5 }]] as const;

  it('begins with who has made it invalid', async () => {
    const { store, resources, recorder, kinds, answered } = recorded();
    await answered(...read());
    store.dispatch(resources.invalidate(Issues.getList));

    expect(recorder.explain(question).value).toBe('uninitialized');
    expect(kinds(question)).toEqual(['invalid', 'answer']);
  });

  it('is stale, where that is as good as missing: there was one', async () => {
    const getList = Issues.getList.extend({ invalidIfStale: true, dataExpiryLength: 1_000 });
    const { recorder, texts, answered } = recorded();
    await answered(...read(getList));
    await pass(5_000);

    const list: Question = { list: 'Issue/getList', args: [] };
    expect(recorder.explain(list).value).toBeUndefined();
    for (const asked of [list, { ...list, pk: '5' }, question])
      expect(texts(asked)[0]).toMatch(/^It is not shown while it is stale \(`invalidIfStale`\), and it is since /);
  });
});

describe('a field that one of two classes with one key has', () => {
  class Summary extends Entity {
    id = 0;
    title = '';
    static override key = 'Essay';
  }
  class Essay extends Summary {
    content = 'none';
  }
  const reads = [Summary, Essay].map((schema, i) => {
    const path = `/${String(i)}/:id` as const;
    return [createResource({ path, schema, name: schema.name }).get(five), `GET /${String(i)}/5`] as const;
  });

  it.each([
    ['first', reads],
    ['last', [...reads].reverse()],
  ])('has the default of that, where the other is read %s', async (_, inOrder) => {
    const { recorder, texts, answered } = recorded();
    for (const [read, name] of inOrder) await answered(read, name, { id: 5, title: 'x' });

    const content: Question = { entity: 'Essay', pk: '5', field: 'content' };
    expect(recorder.explain(content).value).toBe('none');
    expect(texts(content)[0]).toBe('Shows `none`: its row has no such field, and this is the default of its class.');
  });
});

describe('a recording that is full', () => {
  it('says that it has no room for what was before', async () => {
    const { texts, answered } = recorded({ maxEvents: 2 });
    await answered(Issues.getList(), 'GET /issues', [{ id: 5 }]);
    await answered(Users.getList(), 'GET /users', []);

    expect(texts({ list: 'Issue/getList', args: [] })[0]).toMatch(
      /^It is as it was before the events that the recording has room for\. GET \/issues was answered at /,
    );
  });
});

describe('an answer that was passed over', () => {
  class Doc extends Entity {
    id = 0;
    title = '';
    rev = 0;
    static override key = 'Doc';
    static override version = 'rev';
  }
  const Docs = createResource({ path: '/docs/:id', schema: Doc });

  it('had a lower version', async () => {
    const { texts, answered } = recorded();
    await answered(Docs.get(five), 'GET /docs/5', { id: 5, title: 'new', rev: 2 });
    await answered(Docs.get(five), 'GET /docs/5', { id: 5, title: 'old', rev: 1 });

    expect(texts({ entity: 'Doc', pk: '5', field: 'title' })[1]).toMatch(
      /said `old`; passed over: its version \(`rev`\) is lower than that of what is shown\.$/,
    );
  });
});
