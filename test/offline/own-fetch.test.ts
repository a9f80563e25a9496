import { createResource } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import {
  fakeTime,
  makeServer,
  newName,
  openTab,
  pass,
  statuses,
  Todo,
  until,
  untilSent,
  writesTo,
  type Tab,
} from '../support/outbox.js';

/** A `fetchResponse` of the user's own, which does not go by the fetch of the store. */
fakeTime();

type Send = (input: string, init: RequestInit) => Promise<Response>;

/** A tab whose todos are created by a function. */
async function openWith(
  send: (onServer: Send) => Send,
  options: Parameters<typeof openTab>[2] = {},
  process = (value: unknown): unknown => value,
) {
  const server = makeServer();
  const keys: (string | null)[] = [];
  const onServer: Send = (input, init) => {
    keys.push(new Headers(init.headers).get('idempotency-key'));
    return server.fetch(input, init);
  };
  const sending = send(onServer);
  const Todos = createResource({
    path: '/todos/:id',
    schema: Todo,
    optimistic: true,
    fetchResponse: (input, init) => sending(input, init),
    process: (value: unknown) => process(value),
  });
  const tab = openTab(server, newName(), { resources: [Todos], idempotencyKey: true, ...options });
  await tab.queue.ready;
  const create = () => void tab.store.dispatch(Todos.getList.push({ title: 'New' }));
  const titles = () => server.rows(Todo).map(({ title }) => title);
  return { server, tab, keys, create, titles, once: ['Read', 'Write', 'New'] };
}

const idOf = ({ state }: Tab): string => state().entries[0]?.id ?? '';

/** The server does it, and as long as that is so, the answer is lost. */
function lossy(error: () => Error = () => new TypeError('Failed to fetch')) {
  const line = { isLost: true };
  const send =
    (onServer: Send): Send =>
    async (input, init) => {
      const response = await onServer(input, init);
      if (line.isLost) throw error();
      return response;
    };
  return { line, send };
}

describe('a write whose fetchResponse rejects as fetch does', () => {
  it.each([
    ['TypeError', 'Load failed'],
    ['TimeoutError', 'It took too long.'],
  ])('with a %s waits, and is done once, under one key', async (name, message) => {
    const { line, send } = lossy(() => Object.assign(new Error(message), { name }));
    const { tab, create, keys, titles, once } = await openWith(send);

    create();
    await until(() => statuses(tab)[0] === 'waiting');
    line.isLost = false;
    await tab.store.dispatch(tab.queue.retry(idOf(tab)));
    await untilSent(tab);

    expect(titles()).toEqual(once);
    expect(keys.length).toBe(2);
    expect(new Set(keys).size).toBe(1);
  });

  it('becomes unknown without keys', async () => {
    const { tab, create } = await openWith(lossy().send, { idempotencyKey: false });

    create();
    await until(() => statuses(tab)[0] === 'unknown');

    expect(tab.state().entries[0]?.error?.message).toContain('Failed to fetch');
  });

  it('waits as long as nothing answers, however often it is tried', async () => {
    const { line, send } = lossy();
    const { tab, create, keys, titles, once } = await openWith(send);

    create();
    await until(() => statuses(tab)[0] === 'waiting');
    for (let i = 0; i < 15; i++) {
      await tab.store.dispatch(tab.queue.retry(idOf(tab)));
      await until(() => keys.length === i + 2 && statuses(tab)[0] === 'waiting');
    }
    line.isLost = false;
    await pass(90_000);
    await untilSent(tab);

    expect(keys.length).toBe(17);
    expect(titles()).toEqual(once);
  });

  it('fails at once by a mistake of its own, whatever was answered', async () => {
    const { tab, create, keys } = await openWith((onServer) => async (input, init) => {
      const response = await onServer(input, init);
      const missing: { readonly url?: string } = {};
      return Response.json((missing.url as string).length + response.status);
    });

    create();
    await until(() => statuses(tab)[0] === 'failed');

    expect(tab.state().entries[0]?.error?.message).toContain('Cannot read properties of undefined');
    expect(keys.length).toBe(1);
  });
});

it('a write by a fetchResponse is sent by it', async () => {
  const { tab, create, server, titles, once } = await openWith((onServer) => onServer);

  create();
  await untilSent(tab);

  expect(writesTo(server)).toEqual(['POST /todos']);
  expect(titles()).toEqual(once);
});
