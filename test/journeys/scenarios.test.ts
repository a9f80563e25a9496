import { Collection, createResource, Entity, isTemporary, RestEndpoint, schema } from 'rtk-resource';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startServer, type Reply } from '../support/server.js';
import { expectIdle, setup, type RootState } from '../support/store.js';

class Todo extends Entity {
  id: number | string = 0;
  title = '';
  list = '';
  done = false;
  static override key = 'Todo';
}

const server = await startServer();
afterAll(() => server.close());
/** What ends the requests of a test that it leaves under way, so that none comes into the next. */
let endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings) end();
  endings = [];
  server.forget();
});

const searchParams: { list?: string } = {};
const Todos = createResource({
  urlPrefix: server.url,
  path: '/todos/:id',
  schema: Todo,
  searchParams,
  paginationField: 'page',
  optimistic: true,
});

const letters = ' abcdefghijklmnopqrstuvwxyz';
/** A todo as the server has it; its id is the place of its letter in the alphabet. */
const todo = (title: string, fields: object = {}): object => ({
  id: letters.indexOf(title.charAt(0)),
  title,
  list: 'home',
  done: false,
  ...fields,
});
const one = (title: string, fields?: object): Reply => ({ json: todo(title, fields) });
const all = (titles: string): Reply => ({ json: titles.split(' ').map((title) => todo(title)) });
const refusal: Reply = { status: 422, json: { message: 'No' } };
const gone: Reply = { status: 204 };

const titlesIn =
  (params: { list?: string } = {}) =>
  (state: RootState): string =>
    Todos.getList
      .select(params)(state)
      ?.map(({ title }) => title)
      .join(' ') ?? 'nothing';

/** A store that has fetched these todos, and all that its list showed since, as titles. */
async function load(titles: string) {
  const tools = setup();
  const { store, resources } = tools;
  endings.push(() => {
    store.dispatch(resources.reset());
  });
  const loading = store.dispatch(Todos.getList());
  await server.release('GET /todos', all(titles));
  const before = await loading.unwrap();

  return {
    ...tools,
    before,
    seen: tools.watch(titlesIn()),
    list: (): readonly Todo[] => tools.read(Todos.getList.select()) ?? [],
    item: (title: string): Todo | undefined => tools.read(Todos.get.select({ id: letters.indexOf(title) })),
    poll: () => store.dispatch(Todos.getList()),
    edit: (title: string, body: Partial<Todo>) =>
      store.dispatch(Todos.partialUpdate({ id: letters.indexOf(title) }, body)),
    remove: (title: string) => store.dispatch(Todos.delete({ id: letters.indexOf(title) })),
    create: (title: string) => store.dispatch(Todos.getList.push({}, { title })),
  };
}

describe('an undo that would write an old value over a confirmed one', () => {
  it('takes back nothing but what the refused edit showed, when the later one was confirmed first', async () => {
    const { edit, seen, slice } = await load('a b');
    const first = edit('a', { title: 'a1' });
    const second = edit('a', { title: 'a2' });

    await server.release(/PATCH .*a2/, one('a2'));
    await second.unwrap();
    await server.release(/PATCH .*a1/, refusal);
    await first;

    expect(seen).toEqual(['a b', 'a1 b', 'a2 b']);
    expectIdle(slice());
  });

  it('takes back a field that no other edit has named', async () => {
    const { edit, item } = await load('a b');
    const first = edit('a', { title: 'a1', done: true });
    const second = edit('a', { title: 'a2' });

    await server.release(/PATCH .*a2/, one('a2'));
    await second.unwrap();
    const between = item('a');
    await server.release(/PATCH .*a1/, refusal);
    await first;

    expect(between).toMatchObject({ title: 'a2', done: true });
    expect(item('a')).toMatchObject({ title: 'a2', done: false });
  });

  it('leaves what the whole of an update has said', async () => {
    const { store, edit, item } = await load('a b');
    const first = edit('a', { title: 'a1' });
    const whole = store.dispatch(Todos.update({ id: 1 }, { title: 'a2', list: 'work', done: true }));

    await server.release('PUT /todos/1', one('a2', { list: 'work', done: true }));
    await whole.unwrap();
    await server.release('PATCH /todos/1', refusal);
    await first;

    expect(item('a')).toMatchObject({ title: 'a2', list: 'work', done: true });
  });
});

describe('two failing deletes that would leave a row twice', () => {
  it.each([
    ['in order', ['a', 'b'], ['a b c', 'b c', 'c', 'a c', 'a b c']],
    ['in the other order', ['b', 'a'], ['a b c', 'b c', 'c', 'b c', 'a b c']],
  ])('put each row back in its place, answered %s', async (_, order, states) => {
    const { remove, seen, list, before, slice } = await load('a b c');
    const removals = { a: remove('a'), b: remove('b') };

    for (const title of order as ('a' | 'b')[]) {
      await server.release(`DELETE /todos/${String(letters.indexOf(title))}`, refusal);
      await removals[title];
    }

    expect(seen).toEqual(states);
    expect(list()).toBe(before);
    expectIdle(slice());
  });

  it('of the same row put it back once, when both have failed', async () => {
    const { remove, seen } = await load('a b');
    const removals = [remove('a'), remove('a')];

    await server.release('DELETE /todos/1', refusal);
    await server.release('DELETE /todos/1', refusal);
    await Promise.all(removals);

    expect(seen).toEqual(['a b', 'b', 'a b']);
  });

  it('of which one is done put back the other alone', async () => {
    const { remove, seen } = await load('a b c');
    const [a, b] = [remove('a'), remove('b')];

    await server.release('DELETE /todos/2', gone);
    await b;
    await server.release('DELETE /todos/1', refusal);
    await a;

    expect(seen).toEqual(['a b c', 'b c', 'c', 'a c']);
  });
});

describe('a poll that would wipe a pending edit', () => {
  it.each(['before', 'after'] as const)('leaves it shown, when it started %s the edit', async (when) => {
    const { edit, poll, seen, slice } = await load('a b');
    const early = when === 'before' ? poll() : undefined;
    const editing = edit('a', { title: 'a1' });
    const polling = early ?? poll();

    await server.release('GET /todos', all('a b c'));
    await polling;
    await server.release('PATCH /todos/1', one('a1'));
    await editing;

    expect(seen).toEqual(['a b', 'a1 b', 'a1 b c']);
    expectIdle(slice());
  });

  it('leaves a pending delete and a pending create as they show', async () => {
    const { remove, create, poll, seen } = await load('a b');
    const removal = remove('a');
    const creation = create('n');
    const polling = poll();

    await server.release('GET /todos', all('a b c'));
    await polling;
    await server.release('DELETE /todos/1', gone);
    await removal;
    await server.release('POST /todos', one('n'));
    await creation;

    expect(seen).toEqual(['a b', 'b', 'b n', 'b c n']);
  });
});

describe('a GET sent before a mutation that would overwrite its answer', () => {
  it.each(['detail', 'list', 'page'] as const)('gives way to it: a %s', async (which) => {
    const { store, edit, poll, seen } = await load('a b');
    const [name, reading] = {
      detail: () => ['GET /todos/1', store.dispatch(Todos.get({ id: 1 }))] as const,
      list: () => ['GET /todos', poll()] as const,
      page: () => ['GET /todos?page=2', store.dispatch(Todos.getList.getPage({ page: 2 }))] as const,
    }[which]();
    const editing = edit('a', { title: 'a1' });

    await server.release('PATCH /todos/1', one('a1'));
    await editing.unwrap();
    await server.release(name, which === 'detail' ? one('a') : all('a b'));
    await reading.unwrap();

    expect(seen).toEqual(['a b', 'a1 b']);
  });

  it('gives way to what a message has told meanwhile', async () => {
    const { store, resources, poll, seen } = await load('a b');
    const polling = poll();
    store.dispatch(resources.set(Todo, { id: 1, title: 'a1' }));

    await server.release('GET /todos', all('a b'));
    await polling;

    expect(seen).toEqual(['a b', 'a1 b']);
  });
});

describe('a rollback after a refetch that would mix two lists', () => {
  it('of an edit changes that item, wherever it stands by now', async () => {
    const { edit, poll, seen, item } = await load('a b');
    const editing = edit('a', { title: 'a1' });
    const polling = poll();
    await server.release('GET /todos', all('z a b'));
    await polling;

    await server.release('PATCH /todos/1', refusal);
    await editing;

    expect(seen).toEqual(['a b', 'a1 b', 'z a1 b', 'z a b']);
    expect(item('z')?.title).toBe('z');
  });

  it('of a delete puts the item where the new list has it', async () => {
    const { remove, poll, seen } = await load('a b c');
    const removal = remove('b');
    const polling = poll();
    await server.release('GET /todos', all('c z b a'));
    await polling;

    await server.release('DELETE /todos/2', refusal);
    await removal;

    expect(seen).toEqual(['a b c', 'a c', 'c z a', 'c z b a']);
  });

  it('of a delete puts nothing where the new list has no such item', async () => {
    const { remove, poll, seen } = await load('a b c');
    const removal = remove('b');
    const polling = poll();
    await server.release('GET /todos', all('a c'));
    await polling;

    await server.release('DELETE /todos/2', { status: 404, json: {} });
    await removal;

    expect(seen).toEqual(['a b c', 'a c']);
  });

  it('of a create shows the new list at once, all of it, and what is created behind it', async () => {
    const { create, poll, seen } = await load('a b');
    const creation = create('n');
    const polling = poll();
    await server.release('GET /todos', all('b c d'));
    await polling;

    await server.release('POST /todos', refusal);
    await creation;

    expect(seen).toEqual(['a b', 'a b n', 'b c d n', 'b c d']);
  });
});

describe('optimistic: true', () => {
  /** Every mutation, the request it sends, what it shows, and what the server answers. */
  const mutations = {
    push: ['POST /todos', 'a b n', one('n')],
    unshift: ['POST /todos', 'n a b', one('n')],
    update: ['PUT /todos/1', 'a1 b', one('a1')],
    partialUpdate: ['PATCH /todos/1', 'a1 b', one('a1')],
    delete: ['DELETE /todos/1', 'b', gone],
    remove: ['PATCH /todos', 'b', one('a', { list: 'away' })],
    move: ['PATCH /todos/1', 'a1 b', one('a1')],
  } as const;
  const names = Object.keys(mutations) as (keyof typeof mutations)[];

  function begin(name: keyof typeof mutations, { store }: Awaited<ReturnType<typeof load>>) {
    switch (name) {
      case 'push':
        return store.dispatch(Todos.getList.push({}, { title: 'n' }));
      case 'unshift':
        return store.dispatch(Todos.getList.unshift({}, { title: 'n' }));
      case 'update':
        return store.dispatch(Todos.update({ id: 1 }, { title: 'a1' }));
      case 'partialUpdate':
        return store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'a1' }));
      case 'delete':
        return store.dispatch(Todos.delete({ id: 1 }));
      case 'remove':
        return store.dispatch(Todos.getList.remove({}, { id: 1 }));
      case 'move':
        return store.dispatch(Todos.getList.move({ id: 1 }, { title: 'a1' }));
    }
  }

  it.each(names)('shows what %s does at once, and once', async (name) => {
    const tools = await load('a b');
    const [request, shown, answer] = mutations[name];
    const mutation = begin(name, tools);
    const during = titlesIn()(tools.store.getState());

    await server.release(request, answer);
    await mutation.unwrap();

    expect(during).toBe(shown);
    expect(tools.seen).toEqual(['a b', shown]);
    expectIdle(tools.slice());
  });

  it.each(names)('leaves the very list that was there when %s is refused', async (name) => {
    const tools = await load('a b');
    const [request, shown] = mutations[name];
    const mutation = begin(name, tools);

    await server.release(request, refusal);
    await mutation;

    expect(tools.seen).toEqual(['a b', shown, 'a b']);
    expect(tools.list()).toBe(tools.before);
    expectIdle(tools.slice());
  });

  it.each(names)('leaves the very list that was there when %s is cancelled', async (name) => {
    const tools = await load('a b');
    const mutation = begin(name, tools);

    mutation.abort();
    await mutation;

    expect(tools.seen).toEqual(['a b', mutations[name][1], 'a b']);
    expect(tools.list()).toBe(tools.before);
    expectIdle(tools.slice());
  });

  it.each(['update', 'partialUpdate', 'delete', 'remove', 'move'] as const)(
    'shows what %s does though its answer is empty',
    async (name) => {
      const tools = await load('a b');
      const [request, shown] = mutations[name];
      const mutation = begin(name, tools);

      await server.release(request, gone);
      await mutation.unwrap();

      expect(tools.seen).toEqual(['a b', shown]);
      expectIdle(tools.slice());
    },
  );

  it('shows what assign adds by name', async () => {
    const Shelf = new RestEndpoint({
      urlPrefix: server.url,
      path: '/shelf',
      name: 'Todo/shelf',
      optimistic: true,
      schema: new Collection(new schema.Values(Todo)),
    });
    const { store, watch, slice } = setup();
    const loading = store.dispatch(Shelf());
    await server.release('GET /shelf', { json: { left: todo('a') } });
    await loading;
    const seen = watch((state) =>
      Object.entries(Shelf.select()(state) ?? {})
        .map(([place, { title }]) => `${place} ${title}`)
        .join(),
    );
    const assigning = store.dispatch(Shelf.assign({ right: { id: 2, title: 'b' } }));

    await server.release('POST /shelf', { json: { right: todo('b') } });
    await assigning.unwrap();
    const refused = store.dispatch(Shelf.assign({ left: { id: 3, title: 'c' } }));
    await server.release('POST /shelf', refusal);
    await refused;

    expect(seen).toEqual(['left a', 'left a,right b', 'left c,right b', 'left a,right b']);
    expectIdle(slice());
  });
});

describe('a snapshot', () => {
  /** An edit whose response is made of what the snapshot shows. */
  const shout = (expected: (title: string | undefined) => string | undefined) =>
    Todos.partialUpdate.extend({
      name: 'Todo/shout',
      getOptimisticResponse(snapshot, params) {
        const title = expected(snapshot.get(Todo, params)?.title);
        return title === undefined ? undefined : { id: params.id, title };
      },
    });
  const upper = shout((title) => title?.toUpperCase());

  it('has what earlier pending requests show, and not what its own does', async () => {
    const { store, edit, seen } = await load('a b');
    const first = edit('a', { title: 'a1' });
    const second = store.dispatch(upper({ id: 1 }, {}));
    const third = edit('b', { title: 'b1' });

    await server.release('PATCH /todos/2', one('b1'));
    await third;
    await server.release(/PATCH .*a1/, refusal);
    await first;
    await server.release('PATCH /todos/1', one('a', { title: 'A' }));
    await second;

    expect(seen).toEqual(['a b', 'a1 b', 'A1 b', 'A1 b1', 'A b1']);
  });

  it('reads an entity, an endpoint and a list by their arguments, with classes and all', async () => {
    const { store } = await load('a b');
    const found: unknown[] = [];
    const looking = Todos.partialUpdate.extend({
      name: 'Todo/looking',
      getOptimisticResponse(snapshot, params) {
        found.push(
          snapshot.get(Todo, params),
          snapshot.get(Todos.get, params),
          snapshot.get(Todos.getList, {})?.map(({ title }) => title),
          snapshot.get(Todos.getList, { list: 'never fetched' }),
          snapshot.get(Todo, { id: 99 }),
        );
        throw snapshot.abort;
      },
    });
    const request = store.dispatch(looking({ id: 1 }, {}));
    await server.release('PATCH /todos/1', one('a'));
    await request.unwrap();

    expect(found).toEqual([Todo.fromJS(todo('a')), Todo.fromJS(todo('a')), ['a', 'b'], undefined, undefined]);
    expect(found[0]).toBeInstanceOf(Todo);
    expect(found[0]).toBe(found[1]);
  });

  it('finds by the arguments of an endpoint what its selector finds: nothing where they name another row', async () => {
    class Profile extends Entity {
      id = 0;
      static override key = 'Profile';
    }
    const getProfile = new RestEndpoint({ urlPrefix: server.url, path: '/users/:id/profile', schema: Profile });
    const { store, resources, read } = await load('a b');
    store.dispatch(resources.set(Profile, { id: 1 }));
    const found: unknown[] = [];
    const looking = Todos.partialUpdate.extend({
      name: 'Todo/lookingBeside',
      getOptimisticResponse(snapshot, { id }) {
        found.push(snapshot.get(getProfile, { id }), snapshot.get(Profile, { id }));
        throw snapshot.abort;
      },
    });
    const request = store.dispatch(looking({ id: 1 }, {}));
    await server.release('PATCH /todos/1', one('a'));
    await request.unwrap();

    expect(found).toEqual([read(getProfile.select({ id: 1 })), { id: 1 }]);
    expect(found[0]).toBeUndefined();
  });

  it.each([1, 9])('finds what an endpoint was answered, whatever row that is: %s', async (id) => {
    class Profile extends Entity {
      id = 0;
      bio = '';
      static override key = 'Profile';
    }
    const path = '/users/:id/profile';
    const getProfile = new RestEndpoint({ urlPrefix: server.url, path, schema: Profile });
    const { store, resources } = await load('a b');
    store.dispatch(resources.setResponse(getProfile, { id: 1 }, { id, bio: 'x' }));
    const found: unknown[] = [];
    const looking = Todos.partialUpdate.extend({
      name: 'Todo/lookingAtAnswers',
      getOptimisticResponse(snapshot, params) {
        found.push(snapshot.get(getProfile, { id: params.id }));
        throw snapshot.abort;
      },
    });

    const request = store.dispatch(looking({ id: 1 }, {}));
    await server.release('PATCH /todos/1', one('a'));
    await request.unwrap();

    expect(found).toEqual([{ id, bio: 'x' }]);
  });

  it.each([
    ['nothing is expected', shout(() => undefined)],
    [
      'it is aborted',
      Todos.partialUpdate.extend({
        name: 'Todo/aborting',
        getOptimisticResponse: (snapshot) => {
          throw snapshot.abort;
        },
      }),
    ],
  ])('shows nothing where %s, and the request goes on', async (_, endpoint) => {
    const { store, seen, slice } = await load('a b');
    const request = store.dispatch(endpoint({ id: 1 }, { title: 'a1' }));
    const { intents } = slice();

    await server.release('PATCH /todos/1', one('a1'));
    await request.unwrap();

    expect(intents).toEqual([]);
    expect(seen).toEqual(['a b', 'a1 b']);
  });

  it('that fails the user at the start ends the request, and nothing is sent', async () => {
    const { store, seen, slice } = await load('a b');
    const mistake = new TypeError('not a function');
    const broken = shout(() => {
      throw mistake;
    });

    const error: unknown = await store
      .dispatch(broken({ id: 1 }, {}))
      .unwrap()
      .catch((reason: unknown) => reason);

    expect(error).toBe(mistake);
    expect(seen).toEqual(['a b']);
    expect(server.received.filter(({ method }) => method === 'PATCH')).toEqual([]);
    expectIdle(slice());
  });

  it.each([
    ['fails', () => 'throws'],
    ['expects nothing', () => undefined],
  ])('that %s when it is taken again shows nothing, and the request goes on', async (_, later) => {
    const { store, resources, seen, slice } = await load('a b');
    const fickle = Todos.partialUpdate.extend({
      name: 'Todo/fickle',
      getOptimisticResponse(snapshot, params) {
        if (!snapshot.get(Todo, params)?.done) return { id: params.id, title: 'A' };
        if (later() === 'throws') throw new Error('changed my mind');
        return undefined;
      },
    });
    const request = store.dispatch(fickle({ id: 1 }, { title: 'a1' }));
    store.dispatch(resources.set(Todo, { id: 1, done: true }));
    const during = seen.at(-1);

    await server.release('PATCH /todos/1', one('a1'));
    await request.unwrap();

    expect(during).toBe('a b');
    expect(seen).toEqual(['a b', 'A b', 'a b', 'a1 b']);
    expectIdle(slice());
  });
});

describe('a body of FormData', () => {
  const form = (fields: Readonly<Record<string, string | Blob>>): FormData => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, value);
    return data;
  };

  it('shows its fields at once, and is sent as it is', async () => {
    const { store, seen, list } = await load('a b');
    const creation = store.dispatch(Todos.getList.push({}, form({ title: 'n', list: 'home' })));
    const during = list()[2];

    const sent = await server.release('POST /todos', one('n'));
    await creation.unwrap();

    expect(during).toMatchObject({ title: 'n', list: 'home' });
    expect(isTemporary(during?.id)).toBe(true);
    expect(sent.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(sent.rawBody).toContain('name="title"\r\n\r\nn\r\n');
    expect(seen).toEqual(['a b', 'a b n']);
  });

  it('edits the fields that it names, and no others', async () => {
    const { store, item } = await load('a b');
    const editing = store.dispatch(Todos.partialUpdate({ id: 1 }, form({ title: 'a1' })));
    const during = item('a');

    await server.release('PATCH /todos/1', refusal);
    await editing;

    expect(during).toMatchObject({ title: 'a1', list: 'home' });
    expect(item('a')?.title).toBe('a');
  });

  it('puts no file into the state', async () => {
    const { store, slice } = await load('a b');
    const file = new Blob(['secret'], { type: 'text/plain' });
    const creation = store.dispatch(Todos.getList.push({}, form({ title: 'n', file })));
    const during = JSON.stringify(slice());

    const sent = await server.release('POST /todos', one('n'));
    await creation.unwrap();

    expect(during).not.toContain('secret');
    expect(sent.rawBody).toContain('secret');
  });

  it('waits for the item that it names', async () => {
    const { store, create, list } = await load('a b');
    const creation = create('n');
    const temporary = list()[2]?.id ?? '';
    const editing = store.dispatch(Todos.partialUpdate({ id: temporary }, form({ title: 'n1' })));

    await server.release('POST /todos', one('n'));
    await creation;
    const sent = await server.release(/^PATCH/, one('n1'));
    await editing.unwrap();

    expect(sent.path).toBe('/todos/14');
    expect(sent.rawBody).toContain('n1');
  });
});

describe('an item that is being created', () => {
  const idsIn = (state: RootState, params: { list?: string } = {}): readonly unknown[] =>
    Todos.getList
      .select(params)(state)
      ?.map(({ id }) => id) ?? [];

  it('has one temporary id until its answer comes, whatever happens meanwhile', async () => {
    const { store, resources, create, edit, poll, watch } = await load('a b');
    const creation = create('n');
    const seen = watch((state) => String(idsIn(state).at(-1)));
    const other = store.dispatch(Todos.getList.unshift({}, { title: 'm' }));

    const editing = edit('a', { title: 'a1' });
    await server.release('PATCH /todos/1', one('a1'));
    await editing;
    const polling = poll();
    await server.release('GET /todos', all('a1 b'));
    await polling;
    store.dispatch(resources.set(Todo, { id: 2, title: 'b1' }));
    await server.release(/POST .*"m"/, one('m'));
    await other;
    await server.release(/POST .*"n"/, one('n'));
    await creation;

    expect(seen).toHaveLength(2);
    expect(isTemporary(seen[0])).toBe(true);
    expect(seen[1]).toBe('14');
  });

  it('has another temporary id than any other', async () => {
    const { store, list, create } = await load('a');
    void create('n');
    void create('n');
    void store.dispatch(Todos.getList.push({}, [{ title: 'o' }, { title: 'p' }] as never));

    const ids = list().map(({ id }) => id);
    await server.holding(/"o"/);

    expect(new Set(ids).size).toBe(5);
    expect(ids.filter((id) => isTemporary(id))).toHaveLength(4);
  });

  it('keeps its place in every list when it becomes real', async () => {
    const { store, create, read, watch } = await load('a b');
    const home = store.dispatch(Todos.getList({ list: 'home' }));
    await server.release('GET /todos?list=home', all('a'));
    await home;
    const places = watch((state) =>
      [idsIn(state), idsIn(state, { list: 'home' })]
        .map((ids) => ids.map((id) => (isTemporary(id) ? '~' : String(id))).join())
        .join(' | '),
    );

    const first = store.dispatch(Todos.getList.push({}, { title: 'm', list: 'home' }));
    const second = create('n');
    const third = store.dispatch(Todos.getList.unshift({}, { title: 'o', list: 'home' }));
    await server.release(/POST .*"o"/, one('o'));
    await third;
    await server.release(/POST .*"m"/, one('m'));
    await first;
    await server.release(/POST .*"n"/, one('n', { list: 'work' }));
    await second;

    expect(places).toEqual([
      '1,2 | 1',
      '1,2,~ | 1,~',
      '1,2,~,~ | 1,~',
      '~,1,2,~,~ | ~,1,~',
      '15,1,2,~,~ | 15,1,~',
      '15,1,2,13,~ | 15,1,13',
      '15,1,2,13,14 | 15,1,13',
    ]);
    expect(read(titlesIn())).toBe('o a b m n');
  });

  it('and is refused takes with it what waits for it, in one step', async () => {
    const { store, create, list, seen, slice } = await load('a b');
    const creation = create('n');
    const id = list()[2]?.id ?? '';
    const waiting = [
      store.dispatch(Todos.partialUpdate({ id }, { title: 'n1' })),
      store.dispatch(Todos.partialUpdate({ id }, { done: true })),
    ];

    await server.release('POST /todos', refusal);
    await creation;
    const actions = await Promise.all(waiting);

    expect(actions.map(({ error }) => error?.code)).toEqual(['R14', 'R14']);
    expect(seen).toEqual(['a b', 'a b n', 'a b n1', 'a b']);
    expectIdle(slice());
  });

  it.each([
    ['is refused', refusal],
    ['is answered by nothing', gone],
  ])('and %s leaves nothing of what waits for it in the tables either', async (_, answer) => {
    const { store, resources, create, list, watch } = await load('a b');
    const creation = create('n');
    const everything = watch((state) => {
      const titles = resources
        .selectAll(Todo)(state)
        .map(({ title }) => title);
      return `${titles.join(' ')}, ${String(state.resources.intents.length)} pending`;
    });
    const id = list()[2]?.id ?? '';
    const waiting = store.dispatch(Todos.update({ id }, { title: 'n1', list: 'work', done: true }));

    await server.release('POST /todos', answer);
    await creation;
    const { error } = await waiting;

    expect(error?.code).toBe('R14');
    expect(everything).toEqual(['a b n, 1 pending', 'a b n1, 2 pending', 'a b, 1 pending', 'a b, 0 pending']);
  });

  it('is gone though its deletion waits, when it could not be created', async () => {
    const { store, create, list, seen } = await load('a b');
    const creation = create('n');
    const removal = store.dispatch(Todos.delete({ id: list()[2]?.id ?? '' }));

    await server.release('POST /todos', refusal);
    await creation;
    const { error } = await removal;

    expect(error?.code).toBe('R14');
    expect(seen).toEqual(['a b', 'a b n', 'a b']);
  });
});

describe('a deletion', () => {
  it.each([
    ['a detail', 'GET /todos/1', one('a'), () => Todos.get({ id: 1 })],
    ['the list', 'GET /todos', all('a b'), () => Todos.getList()],
    ['another list', 'GET /todos?list=home', all('a b'), () => Todos.getList({ list: 'home' })],
    ['a page', 'GET /todos?page=2', all('a c'), () => Todos.getList.getPage({ page: 2 })],
    ['an edit', 'PATCH /todos/1', one('a1'), () => Todos.partialUpdate({ id: 1 }, { title: 'a1' })],
  ] as const)(
    'is remembered: %s that was asked for before does not bring the row back',
    async (_, name, answer, ask) => {
      const { store, remove, seen, item, read, slice } = await load('a b');
      const asking = store.dispatch<PromiseLike<unknown>>(ask());
      const removal = remove('a');

      await server.release('DELETE /todos/1', gone);
      await removal.unwrap();
      await server.release(name, answer);
      await asking;

      expect(item('a')).toBeUndefined();
      expect(seen.slice(seen.findIndex((titles) => !titles.startsWith('a'))).join()).not.toContain('a');
      expect(read(titlesIn({ list: 'home' }))).not.toContain('a');
      expectIdle(slice());
    },
  );

  it('is remembered until the last request is over that cannot know of it', async () => {
    const { store, remove, poll, item, seen } = await load('a b');
    const early = poll();
    const other = store.dispatch(Todos.getList({ list: 'home' }));
    const removal = remove('a');
    await server.release('DELETE /todos/1', gone);
    await removal;

    await server.release('GET /todos', all('a b'));
    await early;
    await server.release('GET /todos?list=home', all('a'));
    await other;

    expect(item('a')).toBeUndefined();
    expect(seen).toEqual(['a b', 'b']);
  });

  it('is forgotten by what is asked for later: the row may be there again', async () => {
    const { remove, poll, seen } = await load('a b');
    const removal = remove('a');
    await server.release('DELETE /todos/1', gone);
    await removal;

    const polling = poll();
    await server.release('GET /todos', all('a b'));
    await polling;

    expect(seen).toEqual(['a b', 'b', 'a b']);
  });

  it('that fails puts the row back in its place in every list', async () => {
    const { store, remove, read } = await load('a b c');
    const home = store.dispatch(Todos.getList({ list: 'home' }));
    await server.release('GET /todos?list=home', all('c a b'));
    await home;
    const both = (): readonly string[] => [read(titlesIn()), read(titlesIn({ list: 'home' }))];
    const removal = remove('a');
    const during = both();

    await server.release('DELETE /todos/1', { status: 409, json: {} });
    await removal;

    expect(during).toEqual(['b c', 'c b']);
    expect(both()).toEqual(['a b c', 'c a b']);
  });

  it('that fails shows the row as it is by now', async () => {
    const { store, resources, remove, seen } = await load('a b');
    const removal = remove('a');
    store.dispatch(resources.set(Todo, { id: 1, title: 'a1' }));

    await server.release('DELETE /todos/1', refusal);
    await removal;

    expect(seen).toEqual(['a b', 'b', 'a1 b']);
  });
});
