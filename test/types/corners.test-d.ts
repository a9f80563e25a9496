import { configureStore } from '@reduxjs/toolkit';
import {
  Collection,
  configureResources,
  createResource,
  Entity,
  EntityMixin,
  RestEndpoint,
  schema,
  type Resource,
  type ValueOf,
} from 'rtk-resource';
import { useInfiniteResource, useLazyResource, useMutation, useResource } from 'rtk-resource/react';
import { describe, expectTypeOf, it } from 'vitest';

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}
class Org extends Entity {
  id = 0;
  title = '';
  static override key = 'Org';
}
class Audio extends Entity {
  id = 0;
  type = 'audio' as const;
  length = 0;
  static override key = 'Audio';
}
class Video extends Entity {
  id = 0;
  type = 'video' as const;
  width = 0;
  static override key = 'Video';
}
class Album extends Entity {
  id = 0;
  title = '';
  items: (Audio | Video)[] = [];
  more: (Audio | Video)[] = [];
  byName: Record<string, Audio | Video> = {};
  obj: { a: User | null; n: number } = { a: null, n: 0 };
  static override key = 'Album';
  static override schema = {
    items: [new schema.Union({ audio: Audio, video: Video }, 'type')],
    more: new schema.Array({ audio: Audio, video: Video }, 'type'),
    byName: new schema.Values({ audio: Audio, video: Video }, 'type'),
    obj: new schema.Object({ a: User }),
  };
}

const searchParams: { q?: string; cursor?: string } = {};
const errorData: { code?: number } = {};
const UserResource = createResource({ path: '/users/:id', schema: User, searchParams, errorData });
const AlbumResource = createResource({ path: '/albums/:id', schema: Album });
const resources = configureResources();
const store = configureStore({
  reducer: { [resources.reducerPath]: resources.reducer },
  middleware: (getDefault) => getDefault().concat(resources.middleware),
});

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

describe('what is nested in an entity by a schema', () => {
  it('is a pk, or some of its fields, in a body', () => {
    AlbumResource.partialUpdate({ id: 1 }, { items: [{ type: 'audio', id: 1 }], more: [{ type: 'audio', id: 1 }] });
    AlbumResource.partialUpdate({ id: 1 }, { byName: { first: { type: 'audio', id: 1 } } });
    AlbumResource.partialUpdate({ id: 1 }, { obj: { a: 5, n: 1 } });
    AlbumResource.getList.push({ obj: { a: { id: 5 }, n: 1 }, items: [{ type: 'audio', id: 1 }] });
    resources.set(Album, { id: 1, items: [{ type: 'video', width: 3 }], obj: { a: { id: 5 }, n: 1 } });
    // @ts-expect-error: a member that the Union does not have
    AlbumResource.partialUpdate({ id: 1 }, { items: [{ type: 'text', id: 1 }] });
    // @ts-expect-error: no field of a User
    AlbumResource.partialUpdate({ id: 1 }, { obj: { a: { idd: 5 }, n: 1 } });
  });
});

describe('a list whose pages follow each other', () => {
  it('keeps its pages when it is extended', () => {
    const feed = UserResource.getList.paginated({ next: (users) => (users.length < 20 ? undefined : { cursor: 'x' }) });
    const live = feed.extend({ pollFrequency: 5_000 });
    live.getNextPage({ q: 'a' });
    const Paged = UserResource.extend((base) => ({
      getList: base.getList.paginated({ next: (users) => (users.length < 20 ? undefined : { cursor: 'x' }) }),
    })).extend({ getList: { pollFrequency: 5_000 } });
    Paged.getList.getPreviousPage();
    expectTypeOf(() => useInfiniteResource(Paged.getList, { q: 'a' }).data).returns.toEqualTypeOf<User[] | undefined>();
    expectTypeOf(UserResource.getList.extend({ pollFrequency: 5_000 })).not.toHaveProperty('getNextPage');
    expectTypeOf(live).not.toHaveProperty('getPage');
  });
});

describe('the function that useMutation gives for a create', () => {
  it('creates one, as its state says', () => {
    const [push, state] = useMutation(UserResource.getList.push);
    expectTypeOf(push({ name: 'Ada' }).unwrap()).resolves.toEqualTypeOf<User>();
    expectTypeOf(push({ q: 'a' }, { name: 'Ada' }).unwrap()).resolves.toEqualTypeOf<User>();
    void push({ q: 'a' }, new FormData());
    expectTypeOf(state.data).toEqualTypeOf<User | undefined>();
    // @ts-expect-error: no field of a User
    void push({ nam: 'Ada' });
    // @ts-expect-error: several would be told as one
    void push([{ name: 'Ada' }]);
    // @ts-expect-error: several would be told as one
    void push({ q: 'a' }, [{ name: 'Ada' }]);
  });

  it('takes a list where that is what is sent', () => {
    const [rename] = useMutation(UserResource.update.extend({ body: {} as readonly string[] }));
    expectTypeOf(rename).parameter(1).toEqualTypeOf<readonly string[]>();
  });
});

describe('the action that load, refetch or a hook’s own request ends with', () => {
  it('has the payload and the error of the endpoint', async () => {
    const [load] = useLazyResource(UserResource.get);
    const loaded = await load({ id: 1 });
    if (loaded.error) expectTypeOf(loaded.error.data).toEqualTypeOf<{ code?: number } | undefined>();
    else expectTypeOf(loaded.payload.name).toEqualTypeOf<string>();

    const refetched = await useResource(UserResource.get, { id: 1 }).refetch();
    if (refetched?.error) expectTypeOf(refetched.error.data).toEqualTypeOf<{ code?: number } | undefined>();
    else expectTypeOf(refetched?.payload.name).toEqualTypeOf<string | undefined>();

    const state = resources.selectRequest(UserResource.get, { id: 1 })(store.getState());
    if (state.isError) expectTypeOf(state.error.data).toEqualTypeOf<{ code?: number } | undefined>();
  });

  it('narrows by its error', async () => {
    const action = await store.dispatch(UserResource.get({ id: 1 }));
    if (!('error' in action)) expectTypeOf(action.payload.name).toEqualTypeOf<string>();
    if (action.error) expectTypeOf(action.error.data).toEqualTypeOf<{ code?: number } | undefined>();
    else expectTypeOf(action.payload.name).toEqualTypeOf<string>();
  });
});

describe('the schema of a mixin', () => {
  class Plain {
    id = 0;
    at = new Date(0);
    author: User | null = null;
  }
  const Mixed = EntityMixin(Plain, { key: 'Mixed', schema: { at: (iso: string) => new Date(iso), author: User } });
  const MixedResource = createResource({ path: '/mixed/:id', schema: Mixed });

  it('types bodies and drafts', () => {
    MixedResource.update({ id: 1 }, { at: '2020', author: 5 });
    MixedResource.partialUpdate.extend({
      optimistic: (draft) => {
        expectTypeOf(draft.at).toEqualTypeOf<string>();
      },
    });
  });
});

describe('a resource as an argument', () => {
  it('tells its path and its schema', () => {
    const schemaOf = <P extends string, S>(_resource: Resource<P, S>): S => ({}) as S;
    expectTypeOf(schemaOf(createResource({ path: '/users/:id', schema: User }))).toEqualTypeOf<typeof User>();
  });
});

describe('a list of several classes', () => {
  it('does not compile, wherever it stands: a Union says which is which', () => {
    // @ts-expect-error: of each item nobody knows which
    UserResource.extend({ getList: { schema: [User, Org] } });
    // @ts-expect-error: of each item nobody knows which
    UserResource.extend('top', { path: '/top', schema: [User, Org] });
    // @ts-expect-error: of each item nobody knows which
    UserResource.get.extend({ schema: [User, Org] });
    // @ts-expect-error: of each item nobody knows which
    new RestEndpoint({ path: '/things', schema: { results: [User, Org] } });
    // @ts-expect-error: of each item nobody knows which
    UserResource.extend({ getList: { schema: { results: new Collection([User]), others: [User, Org] } } });
    new RestEndpoint({ path: '/things', schema: { results: [User], total: 0, next: undefined as string | undefined } });
  });
});

describe('the fields that an entity is selected by', () => {
  it('are its own', () => {
    resources.selectEntity(User, { name: 'Ada' });
    resources.selectEntity(User, 5);
    resources.selectEntity(User, 5 as number & { readonly brand: 'UserId' });
    resources.selectEntity(User, '5' as string & { readonly brand: 'UserId' });
    // @ts-expect-error: no field of a User
    resources.selectEntity(User, { nme: 'Ada' });
  });
});
