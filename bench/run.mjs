// Measures the libraries against each other, and prints what came of it:
//   npm run bench -- [W1 W2 …] [--peers ours,data-client] [--sizes 1000,10000] [--rounds 3]
// With nothing left out it writes docs/measurements.md as well.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { buildUnlessFresh } from './dist.mjs';
import { rowCount } from './markdown.mjs';
import { others } from './others.mjs';
import { peerNames } from './peers.mjs';
import { betterReport, goalsReport, timesReport, write } from './report.mjs';
import { median } from './time.mjs';
import { workloads } from './workloads.mjs';

/** @import { Keys } from './data.mjs' */
/** @import { Data } from './report.mjs' */

/**
 * What is measured in processes of one script, each with another library.
 * @typedef {object} Plan
 * @property {URL} script
 * @property {string} title
 * @property {number} size
 * @property {Keys} [keys] Like those of `crypto.randomUUID`, unless given.
 * @property {readonly string[]} peers
 * @property {readonly string[]} ids
 * @property {string} [mode] What `NODE_ENV` is.
 */

const root = fileURLToPath(new URL('../', import.meta.url));
/** What takes longer than this, in ms, is measured in the first round alone. */
const slow = 500;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { peers: { type: 'string' }, sizes: { type: 'string' }, rounds: { type: 'string', default: '3' } },
});
const isWhole = positionals.length === 0 && !values.peers && !values.sizes;
const chosen = values.peers?.split(',') ?? [...peerNames, 'normalizr'];
const rounds = Number(values.rounds);

buildUnlessFresh(root);
const plans = makePlans();
/** @type {Map<string, number[]>} */
const found = new Map();
/** @type {Set<string>} */
const wrong = new Set();
for (let round = 1; round <= rounds; round++) {
  // Interleaved, so that whatever else the machine does meets all of them.
  for (const plan of plans)
    for (const ids of inProcesses(plan.ids))
      for (const peer of plan.peers) await measure({ ...plan, ids }, peer, round);
}

const results = {
  /** The median of the rounds. @param {string} peer @param {Data} data @param {string} id */
  value(peer, data, id) {
    const values = found.get(keyOf(peer, data, id));
    return values && median(values);
  },
  /** @param {string} peer @param {Data} data @param {string} id */
  isWrong: (peer, data, id) => wrong.has(keyOf(peer, data, id)),
};
const report = [
  ...plans.map((plan) => timesReport(results, plan)),
  betterReport(results, plans),
  goalsReport(results),
].join('\n\n');
console.log(report);
if (isWhole) await write(root, report, rounds);

/** All that was asked for. @returns {readonly Plan[]} */
function makePlans() {
  const measureScript = new URL('measure.mjs', import.meta.url);
  const storeScript = new URL('store.mjs', import.meta.url);
  const all = [...workloads.map(({ id }) => id), ...others.map(({ id }) => id)];
  const asked = /** @type {readonly string[]} */ (positionals.length > 0 ? positionals : all);
  const sizes = values.sizes?.split(',').map(Number);
  /** @type {Plan[]} */
  const plans = (sizes ?? [1_000, 10_000]).map((size) => {
    const title = `${rowCount(size)} rows`;
    return { script: measureScript, title, size, peers: peerNames, ids: workloads.map(({ id }) => id) };
  });
  if (!sizes) {
    const few = ['ours', 'data-client', 'floor'];
    plans.push(
      { script: measureScript, title: '100 000 rows', size: 100_000, peers: few, ids: ['W9'] },
      { script: measureScript, title: '1 000 000 rows', size: 1_000_000, peers: ['ours'], ids: ['W9'] },
      {
        script: measureScript,
        title: '10 000 rows, ids that look like integers',
        size: 10_000,
        keys: 'integer',
        peers: ['ours', 'floor', 'data-client', 'rtk-query', 'adapter'],
        ids: ['W1', 'W2', 'W3', 'W4', 'W9', 'W69'],
      },
      {
        script: new URL('shapes.mjs', import.meta.url),
        title: 'The shape of data-client’s own benchmark',
        size: 709,
        peers: ['ours', 'data-client', 'normalizr'],
        ids: ['S1', 'S2', 'S3', 'S4'],
      },
      {
        script: new URL('memory.mjs', import.meta.url),
        title: 'Memory, with 10 000 rows',
        size: 10_000,
        peers: peerNames,
        ids: ['M1', 'M2'],
      },
      {
        script: storeScript,
        title: 'What a store has of it otherwise, with 10 000 rows',
        size: 10_000,
        peers: ['ours'],
        ids: ['D1', 'D2', 'D3'],
      },
      {
        script: storeScript,
        title: 'In development, with 10 000 rows',
        size: 10_000,
        peers: ['ours'],
        ids: ['D4'],
        mode: 'development',
      },
      {
        script: new URL('size.mjs', import.meta.url),
        title: 'Size',
        size: 0,
        peers: ['ours'],
        ids: ['Z0', 'Z1', 'Z2'],
      },
    );
  }
  return plans
    .map((plan) => ({
      ...plan,
      peers: plan.peers.filter((peer) => chosen.includes(peer)),
      ids: plan.ids.filter((id) => asked.includes(id)),
    }))
    .filter(({ peers, ids }) => peers.length > 0 && ids.length > 0);
}

/**
 * What is measured in one process, one after the other: what makes much garbage has a process of its own, for what was
 * there before is collected sooner or later, and within the time of another.
 * @param {readonly string[]} ids
 */
function inProcesses(ids) {
  const alone = [['W1'], ['W2', 'W3'], ['W4'], ['W8b'], ['S1'], ['S2'], ['S3', 'S4']];
  const rest = ids.filter((id) => !alone.flat().includes(id));
  return [...alone.map((group) => group.filter((id) => ids.includes(id))), rest].filter((group) => group.length > 0);
}

/** @param {Plan} plan @param {string} peer @param {number} round */
async function measure(plan, peer, round) {
  const { script, title, size, keys, ids, mode = 'production' } = plan;
  const left = ids.filter((id) => {
    if (id === 'copy' && peer !== 'floor') return false;
    return !id.startsWith('W') || (found.get(keyOf(peer, plan, id)) ?? []).every((ms) => ms < slow);
  });
  if (left.length === 0) return;
  process.stderr.write(`round ${round} of ${rounds}: ${peer}, ${title}\n`);
  const options = keys ? ['--keys', keys] : [];
  /** @type {unknown} */
  let measured;
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--expose-gc', '--max-old-space-size=12000', fileURLToPath(script), peer, String(size), ...left, ...options],
      { env: { ...process.env, NODE_ENV: mode } },
    );
    measured = JSON.parse(stdout);
  } catch (error) {
    // The others are worth measuring all the same.
    console.error(error);
    process.exitCode = 1;
    return;
  }
  const values = /** @type {Record<string, { value: number, wrong?: true }>} */ (measured);
  for (const [id, { value, wrong: isWrong }] of Object.entries(values)) {
    const key = keyOf(peer, plan, id);
    found.set(key, [...(found.get(key) ?? []), value]);
    if (isWrong) wrong.add(key);
  }
}

/** @param {string} peer @param {Data} data @param {string} id */
function keyOf(peer, { size, keys = 'uuid' }, id) {
  return `${peer} ${size} ${keys} ${id}`;
}
