import { BigNumber } from 'bignumber.js';
import { Collection, createResource, Entity, RestEndpoint, type HookApi } from 'rtk-resource';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from '../support/server.js';
import { setup } from '../support/store.js';

const server = await startServer();
afterAll(() => server.close());

beforeEach(() => {
  server.forget();
});

/** The same data with every key renamed, however deep; what is no plain data stays as it is. */
function renameKeys(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((member) => renameKeys(member, rename));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;

  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [rename(key), renameKeys(inner, rename)]));
}

const toSnake = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const toCamel = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

describe('an endpoint class that converts the casing of keys', () => {
  class SnakeEndpoint extends RestEndpoint {
    override getRequestInit(body: unknown, api?: HookApi): RequestInit | Promise<RequestInit> {
      return super.getRequestInit(renameKeys(body, toSnake), api);
    }

    override process(...args: Parameters<RestEndpoint['process']>): unknown {
      return renameKeys(super.process(...args), toCamel);
    }
  }

  class Address extends Entity {
    id = 0;
    streetName = '';
    static override key = 'Address';
  }

  class Person extends Entity {
    id = 0;
    firstName = '';
    homeAddress = Address.fromJS();
    formerAddresses: readonly Address[] = [];
    contactDetails: { readonly phoneNumbers?: readonly { readonly countryCode: string }[] } = {};
    static override key = 'Person';
    static override schema = { homeAddress: Address, formerAddresses: [Address] };
  }

  const anyBody: Record<string, unknown> = {};
  const PersonResource = createResource({
    urlPrefix: server.url,
    path: '/people/:id',
    schema: Person,
    body: anyBody,
    Endpoint: SnakeEndpoint,
  });
  const ada = {
    id: 1,
    first_name: 'Ada',
    home_address: { id: 10, street_name: 'St James Square' },
    former_addresses: [{ id: 11, street_name: 'Piccadilly' }],
    contact_details: { phone_numbers: [{ country_code: '44' }] },
  };

  it('reads snake_case as camelCase, through objects, lists and entities', async () => {
    const { store, read, resources } = setup();
    server.answer('GET /people', { json: [ada] });

    const [person] = await store.dispatch(PersonResource.getList()).unwrap();

    expect(person).toBeInstanceOf(Person);
    expect(person).toMatchObject({
      firstName: 'Ada',
      homeAddress: { streetName: 'St James Square' },
      formerAddresses: [{ streetName: 'Piccadilly' }],
      contactDetails: { phoneNumbers: [{ countryCode: '44' }] },
    });
    expect(person).not.toHaveProperty('first_name');
    expect(read(resources.selectEntity(Address, 11))).toBe(person?.formerAddresses[0]);
  });

  it('sends camelCase as snake_case, and reads the answer back', async () => {
    const { store, read } = setup();
    server.answer('POST /people', ({ body }) => ({ status: 201, json: { id: 2, ...(body as object) } }));
    server.answer('PUT /people/2', ({ body }) => ({ json: { id: 2, ...(body as object) } }));
    const contactDetails = { phoneNumbers: [{ countryCode: '1' }, { countryCode: '49' }] };

    const created = await store.dispatch(PersonResource.getList.push({ firstName: 'Bob', contactDetails })).unwrap();
    await store.dispatch(PersonResource.update({ id: 2 }, { firstName: 'Rob', contactDetails })).unwrap();

    expect(server.received.map(({ body }) => body)).toEqual(
      ['Bob', 'Rob'].map((first_name) => ({
        first_name,
        contact_details: { phone_numbers: [{ country_code: '1' }, { country_code: '49' }] },
      })),
    );
    expect(created).toMatchObject({ id: 2, firstName: 'Bob', contactDetails });
    expect(read(PersonResource.get.select({ id: 2 }))).toMatchObject({ firstName: 'Rob', contactDetails });
  });

  it('is what every member of the resource is made by, and every extension of one', () => {
    const { get, getList, update, partialUpdate, delete: remove } = PersonResource;
    const extended = PersonResource.extend('current', { path: '/people/current' });

    for (const endpoint of [
      get,
      getList,
      getList.push,
      getList.unshift,
      update,
      partialUpdate,
      remove,
      extended.current,
    ]) {
      expect(endpoint).toBeInstanceOf(SnakeEndpoint);
    }
  });
});

describe('fields that an entity deserializes', () => {
  class Quote extends Entity {
    id = '';
    listedAt = new Date(0);
    price = new BigNumber(0);
    tradedAt = Temporal.Instant.fromEpochMilliseconds(0);
    day: Temporal.PlainDate | null = null;
    static override key = 'Quote';
    static override schema = {
      listedAt: Date,
      price: BigNumber,
      tradedAt: (text: string) => Temporal.Instant.from(text),
      day: Temporal.PlainDate.from,
    };
  }

  const QuoteResource = createResource({ urlPrefix: server.url, path: '/quotes/:id', schema: Quote, optimistic: true });
  const wire = {
    id: 'btc',
    listedAt: '2024-02-29T12:00:00.000Z',
    price: '68123.123456789012345678901234',
    tradedAt: '2024-02-29T12:00:00.123456789Z',
    day: '2024-02-29',
  };

  it('are read as the types that they stand for, without a loss', async () => {
    const { store } = setup();
    server.answer('GET /quotes/btc', { json: wire });

    const quote = await store.dispatch(QuoteResource.get({ id: 'btc' })).unwrap();

    expect(quote.listedAt).toEqual(new Date('2024-02-29T12:00:00.000Z'));
    expect(quote.listedAt).toBeInstanceOf(Date);
    expect(BigNumber.isBigNumber(quote.price)).toBe(true);
    expect(quote.price.toFixed()).toBe(wire.price);
    expect(quote.tradedAt).toBeInstanceOf(Temporal.Instant);
    expect(quote.tradedAt.toString()).toBe(wire.tradedAt);
    expect(quote.day?.toString()).toBe('2024-02-29');
    expect(quote.day?.add({ days: 1 }).toString()).toBe('2024-03-01');
  });

  it('have the default of the class where they are missing, and stay null', async () => {
    const { store } = setup();
    server.answer('GET /quotes', { json: [{ id: 'eth', day: null, tradedAt: null }] });

    const [quote] = await store.dispatch(QuoteResource.getList()).unwrap();

    expect(quote?.listedAt).toEqual(new Date(0));
    expect(quote?.price.toFixed()).toBe('0');
    expect([quote?.day, quote?.tradedAt]).toEqual([null, null]);
  });

  it('are plain data in the state, and the same objects until their row changes', async () => {
    const { store, read, slice } = setup();
    server.answer('GET /quotes', { json: [wire, { ...wire, id: 'eth' }] });
    const [btc, eth] = await store.dispatch(QuoteResource.getList()).unwrap();
    expect(JSON.parse(JSON.stringify(slice().tables))).toEqual(slice().tables);

    server.answer('GET /quotes', { json: [wire, { ...wire, id: 'eth', price: '3500.5' }] });
    await store.dispatch(QuoteResource.getList()).unwrap();
    const [btcNow, ethNow] = read(QuoteResource.getList.select()) ?? [];

    expect(btcNow).toBe(btc);
    expect(btcNow?.price).toBe(btc?.price);
    expect(ethNow).not.toBe(eth);
    expect(ethNow?.price.toFixed()).toBe('3500.5');
  });

  it('are sent as JSON has them, and shown at once as what they are', async () => {
    const { store, read } = setup();
    server.answer('GET /quotes/btc', { json: wire });
    await store.dispatch(QuoteResource.get({ id: 'btc' })).unwrap();
    const change = {
      listedAt: new Date('2025-01-01T00:00:00.000Z'),
      price: new BigNumber('0.1').plus('0.2'),
      tradedAt: Temporal.Instant.from('2025-01-01T00:00:00.000000001Z'),
      day: Temporal.PlainDate.from('2025-01-01'),
    };

    const promise = store.dispatch(QuoteResource.partialUpdate({ id: 'btc' }, change));
    const shown = read(QuoteResource.get.select({ id: 'btc' }));
    const { body } = await server.release('PATCH /quotes/btc');
    await promise.unwrap();

    expect(body).toEqual({
      listedAt: '2025-01-01T00:00:00.000Z',
      price: '0.3',
      tradedAt: '2025-01-01T00:00:00.000000001Z',
      day: '2025-01-01',
    });
    for (const quote of [shown, read(QuoteResource.get.select({ id: 'btc' }))]) {
      expect(quote?.listedAt).toEqual(change.listedAt);
      expect(quote?.price.toFixed()).toBe('0.3');
      expect(quote?.tradedAt.equals(change.tradedAt)).toBe(true);
      expect(quote?.day?.equals(change.day)).toBe(true);
    }
  });

  it('that cannot be read say which field it is', async () => {
    const { store, read } = setup();
    server.answer('GET /quotes/btc', { json: { ...wire, tradedAt: 'yesterday' } });

    await store.dispatch(QuoteResource.get({ id: 'btc' }));

    expect(() => read(QuoteResource.get.select({ id: 'btc' }))).toThrow(/Quote\.tradedAt/);
  });
});

describe('an identifier that the response lacks', () => {
  class Stats extends Entity {
    username = '';
    followers = 0;
    static override key = 'Stats';

    override pk(): string {
      return this.username;
    }
  }

  const StatsResource = createResource({
    urlPrefix: server.url,
    path: '/users/:username/stats',
    schema: Stats,
    process(value: unknown, params: unknown) {
      return { ...(value as object), username: (params as { readonly username: string }).username };
    },
  });

  it('is copied from the URL, so that each user has an entity of its own', async () => {
    const { store, read, resources } = setup();
    server.answer('GET /users/ada/stats', { json: { followers: 3 } });
    server.answer('GET /users/bob/stats', { json: { followers: 5 } });

    const ada = await store.dispatch(StatsResource.get({ username: 'ada' })).unwrap();
    const bob = await store.dispatch(StatsResource.get({ username: 'bob' })).unwrap();

    expect(ada).toBeInstanceOf(Stats);
    expect([ada.username, ada.followers, bob.username, bob.followers]).toEqual(['ada', 3, 'bob', 5]);
    expect(read(resources.selectEntity(Stats, 'ada'))).toBe(ada);
    expect(read(resources.selectEntity(Stats, { username: 'bob' }))).toBe(bob);
  });

  it('is there for writes as well, which change the same entity', async () => {
    const { store, read } = setup();
    server.answer('GET /users/ada/stats', { json: { followers: 3 } });
    server.answer('PATCH /users/ada/stats', { json: { followers: 4 } });
    await store.dispatch(StatsResource.get({ username: 'ada' })).unwrap();

    await store.dispatch(StatsResource.partialUpdate({ username: 'ada' }, { followers: 4 })).unwrap();

    expect(read(StatsResource.get.select({ username: 'ada' }))).toMatchObject({ username: 'ada', followers: 4 });
  });

  it('is demanded where nothing copies it', async () => {
    const { store, slice } = setup();
    const Bare = createResource({ urlPrefix: server.url, path: '/users/:username/stats', schema: Stats });
    server.answer('GET /users/ada/stats', { json: { followers: 3 } });

    await expect(store.dispatch(Bare.get({ username: 'ada' })).unwrap()).rejects.toThrow(/Stats has no id/);
    expect(slice().tables).toEqual({});
  });
});

describe('a link header', () => {
  class LinkEndpoint extends RestEndpoint {
    override async parseResponse(response: Response): Promise<unknown> {
      const results = await super.parseResponse(response);
      // A link beside one item is about something else, such as a style sheet.
      return Array.isArray(results) ? { link: response.headers.get('link'), results } : results;
    }
  }

  class Issue extends Entity {
    id = 0;
    title = '';
    static override key = 'Issue';
  }

  const search: { readonly state?: string } = {};
  const Issues = createResource({
    urlPrefix: server.url,
    path: '/issues/:id',
    schema: Issue,
    searchParams: search,
    paginationField: 'cursor',
    Endpoint: LinkEndpoint,
  });
  const issueLists = new Collection([Issue], { paginationField: 'cursor' });
  const IssueResource = Issues.extend({ getList: { schema: { results: issueLists, link: '' } } });
  const open = { state: 'open' };
  const next = (cursor: string): string => `<${server.url}/issues?cursor=${cursor}>; rel="next"`;
  const cursorOf = (link: string | undefined): string => /cursor=(\w+)/.exec(link ?? '')?.[1] ?? '';

  it('is a member beside the results', async () => {
    const { store, read } = setup();
    server.answer('GET /issues', { json: [{ id: 1 }, { id: 2 }], headers: { link: next('b') } });

    const page = await store.dispatch(IssueResource.getList(open)).unwrap();

    expect(page.link).toBe(next('b'));
    expect(page.results.map(({ id }) => id)).toEqual([1, 2]);
    expect(page.results[0]).toBeInstanceOf(Issue);
    expect(read(IssueResource.getList.select(open))).toBe(page);
  });

  it('leads from page to page, to the last, which has none', async () => {
    const { store, read } = setup();
    server.answer('GET /issues', { json: [{ id: 1 }, { id: 2 }], headers: { link: next('b') } });
    server.answer('GET /issues?cursor=b&state=open', { json: [{ id: 2 }, { id: 3 }], headers: { link: next('c') } });
    server.answer('GET /issues?cursor=c&state=open', { json: [{ id: 4 }] });

    let { link } = await store.dispatch(IssueResource.getList(open)).unwrap();
    const links = [link];
    while (cursorOf(link) !== '') {
      await store.dispatch(IssueResource.getList.getPage({ ...open, cursor: cursorOf(link) })).unwrap();
      link = read(IssueResource.getList.select(open))?.link ?? '';
      links.push(link);
    }

    expect(read(IssueResource.getList.select(open))?.results.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(links).toEqual([next('b'), next('c'), '']);
    expect(server.received.map(({ query }) => query)).toEqual([
      'state=open',
      'cursor=b&state=open',
      'cursor=c&state=open',
    ]);
  });

  it('that is absent is null beside an array', async () => {
    server.answer('GET /issues', { json: [{ id: 1 }] });

    expect(await IssueResource.getList.fetch(open)).toEqual({ link: null, results: [{ id: 1 }] });
  });

  it('that is absent leaves a single entity as it is', async () => {
    const { store } = setup();
    server.answer('GET /issues/1', { json: { id: 1, title: 'Broken' } });

    expect(await IssueResource.get.fetch({ id: 1 })).toEqual({ id: 1, title: 'Broken' });
    const issue = await store.dispatch(IssueResource.get({ id: 1 })).unwrap();
    expect(issue).toBeInstanceOf(Issue);
    expect(issue.title).toBe('Broken');
  });

  it('that comes with a single entity is about something else, such as a style sheet', async () => {
    const { store } = setup();
    server.answer('GET /issues/1', { json: { id: 1 }, headers: { link: '</app.css>; rel=preload; as=style' } });

    const { id } = await store.dispatch(IssueResource.get({ id: 1 })).unwrap();

    expect(id).toBe(1);
  });
});

describe('a key that the server calls otherwise', () => {
  class Car extends Entity {
    id = 0;
    carrotsUsed = 0;
    static override key = 'Car';
  }

  class CarEndpoint extends RestEndpoint {
    override getRequestInit(body: unknown, api?: HookApi): RequestInit | Promise<RequestInit> {
      if (typeof body !== 'object' || body === null || !('carrotsUsed' in body)) return super.getRequestInit(body, api);
      const { carrotsUsed, ...rest } = body;

      return super.getRequestInit({ ...rest, carrots: carrotsUsed }, api);
    }

    override process(value: unknown): unknown {
      return Array.isArray(value) ? value.map(rename) : rename(value);
    }
  }

  function rename(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || !('carrots' in value)) return value;
    const { carrots, ...rest } = value;

    return { ...rest, carrotsUsed: carrots };
  }

  const CarResource = createResource({
    urlPrefix: server.url,
    path: '/cars/:id',
    schema: Car,
    optimistic: true,
    Endpoint: CarEndpoint,
  });

  it('is renamed on the way back', async () => {
    const { store } = setup();
    server.answer('GET /cars', { json: [{ id: 1, carrots: 7 }] });

    const [car] = await store.dispatch(CarResource.getList()).unwrap();

    expect(Object.entries(car ?? {})).toEqual([
      ['id', 1],
      ['carrotsUsed', 7],
    ]);
  });

  it('is renamed on the way there, while the preview and the answer have it as the client calls it', async () => {
    const { store, watch, read } = setup();
    server.answer('GET /cars/1', { json: { id: 1, carrots: 7 } });
    await store.dispatch(CarResource.get({ id: 1 })).unwrap();
    const shown = watch((state) => CarResource.get.select({ id: 1 })(state)?.carrotsUsed);

    const promise = store.dispatch(CarResource.partialUpdate({ id: 1 }, { carrotsUsed: 8 }));
    const { body } = await server.release('PATCH /cars/1', { json: { id: 1, carrots: 9 } });
    const car = await promise.unwrap();

    expect(body).toEqual({ carrots: 8 });
    expect(shown).toEqual([7, 8, 9]);
    expect(car).toBe(read(CarResource.get.select({ id: 1 })));
    expect(Object.entries(car)).toEqual([
      ['id', 1],
      ['carrotsUsed', 9],
    ]);
  });

  it('leaves requests without it alone', async () => {
    const { store } = setup();
    server.answer('DELETE /cars/1', { status: 204 });

    await store.dispatch(CarResource.delete({ id: 1 })).unwrap();

    expect(server.received).toMatchObject([{ method: 'DELETE', rawBody: '' }]);
  });
});

describe('what a getRequestInit of the user’s own gives', () => {
  class Seat extends Entity {
    id = 0;
    row = '';
    static override key = 'Seat';
  }
  const seat = { id: 1, row: 'A' };

  it('needs no method: that of the endpoint holds where it says none', async () => {
    const Seats = createResource({
      urlPrefix: server.url,
      path: '/seats/:id',
      schema: Seat,
      getRequestInit: (body) => ({
        credentials: 'same-origin',
        body: body === undefined ? null : JSON.stringify(body),
      }),
    });
    const { store } = setup();
    server.answer(/\/seats/, { json: seat });

    await store.dispatch(Seats.get({ id: 1 })).unwrap();
    await store.dispatch(Seats.partialUpdate({ id: 1 }, { row: 'B' })).unwrap();
    await store.dispatch(Seats.delete({ id: 1 })).unwrap();

    expect(server.received.map(({ method, body }) => [method, body])).toEqual([
      ['GET', undefined],
      ['PATCH', { row: 'B' }],
      ['DELETE', undefined],
    ]);
  });

  it('is no Request, of which method and body would be lost: that is refused, unsent', async () => {
    const Seats = createResource({ urlPrefix: server.url, path: '/seats/:id', schema: Seat, optimistic: true });
    const edit = Seats.partialUpdate.extend({
      getRequestInit: (body) => new Request(server.url, { method: 'PATCH', body: JSON.stringify(body) }),
    });
    const { resources, store, read } = setup();
    store.dispatch(resources.set(Seat, seat));

    const { error } = await store.dispatch(edit({ id: 1 }, { row: 'B' }));

    expect(error).toMatchObject({ code: 'R11', message: expect.stringContaining('a Request') as string });
    expect(read(Seats.get.select({ id: 1 }))?.row).toBe('A');
    expect(server.received).toEqual([]);
  });
});
