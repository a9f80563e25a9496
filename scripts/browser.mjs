// Makes of dist what a page loads without a bundler: modules for an import map, and one file for a script tag. Both are production builds:
// a page has no `process`, so nothing could tell them apart.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
/** @type {import('esbuild').BuildOptions} */
const shared = {
  absWorkingDir: dist,
  bundle: true,
  minify: true,
  target: 'es2022',
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"' },
};

await build({
  ...shared,
  entryPoints: [
    'index.js',
    'react.js',
    'normalize.js',
    'mock.js',
    'offline.js',
    'devtools.js',
    'devtools/production.js',
  ],
  outdir: 'browser',
  format: 'esm',
  splitting: true,
  chunkNames: 'shared-[hash]',
  packages: 'external',
});

// A page with one script tag has no Redux Toolkit either: the global brings what a store is made with.
await build({
  ...shared,
  stdin: {
    contents: `export * from './index.js'; export { configureStore, createSlice } from '@reduxjs/toolkit';`,
    resolveDir: dist,
  },
  outfile: 'rtk-resource.global.js',
  format: 'iife',
  globalName: 'RTKResource',
});
