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
export class Settings extends Entity {
  /** ms */
  latency = 0;
  failWrites = false;
  static key = 'Settings';

  pk() {
    return 'settings';
  }
}

/** So many todos are in a page, unless it is the last. */
const pageSize = 5;

export const UserResource = createResource({ path: '/api/users/:id', schema: User });

export const TodoResource = createResource({
  path: '/api/todos/:id',
  schema: Todo,
  searchParams: {} as { userId: number; after?: number },
  optimistic: true,
}).extend(({ getList }) => ({
  // The next page begins after the last todo of this one; so none is left out when others come and go.
  getList: getList.paginated({
    next: (page, args) => {
      const last = page.length < pageSize ? undefined : page.at(-1);
      return last && { ...args, after: last.id };
    },
  }),
}));

export const SettingsResource = createResource({ path: '/api/settings', schema: Settings, optimistic: true });
