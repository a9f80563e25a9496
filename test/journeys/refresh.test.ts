import { configureStore, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { configureResources, createResource, Entity, isNetworkError, RestEndpoint, type HookApi } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

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
    signedOut: () => ({ token: '' }),
  },
});
const { signedIn, signedOut } = session.actions;

function tokenOf(api?: HookApi): string {
  return (api?.getState() as { session: { token: string } } | undefined)?.session.token ?? '';
}

// From here to the class, what docs/guides/auth.md says.
const refresh = new RestEndpoint({ urlPrefix: server.url, path: '/refresh', method: 'POST', body: undefined });
const refreshes = new WeakMap<HookApi['getState'], Promise<void>>();

function refreshOnce(api: HookApi): Promise<void> {
  const { getState } = api;
  const refreshing = refreshes.get(getState) ?? newToken(api).finally(() => refreshes.delete(getState));
  refreshes.set(getState, refreshing);
  return refreshing;
}

async function newToken(api: HookApi): Promise<void> {
  const used = tokenOf(api);
  const isCurrent = () => tokenOf(api) === used;
  try {
    const { token } = (await refresh.fetch()) as { token: string };
    if (isCurrent()) api.dispatch(signedIn(token));
  } catch (error) {
    if (!isNetworkError(error) || ![400, 401, 403].includes(error.status ?? 0)) throw error;
    if (isCurrent()) api.dispatch(signedOut());
  }
}

class AuthEndpoint extends RestEndpoint {
  override getHeaders(headers: Record<string, string>, api?: HookApi): HeadersInit {
    const token = tokenOf(api);
    return token === '' ? headers : { ...headers, Authorization: `Bearer ${token}` };
  }

  override async fetch(...args: Parameters<RestEndpoint['fetch']>): Promise<unknown> {
    const { api } = this;
    const used = tokenOf(api);
    try {
      return await super.fetch(...args);
    } catch (error) {
      if (!api || !isNetworkError(error) || error.status !== 401 || tokenOf(api) === '') throw error;
      if (tokenOf(api) === used) await refreshOnce(api);
      if (tokenOf(api) === '') throw error;
      return super.fetch(...args);
    }
  }
}

const AccountResource = createResource({
  urlPrefix: server.url,
  path: '/accounts/:id',
  schema: Account,
  Endpoint: AuthEndpoint,
});

/** A store whose token has expired, and a read that waits for the refresh. */
async function refreshing() {
  const resources = configureResources();
  const store = configureStore({
    reducer: { session: session.reducer, resources: resources.reducer },
    middleware: (getDefault) => getDefault().concat(resources.middleware),
  });
  store.dispatch(signedIn('expired'));
  const reading = store.dispatch(AccountResource.get({ id: 1 }));
  await server.release('GET /accounts/1', { status: 401, json: {} });
  await server.holding('POST /refresh');
  return { store, reading, token: () => store.getState().session.token };
}

describe('while a token is refreshed, as in the guide', () => {
  it('the request waits, and is sent again with the new one', async () => {
    const { reading, token } = await refreshing();
    await server.release('POST /refresh', { json: { token: 'new' } });
    const { headers } = await server.release('GET /accounts/1', { json: { id: 1, owner: 'Ada' } });
    const { owner } = await reading.unwrap();

    expect([owner, token(), headers.authorization]).toEqual(['Ada', 'new', 'Bearer new']);
  });

  it('who signs out stays signed out', async () => {
    const { store, reading, token } = await refreshing();
    store.dispatch(signedOut());
    await server.release('POST /refresh', { json: { token: 'new' } });
    const { error } = await reading;

    expect([error?.status, token()]).toEqual([401, '']);
  });

  it('who is signed in stays so, though the server that refreshes is down', async () => {
    const { reading, token } = await refreshing();
    await server.release('POST /refresh', { status: 503, json: {} });
    const { error } = await reading;

    expect([error?.status, token()]).toEqual([503, 'expired']);
  });

  it('who signs in stays signed in, though the refresh is refused', async () => {
    const { store, reading, token } = await refreshing();
    store.dispatch(signedIn('of Bob'));
    await server.release('POST /refresh', { status: 401, json: {} });
    const { headers } = await server.release('GET /accounts/1', { json: { id: 1, owner: 'Bob' } });
    await reading;

    expect([token(), headers.authorization]).toEqual(['of Bob', 'Bearer of Bob']);
  });
});
