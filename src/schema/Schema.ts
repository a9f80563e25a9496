/**
 * The contract of every schema: how an answer becomes rows and references, and how these become values again.
 * The engine behind {@link Normalizer} and {@link Reader} lives in `tables`; a schema knows neither it nor Redux.
 */

/**
 * What a table keeps of one entity: the plain fields of the response, nested entities as references.
 *
 * @example
 * class Note extends Entity {
 *   id = 0;
 *   static process(input: Row) {
 *     return input['deletedAt'] === undefined ? input : undefined;
 *   }
 * }
 */
export type Row = Readonly<Record<string, unknown>>;

/** What stands for a nested value in a row or a result: a pk, or in a union also what it belongs to. */
export type Ref = string | UnionRef;

/** A reference to a member of a union. */
export interface UnionRef {
  /** The pk of the row. */
  readonly pk: string;
  /** The key of the mapping that was chosen. */
  readonly schema: string;
  /** The table that holds the row. */
  readonly table: string;
}

/** Whether a reference is to a member of a union. */
export function isUnionRef(ref: unknown): ref is UnionRef {
  return (
    isRecord(ref) && typeof ref['pk'] === 'string' && typeof ref['table'] === 'string' && Object.keys(ref).length === 3
  );
}

/** Whether a member of a list is this row; in a list of one schema, references are pks. */
export function refersTo(ref: unknown, table: string, pk: string): boolean {
  return ref === pk || (isUnionRef(ref) && ref.pk === pk && ref.table === table);
}

/** What a table keeps of one list: references by position, or by name in a list of `Values`. */
export type List = readonly (Ref | null | undefined)[] | Readonly<Record<string, Ref>>;

/** How a list is changed by an operation; `merge` where the user's own rule has made it of what was there and what came. */
export type ListOperation = 'set' | 'merge' | 'append' | 'push' | 'unshift' | 'assign' | 'remove';

/** Whatever can describe data: a schema, an entity class, `[S]` for a list, `{ … }` for a shape, a deserializer, a default value. */
export type Definition = unknown;

/** Finds the schema that a definition stands for; undefined for deserializers, default values and nothing. */
export type Resolve = (definition: Definition) => Schema | undefined;

/** Describes data: how it is taken apart for the tables, and put together for a reader. */
export interface Schema<Value = unknown> {
  /** Takes an input apart; what comes back stands in its place, and is serializable. */
  normalize(input: unknown, parent: unknown, key: string, into: Normalizer): unknown;
  /**
   * Puts together what `normalize` left; undefined when it is not (or no longer) there. A part, which is a member of a
   * list or a field of an entity, is not there either when something in it is gone.
   */
  denormalize(ref: unknown, from: Reader, isPart?: boolean): Value | undefined;
  /** What stands for the answer to these arguments, when the tables hold it though nobody asked the server. */
  query?(args: readonly unknown[], from: Finder): unknown;
  /** The definitions inside. */
  children?(): readonly Definition[];
  /** The same schema with other definitions inside. */
  map?(replace: (definition: Definition) => Definition): Schema;
  /** All values of this schema that the tables hold. */
  rows?(from: Reader): readonly unknown[];
  /** What stands for a row in the place of a value; undefined where the row is none. */
  refOf?(table: string, pk: string, row: Row, resolve: Resolve): Ref | undefined;
  /** The rows that a pk, or fields that a pk is made of, may be about. */
  candidates?(told: unknown, into: Normalizer): readonly Candidate[];
  /** The schema, of several, that a reference or a value chooses; undefined where it chooses none. */
  chosen?(by: unknown, resolve: Resolve): Schema | undefined;
  /** Which of these an input is about. */
  choose?(candidates: readonly Candidate[], input: unknown, parent: unknown, key: string): readonly Candidate[];
  /** Whether the definitions inside may not be there yet, and are looked at on use alone. */
  readonly isLazy?: boolean;
  /** Whether its values show rows that answers do not name. */
  readonly showsAll?: boolean;
  /** Whether no row or list stands in its place: its values are computed, or there are none. */
  readonly holdsNothing?: boolean;
  /** The table of the lists whose items its values count. */
  readonly lists?: string;
  /** Whether answers add items to lists. */
  readonly addsItems?: boolean;
}

/** A row that may be meant. */
export interface Candidate {
  /** Its table. */
  readonly table: string;
  /** Its pk. */
  readonly pk: string;
  /** What is kept of it; undefined where it is not there. */
  readonly row: unknown;
  /** The key of the member of a union that it would be. */
  readonly chosen?: string;
}

/** A schema whose values are made from one row of a table. */
export interface RowSchema<Value = unknown> extends Schema<Value> {
  /** The table of the rows. */
  readonly table: string;
  /** The same for schemas whose values can stand for one another. */
  readonly kind: object;
  /** Whether a class computes the pks of its rows itself. */
  readonly hasOwnPk?: boolean;
  /** The value, still empty; a cycle is closed with it. */
  begin(row: unknown): object;
  /** Fills the value; false when something it cannot be without is gone. */
  fill(value: object, row: unknown, from: Reader): boolean;
  /** Whether two values that were made of the same row say the same, so that one can stand for the other. */
  isSame(one: unknown, other: unknown): boolean;
  /** Gives a value what an earlier one has that says the same: of its row, too. */
  share?(value: object, row: unknown, last: object, lastRow: unknown): void;
}

/** The entity inside which something stands. */
export interface Owner {
  /** Its class. */
  readonly entity: NestingSchema;
  /** Its pk. */
  readonly pk: string;
  /** What it is made of, as it came. */
  readonly input: Row;
  /** It does not lie inside another. */
  readonly isOutermost: boolean;
}

/** What tells the pk of an input. */
export interface Identified {
  readonly table: string;
  pk(input: Row): string | undefined;
}

/** An item that was created. */
export interface Created {
  /** The table of the lists that it was created for. */
  readonly list: string;
  readonly ref: Ref;
  /** The item as it came, or as it is expected. */
  readonly item: unknown;
  /** The parameters and the body that it was created with. */
  readonly call: readonly unknown[];
  /** The numbers that count it, by what these are kept under. */
  readonly totals: readonly string[];
}

/** What a schema may do while an answer is taken apart. */
export interface Normalizer {
  /** Finds the schema that a definition stands for. */
  readonly resolve: Resolve;
  /** The arguments of the request. */
  readonly args: readonly unknown[];
  /** What of its parameters may tell which row it is about. */
  readonly params: unknown;
  /** Whether the visited input is the whole answer. */
  readonly atTop: boolean;
  /** Whether the input is what an answer is expected to be. */
  readonly isGuess: boolean;
  /** Whether the visited input is what a write is about: what it is answered with or expects, and no part of that. */
  readonly isWritten: boolean;
  /** The row that it is about, where that is known. */
  readonly meant: Pick<Candidate, 'table' | 'pk'> | undefined;
  /** Whether the visited input is an edit, which has some fields of something that is there, and no answer. */
  readonly isEdit: boolean;
  /** The names of the fields that lead from there to what is visited. */
  readonly path: readonly string[];
  /** The entity that is being taken apart, if any. */
  readonly owner: Owner | undefined;
  /** The pk that a row is kept under: the one that is told, unless it was renamed. */
  pkOf(table: string, told: string): string;
  /** The pk of the entity that is visited: that of the row a write is about, in place of what is told of it, or the one that is told. */
  target(entity: Identified, input: Row, told: string | undefined): string | undefined;
  /** A pk for the next item that a create expects, of which the body tells none. */
  takeTemporaryPk(): string | undefined;
  /** Takes an inner input apart. */
  visit(schema: Schema, input: unknown, parent: unknown, key: string): unknown;
  /**
   * Keeps one entity, whose nested fields are visited in time; `came` is what tells that it was met before. Gives its pk,
   * as the string that its table has where it is there, for strings that are one object are compared at once.
   */
  enter(entity: NestingSchema, pk: string, input: Row, came?: unknown): string;
  /** Takes a row away. */
  remove(table: string, pk: string): void;
  /** Changes one list; `moves` where an item that was edited does so. */
  change(table: string, pk: string, operation: ListOperation, list: List, moves?: boolean): void;
  /** A list has become another one, of which this answer does not tell: its requests are stale. */
  outdate(table: string, pk: string): void;
  /** The pks of all lists of a table. */
  lists(table: string): readonly string[];
  /** What is kept under a pk: a row, or the references of a list. */
  kept(table: string, pk: string): unknown;
  /** A row as it was shown when the request was made, if it was there and that is known. */
  shownBefore(table: string, pk: string): unknown;
  /** The values that a field has in the rows of a table, by what they are as arguments. */
  values(table: string, field: string): ReadonlyMap<string | undefined, unknown>;
  /** An item with its relations in their place, where it has their pks. */
  inPlace(member: Definition, item: unknown): unknown;
  /** Keeps how many items belong to a list. */
  count(table: string, pk: string, count: number): void;
  /** Tells of an item that was created. */
  created(created: Created): void;
  /** Rejects an answer that does not fit. */
  misfit(expected: string, came: unknown): never;
  /** Rejects an entity without a pk, but for what a write expects or is answered with: that is about a row nobody knows. */
  pkMissing(entity: string, came: unknown): void;
}

/** An entity's schema, as far as it is taken apart. */
export interface NestingSchema extends RowSchema {
  /** The fields that hold other schemas. */
  readonly nested: readonly (readonly [field: string, schema: Schema])[];
  /** Whether an entity can be found inside itself. */
  readonly recursive: boolean;
  /** Whether the class says that its entities have this field. */
  declares(field: string): boolean;
  /** Whether the class makes something else of what comes. */
  readonly processes: boolean;
  /** The rules of the class for two versions of one row; undefined where it has none of its own. */
  readonly merge: ((existing: Row, incoming: Row) => Row) | undefined;
  /** Whether an answer goes over or behind the row that is there, or is not taken; undefined where the class does not care. */
  readonly order:
    | ((existingMeta: AnswerMeta, incomingMeta: AnswerMeta, existing: Row, incoming: Row) => 'over' | 'behind' | 'keep')
    | undefined;
  /** The field by which the server counts the changes of a row: it says in place of `order` which of two answers is newer. */
  readonly version: string | undefined;
}

/**
 * When and in which order an answer came about; handed to `shouldUpdate` and `shouldReorder`.
 *
 * @example
 * const isNewer = (existing: AnswerMeta, incoming: AnswerMeta) => incoming.startedTimeStamp > existing.startedTimeStamp;
 */
export interface AnswerMeta {
  /** Whether it answers a read or a write. */
  readonly kind: 'read' | 'write';
  /** Position of its start among all requests of the store. */
  readonly seq: number;
  /** Position at which it settled. */
  readonly settledSeq?: number;
  /** ms since the epoch. */
  readonly startedTimeStamp: number;
}

/** What a schema may read while values are put together; all that is read is remembered as what the value is made of. */
export interface Reader {
  /** Finds the schema that a definition stands for. */
  readonly resolve: Resolve;
  /** Whether it only follows references, and no code of the user's is to run. */
  readonly isTracing?: boolean;
  /** The value of one row. */
  row(schema: RowSchema, pk: string): unknown;
  /** The values of all rows. */
  rows(schema: RowSchema): readonly unknown[];
  /** What is made of a value and arguments; made anew only when they are others than the last time. */
  computed(by: Schema, value: unknown, args: readonly unknown[], compute: () => unknown): unknown;
}

/** What a schema may look up to answer arguments from the tables. */
export interface Finder {
  /** Finds the schema that a definition stands for. */
  readonly resolve: Resolve;
  /** Whether a row or a list is there. */
  has(table: string, pk: string): boolean;
  /** A row, if it is there. */
  row(table: string, pk: string): Row | undefined;
  /** The pk that a row is kept under: this one, unless it was renamed. */
  pkOf(table: string, pk: string): string;
  /** The pk of the one row that is meant; undefined where none is, or several are. */
  find(table: string, isMeant: (row: Row) => boolean): string | undefined;
}

/** Nothing of whatever it is a list of. */
export const none: readonly never[] = Object.freeze([]);

/** Whether nothing was given, or said. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Whether this is a text, a number, or true or false. */
export function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Whether this is an object that is no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether this is an object as JSON has it. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** A member of an object's own, never of its prototype: a hostile name finds nothing. */
export function own<Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Sets a field as data, even one called `__proto__`. */
export function setOwn(target: object, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else (target as Record<string, unknown>)[key] = value;
}

/** What a definition stands for, also where that is asked for on use. */
export function resolved(definition: Definition): Definition {
  const isLazy = typeof definition === 'object' && definition !== null && 'isLazy' in definition;
  return isLazy ? resolved((definition as unknown as Required<Schema>).children()[0]) : definition;
}

/** Several records in one, of which later ones win. Field by field: Node 20 takes a microsecond for each field that a spread adds to a copy. */
export function merged(...records: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const record of records) for (const name of Object.keys(record)) setOwn(all, name, record[name]);
  return all;
}

/** What a map has under a key; it is made where there is nothing yet. */
export function getOrMake<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/** Those fields of a row that count; made of these alone, because to take the others away would make a dictionary of it. */
export function pick(
  row: Readonly<Record<string, unknown>>,
  counts: (field: string) => boolean,
): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const field of Object.keys(row)) if (counts(field)) setOwn(picked, field, row[field]);
  return picked;
}
