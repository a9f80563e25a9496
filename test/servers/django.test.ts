import { describe, expect, it } from 'vitest';
import { apiOf, findIn, Refusal, removeFrom, type Asked } from './api.js';
import { ProjectResource, TaskResource } from './models/django.js';
import { setupApp, type Store } from './screens.js';

interface ProjectRow {
  id: number;
  slug: string;
  name: string;
}
interface TaskRow {
  id: number;
  title: string;
  status: string;
  project: number;
  created_at: string;
}

const pageSize = 2;
const missing = { detail: 'No Task matches the given query.' };

/** Two ModelViewSets of Django REST Framework, with PageNumberPagination and ConditionalGetMiddleware. */
function startDjango() {
  const projects: ProjectRow[] = [
    { id: 7, slug: 'garden', name: 'Garden' },
    { id: 8, slug: 'house', name: 'House' },
  ];
  let id = 0;
  const task = (title: string, status: string, project: number): TaskRow => ({
    ...{ id: ++id, title, status, project },
    created_at: '2026-01-05T10:00:00.123456Z',
  });
  const tasks = [
    task('Water roses', 'open', 7),
    task('Mow lawn', 'open', 7),
    task('Paint door', 'done', 8),
    task('Cut roses', 'open', 7),
    task('Fix roof', 'open', 8),
  ];
  const paged = (rows: readonly object[], { query, url }: Asked) => {
    const page = Number(query.get('page') ?? 1);
    const address = (to: number): string => {
      const other = new URL(url);
      other.searchParams.set('page', String(to));
      return other.href;
    };
    if (page > 1 && (page - 1) * pageSize >= rows.length)
      throw new Refusal({ status: 404, json: { detail: 'Invalid page.' } });
    return {
      count: rows.length,
      next: page * pageSize < rows.length ? address(page + 1) : null,
      previous: page > 1 ? address(page - 1) : null,
      results: rows.slice((page - 1) * pageSize, page * pageSize),
    };
  };
  const checked = (body: Partial<TaskRow>): Partial<TaskRow> => {
    const wrong = (json: object): Refusal => new Refusal({ status: 400, json });
    if (body.title === '') throw wrong({ title: ['This field may not be blank.'] });
    if (body.project !== undefined && !projects.some((one) => one.id === body.project))
      throw wrong({ project: [`Invalid pk "${String(body.project)}" - object does not exist.`] });
    return body;
  };
  const taskOf = (asked: Asked): TaskRow => findIn(tasks, { id: Number(asked.param('id')) }, missing);
  const projectOf = (asked: Asked): ProjectRow => findIn(projects, { slug: asked.param('slug') }, missing);

  const api = apiOf(
    {
      'GET /tasks/': (asked) => {
        const { query } = asked;
        const found = tasks.filter(
          ({ title, status, project }) =>
            title.toLowerCase().includes((query.get('search') ?? '').toLowerCase()) &&
            (!query.has('status') || query.get('status') === status) &&
            (!query.has('project') || query.get('project') === String(project)),
        );
        return { json: paged(found, asked) };
      },
      'POST /tasks/': (asked) => {
        const added = { ...task('', 'open', 7), ...checked(asked.body) };
        tasks.push(added);
        return { status: 201, json: added };
      },
      'GET /tasks/:id/': (asked) => ({ json: taskOf(asked) }),
      'PATCH /tasks/:id/': (asked) => ({ json: Object.assign(taskOf(asked), checked(asked.body)) }),
      'DELETE /tasks/:id/': (asked) => {
        removeFrom(tasks, taskOf(asked));
        return { status: 204 };
      },
      'GET /projects/': (asked) => ({ json: paged(projects, asked) }),
      'GET /projects/:slug/': (asked) => ({ json: projectOf(asked) }),
      'PATCH /projects/:slug/': (asked) => ({ json: Object.assign(projectOf(asked), asked.body) }),
    },
    { prefix: '/api', hasTags: true },
  );
  return { api, tasks, projects };
}

/** Somebody looks at lists of several filters, at numbered pages, and at single items. */
async function setupTasks() {
  const server = startDjango();
  const app = setupApp(server.api);
  const { screens, store, read } = app;
  const { getList, get } = TaskResource;
  const next = ({ next: address }: { next: string | null }, args: { page?: number }) =>
    address === null ? undefined : { ...args, page: (args.page ?? 1) + 1 };
  await screens.openPages(getList, [{ status: 'open' }], {
    load: [() => store.dispatch(getList.getNextPage({ status: 'open' }))],
    next,
  });
  for (const args of [{ page: 1 }, { page: 2 }]) await screens.open(getList, args);
  for (const args of [{ status: 'done' }, { search: 'roses' }, { project: 8 }])
    await screens.openPages(getList, [args], { load: [], next });
  await screens.open(get, { id: 2 });
  await screens.open(ProjectResource.getList);
  await screens.open(ProjectResource.get, { slug: 'house' });
  const shown = (args: Parameters<typeof getList>[0]): string => {
    const { results = [], count } = read(getList.select(args)) ?? {};
    return `${results.map(({ title }) => title).join()} of ${String(count)}`;
  };
  return { ...app, ...server, shown };
}

describe('an app on Django REST Framework', () => {
  it('shows lists, pages by number and by next, details and totals as the server has them', async () => {
    const { screens, shown } = await setupTasks();

    await screens.expectToEqualServer();

    expect(shown({ status: 'open' })).toBe('Water roses,Mow lawn,Cut roses,Fix roof of 4');
    expect(shown({ page: 2 })).toBe('Paint door,Cut roses of 5');
  });

  it('creates a task: it joins at once, is counted in all pages, and the search is asked for again', async () => {
    const { screens, store, shown, api } = await setupTasks();
    const held = api.hold('POST /tasks/');

    const create = store.dispatch(TaskResource.getList.push({}, { title: 'Buy roses', status: 'open', project: 8 }));
    const during = [shown({ status: 'open' }), shown({ project: 8 }), shown({ page: 1 })];
    held.release();
    await create;

    expect(during).toEqual([
      'Water roses,Mow lawn,Cut roses,Fix roof,Buy roses of 5',
      'Paint door,Fix roof,Buy roses of 3',
      'Water roses,Mow lawn of 6',
    ]);
    await screens.expectToEqualServer();
    expect(shown({ search: 'roses' })).toBe('Water roses,Cut roses of 3');
  });

  it('renames a project, which is known by its slug', async () => {
    const { screens, store, read } = await setupTasks();

    await store.dispatch(ProjectResource.partialUpdate({ slug: 'house' }, { slug: 'villa', name: 'Villa' }));

    screens.close(ProjectResource.get.key({ slug: 'house' }));
    await screens.open(ProjectResource.get, { slug: 'villa' });
    await screens.expectToEqualServer();
    expect(read(ProjectResource.getList.select())?.results.map(({ name }) => name)).toEqual(['Garden', 'Villa']);
  });

  it('finishes a task: it moves to the list of those that are done, and both totals know', async () => {
    const { screens, store, shown, api } = await setupTasks();
    const held = api.hold('PATCH /tasks/2/');

    const edit = store.dispatch(TaskResource.partialUpdate({ id: 2 }, { status: 'done' }));
    const during = [shown({ status: 'open' }), shown({ status: 'done' })];
    held.release();
    await edit;

    expect(during).toEqual(['Water roses,Cut roses,Fix roof of 3', 'Paint door,Mow lawn of 2']);
    await screens.expectToEqualServer();
  });

  it('gives a task a title by which the server finds it', async () => {
    const { screens, store, shown } = await setupTasks();

    await store.dispatch(TaskResource.partialUpdate({ id: 2 }, { title: 'Mow around the roses' }));

    await screens.expectToEqualServer();
    expect(shown({ search: 'roses' })).toBe('Water roses,Mow around the roses of 3');
  });

  it('deletes a task: numbered pages shift, and are asked for again', async () => {
    const { screens, store, shown } = await setupTasks();

    await store.dispatch(TaskResource.delete({ id: 1 }));
    await screens.expectToEqualServer();

    expect(shown({ page: 1 })).toBe('Mow lawn,Paint door of 4');
    expect(shown({ page: 2 })).toBe('Cut roses,Fix roof of 4');
  });

  it('is told by 400 what is wrong with each field, and shows what was', async () => {
    const { screens, store, shown } = await setupTasks();

    const { error } = await store.dispatch(TaskResource.partialUpdate({ id: 2 }, { title: '', status: 'done' }));

    expect(error).toMatchObject({ status: 400, data: { title: ['This field may not be blank.'] } });
    expect(shown({ status: 'open' })).toBe('Water roses,Mow lawn,Cut roses,Fix roof of 4');
    await screens.expectToEqualServer();
  });

  it('is told by 409 that others were faster, and asks what is so', async () => {
    const { screens, store, api, tasks } = await setupTasks();
    Object.assign(findIn(tasks, { id: 2 }, missing), { title: 'Mow the lawn twice' });
    api.refuse('PATCH /tasks/2/', { status: 409, json: { detail: 'The task has changed meanwhile.' } });

    const { error } = await store.dispatch(TaskResource.partialUpdate({ id: 2 }, { title: 'Mow it' }));

    expect(error?.status).toBe(409);
    await screens.expectToEqualServer();
  });

  it('is answered 304 where nothing has changed', async () => {
    const { screens, store, api, read } = await setupTasks();
    api.remember('/tasks/2/');
    await store.dispatch(TaskResource.get({ id: 2 }));
    const before = read(TaskResource.get.select({ id: 2 }));

    const again = await store.dispatch(TaskResource.get({ id: 2 })).unwrap();

    expect(again).toBe(before);
    await screens.expectToEqualServer();
  });

  it.each([
    ['create', ({ dispatch }: Store) => dispatch(TaskResource.getList.push({}, { title: 'Buy roses', project: 8 }))],
    [
      'edit',
      ({ dispatch }: Store) => dispatch(TaskResource.partialUpdate({ id: 2 }, { title: 'Roses', status: 'done' })),
    ],
    ['deletion', ({ dispatch }: Store) => dispatch(TaskResource.delete({ id: 1 }))],
  ])('asks what is so where the answer to a %s was lost', async (_, write) => {
    const { screens, store, api } = await setupTasks();
    for (const name of ['POST /tasks/', 'PATCH /tasks/2/', 'DELETE /tasks/1/']) api.lose(name);

    const { error } = await write(store);

    expect(error?.name).toBe('NetworkError');
    await screens.expectToEqualServer();
  });
});
