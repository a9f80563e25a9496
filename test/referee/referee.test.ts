import fc from 'fast-check';
import { afterAll, describe, it, vi } from 'vitest';
import { search } from '../support/search.js';
import { chosenWorlds } from './chosen.js';
import { openOurs } from './clients/ours.js';
import { histories, type Serving, type Step } from './history.js';
import { broken, judge, told } from './judge.js';
import { mockedWorlds, type World } from './worlds.js';

// A busy machine is no reason to fail.
vi.setConfig({ testTimeout: 36_000_000 });

/**
 * `RUNS=100000 npx vitest run test/referee/referee.test.ts`; the same histories each time, others with `SEED=…`, and that at `AT=…`.
 * The worlds share them; `WORLDS=plain,pages` plays in these alone, `SERVER=mock` has a `mockServer` for their server.
 */
const { RUNS = 1_000 } = process.env;
const some = (share: number) => ({
  ...search,
  numRuns: Math.ceil((Number(RUNS) * share) / chosenWorlds.length),
});

/** How often each known gap was fallen into. */
const excused = new Map<string, number>();

async function expectPromises(
  world: World,
  steps: readonly Step[],
  serving: Serving,
  isAttentive: boolean,
): Promise<void> {
  const verdict = await judge(openOurs({ isAttentive }), steps, serving, true, world);
  for (const name of verdict.excused) excused.set(name, (excused.get(name) ?? 0) + 1);
  const findings = broken(verdict, serving);
  if (findings.length > 0) throw new Error(told(verdict, findings));
}

afterAll(() => {
  for (const [name, times] of excused) console.info(`known, ${times} times: ${name}`);
});

describe.each(chosenWorlds)('a store, as an outsider sees it, in the world $name,', (world) => {
  it('shows nothing that is unexplained or goes back, where the server serves in the order of sending', async () => {
    await fc.assert(
      fc.asyncProperty(histories('in order of sending', world), fc.boolean(), (steps, isAttentive) =>
        expectPromises(world, steps, 'in order of sending', isAttentive),
      ),
      some(0.75),
    );
  });

  it('shows nothing that is unexplained, and keeps a confirmed edit from older reads, where it serves in any order', async () => {
    await fc.assert(
      fc.asyncProperty(histories('in any order', world), fc.boolean(), (steps, isAttentive) =>
        expectPromises(world, steps, 'in any order', isAttentive),
      ),
      some(0.25),
    );
  });
});

// All histories are played so with `SERVER=mock`.
describe.each(mockedWorlds)('a mock server in the world $name', (world) => {
  it('is judged as the server of the referee is', async () => {
    await fc.assert(
      fc.asyncProperty(histories('in order of sending', world), fc.boolean(), (steps, isAttentive) =>
        expectPromises(world, steps, 'in order of sending', isAttentive),
      ),
      some(0.03),
    );
  });
});
