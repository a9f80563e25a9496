// Functions of a team that make resources and endpoints, declared while their path and their entity are not known yet.
import { createResource, RestEndpoint } from 'rtk-resource';
import { Todo } from './entities.js';

export function todosAt<const Path extends string>(path: Path) {
  return createResource({ urlPrefix: '/api', path, schema: Todo, optimistic: true });
}
export const todoAt = <const Path extends string>(path: Path) => new RestEndpoint({ path, schema: Todo });
export const Archived = todosAt('/archive/:id');
