import { recordResources, ResourceDevtools } from 'rtk-resource/devtools/production';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { seed, serve, TodoResource } from '../support/mocked.js';
import { all, button, choose, click, later, show, text, type } from '../support/panel.js';

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
