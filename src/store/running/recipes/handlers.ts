import { toldPk, type EntitySchema } from '../../../schema/EntitySchema.js';
import type { MembersSchema } from '../../../schema/ListsSchema.js';
import { ObjectSchema } from '../../../schema/Object.js';
import { own, type Definition, type Row, type Schema } from '../../../schema/Schema.js';
import { schemaOf } from '../../../schema/schemaOf.js';
import type { Place } from '../../../tables/Places.js';
import { toWire } from '../plain.js';

/** What a field of a row or of a shape holds that is no plain value. */
interface Nested {
  readonly schema: Schema;
  /** What stands for it where it is kept. */
  readonly ref: unknown;
  value: unknown;
}

/** The draft of a row, or of a shape with known fields. */
export interface RecordDraft {
  readonly base: Row;
  /** What a field has that is no plain value. */
  readonly schemaOf: (field: string) => Schema | undefined;
  /** Makes what is written to. */
  readonly open: () => Record<string, unknown>;
  /** What is written to; undefined while nothing was, and no object was read. */
  written: Record<string, unknown> | undefined;
  readonly nested: Map<string, Nested>;
  /** The row, which has no pk while it is to be created; undefined for a shape. */
  readonly row?: { readonly schema: EntitySchema; readonly pk?: string };
}

/** A copy of what is plain, which may be written to; Hermes has no `structuredClone`. */
export function copyOf<Value extends object>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** What the class of a row gives a field that the row lacks, in wire form. */
export function defaultIn({ row }: RecordDraft, field: string): unknown {
  if (!row) return undefined;
  const value = own(row.schema.defaults, field);
  // What is to be created has no pk before somebody gives it one.
  if (row.pk === undefined && (value instanceof Date || toldPk(row.schema, { [field]: value }) !== undefined))
    return undefined;
  return typeof value === 'function' ? undefined : toWire(value, row.schema.table);
}

/** What a recipe has put into a list. */
export class Put {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  static readonly all = (members: readonly unknown[]): readonly Put[] => members.map((member) => new Put(member));
}

/** Puts members in place of those of a list, one by one: too many arguments overflow the stack. */
export function fill(list: unknown[], members: readonly unknown[]): void {
  list.length = 0;
  for (const member of members) list.push(member);
}

/** The draft of a list. */
export interface ListDraft {
  readonly members: MembersSchema;
  /** What the list refers to. */
  readonly refs: readonly unknown[];
  /** What of that is there, and what is not: it may be hidden. */
  readonly base: readonly unknown[];
  readonly hidden: readonly unknown[];
  /** References, and what was put in. */
  readonly now: unknown[];
  /** What was given out for a reference. */
  readonly given: Map<unknown, unknown>;
  /** Where the list is kept by itself; undefined for one that is part of a row or an answer. */
  readonly place?: Place;
  /** What its last method gave of what that took out. */
  taken?: unknown;
}

/** What gives out drafts. */
export interface Giver {
  /** Throws when the recipe is over. */
  assertOpen(): void;
  /** What stands for a value, as a draft. */
  read(definition: Definition, ref: unknown): unknown;
  /** What stands for a row that is not there, where something is to be created that refers to it. */
  absent(schema: Schema, ref: unknown): unknown;
}

/** What happens to the draft of a row, or of a shape. One object for each draft: of 10 000 rows that are looked at, that takes half the time of functions. */
export class RecordHandler implements ProxyHandler<object> {
  readonly #giver: Giver;
  readonly #record: RecordDraft;

  constructor(giver: Giver, record: RecordDraft) {
    this.#giver = giver;
    this.#record = record;
  }

  get(_: object, field: string | symbol): unknown {
    this.#giver.assertOpen();
    const inner = this.#nestedIn(field);
    if (inner) return inner.value;
    // What immer asks of its drafts is asked of the one beneath.
    if (typeof field === 'symbol') return Reflect.get(this.#write(), field);
    const { written, base } = this.#record;
    const there = written ?? base;
    const isThere = Object.hasOwn(there, field) || Object.hasOwn(base, field);
    const value: unknown = isThere ? there[field] : this.#missing(there, field);
    return typeof value === 'object' && value !== null && Object.hasOwn(base, field) ? this.#write()[field] : value;
  }

  /** A field that the row lacks, as it is shown; what can be written to is put there. */
  #missing(there: object, field: string): unknown {
    const value = defaultIn(this.#record, field);
    if (value === undefined) return Reflect.get(there, field);
    return typeof value === 'object' && value !== null ? (this.#write()[field] = copyOf(value)) : value;
  }

  set(_: object, field: string | symbol, value: unknown): boolean {
    this.#giver.assertOpen();
    const inner = this.#nestedIn(field);
    if (inner) inner.value = value;
    else Reflect.set(this.#write(), field, value);
    return true;
  }

  deleteProperty(_: object, field: string | symbol): boolean {
    if (this.#nestedIn(field)) return this.set(_, field, undefined);
    this.#giver.assertOpen();
    return Reflect.deleteProperty(this.#write(), field);
  }

  has(_: object, field: string | symbol): boolean {
    return typeof field === 'string' && this.ownKeys().includes(field);
  }

  ownKeys(): string[] {
    const { written, base, nested } = this.#record;
    const there = written ?? base;
    const added = [...nested].filter(([field, { value }]) => value !== undefined && !Object.hasOwn(there, field));
    return [...Object.keys(there), ...added.map(([field]) => field)];
  }

  getOwnPropertyDescriptor(_: object, field: string | symbol): PropertyDescriptor | undefined {
    return this.has(_, field)
      ? { value: this.get(_, field), writable: true, enumerable: true, configurable: true }
      : undefined;
  }

  /** A list or a shape that the class gives a row which lacks it, where that has no rows inside. */
  #defaultOf(schema: Schema, field: string): unknown {
    const value = defaultIn(this.#record, field);
    return holdsNone(schema, value) ? value : undefined;
  }

  #write(): Record<string, unknown> {
    return (this.#record.written ??= this.#record.open());
  }

  #nestedIn(field: string | symbol): Nested | undefined {
    if (typeof field === 'symbol') return undefined;
    const { nested, base, row, schemaOf: schemaOfField } = this.#record;
    const schema = schemaOfField(field);
    if (!schema) return undefined;
    let known = nested.get(field);
    if (!known) {
      const ref = Object.hasOwn(base, field) ? base[field] : this.#defaultOf(schema, field);
      const read = this.#giver.read(schema, ref);
      const value = row && row.pk === undefined ? (read ?? this.#giver.absent(schema, ref)) : read;
      nested.set(field, (known = { schema, ref, value }));
    }
    return known;
  }
}

/** Whether a value has neither rows nor lists of them inside. */
function holdsNone(schema: Schema, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return true;
  if (!(schema instanceof ObjectSchema)) return false;
  return Object.entries(value).every(([field, one]) => {
    const inner = schemaOf(own(schema.fields, field));
    return !inner || holdsNone(inner, one);
  });
}

/** The methods that move members of a list, and how many of their arguments are no members: they move references, and make drafts of those alone that they give. */
const moves: Readonly<Record<string, number>> = {
  push: 0,
  pop: 0,
  shift: 0,
  unshift: 0,
  splice: 2,
  reverse: 0,
  sort: 1,
};

type Method = (...args: unknown[]) => unknown;

/** What happens to the draft of a list: it reads its members when somebody looks at them. */
export class ListHandler implements ProxyHandler<unknown[]> {
  readonly #giver: Giver;
  readonly #list: ListDraft;

  constructor(giver: Giver, list: ListDraft) {
    this.#giver = giver;
    this.#list = list;
  }

  get(_: unknown[], name: string | symbol, draft: unknown): unknown {
    this.#giver.assertOpen();
    const value: unknown = Reflect.get(this.#list.now, name);
    if (isIndex(name)) return this.#valueOf(value);
    const skipped = typeof value === 'function' ? own(moves, String(name)) : undefined;
    return skipped === undefined ? value : this.#move(value as Method, skipped, draft);
  }

  set(_: unknown[], name: string | symbol, value: unknown): boolean {
    this.#giver.assertOpen();
    return Reflect.set(this.#list.now, name, isIndex(name) ? new Put(value) : value);
  }

  #valueOf(member: unknown): unknown {
    if (member instanceof Put) return member.value;
    const { given, members } = this.#list;
    let value = given.get(member);
    if (value === undefined) given.set(member, (value = this.#giver.read(members.member, member)));
    return value;
  }

  #move(method: Method, skipped: number, draft: unknown): Method {
    const valueOf = (member: unknown): unknown => this.#valueOf(member);
    return (...given) => {
      this.#giver.assertOpen();
      const args = given.map((one, i) => {
        if (i >= skipped) return new Put(one);
        if (typeof one !== 'function') return one;
        const compare = one as Method;
        return (left: unknown, right: unknown) => compare(valueOf(left), valueOf(right));
      });
      const { now } = this.#list;
      const result: unknown = Reflect.apply(method, now, args);
      if (result === now) return draft;
      if (typeof result === 'number') return result;
      return (this.#list.taken = Array.isArray(result) ? result.map(valueOf) : valueOf(result));
    };
  }
}

function isIndex(name: string | symbol): boolean {
  return typeof name === 'string' && /^\d/.test(name);
}
