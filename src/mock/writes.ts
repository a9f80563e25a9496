import { findCollection } from '../schema/collections.js';
import { argumentKind } from '../schema/listKey.js';
import { isRecord, own, setOwn, type Definition, type Row } from '../schema/Schema.js';
import { schemaOf } from '../schema/schemaOf.js';
import { UnionSchema } from '../schema/Union.js';
import { fieldOf, fits, isField, textOf, timeOf, type Params } from './filters.js';
import { plainParams } from './lists.js';
import { asked, Problem } from './problem.js';
import { replaceEntities } from './relations.js';
import { shown, type Tables } from './tables.js';
import { copyOf, isNumeric, type Entry, type Table } from './Table.js';

/**
 * What a write is told of beside its row.
 *
 * @example
 * const stamp = (row: Row, { before, now }: WriteContext) => ({ ...row, createdAt: before?.['createdAt'] ?? now });
 */
export interface WriteContext {
  /** The row as it was; undefined for one that is created. */
  readonly before?: Row | undefined;
  /** The request. */
  readonly request: Request;
  /** ms since the epoch. */
  readonly now: number;
  /** A number from 0 to 1, the next of those that the seed of the server gives. */
  readonly random: () => number;
}

/** Makes of a row what is kept of it, or refuses it. */
export type WriteHook = (row: Row, context: WriteContext) => object;

/** One write, as it came. */
export interface Write {
  readonly definition: Definition;
  readonly body: unknown;
  /** Whether the body is a form: its values are texts, whatever its fields have. */
  readonly isForm: boolean;
  readonly path: Params;
  readonly search: Params;
  readonly columns: Readonly<Record<string, string>>;
  /** What hooks are told. */
  readonly context: WriteContext;
  readonly hooks: Readonly<Record<string, WriteHook | undefined>>;
}

/** Creates one row, several, or some by name; all or none. */
export function create(tables: Tables, write: Write): Entry | readonly Entry[] | Readonly<Record<string, Entry>> {
  const { body, definition, isForm } = write;
  const inside = tables.in(definition);
  const inner = findCollection(definition)?.inner;
  // A record in a form is a file.
  const isNamed =
    !isForm &&
    isRecord(body) &&
    Object.keys(body).length > 0 &&
    Object.entries(body).every(([name, value]) => isRecord(value) && !isField(inside, name));
  const items = isNamed ? Object.values(body) : Array.isArray(body) ? (body as readonly unknown[]) : [body];
  const entries = newRows(tables, inside, items, write).map(({ table, row }) => tables.keep(table, row));
  if (!isNamed) return Array.isArray(body) ? entries : (entries[0] ?? []);
  const names = Object.keys(body);
  if (inner?.isByName) for (const [i, entry] of entries.entries()) entry.name = names[i];
  return Object.fromEntries(entries.map((entry, i) => [names[i] ?? '', entry]));
}

/** A row to keep, and where. */
interface NewRow {
  readonly table: Table;
  readonly pk: string;
  readonly row: Row;
}

/** The rows that a create makes of some items; throws a Problem where one of them is refused. */
function newRows(tables: Tables, inside: readonly Table[], items: readonly unknown[], write: Write): readonly NewRow[] {
  const member = findCollection(write.definition)?.inner.member;
  const ids = inside.map((table) => table.ids.greatest);
  try {
    const rows = items.map((item) => newRow(tables, tableFor(inside, member, item, write), item, write));
    const taken = rows.find(
      ({ table, pk }, i) => table.isTaken(pk) || rows.findIndex((one) => one.table === table && one.pk === pk) < i,
    );
    if (taken) throw new Problem(409, `${taken.table.name} ${taken.pk} is there already`);
    return rows;
  } catch (error) {
    // What was refused has had no id.
    for (const [i, table] of inside.entries()) table.ids.greatest = ids[i] ?? 0;
    throw error;
  }
}

/** The table that an item is kept in: of a union, that which the item chooses, or the parameters beside it. */
function tableFor(tables: readonly Table[], member: Definition, item: unknown, { path, search }: Write): Table {
  const told = { ...plainParams(search), ...(item as Row), ...plainParams(path) };
  const chosen = kindIn(member, told);
  const first = schemaOf(member) instanceof UnionSchema ? undefined : tables[0];
  const table = tables.find(({ name }) => name === chosen) ?? first;
  if (!table) throw new Problem(400, 'The body does not tell what it is');
  return table;
}

/** The table that a row chooses; of what chooses none, the row itself. */
function kindIn(definition: Definition, row: Row): unknown {
  return replaceEntities(definition, row, (schema) => schema.table);
}

function newRow(
  tables: Tables,
  table: Table,
  item: unknown,
  { isForm, path, search, columns, context, hooks }: Write,
): NewRow {
  const body = fieldsIn(table, item, isForm);
  const told = (params: readonly (readonly [name: string, texts: readonly string[]])[]): Row => {
    const fields = params.map(([name, texts]) => [fieldOf(columns, name), texts] as const);
    const known = fields.filter(([field]) => isField([table], field) && !field.includes('.'));
    return Object.fromEntries(known.map(([field, texts]) => [field, table.typed(field, texts)]));
  };
  const filters = Object.entries(search).filter(([name, [text]]) => argumentKind(name) === 'filter' && text !== '');
  const inPath = Object.entries(path);
  const row = table.withPk({ ...defaultsOf(table), ...told(filters), ...body, ...told(inPath) }, context.random);
  if (table.pkOf(row) === undefined) throw new Problem(400, `The pk of ${table.name} must be in the body`);
  const stamped = stamp(table, withRelations(table, row, body), hooks, context);
  return { table, row: stamped, pk: table.pkOf(stamped) ?? '' };
}

/** Changes a row, or replaces it; what names its pk may rename it. */
export function change(tables: Tables, entry: Entry, isPatch: boolean, write: Write): Entry {
  const { definition, body, isForm, path, columns, context, hooks } = write;
  const { table } = entry;
  const sent = fieldsIn(table, isForm ? body : unwrapped(table, body), isForm);
  const before = shown(entry) as Row;
  // What the path names says where the row is: it stays, unless the body says otherwise.
  const named = Object.keys(path).map((name) => fieldOf(columns, name).split('.', 1)[0]);
  const kept = Object.fromEntries(Object.entries(before).filter(([field]) => named.includes(field)));
  const row: Record<string, unknown> = { ...(isPatch ? before : { ...defaultsOf(table), ...kept }), ...sent };
  const item = findCollection(definition)?.inner.member ?? definition;
  const kind = kindIn(item, row);
  if (kind !== table.name && (typeof kind === 'string' || kindIn(item, before) === table.name))
    throw new Problem(400, `A ${table.name} cannot become something else`);
  const { pkField } = table;
  // An id that is the same in another type stays as it is.
  if (pkField !== undefined && textOf(row[pkField] ?? entry.pk) === entry.pk) row[pkField] = entry.id;
  const stamped = stamp(table, withRelations(table, row, sent), hooks, { ...context, before });
  const pk = table.pkOf(stamped);
  if (pk === undefined) throw new Problem(400, `A ${table.name} cannot be without its pk`);
  if (pk !== entry.pk && table.isTaken(pk)) throw new Problem(409, `${table.name} ${pk} is there already`);
  return tables.keep(table, stamped, entry);
}

/** Takes a row out of the list that the parameters name: the fields that tell the list no longer do. */
export function leave(tables: Tables, entry: Entry, write: Write): Entry {
  const { table, row } = entry;
  const sent: Record<string, unknown> = { ...fieldsIn(table, write.body, write.isForm) };
  for (const [name, texts] of Object.entries({ ...write.search, ...write.path })) {
    const field = fieldOf(write.columns, name);
    if (field in sent || !isField([table], field) || !fits(entry, [field], texts)) continue;
    const value = row[field];
    const isOther = (one: unknown): boolean => !fits({ one }, ['one'], texts);
    setOwn(sent, field, Array.isArray(value) ? shown(value.filter(isOther)) : null);
  }
  return change(tables, entry, true, { ...write, body: sent });
}

/** A row without the one name that it is sent under (`{ article: { … } }`), which is no field of it. */
function unwrapped(table: Table, body: unknown): unknown {
  const [name = '', ...others] = isRecord(body) ? Object.keys(body) : [];
  const inner = isRecord(body) && others.length === 0 && !isField([table], name) ? body[name] : undefined;
  return isRecord(inner) && Object.keys(inner).some((field) => isField([table], field)) ? inner : body;
}

function fieldsIn(table: Table, body: unknown, isForm: boolean): Row {
  if (!isRecord(body)) throw new Problem(400, 'The body must be an object');
  if (!isForm) return body;
  const isText = (value: unknown): value is string => typeof value === 'string';
  const typed = (name: string, value: unknown): unknown => {
    if (isText(value)) return table.typed(name, [value]);
    // A name that is repeated is a list.
    const isList = Array.isArray(value) && value.every(isText) && Array.isArray(table.sampleOf(name));
    return isList ? table.typed(name, value) : value;
  };
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, typed(name, value)]));
}

/** What a row has that says nothing else; an entity that is there by default is none of it. */
export function defaultsOf(table: Table): Row {
  const nested = new Set(table.schema.nested.map(([field]) => field));
  const isPlain = ([field, value]: [string, unknown]): boolean =>
    field !== table.pkField && (!nested.has(field) || value === null || (Array.isArray(value) && value.length === 0));
  return Object.fromEntries(Object.entries(table.defaults).filter(isPlain));
}

/** A row whose relations follow the ids that were sent: `authorId` is that of `author`, where rows nest an author. */
function withRelations(table: Table, row: Row, sent: Row): Row {
  const related: Record<string, unknown> = { ...row };
  for (const [field] of table.schema.nested) {
    const id = [`${field}Id`, `${field}_id`].find((name) => name in sent);
    if (id !== undefined && !(field in sent) && table.nests(field)) related[field] = sent[id];
  }
  return related;
}

/** A row with its next version, and what the user's hook makes of it. Throws a Problem where that refuses it. */
function stamp(table: Table, row: Row, hooks: Write['hooks'], context: WriteContext): Row {
  const stamped = { ...row, ...versionOf(table, context.before, context.now) };
  const kept = asked(`write of ${table.name}`, () => own(hooks, table.name)?.(stamped, context)) ?? stamped;
  if (kept instanceof Response) throw new Problem(kept);
  return copyOf(kept) as Row;
}

/** The field with the version of a row, one later: a number more, or the time, and a second more where the row is of that time or later. */
export function versionOf(table: Table, before: Row | undefined, now: number): Row {
  const { version: field } = table.entity as { readonly version?: unknown };
  if (typeof field !== 'string') return {};
  const was = before?.[field];
  const sample = was ?? table.sampleOf(field);
  if (typeof sample !== 'string') return { [field]: Number(was ?? 0) + 1 };
  if (isNumeric(sample)) return { [field]: String(Number(was ?? 0) + 1) };
  const time = timeOf(textOf(was));
  return { [field]: new Date(time >= now ? time + 1_000 : now).toISOString() };
}
