// Resources of a file that does not import `schema`, whose classes their declarations have to name all the same.
import { Collection, createResource } from 'rtk-resource';
import { Album, Todo, User } from './entities.js';

const todos = new Collection([Todo]);
export const UserResource = createResource({ path: '/users/:id', schema: User }).extend({
  get: { pollFrequency: 5_000 },
});
export const deleteUser = UserResource.delete;
export const CountedResource = createResource({ path: '/todos/:id', schema: Todo }).extend({
  getList: { schema: { results: todos, count: todos.total } },
});
export const byState = new Collection([Todo], {
  belongs: (todo, { completed }) => completed === undefined || String(todo.completed) === completed,
});
export const AlbumResource = createResource({ path: '/albums/:id', schema: Album });
export const all = { ...UserResource, counted: CountedResource.getList };
