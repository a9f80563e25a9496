import type { Tables } from '../../tables/tables.js';
import { protocol, type AnyEndpoint } from '../endpoint.js';
import { queryTables } from './finder.js';

/** What the tables have for the arguments of an endpoint. */
export function queryEndpoint(tables: Tables, endpoint: AnyEndpoint, args: readonly unknown[]): unknown {
  return queryTables(tables, endpoint.schema, endpoint[protocol].naming(args));
}
