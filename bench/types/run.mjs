// Type-checks the generated applications with TypeScript 6 and 7, and writes what that took to the README beside this file.
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { buildUnlessFresh } from '../dist.mjs';
import { writePage } from '../markdown.mjs';
import { applications, endpointsPerResource, generate } from './generate.mjs';

const resources = 200;
const runs = 3;
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, '.build/bench-types');
const readme = fileURLToPath(new URL('README.md', import.meta.url));
const endpoints = resources * endpointsPerResource;

/** Both checkers, by name; TypeScript 7 on one thread, so that it counts everything once, as TypeScript 6 does. */
const compilers = {
  'TypeScript 7': ['node_modules/.bin/tsc', '--singleThreaded'],
  'TypeScript 6': ['node_modules/.bin/tsc6'],
};
/** What is measured, by its name in `--extendedDiagnostics`. */
const measures = /** @type {const} */ (['Types', 'Instantiations', 'Memory used', 'Check time']);

/** @typedef {Record<typeof measures[number], number>} Figures */

buildUnlessFresh(root);
const sizes = [resources, 0];
const jobs = sizes.flatMap((size) =>
  applications.map((application) => ({ application, size, folder: join(folder, `${application}-${size}`) })),
);
for (const job of jobs) await generate(job.folder, job.application, job.size);

/** @type {Map<string, Figures[]>} */
const found = new Map();
const keyOf = (/** @type {string} */ compiler, /** @type {string} */ application, /** @type {number} */ size) =>
  `${compiler} ${application} ${size}`;
for (let run = 0; run < runs; run++) {
  // Interleaved, so that whatever else the machine does meets all of them.
  for (const [compiler, command] of Object.entries(compilers)) {
    for (const { application, size, folder } of jobs) {
      const key = keyOf(compiler, application, size);
      found.set(key, [...(found.get(key) ?? []), await typecheck(command, folder)]);
    }
  }
}

const report = await table();
console.log(report);
const [before = ''] = readFileSync(readme, 'utf8').split('<!-- results -->');
const text = `${before}<!-- results -->\n\n${report}`;
await writePage(readme, text);

/**
 * @param {string[]} command
 * @param {string} project
 */
async function typecheck([compiler = '', ...options], project) {
  const { stdout } = await promisify(execFile)(
    join(root, compiler),
    [...options, '--noEmit', '--extendedDiagnostics', '-p', project],
    { cwd: root },
  ).catch((/** @type {unknown} */ error) => {
    const { stdout } = /** @type {{ stdout: string }} */ (error);
    throw new Error(`${project} does not type-check:\n${stdout}`);
  });
  const figure = (/** @type {string} */ name) => {
    const [, value] = new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(stdout) ?? [];
    if (value === undefined) throw new Error(`${compiler} does not tell "${name}":\n${stdout}`);
    return Number(value);
  };
  return /** @type {Figures} */ (Object.fromEntries(measures.map((name) => [name, figure(name)])));
}

/** The median of the runs. */
function median(
  /** @type {string} */ compiler,
  /** @type {string} */ application,
  /** @type {number} */ size,
  /** @type {keyof Figures} */ measure,
) {
  const values = (found.get(keyOf(compiler, application, size)) ?? []).map((figures) => figures[measure]);
  return values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}

async function table() {
  const rows = [['', '', ...applications, 'ratio']];
  const row = (
    /** @type {string} */ compiler,
    /** @type {string} */ title,
    /** @type {(application: string) => number} */ valueOf,
    digits = 0,
  ) => {
    const [ours = NaN, theirs = NaN] = applications.map(valueOf);
    const show = (/** @type {number} */ value) =>
      value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
    rows.push([compiler, title, show(ours), show(theirs), (ours / theirs).toFixed(2)]);
  };
  for (const compiler of Object.keys(compilers)) {
    const total = (/** @type {keyof Figures} */ measure) => (/** @type {string} */ application) =>
      median(compiler, application, resources, measure);
    const perEndpoint = (/** @type {keyof Figures} */ measure, factor = 1) => {
      return (/** @type {string} */ application) => (total(measure)(application) / endpoints) * factor;
    };
    const added = (/** @type {keyof Figures} */ measure, factor = 1) => {
      return (/** @type {string} */ application) =>
        ((total(measure)(application) - median(compiler, application, 0, measure)) / endpoints) * factor;
    };
    const version = execFileSync(join(root, compilers[/** @type {keyof typeof compilers} */ (compiler)][0] ?? ''), [
      '--version',
    ]);
    row(version.toString().trim().replace('Version', 'TypeScript'), 'types', total('Types'));
    row('', 'instantiations', total('Instantiations'));
    row('', 'memory, MB', (application) => total('Memory used')(application) / 1024);
    row('', 'check time, s', total('Check time'), 3);
    row('', '**instantiations per endpoint**', perEndpoint('Instantiations'));
    row('', '**check time per endpoint, µs**', perEndpoint('Check time', 1e6));
    row('', 'types added by an endpoint', added('Types'));
    row('', 'instantiations added by an endpoint', added('Instantiations'));
    row('', 'memory added by an endpoint, kB', added('Memory used'));
    row('', 'check time added by an endpoint, µs', added('Check time', 1e6));
  }
  const [head = [], ...body] = rows;
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  const markdown = [line(head), '| --- | --- | ---: | ---: | ---: |', ...body.map(line)].join('\n');
  const where = `${resources} resources, ${endpoints} endpoints; the median of ${runs} runs on ${cpus().length} × ${cpus()[0]?.model ?? 'an unknown CPU'}.`;
  return format(`${where}\n\n${markdown}\n`, { ...(await resolveConfig(readme)), parser: 'markdown' });
}
