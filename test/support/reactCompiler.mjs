import { transformAsync } from '@babel/core';

/**
 * Runs React Compiler over the components of a bundle, and leaves all else as it is.
 * @param {RegExp} files
 * @returns {import('vite').Plugin}
 */
export function reactCompiler(files) {
  return {
    name: 'react-compiler',
    enforce: 'pre',
    async transform(code, id) {
      if (!files.test(id)) return null;
      const compiled = await transformAsync(code, {
        filename: id,
        babelrc: false,
        configFile: false,
        sourceMaps: true,
        parserOpts: { plugins: ['typescript', 'jsx'] },
        plugins: [['babel-plugin-react-compiler', { panicThreshold: 'all_errors' }]],
      });
      return compiled?.code == null ? null : { code: compiled.code, map: compiled.map ?? null };
    },
  };
}
