import { configureResources, createResource, Entity, type ValueOf } from 'rtk-resource';
import { describe, expectTypeOf, it } from 'vitest';

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}
const searchParams: { q?: string; cursor?: string } = {};
const errorData: { code?: number } = {};
const UserResource = createResource({ path: '/users/:id', schema: User, searchParams, errorData });
const resources = configureResources();

describe('a recipe', () => {
  it('mutates, and gives nothing or another value', () => {
    UserResource.extend({ partialUpdate: { optimistic: (user) => void (user.name = 'Ada') } });
    UserResource.partialUpdate.extend({
      optimistic: (user) => {
        user.name = 'Ada';
      },
    });
    resources.set(User, { id: 5 }, (row) => {
      row.name = 'Ada';
    });
    resources.set(User, { id: 5 }, () => ({ name: 'Ada' }));
    resources.patch(UserResource.getList, (users) => {
      users.reverse();
    });
    // @ts-expect-error: another value is one of the same type
    resources.patch(UserResource.getList, () => 5);
    // @ts-expect-error: another value is one of the same type
    resources.set(User, { id: 5 }, () => 5);
  });
});

describe('the value of an endpoint that takes parameters and a body', () => {
  it('is that of its schema', () => {
    expectTypeOf<ValueOf<typeof UserResource.update>>().toEqualTypeOf<User>();
    expectTypeOf<ValueOf<typeof UserResource.getList.move>>().toEqualTypeOf<User>();
  });
});
