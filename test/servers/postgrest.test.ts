import { describe, expect, it } from 'vitest';
import { apiOf, Refusal, removeFrom, type Asked, type Said } from './api.js';
import { LabelResource, TaskResource } from './models/postgrest.js';
import { setupApp, type Store } from './screens.js';

interface TaskRow {
  id: number;
  title: string;
  status: string;
  label: string | null;
}
interface LabelRow {
  name: string;
  color: string;
}

const problem = (status: number, code: string, message: string, details: string | null = null) =>
  new Refusal({ status, json: { code, message, details, hint: null } });

/** PostgREST over two tables: tasks have the name of a label, with `on update cascade` and `on delete set null`. */
function startPostgrest() {
  const task = (id: number, title: string, status: string, label: string | null): TaskRow => ({
    ...{ id, title, status, label },
  });
  const tasks = [
    task(1, 'Fix crash', 'open', 'bug'),
    task(2, 'Add mode', 'open', 'idea'),
    task(3, 'Write docs', 'done', null),
    task(4, 'Fix typo', 'open', 'bug'),
    task(5, 'Draw icon', 'open', null),
  ];
  const labels: LabelRow[] = [
    { name: 'bug', color: 'red' },
    { name: 'idea', color: 'blue' },
  ];
  let lastId = 5;
  /** The rows that a query string means: `status=eq.open&title=ilike.*x*`. */
  const filtered = <Row extends object>(rows: readonly Row[], { query }: Asked): readonly Row[] =>
    rows.filter((row) =>
      [...query].every(([name, value]) => {
        if (['order', 'limit', 'offset'].includes(name)) return true;
        const field = String(row[name as keyof Row]);
        const [operator, operand = ''] = value.split(/\.(.*)/);
        return operator === 'eq'
          ? field === operand
          : field.toLowerCase().includes(operand.replaceAll('*', '').toLowerCase());
      }),
    );
  const isOne = ({ headers }: Asked): boolean => headers.get('accept') === 'application/vnd.pgrst.object+json';
  const one = <Row extends object>(rows: readonly Row[]): Row => {
    const [row] = rows;
    if (!row || rows.length > 1)
      throw problem(
        406,
        'PGRST116',
        'JSON object requested, multiple (or no) rows returned',
        `The result contains ${String(rows.length)} rows`,
      );
    return row;
  };
  const read = (rows: readonly object[], asked: Asked): Said => {
    const found = filtered(rows, asked);
    if (isOne(asked)) return { json: one(found) };
    const offset = Number(asked.query.get('offset') ?? 0);
    const page = found.slice(offset, offset + Number(asked.query.get('limit') ?? 100));
    const range = page.length === 0 ? '*' : `${String(offset)}-${String(offset + page.length - 1)}`;
    const total = asked.headers.get('prefer') === 'count=exact' ? String(found.length) : '*';
    return { json: page, headers: { 'content-range': `${range}/${total}` } };
  };
  const checked = (asked: Asked, own?: TaskRow): Partial<TaskRow> => {
    const body: Partial<TaskRow> = asked.body;
    if (body.title === '')
      throw problem(
        400,
        '23514',
        'new row for relation "tasks" violates check constraint "title_is_told"',
        'Failing row contains (…).',
      );
    if (tasks.some((other) => other !== own && other.title === body.title))
      throw problem(
        409,
        '23505',
        'duplicate key value violates unique constraint "tasks_title_key"',
        `Key (title)=(${String(body.title)}) already exists.`,
      );
    return body;
  };

  const api = apiOf({
    'GET /tasks': (asked) => read(tasks, asked),
    'POST /tasks': (asked) => {
      const added = { ...task(++lastId, '', 'open', null), ...checked(asked) };
      tasks.push(added);
      return { status: 201, json: added };
    },
    'PATCH /tasks': (asked) => {
      const row = one(filtered(tasks, asked));
      return { json: Object.assign(row, checked(asked, row)) };
    },
    'DELETE /tasks': (asked) => {
      for (const row of filtered(tasks, asked)) removeFrom(tasks, row);
      return { status: 204 };
    },
    'GET /labels': (asked) => read(labels, asked),
    'PATCH /labels': (asked) => {
      const label = one(filtered(labels, asked));
      const { name } = label;
      Object.assign(label, asked.body);
      for (const row of tasks) if (row.label === name) row.label = label.name;
      return { json: label };
    },
    'DELETE /labels': (asked) => {
      const label = one(filtered(labels, asked));
      removeFrom(labels, label);
      for (const row of tasks) if (row.label === label.name) row.label = null;
      return { status: 204 };
    },
  });
  return { api, tasks, labels };
}

/** Somebody looks at lists of several filters, at a part of one, at the labels and at one task. */
async function setupTasks() {
  const server = startPostgrest();
  const app = setupApp(server.api);
  const { screens, store, read } = app;
  const { getList, get } = TaskResource;
  const open = { status: 'eq.open', limit: 2 } as const;
  await screens.openPages(getList, [open], {
    load: [() => store.dispatch(getList.getNextPage(open))],
    next: ({ rows, total }: { rows: readonly object[]; total: number }, args: { offset?: number }) => {
      const offset = (args.offset ?? 0) + rows.length;
      return rows.length > 0 && offset < total ? { ...args, offset } : undefined;
    },
  });
  const part = { limit: 2, offset: 2 };
  for (const args of [{ status: 'eq.done' }, { label: 'eq.bug' }, { title: 'ilike.*fix*' }, part] as const)
    await screens.open(getList, args);
  await screens.open(get, { id: 2 });
  await screens.open(LabelResource.getList);
  const shown = (args: Parameters<typeof getList>[0]): string => {
    const { rows = [], total } = read(getList.select(args)) ?? {};
    return `${rows.map(({ title }) => title).join()} of ${String(total)}`;
  };
  return { ...app, ...server, shown, open, part };
}

describe('an app on PostgREST', () => {
  it('shows lists, pages by offset, and totals of a header as the server has them', async () => {
    const { screens, shown, open, part } = await setupTasks();

    await screens.expectToEqualServer();

    expect(shown(open)).toBe('Fix crash,Add mode,Fix typo,Draw icon of 4');
    expect(shown(part)).toBe('Write docs,Fix typo of 5');
  });

  it('creates a task: it joins at once, and the search is asked for again', async () => {
    const { screens, store, shown, open, api } = await setupTasks();
    const held = api.hold('POST /tasks');

    const create = store.dispatch(TaskResource.getList.push({}, { title: 'Fix door', status: 'open', label: 'bug' }));
    const during = [shown(open), shown({ label: 'eq.bug' })];
    held.release();
    await create;

    expect(during).toEqual(['Fix crash,Add mode,Fix typo,Draw icon,Fix door of 5', 'Fix crash,Fix typo,Fix door of 3']);
    await screens.expectToEqualServer();
    expect(shown({ title: 'ilike.*fix*' })).toBe('Fix crash,Fix typo,Fix door of 3');
  });

  it('renames a label, whose name is its primary key: tasks that have it are asked for again', async () => {
    const { screens, store, read, api } = await setupTasks();
    const held = api.hold('PATCH /labels');

    const edit = store.dispatch(LabelResource.partialUpdate({ name: 'bug' }, { name: 'defect' }));
    const during = read(LabelResource.getList.select())?.rows.map(({ name }) => name);
    held.release();
    await edit;

    expect(during).toEqual(['defect', 'idea']);
    await screens.expectToEqualServer();
    await store.dispatch(LabelResource.partialUpdate({ name: 'defect' }, { color: 'orange' }));
    await screens.expectToEqualServer();
  });

  it('finishes a task: it moves from list to list at once, and both totals know', async () => {
    const { screens, store, shown, open, api } = await setupTasks();
    const held = api.hold('PATCH /tasks');

    const edit = store.dispatch(TaskResource.partialUpdate({ id: 2 }, { status: 'done' }));
    const during = [shown(open), shown({ status: 'eq.done' })];
    held.release();
    await edit;

    expect(during).toEqual(['Fix crash,Fix typo,Draw icon of 3', 'Write docs,Add mode of 2']);
    await screens.expectToEqualServer();
  });

  it('deletes a task and a label: parts of lists shift, and are asked for again', async () => {
    const { screens, store, shown, part } = await setupTasks();

    await store.dispatch(TaskResource.delete({ id: 1 }));
    await screens.expectToEqualServer();
    await store.dispatch(LabelResource.delete({ name: 'bug' }));
    await screens.expectToEqualServer();

    expect(shown(part)).toBe('Fix typo,Draw icon of 4');
    expect(shown({ label: 'eq.bug' })).toBe(' of 0');
  });

  it('is told by 400 which constraint is violated, and shows what was', async () => {
    const { screens, store, shown, open } = await setupTasks();

    const { error } = await store.dispatch(TaskResource.partialUpdate({ id: 2 }, { title: '', status: 'done' }));

    expect(error).toMatchObject({ status: 400, data: { code: '23514' } });
    expect(shown(open)).toBe('Fix crash,Add mode,Fix typo,Draw icon of 4');
    await screens.expectToEqualServer();
  });

  it('is told by 409 that a title is taken, and asks what is so', async () => {
    const { screens, store, tasks } = await setupTasks();
    // What somebody else has called it meanwhile.
    Object.assign(tasks.find(({ id }) => id === 4) ?? {}, { title: 'Fix typos' });

    const { error } = await store.dispatch(TaskResource.partialUpdate({ id: 4 }, { title: 'Fix crash' }));

    expect(error).toMatchObject({ status: 409, data: { code: '23505' } });
    await screens.expectToEqualServer();
  });

  it.each([
    ['create', ({ dispatch }: Store) => dispatch(TaskResource.getList.push({}, { title: 'Fix door' }))],
    [
      'edit',
      ({ dispatch }: Store) => dispatch(TaskResource.partialUpdate({ id: 2 }, { status: 'done', label: 'bug' })),
    ],
    ['deletion', ({ dispatch }: Store) => dispatch(TaskResource.delete({ id: 1 }))],
  ])('asks what is so where the answer to a %s was lost', async (_, write) => {
    const { screens, store, api } = await setupTasks();
    for (const name of ['POST /tasks', 'PATCH /tasks', 'DELETE /tasks']) api.lose(name);

    const { error } = await write(store);

    expect(error?.name).toBe('NetworkError');
    await screens.expectToEqualServer();
  });
});
