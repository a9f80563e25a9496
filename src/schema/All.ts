import { freezeInDevelopment } from '../errors.js';
import { EntitySchema } from './EntitySchema.js';
import { ArraySchema } from './Array.js';
import type { ValueOf } from './infer.js';
import { own, type Definition, type Normalizer, type Reader, type Schema } from './Schema.js';
import { UnionSchema } from './Union.js';

/**
 * All entities of a class, or of the classes of a Union, that the store holds, from whichever answer.
 *
 * @example
 * resources.select(new schema.All(Todo))(store.getState());
 */
export class AllSchema<const D extends Definition = Definition> implements Schema<ValueOf<D>[]> {
  readonly #entity: Definition;

  constructor(entity: D) {
    this.#entity = entity;
  }

  children(): readonly Definition[] {
    return [this.#entity];
  }

  normalize(input: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    new ArraySchema(this.#entity).normalize(input, parent, key, into);
    return null;
  }

  query(): null {
    return null;
  }

  denormalize(_ref: unknown, from: Reader): ValueOf<D>[] | undefined {
    const schema = from.resolve(this.#entity);
    // The rows of a class, or of the members of a Union, are its values.
    if (schema instanceof EntitySchema) return freezeInDevelopment(from.rows(schema)) as ValueOf<D>[];
    if (!(schema instanceof UnionSchema)) return undefined;
    return freezeInDevelopment(rowsOf(schema as UnionSchema, from)) as ValueOf<D>[];
  }
}

/** The rows of each member; of members that share a table, those that choose this one. */
function rowsOf(union: UnionSchema, from: Reader): readonly unknown[] {
  const entityOf = (chosen: string | undefined): Schema | undefined =>
    chosen === undefined ? undefined : from.resolve(own(union.mapping, chosen));
  const entities = new Set(Object.keys(union.mapping).map(entityOf));
  return [...entities].flatMap((entity) => {
    if (!(entity instanceof EntitySchema)) return [];
    const rows = from.rows(entity);
    const isShared = [...entities].some((other) => other !== entity && isOf(other, entity.table));
    return isShared ? rows.filter((row) => entityOf(union.keyOf(row, undefined, '')) === entity) : rows;
  });
}

function isOf(schema: Schema | undefined, table: string): boolean {
  return schema instanceof EntitySchema && schema.table === table;
}
