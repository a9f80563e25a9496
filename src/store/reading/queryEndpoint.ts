import { orElse } from '../../errors.js';
import type { Tables } from '../../tables/tables.js';
import { protocol, type AnyEndpoint } from '../endpoint.js';
import { recordOf, requestPk, type ResourcesState } from '../state.js';
import { queryTables } from './finder.js';
import { hasAnswer, resultIn } from './StoreReader.js';

/** What the tables have for the arguments of an endpoint. */
export function queryEndpoint(tables: Tables, endpoint: AnyEndpoint, args: readonly unknown[]): unknown {
  return queryTables(tables, endpoint.schema, endpoint[protocol].naming(args));
}

/** What its own answer has brought for the arguments of an endpoint, else what the tables have for them. */
export function answerIn(slice: ResourcesState): typeof queryEndpoint {
  return (tables, endpoint, args) => {
    const given = endpoint[protocol].plainArgs(args);
    const key = orElse(() => endpoint.key(...given), undefined);
    const record = key === undefined ? undefined : recordOf(slice, endpoint.name, key);
    const result = hasAnswer(record) ? record.answer.result : undefined;
    return resultIn(tables, requestPk(endpoint.name, key ?? ''), result ?? queryEndpoint(tables, endpoint, given));
  };
}
