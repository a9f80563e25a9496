// Measures pages of a thousand rows and more in Chromium, in production builds, and prints what came of it:
//   npm run bench:react [-- --sizes 1000 --runs 9 --rounds 1]
// With nothing left out it writes docs/measurements.md as well.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { build } from 'vite';
import { buildUnlessFresh } from '../dist.mjs';
import { rowCount, table, writePage } from '../markdown.mjs';
import { median } from '../time.mjs';

/** @import { Shape, Step } from './page.js' */

/** What one library took at one step. @typedef {{ ms: number[], rows: number[] }} Found */

const root = fileURLToPath(new URL('../../', import.meta.url));
const peers = ['ours', 'rtk-query', 'tanstack-query'];
/** @type {readonly Shape[]} */
const shapes = ['props', 'selector', 'hook'];
/** @type {readonly Step[]} */
const steps = ['update', 'refetch', 'optimistic', 'unrelated'];
const titles = {
  mount: 'the page is mounted',
  update: 'one row is written',
  refetch: 'the same list comes again',
  optimistic: 'an optimistic edit, and its answer',
  unrelated: 'something unrelated happens',
  again: 'a list of 10 000 comes again, 1 000 of it shown',
};
const shapeTitles = {
  props: 'rows by props',
  selector: 'rows by a selector of their own',
  hook: 'rows by a hook of their own',
};

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,5000' },
    runs: { type: 'string', default: '15' },
    rounds: { type: 'string', default: '2' },
  },
});
const isWhole = process.argv.length === 2;
const sizes = values.sizes.split(',').map(Number);
const runs = Number(values.runs);

process.env['NODE_ENV'] = 'production';
buildUnlessFresh(root);
/** @type {Map<string, Found>} */
const found = new Map();
/** @type {Map<string, string>} */
const scripts = new Map();
for (const peer of peers) scripts.set(peer, await bundle(peer));

const server = createServer((request, response) => {
  const peer = request.url?.slice(1) ?? '';
  const script = scripts.get(peer.replace('.js', ''));
  response.setHeader('content-type', peer.endsWith('.js') ? 'text/javascript' : 'text/html');
  if (peer.endsWith('.js')) response.end(script);
  else
    response.end(
      `<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/${peer}.js"></script>`,
    );
});
await new Promise((resolve) =>
  server.listen(0, '127.0.0.1', () => {
    resolve(undefined);
  }),
);
const address = server.address();
const base = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : ''}`;
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
try {
  // Interleaved, so that whatever else the machine does meets all of them.
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const size of sizes)
      for (const shape of shapes) for (const peer of peers) await measure(peer, size, size, shape, round);
    if (isWhole) for (const shape of shapes) for (const peer of peers) await measure(peer, 10_000, 1_000, shape, round);
  }
} finally {
  await browser.close();
  server.close();
}

const report = sizes
  .map(sizeReport)
  .concat(isWhole ? [againReport()] : [])
  .join('\n\n');
console.log(report);
if (isWhole) await write(report);

/** The page of a library as one script. @param {string} peer */
async function bundle(peer) {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, rolldownOptions: { input: fileURLToPath(new URL(`peers/${peer}.tsx`, import.meta.url)) } },
  });
  const outputs = 'output' in result ? result.output : [];
  return outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('');
}

/**
 * One page in a process of its own: mounted, and each step done often enough.
 * @param {string} peer @param {number} size @param {number} shown @param {Shape} shape @param {number} round
 */
async function measure(peer, size, shown, shape, round) {
  process.stderr.write(`round ${round}: ${peer}, ${size} rows, ${shape}\n`);
  const context = await browser.newContext();
  const page = await context.newPage();
  /** @type {string[]} */
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(`${base}/${peer}`);
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  /** @param {string} id @param {() => Promise<number>} act */
  const time = async (id, act) => {
    const before = await busy();
    const rows = await act();
    const ms = (await busy()) - before;
    const key = keyOf(peer, size, shape, id);
    const known = found.get(key) ?? { ms: [], rows: [] };
    found.set(key, { ms: [...known.ms, ms], rows: [...known.rows, rows] });
  };
  await page.evaluate(([count, of]) => {
    window.bench.prepare(count, of);
  }, /** @type {const} */ ([size, shown]));
  const isTaught = await page.evaluate((how) => window.bench.has(how), shape);
  if (isTaught) {
    await time('mount', async () => {
      await page.evaluate((how) => window.bench.mount(how), shape);
      return shown;
    });
  }
  for (const step of isTaught ? (size === shown ? steps : /** @type {const} */ (['refetch'])) : []) {
    const act = (/** @type {number} */ turn) =>
      page.evaluate(([what, at]) => window.bench.step(what, at), /** @type {const} */ ([step, turn]));
    // The first of them compile what they run.
    for (let turn = 1; turn <= 5; turn++) await act(turn);
    for (let turn = 6; turn < 6 + runs; turn++) await time(step, () => act(turn));
  }
  await context.close();
  if (errors.length > 0) throw new Error(`${peer}: ${errors.join('\n')}`);
}

/** @param {string} peer @param {number} size @param {string} shape @param {string} id */
function keyOf(peer, size, shape, id) {
  return `${peer} ${size} ${shape} ${id}`;
}

/** What each library took. @param {number} size */
function sizeReport(size) {
  const rows = shapes.flatMap((shape) =>
    /** @type {const} */ (['mount', ...steps]).map((id) => [
      `${shapeTitles[shape]}: ${titles[id]}`,
      ...peers.map((peer) => cell(peer, size, shape, id)),
    ]),
  );
  return `### React in Chromium, ${rowCount(size)} rows\n\n${table(['', ...peers], rows)}`;
}

function againReport() {
  const rows = shapes.map((shape) => [
    `${shapeTitles[shape]}: ${titles.again}`,
    ...peers.map((peer) => cell(peer, 10_000, shape, 'refetch')),
  ]);
  return `### React in Chromium, ${rowCount(10_000)} rows\n\n${table(['', ...peers], rows)}`;
}

/** @param {string} peer @param {number} size @param {string} shape @param {string} id */
function cell(peer, size, shape, id) {
  const one = found.get(keyOf(peer, size, shape, id));
  if (!one) return '–';
  const mean = one.ms.reduce((sum, ms) => sum + ms, 0) / one.ms.length;
  const rendered = id === 'mount' ? '' : `, ${median(one.rows)}`;
  return `${round(median(one.ms))} (${round(mean)})${rendered}`;
}

/** @param {number} ms */
function round(ms) {
  return ms.toLocaleString('en', { maximumSignificantDigits: ms >= 100 ? 3 : 2 });
}

/** Writes the tables where the page of documentation has its place for them. @param {string} text */
async function write(text) {
  const page = join(root, 'docs/measurements.md');
  /** @type {unknown} */
  const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { devDependencies } = /** @type {{ devDependencies: Record<string, string> }} */ (about);
  const versions = ['react', '@reduxjs/toolkit', '@tanstack/react-query'].map(
    (name) => `${name} ${devDependencies[name] ?? ''}`,
  );
  const machine = `${versions.join(', ')}; Chromium ${browser.version()}, ${cpus().length} cores. The load of the machine was ${loadavg()[2]?.toFixed(1)}; 1 is the benchmark alone.`;
  const [before = '', rest = ''] = readFileSync(page, 'utf8').split('<!-- react -->');
  const after = rest.split('<!-- end of react -->')[1] ?? '';
  await writePage(page, `${before}<!-- react -->\n\n${machine}\n\n${text}\n\n<!-- end of react -->${after}`);
}
