import type { ArgumentKind } from './listKey.js';
import { isPlain, type Definition, type Normalizer, type Reader, type RowSchema, type Schema } from './Schema.js';

/** What a list is made of: members of one kind. */
export interface MembersSchema extends Schema {
  /** What describes the members. */
  readonly member: Definition;
  /** Whether they have names, and no positions. */
  readonly isByName: boolean;
  /** Reads the members into what is there already; what is gone leaves nothing behind. */
  fill(values: object, refs: object, from: Reader): void;
}

/** What is looked at to judge who belongs to a list. */
export interface Known {
  /** A row or a list, if it is there. */
  kept(table: string, pk: string): unknown;
  /** The values that a field has in the rows of a table, by what they are as arguments. */
  values(table: string, field: string): ReadonlyMap<string | undefined, unknown>;
  /** An item with its relations in their place, where it has their pks. */
  inPlace(member: Definition, item: unknown): unknown;
}

/** A schema whose rows are lists, each known by arguments. */
export interface ListsSchema extends RowSchema {
  /** What the lists are made of. */
  readonly inner: MembersSchema;
  readonly options: { readonly follows?: boolean | undefined; readonly nestKey?: unknown } & Readonly<
    Partial<Record<'belongs' | 'nonFilterArgumentKeys' | 'windowArgumentKeys', unknown>>
  >;
  /** What the paths of the endpoints that read its lists name. */
  readonly pathNames: ReadonlySet<string>;
  /** Whether a parameter of the path is called as the pk of the items is, so that it means another row. */
  isPkInPath(name: string, value: string): boolean;
  /** What the keys of its lists inside entities name, for each kind of key. */
  readonly nestNames: ReadonlySet<string>;
  /** The pk of the list that is being taken apart. */
  pk(key: string, into: Normalizer): string;
  /** The pk of the list that a request with these arguments is about. */
  pkOfArgs(args: readonly unknown[]): string;
  /** What a list inside an entity is known by. */
  nestKey(parent: unknown, key: string): object | undefined;
  /** What an argument with this value says of a list. */
  argumentKind(key: string, value: unknown): ArgumentKind;
  /** Whether an item belongs to a list, by what the item and the call that brings it say; undefined where nothing tells. */
  judge(item: unknown, pk: string, known: Known, call?: readonly unknown[]): boolean | undefined;
  /** Whether an argument of a list filters by something else than the text of the field of that name, by what its rows and an edited one tell. */
  isForeign(pk: string, name: string, edited: unknown, known: Known): boolean;
  /** Whether an argument of a list says where in it the list lies. */
  isWindow(pk: string): boolean;
  /** Whether a list is a part of one: a window, or a list that lacks items which its total counts, and does not grow by pages. */
  isPart(pk: string, known: Pick<Known, 'kept'>): boolean;
  /** What the number of the items that belong to a list is kept under. */
  totalOf(pk: string): string;
}

/** What a Collection is made of, as a type; nothing is there. */
export declare const LISTED: unique symbol;

/** A Collection, as far as types ask what it is made of. */
export interface ListsOf<D> {
  readonly pageFields: Set<string>;
  readonly [LISTED]?: D;
}

/** Whether a definition is that of lists with members of one kind, or of sets of values. */
export function isMembers(definition: Definition): definition is MembersSchema {
  return isObject(definition) && 'isByName' in definition;
}

/** Whether a definition is that of lists which are rows. */
export function isLists(definition: Definition): definition is ListsSchema {
  return isObject(definition) && 'pkOfArgs' in definition;
}

/** The lists in a definition, wherever they sit outside of entities; what `push` and the others change. */
export function findLists(definition: Definition): ListsSchema | undefined {
  for (const one of walk(definition)) if (isLists(one)) return one;
  return undefined;
}

/** A definition and all inside of it, each once. An entity's are its own: what a class stands for is asked when it is used. */
export function* walk(
  definition: Definition,
  isEntered: (definition: Definition) => boolean = () => true,
  seen = new Set<Definition>(),
): Generator<Definition, void> {
  if (seen.has(definition)) return;
  seen.add(definition);
  yield definition;
  if (isEntered(definition)) for (const inner of definitionsIn(definition)) yield* walk(inner, isEntered, seen);
}

/** The definitions inside of one. */
export function definitionsIn(definition: Definition): readonly Definition[] {
  if (isPlain(definition)) return Object.values(definition);
  return isObject(definition) && 'children' in definition ? (definition as Required<Schema>).children() : [];
}

/** Whether a definition is an object, and no class, function or value. */
export function isObject(definition: Definition): definition is object {
  return typeof definition === 'object' && definition !== null;
}
