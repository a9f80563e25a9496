import { createResource, Entity, RestEndpoint } from 'rtk-resource';
import { mockServer } from 'rtk-resource/mock';
import { outbox } from 'rtk-resource/offline';
import { describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Todo extends Entity {
  id = 0;
  title = '';
  votes = 0;
  static override key = 'Todo';
}

const server = await serverOfFile();

const Todos = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, optimistic: true });

// As who writes JavaScript may call it.
type Anything = never;

/** What somebody is told who does this. */
function told(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return String(error);
  }
  throw new Error('Nothing was thrown.');
}

/** What somebody is told whose request is rejected. */
async function toldBy(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'It was not rejected.',
    (error: unknown) => String(error),
  );
}

describe('the text of an error', () => {
  it('names an endpoint as it is called in actions, and shows no code that cannot be run', async () => {
    const { store } = setup();
    const get = Todos.get as unknown as (...args: unknown[]) => ReturnType<typeof Todos.get>;

    const uncalled = told((): unknown => store.dispatch(Todos.getList.push as Anything));
    const withBody = await toldBy(store.dispatch(get({ id: 1 }, { skip: true })).unwrap());

    expect(uncalled).toContain('The endpoint Todo/getList/push was dispatched without being called.');
    expect(uncalled).toContain('dispatch(endpoint(…))');
    expect(withBody).toContain('useResource(endpoint(…), { skip: true })');
  });

  it('ends with a path that is there in the project of the user', () => {
    expect(told(() => Todos.get.url({ id: '' }))).toMatch(/\n\[R3\] node_modules\/rtk-resource\/docs\/errors\/R3\.md$/);
  });

  it.each<readonly [string, (event: Anything) => Promise<unknown>]>([
    ['a create', (event) => setup().store.dispatch(Todos.getList.push(event)).unwrap()],
    [
      'an edit',
      (event) =>
        setup()
          .store.dispatch(Todos.update({ id: 1 }, event))
          .unwrap(),
    ],
    ['an edit that lacks its id', (event) => setup().store.dispatch(Todos.update(event, event)).unwrap()],
    ['a deletion', (event) => setup().store.dispatch(Todos.delete(event)).unwrap()],
    [
      'an endpoint of its own',
      (event) => {
        const vote = new RestEndpoint({ urlPrefix: server.url, path: '/votes', body: {} as { up: boolean } });

        return setup().store.dispatch(vote(event)).unwrap();
      },
    ],
  ])('of %s that was given an event says so', async (_, act) => {
    const text = await toldBy(act(new Event('click') as Anything));

    expect(text).toContain('was given an event.\n');
    expect(text).toContain('onClick={() => add(…)}');
    expect(server.received).toEqual([]);
  });

  it.each([
    ['NaN', 'set votes to NaN, which JSON cannot hold.\nSet a number, or null.', Number.NaN],
    ['a Map', 'set votes to a Map, which JSON cannot hold.', new Map()],
  ])('of a recipe that sets %s tells of the recipe, and of no handler', async (_, text, value) => {
    const { store, resources } = setup();
    store.dispatch(resources.set(Todo, { id: 1, title: 'one' }));
    const vote = Todos.partialUpdate.extend({
      optimistic: (todo) => {
        todo.votes = value as number;
      },
    });

    const rejected = await toldBy(store.dispatch(vote({ id: 1 }, {})).unwrap());

    expect(rejected).toContain(`The recipe of Todo/partialUpdate ${text}`);
    expect(rejected).not.toContain('onClick');
  });

  it('of a recipe with a mistake names its endpoint, and keeps the mistake as its cause', async () => {
    const { store, resources } = setup();
    store.dispatch(resources.set(Todo, { id: 1, title: 'one' }));
    const rename = Todos.partialUpdate.extend({
      optimistic: (todo) => {
        (todo as unknown as { author: { name: string } }).author.name = 'Ada';
      },
    });

    const error = await store
      .dispatch(rename({ id: 1 }, {}))
      .unwrap()
      .catch((one: unknown) => one);

    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toMatch(/The recipe of Todo\/partialUpdate failed: .*name/);
    expect((error as Error).cause).toBeInstanceOf(TypeError);
  });

  it('of resources.patch names that', () => {
    const { store, resources } = setup();
    store.dispatch(resources.setResponse(Todos.getList, {}, []));

    const text = told(() =>
      store.dispatch(
        resources.patch(Todos.getList, (list) => {
          list.push({ title: 'new' } as Anything);
        }),
      ),
    );

    expect(text).toContain('The recipe of resources.patch(Todo/getList) added an entity of Todo without an id.');
  });

  it.each<readonly [string, Anything]>([
    ['one row', { title: 'x' } as Anything],
    ['several', [{ title: 'x' }] as Anything],
  ])('of resources.set without an id names that, and no response: %s', (_, rows) => {
    const { store, resources } = setup();

    const text = told(() => {
      store.dispatch(resources.set(Todo, rows));
    });

    expect(text).toContain('resources.set(Todo, …) was given a row without an id: {"title":"x"}.\nNothing was stored.');
    expect(text).not.toContain('response');
  });

  it.each([
    ['/a/:id(\\d+)', 'Patterns in parentheses are not supported: write :id.'],
    ['/a/:id+', 'write *id.'],
    ['/a/{b', 'Each brace needs its partner.'],
  ])('of the path %s says what to write', (path, advice) => {
    expect(told(() => new RestEndpoint({ path }).url({ id: 1 }))).toContain(advice);
  });

  it('of a path behind a bare host says what to write', () => {
    const text = told(() => new RestEndpoint({ urlPrefix: 'https://a.com', path: 'users/:id' }).url({ id: 1 }));

    expect(text).toContain('must begin with "/" after https://a.com');
    expect(text).toContain('Write "/users/:id".');
  });

  it('of what is taken for an endpoint says what it was, and what may be the cause', () => {
    const { resources } = setup();
    const loose = resources as unknown as Record<string, (...args: unknown[]) => unknown>;

    const ofRequest = told(() => loose['invalidate']?.(Todos.get({ id: 1 })));
    const ofNothing = told(() => loose['expireAll']?.(undefined));
    const ofList = told(() => loose['selectAll']?.([Todo]));

    expect(ofRequest).toContain('resources.invalidate takes an endpoint, but was given a request of Todo/get.');
    expect(ofNothing).toContain('resources.expireAll takes an endpoint, but was given undefined.');
    expect(ofNothing).toContain('imported in a circle');
    expect(ofList).toContain('but was given the list [Todo].');
  });

  it('of a write that waited for a create says where to look', async () => {
    const { store, read, resources } = setup();
    server.answer('POST /todos', { status: 422 });
    const creating = store.dispatch(Todos.getList.push({ title: 'new' }));
    const [{ id } = { id: 0 }] = read(resources.selectAll(Todo));
    const editing = store.dispatch(Todos.partialUpdate({ id }, { title: 'newer' }));
    await creating;

    expect(await toldBy(editing.unwrap())).toContain('Look at the error of the create.');
  });

  it('of an outbox in two stores, and of a write that it does not have, says so', async () => {
    // There is no disk here, whatever another file has put in its place.
    vi.stubGlobal('indexedDB', undefined);
    expectWarning(/The outbox "texts" cannot store its writes/);
    const queue = outbox({ name: 'texts', resources: [Todos] });
    const { store } = setup({ outbox: queue });
    const unknown = await toldBy(store.dispatch(queue.edit('nope', { title: 'x' })));

    const twice = told(() => setup({ outbox: queue }));
    await queue.close();
    vi.unstubAllGlobals();

    expect(twice).toContain('The outbox "texts" was given to two stores');
    expect(unknown).toContain('The outbox has no write nope to edit: it is done, was discarded, or never existed.');
  });

  it('of what the mock server refuses has the words of that', async () => {
    const Archived = Todos.extend('archive', { path: '/todos/:id/archive', method: 'POST' });
    const mock = mockServer([Archived]);
    const { store } = setup({ fetchFn: mock.fetch });

    const text = await toldBy(store.dispatch(Archived.archive({ id: 1 }, {} as Anything)).unwrap());

    expect(text).toMatch(/failed: 501 What Todo\/archive does is known to you alone/);
  });
});

describe('two resources of one class', () => {
  class Film extends Entity {
    id = 0;
    static override key = 'Film';
  }

  const lists = (name?: string) => {
    const one = createResource({ urlPrefix: server.url, path: '/one/:id', schema: Film });
    const two = createResource({ urlPrefix: server.url, path: '/two/:id', schema: Film, ...(name && { name }) });
    server.answer('GET /one', { json: [{ id: 1 }] });
    server.answer('GET /two', { json: [{ id: 2 }] });
    server.answer('GET /one/1', { json: { id: 1 } });
    server.answer('GET /two/1', { json: { id: 1 } });

    return { one, two };
  };

  it('are told of once, with one remedy', async () => {
    const { one, two } = lists();
    const { store } = setup();
    expectWarning(/two endpoints are named "Film\/getList".*createResource\(\{ name: '…', … \}\)/s);

    await store.dispatch(one.getList());
    await store.dispatch(two.getList());
    await store.dispatch(one.get({ id: 1 }));
    await store.dispatch(two.get({ id: 1 }));
  });

  it('have lists of their own where one has a name, and nothing is told', async () => {
    const { one, two } = lists('Two');
    const { store, read } = setup();

    await store.dispatch(one.getList());
    await store.dispatch(two.getList());

    expect(read(one.getList.select())?.map(({ id }) => id)).toEqual([1]);
    expect(read(two.getList.select())?.map(({ id }) => id)).toEqual([2]);
  });
});
