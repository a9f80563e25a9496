import { startTransition, Suspense, useState } from 'react';
import { createResource, Entity, type ResourcesOptions } from 'rtk-resource';
import { useSuspense } from 'rtk-resource/react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { Boundary, screenText, setupScreen } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';
import { setup, typesOf } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

/** What useSuspense shows goes missing, or is asked for twice at once: it asks once, and renders a few times. */
class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}

const server = await serverOfFile();
const Todos = createResource({ urlPrefix: server.url, path: '/todos/:id', schema: Todo });

let renders = 0;
beforeEach(() => {
  renders = 0;
});

function One({ id }: { readonly id: number }) {
  // Else a render that never ends would be no failure, but a test that never ends.
  if (++renders > 100) throw new Error('It renders for ever.');
  return <b>{useSuspense(Todos.get, { id }).title}</b>;
}

const page = (id: number) => (
  <Boundary>
    <Suspense fallback="…">
      <One id={id} />
    </Suspense>
  </Boundary>
);

/** A page as a browser shows it, where nothing waits for React: it has shown item 1, and shows item 2. */
async function setupSecond(options: Pick<ResourcesOptions<'resources'>, 'invalidIfStale'> = {}) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  const sent: string[] = [];
  const { store, resources } = setup({
    ...options,
    fetchFn: (input, init) => {
      sent.push(`${init.method ?? 'GET'} ${input.slice(server.url.length)}`);
      return fetch(input, init);
    },
  });
  const place = document.createElement('div');
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    vi.unstubAllGlobals();
  });
  const text = () => place.textContent;
  const show = (id: number) => {
    root.render(<Provider store={store}>{page(id)}</Provider>);
  };
  for (const [id, title] of [
    [1, 'one'],
    [2, 'two'],
  ] as const) {
    show(id);
    await server.release(`GET /todos/${id}`, { json: { id, title } });
    await expect.poll(text).toBe(title);
  }
  renders = sent.length = 0;
  return { store, resources, sent, text, show };
}

/** Lets React render as often as it will while a request is under way. */
async function untilHeld(which: string): Promise<void> {
  await server.holding(which);
  for (let turns = 0; turns < 300; turns++) await new Promise((resolve) => setImmediate(resolve));
}

it('asks once for what is deleted after the arguments have changed', async () => {
  const { store, sent, text } = await setupSecond();
  expectWarning(/404/);
  void store.dispatch(Todos.delete({ id: 2 }));

  await server.release('DELETE /todos/2', { status: 204 });
  await untilHeld('GET /todos/2');
  await server.release('GET /todos/2', { status: 404 });

  await expect.poll(text).toContain('Failed');
  expect(sent).toEqual(['DELETE /todos/2', 'GET /todos/2']);
});

it.each(['reset', 'invalidate'] as const)(
  'renders a few times where what stands there since the arguments have changed is missing: %s',
  async (how) => {
    const { store, resources, sent, text } = await setupSecond();

    store.dispatch((how === 'reset' ? resources.reset() : resources.invalidate(Todos.get, { id: 2 })) as never);
    await untilHeld('GET /todos/2');
    await server.release('GET /todos/2', { json: { id: 2, title: 'two again' } });

    await expect.poll(text).toBe('two again');
    expect(sent).toEqual(['GET /todos/2']);
    expect(renders).toBeLessThan(20);
  },
);

it('waits for the earlier of two requests where the later one has failed', async () => {
  const { store, resources, doing, show, actions } = setupScreen(server);
  expectWarning(/500/);
  await show(page(1));
  await doing(() => server.release('GET /todos/1', { json: { id: 1, title: 'one' } }));
  await expect.poll(screenText).toBe('one');
  void store.dispatch(Todos.get({ id: 1 }));
  await server.holding('GET /todos/1');
  server.answer('GET /todos/1', { status: 500 });
  renders = 0;

  await doing(() => store.dispatch(resources.invalidate(Todos.get, { id: 1 })));
  await expect.poll(() => typesOf(actions)).toContain('Todo/get/rejected');
  await doing(() => undefined);
  const early = screenText();
  await doing(() => server.release('GET /todos/1', { status: 500 }));
  await expect.poll(screenText).toContain('Failed');

  expect(early).toContain('…');
  expect(renders).toBeLessThan(20);
});

it.each(['invalidate', 'expire'] as const)(
  'asks once for what went missing while the user has looked at something else: %s',
  async (how) => {
    const { store, resources, sent, text, show } = await setupSecond({ invalidIfStale: how === 'expire' });

    store.dispatch(resources[how](Todos.get, { id: 2 }) as never);
    await untilHeld('GET /todos/2');
    show(1);
    await expect.poll(text).toBe('one');
    show(2);
    await untilHeld('GET /todos/2');
    await server.release('GET /todos/2', { json: { id: 2, title: 'two again' } });

    await expect.poll(text).toBe('two again');
    expect(sent).toEqual(['GET /todos/2']);
    expect(renders).toBeLessThan(20);
  },
);

it('asks once for what a transition waits for where the store is reset meanwhile', async () => {
  const { store, resources, doing, show, answer } = setupScreen(server);
  let choose: (id: number) => void;
  function Chosen() {
    const [id, setId] = useState(1);
    choose = setId;
    return page(id);
  }
  await show(<Chosen />);
  await answer('GET /todos/1', { json: { id: 1, title: 'one' } });
  await doing(() => {
    startTransition(() => {
      choose(2);
    });
  });
  await server.holding('GET /todos/2');
  renders = 0;

  await doing(() => {
    store.dispatch(resources.reset());
  });
  await server.hungUp('GET /todos/2');
  await doing(() => server.release('GET /todos/2', { json: { id: 2, title: 'two' } }));

  await expect.poll(screenText).toBe('two');
  expect(renders).toBeLessThan(20);
});
