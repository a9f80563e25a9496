import { createResource, Entity, RestEndpoint } from 'rtk-resource';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { counted, setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const server = await serverOfFile();
afterEach(() => {
  vi.useRealTimers();
});

const Notes = createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note });
const { get } = Notes;
const id = { id: 5 };
const reply = { json: { id: 5, text: 'five' } };

/** A store, and how the request for one note stands in it. */
function setupNote() {
  const tools = setup();

  return { ...tools, state: () => tools.read(get.selectRequest(id)) };
}

/** The same, with the note fetched. */
async function setupFetched() {
  const tools = setupNote();
  server.answer('GET /notes/5', reply);
  await tools.store.dispatch(get(id));
  server.forget();

  return tools;
}

/** The same, after a first load that has failed. */
async function setupFailed() {
  const tools = setupNote();
  server.answer('GET /notes/5', { status: 500 });
  await tools.store.dispatch(get(id));
  server.forget();

  return tools;
}

describe('isSuccess', () => {
  it('says that there is data, and stays true while it is fetched again', async () => {
    const { store, state } = await setupFetched();
    expect(state()).toMatchObject({ isSuccess: true, isFetching: false });

    const promise = store.dispatch(get(id));

    expect(state()).toMatchObject({ status: 'pending', isSuccess: true, isFetching: true, isLoading: false });

    await server.release('GET /notes/5', reply);
    await promise;

    expect(state()).toMatchObject({ status: 'fulfilled', isSuccess: true });
  });

  it('says so of data that other answers have brought', () => {
    const { store, resources, state } = setupNote();

    store.dispatch(resources.set(Note, { id: 5, text: 'from a socket' }));

    expect(state()).toMatchObject({ status: 'uninitialized', isSuccess: true, data: { text: 'from a socket' } });
  });

  it('is false once a refetch has failed, though the data is there', async () => {
    const { store, state } = await setupFetched();
    server.answer('GET /notes/5', { status: 500 });

    await store.dispatch(get(id));

    expect(state()).toMatchObject({ isSuccess: false, isError: true, data: { text: 'five' }, error: { status: 500 } });
  });

  it('is true of an answer without content', async () => {
    const { store, read } = setup();
    const Ping = new RestEndpoint({ urlPrefix: server.url, path: '/ping', name: 'ping' });
    server.answer('GET /ping', { status: 204 });

    await store.dispatch(Ping());

    expect(read(Ping.selectRequest())).toMatchObject({ status: 'fulfilled', isSuccess: true, data: undefined });
  });

  it('of a write is false before its answer, though what it is about is there', async () => {
    const { store, read } = await setupFetched();
    const body = { text: 'new' };

    const promise = store.dispatch(Notes.update(id, body));

    expect(read(Notes.update.selectRequest(id, body))).toMatchObject({ isLoading: true, isSuccess: false });
    expect(read(Notes.update.selectRequest(id, body)).data).toBeUndefined();

    await server.release('PUT /notes/5', { json: { id: 5, text: 'new' } });
    await promise;

    expect(read(Notes.update.selectRequest(id, body))).toMatchObject({ isSuccess: true, data: { text: 'new' } });
  });
});

describe('isError', () => {
  it('says that the newest answer was a failure, and stays true until the next', async () => {
    const { store, state } = await setupFailed();
    expect(state()).toMatchObject({ status: 'rejected', isError: true, isLoading: false });

    const promise = store.dispatch(get(id));

    expect(state()).toMatchObject({ status: 'pending', isError: true, isFetching: true, error: { status: 500 } });
    expect(state()).toMatchObject({ isLoading: false, isSuccess: false });

    await server.release('GET /notes/5', reply);
    await promise;

    expect(state()).toMatchObject({ status: 'fulfilled', isError: false, isSuccess: true });
    expect(state().error).toBeUndefined();
  });

  it('is left as it was by a cancelled try', async () => {
    const { store, state } = await setupFailed();

    const promise = store.dispatch(get(id));
    promise.abort();
    await promise;

    expect(state()).toMatchObject({ status: 'rejected', isError: true });
  });
});

describe('data that is gone', () => {
  it.each([
    ['invalidated', 'invalidate'],
    ['deleted', 'delete'],
  ] as const)('because it was %s is as if it was never asked for', async (_, how) => {
    const { store, resources, state } = await setupFetched();
    server.answer('DELETE /notes/5', { status: 204 });

    if (how === 'delete') await store.dispatch(Notes.delete(id));
    else store.dispatch(resources.invalidate(get, id));

    expect(state()).toMatchObject({ status: 'uninitialized', isSuccess: false, isError: false, isLoading: false });
    expect(state().data).toBeUndefined();
  });

  it('is a first load when it is fetched again', async () => {
    const { store, resources, state } = await setupFetched();
    store.dispatch(resources.invalidate(get, id));

    const promise = store.dispatch(get(id));

    expect(state()).toMatchObject({ status: 'pending', isLoading: true });

    await server.release('GET /notes/5', reply);
    await promise;
  });
});

describe('the state of a request', () => {
  it('is the same object until something of it changes', async () => {
    const { store, resources, state } = await setupFetched();
    const before = state();

    store.dispatch(counted());
    store.dispatch(resources.set(Note, { id: 6, text: 'six' }));

    expect(state()).toBe(before);

    store.dispatch(resources.set(Note, { id: 5, text: 'new' }));

    expect(state()).not.toBe(before);
    expect(state()).toMatchObject({ data: { text: 'new' } });
  });

  it('becomes stale by time alone, though nothing is dispatched', async () => {
    const { read } = await setupFetched();
    const select = get.selectRequest(id);
    expect(read(select).isStale).toBe(false);

    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 60_000);

    expect(read(select).isStale).toBe(true);
  });

  it('drops by time alone what counts as missing when it is stale, whoever has brought it', async () => {
    const { store, resources, read } = setup();
    const Strict = get.extend({ name: 'Note/strict', invalidIfStale: true, dataExpiryLength: 1_000 });
    const [own, brought] = [Strict.selectRequest(id), Strict.selectRequest({ id: 6 })];
    server.answer('GET /notes/5', reply);
    await store.dispatch(Strict(id));
    store.dispatch(resources.set(Note, { id: 6, text: 'six' }));
    expect([read(own).data?.text, read(brought).data?.text]).toEqual(['five', 'six']);

    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 1_000);

    expect([read(own), read(brought)]).toMatchObject([{ data: undefined }, { data: undefined }]);
  });

  it('is that of the store which is read, by one selector for many', async () => {
    const one = await setupFetched();
    const other = setupNote();
    const select = get.selectRequest(id);

    const states = [one.read(select), other.read(select), one.read(select)];

    expect(states.map(({ status }) => status)).toEqual(['fulfilled', 'uninitialized', 'fulfilled']);
  });

  it('tells of an edit that is not confirmed, until it is', async () => {
    const { store, read, state } = await setupFetched();
    const select = get.selectRequest(id);
    const edit = Notes.partialUpdate.extend({ optimistic: true });
    const seen = [read(select).isOptimistic];

    const promise = store.dispatch(edit(id, { text: 'new' }));
    seen.push(read(select).isOptimistic);
    await server.release('PATCH /notes/5', { json: { id: 5, text: 'new' } });
    await promise;
    seen.push(read(select).isOptimistic);

    expect(seen).toEqual([false, true, false]);
    expect(read(select)).toBe(state());
  });
});
