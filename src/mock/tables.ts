/**
 * What the server has: a table for each entity class, a row for each pk. Rows are plain, but for their relations: what came nested is the entry of
 * its own table, so that it is shown as it is now; what came as a pk stays one.
 */
import { orElse } from '../errors.js';
import { Collection } from '../schema/Collection.js';
import type { EntityClass } from '../schema/Entity.js';
import { EntitySchema } from '../schema/EntitySchema.js';
import { isRecord, setOwn, type Definition, type Row } from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import { entitiesIn, replaceEntities } from './relations.js';

/** One row of a table. */
export class Entry {
  readonly table: Table;
  /** Its place among all that was ever kept. */
  readonly seq: number;
  pk: string;
  row: Row = {};
  /** The name under which it was put into a set of values. */
  name: string | undefined;

  constructor(table: Table, pk: string, seq: number) {
    this.table = table;
    this.pk = pk;
    this.seq = seq;
  }

  get isGone(): boolean {
    return this.table.rows.get(this.pk) !== this;
  }

  /** Its pk as its row has it. */
  get id(): unknown {
    return this.row[this.table.pkField ?? ''] ?? this.pk;
  }

  /** Its row, with the lists in it as they now are. */
  get whole(): Row {
    const lists = this.table.lists.flatMap(({ field, members }) => {
      const filter = this.row[field] === undefined ? undefined : this.table.filterOf(field, this.row);
      if (!filter) return [];
      const isIn = ({ row }: Entry): boolean =>
        Object.entries(filter).every(([name, value]) => plainOf(row[name]) === plainOf(value));
      const found = members.flatMap(({ rows }) => [...rows.values()].filter(isIn));
      return [[field, this.table.nests(field) === false ? found.map(({ id }) => id) : found] as const];
    });
    return lists.length > 0 ? { ...this.row, ...Object.fromEntries(lists) } : this.row;
  }

  /** What stands for it in a snapshot. */
  toJSON(): unknown {
    return { [REF]: [this.table.name, this.pk] };
  }
}

/** The field of what stands for an entry in a snapshot. */
export const REF = '\0ref';

/** A list inside of the rows of a table. */
interface NestedList {
  readonly field: string;
  readonly collection: Collection;
  readonly members: readonly Table[];
}

/** Rows as they were before a write. What the write says of a row is news where it differs from that, however often it nests the row. */
type Before = Map<Entry, Row>;

/** The rows of one entity class. */
export class Table {
  readonly schema: EntitySchema;
  readonly entity: EntityClass;
  /** The defaults of the class in wire form. */
  readonly defaults: Row;
  /** All fields that are known: those of the class and those of rows. */
  fields: Set<string>;
  rows = new Map<string, Entry>();
  /** What was deleted: a cursor may lead to it. */
  readonly ghosts = new Map<string, Entry>();
  /** The greatest id that a row ever had, here or in a table whose rows have the same address. */
  ids = { greatest: 0 };
  /** The fields with a list that says by `nestKey` which rows are in it, and the tables that have them. */
  lists: readonly NestedList[] = [];
  /** The tables whose rows have the same address, this one too. */
  #same: readonly Table[] = [this];
  readonly #all: ReadonlyMap<string, Table>;
  readonly #forms = new Map<string, boolean>();
  #pkField: string | undefined;

  constructor(schema: EntitySchema, all: ReadonlyMap<string, Table>) {
    this.schema = schema;
    this.#all = all;
    const blank = schema.begin();
    this.entity = blank.constructor as EntityClass;
    this.defaults = copyOf(blank) as Row;
    this.fields = new Set([...Object.keys(blank), ...Object.keys(this.entity.schema)]);
  }

  get name(): string {
    return this.schema.table;
  }

  /** The field that is the pk; undefined where no field alone is. */
  get pkField(): string | undefined {
    const isPk = (field: string): boolean => this.pkOf({ [field]: 'pk' }) === 'pk';
    return (this.#pkField ??= ['id', ...this.fields].find(isPk));
  }

  /** The pk of a row as it is sent; undefined where it has none. */
  pkOf(row: Row): string | undefined {
    try {
      return this.schema.pk(row) ?? this.schema.pk(this.entity.process({ ...row }, undefined, '', []) ?? row);
    } catch {
      return undefined;
    }
  }

  /** Says which tables have the same address. Throws a TypeError where another has a row with the same pk. */
  besides(same: readonly Table[], template: string): void {
    this.#same = same;
    for (const other of same)
      for (const pk of other === this ? [] : other.rows.keys())
        if (this.rows.has(pk))
          throw new TypeError(`${this.name} and ${other.name} have both a row ${pk} at ${template}.`);
  }

  /** Whether a row has a pk, here or at the same address. */
  isTaken(pk: string): boolean {
    return this.#same.some(({ rows }) => rows.has(pk));
  }

  /** A value of a field as rows have it, else the default of the class. */
  sampleOf(field: string): unknown {
    for (const { row } of this.rows.values()) if (row[field] !== undefined && row[field] !== null) return row[field];
    return this.defaults[field];
  }

  /** An id that no row ever had: the greatest and one, or a UUID where ids are texts. */
  newId(random: () => number): unknown {
    const sample = this.sampleOf(this.pkField ?? 'id');
    if (typeof sample === 'string' && !isNumeric(sample)) return uuid(random);
    const id = ++this.ids.greatest;
    return typeof sample === 'string' ? String(id) : id;
  }

  /** A row with a new id, where it has none. */
  withPk(row: Row, random: () => number): Row {
    const { pkField } = this;
    if (pkField === undefined || this.pkOf(row) !== undefined) return row;
    const id = { [pkField]: this.newId(random) };
    return { ...id, ...row, ...id };
  }

  /** Texts of an address, or of a form, as the field has its values: the first, or all where it has several. */
  typed(field: string, texts: readonly string[]): unknown {
    const sample = this.sampleOf(field);
    const [text = ''] = texts;
    return Array.isArray(sample)
      ? texts.map((one) => typedAs((sample as readonly unknown[])[0], one))
      : typedAs(sample, text);
  }

  /** A value of a field, with the row that each pk of a relation stands for. */
  withRows(field: string, value: unknown): unknown {
    const schema = this.schema.nested.find(([name]) => name === field)?.[1];
    const rowOf = ({ table }: EntitySchema, one: unknown): unknown =>
      this.#all.get(table)?.rows.get(String(one)) ?? one;
    // The user's function of a Union may fail on an entry, which is no row; an entry stays what it is anyway.
    return orElse(() => replaceEntities(schema, value, rowOf), value);
  }

  /** What the rows of a list in a field have; undefined where nothing says so. */
  filterOf(field: string, owner: Row): Row | undefined {
    const list = this.lists.find((one) => one.field === field);
    const filter = list?.collection.nestKey(owner, field) as Row | undefined;
    const isKnown = (name: string): boolean => list?.members.every(({ fields }) => fields.has(name)) ?? false;
    return filter && Object.keys(filter).every(isKnown) ? filter : undefined;
  }

  /** Whether the first row that has something in a field has another row there, and not its pk; undefined where nothing tells. */
  nests(field: string): boolean | undefined {
    for (const { row } of this.#forms.has(field) ? [] : this.rows.values()) {
      const first = firstIn(row[field]);
      if (first === undefined || first === null) continue;
      this.#forms.set(field, first instanceof Entry);
      break;
    }
    return this.#forms.get(field);
  }
}

/** All tables of a server. */
export class Tables {
  readonly all = new Map<string, Table>();
  seq = 0;
  /** Whether rows are those of the seed, which say themselves how they nest. */
  isSeeding = true;
  /** Hears of each row that has changed. */
  onChange: (entry: Entry) => void = () => undefined;
  readonly #random: () => number;

  constructor(definitions: readonly Definition[], random: () => number) {
    this.#random = random;
    for (const schema of entitiesIn(definitions, true))
      if (!this.all.has(schema.table)) this.all.set(schema.table, new Table(schema, this.all));
    for (const table of this.all.values())
      table.lists = table.schema.nested.flatMap(([field, schema]) =>
        schema instanceof Collection ? [{ field, collection: schema, members: this.in(schema) }] : [],
      );
  }

  /** Gives no id twice to what one answer may have under one address. */
  shareIds(definition: Definition): void {
    const [first, ...others] = this.in(definition);
    for (const other of others) if (first) other.ids = first.ids;
  }

  /** The table of an entity class. Throws a TypeError where no endpoint has it. */
  of(entity: EntityClass): Table {
    const schema = schemaOf(entity);
    const table = schema instanceof EntitySchema ? this.all.get(schema.table) : undefined;
    if (!table) throw new TypeError(`No endpoint of this server has ${entity.name} in its schema.`);
    return table;
  }

  /** The tables of what a definition describes at its top. */
  in(definition: Definition): readonly Table[] {
    const names = new Set([...entitiesIn([definition])].map(({ table }) => table));
    return [...names].flatMap((name) => this.all.get(name) ?? []);
  }

  /** An entry for a row that is to come. */
  reserve(table: Table, pk: string, seq = ++this.seq): Entry {
    const entry = new Entry(table, pk, seq);
    table.rows.set(pk, entry);
    if (isNumeric(pk)) table.ids.greatest = Math.max(table.ids.greatest, Number(pk));
    return entry;
  }

  /** Keeps a row that has a pk: in place of what its entry has, or as a new one; in the seed, beside what others nest of it. */
  keep(table: Table, row: Row, old?: Entry, before: Before = new Map()): Entry {
    const pk = table.pkOf(row) ?? '';
    const entry = old ?? this.reserve(table, pk);
    if (entry.pk !== pk) {
      table.rows = new Map([...table.rows].map(([key, one]) => [one === entry ? pk : key, one]));
      entry.pk = pk;
    }
    this.#fill(entry, row, this.isSeeding, before);
    return entry;
  }

  remove(entry: Entry): void {
    entry.table.rows.delete(entry.pk);
    entry.table.ghosts.set(entry.pk, entry);
    this.onChange(entry);
  }

  /** Gives an entry its row; `isPart`: some fields of it. */
  #fill(entry: Entry, row: Row, isPart: boolean, before: Before): void {
    for (const field of Object.keys(row)) entry.table.fields.add(field);
    const related = this.#related(entry, row, before);
    entry.row = isPart ? { ...entry.row, ...related } : related;
    this.onChange(entry);
  }

  /** A row with its relations as the table has them; what is nested is kept as the row that it is, too. */
  #related(entry: Entry, row: Row, before: Before): Row {
    const { table } = entry;
    const related: Record<string, unknown> = { ...row };
    for (const [field, schema] of table.schema.nested) {
      if (related[field] === undefined) continue;
      const nests = this.isSeeding ? undefined : table.nests(field);
      const filter = table.filterOf(field, { ...entry.row, ...row });
      const relate = (inner: EntitySchema, value: unknown): unknown => {
        const target = this.all.get(inner.table);
        if (!target) return value;
        const there = isRecord(value)
          ? this.#nested(entry, target, { ...filter, ...value }, before)
          : target.rows.get(String(value));
        if (there && (nests ?? isRecord(value))) return there;
        return there && isRecord(value) ? there.id : value;
      };
      setOwn(related, field, replaceEntities(schema, related[field], relate));
    }
    return related;
  }

  /** The entry of a row that stands in another, with what this says of it; in the seed, its own row and what came before say more. */
  #nested(outer: Entry, table: Table, given: Row, before: Before): Entry | undefined {
    const row = table.withPk(given, this.#random);
    const pk = table.pkOf(row);
    const there = pk === undefined ? undefined : table.rows.get(pk);
    if (!there) return pk === undefined ? undefined : this.keep(table, row, undefined, before);
    const known = shown(there, [outer]) as Row;
    const was = before.get(there) ?? known;
    before.set(there, was);
    const isNews = ([field, value]: [string, unknown]): boolean =>
      known[field] === undefined || (!this.isSeeding && JSON.stringify(was[field]) !== JSON.stringify(value));
    const news = Object.entries(row).filter(isNews);
    if (news.length > 0) this.#fill(there, Object.fromEntries(news), true, before);
    return there;
  }
}

/** A value without the rows that are gone. */
export function withoutGone(value: unknown): unknown {
  if (value instanceof Entry) return value.isGone ? null : value;
  return Array.isArray(value) ? value.filter((one) => !(one instanceof Entry && one.isGone)) : value;
}

/** A value as JSON has it, with what is nested in its place; a row inside of itself is its pk. */
export function shown(value: unknown, inside: readonly Entry[] = []): unknown {
  const there = withoutGone(value);
  if (there instanceof Entry) return inside.includes(there) ? there.id : shown(there.whole, [...inside, there]);
  if (Array.isArray(there)) return there.map((one) => shown(one, inside));
  if (!isRecord(there)) return there;
  const copy: Record<string, unknown> = {};
  for (const field of Object.keys(there)) {
    const inner = there[field];
    setOwn(copy, field, typeof inner === 'object' ? shown(inner, inside) : inner);
  }
  return copy;
}

/** A copy, as it would come over a network. */
export function copyOf(value: unknown): unknown {
  const plain = (_: string, inner: unknown): unknown => (typeof inner === 'bigint' ? String(inner) : inner);
  const text = JSON.stringify(value, plain) as string | undefined;
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

/** What stands first in a value, however many lists and objects lie around it. */
function firstIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Entry) return value;
  return firstIn((Object.values(value) as unknown[])[0]);
}

/** A text as a value like another. */
function typedAs(sample: unknown, text: string): unknown {
  if (typeof sample === 'number' && !Number.isNaN(Number(text))) return Number(text);
  // A box that is checked says `on`.
  return typeof sample === 'boolean' ? /^(?:true|on|1)$/.test(text) : text;
}

/** A value as a filter has it; of a row its pk. */
function plainOf(value: unknown): string {
  return value instanceof Entry ? value.pk : String(value);
}

function isNumeric(pk: string): boolean {
  return /^\d{1,15}$/.test(pk);
}

function uuid(random: () => number): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () => Math.floor(random() * 16).toString(16));
}
