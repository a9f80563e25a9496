import { createResource, Entity } from 'rtk-resource';

class User extends Entity {
  id = 0;
  name = '';
  static key = 'User';
}

export class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  completed = false;
  static key = 'Todo';
}

/** How the example's server behaves; there is one. */
class Settings extends Entity {
  /** ms */
  latency = 0;
  failWrites = false;
  static key = 'Settings';

  pk() {
    return 'settings';
  }
}

export const UserResource = createResource({ path: '/api/users/:id', schema: User });

export const TodoResource = createResource({
  path: '/api/todos/:id',
  schema: Todo,
  searchParams: {} as { userId: number },
  paginationField: 'page',
  optimistic: true,
});

export const SettingsResource = createResource({ path: '/api/settings', schema: Settings, optimistic: true });
