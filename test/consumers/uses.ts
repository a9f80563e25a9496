// An app of a composite project, which sees of the library nothing but its declarations.
import { store, TodoResource } from './library/resources.js';
import { useTodos } from './library/hooks.js';
import { openTodos } from './library/entities.js';

export const title: Promise<string> = store
  .dispatch(TodoResource.get({ id: 5 }))
  .unwrap()
  .then((todo) => todo.title);
export const titles = (): string[] | undefined => useTodos(1).data?.map((todo) => todo.title);
export const open: typeof openTodos = openTodos;
// @ts-expect-error: the path names :id
TodoResource.get({});
