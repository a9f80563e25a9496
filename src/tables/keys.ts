import { isTemporary } from '../schema/temporary.js';
import { isPlain } from '../schema/Schema.js';
import type { Entity } from '../schema/Entity.js';
import { isReused } from './aliases.js';
import { Places } from './Places.js';
import { rowFrom, type Tables } from './tables.js';
import type { RowValue } from './values.js';

/**
 * The keys of objects that do not tell them themselves: of items that were created or renamed here, before and after that, of items with a pk that a renamed one
 * had, and of classes with a pk of their own, which may ask for the parent, or for what the server has sent in a field.
 */
const keys = new WeakMap<object, string>();

/**
 * The key of an item: the same string before and after the server gives it an id, for as long as it is in the store. Made for React's `key`.
 *
 * @example
 * todos.map((todo) => <TodoRow key={keyOf(todo)} todo={todo} />)
 */
export function keyOf(row: Entity | { readonly id: string | number }): string {
  const known = keys.get(row);
  if (known !== undefined) return known;
  if (isPlain(row)) return String(row['id']);
  // A server may send a field that is called pk.
  const { constructor, pk } = Object.getPrototypeOf(row) as Entity & {
    readonly constructor: { readonly key?: string };
  };
  return keyIn(constructor.key ?? '', String(pk.call(row)));
}

/** Two members of a union may have the same pk. */
function keyIn(table: string, pk: string): string {
  return `${table}:${pk}`;
}

/** So many rows are remembered before it is looked at which of them are gone. */
const FEW = 128;

/** The temporary pks under which rows of one store were created. */
export class CreatedRows {
  readonly #temporary = new Places<string>();
  #size = 0;
  #limit = FEW;

  /** Makes room: forgets rows that are gone from the confirmed tables, when there are twice as many as were left the last time. */
  clean(tables: Tables): void {
    if (this.#size < this.#limit) return;
    this.#size = 0;
    for (const [table] of this.#temporary.tables()) {
      const pks = this.#temporary.in(table);
      for (const pk of pks.keys()) if (rowFrom(tables, table, pk) === undefined) pks.delete(pk);
      this.#size += pks.size;
    }
    this.#limit = 2 * this.#size + FEW;
  }

  add(table: string, pk: string, temporary: string): void {
    // A row that was created and then renamed has its first key still.
    if (this.#temporary.has(table, pk)) return;
    this.#temporary.set(table, pk, temporary);
    this.#size++;
  }

  /** Gives an object that was made of a row the key of the row, where it does not tell that itself. */
  mark({ schema, pk }: RowValue, made: unknown): void {
    const temporary = this.#size > 0 ? this.#temporary.get(schema.table, pk) : undefined;
    const isUntold = temporary !== undefined || schema.hasOwnPk === true || isTemporary(pk) || isReused(pk);
    if (isUntold && typeof made === 'object' && made !== null) keys.set(made, keyIn(schema.table, temporary ?? pk));
  }
}
