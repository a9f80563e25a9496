import fc from 'fast-check';
import { chosenWorlds } from './chosen.js';
import { openOurs } from './clients/ours.js';
import { histories, outspoken, type Serving, type Step } from './history.js';
import { broken, judge, told, type Verdict } from './judge.js';
import type { World } from './worlds.js';

// Counts what is found in each world: `RUNS=500 WORLDS=pages node test/referee/run.mjs tally.ts`, with SEED=… and SERVING=any.
// With VERSIONS=yes, rows have a version, and each answer to a write tells the row.
// With EACH=yes, it tells each story that it finds something in, with its number; with AT=7, it begins with number 7.
// With KIND='row vanishes', it tells the shortest story of that kind that it finds; KIND is a pattern, and `KIND=.` means any.
const { RUNS = 300, SEED = 1, AT = 0, SERVING = '', EACH, KIND, VERSIONS } = process.env;
const isVersioned = VERSIONS === 'yes';
const serving: Serving = SERVING === 'any' ? 'in any order' : 'in order of sending';

console.warn = () => undefined;
console.error = () => undefined;

const property = (world: World) => fc.tuple(histories(serving, world), fc.boolean());

function verdictOn(world: World, [steps, isAttentive]: readonly [readonly Step[], boolean]): Promise<Verdict> {
  const told = isVersioned ? outspoken(steps) : steps;
  return judge(openOurs({ isAttentive, isVersioned }), told, serving, true, world);
}

async function count(world: World): Promise<void> {
  const counts = new Map<string, number>();
  const all = fc.sample(property(world), { numRuns: Number(AT) + Number(RUNS), seed: Number(SEED) });
  for (const [number, drawn] of all.entries()) {
    if (number < Number(AT)) continue;
    const verdict = await verdictOn(world, drawn).catch((error: unknown) => String(error));
    const excused = typeof verdict === 'string' ? [] : verdict.excused.map((name) => `(known: ${name})`);
    // With versions, what rows say is promised in any order.
    const found = typeof verdict === 'string' ? [] : isVersioned ? verdict.findings : broken(verdict, serving);
    if (EACH === 'yes' && found.length > 0 && typeof verdict !== 'string')
      process.stdout.write(`${String(number)}: ${told(verdict, found)}\n`);
    const kinds = typeof verdict === 'string' ? [verdict] : found.map(({ kind }) => kind);
    for (const kind of new Set([...kinds, ...excused, ...(kinds.length > 0 ? ['any of these'] : [])])) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  }
  process.stdout.write(`${world.name}, ${serving}, of 1 000:\n`);
  for (const [kind, times] of counts) process.stdout.write(`  ${kind}: ${(times * 1000) / Number(RUNS)}\n`);
}

async function tell(world: World, kind: string): Promise<void> {
  const pattern = new RegExp(kind);
  const details = await fc.check(
    fc.asyncProperty(property(world), async (drawn) => {
      const verdict = await verdictOn(world, drawn);
      const all = isVersioned ? verdict.findings : broken(verdict, serving);
      const findings = all.filter((one) => pattern.test(`${one.kind}: ${one.text}`));
      if (findings.length > 0) throw new Error(told(verdict, all));
    }),
    { numRuns: Number(RUNS), seed: Number(SEED) },
  );
  process.stdout.write(`${world.name}: ${JSON.stringify(details.counterexample)}\n${String(details.errorInstance)}\n`);
}

for (const world of chosenWorlds) await (KIND === undefined ? count(world) : tell(world, KIND));
process.exit(0);
