import type { ListsSchema } from '../../schema/ListsSchema.js';
import { fits, keyValue, listKey } from '../../schema/listKey.js';
import { getOrMake, none, type Ref, type Row } from '../../schema/Schema.js';
import { schemaOf } from '../../schema/schemaOf.js';
import { hasMember } from '../../tables/members.js';
import type { Place } from '../../tables/Places.js';
import { eachRow, listFrom, tableOf, type Tables } from '../../tables/tables.js';

/** Whether a list has a row. */
export type Has = (list: Place, ref: Ref) => boolean;

/** A row before and after it is edited. */
interface Edited extends Place {
  readonly befores: readonly Row[];
  readonly after: Row;
}

/** Whether a row is below a path that has this value for a parameter, as its lists tell; undefined where the row tells, or nobody. */
export type InPaths = (name: string, value: string) => boolean | undefined;

/** Tells whether tables have a row in a list. */
export function listedIn(tables: Tables): Has {
  return ({ table, pk }, ref) => hasMember(listFrom(tables, table, pk), ref);
}

/**
 * Asks the lists that have a row for a parameter of their path that the row does not tell, or tells by another name: `/projects/ants/tasks` of
 * `project: 4`. An edit that leaves the field as it was takes the row to no other path.
 */
export function inPathsOf(
  collection: ListsSchema,
  { table, pk, befores, after }: Edited,
  { tables, has }: { readonly tables: Tables; readonly has: Has },
): InPaths {
  const known = new Map<string, readonly string[]>();
  return (name, value) => {
    if (!collection.pathNames.has(name)) return undefined;
    const told = toldIn(collection, after, name, pk);
    if (
      told !== undefined &&
      (fits(told, value) || befores.some((before) => toldIn(collection, before, name, pk) !== told))
    )
      return undefined;
    const values = getOrMake(known, name, () => valuesOf(name));
    return values.includes(value) || (told === undefined && values.length > 0 ? false : undefined);
  };

  function valuesOf(name: string): readonly string[] {
    const ref = refOf(collection, table, pk, after);
    const values: string[] = [];
    if (ref === undefined) return values;
    eachRow(tableOf(tables, collection.table), (_, list) => {
      const { [name]: value } = listKey(list);
      if (value !== undefined && has({ table: collection.table, pk: list }, ref)) values.push(value);
    });
    return values;
  }
}

/** The value that a row tells for an argument; undefined where it has no such field, or the argument means another row. */
export function toldIn(collection: ListsSchema, row: Row, name: string, pk: string): string | undefined {
  const value = keyValue(row, name) ?? (Object.hasOwn(row, name) ? '' : undefined);
  return value === pk && collection.isPkInPath(name, value) ? undefined : value;
}

/** What lists tell of a row's path, as a call with the parameters of one of them; undefined where the row is below another. */
export function callIn(inPaths: InPaths, list: string): readonly unknown[] | undefined {
  const params = Object.entries(listKey(list)).map(([name, value]) => [name, value, inPaths(name, value)] as const);
  if (params.some(([, , is]) => is === false)) return undefined;
  const told = params.filter(([, , is]) => is);
  return told.length > 0 ? [Object.fromEntries(told)] : none;
}

/** What stands for a row in the lists of a Collection; undefined where nothing tells. */
export function refOf({ inner }: ListsSchema, table: string, pk: string, row: Row): Ref | undefined {
  const member = schemaOf(inner.member);
  if (member?.refOf) return member.refOf(table, pk, row, schemaOf);
  return member && 'table' in member && member.table === table ? pk : undefined;
}
