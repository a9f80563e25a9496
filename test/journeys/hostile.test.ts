import { configureStore, type UnknownAction } from '@reduxjs/toolkit';
import {
  Collection,
  configureResources,
  createResource,
  Entity,
  NetworkError,
  ResourceError,
  RestEndpoint,
  type Request,
} from 'rtk-resource';
import { describe, expect, it, vi } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { expectIdle, setup, type RootState } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Author extends Entity {
  id = 0;
  name = '';
  static override key = 'Author';
}

class Book extends Entity {
  id = 0;
  title = '';
  author: Author | undefined;
  static override key = 'Book';
  static override schema = { author: Author };

  get slug(): string {
    return `book-${String(this.id)}`;
  }
}

const server = await serverOfFile();

const BookResource = createResource({ urlPrefix: server.url, path: '/books/:id', schema: Book, optimistic: true });
const bySlug = new RestEndpoint({
  urlPrefix: server.url,
  path: '/by-slug/:slug',
  searchParams: undefined,
  schema: Book,
});

/** What a promise is rejected with. */
async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It was not rejected.');
}

/** As a click on `<button onClick={add}>` gives: an object of a class, with an element that leads back to itself. */
function clicked(): object {
  class SyntheticEvent {
    type = 'click';
    nativeEvent: Event = new Event('click');
    target: Record<string, unknown> = {};
  }
  const event = new SyntheticEvent();
  event.target = { tagName: 'BUTTON', owner: event };

  return event;
}

function cyclic(): Record<string, unknown> {
  const body: Record<string, unknown> = { title: 'round' };
  body['self'] = { deeper: [body] };

  return body;
}

const hostile: readonly (readonly [name: string, make: () => unknown, told: string])[] = [
  ['an event', clicked, 'was given an event.\n'],
  ['an event of the platform', () => new Event('click'), 'was given an event.\n'],
  ['what has an event inside', () => ({ title: new Event('click') }), 'an event at title'],
  ['a cyclic object', cyclic, 'self.deeper.0'],
  ['a cyclic array', () => ((list) => (list.push(list), list))([] as unknown[]), 'refers to itself'],
  ['a Map', () => ({ tags: new Map([['a', 1]]) }), 'a Map at tags'],
  ['a Set', () => ({ tags: new Set(['a']) }), 'a Set at tags'],
  ['a BigInt', () => ({ votes: 10n }), 'a BigInt at votes'],
  [
    'a getter that throws',
    () => ({
      get title(): string {
        throw new Error('not now');
      },
    }),
    'not now',
  ],
  [
    'a toJSON that throws',
    () => ({
      at: {
        toJSON() {
          throw new Error('no date');
        },
      },
    }),
    'no date',
  ],
  [
    'a Proxy whose traps throw',
    () =>
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error('keep out');
          },
          get() {
            throw new Error('keep out');
          },
          getPrototypeOf() {
            throw new Error('keep out');
          },
        },
      ),
    'keep out',
  ],
  ['a revoked Proxy', () => ((one) => (one.revoke(), one.proxy))(Proxy.revocable({}, {})), 'revoked'],
];

// What a body is typed as, nobody can hold a button to.
type Anything = never;

describe('a body that cannot be sent', () => {
  it.each(hostile)('as %s rejects the create with an error that names it, unsent', async (_, make, told) => {
    const { store, slice, read } = setup();
    server.answer('GET /books', { json: [{ id: 1, title: 'one' }] });
    await store.dispatch(BookResource.getList());
    const list = read(BookResource.getList.select());

    const promise = store.dispatch(BookResource.getList.push({}, make() as Anything));
    const [action, error] = [await promise, await rejection(promise.unwrap())];

    expect(error).toBeInstanceOf(ResourceError);
    expect(error).toMatchObject({ code: 'R19' });
    expect(String(error)).toContain('Book/getList/push');
    expect(String(error)).toContain(told);
    expect(action).toMatchObject({ type: 'Book/getList/push/rejected', error: { code: 'R19' } });
    expect(server.received).toHaveLength(1);
    expect(read(BookResource.getList.select())).toBe(list);
    expectIdle(slice());
  });

  it.each(hostile)('as %s does so where nothing is optimistic, too', async (_, make, told) => {
    const { store, slice } = setup();
    const Plain = createResource({ urlPrefix: server.url, path: '/books/:id', schema: Book, name: 'Plain' });

    const error = await rejection(store.dispatch(Plain.partialUpdate({ id: 1 }, make() as Anything)).unwrap());

    expect(error).toMatchObject({ name: 'ResourceError', code: 'R19' });
    expect(String(error)).toContain(told);
    expect(server.received).toEqual([]);
    expectIdle(slice());
  });

  it.each(hostile)('as %s is refused by set, which changes nothing', (_, make) => {
    const { store, resources, slice } = setup();
    const before = slice().tables;

    expect(() => {
      store.dispatch(resources.set(Book, { id: 1, author: make() } as Anything));
    }).toThrow(ResourceError);

    expect(slice().tables).toBe(before);
  });
});

describe('parameters that are no plain object', () => {
  it.each(hostile)('as %s never make dispatch throw', async (_, make) => {
    const { store, slice } = setup();

    const action = await store.dispatch(BookResource.get(make() as Anything));

    expect(action).toMatchObject({ type: 'Book/get/rejected' });
    expect(action.error?.name).toBe('ResourceError');
    expectIdle(slice());
  });

  it('as an event leave a list what it is', async () => {
    const { store } = setup();
    server.answer('GET /books', { json: [{ id: 1, title: 'one' }] });

    const books = await store.dispatch(BookResource.getList(clicked() as Anything)).unwrap();

    expect(books.map(({ title }) => title)).toEqual(['one']);
  });

  it('as an entity give what the path names, and nothing else', async () => {
    const { store, read } = setup();
    server.answer('GET /books', { json: [{ id: 5, title: 'five', author: { id: 1, name: 'Ada' } }] });
    server.answer('GET /books/5', { json: { id: 5, title: 'five, read', author: { id: 1, name: 'Ada' } } });
    server.answer('PATCH /books/5', ({ body }) => ({ json: { id: 5, title: 'five', ...(body as object) } }));
    server.answer('DELETE /books/5', { status: 204 });
    server.answer('GET /by-slug/book-5', { json: { id: 5, title: 'by slug' } });
    const [book] = await store.dispatch(BookResource.getList()).unwrap();
    if (!book) throw new Error('There is no book.');

    const got = await store.dispatch(BookResource.get(book)).unwrap();
    const named = await store.dispatch(bySlug(book)).unwrap();
    const selected = read(BookResource.get.select(book));
    const edited = await store.dispatch(BookResource.partialUpdate(book, { title: 'edited' })).unwrap();
    const gone = await store.dispatch(BookResource.delete(book));

    expect(got.title).toBe('five, read');
    expect([named.title, selected?.title, edited.title]).toEqual(['by slug', 'by slug', 'edited']);
    expect(gone.meta.arg.args).toEqual([{ id: 5 }]);
    expect(server.received.map(({ method, path, query }) => [method, path, query].join(' ').trim())).toEqual([
      'GET /books',
      'GET /books/5',
      'GET /by-slug/book-5',
      'PATCH /books/5',
      'DELETE /books/5',
    ]);
    expect(read(BookResource.getList.select())).toEqual([]);
  });
});

/** Throws what cannot be shown. */
const unspeakable: readonly (readonly [name: string, make: () => unknown])[] = [
  ['an object without a prototype', () => Object.create(null) as unknown],
  ['undefined', () => undefined],
  ['a Proxy whose traps throw', () => hostile[8]?.[1]()],
  ['a revoked Proxy', () => hostile[9]?.[1]()],
  [
    'an error whose message throws',
    () =>
      Object.defineProperty(new Error(), 'message', {
        get() {
          throw new Error('no message');
        },
      }),
  ],
  ['an error whose message is no text', () => Object.assign(new Error(), { message: { self: cyclic() }, stack: 5 })],
  ['an error with cyclic data', () => new NetworkError('no', { url: '/', data: cyclic() })],
  ['an object that cannot be made a text', () => ({ toString: null, valueOf: null })],
  ['a symbol', () => Symbol('s')],
  ['a rejected promise', () => ((one) => (one.catch(() => undefined), one))(Promise.reject(new Error('inner')))],
];

describe.each(unspeakable)('what a hook throws, as %s,', (_, make) => {
  const fail = (): never => {
    throw make();
  };
  const read = { urlPrefix: server.url, path: '/books', schema: [Book] };
  const write = { urlPrefix: server.url, path: '/books/:id', method: 'PATCH', schema: Book, body: {} as object };

  it.each([
    ['url', new RestEndpoint({ ...read, name: 'E', url: fail })],
    ['key', new RestEndpoint({ ...read, name: 'E', key: fail })],
    ['getRequestInit', new RestEndpoint({ ...read, name: 'E', getRequestInit: fail })],
    ['getHeaders', new RestEndpoint({ ...read, name: 'E', getHeaders: fail })],
    ['fetchResponse', new RestEndpoint({ ...read, name: 'E', fetchResponse: fail })],
    ['parseResponse', new RestEndpoint({ ...read, name: 'E', parseResponse: fail })],
    ['process', new RestEndpoint({ ...read, name: 'E', process: fail })],
    ['fetch', new RestEndpoint({ ...read, name: 'E', fetch: fail })],
    ['retry.when', new RestEndpoint({ ...read, name: 'E', path: '/none', retry: { times: 1, when: fail } })],
    ['getOptimisticResponse', new RestEndpoint({ ...write, name: 'E', getOptimisticResponse: fail })],
    ['serialize', new RestEndpoint({ ...write, name: 'E', serialize: fail })],
  ])('by %s, ends that one request', async (__, endpoint) => {
    const { store, slice, read: now } = setup();
    server.answer('GET /books', { json: [{ id: 1, title: 'one' }] });
    server.answer('GET /none', { status: 503 });
    server.answer('PATCH /books/1', { json: { id: 1, title: 'two' } });
    const call = endpoint as unknown as (...args: readonly unknown[]) => Request;

    const promise = store.dispatch(call({ id: 1 }, { title: 'two' }));
    const outcomes = await Promise.allSettled([promise, promise.unwrap()]);

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(outcomes[0]).toMatchObject({ value: { type: 'E/rejected', meta: { requestStatus: 'rejected' } } });
    const { error } = (outcomes[0] as PromiseFulfilledResult<{ error: { name: unknown; message: unknown } }>).value;
    expect([typeof error.name, typeof error.message]).toEqual(['string', 'string']);
    expect(now((state: RootState) => JSON.stringify(state.resources))).toContain('anchor');
    expectIdle(slice());
  });
});

describe('a hook that returns a promise where none is waited for', () => {
  it('as getOptimisticResponse rejects the request, and shows nothing', async () => {
    const { store, read } = setup();
    server.answer('GET /books', { json: [] });
    await store.dispatch(BookResource.getList());
    const hasty = BookResource.getList.push.extend({
      name: 'Book/hasty',
      getOptimisticResponse: () => Promise.reject(new Error('later')),
    });

    const error = await rejection(store.dispatch(hasty({}, { title: 'new' })).unwrap());

    expect(error).toMatchObject({ code: 'R11' });
    expect(String(error)).toContain('getOptimisticResponse of Book/hasty returned a Promise');
    expect(read(BookResource.getList.select())).toEqual([]);
  });

  it('as key rejects the request', async () => {
    const { store } = setup();
    const keyed = new RestEndpoint({
      urlPrefix: server.url,
      path: '/books',
      name: 'keyed',
      key: (() => Promise.resolve('k')) as never,
    });

    const error = await rejection(store.dispatch(keyed()).unwrap());

    expect(String(error)).toContain('key of keyed returned a Promise');
  });
});

describe('what process returns', () => {
  it('rejects the request where it refers to itself, once and again', async () => {
    const { store, slice } = setup();
    server.answer('GET /books/1', { json: { id: 1, title: 'one' } });
    const round = BookResource.get.extend({
      name: 'Book/round',
      process: (value) => {
        const book = value as Record<string, unknown>;
        book['edition'] = { of: book };

        return book;
      },
    });

    const errors = [
      await rejection(store.dispatch(round({ id: 1 })).unwrap()),
      await rejection(store.dispatch(round({ id: 1 })).unwrap()),
    ];

    expect(errors).toMatchObject([{ code: 'R11' }, { code: 'R11' }]);
    expect(String(errors[0])).toContain('refers to itself');
    expectIdle(slice());
  });

  it('may be deeper than the stack', async () => {
    server.answer('GET /deep', { json: [] });
    const shared = { name: 'shared' };
    let chain: Record<string, unknown> = {};
    for (let depth = 0; depth < 20_000; depth++) chain = { shared, inner: chain };
    const deep = new RestEndpoint({
      urlPrefix: server.url,
      path: '/deep',
      name: 'deep',
      process: () => ({ id: 1, chain }),
      schema: Book,
    });

    // The check of RTK for what is serializable does not go so deep.
    const { resources } = setup();
    const bare = configureStore({
      reducer: { resources: resources.reducer },
      middleware: (getDefault) =>
        getDefault({ serializableCheck: false, immutableCheck: false }).concat(resources.middleware),
    });
    const book = await bare.dispatch(deep()).unwrap();

    expect(book).toMatchObject({ id: 1 });
  });
});

describe('an id beyond 2 ** 53', () => {
  it('is told of in development: JSON may have made one number of several', async () => {
    const { store } = setup();
    expectWarning(/the id 90071992547409\d\d of Book is beyond 2 \*\* 53/);
    server.answer('GET /books', { text: '[{"id":9007199254740993}]', headers: { 'content-type': 'application/json' } });

    await store.dispatch(BookResource.getList()).unwrap();
  });
});

describe('a body that is 5 000 deep', () => {
  const deep = (): Record<string, unknown> => {
    let body: Record<string, unknown> = { title: 'inmost' };
    for (let depth = 0; depth < 5_000; depth++) body = { title: 'deep', inner: body };

    return body;
  };

  it.each<readonly [what: string, request: () => Request]>([
    ['an optimistic create', () => BookResource.getList.push(deep())],
    ['an optimistic edit', () => BookResource.partialUpdate({ id: 1 }, deep())],
    ['a write that shows nothing', () => BookResource.update.extend({ optimistic: false })({ id: 1 }, deep())],
    [
      'a read',
      () =>
        new RestEndpoint({
          urlPrefix: server.url,
          path: '/find',
          method: 'POST',
          sideEffect: false,
          body: deep(),
        })(deep()),
    ],
  ])('of %s is refused by name, and never sent', async (_, request) => {
    const { store, slice } = setup();

    const action = await store.dispatch(request());

    expect(action.error).toMatchObject({ code: 'R19' });
    expect(action.error?.message).toContain('too deep');
    expect(server.received).toEqual([]);
    expectIdle(slice());
  });
});

describe('a store that changes under a request', () => {
  it('ends the request when its slice is dropped', async () => {
    const resources = configureResources();
    const store = configureStore({
      reducer: { resources: resources.reducer },
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });

    const promise = store.dispatch(BookResource.get({ id: 1 }));
    store.replaceReducer(((state: unknown, action: UnknownAction) => ({ state, type: action.type })) as never);
    await server.release('GET /books/1', { json: { id: 1, title: 'one' } });
    const action = await promise;

    expect(action).toMatchObject({ type: 'Book/get/rejected', error: { code: 'R2' } });
    expect(await rejection(promise.unwrap())).toMatchObject({ code: 'R2' });
  });

  it.each(['pending', 'fulfilled'])('rejects what another reducer refuses by throwing at %s', async (status) => {
    const resources = configureResources();
    const store = configureStore({
      reducer: {
        resources: resources.reducer,
        fragile: (_: unknown = 0, { type }: UnknownAction) => {
          if (type === `Book/get/${status}`) throw new Error('fragile');

          return 0;
        },
      },
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });
    server.answer('GET /books/1', { json: { id: 1, title: 'one' } });

    const promise = store.dispatch(BookResource.get({ id: 1 }));
    const [action, error] = [await promise, await rejection(promise.unwrap())];

    expect(action).toMatchObject({ type: 'Book/get/rejected', error: { message: 'fragile' } });
    expect(error).toMatchObject({ message: 'fragile' });
    expect(BookResource.get.selectRequest({ id: 1 })(store.getState()).isFetching).toBe(false);
    expectIdle(store.getState().resources);
  });
});

describe('an endpoint that is defined with a trap in it', () => {
  it('puts no header into a message', async () => {
    const { store, slice } = setup();
    const signed = new RestEndpoint({
      urlPrefix: server.url,
      path: '/books',
      name: 'signed',
      getHeaders: (headers) => ({ ...headers, Authorization: 'Bearer s3cret\nx' }),
    });

    const action = await store.dispatch(signed());

    expect(action.error).toMatchObject({ code: 'R20' });
    expect(JSON.stringify([action, slice()])).not.toContain('s3cret');
    expect(action.error?.message).toContain('signed');
  });

  it('says so where a path would go on with the name of the host', async () => {
    const { store } = setup();
    const open = new RestEndpoint({ urlPrefix: 'https://good.example', path: ':id', name: 'open' });

    const action = await store.dispatch(open({ id: '.evil.example' }));

    expect(action.error).toMatchObject({ code: 'R4' });
    expect(action.error?.message).toContain('good.example');
  });

  it('tells quickly whether a key is its own, however long that is', () => {
    const dated = new RestEndpoint({ path: '/:a-:b-:c-:d', name: 'dated' });

    expect(dated.testKey(`GET /${'-'.repeat(4_000)}/`)).toBe(false);
    expect(dated.testKey('GET /a-b-c-d')).toBe(true);
  });

  it('goes by its options, whatever its class says', () => {
    class Api extends RestEndpoint {
      override urlPrefix = 'https://class.example';
      override method = 'PUT';
    }
    const one = new Api({ path: '/books', urlPrefix: 'https://option.example', method: 'PATCH' });

    expect([one.url(), one.key()]).toEqual(['https://option.example/books', 'PATCH https://option.example/books']);
  });

  it('sends POST where it is said to change something, and nothing says how', async () => {
    const { store } = setup();
    server.answer('POST /logout', { status: 204 });
    const logout = new RestEndpoint({ urlPrefix: server.url, path: '/logout', sideEffect: true });

    await store.dispatch(logout()).unwrap();

    expect(server.received.map(({ method }) => method)).toEqual(['POST']);
  });

  it('warns where another definition has its name', async () => {
    const { store } = setup();
    server.answer('GET /books', { json: [] });
    server.answer('GET /novels', { json: [] });
    expectWarning(/two endpoints are named "twice".*GET .*\/books.*GET .*\/novels/s);

    await store.dispatch(new RestEndpoint({ urlPrefix: server.url, path: '/books', name: 'twice' })());
    await store.dispatch(new RestEndpoint({ urlPrefix: server.url, path: '/novels', name: 'twice' })());
  });

  it('takes a class without a key again when its module is replaced, as bundlers do in development', async () => {
    vi.stubGlobal('$RefreshReg$', () => undefined);
    const { store } = setup();
    server.answer('GET /items/1', { json: { id: 1 } });
    const load = async () => {
      class Item extends Entity {
        id = 0;
      }
      const Items = createResource({ urlPrefix: server.url, path: '/items/:id', schema: Item });

      return [await store.dispatch(Items.get({ id: 1 })).unwrap(), Item] as const;
    };
    expectWarning(/the entity class Item has no static key/);

    const [before] = await load();
    const [after, Item] = await load();
    vi.unstubAllGlobals();

    expect(before.id).toBe(1);
    expect(after).toBeInstanceOf(Item);
  });

  it('of another copy of the package says so', () => {
    const other = { run: () => undefined, subscribe: () => undefined };
    const store = configureStore({
      reducer: { resources: configureResources().reducer },
      middleware: (getDefault) =>
        getDefault().concat(
          () => (next: (action: unknown) => unknown) => (action: unknown) =>
            (action as UnknownAction).type === 'rtk-resource/connect' ? other : next(action),
        ),
    });

    expect(() => store.dispatch(BookResource.get({ id: 1 }))).toThrow(/two copies of rtk-resource.*R21/s);
  });
});

describe('a subscription to what cannot be asked for', () => {
  it('is told as a rejected request, and can be given up', async () => {
    const { store, actions } = setup();

    // @ts-expect-error -- the path needs an id
    const { unsubscribe } = store.dispatch(BookResource.get.subscribe({}));
    await Promise.resolve();
    unsubscribe();

    expect(actions.filter(BookResource.get.rejected.match)).toMatchObject([{ error: { code: 'R3' } }]);
    expect(server.received).toEqual([]);
  });
});

describe('a Collection whose own `argsKey` fails', () => {
  it('rejects the request that brings a list of it', async () => {
    const { store } = setup();
    server.answer('GET /books/1', { json: { id: 1 } });
    server.answer('GET /books', { json: [{ id: 1 }] });
    const list = new Collection([Book], {
      name: 'broken',
      argsKey: () => {
        throw new RangeError('no key');
      },
    });
    const getBroken = BookResource.getList.extend({ name: 'broken', schema: list });

    const [broken, other] = [store.dispatch(getBroken()), store.dispatch(BookResource.get({ id: 1 }))];

    expect(await rejection(broken.unwrap())).toMatchObject({ message: 'no key' });
    await other;
  });
});

describe('what seems to delete something', () => {
  it.each([
    ['a count', 1],
    ['a word', 'OK'],
    ['a remark', { ok: true }],
  ])('as %s deletes what the parameters name', async (_, json) => {
    const { store, read } = setup();
    server.answer('GET /books', { json: [1, 5].map((id) => ({ id, title: `book ${String(id)}` })) });
    server.answer('DELETE /books/5', { json });
    await store.dispatch(BookResource.getList());

    await store.dispatch(BookResource.delete({ id: 5 }));

    expect(read(BookResource.getList.select())?.map(({ id }) => id)).toEqual([1]);
  });
});

describe('a name that begins like a temporary id', () => {
  it('is a value like any other', async () => {
    class Account extends Entity {
      id = '';
      name = '';
      static override key = 'Account';
      static override schema = { name: (text: string) => text.toUpperCase() };
    }
    const { store } = setup();
    const Accounts = createResource({ urlPrefix: server.url, path: '/accounts/:id', schema: Account });
    const serial = Accounts.partialUpdate.extend({ name: 'Account/serial', serialize: true });
    server.answer(/^PATCH/, ({ body }) => ({ json: { id: '~sircmpwn', ...(body as object) } }));

    const one = store.dispatch(serial({ id: '~sircmpwn' }, { name: '~one' }));
    const two = store.dispatch(serial({ id: '~sircmpwn' }, { name: '~two' }));
    const accounts = await Promise.all([one.unwrap(), two.unwrap()]);

    expect(accounts.map(({ name }) => name)).toEqual(['~ONE', '~TWO']);
  });
});

describe('a secret in a body', () => {
  it('stays out of the state and the actions’ changes when the answer is empty', async () => {
    const { store, slice } = setup();
    server.answer('GET /books/1', { json: { id: 1, title: 'one' } });
    server.answer('PATCH /books/1', { status: 204 });
    await store.dispatch(BookResource.get({ id: 1 }));

    const promise = store.dispatch(BookResource.partialUpdate({ id: 1 }, { title: 'x', password: 's3cret' } as never));
    const meanwhile = JSON.stringify(slice());
    await promise;

    expect(meanwhile + JSON.stringify(slice())).not.toContain('s3cret');
  });
});
