import { createResource, Entity, isTemporary, NetworkError } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class User extends Entity {
  id: number | string = 0;
  name = '';
  team = '';
  votes = 0;
  static override key = 'User';
}

const server = await serverOfFile();

const searchParams: { team?: string } = {};
const UserResource = createResource({
  urlPrefix: server.url,
  path: '/users/:id',
  schema: User,
  searchParams,
  optimistic: true,
});

const refusal = { status: 422, json: { title: 'No' } };
const wire = (id: number, name: string, fields: object = {}): object => ({ id, name, team: '', votes: 0, ...fields });

/** A store that has fetched these users, numbered from 1. */
async function setupWith(names: readonly string[]) {
  const tools = setup();
  server.answer('GET /users', { json: names.map((name, i) => wire(i + 1, name)) });
  const before = await tools.store.dispatch(UserResource.getList()).unwrap();
  const list = (): readonly User[] => tools.read(UserResource.getList.select()) ?? [];
  const user = (id: number | string): User | undefined => tools.read(UserResource.get.select({ id }));

  return { ...tools, before, list, user, names: () => list().map(({ name }) => name) };
}

const namesIn = (values: readonly (readonly User[] | undefined)[]): readonly unknown[] =>
  values.map((users) => users?.map(({ name }) => name));

describe('an optimistic create', () => {
  it.each([
    ['push', ['Ada', 'Bob', 'Cyd']],
    ['unshift', ['Cyd', 'Ada', 'Bob']],
  ] as const)('shows what %s adds at once, and never twice', async (verb, expected) => {
    const { store, names, watch, slice } = await setupWith(['Ada', 'Bob']);
    const seen = watch(UserResource.getList.select());

    const cyd = store.dispatch(UserResource.getList[verb]({}, { name: 'Cyd' }));
    const during = names();
    await server.release('POST /users', { status: 201, json: wire(3, 'Cyd') });
    await cyd;

    expect(during).toEqual(expected);
    expect(namesIn(seen)).toEqual([['Ada', 'Bob'], expected, expected]);
    expect(slice().intents).toEqual([]);
  });

  it('has a temporary id until the server gives one', async () => {
    const { store, list, user, read, resources, slice } = await setupWith(['Ada']);

    const cyd = store.dispatch(UserResource.getList.push({}, { name: 'Cyd' }));
    const temporary = list()[1]?.id ?? '';
    const shown = user(temporary);
    const pending = read(resources.selectPending(User, temporary));
    await server.release('POST /users', { json: wire(3, 'Cyd') });
    const value = await cyd.unwrap();

    expect(isTemporary(temporary)).toBe(true);
    expect(shown?.name).toBe('Cyd');
    expect(pending).toEqual([cyd.requestId]);
    expect(value.id).toBe(3);
    expect(isTemporary(value.id)).toBe(false);
    expect(list()[1]).toBe(value);
    expect(user(3)).toBe(value);
    expect(user(temporary)).toBe(value);
    expect(read(resources.selectEntity(User, temporary))).toBeUndefined();
    expect(read(resources.selectPending(User, 3))).toEqual([]);
    expect(read(resources.selectAll(User)).map(({ id }) => id)).toEqual([1, 3]);
    expect(slice().intents).toEqual([]);
  });

  it('that fails leaves the very list that was there before', async () => {
    const { store, list, names, before, slice, watch } = await setupWith(['Ada', 'Bob']);
    const { tables } = slice();
    const seen = watch(UserResource.getList.select());

    const cyd = store.dispatch(UserResource.getList.push({}, { name: 'Cyd' }));
    const during = names();
    await server.release('POST /users', refusal);

    await expect(cyd.unwrap()).rejects.toThrow(NetworkError);
    expect(during).toEqual(['Ada', 'Bob', 'Cyd']);
    expect(namesIn(seen)).toEqual([
      ['Ada', 'Bob'],
      ['Ada', 'Bob', 'Cyd'],
      ['Ada', 'Bob'],
    ]);
    expect(list()).toBe(before);
    expect(slice().tables).toBe(tables);
    expect(slice().intents).toEqual([]);
  });

  it('is kept when an earlier one fails', async () => {
    const { store, names, slice } = await setupWith(['Ada', 'Bob']);
    const cyd = store.dispatch(UserResource.getList.push({}, { name: 'Cyd' }));
    const dee = store.dispatch(UserResource.getList.push({}, { name: 'Dee' }));
    const both = names();

    await server.release(/POST .*Cyd/, refusal);
    await expect(cyd.unwrap()).rejects.toThrow(NetworkError);
    const one = names();
    await server.release(/POST .*Dee/, { json: wire(4, 'Dee') });
    await dee.unwrap();

    expect(both).toEqual(['Ada', 'Bob', 'Cyd', 'Dee']);
    expect(one).toEqual(['Ada', 'Bob', 'Dee']);
    expect(names()).toEqual(['Ada', 'Bob', 'Dee']);
    expect(slice().intents).toEqual([]);
  });

  it('stands in the order of the requests, whichever answer comes first', async () => {
    const { store, names, watch } = await setupWith(['Ada']);
    const seen = watch(UserResource.getList.select());
    const cyd = store.dispatch(UserResource.getList.push({}, { name: 'Cyd' }));
    const dee = store.dispatch(UserResource.getList.push({}, { name: 'Dee' }));

    await server.release(/POST .*Dee/, { json: wire(4, 'Dee') });
    await dee;
    const between = names();
    await server.release(/POST .*Cyd/, { json: wire(3, 'Cyd') });
    await cyd;

    expect(between).toEqual(['Ada', 'Cyd', 'Dee']);
    expect(names()).toEqual(['Ada', 'Cyd', 'Dee']);
    expect(new Set(namesIn(seen).map(String))).toEqual(new Set(['Ada', 'Ada,Cyd', 'Ada,Cyd,Dee']));
  });

  it('shows up only in the lists that it belongs to', async () => {
    const { store, read, names } = await setupWith(['Ada']);
    server.answer('GET /users?team=red', { json: [] });
    server.answer('GET /users?team=blue', { json: [] });
    await store.dispatch(UserResource.getList({ team: 'red' }));
    const blue = await store.dispatch(UserResource.getList({ team: 'blue' })).unwrap();

    const cyd = store.dispatch(UserResource.getList.push({}, { name: 'Cyd', team: 'red' }));
    const during = [
      read(UserResource.getList.select({ team: 'red' })),
      read(UserResource.getList.select({ team: 'blue' })),
    ];
    await server.release('POST /users', { json: wire(3, 'Cyd', { team: 'red' }) });
    await cyd;

    expect(namesIn(during)).toEqual([['Cyd'], []]);
    expect(names()).toEqual(['Ada', 'Cyd']);
    expect(namesIn([read(UserResource.getList.select({ team: 'red' }))])).toEqual([['Cyd']]);
    expect(read(UserResource.getList.select({ team: 'blue' }))).toBe(blue);
  });
});

describe('an optimistic edit', () => {
  it.each(['update', 'partialUpdate'] as const)('shows what %s changes at once', async (member) => {
    const { store, user, list, before, watch, slice, read, resources } = await setupWith(['Ada', 'Bob']);
    const seen = watch(UserResource.get.select({ id: 2 }));

    const edit = store.dispatch(UserResource[member]({ id: 2 }, { name: 'Rob' }));
    const during = [user(2), list()[1]];
    const pending = read(resources.selectPending(User, 2));
    await server.release(/^P(UT|ATCH) \/users\/2/, { json: wire(2, 'Rob') });
    await edit;

    expect(during[0]).toEqual(User.fromJS({ id: 2, name: 'Rob' }));
    expect(during[1]).toBe(during[0]);
    expect(pending).toEqual([edit.requestId]);
    expect(seen.map((one) => one?.name)).toEqual(expect.arrayContaining(['Bob', 'Rob']));
    expect(seen.slice(1).every((one) => one?.name === 'Rob')).toBe(true);
    expect(list()[0]).toBe(before[0]);
    expect(slice().intents).toEqual([]);
  });

  it.each(['update', 'partialUpdate'] as const)(
    'by %s that fails leaves the very list that was there',
    async (member) => {
      const { store, names, list, user, before, slice } = await setupWith(['Ada', 'Bob']);
      const { tables } = slice();

      const edit = store.dispatch(UserResource[member]({ id: 2 }, { name: 'Rob' }));
      const during = names();
      await server.release(/^P(UT|ATCH) \/users\/2/, refusal);
      await edit;

      expect(during).toEqual(['Ada', 'Rob']);
      expect(list()).toBe(before);
      expect(user(2)).toBe(before[1]);
      expect(slice().tables).toBe(tables);
      expect(slice().intents).toEqual([]);
    },
  );

  it.each([
    ['of another field', { votes: 5 }, { name: 'Bob', votes: 5 }],
    ['of the same field', { name: 'Bea' }, { name: 'Bea', votes: 0 }],
  ])('is kept when an overlapping one %s fails before', async (_, body, expected) => {
    const { store, user, slice } = await setupWith(['Ada', 'Bob']);
    const first = store.dispatch(UserResource.partialUpdate({ id: 2 }, { name: 'Rob' }));
    const second = store.dispatch(UserResource.partialUpdate({ id: 2 }, body));
    const both = user(2);

    await server.release(/PATCH .*Rob/, refusal);
    await first;
    const one = user(2);
    await server.release('PATCH /users/2', { json: wire(2, 'Bob', body) });
    await second.unwrap();

    expect(both).toMatchObject({ name: 'Rob', ...body });
    expect(one).toMatchObject(expected);
    expect(user(2)).toMatchObject(expected);
    expect(slice().intents).toEqual([]);
  });

  it('is kept when an overlapping one fails after', async () => {
    const { store, user, slice } = await setupWith(['Ada', 'Bob']);
    const first = store.dispatch(UserResource.partialUpdate({ id: 2 }, { name: 'Rob' }));
    const second = store.dispatch(UserResource.partialUpdate({ id: 2 }, { name: 'Bea', votes: 5 }));

    await server.release(/PATCH .*Bea/, refusal);
    await second;
    const one = user(2);
    await server.release(/PATCH .*Rob/, { json: wire(2, 'Rob') });
    await first.unwrap();

    expect(one).toMatchObject({ name: 'Rob', votes: 0 });
    expect(user(2)).toMatchObject({ name: 'Rob', votes: 0 });
    expect(slice().intents).toEqual([]);
  });

  it('goes on showing while an earlier one is confirmed', async () => {
    const { store, user, watch } = await setupWith(['Ada', 'Bob']);
    const seen = watch(UserResource.get.select({ id: 2 }));
    const first = store.dispatch(UserResource.partialUpdate({ id: 2 }, { votes: 1 }));
    const second = store.dispatch(UserResource.partialUpdate({ id: 2 }, { votes: 2 }));

    await server.release(/PATCH .*"votes":1/, { json: wire(2, 'Bob', { votes: 1 }) });
    await first.unwrap();
    const between = user(2)?.votes;
    await server.release(/PATCH .*"votes":2/, { json: wire(2, 'Bob', { votes: 2 }) });
    await second.unwrap();

    expect(between).toBe(2);
    expect(user(2)?.votes).toBe(2);
    expect(seen.map((one) => one?.votes).filter((votes, i, all) => votes !== all[i - 1])).toEqual([0, 1, 2]);
  });

  it('shows over what a refetch brings', async () => {
    const { store, names, user, list } = await setupWith(['Ada', 'Bob']);
    const edit = store.dispatch(UserResource.partialUpdate({ id: 2 }, { name: 'Rob' }));
    server.answer('GET /users', { json: [wire(1, 'Ada'), wire(2, 'Bob', { votes: 7 })] });

    await store.dispatch(UserResource.getList()).unwrap();
    const during = [names(), user(2)?.votes];
    await server.release('PATCH /users/2', refusal);
    await edit;

    expect(during).toEqual([['Ada', 'Rob'], 7]);
    expect(list()[1]).toMatchObject({ name: 'Bob', votes: 7 });
  });

  it('of a user who is not there shows nothing', async () => {
    const { store, user, names } = await setupWith(['Ada']);

    const edit = store.dispatch(UserResource.partialUpdate({ id: 9 }, { name: 'Nobody' }));
    const during = [user(9), names()];
    await server.release('PATCH /users/9', { json: wire(9, 'Nobody') });
    await edit;

    expect(during).toEqual([undefined, ['Ada']]);
    expect(user(9)?.name).toBe('Nobody');
  });
});

describe('an optimistic delete', () => {
  it('takes the row out of every list at once', async () => {
    const { store, names, user, watch, slice } = await setupWith(['Ada', 'Bob', 'Cyd']);
    const seen = watch(UserResource.getList.select());

    const deletion = store.dispatch(UserResource.delete({ id: 2 }));
    const during = [names(), user(2)];
    await server.release('DELETE /users/2', { status: 204 });
    await deletion.unwrap();

    expect(during).toEqual([['Ada', 'Cyd'], undefined]);
    expect(names()).toEqual(['Ada', 'Cyd']);
    expect(user(2)).toBeUndefined();
    expect(
      namesIn(seen)
        .slice(1)
        .every((shown) => String(shown) === 'Ada,Cyd'),
    ).toBe(true);
    expect(slice().intents).toEqual([]);
  });

  it('that fails puts the row back in its place', async () => {
    const { store, names, list, user, before, slice } = await setupWith(['Ada', 'Bob', 'Cyd']);
    const { tables } = slice();

    const deletion = store.dispatch(UserResource.delete({ id: 2 }));
    const during = names();
    await server.release('DELETE /users/2', { status: 409 });

    await expect(deletion.unwrap()).rejects.toMatchObject({ status: 409 });
    expect(during).toEqual(['Ada', 'Cyd']);
    expect(list()).toBe(before);
    expect(user(2)).toBe(before[1]);
    expect(slice().tables).toBe(tables);
    expect(slice().intents).toEqual([]);
  });

  it('that fails puts the row back among what has come since', async () => {
    const { store, names } = await setupWith(['Ada', 'Bob', 'Cyd']);
    const deletion = store.dispatch(UserResource.delete({ id: 2 }));
    const dee = store.dispatch(UserResource.getList.push({}, { name: 'Dee' }));

    await server.release('POST /users', { json: wire(4, 'Dee') });
    await dee;
    const between = names();
    await server.release('DELETE /users/2', { status: 409 });
    await deletion;

    expect(between).toEqual(['Ada', 'Cyd', 'Dee']);
    expect(names()).toEqual(['Ada', 'Bob', 'Cyd', 'Dee']);
  });
});

describe('several optimistic requests', () => {
  it('leave what the answers of the server say, once all have settled', async () => {
    const { store, names, slice } = await setupWith(['Ada', 'Bob', 'Cyd']);
    const requests = [
      store.dispatch(UserResource.getList.push({}, { name: 'Dee' })),
      store.dispatch(UserResource.partialUpdate({ id: 1 }, { name: 'Eve' })),
      store.dispatch(UserResource.delete({ id: 2 })),
      store.dispatch(UserResource.getList.unshift({}, { name: 'Fay' })),
    ];
    const during = names();

    await server.release(/POST .*Fay/, { json: wire(5, 'Fay') });
    await requests[3];
    const second = names();
    await server.release('DELETE /users/2', refusal);
    await requests[2];
    const third = names();
    await server.release('PATCH /users/1', refusal);
    await requests[1];
    const fourth = names();
    await server.release(/POST .*Dee/, { json: wire(4, 'Dee') });
    await requests[0];

    expect(during).toEqual(['Fay', 'Eve', 'Cyd', 'Dee']);
    expect(second).toEqual(['Fay', 'Eve', 'Cyd', 'Dee']);
    expect(third).toEqual(['Fay', 'Eve', 'Bob', 'Cyd', 'Dee']);
    expect(fourth).toEqual(['Fay', 'Ada', 'Bob', 'Cyd', 'Dee']);
    expect(names()).toEqual(['Fay', 'Ada', 'Bob', 'Cyd', 'Dee']);
    expect(slice().intents).toEqual([]);
  });

  it('that are aborted leave the very list that was there', async () => {
    const { store, list, names, before, slice } = await setupWith(['Ada', 'Bob']);
    const cyd = store.dispatch(UserResource.getList.push({}, { name: 'Cyd' }));
    const edit = store.dispatch(UserResource.partialUpdate({ id: 1 }, { name: 'Eve' }));
    const during = names();

    cyd.abort();
    await cyd;
    const between = names();
    edit.abort();
    await edit;

    expect(during).toEqual(['Eve', 'Bob', 'Cyd']);
    expect(between).toEqual(['Eve', 'Bob']);
    expect(list()).toBe(before);
    expect(slice().intents).toEqual([]);
  });
});
