import { freezeInDevelopment } from '../schema/freezing.js';
import { getOrMake, setOwn } from '../schema/Schema.js';
import type { Changes } from './changes.js';
import { Layer, type Step } from './Layer.js';
import { middleOf } from './members.js';
import { emptyTable, tableOf, type Table, type Tables } from './tables.js';

/** Rows and lists, by table. */
export type Touched = ReadonlyMap<string, ReadonlySet<string>>;

/** Shows tables with changes that are not committed. What it did is remembered: only of what has come or gone is anything found anew. */
export class Overlay {
  /** The rows and lists that are not what lies under them, by table, as it was shown last. */
  touched: Touched = new Map();
  #all: readonly Changes[] = [];
  readonly #layers = new Map<string, Layer>();

  /** The tables as they would be with these changes, while they live on without. */
  show(tables: Tables, all: readonly Changes[]): Tables {
    this.#restep(all);
    let shown: Record<string, Table> | undefined;
    const touched = new Map<string, ReadonlySet<string>>();
    for (const [name, layer] of this.#layers) {
      const under = tableOf(tables, name) ?? emptyTable;
      const table = layer.over(under);
      if (table !== under) setOwn((shown ??= { ...tables }), name, table);
      touched.set(name, layer.touched);
    }
    this.touched = touched;
    return shown ? freezeInDevelopment(shown) : tables;
  }

  /** Takes in which changes have come, and which have gone. */
  #restep(all: readonly Changes[]): void {
    const before = this.#all;
    this.#all = all;
    const { start, end } = middleOf(before, all);
    const over = new Set(before.slice(start, before.length - end));
    /** Tables of which steps do not simply follow the others. */
    const unsorted = new Set<string>();
    for (const [table, pk] of stepsOf(over)) if (this.#layers.get(table)?.drop(pk, over)) unsorted.add(table);
    for (const [table, pk, step] of stepsOf(all.slice(start, all.length - end))) {
      getOrMake(this.#layers, table, () => new Layer()).add(pk, step);
      if (end > 0) unsorted.add(table);
    }
    for (const name of unsorted) this.#layers.get(name)?.sort(stepsIn(all, name));
    for (const [name, layer] of this.#layers) if (layer.isEmpty) this.#layers.delete(name);
  }
}

/** What changes do to rows and lists, in order. */
function* stepsOf(all: Iterable<Changes>): Iterable<readonly [table: string, pk: string, step: Step]> {
  for (const by of all) {
    for (const { table, pks, rows, existing, whole } of by.rows)
      for (let i = 0; i < pks.length; i++) yield [table, pks[i] ?? '', { row: rows[i] ?? null, existing, whole, by }];
    for (const change of by.lists) yield [change.table, change.pk, { ...change, by }];
  }
}

/** What changes do to those of one table. */
function* stepsIn(all: readonly Changes[], name: string): Iterable<readonly [pk: string, step: Step]> {
  for (const [table, pk, step] of stepsOf(all)) if (table === name) yield [pk, step];
}
