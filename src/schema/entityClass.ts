/** What a class says of its entities. */
import { resourceError, warnOnce } from '../errors.js';
import type { Deserializer } from './deserialize.js';
import { Entity, hasKey, type EntityClass } from './Entity.js';
import type { NestingSchema, Resolve, Schema } from './Schema.js';

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

/** The fields of a class that are more than plain values. */
export interface Fields {
  readonly nested: readonly (readonly [field: string, schema: Schema])[];
  readonly deserializers: readonly (readonly [field: string, deserializer: Deserializer])[];
}

/** Its fields sorted out: what is nested, and what is read by a function. */
export function fieldsOf(Class: EntityClass, resolve: Resolve): Fields {
  const nested: (readonly [string, Schema])[] = [];
  const deserializers: (readonly [string, Deserializer])[] = [];
  for (const [field, definition] of Object.entries(Class.schema)) {
    if (definition === undefined)
      warnOnce(() => [
        `schema ${Class.name}.${field}`,
        `static schema of ${Class.name} has undefined for "${field}", so what stands there is not normalized. A class that is undefined there is mostly imported in a circle: look whether its module imports this one, or name it later: new schema.Lazy(() => …).`,
      ]);
    const schema = resolve(definition);
    if (schema) nested.push([field, schema]);
    else if (typeof definition === 'function') deserializers.push([field, definition as Deserializer]);
  }
  return { nested, deserializers };
}
