// Runs a TypeScript file of this folder on the sources of the package: `node test/referee/run.mjs compare.ts`.
import { run } from './bundle.mjs';

// data-client fetches when the browser is idle: here it always is.
Object.assign(globalThis, {
  requestIdleCallback: (/** @type {() => void} */ callback) => {
    callback();
  },
});

const [, , name = 'compare.ts'] = process.argv;
await run(name);
