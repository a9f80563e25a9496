import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { root } from '../support/docs.js';

/** An app's module; what is hovered over ends at a mark. */
const marked = `
import { Collection, createResource, Entity, RestEndpoint, schema } from 'rtk-resource';
class Todo extends Entity {
  id = 0;
  userId = 0;
  title = '';
  completed = false;
  createdAt = new Date(0);
  static override key = 'Todo';
  static override schema = { createdAt: (iso: string) => new Date(iso) };
}
const TodoResource = createResource({
  urlPrefix: 'https://example.com',
  path: '/todos/:id',
  schema: Todo,
  searchParams: {} as { userId?: number; orderBy?: string } | undefined,
  paginationField: 'page',
});
TodoResource.get/*get*/;
TodoResource.getList/*getList*/;
TodoResource.getList.push/*push*/;
TodoResource.getList.getPage/*getPage*/;
TodoResource.update/*update*/;
TodoResource.partialUpdate/*partialUpdate*/;
TodoResource.delete/*delete*/;
TodoResource.get/*calledGet*/({ id: 5 });
TodoResource.getList/*calledGetList*/({ userId: 1 });
TodoResource.delete/*calledDelete*/({ id: 5 });
TodoResource.update/*calledUpdate*/({ id: 5 }, { title: 'x' });
const request/*request*/ = TodoResource.getList();
const { current } = TodoResource.extend('current', { path: '/current', searchParams: undefined });
current/*added*/;
const { get } = TodoResource.extend({ get: { path: '/users/:user' } });
get/*changed*/;
const search/*single*/ = new RestEndpoint({ path: '/search', schema: { results: new schema.Array(Todo), total: 0 } });
`;

const file = join(root, 'test/hovered.ts');

/** What an editor shows at each mark. */
function hovers(): ReadonlyMap<string, string> {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const read = (path: string) => (path === file ? marked : ts.sys.readFile(path));
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = read(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: read,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    ...(ts.sys.realpath && { realpath: ts.sys.realpath }),
  });
  const marks = [...marked.matchAll(/\/\*(\w+)\*\//g)];
  return new Map(
    marks.map(({ 1: name = '', index }) => {
      const info = service.getQuickInfoAtPosition(file, index - 1);
      return [name, ts.displayPartsToString(info?.displayParts).replace(/\s+/g, ' ')];
    }),
  );
}

describe('what an editor shows', { timeout: 60_000 }, () => {
  const shown = hovers();

  it.each([...shown])('of %s is short, and names nothing that a user does not know', (_, text) => {
    expect(text).not.toBe('');
    expect(text.length).toBeLessThan(400);
    expect(text).not.toMatch(
      /\b(any|Undeclared|Override|Extended|Flat|SameAs|Given|Omit|Pick|ListMembers|PageMember|\w+Of|\w+In)\b|\.\.\./,
    );
  });

  it('of a member is its definition', () => {
    expect(shown.get('get')).toBe(
      '(property) get: RestEndpoint<{ path: "/todos/:id"; searchParams: undefined; body: undefined; schema: typeof Todo; }>',
    );
    expect(shown.get('changed')).toMatch(/path: "\/users\/:user"/);
    expect(shown.get('push')).toMatch(/path: "\/todos"; searchParams: \{ userId\?: number; orderBy\?: string; \}/);
  });

  it('of a call is its arguments and its value', () => {
    expect(shown.get('calledGet')).toMatch(/\(params: \{ id: PathValue; \}\) => Request<Todo>$/);
    expect(shown.get('calledDelete')).toMatch(/\(params: \{ id: PathValue; \}\) => WriteRequest<undefined>$/);
    expect(shown.get('calledUpdate')).toMatch(/\(params: \{ id: PathValue; \}, body: .*\) => WriteRequest<Todo>$/);
    expect(shown.get('request')).toBe('const request: Request<Todo[]>');
  });
});
