import { createResource, Entity, RestEndpoint } from 'rtk-resource';
import { mockServer } from 'rtk-resource/mock';
import { describe, expect, it } from 'vitest';
import { ask, CommentResource, json, seed, serve, Todo, TodoResource, User, UserResource } from '../support/mocked.js';

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

  it('have one slash where a prefix ends with one', async () => {
    const Users = createResource({ urlPrefix: 'https://example.com/', path: '/users/:id', schema: User });
    const { server, store } = serve([Users]);

    const { name } = await store.dispatch(Users.get({ id: 2 })).unwrap();

    expect([name, (await ask(server, 'https://example.com/users/1')).status]).toEqual(['Grace', 200]);
  });

  it('have the query string of an item in its path', async () => {
    const Rows = createResource({ path: '/rows\\?id=eq.:id', listPath: '/rows', schema: User });
    const { server, store } = serve([Rows]);

    const { name } = await store.dispatch(Rows.get({ id: 2 })).unwrap();
    await store.dispatch(Rows.partialUpdate({ id: 2 }, { name: 'Grace H.' }));
    await store.dispatch(Rows.delete({ id: 1 }));
    await store.dispatch(Rows.getList.push({ name: 'New' }));
    const { body } = await ask(server, '/rows?id=eq.2&select=*');

    expect([name, body]).toEqual(['Grace', { id: 2, name: 'Grace H.' }]);
    expect(server.rows(User).map(({ id }) => id)).toEqual([2, 3]);
    expect(await ask(server, '/rows?id=eq.1')).toMatchObject({ status: 404 });
    expect((await ask(server, '/rows')).body).toHaveLength(2);
    server.fail('GET /rows?id=eq.2', 503);
    expect([(await ask(server, '/rows?id=eq.2')).status, (await ask(server, '/rows')).status]).toEqual([503, 200]);
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

  it('tell where a created row is that has its pk of several fields', async () => {
    class Seat extends Entity {
      hall = '';
      number = 0;
      static override key = 'Seat';
      override pk() {
        return `${this.hall}-${this.number}`;
      }
    }
    const { server } = serve([createResource({ path: '/halls/:hall/seats/:number', schema: Seat })]);

    const { headers } = await ask(server, 'POST /halls/a/seats', json({ number: 7 }));
    const location = headers.get('location') ?? '';

    expect(location).toBe('/halls/a/seats/7');
    expect((await ask(server, location)).body).toEqual({ hall: 'a', number: 7 });
  });

  it('take a row under a name, where it is created and where it is changed', async () => {
    const { server } = serve([]);

    const created = await ask(server, 'POST /todos', json({ todo: { title: 'New' } }));
    const changed = await ask(server, 'PATCH /todos/1', json({ todo: { title: 'Changed' } }));
    const other = await ask(server, 'PATCH /todos/2', json({ extra: { some: 'thing' } }));

    expect([created.status, created.body]).toMatchObject([201, { todo: { id: 4, title: 'New' } }]);
    expect(changed.body).toEqual({ ...seed.Todo[0], title: 'Changed' });
    expect(other.body).toEqual({ ...seed.Todo[1], extra: { some: 'thing' } });
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

  it('tell a wildcard from a parameter at its place', async () => {
    const getRaw = new RestEndpoint({ path: '/users/*rest' });
    const { server } = serve([UserResource, getRaw]);
    server.use(getRaw, () => ({ isRaw: true }));

    const answers = await Promise.all([ask(server, '/users/1'), ask(server, '/users/1/photos/2')]);

    expect(answers.map(({ body }) => body)).toMatchObject([{ name: 'Ada' }, { isRaw: true }]);
  });

  it('do nothing of themselves for an endpoint of no resource whose path ends in a word such as delete', async () => {
    const archive = new RestEndpoint({ path: '/todos/:id/delete', method: 'POST', schema: Todo });
    const { server } = serve([TodoResource, archive]);
    const before = server.rows(Todo);

    const { status } = await ask(server, 'POST /todos/1/delete');

    expect(status).toBe(501);
    expect(server.rows(Todo)).toEqual(before);
  });
});
