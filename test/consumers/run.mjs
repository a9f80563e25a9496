// Packs the package and uses it as its users do: `npm run matrix`, or `npm run matrix -- types vite` for parts of it. Each consumer is a folder of its
// own, outside of the repository, with the tarball installed. `--keep` leaves the folders.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { transform } from 'esbuild';
import { startServer } from './server.mjs';

/** @typedef {Record<string, string>} Dependencies */
/** @typedef {{ readonly name: string, readonly dependencies: Dependencies, check(folder: string): Promise<unknown> }} Consumer */

/** @typedef {{ readonly file: string, readonly words: readonly string[] }} Snippet */
/** @typedef {{ readPages(): readonly unknown[], snippetsOf(page: unknown): readonly Snippet[], filesOf(all: readonly Snippet[]): ReadonlyMap<string, string> }} SnippetReader */

const here = fileURLToPath(new URL('./', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'rtk-resource-'));
const isWindows = process.platform === 'win32';
const server = await startServer();
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

/** The first Redux Toolkit that is supported. */
const oldest = '2.0.1';
const newest = { rtk: '2.14.0', react: '19.3.1', redux: '9.3.1' };
const expected = { count: 2, shown: 'edited', html: '<p>edited, two</p>', result: '7' };
const nodes = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' };
const compilers = { 5.2: '5.2.2', 5.4: '5.4.5', 5.9: '5.9.3', '6.0': '6.0.3', '7.0': '7.0.2' };

/** What an app of these versions has. @returns {Dependencies} */
function versions(rtk = newest.rtk, react = newest.react) {
  return { '@reduxjs/toolkit': rtk, react, 'react-dom': react, 'react-redux': newest.redux };
}

/** @param {string} file @param {readonly string[]} args @param {string} cwd @param {NodeJS.ProcessEnv} [env] */
async function run(file, args, cwd, env = {}) {
  const options = { cwd, env: { ...process.env, SERVER: server.url, ...env }, maxBuffer: 1e8, timeout: 240_000 };
  try {
    return (await promisify(execFile)(file, args, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
    throw new Error(`${file} ${args.join(' ')}\n${stdout}${stderr}`.slice(0, 4000), { cause: error });
  }
}

/** @param {readonly string[]} args @param {string} cwd */
function npm(args, cwd) {
  return isWindows ? run('cmd', ['/c', 'npm', ...args], cwd) : run('npm', args, cwd);
}

/** Runs an app, and holds what it prints against what it must. */
async function expectAnswer(
  /** @type {string} */ node,
  /** @type {string} */ file,
  /** @type {string} */ folder,
  mode = 'production',
) {
  const lines = (await run(node, [file], folder, { NODE_ENV: mode })).trim().split('\n');
  const told = JSON.stringify(JSON.parse(lines.at(-1) ?? ''));
  if (told !== JSON.stringify(expected)) throw new Error(`${file} says ${told}`);
}

/** @returns {Consumer} */
const bundled = (/** @type {string} */ name, /** @type {Dependencies} */ dependencies) => ({
  name,
  dependencies: { ...versions(), ...dependencies },
  check: async (folder) => {
    cpSync(join(here, 'bundlers.mjs'), join(folder, 'bundle.mjs'));
    await run(process.execPath, ['bundle.mjs', name], folder, { NODE_ENV: 'production' });
    await expectAnswer(process.execPath, join('out', 'out.mjs'), folder);
  },
});

/** Every Node runs ES modules and CommonJS, in development and in production. @returns {Consumer} */
const onNode = (/** @type {string} */ rtk, /** @type {string} */ react) => ({
  name: `node, RTK ${rtk}, React ${react}`,
  dependencies: {
    ...versions(rtk, react),
    ...Object.fromEntries(
      Object.entries(nodes).map(([major, version]) => [
        `node${major}`,
        `npm:node-${isWindows ? 'win' : process.platform}-${process.arch}@${version}`,
      ]),
    ),
  },
  check: async (folder) => {
    for (const major of Object.keys(nodes)) {
      const node = join(folder, 'node_modules', `node${major}`, 'bin', isWindows ? 'node.exe' : 'node');
      for (const file of ['main.mjs', 'main.cjs']) {
        for (const mode of ['development', 'production']) await expectAnswer(node, file, folder, mode);
      }
    }
  },
});

/** Each compiler declares a library of resources, and an app sees of it nothing but that. @type {Consumer} */
const types = {
  name: 'types',
  dependencies: {
    ...versions(),
    '@types/react': '19.3.0',
    '@types/node': '20.19.43',
    ...Object.fromEntries(
      Object.entries(compilers).map(([name, version]) => [`typescript-${name}`, `npm:typescript@${version}`]),
    ),
  },
  check: async (folder) => {
    cpSync(join(here, 'library'), join(folder, 'library'), { recursive: true });
    cpSync(join(here, 'uses.ts'), join(folder, 'uses.ts'));
    for (const compiler of Object.keys(compilers)) {
      for (const resolution of ['nodenext', 'bundler']) await declare(folder, compiler, resolution);
    }
    await compile(folder, '5.9', 'node10', { module: 'commonjs', moduleResolution: 'node10' }, ['library']);
    // A server has no lib `dom`: what of it our declarations name, those of Node must have, too.
    const ofServer = { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022'], types: ['node'] };
    await compile(folder, '5.9', 'server', ofServer, ['library']);
  },
};

/** The snippets of README and docs compile with the last compiler that takes `void` for a value, as the unit tests compile them with ours. @type {Consumer} */
const snippets = {
  name: 'docs',
  dependencies: {
    ...versions(),
    '@types/react': '19.3.0',
    '@types/react-dom': '19.3.0',
    '@types/node': '20.19.43',
    msw: '2.15.0',
    'redux-persist': '6.0.0',
    'typescript-5.9': `npm:typescript@${compilers['5.9']}`,
    vitest: '4.1.12',
  },
  check: async (folder) => {
    const all = await writeSnippets(join(folder, 'snippets'));
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      strict: true,
      exactOptionalPropertyTypes: true,
      jsx: 'react-jsx',
      skipLibCheck: true,
      noEmit: true,
      types: ['node'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['snippets'] }));
    const tsc = join('node_modules', 'typescript-5.9', 'bin', 'tsc');
    const said = await run(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], folder).catch(String);
    const lines = said.split('\n').filter((line) => /error TS/.test(line));
    const isMeant = (/** @type {string} */ line) =>
      all.some(({ file, words }) => words.includes('no-check') && line.startsWith(`snippets/${file}(`));
    const wrong = lines.map((line) => line.replaceAll('\\', '/')).filter((line) => !isMeant(line));
    if (wrong.length > 0) throw new Error(wrong.join('\n').slice(0, 4000));
    if (lines.length === 0) throw new Error('No snippet fails that is meant to: were they compiled?');
  },
};

/** Writes each snippet as a file; what reads them is TypeScript, which not every Node runs. @returns {Promise<readonly Snippet[]>} */
async function writeSnippets(/** @type {string} */ folder) {
  const code = readFileSync(join(root, 'docs', '.vitepress', 'snippets.ts'), 'utf8');
  // Beside what else is built, for it finds the pages from where it stands.
  const path = join(root, '.build', 'matrix', 'snippets.mjs');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, (await transform(code, { loader: 'ts' })).code);
  const loaded = /** @type {unknown} */ (await import(pathToFileURL(path).href));
  const { filesOf, readPages, snippetsOf } = /** @type {SnippetReader} */ (loaded);
  const all = readPages().flatMap(snippetsOf);
  for (const [file, text] of filesOf(all)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return all;
}

async function declare(/** @type {string} */ folder, /** @type {string} */ compiler, /** @type {string} */ resolution) {
  const module = resolution === 'bundler' ? 'esnext' : 'nodenext';
  const options = { module, moduleResolution: resolution };
  const out = await compile(folder, compiler, resolution, options, ['library']);
  // The declarations stand beside an app, and the library is away.
  const name = `app-${compiler}-${resolution}`;
  const app = join(folder, name);
  cpSync(join(folder, out, 'library'), join(app, 'library'), { recursive: true });
  cpSync(join(folder, 'uses.ts'), join(app, 'uses.ts'));
  await compile(folder, compiler, name, options, [`${name}/**/*`]);
}

/** Compiles with declarations; what a compiler says of other packages, whose declarations are newer than it, does not count. */
async function compile(
  /** @type {string} */ folder,
  /** @type {string} */ compiler,
  /** @type {string} */ name,
  /** @type {object} */ options,
  /** @type {readonly string[]} */ include,
) {
  const out = `out-${compiler}-${name}`;
  const config = {
    compilerOptions: {
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noImplicitOverride: true,
      composite: true,
      emitDeclarationOnly: true,
      skipLibCheck: false,
      types: [],
      rootDir: '.',
      outDir: out,
      ...options,
    },
    include,
  };
  writeFileSync(join(folder, `tsconfig.${out}.json`), JSON.stringify(config));
  const tsc = join('node_modules', `typescript-${compiler}`, 'bin', 'tsc');
  const said = await run(process.execPath, [tsc, '-p', `tsconfig.${out}.json`], folder).catch(String);
  const ours = said
    .split('\n')
    .filter((line) => /error TS/.test(line) && !/^node_modules[\\/](?!rtk-resource)/.test(line));
  if (ours.length > 0) throw new Error(`TypeScript ${compiler}, ${name}:\n${ours.join('\n')}`);
  return out;
}

/** @type {Consumer} */
const jest = {
  name: 'jest',
  dependencies: { ...versions(), jest: '30.5.2' },
  check: async (folder) => {
    writeFileSync(join(folder, 'jest.config.cjs'), `module.exports = { testMatch: ['**/jest.cjs'] };`);
    await run(process.execPath, [join('node_modules', 'jest', 'bin', 'jest.js')], folder, { NODE_ENV: 'test' });
  },
};

/** A page without a bundler: there is no `process`. @type {Consumer} */
const page = {
  name: 'page',
  dependencies: versions(),
  check: async (folder) => {
    const dist = join(folder, 'node_modules', 'rtk-resource', 'dist');
    for (const file of readdirSync(join(dist, 'browser'), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.js')) continue;
      if (/\bprocess\.env\b/.test(readFileSync(join(dist, 'browser', file), 'utf8')))
        throw new Error(`${file} needs process`);
    }
    const code = readFileSync(join(dist, 'rtk-resource.global.js'), 'utf8');
    const names = [
      'AbortController',
      'AbortSignal',
      'Blob',
      'DOMException',
      'fetch',
      'FormData',
      'Headers',
      'Request',
      'Response',
      'URL',
      'URLSearchParams',
    ];
    const timers = { setTimeout, clearTimeout, queueMicrotask };
    const platform = Object.fromEntries(names.map((name) => [name, Reflect.get(globalThis, name)]));
    const window = { ...platform, ...timers, server: server.url };
    const script = `${code}
      class Todo extends RTKResource.Entity { static key = 'Todo'; id = 0; title = ''; }
      const TodoResource = RTKResource.createResource({ urlPrefix: server, path: '/todos/:id', schema: Todo });
      const resources = RTKResource.configureResources();
      const store = RTKResource.configureStore({
        reducer: { resources: resources.reducer },
        middleware: (getDefault) => getDefault().concat(resources.middleware),
      });
      store.dispatch(TodoResource.getList()).unwrap().then((todos) => todos.map(({ title }) => title).join(', '));`;
    const titles = /** @type {unknown} */ (await runInNewContext(script, window));
    if (titles !== 'one, two') throw new Error(`The page shows ${String(titles)}`);
  },
};

/** @type {readonly Consumer[]} */
const consumers = [
  types,
  snippets,
  ...[oldest, newest.rtk].flatMap((rtk) => ['18.3.1', newest.react].map((react) => onNode(rtk, react))),
  bundled('vite', { vite: '8.3.8' }),
  bundled('webpack', { webpack: '5.112.2' }),
  bundled('esbuild', { esbuild: '0.28.2' }),
  bundled('parcel', { '@parcel/core': '2.16.4', '@parcel/config-default': '2.16.4' }),
  jest,
  page,
];

console.log((await npm(['pack', '--pack-destination', work], root)).trim().split('\n').at(-1));
const [tarball = ''] = readdirSync(work).filter((file) => file.endsWith('.tgz'));
let failed = 0;
const chosen = consumers.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.startsWith(part)));
for (const { name, dependencies, check } of chosen) {
  const folder = join(work, name.replace(/\W+/g, '-'));
  const started = performance.now();
  try {
    mkdirSync(folder);
    cpSync(join(here, 'app'), folder, { recursive: true });
    const about = {
      private: true,
      type: 'module',
      dependencies: { ...dependencies, 'rtk-resource': `file:../${tarball}` },
    };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(about));
    // RTK 2.0 is older than React 19, and says so.
    const peers = dependencies['@reduxjs/toolkit'] === oldest && dependencies['react'] === newest.react;
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', `--legacy-peer-deps=${peers}`];
    await npm(['install', ...options], folder);
    await check(folder);
    console.log(`ok      ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error instanceof Error ? error.message : String(error)}`);
  }
}
server.close();
if (process.argv.includes('--keep')) console.log(work);
else rmSync(work, { recursive: true, force: true });
console.log(`${chosen.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 && chosen.length > 0 ? 0 : 1;
