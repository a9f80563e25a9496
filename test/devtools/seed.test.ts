import { Collection, createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { recordResources } from 'rtk-resource/devtools/production';
import { mockServer } from 'rtk-resource/mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StoreRecorder } from '../../src/devtools/record/Recorder.js';
import { seedOf } from '../../src/devtools/panel/seed.js';
import type { Case } from '../../src/devtools/explain/Case.js';
import { setup } from '../support/store.js';

class Team extends Entity {
  id = 0;
  name = '';
  lead: User | null = null;
  static override key = 'Team';
  static override schema = { lead: new schema.Lazy(() => User) };
}

class Tag extends Entity {
  id = 0;
  label = '';
  static override key = 'Tag';
}

class Cat extends Entity {
  id = 0;
  kind = 'cat';
  static override key = 'Cat';
}

class Dog extends Entity {
  id = 0;
  kind = 'dog';
  static override key = 'Dog';
}

class Note extends Entity {
  id = 0;
  userId = 0;
  text = '';
  static override key = 'Note';
}

class User extends Entity {
  id = 0;
  name = '';
  team: Team | null = null;
  tags: Tag[] = [];
  byName: Record<string, Tag> = {};
  pet: Cat | Dog | null = null;
  notes: Note[] = [];
  static override key = 'User';
  static override schema = {
    team: Team,
    tags: [Tag],
    byName: new schema.Values(Tag),
    pet: new schema.Union({ cat: Cat, dog: Dog }, 'kind'),
    notes: new Collection([Note], { nestKey: (user: { readonly id?: unknown }) => ({ userId: user.id }) }),
  };
}

const Users = createResource({ path: '/users/:id', schema: User });
const teams = new RestEndpoint({ path: '/teams', name: 'Team/list', schema: [Team] });
const rows = [
  {
    id: 2,
    name: 'Grace',
    team: { id: 7, name: 'Core', lead: { id: 2, name: 'Grace' } },
    tags: [
      { id: 1, label: 'new' },
      { id: 2, label: 'old' },
    ],
    byName: { first: { id: 2, label: 'old' } },
    pet: { id: 1, kind: 'dog' },
    notes: [{ id: 4, userId: 2, text: 'Read' }],
  },
  {
    id: 1,
    name: 'Ada',
    team: { id: 7, name: 'Core', lead: { id: 2, name: 'Grace' } },
    tags: [{ id: 2, label: 'old' }],
  },
];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type Seed = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** A new store that has read the users and teams of a mock server, and what it shows. */
async function shown(seed: Seed) {
  const server = mockServer([Users, teams], { seed });
  vi.stubGlobal('fetch', server.fetch);
  const { store, ...tools } = setup();
  const recorder = recordResources(store);
  const [users, all] = [store.dispatch(Users.getList()), store.dispatch(teams())];
  await vi.runAllTimersAsync();
  await Promise.all([users, all]);
  const values = [Users.getList.select(), teams.select()].map((select) =>
    JSON.stringify(withoutCycles(tools.read(select as never))),
  );

  return { ...tools, store, recorder, values };
}

/** Values as JSON, in which what stands in itself is its id. */
function withoutCycles(value: unknown, inside: readonly unknown[] = []): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (inside.includes(value)) return (value as { readonly id: unknown }).id;
  const all = [...inside, value];
  if (Array.isArray(value)) return value.map((one) => withoutCycles(one, all));
  return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, withoutCycles(one, all)]));
}

const copyOf = (recorder: unknown): Seed =>
  JSON.parse(JSON.stringify(seedOf((recorder as StoreRecorder).look() as Case))) as Seed;

describe('what is copied as a seed', () => {
  it('gives the same values with all that they are related to: rows, lists, names, unions, lists of their own', async () => {
    const first = await shown({ User: rows });
    const seed = copyOf(first.recorder);
    const second = await shown(seed);

    expect(first.values.join()).toMatch(/Core.*new.*dog.*Read/);
    expect(second.values).toEqual(first.values);
    expect(copyOf(second.recorder)).toEqual(seed);
    expect(seed['User']?.[1]).toEqual({ ...rows[1], team: { id: 7, name: 'Core' } });
  });

  it('keeps the pk of a relation of which the store has no row', async () => {
    const first = await shown({ User: [{ id: 1, name: 'Ada', team: 8 }] });
    const [seen] = first.read(Users.getList.select()) ?? [];
    expect(seen?.team).toBeUndefined();

    const seed = copyOf(first.recorder);
    const [copied] = (await shown(seed)).read(Users.getList.select()) ?? [];

    expect(seed['User']).toEqual([{ id: 1, name: 'Ada', team: '8' }]);
    expect(copied).toEqual(seen);
  });

  it('has relations as redact gives them', async () => {
    const { store } = await shown({ User: rows });
    recordResources(store).stop();
    const redact = (value: unknown, path: string): unknown => (path === 'Team/7/name' ? '…' : value);

    expect(JSON.stringify(copyOf(recordResources(store, { redact })))).not.toContain('Core');
  });

  it('has the rows of a slice that was taken in, before anything is asked for', async () => {
    const other = await shown({ User: [{ id: 1, name: 'Ada' }], Team: [{ id: 7, name: 'Core' }] });
    const { store, resources } = setup();
    const recorder = recordResources(store);

    store.dispatch(resources.hydrate(other.slice()));

    expect(copyOf(recorder)).toEqual(copyOf(other.recorder));
    expect(copyOf(recorder)['User']?.[0]).toMatchObject({ id: 1, name: 'Ada' });
  });
});
