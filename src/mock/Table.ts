/** One table of the server: the rows of one entity class, each with its pk. */
import { orElse } from '../errors.js';
import type { Collection } from '../schema/Collection.js';
import type { EntityClass } from '../schema/Entity.js';
import type { EntitySchema } from '../schema/EntitySchema.js';
import { pick, type Row } from '../schema/Schema.js';
import { replaceEntities } from './relations.js';

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
  /** Whether fields nest rows, as far as the first that there were have told. */
  readonly forms = new Map<string, boolean>();
  #pkField: string | undefined;

  constructor(schema: EntitySchema, all: ReadonlyMap<string, Table>) {
    this.schema = schema;
    this.#all = all;
    const blank = schema.begin();
    this.entity = blank.constructor as EntityClass;
    // The class may make `id` of another field.
    const isThere = (field: string): boolean => field !== 'id' || this.#processed({ id: 'pk' })['id'] !== undefined;
    this.defaults = pick(copyOf(blank) as Row, isThere);
    this.fields = new Set([...Object.keys(blank).filter(isThere), ...Object.keys(this.entity.schema)]);
  }

  get name(): string {
    return this.schema.table;
  }

  /** The field that is the pk; undefined where no field alone is. */
  get pkField(): string | undefined {
    const names = ['id', '_id', ...this.fields];
    const isPk = (field: string): boolean => this.pkOf({ [field]: 'pk' }) === 'pk';
    // Of what the class makes of this text, as a number, nothing can be told.
    const isRawPk = (field: string): boolean => orElse(() => this.schema.pk({ [field]: 'pk' }) === 'pk', false);
    return (this.#pkField ??= names.find(isPk) ?? names.find(isRawPk));
  }

  /** The pk of a row as it is sent; undefined where it has none. */
  pkOf(row: Row): string | undefined {
    return orElse(() => this.schema.pk(this.#processed(row)), undefined);
  }

  /** A row as the store reads it; as it stands where the class cannot process it. */
  #processed(row: Row): Row {
    return orElse(() => this.entity.process({ ...row }, undefined, '', []), undefined) ?? row;
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

  /** A row has this pk from now on: the next new id is greater. */
  noteId(pk: string): void {
    if (isNumeric(pk)) this.ids.greatest = Math.max(this.ids.greatest, Number(pk));
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
    for (const { row } of this.forms.has(field) ? [] : this.rows.values()) {
      const first = firstIn(row[field]);
      if (first === undefined || first === null) continue;
      this.forms.set(field, first instanceof Entry);
      break;
    }
    return this.forms.get(field);
  }
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

/** Whether a pk is a number, in digits alone. */
export function isNumeric(pk: string): boolean {
  return /^\d{1,15}$/.test(pk);
}

function uuid(random: () => number): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () => Math.floor(random() * 16).toString(16));
}
