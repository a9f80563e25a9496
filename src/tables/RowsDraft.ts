import type { Row } from '../schema/Schema.js';
import { hasNoOthers } from './same.js';
import { keepPlaces, pkAt, slotsIn } from './slots.js';
import { rowAt, type Table } from './tables.js';

/** So few are found at once. */
const FEW = 8;

/** The rows of one table that a response brings, each once. */
export class RowsDraft {
  readonly table: string;
  /** Whether the rows stand as they are, instead of being merged over those that are there. */
  readonly whole: boolean;
  readonly pks: string[] = [];
  readonly rows: (Row | null)[] = [];
  /** All rows that the response has told of, also those that bring nothing new; undefined where nobody asks. */
  readonly told: Map<string, Row> | undefined;
  readonly #known: Table<Row>;
  readonly #places = new Map<string, number>();
  #slotIn: ((pk: string) => number) | undefined;
  /** What was found last, and for which pk; forgotten with every write. */
  #found: Row | undefined;
  #foundPk: string | undefined;
  /** The string that the table, or this draft, has for the pk that was looked for last. */
  #ownPk: string | undefined;
  /** Which pk was looked for last among those brought, and where it is, if it is. */
  #lastPk: string | undefined;
  #lastPlace: number | undefined;
  /** A refetched list mostly comes in the order it is kept in, so the next row is looked for behind the last one. */
  #hint = 0;

  constructor(
    table: string,
    known: Table<Row>,
    { whole, notes }: { readonly whole: boolean; readonly notes: boolean | undefined },
  ) {
    this.table = table;
    this.whole = whole;
    this.told = notes ? new Map<string, Row>() : undefined;
    this.#known = known;
  }

  /** The row as it is so far. What is looked for twice in a row, with nothing written in between, is looked up once. */
  find(pk: string): Row | undefined {
    if (pk === this.#foundPk) return this.#found;
    this.#foundPk = pk;
    this.#ownPk = pk;
    return (this.#found = this.#find(pk));
  }

  /** Notes what the response has told of a row. */
  note(pk: string, row: Row): void {
    const last = this.told?.get(pk);
    this.told?.set(pk, last && !hasNoOthers(last, row) ? { ...last, ...row } : row);
  }

  /** A pk that was looked for last, as the table or this draft has it. */
  own(pk: string): string {
    return pk === this.#ownPk ? this.#ownPk : pk;
  }

  #find(pk: string): Row | undefined {
    const known = this.#known.n === 0 ? undefined : this.#knownRow(pk);
    // Of the string that the table has, the hash is known already.
    const place = this.#placeOf(this.#ownPk ?? pk);
    if (place === undefined) return known;
    this.#ownPk = this.pks[place];
    const brought = this.rows[place];
    if (!brought) return undefined;
    return this.whole || !known ? brought : { ...known, ...brought };
  }

  set(pk: string, row: Row | null): void {
    this.#foundPk = undefined;
    const place = this.#placeOf(pk);
    if (place !== undefined) {
      this.rows[place] = row;
      return;
    }
    this.#lastPlace = this.pks.length;
    this.#places.set(pk, this.pks.length);
    this.pks.push(pk);
    this.rows.push(row);
  }

  /** Brings more fields of a row. */
  add(pk: string, row: Row): void {
    const place = this.#placeOf(pk);
    const brought = place === undefined ? undefined : this.rows[place];
    this.set(pk, brought ? { ...brought, ...row } : row);
  }

  /** Whether these are pks of rows that follow on one another here, so that none can be there twice. */
  holdsInOrder(refs: readonly unknown[]): boolean {
    const [first] = refs;
    const start = typeof first === 'string' ? this.#places.get(first) : undefined;
    if (start === undefined || start + refs.length > this.pks.length) return false;
    for (let i = 0; i < refs.length; i++) if (this.pks[start + i] !== refs[i]) return false;
    return true;
  }

  /** Nothing more is brought: where a table is made of nothing but this, its rows need not be looked for again. */
  finish(): void {
    if (this.#known.n === 0 && this.pks.length > FEW) keepPlaces(this.pks, this.#places);
  }

  /** Where a row is among those brought; a row that is looked for and then written is looked up once, for to hash a pk costs 0.1 µs. */
  #placeOf(pk: string): number | undefined {
    if (pk !== this.#lastPk) {
      this.#lastPk = pk;
      this.#lastPlace = this.pks.length === 0 ? undefined : this.#places.get(pk);
    }
    return this.#lastPlace;
  }

  #knownRow(pk: string): Row | undefined {
    const known = this.#known;
    const hint = this.#hint;
    let slot = hint;
    let own = pkAt(known.pks, hint);
    if (own !== pk) {
      slot = (this.#slotIn ??= slotsIn(known.pks))(pk);
      if (slot < 0) return undefined;
      own = pkAt(known.pks, slot);
    }
    this.#hint = slot + 1;
    this.#ownPk = own;
    return rowAt(known, slot);
  }
}
