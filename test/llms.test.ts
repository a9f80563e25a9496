import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { linksOf, readPages, root } from './support/docs.js';

it('llms.txt leads to every guide', () => {
  const text = readFileSync(join(root, 'llms.txt'), 'utf8');
  const guides = readPages().flatMap(({ path }) => (path.startsWith('docs/guides/') ? [path] : []));

  expect(guides).not.toEqual([]);
  expect(guides.filter((path) => !linksOf({ path: 'llms.txt', text }).includes(path))).toEqual([]);
});
