// Bundles what `tsc -p tsconfig.build.json` left in .build/: ESM, CJS and rolled-up declarations.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { transform } from 'esbuild';
import { dts } from 'rollup-plugin-dts';

const input = {
  index: '.build/index.js',
  devtools: '.build/devtools/index.js',
  'devtools/production': '.build/devtools/production.js',
  mock: '.build/mock/index.js',
  normalize: '.build/tables/index.js',
  offline: '.build/offline/index.js',
  react: '.build/react/index.js',
};
const typesInput = {
  index: '.build/index.d.ts',
  devtools: '.build/devtools/index.d.ts',
  'devtools/production': '.build/devtools/production.d.ts',
  mock: '.build/mock/index.d.ts',
  normalize: '.build/tables/index.d.ts',
  offline: '.build/offline/index.d.ts',
  react: '.build/react/index.d.ts',
};
/** Everything that is not a file of ours is the user's to install, but for what is small, and bundled. */
const external = (/** @type {string} */ id) => !/^[./]/.test(id) && id !== 'idb';

/** What is bundled is a file of the entry that needs it. @type {import('rollup').Plugin} */
const bundled = {
  name: 'bundled',
  resolveId: (id) => (id === 'idb' ? resolve('node_modules/idb/build/index.js') : null),
};

/** React's server bundlers need the directive at the top of the entry; Rollup drops it from modules. */
const banner = (/** @type {import('rollup').RenderedChunk} */ chunk) =>
  chunk.isEntry && ['react', 'devtools', 'devtools/production'].includes(chunk.name) ? "'use client';" : '';

/** Hands tsc's source maps to Rollup, so that dist's maps lead to src. @type {import('rollup').Plugin} */
const tscSourceMaps = {
  name: 'tsc-source-maps',
  async load(id) {
    if (!id.endsWith('.js')) return null;
    if (id.includes('node_modules')) return null;
    const [code, map] = await Promise.all([readFile(id, 'utf8'), readFile(`${id}.map`, 'utf8')]);
    return { code: code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'), map };
  },
};

/** @type {import('esbuild').TransformOptions} */
const written = { legalComments: 'none', target: 'es2022', sourcemap: true };

/** What is published has no comments but those of its types: they would be a third of it. @type {import('rollup').OutputPlugin} */
const withoutComments = { name: 'without-comments', renderChunk: (code) => transform(code, written) };

/** Whoever reads the code reads the modules, as Node itself does; what tools of old require is as short as it can be. @type {import('rollup').OutputPlugin} */
const short = { name: 'short', renderChunk: (code) => transform(code, { ...written, minify: true }) };

/** What a namespace says of itself is lost on the way; there is one, `schema`. */
const aboutSchemas = 'The schemas by the names they have in the field; each is a class, and the type of what it makes.';

/** A `const` type parameter belongs to classes and functions; the alias that stands for a class in a namespace has none. @type {import('rollup').Plugin} */
const plainAliases = {
  name: 'plain-aliases',
  renderChunk: (code) =>
    code.replace(/^(type \w+<)const /gm, '$1').replace(/^(?=declare namespace )/m, `/** ${aboutSchemas} */\n`),
};

/**
 * The entry whose declarations a module is part of: the first that leads to it. TypeScript before 5.4 names in a user's declarations what
 * an entry declares itself, and not what it only hands on. @type {import('rollup').GetManualChunk}
 */
function entryOf(id, { getModuleInfo }) {
  const entries = [typesInput.normalize, typesInput.index, typesInput.react, typesInput.mock, typesInput.offline].map(
    (path) => resolve(path),
  );
  const entry = entries.find((path) => modulesFrom(path, getModuleInfo).has(id));
  return Object.entries(typesInput).find(([, path]) => resolve(path) === entry)?.[0];
}

/** What an entry needs of another must be exported there: otherwise a user's declarations could not name it. @type {import('rollup').Plugin} */
const nothingPrivate = {
  name: 'nothing-private',
  generateBundle(_options, bundle) {
    const chunks = Object.keys(bundle).filter((name) => name.startsWith('shared-'));
    if (chunks.length > 0) this.error(`Declarations that entries share, but none exports: ${chunks.join(', ')}`);
  },
};

/** All modules that an entry leads to. */
function modulesFrom(/** @type {string} */ entry, /** @type {import('rollup').GetModuleInfo} */ getModuleInfo) {
  const found = new Set([entry]);
  for (const id of found) for (const next of getModuleInfo(id)?.importedIds ?? []) found.add(next);
  return found;
}

/** @type {import('rollup').RollupOptions[]} */
export default [
  {
    input,
    external,
    plugins: [tscSourceMaps, bundled],
    treeshake: { moduleSideEffects: false },
    output: [
      {
        dir: 'dist',
        format: 'es',
        // A package leaves out folders that are called node_modules.
        entryFileNames: ({ name }) => (name.includes('node_modules') ? 'offline/idb.js' : '[name].js'),
        // Each module stays a file of its own: bundlers leave out a file that nothing is imported from (`sideEffects: false`), and
        // cannot always leave out a part of one.
        preserveModules: true,
        preserveModulesRoot: '.build',
        plugins: [withoutComments],
        sourcemap: 'hidden',
        banner,
      },
      {
        dir: 'dist',
        format: 'cjs',
        exports: 'named',
        interop: 'auto',
        entryFileNames: '[name].cjs',
        chunkFileNames: 'shared-[hash].cjs',
        plugins: [short],
        sourcemap: 'hidden',
        banner,
      },
    ],
  },
  {
    input: typesInput,
    external,
    plugins: [dts({ tsconfig: 'tsconfig.build.json' }), plainAliases, nothingPrivate],
    output: ['ts', 'cts'].map((kind) => ({
      dir: 'dist',
      format: 'es',
      entryFileNames: `[name].d.${kind}`,
      chunkFileNames: `shared-[hash].d.${kind}`,
      manualChunks: entryOf,
    })),
  },
];
