import { describe, expect, it } from 'vitest';
import { apiOf, findIn, Refusal, removeFrom, type Asked } from './api.js';
import { ArticleResource, CommentResource } from './models/conduit.js';
import { setupApp, type Store } from './screens.js';

interface ArticleRow {
  slug: string;
  title: string;
  description: string;
  body: string;
  tagList: readonly string[];
  createdAt: string;
  favorited: boolean;
  favoritesCount: number;
  author: { username: string; bio: string | null; image: string; following: boolean };
}
interface CommentRow {
  id: number;
  body: string;
  createdAt: string;
  author: ArticleRow['author'];
  of: ArticleRow;
}
interface ArticleBody {
  readonly article: Partial<ArticleRow>;
}

const missing = { errors: { article: ['not found'] } };
const slugOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

/** RealWorld's server, as it is for Ada, who is signed in. */
function startConduit() {
  const profile = (username: string) => ({
    username,
    bio: null,
    image: `https://img.io/${username}.png`,
    following: false,
  });
  const [ada, bob] = [profile('ada'), profile('bob')];
  const createdAt = '2026-01-05T10:00:00.000Z';
  const articles: ArticleRow[] = [];
  const comments: CommentRow[] = [];
  let id = 0;
  const publish = ({ title = '', ...more }: Partial<ArticleRow>): ArticleRow => {
    const fresh = {
      description: '',
      body: '',
      tagList: [],
      createdAt,
      favorited: false,
      favoritesCount: 0,
      author: ada,
    };
    const article = { slug: slugOf(title), title, ...fresh, ...more };
    articles.unshift(article);
    return article;
  };
  publish({ title: 'Ants', tagList: ['insects'] });
  publish({ title: 'Bees', tagList: ['insects', 'honey'], author: bob });
  publish({ title: 'Cats', tagList: ['mammals'], favorited: true, favoritesCount: 3 });
  publish({ title: 'Dogs', tagList: ['mammals'], author: bob });
  const of = (asked: Asked): ArticleRow => findIn(articles, { slug: asked.param('slug') }, missing);
  const invalid = (field: string, text: string): Refusal =>
    new Refusal({ status: 422, json: { errors: { [field]: [text] } } });
  comments.push({ id: ++id, body: 'Lovely', createdAt, author: bob, of: articles[3] as ArticleRow });
  const commentOf = ({ of: _, ...comment }: CommentRow) => comment;
  const favor = (article: ArticleRow, favorited: boolean): ArticleRow =>
    Object.assign(article, { favorited, favoritesCount: article.favoritesCount + (favorited ? 1 : -1) });

  const api = apiOf(
    {
      'GET /articles': ({ query }) => {
        const found = articles.filter(
          ({ tagList, author, favorited }) =>
            (!query.has('tag') || tagList.includes(query.get('tag') ?? '')) &&
            (!query.has('author') || author.username === query.get('author')) &&
            (!query.has('favorited') || (query.get('favorited') === 'ada' && favorited)),
        );
        const offset = Number(query.get('offset') ?? 0);
        // Lists have no bodies.
        const page = found
          .slice(offset, offset + Number(query.get('limit') ?? 20))
          .map(({ body: _, ...article }) => article);
        return { json: { articles: page, articlesCount: found.length } };
      },
      'POST /articles': (asked) => {
        const { article }: ArticleBody = asked.body;
        if (!article.title) throw invalid('title', "can't be blank");
        if (articles.some(({ slug }) => slug === slugOf(article.title ?? ''))) throw invalid('title', 'must be unique');
        return { status: 201, json: { article: publish(article) } };
      },
      'GET /articles/:slug': (asked) => ({ json: { article: of(asked) } }),
      'PUT /articles/:slug': (asked) => {
        const { article }: ArticleBody = asked.body;
        const { title } = article;
        return { json: { article: Object.assign(of(asked), article, title && { slug: slugOf(title) }) } };
      },
      'DELETE /articles/:slug': (asked) => {
        removeFrom(articles, of(asked));
        return { status: 204 };
      },
      'POST /articles/:slug/favorite': (asked) => ({ json: { article: favor(of(asked), true) } }),
      'DELETE /articles/:slug/favorite': (asked) => ({ json: { article: favor(of(asked), false) } }),
      'GET /articles/:slug/comments': (asked) => {
        const article = of(asked);
        return { json: { comments: comments.filter((one) => one.of === article).map(commentOf) } };
      },
      'POST /articles/:slug/comments': (asked) => {
        const { comment }: { readonly comment: { readonly body: string } } = asked.body;
        const added = { id: ++id, ...comment, createdAt, author: ada, of: of(asked) };
        comments.push(added);
        return { json: { comment: commentOf(added) } };
      },
      'DELETE /articles/:slug/comments/:id': (asked) => {
        removeFrom(comments, findIn(comments, { id: Number(asked.param('id')) }, missing));
        return { status: 204 };
      },
    },
    { prefix: '/api', hasTags: true },
  );
  return { api, articles, comments };
}

/** Somebody looks at all lists, at one article and at its comments. */
async function setupArticles() {
  const server = startConduit();
  const app = setupApp(server.api);
  const { screens, read } = app;
  const { getList, get } = ArticleResource;
  const lists = [{}, { tag: 'insects' }, { author: 'ada' }, { favorited: 'ada' }, { limit: 2, offset: 2 }];
  for (const args of lists) await screens.open(getList, args);
  await screens.open(get, { slug: 'ants' });
  await screens.open(CommentResource.getList, { slug: 'ants' });
  const shown = (args: Parameters<typeof getList>[0]): string => {
    const { articles = [], articlesCount } = read(getList.select(args)) ?? {};
    return `${articles.map(({ title }) => title).join()} of ${String(articlesCount)}`;
  };
  return { ...app, ...server, shown };
}

describe('an app on Conduit', () => {
  it('shows lists, pages by offset, a detail and its comments as the server has them', async () => {
    const { screens, shown } = await setupArticles();

    await screens.expectToEqualServer();

    expect(shown({})).toBe('Dogs,Cats,Bees,Ants of 4');
    expect(shown({ limit: 2, offset: 2 })).toBe('Bees,Ants of 4');
  });

  it('creates an article: it stands at once in the lists that it belongs to, and is counted there', async () => {
    const { screens, store, shown, api } = await setupArticles();
    const held = api.hold('POST /articles');

    const create = store.dispatch(ArticleResource.getList.unshift({}, { title: 'Elks', tagList: ['insects'] }));
    const during = [shown({}), shown({ tag: 'insects' }), shown({ author: 'ada' })];
    held.release();
    await create;

    expect(during).toEqual(['Elks,Dogs,Cats,Bees,Ants of 5', 'Elks,Bees,Ants of 3', 'Cats,Ants of 2']);
    expect(shown({ author: 'ada' })).toBe('Elks,Cats,Ants of 3');
    await screens.expectToEqualServer();
  });

  it('edits a title, which changes the slug: lists, the detail and the comments follow', async () => {
    const { screens, store, read } = await setupArticles();

    await store.dispatch(ArticleResource.partialUpdate({ slug: 'ants' }, { title: 'Red ants' }));

    expect(read(ArticleResource.get.select({ slug: 'red-ants' }))?.title).toBe('Red ants');
    await screens.open(ArticleResource.get, { slug: 'red-ants' });
    await screens.open(CommentResource.getList, { slug: 'red-ants' });
    screens.close(ArticleResource.get.key({ slug: 'ants' }));
    screens.close(CommentResource.getList.key({ slug: 'ants' }));
    await screens.expectToEqualServer();
  });

  it('sends a comment to the new address, where it is written at the old one', async () => {
    const { screens, store, comments } = await setupArticles();
    await store.dispatch(ArticleResource.partialUpdate({ slug: 'ants' }, { title: 'Red ants' }));

    await store.dispatch(CommentResource.getList.push({ slug: 'ants' }, { body: 'Indeed' }));

    expect(comments.map(({ body }) => body)).toEqual(['Lovely', 'Indeed']);
    screens.close(ArticleResource.get.key({ slug: 'ants' }));
    screens.close(CommentResource.getList.key({ slug: 'ants' }));
    await screens.open(CommentResource.getList, { slug: 'red-ants' });
    await screens.expectToEqualServer();
  });

  it('changes the tags of an article: it moves from list to list, and is counted there', async () => {
    const { screens, store, shown, api } = await setupArticles();
    const held = api.hold('PUT /articles/ants');

    const edit = store.dispatch(ArticleResource.partialUpdate({ slug: 'ants' }, { tagList: ['workers'] }));
    const during = shown({ tag: 'insects' });
    held.release();
    await edit;

    expect(during).toBe('Bees of 1');
    await screens.expectToEqualServer();
  });

  it('favors an article, which only the server counts among my favorites', async () => {
    const { screens, store, shown } = await setupArticles();

    await store.dispatch(ArticleResource.favorite({ slug: 'ants' }));
    await screens.expectToEqualServer();
    expect(shown({ favorited: 'ada' })).toBe('Cats,Ants of 2');
    await store.dispatch(ArticleResource.unfavorite({ slug: 'cats' }));
    await screens.expectToEqualServer();

    expect(shown({ favorited: 'ada' })).toBe('Ants of 1');
  });

  it('deletes an article, and a comment: totals count them, and parts of lists are asked for again', async () => {
    const { screens, store, shown } = await setupArticles();

    await store.dispatch(ArticleResource.delete({ slug: 'dogs' }));
    const after = shown({});
    await store.dispatch(CommentResource.delete({ slug: 'ants', id: 1 }));
    await screens.expectToEqualServer();

    expect(after).toBe('Cats,Bees,Ants of 3');
    expect(shown({ limit: 2, offset: 2 })).toBe('Ants of 3');
  });

  it('is told by 422 what is wrong with a form, and shows what was', async () => {
    const { screens, store, shown } = await setupArticles();

    const { error } = await store.dispatch(ArticleResource.getList.unshift({}, { title: 'Ants' }));

    expect(error).toMatchObject({ status: 422, data: { errors: { title: ['must be unique'] } } });
    expect(shown({})).toBe('Dogs,Cats,Bees,Ants of 4');
    await screens.expectToEqualServer();
  });

  it('sees an article go that others have deleted, where an edit of it is answered 404', async () => {
    const { screens, store, articles } = await setupArticles();
    removeFrom(articles, findIn(articles, { slug: 'dogs' }, missing));

    const { error } = await store.dispatch(ArticleResource.partialUpdate({ slug: 'dogs' }, { description: 'Bark' }));

    expect(error?.status).toBe(404);
    await screens.expectToEqualServer();
  });

  it('is answered 304 where nothing has changed', async () => {
    const { screens, store, api, read } = await setupArticles();
    api.remember('/articles/ants');
    const before = read(ArticleResource.get.select({ slug: 'ants' }));
    await store.dispatch(ArticleResource.get({ slug: 'ants' }));

    const again = await store.dispatch(ArticleResource.get({ slug: 'ants' })).unwrap();

    expect(again).toBe(before);
    await screens.expectToEqualServer();
  });

  it.each([
    [
      'create',
      ({ dispatch }: Store) => dispatch(ArticleResource.getList.unshift({}, { title: 'Elks', tagList: ['insects'] })),
    ],
    [
      'edit',
      ({ dispatch }: Store) =>
        dispatch(ArticleResource.partialUpdate({ slug: 'bees' }, { tagList: [], description: 'Buzz' })),
    ],
    ['deletion', ({ dispatch }: Store) => dispatch(ArticleResource.delete({ slug: 'dogs' }))],
    ['favor', ({ dispatch }: Store) => dispatch(ArticleResource.favorite({ slug: 'dogs' }))],
  ])('asks what is so where the answer to a %s was lost', async (_, write) => {
    const { screens, store, api } = await setupArticles();
    for (const name of [
      'POST /articles',
      'PUT /articles/bees',
      'DELETE /articles/dogs',
      'POST /articles/dogs/favorite',
    ])
      api.lose(name);

    const { error } = await write(store);

    expect(error?.name).toBe('NetworkError');
    await screens.expectToEqualServer();
  });
});
