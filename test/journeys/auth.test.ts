import { configureStore, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, NetworkError, RestEndpoint, type HookApi } from 'rtk-resource';
import { afterEach, describe, expect, it } from 'vitest';
import { serverOfFile, type Received, type Reply } from '../support/server.js';

class Account extends Entity {
  id = 0;
  owner = '';
  static override key = 'Account';
}

const session = createSlice({
  name: 'session',
  initialState: { token: '' },
  reducers: {
    signedIn: (state, action: PayloadAction<string>) => {
      state.token = action.payload;
    },
  },
});
const { signedIn } = session.actions;

const server = await serverOfFile();

function setupWithSession(token = '') {
  const resources = configureResources();
  const store = configureStore({
    reducer: { session: session.reducer, resources: resources.reducer },
    middleware: (getDefault) => getDefault().concat(resources.middleware),
  });
  if (token !== '') store.dispatch(signedIn(token));

  return { store, resources };
}

/** The token in the store of a request. */
function tokenOf(api: HookApi | undefined): string {
  return (api?.getState() as { session: { token: string } } | undefined)?.session.token ?? '';
}

/** Answers who has this token, and refuses all others. */
const onlyFor =
  (token: string, reply: Reply) =>
  ({ headers }: Received): Reply =>
    headers.authorization === `Bearer ${token}` ? reply : { status: 401, json: { title: 'Who are you?' } };

const options = { urlPrefix: server.url, path: '/accounts/:id', schema: Account } as const;

describe('a bearer token in the store', () => {
  class AuthEndpoint extends RestEndpoint {
    override getHeaders(headers: Record<string, string>, api?: HookApi): HeadersInit {
      const token = tokenOf(api);
      return token === '' ? headers : { ...headers, Authorization: `Bearer ${token}` };
    }
  }
  const byClass = createResource({ ...options, Endpoint: AuthEndpoint });
  const byOption = createResource({
    ...options,
    getHeaders: (headers, api) => ({ ...headers, Authorization: `Bearer ${tokenOf(api)}` }),
  });

  it.each([
    ['a class', byClass],
    ['an option', byOption],
  ])('is sent by every member, by way of %s', async (_, resource) => {
    const { store } = setupWithSession('secret');
    server.answer(/./, { json: { id: 1 } });
    server.answer('GET /accounts', { json: [] });

    await store.dispatch(resource.get({ id: 1 })).unwrap();
    await store.dispatch(resource.getList()).unwrap();
    await store.dispatch(resource.getList.push({ owner: 'Ada' })).unwrap();
    await store.dispatch(resource.update({ id: 1 }, { owner: 'Ada' })).unwrap();
    await store.dispatch(resource.partialUpdate({ id: 1 }, { owner: 'Ada' })).unwrap();
    await store.dispatch(resource.delete({ id: 1 })).unwrap();

    expect(server.received.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
    expect(new Set(server.received.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer secret']));
  });

  it('is that of the moment of the request', async () => {
    const { store } = setupWithSession();
    server.answer('GET /accounts/1', onlyFor('new', { json: { id: 1, owner: 'Ada' } }));

    const refused = await store.dispatch(byClass.get({ id: 1 }));
    store.dispatch(signedIn('new'));
    const account = await store.dispatch(byClass.get({ id: 1 })).unwrap();

    expect(refused.error).toMatchObject({ status: 401, data: { title: 'Who are you?' } });
    expect(account.owner).toBe('Ada');
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer new']);
  });

  it('is kept apart from that of another store', async () => {
    const [ada, bob] = [setupWithSession('of Ada'), setupWithSession('of Bob')];

    const promises = [ada, bob].map(({ store }) => store.dispatch(byClass.get({ id: 1 })).unwrap());
    const first = await server.release('GET /accounts/1', { json: { id: 1 } });
    const second = await server.release('GET /accounts/1', { json: { id: 1 } });
    await Promise.all(promises);

    expect([first.headers.authorization, second.headers.authorization].sort()).toEqual([
      'Bearer of Ada',
      'Bearer of Bob',
    ]);
  });
});

describe('a token that has expired', () => {
  /** Gets a new token when the old one is refused, and tries once more. */
  class RefreshingEndpoint extends RestEndpoint {
    override getHeaders(headers: Record<string, string>, api?: HookApi): HeadersInit {
      return { ...headers, Authorization: `Bearer ${tokenOf(api)}` };
    }

    override async fetch(...args: Parameters<RestEndpoint['fetch']>): Promise<unknown> {
      return super.fetch(...args).catch(async (error: unknown) => {
        if (!(error instanceof NetworkError && error.status === 401)) throw error;
        this.api?.dispatch(signedIn(await refreshToken()) as never);
        return super.fetch(...args);
      });
    }
  }
  const Token = new RestEndpoint({ urlPrefix: server.url, path: '/token', method: 'POST' });
  const refreshToken = async (): Promise<string> => ((await Token.fetch({}, {})) as { token: string }).token;

  const AccountResource = createResource({ ...options, Endpoint: RefreshingEndpoint });
  const log = (): readonly string[] =>
    server.received.map(({ method, path, headers }) => `${method} ${path} ${headers.authorization ?? ''}`.trim());

  it('is refreshed after a 401, and the request is sent again', async () => {
    const { store } = setupWithSession('old');
    server.answer('POST /token', { json: { token: 'new' } });
    server.answer('GET /accounts/1', onlyFor('new', { json: { id: 1, owner: 'Ada' } }));

    const account = await store.dispatch(AccountResource.get({ id: 1 })).unwrap();

    expect(account).toEqual(Account.fromJS({ id: 1, owner: 'Ada' }));
    expect(store.getState().session.token).toBe('new');
    expect(log()).toEqual(['GET /accounts/1 Bearer old', 'POST /token', 'GET /accounts/1 Bearer new']);
  });

  it('is not refreshed again by the next request', async () => {
    const { store } = setupWithSession('old');
    server.answer('POST /token', { json: { token: 'new' } });
    server.answer(/accounts/, onlyFor('new', { json: { id: 1 } }));
    await store.dispatch(AccountResource.get({ id: 1 })).unwrap();

    await store.dispatch(AccountResource.update({ id: 1 }, { owner: 'Bob' })).unwrap();

    expect(log().slice(3)).toEqual(['PUT /accounts/1 Bearer new']);
  });

  it('sends a body again as it was', async () => {
    const { store } = setupWithSession('old');
    server.answer('POST /token', { json: { token: 'new' } });
    server.answer('PATCH /accounts/1', onlyFor('new', { json: { id: 1, owner: 'Bob' } }));

    await store.dispatch(AccountResource.partialUpdate({ id: 1 }, { owner: 'Bob' })).unwrap();

    const patches = server.received.filter(({ method }) => method === 'PATCH');
    expect(patches.map(({ body }) => body)).toEqual([{ owner: 'Bob' }, { owner: 'Bob' }]);
  });

  it('is given up after the second refusal', async () => {
    const { store } = setupWithSession('old');
    server.answer('POST /token', { json: { token: 'new' } });
    server.answer('GET /accounts/1', onlyFor('another', { json: { id: 1 } }));

    const action = await store.dispatch(AccountResource.get({ id: 1 }));

    expect(action.error).toMatchObject({ name: 'NetworkError', status: 401 });
    expect(server.received).toHaveLength(3);
  });

  it('has nothing to do with other failures', async () => {
    const { store } = setupWithSession('old');
    server.answer('GET /accounts/1', { status: 403 });

    const action = await store.dispatch(AccountResource.get({ id: 1 }));

    expect(action.error).toMatchObject({ status: 403 });
    expect(server.received).toHaveLength(1);
  });

  it('shows one request in the state, however often it was sent', async () => {
    const { store } = setupWithSession('old');
    server.answer('GET /accounts/1', onlyFor('new', { json: { id: 1 } }));

    const promise = store.dispatch(AccountResource.get({ id: 1 }));
    await server.holding('POST /token');
    const between = AccountResource.get.selectRequest({ id: 1 })(store.getState());
    await server.release('POST /token', { json: { token: 'new' } });
    const action = await promise;

    expect(between).toMatchObject({ status: 'pending', requestId: promise.requestId });
    expect(action.meta).toMatchObject({ requestStatus: 'fulfilled', requestId: promise.requestId });
  });

  it('stops trying when the request is aborted meanwhile', async () => {
    const { store } = setupWithSession('old');
    server.answer('GET /accounts/1', onlyFor('new', { json: { id: 1 } }));

    const promise = store.dispatch(AccountResource.get({ id: 1 }));
    await server.holding('POST /token');
    promise.abort('signed out');
    const action = await promise;
    await server.release('POST /token', { json: { token: 'new' } });

    expect(action).toMatchObject({ meta: { aborted: true }, error: { message: 'signed out' } });
    expect(AccountResource.get.select({ id: 1 })(store.getState())).toBeUndefined();
  });
});

describe('what every request starts from', () => {
  /** Keeps what it would have sent. */
  class Recording extends RestEndpoint {
    override fetchResponse(input: string, init: RequestInit): Promise<Response> {
      inits.push(init);
      return super.fetchResponse(input, init);
    }
  }
  const inits: RequestInit[] = [];
  afterEach(() => {
    inits.length = 0;
  });

  it('is requestInit: credentials, mode, cache and headers', async () => {
    server.answer('PATCH /accounts/1', { json: { id: 1 } });
    const { partialUpdate } = createResource({
      ...options,
      Endpoint: Recording,
      requestInit: { credentials: 'include', mode: 'cors', cache: 'no-store', headers: { 'x-team': 'red' } },
    });

    await partialUpdate.fetch({ id: 1 }, { owner: 'Ada' });

    expect(inits).toMatchObject([
      { method: 'PATCH', credentials: 'include', mode: 'cors', cache: 'no-store', body: '{"owner":"Ada"}' },
    ]);
    expect(server.received[0]?.headers).toMatchObject({ 'x-team': 'red', 'content-type': 'application/json' });
  });

  it('is added to by getRequestInit, as a class does it for all its endpoints', async () => {
    class SameOrigin extends Recording {
      override async getRequestInit(body: unknown, api?: HookApi): Promise<RequestInit> {
        return { ...(await super.getRequestInit(body, api)), credentials: 'same-origin' };
      }
    }
    server.answer('GET /accounts/1', { json: { id: 1 } });
    const { get } = createResource({ ...options, Endpoint: SameOrigin, requestInit: { cache: 'reload' } });

    await get.fetch({ id: 1 });

    expect(inits).toMatchObject([{ method: 'GET', credentials: 'same-origin', cache: 'reload' }]);
  });

  it('is a signal, which ends all the requests of the endpoint', async () => {
    const { store } = setupWithSession();
    const leaving = new AbortController();
    const { get, partialUpdate } = createResource({ ...options, signal: leaving.signal });

    const promises = [store.dispatch(get({ id: 1 })), store.dispatch(partialUpdate({ id: 2 }, { owner: 'Ada' }))];
    await Promise.all([server.holding('GET /accounts/1'), server.holding('PATCH /accounts/2')]);
    leaving.abort(new Error('The page was left'));
    const actions = await Promise.all(promises);
    await Promise.all([server.hungUp('GET /accounts/1'), server.hungUp('PATCH /accounts/2')]);

    for (const action of actions) {
      expect(action).toMatchObject({
        meta: { requestStatus: 'rejected', aborted: true },
        error: { name: 'AbortError', message: 'The page was left' },
      });
    }
    expect(get.selectRequest({ id: 1 })(store.getState())).toMatchObject({ status: 'uninitialized', isError: false });
  });

  it('leaves the request its own abort', async () => {
    const { store } = setupWithSession();
    const { get } = createResource({ ...options, signal: new AbortController().signal });

    const promise = store.dispatch(get({ id: 1 }));
    await server.holding('GET /accounts/1');
    promise.abort('unmounted');
    await server.hungUp('GET /accounts/1');

    expect(await promise).toMatchObject({ meta: { aborted: true }, error: { message: 'unmounted' } });
  });
});
