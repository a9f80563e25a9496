// Measures what must not grow: what a request costs after many others, beside many others, or with much in the store.
//   npm run bench:growth -- [G1 G2 …]
// With nothing left out it writes docs/measurements.md as well.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildUnlessFresh } from './dist.mjs';
import { rowCount, table } from './markdown.mjs';
import { bytes, digits, machine, writeSection } from './report.mjs';

/** What growing.mjs prints: costs in µs, or bytes. @typedef {Record<string, { mean: number, median: number } | number>} Found */
/** What is measured, and the table of it. @typedef {{ id: string, title: string, report: () => Promise<string> }} Part */

const root = fileURLToPath(new URL('../', import.meta.url));
const growing = fileURLToPath(new URL('growing.mjs', import.meta.url));
const dispatching = fileURLToPath(new URL('dispatching.mjs', import.meta.url));

/** @type {readonly Part[]} */
const parts = [
  { id: 'G1', title: 'after many others, while one request hangs; µs for a request', report: afterOthers },
  { id: 'G1', title: 'ten polls of 10 000 rows, while one request hangs; bytes', report: afterPolls },
  {
    id: 'G2',
    title: 'optimistic creates that overlap, in a list of 1 000 that is read after every event; ms for a create',
    report: overlappingCreates,
  },
  { id: 'G3', title: 'requests at once; µs for a request', report: inParallel },
  { id: 'G4', title: 'a write of which nobody knows what came, and a list in the store; ms for a write', report: lost },
  { id: 'G5', title: 'details of an empty store', report: plain },
  {
    id: 'G6',
    title: 'one row is written and its list is read, in development, with the checks of Redux Toolkit; ms',
    report: writtenInDevelopment,
  },
  { id: 'G7', title: '1 000 rows with a subscriber each; µs for a dispatch', report: watched },
  { id: 'G8', title: 'ten patches by hand over a list that is polled meanwhile; ms', report: patched },
];

const asked = process.argv.slice(2);
buildUnlessFresh(root);
const reports = [];
for (const { id, title, report } of parts) {
  if (asked.length > 0 && !asked.includes(id)) continue;
  reports.push(`### ${id}: ${title}\n\n${await report()}`);
}
const report = reports.join('\n\n');
console.log(report);
if (asked.length === 0) await writeSection(root, 'growth', `Measured on ${machine()}\n\n${report}`);

async function afterOthers() {
  const points = [200, 1_000, 5_000, 20_000];
  const title = (/** @type {number} */ point) => (point === 200 ? 'the first 200' : `the ${rowCount(point)}th`);
  const lines = [];
  for (const { hanging, mode, most } of [
    { hanging: 'nothing', mode: 'production', most: 20_000 },
    { hanging: 'a read', mode: 'production', most: 20_000 },
    { hanging: 'an optimistic edit', mode: 'production', most: 20_000 },
    { hanging: 'nothing', mode: 'development', most: 1_000 },
    { hanging: 'a read', mode: 'development', most: 1_000 },
  ]) {
    const found = await measure(['G1', hanging, points.filter((point) => point <= most).join()], mode);
    const isDevelopment = mode === 'development';
    const head = `${hanging} hangs${isDevelopment ? ', development' : ''}`;
    const costs = [
      ['edit', 'a PATCH'],
      ['detail', 'a GET of a row'],
      ['poll', 'a GET of the list of 1 000'],
    ];
    const sizes = [
      ['journal', 'the journal'],
      ['action', 'the last action'],
    ];
    // Both modes keep the same.
    for (const [name, what] of isDevelopment ? costs : [...costs, ...sizes]) {
      lines.push([`${head}: ${what}`, ...points.map((point) => show(found, `${name} ${point}`))]);
    }
  }
  return table(['', ...points.map(title)], lines);
}

async function afterPolls() {
  const found = await measure(['G1b']);
  const line = (/** @type {string} */ name) => [1, 10].map((poll) => show(found, `${name} ${poll}`));
  const lines = [
    ['the journal', ...line('journal')],
    ['the last action, with its rows', ...line('action')],
  ];
  return table(['', 'after the 1st', 'after the 10th'], lines);
}

async function overlappingCreates() {
  const counts = [1, 25, 50, 100, 200];
  const lines = [];
  for (const { order, title } of [
    { order: 'ordered', title: 'settled in order' },
    { order: 'random', title: 'settled in any order' },
  ]) {
    const cells = [];
    let single = NaN;
    for (const count of counts) {
      const found = await measure(['G2', String(count), order]);
      const mean = meanOf(found.create);
      if (count === 1) single = mean;
      cells.push(`${show(found, 'create', 1000)}${count === 1 ? '' : `, ${digits(mean / single)}×`}`);
    }
    lines.push([title, ...cells]);
  }
  return table(['', '200 one by one', ...counts.slice(1).map((count) => `${count} at once`)], lines);
}

async function inParallel() {
  const counts = [100, 400, 1_600];
  const lines = [];
  for (const { kind, title, mode } of [
    { kind: 'lists', title: 'lists of ten, with different arguments' },
    { kind: 'edits', title: 'edits of different rows' },
    { kind: 'lines', title: 'edits of different rows with `serialize: true`' },
    { kind: 'details', title: 'details' },
    { kind: 'lists', title: 'the lists, in development', mode: 'development' },
    { kind: 'lines', title: 'the edits with `serialize: true`, in development', mode: 'development' },
  ]) {
    const cells = [];
    for (const count of counts) cells.push(show(await measure(['G3', kind, String(count)], mode), 'request'));
    lines.push([title, ...cells]);
  }
  return table(['', ...counts.map((count) => `${rowCount(count)} at once`)], lines);
}

async function lost() {
  const sizes = [1_000, 10_000, 100_000];
  const cells = [];
  for (const size of sizes) cells.push(show(await measure(['G4', String(size)]), 'write', 1000));
  return table(['', ...sizes.map((size) => `${rowCount(size)} rows`)], [['started, and failed', ...cells]]);
}

async function plain() {
  const found = await measure(['G5']);
  return table(
    ['', ''],
    [
      ['1 000 one by one, µs for each', show(found, 'sequential')],
      ['300 at once, ms for all', show(found, 'parallel', 1000)],
    ],
  );
}

async function writtenInDevelopment() {
  const sizes = [1_000, 10_000, 100_000];
  const lines = [];
  for (const { who, title } of [
    { who: 'ours', title: 'rtk-resource' },
    { who: 'rtk-query', title: 'RTK Query, one document' },
  ]) {
    const cells = [];
    for (const size of sizes)
      cells.push(show(await measure(['written', who, String(size)], 'development', dispatching), 'write', 1000));
    lines.push([title, ...cells]);
  }
  return table(['', ...sizes.map((size) => `${rowCount(size)} rows`)], lines);
}

async function watched() {
  const lines = [];
  for (const by of ['selectEntity', 'get.select', 'get.selectRequest']) {
    const found = await measure(['watched', by], 'production', dispatching);
    lines.push([`\`${by}\``, show(found, 'write'), show(found, 'other')]);
  }
  return table(['', 'one row is written', 'something else happens'], lines);
}

async function patched() {
  const sizes = [1_000, 10_000];
  const lines = [];
  for (const { kind, title } of [
    { kind: 'nothing', title: 'nothing is patched' },
    { kind: 'rows', title: 'a field of ten rows' },
    { kind: 'the list', title: 'ten times, a row is moved to the front' },
  ]) {
    const cells = [];
    for (const size of sizes) {
      const found = await measure(['G8', kind, String(size)]);
      cells.push(show(found, 'patch', 1000), show(found, 'poll', 1000));
    }
    lines.push([title, ...cells]);
  }
  return table(['', ...sizes.flatMap((size) => [`a patch, ${rowCount(size)} rows`, 'a poll'])], lines);
}

/** Runs one process. @param {readonly string[]} args */
async function measure(args, mode = 'production', script = growing) {
  process.stderr.write(`${args.join(' ')}, ${mode}\n`);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--max-old-space-size=12000', script, ...args],
    // In development Redux Toolkit warns of what takes long, on stderr, which is no news here.
    { env: { ...process.env, NODE_ENV: mode }, maxBuffer: 1e9 },
  );
  /** @type {unknown} */
  const found = JSON.parse(stdout);
  return /** @type {Found} */ (found);
}

/** Bytes, or a mean and the median; what was given up, or not asked for, is a dash. @param {Found} found @param {string} name @param {number} per How many µs are one of what is shown. */
function show(found, name, per = 1) {
  const { [name]: figure } = found;
  if (figure === undefined) return '–';
  if (typeof figure === 'number') return bytes(figure);
  return `${digits(figure.mean / per)} (${digits(figure.median / per)})`;
}

/** @param {Found[string] | undefined} figure */
function meanOf(figure) {
  return typeof figure === 'object' ? figure.mean : NaN;
}
