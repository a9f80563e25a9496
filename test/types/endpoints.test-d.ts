import { configureStore, createListenerMiddleware, createSlice, isAnyOf } from '@reduxjs/toolkit';
import {
  Collection,
  configureResources,
  createResource,
  Entity,
  EntityMixin,
  isTemporary,
  RestEndpoint,
  schema,
  type CallArgs,
  type HookApi,
  type Request,
  type Resource,
  type WriteRequest,
  type RequestState,
  type ShapeOptions,
  type ResourcesState,
  type Snapshot,
  type Undeclared,
  type ValueOf,
} from 'rtk-resource';
import { skipToken, useMutation, useResource, useSuspense } from 'rtk-resource/react';
import { describe, expectTypeOf, it } from 'vitest';

class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  completed = false;
  createdAt = new Date(0);
  static override key = 'Todo';
  static override schema = { createdAt: (iso: string) => new Date(iso) };

  isOld(): boolean {
    return this.createdAt < new Date(0);
  }
}

class Tag extends Entity {
  id = 0;
  label = '';
}

class User extends Entity {
  name = '';
  tag = Tag.fromJS();
  todos: Todo[] = [];
  visits = 0;
  static override schema = { tag: Tag, todos: [Todo], visits: Number };

  override pk(): string {
    return this.name;
  }
}

abstract class Item extends Entity {
  id = 0;
  abstract readonly type: 'post' | 'link';
}
class Post extends Item {
  override readonly type = 'post' as const;
  text = '';
}
class Link extends Item {
  override readonly type = 'link' as const;
  href = '';
}

interface TodoSearch {
  userId?: number;
  orderBy?: string;
}

declare const todoSearch: TodoSearch | undefined;
declare const touchBody: { at?: number } | undefined;

const TodoResource = createResource({
  urlPrefix: 'https://example.com',
  path: '/todos/:id',
  schema: Todo,
  searchParams: todoSearch,
  paginationField: 'page',
  optimistic: true,
});
const TagResource = createResource({ path: '/users/:user/tags/:id', schema: Tag });
const UserResource = createResource({ path: '/users/:name', schema: User });
const NoteResource = createResource({
  path: '/notes/:id',
  schema: Tag,
  searchParams: undefined,
  body: {} as { text: string; color: 'red' | 'blue' },
});
const ItemResource = createResource({
  path: '/items/:id',
  schema: new schema.Union({ post: Post, link: Link }, 'type'),
});

const resources = configureResources();
const store = configureStore({
  reducer: { resources: resources.reducer, counter: () => 0 },
  middleware: (getDefault) => getDefault().concat(resources.middleware),
});
const state = store.getState();

/** Reads a value, for its type. */
const use = (_value: unknown): void => undefined;

/** What an endpoint is called with. */
type Args<E extends (...args: never) => unknown> = Parameters<E>;

interface TeamSearch {
  readonly userId?: number;
}

describe('the options of an endpoint class of your own', () => {
  class TeamEndpoint extends RestEndpoint {
    team = 'blue';
    readonly isAudited: boolean = false;
  }

  it('are options of createResource, typed by its public fields', () => {
    const Resource = createResource({ path: '/todos/:id', schema: Todo, Endpoint: TeamEndpoint, team: 'red' });
    expectTypeOf(Resource.get.team).toEqualTypeOf<string>();
    expectTypeOf(Resource.getList.isAudited).toEqualTypeOf<boolean>();
    // @ts-expect-error: a team is a text
    createResource({ path: '/todos/:id', schema: Todo, Endpoint: TeamEndpoint, team: 5 });
    // @ts-expect-error: the class has no such field
    createResource({ path: '/todos/:id', schema: Todo, Endpoint: TeamEndpoint, crew: 'red' });
    // @ts-expect-error: RestEndpoint has no such field
    createResource({ path: '/todos/:id', schema: Todo, team: 'red' });
  });

  it('are options of extend', () => {
    const Resource = createResource({
      path: '/todos/:id',
      schema: Todo,
      Endpoint: TeamEndpoint,
      paginationField: 'page',
    });
    expectTypeOf(Resource.get.extend({ team: 'red', path: '/x/:y' })({ y: 1 })).toExtend<Request<Todo>>();
    expectTypeOf(Resource.extend('x', { path: '/x/:y', team: 'red' }).x({ y: 1 })).toExtend<Request<Todo>>();
    expectTypeOf(Resource.extend({ getList: { team: 'red' } }).getList.getPage({ page: 2 })).toExtend<
      Request<Todo[]>
    >();
    Resource.getList.push.extend({ team: 'red', isAudited: true }).extend({ team: 'blue' });
    Resource.extend('x', { path: '/x' }).x.extend({ team: 'red' });
    Resource.get.extend({
      getHeaders(headers) {
        expectTypeOf(this.team).toBeString();
        return headers;
      },
    });

    // @ts-expect-error: a team is a text
    Resource.get.extend({ team: 5 });
    // @ts-expect-error: the class has no such field
    Resource.get.extend({ crew: 'red' });
    // @ts-expect-error: a team is a text
    Resource.extend('x', { path: '/x', team: 5 });
    // @ts-expect-error: the class has no such field
    Resource.extend('x', { path: '/x', crew: 'red' });
    // @ts-expect-error: a team is a text
    Resource.extend({ get: { team: 5 } });
    // @ts-expect-error: the class has no such field
    Resource.extend({ get: { crew: 'red' } });
    // @ts-expect-error: a plain resource has no team
    TodoResource.get.extend({ team: 'red' });
    // @ts-expect-error: a plain resource has no team
    TodoResource.extend('x', { path: '/x', team: 'red' });
  });

  it('may be those of a class with a type parameter', () => {
    class Api<O extends ShapeOptions = ShapeOptions> extends RestEndpoint<O> {
      team = 'blue';
    }
    const Resource = createResource({ path: '/todos/:id', schema: Todo, Endpoint: Api, team: 'red' });
    expectTypeOf(Resource.getList.push.team).toBeString();
    expectTypeOf(Resource.get({ id: 1 })).toExtend<Request<Todo>>();
    Resource.get.extend({ team: 'green' });

    // @ts-expect-error: a team is a text
    createResource({ path: '/todos/:id', schema: Todo, Endpoint: Api, team: 5 });
  });
});

describe('schema.All', () => {
  it('is of a class, or of a Union', () => {
    new schema.All(Todo);
    new schema.All(new schema.Union({ post: Post, link: Link }, 'type'));
    // @ts-expect-error: a shape has no table
    new schema.All({ todo: Todo });
    // @ts-expect-error: a list has no table of its own
    new schema.All([Todo]);
  });
});

describe('the action that an awaited request gives', () => {
  it('tells when the request was made', async () => {
    const { meta } = await store.dispatch(TodoResource.get({ id: 5 }));
    expectTypeOf(meta.seq).toEqualTypeOf<number>();
    expectTypeOf(meta.startedTimeStamp).toEqualTypeOf<number>();
  });

  it('has the payload of its endpoint, once it is no error', async () => {
    const action = await store.dispatch(TodoResource.get({ id: 5 }));
    if ('error' in action) return;
    expectTypeOf(action.payload.title).toEqualTypeOf<string>();
    expectTypeOf(action.payload.createdAt).toEqualTypeOf<string>();
    const list = await store.dispatch(TodoResource.getList.ifStale({ userId: 1 }));
    if (list.error === undefined) expectTypeOf(list.payload[0]?.title).toEqualTypeOf<string | undefined>();
    const many = await store.dispatch(TodoResource.getList.push({ userId: 1 }, [{ title: 'a' }]));
    if (!many.error) expectTypeOf(many.payload[0]?.title).toEqualTypeOf<string | undefined>();
  });

  it('has the body of an error as the endpoint declares it', async () => {
    const logIn = new RestEndpoint({
      path: '/login',
      method: 'POST',
      body: {} as { password: string },
      errorData: {} as { hint: string },
      process: (value: unknown) => value as { token: string },
    });
    const promise = store.dispatch(logIn({ password: 'x' }));
    expectTypeOf(promise.arg.args).toExtend<readonly [body?: unknown, ...others: unknown[]]>();
    const action = await promise;
    if (action.error) {
      expectTypeOf(action.error.data).toEqualTypeOf<{ hint: string } | undefined>();
      return;
    }
    expectTypeOf(action.payload).toEqualTypeOf<{ token: string }>();
    expectTypeOf(await logIn.fetch({ password: 'x' })).toEqualTypeOf<{ token: string }>();
  });

  it('has the arguments, made plain', async () => {
    const promise = store.dispatch(TodoResource.get({ id: 5 }));
    expectTypeOf(promise.arg.args).toEqualTypeOf<readonly [params: { readonly id: string | number | boolean }]>();
    expectTypeOf((await promise).meta.arg.args[0].id).toEqualTypeOf<string | number | boolean>();
  });
});

describe('endpoint.fetch', () => {
  it('gives what the schema says in wire form, and what a class of one’s own says itself', async () => {
    expectTypeOf((await TodoResource.get.fetch({ id: 5 })).createdAt).toEqualTypeOf<string>();
    expectTypeOf(await new RestEndpoint({ path: '/a' }).fetch()).toBeUnknown();
    class Traced<O extends ShapeOptions = ShapeOptions> extends RestEndpoint<O> {
      override fetch(...args: CallArgs<O>): Promise<unknown> {
        return super.fetch(...args);
      }
    }
    expectTypeOf(await new Traced({ path: '/a', schema: Todo }).fetch()).toBeUnknown();
  });
});

describe('search parameters and a body that are both optional', () => {
  it('are told from each other by their number: one argument is the body', () => {
    const since = {} as { since?: string } | undefined;
    const sync = new RestEndpoint({
      path: '/sync',
      method: 'POST',
      searchParams: {} as { dry?: boolean },
      body: since,
    });

    sync();
    sync({ since: 'today' });
    sync({ dry: true }, { since: 'today' });
    sync({ dry: true }, undefined);
    // @ts-expect-error It would be sent as the body.
    sync({ dry: true });
  });
});

describe('search parameters that are required', () => {
  it('are asked for where the path may be any text, too', () => {
    const base: string = '/v2';
    const search = new RestEndpoint({ path: `${base}/search`, searchParams: {} as { q: string } });
    search({ q: 'a' });
    search({ q: 'a', id: 5 });
    // @ts-expect-error: what is searched for is missing
    search();
    // @ts-expect-error: what is searched for is missing
    search({ id: 5 });
    new RestEndpoint({ path: `${base}/search`, searchParams: {} as { q: string } | undefined })();
    new RestEndpoint({ path: `${base}/search` })();
  });
});

describe('invalidates', () => {
  it('gets the answer and the arguments, and names members without naming itself', () => {
    const Resource = createResource({ path: '/todos/:id', schema: Todo, searchParams: todoSearch }).extend('close', {
      path: '/todos/:id/close',
      method: 'POST',
      body: undefined,
      invalidates: (answer, [params]) => {
        // It is null where nobody knows whether the write was done.
        if (!answer) return ['get', 'getList'];
        expectTypeOf(answer.userId).toEqualTypeOf<number>();
        expectTypeOf(params).toEqualTypeOf<{ id: string | number | boolean }>();
        return [
          'get',
          ['getList', { userId: answer.userId }],
          TodoResource.getList,
          [TodoResource.getList, { userId: 1 }],
        ];
      },
    });
    Resource.close({ id: 5 });
    // @ts-expect-error: a number names nothing
    TodoResource.update.extend({ invalidates: () => [5] });
  });
});

describe('onConflict', () => {
  it('gives the body to send once more, at once or later, or none', () => {
    TodoResource.partialUpdate.extend({
      onConflict: ({ theirs, mine }) => ({ ...mine, title: `Again: ${theirs.title}` }),
    });
    TodoResource.partialUpdate.extend({ onConflict: ({ mine }) => Promise.resolve(mine) });
    TodoResource.partialUpdate.extend({
      onConflict: () => {
        // Nothing: the edit is rejected.
      },
    });
    TodoResource.delete.extend({ onConflict: () => true });
    // @ts-expect-error: a todo has no such field
    TodoResource.partialUpdate.extend({ onConflict: () => ({ titel: 'a' }) });
    // @ts-expect-error: a number is no body
    TodoResource.partialUpdate.extend({ onConflict: () => 5 });
  });
});

describe('expireAll', () => {
  it('takes a part of the first argument', () => {
    const resources = configureResources();
    resources.expireAll(TodoResource.getList, { userId: 1 });
    resources.expireAll(TodoResource.get, { id: 5 });
    // @ts-expect-error: the list has no such parameter
    resources.expireAll(TodoResource.getList, { author: 1 });
  });
});

describe('next and previous of pages', () => {
  it('get the answer, the params, and the headers and the body', () => {
    const search = new RestEndpoint({
      path: '/users/:userId/search',
      method: 'POST',
      sideEffect: false,
      body: {} as { q: string; cursor?: string },
      schema: { results: new Collection([Todo]), next: '' },
    });
    const paged = search.paginated({
      next: ({ next }, params, { headers, body }) => {
        expectTypeOf(next).toEqualTypeOf<string>();
        expectTypeOf(params.userId).toEqualTypeOf<string | number | boolean>();
        expectTypeOf(headers).toEqualTypeOf<Headers>();
        expectTypeOf(body).toEqualTypeOf<{ q: string; cursor?: string }>();
        return next === '' ? undefined : [params, { ...body, cursor: next }];
      },
      previous: (_answer, params) => params,
    });

    paged.getNextPage({ userId: 1 }, { q: 'milk' });
    useSuspense(paged, { userId: 1 }, { q: 'milk' });
    // @ts-expect-error: the page of a search has its body
    paged.getNextPage({ userId: 1 });
    expectTypeOf(TodoResource.update).not.toHaveProperty('paginated');
    TodoResource.getList.paginated({
      next: (_todos, _params, { body }) => {
        expectTypeOf(body).toBeUndefined();
        return undefined;
      },
    });
  });
});

describe('a pollFrequency that is a function', () => {
  it('gets the data of the endpoint, or of the hook', () => {
    new RestEndpoint({
      path: '/todos/:id',
      schema: Todo,
      pollFrequency: (todo) => {
        expectTypeOf(todo).toEqualTypeOf<Todo>();
        return todo.completed ? false : 1_000;
      },
    });
    TodoResource.getList.extend({ pollFrequency: (todos) => todos.length > 0 && 1_000 });
    TodoResource.extend({ get: { pollFrequency: (todo) => (todo.completed ? false : 1_000) } });
    TodoResource.extend('watch', {
      path: '/jobs/:id',
      schema: Todo,
      pollFrequency: (todo) => !todo.completed && 1_000,
    });
    createResource({ path: '/todos/:id', schema: Todo, pollFrequency: (data: unknown) => data !== 5 && 1_000 });
    useResource(TodoResource.get({ id: 5 }), { pollFrequency: (todo) => !todo.completed && 1_000 });
    // @ts-expect-error: a Todo has no such field
    TodoResource.get.extend({ pollFrequency: (todo) => (todo.isDone === true ? 0 : 1_000) });
    // @ts-expect-error: `true` is no frequency
    TodoResource.get.extend({ pollFrequency: () => true });
  });
});

describe('a listPath', () => {
  it('names the parameters of the list, as path those of an item', () => {
    const Products = createResource({ path: '/todos/:id', listPath: '/users/:userId/todos', schema: Todo });

    expectTypeOf(Products.getList.path).toEqualTypeOf<'/users/:userId/todos'>();
    Products.getList({ userId: 1 });
    Products.getList.push({ userId: 1 }, { title: 'a' });
    Products.get({ id: 5 });
    Products.getList.move({ id: 5 }, { userId: 2 });
    // @ts-expect-error: the listPath names :userId
    Products.getList({});
    // @ts-expect-error: the path does not name :userId
    Products.get({ id: 5, userId: 1 });
  });
});

describe('pages', () => {
  const search: TeamSearch = {};
  const { getList } = createResource({
    path: '/teams/:team/todos/:id',
    schema: Todo,
    searchParams: search,
    paginationField: 'page',
  });

  it('beside those that are there are asked for by the arguments of the list', () => {
    expectTypeOf(getList.getNextPage({ team: 'a', userId: 1 })).toExtend<Request<Todo[]>>();
    getList.getPreviousPage({ team: 'a' });
    // @ts-expect-error: the path names :team
    getList.getNextPage({ userId: 1 });
    // @ts-expect-error: which page it is, the list knows
    getList.getNextPage({ team: 'a', page: 2 });
    // @ts-expect-error: a list without pages has none beside
    use(createResource({ path: '/todos/:id', schema: Todo }).getList.getNextPage);
  });

  it('tell how to ask for the next', () => {
    const feed = new RestEndpoint({
      path: '/feed',
      schema: { results: new Collection([Todo]), next: '' },
      searchParams: {} as { readonly topic: string },
    });
    const paged = feed.paginated({
      next: (answer, args) => {
        expectTypeOf(answer.next).toEqualTypeOf<string>();
        expectTypeOf(answer.results[0]?.createdAt).not.toEqualTypeOf<Date | undefined>();
        expectTypeOf(args.topic).toEqualTypeOf<string>();

        return answer.next ? { ...args, cursor: answer.next } : undefined;
      },
      maxPages: 3,
    });
    expectTypeOf(paged.getNextPage({ topic: 'a' })).toExtend<Request<{ results: Todo[]; next: string }>>();
    paged.push({ topic: 'a' }, { title: 'new' });
    // @ts-expect-error: how to go on must be said
    feed.paginated({ maxPages: 3 });
  });
});

describe('the arguments of an endpoint', () => {
  it('are the parameters of its path', () => {
    TodoResource.get({ id: 5 });
    TodoResource.get({ id: '5' });
    TagResource.getList({ user: 'ada' });
    TagResource.get({ user: 'ada', id: 1 });

    // @ts-expect-error: the path names :id
    TodoResource.get({});
    // @ts-expect-error: the parameters are needed
    TodoResource.get();
    // @ts-expect-error: `get` has no search parameters
    TodoResource.get({ id: 5, verbose: true });
    // @ts-expect-error: an object is no path value
    TodoResource.get({ id: { id: 5 } });
    // @ts-expect-error: a needed parameter cannot be absent
    TodoResource.get({ id: undefined });
    // @ts-expect-error: nor null
    TodoResource.get({ id: null });
    // @ts-expect-error: `get` takes no body
    TodoResource.get({ id: 5 }, { title: 'x' });
    // @ts-expect-error: the list is that of a user
    TagResource.getList();
    // @ts-expect-error: both parameters are needed
    TagResource.get({ id: 1 });
    // @ts-expect-error: `update` has no search parameters
    TodoResource.update({ id: 5, userId: 1 }, { title: 'x' });
    // @ts-expect-error: `partialUpdate` has no search parameters
    TodoResource.partialUpdate({ id: 5, userId: 1 }, { title: 'x' });
    // @ts-expect-error: `delete` has no search parameters
    TodoResource.delete({ id: 5, force: true });
    // @ts-expect-error: `delete` takes no body
    TodoResource.delete({ id: 5 }, {});
  });

  it('may be absent, null or undefined where the path says so', () => {
    const optional = new RestEndpoint({ path: '/a/:b?{/:c}', searchParams: undefined });
    const wildcard = new RestEndpoint({ path: '/files/*path', searchParams: undefined });
    optional();
    optional({});
    optional({ b: null, c: undefined });
    wildcard({ path: ['a', 'b'] });

    // @ts-expect-error: the path names no :d
    optional({ d: 1 });
    // @ts-expect-error: a wildcard takes segments
    wildcard({ path: 'a/b' });
    // @ts-expect-error: a wildcard is needed
    wildcard();
  });

  it('are none where there is nothing to give', () => {
    const me = new RestEndpoint({ path: '/me', searchParams: undefined, schema: User });
    me();

    // @ts-expect-error: there are no parameters
    me({ id: 1 });
    // @ts-expect-error: there is no body
    me({}, {});
    expectTypeOf<Args<typeof me>['length']>().toEqualTypeOf<0 | 1>();
  });

  it('include the search parameters of a list', () => {
    TodoResource.getList();
    TodoResource.getList({});
    TodoResource.getList({ userId: 1, orderBy: 'title' });
    TodoResource.getList({ userId: 1, page: 2 });
    NoteResource.getList();

    // @ts-expect-error: searchParams has no `user`
    TodoResource.getList({ user: 1 });
    // @ts-expect-error: a userId is a number
    TodoResource.getList({ userId: '1' });
    // @ts-expect-error: there are no search parameters
    NoteResource.getList({ color: 'red' });
    // @ts-expect-error: a list takes no body
    TodoResource.getList({ userId: 1 }, {});
  });

  it('include search parameters that are needed', () => {
    const search = new RestEndpoint({ path: '/search/:kind', searchParams: {} as { q: string; limit?: number } });
    search({ kind: 'a', q: 'b' });

    // @ts-expect-error: `q` is needed
    search({ kind: 'a' });
    // @ts-expect-error: the path names :kind
    search({ q: 'b' });
    // @ts-expect-error: searchParams has no `offset`
    search({ kind: 'a', q: 'b', offset: 1 });
  });

  it('are open where no search parameters are declared', () => {
    TagResource.getList({ user: 'ada', anything: true });
    new RestEndpoint({ path: '/a/:b' })({ b: 1, c: 2 });

    // @ts-expect-error: the path names :b
    new RestEndpoint({ path: '/a/:b' })({ c: 2 });
  });

  it('have the page where a list has pages, and only there', () => {
    TodoResource.getList.getPage({ userId: 1, page: 2 });
    TodoResource.getList.getPage({ page: 'cursor' });

    // @ts-expect-error: the page is needed
    TodoResource.getList.getPage({ userId: 1 });
    // @ts-expect-error: the page is needed
    TodoResource.getList.getPage();
    // @ts-expect-error: a page is a string or a number
    TodoResource.getList.getPage({ page: { number: 2 } });
    // @ts-expect-error: without `paginationField` there are no pages
    use(TagResource.getList.getPage);
  });

  it('are parameters and a body for a write', () => {
    TodoResource.update({ id: 5 }, { title: 'all of it' });
    TagResource.getList.push({ user: 'ada' }, { label: 'new' });

    // @ts-expect-error: the body is needed
    TodoResource.update({ id: 5 });
    // @ts-expect-error: the path names :id
    TodoResource.update({ title: 'x' });
    // @ts-expect-error: the list is that of a user
    TagResource.getList.push({ label: 'new' });
    // @ts-expect-error: there is no third argument
    TodoResource.update({ id: 5 }, { title: 'x' }, {});
  });

  it('are the body alone where no parameter is needed', () => {
    const login = new RestEndpoint({ path: '/login', body: {} as { name: string } });
    login({ name: 'ada' });
    login({}, { name: 'ada' });
    TodoResource.getList.push({ title: 'new' });

    // @ts-expect-error: the body is needed
    login();
    // @ts-expect-error: a name is a string
    login({ name: 1 });
    // @ts-expect-error: a Todo has no such field
    TodoResource.getList.push({ titel: 'new' });
  });

  it('of what creates need no search parameters, also where the list needs them', () => {
    const searchParams = {} as { done?: boolean; page: number };
    const { getList } = createResource({ path: '/users/:user/todos/:id', schema: Todo, searchParams });
    getList.push({ user: 1 }, { title: 'new' });
    getList.unshift({ user: 1, done: false }, { title: 'new' });
    getList.assign({ user: 1 }, { first: { title: 'new' } });
    createResource({ path: '/todos/:id', schema: Todo, searchParams }).getList.push({ title: 'new' });

    // @ts-expect-error: the path needs a user
    getList.push({ title: 'new' });
    // @ts-expect-error: a page is a number
    getList.push({ user: 1, page: 'two' }, { title: 'new' });
    // @ts-expect-error: the list itself needs a page
    getList({ user: 1 });
  });

  it('leave out a body that may be undefined', () => {
    const touch = new RestEndpoint({ path: '/a/:id', method: 'POST', body: touchBody });
    touch({ id: 1 });
    touch({ id: 1 }, { at: 5 });
    const ping = new RestEndpoint({ path: '/ping', method: 'POST', body: undefined });
    ping();

    // @ts-expect-error: it takes no body
    ping({}, { at: 5 });
  });

  it('follow the methods', () => {
    const remove = new RestEndpoint({ path: '/a/:id', method: 'DELETE' });
    const read = new RestEndpoint({ path: '/a/:id', method: 'get' });
    read.subscribe({ id: 1 });
    // @ts-expect-error: nor does a method in small letters
    read({ id: 1 }, { name: 'Ada' });
    const removeMany = new RestEndpoint({ path: '/a', method: 'DELETE', body: {} as { ids: number[] } });
    remove({ id: 1 });
    removeMany({ ids: [1] });

    // @ts-expect-error: DELETE takes no body, unless one is declared
    remove({ id: 1 }, {});
    // @ts-expect-error: the declared body is needed
    removeMany();
  });
});

describe('the options of a resource', () => {
  it('may tell which parameters do not filter its lists', () => {
    const options = { path: '/todos/:id', schema: Todo } as const;
    createResource({ ...options, nonFilterArgumentKeys: ['view', 'limit'] });
    createResource({ ...options, nonFilterArgumentKeys: /^x-/ });
    createResource({
      ...options,
      nonFilterArgumentKeys: (name) => {
        expectTypeOf(name).toEqualTypeOf<string>();

        return name.startsWith('x-');
      },
    });

    // @ts-expect-error: one name is no list of names
    createResource({ ...options, nonFilterArgumentKeys: 'view' });
    // @ts-expect-error: it is a matter of lists, and not of one endpoint
    new RestEndpoint({ path: '/todos', nonFilterArgumentKeys: ['view'] });
  });
});

describe('the body of a write', () => {
  it('has the fields of the entity, each as its value or in wire form', () => {
    TodoResource.update({ id: 5 }, { createdAt: new Date(0) });
    TodoResource.update({ id: 5 }, { createdAt: '2024-02-29' });
    TodoResource.update({ id: 5 }, new FormData());
    UserResource.update({ name: 'ada' }, { tag: 5, todos: [{ id: 1, createdAt: '2024-02-29' }], visits: '3' });
    UserResource.update({ name: 'ada' }, { tag: { label: 'x' } });

    // @ts-expect-error: a title is a string
    TodoResource.update({ id: 5 }, { title: 5 });
    // @ts-expect-error: a Todo has no such field
    TodoResource.update({ id: 5 }, { titel: 'x' });
    // @ts-expect-error: a date is a Date or a string
    TodoResource.update({ id: 5 }, { createdAt: 0 });
    // @ts-expect-error: methods are no fields
    TodoResource.update({ id: 5 }, { isOld: () => true });
    // @ts-expect-error: a string is no body
    TodoResource.update({ id: 5 }, 'title');
    // @ts-expect-error: one item is updated
    TodoResource.update({ id: 5 }, [{ title: 'x' }]);
    // @ts-expect-error: a label is a string
    UserResource.update({ name: 'ada' }, { tag: { label: 5 } });
    // @ts-expect-error: a class without a `schema` of its own takes its values
    TagResource.update({ user: 'ada', id: 1 }, { label: 5 });
  });

  it('of push and unshift may be several', () => {
    TodoResource.getList.push({ userId: 1 }, [{ title: 'a' }, { title: 'b' }]);
    TodoResource.getList.unshift({ userId: 1 }, [{ title: 'a' }]);
    TodoResource.getList.unshift({ title: 'a' });

    // @ts-expect-error: each of them is a Todo
    TodoResource.getList.push({ userId: 1 }, [{ titel: 'a' }]);
    // @ts-expect-error: searchParams has no `user`
    TodoResource.getList.unshift({ user: 1 }, { title: 'a' });
  });

  it('is the declared one, and partial for partialUpdate', () => {
    NoteResource.getList.push({}, { text: 'a', color: 'red' });
    NoteResource.update({ id: 5 }, { text: 'a', color: 'red' });
    NoteResource.partialUpdate({ id: 5 }, { text: 'a' });

    // @ts-expect-error: the color is needed
    NoteResource.getList.push({}, { text: 'a' });
    // @ts-expect-error: the color is needed
    NoteResource.update({ id: 5 }, { text: 'a' });
    // @ts-expect-error: there is no such color
    NoteResource.partialUpdate({ id: 5 }, { color: 'green' });
    // @ts-expect-error: the fields of the entity are no part of it
    NoteResource.update({ id: 5 }, { text: 'a', color: 'red', label: 'x' });
  });

  it('of the other members of a list says what they change', () => {
    TodoResource.getList.remove({ userId: 1 }, { id: 1 });
    TodoResource.getList.move({ id: 2 }, { userId: 2 });
    NoteResource.getList.move({ id: 2 }, { color: 'red' });
    const scores = TagResource.extend({ getList: { schema: new Collection(new schema.Values(Tag)) } });
    scores.getList.assign({ user: 'ada' }, { a: { label: 'x' } });

    // @ts-expect-error: `move` is sent to the item
    TodoResource.getList.move({ userId: 1 }, { userId: 2 });
    // @ts-expect-error: a label is a string
    scores.getList.assign({ user: 'ada' }, { a: { label: 5 } });
    // @ts-expect-error: an id is a number
    TodoResource.getList.remove({ userId: 1 }, { id: true });
  });

  it('of a union has the fields of one of its members', () => {
    ItemResource.getList.push({}, { type: 'post', text: 'x' });

    // @ts-expect-error: no member has such a field
    ItemResource.getList.push({}, { type: 'post', body: 'x' });
    // @ts-expect-error: there is no such type
    ItemResource.getList.push({}, { type: 'video' });
  });
});

describe('the value of an endpoint', () => {
  it('is what its schema describes', () => {
    expectTypeOf(TodoResource.get({ id: 5 })).toExtend<Request<Todo>>();
    expectTypeOf(TodoResource.getList()).toExtend<Request<Todo[]>>();
    expectTypeOf(TodoResource.getList.getPage({ page: 2 })).toExtend<Request<Todo[]>>();
    expectTypeOf(TodoResource.getList.push({}, { title: 'x' })).toExtend<WriteRequest<Todo>>();
    expectTypeOf(TodoResource.getList.move({ id: 1 }, { userId: 2 })).toExtend<WriteRequest<Todo>>();
    expectTypeOf(TodoResource.update({ id: 5 }, {})).toExtend<WriteRequest<Todo>>();
    expectTypeOf(TodoResource.delete({ id: 5 })).toExtend<WriteRequest<undefined>>();
    expectTypeOf(new RestEndpoint({ path: '/a', searchParams: undefined })()).toExtend<Request>();
  });

  it('follows nested schemas', () => {
    expectTypeOf<
      ValueOf<{
        user: typeof User;
        all: readonly [typeof Todo];
        byName: InstanceType<typeof schema.Values<typeof Tag>>;
        total: number;
        next: string | null;
        at: DateConstructor;
        count: NumberConstructor;
      }>
    >().toEqualTypeOf<{
      user: User;
      all: Todo[];
      byName: Record<string, Tag>;
      total: number;
      next: string | null;
      at: Date;
      count: number;
    }>();
    const found = new RestEndpoint({
      path: '/found',
      schema: { results: [Todo], total: 0, at: Date, by: (name: string) => name.length },
    });
    expectTypeOf(found.select()).returns.toEqualTypeOf<
      { results: Todo[]; total: number; at: Date; by: number } | undefined
    >();
  });

  it('of a union is narrowed by what tells its members apart', () => {
    const item = ItemResource.get.select({ id: 1 })(state);
    if (item?.type === 'post') expectTypeOf(item).toEqualTypeOf<Post>();
    if (item?.type === 'link') expectTypeOf(item.href).toBeString();

    // @ts-expect-error: only a Post has a text
    use(item?.text);
  });

  it('comes out of a plain store, whose dispatch needs no more types', async () => {
    const promise = store.dispatch(TodoResource.get({ id: 5 }));
    expectTypeOf(promise.requestId).toBeString();
    promise.abort('unmounted');
    expectTypeOf(await promise.unwrap()).toEqualTypeOf<Todo>();
    expectTypeOf(await store.dispatch(TodoResource.getList.ifStale()).unwrap()).toEqualTypeOf<Todo[]>();
    expectTypeOf(await store.dispatch(TodoResource.getList.prefetch()).unwrap()).toEqualTypeOf<Todo[]>();
    expectTypeOf(store.dispatch(TodoResource.delete({ id: 5 })).unwrap()).toEqualTypeOf<Promise<undefined>>();
    expectTypeOf(store.dispatch(TodoResource.get.subscribe({ id: 5 })).unsubscribe).returns.toBeVoid();

    // @ts-expect-error: a title is a string
    const title: number = (await promise.unwrap()).title;
    use(title);
  });

  it('comes out of one dispatch of two endpoints', async () => {
    const isNew = Math.random() < 0.5;
    const saving = store.dispatch(
      isNew ? TodoResource.getList.push({ title: 'x' }) : TodoResource.partialUpdate({ id: 5 }, { title: 'x' }),
    );
    saving.abort();
    expectTypeOf(saving.requestId).toBeString();
    expectTypeOf(await saving.unwrap()).toEqualTypeOf<Todo>();
    expectTypeOf((await saving).meta.seq).toBeNumber();

    const read = store.dispatch(isNew ? TodoResource.getList() : TodoResource.get.ifStale({ id: 5 }));
    expectTypeOf(await read.unwrap()).toEqualTypeOf<Todo | Todo[]>();

    const ahead = configureStore({
      reducer: { [resources.reducerPath]: resources.reducer },
      middleware: (getDefault) => getDefault().prepend(resources.middleware),
    });
    const either = ahead.dispatch(isNew ? TodoResource.getList() : TodoResource.get({ id: 5 }));
    expectTypeOf(await either.unwrap()).toEqualTypeOf<Todo | Todo[]>();
    expectTypeOf(await ahead.dispatch(TodoResource.get({ id: 5 })).unwrap()).toEqualTypeOf<Todo>();
    expectTypeOf(ahead.dispatch(() => 1)).toBeNumber();

    // @ts-expect-error: an endpoint that was not called is no request
    store.dispatch(isNew ? TodoResource.get : TodoResource.getList());
  });

  it('is selected as it is, or undefined', () => {
    expectTypeOf(TodoResource.get.select({ id: 5 })(state)).toEqualTypeOf<Todo | undefined>();
    expectTypeOf(TodoResource.getList.selectRequest()(state)).toEqualTypeOf<RequestState<Todo[]>>();

    // @ts-expect-error: it may not be there
    use(TodoResource.get.select({ id: 5 })(state).title);
    // @ts-expect-error: the path names :id
    TodoResource.get.select({});
    // @ts-expect-error: `get` has no search parameters
    TodoResource.get.selectRequest({ id: 5, x: 1 });
    // @ts-expect-error: this state has no slice of ours
    TodoResource.get.select({ id: 5 })({ counter: 1 });
    // @ts-expect-error: the path names :id
    TodoResource.get.ifStale();
    // @ts-expect-error: the path names :id
    TodoResource.get.prefetch();
    // @ts-expect-error: the path names :id
    TodoResource.get.subscribe({});
    // @ts-expect-error: the path names :id
    TodoResource.get.key();
    // @ts-expect-error: the path names :id
    TodoResource.get.url({});
  });

  it('is never any', () => {
    expectTypeOf(TodoResource.get).parameter(0).not.toBeAny();
    expectTypeOf<ReturnType<typeof TodoResource.get>>().not.toBeAny();
    expectTypeOf(TodoResource.update).parameter(1).not.toBeAny();
    expectTypeOf(TodoResource.get.schema).not.toBeAny();
    expectTypeOf(new RestEndpoint({ path: '/a' }))
      .parameter(0)
      .not.toBeAny();
    expectTypeOf(new RestEndpoint({ path: '/a' }).select()).returns.toBeUnknown();
    expectTypeOf(TodoResource.get.fetch({ id: 1 })).not.toBeAny();
  });
});

describe('resources', () => {
  it('reads what the endpoint gives', () => {
    expectTypeOf(resources.select(TodoResource.get, { id: 5 })(state)).toEqualTypeOf<Todo | undefined>();
    expectTypeOf(resources.select(TodoResource.getList, { userId: 1 })(state)).toEqualTypeOf<Todo[] | undefined>();
    expectTypeOf(resources.selectRequest(TodoResource.getList)(state)).toEqualTypeOf<RequestState<Todo[]>>();
    expectTypeOf(resources.selectEntity(Todo, 5)(state)).toEqualTypeOf<Todo | undefined>();
    expectTypeOf(resources.selectAll(Todo)(state)).toExtend<readonly Todo[]>();

    // @ts-expect-error: the path names :id
    resources.select(TodoResource.get, {});
    // @ts-expect-error: the parameters are needed
    resources.select(TodoResource.get);
    // @ts-expect-error: searchParams has no `user`
    resources.selectRequest(TodoResource.getList, { user: 1 });
    // @ts-expect-error: a Todo is no Tag
    const tag: Tag | undefined = resources.selectEntity(Todo, 5)(state);
    use(tag);
    // @ts-expect-error: a boolean identifies nothing
    resources.selectEntity(Todo, true);
    // @ts-expect-error: this state has no slice of ours
    resources.selectAll(Todo)({});
    // @ts-expect-error: the path names :id
    resources.invalidate(TodoResource.get, {});
  });

  it('reads from where it is mounted', () => {
    const api = configureResources({ reducerPath: 'api' });
    expectTypeOf(api.reducerPath).toEqualTypeOf<'api'>();
    expectTypeOf(api.select(TodoResource.get, { id: 5 }))
      .parameter(0)
      .toEqualTypeOf<Readonly<Record<'api', ResourcesState>>>();

    // @ts-expect-error: the slice is under `api`
    api.select(TodoResource.get, { id: 5 })(state);
  });
});

describe('matchers', () => {
  it('narrow what an action carries', () => {
    const action: unknown = undefined;
    if (TodoResource.get.fulfilled.match(action)) {
      expectTypeOf(action.payload.title).toBeString();
      expectTypeOf(action.payload.createdAt).toBeString();
      expectTypeOf(action.meta.arg.key).toBeString();
      expectTypeOf(action.meta.arg.args).toEqualTypeOf<readonly [params: { readonly id: string | number | boolean }]>();

      // @ts-expect-error: a payload has no methods
      use(action.payload.isOld);
      // @ts-expect-error: a fulfilled action has no error
      use(action.error.message);
    }
    if (UserResource.getList.fulfilled.match(action)) {
      expectTypeOf(action.payload[0]?.todos[0]?.createdAt).toEqualTypeOf<string | undefined>();
      expectTypeOf(action.payload[0]?.tag.label).toEqualTypeOf<string | undefined>();
    }
    if (TodoResource.getList.push.fulfilled.match(action)) expectTypeOf(action.payload.createdAt).toBeString();
    if (ItemResource.get.fulfilled.match(action) && action.payload.type === 'post')
      expectTypeOf(action.payload.text).toBeString();
    if (TodoResource.get.rejected.match(action)) {
      expectTypeOf(action.error.status).toEqualTypeOf<number | undefined>();
      expectTypeOf(action.meta.aborted).toBeBoolean();
    }
    if (TodoResource.get.pending.match(action)) {
      expectTypeOf(action.meta.requestId).toBeString();

      // @ts-expect-error: a pending action has no payload
      use(action.payload.title);
    }
  });

  it('work in reducers and listeners', () => {
    createSlice({
      name: 'last',
      initialState: { title: '' },
      reducers: {},
      extraReducers: (builder) => {
        builder
          .addCase(TodoResource.get.fulfilled, (last, { payload, meta }) => {
            expectTypeOf(payload.completed).toBeBoolean();
            expectTypeOf(meta.arg.endpointName).toBeString();
            last.title = payload.title;
          })
          .addMatcher(isAnyOf(TodoResource.update.fulfilled, TodoResource.partialUpdate.fulfilled), (last, action) => {
            last.title = action.payload.title;
          })
          .addMatcher(TodoResource.delete.rejected.match, (last, { error }) => {
            last.title = error.message;
          })
          .addMatcher(TodoResource.getList.settled, (_last, action) => {
            expectTypeOf(action.meta.requestStatus).toEqualTypeOf<'fulfilled' | 'rejected'>();
            if (action.error) {
              expectTypeOf(action.error.message).toBeString();
              return;
            }
            expectTypeOf(action.payload[0]?.title).toEqualTypeOf<string | undefined>();
          })
          // @ts-expect-error: a creator makes an action of whatever it is given, and would match them all
          .addMatcher(TodoResource.delete.rejected, () => undefined);
      },
    });
    createListenerMiddleware().startListening({
      actionCreator: TodoResource.delete.fulfilled,
      effect: ({ meta }) => {
        expectTypeOf(meta.arg.key).toBeString();
      },
    });
    createListenerMiddleware().startListening({
      matcher: TodoResource.get.rejected.match,
      effect: ({ error }) => {
        expectTypeOf(error.message).toBeString();
      },
    });
  });
});

describe('React hooks', () => {
  it('infer arguments and value', () => {
    const { data, refetch } = useResource(TodoResource.getList, { userId: 1 });
    expectTypeOf(data).toEqualTypeOf<Todo[] | undefined>();
    expectTypeOf(refetch).not.toBeAny();
    expectTypeOf(useResource(TodoResource.get, skipToken).data).toEqualTypeOf<Todo | undefined>();
    expectTypeOf(useSuspense(TodoResource.get, { id: 5 })).toEqualTypeOf<Todo>();
    const [update, result] = useMutation(TodoResource.update);
    expectTypeOf(update).parameters.toEqualTypeOf<Args<typeof TodoResource.update>>();
    expectTypeOf(result.data).toEqualTypeOf<Todo | undefined>();
    const [push] = useMutation(TodoResource.getList.push);
    void push({ userId: 1 }, { title: 'x' });
    void push({ title: 'x' });

    // @ts-expect-error: searchParams has no `user`
    useResource(TodoResource.getList, { user: 1 });
    // @ts-expect-error: the path names :id
    useResource(TodoResource.get, {});
    // @ts-expect-error: the parameters are needed
    useSuspense(TodoResource.get);
    // @ts-expect-error: a title is a string
    void update({ id: 5 }, { title: 5 });
    // @ts-expect-error: the body is needed
    void update({ id: 5 });
  });
});

describe('extend', () => {
  it('changes what its options say, and nothing else', () => {
    const { get, getList, update } = TodoResource.extend({
      get: { path: '/users/:user/todos/:id' },
      getList: { schema: { results: new Collection([Todo]), total: 0 }, searchParams: {} as { q: string } },
      update: { body: {} as { title: string } },
    });
    expectTypeOf(get({ user: 1, id: 2 })).toExtend<Request<Todo>>();
    expectTypeOf(getList({ q: 'a' })).toExtend<Request<{ results: Todo[]; total: number }>>();
    expectTypeOf(getList.push({ q: 'a' }, { title: 'x' })).toExtend<WriteRequest<Todo>>();
    expectTypeOf(getList.getPage({ q: 'a', page: 1 })).toExtend<Request<{ results: Todo[]; total: number }>>();
    update({ id: 5 }, { title: 'x' });

    // @ts-expect-error: the new path names :user
    get({ id: 2 });
    // @ts-expect-error: `q` is needed
    getList({});
    // @ts-expect-error: `userId` was a search parameter before
    getList({ q: 'a', userId: 1 });
    // @ts-expect-error: the new body has no `completed`
    update({ id: 5 }, { title: 'x', completed: true });
    // @ts-expect-error: there is no such member
    TodoResource.extend({ fetch: { path: '/x' } });
    // @ts-expect-error: there is no such option
    TodoResource.extend({ get: { pth: '/x' } });
    // @ts-expect-error: a path is a string
    TodoResource.extend({ get: { path: 5 } });
  });

  it('adds members', () => {
    const { current, archive, get } = TodoResource.extend('current', {
      path: '/current',
      searchParams: undefined,
    }).extend('archive', { path: '/todos/:id/archive', method: 'POST', body: undefined });
    expectTypeOf(current()).toExtend<Request<Todo>>();
    expectTypeOf(archive({ id: 5 })).toExtend<WriteRequest<Todo>>();
    expectTypeOf(get({ id: 5 })).toExtend<Request<Todo>>();

    // @ts-expect-error: the path names no :id
    current({ id: 5 });
    // @ts-expect-error: there is no body
    archive({ id: 5 }, {});
    // @ts-expect-error: there is no such option
    TodoResource.extend('current', { pth: '/x' });
    // @ts-expect-error: there is no such member
    use(TodoResource.extend('current', { path: '/x' }).other);
  });

  it('gives the members there are to a function', () => {
    const { mine, get, getList } = TodoResource.extend((base) => ({
      mine: base.get.extend({ path: '/mine/:id', schema: Tag }),
      getList: base.getList.extend({ path: '/all' }),
    }));
    expectTypeOf(mine({ id: 1 })).toExtend<Request<Tag>>();
    expectTypeOf(get({ id: 1 })).toExtend<Request<Todo>>();
    expectTypeOf(getList.getPage({ page: 1 })).toExtend<Request<Todo[]>>();
  });

  it('gives and takes bodies with the method', () => {
    const post = TodoResource.get.extend({ method: 'POST' });
    const read = TodoResource.update.extend({ method: 'GET' });
    post({ id: 5 }, { title: 'x' });
    read({ id: 5 });

    // @ts-expect-error: the body is needed
    post({ id: 5 });
    // @ts-expect-error: GET takes no body
    read({ id: 5 }, { title: 'x' });
    // @ts-expect-error: there is no such option
    TodoResource.get.extend({ optimist: true });
    // @ts-expect-error: a poll frequency is a number of ms
    TodoResource.get.extend({ pollFrequency: '1s' });
  });

  it('turns a single endpoint into the endpoint of a list', () => {
    const list = new RestEndpoint({ path: '/todos', searchParams: undefined }).extend({
      schema: new Collection([Todo]),
      paginationField: 'cursor',
    });
    expectTypeOf(list.push({ title: 'x' })).toExtend<WriteRequest<Todo>>();
    expectTypeOf(list.getPage({ cursor: 'a' })).toExtend<Request<Todo[]>>();
  });
});

describe('a single endpoint', () => {
  it('that reads a Collection has what changes its lists', () => {
    const list = new RestEndpoint({
      path: '/users/:user/todos',
      schema: new Collection([Todo]),
      searchParams: undefined,
    });
    const paged = new RestEndpoint({
      path: '/feed',
      schema: { all: new Collection([Todo]) },
      paginationField: 'cursor',
    });
    expectTypeOf(list({ user: 1 })).toExtend<Request<Todo[]>>();
    expectTypeOf(list.push({ user: 1 }, { title: 'x' })).toExtend<WriteRequest<Todo>>();
    expectTypeOf(paged.getPage({ cursor: 'a' })).toExtend<Request<{ all: Todo[] }>>();

    // @ts-expect-error: without `paginationField` there are no pages
    use(list.getPage);
    // @ts-expect-error: the list is that of a user
    list.push({ title: 'x' });
    // @ts-expect-error: one Todo is no list
    use(new RestEndpoint({ path: '/todos/:id', schema: Todo }).push);
    // @ts-expect-error: nor has a write a list
    use(new RestEndpoint({ path: '/todos', method: 'POST', schema: new Collection([Todo]) }).push);
  });
});

describe('hooks', () => {
  it('of options are typed by their place', () => {
    new RestEndpoint({
      path: '/todos/:id',
      method: 'PUT',
      schema: Todo,
      body: {} as { title: string },
      searchParams: undefined,
      process(value, params, body) {
        expectTypeOf(value).toBeUnknown();
        expectTypeOf(params.id).toEqualTypeOf<string | number | boolean>();
        expectTypeOf(body).toEqualTypeOf<{ title: string }>();
        expectTypeOf(this.path).toEqualTypeOf<'/todos/:id'>();
        return value;
      },
      getHeaders(headers, api) {
        expectTypeOf(headers).toEqualTypeOf<Record<string, string>>();
        expectTypeOf(api).toEqualTypeOf<HookApi>();
        return headers;
      },
      getRequestInit(body) {
        expectTypeOf(body.title).toBeString();
        return {};
      },
      getOptimisticResponse(snapshot, { id }, { title }) {
        expectTypeOf(snapshot).toEqualTypeOf<Snapshot>();
        expectTypeOf(snapshot.get(Todo, { id })).toEqualTypeOf<Todo | undefined>();
        expectTypeOf(snapshot.get(TodoResource.getList)).toEqualTypeOf<Todo[] | undefined>();
        return { id, title };
      },
    });

    // @ts-expect-error: a hook is a function
    new RestEndpoint({ path: '/a', process: true });
    // @ts-expect-error: there is no such option
    new RestEndpoint({ path: '/a', methd: 'POST' });
    // @ts-expect-error: a path is needed
    new RestEndpoint({ schema: Todo });
    // @ts-expect-error: `fetchResponse` gives a Response
    new RestEndpoint({ path: '/a', fetchResponse: () => Promise.resolve('text') });
  });

  it('of extend are typed by what is extended', () => {
    TodoResource.extend({
      get: {
        path: '/users/:user',
        process(_value, params) {
          expectTypeOf(params).toEqualTypeOf<{ user: string | number | boolean }>();
          return {};
        },
      },
      partialUpdate: {
        getOptimisticResponse(snapshot, params, body) {
          expectTypeOf(snapshot).toEqualTypeOf<Snapshot>();
          expectTypeOf(params).toEqualTypeOf<{ id: string | number | boolean }>();
          expectTypeOf(body).toEqualTypeOf<Args<typeof TodoResource.partialUpdate>[1]>();
          return {};
        },
      },
    });
    TodoResource.extend('vote', {
      path: '/todos/:id/vote',
      method: 'POST',
      body: {} as { up: boolean },
      getOptimisticResponse(_snapshot, { id }, { up }) {
        expectTypeOf(up).toBeBoolean();
        return { id };
      },
    });
    TodoResource.get.extend({
      path: '/:a/:b',
      url({ a, b }) {
        expectTypeOf(b).toEqualTypeOf<string | number | boolean>();
        return `/${String(a)}/${String(b)}`;
      },
      key: ({ a }) => String(a),
    });
    createResource({
      path: '/todos/:id',
      schema: Todo,
      etag: true,
      body: {} as { title: string },
      onConflict({ mine, theirs }) {
        // The body of partialUpdate is a part.
        expectTypeOf(mine).toEqualTypeOf<{ title?: string }>();
        return { title: `${theirs.title} ${mine.title ?? ''}` };
      },
    });
    TodoResource.getList.extend({
      // It may be called without parameters.
      url: (params) => (params ? '/some' : '/all'),
    });
  });

  it('of createResource know what all members share', () => {
    createResource({
      path: '/a/:id',
      schema: Tag,
      getHeaders: (headers, api) => ({ ...headers, 'x-request': api.requestId }),
      process: (value) => {
        expectTypeOf(value).toBeUnknown();
        return value;
      },
    });

    // @ts-expect-error: a schema is needed
    createResource({ path: '/a/:id' });
    // @ts-expect-error: a path is needed
    createResource({ schema: Tag });
    // @ts-expect-error: `optimistic` is a boolean
    createResource({ path: '/a/:id', schema: Tag, optimistic: 'yes' });
    // @ts-expect-error: there is no such option
    createResource({ path: '/a/:id', schema: Tag, pagination: 'page' });
    // @ts-expect-error: an endpoint class has to be a class
    createResource({ path: '/a/:id', schema: Tag, Endpoint: {} });
  });
});

describe('an endpoint class', () => {
  class TokenEndpoint extends RestEndpoint {
    token = '';
    override getHeaders(headers: Record<string, string>, api?: HookApi): HeadersInit {
      return { ...headers, authorization: this.token, 'x-request': api?.requestId ?? '' };
    }
    refresh(): number {
      return 1;
    }
  }
  const Tokens = createResource({ path: '/a/:id', schema: Todo, paginationField: 'page', Endpoint: TokenEndpoint });

  it('gives its members to every endpoint of a resource', () => {
    expectTypeOf(Tokens.get.token).toBeString();
    expectTypeOf(Tokens.getList.refresh).returns.toBeNumber();
    expectTypeOf(Tokens.get({ id: 1 })).toExtend<Request<Todo>>();
    expectTypeOf(Tokens.getList.getPage({ page: 1 })).toExtend<Request<Todo[]>>();
    expectTypeOf(Tokens.extend('x', { path: '/x' }).x.token).toBeString();
    expectTypeOf(Tokens.extend({ get: { path: '/x/:y' } }).get.token).toBeString();
    expectTypeOf(Tokens.getList.push({ title: 'new' })).toExtend<Request<Todo>>();
    expectTypeOf(Tokens.getList.push([{ title: 'new' }])).toExtend<Request<Todo[]>>();
    expectTypeOf(Tokens.getList.extend({ path: '/x' }).push.extend({ path: '/y' }).refresh).returns.toBeNumber();
    expectTypeOf(Tokens.getList.paginated({ next: () => undefined }).getNextPage.refresh).returns.toBeNumber();
    expectTypeOf(Tokens.getList.paginated((_: { at: string }) => ({})).refresh).returns.toBeNumber();
    const { push, unshift, assign, remove, move, getPage, getNextPage, getPreviousPage } = Tokens.getList;
    const made = [push, unshift, assign, remove, move, getPage, getNextPage, getPreviousPage];
    expectTypeOf(made.map(({ token }) => token)).toEqualTypeOf<string[]>();
    expectTypeOf(Tokens.extend(({ getList }) => ({ x: getList.push.extend({ token: 'x' }) })).x.token).toBeString();
    const Written: Resource<'/a/:id', typeof Todo, Undeclared, Undeclared, 'page', TokenEndpoint> = Tokens;
    expectTypeOf(Written.getList.push.token).toBeString();
    const pathOf = <P extends string, Made extends object>(
      _: Resource<P, typeof Todo, Undeclared, Undeclared, 'page', Made>,
    ) => '' as P;
    expectTypeOf(pathOf(Tokens)).toEqualTypeOf<'/a/:id'>();

    // @ts-expect-error: the path names :id
    Tokens.get({});
    // @ts-expect-error: there is no such member
    use(Tokens.get.secret);
    // @ts-expect-error: a plain resource has no tokens
    use(TodoResource.get.token);
  });

  it('dispatches requests, thunks and actions from its hooks', () => {
    class RefreshingEndpoint extends RestEndpoint {
      override async getHeaders(headers: Record<string, string>, api?: HookApi): Promise<HeadersInit> {
        api?.dispatch({ type: 'plain' });
        const todo = await api?.dispatch(TodoResource.get.ifStale({ id: 1 })).unwrap();
        expectTypeOf(todo).toEqualTypeOf<Todo | undefined>();
        expectTypeOf(api?.dispatch(() => 1)).toEqualTypeOf<number | undefined>();

        // @ts-expect-error: no action
        api?.dispatch(1);
        return { ...headers, 'x-title': todo?.title ?? '' };
      }
    }
    use(new RefreshingEndpoint({ path: '/a' }));
  });

  it('may be of any shape', () => {
    class Own<O extends { path: string }> extends RestEndpoint<O> {
      extra = 1;
    }
    const own = new Own({ path: '/x/:y', schema: Todo });
    expectTypeOf(own({ y: 1 })).toExtend<Request<Todo>>();
    expectTypeOf(own.extra).toBeNumber();

    // @ts-expect-error: the path names :y
    own({});
  });
});

describe('an entity of a class that one does not own', () => {
  class Money {
    code = '';
    amount = 0;
    static readonly currencies = ['EUR'];
  }
  const MoneyEntity = EntityMixin(Money, { key: 'Money', pk: 'code' });
  class Cash extends MoneyEntity {
    notes = 1;
  }

  it('is made by fromJS of some of its fields', () => {
    expectTypeOf(MoneyEntity.fromJS({ code: 'EUR' }).amount).toEqualTypeOf<number>();
    expectTypeOf(MoneyEntity.fromJS()).toExtend<Money>();
    expectTypeOf(Cash.fromJS({ notes: 2 })).toEqualTypeOf<Cash>();
    expectTypeOf(MoneyEntity.currencies).toEqualTypeOf<string[]>();

    // @ts-expect-error: it has no such field
    MoneyEntity.fromJS({ sum: 5 });
    // @ts-expect-error: an amount is a number
    Cash.fromJS({ amount: '5' });
  });

  it('is refused as the schema of a resource before EntityMixin has made one of it', () => {
    createResource({ path: '/money/:code', schema: MoneyEntity });
    createResource({ path: '/money/:code', schema: (wire: { amount: string }) => Number(wire.amount) });
    // @ts-expect-error: its instances have no pk
    createResource({ path: '/money/:code', schema: Money });
  });

  it('may have a fromJS of its own', () => {
    class Coin extends Money {
      static fromJS(value: number) {
        return Object.assign(new Coin(), { amount: value });
      }
    }
    const CoinEntity = EntityMixin(Coin, { key: 'Coin', pk: 'code' });

    expectTypeOf(CoinEntity.fromJS).parameters.toEqualTypeOf<[value: number]>();
  });
});

describe('an entity', () => {
  it('is its instance, fields and methods', () => {
    expectTypeOf<ValueOf<typeof Todo>>().toEqualTypeOf<Todo>();
    expectTypeOf(Todo.fromJS({ id: 5 }).isOld()).toBeBoolean();

    // @ts-expect-error: a title is a string
    Todo.fromJS({ title: 5 });
    // @ts-expect-error: a Todo has no such field
    Todo.fromJS({ titel: 'x' });
  });

  it('has ids that stay what they are when asked whether they are temporary', () => {
    const { id } = new Todo();
    if (isTemporary(id)) expectTypeOf(id).toBeNumber();
  });
});

describe('the body that a recipe gets', () => {
  it('is the declared one, or the fields of the entity, and never a form', () => {
    TodoResource.partialUpdate.extend({
      optimistic: (draft, [, body]) => {
        expectTypeOf(body.title).toEqualTypeOf<string | undefined>();
        draft.title = body.title ?? '';
      },
    });
    NoteResource.partialUpdate.extend({
      optimistic: (_, [, body]) => {
        expectTypeOf(body.color).toEqualTypeOf<'red' | 'blue' | undefined>();
      },
    });
    TagResource.extend('upload', {
      path: '/users/:user/tags/:id/image',
      method: 'POST',
      body: new FormData(),
      optimistic: (_, [, body]) => {
        expectTypeOf(body).toEqualTypeOf<Readonly<Record<string, unknown>>>();
      },
    });
  });
});

describe('a text beside a list', () => {
  const { getList } = createResource({ path: '/todos/:id', schema: Todo }).extend({
    getList: { schema: { results: new Collection([Todo]), next: '', before: '' as string | null, pages: 0 } },
  });

  it('is a text in wire form, too', async () => {
    const action = await store.dispatch(getList());
    if (!action.error) {
      expectTypeOf(action.payload.next).toEqualTypeOf<string>();
      expectTypeOf(action.payload.before).toEqualTypeOf<string | null>();
      expectTypeOf(action.payload.pages).toEqualTypeOf<number>();
    }
    expectTypeOf((await getList.fetch()).next).toEqualTypeOf<string>();
    getList.extend({
      invalidates: (answer) => {
        expectTypeOf(answer?.next).toEqualTypeOf<string | undefined>();
        return [];
      },
    });
  });

  it('is one in what is written by hand', () => {
    resources.patch(getList, (page) => {
      expectTypeOf(page.next).toEqualTypeOf<string>();
    });
    resources.setResponse(getList, { results: [], next: 'b' });
    // @ts-expect-error: `next` is a text
    resources.setResponse(getList, { results: [], next: 5 });
  });
});

describe('a total in a response that is set by hand', () => {
  it('is a number', () => {
    const todos = new Collection([Todo]);
    const { getList } = createResource({ path: '/todos/:id', schema: Todo }).extend({
      getList: { schema: { results: todos, total: todos.total } },
    });
    resources.setResponse(getList, { results: [], total: 5 });
    // @ts-expect-error: a total is a number
    resources.setResponse(getList, { results: [], total: '5' });
  });
});

describe('a Lazy with a return type', () => {
  class Person extends Entity {
    id = 0;
    name = '';
    friends: Person[] = [];
    pets: Pet[] = [];
    static override schema = {
      friends: new schema.Lazy((): [typeof Person] => [Person]),
      pets: new schema.Lazy((): [typeof Pet] => [Pet]),
    };
  }
  class Pet extends Entity {
    id = 0;
    born = new Date(0);
    owner?: Person;
    static override schema = { owner: Person, born: (iso: string) => new Date(iso) };
  }
  const PersonResource = createResource({ path: '/persons/:id', schema: Person });

  it('is known to payloads, recipes and bodies', async () => {
    const action = await store.dispatch(PersonResource.get({ id: 1 }));
    if (!action.error) {
      expectTypeOf(action.payload.pets[0]?.born).toEqualTypeOf<string | undefined>();
      expectTypeOf(action.payload.friends[0]?.name).toEqualTypeOf<string | undefined>();
    }
    PersonResource.partialUpdate.extend({
      optimistic: (person, _args, { ref }) => {
        person.pets.push(ref(Pet, 3));
      },
    });
    PersonResource.extend('adopt', {
      path: '/persons/:id/pets/:pet',
      method: 'PUT',
      body: undefined,
      optimistic: (person, [{ pet }], { ref }) => {
        person.pets.push(ref(Pet, pet));
      },
    });
    PersonResource.partialUpdate({ id: 1 }, { pets: [1, { id: 2, born: '2026-01-05' }] });
    // @ts-expect-error: a Pet has no such field
    PersonResource.partialUpdate({ id: 1 }, { pets: [{ brn: '' }] });
  });
});
