import type { Changes } from '../tables/changes.js';
import { Reach } from '../tables/Reach.js';
import { eachRow } from '../tables/tables.js';
import type { Uses } from './collect.js';
import type { ResourcesState } from './state.js';

/** The requests whose answers show rows or lists that a write may have changed without saying so. */
export function doubtful(
  { requests, tables }: ResourcesState,
  { rows, lists }: Changes,
  endpointOf: Uses['endpointOf'],
): readonly string[] {
  const names: string[] = [];
  eachRow(requests, ({ answer }, name) => {
    const endpoint = endpointOf(name);
    if (!answer) return;
    const reach = new Reach<true>(tables);
    if (endpoint) reach.from(endpoint.schema, answer.result, true);
    const isTouched =
      rows.some(({ table, pks }) => pks.some((pk) => reach.has(table, pk))) ||
      lists.some(({ table, pk }) => reach.has(table, pk));
    // Of an endpoint that nobody knows, nobody knows what its answers show.
    if (!endpoint || isTouched) names.push(name);
  });
  return names;
}
