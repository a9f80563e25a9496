import type { Changes } from '../tables/changes.js';
import { eachRow } from '../tables/tables.js';
import type { ResourcesState } from './state.js';

/** The requests whose answers speak of rows or lists that a write may have changed without saying so. */
export function doubtful({ requests }: ResourcesState, { rows, lists }: Changes): readonly string[] {
  const touched = new Set([...rows.flatMap(({ pks }) => pks), ...lists.map(({ pk }) => pk)]);
  const names: string[] = [];
  eachRow(requests, ({ answer }, name) => {
    if (answer && mentions(answer.result, touched)) names.push(name);
  });
  return names;
}

/** Whether a result is a reference to one of these, or a shape or a list with one in it. */
function mentions(result: unknown, pks: ReadonlySet<string>): boolean {
  if (typeof result === 'string') return pks.has(result);
  if (typeof result !== 'object' || result === null) return false;
  return Object.values(result).some((inner) => typeof inner === 'string' && pks.has(inner));
}
