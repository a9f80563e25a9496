import { fireEvent, render, screen, within } from '@testing-library/react';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ComponentType } from 'react';
import { Provider, type ProviderProps } from 'react-redux';
import type { MockServer } from 'rtk-resource/mock';
import { afterAll, expect, it, vi } from 'vitest';
import { filesOf, readPages, root, snippetsOf } from '../../docs/.vitepress/snippets.js';

/** The guide on testing shows how a component is tested: that test runs here, with the files that its page gives it. So do the components of the board. */
const page = 'docs/guides/testing';
const board = 'docs/a-board';
const snippets = readPages().flatMap(snippetsOf);
const shown = snippets.find(({ page: path, code }) => path === `${page}.md` && code.includes('@testing-library/react'));
const workshop = join(root, '.build', `docs-react-${String(process.pid)}`);

for (const [file, code] of filesOf(snippets)) {
  if (![page, board].includes(dirname(file))) continue;
  mkdirSync(dirname(join(workshop, file)), { recursive: true });
  writeFileSync(join(workshop, file), code);
}
const load = (file: string): Promise<unknown> => import(/* @vite-ignore */ pathToFileURL(join(workshop, file)).href);
if (shown) await load(shown.file);
afterAll(() => {
  vi.unstubAllGlobals();
  rmSync(workshop, { recursive: true, force: true });
});

it('is there', () => {
  expect(shown?.words).toEqual([]);
});

it.each(['with a button', 'by dragging it'])('a move on the board that is refused says why: %s', async (how) => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = vi.fn();
      disconnect = vi.fn();
    },
  );
  const { Column } = (await load(`${board}/Column.tsx`)) as { Column: ComponentType<{ status: string }> };
  const { server } = (await load(`${board}/server.ts`)) as { server: MockServer };
  const { store } = (await load(`${board}/store.ts`)) as Pick<ProviderProps, 'store'>;
  server.fail('PATCH', 409, { times: 1 });
  render(
    <Provider store={store}>
      <Column status="todo" />
      <Column status="doing" />
    </Provider>,
  );
  const column = (name: string): Promise<HTMLElement> => screen.findByRole('region', { name });
  const title = await within(await column('todo')).findByText('Issue 3');
  const card = title.closest('li') ?? expect.fail('There is no card.');

  if (how === 'with a button') fireEvent.click(within(card).getByText('→ doing'));
  else fireEvent.drop(await column('doing'), { dataTransfer: { getData: () => '3' } });
  await within(await column('doing')).findByText('Issue 3');

  await within(await column('todo')).findByText('Issue 3');
  expect((await screen.findByRole('alert')).textContent).toContain('409');
});
