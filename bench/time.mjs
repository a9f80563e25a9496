/** How long something is repeated, in ms, and how many times that with all that is before it; what is long is done thrice, and what takes seconds once. */
const usualBudget = 1000;
const patience = 2;
const most = 10_000;
const least = 3;
const slow = 2000;

/**
 * What is timed is `run`; `before` makes ready for it, each time.
 * @typedef {object} Timed
 * @property {() => void | Promise<void>} [before]
 * @property {() => unknown} run
 */

/** Who wants to know when a run starts, and when it has ended. @type {{ starts?: () => void, ends?: () => void }} */
export const watched = {};

/** @param {readonly number[]} values */
export function median(values) {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? NaN;
}

/** Those that count: the first ones are slower, until V8 has compiled what they run. @template Run @param {readonly Run[]} runs */
export function warm(runs) {
  return runs.slice(Math.floor(runs.length / 3));
}

/** How long it takes, in ms. @param {Timed} timed @param {{ collects?: boolean, budget?: number }} [how] Whether garbage is collected before each run, and how long it is repeated, in ms. */
export async function time({ before, run }, { collects = false, budget = usualBudget } = {}) {
  const times = [];
  const end = performance.now() + patience * budget;
  let total = 0;
  const isEnough = () => times.length === most || total > budget || performance.now() > end;
  while (times.length < least || !isEnough()) {
    await before?.();
    // A full collection would throw away compiled code as well, and the time of V8 to make it anew be measured.
    if (collects) globalThis.gc?.({ type: 'minor' });
    watched.starts?.();
    const start = performance.now();
    const running = run();
    if (running instanceof Promise) await running;
    const taken = performance.now() - start;
    watched.ends?.();
    times.push(taken);
    total += taken;
    if (taken > slow) break;
  }
  return median(warm(times));
}

/** The same of what is too short for the clock, by doing it many times over. @param {() => unknown} run */
export function timeRepeated(run) {
  const once = () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  };
  const count = Math.ceil(Math.min(10_000, 2 / Math.max(once(), once(), 0.0002)));
  const times = [];
  const end = performance.now() + usualBudget;
  while (times.length < least || performance.now() < end) {
    const start = performance.now();
    for (let i = 0; i < count; i++) run();
    times.push((performance.now() - start) / count);
  }
  return median(times);
}
