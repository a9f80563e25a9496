import { Collection, createResource, Entity } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile, type Reply } from '../support/server.js';
import { setup } from '../support/store.js';

const server = await serverOfFile();
const at = { urlPrefix: server.url } as const;

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}

const body = {} as { readonly userIds: readonly number[] };
const users = [1, 2, 3].map((id) => ({ id, name: `User ${String(id)}` }));
const ShareResource = createResource({ ...at, path: '/files/:fileId/users/:id', schema: User, name: 'Share' });
const FavoriteResource = createResource({ ...at, path: '/favorites/:id', schema: User, name: 'Favorite' });
const UserResource = createResource({ ...at, path: '/users/:id', schema: User });
const place = { ...at, path: '/files/:fileId/users', method: 'PUT', body } as const;

const { setByNew } = ShareResource.extend('setByNew', { ...place, schema: new Collection([User], { name: 'Share' }) });
const setByList = ShareResource.getList.extend({ name: 'Share/set', method: 'PUT', body });
const setByPost = ShareResource.getList.extend({ name: 'Share/post', method: 'POST', body });
const inEnvelope = ShareResource.getList.extend({
  name: 'Share/enveloped',
  method: 'PUT',
  body,
  schema: { results: ShareResource.getList.schema },
});

const params = { fileId: 7 };
const sent = { userIds: [2, 3] };
const writes = {
  'with a Collection of that name': [setByNew, users.slice(1)],
  'as an extended getList': [setByList, users.slice(1)],
  'by POST': [setByPost, users.slice(1)],
  'in an envelope': [inEnvelope, { results: users.slice(1) }],
} as unknown as Readonly<Record<string, readonly [typeof setByList, unknown]>>;

async function setupLists() {
  const tools = setup();
  server.answer('GET /users', { json: users });
  server.answer('GET /files/7/users', { json: users.slice(0, 2) });
  server.answer('GET /files/8/users', { json: users });
  await tools.store.dispatch(UserResource.getList());
  await tools.store.dispatch(ShareResource.getList(params));
  await tools.store.dispatch(ShareResource.getList({ fileId: 8 }));
  const isStale = (fileId: number): boolean | undefined =>
    tools.read(ShareResource.getList.selectRequest({ fileId })).isStale;

  return { ...tools, isStale };
}

describe.each(Object.entries(writes))('a write with a body for a whole list: %s', (how, [write, json]) => {
  it.each<[string, Reply | 'lost']>([
    ['with the list', { json }],
    ['with nothing', { status: 204 }],
    ['by nobody', 'lost'],
  ])('makes the list stale at its address, and no other, answered %s', async (_, reply) => {
    const { store, isStale } = await setupLists();

    const writing = store.dispatch(write(params, sent));
    await server.holding(/^(PUT|POST) /);
    if (reply === 'lost') writing.abort();
    else await server.release(/^(PUT|POST) /, reply);
    await writing;

    expect(isStale(7)).toBe(true);
    // A list in a shape does not tell that it is all that changes.
    expect(isStale(8)).toBe(how === 'in an envelope' && (reply === 'lost' || reply.status === 204));
  });
});

it.each([[[2, 3]], [[{ id: 2 }]]])('a write of a list, lost, makes the list stale at its address: %j', async (list) => {
  const { store, isStale } = await setupLists();
  server.answer('PUT /files/7/users', { status: 502, json: {} });

  await store.dispatch(setByList(params, list as never));

  expect(isStale(7)).toBe(true);
});

it('a search by POST at an address of its own leaves the list of all fresh', async () => {
  const { store, read } = await setupLists();
  const search = UserResource.getList.extend({
    name: 'User/search',
    path: '/users/search',
    method: 'POST',
    body: {} as { readonly name: string },
  });
  server.answer('POST /users/search', { json: users.slice(0, 1) });

  await store.dispatch(search({ name: 'User 1' }));

  expect(read(UserResource.getList.selectRequest()).isStale).toBe(false);
});

it('a write with a body alone makes the list without parameters stale', async () => {
  const { store, read } = setup();
  server.answer('GET /favorites', { json: users });
  await store.dispatch(FavoriteResource.getList());
  const set = FavoriteResource.getList.extend({ name: 'Favorite/set', method: 'PUT', body, searchParams: undefined });

  const setting = store.dispatch(set(sent));
  await server.release('PUT /favorites', { json: users.slice(1) });
  await setting;

  expect(read(FavoriteResource.getList.selectRequest()).isStale).toBe(true);
});
