import { Collection, createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { mockServer, type RowChange } from 'rtk-resource/mock';
import { describe, expect, it } from 'vitest';
import { ask, Issue, IssueResource, json, serve, Todo, TodoResource, User } from '../support/mocked.js';
import { setup } from '../support/store.js';

const author = { id: 1, name: 'Ada' };
const issue = { id: 1, title: 'Door', priority: 1, author, labels: [] };

class Member extends Entity {
  id = 0;
  type = 'member';
  static override key = 'Member';
}

class Task extends Entity {
  id = 0;
  type = 'task';
  static override key = 'Task';
}

describe('a relation', () => {
  it('that is seeded as a row is that row as it now is', async () => {
    const { server, store } = serve([], { seed: { Issue: [issue], User: [author, { id: 2, name: 'Grace' }] } });

    await ask(server, 'PATCH /users/1', json({ name: 'Augusta' }));
    const shown = await store.dispatch(IssueResource.get({ id: 1 })).unwrap();
    await ask(server, 'PATCH /issues/1', json({ author: { id: 2 } }));
    await ask(server, 'DELETE /users/1');

    expect(shown.author?.name).toBe('Augusta');
    expect(server.rows(Issue)[0]?.author).toEqual({ id: 2, name: 'Grace' });
  });

  it('that is seeded as a pk stays one', async () => {
    const { server } = serve([], { seed: { Issue: [{ ...issue, author: 1 }], User: [author] } });

    const created = await ask(server, 'POST /issues', json({ title: 'Window', author: { id: 1, name: 'Ada' } }));

    expect((await ask(server, '/issues/1')).body).toMatchObject({ author: 1 });
    expect(created.body).toMatchObject({ author: 1 });
  });

  it('of a created row is nested as that of the first seeded row', async () => {
    const { server } = serve([], { seed: { Issue: [issue] } });

    const byPk = await ask(server, 'POST /issues', json({ title: 'Window', author: 1 }));
    const byId = await ask(server, 'POST /issues', json({ title: 'Wall', authorId: 1 }));

    expect(byPk.body).toMatchObject({ id: 2, author });
    expect(byId.body).toMatchObject({ id: 3, author, authorId: 1 });
  });

  it('of a created row is nested or a pk as it was sent, where none is seeded, after a reset, too', async () => {
    const { server } = serve([], { seed: { User: [author] } });
    const byPk = async () => (await ask(server, 'POST /issues', json({ title: 'Door', author: 1 }))).body;
    const before = await byPk();
    server.reset();
    for (const title of ['Window', 'Wall']) await ask(server, 'POST /issues', json({ title, author }));
    server.reset();

    expect([before, await byPk()]).toMatchObject([{ author: 1 }, { author: 1 }]);
  });

  it('that is sent without a pk is a new row of its table', async () => {
    const { server, store } = serve([], { seed: { Issue: [issue] } });

    const pushed = await store
      .dispatch(IssueResource.getList.push({ title: 'Window', author: { name: 'New' } }))
      .unwrap();
    const list = await store.dispatch(IssueResource.getList()).unwrap();
    await ask(server, 'PATCH /issues/1', json({ author: { name: 'Newer' } }));

    expect(pushed.author).toEqual({ id: 2, name: 'New' });
    expect(list.map((one) => one.author?.name)).toEqual(['Ada', 'New']);
    expect(server.rows(User).map(({ id, name }) => [id, name])).toEqual([
      [1, 'Ada'],
      [2, 'New'],
      [3, 'Newer'],
    ]);
    expect(server.rows(Issue)[0]?.author).toEqual({ id: 3, name: 'Newer' });
  });

  it('has what all of the seed says of it, its own row first', () => {
    const nested = (id: number, author: object) => ({ ...issue, id, author });
    const { server } = serve([], {
      seed: {
        Issue: [nested(1, { id: 1 }), nested(2, { id: 1, name: 'Ada' }), nested(3, { id: 2, name: 'Old', age: 7 })],
        User: [{ id: 2, name: 'Grace' }],
      },
    });

    expect(server.rows(User)).toEqual([
      { id: 2, name: 'Grace', age: 7 },
      { id: 1, name: 'Ada' },
    ]);
  });

  it('changes with what is sent of it inside of another row', async () => {
    const { server } = serve([], { seed: { Issue: [issue, { ...issue, id: 2 }] } });
    const told: RowChange[] = [];
    server.subscribe((change) => told.push(change));

    const renamed = await ask(server, 'PATCH /issues/1', json({ author: { id: 1, name: 'Augusta' } }));
    await ask(server, 'PATCH /issues/1', json({ title: 'Gate' }));

    expect(renamed.body).toMatchObject({ author: { id: 1, name: 'Augusta' } });
    expect((await ask(server, '/issues/2')).body).toMatchObject({ author: { id: 1, name: 'Augusta' } });
    expect(told.map(({ entity, pk }) => `${entity.key} ${pk}`)).toEqual(['User 1', 'Issue 1', 'Issue 1']);
  });

  it.each([
    ['PATCH', { author: { id: 1, name: 'Augusta' } }],
    ['PATCH', { assignee: { id: 1, name: 'Augusta' } }],
    ['PUT', { author: { id: 1, name: 'Augusta' }, assignee: { name: 'Ada', id: 1 } }],
    ['POST', { author: { id: 1, name: 'Augusta' }, assignee: author }],
    ['set', { author: { id: 1, name: 'Augusta' } }],
  ])('changes also where another field nests the same row as it was: %s %o', async (how, body) => {
    class Ticket extends Entity {
      id = 0;
      author: User | null = null;
      assignee: User | null = null;
      static override key = 'Ticket';
      static override schema = { author: User, assignee: User };
    }
    const server = mockServer([createResource({ path: '/tickets/:id', schema: Ticket })], {
      seed: { User: [author], Ticket: [{ id: 1, author, assignee: author }] },
    });

    if (how === 'set') server.set(Ticket, { id: 1, ...body });
    else await ask(server, how === 'POST' ? 'POST /tickets' : `${how} /tickets/1`, json(body));

    const renamed = { id: 1, name: 'Augusta' };
    expect(server.rows(User)).toEqual([renamed]);
    expect(server.rows(Ticket).at(-1)).toMatchObject({ author: renamed, assignee: renamed });
  });

  it('that leads back to its row ends in its pk', async () => {
    class Person extends Entity {
      id = 0;
      friends: readonly Person[] = [];
      static override key = 'Person';
      static override schema = { friends: new schema.Lazy((): unknown => [Person]) };
    }
    const People = createResource({ path: '/people/:id', schema: Person });
    const server = mockServer([People], {
      seed: { Person: [{ id: 1, friends: [{ id: 2, friends: [{ id: 1 }] }] }] },
    });

    expect((await ask(server, '/people/1')).body).toEqual({ id: 1, friends: [{ id: 2, friends: [1] }] });
  });

  it('of several kinds is kept in the table of each', () => {
    class Feed extends Entity {
      id = 0;
      items: readonly (Member | Task)[] = [];
      static override key = 'Feed';
      static override schema = { items: [new schema.Union({ member: Member, task: Task }, 'type')] };
    }
    const items = [
      { id: 1, type: 'member' },
      { id: 1, type: 'task' },
    ];
    const server = mockServer([createResource({ path: '/feeds/:id', schema: Feed })], {
      seed: { Feed: [{ id: 1, items }] },
    });

    server.remove(Task, 1);

    expect(server.rows(Member)).toEqual([items[0]]);
    expect(server.rows(Feed)).toEqual([{ id: 1, items: [items[0]] }]);
  });

  it('that is a list with a `nestKey` has the rows that this names, as they now are', async () => {
    class Comment extends Entity {
      id = 0;
      issueId = 0;
      text = '';
      static override key = 'Comment';
    }
    class Thread extends Entity {
      id = 0;
      comments: readonly Comment[] = [];
      static override key = 'Thread';
      static override schema = {
        comments: new Collection([Comment], { nestKey: ({ id }: { readonly id: number }) => ({ issueId: id }) }),
      };
    }
    const server = mockServer(
      [
        createResource({ path: '/threads/:id', schema: Thread }),
        createResource({ path: '/threads/:issueId/comments/:id', schema: Comment }),
      ],
      {
        seed: {
          Thread: [
            { id: 1, comments: [{ id: 1, text: 'First' }] },
            { id: 2, comments: [] },
          ],
        },
      },
    );

    await ask(server, 'POST /threads/1/comments', json({ text: 'Second' }));
    await ask(server, 'POST /threads/2/comments', json({ text: 'Elsewhere' }));
    server.remove(Comment, 1);

    expect((await ask(server, '/threads')).body).toEqual([
      { id: 1, comments: [{ id: 2, issueId: 1, text: 'Second' }] },
      { id: 2, comments: [{ id: 3, issueId: 2, text: 'Elsewhere' }] },
    ]);
  });

  it('shows some of its fields where a shape says so, then the whole', async () => {
    const { store, read } = serve([], {
      seed: { Issue: [issue] },
      shape: {
        'Issue/getList': (answer) =>
          (answer as { id: number; title: string }[]).map(({ id, title }) => ({ id, title })),
      },
    });
    const state = () => read(IssueResource.get.selectRequest({ id: 1 }));

    await store.dispatch(IssueResource.getList());
    const partial = state();
    await store.dispatch(IssueResource.get({ id: 1 }));

    expect([partial.data?.title, partial.isPartial]).toEqual(['Door', true]);
    expect([state().data?.author?.name, state().isPartial]).toEqual(['Ada', false]);
  });
});

describe('the ids of created rows', () => {
  it('are the greatest ever and one, never an old one', async () => {
    const { server } = serve([], { seed: { User: [author, { id: 7, name: 'Grace' }] } });

    await ask(server, 'DELETE /users/7');
    const created = await ask(server, 'POST /users', json({ name: 'Katherine' }));

    expect(created.body).toMatchObject({ id: 8 });
  });

  it('are greater than those to which rows were renamed', async () => {
    const { server } = serve([], { seed: { User: [author, { id: 2, name: 'Grace' }] } });

    await ask(server, 'PATCH /users/2', json({ id: 3 }));
    const created = await ask(server, 'POST /users', json({ name: 'Katherine' }));

    expect(created).toMatchObject({ status: 201, body: { id: 4 } });
  });

  it('are those of one row alone, where rows of several kinds have one address', async () => {
    const items = createResource({
      path: '/items/:id',
      schema: new schema.Union({ member: Member, task: Task }, 'type'),
    });
    const server = mockServer([items], {
      seed: { Member: [{ id: 1, type: 'member' }], Task: [{ id: 5, type: 'task' }] },
    });

    const created = await ask(server, 'POST /items', json({ type: 'member' }));

    expect(created.body).toEqual({ id: 6, type: 'member' });
    expect((await ask(server, '/items/6')).body).toEqual({ id: 6, type: 'member' });
  });

  it('are those of one row alone also where they are seeded or sent, and a row stays what it is', async () => {
    const kinds = new schema.Union({ member: Member, task: Task }, 'type');
    const items = createResource({ path: '/items/:id', schema: kinds });
    const getFeed = new RestEndpoint({ path: '/feed', schema: [kinds], name: 'feed' });
    const rows = { Member: [{ id: 1, type: 'member' }], Task: [{ id: 2, type: 'task' }] };
    const server = mockServer([items], { seed: rows });

    const refused = [
      await ask(server, 'PATCH /items/1', json({ type: 'task' })),
      await ask(server, 'PATCH /items/1', json({ type: 'other' })),
      await ask(server, 'POST /items', json({ type: 'task', id: 1 })),
    ];
    const patched = await ask(server, 'PATCH /items/1', json({ name: 'Ada' }));

    expect(refused.map(({ status }) => status)).toEqual([400, 400, 409]);
    expect(patched.body).toEqual({ id: 1, type: 'member', name: 'Ada' });
    expect(server.rows(Task)).toEqual(rows.Task);
    const twice = { seed: { Member: [{ id: 1 }], Task: [{ id: 1 }] } };
    expect(() => mockServer([items], twice)).toThrow(/Member and Task have both a row 1 at \/items\/:id/);
    expect(() => mockServer([getFeed], twice)).not.toThrow();
  });

  it('are given to no row of several kinds that does not tell its kind', async () => {
    const items = createResource({
      path: '/items/:id',
      schema: new schema.Union({ member: Member, task: Task }, 'type'),
      searchParams: undefined as { readonly type: string } | undefined,
    });
    const server = mockServer([items]);

    const untold = await ask(server, 'POST /items', json({}));
    const unknown = await ask(server, 'POST /items', json({ type: 'tasc' }));
    const told = await ask(server, 'POST /items?type=task', json({}));

    const problem = { status: 400, title: 'The body does not tell what it is' };
    expect([untold.body, unknown.body]).toEqual([problem, problem]);
    expect(told.body).toEqual({ id: 1, type: 'task' });
    expect([server.rows(Member), server.rows(Task)]).toEqual([[], [{ id: 1, type: 'task' }]]);
  });

  it('are texts where those of the seed are, the same at every run', async () => {
    class Note extends Entity {
      id = '';
      static override key = 'Note';
    }
    const make = async () => {
      const server = mockServer([createResource({ path: '/notes/:id', schema: Note })], { randomSeed: 5 });
      return (await ask(server, 'POST /notes', json({}))).body as { id: string };
    };

    const [one, other] = [await make(), await make()];

    expect(one.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
    expect(other).toEqual(one);
  });

  it('are given to rows also where the class makes another value of them', async () => {
    class Post extends Entity {
      id = 0;
      title = '';
      static override key = 'Post';
      static override process({ id, ...rest }: Readonly<Record<string, unknown>>) {
        return { ...rest, id: Number(id) };
      }
    }
    const server = mockServer([createResource({ path: '/posts/:id', schema: Post })]);

    const { status, body } = await ask(server, 'POST /posts', json({ title: 'New' }));

    expect([status, body]).toEqual([201, { id: 1, title: 'New' }]);
  });

  it.each([
    ['with rows', [{ _id: 'a1', title: 'Seeded' }]],
    ['empty', []],
  ])('are in the field that the class reads them from, where the seed is %s', async (_, rows) => {
    class Post extends Entity {
      id = '';
      title = '';
      static override key = 'Post';
      static override process({ _id: id, ...rest }: Readonly<Record<string, unknown>>) {
        return { ...rest, id };
      }
    }
    const Posts = createResource({ path: '/posts/:id', schema: Post });
    const server = mockServer([Posts], { seed: { Post: rows } });
    const { store } = setup({ fetchFn: server.fetch });

    const created = await store.dispatch(Posts.getList.push({ title: 'New' })).unwrap();
    const list = await store.dispatch(Posts.getList()).unwrap();
    const edited = await store.dispatch(Posts.partialUpdate({ id: created.id }, { title: 'Edited' })).unwrap();

    expect(edited).toMatchObject({ id: created.id, title: 'Edited' });
    expect(list.map(({ title }) => title)).toEqual([...rows.map(({ title }) => title), 'New']);
    expect(list.at(-1)?.id).toBe(created.id);
  });

  it('are those of their own, and renamed with the field that they are', async () => {
    class Article extends Entity {
      slug = '';
      title = '';
      static override key = 'Article';
      override pk() {
        return this.slug;
      }
    }
    const Articles = createResource({ path: '/articles/:slug', schema: Article });
    const server = mockServer([Articles], { seed: { Article: [{ slug: 'a' }, { slug: 'b' }] } });

    const own = await ask(server, 'POST /articles', json({ slug: 'c', title: 'C' }));
    const taken = await ask(server, 'POST /articles', json({ slug: 'a' }));
    const told: (readonly unknown[])[] = [];
    server.subscribe(({ pk, row }) => told.push([pk, row?.['slug']]));
    const renamed = await ask(server, 'PATCH /articles/a', json({ slug: 'z' }));
    const clash = await ask(server, 'PATCH /articles/b', json({ slug: 'z' }));

    expect([own, taken, renamed, clash].map(({ status }) => status)).toEqual([201, 409, 200, 409]);
    expect(server.rows(Article).map(({ slug }) => slug)).toEqual(['z', 'b', 'c']);
    expect(told).toEqual([
      ['z', 'z'],
      ['a', undefined],
    ]);
  });
});

describe("somebody else's change", () => {
  it('is told to who listens, as those of requests are', async () => {
    const { server, resources, store, read } = serve([]);
    const told: RowChange[] = [];
    const undo = server.subscribe((change) => told.push(change));
    server.subscribe(({ entity, row }) => {
      if (row) store.dispatch(resources.set(entity, row));
    });

    server.set(Todo, [
      { id: 1, title: 'Theirs' },
      { id: 9, title: 'New' },
    ]);
    server.remove(Todo, 3);
    undo();
    await ask(server, 'PATCH /todos/1', json({ title: 'Last' }));

    expect(told.map(({ entity, pk, row }) => [entity.key, pk, row?.['title']])).toEqual([
      ['Todo', '1', 'Theirs'],
      ['Todo', '9', 'New'],
      ['Todo', '3', undefined],
    ]);
    expect(read(TodoResource.get.select({ id: 1 }))?.title).toBe('Last');
    expect(server.rows(Todo).map(({ id }) => id)).toEqual([1, 2, 9]);
  });

  it('is kept with an id that is never given again, also where one who listens throws', async () => {
    const { server } = serve([]);
    const undo = server.subscribe(() => {
      throw new Error('Deaf');
    });

    await ask(server, 'POST /todos', json({ title: 'One' })).catch(() => undefined);
    undo();
    const { status } = await ask(server, 'POST /todos', json({ title: 'Two' }));

    expect(status).toBe(201);
    expect(server.rows(Todo).map(({ id, title }) => [id, title])).toEqual([
      [1, 'Read'],
      [2, 'Write'],
      [3, 'Count'],
      [4, 'One'],
      [5, 'Two'],
    ]);
  });

  it('moves nothing that was handed out, and nothing that was handed in', async () => {
    const row = { id: 5, name: 'Katherine' };
    const { server } = serve([], { seed: { User: [row] } });
    row.name = 'Changed outside';
    const [shown] = server.rows(User);
    if (shown) shown.name = 'Changed outside';

    expect((await ask(server, '/users/5')).body).toEqual({ id: 5, name: 'Katherine' });
  });
});
