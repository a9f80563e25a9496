// Takes the pictures of the showcase in docs/images: `npm run pictures`. Those that move are put together by `img2webp` (apt-get install webp).
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright';
import { createServer } from 'vite';

const images = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url));
const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
/** How long each picture of a film stands at least, in ms. */
const FRAME = 250;

const server = await createServer({ configFile, logLevel: 'warn', server: { port: 0, host: 'localhost' } });
await server.listen();
const base = server.resolvedUrls?.local[0] ?? '';
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
await mkdir(images, { recursive: true });

await take('showcase-light', 'light', desktop, async (page) => {
  await useTracker(page);
});
await take('showcase-dark', 'dark', desktop, async (page) => {
  await useTracker(page);
  await page.getByRole('button', { name: 'Beside RTK Query' }).click();
  await page.getByLabel('Scene').first().selectOption('The first of two edits fails, late');
  for (let step = 1; step <= 4; step++) {
    await page.getByRole('button', { name: 'Next step' }).click();
    await page.locator(`.steps [aria-current]:nth-child(${step})`).waitFor();
  }
  await page.getByText('wrong').waitFor();
});
await take('showcase-phone', 'light', phone, async (page) => {
  await page.getByRole('link', { name: 'timeline', exact: true }).click();
  await page.getByRole('radio', { name: 'writes' }).check();
  await page.getByRole('link', { name: 'board', exact: true }).click();
  await page.getByRole('link', { name: 'Redraw the weekly digest' }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.locator('.card[aria-busy=true]').waitFor();
});

await film('story-light', 'light');
await film('story-dark', 'dark');

await browser.close();
await server.close();

/**
 * A picture of what a user sees who has signed in and done something.
 * @param {string} name
 * @param {'light' | 'dark'} colorScheme
 * @param {{ width: number, height: number }} viewport
 * @param {(page: import('playwright').Page) => Promise<void>} act
 */
async function take(name, colorScheme, viewport, act) {
  await fetch(`${base}api/reset`, { method: 'POST' });
  const context = await browser.newContext({ viewport, colorScheme, deviceScaleFactor: 2 });
  const page = await context.newPage();
  await page.goto(base);
  await page.locator('.card').first().waitFor();
  await act(page);
  const session = await context.newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 60 });
  await writeFile(`${images}${name}.webp`, Buffer.from(data, 'base64'));
  await context.close();
}

/**
 * A film of two stories that the showcase plays by itself.
 * @param {string} name
 * @param {'light' | 'dark'} colorScheme
 */
async function film(name, colorScheme) {
  await fetch(`${base}api/reset`, { method: 'POST' });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme });
  const page = await context.newPage();
  await page.goto(base);
  await page.locator('.card').first().waitFor();
  const folder = await mkdtemp(join(tmpdir(), 'film-'));
  /** @type {string[]} */
  const frames = [];
  const expose = async (time = FRAME) => {
    const path = join(folder, `${String(frames.length)}.png`);
    const began = Date.now();
    await page.screenshot({ path });
    await page.waitForTimeout(Math.max(0, FRAME - (Date.now() - began)));
    frames.push('-d', String(Math.max(time, Date.now() - began)), path);
  };
  for (const story of ['An edit is refused', 'A card moves, and comes back']) {
    await expose();
    await page.getByRole('button', { name: story }).click();
    while (!(await page.getByRole('button', { name: 'Close' }).isVisible())) await expose();
  }
  await expose(8 * FRAME);
  const how = ['-loop', '0', '-lossy', '-q', '60', '-m', '4'];
  await promisify(execFile)('img2webp', [...how, ...frames, '-o', `${images}${name}.webp`]);
  await rm(folder, { recursive: true });
  await context.close();
}

/**
 * Edits an issue while another is being created, and has a colleague work.
 * @param {import('playwright').Page} page
 */
async function useTracker(page) {
  const issue = page.getByRole('region', { name: 'Issue', exact: true });
  await page.getByRole('link', { name: 'Translate the keyboard shortcuts on small screens' }).first().click();
  await issue.getByText('2 comments').waitFor();
  await page.getByRole('button', { name: 'once' }).click();
  await page
    .getByRole('button', { name: /^set, / })
    .first()
    .waitFor();
  await page.getByRole('radio', { name: 'writes' }).check();
  await page.getByRole('button', { name: 'New issue' }).click();
  const list = page.getByRole('region', { name: 'List' });
  await list.getByLabel('Title').fill('Say it before the server does');
  await list.getByLabel('idea').check();
  await list.getByRole('button', { name: 'Create' }).click();
  await list.getByRole('button', { name: 'Cancel' }).click();
  await issue.getByLabel('Title').fill('Translate the shortcuts, too');
  await issue.getByLabel('Title').press('Enter');
  await issue.getByLabel('Status').selectOption('doing');
  await issue.getByText('saving…').waitFor();
}
