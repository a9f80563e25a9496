// Writes docs/profiles.md: where the time goes in the workloads that miss a goal, and the bytes in the bundle.
//   npm run bench:profile
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { buildUnlessFresh } from './dist.mjs';
import { goals } from './goals.mjs';
import { rowCount, table, writePage } from './markdown.mjs';
import { others } from './others.mjs';
import { workloads } from './workloads.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const page = join(root, 'docs/profiles.md');

buildUnlessFresh(root);
/** What measurements.md says was missed. */
const missed = [...readFileSync(join(root, 'docs/measurements.md'), 'utf8').matchAll(/^\| (\w+) +\|(.*)\*\*no\*\*/gm)]
  .map(([, id = '', rest = '']) => ({ id, size: Number(rest.split('|')[0]?.replaceAll(/\D/g, '')) }))
  .filter(({ id }) => /^[WS]/.test(id));
const profiles = [...new Map(missed.map((one) => [`${one.id} ${one.size}`, one])).values()].map(({ id, size }) => {
  const rows = size || (goals.find((goal) => goal.id === id)?.sizes?.[0] ?? 0);
  process.stderr.write(`${id}, ${rows} rows\n`);
  const script = fileURLToPath(new URL('profile.mjs', import.meta.url));
  const options = {
    cwd: root,
    encoding: /** @type {const} */ ('utf8'),
    env: { ...process.env, NODE_ENV: 'production' },
  };
  const report = execFileSync(process.execPath, ['--expose-gc', script, id, String(rows)], options);
  const title = [...workloads, ...others].find((one) => one.id === id)?.title ?? '';
  return `## ${id}${size ? `, ${rowCount(size)} rows` : ''}: ${title}\n\n${report}`;
});

const text = `# Where the time goes

Written by \`npm run bench:profile\`, for each workload that misses one of its goals in [measurements.md](measurements.md), which
says what these mean. The files are those of \`src\`; what takes less than 2 % is counted together.

${profiles.join('\n')}
## Z1: where the bytes are

${await sizes()}
`;
await writePage(page, text);

/** What each part of the core is minified, and what it takes in a bundle that is gzipped. */
async function sizes() {
  const entry = { entryPoints: [join(root, 'src/index.ts')], external: ['@reduxjs/toolkit'] };
  const how = /** @type {const} */ ({ bundle: true, minify: true, format: 'esm', write: false, metafile: true });
  const { metafile, outputFiles } = await build({ ...entry, ...how, outfile: 'out.js' });
  const gzipped = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
  const inputs = Object.entries(Object.values(metafile.outputs)[0]?.inputs ?? {});
  const files = inputs
    .map(([path, { bytesInOutput }]) => ({ path: path.replace(/^.*src\//, ''), bytes: bytesInOutput }))
    .sort((one, other) => other.bytes - one.bytes);
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
  /** @type {Map<string, { bytes: number, count: number }>} */
  const folders = new Map();
  for (const { path, bytes } of files) {
    const name = dirname(path) === '.' ? 'the entry' : dirname(path);
    const folder = folders.get(name) ?? { bytes: 0, count: 0 };
    folders.set(name, { bytes: folder.bytes + bytes, count: folder.count + 1 });
  }
  const line = (/** @type {string} */ name, /** @type {number} */ bytes) => [
    name,
    bytes.toLocaleString('en'),
    `${((bytes / all) * 100).toFixed(1)} %`,
  ];
  return [
    `${all.toLocaleString('en')} bytes minified, ${gzipped.toLocaleString('en')} gzipped.`,
    table(
      ['', 'bytes', 'share'],
      [...folders].map(([name, { bytes, count }]) => line(`${name}, ${count} files`, bytes)),
    ),
    `The largest of these:`,
    table(
      ['', 'bytes', 'share'],
      files.slice(0, 20).map(({ path, bytes }) => line(path, bytes)),
    ),
  ].join('\n\n');
}
