// Puts a TypeScript file of this folder and the sources of the package into one file that Node runs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** A text of a source file, and what is to stand in its place. @typedef {{ file: string, find: string, put: string }} Change */

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');

/** Bundles a file, with a change to the package's sources where one is given; gives the path. @param {string} name @param {Change} [change] @param {string} [as] */
export async function bundle(name, change, as = name) {
  const outfile = join(root, '.build/referee', as.replace(/\.ts$/, '.mjs'));
  await build({
    entryPoints: [join(here, name)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    alias: { 'rtk-resource/mock': join(root, 'src/mock/index.ts'), 'rtk-resource': join(root, 'src/index.ts') },
    logLevel: 'error',
    plugins: change ? [changing(change)] : [],
  });
  return outfile;
}

/** @param {string} name */
export async function run(name) {
  const outfile = await bundle(name);
  await import(pathToFileURL(outfile).href);
}

/** @param {Change} change @returns {import('esbuild').Plugin} */
function changing({ file, find, put }) {
  const path = join(root, file);
  return {
    name: 'change',
    setup(builder) {
      builder.onLoad({ filter: /\.ts$/ }, (args) => {
        if (args.path !== path) return undefined;
        const parts = readFileSync(path, 'utf8').split(find);
        if (parts.length !== 2) throw new Error(`not found exactly once in ${file}: ${find}`);
        return { contents: parts.join(put), loader: 'ts' };
      });
    },
  };
}
