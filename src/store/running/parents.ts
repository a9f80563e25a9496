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
  { request: { endpoint }, args }: Flight,
  tables: Tables,
  changes: Changes,
): readonly [cause: string, text: string] | undefined {
  if (process.env.NODE_ENV === 'production' || endpoint.sideEffect) return undefined;
  const { entity, pk, inPath = {}, named } = endpoint[protocol].about(args) ?? {};
  if (!entity || pk === undefined || !named) return undefined;
  const { table } = entity;
  const below = pick(inPath, (name) => !Object.hasOwn(named, name) && !entity.declares(name));
  const [now, was] = [JSON.stringify(below), readBelow.get(`${table} ${pk}`)];
  if (readBelow.size >= MOST) readBelow.clear();
  // Where nothing stands before the id, there is nothing to compare.
  if (now !== '{}') readBelow.set(`${table} ${pk}`, now);
  const isChanged = rowFrom(tables, table, pk) !== undefined && rowIn(changes, table, pk) !== undefined;
  if (was === undefined || was === now || !isChanged) return undefined;
  return [
    `below ${endpoint.name}`,
    `${endpoint.name} has read ${table} ${pk} below ${now}, and before below ${was}, where it had other values. If these are two items, give ${table} a pk() of both: see docs/guides/ids.md, "Ids that are unique below something".`,
  ];
}
