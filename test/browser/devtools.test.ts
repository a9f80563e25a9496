// The panel of the devtools in a browser, under the strictest policy for content that a page has.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Locator, Page } from 'playwright';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { complaints, launch } from '../support/browser.js';

const src = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));
const entry = fileURLToPath(new URL('./devtools/main.tsx', import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const tabs = ['Timeline', 'Data', 'Pending', 'Requests'] as const;
const edit = 'PATCH /api/issues/1';

let server: Server;
let browser: Browser;
let base: string;
let context: BrowserContext;
let page: Page;
let complained: string[];

beforeAll(async () => {
  const script = await bundle();
  server = createServer((request, response) => {
    response.setHeader('content-security-policy', "default-src 'self'; img-src data:");
    if (request.url === '/main.js') response.setHeader('content-type', 'text/javascript').end(script);
    else
      response
        .setHeader('content-type', 'text/html')
        .end(
          '<!doctype html><html lang="en"><title>Issues</title><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="/main.js"></script>',
        );
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
  context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  page = await context.newPage();
  page.setDefaultTimeout(10_000);
  complained = complaints(page);
});
afterEach(async () => {
  try {
    expect(complained).toEqual([]);
    expect(await page.evaluate(() => window.violations)).toEqual([]);
  } finally {
    await context.close();
  }
});

async function visit(search = '', { isOpen = true } = {}): Promise<void> {
  await page.goto(`${base}/?${search}`);
  await page.getByText('Issue 1: open').waitFor();
  if (isOpen) await page.getByRole('button', { name: 'Open rtk-resource devtools' }).click();
}

const tab = (name: string): Locator => page.getByRole('tab', { name, exact: true });
const bar = (name: string | RegExp): Locator =>
  page.getByRole('group', { name: 'Requests by time' }).getByRole('button', { name });
const held = (act: string): Locator => page.getByRole('button', { name: `${act} ${edit}` });

/** Closes the first issue, and waits until the server holds that. */
async function editHeld(): Promise<void> {
  await page.evaluate(() => {
    window.mock?.hold('PATCH');
  });
  await page.getByRole('button', { name: 'Close Issue 1' }).click();
  await page.getByText('Issue 1: done').waitFor();
  await tab('Pending').click();
}

describe('the panel', () => {
  it('is styled under a policy that forbids inline styles', async () => {
    await visit();

    const dock = page.getByRole('region', { name: 'rtk-resource devtools' });
    await expect.poll(async () => (await dock.boundingBox())?.height).toBe(320);
    expect(await dock.evaluate((element) => getComputedStyle(element).display)).toBe('flex');
  });

  it('opens by its shortcut, closes by Escape and gives the focus back, and remembers that it was open', async () => {
    await visit('', { isOpen: false });
    await page.getByRole('button', { name: 'Add' }).focus();

    await page.keyboard.press('Alt+Shift+R');
    await tab('Timeline').waitFor();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => tab('Data').getAttribute('aria-selected')).toBe('true');
    await page.reload();
    await tab('Data').waitFor();
    expect(await tab('Data').getAttribute('aria-selected')).toBe('true');
    await page.getByRole('button', { name: 'Add' }).focus();
    await page.keyboard.press('Alt+Shift+R');
    await page.keyboard.press('Alt+Shift+R');
    await expect
      .poll(() =>
        page.evaluate(
          () => document.querySelector('[data-rtk-resource-devtools]')?.shadowRoot?.activeElement?.textContent,
        ),
      )
      .toBe('Data');
    await page.keyboard.press('Escape');

    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Add');
    expect(await tab('Data').count()).toBe(0);
  });

  it.for(['light', 'dark'])('has nothing that axe complains about, in any tab (%s)', async (theme) => {
    await visit(`theme=${theme}`);
    await editHeld();
    await page.evaluate(axe);

    for (const name of tabs) {
      await tab(name).click();
      if (name === 'Timeline')
        await bar(/^PATCH/)
          .first()
          .click();
      if (name === 'Data') {
        await page.getByRole('row').first().click();
        await page.getByRole('button', { name: 'Why: Issue 1 status' }).click();
      }
      if (name === 'Requests') await page.getByRole('row').first().click();
      const found = await page.evaluate(async () => {
        const { axe } = window as unknown as {
          readonly axe: {
            run(): Promise<{ violations: readonly { id: string; nodes: readonly { html: string }[] }[] }>;
          };
        };
        return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      });
      expect(found, name).toEqual([]);
    }
  });

  it('fits a window of 320 px', async () => {
    await page.setViewportSize({ width: 320, height: 600 });
    await visit();

    for (const name of tabs) {
      await tab(name).click();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, name).toBeLessThanOrEqual(320);
    }
  });

  it('shows two stores, a tab each', async () => {
    await visit('two');
    await tab('Requests').click();
    await page.getByRole('grid', { name: 'Requests' }).waitFor();

    await tab('admin').click();

    await page.getByText('No request was made yet.').waitFor();
  });

  it('stands in a page', async () => {
    await visit('embedded', { isOpen: false });

    await bar(/^GET \/api\/issues/).waitFor();
  });
});

describe('the timeline', () => {
  it('has bars as long as requests took, none of which covers another', async () => {
    await visit();
    await page.evaluate(() => {
      window.mock?.delay(400, 'PATCH');
    });
    for (const n of [1, 2, 3]) await page.getByRole('button', { name: `Close Issue ${n}` }).click();
    await expect.poll(() => bar(/^PATCH .* ms$/).count()).toBe(3);
    await page.getByRole('button', { name: 'All' }).click();

    const boxes = await bar(/^(GET|PATCH)/).evaluateAll((all) =>
      all.map((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return { id: one.dataset['bar'] ?? '', left, right, top, bottom };
      }),
    );
    const axis = await page.getByRole('group', { name: 'Requests by time' }).evaluate((one: HTMLElement) => {
      const { left, width } = one.getBoundingClientRect();
      return {
        left,
        width: one.clientWidth || width,
        from: Number(one.dataset['from']),
        to: Number(one.dataset['to']),
      };
    });
    const events = await page.evaluate(() => window.recorder?.events ?? []);
    const time = (px: number): number => axis.from + ((px - axis.left) / axis.width) * (axis.to - axis.from);
    // A pixel has so many ms, and a bar is two pixels wide at least.
    const pixel = (axis.to - axis.from) / axis.width;
    for (const { id, left, right } of boxes) {
      const [begun, ended] = events.filter(({ meta }) => meta.requestId === id);
      expect(Math.abs(time(left) - (begun?.meta.startedTimeStamp ?? 0))).toBeLessThan(5);
      const end = Math.max(ended?.at ?? 0, (begun?.at ?? 0) + 2 * pixel);
      expect(Math.abs(time(right) - end)).toBeLessThan(5);
    }
    const isCovered = boxes.some((one, i) =>
      boxes.some((other, j) => i < j && one.top === other.top && one.left < other.right && other.left < one.right),
    );
    expect(isCovered).toBe(false);
  });

  it('tells of a bar what was asked, shown and brought, and goes on with arrows', async () => {
    await visit();
    await page.getByRole('button', { name: 'Close Issue 1' }).click();
    await bar(/^PATCH .* ms$/).click();

    const details = page.getByRole('region', { name: 'Details' });
    await details.getByText('status `done`').first().waitFor();
    await page.keyboard.press('ArrowLeft');
    await details.getByRole('heading', { name: /^GET \/api\/issues,/ }).waitFor();
    await details.getByText('cause: subscribe').waitFor();
  });
});

describe('what the server holds', () => {
  it('is answered, failed and lost from the panel', async () => {
    await visit();
    await editHeld();

    await held('Answer').click();
    await expect.poll(() => page.evaluate(() => window.mock?.calls.at(-1)?.status)).toBe(200);
    await page.getByRole('button', { name: 'Close Issue 1' }).click();
    await held('Fail').click();
    await expect
      .poll(() => page.evaluate(() => window.mock?.calls.filter(({ method }) => method === 'PATCH').at(-1)?.status))
      .toBe(500);
    await page.getByRole('button', { name: 'Close Issue 2' }).click();
    await page.getByRole('button', { name: 'Lose PATCH /api/issues/2' }).click();

    // What the server did is fetched, for nobody has been told.
    await expect.poll(() => page.evaluate(() => window.mock?.calls.at(-1)?.method)).toBe('GET');
    await page.getByText('Issue 2: done').waitFor();
  });

  it('begins with the same list, where its seed was copied', async () => {
    await visit();
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('New: open').waitFor();
    await tab('Pending').click();
    await page.getByText('Nothing is pending.').waitFor();

    await page.getByRole('button', { name: 'Copy as seed' }).click();
    await page.getByText('Copied.').waitFor();

    const [seeded, shown] = await page.evaluate(async () => [
      await window.seeded?.(await navigator.clipboard.readText()),
      JSON.parse(JSON.stringify(window.list?.())) as unknown,
    ]);
    expect(seeded).toEqual(shown);
  });
});

describe('what is pending', () => {
  it('says which write another one of its line waits for', async () => {
    await visit('serialize');
    await editHeld();
    await page.getByRole('button', { name: 'Close Issue 1' }).click();

    const guesses = page.getByRole('list', { name: 'Guesses in order' }).getByRole('listitem');
    await expect.poll(() => guesses.count()).toBe(2);
    expect(await guesses.nth(0).textContent()).toContain('it waits for its answer.');
    expect(await guesses.nth(1).textContent()).toMatch(
      /it waits for the answer to PATCH \/api\/issues\/1 \([\d:.]{12}\): writes of one line are sent one after the other\./,
    );

    await held('Answer').click();
    await expect.poll(() => guesses.count()).toBe(1);
    await expect.poll(() => guesses.nth(0).textContent()).toContain('it waits for its answer.');
  });

  it('shows what the outbox keeps, and why', async () => {
    await visit('outbox');
    await page.evaluate(() => {
      window.mock?.fail('PATCH', 503);
    });
    await page.getByRole('button', { name: 'Close Issue 1' }).click();
    await tab('Pending').click();

    const kept = page.getByRole('region', { name: 'Outbox' });
    await expect
      .poll(() => kept.getByRole('listitem').first().textContent())
      .toMatch(/^PATCH \/api\/issues\/1 \([\d:.]{12}\) is tried again.*503/);
    expect(await kept.getByRole('heading').textContent()).toMatch(
      /^The outbox keeps 1: waiting, next attempt at [\d:.]{12}$/,
    );
    expect(await page.getByRole('list', { name: 'Guesses in order' }).textContent()).toContain(
      'it waits for the outbox to send it again.',
    );
  });
});

describe('why', () => {
  it('is answered of a field, and leads to the timeline', async () => {
    await visit();
    await editHeld();
    await tab('Data').click();
    await page.getByRole('row').first().click();

    await page.getByRole('button', { name: 'Why: Issue 1 status' }).click();
    const reasons = page.getByRole('list', { name: 'Why' }).getByRole('listitem');
    await expect.poll(() => reasons.count()).toBe(2);
    expect(await reasons.nth(0).textContent()).toMatch(
      /^Shows `done`: PATCH \/api\/issues\/1 \([\d:.]{12}\) sent it and is not answered\. Show$/,
    );
    expect(await reasons.nth(1).textContent()).toMatch(
      /^Under it: `open`, from GET \/api\/issues \([\d:.]{12}\)\. Show$/,
    );
    await reasons.nth(0).getByRole('button').click();

    await page
      .getByRole('region', { name: 'Details' })
      .getByRole('heading', { name: /^PATCH/ })
      .waitFor();
    await held('Answer').count();
  });

  it('is answered of a row that is not in a list', async () => {
    await visit();
    await tab('Requests').click();
    await page.getByRole('row', { name: 'GET /api/issues' }).click();

    await page.getByLabel('Row with the pk').fill('99');
    await page.keyboard.press('Enter');

    await page.getByText(/^Not in it: GET \/api\/issues .* brought the list without it/).waitFor();
  });
});

describe('a large store', () => {
  it('is opened at once, and a few rows of it are there', async () => {
    await visit('rows=100000');
    await page.getByRole('grid', { name: 'Requests' }).count();

    await tab('Data').click();
    await page.getByRole('grid').waitFor();

    expect(await page.getByRole('grid').getByRole('row').count()).toBeLessThan(60);
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await page.getByRole('grid').getByRole('row', { name: '100000' }).waitFor();
  });

  it('fills the panel that is made taller', async () => {
    await visit('rows=1000');
    await tab('Data').click();
    await page.getByRole('row').first().waitFor();
    const grip = page.getByRole('separator', { name: 'Size of the panel' });

    for (let i = 0; i < 15; i++) await grip.press('ArrowUp');

    const blank = (): Promise<number> =>
      page.getByRole('grid').evaluate((box) => {
        const ends = [...box.querySelectorAll('[role=row]')].map((row) => row.getBoundingClientRect().bottom);
        return Math.max(0, box.getBoundingClientRect().bottom - Math.max(...ends));
      });
    await expect.poll(blank).toBe(0);
  });
});

describe('a reset', () => {
  it('leaves nothing of former rows in the panel', async () => {
    await visit();
    await page.getByRole('button', { name: 'Close Issue 1' }).click();
    await bar(/^PATCH .* ms$/).click();

    await page.evaluate(() => {
      window.mock?.hold('GET');
      window.reset?.();
    });

    await bar(/^reset/).waitFor();
    const text = await page.evaluate(
      () => document.querySelector('[data-rtk-resource-devtools]')?.shadowRoot?.innerHTML ?? '',
    );
    expect(text).not.toContain('PATCH');
    expect(text).not.toContain('done');
  });
});

async function bundle(): Promise<string> {
  const alias = [
    ['rtk-resource/react', 'react/index.ts'],
    ['rtk-resource/mock', 'mock/index.ts'],
    ['rtk-resource/offline', 'offline/index.ts'],
    ['rtk-resource/devtools/production', 'devtools/production.ts'],
    ['rtk-resource', 'index.ts'],
  ].map(([find = '', path = '']) => ({ find: new RegExp(`^${find}$`), replacement: src(path) }));
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { alias },
    build: { write: false, minify: false, rolldownOptions: { input: entry } },
  });
  const outputs = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
  const [chunk] = outputs.filter((one) => one.type === 'chunk');
  if (!chunk) throw new Error('Nothing was bundled.');
  return chunk.code;
}
