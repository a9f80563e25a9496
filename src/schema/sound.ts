import type { ValueOf } from './infer.js';

/** A class whose instances have an identity. */
export type AnyEntity = abstract new (...args: never) => { pk(...args: never): unknown };

/** Refuses a list of several definitions, of which nobody could say which member is described by which: a Union says so. */
export type OneMember<D> =
  | Single
  | (D extends readonly (infer Item)[]
      ? [Item] extends [One<Item>]
        ? unknown
        : readonly [oneDefinition: never]
      : D extends Readonly<Record<string, unknown>>
        ? { readonly [Field in keyof D]: OneMember<D[Field]> }
        : unknown);

/** What is one definition for certain, also where a function knows of it only that it is an entity. */
type Single = readonly [unknown] | AnyEntity;

/** A definition of one item; of a class, one whose instances have a pk. */
export type SoundItem<D> = D & (AnyEntity | (D extends abstract new (...args: never) => unknown ? never : unknown));

/** The members of a union that are all there is; never of several. */
type One<Item, Each = Item> = Item extends unknown ? ([Each] extends [Item] ? Item : never) : never;

/** The attributes that tell the members of a mapping apart: any, where nothing is known of their values. */
export type AttributeOf<M> = NamesOf<ValueOf<M[keyof M]>>;
type NamesOf<Value> = [Value] extends [never]
  ? string
  : unknown extends Value
    ? string
    : Value extends unknown
      ? keyof Value & string
      : never;
