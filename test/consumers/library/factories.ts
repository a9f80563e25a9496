// Functions of a team that make resources and endpoints, declared while their path and their entity are not known yet.
import { Collection, createResource, RestEndpoint, type EntityClass } from 'rtk-resource';
import { Todo } from './entities.js';

export function todosAt<const Path extends string>(path: Path) {
  return createResource({ urlPrefix: '/api', path, schema: Todo, optimistic: true });
}
export const todoAt = <const Path extends string>(path: Path) => new RestEndpoint({ path, schema: Todo });
export const Archived = todosAt('/archive/:id');
export function searchable<E extends EntityClass>(entity: E) {
  return createResource({ path: '/items/:id', schema: entity }).extend('search', { path: '/search', schema: [entity] });
}
export function polled<const Path extends string, E extends EntityClass>(path: Path, entity: E) {
  return createResource({ path, schema: entity, paginationField: 'page' })
    .extend('newest', { path: '/newest', schema: entity })
    .extend({ getList: { pollFrequency: 5_000 } });
}
export const Searchable = searchable(Todo);
export const { push, unshift } = new Collection([Todo]);
export const merged = new Collection([Todo]).addWith();
