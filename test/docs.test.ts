import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setupServer } from 'msw/node';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { drawPictures } from '../bench/pictures.mjs';
import { anchorOf } from '../docs/.vitepress/snippets.js';
import {
  claimsOf,
  filesOf,
  linksOf,
  listenToClaims,
  makeServer,
  readPages,
  root,
  snippetsOf,
  withChecks,
  type Snippet,
} from './support/docs.js';
import { readExports } from '../docs/.vitepress/reference.js';
import { expectWarning } from './support/strict.js';

const pages = readPages();
const snippets = pages.flatMap(snippetsOf);
const exported = readExports();
const examples = exported.flatMap(({ name, slug, entry, examples: own, members }) =>
  [...own, ...members.flatMap((member) => member.examples)].map((code, i) => ({
    name,
    file: join('examples', `${entry.replace('/', '-')}-${slug}-${i}.tsx`),
    code: withImports(code),
  })),
);
const runnable = snippets.filter(({ words }) => words.includes('run'));

/** Inside the package, so that its own name leads to it; of this process, so that two runs do not meet. */
const workshop = join(root, '.build', `docs-${process.pid}`);

/** Every snippet is a file. */
function writeSnippets(): void {
  const files = [...filesOf(snippets)].map(([file, code]) => [file, withChecks(code)] as const);
  for (const [file, code] of [...files, ...examples.map((example) => [example.file, example.code] as const)]) {
    mkdirSync(dirname(join(workshop, file)), { recursive: true });
    writeFileSync(join(workshop, file), code);
  }
}

/** An example with what it uses: what the package exports, and what all examples take for granted. */
function withImports(code: string): string {
  const declared = new Set([...code.matchAll(/\b(?:class|const|type|function) (\w+)/g)].map(([, name = '']) => name));
  const destructured = new Set(
    [...code.matchAll(/const [[{]([^=]*)[\]}] =/g)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []),
  );
  const used = new Set(code.match(/\b[A-Za-z]\w*\b/g) ?? []);
  const wanted = (name: string): boolean => used.has(name) && !declared.has(name) && !destructured.has(name);
  const given = [
    'Todo',
    'User',
    'TodoResource',
    'resources',
    'store',
    'server',
    'recorder',
    'dispatch',
    'id',
    'userId',
    'href',
    'todo',
    'todos',
    'MyEndpoint',
    'error',
    'ErrorBoundary',
    'TodoRow',
  ];
  const imports = [
    ...[
      'rtk-resource',
      'rtk-resource/react',
      'rtk-resource/mock',
      'rtk-resource/devtools',
      'rtk-resource/normalize',
      'rtk-resource/offline',
    ].map((entry) => {
      const names = exported.filter((one) => one.entry === entry).map(({ name }) => name.split('.')[0] ?? name);
      return [entry, [...new Set(names)]] as const;
    }),
    ['@reduxjs/toolkit', ['configureStore']] as const,
    [join(root, 'test/support/examples.js'), given] as const,
  ];
  return [
    ...imports.map(
      ([from, names]) =>
        `import { ${names
          .filter(wanted)
          .map((name) => (isType(name) ? `type ${name}` : name))
          .join(', ')} } from '${from}';`,
    ),
    code,
    'export {};',
  ].join('\n');
}

function isType(name: string): boolean {
  return exported.some((one) => one.name === name && one.kind === 'Types');
}

let found: ReadonlyMap<string, string[]> | undefined;

/** What the compiler says about each snippet and each example, by its file; asked once for all. */
const complaints = (): ReadonlyMap<string, string[]> => (found ??= compile());

function compile(): ReadonlyMap<string, string[]> {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const files = [...snippets, ...examples].map(({ file }) => join(workshop, file));
  // `override` is a matter of taste that most readers' projects do not ask for.
  // Node and many bundlers take only types away.
  const taste = { ...options, noImplicitOverride: false, erasableSyntaxOnly: true };
  // What is published is found by the name of the package.
  if (process.env['TEST_DIST'] === '1') taste.paths = {};
  const program = ts.createProgram([join(root, 'test/support/docs.ts'), ...files], taste);
  const found = new Map<string, string[]>();
  // What is wrong with the library itself, its own check of types tells.
  const written = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(workshop));
  const diagnostics = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...written.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
  for (const { file, start, messageText } of diagnostics) {
    const path = file?.fileName.slice(workshop.length + 1) ?? '';
    const line = file ? file.getLineAndCharacterOfPosition(start ?? 0).line + 1 : 0;
    const text = `line ${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    found.set(path, [...(found.get(path) ?? []), text]);
  }
  return found;
}

async function run(snippet: Snippet): Promise<unknown> {
  // A store and its classes are of one snippet only.
  vi.resetModules();
  return import(/* @vite-ignore */ pathToFileURL(join(workshop, snippet.file)).href);
}

beforeAll(writeSnippets);
afterAll(() => {
  rmSync(workshop, { recursive: true, force: true });
});

describe('the snippets of README and docs', () => {
  it('compile, but for those that say they do not', { timeout: 600_000 }, () => {
    const found = complaints();
    const wrong = snippets.filter(({ file, words }) => found.has(file) !== words.includes('no-check'));

    expect(snippets).not.toEqual([]);
    expect(found.get('')).toBeUndefined();
    expect(
      wrong.map(({ place, file }) => [place, ...(found.get(file) ?? ['compiles, so it needs no no-check'])]),
    ).toEqual([]);
  });

  it('claim values only where they run', () => {
    const idle = snippets.filter((snippet) => claimsOf(snippet) > 0 && !snippet.words.includes('run'));

    expect(idle.map(({ place }) => place)).toEqual([]);
  });

  it.each(runnable)('run: $place', { timeout: 20_000 }, async (snippet) => {
    if (snippet.words.includes('warns')) expectWarning(/^rtk-resource: /);
    const claims = listenToClaims();
    const server = setupServer(...makeServer());
    server.listen({ onUnhandledRequest: 'error' });
    const { fetch } = globalThis;
    // As in a page, where addresses begin with its own.
    globalThis.fetch = (input, init) =>
      fetch(typeof input === 'string' ? new URL(input, 'https://example.com') : input, init);

    await run(snippet).finally(() => {
      globalThis.fetch = fetch;
      server.close();
    });

    expect(claims.broken).toEqual([]);
    expect(claims.kept.length).toBeGreaterThanOrEqual(claimsOf(snippet));
  });
});

describe('the examples in docstrings', () => {
  it('compile', { timeout: 120_000 }, () => {
    const wrong = examples.filter(({ file }) => complaints().has(file));

    expect(wrong.map(({ name, file, code }) => [name, code, ...(complaints().get(file) ?? [])])).toEqual([]);
  });

  it('are there for all that is exported, but for the types of the engine', () => {
    const bare = exported.filter(({ entry, kind, examples: own }) => {
      return own.length === 0 && (entry !== 'rtk-resource/normalize' || kind !== 'Types');
    });

    expect(exported).not.toEqual([]);
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  it('stand beside a sentence that says what it is', () => {
    expect(exported.filter(({ about }) => about === '').map(({ name }) => name)).toEqual([]);
  });
});

describe('the options', () => {
  const pageOf = (name: string) => exported.find((one) => one.name === name);

  it.each([
    'ResourcesOptions',
    'ResourceOptions',
    'EndpointSettings',
    'EndpointHooks',
    'EndpointOptions',
    'CollectionOptions',
    'Lifetimes',
    'MockOptions',
    'Retry',
  ])('of %s are told once each, in words', (name) => {
    const { members = [], bases = [] } = pageOf(name) ?? {};
    const inBases = bases.flatMap((base) => pageOf(base)?.members.map((member) => member.name) ?? []);
    // Declared anew, for their types are narrower.
    const anew: Readonly<Record<string, readonly string[]>> = {
      EndpointOptions: ['optimistic'],
      EndpointSettings: ['pollFrequency'],
      ResourceOptions: ['onConflict'],
    };

    expect(members).not.toEqual([]);
    expect(members.filter(({ about }) => about === '').map((member) => member.name)).toEqual([]);
    expect(members.map((member) => member.name).filter((one) => inBases.includes(one))).toEqual(anew[name] ?? []);
  });

  it('that are times tell their unit and their default', () => {
    const times = ['Lifetimes', 'EndpointSettings', 'ResourcesOptions', 'MockOptions'].flatMap((name) =>
      (pageOf(name)?.members ?? []).filter((member) => /length$|frequency$|timeout$|delay$/i.test(member.name)),
    );

    expect(times.map((member) => member.name)).toContain('holdTimeout');
    expect(times.filter(({ about, byDefault }) => !/\bin ms\b/.test(about) || byDefault === '')).toEqual([]);
  });
});

describe('the pages', () => {
  const codes = [...readFileSync(join(root, 'src/errors.ts'), 'utf8').matchAll(/^ {2}(R\d+):/gm)].map(
    ([, code]) => code,
  );
  const errorPages = pages.filter(({ path }) => /^docs\/errors\/R\d+\.md$/.test(path));

  it('are one for each error code, and no more', () => {
    const documented = errorPages.map(({ path }) => path.slice('docs/errors/'.length, -'.md'.length));

    expect(codes).not.toEqual([]);
    expect(documented.sort()).toEqual([...codes].sort());
    expect(errorPages.filter(({ path, text }) => !text.startsWith(`# ${path.slice(12, -3)}: `))).toEqual([]);
  });

  it('are in the list of error codes once each, under their titles', () => {
    const list = pages.find(({ path }) => path === 'docs/errors/index.md')?.text ?? '';
    const told = [...list.matchAll(/^- \[(R\d+)\]\(\1\.md\): (.*)$/gm)].map(([, code, title]) => `# ${code}: ${title}`);

    expect(told.sort()).toEqual(errorPages.map(({ text }) => text.split('\n')[0]).sort());
  });

  it('put ours beside the examples of others, not longer than they are', () => {
    const page = pages.find(({ path }) => path === 'docs/guides/optimistic-updates.md');
    const [, compared = ''] = /^### Beside RTK Query([^]*?)^### /m.exec(page?.text ?? '') ?? [];
    const topics = compared.split(/^#### /m).slice(1);
    const sizes = topics.map((topic) =>
      [...topic.matchAll(/^```tsx?(?: no-check)?\n([^]*?)^```/gm)].map(
        ([, code = '']) => code.split('\n').filter((line) => !/^(?:\s*|import .*|\/\/.*)$/.test(line)).length,
      ),
    );

    expect(topics.map((topic) => topic.split('\n')[0])).toEqual([
      'Change one item',
      'Add to a list',
      'Show in the list what is being sent',
      'Change when the server has answered',
    ]);
    for (const [ours, ...theirs] of sizes) {
      expect(theirs).not.toEqual([]);
      expect(ours).toBeLessThanOrEqual(Math.min(...theirs));
    }
  });

  it('lead nowhere that does not exist', () => {
    const headings = new Map(pages.map(({ path, text }) => [path, anchorsOf(text)]));
    const llms = { path: 'llms.txt', text: readFileSync(join(root, 'llms.txt'), 'utf8') };
    const lost = [...pages, llms].flatMap((page) =>
      linksOf(page)
        .filter((target) => {
          const [file = '', anchor] = target.split('#');
          return !existsSync(join(root, file)) || (anchor !== undefined && !headings.get(file)?.includes(anchor));
        })
        .map((target) => `${page.path} → ${target}`),
    );

    expect(pages.flatMap(linksOf)).not.toEqual([]);
    expect(lost).toEqual([]);
  });

  it('say which server their values come from, where it is not the mock of getting-started', () => {
    const isElsewhere = ({ words, code }: Snippet): boolean =>
      words.includes('run') && /https:\/\/example\.com|configureResources\(\)/.test(code) && /dispatch\(/.test(code);
    const silent = pages.filter(
      (page) =>
        page.path.startsWith('docs/guides/') &&
        snippetsOf(page).some(isElsewhere) &&
        !/example server of this documentation|from 'msw|mockServer\(/.test(page.text),
    );

    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it('name only files of src that are there', () => {
    const named = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/(?<![\w/.])(?:src\/)?((?:schema|tables|store|rest|react)\/\w+\.tsx?)\b/g)].map(
        ([, file = '']) => ({ path, file }),
      ),
    );

    expect(named).not.toEqual([]);
    expect(named.filter(({ file }) => !existsSync(join(root, 'src', file)))).toEqual([]);
  });
});

/** The anchors of a page's headings. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

describe('the page on performance', () => {
  const page = pages.find(({ path }) => path === 'docs/performance.md');
  const pictures = [...drawPictures(root)];

  it.each(pictures)('shows in %s what was measured', (path, drawn) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(drawn);
  });

  it.each(pictures)('says in words what %s shows', (path, drawn) => {
    const [, words = ''] = new RegExp(`!\\[(.*)\\]\\(${path.slice('docs/'.length)}\\)`).exec(page?.text ?? '') ?? [];
    const bars = [...drawn.matchAll(/end">(.*?)<[^]*?">([\d.,]+)</g)].map(
      ([, name = '', ms = '']) => [name, ms] as const,
    );

    expect(bars).not.toEqual([]);
    for (const [name, ms] of bars) expect(words).toMatch(new RegExp(`${name} ${ms.replace(',', ' ')} ms`));
  });
});

describe('the sizes', () => {
  it.each(['README.md', 'docs/index.md', 'docs/performance.md'])(
    'in %s are those that the build is held to',
    async (path) => {
      const { default: limits } = (await import(pathToFileURL(join(root, '.size-limit.mjs')).href)) as {
        default: readonly { readonly name: string; readonly limit: string }[];
      };
      const limitOf = (wanted: string): string => limits.find(({ name }) => name === wanted)?.limit ?? 'no limit';
      const text = pages.find((page) => page.path === path)?.text;

      expect(text).toContain(
        `${limitOf('a minimal use').replace(' kB', '')} to ${limitOf('the whole core')} (\`npx size-limit\`)`,
      );
      expect(text).toMatch(new RegExp(`[Ww]ith hooks,?(?: they are)? ${limitOf('the core and the React entry')}`));
    },
  );

  it('stand in no other page', () => {
    const told = pages.filter(({ text }) => /\d kB (?:\(`npx size-limit`\)|, minified and gzipped)/.test(text));

    expect(told.map(({ path }) => path)).toEqual(['README.md', 'docs/index.md', 'docs/performance.md']);
  });
});
