import { Collection, createResource, Entity, RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { assertPlain } from '../support/plain.js';
import { expectIdle, setup } from '../support/store.js';

type Fields = Record<string, unknown>;

/** What no state can hold, put into some fields. */
const odd: readonly (readonly [name: string, spoil: (fields: Fields) => unknown, told: string])[] = [
  ['something that refers to itself', (fields) => (fields['self'] = { deeper: [fields] }), 'refers to itself'],
  ['a Date', (fields) => (fields['at'] = new Date(0)), 'a Date'],
  ['a Map', (fields) => (fields['by'] = new Map([[1, 2]])), 'a Map'],
  ['a BigInt', (fields) => (fields['size'] = 5n), '5'],
  ['a function', (fields) => (fields['run'] = () => 1), 'function'],
];

const answering = (json: unknown) => ({ fetchFn: () => Promise.resolve(Response.json(json)) });

describe.each(odd)('%s', (name, spoil, told) => {
  let isSpoilt = true;
  const spoilt = (fields: Fields): Fields => {
    const next = { ...fields };
    if (isSpoilt) spoil(next);

    return next;
  };
  class Processed extends Entity {
    id = 0;
    title = '';
    static override key = `Processed ${name}`;
    static override process(input: Fields) {
      return spoilt(input);
    }
  }
  class Merged extends Entity {
    id = 0;
    title = '';
    static override key = `Merged ${name}`;
    static override merge(existing: Fields, incoming: Fields) {
      return spoilt({ ...existing, ...incoming });
    }
  }

  it.each([
    ['process', Processed],
    ['merge', Merged],
  ])('from %s of a class rejects the request by name, and leaves the state as it was', async (hook, Class) => {
    const { store, resources, slice } = setup(
      answering([
        { id: 1, title: 'a' },
        { id: 1, title: 'b' },
      ]),
    );
    const getAll = new RestEndpoint({ path: '/all', name: `${hook} ${name}`, schema: [Class] });
    const getOne = new RestEndpoint({ path: '/one/:id', name: `${hook} one ${name}`, schema: Class });
    isSpoilt = false;
    store.dispatch(resources.setResponse(getOne, { id: 1 }, { id: 1, title: 'before' }));
    const { tables } = slice();
    isSpoilt = true;

    const actions = [await store.dispatch(getAll()), await store.dispatch(getAll())];

    for (const { error } of actions) {
      expect(error).toMatchObject({ name: 'ResourceError', code: 'R11' });
      expect(error?.message).toContain(`${hook} of ${Class.key}`);
      expect(error?.message).toContain(told);
    }
    expect(slice().tables).toEqual(tables);
    assertPlain(slice());
    expectIdle(slice());
  });

  it('from process of a class is refused when a guess or a write by hand brings it', async () => {
    const { store, resources, slice } = setup(answering(null));
    isSpoilt = true;
    const Rows = createResource({ path: '/rows/:id', name: `guess ${name}`, schema: Processed, optimistic: true });

    const action = await store.dispatch(Rows.getList.push({ title: 'new' }));

    expect(action.error).toMatchObject({ code: 'R11' });
    expect(() => {
      store.dispatch(resources.set(Processed, { id: 2, title: 'by hand' }));
    }).toThrow('process of Processed');
    assertPlain(slice());
    expectIdle(slice());
  });

  it('from the rule by which a page joins its list rejects the page', async () => {
    const { store, slice } = setup(answering([{ id: 1, title: 'a' }]));
    class Item extends Entity {
      id = 0;
      static override key = `Item ${name}`;
    }
    const items = new Collection([Item]);
    const getItems = new RestEndpoint({ path: '/items', name: `items ${name}`, schema: items });
    const getMore = getItems.extend({
      name: `more ${name}`,
      schema: items.addWith(((_: unknown, came: readonly unknown[]) => {
        const list: unknown[] = [...came];
        const fields: Fields = {};
        spoil(fields);
        list.push(fields);

        return list;
      }) as never),
    });

    const action = await store.dispatch(getMore());

    expect(action.error).toMatchObject({ code: 'R11' });
    assertPlain(slice());
  });
});

describe('the body of an error', () => {
  const failing = (body: BodyInit, type: string) => ({
    fetchFn: () => Promise.resolve(new Response(body, { status: 500, headers: { 'content-type': type } })),
  });
  const getPage = new RestEndpoint({ path: '/page', name: 'getPage' });

  it('is kept as 2 kB of what is text', async () => {
    const html = `<html>${'x'.repeat(1_300_000)}</html>`;
    const { store, slice } = setup(failing(html, 'text/html'));

    const promise = store.dispatch(getPage());
    const action = await promise;

    expect(action.error?.data).toBe(html.slice(0, 2_048));
    expect(JSON.stringify(slice()).length).toBeLessThan(10_000);
    await expect(promise.unwrap()).rejects.toMatchObject({ data: html });
  });

  it('is kept as it is where it is JSON', async () => {
    const problem = { errors: Array.from({ length: 500 }, (_, i) => `field ${String(i)} is wrong`) };
    const { store } = setup(failing(JSON.stringify(problem), 'application/json'));

    expect((await store.dispatch(getPage())).error?.data).toEqual(problem);
  });
});

describe('what others throw', () => {
  const throwing = (thrown: unknown) =>
    new RestEndpoint({
      path: '/x',
      name: 'x',
      fetch: () => {
        throw thrown;
      },
    });
  const refusal = { status: 422, data: { title: 'too short' } };

  it.each([
    ['what RTK Query says', refusal, { name: 'Error', message: JSON.stringify(refusal), ...refusal }],
    [
      'what createAsyncThunk says',
      { name: 'TypeError', message: 'No line.', code: 'ECONNRESET', at: new Date(0) },
      { name: 'TypeError', message: 'No line.', code: 'ECONNRESET' },
    ],
    [
      'fields of other types',
      { name: {}, code: 7, status: 'FETCH_ERROR', data: new Date(0) },
      { name: 'Error', message: expect.stringContaining('FETCH_ERROR') as unknown, data: '1970-01-01T00:00:00.000Z' },
    ],
    [
      'an error of another client',
      Object.assign(new Error('Too short.'), refusal),
      { name: 'Error', message: 'Too short.', ...refusal },
    ],
    ['an object that holds itself', cyclic(), { name: 'Error', message: 'something that cannot be shown' }],
    ['a response', new Response(null, { status: 404 }), { message: '[object Response]', status: 404 }],
  ])('tells in the state what it says: %s', async (_, thrown, told) => {
    const { store, slice, read } = setup();
    const failing = throwing(thrown);

    const { error } = await store.dispatch(failing());

    expect(error).toMatchObject(told);
    expect(read(failing.selectRequest()).error).toEqual(error);
    assertPlain(slice());
  });
});

function cyclic(): object {
  const one: Record<string, unknown> = {};
  one['self'] = one;
  return one;
}

describe('the value of a header', () => {
  const secret = 'eyJhbGciOiJIUzI1NiJ9';
  const signed = new RestEndpoint({
    path: '/signed',
    name: 'signed',
    getHeaders: (headers) => ({ ...headers, Authorization: `Bearer ${secret}` }),
  });
  /** What engines say of it. */
  const wordings = [
    `Header 'Authorization' has invalid value: 'Bearer ${secret}\u0000'`,
    `Headers.append: "Bearer ${secret}" is an invalid header value.`,
    `Ungültiger Wert: Bearer ${secret}`,
    `bad: ${secret}`,
  ];

  it.each(wordings)('is in no message, action or state: %s', async (text) => {
    const { store, slice } = setup({ fetchFn: () => Promise.reject(new TypeError(text)) });
    const { store: other } = setup({
      fetchFn: () => Promise.reject(new TypeError('fetch failed', { cause: new Error(text) })),
    });

    const actions = [await store.dispatch(signed()), await other.dispatch(signed())];

    for (const { error } of actions) expect(error).toMatchObject({ code: 'R20' });
    expect(JSON.stringify([actions, slice()])).not.toContain(secret);
  });

  it('is in no message of an adapter, or without a store', async () => {
    const { store } = setup();
    const adapted = signed.extend({
      name: 'adapted',
      fetchResponse: (_, init) => Promise.reject(new Error(JSON.stringify(init.headers))),
    });
    const plain = adapted.extend({
      name: 'plain',
      // As some clients do, which throw all they know of a request.
      fetchResponse: (_, config) => {
        const thrown: unknown = { at: 'x'.repeat(3_000), config };
        throw thrown;
      },
    });

    const actions = [await store.dispatch(adapted()), await store.dispatch(plain())];
    const error: unknown = await adapted.fetch().catch((thrown: unknown) => thrown);

    expect(JSON.stringify(actions)).not.toContain(secret);
    expect(String(error)).not.toContain(secret);
    for (const one of [error, ...actions.map((action) => action.error)]) expect(one).toMatchObject({ code: 'R20' });
  });

  it('is in no message of a client that says again what the platform has said of it', async () => {
    const { store } = setup();
    const wrapped = signed.extend({
      name: 'wrapped',
      getHeaders: () => {
        try {
          return Object.fromEntries(new Headers({ Authorization: `${secret}\nx` }));
        } catch (error) {
          throw Object.assign(new Error('FETCH_ERROR'), { message: `FETCH_ERROR: ${String(error)}` });
        }
      },
    });

    const action = await store.dispatch(wrapped());

    expect(JSON.stringify(action)).not.toContain(secret);
    expect(action.error).toMatchObject({ code: 'R20' });
  });

  it.each([
    ['a letter beyond Latin-1', { 'X-User': 'Łukasz' }],
    ['a line break', { 'X-User': 'a\nb' }],
    ['a name with a blank', { 'X User': 'Ada' }],
  ])('is refused before anything is sent where HTTP does not allow it: %s', async (_, more) => {
    let sent = 0;
    let tries = 0;
    const { store } = setup({ fetchFn: () => Promise.resolve(Response.json(++sent)) });
    const odd = new RestEndpoint({
      path: '/odd',
      name: 'odd',
      retry: 2,
      getHeaders: (headers) => (tries++, { ...headers, ...more }),
    });

    const { error } = await store.dispatch(odd());

    expect(error).toMatchObject({ name: 'ResourceError', code: 'R20' });
    expect([tries, sent]).toEqual([1, 0]);
  });

  it('hides no other error, though the address says the same', async () => {
    const { store } = setup({ fetchFn: () => Promise.resolve(new Response(null, { status: 404 })) });
    const ofTenant = new RestEndpoint({
      path: '/tenants/:tenant',
      name: 'ofTenant',
      getHeaders: () => ({ 'X-Tenant': 'acme-corporation' }),
    });

    const { error } = await store.dispatch(ofTenant({ tenant: 'acme-corporation' }));

    expect(error).toMatchObject({ name: 'NetworkError', status: 404 });
  });

  it.each([
    ['in the same words', new Error('Field status has invalid value "b"')],
    ['of a header name', new RangeError('the header name of row 3 is empty')],
  ])('hides no error of the user’s own code that speaks of its data %s', async (_, thrown) => {
    const { store } = setup({ fetchFn: () => Promise.resolve(Response.json({})) });
    const strict = new RestEndpoint({
      path: '/strict',
      name: 'strict',
      process: () => {
        throw thrown;
      },
    });

    const promise = store.dispatch(strict());

    expect((await promise).error).toMatchObject({ name: thrown.name, message: thrown.message });
  });

  it('hides no failure of the network that names the host, which the address says too', async () => {
    const down = new TypeError('fetch failed', {
      cause: new Error('getaddrinfo ENOTFOUND acme-corporation.example.com'),
    });
    const { store } = setup({ fetchFn: () => Promise.reject(down) });
    const ofTenant = new RestEndpoint({
      path: 'https://acme-corporation.example.com/todos',
      name: 'ofTenant',
      getHeaders: () => ({ 'X-Tenant': 'acme-corporation' }),
    });
    const adapted = ofTenant.extend({ name: 'adapted', fetchResponse: () => Promise.reject(down) });

    const { error } = await store.dispatch(ofTenant());
    const { error: other } = await store.dispatch(adapted());

    for (const told of [error, other])
      expect(told).toMatchObject({ name: 'NetworkError', message: expect.stringContaining('ENOTFOUND') as string });
  });
});
