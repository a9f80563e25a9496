import { createResource, Entity, schema } from 'rtk-resource';
import { expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

/** Parts of an item that say the same stay the same objects, so that nobody renders them anew. */
class Tag extends Entity {
  id = 0;
  name = '';
  static override key = 'Tag';
}
class Post extends Entity {
  id = 0;
  title = '';
  at = new Date(0);
  labels: readonly string[] = [];
  size: { readonly width: number } = { width: 0 };
  tags: readonly Tag[] = [];
  static override key = 'Post';
  static override schema = { at: (iso: string) => new Date(iso), tags: new schema.Array(Tag) };
}

const server = await serverOfFile();
const Posts = createResource({ urlPrefix: server.url, path: '/posts/:id', schema: Post, optimistic: true });
const post = (fields: object = {}) => ({
  id: 1,
  title: 'one',
  at: '2026-01-01T00:00:00Z',
  labels: ['a'],
  size: { width: 1 },
  tags: [{ id: 1, name: 'T' }],
  ...fields,
});

const parts = ['at', 'labels', 'size', 'tags'] as const;

async function setupPost() {
  const { store, read } = setup();
  server.answer('GET /posts/1', { json: post() });
  await store.dispatch(Posts.get({ id: 1 }));
  const shown = () => read(Posts.get.select({ id: 1 }));
  return { store, shown, first: shown() };
}

it.each(parts)('the %s of an item is the same object after a refetch that changes its title', async (part) => {
  const { store, shown, first } = await setupPost();
  server.answer('GET /posts/1', { json: post({ title: 'two' }) });

  await store.dispatch(Posts.get({ id: 1 }));

  expect(shown()?.title).toBe('two');
  expect(shown()?.[part]).toBe(first?.[part]);
});

it.each(parts)('the %s of an item is the same object during and after an edit of its title', async (part) => {
  const { store, shown, first } = await setupPost();

  const editing = store.dispatch(Posts.partialUpdate({ id: 1 }, { title: 'mine' }));
  await server.holding('PATCH /posts/1');
  const pending = shown();
  await server.release('PATCH /posts/1', { json: post({ title: 'theirs' }) });
  await editing;

  expect([pending?.title, shown()?.title]).toEqual(['mine', 'theirs']);
  expect(pending?.[part]).toBe(first?.[part]);
  expect(shown()?.[part]).toBe(first?.[part]);
});

it.each([
  ['at', '2026-02-02T00:00:00Z'],
  ['labels', ['a', 'b']],
  ['size', { width: 2 }],
  [
    'tags',
    [
      { id: 1, name: 'T' },
      { id: 2, name: 'U' },
    ],
  ],
] as const)('the %s of an item is another object where it says something else', async (part, news) => {
  const { store, shown, first } = await setupPost();
  server.answer('GET /posts/1', { json: post({ [part]: news }) });

  await store.dispatch(Posts.get({ id: 1 }));

  expect(JSON.stringify(shown()?.[part])).not.toBe(JSON.stringify(first?.[part]));
  for (const other of parts) if (other !== part) expect(shown()?.[other]).toBe(first?.[other]);
});

it('the tags of an item are others where one of them is another', async () => {
  const { store, shown, first } = await setupPost();
  server.answer('GET /posts/1', { json: post({ tags: [{ id: 1, name: 'new' }] }) });

  await store.dispatch(Posts.get({ id: 1 }));

  expect(shown()?.tags.map(({ name }) => name)).toEqual(['new']);
  expect(shown()?.tags).not.toBe(first?.tags);
});
