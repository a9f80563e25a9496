import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { goals } from './goals.mjs';
import { workloads } from './workloads.mjs';

/** @import { Goal } from './goals.mjs' */

/**
 * @typedef {object} Results
 * @property {(peer: string, size: number, id: string) => number | undefined} time
 * @property {(peer: string, size: number, id: string) => boolean} isWrong
 */

/** How long each took. @param {Results} results @param {number} size @param {readonly string[]} peers @param {readonly string[]} ids */
export function timesReport({ time, isWrong }, size, peers, ids) {
  const rows = workloads
    .filter(({ id }) => ids.includes(id) && peers.some((peer) => time(peer, size, id) !== undefined))
    .map(({ id, title }) => [
      `${id}: ${title}`,
      ...peers.map((peer) => {
        const ms = time(peer, size, id);
        return ms === undefined ? '–' : `${show(ms)}${isWrong(peer, size, id) ? ', wrong' : ''}`;
      }),
    ]);
  return `### ${count(size)} rows\n\n${table(['', ...peers], rows)}`;
}

/** Which goals are met. @param {Results} results */
export function goalsReport(results) {
  const rows = goals.flatMap((goal) =>
    (goal.sizes ?? [1_000, 10_000]).flatMap((size) => {
      const checked = check(goal, size, results);
      return checked ? [[goal.id, count(size), textOf(goal), checked.measured, checked.isMet ? 'yes' : '**no**']] : [];
    }),
  );
  const met = rows.filter((row) => row.at(-1) === 'yes').length;
  return `### Goals\n\n${met} of ${rows.length} are met.\n\n${table(['', 'rows', 'goal', 'measured', 'met'], rows)}`;
}

/** Whether a goal is met; undefined where it was not measured. @param {Goal} goal @param {number} size @param {Results} results */
function check({ id, than, faster = NaN, of, within = NaN, plus = 0, below, right }, size, { time, isWrong }) {
  const ours = time('ours', size, id);
  if (ours === undefined) return undefined;
  if (right) return { measured: isWrong('ours', size, id) ? 'not so' : 'so', isMet: !isWrong('ours', size, id) };
  if (below) return { measured: show(ours), isMet: ours <= below };
  if (than) {
    const theirs = time(than, size, id);
    return theirs === undefined ? undefined : { measured: times(theirs / ours), isMet: theirs / ours >= faster };
  }
  const theirs = of === 'copy' ? time('floor', size, 'copy') : time(of ?? '', size, id);
  return theirs === undefined
    ? undefined
    : { measured: times(Math.max(0, ours - plus) / theirs), isMet: ours <= within * theirs + plus };
}

/** @param {Goal} goal */
function textOf({ than, faster = NaN, of, within = NaN, plus, below, right }) {
  if (right) return right;
  if (below) return `at most ${show(below)}`;
  if (than) return `at least ${times(faster)} as fast as ${than}`;
  const what = of === 'copy' ? 'a copy of the array' : `the ${of ?? ''}`;
  return `at most ${times(within)} ${what}${plus ? ` and ${show(plus)}` : ''}`;
}

/** Puts the tables below the text of docs/performance.md. @param {string} root @param {string} report @param {number} rounds */
export async function write(root, report, rounds) {
  const page = join(root, 'docs/performance.md');
  const [before = ''] = readFileSync(page, 'utf8').split('<!-- results -->');
  const where = `The median of ${rounds} rounds, on ${cpus().length} × ${cpus()[0]?.model ?? 'an unknown CPU'}, Node ${process.version}.`;
  const text = `${before}<!-- results -->\n\n${where}\n\n${report}\n`;
  writeFileSync(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
}

/** @param {number} ms */
function show(ms) {
  if (ms < 1e-3) return `${digits(ms * 1e6)} ns`;
  if (ms < 1) return `${digits(ms * 1e3)} µs`;
  return `${digits(ms)} ms`;
}

/** @param {number} ratio */
function times(ratio) {
  return `${digits(ratio)}×`;
}

/** Two or three digits that count. @param {number} value */
function digits(value) {
  return value.toLocaleString('en', { maximumSignificantDigits: value >= 100 ? 3 : 2 });
}

/** @param {number} size */
function count(size) {
  return size.toLocaleString('en').replaceAll(',', ' ');
}

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
function table(head, rows) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}
