import { Collection, createResource, Entity, RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Todo extends Entity {
  id = 0;
  title = '';
  done = false;
  static override key = 'Todo';
}

const server = await serverOfFile();

const at = { urlPrefix: server.url } as const;
const rows = [{ id: 1, title: 'a', done: false }];

describe('options of a hook in place of the parameters', () => {
  const { getList } = createResource({ ...at, path: '/todos/:id', schema: Todo });
  const slip = { pollFrequency: 5_000, refetchOnMount: 'always' };

  it('are told of, with the call that takes them', async () => {
    expectWarning(
      /"pollFrequency", "refetchOnMount" went into the address of Todo\/getList.*useResource\(endpoint\(params\), { … }\)/,
    );
    server.answer('GET /todos?pollFrequency=5000&refetchOnMount=always', { json: rows });
    const { store } = setup();

    await store.dispatch(getList(slip)).unwrap();
  });

  it('are parameters where they are declared as such', async () => {
    server.answer('GET /todos?pollFrequency=5000&refetchOnMount=always', { json: rows });
    const { store } = setup();
    const declared = getList.extend({ searchParams: slip });

    expect(await store.dispatch(declared(slip)).unwrap()).toMatchObject(rows);
  });
});

describe('a schema that is not what it should be', () => {
  it('is told of where it is the list in place of the item, and where an item is refused, that is named', async () => {
    expectWarning(/createResource\({ path: "\/todos\/:id" }\) was given a list as its schema/);
    server.answer('GET /todos', { json: rows });
    const { store } = setup();
    const { getList } = createResource({ ...at, path: '/todos/:id', schema: [Todo] });

    const { error } = await store.dispatch(getList());

    expect(error?.message).toContain('expected a list, but got {"id":1,"title":"a","done":false}.');
  });

  it('is told of where it is undefined', () => {
    expectWarning(/createResource\({ path: "\/drafts\/:id" }\) has no schema.* imported in a circle/);

    createResource({ ...at, path: '/drafts/:id', schema: undefined });
  });

  it('is told of where it is undefined for a field', async () => {
    class Post extends Entity {
      id = 0;
      author?: Todo;
      static override key = 'Post';
      static override schema = { author: undefined };
    }
    expectWarning(/static schema of Post has undefined for "author".* imported in a circle/);
    server.answer('GET /posts/1', { json: { id: 1, author: rows[0] } });
    const { store } = setup();

    const post = await store
      .dispatch(createResource({ ...at, path: '/posts/:id', schema: Post }).get({ id: 1 }))
      .unwrap();

    expect(post).toMatchObject({ id: 1 });
  });

  it('is told of where it is a class that is no entity', () => {
    class Note {
      id = 0;
      text = '';
    }
    expectWarning(
      /createResource\({ path: "\/notes\/:id" }\) was given the class Note, which is no entity.* Write class Note extends Entity, or give it EntityMixin\(Note\)/,
    );

    // As who writes JavaScript may give it.
    createResource({ ...at, path: '/notes/:id', schema: Note as never });
  });

  it('is told of where a class with a key stands for a relation, but is no entity', async () => {
    class Author {
      id = 0;
      name = '';
      static key = 'Author';
    }
    class Book extends Entity {
      id = 0;
      authors: Author[] = [];
      readAt = new Date(0);
      static override key = 'Book';
      static override schema = { authors: [Author], readAt: Date };
    }
    expectWarning(
      /the class Author has a static key, but is no entity.* Write class Author extends Entity, or give EntityMixin\(Author\)/,
    );
    server.answer('GET /books/1', { json: { id: 1, authors: [{ id: 7, name: 'Ada' }], readAt: '2026-01-05' } });
    const { store } = setup();

    const book = await store
      .dispatch(createResource({ ...at, path: '/books/:id', schema: Book }).get({ id: 1 }))
      .unwrap();

    expect(book.readAt).toEqual(new Date('2026-01-05'));
  });

  it('is told of where the answer has the data under another name', async () => {
    expectWarning(/The answer to Todo\/getList has no "results".* it has "data"/);
    server.answer('GET /todos', { json: { data: rows, total: 1 } });
    const { store } = setup();
    const Todos = createResource({ ...at, path: '/todos/:id', schema: Todo }).extend({
      getList: { schema: { results: new Collection([Todo]), total: 0 } },
    });

    const { error } = await store.dispatch(Todos.getList());

    expect(error).toBeUndefined();
  });

  it('is not told of where the answer has some of the data, or none at all', async () => {
    const { store } = setup();
    const getPage = new RestEndpoint({ ...at, path: '/page', schema: { user: Todo, todos: new Collection([Todo]) } });

    for (const json of [{ user: rows[0], data: rows }, { isLoggedIn: false }, { user: null, links: {} }]) {
      server.answer('GET /page', { json });
      expect((await store.dispatch(getPage())).error).toBeUndefined();
    }
  });
});

describe('a write whose body is missing', () => {
  // As who writes JavaScript may call it.
  type Loose = (params: object) => ReturnType<typeof Todos.partialUpdate>;
  const Todos = createResource({ ...at, path: '/todos/:id', schema: Todo, optimistic: true });

  it('is told of where its fields went into the address', async () => {
    expectWarning(/Todo\/partialUpdate was called without a body, so "title" went into the address/);
    server.answer('PATCH /todos/1', { json: rows[0] });
    const { store } = setup();

    await store.dispatch((Todos.partialUpdate as unknown as Loose)({ id: 1, title: 'b' }));

    expect(server.received).toMatchObject([{ query: 'title=b', rawBody: '' }]);
  });

  it('is not told of where it has none, or its fields are declared to be parameters', async () => {
    server.answer('PATCH /todos/1', { json: rows[0] });
    server.answer('POST /todos/1/done', { json: rows[0] });
    const { store } = setup();
    const bare = Todos.partialUpdate.extend({ name: 'bare', body: undefined, searchParams: {} as { title: string } });
    const declared = Todos.partialUpdate.extend({ name: 'declared', searchParams: {} as { title: string } });
    const { close } = Todos.extend('close', { path: '/todos/:id/done', method: 'POST' });

    await store.dispatch(bare({ id: 1, title: 'b' }));
    await store.dispatch((declared as unknown as Loose)({ id: 1, title: 'b' }));
    await store.dispatch((close as unknown as Loose)({ id: 1, title: 'b' }));

    expect(server.received.map(({ query }) => query)).toEqual(['title=b', 'title=b', 'title=b']);
  });
});

describe('a file inside of a JSON body', () => {
  it.each([
    ['a File', new File(['x'], 'a.png')],
    ['a Blob', new Blob(['x'])],
  ])('is refused, for JSON would make {} of it: %s', async (what, file) => {
    const { store } = setup();
    const Photos = createResource({ ...at, path: '/photos/:id', schema: Todo, name: 'Photo', body: {} });

    const { error } = await store.dispatch(Photos.getList.push({ title: 'Ada', file }));

    expect(error).toMatchObject({ code: 'R19' });
    expect(error?.message).toContain(`was given ${what} at file, which JSON cannot hold.\nSend a FormData`);
    expect(server.received).toEqual([]);
  });
});

describe('an address that cannot be asked', () => {
  it('is told what to do about where it is relative, and there is no page', async () => {
    const { store } = setup();
    const Relative = createResource({ urlPrefix: '/api', path: '/todos/:id', schema: Todo, name: 'Relative' });

    const { error } = await store.dispatch(Relative.getList());

    expect(error?.message).toMatch(
      /^GET \/api\/todos was not answered: .*\nOutside a browser, give urlPrefix an origin/,
    );
  });

  it('is told nothing about where it is whole, or asked for by a fetchFn', async () => {
    const ofApp = setup({ fetchFn: () => Promise.reject(new Error('offline')) });
    const { store } = setup();
    const Relative = createResource({ urlPrefix: '/api', path: '/todos/:id', schema: Todo, name: 'Relative' });

    const answers = await Promise.all([
      ofApp.store.dispatch(Relative.getList()),
      store.dispatch(Relative.getList.extend({ urlPrefix: 'http://[' })()),
    ]);

    for (const { error } of answers) expect(error?.message).toMatch(/was not answered: [^\n]*$/);
  });

  it.each([
    ['https://a.example', 'throws'],
    ['/api', 'warns'],
  ])('is told of where the path behind %s is a whole one', (urlPrefix, how) => {
    const get = new RestEndpoint({ urlPrefix, path: 'https://b.example/todos/:id' });
    if (how === 'warns') {
      expectWarning(/The path is a whole address, so set urlPrefix: ''/);
      get.url({ id: 1 });
    } else expect(() => get.url({ id: 1 })).toThrow(/The path is a whole address, so set urlPrefix: ''/);
  });
});

describe('a fetchFn that gives no Response', () => {
  it.each([
    ['what axios gives', { status: 200, data: [] }, '{"status":200,"data":[]}'],
    ['nothing', undefined, 'undefined'],
  ])('is named: %s', async (_, given, shown) => {
    const { store } = setup({ fetchFn: () => Promise.resolve(given as unknown as Response) });
    const Todos = createResource({ ...at, path: '/todos/:id', schema: Todo });

    const { error } = await store.dispatch(Todos.getList());

    expect(error).toMatchObject({ code: 'R11' });
    expect(error?.message).toContain(`fetchFn of the store returned ${shown}, which is no Response.`);
  });
});
