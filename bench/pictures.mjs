// The pictures of docs/performance.md, drawn from the tables of docs/measurements.md. What writes the tables draws the pictures anew; so does `node bench/pictures.mjs`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{ file: string, title: string, marks: string, section: string, row: string, columns: Record<string, string> }} Picture */

/** @type {readonly Picture[]} */
const pictures = [
  {
    file: 'speed-edit',
    title: 'One issue of 10 000 is changed, and the list is read (ms; shorter is better)',
    marks: 'results',
    section: '### 10 000 rows',
    row: 'W69:',
    columns: {
      ours: 'rtk-resource',
      'rtk-query': 'RTK Query',
      'tanstack-db': 'TanStack DB',
      adapter: 'createEntityAdapter',
      'data-client': 'Data Client',
      apollo: 'Apollo',
    },
  },
  {
    file: 'speed-load',
    title: 'A list of 10 000 issues arrives in an empty store (ms; shorter is better)',
    marks: 'results',
    section: '### 10 000 rows',
    row: 'W1:',
    columns: {
      ours: 'rtk-resource',
      'data-client': 'Data Client',
      'rtk-query': 'RTK Query',
      adapter: 'createEntityAdapter',
      'tanstack-db': 'TanStack DB',
      apollo: 'Apollo',
    },
  },
  {
    file: 'speed-react',
    title: 'React, 5 000 rows with a hook each: an optimistic edit (ms; shorter is better)',
    marks: 'react',
    section: '### React in Chromium, 5 000 rows',
    row: 'rows by a hook of their own: an optimistic edit, and its answer',
    columns: { ours: 'rtk-resource', 'tanstack-query': 'TanStack Query', 'rtk-query': 'RTK Query' },
  },
];

/** The cells of a line of a table. @param {string} line */
const cellsOf = (line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The bars of a picture: whose they are, and how long something took, in ms. @param {Picture} picture @param {string} measurements */
function barsOf({ marks, section, row, columns }, measurements) {
  const [, written = ''] = measurements.split(`<!-- ${marks} -->`);
  const [, table = ''] = written.split(`\n${section}\n`);
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  const head = cellsOf(lines[0] ?? '');
  const cells = cellsOf(lines.find((line) => line.startsWith(`| ${row}`)) ?? '');
  return Object.entries(columns).map(([column, name]) => {
    const text = cells[head.indexOf(column)] ?? '';
    const ms = millisecondsOf(text);
    if (Number.isNaN(ms)) throw new Error(`docs/measurements.md has no ${row} of ${column} in ${section}.`);
    return { name, ms };
  });
}

/** `27 µs` or `2.4 ms`, or in ms with the mean in brackets: `32 (47), 1`. @param {string} text */
function millisecondsOf(text) {
  const [, figure = '', unit = 'ms'] = /^([\d.,]+)(?: (ns|µs|ms))?/.exec(text) ?? [];
  return Number.parseFloat(figure.replaceAll(',', '')) / { ns: 1e6, µs: 1e3, ms: 1 }[/** @type {'ms'} */ (unit)];
}

const [LEFT, WIDTH, LINE] = [170, 480, 30];

/** @param {Picture} picture @param {string} measurements */
function draw(picture, measurements) {
  const bars = barsOf(picture, measurements);
  const longest = Math.max(...bars.map(({ ms }) => ms));
  const lines = bars.map(({ name, ms }, i) => {
    const y = 46 + i * LINE;
    const width = Math.max(2, (ms / longest) * WIDTH);
    const figure = (ms < 100 ? Number(ms.toPrecision(2)) : ms).toLocaleString('en');
    return `<text x="${LEFT - 10}" y="${y + 15}" text-anchor="end">${name}</text><rect class="${i === 0 ? 'o' : 'b'}" x="${LEFT}" y="${y}" width="${width.toFixed(0)}" height="20" rx="3"/><text x="${(LEFT + width + 8).toFixed(0)}" y="${y + 15}">${figure}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 ${56 + bars.length * LINE}" role="img" font-family="system-ui, sans-serif" font-size="14"><title>${picture.title}</title>
<style>text{fill:#57606a}.t{font-weight:600}.b{fill:#8c959f}.o{fill:#0969da}@media (prefers-color-scheme:dark){text{fill:#b1bac4}.o{fill:#58a6ff}}</style>
<text class="t" x="8" y="24">${picture.title}</text>
${lines.join('\n')}
</svg>
`;
}

/** Each picture, by its path from the root. @param {string} root @returns {ReadonlyMap<string, string>} */
export function drawPictures(root) {
  const measurements = readFileSync(join(root, 'docs/measurements.md'), 'utf8');
  return new Map(pictures.map((picture) => [`docs/images/${picture.file}.svg`, draw(picture, measurements)]));
}

/** @param {string} root */
export function writePictures(root) {
  for (const [path, svg] of drawPictures(root)) writeFileSync(join(root, path), svg);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writePictures(fileURLToPath(new URL('..', import.meta.url)));
