import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { root } from './support/docs.js';

const isBuilt = process.env['TEST_DIST'] === '1';

/** What a bundler makes for production of some names of the package: the modules of ours that stand in it, and its text. */
async function bundled(names: string) {
  const { metafile, outputFiles } = await build({
    stdin: { contents: `export ${names} from 'rtk-resource';`, resolveDir: root },
    alias: { 'rtk-resource': isBuilt ? './dist/index.js' : './src/index.ts' },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: 'esm',
    packages: 'external',
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    write: false,
  });
  const modules = Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([path, { bytesInOutput }]) => path !== '<stdin>' && bytesInOutput > 0)
    .map(([path]) => path.replace(/^(?:src|dist)\/|\.[jt]s$/g, ''));
  const text = outputFiles.map((file) => file.text).join('');

  return { modules: modules.sort(), text, size: gzipSync(text).length };
}

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
