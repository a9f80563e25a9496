import { createResource, Entity } from 'rtk-resource';
import { recordResources } from 'rtk-resource/devtools/production';
import { describe, expect, it } from 'vitest';
import { networkOfFile, pass } from '../support/network.js';
import { setup } from '../support/store.js';

class User extends Entity {
  id = 0;
  name = '';
  email = '';
  static override key = 'User';
}

const searchParams = {} as { readonly email?: string; readonly name?: string } | undefined;
const Users = createResource({ path: '/users/:id', schema: User, searchParams, optimistic: true });
const redact = (value: unknown, path: string): unknown => (/\/email$/.test(path) ? '***' : value);
const ada = { email: 'ada@x.org' };
const grace = { email: 'grace@x.org' };
const rowOf = (fields: object) => ({ id: 1, name: 'Ada', email: 'ada@x.org', ...fields });

const network = networkOfFile();

const addressOf = ({ email }: { readonly email: string }): string => `GET /users?email=${encodeURIComponent(email)}`;

async function recorded(options: Parameters<typeof recordResources>[1] = { redact }) {
  const tools = setup();
  const recorder = recordResources(tools.store, options);
  const read = async (params: { readonly email: string }, json: unknown, status = 200) => {
    void tools.store.dispatch(Users.getList(params));
    await pass();
    await network.release(addressOf(params), { json, status });
  };
  await read(ada, [rowOf({})]);
  await read(grace, [rowOf({ id: 2, name: 'Grace', ...grace })]);

  return { ...tools, recorder, read };
}

/** No secret, however it is written. */
const secret = /ada@|ada%40|grace@|grace%40/;

describe('what is redacted in arguments', () => {
  it('is in no key, name or list of what is recorded and explained', async () => {
    const { store, resources, recorder, read } = await recorded();
    store.dispatch(resources.expire(Users.getList, ada));
    await read(ada, {}, 500);
    const { key } = recorder.events[0]?.meta.arg ?? {};
    void store.dispatch(Users.partialUpdate({ id: 1 }, grace));
    await pass();
    const questions = [ada, grace].flatMap((params) => [
      { list: 'User/getList', args: [params] },
      { list: 'User/getList', args: [params], pk: '1' },
      { list: 'User/getList', args: [params], pk: '2' },
      { request: `User/getList ${Users.getList.key(params)}` },
    ]);

    expect(key).toBe('GET /users?email=***');
    expect(JSON.stringify(recorder.events)).not.toMatch(secret);
    expect(JSON.stringify(questions.map((question) => recorder.explain(question).because))).not.toMatch(secret);
    await network.release('PATCH /users/1', { json: rowOf(grace) });
    expect(JSON.stringify(recorder.events)).not.toMatch(secret);
    expect(JSON.stringify(questions.map((question) => recorder.explain(question).because))).not.toMatch(secret);
  });

  it('leaves requests and lists apart that differ in it alone', async () => {
    const { recorder } = await recorded();
    const [first, second] = [ada, grace].map((params) => {
      const { value, because } = recorder.explain({ list: 'User/getList', args: [params] });
      const request = recorder.explain({ request: `User/getList ${Users.getList.key(params)}` });

      return [value, because[0]?.eventId, request.value, request.because[0]?.eventId];
    });

    expect(first).toEqual([['1'], 'event-2', 'fulfilled', 'event-2']);
    expect(second).toEqual([['2'], 'event-4', 'fulfilled', 'event-4']);
  });

  it('is in no key that is older than the recording', async () => {
    const { store, recorder } = await recorded({});
    recorder.stop();

    const { because } = recordResources(store, { redact }).explain({ entity: 'User', pk: '1', field: 'name' });

    expect(because[0]?.text).toMatch(/The newest answer that shows the row is that of GET \/users\?email=\*\*\* \(/);
  });

  it('may be in a key alone, which is offered, too', async () => {
    const keys = (value: unknown, path: string): unknown => (path === 'User/getList/key' ? 'users' : value);
    const { recorder } = await recorded({ redact: keys });

    expect(recorder.events.map(({ meta }) => meta.arg?.key)).toEqual(['users', 'users', 'users (2)', 'users (2)']);
  });

  it.each([
    ['that is no JSON', () => new Response('ada@x.org', { headers: { 'content-type': 'application/json' } })],
    ['of another type', () => new Response('<p>ada@x.org', { headers: { 'content-type': 'text/html' } })],
    ['without a pk', () => Response.json([{ name: 'Ada', email: 'ada@x.org' }])],
    ['that does not fit', () => Response.json({ email: 'ada@x.org' })],
  ])('is in no message about an answer %s', async (_, answer) => {
    const { store } = setup({ fetchFn: () => Promise.resolve(answer()) });
    const recorder = recordResources(store, { redact });

    await store.dispatch(Users.getList(ada));

    const { because } = recorder.explain({ request: `User/getList ${Users.getList.key(ada)}` });
    expect(because[0]?.text).toContain('GET /users?email=***');
    expect(JSON.stringify([recorder.events, because])).not.toMatch(secret);
  });
});
