import { orElse, warnOnce } from '../../errors.js';
import { toldPk } from '../../schema/EntitySchema.js';
import { isForm } from '../../schema/json.js';
import { isLists, isMembers } from '../../schema/ListsSchema.js';
import {
  isAbsent,
  isPlain,
  isRecord,
  isScalar,
  none,
  own,
  pick,
  type Definition,
  type Row,
} from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { levelsOf } from '../../schema/subject.js';
import { isTotal } from '../../schema/Total.js';
import { isEmpty, noChanges, rowIn, type Changes } from '../../tables/changes.js';
import { Places, type Place } from '../../tables/Places.js';
import { partsOf } from '../../tables/Reach.js';
import { rowFrom, type Tables } from '../../tables/tables.js';
import { protocol } from '../endpoint.js';
import { fieldsSent, isForetold } from './attempt.js';
import { creates, type Flight } from './flight.js';
import { isRefusal } from './failure.js';
import { heldOf } from './guesses.js';
import { hasFields } from './plain.js';
import type { KnownTarget } from './target.js';

/** What was there before the answer to a write, and what that has told and changed. */
export interface Answered {
  /** What was confirmed before. */
  readonly tables: Tables;
  readonly changes: Changes;
  readonly told: unknown;
  /** What was told; undefined where that says nothing of the row. */
  readonly response: unknown;
  /** The status of the answer, where it is known. */
  readonly status: number | undefined;
  /** A recipe says what it has changed. */
  readonly isDrafted: boolean;
}

/** Whether an answer to a write says just that it was done. */
export function saysDone(flight: Flight, answered: Answered): boolean {
  return isAbsent(answered.response) || (!flight.target && namesAlone(flight, answered));
}

/** Whether an answer to a write of many rows says nothing of them: it names them alone, as `[1, 2]` and `[{ id: 1 }]`, or says that all went well. */
function namesAlone(flight: Flight, { response, changes }: Answered): boolean {
  // Of what was created, other rules tell.
  if (creates(flight) || !isEmpty(changes)) return false;
  const schemas = levelsOf(flight.request.endpoint.schema).flat();
  if (!schemas.some((one) => isMembers(one) || isLists(one))) return false;
  const isOne = (one: unknown): boolean => isScalar(one) || (isRecord(one) && Object.keys(one).length === 1);
  const areBare = (all: unknown): boolean => Array.isArray(all) && all.length > 0 && all.every(isOne);
  return Object.values(isRecord(response) ? response : [response]).every((one) => isScalar(one) || areBare(one));
}

/** Whether an answer to an edit leaves open what the server has of its row. */
export function leavesOpen(flight: Flight, answered: Answered): boolean {
  const { request, args, target } = flight;
  const { tables, response } = answered;
  if (target && lacksRelated(flight, target, answered)) return true;
  // Most answers mention all that was sent: what that says, need not be found out again.
  if (hasFields(response, fieldsSent(flight))) return false;
  const { unsaid = none, existing = false } = request.endpoint[protocol].attempted(args, heldOf(tables, target)) ?? {};
  if (unsaid.length > 0 && isUntold(unsaid, response)) return true;
  if (target === undefined) return namesAlone(flight, answered);
  return (existing && isCut(target, answered)) || isSilent(flight, target, answered);
}

/** The rows beside its own that a write was expected to change, in fields that its answer neither mentions nor confirms. */
export function leftBeside({ guess = noChanges, target }: Flight, { tables, changes, response }: Answered): Places {
  const left = new Places();
  for (const { table, pks, rows } of guess.rows)
    pks.forEach((pk, i) => {
      const isOther = !isTotal(table) && (table !== target?.table || pk !== target.pk) && rowFrom(tables, table, pk);
      const confirmed = rowIn(changes, table, pk) ?? {};
      const open = Object.keys(rows[i] ?? {}).filter((field) => !Object.hasOwn(confirmed, field));
      if (isOther && isUntold(open, response)) left.set(table, pk, true);
    });
  return left;
}

/** Whether an answer does not mention one of some fields, in whatever envelope. */
function isUntold(fields: readonly string[], response: unknown): boolean {
  // One that is too deep to be read mentions nothing.
  const told = orElse(() => JSON.stringify(response ?? null), '');
  return fields.some((field) => !told.includes(`${JSON.stringify(field)}:`));
}

/** Whether an answer that says nothing of the row of a write says that it has failed, as `{ success: false }` does, whatever its status says. */
export function denies(
  { request: { endpoint }, target }: Flight,
  { told, response, tables }: Pick<Answered, 'told' | 'response' | 'tables'>,
): boolean {
  if (!isRecord(told)) return false;
  const before = heldOf(tables, target) ?? {};
  // An answer to a deletion may be the row.
  const isOfRow = schemaOf(endpoint.schema)?.holdsNothing
    ? Object.keys(told).some((name) => Object.hasOwn(before, name))
    : told === response;
  // What the class declares says something of a row.
  if (isOfRow || !isRefusal(pick(told, (name) => !target?.entity.declares(name)))) return false;
  warnOnce(() => [
    `denied ${endpoint.name}`,
    `The answer to ${endpoint.name} says that it failed, and its status that it succeeded, so what shows its item is fetched again. To reject such an answer, throw in process.`,
  ]);
  return true;
}

/**
 * Whether an empty answer confirms what nobody knows: an edit without a body, one that sends what is no field of the row, or a form, whose texts need
 * not be what the server makes of them.
 */
function isSilent(flight: Flight, target: KnownTarget, answered: Answered): boolean {
  const { args } = flight;
  if (!isAbsent(answered.response) || isForetold(flight)) return false;
  const named = fieldsSent(flight);
  const { pk, entity } = target;
  const row = rowAfter(target, answered);
  // What tells which row is meant, as the body of a `remove` does, is no field to be confirmed.
  const isPk = (field: string): boolean =>
    args.some((one) => isRecord(one) && toldPk(entity, { [field]: own(one, field) }) === pk);
  if (named.length === 0 || args.some(isForm)) return true;
  // What is named of a row that nobody has yet waits for the row.
  return row !== undefined && named.some((field) => !Object.hasOwn(row, field) && !isPk(field));
}

/** The row of an edit after its answer; undefined where it was not there. */
function rowAfter({ table, pk }: Place, { tables, changes }: Answered): Row | undefined {
  const before = rowFrom(tables, table, pk);
  return before && { ...before, ...rowIn(changes, table, pk) };
}

/** Whether an edit sends the pk of a row that is not there, and its answer does not tell that row: not the field either, or its pk alone where a row was there before. */
function lacksRelated(flight: Flight, target: KnownTarget, answered: Answered): boolean {
  const { tables, changes, response } = answered;
  const row = rowAfter(target, answered);
  if (!row || isForetold(flight)) return false;
  const before = rowFrom(tables, target.table, target.pk);
  const named = new Set(fieldsSent(flight));
  const isThere = ({ table, pk }: Place): boolean =>
    (rowFrom(tables, table, pk) ?? rowIn(changes, table, pk)) !== undefined;
  const wasThere = (field: string, schema: Definition): boolean => {
    const was = partsOf(schema, before?.[field]);
    return was.length > 0 && was.every(isThere);
  };
  return target.entity.nested.some(
    ([field, schema]) =>
      named.has(field) &&
      !partsOf(schema, row[field]).every(isThere) &&
      (!hasFields(response, [field]) || wasThere(field, schema)),
  );
}

/** Whether a nested object of the row of an edit has lost keys of which an answer tells nothing: what was sent of it may be all of it, or the part to change. */
function isCut({ table, pk }: KnownTarget, { tables, changes, response }: Answered): boolean {
  const before = rowFrom(tables, table, pk);
  const after = rowIn(changes, table, pk) ?? {};
  return Object.keys(after).some((field) => {
    const [had, has] = [own(before, field), after[field]];
    const isTold = isRecord(response) && Object.hasOwn(response, field);
    return !isTold && isPlain(had) && isPlain(has) && Object.keys(had).some((key) => !Object.hasOwn(has, key));
  });
}
