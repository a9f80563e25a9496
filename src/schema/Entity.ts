import { own, type AnswerMeta, type Definition, type Row } from './Schema.js';

/**
 * A thing with an identity; every place that shows it shows the same one. Subclass it and give its fields defaults.
 *
 * @example
 * class User extends Entity {
 *   id = 0;
 *   name = '';
 *   static key = 'User';
 * }
 */
export abstract class Entity {
  /** The name of its table; the class name, unless set (set it: minifiers change class names). */
  declare static key: string;
  /** Nested schemas and deserializers, by field. */
  declare static schema: Readonly<Record<string, Definition>>;
  /**
   * The field by which the server counts the changes of a row: numbers, or strings that compare as ISO dates do. Of two answers, the one with the greater
   * version holds the whole row, whichever was asked for first.
   *
   * @example
   * class Note extends Entity {
   *   id = 0;
   *   updatedAt = '';
   *   static key = 'Note';
   *   static version = 'updatedAt';
   * }
   */
  declare static version: string | undefined;
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

  /** Reshapes the input of one entity, before its pk is asked for; undefined says that the entity is deleted. */
  static process(input: Row, _parent: unknown, _key: string, _args: readonly unknown[]): Row | undefined {
    return input;
  }

  /** What becomes of a row when more of it arrives: the fields of both, the incoming ones first. */
  static merge(existing: Row, incoming: Row): Row {
    return { ...existing, ...incoming };
  }

  /** Whether an answer changes the row that is there; not asked about rows that are new. */
  static shouldUpdate(_existingMeta: AnswerMeta, _incomingMeta: AnswerMeta, _existing: Row, _incoming: Row): boolean {
    return true;
  }

  /** Whether an answer is older than the row that is there, whose fields then win. */
  static shouldReorder(_existingMeta: AnswerMeta, _incomingMeta: AnswerMeta, _existing: Row, _incoming: Row): boolean {
    return false;
  }

  /**
   * Why this is no such entity; undefined when it is one. An answer that it refuses is a failure. It is asked of rows, too,
   * when they are read, for another class or another answer may have brought them: what it refuses then is missing.
   */
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

/** Whether a class is named by itself, or by one that it extends, and not by what it happens to be called. */
export function hasKey(Class: object): boolean {
  let owner = Class;
  while (!Object.hasOwn(owner, 'key')) owner = Object.getPrototypeOf(owner) as object;
  const key = Object.getOwnPropertyDescriptor(owner, 'key');
  return key?.get === undefined || key.get !== Object.getOwnPropertyDescriptor(Entity, 'key')?.get;
}

/**
 * A class that extends {@link Entity}.
 *
 * @example
 * const tableOf = (entity: EntityClass) => entity.key;
 */
export type EntityClass<Value extends Entity = Entity> = (abstract new () => Value) &
  Omit<typeof Entity, 'prototype' | 'fromJS'> & { readonly prototype: Value; readonly name: string };

/**
 * What makes an entity of a class that one does not own.
 *
 * @example
 * const options: MixinOptions<{ login: string }> = { key: 'User', pk: 'login' };
 */
export interface MixinOptions<Value, Definitions = Readonly<Record<string, Definition>>> {
  /** The name of the table. */
  readonly key?: string;
  /** Nested schemas and deserializers, by field. */
  readonly schema?: Definitions;
  /** Fields by whose value a row can be found. */
  readonly indexes?: readonly string[];
  /** A field, or what computes the pk; the class's own `pk`, else `id`, unless given. */
  readonly pk?:
    | (keyof Value & string)
    | ((value: Value, parent?: unknown, key?: string, args?: readonly unknown[]) => string | number | undefined);
}

/** What makes an instance of the class that it is called on. */
interface FromJS {
  /** An instance with these fields, the others at their defaults. */
  fromJS<This extends abstract new () => object>(this: This, fields?: Partial<InstanceType<This>>): InstanceType<This>;
}

/**
 * A class with what an entity has; its own statics stay.
 *
 * @example
 * class Person {
 *   id = 0;
 * }
 * const PersonEntity: MixedClass<typeof Person> = EntityMixin(Person, { key: 'Person' });
 */
export type MixedClass<
  Base extends abstract new () => object,
  Definitions = Readonly<Record<string, Definition>>,
> = (new () => InstanceType<Base> & Entity) &
  Omit<EntityClass, 'prototype' | 'schema'> &
  Omit<FromJS, keyof Base> &
  Omit<Base, 'prototype' | 'schema'> & {
    readonly prototype: InstanceType<Base> & Entity;
    /** Nested schemas and deserializers, by field. */
    schema: SchemaIn<Base, Definitions>;
  };

/** The definitions that a mixin is given, else those that its class has. */
type SchemaIn<Base, Definitions> = string extends keyof Definitions
  ? Base extends { readonly schema: infer Own extends Definitions }
    ? Own
    : Definitions
  : Definitions;

/**
 * A class as an entity, though it does not extend {@link Entity}.
 *
 * @example
 * class Person {
 *   login = '';
 * }
 * const PersonEntity = EntityMixin(Person, { key: 'Person', pk: 'login' });
 */
export function EntityMixin<
  Base extends abstract new () => object,
  Definitions extends Readonly<Record<string, Definition>> = Readonly<Record<string, Definition>>,
>(Base: Base, options: MixinOptions<InstanceType<Base>, Definitions> = {}): MixedClass<Base, Definitions> {
  const { pk } = options;
  // A mixin's constructor is the base's; that it takes no arguments the parameter type says.
  const Mixed = class extends (Base as unknown as new () => object) {};
  const define = (target: object, name: string, descriptor: PropertyDescriptor): void => {
    Object.defineProperty(target, name, { configurable: true, ...descriptor });
  };
  define(Mixed, 'name', { value: Base.name });
  if (pk !== undefined || !('pk' in Mixed.prototype))
    define(Mixed.prototype, 'pk', { writable: true, value: pkOf(pk) });
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(Entity))) {
    const value = own(options as Readonly<Record<string, unknown>>, name);
    if (value !== undefined) define(Mixed, name, { writable: true, value });
    // What the class has already, it keeps.
    else if (!(name in Mixed)) define(Mixed, name, descriptor);
  }
  // All that an entity class has was put on it above.
  return Mixed as unknown as MixedClass<Base, Definitions>;
}

function pkOf<Value>(pk: MixinOptions<Value>['pk']): unknown {
  if (pk === undefined) return Entity.prototype.pk;
  if (typeof pk === 'string') {
    return function (this: Value) {
      return this[pk];
    };
  }
  return function (this: Value, parent?: unknown, key?: string, args?: readonly unknown[]) {
    return pk(this, parent, key, args);
  };
}

/** Whether a definition is an entity class, by what it can do: a mixin need not extend Entity. */
export function isEntityClass(definition: unknown): definition is EntityClass {
  if (typeof definition !== 'function' || !('merge' in definition) || !('validate' in definition)) return false;
  const { prototype } = definition as { readonly prototype: unknown };
  return typeof prototype === 'object' && prototype !== null && 'pk' in prototype;
}
