import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { reactCompiler } from './test/support/reactCompiler.mjs';

const src = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url));
/** Tests import the package by its own name; they run on the sources, or with TEST_DIST=1 on what is published. */
const alias = [
  { find: /^rtk-resource\/react$/, replacement: src('react/index.ts') },
  { find: /^rtk-resource\/normalize$/, replacement: src('tables/index.ts') },
  { find: /^rtk-resource\/devtools$/, replacement: src('devtools/index.ts') },
  { find: /^rtk-resource\/devtools\/production$/, replacement: src('devtools/production.ts') },
  { find: /^rtk-resource\/mock$/, replacement: src('mock/index.ts') },
  { find: /^rtk-resource\/offline$/, replacement: src('offline/index.ts') },
  { find: /^rtk-resource$/, replacement: src('index.ts') },
];

const isPublished = process.env['TEST_DIST'] === '1';
/** What these say of the sources, what is published could not say otherwise: it would take minutes once more. */
const ofSources = [
  'test/laws/**',
  'test/referee/**',
  'test/{architecture,docs,editor,package,search}.test.ts',
  'test/journeys/{foreign-slices,query-arguments}.test.ts',
];
/** Tests of what is left in memory: where hundreds of files have run before in the same process, each takes four times as long. */
const ofMemory = ['test/journeys/{soak,long-session,left}.test.ts'];
/** Tests that render on a server, too: React takes the two renderers of one process for a mistake. */
const ofServers = ['test/react/{devtools,server,useResource}.test.tsx'];
const inJsdom = {
  environment: 'jsdom',
  setupFiles: ['test/support/strict.ts', 'test/support/react.ts'],
  environmentOptions: { jsdom: { url: 'http://localhost/' } },
};

export default defineConfig({
  resolve: { alias: isPublished ? [] : alias },
  test: {
    // One less than there are processors, but never one alone: the slowest files are long, and most of the rest wait.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Nothing is told by the time that a test takes: a busy machine may take its own.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: ['default', './.ci/plain-line-reporter.mjs'],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.{ts,tsx}'],
      reporter: ['text', 'lcovonly'],
      thresholds: { lines: 80, functions: 80, branches: 70, statements: 80 },
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['test/**/*.test.ts', 'bench/comparison/**/*.test.ts'],
          exclude: [
            'test/react/**',
            'test/browser/**',
            'test/types/**',
            ...ofMemory,
            ...(isPublished ? ofSources : []),
          ],
          setupFiles: ['test/support/strict.ts'],
          // To load the package once for each file costs more than to run what is in it.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'memory', environment: 'node', include: ofMemory, setupFiles: ['test/support/strict.ts'] },
      },
      {
        extends: true,
        test: {
          ...inJsdom,
          name: 'react',
          include: ['test/react/**/*.test.tsx'],
          exclude: ofServers,
          // To make a page for each file takes longer than to run what is in it.
          isolate: false,
        },
      },
      { extends: true, test: { ...inJsdom, name: 'react-server', include: ofServers } },
      {
        extends: true,
        plugins: [reactCompiler(/compiler\.test\.tsx$/)],
        test: {
          ...inJsdom,
          name: 'react-compiler',
          include: ['test/react/compiler.test.tsx'],
          env: { REACT_COMPILER: '1' },
        },
      },
      {
        extends: true,
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            checker: 'tsc',
            tsconfig: './tsconfig.types.json',
            include: ['test/types/**/*.test-d.ts'],
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          environment: 'node',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 10_000 } },
          fileParallelism: false,
        },
      },
    ],
  },
});
