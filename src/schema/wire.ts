import type { ArraySchema } from './Array.js';
import type { Widened } from './infer.js';
import type { LazySchema } from './Lazy.js';
import type { ListsOf } from './ListsSchema.js';
import type { ObjectSchema } from './Object.js';
import type { AnyEntity } from './sound.js';
import type { UnionSchema } from './Union.js';
import type { ValuesSchema } from './Values.js';

/**
 * A response as it comes: what JSON holds of the value that a definition describes.
 *
 * @example
 * const year = (row: WireOf<typeof Todo>) => row.createdAt.slice(0, 4); // a string still
 */
export type WireOf<D> = D extends AnyEntity
  ? WireFields<InstanceType<D>, DefinitionsOf<D>>
  : D extends abstract new (...args: never) => unknown
    ? InputOf<D>
    : D extends (wire: never) => unknown
      ? InputOf<D>
      : D extends { denormalize(...args: never): unknown }
        ? WireOfSchema<D>
        : D extends readonly (infer Item)[]
          ? WireOf<Item>[]
          : D extends Readonly<Record<string, unknown>>
            ? { -readonly [Field in keyof D]: WireOf<D[Field]> }
            : Widened<D>;

type WireOfSchema<D> = D extends { readonly wire?: infer Wire }
  ? Exclude<Wire, undefined>
  : D extends ValuesSchema<infer Inner, infer Attribute>
    ? Record<string, WireOf<MemberIn<Inner, Attribute>>>
    : [Inside<D>] extends [never]
      ? unknown
      : WireOf<Inside<D>>;

/** What a schema of ours is made of, in short: a list as `[S]`, a shape as an object; never of a set of values, and of any other. */
type Inside<D> =
  D extends ListsOf<infer Inner>
    ? Inner
    : D extends UnionSchema<infer Mapping>
      ? Mapping[keyof Mapping]
      : D extends ArraySchema<infer Inner, infer Attribute>
        ? readonly MemberIn<Inner, Attribute>[]
        : D extends ObjectSchema<infer Inner>
          ? Inner
          : D extends LazySchema<infer Inner>
            ? Inner
            : never;

type MemberIn<D, Attribute> = Attribute extends undefined ? D : D[keyof D];

/** What a deserializer is given. */
type InputOf<D> = D extends DateConstructor
  ? string | number
  : D extends (wire: infer Wire) => unknown
    ? Known<Wire>
    : D extends abstract new (wire: infer Wire) => unknown
      ? Known<Wire>
      : Primitive;

type Primitive = string | number | boolean;

/** `Number` and `String` take anything, of which JSON has but these. */
type Known<Wire> = unknown extends Wire ? Primitive : Wire;

/** The definitions that an entity class has for its fields, where they are known one by one; of a class with a mixin, those of the mixin. */
export type DefinitionsOf<Class> = Class extends { readonly schema: infer Definitions }
  ? string extends keyof Definitions
    ? { readonly [Field in keyof Definitions as string extends Field ? never : Field]: Definitions[Field] }
    : Definitions
  : unknown;

/** What a field is when it is a method. */
type Method = (...args: never) => unknown;

/**
 * The fields of a value, those that have a definition in wire form; what `WireOf` makes of a class, as declarations name it.
 *
 * @example
 * const fields: WireFields<Pick<Todo, 'createdAt'>, typeof Todo.schema> = { createdAt: '2026-01-05' };
 */
export type WireFields<Value, Definitions> = {
  [Field in keyof Value as Value[Field] extends Method ? never : Field]: Field extends keyof Definitions
    ? WireOf<Definitions[Field]> | Nothing<Value[Field]>
    : Value[Field];
};

/** A field that may be empty is so in wire form, too. */
type Nothing<Value> = Extract<Value, null | undefined>;

/**
 * Some fields of a value, each as its value or, by the definition it has, in wire form.
 *
 * @example
 * const fields: Fields<Todo, typeof Todo.schema> = { title: 'Read', createdAt: '2026-01-05' };
 */
export type Fields<Value, Definitions> = {
  [Field in keyof Value as Value[Field] extends Method ? never : Field]?:
    Given<Value[Field]> | (Field extends keyof Definitions ? Written<Definitions[Field]> : never);
};

/** A value as it is given; a list need not be one that may be changed. */
type Given<Value> = Value extends readonly unknown[] ? Readonly<Value> : Value;

/** A response as one may give it by hand: of each entity some fields, each as its value or in wire form. */
export type ResponseOf<D> = D extends AnyEntity
  ? Fields<InstanceType<D>, DefinitionsOf<D>>
  : D extends { readonly given?: infer Response }
    ? Exclude<Response, undefined>
    : D extends { denormalize(...args: never): unknown }
      ? ResponseOfSchema<D>
      : D extends readonly (infer Item)[]
        ? readonly ResponseOf<Item>[]
        : D extends Readonly<Record<string, unknown>>
          ? { readonly [Field in keyof D]?: ResponseOf<D[Field]> }
          : WireOf<D>;

type ResponseOfSchema<D> = D extends { readonly wire?: infer Wire }
  ? Exclude<Wire, undefined>
  : D extends ValuesSchema<infer Inner, infer Attribute>
    ? Readonly<Record<string, ResponseOf<MemberIn<Inner, Attribute>>>>
    : [Inside<D>] extends [never]
      ? unknown
      : ResponseOf<Inside<D>>;

/** What may stand for a nested value: an entity's pk, or some of its fields. */
type Written<D> = D extends AnyEntity
  ? Fields<InstanceType<D>, DefinitionsOf<D>> | string | number
  : D extends { denormalize(...args: never): unknown }
    ? D extends ValuesSchema<infer Inner, infer Attribute>
      ? Readonly<Record<string, Written<MemberIn<Inner, Attribute>>>>
      : [Inside<D>] extends [never]
        ? WireOf<D>
        : Written<Inside<D>>
    : D extends readonly (infer Item)[]
      ? readonly Written<Item>[]
      : D extends (wire: never) => unknown
        ? WireOf<D>
        : D extends Readonly<Record<string, unknown>>
          ? { readonly [Field in keyof D]?: Written<D[Field]> }
          : WireOf<D>;
