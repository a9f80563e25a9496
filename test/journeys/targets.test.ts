import { createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

const server = await serverOfFile();
const urlPrefix = server.url;

class Label extends Entity {
  id = 0;
  name = '';
  color = '';
  static override key = 'Label';
  static override indexes = ['name'];
}
const Labels = createResource({ urlPrefix, path: '/labels/:name', schema: Label, optimistic: true });

class Profile extends Entity {
  id = 0;
  name = '';
  bio = '';
  static override key = 'Profile';
}
const getMe = new RestEndpoint({ urlPrefix, path: '/me', schema: { user: Profile }, name: 'me' });
const saveMe = new RestEndpoint({
  urlPrefix,
  path: '/me',
  method: 'PATCH',
  body: {} as { bio: string },
  schema: Profile,
  optimistic: true,
  name: 'me/save',
});

const bug = { id: 7, name: 'bug', color: 'red' };
const labels = (list: readonly Label[] | undefined) => list?.map(({ name, color }) => `${name} ${color}`);

async function setupLabels() {
  const tools = setup();
  server.answer('GET /labels', { json: [bug, { id: 8, name: 'idea', color: 'blue' }] });
  await tools.store.dispatch(Labels.getList());
  const promises = { list: () => labels(tools.read(Labels.getList.select())) };

  return { ...tools, ...promises };
}

describe('a write whose arguments do not give the pk', () => {
  it('is about the row that has the natural key of its address', async () => {
    const { store, list } = await setupLabels();

    const edit = store.dispatch(Labels.partialUpdate({ name: 'bug' }, { color: 'pink' }));
    const during = list();
    await server.release('PATCH /labels/bug', { status: 204 });
    await edit;

    expect(during).toEqual(['bug pink', 'idea blue']);
    expect(list()).toEqual(['bug pink', 'idea blue']);
  });

  it('deletes the row that has the natural key of its address, whatever the server says', async () => {
    const { store, list } = await setupLabels();

    const removal = store.dispatch(Labels.delete({ name: 'bug' }));
    const during = list();
    await server.release('DELETE /labels/bug', { json: { ok: true } });
    const action = await removal;

    expect(during).toEqual(['idea blue']);
    expect(action.type).toBe('Label/delete/fulfilled');
    expect(list()).toEqual(['idea blue']);
  });

  it('is sent, and shows nothing, where no row is known to have the key', async () => {
    const { store } = setup();
    server.answer('PATCH /labels/new', { status: 204 });

    const action = await store.dispatch(Labels.partialUpdate({ name: 'new' }, { color: 'pink' }));

    expect(action.type).toBe('Label/partialUpdate/fulfilled');
  });

  it('makes stale what may show its row, where the answer does not tell which row that is', async () => {
    const { store, resources, read } = await setupLabels();
    server.answer('PATCH /labels/other', { json: { color: 'pink' } });

    const action = await store.dispatch(Labels.partialUpdate({ name: 'other' }, { color: 'pink' }));

    expect(action.type).toBe('Label/partialUpdate/fulfilled');
    expect(read(resources.selectRequest(Labels.getList)).isStale).toBe(true);
  });

  it('is about none of two rows that have the same key', async () => {
    const { store, resources, list } = await setupLabels();
    store.dispatch(resources.set(Label, { id: 9, name: 'idea', color: 'green' }));

    const edit = store.dispatch(Labels.partialUpdate({ name: 'idea' }, { color: 'pink' }));
    const during = list();
    await server.release('PATCH /labels/idea', { status: 204 });
    await edit;

    expect(during).toEqual(['bug red', 'idea blue']);
  });

  it('is about the row that the same address has answered with', async () => {
    const { store, read } = setup();
    server.answer('GET /me', { json: { user: { id: 3, name: 'Ada', bio: '' } } });
    await store.dispatch(getMe());

    const edit = store.dispatch(saveMe({ bio: 'Counts' }));
    const during = read(getMe.select())?.user.bio;
    await server.release('PATCH /me', { json: { success: true } });
    await edit;

    expect(during).toBe('Counts');
    expect(read(getMe.select())?.user).toMatchObject({ id: 3, name: 'Ada', bio: 'Counts' });
  });

  it('is about the row that has the natural key now, and not about the one that had it when its address was answered', async () => {
    const { store, resources, list } = await setupLabels();
    server.answer('GET /labels/bug', { json: bug });
    await store.dispatch(Labels.get({ name: 'bug' }));
    store.dispatch(resources.set(Label, { ...bug, name: 'flaw' }));
    store.dispatch(resources.set(Label, { id: 8, name: 'bug', color: 'blue' }));

    const deletion = store.dispatch(Labels.delete({ name: 'bug' }));
    const during = list();
    await server.release('DELETE /labels/bug', { status: 204 });
    await deletion;

    expect([during, list()]).toEqual([['flaw red'], ['flaw red']]);
  });

  it('is about the row that its address was answered with, where its body has the natural key of another', async () => {
    const { store, resources, list } = await setupLabels();
    server.answer('GET /labels/bug', { json: bug });
    await store.dispatch(Labels.get({ name: 'bug' }));
    store.dispatch(resources.set(Label, { ...bug, name: 'flaw' }));

    const edit = store.dispatch(Labels.partialUpdate({ name: 'bug' }, { name: 'idea' }));
    const during = list();
    await server.release('PATCH /labels/bug', { status: 422, json: {} });
    await edit;

    expect(during).toEqual(['idea red', 'idea blue']);
  });

  it('is about the row that its address was answered with, where the one with the key may be of another place', async () => {
    class Project extends Entity {
      id = 0;
      slug = '';
      static override key = 'Project';
      static override indexes = ['slug'];
    }
    const Projects = createResource({ urlPrefix, path: '/orgs/:org/projects/:slug', schema: Project });
    const { store, read } = setup();
    const [[a, site], [b, web]] = [
      ['a', { id: 1, slug: 'site' }],
      ['b', { id: 2, slug: 'web' }],
    ] as const;
    for (const [org, project] of [[a, site] as const, [b, web] as const]) {
      server.answer(`GET /orgs/${org}/projects`, { json: [project] });
      await store.dispatch(Projects.getList({ org }));
    }
    // It was called so before.
    server.answer('GET /orgs/a/projects/web', { json: site });
    await store.dispatch(Projects.get({ org: a, slug: 'web' }));
    server.answer('DELETE /orgs/a/projects/web', { status: 204 });

    await store.dispatch(Projects.delete({ org: a, slug: 'web' }));

    expect([a, b].map((org) => read(Projects.getList.select({ org })))).toEqual([[], [web]]);
  });

  it('is sent with an action of its own that inherits `optimistic`', async () => {
    const { store } = await setupLabels();
    const clear = Labels.delete.extend({ path: '/caches', schema: new schema.Invalidate(Profile), name: 'clear' });
    server.answer('DELETE /caches', { status: 204 });

    const action = await store.dispatch(clear({}));

    expect(action.type).toBe('clear/fulfilled');
  });
});

describe('a read by a natural key that was answered with a row which has another by now', () => {
  const LabelsIn = Labels.extend('get', { schema: { label: Label } });

  it.each([
    ['', Labels.get, bug, { id: 8, name: 'bug', color: 'blue' }],
    [
      'in an envelope',
      LabelsIn.get as unknown as typeof Labels.get,
      { label: bug },
      { label: { id: 8, name: 'bug', color: 'blue' } },
    ],
  ])('is stale once another row has the key, and is fetched again for who looks %s', async (_, read, was, is) => {
    const { store, resources, read: select } = await setupLabels();
    server.answer('GET /labels/bug', { json: was });
    await store.dispatch(read({ name: 'bug' }));
    const state = () => select(read.selectRequest({ name: 'bug' }));
    store.dispatch(resources.set(Label, { ...bug, name: 'flaw' }));
    const alone = state();
    store.dispatch(resources.set(Label, { id: 8, name: 'bug', color: 'blue' }));
    const taken = state();
    server.answer('GET /labels/bug', { json: is });
    store.dispatch(read.subscribe({ name: 'bug' }));

    expect([alone.isStale, taken.isStale]).toEqual([false, true]);
    await vi.waitFor(() => {
      expect(state()).toMatchObject({ data: is, isStale: false });
    });
  });

  it('is stale where the row is deleted, and another is created with its key', async () => {
    const { store, read } = await setupLabels();
    server.answer('GET /labels/bug', { json: bug });
    await store.dispatch(Labels.get({ name: 'bug' }));
    server.answer('DELETE /labels/bug', { status: 204 });
    await store.dispatch(Labels.delete({ name: 'bug' }));
    server.answer('POST /labels', { status: 201, json: { id: 9, name: 'bug', color: 'blue' } });

    await store.dispatch(Labels.getList.push({ name: 'bug' }));

    expect(read(Labels.get.selectRequest({ name: 'bug' })).isStale).toBe(true);
  });

  it('is stale where a list brings both', async () => {
    const { store, read } = await setupLabels();
    server.answer('GET /labels/bug', { json: bug });
    await store.dispatch(Labels.get({ name: 'bug' }));
    server.answer('GET /labels', {
      json: [
        { ...bug, name: 'idea' },
        { id: 8, name: 'bug', color: 'blue' },
      ],
    });

    await store.dispatch(Labels.getList());

    expect(read(Labels.get.selectRequest({ name: 'bug' })).isStale).toBe(true);
  });
});

class Note extends Entity {
  id = '';
  text = '';
  isOpen = true;
  static override key = 'Note';
}
const Notes = createResource({
  urlPrefix,
  path: '/notes/:id',
  schema: Note,
  body: {} as { text: string; isOpen: boolean; secret: string },
  optimistic: true,
});

describe('an answer that is silent', () => {
  it('to a create leaves what was sent as it was shown', async () => {
    const { store, read } = setup();
    server.answer('GET /notes', { json: [] });
    await store.dispatch(Notes.getList());

    const create = store.dispatch(Notes.getList.push({ text: 'new', isOpen: true, secret: 'hidden' }));
    await server.release('POST /notes', { status: 201, json: { id: 'n1', success: true } });
    await create;

    expect(read(Notes.getList.select())).toMatchObject([{ id: 'n1', text: 'new', isOpen: true }]);
    expect(JSON.stringify(store.getState())).not.toContain('hidden');
  });

  it('to an edit leaves what was sent as it was shown', async () => {
    const { store, resources, read } = setup();
    store.dispatch(resources.set(Note, { id: 'n1', text: 'old', isOpen: true }));

    const edit = store.dispatch(Notes.partialUpdate({ id: 'n1' }, { text: 'edited' }));
    await server.release('PATCH /notes/n1', { json: { id: 'n1', success: true } });
    await edit;

    expect(read(resources.selectEntity(Note, 'n1'))).toMatchObject({ text: 'edited', isOpen: true });
  });

  it('gives way to what the answer does mention', async () => {
    const { store, resources, read } = setup();
    store.dispatch(resources.set(Note, { id: 'n1', text: 'old', isOpen: true }));

    const edit = store.dispatch(Notes.partialUpdate({ id: 'n1' }, { text: ' edited ', isOpen: false }));
    await server.release('PATCH /notes/n1', { json: { id: 'n1', text: 'edited' } });
    await edit;

    expect(read(resources.selectEntity(Note, 'n1'))).toMatchObject({ text: 'edited', isOpen: false });
  });
});

describe('a silent answer to an edit of a nested object', () => {
  class Person extends Entity {
    id = 0;
    address: { zip: string; city?: string } = { zip: '' };
    static override key = 'Person';
  }
  const People = createResource({ urlPrefix, path: '/people/:id', schema: Person, optimistic: true });
  const home = { zip: '1000', city: 'Bern' };

  async function setupPerson() {
    const tools = setup();
    server.answer('GET /people/1', { json: { id: 1, address: home } });
    tools.store.dispatch(People.get.subscribe({ id: 1 }));
    await expect.poll(() => tools.read(People.get.select({ id: 1 }))).toBeDefined();
    const address = () => tools.read(People.get.select({ id: 1 }))?.address;

    return { ...tools, address };
  }

  it('leaves open whether the server has merged it, so the row is read again', async () => {
    const { store, address } = await setupPerson();
    server.answer('GET /people/1', { json: { id: 1, address: { ...home, zip: '2000' } } });

    const edit = store.dispatch(People.partialUpdate({ id: 1 }, { address: { zip: '2000' } }));
    await server.release('PATCH /people/1', { status: 204 });
    await edit;

    await expect.poll(address).toEqual({ zip: '2000', city: 'Bern' });
  });

  it.each([
    ['names all of it', { method: 'PATCH', body: { address: { ...home, zip: '2000' } } }, undefined],
    ['replaces the row', { method: 'PUT', body: { address: { zip: '2000' } } }, undefined],
    [
      'is told what is there now',
      { method: 'PATCH', body: { address: { zip: '2000' } } },
      { address: { zip: '2000' } },
    ],
  ])('leaves nothing open where the edit %s', async (_why, { method, body }, json) => {
    const { store, read, address } = await setupPerson();
    const write = method === 'PUT' ? People.update : People.partialUpdate;

    const edit = store.dispatch(write({ id: 1 }, body));
    await server.release(`${method} /people/1`, json ? { json: { id: 1, ...json } } : { status: 204 });
    await edit;

    expect(address()).toEqual(body.address);
    expect(read(People.get.selectRequest({ id: 1 })).isFetching).toBe(false);
  });
});

describe('what a member is', () => {
  it('decides that an edit is one, also where it is sent by POST', async () => {
    const { store, resources, read } = setup();
    const { partialUpdate } = Notes.extend({ partialUpdate: { method: 'POST' } });
    store.dispatch(resources.set(Note, { id: 'n1', text: 'old', isOpen: true }));

    const edit = store.dispatch(partialUpdate({ id: 'n1' }, { text: 'edited' }));
    const during = read(resources.selectEntity(Note, 'n1'));
    await server.release('POST /notes/n1', { status: 204 });
    await edit;

    expect(during?.text).toBe('edited');
    expect(read(resources.selectEntity(Note, 'n1'))).toMatchObject({ text: 'edited' });
  });
});
