// How long an editor waits: fifty resources in one file, beside one createApi with as many endpoints. `npm run bench:editor`.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { buildUnlessFresh } from '../dist.mjs';
import { applications, inOneFile } from './generate.mjs';

const RESOURCES = 50;
const RUNS = 5;
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, '.build/bench-editor');

buildUnlessFresh(root);
// A compiler looks into no folder that is not there.
mkdirSync(folder, { recursive: true });
/** @typedef {Record<'first diagnostics' | 'hover' | 'completion', number>} Times */
/** @type {Record<typeof applications[number], Times[]>} */
const found = { 'rtk-resource': [], 'rtk-query': [] };
// Interleaved, so that whatever else the machine does meets both.
for (let run = 0; run < RUNS; run++) {
  for (const application of applications) found[application].push(ask(application));
}

console.log(`${RESOURCES} resources in one file, TypeScript ${ts.version}; the median of ${RUNS} runs, in ms.\n`);
console.log('|                   | rtk-resource | createApi | ratio |');
console.log('| ----------------- | -----------: | --------: | ----: |');
for (const what of /** @type {const} */ (['first diagnostics', 'hover', 'completion'])) {
  const [ours, theirs] = [median('rtk-resource', what), median('rtk-query', what)];
  const cells = [ours.toFixed(0).padStart(12), theirs.toFixed(0).padStart(9), (ours / theirs).toFixed(2).padStart(5)];
  console.log(`| ${what.padEnd(17)} | ${cells.join(' | ')} |`);
}

function median(/** @type {typeof applications[number]} */ application, /** @type {keyof Times} */ what) {
  return found[application].map((times) => times[what]).sort((a, b) => a - b)[RUNS >> 1] ?? NaN;
}

/** Opens the files, and asks as an editor does; a hover and a completion come after a key was pressed. @returns {Times} */
function ask(/** @type {typeof applications[number]} */ application) {
  const texts = new Map(
    Object.entries(inOneFile(application, RESOURCES)).map(([name, text]) => [join(folder, name), text]),
  );
  const use = join(folder, 'use.ts');
  const text = texts.get(use) ?? '';
  let version = 0;
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      strict: true,
      skipLibCheck: true,
      types: [],
      paths: { 'rtk-resource': [join(root, 'dist/index.d.ts')] },
    }),
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [...texts.keys()],
    getScriptVersion: (path) => (path === use ? String(version) : '0'),
    getScriptSnapshot: (path) => {
      const own = path === use ? text + ' '.repeat(version) : (texts.get(path) ?? ts.sys.readFile(path));
      return own === undefined ? undefined : ts.ScriptSnapshot.fromString(own);
    },
    fileExists: (path) => texts.has(path) || ts.sys.fileExists(path),
    readFile: (path) => texts.get(path) ?? ts.sys.readFile(path),
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  const timed = (/** @type {() => unknown} */ act) => {
    const start = performance.now();
    const answer = act();
    if (answer === undefined) throw new Error(`${application} has no answer`);
    return performance.now() - start;
  };
  const at = (/** @type {string} */ mark) => text.indexOf(`/*${mark}*/`);
  const diagnostics = timed(() => {
    const wrong = [...texts.keys()].flatMap((path) => service.getSemanticDiagnostics(path));
    if (wrong.length > 0) throw new Error(ts.flattenDiagnosticMessageText(wrong[0]?.messageText, ' '));
    return wrong;
  });
  version++;
  const hover = timed(() => service.getQuickInfoAtPosition(use, at('hover') - 1));
  version++;
  const completion = timed(() => service.getCompletionsAtPosition(use, at('completion'), {}));
  service.dispose();
  return { 'first diagnostics': diagnostics, hover, completion };
}
