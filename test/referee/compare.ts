import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { table, writePage } from '../../bench/markdown.mjs';
import type { OpenClient } from './Client.js';
import { openDataClient } from './clients/dataClient.js';
import { openOurs } from './clients/ours.js';
import { openRtkQuery } from './clients/rtkQuery.js';
import { openTanstackQuery } from './clients/tanstackQuery.js';
import { kinds, kindsOfPages, type Kind } from './findings.js';
import { histories, outspoken, type Serving } from './history.js';
import { judge } from './judge.js';

// Writes the table of docs/guarantees.md: `npm run referee:compare`, or with RUNS=… and SEED=….
const { RUNS = 1_000, SEED = 20261122, PAGE = 'docs/guarantees.md' } = process.env;
const runs = Number(RUNS);

interface Contender {
  readonly name: string;
  readonly open: OpenClient;
  readonly isOutspoken?: boolean;
}

const contenders: readonly Contender[] = [
  { name: 'rtk-resource', open: openOurs({ isAttentive: true }) },
  { name: 'rtk-resource, versions', open: openOurs({ isAttentive: true, isVersioned: true }), isOutspoken: true },
  { name: 'RTK Query, undo', open: openRtkQuery('undo') },
  { name: 'RTK Query, tags', open: openRtkQuery('tags') },
  { name: 'TanStack Query', open: openTanstackQuery },
  { name: 'data-client', open: openDataClient },
];
const servings: readonly Serving[] = ['in order of sending', 'in any order'];

// data-client orders answers by the clock: no two things happen in one millisecond here.
let clock = Date.now();
Date.now = () => (clock += 1);
console.warn = () => undefined;
console.error = () => undefined;

/** In how many histories each kind is found; `any` counts those with one of any kind. */
async function tally({ open, isOutspoken }: Contender, serving: Serving): Promise<ReadonlyMap<Kind | 'any', number>> {
  const counts = new Map<Kind | 'any', number>();
  for (const drawn of fc.sample(histories(serving), { numRuns: runs, seed: Number(SEED) })) {
    const { findings } = await judge(open, isOutspoken ? outspoken(drawn) : drawn, serving, false);
    const found = new Set<Kind | 'any'>(findings.flatMap(({ kind }) => [kind, 'any' as const]));
    for (const kind of found) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

function perThousand(count: number | undefined): string {
  const figure = ((count ?? 0) * 1000) / runs;
  return figure === 0 ? '·' : figure.toLocaleString('en', { maximumFractionDigits: 1 });
}

const parts: string[] = [];
for (const serving of servings) {
  const columns: ReadonlyMap<Kind | 'any', number>[] = [];
  for (const contender of contenders) {
    columns.push(await tally(contender, serving));
    process.stderr.write(`${serving}: ${contender.name}\n`);
  }
  const row = (name: string, kind: Kind | 'any'): readonly string[] => [
    name,
    ...columns.map((counts) => perThousand(counts.get(kind))),
  ];
  const shown = (Object.keys(kinds) as Kind[]).filter((kind) => !kindsOfPages.includes(kind));
  const rows = shown.map((kind) => row(kind, kind));
  const head = [serving, ...contenders.map(({ name }) => name)];
  parts.push(table(head, [...rows, row('**any of these**', 'any')]));
}

const [before, after] = ['<!-- compare -->', '<!-- /compare -->'];
const text = readFileSync(PAGE, 'utf8');
const start = text.indexOf(before);
const end = text.indexOf(after);
if (start < 0 || end < start) throw new Error(`${PAGE} has no ${before} … ${after}`);
const note = `Histories of 1 000 in which something of the kind was seen; ${runs.toLocaleString('en').replaceAll(',', ' ')} were played with each (seed ${SEED}).`;
const written = [before, note, ...parts, after].join('\n\n');
await writePage(PAGE, text.slice(0, start) + written + text.slice(end + after.length));
process.exit(0);
