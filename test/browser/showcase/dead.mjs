// Has each control of the showcase do nothing, and runs its journey, which has to fail: `npm run test:showcase:dead`, or with words of the names of controls.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{ testResults: { assertionResults: { status: string, title: string }[] }[] }} Results */

const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url));
const journeyOf = /** @type {Record<string, string>} */ (readJson(new URL('controls.json', import.meta.url)));
const words = process.argv.slice(2);
const controls = Object.entries(journeyOf).filter(([name]) => words.every((word) => name.includes(word)));

/**
 * In one run, a journey has one dead control.
 * @type {Map<string, string>[]}
 */
const runs = [];
for (const [control, journey] of controls) {
  let run = runs.find((one) => !one.has(journey));
  if (!run) runs.push((run = /** @type {Map<string, string>} */ (new Map())));
  run.set(journey, control);
}

let unnoticed = 0;
for (const [i, run] of runs.entries()) {
  console.log(`Run ${i + 1} of ${runs.length}: ${run.size} dead controls`);
  const failed = failuresOf(run);
  for (const [journey, control] of run) {
    if (failed.has(journey)) continue;
    unnoticed++;
    console.log(`Not noticed: ${control}, by “${journey}”`);
  }
}
console.log(`${controls.length - unnoticed} of ${controls.length} dead controls are noticed.`);
if (unnoticed > 0) process.exitCode = 1;

/**
 * The journeys that fail while each has its dead control.
 * @param {Map<string, string>} run
 * @returns {Set<string>}
 */
function failuresOf(run) {
  const outputFile = join(mkdtempSync(join(tmpdir(), 'dead-')), 'results.json');
  const titles = [...run.keys()].map((title) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const options = ['--reporter', 'json', '--outputFile', outputFile, '--testTimeout', '200000'];
  spawnSync(
    process.execPath,
    [vitest, 'run', '--project', 'browser', 'test/browser/showcase', '-t', `(?:${titles.join('|')})$`, ...options],
    { env: { ...process.env, DEAD_CONTROLS: JSON.stringify(Object.fromEntries(run)) }, stdio: 'ignore' },
  );
  const { testResults } = /** @type {Results} */ (readJson(outputFile));
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  return new Set(all.filter(({ status }) => status === 'failed').map(({ title }) => title));
}

/**
 * What a file says.
 * @param {string | URL} file
 * @returns {unknown}
 */
function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
