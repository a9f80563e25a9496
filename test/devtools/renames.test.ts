import { createResource, Entity, RestEndpoint } from 'rtk-resource';
import { recordResources } from 'rtk-resource/devtools/production';
import { mockServer } from 'rtk-resource/mock';
import { describe, expect, it, vi } from 'vitest';
import { seedOf } from '../../src/devtools/panel/seed.js';
import type { Case } from '../../src/devtools/explain/Case.js';
import type { StoreRecorder } from '../../src/devtools/record/Recorder.js';
import { setup } from '../support/store.js';

class User extends Entity {
  username = '';
  name = '';
  static override key = 'User';
  override pk() {
    return this.username;
  }
}

class Issue extends Entity {
  id = 0;
  owner?: User;
  static override key = 'Issue';
  static override schema = { owner: User };
}

const Users = createResource({ path: '/users/:username', schema: User });
const Issues = createResource({ path: '/issues/:id', schema: Issue });
const everybody = new RestEndpoint({ path: '/users', name: 'Everybody', schema: [User] });
const seed = {
  User: [
    { username: 'ada', name: 'Ada' },
    { username: 'cy', name: 'Cy' },
  ],
  Issue: [{ id: 1, owner: { username: 'cy', name: 'Cy' } }],
};

/** A store that shows users and an issue, and in which user cy has become eve. */
async function renamed() {
  const server = mockServer([Users, Issues], { seed });
  const tools = setup({ fetchFn: server.fetch });
  const redact = vi.fn((value: unknown, _path: string) => value);
  const recorder = recordResources(tools.store, { redact });
  const { store } = tools;
  await store.dispatch(Users.getList());
  await store.dispatch(everybody());
  await store.dispatch(Issues.getList());
  await store.dispatch(Users.partialUpdate({ username: 'cy' }, { username: 'eve' }));
  return { ...tools, server, recorder, redact };
}

describe('a row that an answer has given another pk', () => {
  it('is copied as a seed that a mock server takes', async () => {
    const { server, recorder } = await renamed();

    const copied = seedOf((recorder as unknown as StoreRecorder).look() as Case);

    expect(copied).toEqual({ User: server.rows(User), Issue: server.rows(Issue) });
    expect(() => mockServer([Users, Issues], { seed: copied })).not.toThrow();
  });

  it('is told by its table alone', async () => {
    const { recorder, redact } = await renamed();

    const tables = recorder.events.flatMap(({ meta }) => meta.changes?.rows.map(({ table }) => table) ?? []);

    expect(new Set(tables)).toEqual(new Set(['User', 'Issue']));
    expect(redact.mock.calls.filter(([, path]) => path.startsWith('User alias/'))).toEqual([]);
  });

  it('is explained by the pk that selectors show: in a list, in an answer that is one, in a relation', async () => {
    const { recorder, read } = await renamed();

    expect(read(Users.getList.select())?.map((user) => user.pk())).toEqual(['ada', 'eve']);
    expect(read(Issues.get.select({ id: 1 }))?.owner?.pk()).toBe('eve');
    const list = { list: 'User/getList', args: [] } as const;
    expect(recorder.explain(list).value).toEqual(['ada', 'eve']);
    expect(recorder.explain({ list: 'Everybody', args: [] }).value).toEqual(['ada', 'eve']);
    const { value, because } = recorder.explain({ entity: 'Issue', pk: '1', field: 'owner' });
    expect([value, because[0]?.text]).toEqual(['eve', expect.stringMatching(/^Shows `eve`, from /)]);
    for (const pk of ['eve', 'cy']) expect(recorder.explain({ ...list, pk }).value).toBe(true);
  });
});
