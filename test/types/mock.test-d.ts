import { Collection, createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { mockServer, type MockServer, type Undo } from 'rtk-resource/mock';
import { describe, expectTypeOf, it } from 'vitest';

class User extends Entity {
  id = 0;
  name = '';
  static override readonly key = 'User';
}

class Todo extends Entity {
  id = 0;
  title = '';
  createdAt = new Date(0);
  author?: User;
  static override readonly key = 'Todo';
  static override schema = { createdAt: (iso: string) => new Date(iso), author: User };
}

class Team extends Entity {
  id = 0;
  lead: User | null = null;
  members: readonly User[] = [];
  byRole: Readonly<Record<string, User>> = {};
  listed: readonly User[] = [];
  static override readonly key = 'Team';
  static override schema = {
    lead: User,
    members: [User],
    byRole: new schema.Values(User),
    listed: new Collection([User]),
  };
}

class Note extends Entity {
  id = 0;
  static override key: string = 'Note';
}

class Api<O extends { path: string }> extends RestEndpoint<O> {}

interface TodoJson {
  readonly id: number;
  readonly title: string;
}
const todos: readonly TodoJson[] = [{ id: 1, title: 'Read' }];

const searchParams: { readonly tag?: readonly string[] } | undefined = {};
const TodoResource = createResource({
  path: '/todos/:id',
  schema: Todo,
  searchParams,
  paginationField: 'page',
}).extend('archive', { path: '/todos/:id/archive', method: 'POST', body: {} as { reason: string; at: Date } });
const NoteResource = createResource({ path: '/notes/:id', schema: Note, Endpoint: Api });
const enveloped = new RestEndpoint({ path: '/todos', schema: { results: new Collection([Todo]), total: 0 } });

describe('what a server is made of', () => {
  it('is any resource, and any endpoint', () => {
    expectTypeOf(
      mockServer([TodoResource, NoteResource, enveloped, TodoResource.getList.push]),
    ).toEqualTypeOf<MockServer>();
    // @ts-expect-error: a class is no endpoint
    mockServer([Todo]);
  });

  it('has the tables of its classes, through relations, where their keys are literals', () => {
    mockServer([TodoResource], { seed: { Todo: 3, User: [{ id: 1, name: 'Ada' }] } });
    mockServer([enveloped], {
      write: {
        Todo: (row, { before, now }) => {
          expectTypeOf(row).toEqualTypeOf<Readonly<Record<string, unknown>>>();
          return { ...before, ...row, now };
        },
      },
    });
    mockServer([NoteResource], { seed: { Whatever: 3 } });
    // What a row is typed by may be an interface, which has no index signature.
    mockServer([enveloped], {
      seed: { Todo: todos },
      make: { Todo: (n): TodoJson => ({ id: n, title: `Todo ${n}` }) },
      write: { Todo: (row): TodoJson => ({ id: 1, title: '', ...row }) },
    });
    // @ts-expect-error: a row is an object
    mockServer([TodoResource], { seed: { Todo: ['Read'] } });
    // @ts-expect-error: there is no table of this name
    mockServer([TodoResource], { seed: { Todos: 3 } });
    // @ts-expect-error: there is no table of this name
    mockServer([enveloped], { make: { Todos: () => ({ id: 1 }) } });
  });
});

describe('a server', () => {
  const server = mockServer([TodoResource]);

  it('has rows in wire form', () => {
    expectTypeOf(server.rows(Todo)[0]?.createdAt).toEqualTypeOf<string | undefined>();
    expectTypeOf(server.rows(Todo)[0]?.title).toEqualTypeOf<string | undefined>();
    // @ts-expect-error: there is no such field
    expectTypeOf(server.rows(Todo)[0]?.titel).toBeAny();
  });

  it('takes rows in wire form', () => {
    server.set(Todo, { id: 1, createdAt: '2026-01-05' });
    server.set(Todo, [{ id: 1 }, { id: 2, title: 'Read' }]);
    // A relation may be a row, or its pk, as in the seed.
    server.set(Todo, { id: 1, author: { id: 1, name: 'Ada' } });
    server.set(Todo, [
      { id: 1, author: 1 },
      { id: 2, author: 'ada' },
    ]);
    server.set(Team, { id: 1, members: [1, { id: 2, name: 'Grace' }] });
    server.set(Team, { lead: null, byRole: { cook: 1 }, listed: [2] });
    // @ts-expect-error: a pk is a number or a text
    server.set(Todo, { author: true });
    // @ts-expect-error: what is no relation has its own type
    server.set(Todo, { title: 1 });
    // @ts-expect-error: a list of rows is a list
    server.set(Team, { members: 1 });
    // @ts-expect-error: there is no such field
    server.set(Todo, { titel: 'Read' });
    // @ts-expect-error: a date comes as a text
    server.set(Todo, { createdAt: new Date() });
  });

  it('tells answers what their endpoint is sent, as an address and JSON have it', () => {
    server.use(TodoResource.archive, ({ params, body, rows, request }) => {
      expectTypeOf(params.id).toEqualTypeOf<string>();
      expectTypeOf(body.reason).toEqualTypeOf<string>();
      expectTypeOf(body.at).toEqualTypeOf<string>();
      expectTypeOf(rows).toEqualTypeOf<MockServer['rows']>();
      expectTypeOf(request).toEqualTypeOf<Request>();
      // @ts-expect-error: the path does not name it
      expectTypeOf(params.userId).toBeAny();
      return rows(Todo)[0];
    });
    server.use(TodoResource.getList, ({ params }) => {
      expectTypeOf(params.tag).toEqualTypeOf<string | readonly string[] | undefined>();
      expectTypeOf(params.page).toEqualTypeOf<string | undefined>();
      return [];
    });
    // @ts-expect-error: a resource is no endpoint
    server.use(TodoResource, () => null);
  });

  it('knows requests by endpoint, method, path, and by a function', () => {
    const undo = server.hold(TodoResource.get);
    expectTypeOf(undo).toEqualTypeOf<Undo>();
    server.fail('PATCH', 503, { times: 1 });
    server.fail('/todos/:id', new Response(null, { status: 500 }));
    server.lose('DELETE /todos/:id');
    server.drop((request) => request.headers.has('x-slow'));
    // @ts-expect-error: a path begins with a slash
    server.hold('todos');
    // @ts-expect-error: there is no such method
    server.hold('FETCH /todos');
  });
});
