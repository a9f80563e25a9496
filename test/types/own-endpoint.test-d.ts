import {
  Collection,
  createResource,
  Entity,
  RestEndpoint,
  type HookApi,
  type Request,
  type ShapeOptions,
  type WriteRequest,
} from 'rtk-resource';
import { describe, expectTypeOf, it } from 'vitest';

class Todo extends Entity {
  id = 0;
  title = '';
  userId = 0;
}
class AuthEndpoint extends RestEndpoint {
  realm = 'core';
  readonly isAudited: boolean = false;
  private token = '';

  override getHeaders(headers: Record<string, string>, api?: HookApi): HeadersInit {
    return { ...headers, Authorization: this.token, 'X-Request': api?.requestId ?? '' };
  }

  logOut(reason: string): Promise<boolean> {
    this.token = reason;
    return Promise.resolve(true);
  }
}

class Api<O extends ShapeOptions = ShapeOptions> extends RestEndpoint<O> {
  team = 'blue';

  getOther() {
    return this.extend({ path: '/other', pollFrequency: 5_000 });
  }

  audit(): number {
    return this.path.length;
  }
}

declare const todoSearch: { userId?: number } | undefined;

const TodoResource = createResource({
  path: '/todos/:id',
  schema: Todo,
  searchParams: todoSearch,
  paginationField: 'page',
  Endpoint: AuthEndpoint,
});
const ApiResource = createResource({ path: '/todos/:id', schema: Todo, Endpoint: Api, team: 'red' });

/** What each endpoint of the class has. */
interface Own {
  realm: string;
  readonly isAudited: boolean;
  logOut: (reason: string) => Promise<boolean>;
}

describe('the members of an endpoint class of your own', () => {
  it('are on every member of a resource', () => {
    expectTypeOf(TodoResource.get).toExtend<Own>();
    expectTypeOf(TodoResource.getList).toExtend<Own>();
    expectTypeOf(TodoResource.partialUpdate).toExtend<Own>();
    expectTypeOf(TodoResource.delete).toExtend<Own>();
    expectTypeOf(ApiResource.getList.audit).returns.toBeNumber();
  });

  it('are on what changes a list, and reads its pages', () => {
    const { push, unshift, assign, remove, move, getPage, getNextPage, getPreviousPage } = TodoResource.getList;
    expectTypeOf(push).toExtend<Own>();
    expectTypeOf(unshift).toExtend<Own>();
    expectTypeOf(assign).toExtend<Own>();
    expectTypeOf(remove).toExtend<Own>();
    expectTypeOf(move).toExtend<Own>();
    expectTypeOf(getPage).toExtend<Own>();
    expectTypeOf(getNextPage).toExtend<Own>();
    expectTypeOf(getPreviousPage).toExtend<Own>();
    expectTypeOf(TodoResource.getList.paginated(({ userId }: { userId?: number }) => ({ userId }))).toExtend<Own>();
    const byCursor = TodoResource.getList.paginated({ next: (todos) => ({ after: todos.length }) });
    expectTypeOf(byCursor).toExtend<Own>();
    expectTypeOf(byCursor.getNextPage).toExtend<Own>();
    expectTypeOf(ApiResource.getList.push.audit()).toBeNumber();

    expectTypeOf(push({ userId: 1 }, { title: 'new' })).toExtend<WriteRequest<Todo>>();
    expectTypeOf(push([{ title: 'a' }, { title: 'b' }])).toExtend<WriteRequest<Todo[]>>();
    expectTypeOf(getPage({ page: 2 })).toExtend<Request<Todo[]>>();
    // @ts-expect-error: a todo has no `titel`
    push({ titel: 'a' });
  });

  it('are on what extend makes, again and again', () => {
    const live = TodoResource.get.extend({ pollFrequency: 5_000 });
    expectTypeOf(live).toExtend<Own>();
    expectTypeOf(live({ id: 5 })).toExtend<Request<Todo>>();
    expectTypeOf(live.extend({ path: '/v2/todos/:key' })).toExtend<Own>();
    expectTypeOf(live.extend({ path: '/v2/todos/:key' })({ key: 5 })).toExtend<Request<Todo>>();
    expectTypeOf(TodoResource.getList.push.extend({ path: '/drafts' })).toExtend<Own>();

    const list = live.extend({ path: '/mine', schema: new Collection([Todo]) });
    expectTypeOf(list).toExtend<Own>();
    expectTypeOf(list.push).toExtend<Own>();

    const one = TodoResource.getList.extend({ path: '/first', schema: Todo });
    expectTypeOf(one).toExtend<Own>();
    expectTypeOf(one).not.toHaveProperty('push');
    expectTypeOf(live).not.toHaveProperty('token');
    // @ts-expect-error: the path names :id
    live({});
  });

  it('are on the members that extend adds to a resource, and on what is made of those', () => {
    const Resource = TodoResource.extend('current', { path: '/todos/current', searchParams: undefined })
      .extend({ getList: { schema: { results: new Collection([Todo]), next: '' } } })
      .extend(({ partialUpdate }) => ({ archive: partialUpdate.extend({ path: '/todos/:id/archive' }) }));
    expectTypeOf(Resource.current).toExtend<Own>();
    expectTypeOf(Resource.current.extend({ path: '/now' })).toExtend<Own>();
    expectTypeOf(Resource.getList).toExtend<Own>();
    expectTypeOf(Resource.getList.push).toExtend<Own>();
    expectTypeOf(Resource.archive).toExtend<Own>();
  });

  it('are on what a single endpoint of the class makes', () => {
    const one = new Api({ path: '/todos/:id', schema: Todo, searchParams: undefined });
    expectTypeOf(one.extend({ path: '/v2/todos/:id' }).audit()).toBeNumber();
    expectTypeOf(one.extend({ path: '/v2/todos/:id' })({ id: 5 })).toExtend<Request<Todo>>();
    expectTypeOf(one.getOther().audit()).toBeNumber();
    const any = new AuthEndpoint({ path: '/me' });
    expectTypeOf(any.extend({ path: '/todos/:id', schema: Todo })).toExtend<Own>();
  });

  it('may be called as a member of a list is', () => {
    class Moving extends RestEndpoint {
      move(): 'moved' {
        return 'moved';
      }
    }
    const { get } = createResource({ path: '/todos/:id', schema: Todo, Endpoint: Moving });
    expectTypeOf(get.move()).toEqualTypeOf<'moved'>();
  });

  it('are nowhere else', () => {
    const { get, getList } = createResource({ path: '/todos/:id', schema: Todo });
    const live = get.extend({ pollFrequency: 5_000 });
    expectTypeOf(live).toEqualTypeOf(get);
    expectTypeOf(getList.push).not.toHaveProperty('realm');
    // @ts-expect-error: RestEndpoint has no such member
    live.extend({ realm: 'guests' });
  });
});

describe('the options of an endpoint class of your own', () => {
  it('are options of extend, typed by its public fields', () => {
    TodoResource.get.extend({ realm: 'guests' });
    TodoResource.get.extend({ realm: 'guests', path: '/v2/todos/:id' }).extend({ isAudited: true });
    TodoResource.getList.push.extend({ realm: 'guests' });
    ApiResource.getList.extend({ team: 'green', pollFrequency: (todos) => todos.length > 0 && 1_000 });
    new Api({ path: '/todos/:id', schema: Todo }).extend({ path: '/v2/todos/:id', team: 'green' });
    // @ts-expect-error: a realm is a text
    TodoResource.get.extend({ realm: 5 });
    // @ts-expect-error: the class has no such field
    TodoResource.get.extend({ kingdom: 'guests' });
    // @ts-expect-error: nor is what is private an option
    TodoResource.get.extend({ token: 'guests' });
    // @ts-expect-error: RestEndpoint has no such field
    createResource({ path: '/todos/:id', schema: Todo }).get.extend({ realm: 'guests' });
  });

  it('are options of the members of a resource', () => {
    const Resource = TodoResource.extend({ get: { realm: 'guests' }, getList: { isAudited: true } }).extend('me', {
      path: '/me',
      realm: 'guests',
    });
    expectTypeOf(Resource.get({ id: 5 })).toExtend<Request<Todo>>();
    expectTypeOf(Resource.me).toExtend<Own>();
    // @ts-expect-error: a realm is a text
    TodoResource.extend({ get: { realm: 5 } });
    // @ts-expect-error: a realm is a text
    TodoResource.extend('me', { path: '/me', realm: 5 });
    // @ts-expect-error: the class has no such field
    TodoResource.extend('me', { path: '/me', kingdom: 'guests' });
  });

  it('leave the shape as it is', () => {
    expectTypeOf(TodoResource.get.extend({ realm: 'guests' })({ id: 5 })).toExtend<Request<Todo>>();
    // @ts-expect-error: the path names :id
    TodoResource.get.extend({ realm: 'guests' })({});
  });

  it('are read by the hooks of options', () => {
    TodoResource.get.extend({
      getHeaders(headers) {
        expectTypeOf(this.realm).toBeString();
        return { ...headers, realm: this.realm };
      },
    });
  });
});
