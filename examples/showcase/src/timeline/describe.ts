import type { FulfilledAction } from 'rtk-resource';
import { isAnyOf, isListOf, isObject, isOneOf, isRecord, isString } from '../guards';

/** What an answer, or what is expected of it, changes in the store. */
export interface Changes {
  readonly rows: readonly Pick<FulfilledAction['meta']['changes']['rows'][number], 'table' | 'pks' | 'rows'>[];
}

export const isChanges = isObject<Changes>({
  rows: isListOf(
    isObject({ table: isString, pks: isListOf(isString), rows: isListOf(isAnyOf(isRecord, isOneOf(null))) }),
  ),
});

/** So many rows are named one by one. */
const few = 2;

/** Changes in words, as in `Issue 12: title, status`. */
export function describeChanges(changes: Changes | undefined): string[] {
  if (!changes) return [];
  return changes.rows.flatMap(({ table, pks, rows }) => {
    if (pks.length > few) return [`${pks.length} × ${table}`];
    return rows.map((row, i) => describeRow(`${table} ${shorten(pks[i])}`, row));
  });
}

function describeRow(name: string, row: Readonly<Record<string, unknown>> | null): string {
  if (row === null) return `${name} is gone`;
  const fields = Object.entries(row).filter(([field]) => field !== 'id');
  if (fields.length > few + 1) return name;
  return `${name}: ${fields.map(([field, value]) => `${field} ${inWords(value)}`).join(', ')}`;
}

function inWords(value: unknown): string {
  if (typeof value === 'string') return value.length > 28 ? `“${value.slice(0, 27)}…”` : `“${value}”`;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '…';
}

/** A temporary id is long. */
function shorten(pk = ''): string {
  return pk.startsWith('~') ? 'new' : pk;
}
