// One process: what the package takes in an application, in bytes, as size-limit finds it.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const output = execFileSync('npx', ['size-limit', '--json'], { cwd: root, encoding: 'utf8' });
/** @type {unknown} */
const parsed = JSON.parse(output);
const sizes = /** @type {{ name: string, size: number }[]} */ (parsed);
const sizeOf = (/** @type {string} */ wanted) => sizes.find(({ name }) => name === wanted)?.size ?? NaN;
console.log(
  JSON.stringify({ Z1: { value: sizeOf('the whole core') }, Z2: { value: sizeOf('the core and the React entry') } }),
);
