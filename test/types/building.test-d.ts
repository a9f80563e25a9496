import { createListenerMiddleware } from '@reduxjs/toolkit';
import {
  Collection,
  configureResources,
  createResource,
  Entity,
  RestEndpoint,
  schema,
  type ArgsOf,
  type CallArgs,
  type EntityClass,
  type HookApi,
  type PathValue,
  type Request,
  type Resource,
  type ShapeOptions,
  type ValueOf,
  type WriteRequest,
} from 'rtk-resource';
import { skipToken, useLazyResource, useMutation, useResource } from 'rtk-resource/react';
import { describe, expectTypeOf, it } from 'vitest';

class Todo extends Entity {
  id = 0;
  title = '';
  createdAt = new Date(0);
  static override schema = { createdAt: (iso: string) => new Date(iso) };
}
class User extends Entity {
  id = 0;
  name = '';
  type = 'user' as const;
}

const errorData: { readonly errors?: readonly string[] } = {};
const TodoResource = createResource({ path: '/todos/:id', schema: Todo, searchParams: undefined, errorData });
const resources = configureResources();

describe('a base class of one’s own', () => {
  class Api<O extends ShapeOptions = ShapeOptions> extends RestEndpoint<O> {
    override urlPrefix = 'https://example.com';
    override getHeaders(headers: Record<string, string>, api?: HookApi): HeadersInit {
      return { ...headers, 'X-Request': api?.requestId ?? '' };
    }
    override fetch(...args: CallArgs<O>): Promise<unknown> {
      return super.fetch(...args).catch(() => super.fetch(...args));
    }
    team(): string {
      return 'core';
    }
  }

  it('keeps the types of what it makes', () => {
    const one = new Api({ path: '/todos/:id', schema: Todo, searchParams: undefined });
    expectTypeOf(one({ id: 5 })).toExtend<Request<Todo>>();
    expectTypeOf(one.team()).toBeString();

    // @ts-expect-error: the path names :id
    one({});
  });

  it('adds its members to those of a resource', () => {
    const { get, getList } = createResource({ path: '/todos/:id', schema: Todo, Endpoint: Api });
    expectTypeOf(get({ id: 5 })).toExtend<Request<Todo>>();
    expectTypeOf(getList.team()).toBeString();
  });
});

describe('types by hand', () => {
  it('take what createResource makes', () => {
    const Written: Resource<'/todos/:id', typeof Todo> = createResource({ path: '/todos/:id', schema: Todo });
    expectTypeOf(Written.get({ id: 5 })).toExtend<Request<Todo>>();
    expectTypeOf(Written.extend('current', { path: '/current' }).current).not.toBeAny();

    // @ts-expect-error: another path
    const Wrong: Resource<'/users/:id', typeof Todo> = Written;
    return Wrong;
  });

  it('tell the arguments and the value of an endpoint', () => {
    expectTypeOf<ArgsOf<typeof TodoResource.get>>().toEqualTypeOf<[params: { id: PathValue }]>();
    expectTypeOf<ValueOf<typeof TodoResource.get>>().toEqualTypeOf<Todo>();
    expectTypeOf<ValueOf<typeof TodoResource.getList>>().toEqualTypeOf<Todo[]>();
    expectTypeOf<ValueOf<typeof TodoResource.getList.push>>().toEqualTypeOf<Todo>();
    expectTypeOf<ValueOf<typeof TodoResource.delete>>().toEqualTypeOf<undefined>();
  });
});

describe('a value', () => {
  it('is what process makes, where there is no schema', () => {
    const length = new RestEndpoint({ path: '/a/:id', process: (text: string) => text.length });
    const pair = new RestEndpoint({ path: '/a/:id', process: (value, { id }) => [String(value), id] as const });
    const later = new RestEndpoint({
      path: '/a',
      process: async (value: { n: number }) => (await Promise.resolve(value)).n,
    });
    const over = TodoResource.get.extend({
      path: '/raw/:id',
      schema: undefined,
      process: (text: string) => text.length,
    });
    expectTypeOf(length).returns.toExtend<Request<number>>();
    expectTypeOf(pair).returns.toExtend<Request<readonly [string, PathValue]>>();
    expectTypeOf(later).returns.toExtend<Request<number>>();
    expectTypeOf(over).returns.toExtend<Request<number>>();
  });

  it('is what process makes in what is made of an endpoint or a resource by other options', () => {
    interface Stats {
      readonly open: number;
    }
    class Api<O extends ShapeOptions = ShapeOptions> extends RestEndpoint<O> {
      team = '';
    }
    const length = new RestEndpoint({ path: '/a/:id', process: (text: string) => text.length });
    const stats = length.extend({ process: (value) => value as Stats });
    const ofTodo = TodoResource.get.extend({
      path: '/todos/:id/stats',
      schema: undefined,
      process: (value, { id }) => ({ ...(value as Stats), id: String(id) }),
    });
    const named = TodoResource.extend('stats', {
      path: '/todos/:id/stats',
      schema: undefined,
      process: (value, { id }): Stats => ({ ...(value as Stats), open: Number(id) }),
    }).stats;
    const posted = TodoResource.extend('sum', {
      path: '/sum',
      method: 'POST',
      body: {} as { by: number },
      schema: undefined,
      process: async (_value, _params, { by }) => Promise.resolve(by),
    }).sum;
    const own = createResource({ path: '/todos/:id', schema: Todo, Endpoint: Api });
    const ownNamed = own.extend('stats', { schema: undefined, team: 'a', process: (value) => value as Stats }).stats;
    const ownGet = own.get.extend({ schema: undefined, team: 'a', process: (value, { id }) => [value, id] as const });
    const described = TodoResource.get.extend({ process: (value) => value as { id: number } });

    expectTypeOf(stats).returns.toExtend<Request<Stats>>();
    expectTypeOf(ofTodo).returns.toExtend<Request<{ open: number; id: string }>>();
    expectTypeOf(named).returns.toExtend<Request<Stats>>();
    expectTypeOf(posted).returns.toExtend<Request<number>>();
    expectTypeOf(ownNamed).returns.toExtend<Request<Stats>>();
    expectTypeOf(ownGet).returns.toExtend<Request<readonly [unknown, PathValue]>>();
    expectTypeOf(described).returns.toExtend<Request<Todo>>();
  });

  it('is what the schema describes, whatever process makes for it', () => {
    const list = new RestEndpoint({ path: '/a', schema: [Todo], process: (value: { rows: unknown[] }) => value.rows });
    expectTypeOf(list).returns.toExtend<Request<Todo[]>>();
  });

  it('is what content says', () => {
    const text = new RestEndpoint({ path: '/readme', content: 'text' });
    const blob = new RestEndpoint({ path: '/file', content: 'blob' });
    expectTypeOf(text).returns.toExtend<Request<string>>();
    expectTypeOf(blob).returns.toExtend<Request<Blob>>();
    expectTypeOf(blob.extend({ content: 'arrayBuffer' })()).toExtend<Request<ArrayBuffer>>();
  });

  it('is what content says, also where the schema of an item is inherited', () => {
    const path = '/todos/:id/pdf';
    const Files = TodoResource.extend('csv', { path: '/todos.csv', content: 'text' })
      .extend('rows', {
        path: '/todos.csv',
        content: 'text',
        schema: [Todo],
        process: (text: string) => text.split(''),
      })
      .extend('pdf', { path, content: 'text', process: (text: string) => ({ title: text }) })
      .extend({ get: { content: 'blob' }, getList: { content: 'text' } });
    expectTypeOf(Files.csv).returns.toExtend<Request<string>>();
    expectTypeOf<ValueOf<typeof Files.get>>().toEqualTypeOf<Blob>();
    expectTypeOf<ValueOf<typeof Files.getList>>().toEqualTypeOf<string>();
    expectTypeOf(TodoResource.get.extend({ path, content: 'blob' })).returns.toExtend<Request<Blob>>();
    expectTypeOf(TodoResource.get.extend({ content: 'json' })).returns.toExtend<Request<Todo>>();
    const text = TodoResource.get.extend({ content: 'text' });
    expectTypeOf(text.extend({ content: 'json' })).returns.toExtend<Request<Todo>>();
    expectTypeOf(text.extend({ process: (title: string) => ({ id: 1, title }) })).returns.toExtend<Request<Todo>>();
    expectTypeOf(TodoResource.extend({ getList: { content: 'text' } }).getList.push).toBeFunction();
    // What process makes of it, the schema describes.
    expectTypeOf<ValueOf<typeof Files.rows>>().toEqualTypeOf<Todo[]>();
    expectTypeOf<ValueOf<typeof Files.pdf>>().toEqualTypeOf<Todo>();
  });

  it('is many of a create of many', () => {
    const { push, unshift } = TodoResource.getList;
    expectTypeOf(push([{ title: 'a' }, { title: 'b' }])).toExtend<WriteRequest<Todo[]>>();
    expectTypeOf(unshift({}, [{ title: 'a' }])).toExtend<WriteRequest<Todo[]>>();
    expectTypeOf(push({ title: 'a' })).toExtend<WriteRequest<Todo>>();
    expectTypeOf(push(new FormData())).toExtend<WriteRequest<Todo>>();

    // @ts-expect-error: a todo has no `titel`
    push({ titel: 'a' });
    // @ts-expect-error: nor have several
    push([{ titel: 'a' }]);
  });
});

describe('the body of an error response', () => {
  type Data = typeof errorData | undefined;

  it('is typed in the state, in actions and in hooks', () => {
    const action: unknown = undefined;
    const { get, getList, update } = TodoResource;
    const state = get.selectRequest({ id: 1 })({ resources: {} as never });
    if (state.isError) expectTypeOf(state.error.data).toEqualTypeOf<Data>();
    const result = useResource(getList);
    if (result.isError) expectTypeOf(result.error.data).toEqualTypeOf<Data>();
    const asked = useResource(get({ id: 1 }), { select: ({ title }) => title });
    if (asked.isError) expectTypeOf(asked.error.data).toEqualTypeOf<Data>();
    const skipped = useResource(Math.random() > 0.5 ? get({ id: 1 }) : skipToken);
    if (skipped.isError) expectTypeOf(skipped.error.data).toEqualTypeOf<Data>();
    const [, lazy] = useLazyResource(get);
    if (lazy.isError) expectTypeOf(lazy.error.data).toEqualTypeOf<Data>();
    const [, mutation] = useMutation(getList.push);
    if (mutation.isError) expectTypeOf(mutation.error.data).toEqualTypeOf<Data>();
    if (update.rejected.match(action)) expectTypeOf(action.error.data).toEqualTypeOf<Data>();
    const other = get.extend({ path: '/other/:id' });
    if (other.rejected.match(action)) expectTypeOf(action.error.data).toEqualTypeOf<Data>();
    const single = new RestEndpoint({ path: '/a', errorData });
    if (single.rejected.match(action)) expectTypeOf(action.error.data).toEqualTypeOf<Data>();
  });
});

describe('an action', () => {
  it('has the arguments of its request, made plain', () => {
    createListenerMiddleware().startListening({
      actionCreator: TodoResource.partialUpdate.rejected,
      effect: ({ meta: { arg } }) => {
        const [params, body] = arg.args;
        expectTypeOf(params).toEqualTypeOf<{ readonly id: PathValue }>();
        if ('createdAt' in body) expectTypeOf(body.createdAt).not.toBeAny();
      },
    });
    const action: unknown = undefined;
    const Dated = new RestEndpoint({ path: '/days', method: 'POST', searchParams: undefined, body: new Date(0) });
    if (Dated.fulfilled.match(action)) expectTypeOf(action.meta.arg.args[0]).toExtend<string | object>();
  });
});

describe('a Collection of several classes, told apart by an attribute', () => {
  class Post extends Entity {
    id = 0;
    type = 'post' as const;
    text = '';
  }
  const feed = new Collection(new schema.Array({ user: User, post: Post }, 'type'), {
    belongs: (item, args) => item.type === args['type'],
  });
  const list = new RestEndpoint({ path: '/feed', searchParams: undefined, schema: feed });

  it('has bodies of each', () => {
    list.push({ type: 'post', text: 'new' });
    list.push({ type: 'user', name: 'Ada' });

    // @ts-expect-error: a post has no `txt`
    list.push({ type: 'post', txt: 'new' });
    // @ts-expect-error: there is no such class
    list.push({ type: 'page' });
    // @ts-expect-error: an item, and no name
    list.push(5);
  });
});

describe('a response by hand', () => {
  it('has fields of what the schema describes', () => {
    resources.setResponse(TodoResource.getList, {}, [{ id: 1, createdAt: '2026-01-05' }]);
    resources.setResponse(TodoResource.get, { id: 1 }, { title: 'new' });

    // What a message brings is read-only, and may be empty where a field may.
    class Task extends Entity {
      id = 0;
      owner: Todo | null = null;
      todos: Todo[] = [];
      static override schema = { owner: Todo, todos: [Todo] };
    }
    const Tasks = createResource({ path: '/tasks/:id', schema: Task });
    const task = { id: 1, owner: null, todos: [{ id: 1, title: 'new' }] } as const;
    resources.setResponse(Tasks.get, { id: 1 }, task);
    resources.setResponse(Tasks.getList, {}, [task]);
    resources.setResponse(Tasks.getList.push, {}, { id: 1 }, task);
    resources.setResponse(Tasks.getList.unshift, { id: 1 }, task);
    const action: unknown = undefined;
    if (Tasks.get.fulfilled.match(action)) expectTypeOf<null>().toExtend<typeof action.payload.owner>();

    const people = new RestEndpoint({ path: '/people', schema: new schema.Values(User) });
    resources.setResponse(people, {}, { ada: { id: 1, name: 'Ada' } });
    // @ts-expect-error: a person has no `nam`
    resources.setResponse(people, {}, { ada: { id: 1, nam: 'Ada' } });
    // @ts-expect-error: each is a person
    resources.setResponse(people, {}, { ada: undefined });
    // @ts-expect-error: a todo has no `titel`
    resources.setResponse(Tasks.getList.push, {}, { id: 1 }, { ...task, owner: { titel: 'new' } });
    // @ts-expect-error: a todo has no `titel`
    resources.setResponse(TodoResource.get, { id: 1 }, { titel: 'new' });
    // @ts-expect-error: a list of todos
    resources.setResponse(TodoResource.getList, {}, { id: 1 });
  });

  it('stands alone where an endpoint can be called without arguments', () => {
    const me = new RestEndpoint({ path: '/me', schema: Todo });
    const toggle = new RestEndpoint({ path: '/toggle', body: {} as { on: boolean } | undefined, schema: Todo });
    resources.setResponse(me, { id: 1, title: 'new' });
    resources.setResponse(TodoResource.getList, [{ id: 1, createdAt: '2026-01-05' }]);
    resources.setResponse(toggle, { id: 1 });

    // @ts-expect-error: a todo has no `titel`
    resources.setResponse(me, { titel: 'new' });
    // @ts-expect-error: a list of todos
    resources.setResponse(TodoResource.getList, { id: 1 });
    // @ts-expect-error: the path names :id
    resources.setResponse(TodoResource.get, { id: 1, title: 'new' });
    // @ts-expect-error: a response there is
    resources.setResponse(TodoResource.getList);
    // @ts-expect-error: what is created is an argument
    resources.setResponse(TodoResource.getList.push, { id: 1 });
  });
});

describe('a function that chooses the schema of a value', () => {
  it('declares what it reads of the value, and leaves the rest to the schema', () => {
    const mapping = { users: User, todos: Todo };
    const list = new schema.Array(mapping, ({ type }: { readonly type: string }, _parent, key) => `${type}${key}`);
    const set = new schema.Values(mapping, ({ type }: { readonly type: string }, _parent, key) => `${type}${key}`);

    expectTypeOf(resources.select(list)({ resources: {} as never })).toEqualTypeOf<(User | Todo)[] | undefined>();
    expectTypeOf(resources.select(set)({ resources: {} as never })).toEqualTypeOf<
      Record<string, User | Todo> | undefined
    >();
  });
});

describe('an option that is not set', () => {
  it('may be undefined', () => {
    const env: { readonly ms?: number; readonly isSo?: boolean; readonly send?: typeof fetch } = {};
    const { ms, isSo, send } = env;
    const times = { dataExpiryLength: ms, errorExpiryLength: ms, unusedDataExpiryLength: ms, invalidIfStale: isSo };
    const open = createResource({ path: '/todos/:id', schema: Todo, ...times });
    expectTypeOf(open.get.extend(times)({ id: 5 })).toExtend<Request<Todo>>();
    const own = configureResources({ ...times, fetchFn: send, holdTimeout: ms, setupListeners: undefined });
    expectTypeOf(own.reset({ keepOutbox: isSo })).toBeFunction();
  });
});

describe('what cannot be', () => {
  it('does not compile', () => {
    const byTitle = new schema.Query(new schema.All(Todo), (todos, { title }: { readonly title: string }) =>
      todos.filter((todo) => todo.title === title),
    );
    expectTypeOf(resources.select(byTitle, { title: 'a' })({ resources: {} as never })).toEqualTypeOf<
      Todo[] | undefined
    >();

    // @ts-expect-error: a Query says what it is asked with
    resources.select(byTitle, { titel: 'a' });
    // @ts-expect-error: and that it is
    resources.select(byTitle);
    // @ts-expect-error: a list has one kind of members, or a Union of several
    new RestEndpoint({ path: '/a', schema: [Todo, User] });
    // @ts-expect-error: the same
    new Collection([Todo, User]);
    // @ts-expect-error: the same
    new schema.Array([Todo, User]);
    // @ts-expect-error: no member has this attribute
    new schema.Union({ user: User, todo: Todo }, 'tipe');
    // @ts-expect-error: text is no data, unless `process` makes data of it
    new RestEndpoint({ path: '/a', schema: Todo, content: 'text' });
    new RestEndpoint({ path: '/a', schema: Todo, content: 'text', process: (title: string) => ({ id: 1, title }) });
  });
});

describe('a function that knows of an entity no more than that it is one', () => {
  it('makes lists of it, alone and in shapes', () => {
    const listsOf = <E extends EntityClass>(entity: E) => {
      const todos = new Collection([entity]);
      new schema.Array(entity);
      return createResource({ path: '/items/:id', schema: entity })
        .extend({ getList: { schema: { results: todos, total: todos.total } } })
        .extend('search', { path: '/search', schema: [entity] })
        .extend('newest', { path: '/newest', schema: entity })
        .extend((base) => ({ top: base.get.extend({ path: '/top', schema: { results: [entity], next: '' } }) }));
    };
    const pageOf = <E extends EntityClass>(entity: E) =>
      new RestEndpoint({ path: '/page', searchParams: undefined, schema: { results: [entity], total: 0 } });
    const lists = listsOf(Todo);
    expectTypeOf<ValueOf<typeof lists.getList>>().toEqualTypeOf<{ results: Todo[]; total: number }>();
    expectTypeOf<ValueOf<typeof lists.search>>().toEqualTypeOf<Todo[]>();
    expectTypeOf<ValueOf<typeof lists.newest>>().toEqualTypeOf<Todo>();
    expectTypeOf<ValueOf<typeof lists.top>>().toEqualTypeOf<{ results: Todo[]; next: string }>();
    lists.getList.push({ title: 'Read' });
    const _page = pageOf(Todo);
    expectTypeOf<ValueOf<typeof _page>>().toEqualTypeOf<{ results: Todo[]; total: number }>();
  });

  it('does not make a list of two of them', () => {
    const listOf = <A extends EntityClass, B extends EntityClass>(a: A, b: B) => {
      // @ts-expect-error: nobody could say which member is described by which
      new Collection([a, b]);
      // @ts-expect-error: the same in an endpoint
      return new RestEndpoint({ path: '/both', schema: [a, b] });
    };
    listOf(Todo, Todo);
  });
});

describe('a class of lists of one’s own', () => {
  it('may have a type parameter of its own, also for lists of anything', () => {
    class Items<const D extends [EntityClass] = [typeof Todo]> extends Collection<D> {}
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as users write it
    class AnyItems<S extends any[] = any> extends schema.Collection<S> {}
    const { getList } = createResource({ path: '/todos/:id', schema: Todo, Collection: AnyItems });
    createResource({ path: '/todos/:id', schema: Todo, Collection: Items });
    createResource({ path: '/todos/:id', schema: Todo, Collection });
    expectTypeOf(getList).returns.toExtend<Request<Todo[]>>();
  });
});

describe('parameters with the type of an interface', () => {
  interface Filter {
    readonly author?: number;
  }
  const filter: Filter = { author: 5 };

  it('are taken where a list takes any', () => {
    const { getList } = createResource({ path: '/teams/:team/todos/:id', schema: Todo, paginationField: 'page' });
    interface InTeam extends Filter {
      readonly team: number;
      readonly page: number;
    }
    const inTeam: InTeam = { team: 5, page: 2 };
    const all = createResource({ path: '/todos/:id', schema: Todo }).getList;

    all(filter);
    all.url(filter);
    all.push(filter, { title: 'Read' });
    getList(inTeam);
    getList.getPage(inTeam);
    useResource(all, filter);
    // @ts-expect-error: the path names :team
    getList(filter);
  });

  it('are read in hooks and in actions as what nobody knows', () => {
    new RestEndpoint({
      path: '/todos',
      process: (_value, params) => {
        expectTypeOf(params['any']).toEqualTypeOf<unknown>();
        return params;
      },
    });
    const mark = new RestEndpoint({
      path: '/todos/mark',
      method: 'POST',
      body: undefined,
      invalidates: (_answer, [params]) => [[TodoResource.getList, { by: params?.['by'] }]],
    });
    expectTypeOf(mark.pending().meta.arg.args[0]?.['by']).not.toBeAny();
  });
});

describe('a list that may not be changed', () => {
  class Post extends Entity {
    id = 0;
    tags: string[] = [];
    author?: User | null = null;
    fans: User[] = [];
    place: [number, number] = [0, 0];
    static override schema = { author: User, fans: [User] };
  }
  const PostResource = createResource({ path: '/posts/:id', schema: Post });
  const tags: readonly string[] = ['a'];
  const place: readonly [number, number] = [1, 2];

  it('is taken in bodies, `set` and `setResponse`', () => {
    const fans: readonly User[] = [];
    PostResource.partialUpdate({ id: 1 }, { tags, place, fans });
    PostResource.getList.push({ tags, fans: [1, 2] });
    resources.set(Post, { id: 1, tags, place, fans });
    resources.setResponse(PostResource.get, { id: 1 }, { id: 1, tags, place });
    PostResource.update({ id: 1 }, { author: null, tags: ['b'] });
    // @ts-expect-error: a tag is a string
    PostResource.partialUpdate({ id: 1 }, { tags: [5] });
    // @ts-expect-error: a place has two numbers
    PostResource.partialUpdate({ id: 1 }, { place: [5] });
  });
});

describe('a class of entities with fields of a mixin', () => {
  it('has the definitions of both', () => {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- TypeScript asks for it in a mixin
    const Timestamped = <Base extends abstract new (...args: any[]) => Entity>(Class: Base) => {
      abstract class WithTime extends Class {
        changedAt = new Date(0);
        static schema = { changedAt: (iso: string) => new Date(iso) };
      }
      return WithTime;
    };
    class Post extends Timestamped(Entity) {
      id = 0;
      title = '';
    }
    const PostResource = createResource({ path: '/posts/:id', schema: Post });

    PostResource.partialUpdate({ id: 1 }, { title: 'Read', changedAt: '2026-01-05' });
    PostResource.partialUpdate({ id: 1 }, { changedAt: new Date(0) });
    // @ts-expect-error: a date is a text or a Date
    PostResource.partialUpdate({ id: 1 }, { changedAt: {} });
  });
});
