/** The snippets of the first guides that run whole, each with the files it needs: what the playground opens. */
import { basename, join } from 'node:path';
import { filesOf, readPages, snippetsOf, type Page, type Snippet } from './snippets.js';

/** A snippet and its files, as the playground edits and runs them. */
export interface Program {
  /** Its place in an address: `getting-started/main.tsx`. */
  readonly id: string;
  /** The title of its page. */
  readonly page: string;
  /** The heading above the snippet. */
  readonly title: string;
  /** The file that runs. */
  readonly entry: string;
  /** The code of each file by its name; the one to edit first is first. */
  readonly files: Readonly<Record<string, string>>;
}

/** The guides of the first hour. */
const guides = [
  'docs/getting-started.md',
  'docs/a-board.md',
  'docs/guides/react.md',
  'docs/guides/optimistic-updates.md',
  'docs/guides/collections-and-pagination.md',
];

/** What the playground gives a component that asks for it. */
const knownProps: Readonly<Record<string, string>> = { userId: '1', id: '1' };

export function readPrograms(): readonly Program[] {
  const pages = readPages();
  const files = filesOf(pages.flatMap(snippetsOf));
  return guides
    .flatMap((path) => pages.filter((page) => page.path === path))
    .flatMap((page) => snippetsOf(page).flatMap((snippet) => programOf(page, snippet, files)));
}

/** The program of a snippet: none where it only defines something, or where it needs what no browser has. */
function programOf(page: Page, snippet: Snippet, files: ReadonlyMap<string, string>): Program[] {
  const { words, code, file } = snippet;
  if (words.includes('no-check') || code.includes("from 'msw")) return [];
  const about = {
    id: file.replace(/^docs\//, ''),
    page: headingsOf(page.text)[0] ?? '',
    title: headingsOf(page.text.slice(0, page.text.indexOf(code))).at(-1) ?? '',
  };
  const folder = file.slice(0, -basename(file).length);
  const withImports = (name: string, own: Readonly<Record<string, string>>): Record<string, string> =>
    closure(name, (one) => own[one] ?? files.get(join(folder, one)));

  const name = /^line-\d/.test(basename(file)) ? `snippet${/\.tsx?$/.exec(file)?.[0] ?? '.ts'}` : basename(file);
  const own = { [name]: code };
  if (name === 'main.tsx' || words.includes('run')) return [{ ...about, entry: name, files: withImports(name, own) }];
  const main = name === 'snippet.tsx' ? mainOf(code) : undefined;
  if (main === undefined) return [];
  const { 'main.tsx': last = '', ...rest } = withImports('main.tsx', { ...own, 'main.tsx': main });
  return [{ ...about, entry: 'main.tsx', files: { ...rest, 'main.tsx': last } }];
}

function headingsOf(text: string): readonly string[] {
  const prose = text.replace(/^```[^]*?^```$/gm, '');
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.replaceAll('`', ''));
}

/** A file and all that it imports from beside it, in the order of the imports. */
function closure(name: string, read: (name: string) => string | undefined): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (one: string): void => {
    const code = read(one);
    if (code === undefined || one in found) return;
    found[one] = code;
    for (const [, imported = ''] of code.matchAll(/ from '\.\/([\w-]+)\.js'/g))
      for (const ending of ['.ts', '.tsx']) visit(`${imported}${ending}`);
  };
  visit(name);
  return found;
}

/** An app that renders the components of a snippet; none where one of them needs what only its reader has. */
function mainOf(code: string): string | undefined {
  const components = [...code.matchAll(/^export function ([A-Z]\w*)\((?:\{ ([\w, ]+) \}: )?/gm)].map(
    ([, name = '', props = '']) => ({ name, props: props.split(', ').filter(Boolean) }),
  );
  const isKnown = components.every(({ props }) => props.every((prop) => prop in knownProps));
  if (components.length === 0 || !isKnown) return undefined;
  const shown = components.map(
    ({ name, props }) => `      <${[name, ...props.map((prop) => `${prop}={${knownProps[prop] ?? ''}}`)].join(' ')} />`,
  );
  return `import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { ${components.map(({ name }) => name).join(', ')} } from './snippet.js';
import { store } from './store.js';

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <Provider store={store}>
${shown.join('\n')}
    </Provider>,
  );
`;
}
