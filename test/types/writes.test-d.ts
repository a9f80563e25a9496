import { configureStore, createListenerMiddleware, isAnyOf, type Middleware } from '@reduxjs/toolkit';
import {
  configureResources,
  createResource,
  Entity,
  RestEndpoint,
  schema,
  type RequestState,
  type ResourcesState,
  type Snapshot,
} from 'rtk-resource';
import { useResource } from 'rtk-resource/react';
import { describe, expectTypeOf, it } from 'vitest';

class Todo extends Entity {
  id = 0;
  title = '';
  createdAt = new Date(0);
  static override key = 'Todo';
  static override schema = { createdAt: (iso: string) => new Date(iso) };
}

const searchParams: { userId?: number } = {};
const TodoResource = createResource({ path: '/todos/:id', schema: Todo, searchParams });
const resources = configureResources();

describe('serialize', () => {
  it('is true, or a function of the parameters and the body', () => {
    createResource({ path: '/todos/:id', schema: Todo, serialize: true });
    TodoResource.partialUpdate.extend({ serialize: true });
    TodoResource.partialUpdate.extend({
      serialize: (params, body) => {
        expectTypeOf(params.id).toEqualTypeOf<string | number | boolean>();
        expectTypeOf(body).not.toBeAny();
        return String(params.id);
      },
    });
    new RestEndpoint({
      path: '/lists/:list/todos',
      method: 'POST',
      body: { title: '' },
      serialize: (params, body) => `${String(params.list)} ${body.title}`,
    });
  });

  it('gives a string', () => {
    // @ts-expect-error: a line has a name, not a number
    TodoResource.partialUpdate.extend({ serialize: (params) => Number(params.id) });
    // @ts-expect-error: it is true, false or a function
    TodoResource.partialUpdate.extend({ serialize: 'Todo' });
    // @ts-expect-error: the path has no such parameter
    TodoResource.partialUpdate.extend({ serialize: (params) => String(params.name) });
  });
});

describe('isOptimistic', () => {
  it('is in all that tells how a read stands', () => {
    const state = TodoResource.getList.selectRequest()({ resources: {} as ResourcesState });
    expectTypeOf(state.isOptimistic).toEqualTypeOf<boolean>();
    expectTypeOf<RequestState['isOptimistic']>().toEqualTypeOf<boolean>();
    expectTypeOf(() => useResource(TodoResource.get, { id: 1 }).isOptimistic).returns.toEqualTypeOf<boolean>();
  });
});

describe('isPartial', () => {
  it('is in all that tells how a read stands', () => {
    const state = TodoResource.get.selectRequest({ id: 1 })({ resources: {} as ResourcesState });
    expectTypeOf(state.isPartial).toEqualTypeOf<boolean>();
    expectTypeOf<RequestState['isPartial']>().toEqualTypeOf<boolean>();
    expectTypeOf(() => useResource(TodoResource.get, { id: 1 }).isPartial).returns.toEqualTypeOf<boolean>();
  });
});

describe('a guess of your own', () => {
  it('reads the snapshot by what it is asked for', () => {
    const all = new schema.All(Todo);
    TodoResource.partialUpdate.extend({
      getOptimisticResponse(snapshot, params, body) {
        expectTypeOf(snapshot).toEqualTypeOf<Snapshot>();
        expectTypeOf(params.id).toEqualTypeOf<string | number | boolean>();
        expectTypeOf(body).not.toBeAny();
        expectTypeOf(snapshot.get(Todo, params)).toEqualTypeOf<Todo | undefined>();
        expectTypeOf(snapshot.get(TodoResource.get, params)).toEqualTypeOf<Todo | undefined>();
        expectTypeOf(snapshot.get(TodoResource.getList, {})).toEqualTypeOf<Todo[] | undefined>();
        expectTypeOf(snapshot.get(all)).toEqualTypeOf<Todo[] | undefined>();
        throw snapshot.abort;
      },
    });
  });
});

describe('writing without a request', () => {
  it('takes the arguments of the endpoint, and then the answer', () => {
    resources.setResponse(TodoResource.getList, { userId: 1 }, []);
    resources.setResponse(TodoResource.delete, { id: 1 }, null);
    resources.setResponse(TodoResource.getList.push, {}, { title: 'new' }, { id: 1, title: 'new' });
    // @ts-expect-error: the list is not known by its title
    resources.setResponse(TodoResource.getList, { title: 'new' }, []);
    // @ts-expect-error: the path names :id
    resources.setResponse(TodoResource.delete, {}, null);
  });

  it('merges one item, or many', () => {
    resources.set(Todo, { id: 1, createdAt: '2026-01-01' });
    resources.set(Todo, [
      { id: 1, title: 'one' },
      { id: 2, createdAt: new Date() },
    ]);
    // @ts-expect-error: a title is a string
    resources.set(Todo, [{ id: 1, title: 1 }]);
    // @ts-expect-error: many are merged as they are
    resources.set(Todo, [{ id: 1 }], (row) => row);
  });

  it('makes stale, as any endpoint is read', () => {
    resources.expire(TodoResource.get, { id: 1 });
    // @ts-expect-error: the path names :id
    resources.expire(TodoResource.get, {});
  });
});

describe('a store', () => {
  it('is preloaded with a slice, and hydrated with one', () => {
    const slice = {} as ResourcesState;
    const store = configureStore({
      reducer: { resources: resources.reducer },
      middleware: (getDefault) => getDefault().concat(resources.middleware),
      preloadedState: { resources: slice },
    });
    store.dispatch(resources.hydrate(store.getState().resources));
    expectTypeOf(resources.middleware).toExtend<Middleware>();
    // @ts-expect-error: a slice is more than its tables
    resources.hydrate({ tables: {} });
  });

  it('has listeners that know what they matched', () => {
    const { startListening } = createListenerMiddleware();
    startListening({
      actionCreator: TodoResource.getList.push.fulfilled,
      effect: ({ payload }) => {
        expectTypeOf(payload.createdAt).toEqualTypeOf<string>();
      },
    });
    const isRefused = isAnyOf(TodoResource.update.rejected, TodoResource.delete.rejected);
    startListening({
      matcher: isRefused,
      effect: ({ error, meta }, { dispatch }) => {
        expectTypeOf(error.status).toEqualTypeOf<number | undefined>();
        expectTypeOf(meta.aborted).toEqualTypeOf<boolean>();
        expectTypeOf(dispatch(TodoResource.getList()).unwrap()).resolves.toEqualTypeOf<Todo[]>();
      },
    });
  });
});
