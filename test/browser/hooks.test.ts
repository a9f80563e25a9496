// The hooks in a browser, on the package as it is published: in the newest React, in the same with React Compiler, and in the oldest that is
// supported. Each counts the same renders.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright';
import { build, type InlineConfig } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildUnlessFresh } from '../../bench/dist.mjs';
import { complaints, launch } from '../support/browser.js';
import { reactCompiler } from '../support/reactCompiler.mjs';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const old = at('./react-18/node_modules/');
/** What Chromium and React say of a request that fails; nothing in a page can keep them from that. */
const isExpected = (text: string): boolean => /503/.test(text);

const modes: readonly (readonly [name: string, config: InlineConfig])[] = [
  ['React 19', {}],
  ['React 19 with React Compiler', { plugins: [reactCompiler(/browser\/hooks\/App\.tsx$/)] }],
  ['React 18.2', { resolve: { alias: [{ find: /^(react(-dom)?)(\/.*)?$/, replacement: `${old}$1$3` }] } }],
];

buildUnlessFresh(at('../../'));
// Pages are built as they are published, whatever runs the tests.
vi.stubEnv('NODE_ENV', 'production');
let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe.each(modes)('in %s', (name, config) => {
  let server: Server;
  let base: string;
  let context: BrowserContext;
  let page: Page;
  let complained: string[];
  /** What the API was asked for. */
  let asked: string[];
  /** What it answers with 503. */
  let failing: ReadonlySet<string>;
  let held: (() => void)[] | undefined;

  beforeAll(async () => {
    const script = await bundle(config);
    const { stream } = await bundleServer(name, config);
    server = createServer((request, response) => {
      if (request.url?.startsWith('/api/')) void serveApi(request, response);
      else if (request.url === '/client.js') response.setHeader('content-type', 'text/javascript').end(script);
      else void servePage(request.url === '/streamed', response, stream);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  beforeEach(async () => {
    asked = [];
    failing = new Set();
    held = undefined;
    context = await browser.newContext();
    page = await context.newPage();
    page.setDefaultTimeout(5_000);
    complained = complaints(page);
  });
  afterEach(async () => {
    await context.close();

    expect(complained.filter((text) => !isExpected(text))).toEqual([]);
  });

  async function servePage(isStreamed: boolean, response: ServerResponse, stream: Stream): Promise<void> {
    response.setHeader('content-type', 'text/html');
    response.write('<!doctype html><link rel="icon" href="data:,"><body><div id="root">');
    if (isStreamed) await stream(base, (html) => response.write(html));
    else response.write('</div>');
    response.end('<script type="module" src="/client.js"></script>');
  }

  async function serveApi(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
    asked.push(`${method} ${url}`);
    if (held) await new Promise<void>((resolve) => held?.push(resolve));
    if (failing.has(url)) response.statusCode = 503;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer(method, url, body)));
  }

  /** Holds what the API says from now on; gives what lets it go. */
  function hold(): () => void {
    const waiting: (() => void)[] = (held = []);

    return () => {
      held = undefined;
      for (const resolve of waiting) resolve();
    };
  }

  const click = (label: string) => page.getByRole('button', { name: label, exact: true }).click();
  const items = () => page.getByRole('listitem').allTextContents();
  const shows = (text: string) => page.getByText(text, { exact: true }).waitFor();
  const isBusy = (busy: boolean) => page.locator(`section[aria-busy=${busy}]`).waitFor();

  /** How often components were put on the screen since this was asked last. */
  async function renders(): Promise<Readonly<Record<string, number>>> {
    return page.evaluate(() => {
      const { renders: counts } = globalThis as unknown as { readonly renders: Map<string, number> };
      const now = Object.fromEntries(counts);
      counts.clear();
      return now;
    });
  }

  /** The board with the first page of open issues. */
  async function openBoard(): Promise<void> {
    await page.goto(base);
    await click('open');
    await shows('open 2');
    await shows('More');
    await settled();
    await renders();
  }

  it('a list is read page by page, and each page once', async () => {
    await page.goto(base);
    await settled();
    await click('open');
    await shows('open 2');
    await click('More');
    await shows('open 4');

    expect(await items()).toEqual(['open 1', 'open 2', 'open 3', 'open 4']);
    expect(asked.filter((one) => one.includes('status='))).toEqual([
      'GET /api/issues?status=open',
      'GET /api/issues?page=2&status=open',
    ]);
  });

  it('other arguments show what was there, until they have theirs', async () => {
    await openBoard();
    const release = hold();

    await click('done');
    await isBusy(true);
    expect(await items()).toEqual(['open 1', 'open 2']);
    release();
    await shows('done 1');

    await isBusy(false);
    expect(await items()).toEqual(['done 1', 'done 2']);
  });

  it('an optimistic edit renders the row that it is about, once', async () => {
    await openBoard();
    const release = hold();

    await click('Rename');
    await page.getByRole('listitem').getByText('Renamed').waitFor();
    release();
    await expect.poll(() => asked.at(-1)).toBe('PATCH /api/issues/1');
    await settled();

    const { 'row 1': edited, ...others } = await renders();
    expect(edited).toBe(1);
    expect(Object.keys(others).filter((one) => one.startsWith('row') || one === 'list')).toEqual([]);
  });

  it('a refetch that brings nothing renders nothing', async () => {
    await openBoard();
    const before = asked.length;

    await click('Refetch');
    await expect.poll(() => asked.length).toBe(before + 1);
    await settled();

    expect(await renders()).toEqual({});
  });

  it('a created item is in the list, and told of elsewhere', async () => {
    await openBoard();

    await click('Add');
    await shows('Created 100');
    expect(await items()).toEqual(['open 1', 'open 2', 'Added']);
    await click('Created 100');

    expect(await page.getByText('Created 100').count()).toBe(0);
  });

  it('a search is sent when it is wanted, and what is needed soon is fetched ahead', async () => {
    await openBoard();

    await page.getByRole('button', { name: 'Prefetch' }).hover();
    await expect.poll(() => asked.at(-1)).toBe('GET /api/issues/9');
    await click('Search');

    await expect.poll(() => page.getByLabel('Found').textContent()).toBe('issue 2');
  });

  it('what has failed is tried again at once by an error boundary', async () => {
    failing = new Set(['/api/issues/13']);
    await page.goto(base);
    await click('Show');
    await shows('Try again');
    failing = new Set();

    await click('Try again');

    await shows('issue 13');
    expect(asked.filter((one) => one.endsWith('/13'))).toHaveLength(2);
  });

  it('a page that a server has streamed is taken over without a fetch', async () => {
    await page.goto(`${base}/streamed`);
    await shows('issue 5');
    await click('More');
    await shows('open 4');

    expect(asked).toEqual([
      'GET /api/issues?status=open',
      'GET /api/issues/5',
      // By the click, which tells that the page is alive.
      'GET /api/issues?page=2&status=open',
    ]);
    expect(await items()).toEqual(['open 1', 'open 2', 'open 3', 'open 4']);
  });

  /** Waits until the page has had time for all that an answer causes. */
  async function settled(): Promise<void> {
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  }
});

type Stream = (base: string, write: (html: string) => void) => Promise<void>;

/** What the API has: two issues on a page, two pages of each status. */
function answer(method: string, url: string, body: string): unknown {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const id = Number(pathname.split('/').at(3) ?? 100);
  const sent = body === '' ? {} : (JSON.parse(body) as object);
  if (method === 'POST') return { id: 100, ...sent };
  if (pathname !== '/api/issues') return { id, status: 'open', title: `issue ${id}`, ...sent };
  const page = Number(searchParams.get('page') ?? 1);
  const status = searchParams.get('status') ?? '';
  const first = (status === 'done' ? 10 : 0) + page * 2 - 1;
  return page > 2 ? [] : [first, first + 1].map((one) => ({ id: one, status, title: `${status} ${one % 10}` }));
}

/** The page as one script, with the package as it is published. */
async function bundle(config: InlineConfig): Promise<string> {
  const result = await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    build: { write: false, rolldownOptions: { input: at('./hooks/client.tsx') } },
  });
  const outputs = 'output' in result ? result.output : [];

  return outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('');
}

/** What streams the page, as a module of its own: with its React, and all else that it needs. */
async function bundleServer(name: string, config: InlineConfig): Promise<{ readonly stream: Stream }> {
  const outDir = at(`../../.build/hooks ${name}`);
  await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: { ssr: at('./hooks/server.tsx'), outDir, emptyOutDir: true },
  });

  return (await import(/* @vite-ignore */ pathToFileURL(`${outDir}/server.js`).href)) as { readonly stream: Stream };
}
