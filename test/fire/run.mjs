// Puts the package under fire: a server with all kinds of faults, odd values, very many dispatches and mounts. Each part is a process of its own.
//   npm run fire -- [--short] [--seed=16] [faults odd dispatches mounts]
// With nothing left out, or with --write, it writes docs/reliability.md as well.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildUnlessFresh } from '../../bench/dist.mjs';
import { table, writePage } from '../../bench/markdown.mjs';

/** @import { Found } from './part.mjs' */

const root = fileURLToPath(new URL('../../', import.meta.url));
const parts = ['faults', 'odd', 'dispatches', 'mounts'];
const args = process.argv.slice(2);
const isShort = args.includes('--short');
const seed = args.find((arg) => arg.startsWith('--seed='))?.slice('--seed='.length) ?? '16';
const asked = args.filter((arg) => parts.includes(arg));
buildUnlessFresh(root);

/** What a part found. @param {string} part @returns {Promise<string[][]>} */
async function run(part) {
  const script = join(root, 'test/fire', `${part}.mjs`);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', script, isShort ? '0.02' : '1', seed],
    {
      env: { ...process.env, NODE_ENV: 'production' },
      timeout: isShort ? 120_000 : 1_800_000,
    },
  );
  /** @type {unknown} */
  const printed = JSON.parse(stdout);
  const found = /** @type {Found} */ (printed);
  return Object.entries(found).map(([what, value]) => [what, value.toLocaleString('en').replaceAll(',', ' ')]);
}

// Mostly they wait, so all at once.
const rows = (await Promise.all((asked.length > 0 ? asked : parts).map(run))).flat();
const report = table([`Seed ${seed}`, ''], rows);
console.log(report);
if (asked.length === 0 && (!isShort || args.includes('--write'))) {
  const text = `# Reliability

What was done to the package, and what came of it; this page is written by

\`\`\`sh
npm run fire                 # all of it, some minutes
npm run fire -- --short      # a fiftieth of it, as CI does it
\`\`\`

- **A server on loopback** answers two of three requests with a fault: refusals of all kinds, pages and broken JSON, wrong ids, connections that break,
  answers that never end. Requests overlap, are optimistic, are aborted, sent again, and have a time limit. Each must end; then nothing is pending, no
  guess is left, and when all is well again, what is shown is what the server has, field by field.
- **Odd answers and arguments**: Proxies that throw, cycles, BigInts, Maps, promises, \`__proto__\`, as bodies, parameters, answers, thrown errors and guesses.
  Nothing throws at dispatch, each request ends, and the state can be written as JSON.
- **Dispatches** of all kinds, with reads of arguments that never come again; what is in use after a collection must not grow.
- **Mounts** of React components that read and edit, and are unmounted at any moment; nothing of them may be left.

An error that nobody hears of, in any of them, is a failure. Node ${process.version}${isShort ? '; the figures are those of the short form' : ''}.

${report}
`;
  await writePage(join(root, 'docs/reliability.md'), text);
}
