import { EntitySchema } from '../schema/EntitySchema.js';
import { isMembers } from '../schema/ListsSchema.js';
import { ObjectSchema } from '../schema/Object.js';
import { isRecord, own, type Definition } from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import { UnionSchema } from '../schema/Union.js';

/** The entities that definitions describe; `isDeep` for those inside of entities, too. */
export function entitiesIn(definitions: readonly Definition[], isDeep = false): ReadonlySet<EntitySchema> {
  const seen = new Set<unknown>();
  const found = new Set<EntitySchema>();
  const queue = [...definitions];
  for (const definition of queue) {
    const schema = schemaOf(definition);
    if (!schema || seen.has(schema)) continue;
    seen.add(schema);
    if (schema instanceof EntitySchema) found.add(schema);
    if (isDeep || !(schema instanceof EntitySchema)) queue.push(...(schema.children?.() ?? []));
  }
  return found;
}

/** A value in which each entity, be it a row or a pk, is replaced. */
export function replaceEntities(
  definition: Definition,
  value: unknown,
  replace: (schema: EntitySchema, value: unknown) => unknown,
): unknown {
  const schema = schemaOf(definition);
  if (!schema || value === null || value === undefined) return value;
  const each = (fields: Readonly<Record<string, unknown>>, of: (field: string) => Definition): unknown =>
    Object.fromEntries(Object.entries(fields).map(([field, one]) => [field, replaceEntities(of(field), one, replace)]));
  if (schema instanceof EntitySchema) return replace(schema, value);
  if (schema instanceof UnionSchema) {
    const chosen = schema.keyOf(value, undefined, '');
    return replaceEntities(own(schema.mapping, chosen ?? ''), value, replace);
  }
  if (schema instanceof ObjectSchema)
    return isRecord(value) ? each(value, (field) => own(schema.fields, field)) : value;
  if (isMembers(schema)) {
    const { member } = schema;
    if (schema.isByName) return isRecord(value) ? each(value, () => member) : value;
    return Array.isArray(value) ? value.map((one: unknown) => replaceEntities(member, one, replace)) : value;
  }
  // A Collection, or what is Lazy, stands for what is in it.
  return replaceEntities(schema.children?.()[0], value, replace);
}
