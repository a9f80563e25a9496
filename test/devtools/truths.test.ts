import { combineReducers, configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, type ResourcesOptions } from 'rtk-resource';
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
  it('clears the recording as `reset` does, also of what aborted requests report afterwards', async () => {
    const resources = configureResources();
    const inner = combineReducers({ resources: resources.reducer });
    const reducer: typeof inner = (state, action) => inner(action.type === 'loggedOut' ? undefined : state, action);
    const store = configureStore({
      reducer,
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });
    const recorder = recordResources(store);
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
