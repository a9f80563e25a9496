// Measures the ways by which data gets in, beside a plain request: setResponse, set of many, and requests with hooks of their own; in CPU time.
//   npm run bench:ways -- [size …]
// With nothing left out it writes docs/measurements.md as well.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Responses } from './data.mjs';
import { buildUnlessFresh } from './dist.mjs';
import { rowCount, table } from './markdown.mjs';
import { stubbedFetch } from './network.mjs';
import { Issue, IssueResource, openStore } from './peers/ours.mjs';
import { digits, machine, writeSection } from './report.mjs';
import { median, warm } from './time.mjs';

/** @import { Issue as Row } from './Peer.js' */
/** @typedef {{ mean: number, median: number }} Cost */
/** What is done with a list, and costs in ms by way. @typedef {Record<string, Record<string, Cost>>} Found */
/** @typedef {ReturnType<typeof openStore>} Tools */
/** @typedef {(tools: Tools, rows: Row[]) => unknown} Way */

const sizes = [100, 1_000, 10_000];
/** How long each size is measured, in ms. */
const budget = 6_000;

const processed = IssueResource.getList.extend({ process: (/** @type {unknown} */ value) => value });
const parsed = IssueResource.getList.extend({
  async parseResponse(response) {
    /** @type {unknown} */
    const value = JSON.parse(await response.text());
    return value;
  },
});

/** @param {typeof IssueResource.getList} endpoint @returns {Way} */
function requestOf(endpoint) {
  return async ({ store }, rows) => {
    stubbedFetch.answer(rows);
    await store.dispatch(endpoint());
  };
}

/** @type {Readonly<Record<string, Way>>} */
const ways = {
  'a request': requestOf(IssueResource.getList),
  setResponse({ store, resources }, rows) {
    store.dispatch(resources.setResponse(IssueResource.getList, {}, rows));
  },
  'set of many'({ store, resources }, rows) {
    store.dispatch(resources.set(Issue, rows));
  },
  'a `process` of one’s own': requestOf(processed),
  'a `parseResponse` of one’s own': requestOf(parsed),
};

/** Rows with values inside, which nobody needs to look into but to see that they are plain. @param {Row[]} rows */
function nested(rows) {
  return rows.map((row, i) => ({
    ...row,
    labels: ['bug', 'help wanted', `area-${String(i % 10)}`],
    reactions: { up: i % 7, down: 0, by: [{ name: 'one' }, { name: 'other' }] },
  }));
}

if (process.argv[2] === 'measure') console.log(JSON.stringify(await measure(Number(process.argv[3]))));
else await main(process.argv.slice(2).map(Number));

/** One process: all ways in turn, so that what else the machine does is the same for all. @param {number} size @returns {Promise<Found>} */
async function measure(size) {
  const responses = new Responses(size);
  const [same, changed] = [() => nested(responses.next()), (/** @type {number} */ i) => nested(responses.changed(i))];
  /** @type {Found} */
  const found = {};
  for (const [title, isNew, next] of /** @type {const} */ ([
    ['arrives in an empty store', true, same],
    ['arrives again', false, same],
    ['arrives, 1 % of its rows changed', false, changed],
  ])) {
    const stores = Object.fromEntries(Object.keys(ways).map((name) => [name, openStore()]));
    /** @type {Record<string, number[]>} */
    const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
    const end = performance.now() + budget;
    for (let i = 0; performance.now() < end || i < 5; i++) {
      for (const [name, way] of Object.entries(ways)) {
        const tools = isNew ? openStore() : stores[name];
        if (!tools) continue;
        if (i === 0) await way(tools, same());
        const rows = next(i);
        globalThis.gc?.({ type: 'minor' });
        const start = process.cpuUsage();
        await way(tools, rows);
        times[name]?.push((process.cpuUsage(start).user + process.cpuUsage(start).system) / 1_000);
      }
    }
    found[title] = Object.fromEntries(Object.entries(times).map(([name, all]) => [name, costOf(warm(all))]));
  }
  return found;
}

/** @param {readonly number[]} times @returns {Cost} */
function costOf(times) {
  return { mean: times.reduce((sum, one) => sum + one, 0) / times.length, median: median(times) };
}

/** @param {readonly number[]} asked */
async function main(asked) {
  const root = fileURLToPath(new URL('../', import.meta.url));
  buildUnlessFresh(root);
  const parts = [];
  for (const size of asked.length > 0 ? asked : sizes) {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--expose-gc', fileURLToPath(import.meta.url), 'measure', String(size)],
      { env: { ...process.env, NODE_ENV: 'production' } },
    );
    /** @type {unknown} */
    const printed = JSON.parse(stdout);
    const found = /** @type {Found} */ (printed);
    const rows = Object.entries(found).map(([title, costs]) => {
      const plain = costs['a request']?.median ?? NaN;
      return [
        `a list ${title}`,
        ...Object.values(costs).map((cost) => `${digits(cost.median)} (${digits(cost.mean)})`),
        ...Object.values(costs)
          .slice(1)
          .map((cost) => `${(cost.median / plain).toFixed(2)}×`),
      ];
    });
    const names = Object.keys(ways);
    parts.push(`### ${rowCount(size)} rows\n\n${table([`ms: median (mean)`, ...names, ...names.slice(1)], rows)}`);
  }
  const report = parts.join('\n\n');
  console.log(report);
  if (asked.length === 0) await writeSection(root, 'ways', `Measured on ${machine()}\n\n${report}`);
}
