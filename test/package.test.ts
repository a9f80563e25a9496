import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addressed, files } from '../scripts/address.mjs';
import { packed, packedPage } from '../scripts/packed.mjs';
import { linksOf, readPages, root } from './support/docs.js';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const texts = {
  'package.json': read('package.json'),
  'src/errors.ts': read('src/errors.ts'),
  'README.md': read('README.md'),
};

describe('an address of the package', () => {
  it('is where errors, the README and the package lead, once somebody names it', () => {
    const after = addressed(texts, 'https://example.com/team/rtk-resource/');

    expect(JSON.parse(after['package.json'])).toMatchObject({
      homepage: 'https://example.com/team/rtk-resource',
      repository: { type: 'git', url: 'git+https://example.com/team/rtk-resource.git' },
      bugs: 'https://example.com/team/rtk-resource/issues',
    });
    expect(after['src/errors.ts']).toContain("const docs = 'https://example.com/team/rtk-resource/blob/main/docs';");
    expect(linksOf({ path: 'README.md', text: texts['README.md'] }).length).toBeGreaterThan(5);
    expect(
      linksOf({ path: 'README.md', text: after['README.md'] }).filter((link) => !link.startsWith('README.md#')),
    ).toEqual([]);
  });

  it('has the pictures of the README as they are, not the pages about them', () => {
    const { 'README.md': after } = addressed(texts, 'https://example.com/team/rtk-resource');

    expect(after).toContain('](https://example.com/team/rtk-resource/raw/main/docs/images/showcase-light.webp)');
  });

  it('changes no page of the site, whose links are its own', () => {
    const pages = readPages().filter(({ path }) => path.startsWith('docs/'));
    const included = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/<!--\s*@include:\s*(\S+?)\s*-->/g)].map(([, file = '']) => join(dirname(path), file)),
    );
    const changed = (path: string): boolean => files.some((file) => file === path);

    expect(pages.map(({ path }) => path)).toContain('docs/index.md');
    expect([...included, ...pages.map(({ path }) => path)].filter(changed)).toEqual([]);
  });

  it('moves when it is named again', () => {
    const first = addressed(texts, 'https://example.com/one');
    const second = addressed(first, 'https://example.com/two');

    expect(second['package.json']).not.toContain('example.com/one');
    expect(second['src/errors.ts']).not.toContain('example.com/one');
  });

  it('is none that does not begin with https', () => {
    expect(() => addressed(texts, 'http://example.com')).toThrow('https');
  });
});

describe('what is packed', () => {
  const about = JSON.parse(texts['package.json']) as {
    files: readonly string[];
    exports: Readonly<Record<string, unknown>>;
  };

  it('has the pages that errors and the README lead to', () => {
    const folders = linksOf({ path: 'README.md', text: texts['README.md'] }).map((link) => link.split(/[/#]/)[0]);

    expect(about.files).toContain('docs/**/*.md');
    expect(folders.filter((folder) => folder === 'docs').length).toBeGreaterThan(5);
  });

  it.each([undefined, 'https://example.com/team/rtk-resource'])(
    'has no link that leads nowhere (address: %s)',
    // npm is asked what it packs.
    { timeout: 120_000 },
    (homepage) => {
      const { paths } = packed();
      const isPacked = (path: string): boolean => paths.includes(path);
      const pages = paths
        .filter((path) => path.endsWith('.md'))
        .map((path) => ({ path, text: packedPage(path, read(path), isPacked, homepage) }));
      const lost = pages.flatMap((page) => linksOf(page).filter((link) => !isPacked(link.split('#')[0] ?? '')));

      expect(pages.flatMap(linksOf).length).toBeGreaterThan(100);
      expect(lost).toEqual([]);
      expect(pages.some(({ text }) => text.includes('/blob/main/docs/decisions/'))).toBe(homepage !== undefined);
    },
  );

  it('has a fallback for tools that know none of the conditions', () => {
    const entries = Object.entries(about.exports).filter(([name]) => name !== './package.json');

    expect(entries.map(([name]) => name)).toEqual([
      '.',
      './devtools',
      './devtools/production',
      './mock',
      './normalize',
      './offline',
      './react',
    ]);
    expect(new Set(entries.map(([, conditions]) => Object.keys(conditions as object).at(-1)))).toEqual(
      new Set(['default']),
    );
  });
});
