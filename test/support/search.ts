import fc from 'fast-check';

const { RUNS = 400, SEED = 20261123, AT, SHRINK } = process.env;

/**
 * How much the laws are searched. The histories are the same ones each time, so that what fails is what has changed; `SEED=…` plays others:
 * `SEED=7 RUNS=10000 npx vitest run test/laws/optimism.test.ts`. A failure prints its seed and its path (`AT=…` plays from there), and is made as
 * short as can be, but for `SHRINK=no`. A law that is searched for otherwise imports this file for its seed.
 */
export const search = {
  numRuns: Number(RUNS),
  endOnFailure: SHRINK === 'no',
  ...(AT !== undefined && { path: AT }),
};

fc.configureGlobal({ seed: Number(SEED) });
