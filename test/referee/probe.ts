import fc from 'fast-check';
import { chosenWorlds } from './chosen.js';
import { openOurs } from './clients/ours.js';
import { histories, type Serving } from './history.js';
import { broken, judge } from './judge.js';
import { plain } from './worlds.js';
import { wrappers } from './wrappers.js';

// Plays histories until a promise is broken, and tells which: for faults.mjs, which has put a fault into the sources, or names a wrapper.
const { RUNS = 2_000, SEED = 1, WRAPPER } = process.env;
const turns: readonly Serving[] = ['in order of sending', 'in order of sending', 'in any order'];

console.warn = () => undefined;
console.error = () => undefined;

/** The wrapper that is asked for by its number; what it is called is told first. */
const wrapper = WRAPPER === undefined ? undefined : wrappers[Number(WRAPPER)];
if (WRAPPER !== undefined) process.stdout.write(`${wrapper?.name ?? ''}\n`);

/** Faults in the sources are played in the plain world, unless WORLDS names another. */
const world = process.env['WORLDS'] === undefined ? (wrapper?.world ?? plain) : (chosenWorlds[0] ?? plain);

async function first(): Promise<string | undefined> {
  const played = turns.map((serving, turn) =>
    fc.sample(histories(serving, world), {
      numRuns: Math.ceil(Number(RUNS) / turns.length),
      seed: Number(SEED) + turn,
    }),
  );
  let count = 0;
  for (let i = 0; i < (played[0]?.length ?? 0); i += 1) {
    for (const [turn, serving] of turns.entries()) {
      count += 1;
      const ours = openOurs({ isAttentive: turn === 1 });
      const verdict = await judge(wrapper ? wrapper.wrap(ours) : ours, played[turn]?.[i] ?? [], serving, true, world);
      const [finding] = broken(verdict, serving);
      if (finding) return `${finding.kind}, in history ${count} (${serving})`;
    }
  }
  return undefined;
}

process.on('uncaughtException', (error) => {
  process.stdout.write(`an exception: ${error.message.split('\n')[0] ?? ''}`);
  process.exit(0);
});
const found = await first().catch((error: unknown) => `an exception: ${String(error).split('\n')[0] ?? ''}`);
process.stdout.write(found ?? '');
process.exit(0);
