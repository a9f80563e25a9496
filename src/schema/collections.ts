import { Collection } from './Collection.js';
import { definitionsIn, findLists, isObject } from './ListsSchema.js';
import { mapFields } from './Object.js';
import { isPlain, type Definition, type Schema } from './Schema.js';

/** The Collection in a definition, wherever it sits outside of entities. */
export function findCollection(definition: Definition): Collection | undefined {
  const lists = findLists(definition);
  return lists instanceof Collection ? lists : undefined;
}

/** The Collections in a definition, and what is Lazy, of which nobody knows before it is used. */
export function listsIn(definition: Definition, seen = new Set<Definition>()): readonly (Collection | Schema)[] {
  // What a class stands for is asked when it is used: what is wrong with the class is told there.
  if (definition instanceof Collection || (isObject(definition) && 'isLazy' in definition))
    return [definition as Schema];
  if (seen.has(definition)) return [];
  seen.add(definition);
  return definitionsIn(definition).flatMap((inner) => listsIn(inner, seen));
}

/** The same definition with its Collection replaced. */
export function replaceCollection(definition: Definition, replace: (collection: Collection) => Schema): Definition {
  const inside = (inner: Definition): Definition => replaceCollection(inner, replace);
  if (definition instanceof Collection) return replace(definition);
  if (isPlain(definition)) return mapFields(definition, inside);
  return isObject(definition) && 'map' in definition && 'normalize' in definition
    ? (definition as Required<Schema>).map(inside)
    : definition;
}
