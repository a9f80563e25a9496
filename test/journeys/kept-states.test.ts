import { configureStore } from '@reduxjs/toolkit';
import { Collection, configureResources, createResource, Entity, type ResourcesState } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile, type Reply } from '../support/server.js';

class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  static override key = 'Todo';
}
class User extends Entity {
  id = 0;
  bio = '';
  static override key = 'User';
}
interface Search {
  userId?: number;
  offset?: number;
}
const server = await serverOfFile();
const urlPrefix = server.url;
const todos = new Collection([Todo]);
const searchParams: Search = {};
const Todos = createResource({
  urlPrefix,
  path: '/todos/:id',
  schema: Todo,
  optimistic: true,
  searchParams,
}).extend({ getList: { schema: { results: todos, total: todos.total } } });
const Users = createResource({ urlPrefix, path: '/users/:id', schema: User, optimistic: true }).extend((base) => ({
  getMe: base.get.extend({ path: '/me', name: 'User/getMe' }),
  saveMe: base.partialUpdate.extend({ path: '/me', name: 'User/saveMe' }),
}));
const Notes = createResource({ urlPrefix, path: '/notes/:id', schema: Todo, name: 'Note', etag: true });

const says = (json: unknown): Reply => ({ json });
const one = { id: 1, userId: 1, title: 'one' };
const two = { id: 2, userId: 2, title: 'two' };

function open(preloaded?: ResourcesState) {
  const resources = configureResources();
  const store = configureStore({
    reducer: { resources: resources.reducer },
    middleware: (getDefault) => getDefault().concat(resources.middleware),
    ...(preloaded && { preloadedState: { resources: preloaded } }),
  });
  const list = (params: Search) => {
    const { data, isStale } = Todos.getList.selectRequest(params)(store.getState());
    return { ids: data?.results.map(({ id }) => id), total: data?.total, isStale };
  };
  const kept = (): ResourcesState => JSON.parse(JSON.stringify(store.getState().resources)) as ResourcesState;
  return { resources, store, list, kept };
}

/** What came to the store of an earlier visit, or of a server, is in the store of this one. */
const ways = {
  preloaded: open,
  hydrated: (kept: ResourcesState) => {
    const opened = open();
    opened.store.dispatch(opened.resources.hydrate(kept));
    return opened;
  },
};

describe.each(Object.entries(ways))('a state that is %s, of whose lists none was asked for yet', (_way, take) => {
  async function visit() {
    const { store, kept } = open();
    const answers = [
      [{ userId: 1 }, [one], 1],
      [{ userId: 2 }, [two], 1],
      [{ offset: 0 }, [one, two], 2],
    ] as const;
    for (const [params, results, total] of answers) {
      server.answer('GET /todos', says({ results, total }));
      await store.dispatch(Todos.getList(params)).unwrap();
    }
    return take(kept());
  }

  it('has an edited item leave the list that it does not match any more, and join the one that it matches', async () => {
    const { store, list } = await visit();
    server.answer('PATCH /todos/1', says({ ...one, userId: 2 }));

    await store.dispatch(Todos.partialUpdate({ id: 1 }, { userId: 2 })).unwrap();

    expect([list({ userId: 1 }).ids, list({ userId: 2 }).ids]).toEqual([[], [2, 1]]);
  });

  it('counts a deletion, and makes the windows stale that it moves', async () => {
    const { store, list } = await visit();
    server.answer('DELETE /todos/1', { status: 204 });

    await store.dispatch(Todos.delete({ id: 1 })).unwrap();

    expect(list({ userId: 1 })).toMatchObject({ ids: [], total: 0 });
    expect(list({ offset: 0 })).toMatchObject({ ids: [2], total: 1, isStale: true });
  });

  it('shows an edit of a row that another endpoint has called by its address', async () => {
    const { store: there, kept } = open();
    server.answer('GET /me', says({ id: 7, bio: 'before' }));
    await there.dispatch(Users.getMe()).unwrap();
    const { store, resources } = take(kept());

    const saving = store.dispatch(Users.saveMe({}, { bio: 'after' }));

    expect(resources.selectEntity(User, 7)(store.getState())?.bio).toBe('after');
    await server.release('PATCH /me', { status: 204 });
    await saving;
  });

  it('is edited with the tag that the row came with', async () => {
    const { store: there, kept } = open();
    server.answer('GET /notes/1', { json: one, headers: { etag: '"1"' } });
    await there.dispatch(Notes.get({ id: 1 })).unwrap();
    const { store } = take(kept());
    server.answer('PATCH /notes/1', { status: 412, json: {} });
    server.answer('GET /notes/1', { json: { ...one, title: 'theirs' }, headers: { etag: '"2"' } });

    const { error } = await store.dispatch(Notes.partialUpdate({ id: 1 }, { title: 'mine' }));

    expect(error?.status).toBe(412);
    expect(server.received.find(({ method }) => method === 'PATCH')?.headers['if-match']).toBe('"1"');
  });
});

it('a read that was called stale before it had an answer is stale with one that is hydrated', async () => {
  const { store: there, kept } = open();
  server.answer('GET /users', says([{ id: 1, bio: '' }]));
  await there.dispatch(Users.getList()).unwrap();
  const { store, resources } = open();
  store.dispatch(resources.expire(Users.getList));

  store.dispatch(resources.hydrate(kept()));

  expect(Users.getList.selectRequest()(store.getState()).isStale).toBe(true);
});
