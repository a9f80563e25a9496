import {
  Collection,
  createResource,
  Entity,
  NetworkError,
  ResourceError,
  RestEndpoint,
  schema,
  type Request,
} from 'rtk-resource';
import { describe, expect, it } from 'vitest';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}

class Todo extends Entity {
  id = 0;
  title = '';
  user: User | undefined = undefined;
  tags: readonly string[] = [];
  watchers: User[] = [];
  static override key = 'Todo';
  static override schema = { user: User, watchers: [User] };
}

class Note extends Entity {
  id = 0;
  type = 'note' as const;
  static override key = 'Note';
}

class Hostile extends Entity {
  id = '';
  static override key = '__proto__';
}

/** What the server says to the next request. */
let answer: () => Response = () => Response.json(null);
const fetchResponse = (): Promise<Response> => Promise.resolve(answer());
const paginationField = 'page';
const TodoResource = createResource({ path: '/todos/:id', schema: Todo, paginationField, fetchResponse });
const HostileResource = createResource({ path: '/hostile/:id', schema: Hostile, fetchResponse });
const getPage = new RestEndpoint({
  path: '/page',
  name: 'Todo/page',
  schema: { results: new Collection([Todo], { name: 'Page' }), total: 0 },
  fetchResponse,
});
const getFeed = new RestEndpoint({
  path: '/feed',
  name: 'Feed/get',
  schema: new schema.Array({ todo: Todo, note: Note }, 'type'),
  fetchResponse,
});
const getOwner = new RestEndpoint({
  path: '/owner',
  name: 'Owner/get',
  schema: new schema.Union({ todo: Todo, note: Note }, 'type'),
  fetchResponse,
});
const getNames = new RestEndpoint({
  path: '/names',
  name: 'Names/get',
  schema: new schema.Values(User),
  fetchResponse,
});

type Name =
  | `Todo/${'get' | 'getList' | 'getList/push' | 'getList/getPage' | 'update' | 'page'}`
  | `${'Feed' | 'Owner' | 'Names'}/get`;

/** Requests by the names of their endpoints. */
const requests: Readonly<Record<Name, () => Request>> = {
  'Todo/get': () => TodoResource.get({ id: 1 }),
  'Todo/getList': () => TodoResource.getList(),
  'Todo/getList/push': () => TodoResource.getList.push({ title: 'new' }),
  'Todo/getList/getPage': () => TodoResource.getList.getPage({ page: 2 }),
  'Todo/update': () => TodoResource.update({ id: 1 }, { title: 'new' }),
  'Todo/page': () => getPage(),
  'Feed/get': () => getFeed(),
  'Owner/get': () => getOwner(),
  'Names/get': () => getNames(),
};

/** A store that has fetched todos 1 and 2, and all that it keeps and shows of them. */
function setupWithTodos() {
  const tools = setup();
  const { store, resources, slice, read } = tools;
  const rows = [
    { id: 1, title: 'one', user: { id: 7, name: 'Ada' }, watchers: [{ id: 8, name: 'Bob' }] },
    { id: 2, title: 'two' },
  ];
  store.dispatch(resources.setResponse(TodoResource.getList, undefined, rows));
  store.dispatch(resources.setResponse(TodoResource.get, { id: 1 }, rows[0] ?? {}));

  return {
    ...tools,
    whole: () => ({
      tables: slice().tables,
      text: JSON.stringify(slice().tables),
      intents: slice().intents,
      list: read(TodoResource.getList.select()),
      one: read(TodoResource.get.select({ id: 1 })),
      todos: read(resources.selectAll(Todo)),
      users: read(resources.selectAll(User)),
      global: Object.getOwnPropertyNames(Object.prototype).sort().join(),
    }),
  };
}

type Case = readonly [what: string, request: Name, body: string, ...words: readonly string[]];

const html = '<!doctype html><p>Welcome</p>';
const json = { 'content-type': 'application/json' };

const refused: readonly Case[] = [
  // The type of the whole.
  ['text for an entity', 'Todo/get', '"text"', 'one Todo', '"text"'],
  ['the pk of an entity', 'Todo/get', '"1"', 'one Todo', '"1"'],
  ['an empty text for an entity', 'Todo/get', '""', 'one Todo', '""'],
  ['a number for an entity', 'Todo/get', '1', 'one Todo'],
  ['true for an entity', 'Todo/get', 'true', 'one Todo', 'true'],
  ['a list for an entity', 'Todo/get', '[{"id":1}]', 'one Todo', '[{"id":1}]'],
  ['an empty list for an entity', 'Todo/get', '[]', 'one Todo', '[]'],
  ['text for a list', 'Todo/getList', '"text"', 'a list', '"text"'],
  ['a number for a list', 'Todo/getList', '0', 'a list'],
  ['false for a list', 'Todo/getList', 'false', 'a list', 'false'],
  ['text for a page', 'Todo/getList/getPage', '"text"', 'a list', '"text"'],
  ['a list for a shape', 'Todo/page', '[{"id":1}]', 'results', '[{"id":1}]'],
  ['text for a shape', 'Todo/page', '"text"', 'results', '"text"'],
  ['text for a list in a shape', 'Todo/page', '{"results":"text"}', 'a list', '"text"'],
  ['a number for a list in a shape', 'Todo/page', '{"results":5,"total":1}', 'a list'],
  ['text for a mapped list', 'Feed/get', '"text"', 'a list', '"text"'],
  ['text for a union', 'Owner/get', '"text"', '"text"'],
  ['a list for a union', 'Owner/get', '[{"id":1,"type":"todo"}]', '[{"id":1'],
  ['a list for values', 'Names/get', '[{"id":1}]', '[{"id":1}]'],
  // What is nested.
  ['true for a nested entity', 'Todo/get', '{"id":1,"title":"x","user":true}', 'one User', 'true'],
  ['a list for a nested entity', 'Todo/get', '{"id":1,"title":"x","user":[]}', 'one User', '[]'],
  ['an empty text for a nested entity', 'Todo/get', '{"id":1,"title":"x","user":""}', 'one User', '""'],
  ['text for a nested list', 'Todo/get', '{"id":1,"title":"x","watchers":"none"}', 'a list', '"none"'],
  ['a list in a list', 'Todo/getList', '[[{"id":1}]]', 'one Todo', '[{"id":1}]'],
  ['false in a list', 'Todo/getList', '[{"id":1,"title":"x"},false]', 'one Todo', 'false'],
  ['text in values', 'Names/get', '{"a":{"id":1},"b":""}', 'one User', '""'],
  // What has no pk.
  ['an entity without an id', 'Todo/get', '{"title":"x"}', 'Todo', 'no id', '{"title":"x"}'],
  ['an empty object', 'Todo/get', '{}', 'Todo', 'no id', '{}'],
  ['an error that says it is none', 'Todo/get', '{"error":"not found"}', 'Todo', 'no id', 'not found'],
  ['an entity whose id is null', 'Todo/get', '{"id":null,"title":"x"}', 'Todo', 'no id'],
  ['an entity whose id is empty', 'Todo/get', '{"id":"","title":"x"}', 'Todo', 'no id'],
  ['an entity whose id is "undefined"', 'Todo/get', '{"id":"undefined"}', 'Todo', 'no id'],
  ['an entity whose id is "NaN"', 'Todo/get', '{"id":"NaN"}', 'Todo', 'no id'],
  ['an entity whose id is an object', 'Todo/get', '{"id":{"$oid":"1"}}', 'Todo', 'no id', '$oid'],
  ['an entity whose id is true', 'Todo/get', '{"id":true}', 'Todo', 'no id'],
  ['a list with one entity without an id', 'Todo/getList', '[{"id":9},{"title":"x"}]', 'Todo', 'no id', '"x"'],
  ['a page with one entity without an id', 'Todo/getList/getPage', '[{"id":9},{"title":"x"}]', 'Todo', 'no id'],
  ['an envelope for a list', 'Todo/getList', '{"data":[{"id":9}]}', 'a list', '[{"id":9}]'],
  ['an envelope for an entity', 'Todo/get', '{"data":{"id":9}}', 'Todo', 'no id', '{"data"'],
  ['a nested entity without an id', 'Todo/get', '{"id":1,"title":"x","user":{"name":"y"}}', 'User', 'no id', '"y"'],
  ['a deep entity without an id', 'Todo/getList', '[{"id":1,"watchers":[{"id":8},{}]}]', 'User', 'no id'],
  ['a member of a union without an id', 'Feed/get', '[{"type":"todo","title":"x"}]', 'Todo', 'no id'],
  ['a pk that only the prototype has', 'Todo/get', '{"__proto__":{"id":1},"title":"x"}', 'Todo', 'no id'],
];

describe('a response that is refused', () => {
  it.each(refused.map(([what, request, body, ...words]) => ({ what, request, body, words })))(
    'because it is $what leaves everything as it was',
    async ({ request, body, words }) => {
      const { store, whole } = setupWithTodos();
      const before = whole();
      answer = () => new Response(body, { headers: json });

      const promise = store.dispatch(requests[request]());
      const action = await promise;

      const error: unknown = await promise.unwrap().catch((reason: unknown) => reason);
      expect(action.type).toBe(`${request}/rejected`);
      expect(error).toBeInstanceOf(ResourceError);
      for (const word of [request, ...words]) expect(String(error)).toContain(word);
      expect(whole()).toEqual(before);
      expect(whole().tables).toBe(before.tables);
      expect(whole().list).toBe(before.list);
      expect(whole().one).toBe(before.one);
    },
  );

  it.each<[string, Name, string, Record<string, string>]>([
    ['HTML', 'Todo/get', html, { 'content-type': 'text/html' }],
    ['HTML that says it is JSON', 'Todo/getList', html, json],
    ['HTML of no type', 'Todo/getList', html, { 'content-type': '' }],
    ['half of JSON', 'Todo/getList', '[{"id":1,"title":"x"},{"id', json],
    ['two of JSON', 'Todo/get', '{"id":1}{"id":2}', json],
    ['JSON with a comma too many', 'Todo/getList', '[{"id":1},]', json],
    ['NaN', 'Todo/get', '{"id":NaN}', json],
    ['plain text', 'Todo/get', 'ok', { 'content-type': 'text/plain' }],
    ['binary', 'Todo/get', '\u0000\u0001', { 'content-type': 'application/octet-stream' }],
  ])('because it is %s is quoted, and leaves everything as it was', async (_, request, body, headers) => {
    const { store, whole } = setupWithTodos();
    const before = whole();
    answer = () => new Response(body, { headers });

    const promise = store.dispatch(requests[request]());
    const action = await promise;

    const error: unknown = await promise.unwrap().catch((reason: unknown) => reason);
    expect(action.type).toBe(`${request}/rejected`);
    expect(error).toBeInstanceOf(NetworkError);
    expect(String(error)).toContain(JSON.stringify(body).slice(1, 12));
    expect(whole()).toEqual(before);
    expect(whole().tables).toBe(before.tables);
    expect(whole().list).toBe(before.list);
  });
});

describe('a response that is odd', () => {
  it.each<readonly [what: string, request: Name, body: string, value: unknown]>([
    ['null for an entity', 'Todo/get', 'null', undefined],
    ['nothing for an entity', 'Todo/get', '', undefined],
    ['null for a list', 'Todo/getList', 'null', undefined],
    ['white space', 'Todo/get', ' {"id":1}\n ', { id: 1 }],
    ['an empty list', 'Todo/getList', '[]', []],
    ['an empty object for a list', 'Todo/getList', '{}', []],
    ['an object for a list', 'Todo/getList', '{"a":{"id":1},"b":{"id":2}}', [{ id: 1 }, { id: 2 }]],
    ['a list with null', 'Todo/getList', '[null,{"id":1}]', [null, { id: 1 }]],
    [
      'an entity twice in a list',
      'Todo/getList',
      '[{"id":1,"title":"a"},{"id":1,"title":"b"}]',
      [{ id: 1, title: 'b' }],
    ],
    ['an entity twice in a page', 'Todo/getList/getPage', '[{"id":3},{"id":3}]', [{ id: 1 }, { id: 2 }, { id: 3 }]],
    ['the first page read again', 'Todo/getList/getPage', '[{"id":2},{"id":1}]', [{ id: 2 }, { id: 1 }]],
    ['a shape without its fields', 'Todo/page', '{}', { results: undefined, total: 0 }],
    ['a shape with null', 'Todo/page', '{"results":null,"total":null}', { results: null, total: null }],
    ['an id that is 0', 'Todo/get', '{"id":0,"title":"zero"}', { id: 0, title: 'zero' }],
    ['a huge id', 'Todo/get', '{"id":1e300}', { id: 1e300 }],
    ['an id beyond what numbers hold', 'Todo/get', '{"id":9007199254740993}', { id: 9007199254740992 }],
    ['a huge id as text', 'Todo/get', '{"id":"9007199254740993"}', { id: '9007199254740993' }],
    ['the id of another', 'Todo/get', '{"id":5,"title":"five"}', { id: 5, title: 'five' }],
    ['an id with spaces and slashes', 'Todo/get', '{"id":" a/b?c "}', { id: ' a/b?c ' }],
    ['an id called __proto__', 'Todo/get', '{"id":"__proto__","title":"x"}', { id: '__proto__', title: 'x' }],
    ['an id called constructor', 'Todo/get', '{"id":"constructor"}', { id: 'constructor' }],
    ['an id called hasOwnProperty', 'Todo/get', '{"id":"hasOwnProperty"}', { id: 'hasOwnProperty' }],
    [
      'text for a number',
      'Todo/get',
      '{"id":1,"title":{"en":"x"},"tags":"none"}',
      { id: 1, title: { en: 'x' }, tags: 'none' },
    ],
    ['a field called constructor', 'Todo/get', '{"id":1,"constructor":"x"}', { id: 1, constructor: 'x' }],
    ['a field called toString', 'Todo/get', '{"id":1,"toString":"x"}', { id: 1, toString: 'x' }],
    ['a field called pk', 'Todo/get', '{"id":1,"pk":"x"}', { id: 1, pk: 'x' }],
    ['a field of no name', 'Todo/get', '{"id":1,"":"x"}', { id: 1, '': 'x' }],
    ['the same field twice', 'Todo/get', '{"id":2,"id":1}', { id: 1 }],
    ['a nested pk', 'Todo/get', '{"id":1,"user":7}', { id: 1, user: { id: 7, name: 'Ada' } }],
    ['a nested pk of nobody', 'Todo/get', '{"id":1,"user":"nobody"}', { id: 1, user: undefined }],
    ['nested pks, some of nobody', 'Todo/get', '{"id":1,"watchers":[8,9]}', { id: 1, watchers: [{ id: 8 }] }],
    ['a nested null', 'Todo/get', '{"id":1,"user":null,"watchers":null}', { id: 1, user: null, watchers: null }],
    ['one created though many were asked for', 'Todo/getList/push', '{"id":3}', { id: 3 }],
    ['values with null', 'Names/get', '{"a":null,"b":{"id":1}}', { b: { id: 1 } }],
    ['values of no name', 'Names/get', '{"":{"id":1}}', { '': { id: 1 } }],
  ])('because it is %s has a value, and the rest is as it was', async (_, request, body, value) => {
    const { store, resources, read, whole } = setupWithTodos();
    const { global, users } = whole();
    const second = read(resources.selectEntity(Todo, 2));
    answer = () => new Response(body, { headers: json });
    if (body.includes('1e300')) expectWarning(/beyond 2 \*\* 53/);

    const promise = store.dispatch(requests[request]());
    const action = await promise;

    const given: unknown = await promise.unwrap();
    expect(action.type).toBe(`${request}/fulfilled`);
    if (value === undefined || value === null) expect(given).toBe(value);
    else expect(given).toMatchObject(value);
    if (Array.isArray(value)) expect(given).toHaveLength(value.length);
    expect(read(resources.selectEntity(Todo, 2))).toBe(second);
    expect(read(resources.selectEntity(User, 7))).toBe(users[0]);
    expect(whole().global).toBe(global);
    expect(JSON.parse(whole().text)).toEqual(whole().tables);
  });

  it.each(['note of a class', 'constructor', '__proto__', 'toString', ''])(
    'because its type is %j stays as it came, with a warning',
    async (type) => {
      expectWarning(new RegExp(`"${type}", for which the mapping has no schema`));
      const { store, whole } = setupWithTodos();
      const before = whole();
      const body = [{ id: 1, type }];
      answer = () => Response.json(body);

      const value: unknown = await store.dispatch(getFeed()).unwrap();

      expect(value).toEqual(body);
      expect(whole()).toEqual(before);
    },
  );

  it('because it has a field called __proto__ pollutes nothing', async () => {
    const { store, whole, read } = setupWithTodos();
    const { global } = whole();
    answer = () =>
      new Response('{"id":1,"__proto__":{"admin":true},"user":{"id":7,"__proto__":{"admin":true}}}', { headers: json });

    const todo = await store.dispatch(TodoResource.get({ id: 1 })).unwrap();

    expect(Object.getPrototypeOf(todo)).toBe(Todo.prototype);
    expect(Object.getPrototypeOf(todo.user)).toBe(User.prototype);
    expect(Object.keys(todo)).toContain('__proto__');
    expect('admin' in todo || 'admin' in {}).toBe(false);
    expect(read(TodoResource.getList.select())?.[0]).toBe(todo);
    expect(whole().global).toBe(global);
  });

  it('because its entity key is __proto__ is kept like any other', async () => {
    const { store, resources, read, whole, slice } = setupWithTodos();
    const before = whole();
    answer = () => Response.json([{ id: 'a' }, { id: '__proto__' }]);

    const values = await store.dispatch(HostileResource.getList()).unwrap();
    answer = () => Response.json({ id: 'b' });
    await store.dispatch(HostileResource.getList.push({ id: 'b' })).unwrap();
    answer = () => new Response(null, { status: 204 });
    await store.dispatch(HostileResource.delete({ id: 'a' })).unwrap();

    expect(values.map(({ id }) => id)).toEqual(['a', '__proto__']);
    expect(read(HostileResource.getList.select())?.map(({ id }) => id)).toEqual(['__proto__', 'b']);
    expect(read(resources.selectEntity(Hostile, '__proto__'))).toBe(values[1]);
    expect(Object.keys(slice().tables)).toContain('__proto__');
    expect(Object.getPrototypeOf(slice().tables)).toBe(Object.prototype);
    expect(whole()).toMatchObject({ list: before.list, one: before.one, global: before.global });
  });

  it('because it is deep in a plain field is kept', async () => {
    const { store, slice } = setupWithTodos();
    const depth = 500;
    answer = () => new Response(`{"id":1,"tags":${'['.repeat(depth)}${']'.repeat(depth)}}`, { headers: json });

    const one = await store.dispatch(TodoResource.get({ id: 1 })).unwrap();
    const { tables } = slice();
    const other = await store.dispatch(TodoResource.get({ id: 1 })).unwrap();

    expect(other).toBe(one);
    expect(slice().tables).toBe(tables);
  });

  it('because it is long is kept whole', async () => {
    const { store, read, resources } = setupWithTodos();
    const title = 'x'.repeat(1_000_000);
    answer = () => Response.json(Array.from({ length: 300 }, (_, id) => ({ id, ...(id === 5 && { title }) })));

    const values = await store.dispatch(TodoResource.getList()).unwrap();

    expect(values).toHaveLength(300);
    expect(read(resources.selectEntity(Todo, 5))?.title).toBe(title);
  });

  it('because it comes with the wrong class of status is an error like any', async () => {
    const endpoint = new RestEndpoint({ path: '/x/:id', schema: Todo, name: 'Todo/x', fetchResponse });
    const { store, whole } = setupWithTodos();
    const before = whole();
    answer = () => new Response('{"id":1,"title":', { status: 200, headers: json });

    const action = await store.dispatch(endpoint({ id: 1 }));

    expect(action.error).toMatchObject({ name: 'NetworkError', status: 200 });
    expect(whole()).toEqual(before);
  });
});
