// How each bundler makes one file of the app, for production. Called in the folder of the consumer: `node bundle.mjs NAME`.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const folder = `${process.cwd()}/`;
const require = createRequire(folder);
const load = (/** @type {string} */ name) => import(pathToFileURL(require.resolve(name)).href);

/** @type {Record<string, () => Promise<unknown>>} */
const bundlers = {
  vite: async () => {
    const { build } = await load('vite');
    await build({
      root: folder,
      logLevel: 'error',
      build: {
        target: 'es2022',
        modulePreload: false,
        outDir: 'out',
        rollupOptions: { input: 'main.mjs', output: { entryFileNames: 'out.mjs' } },
      },
    });
  },
  esbuild: async () => {
    const { build } = await load('esbuild');
    await build({
      absWorkingDir: folder,
      entryPoints: ['main.mjs'],
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      outfile: 'out/out.mjs',
    });
  },
  webpack: async () => {
    const { default: webpack } = await load('webpack');
    const stats = await new Promise((resolve, reject) => {
      webpack(
        {
          context: folder,
          mode: 'production',
          target: 'web',
          entry: './main.mjs',
          experiments: { outputModule: true },
          output: { path: `${folder}out`, filename: 'out.mjs', module: true, chunkFormat: 'module' },
          performance: { hints: false },
        },
        (/** @type {unknown} */ error, /** @type {unknown} */ found) => (error ? reject(error) : resolve(found)),
      );
    });
    if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString('errors-warnings'));
  },
  parcel: async () => {
    const { Parcel } = await load('@parcel/core');
    const parcel = new Parcel({
      entries: 'main.mjs',
      defaultConfig: require.resolve('@parcel/config-default'),
      mode: 'production',
      env: { NODE_ENV: 'production' },
      shouldDisableCache: true,
      targets: {
        out: {
          distDir: 'out',
          distEntry: 'out.mjs',
          context: 'browser',
          outputFormat: 'esmodule',
          isLibrary: false,
          includeNodeModules: true,
          sourceMap: false,
          engines: { browsers: ['Chrome 120'] },
        },
      },
    });
    await parcel.run();
  },
};

await bundlers[process.argv[2] ?? '']?.();
