import { act, render, screen } from '@testing-library/react';
import { configureStore } from '@reduxjs/toolkit';
import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { Provider } from 'react-redux';
import { configureResources } from 'rtk-resource';
import * as usual from 'rtk-resource/devtools';
import { recordResources, ResourceDevtools, ResourceDevtoolsPanel } from 'rtk-resource/devtools/production';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { seed, serve, Todo, TodoResource } from '../support/mocked.js';
import { button, later, shadows, show, text } from '../support/panel.js';
import { setup } from '../support/store.js';
import { expectWarning } from '../support/strict.js';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2025, 0, 1) });
  localStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function withTodos() {
  const tools = serve([], { seed });
  recordResources(tools.store);
  void tools.store.dispatch(TodoResource.getList());
  await later();

  return tools;
}

const press = (key: string, code?: string): Promise<void> =>
  act(async () => {
    const [name = '', ...modifiers] = key.split('+').reverse();
    window.dispatchEvent(
      new KeyboardEvent('keydown', {
        key: name,
        ...(code && { code }),
        altKey: modifiers.includes('Alt'),
        shiftKey: modifiers.includes('Shift'),
      }),
    );
    await vi.advanceTimersByTimeAsync(10);
  });

describe('the devtools', () => {
  it('give nothing on a server, and nothing as they are hydrated', async () => {
    const { store } = setup();
    const page = (
      <Provider store={store}>
        <ResourceDevtools initialIsOpen />
        <ResourceDevtoolsPanel />
      </Provider>
    );
    const html = renderToString(page);
    const place = document.body.appendChild(document.createElement('div'));

    const root = await act(() => Promise.resolve(hydrateRoot(place, page)));
    await later(10);

    expect(html).toBe('');
    expect(shadows()).toHaveLength(2);
    act(() => {
      root.unmount();
    });
    await later(10);
    place.remove();
  });

  it('render nothing while they are closed, and record', async () => {
    const { store } = await withTodos();
    await show(store, <ResourceDevtools />);
    const before = shadows()[0]?.innerHTML;

    await act(() => store.dispatch(TodoResource.get({ id: 1 })));
    await later(2_000);

    expect(shadows()[0]?.innerHTML).toBe(before);
    expect(recordResources(store).events.at(-1)?.type).toBe('Todo/get/fulfilled');
  });

  it('render at most ten times a second while they are open', async () => {
    const { store, resources } = await withTodos();
    await show(store, <ResourceDevtools initialIsOpen />);
    let renders = 0;
    const place = shadows()[0]?.querySelector('[role=tabpanel]');
    const observer = new MutationObserver(() => {
      renders++;
    });
    if (place) observer.observe(place, { subtree: true, childList: true, attributes: true, characterData: true });

    for (let i = 0; i < 100; i++) {
      store.dispatch(resources.set(Todo, { id: 1, title: `${i}` }));
      await later(10);
    }

    observer.disconnect();
    expect(renders).toBeGreaterThan(2);
    expect(renders).toBeLessThanOrEqual(10);
  });

  it('open by their shortcut, which may be another, or none', async () => {
    const { store } = await withTodos();
    const { rerender } = await show(store, <ResourceDevtools shortcut="Alt+D" />);

    await press('Alt+Shift+R');
    expect(button('Open rtk-resource devtools')).toBeDefined();
    await press('Alt+D');
    expect(text()).toContain('Timeline');

    await press('Alt+D');
    rerender(
      <Provider store={store}>
        <ResourceDevtools shortcut={false} />
      </Provider>,
    );
    await later(10);
    await press('Alt+D');
    expect(button('Open rtk-resource devtools')).toBeDefined();
  });

  it('open by a digit, also where the keyboard writes another character with Shift', async () => {
    const { store } = await withTodos();
    await show(store, <ResourceDevtools shortcut="Alt+Shift+1" />);

    await press('Alt+Shift+!', 'Digit1');

    expect(text()).toContain('Timeline');
  });

  it('work where the browser refuses its storage', async () => {
    const refuse = (): never => {
      throw new DOMException('refused', 'SecurityError');
    };
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(refuse);
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(refuse);
    const { store } = await withTodos();

    await show(store, <ResourceDevtools />);
    await act(async () => {
      button('Open rtk-resource devtools')?.click();
      await vi.advanceTimersByTimeAsync(10);
    });

    expect(text()).toContain('Timeline');
  });

  it('are one of each in strict mode, and leave nothing behind', async () => {
    const { store } = await withTodos();
    const { unmount } = await show(
      store,
      <StrictMode>
        <ResourceDevtools />
        <ResourceDevtoolsPanel />
      </StrictMode>,
    );

    expect(shadows().map((root) => root.querySelectorAll('.root').length)).toEqual([1, 1]);
    unmount();
    await later(10);
    expect(shadows()).toEqual([]);
  });

  it('have their style in an element with a nonce, where there are no constructable sheets', async () => {
    const { store } = await withTodos();

    await show(store, <ResourceDevtools styleNonce="n0nce" />);

    expect(shadows()[0]?.querySelector('style')?.nonce).toBe('n0nce');
  });

  it('keep what they are given to redact out of the page, also where the recording began without', async () => {
    const { store } = serve([], { seed });
    recordResources(store);
    const redact = (value: unknown, path: string): unknown => (path.endsWith('/title') ? '…' : value);
    await show(store, <ResourceDevtools initialIsOpen redact={redact} />);
    void store.dispatch(TodoResource.getList());
    await later(200);

    for (const name of ['Data', 'Pending', 'Requests', 'Timeline']) {
      await act(async () => {
        button(name)?.click();
        await vi.advanceTimersByTimeAsync(10);
      });
      for (const one of shadows().flatMap((root) => [...root.querySelectorAll<HTMLElement>('[data-bar], [role=row]')]))
        await act(async () => {
          one.click();
          await vi.advanceTimersByTimeAsync(10);
        });
      expect(text()).not.toMatch(/Read|Write/);
    }
  });
});

it('what was under way before the recording is a bar that is open at the left', async () => {
  const { store, server } = serve([], { seed });
  server.hold('GET');
  void store.dispatch(TodoResource.getList());
  await later();

  await show(store, <ResourceDevtools initialIsOpen />);
  await later(200);

  const bar = button('GET /todos, 00:00:00.000, not answered, under way before the recording');
  expect(bar?.hasAttribute('data-before')).toBe(true);
  server.release();
  await later();
});

describe('a fault of the panel', () => {
  it('is shown in it, and touches nothing of the app', async () => {
    const { store, server } = await withTodos();
    const faulty = Object.create(server, {
      held: {
        get: () => {
          throw new Error('out of order');
        },
      },
    }) as typeof server;
    localStorage.setItem('rtk-resource-devtools', '{"tab":"Pending"}');

    await show(
      store,
      <>
        <p>The app</p>
        <ResourceDevtools initialIsOpen server={faulty} />
      </>,
    );

    expect(shadows()[0]?.textContent).toContain('The devtools have failed: Error: out of order');
    expect(screen.getByText('The app')).toBeDefined();
  });
});

describe('one sentence is told', () => {
  it('where there is no store, and warned of once', async () => {
    expectWarning(/There is no store: render the devtools inside of a Provider of react-redux/);

    render(<ResourceDevtools initialIsOpen />);
    await later(10);

    expect(text()).toContain('There is no store: render the devtools inside of a Provider of react-redux');
  });

  it('where a store has no resources, and warned of once', async () => {
    expectWarning(/The devtools cannot record this store: it has no middleware of rtk-resource/);
    const store = configureStore({ reducer: { counter: (state: number = 0) => state } });

    await show(store, <ResourceDevtools initialIsOpen />);

    expect(text()).toContain('The devtools cannot record this store: it has no middleware of rtk-resource');
  });

  it('where the slice is not there yet, and then it is', async () => {
    const resources = configureResources();
    const store = configureStore({
      reducer: (state: object = {}) => state,
      middleware: (getDefault) => getDefault().concat(resources.middleware),
    });
    await show(store, <ResourceDevtools initialIsOpen />);
    expect(text()).toContain('There is no slice of rtk-resource at state.resources yet.');

    store.replaceReducer(((state: { resources?: never } = {}, action: never) => ({
      resources: resources.reducer(state.resources, action),
    })) as never);
    await later(200);

    expect(text()).toContain('Follow');
  });

  it('where a store has its resources elsewhere than was told', async () => {
    expectWarning(/record state\.api, but this store has its resources at state\.resources/);
    const { store } = setup();

    await show(store, <ResourceDevtools initialIsOpen reducerPath="api" />);

    expect(text()).toContain('The devtools were told to record state.api');
  });
});

describe('the usual entry', () => {
  it('has the devtools in development', () => {
    expect(usual.ResourceDevtools).toBe(ResourceDevtools);
    expect(usual.recordResources).toBe(recordResources);
  });

  it('gives nothing in production', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    vi.resetModules();
    const production = await import('rtk-resource/devtools');
    vi.unstubAllEnvs();
    const { store } = setup();

    const recorder = production.recordResources(store);

    expect(renderToString(<production.ResourceDevtools initialIsOpen />)).toBe('');
    expect(recorder.events).toEqual([]);
    expect(recorder.explain({ entity: 'Todo', pk: '1' })).toEqual({ value: undefined, because: [] });
    render(<production.ResourceDevtools initialIsOpen />);
    expect(screen.queryAllByRole('button')).toEqual([]);
    expect(shadows()).toEqual([]);
  });
});
