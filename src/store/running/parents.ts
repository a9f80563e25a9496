import { pick } from '../../schema/Schema.js';
import { rowIn, type Changes } from '../../tables/changes.js';
import { rowFrom, type Tables } from '../../tables/tables.js';
import { protocol } from '../endpoint.js';
import type { Flight } from './flights.js';

/** Bundlers replace `process.env.NODE_ENV`, and leave out of production what stands behind it: what a warning calls is else in each bundle. */
declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** So many rows are remembered. */
const MOST = 200;
/** Below what the latest rows were read, in development: the parameters that stand before their ids in the path. */
const readBelow = new Map<string, string>();

/**
 * What to warn of where a row that was read below one thing is read below another, and says something else there: ids may be unique below each thing only, as
 * in `/tenants/:tenant/contacts/:id`.
 */
export function changedBelow(
  flight: Flight,
  tables: Tables,
  changes: Changes,
): readonly [cause: string, text: string] | undefined {
  const read = process.env.NODE_ENV === 'production' ? undefined : readOf(flight);
  if (!read) return undefined;
  const { name, table, pk, below } = read;
  const was = readBelow.get(`${table} ${pk}`);
  if (readBelow.size >= MOST) readBelow.clear();
  readBelow.set(`${table} ${pk}`, below);
  const isChanged = rowFrom(tables, table, pk) !== undefined && rowIn(changes, table, pk) !== undefined;
  if (!isChanged || was === undefined || was === below) return undefined;
  return [
    `below ${name}`,
    `${name} has read ${table} ${pk} below ${below}, and before below ${was}, where it had other values. If these are two items, give ${table} a pk() of both: see docs/guides/ids.md, "Ids that are unique below something".`,
  ];
}

/** The row that a read asks for by the last parameter of its path, and those that stand before it; undefined where there are none. */
function readOf({ request: { endpoint }, args }: Flight) {
  const { entity, pk, inPath = {}, named } = endpoint[protocol].about(args) ?? {};
  if (endpoint.sideEffect || !entity || pk === undefined || !named) return undefined;
  const below = JSON.stringify(pick(inPath, (name) => !Object.hasOwn(named, name) && !entity.declares(name)));
  return below === '{}' ? undefined : { name: endpoint.name, table: entity.table, pk, below };
}
