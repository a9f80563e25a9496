import { mockServer } from 'rtk-resource/mock';
import { describe, expect, it } from 'vitest';
import { Article as Story, ArticleResource as Stories, CommentResource } from './models/conduit.js';
import { ProjectResource, TaskResource } from './models/django.js';
import { Issue, IssueResource, Label, LabelResource, searchIssues } from './models/github.js';
import { Article, ArticleResource } from './models/json-api.js';
import { Post, PostResource } from './models/laravel.js';
import { Product, ProductResource } from './models/odata.js';
import { LabelResource as Names, Task as Row, TaskResource as Rows } from './models/postgrest.js';
import { Customer, CustomerResource } from './models/stripe.js';
import * as conduit from './mocks/conduit.js';
import * as django from './mocks/django.js';
import * as github from './mocks/github.js';
import * as jsonApi from './mocks/json-api.js';
import * as laravel from './mocks/laravel.js';
import * as odata from './mocks/odata.js';
import * as stripe from './mocks/stripe.js';
import { setup } from '../support/store.js';

describe('the mock server of a guide', () => {
  it('is that of Django', async () => {
    const { store, read } = setup({ fetchFn: django.server.fetch });
    const { getList } = TaskResource;
    const open = { status: 'open' };

    await store.dispatch(getList(open)).unwrap();
    await store.dispatch(getList.getNextPage(open)).unwrap();
    await store.dispatch(getList.getNextPage(open)).unwrap();
    await store.dispatch(TaskResource.partialUpdate({ id: 2 }, { status: 'done' })).unwrap();
    await store.dispatch(getList.push({}, { title: 'New' })).unwrap();
    await store.dispatch(ProjectResource.partialUpdate({ slug: 'ants' }, { name: 'Bees' })).unwrap();
    const projects = await store.dispatch(ProjectResource.getList()).unwrap();

    expect(read(getList.select(open))).toMatchObject({ count: 45, results: { length: 45 } });
    expect(read(getList.selectRequest(open)).hasNextPage).toBe(false);
    expect(projects).toMatchObject({ count: 1, next: null, results: [{ id: 1, slug: 'ants', name: 'Bees' }] });
  });

  it('is that of GitHub', async () => {
    const { server } = github;
    const { store, read } = setup({ fetchFn: server.fetch });
    const { getList } = IssueResource;
    const inRepo = { owner: 'ada', repo: 'ants' };

    await store.dispatch(getList(inRepo)).unwrap();
    await store.dispatch(getList.getNextPage(inRepo)).unwrap();
    await store.dispatch(getList.getNextPage(inRepo)).unwrap();
    const all = read(getList.select(inRepo))?.length;
    await store.dispatch(IssueResource.partialUpdate({ ...inRepo, number: 2 }, { state: 'closed' })).unwrap();
    await store.dispatch(LabelResource.partialUpdate({ ...inRepo, name: 'bug' }, { new_name: 'defect' })).unwrap();
    const found = await store.dispatch(searchIssues({ q: 'Issue 45' })).unwrap();

    expect([all, read(getList.select(inRepo))?.length, server.rows(Issue)[1]?.state]).toEqual([45, 44, 'closed']);
    expect(server.rows(Label)).toMatchObject([{ name: 'defect', color: 'red' }]);
    expect(found).toMatchObject({ total_count: 1, items: [{ number: 45 }] });
  });

  it('is that of OData', async () => {
    const { server } = odata;
    const { store, read } = setup({ fetchFn: server.fetch });
    const { getList } = ProductResource;
    const ants = { $filter: "Category eq 'Ants'", $top: 30 };

    await store.dispatch(getList(ants)).unwrap();
    await store.dispatch(getList.getNextPage(ants)).unwrap();
    await store.dispatch(ProductResource.partialUpdate({ ProductID: 2 }, { Category: 'Bees' })).unwrap();

    expect(read(getList.select(ants))).toMatchObject({ '@odata.count': 44, value: { length: 44 } });
    expect(server.rows(Product)[1]).toMatchObject({ Name: 'Product 2', Category: 'Bees' });
  });

  it('is that of PostgREST', async () => {
    const server = mockServer([Rows, Names], {
      seed: { Task: 45, Label: [{ name: 'bug', color: 'red' }] },
      make: { Task: (n) => ({ id: n, title: `Task ${n}`, status: 'open', label: 'bug' }) },
    });
    const { store, read } = setup({ fetchFn: server.fetch });
    const { getList } = Rows;
    const open = { status: 'eq.open' } as const;

    await store.dispatch(getList(open)).unwrap();
    await store.dispatch(getList.getNextPage(open)).unwrap();
    await store.dispatch(getList.getNextPage(open)).unwrap();
    const one = await store.dispatch(Rows.get({ id: 5 })).unwrap();
    await store.dispatch(Rows.partialUpdate({ id: 2 }, { status: 'done' })).unwrap();
    await store.dispatch(Rows.delete({ id: 1 })).unwrap();
    await store.dispatch(Names.partialUpdate({ name: 'bug' }, { name: 'defect' })).unwrap();

    expect(read(getList.select(open))).toMatchObject({ total: 43, rows: { length: 43 } });
    expect([one.title, server.rows(Row)[0]]).toEqual([
      'Task 5',
      { id: 2, title: 'Task 2', status: 'done', label: 'bug' },
    ]);
    expect(read(Names.get.select({ name: 'defect' }))).toMatchObject({ name: 'defect', color: 'red' });
  });

  it('is that of Conduit', async () => {
    const { server } = conduit;
    const { store, read } = setup({ fetchFn: server.fetch });
    const insects = { tag: 'insects' };

    await store.dispatch(Stories.getList(insects)).unwrap();
    const told = await store.dispatch(CommentResource.getList({ slug: 'ants' })).unwrap();
    await store.dispatch(Stories.partialUpdate({ slug: 'ants' }, { title: 'Red ants' })).unwrap();
    await store.dispatch(Stories.getList.push({}, { title: 'Bees', tagList: ['insects'] })).unwrap();
    await store.dispatch(Stories.favorite({ slug: 'bees' })).unwrap();

    const { articles = [], articlesCount } = read(Stories.getList.select(insects)) ?? {};
    expect(articles.map(({ slug, favorited }) => [slug, favorited])).toEqual([
      ['red-ants', false],
      ['bees', true],
    ]);
    expect([articlesCount, server.rows(Story)[0]?.tagList]).toEqual([2, ['insects']]);
    expect(told.comments.map(({ body }) => body)).toEqual(['Lovely']);
  });

  it('is that of JSON:API', async () => {
    const { server } = jsonApi;
    const { store, read } = setup({ fetchFn: server.fetch });
    const { getList } = ArticleResource;
    const drafts = { 'filter[status]': 'draft' };

    await store.dispatch(getList(drafts)).unwrap();
    await store.dispatch(getList.getNextPage(drafts)).unwrap();
    await store.dispatch(getList.getNextPage(drafts)).unwrap();
    await store.dispatch(ArticleResource.partialUpdate({ id: '2' }, { status: 'published' })).unwrap();
    const created = await store.dispatch(getList.push({}, { title: 'New', status: 'draft', author: '8' })).unwrap();

    expect(read(getList.select(drafts))).toMatchObject({ meta: { total: 45 }, data: { length: 45 } });
    expect(created).toMatchObject({ id: '46', title: 'New', author: { name: 'Ada' } });
    expect([server.rows(Article)[1], server.rows(Article).at(-1)]).toEqual([
      { id: '2', title: 'Article 2', status: 'published', author: { id: '8', name: 'Ada' } },
      { id: '46', title: 'New', status: 'draft', author: { id: '8', name: 'Ada' } },
    ]);
  });

  it('is that of Laravel', async () => {
    const { server } = laravel;
    const { store, read } = setup({ fetchFn: server.fetch });
    const { getList } = PostResource;
    const drafts = { 'filter[status]': 'draft' };

    await store.dispatch(getList(drafts)).unwrap();
    await store.dispatch(getList.getNextPage(drafts)).unwrap();
    await store.dispatch(getList.getNextPage(drafts)).unwrap();
    const second = await store.dispatch(getList({ page: 2 })).unwrap();
    await store.dispatch(PostResource.partialUpdate({ slug: 'post-2' }, { title: 'Bees' })).unwrap();

    expect(read(getList.select(drafts))).toMatchObject({ meta: { total: 45 }, data: { length: 45 } });
    expect([second.meta.current_page, second.data[0]?.id]).toEqual([2, 21]);
    expect(server.rows(Post)[1]).toMatchObject({ title: 'Bees', status: 'draft', author: { name: 'Ada' } });
  });

  it('is that of Stripe', async () => {
    const { server } = stripe;
    const { store, read } = setup({ fetchFn: server.fetch });
    const { getList } = CustomerResource;
    const adas = { email: 'ada@example.com', limit: 30 };

    await store.dispatch(getList(adas)).unwrap();
    await store.dispatch(getList.getNextPage(adas)).unwrap();
    await store.dispatch(CustomerResource.partialUpdate({ id: 'cus_2' }, { email: 'bob@example.com' })).unwrap();

    expect(read(getList.select(adas))?.data).toHaveLength(44);
    expect(server.rows(Customer)[1]).toMatchObject({ email: 'bob@example.com', name: 'Customer 2' });
  });
});
