import { createResource, Entity, NetworkError, RestEndpoint } from 'rtk-resource';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeNetwork, pass, type Network } from '../support/network.js';
import { setup, typesOf } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const options = { path: '/notes/:id', schema: Note } as const;
const Notes = createResource(options);
const id = { id: 5 };
const minute = 60_000;

let network: Network;
beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-01-05T10:00:00Z') });
  network = fakeNetwork();
  network.answer('GET /notes/5', { json: { id: 5, text: 'five' } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function setupWithNote(...given: Parameters<typeof setup>) {
  const tools = setup(...given);
  await tools.store.dispatch(Notes.get(id)).unwrap();

  return { ...tools, state: () => tools.read(Notes.get.selectRequest(id)) };
}

describe('an answer', () => {
  it('is fresh for a minute, and stale from then on', async () => {
    const { store, state } = await setupWithNote();

    await pass(minute - 1);
    expect(state()).toMatchObject({ isStale: false, status: 'fulfilled' });
    await store.dispatch(Notes.get.ifStale(id));
    expect(network.calls).toHaveLength(1);

    await pass(1);
    expect(state()).toMatchObject({ isStale: true, status: 'fulfilled', data: { text: 'five' } });
    await store.dispatch(Notes.get.ifStale(id));
    expect(network.calls).toHaveLength(2);
    expect(state().isStale).toBe(false);
  });

  it('begins a new minute with each new answer', async () => {
    const { store, state } = await setupWithNote();
    await pass(minute - 1);
    await store.dispatch(Notes.get(id));

    await pass(minute - 1);

    expect(state().isStale).toBe(false);
  });

  it('is as long fresh as its endpoint says, else its resource, else the store', async () => {
    const ofResource = createResource({ ...options, name: 'Of', dataExpiryLength: 200 });
    const ofEndpoint = ofResource.get.extend({ name: 'Of/one', dataExpiryLength: 100 });
    const { store, read } = await setupWithNote({ dataExpiryLength: 300 });
    await store.dispatch(ofResource.get(id));
    await store.dispatch(ofEndpoint(id));
    const areStale = () =>
      [ofEndpoint, ofResource.get, Notes.get].map((endpoint) => read(endpoint.selectRequest(id)).isStale);

    expect(areStale()).toEqual([false, false, false]);
    await pass(100);
    expect(areStale()).toEqual([true, false, false]);
    await pass(100);
    expect(areStale()).toEqual([true, true, false]);
    await pass(100);
    expect(areStale()).toEqual([true, true, true]);
  });

  it('is as long fresh as the class of its endpoint says, unless an option says otherwise', async () => {
    class Slow extends RestEndpoint {
      override dataExpiryLength = 100;
    }
    const ByClass = createResource({ ...options, name: 'ByClass', Endpoint: Slow });
    const ByOption = createResource({ ...options, name: 'ByOption', Endpoint: Slow, dataExpiryLength: 200 });
    const { store, read } = setup();
    await store.dispatch(ByClass.get(id));
    await store.dispatch(ByOption.get(id));

    await pass(100);

    expect(read(ByClass.get.selectRequest(id)).isStale).toBe(true);
    expect(read(ByOption.get.selectRequest(id)).isStale).toBe(false);
  });

  it('keeps its default where a setting of the store is left open', async () => {
    const { state } = await setupWithNote({ dataExpiryLength: undefined });

    expect(state().isStale).toBe(false);
  });

  it('stays fresh for good where the length is Infinity', async () => {
    const { state } = await setupWithNote({ dataExpiryLength: Infinity });

    await pass(100 * 365 * 24 * 60 * minute);

    expect(state().isStale).toBe(false);
  });

  it('that is fresh for good is so in a state that was written down as JSON', async () => {
    const { slice } = await setupWithNote({ dataExpiryLength: Infinity });
    const { store, resources, read } = setup();

    store.dispatch(resources.hydrate(JSON.parse(JSON.stringify(slice())) as ReturnType<typeof slice>));

    expect(read(Notes.get.selectRequest(id))).toMatchObject({ isStale: false, data: { text: 'five' } });
  });

  it('is stale at once where the length is 0, and shown all the same', async () => {
    const { store, state } = await setupWithNote({ dataExpiryLength: 0 });
    expect(state()).toMatchObject({ isStale: true, data: { text: 'five' } });

    await store.dispatch(Notes.get.ifStale(id));

    expect(network.calls).toHaveLength(2);
  });

  it('that was taken in by setResponse is as fresh as one from the server', async () => {
    const { store, resources, read } = setup();
    store.dispatch(resources.setResponse(Notes.get, id, { id: 5, text: 'given' }));

    await pass(minute - 1);
    await store.dispatch(Notes.get.ifStale(id));
    expect(network.calls).toEqual([]);

    await pass(1);
    await store.dispatch(Notes.get.ifStale(id));
    expect(read(Notes.get.select(id))?.text).toBe('five');
  });

  it('without content is fresh too', async () => {
    network.answer('GET /notes/6', { status: 204 });
    const { store } = setup();
    await store.dispatch(Notes.get({ id: 6 }));

    const value = await store.dispatch(Notes.get.ifStale({ id: 6 })).unwrap();

    expect(value).toBeUndefined();
    expect(network.calls).toHaveLength(1);
  });
});

describe('ifStale', () => {
  it('answers from fresh data: no action, the very object, and a promise that says so', async () => {
    const { store, actions, read } = await setupWithNote();
    const before = actions.length;

    const promise = store.dispatch(Notes.get.ifStale(id));

    expect(await promise.unwrap()).toBe(read(Notes.get.select(id)));
    expect((await promise).meta.condition).toBe(true);
    expect(actions).toHaveLength(before);
    expect(network.calls).toHaveLength(1);
  });

  it('joins an identical read that is under way', async () => {
    const { store } = setup();

    const first = store.dispatch(Notes.get(id));
    const second = store.dispatch(Notes.get.ifStale(id));

    expect(second.requestId).toBe(first.requestId);
    expect(await second.unwrap()).toBe(await first.unwrap());
    expect(network.calls).toHaveLength(1);
  });

  it('fetches what was deleted since', async () => {
    const { store } = await setupWithNote();
    network.answer('DELETE /notes/5', { status: 204 });
    await store.dispatch(Notes.delete(id));

    await store.dispatch(Notes.get.ifStale(id));

    expect(network.calls).toEqual(['GET /notes/5', 'DELETE /notes/5', 'GET /notes/5']);
  });
});

describe('invalidIfStale', () => {
  const Strict = createResource({ ...options, name: 'Strict', invalidIfStale: true, dataExpiryLength: 100 });

  async function setupStrict() {
    const tools = setup();
    await tools.store.dispatch(Strict.get(id));

    return tools;
  }

  it('takes away what has grown stale, and leaves the row where others read it', async () => {
    const { read, resources } = await setupStrict();
    await pass(99);
    expect(read(Strict.get.select(id))?.text).toBe('five');

    await pass(1);

    expect(read(Strict.get.select(id))).toBeUndefined();
    expect(read(Strict.get.selectRequest(id))).toMatchObject({ isStale: true, data: undefined });
    expect(read(resources.selectEntity(Note, 5))?.text).toBe('five');
  });

  it('makes the next read a first load', async () => {
    const { store, read } = await setupStrict();
    await pass(100);

    const promise = store.dispatch(Strict.get.ifStale(id));

    expect(read(Strict.get.selectRequest(id))).toMatchObject({ isLoading: true, data: undefined });
    const value = await promise.unwrap();
    expect(value.text).toBe('five');
    expect(read(Strict.get.select(id))).toBe(value);
  });

  it('can be said for a whole store', async () => {
    const { read } = await setupWithNote({ invalidIfStale: true });

    await pass(minute);

    expect(read(Notes.get.select(id))).toBeUndefined();
  });

  it('has it fetched for those who are subscribed as soon as it is stale', async () => {
    const { store, read } = await setupStrict();
    const { unsubscribe } = store.dispatch(Strict.get.subscribe(id));

    await pass(100);
    await pass();

    expect(read(Strict.get.select(id))?.text).toBe('five');
    expect(network.calls).toHaveLength(2);
    unsubscribe();
  });

  it('does not fetch in circles where the length is 0', async () => {
    const Circle = createResource({ ...options, name: 'Circle', invalidIfStale: true, dataExpiryLength: 0 });
    const { store } = setup();
    const { unsubscribe } = store.dispatch(Circle.get.subscribe(id));

    for (let i = 0; i < 20; i++) await pass(1);
    unsubscribe();

    expect(network.calls).toHaveLength(1);
  });

  it('lets go of its timer with the last who is subscribed', async () => {
    const { store } = setup({ unusedDataExpiryLength: Infinity });
    const { unsubscribe } = store.dispatch(Strict.get.subscribe(id));
    await pass();
    expect(vi.getTimerCount()).toBe(1);

    unsubscribe();

    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a failure', () => {
  async function setupFailed(...given: Parameters<typeof setup>) {
    const tools = setup(...given);
    network.answer('GET /notes/9', { status: 500, json: { why: 'no' } });
    const why = (reason: unknown) => reason;
    const fail = () =>
      tools.store
        .dispatch(Notes.get({ id: 9 }))
        .unwrap()
        .catch(why);
    const again = () =>
      tools.store
        .dispatch(Notes.get.ifStale({ id: 9 }))
        .unwrap()
        .catch(why);

    return { ...tools, fail, again, error: await fail() };
  }

  it('stands for a second: ifStale rejects with the very error, and sends nothing', async () => {
    const { actions, again, error } = await setupFailed();
    const before = actions.length;
    expect(error).toBeInstanceOf(NetworkError);

    await pass(999);
    expect(await again()).toBe(error);
    expect(network.calls).toHaveLength(1);
    expect(actions).toHaveLength(before);

    await pass(1);
    expect(await again()).not.toBe(error);
    expect(network.calls).toHaveLength(2);
  });

  it('is tried again whenever the endpoint itself is dispatched', async () => {
    const { fail } = await setupFailed();

    await fail();

    expect(network.calls).toHaveLength(2);
  });

  it('is tried again at once where errorExpiryLength is 0', async () => {
    const { again } = await setupFailed({ errorExpiryLength: 0 });

    await again();

    expect(network.calls).toHaveLength(2);
  });

  it('stands for good where errorExpiryLength is Infinity', async () => {
    const { again, error } = await setupFailed({ errorExpiryLength: Infinity });

    await pass(365 * 24 * 60 * minute);

    expect(await again()).toBe(error);
  });

  it('counts as long as its endpoint says', async () => {
    const Patient = Notes.get.extend({ name: 'Note/patient', errorExpiryLength: 5_000 });
    const { store } = await setupFailed({ errorExpiryLength: 0 });
    await store.dispatch(Patient({ id: 9 }));

    await pass(4_999);
    await store.dispatch(Patient.ifStale({ id: 9 }));
    expect(network.calls).toHaveLength(2);

    await pass(1);
    await store.dispatch(Patient.ifStale({ id: 9 }));
    expect(network.calls).toHaveLength(3);
  });

  it('is over with the next answer', async () => {
    const { store, fail, read } = await setupFailed();
    network.answer('GET /notes/9', { json: { id: 9, text: 'nine' } });

    await fail();
    const value = await store.dispatch(Notes.get.ifStale({ id: 9 })).unwrap();

    expect(value.text).toBe('nine');
    expect(read(Notes.get.selectRequest({ id: 9 }))).toMatchObject({ isError: false, error: undefined });
    expect(network.calls).toHaveLength(2);
  });

  it('of a refetch leaves fresh data an answer', async () => {
    const { store } = await setupWithNote();
    network.answer('GET /notes/5', { status: 500 });
    await store.dispatch(Notes.get(id));

    const value = await store.dispatch(Notes.get.ifStale(id)).unwrap();

    expect(value.text).toBe('five');
  });

  it('of a refetch leaves stale data to be seen, with the error', async () => {
    const { store, state } = await setupWithNote();
    await pass(minute);
    network.answer('GET /notes/5', { status: 500 });

    const error: unknown = await store
      .dispatch(Notes.get.ifStale(id))
      .unwrap()
      .catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(NetworkError);
    expect(state()).toMatchObject({ isStale: true, isError: true, error: { status: 500 }, data: { text: 'five' } });
  });

  it('of an item that a list brings later stands for a second, too, and is tried again then', async () => {
    const { store, again, error } = await setupFailed();
    network.answer('GET /notes', { json: [{ id: 9, text: 'nine' }] });
    await store.dispatch(Notes.getList());

    await pass(999);
    expect(await again()).toBe(error);
    expect(network.calls).toEqual(['GET /notes/9', 'GET /notes']);

    await pass(1);
    network.answer('GET /notes/9', { json: { id: 9, text: 'nine!' } });
    expect(await again()).toMatchObject({ text: 'nine!' });
  });

  it('of an item that a list brings later is tried again once by who comes after a second', async () => {
    const { store, read } = await setupFailed();
    network.answer('GET /notes', { json: [{ id: 9, text: 'nine' }] });
    await store.dispatch(Notes.getList());
    await pass(1_000);
    network.forget();

    const { unsubscribe } = store.dispatch(Notes.get.subscribe({ id: 9 }));
    await pass(10_000);
    unsubscribe();

    expect(network.calls).toEqual(['GET /notes/9']);
    expect(read(Notes.get.selectRequest({ id: 9 }))).toMatchObject({ isError: true, data: { text: 'nine' } });
  });

  it('is still the very error after another try was aborted', async () => {
    const { store, again, error } = await setupFailed({ errorExpiryLength: minute });
    const promise = store.dispatch(Notes.get({ id: 9 }));
    promise.abort();
    await promise;

    expect(await again()).toBe(error);
  });

  it('from another process is an error with the same fields', async () => {
    const { slice } = await setupFailed({ errorExpiryLength: minute });
    const { store, resources } = setup();
    store.dispatch(resources.hydrate(JSON.parse(JSON.stringify(slice())) as ReturnType<typeof slice>));

    const error: unknown = await store
      .dispatch(Notes.get.ifStale({ id: 9 }))
      .unwrap()
      .catch((reason: unknown) => reason);

    expect(error).toMatchObject({ name: 'NetworkError', status: 500, data: { why: 'no' } });
  });
});

describe('what is said to be no good', () => {
  const other = { id: 6 };

  async function setupNotes() {
    const tools = await setupWithNote();
    network.answer('GET /notes/6', { json: { id: 6, text: 'six' } });
    network.answer('GET /notes', {
      json: [
        { id: 5, text: 'five' },
        { id: 6, text: 'six' },
      ],
    });
    await tools.store.dispatch(Notes.get(other));
    await tools.store.dispatch(Notes.getList());
    network.forget();
    const texts = () => tools.read(Notes.getList.select())?.map(({ text }) => text);

    return { ...tools, texts };
  }

  it('by invalidate is gone for that read alone: the others, and the lists with its row, stay', async () => {
    const { store, resources, read, texts } = await setupNotes();

    store.dispatch(resources.invalidate(Notes.get, id));

    expect(read(Notes.get.select(id))).toBeUndefined();
    expect(read(Notes.get.selectRequest(other))).toMatchObject({ isStale: false, data: { text: 'six' } });
    expect(texts()).toEqual(['five', 'six']);
  });

  it('by invalidate is fetched by ifStale, as a first load', async () => {
    const { store, resources, read } = await setupNotes();
    store.dispatch(resources.invalidate(Notes.get, id));

    const promise = store.dispatch(Notes.get.ifStale(id));
    await pass();
    expect(read(Notes.get.selectRequest(id))).toMatchObject({ isLoading: true });
    await network.release('GET /notes/5', { json: { id: 5, text: 'new' } });

    expect((await promise.unwrap()).text).toBe('new');
    expect(read(Notes.get.select(id))?.text).toBe('new');
  });

  it('by invalidate, though it was never asked for, is not answered from a list', async () => {
    const { store, resources, read } = setup();
    network.answer('GET /notes', { json: [{ id: 5, text: 'five' }] });
    await store.dispatch(Notes.getList());
    expect(read(Notes.get.select(id))?.text).toBe('five');

    store.dispatch(resources.invalidate(Notes.get, id));
    expect(read(Notes.get.select(id))).toBeUndefined();

    await store.dispatch(Notes.get.ifStale(id));
    expect(network.calls).toEqual(['GET /notes', 'GET /notes/5']);
  });

  it('by invalidate while it is under way is given to who has asked for it, and shown to nobody', async () => {
    const { store, resources, read } = await setupNotes();

    const promise = store.dispatch(Notes.get(id));
    await pass();
    store.dispatch(resources.invalidate(Notes.get, id));
    await network.release('GET /notes/5', { json: { id: 5, text: 'new' } });

    expect((await promise.unwrap()).text).toBe('new');
    expect(read(Notes.get.select(id))).toBeUndefined();
  });

  it('by invalidateAll is gone whatever its arguments, and nothing of other endpoints is', async () => {
    const { store, resources, read, texts } = await setupNotes();

    store.dispatch(resources.invalidateAll(Notes.get));

    expect(read(Notes.get.select(id))).toBeUndefined();
    expect(read(Notes.get.select(other))).toBeUndefined();
    // Its name begins with that of the other.
    expect(texts()).toEqual(['five', 'six']);
  });

  it('by expireAll is shown still, stale, and fetched by ifStale', async () => {
    const { store, resources, read } = await setupNotes();

    store.dispatch(resources.expireAll(Notes.get));
    void store.dispatch(Notes.get.ifStale(id));
    void store.dispatch(Notes.get.ifStale(other));
    void store.dispatch(Notes.getList.ifStale());
    await pass();

    expect(read(Notes.get.selectRequest(id))).toMatchObject({ isStale: true, data: { text: 'five' } });
    expect(read(Notes.getList.selectRequest()).isStale).toBe(false);
    expect(network.calls).toEqual(['GET /notes/5', 'GET /notes/6']);
  });

  it('by expire is shown still, stale, and fetched by ifStale and subscribers; others are as they were', async () => {
    const { store, resources, read } = await setupNotes();

    store.dispatch(resources.expire(Notes.get, id));
    const stale = read(Notes.get.selectRequest(id));
    void store.dispatch(Notes.get.ifStale(id));
    void store.dispatch(Notes.get.ifStale(other));
    await pass();
    const calls = [...network.calls];
    await network.release('GET /notes/5', { json: { id: 5, text: 'anew' } });
    const { unsubscribe } = store.dispatch(Notes.get.subscribe(id));
    store.dispatch(resources.expire(Notes.get, id));
    await pass();
    unsubscribe();

    expect(stale).toMatchObject({ isStale: true, data: { text: 'five' } });
    expect(calls).toEqual(['GET /notes/5']);
    expect(network.calls).toEqual(['GET /notes/5', 'GET /notes/5']);
  });

  it('by expire is fetched also where a list has brought it', async () => {
    network.answer('GET /notes', { json: [{ id: 5, text: 'five' }] });
    network.answer('GET /notes/5', { json: { id: 5, text: 'anew' } });
    const { store, resources, read } = setup();
    await store.dispatch(Notes.getList());
    const before = await store.dispatch(Notes.get.ifStale(id));

    store.dispatch(resources.expire(Notes.get, id));
    const stale = read(Notes.get.selectRequest(id));
    await store.dispatch(Notes.get.ifStale(id));

    expect(before.meta.condition).toBe(true);
    expect(stale).toMatchObject({ status: 'uninitialized', isStale: true, data: { text: 'five' } });
    expect(read(Notes.get.selectRequest(id))).toMatchObject({ isStale: false, data: { text: 'anew' } });
  });

  it('is not made good by a read that had started before', async () => {
    const { store, resources, read } = await setupNotes();
    const early = store.dispatch(Notes.get(id));
    await pass();

    store.dispatch(resources.expireAll(Notes.get));
    await network.release('GET /notes/5', { json: { id: 5, text: 'as it was' } });
    await early;

    expect(read(Notes.get.selectRequest(id)).isStale).toBe(true);
  });

  it('is not made good by a read that had started before, where it was invalidated', async () => {
    const { store, resources } = await setupNotes();
    const early = store.dispatch(Notes.get(id));
    await pass();

    store.dispatch(resources.invalidate(Notes.get, id));
    await network.release('GET /notes/5', { json: { id: 5, text: 'as it was' } });
    await early;
    void store.dispatch(Notes.get.ifStale(id));
    await pass();

    expect(network.calls).toEqual(['GET /notes/5', 'GET /notes/5']);
  });

  it('is shown by a write of the user, which makes nothing fresh', async () => {
    const { store, resources, read } = await setupNotes();
    await pass(minute);

    store.dispatch(resources.set(Note, { id: 5, text: 'from a socket' }));

    expect(read(Notes.get.selectRequest(id))).toMatchObject({ isStale: true, data: { text: 'from a socket' } });
  });
});

describe('what reset leaves', () => {
  it('is nothing: no data, no failure, and no answer to ifStale', async () => {
    const { store, resources, read, slice } = await setupWithNote({ errorExpiryLength: minute });
    network.answer('GET /notes/9', { status: 500 });
    await store.dispatch(Notes.get({ id: 9 }));

    store.dispatch(resources.reset());

    expect(read(Notes.get.selectRequest(id)).status).toBe('uninitialized');
    expect(slice()).toMatchObject({ tables: {}, requests: { n: 0 } });
    await store.dispatch(Notes.get.ifStale(id));
    await store.dispatch(Notes.get.ifStale({ id: 9 }));
    expect(network.calls).toEqual(['GET /notes/5', 'GET /notes/9', 'GET /notes/5', 'GET /notes/9']);
  });

  it('is one fetch for each that is subscribed', async () => {
    const { store, resources, read, actions } = await setupWithNote();
    store.dispatch(Notes.get.subscribe(id));
    network.answer('GET /notes/5', { json: { id: 5, text: 'anew' } });

    store.dispatch(resources.reset());
    await pass();

    expect(read(Notes.get.select(id))?.text).toBe('anew');
    expect(network.calls).toHaveLength(2);
    expect(typesOf(actions).slice(-3)).toEqual(['resources/reset', 'Note/get/pending', 'Note/get/fulfilled']);
  });
});
