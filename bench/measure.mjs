// One process: measures some workloads with one library at one size, and prints the medians (in ms) as JSON.
import { loadPeer } from './peers.mjs';
import { median } from './median.mjs';
import { Responses } from './data.mjs';
import { workloads } from './workloads.mjs';

/** @import { Job, Workload } from './workloads.mjs' */

/** How long a workload is repeated, in ms; what is long is done thrice, and what takes seconds once. */
const budget = 500;
const most = 2000;
const least = 3;
const slow = 2000;

const [name = '', size = '', ...ids] = process.argv.slice(2);
const peer = await loadPeer(name);

/** @type {Record<string, { ms?: number, wrong?: true }>} */
const results = {};
const few = new Responses(120);
const responses = new Responses(Number(size));
for (const workload of workloads) {
  if (!ids.includes(workload.id) || peer.cannot.includes(workload.id)) continue;
  const isRight = await isDoneRight(workload);
  results[workload.id] = { ms: await time(workload), ...(!isRight && { wrong: true }) };
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

/** @param {Workload} workload */
async function time(workload) {
  const job = await workload.start(peer, responses);
  if (workload.repeats) return timeRepeated(job);
  const times = [];
  const end = performance.now() + budget;
  while (times.length < most && (times.length < least || performance.now() < end)) {
    await job.before?.();
    if (workload.collects) globalThis.gc?.();
    const start = performance.now();
    const running = job.run();
    if (running instanceof Promise) await running;
    times.push(performance.now() - start);
    if (times.some((time) => time > slow)) break;
  }
  // The first ones are slower, until V8 has compiled what they run.
  return median(times.slice(Math.floor(times.length / 3)));
}

/** Times what is too short for the clock by doing it many times over. @param {Job} job */
function timeRepeated({ run }) {
  const once = () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  };
  const count = Math.ceil(Math.min(10_000, 2 / Math.max(once(), once(), 0.0002)));
  const times = [];
  const end = performance.now() + budget;
  while (times.length < least || performance.now() < end) {
    const start = performance.now();
    for (let i = 0; i < count; i++) run();
    times.push((performance.now() - start) / count);
  }
  return median(times);
}
