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

// What is reached, so that no change makes it more unseen; docs/decisions/012-size.md tells what each part costs. The README tells the figure of the core.
// The outbox's goal is 7 kB above the core, idb with it: it is 20.
// The mock server's goal is 6 kB above the core: it is 17, of which most is what it knows of filters, orders, pages and writes.
// The panel's goal is 20 kB above the core and the React entry: it is 27, of which 7 are the sentences that tell why.
export default [
  { ...check, name: 'the data alone', path: Object.keys(dataAlone), import: dataAlone, limit: '43.2 kB' },
  {
    ...check,
    name: 'a minimal use',
    path: 'dist/index.js',
    import: '{ createResource, configureResources, Entity }',
    limit: '87.1 kB',
  },
  { ...check, name: 'the whole core', path: 'dist/index.js', import: '*', limit: '88.9 kB' },
  {
    ...check,
    name: 'the core and the React entry',
    path: ['dist/index.js', 'dist/react.js'],
    limit: '94.5 kB',
    // What both entries share is counted once.
    modifyEsbuildConfig: (/** @type {object} */ config) => ({ ...config, splitting: true, format: 'esm' }),
  },
  {
    ...check,
    name: 'the core and the mock server',
    path: ['dist/index.js', 'dist/mock.js'],
    limit: '105.7 kB',
    modifyEsbuildConfig: (/** @type {object} */ config) => ({ ...config, splitting: true, format: 'esm' }),
  },
  {
    ...check,
    name: 'the core, the React entry and the devtools',
    path: ['dist/index.js', 'dist/react.js', 'dist/devtools/production.js'],
    limit: '121 kB',
    modifyEsbuildConfig: (/** @type {object} */ config) => ({ ...config, splitting: true, format: 'esm' }),
  },
  {
    ...check,
    name: 'rtk-resource/devtools in production',
    path: 'dist/devtools.js',
    import: '{ ResourceDevtools }',
    limit: '0.1 kB',
  },
  {
    ...check,
    name: 'the core and the outbox',
    path: ['dist/index.js', 'dist/offline.js'],
    limit: '109.1 kB',
    modifyEsbuildConfig: (/** @type {object} */ config) => ({ ...config, splitting: true, format: 'esm' }),
  },
  { ...check, name: 'rtk-resource/normalize', path: 'dist/normalize.js', import: '*', limit: '14.4 kB' },
  { ...check, name: 'isTemporary alone', path: 'dist/index.js', import: '{ isTemporary }', limit: '0.1 kB' },
  { ...check, name: 'Entity alone', path: 'dist/index.js', import: '{ Entity }', limit: '0.3 kB' },
];
