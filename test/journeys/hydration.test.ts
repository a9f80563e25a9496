import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { Provider } from 'react-redux';
import { configureStore } from '@reduxjs/toolkit';
import {
  Collection,
  configureResources,
  createResource,
  Entity,
  RestEndpoint,
  type ResourcesState,
} from 'rtk-resource';
import { useResource } from 'rtk-resource/react';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { startServer, type Reply } from '../support/server.js';
import { expectBusy, expectIdle } from '../support/store.js';

class Author extends Entity {
  id = 0;
  name = '';
  static override key = 'Author';
}
class Todo extends Entity {
  id: number | string = 0;
  title = '';
  note: string | undefined = undefined;
  createdAt = new Date(0);
  author: Author | undefined = undefined;
  static override key = 'Todo';
  static override schema = { createdAt: (iso: string) => new Date(iso), author: Author };
}

const server = await startServer();
afterAll(() => server.close());
afterEach(() => {
  vi.restoreAllMocks();
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
/** An answer without a schema, kept as it comes. */
const count = new RestEndpoint({ urlPrefix: server.url, path: '/count', name: 'count' });

const createdAt = '2026-01-05T10:00:00.000Z';
const todo = (id: number, title: string, fields: object = {}): object => ({ id, title, createdAt, ...fields });
const says = (json: unknown): Reply => ({ json });
const refusal: Reply = { status: 422, json: {} };

/** A store of its own, as for each request to a server, or for each visit to a page. */
function open(preloaded?: ResourcesState) {
  const resources = configureResources();
  const store = configureStore({
    reducer: { resources: resources.reducer },
    middleware: (getDefault) => getDefault().concat(resources.middleware),
    ...(preloaded && { preloadedState: { resources: preloaded } }),
  });
  const titles = (): string =>
    Todos.getList
      .select()(store.getState())
      ?.map(({ title }) => title)
      .join(' ') ?? 'nothing';

  return {
    store,
    resources,
    titles,
    slice: () => store.getState().resources,
    list: () => Todos.getList.select()(store.getState()),
    seen: () => {
      const values = [titles()];
      store.subscribe(() => {
        if (titles() !== values.at(-1)) values.push(titles());
      });
      return values;
    },
  };
}

/** A slice as it comes through a page or through storage. */
const sent = (slice: ResourcesState): ResourcesState => JSON.parse(JSON.stringify(slice)) as ResourcesState;

async function openLoaded() {
  const tools = open();
  const loading = tools.store.dispatch(Todos.getList());
  const ada = { id: 1, name: 'Ada' };
  await server.release('GET /todos', says([todo(1, 'one', { author: ada }), todo(2, 'two', { author: ada })]));
  await loading.unwrap();

  return tools;
}

describe('a store that begins with what another has fetched', () => {
  it('shows the same, classes and all, and fetches nothing', async () => {
    const there = await openLoaded();
    const here = open(sent(there.slice()));
    const first = here.list();
    const answer = await here.store.dispatch(Todos.getList.ifStale());

    expect(first).toEqual(there.list());
    expect(first?.[0]?.createdAt).toEqual(new Date(createdAt));
    expect(first?.[0]?.author).toBe(first?.[1]?.author);
    expect(here.list()).toBe(first);
    expect(Todos.get.select({ id: 1 })(here.store.getState())).toBe(first?.[0]);
    expect(answer.meta.condition).toBe(true);
    expect(server.received).toHaveLength(1);
  });

  it('fetches no item that a fresh list has brought, once it has been asked for the list', async () => {
    const there = await openLoaded();
    const here = open(sent(there.slice()));
    await here.store.dispatch(Todos.getList.ifStale());
    const asking = here.store.dispatch(Todos.get.ifStale({ id: 1 }));
    if (here.slice().requests.pks.flat().length > 1) asking.abort();

    expect((await asking).meta).toMatchObject({ condition: true, aborted: false });
  });

  it('keeps an answer fresh that it has not been asked for yet, whatever else comes', async () => {
    const there = open();
    const counting = there.store.dispatch(count());
    await server.release('GET /count', says(7));
    await counting.unwrap();
    const here = open(sent(there.slice()));

    const loading = here.store.dispatch(Todos.get({ id: 1 }));
    await server.release('GET /todos/1', says(todo(1, 'one')));
    await loading.unwrap();

    expect(count.selectRequest()(here.store.getState())).toMatchObject({ data: 7, isStale: false });
  });

  it('goes on from there: its writes reach the lists that it was given', async () => {
    const there = await openLoaded();
    const here = open(sent(there.slice()));
    const seen = here.seen();
    const writes = [
      here.store.dispatch(Todos.getList.push({}, { title: 'new' })),
      here.store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'edited' })),
    ];

    await server.release('POST /todos', says(todo(3, 'new')));
    await server.release('PATCH /todos/1', refusal);
    await Promise.all(writes);

    expect(seen).toEqual(['one two', 'one two new', 'edited two new', 'one two new']);
    expect(here.list()?.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('does not let an answer of its own be older than what it was given', async () => {
    const there = await openLoaded();
    const here = open(sent({ ...there.slice(), seq: 1000 }));
    const loading = here.store.dispatch(Todos.getList());
    await server.release('GET /todos', says([todo(2, 'two!')]));
    await loading;

    expect(here.titles()).toBe('two!');
  });

  it('knows nothing of what was pending there', async () => {
    const there = await openLoaded();
    const { store } = there;
    const under = [
      store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'edited' })),
      store.dispatch(Todos.getList.push({}, { title: 'new' })),
      store.dispatch(Todos.delete({ id: 2 })),
      store.dispatch(Todos.getList()),
      store.dispatch(Todos.get({ id: 9 })),
    ];
    // What settles meanwhile makes a journal.
    store.dispatch(there.resources.set(Todo, { id: 2, note: 'told' }));
    const slice = sent(there.slice());
    const here = open(slice);
    const states = [Todos.getList.selectRequest(), Todos.get.selectRequest({ id: 9 })].map(
      (select) => select(here.store.getState()).status,
    );

    expect(there.titles()).toBe('edited new');
    expect(slice.intents).toHaveLength(3);
    expectBusy(slice);
    expect(here.titles()).toBe('one two');
    expect(here.list()?.[1]?.note).toBe('told');
    expectIdle(here.slice());
    expect(here.resources.selectPending(Todo, 1)(here.store.getState())).toEqual([]);
    expect(states).toEqual(['fulfilled', 'uninitialized']);

    there.store.dispatch(there.resources.reset());
    await Promise.all(under);
  });

  it('asks for itself what was pending there', async () => {
    const there = open();
    const loading = there.store.dispatch(Todos.getList());
    const here = open(sent(there.slice()));
    await server.release('GET /todos', says([]));
    await loading;

    const asking = here.store.dispatch(Todos.getList.ifStale());
    await server.release('GET /todos', says([todo(1, 'one')]));
    await asking.unwrap();

    expect(here.titles()).toBe('one');
  });

  it('tells of the errors that were met there', async () => {
    const there = open();
    const loading = there.store.dispatch(Todos.get({ id: 9 }));
    await server.release('GET /todos/9', { status: 404, json: { message: 'No such todo' } });
    await loading;
    const here = open(sent(there.slice()));
    const state = Todos.get.selectRequest({ id: 9 })(here.store.getState());

    expect(state).toMatchObject({ status: 'rejected', error: { status: 404, data: { message: 'No such todo' } } });
    await expect(here.store.dispatch(Todos.get.ifStale({ id: 9 })).unwrap()).rejects.toMatchObject({ status: 404 });
  });

  it('leaves alone what it was given', async () => {
    const there = await openLoaded();
    const slice = sent(there.slice());
    const text = JSON.stringify(slice);
    const here = open(slice);
    here.store.dispatch(here.resources.set(Todo, { id: 1, title: 'set' }));

    expect(JSON.stringify(slice)).toBe(text);
    expect(here.titles()).toBe('set two');
  });
});

describe('hydrate', () => {
  it('adds what is not there', async () => {
    const there = await openLoaded();
    const here = open();
    here.store.dispatch(here.resources.hydrate(sent(there.slice())));

    expect(here.list()).toEqual(there.list());
    expect((await here.store.dispatch(Todos.getList.ifStale())).meta.condition).toBe(true);
  });

  it('changes nothing of what is there, and adds the fields and the rows that are not', async () => {
    const there = open();
    const whole = there.store.dispatch(Todos.getList());
    await server.release('GET /todos', says([todo(1, 'older', { note: 'told there' }), todo(3, 'three')]));
    await whole;
    const here = open();
    const part = here.store.dispatch(Todos.getList());
    await server.release('GET /todos', says([todo(1, 'one'), todo(2, 'two')]));
    await part;
    const two = here.list()?.[1];

    here.store.dispatch(here.resources.hydrate(sent(there.slice())));

    expect(here.titles()).toBe('one two');
    expect(here.list()?.[0]?.note).toBe('told there');
    expect(here.list()?.[1]).toBe(two);
    expect(here.resources.selectEntity(Todo, 3)(here.store.getState())?.title).toBe('three');
  });

  it('of the same again changes no object', async () => {
    const there = await openLoaded();
    const here = open(sent(there.slice()));
    const before = here.list();

    here.store.dispatch(here.resources.hydrate(sent(there.slice())));

    expect(here.list()).toBe(before);
  });

  it('leaves what is pending here, and knows nothing of what was pending there', async () => {
    const there = await openLoaded();
    const theirs = there.store.dispatch(Todos.partialUpdate({ id: 2 }, { title: 'edited there' }));
    const slice = sent(there.slice());
    await server.release('PATCH /todos/2', refusal);
    await theirs;
    const here = await openLoaded();
    const seen = here.seen();
    const mine = here.store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'edited here' }));

    here.store.dispatch(here.resources.hydrate(slice));
    await server.release('PATCH /todos/1', says(todo(1, 'edited here')));
    await mine.unwrap();

    expect(seen).toEqual(['one two', 'edited here two']);
    expectIdle(here.slice());
  });

  it('is older than what is under way here, also of an answer that has no schema', async () => {
    const there = open();
    const theirs = there.store.dispatch(count());
    await server.release('GET /count', says({ of: 1 }));
    await theirs;
    const here = open();
    const mine = here.store.dispatch(count());

    here.store.dispatch(
      here.resources.hydrate(sent({ ...there.slice(), seq: 50, requests: later(there.slice(), 50) })),
    );
    await server.release('GET /count', says({ of: 2 }));
    await mine;

    expect(count.select()(here.store.getState())).toEqual({ of: 2 });
  });

  it('is older than what is under way here', async () => {
    const there = await openLoaded();
    const here = open();
    const seen = here.seen();
    const mine = here.store.dispatch(Todos.getList());

    here.store.dispatch(here.resources.hydrate(sent(there.slice())));
    await server.release('GET /todos', says([todo(2, 'two!'), todo(3, 'three')]));
    await mine;

    expect(seen).toEqual(['nothing', 'one two', 'two! three']);
  });

  it('shows a pending edit over what it brings', async () => {
    const there = await openLoaded();
    const here = open();
    here.store.dispatch(here.resources.set(Todo, { id: 1, title: 'one' }));
    const mine = here.store.dispatch(Todos.partialUpdate({ id: 1 }, { title: 'edited here' }));

    here.store.dispatch(here.resources.hydrate(sent(there.slice())));
    const during = here.titles();
    await server.release('PATCH /todos/1', refusal);
    await mine;

    expect(during).toBe('edited here two');
    expect(here.titles()).toBe('one two');
  });

  it('shows in the lists that it brings what is pending: what is to be created, and what an edit moves', async () => {
    const Lists = createResource({
      path: '/todos/:id',
      schema: Todo,
      searchParams,
      urlPrefix: server.url,
      optimistic: true,
    });
    const body: { list?: string; title?: string } = { list: 'b' };
    const there = open();
    server.answer('GET /todos?list=a', says([todo(1, 'one', { list: 'a' }), todo(2, 'two', { list: 'a' })]));
    await there.store.dispatch(Lists.getList({ list: 'a' }));
    const here = open();
    const shown = () =>
      Lists.getList
        .select({ list: 'a' })(here.store.getState())
        ?.map(({ title }) => title);
    const creating = here.store.dispatch(Lists.getList.push({ list: 'a' }, { title: 'new' }));
    const moving = here.store.dispatch(Lists.partialUpdate({ id: 1 }, body));

    here.store.dispatch(here.resources.hydrate(sent(there.slice())));
    const pending = shown();
    await server.release('POST /todos?list=a', refusal);
    await creating;
    await server.release('PATCH /todos/1', says(todo(1, 'one', { list: 'b' })));
    await moving;

    expect(pending).toEqual(['two', 'new']);
    expect(shown()).toEqual(['two']);
    expectIdle(here.slice());
  });

  it('lets a patch by hand lie over the list that it brings', async () => {
    const there = await openLoaded();
    const here = open();
    const preview = here.store.dispatch(here.resources.patch(Todos.getList, (list) => void list.reverse()));

    here.store.dispatch(here.resources.hydrate(sent(there.slice())));
    const during = here.titles();
    preview.undo();

    expect([during, here.titles()]).toEqual(['two one', 'one two']);
  });

  it('does not bring back what was deleted here', async () => {
    const there = await openLoaded();
    const here = await openLoaded();
    const removal = here.store.dispatch(Todos.delete({ id: 1 }));
    await server.release('DELETE /todos/1', { status: 204 });
    await removal;

    here.store.dispatch(here.resources.hydrate(sent(there.slice())));

    expect(here.titles()).toBe('two');
  });
});

/** The records of a slice as if its requests had started later. */
function later({ requests }: ResourcesState, seq: number): ResourcesState['requests'] {
  return JSON.parse(JSON.stringify(requests).replace(/"seq":\d+/g, `"seq":${String(seq)}`)) as typeof requests;
}

describe('rendering on a server', () => {
  function Titles(): ReactNode {
    const { data, isLoading } = useResource(Todos.getList, {});
    return createElement('p', null, isLoading ? 'Loading' : data?.map(({ title }) => title).join(', '));
  }
  const render = ({ store }: ReturnType<typeof open>): string =>
    // `children` beside the props is what the type of Provider does not know.
    renderToString(createElement(Provider, { store, children: createElement(Titles) }));

  it('shows what was fetched before, in a store for each visitor', async () => {
    const ada = open();
    const bob = open();
    const loadings = [ada, bob].map(({ store }) => store.dispatch(Todos.getList()));
    await server.release('GET /todos', says([todo(1, 'for Ada')]));
    await server.release('GET /todos', says([todo(1, 'for Bob')]));
    await Promise.all(loadings);
    const pages = [ada, bob].map(render);
    const page = render(open(sent(ada.slice())));

    expect(pages).toEqual(['<p>for Ada</p>', '<p>for Bob</p>']);
    expect(page).toBe(pages[0]);
  });

  it('fetches nothing by itself', () => {
    expect(render(open())).toBe('<p>Loading</p>');
    expect(server.received).toEqual([]);
  });

  it('leaves no timer behind', async () => {
    // The network has timers of its own, so here is none.
    const Local = Todos.extend({
      getList: { fetchResponse: () => Promise.resolve(Response.json([todo(1, 'one')])) },
      partialUpdate: { fetchResponse: () => Promise.resolve(Response.json(todo(1, 'edited'))) },
    });
    const timers = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')];
    const tools = open();
    await tools.store.dispatch(Local.getList()).unwrap();
    await tools.store.dispatch(Local.partialUpdate({ id: 1 }, { title: 'edited' })).unwrap();
    tools.store.dispatch(tools.resources.set(Todo, { id: 1, title: 'set' }));
    tools.store.dispatch(tools.resources.hydrate(sent(tools.slice())));
    render(tools);

    expect(timers.flatMap(({ mock }) => mock.calls)).toEqual([]);
  });
});

describe('a state that comes with a later page', () => {
  async function both(edit: string) {
    server.answer('GET /todos', says([todo(1, 'one'), todo(2, 'two')]));
    server.answer('GET /todos/1', says(todo(1, 'one')));
    server.answer('PATCH /todos/1', says(todo(1, edit)));
    const [rendered, here] = [open(), open()];
    await rendered.store.dispatch(Todos.getList());
    await here.store.dispatch(Todos.get({ id: 1 }));
    await here.store.dispatch(Todos.partialUpdate({ id: 1 }, { title: edit }));
    here.store.dispatch(here.resources.hydrate(sent(rendered.slice())));
    return { ...here, isStale: Todos.getList.selectRequest()(here.store.getState()).isStale };
  }

  it('is stale where the store knows another value of one of its rows, for lists may have moved it since', async () => {
    const { titles, isStale } = await both('edited');

    expect([titles(), isStale]).toEqual(['edited two', true]);
  });

  it('is fresh where the two agree', async () => {
    const { titles, isStale } = await both('one');

    expect([titles(), isStale]).toEqual(['one two', false]);
  });

  const lists = new Collection([Todo]);
  const Counted = createResource({
    urlPrefix: server.url,
    path: '/counted/:id',
    schema: Todo,
    optimistic: true,
  }).extend({
    getList: { schema: { results: lists, count: lists.total } },
  });
  const numbered: { readonly page?: number } = {};
  const Pages = createResource({
    urlPrefix: server.url,
    path: '/counted/:id',
    schema: Todo,
    searchParams: numbered,
    name: 'Pages',
  }).extend({
    getList: { schema: { results: lists, count: lists.total } },
  });
  class Ordered extends Entity {
    id = 0;
    static override key = 'Ordered';
    static override shouldReorder() {
      return false;
    }
  }
  const Orders = createResource({ urlPrefix: server.url, path: '/counted/:id', schema: Ordered });
  class KeptTodo extends Todo {
    static override key = 'KeptTodo';
    static override shouldReorder(kept: { seq: number }, incoming: { seq: number }) {
      return incoming.seq < kept.seq;
    }
  }
  const Kept = createResource({ urlPrefix: server.url, path: '/counted/:id', schema: KeptTodo });
  const one = todo(1, 'one');

  it.each([
    ['a list has a total', Counted, { results: [one], count: 1 }],
    ['a class says itself which answer is newer', Orders, [{ id: 1 }]],
  ])('is fresh where the two agree and %s', async (_, { getList, get }, list) => {
    server.answer('GET /counted', says(list));
    server.answer('GET /counted/1', says(one));
    const [there, here] = [open(), open()];
    await there.store.dispatch(get({ id: 1 }));
    // More has happened in one process than in the other.
    for (const { store } of [there, there, here]) await store.dispatch(getList());

    here.store.dispatch(here.resources.hydrate(sent(there.slice())));

    expect(get.selectRequest({ id: 1 })(here.store.getState())).toMatchObject({ status: 'fulfilled', isStale: false });
  });

  it('is stale where the two count otherwise', async () => {
    const [there, here] = [open(), open()];
    server.answer('GET /counted', says({ results: [one], count: 1 }));
    server.answer('GET /counted?page=2', says({ results: [], count: 2 }));
    await here.store.dispatch(Counted.getList());
    await there.store.dispatch(Pages.getList({ page: 2 }));

    here.store.dispatch(here.resources.hydrate(sent(there.slice())));

    expect(Pages.getList.selectRequest({ page: 2 })(here.store.getState())).toMatchObject({ isStale: true });
  });

  it.each([
    ['a list with a total', Counted, (n: number) => ({ results: [one], count: n })],
    ['a class that keeps newer answers', Kept, (n: number) => [todo(1, `version ${n}`)]],
  ])('is older than the answer to what was asked before it came, of %s', async (_, { getList }, list) => {
    const [there, here] = [open(), open()];
    // More has happened in one process than in the other.
    for (let n = 1; n <= 3; n++) {
      server.answer('GET /counted', says(list(n)));
      await there.store.dispatch(getList());
    }
    server.forget();
    const asking = here.store.dispatch(getList());
    await server.holding('GET /counted');

    here.store.dispatch(here.resources.hydrate(sent(there.slice())));
    await server.release('GET /counted', says(list(4)));
    await asking;

    expect(JSON.parse(JSON.stringify(getList.select()(here.store.getState())))).toMatchObject(list(4));
  });

  it('leaves the number that is told beside a list', async () => {
    const [there, here] = [open(), open()];
    server.answer('POST /counted', says(todo(2, 'two')));
    server.answer('GET /counted', says({ results: [one], count: 1 }));
    await there.store.dispatch(Counted.getList());
    await there.store.dispatch(Counted.getList.push({ title: 'two' }));
    server.answer('GET /counted', says({ results: [one, todo(2, 'two')], count: 2 }));
    await here.store.dispatch(Counted.getList());

    here.store.dispatch(here.resources.hydrate(sent(there.slice())));

    expect(Counted.getList.select()(here.store.getState())?.count).toBe(2);
  });
});
