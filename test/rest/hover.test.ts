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
TodoResource.update({ id: 5 }, { /*bodyFields*/ });
TodoResource.getList.push({ userId: 1 }, { /*newFields*/ });
TodoResource.get./*members*/;
const search/*single*/ = new RestEndpoint({ path: '/search', schema: { results: new schema.Array(Todo), total: 0 } });
`;

const file = join(root, 'test/hovered.ts');

/** An editor's view of the module. */
function languageService(): ts.LanguageService {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const read = (path: string) => (path === file ? marked : ts.sys.readFile(path));
  return ts.createLanguageService({
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
}

const marks = [...marked.matchAll(/\/\*(\w+)\*\//g)];

/** What an editor shows at each mark that follows a name. */
function hovers(service: ts.LanguageService): ReadonlyMap<string, string> {
  return new Map(
    marks.flatMap(({ 1: name = '', index }) => {
      const info = service.getQuickInfoAtPosition(file, index - 1);
      return info ? [[name, ts.displayPartsToString(info.displayParts).replace(/\s+/g, ' ')] as const] : [];
    }),
  );
}

/** What an editor lists at a mark, in its order. */
function completions(service: ts.LanguageService, mark: string): readonly string[] {
  const { entries = [] } = service.getCompletionsAtPosition(file, marked.indexOf(`/*${mark}*/`), {}) ?? {};
  const sorted = [...entries].sort((a, b) => (a.sortText + a.name < b.sortText + b.name ? -1 : 1));
  return sorted.map(({ name }) => name);
}

const service = languageService();

describe('what an editor shows', { timeout: 60_000 }, () => {
  const shown = hovers(service);

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
    expect(shown.get('calledGet')).toMatch(
      /\(params: \{ id: PathValue; \}\) => Request<Todo, Actions<\{ path: [^<>]*\}>>$/,
    );
    expect(shown.get('calledDelete')).toMatch(
      /\(params: \{ id: PathValue; \}\) => WriteRequest<undefined, Actions<\{.*\}>>$/,
    );
    expect(shown.get('calledUpdate')).toMatch(
      /\(params: \{ id: PathValue; \}, body: .*\) => WriteRequest<Todo, Actions<\{.*\}>>$/,
    );
    expect(shown.get('request')).toMatch(/^const request: Request<Todo\[\], Actions<\{.*\}>>$/);
  });
});

describe('what an editor lists', { timeout: 60_000 }, () => {
  it('in a body are the fields of the entity', () => {
    const fields = ['completed', 'createdAt', 'id', 'title', 'userId'];

    expect(completions(service, 'bodyFields')).toEqual(fields);
    expect(completions(service, 'newFields')).toEqual(fields);
  });

  it('of an endpoint is what a user may call and read', () => {
    const members = completions(service, 'members');

    expect(members).toContain('fetch');
    expect(members).not.toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^(run|expect|attempted|confirmed|named|line|plainArgs|shape|value)$/),
      ]),
    );
  });
});
