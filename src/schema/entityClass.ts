import { resourceError, warnOnce } from '../errors.js';
import { Entity, hasKey, type EntityClass } from './Entity.js';
import type { NestingSchema } from './Schema.js';

/** The rules of a class for what arrives out of order; undefined where it has none of its own. */
export function orderOf(Class: EntityClass): NestingSchema['order'] {
  if (Class.shouldUpdate === Entity.shouldUpdate && Class.shouldReorder === Entity.shouldReorder) return undefined;
  return (existingMeta, incomingMeta, existing, incoming) => {
    if (!Class.shouldUpdate(existingMeta, incomingMeta, existing, incoming)) return 'keep';
    return Class.shouldReorder(existingMeta, incomingMeta, existing, incoming) ? 'behind' : 'over';
  };
}

const classNames = new Map<string, WeakRef<EntityClass>>();

export function tableName(Class: EntityClass): string {
  if (hasKey(Class)) return Class.key;
  if (Class.name === '') throw resourceError('R10', '');
  warnOnce(() => [
    `key ${Class.name}`,
    `the entity class ${Class.name} has no static key, so its table is called after the class. A minifier changes that name: add static key = '${Class.name}'.`,
  ]);
  const earlier = classNames.get(Class.name)?.deref();
  // Where modules are replaced while they run, a class takes the place of itself.
  if (earlier && earlier !== Class && !('$RefreshReg$' in globalThis)) throw resourceError('R10', Class.name);
  classNames.set(Class.name, new WeakRef(Class));
  return Class.name;
}

export function computedNames(Class: EntityClass): ReadonlySet<string> {
  const names = new Set<string>();
  let prototype: object | null = Class.prototype;
  while (prototype !== null && prototype !== Object.prototype) {
    for (const [name, { get, set }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (get && !set) names.add(name);
    }
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return names;
}
