import { getOrMake, setOwn, type List, type Row } from '../schema/Schema.js';
import { applyToList, type ListChange } from './members.js';
import type { Place, Places } from './Places.js';
import { differs, over } from './same.js';
import { emptyTable, TableWriter, tableOf, type Table, type Tables } from './tables.js';

/** What an answer, or an optimistic request, does to the tables: plain data, and all that a reducer needs to know. */
export interface Changes {
  /** What becomes of rows. */
  readonly rows: readonly RowChanges[];
  /** What becomes of lists. */
  readonly lists: readonly ListChange[];
}

/** Rows of one table: `rows[i]` is merged over the row of `pks[i]`, field by field; null takes the row away. */
export interface RowChanges {
  /** The table of the rows. */
  readonly table: string;
  /** Their pks. */
  readonly pks: readonly string[];
  /** Them, in the same order. */
  readonly rows: readonly (Row | null)[];
  /** The rows stand as they are, because the class of the entity has merged them. */
  readonly whole?: true;
  /** Only rows that are there are changed; none is made. */
  readonly existing?: true;
}

export const noChanges: Changes = { rows: [], lists: [] };

export function isEmpty(changes: Changes): boolean {
  return changes.rows.length === 0 && changes.lists.length === 0;
}

/** Adds the rows and lists that changes speak of. */
export function addPlaces(places: Places, changes: Changes): void {
  addRows(places, changes);
  places.add(changes.lists);
}

/** Adds the rows that changes speak of. */
export function addRows(places: Places, { rows }: Changes): void {
  for (const { table, pks } of rows) for (const pk of pks) places.set(table, pk, true);
}

/** What changes bring of a row: null where they take it away, undefined where they do not speak of it. */
export function rowIn({ rows }: Pick<Changes, 'rows'>, table: string, pk: string): Row | null | undefined {
  for (const change of rows) {
    const row = change.table === table ? change.rows[placeIn(change, pk)] : undefined;
    if (row !== undefined) return row;
  }
  return undefined;
}

/** Of so many rows at most, each is looked at. */
const FEW = 8;

const places = new WeakMap<RowChanges['pks'], ReadonlyMap<string, number>>();

/** Where a row stands in a change; -1 if it is not there. With 8 000 rows in a patch, a commit takes a tenth of the time. */
function placeIn({ pks }: RowChanges, pk: string): number {
  if (pks.length <= FEW) return pks.indexOf(pk);
  return getOrMake(places, pks, () => new Map(pks.map((one, i) => [one, i] as const).reverse())).get(pk) ?? -1;
}

/** What something makes of each row of changes; null stands for one that is taken away. */
export function flatMapRows<Made>(
  all: Changes['rows'],
  make: (table: string, pk: string, row: Row | null, change: RowChanges) => readonly Made[],
): readonly Made[] {
  return all.flatMap((change) => change.pks.flatMap((pk, i) => make(change.table, pk, change.rows[i] ?? null, change)));
}

/** The rows that changes take away. */
export function goneIn(all: Changes['rows']): readonly Place[] {
  // Mostly there are none: to look for that takes a fiftieth of what it takes to look at each.
  const some = all.filter(({ rows }) => rows.includes(null));
  return flatMapRows(some, (table, pk, row) => (row ? [] : [{ table, pk }]));
}

/** The rows of a change, each as something makes it; undefined leaves it out. */
export function rowsWhere(
  change: RowChanges,
  make: (pk: string, row: Row | null) => Row | null | undefined,
): readonly RowChanges[] {
  const pks: string[] = [];
  const rows: (Row | null)[] = [];
  change.pks.forEach((pk, i) => {
    const row = make(pk, change.rows[i] ?? null);
    if (row === undefined) return;
    pks.push(pk);
    rows.push(row);
  });
  return pks.length === 0 ? [] : [{ ...change, pks, rows }];
}

/** The tables with changes committed in order; the very same where nothing changed. */
export function applyChanges(tables: Tables, all: readonly Changes[]): Tables {
  const writers = new Map<string, TableWriter<unknown>>();
  const writerOf = (name: string): TableWriter<unknown> =>
    getOrMake(writers, name, () => new TableWriter(tableOf(tables, name) ?? emptyTable));
  for (const changes of all) {
    for (const change of changes.rows) writeRows(writerOf(change.table) as TableWriter<Row>, change);
    for (const change of changes.lists) writeList(writerOf(change.table) as TableWriter<List>, change);
  }
  let next: Record<string, Table> | undefined;
  for (const [name, writer] of writers) {
    const table = writer.done();
    if (table !== (tableOf(tables, name) ?? emptyTable)) setOwn((next ??= { ...tables }), name, table);
  }
  return next ?? tables;
}

function writeRows(writer: TableWriter<Row>, change: RowChanges): void {
  const { pks, rows, existing } = change;
  if (pks.length > FEW && !existing && writer.fill(pks, rows)) return;
  for (let i = 0; i < pks.length; i++) {
    const pk = pks[i] ?? '';
    const row = rows[i] ?? null;
    if (row === null) {
      writer.remove(pk);
      continue;
    }
    const slot = writer.slot(pk);
    const there = writer.at(slot);
    const next = withRow(there, row, change);
    if (next && next !== there) writer.put(slot, pk, next);
  }
}

/** What becomes of a row by one of a change; the very same where that brings nothing new. */
export function withRow(
  there: Row | undefined,
  row: Row,
  { whole, existing }: Pick<RowChanges, 'whole' | 'existing'>,
): Row | undefined {
  if (there === undefined) return existing ? undefined : row;
  if (whole) return row;
  return differs(there, row) ? over(there, row) : there;
}

function writeList(writer: TableWriter<List>, change: ListChange): void {
  const there = writer.get(change.pk);
  const next = applyToList(there, change);
  if (next !== undefined && next !== there) writer.set(change.pk, next);
}
