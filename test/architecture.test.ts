import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { faults } from './faults/faults.mjs';

/** From left to right: a file imports from its own folder, or from one to the left. */
const law = ['errors', 'schema', 'tables', 'store', 'rest', 'react'];
/** Beside them: what stands for a server knows what data looks like, and nothing of who asks; what looks at a store knows all of it but hooks. */
const beside: Readonly<Record<string, readonly string[]>> = {
  mock: ['errors', 'schema', 'mock'],
  devtools: ['errors', 'schema', 'tables', 'store', 'mock', 'devtools'],
  // What keeps writes runs beside the store, and asks REST what they do.
  offline: ['errors', 'schema', 'tables', 'store', 'rest', 'offline'],
};

/** A package that an entry brings with it: it is small, and bundled. */
const isBundled = (layer: string, name: string): boolean => layer === 'offline' && name === 'idb';

/** The rooms of the store, likewise. What they share is beside them: the state, the actions, what an endpoint is to the store. */
const rooms = ['order', 'reading', 'lifetime', 'running'];
/** What puts the rooms together. */
const assembly = ['configureResources', 'middleware', 'reducer', 'hydrate'];

const root = fileURLToPath(new URL('../', import.meta.url));

interface SourceFile {
  /** From `src`, as in `schema/Entity.ts`. */
  readonly path: string;
  /** The folder of `src` that it is in; a file of `src` itself is its own. */
  readonly layer: string;
  readonly files: readonly string[];
  readonly packages: readonly string[];
  readonly hasDefaultExport: boolean;
}

const paths = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .sort();
const sources = paths.map(read);
const byPath = new Map(sources.map((source) => [source.path, source]));

function read(path: string): SourceFile {
  const tree = ts.createSourceFile(path, readFileSync(join(root, 'src', path), 'utf8'), ts.ScriptTarget.Latest, true);
  const names = importsOf(tree);

  return {
    path,
    layer: path.split('/')[0]?.replace(/\.tsx?$/, '') ?? '',
    files: names.filter((name) => name.startsWith('.')).map((name) => locate(path, name)),
    packages: names.filter((name) => !name.startsWith('.')).map(packageOf),
    hasDefaultExport: tree.statements.some(exportsDefault),
  };
}

/** Every module that a file names: imports, re-exports, `import()` of values and of types. */
function importsOf(node: ts.Node): string[] {
  const name = moduleOf(node);
  const found = name && ts.isStringLiteralLike(name) ? [name.text] : [];
  ts.forEachChild(node, (child) => {
    found.push(...importsOf(child));
  });

  return found;
}

function moduleOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return node.arguments[0];

  return undefined;
}

function exportsDefault(statement: ts.Statement): boolean {
  if (ts.isExportAssignment(statement)) return true;
  if (ts.isExportDeclaration(statement) && statement.exportClause) {
    const { exportClause } = statement;
    if (ts.isNamespaceExport(exportClause)) return exportClause.name.text === 'default';

    return exportClause.elements.some((element) => element.name.text === 'default');
  }

  return (
    ts.canHaveModifiers(statement) &&
    (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
  );
}

/** The file of `src` that an import leads to; where there is none, the path that it asks for. */
function locate(from: string, name: string): string {
  const target = posix.join(dirname(from), name).replace(/\.jsx?$/, '');

  return paths.find((path) => path.replace(/\.tsx?$/, '') === target) ?? target;
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

function layersOpenTo(source: SourceFile): readonly string[] {
  if (source.path === 'index.ts') return law.filter((layer) => layer !== 'react');

  return beside[source.layer] ?? law.slice(0, law.indexOf(source.layer) + 1);
}

/** The first way from `path` back to itself, if there is one. */
function circleThrough(path: string): readonly string[] | undefined {
  const seen = new Set<string>();
  const ways = [[path]];
  for (const way of ways) {
    for (const next of byPath.get(way.at(-1) ?? '')?.files ?? []) {
      if (next === path) return [...way, path];
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }

  return undefined;
}

/** `file → what it imports`, of every file that imports something it may not. */
function trespasses(isWrong: (source: SourceFile, name: string) => boolean, kind: 'files' | 'packages'): string[] {
  return sources.flatMap((source) =>
    source[kind].filter((name) => isWrong(source, name)).map((name) => `${source.path} → ${name}`),
  );
}

const isRedux = (name: string): boolean => /^(@reduxjs\/|redux|react-redux$)/.test(name);
const isReact = (name: string): boolean => ['react', 'react-dom', 'react-redux'].includes(name);

describe('the source tree', () => {
  it('has every file in a folder that the law of imports knows', () => {
    const strangers = sources.filter(
      ({ path, layer }) => path !== 'index.ts' && !law.includes(layer) && !(layer in beside),
    );

    expect(sources).not.toEqual([]);
    expect(strangers.map(({ path }) => path)).toEqual([]);
  });

  it('imports only from its own folder or from one to the left: errors ← schema ← tables ← store ← rest ← react, schema ← mock, and store ← devtools', () => {
    const wrong = trespasses((source, name) => {
      const target = byPath.get(name);

      return !target || target.path === 'index.ts' || !layersOpenTo(source).includes(target.layer);
    }, 'files');

    expect(wrong).toEqual([]);
  });

  it('keeps the rooms of the store apart: order ← reading ← lifetime ← running', () => {
    const roomOf = (path: string): string => /^store\/(\w+)\//.exec(path)?.[1] ?? '';
    const isOpen = (from: string, to: string): boolean => {
      if (roomOf(from) === '') return true;
      const name = /^store\/(\w+)\.ts$/.exec(to)?.[1] ?? '';

      return roomOf(to) === '' ? !assembly.includes(name) : rooms.indexOf(roomOf(to)) <= rooms.indexOf(roomOf(from));
    };
    const strangers = paths.map(roomOf).filter((room) => room !== '' && !rooms.includes(room));

    expect(strangers).toEqual([]);
    expect(trespasses(({ path }, name) => !isOpen(path, name), 'files')).toEqual([]);
  });

  it('keeps errors.ts free of imports', () => {
    const errors = sources.filter(({ layer }) => layer === 'errors');

    expect(errors.flatMap(({ files, packages }) => [...files, ...packages])).toEqual([]);
  });

  it('has no circle of imports', () => {
    const circles = sources.flatMap(({ path }) => circleThrough(path)?.join(' → ') ?? []);

    expect(circles).toEqual([]);
  });

  it('knows React in src/react and src/devtools alone', () => {
    const isOpen = ({ layer }: SourceFile): boolean => ['react', 'devtools'].includes(layer);

    expect(trespasses((source, name) => !isOpen(source) && isReact(name), 'packages')).toEqual([]);
  });

  it('knows nothing of Redux in schema, tables, mock, rest/path and rest/hooks', () => {
    const innocent = ({ layer, path }: SourceFile): boolean =>
      ['schema', 'tables', 'mock'].includes(layer) || ['rest/path.ts', 'rest/hooks.ts'].includes(path);

    expect(trespasses((source, name) => innocent(source) && isRedux(name), 'packages')).toEqual([]);
  });

  it('knows schemas in tables and store by what they can do, and none that an app may do without', () => {
    const optional = [
      'All',
      'Array',
      'Collection',
      'CollectionOperation',
      'Deletion',
      'Invalidate',
      'Lazy',
      'Query',
      'Union',
      'Values',
    ];
    const isOptional = (name: string): boolean => optional.some((schema) => name === `schema/${schema}.ts`);
    const engine = ({ layer }: SourceFile): boolean => ['tables', 'store'].includes(layer);

    // The arguments of a Query are a matter of types.
    expect(trespasses((source, name) => engine(source) && isOptional(name), 'files')).toEqual([
      'store/configureResources.ts → schema/Query.ts',
    ]);
  });

  it('imports no package that its users were not asked to install', () => {
    const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      peerDependencies: Record<string, string>;
    };

    expect(trespasses(({ layer }, name) => !(name in peerDependencies) && !isBundled(layer, name), 'packages')).toEqual(
      [],
    );
  });

  it('has no drawer named types, utils, helpers or common', () => {
    const drawers = sources.filter(({ path }) =>
      path.split('/').some((part) => /^(types\b|utils|helpers|common)/i.test(part)),
    );

    expect(drawers.map(({ path }) => path)).toEqual([]);
  });

  it('exports by name only', () => {
    expect(sources.filter(({ hasDefaultExport }) => hasDefaultExport).map(({ path }) => path)).toEqual([]);
  });
});

describe('each deliberate fault', () => {
  it.each(faults)('stands in its file just once: $name', ({ file, find }) => {
    expect(readFileSync(join(root, file), 'utf8').split(find)).toHaveLength(2);
  });
});
