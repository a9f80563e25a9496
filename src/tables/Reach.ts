import { own, type Definition, type Reader, type Row, type RowSchema, type Schema } from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import { Places, type Place } from './Places.js';
import { eachRow, rowFrom, tableOf, type Tables } from './tables.js';

/**
 * Finds the rows and lists that answers are made of, without making anything: schemas read from here as from a memory,
 * and get nothing, so that no code of a user's class runs. Each row has the mark of the first answer that leads to it.
 */
export class Reach<Mark> extends Places<Mark> implements Reader {
  readonly resolve = schemaOf;
  readonly isTracing = true;
  readonly #tables: Tables;
  /** Rows whose inside is still to be seen; a chain of any length leaves the stack alone. */
  readonly #queue: { readonly schema: RowSchema; readonly row: unknown }[] = [];
  #mark: Mark | undefined;

  constructor(tables: Tables) {
    super();
    this.#tables = tables;
  }

  /** Marks all that an answer is made of. */
  from(definition: Definition, ref: unknown, mark: Mark): void {
    const steps = this.steps(definition, ref, mark);
    while (!steps.next().done);
  }

  /** The same step by step, each of less than a ms, for who must not keep others waiting. */
  *steps(definition: Definition, ref: unknown, mark: Mark): Generator<void, void> {
    const schema = schemaOf(definition);
    if (!schema) return;
    this.#mark = mark;
    for (const part of partsOfList(ref)) schema.denormalize(part, this);
    let seen = 0;
    for (let next = this.#queue.pop(); next; next = this.#queue.pop()) {
      this.#enter(next.schema, next.row);
      if (++seen % STEP === 0) yield;
    }
  }

  /** Marks one row, and nothing inside it. */
  mark(table: string, pk: string, mark: Mark): boolean {
    if (this.has(table, pk)) return false;
    this.set(table, pk, mark);
    return true;
  }

  /** Whether one of the marked rows is so. */
  some(isSo: (table: string, pk: string) => boolean): boolean {
    return this.all().some(({ table, pk }) => isSo(table, pk));
  }

  row(schema: RowSchema, pk: string): undefined {
    const row = rowFrom(this.#tables, schema.table, pk);
    // Every mark is set while there is one.
    if (row !== undefined && this.mark(schema.table, pk, this.#mark as Mark)) this.#queue.push({ schema, row });
    return undefined;
  }

  rows(schema: RowSchema): readonly never[] {
    eachRow(tableOf(this.#tables, schema.table), (_, pk) => {
      this.row(schema, pk);
    });
    return [];
  }

  computed(): undefined {
    return undefined;
  }

  #enter(schema: RowSchema, row: unknown): void {
    if (!('nested' in schema)) {
      // A list is made of nothing but what it refers to.
      const [part, ...others] = partsOfList(row);
      schema.fill(schema.begin(part), part, this);
      for (const other of others) this.#queue.push({ schema, row: other });
      return;
    }
    for (const [field, inner] of schema.nested as readonly (readonly [string, Schema])[]) {
      const ref = own(row as Row, field);
      if (ref !== undefined && ref !== null) inner.denormalize(ref, this);
    }
  }
}

/** How many rows are looked at in one step. */
const STEP = 1_000;

/** What stands for a list, in parts that are looked at one by one. */
function partsOfList(ref: unknown): readonly unknown[] {
  if (!Array.isArray(ref) || ref.length <= STEP) return [ref];
  const parts: unknown[] = [];
  for (let from = 0; from < ref.length; from += STEP) parts.push(ref.slice(from, from + STEP));
  return parts;
}

/** The rows and lists that an answer is made of, with what is inside of them. */
export function rowsReached(tables: Tables, definition: Definition, ref: unknown): Places<unknown> {
  const reach = new Reach<true>(tables);
  reach.from(definition, ref, true);
  const rows = new Places<unknown>();
  for (const { table, pk } of reach.all()) rows.set(table, pk, rowFrom(tables, table, pk));
  return rows;
}

/** The rows and lists that an answer is made of itself, without what is inside of them. */
export function partsOf(definition: Definition, ref: unknown): readonly Part[] {
  const parts: Part[] = [];
  schemaOf(definition)?.denormalize(ref, {
    resolve: schemaOf,
    isTracing: true,
    row: (schema, pk) => void parts.push({ schema, table: schema.table, pk }),
    rows: () => [],
    computed: () => undefined,
  });
  return parts;
}

/** A row or a list that an answer is made of. */
export interface Part extends Place {
  /** What reads it. */
  readonly schema: RowSchema;
}
