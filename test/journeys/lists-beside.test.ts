import {
  Collection,
  createResource,
  Entity,
  RestEndpoint,
  schema,
  type CollectionOptions,
  type WireOf,
} from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Todo extends Entity {
  id = 0;
  title = '';
  state = '';
  userId = 0;
  static override key = 'Todo';
}

/** What tells one list from another here. */
interface Search {
  readonly state?: string;
  readonly page?: number;
  readonly offset?: number;
  readonly text?: string;
  readonly userId?: number;
}

const searchParams: Search = {};

const server = await serverOfFile();
const at = { urlPrefix: server.url };
const open = { state: 'open' };
const todo = (id: number, rest: object = {}) => ({ id, title: `todo ${id}`, state: 'open', userId: 1, ...rest });
const idsOf = (rows: readonly { readonly id: number }[] | undefined) => rows?.map(({ id }) => id);

describe('after a page was added to a list', () => {
  const todos = new Collection([Todo]);
  const Todos = createResource({
    ...at,
    path: '/todos/:id',
    schema: Todo,
    searchParams,
    paginationField: 'page',
  })
    .extend({ getList: { schema: { results: todos, total: todos.total } } })
    .extend((base) => ({ getMore: base.getList.paginated(({ offset: _, ...list }: Search) => list) }));

  it.each([
    ['getPage', Todos.getList.getPage({ ...open, page: 2 })],
    ['paginated', Todos.getMore({ ...open, offset: 2 })],
  ])('edits and deletions move rows and totals: %s', async (_, more) => {
    const { store, read } = setup();
    const list = () => {
      const { results, total } = read(Todos.getList.select(open)) ?? {};
      return [idsOf(results), total];
    };
    server.answer(/^GET \/todos\?(page|offset)=2/, { json: { results: [todo(3)], total: 3 } });
    server.answer('GET /todos?state=open', { json: { results: [todo(1), todo(2)], total: 3 } });
    server.answer('PATCH /todos/1', { json: todo(1, { state: 'done' }) });
    server.answer('DELETE /todos/3', { status: 204 });
    await store.dispatch(Todos.getList(open));
    await store.dispatch(more);

    await store.dispatch(Todos.partialUpdate({ id: 1 }, { state: 'done' })).unwrap();
    expect(list()).toEqual([[2, 3], 2]);

    await store.dispatch(Todos.delete({ id: 3 })).unwrap();
    expect(list()).toEqual([[2], 1]);
  });

  it('a deletion makes the windows beside it stale', async () => {
    const { store, read } = setup();
    const window = { ...open, offset: 2 };
    server.answer('GET /todos', { json: { results: [todo(1)], total: 2 } });
    server.answer('DELETE /todos/1', { status: 204 });
    await store.dispatch(Todos.getList(window));
    await store.dispatch(Todos.getList.getPage({ ...open, page: 2 }));

    await store.dispatch(Todos.delete({ id: 1 })).unwrap();

    expect(read(Todos.getList.selectRequest(window)).isStale).toBe(true);
  });
});

describe('a Collection inside an entity, beside that of a resource', () => {
  /** A resource with rules of its own, and users with todos inside them. */
  function world(options: CollectionOptions<Partial<WireOf<typeof Todo>>>, nested: CollectionOptions = {}) {
    class User extends Entity {
      id = 0;
      todos: readonly Todo[] = [];
      static override key = 'User';
      static override schema = { todos: new Collection([Todo], nested) };
    }
    const Users = createResource({ ...at, path: '/users/:id', schema: User });
    const Todos = createResource({ ...at, path: '/todos/:id', schema: Todo, searchParams }).extend({
      getList: { schema: new Collection([Todo], options) },
    });
    const { store, read } = setup();
    server.answer('GET /users/1', { json: { id: 1, todos: [todo(1)] } });
    return {
      store,
      Todos,
      inside: () => idsOf(read(Users.get.select({ id: 1 }))?.todos),
      ids: (search: Search) => idsOf(read(Todos.getList.select(search))),
      isStale: (search: Search) => read(Todos.getList.selectRequest(search)).isStale,
      fetchUser: () => store.dispatch(Users.get({ id: 1 })),
      async fetchLists(...lists: readonly (readonly [Search, readonly object[]])[]) {
        for (const [search, rows] of lists) {
          const loading = store.dispatch(Todos.getList(search));
          await server.release(/^GET \/todos/, { json: rows });
          await loading;
        }
      },
      async edit(id: number, body: Partial<Todo>) {
        server.answer(`PATCH /todos/${id}`, { json: todo(id, body) });
        await store.dispatch(Todos.partialUpdate({ id }, body)).unwrap();
      },
    };
  }
  const nestKey = ({ id }: { readonly id: number }) => ({ userId: id });
  const users = { userId: 1 };
  const [milk, tea] = [{ text: 'milk' }, { text: 'tea' }];
  const belongs = ({ title = '', userId }: Partial<WireOf<typeof Todo>>, params: Partial<Record<string, string>>) =>
    (params['userId'] === undefined || String(userId) === params['userId']) && title.includes(params['text'] ?? '');

  it.each([true, false])('leaves it its belongs, where the owner is fetched first: %s', async (isFirst) => {
    const { fetchUser, fetchLists, edit, ids, inside } = world({ belongs }, { nestKey });
    if (isFirst) await fetchUser();
    await fetchLists([milk, []], [tea, [todo(1, { title: 'tea' })]]);
    if (!isFirst) await fetchUser();
    await edit(1, { title: 'tea' });

    await edit(1, { title: 'milk' });

    expect([ids(milk), ids(tea), inside()]).toEqual([[1], [], [1]]);
  });

  it('leaves it its nonFilterArgumentKeys', async () => {
    const { fetchUser, fetchLists, edit, ids } = world({ nonFilterArgumentKeys: ['text'] }, { nestKey });
    await fetchLists([{ ...users, ...milk }, [todo(1)]], [{ userId: 2, ...milk }, [todo(2, { userId: 2 })]]);
    await fetchUser();

    await edit(1, { userId: 2 });

    expect([ids({ ...users, ...milk }), ids({ userId: 2, ...milk })]).toEqual([[], [2, 1]]);
  });

  it('leaves it its windowArgumentKeys', async () => {
    const { store, Todos, fetchUser, fetchLists, isStale } = world({ windowArgumentKeys: ['text'] }, { nestKey });
    await fetchLists([{ text: '2' }, [todo(3)]]);
    await fetchUser();
    server.answer('DELETE /todos/1', { status: 204 });

    await store.dispatch(Todos.delete({ id: 1 }));

    expect(isStale({ text: '2' })).toBe(true);
  });

  it('leaves it its follows: false', async () => {
    const { fetchUser, fetchLists, edit, ids } = world({ follows: false }, { nestKey });
    await fetchLists([open, [todo(1)]]);
    await fetchUser();

    await edit(1, { state: 'done' });

    expect(ids(open)).toEqual([1]);
  });

  it('is judged by its own belongs, and only its lists are', async () => {
    const ownBelongs = (item: Partial<Todo>, { userId }: Partial<Record<string, string>>) =>
      String(item.userId) === userId && item.state !== 'hidden';
    const { fetchUser, fetchLists, edit, ids, inside } = world({}, { nestKey, belongs: ownBelongs });
    await fetchLists([open, [todo(1)]], [{ state: 'hidden' }, []]);
    await fetchUser();

    await edit(1, { state: 'hidden' });

    expect([ids(open), ids({ state: 'hidden' }), inside()]).toEqual([[], [1], []]);
  });

  it('without a nestKey, is no matter of the belongs of the resource', async () => {
    const { fetchUser, fetchLists, edit, ids, inside } = world({ belongs });
    await fetchLists([milk, [todo(2, { title: 'milk' })]]);
    await fetchUser();

    await edit(2, { title: 'tea' });

    expect([ids(milk), inside()]).toEqual([[], [1]]);
  });
});

describe('a Collection whose member is Lazy', () => {
  class Post extends Entity {
    id = 0;
    authorId = 0;
    state = '';
    static override key = 'Post';
  }
  const lazy = new schema.Lazy((): unknown => Post);
  const nestKey = ({ id }: { readonly id: number }) => ({ authorId: id });
  class Author extends Entity {
    id = 0;
    posts: readonly Post[] = [];
    static override key = 'Author';
    static override schema = { posts: new Collection([lazy], { nestKey }) };
  }
  const Authors = createResource({ ...at, path: '/authors/:id', schema: Author });
  const Posts = createResource({ ...at, path: '/posts/:id', schema: Post, searchParams });
  const post = (id: number, rest: object = {}) => ({ id, authorId: 1, state: 'open', ...rest });

  it('follows an edit, beside the lists of the resource', async () => {
    const { store, read } = setup();
    const posts = (id: number) => idsOf(read(Authors.get.select({ id }))?.posts);
    server.answer('GET /authors/1', { json: { id: 1, posts: [post(1)] } });
    server.answer('GET /authors/2', { json: { id: 2, posts: [] } });
    server.answer('GET /posts?state=open', { json: [post(1)] });
    server.answer('PATCH /posts/1', { json: post(1, { authorId: 2, state: 'done' }) });
    for (const request of [Posts.getList(open), Authors.get({ id: 1 }), Authors.get({ id: 2 })])
      await store.dispatch(request);

    await store.dispatch(Posts.partialUpdate({ id: 1 }, { authorId: 2, state: 'done' })).unwrap();

    expect([idsOf(read(Posts.getList.select(open))), posts(1), posts(2)]).toEqual([[], [], [1]]);
  });

  it.each([
    ['an array', new schema.Array(lazy)],
    ['values by name', new schema.Values(lazy)],
  ])('follows an edit where it is the one that is read: %s', async (kind, members) => {
    const getPosts = new RestEndpoint({
      ...at,
      path: '/posts',
      searchParams,
      schema: new Collection(members, { name: kind }),
    });
    const { store, read } = setup();
    server.answer('GET /posts?state=open', { json: { 0: post(1) } });
    server.answer('PATCH /posts/1', { json: post(1, { state: 'done' }) });
    await store.dispatch(getPosts(open));

    await store.dispatch(Posts.partialUpdate({ id: 1 }, { state: 'done' })).unwrap();

    expect(Object.values(read(getPosts.select(open)) ?? { 0: 'nothing' })).toEqual([]);
  });
});

describe('a create that is answered with a row that was there', () => {
  class Person extends Entity {
    id = 0;
    name = '';
    static override key = 'Person';
  }
  const people = new Collection([Person]);
  const page = { results: people, total: people.total };
  const People = createResource({
    ...at,
    path: '/people/:id',
    schema: Person,
  }).extend({ getList: { schema: page } });
  const getMembers = new RestEndpoint({ ...at, path: '/teams/:teamId/people', schema: page, optimistic: true });
  const [ada, zed] = [
    { id: 1, name: 'Ada' },
    { id: 42, name: 'Zed' },
  ];

  /** All people, of whom Zed is on no page, and two teams, of which he is in the second. */
  async function filled() {
    const { store, read } = setup();
    server.answer('GET /people', { json: { results: [ada], total: 42 } });
    server.answer('GET /teams/5/people', { json: { results: [ada], total: 1 } });
    server.answer('GET /teams/6/people', { json: { results: [zed], total: 1 } });
    server.answer('POST /teams/5/people', { json: zed });
    for (const request of [People.getList(), getMembers({ teamId: 5 }), getMembers({ teamId: 6 })])
      await store.dispatch(request);
    const shown = () =>
      [
        read(People.getList.selectRequest()),
        read(getMembers.selectRequest({ teamId: 5 })),
        read(getMembers.selectRequest({ teamId: 6 })),
      ].map(
        ({ data, isStale }) =>
          `${String(idsOf(data?.results))} of ${String(data?.total)}${isStale ? ', which is stale' : ''}`,
      );
    return { store, shown };
  }

  it('puts it into the lists of the call alone, before the answer and after', async () => {
    const { store, shown } = await filled();

    const adding = store.dispatch(getMembers.push({ teamId: 5 }, { id: 42 }));
    // What is counted in beside, the answer tells.
    expect(shown()).toEqual(['1 of 42', '1,42 of 1', '42 of 1']);
    await adding;

    expect(shown()).toEqual(['1 of 42', '1,42 of 2', '42 of 1']);
  });

  it('counts it once where it is in the list already', async () => {
    const { store, shown } = await filled();
    server.answer('POST /teams/6/people', { json: zed });

    await store.dispatch(getMembers.push({ teamId: 6 }, { id: 42 }));

    expect(shown()).toEqual(['1 of 42', '1 of 1', '42 of 1']);
  });

  it('does not count it where its fields say that it was counted before', async () => {
    const { store, shown } = await filled();
    server.answer('POST /people', { json: zed });

    await store.dispatch(People.getList.push({ name: 'Zed' }));

    // The server knows which of the 42 are on this page now.
    expect(shown()[0]).toBe('1,42 of 42, which is stale');
  });

  it('is one that has come into being, where a read has told of it first', async () => {
    const { store, shown } = await filled();
    const adding = store.dispatch(getMembers.push({ teamId: 5 }, { name: 'Bob' }));
    server.answer('GET /people/7', { json: { id: 7, name: 'Bob' } });
    server.answer('POST /teams/5/people', { json: { id: 7, name: 'Bob' } });
    await store.dispatch(People.get({ id: 7 }));

    await adding;

    expect(shown()).toEqual(['1,7 of 43, which is stale', '1,7 of 2', '42 of 1']);
  });
});

describe('a list inside the answer to a write', () => {
  class Task extends Entity {
    id = 0;
    projectId = 0;
    static override key = 'Task';
  }
  class Project extends Entity {
    id = 0;
    name = '';
    tasks: readonly Task[] = [];
    static override key = 'Project';
    static override schema = {
      tasks: new Collection([Task], { nestKey: ({ id }: { readonly id: number }) => ({ projectId: id }) }),
    };
  }
  const task = (id: number) => ({ id, projectId: 1 });

  async function setupProject() {
    const Projects = createResource({ ...at, path: '/projects/:id', schema: Project, optimistic: true });
    const Tasks = createResource({ ...at, path: '/projects/:projectId/tasks/:id', schema: Task, optimistic: true });
    const { getList } = Tasks.extend({ getList: { schema: Project.schema.tasks } });
    const { store, read } = setup();
    server.answer('GET /projects/1', { json: { id: 1, name: 'ant', tasks: [task(1), task(2)] } });
    await store.dispatch(Projects.get({ id: 1 }));
    return { store, Projects, getList, ids: () => idsOf(read(Projects.get.select({ id: 1 }))?.tasks) };
  }

  it.each([
    ['POST', 'PATCH'],
    ['PATCH', 'POST'],
  ])('leaves what was created and removed meanwhile, when %s is answered before %s', async (...order) => {
    const { store, Projects, getList, ids } = await setupProject();
    const create = store.dispatch(getList.push({ projectId: 1 }, {}));
    const remove = store.dispatch(getList.remove({ projectId: 1 }, { id: 2 }));
    const rename = store.dispatch(Projects.partialUpdate({ id: 1 }, { name: 'bee' }));
    const answers = {
      POST: () => server.release('POST /projects/1/tasks', { json: task(3) }),
      PATCH: () => server.release('PATCH /projects/1', { json: { id: 1, name: 'bee', tasks: [task(1), task(2)] } }),
    };
    for (const method of order) await answers[method as keyof typeof answers]();
    await server.release(/PATCH \/projects\/1\/tasks/, { json: task(2) });
    await Promise.all([create, remove, rename]);

    expect(ids()).toEqual([1, 3]);
  });

  it('is who the write has said that is in it', async () => {
    const { store, Projects, getList, ids } = await setupProject();
    const create = store.dispatch(getList.push({ projectId: 1 }, {}));
    const edit = store.dispatch(Projects.partialUpdate({ id: 1 }, { tasks: [task(1)] }));
    await server.release('PATCH /projects/1', { json: { id: 1, name: 'ant', tasks: [task(1)] } });
    await edit;

    expect(ids()?.length).toBe(2);
    await server.release('POST /projects/1/tasks', { json: task(3) });
    await create;
  });
});
