import { Collection, createResource, Entity, RestEndpoint, schema, type Row, type ValueOf } from 'rtk-resource';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { setup } from '../support/store.js';
import { expectRefusal, makeEngine } from './engine.js';

class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  static override key = 'Todo';
}

class Link extends Entity {
  id = 0;
  type = 'link' as const;
  static override key = 'Link';
}

class Post extends Entity {
  id = 0;
  type = 'post' as const;
  static override key = 'Post';
}

/** The type of what may be searched by. */
const search: { view?: string; userId?: number } = {};

const ids = (values: readonly { readonly id: number }[] | undefined) => values?.map(({ id }) => id);

/** Tables with the lists of a Collection. */
function makeLists<const D>(todos: Collection<D>) {
  const engine = makeEngine();

  return {
    ...engine,
    /** Takes a list in that was fetched with these arguments. */
    list: (members: unknown, ...args: readonly unknown[]) => engine.take(todos, members, ...args),
    /** Reads the list of these arguments. */
    show: (...args: readonly unknown[]) => engine.read(todos, todos.pkOfArgs(args)),
  };
}

describe('a list', () => {
  const todos = new Collection([Todo], { paginationField: 'page' });

  it('has its members in their order', () => {
    const { give } = makeEngine();

    const value = give(todos, [{ id: 2 }, { id: 1 }], {});

    expect(value).toEqual([Todo.fromJS({ id: 2 }), Todo.fromJS({ id: 1 })]);
    expectTypeOf(value).toEqualTypeOf<Todo[] | undefined>();
  });

  it.each([
    ['the arguments', [{ userId: 1 }]],
    ['numbers as their text', [{ userId: '1' }]],
    ['no pagination field', [{ userId: 1, page: 3 }]],
    ['nothing that is undefined', [{ userId: 1, tag: undefined }]],
    ['nothing that is null', [{ userId: 1, tag: null }]],
  ])('is known by %s', (_, args) => {
    const { list, show } = makeLists(todos);

    list([{ id: 1 }], { userId: 1 });

    expect(ids(show(...args))).toEqual([1]);
  });

  it('is known by its arguments, however they are ordered, with booleans as their text', () => {
    const { list, show } = makeLists(todos);

    list([{ id: 1 }], { userId: 1, done: true });

    expect(ids(show({ done: 'true', userId: '1' }))).toEqual([1]);
  });

  it('is not the list of other arguments', () => {
    const { list, show } = makeLists(todos);
    list([{ id: 1 }], { userId: 1 });

    const others = [show(), show({}), show({ userId: 2 }), show({ userId: 1, done: true }), show({ user: 1 })];

    expect(others).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  it('of no arguments is that of none, or of empty ones', () => {
    const { list, show } = makeLists(todos);

    list([{ id: 1 }]);

    expect([ids(show()), ids(show({})), ids(show(undefined))]).toEqual([[1], [1], [1]]);
  });

  it('has hostile arguments as data', () => {
    const { list, show } = makeLists(todos);
    const hostile = { constructor: 'a', toString: 'b', hasOwnProperty: 'c' };

    list([{ id: 1 }], hostile);

    expect(ids(show(hostile))).toEqual([1]);
    expect(show({})).toBeUndefined();
  });

  it('replaces what was there when it is fetched again', () => {
    const { list, show } = makeLists(todos);
    list([{ id: 1 }, { id: 2 }, { id: 3 }]);

    list([{ id: 3 }, { id: 1 }]);

    expect(ids(show())).toEqual([3, 1]);
  });

  it('is the same object when it is fetched again and nothing is new', () => {
    const { list, show, tables } = makeLists(todos);
    list([{ id: 1, title: 'a' }, { id: 2 }]);
    const [before, kept] = [show(), tables()];

    list([{ id: 1, title: 'a' }, { id: 2 }]);

    expect(show()).toBe(before);
    expect(tables()).toBe(kept);
  });

  it('has the values of an object where an object came', () => {
    const { list, show } = makeLists(todos);

    list({ a: { id: 1 }, b: { id: 2 } });

    expect(ids(show())).toEqual([1, 2]);
  });

  it('has each item once', () => {
    const { list, show } = makeLists(todos);

    list([{ id: 1 }, { id: 2 }, { id: 1, title: 'again' }]);

    expect(ids(show())).toEqual([1, 2]);
    expect(show()?.[0]?.title).toBe('again');
  });

  it('skips what is gone, for good', () => {
    const { list, show, take } = makeLists(todos);
    list([{ id: 1 }, { id: 2 }]);

    take(new schema.Invalidate(Todo), '1');
    const between = ids(show());
    take(Todo, { id: 1 });

    expect(between).toEqual([2]);
    expect(ids(show())).toEqual([2]);
  });

  it('is frozen', () => {
    const { list, show } = makeLists(todos);

    list([{ id: 1 }]);

    expect(Object.isFrozen(show())).toBe(true);
  });

  it.each([['text'], [5], [true]])('refuses %j', (input) => {
    const { take, tables } = makeEngine();

    expectRefusal(() => take(todos, input), 'R6', 'Test/get', JSON.stringify(input));

    expect(tables()).toEqual({});
  });

  it('is of the one schema that it is given, in brackets or not', () => {
    const { give } = makeEngine();

    const values: unknown[] = [
      give(new Collection([Todo]), [{ id: 1 }]),
      give(new Collection(new schema.Array(Todo)), [{ id: 1 }]),
    ];

    expect(values).toEqual([[Todo.fromJS({ id: 1 })], [Todo.fromJS({ id: 1 })]]);
  });

  it('is the constructor of schema.Collection', () => {
    expect(schema.Collection).toBe(Collection);
  });
});

describe('argsKey', () => {
  it('says what a list is known by', () => {
    const todos = new Collection([Todo], { argsKey: ({ userId }: { userId: number }) => ({ userId }) });
    const { list, show } = makeLists(todos);

    list([{ id: 1 }], { userId: 1, search: 'a' });

    expect(ids(show({ userId: 1, search: 'b' }))).toEqual([1]);
    expect(show({ userId: 2, search: 'a' })).toBeUndefined();
  });

  it('is told all arguments', () => {
    const told: unknown[] = [];
    const todos = new Collection([Todo], { argsKey: (...args: unknown[]) => told.push(args) && {} });
    const { list } = makeLists(todos);

    list([], { a: 1 }, { b: 2 });

    expect(told).toEqual([[{ a: 1 }, { b: 2 }]]);
  });

  it('may be a method of a subclass', () => {
    class ByUser extends Collection<readonly [typeof Todo]> {
      override argsKey(params: { readonly userId?: number }) {
        return { userId: params.userId };
      }
    }
    const { list, show } = makeLists(new ByUser([Todo]));

    list([{ id: 1 }], { userId: 1, search: 'a' });

    expect(ids(show({ userId: 1 }))).toEqual([1]);
  });
});

describe('nestKey', () => {
  const todos = new Collection([Todo], {
    nestKey: (parent: Row, key: string) => ({ userId: parent['id'], ...(key !== 'todos' && { key }) }),
  });
  class User extends Entity {
    id = 0;
    todos: Todo[] = [];
    others: Todo[] = [];
    static override key = 'User';
    static override schema = { todos, others: todos };
  }

  it('makes one list of what is reached both ways', () => {
    const { take, read, show } = makeLists(todos);

    take(User, { id: 1, todos: [{ id: 5 }], others: [{ id: 6 }] });

    const user = read(User, '1');
    expect(show({ userId: 1 })).toBe(user?.todos);
    expect(show({ userId: 1, key: 'others' })).toBe(user?.others);
    expect(ids(user?.todos)).toEqual([5]);
    expect(ids(user?.others)).toEqual([6]);
  });

  it('lets an item reach the list in an entity', () => {
    const { take, read } = makeLists(todos);
    take(
      [User],
      [
        { id: 1, todos: [{ id: 5 }] },
        { id: 2, todos: [] },
      ],
    );

    take(todos.push, { id: 6, userId: 2 }, {}, { userId: 2 });

    expect(ids(read(User, '1')?.todos)).toEqual([5]);
    expect(ids(read(User, '2')?.todos)).toEqual([6]);
  });

  it('is the parent and the key unless it is given', () => {
    class Board extends Entity {
      id = 0;
      open: Todo[] = [];
      done: Todo[] = [];
      static override key = 'Board';
      static override schema = { open: new Collection([Todo]), done: new Collection([Todo]) };
    }
    const { give, row } = makeEngine();

    const boards = give(
      [Board],
      [
        { id: 1, open: [{ id: 1 }], done: [{ id: 2 }] },
        { id: 2, open: [{ id: 3 }], done: [] },
      ],
    );

    expect(boards?.map((board) => [ids(board.open), ids(board.done)])).toEqual([
      [[1], [2]],
      [[3], []],
    ]);
    expect(JSON.parse(JSON.stringify(row('Board', '1')))).toEqual(row('Board', '1'));
  });

  it('may be a method of a subclass', () => {
    class Nested extends Collection<readonly [typeof Todo]> {
      override nestKey(parent: { readonly id: number }) {
        return { userId: parent.id };
      }
    }
    const nested = new Nested([Todo]);
    class Owner extends Entity {
      id = 0;
      todos: Todo[] = [];
      static override key = 'Owner';
      static override schema = { todos: nested };
    }
    const { take, read, show } = makeLists(nested);

    take(Owner, { id: 1, todos: [{ id: 5 }] });

    expect(show({ userId: 1 })).toBe(read(Owner, '1')?.todos);
  });

  it('leaves the list as it is when a response repeats the entity without it', () => {
    const { take, read } = makeLists(todos);
    take(User, { id: 1, todos: [{ id: 5 }] });
    const before = read(User, '1')?.todos;

    take(User, { id: 1, name: 'Ada' });

    expect(read(User, '1')?.todos).toBe(before);
  });

  it('changes the entity with its list', () => {
    const { take, read } = makeLists(todos);
    take(
      [User],
      [
        { id: 1, todos: [{ id: 5 }] },
        { id: 2, todos: [{ id: 5 }] },
      ],
    );
    const [ada, bob] = [read(User, '1'), read(User, '2')];

    take(todos.push, { id: 6 }, { userId: 1 }, {});

    expect(read(User, '1')).not.toBe(ada);
    expect(read(User, '2')).toBe(bob);
  });
});

describe('name', () => {
  it('keeps lists apart that have the same items and arguments', () => {
    const one = new Collection([Todo], { name: 'one' });
    const other = new Collection([Todo], { name: 'other' });
    const { take, read } = makeEngine();

    take({ one, other }, { one: [{ id: 1 }], other: [{ id: 2 }] }, {});

    expect(ids(read(one, '{}'))).toEqual([1]);
    expect(ids(read(other, '{}'))).toEqual([2]);
  });

  it('is that of the entity unless it is given, so that Collections share their lists', () => {
    const { take, read } = makeEngine();

    take(new Collection([Todo]), [{ id: 1 }], { userId: 1 });

    expect(ids(read(new Collection([Todo]), '{"userId":"1"}'))).toEqual([1]);
  });
});

describe('Collections of different things', () => {
  type Lists = Pick<Collection, 'pkOfArgs'>;
  class User extends Entity {
    id = 0;
    static override key = 'User';
  }
  const forms: readonly (readonly [string, Lists, Lists, (id: number) => unknown])[] = [
    ['entities', new Collection([Todo]), new Collection([User]), (id) => ({ id })],
    [
      'lazy entities',
      new Collection([new schema.Lazy(() => Todo)]),
      new Collection([new schema.Lazy(() => User)]),
      (id) => ({ id }),
    ],
    [
      'shapes',
      new Collection([{ todo: Todo }]),
      new Collection([{ user: User }]),
      (id) => ({ todo: { id }, user: { id } }),
    ],
    ['lists', new Collection([[Todo]]), new Collection([[User]]), (id) => [{ id }]],
    [
      'queries',
      new Collection([new schema.Query(Todo, (todo: Todo) => todo)]),
      new Collection([new schema.Query(User, (user: User) => user)]),
      (id) => ({ id }),
    ],
  ];

  it.each(forms)('keep lists of %s apart that have the same arguments', (_, todos, users, make) => {
    const { take, read } = makeEngine();
    take(todos, [make(1)], { page: 1 });
    const before = read(todos, todos.pkOfArgs([{ page: 1 }]));

    take(users, [make(2)], { page: 1 });

    expect(before).toHaveLength(1);
    expect(read(todos, todos.pkOfArgs([{ page: 1 }]))).toBe(before);
  });

  it('lose what is deleted for good, though their entity is lazy', () => {
    const todos = new Collection([new schema.Lazy(() => Todo)]);
    const { list, show, take } = makeLists(todos);
    list([{ id: 1 }, { id: 2 }]);

    take(new schema.Invalidate(Todo), '1');
    take(Todo, { id: 1 });

    expect(ids(show())).toEqual([2]);
  });

  it('in one entity are told apart by where they stand', () => {
    class Plan extends Entity {
      id = 0;
      open = { todos: [] as Todo[] };
      done = { todos: [] as Todo[] };
      static override key = 'Plan';
      static override schema = {
        open: { todos: new Collection([Todo]) },
        done: { todos: new Collection([Todo]) },
      };
    }
    const { give } = makeEngine();

    const plan = give(Plan, { id: 1, open: { todos: [{ id: 1 }] }, done: { todos: [{ id: 2 }] } });

    expect([ids(plan?.open.todos), ids(plan?.done.todos)]).toEqual([[1], [2]]);
  });
});

describe.each(['push', 'unshift'] as const)('%s', (verb) => {
  const todos = new Collection([Todo], { paginationField: 'page' });
  const add = (before: readonly number[], added: readonly number[]) =>
    verb === 'push' ? [...before, ...added] : [...added, ...before];

  it('gives the new item', () => {
    const { give, list } = makeLists(todos);
    list([]);

    const value = give(todos[verb], { id: 9, title: 'new' }, {}, { title: 'new' });

    expect(value).toEqual(Todo.fromJS({ id: 9, title: 'new' }));
    expectTypeOf(value).toEqualTypeOf<Todo | undefined>();
  });

  it(`adds it at the ${verb === 'push' ? 'end' : 'start'} of every list that it belongs to, and no other`, () => {
    const { list, show, take } = makeLists(todos);
    list([{ id: 1 }]);
    list([{ id: 1 }], { userId: 1 });
    list([{ id: 2 }], { userId: 2 });
    list([{ id: 1 }], { userId: 1, done: false });
    list([{ id: 1 }], { userId: 1, done: true });
    list([{ id: 1 }], { tag: 'x' });
    const untouched = [show({ userId: 2 }), show({ userId: 1, done: true }), show({ tag: 'x' })];

    take(todos[verb], { id: 9, userId: 1, done: false }, { userId: 1 }, { done: false });

    expect(ids(show())).toEqual(add([1], [9]));
    expect(ids(show({ userId: 1 }))).toEqual(add([1], [9]));
    expect(ids(show({ userId: 1, done: false }))).toEqual(add([1], [9]));
    expect(show({ userId: 2 })).toBe(untouched[0]);
    expect(show({ userId: 1, done: true })).toBe(untouched[1]);
    expect(show({ tag: 'x' })).toBe(untouched[2]);
  });

  it('goes by the body as by the parameters, and numbers are as their text', () => {
    const { list, show, take } = makeLists(todos);
    list([], { userId: '1' });
    list([], { userId: 1, done: true });

    take(todos[verb], { id: 9 }, {}, { userId: 1, done: 'true' });

    expect(ids(show({ userId: 1 }))).toEqual([9]);
    expect(ids(show({ userId: 1, done: true }))).toEqual([9]);
  });

  it('goes by the fields of a form', () => {
    const { list, show, take } = makeLists(todos);
    list([], { userId: 1 });
    const body = new FormData();
    body.set('userId', '1');

    take(todos[verb], { id: 9 }, {}, body);

    expect(ids(show({ userId: 1 }))).toEqual([9]);
  });

  it('adds an item once', () => {
    const { list, show, take } = makeLists(todos);
    list([{ id: 1 }, { id: 9 }, { id: 2 }]);
    const before = show();

    take(todos[verb], { id: 9 }, {}, {});

    expect(show()).toBe(before);
  });

  it('adds many at once, in their order, each to the lists that its part of the body belongs to', () => {
    const { list, show, give } = makeLists(todos);
    list([{ id: 1 }]);
    list([{ id: 1 }], { userId: 1 });
    list([{ id: 2 }], { userId: 2 });
    const body = [{ userId: 1 }, { userId: 2 }, { userId: 1 }];

    const value: unknown = give(todos[verb], [{ id: 7 }, { id: 8 }, { id: 9 }], {}, body);

    expect(value).toEqual([7, 8, 9].map((id) => Todo.fromJS({ id })));
    expect(ids(show())).toEqual(add([1], [7, 8, 9]));
    expect(ids(show({ userId: 1 }))).toEqual(add([1], [7, 9]));
    expect(ids(show({ userId: 2 }))).toEqual(add([2], [8]));
  });

  it('adds each of many once', () => {
    const { list, show, take } = makeLists(todos);
    list([{ id: 1 }]);

    take(todos[verb], [{ id: 7 }, { id: 7 }, { id: 1 }], {}, [{}, {}, {}]);

    expect(ids(show())).toEqual(add([1], [7]));
  });

  it('makes no list that was never fetched', () => {
    const { show, take } = makeLists(todos);

    take(todos[verb], { id: 9 }, {}, {});

    expect(show()).toBeUndefined();
  });

  it.each([['text'], [5], [true]])('refuses %j', (input) => {
    const { list, take, tables } = makeLists(todos);
    list([{ id: 1 }]);
    const before = tables();

    expectRefusal(() => take(todos[verb], input, {}, {}), 'R6', 'Test/get', JSON.stringify(input));

    expect(tables()).toBe(before);
  });
});

describe('nonFilterArgumentKeys', () => {
  class ByMethod extends Collection<readonly [typeof Todo]> {
    override nonFilterArgumentKeys(key: string) {
      return key === 'limit';
    }
  }
  const forms: readonly (readonly [string, Collection<readonly [typeof Todo]>])[] = [
    ['a function', new Collection([Todo], { nonFilterArgumentKeys: (key) => key === 'limit' })],
    ['an array', new Collection([Todo], { nonFilterArgumentKeys: ['limit'] })],
    ['a pattern', new Collection([Todo], { nonFilterArgumentKeys: /^lim/ })],
    ['a pattern that remembers', new Collection([Todo], { nonFilterArgumentKeys: /^lim/g })],
    ['a subclass', new ByMethod([Todo])],
  ];

  it.each(forms)('as %s name what does not influence which items a list holds', (_, todos) => {
    const { list, show, take } = makeLists(todos);
    for (const limit of [1, 2, 3]) list([], { limit });
    list([], { orderBy: 'title' });

    take(todos.push, { id: 9 }, {}, {});

    expect([1, 2, 3].map((limit) => ids(show({ limit })))).toEqual([[9], [9], [9]]);
    expect(ids(show({ orderBy: 'title' }))).toEqual([]);
  });

  it.each([
    'order',
    'orderBy',
    'order_by',
    'ordering',
    'orderDirection',
    'sort',
    'sortBy',
    'sort_by',
    'sortOrder',
    'sort_order',
    'sortDirection',
    'ORDERBY',
    'SortBy',
    'page',
  ])('are %s and the like unless given', (name) => {
    const todos = new Collection([Todo], { paginationField: 'page' });
    const { list, show, take } = makeLists(todos);
    list([], { [name]: 'x', userId: 1 });
    list([], { [name]: 'x', userId: 2 });

    take(todos.push, { id: 9 }, { userId: 1 }, {});

    expect(ids(show({ [name]: 'x', userId: 1 }))).toEqual([9]);
    expect(ids(show({ [name]: 'x', userId: 2 }))).toEqual([]);
  });

  it.each(['orderId', 'sorted', 'page', 'reorder'])('are not %s, unless given', (name) => {
    const todos = new Collection([Todo]);
    const { list, show, take } = makeLists(todos);
    list([], { [name]: 6 });

    take(todos.push, { id: 9 }, {}, { [name]: 5 });

    expect(ids(show({ [name]: 6 }))).toEqual([]);
  });

  it('of a resource are a matter of its Collection', () => {
    class MyCollection extends Collection<readonly [typeof Todo]> {
      override nonFilterArgumentKeys(key: string) {
        return key === 'view';
      }
    }
    const TodoResource = createResource({
      path: '/todos/:id',
      schema: Todo,
      searchParams: search,
      Collection: MyCollection,
    });
    const { store, resources, read } = setup();
    store.dispatch(resources.setResponse(TodoResource.getList, { view: 'a', userId: 1 }, []));
    store.dispatch(resources.setResponse(TodoResource.getList, { view: 'b', userId: 2 }, []));

    store.dispatch(resources.setResponse(TodoResource.getList.push, { userId: 1 }, { title: 'x' }, { id: 9 }));

    expect(ids(read(TodoResource.getList.select({ view: 'a', userId: 1 })))).toEqual([9]);
    expect(ids(read(TodoResource.getList.select({ view: 'b', userId: 2 })))).toEqual([]);
  });
});

describe('remove', () => {
  const todos = new Collection([Todo]);

  it('takes an item out of the lists of these arguments, and of no other', () => {
    const { list, show, take, row } = makeLists(todos);
    list([{ id: 1 }, { id: 2 }], { userId: 1 });
    list([{ id: 1 }, { id: 2 }], { userId: 1, orderBy: 'title' });
    list([{ id: 1 }], { userId: 2 });
    const other = show({ userId: 2 });

    take(todos.remove, { id: 1 }, { userId: 1 }, { id: 1 });

    expect(ids(show({ userId: 1 }))).toEqual([2]);
    expect(ids(show({ userId: 1, orderBy: 'title' }))).toEqual([2]);
    expect(show({ userId: 2 })).toBe(other);
    expect(row('Todo', '1')).toEqual({ id: 1 });
  });

  it('updates the item, and gives it', () => {
    const { list, take, read, give } = makeLists(todos);
    list([{ id: 1, title: 'a' }]);

    const value = give(todos.remove, { id: 1, title: 'b' }, {}, { id: 1 });

    expect(value).toEqual(Todo.fromJS({ id: 1, title: 'b' }));
    expect(take(todos, [])).toBe('{}');
    expect(read(Todo, '1')?.title).toBe('b');
  });

  it('leaves a list alone that does not have the item', () => {
    const { list, show, take } = makeLists(todos);
    list([{ id: 2 }]);
    const before = show();

    take(todos.remove, { id: 1 }, {}, { id: 1 });

    expect(show()).toBe(before);
  });

  it('takes out many at once', () => {
    const { list, show, take } = makeLists(todos);
    list([{ id: 1 }, { id: 2 }, { id: 3 }]);

    take(todos.remove, [{ id: 3 }, { id: 1 }], {}, [{ id: 3 }, { id: 1 }]);

    expect(ids(show())).toEqual([2]);
  });
});

describe('move', () => {
  const todos = new Collection([Todo]);

  it('takes an item out of the lists it no longer belongs to, and puts it into those it now does', () => {
    const { list, show, take } = makeLists(todos);
    list([{ id: 1 }, { id: 2 }]);
    list(
      [
        { id: 1, userId: 1 },
        { id: 2, userId: 1 },
      ],
      { userId: 1 },
    );
    list([{ id: 3, userId: 2 }], { userId: 2 });
    list([{ id: 4, userId: 3 }], { userId: 3 });
    const [all, third] = [ids(show()), show({ userId: 3 })];

    take(todos.move, { id: 1, userId: 2 }, { id: 1 }, { userId: 2 });

    expect(ids(show())).toEqual(all);
    expect(ids(show({ userId: 1 }))).toEqual([2]);
    expect(ids(show({ userId: 2 }))).toEqual([3, 1]);
    expect(show({ userId: 3 })).toBe(third);
  });

  it('leaves an item where it is that still belongs there', () => {
    const { list, show, take } = makeLists(todos);
    list([{ id: 1 }, { id: 2 }], { userId: 1 });

    take(todos.move, { id: 1, userId: 1, title: 'b' }, { id: 1 }, { title: 'b' });

    expect(ids(show({ userId: 1 }))).toEqual([1, 2]);
    expect(show({ userId: 1 })?.[0]?.title).toBe('b');
  });

  it('leaves lists alone of which it cannot tell', () => {
    const { list, show, take } = makeLists(todos);
    list([{ id: 1 }], { search: 'a' });
    list([{ id: 2 }], { search: 'b' });
    const before = [show({ search: 'a' }), show({ search: 'b' })];

    take(todos.move, { id: 1, userId: 2 }, { id: 1 }, { userId: 2 });

    expect([ids(show({ search: 'a' })), show({ search: 'b' })]).toEqual([[1], before[1]]);
  });

  it('moves in the lists of a union', () => {
    const feed = new Collection(new schema.Array({ post: Post, link: Link }, 'type'));
    const { list, show, take } = makeLists(feed);
    list(
      [
        { id: 1, type: 'post', to: 'a' },
        { id: 1, type: 'link', to: 'a' },
      ],
      { to: 'a' },
    );
    list([], { to: 'b' });

    take(feed.move, { id: 1, type: 'link', to: 'b' }, { id: 1 }, { to: 'b', type: 'link' });

    expect(show({ to: 'a' })).toEqual([expect.any(Post)]);
    expect(show({ to: 'b' })).toEqual([expect.any(Link)]);
  });

  it('with a merge of its own puts the item where that says', () => {
    const { list, show, take } = makeLists(todos);
    list([{ id: 1 }], { userId: 1 });
    list([{ id: 3 }, { id: 4 }], { userId: 2 });

    take(
      todos.moveWith((existing, incoming) => [...incoming, ...existing]),
      { id: 1 },
      { id: 1 },
      { userId: 2 },
    );

    expect(ids(show({ userId: 1 }))).toEqual([]);
    expect(ids(show({ userId: 2 }))).toEqual([1, 3, 4]);
  });
});

describe('addWith', () => {
  const todos = new Collection([Todo], { paginationField: 'page' });

  it('adds a page to the list of its arguments, each item once', () => {
    const { list, show, take } = makeLists(todos);
    list([{ id: 1 }, { id: 2 }], { userId: 1 });
    list([{ id: 9 }], { userId: 2 });
    const other = show({ userId: 2 });

    take(todos.addWith(), [{ id: 2, title: 'b' }, { id: 3 }, { id: 3 }], { userId: 1, page: 2 });

    expect(ids(show({ userId: 1 }))).toEqual([1, 2, 3]);
    expect(show({ userId: 1 })?.[1]?.title).toBe('b');
    expect(show({ userId: 2 })).toBe(other);
  });

  it('makes the list where it was never fetched, each item once', () => {
    const { show, take } = makeLists(todos);

    take(todos.addWith(), [{ id: 1 }, { id: 2 }, { id: 1 }], { userId: 1, page: 2 });

    expect(ids(show({ userId: 1 }))).toEqual([1, 2]);
  });

  it('gives the whole list so far', () => {
    const { list, give } = makeLists(todos);
    list([{ id: 1 }]);

    const value = give(todos.addWith(), [{ id: 2 }], { page: 2 });

    expect(ids(value)).toEqual([1, 2]);
    expectTypeOf(value).toEqualTypeOf<Todo[] | undefined>();
  });

  it('leaves the list as it is when a page has nothing new', () => {
    const { list, show, take } = makeLists(todos);
    list([{ id: 1 }, { id: 2 }]);
    const before = show();

    take(todos.addWith(), [{ id: 2 }], { page: 2 });

    expect(show()).toBe(before);
  });

  it('with a merge makes of both what that makes', () => {
    const { list, show, take } = makeLists(todos);
    list([{ id: 1 }, { id: 2 }], { userId: 1 });

    take(
      todos.addWith((existing, incoming) => [...incoming, ...existing].slice(0, 2)),
      [{ id: 3 }],
      { userId: 1 },
    );

    expect(ids(show({ userId: 1 }))).toEqual([3, 1]);
  });

  it('with a filter adds to every list whose key it lets through', () => {
    const { list, show, take } = makeLists(todos);
    list([], { userId: 1 });
    list([], { userId: 2 });
    list([], { group: 'a' });
    const told: unknown[] = [];
    const filter = (key: object, ...args: unknown[]) => {
      told.push([key, ...args]);
      return 'userId' in key;
    };

    take(todos.addWith(undefined, filter), [{ id: 9 }], { any: 1 }, { body: 2 });

    expect([show({ userId: 1 }), show({ userId: 2 }), show({ group: 'a' })].map(ids)).toEqual([[9], [9], []]);
    expect(told).toContainEqual([{ userId: '1' }, { any: 1 }, { body: 2 }]);
  });

  it('with a merge and a filter does both', () => {
    const { list, show, take } = makeLists(todos);
    list([{ id: 1 }], { userId: 1 });
    list([{ id: 1 }], { userId: 2 });
    const add = todos.addWith(
      (existing, incoming) => [...incoming, ...existing],
      ({ userId }) => userId === '2',
    );

    take(add, [{ id: 9 }], {});

    expect([show({ userId: 1 }), show({ userId: 2 })].map(ids)).toEqual([[1], [9, 1]]);
  });
});

describe('a Collection of Values', () => {
  const scores = new Collection(new schema.Values(Todo));

  it('has its values by name, and assign adds to every set they belong to', () => {
    const { list, show, take } = makeLists(scores);
    list({ a: { id: 1 } });
    list({ a: { id: 1 } }, { game: 'go' });
    list({ a: { id: 1 } }, { game: 'chess' });
    const other = show({ game: 'chess' });

    take(scores.assign, { b: { id: 2 }, a: { id: 3 } }, { game: 'go' }, {});

    expect(show()).toEqual({ a: Todo.fromJS({ id: 3 }), b: Todo.fromJS({ id: 2 }) });
    expect(show({ game: 'go' })).toEqual(show());
    expect(show({ game: 'chess' })).toBe(other);
  });

  it('gives what was assigned', () => {
    const { give } = makeEngine();

    const value = give(scores.assign, { b: { id: 2 } }, {}, {});

    expect(value).toEqual({ b: Todo.fromJS({ id: 2 }) });
    expectTypeOf(value).toEqualTypeOf<Record<string, Todo> | undefined>();
  });

  it('is the same object when nothing is new', () => {
    const { list, show, take } = makeLists(scores);
    list({ a: { id: 1 } });
    const before = show();

    take(scores.assign, { a: { id: 1 } }, {}, {});

    expect(show()).toBe(before);
  });

  it('has those taken out by remove that are removed', () => {
    const { list, show, take } = makeLists(scores);
    list({ a: { id: 1 }, b: { id: 2 } }, { game: 'go' });

    take(scores.remove, { id: 1 }, { game: 'go' }, { id: 1 });

    expect(show({ game: 'go' })).toEqual({ b: Todo.fromJS({ id: 2 }) });
  });

  it('loses a name whose entity is gone', () => {
    const { list, show, take } = makeLists(scores);
    list({ a: { id: 1 }, b: { id: 2 } });

    take(new schema.Invalidate(Todo), '1');

    expect(show()).toEqual({ b: Todo.fromJS({ id: 2 }) });
  });
});

describe('a Collection of a union', () => {
  const feed = new Collection(new schema.Array({ post: Post, link: Link }, 'type'), { paginationField: 'page' });

  it('has each in its class, and tells those apart that share an id', () => {
    const { list, show } = makeLists(feed);

    list([
      { id: 1, type: 'post' },
      { id: 1, type: 'link' },
    ]);

    expect(show()).toEqual([expect.any(Post), expect.any(Link)]);
  });

  it.each(['push', 'unshift', 'addWith'] as const)('has each item once after %s', (verb) => {
    const { list, show, take } = makeLists(feed);
    list([
      { id: 1, type: 'post' },
      { id: 1, type: 'link' },
    ]);
    const before = show();
    const operation = verb === 'addWith' ? feed.addWith() : feed[verb];

    take(operation, [{ id: 1, type: 'link' }], {}, [{}]);

    expect(show()).toBe(before);
  });

  it('adds and removes one without the other of the same id', () => {
    const { list, show, take } = makeLists(feed);
    list([{ id: 1, type: 'post' }]);

    take(feed.push, { id: 1, type: 'link' }, {}, {});
    const between = show();
    take(feed.remove, { id: 1, type: 'post' }, {}, {});

    expect(between).toEqual([expect.any(Post), expect.any(Link)]);
    expect(show()).toEqual([expect.any(Link)]);
  });

  it('skips what is gone', () => {
    const { list, show, take } = makeLists(feed);
    list([
      { id: 1, type: 'post' },
      { id: 1, type: 'link' },
    ]);

    take(new schema.Invalidate(Post), '1');

    expect(show()).toEqual([expect.any(Link)]);
  });

  it('is found in a Union that is not mapped by an Array', () => {
    const other = new Collection([new schema.Union({ post: Post, link: Link }, 'type')]);
    const { list, show } = makeLists(other);

    list([{ id: 1, type: 'link' }]);

    expect(show()).toEqual([expect.any(Link)]);
  });
});

describe('a custom response', () => {
  class Category extends Entity {
    id = 0;
    name = '';
    static override key = 'Category';
  }
  const page = () => ({ results: new Collection([Todo], { paginationField: 'page' }), total: 0, limit: 0, skip: 0 });
  const shape = { ...page(), category: Category };
  const ListResource = createResource({
    path: '/todos/:id',
    schema: Todo,
    searchParams: search,
    paginationField: 'page',
  }).extend({ getList: { schema: shape } });

  it('has a Collection, and default values', () => {
    const { store, resources, read } = setup();

    store.dispatch(resources.setResponse(ListResource.getList, {}, { results: [{ id: 1 }], total: 1 }));

    const value = read(ListResource.getList.select({}));
    expect(value).toMatchObject({ results: [Todo.fromJS({ id: 1 })], total: 1, limit: 0, skip: 0 });
    expectTypeOf(value?.results).toEqualTypeOf<Todo[] | undefined>();
    expectTypeOf(value?.total).toEqualTypeOf<number | undefined>();
  });

  it('has its list added to by push, which gives the item', () => {
    const { store, resources, read } = setup();
    store.dispatch(resources.setResponse(ListResource.getList, {}, { results: [{ id: 1 }], total: 1 }));

    store.dispatch(resources.setResponse(ListResource.getList.push, {}, { title: 'new' }, { id: 2, title: 'new' }));

    const value = read(ListResource.getList.select({}));
    expect(ids(value?.results)).toEqual([1, 2]);
    expect(value?.total).toBe(1);
    expectTypeOf<ValueOf<typeof ListResource.getList.push>>().toEqualTypeOf<Todo>();
  });

  it('has its list added to by getPage, its sibling fields updated, and other schemas left intact', async () => {
    const Answering = ListResource.extend({
      getList: {
        schema: shape,
        fetchResponse: (input: string) =>
          Promise.resolve(
            Response.json(
              input.includes('page=2')
                ? { results: [{ id: 2 }], total: 2, limit: 1, next: 'c', category: { id: 5, name: 'New' } }
                : { results: [{ id: 1 }], total: 1, limit: 1, category: { id: 5, name: 'Old' } },
            ),
          ),
      },
    });
    const { store, read } = setup();
    await store.dispatch(Answering.getList({})).unwrap();

    const value = await store.dispatch(Answering.getList.getPage({ page: 2 })).unwrap();

    expect(read(Answering.getList.select({}))).toEqual({
      results: [Todo.fromJS({ id: 1 }), Todo.fromJS({ id: 2 })],
      total: 2,
      limit: 1,
      skip: 0,
      next: 'c',
      category: Category.fromJS({ id: 5, name: 'New' }),
    });
    expect(ids(value.results)).toEqual([1, 2]);
  });

  it.each<[string, unknown, (members: unknown) => unknown, (value: never) => unknown]>([
    [
      'in a shape in a shape',
      { data: { page: page() } },
      (results) => ({ data: { page: { results } } }),
      at('data', 'page', 'results'),
    ],
    ['in schema.Object', new schema.Object(page()), (results) => ({ results }), at('results')],
    [
      'in schema.Object in a shape',
      { data: new schema.Object(page()) },
      (results) => ({ data: { results } }),
      at('data', 'results'),
    ],
    ['in schema.Lazy', new schema.Lazy(page), (results) => ({ results }), at('results')],
    [
      'in schema.Query',
      new schema.Query(page(), ({ results }: { results: Todo[] }) => ({ found: results })),
      (results) => ({ results }),
      at('found'),
    ],
    ['on its own', new Collection([Todo], { paginationField: 'page' }), (results) => results, at()],
  ])('is found %s', async (_, definition, wrap, unwrap) => {
    const getList = new RestEndpoint({
      path: '/list',
      name: 'list',
      schema: definition,
      searchParams: search,
      paginationField: 'page',
      fetchResponse: (input, { method }) =>
        Promise.resolve(
          Response.json(
            method === 'POST' ? { id: 9 } : wrap(input.includes('page') ? [{ id: 1 }, { id: 2 }] : [{ id: 1 }]),
          ),
        ),
    }) as unknown as RestEndpoint & { push: RestEndpoint; getPage: RestEndpoint };
    const { store, read } = setup();
    await store.dispatch(getList()).unwrap();

    await store.dispatch(getList.push({ title: 'new' })).unwrap();
    const pushed = unwrap(read(getList.select()) as never);
    await store.dispatch(getList.getPage({ page: 2 })).unwrap();
    const paged = unwrap(read(getList.select()) as never);

    expect(ids(pushed as Todo[])).toEqual([1, 9]);
    expect(ids(paged as Todo[])).toEqual([1, 2, 9]);
  });

  function at(...names: readonly string[]): (value: never) => unknown {
    return (value) => names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], value);
  }

  it('has a page added though only the endpoint names the paginationField', async () => {
    const Products = createResource({
      path: '/todos/:id',
      schema: Todo,
      searchParams: search,
      paginationField: 'skip',
    }).extend({
      getList: {
        schema: { results: new Collection([Todo]), total: 0 },
        fetchResponse: (input: string) =>
          Promise.resolve(Response.json({ results: input.includes('skip') ? [{ id: 2 }] : [{ id: 1 }], total: 2 })),
      },
    });
    const { store, read } = setup();
    await store.dispatch(Products.getList({ userId: 1 })).unwrap();

    await store.dispatch(Products.getList.getPage({ userId: 1, skip: 1 })).unwrap();

    expect(ids(read(Products.getList.select({ userId: 1 }))?.results)).toEqual([1, 2]);
  });

  it('that contains itself makes an endpoint as well', () => {
    const node = new schema.Object({ todo: Todo });
    node.define({ inner: node });

    const endpoint = new RestEndpoint({ path: '/tree', schema: node });

    expect(endpoint.schema).toBe(node);
  });

  it('without a Collection has nothing to push to', () => {
    const endpoint = new RestEndpoint({ path: '/plain', schema: { results: [Todo] } });

    expect('push' in endpoint).toBe(false);
    expect('getPage' in endpoint).toBe(false);
  });

  it('without a paginationField has no getPage', () => {
    const endpoint = createResource({ path: '/todos/:id', schema: Todo }).getList;

    expect('push' in endpoint).toBe(true);
    expect('getPage' in endpoint).toBe(false);
    // @ts-expect-error: there is no paginationField
    expect(endpoint.getPage).toBeUndefined();
  });
});
