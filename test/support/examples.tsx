/** What the examples in docstrings take for granted. They are compiled, and never run. */
import { configureStore } from '@reduxjs/toolkit';
import type { ReactNode } from 'react';
import { configureResources, createResource, Entity, RestEndpoint } from 'rtk-resource';
import { recordResources } from 'rtk-resource/devtools/production';
import { mockServer } from 'rtk-resource/mock';

export class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  completed = false;
  createdAt = new Date(0);

  static override key = 'Todo';
  static override schema = { createdAt: (iso: string) => new Date(iso) };
}

export class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}

export class MyEndpoint extends RestEndpoint {
  team = '';
}

const searchParams: { userId?: number } = {};

export const TodoResource = createResource({
  path: '/todos/:id',
  schema: Todo,
  searchParams,
  paginationField: 'page',
});

export const resources = configureResources();
export const store = configureStore({
  reducer: { [resources.reducerPath]: resources.reducer },
  middleware: (getDefault) => getDefault().concat(resources.middleware),
});
export const { dispatch } = store;
export const recorder = recordResources(store);
export const server = mockServer([TodoResource], { seed: { Todo: 3 } });
export declare const id: number;
export declare const userId: number;
export declare const href: string;
export declare const todo: Todo;
export declare const todos: readonly Todo[];
export declare const error: unknown;
export declare function ErrorBoundary(props: { onReset: () => void }): ReactNode;
export declare function TodoRow(props: { todo: Todo }): ReactNode;
