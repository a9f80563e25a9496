// The site as it is published: its playground, and what axe finds on one page of each kind.
import { existsSync, readdirSync } from 'node:fs';
import axe from 'axe-core';
import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright';
import { preview, type PreviewServer } from 'vite';
import { build } from 'vitepress';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../support/docs.js';
import { complaints, launch } from '../support/browser.js';

/** The address of a site that is running, such as the one of `npm run docs`; unless given, what `npm run docs:build` has built is served. With EVERY_PAGE=1, each page that it has built is looked at: it takes a quarter of an hour. */
const { SITE, EVERY_PAGE } = process.env;
const built = `${root}docs/.vitepress/dist`;

/** One page of each kind, or each. */
function pagesLike(...paths: readonly string[]): readonly string[] {
  if (EVERY_PAGE === undefined) return paths;
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.html')).map((file) => file.replace(/(?:index)?\.html$/, ''));
}

let served: PreviewServer | undefined;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let base: string;
let complained: string[];

beforeAll(async () => {
  if (SITE === undefined) {
    const docs = `${root}docs`;
    if (!existsSync(built)) await build(docs);
    // Not served by vitepress, which compresses each file anew at each request: seconds for each page.
    served = await preview({
      root: docs,
      configFile: false,
      appType: 'mpa',
      build: { outDir: '.vitepress/dist' },
      preview: { host: '127.0.0.1', port: 0 },
    });
  }
  base = SITE ?? served?.resolvedUrls?.local[0] ?? '';
  browser = await launch();
  // Pages share a cache.
  context = await browser.newContext();
}, 600_000);
afterAll(async () => {
  await browser.close();
  await served?.close();
});

beforeEach(async () => {
  page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 900 });
  complained = complaints(page);
});
afterEach(async () => {
  await page.close();
});

describe('the playground', () => {
  const output = (): FrameLocator => page.frameLocator('iframe');
  const code = () => page.getByRole('textbox', { name: /^Code of/ });
  const run = () => page.getByRole('button', { name: 'Run', exact: true }).click();
  const told = () => page.getByRole('alert').getByRole('listitem');

  /** Replaces a text of the code. */
  async function edit(from: string, to: string): Promise<void> {
    const before = await code().inputValue();
    expect(before).toContain(from);
    await code().fill(before.replace(from, to));
  }

  it('runs the app of getting started, with the devtools beside it', async () => {
    await page.goto(`${base}playground`);
    await output().getByText('Buy milk').waitFor();

    await output().getByRole('button', { name: 'Add' }).click();

    await output().getByText('New').waitFor();
    await output().getByRole('tab', { name: 'Requests' }).click();
    await output().getByText('/api/todos?userId=1').first().waitFor();
    expect(complained).toEqual([]);
  });

  it('shows what the reader changed, in any file', async () => {
    await page.goto(`${base}playground`);
    await output().getByText('Buy milk').waitFor();

    await page.getByRole('button', { name: 'server.ts' }).click();
    await edit('Buy milk', 'Buy oat milk');
    await run();

    await output().getByText('Buy oat milk').waitFor();
    await page.getByRole('button', { name: 'Begin anew' }).click();
    await output().getByText('Buy milk').waitFor();
  });

  it('prints the values of a snippet that has no page to show', async () => {
    await page.goto(`${base}getting-started`);
    const link = page.locator('a', { hasText: 'Open in the playground' }).nth(1);
    await link.click();

    await output().getByText("todos.map((todo) => todo.title) → ['Buy milk', 'Call Ada']").waitFor();
  });

  it.each([
    ['that cannot be read', 'const [addTodo]', 'const const [addTodo]', /^main\.tsx, line 10 /],
    [
      'that throws',
      '  const [addTodo]',
      "  throw new Error('Too late');\n  const [addTodo]",
      /^main\.tsx, line 10 Too late$/,
    ],
    [
      'that names no package',
      "'react-redux'",
      "'react-reduxx'",
      /There is no package 'react-reduxx' in the playground/,
    ],
    [
      'of a name that is not there',
      '{data?.map(',
      '{date?.map(',
      /^main\.tsx, line \d+ ReferenceError: date is not defined$/,
    ],
  ])('tells the line of a mistake %s', async (_kind, from, to, words) => {
    await page.goto(`${base}playground`);
    await output().getByText('Buy milk').waitFor();

    await edit(from, to);
    await run();

    await expect.poll(() => told().first().textContent()).toMatch(words);
  });

  it('selects the line of a mistake that is clicked', async () => {
    await page.goto(`${base}playground`);
    await output().getByText('Buy milk').waitFor();
    await edit('const [addTodo]', 'const const [addTodo]');
    await run();

    await page.getByRole('button', { name: 'main.tsx, line 10' }).click();

    const selected = await code().evaluate((area: HTMLTextAreaElement) =>
      area.value.slice(area.selectionStart, area.selectionEnd),
    );
    expect(selected).toContain('const const [addTodo]');
  });

  it('runs each snippet that it offers, without a mistake', { timeout: 300_000 }, async () => {
    await page.goto(`${base}playground`);
    await output().getByText('Buy milk').waitFor();
    const choice = page.getByRole('combobox', { name: 'Snippet' });
    const offered = await choice
      .locator('option')
      .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));

    const failed: string[] = [];
    for (const id of offered) {
      await choice.selectOption(id);
      await page.getByRole('status').filter({ hasText: 'Ran' }).waitFor();
      failed.push(...(await told().allTextContents()).map((text) => `${id}: ${text}`));
    }

    expect(offered.length).toBeGreaterThan(20);
    expect(failed).toEqual([]);
  });

  it('asks nothing of the network once it is open', async () => {
    await page.goto(`${base}playground`);
    await output().getByText('Buy milk').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));

    await run();
    await page.getByRole('status').filter({ hasText: 'Ran' }).waitFor();

    expect(asked.filter((url) => !url.endsWith('/playground-frame.js') && url !== 'about:srcdoc')).toEqual([]);
  });
});

describe('the site', () => {
  const kinds = [
    '',
    'getting-started',
    'guides/react',
    'reference/api/Collection',
    'errors/R3',
    'playground',
    'performance',
    'break-it',
    '404',
  ];

  it.each(pagesLike(...kinds))('has nothing that axe finds wrong on /%s, light and dark', async (path) => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(`${base}${path}`);
    await page.locator('h1').first().waitFor();
    await page.evaluate(axe.source);
    const findWrong = () =>
      page.evaluate(async () => {
        const { violations } = await window.axe.run();
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
      });

    expect(await findWrong()).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html.dark').waitFor({ state: 'attached' });
    expect(await findWrong()).toEqual([]);
  });

  it.each(pagesLike('', 'getting-started', 'playground', 'break-it', 'reference/api/Collection'))(
    'is as wide as its window on /%s',
    async (path) => {
      await page.goto(`${base}${path}`);
      await page.locator('h1').first().waitFor();

      const over: [width: number, over: number][] = [];
      for (const width of [360, 768, 1280, 1440, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        over.push([width, await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)]);
      }

      expect(over.filter(([, by]) => by !== 0)).toEqual([]);
    },
  );
});
