import { createResource, Entity, RestEndpoint } from 'rtk-resource';
import { expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

/** An address that means an item, and does not tell its pk. */
class User extends Entity {
  id: number | string = 0;
  name = '';
  static override key = 'User';
}
const server = await serverOfFile();
const Users = createResource({ urlPrefix: server.url, path: '/users/:id', schema: User, optimistic: true });
const me = { id: 'me' };
const lines = () => server.received.map(({ method, path }) => `${method} ${path}`);

/** I am 7, and have edited myself once. */
async function edited() {
  const tools = setup();
  server.answer(/^GET|^DELETE/, { json: { id: 7, name: 'Ada' } });
  server.answer(/^PATCH/, ({ body }) => ({ json: { id: 7, name: 'Ada', ...(body as object) } }));
  await tools.store.dispatch(Users.get(me));
  await tools.store.dispatch(Users.partialUpdate(me, { name: 'Ada L' })).unwrap();
  return tools;
}

it('a second edit of me goes to the address of me', async () => {
  const { store } = await edited();

  await store.dispatch(Users.partialUpdate(me, { name: 'Ada K' }));

  expect(lines()).toEqual(['GET /users/me', 'PATCH /users/me', 'PATCH /users/me']);
});

it('a read of me after an edit goes to the address of me', async () => {
  const { store } = await edited();

  await store.dispatch(Users.get(me));

  expect(lines()).toEqual(['GET /users/me', 'PATCH /users/me', 'GET /users/me']);
});

it('shows who I am now, after an edit as another', async () => {
  const { store, read } = await edited();
  server.answer('GET /users/me', { json: { id: 8, name: 'Bob' } });

  await store.dispatch(Users.get(me));

  expect(read(Users.get.select(me))).toEqual({ id: 8, name: 'Bob' });
});

it('deletes who I am now, not who I was', async () => {
  const { store } = await edited();
  server.answer('GET /users/me', { json: { id: 8, name: 'Bob' } });
  await store.dispatch(Users.get(me));

  await store.dispatch(Users.delete(me));

  expect(lines().at(-1)).toBe('DELETE /users/me');
});

it('an edit of me by its body alone, refused with 412, reads me at that address, and is sent once more', async () => {
  const Me = createResource({ urlPrefix: server.url, path: '/me', schema: User, etag: true });
  const { store, read } = setup();
  server.answer('GET /me', { json: { id: 7, name: 'Ada' }, headers: { ETag: '"1"' } });
  await store.dispatch(Me.get());
  server.answer('GET /me', { json: { id: 7, name: 'Ada' }, headers: { ETag: '"2"' } });
  server.answer('PATCH /me', ({ headers }) =>
    headers['if-match'] === '"2"' ? { json: { id: 7, name: 'Ada L' }, headers: { ETag: '"3"' } } : { status: 412 },
  );

  await store.dispatch(Me.partialUpdate({ name: 'Ada L' })).unwrap();

  expect(lines()).toEqual(['GET /me', 'PATCH /me', 'GET /me', 'PATCH /me']);
  expect(read(Me.get.select())?.name).toBe('Ada L');
});

it('what has no id, and a pk of its own, shows an edit at once, and as it is answered', async () => {
  class Settings extends Entity {
    theme = '';
    pk() {
      return 'mine';
    }
    static override key = 'Settings';
  }
  const shared = { urlPrefix: server.url, path: '/settings', schema: Settings } as const;
  const read = new RestEndpoint(shared);
  const save = new RestEndpoint({ ...shared, method: 'PATCH', body: {} as { theme: string }, optimistic: true });
  const { store, watch } = setup();
  server.answer('GET /settings', { json: { theme: 'light' } });
  await store.dispatch(read()).unwrap();
  const themes = watch((state) => read.select()(state)?.theme);
  const saving = store.dispatch(save({ theme: 'dark' }));
  const guessed = themes.at(-1);
  await server.release('PATCH /settings', { json: { theme: 'black' } });
  await saving.unwrap();

  expect([guessed, themes]).toEqual(['dark', ['light', 'dark', 'black']]);
});
