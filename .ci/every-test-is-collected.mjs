// Fails when a test file under test/ belongs to no project of vitest.config.ts, and so would never run.
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createVitest } from 'vitest/node';

const vitest = await createVitest('test', { watch: false, reporters: [] });
const collected = new Set(
  (await vitest.globTestSpecifications()).map(({ moduleId }) => relative(vitest.config.root, moduleId)),
);
await vitest.close();

const written = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(test|test-d)\.[cm]?[jt]sx?$/.test(path))
  .map((path) => join('test', path));
const forgotten = written.filter((path) => !collected.has(path));

for (const path of forgotten) console.error(`No project of vitest.config.ts collects ${path}.`);
if (forgotten.length > 0) process.exitCode = 1;
else console.log(`All ${String(written.length)} test files are collected.`);
