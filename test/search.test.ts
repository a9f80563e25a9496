import MiniSearch from 'minisearch';
import { expect, it } from 'vitest';
import { isSearched, otherWords, searching, withOtherWords } from '../docs/.vitepress/search.js';
import { readPages } from './support/docs.js';

const pages = readPages()
  .filter(({ path }) => path.startsWith('docs/'))
  .map(({ path, text }) => ({ path: path.slice('docs/'.length), text }));

/** The sections of a page, as the site has them. */
function sectionsOf({ path, text }: (typeof pages)[number]) {
  const html = withOtherWords(path, text.replace(/^# .*$/m, '$&</h1>')).replace(/<\/?(?:h1|p)>/g, ' ');
  const parents: string[] = [];
  return html
    .replace(/^```[^]*?^```$/gm, (code) => code.replaceAll('#', ''))
    .split(/^(?=#+ )/m)
    .flatMap((section, i) => {
      const [, marks = '', title = ''] = /^(#+) (.*)/.exec(section) ?? [];
      if (marks === '') return [];
      parents.length = marks.length - 1;
      const titles = [...parents];
      parents.push(title);
      return [{ id: `/${path.replace(/\.md$/, '')}#${String(i)}`, title, titles, text: section }];
    });
}

const index = new MiniSearch({
  fields: ['title', 'titles', 'text'],
  ...searching.options,
  searchOptions: searching.searchOptions,
});
index.addAll(pages.filter(({ path }) => isSearched(path)).flatMap(sectionsOf));

/** The pages of the first three results. */
const found = (question: string): readonly string[] =>
  index
    .search(question)
    .slice(0, 3)
    .map(({ id }) => String(id).replace(/#.*/, ''));

// What somebody who knows RTK Query asks, and the page that answers.
it.each([
  ['websocket', '/guides/sockets'],
  ['polling', '/guides/freshness'],
  ['debounce', '/guides/search'],
  ['retry', '/guides/errors'],
  ['skip', '/guides/react'],
  ['normalize', '/guides/nested-entities'],
  ['invalidate tags', '/guides/freshness'],
  ['infinite scroll', '/guides/infinite-lists'],
  ['transformResponse', '/guides/transforming-data'],
  ['prepareHeaders', '/guides/auth'],
  ['upload a file', '/guides/uploads'],
  ['undo an optimistic update', '/guides/optimistic-updates'],
  ['selectFromResult', '/guides/derived-data'],
  ['refetchOnFocus', '/guides/freshness'],
  ['keepUnusedDataFor', '/guides/freshness'],
  ['cancel a request', '/guides/cancelling'],
  ['mock the server in a test', '/guides/testing'],
  ['redux-persist', '/guides/persistence'],
  ['next.js hydration', '/guides/server-rendering'],
  ['temporary id', '/guides/ids'],
])('who searches “%s” finds %s', (question, page) => {
  expect(found(question)).toContain(page);
});

it('finds nothing in decisions and measurements', () => {
  const left = pages.map(({ path }) => path).filter((path) => !isSearched(path));

  expect(left).toContain('decisions/012-size.md');
  expect(left).toContain('measurements.md');
  expect(left.filter((path) => path.startsWith('guides/') || path.startsWith('errors/'))).toEqual([]);
});

it('knows other words for pages that are there', () => {
  const paths = pages.map(({ path }) => path);

  expect(Object.keys(otherWords).filter((path) => !paths.includes(path))).toEqual([]);
});
