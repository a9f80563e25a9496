import { configureStore } from '@reduxjs/toolkit';
import { Collection, configureResources, createResource, RestEndpoint, schema, type HookApi } from 'rtk-resource';
import { anItem, byName, items, Label, lists, openTodos, page, Todo, User } from './entities.js';

export class TeamEndpoint extends RestEndpoint {
  override getHeaders(headers: Record<string, string>, api?: HookApi): Record<string, string> {
    return { ...headers, 'X-Request': api?.requestId ?? '' };
  }
  crew = 'blue';
  /** What no other endpoint has. */
  team(): string {
    return 'core';
  }
}

export const TodoResource = createResource({
  urlPrefix: 'https://example.com',
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { userId?: number; orderBy?: string } | undefined,
  paginationField: 'page',
  optimistic: true,
});
export const { get, getList, partialUpdate } = TodoResource;
export const { push, getPage, getNextPage } = TodoResource.getList;

export const UserResource = createResource({ path: '/users/:id', schema: User, body: {} as { name: string } });
export const LabelResource = createResource({ path: '/labels/:id', schema: Label, name: 'Label' });
export const ItemResource = createResource({ path: '/items/:type/:id', schema: anItem, name: 'Item' });
export const TeamResource = createResource({ path: '/teams/:id', schema: User, Endpoint: TeamEndpoint });

export const Extended = TodoResource.extend('current', { path: '/todos/current', searchParams: undefined })
  .extend({ getList: { schema: { results: new Collection([Todo]), next: '' } }, get: { path: '/v2/todos/:id' } })
  .extend((base) => ({ archive: base.partialUpdate.extend({ path: '/todos/:id/archive', method: 'POST' }) }));
export const Hooked = TodoResource.extend({
  get: { process: (value: unknown) => value, getHeaders: (headers) => headers, pollFrequency: 5_000 },
  getList: { fetchResponse: () => Promise.resolve(new Response()) },
  partialUpdate: { optimistic: true, getOptimisticResponse: () => ({ id: 1 }) },
  delete: { invalidates: () => ['getList'] },
});
export const TeamHooked = TeamResource.extend({ get: { process: (value: unknown) => value } });
export const TeamExtended = TeamResource.extend('me', { path: '/me' });
export const { getList: getTeams, extend: extendTeams } = TeamResource;
export const { push: pushTeam, paginated: paginateTeams } = TeamResource.getList;
export const teamFeed = TeamResource.getList.paginated({ next: () => undefined });
export const TeamNamed = TeamResource.extend('red', { path: '/red', crew: 'red' }).extend({ getList: { crew: 'red' } });
export const pushRed = TeamNamed.getList.push.extend({ crew: 'red' });

export const feed = new RestEndpoint({ path: '/feed', schema: items });
export const named = new RestEndpoint({ path: '/named', schema: byName });
export const paged = new RestEndpoint({ path: '/paged', schema: page });
export const cursor = new RestEndpoint({
  path: '/cursor',
  schema: { results: new Collection([Todo]), next: '' },
  searchParams: {} as { cursor?: string } | undefined,
}).paginated({ next: ({ next }) => (next === '' ? undefined : { cursor: next }) });
export const listed = new RestEndpoint({ path: '/listed', schema: lists });
export const logIn = new RestEndpoint({ path: '/login', method: 'POST', body: {} as { password: string } });
export const everything = new schema.All(anItem);

export const resources = configureResources();
export const store = configureStore({
  reducer: { [resources.reducerPath]: resources.reducer },
  middleware: (getDefault) => getDefault().concat(resources.middleware),
});

export const addTodo = (title: string) => store.dispatch(TodoResource.getList.push({ userId: 1 }, { title }));
export const watchTodos = (userId: number) => TodoResource.getList.subscribe({ userId });
export const selectTodos = TodoResource.getList.select({ userId: 1 });
export const selectTodosState = TodoResource.getList.selectRequest({ userId: 1 });
export const selectOpen = resources.select(openTodos, { userId: 1 });
export const { fulfilled, rejected, settled, pending } = TodoResource.get;
export const write = resources.set(Todo, { id: 5, title: 'new' });
export const stale = resources.expire(TodoResource.get, { id: 5 });
