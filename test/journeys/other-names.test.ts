import { Collection, createResource, Entity, schema } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

/* Lists that are asked for by another name than the one that their rows have: a slug for an id, "me" for a user. */

const server = await serverOfFile();
const at = { urlPrefix: server.url, optimistic: true } as const;

class Project extends Entity {
  id = 0;
  slug = '';
  static override key = 'Project';
}
class Task extends Entity {
  id = 0;
  project: number | Project = 0;
  assignee = 0;
  status = '';
  static override key = 'Task';
}
class Card extends Task {
  static override key = 'Card';
  static override schema = { project: Project };
}
interface Filters {
  readonly assignee?: string | number;
  readonly status?: string;
}
const searchParams: Filters = {};
const project = { id: 4, slug: 'ants' };

const byStatus = (row: { readonly status: string }, { status }: Readonly<Record<string, string>>) =>
  !status || row.status === status;

describe('an edit of an item in lists below a slug', () => {
  it.each([
    ['by the id', createResource({ ...at, path: '/projects/:project/tasks/:id', schema: Task, searchParams }), 4],
    [
      'by the id, and belongs tells the rest',
      createResource({
        ...at,
        path: '/projects/:project/tasks/:id',
        schema: Task,
        searchParams,
        belongs: byStatus,
      }),
      4,
    ],
    [
      'by the row',
      createResource({ ...at, path: '/projects/:project/tasks/:id', schema: Card, searchParams }),
      project,
    ],
  ])('moves it among them, where the rows know the project %s', async (_, Tasks, known) => {
    const { store, read } = setup();
    const row = (id: number, status: string) => ({ id, project: known, status });
    const lists = ['open', 'done'].map((status) => ({ project: 'ants', status }));
    for (const [i, list] of lists.entries()) {
      server.answer('GET /projects/ants/tasks', { json: [row(i + 1, list.status)] });
      await store.dispatch(Tasks.getList(list));
    }
    const shown = () => lists.map((list) => read(Tasks.getList.select(list))?.map(({ id }) => id));

    const edit = store.dispatch(Tasks.partialUpdate({ project: 'ants', id: 1 }, { status: 'done' }));
    const during = shown();
    await server.release('PATCH /projects/ants/tasks/1', { json: row(1, 'done') });
    await edit;

    expect(during).toEqual([[], [2, 1]]);
    expect(shown()).toEqual([[], [2, 1]]);
  });

  it('takes it to no list of another project', async () => {
    const { store, read } = setup();
    const Tasks = createResource({ ...at, path: '/projects/:project/tasks/:id', schema: Task, searchParams });
    const lists = [
      { project: 'ants', status: 'open' },
      { project: 'bees', status: 'done' },
    ];
    for (const [i, list] of lists.entries()) {
      server.answer(`GET /projects/${list.project}/tasks`, {
        json: [{ id: i + 1, project: i + 4, status: list.status }],
      });
      await store.dispatch(Tasks.getList(list));
    }
    server.answer('PATCH /projects/ants/tasks/1', { json: { id: 1, project: 4, status: 'done' } });

    await store.dispatch(Tasks.partialUpdate({ project: 'ants', id: 1 }, { status: 'done' }));

    expect(lists.map((list) => read(Tasks.getList.select(list))?.map(({ id }) => id))).toEqual([[], [2]]);
  });

  it('counts it in the totals of both', async () => {
    const tasks = new Collection([Task]);
    const Tasks = createResource({ ...at, path: '/projects/:project/tasks/:id', schema: Task, searchParams }).extend({
      getList: { schema: { items: tasks, count: tasks.total } },
    });
    const { store, read } = setup();
    const lists = ['open', 'done'].map((status) => ({ project: 'ants', status }));
    for (const [i, list] of lists.entries()) {
      const items = [{ id: i + 1, project: 4, status: list.status }];
      server.answer('GET /projects/ants/tasks', { json: { items, count: 5 } });
      await store.dispatch(Tasks.getList(list));
    }
    server.answer('PATCH /projects/ants/tasks/1', { json: { id: 1, project: 4, status: 'done' } });

    await store.dispatch(Tasks.partialUpdate({ project: 'ants', id: 1 }, { status: 'done' }));

    expect(lists.map((list) => read(Tasks.getList.select(list))?.count)).toEqual([4, 6]);
  });
});

describe('an edit of an item in lists of "me"', () => {
  const Tasks = createResource({ ...at, path: '/tasks/:id', schema: Task, searchParams });
  const open = { assignee: 'me', status: 'open' };
  const done = { assignee: 'me', status: 'done' };

  it.each([
    ['that has items', [{ id: 2, assignee: 7, status: 'done' }]],
    ['that is empty', []],
  ])('has the list that it may join fetched again, %s', async (_, items) => {
    const { store, read } = setup();
    server.answer('GET /tasks', { json: [{ id: 1, assignee: 7, status: 'open' }] });
    await store.dispatch(Tasks.getList(open));
    server.answer('GET /tasks', { json: items });
    await store.dispatch(Tasks.getList(done));
    server.answer('PATCH /tasks/1', { json: { id: 1, assignee: 7, status: 'done' } });

    await store.dispatch(Tasks.partialUpdate({ id: 1 }, { status: 'done' }));

    expect(read(Tasks.getList.select(open))).toEqual([]);
    expect(read(Tasks.getList.selectRequest(done)).isStale).toBe(true);
  });

  it('leaves lists fresh that it cannot join', async () => {
    const { store, read } = setup();
    const lists = [open, { assignee: 8, status: 'done' }, { assignee: 'me', status: 'late' }];
    for (const [i, list] of lists.entries()) {
      server.answer('GET /tasks', { json: [{ id: i + 1, assignee: i + 7, status: list.status }] });
      await store.dispatch(Tasks.getList(list));
    }
    server.answer('PATCH /tasks/1', { json: { id: 1, assignee: 7, status: 'done' } });

    await store.dispatch(Tasks.partialUpdate({ id: 1 }, { status: 'done' }));

    expect(lists.slice(1).map((list) => read(Tasks.getList.selectRequest(list)).isStale)).toEqual([false, false]);
  });
});

it.each(['of one class', 'of a Union'])(
  'an item %s moves to another parent also where its id is that of one',
  async (of) => {
    class Todo extends Entity {
      id = 0;
      userId = 0;
      kind = 'todo';
      static override key = 'Todo';
    }
    const items = of === 'of a Union' ? new schema.Union({ todo: Todo }, 'kind') : Todo;
    const Todos = createResource({ ...at, path: '/users/:userId/todos/:id', schema: items });
    const { store, read } = setup();
    const todo = (userId: number) => ({ id: 2, userId, kind: 'todo' });
    for (const userId of [1, 2]) {
      server.answer(`GET /users/${String(userId)}/todos`, { json: userId === 1 ? [todo(1)] : [] });
      await store.dispatch(Todos.getList({ userId }));
    }
    server.answer('PATCH /users/1/todos/2', { json: todo(2) });

    await store.dispatch(Todos.partialUpdate({ userId: 1, id: 2 }, { userId: 2 }));

    expect([1, 2].map((userId) => read(Todos.getList.select({ userId })))).toEqual([[], [todo(2)]]);
  },
);
