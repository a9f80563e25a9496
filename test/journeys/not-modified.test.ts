import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const server = await serverOfFile();

const hooks: string[] = [];
const search: { readonly tag?: string; readonly page?: number } = {};
const Notes = createResource({
  urlPrefix: server.url,
  path: '/notes/:id',
  schema: Note,
  searchParams: search,
  paginationField: 'page',
  dataExpiryLength: 60_000,
  getHeaders: (headers) => ({ ...headers, 'If-None-Match': '"1"' }),
  process: (value: unknown) => {
    hooks.push('process');

    return value;
  },
});
const id = { id: 1 };
const unchanged = { status: 304, headers: { etag: '"1"' } };

async function setupNotes() {
  const tools = setup();
  server.answer('GET /notes/1', { json: { id: 1, text: 'one' } });
  server.answer('GET /notes', { json: [{ id: 1, text: 'one' }] });
  await tools.store.dispatch(Notes.get(id));
  await tools.store.dispatch(Notes.getList());
  server.forget();
  hooks.length = 0;

  return tools;
}

describe('an answer 304', () => {
  it('is fulfilled with the very same objects, which are fresh again', async () => {
    const { store, read, resources, slice } = await setupNotes();
    const [before, { tables }] = [read(Notes.get.select(id)), slice()];
    store.dispatch(resources.expire(Notes.get, id));
    server.answer('GET /notes/1', unchanged);

    const promise = store.dispatch(Notes.get.ifStale(id));

    expect((await promise).meta.requestStatus).toBe('fulfilled');
    expect(await promise.unwrap()).toBe(before);
    expect(read(Notes.get.selectRequest(id))).toMatchObject({ status: 'fulfilled', isStale: false, isError: false });
    expect(slice().tables).toBe(tables);
  });

  it('passes by parseResponse and process', async () => {
    const { store } = await setupNotes();
    server.answer('GET /notes', unchanged);

    const list = await store.dispatch(Notes.getList()).unwrap();

    expect(list.map(({ text }) => text)).toEqual(['one']);
    expect(hooks).toEqual([]);
  });

  it('is fulfilled also for an adapter of your own', async () => {
    const { store, read } = await setupNotes();
    const Adapted = Notes.get.extend({ fetchResponse: () => Promise.resolve(new Response(null, { status: 304 })) });

    expect(await store.dispatch(Adapted(id)).unwrap()).toBe(read(Notes.get.select(id)));
  });

  it('leaves a guess on top, and an edit that was confirmed meanwhile', async () => {
    const { store, read } = await setupNotes();
    const promise = store.dispatch(Notes.get(id));
    await server.holding('GET /notes/1');
    server.answer('PATCH /notes/1', { json: { id: 1, text: 'edited' } });
    await store.dispatch(Notes.partialUpdate(id, { text: 'edited' }));

    await server.release('GET /notes/1', unchanged);
    await promise;

    expect(read(Notes.get.select(id))?.text).toBe('edited');
  });

  it.each([
    ['nobody has asked before', () => setup()],
    [
      'its answer was taken away',
      async () => {
        const tools = await setupNotes();
        tools.store.dispatch(tools.resources.invalidate(Notes.get, id));

        return tools;
      },
    ],
  ])('is rejected where %s', async (_, make) => {
    const { store } = await make();
    server.answer('GET /notes/1', unchanged);

    const { error } = await store.dispatch(Notes.get(id));

    expect(error).toMatchObject({ name: 'NetworkError', status: 304 });
    expect(error?.message).toMatch(/no answer here that could still hold/);
  });

  it('is rejected without a store, and to a write', async () => {
    const { store } = await setupNotes();
    server.answer(/\/notes\/1/, unchanged);

    await expect(Notes.get.fetch(id)).rejects.toMatchObject({ name: 'NetworkError', status: 304 });
    expect((await store.dispatch(Notes.partialUpdate(id, { text: 'new' }))).error).toMatchObject({ status: 304 });
  });
});

describe('a list that is fetched again', () => {
  it('with all its pages sends no tags', async () => {
    const { store, resources, read } = await setupNotes();
    server.answer(/GET \/notes/, ({ query, headers }) =>
      headers['if-none-match'] === undefined || query !== ''
        ? { json: query === '' ? [{ id: 1, text: 'one' }] : [{ id: 2, text: 'two' }] }
        : unchanged,
    );
    await store.dispatch(Notes.getList.getNextPage());
    store.dispatch(resources.expireAll(Notes.getList));
    const count = server.received.length;

    await store.dispatch(Notes.getList.ifStale()).unwrap();

    expect(server.received.slice(count).map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined]);
    expect(read(Notes.getList.selectRequest())).toMatchObject({ isStale: false, isError: false });
  });

  it('and is made of one page may be unchanged', async () => {
    const { store, resources, read } = await setupNotes();
    const before = read(Notes.getList.select());
    store.dispatch(resources.expireAll(Notes.getList));
    server.answer('GET /notes', unchanged);

    expect(await store.dispatch(Notes.getList.ifStale()).unwrap()).toBe(before);
    expect(read(Notes.getList.selectRequest()).isStale).toBe(false);
  });
});
