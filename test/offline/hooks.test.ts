import { createResource, isNetworkError, RestEndpoint } from 'rtk-resource';
import { expect, it, vi } from 'vitest';
import {
  fakeTime,
  makeServer,
  newName,
  openTab,
  pass,
  statuses,
  Todo,
  TodoResource,
  until,
  untilSent,
  writesTo,
} from '../support/outbox.js';

/** Hooks that fail before a write is sent, or after it was refused: as one that renews a token, where there is no network. */
fakeTime();

const base = { path: '/todos/:id', schema: Todo, optimistic: true } as const;
/** It is answered by nobody, as what meets no network. */
const lost = new RestEndpoint({ urlPrefix: 'http://127.0.0.1:1', path: '/refresh', method: 'POST', body: undefined });

/** A tab whose hook gets a token, as long as it can. */
async function openWithHook(getToken: () => Promise<unknown>, options: Parameters<typeof openTab>[2] = {}) {
  const getHeaders = async (headers: Record<string, string>) => {
    await getToken();
    return headers;
  };
  const Todos = createResource({ ...base, getHeaders });
  const server = makeServer();
  const tab = openTab(server, newName(), { resources: [Todos], ...options });
  await tab.queue.ready;
  return { Todos, server, tab };
}

it('a write whose hook fails before it is sent waits, shows, holds up no other, and is sent when the hook succeeds', async () => {
  const getToken = vi.fn<() => Promise<unknown>>().mockRejectedValueOnce(new Error('auth/network-request-failed'));
  const { Todos, server, tab } = await openWithHook(getToken);

  void tab.store.dispatch(Todos.getList.push({ title: 'First' }));
  await until(() => statuses(tab)[0] === 'waiting');
  void tab.store.dispatch(Todos.getList.push({ title: 'Second' }));
  await until(() => tab.state().size === 1);
  const early = writesTo(server);
  await pass(2_000);
  await untilSent(tab);

  expect(early).toEqual(['POST /todos']);
  expect(server.rows(Todo).map(({ title }) => title)).toEqual(['Read', 'Write', 'Second', 'First']);
});

it('a write whose hook fails ten times before it is sent has failed, unless the option `retry` says otherwise', async () => {
  const getToken = () => Promise.reject(new Error('no token'));
  const retry = vi.fn(({ attempts }: { attempts: number }) => (attempts < 3 ? 0 : undefined));
  const { Todos, server, tab } = await openWithHook(getToken, { retry });

  const editing = tab.store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'Never' }));
  for (let tries = 0; tries < 10; tries++) {
    await until(() => retry.mock.calls.length > tries);
    await pass(90_000);
  }

  expect((await editing).error).toMatchObject({ message: 'no token' });
  expect(statuses(tab)).toEqual(['failed']);
  expect(retry).toHaveBeenCalledTimes(10);
  expect(writesTo(server)).toEqual([]);
});

it.each([
  ['that was never sent makes nothing stale', 0, [false, 'Read']],
  ['makes stale what it touched where an earlier try may have done it', 1, [true, 'Edited']],
] as const)('a write whose hook fails for good, %s', async (_, lostTries, expected) => {
  const getToken = vi.fn<() => Promise<unknown>>().mockRejectedValue(new Error('no token'));
  // The list is read first.
  for (let tries = 0; tries <= lostTries; tries++) getToken.mockResolvedValueOnce('a token');
  const retry = ({ attempts }: { attempts: number }) => (attempts > lostTries ? 'reject' : 0);
  const { Todos, server, tab } = await openWithHook(getToken, { retry });
  await tab.store.dispatch(Todos.getList());
  server.lose('PATCH', { times: lostTries });

  const editing = tab.store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'Edited' }));
  await pass(2_000);
  await until(() => statuses(tab)[0] === 'failed');
  await editing;

  expect([tab.read(Todos.getList.selectRequest()).isStale, server.rows(Todo)[0]?.title]).toEqual(expected);
});

it('a write that is discarded while its hook waits makes nothing stale: it was never sent', async () => {
  const getToken = vi.fn<() => Promise<unknown>>().mockReturnValue(new Promise(() => undefined));
  getToken.mockResolvedValueOnce('a token');
  const { Todos, tab } = await openWithHook(getToken);
  await tab.store.dispatch(Todos.getList());

  const editing = tab.store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'Edited' }));
  await until(() => getToken.mock.calls.length === 2);
  await tab.store.dispatch(tab.queue.discard(editing.requestId));

  expect((await editing).error).toBeDefined();
  expect(tab.read(Todos.getList.selectRequest()).isStale).toBe(false);
});

it('a create whose hook meets no network is not unknown: it was never sent', async () => {
  const { Todos, server, tab } = await openWithHook(() => lost.fetch());

  void tab.store.dispatch(Todos.getList.push({ title: 'Never sent' }));
  await until(() => tab.state().entries[0]?.error !== undefined);

  expect(statuses(tab)).toEqual(['waiting']);
  expect(writesTo(server)).toEqual([]);
});

it('a create that was refused with 401 is not unknown where the renewal of the token meets no network', async () => {
  class Renewing extends RestEndpoint {
    override async fetch(...args: readonly unknown[]): Promise<unknown> {
      try {
        return await super.fetch(...(args as []));
      } catch (error) {
        if (!isNetworkError(error) || error.status !== 401) throw error;
        await lost.fetch();
        return super.fetch(...(args as []));
      }
    }
  }
  const Todos = createResource({ ...base, Endpoint: Renewing });
  const server = makeServer();
  const tab = openTab(server, newName(), { resources: [Todos] });
  await tab.queue.ready;
  server.fail('POST', 401, { times: 1 });

  void tab.store.dispatch(Todos.getList.push({ title: 'Refused' }));
  await until(() => tab.state().entries[0]?.error !== undefined);

  expect(statuses(tab)).toEqual(['waiting']);
});

it('a create that has timed out while the token was renewed is sent once, when the token is there', async () => {
  let renewed: (() => void) | undefined;
  const renewing = new Promise<void>((resolve) => (renewed = resolve));
  class Renewing extends RestEndpoint {
    override async fetch(...args: Parameters<RestEndpoint['fetch']>): Promise<unknown> {
      try {
        return await super.fetch(...args);
      } catch (error) {
        if (!isNetworkError(error) || error.status !== 401) throw error;
        await renewing;
        return super.fetch(...args);
      }
    }
  }
  const Todos = createResource({ ...base, Endpoint: Renewing, timeout: 10_000 });
  const server = makeServer();
  const tab = openTab(server, newName(), { resources: [Todos] });
  await tab.queue.ready;
  server.fail('POST', 401, { times: 2 });

  void tab.store.dispatch(Todos.getList.push({ title: 'New' }));
  await until(() => writesTo(server).length === 1);
  await pass(10_000);
  await until(() => statuses(tab)[0] === 'waiting');
  await pass(5_000);
  await until(() => writesTo(server).length === 2);
  renewed?.();
  await untilSent(tab);

  expect(writesTo(server)).toEqual(['POST /todos', 'POST /todos', 'POST /todos']);
  expect(server.rows(Todo).map(({ title }) => title)).toEqual(['Read', 'Write', 'New']);
});

it('a write that was refused with 401 pauses the outbox where the renewal of the token fails for a reason of its own', async () => {
  class Renewing extends RestEndpoint {
    override async fetch(...args: readonly unknown[]): Promise<unknown> {
      try {
        return await super.fetch(...(args as []));
      } catch {
        throw new Error('session expired');
      }
    }
  }
  const Todos = createResource({ ...base, Endpoint: Renewing });
  const server = makeServer();
  const tab = openTab(server, newName(), { resources: [Todos] });
  await tab.queue.ready;
  server.fail('PATCH', 401, { times: 1 });

  void tab.store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'Kept' }));
  await until(() => tab.state().pausedBy === 'auth');
  tab.store.dispatch(tab.queue.resume());
  await untilSent(tab);

  expect(server.rows(Todo)[0]?.title).toBe('Kept');
});

it.each([401, 429, 503])(
  'a create that was refused with %i can be edited, for the server has not done it',
  async (status) => {
    const server = makeServer();
    const tab = openTab(server, newName());
    await tab.queue.ready;
    server.fail('POST', status, { times: 1 });
    const { requestId } = tab.store.dispatch(TodoResource.getList.push({ title: 'Typo' }));
    await until(() => statuses(tab)[0] === 'waiting');

    await tab.store.dispatch(tab.queue.edit(requestId, { title: 'Corrected' }));
    if (status === 401) tab.store.dispatch(tab.queue.resume());
    await pass(2_000);
    await untilSent(tab);

    expect(server.rows(Todo).at(-1)?.title).toBe('Corrected');
  },
);

it.each([401, 503])('what depends on a create that was refused with %i goes when that is discarded', async (status) => {
  const server = makeServer();
  const tab = openTab(server, newName());
  await tab.queue.ready;
  server.fail('POST', status);
  const { requestId } = tab.store.dispatch(TodoResource.getList.push({ title: 'New' }));
  void tab.store.dispatch(TodoResource.partialUpdate({ id: `~${requestId}` }, { title: 'Newer' }));
  await until(() => statuses(tab)[0] === 'waiting');

  await tab.store.dispatch(tab.queue.discard(requestId));

  expect(tab.state().entries).toEqual([]);
});
