import { describe, expect, it } from 'vitest';
import { apiOf, findIn, Refusal, removeFrom, type Asked } from './api.js';
import { setup } from '../support/store.js';
import { ArticleResource } from './models/json-api.js';
import { setupApp, type Store } from './screens.js';

interface ArticleRow {
  id: string;
  title: string;
  status: string;
  author: string;
}
interface Sent {
  readonly data: {
    readonly id?: string;
    readonly type: string;
    readonly attributes: Partial<ArticleRow>;
    readonly relationships: { readonly author?: { readonly data: { readonly id: string; readonly type: string } } };
  };
}

const pageSize = 2;
const problem = (status: string, detail: string, pointer?: string) => ({
  status: Number(status),
  json: { errors: [{ status, detail, ...(pointer && { source: { pointer } }) }] },
});
const missing = problem('404', 'There is no such article.').json;

/** A server that speaks JSON:API: an edit that is done as it was sent is answered 204. */
function startJsonApi() {
  const people = new Map([
    ['8', 'Ada'],
    ['9', 'Bob'],
  ]);
  const article = (id: number, title: string, status: string, author: string): ArticleRow => ({
    ...{ id: String(id), title, status, author },
  });
  const articles = [
    article(1, 'Ants', 'draft', '8'),
    article(2, 'Bees', 'draft', '9'),
    article(3, 'Cats', 'published', '8'),
    article(4, 'Ants again', 'draft', '8'),
    article(5, 'Dogs', 'draft', '9'),
  ];
  let lastId = 5;
  const resource = ({ id, author, ...attributes }: ArticleRow) => ({
    ...{ type: 'articles', id, attributes },
    relationships: { author: { data: { type: 'people', id: author }, links: { related: `/people/${author}` } } },
    links: { self: `https://example.com/api/articles/${id}` },
  });
  const included = (rows: readonly ArticleRow[]) =>
    [...new Set(rows.map(({ author }) => author))].map((id) => ({
      ...{ type: 'people', id, attributes: { name: people.get(id) } },
      relationships: { articles: { links: { related: `/people/${id}/articles` } } },
    }));
  const taken = (asked: Asked, own?: ArticleRow): Partial<ArticleRow> => {
    const { data }: Sent = asked.body;
    if (asked.headers.get('content-type') !== 'application/vnd.api+json')
      throw new Refusal(problem('415', 'JSON:API is spoken here.'));
    if (data.type !== 'articles' || data.id !== own?.id) throw new Refusal(problem('409', 'That is another thing.'));
    const { title } = data.attributes;
    if (title === '') throw new Refusal(problem('422', 'must not be empty', '/data/attributes/title'));
    if (articles.some((other) => other !== own && other.title === title))
      throw new Refusal(problem('409', 'is taken', '/data/attributes/title'));
    const { author } = data.relationships;
    return { ...data.attributes, ...(author && { author: author.data.id }) };
  };
  const of = (asked: Asked): ArticleRow => findIn(articles, { id: asked.param('id') }, missing);

  const api = apiOf(
    {
      'GET /articles': ({ query, url }) => {
        const found = articles.filter(
          ({ title, status, author }) =>
            title.includes(query.get('filter[search]') ?? '') &&
            status === (query.get('filter[status]') ?? status) &&
            author === (query.get('filter[author]') ?? author),
        );
        const page = Number(query.get('page[number]') ?? 1);
        const rows = found.slice((page - 1) * pageSize, page * pageSize);
        const next = new URL(url);
        next.searchParams.set('page[number]', String(page + 1));
        return {
          json: {
            data: rows.map(resource),
            included: included(rows),
            meta: { total: found.length },
            links: { next: page * pageSize < found.length ? next.href : null },
          },
        };
      },
      'POST /articles': (asked) => {
        const added = { ...article(++lastId, '', 'draft', '8'), ...taken(asked) };
        articles.push(added);
        return { status: 201, json: { data: resource(added), included: included([added]) } };
      },
      'GET /articles/:id': (asked) => ({ json: { data: resource(of(asked)), included: included([of(asked)]) } }),
      'PATCH /articles/:id': (asked) => {
        Object.assign(of(asked), taken(asked, of(asked)));
        return { status: 204 };
      },
      'DELETE /articles/:id': (asked) => {
        removeFrom(articles, of(asked));
        return { status: 204 };
      },
    },
    { prefix: '/api', hasTags: true },
  );
  return { api, articles };
}

/** Somebody looks at lists of several filters, at a part of one, and at one article. */
async function setupArticles() {
  const server = startJsonApi();
  const app = setupApp(server.api);
  const { screens, store, read } = app;
  const { getList, get } = ArticleResource;
  const next = ({ links }: { links: { next: string | null } }, args: { 'page[number]'?: number }) =>
    links.next === null ? undefined : { ...args, 'page[number]': (args['page[number]'] ?? 1) + 1 };
  const drafts = { 'filter[status]': 'draft' };
  await screens.openPages(getList, [drafts], { load: [() => store.dispatch(getList.getNextPage(drafts))], next });
  for (const args of [{ 'filter[status]': 'published' }, { 'filter[author]': '9' }, { 'filter[search]': 'Ants' }])
    await screens.openPages(getList, [args], { load: [], next });
  await screens.open(getList, { 'page[number]': 2 });
  await screens.open(get, { id: '2' });
  const shown = (args: Parameters<typeof getList>[0]): string => {
    const { data = [], meta } = read(getList.select(args)) ?? {};
    return `${data.map(({ title }) => title).join()} of ${String(meta?.total)}`;
  };
  return { ...app, ...server, shown, drafts };
}

describe('an app on a server that speaks JSON:API', () => {
  it('shows lists with what is included, pages and totals as the server has them', async () => {
    const { screens, shown, drafts, read } = await setupArticles();

    await screens.expectToEqualServer();

    expect(shown(drafts)).toBe('Ants,Bees,Ants again,Dogs of 4');
    expect(read(ArticleResource.get.select({ id: '2' }))).toMatchObject({ title: 'Bees', author: { name: 'Bob' } });
  });

  it('creates an article with its author: it joins at once, and the search is asked for again', async () => {
    const { screens, store, shown, api } = await setupArticles();
    const held = api.hold('POST /articles');

    const body = { title: 'Ants of old', status: 'published', author: '9' };
    const create = store.dispatch(ArticleResource.getList.push({}, body));
    const during = [shown({ 'filter[status]': 'published' }), shown({ 'filter[author]': '9' })];
    held.release();
    await create;

    expect(during).toEqual(['Cats,Ants of old of 2', 'Bees,Dogs,Ants of old of 3']);
    await screens.expectToEqualServer();
    expect(shown({ 'filter[search]': 'Ants' })).toBe('Ants,Ants again of 3');
  });

  it('publishes an article, which is answered by nothing: it moves from list to list, and both totals know', async () => {
    const { screens, store, shown, api, drafts } = await setupArticles();
    const held = api.hold('PATCH /articles/2');

    const edit = store.dispatch(ArticleResource.partialUpdate({ id: '2' }, { status: 'published' }));
    const during = [shown(drafts), shown({ 'filter[status]': 'published' })];
    held.release();
    await edit;

    expect(during).toEqual(['Ants,Ants again,Dogs of 3', 'Cats,Bees of 2']);
    await screens.expectToEqualServer();
  });

  it('gives an article another author: it leaves the list of the first', async () => {
    const { screens, store, shown, read } = await setupArticles();

    await store.dispatch(ArticleResource.partialUpdate({ id: '2' }, { author: '8' }));

    expect(shown({ 'filter[author]': '9' })).toBe('Dogs of 1');
    expect(read(ArticleResource.get.select({ id: '2' }))?.author?.name).toBe('Ada');
    await screens.expectToEqualServer();
  });

  it('gives an article a title by which the server finds it', async () => {
    const { screens, store } = await setupArticles();

    await store.dispatch(ArticleResource.partialUpdate({ id: '2' }, { title: 'Ants and bees' }));

    await screens.expectToEqualServer();
  });

  it('deletes an article: pages shift, and are asked for again', async () => {
    const { screens, store, shown } = await setupArticles();

    await store.dispatch(ArticleResource.delete({ id: '1' }));
    await screens.expectToEqualServer();

    expect(shown({ 'page[number]': 2 })).toBe('Ants again,Dogs of 4');
  });

  it('is told by 422 which attribute is wrong, and shows what was', async () => {
    const { screens, store, shown, drafts } = await setupArticles();

    const { error } = await store.dispatch(
      ArticleResource.partialUpdate({ id: '2' }, { title: '', status: 'published' }),
    );

    expect(error).toMatchObject({ status: 422, data: { errors: [{ source: { pointer: '/data/attributes/title' } }] } });
    expect(shown(drafts)).toBe('Ants,Bees,Ants again,Dogs of 4');
    await screens.expectToEqualServer();
  });

  it('is told by 409 that a title is taken, and asks what is so', async () => {
    const { screens, store, articles } = await setupArticles();
    findIn(articles, { id: '2' }, missing).title = 'Honey bees';

    const { error } = await store.dispatch(ArticleResource.partialUpdate({ id: '2' }, { title: 'Cats' }));

    expect(error?.status).toBe(409);
    await screens.expectToEqualServer();
  });

  it('is answered 304 where nothing has changed', async () => {
    const { screens, store, api, read } = await setupArticles();
    api.remember('/articles/2');
    await store.dispatch(ArticleResource.get({ id: '2' }));
    const before = read(ArticleResource.get.select({ id: '2' }));

    const again = await store.dispatch(ArticleResource.get({ id: '2' })).unwrap();

    expect(again).toBe(before);
    await screens.expectToEqualServer();
  });

  it.each([
    [
      'create',
      ({ dispatch }: Store) => dispatch(ArticleResource.getList.push({}, { title: 'Ants of old', author: '9' })),
    ],
    [
      'edit',
      ({ dispatch }: Store) =>
        dispatch(ArticleResource.partialUpdate({ id: '2' }, { title: 'Ants?', status: 'published' })),
    ],
    ['deletion', ({ dispatch }: Store) => dispatch(ArticleResource.delete({ id: '1' }))],
  ])('asks what is so where the answer to a %s was lost', async (_, write) => {
    const { screens, store, api } = await setupArticles();
    for (const name of ['POST /articles', 'PATCH /articles/2', 'DELETE /articles/1']) api.lose(name);

    const { error } = await write(store);

    expect(error?.name).toBe('NetworkError');
    await screens.expectToEqualServer();
  });
});

describe('another server that speaks JSON:API', () => {
  const article = (id: string, author?: object) => ({
    ...{ type: 'articles', id, attributes: { title: `Article ${id}` } },
    ...(author && { relationships: { author } }),
  });
  const links = { related: '/api/articles/1/author' };
  const included = [{ type: 'people', id: '9', attributes: { name: 'Bob' } }];
  const appOf = (routes: Parameters<typeof apiOf>[0]) => setup({ fetchFn: apiOf(routes, { prefix: '/api' }).fetchFn });

  it.each([
    ['leaves the author where there are links alone', { links }, { name: 'Bob' }],
    ['takes the author away where it says so', { data: null, links }, null],
  ])('%s', async (_, author, shown) => {
    const { store, read } = appOf({
      'GET /articles': () => ({ json: { data: [article('1', { data: { type: 'people', id: '9' } })], included } }),
      'GET /articles/:id': () => ({ json: { data: article('1', author) } }),
    });
    await store.dispatch(ArticleResource.getList({ include: 'author' })).unwrap();

    await store.dispatch(ArticleResource.get({ id: '1' })).unwrap();

    expect(read(ArticleResource.get.select({ id: '1' }))).toMatchObject({ author: shown });
  });

  it('includes nobody, until it is asked to: articles show without their author', async () => {
    const written = (id: string) => article(id, { data: { type: 'people', id: '9' } });
    const { store, read } = appOf({
      'GET /articles': () => ({ json: { data: [written('1')], meta: { total: 1 } } }),
      'GET /articles/:id': ({ query }) => ({
        json: { data: written('1'), ...(query.get('include') === 'author' && { included }) },
      }),
      'POST /articles': () => ({ status: 201, json: { data: written('2') } }),
      'PATCH /articles/:id': () => ({ status: 204 }),
    });
    const { get, getList, partialUpdate } = ArticleResource;
    const byBob = { 'filter[author]': '9' };

    const alone = await store.dispatch(get({ id: '1' })).unwrap();
    await store.dispatch(getList()).unwrap();
    await store.dispatch(getList.push({}, { title: 'Article 2', author: '9' })).unwrap();
    const list = read(getList.select());
    await store.dispatch(getList(byBob)).unwrap();
    await store.dispatch(partialUpdate({ id: '1' }, { title: 'Ants' })).unwrap();
    const edited = read(getList.select(byBob))?.data.map(({ title }) => title);
    const whole = await store.dispatch(get({ id: '1', include: 'author' })).unwrap();

    expect(alone).toMatchObject({ title: 'Article 1', author: undefined });
    expect([list?.data.map(({ title }) => title), list?.meta.total]).toEqual([['Article 1', 'Article 2'], 2]);
    expect(edited).toEqual(['Ants']);
    expect(whole).toMatchObject({ title: 'Article 1', author: { name: 'Bob' } });
  });

  it('answers an edit and a deletion by meta alone: both are done', async () => {
    const done = () => ({ json: { meta: { took: 5 } } });
    const { store, read } = appOf({
      'GET /articles': () => ({ json: { data: [article('1'), article('2')] } }),
      'PATCH /articles/:id': done,
      'DELETE /articles/:id': done,
    });
    await store.dispatch(ArticleResource.getList({})).unwrap();

    await store.dispatch(ArticleResource.partialUpdate({ id: '1' }, { title: 'Ants' })).unwrap();
    await store.dispatch(ArticleResource.delete({ id: '2' })).unwrap();

    expect(read(ArticleResource.getList.select({}))?.data.map(({ title }) => title)).toEqual(['Ants']);
  });

  it('names the next page by a link without a host, and the last page has no links', async () => {
    const { store, read } = appOf({
      'GET /articles': ({ query }) =>
        query.has('page[number]')
          ? { json: { data: [article('2')] } }
          : { json: { data: [article('1')], links: { next: '/api/articles?page[number]=2' } } },
    });
    await store.dispatch(ArticleResource.getList({})).unwrap();

    await store.dispatch(ArticleResource.getList.getNextPage({})).unwrap();

    expect(read(ArticleResource.getList.select({}))?.data.map(({ id }) => id)).toEqual(['1', '2']);
    expect(read(ArticleResource.getList.selectRequest({})).hasNextPage).toBe(false);
  });
});
