import { act } from '@testing-library/react';
import { recordResources, ResourceDevtools } from 'rtk-resource/devtools/production';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { seed, serve, TodoResource } from '../support/mocked.js';
import { all, button, choose, click, later, shadows, show, text, type } from '../support/panel.js';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2025, 0, 1) });
  localStorage.clear();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A panel of a store that has three todos. */
async function panelOfTodos() {
  const tools = serve([], { seed });
  recordResources(tools.store);
  void tools.store.dispatch(TodoResource.getList());
  await later();
  await show(tools.store, <ResourceDevtools initialIsOpen server={tools.server} />);

  return tools;
}

describe('"Why?"', () => {
  // React prints an error for a list inside of a paragraph, and each that is printed fails a test.
  it('of a row, a request and a list prints no error', async () => {
    await panelOfTodos();

    await click(button('Data'));
    await choose('Todo');
    await click(all('[role=row]')[0]);
    await click(button('Why: Todo 1'));
    expect(text()).toContain('Read');

    await click(button('Requests'));
    await click(all('[role=row]')[0]);
    await click(button('Why: Todo/getList GET /todos'));
    await click(button('Why: the list'));
    expect(text()).toContain('It was answered at');
  });
});

describe('rows', () => {
  it.each(['ArrowDown', 'ArrowUp', 'Home'])('have none chosen at first, and %s goes to the first', async (key) => {
    await panelOfTodos();
    await click(button('Data'));
    await choose('Todo');

    await type(key, all('[role=grid]')[0]);

    expect(all('[aria-selected=true].row').map((row) => row.getAttribute('aria-rowindex'))).toEqual(['1']);
  });

  it('are gone through by arrows', async () => {
    await panelOfTodos();
    await click(button('Data'));
    await choose('Todo');

    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp'])
      await type(key, all('[role=grid]')[0]);

    expect(all('[aria-selected=true].row').map((row) => row.getAttribute('aria-rowindex'))).toEqual(['2']);
  });
});

describe('the focus', () => {
  it.each(['is given to', 'chooses'])(
    'stays on a bar of the timeline that it %s, which stops following',
    async (how) => {
      await panelOfTodos();
      for (let i = 0; i < 4; i++) await click(button('Zoom in'));
      await later(200);
      const [bar] = all('[data-bar]');

      if (how === 'chooses') await click(bar);
      act(() => {
        bar?.focus();
      });
      await later(3_000);

      expect(bar?.isConnected).toBe(true);
      expect(button('Follow')?.getAttribute('aria-pressed')).toBe('false');
    },
  );

  it('goes to the next held request when one is answered, and from the last to the list', async () => {
    const { store, server } = await panelOfTodos();
    server.hold('GET');
    for (const id of [1, 2]) void store.dispatch(TodoResource.get({ id }));
    await click(button('Pending'));
    await later(200);
    const focused = () => shadows()[0]?.activeElement?.getAttribute('aria-label');
    button('Answer GET /todos/1')?.focus();

    await click(button('Answer GET /todos/1'));
    await later(200);
    expect(focused()).toBe('Answer GET /todos/2');

    await click(button('Answer GET /todos/2'));
    await later(200);
    expect(focused()).toBe('What is pending');
  });
});
