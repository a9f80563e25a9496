import { Collection, createResource, Entity, NetworkError, RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Note extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const server = await serverOfFile();

const Notes = createResource({ urlPrefix: server.url, path: '/notes/:id', schema: Note, optimistic: true });
/** Who is found, only the server knows. */
const found = new Collection([Note], { name: 'found', belongs: () => undefined });
const searchParams: { readonly q?: string; readonly text?: string; readonly offset?: number } = {};
const search = new RestEndpoint({
  urlPrefix: server.url,
  path: '/search',
  searchParams,
  schema: found,
  name: 'search',
});
/** The same notes behind a line that is dead for writes. */
const CutOff = Notes.extend({
  partialUpdate: {
    fetchResponse: (input: string) => Promise.reject(new NetworkError('The line is dead.', { url: input })),
  },
});

async function setupNotes() {
  const tools = setup();
  server.answer('GET /notes', { json: [{ id: 1, text: 'one' }] });
  server.answer('GET /notes/2', { json: { id: 2, text: 'two' } });
  await tools.store.dispatch(Notes.getList());
  await tools.store.dispatch(Notes.get({ id: 2 }));
  const isStale = () => ({
    list: tools.read(Notes.getList.selectRequest()).isStale,
    other: tools.read(Notes.get.selectRequest({ id: 2 })).isStale,
  });

  return { ...tools, isStale };
}

describe('a write of which nobody knows whether it was done', () => {
  it('makes stale what it was about, when it was cancelled', async () => {
    const { store, isStale } = await setupNotes();
    const removal = store.dispatch(Notes.getList.push({ text: 'new' }));
    await server.holding('POST /notes');

    removal.abort();
    await removal;

    expect(isStale()).toEqual({ list: true, other: false });
  });

  it('makes stale what it was about, when there was no answer', async () => {
    const { store, isStale } = await setupNotes();

    const edit = store.dispatch(CutOff.partialUpdate({ id: 2 }, { text: 'edited' }));
    await edit;

    expect(isStale()).toEqual({ list: false, other: true });
  });

  it.each([502, 504])('makes stale what it was about, when a gateway says %s for the server', async (status) => {
    const { store, isStale } = await setupNotes();
    server.answer('PATCH /notes/2', { status, json: {} });

    await store.dispatch(Notes.partialUpdate({ id: 2 }, { text: 'edited' }));

    expect(isStale()).toEqual({ list: false, other: true });
  });

  it.each([
    ['create', () => Notes.getList.push({ text: 'new' })],
    ['edit', () => Notes.partialUpdate({ id: 2 }, { text: 'edited' })],
  ])('makes stale the lists of which only the server knows what a lost %s has made of them', async (_, write) => {
    const { store, read } = await setupNotes();
    server.answer('GET /search', { json: [] });
    await store.dispatch(search({ q: 'e' }));

    for (const name of ['POST /notes', 'PATCH /notes/2']) server.answer(name, { status: 504, json: {} });
    await store.dispatch(write());

    expect(read(search.selectRequest({ q: 'e' }))).toMatchObject({ data: [], isStale: true });
  });

  it.each([504, 409])(
    'is looked up where a subscriber shows the item, which a list has brought that nobody looks at any more (%s)',
    async (status) => {
      const { store, read } = await setupNotes();
      const { unsubscribe } = store.dispatch(Notes.get.subscribe({ id: 1 }));
      server.answer('PATCH /notes/1', { status, json: {} });

      await store.dispatch(Notes.partialUpdate({ id: 1 }, { text: 'edited' }));
      const { isStale, isFetching } = read(Notes.get.selectRequest({ id: 1 }));
      const lookup = store.dispatch(Notes.get({ id: 1 }));
      await server.release('GET /notes/1', { json: { id: 1, text: 'edited' } });
      await lookup;
      unsubscribe();

      expect({ isStale, isFetching }).toEqual({ isStale: true, isFetching: true });
      expect(server.received.filter(({ path }) => path === '/notes/1').map(({ method }) => method)).toEqual([
        'PATCH',
        'GET',
      ]);
      expect(read(Notes.get.selectRequest({ id: 1 }))).toMatchObject({ data: { text: 'edited' }, isStale: false });
    },
  );

  it('makes stale the parts of a list that a lost deletion has shifted', async () => {
    const { store, read } = await setupNotes();
    server.answer('GET /search', { json: [{ id: 1, text: 'one' }] });
    await store.dispatch(search({ offset: 1 }));

    server.answer('DELETE /notes/2', { status: 504, json: {} });
    await store.dispatch(Notes.delete({ id: 2 }));

    expect(read(search.selectRequest({ offset: 1 })).isStale).toBe(true);
  });

  it('makes stale the parts of a list that a lost deletion of an item unknown here has shifted, and no other list', async () => {
    const { store, read, isStale } = await setupNotes();
    server.answer('GET /search', { json: [{ id: 1, text: 'one' }] });
    await store.dispatch(search({ offset: 1 }));

    server.answer('DELETE /notes/9', { status: 504, json: {} });
    await store.dispatch(Notes.delete({ id: 9 }));

    expect(read(search.selectRequest({ offset: 1 })).isStale).toBe(true);
    expect(isStale()).toEqual({ list: false, other: false });
  });

  describe('and which sends nothing that its item has', () => {
    const { getList, ...Moving } = createResource({
      urlPrefix: server.url,
      path: '/notes/:id',
      schema: Note,
      searchParams,
    })
      .extend('shout', { path: '/notes/:id/shout', method: 'POST', body: undefined })
      .extend('archive', { path: '/notes/:id/archive', method: 'DELETE', schema: Note })
      .extend('shoutAtOnce', {
        path: '/notes/:id/shout',
        method: 'POST',
        body: undefined,
        optimistic: (note: { text: string }) => {
          note.text = note.text.toUpperCase();
        },
      })
      .extend('shoutAll', {
        path: '/notes/shout',
        method: 'POST',
        body: {} as { readonly ids: readonly number[] },
        schema: [Note],
        getOptimisticResponse: (_snapshot, _params, { ids }) => ids.map((id) => ({ id, text: 'ONE' })),
      });
    const lists = { one: { text: 'one' }, two: { text: 'two' }, loud: { text: 'ONE' } };
    const pages = {
      one: { text: 'one', offset: 0 },
      two: { text: 'two', offset: 0 },
      loud: { text: 'ONE', offset: 0 },
    };

    async function staleAfter(write: object, reply: object, asked: typeof lists) {
      const { store, read } = setup();
      const answers = { one: [{ id: 1, text: 'one' }], two: [{ id: 2, text: 'two' }], loud: [] };
      const names = ['one', 'two', 'loud'] as const;
      for (const name of names) {
        server.answer('GET /notes', { json: answers[name] });
        await store.dispatch(getList(asked[name]));
      }
      server.answer(/^(POST|PATCH|DELETE) /, reply);
      await store.dispatch<Promise<unknown>>(write as never);
      return names.filter((name) => read(getList.selectRequest(asked[name])).isStale);
    }

    it.each([
      ['an action', () => Moving.shout({ id: 1 })],
      ['an edit of what is no field', () => Moving.partialUpdate({ id: 1 }, { text_id: 7 } as object)],
      ['a deletion that keeps its item', () => Moving.archive({ id: 1 })],
    ])(
      'makes stale all lists that its item may have joined, as one that is answered by nothing: %s',
      async (_, write) => {
        const stale = [
          await staleAfter(write(), { status: 204 }, lists),
          await staleAfter(write(), { status: 502, json: {} }, lists),
          await staleAfter(write(), { json: { id: 1, text: 'ONE' } }, lists),
        ];

        expect(stale).toEqual([['one', 'two', 'loud'], ['one', 'two', 'loud'], []]);
      },
    );

    it.each([502, 204])('makes the lists stale of what comes beside its item, answered with %i', async (status) => {
      class Product extends Entity {
        id = 0;
        static override key = 'Product';
      }
      const Products = createResource({ urlPrefix: server.url, path: '/products/:id', schema: Product });
      const { ship } = Notes.extend('ship', {
        path: '/notes/:id/ship',
        method: 'POST',
        body: undefined,
        optimistic: false,
        schema: { note: Note, products: [Product] },
      });
      const { store, read } = await setupNotes();
      server.answer('GET /products', { json: [{ id: 7 }] });
      await store.dispatch(Products.getList());

      server.answer('POST /notes/2/ship', status === 204 ? { status } : { status, json: {} });
      await store.dispatch(ship({ id: 2 }));

      expect(read(Products.getList.selectRequest()).isStale).toBe(true);
    });

    it('leaves the lists fresh of what its item has inside', async () => {
      class Person extends Entity {
        id = 0;
        static override key = 'Person';
      }
      class Signed extends Note {
        by = Person.fromJS();
        static override key = 'Signed';
        static override schema = { by: Person };
      }
      const at = { urlPrefix: server.url } as const;
      const People = createResource({ ...at, path: '/people/:id', schema: Person });
      const { sign, get } = createResource({ ...at, path: '/signed/:id', schema: Signed }).extend('sign', {
        path: '/signed/:id/sign',
        method: 'POST',
        body: undefined,
      });
      const { store, read } = setup();
      server.answer('GET /people', { json: [{ id: 7 }] });
      server.answer('GET /signed/1', { json: { id: 1, text: 'one', by: { id: 7 } } });
      await store.dispatch(People.getList());
      await store.dispatch(get({ id: 1 }));

      server.answer('POST /signed/1/sign', { status: 502, json: {} });
      await store.dispatch(sign({ id: 1 }));

      expect(read(get.selectRequest({ id: 1 })).isStale).toBe(true);
      expect(read(People.getList.selectRequest()).isStale).toBe(false);
    });

    it.each([
      ['a recipe', 'whole lists', () => Moving.shoutAtOnce({ id: 1 }), lists],
      ['a recipe', 'parts of lists', () => Moving.shoutAtOnce({ id: 1 }), pages],
      ['getOptimisticResponse', 'whole lists', () => Moving.shoutAll({ ids: [1] }), lists],
      ['getOptimisticResponse', 'parts of lists', () => Moving.shoutAll({ ids: [1] }), pages],
    ])('makes stale the lists that its item was expected to leave and to join: %s, %s', async (_, __, write, asked) => {
      expect(await staleAfter(write(), { status: 502, json: {} }, asked)).toEqual(['one', 'loud']);
    });
  });

  it('is none that the server has refused', async () => {
    const { store, isStale } = await setupNotes();
    server.answer('PATCH /notes/2', { status: 500, json: {} });

    await store.dispatch(Notes.partialUpdate({ id: 2 }, { text: 'edited' }));

    expect(isStale()).toEqual({ list: false, other: false });
  });

  it('is none that was never sent, because a hook has failed before', async () => {
    const { store, isStale } = await setupNotes();
    const Expired = Notes.extend({
      partialUpdate: { getHeaders: () => Promise.reject(new Error('The token is over.')) },
    });

    const edit = store.dispatch(Expired.partialUpdate({ id: 2 }, { text: 'edited' }));

    await expect(edit.unwrap()).rejects.toThrow('token');
    expect(isStale()).toEqual({ list: false, other: false });
  });

  it('makes stale what it was about, where a fetch of its own has sent it in a way of its own', async () => {
    const { store, isStale } = await setupNotes();
    const ByHand = Notes.partialUpdate.extend({ fetch: () => Promise.reject(new Error('The socket is closed.')) });

    await store.dispatch(ByHand({ id: 2 }, { text: 'edited' }));

    expect(isStale()).toEqual({ list: false, other: true });
  });

  it('makes stale what it was about, where an earlier try was lost, and the next was not sent', async () => {
    const { store, isStale } = await setupNotes();
    let tries = 0;
    const Flaky = CutOff.partialUpdate.extend({
      retry: { times: 1, delay: () => 0, writes: true },
      getHeaders: (headers) => (++tries > 1 ? Promise.reject(new Error('The token is over.')) : headers),
    });

    const edit = store.dispatch(Flaky({ id: 2 }, { text: 'edited' }));

    await expect(edit.unwrap()).rejects.toThrow('token');
    expect(isStale()).toEqual({ list: false, other: true });
  });

  it('makes stale the lists that show what it was about', async () => {
    const { store, isStale } = await setupNotes();

    await store.dispatch(CutOff.partialUpdate({ id: 1 }, { text: 'edited' }));

    expect(isStale()).toEqual({ list: true, other: false });
  });

  it('makes stale what it was about, when process throws after the server has done it', async () => {
    const { store, isStale } = await setupNotes();
    const Broken = Notes.partialUpdate.extend({
      process: () => {
        throw new RangeError('not so');
      },
    });

    const edit = store.dispatch(Broken({ id: 2 }, { text: 'edited' }));
    await server.release('PATCH /notes/2', { json: { id: 2, text: 'edited' } });

    await expect(edit.unwrap()).rejects.toThrow('not so');
    expect(isStale()).toEqual({ list: false, other: true });
  });

  it('leaves all fresh when the server has refused it', async () => {
    const { store, isStale } = await setupNotes();

    const edit = store.dispatch(Notes.partialUpdate({ id: 2 }, { text: 'edited' }));
    await server.release('PATCH /notes/2', { status: 422, json: {} });
    await edit;

    expect(isStale()).toEqual({ list: false, other: false });
  });
});

describe('a create that is answered by nothing', () => {
  it('gives no value, shows no item, and makes its lists stale', async () => {
    const { store, isStale, read, slice } = await setupNotes();

    const create = store.dispatch(Notes.getList.push({ text: 'new' }));
    await server.release('POST /notes', { status: 204 });
    const value = await create.unwrap();

    expect(value).toBeUndefined();
    expect(read(Notes.getList.select())?.map(({ id }) => id)).toEqual([1]);
    expect(isStale()).toEqual({ list: true, other: false });
    expect(slice().intents).toEqual([]);
  });

  it.each([
    ['it is answered by nothing', { status: 204 }],
    ['its answer is lost', { status: 502, json: {} }],
  ])('makes stale the searches that may find the item, where %s', async (_, reply) => {
    const Searched = Notes.extend({ getList: { searchParams } });
    const { store, read } = setup();
    server.answer('GET /notes', { json: [{ id: 1, text: 'one' }] });
    const searches = [{ q: 'new' }, { q: 'new', offset: 1 }];
    for (const one of searches) await store.dispatch(Searched.getList(one));
    server.answer('POST /notes', reply);

    await store.dispatch(Searched.getList.push({}, { text: 'new' }));

    expect(searches.map((one) => read(Searched.getList.selectRequest(one)).isStale)).toEqual([true, true]);
  });

  it.each([
    ['a syntax error', { text: '{"id": 2,', headers: { 'content-type': 'application/json' } }],
    ['a page', { text: '<html>Signed in</html>', headers: { 'content-type': 'text/html' } }],
    ['what is no such entity', { json: [1, 2] }],
  ])('makes stale what it was about, where the server has said yes with %s', async (_, reply) => {
    const { store, isStale } = await setupNotes();
    server.answer('PATCH /notes/2', reply);
    const edit = store.dispatch(Notes.partialUpdate({ id: 2 }, { text: 'edited' }));

    await expect(edit.unwrap()).rejects.toThrow();

    expect(isStale()).toEqual({ list: false, other: true });
  });

  it.each([['a page', { status: 201, text: '<html>Done</html>', headers: { 'content-type': 'text/html' } }]])(
    'makes stale the list of a create, where the server has said yes with %s',
    async (_, reply) => {
      const { store, isStale, read } = await setupNotes();
      server.answer('POST /notes', reply);
      const create = store.dispatch(Notes.getList.push({ text: 'new' }));

      await expect(create.unwrap()).rejects.toThrow();

      expect(isStale()).toEqual({ list: true, other: false });
      expect(read(Notes.getList.select())?.map(({ id }) => id)).toEqual([1]);
    },
  );

  it('makes stale all that may show the item, where the server has said yes with what has no pk', async () => {
    expectWarning(/the envelope "data"/);
    const { store, isStale, read } = await setupNotes();
    server.answer('POST /notes', { status: 201, json: { data: { id: 3, text: 'new' } } });

    const value = await store.dispatch(Notes.getList.push({ text: 'new' })).unwrap();

    expect(value).toBeUndefined();
    expect(isStale()).toEqual({ list: true, other: true });
    expect(read(Notes.getList.select())?.map(({ id }) => id)).toEqual([1]);
  });

  it('leaves fresh what the server has refused', async () => {
    const { store, isStale } = await setupNotes();
    server.answer('PATCH /notes/2', { status: 422, text: '<html>No</html>' });

    await store.dispatch(Notes.partialUpdate({ id: 2 }, { text: 'edited' }));

    expect(isStale()).toEqual({ list: false, other: false });
  });
});

describe('a first read that was sent before a write of which it is not known what it has done', () => {
  type Store = ReturnType<typeof setup>['store'];
  const { shout } = Notes.extend('shout', {
    path: '/notes/:id/shout',
    method: 'POST',
    body: undefined,
    optimistic: false,
  });
  const edit = Notes.partialUpdate;
  /** The server has done it, and nobody hears of that. */
  const lose = async (input: string, init: RequestInit): Promise<never> => {
    await fetch(input, init);
    throw new NetworkError('The line is dead.', { url: input });
  };
  const lostEdit = edit.extend({ fetchResponse: lose });
  const lostShout = shout.extend({ fetchResponse: lose });
  const text = 'edited';
  const ways = {
    'of an item': {
      address: 'GET /notes/1',
      says: (text: string) => ({ id: 1, text }),
      read: (store: Store) => store.dispatch(Notes.get({ id: 1 })),
      watch: (store: Store) => store.dispatch(Notes.get.subscribe({ id: 1 })),
      settled: (store: Store) => store.dispatch(Notes.get.ifStale({ id: 1 })),
      look: (store: Store) => Notes.get.selectRequest({ id: 1 })(store.getState()),
    },
    'of a list': {
      address: 'GET /notes',
      says: (text: string) => [{ id: 1, text }],
      read: (store: Store) => store.dispatch(Notes.getList()),
      watch: (store: Store) => store.dispatch(Notes.getList.subscribe()),
      settled: (store: Store) => store.dispatch(Notes.getList.ifStale()),
      look: (store: Store) => Notes.getList.selectRequest()(store.getState()),
    },
  };

  describe.each(Object.entries(ways))('%s', (_way, { address, says, read, watch, settled, look }) => {
    it.each([
      ['an edit whose answer is lost', () => lostEdit({ id: 1 }, { text }), {}],
      ['an edit for which a gateway answers', () => edit({ id: 1 }, { text }), { status: 502, json: {} }],
      ['an edit that is done later', () => edit({ id: 1 }, { text }), { status: 202, json: {} }],
      ['an action whose answer is lost', () => lostShout({ id: 1 }), {}],
      ['an action that is answered by nothing', () => shout({ id: 1 }), { status: 204 }],
    ])('is fetched again for its subscriber after %s', async (_write, write, reply) => {
      const { store } = setup();
      const reading = read(store);
      const { unsubscribe } = watch(store);
      await server.holding(address);
      const writing = store.dispatch(write());
      await server.release(/^(PATCH|POST) /, reply);
      await writing;

      server.answer(address, { json: says(text) });
      await server.release(address, { json: says('before') });
      await reading;
      const { isStale, isFetching } = look(store);
      await settled(store);
      unsubscribe();

      expect({ isStale, isFetching }).toEqual({ isStale: true, isFetching: true });
      expect(look(store)).toMatchObject({ data: says(text), isStale: false });
      expect(server.received.filter(({ method }) => method === 'GET')).toHaveLength(2);
    });
  });

  it('of an item that a list has brought already is fetched again after an action that is answered by nothing', async () => {
    const { store, read } = await setupNotes();
    const reading = store.dispatch(Notes.get({ id: 1 }));
    const { unsubscribe } = store.dispatch(Notes.get.subscribe({ id: 1 }));
    await server.holding('GET /notes/1');
    const writing = store.dispatch(shout({ id: 1 }));
    await server.release('POST /notes/1/shout', { status: 204 });
    await writing;

    server.answer('GET /notes/1', { json: { id: 1, text } });
    await server.release('GET /notes/1', { json: { id: 1, text: 'before' } });
    await reading;
    await store.dispatch(Notes.get.ifStale({ id: 1 }));
    unsubscribe();

    expect(read(Notes.get.selectRequest({ id: 1 }))).toMatchObject({ data: { text }, isStale: false });
    expect(server.received.filter(({ path }) => path === '/notes/1')).toHaveLength(2);
  });
});
