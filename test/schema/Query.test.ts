import { Collection, createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { setup } from '../support/store.js';
import { expectRefusal, makeEngine } from './engine.js';

class Todo extends Entity {
  id = 0;
  title = '';
  done = false;
  static override key = 'Todo';
}

const searchParams: { userId?: number } = {};

describe('schema.Query', () => {
  const open = new schema.Query(new schema.All(Todo), (todos: Todo[]) => todos.filter(({ done }) => !done));

  it('is computed of what the schema gives', () => {
    const { take, give } = makeEngine();
    take([Todo], [{ id: 1 }, { id: 2, done: true }]);

    const values = give(open, [{ id: 3 }]);

    expect(values?.map(({ id }) => id)).toEqual([1, 3]);
    expectTypeOf(values).toEqualTypeOf<Todo[] | undefined>();
  });

  it('is computed with the arguments', () => {
    const titled = new schema.Query(new schema.All(Todo), (todos: Todo[], { title }: { title: string }) =>
      todos.filter((todo) => todo.title === title),
    );
    const { store, resources, read } = setup();
    store.dispatch(resources.set(Todo, { id: 1, title: 'a' }));
    store.dispatch(resources.set(Todo, { id: 2, title: 'b' }));

    const values = read(resources.select(titled, { title: 'b' }));

    expect(values?.map(({ id }) => id)).toEqual([2]);
    expect(read(resources.select(titled, { title: 'c' }))).toEqual([]);
  });

  it('is computed again only when what it is computed of is another', () => {
    let count = 0;
    const counted = new schema.Query(new schema.All(Todo), (todos: Todo[]) => ({ size: todos.length, count: ++count }));
    const { store, resources, read } = setup();
    store.dispatch(resources.set(Todo, { id: 1 }));
    const before = read(resources.select(counted));

    store.dispatch(resources.set(Todo, { id: 1, done: false }));
    store.dispatch(resources.set(Todo, { id: 1, done: false }));
    const between = read(resources.select(counted));
    store.dispatch(resources.set(Todo, { id: 2 }));
    const after = read(resources.select(counted));

    expect(before).toMatchObject({ size: 1, count: 1 });
    expect(read(resources.select(counted))).toBe(after);
    expect(between).toMatchObject({ size: 1, count: 2 });
    expect(after).toMatchObject({ size: 2, count: 3 });
  });

  it('is remembered for each of its arguments', () => {
    let count = 0;
    const counted = new schema.Query(new schema.All(Todo), (_todos: Todo[], limit: number) => ({
      limit,
      count: ++count,
    }));
    const { store, resources, read } = setup();
    store.dispatch(resources.set(Todo, { id: 1 }));

    const values = [1, 2, 1, 2].map((limit) => read(resources.select(counted, limit)));

    expect(values.map((value) => value?.count)).toEqual([1, 2, 1, 2]);
  });

  it('is nothing where its schema gives nothing', () => {
    const named = new schema.Query(Todo, ({ title }: Todo) => title);
    const { resources, read } = setup();

    const value = read(resources.select(named, { id: 1 }));

    expect(value).toBeUndefined();
  });

  it('is computed of one entity', () => {
    const named = new schema.Query(Todo, ({ title }: Todo) => title.toUpperCase());
    const { store, resources, read } = setup();

    store.dispatch(resources.set(Todo, { id: 1, title: 'milk' }));

    expect(read(resources.select(named, { id: 1 }))).toBe('MILK');
  });

  it('is computed of a list that was fetched', () => {
    const TodoResource = createResource({ path: '/todos/:id', schema: Todo, searchParams });
    const count = new schema.Query(TodoResource.getList.schema, (todos: Todo[]) => todos.length);
    const { store, resources, read } = setup();

    store.dispatch(resources.setResponse(TodoResource.getList, { userId: 1 }, [{ id: 1 }, { id: 2 }]));

    expect(read(resources.select(count, { userId: 1 }))).toBe(2);
    expect(read(resources.select(count, { userId: 2 }))).toBeUndefined();
  });

  it('is the schema of an endpoint, too', async () => {
    const sorted = new RestEndpoint({
      path: '/sorted',
      schema: new schema.Query([Todo], (todos: Todo[]) => todos.toSorted((a, b) => a.id - b.id)),
      fetchResponse: () => Promise.resolve(Response.json([{ id: 2 }, { id: 1 }])),
    });
    const { store, read } = setup();

    const value = await store.dispatch(sorted()).unwrap();

    expect(value.map(({ id }) => id)).toEqual([1, 2]);
    expect(read(sorted.select())).toBe(value);
  });

  it('lets items be pushed to the Collection that it is computed of', async () => {
    const sorted = new RestEndpoint({
      path: '/sorted',
      schema: new schema.Query(new Collection([Todo]), (todos: Todo[]) => todos.toSorted((a, b) => a.id - b.id)),
      fetchResponse: (_, { method }) => Promise.resolve(Response.json(method === 'POST' ? { id: 1 } : [{ id: 2 }])),
    });
    const { store, read } = setup();
    await store.dispatch(sorted());

    const { push } = sorted as typeof sorted & { push: RestEndpoint };
    await store.dispatch(push({ title: 'new' }));

    expect(read(sorted.select())?.map(({ id }) => id)).toEqual([1, 2]);
  });

  it('refuses a response that its schema refuses', () => {
    const named = new schema.Query(Todo, ({ title }: Todo) => title);
    const { take } = makeEngine();

    expectRefusal(() => take(named, 'text'), 'R6', 'Todo', '"text"');
    expectRefusal(() => take(open, 'text'), 'R6', 'a list', '"text"');
  });

  it('that throws fails the read alone', () => {
    const broken = new schema.Query(Todo, (): string => {
      throw new Error('cannot count');
    });
    const { store, resources, read } = setup();
    store.dispatch(resources.set(Todo, { id: 1 }));

    expect(() => read(resources.select(broken, { id: 1 }))).toThrow('cannot count');

    expect(read(resources.selectEntity(Todo, 1))?.id).toBe(1);
  });
});
