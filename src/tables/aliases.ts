import type { Row } from '../schema/Schema.js';
import { metaSuffix } from './inputs.js';
import { eachRow, rowOf, tableOf, type Table, type Tables } from './tables.js';

/** After a table's name: where it is kept which row a pk stands for that has been renamed, or that a row was given instead. */
export const aliasSuffix = ' alias';

/** Whether a table has no rows of the user's, but what is noted of those of another: when they came about, and what they are called now. */
export function holdsNotes(table: string): boolean {
  return table.endsWith(metaSuffix) || table.endsWith(aliasSuffix);
}

/** What a pk stands for. */
export interface Alias extends Row {
  /** The pk that the row is kept under for all its life. */
  readonly of: string;
  /** When the row was given another pk: who was asked later, and tells this one, means another row. */
  readonly at?: number;
  /** When that was asked for: what is created later, and tells this one, is another row. */
  readonly sent?: number;
  /** Addresses name the row so from now on: paths that begin so, by these parameters. */
  readonly path?: string;
  readonly was?: Row;
  readonly now?: Row;
}

/** No server gives a pk with it. */
const mark = '\u0000';

/** What a row is kept under whose pk another had until it was renamed, then. */
export function reusedPk(pk: string, at: number): string {
  return pk + mark + String(at);
}

/** Whether a row is kept under a pk of its own, for another is kept under the one that it tells. */
export function isReused(pk: string): boolean {
  return pk.includes(mark);
}

/** The pk that a row tells which is kept under a pk of its own. */
export function withoutMark(pk: string): string {
  return pk.split(mark, 1)[0] ?? pk;
}

export function aliasOf(tables: Tables, table: string, pk: string): Alias | undefined {
  return rowOf(tableOf(tables, `${table}${aliasSuffix}`) as Table<Alias> | undefined, pk);
}

/** Whether what was sent then means the row of an alias. Who was asked after that was given another pk means another row; so does a create that was sent after that was asked for. */
export function isAbout({ at, sent: asked = at }: Alias, sent: number, isCreate: boolean): boolean {
  const until = isCreate ? asked : at;
  return until === undefined || sent <= until;
}

/** The pk that a row is kept under. */
export function keptPk(tables: Tables, table: string, pk: string): string {
  return aliasOf(tables, table, pk)?.of ?? pk;
}

/** The pk that the row tells now which is kept under one. */
export function currentPk(tables: Tables, table: string, pk: string): string {
  let told = pk;
  eachRow(tableOf(tables, `${table}${aliasSuffix}`), (alias, name) => {
    const { of, at } = alias as Alias;
    if (of === pk && at === undefined) told = name;
  });
  return told;
}

/** Whether any row has been renamed. */
export function hasAliases(tables: Tables): boolean {
  for (const name in tables) if (name.endsWith(aliasSuffix)) return true;
  return false;
}
