import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Account extends Entity {
  id = 0;
  owner = '';
  balance = 0;
  static override key = 'Account';
}

const server = await serverOfFile();
const at = { urlPrefix: server.url };
const before = { id: 1, owner: 'Ada', balance: 100 };

const Accounts = createResource({ ...at, path: '/accounts/:id', schema: Account, optimistic: true })
  .extend('deposit', { path: '/accounts/:id/deposits', method: 'POST', body: {} as { balance: number } })
  .extend('rename', {
    path: '/accounts/:id/name',
    method: 'PUT',
    body: {} as { owner: string },
    schema: { account: Account },
  })
  .extend('raise', {
    path: '/accounts/:id/raise',
    method: 'PATCH',
    body: undefined,
    optimistic: (account: { balance: number }) => {
      account.balance += 10;
    },
  });

function filled(row: object = before) {
  const tools = setup();
  const { store, resources, read } = tools;
  store.dispatch(resources.set(Account, row));
  return {
    ...tools,
    row: () => Object.fromEntries(Object.entries(read(resources.selectEntity(Account, 1)) ?? {})),
    isStale: () => read(Accounts.get.selectRequest({ id: 1 })).isStale,
  };
}

describe('an answer to an edit that says nothing of its row', () => {
  it.each([
    ['partialUpdate', () => Accounts.partialUpdate({ id: 1 }, { owner: 'Bob' }), 'PATCH /accounts/1'],
    ['update', () => Accounts.update({ id: 1 }, { owner: 'Bob', balance: 100 }), 'PUT /accounts/1'],
    ['an edit with an envelope', () => Accounts.rename({ id: 1 }, { owner: 'Bob' }), 'PUT /accounts/1/name'],
  ])('confirms what was sent, and leaves nothing in the row: %s', async (_, write, call) => {
    const { store, row } = filled();
    server.answer(call, { json: { ok: true, status: 'saved' } });

    await store.dispatch(write());

    expect(row()).toEqual({ ...before, owner: 'Bob' });
  });

  it.each([
    ['partialUpdate', () => Accounts.partialUpdate({ id: 1 }, { owner: 'Bob' }), 'PATCH /accounts/1', 'Bob'],
    ['delete', () => Accounts.delete({ id: 1 }), 'DELETE /accounts/1', undefined],
  ])('may be a word, as plain text: %s', async (_, write, call, owner) => {
    const { store, resources, read } = filled();
    server.answer(call, { text: 'OK', headers: { 'content-type': 'text/plain; charset=utf-8' } });

    await store.dispatch<Promise<unknown>>(write() as never);

    expect(read(resources.selectEntity(Account, 1))?.owner).toBe(owner);
  });

  it.each([
    ['text/html', 'OK'],
    ['application/json', 'true'],
    ['application/json', '"ok"'],
    ['application/json', '1'],
  ])('may be a word, as %s: %s', async (type, text) => {
    const { store, row } = filled();
    server.answer('PATCH /accounts/1', { text, headers: { 'content-type': type } });

    await store.dispatch(Accounts.partialUpdate({ id: 1 }, { owner: 'Bob' })).unwrap();

    expect(row()).toEqual({ ...before, owner: 'Bob' });
  });

  it('is none where it is a page: whoever is signed out has written nothing', async () => {
    const { store, row } = filled();
    server.answer('PATCH /accounts/1', { text: '<p>Sign in</p>', headers: { 'content-type': 'text/html' } });

    const edit = store.dispatch(Accounts.partialUpdate({ id: 1 }, { owner: 'Bob' }));

    await expect(edit.unwrap()).rejects.toThrow('is text/html where JSON was expected');
    expect(row()).toEqual(before);
  });

  it.each([
    ['a job', { id: 77, status: 'queued' }],
    ['what it belongs to', { id: 2, name: 'The bank' }],
  ])('may have the id of something else: %s', async (_, json) => {
    const { store, resources, read, row } = filled();
    store.dispatch(resources.set(Account, { ...before, id: 2, owner: 'Cy' }));
    server.answer('PATCH /accounts/1', { status: 202, json });

    await store.dispatch(Accounts.partialUpdate({ id: 1 }, { owner: 'Bob' }));

    expect(row()).toEqual({ ...before, owner: 'Bob' });
    expect(read(resources.selectAll(Account)).map(({ id, owner }) => [id, owner])).toEqual([
      [1, 'Bob'],
      [2, 'Cy'],
    ]);
  });

  it.each([{ id: 1 }, { id: '1', success: true, message: 'Saved' }])(
    'may have the id of the row, and nothing else of it: %j',
    async (json) => {
      const { store, row, isStale } = filled();
      server.answer('GET /accounts/1', { json: before });
      server.answer(/(PATCH|POST) /, { json });
      await store.dispatch(Accounts.get({ id: 1 }));

      await store.dispatch(Accounts.partialUpdate({ id: 1 }, { owner: 'Bob' }));
      const edited = [row(), isStale()];
      await store.dispatch(Accounts.deposit({ id: 1 }, { balance: 50 }));

      expect([edited, row(), isStale()]).toEqual([
        [{ ...before, owner: 'Bob' }, false],
        { ...before, owner: 'Bob' },
        true,
      ]);
    },
  );

  const members = Accounts.partialUpdate.extend({ path: '/accounts/:id/members', body: [] as readonly unknown[] });
  const setMembers = members.extend({ method: 'PUT' });
  const replacement = { op: 'replace', path: '/owner', value: 'Bob' };

  it.each<[string, () => object, object | undefined]>([
    ['{ ok: true }', () => Accounts.partialUpdate({ id: 1 }, { owner_id: 7 } as object), { ok: true }],
    ['{ id: 1 }', () => Accounts.partialUpdate({ id: 1 }, { owner_id: 7 } as object), { id: 1 }],
    ['{ id: 1, ok: true }', () => Accounts.partialUpdate({ id: 1 }, { owner_id: 7 } as object), { id: 1, ok: true }],
    ['{ ok: true }, to a list of names', () => setMembers({ id: 1 }, ['Ada', 'Bob']), { ok: true }],
    ['nothing, to a list of names', () => setMembers({ id: 1 }, ['Ada', 'Bob']), undefined],
    ['nothing, to an empty list', () => setMembers({ id: 1 }, []), undefined],
    ['nothing, to a list of names by PATCH', () => members({ id: 1 }, ['Ada', 'Bob']), undefined],
    ['nothing, to a JSON Patch', () => Accounts.partialUpdate({ id: 1 }, [replacement] as object), undefined],
  ])('leaves open what an edit of what is no field has done: %s', async (_, write, json) => {
    const { store, row, isStale } = filled();
    server.answer('GET /accounts/1', { json: before });
    server.answer(/^(PUT|PATCH) /, json ? { json } : { status: 204 });
    await store.dispatch(Accounts.get({ id: 1 }));

    await store.dispatch<Promise<unknown>>(write() as never);

    expect([row(), isStale()]).toEqual([before, true]);
  });

  it('is none where the row has nothing but its id', async () => {
    class Flag extends Entity {
      id = 0;
      static override key = 'Flag';
    }
    const Flags = createResource({ ...at, path: '/flags/:id', schema: Flag }).extend('raise', {
      path: '/flags/:id/raise',
      method: 'POST',
      body: undefined,
    });
    const { store, read } = setup();
    server.answer('GET /flags/1', { json: { id: 1 } });
    server.answer('POST /flags/1/raise', { json: { id: 1 } });
    await store.dispatch(Flags.get({ id: 1 }));

    await store.dispatch(Flags.raise({ id: 1 }));

    expect(read(Flags.get.selectRequest({ id: 1 })).isStale).toBe(false);
  });

  it('may be another row: what was sent is not written over that, and both are asked for again', async () => {
    const { store, read } = setup();
    server.answer('GET /accounts', { json: [before, { ...before, id: 2, owner: 'Cy' }] });
    server.answer('PATCH /accounts/1', { json: { id: 2, balance: 5 } });
    await store.dispatch(Accounts.getList());

    await store.dispatch(Accounts.partialUpdate({ id: 1 }, { owner: 'Bob' }));

    const { data, isStale } = read(Accounts.getList.selectRequest());
    expect([data?.map(({ owner, balance }) => [owner, balance]), isStale]).toEqual([
      [
        ['Ada', 100],
        ['Cy', 5],
      ],
      true,
    ]);
  });

  it('is an error where it may be JSON that is declared as plain text', async () => {
    const { store, row } = filled();
    const headers = { 'content-type': 'text/plain' };
    server.answer('PATCH /accounts/1', { text: '{"id":1,"owner":"Bobby"}', headers });

    const edit = store.dispatch(Accounts.partialUpdate({ id: 1 }, { owner: 'Bob' }));

    await expect(edit.unwrap()).rejects.toThrow('is text/plain where JSON was expected');
    expect(row()).toEqual(before);
  });

  it('confirms what a recipe has made', async () => {
    const { store, row } = filled();
    server.answer('PATCH /accounts/1/raise', { json: { ok: true } });

    await store.dispatch(Accounts.raise({ id: 1 }));

    expect(row()).toEqual({ ...before, balance: 110 });
  });

  it('confirms nothing of an action, whose row is asked for again', async () => {
    const { store, row, isStale } = filled();
    server.answer('GET /accounts/1', { json: before });
    server.answer('POST /accounts/1/deposits', { json: { ok: true } });
    await store.dispatch(Accounts.get({ id: 1 }));

    await store.dispatch(Accounts.deposit({ id: 1 }, { balance: 50 }));

    expect([row(), isStale()]).toEqual([before, true]);
  });

  it('confirms nothing of a deletion that keeps its row, which is asked for again', async () => {
    const { delete: archive } = Accounts.extend({ delete: { schema: Account } });
    const { store, row, isStale } = filled();
    server.answer('GET /accounts/1', { json: before });
    server.answer('DELETE /accounts/1', { json: { ok: true } });
    await store.dispatch(Accounts.get({ id: 1 }));

    await store.dispatch(archive({ id: 1 }));

    expect([row(), isStale()]).toEqual([before, true]);
  });

  it('is one that has a field of the row, declared or not', async () => {
    const { store, row } = filled({ ...before, votes: 1 });
    server.answer('PATCH /accounts/1', { json: { votes: 2, ok: true } });

    await store.dispatch(Accounts.partialUpdate({ id: 1 }, { owner: 'Bob' }));

    expect(row()).toEqual({ ...before, owner: 'Bob', votes: 2, ok: true });
  });

  it('is told of in development where it has an envelope', async () => {
    const { store, row } = filled();
    server.answer('PATCH /accounts/1', { json: { data: { ...before, owner: 'Bob', balance: 5 } } });

    await store.dispatch(Accounts.partialUpdate({ id: 1 }, { owner: 'Bob' }));

    expect(row()).toEqual({ ...before, owner: 'Bob' });
    expectWarning(/the envelope "data"/);
  });

  it.each([
    { data: null, success: true },
    { errors: [], success: true },
    { modifiedCount: 1, upsertedId: null },
    { ok: true, meta: { id: 'req-1' } },
    { success: true, user: { id: 3, name: 'me' } },
    { status: 'ok', notifications: [{ id: 9 }] },
  ])('is no envelope where nothing of the row is in it: %j', async (json) => {
    const { store, row } = filled();
    const name = JSON.stringify(json).replace(/\W+/g, '');
    const Named = createResource({ ...at, path: '/accounts/:id', schema: Account, name });
    server.answer('PATCH /accounts/1', { json });

    await store.dispatch(Named.partialUpdate({ id: 1 }, { owner: 'Bob' }));

    expect(row()).toEqual({ ...before, owner: 'Bob' });
  });

  it.each([
    { id: 1, title: 'The bank', accounts: [before] },
    { id: 1, balance: 7 },
  ])('tells nothing of what was created where it is of a row that was there: %j', async (json) => {
    const { store, read } = setup();
    server.answer('GET /accounts', { json: [before] });
    server.answer('POST /accounts', { status: 201, json });
    await store.dispatch(Accounts.getList());

    await store.dispatch(Accounts.getList.push({ owner: 'Bob' }));

    const { data, isStale } = read(Accounts.getList.selectRequest());
    expect([data?.map(({ owner }) => owner), isStale]).toEqual([['Ada'], true]);
  });

  it('is warned of where it is a list of one to the create of one item, as PostgREST has it', async () => {
    const { store, read } = setup();
    server.answer('GET /accounts', { json: [before] });
    server.answer('POST /accounts', { status: 201, json: [{ id: 9, owner: 'Bob' }] });
    await store.dispatch(Accounts.getList());

    expectWarning(/a create of one item of .*Account.* list of one.*vnd\.pgrst\.object\+json/s);
    await store.dispatch(Accounts.getList.push({}, { owner: 'Bob' }));

    expect(read(Accounts.getList.select())?.map(({ id }) => id)).toEqual([1, 9]);
  });

  it('is a create that has become a read by a redirect: nothing was created', async () => {
    const { store, resources, read } = setup();
    server.answer('GET /accounts', { json: [before] });
    server.answer('POST /accounts', { status: 301, headers: { location: '/accounts/' } });
    server.answer('GET /accounts/', { json: [before] });
    await store.dispatch(Accounts.getList());

    const create = store.dispatch(Accounts.getList.push({ owner: 'Bob' }));

    await expect(create.unwrap()).rejects.toThrow(
      `POST ${server.url}/accounts was redirected to ${server.url}/accounts/, and answered with a list: likely`,
    );
    expect(read(resources.selectAll(Account))).toEqual([before]);
  });

  it.each([
    ['an action on several', { path: '/accounts/close', method: 'POST', schema: [Account] }],
    ['a search', { path: '/accounts/close', method: 'POST', schema: [Account], sideEffect: false }],
  ] as const)('may be a list also behind a redirect, to %s', async (_, options) => {
    const { store, read } = setup();
    const Redirected = Accounts.extend('close', { ...options, optimistic: false });
    server.answer('POST /accounts/close', { status: 307, headers: { location: '/accounts/close/' } });
    server.answer('POST /accounts/close/', { json: [before] });

    const rows = await store.dispatch(Redirected.close({ ids: [1] } as never)).unwrap();

    expect(rows).toEqual([before]);
    expect(read(Redirected.get.select({ id: 1 }))).toEqual(before);
  });

  it.each([[{ ok: true }], [[]], ['created'], [7]])(
    'tells nothing of what was created, as %j: the list is asked for again',
    async (json) => {
      const { store, resources, read } = setup();
      server.answer('GET /accounts', { json: [before] });
      server.answer('POST /accounts', { json });
      await store.dispatch(Accounts.getList());

      await store.dispatch(Accounts.getList.push({ owner: 'Bob' }));

      expect(read(resources.selectAll(Account))).toEqual([before]);
      expect(read(Accounts.getList.selectRequest()).isStale).toBe(true);
    },
  );

  it('never tells the id of what was created: an edit that waits for it fails', async () => {
    const { store, resources, read } = setup();
    const creating = store.dispatch(Accounts.getList.push({ owner: 'Bob' }));
    const [{ id } = { id: 0 }] = read(resources.selectAll(Account));
    const editing = store.dispatch(Accounts.partialUpdate({ id }, { owner: 'Cy' }));

    await server.release('POST /accounts', { json: { ok: true } });
    await creating;

    await expect(editing.unwrap()).rejects.toThrow(/answered without an id[^]*R14/);
  });

  it('tells the id in a header: an edit that waits for it is sent', async () => {
    const { store, resources, read } = setup();
    const Located = Accounts.extend(({ getList }) => ({
      getList: getList.extend({
        parseResponse: ({ headers }) => Promise.resolve({ id: Number(headers.get('location')?.split('/').pop()) }),
      }),
    }));
    const creating = store.dispatch(Located.getList.push({ owner: 'Bob' }));
    const [{ id } = { id: 0 }] = read(resources.selectAll(Account));
    const editing = store.dispatch(Accounts.partialUpdate({ id }, { owner: 'Cy' }));

    await server.release('POST /accounts', { status: 201, headers: { location: `${server.url}/accounts/7` } });
    await creating;
    await server.release('PATCH /accounts/7', { status: 204 });
    await editing.unwrap();

    expect(read(resources.selectAll(Account))).toMatchObject([{ id: 7, owner: 'Cy' }]);
  });
});

describe('an answer that says that its write has failed, with a status that says that it succeeded', () => {
  it.each([
    [{ ok: false, reason: 'not_authed' }],
    [{ success: false, message: 'Not allowed' }],
    [{ error: 'Not allowed' }],
    [{ errors: [{ message: 'Not allowed' }] }],
    [{ status: 'fail', data: { owner: 'taken' } }],
    [{ status: 'error', message: 'taken' }],
    [{ code: 500, msg: 'taken' }],
  ])('makes stale what shows the row, and development tells of it: %j', async (json) => {
    const name = JSON.stringify(json).replace(/\W+/g, '');
    expectWarning(new RegExp(`${name}/partialUpdate says that it failed.*process`));
    const Named = createResource({ ...at, path: '/accounts/:id', schema: Account, name });
    const { store, read } = setup();
    server.answer('GET /accounts/1', { json: before });
    server.answer('PATCH /accounts/1', { json });
    await store.dispatch(Named.get({ id: 1 }));

    await store.dispatch(Named.partialUpdate({ id: 1 }, { owner: 'Bob' }));

    expect(read(Named.get.selectRequest({ id: 1 })).isStale).toBe(true);
  });

  it('is a deletion that lists ask about', async () => {
    expectWarning(/delete says that it failed/);
    const { store, read } = setup();
    server.answer('GET /accounts', { json: [before] });
    server.answer('DELETE /accounts/1', { json: { success: false } });
    await store.dispatch(Accounts.getList());

    await store.dispatch(Accounts.delete({ id: 1 }));

    expect(read(Accounts.getList.selectRequest()).isStale).toBe(true);
  });

  it('is none where it has fields of the class: a deleted item that was not read here', async () => {
    class Job extends Entity {
      id = 0;
      status = '';
      code = 0;
      error: string | null = null;
      static override key = 'Job';
    }
    const Jobs = createResource({ ...at, path: '/jobs/:id', schema: Job });
    const { store, read } = setup();
    server.answer('GET /jobs', { json: [{ id: 1 }] });
    server.answer('DELETE /jobs/5', { json: { id: 5, status: 'error', code: 500, error: 'timeout' } });
    await store.dispatch(Jobs.getList());

    await store.dispatch(Jobs.delete({ id: 5 }));

    expect(read(Jobs.getList.selectRequest()).isStale).toBe(false);
  });

  it.each([
    { success: true, errors: [] },
    { ok: true, error: null },
    { errors: {} },
    { code: 20_000, message: 'success', data: null },
  ])('is none where it tells of no problem: %j', async (json) => {
    const { store, isStale } = filled();
    server.answer('GET /accounts/1', { json: before });
    server.answer('PATCH /accounts/1', { json });
    await store.dispatch(Accounts.get({ id: 1 }));

    await store.dispatch(Accounts.partialUpdate({ id: 1 }, { owner: 'Bob' }));

    expect(isStale()).toBe(false);
  });

  it('is none where it is the deleted row', async () => {
    const { store, read } = setup();
    const failed = { ...before, error: 'timeout' };
    server.answer('GET /accounts', { json: [failed] });
    server.answer('DELETE /accounts/1', { json: failed });
    await store.dispatch(Accounts.getList());

    await store.dispatch(Accounts.delete({ id: 1 }));

    expect(read(Accounts.getList.selectRequest()).isStale).toBe(false);
  });

  it('is none where a field of the row is called so', async () => {
    class Check extends Entity {
      id = 0;
      success = false;
      static override key = 'Check';
    }
    const Checks = createResource({ ...at, path: '/checks/:id', schema: Check });
    const { store, read } = setup();
    server.answer('GET /checks/1', { json: { id: 1, success: true } });
    server.answer('PATCH /checks/1', { json: { success: false } });
    await store.dispatch(Checks.get({ id: 1 }));

    await store.dispatch(Checks.partialUpdate({ id: 1 }, { success: false }));

    const { data, isStale } = read(Checks.get.selectRequest({ id: 1 }));
    expect([data?.success, isStale]).toEqual([false, false]);
  });
});

describe('a read with a parameter that no row tells', () => {
  const asked: { readonly lang?: string | undefined; readonly owner?: string | undefined } = {};
  const Articles = createResource({ ...at, path: '/articles/:id', schema: Account }).extend({
    get: { searchParams: asked },
  });

  it('shows the row, and is fetched: a list or another read has not brought what it asks for', async () => {
    const { store, read } = filled();
    server.answer('GET /articles/1?lang=de', { json: { ...before, owner: 'Die Ada' } });
    const { isPartial, data } = read(Articles.get.selectRequest({ id: 1, lang: 'de' }));

    await store.dispatch(Articles.get.ifStale({ id: 1, lang: 'de' }));

    expect([isPartial, data?.owner]).toEqual([true, 'Ada']);
    expect(read(Articles.get.select({ id: 1, lang: 'de' }))?.owner).toBe('Die Ada');
    expect(read(Articles.get.selectRequest({ id: 1, lang: 'de' })).isPartial).toBe(false);
  });

  it('is not fetched for a parameter that is a field, or that is left out', () => {
    const { read } = filled();

    const states = [{ id: 1, owner: 'Ada' }, { id: 1, lang: undefined }, { id: 1 }].map(
      (args) => read(Articles.get.selectRequest(args)).isPartial,
    );

    expect(states).toEqual([false, false, false]);
  });
});

describe('the value of an edit', () => {
  it.each([
    ['204', { status: 204 }],
    ['{ ok: true }', { json: { ok: true } }],
    ['the row', { json: { ...before, owner: 'Bob' } }],
  ])('is the row that the store has from then on, also if the answer says nothing of it: %s', async (_, answer) => {
    const { store, resources, read } = filled();
    server.answer('PATCH /accounts/1', answer);

    const value = await store.dispatch(Accounts.partialUpdate({ id: 1 }, { owner: 'Bob' })).unwrap();

    expect(value.owner).toBe('Bob');
    expect(value).toBe(read(resources.selectEntity(Account, 1)));
  });

  it('is undefined of a row that the store does not have', async () => {
    const { store } = setup();
    server.answer('PATCH /accounts/1', { status: 204 });

    const value = await store.dispatch(Accounts.partialUpdate({ id: 1 }, { owner: 'Bob' })).unwrap();

    expect(value).toBeUndefined();
  });
});

describe('an answer to an edit that says nothing of the related rows that were sent', () => {
  class Person extends Entity {
    id = 0;
    name = '';
    static override key = 'Person';
  }
  class Label extends Entity {
    id = 0;
    name = '';
    static override key = 'Label';
    static override indexes = ['name'];
  }
  class Issue extends Entity {
    id = 0;
    author?: Person;
    labels?: readonly Label[];
    static override key = 'Issue';
    static override schema = { author: Person, labels: [Label] };
  }
  const Issues = createResource({
    ...{ ...at, path: '/issues/:id', schema: Issue, optimistic: true },
    body: {},
  });
  const issue = { id: 1, author: { id: 1, name: 'Ada' }, labels: [{ id: 1, name: 'bug' }] };

  it.each([
    ['makes the item stale, if the store has no such row', { author: 2 }, true],
    ['makes nothing stale, if the store has the row', { author: 1 }, false],
    ['makes the item stale, if the store lacks one of several rows', { labels: [1, 2] }, true],
    ['makes the item stale, if they are named by a natural key', { labels: ['docs'] }, true],
    ['makes nothing stale, if there are none', { labels: [] }, false],
  ])('%s: %j', async (_, body, isStale) => {
    const { store, read } = setup();
    server.answer('GET /issues/1', { json: issue });
    await store.dispatch(Issues.get({ id: 1 }));
    server.answer('PATCH /issues/1', { status: 204 });

    await store.dispatch(Issues.partialUpdate({ id: 1 }, body));

    expect(read(Issues.get.selectRequest({ id: 1 })).isStale).toBe(isStale);
  });
});
