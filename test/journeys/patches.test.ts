import { configureStore } from '@reduxjs/toolkit';
import { Collection, configureResources, createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { expectIdle, setup } from '../support/store.js';

const server = await serverOfFile();

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}
class Todo extends Entity {
  id = 0;
  title = '';
  votes = 0;
  user: User | null = null;
  static override key = 'Todo';
  static override schema = { user: User };
}
const todos = new Collection([Todo]);
const TodoResource = createResource({
  urlPrefix: server.url,
  path: '/todos/:id',
  schema: Todo,
  optimistic: true,
}).extend({
  getList: { schema: { results: todos, total: 0, meta: { seen: false } } },
});
const Plain = createResource({ urlPrefix: server.url, path: '/plain/:id', schema: Todo, name: 'Plain' });

const rows = [1, 2, 3].map((id) => ({ id, title: `t${String(id)}`, votes: 0, user: { id: 7, name: 'Ada' } }));
const answer = { results: rows, total: 3, meta: { seen: false } };

class File extends Entity {
  id = 0;
  static override key = 'File';
}
const Files = createResource({ urlPrefix: server.url, path: '/files/:id', schema: File });

/** A store with a list of three. */
async function setupTodos() {
  const tools = setup();
  const { store, read, resources } = tools;
  server.answer('GET /todos', { json: answer });
  server.answer('GET /plain', { json: rows });
  await store.dispatch(TodoResource.getList());
  await store.dispatch(Plain.getList());
  server.forget();

  return {
    ...tools,
    answer: () => read(TodoResource.getList.select()),
    ids: () => read(TodoResource.getList.select())?.results.map(({ id }) => id),
    plain: () => read(Plain.getList.select())?.map(({ id }) => id),
    todo: (id = 1) => read(resources.selectEntity(Todo, id)),
  };
}

describe('a patch by hand', () => {
  it('changes a row until it is undone', async () => {
    const { store, resources, todo, slice } = await setupTodos();
    const before = todo();

    const preview = store.dispatch(resources.patch(Todo, { id: 1 }, (draft) => void (draft.title = 'new')));
    expect(todo()?.title).toBe('new');
    expect(resources.selectPending(Todo, 1)(store.getState())).toHaveLength(1);
    preview.undo();
    preview.undo();
    preview.commit();

    expect(todo()).toBe(before);
    expectIdle(slice());
  });

  it('is confirmed by commit, with the fields that it changes alone', async () => {
    const { store, resources, todo, slice } = await setupTodos();

    const preview = store.dispatch(
      resources.patch(Todo, 1, (draft) => {
        draft.votes += 1;
        if (draft.user) draft.user.name = 'Grace';
      }),
    );
    store.dispatch(resources.set(Todo, { id: 1, votes: 5, title: 'socket' }));
    expect([todo()?.votes, todo()?.title]).toEqual([6, 'socket']);
    preview.commit();

    expect([todo()?.votes, todo()?.title, todo(2)?.user?.name]).toEqual([6, 'socket', 'Grace']);
    expectIdle(slice());
  });

  it('lies over whatever arrives', async () => {
    const { store, resources, todo } = await setupTodos();

    const preview = store.dispatch(resources.patch(Todo, 1, (draft) => void (draft.title = 'form')));
    const saving = store.dispatch(TodoResource.partialUpdate({ id: 1 }, { title: 'saved' }));
    await server.release('PATCH /todos/1', { json: { ...rows[0], title: 'saved' } });
    await saving;
    expect(todo()?.title).toBe('form');
    preview.undo();

    expect(todo()?.title).toBe('saved');
  });

  it('orders a list, and adds to it and takes from it, until the list is undone', async () => {
    const { store, resources, plain } = await setupTodos();

    const turned = store.dispatch(resources.patch(Plain.getList, (draft) => void draft.reverse()));
    expect(plain()).toEqual([3, 2, 1]);
    const shorter = store.dispatch(
      resources.patch(Plain.getList, {}, (draft) => {
        draft.splice(0, 1);
        draft.push({ id: 4, title: 'four', votes: 0, user: null });
      }),
    );
    expect(plain()).toEqual([2, 1, 4]);
    turned.undo();
    expect(plain()).toEqual([2, 3, 4]);
    shorter.undo();

    expect(plain()).toEqual([1, 2, 3]);
  });

  it('keeps its order over a poll', async () => {
    const { store, resources, plain } = await setupTodos();

    store.dispatch(resources.patch(Plain.getList, (draft) => void draft.sort((one, other) => other.id - one.id)));
    const poll = store.dispatch(Plain.getList());
    await server.release('GET /plain', { json: [...rows, { ...rows[0], id: 9 }] });
    await poll;

    expect(plain()).toEqual([9, 3, 2, 1]);
  });

  it('changes the other fields of an answer, over a poll, too, and confirms them', async () => {
    const { store, resources, answer: shown, slice } = await setupTodos();

    const preview = store.dispatch(
      resources.patch(TodoResource.getList, (draft) => {
        draft.total += 1;
        draft.meta.seen = true;
        draft.results.pop();
      }),
    );
    expect([shown()?.total, shown()?.meta.seen, shown()?.results.length]).toEqual([4, true, 2]);
    const poll = store.dispatch(TodoResource.getList());
    await server.release('GET /todos', { json: { ...answer, total: 10 } });
    await poll;
    expect([shown()?.total, shown()?.results.length]).toEqual([11, 2]);
    preview.commit();

    expect([shown()?.total, shown()?.meta.seen, shown()?.results.length]).toEqual([11, true, 2]);
    expectIdle(slice());
  });

  it('stays over what others change when it is undone in any order', async () => {
    const { store, resources, todo } = await setupTodos();
    const add = () => store.dispatch(resources.patch(Todo, 1, (draft) => void (draft.votes += 1)));

    const [first, second, third] = [add(), add(), add()];
    expect(todo()?.votes).toBe(3);
    second.undo();
    expect(todo()?.votes).toBe(2);
    first.commit();
    expect(todo()?.votes).toBe(2);
    third.undo();

    expect(todo()?.votes).toBe(1);
  });

  it('throws what its recipe throws, and leaves nothing', async () => {
    const { store, resources, slice, todo } = await setupTodos();

    expect(() =>
      store.dispatch(
        resources.patch(Todo, 1, () => {
          throw new Error('no');
        }),
      ),
    ).toThrow('no');
    expect(() => store.dispatch(resources.patch(Todo, 1, (draft) => void (draft.id = 9)))).toThrow(/changed the id/);

    expect(todo()?.title).toBe('t1');
    expectIdle(slice());
  });

  it('is gone with reset', async () => {
    const { store, resources, slice, todo } = await setupTodos();

    const preview = store.dispatch(resources.patch(Todo, 1, (draft) => void (draft.title = 'new')));
    store.dispatch(resources.reset());
    preview.commit();
    preview.undo();

    expect(todo()).toBeUndefined();
    expectIdle(slice());
  });
});

describe('set with a draft', () => {
  it('mutates what is confirmed, and what is nested in it', async () => {
    const { store, resources, todo } = await setupTodos();

    store.dispatch(
      resources.set(Todo, { id: 1 }, (draft) => {
        draft.votes += 1;
        if (draft.user) draft.user.name = 'Grace';
      }),
    );

    expect([todo()?.votes, todo(2)?.user?.name]).toEqual([1, 'Grace']);
  });

  it('changes what is confirmed beneath a guess', async () => {
    const { store, resources, todo } = await setupTodos();

    const preview = store.dispatch(resources.patch(Todo, 1, (draft) => void (draft.votes += 1)));
    store.dispatch(resources.set(Todo, 1, (draft) => void (draft.votes += 10)));
    expect(todo()?.votes).toBe(11);
    preview.undo();

    expect(todo()?.votes).toBe(10);
  });
});

describe('a patch that gives another list', () => {
  type Recipe = (draft: Row[]) => Row[];
  interface Row {
    id: number;
    title: string;
    votes: number;
    user: { id: number; name: string } | null;
  }
  const four: Row = { id: 4, title: 'four', votes: 0, user: null };

  it.each<[string, Recipe, number[]]>([
    ['without one', (list) => list.filter(({ id }) => id !== 2), [1, 3]],
    ['in another order', (list) => [...list].reverse(), [3, 2, 1]],
    ['with one more', (list) => [four, ...list], [4, 1, 2, 3]],
    ['with nothing in it', () => [], []],
  ])('shows it %s, and confirms it', async (_what, recipe, expected) => {
    const { store, resources, plain, slice } = await setupTodos();

    const undone = store.dispatch(resources.patch(Plain.getList, recipe as never));
    expect(plain()).toEqual(expected);
    undone.undo();
    expect(plain()).toEqual([1, 2, 3]);
    store.dispatch(resources.patch(Plain.getList, recipe as never)).commit();

    expect(plain()).toEqual(expected);
    expectIdle(slice());
  });

  it('may give one of 130 000', { timeout: 60_000 }, () => {
    const resources = configureResources();
    // The checks of development would take longer than all else.
    const checks = { serializableCheck: false, immutableCheck: false };
    const store = configureStore({
      reducer: { resources: resources.reducer },
      middleware: (getDefault) => getDefault(checks).concat(resources.middleware),
    });
    const files = Array.from({ length: 130_000 }, (_, index) => ({ id: index + 1 }));
    store.dispatch(resources.setResponse(Files.getList, files));

    store.dispatch(resources.patch(Files.getList, (list) => list.slice(1)));

    expect(Files.getList.select()(store.getState())).toHaveLength(129_999);
  });

  it('makes it anew of what a poll brings', async () => {
    const { store, resources, plain } = await setupTodos();

    store.dispatch(resources.patch(Plain.getList, (list) => list.filter(({ id }) => id !== 2)));
    const poll = store.dispatch(Plain.getList());
    await server.release('GET /plain', { json: [...rows, { ...rows[0], id: 9 }] });
    await poll;

    expect(plain()).toEqual([1, 3, 9]);
  });

  it('gives the whole answer where that is a shape', async () => {
    const { store, resources, answer: shown } = await setupTodos();

    const preview = store.dispatch(
      resources.patch(TodoResource.getList, (draft) => ({ ...draft, total: 2, results: draft.results.slice(1) })),
    );
    expect([shown()?.total, shown()?.results.map(({ id }) => id)]).toEqual([2, [2, 3]]);
    preview.undo();

    expect([shown()?.total, shown()?.results.map(({ id }) => id)]).toEqual([3, [1, 2, 3]]);
  });

  it.each<[string, Recipe]>([
    ['a list of copies', (list) => list.map((row) => (row.id === 2 ? { ...row, title: 'new' } : row))],
    ['a copy in its place', (list) => ((list[1] = { ...(list[1] ?? four), title: 'new' }), list)],
  ])('changes the rows of which it gives copies, as %s', async (_what, recipe) => {
    const { store, resources, todo, plain } = await setupTodos();

    const preview = store.dispatch(resources.patch(Plain.getList, recipe as never));
    expect([todo(2)?.title, todo(1)?.title, plain()]).toEqual(['new', 't1', [1, 2, 3]]);
    store.dispatch(resources.set(Todo, { id: 2, votes: 5 }));
    expect([todo(2)?.title, todo(2)?.votes]).toEqual(['new', 5]);
    preview.undo();

    expect([todo(2)?.title, todo(2)?.votes]).toEqual(['t2', 5]);
  });

  it('changes what lies inside the rows of which it gives copies', async () => {
    const { store, resources, todo } = await setupTodos();

    store.dispatch(
      resources.patch(Todo, 1, (row) => ({ ...row, user: row.user ? { ...row.user, name: 'Grace' } : null })),
    );

    expect([todo(1)?.user?.name, todo(3)?.user?.name]).toEqual(['Grace', 'Grace']);
  });

  it('refers to a row of which it gives just some fields, and leaves that as it is', async () => {
    const { store, resources, todo } = await setupTodos();
    store.dispatch(resources.set(User, { id: 8, name: 'Bob' }));

    store.dispatch(resources.patch(Todo, 1, (row) => ({ ...row, user: { id: 8 } as never })));

    expect(todo(1)?.user?.name).toBe('Bob');
  });

  it.each<[string, (list: Row[]) => unknown, number[]]>([
    ['splice', (list) => list.splice(0, 1), [2, 3]],
    ['splice, which takes out nothing', (list) => list.splice(9, 1), [1, 2, 3]],
    ['pop', (list) => list.pop(), [1, 2]],
    ['push', (list) => list.push(four), [1, 2, 3, 4]],
  ])('takes nothing for another list that %s gives', async (_what, recipe, expected) => {
    const { store, resources, plain } = await setupTodos();

    store.dispatch(resources.patch(Plain.getList, recipe as never));

    expect(plain()).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['an object', { id: 1 }],
  ])('refuses %s in place of a list, and leaves nothing', async (_what, given) => {
    const { store, resources, plain, slice } = await setupTodos();

    expect(() => store.dispatch(resources.patch(Plain.getList, () => given as never))).toThrow(
      expect.objectContaining({ code: 'R11' }),
    );

    expect(plain()).toEqual([1, 2, 3]);
    expectIdle(slice());
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a list', [1]],
  ])('refuses %s in place of a row', async (_what, given) => {
    const { store, resources, todo, slice } = await setupTodos();

    expect(() => store.dispatch(resources.patch(Todo, 1, () => given as never))).toThrow(
      expect.objectContaining({ code: 'R11' }),
    );

    expect(todo()?.title).toBe('t1');
    expectIdle(slice());
  });
});
