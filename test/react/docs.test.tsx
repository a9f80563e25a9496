import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { filesOf, readPages, root, snippetsOf } from '../../docs/.vitepress/snippets.js';

/** The guide on testing shows how a component is tested: that test runs here, with the files that its page gives it. */
const page = 'docs/guides/testing';
const snippets = readPages().flatMap(snippetsOf);
const shown = snippets.find(({ page: path, code }) => path === `${page}.md` && code.includes('@testing-library/react'));
const workshop = join(root, '.build', `docs-react-${String(process.pid)}`);

for (const [file, code] of filesOf(snippets)) {
  if (dirname(file) !== page) continue;
  mkdirSync(dirname(join(workshop, file)), { recursive: true });
  writeFileSync(join(workshop, file), code);
}
if (shown) await import(/* @vite-ignore */ pathToFileURL(join(workshop, shown.file)).href);
afterAll(() => {
  rmSync(workshop, { recursive: true, force: true });
});

it('is there', () => {
  expect(shown?.words).toEqual([]);
});
