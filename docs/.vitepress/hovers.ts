/**
 * What an editor shows of each name in a snippet. The snippets are files of one project, as in the test that compiles them, so that they know each other; one
 * language service answers for all.
 */
import { join } from 'node:path';
import ts from 'typescript';
import { wordsOf } from './docstrings.js';
import { filesOf, readPages, root, snippetsOf, type Snippet } from './snippets.js';

/** The type of a name, where it stands in its snippet. */
export interface Hover {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Inside the package, so that its own name leads to it; nothing is written there. */
const folder = join(root, '.build', 'docs-site');
const longest = 600;

/** Makes what tells the types in a piece of code of the pages; nothing, where the code is on none of them. */
export function hovers(): (code: string) => readonly Hover[] {
  let known: { readonly byCode: ReadonlyMap<string, Snippet>; readonly service: ts.LanguageService } | undefined;
  const seen = new Map<Snippet, readonly Hover[]>();
  return (code) => {
    // Made when it is first asked, for a site that is built already has no use for it.
    known ??= project();
    const snippet = known.byCode.get(code.trimEnd());
    if (!snippet) return [];
    // Pages are rendered for the browser, for the server and for the search.
    const found = seen.get(snippet) ?? hoversIn(known.service, join(folder, snippet.file));
    seen.set(snippet, found);
    return found;
  };
}

function project() {
  const snippets = readPages()
    .flatMap(snippetsOf)
    .filter(({ words }) => !words.includes('no-check'));
  const byCode = new Map(snippets.map((snippet) => [snippet.code.trimEnd(), snippet]));
  return { byCode, service: serviceOf(filesOf(snippets)) };
}

function serviceOf(contents: ReadonlyMap<string, string>): ts.LanguageService {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const files = new Map([...contents].map(([file, code]) => [join(folder, file), code]));
  return ts.createLanguageService({
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    directoryExists: (path) => ts.sys.directoryExists(path),
    getDirectories: (path) => ts.sys.getDirectories(path),
    readDirectory: (path, ...how) => ts.sys.readDirectory(path, ...how),
    realpath: (path) => ts.sys.realpath?.(path) ?? path,
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...files.keys()],
    getScriptVersion: () => '0',
    getScriptSnapshot: (path) => {
      const text = files.get(path) ?? ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    readFile: (path, encoding) => files.get(path) ?? ts.sys.readFile(path, encoding),
    fileExists: (path) => files.has(path) || ts.sys.fileExists(path),
  });
}

function hoversIn(service: ts.LanguageService, file: string): readonly Hover[] {
  const source = service.getProgram()?.getSourceFile(file);
  if (!source) return [];
  const found: Hover[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const start = node.getStart(source);
      const info = service.getQuickInfoAtPosition(file, start);
      const text = info && textOf(info);
      if (text) found.push({ start, end: node.getEnd(), text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function textOf({ displayParts, documentation, tags = [] }: ts.QuickInfo): string {
  // An alias is what it stands for.
  const type = ts
    .displayPartsToString(displayParts)
    .replace(/^\(alias\) /, '')
    .replace(/\nimport \w+$/, '');
  const defaults = tags.filter(({ name }) => name === 'default').map(({ text }) => `Default: ${wordsOf(text)}`);
  const about = [wordsOf(documentation), ...defaults].filter(Boolean).join('\n');
  const shown = type.length > longest ? `${type.slice(0, longest)}…` : type;
  return about === '' ? shown : `${shown}\n\n${about}`;
}
