// Bundles what `tsc -p tsconfig.build.json` left in .build/: ESM, CJS and rolled-up declarations.
import { readFile } from 'node:fs/promises';
import { dts } from 'rollup-plugin-dts';

const input = { index: '.build/index.js', react: '.build/react/index.js' };
const typesInput = { index: '.build/index.d.ts', react: '.build/react/index.d.ts' };
/** Everything that is not a file of ours is the user's to install. */
const external = (/** @type {string} */ id) => !/^[./]/.test(id);
/** React's server bundlers need the directive at the top of the entry; Rollup drops it from modules. */
const banner = (/** @type {import('rollup').RenderedChunk} */ chunk) =>
  chunk.isEntry && chunk.name === 'react' ? "'use client';" : '';

/** Hands tsc's source maps to Rollup, so that dist's maps lead to src. @type {import('rollup').Plugin} */
const tscSourceMaps = {
  name: 'tsc-source-maps',
  async load(id) {
    if (!id.endsWith('.js')) return null;
    const [code, map] = await Promise.all([readFile(id, 'utf8'), readFile(`${id}.map`, 'utf8')]);
    return { code: code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'), map };
  },
};

/** @type {import('rollup').RollupOptions[]} */
export default [
  {
    input,
    external,
    plugins: [tscSourceMaps],
    treeshake: { moduleSideEffects: false },
    output: [
      {
        dir: 'dist',
        format: 'es',
        entryFileNames: '[name].js',
        chunkFileNames: 'shared-[hash].js',
        sourcemap: true,
        banner,
      },
      {
        dir: 'dist',
        format: 'cjs',
        exports: 'named',
        interop: 'auto',
        entryFileNames: '[name].cjs',
        chunkFileNames: 'shared-[hash].cjs',
        sourcemap: true,
        banner,
      },
    ],
  },
  {
    input: typesInput,
    external,
    plugins: [dts({ tsconfig: 'tsconfig.build.json' })],
    output: [
      { dir: 'dist', format: 'es', entryFileNames: '[name].d.ts', chunkFileNames: 'shared-[hash].d.ts' },
      { dir: 'dist', format: 'es', entryFileNames: '[name].d.cts', chunkFileNames: 'shared-[hash].d.cts' },
    ],
  },
];
