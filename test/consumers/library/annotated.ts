// What may be written by hand, where a team wants its types on paper.
import { createResource, type ArgsOf, type Endpoint, type Resource, type ValueOf } from 'rtk-resource';
import { Todo, User } from './entities.js';
import { TodoResource } from './resources.js';

export const Written: Resource<'/todos/:id', typeof Todo> = createResource({ path: '/todos/:id', schema: Todo });
export const Searched: Resource<'/users/:id', typeof User, { name?: string }, { name: string }, 'page'> =
  createResource({
    path: '/users/:id',
    schema: User,
    searchParams: {} as { name?: string },
    body: {} as { name: string },
    paginationField: 'page',
  });
export const Extended = Written.extend('current', { path: '/todos/current', searchParams: undefined });

export const todoArgs: ArgsOf<typeof TodoResource.get> = [{ id: 5 }];
export const pushArgs: ArgsOf<typeof TodoResource.getList.push> = [{ userId: 1 }, { title: 'new' }];
export const titleOf = (todo: ValueOf<typeof TodoResource.get>): string => todo.title;
export const titlesOf = (todos: ValueOf<typeof TodoResource.getList>): string[] => todos.map(({ title }) => title);
export const created = (todo: ValueOf<typeof TodoResource.getList.push>): number => todo.id;
export const deleted: ValueOf<typeof TodoResource.delete> = undefined;
export const one: Endpoint<{ path: '/todos/:id'; searchParams: undefined; body: undefined; schema: typeof Todo }> =
  TodoResource.get;
