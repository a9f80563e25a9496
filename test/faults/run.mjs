// Puts deliberate faults into the rules of order, one at a time, in a copy of the project, and asks whether a test notices.
//   npm run faults -- [3 7 …]
// With nothing left out it writes docs/faults.md as well.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writePage } from '../../bench/markdown.mjs';
import { faults } from './faults.mjs';

/** @import { Fault } from './faults.mjs' */

/** What Vitest writes of a run. @typedef {{ testResults: readonly TestFile[] }} Report */
/** @typedef {{ name: string, status: string, message: string, assertionResults: readonly TestCase[] }} TestFile */
/** @typedef {{ status: string, title: string, ancestorTitles: readonly string[] }} TestCase */

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What is asked, one after the other, until one notices: what tells most clearly what is wrong comes first. */
const asked = [
  [
    ...[
      'order',
      'order-field-by-field',
      'held-rows',
      'versions-and-lists',
      'scenarios',
      'serialize',
      'temporary',
      'overlay',
    ],
    ...['follows', 'first-page', 'next-page', 'pages', 'paginated', 'overlap', 'optimism-basics'],
  ]
    .map((name) => `test/journeys/${name}.test.ts`)
    .concat('test/referee/regressions.test.ts'),
  // The laws that a store keeps; that the rules alone keep them, no fault of ours changes.
  ['test/laws/optimism.test.ts', 'test/laws/serial.test.ts', '--testNamePattern', 'a store'],
  ['test/laws/lists.test.ts'],
];
/** The laws play the same histories each time, so that the same faults are noticed. */
const histories = { RUNS: '400', SEED: '1', SHRINK: 'no' };
/** On a busy machine; by itself it is a fifth. */
const TIMEOUT = 180_000;
const AT_ONCE = 2;

const numbers = process.argv.slice(2).map(Number);
const chosen = faults.map((fault, i) => ({ fault, number: i + 1 })).filter(({ number }) => isAsked(number));
const lost = chosen.filter(
  ({ fault: { file, find } }) => readFileSync(join(root, file), 'utf8').split(find).length !== 2,
);
for (const { fault, number } of lost) {
  console.error(`${number} (${fault.name}): its text is not found exactly once in ${fault.file}:\n${fault.find}`);
}
if (lost.length > 0) process.exit(1);

const scratch = mkdtempSync(join(tmpdir(), 'rtk-resource-faults-'));
/** Who noticed each, by number; undefined where nobody did. @type {Map<number, string | undefined>} */
const noticed = new Map();
process.once('SIGINT', () => process.exit(1));
try {
  const copies = Array.from({ length: AT_ONCE }, (_, i) => copyTo(join(scratch, String(i))));
  const broken = await firstFailure(copies[0] ?? scratch);
  if (broken !== undefined) throw new Error(`Without any fault there fails ${broken}`);
  const queue = [...chosen];
  await Promise.all(
    copies.map(async (copy) => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const { fault, number } = next;
        const found = await tryOut(fault, copy);
        noticed.set(number, found);
        process.stderr.write(`${number} ${fault.name}: ${found ?? 'NOT NOTICED'}\n`);
      }
    }),
  );
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}

const cells = chosen.map(({ fault, number }) => [String(number), fault.name, noticed.get(number) ?? '**nothing**']);
const report = [['', 'fault', 'noticed by'], ['--:', '---', '---'], ...cells]
  .map((line) => `| ${line.join(' | ')} |`)
  .join('\n');
console.log(report);
if (numbers.length === 0) await writePage(join(root, 'docs/faults.md'), page(report));
process.exitCode = [...noticed.values()].includes(undefined) ? 1 : 0;

/** @param {number} number */
function isAsked(number) {
  return numbers.length === 0 || numbers.includes(number);
}

/** A copy of what tests run on. @param {string} copy */
function copyTo(copy) {
  for (const part of ['src', 'test', '.ci', 'package.json', 'tsconfig.json', 'vitest.config.ts']) {
    cpSync(join(root, part), join(copy, part), { recursive: true });
  }
  symlinkSync(realpathSync(join(root, 'node_modules')), join(copy, 'node_modules'));
  return copy;
}

/** The test that notices a fault, if any. @param {Fault} fault @param {string} copy */
async function tryOut({ file, find, put }, copy) {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  // A function, for `$` means something in a text.
  writeFileSync(
    path,
    text.replace(find, () => put),
  );
  const found = await firstFailure(copy);
  writeFileSync(path, text);
  return found;
}

/** The test that fails first, if any. @param {string} copy */
async function firstFailure(copy) {
  for (const tests of asked) {
    const found = await failureIn(copy, tests);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @param {string} copy @param {readonly string[]} tests */
async function failureIn(copy, tests) {
  const out = join(copy, 'report.json');
  rmSync(out, { force: true });
  const code = await run(copy, [
    ...['run', '--project', 'node', '--bail', '1', '--maxWorkers', '1', '--no-cache'],
    ...['--reporter', 'json', '--outputFile', out, ...tests],
  ]);
  if (code === 0) return undefined;
  if (code === null) return 'tests that come to no end';
  /** @type {unknown} */
  const parsed = JSON.parse(readFileSync(out, 'utf8'));
  const { testResults } = /** @type {Report} */ (parsed);
  for (const { name, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed');
    if (failed) return `\`${basename(name)}\`: ${[...failed.ancestorTitles, failed.title].join(' ')}`;
  }
  throw new Error(`No test was run: ${testResults.map(({ message }) => message).join('\n')}`);
}

/** Runs Vitest in a copy; null where it had to be ended. @param {string} copy @param {readonly string[]} args @returns {Promise<number | null>} */
function run(copy, args) {
  return new Promise((resolve, reject) => {
    const vitest = join(copy, 'node_modules/vitest/vitest.mjs');
    const child = spawn(process.execPath, [vitest, ...args], {
      cwd: copy,
      env: { ...process.env, ...histories },
      stdio: 'ignore',
      // A group of its own: a worker that loops does not end with its parent.
      detached: true,
    });
    const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
    const timer = setTimeout(end, TIMEOUT);
    process.once('exit', end);
    child.on('error', reject);
    child.on('exit', (code) => {
      clearTimeout(timer);
      process.off('exit', end);
      resolve(code);
    });
  });
}

/** @param {string} report */
function page(report) {
  return `# Deliberate faults

Written by \`npm run faults\`. It puts one fault at a time into the rules of order (the list is
[faults.mjs](../test/faults/faults.mjs)), in a copy of the project, and runs the tests that should notice: first the journeys about order
and what the referee has found, then the laws, ${histories.RUNS} histories each, the same ones every time. It fails when a fault is not noticed, or when the text that a fault stands for is
not found exactly once in its file.

\`\`\`sh
npm run faults           # all of them, ten minutes; writes the table below
npm run faults -- 3 7    # some
\`\`\`

${report}
`;
}
