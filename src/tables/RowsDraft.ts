import type { Row } from '../schema/Schema.js';
import { offsetOf, pageOf } from './slots.js';
import { rowAt, slotOf, type Table } from './tables.js';

/** The rows of one table that a response brings, each once. */
export class RowsDraft {
  readonly table: string;
  /** Whether the rows stand as they are, instead of being merged over those that are there. */
  readonly whole: boolean;
  readonly pks: string[] = [];
  readonly rows: (Row | null)[] = [];
  /** The pks that the response speaks of, changed or not. */
  readonly met: string[] = [];
  /** Those of them that lie inside others. */
  readonly nested: string[] = [];
  readonly #known: Table<Row>;
  readonly #places = new Map<string, number>();
  /** A refetched list mostly comes in the order it is kept in, so the next row is looked for behind the last one. */
  #hint = 0;

  constructor(table: string, known: Table<Row>, whole: boolean) {
    this.table = table;
    this.whole = whole;
    this.#known = known;
  }

  /** The row as it is so far. */
  find(pk: string): Row | undefined {
    const known = this.#known.n === 0 ? undefined : this.#knownRow(pk);
    const place = this.pks.length === 0 ? undefined : this.#places.get(pk);
    if (place === undefined) return known;
    const brought = this.rows[place];
    if (!brought) return undefined;
    return this.whole || !known ? brought : { ...known, ...brought };
  }

  set(pk: string, row: Row | null): void {
    const place = this.#places.get(pk);
    if (place !== undefined) {
      this.rows[place] = row;
      return;
    }
    this.#places.set(pk, this.pks.length);
    this.pks.push(pk);
    this.rows.push(row);
  }

  /** Brings more fields of a row. */
  add(pk: string, row: Row): void {
    const place = this.#places.get(pk);
    const brought = place === undefined ? undefined : this.rows[place];
    this.set(pk, brought ? { ...brought, ...row } : row);
  }

  #knownRow(pk: string): Row | undefined {
    const known = this.#known;
    const hint = this.#hint;
    const slot = known.pks[pageOf(hint)]?.[offsetOf(hint)] === pk ? hint : slotOf(known, pk);
    if (slot < 0) return undefined;
    this.#hint = slot + 1;
    return rowAt(known, slot);
  }
}
