import { keyNames, listPk } from '../../schema/listKey.js';
import { pick, type Row } from '../../schema/Schema.js';
import { rowIn, type Changes } from '../../tables/changes.js';
import { sameValue } from '../../tables/same.js';
import { rowFrom, type Tables } from '../../tables/tables.js';
import { protocol } from '../endpoint.js';
import type { Flight } from './flight.js';

/** Bundlers replace `process.env.NODE_ENV`, and leave out of production what stands behind it: what a warning calls is else in each bundle. */
declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** So many rows are remembered. */
const MOST = 200;
/** Below what the latest rows were read, in development: the parameters that stand before their ids in the path. */
const readBelow = new Map<string, string>();

/**
 * What to warn of where a row that was read below one thing is read below another of its kind, and says something else there: ids may be unique below each
 * thing only, as in `/tenants/:tenant/contacts/:id`. What a write changes may be where its row stands.
 */
export function changedBelow(
  flight: Flight,
  tables: Tables,
  changes: Changes,
): readonly [cause: string, text: string] | undefined {
  if (process.env.NODE_ENV === 'production') return undefined;
  if (flight.request.endpoint.sideEffect) forget(changes);
  const read = readOf(flight);
  if (!read) return undefined;
  const { name, table, pk, below } = read;
  const was = readBelow.get(`${table} ${pk}`);
  if (readBelow.size >= MOST) readBelow.clear();
  readBelow.set(`${table} ${pk}`, below);
  const isOther = was !== undefined && was !== below && keyNames(was) === keyNames(below);
  if (!isOther || !isChanged(rowFrom(tables, table, pk), rowIn(changes, table, pk))) return undefined;
  return [
    `below ${name}`,
    `${name} has read ${table} ${pk} below ${below}, and before below ${was}, where it had other values. If these are two items, give ${table} a pk() of both: see docs/guides/ids.md, "Ids that are unique below something".`,
  ];
}

/** The row that a read asks for by the last parameter of its path, and those that stand before it; undefined where there are none. */
function readOf({ request: { endpoint }, args }: Flight) {
  const { entity, pk, inPath = {}, named } = endpoint[protocol].about(args) ?? {};
  if (endpoint.sideEffect || !entity || pk === undefined || !named) return undefined;
  const below = listPk(pick(inPath, (name) => !Object.hasOwn(named, name) && !entity.declares(name)));
  return below === '{}' ? undefined : { name: endpoint.name, table: entity.table, pk, below };
}

/** Whether a field that a row had has another value. */
function isChanged(before: Row = {}, after: Row | null | undefined): boolean {
  return Object.keys(after ?? {}).some(
    (field) => Object.hasOwn(before, field) && !sameValue(before[field], after?.[field]),
  );
}

/** Forgets below what the rows of changes were read. */
function forget({ rows }: Changes): void {
  for (const { table, pks } of rows) for (const pk of pks) readBelow.delete(`${table} ${pk}`);
}
