import { describe, expect, it } from 'vitest';
import { apiOf, findIn, Refusal, removeFrom, type Asked } from './api.js';
import { setup } from '../support/store.js';
import { ProductResource } from './models/odata.js';
import { setupApp, type Store } from './screens.js';

interface ProductRow {
  ProductID: number;
  Name: string;
  Category: string;
  Discontinued: boolean;
}

const pageSize = 2;
const problem = (code: string, message: string, target?: string) => ({
  error: { code, message, ...(target && { details: [{ code, message, target }] }) },
});
const missing = problem('NotFound', 'The resource was not found.');

/** An OData service (version 4) that pages by itself, and answers an edit with 204. */
function startOData() {
  const context = 'https://example.com/odata/$metadata#Products';
  const product = (ProductID: number, Name: string, Category: string): ProductRow => ({
    ...{ ProductID, Name, Category },
    Discontinued: false,
  });
  const products = [
    product(1, 'Chai', 'Beverages'),
    product(2, 'Chang', 'Beverages'),
    product(3, 'Syrup', 'Condiments'),
    product(4, 'Coffee', 'Beverages'),
    product(5, 'Charcoal', 'Garden'),
    product(6, 'Tea', 'Beverages'),
  ];
  let lastId = 6;
  const checked = (asked: Asked, own?: ProductRow): Partial<ProductRow> => {
    const body: Partial<ProductRow> = asked.body;
    if (body.Name === '') throw new Refusal({ status: 422, json: problem('Invalid', 'Name is required.', 'Name') });
    if (products.some((one) => one !== own && one.Name === body.Name))
      throw new Refusal({ status: 409, json: problem('Conflict', 'Name is taken.', 'Name') });
    return body;
  };
  const of = (asked: Asked): ProductRow => findIn(products, { ProductID: Number(asked.param('id')) }, missing);

  const api = apiOf(
    {
      'GET /Products': ({ query, url }) => {
        const [, category] = /^Category eq '(.*)'$/.exec(query.get('$filter') ?? '') ?? [];
        const found = products.filter(
          ({ Name, Category }) => Name.includes(query.get('$search') ?? '') && Category === (category ?? Category),
        );
        const start = Number(query.get('$skiptoken') ?? query.get('$skip') ?? 0);
        const top = Number(query.get('$top') ?? pageSize);
        const next = new URL(url);
        next.searchParams.set('$skiptoken', String(start + top));
        return {
          json: {
            '@odata.context': context,
            ...(query.get('$count') === 'true' && { '@odata.count': found.length }),
            value: found.slice(start, start + top),
            ...(!query.has('$top') && start + top < found.length && { '@odata.nextLink': next.href }),
          },
        };
      },
      'POST /Products': (asked) => {
        const added = { ...product(++lastId, '', ''), ...checked(asked) };
        products.push(added);
        return { status: 201, json: { '@odata.context': `${context}/$entity`, ...added } };
      },
      'GET /Products(:id)': (asked) => ({ json: { '@odata.context': `${context}/$entity`, ...of(asked) } }),
      'PATCH /Products(:id)': (asked) => {
        Object.assign(of(asked), checked(asked, of(asked)));
        return { status: 204 };
      },
      'DELETE /Products(:id)': (asked) => {
        removeFrom(products, of(asked));
        return { status: 204 };
      },
    },
    { prefix: '/odata', hasTags: true },
  );
  return { api, products };
}

/** Somebody looks at lists of several filters, at a part of one, and at one product. */
async function setupProducts() {
  const server = startOData();
  const app = setupApp(server.api);
  const { screens, store, read } = app;
  const { getList, get } = ProductResource;
  const next = ({ '@odata.nextLink': link }: { '@odata.nextLink'?: string }, args: object) =>
    link === undefined ? undefined : { ...args, $skiptoken: new URL(link).searchParams.get('$skiptoken') };
  const beverages = { $filter: "Category eq 'Beverages'", $count: true };
  const condiments = { $filter: "Category eq 'Condiments'", $count: true };
  const part = { $top: 2, $skip: 2, $count: true };
  await screens.openPages(getList, [beverages], { load: [() => store.dispatch(getList.getNextPage(beverages))], next });
  for (const args of [condiments, { $search: 'Cha', $count: true }, { $filter: 'Discontinued eq true', $count: true }])
    await screens.openPages(getList, [args], { load: [], next });
  await screens.open(getList, part);
  await screens.open(get, { ProductID: 2 });
  const shown = (args: Parameters<typeof getList>[0]): string => {
    const { value = [], '@odata.count': count } = read(getList.select(args)) ?? {};
    return `${value.map(({ Name }) => Name).join()} of ${String(count)}`;
  };
  return { ...app, ...server, shown, beverages, condiments, part };
}

describe('an app on OData', () => {
  it('shows lists, pages by nextLink, parts by $skip, and counts as the server has them', async () => {
    const { screens, shown, beverages, part } = await setupProducts();

    await screens.expectToEqualServer();

    expect(shown(beverages)).toBe('Chai,Chang,Coffee,Tea of 4');
    expect(shown(part)).toBe('Syrup,Coffee of 6');
  });

  it('creates a product: it joins at once, and what only the server knows is asked for again', async () => {
    const { screens, store, shown, api, condiments } = await setupProducts();
    const held = api.hold('POST /Products');

    const create = store.dispatch(ProductResource.getList.push({}, { Name: 'Chard', Category: 'Condiments' }));
    const during = shown(condiments);
    held.release();
    await create;

    expect(during).toBe('Syrup,Chard of 2');
    await screens.expectToEqualServer();
    expect(shown({ $search: 'Cha', $count: true })).toBe('Chai,Chang of 4');
  });

  it('gives a product another category, which is answered by nothing: it moves from list to list', async () => {
    const { screens, store, shown, api, beverages, condiments } = await setupProducts();
    const held = api.hold('PATCH /Products(2)');

    const edit = store.dispatch(ProductResource.partialUpdate({ ProductID: 2 }, { Category: 'Condiments' }));
    const during = [shown(beverages), shown(condiments)];
    held.release();
    await edit;

    expect(during).toEqual(['Chai,Coffee,Tea of 3', 'Syrup,Chang of 2']);
    await screens.expectToEqualServer();
  });

  it('edits what a filter asks for that nobody but the server understands', async () => {
    const { screens, store, shown } = await setupProducts();

    await store.dispatch(ProductResource.partialUpdate({ ProductID: 4 }, { Name: 'Chai latte', Discontinued: true }));
    await screens.expectToEqualServer();

    expect(shown({ $search: 'Cha', $count: true })).toBe('Chai,Chang of 4');
  });

  it('deletes a product: parts of lists shift, and are asked for again', async () => {
    const { screens, store, shown, part } = await setupProducts();

    await store.dispatch(ProductResource.delete({ ProductID: 1 }));
    await screens.expectToEqualServer();

    expect(shown(part)).toBe('Coffee,Charcoal of 5');
  });

  it('is told by 422 which property is wrong, and shows what was', async () => {
    const { screens, store, shown, beverages } = await setupProducts();

    const { error } = await store.dispatch(
      ProductResource.partialUpdate({ ProductID: 2 }, { Name: '', Category: 'Condiments' }),
    );

    expect(error).toMatchObject({ status: 422, data: { error: { details: [{ target: 'Name' }] } } });
    expect(shown(beverages)).toBe('Chai,Chang,Coffee,Tea of 4');
    await screens.expectToEqualServer();
  });

  it.each([
    [409, 'that a name is taken'],
    [412, 'that others were faster'],
  ])('is told by %s %s, and asks what is so', async (status) => {
    const { screens, store, api, products } = await setupProducts();
    findIn(products, { ProductID: 2 }, missing).Name = 'Changed';
    api.refuse('PATCH /Products(2)', { status, json: problem('Conflict', 'No.') });

    const { error } = await store.dispatch(ProductResource.partialUpdate({ ProductID: 2 }, { Name: 'Chai' }));

    expect(error?.status).toBe(status);
    await screens.expectToEqualServer();
  });

  it('is answered 304 where nothing has changed', async () => {
    const { screens, store, api, read } = await setupProducts();
    api.remember('/Products(2)');
    await store.dispatch(ProductResource.get({ ProductID: 2 }));
    const before = read(ProductResource.get.select({ ProductID: 2 }));

    const again = await store.dispatch(ProductResource.get({ ProductID: 2 })).unwrap();

    expect(again).toBe(before);
    await screens.expectToEqualServer();
  });

  it.each([
    ['create', ({ dispatch }: Store) => dispatch(ProductResource.getList.push({}, { Name: 'Chard' }))],
    [
      'edit',
      ({ dispatch }: Store) =>
        dispatch(ProductResource.partialUpdate({ ProductID: 2 }, { Category: 'Condiments', Discontinued: true })),
    ],
    ['deletion', ({ dispatch }: Store) => dispatch(ProductResource.delete({ ProductID: 1 }))],
  ])('asks what is so where the answer to a %s was lost', async (_, write) => {
    const { screens, store, api } = await setupProducts();
    for (const name of ['POST /Products', 'PATCH /Products(2)', 'DELETE /Products(1)']) api.lose(name);

    const { error } = await write(store);

    expect(error?.name).toBe('NetworkError');
    await screens.expectToEqualServer();
  });
});

it.each(['https://example.com/odata/Products?$skip=1', 'Products?$skiptoken=1'])(
  'a list goes on where its server says so: %s',
  async (link) => {
    const row = (ProductID: number) => ({ ProductID, Name: 'Chai' });
    const { fetchFn } = apiOf(
      {
        'GET /Products': ({ query }) => ({
          json: query.size === 0 ? { value: [row(1)], '@odata.nextLink': link } : { value: [row(2)] },
        }),
      },
      { prefix: '/odata' },
    );
    const { store, read } = setup({ fetchFn });
    await store.dispatch(ProductResource.getList({})).unwrap();

    await store.dispatch(ProductResource.getList.getNextPage({})).unwrap();

    expect(read(ProductResource.getList.select({}))?.value.map(({ ProductID }) => ProductID)).toEqual([1, 2]);
    expect(read(ProductResource.getList.selectRequest({})).hasNextPage).toBe(false);
  },
);
