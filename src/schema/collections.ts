import { Collection } from './Collection.js';
import { findLists, isObject, walk } from './ListsSchema.js';
import { mapFields } from './Object.js';
import { isPlain, type Definition, type Schema } from './Schema.js';

/** The Collection in a definition, wherever it sits outside of entities. */
export function findCollection(definition: Definition): Collection | undefined {
  const lists = findLists(definition);
  return lists instanceof Collection ? lists : undefined;
}

/** The Collections in a definition, and what is Lazy, of which nobody knows before it is used. */
export function listsIn(definition: Definition): readonly (Collection | Schema)[] {
  const isMeant = (one: Definition): one is Schema => one instanceof Collection || (isObject(one) && 'isLazy' in one);
  return [...walk(definition, (one) => !isMeant(one))].filter(isMeant);
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
