import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { launch } from '../support/browser.js';
import { readPages, root, snippetsOf } from '../support/docs.js';

let script: string;
let server: Server;
let browser: Browser;
let page: Page;

/** What the guide on uploads sends with, as `window.xhr.send`. */
beforeAll(async () => {
  const sample = readPages()
    .flatMap(snippetsOf)
    .find(({ file }) => file === 'docs/guides/uploads/xhr.ts');
  const { outputFiles } = await build({
    stdin: { contents: sample?.code ?? '', loader: 'ts', resolveDir: root },
    alias: { 'rtk-resource': `${root}src/index.ts` },
    bundle: true,
    format: 'iife',
    globalName: 'xhr',
    write: false,
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  script = outputFiles[0]?.text ?? '';
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.url === '/dead') response.destroy();
      else if (request.url === '/empty') response.writeHead(204, { etag: '"1"' }).end();
      else if (request.url === '/refused') response.writeHead(413, { 'content-type': 'text/plain' }).end('Too large');
      else response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  server.close();
});

beforeEach(async () => {
  page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
  await page.addScriptTag({ content: script });
});

type Send = (input: string, init: RequestInit, onProgress: (share: number) => void) => Promise<Response>;

/** Uploads a form, and tells in words how it ended. */
const upload = (path: string): Promise<string> =>
  page.evaluate(async (address) => {
    const { send } = (globalThis as unknown as { readonly xhr: { readonly send: Send } }).xhr;
    const body = new FormData();
    body.set('file', new File(['Hello'], 'hello.txt'));
    const shares: number[] = [];
    try {
      const response = await send(address, { method: 'POST', body }, (share) => shares.push(share));
      const headers = ['etag', 'content-type'].map((name) => response.headers.get(name) ?? '').join('');
      return [response.status, headers, await response.text(), shares.at(-1)].join(' ');
    } catch (error) {
      return (error as Error).name;
    }
  }, path);

it.each([
  ['/empty', '204 "1"  1'],
  ['/refused', '413 text/plain Too large 1'],
  ['/dead', 'NetworkError'],
])('an upload with progress ends as the server ends it: %s', async (path, told) => {
  expect(await upload(path)).toBe(told);
});
