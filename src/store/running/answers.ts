import type { Row } from '../../schema/Schema.js';
import { noChanges, rowIn, sameValue, type Changes } from '../../tables/changes.js';
import { normalize, type NormalizeOptions, type Normalized } from '../../tables/normalize.js';
import { rowOf, tableOf, type Tables } from '../../tables/tables.js';
import { protocol, type AnyEndpoint, type Expectation } from '../endpoint.js';
import { questionOf } from '../reading/selectors.js';
import { snapshotOf } from '../reading/snapshot.js';
import { readerOf } from '../reading/StoreReader.js';
import type { Settling } from '../order/settling.js';
import { recordOf, type ResourcesState } from '../state.js';
import type { Flight } from './flights.js';
import { changesOf, normalizeExpected } from './guesses.js';

/** An empty answer to an edit confirms what was sent; any other is what it says. */
export function normalizeAnswer(endpoint: AnyEndpoint, response: unknown, options: NormalizeOptions): Normalized {
  const isEmptyAnswer = (response ?? undefined) === undefined;
  const confirmed = isEmptyAnswer ? confirmedBy(endpoint, options.args ?? [], options.tables ?? {}) : undefined;
  return confirmed ? normalizeExpected(endpoint, confirmed, options) : normalize(endpoint.schema, response, options);
}

/** What an empty answer confirms; nothing where the user's code finds nothing any more. */
function confirmedBy(endpoint: AnyEndpoint, args: readonly unknown[], tables: Tables): Expectation | undefined {
  try {
    return endpoint[protocol].confirmed(args, snapshotOf(tables));
  } catch {
    return undefined;
  }
}

/** What a write names, and what is news beside it. */
export function claimsOf(
  { request, args, meta, sentTables = {}, guess }: Flight,
  { intents, tables }: ResourcesState,
): Pick<Settling, 'names' | 'moves' | 'hasSeenNews'> {
  const { endpoint } = request;
  const named = endpoint.sideEffect ? endpoint[protocol].named(args) : [];
  const shown = intents.find(({ requestId }) => requestId === meta.requestId)?.changes ?? noChanges;
  let sent = guess;
  return {
    names: (table, pk, isOutermost) =>
      named ? (isOutermost ? named : []) : Object.keys(rowIn(guess ?? noChanges, table, pk) ?? {}),
    moves: shown.lists.filter(({ follows }) => follows),
    hasSeenNews: (table, pk, field, value, hasChanged) => {
      if (Object.hasOwn(rowIn(shown, table, pk) ?? {}, field)) return false;
      sent ??= attempted(endpoint, args, meta.requestId, tables);
      if (sameValue(rowIn(sent, table, pk)?.[field], value)) return false;
      // A table that is called after an entity holds rows.
      const known = rowOf(tableOf(sentTables, table), pk) as Row | undefined;
      return hasChanged || !sameValue(known?.[field], value);
    },
  };
}

/** What a write tries to change; nothing where that cannot even be expected. */
export function attempted(endpoint: AnyEndpoint, args: readonly unknown[], requestId: string, tables: Tables): Changes {
  try {
    const expected = endpoint[protocol].attempted(args);
    return expected ? changesOf(endpoint, args, expected, tables, requestId) : noChanges;
  } catch {
    return noChanges;
  }
}

/** What a request has brought, as it is now; where its answer is the newest, the very value that selectors give. */
export function valueOf(slice: ResourcesState, { request, args, meta }: Flight, result: unknown): unknown {
  const { endpoint } = request;
  const { key } = meta.arg;
  const reader = readerOf(slice);
  const isNewest = recordOf(slice, endpoint.name, key)?.answer?.requestId === meta.requestId;
  return isNewest ? reader.answer(slice, questionOf(endpoint, args, key)) : reader.read(slice, endpoint.schema, result);
}
