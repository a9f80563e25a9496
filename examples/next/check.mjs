// Builds this example with the package as it would be published, and tries it in Chromium: npm run example:next
import { execFileSync, spawn } from 'node:child_process';
import assert from 'node:assert/strict';
import { chromium } from 'playwright';

const here = import.meta.dirname;
const root = `${here}/../..`;
const origin = 'http://localhost:3417';
const env = { ...process.env, NEXT_PUBLIC_ORIGIN: origin, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
/** @param {string} command @param {readonly string[]} args @param {string} cwd */
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, env: { ...env, NODE_ENV: 'development' }, stdio: 'inherit' });

run('npm', ['run', 'build'], root);
const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', here], { cwd: root, encoding: 'utf8' });
const [{ filename }] = JSON.parse(packed);
// Not every platform's binary of Next is in every registry, which a lock file would insist on.
run('npm', ['install', '--no-save', '--no-package-lock', `./${filename}`], here);
execFileSync('npx', ['next', 'build'], { cwd: here, env, stdio: 'inherit' });

const server = spawn('node', ['node_modules/next/dist/bin/next', 'start', '-p', '3417'], {
  cwd: here,
  env,
  stdio: 'inherit',
});
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  for (let tries = 0; !(await fetch(`${origin}/api/asked`).catch(() => undefined)) && tries < 100; tries++)
    await new Promise((resolve) => setTimeout(resolve, 200));
  const asked = async () => (await fetch(`${origin}/api/asked`)).json();

  assert.match(await (await fetch(origin)).text(), /Buy milk/, 'the server renders what it has fetched');
  const before = (await asked()).length;
  const page = await browser.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(origin, { waitUntil: 'networkidle' });
  await page.getByRole('checkbox', { name: 'Buy milk' }).check();
  await page.getByLabel('New todo').fill('Read');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText('Read').waitFor();
  await page.waitForLoadState('networkidle');

  assert.deepEqual(
    (await asked()).slice(before),
    // Once by the server; the browser goes on with that.
    ['GET /api/todos', 'PATCH /api/todos/1', 'POST /api/todos'],
  );
  assert.deepEqual(await page.getByRole('listitem').allTextContents(), ['Buy milk', 'Call Ada', 'Read']);
  assert.deepEqual(complaints, []);
  console.log('The example works: fetched on the server once, taken over without a fetch and without a warning.');
} finally {
  await browser.close();
  server.kill();
}
