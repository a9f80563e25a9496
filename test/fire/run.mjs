// Puts the package under fire: a server with all kinds of faults, odd values, very many dispatches and mounts. Each part is a process of its own.
//   npm run fire -- [--short] [--seed=16] [faults odd dispatches mounts session]
// With nothing left out, or with --write, it writes docs/reliability.md as well.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildUnlessFresh } from '../../bench/dist.mjs';
import { table, writePage } from '../../bench/markdown.mjs';

/** @import { Found } from './part.mjs' */

const root = fileURLToPath(new URL('../../', import.meta.url));
const parts = ['faults', 'odd', 'dispatches', 'mounts', 'session'];
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

Five programs try to break the package. Each plays one kind of trouble, and then checks that nothing is left of it. These commands run them, and write this page:

\`\`\`sh
npm run fire                 # all five, some minutes
npm run fire -- --short      # a fiftieth of it, as CI runs it
\`\`\`

- **A faulty server.** It answers each try of a request with a fault in two cases of three. A request may have several tries, so the table has more faults than two thirds of the requests. The faults are: refused requests, HTML pages, broken JSON, wrong ids, broken connections, answers that never end. Requests overlap. Some are optimistic,
  aborted, sent again, or have a time limit. Every request must end. After that, nothing is in flight and no optimistic change is left. When the server works again, every field on the screen must be as on the server.
- **Odd values.** Proxies that throw, cycles, BigInts, Maps, promises and \`__proto__\` come as bodies, parameters, answers, errors and optimistic values. No dispatch may throw, every request must end, and
  JSON must be able to hold the state.
- **Dispatches.** A million dispatches of all kinds, with reads whose arguments never come again. The memory in use after garbage collection must not grow.
- **Mounts.** React components read and edit, and are unmounted at any moment. Nothing of them may be left.
- **A session.** Somebody works for days, while one request never ends. Items are created, voted for and deleted; sockets tell of deletions; answers are lost; the clock is set back; users log out.
  The memory in use must follow the data. Nothing may be sent for a user who has logged out. No error may tell the value of a header.

In all five, an unhandled error is a failure. Node ${process.version}${isShort ? '; the figures are those of the short form' : ''}.

${report}
`;
  await writePage(join(root, 'docs/reliability.md'), text);
}
