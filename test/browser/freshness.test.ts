import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { complaints, launch } from '../support/browser.js';

const entry = fileURLToPath(new URL('./page/main.ts', import.meta.url));
const src = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));
/** What Chromium itself says of a request that it cannot send; nothing in a page can keep it from that. */
const disconnected = 'Failed to load resource: net::ERR_INTERNET_DISCONNECTED';

let server: Server;
let browser: Browser;
let base: string;
let context: BrowserContext;
let page: Page;
let complained: string[];
/** What a test expects the console to say. */
let expected: string[];
/** How often the price was asked for; each answer is one more. */
let asked: number;

beforeAll(async () => {
  const script = await bundle();
  server = createServer((request, response) => {
    const isPrice = request.url === '/api/prices/1';
    response.setHeader('content-type', isPrice ? 'application/json' : 'text/html');
    if (isPrice) response.end(JSON.stringify({ id: 1, amount: ++asked }));
    else response.end(`<!doctype html><link rel="icon" href="data:,"><body><script type="module">${script}</script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

beforeEach(async () => {
  asked = 0;
  context = await browser.newContext();
  page = await context.newPage();
  page.setDefaultTimeout(10_000);
  complained = complaints(page);
  expected = [];
  await page.addInitScript(countListeners);
  // Time passes when a test says so.
  await page.clock.install();
  await page.goto(base);
  await page.clock.pauseAt(Date.now() + 60_000);
});
afterEach(async () => {
  try {
    await expect.poll(() => complained).toEqual(expected);
  } finally {
    await context.close();
  }
});

describe('a price on a page', () => {
  it('is fetched when it is opened, and polled each second, once for two who have it open', async () => {
    await click('Open');
    await shows('fulfilled, price 1');
    await click('Open');

    await page.clock.runFor(1_000);
    await shows('fulfilled, price 2');
    await page.clock.runFor(1_000);
    await shows('fulfilled, price 3');

    expect(asked).toBe(3);
  });

  it('is not polled while the page is hidden, and fetched at once when it is seen again', async () => {
    await click('Open');
    await shows('fulfilled, price 1');

    await setVisibility('hidden');
    await page.clock.runFor(10_000);
    expect(asked).toBe(1);

    await setVisibility('visible');
    await page.clock.runFor(1);
    await shows('fulfilled, price 2');
    await page.clock.runFor(1_000);
    await shows('fulfilled, price 3');
  });

  it('is not polled while the network is away, and fetched at once when it is back', async () => {
    await click('Open');
    await shows('fulfilled, price 1');

    await context.setOffline(true);
    await page.clock.runFor(10_000);
    await shows('fulfilled, price 1, no error');
    expect(asked).toBe(1);

    await context.setOffline(false);
    await page.waitForFunction(() => navigator.onLine);
    await page.clock.runFor(1);
    await shows('fulfilled, price 2');
    await page.clock.runFor(1_000);
    await shows('fulfilled, price 3');
  });

  it('that could not be fetched without the network is fetched when it is there', async () => {
    expected = [disconnected];
    await context.setOffline(true);
    await click('Open');
    await shows('rejected, price unknown, NetworkError');

    await context.setOffline(false);

    await shows('fulfilled, price 1, no error');
  });

  it('is forgotten some time after it is closed, and nothing is listened to any more', async () => {
    expect(await listeners()).toBe(0);
    await click('Open');
    await shows('fulfilled, price 1, no error, 1 kept');
    expect(await listeners()).toBe(3);

    await click('Close');
    expect(await listeners()).toBe(0);
    await page.clock.runFor(4_000);
    await shows('fulfilled, price 1, no error, 1 kept');

    // A little more than the rest: the browser has to be idle, too.
    await page.clock.runFor(2_000);
    await shows('uninitialized, price unknown, no error, 0 kept');
    expect(asked).toBe(1);
  });

  it('that is opened again in time is there at once', async () => {
    await click('Open');
    await shows('fulfilled, price 1');
    await click('Close');
    await page.clock.runFor(4_000);
    await click('Open');
    await page.clock.runFor(900);
    await shows('fulfilled, price 1, no error, 1 kept');

    await page.clock.runFor(100);
    await shows('fulfilled, price 2');
  });
});

/** The page as one script, with the package as it is in src. */
async function bundle(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    resolve: { alias: [{ find: /^rtk-resource$/, replacement: src('index.ts') }] },
    build: { write: false, rolldownOptions: { input: entry } },
  });
  const outputs = 'output' in result ? result.output : [];
  const code = outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('');
  return code.replaceAll('</script', '<\\/script');
}

/** Counts who listens to what the package listens to; runs in the page, before all else. */
function countListeners(): void {
  const counted = new Set(['visibilitychange', 'online', 'offline']);
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  let count = 0;
  const tell = (type: string, more: number): void => {
    if (counted.has(type)) Object.assign(globalThis, { listeners: (count += more) });
  };
  EventTarget.prototype.addEventListener = function (type, ...rest): void {
    tell(type, 1);
    addEventListener.call(this, type, ...rest);
  };
  EventTarget.prototype.removeEventListener = function (type, ...rest): void {
    tell(type, -1);
    removeEventListener.call(this, type, ...rest);
  };
}

function listeners(): Promise<number> {
  return page.evaluate(() => (globalThis as { listeners?: number }).listeners ?? 0);
}

/** Hides the page, or shows it: no window of a headless browser is ever covered. */
async function setVisibility(state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}

async function click(name: string): Promise<void> {
  await page.getByRole('button', { name }).click();
}

async function shows(text: string): Promise<void> {
  await page.getByRole('status').filter({ hasText: text }).waitFor();
}
