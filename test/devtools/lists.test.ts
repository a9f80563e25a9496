import { createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
import { recordResources, type Question } from 'rtk-resource/devtools/production';
import { describe, expect, it } from 'vitest';
import { type Network, networkOfFile, pass } from '../support/network.js';
import { setup } from '../support/store.js';

class Team extends Entity {
  id = 0;
  name = '';
  static override key = 'Team';
}

const Teams = createResource({ path: '/teams/:id', schema: Team, optimistic: true });
const plain = new RestEndpoint({ path: '/all', name: 'Team/list', schema: [Team] });
const byName = new RestEndpoint({ path: '/names', name: 'Team/byName', schema: new schema.Values(Team) });
const everything = new RestEndpoint({ path: '/every', name: 'Team/every', schema: new schema.All(Team) });
const rows = [
  { id: 7, name: 'Core' },
  { id: 8, name: 'Web' },
];

const network = networkOfFile();

function recorded() {
  const tools = setup();
  const recorder = recordResources(tools.store);
  const told = (question: Question) => {
    const { value, because } = recorder.explain(question);
    const typeOf = (wanted: string | undefined) => recorder.events.find(({ id }) => id === wanted)?.type;

    return [value, ...because.map(({ kind, eventId }) => [kind, typeOf(eventId)])];
  };
  const answered = async (send: () => unknown, name: string, answer: Parameters<Network['release']>[1]) => {
    send();
    await pass();
    await network.release(name, answer);
  };

  return { ...tools, recorder, told, answered };
}

describe('a list of a slice that was taken in', () => {
  const list = { list: 'Team/getList', args: [] } as const;

  it('is not known before its endpoint is: neither is who is in it', async () => {
    const other = recorded();
    await other.answered(() => other.store.dispatch(Teams.getList()), 'GET /teams', { json: rows });
    const { store, resources, recorder, told, answered, read } = recorded();
    store.dispatch(resources.hydrate(other.slice()));
    expect(read(Teams.getList.select())).toHaveLength(2);

    expect(told(list)).toEqual([undefined, ['before-recording', undefined]]);
    expect(told({ ...list, pk: '7' })).toEqual([undefined, ['before-recording', undefined]]);
    expect(recorder.explain({ ...list, pk: '7' }).because[0]?.text).toBe(
      'The devtools do not know the endpoint Team/getList yet: no request of it was made in this store.',
    );
    await answered(() => store.dispatch(Teams.getList()), 'GET /teams', { json: rows });
    expect(told({ ...list, pk: '7' })).toEqual([true, ['hydrated', 'resources/hydrate']]);
  });
});

describe('a list without a Collection', () => {
  const endpoints = [
    { endpoint: plain, key: 'GET /all', json: rows },
    { endpoint: byName, key: 'GET /names', json: { core: rows[0], web: rows[1] } },
  ] as const;

  it.each(endpoints)('is as its answer has brought it: $key', async ({ endpoint, key, json }) => {
    const { store, told, answered } = recorded();
    const list = { list: endpoint.name, args: [] } as const;
    await answered(() => store.dispatch(endpoint()), key, { json });
    const answer = ['answer', `${endpoint.name}/fulfilled`];

    expect(told(list)).toEqual([['7', '8'], answer]);
    expect(told({ ...list, pk: '7' })).toEqual([true, answer]);
    expect(told({ ...list, pk: '9' })).toEqual([false, answer]);
  });

  it('is without a row that was deleted since', async () => {
    const { store, told, answered } = recorded();
    const list = { list: plain.name, args: [] } as const;
    await answered(() => store.dispatch(plain()), 'GET /all', { json: rows });
    await answered(() => store.dispatch(Teams.delete({ id: 7 })), 'DELETE /teams/7', { status: 204 });
    const answer = ['answer', 'Team/list/fulfilled'];
    const deleted = ['deleted', 'Team/delete/fulfilled'];

    expect(told(list)).toEqual([['8'], answer, deleted]);
    expect(told({ ...list, pk: '7' })).toEqual([false, deleted, answer]);
  });

  it('is a row, of one', async () => {
    const { store, told, answered } = recorded();
    await answered(() => store.dispatch(Teams.get({ id: 7 })), 'GET /teams/7', { json: rows[0] });

    expect(told({ list: 'Team/get', args: [{ id: 7 }] })).toEqual([['7'], ['answer', 'Team/get/fulfilled']]);
  });

  it('may be told by what others have brought', async () => {
    const { store, told, answered } = recorded();
    await answered(() => store.dispatch(Teams.get({ id: 8 })), 'GET /teams/8', { json: rows[1] });
    await answered(() => store.dispatch(plain()), 'GET /all', { json: rows });

    expect(told({ list: 'Team/get', args: [{ id: 7 }] })).toEqual([['7'], ['answer', 'Team/list/fulfilled']]);
  });

  it('has all rows of a class, where its schema says so', async () => {
    const { store, told, answered } = recorded();
    await answered(() => store.dispatch(everything()), 'GET /every', { json: [rows[0]] });
    await answered(() => store.dispatch(plain()), 'GET /all', { json: rows });

    expect(told({ list: 'Team/every', args: [], pk: '8' })[0]).toBe(true);
  });

  it('may be set by hand, and may be older than the recording', async () => {
    const { store, resources, recorder, told, answered } = recorded();
    const list = { list: plain.name, args: [] } as const;
    await answered(() => store.dispatch(plain()), 'GET /all', { json: rows });
    store.dispatch(resources.setResponse(plain, {}, rows as never));
    expect(told(list)).toEqual([
      ['7', '8'],
      ['set', 'resources/setResponse'],
    ]);
    recorder.stop();

    expect(recordResources(store).explain(list).because).toEqual([
      {
        kind: 'before-recording',
        text: expect.stringMatching(/^It is as it was before the recording began\. GET/) as string,
      },
    ]);
  });
});
