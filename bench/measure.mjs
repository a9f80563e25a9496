// One process: times some workloads with one library, at one size and with ids of one kind, and prints the medians (in ms) as JSON.
import { parseArgs } from 'node:util';
import { Responses } from './data.mjs';
import { loadPeer } from './peers.mjs';
import { time, timeRepeated } from './time.mjs';
import { workloads } from './workloads.mjs';

/** @import { Keys } from './data.mjs' */
/** @import { Workload } from './workloads.mjs' */

const { values, positionals } = parseArgs({ allowPositionals: true, options: { keys: { type: 'string' } } });
const [name = '', size = '', ...ids] = positionals;
const keys = /** @type {Keys | undefined} */ (values.keys);
const peer = await loadPeer(name);

/** @type {Record<string, { value: number, wrong?: true }>} */
const results = {};
const few = new Responses(120, keys);
const responses = new Responses(Number(size), keys);
for (const workload of workloads) {
  if (!ids.includes(workload.id) || peer.cannot.includes(workload.id)) continue;
  if (responses.issues.length > 1000 && peer.slow?.includes(workload.id)) continue;
  const isRight = await isDoneRight(workload);
  const job = await workload.start(peer, responses);
  const value = workload.repeats ? timeRepeated(job.run) : await time(job, workload);
  results[workload.id] = { value, ...(!isRight && { wrong: true }) };
}
console.log(JSON.stringify(results));
// Some libraries still have timers.
process.exit();

/** Does a workload a few times with few rows, to see whether it does what it should. @param {Workload} workload */
async function isDoneRight(workload) {
  const job = await workload.start(peer, few);
  let isRight = true;
  for (let i = 0; i < 3; i++) {
    await job.before?.();
    await job.run();
    isRight &&= job.right();
  }
  return isRight;
}
