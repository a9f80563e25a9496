import { Collection, createResource, Entity, keyOf, RestEndpoint, type Row } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';

const server = await serverOfFile();
const urlPrefix = server.url;

class Article extends Entity {
  slug = '';
  title = '';
  likes = 0;
  override pk() {
    return this.slug;
  }
  static override key = 'Article';
}
class Comment extends Entity {
  id = 0;
  text = '';
  article = new Article();
  static override key = 'Comment';
  static override schema = { article: Article };
}
const Articles = createResource({ urlPrefix, path: '/articles/:slug', schema: Article, optimistic: true });
const getComments = new RestEndpoint({
  urlPrefix,
  path: '/articles/:slug/comments',
  schema: new Collection([Comment]),
  name: 'comments',
});

const ant = { slug: 'ant', title: 'Ant', likes: 1 };
const bee = { slug: 'bee', title: 'Bee', likes: 2 };
const wasp = { ...bee, slug: 'wasp', title: 'Wasp' };

async function setupArticles() {
  const tools = setup();
  const { store, read } = tools;
  server.answer('GET /articles', { json: [ant, bee] });
  server.answer('GET /articles/bee', { json: bee });
  server.answer('GET /articles/bee/comments', { json: [{ id: 1, text: 'first', article: 'bee' }] });
  await store.dispatch(Articles.getList());
  await store.dispatch(Articles.get({ slug: 'bee' }));
  await store.dispatch(getComments({ slug: 'bee' }));
  server.forget();

  return {
    ...tools,
    titles: () => read(Articles.getList.select())?.map(({ slug, title }) => `${slug} ${title}`),
    rename: async () => {
      const edit = store.dispatch(Articles.partialUpdate({ slug: 'bee' }, { title: 'Wasp' }));
      await server.release('PATCH /articles/bee', { json: wasp });
      await edit;
    },
  };
}

it('a row that was renamed is gone where process says so by its new pk', async () => {
  class Page extends Entity {
    slug = '';
    override pk() {
      return this.slug;
    }
    static override key = 'Page';
    static override process(input: Row): Row | undefined {
      return input['deleted'] === true ? undefined : input;
    }
  }
  const Pages = createResource({ urlPrefix, path: '/pages/:slug', schema: Page });
  const { store, read } = setup();
  server.answer('GET /pages', { json: [{ slug: 'a' }, { slug: 'b' }] });
  server.answer('PATCH /pages/b', { json: { slug: 'c' } });
  await store.dispatch(Pages.getList());
  await store.dispatch(Pages.partialUpdate({ slug: 'b' }, { slug: 'c' }));

  server.answer('GET /pages?since=1', { json: [{ slug: 'c', deleted: true }] });
  await store.dispatch(Pages.getList({ since: 1 }));

  expect(read(Pages.getList.select())).toEqual([{ slug: 'a' }]);
});

describe('an edit that is answered with another pk', () => {
  it('renames its row: lists, references and the old address follow', async () => {
    const { rename, titles, read, resources } = await setupArticles();

    await rename();

    expect(titles()).toEqual(['ant Ant', 'wasp Wasp']);
    expect(read(Articles.get.select({ slug: 'bee' }))).toMatchObject(wasp);
    expect(read(Articles.get.select({ slug: 'wasp' }))).toMatchObject(wasp);
    expect(read(resources.selectEntity(Article, 'wasp'))).toBe(read(resources.selectEntity(Article, 'bee')));
    expect(read(getComments.select({ slug: 'wasp' }))).toMatchObject([{ id: 1, article: wasp }]);
  });

  it('leaves the row its key', async () => {
    const { rename, read } = await setupArticles();
    const keys = () => read(Articles.getList.select())?.map(keyOf);
    const before = keys();

    await rename();

    expect(keys()).toEqual(before);
  });

  it.each(['read', 'create', 'message'])('leaves its key to no row that has the old id later, by a %s', async (how) => {
    class Event extends Entity {
      id = '';
      title = '';
      static override key = 'Event';
    }
    const Events = createResource({ urlPrefix, path: '/events/:id', schema: Event });
    const { store, read, resources } = setup();
    const keys = () => read(Events.getList.select())?.map(keyOf) ?? [];
    const monday = { id: 'monday', title: 'Standup' };
    const [x1, x2] = ['x1', 'x2'].map((id) => ({ ...monday, id }));
    const list = async (...events: unknown[]) => {
      server.answer('GET /events', { json: events });
      await store.dispatch(Events.getList());
    };
    const split = async (event: unknown) => {
      server.answer('PATCH /events/monday', { json: event });
      await store.dispatch(Events.partialUpdate({ id: 'monday' }, { title: 'Retro' }));
    };
    await list(monday);
    const before = keys();
    await split(x1);

    server.answer('POST /events', { status: 201, json: monday });
    if (how === 'read') await list(x1, monday);
    else if (how === 'create') await store.dispatch(Events.getList.push({ title: 'Standup' }));
    else store.dispatch(resources.setResponse(Events.getList.push, monday, monday));
    const after = keys();
    await split(x2);
    await list(x1, x2, monday);

    expect(read(Events.getList.select())?.map(({ id }) => id)).toEqual(['x1', 'x2', 'monday']);
    expect(after.slice(0, 1)).toEqual(before);
    expect(keys().slice(0, 2)).toEqual(after);
    expect(new Set(keys()).size).toBe(3);
  });

  it('is not undone by an older read that still has the old pk', async () => {
    const { store, rename, titles } = await setupArticles();
    const poll = store.dispatch(Articles.getList());
    await server.holding('GET /articles');

    await rename();
    await server.release('GET /articles', { json: [ant, bee] });
    await poll;

    expect(titles()).toEqual(['ant Ant', 'wasp Wasp']);
  });

  it('is known to the next read by the new pk', async () => {
    const { store, rename, titles } = await setupArticles();
    await rename();

    server.answer('GET /articles', { json: [{ ...wasp, likes: 3 }, ant] });
    await store.dispatch(Articles.getList());

    expect(titles()).toEqual(['wasp Wasp', 'ant Ant']);
  });

  it('sends the next request for it to the new address', async () => {
    const { store, rename, titles } = await setupArticles();
    await rename();

    const edit = store.dispatch(Articles.partialUpdate({ slug: 'bee' }, { likes: 9 }));
    await server.release('PATCH /articles/wasp', { status: 204 });
    await edit;
    const read = store.dispatch(getComments({ slug: 'bee' }));
    await server.release('GET /articles/wasp/comments', { json: [] });
    await read;

    expect(titles()).toEqual(['ant Ant', 'wasp Wasp']);
  });

  it('asks at the new address for who is subscribed to the old one', async () => {
    const { store, rename, resources, read } = await setupArticles();
    const { unsubscribe } = store.dispatch(Articles.get.subscribe({ slug: 'bee' }));
    await rename();

    store.dispatch(resources.expire(Articles.get, { slug: 'bee' }));
    const joined = store.dispatch(Articles.get({ slug: 'wasp' }));
    await server.release('GET /articles/wasp', { json: { ...wasp, likes: 5 } });
    await joined;
    unsubscribe();

    expect(read(Articles.get.select({ slug: 'bee' }))?.likes).toBe(5);
  });

  it.each(['invalidateAll', 'expireAll'] as const)(
    'is fetched there after %s, however fresh a list is',
    async (mark) => {
      const { store, rename, resources, read } = await setupArticles();
      const { unsubscribe } = store.dispatch(Articles.get.subscribe({ slug: 'bee' }));
      await rename();
      server.answer('GET /articles', { json: [ant, wasp] });
      await store.dispatch(Articles.getList());

      store.dispatch(resources[mark](Articles.get));
      await server.holding('GET /articles/wasp');
      const joined = store.dispatch(Articles.get({ slug: 'wasp' }));
      await server.release('GET /articles/wasp', { json: { ...wasp, likes: 5 } });
      await joined;
      unsubscribe();

      expect(['bee', 'wasp'].map((slug) => read(Articles.get.select({ slug }))?.likes)).toEqual([5, 5]);
    },
  );

  it('leaves the old pk to another row that a later answer tells of', async () => {
    const { store, rename, titles, read } = await setupArticles();
    await rename();

    server.answer('GET /articles', { json: [ant, wasp, { slug: 'bee', title: 'New bee', likes: 0 }] });
    await store.dispatch(Articles.getList());

    expect(titles()).toEqual(['ant Ant', 'wasp Wasp', 'bee New bee']);
    expect(read(Articles.getList.select())).toHaveLength(3);
  });

  it('may be renamed back', async () => {
    const { store, rename, titles } = await setupArticles();
    await rename();

    const edit = store.dispatch(Articles.partialUpdate({ slug: 'wasp' }, { title: 'Bee' }));
    await server.release('PATCH /articles/wasp', { json: bee });
    await edit;
    server.answer('GET /articles', { json: [bee, ant] });
    await store.dispatch(Articles.getList());

    expect(titles()).toEqual(['bee Bee', 'ant Ant']);
  });

  it('leaves a parameter of the path alone that just has the same value', async () => {
    class Repo extends Entity {
      org = '';
      repo = '';
      override pk() {
        return this.repo;
      }
      static override key = 'Repo';
    }
    const Repos = createResource({ urlPrefix, path: '/orgs/:org/repos/:repo', schema: Repo, optimistic: true });
    const { store, resources } = setup();
    store.dispatch(resources.set(Repo, { org: 'ant', repo: 'ant' }));

    const edit = store.dispatch(Repos.partialUpdate({ org: 'ant', repo: 'ant' }, { repo: 'bee' }));
    await server.release('PATCH /orgs/ant/repos/ant', { json: { org: 'ant', repo: 'bee' } });
    await edit;
    void store.dispatch(Repos.delete({ org: 'ant', repo: 'ant' }));

    const { path } = await server.holding(/^DELETE/);
    expect(path).toBe('/orgs/ant/repos/bee');
  });

  it('renames nothing where the store knows a row of that pk: the old one is stale', async () => {
    const { store, resources, titles, read } = await setupArticles();
    store.dispatch(resources.set(Article, wasp));

    const edit = store.dispatch(Articles.partialUpdate({ slug: 'bee' }, { title: 'Wasp' }));
    await server.release('PATCH /articles/bee', { json: wasp });
    await edit;

    expect(titles()).toEqual(['ant Ant', 'bee Bee']);
    expect(read(resources.selectRequest(Articles.get, { slug: 'bee' })).isStale).toBe(true);
  });
});

it('a move that gives its item another pk renames it: it leaves its old list', async () => {
  class Member extends Entity {
    org = '';
    user = 0;
    override pk() {
      return `${this.org}/${String(this.user)}`;
    }
    static override key = 'Member';
  }
  const Members = createResource({ urlPrefix, path: '/orgs/:org/members/:user', schema: Member, optimistic: true });
  const { store, read } = setup();
  server.answer('GET /orgs/ants/members', { json: [{ org: 'ants', user: 1 }] });
  server.answer('GET /orgs/bees/members', { json: [] });
  await store.dispatch(Members.getList({ org: 'ants' }));
  await store.dispatch(Members.getList({ org: 'bees' }));
  server.answer('PATCH /orgs/ants/members/1', { json: { org: 'bees', user: 1 } });

  await store.dispatch(Members.getList.move({ org: 'ants', user: 1 }, { org: 'bees' }));

  expect(read(Members.getList.select({ org: 'ants' }))).toEqual([]);
  expect(read(Members.getList.select({ org: 'bees' }))).toMatchObject([{ org: 'bees', user: 1 }]);
});

describe('an edit that is answered with another part of a pk of several fields', () => {
  class Repo extends Entity {
    owner = '';
    name = '';
    stars = 0;
    override pk() {
      return `${this.owner}/${this.name}`;
    }
    static override key = 'Repo';
  }
  const Repos = createResource({ urlPrefix, path: '/repos/:owner/:name', schema: Repo, optimistic: true });
  class Issue extends Entity {
    id = 0;
    static override key = 'Issue';
  }
  const getIssues = new RestEndpoint({
    urlPrefix,
    path: '/repos/:owner/:name/issues',
    schema: new Collection([Issue]),
    name: 'issues',
  });

  async function setupRepo() {
    const tools = setup();
    const { store } = tools;
    server.answer('GET /repos/ann/old', { json: { owner: 'ann', name: 'old', stars: 1 } });
    server.answer('GET /repos/ann/old/issues', { json: [{ id: 1 }] });
    await store.dispatch(Repos.get({ owner: 'ann', name: 'old' }));
    await store.dispatch(getIssues({ owner: 'ann', name: 'old' }));
    const edit = store.dispatch(Repos.partialUpdate({ owner: 'ann', name: 'old' }, { name: 'new' }));
    await server.release('PATCH /repos/ann/old', { json: { owner: 'ann', name: 'new', stars: 1 } });
    await edit;
    server.forget();
    return tools;
  }

  it('sends the next requests to the new address, by whichever name they are made', async () => {
    const { store, read } = await setupRepo();
    server.answer('PATCH /repos/ann/new', { json: { owner: 'ann', name: 'new', stars: 2 } });
    server.answer('DELETE /repos/ann/new', { json: {} });

    await store.dispatch(Repos.partialUpdate({ owner: 'ann', name: 'old' }, { stars: 2 })).unwrap();
    expect(read(Repos.get.select({ owner: 'ann', name: 'old' }))).toMatchObject({ name: 'new', stars: 2 });
    await store.dispatch(Repos.delete({ owner: 'ann', name: 'old' })).unwrap();

    expect(server.received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'PATCH /repos/ann/new',
      'DELETE /repos/ann/new',
    ]);
  });

  it('has its lists at the new address, too, and leaves another row of the same name alone', async () => {
    const { store, read } = await setupRepo();
    server.answer('PATCH /repos/bob/old', { json: { owner: 'bob', name: 'old', stars: 9 } });

    expect(read(getIssues.select({ owner: 'ann', name: 'new' }))).toEqual([{ id: 1 }]);
    await store.dispatch(Repos.partialUpdate({ owner: 'bob', name: 'old' }, { stars: 9 })).unwrap();
  });
});

describe('a write of one’s own that is answered with another pk', () => {
  it('renames nothing: it has made a copy', async () => {
    const { store, titles } = await setupArticles();
    const copy = new RestEndpoint({
      urlPrefix,
      path: '/articles/:slug/copy',
      method: 'POST',
      body: undefined,
      schema: Article,
      name: 'copy',
    });
    server.answer('POST /articles/bee/copy', { status: 201, json: wasp });

    await store.dispatch(copy({ slug: 'bee' }));

    expect(titles()).toEqual(['ant Ant', 'bee Bee']);
  });
});
