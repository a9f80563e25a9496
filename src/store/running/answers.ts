import type { Row } from '../../schema/Schema.js';
import type { Changes } from '../../tables/changes.js';
import { normalize, type NormalizeOptions, type Normalized } from '../../tables/normalize.js';
import type { Tables } from '../../tables/tables.js';
import type { Expectation, Requestable } from '../endpoint.js';
import { snapshotOf } from '../reading/snapshot.js';
import { normalizeExpected } from './guesses.js';

/** The fields that changes have of a row. */
export function rowIn(changes: Changes | undefined, table: string, pk: string): Row | undefined {
  for (const { table: name, pks, rows } of changes?.rows ?? []) {
    const row = name === table ? rows[pks.indexOf(pk)] : undefined;
    if (row) return row;
  }
  return undefined;
}

/** An empty answer to an edit confirms what was sent; any other is what it says. */
export function normalizeAnswer(endpoint: Requestable, response: unknown, options: NormalizeOptions): Normalized {
  const isEmptyAnswer = (response ?? undefined) === undefined;
  const confirmed = isEmptyAnswer ? confirmedBy(endpoint, options.args ?? [], options.tables ?? {}) : undefined;
  return confirmed ? normalizeExpected(endpoint, confirmed, options) : normalize(endpoint.schema, response, options);
}

/** What an empty answer confirms; nothing where the user's code finds nothing any more. */
function confirmedBy(endpoint: Requestable, args: readonly unknown[], tables: Tables): Expectation | undefined {
  try {
    return endpoint.confirmed?.(args, snapshotOf(tables));
  } catch {
    return undefined;
  }
}
