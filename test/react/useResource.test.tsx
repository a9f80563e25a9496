import { configureStore } from '@reduxjs/toolkit';
import { fireEvent, render, screen } from '@testing-library/react';
import { StrictMode, Suspense, useState } from 'react';
import { renderToString } from 'react-dom/server';
import { Provider } from 'react-redux';
import { configureResources, createResource, Entity, ResourceError, RestEndpoint } from 'rtk-resource';
import {
  skipToken,
  useLazyResource,
  useMutation,
  usePrefetch,
  useResource,
  useSuspense,
  type ResourceResult,
} from 'rtk-resource/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Boundary, screenText, setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';
import { counted, typesOf } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();
afterEach(() => {
  vi.useRealTimers();
});

const searchParams: { userId?: number } | undefined = {};
const TodoResource = createResource({
  urlPrefix: server.url,
  path: '/todos/:id',
  schema: Todo,
  searchParams,
  optimistic: true,
});

class User extends Entity {
  id = 0;
  name = '';
  static override key = 'User';
}
const UserResource = createResource({ urlPrefix: server.url, path: '/users/:id', schema: User });

const todo = (id: number, title = `todo ${id}`): object => ({ id, userId: 1, title });

/** What a component was given, render by render. */
type Seen<Value> = ResourceResult<Value>[];

const titleOf = ({ data, isLoading, error }: ResourceResult<Todo>): string =>
  error?.message ?? (isLoading ? 'Loading' : (data?.title ?? 'Nothing'));

/** Shows one todo, in every render with arguments that are made anew. */
function One({ id, seen }: { readonly id: number | undefined; readonly seen?: Seen<Todo> }) {
  const result = useResource(TodoResource.get, id === undefined ? skipToken : { id });
  seen?.push(result);

  return <p>{titleOf(result)}</p>;
}

/** Shows all todos of a user. */
function List({ userId, seen }: { readonly userId: number; readonly seen?: Seen<Todo[]> }) {
  const result = useResource(TodoResource.getList, { userId });
  seen?.push(result);

  return <p>{result.isLoading ? 'Loading' : result.data?.map(({ title }) => title).join(', ')}</p>;
}

describe('a read', () => {
  it('is loading from the first render on, then shows its data', async () => {
    const { show, answer, actions } = setupScreen(server);
    const seen: Seen<Todo> = [];

    await show(<One id={1} seen={seen} />);

    expect(seen[0]).toMatchObject({ status: 'pending', isLoading: true, isFetching: true, isUninitialized: false });
    expect(screenText()).toBe('Loading');

    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1');
    expect(seen.at(-1)).toMatchObject({ status: 'fulfilled', isSuccess: true, isLoading: false, isFetching: false });
    expect(seen.at(-1)?.data).toBeInstanceOf(Todo);
    expect(typesOf(actions)).toEqual(['Todo/get/pending', 'Todo/get/fulfilled']);
  });

  it('that fails shows the error, with what the server said, and no data', async () => {
    const { show, answer } = setupScreen(server);
    const seen: Seen<Todo> = [];
    await show(<One id={1} seen={seen} />);

    await answer('GET /todos/1', { status: 404, json: { message: 'No such todo' } });

    expect(seen.at(-1)).toMatchObject({ isError: true, isLoading: false, data: undefined });
    expect(seen.at(-1)?.error).toMatchObject({ name: 'NetworkError', status: 404, data: { message: 'No such todo' } });
    expect(screenText()).toContain('404');
  });

  it('is fetched again by refetch, and shows the old data meanwhile', async () => {
    const { show, answer, doing } = setupScreen(server);
    const seen: Seen<Todo> = [];
    await show(<One id={1} seen={seen} />);
    await answer('GET /todos/1', { json: todo(1, 'old') });

    const promise = await doing(() => ({ refetched: seen.at(-1)?.refetch() }));

    expect(seen.at(-1)).toMatchObject({ isFetching: true, isLoading: false, data: { title: 'old' } });

    await answer('GET /todos/1', { json: todo(1, 'new') });

    expect(screenText()).toBe('new');
    expect(await promise.refetched?.unwrap()).toBe(seen.at(-1)?.data);
  });

  it('that fails to be fetched again keeps its data beside the error', async () => {
    const { show, answer, doing } = setupScreen(server);
    const seen: Seen<Todo> = [];
    await show(<One id={1} seen={seen} />);
    await answer('GET /todos/1', { json: todo(1) });

    await doing(() => void seen.at(-1)?.refetch());
    await answer('GET /todos/1', { status: 500 });

    expect(seen.at(-1)).toMatchObject({ isError: true, data: { title: 'todo 1' }, error: { status: 500 } });
  });

  it.each(['before', 'after'])('with a temporary id, mounted %s the answer to the create, follows', async (time) => {
    const { store, resources, show, answer, doing, read } = setupScreen(server);
    const seen: Seen<Todo> = [];
    store.dispatch(resources.setResponse(TodoResource.getList, { userId: 1 }, []));
    void store.dispatch(TodoResource.getList.push({ userId: 1 }, { title: 'new' }));
    const id = read(TodoResource.getList.select({ userId: 1 }))?.[0]?.id;
    const created = (): Promise<void> => answer('POST /todos', { status: 201, json: todo(7, 'new') });

    if (time === 'after') await created();
    await show(<One id={id} seen={seen} />);
    if (time === 'before') await created();
    expect(seen.at(-1)).toMatchObject({ isFetching: false, isOptimistic: false, data: { id: 7 } });
    await doing(() => store.dispatch(resources.expire(TodoResource.get, { id: 7 })));
    expect(seen.at(-1)).toMatchObject({ isFetching: true, data: { id: 7 } });
    await answer('GET /todos/7', { json: todo(7, 'newer') });

    expect(screenText()).toBe('newer');
    expect(seen.at(-1)).toMatchObject({ status: 'fulfilled', isFetching: false, isStale: false });
    expect(server.received.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /todos', 'GET /todos/7']);
  });

  it('that is cancelled leaves the older data and the older error', async () => {
    const { store, show, answer, doing } = setupScreen(server);
    const seen: Seen<Todo> = [];
    await show(<One id={1} seen={seen} />);
    await answer('GET /todos/1', { json: todo(1) });
    await doing(() => void store.dispatch(TodoResource.get({ id: 1 })));
    await answer('GET /todos/1', { status: 500 });

    const promise = await doing(() => ({ of: seen.at(-1)?.refetch() }));
    await server.holding('GET /todos/1');
    await doing(async () => {
      promise.of?.abort();
      await promise.of;
    });

    expect(seen.at(-1)).toMatchObject({
      status: 'rejected',
      isError: true,
      isFetching: false,
      data: { title: 'todo 1' },
      error: { status: 500 },
    });
  });

  it('can be tried again by refetch', async () => {
    const { show, answer, doing } = setupScreen(server);
    const seen: Seen<Todo> = [];
    await show(<One id={1} seen={seen} />);
    await answer('GET /todos/1', { status: 503 });

    await doing(() => void seen.at(-1)?.refetch());
    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1');
    expect(seen.at(-1)?.error).toBeUndefined();
  });

  it('shows at once what an answer to another read has brought, and fetches it no more while that is fresh', async () => {
    const { store, resources, show, answer, doing } = setupScreen(server);
    server.answer('GET /todos?userId=1', { json: [todo(1, 'from the list')] });
    await store.dispatch(TodoResource.getList({ userId: 1 }));
    const seen: Seen<Todo> = [];

    await show(<One id={1} seen={seen} />);

    expect(screenText()).toBe('from the list');
    expect(seen.every(({ isLoading, isFetching }) => !isLoading && !isFetching)).toBe(true);

    await doing(() => void store.dispatch(resources.invalidate(TodoResource.get, { id: 1 })));
    await answer('GET /todos/1', { json: todo(1, 'from the item') });

    expect(screenText()).toBe('from the item');
  });

  it('of what another answer has brought long ago says so in its first render, and fetches it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { store, show, answer } = setupScreen(server);
    server.answer('GET /todos', { json: [todo(1)] });
    await store.dispatch(TodoResource.getList());
    vi.setSystemTime(Date.now() + 70_000);
    const seen: string[] = [];
    const One = () => {
      const { data, isFetching, isStale } = useResource(TodoResource.get, { id: 1 });
      seen.push([data?.title, isFetching && 'fetching', isStale && 'stale'].filter(Boolean).join(' '));

      return null;
    };

    await show(<One />);
    await answer('GET /todos/1', { json: todo(1, 'new') });

    expect(seen).toEqual(['todo 1 fetching stale', 'new']);
  });

  it.each([
    ['over', 0],
    ['recent', 600_000],
  ])('of what has failed says in its first render if it is tried again: the failure is %s', async (_, length) => {
    const { store, show, answer } = setupScreen(server, { errorExpiryLength: length });
    void store.dispatch(TodoResource.get({ id: 1 }));
    await answer('GET /todos/1', { status: 500 });
    const seen: boolean[] = [];
    const One = () => {
      const { data, isError, isFetching } = useResource(TodoResource.get, { id: 1 });
      if (!data) seen.push(isError && isFetching);

      return <p>{data?.title}</p>;
    };

    await show(<One />);
    if (length === 0) await answer('GET /todos/1', { json: todo(1) });

    expect(seen).toEqual([length === 0]);
  });

  it('of what has failed, and a list has brought since, is tried again once, also where that fails', async () => {
    const { store, show, answer, doing } = setupScreen(server, { errorExpiryLength: 0 });
    void store.dispatch(TodoResource.get({ id: 1 }));
    await answer('GET /todos/1', { status: 500 });
    server.answer('GET /todos', { json: [todo(1)] });
    await store.dispatch(TodoResource.getList());
    server.answer('GET /todos/1', { status: 500 });
    const before = server.received.length;
    const seen: Seen<Todo> = [];

    await show(<One id={1} seen={seen} />);
    await expect.poll(() => seen.at(-1)?.isFetching).toBe(false);
    await doing(() => store.dispatch(counted()));

    expect(server.received.length - before).toBe(1);
    expect(seen.at(-1)).toMatchObject({ isError: true, data: { title: 'todo 1' } });
  });

  it('of fresh data shows it in the first render, and fetches nothing', async () => {
    const { store, show, actions } = setupScreen(server);
    server.answer('GET /todos/1', { json: todo(1) });
    await store.dispatch(TodoResource.get({ id: 1 }));
    actions.length = 0;
    const seen: Seen<Todo> = [];

    await show(<One id={1} seen={seen} />);

    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ isSuccess: true, isFetching: false, data: { title: 'todo 1' } });
    expect(actions).toEqual([]);
  });

  it('of stale data shows it, and fetches it', async () => {
    const { resources, store, show, answer } = setupScreen(server);
    const seen: Seen<Todo> = [];
    store.dispatch(resources.setResponse(TodoResource.get, { id: 1 }, todo(1, 'old')));
    store.dispatch(resources.expireAll(TodoResource.get));

    await show(<One id={1} seen={seen} />);

    expect(seen[0]).toMatchObject({ isStale: true, isLoading: false, data: { title: 'old' } });

    await answer('GET /todos/1', { json: todo(1, 'new') });

    expect(screenText()).toBe('new');
  });

  it('is fetched again when its data is invalidated while it is shown', async () => {
    const { resources, store, show, answer, doing } = setupScreen(server);
    await show(<One id={1} />);
    await answer('GET /todos/1', { json: todo(1, 'old') });

    await doing(() => store.dispatch(resources.invalidate(TodoResource.get, { id: 1 })));

    expect(screenText()).not.toContain('old');

    await answer('GET /todos/1', { json: todo(1, 'new') });

    expect(screenText()).toBe('new');
  });

  it('begins anew after a reset', async () => {
    const { resources, store, show, answer, doing } = setupScreen(server);
    await show(<One id={1} />);
    await answer('GET /todos/1', { json: todo(1, 'of Ada') });

    await doing(() => {
      store.dispatch(resources.reset());
    });

    expect(screenText()).toBe('Loading');

    await answer('GET /todos/1', { json: todo(1, 'of Bob') });

    expect(screenText()).toBe('of Bob');
  });
});

describe('arguments', () => {
  it('that are skipped read nothing, until they are there', async () => {
    const { show, answer, actions } = setupScreen(server);
    const seen: Seen<Todo> = [];
    const { rerender } = await show(<One id={undefined} seen={seen} />);

    expect(seen.at(-1)).toMatchObject({ status: 'uninitialized', isUninitialized: true, isLoading: false });
    expect(seen.at(-1)?.refetch()).toBeUndefined();
    expect(actions).toEqual([]);

    rerender(<One id={1} seen={seen} />);
    expect(screenText()).toBe('Loading');
    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1');

    rerender(<One id={undefined} seen={seen} />);

    expect(screenText()).toBe('Nothing');
  });

  it('that change show no data of those before, not for a single render', async () => {
    const { show, answer } = setupScreen(server);
    const seen: Seen<Todo> = [];
    const { rerender } = await show(<One id={1} seen={seen} />);
    await answer('GET /todos/1', { json: todo(1) });

    const before = seen.length;
    rerender(<One id={2} seen={seen} />);

    expect(seen.slice(before).filter(({ data, isLoading }) => data || !isLoading)).toEqual([]);
    expect(screenText()).toBe('Loading');

    await answer('GET /todos/2', { json: todo(2) });

    expect(screenText()).toBe('todo 2');
  });

  it('that change back show the data that is there, and fetch nothing', async () => {
    const { show, answer, actions } = setupScreen(server);
    const { rerender } = await show(<One id={1} />);
    await answer('GET /todos/1', { json: todo(1) });
    rerender(<One id={2} />);
    await answer('GET /todos/2', { json: todo(2) });
    actions.length = 0;

    rerender(<One id={1} />);

    expect(screenText()).toBe('todo 1');
    expect(actions).toEqual([]);
  });

  it('that change while an answer is awaited show the answer to the last', async () => {
    const { show, answer } = setupScreen(server);
    const { rerender } = await show(<One id={1} />);

    rerender(<One id={2} />);
    await answer('GET /todos/2', { json: todo(2) });
    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 2');
  });

  it('that are the same, but made anew in every render, cause no second fetch', async () => {
    const { show, answer, actions } = setupScreen(server);
    const seen: Seen<Todo> = [];
    const { rerender } = await show(<One id={1} seen={seen} />);
    rerender(<One id={1} seen={seen} />);
    await answer('GET /todos/1', { json: todo(1) });

    for (let i = 0; i < 5; i++) rerender(<One id={1} seen={seen} />);

    expect(typesOf(actions)).toEqual(['Todo/get/pending', 'Todo/get/fulfilled']);
    expect(seen.at(-1)).toBe(seen.at(-2));
  });

  it('give one refetch, the same in every render', async () => {
    const { show, answer } = setupScreen(server);
    const seen: Seen<Todo> = [];
    const { rerender } = await show(<One id={1} seen={seen} />);
    await answer('GET /todos/1', { json: todo(1) });
    rerender(<One id={1} seen={seen} />);

    expect(new Set(seen.map(({ refetch }) => refetch)).size).toBe(1);

    rerender(<One id={2} seen={seen} />);

    expect(seen.at(-1)?.refetch).not.toBe(seen[0]?.refetch);

    await answer('GET /todos/2', { json: todo(2) });
  });

  it.each([
    ['nothing', null, 'useResource takes an endpoint, but was given null.'],
    ['a whole resource', TodoResource, 'useResource takes an endpoint, but was given a whole resource.'],
  ])('that are none, but %s, are refused as R25', async (_, given, came) => {
    const { show } = setupScreen(server);
    const Wrong = (): string => String(useResource(given as never).data);
    const errors: unknown[] = [];
    expectWarning(/R25/);

    await show(
      <Boundary onError={(error) => errors.push(error)}>
        <Wrong />
      </Boundary>,
    );

    expect(errors).toMatchObject([{ code: 'R25', message: expect.stringContaining(came) as string }]);
  });

  it('that ask for one page of a list whose pages are one are warned about', async () => {
    const { show, answer } = setupScreen(server);
    const Paged = createResource({ urlPrefix: server.url, path: '/paged/:id', schema: Todo, paginationField: 'page' });
    const Page = ({ page }: { readonly page: number }): string =>
      String(useResource(Paged.getList, { page }).data?.length);
    expectWarning(/paginationField "page", so its pages are one list/);

    const { rerender } = await show(<Page page={1} />);
    await answer('GET /paged?page=1', { json: [todo(1)] });
    rerender(<Page page={2} />);

    expect(screenText()).toBe('1');
  });

  it.each([
    ['useMutation', useMutation],
    ['useLazyResource', useLazyResource],
    ['usePrefetch', usePrefetch],
  ])('that are none are refused as R25 by %s, too', async (name, useIt) => {
    const { show } = setupScreen(server);
    const useWrong = useIt as unknown as (given: unknown) => unknown;
    const Wrong = ({ given }: { readonly given: unknown }): string => String(useWrong(given));
    const errors: unknown[] = [];

    for (const given of [undefined, TodoResource]) {
      expectWarning(/R25/);
      await show(
        <Boundary onError={(error) => errors.push(error)}>
          <Wrong given={given} />
        </Boundary>,
      );
    }

    const message = expect.stringContaining(name) as string;
    expect(errors).toMatchObject([
      { code: 'R25', message },
      { code: 'R25', message },
    ]);
  });

  it('that say nothing are the same, however that is written', async () => {
    const { show, answer, actions } = setupScreen(server);
    const results: (readonly Todo[] | undefined)[] = [];
    const All = () => {
      const { getList } = TodoResource;
      const { data } = useResource(getList);
      results.splice(0, 2, data, useResource(getList, {}).data);

      return null;
    };
    await show(<All />);
    await answer('GET /todos', { json: [todo(1)] });

    expect(results[0]).toHaveLength(1);
    expect(new Set(results).size).toBe(1);
    expect(typesOf(actions)).toEqual(['Todo/getList/pending', 'Todo/getList/fulfilled']);
  });

  it('that do not make an address are thrown as R3 to the nearest error boundary', async () => {
    const { show, actions } = setupScreen(server);
    const errors: unknown[] = [];
    const Missing = () => {
      // What a component without types would do.
      useResource(TodoResource.get, {} as { id: number });

      return null;
    };
    expectWarning(/R3/);

    await show(
      <Boundary onError={(error) => errors.push(error)}>
        <Missing />
      </Boundary>,
    );

    expect(errors).toMatchObject([{ code: 'R3' }]);
    expect(actions).toEqual([]);
  });
});

describe('endpoints', () => {
  it('without arguments are read without any', async () => {
    const { show, answer } = setupScreen(server);
    const Status = new RestEndpoint({ urlPrefix: server.url, path: '/status', name: 'status' });
    const Shown = () => <p>{JSON.stringify(useResource(Status).data)}</p>;
    await show(<Shown />);

    await answer('GET /status', { json: { isUp: true } });

    expect(screenText()).toBe('{"isUp":true}');
  });

  it('that read with a body alone are read anew for another body, and for it alone', async () => {
    const { show, answer } = setupScreen(server);
    const Search = new RestEndpoint({
      urlPrefix: server.url,
      path: '/search',
      method: 'POST',
      sideEffect: false,
      name: 'search',
      body: {} as { readonly words: readonly string[] },
      schema: [Todo],
    });
    const Found = ({ word }: { readonly word: string }) => {
      const { data, isLoading } = useResource(Search, { words: [word] });

      return <p>{isLoading ? 'Loading' : data?.map(({ title }) => title)}</p>;
    };
    const { rerender } = await show(<Found word="milk" />);
    await answer('POST /search', { json: [todo(1, 'Buy milk')] });
    rerender(<Found word="milk" />);

    expect(screenText()).toBe('Buy milk');

    rerender(<Found word="Ada" />);

    expect(screenText()).toBe('Loading');

    await answer('POST /search', { json: [todo(2, 'Call Ada')] });

    expect(screenText()).toBe('Call Ada');
    expect(server.received.map(({ body }) => body)).toEqual([{ words: ['milk'] }, { words: ['Ada'] }]);
  });
});

describe('one of several endpoints', () => {
  it('is read, and the other one when that takes its place', async () => {
    const { show, answer } = setupScreen(server);
    const Title = ({ isAsUser }: { readonly isAsUser: boolean }) => {
      const { data } = useResource(isAsUser ? UserResource.get : TodoResource.get, { id: 1 });
      const asked = useResource(isAsUser ? UserResource.get({ id: 1 }) : TodoResource.get({ id: 1 }));

      return <p>{data === asked.data && data ? ('name' in data ? data.name : data.title) : 'Loading'}</p>;
    };
    const { rerender } = await show(<Title isAsUser={false} />);
    await answer('GET /todos/1', { json: todo(1) });
    const first = screenText();
    rerender(<Title isAsUser />);
    const between = screenText();
    await answer('GET /users/1', { json: { id: 1, name: 'Ada' } });

    expect([first, between, screenText()]).toEqual(['todo 1', 'Loading', 'Ada']);
  });
});

describe('an endpoint that is extended while rendering', () => {
  it('is fetched once, however soon it is stale', async () => {
    const { show, answer, doing, store, resources, actions } = setupScreen(server);
    const One = () => {
      const { data, isFetching } = useResource(TodoResource.get.extend({ dataExpiryLength: 0 }), { id: 1 });

      return <p>{isFetching ? 'fetching' : data?.title}</p>;
    };
    const { rerender } = await show(<One />);
    await answer('GET /todos/1', { json: todo(1) });

    rerender(<One />);
    await doing(() => {
      store.dispatch(resources.set(Todo, { id: 1, title: 'edited' }));
    });

    expect(screenText()).toBe('edited');
    expect(typesOf(actions)).toEqual(['Todo/get/pending', 'Todo/get/fulfilled', 'resources/set']);
  });
});

describe('two components', () => {
  it('that read the same share one fetch and the very same data', async () => {
    const { show, answer } = setupScreen(server);
    const one: Seen<Todo> = [];
    const other: Seen<Todo> = [];
    await show(
      <>
        <One id={1} seen={one} />
        <One id={1} seen={other} />
      </>,
    );

    await answer('GET /todos/1', { json: todo(1) });

    expect(server.received).toHaveLength(1);
    expect(one.at(-1)?.data).toBe(other.at(-1)?.data);
    expect(screenText()).toBe('todo 1todo 1');
  });

  it.each(['useResource', 'useSuspense'])(
    'of which one goes as the other comes, by %s, share the request that is under way',
    async (how) => {
      const { show, answer, actions } = setupScreen(server);
      const Waiting = () => <p>{useSuspense(TodoResource.get, { id: 1 }).title}</p>;
      const { rerender } = await show(<One id={1} />);
      await server.holding('GET /todos/1');

      rerender(<Suspense>{how === 'useSuspense' ? <Waiting key="other" /> : <One key="other" id={1} />}</Suspense>);
      await answer('GET /todos/1', { json: todo(1) });

      expect(screenText()).toBe('todo 1');
      expect(typesOf(actions)).toEqual(['Todo/get/pending', 'Todo/get/fulfilled']);
    },
  );

  it('of which one is gone leave the other subscribed', async () => {
    const { resources, store, show, answer, doing } = setupScreen(server);
    const Both = ({ both }: { readonly both: boolean }) => (
      <>
        {both && <One id={1} />}
        <One id={1} />
      </>
    );
    const { rerender } = await show(<Both both />);
    await answer('GET /todos/1', { json: todo(1) });
    rerender(<Both both={false} />);

    await doing(() => store.dispatch(resources.expireAll(TodoResource.get)));
    await answer('GET /todos/1', { json: todo(1, 'new') });

    expect(screenText()).toBe('new');
  });

  it('never show different data in one render', async () => {
    const { show, answer, doing } = setupScreen(server);
    const pairs: (readonly [string | undefined, string | undefined])[] = [];
    const Pair = () => {
      const one = useResource(TodoResource.get, { id: 1 });
      const list = useResource(TodoResource.getList, { userId: 1 });
      pairs.push([one.data?.title, list.data?.[0]?.title]);

      return <button onClick={() => void one.refetch()}>Again</button>;
    };
    server.answer('GET /todos?userId=1', { json: [todo(1)] });
    await show(<Pair />);
    await answer('GET /todos/1', { json: todo(1) });
    await doing(() => fireEvent.click(screen.getByRole('button')));
    await answer('GET /todos/1', { json: todo(1, 'new') });

    expect(pairs.at(-1)).toEqual(['new', 'new']);
    for (const [one, other] of pairs) if (one !== undefined && other !== undefined) expect(one).toBe(other);
  });
});

describe('a component that is gone', () => {
  it('is subscribed no more', async () => {
    const { resources, store, show, answer, actions } = setupScreen(server);
    const { unmount } = await show(<One id={1} />);
    await answer('GET /todos/1', { json: todo(1) });

    unmount();
    actions.length = 0;
    store.dispatch(resources.expireAll(TodoResource.get));

    expect(actions).toHaveLength(1);
  });

  it('before its answer has it cancelled, and the next one asks anew', async () => {
    const { show, answer } = setupScreen(server);
    const { unmount } = await show(<One id={1} />);
    await server.holding('GET /todos/1');

    unmount();
    await server.hungUp('GET /todos/1');
    await show(<One id={1} />);
    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1');
    expect(server.received).toHaveLength(2);
  });

  it('polls no more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { show, answer, doing } = setupScreen(server);
    const Polled = TodoResource.get.extend({ pollFrequency: 5_000 });
    const Clock = () => <p>{useResource(Polled, { id: 1 }).data?.title}</p>;
    const { unmount } = await show(<Clock />);
    await answer('GET /todos/1', { json: todo(1, 'at 0') });

    await doing(() => vi.advanceTimersByTime(5_000));
    await answer('GET /todos/1', { json: todo(1, 'at 5') });

    expect(screenText()).toBe('at 5');

    await doing(() => vi.advanceTimersByTime(5_000));
    await answer('GET /todos/1', { json: todo(1, 'at 10') });

    expect(screenText()).toBe('at 10');

    unmount();
    await doing(() => vi.advanceTimersByTime(60_000));

    expect(vi.getTimerCount()).toBe(0);
    expect(server.received).toHaveLength(3);
  });
});

describe('StrictMode', () => {
  it('mounts twice, and fetches once', async () => {
    const { show, answer, actions } = setupScreen(server);
    await show(
      <StrictMode>
        <One id={1} />
      </StrictMode>,
    );

    await answer('GET /todos/1', { json: todo(1) });

    expect(typesOf(actions)).toEqual(['Todo/get/pending', 'Todo/get/fulfilled']);
    expect(screenText()).toBe('todo 1');
  });

  it('leaves no subscription behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { show, answer, doing } = setupScreen(server);
    const Polled = TodoResource.get.extend({ pollFrequency: 5_000 });
    const Clock = () => <p>{useResource(Polled, { id: 1 }).data?.title}</p>;
    const { unmount } = await show(
      <StrictMode>
        <Clock />
      </StrictMode>,
    );
    await answer('GET /todos/1', { json: todo(1) });

    unmount();
    await doing(() => vi.advanceTimersByTime(60_000));

    expect(vi.getTimerCount()).toBe(0);
    expect(server.received).toHaveLength(1);
  });
});

describe('a component renders', () => {
  /** A list and an item on the screen, with their data there. */
  async function setupShown() {
    const tools = setupScreen(server);
    const seen: Seen<Todo[]> = [];
    server.answer('GET /todos?userId=1', { json: [todo(1), todo(2)] });
    server.answer('GET /todos?userId=2', { json: [todo(3)] });
    await tools.store.dispatch(TodoResource.getList({ userId: 1 }));
    await tools.store.dispatch(TodoResource.getList({ userId: 2 }));
    await tools.show(<List userId={1} seen={seen} />);

    return { ...tools, renders: () => seen.length };
  }

  it('not when something else changes: another slice, another row of its table, another read', async () => {
    const { resources, store, doing, renders, read } = await setupShown();
    const before = renders();
    server.answer('GET /todos/4', { json: todo(4) });

    await doing(() => store.dispatch(counted()));
    await doing(() => {
      store.dispatch(resources.set(Todo, { id: 3, title: 'changed' }));
    });
    await doing(() => store.dispatch(TodoResource.get({ id: 4 })));

    expect(read(resources.selectEntity(Todo, 3))?.title).toBe('changed');
    expect(renders()).toBe(before);
  });

  it('once when a row of its list changes', async () => {
    const { resources, store, doing, renders } = await setupShown();
    const before = renders();

    await doing(() => {
      store.dispatch(resources.set(Todo, { id: 1, title: 'changed' }));
    });

    expect(screenText()).toBe('changed, todo 2');
    expect(renders()).toBe(before + 1);
  });

  it('once more when the answer to an optimistic edit says otherwise', async () => {
    const { store, doing, renders, answer } = await setupShown();
    const before = renders();

    await doing(() => {
      void store.dispatch(TodoResource.partialUpdate({ id: 1 }, { title: ' edited ' }));
    });
    await answer('PATCH /todos/1', { json: todo(1, 'edited') });

    expect(screenText()).toBe('edited, todo 2');
    expect(renders()).toBe(before + 2);
  });

  it('not when an optimistic edit touches another list', async () => {
    const { store, doing, renders, answer } = await setupShown();
    const before = renders();

    await doing(() => {
      void store.dispatch(TodoResource.partialUpdate({ id: 3 }, { title: 'edited' }));
    });
    await answer('PATCH /todos/3', { json: todo(3, 'edited') });

    expect(renders()).toBe(before);
  });
});

describe('a store', () => {
  it('with another reducerPath is told of by R2', () => {
    const api = configureResources({ reducerPath: 'api' });
    const store = configureStore({
      reducer: { api: api.reducer },
      middleware: (getDefault) => getDefault().concat(api.middleware),
    });
    const errors: unknown[] = [];
    expectWarning(/R2/);

    render(
      <Provider store={store}>
        <Boundary onError={(error) => errors.push(error)}>
          <One id={1} />
        </Boundary>
      </Provider>,
    );

    expect(errors).toMatchObject([{ code: 'R2' }]);
    expect(errors[0]).toBeInstanceOf(ResourceError);
    expect(String(errors[0])).toContain('state.resources');
  });

  it('that is exchanged for another is left, and the other is read', async () => {
    const one = setupScreen(server);
    const other = setupScreen(server);
    const App = () => {
      const [store, setStore] = useState(one.store);

      return (
        <Provider store={store}>
          <One id={1} />
          <button
            onClick={() => {
              setStore(other.store);
            }}
          />
        </Provider>
      );
    };
    render(<App />);
    await one.answer('GET /todos/1', { json: todo(1, 'one') });

    await one.doing(() => fireEvent.click(screen.getByRole('button')));
    await other.answer('GET /todos/1', { json: todo(1, 'other') });

    expect(screenText()).toBe('other');
  });
});

describe('a server', () => {
  it('renders what its store was preloaded with, and starts no fetch and no timer', () => {
    vi.useFakeTimers();
    const { resources, store, actions } = setupScreen(server);
    const Polled = TodoResource.get.extend({ pollFrequency: 1_000 });
    const Page = () => <p>{titleOf(useResource(Polled, { id: 1 }))}</p>;
    store.dispatch(resources.setResponse(Polled, { id: 1 }, todo(1)));
    actions.length = 0;

    const html = renderToString(
      <Provider store={store}>
        <Page />
      </Provider>,
    );

    expect(html).toBe('<p>todo 1</p>');
    expect(actions).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('renders the beginning of a read that has no data yet, as a browser does', () => {
    const { store, actions } = setupScreen(server);

    const html = renderToString(
      <Provider store={store}>
        <One id={1} />
      </Provider>,
    );

    expect(html).toBe('<p>Loading</p>');
    expect(actions).toEqual([]);
  });
});
