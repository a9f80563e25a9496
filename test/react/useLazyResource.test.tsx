import { createResource, Entity } from 'rtk-resource';
import { useLazyResource } from 'rtk-resource/react';
import { describe, expect, it } from 'vitest';
import { Boundary, screenText, setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';
import { typesOf } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();

const TodoResource = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });
const { get } = TodoResource;
const todo = (id: number, title = `todo ${id}`) => ({ json: { id, title } });

type Lazy = ReturnType<typeof useLazyResource<typeof get, string>>;

/** A component that reads a todo when it is told to. */
function setupLazy() {
  const tools = setupScreen(server);
  const seen: Lazy[] = [];
  const Lazy = () => {
    const [load, result] = useLazyResource(get, { select: ({ title }) => title, keepPreviousData: true });
    const { isUninitialized, isLoading, isError, data, isFetching } = result;
    seen.push([load, result]);

    return (
      <p>
        {isUninitialized ? 'Not yet' : isLoading ? 'Loading' : `${isError ? 'Failed' : data}${isFetching ? '…' : ''}`}
      </p>
    );
  };
  const load = (id: number) =>
    tools.doing(() => ({ promise: seen.at(-1)?.[0]({ id }) ?? expect.fail('Nothing was rendered.') }));

  return { ...tools, Lazy, seen, load };
}

describe('a lazy read', () => {
  it('sends nothing before it is called', async () => {
    const { show, Lazy, actions } = setupLazy();

    await show(<Lazy />);

    expect(screenText()).toBe('Not yet');
    expect(actions).toEqual([]);
  });

  it('fetches when it is called, once, and reads from then on', async () => {
    const { show, Lazy, load, answer, actions, doing, store, resources } = setupLazy();
    await show(<Lazy />);

    await load(1);
    expect(screenText()).toBe('Loading');
    await answer('GET /todos/1', todo(1));

    expect(screenText()).toBe('todo 1');
    expect(typesOf(actions)).toEqual(['Todo/get/pending', 'Todo/get/fulfilled']);

    await doing(() => {
      store.dispatch(resources.set(Todo, { id: 1, title: 'from a socket' }));
    });

    expect(screenText()).toBe('from a socket');
  });

  it('gives the promise of the request', async () => {
    const { show, Lazy, load, answer } = setupLazy();
    await show(<Lazy />);

    const { promise } = await load(1);
    await answer('GET /todos/1', todo(1));

    expect(await promise.unwrap()).toBeInstanceOf(Todo);
  });

  it('fetches again when it is called again with the same', async () => {
    const { show, Lazy, load, answer } = setupLazy();
    await show(<Lazy />);
    await load(1);
    await answer('GET /todos/1', todo(1, 'old'));

    await load(1);
    expect(screenText()).toBe('old…');
    await answer('GET /todos/1', todo(1, 'new'));

    expect(screenText()).toBe('new');
  });

  it('reads what it was called with last', async () => {
    const { show, Lazy, load, answer } = setupLazy();
    await show(<Lazy />);
    await load(1);
    await answer('GET /todos/1', todo(1));

    await load(2);
    expect(screenText()).toBe('todo 1…');
    await answer('GET /todos/2', todo(2));

    expect(screenText()).toBe('todo 2');
  });

  it('that fails says so', async () => {
    const { show, Lazy, load, answer } = setupLazy();
    await show(<Lazy />);

    const { promise } = await load(1);
    await answer('GET /todos/1', { status: 404 });

    expect(screenText()).toBe('Failed');
    await expect(promise.unwrap()).rejects.toMatchObject({ status: 404 });
  });

  it('whose arguments make no address is rejected, and shows what it showed', async () => {
    const { show, Lazy, load, answer } = setupLazy();
    await show(<Lazy />);
    await load(1);
    await answer('GET /todos/1', todo(1));

    const { promise } = await load(undefined as never);

    await expect(promise.unwrap()).rejects.toMatchObject({ code: 'R3' });
    expect(screenText()).toBe('todo 1');
  });

  it.each([[], [2]])('is cancelled by its promise, and reads what it read before (%s)', async (...before: number[]) => {
    const { show, Lazy, load, answer, actions, doing, seen } = setupLazy();
    await show(<Lazy />);
    for (const id of before) {
      await load(id);
      await answer(`GET /todos/${id}`, todo(id));
    }

    const { promise } = await load(1);
    await server.holding('GET /todos/1');
    await doing(() => {
      promise.abort();
    });

    expect((await promise).meta).toMatchObject({ aborted: true });
    expect(typesOf(actions).at(-1)).toBe('Todo/get/rejected');
    expect(seen.at(-1)?.[1].isFetching).toBe(false);
    expect(screenText()).toBe(before.length > 0 ? 'todo 2' : 'Not yet');
  });

  it.each([
    ['older', 'todo 1'],
    ['newer', 'todo 2'],
  ])('that is called twice with the same: the %s call is cancelled', async (which, shown) => {
    const { show, Lazy, load, answer, doing, seen } = setupLazy();
    await show(<Lazy />);
    await load(2);
    await answer('GET /todos/2', todo(2));
    const older = await load(1);
    await server.holding('GET /todos/1');

    await doing(() => {
      const newer = seen.at(-1)?.[0]({ id: 1 });
      (which === 'older' ? older.promise : newer)?.abort();
    });
    await answer('GET /todos/1', todo(1));

    expect(screenText()).toBe(shown);
  });

  it('that is done again goes on showing its data when it is cancelled', async () => {
    const { show, Lazy, load, answer, doing } = setupLazy();
    await show(<Lazy />);
    await load(1);
    await answer('GET /todos/1', todo(1));

    const { promise } = await load(1);
    await server.holding('GET /todos/1');
    await doing(() => {
      promise.abort();
    });

    expect(screenText()).toBe('todo 1');
  });

  it('is the same function in every render', async () => {
    const { show, Lazy, load, answer, seen } = setupLazy();
    await show(<Lazy />);
    await load(1);
    await answer('GET /todos/1', todo(1));

    expect(new Set(seen.map(([one]) => one)).size).toBe(1);
  });

  it('takes no write', async () => {
    const { show } = setupScreen(server);
    const errors: unknown[] = [];
    const Wrong = () => <p>{useLazyResource(TodoResource.delete as never)[1].status}</p>;
    expectWarning(/R23/);

    await show(
      <Boundary onError={(error) => errors.push(error)}>
        <Wrong />
      </Boundary>,
    );

    expect(errors).toMatchObject([{ code: 'R23' }]);
  });
});
