// Recipes that mutate and give nothing back, which TypeScript before 6 takes for functions that give `void`.
import { RestEndpoint } from 'rtk-resource';
import { Todo, User } from './entities.js';
import { resources, TodoResource } from './resources.js';

export const Voting = TodoResource.extend('complete', {
  path: '/todos/:id/complete',
  method: 'POST',
  body: undefined,
  schema: Todo,
  optimistic: (todo) => {
    todo.completed = true;
  },
}).extend({
  partialUpdate: {
    optimistic: (todo, [, body], api) => {
      Object.assign(todo, body);
      todo.author = api.ref(User, 3);
    },
  },
});
export const rename = new RestEndpoint({
  path: '/todos/:id',
  method: 'PATCH',
  body: {} as { title: string },
  schema: Todo,
  optimistic: (todo, [, { title }]) => {
    todo.title = title;
  },
});
export const complete = resources.set(Todo, { id: 5 }, (row) => {
  row.completed = true;
});
export const turned = resources.patch(TodoResource.getList, { userId: 1 }, (todos) => {
  todos.reverse();
});
export const renamed = resources.patch(Todo, { id: 5 }, (todo) => {
  todo.title = 'new';
});
