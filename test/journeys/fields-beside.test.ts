import { createResource, Entity } from 'rtk-resource';
import { expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}
const server = await serverOfFile();
const [ada, bob] = [
  { id: 1, name: 'Ada' },
  { id: 2, name: 'Bob' },
];
class Task extends Entity {
  id = 0;
  title = '';
  status = '';
  payment_status = '';
  updatedAt = '';
  updatedBy?: User;
  ownerId = 0;
  owner?: User;
  assignee: number | string = 0;
  folder: number | string = 0;
  static override key = 'Task';
  static override schema = { owner: User, updatedBy: User };
}
const filters: { owner?: number; updatedBy?: number; payment_status?: string; folder?: string; page?: number } = {};
const Tasks = createResource({
  urlPrefix: server.url,
  path: '/tasks/:id',
  schema: Task,
  searchParams: filters,
  optimistic: true,
});

async function load(lists: readonly (readonly [typeof filters, readonly object[]])[]) {
  const tools = setup();
  for (const [list, rows] of lists) {
    server.answer('GET /tasks', { json: rows });
    await tools.store.dispatch(Tasks.getList(list));
  }
  const stale = () => lists.map(([list]) => tools.read(Tasks.getList.selectRequest(list)).isStale);
  const ids = () => lists.map(([list]) => tools.read(Tasks.getList.select(list))?.map(({ id }) => id));
  return { ...tools, stale, ids };
}

it('an edit at which the server sets updatedAt leaves lists fresh that are filtered by updatedBy', async () => {
  const row = (id: number, u: object, at: string) => ({ id, title: `${id}`, updatedAt: at, updatedBy: u });
  const { store, stale } = await load([
    [{ updatedBy: 1 }, [row(1, ada, 'a')]],
    [{ updatedBy: 2 }, [row(2, bob, 'a')]],
  ]);
  const edit = store.dispatch(Tasks.partialUpdate({ id: 1 }, { title: 'x' }));
  await server.release('PATCH /tasks/1', { json: { ...row(1, ada, 'b'), title: 'x' } });
  await edit;
  expect(stale()).toEqual([false, false]);
});

it('an edit of ownerId whose answer tells the owner too moves its item among the lists of owners, which stay fresh', async () => {
  const row = (id: number, u: { id: number }) => ({ id, title: `${id}`, ownerId: u.id, owner: u });
  const { store, stale, ids } = await load([
    [{ owner: 1 }, [row(1, ada)]],
    [{ owner: 2 }, [row(2, bob)]],
  ]);
  const edit = store.dispatch(Tasks.partialUpdate({ id: 1 }, { ownerId: 2 }));
  await server.release('PATCH /tasks/1', { json: row(1, bob) });
  await edit;
  expect([ids(), stale()]).toEqual([
    [[], [2, 1]],
    [false, false],
  ]);
});

it('an edit of status makes no list stale that the item is not in by its payment_status', async () => {
  const row = (id: number, payment_status: string, status = 'new') => ({ id, title: `${id}`, status, payment_status });
  const { store, stale } = await load([
    [{ payment_status: 'paid' }, [row(1, 'paid')]],
    [{ payment_status: 'unpaid' }, [row(2, 'unpaid')]],
    [{ payment_status: 'refunded' }, [row(3, 'refunded')]],
  ]);
  const edit = store.dispatch(Tasks.partialUpdate({ id: 1 }, { status: 'sent' }));
  await server.release('PATCH /tasks/1', { json: row(1, 'paid', 'sent') });
  await edit;
  expect(stale()).toEqual([true, false, false]);
});

it('a list of all is fetched again when an item leaves it by a field that nobody knew before', async () => {
  const { store, stale, ids } = await load([
    [
      { folder: 'all' },
      [
        { id: 1, title: 'a' },
        { id: 2, title: 'b' },
      ],
    ],
    [{ folder: 'inbox' }, [{ id: 1, title: 'a' }]],
  ]);
  const edit = store.dispatch(Tasks.partialUpdate({ id: 1 }, { folder: 'work' }));
  await server.release('PATCH /tasks/1', { json: { id: 1, title: 'a' } });
  await edit;
  expect([ids(), stale()]).toEqual([
    [[2], []],
    [true, true],
  ]);
});

it('an edit of a field that nobody knew before makes those windows stale alone that had the item, or are to have it', async () => {
  const lists = ['inbox', 'work', 'spam', 'trash'].map(
    (folder, i) => [{ folder, page: 1 }, [{ id: i + 1, title: 'a' }]] as const,
  );
  const { store, stale } = await load(lists);
  const edit = store.dispatch(Tasks.partialUpdate({ id: 1 }, { folder: 'work' }));
  await server.release('PATCH /tasks/1', { json: { id: 1, title: 'a' } });
  await edit;
  expect(stale()).toEqual([true, true, false, false]);
});
