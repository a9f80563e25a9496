import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readPages, root, snippetsOf } from '../support/docs.js';

const snippets = readPages().flatMap(snippetsOf);
const models = readdirSync(join(root, 'test/servers/models'));

it.each(models)('the guide to a server shows the very model of its story: %s', (file) => {
  const model = readFileSync(join(root, 'test/servers/models', file), 'utf8');
  const page = `docs/guides/server-${file.replace('.ts', '.md')}`;

  expect(snippets.find((one) => one.page === page && one.file.endsWith(`/${file}`))?.code).toBe(model);
});

it.each(readdirSync(join(root, 'test/servers/mocks')))('and the very mock server that is played with: %s', (file) => {
  const mock = readFileSync(join(root, 'test/servers/mocks', file), 'utf8').replace('../models/', './');
  const page = `docs/guides/server-${file.replace('.ts', '.md')}`;

  expect(snippets.filter((one) => one.page === page).map(({ code }) => code)).toContain(mock);
});
