// Asks whether the referee notices deliberate faults in the rules of order: `npm run referee:faults -- [3 7 …]`.
// With nothing left out it writes docs/referee-faults.md as well.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { table, writePage } from '../../bench/markdown.mjs';
import { faults } from '../faults/faults.mjs';
import { bundle } from './bundle.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const TIMEOUT = 240_000;
const AT_LEAST = 20;
const RUNS = '600';

/** Those that histories of this kind show early enough; other tests notice the others. */
const shown = new Set([
  'the answer that was sent earlier holds a field, not the later',
  'the answer that lands last holds a field, whenever it was sent',
  'news is ignored: a write takes what it names from any later read',
  'a deletion is forgotten: an answer that was sent before it came brings the row back',
  'the guess of a write that has settled stays',
  'the guess of a write stays when its answer has waited, and landed',
  'the guess of a write goes while its answer waits',
  'a pending guess is found anew without those before it',
  'recipes are not run again',
  'a field that a later write has covered is shown again',
  'a guess is covered by writes that were asked for before it, too',
  'the whole answer that lands last is the list, not the one that was sent last',
  'an older whole answer takes a confirmed create out',
  'what is created stands in the order of landing, not of asking',
  'a pending create is shown in a list first answered after it was sent',
  'a double of a pending create is shown',
  'what is created does not reach a list whose first answer is under way',
  'a field that a guess counts on does not wait',
  'plain edits make others wait',
  'what waits is never released',
  'what waits is named before it lands',
  'a request does not wait for the create of the item that it names',
  'an idle store keeps its journal',
]);

const numbers = process.argv.slice(2).map(Number);
const chosen = faults
  .map((fault, i) => ({ ...fault, number: i + 1 }))
  .filter(({ name, number }) => (numbers.length > 0 ? numbers.includes(number) : shown.has(name)));

const unchanged = await bundle('probe.ts');
const whole = await probe(unchanged);
if (whole !== '') throw new Error(`Without any fault it finds: ${whole}`);
/** @type {string[][]} */
const rows = [];
for (const { name, file, find, put, number } of chosen) {
  if (readFileSync(join(root, file), 'utf8').split(find).length !== 2) {
    process.stderr.write(`${number} ${name}: its text is not found exactly once in ${file}\n`);
    continue;
  }
  const found = await probe(await bundle('probe.ts', { file, find, put }, `probe-${number}.ts`));
  process.stderr.write(`${number} ${name}: ${found || 'NOT NOTICED'}\n`);
  rows.push([name, found || '**nothing**']);
}
/** @type {string[][]} */
const around = [];
for (let i = 0; numbers.length === 0; i += 1) {
  const [name = '', found = ''] = (await probe(unchanged, { WRAPPER: String(i) })).split('\n');
  if (name === '') break;
  process.stderr.write(`${name}: ${found || 'NOT NOTICED'}\n`);
  around.push([name, found || '**nothing**']);
}
const isNoticed = [...rows, ...around].every(([, found]) => found !== '**nothing**');
if (numbers.length === 0) {
  await writePage(join(root, 'docs/referee-faults.md'), page());
  if (rows.length < AT_LEAST) throw new Error(`Only ${rows.length} faults were tried.`);
}
if (!isNoticed) process.exitCode = 1;

/** What it says of a bundle; nothing where it notices nothing. @param {string} outfile @param {Record<string, string>} [more] @returns {Promise<string>} */
function probe(outfile, more = {}) {
  return new Promise((resolve, reject) => {
    let said = '';
    const child = spawn(process.execPath, [outfile], {
      env: { ...process.env, RUNS, ...more },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT);
    child.stdout.on('data', (/** @type {Buffer} */ chunk) => {
      said += chunk.toString();
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      clearTimeout(timer);
      resolve(code === 0 ? said : 'it comes to no end');
    });
  });
}

function page() {
  return `# Faults that the referee notices

Written by \`npm run referee:faults\`. It puts one fault at a time into the rules of order and lets the [referee](guarantees.md) watch ${RUNS} histories,
always the same. The referee knows none of the rules: what it calls a fault is what a user would have seen.

The faults are some of [all](faults.md). The others lose no promise that an outsider could hold the package to (what is fetched again, how long something
waits, how much is remembered), or need what these histories lack, or are too rare for so few of them; journeys and laws notice those.

${table(['fault in the rules', 'what the referee called it, and when'], rows)}

Faults in a [wrapper](../test/referee/wrappers.ts) around the package; a test holds that each is noticed.

${table(['fault in a wrapper', 'what the referee called it, and when'], around)}
`;
}
