import { createResource, Entity, EntityMixin, RestEndpoint } from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Person {
  id = 0;
  name = '';
}
class Article {
  slug = '';
  title = '';
  author: Person | undefined = undefined;
  static readonly key: string = 'Article';
  static readonly schema: Readonly<Record<string, unknown>> = { author: EntityMixin(Person, { key: 'Person' }) };
  static readonly indexes: readonly string[] = ['title'];
  pk() {
    return this.slug;
  }
}

const server = await serverOfFile();

const options = { urlPrefix: server.url, path: '/articles/:slug' } as const;
const wire = { slug: 'a', title: 'A', author: { id: 1, name: 'Ada' } };

describe('a mixin over a class that is like an entity already', () => {
  it('keeps its key, its schema and its indexes', async () => {
    const Articles = createResource({ ...options, schema: EntityMixin(Article) });
    const { store, resources, read, slice } = setup();
    server.answer('GET /articles', { json: [wire] });

    const [article] = await store.dispatch(Articles.getList()).unwrap();

    expect(Articles.get.name).toBe('Article/get');
    expect(Object.keys(slice().tables).sort()).toEqual(['Article', 'Person', '[Article]']);
    expect(article?.author).toBeInstanceOf(Person);
    expect(read(resources.selectEntity(EntityMixin(Article), { title: 'A' }))).toMatchObject({ slug: 'a' });
  });

  it('has what the options say in place of them', async () => {
    const Post = EntityMixin(Article, { key: 'Post', schema: { title: (text: string) => text.toLowerCase() } });
    const getPost = new RestEndpoint({ ...options, schema: Post });
    const { store, slice } = setup();
    server.answer('GET /articles/a', { json: wire });

    const post = await store.dispatch(getPost({ slug: 'a' })).unwrap();

    expect(Object.keys(slice().tables)).toEqual(['Post']);
    expect(post).toMatchObject({ title: 'a', author: wire.author });
  });

  it('keeps what an entity has', async () => {
    class Todo extends Entity {
      id = 0;
      at = new Date(0);
      static override key = 'Todo';
      static override schema = { at: Date };
    }
    const getTodo = new RestEndpoint({ urlPrefix: server.url, path: '/todos/:id', schema: EntityMixin(Todo) });
    const { store, slice } = setup();
    server.answer('GET /todos/1', { json: { id: 1, at: '2024-02-29' } });

    const todo = await store.dispatch(getTodo({ id: 1 })).unwrap();

    expect(Object.keys(slice().tables)).toEqual(['Todo']);
    expect(todo.at).toEqual(new Date('2024-02-29'));
  });
});

describe('two mixins of one class', () => {
  it('have tables of their own under different keys', async () => {
    const [Draft, Published] = ['Draft', 'Published'].map((key) => EntityMixin(Article, { key })) as [
      ReturnType<typeof EntityMixin<typeof Article>>,
      ReturnType<typeof EntityMixin<typeof Article>>,
    ];
    const both = { draft: Draft, published: Published };
    const getBoth = new RestEndpoint({ urlPrefix: server.url, path: '/both', schema: both });
    const { store } = setup();
    server.answer('GET /both', {
      json: { draft: { slug: 'a', title: 'new' }, published: { slug: 'a', title: 'old' } },
    });

    const { draft, published } = await store.dispatch(getBoth()).unwrap();

    expect([draft.title, published.title]).toEqual(['new', 'old']);
  });

  it('are refused under the name of the class, which is the key of neither', async () => {
    expectWarning(/Person has no static key/);
    const [one, other] = [EntityMixin(Person), EntityMixin(Person)];
    const { store } = setup();
    server.answer('GET /both', { json: { one: { id: 1 }, other: { id: 1 } } });

    const both = new RestEndpoint({ urlPrefix: server.url, path: '/both', schema: { one, other } });

    await expect(store.dispatch(both()).unwrap()).rejects.toMatchObject({ code: 'R10' });
  });
});

describe('a class without a name', () => {
  it.each([
    ['a mixin', () => EntityMixin(class extends Person {})],
    ['an entity', () => [class extends Entity {}][0] as typeof Entity],
  ])('is refused as %s, until it has a key', async (_, make) => {
    const Nameless = make();
    const { store } = setup();
    const { get, getList } = createResource({ urlPrefix: server.url, path: '/things/:id', schema: Nameless });
    server.answer('GET /things', { json: [{ id: 1 }] });

    const promise = store.dispatch(getList()).unwrap();

    expect(get.name).toBe('/things/:id/get');
    await expect(promise).rejects.toThrow(/An entity class has no name .*static key = '…'/s);
    await expect(promise).rejects.toMatchObject({ code: 'R10' });
  });
});

describe('fromJS of a mixin', () => {
  it('makes an instance of the class that is called', () => {
    class Money extends EntityMixin(Person, { key: 'Money' }) {
      amount = 0;
    }

    const money = Money.fromJS({ id: 1, amount: 5 });

    expect(money).toBeInstanceOf(Money);
    expect(money).toMatchObject({ id: 1, name: '', amount: 5 });
  });
});
