import { Collection, createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { mockServer } from 'rtk-resource/mock';
import { describe, expect, it } from 'vitest';
import {
  ask,
  CommentResource,
  json,
  seed,
  serve,
  Todo,
  TodoResource,
  PagedResource,
  User,
  UserResource,
} from '../support/mocked.js';

describe('the members of a resource', () => {
  it('read what is seeded', async () => {
    const { store } = serve([TodoResource]);

    const todo = await store.dispatch(TodoResource.get({ id: 2 })).unwrap();
    const todos = await store.dispatch(TodoResource.getList({ userId: 1 })).unwrap();

    expect(todo).toMatchObject({ title: 'Write', completed: true });
    expect(todos.map(({ id }) => id)).toEqual([1, 2]);
  });

  it('create rows with what the list is filtered by, and with the next id', async () => {
    const { server, store, read } = serve([TodoResource]);
    await store.dispatch(TodoResource.getList({ userId: 1 }));

    const created = await store.dispatch(TodoResource.getList.push({ userId: 1 }, { title: 'New' })).unwrap();
    await store.dispatch(TodoResource.getList.unshift({ userId: 2 }, { title: 'First' }));

    expect(created).toMatchObject({ id: 4, userId: 1, title: 'New', completed: false });
    expect(read(TodoResource.getList.select({ userId: 1 }))?.map(({ id }) => id)).toEqual([1, 2, 4]);
    expect(server.rows(Todo).map(({ id, userId }) => [id, userId])).toEqual([
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 1],
      [5, 2],
    ]);
  });

  it('create rows with all that a list is filtered by where the field has several values', async () => {
    class Bug extends Entity {
      id = 0;
      labels: readonly string[] = [];
      watchers: readonly number[] = [];
      static override key = 'Bug';
    }
    const Bugs = createResource({
      path: '/bugs/:id',
      schema: Bug,
      searchParams: undefined as
        { readonly labels?: string | readonly string[]; readonly watchers?: number } | undefined,
    });
    const { server, store } = serve([Bugs], { seed: { Bug: [{ id: 1, labels: ['old'], watchers: [5] }] } });

    await store.dispatch(Bugs.getList.push({ labels: 'new', watchers: 7 }, {}));
    await store.dispatch(Bugs.getList.push({ labels: ['new', 'big'] }, {}));
    await ask(server, 'POST /bugs', { body: new URLSearchParams({ labels: 'form' }) });

    expect(server.rows(Bug)).toEqual([
      { id: 1, labels: ['old'], watchers: [5] },
      { id: 2, labels: ['new'], watchers: [7] },
      { id: 3, labels: ['new', 'big'], watchers: [] },
      { id: 4, labels: ['form'], watchers: [] },
    ]);
  });

  it('create several rows at once, or none where one is refused', async () => {
    const { server, store } = serve([TodoResource], {
      seed,
      write: { Todo: (row) => (row['title'] === '' ? Response.json({ title: 'Empty' }, { status: 422 }) : row) },
    });

    const both = await store
      .dispatch(TodoResource.getList.push({ userId: 1 }, [{ title: 'One' }, { title: 'Two' }]))
      .unwrap();
    const { error } = await store.dispatch(
      TodoResource.getList.push({ userId: 1 }, [{ title: 'Three' }, { title: '' }]),
    );
    const after = await store.dispatch(TodoResource.getList.push({ userId: 1 }, { title: 'Four' })).unwrap();

    expect(both.map(({ id }) => id)).toEqual([4, 5]);
    expect(error).toMatchObject({ status: 422, data: { title: 'Empty' } });
    expect(after.id).toBe(6);
    expect(server.rows(Todo).map(({ title }) => title)).toEqual(['Read', 'Write', 'Count', 'One', 'Two', 'Four']);
  });

  it('replace, change and delete rows', async () => {
    const { server, store } = serve([TodoResource]);

    await store.dispatch(TodoResource.update({ id: 1 }, { title: 'All of it', userId: 2 }));
    await store.dispatch(TodoResource.partialUpdate({ id: 2 }, { completed: false }));
    const { error } = await store.dispatch(TodoResource.delete({ id: 3 }));

    expect(error).toBeUndefined();
    expect(server.rows(Todo)).toEqual([
      { id: 1, userId: 2, title: 'All of it', completed: false },
      { id: 2, userId: 1, title: 'Write', completed: false },
    ]);
  });

  it('move rows to other lists, and take them out', async () => {
    const { server, store } = serve([TodoResource]);
    const { getList } = TodoResource;

    await store.dispatch(getList.move({ id: 1 }, { userId: 2 }));
    await store.dispatch(getList.remove({ userId: 1 }, { id: 2 }));

    expect(server.rows(Todo).map(({ userId }) => userId)).toEqual([2, null, 2]);
    expect(await store.dispatch(getList({ userId: 1 })).unwrap()).toEqual([]);
  });

  it('add values by name to a set', async () => {
    const getByName = new RestEndpoint({
      path: '/by-name',
      schema: new Collection(new schema.Values(Todo)),
    });
    const { server, store } = serve([getByName]);

    await store.dispatch(getByName.assign({}, { best: { title: 'Best' } }));
    const values = await store.dispatch(getByName()).unwrap();

    expect(server.rows(Todo).at(-1)).toMatchObject({ id: 4, title: 'Best' });
    expect(Object.keys(values)).toEqual(['1', '2', '3', 'best']);
  });

  it('read pages', async () => {
    const { store, read } = serve([PagedResource], { seed: { Todo: 5 }, pageSize: 2 });
    const { getList } = PagedResource;

    await store.dispatch(getList());
    await store.dispatch(getList.getPage({ page: 3 }));

    expect(read(getList.select())?.map(({ id }) => id)).toEqual([1, 2, 5]);
  });

  it('are what they are, whatever their verb', async () => {
    const Odd = TodoResource.extend({ partialUpdate: { method: 'POST' } }).extend(({ getList }) => ({
      put: getList.push.extend({ method: 'PUT' }),
    }));
    const { server, store } = serve([Odd]);

    await store.dispatch(Odd.partialUpdate({ id: 1 }, { title: 'Edited' }));
    await store.dispatch(Odd.put({}, { title: 'New' }));

    expect(server.rows(Todo).map(({ title }) => title)).toEqual(['Edited', 'Write', 'Count', 'New']);
  });

  it('know nothing of a custom one before they are told', async () => {
    const Custom = TodoResource.extend('archive', { path: '/todos/:id/archive', method: 'POST', body: undefined });
    const { server, store } = serve([Custom]);

    const untold = await store.dispatch(Custom.archive({ id: 1 }));
    server.use(Custom.archive, ({ params, rows }) => {
      server.set(Todo, { id: Number(params.id), completed: true });
      return rows(Todo).find(({ id }) => id === Number(params.id));
    });
    const told = await store.dispatch(Custom.archive({ id: 1 })).unwrap();

    expect(untold.error).toMatchObject({
      status: 501,
      data: { title: expect.stringContaining('Todo/archive') as string },
    });
    expect(told).toMatchObject({ id: 1, completed: true });
  });

  it('know nothing of a search by POST, and create nothing by it', async () => {
    const found = { results: new Collection([Todo], { name: 'Search' }), next: '' };
    const search = new RestEndpoint({
      path: '/search',
      method: 'POST',
      sideEffect: false,
      body: {} as { readonly q: string; readonly cursor?: string },
      schema: found,
    }).paginated({ next: ({ next }, params, { body }) => (next ? [params, { ...body, cursor: next }] : undefined) });
    const { server, store } = serve([search]);

    const untold = await store.dispatch(search({ q: 'Read' }));
    server.use(search, ({ body, rows }) => ({ results: rows(Todo).filter(({ title }) => title === body.q), next: '' }));
    const told = await store.dispatch(search({ q: 'Read' })).unwrap();

    expect(untold.error).toMatchObject({
      status: 501,
      data: { title: expect.stringContaining(search.name) as string },
    });
    expect(told.results.map(({ id }) => id)).toEqual([1]);
    expect(server.rows(Todo)).toHaveLength(3);
  });
});

describe('the routes', () => {
  it('are told from each other by literals before parameters', async () => {
    const Me = UserResource.extend('me', { path: '/users/me' });
    const { server } = serve([Me]);
    server.use(Me.me, () => ({ id: 2, name: 'Grace' }));

    const answers = await Promise.all([ask(server, '/users/me'), ask(server, '/users/1')]);

    expect(answers.map(({ body }) => body)).toEqual([
      { id: 2, name: 'Grace' },
      { id: 1, name: 'Ada' },
    ]);
  });

  it('answer HEAD without a body, and other methods with those that there are', async () => {
    const { server } = serve([UserResource]);

    const head = await ask(server, 'HEAD /users/1');
    const wrong = await ask(server, 'POST /users/1');

    expect([head.status, head.body]).toEqual([200, undefined]);
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, PUT, PATCH, DELETE']);
  });

  it('have prefixes, groups, wildcards and escapes as paths have', async () => {
    class File extends Entity {
      path = '';
      static override key = 'File';
      override pk() {
        return this.path;
      }
    }
    const Files = createResource({ urlPrefix: 'https://example.com/v1', path: '/files/*path', schema: File });
    const getOdd = new RestEndpoint({ path: '/Users\\(:id\\){/v:version}', schema: User });
    const server = mockServer([Files, getOdd], { seed: { User: seed.User, File: [{ path: 'a' }] } });

    const statuses = await Promise.all(
      ['https://example.com/v1/files/a', 'https://example.com/files/a', '/Users(1)', '/Users(1)/v2'].map((address) =>
        server.fetch(address).then(
          ({ status }) => status,
          () => 'nothing',
        ),
      ),
    );

    expect(statuses).toEqual([200, 'nothing', 200, 200]);
  });

  it('match behind what a store has before every path', async () => {
    const { server } = serve([TodoResource]);

    const answers = await Promise.all([ask(server, '/api/todos/1'), ask(server, 'https://example.com/api/v2/todos')]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('leave alone what lies below something else', async () => {
    const { server } = serve([]);
    const elsewhere = ['GET /orgs/acme/users', 'DELETE /orgs/acme/users/1', 'GET /api/orgs/users'];

    const answers = elsewhere.map((asked) => {
      const [method = '', path = ''] = asked.split(' ');
      return server.handle(new Request(`http://localhost${path}`, { method }));
    });

    expect(await Promise.all(answers)).toEqual([undefined, undefined, undefined]);
    await expect(server.fetch('/orgs/acme/users')).rejects.toThrow(/no route GET \/orgs\/acme\/users.*GET \/users/);
    expect(server.rows(User)).toEqual(seed.User);
  });

  it('tell where a created row is, with the slash at the end that a path has', async () => {
    const Slashed = createResource({ path: '/slashed/:id/', schema: Todo });
    const { server } = serve([Slashed]);

    const { headers } = await ask(server, 'POST /slashed/', json({ title: 'New' }));
    const location = headers.get('location') ?? '';

    expect(location).toBe('/slashed/4/');
    expect((await ask(server, location)).body).toMatchObject({ title: 'New' });
  });

  it('filter by what a path names, and write it into what is created', async () => {
    const { server, store } = serve([CommentResource], {
      seed: {
        Comment: [
          { id: 1, issueId: 7, text: 'Yes' },
          { id: 2, issueId: 8, text: 'No' },
        ],
      },
    });

    const created = await ask(server, 'POST /issues/7/comments', json({ text: 'Why?' }));
    const list = await store.dispatch(CommentResource.getList({ issueId: 7 })).unwrap();
    const other = await ask(server, '/issues/7/comments/2');

    expect(created.body).toEqual({ id: 3, issueId: 7, text: 'Why?' });
    expect(created.headers.get('location')).toBe('/issues/7/comments/3');
    expect(list.map(({ text }) => text)).toEqual(['Yes', 'Why?']);
    expect(other.status).toBe(404);
  });

  it('keep what a path names, where the row there is replaced', async () => {
    const { server } = serve([CommentResource], { seed: { Comment: [{ id: 1, issueId: 7, text: 'Yes' }] } });

    const replaced = await ask(server, 'PUT /issues/7/comments/1', json({ text: 'No' }));
    const moved = await ask(server, 'PATCH /issues/7/comments/1', json({ issueId: 8 }));
    const renamed = await ask(server, 'PUT /issues/8/comments/1', json({ id: 2, text: 'So' }));

    expect(replaced.body).toEqual({ id: 1, issueId: 7, text: 'No' });
    expect(moved.body).toEqual({ id: 1, issueId: 8, text: 'No' });
    expect(renamed.body).toEqual({ id: 2, issueId: 8, text: 'So' });
  });

  it('are about the row whose pk they end in, whatever that parameter is called', async () => {
    class Task extends Entity {
      id = 0;
      projectId = 0;
      title = '';
      static override key = 'Task';
    }
    const path = '/projects/:projectId/tasks/:taskId';
    const Tasks = createResource({ path, schema: Task });
    const getOdd = new RestEndpoint({ path: '/owners/:owner/tasks/:taskId', schema: Task });
    const { server } = serve([Tasks, getOdd], {
      seed: {
        Task: [
          { id: 1, projectId: 1, title: 'One' },
          { id: 2, projectId: 1, title: 'Two' },
          { id: 3, projectId: 2, title: 'Three' },
        ],
      },
    });

    const read = await ask(server, '/projects/1/tasks/2');
    const changed = await ask(server, 'PUT /projects/1/tasks/2', json({ title: 'Changed' }));
    const missing = await ask(server, 'DELETE /projects/1/tasks/99');
    const elsewhere = await ask(server, 'DELETE /projects/1/tasks/3');
    const unknown = await ask(server, '/owners/ada/tasks/1');

    expect([read.body, changed.body]).toEqual([
      { id: 2, projectId: 1, title: 'Two' },
      { id: 2, projectId: 1, title: 'Changed' },
    ]);
    expect([missing.status, elsewhere.status]).toEqual([404, 404]);
    expect(unknown.body).toEqual({ status: 400, title: '"owner" is no field of Task: id, title, projectId' });
    expect(server.rows(Task).map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('demand a column where a path would name the pk of each row in a list', async () => {
    const getComments = CommentResource.getList.extend({ path: '/issues/:id/comments' });
    const Comments = { get: CommentResource.get, getList: getComments };
    const rows = { Comment: [{ id: 1, issueId: 7, text: 'Yes' }] };

    const server = mockServer([Comments], { seed: rows, columns: { 'Comment/getList': { id: 'issueId' } } });
    const list = await ask(server, '/issues/7/comments');
    const created = await ask(server, 'POST /issues/7/comments', json({ text: 'Why?' }));

    expect(list.body).toEqual(rows.Comment);
    expect(created.body).toEqual({ id: 2, issueId: 7, text: 'Why?' });
    expect(() => mockServer([Comments], { seed: rows })).toThrow(/columns: \{ 'Comment\/getList': \{ id: '…' \} \}/);
  });
});
