import { Collection, createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Note extends Entity {
  id = 0;
  text = '';
  by = '';
  static override key = 'Note';
}

const server = await serverOfFile();

interface Search {
  readonly by?: string;
  readonly offset?: number;
  readonly page?: number;
  readonly after?: string;
  readonly tag?: string;
}
const search: Search = {};
const options = { urlPrefix: server.url, path: '/notes/:id', schema: Note, searchParams: search } as const;
const Notes = createResource({ ...options, optimistic: true });

/** A store with a window onto the notes of one, one onto those of another, and a whole list. */
async function setupNotes() {
  const tools = setup();
  const { store, read } = tools;
  server.answer('GET /notes?by=me&offset=2', { json: [{ id: 3, text: 'three', by: 'me' }] });
  server.answer('GET /notes?by=you&offset=2', { json: [{ id: 4, text: 'four', by: 'you' }] });
  server.answer('GET /notes?by=me', { json: [{ id: 1, text: 'one', by: 'me' }] });
  await store.dispatch(Notes.getList({ by: 'me', offset: 2 }));
  await store.dispatch(Notes.getList({ by: 'you', offset: 2 }));
  await store.dispatch(Notes.getList({ by: 'me' }));
  const stateOf = (args: Search) => {
    const { data, isStale } = read(Notes.getList.selectRequest(args));

    return [data?.map(({ id }) => id).join(), isStale];
  };

  return {
    ...tools,
    states: () => [{ by: 'me', offset: 2 }, { by: 'you', offset: 2 }, { by: 'me' }].map(stateOf),
  };
}

describe('a window onto a list', () => {
  it('is not joined by a created item that fits, but stale', async () => {
    const { store, states } = await setupNotes();
    const create = store.dispatch(Notes.getList.push({ by: 'me' }, { text: 'new' }));
    await server.holding('POST /notes');
    const during = states();
    await server.release('POST /notes', { status: 201, json: { id: 9, text: 'new', by: 'me' } });
    await create;

    expect(during.map(([, isStale]) => isStale)).toEqual([false, false, false]);
    expect(states()).toEqual([
      ['3', true],
      ['4', false],
      ['1,9', false],
    ]);
  });

  it('is fetched for those who look at it', async () => {
    const { store, states } = await setupNotes();
    const { unsubscribe } = store.dispatch(Notes.getList.subscribe({ by: 'me', offset: 2 }));
    server.forget();
    const create = store.dispatch(Notes.getList.unshift({ by: 'me' }, { text: 'new' }));
    await server.release('POST /notes', { status: 201, json: { id: 9, text: 'new', by: 'me' } });
    await create;
    await server.release('GET /notes?by=me&offset=2', { json: [{ id: 2, text: 'two', by: 'me' }] });
    await store.dispatch(Notes.getList.ifStale({ by: 'me', offset: 2 }));
    unsubscribe();

    expect(states()[0]).toEqual(['2', false]);
  });

  it('is stale after the deletion of an item that it holds', async () => {
    const { store, states } = await setupNotes();
    server.answer('DELETE /notes/3', { status: 204 });
    await store.dispatch(Notes.delete({ id: 3 }));

    expect(states()).toEqual([
      ['', true],
      ['4', false],
      ['1', false],
    ]);
  });

  it('is stale after the deletion of an item that it does not hold, for that shifts all windows of the same filters', async () => {
    const { store, states } = await setupNotes();
    server.answer('DELETE /notes/1', { status: 204 });
    await store.dispatch(Notes.delete({ id: 1 }));

    expect(states()).toEqual([
      ['3', true],
      ['4', false],
      ['', false],
    ]);
  });

  it('is stale after an edit that moves an item out of it, or into it', async () => {
    const { store, states } = await setupNotes();
    server.answer('PATCH /notes/1', { json: { id: 1, text: 'one', by: 'you' } });
    await store.dispatch(Notes.partialUpdate({ id: 1 }, { by: 'you' }));

    expect(states()).toEqual([
      ['3', true],
      ['4', true],
      ['', false],
    ]);
  });

  it('is untouched by a create or a deletion that fails', async () => {
    const { store, states } = await setupNotes();
    const before = states();
    server.answer('DELETE /notes/3', { status: 403 });
    server.answer('POST /notes', { status: 422 });
    await store.dispatch(Notes.delete({ id: 3 }));
    await store.dispatch(Notes.getList.push({ by: 'me' }, { text: 'new' }));

    expect(states()).toEqual(before);
  });

  it('is none, where the argument is the pagination field', async () => {
    const Paged = createResource({ ...options, name: 'Paged', paginationField: 'page' });
    const { store, read } = setup();
    server.answer('GET /notes', { json: [{ id: 1, text: 'one' }] });
    server.answer('POST /notes', { status: 201, json: { id: 9, text: 'new' } });
    await store.dispatch(Paged.getList({ page: 1 }));
    await store.dispatch(Paged.getList.push({}, { text: 'new' }));

    const { data, isStale } = read(Paged.getList.selectRequest({ page: 1 }));
    expect([data?.map(({ id }) => id), isStale]).toEqual([[1, 9], false]);
  });
});

describe('a created item that joins no list', () => {
  it('is told of once, with the argument that kept it out', async () => {
    const { store } = setup();
    server.answer('GET /notes', { json: [] });
    server.answer('POST /notes', { status: 201, json: { id: 9, text: 'new' } });
    await store.dispatch(Notes.getList({ tag: 'urgent' }));
    expectWarning(/no list of .*"tag".*nonFilterArgumentKeys, together with .*replaces the names that are known/s);

    await store.dispatch(Notes.getList.push({}, { text: 'new' }));
    await store.dispatch(Notes.getList.push({}, { text: 'new' }));
  });

  it('is not told of where it belongs elsewhere, or nowhere yet', async () => {
    const { store } = setup();
    server.answer('GET /notes', { json: [] });
    server.answer('POST /notes', { status: 201, json: { id: 9, text: 'new' } });

    await store.dispatch(Notes.getList.push({ by: 'me' }, { text: 'new' }));
    await store.dispatch(Notes.getList({ by: 'you' }));
    await store.dispatch(Notes.getList.push({ by: 'me' }, { text: 'new' }));
  });
});

describe('the name of an argument', () => {
  class Shirt extends Entity {
    id = 0;
    size = '';
    order = '';
    static override key = 'Shirt';
  }
  const open: Readonly<Record<string, unknown>> = {};
  const shirtOptions = { urlPrefix: server.url, path: '/shirts/:id', schema: Shirt, searchParams: open } as const;
  const Shirts = createResource(shirtOptions);

  /** The ids in a list with one argument after a create, and whether it is stale. */
  async function afterCreate(name: string, Resource = Shirts, body: Partial<Shirt> = {}) {
    const { store, read } = setup();
    server.answer(/^GET /, { json: [{ id: 1 }] });
    server.answer(/^POST /, { status: 201, json: { id: 9, ...body } });
    await store.dispatch(Resource.getList({ [name]: 'x' }));
    await store.dispatch(Resource.getList.push({}, body));
    const { data, isStale } = read(Resource.getList.selectRequest({ [name]: 'x' }));

    return `${String(data?.map(({ id }) => id))}${isStale ? ' stale' : ''}`;
  }

  it.each(
    (
      '$top $orderby $expand $count _embed _fields _anything count maxResults max_results select context first last ' +
      'limit PER_PAGE expand[] fields[shirts] page[size] page[limit] sort[name] include'
    ).split(' '),
  )('%s says nothing of what a list holds: a created item joins', async (name) => {
    expect(await afterCreate(name)).toBe('1,9');
  });

  it.each(
    (
      'page page[number] page[after] offset skip $skip start startAt start_cursor startCursor after before starting_after ' +
      'ending_before id_after cursor continue page_info page_token pageToken nextPageToken StartAt'
    ).split(' '),
  )('%s says where in a list an answer lies: a created item does not join, and it is stale', async (name) => {
    expect(await afterCreate(name)).toBe('1 stale');
  });

  it.each(['$filter', '$search', 'filter[name]', 'orderId', 'q'])(
    '%s may say what a list holds: a created item does not join, and it is stale',
    async (name) => {
      expectWarning(/joined no list/);

      expect(await afterCreate(name)).toBe('1 stale');
    },
  );

  it.each(['size', 'order'])('%s, if it is also a field of the entity, is a filter', async (name) => {
    expect(await afterCreate(name, Shirts, { [name]: 'x' })).toBe('1,9');
    expectWarning(/joined no list/);

    expect(await afterCreate(name)).toBe('1 stale');
  });

  it('is told by windowArgumentKeys beside those that are known, and by nonFilterArgumentKeys in their place', async () => {
    const Named = createResource({
      ...shirtOptions,
      windowArgumentKeys: ['_page', 'from'],
      nonFilterArgumentKeys: ['view'],
    });

    expect(await afterCreate('_page', Named)).toBe('1 stale');
    expect(await afterCreate('from', Named)).toBe('1 stale');
    expect(await afterCreate('offset', Named)).toBe('1 stale');
    expect(await afterCreate('view', Named)).toBe('1,9');
    expectWarning(/joined no list of .*"limit"/s);
    expect(await afterCreate('limit', Named)).toBe('1 stale');
  });

  it('is told by windowArgumentKeys of a Collection of your own, too', async () => {
    const Own = Shirts.extend({ getList: { schema: new Collection([Shirt], { windowArgumentKeys: /^from/ }) } });

    expect(await afterCreate('fromRow', Own)).toBe('1 stale');
  });
});
