import { createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile, type Reply } from '../support/server.js';
import { expectIdle, setup } from '../support/store.js';

class Todo extends Entity {
  id: number | string = 0;
  list = '';
  title = '';
  votes = 0;
  static override key = 'Todo';
}

const server = await serverOfFile();

const searchParams: { list?: string } = {};
const Todos = createResource({
  urlPrefix: server.url,
  path: '/todos/:id',
  schema: Todo,
  searchParams,
  optimistic: true,
});

const vote = Todos.get.extend({
  name: 'Todo/vote',
  path: '/todos/:id/vote',
  method: 'POST',
  body: undefined,
  optimistic: (draft) => {
    draft.votes++;
  },
});

const plain = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, searchParams });

const unvote = vote.extend({
  name: 'Todo/unvote',
  optimistic: (draft) => {
    draft.votes = 0;
  },
});

const pin = plain.get.extend({ name: 'Todo/pin', path: '/todos/:id/pin', method: 'POST', body: undefined });

const todo = (id: number, title: string, fields: object = {}) => ({ id, title, list: 'a', votes: 0, ...fields });
const says = (json: unknown): Reply => ({ json });
const refusal: Reply = { status: 422, json: {} };

/** A store that has fetched the lists a and b, and what a message does to it. */
async function listen() {
  const tools = setup();
  const { store, resources, watch } = tools;
  const answers = { a: [todo(1, 'one'), todo(2, 'two')], b: [todo(3, 'three', { list: 'b' })] };
  for (const list of ['a', 'b'] as const) {
    const loading = store.dispatch(Todos.getList({ list }));
    await server.release(`GET /todos?list=${list}`, says(answers[list]));
    await loading.unwrap();
  }
  const seen = watch((state) =>
    ['a', 'b']
      .map((list) =>
        Todos.getList
          .select({ list })(state)
          ?.map(({ title }) => title)
          .join(' '),
      )
      .join(' | '),
  );

  return {
    ...tools,
    seen,
    poll: () => store.dispatch(Todos.getList({ list: 'a' })),
    edit: (id: number | string, body: Partial<Todo>) => store.dispatch(Todos.partialUpdate({ id }, body)),
    changed: (fields: Partial<Todo>) => {
      store.dispatch(resources.set(Todo, fields));
    },
    created: (row: object) => {
      store.dispatch(resources.setResponse(Todos.getList.push, {}, row, row));
    },
    deleted: (id: number) => {
      store.dispatch(resources.setResponse(Todos.delete, { id }, null));
    },
  };
}

describe('a message', () => {
  it('changes, adds and removes, in every list that it concerns, without a request', async () => {
    const { changed, created, deleted, seen, slice } = await listen();
    const before = server.received.length;

    changed({ id: 1, title: 'one!' });
    created(todo(4, 'four', { list: 'b' }));
    created(todo(5, 'five'));
    deleted(2);

    expect(seen).toEqual([
      'one two | three',
      'one! two | three',
      'one! two | three four',
      'one! two five | three four',
      'one! five | three four',
    ]);
    expect(server.received).toHaveLength(before);
    expectIdle(slice());
  });

  it('that comes twice changes nothing the second time', async () => {
    const { changed, created, deleted, seen, read } = await listen();
    changed({ id: 1, title: 'one!' });
    created(todo(5, 'five'));
    deleted(2);
    const count = seen.length;
    const list = read(Todos.getList.select({ list: 'a' }));

    changed({ id: 1, title: 'one!' });
    created(todo(5, 'five'));
    deleted(2);

    expect(seen).toHaveLength(count);
    expect(read(Todos.getList.select({ list: 'a' }))).toBe(list);
  });

  it.each([
    [
      'changes an item',
      (tools: Awaited<ReturnType<typeof listen>>) => {
        tools.changed({ id: 1, title: 'one!' });
      },
    ],
    [
      'adds one',
      (tools: Awaited<ReturnType<typeof listen>>) => {
        tools.created(todo(5, 'five'));
      },
    ],
    [
      'removes one',
      (tools: Awaited<ReturnType<typeof listen>>) => {
        tools.deleted(2);
      },
    ],
  ])('that %s is not taken back by a poll that was under way', async (_, tell) => {
    const tools = await listen();
    const { poll, seen, slice } = tools;
    const polling = poll();
    tell(tools);
    const told = seen.at(-1);

    await server.release('GET /todos?list=a', says([todo(1, 'one'), todo(2, 'two')]));
    await polling;

    expect(seen).toEqual(['one two | three', told]);
    expectIdle(slice());
  });

  it('wins over a pending edit of the same field, and leaves the others', async () => {
    const { edit, changed, read, resources } = await listen();
    const editing = edit(1, { title: 'mine', votes: 5 });

    changed({ id: 1, title: 'theirs' });
    const during = read(resources.selectEntity(Todo, 1));
    await server.release('PATCH /todos/1', says(todo(1, 'mine', { votes: 5 })));
    await editing;

    expect(during).toMatchObject({ title: 'theirs', votes: 5 });
    expect(read(resources.selectEntity(Todo, 1))).toMatchObject({ title: 'theirs', votes: 5 });
  });

  it('gives way to an edit that is made after it', async () => {
    const { edit, changed, seen } = await listen();
    changed({ id: 1, title: 'theirs' });
    const editing = edit(1, { title: 'mine' });
    await server.release('PATCH /todos/1', says(todo(1, 'mine')));
    await editing;

    expect(seen).toEqual(['one two | three', 'theirs two | three', 'mine two | three']);
  });

  it('that a poll overlaps has nothing fetched again: it is the newer of the two', async () => {
    const { poll, changed, read } = await listen();
    const polling = poll();
    changed({ id: 1, title: 'one!' });
    await server.release('GET /todos?list=a', says([todo(1, 'one'), todo(2, 'two')]));
    await polling;

    expect(read(Todos.getList.selectRequest({ list: 'a' })).isStale).toBe(false);
  });

  it.each([
    ['an edit of the same field', () => Todos.partialUpdate({ id: 1 }, { votes: 7 }), 'PATCH /todos/1'],
    ['a recipe that changes it', () => vote({ id: 1 }), 'POST /todos/1/vote'],
  ])('that overlaps %s has the item fetched again: nobody knows which came last', async (_, write, address) => {
    const { store, changed, read } = await listen();
    const writing = store.dispatch(write() as ReturnType<typeof vote>);
    await server.holding(address);
    changed({ id: 1, votes: 4 });
    await server.release(address, { status: 204 });
    await writing;

    expect(read(Todos.getList.selectRequest({ list: 'a' })).isStale).toBe(true);
  });

  const nothing: Reply = { status: 204 };
  const unchanged = says(todo(1, 'uno'));
  const form = { title: 'uno', votes: 0 };

  it.each([
    ['a form', () => Todos.partialUpdate({ id: 1 }, form), 'PATCH /todos/1', nothing],
    ['a form that is answered with the item', () => Todos.partialUpdate({ id: 1 }, form), 'PATCH /todos/1', unchanged],
    ['a form that shows nothing at once', () => plain.partialUpdate({ id: 1 }, form), 'PATCH /todos/1', nothing],
    ['such a form, answered with the item', () => plain.partialUpdate({ id: 1 }, form), 'PATCH /todos/1', unchanged],
    ['a recipe', () => unvote({ id: 1 }), 'POST /todos/1/vote', unchanged],
  ])('that overlaps %s has the item fetched again, though that sends the field as it was', async (...given) => {
    const [, write, address, reply] = given;
    const { store, changed, read } = await listen();
    const writing = store.dispatch(write() as ReturnType<typeof vote>);
    await server.holding(address);
    changed({ id: 1, votes: 4 });
    await server.release(address, reply);
    await writing;

    expect(read(Todos.getList.selectRequest({ list: 'a' })).isStale).toBe(true);
  });

  it('of a whole item that overlaps an action has the item fetched again, though nothing tells what the action changes', async () => {
    const { store, changed, read } = await listen();
    const pinning = store.dispatch(pin({ id: 1 }));
    await server.holding('POST /todos/1/pin');
    changed(todo(1, 'theirs'));
    await server.release('POST /todos/1/pin', says(todo(1, 'theirs', { votes: 1 })));
    await pinning;

    expect(read(Todos.getList.selectRequest({ list: 'a' })).isStale).toBe(true);
  });

  it.each([nothing, unchanged])(
    'has nothing fetched again where it overlaps an edit of another field: %j',
    async (reply) => {
      const { edit, changed, read } = await listen();
      const editing = edit(1, { title: 'uno' });
      await server.holding('PATCH /todos/1');
      changed({ id: 1, votes: 4 });
      await server.release('PATCH /todos/1', reply);
      await editing;

      const { data, isStale } = read(Todos.getList.selectRequest({ list: 'a' }));
      expect([data?.[0], isStale]).toMatchObject([{ title: 'uno', votes: 4 }, false]);
    },
  );

  describe.each([
    ['an edit', () => Todos.partialUpdate({ id: 3 }, { list: 'a' }), 'PATCH /todos/3'],
    ['an edit that shows nothing at once', () => plain.partialUpdate({ id: 3 }, { list: 'a' }), 'PATCH /todos/3'],
    ['an action', () => pin({ id: 3 }), 'POST /todos/3/pin'],
    ['a create', () => plain.getList.push({ list: 'a', title: 'three' }), 'POST /todos'],
  ])('with a whole list that overlaps %s by which an item joins that', (...given) => {
    const [, write, address] = given;
    const three = todo(3, 'three');

    /** The list after the message and then the answer. */
    const after = async (message: readonly object[]) => {
      const { store, resources, read } = await listen();
      const writing = store.dispatch(write() as ReturnType<typeof vote>);
      await server.holding(address);
      store.dispatch(resources.setResponse(Todos.getList, { list: 'a' }, message));
      await server.release(address, says(three));
      await writing;
      return read(Todos.getList.selectRequest({ list: 'a' }));
    };

    it('has the list fetched again where it lacks the item: nobody knows which came last', async () => {
      expect((await after([todo(1, 'one')])).isStale).toBe(true);
    });

    it('has nothing fetched again where it has the item', async () => {
      const { data, isStale } = await after([todo(1, 'one'), three]);

      expect([data?.map(({ id }) => id), isStale]).toEqual([[1, 3], false]);
    });
  });

  it('of the own edit shows nothing twice, and is not taken back when the edit is answered', async () => {
    const { edit, changed, seen } = await listen();
    const editing = edit(1, { title: 'mine' });
    changed({ id: 1, title: 'mine' });
    await server.release('PATCH /todos/1', says(todo(1, 'mine')));
    await editing;

    expect(seen).toEqual(['one two | three', 'mine two | three']);
  });

  it('of the own create, before its answer, does not show the item twice', async () => {
    const { store, created, seen, read } = await listen();
    const creating = store.dispatch(Todos.getList.push({}, { list: 'a', title: 'new' }));
    created(todo(5, 'new'));
    await server.release('POST /todos', says(todo(5, 'new')));
    await creating;

    expect(seen).toEqual(['one two | three', 'one two new | three']);
    expect(read(Todos.getList.select({ list: 'a' }))?.map(({ id }) => id)).toEqual([1, 2, 5]);
  });

  it('of an item that is like one whose create is pending shows it when that is answered with another, or refused', async () => {
    const { store, created, seen } = await listen();
    const creating = store.dispatch(Todos.getList.push({}, { list: 'a', title: 'new' }));
    const another = store.dispatch(Todos.getList.push({}, { list: 'b', title: 'next' }));
    created(todo(5, 'new'));
    created(todo(6, 'next', { list: 'b' }));
    created(todo(7, 'of somebody else'));
    expect(seen.at(-1)).toBe('one two new of somebody else | three next');

    await server.release('POST /todos', says(todo(8, 'new')));
    await server.release('POST /todos', refusal);
    await Promise.all([creating, another]);
    expect(seen.at(-1)).toBe('one two new new of somebody else | three next');
  });

  it('that counts one up counts on the confirmed row, also while an edit is pending', async () => {
    const { store, resources, edit, read } = await listen();
    const up = (): void => {
      store.dispatch(resources.set(Todo, { id: 1 }, ({ votes }) => ({ votes: votes + 1 })));
    };
    const editing = edit(1, { votes: 100 });
    up();
    up();
    await server.release('PATCH /todos/1', refusal);
    await editing;

    expect(read(resources.selectEntity(Todo, 1))?.votes).toBe(2);
  });

  it('that brings many does so in one action, and each keeps the fields that it names', async () => {
    const { store, resources, actions, seen, poll, read } = await listen();
    const polling = poll();
    await server.holding('GET /todos');
    const before = actions.length;

    store.dispatch(
      resources.set(Todo, [
        { id: 1, title: 'uno' },
        { id: 2, votes: 5 },
        { id: 4, title: 'four' },
      ]),
    );
    const after = actions.length;
    await server.release('GET /todos', says([todo(1, 'one', { votes: 3 }), todo(2, 'zwei', { votes: 3 })]));
    await polling;
    store.dispatch(resources.set(Todo, []));

    expect(after - before).toBe(1);
    expect(seen).toEqual(['one two | three', 'uno two | three', 'uno zwei | three']);
    expect([1, 2, 4].map((id) => read(resources.selectEntity(Todo, id)))).toMatchObject([
      { title: 'uno', votes: 3 },
      { title: 'zwei', votes: 5 },
      { title: 'four' },
    ]);
  });

  it.each([
    ['one item', (item: object) => item],
    ['many', (item: object) => [item]],
  ])('that leaves a field undefined does not name it, in %s', async (_, given) => {
    const { store, resources, edit, poll, read } = await listen();
    const editing = edit(1, { title: 'mine' });
    await server.holding('PATCH /todos/1');
    const polling = poll();
    await server.release('GET /todos?list=a', says([todo(1, 'one'), todo(2, 'two')]));
    await polling;

    store.dispatch(resources.set(Todo, given({ id: 1, votes: 5, title: undefined }) as never));
    const during = read(resources.selectEntity(Todo, 1));
    await server.release('PATCH /todos/1', { status: 204 });
    await editing;

    expect(during).toMatchObject({ title: 'mine', votes: 5 });
    expect(read(resources.selectEntity(Todo, 1))).toMatchObject({ title: 'mine', votes: 5 });
  });

  it('that removes an item takes a pending edit of it along', async () => {
    const { edit, deleted, seen, slice } = await listen();
    const editing = edit(1, { title: 'mine' });
    deleted(1);
    await server.release('PATCH /todos/1', says(todo(1, 'mine')));
    await editing;

    expect(seen).toEqual(['one two | three', 'mine two | three', 'two | three']);
    expectIdle(slice());
  });

  it('that too much has changed has it fetched again for whoever looks', async () => {
    const { store, resources, seen } = await listen();
    const subscription = store.dispatch(Todos.getList.subscribe({ list: 'a' }));
    store.dispatch(resources.expireAll(Todos.getList));
    await server.release('GET /todos?list=a', says([todo(1, 'imported')]));
    await store.dispatch(Todos.getList.ifStale({ list: 'a' }));
    subscription.unsubscribe();

    expect(seen).toEqual(['one two | three', 'imported | three']);
  });

  describe('that removes an item by a natural key', () => {
    class Project extends Entity {
      id = 0;
      slug = '';
      static override key = 'Project';
      static override indexes = ['slug'];
    }
    const Projects = createResource({ urlPrefix: server.url, path: '/projects/:slug', schema: Project });

    async function afterDeletionOf(slug: string) {
      const { store, resources, read } = setup();
      server.answer('GET /projects', {
        json: [
          { id: 1, slug: 'garden' },
          { id: 2, slug: 'house' },
        ],
      });
      await store.dispatch(Projects.getList());
      store.dispatch(resources.setResponse(Projects.delete, { slug }, null));
      const { data, isStale } = read(Projects.getList.selectRequest());
      return { slugs: data?.map((project) => project.slug), isStale };
    }

    it('takes it out of every list', async () => {
      expect(await afterDeletionOf('garden')).toEqual({ slugs: ['house'], isStale: false });
    });

    it('makes stale what may show it where the store does not know which it is', async () => {
      expect(await afterDeletionOf('meadow')).toEqual({ slugs: ['garden', 'house'], isStale: true });
    });
  });
});
