// One process: what the package takes in an application, in bytes, as size-limit finds it.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
// It fails where a limit is exceeded, and tells the sizes all the same.
const { stdout } = spawnSync('npx', ['size-limit', '--json'], { cwd: root, encoding: 'utf8' });
/** @type {unknown} */
const parsed = JSON.parse(stdout);
const sizes = /** @type {{ name: string, size: number }[]} */ (parsed);
const sizeOf = (/** @type {string} */ wanted) => sizes.find(({ name }) => name === wanted)?.size ?? NaN;
console.log(
  JSON.stringify({
    Z0: { value: sizeOf('the data alone') },
    Z1: { value: sizeOf('the whole core') },
    Z2: { value: sizeOf('the core and the React entry') },
  }),
);
