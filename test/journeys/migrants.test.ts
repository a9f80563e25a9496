import { Collection, createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

/** What an app does that moves here from RTK Query: edits with whole objects inside, filters that are emptied, searches by POST, deletions below an item. */
class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}
class Todo extends Entity {
  id = 0;
  title = '';
  state = 'open';
  ownerId = 0;
  author: User | undefined = undefined;
  reviewers: User[] = [];
  static override key = 'Todo';
  static override schema = { author: User, reviewers: [User] };
}
interface Search {
  readonly state?: readonly (string | null)[];
  readonly labels?: readonly string[];
  readonly ownerId?: bigint;
}
const searchParams: Search = {};

const server = await serverOfFile();
const options = { urlPrefix: server.url, path: '/todos/:id', schema: Todo, searchParams } as const;
const Todos = createResource({ ...options, optimistic: true });
const patient = Todos.partialUpdate.extend({ optimistic: false });
const idsOf = (todos: readonly Todo[] | undefined) => todos?.map(({ id }) => id);

describe('an edit with an entity inside that nobody has fetched', () => {
  const bob = { id: 8, name: 'Bob' };

  describe.each([
    ['204', { status: 204 }],
    ['an answer that is silent about it', { json: { id: 1, success: true } }],
    ['the row', { json: { id: 1, author: bob, reviewers: [bob] } }],
  ])('is confirmed by %s', (_, answer) => {
    it.each([
      ['optimistic', Todos.partialUpdate],
      ['patient', patient],
    ])('and shows it from then on: %s', async (_how, edit) => {
      const { store, watch } = setup();
      const ada = { id: 7, name: 'Ada' };
      server.answer('GET /todos/1', { json: { id: 1, title: 'one', author: ada, reviewers: [ada] } });
      await store.dispatch(Todos.get({ id: 1 }));
      const seen = watch((state) => {
        const todo = Todos.get.select({ id: 1 })(state);
        return `${String(todo?.author?.name)} ${String(todo?.reviewers.map(({ name }) => name))}`;
      });

      const body = { author: bob as unknown as User, reviewers: [bob] as unknown as User[] };
      const promise = store.dispatch(edit({ id: 1 }, body));
      await server.release('PATCH /todos/1', answer);
      await promise;

      expect(seen).toEqual(['Ada Ada', 'Bob Bob']);
    });
  });

  it('makes no row where the item itself is not there', () => {
    const { store, read, resources } = setup();

    void store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'two', author: bob as unknown as User }));

    expect(read(resources.selectEntity(Todo, 1))).toBeUndefined();
    expect(read(resources.selectAll(User))).toEqual([]);
  });

  it('makes no row of what has nothing but a pk', async () => {
    const { store, read, resources } = setup();
    server.answer('GET /todos/1', { json: { id: 1, title: 'one' } });
    await store.dispatch(Todos.get({ id: 1 }));

    server.answer('PATCH /todos/1', { status: 204 });
    await store.dispatch(Todos.partialUpdate({ id: 1 }, { author: { id: 8 } as User }));

    expect(read(resources.selectAll(User))).toEqual([]);
  });
});

describe('a filter that filters nothing', () => {
  it.each<[string, Search]>([
    ['a field without values', { state: [] }],
    ['a field of which all values are null', { state: [null] }],
    ['no field, without values', { labels: [] }],
  ])('asks for the list without filters, which has what is created: %s', async (_, search) => {
    const { store, read } = setup();
    server.answer('GET /todos', { json: [{ id: 1, title: 'one', state: 'open' }] });
    await store.dispatch(Todos.getList());
    await store.dispatch(Todos.getList(search));

    server.answer('POST /todos', { status: 201, json: { id: 2, title: 'two', state: 'open' } });
    await store.dispatch(Todos.getList.push(search, { title: 'two', state: 'open' }));

    expect(idsOf(read(Todos.getList.select(search)))).toEqual([1, 2]);
    expect(read(Todos.getList.select())).toBe(read(Todos.getList.select(search)));
  });

  it('is not a bigint: its list is another', async () => {
    const { store, read } = setup();
    server.answer('GET /todos', ({ query }) => ({ json: query ? [{ id: 2, ownerId: 5 }] : [{ id: 1 }, { id: 2 }] }));

    await store.dispatch(Todos.getList({}));
    await store.dispatch(Todos.getList({ ownerId: 5n }));

    expect(idsOf(read(Todos.getList.select({ ownerId: 5n })))).toEqual([2]);
    expect(idsOf(read(Todos.getList.select()))).toEqual([1, 2]);
  });
});

it('a search by POST without values for a filter leaves the list of the same search without the filter alone', async () => {
  const body: { q: string; state?: readonly string[] } = { q: '' };
  const search = new RestEndpoint({
    urlPrefix: server.url,
    path: '/todos/search',
    ...{ method: 'POST', sideEffect: false, body, schema: new Collection([Todo]) },
  });
  const { store, read, resources } = setup();
  server.answer('POST /todos/search', ({ body: asked }) => ({
    json: JSON.stringify(asked).includes('state') ? [] : [{ id: 1 }],
  }));

  await store.dispatch(search({ q: 'x' }));
  await store.dispatch(search({ q: 'x', state: [] }));

  expect(idsOf(read(resources.select(search, { q: 'x' })))).toEqual([1]);
});

it('a search by POST is the same request in whatever order its fields are written', () => {
  const body: { q: string; page?: { size: number; no: number } } = { q: '' };
  const search = new RestEndpoint({ path: '/search', method: 'POST', sideEffect: false, body, schema: [Todo] });

  expect(search.key({ q: 'a', page: { size: 1, no: 2 } })).toBe(search.key({ page: { size: 1, no: 2 }, q: 'a' }));
  expect(search.key({ q: 'a' })).not.toBe(search.key({ q: 'b' }));
});

const inForm = (content: string): FormData => {
  const form = new FormData();
  form.append('scan', new File([content], 'scan.png'));
  return form;
};

it('reads with the same bytes have the same key, also where each render makes them', () => {
  const search = new RestEndpoint({
    path: '/scans',
    method: 'POST',
    sideEffect: false,
    searchParams: undefined,
    body: {},
  });
  const keyOfBytes = (...bytes: number[]): string => search.key(new Uint8Array(bytes));

  expect(keyOfBytes(1, 2)).toBe(keyOfBytes(1, 2));
  expect(keyOfBytes(1, 2)).not.toBe(keyOfBytes(2, 1));
});

it.each([
  ['a Blob', (content: string) => new Blob([content])],
  ['bytes', (content: string) => new TextEncoder().encode(content)],
  ['a form with a file', inForm],
  ['fields that getRequestInit sends as a form', (content: string) => ({ scan: new Blob([content]) })],
])('reads whose bodies are of one size are told apart by their bytes: %s', async (_, bodyOf) => {
  server.answer(/^POST \/scans/, ({ rawBody }) => ({ json: { text: /lynx|hare/.exec(rawBody)?.[0] } }));
  const recognize = new RestEndpoint({
    ...{ urlPrefix: server.url, path: '/scans', method: 'POST', sideEffect: false, searchParams: undefined },
    body: {},
    process: (value) => value as { text: string },
    getRequestInit(body) {
      return { body: 'scan' in body ? inForm(body === lynx ? 'lynx' : 'hare') : (body as Blob) };
    },
  });
  const [lynx, hare] = [bodyOf('lynx'), bodyOf('hare')];
  const { store } = setup();
  const sent = [lynx, hare, lynx].map((body) => store.dispatch(recognize(body)).unwrap());

  expect((await Promise.all(sent)).map(({ text }) => text)).toEqual(['lynx', 'hare', 'lynx']);
  expect(server.received).toHaveLength(2);
});

describe('a deletion at an address below the item', () => {
  it.each([
    ['204', { status: 204 }],
    ['an empty object', { json: {} }],
    ['the pk', { json: 1 }],
  ])('deletes the item, answered %s', async (_, answer) => {
    const Trashed = Todos.extend({ delete: { method: 'POST', path: '/todos/:id/trash' } });
    const { store, read } = setup();
    server.answer('GET /todos', { json: [{ id: 1 }, { id: 2 }] });
    await store.dispatch(Trashed.getList());

    const deletion = store.dispatch(Trashed.delete({ id: 1 }));
    const during = idsOf(read(Trashed.getList.select()));
    await server.release('POST /todos/1/trash', answer);
    await deletion;

    expect(during).toEqual([2]);
    expect(idsOf(read(Trashed.getList.select()))).toEqual([2]);
  });

  it('deletes nothing where it is of another class: the pk is that of the item', async () => {
    const uncover = Todos.delete.extend({ path: '/todos/:id/cover', schema: new schema.Invalidate(User) });
    const { store, read, resources } = setup();
    store.dispatch(resources.set(User, { id: 5, name: 'Ada' }));

    server.answer('DELETE /todos/5/cover', { status: 204 });
    await store.dispatch(uncover({ id: 5 }));

    expect(read(resources.selectEntity(User, 5))).toMatchObject({ name: 'Ada' });
  });

  it('deletes nothing of the item where the path names something inside it', async () => {
    const untag = Todos.delete.extend({ path: '/todos/:id/tags/:tag', optimistic: false });
    const { store, read } = setup();
    server.answer('GET /todos', { json: [{ id: 1 }, { id: 2 }] });
    await store.dispatch(Todos.getList());

    server.answer('DELETE /todos/1/tags/a', { status: 204 });
    await store.dispatch(untag({ id: 1, tag: 'a' }));

    expect(idsOf(read(Todos.getList.select()))).toEqual([1, 2]);
  });
});
