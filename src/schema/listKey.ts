import { isRecord } from './Schema.js';

/** What tells one list of a Collection from another: its arguments, as strings. */
export type ListKey = Readonly<Record<string, string>>;

/** An argument as it takes part in a key: what goes into a query string is a string there. */
function argument(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
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

/** The value under a name, as a key would have it; undefined where there is none. */
export function keyValue(from: unknown, name: string): string | undefined {
  return isRecord(from) && Object.hasOwn(from, name) ? argument(from[name]) : undefined;
}

/** Arguments that say how to show a list, or how much of it or of its items, and not what belongs to it. */
const nonFilters = new Set(
  (
    'limit per_page perPage pageSize page_size take first last include fields expand embed order orderBy order_by ordering ' +
    'orderDirection sort sortBy sort_by sortOrder sort_order sortDirection'
  )
    .toLowerCase()
    .split(' '),
);

/** Whether a name is known for an order, a number of items, or what is told of each; in any case. */
export function isNonFilter(name: string): boolean {
  return nonFilters.has(name.toLowerCase());
}

/** Arguments that say where in a list an answer lies: what is created or deleted shifts all that lies behind it. */
const windows = new Set(['page', 'offset', 'skip', 'after', 'before', 'cursor']);

/** Whether an argument says where in a list an answer lies; in any case. A list's pagination field is none of its arguments. */
export function isWindow(name: string): boolean {
  return windows.has(name.toLowerCase());
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
