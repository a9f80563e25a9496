import { fireEvent, screen } from '@testing-library/react';
import { createResource, Entity } from 'rtk-resource';
import { usePrefetch, useResource } from 'rtk-resource/react';
import { afterEach, expect, it, vi } from 'vitest';
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
afterEach(() => {
  vi.useRealTimers();
});

const { get, partialUpdate } = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });
const reply = { json: { id: 1, title: 'todo 1' } };

/** A link to a todo, and the todo where it leads. */
function setupLink() {
  const tools = setupScreen(server);
  const renders = vi.fn();
  const prefetches = new Set<unknown>();
  const Link = () => {
    const prefetch = usePrefetch(get);
    prefetches.add(prefetch);
    renders();

    return (
      <a
        onMouseEnter={() => {
          prefetch({ id: 1 });
        }}
      >
        Todo
      </a>
    );
  };
  const Page = () => <p>{useResource(get, { id: 1 }).data?.title ?? 'Loading'}</p>;

  return {
    ...tools,
    Link,
    Page,
    renders,
    prefetches,
    hover: () => tools.doing(() => fireEvent.mouseEnter(screen.getByText('Todo'))),
  };
}

it('fetches what somebody may need soon, who then has it at once', async () => {
  const { show, Link, Page, hover, answer, actions } = setupLink();
  const { rerender } = await show(<Link />);

  await hover();
  await answer('GET /todos/1', reply);
  rerender(<Page />);

  expect(screenText()).toBe('todo 1');
  expect(typesOf(actions)).toEqual(['Todo/get/pending', 'Todo/get/fulfilled']);
});

it('fetches nothing that is there and fresh', async () => {
  const { show, Link, hover, answer } = setupLink();
  await show(<Link />);
  await hover();
  await answer('GET /todos/1', reply);

  await hover();

  expect(server.received).toHaveLength(1);
});

it('renders nothing, and is the same function in every render', async () => {
  const { show, Link, hover, answer, renders, prefetches } = setupLink();
  const { rerender } = await show(<Link />);

  await hover();
  await answer('GET /todos/1', reply);

  expect(renders).toHaveBeenCalledTimes(1);

  rerender(<Link />);

  expect(prefetches.size).toBe(1);
});

it('takes no write', async () => {
  const { show } = setupScreen(server);
  const errors: unknown[] = [];
  expectWarning(/R23/);
  const Link = () => {
    // @ts-expect-error: it changes something on the server
    usePrefetch(partialUpdate);

    return null;
  };

  await show(
    <Boundary onError={(error) => errors.push(error)}>
      <Link />
    </Boundary>,
  );

  expect(errors).toMatchObject([{ code: 'R23' }]);
  expect(server.received).toEqual([]);
});

it('leaves nothing behind if nobody comes for it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const { show, Link, hover, answer, doing, read } = setupLink();
  await show(<Link />);
  await hover();
  await answer('GET /todos/1', reply);
  expect(read(get.select({ id: 1 }))).toBeDefined();

  await doing(() => vi.advanceTimersByTime(60_000));

  expect(read(get.select({ id: 1 }))).toBeUndefined();
});

it('keeps it for ten seconds, however soon it is collected that nobody reads: the page may need this time to show', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const { show, answer, doing, store, read } = setupScreen(server);
  const short = get.extend({ unusedDataExpiryLength: 0 });
  await show(<p />);
  void store.dispatch(short.prefetch({ id: 1 }));
  await answer('GET /todos/1', reply);

  await doing(() => vi.advanceTimersByTime(9_000));
  expect(read(short.select({ id: 1 }))).toBeDefined();

  await doing(() => vi.advanceTimersByTime(2_000));
  expect(read(short.select({ id: 1 }))).toBeUndefined();
});
