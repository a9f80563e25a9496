// What the parts have in common: each is a process of its own, with a seed and a size, that prints what it found, or fails.
import { configureStore } from '@reduxjs/toolkit';
import { configureResources } from 'rtk-resource';
import { random } from '../../bench/data.mjs';

/** What a part found, by what it is. @typedef {Record<string, string | number>} Found */

const [size = '', seed = ''] = process.argv.slice(2);

/** How much of it, from 0 to 1. */
export const share = Number(size);

const next = random(Number(seed));

/** A whole number from 0, below another. @param {number} below */
export function below(below) {
  return Math.floor(next() * below);
}

/** One of some. @template One @param {readonly One[]} all @returns {One} */
export function oneOf(all) {
  // There is one.
  return /** @type {One} */ (all[below(all.length)]);
}

/** What a reducer or a middleware beside ours throws: it is the app's own, and is heard of. */
export const elsewhere = new Error('thrown elsewhere');

// What nobody hears of ends the part, whoever is to blame.
for (const event of ['unhandledRejection', 'uncaughtException']) {
  process.on(event, (/** @type {unknown} */ error) => {
    if (event === 'uncaughtException' && error === elsewhere) return;
    console.error(event, error);
    process.exit(1);
  });
}

/**
 * A store as a user has it in production, with the actions that it has had; `check` is asked, by a reducer or a middleware beside ours, of each.
 * @param {() => void} [check]
 */
export function openStore(check = () => undefined) {
  const resources = configureResources({ unusedDataExpiryLength: 50 });
  /** @type {import('@reduxjs/toolkit').Middleware} */
  const fragile = () => (next) => (action) => {
    check();
    return next(action);
  };
  const store = configureStore({
    reducer: {
      resources: resources.reducer,
      other: (state = 0) => {
        check();
        return state;
      },
    },
    middleware: (getDefault) => getDefault().concat(resources.middleware, fragile),
    devTools: false,
  });
  return { resources, store, slice: () => store.getState().resources };
}

/** Fails where something is not as it must be. @param {boolean} isSo @param {string} what @param {unknown} [came] */
export function must(isSo, what, came) {
  if (!isSo) throw new Error(`${what}${came === undefined ? '' : `: ${JSON.stringify(came).slice(0, 2_000)}`}`);
}

/** Nothing is under way, and nothing is remembered of what was. @param {ReturnType<typeof openStore>} opened */
export function mustBeIdle({ slice }) {
  const { intents, journal, requests } = slice();
  const untouched = openStore().slice();
  const pending = requests.rows.flat().filter((record) => record !== null && record.pending.length > 0);
  must(intents.length === 0, 'an intent is left', intents);
  must(pending.length === 0, 'a request is pending', pending);
  must(JSON.stringify(journal) === JSON.stringify(untouched.journal), 'the journal is not empty', journal);
}

/** Waits for the next turn of the event loop. */
export function turn() {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** What is in use after a collection, in MB. */
export async function heap() {
  await turn();
  globalThis.gc?.();
  await turn();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}

/** The growth from the first third of some samples to the last, in MB. @param {readonly number[]} samples */
export function growthOf(samples) {
  const third = Math.max(1, Math.floor(samples.length / 3));
  const mean = (/** @type {readonly number[]} */ some) => some.reduce((sum, one) => sum + one, 0) / some.length;
  return mean(samples.slice(-third)) - mean(samples.slice(0, third));
}

/** Prints what was found, and ends. @param {Found} found */
export async function report(found) {
  await turn();
  console.log(JSON.stringify(found));
  process.exit(0);
}
