import { createResource, Entity, isTemporary, keyOf } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile, type Reply } from '../support/server.js';
import { setup } from '../support/store.js';

class Article extends Entity {
  slug = '';
  title = '';
  override pk() {
    return this.slug;
  }
  static override key = 'Article';
}
class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note';
}
const server = await serverOfFile();
const urlPrefix = server.url;
const articles = { urlPrefix, path: '/articles/:slug', schema: Article } as const;
const ways = { plain: createResource(articles), optimistic: createResource({ ...articles, optimistic: true }) };
const { get } = ways.plain;
const Notes = createResource({ urlPrefix, path: '/notes/:id', schema: Note, optimistic: true });
const create = Notes.getList.push.extend({ path: '/notes/:id', method: 'PUT', name: 'Note/create' });

const says = (json: unknown): Reply => ({ json });

describe('an article to which a PATCH gives another slug', () => {
  const answers = {
    'the article': says({ slug: 'wasps', title: 'Wasps' }),
    '204': { status: 204 },
    ok: says({ ok: true }),
  };

  it.each(
    Object.entries(ways).flatMap(([way, { getList, partialUpdate }]) =>
      Object.entries(answers).map(([name, reply]) => ({ way, getList, partialUpdate, name, reply })),
    ),
  )('is one row, under its new slug, where the answer is $name ($way)', async ({ getList, partialUpdate, reply }) => {
    const { store, read, resources } = setup();
    const shown = () => read(getList.select())?.map(({ slug, title }) => `${slug} ${title}`);
    server.answer('GET /articles', says([{ slug: 'bees', title: 'Bees' }]));
    const [bees] = await store.dispatch(getList()).unwrap();
    server.answer('PATCH /articles/bees', reply);

    await store.dispatch(partialUpdate({ slug: 'bees' }, { slug: 'wasps', title: 'Wasps' }));

    expect(shown()).toEqual(['wasps Wasps']);
    expect(read(get.select({ slug: 'wasps' }))?.title).toBe('Wasps');
    expect(read(getList.select())?.map(keyOf)).toEqual([bees && keyOf(bees)]);
    server.answer('PATCH /articles/wasps', says({ slug: 'wasps', title: 'Wasps!' }));
    await store.dispatch(partialUpdate({ slug: 'wasps' }, { title: 'Wasps!' })).unwrap();
    expect(shown()).toEqual(['wasps Wasps!']);
    expect(read(resources.selectAll(Article))).toHaveLength(1);
  });

  it('keeps its slug where that is refused', async () => {
    const { store, read } = setup();
    const { getList, partialUpdate } = ways.optimistic;
    server.answer('GET /articles', says([{ slug: 'bees', title: 'Bees' }]));
    await store.dispatch(getList()).unwrap();
    server.answer('PATCH /articles/bees', { status: 422, json: {} });

    await store.dispatch(partialUpdate({ slug: 'bees' }, { slug: 'wasps' }));

    expect(read(get.select({ slug: 'bees' }))?.slug).toBe('bees');
  });

  it('is the row that its address calls otherwise, as long as the body gives it no other id', async () => {
    const { store, read } = setup();
    server.answer('GET /notes/me', says({ id: 'abc', text: 'one' }));
    await store.dispatch(Notes.get({ id: 'me' })).unwrap();
    server.answer('PATCH /notes/me', { status: 204 });

    await store.dispatch(Notes.partialUpdate({ id: 'me' }, { text: 'two' })).unwrap();

    expect(read(Notes.get.select({ id: 'abc' }))).toMatchObject({ id: 'abc', text: 'two' });
  });
});

it.each([says({ id: 'n1', text: 'Milk' }), says({ ok: true })])(
  'a note that is made by PUT has the id in its address from the start (%j)',
  async (reply) => {
    const { store, read } = setup();
    server.answer('GET /notes', says([]));
    await store.dispatch(Notes.getList()).unwrap();
    const shown = () => read(Notes.getList.select())?.map(({ id, text }) => [isTemporary(id), id, text]);

    const creating = store.dispatch(create({ id: 'n1' }, { text: 'Milk' }));
    await server.holding('PUT /notes/n1');
    expect(shown()).toEqual([[false, 'n1', 'Milk']]);
    await server.release('PUT /notes/n1', reply);
    await creating;

    expect(shown()).toEqual([[false, 'n1', 'Milk']]);
  },
);
