import { orElse } from '../../errors.js';
import { none, type Row } from '../../schema/Schema.js';
import { noChanges, rowIn, type Changes } from '../../tables/changes.js';
import { schemaOf } from '../../schema/schemaOf.js';
import type { Place } from '../../tables/Places.js';
import { sameValue } from '../../tables/same.js';
import type { Tables } from '../../tables/tables.js';
import { protocol } from '../endpoint.js';
import type { Flight } from './flight.js';
import { changesOf, heldOf } from './guesses.js';

export function fieldsSent({ request: { endpoint }, args }: Pick<Flight, 'request' | 'args'>): readonly string[] {
  return endpoint[protocol].named(args) ?? none;
}

/** The fields that a write names of its row: those that it sends, and those that its recipe changes. */
export function namedBy(flight: Flight): readonly string[] {
  return [...new Set([...fieldsSent(flight), ...Object.keys(guessedBy(flight) ?? {})])];
}

function guessedBy({ guess, target }: Flight): Row | null | undefined {
  return guess && target ? rowIn(guess, target.table, target.pk) : undefined;
}

/** Whether all that a write sends are fields of a row, as its class declares them or the row has them. */
export function sendsFields(flight: Flight, row: Row = {}): boolean {
  const sent = fieldsSent(flight);
  return sent.length > 0 && sent.every((field) => flight.target?.entity.declares(field) || Object.hasOwn(row, field));
}

/** Whether it is known without its answer what a write does: a guess of the user's own code says it, or that is a deletion. */
export function isForetold({ guess, request }: Flight): boolean {
  return Boolean(guess ?? schemaOf(request.endpoint.schema)?.holdsNothing);
}

/** What a write tries to change; nothing where that cannot even be expected. */
export function attempted(
  { request: { endpoint }, args, target, meta }: Flight,
  tables: Tables,
  expected: readonly Place[] = none,
): Changes {
  const find = (): Changes => {
    const tried = endpoint[protocol].attempted(args, heldOf(tables, target));
    const write = { endpoint, args, target, requestId: meta.requestId };
    return tried ? changesOf(write, tried, { tables, expected }) : noChanges;
  };
  return orElse(find, noChanges);
}

/** What the body of a write sets of its row. */
export function sentBy(flight: Flight, tables: Tables): Row {
  const { target } = flight;
  return (target && rowIn(attempted(flight, tables), target.table, target.pk)) ?? {};
}

/** What a write sets of its row: its body, and its recipe. */
export function setBy(flight: Flight, tables: Tables): Row {
  return { ...sentBy(flight, tables), ...(flight.isDrafted && guessedBy(flight)) };
}

/** Whether a row has what a write sets already; of what is no field of it, as a password, nobody can tell. */
export function isSetIn(row: Row, flight: Flight, tables: Tables): boolean {
  const set = setBy(flight, tables);
  const fields = Object.entries(set);
  const isSet = fields.length > 0 && fields.every(([field, value]) => sameValue(value, row[field]));
  return isSet && fieldsSent(flight).every((field) => Object.hasOwn(set, field));
}
