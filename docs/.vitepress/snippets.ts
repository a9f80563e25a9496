import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. Its address is no `new URL('…', import.meta.url)`, which Vite would make one of a page. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '../../');

/** One Markdown file; its path is from the root, as in `docs/errors/R1.md`. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** One fenced piece of TypeScript. */
export interface Snippet {
  readonly page: string;
  /** Where it begins on its page, for people: `docs/getting-started.md:12`. */
  readonly place: string;
  /** Its file beside those of its page: the name in its first line (`// store.ts`), else one of ours. */
  readonly file: string;
  readonly code: string;
  /** The words behind the language: `run`, `no-check`. */
  readonly words: readonly string[];
}

/** The folders of docs with what is no page: the site itself, and what it makes of docstrings. */
const made = /^(?:\.vitepress|reference[/\\]api)[/\\]/;

/** README, changelog, what is written for coding assistants, and everything in docs. */
export function readPages(): readonly Page[] {
  const markdown = (folder: string): readonly string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && !(folder === 'docs' && made.test(path)))
      .map((path) => join(folder, path))
      .sort();
  return ['README.md', 'CHANGELOG.md', ...markdown('docs'), ...markdown('skills')].map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }));
}

/** The anchor of a heading, as GitHub makes it; the site does the same. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

const fence = /^```(tsx?)\b([^\n]*)\n([^]*?)^```$/gm;

/** The TypeScript of a page. */
export function snippetsOf({ path, text }: Page): readonly Snippet[] {
  return [...text.matchAll(fence)].map((match) => {
    const [, language = 'ts', words = '', code = ''] = match;
    const line = text.slice(0, match.index).split('\n').length;
    const name = /^\/\/ ([\w-]+\.tsx?)\n/.exec(code)?.[1] ?? `line-${String(line)}.${language}`;
    return {
      page: path,
      place: `${path}:${String(line)}`,
      file: join(path.replace(/\.md$/, ''), name),
      code,
      words: words.split(' ').filter(Boolean),
    };
  });
}

/** The page whose files stand beside those of every other. */
const shared = 'docs/getting-started';

/** Its server, as the other pages have it: their requests are those of `fetch`, for they ask for more than todos. */
const ownServer = `import type { FetchFn } from 'rtk-resource';
const send: FetchFn = (input, init) => fetch(input, init);
export const server = { fetch: send };
`;

/** The files of all snippets, by their paths below a folder: each page has the files of getting-started beside its own, unless it has its own of that name. */
export function filesOf(snippets: readonly Snippet[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const given = snippets.filter(({ file }) => dirname(file) === shared && !/line-\d+/.test(file));
  for (const folder of new Set(snippets.map(({ file }) => dirname(file)))) {
    for (const { file, code } of given) files.set(join(folder, file.slice(shared.length + 1)), code);
    files.set(join(folder, 'server.ts'), ownServer);
  }
  for (const { file, code } of snippets) files.set(file, code);
  return files;
}
