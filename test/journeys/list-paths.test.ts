import { createResource, Entity } from 'rtk-resource';
import { expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

class Product extends Entity {
  id = 0;
  name = '';
  static override key = 'Product';
}

const server = await serverOfFile();

it.each([
  ['/products/:id/', '/products/1/', '/products/'],
  ['/products/:id.json', '/products/1.json', '/products.json'],
  ['/Products\\(:id\\)', '/Products(1)', '/Products'],
])('lists and creates where %s leaves its end', async (path, item, list) => {
  const { store, read } = setup();
  const Products = createResource({ urlPrefix: server.url, path, schema: Product });
  server.answer(`GET ${list}`, { json: [{ id: 1, name: 'Chai' }] });
  server.answer(`POST ${list}`, { status: 201, json: { id: 2, name: 'Chang' } });
  server.answer(`DELETE ${item}`, { status: 204 });

  await store.dispatch(Products.getList());
  await store.dispatch(Products.getList.push({}, { name: 'Chang' }));
  await store.dispatch(Products.delete({ id: 1 }));

  expect(server.received.map((one) => `${one.method} ${one.path}`)).toEqual([
    `GET ${list}`,
    `POST ${list}`,
    `DELETE ${item}`,
  ]);
  expect(read(Products.getList.select())?.map(({ name }) => name)).toEqual(['Chang']);
});

it('lists and creates at a listPath, and moves at the path of the item', async () => {
  const { store, read } = setup();
  const Products = createResource({
    urlPrefix: server.url,
    path: '/products/:id',
    listPath: '/shops/:shop/products',
    schema: Product,
  });
  server.answer('GET /shops/a/products', { json: [{ id: 1, name: 'Chai' }] });
  server.answer('POST /shops/a/products', { status: 201, json: { id: 2, name: 'Chang' } });
  server.answer('PATCH /products/1', { json: { id: 1, name: 'Chai latte' } });

  await store.dispatch(Products.getList({ shop: 'a' }));
  await store.dispatch(Products.getList.push({ shop: 'a' }, { name: 'Chang' }));
  await store.dispatch(Products.getList.move({ id: 1 }, { name: 'Chai latte' }));

  expect(read(Products.getList.select({ shop: 'a' }))?.map(({ name }) => name)).toEqual(['Chai latte', 'Chang']);
});
