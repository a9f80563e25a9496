import { isEntityClass } from '../schema/Entity.js';
import { definitionsIn, type Known, type ListsSchema } from '../schema/ListsSchema.js';
import {
  isRecord,
  type Definition,
  type NestingSchema,
  type Reader,
  type Row,
  type RowSchema,
} from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import { rowFrom, someRow, tableOf, type Tables } from './tables.js';

/** Rows and lists, as whoever judges them looks at them. */
export function knownIn(tables: Tables): Known {
  return {
    kept: (table, pk) => rowFrom(tables, table, pk),
    some: (table, isSo) => someRow(tableOf(tables, table), isSo),
    inPlace: (member, item) => inPlace(member, item, tables),
  };
}

/** A row of a Collection as it came: what is nested stands in its place, read when somebody looks at it. */
export function wireRow(collection: ListsSchema, table: string, row: Row, tables: Tables): Row {
  const schema = entityIn(collection.inner.member, table);
  return schema ? new WireReader(tables).entity(schema, row) : row;
}

/** A row as it came: what is nested stands in its place, read when somebody looks at it. */
export function wireOf(schema: NestingSchema, row: Row, tables: Tables): Row {
  return new WireReader(tables).entity(schema, row);
}

/** An item as it came, or as it is kept: of its relations, those that are told by pk stand in their place. */
export function inPlace(member: Definition, item: unknown, tables: Tables): unknown {
  const schema = schemaOf(member);
  if (!schema || !('nested' in schema) || !isRecord(item) || wired.has(item)) return item;
  return new WireReader(tables).entity(schema as NestingSchema, item);
}

/** Rows whose relations stand in their place. */
const wired = new WeakSet();

/** The class of a member whose rows are in a table. */
function entityIn(member: Definition, table: string): NestingSchema | undefined {
  const schema = schemaOf(member);
  if (schema && 'nested' in schema)
    return (schema as NestingSchema).table === table ? (schema as NestingSchema) : undefined;
  if (isEntityClass(member)) return undefined;
  for (const inner of definitionsIn(member)) {
    const found = entityIn(inner, table);
    if (found) return found;
  }
  return undefined;
}

/** Puts together what came, and runs no code of the user's. */
class WireReader implements Reader {
  readonly resolve = schemaOf;
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
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
    const row = rowFrom(this.#tables, schema.table, pk);
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
