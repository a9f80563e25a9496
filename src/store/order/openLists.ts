import type { ListsSchema } from '../../schema/ListsSchema.js';
import { none, type Row } from '../../schema/Schema.js';
import type { Place } from '../../tables/Places.js';
import { pksOf, tableOf, type Tables } from '../../tables/tables.js';
import { knownIn } from '../../tables/wireRow.js';
import type { Beside } from './beside.js';

/** A row that lists are asked about: as a Collection sees it, where anything is known of it, and what the call says that has made it. */
export interface Candidate {
  readonly table: string;
  readonly as?: ((collection: ListsSchema) => unknown) | undefined;
  readonly call?: readonly unknown[] | undefined;
}

/** A row that is kept, as lists are asked about it. */
export function candidateOf(table: string, row: Row, tables: Tables): Candidate {
  const known = knownIn(tables);
  return { table, as: (collection) => known.wireRow(collection, table, row) };
}

/** The lists that a row may belong to: those of which nothing says that it does not. */
export function listsOpenTo(
  { table, as, call = none }: Candidate,
  { followed, tables, expected = none }: Pick<Beside, 'followed' | 'tables'> & Partial<Pick<Beside, 'expected'>>,
  isMeant: (collection: ListsSchema, pk: string) => boolean = () => true,
): readonly Place[] {
  const known = knownIn(tables);
  return followed.judgesOf(table).flatMap((collection) => {
    const item = as?.(collection);
    const isOpen = ({ pk }: Place): boolean => {
      const judge = followed.judgeOf(collection, pk);
      return isMeant(judge, pk) && (!as || judge.judge(item, pk, known, call) !== false);
    };
    const there = pksOf(tableOf(tables, collection.table)).map((pk) => ({ table: collection.table, pk }));
    return [...there, ...expected.filter((list) => list.table === collection.table)].filter(isOpen);
  });
}
