import { describe, expect, it } from 'vitest';
import { apiOf, findIn, Refusal, removeFrom, type Asked } from './api.js';
import { CustomerResource } from './models/stripe.js';
import { setupApp, type Store } from './screens.js';

interface CustomerRow {
  id: string;
  object: 'customer';
  email: string | null;
  name: string | null;
  balance: number;
  created: number;
  livemode: boolean;
}

const refusal = (status: number, error: object): Refusal =>
  new Refusal({ status, json: { error: { type: 'invalid_request_error', ...error } } });
const missing = { error: { type: 'invalid_request_error', code: 'resource_missing', param: 'id' } };

/** Stripe's customers, the newest first. */
function startStripe() {
  let count = 0;
  const customers: CustomerRow[] = [];
  const done = new Map<string, CustomerRow>();
  const deleted = new Map<string, object>();
  const add = (more: Partial<CustomerRow>): CustomerRow => {
    const id = `cus_${String(++count)}`;
    const fresh = {
      id,
      object: 'customer' as const,
      email: null,
      name: null,
      balance: 0,
      created: 1_760_000_000 + count,
    };
    const customer = { ...fresh, livemode: false, ...more };
    customers.unshift(customer);
    return customer;
  };
  for (const name of ['Ada', 'Bob', 'Cem', 'Dan', 'Eve']) add({ name, email: `${name.toLowerCase()}@example.com` });
  const of = (asked: Asked): CustomerRow => findIn(customers, { id: asked.param('id') }, missing);
  /** What a form says: texts, of which some are numbers. */
  const told = (asked: Asked): Partial<CustomerRow> => {
    const { balance, ...rest }: { readonly balance?: string; readonly email?: string } = asked.body;
    if (asked.headers.get('content-type') === 'application/json') throw refusal(400, { message: 'Send a form.' });
    if (rest.email !== undefined && !rest.email.includes('@'))
      throw refusal(400, { code: 'email_invalid', param: 'email', message: `Invalid email address: ${rest.email}` });
    return { ...rest, ...(balance !== undefined && { balance: Number(balance) }) };
  };
  /** What was done for a key is done once. */
  const once = (asked: Asked, act: () => CustomerRow): { readonly json: CustomerRow } => {
    const key = asked.headers.get('idempotency-key') ?? '';
    const json = done.get(key) ?? act();
    done.set(key, json);
    return { json };
  };
  const page = (rows: readonly CustomerRow[], { query, url }: Asked) => {
    const limit = Number(query.get('limit') ?? 10);
    const start = rows.findIndex(({ id }) => id === query.get('starting_after')) + 1;
    if (query.has('starting_after') && start === 0)
      throw refusal(400, { param: 'starting_after', message: 'No such customer' });
    return {
      json: {
        object: 'list',
        url: url.pathname,
        has_more: start + limit < rows.length,
        data: rows.slice(start, start + limit),
      },
    };
  };

  const api = apiOf(
    {
      'GET /customers': (asked) => {
        const email = asked.query.get('email');
        return page(email === null ? customers : customers.filter((one) => one.email === email), asked);
      },
      'GET /customers/search': (asked) => {
        const [, name = ''] = /^name~"(.*)"$/.exec(asked.query.get('query') ?? '') ?? [];
        return page(
          customers.filter((one) => one.name?.includes(name)),
          asked,
        );
      },
      'POST /customers': (asked) => once(asked, () => add(told(asked))),
      'GET /customers/:id': (asked) => ({ json: deleted.get(asked.param('id')) ?? of(asked) }),
      'POST /customers/:id': (asked) => once(asked, () => Object.assign(of(asked), told(asked))),
      'DELETE /customers/:id': (asked) => {
        const { id } = of(asked);
        removeFrom(customers, of(asked));
        deleted.set(id, { id, object: 'customer', deleted: true });
        return { json: deleted.get(id) };
      },
    },
    { prefix: '/v1' },
  );
  return { api, customers };
}

/** Somebody looks at pages, at those with one address, at a search and at one customer. */
async function setupCustomers() {
  const server = startStripe();
  const app = setupApp(server.api);
  const { screens, store, read } = app;
  const { getList, get, search } = CustomerResource;
  const twoPages = { limit: 2 };
  await screens.openPages(getList, [twoPages], {
    load: [() => store.dispatch(getList.getNextPage(twoPages))],
    next: ({ data, has_more }: { data: readonly CustomerRow[]; has_more: boolean }, args: object) =>
      has_more ? { ...args, starting_after: data.at(-1)?.id } : undefined,
  });
  await screens.open(getList, { email: 'bob@example.com' });
  await screens.open(getList, { email: 'all@example.com' });
  await screens.open(search, { query: 'name~"a"' });
  await screens.open(get, { id: 'cus_2' });
  const names = (args: Parameters<typeof getList>[0]) => read(getList.select(args))?.data.map(({ name }) => name);
  const found = () => read(search.select({ query: 'name~"a"' }))?.data.map(({ name }) => name);
  return { ...app, ...server, names, found, twoPages };
}

const retry = { times: 2, writes: true, delay: () => 0 } as const;

/** An endpoint that is tried again without a pause. */
function atOnce<Made>(endpoint: { extend(options: { readonly retry: typeof retry }): Made }): Made {
  return endpoint.extend({ retry });
}

describe('an app on Stripe', () => {
  it('shows lists, pages by cursor, a search and a detail as the server has them', async () => {
    const { screens, names, found, twoPages } = await setupCustomers();

    await screens.expectToEqualServer();

    expect(names(twoPages)).toEqual(['Eve', 'Dan', 'Cem', 'Bob']);
    expect(found()).toEqual(['Dan', 'Ada']);
  });

  it('creates a customer by a form: it stands in front at once, and the search is asked for again', async () => {
    const { screens, store, names, found, twoPages, api } = await setupCustomers();
    const held = api.hold('POST /customers');

    const create = store.dispatch(CustomerResource.getList.unshift({}, { name: 'Fay', email: 'all@example.com' }));
    const during = [names(twoPages)?.[0], names({ email: 'all@example.com' })];
    held.release();
    await create;

    expect(during).toEqual(['Fay', ['Fay']]);
    await screens.expectToEqualServer();
    expect(found()).toEqual(['Fay', 'Dan', 'Ada']);
  });

  it('edits a customer by POST: it moves to the list of its new address', async () => {
    const { screens, store, names, api } = await setupCustomers();
    const held = api.hold('POST /customers/cus_2');

    const edit = store.dispatch(
      CustomerResource.partialUpdate({ id: 'cus_2' }, { email: 'all@example.com', balance: 5 }),
    );
    const during = [names({ email: 'bob@example.com' }), names({ email: 'all@example.com' })];
    held.release();
    await edit;

    expect(during).toEqual([[], ['Bob']]);
    await screens.expectToEqualServer();
  });

  it('gives a customer a name by which the server finds it', async () => {
    const { screens, store, found } = await setupCustomers();

    await store.dispatch(CustomerResource.partialUpdate({ id: 'cus_2' }, { name: 'Barbara' }));
    await screens.expectToEqualServer();

    expect(found()).toEqual(['Dan', 'Barbara', 'Ada']);
  });

  it('deletes a customer, whose answer is a part of it', async () => {
    const { screens, store, names, twoPages } = await setupCustomers();

    await store.dispatch(CustomerResource.delete({ id: 'cus_4' }));

    expect(names(twoPages)).toEqual(['Eve', 'Cem', 'Bob']);
    await screens.expectToEqualServer();
  });

  it('sees a customer go whom somebody else has deleted, when it asks for the customer', async () => {
    const { screens, store, names, twoPages, api } = await setupCustomers();
    await api.tell('https://api.stripe.com/v1/customers/cus_4', { method: 'DELETE' });

    await store.dispatch(CustomerResource.get({ id: 'cus_4' }));

    expect(names(twoPages)).toEqual(['Eve', 'Cem', 'Bob']);
    await screens.expectToEqualServer();
  });

  it('is told by 400 which field is wrong, and shows what was', async () => {
    const { screens, store, names } = await setupCustomers();

    const { error } = await store.dispatch(CustomerResource.partialUpdate({ id: 'cus_2' }, { email: 'nobody' }));

    expect(error).toMatchObject({ status: 400, data: { error: { param: 'email', code: 'email_invalid' } } });
    expect(names({ email: 'bob@example.com' })).toEqual(['Bob']);
    await screens.expectToEqualServer();
  });

  it('is told by 409 that others write to the same customer, and asks what is so', async () => {
    const { screens, store, api, customers } = await setupCustomers();
    findIn(customers, { id: 'cus_2' }, missing).name = 'Robert';
    api.refuse('POST /customers/cus_2', { status: 409, json: { error: { code: 'lock_timeout' } } });

    const { error } = await store.dispatch(CustomerResource.partialUpdate({ id: 'cus_2' }, { name: 'Bobby' }));

    expect(error?.status).toBe(409);
    await screens.expectToEqualServer();
  });

  it('is sent again with its key where its answer was lost, and done once', async () => {
    const { screens, store, api, customers } = await setupCustomers();
    api.lose('POST /customers');

    const create = atOnce(CustomerResource.getList.unshift);
    const { error } = await store.dispatch(create({}, { name: 'Fay' }));

    expect(error).toBeUndefined();
    expect(customers.filter(({ name }) => name === 'Fay')).toHaveLength(1);
    await screens.expectToEqualServer();
  });

  it.each([
    ['create', ({ dispatch }: Store) => dispatch(atOnce(CustomerResource.getList.unshift)({}, { name: 'Fay' }))],
    [
      'edit',
      ({ dispatch }: Store) => dispatch(atOnce(CustomerResource.partialUpdate)({ id: 'cus_2' }, { name: 'Barbara' })),
    ],
  ])('asks what is so where all answers to a %s were lost', async (_, write) => {
    const { screens, store, api } = await setupCustomers();
    for (const name of ['POST /customers', 'POST /customers/cus_2']) for (let i = 0; i < 3; i++) api.lose(name);

    const { error } = await write(store);

    expect(error?.name).toBe('NetworkError');
    await screens.expectToEqualServer();
  });

  it('sees a customer go where a deletion whose answer was lost is sent again, and answered 404', async () => {
    const { screens, store, api, names, twoPages } = await setupCustomers();
    api.lose('DELETE /customers/cus_4');

    const { error } = await store.dispatch(atOnce(CustomerResource.delete)({ id: 'cus_4' }));

    expect(error?.status).toBe(404);
    await screens.expectToEqualServer();
    expect(names(twoPages)).not.toContain('Dan');
  });
});
