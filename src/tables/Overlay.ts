import { freezeInDevelopment } from '../errors.js';
import type { List, Row } from '../schema/Schema.js';
import { applyToList, differs, sameValue, type Changes, type ListChange, type RowChanges } from './changes.js';
import { emptyTable, rowOf, tableOf, TableWriter, type Table, type Tables } from './tables.js';

/** Something that is done to a row. */
interface Patch extends Pick<RowChanges, 'existing' | 'whole'> {
  readonly row: Row | null;
}

/** A row or a list that lies over another: what is under it, what is done to that, and what comes of it. */
interface Fold {
  readonly base: unknown;
  readonly steps: readonly (Patch | ListChange)[];
  readonly result: unknown;
}

/** Rows and lists, by table. */
export type Touched = ReadonlyMap<string, ReadonlySet<string>>;

type Steps = Map<string, (Patch | ListChange)[]>;

/**
 * Shows tables with changes that are not committed. What it did to a row is remembered: where that is as it was, so is
 * what comes of it, the very object, and of 50 overlapping requests one that settles costs what one costs.
 */
export class Overlay {
  /** The rows and lists that are not what lies under them, by table. */
  touched: Touched = new Map();
  #last = new Map<string, Map<string, Fold>>();

  /** The tables as they would be with these changes, while they live on without. */
  show(tables: Tables, all: readonly Changes[]): Tables {
    const last = this.#last;
    this.#last = new Map();
    const changed: [string, Table][] = [];
    const touched = new Map<string, ReadonlySet<string>>();
    for (const [name, steps] of stepsOf(all)) {
      const table = tableOf(tables, name) ?? emptyTable;
      const folds = foldAll(table, steps, last.get(name));
      this.#last.set(name, folds);
      const writer = new TableWriter<unknown>(table, true);
      const pks = new Set<string>();
      for (const [pk, { base, result }] of folds) {
        if (result === base) continue;
        if (result === undefined) writer.remove(pk);
        else writer.set(pk, result);
        pks.add(pk);
      }
      touched.set(name, pks);
      const next = writer.done();
      if (next !== table) changed.push([name, next]);
    }
    this.touched = touched;
    return changed.length === 0 ? tables : freezeInDevelopment({ ...tables, ...Object.fromEntries(changed) });
  }
}

/** What is done to each row and list, in order, by table and pk. */
function stepsOf(all: readonly Changes[]): ReadonlyMap<string, Steps> {
  const tables = new Map<string, Steps>();
  const stepsIn = (table: string, pk: string): (Patch | ListChange)[] => {
    let ofTable = tables.get(table);
    if (!ofTable) tables.set(table, (ofTable = new Map<string, (Patch | ListChange)[]>()));
    let steps = ofTable.get(pk);
    if (!steps) ofTable.set(pk, (steps = []));
    return steps;
  };
  for (const { rows, lists } of all) {
    for (const change of rows) {
      const { table, existing, whole } = change;
      change.pks.forEach((pk, i) => {
        stepsIn(table, pk).push({
          row: change.rows[i] ?? null,
          ...(existing && { existing }),
          ...(whole && { whole }),
        });
      });
    }
    for (const change of lists) stepsIn(change.table, change.pk).push(change);
  }
  return tables;
}

function foldAll(table: Table, all: Steps, last: ReadonlyMap<string, Fold> | undefined): Map<string, Fold> {
  const folds = new Map<string, Fold>();
  for (const [pk, steps] of all) {
    const base = rowOf(table, pk);
    const known = last?.get(pk);
    const isKnown = known !== undefined && known.base === base && isSame(known.steps, steps);
    folds.set(pk, isKnown ? known : fold(base, steps, known?.result));
  }
  return folds;
}

/** Does it all; what says the same as before is the object that it was. */
function fold(base: unknown, steps: Fold['steps'], before: unknown): Fold {
  const result = steps.reduce(applyStep, base);
  const isNew = result !== base && result !== before && !(before !== undefined && sameValue(before, result));
  return { base, steps, result: isNew || result === base ? result : before };
}

function applyStep(there: unknown, step: Patch | ListChange): unknown {
  // A table that is called after a Collection holds lists, and any other rows.
  if (!('row' in step)) return applyToList(there as List | undefined, step);
  const { row, existing, whole } = step;
  if (row === null) return undefined;
  if (there === undefined) return existing ? undefined : row;
  if (whole) return row;
  return differs(there as Row, row) ? { ...there, ...row } : there;
}

function isSame(one: Fold['steps'], other: Fold['steps']): boolean {
  return one.length === other.length && one.every((step, i) => isSameStep(step, other[i] as Patch | ListChange));
}

function isSameStep(one: Patch | ListChange, other: Patch | ListChange): boolean {
  if ('row' in one && 'row' in other)
    return one.row === other.row && one.existing === other.existing && one.whole === other.whole;
  return one === other;
}
