import { EntitySchema, isPk } from './EntitySchema.js';
import { isRecord, own, type Definition, type Normalizer, type Reader, type Schema } from './Schema.js';
import { UnionSchema, type Mapping, type SchemaAttribute } from './Union.js';

/** An answer after which an entity is gone. */
export class Invalidate implements Schema<undefined> {
  readonly #target: Definition;

  constructor(definition: Definition, schemaAttribute?: SchemaAttribute) {
    this.#target = schemaAttribute === undefined ? definition : new UnionSchema(definition as Mapping, schemaAttribute);
  }

  children(): readonly Definition[] {
    return [this.#target];
  }

  normalize(input: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    if (!into.atTop && (input === null || input === undefined)) return input;
    // Only a whole answer may leave it to the arguments to tell what is gone.
    const params = into.atTop ? into.args[0] : undefined;
    const entity = this.#entity(input, parent, key, into) ?? this.#entity(params, parent, key, into);
    if (!entity) return into.misfit('what tells which entity is gone', input);
    const told = isRecord(input) && Object.keys(input).length > 0 ? input : isPk(input) ? { id: input } : undefined;
    const pk = isPk(input) ? String(input) : (pkFrom(entity, told, into) ?? pkFrom(entity, params, into));
    if (pk === undefined) return into.pkMissing(entity.table, input);
    into.remove(entity.table, pk);
    return pk;
  }

  /** What was deleted has no value. */
  denormalize(_pk: unknown, _from: Reader): undefined {
    return undefined;
  }

  #entity(value: unknown, parent: unknown, key: string, into: Normalizer): EntitySchema | undefined {
    let schema = into.resolve(this.#target);
    if (schema instanceof UnionSchema) schema = into.resolve(own(schema.mapping, schema.keyOf(value, parent, key)));
    return schema instanceof EntitySchema ? schema : undefined;
  }
}

function pkFrom(entity: EntitySchema, source: unknown, into: Normalizer): string | undefined {
  return isRecord(source) ? entity.pk(source, undefined, undefined, into.args) : undefined;
}
