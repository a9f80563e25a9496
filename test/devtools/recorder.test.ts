import { combineSlices, configureStore } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, RestEndpoint } from 'rtk-resource';
import { recordResources, type Question, type RecorderOptions } from 'rtk-resource/devtools/production';
import { describe, expect, it } from 'vitest';
import { networkOfFile, pass } from '../support/network.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Issue extends Entity {
  id = 0;
  title = '';
  status = '';
  votes = 0;
  static override key = 'Issue';
}

const searchParams = {} as { readonly status?: string } | undefined;
const Issues = createResource({ path: '/issues/:id', schema: Issue, searchParams, optimistic: true });
const vote = new RestEndpoint({
  path: '/issues/:id/votes',
  method: 'POST',
  name: 'Issue/vote',
  schema: Issue,
  body: undefined,
  getOptimisticResponse: (snapshot, params: { readonly id: number }) => {
    const issue = snapshot.get(Issue, params);
    return issue && { id: issue.id, votes: issue.votes + 1 };
  },
});
const row = (fields: object = {}) => ({ id: 5, title: 'Crash', status: 'open', votes: 1, ...fields });
const GET = 'GET /issues/5';
const LIST = 'GET /issues';
const PATCH = 'PATCH /issues/5';
const five = { id: 5 };
const status: Question = { entity: 'Issue', pk: '5', field: 'status' };

const network = networkOfFile();

/** A store that is recorded from the start. */
function recorded(options: RecorderOptions = {}, ...given: Parameters<typeof setup>) {
  const tools = setup(...given);
  const recorder = recordResources(tools.store, options);
  const because = (question: Question) => {
    const events = new Map(recorder.events.map((event) => [event.id, event.type]));
    return recorder.explain(question).because.map(({ kind, eventId = '' }) => [kind, events.get(eventId)] as const);
  };
  const texts = (question: Question) => recorder.explain(question).because.map(({ text }) => text);
  const kinds = (question: Question) => because(question).map(([kind]) => kind);

  return { ...tools, recorder, because, texts, kinds };
}

/** Sends, and answers at once. */
async function answered(send: () => unknown, name: string, json: unknown, code = 200): Promise<void> {
  send();
  await pass();
  await network.release(name, { json, status: code });
}

async function withIssue(...given: Parameters<typeof recorded>) {
  const tools = recorded(...given);
  await answered(() => tools.store.dispatch(Issues.getList()), LIST, [row()]);

  return tools;
}

describe('events', () => {
  it('are the actions that changed the slice, with ids of their own, the fields that changed, and no payload', async () => {
    const { recorder, store } = await withIssue();

    await answered(() => store.dispatch(Issues.get(five)), GET, row({ status: 'closed' }));

    const [, , pending, fulfilled] = recorder.events;
    expect(recorder.events.map(({ type }) => type)).toEqual([
      'Issue/getList/pending',
      'Issue/getList/fulfilled',
      'Issue/get/pending',
      'Issue/get/fulfilled',
    ]);
    expect(new Set(recorder.events.map(({ id }) => id)).size).toBe(4);
    expect(pending?.meta.arg).toEqual({ endpointName: 'Issue/get', key: GET, args: [five] });
    expect(fulfilled?.meta.changes?.rows).toEqual([{ table: 'Issue', pks: ['5'], rows: [{ status: 'closed' }] }]);
    expect(JSON.stringify(recorder.events[3])).not.toContain('Crash');
    expect(fulfilled?.at).toBe(Date.now());
  });

  it('are the newest, as many as were asked for', async () => {
    const { recorder } = await withIssue({ maxEvents: 1 });

    expect(recorder.events.map(({ type }) => type)).toEqual(['Issue/getList/fulfilled']);
  });

  it('end when the recording is stopped, and a store has one recorder', async () => {
    const { recorder, store } = await withIssue();

    expect(recordResources(store)).toBe(recorder);
    recorder.stop();
    await answered(() => store.dispatch(Issues.get(five)), GET, row());

    expect(recorder.events).toHaveLength(2);
    expect(recordResources(store)).not.toBe(recorder);
  });

  it('have nothing of former rows after a reset, also when aborted requests end afterwards', async () => {
    const { recorder, store, resources } = await withIssue();
    void store.dispatch(Issues.partialUpdate(five, { title: 'secret of Ada' }));
    await pass();

    store.dispatch(resources.reset());
    await pass();

    expect(recorder.events.map(({ type }) => type)).toEqual(['resources/reset']);
    expect(JSON.stringify(recorder.events)).not.toMatch(/Crash|secret|"5"/);
  });

  it('have values as redact gives them, in what is told, too', async () => {
    const redact = (value: unknown, path: string): unknown => (path.endsWith('/title') ? '…' : value);
    const { recorder, store, texts } = await withIssue({ redact });
    void store.dispatch(Issues.partialUpdate(five, { title: 'secret' }));

    expect(JSON.stringify(recorder.events)).not.toMatch(/secret|Crash/);
    expect(recorder.explain({ entity: 'Issue', pk: '5', field: 'title' }).value).toBe('…');
    expect(recorder.explain({ entity: 'Issue', pk: '5' }).value).toEqual(row({ title: '…' }));
    expect(texts({ entity: 'Issue', pk: '5', field: 'title' }).join()).not.toMatch(/secret|Crash/);
    await pass();
    await network.release(PATCH, { json: row() });
  });

  it('mark that the slice was replaced without an action, as by time travel, and stay', async () => {
    const past = setup();
    const tools = await withIssue();
    await answered(() => tools.store.dispatch(Issues.get(five)), GET, row({ status: 'closed' }));
    const root = { resources: past.slice(), counter: 0 };

    // What a reducer in front of ours does when it is told to show a past state.
    tools.store.replaceReducer(() => root);

    expect(tools.recorder.explain(status).value).toBeUndefined();
    expect(tools.recorder.events.map(({ type }) => type)).toEqual([
      'Issue/getList/pending',
      'Issue/getList/fulfilled',
      'Issue/get/pending',
      'Issue/get/fulfilled',
      'replaced',
    ]);
  });
});

describe('a store', () => {
  it('without the middleware is told of in one sentence, and nothing throws', () => {
    expectWarning(/The devtools cannot record this store/);
    const store = configureStore({ reducer: { counter: (state: number = 0) => state } });

    const recorder = recordResources(store);

    expect(recorder.explain(status)).toEqual({ value: undefined, because: [] });
    recorder.stop();
  });

  it('may have its slice elsewhere, and may have it injected after the recording began', async () => {
    const resources = configureResources({ reducerPath: 'api' });
    const reducer = combineSlices({ counter: (state: number = 0) => state }).withLazyLoadedSlices<{ api: never }>();
    const store = configureStore({ reducer, middleware: (getDefault) => getDefault().concat(resources.middleware) });
    const recorder = recordResources(store, { reducerPath: 'api' });

    reducer.inject({ reducerPath: 'api', reducer: resources.reducer as never });
    await answered(() => store.dispatch(Issues.getList()), LIST, [row()]);

    expect(recorder.explain(status)).toMatchObject({ value: 'open', because: [{ kind: 'answer' }] });
  });
});

describe('a field is explained', () => {
  it('by the guess that is shown, by what lies under it, and by the answers that were passed over', async () => {
    const { store, recorder, because, texts } = await withIssue();
    void store.dispatch(Issues.get(five));
    await pass();
    await answered(
      () => store.dispatch(Issues.partialUpdate(five, { status: 'closed' })),
      PATCH,
      row({ status: 'closed' }),
    );
    await network.release(GET, { json: row({ status: 'new' }) });
    void store.dispatch(Issues.partialUpdate(five, { status: 'open' }));
    await pass();

    expect(recorder.explain(status).value).toBe('open');
    expect(because(status)).toEqual([
      ['guess', 'Issue/partialUpdate/pending'],
      ['answer', 'Issue/partialUpdate/fulfilled'],
      ['older', 'Issue/get/fulfilled'],
    ]);
    expect(texts(status).join(' ')).toMatch(
      /^Shows `open`: PATCH \/issues\/5 \([\d:.]{12}\) sent it and is not answered. Under it: `closed`, from PATCH \/issues\/5 \([\d:.]{12}\). GET \/issues\/5 \([\d:.]{12}\) said `new`; passed over: it was sent before PATCH \/issues\/5, and answered after it.$/,
    );
    await network.release(PATCH, { json: row() });
  });

  it('by a write by hand', async () => {
    const { store, resources, because } = await withIssue();

    store.dispatch(resources.set(Issue, { id: 5, status: 'closed' }));

    expect(because(status)[0]).toEqual(['set', 'resources/set']);
  });

  it('by an answer that waits for a guess that counts', async () => {
    const { store, kinds } = await withIssue();
    void store.dispatch(vote({ id: 5 }));
    await pass();
    await answered(() => store.dispatch(Issues.get(five)), GET, row({ votes: 2 }));

    expect(kinds({ entity: 'Issue', pk: '5', field: 'votes' })).toEqual(['guess', 'answer', 'waits']);
    await network.release('POST /issues/5/votes', { json: row({ votes: 2 }) });
  });

  it('by the default of its class, where its row has no such field', async () => {
    const { store, recorder, kinds } = recorded();
    await answered(() => store.dispatch(Issues.getList()), LIST, [{ id: 5, title: 'Crash' }]);

    expect(recorder.explain(status).value).toBe('');
    expect(kinds(status)).toEqual(['default', 'partial']);
  });

  it('a row that is in the answer, and in no list: what its required field refers to is not in the store', async () => {
    class User extends Entity {
      id = 0;
      static override key = 'User';
    }
    class Task extends Entity {
      id = 0;
      author = new User();
      static override key = 'Task';
      static override schema = { author: User };
    }
    const Tasks = createResource({ path: '/tasks/:id', schema: Task });
    const { store, texts } = recorded();
    await answered(() => store.dispatch(Tasks.getList()), 'GET /tasks', [{ id: 1, author: 7 }]);
    expect(Tasks.getList.select()(store.getState())).toEqual([]);

    const why =
      /Not shown, in no list either: its field "author" is required, and what it refers to \(`7`\) is not shown\. Nothing that was recorded has brought it/;
    expect(texts({ entity: 'Task', pk: '1' })[0]).toMatch(why);
    expect(texts({ list: 'Task/getList', args: [], pk: '1' })[0]).toMatch(why);
  });

  it('by what deleted its row', async () => {
    const { store, recorder, because } = await withIssue();

    await answered(() => store.dispatch(Issues.delete(five)), 'DELETE /issues/5', undefined, 204);

    expect(recorder.explain(status).value).toBeUndefined();
    expect(because(status)).toEqual([['deleted', 'Issue/delete/fulfilled']]);
  });

  it('by a write that was made later and covers what another had guessed', async () => {
    const { store, because } = await withIssue();
    void store.dispatch(Issues.update(five, row({ status: 'first' })));
    await pass();
    await answered(
      () => store.dispatch(Issues.partialUpdate(five, { status: 'second' })),
      PATCH,
      row({ status: 'second' }),
    );

    expect(because(status)).toEqual([
      ['answer', 'Issue/partialUpdate/fulfilled'],
      ['covered', 'Issue/update/pending'],
    ]);
    await network.release('PUT /issues/5', { json: row() });
  });

  it('by the newest answer that shows its row, where it is older than the recording', async () => {
    const tools = setup();
    await answered(() => tools.store.dispatch(Issues.getList()), LIST, [row()]);

    const { value, because } = recordResources(tools.store).explain(status);

    expect(value).toBe('open');
    expect(because).toHaveLength(1);
    expect(because[0]?.kind).toBe('before-recording');
    expect(because[0]?.text).toMatch(/The newest answer that shows the row is that of GET \/issues \([\d:.]{12}\)\.$/);
    expect(because[0]).not.toHaveProperty('eventId');
  });

  it('by a slice that was taken in', async () => {
    const other = setup();
    await answered(() => other.store.dispatch(Issues.getList()), LIST, [row()]);
    const { store, resources, because } = recorded();

    store.dispatch(resources.hydrate(other.slice()));

    expect(because(status)).toEqual([['hydrated', 'resources/hydrate']]);
  });

  it('by its collection', async () => {
    const { store, because } = recorded({}, { unusedDataExpiryLength: 1_000 });
    const { unsubscribe } = store.dispatch(Issues.getList.subscribe());
    await pass();
    await network.release(LIST, { json: [row()] });

    unsubscribe();
    await pass(5_000);

    expect(because(status)).toEqual([['collected', 'resources/collect']]);
  });

  it('as one story across the real id of what is created', async () => {
    const { store, recorder, because } = await withIssue();
    void store.dispatch(Issues.getList.push({ title: 'New' }));
    await pass();
    const temporary = recorder.events.at(-1)?.meta.changes?.rows[0]?.pks[0] ?? '';
    const title = { entity: 'Issue', field: 'title' } as const;
    expect(because({ ...title, pk: temporary })).toEqual([['guess', 'Issue/getList/push/pending']]);

    await network.release('POST /issues', { json: row({ id: 6, title: 'New' }), status: 201 });

    expect(because({ ...title, pk: '6' })).toEqual([['answer', 'Issue/getList/push/fulfilled']]);
    expect(recorder.explain({ ...title, pk: temporary })).toEqual(recorder.explain({ ...title, pk: '6' }));
  });
});

describe('a list is explained', () => {
  const open = { list: 'Issue/getList', args: [{ status: 'open' }] } as const;
  const OPEN = 'GET /issues?status=open';

  async function withOpen() {
    const tools = await withIssue();
    await answered(() => tools.store.dispatch(Issues.getList({ status: 'open' })), OPEN, [row()]);

    return tools;
  }

  it('with its pks, and by what has changed it', async () => {
    const { recorder, because } = await withOpen();

    expect(recorder.explain(open).value).toEqual(['5']);
    expect(because(open)).toEqual([['answer', 'Issue/getList/fulfilled']]);
    expect(recorder.explain({ list: 'Issue/getList', args: [{ status: 'none' }] }).value).toBeUndefined();
    expect(recorder.explain({ list: 'Other/getList', args: [] }).value).toBeUndefined();
  });

  it('a member by the answer with the list', async () => {
    const { because, recorder } = await withOpen();

    expect(recorder.explain({ ...open, pk: '5' }).value).toBe(true);
    expect(because({ ...open, pk: '5' })).toEqual([['answer', 'Issue/getList/fulfilled']]);
    expect(recorder.explain({ ...open, pk: '9' }).value).toBe(false);
    expect(because({ ...open, pk: '9' })).toEqual([['answer', 'Issue/getList/fulfilled']]);
  });

  it('a member that is gone by what was sent of its fields, and then by the answer', async () => {
    const { store, because } = await withOpen();
    void store.dispatch(Issues.partialUpdate(five, { status: 'closed' }));
    await pass();

    expect(because({ ...open, pk: '5' })[0]).toEqual(['belongs', 'Issue/partialUpdate/pending']);
    await network.release(PATCH, { json: row({ status: 'closed' }) });
    expect(because({ ...open, pk: '5' })).toEqual([
      ['belongs', 'Issue/partialUpdate/fulfilled'],
      ['belongs', undefined],
    ]);
  });

  it('a member that is gone by the deletion of its row', async () => {
    const { store, because } = await withOpen();
    void store.dispatch(Issues.delete(five));
    await pass();

    expect(because({ ...open, pk: '5' })[0]).toEqual(['guess', 'Issue/delete/pending']);
    await network.release('DELETE /issues/5', { status: 204 });
    expect(because({ ...open, pk: '5' })).toEqual([['deleted', 'Issue/delete/fulfilled']]);
  });

  it('a member that is hidden by the create that may have made it', async () => {
    const { store, because } = await withIssue();
    void store.dispatch(Issues.getList.push({ title: 'New', status: 'open', votes: 0 }));
    await pass();
    const made = row({ id: 6, title: 'New', status: 'open', votes: 0 });
    await answered(() => store.dispatch(Issues.getList()), LIST, [row(), made]);

    expect(because({ list: 'Issue/getList', args: [], pk: '6' })[0]).toEqual([
      'hidden-double',
      'Issue/getList/push/pending',
    ]);
    await network.release('POST /issues', { json: made, status: 201 });
  });

  it('asks the endpoint for its key, and runs nothing else of the user’s', async () => {
    const ran: string[] = [];
    class Loud extends Entity {
      id = 0;
      at = '';
      static override key = 'Loud';
      static override schema = { at: (text: string) => ran.push(text) };
      static override process(input: object) {
        ran.push('process');
        return input as never;
      }
      static override merge(existing: never, incoming: never) {
        ran.push('merge');
        return Object.assign({}, existing, incoming);
      }
      override pk() {
        ran.push('pk');
        return String(this.id);
      }
    }
    const Louds = createResource({ path: '/louds/:id', schema: Loud });
    const { store, recorder } = recorded();
    await answered(() => store.dispatch(Louds.getList()), 'GET /louds', [{ id: 1, at: 'then' }]);
    ran.length = 0;

    recorder.explain({ list: 'Loud/getList', args: [], pk: '1' });
    recorder.explain({ entity: 'Loud', pk: '1' });

    expect(recorder.explain({ entity: 'Loud', pk: '1', field: 'at' }).value).toBe('then');
    expect(ran).toEqual([]);
  });
});

describe('a request is explained', () => {
  const question = { request: `Issue/getList ${LIST}` } as const;

  it('by its making, its answer, and its failure', async () => {
    const { store, recorder, because, kinds } = recorded();
    expect(recorder.explain(question).value).toBe('uninitialized');
    void store.dispatch(Issues.getList());
    await pass();
    expect(recorder.explain(question).value).toBe('pending');
    expect(because(question)).toEqual([['waits', 'Issue/getList/pending']]);

    await network.release(LIST, { json: [row()] });
    expect(recorder.explain(question).value).toBe('fulfilled');
    expect(because(question)).toEqual([['answer', 'Issue/getList/fulfilled']]);

    await answered(() => store.dispatch(Issues.getList()), LIST, {}, 500);
    expect(recorder.explain(question).value).toBe('rejected');
    expect(kinds(question)).toEqual(['answer', 'answer']);
  });

  it('by what made it stale: its age, somebody by hand, doubt; and by what made it as good as missing', async () => {
    const { store, resources, kinds, because } = await withIssue({}, { dataExpiryLength: 1_000 });
    await pass(2_000);
    expect(kinds(question)).toEqual(['answer', 'expired']);
    expect(because(question)[1]?.[1]).toBeUndefined();

    await answered(() => store.dispatch(Issues.getList()), LIST, [row()]);
    store.dispatch(resources.expire(Issues.getList));
    expect(because(question)[1]).toEqual(['expired', 'resources/expire']);

    await answered(() => store.dispatch(Issues.getList()), LIST, [row()]);
    await answered(() => store.dispatch(Issues.partialUpdate(five, { title: 'x' })), PATCH, {}, 502);
    expect(because(question)[1]).toEqual(['doubt', 'Issue/partialUpdate/rejected']);

    store.dispatch(resources.invalidate(Issues.getList));
    expect(because(question)[0]).toEqual(['invalid', 'resources/invalidate']);
  });

  it('by the real id that it waits for, until it is sent', async () => {
    const { store, recorder, texts } = await withIssue();
    void store.dispatch(Issues.getList.push({ title: 'New' }));
    await pass();
    const [, created] = recorder.explain({ list: 'Issue/getList', args: [] }).value as readonly string[];
    const id = created as never;
    void store.dispatch(Issues.partialUpdate({ id }, { title: 'Newer' }));
    await pass();
    const edit = { request: `Issue/partialUpdate ${Issues.partialUpdate.key({ id }, { title: 'Newer' })}` };
    expect(texts(edit)).toEqual([
      expect.stringMatching(
        /^It was made at .*, and is not sent: it waits for the real id that POST \/issues \(.*\) will bring\.$/,
      ),
    ]);

    await network.release('POST /issues', { json: row({ id: 6, title: 'New' }) });
    expect(texts(edit)).toEqual([expect.stringMatching(/^It was made at .*, and is not answered\.$/)]);
  });

  it('by the earlier write of its line that it waits for, until that is answered', async () => {
    const { store, texts } = await withIssue();
    const line = Issues.partialUpdate.extend({ name: 'Issue/inLine', serialize: true });
    const other = { request: `Issue/inLine ${line.key(five, { status: 'closed' })}` };
    void store.dispatch(line(five, { title: 'One' }));
    void store.dispatch(line(five, { status: 'closed' }));
    await pass();
    expect(texts(other)[0]).toMatch(
      /and is not sent: it waits for the answer to PATCH \/issues\/5 \(.*\): writes of one line are sent one after the other\.$/,
    );

    await network.release(PATCH, { json: row({ title: 'One' }) });
    expect(texts(other)[0]).toMatch(/and is not answered\.$/);
  });
});
