// One process: where the time of our workloads goes, as a table in Markdown:
//   node --expose-gc bench/profile.mjs W8b 1000
// The profiler of V8 looks 10 000 times a second, and only what it sees during a run counts, not what is before it.
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { SourceMap } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { table } from './markdown.mjs';
import { warm, watched } from './time.mjs';

/** @import { Profiler } from 'node:inspector' */

const interval = 100;
/** What takes less than this share is counted together. */
const least = 0.02;
/** How many functions are named. */
const named = 8;

const [id = '', size = ''] = process.argv.slice(2);
process.argv.splice(2, Infinity, 'ours', size, id);

const root = fileURLToPath(new URL('../', import.meta.url));
const dist = pathToFileURL(`${root}dist/`).href;
/** @type {Map<string, SourceMap>} */
const maps = new Map();

/** When each run was, in µs on the clock of the profiler. @type {{ start: number, end: number }[]} */
const all = [];
const now = () => Number(process.hrtime.bigint() / 1000n);
let began = 0;
watched.starts = () => {
  began = now();
};
watched.ends = () => all.push({ start: began, end: now() });

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval });
session.post('Profiler.start');
// Its scripts end the process when they are done, and print figures that a profiler has spoilt.
console.log = () => undefined;
process.on('exit', () => {
  session.post('Profiler.stop', (_, { profile }) => {
    process.stdout.write(report(profile));
  });
});
await import(id.startsWith('S') ? './shapes.mjs' : './measure.mjs');

/** @param {Profiler.Profile} profile */
function report({ nodes, samples = [], timeDeltas = [], startTime }) {
  const runs = warm(all);
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  /** @type {Map<string, number>} */
  const places = new Map();
  /** @type {Map<string, number>} */
  const functions = new Map();
  let total = 0;
  let at = startTime;
  let run = 0;
  samples.forEach((sample, i) => {
    at += timeDeltas[i] ?? 0;
    while ((runs[run]?.end ?? Infinity) < at) run++;
    const frame = frames.get(sample);
    if (!frame || at < (runs[run]?.start ?? Infinity)) return;
    const place = placeOf(frame);
    total++;
    places.set(place, (places.get(place) ?? 0) + 1);
    if (!frame.url.startsWith(dist)) return;
    const name = `\`${frame.functionName || 'a closure'}\` of ${place}`;
    functions.set(name, (functions.get(name) ?? 0) + 1);
  });
  const length = runs.reduce((sum, { start, end }) => sum + end - start, 0) / runs.length;
  const share = (/** @type {number} */ count) => `${((count / total) * 100).toFixed(1)} %`;
  const time = (/** @type {number} */ count) => Math.round((count / total) * length).toLocaleString('en');
  const sorted = [...places].sort(([, one], [, other]) => other - one);
  const many = sorted.filter(([, count]) => count / total >= least);
  const rest = sorted.slice(many.length).reduce((sum, [, count]) => sum + count, 0);
  const rows = [...many, [`${sorted.length - many.length} others, less than 2 % each`, rest]];
  const most = [...functions].sort(([, one], [, other]) => other - one).slice(0, named);
  return [
    `${runs.length.toLocaleString('en')} runs of ${Math.round(length).toLocaleString('en')} µs each, with the profiler.`,
    table(
      ['', 'share', 'µs in a run'],
      rows.map(([place, count]) => [String(place), share(Number(count)), time(Number(count))]),
    ),
    `Within the package, most of it in ${most.map(([name, count]) => `${name} (${share(count)})`).join(', ')}.\n`,
  ].join('\n\n');
}

/** Whose code it is: of ours, the file in `src`. @param {import('node:inspector').Runtime.CallFrame} frame */
function placeOf({ url, functionName, lineNumber, columnNumber }) {
  if (url.startsWith(dist)) return sourceOf(url, lineNumber, columnNumber);
  if (url.includes('/bench/')) return 'the benchmark';
  if (/\/node_modules\/(@reduxjs|redux|immer)/.test(url)) return 'Redux and Redux Toolkit';
  return functionName === '(garbage collector)' ? 'garbage' : 'Node and V8';
}

/** @param {string} url @param {number} line @param {number} column */
function sourceOf(url, line, column) {
  let map = maps.get(url);
  if (!map) {
    /** @type {unknown} */
    const payload = JSON.parse(readFileSync(fileURLToPath(`${url}.map`), 'utf8'));
    maps.set(url, (map = new SourceMap(/** @type {import('node:module').SourceMapPayload} */ (payload))));
  }
  const entry = map.findEntry(line, column);
  return 'originalSource' in entry ? entry.originalSource.replace(/^.*src\//, '') : 'the package';
}
