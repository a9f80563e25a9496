/** Sizes as users pay them: minified for production, gzipped, without what they have anyway. */
const check = { gzip: true, ignore: ['@reduxjs/toolkit', 'react', 'react-dom', 'react-redux'] };

/**
 * Tables, schemas, reducer, intents and selectors. No entry of the package is these alone, so what counts is what `src` exports of them,
 * with all that they import; `landing` is how intents settle. What runs requests does not count: middleware, subscriptions, endpoints,
 * resources.
 */
const dataAlone = {
  'src/schema/index.ts': '*',
  'src/schema/Entity.ts': '{ Entity, EntityMixin }',
  'src/schema/temporary.ts': '{ isTemporary }',
  'src/tables/changes.ts': '{ applyChanges }',
  'src/tables/normalize.ts': '{ normalize }',
  'src/tables/denormalize.ts': '{ denormalize }',
  'src/tables/Memory.ts': '{ Memory }',
  'src/store/actions.ts': '{ createSliceActions }',
  'src/store/reducer.ts': '{ createResourcesReducer }',
  'src/store/order/intents.ts': '{ rebase }',
  'src/store/order/Landing.ts': '{ Landing }',
  'src/store/reading/selectors.ts': '{ sliceOf, selectAnswer, selectEntity, selectSchema, selectPending }',
  'src/store/reading/requestState.ts': '{ selectState }',
};

/** Entries as an app has them: in one file, with what they share once. */
const together = (/** @type {string[]} */ ...path) => ({
  ...check,
  path,
  modifyEsbuildConfig: (/** @type {{ entryPoints?: unknown }} */ { entryPoints: _, ...config }) => ({
    ...config,
    format: 'esm',
    stdin: { contents: path.map((entry) => `export * from './${entry}';`).join(' '), resolveDir: import.meta.dirname },
  }),
});

// What is reached, so that no change makes it more unseen; docs/decisions/012-size.md tells what each part costs. The README tells the figure of the core.
// The outbox's goal is 7 kB above the core, idb with it: it is 16.
// The mock server's goal is 6 kB above the core: it is 14, of which most is what it knows of filters, orders, pages and writes.
// The panel's goal is 20 kB above the core and the React entry: it is 24, of which 7 are the sentences that tell why.
export default [
  { ...check, name: 'the data alone', path: Object.keys(dataAlone), import: dataAlone, limit: '43.8 kB' },
  {
    ...check,
    name: 'a minimal use',
    path: 'dist/index.js',
    import: '{ createResource, configureResources, Entity }',
    limit: '90.5 kB',
  },
  { ...check, name: 'the whole core', path: 'dist/index.js', import: '*', limit: '92.1 kB' },
  {
    ...together('dist/index.js', 'dist/react.js'),
    name: 'the core and the React entry',
    limit: '96.6 kB',
  },
  {
    ...together('dist/index.js', 'dist/mock.js'),
    name: 'the core and the mock server',
    limit: '107.2 kB',
  },
  {
    ...together('dist/index.js', 'dist/react.js', 'dist/devtools/production.js'),
    name: 'the core, the React entry and the devtools',
    limit: '121 kB',
  },
  {
    ...check,
    name: 'rtk-resource/devtools in production',
    path: 'dist/devtools.js',
    import: '{ ResourceDevtools }',
    limit: '0.1 kB',
  },
  {
    ...together('dist/index.js', 'dist/offline.js'),
    name: 'the core and the outbox',
    limit: '108.5 kB',
  },
  { ...check, name: 'rtk-resource/normalize', path: 'dist/normalize.js', import: '*', limit: '13.8 kB' },
  { ...check, name: 'isTemporary alone', path: 'dist/index.js', import: '{ isTemporary }', limit: '0.1 kB' },
  { ...check, name: 'Entity alone', path: 'dist/index.js', import: '{ Entity }', limit: '0.3 kB' },
];
