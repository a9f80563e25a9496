const { RUNS = 400, SEED, AT, SHRINK } = process.env;

/**
 * How much the laws are searched: `RUNS=10000 npx vitest run test/laws/optimism.test.ts`. Each time others, but for
 * `SEED=…`; a failure prints its seed and its path (`AT=…` plays from there), and is made as short as can be, but for `SHRINK=no`.
 */
export const search = {
  numRuns: Number(RUNS),
  endOnFailure: SHRINK === 'no',
  ...(SEED !== undefined && { seed: Number(SEED) }),
  ...(AT !== undefined && { path: AT }),
};
