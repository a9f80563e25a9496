import { createResource, Entity } from 'rtk-resource';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

/** A list whose rows read themselves: they show what the list has brought, and wait for it where that is stale. */
class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();
const Todos = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });
const ids = [1, 2, 3, 4, 5];
const list = (title: string, of = ids) => ({ json: of.map((id) => ({ id, title })) });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A store whose list is older than it is fresh. */
async function setupStale(options: Parameters<typeof setup>[0] = {}) {
  const tools = setup(options);
  server.answer('GET /todos', list('old'));
  await tools.store.dispatch(Todos.getList());
  vi.setSystemTime(Date.now() + 61_000);
  server.forget();
  const title = (id: number) => tools.read(Todos.get.select({ id }))?.title;
  return { ...tools, title };
}

const paths = () => server.received.map(({ path }) => path);
const quiet = () => new Promise((resolve) => setTimeout(resolve, 20));

it('the rows of a stale list that begin to be read with it, before it is, are one request', async () => {
  const { store, title } = await setupStale();
  server.answer('GET /todos', list('new'));

  for (const id of ids) store.dispatch(Todos.get.subscribe({ id }));
  store.dispatch(Todos.getList.subscribe());
  await vi.waitFor(() => {
    expect(title(5)).toBe('new');
  });
  await quiet();

  expect(paths()).toEqual(['/todos']);
});

it('the rows of a stale list are one request when the user comes back', async () => {
  let see: (isVisible: boolean) => void = () => undefined;
  const setupListeners = ({ visible }: { visible: (isVisible: boolean) => void }) => {
    see = visible;
    return () => undefined;
  };
  const { store, title } = await setupStale({ setupListeners });
  server.answer('GET /todos', list('new'));
  await store.dispatch(Todos.getList());
  store.dispatch(Todos.getList.subscribe());
  for (const id of ids) store.dispatch(Todos.get.subscribe({ id }));
  await quiet();
  server.forget();
  server.answer('GET /todos', list('newer'));
  vi.setSystemTime(Date.now() + 61_000);

  see(false);
  see(true);
  await vi.waitFor(() => {
    expect(title(5)).toBe('newer');
  });
  await quiet();

  expect(paths()).toEqual(['/todos']);
});

it('a list that is stale as soon as it comes is not fetched again for its rows, which are fetched by themselves', async () => {
  const { store, read } = setup({ dataExpiryLength: 0 });
  server.forget();
  server.answer('GET /todos', list('listed'));
  server.answer(/GET \/todos\/\d/, ({ path }) => ({ json: { id: Number(path.split('/').pop()), title: 'by itself' } }));
  store.dispatch(Todos.getList.subscribe());
  await vi.waitFor(() => {
    expect(read(Todos.get.select({ id: 5 }))?.title).toBe('listed');
  });

  for (const id of ids) store.dispatch(Todos.get.subscribe({ id }));
  await vi.waitFor(() => {
    expect(read(Todos.get.select({ id: 5 }))?.title).toBe('by itself');
  });
  await quiet();

  expect(paths().sort()).toEqual(['/todos', ...ids.map((id) => `/todos/${String(id)}`)]);
});

it('a row that its list does not bring any more is fetched by itself', async () => {
  const { store, title } = await setupStale();
  server.answer('GET /todos', list('new', [1, 2]));
  server.answer('GET /todos/3', { json: { id: 3, title: 'by itself' } });

  for (const id of [1, 3]) store.dispatch(Todos.get.subscribe({ id }));
  store.dispatch(Todos.getList.subscribe());
  await vi.waitFor(() => {
    expect(title(3)).toBe('by itself');
  });

  expect(paths()).toEqual(['/todos', '/todos/3']);
});

it('a row whose list nobody reads is fetched by itself', async () => {
  const { store } = await setupStale();

  store.dispatch(Todos.get.subscribe({ id: 1 }));
  await server.release('GET /todos/1', { json: { id: 1, title: 'by itself' } });

  expect(paths()).toEqual(['/todos/1']);
});

it('rows are not asked for one by one where the server fails to answer their list', async () => {
  const { store, read } = await setupStale();
  server.answer('GET /todos', { status: 500, json: {} });

  for (const id of ids) store.dispatch(Todos.get.subscribe({ id }));
  store.dispatch(Todos.getList.subscribe());
  await vi.waitFor(() => {
    expect(read(Todos.getList.selectRequest()).isError).toBe(true);
  });
  await quiet();

  expect(paths()).toEqual(['/todos']);
});

it('a row that is opened beside its stale list is fetched by itself, also where the server has lost the list', async () => {
  const { store } = await setupStale();
  server.answer('GET /todos', { status: 500 });
  server.answer('GET /todos/3', { json: { id: 3, title: 'new' } });
  store.dispatch(Todos.getList.subscribe());
  await vi.waitFor(() => {
    expect(paths()).toEqual(['/todos']);
  });

  store.dispatch(Todos.get.subscribe({ id: 3 }));
  await vi.waitFor(() => {
    expect(paths()).toEqual(['/todos', '/todos/3']);
  });
  await quiet();

  expect(paths()).toHaveLength(2);
});

it('two rows of a list of three pages are fewer requests than its pages', async () => {
  const Paged = createResource({
    urlPrefix: server.url,
    path: '/todos/:id',
    schema: Todo,
    name: 'Paged',
    paginationField: 'page',
  });
  const { store } = setup();
  for (const page of [1, 2, 3])
    server.answer(page === 1 ? 'GET /todos' : `GET /todos?page=${String(page)}`, list('old', [2 * page - 1, 2 * page]));
  server.answer(/GET \/todos\/\d/, ({ path }) => ({ json: { id: Number(path.split('/').pop()), title: 'new' } }));
  await store.dispatch(Paged.getList());
  for (const _ of [2, 3]) await store.dispatch(Paged.getList.getNextPage());
  store.dispatch(Paged.getList.subscribe());
  vi.setSystemTime(Date.now() + 61_000);
  const before = paths().length;

  for (const id of [2, 5]) store.dispatch(Paged.get.subscribe({ id }));
  await vi.waitFor(() => {
    expect(paths().slice(before)).toEqual(['/todos/2', '/todos/5']);
  });
  await quiet();

  expect(paths().slice(before)).toEqual(['/todos/2', '/todos/5']);
});

it('all rows that read themselves are marked and fetched by expireAll with one more action', async () => {
  const { store, resources, actions, read } = setup();
  server.answer('GET /todos', list('old'));
  await store.dispatch(Todos.getList());
  for (const id of ids) store.dispatch(Todos.get.subscribe({ id }));
  await quiet();
  server.forget();
  actions.length = 0;
  server.answer(/GET \/todos\/\d/, ({ path }) => ({ json: { id: Number(path.split('/').pop()), title: 'new' } }));

  store.dispatch(resources.expireAll(Todos.get));
  await vi.waitFor(() => {
    expect(ids.map((id) => read(Todos.get.select({ id }))?.title)).toEqual(ids.map(() => 'new'));
  });

  expect(paths().sort()).toEqual(ids.map((id) => `/todos/${String(id)}`));
  expect(actions.filter(({ type }) => type === 'resources/expire')).toHaveLength(2);
});
