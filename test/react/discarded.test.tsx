import { fireEvent, screen } from '@testing-library/react';
import { Suspense, useDeferredValue, useState } from 'react';
import { createResource, Entity } from 'rtk-resource';
import { useSuspense } from 'rtk-resource/react';
import { afterEach, expect, it, vi } from 'vitest';
import { collectGarbage } from '../support/garbage.js';
import { Boundary, screenText, setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();
afterEach(() => {
  vi.useRealTimers();
});

const Todos = createResource({
  urlPrefix: server.url,
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { q: string },
});

/** The items that a text finds: two for each. */
const found = (q: string): readonly object[] =>
  [1, 2].map((i) => ({ id: q.charCodeAt(0) * 10 + i, title: `${q}${String(i)}` }));

function Found({ q }: { readonly q: string }) {
  return <p>{useSuspense(Todos.getList, { q }).map(({ title }) => title)}</p>;
}

/** Shows what the text finds that was typed; the old until the new is there. */
function Search() {
  const [typed, setTyped] = useState('a');
  const q = useDeferredValue(typed);

  return (
    <>
      <input
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
        }}
      />
      <Suspense fallback="Waiting">
        <Found q={q} />
      </Suspense>
    </>
  );
}

const type = (value: string): boolean => fireEvent.change(screen.getByRole('textbox'), { target: { value } });

it('what was asked for by renders that React throws away is cancelled', async () => {
  const { show, answer, doing, resources, read, slice } = setupScreen(server);
  await show(<Search />);
  await answer('GET /todos?q=a', { json: found('a') });

  for (const q of ['b', 'c', 'd']) {
    await doing(() => type(q));
    await server.holding(`GET /todos?q=${q}`);
  }
  await Promise.all(['b', 'c'].map((q) => server.hungUp(`GET /todos?q=${q}`)));
  await answer('GET /todos?q=d', { json: found('d') });

  expect(screenText()).toBe('d1d2');
  expect(read(resources.selectAll(Todo)).map(({ title }) => title)).toEqual(['a1', 'a2', 'd1', 'd2']);
  expect(slice().requests.rows.flat().filter(Boolean)).toHaveLength(2);
});

it('what was cancelled is asked for again by who comes back to it', async () => {
  const { show, answer, doing } = setupScreen(server);
  await show(<Search />);
  await answer('GET /todos?q=a', { json: found('a') });
  await doing(() => type('b'));
  await server.holding('GET /todos?q=b');
  await doing(() => type('c'));
  await server.hungUp('GET /todos?q=b');

  await doing(() => type('b'));
  await answer('GET /todos?q=b', { json: found('b') });

  expect(screenText()).toBe('b1b2');
});

it('what another component waits for, too, goes on', async () => {
  const { show, answer, doing } = setupScreen(server);
  await show(
    <>
      <Search />
      <Search />
    </>,
  );
  await answer('GET /todos?q=a', { json: found('a') });
  const [one, other] = screen.getAllByRole('textbox');
  const typeIn = (box: Element | undefined, value: string) =>
    fireEvent.change(box ?? document.body, { target: { value } });
  await doing(() => typeIn(one, 'b'));
  await doing(() => typeIn(other, 'b'));
  await server.holding('GET /todos?q=b');

  await doing(() => typeIn(one, 'c'));
  await answer('GET /todos?q=b', { json: found('b') });
  await answer('GET /todos?q=c', { json: found('c') });

  expect(screenText()).toBe('c1c2b1b2');
  expect(server.received).toHaveLength(3);
});

it('what came for a component that was never shown is collected', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const { show, answer, doing, slice } = setupScreen(server);
  const { rerender } = await show(<Search />);
  rerender(<p>Another page</p>);
  await answer('GET /todos?q=a', { json: found('a') });
  const before = slice().tables['Todo']?.pks.flat().length;

  await doing(() => vi.advanceTimersByTime(60_000));

  expect(before).toBe(2);
  expect(slice().tables['Todo']?.pks.flat().join('')).toBe('');
  expect(slice().requests.pks.flat().join('')).toBe('');
});

it('what is collected at once is shown nevertheless', async () => {
  const { show, answer } = setupScreen(server, { unusedDataExpiryLength: 0 });
  await show(<Search />);
  await answer('GET /todos?q=a', { json: found('a') });

  expect(screenText()).toBe('a1a2');
  expect(server.received).toHaveLength(1);
});

it('what was waited for in vain, by components that were never shown, is forgotten', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  // Whoever looks at it in the console would keep it.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const errors: WeakRef<Error>[] = [];
  const { show, doing } = setupScreen(server, {
    fetchFn: () => {
      const error = new Error('no network');
      errors.push(new WeakRef(error));
      return Promise.reject(error);
    },
  });
  const page = (q: string) => (
    <Boundary key={q}>
      <Suspense fallback="Waiting">
        <Found q={q} />
      </Suspense>
    </Boundary>
  );
  const { rerender } = await show(page('a'));
  for (const q of ['b', 'c', 'd', 'e', 'f'])
    await doing(() => {
      rerender(page(q));
    });
  await doing(() => {
    rerender(<p>Another page</p>);
  });

  await doing(() => vi.advanceTimersByTime(600_000));
  await doing(() => {
    rerender(page('g'));
  });
  await doing(() => {
    rerender(<p>Another page</p>);
  });
  vi.mocked(console.error).mockClear();
  for (let i = 0; i < 3; i++) await collectGarbage();

  expect(errors).toHaveLength(7);
  // React remembers the last that it has rendered.
  expect(errors.slice(0, 5).filter((error) => error.deref())).toEqual([]);
});
