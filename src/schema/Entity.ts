import type { Definition, Row } from './Schema.js';

/** When and in which order an answer came about; handed to `shouldUpdate` and `shouldReorder`. */
export interface AnswerMeta {
  readonly kind: 'read' | 'write';
  /** Position of its start among all requests of the store. */
  readonly seq: number;
  /** Position at which it settled. */
  readonly settledSeq?: number;
  /** ms since the epoch. */
  readonly startedTimeStamp: number;
}

/** A thing with an identity; every place that shows it shows the same one. Subclass it and give its fields defaults. */
export abstract class Entity {
  /** The name of its table; the class name, unless set (set it: minifiers change class names). */
  declare static key: string;
  /** Nested schemas and deserializers, by field. */
  declare static schema: Readonly<Record<string, Definition>>;
  /** Fields by whose value a row can be found, as in `selectEntity(User, { username })`. */
  declare static indexes: readonly string[] | undefined;

  /** What tells one entity from another; `id`, unless overridden. It is asked of the input, before defaults apply. */
  pk(_parent?: unknown, _key?: string, _args?: readonly unknown[]): string | number | undefined {
    const { id } = this as { readonly id?: unknown };
    return typeof id === 'string' || typeof id === 'number' ? id : undefined;
  }

  /** An instance with these fields, the others at their defaults. */
  static fromJS<This extends EntityClass>(this: This, fields: Partial<InstanceType<This>> = {}): InstanceType<This> {
    // Abstract classes of a family are made by their subclasses; here the class is the one called.
    const value = new (this as unknown as new () => InstanceType<This>)();
    return Object.assign(value, fields);
  }

  /** Reshapes the input of one entity, before its pk is asked for. */
  static process(input: Row, _parent: unknown, _key: string, _args: readonly unknown[]): Row {
    return input;
  }

  /** What becomes of a row when more of it arrives: the fields of both, the incoming ones first. */
  static merge(existing: Row, incoming: Row): Row {
    return { ...existing, ...incoming };
  }

  /** Why this input is no such entity; undefined when it is one. */
  static validate(_input: Row): string | undefined {
    return undefined;
  }
}

Object.defineProperties(Entity, {
  key: {
    configurable: true,
    get(this: EntityClass) {
      return this.name;
    },
    set(this: EntityClass, value: unknown) {
      Object.defineProperty(this, 'key', { value, writable: true, enumerable: true, configurable: true });
    },
  },
  schema: { configurable: true, writable: true, value: {} },
  indexes: { configurable: true, writable: true, value: undefined },
});

/** A class that extends {@link Entity}. */
export type EntityClass<Value extends Entity = Entity> = (abstract new () => Value) &
  Omit<typeof Entity, 'prototype' | 'fromJS'> & { readonly prototype: Value; readonly name: string };

/** Whether a definition is an entity class. */
export function isEntityClass(definition: unknown): definition is EntityClass {
  return typeof definition === 'function' && definition.prototype instanceof Entity;
}
