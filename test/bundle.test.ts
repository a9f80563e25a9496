import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { root } from './support/docs.js';

const isBuilt = process.env['TEST_DIST'] === '1';

const entries = isBuilt
  ? { index: './dist/index.js', normalize: './dist/normalize.js', devtools: './dist/devtools.js' }
  : { index: './src/index.ts', normalize: './src/tables/index.ts', devtools: './src/devtools/index.ts' };

/** What a bundler makes of some names of the package: the modules of ours that stand in it, and its text. */
async function bundled(names: string, entry: keyof typeof entries = 'index', mode = 'production') {
  const { metafile, outputFiles } = await build({
    stdin: { contents: `export ${names} from '${entries[entry]}';`, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: 'esm',
    packages: 'external',
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    metafile: true,
    write: false,
  });
  const modules = Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([path, { bytesInOutput }]) => path !== '<stdin>' && bytesInOutput > 0)
    .map(([path]) => path.replace(/^(?:src|dist)\/|\.[jt]sx?$/g, ''));
  const text = outputFiles.map((file) => file.text).join('');

  return { modules: modules.sort(), text, size: gzipSync(text).length };
}

const minimal = '{ createResource, configureResources, Entity }';

describe('a bundle of one name', () => {
  it.each([
    ['isTemporary', 'schema/temporary'],
    ['Entity', 'schema/Entity'],
  ])('of %s holds %s and nothing else, in less than 1 kB', async (name, file) => {
    const { modules, size } = await bundled(`{ ${name} }`);

    expect(modules).toEqual([file]);
    expect(size).toBeLessThan(1000);
  });
});

describe('a bundle of createResource, configureResources and Entity', () => {
  it('holds all modules of the core but these, which bring their own code', async () => {
    const [{ modules: all }, { modules }] = await Promise.all([bundled('*'), bundled(minimal)]);

    expect(all.filter((file) => !modules.includes(file))).toEqual([
      'schema/All',
      'schema/Array',
      'schema/Invalidate',
      'schema/Lazy',
      'schema/Query',
      'schema/Union',
      'schema/Values',
      'schema/index',
    ]);
  });

  it.each([
    ['Union', 'schema.Union'],
    ['Values', 'an object of values by name'],
    ['Query', '.computed(this'],
    ['All', 'showsAll=!0'],
    ['Lazy', 'isLazy=!0'],
  ])('has nothing of schema.%s', async (_name, text) => {
    const [all, { text: bundle }] = await Promise.all([bundled('*'), bundled(minimal)]);

    expect(all.text).toContain(text);
    expect(bundle).not.toContain(text);
  });
});

describe('a bundle for production', () => {
  it.each([
    ['an error', 'no resource middleware was there to run it'],
    ['a warning', 'has no static key, so its table is called after the class'],
    ['what is said before each warning', 'rtk-resource: '],
  ])('has not the text of %s, which development has', async (_what, text) => {
    const [production, development] = await Promise.all([bundled('*'), bundled('*', 'index', 'development')]);

    expect(development.text).toContain(text);
    expect(production.text).not.toContain(text);
  });
});

describe('a bundle of rtk-resource/devtools', () => {
  it('has the panel in development, and less than 100 bytes for production', async () => {
    const names = '{ ResourceDevtools, ResourceDevtoolsPanel, recordResources }';
    const [development, production, panel] = await Promise.all([
      bundled(names, 'devtools', 'development'),
      bundled(names, 'devtools'),
      bundled('{ ResourceDevtools }', 'devtools'),
    ]);

    expect(development.modules).toContain('devtools/panel/Panel');
    expect(production.modules.filter((file) => !/^devtools(?:\/index)?$/.test(file))).toEqual([]);
    expect(panel.size).toBeLessThan(100);
  });
});

describe('a bundle of rtk-resource/normalize', () => {
  it('holds tables, errors and the schemas that have a short form, and no store', async () => {
    const { modules } = await bundled('*', 'normalize');
    const schemas = modules.filter((file) => file.startsWith('schema/'));

    expect(modules.filter((file) => !/^(?:schema|tables)\//.test(file))).toEqual(['errors']);
    expect(schemas.map((file) => file.replace('schema/', ''))).toEqual([
      'ArrayOf',
      'Entity',
      'EntitySchema',
      'Object',
      'Schema',
      'deserialize',
      'entityClass',
      'freezing',
      'json',
      'listKey',
      'sameShape',
      'schemaOf',
      'temporary',
    ]);
  });
});
