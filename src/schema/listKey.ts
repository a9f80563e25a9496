import { orElse } from '../errors.js';
import { isOf } from './json.js';
import { isRecord, isScalar } from './Schema.js';

/** What tells one list of a Collection from another: its arguments, as strings. */
export type ListKey = Readonly<Record<string, string>>;

/** An argument as it takes part in a key: what goes into a query string is a string there. */
function argument(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object') return JSON.stringify(value);
  return isScalar(value) || typeof value === 'bigint' ? String(value) : undefined;
}

/** The pk of a list: its arguments, sorted by name, with what is absent left out. */
export function listPk(args: unknown): string {
  if (!isRecord(args)) return args === undefined || args === null ? '{}' : JSON.stringify(argument(args));
  const entries: [string, string][] = [];
  for (const name of Object.keys(args).sort()) {
    const value = argument(args[name]);
    if (value !== undefined) entries.push([name, value]);
  }
  return JSON.stringify(Object.fromEntries(entries));
}

/** The arguments of a list, read back from its pk. */
export function listKey(pk: string): ListKey {
  const key: unknown = JSON.parse(pk);
  return isRecord(key) ? (key as ListKey) : {};
}

/** The names of the arguments of a list, as one text: lists of one kind have the same. */
export function keyNames(pk: string): string {
  return Object.keys(listKey(pk)).join();
}

/** A body as fields; undefined where it has none. */
export function plainBody(body: unknown): Record<string, unknown> | undefined {
  if (isOf(body, 'FormData')) return Object.fromEntries(body);
  return isRecord(body) ? body : undefined;
}

/** Whether an argument is empty, which filters nothing. */
export function isEmptyArgument(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isEmptyArgument);
  return value === '' || value === undefined || value === null || (typeof value === 'string' && NOTHING.test(value));
}

/** An array without values, as the pk of a list has it. */
const NOTHING = /^\[(?:null,?)*\]$/;

/** The values that an argument of a list stands for: itself, and of several (`?state=open&state=closed`) each of them. */
export function valuesOf(value: string): readonly string[] {
  if (!value.startsWith('[')) return [value];
  // What a user searches for may begin like an array.
  const values = orElse(() => JSON.parse(value) as unknown, undefined);
  return Array.isArray(values) ? [...new Set([value, ...values.flatMap((one) => argument(one) ?? [])])] : [value];
}

/** Whether what is told of an item is what an argument of a list asks for. */
export function fits(told: string | undefined, value: string): boolean {
  return told === value || (told !== undefined && value.startsWith('[') && valuesOf(value).includes(told));
}

/** The value under a name, as a key would have it; undefined where there is none. */
export function keyValue(from: unknown, name: string): string | undefined {
  return isRecord(from) && Object.hasOwn(from, name) ? argument(from[name]) : undefined;
}

/** Whether parameters have all of some values, as keys would have them. */
export function hasValues(params: unknown, values: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(values).every((name) => keyValue(params, name) === keyValue(values, name));
}

/**
 * What an argument says of a list: which items belong to it, where in it an answer lies, or something else, as an order or a number of items.
 *
 * @example
 * const kind: ArgumentKind = new Collection([Todo]).argumentKind('userId', 1); // 'filter'
 */
export type ArgumentKind = 'filter' | 'window' | 'other';

const words = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().split(' '));

/** How to show a list, or how much of it or of its items. */
const others = /* @__PURE__ */ words(
  'limit per_page perPage pageSize page_size size count maxResults max_results take first last include fields select context ' +
    'expand embed order orderBy order_by ordering orderDirection sort sortBy sort_by sortOrder sort_order sortDirection',
);
/** Where in a list an answer lies: what is created or deleted shifts all that lies behind it. */
const windows = /* @__PURE__ */ words(
  'page page[number] page_number pageNumber page_index pageIndex offset skip skiptoken start startAt start_cursor startCursor after before ' +
    'starting_after ending_before id_after cursor continue page_info page_token pageToken nextPageToken',
);
/** Whether an argument of this name counts pages, or the rows in front of one. */
export function isCount(name: string): boolean {
  return /^(pagination\[)?[$_]?(page(_?(number|index)|\[(number|offset))?|offset|skip|start(_?at)?)\]?$/i.test(name);
}

/** What a nested argument that asks for a page is called in a query string: `pagination[page]` of `pagination: { page }`; itself where it is none. */
export function namesIn(name: string, value: unknown): readonly string[] {
  if (!/^[$_]?(page|pagination)$/i.test(name)) return [name];
  const isText = typeof value === 'string' && value.startsWith('{');
  const told = isText ? orElse(() => JSON.parse(value) as unknown, undefined) : value;
  return isRecord(told) ? Object.keys(told).map((inner) => `${name}[${inner}]`) : [name];
}

/** Names that are as often a field of an entity. */
const ambiguous = /* @__PURE__ */ words('size count first last start select context order');
/** Names that begin with a sign, as a server's own do, and filter all the same. */
const filters = /* @__PURE__ */ words('$filter $search');

/** Whether an argument tells an order, in which items stand by a field: `$orderby`, `sort[]`, and not `fields[orders]`. */
export function isOrder(name: string): boolean {
  return /^[^[]*(?:order|sort)/i.test(name);
}

/** What an argument of this name says of a list, in any case, where nobody says otherwise; `declares` tells whether its entities have a field of a name. */
export function argumentKind(name: string, declares: (field: string) => boolean = () => false): ArgumentKind {
  const [stem, inner] = name.split('[', 2) as [string, string?];
  // Some servers mark their own names: `$skip`, `_page`.
  const said = stem.toLowerCase();
  const known = said.replace(/^[$_]/, '');
  if (ambiguous.has(known) && declares(stem)) return 'filter';
  // `page[size]`, `page[after]`: what stands in the brackets tells what is meant of the page.
  if ((known === 'page' || known === 'pagination') && inner !== undefined)
    return windows.has(name.toLowerCase()) || windows.has(inner.slice(0, -1).toLowerCase()) ? 'window' : 'other';
  if (windows.has(known)) return 'window';
  return others.has(known) || (/^[$_]/.test(name) && !filters.has(said)) ? 'other' : 'filter';
}

/** A name with its words apart. */
export function apart(name: string): string {
  return name.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1_$2');
}

/** Whether an argument of this name says what is sought, where no field is called so: `$search`, `minPrice`, `price_gte`, `price[lt]`, `dueBefore`. */
export function isSought(name: string): boolean {
  return /^\$?(?:q|query|search|filter|keyword|term)$|^(?:min|max)_|(?:^|[_[])(?:min|max|[gl]te?|like|before|after|since|until)\]?$/i.test(
    apart(name),
  );
}

/** The name of the table that holds the lists of these entities; in brackets, as no table of rows should be. */
export function listTable(name: string | undefined, tables: readonly string[]): string {
  const of = tables.join('|');
  return name === undefined || name === of ? `[${of}]` : `[${name}: ${of}]`;
}

/** The tables whose rows the lists of a table refer to; none for a table of rows. */
export function tablesOfLists(table: string): readonly string[] {
  const inside = /^\[(?:.*: )?(.*)\]$/.exec(table)?.[1];
  return inside === undefined ? [] : inside.split('|');
}
