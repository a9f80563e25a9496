/** The script of the playground's frame: what snippets import, the compiler and the servers, in one file without a network. */
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { root } from './snippets.js';

/** Writes the script beside the other files that the site serves as they are. */
export function writeFrame(): void {
  buildSync({
    absWorkingDir: root,
    entryPoints: ['docs/.vitepress/frame/main.ts'],
    outfile: join(root, 'docs/public/playground-frame.js'),
    bundle: true,
    minify: true,
    keepNames: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    tsconfig: join(root, 'docs/.vitepress/tsconfig.json'),
    // Errors and warnings are those that a reader meets while developing.
    define: { 'process.env.NODE_ENV': '"development"' },
    // msw brings a GraphQL parser along, which no snippet uses.
    alias: { graphql: join(root, 'docs/.vitepress/frame/nothing.ts') },
    inject: ['docs/.vitepress/frame/storage.ts'],
    logLevel: 'warning',
  });
}
