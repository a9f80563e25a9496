import { configureStore } from '@reduxjs/toolkit';
import {
  configureResources,
  createResource,
  Entity,
  RestEndpoint,
  type EndpointHooks,
  type HookApi,
  type Snapshot,
} from 'rtk-resource';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Thing extends Entity {
  id = 0;
  by = '';
  static override key = 'Thing';
}

const server = await serverOfFile();

const place = { urlPrefix: server.url, path: '/things/:id' } as const;

/** As much of an endpoint as these tests use, whatever its shape. */
interface Made {
  readonly name: string;
  key(...args: readonly unknown[]): string;
  testKey(key: string): boolean;
  fetch(...args: readonly unknown[]): Promise<unknown>;
}

/** The ways to give an endpoint a hook as an option. */
const ways: readonly (readonly [way: string, make: (hooks: EndpointHooks) => Made])[] = [
  ['new RestEndpoint', (hooks) => new RestEndpoint({ ...place, ...hooks })],
  ['createResource', (hooks) => createResource({ ...place, schema: Thing, ...hooks }).get],
  ['endpoint.extend', (hooks) => new RestEndpoint(place).extend(hooks)],
  ['extend of a member', (hooks) => createResource({ ...place, schema: Thing }).extend({ get: hooks }).get],
  ['extend by a member', (hooks) => createResource({ ...place, schema: Thing }).extend('own', hooks).own],
  [
    'extend by a function',
    (hooks) => createResource({ ...place, schema: Thing }).extend((base) => ({ own: base.get.extend(hooks) })).own,
  ],
];

describe.each(ways)('an option of %s', (_, make) => {
  beforeEach(() => {
    server.answer('GET /things/5', { json: { id: 5 }, headers: { 'x-served': 'yes' } });
  });

  it('overrides key', () => {
    expect(make({ key: (params) => `of ${JSON.stringify(params)}` }).key({ id: 5 })).toBe('of {"id":5}');
  });

  it('overrides testKey', () => {
    const own = make({ testKey: (key) => key.startsWith('of ') });

    expect([own.testKey('of 5'), own.testKey(`GET ${server.url}/things/5`)]).toEqual([true, false]);
  });

  it('overrides url', async () => {
    server.answer('GET /elsewhere', { json: 'there' });

    expect(await make({ url: () => `${server.url}/elsewhere` }).fetch({ id: 5 })).toBe('there');
  });

  it('overrides searchToString, of what the path does not name', async () => {
    const own = make({ searchToString: (params) => `filter=${Object.keys(params).join('+')}` });

    await own.fetch({ id: 5, b: { deep: 1 }, a: 2 });

    expect(server.received[0]?.query).toBe('filter=b+a');
    expect(own.key({ id: 5, b: 1 })).toBe(`GET ${server.url}/things/5?filter=b`);
  });

  it('overrides getRequestInit', async () => {
    server.answer('PUT /things/5', { json: null });

    await make({ getRequestInit: () => ({ method: 'PUT', body: 'own', headers: { 'x-own': 'yes' } }) }).fetch({
      id: 5,
    });

    expect(server.received).toMatchObject([{ method: 'PUT', body: 'own', headers: { 'x-own': 'yes' } }]);
  });

  it('overrides getHeaders', async () => {
    await make({ getHeaders: (headers) => ({ ...headers, 'x-own': Object.keys(headers).join() }) }).fetch({ id: 5 });

    expect(server.received[0]?.headers).toMatchObject({ accept: 'application/json', 'x-own': 'Accept' });
  });

  it('overrides fetchResponse', async () => {
    const own = make({ fetchResponse: (input) => Promise.resolve(Response.json({ id: 5, by: input })) });

    expect(await own.fetch({ id: 5 })).toEqual({ id: 5, by: `${server.url}/things/5` });
    expect(server.received).toEqual([]);
  });

  it('overrides fetchResponse, and still fails where the server has refused', async () => {
    const refused = make({
      fetchResponse: () => Promise.resolve(Response.json({ title: 'too short' }, { status: 422 })),
    });
    const lenient = make({
      fetchResponse: () => Promise.resolve(new Response(null, { status: 404 })),
      parseResponse: (response) => Promise.resolve({ id: 5, status: response.status }),
    });

    await expect(refused.fetch({ id: 5 })).rejects.toMatchObject({ status: 422, data: { title: 'too short' } });
    expect(await lenient.fetch({ id: 5 })).toEqual({ id: 5, status: 404 });
  });

  it('overrides parseResponse', async () => {
    const own = make({ parseResponse: async (response) => [response.headers.get('x-served'), await response.text()] });

    expect(await own.fetch({ id: 5 })).toEqual(['yes', '{"id":5}']);
  });

  it('overrides process', async () => {
    expect(await make({ process: (...all) => all }).fetch({ id: 5 })).toEqual([{ id: 5 }, { id: 5 }, undefined]);
  });

  it('overrides fetch', async () => {
    expect(await make({ fetch: (...args) => Promise.resolve(args) }).fetch({ id: 5 })).toEqual([{ id: 5 }]);
    expect(server.received).toEqual([]);
  });

  it('is waited for, where it is async', async () => {
    const own = make({
      getRequestInit: () => Promise.resolve({ headers: { 'x-init': 'late' } }),
      getHeaders: (headers) => Promise.resolve(new Headers({ ...headers, 'x-headers': 'later' })),
      parseResponse: async (response) => (await response.json()) as unknown,
      process: (value) => Promise.resolve({ ...(value as object), by: 'process' }),
    });

    expect(await own.fetch({ id: 5 })).toEqual({ id: 5, by: 'process' });
    expect(server.received[0]?.headers).toMatchObject({ 'x-init': 'late', 'x-headers': 'later' });
  });

  it('has the endpoint as its this', async () => {
    const seen: unknown[] = [];
    const see = function (this: unknown): void {
      seen.push((this as Made).name);
    };
    const own = make({
      getHeaders(headers) {
        see.call(this);
        return headers;
      },
      process(value) {
        see.call(this);
        return value;
      },
    });

    await own.fetch({ id: 5 });

    expect(seen).toEqual([own.name, own.name]);
  });
});

it('a method in small letters is sent as servers know it, and edits its row', async () => {
  const { store, read, resources } = setup();
  server.answer('PATCH /things/5', { status: 204 });
  const rename = createResource({ ...place, schema: Thing }).get.extend({
    name: 'Thing/rename',
    method: 'patch',
    body: {} as { by: string },
  });
  store.dispatch(resources.set(Thing, { id: 5, by: 'Bob' }));

  await store.dispatch(rename({ id: 5 }, { by: 'Ada' })).unwrap();

  expect(read(resources.selectEntity(Thing, 5))?.by).toBe('Ada');
});

it('a hook may call its this for another request, as it may call the endpoint', async () => {
  const { store } = setup();
  server.answer('GET /things/5', { json: { id: 5 } });
  const asked: unknown[] = [];
  const own = new RestEndpoint({
    ...place,
    schema: Thing,
    process(value): unknown {
      asked.push(this({ id: 6 }).args, this.name);
      return value;
    },
  });

  await store.dispatch(own({ id: 5 }));

  expect(asked).toEqual([[{ id: 6 }], own.name]);
});

describe('a subclass', () => {
  /** Does what RestEndpoint does, and tells in which order. */
  class Telling extends RestEndpoint {
    declare readonly told: unknown[];

    private tell<Value>(hook: string, value: Value): Value {
      this.told.push(hook);
      return value;
    }
    override key(...args: Parameters<RestEndpoint['key']>): string {
      return this.tell('key', super.key(...args));
    }
    override url(...args: Parameters<RestEndpoint['url']>): string {
      this.told.push('url');
      return super.url(...args);
    }
    override searchToString(params: Readonly<Record<string, unknown>>): string {
      return this.tell('searchToString', super.searchToString(params));
    }
    override getRequestInit(body: unknown, api?: HookApi): RequestInit | Promise<RequestInit> {
      return this.tell('getRequestInit', super.getRequestInit(body, api));
    }
    override getHeaders(headers: Record<string, string>, api?: HookApi): HeadersInit | Promise<HeadersInit> {
      return this.tell('getHeaders', super.getHeaders(headers, api));
    }
    override fetchResponse(input: string, init: RequestInit): Promise<Response> {
      return this.tell('fetchResponse', super.fetchResponse(input, init));
    }
    override parseResponse(response: Response): Promise<unknown> {
      return this.tell('parseResponse', super.parseResponse(response));
    }
    override process(...args: Parameters<RestEndpoint['process']>): unknown {
      return this.tell('process', super.process(...args));
    }
    override async fetch(...args: Parameters<RestEndpoint['fetch']>): Promise<unknown> {
      this.told.push('fetch');
      await Promise.resolve();
      return this.tell('fetched', await super.fetch(...args));
    }
    override testKey(key: string): boolean {
      return this.tell('testKey', super.testKey(key));
    }
    override getOptimisticResponse = (_snapshot: Snapshot, ...args: readonly unknown[]): unknown => {
      this.told.push('getOptimisticResponse');
      return { ...(args[0] as object), ...(args[1] as object) };
    };
  }
  const told: unknown[] = [];
  Object.defineProperty(Telling.prototype, 'told', { value: told });
  afterEach(() => {
    told.length = 0;
  });
  const chain = ['getRequestInit', 'getHeaders', 'fetchResponse', 'parseResponse', 'process'];

  const TellingResource = createResource({ ...place, schema: Thing, Endpoint: Telling });

  it('overrides every hook with super, called in the order of the chain', async () => {
    server.answer('GET /things/5', { json: { id: 5 } });

    const value = await TellingResource.get.fetch({ id: 5 });

    expect(value).toEqual({ id: 5 });
    expect(told).toEqual(['fetch', 'url', 'searchToString', ...chain, 'fetched']);
    expect(TellingResource.get.testKey(`GET ${server.url}/things/5`)).toBe(true);
  });

  it('has its key asked before the chain runs, where there is a store', async () => {
    const { store } = setup();
    server.answer('GET /things/5', { json: { id: 5, by: 'server' } });

    const value = await store.dispatch(TellingResource.get({ id: 5 })).unwrap();

    expect(value).toEqual(Thing.fromJS({ id: 5, by: 'server' }));
    const start = told.indexOf('fetch');
    expect(told.slice(0, start)).toContain('key');
    expect(told.slice(start).filter((hook) => hook !== 'key')).toEqual([
      'fetch',
      'url',
      'searchToString',
      ...chain,
      'fetched',
    ]);
  });

  it('says what a write shows until its answer is there', async () => {
    const { store, read } = setup();
    server.answer('GET /things/5', { json: { id: 5, by: 'server' } });
    await store.dispatch(TellingResource.get({ id: 5 }));
    told.length = 0;

    const promise = store.dispatch(TellingResource.update({ id: 5 }, { by: 'me' }));
    const shown = read(TellingResource.get.select({ id: 5 }));
    await server.release('PUT /things/5', { json: { id: 5, by: 'us' } });

    expect(shown).toEqual(Thing.fromJS({ id: 5, by: 'me' }));
    expect(await promise.unwrap()).toEqual(Thing.fromJS({ id: 5, by: 'us' }));
    expect(told.indexOf('getOptimisticResponse')).toBeLessThan(told.indexOf('fetch'));
    expect(told).toContain('getOptimisticResponse');
  });

  it('is what its extensions are of', async () => {
    server.answer('POST /things/5/poke', { json: { id: 5 } });
    const { poke } = TellingResource.extend('poke', { path: '/things/:id/poke', method: 'POST' });

    await poke.fetch({ id: 5 }, {});

    expect(poke).toBeInstanceOf(Telling);
    expect(told).toEqual(['fetch', 'url', 'searchToString', ...chain, 'fetched']);
  });

  it('can be subclassed, each level reaching the one above', async () => {
    class Louder extends Telling {
      override process(...args: Parameters<RestEndpoint['process']>): unknown {
        return [super.process(...args), 'louder'];
      }
    }
    server.answer('GET /things/5', { json: { id: 5 } });

    const endpoint = new Louder(place);

    expect(await endpoint.fetch({ id: 5 })).toEqual([{ id: 5 }, 'louder']);
    expect(told).toContain('process');
  });

  it('gives way to an option, which can reach it', async () => {
    server.answer('GET /things/5', { json: { id: 5 } });
    const extended = TellingResource.extend((base) => ({
      get: base.get.extend({
        process(...args) {
          return [base.get.process.call(this, ...args), 'option'];
        },
      }),
    }));

    expect(await extended.get.fetch({ id: 5 })).toEqual([{ id: 5 }, 'option']);
    expect(told.filter((hook) => hook === 'process')).toHaveLength(1);
  });

  it('gives way to options in its fields', async () => {
    class Slow extends RestEndpoint {
      override readonly urlPrefix = 'http://class.invalid';
      override readonly method = 'POST';
      override readonly pollFrequency = 5;
      override readonly requestInit: RequestInit = { headers: { 'x-from': 'class' } };
    }
    server.answer('PUT /things/5', { json: { id: 5 } });

    const { get, update } = createResource({
      ...place,
      schema: Thing,
      Endpoint: Slow,
      pollFrequency: 1000,
      requestInit: { headers: { 'x-from': 'option' } },
    });
    await update.fetch({ id: 5 }, {});

    expect([get.pollFrequency, get.urlPrefix, update.method]).toEqual([1000, server.url, 'PUT']);
    expect(server.received[0]?.headers).toMatchObject({ 'x-from': 'option' });
  });

  it('says by its fields what no option does', async () => {
    class Search extends RestEndpoint {
      override readonly urlPrefix = server.url;
      override readonly method = 'POST';
    }
    server.answer('POST /things/5', { json: { id: 5 } });
    const search = new Search({ path: '/things/:id' });

    await search.fetch({ id: 5 }, { q: 1 });

    expect(server.received).toMatchObject([{ method: 'POST', path: '/things/5', body: { q: 1 } }]);
    search({ id: 5 }, {});
    expect(search.sideEffect).toBe(true);
  });
});

describe('a subclass with a class field', () => {
  class Posting extends RestEndpoint {
    override method = 'POST';
  }

  it('has its options first, also where the first use is without a store', async () => {
    server.answer('DELETE /things', { status: 204 });
    const remove = new Posting({ urlPrefix: server.url, path: '/things', method: 'DELETE' });

    await remove.fetch({ by: 'me' });

    expect(server.received.map(({ query, rawBody }) => [query, rawBody])).toEqual([['by=me', '']]);
  });
});

describe('the api of the store', () => {
  const seen: (readonly [hook: string, api: HookApi | undefined])[] = [];
  afterEach(() => {
    seen.length = 0;
  });

  class Seeing extends RestEndpoint {
    override getRequestInit(body: unknown, api?: HookApi): RequestInit | Promise<RequestInit> {
      seen.push(['getRequestInit', api]);
      return super.getRequestInit(body, api);
    }
    override getHeaders(headers: Record<string, string>, api?: HookApi): HeadersInit | Promise<HeadersInit> {
      seen.push(['getHeaders', api]);
      return { ...headers, 'x-request': api?.requestId ?? 'none' };
    }
    override async fetch(...args: Parameters<RestEndpoint['fetch']>): Promise<unknown> {
      await Promise.resolve();
      return super.fetch(...args);
    }
  }
  const SeeingResource = createResource({ ...place, schema: Thing, Endpoint: Seeing });

  function setupWithExtra(extraArgument: unknown) {
    const resources = configureResources();
    const store = configureStore({
      reducer: { resources: resources.reducer, theme: () => 'dark' },
      middleware: (getDefault) => getDefault({ thunk: { extraArgument } }).concat(resources.middleware),
    });

    return { store, resources };
  }

  it('is what getRequestInit and getHeaders get', async () => {
    const extra = { tenant: 'acme' };
    const { store, resources } = setupWithExtra(extra);
    server.answer('PATCH /things/5', { json: { id: 5 } });

    const promise = store.dispatch(SeeingResource.partialUpdate({ id: 5 }, { by: 'me' }));
    await promise.unwrap();

    expect(seen.map(([hook]) => hook)).toEqual(['getRequestInit', 'getHeaders']);
    for (const [, api] of seen) {
      expect(api?.getState()).toBe(store.getState());
      expect(api?.extra).toBe(extra);
      expect(api?.requestId).toBe(promise.requestId);
      expect(api?.signal.aborted).toBe(false);
      (api?.dispatch as typeof store.dispatch)(resources.set(Thing, { id: 5, by: 'the hook' }));
    }
    expect(resources.selectEntity(Thing, 5)(store.getState())?.by).toBe('the hook');
  });

  it('has a signal that is aborted with the request', async () => {
    const { store } = setupWithExtra(undefined);

    const promise = store.dispatch(SeeingResource.get({ id: 5 }));
    await server.holding('GET /things/5');
    promise.abort('unmounted');
    await promise;

    const signals = seen.map(([, api]) => api?.signal);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
    expect(signals.map((signal): unknown => signal?.reason)).toEqual(['unmounted', 'unmounted']);
  });

  it('is that of each request, though they overlap', async () => {
    const { store } = setupWithExtra(undefined);
    server.answer(/^PATCH/, { json: { id: 5 } });

    const promises = [1, 2, 3].map(() => store.dispatch(SeeingResource.partialUpdate({ id: 5 }, { by: 'me' })));
    await Promise.all(promises);

    expect(server.received.map(({ headers }) => headers['x-request']).sort()).toEqual(
      promises.map(({ requestId }) => requestId).sort(),
    );
    expect(new Set(promises.map(({ requestId }) => requestId)).size).toBe(3);
  });

  it('is that of each store, though they share the endpoint', async () => {
    const [one, other] = [setupWithExtra('one'), setupWithExtra('other')];
    server.answer('GET /things/5', { json: { id: 5 } });

    await Promise.all([one, other].map(({ store }) => store.dispatch(SeeingResource.get({ id: 5 }))));

    expect(new Set(seen.map(([, api]) => api?.extra))).toEqual(new Set(['one', 'other']));
  });

  it('has a signal and the arguments without a store, also after a request with one', async () => {
    const { store } = setupWithExtra(undefined);
    server.answer('GET /things/5', { json: { id: 5 } });
    await store.dispatch(SeeingResource.get({ id: 5 }));
    seen.length = 0;

    const value = await SeeingResource.get.fetch({ id: 5 });

    expect(value).toEqual({ id: 5 });
    expect(seen.map(([hook]) => hook)).toEqual(['getRequestInit', 'getHeaders']);
    for (const [, api] of seen) expect(api).toEqual({ signal: expect.any(AbortSignal) as unknown, args: [{ id: 5 }] });
  });

  it('has the arguments, in every hook', async () => {
    const told: Record<string, unknown> = {};
    class Telling extends RestEndpoint {
      override getRequestInit(body: unknown, api?: HookApi): RequestInit | Promise<RequestInit> {
        told['getRequestInit'] = api?.args;
        return super.getRequestInit(body, api);
      }
      override getHeaders(headers: Record<string, string>, api?: HookApi): HeadersInit | Promise<HeadersInit> {
        told['getHeaders'] = api?.args;
        return super.getHeaders(headers, api);
      }
      override fetchResponse(input: string, init: RequestInit): Promise<Response> {
        told['fetchResponse'] = this.api?.args;
        return super.fetchResponse(input, init);
      }
      override parseResponse(response: Response): Promise<unknown> {
        told['parseResponse'] = this.api?.args;
        return super.parseResponse(response);
      }
      override process(value: unknown): unknown {
        told['process'] = this.api?.args;
        return value;
      }
    }
    const { partialUpdate } = createResource({ ...place, schema: Thing, Endpoint: Telling });
    const { store } = setupWithExtra(undefined);
    server.answer('PATCH /things/5', { json: { id: 5 } });
    const args = [{ id: 5 }, { by: 'me' }];
    const inAll = { getRequestInit: args, getHeaders: args, fetchResponse: args, parseResponse: args, process: args };

    await store.dispatch(partialUpdate({ id: 5 }, { by: 'me' })).unwrap();
    expect(told).toEqual(inAll);

    for (const hook of Object.keys(told)) told[hook] = undefined;
    await partialUpdate.fetch({ id: 5 }, { by: 'me' });
    expect(told).toEqual(inAll);
  });

  it('has no parameters where an endpoint is called with its body alone', async () => {
    const seenArgs: unknown[] = [];
    const { getList } = createResource({
      ...place,
      schema: Thing,
      getHeaders: (headers, { args }) => {
        seenArgs.push(args);

        return headers;
      },
    });
    const { store } = setupWithExtra(undefined);
    server.answer(/./, { json: { id: 5 } });

    await store.dispatch(getList.push({ by: 'me' })).unwrap();

    expect(seenArgs).toEqual([[{}, { by: 'me' }]]);
  });
});

describe('a hook that throws', () => {
  const hooks = [
    'searchToString',
    'url',
    'getRequestInit',
    'getHeaders',
    'fetchResponse',
    'parseResponse',
    'process',
    'fetch',
  ] as const;

  it.each(hooks)('%s fails its request with that very error, and nothing else', async (hook) => {
    const { store, slice, read } = setup();
    server.answer('GET /things/5', { json: { id: 5 } });
    const broken = new RangeError(`${hook} is broken`);
    const { get } = createResource({ ...place, schema: Thing }).extend({
      get: {
        [hook]: () => {
          throw broken;
        },
      },
    });

    const promise = store.dispatch(get({ id: 5 }));
    const action = await promise;

    await expect(promise.unwrap()).rejects.toBe(broken);
    expect(action).toMatchObject({
      type: 'Thing/get/rejected',
      error: { name: 'RangeError', message: broken.message },
    });
    expect(slice().tables).toEqual({});
    await store.dispatch(createResource({ ...place, schema: Thing, name: 'Other' }).get({ id: 5 })).unwrap();
    expect(read((state) => state.counter)).toBe(0);
  });
});
