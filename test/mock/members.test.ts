import { Collection, createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { ask, seed, serve, Todo, TodoResource, PagedResource } from '../support/mocked.js';

describe('the members of a resource', () => {
  it('read what is seeded', async () => {
    const { store } = serve([TodoResource]);

    const todo = await store.dispatch(TodoResource.get({ id: 2 })).unwrap();
    const todos = await store.dispatch(TodoResource.getList({ userId: 1 })).unwrap();

    expect(todo).toMatchObject({ title: 'Write', completed: true });
    expect(todos.map(({ id }) => id)).toEqual([1, 2]);
  });

  it('create rows with what the list is filtered by, and with the next id', async () => {
    const { server, store, read } = serve([TodoResource]);
    await store.dispatch(TodoResource.getList({ userId: 1 }));

    const created = await store.dispatch(TodoResource.getList.push({ userId: 1 }, { title: 'New' })).unwrap();
    await store.dispatch(TodoResource.getList.unshift({ userId: 2 }, { title: 'First' }));

    expect(created).toMatchObject({ id: 4, userId: 1, title: 'New', completed: false });
    expect(read(TodoResource.getList.select({ userId: 1 }))?.map(({ id }) => id)).toEqual([1, 2, 4]);
    expect(server.rows(Todo).map(({ id, userId }) => [id, userId])).toEqual([
      [1, 1],
      [2, 1],
      [3, 2],
      [4, 1],
      [5, 2],
    ]);
  });

  it('change what they are given where an edit is sent by PUT, too', async () => {
    const Edited = createResource({ path: '/edited/:id', schema: Todo }).extend({ partialUpdate: { method: 'PUT' } });
    const { server, store } = serve([Edited]);

    await store.dispatch(Edited.partialUpdate({ id: 2 }, { title: 'Edit' }));

    expect(server.rows(Todo)[1]).toEqual({ id: 2, userId: 1, title: 'Edit', completed: true });
  });

  it('create rows with all that a list is filtered by where the field has several values', async () => {
    class Bug extends Entity {
      id = 0;
      labels: readonly string[] = [];
      watchers: readonly number[] = [];
      static override key = 'Bug';
    }
    const Bugs = createResource({
      path: '/bugs/:id',
      schema: Bug,
      searchParams: undefined as
        { readonly labels?: string | readonly string[]; readonly watchers?: number } | undefined,
    });
    const { server, store } = serve([Bugs], { seed: { Bug: [{ id: 1, labels: ['old'], watchers: [5] }] } });

    await store.dispatch(Bugs.getList.push({ labels: 'new', watchers: 7 }, {}));
    await store.dispatch(Bugs.getList.push({ labels: ['new', 'big'] }, {}));
    await ask(server, 'POST /bugs', { body: new URLSearchParams({ labels: 'form' }) });

    expect(server.rows(Bug)).toEqual([
      { id: 1, labels: ['old'], watchers: [5] },
      { id: 2, labels: ['new'], watchers: [7] },
      { id: 3, labels: ['new', 'big'], watchers: [] },
      { id: 4, labels: ['form'], watchers: [] },
    ]);
  });

  it('create several rows at once, or none where one is refused', async () => {
    const { server, store } = serve([TodoResource], {
      seed,
      write: { Todo: (row) => (row['title'] === '' ? Response.json({ title: 'Empty' }, { status: 422 }) : row) },
    });

    const both = await store
      .dispatch(TodoResource.getList.push({ userId: 1 }, [{ title: 'One' }, { title: 'Two' }]))
      .unwrap();
    const { error } = await store.dispatch(
      TodoResource.getList.push({ userId: 1 }, [{ title: 'Three' }, { title: '' }]),
    );
    const after = await store.dispatch(TodoResource.getList.push({ userId: 1 }, { title: 'Four' })).unwrap();

    expect(both.map(({ id }) => id)).toEqual([4, 5]);
    expect(error).toMatchObject({ status: 422, data: { title: 'Empty' } });
    expect(after.id).toBe(6);
    expect(server.rows(Todo).map(({ title }) => title)).toEqual(['Read', 'Write', 'Count', 'One', 'Two', 'Four']);
  });

  it('replace, change and delete rows', async () => {
    const { server, store } = serve([TodoResource]);

    await store.dispatch(TodoResource.update({ id: 1 }, { title: 'All of it', userId: 2 }));
    await store.dispatch(TodoResource.partialUpdate({ id: 2 }, { completed: false }));
    const { error } = await store.dispatch(TodoResource.delete({ id: 3 }));

    expect(error).toBeUndefined();
    expect(server.rows(Todo)).toEqual([
      { id: 1, userId: 2, title: 'All of it', completed: false },
      { id: 2, userId: 1, title: 'Write', completed: false },
    ]);
  });

  it('move rows to other lists, and take them out', async () => {
    const { server, store } = serve([TodoResource]);
    const { getList } = TodoResource;

    await store.dispatch(getList.move({ id: 1 }, { userId: 2 }));
    await store.dispatch(getList.remove({ userId: 1 }, { id: 2 }));

    expect(server.rows(Todo).map(({ userId }) => userId)).toEqual([2, null, 2]);
    expect(await store.dispatch(getList({ userId: 1 })).unwrap()).toEqual([]);
  });

  it('add values by name to a set', async () => {
    const getByName = new RestEndpoint({
      path: '/by-name',
      schema: new Collection(new schema.Values(Todo)),
    });
    const { server, store } = serve([getByName]);

    await store.dispatch(getByName.assign({}, { best: { title: 'Best' } }));
    const values = await store.dispatch(getByName()).unwrap();

    expect(server.rows(Todo).at(-1)).toMatchObject({ id: 4, title: 'Best' });
    expect(Object.keys(values)).toEqual(['1', '2', '3', 'best']);
  });

  it('read pages', async () => {
    const { store, read } = serve([PagedResource], { seed: { Todo: 5 }, pageSize: 2 });
    const { getList } = PagedResource;

    await store.dispatch(getList());
    await store.dispatch(getList.getPage({ page: 3 }));

    expect(read(getList.select())?.map(({ id }) => id)).toEqual([1, 2, 5]);
  });

  it('are what they are, whatever their verb', async () => {
    const Odd = TodoResource.extend({ partialUpdate: { method: 'POST' } }).extend(({ getList }) => ({
      put: getList.push.extend({ method: 'PUT' }),
    }));
    const { server, store } = serve([Odd]);

    await store.dispatch(Odd.partialUpdate({ id: 1 }, { title: 'Edited' }));
    await store.dispatch(Odd.put({}, { title: 'New' }));

    expect(server.rows(Todo).map(({ title }) => title)).toEqual(['Edited', 'Write', 'Count', 'New']);
  });

  it('know nothing of a custom one before they are told', async () => {
    const Custom = TodoResource.extend('archive', { path: '/todos/:id/archive', method: 'POST', body: undefined });
    const { server, store } = serve([Custom]);

    const untold = await store.dispatch(Custom.archive({ id: 1 }));
    server.use(Custom.archive, ({ params, rows }) => {
      server.set(Todo, { id: Number(params.id), completed: true });
      return rows(Todo).find(({ id }) => id === Number(params.id));
    });
    const told = await store.dispatch(Custom.archive({ id: 1 })).unwrap();

    expect(untold.error).toMatchObject({
      status: 501,
      data: { title: expect.stringContaining('Todo/archive') as string },
    });
    expect(told).toMatchObject({ id: 1, completed: true });
  });

  it('know nothing of a search by POST, and create nothing by it', async () => {
    const found = { results: new Collection([Todo], { name: 'Search' }), next: '' };
    const search = new RestEndpoint({
      path: '/search',
      method: 'POST',
      sideEffect: false,
      body: {} as { readonly q: string; readonly cursor?: string },
      schema: found,
    }).paginated({ next: ({ next }, params, { body }) => (next ? [params, { ...body, cursor: next }] : undefined) });
    const { server, store } = serve([search]);

    const untold = await store.dispatch(search({ q: 'Read' }));
    server.use(search, ({ body, rows }) => ({ results: rows(Todo).filter(({ title }) => title === body.q), next: '' }));
    const told = await store.dispatch(search({ q: 'Read' })).unwrap();

    expect(untold.error).toMatchObject({
      status: 501,
      data: { title: expect.stringContaining(search.name) as string },
    });
    expect(told.results.map(({ id }) => id)).toEqual([1]);
    expect(server.rows(Todo)).toHaveLength(3);
  });
});
