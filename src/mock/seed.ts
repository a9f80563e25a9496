import { isRecord, type Row } from '../schema/Schema.js';
import { nearestText } from './names.js';
import type { Tables } from './tables.js';
import { copyOf, REF, type Entry } from './Table.js';
import { defaultsOf } from './writes.js';

/** Makes the n-th row of a table; counts from 1. */
export type Maker = (n: number, random: () => number) => object;

/** A number from 0 to 1, the next of those that a seed gives (mulberry32). */
export class Random {
  state: number;

  constructor(seed: number) {
    this.state = seed;
  }

  readonly next = (): number => {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Throws a TypeError for a name that is none of those that are known, with why that may be, and those that are most like it. */
export function assertKnown(what: string, names: object | undefined, known: Iterable<string>, why = ''): void {
  const all = [...known];
  for (const name of Object.keys(names ?? {}))
    if (!all.includes(name))
      throw new TypeError(`${what} names "${name}", which the server does not have${why}. ${nearestText(name, all)}`);
}

/** Fills the tables; throws a TypeError where two rows have one pk. */
export function plant(
  tables: Tables,
  seed: Readonly<Record<string, readonly object[] | number | undefined>>,
  make: Readonly<Record<string, Maker | undefined>>,
  random: () => number,
): void {
  const planted: (readonly [Entry, Row])[] = [];
  for (const table of tables.all.values()) {
    const given = seed[table.name] ?? [];
    const made = make[table.name] ?? (() => defaultsOf(table));
    const rows = typeof given === 'number' ? Array.from({ length: given }, (_, i) => made(i + 1, random)) : given;
    for (const one of rows) {
      const row = table.withPk(copyOf(one) as Row, random);
      const pk = table.pkOf(row) ?? '';
      if (pk === '' || table.rows.has(pk)) {
        const problem = pk === '' ? 'has no pk' : `has the pk ${pk} of another`;
        throw new TypeError(`A row of the seed of ${table.name} ${problem}.`);
      }
      planted.push([tables.reserve(table, pk), row]);
    }
  }
  // All of its own rows are there before those that are nested in others.
  for (const [entry, row] of planted) tables.keep(entry.table, row, entry);
  tables.isSeeding = false;
}

/** All that a server has, as text. */
export function snapshotOf(tables: Tables, rest: object): string {
  const all = [...tables.all.values()].map(({ name, ids, fields, rows }) => {
    const entries = [...rows.values()].map((entry) => [entry.pk, entry.seq, entry.row, entry.name] as const);
    return [name, ids.greatest, entries, [...fields]] as const;
  });
  return JSON.stringify({ ...rest, seq: tables.seq, all });
}

/** What a snapshot holds. */
export interface Kept {
  readonly seq: number;
  readonly all: readonly (readonly [
    name: string,
    greatest: number,
    entries: readonly (readonly [pk: string, seq: number, row: Row, name?: string | null])[],
    fields: readonly string[],
  ])[];
}

/** Puts the tables back as a snapshot has them. */
export function plantAgain(tables: Tables, { seq, all }: Kept): void {
  tables.seq = seq;
  const planted: (readonly [Entry, Row])[] = [];
  for (const [name, greatest, entries, fields] of all) {
    const table = tables.all.get(name);
    if (!table) continue;
    table.rows.clear();
    table.ghosts.clear();
    table.fields = new Set(fields);
    for (const [pk, place, row, under] of entries) {
      const entry = tables.reserve(table, pk, place);
      entry.name = under ?? undefined;
      planted.push([entry, row]);
    }
    table.ids.greatest = greatest;
  }
  const revive = (_: string, value: unknown): unknown => {
    if (!isRecord(value) || !(REF in value)) return value;
    const [table = '', pk = ''] = value[REF] as readonly string[];
    return tables.all.get(table)?.rows.get(pk) ?? null;
  };
  for (const [entry, row] of planted) entry.row = JSON.parse(JSON.stringify(row), revive) as Row;
}
