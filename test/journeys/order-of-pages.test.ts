import { Collection, createResource, Entity, RestEndpoint } from 'rtk-resource';
import { expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Task extends Entity {
  id = 0;
  static override key = 'Task';
}

const server = await serverOfFile();
const at = { urlPrefix: server.url } as const;
const { getList } = createResource({ ...at, path: '/tasks/:id', schema: Task, paginationField: 'page' });
const getEnvelope = new RestEndpoint({
  ...at,
  path: '/envelope',
  searchParams: {},
  schema: { total: 0, items: new Collection([Task], { name: 'enveloped' }) },
  paginationField: 'page',
});

const pages = [[1, 2, 3], [4, 5], [6]];

/** Two of three pages. */
async function setupPages() {
  const tools = setup();
  const { store, resources, read } = tools;
  server.answer(/GET/, ({ path, query }) => {
    const items = (pages[Number(new URLSearchParams(query).get('page') ?? 1) - 1] ?? []).map((id) => ({ id }));
    return { json: path.includes('envelope') ? { total: 6, items } : items };
  });
  await store.dispatch(getList()).unwrap();
  await store.dispatch(getList.getNextPage()).unwrap();
  const sort = (order: readonly number[]) => (one: { id: number }, other: { id: number }) =>
    order.indexOf(one.id) - order.indexOf(other.id);
  return {
    ...tools,
    sort,
    ids: () => (read(getList.select()) ?? []).map(({ id }) => id),
    reorder: (order: readonly number[]) =>
      store.dispatch(resources.patch(getList, (tasks) => void tasks.sort(sort(order)))),
  };
}

it.each([
  ['in one page', [3, 1, 2, 4, 5]],
  ['of neighbours', [1, 3, 2, 4, 5]],
  ['across pages', [5, 1, 2, 3, 4]],
])('keeps a committed order %s when the next page comes', async (_, order) => {
  const { store, ids, reorder } = await setupPages();

  reorder(order).commit();
  await store.dispatch(getList.getNextPage()).unwrap();

  expect(ids()).toEqual([...order, 6]);
});

it('keeps the order of a patch that is committed after the next page', async () => {
  const { store, ids, reorder } = await setupPages();

  const preview = reorder([3, 1, 2, 4, 5, 6]);
  await store.dispatch(getList.getNextPage()).unwrap();
  preview.commit();

  expect(ids()).toEqual([3, 1, 2, 4, 5, 6]);
});

it('keeps a committed order of a list in an envelope', async () => {
  const { store, resources, read, sort } = await setupPages();
  await store.dispatch(getEnvelope()).unwrap();

  const recipe = (draft: { items: Task[] }) => void draft.items.sort(sort([2, 3, 1]));
  store.dispatch(resources.patch(getEnvelope, recipe as never)).commit();
  await store.dispatch(getEnvelope.getNextPage()).unwrap();

  expect(read(getEnvelope.select())?.items.map(({ id }) => id)).toEqual([2, 3, 1, 4, 5]);
});

it('keeps its pages when the order of a list inside one of its items is committed', async () => {
  class Node extends Entity {
    id = 0;
    children: Node[] = [];
    static override key = 'Node';
    static override schema = { children: new Collection([Node]) };
  }
  const { getList: getNodes } = createResource({ ...at, path: '/nodes/:id', schema: Node, paginationField: 'page' });
  const { store, resources, read } = setup();
  const [root, ...others] = [1, 2, 3, 4, 5].map((id) => ({ id }));
  server.answer('GET /nodes', ({ query }) => {
    const page = Number(new URLSearchParams(query).get('page') ?? 1);
    const items = [{ ...root, children: [{ id: 2 }, { id: 4 }] }, ...others];
    return { json: items.slice(page * 2 - 2, page * 2) };
  });
  await store.dispatch(getNodes()).unwrap();
  await store.dispatch(getNodes.getNextPage()).unwrap();

  store.dispatch(resources.patch(getNodes, ([node]) => void node?.children.reverse())).commit();
  await store.dispatch(getNodes.getNextPage()).unwrap();

  const shown = read(getNodes.select()) ?? [];
  expect(shown.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  expect(shown[0]?.children.map(({ id }) => id)).toEqual([4, 2]);
});
