import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type DefaultTheme, type MarkdownEnv } from 'vitepress';
import { writeFrame } from './bundle.js';
import { hovers } from './hovers.js';
import { linksOfTheSite } from './links.js';
import { readExports, writeReference } from './reference.js';
import { withPlayground } from './playground.js';
import { highlightOnce } from './highlighting.js';
import { readPrograms } from './programs.js';
import { isSearched, searching, withOtherWords } from './search.js';
import { anchorOf, root } from './snippets.js';
import { tablesOfTheSite } from './tables.js';

const all = readExports();
writeReference(all);
writeFrame();

const src = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));
const title = (path: string): string => {
  const text = readFileSync(join(root, 'docs', path), 'utf8');
  return /^# (.*)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? path;
};
const item = (path: string): DefaultTheme.SidebarItem => ({
  text: title(path),
  link: `/${path.replace(/(?:index)?\.md$/, '')}`,
});
const guides = (...names: readonly string[]): DefaultTheme.SidebarItem[] =>
  names.map((name) => item(`guides/${name}.md`));
const inFolder = (folder: string): DefaultTheme.SidebarItem[] =>
  readdirSync(join(root, 'docs', folder))
    .sort(new Intl.Collator('en', { numeric: true }).compare)
    .map((file) => item(`${folder}/${file}`));
const exportsOf = (entry: string): DefaultTheme.SidebarItem => ({
  text: entry,
  collapsed: true,
  items: all
    .filter((one) => one.entry === entry)
    .map(({ name, slug }) => ({ text: name, link: `/reference/api/${slug}` })),
});

const typesIn = hovers();

export default defineConfig({
  title: 'rtk-resource',
  description: 'Normalized REST resources for Redux Toolkit',
  cleanUrls: true,
  srcExclude: ['api-report.md'],
  lastUpdated: false,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: anchorOf },
    codeTransformers: [
      {
        name: 'types-on-hover',
        preprocess(code, options) {
          if (options.lang !== 'ts' && options.lang !== 'tsx') return;
          options.decorations = typesIn(code).map(({ start, end, text }) => ({
            start,
            end,
            alwaysWrap: true,
            properties: { class: 'typed', 'data-type': text },
          }));
        },
      },
    ],
    config: (markdown) => {
      highlightOnce(markdown);
      withPlayground(markdown, readPrograms());
      tablesOfTheSite(markdown);
      linksOfTheSite(markdown, new Map(all.map(({ name, slug }) => [name, `/reference/api/${slug}`])));
    },
  },
  vite: {
    resolve: {
      alias: [
        { find: /^rtk-resource\/react$/, replacement: src('react/index.ts') },
        { find: /^rtk-resource\/mock$/, replacement: src('mock/index.ts') },
        { find: /^rtk-resource\/devtools$/, replacement: src('devtools/index.ts') },
        { find: /^rtk-resource$/, replacement: src('index.ts') },
      ],
    },
    server: { fs: { allow: [root] } },
    // The index of the search is one file.
    build: { chunkSizeWarningLimit: 1_000 },
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        miniSearch: searching,
        _render: (source: string, env: MarkdownEnv, markdown: { render(source: string, env: MarkdownEnv): string }) =>
          isSearched(env.relativePath) ? withOtherWords(env.relativePath, markdown.render(source, env)) : '',
      },
    },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/getting-started' },
      { text: 'Guides', link: '/guides/react' },
      { text: 'Reference', link: '/reference/hooks' },
      { text: 'Playground', link: '/playground' },
      { text: 'Break it', link: '/break-it' },
    ],
    sidebar: [
      {
        text: 'Start',
        items: [
          item('getting-started.md'),
          item('a-board.md'),
          item('playground.md'),
          item('important-defaults.md'),
          item('guarantees.md'),
          item('break-it.md'),
          item('comparison.md'),
          item('performance.md'),
        ],
      },
      {
        text: 'Read',
        items: guides(
          'react',
          'infinite-lists',
          'numbered-pages',
          'search',
          'error-boundaries',
          'derived-data',
          'freshness',
          'collections-and-pagination',
          'nested-entities',
        ),
      },
      {
        text: 'Write',
        items: guides(
          'optimistic-updates',
          'conflicts-and-versions',
          'ids',
          'custom-actions',
          'uploads',
          'errors',
          'cancelling',
          'sockets',
        ),
      },
      {
        text: 'Your server',
        items: [
          ...guides('your-server'),
          {
            text: 'By name',
            collapsed: true,
            items: guides(
              'server-github',
              'server-conduit',
              'server-django',
              'server-json-api',
              'server-stripe',
              'server-laravel',
              'server-odata',
              'server-postgrest',
            ),
          },
          ...guides('paths-that-differ', 'transforming-data', 'auth', 'request-headers'),
        ],
      },
      {
        text: 'Your app',
        items: guides(
          'redux',
          'devtools',
          'typescript',
          'testing',
          'server-rendering',
          'persistence',
          'offline',
          'security',
        ),
      },
      {
        text: 'Moving',
        items: guides('moving-from-rtk-query', 'moving-from-tanstack-query', 'moving-from-data-client'),
      },
      {
        text: 'Reference',
        items: [
          item('reference/hooks.md'),
          { text: 'All exports', link: '/reference/api/' },
          ...[...new Set(all.map(({ entry }) => entry))].map(exportsOf),
          { text: 'Errors', collapsed: true, items: inFolder('errors') },
        ],
      },
      {
        text: 'Inside',
        items: [
          item('how-it-works.md'),
          { text: 'Decisions', collapsed: true, items: inFolder('decisions') },
          {
            text: 'Measured',
            collapsed: true,
            items: [
              item('measurements.md'),
              item('profiles.md'),
              item('reliability.md'),
              item('faults.md'),
              item('referee-faults.md'),
              item('module-tables.md'),
            ],
          },
        ],
      },
    ],
  },
});
