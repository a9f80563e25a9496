import { createResource, Entity, isTemporary, keyOf, RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

const server = await serverOfFile();
const urlPrefix = server.url;

describe('an item that is created with the slug of one whose rename is under way', () => {
  class Article extends Entity {
    slug = '';
    title = '';
    body = '';
    override pk() {
      return this.slug;
    }
    static override key = 'Article';
  }
  const Articles = createResource({
    urlPrefix,
    path: '/articles/:slug',
    schema: Article,
    optimistic: true,
  });
  const wasps = { slug: 'wasps', title: 'Wasps', body: 'old' };
  const bees = { slug: 'bees', title: 'Bees', body: 'new' };

  async function setupRename() {
    const tools = setup();
    const { store, read } = tools;
    server.answer('GET /articles', { json: [{ slug: 'bees', title: 'Bees', body: 'old' }] });
    await store.dispatch(Articles.getList());
    const renaming = store.dispatch(Articles.partialUpdate({ slug: 'bees' }, { title: 'Wasps' }));
    await server.holding('PATCH /articles/bees');
    const creating = store.dispatch(Articles.getList.push({ title: 'Bees', body: 'new' }));
    await server.holding('POST /articles');

    return {
      ...tools,
      articles: () => read(Articles.getList.select()) ?? [],
      shown: () => read(Articles.getList.select())?.map(({ slug, body }) => `${slug} ${body}`),
      answerRename: async (json: object | undefined) => {
        await server.release('PATCH /articles/bees', json ? { json } : { status: 204 });
        await renaming;
      },
      answerCreate: async () => {
        await server.release('POST /articles', { status: 201, json: bees });
        return creating.unwrap();
      },
    };
  }

  it('is another one, with its own key', async () => {
    const { articles, shown, answerRename, answerCreate } = await setupRename();
    const keys = articles().map(keyOf);

    await answerRename(wasps);
    const created = await answerCreate();

    expect(created).toMatchObject(bees);
    expect(shown()).toEqual(['wasps old', 'bees new']);
    expect(articles().map(keyOf)).toEqual(keys);
  });

  it('is what a deletion means that has waited for it', async () => {
    const { store, articles, shown, answerRename, answerCreate } = await setupRename();
    const deletion = store.dispatch(Articles.delete({ slug: articles().at(-1)?.slug ?? '' }));

    await answerRename(wasps);
    await answerCreate();
    const during = shown();
    await server.release('DELETE /articles/bees', { status: 204 });
    await deletion;

    expect(during).toEqual(['wasps old']);
    expect(shown()).toEqual(['wasps old']);
  });

  it('is what an edit means that has waited for it', async () => {
    const { store, articles, shown, answerRename, answerCreate } = await setupRename();
    const edit = store.dispatch(Articles.partialUpdate({ slug: articles().at(-1)?.slug ?? '' }, { body: 'newer' }));

    await answerRename(wasps);
    await answerCreate();
    const during = shown();
    await server.release('PATCH /articles/bees', { status: 204 });
    await edit;

    expect(during).toEqual(['wasps old', 'bees newer']);
    expect(shown()).toEqual(['wasps old', 'bees newer']);
  });

  it('is what its temporary id means afterwards', async () => {
    const { store, articles, shown, answerRename, answerCreate } = await setupRename();
    const { slug = '' } = articles().at(-1) ?? {};
    expect(isTemporary(slug)).toBe(true);
    await answerRename(wasps);
    await answerCreate();

    const edit = store.dispatch(Articles.partialUpdate({ slug }, { body: 'newer' }));
    const during = shown();
    await server.release('PATCH /articles/bees', { status: 204 });
    await edit;

    expect([during, shown()]).toEqual([
      ['wasps old', 'bees newer'],
      ['wasps old', 'bees newer'],
    ]);
  });

  it('is none that an action on many items tells by the old slug', async () => {
    const { store, shown, answerRename, answerCreate } = await setupRename();
    const touchAll = new RestEndpoint({
      urlPrefix,
      path: '/touch',
      method: 'POST',
      schema: [Article],
      body: undefined,
      name: 'touchAll',
    });
    const touching = store.dispatch(touchAll());
    await server.holding('POST /touch');

    await answerRename(wasps);
    await server.release('POST /touch', { json: [{ slug: 'bees', title: 'Bees', body: 'touched' }] });
    await touching;
    await answerCreate();

    expect(shown()).toEqual(['wasps touched', 'bees new']);
  });
});
