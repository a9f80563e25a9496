import { Collection, createResource, Entity, RestEndpoint, schema, type Row } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

/** A todo of a server that never forgets one, but says of some that they are deleted. */
class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';

  static override process(input: Row): Row | undefined {
    return input['deleted'] === true ? undefined : input;
  }
}
class Board extends Entity {
  id = 0;
  pinned: Todo | undefined = undefined;
  static override key = 'Board';
  static override schema = { pinned: Todo };
}
class StrictBoard extends Board {
  override pinned: Todo = Todo.fromJS();
}

const server = await serverOfFile();

const urlPrefix = server.url;
const Todos = createResource({ urlPrefix, path: '/todos/:id', schema: Todo });
const todo = (id: number) => ({ id, title: `todo ${id}` });
const deleted = (id: number) => ({ ...todo(id), deleted: true });
const ids = (list: readonly Todo[] | undefined) => list?.map(({ id }) => id);

async function setupTodos() {
  const tools = setup();
  const loading = tools.store.dispatch(Todos.getList());
  await server.release('GET /todos', { json: [todo(1), todo(2), todo(3)] });
  await loading.unwrap();

  return { ...tools, list: () => ids(tools.read(Todos.getList.select())) };
}

describe('an item of which process gives nothing', () => {
  it('is deleted: a list of it leaves it out, and so do all others', async () => {
    const { store, read, list, slice } = await setupTodos();
    server.answer('GET /todos?of=ada', { json: [todo(1), deleted(2), deleted(9)] });

    const some = await store.dispatch(Todos.getList({ of: 'ada' })).unwrap();

    expect(ids(some)).toEqual([1]);
    expect(list()).toEqual([1, 3]);
    expect(read(Todos.get.select({ id: 2 }))).toBeUndefined();
    expect(JSON.stringify(slice().tables['[Todo]'])).not.toContain('"9"');
  });

  it('changes nothing when it is said again', async () => {
    const { store, slice, read } = await setupTodos();
    server.answer('GET /todos', { json: [todo(1), deleted(2), todo(3)] });
    await store.dispatch(Todos.getList()).unwrap();
    const [tables, list] = [slice().tables, read(Todos.getList.select())];

    await store.dispatch(Todos.getList()).unwrap();

    expect(slice().tables).toBe(tables);
    expect(read(Todos.getList.select())).toBe(list);
  });

  it('is nothing as a whole answer, and is asked for again', async () => {
    const { store, read, list } = await setupTodos();
    server.answer('GET /todos/2', { json: deleted(2) });

    const value = await store.dispatch(Todos.get({ id: 2 })).unwrap();
    server.forget();
    server.answer('GET /todos/2', { json: todo(2) });
    const again = await store.dispatch(Todos.get.ifStale({ id: 2 })).unwrap();

    expect(value).toBeUndefined();
    expect(list()).toEqual([1, 3]);
    expect(again).toBe(read(Todos.get.select({ id: 2 })));
    expect(again.title).toBe('todo 2');
  });

  it('is undefined in a field of an entity, and takes along what cannot be without it', async () => {
    const getBoard = new RestEndpoint({ urlPrefix, path: '/boards/:id', schema: Board, name: 'board' });
    const getStrict = getBoard.extend({ schema: StrictBoard, name: 'strict' });
    const { store, read } = await setupTodos();
    server.answer('GET /boards/1', { json: { id: 1, pinned: deleted(2) } });

    const board = await store.dispatch(getBoard({ id: 1 })).unwrap();

    expect(board).toEqual(Board.fromJS({ id: 1 }));
    expect(read(getStrict.select({ id: 1 }))).toBeUndefined();
  });

  it.each([
    ['a set of values', new schema.Values(Todo), { a: todo(1), b: deleted(2) }, { a: todo(1) }],
    ['a Collection of values', new Collection(new schema.Values(Todo)), { a: todo(1), b: deleted(2) }, { a: todo(1) }],
    ['a list of shapes', [{ node: Todo }], [{ node: todo(1) }, { node: deleted(2) }], [{ node: todo(1) }]],
    ['a list of a Union', [new schema.Union({ todo: Todo }, () => 'todo')], [todo(1), deleted(2)], [todo(1)]],
  ])('is left out of %s', async (name, definition, json, shown) => {
    const endpoint = new RestEndpoint({ urlPrefix, path: '/some', schema: definition, name });
    const { store, read } = setup();
    server.answer('GET /some', { json });

    const value: unknown = await store.dispatch(endpoint()).unwrap();

    expect(JSON.parse(JSON.stringify(value))).toEqual(shown);
    expect(read(endpoint.select())).toBe(value);
  });

  it('is left out though it has no pk', async () => {
    const getBoard = new RestEndpoint({ urlPrefix, path: '/boards/:id', schema: Board, name: 'board' });
    const { store, slice } = setup();
    server.answer('GET /todos', { json: [{ deleted: true }, todo(1)] });
    server.answer('GET /todos/5', { json: { deleted: true } });
    server.answer('GET /boards/1', { json: { id: 1, pinned: { deleted: true } } });

    const all = await store.dispatch(Todos.getList()).unwrap();
    const one = await store.dispatch(Todos.get({ id: 5 })).unwrap();
    const board = await store.dispatch(getBoard({ id: 1 })).unwrap();

    expect([ids(all), one, board.pinned]).toEqual([[1], undefined, undefined]);
    expect(JSON.stringify(slice().tables)).not.toContain('deleted');
    expect(JSON.stringify(slice().tables)).not.toContain('null');
  });

  it('is gone at once where an edit says so, and back where that fails', async () => {
    const Eager = createResource({ urlPrefix, path: '/todos/:id', schema: Todo, optimistic: true });
    const { store, list } = await setupTodos();

    const promise = store.dispatch(Eager.partialUpdate({ id: 2 }, { deleted: true } as object));
    const pending = list();
    await server.release(/^PATCH/, { status: 500 });
    await promise;

    expect([pending, list()]).toEqual([
      [1, 3],
      [1, 2, 3],
    ]);
  });

  it('stays where a later write has brought it back', async () => {
    const { store, list, read } = await setupTodos();
    const poll = store.dispatch(Todos.getList());
    await server.holding('GET /todos');
    server.answer('PATCH /todos/2', { json: { ...todo(2), title: 'restored' } });
    await store.dispatch(Todos.partialUpdate({ id: 2 }, { title: 'restored' })).unwrap();

    await server.release('GET /todos', { json: [todo(1), deleted(2), todo(3)] });
    await poll;

    expect(list()).toEqual([1, 2, 3]);
    expect(read(Todos.get.select({ id: 2 }))?.title).toBe('restored');
  });

  it('is refused where process gives what is no item', async () => {
    class Odd extends Todo {
      static override process(): Row {
        return 'text' as unknown as Row;
      }
    }
    const getOdd = new RestEndpoint({ urlPrefix, path: '/odd', schema: Odd, name: 'odd' });
    const { store } = setup();
    server.answer('GET /odd', { json: todo(1) });

    await expect(store.dispatch(getOdd()).unwrap()).rejects.toMatchObject({ code: 'R6' });
  });
});

it('a process that forgets its return is told of', async () => {
  const Forgetful = Todos.extend({ get: { name: 'Todo/forgetful', process: () => undefined } });
  const { store } = setup();
  expectWarning(/process of Todo\/forgetful returned undefined.*Is its return missing/);

  server.answer('GET /todos/1', { json: todo(1) });
  const action = await store.dispatch(Forgetful.get({ id: 1 }));

  expect(action.payload).toBeNull();
});
