/** Sizes as users pay them: minified for production, gzipped, without what they have anyway. */
const check = { gzip: true, ignore: ['@reduxjs/toolkit', 'react', 'react-redux'] };

export default [
  {
    ...check,
    name: 'a minimal use',
    path: 'dist/index.js',
    import: '{ createResource, configureResources, Entity }',
    limit: '12 kB',
  },
  { ...check, name: 'the whole core', path: 'dist/index.js', import: '*', limit: '12 kB' },
  {
    ...check,
    name: 'the core and the React entry',
    path: ['dist/index.js', 'dist/react.js'],
    limit: '15 kB',
    // What both entries share is counted once.
    modifyEsbuildConfig: (/** @type {object} */ config) => ({ ...config, splitting: true, format: 'esm' }),
  },
];
