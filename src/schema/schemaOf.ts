import { warnOnce } from '../errors.js';
import { ArrayOf } from './ArrayOf.js';
import { isEntityClass } from './Entity.js';
import { EntitySchema } from './EntitySchema.js';
import { ObjectSchema } from './Object.js';
import { isPlain, type Definition, type Schema } from './Schema.js';

const resolved = new WeakMap<object, Schema>();

/** The schema that a definition stands for; undefined for deserializers, default values and nothing. */
export function schemaOf(definition: Definition): Schema | undefined {
  if ((typeof definition !== 'object' && typeof definition !== 'function') || definition === null) return undefined;
  if (isSchema(definition)) return definition;
  const known = resolved.get(definition);
  if (known) return known;
  const schema = shorthand(definition);
  if (schema) resolved.set(definition, schema);
  return schema;
}

function isSchema(definition: object): definition is Schema {
  return 'normalize' in definition && 'denormalize' in definition;
}

function shorthand(definition: object): Schema | undefined {
  if (isEntityClass(definition)) return new EntitySchema(definition, schemaOf);
  warnOnce(() =>
    typeof definition === 'function' && 'key' in definition
      ? [
          `class ${definition.name}`,
          `the class ${definition.name} has a static key, but is no entity, so its objects hold the defaults of the class in place of what the server sends. Write class ${definition.name} extends Entity, or give EntityMixin(${definition.name}) in its place.`,
        ]
      : undefined,
  );
  if (Array.isArray(definition)) return definition.length === 1 ? new ArrayOf(definition[0] as Definition) : undefined;
  return isPlain(definition) && Object.keys(definition).length > 0 ? new ObjectSchema(definition) : undefined;
}
