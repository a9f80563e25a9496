import { createResource, Entity } from 'rtk-resource';

export class Todo extends Entity {
  id = 0;
  title = '';
  completed = false;
  static override key = 'Todo';
}

/** A request is known by its address, so the server and the browser have to say the same one. */
export const TodoResource = createResource({
  urlPrefix: process.env.NEXT_PUBLIC_ORIGIN ?? 'http://localhost:3000',
  path: '/api/todos/:id',
  schema: Todo,
  optimistic: true,
});
