import { reasonOf, warnOnce } from '../errors.js';
import { CollectionOperation, type ListFilter, type Merge } from './CollectionOperation.js';
import { isNamed, type Belongs, type CollectionOptions, type WireItem } from './CollectionOptions.js';
import { isDenied } from './denials.js';
import { isEntityClass } from './Entity.js';
import { EntitySchema, toldPk } from './EntitySchema.js';
import type { ValueOf } from './infer.js';
import {
  argumentKind,
  fits,
  keyNames,
  keyValue,
  listKey,
  listPk,
  listTable,
  type ArgumentKind,
  type ListKey,
  isEmptyArgument,
  namesIn,
} from './listKey.js';
import {
  getOrMake,
  isPlain,
  pick,
  merged,
  type Definition,
  type Finder,
  type Normalizer,
  type Reader,
  type Ref,
  type RowSchema,
} from './Schema.js';
import { isShallowSame } from './sameShape.js';
import { isObject, type Known, type LISTED, type ListsSchema, type MembersSchema } from './ListsSchema.js';
import { declares, innerOf, tableNames } from './member.js';
import { schemaOf } from './schemaOf.js';
import type { OneMember } from './sound.js';
import { inPath, isSoughtBy, itemOf, toldOf, type Call } from './told.js';
import { totalIn, totalTable, TotalSchema, type TotalRow } from './Total.js';
import type { ValuesSchema } from './Values.js';

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
  /** What the keys of its lists inside entities name, for each kind of key. */
  readonly nestNames = new Set<string>();

  /** Whether an endpoint reads its lists page by page. */
  hasPages = false;

  #total: TotalSchema | undefined;
  /** What names of arguments say: it is asked of each of thousands of lists. */
  readonly #kinds = new Map<string, ArgumentKind>();

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
    const key = merged(...args.filter(isPlain));
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
    return this.pageFields.has(key) || (rule ? isNamed(rule, key) : this.#defaultKind(key) === 'other');
  }

  /** What an argument with this value says of a list; what a path names is a filter always, and nothing is none. */
  argumentKind(key: string, value: unknown): ArgumentKind {
    if (isEmptyArgument(value) || this.pageFields.has(key)) return 'other';
    if (this.pathNames.has(key)) return 'filter';
    const { windowArgumentKeys: windows } = this.options;
    if (windows && isNamed(windows, key)) return 'window';
    if (this.nonFilterArgumentKeys(key)) return 'other';
    const names = namesIn(key, value);
    const kinds = names.map((name) => this.#defaultKind(name));
    if (kinds.includes('window')) return 'window';
    return !names.includes(key) && kinds.every((kind) => kind === 'other') ? 'other' : 'filter';
  }

  /** What the name of an argument says of a list, where neither the Collection nor its endpoints say otherwise. */
  #defaultKind(key: string): ArgumentKind {
    return getOrMake(this.#kinds, key, () => argumentKind(key, (field) => declares(this.inner.member, field)));
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
      const told = toldOf(this, name, item, call);
      const isFit = fits(told, value);
      const isSaid = inPath(this, name, call) !== undefined;
      // What the item itself has under the name is its value, and nothing that is sought.
      const isOpen =
        !isFit &&
        !isSaid &&
        ((keyValue(item, name) === undefined && isSoughtBy(this, name)) || isDenied(this, pk, name, value, known));
      if (told === undefined || isOpen) verdict = undefined;
      else if (!isFit) return false;
    }
    if (!belongs) return verdict;
    const own = askBelongs(belongs, this.table, { item: known.inPlace(this.inner.member, itemOf(item, call)), key });
    // Of a parameter of the path that nothing tells, the rule knows nothing either.
    return own && verdict;
  }

  /** Whether an argument of a list says where in it the list lies. */
  isWindow(pk: string): boolean {
    return Object.entries(listKey(pk)).some(([name, value]) => this.argumentKind(name, value) === 'window');
  }

  /** Whether a list is a part of one: by its arguments, or because it lacks items that its total counts, as a first page that is asked for without a number does. What is read page by page grows, and a list inside an item is a preview. */
  isPart(pk: string, known: Pick<Known, 'kept'>): boolean {
    if (this.isWindow(pk)) return true;
    const isWhole = this.hasPages || this.nestNames.has(keyNames(pk));
    const total = isWhole ? undefined : (known.kept(totalTable(this.table), this.totalOf(pk)) as TotalRow | undefined);
    const list = total && known.kept(this.table, pk);
    return total !== undefined && isObject(list) && Object.keys(list).length < totalIn(total);
  }

  /** Whether a parameter of the path is called as the pk of the items is, so that it means another row: `/posts/:id/comments`. */
  isPkInPath(name: string, value: string): boolean {
    if (!this.pathNames.has(name)) return false;
    const schema = schemaOf(this.inner.member);
    const members = schema?.chosen ? (schema.children?.() ?? []).map(schemaOf) : [schema];
    return members.some((one) => !(one instanceof EntitySchema) || toldPk(one, { [name]: value }) === value);
  }

  /** Whether an argument of a list filters by something else than the text of the field of that name, as the rows of the list tell, or an edited one: `?done=false` of `done: 0`. */
  isForeign(pk: string, name: string, edited: unknown, known: Known): boolean {
    const value = listKey(pk)[name];
    if (this.options.belongs || this.argumentKind(name, value) !== 'filter' || value === undefined) return false;
    return isDenied(this, pk, name, value, known, edited);
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

  /** The pk of the list that stands, or whose total stands, where an answer is taken apart: of its parent where it has one, else of the arguments. */
  pk(key: string, into: Normalizer): string {
    const { owner } = into;
    if (!owner) return this.pkOfArgs(into.args);
    const path = [...into.path.slice(0, -1), key].join('.');
    const pk = listPk(this.nestKey(owner.input, key) ?? { [`${owner.entity.table}.${path}`]: owner.pk });
    this.nestNames.add(keyNames(pk));
    return pk;
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
