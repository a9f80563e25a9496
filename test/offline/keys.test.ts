import { createResource, RestEndpoint } from 'rtk-resource';
import { mockServer } from 'rtk-resource/mock';
import { outbox, type OutboxOptions } from 'rtk-resource/offline';
import { describe, expect, it, vi } from 'vitest';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';
import {
  fakeTime,
  makeServer,
  newName,
  NoteResource,
  openTab,
  pass,
  statuses,
  Todo,
  TodoResource,
  until,
  untilSent,
  writesTo,
} from '../support/outbox.js';

const { partialUpdate, getList } = TodoResource;

fakeTime();

function keysOf(server: ReturnType<typeof makeServer>) {
  return server.calls.filter(({ method }) => method !== 'HEAD').map(({ idempotencyKey }) => idempotencyKey);
}

function formOf(name: string, value: string): FormData {
  const form = new FormData();
  form.append(name, value);
  return form;
}

describe('the key of a write', () => {
  it('is another one when what has failed is tried again, or edited', async () => {
    const server = makeServer();
    const tab = openTab(server, newName(), { idempotencyKey: true });
    await tab.queue.ready;
    server.fail('PATCH', 422, { times: 2 });

    const { requestId } = tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'One' }));
    await until(() => tab.state().failed === 1);
    await tab.store.dispatch(tab.queue.retry(requestId));
    await until(() => tab.state().failed === 1 && writesTo(server).length === 2);
    await tab.store.dispatch(tab.queue.edit(requestId, { title: 'Two' }));
    await untilSent(tab);

    expect(new Set(keysOf(server)).size).toBe(3);
    expect(server.rows(Todo)[0]?.title).toBe('Two');
  });

  it.each([true, false])(
    'keeps a create from being done twice whose answer comes broken, with a key: %s',
    async (hasKey) => {
      const server = makeServer();
      let hasBroken = false;
      const fetchFn: typeof fetch = async (input, init) => {
        const answer = await server.fetch(input, init);
        if (hasBroken || init?.method !== 'POST') return answer;
        hasBroken = true;
        return new Response('{"id":', { status: 201, headers: { 'content-type': 'application/json' } });
      };
      const tab = openTab({ ...server, fetch: fetchFn }, newName(), { idempotencyKey: hasKey });
      await tab.queue.ready;

      void tab.store.dispatch(getList.push({ title: 'Once' }));
      const status = () => String(tab.state().entries[0]?.status);
      await until(() => ['waiting', 'unknown', 'failed'].includes(status()));
      expect(status()).toBe(hasKey ? 'waiting' : 'unknown');
      if (hasKey) {
        await pass(2_000);
        await untilSent(tab);
      }

      expect(server.rows(Todo).filter(({ title }) => title === 'Once')).toHaveLength(1);
      expect(new Set(keysOf(server)).size).toBe(1);
    },
  );

  it('is not sent again once servers have forgotten it, and is the same when that is asked for by hand', async () => {
    const server = makeServer();
    const tab = openTab(server, newName(), { idempotencyKey: true });
    await tab.queue.ready;
    server.lose('POST', { times: 1 });
    void tab.store.dispatch(getList.push({ title: 'Once' }));
    await until(() => tab.state().entries[0]?.status === 'waiting');
    tab.line.setOnline(false);
    // Servers forget keys after a day.
    vi.setSystemTime(Date.now() + 25 * 60 * 60 * 1_000);
    tab.line.setOnline(true);
    await until(() => tab.state().entries[0]?.status === 'unknown');
    expect(writesTo(server)).toEqual(['POST /todos']);

    await tab.store.dispatch(tab.queue.retry(tab.state().entries[0]?.id ?? ''));
    await untilSent(tab);

    expect(new Set(keysOf(server)).size).toBe(1);
    expect(server.rows(Todo)).toHaveLength(3);
  });

  type Give = NonNullable<Exclude<OutboxOptions['idempotencyKey'], boolean>>;

  it.each<[string, Give]>([
    ['{}', (key, { endpointName }) => (endpointName.startsWith('Note') ? { 'idempotency-key': key } : {})],
    [
      'undefined',
      (key, { endpointName }) => ({ 'idempotency-key': endpointName.startsWith('Note') ? key : undefined }),
    ],
  ])('is no key where the function gives %s: a create whose answer is lost is unknown', async (_, idempotencyKey) => {
    const server = makeServer();
    const tab = openTab(server, newName(), { idempotencyKey });
    await tab.queue.ready;
    server.lose('POST', { times: 2 });

    void tab.store.dispatch(getList.push({ title: 'Todo' }));
    await until(() => tab.state().entries[0]?.status === 'unknown');
    void tab.store.dispatch(NoteResource.getList.push({ todoId: 1 }, { text: 'Note' }));
    await pass(2_000);
    await until(() => tab.state().entries[1]?.status === 'waiting');

    expect(keysOf(server)[0]).toBeUndefined();
    expect(keysOf(server)[1]).toBeTypeOf('string');
  });

  it('is put in before getHeaders, which sees it, and may take another; hooks know it, too', async () => {
    const headers: unknown[] = [];
    const Keyed = createResource({
      ...{ path: '/todos/:id', schema: Todo },
      getHeaders: (given: HeadersInit, api) => {
        headers.push([given, api.idempotencyKey]);
        return given;
      },
    });
    const server = mockServer([Keyed], { seed: { Todo: [{ id: 1, title: 'Read', completed: false }] } });
    const tab = openTab(server, newName(), { resources: [Keyed], idempotencyKey: true });
    await tab.queue.ready;

    await tab.store.dispatch(Keyed.partialUpdate({ id: 1 }, { title: 'Keyed' }));
    const [key] = keysOf(server);

    expect(headers).toEqual([[expect.objectContaining({ 'Idempotency-Key': key }), key]]);
  });
});

describe('409 to a write with a key', () => {
  /** A tab whose create was not done, and the promise of that. */
  async function openWith(fail: (server: ReturnType<typeof makeServer>) => unknown) {
    const server = makeServer();
    const tab = openTab(server, newName(), { idempotencyKey: true });
    await tab.queue.ready;
    fail(server);
    const promise = tab.store.dispatch(getList.push({ title: 'New' }));
    await until(() => statuses(tab)[0] === 'waiting');
    return { server, tab, promise };
  }

  it.each([
    ['429', 429],
    ['503', 503],
    ['503 and an edit, which has a key of its own', 503],
    ['401 and a login', 401],
  ])('has it failed at once after %s: nothing of it can be running', async (after, status) => {
    const { server, tab, promise } = await openWith((it) => it.fail('POST', status, { times: 1 }));
    const { store, queue } = tab;
    server.fail('POST', 409);

    if (after.includes('edit')) await store.dispatch(queue.edit(promise.requestId, { title: 'Edited' }));
    if (status === 401) store.dispatch(queue.resume());
    await pass(2_000);

    expect(statuses(tab)).toEqual(['failed']);
    expect(tab.state().entries[0]?.error).toMatchObject({ status: 409 });
  });

  it.each(['in time', 'by hand'])(
    'leaves it to wait where it was lost, and is sent again %s: it may be running',
    async (again) => {
      const { server, tab, promise } = await openWith((it) => it.lose('POST', { times: 1 }));
      server.fail('POST', 409, { times: 1 });

      if (again === 'by hand') await tab.store.dispatch(tab.queue.retry(promise.requestId));
      await pass(10_000);
      await untilSent(tab);

      expect((await promise).meta.requestStatus).toBe('fulfilled');
      expect(server.rows(Todo)).toHaveLength(3);
    },
  );
});

describe('what the server refuses for now', () => {
  it('has the retries of the outbox, and not those of its endpoint', async () => {
    const Retrying = createResource({ path: '/todos/:id', schema: Todo, retry: 3 });
    const server = mockServer([Retrying], { seed: { Todo: [{ id: 1, title: 'Read', completed: false }] } });
    const tab = openTab(server, newName(), { resources: [Retrying] });
    await tab.queue.ready;
    server.fail('PATCH', 503);

    void tab.store.dispatch(Retrying.partialUpdate({ id: 1 }, { title: 'Later' }));
    await until(() => tab.state().entries[0]?.status === 'waiting');
    await pass(500);

    expect(writesTo(server)).toHaveLength(1);
    expect(tab.state().nextAttemptAt).toBeGreaterThan(Date.now());
  });

  it('is asked about by `retry`, which decides otherwise', async () => {
    const server = makeServer();
    const retry = vi.fn(() => 'reject' as const);
    const tab = openTab(server, newName(), { retry });
    await tab.queue.ready;
    server.fail('PATCH', 503);

    const action = await tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'Now' }));

    expect(action.error).toMatchObject({ status: 503 });
    expect(retry).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ attempts: 1 }));
  });
});

describe('which writes are kept', () => {
  it('are those of the resources, but for what says durable: false, and what else says durable: true', async () => {
    expectWarning(/other is kept, and the outbox does not know it/);
    const base = { path: '/todos/:id', schema: Todo } as const;
    const Mixed = createResource(base).extend((has) => ({
      partialUpdate: has.partialUpdate.extend({ durable: ([params]) => (params as { id: number }).id !== 1 }),
    }));
    const other = new RestEndpoint({
      path: '/todos/:id',
      method: 'PATCH',
      name: 'other',
      schema: Todo,
      body: { title: '' },
      durable: true,
    });
    const server = mockServer([Mixed], { seed: { Todo: [{ id: 1 }, { id: 2 }] } });
    const tab = openTab(server, newName(), { isOnline: false, resources: [Mixed] });
    await tab.queue.ready;

    const left = await tab.store.dispatch(Mixed.partialUpdate({ id: 1 }, { title: 'Left out' }));
    void tab.store.dispatch(Mixed.partialUpdate({ id: 2 }, { title: 'Kept' }));
    void tab.store.dispatch(other({ id: 2 }, { title: 'Kept, too' }));

    expect(left.meta.requestStatus).toBe('rejected');
    expect(tab.state().entries.map(({ args }) => args[1])).toEqual([{ title: 'Kept' }, { title: 'Kept, too' }]);
  });

  it('are not those of a resource that is extended elsewhere, of which development tells', async () => {
    expectWarning(/Todo\/done is not kept/);
    const Extended = TodoResource.extend('done', { path: '/todos/:id/done', method: 'POST', body: undefined });
    const tab = openTab(makeServer(), newName(), { isOnline: false });
    await tab.queue.ready;

    await tab.store.dispatch(Extended.done({ id: 1 }));

    expect(tab.state().entries).toEqual([]);
  });

  it('of a part that is loaded later wait until it is added, and let pass only what shares nothing with them', async () => {
    const name = newName();
    const server = makeServer();
    const before = openTab(server, name, { isOnline: false });
    await before.queue.ready;
    void before.store.dispatch(NoteResource.getList.push({ todoId: 1 }, { text: 'Later' }));
    void before.store.dispatch(partialUpdate({ id: 1 }, { title: 'Now' }));
    await until(() => before.state().size === 2 && before.state().entries.every(({ isDurable }) => isDurable));
    await before.kill();

    const after = openTab(server, name, { resources: [TodoResource] });
    await after.queue.ready;
    await until(() => after.state().size === 1);
    const first = writesTo(server);
    after.queue.add([NoteResource]);
    await untilSent(after);

    expect(first).toEqual(['PATCH /todos/1']);
    expect(writesTo(server)).toEqual(['PATCH /todos/1', 'POST /todos/1/notes']);
  });

  it('are found by what they are about', async () => {
    const tab = openTab(makeServer(), newName(), { isOnline: false });
    await tab.queue.ready;
    void tab.store.dispatch(partialUpdate({ id: 1 }, { title: 'One' }));
    void tab.store.dispatch(partialUpdate({ id: 2 }, { title: 'Two' }));

    const ofTwo = tab.read(tab.queue.selectFor(Todo, 2));

    expect(ofTwo.map(({ args }) => args)).toEqual([[{ id: 2 }, { title: 'Two' }]]);
    expect(tab.read(tab.queue.selectFor(Todo, 2))).toBe(ofTwo);
    expect(tab.read(tab.queue.selectFor(Todo, 3))).toEqual([]);
  });

  it('warns once of a body that looks secret', async () => {
    expectWarning(/sends "password", and the outbox keeps that on the disk/);
    const tab = openTab(makeServer(), newName(), { isOnline: false });
    await tab.queue.ready;

    void tab.store.dispatch(partialUpdate({ id: 1 }, { password: 'x' } as never));
    void tab.store.dispatch(partialUpdate({ id: 1 }, { password: 'y' } as never));

    expect(tab.state().size).toBe(2);
  });

  it.each([
    ['an envelope', () => ({ user: { name: 'Ada', password: 'x' } })],
    ['a form', () => formOf('password', 'x')],
    ['URLSearchParams', () => new URLSearchParams({ password: 'x' })],
  ])('warns of what looks secret in %s', async (what, makeBody) => {
    expectWarning(/sends "password", and the outbox keeps that on the disk/);
    const login = new RestEndpoint({ path: '/logins', method: 'POST', name: `login by ${what}`, schema: undefined });
    const tab = openTab(makeServer(login), newName(), { isOnline: false, resources: [login] });
    await tab.queue.ready;

    void tab.store.dispatch(login(makeBody() as never));

    expect(tab.state().size).toBe(1);
  });
});

describe('an outbox', () => {
  it('needs resources', () => {
    expect(() => outbox({ name: newName(), resources: [] })).toThrow(/R41/);
  });

  it('says so where its resources are of another copy of the package', async () => {
    vi.resetModules();
    const another = await import('rtk-resource');
    class Thing extends another.Entity {
      id = 0;
      static override key = 'Thing';
    }
    const Things = another.createResource({ path: '/things/:id', schema: Thing });

    expect(() => outbox({ name: newName(), resources: [Things] })).toThrow(
      /^Thing\/.* belongs to another copy of rtk-resource.*R21/s,
    );
  });

  it('is closed by a new one of its name, as when a module is loaded anew', async () => {
    expectWarning(/so the first is closed/);
    const name = newName();
    const server = makeServer();
    const before = openTab(server, name, { isOnline: false });
    await before.queue.ready;
    void before.store.dispatch(partialUpdate({ id: 1 }, { title: 'Kept' }));
    await until(() => before.state().entries[0]?.isDurable);

    const after = openTab(server, name);
    await after.queue.ready;
    await untilSent(after);

    expect(writesTo(server)).toEqual(['PATCH /todos/1']);
  });

  it('belongs to one store', () => {
    const queue = outbox({ name: newName(), resources: [TodoResource] });
    setup({ outbox: queue });
    expect(() => setup({ outbox: queue })).toThrow(/R42/);
  });

  it('touches nothing global when it is imported', async () => {
    vi.resetModules();
    const names = ['indexedDB', 'navigator', 'BroadcastChannel', 'window', 'document', 'localStorage'];
    const touched: string[] = [];
    for (const name of names) {
      const there = Object.getOwnPropertyDescriptor(globalThis, name);
      Object.defineProperty(globalThis, name, { configurable: true, get: () => void touched.push(name) });
      await import('../../src/offline/index.js');
      if (there) Object.defineProperty(globalThis, name, there);
      else Reflect.deleteProperty(globalThis, name);
      vi.resetModules();
    }

    expect(touched).toEqual([]);
  });

  it('leaves a state without an outbox as it was', () => {
    expect(setup().slice()).not.toHaveProperty('outbox');
  });
});
