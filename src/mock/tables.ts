/**
 * What the server has: a table for each entity class, a row for each pk. Rows are plain, but for their relations: what came nested is the entry of
 * its own table, so that it is shown as it is now; what came as a pk stays one.
 */
import { Collection } from '../schema/Collection.js';
import type { EntityClass } from '../schema/Entity.js';
import { EntitySchema } from '../schema/EntitySchema.js';
import { isRecord, setOwn, type Definition, type Row } from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import { entitiesIn, replaceEntities } from './relations.js';
import { Entry, Table } from './Table.js';

/** Rows as they were before a write. What the write says of a row is news where it differs from that, however often it nests the row. */
type Before = Map<Entry, Row>;

/** Why there may be no table of a class. */
export const absence = 'no endpoint has it, or none that is the first at its address';

/** All tables of a server. */
export class Tables {
  readonly all = new Map<string, Table>();
  seq = 0;
  /** Whether rows are those of the seed, which say themselves how they nest. */
  isSeeding = true;
  /** Hears of each pk whose row has changed. */
  onChange: (table: Table, pk: string) => void = () => undefined;
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

  /** The table of an entity class. Throws a TypeError where there is none. */
  of(entity: EntityClass): Table {
    const schema = schemaOf(entity);
    const table = schema instanceof EntitySchema ? this.all.get(schema.table) : undefined;
    if (!table) throw new TypeError(`The server has no rows of ${entity.name}: ${absence}.`);
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
    table.noteId(pk);
    return entry;
  }

  /** Keeps a row that has a pk: in place of what its entry has, or as a new one; in the seed, beside what others nest of it. */
  keep(table: Table, row: Row, old?: Entry, before: Before = new Map()): Entry {
    const pk = table.pkOf(row) ?? '';
    const entry = old ?? this.reserve(table, pk);
    const { pk: was } = entry;
    if (was !== pk) {
      table.rows = new Map([...table.rows].map(([key, one]) => [one === entry ? pk : key, one]));
      entry.pk = pk;
      table.noteId(pk);
    }
    this.#fill(entry, row, this.isSeeding, before);
    if (was !== pk) this.onChange(table, was);
    return entry;
  }

  remove(entry: Entry): void {
    entry.table.rows.delete(entry.pk);
    entry.table.ghosts.set(entry.pk, entry);
    this.onChange(entry.table, entry.pk);
  }

  /** Gives an entry its row; `isPart`: some fields of it. */
  #fill(entry: Entry, row: Row, isPart: boolean, before: Before): void {
    for (const field of Object.keys(row)) entry.table.fields.add(field);
    const related = this.#related(entry, row, before);
    entry.row = isPart ? { ...entry.row, ...related } : related;
    this.onChange(entry.table, entry.pk);
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
