import { reasonOf, warnOnce } from '../errors.js';
import type { ArraySchema } from './Array.js';
import { ArrayOf } from './ArrayOf.js';
import { CollectionOperation, type ListFilter, type Merge } from './CollectionOperation.js';
import { isEntityClass } from './Entity.js';
import { EntitySchema } from './EntitySchema.js';
import type { ValueOf } from './infer.js';
import {
  argumentKind,
  fits,
  keyValue,
  listKey,
  listPk,
  listTable,
  plainBody,
  valuesOf,
  type ArgumentKind,
  type ListKey,
} from './listKey.js';
import {
  isPlain,
  isRecord,
  isShallowSame,
  pick,
  type Definition,
  type Finder,
  type Normalizer,
  type Reader,
  type Ref,
  type RowSchema,
  type Schema,
} from './Schema.js';
import {
  definitionsIn,
  findLists,
  isMembers,
  isObject,
  type Known,
  type LISTED,
  type ListsSchema,
  type MembersSchema,
} from './ListsSchema.js';
import { mapFields } from './Object.js';
import { schemaOf } from './schemaOf.js';
import type { OneMember } from './sound.js';
import { TotalSchema } from './Total.js';
import type { WireOf } from './wire.js';
import type { ValuesSchema } from './Values.js';

/**
 * What says how the lists of a Collection are told apart, and what belongs to them.
 *
 * @example
 * const options: CollectionOptions = { nonFilterArgumentKeys: ['view'], follows: false };
 */
export interface CollectionOptions<Item = never> {
  /**
   * The name of the table of the lists. Collections with one name share their lists.
   *
   * @default the key of the entity
   */
  readonly name?: string | undefined;
  /**
   * The argument of a page. It is not part of the key of a list.
   *
   * @default undefined, one page
   */
  readonly paginationField?: string | undefined;
  /**
   * Gives the key of a list from its arguments.
   *
   * @default the arguments
   */
  readonly argsKey?: ((...args: never) => object) | undefined;
  /** Gives the key of a list inside an entity: the arguments of the list that it is one with. */
  readonly nestKey?: ((parent: never, key: string) => object) | undefined;
  /**
   * The arguments that do not filter a list: an array, a RegExp or a function.
   *
   * @default `limit`, `sort` and the like
   */
  readonly nonFilterArgumentKeys?: ArgumentNames | undefined;
  /**
   * More arguments that make a list a window, beside `offset`, `cursor` and the like. A created item joins no window.
   *
   * @default []
   */
  readonly windowArgumentKeys?: ArgumentNames | undefined;
  /**
   * Tells whether an item belongs to the list with these parameters; undefined if only the server knows, and then the list is fetched again. The item has
   * wire form, with nested entities in place. Parameters are strings, as in an address.
   *
   * @default the fields of the item decide
   */
  readonly belongs?: Belongs<Item> | undefined;
  /**
   * Whether an edited item leaves the lists that it no longer matches, and joins the lists that it now matches.
   *
   * @default true
   */
  readonly follows?: boolean | undefined;
}

/**
 * Whether an item stands in the list with these parameters; undefined where only the server knows.
 *
 * @example
 * const belongs: Belongs<Partial<WireOf<typeof Todo>>> = (todo, { tag }) => !tag || todo.title?.includes(tag);
 */
export type Belongs<Item> = {
  judge(item: Item, params: Readonly<Partial<Record<string, string>>>): boolean | undefined;
}['judge'];

/** An item of a list as it comes, as far as it is known. */
type WireItem<D> = WireOf<ItemDefinition<D>> extends infer Item ? (Item extends object ? Partial<Item> : Item) : never;
type ItemDefinition<D> = D extends readonly [infer Item]
  ? Item
  : D extends ArraySchema<infer Item> | ValuesSchema<infer Item>
    ? Item
    : D;

/** Names of arguments: a list, a pattern, or what a function says yes to. */
type ArgumentNames = ((key: string) => boolean) | readonly string[] | RegExp;

/** The value of one item of a list. */
export type ItemOf<D> = ValueOf<D> extends readonly (infer Item)[] ? Item : ValueOf<D>[keyof ValueOf<D>];

/** What a list is kept as: references by position, or by name. */
type RefsOf<D> = D extends ValuesSchema<infer _D, infer _A> ? Readonly<Record<string, Ref>> : readonly Ref[];

/**
 * A list that can be added to later, known by the arguments it was fetched with.
 *
 * @example
 * const getArchive = new RestEndpoint({ path: '/archive', schema: new Collection([Todo], { name: 'Archive' }) });
 */
export class Collection<const D extends Definition = Definition> implements RowSchema<ValueOf<D>>, ListsSchema {
  declare readonly [LISTED]?: D;
  /** What the list is made of. */
  readonly inner: MembersSchema;
  /** What says how its lists are told apart. */
  readonly options: CollectionOptions;
  /** The arguments that ask for a page; endpoints that read the lists add theirs. */
  readonly pageFields: Set<string>;
  /** What the paths of these endpoints name: at another address is another list. */
  readonly pathNames = new Set<string>();

  #total: TotalSchema | undefined;
  /** What names of arguments say: it is asked of each of thousands of lists. No `#` field, so that an object whose prototype is a Collection is one, too. */
  private readonly kinds = new Map<string, ArgumentKind>();

  constructor(definition: D & OneMember<D>, options: CollectionOptions<WireItem<D>> = {}) {
    this.inner = innerOf(definition);
    this.options = options;
    this.pageFields = new Set(options.paginationField === undefined ? [] : [options.paginationField]);
  }

  /** The table that its lists are kept in. */
  get table(): string {
    return listTable(this.options.name, tableNames(this.inner.member));
  }

  /** Lists of one class are the same, whichever Collection reads them. */
  get kind(): object {
    const { member } = this.inner;
    return isEntityClass(member) ? member : this;
  }

  /** What a list is known by, of the arguments of the request that fetched it. */
  argsKey(...args: readonly unknown[]): object {
    const { argsKey } = this.options;
    // The declared parameters are those of the user's endpoint.
    if (argsKey) return (argsKey as (...args: readonly unknown[]) => object)(...args);
    let key: Record<string, unknown> = {};
    // A spread takes an argument called `__proto__` for what it is: a name.
    for (const part of args) if (isPlain(part)) key = { ...key, ...part };
    for (const field of this.pageFields) Reflect.deleteProperty(key, field);
    return key;
  }

  /** What a list inside an entity is known by. */
  nestKey(parent: unknown, key: string): object | undefined {
    // The declared parameter is the user's entity.
    return (this.options.nestKey as ((parent: unknown, key: string) => object) | undefined)?.(parent, key);
  }

  /** Whether an argument does not influence which items a list holds. */
  nonFilterArgumentKeys(key: string): boolean {
    const { nonFilterArgumentKeys: rule } = this.options;
    return this.pageFields.has(key) || (rule ? isNamed(rule, key) : this.defaultKind(key) === 'other');
  }

  /** What an argument with this value says of a list; what a path names is a filter always, and nothing is none. */
  argumentKind(key: string, value: unknown): ArgumentKind {
    if (value === '' || value === undefined || value === null || this.pageFields.has(key)) return 'other';
    if (this.pathNames.has(key)) return 'filter';
    const { windowArgumentKeys: windows } = this.options;
    if (windows && isNamed(windows, key)) return 'window';
    if (this.nonFilterArgumentKeys(key)) return 'other';
    return this.defaultKind(key) === 'window' ? 'window' : 'filter';
  }

  /** What the name of an argument says of a list, where neither the Collection nor its endpoints say otherwise. */
  private defaultKind(key: string): ArgumentKind {
    let kind = this.kinds.get(key);
    if (!kind) this.kinds.set(key, (kind = argumentKind(key, (field) => declares(this.inner.member, field))));
    return kind;
  }

  /** Whether an argument with this value tells which items, or which part of them, a list holds. */
  filters(key: string, value: unknown): boolean {
    return this.argumentKind(key, value) !== 'other';
  }

  /**
   * Whether an item belongs to a list, by what is known of it; undefined where only the server knows. Of what is created, the call
   * says what the item does not.
   */
  judge(item: unknown, pk: string, known: Known, call: Call = []): boolean | undefined {
    const key = listKey(pk);
    const { belongs } = this.options;
    let verdict: boolean | undefined = true;
    for (const [name, value] of Object.entries(key)) {
      if (this.argumentKind(name, value) !== 'filter' || (belongs && !this.pathNames.has(name))) continue;
      const told = this.#told(name, item, call);
      const isFit = fits(told, value);
      if (told === undefined || (!isFit && this.#isForeign(pk, name, value, known))) verdict = undefined;
      else if (!isFit) return false;
    }
    if (!belongs) return verdict;
    return askBelongs(belongs, this.table, { item: known.inPlace(this.inner.member, itemOf(item, call)), key });
  }

  /** Whether an argument of a list says where in it the list lies. */
  isWindow(pk: string): boolean {
    return Object.entries(listKey(pk)).some(([name, value]) => this.argumentKind(name, value) === 'window');
  }

  /** The value that an item has for an argument. A parameter of the path may be called as the pk is, and mean another. */
  #told(name: string, item: unknown, [params, body]: Call): string | undefined {
    const isInPath = this.pathNames.has(name);
    const inPath = isInPath ? keyValue(params, name) : undefined;
    const field = isRecord(item) && typeof item[name] !== 'object' ? keyValue(item, name) : undefined;
    const isPk = isInPath && field !== undefined && field === pkOf(this.inner.member, item);
    return inPath ?? (isPk ? undefined : field) ?? keyValue(params, name) ?? keyValue(plainBody(body), name);
  }

  /** Whether the rows that a list has say that an argument is not what their field of that name is: `?state=all`. */
  #isForeign(pk: string, name: string, value: string, known: Known): boolean {
    const { member } = this.inner;
    const table = isEntityClass(member) ? schemaOf(member)?.['table' as never] : undefined;
    const list = known.kept(this.table, pk);
    if (typeof table !== 'string' || !isObject(list)) return false;
    // Of two values, each is one of the field.
    if (value === 'true' || value === 'false') return false;
    let answers = foreign.get(list);
    if (!answers) foreign.set(list, (answers = new Map<string, boolean>()));
    let isForeign = answers.get(name);
    if (isForeign === undefined) {
      const rows = Object.values(list).map((ref) => known.kept(table, String(ref)));
      // Asked of each row of the table, and taken apart once.
      const values: ReadonlySet<string | undefined> = new Set(valuesOf(value));
      const isOneOf = (row: unknown): boolean => values.has(keyValue(row, name));
      const differs = (row: unknown): boolean => keyValue(row, name) !== undefined && !isOneOf(row);
      isForeign = rows.length > 0 ? rows.some(differs) : !known.some(table, isOneOf);
      if (rows.length > 0) answers.set(name, isForeign);
    }
    return isForeign;
  }

  /** How many items belong to a list, where the server tells it beside a part of the list. */
  get total(): TotalSchema {
    return (this.#total ??= new TotalSchema(this));
  }

  /** What the number of the items that belong to a list is kept under: what the list is filtered by. */
  totalOf(pk: string): string {
    const key = listKey(pk);
    return listPk(pick(key, (name) => this.argumentKind(name, key[name]) === 'filter'));
  }

  /** Adds an item at the end of every list it belongs to. */
  get push(): CollectionOperation<ItemOf<D>> {
    return new CollectionOperation(this, 'push');
  }

  /** Adds an item at the start of every list it belongs to. */
  get unshift(): CollectionOperation<ItemOf<D>> {
    return new CollectionOperation(this, 'unshift');
  }

  /** Adds values by name to every set they belong to. */
  get assign(): CollectionOperation<ValueOf<D>> {
    return new CollectionOperation(this, 'assign');
  }

  /** Takes an item out of the lists of these arguments. */
  get remove(): CollectionOperation<ItemOf<D>> {
    return new CollectionOperation(this, 'remove');
  }

  /** Takes an item out of the lists it no longer belongs to, and puts it into those it now does. */
  get move(): CollectionOperation<ItemOf<D>> {
    return new CollectionOperation(this, 'move');
  }

  /** Like `move`, with a merge of its own for the lists that the item comes to. */
  moveWith(merge: Merge<RefsOf<D>>): CollectionOperation<ItemOf<D>> {
    return new CollectionOperation(this, 'move', { merge: merge as unknown as Merge });
  }

  /**
   * Adds items to the list of these arguments, as a page does; or, with a filter, to every list whose key it lets
   * through. A merge of its own makes one list of what is there and what came; one item that is created joins by it every
   * list it belongs to.
   */
  addWith(merge?: Merge<RefsOf<D>>, filter?: ListFilter): CollectionOperation<ValueOf<D>> {
    return new CollectionOperation(this, 'append', { merge: merge as Merge | undefined, filter });
  }

  children(): readonly Definition[] {
    return [this.inner];
  }

  /** The pk of the list that is being taken apart: of its parent where it has one, else of the arguments. */
  pk(key: string, into: Normalizer): string {
    const { owner } = into;
    if (!owner) return this.pkOfArgs(into.args);
    return listPk(this.nestKey(owner.input, key) ?? { [`${owner.table}.${into.path.join('.')}`]: owner.pk });
  }

  /** The pk of the list that a request with these arguments is about. */
  pkOfArgs(args: readonly unknown[]): string {
    return listPk(this.argsKey(...args));
  }

  normalize(input: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    if (input === null || input === undefined) return input;
    // A row in wire form has the pk of the list in its place.
    if (typeof input === 'string' && into.owner && into.kept(this.table, input)) return input;
    const pk = this.pk(key, into);
    const refs = this.inner.normalize(input, parent, key, into);
    // A list's schema gives references by position or by name.
    into.change(this.table, pk, 'set', refs as readonly string[]);
    return pk;
  }

  query(args: readonly unknown[], from: Finder): string | undefined {
    const pk = this.pkOfArgs(args);
    return from.has(this.table, pk) ? pk : undefined;
  }

  denormalize(pk: unknown, from: Reader): ValueOf<D> | undefined {
    // The row is the value of the definition.
    return (typeof pk === 'string' ? from.row(this, pk) : pk) as ValueOf<D> | undefined;
  }

  begin(row: unknown): object {
    return Array.isArray(row) ? [] : {};
  }

  isSame(one: unknown, other: unknown): boolean {
    return isShallowSame(one, other);
  }

  fill(value: object, row: unknown, from: Reader): boolean {
    this.inner.fill(value, row as object, from);
    return true;
  }
}

function innerOf(definition: Definition): MembersSchema {
  if (isMembers(definition)) return definition;
  return new ArrayOf(Array.isArray(definition) ? (definition[0] as Definition) : definition);
}

/** The parameters and the body of what creates an item. */
type Call = readonly unknown[];

/** Of lists: whether the rows of each, as the server has put them there, deny that an argument is a field of theirs. */
const foreign = new WeakMap<object, Map<string, boolean>>();

/** An item with what the call says of it where it is silent. */
function itemOf(item: unknown, [params, body]: Call): unknown {
  if (params === undefined && body === undefined) return item;
  return { ...(isRecord(params) && params), ...plainBody(body), ...(isRecord(item) && item) };
}

function askBelongs(
  belongs: Belongs<unknown>,
  table: string,
  { item, key }: { readonly item: unknown; readonly key: ListKey },
): boolean | undefined {
  try {
    return belongs(item, key);
  } catch (error) {
    warnOnce(() => [
      `belongs ${table}`,
      `belongs of ${table} failed, so only the server knows what belongs to its lists: ${reasonOf(error)}`,
    ]);
    return undefined;
  }
}

function pkOf(member: Definition, item: unknown): string | undefined {
  const schema = schemaOf(member);
  try {
    return schema instanceof EntitySchema && isRecord(item) ? schema.pk(item) : undefined;
  } catch {
    // A pk of the user's own may need more.
    return undefined;
  }
}

function isNamed(names: ArgumentNames, key: string): boolean {
  if (typeof names === 'function') return names(key);
  // `search` begins at the start, also with a pattern that remembers where it was.
  return names instanceof RegExp ? key.search(names) >= 0 : names.includes(key);
}

/** Whether an entity that a member refers to has a field. */
function declares(member: Definition, field: string, seen = new Set<Definition>()): boolean {
  if (seen.has(member)) return false;
  seen.add(member);
  const schema = schemaOf(member);
  if (schema instanceof EntitySchema) return schema.declares(field);
  return definitionsIn(member).some((inner) => declares(inner, field, seen));
}

/** The tables that a member refers to; for a shape, what tells it from others. */
function tableNames(member: Definition, seen = new Set<Definition>()): readonly string[] {
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
