import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { goals } from './goals.mjs';
import { writePictures } from './pictures.mjs';
import { rowCount, table, writePage } from './markdown.mjs';
import { others } from './others.mjs';
import { workloads } from './workloads.mjs';

/** @import { Keys } from './data.mjs' */
/** @import { Goal } from './goals.mjs' */

/** What is measured with: so many rows, with uuids unless told. @typedef {{ size: number, keys?: Keys }} Data */

/**
 * @typedef {object} Results
 * @property {(peer: string, data: Data, id: string) => number | undefined} value
 * @property {(peer: string, data: Data, id: string) => boolean} isWrong
 */

/** What is measured here, by its names in package.json. */
const libraries = [
  '@reduxjs/toolkit',
  '@data-client/normalizr',
  'normalizr',
  '@normy/core',
  '@apollo/client',
  '@tanstack/db',
];

/**
 * What each took.
 * @param {Results} results
 * @param {Data & { title: string, peers: readonly string[], ids: readonly string[] }} plan
 */
export function timesReport({ value, isWrong }, plan) {
  const { title, peers, ids } = plan;
  const rows = [...workloads, ...others]
    .filter(({ id }) => ids.includes(id) && peers.some((peer) => value(peer, plan, id) !== undefined))
    .map(({ id, title }) => [
      `${id}: ${title}`,
      ...peers.map((peer) => {
        const found = value(peer, plan, id);
        return found === undefined ? '–' : `${show(found, id)}${isWrong(peer, plan, id) ? ', wrong' : ''}`;
      }),
    ]);
  return `### ${title}\n\n${table(['', ...peers], rows)}`;
}

/**
 * Where others are better; what is written by hand for one list is no other.
 * @param {Results} results
 * @param {readonly (Data & { peers: readonly string[], ids: readonly string[] })[]} plans
 */
export function betterReport({ value, isWrong }, plans) {
  const rows = plans.flatMap((plan) =>
    [...workloads, ...others].flatMap(({ id, title }) => {
      const ours = plan.ids.includes(id) ? value('ours', plan, id) : undefined;
      if (ours === undefined) return [];
      const better = plan.peers.flatMap((peer) => {
        const theirs = value(peer, plan, id);
        if (peer === 'floor' || theirs === undefined || theirs >= ours) return [];
        return [
          `${peer} ${theirs === 0 ? '' : times(ours / theirs)}${isWrong(peer, plan, id) ? ', wrong' : ''}`.trim(),
        ];
      });
      return better.length > 0 ? [[`${id}: ${title}`, rowsOf(id, plan), better.join('; ')]] : [];
    }),
  );
  return `### Where others are better\n\n${table(['', 'rows', 'by how much'], rows)}`;
}

/** Which goals are met. @param {Results} results */
export function goalsReport(results) {
  const rows = goals.flatMap((goal) =>
    (goal.sizes ?? [1_000, 10_000]).flatMap((size) => {
      const checked = check(goal, { size }, results);
      const rows = rowsOf(goal.id, { size });
      return checked ? [[goal.id, rows, textOf(goal), checked.measured, checked.isMet ? 'yes' : '**no**']] : [];
    }),
  );
  const met = rows.filter((row) => row.at(-1) === 'yes').length;
  return `### Goals\n\n${met} of ${rows.length} are met.\n\n${table(['', 'rows', 'goal', 'measured', 'met'], rows)}`;
}

/** Whether a goal is met; undefined where it was not measured. @param {Goal} goal @param {Data} data @param {Results} results */
function check({ id, than, faster = NaN, of, within = NaN, plus = 0, below, right }, data, { value, isWrong }) {
  const ours = value('ours', data, id);
  if (ours === undefined) return undefined;
  if (right) return { measured: isWrong('ours', data, id) ? 'not so' : 'so', isMet: !isWrong('ours', data, id) };
  if (below) return { measured: show(ours, id), isMet: ours <= below };
  if (than) {
    const theirs = value(than, data, id);
    return theirs === undefined ? undefined : { measured: times(theirs / ours), isMet: theirs / ours >= faster };
  }
  const theirs = of === 'copy' ? value('floor', data, 'copy') : value(of ?? '', data, id);
  return theirs === undefined
    ? undefined
    : { measured: times(Math.max(0, ours - plus) / theirs), isMet: ours <= within * theirs + plus };
}

/** @param {Goal} goal */
function textOf({ id, than, faster = NaN, of, within = NaN, plus, below, right }) {
  if (right) return right;
  if (below) return `at most ${show(below, id)}`;
  if (than) return `at least ${times(faster)} as fast as ${than}`;
  const what = of === 'copy' ? 'the time of copying the array' : `what ${of ?? ''} takes`;
  return `at most ${times(within)} ${what}${plus ? ` and ${show(plus, id)}` : ''}`;
}

/** Puts the tables of a run into docs/measurements.md. @param {string} root @param {string} report @param {number} rounds */
export async function write(root, report, rounds) {
  const where = `The median of ${rounds} rounds on ${machine()}\n\n${versions(root)}`;
  await writeSection(root, 'results', `${where}\n\n${report}`);
}

/** Puts a text between the marks that a section of docs/measurements.md has for it, and draws the pictures anew. @param {string} root @param {string} section @param {string} text */
export async function writeSection(root, section, text) {
  const page = join(root, 'docs/measurements.md');
  const [start, end] = [`<!-- ${section} -->`, `<!-- end of ${section} -->`];
  const [before = '', written] = readFileSync(page, 'utf8').split(start);
  if (written === undefined) throw new Error(`docs/measurements.md has no ${start}`);
  const [, after = ''] = written.split(end);
  await writePage(page, `${before}${start}\n\n${text}\n\n${end}${after}`);
  writePictures(root);
}

/** What it was measured on. */
export function machine() {
  const load = `The load of the machine was ${digits(loadavg()[2] ?? NaN)}; 1 is the benchmark alone.`;
  return `${cpus().length} × ${cpus()[0]?.model ?? 'an unknown CPU'}, Node ${process.version}. ${load}`;
}

/** Which versions were measured. @param {string} root */
function versions(root) {
  /** @type {unknown} */
  const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { devDependencies } = /** @type {{ devDependencies: Record<string, string> }} */ (about);
  return `${libraries.map((name) => `${name} ${devDependencies[name] ?? ''}`).join(', ')}.`;
}

/** @param {number} value @param {string} id */
function show(value, id) {
  if (others.some((other) => other.id === id && other.unit === 'bytes')) {
    return bytes(value);
  }
  if (value < 1e-3) return `${digits(value * 1e6)} ns`;
  if (value < 1) return `${digits(value * 1e3)} µs`;
  return `${digits(value)} ms`;
}

/** @param {number} value */
export function bytes(value) {
  return value < 1000 ? `${digits(value)} B` : `${digits(value / 1000)} kB`;
}

/** @param {string} id @param {Data} data */
function rowsOf(id, { size, keys }) {
  const rows = rowCount(size);
  return id.startsWith('W') ? `${rows}${keys === 'integer' ? ', ids like integers' : ''}` : '';
}

/** @param {number} ratio */
function times(ratio) {
  return `${digits(ratio)}×`;
}

/** Two or three digits that count. @param {number} value */
export function digits(value) {
  return value.toLocaleString('en', { maximumSignificantDigits: value >= 100 ? 3 : 2 });
}
