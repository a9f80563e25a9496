import { StrictMode } from 'react';
import { createResource, Entity, type ResourcesOptions } from 'rtk-resource';
import { skipToken, useResource, type ReadOptions, type ResourceResult } from 'rtk-resource/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Boundary, screenText, setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';
import { typesOf } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Todo extends Entity {
  id = 0;
  title = '';
  votes = 0;
  static override key = 'Todo';
}

const server = await serverOfFile();
afterEach(() => {
  vi.useRealTimers();
});

const TodoResource = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo, optimistic: true });
const { get, getList, partialUpdate } = TodoResource;
const ofUser = getList.extend({ searchParams: {} as { userId: number } });
const todo = (id: number, fields: object = {}): object => ({ id, title: `todo ${id}`, votes: 0, ...fields });

type Result = ResourceResult<unknown>;

/** A component that reads a todo as a request with options, and all it was given, render by render. */
function setupOne(given: ResourcesOptions<'resources'> = {}) {
  const tools = setupScreen(server, given);
  const seen: Result[] = [];
  const One = ({ id, ...options }: { readonly id?: number } & ReadOptions<Todo, unknown>) => {
    // What a component does whose route has no id yet.
    const result = useResource(get({ id: id as number }), options);
    const { data, isLoading, isPrevious } = result;
    seen.push({ ...result });

    return (
      <p>
        {isLoading ? 'Loading' : typeof data === 'string' ? data : data ? (data as Todo).title : 'Nothing'}
        {isPrevious && ' (before)'}
      </p>
    );
  };

  return { ...tools, One, seen };
}

/** A store whose first todo was fetched a while ago. */
async function setupThere({ isStale = false } = {}) {
  const tools = setupOne();
  server.answer('GET /todos/1', { json: todo(1, { title: 'old' }) });
  await tools.store.dispatch(get({ id: 1 }));
  if (isStale) tools.store.dispatch(tools.resources.expireAll(get));
  server.forget();
  tools.actions.length = 0;

  return tools;
}

describe('a request with options', () => {
  it('is read as its endpoint with its arguments is', async () => {
    const { One, show, answer, actions } = setupOne();
    const { rerender } = await show(<One id={1} />);
    expect(screenText()).toBe('Loading');

    await answer('GET /todos/1', { json: todo(1) });
    rerender(<One id={1} />);

    expect(screenText()).toBe('todo 1');
    expect(typesOf(actions)).toEqual(['Todo/get/pending', 'Todo/get/fulfilled']);
  });

  it('may stand aside for skipToken', async () => {
    const { show, answer } = setupScreen(server);
    const One = ({ id }: { readonly id?: number }) => (
      <p>{useResource(id === undefined ? skipToken : get({ id })).data?.title ?? 'Nothing'}</p>
    );
    const { rerender } = await show(<One />);
    expect(screenText()).toBe('Nothing');

    rerender(<One id={1} />);
    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1');
  });

  it('that changes something on the server is refused with R23, and never sent', async () => {
    const { show } = setupScreen(server);
    const errors: unknown[] = [];
    // What a component without types would do.
    const Wrong = () => <p>{JSON.stringify(useResource(partialUpdate as never, { id: 1 } as never, {} as never))}</p>;
    expectWarning(/R23/);

    await show(
      <Boundary onError={(error) => errors.push(error)}>
        <Wrong />
      </Boundary>,
    );

    expect(errors).toMatchObject([{ code: 'R23' }]);
    expect(server.received).toEqual([]);
  });
});

describe('skip', () => {
  it('reads nothing, whatever the arguments are, and then what they ask for', async () => {
    const { One, show, answer, actions, seen } = setupOne();
    const { rerender } = await show(<One skip />);

    expect(seen.at(-1)).toMatchObject({ status: 'uninitialized', data: undefined, isLoading: false });
    expect(seen.at(-1)?.refetch()).toBeUndefined();
    expect(actions).toEqual([]);

    rerender(<One id={1} skip={false} />);
    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1');

    rerender(<One skip />);

    expect(screenText()).toBe('Nothing');
  });
});

describe('select', () => {
  it('gives the part of the data that the component needs', async () => {
    const { One, show, answer } = setupOne();
    await show(<One id={1} select={({ title }) => title.toUpperCase()} />);

    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('TODO 1');
  });

  it('renders when that part changes, and not when others do', async () => {
    const { store, resources, show, answer, doing } = setupScreen(server);
    const renders: unknown[] = [];
    const Title = () => {
      const { data } = useResource(get({ id: 1 }), { select: ({ title }) => title });
      renders.push(data);

      return null;
    };
    await show(<Title />);
    await answer('GET /todos/1', { json: todo(1) });

    for (const fields of [{ votes: 1 }, { votes: 2 }, { title: 'new' }])
      await doing(() => {
        store.dispatch(resources.set(Todo, { id: 1, ...fields }));
      });

    expect(renders).toEqual([undefined, 'todo 1', 'new']);
  });

  it('keeps what it gave before, where isEqual says that it is the same', async () => {
    const { store, resources, show, answer, doing } = setupScreen(server);
    const renders: unknown[] = [];
    const Ids = () => {
      const { data } = useResource(getList(), {
        select: (todos) => todos.map(({ id }) => id),
        isEqual: (one, other) => one.join() === other.join(),
      });
      renders.push(data);

      return null;
    };
    const { rerender } = await show(<Ids />);
    await answer('GET /todos', { json: [todo(1), todo(2)] });

    await doing(() => {
      store.dispatch(resources.set(Todo, { id: 1, title: 'new' }));
    });
    rerender(<Ids />);

    expect(renders).toEqual([undefined, [1, 2], [1, 2]]);
    expect(renders[2]).toBe(renders[1]);
  });

  it('keeps it over other arguments, too', async () => {
    const { show, answer } = setupScreen(server);
    const seen: unknown[] = [];
    const select = (all: readonly Todo[]): readonly number[] => all.map(({ id }) => id);
    const isEqual = (one: readonly number[], other: readonly number[]): boolean => one.join() === other.join();
    const Ids = ({ userId }: { readonly userId: number }) => {
      const { data, isPrevious } = useResource(ofUser({ userId }), { select, isEqual, keepPreviousData: true });
      seen.push(data);

      return <p>{isPrevious ? 'before' : 'now'}</p>;
    };
    const { rerender } = await show(<Ids userId={1} />);
    await answer('GET /todos?userId=1', { json: [todo(1)] });
    const first = seen.at(-1);

    rerender(<Ids userId={2} />);

    expect(screenText()).toBe('before');
    expect(seen.at(-1)).toBe(first);

    await answer('GET /todos?userId=2', { json: [todo(1)] });

    expect(screenText()).toBe('now');
    expect(seen.at(-1)).toBe(first);
  });

  it('sees what the component was given last', async () => {
    const { show, answer } = setupScreen(server);
    const Field = ({ name }: { readonly name: 'title' | 'votes' }) => (
      <p>{useResource(get({ id: 1 }), { select: (one) => one[name] }).data}</p>
    );
    const { rerender } = await show(<Field name="title" />);
    await answer('GET /todos/1', { json: todo(1) });
    expect(screenText()).toBe('todo 1');

    rerender(<Field name="votes" />);

    expect(screenText()).toBe('0');
  });

  it('that throws is an error of the component', async () => {
    const { One, show, answer } = setupOne();
    const errors: unknown[] = [];
    expectWarning(/no title/);
    await show(
      <Boundary onError={(error) => errors.push(error)}>
        <One
          id={1}
          select={() => {
            throw new Error('no title');
          }}
        />
      </Boundary>,
    );

    await answer('GET /todos/1', { json: todo(1) });

    expect(errors).toMatchObject([{ message: 'no title' }]);
  });
});

describe('keepPreviousData', () => {
  it('shows the data of the last arguments, marked so, until those of now have theirs', async () => {
    const { One, show, answer, seen } = setupOne();
    const { rerender } = await show(<One id={1} keepPreviousData />);
    expect(screenText()).toBe('Loading');
    await answer('GET /todos/1', { json: todo(1) });

    rerender(<One id={2} keepPreviousData />);

    expect(screenText()).toBe('todo 1 (before)');
    expect(seen.at(-1)).toMatchObject({ status: 'pending', isSuccess: true, isLoading: false, isFetching: true });

    await answer('GET /todos/2', { json: todo(2) });

    expect(screenText()).toBe('todo 2');
    expect(seen.at(-1)).toMatchObject({ status: 'fulfilled', isPrevious: false });
  });

  it('goes on showing it over several changes', async () => {
    const { One, show, answer, doing } = setupOne();
    const { rerender } = await show(<One id={1} keepPreviousData />);
    await answer('GET /todos/1', { json: todo(1) });

    rerender(<One id={2} keepPreviousData />);
    await server.holding('GET /todos/2');
    rerender(<One id={3} keepPreviousData />);
    await doing(() => server.hungUp('GET /todos/2'));

    expect(screenText()).toBe('todo 1 (before)');

    await answer('GET /todos/3', { json: todo(3) });

    expect(screenText()).toBe('todo 3');
  });

  it('shows it beside the error where the new arguments fail', async () => {
    const { One, show, answer, seen } = setupOne();
    const { rerender } = await show(<One id={1} keepPreviousData />);
    await answer('GET /todos/1', { json: todo(1) });

    rerender(<One id={2} keepPreviousData />);
    await answer('GET /todos/2', { status: 500 });

    expect(screenText()).toBe('todo 1 (before)');
    expect(seen.at(-1)).toMatchObject({ isError: true, isSuccess: false, error: { status: 500 } });
  });

  it('shows at once what is there already', async () => {
    const { One, show, answer, store, resources } = setupOne();
    const { rerender } = await show(<One id={1} keepPreviousData />);
    await answer('GET /todos/1', { json: todo(1) });
    store.dispatch(resources.setResponse(get, { id: 2 }, todo(2)));

    rerender(<One id={2} keepPreviousData />);

    expect(screenText()).toBe('todo 2');
  });

  it('shows it as it is now: edited, or gone with the user who has left', async () => {
    const { One, show, answer, doing, store, resources } = setupOne();
    const { rerender } = await show(<One id={1} keepPreviousData />);
    await answer('GET /todos/1', { json: todo(1) });
    rerender(<One id={2} keepPreviousData />);
    await server.holding('GET /todos/2');

    await doing(() => {
      store.dispatch(resources.set(Todo, { id: 1, title: 'edited' }));
    });
    const edited = screenText();
    await doing(() => {
      store.dispatch(resources.reset());
    });

    expect([edited, screenText()]).toEqual(['edited (before)', 'Loading']);
  });

  it('does not come back when what is asked for has been there, and is stale or gone', async () => {
    const { One, show, answer, doing, store, resources } = setupOne();
    const { rerender } = await show(<One id={1} keepPreviousData />);
    await answer('GET /todos/1', { json: todo(1) });
    rerender(<One id={2} keepPreviousData />);
    await answer('GET /todos/2', { json: todo(2) });

    await doing(() => store.dispatch(resources.invalidateAll(get)));

    expect(screenText()).toBe('Loading');
  });

  it('keeps it as long as it is shown, however soon what is unused goes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { One, show, answer, doing, slice } = setupOne({ unusedDataExpiryLength: 0 });
    const { rerender } = await show(<One id={1} keepPreviousData />);
    await answer('GET /todos/1', { json: todo(1) });
    rerender(<One id={2} keepPreviousData />);
    rerender(<One id={3} keepPreviousData />);
    await server.holding('GET /todos/3');

    await doing(() => vi.advanceTimersByTime(60_000));
    const waiting = screenText();
    await answer('GET /todos/3', { json: todo(3) });
    await doing(() => vi.advanceTimersByTime(60_000));

    expect(waiting).toBe('todo 1 (before)');
    expect(screenText()).toBe('todo 3');
    expect(slice().tables['Todo']?.pks.flat().filter(Boolean)).toEqual(['3']);
  });

  it('neither polls nor fetches what it shows only until then', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { One, show, answer, doing } = setupOne({ pollFrequency: 1_000, dataExpiryLength: 0 });
    const { rerender } = await show(<One id={1} keepPreviousData />);
    await answer('GET /todos/1', { json: todo(1) });
    rerender(<One id={2} keepPreviousData />);
    await server.holding('GET /todos/2');

    await doing(() => vi.advanceTimersByTime(10_000));
    await answer('GET /todos/2', { json: todo(2) });

    expect(server.received.map(({ path }) => path)).toEqual(['/todos/1', '/todos/2']);
    expect(screenText()).toBe('todo 2');
  });

  it('makes of it what select makes', async () => {
    const { One, show, answer } = setupOne();
    const select = ({ title }: Todo): string => title.toUpperCase();
    const { rerender } = await show(<One id={1} keepPreviousData select={select} />);
    await answer('GET /todos/1', { json: todo(1) });

    rerender(<One id={2} keepPreviousData select={select} />);

    expect(screenText()).toBe('TODO 1 (before)');

    await answer('GET /todos/2', { json: todo(2) });

    expect(screenText()).toBe('TODO 2');
  });
});

describe('pollFrequency', () => {
  it('may be a function of the data, another in each render', async () => {
    const { show, store, One } = await setupThere();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const limited = (limit: number) => <One id={1} pollFrequency={(it: Todo) => it.votes < limit && 1_000} />;
    const poll = async (votes: number) => {
      await vi.advanceTimersByTimeAsync(1_000);
      await server.release('GET /todos/1', { json: todo(1, { votes }) });
      await store.dispatch(get.ifStale({ id: 1 }));
    };

    const { rerender } = await show(limited(1));
    await poll(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(server.received).toHaveLength(1);

    rerender(limited(2));
    await poll(2);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(server.received).toHaveLength(2);
  });

  it('fetches that often while the component is mounted', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { One, show, answer, doing } = setupOne();
    const { unmount } = await show(<One id={1} pollFrequency={5_000} />);
    await answer('GET /todos/1', { json: todo(1, { title: 'at 0' }) });

    await doing(() => vi.advanceTimersByTime(5_000));
    await answer('GET /todos/1', { json: todo(1, { title: 'at 5' }) });

    expect(screenText()).toBe('at 5');

    unmount();
    await doing(() => vi.advanceTimersByTime(60_000));

    expect(server.received).toHaveLength(2);
  });

  it.each([0, false] as const)('of %s polls no more, and to change it fetches nothing by itself', async (never) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { One, show, answer, doing } = setupOne();
    const { rerender } = await show(<One id={1} pollFrequency={5_000} refetchOnMount="always" />);
    await answer('GET /todos/1', { json: todo(1) });

    rerender(<One id={1} pollFrequency={never} refetchOnMount="always" />);
    await doing(() => vi.advanceTimersByTime(20_000));

    expect(server.received).toHaveLength(1);
  });

  it('that changes fetches no data that has only grown old', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { One, show, answer, doing, actions } = setupOne();
    const { rerender } = await show(<One id={1} pollFrequency={100_000} />);
    await answer('GET /todos/1', { json: todo(1) });
    await doing(() => vi.advanceTimersByTime(70_000));

    rerender(<One id={1} pollFrequency={0} />);

    expect(typesOf(actions)).toEqual(['Todo/get/pending', 'Todo/get/fulfilled']);
  });

  it('of several components is the shortest, as long as that component is there', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { One, show, answer, doing } = setupOne();
    const page = (isBoth: boolean) => (
      <>
        <One id={1} pollFrequency={60_000} />
        {isBoth && <One id={1} pollFrequency={1_000} />}
      </>
    );
    const { rerender } = await show(page(true));
    await answer('GET /todos/1', { json: todo(1) });
    await doing(() => vi.advanceTimersByTime(1_000));
    await answer('GET /todos/1', { json: todo(1) });

    rerender(page(false));
    await doing(() => vi.advanceTimersByTime(50_000));

    expect(server.received).toHaveLength(2);

    await doing(() => vi.advanceTimersByTime(10_000));
    await answer('GET /todos/1', { json: todo(1) });

    expect(server.received).toHaveLength(3);
  });

  it('holds while nothing is skipped', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { One, show, answer, doing } = setupOne();
    const { rerender } = await show(<One id={1} pollFrequency={1_000} />);
    await answer('GET /todos/1', { json: todo(1) });

    rerender(<One id={1} pollFrequency={1_000} skip />);
    await doing(() => vi.advanceTimersByTime(10_000));

    expect(screenText()).toBe('Nothing');
    expect(server.received).toHaveLength(1);

    rerender(<One id={1} pollFrequency={1_000} />);
    await doing(() => vi.advanceTimersByTime(1_000));
    await answer('GET /todos/1', { json: todo(1, { title: 'polled' }) });

    expect(screenText()).toBe('polled');
  });

  it('wins over that of the endpoint', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { show, answer, doing } = setupScreen(server);
    const Polled = get.extend({ pollFrequency: 1_000 });
    const Calm = () => <p>{useResource(Polled({ id: 1 }), { pollFrequency: 0 }).data?.title}</p>;
    await show(<Calm />);
    await answer('GET /todos/1', { json: todo(1) });

    await doing(() => vi.advanceTimersByTime(20_000));

    expect(server.received).toHaveLength(1);
  });
});

describe('refetchOnMount', () => {
  it.each([
    ['true', undefined, 'fresh', 0],
    ['true', undefined, 'stale', 1],
    ["'always'", 'always', 'fresh', 1],
    ["'always'", 'always', 'stale', 1],
    ['false', false, 'fresh', 0],
    ['false', false, 'stale', 0],
  ] as const)('%s, with data that is there', async (_, refetchOnMount, age, fetches) => {
    const { One, show, seen, actions } = await setupThere({ isStale: age === 'stale' });
    server.answer('GET /todos/1', { json: todo(1, { title: 'new' }) });

    await show(<One id={1} refetchOnMount={refetchOnMount} />);

    expect(typesOf(actions).filter((type) => type.endsWith('pending'))).toHaveLength(fetches);
    // From the first render on, it tells whether it fetches.
    expect(seen[0]).toMatchObject({ isFetching: fetches === 1, isSuccess: true, data: { title: 'old' } });
  });

  it.each([['always'], [false], [true]] as const)('%s fetches what is not there', async (refetchOnMount) => {
    const { One, show, answer } = setupOne();
    await show(<One id={1} refetchOnMount={refetchOnMount} />);

    await answer('GET /todos/1', { json: todo(1) });

    expect(screenText()).toBe('todo 1');
  });

  it("'always' fetches at every mount, and once in StrictMode", async () => {
    const { One, show, answer, actions } = await setupThere();
    const page = (
      <StrictMode>
        <One id={1} refetchOnMount="always" />
      </StrictMode>
    );
    const { unmount } = await show(page);
    await answer('GET /todos/1', { json: todo(1, { title: 'new' }) });
    unmount();

    await show(page);
    await answer('GET /todos/1', { json: todo(1, { title: 'newer' }) });

    expect(screenText()).toBe('newer');
    expect(typesOf(actions)).toHaveLength(4);
  });

  it('false leaves data that grows stale later to those who say so', async () => {
    const { One, show, answer, doing, store, resources } = await setupThere();
    await show(<One id={1} refetchOnMount={false} />);

    await doing(() => store.dispatch(resources.expireAll(get)));
    await answer('GET /todos/1', { json: todo(1, { title: 'new' }) });

    expect(screenText()).toBe('new');
  });
});
