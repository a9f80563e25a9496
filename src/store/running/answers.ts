import { orElse } from '../../errors.js';
import { isAbsent, none, type Row } from '../../schema/Schema.js';
import { keptPk } from '../../tables/aliases.js';
import { flatMapRows, isEmpty, noChanges, rowIn, type Changes } from '../../tables/changes.js';
import { sameValue } from '../../tables/same.js';
import { normalize, type NormalizeOptions, type Normalized } from '../../tables/normalize.js';
import { rowFrom, type Tables } from '../../tables/tables.js';
import { protocol } from '../endpoint.js';
import { questionOf } from '../reading/selectors.js';
import { answerIn } from '../reading/queryEndpoint.js';
import { snapshotOf } from '../reading/snapshot.js';
import { readerOf } from '../reading/StoreReader.js';
import { Places } from '../../tables/Places.js';
import { listedIn } from '../order/inPaths.js';
import { isMoved } from '../order/membership.js';
import type { Incoming } from '../order/event.js';
import { recordOf, type ResourcesState } from '../state.js';
import type { Flight } from './flight.js';
import { attempted, fieldsSent, sendsFields } from './attempt.js';
import { heldOf, isMisfit, normalizeExpected } from './guesses.js';

/** How an answer is taken apart, and over what. */
interface AnswerOptions extends Omit<NormalizeOptions, 'tables'> {
  readonly slice: ResourcesState;
}

/** An empty answer to an edit confirms what was sent; any other is what it says, and of what it does not mention what was sent. `drafted` is what its recipe has changed. */
export function normalizeAnswer(
  flight: Flight,
  response: unknown,
  drafted: Changes | undefined,
  { slice, ...given }: AnswerOptions,
): Normalized {
  const { tables } = slice;
  const { request, args, shown: before, target } = flight;
  const { endpoint } = request;
  const { name, schema } = endpoint;
  const [params] = endpoint[protocol].naming(args);
  const options = { args, params, name, before, target, tables, ...given };
  if (!endpoint.sideEffect) return normalize(schema, response, options);
  if (isAbsent(response)) return normalizeEmpty(flight, response, drafted, { slice, ...options });
  const changed = (drafted && target && rowIn(drafted, target.table, target.pk)) ?? {};
  let others: Places | undefined;
  // An address that is no pk, as `/users/me`, may mean another row by now.
  const isOther = (table: string, told: string): boolean => {
    const pk = keptPk(tables, table, told);
    const is = target
      ? target.renames === true && pk !== target.pk && rowFrom(tables, table, pk) !== undefined
      : rowFrom(before, table, pk) !== undefined;
    if (is) (others ??= new Places()).set(table, pk, true);
    return is;
  };
  const known = { changed, held: heldOf(tables, target), entity: target?.entity, isOther };
  const whole = endpoint[protocol].completed(args, response, known);
  const answered = normalize(schema, whole, { isWrite: true, ...options });
  const made = target ? madeBeside(drafted, answered, tables) : none;
  const normalized = made.length > 0 ? withChanges(answered, { rows: made, lists: none }) : answered;
  if (!others) return normalized;
  others.addAll(normalized.outdated ?? new Places());
  return { ...normalized, outdated: others };
}

function normalizeEmpty(
  { request: { endpoint }, args, target, about }: Flight,
  response: unknown,
  drafted: Changes = noChanges,
  { slice, ...given }: AnswerOptions,
): Normalized {
  const { tables } = slice;
  const options = { tables, ...given };
  const around = { about, held: heldOf(tables, target) };
  const snapshot = snapshotOf(tables, answerIn(slice));
  // Nothing where the user's code finds nothing any more.
  const confirmed = orElse(() => endpoint[protocol].confirmed(args, snapshot, around), undefined);
  try {
    if (confirmed) return withChanges(normalizeExpected(endpoint, confirmed, options, { isConfirmed: true }), drafted);
  } catch (error) {
    // What is sent may be no such thing at all: that is no failure of what the server has done.
    if (!isMisfit(error)) throw error;
  }
  if (!isEmpty(drafted)) return normalizedOf(drafted, target?.pk);
  return normalize(endpoint.schema, response, { isWrite: true, ...options });
}

/** The rows that a recipe has made, so that its own row may refer to them, and of which the answer says nothing. */
function madeBeside({ rows }: Changes = noChanges, { changes }: Normalized, tables: Tables): Changes['rows'] {
  return flatMapRows(rows, (table, pk, row) => {
    const isMade = row && !rowFrom(tables, table, pk) && !rowIn(changes, table, pk);
    return isMade ? [{ table, pks: [pk], rows: [row] }] : none;
  });
}

/** Changes that are known, as what an answer with this result says. */
export function normalizedOf(changes: Changes, result?: unknown): Normalized {
  return withChanges(normalize(undefined, result), changes);
}

/** What an answer says, and what a recipe has changed. */
function withChanges(normalized: Normalized, { rows, lists }: Changes): Normalized {
  const { changes } = normalized;
  return { ...normalized, changes: { rows: [...changes.rows, ...rows], lists: [...changes.lists, ...lists] } };
}

/** What a request says of itself when its answer lands. */
export function incomingOf(
  flight: Flight,
  { intents, tables }: ResourcesState,
  came: number,
  now: Changes = noChanges,
): Incoming {
  const { request, meta, sent = meta.seq, sentTables = {}, guess, isDrafted, shown, target } = flight;
  const { endpoint } = request;
  const { requestId, seq: asked, startedTimeStamp } = meta;
  const fields = endpoint.sideEffect ? fieldsSent(flight) : none;
  const own = intents.find((intent) => intent.requestId === requestId)?.changes ?? noChanges;
  // What is to be sent counts where the recipe says nothing.
  let tried = isDrafted ? undefined : guess;
  const drafted = (table: string, pk: string): Row => ({
    ...(guess && rowIn(guess, table, pk)),
    ...rowIn(own, table, pk),
    ...rowIn(now, table, pk),
  });
  return {
    kind: endpoint.sideEffect ? 'write' : 'read',
    requestId,
    asked,
    sent,
    came,
    startedTimeStamp,
    isGuessed: own !== noChanges,
    names: (table, pk, isOutermost) => {
      const changed = isDrafted ? drafted(table, pk) : (rowIn(guess ?? noChanges, table, pk) ?? {});
      return [...new Set([...(isOutermost ? fields : none), ...Object.keys(changed)])];
    },
    hasShownNews: (table, pk, field, value) => {
      if (Object.hasOwn(rowIn(own, table, pk) ?? {}, field)) return false;
      tried ??= attempted(flight, tables);
      const sentValue = { ...rowIn(tried, table, pk), ...(isDrafted && drafted(table, pk)) }[field];
      return !sameValue(sentValue, value) && !sameValue(rowFrom(sentTables, table, pk)?.[field], value);
    },
    wasConfirmed: (table, pk, field, value) => sameValue(rowFrom(sentTables, table, pk)?.[field], value),
    // A guess says what it changes.
    actsOn: (table, pk) =>
      !guess && target?.table === table && target.pk === pk && !sendsFields(flight, rowFrom(tables, table, pk)),
    hadMember: listedIn(sentTables),
    hasShown: (list, ref) => isMoved(own.lists, list, ref, true),
    shownBefore: (table, pk) => rowFrom(shown, table, flight.temporaryOf.get(pk) ?? pk),
  };
}

/** What a request has brought, as it is now; where its answer is the newest, the very value that selectors give. */
export function valueOf(slice: ResourcesState, flight: Flight, result: unknown): unknown {
  const { request, args, meta, isOutdated } = flight;
  const { endpoint } = request;
  const { key } = meta.arg;
  const reader = readerOf(slice);
  // What was invalidated under way selectors do not give: who has asked for it gets it all the same.
  const isNewest = !isOutdated && recordOf(slice, endpoint.name, key)?.answer?.requestId === meta.requestId;
  if (!isNewest) return reader.read(slice, endpoint.schema, result);
  return reader.reading(slice, questionOf(endpoint, args, key)).value;
}
