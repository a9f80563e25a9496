import type { EntitySchema } from '../../schema/EntitySchema.js';
import { keyValue } from '../../schema/listKey.js';
import { none, type Row } from '../../schema/Schema.js';
import { partsOf } from '../../tables/Reach.js';
import { keptPk } from '../../tables/aliases.js';
import type { Target } from '../../tables/NormalizeOptions.js';
import { pksOf, rowFrom, rowOf, tableOf, type Table } from '../../tables/tables.js';
import { protocol, type About, type AnyEndpoint } from '../endpoint.js';
import { readsAt, type ResourcesState } from '../state.js';

/** Finds the endpoint of a request by what the request is kept under. */
export type EndpointOf = (name: string) => AnyEndpoint | undefined;

/** The row that a write is about, and its class. */
export interface KnownTarget extends Target {
  readonly entity: EntitySchema;
}

/**
 * The row that a write is about: by the pk that its arguments give, by what the same address has answered with before, or by a
 * natural key of its class. Undefined where nothing tells, or the write makes rows.
 */
export function targetOf(
  endpoint: AnyEndpoint,
  args: readonly unknown[],
  slice: ResourcesState,
  endpointOf: EndpointOf,
): KnownTarget | undefined {
  const about = endpoint.sideEffect ? endpoint[protocol].about(args, slice.tables) : undefined;
  if (!about?.entity) return undefined;
  const { pk: told, entity, renames, path, named } = about;
  const { table } = entity;
  const known = told === undefined ? undefined : keptPk(slice.tables, table, told);
  const answered = (): string | undefined => answeredAt(endpoint[protocol].address(args), entity, slice, endpointOf);
  const isThere = known !== undefined && rowFrom(slice.tables, table, known) !== undefined;
  const pk = isThere ? known : (rowMeant(about, entity, slice, answered()) ?? known);
  return pk === undefined ? undefined : { table, pk, entity, told, renames, path, named };
}

/** The row that the same address was `answered` with, as `/users/me` is; but where that has another natural key by now than the one asked for, the row that has it. */
function rowMeant(
  about: About,
  entity: EntitySchema,
  slice: ResourcesState,
  answered: string | undefined,
): string | undefined {
  const row = answered === undefined ? undefined : rowFrom(slice.tables, entity.table, answered);
  const isOther = entity.indexes.some((field) => {
    const [asked, has] = [keyValue(about.params, field), keyValue(row, field)];
    return asked !== undefined && asked !== has && (has !== undefined || row === undefined);
  });
  if (answered !== undefined && !isOther) return answered;
  const other = indexed(about, entity, slice);
  // A row that does not tell all of the path may be one of another place, as where slugs are unique in their project.
  const isHere = (pk: string): boolean =>
    Object.keys(about.inPath).every((name) => keyValue(rowFrom(slice.tables, entity.table, pk), name) !== undefined);
  return other !== undefined && (answered === undefined || isHere(other)) ? other : answered;
}

/** The one row of the class that the newest answer at an address is made of. */
function answeredAt(
  address: string,
  entity: EntitySchema,
  slice: ResourcesState,
  endpointOf: EndpointOf,
): string | undefined {
  const found = readsAt(slice, address).flatMap((name): readonly string[] => {
    const { answer } = rowOf(slice.requests, name) ?? {};
    const endpoint = answer && endpointOf(name);
    const rows = partsOf(endpoint?.schema, answer?.result).filter(({ table }) => table === entity.table);
    return rows.length === 1 ? rows.map(({ pk }) => pk) : none;
  });
  return found.at(-1);
}

/** The one row that has all natural keys which the arguments give, and differs from no parameter of the call. */
function indexed(
  { params, inPath, body }: About,
  entity: EntitySchema,
  { tables }: ResourcesState,
): string | undefined {
  const given = (from: unknown): readonly string[] =>
    entity.indexes.filter((field) => keyValue(from, field) !== undefined);
  const from = given(params).length > 0 ? params : body;
  const fields = given(from);
  if (fields.length === 0) return undefined;
  // A table that is called after an entity holds rows.
  const found = pksOf(
    tableOf(tables, entity.table) as Table<Row> | undefined,
    (row) => fields.every((field) => keyValue(row, field) === keyValue(from, field)) && !differsIn(row, inPath),
  );
  return found.length === 1 ? found[0] : undefined;
}

function differsIn(row: Row, given: Row): boolean {
  return Object.keys(given).some((name) => (keyValue(row, name) ?? keyValue(given, name)) !== keyValue(given, name));
}
