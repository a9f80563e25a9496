// Measures the libraries against each other, and prints what came of it:
//   npm run bench -- [W1 W2 …] [--peers ours,data-client] [--sizes 1000,10000] [--rounds 3]
// With nothing left out it writes docs/performance.md as well.
import { execFile, execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { median } from './median.mjs';
import { peerNames } from './peers.mjs';
import { goalsReport, timesReport, write } from './report.mjs';
import { workloads } from './workloads.mjs';

/** @import { WorkloadId } from './Peer.js' */
/** @import { PeerName } from './peers.mjs' */

/** What one process found. @typedef {Partial<Record<WorkloadId, { ms: number, wrong?: true }>>} Measured */

const root = fileURLToPath(new URL('../', import.meta.url));
const script = fileURLToPath(new URL('measure.mjs', import.meta.url));
/** What takes longer than this, in ms, is measured in the first round alone. */
const slow = 2000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { peers: { type: 'string' }, sizes: { type: 'string' }, rounds: { type: 'string', default: '3' } },
});
const isWhole = positionals.length === 0 && !values.peers && !values.sizes;
const peers = /** @type {readonly PeerName[]} */ (values.peers?.split(',') ?? peerNames);
const sizes = values.sizes?.split(',').map(Number) ?? [1_000, 10_000];
const rounds = Number(values.rounds);
const asked = positionals.length > 0 ? positionals : workloads.map(({ id }) => id);

/** What is measured with how many rows, by whom. A million rows are only for what does not slow down with them. */
const plans = sizes.map((size) => ({ size, peers, ids: asked.filter((id) => size <= 10_000 || id === 'W9') }));
if (isWhole || (asked.includes('W9') && !values.sizes)) {
  const some = peers.filter((peer) => peer === 'ours' || peer === 'data-client' || peer === 'floor');
  plans.push({ size: 100_000, peers: some, ids: ['W9'] });
  plans.push({ size: 1_000_000, peers: some.filter((peer) => peer === 'ours'), ids: ['W9'] });
}

buildUnlessFresh();
/** @type {Map<string, number[]>} */
const times = new Map();
/** @type {Set<string>} */
const wrong = new Set();
for (let round = 1; round <= rounds; round++) {
  // Interleaved, so that whatever else the machine does meets all of them.
  for (const { size, peers, ids } of plans) {
    for (const peer of peers) await measure(peer, size, ids, round);
  }
}

const results = {
  /** The median of the rounds, in ms. @param {string} peer @param {number} size @param {string} id */
  time(peer, size, id) {
    const found = times.get(keyOf(peer, size, id));
    return found && median(found);
  },
  /** @param {string} peer @param {number} size @param {string} id */
  isWrong: (peer, size, id) => wrong.has(keyOf(peer, size, id)),
};
const report = [
  ...plans.filter(({ ids }) => ids.length > 0).map(({ size, peers }) => timesReport(results, size, peers, asked)),
  goalsReport(results),
].join('\n\n');
console.log(report);
if (isWhole) await write(root, report, rounds);

/** @param {PeerName} peer @param {number} size @param {readonly string[]} ids @param {number} round */
async function measure(peer, size, ids, round) {
  const left = ids.filter((id) => {
    if (id === 'copy' && peer !== 'floor') return false;
    return (times.get(keyOf(peer, size, id)) ?? []).every((time) => time < slow);
  });
  if (left.length === 0) return;
  process.stderr.write(`round ${round} of ${rounds}: ${peer}, ${size} rows\n`);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', '--max-old-space-size=12000', script, peer, String(size), ...left],
    { env: { ...process.env, NODE_ENV: 'production' } },
  );
  const measured = /** @type {unknown} */ (JSON.parse(stdout));
  for (const [id, { ms, wrong: isWrong }] of Object.entries(/** @type {Measured} */ (measured))) {
    const key = keyOf(peer, size, id);
    times.set(key, [...(times.get(key) ?? []), ms]);
    if (isWrong) wrong.add(key);
  }
}

/** @param {string} peer @param {number} size @param {string} id */
function keyOf(peer, size, id) {
  return `${peer} ${size} ${id}`;
}

/** Users have the package as it is in `dist`. */
function buildUnlessFresh() {
  const built = statSync(join(root, 'dist/index.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  if (sources.some((file) => statSync(join(root, 'src', file)).mtimeMs > built)) {
    execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' });
  }
}
