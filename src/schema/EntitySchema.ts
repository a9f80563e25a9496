import { orElse, warnOnce } from '../errors.js';
import { readField } from './deserialize.js';
import { Entity, type EntityClass } from './Entity.js';
import { computedNames, fieldsOf, orderOf, tableName, type Fields } from './entityClass.js';
import {
  isAbsent,
  isPlain,
  isRecord,
  none,
  own,
  pick,
  setOwn,
  type Candidate,
  type Finder,
  type NestingSchema,
  type Normalizer,
  type Reader,
  type Resolve,
  type Row,
  type Schema,
} from './Schema.js';
import { keyValue } from './listKey.js';
import { sameValue } from './sameShape.js';
import { isTemporary } from './temporary.js';

/** How the entities of one class are taken apart and put together. */
export class EntitySchema implements NestingSchema {
  readonly kind: object = this;
  readonly table: string;
  readonly merge: ((existing: Row, incoming: Row) => Row) | undefined;
  readonly order: NestingSchema['order'];
  readonly version: string | undefined;
  readonly #Class: EntityClass;
  readonly #resolve: Resolve;
  /** Names that the class computes itself, which a response therefore cannot set. */
  readonly #computed: ReadonlySet<string>;
  readonly hasOwnPk: boolean;
  /** Whether the class has a rule of its own for what is one of its entities. */
  readonly #isStrict: boolean;
  #fields: Fields | undefined;
  #defaults: Row | undefined;

  constructor(Class: EntityClass, resolve: Resolve) {
    this.#Class = Class;
    this.#resolve = resolve;
    this.table = tableName(Class);
    this.merge = Class.merge === Entity.merge ? undefined : (existing, incoming) => Class.merge(existing, incoming);
    this.version = Class.version;
    this.order = this.version === undefined ? orderOf(Class) : undefined;
    this.#computed = computedNames(Class);
    this.hasOwnPk = Class.prototype.pk !== Entity.prototype.pk;
    this.#isStrict = Class.validate !== Entity.validate;
  }

  get nested(): readonly (readonly [string, Schema])[] {
    return this.#known.nested;
  }

  /** Sorted out on first use, for classes may be inside one another. */
  get #known(): Fields {
    return (this.#fields ??= fieldsOf(this.#Class, this.#resolve));
  }

  get processes(): boolean {
    return this.#Class.process !== Entity.process;
  }

  get recursive(): boolean {
    // Asked once for each class and response, and not remembered: a Union may be defined further, a Lazy stand for something else.
    return reaches(this, this, this.#resolve);
  }

  get indexes(): readonly string[] {
    return this.#Class.indexes ?? [];
  }

  children(): readonly Schema[] {
    return this.nested.map(([, schema]) => schema);
  }

  normalize(input: unknown, parent: unknown, key: string, into: Normalizer): unknown {
    if (input === null || input === undefined) return input;
    if (!isRecord(input)) {
      if (!into.atTop && isPk(input)) return into.pkOf(this.table, String(input));
      return into.misfit(`one ${this.table}`, input);
    }
    const Class = this.#Class;
    const made = this.processes ? Class.process({ ...input }, parent, key, into.args) : input;
    if (made === undefined) return this.#remove(input, parent, key, into);
    if (!isRecord(made)) return into.misfit(`what process of ${this.table} makes to be an object`, made);
    // What it says nothing of stays: `undefined` would take a field away.
    const hasGaps = this.processes && Object.values(made).includes(undefined);
    const processed = hasGaps ? pick(made, (field) => made[field] !== undefined) : made;
    // What is sent may have some fields of what the server answers; the row that they make is asked about when it is read.
    const isAsked = Class.validate !== Entity.validate && !into.isGuess;
    const kept = isAsked ? keptBy(into) : undefined;
    const problem = isAsked ? Class.validate(kept ? { ...kept, ...processed } : processed) : undefined;
    if (problem !== undefined) into.misfit(`a valid ${this.table} (${problem})`, input);

    const pk = into.target(this, processed, this.pk(processed, parent, key, into.args));
    if (pk !== undefined) return into.enter(this, pk, processed, input);
    const temporary = into.takeTemporaryPk();
    if (temporary !== undefined) {
      const [field, ...others] = this.hasOwnPk ? this.#lackedBy(processed) : ['id'];
      const isOne = field !== undefined && others.length === 0;
      return into.enter(this, temporary, isOne ? { ...processed, [field]: temporary } : processed);
    }
    into.pkMissing(this.table, input);
    return undefined;
  }

  /** Takes away what process says is no more, and leaves a reference to it where it stood. */
  #remove(input: Row, parent: unknown, key: string, into: Normalizer): string {
    // Where nothing tells its pk, this refers to nothing: no row has `undefined` for a pk.
    const pk = into.pkOf(this.table, String(this.pk(input, parent, key, into.args)));
    into.remove(this.table, pk);
    return pk;
  }

  /** The pk of an input, or undefined where it has none. */
  pk(input: Row, parent?: unknown, key?: string, args?: readonly unknown[]): string | undefined {
    const found = this.hasOwnPk ? this.#ownPk(input, [parent, key, args]) : input['id'];
    if (typeof found === 'string') return isPk(found) ? found : undefined;
    if (typeof found === 'number' && Math.abs(found) > Number.MAX_SAFE_INTEGER) warnOfUnsafe(this.table, found);
    return isPk(found) ? String(found) : undefined;
  }

  /** What the class itself says; nothing where it asks for a field that the input lacks, and then throws, or has that in its text. */
  #ownPk(input: Row, rest: Parameters<Entity['pk']>): unknown {
    let found: unknown;
    try {
      found = this.#Class.prototype.pk.apply(this.#withMethods(input), rest);
      if (typeof found !== 'string' || !/undefined|null|NaN/.test(found)) return found;
    } catch (error) {
      if (this.#lackedBy(input).length === 0) throw error;
      return undefined;
    }
    return this.#lackedBy(input).length === 0 ? found : undefined;
  }

  /** The fields that the pk of the class asks for, and an input lacks. */
  #lackedBy(input: Row): readonly string[] {
    const lacked = new Set<string>();
    const view = new Proxy(this.#withMethods(input), {
      get(target, name, self) {
        const value: unknown = Reflect.get(target, name, self);
        if (isAbsent(value)) lacked.add(String(name));
        return value;
      },
    });
    try {
      view.pk(undefined, undefined, undefined);
    } catch {
      // What it has asked for before is known.
    }
    return [...lacked];
  }

  candidates(told: unknown, into: Normalizer): readonly Candidate[] {
    const fieldsPk = isRecord(told) ? this.pk(told, undefined, undefined, into.args) : undefined;
    const toldPk = isPk(told) ? String(told) : fieldsPk;
    if (toldPk === undefined) return none;
    const pk = into.pkOf(this.table, toldPk);
    return [{ table: this.table, pk, row: into.kept(this.table, pk) }];
  }

  /** The input with the methods of the class, and without its defaults: a default id would be everybody's. */
  #withMethods(input: Row): Entity {
    const view = Object.create(this.#Class.prototype) as Entity;
    this.#assign(view, input);
    return view;
  }

  #assign(value: object, row: Row): void {
    const plain = this.#computed.size === 0 && !Object.hasOwn(row, '__proto__');
    if (plain) Object.assign(value, row);
    else for (const field of Object.keys(row)) if (!this.#computed.has(field)) setOwn(value, field, row[field]);
  }

  query(args: readonly unknown[], from: Finder): string | undefined {
    const [params = {}] = args;
    if (isPk(params)) return this.#queryPk(String(params), from);
    if (!isPlain(params)) return undefined;
    const pk = this.pk(params, undefined, undefined, args);
    if (pk !== undefined) return this.#queryPk(pk, from);
    const fields = this.indexes.filter((field) => keyValue(params, field) !== undefined);
    if (fields.length === 0) return undefined;
    const isAlike = (row: Row, name: string): boolean => keyValue(row, name) === keyValue(params, name);
    // A row may lack what tells where it is, but does not say otherwise.
    const isElsewhere = (row: Row, name: string): boolean => keyValue(row, name) !== undefined && !isAlike(row, name);
    return from.find(
      this.table,
      (row) =>
        fields.every((field) => isAlike(row, field)) &&
        !Object.keys(params).some((name) => isElsewhere(row, name)) &&
        !(this.#isStrict && this.#refuses(row)),
    );
  }

  #queryPk(told: string, from: Finder): string | undefined {
    const pk = from.pkOf(this.table, told);
    if (!this.#isStrict) return from.has(this.table, pk) ? pk : undefined;
    const row = from.row(this.table, pk);
    return row === undefined || this.#refuses(row) ? undefined : pk;
  }

  /** Whether a row is no entity of this class. One that lacks what the class wants to look at is none either. */
  #refuses(row: Row): boolean {
    return orElse(() => this.#Class.validate(row) !== undefined, true);
  }

  /** Whether a row has every field that its readers need: those with a default. What is computed is in no row. */
  isComplete(row: Row): boolean {
    const isNeeded = (value: unknown): boolean => value !== undefined && typeof value !== 'function';
    return Object.entries(this.defaults).every(([field, value]) => own(row, field) !== undefined || !isNeeded(value));
  }

  denormalize(ref: unknown, from: Reader): unknown {
    // A body names by a number what the tables keep by a text.
    return typeof ref === 'string' || typeof ref === 'number' ? from.row(this, String(ref)) : ref;
  }

  rows(from: Reader): readonly unknown[] {
    return from.rows(this);
  }

  begin(): object {
    // An abstract class is instantiable once compiled; its rows are those whose subclass nobody named.
    return new (this.#Class as unknown as new () => Entity)();
  }

  fill(value: object, row: unknown, from: Reader): boolean {
    const fields = row as Row;
    if (this.#isStrict && this.#refuses(fields)) return false;
    this.#assign(value, fields);
    const { deserializers, nested } = this.#known;
    for (const [field, deserialize] of deserializers) {
      const raw = own(fields, field);
      if (raw === undefined || raw === null || isTemporary(raw)) continue;
      setOwn(value, field, readField(deserialize, raw, this.table, field));
    }
    for (let i = 0; i < nested.length; i++) {
      // Read by position: to take a pair apart is to iterate over it.
      const pair = nested[i] as Fields['nested'][number];
      const field = pair[0];
      const ref = own(fields, field);
      if (ref === undefined || ref === null) continue;
      const inner = pair[1].denormalize(ref, from, true);
      if (inner === undefined && this.defaults[field]) return false;
      setOwn(value, field, inner);
    }
    return true;
  }

  share(value: object, row: unknown, last: object, lastRow: unknown): void {
    const keep = (field: string): void => {
      setOwn(value, field, own(last as Row, field));
    };
    const { deserializers, nested } = this.#known;
    for (const [field] of deserializers) if (Object.is(own(row as Row, field), own(lastRow as Row, field))) keep(field);
    for (const [field] of nested) if (sameValue((value as Row)[field], (last as Row)[field])) keep(field);
  }

  isSame(one: unknown, other: unknown): boolean {
    return this.nested.every(([field]) => sameValue((one as Row)[field], (other as Row)[field]));
  }

  declares(field: string): boolean {
    const isPk = !this.hasOwnPk && field === 'id';
    return isPk || Object.hasOwn(this.defaults, field) || Object.hasOwn(this.#Class.schema, field);
  }

  /** Whether an input may be one of its entities: something of it is known to the class, which says what it knows. */
  fits(input: Row): boolean {
    const isAnything = Object.keys(this.defaults).length === 0 || this.processes;
    return isAnything || this.pk(input) !== undefined || Object.keys(input).some((field) => this.declares(field));
  }

  /** What the class gives the fields that a row lacks. */
  get defaults(): Row {
    return (this.#defaults ??= this.begin() as Row);
  }
}

/** Whether a value can name an entity: a number, or a string that is no empty one and no failed conversion. */
export function isPk(value: unknown): value is string | number {
  if (typeof value === 'number') return !Number.isNaN(value);
  // Most are longer than any of these, and need not be compared.
  return typeof value === 'string' && (value.length > LONGEST || !failedConversions.has(value));
}

/** Of two such numbers, JSON may have made one. */
function warnOfUnsafe(table: string, id: number): void {
  warnOnce(() => [
    `id ${table}`,
    `the id ${String(id)} of ${table} is beyond 2 ** 53, where JSON.parse makes one number of several: rows that the server tells apart become one. Have the server send such ids as text, or parse them so in parseResponse.`,
  ]);
}

const failedConversions = new Set(['', 'undefined', 'null', 'NaN']);
const LONGEST = 'undefined'.length;

function reaches(start: Schema, goal: Schema, resolve: Resolve): boolean {
  const seen = new Set<Schema>();
  const queue = [start];
  for (const schema of queue) {
    for (const definition of schema.children?.() ?? []) {
      const child = resolve(definition);
      if (child === goal) return true;
      if (!child || seen.has(child)) continue;
      seen.add(child);
      queue.push(child);
    }
  }
  return false;
}

/** What is kept of the row that a write is about: its answer may tell a part. */
function keptBy(into: Normalizer): Row | undefined {
  const { meant } = into;
  const row = meant && into.kept(meant.table, meant.pk);
  return isRecord(row) ? row : undefined;
}

/** The pk that some fields of a row tell; undefined where they tell none, also if a pk of the class's own needs more than they have. */
export function toldPk(entity: EntitySchema, fields: Row): string | undefined {
  return orElse(() => entity.pk(fields), undefined);
}
