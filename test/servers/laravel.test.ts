import { describe, expect, it } from 'vitest';
import { apiOf, findIn, Refusal, removeFrom, type Asked } from './api.js';
import { PostResource } from './models/laravel.js';
import { setupApp, type Store } from './screens.js';

interface PostRow {
  id: number;
  slug: string;
  title: string;
  status: string;
  author_id: number;
  updated_at: string;
}

const perPage = 2;
const missing = { message: 'No query results for model [App\\Models\\Post].' };
const slugOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

/** An API resource of Laravel, with paginate(2), and spatie/laravel-query-builder for its filters. */
function startLaravel() {
  const authors = [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bob' },
  ];
  const posts: PostRow[] = [];
  let id = 0;
  const add = (more: Partial<PostRow> & { readonly title: string }): PostRow => {
    const fresh = { id: ++id, slug: slugOf(more.title), status: 'draft', author_id: 1 };
    const post = { ...fresh, updated_at: '2026-01-05T10:00:00.000000Z', ...more };
    posts.push(post);
    return post;
  };
  add({ title: 'Ants' });
  add({ title: 'Bees', author_id: 2 });
  add({ title: 'Cats', status: 'published' });
  add({ title: 'Red ants' });
  add({ title: 'Dogs', author_id: 2 });

  const resource = (post: PostRow) => ({ ...post, author: authors.find((one) => one.id === post.author_id) });
  const checked = (asked: Asked, own?: PostRow): Partial<PostRow> => {
    const body: Partial<PostRow> = asked.body;
    const errors: Record<string, string[]> = {};
    if (body.title === '') errors['title'] = ['The title field is required.'];
    if (posts.some((one) => one !== own && one.title === body.title))
      errors['title'] = ['The title has already been taken.'];
    const [message] = Object.values(errors).flat();
    if (message !== undefined) throw new Refusal({ status: 422, json: { message, errors } });
    return body.title === undefined ? body : { ...body, slug: slugOf(body.title) };
  };
  const of = (asked: Asked): PostRow => findIn(posts, { slug: asked.param('slug') }, missing);

  const api = apiOf(
    {
      'GET /posts': ({ query, url }) => {
        const search = query.get('filter[search]')?.toLowerCase() ?? '';
        const found = posts.filter(
          ({ title, status }) =>
            title.toLowerCase().includes(search) && status === (query.get('filter[status]') ?? status),
        );
        const page = Number(query.get('page') ?? 1);
        const last = Math.max(1, Math.ceil(found.length / perPage));
        const link = (to: number): string => `${url.origin}${url.pathname}?page=${String(to)}`;
        return {
          json: {
            data: found.slice((page - 1) * perPage, page * perPage).map(resource),
            links: {
              ...{ first: link(1), last: link(last), prev: page > 1 ? link(page - 1) : null },
              next: page < last ? link(page + 1) : null,
            },
            meta: { current_page: page, last_page: last, per_page: perPage, total: found.length },
          },
        };
      },
      'POST /posts': (asked) => {
        const body = checked(asked);
        return { status: 201, json: { data: resource(add({ title: '', ...body })) } };
      },
      'GET /posts/:slug': (asked) => ({ json: { data: resource(of(asked)) } }),
      'PATCH /posts/:slug': (asked) => {
        const post = of(asked);
        return { json: { data: resource(Object.assign(post, checked(asked, post))) } };
      },
      'DELETE /posts/:slug': (asked) => {
        removeFrom(posts, of(asked));
        return { status: 204 };
      },
    },
    { prefix: '/api', hasTags: true },
  );
  return { api, posts };
}

/** Somebody looks at lists of several filters, at one page, and at one post. */
async function setupPosts() {
  const server = startLaravel();
  const app = setupApp(server.api);
  const { screens, store, read } = app;
  const { getList, get } = PostResource;
  const next = ({ meta }: { meta: { current_page: number; last_page: number } }, args: object) =>
    meta.current_page < meta.last_page ? { ...args, page: meta.current_page + 1 } : undefined;
  const drafts = { 'filter[status]': 'draft' };
  await screens.openPages(getList, [drafts], { load: [() => store.dispatch(getList.getNextPage(drafts))], next });
  for (const args of [{ 'filter[status]': 'published' }, { 'filter[search]': 'ants' }])
    await screens.openPages(getList, [args], { load: [], next });
  await screens.open(getList, { page: 2 });
  await screens.open(get, { slug: 'bees' });
  const shown = (args: Parameters<typeof getList>[0]): string => {
    const { data = [], meta } = read(getList.select(args)) ?? {};
    return `${data.map(({ title }) => title).join()} of ${String(meta?.total)}`;
  };
  return { ...app, ...server, shown, drafts };
}

describe('an app on Laravel', () => {
  it('shows lists, pages and totals as the server has them', async () => {
    const { screens, shown, drafts, read } = await setupPosts();

    await screens.expectToEqualServer();

    expect(shown(drafts)).toBe('Ants,Bees,Red ants,Dogs of 4');
    expect(read(PostResource.get.select({ slug: 'bees' }))?.author.name).toBe('Bob');
  });

  it('creates a post: it joins at once, and the search is asked for again', async () => {
    const { screens, store, shown, api } = await setupPosts();
    const held = api.hold('POST /posts');

    const create = store.dispatch(PostResource.getList.push({}, { title: 'Old ants', status: 'published' }));
    const during = shown({ 'filter[status]': 'published' });
    held.release();
    await create;

    expect(during).toBe('Cats,Old ants of 2');
    await screens.expectToEqualServer();
    expect(shown({ 'filter[search]': 'ants' })).toBe('Ants,Red ants of 3');
  });

  it('gives a post a new title, which changes its slug', async () => {
    const { screens, store, read, drafts, shown } = await setupPosts();

    await store.dispatch(PostResource.partialUpdate({ slug: 'bees' }, { title: 'Wasps' }));

    expect(shown(drafts)).toBe('Ants,Wasps,Red ants,Dogs of 4');
    expect(read(PostResource.get.select({ slug: 'wasps' }))?.title).toBe('Wasps');
    screens.close(PostResource.get.key({ slug: 'bees' }));
    await screens.open(PostResource.get, { slug: 'wasps' });
    await screens.expectToEqualServer();
  });

  it('publishes a post: it moves from list to list, and both totals know', async () => {
    const { screens, store, shown, api, drafts } = await setupPosts();
    const held = api.hold('PATCH /posts/bees');

    const edit = store.dispatch(PostResource.partialUpdate({ slug: 'bees' }, { status: 'published' }));
    const during = [shown(drafts), shown({ 'filter[status]': 'published' })];
    held.release();
    await edit;

    expect(during).toEqual(['Ants,Red ants,Dogs of 3', 'Cats,Bees of 2']);
    await screens.expectToEqualServer();
  });

  it('gives a post another author, who is in the answer', async () => {
    const { screens, store, read } = await setupPosts();

    await store.dispatch(PostResource.partialUpdate({ slug: 'bees' }, { author_id: 1 }));

    expect(read(PostResource.get.select({ slug: 'bees' }))?.author.name).toBe('Ada');
    await screens.expectToEqualServer();
  });

  it('deletes a post: pages shift, and are asked for again', async () => {
    const { screens, store, shown } = await setupPosts();

    await store.dispatch(PostResource.delete({ slug: 'ants' }));
    await screens.expectToEqualServer();

    expect(shown({ page: 2 })).toBe('Red ants,Dogs of 4');
  });

  it('is told by 422 what is wrong with each field, and shows what was', async () => {
    const { screens, store, shown, drafts } = await setupPosts();

    const { error } = await store.dispatch(PostResource.getList.push({}, { title: 'Ants', status: 'draft' }));

    expect(error).toMatchObject({ status: 422, data: { errors: { title: ['The title has already been taken.'] } } });
    expect(shown(drafts)).toBe('Ants,Bees,Red ants,Dogs of 4');
    await screens.expectToEqualServer();
  });

  it('is told by 409 that others were faster, and asks what is so', async () => {
    const { screens, store, api, posts } = await setupPosts();
    Object.assign(findIn(posts, { slug: 'bees' }, missing), { author_id: 1 });
    api.refuse('PATCH /posts/bees', { status: 409, json: { message: 'The post was changed meanwhile.' } });

    const { error } = await store.dispatch(PostResource.partialUpdate({ slug: 'bees' }, { status: 'published' }));

    expect(error?.status).toBe(409);
    await screens.expectToEqualServer();
  });

  it('is answered 304 where nothing has changed', async () => {
    const { screens, store, api, read } = await setupPosts();
    api.remember('/posts/bees');
    await store.dispatch(PostResource.get({ slug: 'bees' }));
    const before = read(PostResource.get.select({ slug: 'bees' }));

    const again = await store.dispatch(PostResource.get({ slug: 'bees' })).unwrap();

    expect(again).toBe(before);
    await screens.expectToEqualServer();
  });

  it.each([
    ['create', ({ dispatch }: Store) => dispatch(PostResource.getList.push({}, { title: 'Old ants' }))],
    ['edit', ({ dispatch }: Store) => dispatch(PostResource.partialUpdate({ slug: 'bees' }, { status: 'published' }))],
    ['deletion', ({ dispatch }: Store) => dispatch(PostResource.delete({ slug: 'ants' }))],
  ])('asks what is so where the answer to a %s was lost', async (_, write) => {
    const { screens, store, api } = await setupPosts();
    for (const name of ['POST /posts', 'PATCH /posts/bees', 'DELETE /posts/ants']) api.lose(name);

    const { error } = await write(store);

    expect(error?.name).toBe('NetworkError');
    await screens.expectToEqualServer();
  });
});
