import { EntitySchema } from './EntitySchema.js';
import { ObjectSchema } from './Object.js';
import { none, resolved, type Definition, type Schema } from './Schema.js';
import { schemaOf } from './schemaOf.js';

/** The schemas in a shape, level by level; one that is no shape is a level of its own. What lists hold is not among them. */
export function levelsOf(definition: Definition): readonly (readonly Schema[])[] {
  const levels: Schema[][] = [];
  const seen = new Set<Schema>();
  let inside: readonly Definition[] = [definition];
  while (inside.length > 0) {
    const level = inside.flatMap((one) => schemaOf(resolved(one)) ?? none).filter((one) => !seen.has(one));
    levels.push(level);
    for (const schema of level) seen.add(schema);
    inside = level.flatMap((one) => (one instanceof ObjectSchema ? one.children() : none));
  }
  return levels;
}

/** An entity, a Union, or the one entity in a shape: nearest to its surface, with no other beside it. */
export function subjectOf(definition: Definition): Schema | undefined {
  const schema = schemaOf(resolved(definition));
  if (schema instanceof EntitySchema || schema?.chosen) return schema;
  for (const level of levelsOf(schema)) {
    const [entity, ...others] = level.filter((one) => one instanceof EntitySchema);
    if (entity) return others.length === 0 ? entity : undefined;
  }
  return undefined;
}
