import { resolve } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

/** The file that somebody is writing. */
const file = resolve('test/written.ts');
const head = `
import { createResource, Entity } from 'rtk-resource';
import { useInfiniteResource, useResource, useSuspense } from 'rtk-resource/react';
class Todo extends Entity { id = 0; title = ''; }
const { get, getList } = createResource({ path: '/lists/:listId/todos/:id', schema: Todo, paginationField: 'page' });
`;
let text = '';
let version = 0;

const { config } = ts.readConfigFile('tsconfig.json', (name) => ts.sys.readFile(name)) as { readonly config: object };
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
const editor = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [file],
  getScriptVersion: (name) => (name === file ? String(version) : ''),
  getScriptSnapshot: (name) => {
    const content = name === file ? text : ts.sys.readFile(name);
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
  },
  getCurrentDirectory: () => process.cwd(),
  getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
  fileExists: (name) => ts.sys.fileExists(name),
  readFile: (name) => ts.sys.readFile(name),
});

/** What an editor offers where `|` stands. */
function offered(code: string): readonly string[] {
  const at = code.indexOf('|');
  text = head + code.replace('|', '');
  version++;
  return (editor.getCompletionsAtPosition(file, head.length + at, {})?.entries ?? []).map(({ name }) => name);
}

it.each([
  ['useResource(get, { i| })', 'id'],
  ['useResource(get, { | })', 'listId'],
  ['useResource(get({ listId: 1, id: 1 }), { se| })', 'select'],
  ['useResource(get({ listId: 1, id: 1 }), { select: (todo) => todo.| })', 'title'],
  ['useSuspense(get, { i| })', 'id'],
  ['useSuspense(get({ listId: 1, id: 1 }), { se| })', 'select'],
  ['useInfiniteResource(getList, { l| })', 'listId'],
  ['useInfiniteResource(getList({ listId: 1 }), { se| })', 'select'],
])('an editor offers in %s the name %s', { timeout: 60_000 }, (code, name) => {
  expect(offered(code)).toContain(name);
});
