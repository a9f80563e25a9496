import { orElse } from '../errors.js';
import type { CollectionOptions } from '../schema/CollectionOptions.js';
import { isRecord, own, pick, type Row } from '../schema/Schema.js';
import { nearest } from './names.js';
import { Problem } from './problem.js';
import { shown, withoutGone } from './tables.js';
import { Entry, type Table } from './Table.js';

/** Parameters of a request, as an address has them. */
export type Params = Readonly<Record<string, readonly string[]>>;

/** The same as a function of the user's has them: one text, or several where a name is repeated. */
export type PlainParams = Readonly<Record<string, string | readonly string[]>>;

/** Whether a row belongs to a list. */
export type Filter = (entry: Entry) => boolean;

/** What compares a value of a row with the texts of a parameter. */
type Test = (value: unknown, texts: readonly string[]) => boolean;

const isIn: Test = (value, texts) => texts.includes(textOf(value));
const isNone: Test = (value, texts) => !isIn(value, texts);
const isLike: Test = (value, texts) =>
  value !== null && texts.some((text) => textOf(value).toLowerCase().includes(text.toLowerCase()));
const by =
  (holds: (order: number) => boolean): Test =>
  (value, texts) =>
    value !== null &&
    texts.some((text) => holds(typeof value === 'number' ? value - Number(text) : compareDates(textOf(value), text)));

const operators: Readonly<Record<string, Test>> = {
  gte: by((order) => order >= 0),
  lte: by((order) => order <= 0),
  gt: by((order) => order > 0),
  lt: by((order) => order < 0),
  ne: isNone,
  like: isLike,
};

/** A value as an address would have it. */
export function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** The order of two texts by code unit. */
export function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The order of two texts; of two dates, of whatever precision or zone, that of their times. */
function compareDates(one: string, other: string): number {
  const order = timeOf(one) - timeOf(other);
  return Number.isNaN(order) ? compareTexts(one, other) : order;
}

/** The time of a date, wherever the server runs: one without a zone is in UTC; NaN for what is none. */
export function timeOf(text: string): number {
  const [, time, zone] = /^\d{4}-\d\d-\d\d(?:(T.*?)(Z|[+-]\d\d:?\d\d)?)?$/.exec(text) ?? [text, ''];
  return time === '' ? NaN : Date.parse(time && !zone ? `${text}Z` : text);
}

/** The value at `a.b` of a row, the default of its class where it has none; of a list, those of its members. */
export function valueAt(row: unknown, path: readonly string[]): unknown {
  let value = row;
  for (const [i, name] of path.entries()) {
    const isLast = i === path.length - 1;
    value = Array.isArray(value)
      ? (value as readonly unknown[]).flatMap((one) => valueOf(one, name, isLast))
      : valueOf(value, name, isLast);
  }
  return value instanceof Entry ? value.id : value;
}

function valueOf(value: unknown, name: string, isLast: boolean): unknown {
  const fields = value instanceof Entry ? rowWith(value, name) : value;
  const told = isRecord(fields) ? own(fields, name) : undefined;
  if (!(value instanceof Entry)) return withoutGone(told);
  const { table } = value;
  const known = told === undefined ? own(table.defaults, name) : told;
  return withoutGone(isLast ? known : table.withRows(name, known));
}

/** The row of an entry; where a field is a list of its own, with that as it now is. */
function rowWith(entry: Entry, name: string): Row {
  return entry.table.lists.some(({ field }) => field === name) ? entry.whole : entry.row;
}

/** Whether a value at a path is one of some texts; of a list, whether one of its members is. */
export function fits(row: unknown, path: readonly string[], texts: readonly string[], test: Test = isIn): boolean {
  const value = valueAt(row, path);
  const isMet = (one: unknown): boolean =>
    one === undefined ? test === isNone : test(one instanceof Entry ? one.pk : one, texts);
  if (!Array.isArray(value)) return isMet(value);
  return test === isNone ? value.every(isMet) : value.some(isMet);
}

/** The field that a parameter is about: that of its name, unless told otherwise. */
export function fieldOf(columns: Readonly<Record<string, string>> | undefined, name: string): string {
  return own(columns, name) ?? name;
}

/** Whether rows may have a field, by the first name of its path. */
export function isField(tables: readonly Table[], field: string): boolean {
  return tables.some(({ fields }) => fields.has(field.split('.', 1)[0] ?? ''));
}

/** The problem of a parameter that is about no field, with those that there are. */
export function unknownField(tables: readonly Table[], name: string, field: string): Problem {
  const known = nearest(field, new Set(tables.flatMap(({ fields }) => [...fields])));
  return new Problem(400, `"${name}" is no field of ${namesOf(tables)}: ${known.join(', ')}`);
}

/** What tables are called, in words. */
export function namesOf(tables: readonly Table[]): string {
  return tables.map(({ name }) => name).join(' or ');
}

/** What a parameter demands of a row; undefined where it is about no field. */
export function filterOf(tables: readonly Table[], name: string, texts: readonly string[]): Filter | undefined {
  const plain = name.replace(/\[\]$/, '');
  const about = (field: string, test?: Test): Filter | undefined => {
    if (!isField(tables, field)) return undefined;
    const path = field.split('.');
    return (entry) => fits(entry, path, texts, test);
  };
  const [, field = '', short, operator = short ?? ''] = /^(.+?)(?:_([a-z]+)|\[([a-z]+)\])$/.exec(plain) ?? [];
  const test = own(operators, operator);
  const [exact, compared] = [about(plain), test && about(field, test)];
  // Which fields there are below a path, only rows tell: of a field `looks_like` that one has, or of `name_like`.
  const isTold = (entry: Entry): boolean => [valueAt(entry, plain.split('.'))].flat().some((one) => one !== undefined);
  if (exact && compared && plain.includes('.')) return (entry) => (isTold(entry) ? exact : compared)(entry);
  return exact ?? compared ?? (/^(?:q|\$?search)$/.test(name) ? ({ row }) => holdsText(row, texts) : undefined);
}

/** Whether any text of a row contains one of some texts. */
function holdsText(row: Row, texts: readonly string[]): boolean {
  const values = Object.values(row).flat() as readonly unknown[];
  return values.some((value) => typeof value === 'string' && isLike(value, texts));
}

/** What the user's own `belongs` says of a row; undefined where there is none, and where it does not know. */
export function judged(belongs: CollectionOptions['belongs'], entry: Entry, params: PlainParams): boolean | undefined {
  // It is declared for the rows and the parameters of the user's endpoint.
  const rule = belongs as ((row: unknown, params: unknown) => boolean | undefined) | undefined;
  return rule && orElse(() => rule(asShown(entry), params), undefined);
}

/** The row of an entry as a store shows it: with its relations in place, also where it has their pks, each found when it is read. */
function asShown(entry: Entry): unknown {
  const { table, row } = entry;
  const related = table.schema.nested.map(([field]) => field).filter((field) => row[field] !== undefined);
  const plain = shown(pick(row, (field) => !related.includes(field))) as Row;
  for (const field of related)
    Object.defineProperty(plain, field, {
      get: () => shown(table.withRows(field, entry.whole[field])),
      enumerable: true,
    });
  return plain;
}
