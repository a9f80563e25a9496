import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { createResource, Entity } from 'rtk-resource';
import { mockServer, type MockServer } from 'rtk-resource/mock';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launch } from '../support/browser.js';
import type { App } from './offline/page.js';

declare const app: App;

const src = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));

class Todo extends Entity {
  id = 0;
  title = '';
  static override key = 'Todo';
}
const TodoResource = createResource({ path: '/todos/:id', schema: Todo });

let script: string;
let http: Server;
let address: string;
let server: MockServer;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./offline/page.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    write: false,
    alias: { 'rtk-resource/offline': src('offline/index.ts'), 'rtk-resource': src('index.ts') },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  script = outputFiles[0]?.text ?? '';
  http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void answer(request.method ?? 'GET', request.url ?? '/', request.headers, Buffer.concat(chunks)).then(
        ({ status, type, body }) => {
          response.writeHead(status, { 'content-type': type });
          response.end(body);
        },
      );
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  browser = await launch();
});

afterAll(async () => {
  await browser.close();
  http.close();
});

beforeEach(async () => {
  server = mockServer([TodoResource], { seed: { Todo: [] } });
  context = await browser.newContext();
});

afterEach(async () => {
  await context.close();
});

async function answer(method: string, url: string, headers: NodeJS.Dict<string | string[]>, body: Buffer) {
  if (!url.startsWith('/todos')) return { status: 200, type: 'text/html', body: `<script>${script}</script>` };
  const key = headers['idempotency-key'];
  const response = await server.fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...(typeof key === 'string' && { 'idempotency-key': key }) },
    ...(body.length > 0 && { body: body.toString() }),
  });
  return { status: response.status, type: 'application/json', body: await response.text() };
}

async function openPage(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  await page.evaluate(async () => {
    await app.ready;
  });
  return page;
}

const sizeIn = (page: Page): Promise<number> => page.evaluate(() => app.state().size);
const titles = (): readonly string[] => server.rows(Todo).map(({ title }) => title);

describe('in a browser', () => {
  it('a write that was made offline is there after a reload, and is sent once', async () => {
    const page = await openPage();
    await context.setOffline(true);
    await page.evaluate(() => app.create('Kept'));
    await page.close();
    await context.setOffline(false);
    server.hold('POST');

    const next = await openPage();
    const before = await sizeIn(next);
    await expect.poll(() => server.held.length).toBe(1);
    server.release();
    await expect.poll(() => sizeIn(next)).toBe(0);

    expect(before).toBe(1);
    expect(titles()).toEqual(['Kept']);
  });

  it('of two tabs one sends, and both hear of it', async () => {
    const first = await openPage();
    await first.evaluate(() => app.create('One'));
    await expect.poll(() => sizeIn(first)).toBe(0);
    const second = await openPage();

    await second.evaluate(() => app.create('Two'));
    await expect.poll(() => sizeIn(second)).toBe(0);

    expect(titles()).toEqual(['One', 'Two']);
    expect(await first.evaluate(() => app.titles())).toContain('Two');
    expect(await first.evaluate(() => app.state().isLeader)).toBe(true);
  });

  it('1 000 writes are there after a reload', async () => {
    const page = await openPage();
    await context.setOffline(true);
    await page.evaluate(() => app.fill(1_000));
    await page.close();
    server.hold('POST');
    await context.setOffline(false);

    const next = await openPage();

    expect(await sizeIn(next)).toBe(1_000);
  });
});
