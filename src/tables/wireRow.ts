import { walk, type Known, type ListsSchema } from '../schema/ListsSchema.js';
import { keyValue } from '../schema/listKey.js';
import {
  getOrMake,
  isRecord,
  own,
  type Definition,
  type NestingSchema,
  type Reader,
  type Row,
  type RowSchema,
} from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import { Places } from './Places.js';
import { withRow, type RowChanges } from './changes.js';
import { eachRow, emptyTable, rowFrom, tableOf, type Table, type Tables } from './tables.js';

/** Finds a row or a list, if it is there. */
export type FindRow = (table: string, pk: string) => Row | undefined;

/** What is known of the rows of lists, too. */
export interface KnownRows extends Known {
  /** A row of a Collection as it came: what is nested stands in its place, read when somebody looks at it. */
  wireRow(collection: ListsSchema, table: string, row: Row): Row;
}

/** Rows and lists, as whoever judges them looks at them; what is nested is found as `find` says. */
export function knownIn(tables: Tables, find: FindRow = rowsIn(tables)): KnownRows {
  return {
    kept: rowsIn(tables),
    values: (table, field) => valuesIn(tableOf(tables, table), field),
    inPlace: (member, item) => inPlace(member, item, find),
    wireRow: (collection, table, row) => {
      const schema = entityIn(collection.inner.member, table);
      return schema ? new WireReader(find).entity(schema, row) : row;
    },
  };
}

/** What was found of the fields of a table. */
const found = new WeakMap<Table, Map<string, ReadonlyMap<string | undefined, unknown>>>();

/** Each of many empty lists asks for another value of one field: to look through the rows for each of 400 lists took 0.6 s of a create beside 20 000 rows. */
export function valuesIn(table: Table | undefined, field: string): ReadonlyMap<string | undefined, unknown> {
  const known = getOrMake(
    found,
    table ?? emptyTable,
    () => new Map<string, ReadonlyMap<string | undefined, unknown>>(),
  );
  return getOrMake(known, field, () => {
    const values = new Map<string | undefined, unknown>();
    eachRow(table, (row) => values.set(keyValue(row, field), own(row as Row, field)));
    return values;
  });
}

/** Finds rows as tables have them. */
export function rowsIn(tables: Tables): FindRow {
  return (table, pk) => rowFrom(tables, table, pk);
}

/** Finds rows as they are with changes over them. The changes are looked through when a row is asked for: mostly none is. */
export function rowsWith(tables: Tables, changes: readonly RowChanges[]): FindRow {
  let changed: Places<Row | undefined> | undefined;
  const find: FindRow = (table, pk) => (changed?.has(table, pk) ? changed.get(table, pk) : rowFrom(tables, table, pk));
  return (table, pk) => {
    if (!changed) {
      changed = new Places();
      for (const change of changes)
        for (const [i, pk] of change.pks.entries()) {
          const row = change.rows[i];
          changed.set(change.table, pk, row ? withRow(find(change.table, pk), row, change) : undefined);
        }
    }
    return find(table, pk);
  };
}

/** An item as it came, or as it is kept: of its relations, those that are told by pk stand in their place. */
export function inPlace(member: Definition, item: unknown, find: FindRow): unknown {
  const schema = schemaOf(member);
  if (!schema || !('nested' in schema) || !isRecord(item) || wired.has(item)) return item;
  return new WireReader(find).entity(schema as NestingSchema, item);
}

/** Rows whose relations stand in their place. */
const wired = new WeakSet();

/** The class of a member whose rows are in a table. */
export function entityIn(member: Definition, table: string): NestingSchema | undefined {
  for (const one of walk(member)) {
    const schema = schemaOf(one) as NestingSchema | undefined;
    if (schema && 'nested' in schema && schema.table === table) return schema;
  }
  return undefined;
}

/** Puts together what came, and runs no code of the user's. */
class WireReader implements Reader {
  readonly resolve = schemaOf;
  readonly #find: FindRow;

  constructor(find: FindRow) {
    this.#find = find;
  }

  entity({ nested }: NestingSchema, row: Row): Row {
    if (nested.length === 0) return row;
    const wire: Record<string, unknown> = { ...row };
    wired.add(wire);
    for (const [field, inner] of nested) {
      const ref = Object.hasOwn(row, field) ? row[field] : undefined;
      if (ref === undefined || ref === null) continue;
      // A row may lie inside itself, and most of what is nested nobody looks at.
      Object.defineProperty(wire, field, {
        enumerable: true,
        configurable: true,
        get: () => {
          const value = inner.denormalize(ref, this);
          Object.defineProperty(wire, field, { value, enumerable: true });
          return value;
        },
      });
    }
    return wire;
  }

  row(schema: RowSchema, pk: string): unknown {
    const row = this.#find(schema.table, pk);
    if (row === undefined) return undefined;
    if ('nested' in schema) return this.entity(schema as NestingSchema, row);
    const value = schema.begin(row);
    schema.fill(value, row, this);
    return value;
  }

  rows(): readonly unknown[] {
    return [];
  }

  computed(_by: unknown, _value: unknown, _args: unknown, compute: () => unknown): unknown {
    return compute();
  }
}
