import { ArrayOf } from './ArrayOf.js';
import { isEntityClass } from './Entity.js';
import { EntitySchema } from './EntitySchema.js';
import { definitionsIn, isMembers, walk, type MembersSchema } from './ListsSchema.js';
import { isPlain, type Definition } from './Schema.js';
import { schemaOf } from './schemaOf.js';

/** What the definition of a list is made of. */
export function innerOf(definition: Definition): MembersSchema {
  if (isMembers(definition)) return definition;
  return new ArrayOf(Array.isArray(definition) ? (definition[0] as Definition) : definition);
}

/** Whether an entity that a member refers to has a field. */
export function declares(member: Definition, field: string): boolean {
  return [...walk(member)].map(schemaOf).some((schema) => schema instanceof EntitySchema && schema.declares(field));
}

/** The tables that a member refers to; for a shape, what tells it from others. */
export function tableNames(member: Definition, seen = new Set<Definition>()): readonly string[] {
  if (isEntityClass(member)) return [member.key];
  if (seen.has(member)) return [];
  seen.add(member);
  const inside = (inner: Definition): string => tableNames(inner, seen).join('|');
  if (isPlain(member))
    return [
      `{${Object.entries(member)
        .map(([field, inner]) => `${field}: ${inside(inner)}`)
        .join(', ')}}`,
    ];
  if (Array.isArray(member) || (isMembers(member) && !member.isByName)) return [`[${inside(innerOf(member).member)}]`];
  return [...new Set(definitionsIn(member).flatMap((inner) => tableNames(inner, seen)))].sort();
}
