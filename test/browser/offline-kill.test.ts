import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { launch } from '../support/browser.js';
import { History } from './offline/History.js';
import { Shops } from './offline/Shop.js';

/** How many histories are played, and the seed of the first: `HISTORIES=1000 SEED=1 npm run offline:kill`. */
const count = Number(process.env['HISTORIES'] ?? 30);
const first = Number(process.env['SEED'] ?? 1);
const src = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));

let shops: Shops;
let browser: Browser;

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./offline/historyPage.ts', import.meta.url))],
    ...{ bundle: true, minify: true, format: 'iife', write: false },
    alias: { 'rtk-resource/offline': src('offline/index.ts'), 'rtk-resource': src('index.ts') },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  shops = new Shops(outputFiles[0]?.text ?? '');
  await shops.open();
  browser = await launch();
});

afterAll(async () => {
  await browser.close();
  shops.close();
});

async function play(seed: number): Promise<void> {
  const context = await browser.newContext();
  try {
    await new History(seed, shops, context).play();
  } catch (error) {
    throw new Error(`The history of seed ${seed}: ${String(error)}`, { cause: error });
  } finally {
    await context.close();
  }
}

describe('tabs that are killed at every step', () => {
  it(
    `lose nothing that is durable, do nothing twice, and end at what the server has, in ${count} histories`,
    {
      timeout: 60_000 + count * 30_000,
    },
    async () => {
      const found: unknown[] = [];
      for (let seed = first; seed < first + count; seed++)
        await play(seed).catch((error: unknown) => {
          console.error(String(error));
          found.push(error);
        });
      if (found.length > 0) throw new AggregateError(found, `${found.length} of ${count} histories have failed.`);
    },
  );
});
