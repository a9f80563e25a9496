// Measures the outbox in Chromium: how long a tab takes until 1 000 kept writes are shown, and what it adds to an online write.
//   npm run bench:offline             prints both
//   npm run bench:offline -- restore  prints the first alone
//   npm run bench:offline -- profile  prints where the time of the first goes, too
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright';

/** @import {} from './page.js' */

const COUNT = 1_000;
const WRITES = 60;
/** How long the server takes, in ms. */
const DELAY = 20;
const RUNS = 5;

const src = (/** @type {string} */ path) => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));
const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
  bundle: true,
  format: 'iife',
  write: false,
  alias: { 'rtk-resource/offline': src('offline/index.ts'), 'rtk-resource': src('index.ts') },
  define: { 'process.env.NODE_ENV': '"production"' },
});
const script = outputFiles[0]?.text ?? '';

let made = 0;
const server = createServer((request, response) => {
  const isPage = request.method === 'GET';
  const answer = () => {
    response.writeHead(isPage ? 200 : 201, { 'content-type': isPage ? 'text/html' : 'application/json' });
    response.end(isPage ? `<script>${script}</script>` : JSON.stringify({ id: ++made, title: 'Made' }));
  };
  request.resume();
  request.on('end', () => {
    if (isPage) answer();
    else setTimeout(answer, DELAY);
  });
});
await new Promise((resolve) => {
  server.listen(0, '127.0.0.1', () => {
    resolve(undefined);
  });
});
const address = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/`;
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});

const [none, all] = [await restored(0), await restored(COUNT)];
console.info(
  `1 000 kept writes are shown ${all.took.toFixed(0)} ms after the database is open, ${none.took.toFixed(0)} without any; ` +
    `that costs ${(all.cpu - none.cpu).toFixed(0)} ms of the processor (best of ${RUNS})`,
);
if (process.argv[2] === 'restore') process.exit();
const [without, kept] = [await written('?plain'), await written('')];
console.info(
  `an online write takes ${kept.toFixed(1)} ms, without an outbox ${without.toFixed(1)} ms: ${(kept / without).toFixed(2)} times`,
);
await browser.close();
server.close();

/**
 * How long a tab takes to show some kept writes, at best, and what loading the page costs the processor. That counts no other program.
 * @param {number} count
 */
async function restored(count) {
  const context = await browser.newContext();
  const first = await context.newPage();
  await first.goto(address);
  await context.setOffline(true);
  await first.evaluate((count) => window.outboxBench.fill(count), count);
  await first.close();
  let best = { took: Infinity, cpu: Infinity };
  for (let i = 0; i < RUNS; i++) {
    const page = await context.newPage();
    // The page comes from the server, and then is offline: nothing is sent.
    await page.addInitScript(() => Object.defineProperty(navigator, 'onLine', { get: () => false }));
    await context.setOffline(false);
    const devtools = await context.newCDPSession(page);
    const isProfiled = process.argv[2] === 'profile' && count > 0 && i === RUNS - 1;
    if (isProfiled) {
      await devtools.send('Profiler.enable');
      await devtools.send('Profiler.setSamplingInterval', { interval: 200 });
      await devtools.send('Profiler.start');
    }
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(address);
    const { size, took } = await page.evaluate(() => window.outboxBench.ready());
    if (size !== count) throw new Error(`${size} of ${count} are there.`);
    const { metrics } = await devtools.send('Performance.getMetrics');
    const cpu = 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
    if (isProfiled) tell((await devtools.send('Profiler.stop')).profile);
    else if (took < best.took || cpu < best.cpu)
      best = { took: Math.min(took, best.took), cpu: Math.min(cpu, best.cpu) };
    await page.close();
  }
  await context.close();
  return best;
}

/** @param {string} search */
async function written(search) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address + search);
  await page.evaluate((count) => window.outboxBench.write(count), WRITES);
  const time = await page.evaluate((count) => window.outboxBench.write(count), WRITES);
  await context.close();
  return time;
}

/**
 * Prints the functions that take most of the time.
 * @param {import('node:inspector').Profiler.Profile} profile
 */
function tell({ nodes, samples = [], timeDeltas = [] }) {
  /** @type {Map<number, number>} */
  const own = new Map();
  samples.forEach((id, i) => own.set(id, (own.get(id) ?? 0) + (timeDeltas[i] ?? 0) / 1_000));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  /** @type {Map<string, { own: number, all: number }>} */
  const found = new Map();
  const visit = (/** @type {number} */ id, /** @type {readonly string[]} */ above) => {
    const node = byId.get(id);
    if (!node) return 0;
    const name = node.callFrame.functionName || `line ${node.callFrame.lineNumber}`;
    let all = own.get(id) ?? 0;
    const mine = all;
    for (const child of node.children ?? []) all += visit(child, [...above, name]);
    const entry = found.get(name) ?? { own: 0, all: 0 };
    found.set(name, { own: entry.own + mine, all: entry.all + (above.includes(name) ? 0 : all) });
    return all;
  };
  visit(nodes[0]?.id ?? 0, []);
  for (const [name, time] of [...found].sort((one, other) => other[1].all - one[1].all).slice(0, 60))
    console.info(`${time.all.toFixed(1).padStart(8)} ${time.own.toFixed(1).padStart(8)}  ${name}`);
}
